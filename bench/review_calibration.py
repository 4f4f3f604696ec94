#!/usr/bin/env python3
"""What a few decisions at the top of the queue make of the labels that nobody judged, by how sure a label may count.

    bench/review_calibration.py SCORES… [--truth truth.csv] [--sure 0.995]… [--decisions 10]… [--mistakes 0.05] [--draws 4]

Scores hold true labels, or --truth names paths and wrong (0 or 1). Of every file half the rows are drawn, the most suspect of them judged (a share of the
decisions wrongly), and the calibration of curate/evidence/calibration.hpp fitted, where labels surer than --sure count as so sure (1: no limit). Printed for
the rest: mean log loss, the labels above 0.8 (what `curate apply --auto 0.8` takes) and how many of them are wrong.
"""
import argparse
import csv

import numpy as np
import pyarrow.parquet as pq

SLOPE, SHIFT, OFFSET = 0.25, 1, 1  # variances of the prior


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def read(path, truth):
    rows = pq.read_table(path, columns=["path", "label", "suggested", "true_label", "p_mislabelled", "suspicion"]).to_pydict()
    label = np.array(rows["label"])
    if truth:
        wrong = np.array([truth[path] for path in rows["path"]])
    else:
        wrong = np.array([true is not None and true != given for true, given in zip(rows["true_label"], label)])
    p = np.clip(np.array(rows["p_mislabelled"], float), 1e-6, 1 - 1e-6)
    return np.log(p / (1 - p)), np.array(rows["suspicion"]), label * 100_000 + np.array(rows["suggested"]), wrong


def fitted(x, pair, wrong):
    pairs, at_pair = np.unique(pair, return_inverse=True)
    design = np.column_stack([x, np.ones(len(x)), np.eye(len(pairs))[at_pair]])
    prior, precision = np.zeros(2 + len(pairs)), np.full(2 + len(pairs), 1 / OFFSET)
    prior[0], precision[:2] = 1, (1 / SLOPE, 1 / SHIFT)
    at = prior.copy()
    for _ in range(60):
        q = sigmoid(design @ at)
        step = np.linalg.solve((design * (q * (1 - q))[:, None]).T @ design + np.diag(precision), design.T @ (wrong - q) - precision * (at - prior))
        at = at + step * min(1, 1 / np.abs(step).max())
        if np.abs(step).max() < 1e-8:
            break
    return max(at[0], 0.05), at[1], dict(zip(pairs, at[2:]))


def calibrated(x, pair, judged, found, limit):
    slope, shift, offsets = fitted(np.clip(x[judged], -limit, limit), pair[judged], found)
    return sigmoid(x + (slope - 1) * np.clip(x, -limit, limit) + shift + np.array([offsets.get(one, 0) for one in pair]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scores", nargs="+")
    parser.add_argument("--truth")
    parser.add_argument("--sure", type=float, action="append")
    parser.add_argument("--decisions", type=int, action="append")
    parser.add_argument("--mistakes", type=float, default=0.05)
    parser.add_argument("--draws", type=int, default=4)
    options = parser.parse_args()
    truth = {row["path"]: row["wrong"] == "1" for row in csv.DictReader(open(options.truth))} if options.truth else None
    limits = {"as scored": None} | {f"{sure:g}": 50 if sure == 1 else np.log(sure / (1 - sure)) for sure in options.sure or [1, 0.95, 0.98, 0.99, 0.995, 0.999]}
    for decisions in options.decisions or [10, 50, 200]:
        for path in options.scores:
            x, suspicion, pair, wrong = read(path, truth)
            sums = {name: np.zeros(3) for name in limits}
            for draw in range(options.draws):
                random = np.random.default_rng(draw)
                rows = random.permutation(len(x))[:len(x) // 2]
                rows = rows[np.argsort(-suspicion[rows], kind="stable")]
                judged, rest = rows[:decisions], rows[decisions:]
                found = wrong[judged] ^ (random.random(len(judged)) < options.mistakes)
                for name, limit in limits.items():
                    p = np.clip((sigmoid(x) if limit is None else calibrated(x, pair, judged, found, limit))[rest], 1e-6, 1 - 1e-6)
                    loss = -np.where(wrong[rest], np.log(p), np.log(1 - p)).mean()
                    sums[name] += [loss, (p > 0.8).sum(), (wrong[rest] & (p > 0.8)).sum()]
            cells = [f"{name}: {loss / options.draws:.4f} {taken / options.draws:.0f} ({hit / max(1, taken):.3f})" for name, (loss, taken, hit) in sums.items()]
            print(decisions, path, " | ".join(cells), flush=True)


if __name__ == "__main__":
    main()
