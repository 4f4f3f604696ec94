"""python/fiftyone_plugin in a real FiftyOne with its database: the functions, the operators, the panel."""
import csv
import json
import pathlib
import subprocess
import sys

import fiftyone as fo
import fiftyone.operators as foo
import fiftyone.plugins as fop
import numpy as np
import pytest

import procsim

NAMES = ["crow", "gull", "hawk"]
PLUGIN = "@procsim/curation"


@pytest.fixture(scope="module")
def module():
    """The plugin as FiftyOne found it in its folder."""
    assert PLUGIN in [plugin.name for plugin in fop.list_plugins()]
    assert foo.operator_exists(f"{PLUGIN}/find_wrong_labels")
    return sys.modules[type(foo.get_operator(f"{PLUGIN}/decide")).__module__]


@pytest.fixture
def dataset(tmp_path):
    """120 samples of three classes, every tenth label wrong; sample 7 has none."""
    random = np.random.default_rng(5)
    truth = np.arange(120) % 3
    rows = 3 * np.eye(3)[truth] + 0.3 * random.normal(size=(120, 3))
    labels = [(t + 1) % 3 if i % 10 == 0 else t for i, t in enumerate(truth)]
    made = fo.Dataset()
    made.add_samples([fo.Sample(filepath=str(tmp_path / f"images/{i}.jpg"), vector=rows[i].tolist(), truth=NAMES[truth[i]],
                                ground_truth=None if i == 7 else fo.Classification(label=NAMES[labels[i]])) for i in range(120)])
    yield made
    made.delete()


def test_the_most_suspect_are_the_wrong_ones(module, dataset):
    scores = module.find_wrong_labels(dataset, "ground_truth", "vector")
    assert len(scores) == 119
    first = module.suspects(dataset).limit(12)
    assert {int(pathlib.Path(path).stem) for path in first.values("filepath")} == set(range(0, 120, 10))
    assert first.values("procsim_suggested.label") == first.values("truth")
    assert dataset.values("procsim_suspicion")[7] is None
    by_id = dict(zip(scores["sample_id"].to_pylist(), scores["suspicion"].to_pylist()))
    assert dataset.values("procsim_suspicion")[13] == by_id[13]


def test_decisions_become_labels(module, dataset, tmp_path):
    module.find_wrong_labels(dataset, "ground_truth", "vector")
    wrong = module.suspects(dataset).limit(12)
    ids = wrong.values("id")
    module.decide(dataset.select(ids[:10]), "relabel")
    module.decide(dataset.select(ids[10]), "none")
    module.decide(dataset.select(ids[11]), "relabel", "owl")
    counts = module.make_new_labels(dataset, "ground_truth", "reviewed")
    assert (counts["relabelled"], counts["none"]) == (11, 1)
    after = dict(zip(dataset.values("id"), dataset.values("reviewed.label")))
    truth = dict(zip(dataset.values("id"), dataset.values("truth")))
    assert all(after[sample] == truth[sample] for sample in ids[:10])
    assert after[ids[10]] is None and after[ids[11]] == "owl"
    assert dataset.values("ground_truth.label")[13] == dataset.values("reviewed.label")[13]
    assert module.write_decisions(dataset, tmp_path / "decisions.csv") == 12
    with open(tmp_path / "decisions.csv", newline="") as file:
        rows = {row["sample_id"]: row for row in csv.DictReader(file)}
    assert {row["verdict"] for row in rows.values()} == {"relabel", "none"}
    assert set(rows) == {str(i) for i in range(0, 120, 10)}


