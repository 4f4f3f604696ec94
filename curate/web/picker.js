// Type-ahead over class names and the nodes of the tree. A class relabels; an inner node says "no finer than this".
const picker = {
  dialog: byId("picker"),
  choices: null,
  open(title, choices, chosen) {
    this.all = choices;
    this.chosen = chosen;
    this.at = 0;
    this.input = make("input", {type: "text", placeholder: title, "aria-label": title, spellcheck: "false", autocomplete: "off"});
    this.list = make("div", {class: "list", role: "listbox"});
    this.input.addEventListener("input", () => { this.at = 0; this.show(); });
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.dialog.replaceChildren(this.input, this.list);
    this.show();
    this.dialog.showModal();
    this.input.focus();
  },
  matches() {
    const words = this.input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.all.filter((choice) => words.every((word) => choice.search.includes(word)));
    const start = words[0] || "";
    if (start) found.sort((a, b) => b.name.toLowerCase().startsWith(start) - a.name.toLowerCase().startsWith(start));
    return found.slice(0, 100);
  },
  show() {
    this.found = this.matches();
    this.at = Math.min(this.at, Math.max(0, this.found.length - 1));
    this.list.replaceChildren(...this.found.map((choice, i) =>
      make("button", {type: "button", class: i === this.at ? "at" : "", role: "option", tabindex: "-1", onclick: () => this.choose(choice)},
        choice.name, choice.detail ? make("small", {}, choice.detail) : null)));
    if (!this.found.length) this.list.append(make("small", {}, "Nothing matches."));
    const at = this.list.children[this.at];
    if (at) at.scrollIntoView({block: "nearest"});
  },
  key(event) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      this.at = Math.max(0, Math.min(this.found.length - 1, this.at + (event.key === "ArrowDown" ? 1 : -1)));
      this.show();
      event.preventDefault();
    } else if (event.key === "Enter" && this.found.length) {
      event.preventDefault();
      this.choose(this.found[this.at]);
    }
    event.stopPropagation();
  },
  choose(choice) {
    this.input.blur();  // else it keeps the focus until the page is drawn again, and swallows a quick key
    this.dialog.close();
    this.chosen(choice.word);
  },
};

function classChoices(card) {
  const choices = doc.classes.map((name, label) => {
    const node = nodeOfLabel.get(label);
    const where = node === undefined ? "" : lineage(doc.tree[node].parent).join(" › ");
    return {name, detail: where, search: (name + " " + where).toLowerCase(), word: {verdict: "relabel", label}};
  });
  // The model's own candidates first.
  const first = card.rivals.map(([label]) => label);
  choices.sort((a, b) => {
    const i = first.indexOf(a.word.label), j = first.indexOf(b.word.label);
    return (i < 0 ? first.length : i) - (j < 0 ? first.length : j);
  });
  const inner = doc.tree.map((node, i) => [node, i]).filter(([node]) => node.id).map(([node, i]) => ({
    name: node.name, detail: "any " + lineage(i).join(" › "), search: (node.name + " " + lineage(i).join(" ")).toLowerCase(),
    word: {verdict: "parent", node: node.id}}));
  return choices.concat(inner);
}

// From the node that both labels share upwards.
function parentChoices(card) {
  let from = card.common;
  if (from === undefined) from = nodeOfLabel.has(card.given) ? doc.tree[nodeOfLabel.get(card.given)].parent : -1;
  return ancestors(from).map((node) => ({
    name: doc.tree[node].name, detail: lineage(node).join(" › "), search: lineage(node).join(" ").toLowerCase(),
    word: {verdict: "parent", node: doc.tree[node].id}}));
}
