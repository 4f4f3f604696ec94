#!/usr/bin/env python3
"""Scores of small classes: of every class of a data set 2 to 12 labels are kept, a share is made wrong, and `procsim-train score --embeddings` judges them.

    bench/scoring_small_classes.py --labels base.parquet --features features.parquet [--noise uniform 0.2]… [--seeds 3] [--bin DIR]

The labels are a label set in a workspace (its taxonomy is used), the features what `score --no-train --save-embeddings` wrote of it. Sizes are drawn from
2 to 12. Printed for each kind of noise: labels, true and stated rate with its interval, AUROC and average precision of `suspicion` over all labels, and AUROC within classes that have
2 or 3, 4 to 6 and 7 to 12 labels.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

SIZES = ((2, 3), (4, 6), (7, 12))


def ranked(wrong, score):
    """AUROC (ties count half) and average precision."""
    if not 0 < wrong.sum() < len(wrong):
        return float("nan"), float("nan")
    above = (score[wrong][:, None] > score[~wrong]).mean() + (score[wrong][:, None] == score[~wrong]).mean() / 2
    hits = wrong[np.argsort(-score, kind="stable")]
    return above, (np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", type=pathlib.Path, required=True)
    parser.add_argument("--features", type=pathlib.Path, required=True)
    parser.add_argument("--noise", nargs=2, action="append", metavar=("KIND", "RATE"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build/bin"))
    options = parser.parse_args()
    program = lambda name, *words: subprocess.run([str((options.bin / name).resolve()), *map(str, words)], check=True, capture_output=True, text=True,
                                                  cwd=options.labels.parent).stdout
    base = pq.read_table(options.labels)
    train = np.flatnonzero(np.array(base["split"].to_pylist()) == "train")
    label = base["label"].to_numpy()[train]
    for kind, rate in options.noise or [("uniform", "0.2"), ("semantic", "0.2"), ("none", "0")]:
        table = []
        for seed in range(1, options.seeds + 1):
            random = np.random.default_rng(seed)
            kept = np.sort(np.concatenate([random.permutation(train[label == one])[:random.integers(2, 13)] for one in np.unique(label)]))
            with tempfile.TemporaryDirectory() as folder:
                clean, noisy, scores = (f"{folder}/{name}.parquet" for name in ("clean", "noisy", "scores"))
                pq.write_table(base.take(pa.array(kept)), clean)
                if float(rate) > 0:
                    program("noise", "inject", "--labels", clean, f"--{kind}", rate, "--seed", seed, "-o", noisy, "--quiet")
                said = json.loads(program("procsim-train", "score", "--embeddings", options.features.resolve(), "--labels", noisy if float(rate) > 0 else clean,
                                          "--output", scores, "--json", "--quiet", "--threads", "1"))["noise_rate"]
                rows = pq.read_table(scores, columns=["label", "true_label", "suspicion"]).to_pydict()
            given = np.array(rows["label"])
            wrong = np.array([true is not None and true != own for true, own in zip(rows["true_label"], given)])
            score, size = np.array(rows["suspicion"]), np.bincount(given)[given]
            within = [ranked(wrong[at], score[at])[0] for at in ((size >= least) & (size <= most) for least, most in SIZES)]
            table.append([len(given), wrong.mean(), said["rate"], said["low"], said["high"], *ranked(wrong, score), *within])
        held = sum(low - 1e-9 <= true <= high + 1e-9 for _, true, _, low, high, *_ in table)
        count, true, rate_said, low, high, auroc, ap, *within = np.nanmean(table, axis=0) if float(rate) > 0 else np.mean(table, axis=0)
        print(f"{kind} {rate}: {count:.0f} labels, {100 * true:.1f} % wrong, said {100 * rate_said:.1f} ({100 * low:.1f} – {100 * high:.1f}), "
              f"holds {held} of {len(table)}; AUROC / AP {auroc:.4f} / {ap:.4f}; AUROC by class size "
              + ", ".join(f"{least}–{most}: {value:.3f}" for (least, most), value in zip(SIZES, within)), flush=True)


if __name__ == "__main__":
    main()