def test_scores_and_decisions_of_the_programs(module, dataset, tmp_path):
    """A scores file comes in by its paths; curate import takes the decisions."""
    label_set = procsim.labels({"sample_id": np.arange(500, 619), "path": [f"{i}.jpg" for i in range(120) if i != 7],
                                "label": [label for label in dataset.values("ground_truth.label") if label]})
    label_set.write(tmp_path / "labels.parquet")
    rows = np.array([row for i, row in enumerate(dataset.values("vector")) if i != 7])
    procsim.score(tmp_path / "labels.parquet", rows).write(tmp_path / "scores.parquet")
    with pytest.raises(procsim.Error, match="give the folder of the images"):
        module.load_scores(dataset, tmp_path / "scores.parquet", str(tmp_path / "elsewhere"))
    assert module.load_scores(dataset, tmp_path / "scores.parquet") == 119
    first = module.suspects(dataset).limit(3)
    module.decide(first, "relabel")
    module.write_decisions(dataset, tmp_path / "decisions.csv")
    (tmp_path / ".procsim").mkdir()
    done = subprocess.run(["curate", "import", "decisions.csv", "--scores", "scores.parquet", "--reviewer", "ada", "--json"],
                          cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["added"] == 3


def test_new_scores_take_the_place_of_old_decisions(module, dataset):
    module.find_wrong_labels(dataset, "ground_truth", "vector")
    module.decide(dataset.limit(2), "keep")
    module.find_wrong_labels(dataset.limit(60), "ground_truth", "vector")
    assert module.decisions(dataset)["verdict"] == []
    assert dataset.count("procsim_suspicion") == 59


def test_what_does_not_fit_is_said(module, dataset):
    with pytest.raises(procsim.Error, match="no field of vectors"):
        module.find_wrong_labels(dataset, "ground_truth", "nowhere")
    with pytest.raises(procsim.Error, match="nothing is decided"):
        module.make_new_labels(dataset, "ground_truth", "reviewed")
    module.find_wrong_labels(dataset, "ground_truth", "vector")
    with pytest.raises(procsim.Error, match="keep, relabel, none, ambiguous"):
        module.decide(dataset, "maybe")
    with pytest.raises(procsim.Error, match="nothing was suggested"):
        module.decide(dataset, "relabel")
    dataset.add_sample(fo.Sample(filepath="/new.jpg"))
    with pytest.raises(procsim.Error, match="1 of 121 samples have no 'vector'"):
        module.find_wrong_labels(dataset, "ground_truth", "vector")


def test_a_similarity_index_gives_the_features(module, dataset):
    import fiftyone.brain as fob
    fob.compute_similarity(dataset, embeddings=np.array(dataset.values("vector")), brain_key="likeness", backend="sklearn")
    scores = module.find_wrong_labels(dataset, "ground_truth", "likeness")
    assert scores.table.column("sample_id").length() == 119


def run(name, dataset, **params):
    """An operator as the app runs it."""
    selected = params.pop("selected", [])
    return foo.execute_operator(f"{PLUGIN}/{name}", {"dataset": dataset, "params": params, "selected": selected})


def test_the_operators(module, dataset, tmp_path):
    done = run("find_wrong_labels", dataset, label_field="ground_truth", embeddings="vector")
    assert done.result["done"].startswith("<procsim.Scores") and not done.error
    dataset.reload()
    worst = module.suspects(dataset).first().id
    assert run("decide", dataset, verdict="relabel", selected=[worst]).result == {"done": "1 decided"}
    assert run("make_new_labels", dataset, label_field="ground_truth", new_field="reviewed").result == {
        "done": "1 labels changed"}
    assert run("write_decisions", dataset, path=str(tmp_path / "d.csv")).result == {"done": "1 decisions"}


def test_the_panel(module, dataset):
    class Context:
        selected, current_sample = [], None

        def __init__(self):
            self.dataset = dataset
    panel, context = module.WrongLabels(), Context()
    assert "No scores yet" in json.dumps(panel.render(context).to_json())
    module.find_wrong_labels(dataset, "ground_truth", "vector")
    shown = json.dumps(panel.render(context).to_json())
    assert "119 labels, about" in shown and "Most suspect first" in shown and "Relabel" in shown
    worst = module.suspects(dataset).first()
    context.selected = [worst.id]
    text = module.WrongLabels._text(context)
    assert f"| {pathlib.Path(worst.filepath).name} | {worst.ground_truth.label} | {worst.truth} |" in text


def test_the_panel_s_buttons(module, dataset):
    module.find_wrong_labels(dataset, "ground_truth", "vector")
    worst = module.suspects(dataset).limit(2).values("id")
    for method, selected in (("on_load", []), ("most_suspect", []), ("relabel", worst[:1]), ("none", worst[1:]), ("keep", [])):
        done = run("wrong_labels", dataset, panel_id="panel", __method__=method, selected=selected)
        assert not done.error, done.error
    dataset.reload()
    assert dataset[worst[0]].procsim_verdict == "relabel" and dataset[worst[0]].procsim_new_label == dataset[worst[0]].truth
    assert dataset[worst[1]].procsim_verdict == "none" and len(module.decisions(dataset)["verdict"]) == 2
