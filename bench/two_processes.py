#!/usr/bin/env python3
"""Twenty steps of training in two processes against one, the same batches: by how much the losses differ, and what it costs.

    bench/two_processes.py [--method procsim]

fieldguide, batch 96, two epochs of ten steps or one more, from scratch; each process on one thread. The row is the largest difference of an
epoch's mean loss with plain gradient descent. The note has Adam's: it makes whole steps of gradients that are nothing but the last bits of a sum, so that
the order in which numbers are added grows into a difference that says nothing of the exchange.
"""
import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from bench_row import add_options, finish, run


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


SGD, ADAM = ["--optimizer", "sgd", "--momentum", "0", "--lr", "0.02"], ["--optimizer", "adam"]


def train(options, folder, size, optimizer):
    """Losses of the epochs of a run by as many processes, and its seconds."""
    name = f"by-{size}"
    words = [options.bin / "procsim-train", "--name", name, "--force", "--preset", "fieldguide", "--method", options.method, "--batch", "96",
             "--per-class", "4", "--epochs", "1" if options.quick else "2", "--eval-every", "2", "--nmi", "false", "--threads", "1", "--workers", "1",
             "--quiet", *optimizer]
    address = {"WORLD_SIZE": str(size), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())} if size > 1 else {}
    others = [subprocess.Popen(list(map(str, words)), cwd=folder, env={**os.environ, **address, "RANK": str(rank)}, stdout=subprocess.DEVNULL)
              for rank in range(1, size)]
    seconds = run(words, cwd=folder, env={**os.environ, **address, **({"RANK": "0"} if size > 1 else {})})[1]
    if any(process.wait() != 0 for process in others):
        sys.exit("a process failed")
    metrics = next(folder.rglob(f"{name}/metrics.jsonl"))
    epochs = [json.loads(line) for line in metrics.read_text().splitlines()]
    return [epoch["loss"] for epoch in epochs if "loss" in epoch], seconds


def largest_difference(alone, together):
    return max(abs(a - b) for a, b in zip(alone, together))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--method", default="procsim")
    add_options(parser, rounds=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run([options.bin / "taxo", "build", "fieldguide", "--quiet"], cwd=folder)
        run([options.bin / "noise", "inject", "--semantic", "0.2", "--seed", "1", "--quiet"], cwd=folder)
        differences, adam, seconds = [], [], []
        for _ in range(options.rounds):
            (alone, one), (together, two) = (train(options, folder, size, SGD) for size in (1, 2))
            if not alone or len(alone) != len(together):
                sys.exit("the runs have not as many epochs")
            differences.append(largest_difference(alone, together))
            seconds.append((one, two))
            adam.append(largest_difference(*(train(options, folder, size, ADAM)[0] for size in (1, 2))))
    finish(options, "processes", f"2 processes against 1, {options.method}, {len(alone)} epochs of 10 steps: difference of the loss", differences, 1e-4, unit="",
           note=f"loss {alone[0]:.4f} → {alone[-1]:.4f}; {seconds[0][0]:.0f} s by one process on one thread, {seconds[0][1]:.0f} s by two; "
                f"with Adam {max(adam):.1g}")


if __name__ == "__main__":
    main()
