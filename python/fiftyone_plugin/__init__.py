"""procsim in FiftyOne: which labels of a classification field are wrong, what they should be, and what people say of them.

The functions below work on any data set or view; the operators and the panel call them. What they keep lies in fields of the
samples: procsim_sample_id, procsim_suspicion, procsim_p_mislabelled, procsim_suggested, procsim_verdict, procsim_new_label.
"""
import csv
import os

import fiftyone as fo
import fiftyone.operators as foo
import numpy as np
from fiftyone import ViewField as F
from fiftyone.operators import types

import procsim

VERDICTS = {"keep": "Keep", "relabel": "Relabel", "none": "No class", "ambiguous": "Ambiguous"}


def find_wrong_labels(samples, label_field, embeddings, progress=None):
    """Judges the labels by embeddings, a field of vectors or the key of a similarity index, and fills in the fields."""
    names = samples.values(f"{label_field}.label")
    rows = _embeddings(samples, embeddings)
    scores = procsim.score({"label": names}, rows, progress=progress)
    ids = samples.values("id")
    _fill_in(samples, scores, {place: ids[place] for place in range(len(ids))})
    return scores


def load_scores(samples, path, images=None):
    """Fills in the fields from a scores file. Samples are found by their path below `images` (default: their common folder)."""
    scores = procsim.Scores.read(path)
    files = samples.values("filepath")
    folder = images or os.path.commonpath([os.path.dirname(file) for file in files])
    place = {os.path.relpath(file, folder): sample for file, sample in zip(files, samples.values("id"))}
    known = {number: place[path] for number, path in zip(scores["sample_id"].to_pylist(), scores["path"].to_pylist())
             if path in place}
    if not known:
        raise procsim.Error(f"none of the {len(scores)} paths in {path} is a sample below {folder}: give the folder of the images")
    _fill_in(samples, scores, known)
    return len(known)


def suspects(samples):
    """The judged samples, the most suspect first."""
    return samples.exists("procsim_suspicion").sort_by("procsim_suspicion", reverse=True)


def decide(samples, verdict, label=None):
    """What somebody found of these samples. relabel: to `label`, by default to the class that was suggested."""
    if verdict not in VERDICTS:
        raise procsim.UsageError(f"verdict='{verdict}': {', '.join(VERDICTS)}")
    new = [None] * len(samples)
    if verdict == "relabel":
        new = [label] * len(samples) if label else samples.values("procsim_suggested.label")
        if None in new:
            raise procsim.UsageError("relabel: nothing was suggested for some of these samples; say to which label")
    samples.set_values("procsim_verdict", [verdict] * len(new))
    samples.set_values("procsim_new_label", new)


def decisions(samples):
    """What was decided so far, as procsim.apply takes it."""
    decided = samples.exists("procsim_verdict") if samples.has_field("procsim_verdict") else samples.limit(0)
    fields = ["procsim_sample_id", "procsim_verdict", "procsim_new_label"] if len(decided) else []
    ids, verdicts, labels = decided.values(fields) if fields else ([], [], [])
    return {"sample_id": np.array(ids, np.int64), "verdict": verdicts, "label": labels}


def write_decisions(samples, path):
    """The decisions as a table that `curate import` reads. Returns how many."""
    table = decisions(samples)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["sample_id", "verdict", "new_label"])
        writer.writerows(zip(table["sample_id"].tolist(), table["verdict"], (label or "" for label in table["label"])))
    return len(table["verdict"])


def make_new_labels(samples, label_field, new_field):
    """The labels with the decisions folded in, as a field of their own; none where people found no class. Returns the counts."""
    table = decisions(samples)
    if not table["verdict"]:
        raise procsim.Error("nothing is decided yet")
    judged = samples.exists("procsim_sample_id")
    ids, names = judged.values(["procsim_sample_id", f"{label_field}.label"])
    classes = sorted({name for name in [*names, *table["label"]] if name is not None})
    after = procsim.apply(procsim.labels({"sample_id": ids, "label": names}, classes=classes), table, unresolved="unlabel")
    judged.set_values(new_field, [None if name is None else fo.Classification(label=name) for name in after.label_names])
    return after.counts


