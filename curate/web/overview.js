// What a manager asks: how many are wrong, where, and how much review finds how much.
const kinshipNames = {siblings: "siblings", relatives: "relatives", strangers: "gross errors", unknown: "the tree does not say"};

const mayAudit = () => Boolean(server && !server.read_only);
const auditedSoFar = () => (decisions.state ? decisions.state.audited || 0 : 0);
const auditWords = (noise) => {
  const done = auditedSoFar();
  return done ? `Go on with the random cards (${count(done)} of ${count(noise.cards_to_know)})` : `Judge ${count(noise.cards_to_know)} random cards`;
};

// A rate that only random cards can tell: said first, with the button that does it.
function openRate(summary) {
  const noise = summary.noise;
  return [make("div", {class: "big"}, `Between ${(100 * noise.low).toFixed(0)} and ${percent(noise.high, 0)}`),
    make("p", {}, "of the labels are wrong. Errors that follow the image cannot be told from what a model confuses: ",
      make("strong", {}, `judge ${count(noise.cards_to_know)} random cards to know.`)),
    mayAudit() ? make("p", {}, make("button", {type: "button", class: "primary", id: "audit-now", onclick: () => focusView.openAudit()}, auditWords(noise)))
      : make("p", {}, "Start ", make("code", {}, "curate serve"), " and press the first button, or ", make("code", {}, "curate audit"), ".")];
}

function noiseTile(summary) {
  const noise = summary.noise;
  const how = {
    "audit": `measured on ${count(noise.audited)} random cards from every stratum of suspicion, and on what else was judged`,
    "decisions": `what ${count(summary.judged)} decisions found, and what they say of the rest`,
    "scores file": "estimated with the scores",
    "probabilities": "the sum of the calibrated probabilities",
  }[noise.method];
  const head = noise.needs_audit ? openRate(summary) : [make("div", {class: "big"}, count(noise.count)),
    make("p", {}, make("strong", {}, percent(noise.rate, 1)), ` of ${count(summary.samples)} labels; ${noise.level} % interval `,
      make("strong", {}, `${count(noise.count_low)} – ${count(noise.count_high)}`), ".")];
  return make("div", {class: "tile", id: "tile-noise"},
    make("h2", {}, "Labels probably wrong"), head, intervalBar(summary),
    make("p", {}, make("strong", {}, count(summary.suspects)), ` are more likely wrong than right. The ${noise.needs_audit ? "interval" : "number"} is ${how}.`,
      summary.confirmed ? ` ${count(summary.confirmed)} of ${count(summary.judged)} judged labels were wrong.` : "",
      noise.leaning && noise.method !== "audit" ? " The model was trained on these labels and leans towards them: more may be wrong." : ""));
}

// The estimate and its interval on a line from 0 to a round share above it.
function intervalBar(summary) {
  const noise = summary.noise;
  const end = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1].find((share) => share >= noise.high * 1.1) || 1;
  const range = make("i", {class: "range"}), point = make("i", {class: "point"});
  range.style.left = (100 * noise.low / end) + "%";
  range.style.width = (100 * (noise.high - noise.low) / end) + "%";
  point.style.left = (100 * noise.rate / end) + "%";
  return make("div", {}, make("div", {class: "interval"}, range, point),
    make("div", {class: "axis"}, make("span", {}, "0 %"), make("span", {}, percent(end, end < 0.1 ? 1 : 0) + " of all labels")));
}

function effortTile(summary) {
  const tile = make("div", {class: "tile", id: "tile-effort"}, make("h2", {}, "Work to find them"));
  const target = summary.effort.find((point) => point.share === 0.95);
  if (!target) { tile.append(make("p", {}, "No label is suspect.")); return tile; }
  const half = summary.effort[0], most = summary.effort[1];
  tile.append(make("div", {class: "big"}, `Review ${count(target.review)}`),
    make("p", {}, "to find ", make("strong", {}, "95 %"), ` of the wrong labels; ${count(half.review)} find half, `,
      `${count(most.review)} find 80 %.`,
      summary.judged ? ` ${count(summary.judged)} are judged; the next 100 hold about ${about(summary.next_hundred)} wrong ones.` : "",
      summary.noise.needs_audit ? " So far as the scores can tell: random cards will move it." : ""));
  const steps = summary.curve.length - 1;
  const points = summary.curve.map((share, i) => `${(100 * i / steps).toFixed(2)},${(100 - 100 * share).toFixed(2)}`);
  const at = 100 * target.review / summary.curve_end;
  tile.append(makeSvg("svg", {class: "curve", viewBox: "0 0 100 100", preserveAspectRatio: "none", role: "img",
      "aria-label": "Share of wrong labels found over samples reviewed"},
    makeSvg("polygon", {class: "area", points: `0,100 ${points.join(" ")} 100,100`}),
    makeSvg("polyline", {class: "line", points: points.join(" ")}),
    makeSvg("line", {class: "rule", x1: at, x2: at, y1: 0, y2: 100}),
    makeSvg("line", {class: "rule", x1: 0, x2: 100, y1: 5, y2: 5})),
    make("div", {class: "axis"}, make("span", {}, "0 reviewed"), make("span", {}, count(summary.curve_end))));
  return tile;
}

