// The ranked suspects: filters, sorting, cards, and the large view in which most decisions are made.
const verdicts = [
  {key: "k", main: true, words: (card) => "Keep " + className(card.given), word: () => ({verdict: "keep"})},
  {key: "r", main: true, words: (card) => (card.suggested >= 0 ? "→ " + className(card.suggested) : "no suggestion"),
   word: (card) => (card.suggested >= 0 ? {verdict: "relabel", label: card.suggested} : null)},
  {key: "c", words: () => "Other…", title: "Another class, by typing a few letters", pick: (card, done) => picker.open("Class, or a group of classes", classChoices(card), done)},
  {key: "p", words: () => "Up…", title: "Move up: nobody can tell any finer than a group of classes", usable: (card) => parentChoices(card).length > 0,
   pick: (card, done) => picker.open("No finer than", parentChoices(card), done)},
  {key: "n", words: () => "None", title: "Not any of the classes", word: () => ({verdict: "none"})},
  {key: "a", words: () => "Unclear", title: "Ambiguous: several classes fit", word: () => ({verdict: "ambiguous"})},
  {key: "s", words: () => "Skip", title: "No opinion; others will see it", word: () => ({verdict: "skip"})},
];

// What the model would take it for, best first: a key each.
const rivalKeys = ["1", "2", "3", "4"];
function rivalVerdicts(card) {
  return card.rivals.slice(0, rivalKeys.length).map(([label, p], i) => ({key: rivalKeys[i], words: () => className(label), share: p === null ? "" : probability(p),
    title: `Relabel to ${className(label)}`, word: () => ({verdict: "relabel", label})}));
}
function verdictOfKey(key, card) {
  return verdicts.find((each) => each.key === key) || (card && rivalVerdicts(card).find((each) => each.key === key));
}

const view = {
  filters: [],       // {text, test}: from the overview
  none: !doc.summary.suspects && !doc.summary.effort.length,  // nothing to see, unless somebody asks for it
  shown: [],         // cards after filters, in order
  limit: 120,        // how many of them have elements
  current: 0,
  elements: new Map(),
};
const pageStep = 120;
doc.cards.forEach((card, i) => {
  card.rank = i + 1;
  card.search = [className(card.given), className(card.suggested), card.path, card.id].join(" ").toLowerCase();
});

function strip(title, list, kind) {
  if (!list.length) return make("div", {});
  const seen = list.filter((other) => pictureSource(other.id));  // a large report leaves the farther ones out
  return make("div", {}, make("div", {class: "title", title: title}, title),
    make("div", {class: "strip"}, (seen.length ? seen : list).map((other) => picture(other.id, `${kind} ${className(other.label)}, sample ${other.id}`))));
}

function labelsLine(card) {
  return make("div", {class: "labels"}, make("span", {class: "given"}, className(card.given)),
    make("span", {class: "arrow"}, "→"), make("span", {class: "suggested"}, card.suggested < 0 ? "?" : className(card.suggested)));
}

// With `others`, the nearest of every rival too.
function nearby(card, others) {
  return make("div", {class: "near"},
    strip("nearest " + className(card.given), card.near_given, "labelled"),
    strip("nearest " + className(card.suggested), card.near_suggested, "labelled"),
    others ? card.rivals.map(([label]) => label).filter((label) => label !== card.suggested && label !== card.given).map((label) => {
      const near = (card.near_rivals || []).filter((other) => other.label === label);
      return near.length ? strip("nearest " + className(label), near, "labelled") : null;
    }) : null,
    card.duplicates.length ? strip("same image, other label", card.duplicates, "duplicate") : null);
}

