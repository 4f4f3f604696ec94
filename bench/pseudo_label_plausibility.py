#!/usr/bin/env python3
"""How often EfficientNet-Lite0's first pseudo-label is right where CUB's class has a counterpart in ImageNet: hummingbirds, jays,
albatrosses, pelicans. Reads the per-image table of

    procsim-train guide --guidance-per sample --labels CLEAN.parquet --root IMAGES --output samples.parquet
    bench/pseudo_label_plausibility.py samples.parquet
"""
import sys
from collections import Counter

from bench_environment import enter_environment

enter_environment("requirements-bench-data.txt")

import pyarrow.parquet as pq

FAMILIES = {"Hummingbird": "hummingbird", "Jay": "jay", "Albatross": "albatross", "Pelican": "pelican"}


def main():
    rows = pq.read_table(sys.argv[1], columns=["name", "rank", "pseudo_label"]).to_pylist()
    classes = {}
    for row in rows:
        name = row["name"].split("/")[-2].split(".", 1)[-1].replace("_", " ")
        if name.split()[-1] in FAMILIES:
            images = classes.setdefault(name, {})
            images.setdefault(row["name"], []).append(row["pseudo_label"])
    print("| class | ImageNet's name | images | top-1 | top-5 | other first labels |\n|---|---|---|---|---|---|")
    for name, images in sorted(classes.items(), key=lambda item: (item[0].split()[-1], item[0])):
        wanted = FAMILIES[name.split()[-1]]
        first = Counter(labels[0] for labels in images.values())
        top5 = sum(wanted in labels for labels in images.values())
        others = ", ".join(f"{label} {count}" for label, count in first.most_common(4) if label != wanted)
        print(f"| {name} | {wanted} | {len(images)} | {100 * first[wanted] / len(images):.0f} % | {100 * top5 / len(images):.0f} % | {others} |")


main()