// Without a tree, or with one of a single level, nothing is known of any two classes' kinship: then nobody speaks of it.
const knowsKin = doc.cards.some((card) => card.kinship !== "unknown");

function kindsTile(summary) {
  const kinds = Object.entries(summary.kinship).filter(([, n]) => n > 0);
  const total = kinds.reduce((sum, [, n]) => sum + n, 0);
  const tile = make("div", {class: "tile", id: "tile-kinds"}, make("h2", {}, "Kinds of error among the suspects"));
  if (!total) { tile.append(make("p", {}, "No suspects.")); return tile; }
  const bar = make("div", {class: "kinds"});
  for (const [kind, n] of kinds) {
    const part = make("i", {class: kind, title: kinshipNames[kind]});
    part.style.width = (100 * n / total) + "%";
    bar.append(part);
  }
  if (knowsKin) tile.append(bar);
  else tile.append(make("p", {}, "The class tree does not say how near these classes are to each other. ", make("code", {}, "taxo review"), " places them, ",
    make("code", {}, "taxo import"), " takes a tree of your own."));
  const listed = knowsKin ? kinds.map(([kind, n]) => [kind, kinshipNames[kind], n, (card) => card.kinship === kind]) : [];
  const twins = doc.cards.filter((card) => card.duplicates.length).length;
  if (twins) listed.push(["duplicate", "listed with a near-duplicate under another label", twins, (card) => card.duplicates.length > 0]);
  tile.append(make("div", {class: "rows"}, listed.map(([kind, name, n, test]) =>
    make("button", {type: "button", onclick: () => narrow({text: name, test})},
      make("span", {class: "name"}, make("i", {class: "dot " + kind}), name),
      make("span", {class: "count"}, kind === "duplicate" ? count(n) : `${count(n)} (${percent(n / total)})`)))));
  if (knowsKin)
    tile.append(make("p", {}, "Siblings share their parent in the taxonomy and are easily confused; gross errors have only the root in common."));
  return tile;
}

// A list of bars; each narrows the cards below.
function barTile(id, title, items, words) {
  const tile = make("div", {class: "tile", id: id}, make("h2", {}, title));
  const shown = items.filter((item) => item.wrong >= 0.05).slice(0, 8), most = Math.max(...shown.map((item) => item.wrong), 1e-9);
  const rows = make("div", {class: "rows"});
  for (const item of shown) {
    const fill = make("span", {class: "fill"});
    fill.style.width = (100 * item.wrong / most) + "%";
    const interval = item.low === undefined ? "" : ` (90 % interval ${about(item.low)} – ${about(item.high)})`;
    rows.append(make("button", {type: "button", title: `${words.name(item)}: about ${about(item.wrong)} wrong${interval}`, onclick: () => narrow(words.filter(item))}, fill,
      make("span", {class: "name"}, words.name(item)), make("span", {class: "count"}, words.count(item))));
  }
  tile.append(shown.length ? rows : make("p", {}, "No wrong label is expected in any."));
  return tile;
}

// What nobody could look at.
function leftOutTile(list) {
  return make("div", {class: "tile", id: "tile-left-out"}, make("h2", {}, `Labelled and not scored (${count(list.length)})`),
    make("div", {class: "rows"}, list.slice(0, 50).map((each) => make("div", {class: "left-out", title: each.why},
      make("span", {class: "name"}, each.path), " ", make("small", {}, each.why)))),
    list.length > 50 ? make("p", {}, `… and ${count(list.length - 50)} more, in suspects.json.`) : null);
}