// What a reviewer wants to know at a glance; the large view says it in sentences.
function facts(card) {
  const pills = [], common = card.common === undefined ? "" : doc.tree[card.common].name;
  const kin = {siblings: `siblings: both ${common}`, relatives: `relatives: both ${common}`, strangers: `gross error: ${card.distance} steps apart`}[card.kinship];
  if (kin) pills.push(make("span", {class: "pill " + card.kinship}, card.place_doubtful ? `perhaps ${kin} (doubtful place)` : kin));
  for (const other of card.duplicates) pills.push(make("span", {class: "pill duplicate"}, `same image labelled ${className(other.label)}`));
  const rival = card.rivals.find(([label]) => label === card.suggested);
  const seen = rival ? `model: ${className(card.suggested)} ${probability(rival[1])}, ${className(card.given)} ${probability(card.p_given)}` : "";
  const margin = card.margin > 0 ? `margin ${card.margin.toFixed(1)}` : "";
  return make("div", {class: "facts", title: card.why.join("\n")}, pills, make("span", {}, [seen, margin].filter(Boolean).join(" · ")));
}

function sameWord(a, b) {
  return a && b && a.verdict === b.verdict && a.label === b.label && (a.node || "") === (b.node || "");
}

function verdictButtons(card, act) {
  const standing = decisions.standing.get(card.id);
  const locked = server && server.read_only;
  const buttons = (list) => list.map((verdict) => {
    const word = verdict.word ? verdict.word(card) : null;
    const chosen = word ? sameWord(word, standing)
      : verdict.key === "p" ? standing && standing.verdict === "parent"
        : standing && standing.verdict === "relabel" && !card.rivals.some(([label]) => label === standing.label) && standing.label !== card.suggested;
    const usable = !locked && (verdict.pick ? !verdict.usable || verdict.usable(card) : Boolean(word));
    return make("button", {type: "button", class: chosen ? "chosen" : "", title: verdict.title || verdict.words(card), disabled: !usable, "data-key": verdict.key,
      onclick: (event) => { event.stopPropagation(); act(verdict, card); }},
      make("span", {class: "what"}, verdict.words(card)), verdict.share ? make("span", {class: "share"}, verdict.share) : null, make("kbd", {}, verdict.key.toUpperCase()));
  });
  const rivals = rivalVerdicts(card);
  return make("div", {class: "verdicts"}, make("div", {class: "main"}, buttons(verdicts.filter((verdict) => verdict.main))),
    rivals.length > 1 ? make("div", {class: "rivals"}, buttons(rivals)) : null,
    make("div", {class: "rest"}, buttons(verdicts.filter((verdict) => !verdict.main))));
}

const pathLine = (card) => make("div", {class: "path"}, [card.path, `sample ${card.id}`].filter(Boolean).join(" · "));

function cardElement(card) {
  const standing = decisions.standing.get(card.id);
  const meter = make("i", {});
  meter.style.width = (100 * card.p) + "%";
  return make("article", {class: "card" + (standing ? " decided" : ""), "data-sample": card.id, "data-words": standing ? sayVerdict(standing) : "",
      onclick: () => setCurrent(view.shown.indexOf(card), false), ondblclick: () => focusView.open(card)},
    make("div", {class: "top"}, picture(card.id, `sample ${card.id}, labelled ${className(card.given)}`),
      make("div", {class: "words"},
        make("div", {class: "rank"}, make("span", {}, `#${card.rank}`), make("span", {}, probability(card.p), " wrong")),
        labelsLine(card), make("div", {class: "meter"}, meter),
        standing ? make("div", {class: "verdict"}, sayVerdict(standing)) : null)),
    facts(card), nearby(card), pathLine(card), verdictButtons(card, (verdict, which) => act(verdict, which)));
}

// Applies a verdict to a card, asking for the class where it needs one.
function act(verdict, card, then) {
  const done = (word) => { if (word && decide(card, word)) (then || (() => advance(card)))(); };
  if (verdict.pick) { if (canDecide() && (!verdict.usable || verdict.usable(card))) verdict.pick(card, done); }
  else done(verdict.word(card));
}

function advance(card) {
  const at = view.shown.indexOf(card);
  if (at >= 0 && at === view.current && at + 1 < view.shown.length) setCurrent(at + 1, true);
}

function setCurrent(index, scroll) {
  if (index < 0 || index >= view.shown.length) return;
  const before = view.elements.get(view.shown[view.current]);
  if (before) before.classList.remove("current");
  view.current = index;
  if (index >= view.limit) { view.limit = Math.ceil((index + 1) / pageStep) * pageStep; showCards(); }
  const element = view.elements.get(view.shown[index]);
  if (!element) return;
  element.classList.add("current");
  if (scroll) element.scrollIntoView({block: "nearest"});
}

