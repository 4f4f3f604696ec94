import html
import json

import pyarrow as pa
import pytest

import procsim
from conftest import BIRDS, program


@pytest.fixture(scope="module")
def scores(birds):
    return procsim.score([BIRDS[label] for label in birds[0]], birds[2])


def test_the_report_is_the_program_s(label_file, tree, tmp_path):
    tree.save(tmp_path / "tree.json")
    program("procsim-train", "score", "--labels", label_file, "--embeddings", tmp_path / "embeddings.parquet",
            "--no-taxonomy", "-o", tmp_path / "scores.parquet")
    program("curate", "report", "--scores", tmp_path / "scores.parquet", "--taxonomy", tmp_path / "tree.json", "-o",
            tmp_path / "out", "--format", "html,csv,json,md", "--no-images")
    report = procsim.report(tmp_path / "scores.parquet", taxonomy=tree)
    assert report.html == (tmp_path / "out/report.html").read_text()
    assert report.csv == (tmp_path / "out/suspects.csv").read_text()
    assert json.loads(report.json) == json.loads((tmp_path / "out/suspects.json").read_text())
    assert report.markdown == (tmp_path / "out/report.md").read_text()


def test_shows_itself_in_a_notebook_and_is_saved(scores, tmp_path):
    report = procsim.report(scores, path=tmp_path / "page.html", top=20)
    shown = report._repr_html_()
    assert shown.startswith("<iframe") and html.escape(report.html) in shown
    assert (tmp_path / "page.html").read_text() == report.html
    assert report.summary["samples"] == 320
    assert report.save(tmp_path / "folder").name == "report.html" and (tmp_path / "folder/suspects.csv").exists()


def test_images_are_shown(label_file, tmp_path):
    image = pytest.importorskip("PIL.Image")
    for i in range(320):
        image.new("RGB", (8, 8), (i % 256, 90, 90)).save(tmp_path / f"{i}.jpg")
    scores = procsim.score(label_file, tmp_path / "embeddings.parquet")
    with_images = procsim.report(scores, images=tmp_path, top=5)
    assert len(with_images.html) > len(procsim.report(scores, top=5).html) and with_images.note == ""
    with pytest.raises(procsim.Error, match="nowhere"):
        procsim.report(scores, images=tmp_path / "nowhere")


def test_what_is_no_scores_is_refused():
    with pytest.raises(procsim.Error, match="these are no scores"):
        procsim.report(pa.table({"a": [1]}))


def test_decisions_are_folded_in(tmp_path):
    labels = procsim.labels({"sample_id": [1, 2, 3, 4], "label": ["crow", "gull", "crow", "gull"]}, dataset="d")
    decided = {"sample_id": [1, 2, 3], "verdict": ["relabel", "keep", "none"], "label": ["gull", None, None]}
    after = procsim.apply(labels, decided)
    assert after["sample_id"].to_pylist() == [1, 2, 4] and after.label_names == ["gull"] * 3
    assert (after.counts["relabelled"], after.counts["confirmed"], after.counts["left_out"]) == (1, 1, 1)
    kept = procsim.apply(labels, decided, unresolved="unlabel")
    assert kept["label"].to_pylist() == [1, 1, -1, 1]
    two = {"sample_id": [1, 1], "reviewer": ["a", "b"], "verdict": ["relabel", "keep"], "label": ["gull", None]}
    assert procsim.apply(labels, two, min_agreement=2).label_names[0] == "crow"


def test_sure_errors_are_mended_without_reviewers(scores, birds):
    labels, truth, _ = birds
    given = procsim.labels([BIRDS[label] for label in labels])
    after = procsim.apply(given, scores=scores, auto=0.9)
    assert after.counts["automatic"] > 20
    assert sum(a != b for a, b in zip(after.label_names, (BIRDS[t] for t in truth))) < 10


@pytest.mark.parametrize("words, message", [
    ({}, "give decisions"),
    ({"auto": 0.9}, "needs scores"),
    ({"decisions": {"sample_id": [0]}}, "no column 'verdict'"),
    ({"decisions": {"sample_id": [0], "verdict": ["kepe"]}}, "kepe"),
    ({"decisions": {"sample_id": [0], "verdict": ["relabel"]}}, "names no class"),
    ({"decisions": {"sample_id": [0], "verdict": ["keep"]}, "unresolved": "x"}, "drop, unlabel, class"),
])
def test_what_cannot_be_applied_is_said(words, message):
    with pytest.raises(procsim.Error, match=message):
        procsim.apply(["a", "b"], **words)
