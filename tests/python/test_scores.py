import json
import signal
import subprocess
import sys
import threading

import numpy as np
import pyarrow as pa
import pytest

import procsim
from conftest import BIRDS, program


@pytest.fixture(scope="module")
def scores(birds):
    labels, _, embeddings = birds
    return procsim.score(labels, embeddings)


def test_finds_the_labels_that_were_changed(scores, birds):
    labels, truth, _ = birds
    wrong = labels != truth
    top = scores.suspects(int(wrong.sum()))["sample_id"].to_pylist()
    assert np.mean(wrong[top]) > 0.9
    assert scores.noise_rate["low"] <= 0.1 <= scores.noise_rate["high"]
    assert [BIRDS[truth[i]] for i in top[:5]] == [BIRDS[int(name)] for name in
                                                  scores.suspects(5)["suggested_name"].to_pylist()]


def test_the_same_figures_as_the_program_to_the_last_digit(label_file, birds, tree, tmp_path):
    tree.save(tmp_path / "tree.json")
    program("procsim-train", "score", "--labels", label_file, "--embeddings", tmp_path / "embeddings.parquet",
            "--taxonomy", tmp_path / "tree.json", "-o", tmp_path / "scores.parquet", "--seed", "3")
    written = pa.parquet.read_table(tmp_path / "scores.parquet")
    scores = procsim.score(label_file, tmp_path / "embeddings.parquet", taxonomy=tree, seed=3)
    assert scores.table.equals(written)
    header = json.loads(written.schema.metadata[b"procsim"])
    assert scores.header["estimates"] == header["estimates"] and scores.header["classes"] == header["classes"]


def test_where_the_features_come_from_makes_no_difference(scores, birds):
    labels, _, embeddings = birds
    torch = pytest.importorskip("torch")
    lists = pa.FixedSizeListArray.from_arrays(pa.array(embeddings.ravel()), 16)
    shuffled = np.random.default_rng(1).permutation(320)
    forms = {"double": embeddings.astype(np.float64), "tensor": torch.from_numpy(embeddings), "arrow": lists,
             "chunks": pa.chunked_array([lists[:100], lists[100:]]), "lists": embeddings.tolist(),
             "ids": pa.table({"sample_id": shuffled, "embedding": lists.take(pa.array(shuffled))}),
             "columns": pa.table({f"f{i}": embeddings[:, i] for i in range(16)}),
             "variable": pa.table({"v": pa.array(embeddings.tolist(), pa.list_(pa.float32()))})}
    for name, form in forms.items():
        assert procsim.score(labels, form).table.equals(scores.table), name


def test_frames_are_matched_by_their_index(scores, birds):
    pandas = pytest.importorskip("pandas")
    labels, _, embeddings = birds
    frame, features = pandas.DataFrame({"label": labels}), pandas.DataFrame(embeddings)
    order = np.random.default_rng(2).permutation(320)
    assert procsim.score(frame, features.iloc[order]).table.equals(scores.table)
    with pytest.raises(procsim.Error, match="lack 20 of the 320 samples of the labels, the first is sample 0"):
        procsim.score(frame, features.iloc[20:])
    named = [f"image{i}" for i in range(320)]
    assert procsim.score(frame.set_index(pandas.Index(named)), features.set_index(pandas.Index(named)))["label"].to_pylist() == \
        labels.tolist()
    with pytest.raises(procsim.Error, match="index and the embeddings' differ"):
        procsim.score(frame.set_index(pandas.Index(named)), features.set_index(pandas.Index(named[::-1])))


def test_rows_that_are_not_judged_are_left_out(birds):
    labels, _, embeddings = birds
    table = {"label": [None if i == 5 else int(label) for i, label in enumerate(labels)],
             "split": ["test" if i < 3 else "train" for i in range(320)]}
    assert procsim.score(table, embeddings)["sample_id"].to_pylist() == [3, 4, *range(6, 320)]


def test_features_that_say_nothing_are_warned_of(birds):
    noise = np.random.default_rng(4).normal(size=(320, 16)).astype(np.float32)
    with pytest.warns(UserWarning, match="agree with only"):
        scores = procsim.score(birds[0], noise, rounds=1)
    assert "agree with only" in scores.notes[0]


def nan(embeddings):
    broken = embeddings.copy()
    broken[17, 3] = np.nan
    return broken