def _embeddings(samples, name):
    if samples.has_field(name):
        rows = samples.values(name)
        if missing := sum(row is None for row in rows):
            raise procsim.Error(f"{missing} of {len(rows)} samples have no '{name}'")
        return np.stack(rows)
    if name in samples.list_brain_runs():
        rows, found, _ = samples.load_brain_results(name).get_embeddings(sample_ids=samples.values("id"))
        order = {sample: place for place, sample in enumerate(found)}
        ids = samples.values("id")
        if missing := sum(sample not in order for sample in ids):
            raise procsim.Error(f"the similarity index '{name}' lacks {missing} of {len(ids)} samples")
        return np.asarray(rows)[[order[sample] for sample in ids]]
    raise procsim.Error(f"'{name}' is no field of vectors and no similarity index of this data set")


def _fill_in(samples, scores, place):
    """A row of the scores each into the sample that `place` has for it; what other scores left there goes."""
    values = {name: {} for name in ("sample_id", "suspicion", "p_mislabelled", "suggested")}
    for row in scores.table.select(list(values)).to_pylist():
        sample = place.get(row["sample_id"])
        if sample is None:
            continue
        for name in ("sample_id", "suspicion", "p_mislabelled"):
            values[name][sample] = row[name]
        if row["suggested"] >= 0:
            values["suggested"][sample] = fo.Classification(label=scores.classes[row["suggested"]])
    whole = samples._dataset
    for name in [*values, "verdict", "new_label"]:
        if whole.has_sample_field(f"procsim_{name}"):
            whole.clear_sample_field(f"procsim_{name}")
    for name, kind in (("verdict", fo.StringField), ("new_label", fo.StringField)):
        whole.add_sample_field(f"procsim_{name}", kind)
    for name, found in values.items():
        samples.select(list(found)).set_values(f"procsim_{name}", found, key_field="id")


def _label_fields(samples):
    return list(samples.get_field_schema(embedded_doc_type=fo.Classification))


class _Operator(foo.Operator):
    @property
    def config(self):
        return foo.OperatorConfig(name=self.name, label=self.label, dynamic=False)

    def resolve_input(self, ctx):
        inputs = types.Object()
        self.ask(ctx, inputs)
        return types.Property(inputs, view=types.View(label=self.label))

    def resolve_output(self, ctx):
        outputs = types.Object()
        outputs.str("done", label=self.label)
        return types.Property(outputs)

    def execute(self, ctx):
        done = self.run(ctx)
        ctx.trigger("reload_dataset")
        return {"done": done}


def _ask_for_labels(ctx, inputs):
    fields = [name for name in _label_fields(ctx.dataset) if not name.startswith("procsim_")]
    inputs.enum("label_field", fields, required=True, default=fields[0] if fields else None, label="Labels")


class FindWrongLabels(_Operator):
    name, label = "find_wrong_labels", "Find wrong labels"

    def ask(self, ctx, inputs):
        _ask_for_labels(ctx, inputs)
        vectors = [*ctx.dataset.get_field_schema(ftype=(fo.VectorField, fo.ListField)), *ctx.dataset.list_brain_runs()]
        inputs.enum("embeddings", [name for name in vectors if name != "tags"], required=True,
                    label="Embeddings: a field of vectors or a similarity index")

    def run(self, ctx):
        scores = find_wrong_labels(ctx.target_view(), ctx.params["label_field"], ctx.params["embeddings"])
        return repr(scores)


class LoadScores(_Operator):
    name, label = "load_scores", "Load scores of procsim-train or curate"

    def ask(self, ctx, inputs):
        inputs.str("path", required=True, label="Scores file")
        inputs.str("images", label="Folder that the paths in it are below (default: the samples' common folder)")

    def run(self, ctx):
        return f"{load_scores(ctx.dataset, ctx.params['path'], ctx.params.get('images'))} samples"


class Decide(_Operator):
    name, label = "decide", "Decide on the selected labels"

    def ask(self, ctx, inputs):
        inputs.enum("verdict", list(VERDICTS), required=True, label="Verdict")
        inputs.str("label", label="New label (default: the suggested one)")

    def run(self, ctx):
        if not ctx.selected:
            raise procsim.UsageError("select the samples that you decide on")
        decide(ctx.dataset.select(ctx.selected), ctx.params["verdict"], ctx.params.get("label"))
        return f"{len(ctx.selected)} decided"


