// The decisions, kept in this browser (static report) or on the server. Both are append-only logs with undo; what
// stands is each sample's last word that was not taken back.
const decisions = {
  standing: new Map(),   // sample → {verdict, label, node}
  history: [],           // this reviewer's samples in the order decided, for undo
  reviewer: storage.get("curate:reviewer") || (server ? "" : "me"),
  listeners: [],
  changed() { for (const listener of this.listeners) listener(); },
};
const storageKey = "curate:decisions:" + (doc.scores || doc.dataset);

function sayVerdict(word) {
  switch (word.verdict) {
    case "keep": return "kept";
    case "relabel": return "→ " + className(word.label);
    case "parent": return "↑ " + (doc.tree.find((node) => node.id === word.node) || {name: word.node}).name;
    case "none": return "none of the classes";
    case "ambiguous": return "ambiguous";
    default: return "skipped";
  }
}

// --- in the browser -------------------------------------------------------------------------------------------
const localLog = {
  rows: [],
  load() {
    this.rows = [];
    try {
      const stored = JSON.parse(storage.get(storageKey) || "[]");
      if (Array.isArray(stored)) this.rows = stored;
    } catch { notice("The decisions stored in this browser cannot be read; new ones start afresh.", true); }
    this.replay();
  },
  replay() {
    decisions.standing.clear();
    decisions.history = [];
    const words = new Map();
    for (const row of this.rows) {
      if (row.reviewer !== decisions.reviewer) continue;
      const list = words.get(row.sample) || [];
      words.set(row.sample, list);
      if (row.verdict === "undo") {
        list.pop();
        decisions.history.splice(decisions.history.lastIndexOf(row.sample), 1);
      } else {
        list.push(row);
        decisions.history.push(row.sample);
      }
    }
    for (const [sample, list] of words) if (list.length) decisions.standing.set(sample, list[list.length - 1]);
  },
  add(row) {
    this.rows.push({...row, reviewer: decisions.reviewer, time: new Date().toISOString()});
    if (!storage.set(storageKey, JSON.stringify(this.rows)))
      notice("This browser does not let the page store decisions. Export them before you close it.", true);
    this.replay();
    decisions.changed();
  },
  file() {
    return JSON.stringify({format: "decisions/1", dataset: doc.dataset, label_set: doc.label_set, scores: doc.scores,
                           classes: doc.classes, decisions: this.rows}, null, 1);
  },
};

function exportDecisions() {
  const link = make("a", {download: `decisions-${doc.dataset || "labels"}.json`.replace(/[^\w.-]+/g, "_"),
                          href: "data:application/json;charset=utf-8," + encodeURIComponent(localLog.file())});
  document.body.append(link);
  link.click();
  link.remove();
}

// --- on the server --------------------------------------------------------------------------------------------
async function ask(path, body) {
  const options = {headers: {"X-Curate-Token": server.token}, cache: "no-store"};
  if (body) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const answer = await fetch(path, options);
  const content = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(content.error || "the server refused"), {status: answer.status});
  return content;
}

// Decisions wait in line until the server has each: a slow or lost connection loses none.
const sender = {
  waiting: [],
  busy: false,
  idle: [],
  add(row) {
    this.waiting.push({...row, reviewer: decisions.reviewer, key: crypto.getRandomValues(new Uint32Array(4)).join("-")});
    this.run();
  },
  async run() {
    if (this.busy) return;
    this.busy = true;
    while (this.waiting.length) {
      try {
        const answer = await ask("/api/decisions", this.waiting[0]);
        decisions.state = answer.state;
        this.waiting.shift();
        notice("");
      } catch (error) {
        if (error.status) {  // refused: it will not be accepted later either
          const lost = this.waiting.shift();
          notice(`Sample ${lost.sample} was not recorded: ${error.message}`, true);
          await loadState().catch(() => {});
        } else {
          notice(`The server does not answer; ${this.waiting.length} decision(s) wait in this page. Keep it open.`, true);
          await new Promise((resolve) => setTimeout(resolve, 1000));
        }
      }
      decisions.changed();
    }
    this.busy = false;
    for (const resolve of this.idle.splice(0)) resolve();
  },
  sent() { return this.busy ? new Promise((resolve) => this.idle.push(resolve)) : Promise.resolve(); },
};

async function loadState() {
  if (!decisions.reviewer) return;
  const answer = await ask("/api/state?reviewer=" + encodeURIComponent(decisions.reviewer));
  decisions.state = answer.state;
  decisions.history = answer.history;
  decisions.standing = new Map(answer.decisions.map((row) => [row.sample, row]));
  decisions.changed();
}

// --- both -----------------------------------------------------------------------------------------------------
function canDecide() {
  if (server && server.read_only) { notice("This server is read-only: decisions are not taken."); return false; }
  if (!decisions.reviewer) {
    notice("Please enter your name as the reviewer first.");
    byId("reviewer").focus();
    return false;
  }
  return true;
}

function decide(card, word) {
  if (!canDecide()) return false;
  const row = {sample: card.id, verdict: word.verdict};
  if (word.verdict === "relabel") row.label = word.label;
  if (word.verdict === "parent") row.node = word.node;
  if (!server) { localLog.add(row); return true; }
  if (card.ticket) row.ticket = card.ticket;
  decisions.standing.set(card.id, row);
  decisions.history.push(card.id);
  sender.add(row);
  decisions.changed();
  return true;
}

// Takes back the last decision and returns its sample, or null.
function undo() {
  if (!decisions.history.length || !canDecide()) return null;
  const sample = decisions.history[decisions.history.length - 1];
  if (!server) { localLog.add({sample, verdict: "undo"}); return sample; }
  decisions.history.pop();
  decisions.standing.delete(sample);
  sender.add({sample, verdict: "undo"});
  sender.sent().then(loadState).catch(() => {});
  decisions.changed();
  return sample;
}

function setReviewer(name) {
  decisions.reviewer = name.trim();
  storage.set("curate:reviewer", decisions.reviewer);
  if (server) loadState().catch((error) => notice(error.message, true));
  else { localLog.replay(); decisions.changed(); }
}
