#!/usr/bin/env python3
"""Processor time of an epoch of one method over that of another, on the same labels, in turns in the same run. An epoch is
its steps, what the method does before them (judging the whole set) and the evaluation; what a run does only once is
taken out: the time of a long run minus that of a short one, over the epochs between.

    bench/epoch_time.py fieldguide                          procsim-posterior over procsim: target at most 1.3
    bench/epoch_time.py cub200 --root ../shared/cub200 -- --preset cub200-best --backbone efficientnet-lite0

Words after -- go to every procsim-train. Programs come from build/bin; the workspace lies in --work and is used again.
"""
import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

from noise_training import ROOT, noisy_labels, workspace


def seconds_of(folder, labels, method, epochs, extra):
    words = [str(ROOT / "build/bin/procsim-train"), "--labels", str(labels), "--name", "epoch-time", "--force", "--method", method,
             "--epochs", str(epochs), "--threads", "1", "--workers", "1", "--nmi", "false", "--quiet", *extra]
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"$ {' '.join(words)}")
    return usage.ru_utime + usage.ru_stime


def main():
    words = sys.argv[1:]
    extra = words[words.index("--") + 1:] if "--" in words else []
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset")
    parser.add_argument("--root", help="folder of the data set")
    parser.add_argument("--methods", nargs=2, default=["procsim-posterior", "procsim"], metavar=("METHOD", "PEER"))
    parser.add_argument("--epochs", nargs=2, type=int, default=[1, 4], metavar=("SHORT", "LONG"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--work", default=str(ROOT / "build/bench"))
    arguments = parser.parse_args(words[:words.index("--")] if "--" in words else words)
    folder = workspace(Path(arguments.work) / arguments.dataset, arguments.dataset, arguments.root)
    labels = noisy_labels(folder, "uniform", "0.5", 1)
    short, long = arguments.epochs
    ratios = []
    for turn in range(arguments.rounds):
        epoch = [(seconds_of(folder, labels, method, long, extra) - seconds_of(folder, labels, method, short, extra)) / (long - short)
                 for method in arguments.methods]
        ratios.append(epoch[0] / epoch[1])
        print(f"turn {turn + 1}: {arguments.methods[0]} {epoch[0]:.2f} s an epoch, {arguments.methods[1]} {epoch[1]:.2f} s, ratio {ratios[-1]:.3f}", flush=True)
    print(f"median ratio {statistics.median(ratios):.3f}")


if __name__ == "__main__":
    main()
