#!/usr/bin/env python3
"""Expected values of the losses, computed in float64 NumPy straight from the formulas (docs/paper-map.md), pair by pair
in plain loops. Nothing of the C++ is involved.

    python make_losses.py > losses.json
"""
import json

import numpy as np


def lambert_w(x):
    """Principal branch by Halley's iteration from a series or logarithm start."""
    w = np.log1p(x) if x > -0.25 else -1 + np.sqrt(2 * (np.e * x + 1))
    for _ in range(100):
        e = np.exp(w)
        f = w * e - x
        step = f / (e * (w + 1) - (w + 2) * f / (2 * w + 2)) if w != -1 else 0.0
        w -= step
        if abs(step) < 1e-16:
            break
    return w


def multi_similarity(x, y, alpha, beta, delta, epsilon, mining, weights=None):
    n = len(y)
    s = x @ x.T
    out = []
    for i in range(n):
        trusted = [j for j in range(n) if weights is None or weights[j] > 0.5]
        pos = [j for j in trusted if j != i and y[j] == y[i]]
        neg = [j for j in trusted if y[j] != y[i]]
        if mining:
            hardest_neg = max((s[i, j] for j in neg), default=-np.inf)
            hardest_pos = min((s[i, j] for j in pos), default=np.inf)
            pos = [j for j in pos if s[i, j] - epsilon < hardest_neg]
            neg = [j for j in neg if s[i, j] + epsilon > hardest_pos]
        if not pos or not neg:
            out.append(0.0)
            continue
        w = np.ones(n) if weights is None else weights
        p = sum(w[j] * np.exp(-alpha * (s[i, j] - delta)) for j in pos)
        q = sum(w[j] * np.exp(beta * (s[i, j] - delta)) for j in neg)
        out.append(np.log(1 + p) / alpha + np.log(1 + q) / beta)
    return out


def proxy_nca(x, y, proxies, scale):
    p = proxies / np.linalg.norm(proxies, axis=1, keepdims=True)
    out = []
    for i in range(len(y)):
        d = ((x[i] - p) ** 2).sum(1)
        out.append(-np.log(np.exp(-scale * d[y[i]]) / np.exp(-scale * d).sum()))
    return out


def contrastive_pairs(x, y):
    n = len(y)
    terms = {}
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            d = np.linalg.norm(x[i] - x[j])
            same = bool(y[i] == y[j])
            terms[i, j] = (same, max(d, 0.0) if same else max(1 - d, 0.0))
    return terms


def per_anchor(n, terms):
    """Values whose mean is mean(positive terms > 0) + mean(negative terms > 0)."""
    out = np.zeros(n)
    for sign in (True, False):
        count = max(1, sum(1 for same, value in terms.values() if same == sign and value > 0))
        for (i, _), (same, value) in terms.items():
            if same == sign:
                out[i] += value * n / count
    return out.tolist()


def super_loss(batches, lam, rate):
    tau = {}
    out = []
    for x, y in batches:
        terms = contrastive_pairs(x, y)
        weighted = {}
        for sign in (True, False):
            mean = np.mean([v for same, v in terms.values() if same == sign])
            tau[sign] = mean if sign not in tau else tau[sign] + rate * (mean - tau[sign])
        for pair, (same, value) in terms.items():
            sigma = np.exp(-lambert_w(max(-1.9999998 / np.e, (value - tau[same]) / lam) / 2))
            weighted[pair] = (same, value * sigma)
        out.append(per_anchor(len(y), weighted))
    return out


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def main():
    rng = np.random.default_rng(20240131)
    n, d, classes = 12, 6, 4
    y = np.repeat(np.arange(classes), n // classes)
    centres = rng.normal(size=(classes, d))
    x = unit(centres[y] + 0.8 * rng.normal(size=(n, d)))
    x2 = unit(centres[y] + 0.9 * rng.normal(size=(n, d)))
    proxies = rng.normal(size=(classes, d)) * 3
    weights = np.round(rng.uniform(0.2, 1, size=n), 3)
    options = dict(alpha=2.0, beta=40.0, delta=0.5, epsilon=0.1)
    result = {
        "embeddings": x.tolist(),
        "embeddings_second": x2.tolist(),
        "labels": y.tolist(),
        "proxies": proxies.tolist(),
        "partner_confidence": weights.tolist(),
        "multi_similarity": {
            "mined": multi_similarity(x, y, mining=True, **options),
            "all_pairs": multi_similarity(x, y, mining=False, **options),
            "mined_pair_scope": multi_similarity(x, y, mining=True, weights=weights, **options),
        },
        "proxy_nca": {"scale_1": proxy_nca(x, y, proxies, 1.0), "scale_6": proxy_nca(x, y, proxies, 6.0)},
        "contrastive": per_anchor(n, contrastive_pairs(x, y)),
        "super_loss": {"lambda": 0.25, "rate": 0.1, "batches": super_loss([(x, y), (x2, y)], 0.25, 0.1)},
    }
    print(json.dumps(result, indent=1))


main()
