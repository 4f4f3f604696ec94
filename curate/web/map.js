// All samples as points: the embedding in two dimensions. A click or a lasso narrows the cards below. Drawn into
// pixels by hand, so that a hundred thousand points follow the mouse.
const sampleMap = {
  colour: "suspicion",
  zoom: 1, left: 0, top: 0,  // what of the unit square is shown
  lasso: null,               // corners in pixels while the mouse is down
  grip: null,                // where the map was taken hold of, while it is moved (shift and mouse down)
  points: null,              // the points as drawn last: a lasso is drawn over them
  inked: null,               // what the colours of ink() were made for

  numbers(text, Type) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Type(bytes.buffer);
  },
  start() {
    const box = byId("map");
    if (!doc.map) { box.hidden = true; return; }
    this.x = this.numbers(doc.map.x, Uint16Array);
    this.y = this.numbers(doc.map.y, Uint16Array);
    this.label = this.numbers(doc.map.label, Int32Array);
    this.p = this.numbers(doc.map.p, Uint8Array);
    this.canvas = byId("map-points");
    byId("map-count").textContent = doc.map.all > this.x.length
      ? `${count(this.x.length)} of ${count(doc.map.all)} samples` : `${count(this.x.length)} samples`;
    for (const button of document.querySelectorAll("#map-colours button")) {
      button.hidden = button.dataset.colour === "suspicion" && doc.map.blind === true;
      button.addEventListener("click", () => { this.colour = button.dataset.colour; this.draw(); });
    }
    if (doc.map.blind) this.colour = "class";
    byId("map-whole").addEventListener("click", () => { this.zoom = 1; this.left = this.top = 0; this.draw(); });
    this.canvas.addEventListener("wheel", (event) => this.onWheel(event), {passive: false});
    this.canvas.addEventListener("pointerdown", (event) => this.onDown(event));
    this.canvas.addEventListener("pointermove", (event) => this.onMove(event));
    this.canvas.addEventListener("pointerup", (event) => this.onUp(event));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    decisions.listeners.push(() => { if (this.colour === "decision") { this.inked = null; this.draw(); } });
    this.draw();
  },
  // [red, green, blue] of a point.
  paint(i) {
    if (this.colour === "class") return this.classColour(this.label[i]);
    if (this.colour === "decision") {
      const card = doc.cards[i], standing = card && decisions.standing.get(card.id);
      if (!standing) return card ? [150, 150, 150] : [205, 205, 205];
      return standing.verdict === "keep" ? [27, 122, 67] : standing.verdict === "relabel" ? [31, 95, 191] : [154, 98, 0];
    }
    const share = this.p[i] / 255;
    return [170 + 60 * share, 176 - 150 * share, 186 - 160 * share];
  },
  classColour(label) {
    if (label < 0) return [160, 160, 160];
    const hue = (label * 137.508) % 360, light = 0.42 + 0.12 * (label % 3);
    const part = (shift) => {  // hue, saturation 0.6, lightness → one of the three
      const k = (shift + hue / 30) % 12;
      return 255 * (light - 0.6 * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
    };
    return [part(0), part(8), part(4)];
  },
  // The colours of all points as pixels, little-endian as every browser's machine is; made once, not at every move.
  ink() {
    if (this.inked !== this.colour)
      this.colours = Uint32Array.from(this.x, (_, i) => {
        const [red, green, blue] = this.paint(i).map(Math.round);
        return (255 << 24 | blue << 16 | green << 8 | red) >>> 0;
      });
    this.inked = this.colour;
    return this.colours;
  },
  // Where the origin lies, in pixels of the canvas, and how many of them a step of x or y has.
  frame() {
    const {width, height} = this.canvas, side = Math.min(width, height), margin = 0.03;
    return [(width - side) / 2 + side * (margin - this.left) * this.zoom, (height - side) / 2 + side * (1 - margin - this.top) * this.zoom,
      side * (1 - 2 * margin) * this.zoom / 65535];
  },
  // Of a point, in pixels of the canvas.
  place(i) {
    const [left, bottom, step] = this.frame();
    return [left + step * this.x[i], bottom - step * this.y[i]];
  },
  draw() {
    cancelAnimationFrame(this.waiting);
    this.waiting = requestAnimationFrame(() => this.drawNow());
  },
  drawNow() {
    const canvas = this.canvas, ratio = window.devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    if (!width || !height) return;
    const sized = canvas.width === width && canvas.height === height;
    if (!sized) { canvas.width = width; canvas.height = height; }
    const context = canvas.getContext("2d");
    if (!this.lasso || !sized || !this.points) this.points = this.drawPoints(context.createImageData(width, height));
    context.putImageData(this.points, 0, 0);
    if (this.lasso) {
      context.strokeStyle = getComputedStyle(canvas).color;
      context.lineWidth = ratio;
      context.beginPath();
      for (const [x, y] of this.lasso) context.lineTo(x, y);
      context.stroke();
    }
    for (const button of document.querySelectorAll("#map-colours button"))
      button.classList.toggle("chosen", button.dataset.colour === this.colour);
    canvas.dataset.drawn = this.colour;
  },
  drawPoints(image) {
    const {width, height} = image, ratio = window.devicePixelRatio || 1;
    const pixels = new Uint32Array(image.data.buffer), ink = this.ink(), [left, bottom, step] = this.frame();
    const shown = new Set(view.shown), narrowed = view.filters.length > 0;
    const dot = (i, radius) => {
      const x = Math.round(left + step * this.x[i]), y = Math.round(bottom - step * this.y[i]);
      if (x < -radius || y < -radius || x >= width + radius || y >= height + radius) return;
      for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v += 1)
        pixels.fill(ink[i], v * width + Math.max(0, x - radius), v * width + Math.min(width - 1, x + radius) + 1);
    };
    const small = Math.round(ratio * (this.x.length > 20000 ? 0 : 1) * Math.min(2, this.zoom));
    for (let i = this.x.length - 1; i >= doc.cards.length; i -= 1) dot(i, small);
    for (let i = Math.min(doc.cards.length, this.x.length) - 1; i >= 0; i -= 1)
      dot(i, Math.round(ratio * (narrowed && shown.has(doc.cards[i]) ? 4 : 2)));
    return image;
  },
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return [(event.clientX - box.left) * this.canvas.width / box.width, (event.clientY - box.top) * this.canvas.height / box.height];
  },
  onWheel(event) {
    event.preventDefault();
    const side = Math.min(this.canvas.width, this.canvas.height), [x, y] = this.at(event);
    const u = (x - (this.canvas.width - side) / 2) / side / this.zoom + this.left, v = (y - (this.canvas.height - side) / 2) / side / this.zoom + this.top;
    const zoom = Math.min(60, Math.max(1, this.zoom * Math.exp(-event.deltaY / 400)));
    this.left = zoom === 1 ? 0 : u - (u - this.left) * this.zoom / zoom;
    this.top = zoom === 1 ? 0 : v - (v - this.top) * this.zoom / zoom;
    this.zoom = zoom;
    this.points = null;  // also while a line is drawn
    this.draw();
  },
  onDown(event) {
    this.canvas.setPointerCapture(event.pointerId);
    if (event.shiftKey) this.grip = {at: this.at(event), left: this.left, top: this.top};
    else this.lasso = [this.at(event)];
  },
  onMove(event) {
    if (this.grip) {
      const [x, y] = this.at(event), side = Math.min(this.canvas.width, this.canvas.height) * this.zoom;
      this.left = this.grip.left - (x - this.grip.at[0]) / side;
      this.top = this.grip.top - (y - this.grip.at[1]) / side;
      this.draw();
    }
    if (!this.lasso) return;
    this.lasso.push(this.at(event));
    this.draw();
  },
  onUp(event) {
    this.grip = null;
    if (!this.lasso) return;
    const corners = this.lasso, end = this.at(event);
    this.lasso = null;
    const moved = corners.some(([x, y]) => Math.hypot(x - corners[0][0], y - corners[0][1]) > 6);
    if (moved) this.choose(this.inside(corners), "on the map");
    else this.choose(this.near(end), "near the click");
    this.draw();
  },
  // Samples within the lasso.
  inside(corners) {
    const chosen = [];
    for (let i = 0; i < this.x.length; i += 1) {
      const [x, y] = this.place(i);
      let within = false;
      for (let a = 0, b = corners.length - 1; a < corners.length; b = a, a += 1) {
        const [ax, ay] = corners[a], [bx, by] = corners[b];
        if ((ay > y) !== (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax) within = !within;
      }
      if (within) chosen.push(i);
    }
    return chosen;
  },
  // The sample that was clicked and those around it.
  near([x, y]) {
    const chosen = [], reach = 14 * (window.devicePixelRatio || 1);
    for (let i = 0; i < this.x.length; i += 1) {
      const [u, v] = this.place(i);
      if (Math.hypot(u - x, v - y) <= reach) chosen.push(i);
    }
    return chosen;
  },
  // The most suspect samples have cards, the others are points: how many of those that were meant are listed is said,
  // also where none is.
  choose(samples, where) {
    view.filters = view.filters.filter((filter) => !filter.map);
    const cards = new Set(samples.filter((i) => i < doc.cards.length).map((i) => doc.cards[i]));
    const text = cards.size === samples.length ? `${count(cards.size)} ${where}`
      : `${cards.size ? count(cards.size) : "none"} of ${count(samples.length)} ${where} listed`;
    if (samples.length) view.filters.push({text, map: true, test: (card) => cards.has(card)});
    applyFilters();
  },
};
