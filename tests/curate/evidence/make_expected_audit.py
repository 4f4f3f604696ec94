"""Writes expected_audit.json: strata, and what an audit says, worked out with NumPy from the definitions in docs/curate.md.

    pip install numpy && python tests/curate/evidence/make_expected_audit.py
"""
import json
import pathlib

import numpy as np

rng = np.random.default_rng(11)
n, strata, z = 400, 8, 1.6448536269514722
p = np.round(rng.beta(0.4, 2.0, n), 4)
p[rng.permutation(n)[:20]] += 1e-5  # fewer ties
wrong = rng.random(n) < np.clip(2.5 * p, 0, 1)
model = np.clip(2 * p, 0.01, 0.97)

# Strata: cut where the cumulated deviation passes a multiple of an eighth, each sample counted with its own middle.
order = np.lexsort((-np.arange(n), p))  # least suspect first; of equal ones the later id first, as the ranking reversed
deviation = np.sqrt(np.clip(p, 0.02, 0.98) * (1 - np.clip(p, 0.02, 0.98)))
middle = (np.cumsum(deviation[order]) - deviation[order] / 2) / deviation.sum()
stratum = np.empty(n, int)
stratum[order] = np.minimum((middle * strata).astype(int), strata - 1)


def estimate(audited, reviewed):
    known = [i for i in reviewed]
    rest = np.setdiff1d(np.arange(n), reviewed)
    total = sum(wrong[i] for i in known)
    share_sum, variance = 0.0, 0.0
    for h in range(strata):
        rows = rest[stratum[rest] == h]
        if not len(rows):
            continue
        cards = np.array([i for i in audited if i in set(rows.tolist())], int)
        e = wrong[cards] - model[cards]
        share_sum += model[rows].sum() + (len(rows) * e.mean() if len(cards) else 0)
        spread = ((e ** 2).sum() + (model[rows] * (1 - model[rows])).mean()) / (len(cards) + 1)
        if len(cards) > 1:
            spread *= len(cards) / (len(cards) - 1)
        variance += len(rows) ** 2 * (1 - len(cards) / len(rows)) * spread / max(1, len(cards))
    q = share_sum / len(rest)
    worth = q * (1 - q) * len(rest) ** 2 / variance
    centre = (q + z * z / 2 / worth) / (1 + z * z / worth)
    half = z * np.sqrt(q * (1 - q) / worth + z * z / 4 / worth ** 2) / (1 + z * z / worth)
    return [float(total + share_sum), float(total + len(rest) * (centre - half)), float(total + len(rest) * (centre + half))]


cards = np.concatenate([rng.permutation(np.where(stratum == h)[0])[:6] for h in range(strata)])
top = order[::-1][:60]  # reviewed from the top, as far as the last that was judged as a suspect
while top[-1] in cards:
    top = top[:-1]
expected = {"p": p.tolist(), "wrong": wrong.astype(int).tolist(), "model": model.tolist(), "stratum": stratum.tolist(),
            "cards": cards.tolist(), "top": top.tolist(),
            "audit_alone": estimate(cards, []), "after_review": estimate(cards, top)}
pathlib.Path(__file__).with_name("expected_audit.json").write_text(json.dumps(expected) + "\n")