// The same image more than once: under any label, or where it is learned from and tested on.
function copiesTile(id, title, groups, all, words) {
  const names = (group) => [...new Set(group.samples.map((sample) => className(sample.label)))].join(", ");
  return make("div", {class: "tile", id: id}, make("h2", {}, `${title} (${count(all)})`),
    make("div", {class: "rows"}, groups.slice(0, 8).map((group) => {
      const ids = new Set(group.samples.map((sample) => sample.id));
      return make("button", {type: "button", title: group.samples.map((sample) => `${sample.path} (${sample.split})`).join("\n"),
        onclick: () => narrow({text: `copies of ${group.samples[0].path}`, test: (card) => ids.has(card.id)})},
        make("span", {class: "name"}, names(group)),
        make("span", {class: "count"}, `${count(group.samples.length)}, ${group.exact ? "the same bytes" : "near copies"}`));
    })), make("p", {}, words, " ", make("code", {}, "curate duplicates"), " lists all, keeps one of each, or drops them."));
}

// Where the tree itself may be wrong: kinship says little there.
function doubtTile(places) {
  const tile = make("div", {class: "tile", id: "tile-doubts"}, make("h2", {}, `Doubtful places in the tree (${count(places.length)})`));
  tile.append(make("div", {class: "rows"}, places.slice(0, 8).map((place) =>
    make("button", {type: "button", title: place.doubt, onclick: () => narrow({text: place.name, test: (card) => card.given === place.label})},
      make("span", {class: "name"}, `${place.name}, below ${place.parent}`),
      make("span", {class: "count"}, [
        place.looks_alien ? "unlike its siblings" : "", place.level > 0 ? `name ${Math.round(place.level * 100)} % doubtful` : place.doubt ? "the name is ambiguous" : ""]
        .filter(Boolean).join(", "))))));
  tile.append(make("p", {}, "Decide them with ", make("code", {}, "taxo review"), "."));
  return tile;
}

const about = (wrong) => (wrong < 9.95 ? wrong.toFixed(1) : count(wrong));

function showOverview() {
  const summary = doc.summary;
  const tiles = [noiseTile(summary), effortTile(summary), kindsTile(summary),
    barTile("tile-classes", "Classes with most errors", summary.classes, {
      name: (item) => item.name,
      count: (item) => `≈ ${about(item.wrong)} of ${count(item.samples)}`,
      filter: (item) => ({text: item.name, test: (card) => card.given === item.label})}),
    barTile("tile-pairs", "Pairs most confused", summary.pairs, {
      name: (item) => `${item.given_name} → ${item.suggested_name}`,
      count: (item) => `≈ ${about(item.wrong)}`,
      filter: (item) => ({text: `${item.given_name} → ${item.suggested_name}`, pair: [item.given, item.suggested],
        test: (card) => card.given === item.given && card.suggested === item.suggested})})];
  if (summary.families.length)
    tiles.push(barTile("tile-families", "Families", summary.families, {
      name: (item) => item.name,
      count: (item) => `≈ ${about(item.wrong)} of ${count(item.samples)}`,
      filter: (item) => ({text: item.name,
        test: (card) => nodeOfLabel.has(card.given) && isBelow(nodeOfLabel.get(card.given), item.node)})}));
  const nones = doc.cards.filter((card) => card.p_none >= 0.5).length;
  if (summary.none !== undefined && (nones || summary.none >= 0.5))
    tiles.push(make("div", {class: "tile", id: "tile-none"}, make("h2", {}, "None of the classes"),
      make("div", {class: "big"}, about(summary.none)), make("p", {}, "images probably belong to no class: outliers, another domain. ",
        make("kbd", {}, "N"), " confirms one; ", make("code", {}, "curate apply"), " leaves them out."),
      nones ? make("div", {class: "rows"}, make("button", {type: "button", onclick: () => {
        byId("sort").value = "none";
        narrow({text: "none of the classes", test: (card) => card.p_none >= 0.5});
      }}, make("span", {class: "name"}, "Show them, the strangest first"), make("span", {class: "count"}, count(nones)))) : null));
  if (doc.copies) {
    const leaks = doc.copies.list.filter((group) => group.across_splits);
    tiles.push(copiesTile("tile-copies", "Copies of the same image", doc.copies.list, doc.copies.groups,
      doc.copies.several_labels ? `${count(doc.copies.several_labels)} of the groups carry several labels.` : "Each group carries one label."));
    if (leaks.length) tiles.push(copiesTile("tile-leaks", "Leaks between splits", leaks, doc.copies.leaks, "What is learned from is tested on."));
  }
  if (doc.left_out) tiles.push(leftOutTile(doc.left_out));
  if (doc.doubtful_places) tiles.push(doubtTile(doc.doubtful_places));
  byId("overview").replaceChildren(...tiles);
}
