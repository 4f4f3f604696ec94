// Puts the page together: buttons, keys, theme, progress.
// How far review has come: decided samples, and how many it takes to find 95 % of the wrong labels.
function goal() {
  const target = doc.summary.effort.find((point) => point.share === 0.95);
  if (!server) return {done: decisions.standing.size, all: doc.cards.length};
  return {done: decisions.state ? decisions.state.decided : 0, all: target ? target.review : doc.summary.samples};
}

function progressText() {
  const decided = decisions.standing.size;
  if (!server) return decided ? `${count(decided)} of ${count(doc.cards.length)} decided` : "";
  const state = decisions.state;
  if (!state) return "";
  const reviewers = state.reviewers === 1 ? "" : ` by ${count(state.reviewers)} reviewers`;
  const noise = state.noise && state.noise.method === "audit"
    ? ` · noise ${percent(state.noise.rate, 1)} (${percent(state.noise.low, 1)}–${percent(state.noise.high, 1)}) from ${count(state.noise.audited)} audits` : "";
  const waiting = sender.waiting.length ? ` · ${count(sender.waiting.length)} not sent yet` : "";
  return `${count(state.decided)} of about ${count(goal().all)} decided${reviewers}, ${count(decided)} by you${noise}${waiting}`;
}

function showProgress() {
  byId("progress-text").textContent = progressText();
  const {done, all} = goal();
  byId("progress-bar").hidden = !done;
  byId("progress-bar").firstChild.style.width = Math.min(100, 100 * done / Math.max(1, all)) + "%";
  byId("export").hidden = Boolean(server) && !sender.waiting.length;
  byId("undo").disabled = !decisions.history.length || Boolean(server && server.read_only);
  const noise = doc.summary.noise;
  byId("audit").hidden = !mayAudit() || !noise.needs_audit;
  byId("audit").textContent = auditWords(noise);
  byId("review").classList.toggle("primary", byId("audit").hidden);
  const inner = byId("focus-progress");
  if (inner) inner.textContent = progressText();
}

// With a server everything above the cards follows what was decided: when the large view closes, and now and then before.
const freshSummary = {
  seen: 0, busy: false,
  due() { const state = decisions.state; return Boolean(server && state && state.decided + state.audited !== this.seen); },
  async load() {
    if (this.busy || !this.due()) return;
    this.busy = true;
    try {
      await sender.sent();
      this.seen = decisions.state.decided + decisions.state.audited;
      doc.summary = await ask("/api/summary");
      view.none = view.none && !doc.summary.suspects && !doc.summary.effort.length;
      showOverview();
      showProgress();
    } catch { /* the sender says when the server is gone */ }
    this.busy = false;
  },
  nowAndThen() { if (decisions.state && Math.abs(decisions.state.decided + decisions.state.audited - this.seen) >= 10) this.load(); },
};

function takeBack() {
  const sample = undo();
  if (sample === null) return;
  if (focusView.dialog.open) focusView.undone(sample);
  else setCurrent(view.shown.findIndex((card) => card.id === sample), true);
}

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  storage.set("curate:theme", theme || "");
}
function toggleTheme() {
  const now = document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  setTheme(now === "dark" ? "light" : "dark");
}

const keyHelp = [["J  →", "next card"], ["H  ←", "card before"], ["Enter", "large view"], ["Esc", "close"], ["K", "keep the label"],
  ["R", "relabel to the suggestion"], ["1 – 4", "relabel to one of the model's candidates"], ["C", "another class, by typing"], ["P", "move up: no finer than a group"], ["N", "none of the classes"],
  ["A", "ambiguous"], ["S", "skip"], ["U", "undo"], ["/", "search"], ["D", "dark or light"], ["?", "these keys"]];
function showKeys() {
  byId("keys").replaceChildren(make("h2", {}, "Keys"), make("table", {}, keyHelp.map(([key, words]) =>
    make("tr", {}, make("td", {}, make("kbd", {}, key)), make("td", {}, words)))),
    make("button", {type: "button", onclick: () => byId("keys").close()}, "Close"));
  byId("keys").showModal();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || picker.dialog.open || byId("keys").open) return;
  const typing = event.target instanceof HTMLInputElement && event.target.type !== "range" || event.target instanceof HTMLSelectElement;
  if (typing) { if (event.key === "Escape") event.target.blur(); return; }
  const focused = focusView.dialog.open, card = focused ? focusView.card : view.shown[view.current];
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const move = (step) => {
    if (!focused) setCurrent(view.current + step, true);
    else if (step > 0 && !focusView.queue && focusView.card) focusView.next();
    else if (step < 0) focusView.previous();
  };
  const verdict = verdictOfKey(key, card);
  if (key === "j" || key === "ArrowRight" || (key === "ArrowDown" && focused)) move(1);
  else if (key === "h" || key === "ArrowLeft" || (key === "ArrowUp" && focused)) move(-1);
  else if (key === "u") takeBack();
  else if (key === "d") toggleTheme();
  else if (key === "?") showKeys();
  else if (key === "/" && !focused) byId("search").focus();
  else if (key === "Enter" && !focused && event.target === document.body) openReview();
  else if (verdict && card) act(verdict, card, focused ? () => focusView.decided() : undefined);
  else return;
  event.preventDefault();
}

// With a server, review follows its queue; without, the cards as filtered.
function openReview() { focusView.open(server ? null : view.shown[view.current]); }

function start() {
  setTheme(storage.get("curate:theme"));
  byId("bar-dataset").textContent = [doc.dataset, doc.labels].filter(Boolean).join(" · ");
  byId("reviewer").value = decisions.reviewer;
  byId("reviewer").addEventListener("change", () => setReviewer(byId("reviewer").value));
  byId("review").addEventListener("click", openReview);
  byId("audit").addEventListener("click", () => focusView.openAudit());
  focusView.dialog.addEventListener("close", () => freshSummary.load());
  byId("undo").addEventListener("click", takeBack);
  byId("theme").addEventListener("click", toggleTheme);
  byId("help").addEventListener("click", showKeys);
  byId("export").addEventListener("click", exportDecisions);
  byId("reviewer-label").hidden = Boolean(server && server.read_only);
  byId("review").hidden = Boolean(server && server.read_only);
  if (!knowsKin) for (const option of document.querySelectorAll(".of-kin")) option.remove();
  for (const id of ["kinship", "status", "sort"]) byId(id).addEventListener("change", applyFilters);
  let timer = 0;
  byId("search").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(applyFilters, 80); });
  byId("least").addEventListener("input", () => {
    byId("least-value").textContent = byId("least").value + " %";
    clearTimeout(timer);
    timer = setTimeout(applyFilters, 80);
  });
  byId("none").querySelector("button").addEventListener("click", () => { view.none = false; showCards(); });
  byId("more").addEventListener("click", () => { view.limit += pageStep; showCards(); });
  byId("batch").addEventListener("click", (event) => {
    if (event.target.dataset.batch) decideAllShown(event.target.dataset.batch);
  });
  document.addEventListener("keydown", onKey);
  addEventListener("beforeunload", (event) => { if (sender.waiting.length && !storage.keys(outboxKey).length) event.preventDefault(); });
  decisions.listeners.push(showProgress, refreshCards, () => freshSummary.nowAndThen());
  if (server) {
    sender.load();
    loadState().then(() => freshSummary.load()).catch((error) => notice(error.message, true));
  } else {
    localLog.load();
    addEventListener("storage", (event) => { if (event.key === storageKey) { localLog.load(); decisions.changed(); } });
  }
  showOverview();
  sampleMap.start();
  applyFilters();
  showProgress();
}
start();
