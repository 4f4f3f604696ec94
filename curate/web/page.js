// What every part of the page uses: the document, and elements made without ever parsing text as HTML.
const doc = JSON.parse(document.getElementById("document").textContent);
const server = doc.server || null;
const byId = (id) => document.getElementById(id);

// make("button", {class: "x", onclick: f}, "text", child …): text stays text, whatever is in it.
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name === "class" ? "class" : name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

function makeSvg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const grouped = new Intl.NumberFormat("en");
const count = (n) => grouped.format(Math.round(n));
function percent(share, digits) {
  if (share === 1 && digits === undefined) return "100 %";
  if (share > 0.9995 && share < 1) return "> 99.9 %";
  if (share > 0 && share < 0.0005) return "< 0.1 %";
  return (100 * share).toFixed(digits === undefined ? (share < 0.1 || share > 0.99 ? 1 : 0) : digits) + " %";
}
// A probability is never quite 1, whatever is left of it after six digits.
const probability = (p) => percent(Math.min(p, 0.9999));

const className = (label) => (label < 0 ? "(no label)" : doc.classes[label]);
const nodeOfLabel = new Map(doc.tree.map((node, i) => [node.label, i]).filter(([label]) => label >= 0));

// Names from the root down to a node of the class tree.
function lineage(node) {
  const names = [];
  for (let at = node; at >= 0; at = doc.tree[at].parent) names.unshift(doc.tree[at].name);
  return names;
}
function ancestors(node) {
  const list = [];
  for (let at = node; at >= 0; at = doc.tree[at].parent) if (doc.tree[at].id) list.push(at);
  return list;
}
function isBelow(node, ancestor) {
  for (let at = node; at >= 0; at = doc.tree[at].parent) if (at === ancestor) return true;
  return false;
}

// Where the image of a sample is: with the server, or in the document; null where neither has it.
function pictureSource(id, large) {
  if (server && server.images) return `/${large ? "image" : "thumb"}/${id}?token=${encodeURIComponent(server.token)}`;
  if (doc.image_of && String(id) in doc.image_of) return "data:image/jpeg;base64," + doc.images[doc.image_of[String(id)]];
  return null;
}

function picture(id, alt, large) {
  const none = (words) => make("div", {class: "picture none"}, words);
  const source = pictureSource(id, large);
  if (!source) return none("no image");
  const image = make("img", {class: "picture", alt: alt, src: source, loading: large ? "eager" : "lazy", decoding: "async"});
  image.addEventListener("error", () => image.replaceWith(none("image cannot be shown")));
  return image;
}

// A line at the foot of the window, also over an open dialog.
const noticeBox = byId("notice");  // it moves between dialogs, which forget what was in them
function notice(text, bad) {
  noticeBox.textContent = text || "";
  noticeBox.classList.toggle("bad", Boolean(bad));
  noticeBox.hidden = !text;
  placeNotice();
}
function placeNotice() {
  const open = [...document.querySelectorAll("dialog[open]")].pop();
  (open || document.body).append(noticeBox);
}

// Settings of this browser: theme and reviewer. A browser that forbids storage still shows the page.
const storage = {
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(key, value); return true; } catch { return false; } },
  remove(key) { try { localStorage.removeItem(key); } catch { /* it is not there then */ } },
  keys(start) { try { return Object.keys(localStorage).filter((key) => key.startsWith(start)); } catch { return []; } },
};
