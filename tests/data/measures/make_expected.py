"""Writes expected.json: values of scikit-learn, SciPy and statsmodels that the tests compare ours with.

    pip install scikit-learn scipy statsmodels && python tests/data/measures/make_expected.py
"""
import json
import pathlib

import numpy as np
from scipy import stats
from sklearn import metrics
from sklearn.calibration import calibration_curve
from statsmodels.stats.proportion import proportion_confint

rng = np.random.default_rng(7)
out = {}

cases = []
for n, share, digits in [(60, 0.3, 6), (200, 0.1, 1), (50, 0.5, 0)]:
    wrong = (rng.random(n) < share).astype(int)
    scores = np.round(rng.normal(size=n) + wrong * 1.2, digits)
    probabilities = np.round(1 / (1 + np.exp(-scores)), 4)
    observed, predicted = calibration_curve(wrong, probabilities, n_bins=10)
    cases.append({
        "scores": scores.tolist(), "wrong": wrong.tolist(), "probabilities": probabilities.tolist(),
        "auroc": metrics.roc_auc_score(wrong, scores),
        "average_precision": metrics.average_precision_score(wrong, scores),
        "brier": metrics.brier_score_loss(wrong, probabilities),
        "reliability_observed": observed.tolist(), "reliability_predicted": predicted.tolist(),
    })
out["detection"] = cases

# DeLong by its definition: every pair of a wrong and a right label, compared one by one.
wrong = (rng.random(80) < 0.35)
first = np.round(rng.normal(size=80) + wrong * 0.8, 2)
second = np.round(0.6 * first + rng.normal(size=80) * 0.8 + wrong * 0.7, 2)
components = []
for scores in (first, second):
    compare = (scores[wrong][:, None] > scores[~wrong]) + 0.5 * (scores[wrong][:, None] == scores[~wrong])
    components.append((compare.mean(axis=1), compare.mean(axis=0)))
covariance = sum(np.cov(components[0][i], components[1][i]) / len(components[0][i]) for i in (0, 1))
deviation = np.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
areas = [metrics.roc_auc_score(wrong, s) for s in (first, second)]
difference = areas[1] - areas[0]
out["delong"] = {
    "first": first.tolist(), "second": second.tolist(), "wrong": wrong.astype(int).tolist(), "areas": areas,
    "deviation": deviation, "p_value": 2 * stats.norm.sf(abs(difference) / deviation),
    "low": difference - stats.norm.ppf(0.975) * deviation, "high": difference + stats.norm.ppf(0.975) * deviation,
    "spearman": stats.spearmanr(first, second).statistic,
}

out["wilson"] = [{"successes": k, "trials": n, "interval": list(proportion_confint(k, n, method="wilson"))}
                 for k, n in [(0, 10), (3, 40), (17, 30), (30, 30)]]

pathlib.Path(__file__).with_name("expected.json").write_text(json.dumps(out) + "\n")
