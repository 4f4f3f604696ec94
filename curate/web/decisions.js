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
const outboxKey = "curate:outbox:" + (doc.label_set || doc.dataset) + ":";

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
};

// What curate import takes: the static report's own decisions, or those that no server has taken yet.
function decisionsFile() {
  // What was shown on a blind card may have been planted: only the server knows, so only it may record that.
  const rows = server ? sender.waiting.filter((row) => !row.blind).map(({sample, verdict, label, node, reviewer, time}) => ({sample, verdict, label, node, reviewer, time}))
    : localLog.rows;
  return JSON.stringify({format: "decisions/1", dataset: doc.dataset, label_set: doc.label_set, scores: doc.scores,
                         classes: doc.classes, decisions: rows}, null, 1);
}

function exportDecisions() {
  const link = make("a", {download: `decisions-${doc.dataset || "labels"}.json`.replace(/[^\w.-]+/g, "_"),
                          href: "data:application/json;charset=utf-8," + encodeURIComponent(decisionsFile())});
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

// Decisions wait in line until the server has each, in this browser's storage too: neither a lost connection nor a
// server that was killed nor a page that was closed loses one.
const sender = {
  waiting: [],
  busy: false,
  idle: [],
  last: new Map(),  // reviewer → id of the last decision that the server told us of
  load() {
    this.waiting = [];
    for (const key of storage.keys(outboxKey)) {
      try { this.waiting.push(JSON.parse(storage.get(key))); } catch { storage.remove(key); }
    }
    this.waiting.sort((a, b) => a.order - b.order);
    if (this.waiting.length) this.run();
  },
  add(row) {
    const entry = {...row, reviewer: decisions.reviewer, time: new Date().toISOString(), order: Date.now() + this.waiting.length / 1000,
                   key: crypto.getRandomValues(new Uint32Array(4)).join("-")};
    this.waiting.push(entry);
    this.keep(entry);
    this.run();
  },
  keep(entry) { storage.set(outboxKey + entry.key, JSON.stringify(entry)); },
  drop() { storage.remove(outboxKey + this.waiting.shift().key); },
  async run() {
    if (this.busy) return;
    this.busy = true;
    while (this.waiting.length) {
      const entry = this.waiting[0];
      // Says which decision came before, so that one that was recorded by a server that died is not recorded twice.
      if (entry.after === undefined && this.last.has(entry.reviewer)) { entry.after = this.last.get(entry.reviewer); this.keep(entry); }
      try {
        const answer = await ask("/api/decisions", entry);
        decisions.state = answer.state;
        this.last.set(entry.reviewer, answer.id);
        this.drop();
        notice("");
      } catch (error) {
        if (this.isRefused(error)) {
          this.drop();
          notice(`Sample ${entry.sample} was not recorded: ${error.message}. Please decide it again.`, true);
          await loadState().catch(() => {});
        } else {
          const why = error.status ? error.message : "The server does not answer";
          notice(`${why}. ${count(this.waiting.length)} decision(s) wait in this browser and are sent when it is back.`, true);
          decisions.changed();
          await new Promise((resolve) => setTimeout(resolve, 1000));
        }
      }
      decisions.changed();
    }
    this.busy = false;
    for (const resolve of this.idle.splice(0)) resolve();
  },
  // It will not be accepted later either. A wrong token, an overload or a full disk may pass.
  isRefused(error) { return [400, 404, 409, 413, 415].includes(error.status); },
  sent() { return this.busy ? new Promise((resolve) => this.idle.push(resolve)) : Promise.resolve(); },
};

async function loadState() {
  if (!decisions.reviewer) return;
  const answer = await ask("/api/state?reviewer=" + encodeURIComponent(decisions.reviewer));
  decisions.state = answer.state;
  decisions.history = answer.history;
  decisions.standing = new Map(answer.decisions.map((row) => [row.sample, row]));
  if (!sender.waiting.length) sender.last.set(decisions.reviewer, answer.last);
  for (const row of sender.waiting.filter((each) => each.reviewer === decisions.reviewer)) {
    if (row.verdict === "undo") { decisions.standing.delete(row.sample); continue; }
    decisions.standing.set(row.sample, row);
    decisions.history.push(row.sample);
  }
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
  if (card.p === undefined) row.blind = true;
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
  const before = decisions.reviewer;
  decisions.reviewer = name.trim();
  storage.set("curate:reviewer", decisions.reviewer);
  // The card that was open under the old name is not kept from others.
  if (server && before && before !== decisions.reviewer && !server.read_only)
    ask("/api/release?reviewer=" + encodeURIComponent(before), {}).catch(() => {});
  if (server) loadState().catch((error) => notice(error.message, true));
  else { localLog.replay(); decisions.changed(); }
}
