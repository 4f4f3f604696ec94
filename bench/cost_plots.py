#!/usr/bin/env python3
"""Cost against size: wall time and peak memory of injection, scoring, evaluation and report, from 1,000 samples up.

    bench/cost_plots.py [PART…] [--all] [--quick]    measures, keeps the figures in build/bench/cost.jsonl, draws build/bench/cost.svg and cost.png
    bench/cost_plots.py --draw FOLDER                draws again from these figures, into FOLDER

Parts: inject (1,000 classes, semantic noise), score (embeddings of 512 numbers, 20 samples a class), evaluate (the same numbers, 5 a class: Recall@1/10/100/1000 and
mAP@R), report (100 classes, CSV and page). --all takes the sizes that need many minutes too. Every size is measured three times where that takes less than a few seconds; the
median counts. The exponent in the legend is that of the last tenfold of the sizes.
"""
import argparse
import json
import math
import shutil
import statistics
import sys
from pathlib import Path

from bench_environment import ROOT, enter_environment

enter_environment("requirements-bench-data.txt")

from bench_row import commit, run
from injecting import write_labels, write_taxonomy
from scoring_size import write_case

WORK = ROOT / "build/bench/cost"
FIGURES = ROOT / "build/bench/cost.jsonl"
SIZES = {"inject": [10**3, 10**4, 10**5, 10**6, 10**7], "score": [1000, 3000, 10**4, 30000], "evaluate": [1000, 3000, 10**4, 30000, 60000],
         "report": [10**3, 10**4, 10**5, 10**6]}
DEAR = {"inject": [10**8], "score": [10**5], "evaluate": [10**5], "report": [10**7]}
QUICK = {part: sizes[:2] for part, sizes in SIZES.items()}
WORDS = {"inject": "noise inject", "score": "procsim-train score", "evaluate": "evaluation", "report": "curate report"}
LONG = 5  # seconds, from which on once is enough


def inject(bin, size, folder):
    labels, tree = write_labels(folder / "labels.parquet", size), write_taxonomy(folder / "taxonomy.json")
    return [bin / "noise", "inject", "--labels", labels, "--taxonomy", tree, "--semantic", 0.2, "--seed", 1, "--output", folder / "out.parquet", "--force", "--quiet"]


def score(bin, size, folder):
    features, labels = write_case(folder, size, max(2, size // 20), 512)
    return [bin / "procsim-train", "score", "--embeddings", features, "--labels", labels, "--output", folder / "scores.parquet", "--force", "--quiet"]


def evaluate(bin, size, folder):
    import numpy as np
    random = np.random.default_rng(0)
    labels = np.arange(size) // 5
    rows = random.standard_normal((labels[-1] + 1, 512), np.float32)[labels] + 3 * random.standard_normal((size, 512), np.float32)
    (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32).tofile(folder / "embeddings")
    labels.astype(np.int64).tofile(folder / "labels")
    return [bin / "retrieval_benchmark", folder / "embeddings", folder / "labels", size, 512]


def report(bin, size, folder):
    """Ten million come as ten parts of a million, with ids of their own."""
    part = min(size, 10**6)
    run([sys.executable, ROOT / "tests/browser/synthetic.py", "--out", folder, "--samples", part, "--classes", 100, "--images", "none"])
    scores = folder / "scores.parquet"
    if size > part:
        import pyarrow as pa
        import pyarrow.compute as pc
        import pyarrow.parquet as pq
        table, scores = pq.read_table(scores), folder / "parts"
        scores.mkdir()
        for number in range(size // part):
            ids = pc.add(table["sample_id"], pa.scalar(number * 4 * part, pa.int64()))
            pq.write_table(table.set_column(0, table.schema.field(0), ids), scores / f"{number:03}.parquet")
    return [bin / "curate", "report", "--scores", scores, "--taxonomy", folder / "taxonomy.json", "--output", folder / "report", "--format", "html,csv", "--force", "--quiet"]


def measure(part, size, bin):
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    command = globals()[part](bin, size, WORK)
    seconds, memory = [], []
    while len(seconds) < 3 and (not seconds or seconds[-1] < LONG):
        _, took, megabytes = run(command, cwd=WORK)
        seconds.append(took)
        memory.append(megabytes)
    shutil.rmtree(WORK)
    return {"part": part, "size": size, "seconds": statistics.median(seconds), "MB": statistics.median(memory), "commit": commit()}


def figures():
    """The newest of every part and size."""
    newest = {}
    for text in FIGURES.read_text().splitlines():
        line = json.loads(text)
        newest[line["part"], line["size"]] = line
    return [newest[key] for key in sorted(newest)]


def exponent(rows, quantity):
    last = rows[-1]
    base = next(row for row in rows if 10 * row["size"] >= last["size"])
    return math.log(last[quantity] / base[quantity]) / math.log(last["size"] / base["size"]) if base is not last else math.nan


def draw(folder):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "procsim", "font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    lines = figures()
    for axis, quantity, title in zip(axes, ("seconds", "MB"), ("Wall time in seconds", "Peak memory in MB")):
        for part, colour, mark in zip(SIZES, ("#4477aa", "#cc6677", "#228833", "#aa7700"), "os^D"):
            rows = [line for line in lines if line["part"] == part]
            if rows:
                axis.plot([row["size"] for row in rows], [row[quantity] for row in rows], color=colour, marker=mark, markersize=5,
                          label=f"{WORDS[part]} (size$^{{{exponent(rows, quantity):.2f}}}$)")
        axis.set(xscale="log", yscale="log", xlabel="samples", title=title)
        axis.grid(color="#dddddd", linewidth=0.6)
        axis.legend(frameon=False, fontsize=9, loc="upper left")
    folder.mkdir(parents=True, exist_ok=True)
    for ending in ("svg", "png"):
        figure.savefig(folder / f"cost.{ending}", dpi=110, metadata={"Date": None} if ending == "svg" else None)
    print(folder / "cost.svg")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(SIZES))
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--quick", action="store_true", help="the two smallest sizes")
    parser.add_argument("--draw", type=Path, metavar="FOLDER")
    parser.add_argument("--bin", type=Path, default=ROOT / "build/bin")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(SIZES):
        parser.error(f"no part {', '.join(sorted(unknown))}: there are {', '.join(SIZES)}")
    if options.draw:
        return draw(options.draw)
    for part in options.parts or SIZES:
        for size in QUICK[part] if options.quick else SIZES[part] + (DEAR[part] if options.all else []):
            line = measure(part, size, options.bin)
            print(f"{part} {size:,}: {line['seconds']:.2f} s, {line['MB']:,.0f} MB", flush=True)
            with FIGURES.open("a") as file:
                file.write(json.dumps(line) + "\n")
    draw(ROOT / "build/bench")


if __name__ == "__main__":
    main()
