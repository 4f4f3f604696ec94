#!/usr/bin/env python3
"""Expected values of the guidance loss in float64 NumPy, entry by entry from the formulas (docs/paper-map.md). Nothing of
the C++ is involved.

    python make_guidance.py > guidance.json
"""
import json

import numpy as np


def cosine(a, b):
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def softmax(row):
    e = np.exp(row - row.max())
    return e / e.sum()


def main():
    rng = np.random.default_rng(20240208)
    n, d, classes, ranks, width = 10, 5, 4, 5, 7
    y = np.array([0, 0, 1, 1, 1, 2, 2, 3, 3, 3])
    x = rng.normal(size=(n, d))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    texts = rng.normal(size=(classes, ranks, width))  # lengths differ: only their direction counts
    language = np.zeros((classes, classes))
    for a in range(classes):
        for b in range(classes):
            language[a, b] = sum(cosine(texts[a, r], texts[b, r]) for r in range(ranks)) / ranks

    def losses(shift):  # shift 1: the paper; 0: the guidance on the embedding's own scale
        values = []
        for i in range(n):
            v, t = np.zeros(n), np.zeros(n)
            for j in range(n):
                same = y[i] == y[j]
                v[j] = 1 + shift if same else float(x[i] @ x[j])
                t[j] = 1 + shift if same else language[y[i], y[j]] + shift
            p, q = softmax(v), softmax(t)
            values.append(float(sum(p[j] * (np.log(p[j]) - np.log(q[j])) for j in range(n))))
        return values

    print(json.dumps({"embeddings": x.tolist(), "labels": y.tolist(), "texts": texts.reshape(classes, -1).tolist(),
                      "ranks": ranks, "width": width, "language": language.tolist(), "losses": losses(1),
                      "losses_without_shift": losses(0)}, indent=1))


main()