@pytest.mark.parametrize("change, message", [
    (lambda e: e[:-1], "320 labels and 319 rows of embeddings"),
    (lambda e: e[0], r"shape \(16,\)"),
    (nan, "number 4 of sample 17 is nan: embeddings must be finite"),
    (lambda e: e * 0, "sample 0 has nothing but zeros"),
    (lambda e: e.astype(str), "no number"),
    (lambda e: pa.array([[1.0], [1.0, 2.0]]), "row 1 has 2 numbers, row 0 has 1"),
    (lambda e: pa.table({"sample_id": [0, 0], "embedding": [[1.0], [1.0]]}), "sample 0 is there twice"),
    (lambda e: pa.table({"sample_id": ["a"], "embedding": [[1.0]]}), "must hold integers"),
    (lambda e: pa.table({"name": ["a"] * 320}), "column 'name' is string"),
])
def test_wrong_embeddings_are_named(change, message, birds):
    with pytest.raises(procsim.Error, match=message):
        procsim.score(birds[0], change(birds[2]))


def test_wrong_labels_and_words_are_named(birds, tree):
    with pytest.raises(procsim.Error, match="a single training class"):
        procsim.score([0] * 320, birds[2])
    with pytest.raises(procsim.UsageError, match="folds=1"):
        procsim.score(birds[0], birds[2], folds=1)
    with pytest.raises(procsim.Error, match="does not have the classes"):
        procsim.score(birds[0], birds[2], taxonomy=tree, classes=[str(i) for i in range(8)])
    with pytest.raises(procsim.Error, match="^labels.parquet: sample_id 0 in row 1 stands there for the second time"):
        procsim.score({"sample_id": [0] * 320, "label": birds[0]}, birds[2])


def test_cleanlab_s_names(scores, birds):
    view = scores.cleanlab()
    assert view.column_names == ["sample_id", "is_label_issue", "label_quality", "given_label", "predicted_label"]
    assert view["given_label"].to_pylist() == birds[0].tolist()
    wrong = np.asarray(scores["p_mislabelled"])
    assert np.array_equal(np.asarray(view["is_label_issue"]), wrong > 0.5)
    assert np.array_equal(np.asarray(view["label_quality"]), 1 - wrong)
    named = procsim.score([BIRDS[label] for label in birds[0]], birds[2]).cleanlab()
    assert set(named["predicted_label"].to_pylist()) <= set(BIRDS)


def test_others_take_the_table(scores):
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    assert polars.DataFrame(scores).height == 320
    suspects = scores.to_arrow()
    assert duckdb.sql("select count(*) from suspects where p_mislabelled > 0.5").fetchall()[0][0] > 20
    assert len(scores.to_pandas()) == 320


def test_probabilities_of_others(birds, label_file, tmp_path):
    labels, truth, embeddings = birds
    means = np.stack([embeddings[truth == c].mean(0) for c in range(8)])
    logits = -((embeddings[:, None] - means) ** 2).sum(2)
    probabilities = np.exp(logits - logits.max(1, keepdims=True))
    probabilities /= probabilities.sum(1, keepdims=True)
    np.save(tmp_path / "p.npy", probabilities)
    program("curate", "import-scores", tmp_path / "p.npy", "--labels", label_file, "-o", tmp_path / "s.parquet")
    assert procsim.import_scores(label_file, probabilities).table.equals(pa.parquet.read_table(tmp_path / "s.parquet"))
    imported = procsim.import_scores(labels, probabilities)
    assert imported["suggested"].to_pylist()[0] == truth[0]
    assert imported.noise_rate["low"] <= np.mean(labels != truth) <= imported.noise_rate["high"]
    assert imported.noise_rate["readings"]["low"] <= imported.noise_rate["readings"]["high"]
    with pytest.raises(procsim.Error, match=r"shape \(320, 7\) for 320 labels of 8 classes"):
        procsim.import_scores(labels, probabilities[:, :7])


@pytest.fixture(scope="module")
def beliefs(birds):
    """pred_probs of the birds, each row its own."""
    labels, truth, embeddings = birds
    means = np.stack([embeddings[truth == c].mean(0) for c in range(8)])
    logits = -((embeddings[:, None] - means) ** 2).sum(2)
    probabilities = np.exp(logits - logits.max(1, keepdims=True))
    return probabilities / probabilities.sum(1, keepdims=True)


