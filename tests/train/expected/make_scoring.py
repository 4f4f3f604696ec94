#!/usr/bin/env python3
"""Values for scoring_*_test.cpp, computed with NumPy from the definitions: angles by the inverse of the covariance
instead of a whitening, the noise matrix by enumerating where a lost label can go.

    tests/train/expected/make_scoring.py > tests/train/expected/scoring.json
"""
import json

import numpy as np

random = np.random.default_rng(7)


def discriminant():
    classes, dimension, count, shrinkage = 4, 5, 40, 0.3
    rows = random.normal(size=(count, dimension)).astype(np.float32)
    share = random.random((count, classes))
    share[:, 3] = 0  # a class that nothing is known of
    share /= share.sum(1, keepdims=True)
    weight = share.sum(0)
    means = np.array([(share[:, c, None] * rows).sum(0) / weight[c] for c in range(3)])
    within = sum(
        share[i, c] * np.outer(rows[i] - means[c], rows[i] - means[c]) for i in range(count) for c in range(3)) / count
    level = np.trace(within) / dimension
    inverse = np.linalg.inv((1 - shrinkage) * within / level + shrinkage * np.eye(dimension))
    probes = random.normal(size=(6, dimension)).astype(np.float32)
    centre = means.mean(0)
    cosines = [[
        float(p @ inverse @ m / np.sqrt((p @ inverse @ p) * (m @ inverse @ m))) for m in means - centre
    ] for p in probes - centre]
    return {"rows": rows.tolist(), "share": share.tolist(), "shrinkage": shrinkage, "probes": probes.tolist(),
            "cosines": cosines}


def beliefs():
    # Six classes: ((0 1) (2 3 4)) 5
    families = {0: [[0, 1], [0, 1, 2, 3, 4], list(range(6))], 1: [[0, 1], [0, 1, 2, 3, 4], list(range(6))],
                2: [[2, 3, 4], [0, 1, 2, 3, 4], list(range(6))], 3: [[2, 3, 4], [0, 1, 2, 3, 4], list(range(6))],
                4: [[2, 3, 4], [0, 1, 2, 3, 4], list(range(6))], 5: [list(range(6))] * 3}
    share = [0.5, 0.3, 0.2]
    rate = [0.1, 0.2, 0.3, 0.15, 0.25, 0.05]
    matrix = np.zeros((6, 6))
    for c in range(6):
        for step, members in enumerate(families[c]):
            others = [m for m in members if m != c]
            for other in others:
                matrix[c, other] += rate[c] * share[step] / len(others)
        matrix[c, c] = 1 - rate[c]
    scores = random.normal(size=(3, 6)) * 0.2
    given, scale = [1, 4, 5], 6.0
    softmax = np.exp(scale * scores)
    softmax /= softmax.sum(1, keepdims=True)
    believed = np.array([softmax[i] * matrix[:, given[i]] for i in range(3)])
    evidence = believed.sum(1)
    prior = [0.2, 3.1, 0.4, 1.3, 0.5, 0.5]
    sized = softmax * prior
    sized /= sized.sum(1, keepdims=True)
    sized_beliefs = np.array([sized[i] * matrix[:, given[i]] for i in range(3)])
    return {"share": share, "rate": rate, "matrix": matrix.tolist(), "scores": scores.tolist(), "given": given,
            "scale": scale, "softmax": softmax.tolist(), "beliefs": (believed / evidence[:, None]).tolist(),
            "evidence": evidence.tolist(), "prior": prior, "sized": sized.tolist(),
            "sized_beliefs": (sized_beliefs / sized_beliefs.sum(1, keepdims=True)).tolist()}


print(json.dumps({"discriminant": discriminant(), "beliefs": beliefs()}, indent=1))
