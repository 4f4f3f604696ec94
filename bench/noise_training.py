#!/usr/bin/env python3
"""Trains the same data under label noise with several methods and seeds, and prints mean and spread: plain
Multi-Similarity, ProcSim on anchors and on pairs, ProcSim with confidence from class means, ours by the posterior of every
label with its ablations, and the oracle of both scopes as upper bounds.

    bench/noise_training.py fieldguide                      five seeds, uniform 0.5: minutes on 2 cores
    bench/noise_training.py cub200 --noise uniform 0.5 --noise semantic 0.5 --seeds 1
    bench/noise_training.py cub200 --methods ms,procsim-pair -- --epochs 3 --image-size 128

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
METHODS = {
    "ms": ["--method", "ms"],
    "posterior": ["--method", "procsim-posterior"],
    "posterior-forgets": ["--method", "procsim-posterior", "--posterior-memory", "0"],
    "posterior-keeps-labels": ["--method", "procsim-posterior", "--posterior-relabel", "false"],
    "posterior-anchor": ["--confidence", "posterior", "--confidence-scope", "anchor", "--warmup", "0", "--average-over", "trust"],
    "procsim-anchor": ["--confidence", "procsim", "--confidence-from", "proxy-nca", "--confidence-scope", "anchor"],
    "procsim-pair": ["--confidence", "procsim", "--confidence-from", "proxy-nca", "--confidence-scope", "pair"],
    "procsim-means": ["--confidence", "procsim", "--confidence-from", "class-means", "--confidence-scope", "pair"],
    "ms-plg": ["--confidence", "none", "--guidance", "plg"],
    "procsim-anchor-plg": ["--confidence", "procsim", "--confidence-from", "proxy-nca", "--confidence-scope", "anchor", "--guidance", "plg"],
    "procsim-anchor-plg-both": ["--confidence", "procsim", "--confidence-from", "proxy-nca", "--confidence-scope", "anchor", "--guidance", "plg",
                                "--confidence-on-guidance", "true"],
    "procsim-means-plg": ["--confidence", "procsim", "--confidence-from", "class-means", "--confidence-scope", "pair", "--guidance", "plg"],
    "oracle-anchor": ["--confidence", "oracle", "--confidence-scope", "anchor"],
    "oracle-pair": ["--confidence", "oracle", "--confidence-scope", "pair"],
}
# The same budget for every method: minutes a run on two cores.
BUDGET = {
    "cub200": ["--preset", "cub200", "--backbone", "efficientnet-lite0", "--train-from", "block11", "--image-size", "128",
               "--centre-crop", "0.8", "--crop-scale", "0.16", "--epochs", "5", "--lambda", "0.01", "--proxy-scale", "6",
               "--proxy-init", "means", "--proxy-lr", "0.01"],
}


def call(program, *words, cwd):
    command = [str(ROOT / "build/bin" / program), *words]
    result = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"$ {' '.join(command)}\n{result.stderr}")
    return result.stdout


def workspace(folder, dataset, root):
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / ".procsim").exists():
        call("taxo", "build", dataset, *(["--root", root] if root else []), "--quiet", cwd=folder)
    return folder


def epochs_of(folder):
    return [json.loads(line) for line in (Path(folder) / "metrics.jsonl").read_text().splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset")
    parser.add_argument("--noise", nargs=2, action="append", metavar=("MODEL", "RATE"))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--root", help="folder of the data set")
    parser.add_argument("--work", default=str(ROOT / "build/bench"))
    words = sys.argv[1:]
    extra = words[words.index("--") + 1:] if "--" in words else []
    arguments = parser.parse_args(words[:words.index("--")] if "--" in words else words)
    noises = arguments.noise or [["uniform", "0.5"]]
    folder = workspace(Path(arguments.work) / arguments.dataset, arguments.dataset, arguments.root)
    print("| noise | method | start R@1 | last R@1 | best R@1 | AUROC last | AP last | seconds |\n|---|---|---|---|---|---|---|---|")
    over_noises = {}
    for model, rate in noises:
        for name in arguments.methods.split(","):
            rows = []
            for seed in range(1, arguments.seeds + 1):
                labels = folder / f"{model}-{rate}-{seed}.parquet"
                if not labels.exists():
                    call("noise", "inject", f"--{model}", rate, "--seed", str(seed), "--output", str(labels), "--quiet", cwd=folder)
                run = f"{model}-{rate}-{name}-{seed}"
                started = time.monotonic()
                result = json.loads(call("procsim-train", "--labels", str(labels), "--name", run, "--force", "--seed", str(seed), *BUDGET.get(arguments.dataset, []),
                                         *METHODS[name], *extra, "--json", "--quiet", cwd=folder))
                epochs = epochs_of(result["folder"])
                rows.append((epochs[0]["recall@1"], result["last"]["recall@1"], max(e.get("recall@1", 0) for e in epochs),
                             result["last"].get("detection_auroc", float("nan")), result["last"].get("detection_ap", float("nan")),
                             time.monotonic() - started))
                for e in epochs:
                    print(f"  {run} epoch {e['epoch']}: " + ", ".join(f"{k} {e[k]:.4f}" for k in ("recall@1", "detection_auroc", "detection_ap") if k in e),
                          file=sys.stderr)
            cells = []
            for column in list(zip(*rows))[:5]:
                spread = f" ± {statistics.stdev(column):.4f}" if len(column) > 1 else ""
                cells.append(f"{statistics.mean(column):.4f}{spread}")
            seconds = statistics.mean(row[5] for row in rows)
            print(f"| {model} {rate} | {name} | " + " | ".join(cells) + f" | {seconds:.0f} |", flush=True)
            over_noises.setdefault(name, []).append(statistics.mean(row[1] for row in rows))
    if len(noises) > 1:  # the paper's last column
        for name, means in over_noises.items():
            print(f"harmonic mean of last R@1 over {len(means)} noises: {name} {statistics.harmonic_mean(means):.4f}")


if __name__ == "__main__":
    main()
