#!/usr/bin/env python3
"""Decoding and augmenting JPEGs for training with two workers, against torch's DataLoader and PIL.

    bench/decoding.py cub        the images of CUB-200-2011 below PROCSIM_DATA
    bench/decoding.py large      the first of them enlarged to 12 megapixels

Random crops of 8 to 100 % of the area at 224 px, mirrored half of the time, normalised, in batches of 90. A pass over all images that
does not count comes first, in each side's own process: files are in memory and the workers are there.
"""
import argparse
import json
import math
import os
import sys
import time
from pathlib import Path

from bench_environment import ROOT, enter_environment
from bench_row import add_options, finish, in_turns, run_json

SIZE, WORKERS, BATCH, LEAST_AREA = 224, 2, 90, 0.08


def cub_images():
    folder = Path(os.environ.get("PROCSIM_DATA", ROOT.parent / "shared")).resolve() / "cub200/CUB_200_2011/images"
    found = sorted(folder.glob("*/*.jpg"))
    if not found:
        sys.exit(f"{folder} has no images: set PROCSIM_DATA")
    return found


def write_list(name, paths):
    file = ROOT / "build/bench" / f"{name}.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{path}\n" for path in paths))
    return file


def enlarged(paths):
    from PIL import Image
    folder = ROOT / "build/bench/large"
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for number, path in enumerate(paths):
        made.append(folder / f"{number}.jpg")
        if not made[-1].exists():
            Image.open(path).convert("RGB").resize((4000, 3000), Image.Resampling.BICUBIC).save(made[-1], quality=90)
    return made


def peer(paths):
    import numpy as np
    import torch
    from PIL import Image

    class Images(torch.utils.data.Dataset):
        mean, deviation = np.array([0.485, 0.456, 0.406], np.float32), np.array([0.229, 0.224, 0.225], np.float32)

        def __len__(self):
            return len(paths)

        def __getitem__(self, index):
            image = Image.open(paths[index]).convert("RGB")
            crop = image.resize((SIZE, SIZE), Image.Resampling.BILINEAR, box=self.box(*image.size))
            if torch.rand(1) < 0.5:
                crop = crop.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
            pixels = (np.asarray(crop, np.float32) / 255 - self.mean) / self.deviation
            return torch.from_numpy(pixels.transpose(2, 0, 1).copy())

        @staticmethod
        def box(width, height):
            """As torchvision's RandomResizedCrop."""
            for _ in range(10):
                area = width * height * torch.empty(1).uniform_(LEAST_AREA, 1).item()
                shape = math.exp(torch.empty(1).uniform_(math.log(3 / 4), math.log(4 / 3)).item())
                w, h = round(math.sqrt(area * shape)), round(math.sqrt(area / shape))
                if 0 < w <= width and 0 < h <= height:
                    x, y = torch.randint(0, width - w + 1, (1,)).item(), torch.randint(0, height - h + 1, (1,)).item()
                    return x, y, x + w, y + h
            side = min(width, height)
            return (width - side) // 2, (height - side) // 2, (width + side) // 2, (height + side) // 2

    loader = torch.utils.data.DataLoader(Images(), BATCH, num_workers=WORKERS, persistent_workers=True)
    for _ in range(2):
        start = time.perf_counter()
        for _ in loader:
            pass
        seconds = time.perf_counter() - start
    return {"seconds": seconds}


def main():
    if sys.argv[1:2] == ["peer"]:
        return print(json.dumps(peer(Path(sys.argv[2]).read_text().splitlines())))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("images", choices=("cub", "large"))
    add_options(parser, rounds=3)
    options = parser.parse_args()
    cub = options.images == "cub"
    found = cub_images()[:(90 if options.quick else 5760) if cub else (4 if options.quick else 180)]
    paths = write_list(options.images, found if cub else enlarged(found))
    ours, theirs = in_turns(options.rounds,
                            lambda: run_json([options.bin / "training_benchmark", "decode", paths, SIZE, WORKERS])["seconds"],
                            lambda: run_json([sys.executable, __file__, "peer", paths])["seconds"])
    finish(options, f"decode-{options.images}", f"decode + augment, {len(found):,} JPEGs, {'CUB' if cub else '12 megapixels'}, {WORKERS} workers", ours,
           0.5 if cub else 0.25, peer="torch DataLoader + PIL", theirs=theirs)


if __name__ == "__main__":
    enter_environment("requirements-bench-training.txt")
    main()