def test_the_names_of_probabilities_are_followed(birds, beliefs, label_file):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    torch = pytest.importorskip("torch")
    names = [BIRDS[label] for label in birds[0]]
    wanted = procsim.import_scores(names, beliefs, classes=BIRDS).table
    frame = pandas.DataFrame(beliefs, columns=BIRDS)
    rows, columns = np.random.default_rng(5).permutation(320), np.random.default_rng(6).permutation(8)
    mixed = frame.iloc[rows, columns]
    with_ids = mixed.assign(sample_id=mixed.index).reset_index(drop=True)
    for form in (frame, mixed, with_ids, polars.DataFrame(with_ids), with_ids.to_dict("list"),
                 frame.rename(columns={bird: i for i, bird in enumerate(BIRDS)})):
        assert procsim.import_scores(names, form, classes=BIRDS).table.equals(wanted)
    by_file = procsim.import_scores(label_file, mixed.set_axis(mixed.index + 100)).table
    assert by_file["suspicion"].equals(wanted["suspicion"])
    text = [f"image{i}" for i in range(320)]
    labelled = pandas.DataFrame({"label": names}, index=text)
    assert procsim.import_scores(labelled, frame.set_axis(text), classes=BIRDS).table.equals(wanted)
    half = torch.from_numpy(beliefs).to(torch.bfloat16)
    assert procsim.import_scores(names, half / half.sum(1, keepdim=True), classes=BIRDS)["label"].to_pylist() == \
        birds[0].tolist()


@pytest.mark.parametrize("change, message", [
    (lambda f: f.rename(columns={"crow": "rook"}), r"no column for class 2 \('crow'\)"),
    (lambda f: f.assign(rook=0.0), "column 'rook' is none of the 8 classes"),
    (lambda f: f.iloc[20:], "pred_probs lack 20 of the 320 samples of the labels, the first is sample 0"),
    (lambda f: f.set_axis([f"image{i}" for i in range(320)]), "index and that of pred_probs differ"),
    (lambda f: f.assign(sample_id=[None] + [1] * 319), "sample_id must hold integers"),
    (lambda f: f.assign(crow="much"), "column 'crow' is"),
    (lambda f: "nowhere.npy", "nowhere.npy does not exist"),
    (lambda f: [["a"] * 8], "pred_probs: could not convert"),
])
def test_wrong_names_of_probabilities_are_refused(change, message, birds, beliefs):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(beliefs, columns=BIRDS)
    with pytest.raises(procsim.Error, match=message):
        procsim.import_scores([BIRDS[label] for label in birds[0]], change(frame), classes=BIRDS)


def test_missing_files_and_ids_are_named(birds, tmp_path):
    with pytest.raises(procsim.Error, match="no.parquet does not exist"):
        procsim.Scores.read(tmp_path / "no.parquet")
    with pytest.raises(procsim.Error, match="no.npy does not exist"):
        procsim.score(birds[0], tmp_path / "no.npy")
    with pytest.raises(procsim.Error, match="decisions: the column sample_id must hold integers"):
        procsim.apply(birds[0], {"sample_id": [1, None], "verdict": ["keep", "keep"]})
    torch = pytest.importorskip("torch")
    assert len(procsim.score(birds[0], torch.from_numpy(birds[2]).to(torch.bfloat16))) == 320


def test_progress_is_told_and_may_stop_the_work(birds):
    seen = []
    procsim.score(birds[0], birds[2], progress=lambda done, total: seen.append((done, total)))
    assert seen and seen[-1][0] == seen[-1][1]

    def stop(done, total):
        raise RuntimeError("enough")
    big = np.tile(birds[2], (20, 1)) + np.random.default_rng(3).normal(size=(6400, 16)).astype(np.float32)
    with pytest.raises(RuntimeError, match="enough"):
        procsim.score(np.tile(birds[0], 20), big, rounds=20, progress=stop)


SCORE_FOR_LONG = """
import numpy, procsim, sys
random = numpy.random.default_rng(1)
labels = random.integers(0, 50, 20000)
print("begin", flush=True)
try:
    procsim.score(labels, random.normal(size=(20000, 64)).astype(numpy.float32), rounds=100,
                  progress=lambda done, total: print("works", flush=True))
except KeyboardInterrupt:
    sys.exit(42)
"""


def test_ctrl_c_ends_it():
    process = subprocess.Popen([sys.executable, "-c", SCORE_FOR_LONG], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begin\n"
    assert process.stdout.readline() == "works\n"
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=120) == 42


def test_other_threads_go_on_meanwhile(birds):
    counted = threading.Event()
    thread = threading.Thread(target=counted.set)
    began = []

    def progress(done, total):
        if not began:
            began.append(thread.start())
    procsim.score(np.tile(birds[0], 10), np.tile(birds[2], (10, 1)), progress=progress)
    assert began and counted.wait(60)
