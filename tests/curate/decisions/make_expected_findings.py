"""Writes expected_findings.json: what an audit says when each card is judged by a calibration that has not seen it, with NumPy.

    pip install numpy && python tests/curate/decisions/make_expected_findings.py
"""
import json
import pathlib

import numpy as np

rng = np.random.default_rng(19)
n, strata, parts, z = 500, 8, 5, 1.6448536269514722
sure = np.log(0.995 / 0.005)  # log odds beyond it say no more
p = np.round(rng.beta(0.5, 2.0, n), 4).astype(np.float32).astype(float)
label = rng.integers(0, 6, n)
suggested = (label + rng.integers(1, 6, n)) % 6
pair = label * 6 + suggested
wrong = rng.random(n) < np.clip(1.6 * p + 0.2 * (pair % 3 == 0), 0, 1)  # some pairs are worse than they seem


def logit(value):
    value = np.clip(value, 1e-6, 1 - 1e-6)
    return np.log(value / (1 - value))


def fitted(rows):
    """The maximum of the posterior, all of its parameters together: slope ~ N(1, 1/4), shift and offsets ~ N(0, 1)."""
    pairs = np.unique(pair[rows])
    design = np.column_stack([np.clip(logit(p[rows]), -sure, sure), np.ones(len(rows))] + [(pair[rows] == one).astype(float) for one in pairs])
    prior, precision = np.zeros(2 + len(pairs)), np.ones(2 + len(pairs))
    prior[0], precision[0] = 1, 4
    at = prior.copy()
    for _ in range(200):
        q = 1 / (1 + np.exp(-design @ at))
        gradient = design.T @ (wrong[rows] - q) - precision * (at - prior)
        hessian = (design * (q * (1 - q))[:, None]).T @ design + np.diag(precision)
        step = np.linalg.solve(hessian, gradient)
        at = at + step * min(1, 1 / np.abs(step).max())
        if np.abs(step).max() < 1e-12:
            break
    assert at[0] > 0.05
    offsets = np.zeros(36)
    offsets[pairs] = at[2:]
    return 1 / (1 + np.exp(-(logit(p) + (at[0] - 1) * np.clip(logit(p), -sure, sure) + at[1] + offsets[pair])))


order = np.lexsort((-np.arange(n), p))
deviation = np.sqrt(np.clip(p, 0.02, 0.98) * (1 - np.clip(p, 0.02, 0.98)))
middle = (np.cumsum(deviation[order]) - deviation[order] / 2) / deviation.sum()
stratum = np.empty(n, int)
stratum[order] = np.minimum((middle * strata).astype(int), strata - 1)

cards = np.sort(np.concatenate([rng.permutation(np.where(stratum == h)[0])[:8] for h in range(strata)]))
# Also judged as suspects, none of them at the top of its pair's ranking: nothing counts as reviewed from the top.
ranked = np.lexsort((np.arange(n), -p))
later = [rows[6] for rows in (ranked[pair[ranked] == one] for one in np.unique(pair)) if len(rows) > 8]
suspects = np.setdiff1d(later, cards)
for one in np.unique(pair):
    judged = np.isin(ranked[pair[ranked] == one], np.union1d(cards, suspects))
    assert not (np.cumsum(judged) >= 0.9 * np.arange(1, len(judged) + 1))[6:].any()

part = np.arange(len(cards)) % parts  # in the order of sample ids
expected, model = np.zeros(len(cards)), np.zeros(n)
calibrations = [fitted(np.concatenate([cards[part != k], suspects])) for k in range(parts)]
for k in range(parts):
    expected[part == k] = calibrations[k][cards[part == k]]
    for h in range(strata):
        of_stratum = stratum[cards] == h
        model[stratum == h] += calibrations[k][stratum == h] * (part[of_stratum] == k).mean()

rest = np.setdiff1d(np.arange(n), suspects)
total, variance = 0.0, 0.0
for h in range(strata):
    rows, mine = rest[stratum[rest] == h], np.where(stratum[cards] == h)[0]
    error = wrong[cards[mine]] - expected[mine]
    total += model[rows].sum() + len(rows) * error.mean()
    spread = ((error ** 2).sum() + (model[rows] * (1 - model[rows])).mean()) / (len(mine) + 1) * len(mine) / (len(mine) - 1)
    variance += len(rows) ** 2 * (1 - len(mine) / len(rows)) * spread / len(mine)
q = total / len(rest)
worth = q * (1 - q) * len(rest) ** 2 / variance
centre = (q + z * z / 2 / worth) / (1 + z * z / worth)
half = z * np.sqrt(q * (1 - q) / worth + z * z / 4 / worth ** 2) / (1 + z * z / worth)
known = wrong[suspects].sum()
result = {"p": p.tolist(), "label": label.tolist(), "suggested": suggested.tolist(), "wrong": wrong.astype(int).tolist(),
          "cards": cards.tolist(), "suspects": suspects.tolist(),
          "audit": [float(known + total), float(known + len(rest) * (centre - half)), float(known + len(rest) * (centre + half))]}
pathlib.Path(__file__).with_name("expected_findings.json").write_text(json.dumps(result) + "\n")
