#!/usr/bin/env python3
"""A training step, and its losses alone, against what one would write in Python: PyTorch eager, pytorch-metric-learning, and
SciPy for Lambert's W.

    bench/training_step.py step     EfficientNet-Lite0 at 128 px, batch 90, ProcSim, the whole network learns, frozen batch normalisation, Adam
    bench/training_step.py loss     ProcSim's losses and confidence, batch 512, 11,318 classes, 512 numbers, forward and backward

Both sides take all cores, one process after the other, in turns. A turn is the median of its steps; the first three do not count. The
peer's network is that of peer_network.py, in the memory layout in which it was faster. `loss` also shows the value of both sides.
"""
import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from bench_environment import enter_environment
from bench_row import WEIGHTS, add_options, finish, in_turns, run_json

WARM_UP = 3


def otsu(losses):
    """The threshold that splits a batch's losses with the least variance on both sides."""
    import numpy as np
    values = np.sort(losses.astype(np.float64))
    count, values_of_mean = np.arange(1, len(values)), values - values.mean()
    low, low_squares = np.cumsum(values_of_mean)[:-1], np.cumsum(values_of_mean**2)[:-1]
    high, high_squares = -low, (values_of_mean**2).sum() - low_squares
    cost = low_squares - low**2 / count + high_squares - high**2 / (len(values) - count)
    cost[(values[1:] == values[:-1]) | (count < 2) | (count > len(values) - 2)] = np.inf
    best = int(cost.argmin())
    return (values[best] + values[best + 1]) / 2


class ProcSim:
    """The paper's losses by pytorch-metric-learning, its confidence by SciPy."""

    def __init__(self, classes, dimension, lambda_=1.0):
        from pytorch_metric_learning import losses, miners, reducers
        self.pairs = losses.MultiSimilarityLoss(alpha=2, beta=40, base=0.5, reducer=reducers.DoNothingReducer())
        self.miner = miners.MultiSimilarityMiner(epsilon=0.1)
        self.proxies = losses.ProxyNCALoss(classes, dimension, softmax_scale=1, reducer=reducers.DoNothingReducer())
        self.lambda_ = lambda_

    def __call__(self, embeddings, labels):
        import numpy as np
        import torch
        from scipy.special import lambertw
        proxy_losses = self.proxies(embeddings.detach(), labels)["loss"]["losses"]
        judged = proxy_losses.detach().numpy().astype(np.float64)
        excess = np.maximum((judged - otsu(judged)) / (2 * self.lambda_), 0)
        trust = torch.from_numpy(np.exp(-lambertw(excess).real).astype(np.float32))
        values = self.pairs(embeddings, labels, self.miner(embeddings, labels))["loss"]["losses"].flatten()
        return (trust * values).sum() / len(labels), proxy_losses.mean()


def timed(steps, work):
    for _ in range(WARM_UP):
        work()
    seconds = []
    for _ in range(steps):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return seconds


def peer_step(batch, steps, layout):
    import torch
    from peer_network import efficientnet_lite0
    torch.manual_seed(1)
    layout = getattr(torch, layout)
    network = efficientnet_lite0(torch.nn.Linear(1280, 512)).to(memory_format=layout)
    loss = ProcSim(100, 512)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-4, weight_decay=4e-4)
    proxies = torch.optim.Adam(loss.proxies.parameters(), lr=1e-3)
    pixels = torch.randn(batch, 3, 128, 128).contiguous(memory_format=layout)
    labels = torch.arange(batch) // 2

    def step():
        objective, proxy_loss = loss(torch.nn.functional.normalize(network(pixels)), labels)
        optimizer.zero_grad()
        objective.backward()
        optimizer.step()
        proxies.zero_grad()
        proxy_loss.backward()
        proxies.step()

    return {"seconds": timed(steps, step)}


def peer_loss(folder, batch, classes, dimension, steps):
    import numpy as np
    import torch
    read = lambda name, kind: torch.from_numpy(np.fromfile(folder / name, kind))
    embeddings = read("embeddings", np.float32).view(batch, dimension).requires_grad_()
    labels = read("labels", np.int64)
    loss = ProcSim(classes, dimension)
    loss.proxies.proxies.data = read("proxies", np.float32).view(classes, dimension)
    value = []

    def work():
        embeddings.grad = loss.proxies.proxies.grad = None
        objective, proxy_loss = loss(torch.nn.functional.normalize(embeddings), labels)
        value[:] = [objective.item()]
        objective.backward()
        proxy_loss.backward()

    seconds = timed(steps, work)
    return {"value": value[0], "seconds": seconds}


def compare_step(options):
    batch, steps = (8, 2) if options.quick else (90, 6)
    theirs = lambda layout: [sys.executable, __file__, "peer-step", str(batch), str(steps), layout]
    ours = [options.bin / "training_benchmark", "step", WEIGHTS, batch, steps]
    median = lambda command: statistics.median(run_json(command)["seconds"])
    layout = min(("channels_last", "contiguous_format"), key=lambda name: median(theirs(name)))
    mine, peer = in_turns(options.rounds, lambda: median(ours), lambda: median(theirs(layout)))
    finish(options, "step", f"training step, EfficientNet-Lite0 128 px, batch {batch}, ProcSim, whole network", mine, 0.9,
           peer="PyTorch eager + pytorch-metric-learning + SciPy", theirs=peer, note=f"the peer's layout: {layout}")


def compare_loss(options):
    import numpy as np
    batch, classes, dimension, steps = (64, 500, 64, 3) if options.quick else (512, 11318, 512, 15)
    random = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        labels = np.repeat(random.permutation(classes)[:batch // 2], 2)
        proxies = random.standard_normal((classes, dimension)).astype(np.float32)
        (proxies[labels] + 2 * random.standard_normal((batch, dimension))).astype(np.float32).tofile(folder / "embeddings")
        proxies.tofile(folder / "proxies")
        labels.astype(np.int64).tofile(folder / "labels")
        shape = [str(value) for value in (batch, classes, dimension, steps)]
        values = []

        def side(command):
            said = run_json(command)
            values.append(said["value"])
            return statistics.median(said["seconds"])

        mine, peer = in_turns(options.rounds, lambda: side([options.bin / "training_benchmark", "loss", folder, *shape]),
                              lambda: side([sys.executable, __file__, "peer-loss", str(folder), *shape]))
    finish(options, "loss", f"loss + confidence, batch {batch}, {classes:,} classes, {dimension}-d, forward and backward", mine, 0.5,
           peer="PyTorch eager + pytorch-metric-learning + SciPy", theirs=peer,
           note=f"values between {min(values):.6f} and {max(values):.6f}")


def main():
    if sys.argv[1:2] == ["peer-step"]:
        return print(json.dumps(peer_step(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])))
    if sys.argv[1:2] == ["peer-loss"]:
        return print(json.dumps(peer_loss(Path(sys.argv[2]), *map(int, sys.argv[3:]))))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("row", choices=("step", "loss"))
    add_options(parser, rounds=3)
    options = parser.parse_args()
    (compare_step if options.row == "step" else compare_loss)(options)


if __name__ == "__main__":
    enter_environment("requirements-bench-training.txt")
    main()