const sorts = {
  none: (a, b) => (b.p_none || 0) - (a.p_none || 0) || a.rank - b.rank,
  rank: (a, b) => a.rank - b.rank,
  p: (a, b) => b.p - a.p || a.rank - b.rank,
  margin: (a, b) => b.margin - a.margin || a.rank - b.rank,
  distance: (a, b) => (b.distance ?? -1) - (a.distance ?? -1) || a.rank - b.rank,
  given: (a, b) => className(a.given).localeCompare(className(b.given)) || a.rank - b.rank,
};
function pairSort() {
  const sizes = new Map(), key = (card) => card.given + ">" + card.suggested;
  for (const card of view.shown) sizes.set(key(card), (sizes.get(key(card)) || 0) + 1);
  return (a, b) => sizes.get(key(b)) - sizes.get(key(a)) || key(a).localeCompare(key(b)) || a.rank - b.rank;
}

function applyFilters() {
  const keep = view.shown[view.current];
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const kinship = byId("kinship").value, status = byId("status").value, least = byId("least").value / 100;
  view.shown = doc.cards.filter((card) =>
    card.p >= least && words.every((word) => card.search.includes(word)) &&
    (!kinship || (kinship === "duplicates" ? card.duplicates.length > 0 : card.kinship === kinship)) &&
    (!status || (status === "decided") === decisions.standing.has(card.id)) &&
    view.filters.every((filter) => filter.test(card)));
  const sort = byId("sort").value;
  view.shown.sort(sort === "pair" ? pairSort() : sorts[sort]);
  view.current = Math.max(0, view.shown.indexOf(keep));
  view.limit = pageStep;
  showCards();
}

function showCards() {
  view.elements.clear();
  byId("none").hidden = !view.none;
  const elements = (view.none ? [] : view.shown.slice(0, view.limit)).map((card) => {
    const element = cardElement(card);
    view.elements.set(card, element);
    return element;
  });
  byId("cards").replaceChildren(...elements);
  byId("more").hidden = view.none || view.shown.length <= view.limit;
  byId("shown").textContent = view.none ? "" : `${count(view.shown.length)} of ${count(doc.cards.length)} shown`;
  const narrowed = view.filters.length > 0 || byId("search").value.trim() !== "";
  byId("batch").hidden = !narrowed || !view.shown.length || Boolean(server && server.read_only);
  byId("chips").replaceChildren(...view.filters.map((filter) =>
    make("button", {type: "button", class: "chip", title: "Remove", onclick: () => {
      view.filters = view.filters.filter((other) => other !== filter);
      applyFilters();
    }}, filter.text, " ×")));
  setCurrent(view.current, false);
  if (doc.map) sampleMap.draw();
}

// Redraws only what a decision changed.
function refreshCards() {
  for (const [card, element] of view.elements) {
    const standing = decisions.standing.get(card.id);
    const words = standing ? sayVerdict(standing) : "";
    if ((element.dataset.words || "") === words) continue;
    const fresh = cardElement(card);
    if (element.classList.contains("current")) fresh.classList.add("current");
    element.replaceWith(fresh);
    view.elements.set(card, fresh);
  }
}

function narrow(filter) {
  view.filters = [filter];
  applyFilters();
  byId("suspects").scrollIntoView();
}

function decideAllShown(kind) {
  const open = view.shown.filter((card) => !decisions.standing.has(card.id) && (kind === "keep" || card.suggested >= 0));
  if (!open.length || !canDecide()) return;
  const what = kind === "keep" ? "Keep the label" : "Take the suggested label";
  if (!confirm(`${what} of all ${open.length} open cards shown?`)) return;
  for (const card of open) decide(card, kind === "keep" ? {verdict: "keep"} : {verdict: "relabel", label: card.suggested});
}

