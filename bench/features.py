#!/usr/bin/env python3
"""Pooled features of EfficientNet-Lite0 at 224 px, from JPEG files to a matrix, against PyTorch eager in channels-last memory.

    bench/features.py [--images 2000]

The peer reads with PIL (resize, centre crop) in a torch DataLoader, in the batch size and with the number of worker processes that are fastest on
400 of the images. Both sides take all cores; imports and loading weights do not count. The note says how near the features of both
are: the crops are not the same to the pixel, since ours are cut before they are resampled.
"""
import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from bench_environment import enter_environment
from bench_row import WEIGHTS, add_options, finish, in_turns, run_json
from decoding import cub_images, write_list

BATCHES, PEER_WORKERS = (4, 8, 16, 32, 64), (0, 1, 2)


def load(path):
    import numpy as np
    import torch
    from PIL import Image
    image = Image.open(path).convert("RGB")
    scale = 256 / min(image.size)
    image = image.resize([round(side * scale) for side in image.size], Image.Resampling.BILINEAR)
    x, y = (image.width - 224) // 2, (image.height - 224) // 2
    pixels = np.asarray(image.crop((x, y, x + 224, y + 224)), np.float32)
    return torch.from_numpy(((pixels - 127) / 128).transpose(2, 0, 1).copy())


class Images:
    def __init__(self, paths):
        self.paths = paths

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return load(self.paths[index])


def peer(paths, batch, workers, output):
    import torch
    from peer_network import efficientnet_lite0
    network = efficientnet_lite0(torch.nn.Identity()).to(memory_format=torch.channels_last)
    start = time.perf_counter()
    with torch.inference_mode():
        loader = torch.utils.data.DataLoader(Images(paths), batch, num_workers=workers)
        found = torch.cat([network(pixels.contiguous(memory_format=torch.channels_last)) for pixels in loader])
    seconds = time.perf_counter() - start
    found.numpy().tofile(output)
    return {"seconds": seconds}


def main():
    if sys.argv[1:2] == ["peer"]:
        return print(json.dumps(peer(Path(sys.argv[2]).read_text().splitlines(), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=2000)
    add_options(parser, rounds=3)
    options = parser.parse_args()
    import numpy as np
    found = cub_images()[:24 if options.quick else options.images]
    paths, few = write_list("features", found), write_list("features-few", found[:8 if options.quick else 400])
    with tempfile.TemporaryDirectory() as name:
        outputs = [Path(name) / "ours", Path(name) / "peer"]
        theirs = lambda file, batch, workers: run_json([sys.executable, __file__, "peer", file, batch, workers, outputs[1]])["seconds"]
        fastest = lambda choices: min(choices, key=lambda choice: theirs(few, *choice))
        workers = fastest([(16, count) for count in PEER_WORKERS])[1]
        batch = fastest([(size, workers) for size in BATCHES])[0]
        ours, peers = in_turns(
            options.rounds,
            lambda: run_json([options.bin / "training_benchmark", "features", paths, WEIGHTS, os.cpu_count(), outputs[0]])["seconds"],
            lambda: theirs(paths, batch, workers))
        a, b = (np.fromfile(path, np.float32).reshape(len(found), -1) for path in outputs)
        cosine = ((a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)).mean()
    finish(options, "features", f"features of {len(found):,} images at 224 px, EfficientNet-Lite0", ours, 0.9,
           peer="PyTorch eager, channels last, PIL", theirs=peers,
           note=f"the peer's batch {batch}, {workers} workers; mean cosine of the features {cosine:.4f}")


if __name__ == "__main__":
    enter_environment("requirements-bench-training.txt")
    main()
