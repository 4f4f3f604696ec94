#!/usr/bin/env python3
"""Expected retrieval, clustering and detection metrics from scikit-learn and pytorch-metric-learning. Run once in an
environment with numpy, scikit-learn, torch and pytorch-metric-learning:

    python make_metrics.py > metrics.json
"""
import json

import numpy as np
import torch
from pytorch_metric_learning.distances import CosineSimilarity
from pytorch_metric_learning.utils.accuracy_calculator import AccuracyCalculator
from pytorch_metric_learning.utils.inference import CustomKNN
from sklearn.metrics import average_precision_score, normalized_mutual_info_score, roc_auc_score
from sklearn.neighbors import NearestNeighbors


def main():
    rng = np.random.default_rng(11)
    sizes = [2, 3, 5, 8, 13, 9, 4, 6]
    y = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    centres = rng.normal(size=(len(sizes), 8))
    x = centres[y] + 1.3 * rng.normal(size=(len(y), 8))
    x = (x / np.linalg.norm(x, axis=1, keepdims=True)).astype(np.float32)

    order = NearestNeighbors(n_neighbors=len(y), metric="cosine", algorithm="brute").fit(x.astype(np.float64)).kneighbors(
        x.astype(np.float64), return_distance=False)
    order = np.array([[j for j in row if j != i] for i, row in enumerate(order)])
    hits = y[order] == y[:, None]
    recall = {str(k): float(hits[:, :k].any(1).mean()) for k in (1, 2, 4, 8)}

    calculator = AccuracyCalculator(include=("r_precision", "mean_average_precision_at_r", "precision_at_1"), k="max_bin_count",
                                    device=torch.device("cpu"), knn_func=CustomKNN(CosineSimilarity()))
    pml = calculator.get_accuracy(torch.tensor(x), torch.tensor(y))
    assert abs(pml["precision_at_1"] - recall["1"]) < 1e-9

    a = rng.integers(0, 6, 200)
    b = np.where(rng.random(200) < 0.6, a, rng.integers(0, 9, 200))
    wrong = (rng.random(150) < 0.3).astype(int)
    suspicion = np.round(rng.normal(size=150) + wrong, 1)  # rounded: many ties
    print(json.dumps({
        "embeddings": x.tolist(), "labels": y.tolist(), "recall": recall,
        "r_precision": pml["r_precision"], "map_at_r": pml["mean_average_precision_at_r"],
        "nmi": {"a": a.tolist(), "b": b.tolist(), "value": normalized_mutual_info_score(a, b)},
        "detection": {"wrong": wrong.tolist(), "suspicion": suspicion.tolist(),
                      "auroc": roc_auc_score(wrong, suspicion),
                      "average_precision": average_precision_score(wrong, suspicion)}}, indent=1))


main()
