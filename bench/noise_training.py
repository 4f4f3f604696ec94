#!/usr/bin/env python3
"""Trains the same data under label noise with several methods and seeds, and prints mean and spread: plain
Multi-Similarity, ProcSim on anchors and on pairs, ProcSim with confidence from class means, ours by the posterior of every
label with its ablations, and the oracle of both scopes as upper bounds.

    bench/noise_training.py fieldguide                      five seeds, uniform 0.5: minutes on 2 cores
    bench/noise_training.py cub200 --noise uniform 0.5 --noise semantic 0.5 --seeds 1
    bench/noise_training.py cub200 --methods ms,procsim-pair -- --epochs 3 --image-size 128
    bench/noise_training.py caltech101 --source ../shared/caltech101 --split seeded --seeds 1 --noise uniform 0.4 \\
        --methods ms,paper,posterior,oracle-pair
    bench/noise_training.py fieldguide --noise uniform 0    clean labels

Words after -- go to every procsim-train. Programs come from build/bin; workspaces lie in --work and are used again.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Every row says what it is: none depends on the method of the preset that it starts from.
PAPER = ["--method", "procsim"]
MEANS = ["--method", "procsim-means"]
PLG = ["--guidance", "plg"]
METHODS = {
    "ms": ["--method", "ms"],
    "paper": PAPER + ["--lambda", "1", "--proxy-scale", "1", "--proxy-init", "random", "--proxy-lr", "0.001"] + PLG + ["--omega", "10"],
    "posterior": ["--method", "procsim-posterior"],
    "posterior-forgets": ["--method", "procsim-posterior", "--posterior-memory", "0"],
    "posterior-keeps-labels": ["--method", "procsim-posterior", "--posterior-relabel", "false"],
    "posterior-anchor": ["--confidence", "posterior", "--confidence-scope", "anchor", "--average-over", "trust"],
    "procsim-anchor": PAPER,
    "procsim-pair": ["--confidence", "procsim", "--confidence-from", "proxy-nca", "--confidence-scope", "pair"],
    "procsim-means": MEANS,
    "ms-plg": ["--method", "ms+plg"],
    "procsim-anchor-plg": PAPER + PLG,
    "procsim-anchor-plg-both": PAPER + PLG + ["--confidence-on-guidance", "true"],
    "procsim-means-plg": MEANS + PLG,
    "oracle-anchor": ["--method", "oracle", "--confidence-scope", "anchor"],
    "oracle-pair": ["--method", "oracle", "--confidence-scope", "pair"],
}
# The same budget for every method: minutes a run on two cores. The backbone is named, since the preset takes the best
# one whose weights are there.
CUB = ["--preset", "cub200-best", "--backbone", "efficientnet-lite0", "--epochs", "5"]
# caltech101 has CUB's without another change: nothing was chosen on it.
BUDGET = {"cub200": CUB, "caltech101": CUB}
# A network from scratch and its class means or proxies know nothing at first: methods that judge by a loss trust all labels.
WARM_UP = {"fieldguide": {name: ["--warmup", "3"] for name in METHODS if name.startswith("procsim-")}}


def words_of(dataset, method):
    return BUDGET.get(dataset, []) + METHODS[method] + WARM_UP.get(dataset, {}).get(method, [])


def call(program, *words, cwd):
    command = [str(ROOT / "build/bin" / program), *words]
    result = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"$ {' '.join(command)}\n{result.stderr}")
    return result.stdout


def workspace(folder, dataset, root, source=None, split=None):
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / ".procsim").exists():
        return folder
    words = [str(Path(source).resolve()), "--name", dataset] if source else [dataset]
    for option, value in (("--root", root), ("--split", split)):
        words += [option, value] if value else []
    call("taxo", "build", *words, "--quiet", cwd=folder)
    return folder


def noisy_labels(folder, model, rate, seed):
    """The label set of a data set with noise, made once. Rate 0: the labels as they are."""
    given = next((folder / ".procsim/labels").glob("*.parquet"))
    if float(rate) == 0:
        return given
    labels = folder / f"{model}-{rate}-{seed}.parquet"
    if not labels.exists():
        call("noise", "inject", "--labels", str(given), f"--{model}", rate, "--seed", str(seed), "--output", str(labels), "--quiet", cwd=folder)
    return labels


def epochs_of(folder):
    return [json.loads(line) for line in (Path(folder) / "metrics.jsonl").read_text().splitlines()]


def cell(column):
    """Mean and deviation of the seeds that have a value: clean labels leave nothing to detect."""
    values = [value for value in column if value is not None]
    if not values:
        return "–"
    return f"{statistics.mean(values):.4f}" + (f" ± {statistics.stdev(values):.4f}" if len(values) > 1 else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset")
    parser.add_argument("--noise", nargs=2, action="append", metavar=("MODEL", "RATE"))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--root", help="folder of the data set")
    parser.add_argument("--source", help="path of a data set that has no name of its own, for 'taxo build'")
    parser.add_argument("--split", help="--split of 'taxo build': seeded leaves half of the classes for testing")
    parser.add_argument("--work", default=str(ROOT / "build/bench"))
    words = sys.argv[1:]
    extra = words[words.index("--") + 1:] if "--" in words else []
    arguments = parser.parse_args(words[:words.index("--")] if "--" in words else words)
    noises = arguments.noise or [["uniform", "0.5"]]
    folder = workspace(Path(arguments.work) / arguments.dataset, arguments.dataset, arguments.root, arguments.source,
                       arguments.split)
    print("| noise | method | start R@1 | last R@1 | best R@1 | AUROC last | AP last | F1 last | seconds |\n|---|---|---|---|---|---|---|---|---|")
    over_noises = {}
    for model, rate in noises:
        for name in arguments.methods.split(","):
            rows = []
            for seed in range(1, arguments.seeds + 1):
                labels = noisy_labels(folder, model, rate, seed)
                run = f"{model}-{rate}-{name}-{seed}"
                started = time.monotonic()
                result = json.loads(call("procsim-train", "--labels", str(labels), "--name", run, "--force", "--seed", str(seed),
                                         *words_of(arguments.dataset, name), *extra, "--json", "--quiet", cwd=folder))
                epochs = epochs_of(result["folder"])
                rows.append((epochs[0]["recall@1"], result["last"]["recall@1"], max(e.get("recall@1", 0) for e in epochs),
                             *(result["last"].get(f"detection_{ranked}") for ranked in ("auroc", "ap", "f1")),
                             time.monotonic() - started))
                for e in epochs:
                    print(f"  {run} epoch {e['epoch']}: " + ", ".join(f"{k} {e[k]:.4f}" for k in ("recall@1", "detection_auroc", "detection_ap") if k in e),
                          file=sys.stderr)
            cells = [cell(column) for column in list(zip(*rows))[:-1]]
            seconds = statistics.mean(row[-1] for row in rows)
            print(f"| {model} {rate} | {name} | " + " | ".join(cells) + f" | {seconds:.0f} |", flush=True)
            over_noises.setdefault(name, []).append(statistics.mean(row[1] for row in rows))
    if len(noises) > 1:  # the paper's last column
        for name, means in over_noises.items():
            print(f"harmonic mean of last R@1 over {len(means)} noises: {name} {statistics.harmonic_mean(means):.4f}")


if __name__ == "__main__":
    main()