class WriteDecisions(_Operator):
    name, label = "write_decisions", "Write decisions for curate import"

    def ask(self, ctx, inputs):
        inputs.str("path", required=True, label="CSV file")

    def run(self, ctx):
        return f"{write_decisions(ctx.dataset, ctx.params['path'])} decisions"


class MakeNewLabels(_Operator):
    name, label = "make_new_labels", "Make new labels from the decisions"

    def ask(self, ctx, inputs):
        _ask_for_labels(ctx, inputs)
        inputs.str("new_field", required=True, default="reviewed", label="Field to write")

    def run(self, ctx):
        return f"{make_new_labels(ctx.dataset, ctx.params['label_field'], ctx.params['new_field'])['changed']} labels changed"


class WrongLabels(foo.Panel):
    @property
    def config(self):
        return foo.PanelConfig(name="wrong_labels", label="Wrong labels", surfaces="grid modal")

    def on_load(self, ctx):
        ctx.panel.state.said = ""

    def on_change_selected(self, ctx):
        """The table follows the selection."""

    on_change_current_sample = on_change_selected

    def most_suspect(self, ctx):
        ctx.ops.set_view(suspects(ctx.dataset))

    def _decide(self, ctx, verdict):
        chosen = ctx.selected or ([ctx.current_sample] if ctx.current_sample else [])
        try:
            if not chosen:
                raise procsim.UsageError("select the samples that you decide on")
            decide(ctx.dataset.select(chosen), verdict)
        except procsim.Error as error:
            ctx.ops.notify(str(error), variant="error")
            return
        ctx.ops.clear_selected_samples()
        ctx.ops.reload_dataset()

    def keep(self, ctx):
        self._decide(ctx, "keep")

    def relabel(self, ctx):
        self._decide(ctx, "relabel")

    def none(self, ctx):
        self._decide(ctx, "none")

    def ambiguous(self, ctx):
        self._decide(ctx, "ambiguous")

    def render(self, ctx):
        panel = types.Object()
        panel.md(self._text(ctx), name="text")
        if ctx.dataset.has_sample_field("procsim_suspicion"):
            panel.btn("most_suspect", label="Most suspect first", on_click=self.most_suspect)
            buttons = panel.h_stack("verdicts", gap=1)
            for verdict, label in VERDICTS.items():
                buttons.btn(verdict, label=label, on_click=getattr(self, verdict))
        return types.Property(panel, view=types.GridView(orientation="vertical", gap=2, padding=2))

    @staticmethod
    def _text(ctx):
        dataset = ctx.dataset
        if not dataset.has_sample_field("procsim_suspicion"):
            return "No scores yet: run **Find wrong labels** or **Load scores** (press ` for the operators)."
        wrong = dataset.sum("procsim_p_mislabelled")
        lines = [f"{dataset.count('procsim_suspicion')} labels, about {wrong:.0f} wrong, "
                 f"{dataset.count('procsim_verdict')} decided", "",
                 "| sample | label | suggested | suspicion | wrong | verdict |", "|---|---|---|---|---|---|"]
        chosen = ctx.selected or ([ctx.current_sample] if ctx.current_sample else [])
        shown = dataset.select(chosen) if chosen else suspects(dataset).match(F("procsim_verdict").exists(False))
        fields = [name for name in _label_fields(dataset) if not name.startswith("procsim_")]
        for sample in shown.limit(20):
            label = sample[fields[0]].label if fields and sample[fields[0]] else ""
            other = sample.procsim_suggested.label if sample.procsim_suggested else ""
            if sample.procsim_suspicion is not None:
                lines.append(f"| {os.path.basename(sample.filepath)} | {label} | {other} | {sample.procsim_suspicion:.1f} | "
                             f"{100 * sample.procsim_p_mislabelled:.0f} % | {sample.procsim_verdict or ''} |")
        return "\n".join(lines)


def register(plugin):
    for operator in (FindWrongLabels, LoadScores, Decide, WriteDecisions, MakeNewLabels, WrongLabels):
        plugin.register(operator)
