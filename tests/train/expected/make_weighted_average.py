#!/usr/bin/env python3
"""Weighted averages of losses, over all samples and over the trust that contributes: the definition in NumPy.

    python make_weighted_average.py > weighted_average.json
"""
import json

import numpy as np

batches = [
    ([0.7, 0.0, 1.3, 2.1, 0.4, 0.9], [1.0, 1.0, 0.25, 0.6, 1.0, 0.05]),  # one sample has nothing to say
    ([0.5, 0.2, 0.1, 0.3], [0.1, 0.2, 0.0, 0.05]),  # little trust in all: never divided by less than one sample
    ([1.0, 2.0, 3.0], [1.0, 1.0, 1.0]),  # full trust: the plain mean
]
rows = []
for losses, weights in batches:
    losses, weights = np.array(losses), np.array(weights)
    total = float(np.dot(losses, weights))
    contributing = max(1.0, float(weights[losses != 0].sum()))
    rows.append({"losses": losses.tolist(), "weights": weights.tolist(), "count": len(losses), "contributing": contributing,
                 "samples": total / len(losses), "trust": total / contributing})
print(json.dumps(rows, indent=1))
