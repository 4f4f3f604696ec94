#!/usr/bin/env python3
"""Recall@1/10/100/1000 and mAP@R against pytorch-metric-learning's AccuracyCalculator, whose neighbours FAISS finds.

    bench/retrieval.py [--rows 60502] [--dimension 512] [--per-class 5] [--rounds 3]

Random clusters of the shape of Stanford Online Products, seed 0. Both sides in turns, on as many threads; Recall@K beyond mAP@R is
counted for the peer from one more FAISS search, since its calculator knows K = 1 alone. The note has peak memory, and by how much the
values differ.
"""
import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from bench_environment import enter_environment
from bench_row import add_options, finish, in_turns, run_json

DEEPEST = 1000


def peer(folder, rows, dimension):
    import faiss
    import numpy as np
    import torch
    from pytorch_metric_learning.utils.accuracy_calculator import AccuracyCalculator
    from pytorch_metric_learning.utils.inference import FaissKNN

    embeddings = np.fromfile(folder / "embeddings", np.float32).reshape(rows, dimension)
    labels = np.fromfile(folder / "labels", np.int64)
    calculator = AccuracyCalculator(include=("precision_at_1", "mean_average_precision_at_r"), k="max_bin_count",
                                    knn_func=FaissKNN(index_init_fn=faiss.IndexFlatIP), device=torch.device("cpu"))
    begin = time.perf_counter()
    found = calculator.get_accuracy(torch.from_numpy(embeddings), torch.from_numpy(labels))
    index = faiss.IndexFlatIP(dimension)
    index.add(embeddings)
    nearest = index.search(embeddings, DEEPEST + 1)[1]
    itself = nearest == np.arange(rows)[:, None]
    itself[~itself.any(1), -1] = True
    hits = labels[nearest[~itself].reshape(rows, DEEPEST)] == labels[:, None]
    values = {f"recall@{k}": float(hits[:, :k].any(1).mean()) for k in (10, 100, 1000)}
    seconds = time.perf_counter() - begin
    print(json.dumps({"seconds": seconds, "recall@1": found["precision_at_1"], **values,
                      "map@r": found["mean_average_precision_at_r"]}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=60502)
    parser.add_argument("--dimension", type=int, default=512)
    parser.add_argument("--per-class", type=int, default=5)
    parser.add_argument("--peer", type=Path, help=argparse.SUPPRESS)
    add_options(parser, rounds=3)
    options = parser.parse_args()
    if options.peer:
        return peer(options.peer, options.rows, options.dimension)
    if options.quick:
        options.rows = min(options.rows, 2000)

    import numpy as np

    random = np.random.default_rng(0)
    labels = np.arange(options.rows) // options.per_class
    centres = random.standard_normal((labels[-1] + 1, options.dimension), np.float32)
    embeddings = centres[labels] + 3 * random.standard_normal((options.rows, options.dimension), np.float32)
    embeddings /= np.linalg.norm(embeddings, axis=1, keepdims=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        embeddings.astype(np.float32).tofile(folder / "embeddings")
        labels.astype(np.int64).tofile(folder / "labels")
        shape = [str(options.rows), str(options.dimension)]
        ours = [options.bin / "retrieval_benchmark", folder / "embeddings", folder / "labels", *shape]
        theirs = [sys.executable, __file__, "--peer", folder, "--rows", shape[0], "--dimension", shape[1]]
        mine, peers = in_turns(options.rounds, lambda: run_json(ours), lambda: run_json(theirs))
    difference = max(abs(a[key] - b[key]) for a, b in zip(mine, peers) for key in a if "@" in key)
    finish(options, "evaluation", f"Recall@1/10/100/1000 + mAP@R, {options.rows:,} × {options.dimension}", [a["seconds"] for a in mine], 0.5,
           peer="pytorch-metric-learning + FAISS", theirs=[b["seconds"] for b in peers],
           note=f"peak memory {max(a['MB'] for a in mine):,} against {max(b['MB'] for b in peers):,} MB (embeddings {embeddings.nbytes >> 20} MB); "
                f"values differ by {difference:.0e} at most")


if __name__ == "__main__":
    enter_environment("requirements-bench-retrieval.txt")
    main()
