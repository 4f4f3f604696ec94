"""Arguments that cannot be meant: a procsim.UsageError that names them."""
import numpy as np
import pytest

import procsim

LABELS = ["a", "b"] * 20
ROWS = np.random.default_rng(1).normal(size=(40, 4)).astype(np.float32)


@pytest.mark.parametrize("words", [{"folds": 1}, {"folds": "5"}, {"folds": None}, {"rounds": 1.5}, {"rounds": True},
                                   {"seed": -1}, {"seed": 2**64}, {"threads": -1}])
def test_of_score(words):
    with pytest.raises(procsim.UsageError, match=f"^{next(iter(words))}="):
        procsim.score(LABELS, ROWS, **words)


@pytest.mark.parametrize("words", [{"uniform": "much"}, {"uniform": float("nan")}, {"uniform": 1.2}, {"uniform": -0.1},
                                   {"uniform": 0.1, "seed": 0.5}, {"uniform": 0.1, "min_per_class": -1},
                                   {"superclass": 0.1, "level": 0}, {"uniform": 0.1, "temperature": "hot"}])
def test_of_inject(words):
    with pytest.raises(procsim.UsageError, match=f"^{list(words)[-1]}="):
        procsim.inject(LABELS, **words)
    with pytest.raises(procsim.UsageError, match="^class_rates: a="):
        procsim.inject(LABELS, uniform=0.2, class_rates={"a": 2})


def test_of_the_others():
    scores = procsim.score(LABELS, ROWS, seed=np.int64(3))
    with pytest.raises(procsim.UsageError, match="^top=0"):
        procsim.report(scores, top=0)
    with pytest.raises(procsim.UsageError, match="^auto=1.5"):
        procsim.apply(LABELS, scores=scores, auto=1.5)
    with pytest.raises(procsim.UsageError, match="^min_agreement=0"):
        procsim.apply(LABELS, {"sample_id": [0], "verdict": ["keep"]}, min_agreement=0)
    with pytest.raises(procsim.UsageError, match="^rivals=0"):
        procsim.import_scores(LABELS, np.full((40, 2), 0.5), rivals=0)
    with pytest.raises(procsim.UsageError, match="^progress: "):
        procsim.score(LABELS, ROWS, progress=3)
    with pytest.raises(procsim.UsageError, match="^taxonomy: "):
        procsim.score(LABELS, ROWS, taxonomy=3)


@pytest.mark.parametrize("value, message", [(float("nan"), "nan"), (float("inf"), "inf"), (-0.5, "-0.5"), (2.0, "2")])
def test_beliefs_that_are_no_probabilities(value, message):
    beliefs = np.full((40, 2), 0.5)
    beliefs[7, 1] = value
    with pytest.raises(procsim.Error, match=message):
        procsim.import_scores(LABELS, beliefs)


@pytest.mark.parametrize("rows", [ROWS.astype(complex), ROWS.astype(bool), ROWS.astype(object), np.empty((0, 4), np.float32),
                                  np.empty((40, 0), np.float32), ROWS[:, 0], None, 7,
                                  {"embedding": [[1.0]] * 40, "other": [[1.0]] * 40, "third": 0},
                                  [[1.0, 2.0], [1.0]]])
def test_embeddings_that_are_none(rows):
    with pytest.raises(procsim.Error):
        procsim.score(LABELS, rows)


@pytest.mark.parametrize("labels", [None, 7, object(), [[1, 2], [3]], [1, "a"], np.array([1 + 2j]), [b"a", b"b"], {"label": []},
                                    {"label": [1, 2], "sample_id": [1]}, np.array(["2026-01-01"], "datetime64[s]")])
def test_labels_that_are_none(labels):
    with pytest.raises(procsim.Error):
        procsim.labels(labels)
