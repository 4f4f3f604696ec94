#!/usr/bin/env python3
"""Would other judges beside the discriminants rank wrong labels better? Cosine proxies and neighbours, cross-fitted, alone and by the plain mean of ranks.

    bench/judge_panel.py --features features.parquet [--truth truth.csv] SCORES…

Features as `procsim-train score --no-train --save-embeddings` writes them; scores of label sets of the same images by the same features (`score --embeddings`).
They hold true labels, or --truth names paths and wrong (0 or 1). Features: square roots where none is negative, centred, unit length, 512 principal components.
Judges, in 5 folds: proxies started at the class means, 5 or 20 epochs of cross-entropy on scale 12 · cosine (Adam); the same with every label weighted by its
probability, twice; the votes of the 20 nearest. Each ranks by the margin of the best other class. Needs NumPy, PyArrow and PyTorch.
"""
import argparse
import csv

import numpy as np
import pyarrow.parquet as pq
import torch
from torch.nn import functional

FOLDS, SCALE, STEP, BATCH, NEIGHBOURS = 5, 12, 0.05, 128, 20


def ranks(values):
    """From 0 to 1, ties share their mean."""
    distinct, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return ((np.cumsum(count) - (count + 1) / 2)[place] + 0.0) / len(values)


def quality(wrong, score):
    rank, bad = ranks(score) * len(score) + 1, wrong.sum()
    hits = wrong[np.argsort(-score, kind="stable")]
    precision = (np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean()
    return f"{(rank[wrong].sum() - bad * (bad + 1) / 2) / bad / (len(wrong) - bad):.4f} / {precision:.4f}"


def prepared(rows):
    rows = np.sqrt(rows) if rows.min() >= 0 else rows
    rows = rows - rows.mean(0)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows = rows @ np.linalg.eigh((rows.T @ rows).astype(np.float64))[1][:, -512:].astype(np.float32)
    return functional.normalize(torch.from_numpy(rows - rows.mean(0)), dim=1)


def proxies(rows, labels, classes, test, epochs, rounds):
    generator, trust = torch.Generator().manual_seed(1), torch.ones(len(rows))
    for round_ in range(rounds):
        means = torch.zeros(classes, rows.shape[1]).index_add_(0, labels, rows * trust[:, None])
        centres = functional.normalize(means, dim=1).requires_grad_(True)
        optimiser = torch.optim.Adam([centres], lr=STEP / rows.shape[1] ** 0.5)
        for _ in range(epochs):
            for batch in torch.randperm(len(rows), generator=generator).split(BATCH):
                logits = SCALE * rows[batch] @ functional.normalize(centres, dim=1).T
                loss = (trust[batch] * functional.cross_entropy(logits, labels[batch], reduction="none")).mean()
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
        with torch.no_grad():
            unit = functional.normalize(centres, dim=1)
            trust = torch.softmax(SCALE * rows @ unit.T, 1).gather(1, labels[:, None])[:, 0].clamp_min(0.05)
            trust /= trust.mean()
    return (SCALE * test @ unit.T).log_softmax(1)


def neighbours(rows, labels, classes, test):
    near = (test @ rows.T).topk(NEIGHBOURS, dim=1)
    votes = torch.zeros(len(test), classes).scatter_add_(1, labels[near.indices], ((near.values - near.values[:, :1]) / 0.1).exp())
    return (votes / votes.sum(1, keepdim=True) + 0.5 / NEIGHBOURS).log()


JUDGES = {"proxies, 5 epochs": lambda *data: proxies(*data, 5, 1), "proxies, 20 epochs": lambda *data: proxies(*data, 20, 1),
          "proxies, two rounds of σ": lambda *data: proxies(*data, 5, 3), "20 neighbours": neighbours}


def margins(judge, rows, labels, classes):
    random, fold = np.random.default_rng(1), np.empty(len(labels), int)
    for one in range(classes):
        own = random.permutation(np.flatnonzero(labels.numpy() == one))
        fold[own] = (np.arange(len(own)) + random.integers(FOLDS)) % FOLDS
    result = np.empty(len(labels))
    for out in range(FOLDS):
        train, test = (torch.from_numpy(np.flatnonzero(at)) for at in (fold != out, fold == out))
        scores = judge(rows[train], labels[train], classes, rows[test])
        given = scores.gather(1, labels[test][:, None])[:, 0]
        result[test.numpy()] = (scores.scatter(1, labels[test][:, None], -torch.inf).max(1).values - given).numpy()
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scores", nargs="+")
    parser.add_argument("--features", required=True)
    parser.add_argument("--truth")
    options = parser.parse_args()
    torch.set_num_threads(1)
    truth = {row["path"]: row["wrong"] == "1" for row in csv.DictReader(open(options.truth))} if options.truth else None
    table = pq.read_table(options.features)
    place = {sample: at for at, sample in enumerate(table["sample_id"].to_pylist())}
    everything = np.stack(table[next(name for name in table.column_names if name != "sample_id")].to_numpy()).astype(np.float32)
    for path in options.scores:
        read = pq.read_table(path, columns=["sample_id", "path", "label", "true_label", "suspicion"]).to_pydict()
        rows = prepared(everything[[place[sample] for sample in read["sample_id"]]])
        _, labels = np.unique(read["label"], return_inverse=True)
        wrong = np.array([truth[name] for name in read["path"]] if truth else
                         [true is not None and true != given for true, given in zip(read["true_label"], read["label"])])
        ours = np.array(read["suspicion"])
        print(f"{path}: {len(wrong)} labels, {100 * wrong.mean():.1f} % wrong; ours {quality(wrong, ours)}", flush=True)
        pool = ranks(ours)
        for name, judge in JUDGES.items():
            score = margins(judge, rows, torch.from_numpy(labels), labels.max() + 1)
            if name != "proxies, 20 epochs":
                pool = pool + ranks(score)
            print(f"  {name}: {quality(wrong, score)}; with ours {quality(wrong, ranks(ours) + ranks(score))}", flush=True)
        print(f"  ours, 5 epochs, σ and neighbours: {quality(wrong, pool)}", flush=True)


if __name__ == "__main__":
    main()