// --- the large view -------------------------------------------------------------------------------------------
const focusView = {
  dialog: byId("focus"),
  card: null,
  // Random cards from every stratum of suspicion, until the rate is known.
  openAudit() { return this.open(null, true); },
  async open(card, audit) {
    this.audit = Boolean(audit);
    this.queue = Boolean(server) && !card;  // the server's own order, audits mixed in
    if (this.queue && !canDecide()) return;
    this.pair = null;
    const pair = view.filters.map((filter) => filter.pair).find(Boolean);
    if (this.queue && pair && !this.audit) this.pair = pair;
    this.seen = [];
    this.card = card || null;
    if (this.queue) await this.next();
    else { if (!this.card) this.card = view.shown[view.current] || null; this.show(); }
    if (!this.dialog.open) this.dialog.showModal();
    this.dialog.focus();  // not the first button: Enter must not close the view
    placeNotice();
  },
  close() {
    this.dialog.close();
    placeNotice();
    if (!this.queue && this.card) setCurrent(view.shown.indexOf(this.card), true);
  },
  async next() {
    if (!this.queue) {
      const at = view.shown.indexOf(this.card);
      this.card = view.shown[at + 1] || null;
      this.show();
      return;
    }
    try {
      await sender.sent();
      if (this.audit && this.seen.length && auditedSoFar() === doc.summary.noise.cards_to_know) { this.close(); return; }
      const pair = this.audit ? "&audit=1" : this.pair ? `&given=${this.pair[0]}&suggested=${this.pair[1]}` : "";
      const answer = await ask(`/api/next?reviewer=${encodeURIComponent(decisions.reviewer)}${pair}`);
      this.card = answer.card || null;
      this.left = answer.left;
    } catch (error) {
      notice(error.message || "The server does not answer.", true);
      this.card = null;
    }
    this.show();
  },
  previous() {
    if (this.queue) return;
    const at = this.card ? view.shown.indexOf(this.card) : view.shown.length;
    if (at > 0) { this.card = view.shown[at - 1]; this.show(); }
  },
  decided() {
    if (this.card) this.seen.push(this.card);
    this.next();
  },
  undone(sample) {
    const card = this.seen.findLast((seen) => seen.id === sample) || doc.cards.find((each) => each.id === sample);
    if (card) { this.card = card; this.show(); }
  },
  show() {
    const card = this.card;
    const close = make("button", {type: "button", onclick: () => this.close()}, "Close ", make("kbd", {}, "Esc"));
    if (!card) {
      delete this.dialog.dataset.sample;
      this.dialog.replaceChildren(make("div", {class: "head"}, make("span", {class: "grow"}, progressText()), close),
        make("div", {class: "body"}, make("div", {class: "done"}, make("p", {}, this.pair ? "Nothing of this pair is left to review." : "Nothing is left to review here."),
          make("p", {}, "Undo with ", make("kbd", {}, "U"), ", close with ", make("kbd", {}, "Esc"), "."))));
      return;
    }
    const place = this.queue ? (this.audit ? `Random card ${count(auditedSoFar() + 1)}` : this.pair ? `${count(this.left)} left of ${className(this.pair[0])} → ${className(this.pair[1])}` : "Next in the queue")
      : `${count(view.shown.indexOf(card) + 1)} of ${count(view.shown.length)}`;
    const standing = decisions.standing.get(card.id);
    const words = make("div", {}, labelsLine(card),
      card.p === undefined ? null : make("p", {}, make("strong", {}, probability(card.p)), " probability that the label is wrong"),
      standing ? make("p", {class: "verdict"}, sayVerdict(standing)) : null,
      make("ul", {class: "why"}, card.why.map((reason) => make("li", {}, reason))), nearby(card, true),
      pathLine(card));
    this.dialog.replaceChildren(
      make("div", {class: "head"}, make("strong", {}, place), make("span", {id: "focus-progress", class: "grow"}, progressText()), close),
      make("div", {class: "body"}, picture(card.id, `sample ${card.id}`, true), words),
      make("div", {class: "foot"}, verdictButtons(card, (verdict, which) => act(verdict, which, () => this.decided()))));
    this.dialog.dataset.sample = card.id;
    placeNotice();
    const following = this.queue ? null : view.shown[view.shown.indexOf(card) + 1];
    if (following) picture(following.id, "", true);  // so that it is there when it is wanted
  },
};
