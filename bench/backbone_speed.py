#!/usr/bin/env python3
"""Processor time an image and peak memory of DINOv2-S: ours against the same model in PyTorch eager (transformers), in turns.

    bench/backbone_speed.py WEIGHTS.safetensors [--rounds N] [--images N] [--batch N] [--precision fp32|bf16] [--bin DIR]

One thread each, random pictures of 224 px, weights of the original repository's names. A round runs ours and PyTorch one after the other,
each in a process of its own after a first batch that does not count; the ratio is the median over the rounds. Target: at most 0.95.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench_environment import enter_environment

ROOT = Path(__file__).resolve().parent.parent


def run_peer(options):
    import torch
    from dinov2_zero_shot import make_model
    torch.set_num_threads(1)
    model = make_model(options.weights, "plain")
    torch.manual_seed(1)
    pixels = torch.randn(options.batch, 3, 224, 224)
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16, enabled=options.precision == "bf16"):
        model(pixels)
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in range(0, options.images, options.batch):
            model(pixels).last_hidden_state[:, 0]
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    count = -(-options.images // options.batch) * options.batch
    print(json.dumps({"cpu": cpu / count, "wall": wall / count,
                      "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--images", type=int, default=64)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--precision", choices=("fp32", "bf16"), default="fp32")
    parser.add_argument("--bin", default=str(ROOT / "build/bin"))
    parser.add_argument("--peer", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        run_peer(options)
        return
    environment = dict(os.environ, OMP_NUM_THREADS="1", OMP_WAIT_POLICY="passive")
    ours = [Path(options.bin) / "backbone_forward_benchmark", "dinov2-vits14", options.weights, options.images, options.batch, options.precision]
    ratios, memory = [], []
    for number in range(options.rounds):
        said = []
        for words in (ours, [sys.executable, *sys.argv, "--peer"]):
            done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=environment, check=True)
            said.append(json.loads(done.stdout.splitlines()[-1]))
        ratios.append(said[0]["cpu"] / said[1]["cpu"])
        memory.append(said[0]["peak_mb"] / said[1]["peak_mb"])
        print(f"round {number + 1}: ours {1000 * said[0]['cpu']:.1f} ms of processor time an image, {said[0]['peak_mb']} MB; "
              f"PyTorch {1000 * said[1]['cpu']:.1f} ms, {said[1]['peak_mb']} MB; ratio {ratios[-1]:.3f}", flush=True)
    print(f"median ratio of processor time {statistics.median(ratios):.3f} (target at most 0.95), of peak memory {statistics.median(memory):.3f}")


if __name__ == "__main__":
    enter_environment("requirements-bench-models.txt")
    main()
