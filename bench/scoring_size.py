#!/usr/bin/env python3
"""Time and memory of `procsim-train score --embeddings` by size: normal clusters, a tenth of the labels wrong.

    bench/scoring_size.py [--rows 20000 200000] [--classes 500 5000] [--dimension 512] [--bin DIR]

Prints the peak memory of the process (resident, from the kernel) and its seconds, and how they grow.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench_environment import enter_environment

enter_environment("requirements-bench-data.txt")

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).resolve().parent.parent


def write_case(folder, rows, classes, dimension):
    random = np.random.default_rng(1)
    truth = np.arange(rows) % classes
    wrong = random.random(rows) < 0.1
    given = np.where(wrong, random.integers(0, classes, rows), truth).astype(np.int32)
    centres = random.normal(size=(classes, dimension)).astype(np.float32)
    ids = pa.array(np.arange(rows), pa.int64())
    features = folder / "features.parquet"
    schema = pa.schema([("sample_id", pa.int64()), ("embedding", pa.list_(pa.float32(), dimension))])
    with pq.ParquetWriter(features, schema) as writer:
        for first in range(0, rows, 10000):
            block = truth[first:first + 10000]
            values = centres[block] + 2 * random.normal(size=(len(block), dimension)).astype(np.float32)
            writer.write_table(
                pa.table([ids[first:first + 10000],
                          pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), dimension)], schema=schema))
    names = [{"name": f"class {c}", "published": f"class {c}", "node": ""} for c in range(classes)]
    header = {"format": "labelset", "version": 1, "dataset": "clusters", "classes": names, "provenance": {}}
    table = pa.table({
        "sample_id": ids, "path": pa.array([f"{i}.jpg" for i in range(rows)]),
        "split": pa.array(["train"] * rows).dictionary_encode(), "label": pa.array(given, pa.int32()),
        "true_label": pa.array(truth.astype(np.int32), pa.int32())})
    pq.write_table(table.replace_schema_metadata({"procsim": json.dumps(header)}), folder / "labels.parquet")
    return features, folder / "labels.parquet"


def measure(program, features, labels, out):
    start = time.perf_counter()
    process = subprocess.Popen([str(program), "score", "--embeddings", str(features), "--labels", str(labels), "--output",
                                str(out), "--force", "--json", "--quiet"], stdout=subprocess.PIPE, text=True)
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit("procsim-train score failed")
    return usage.ru_maxrss / 1024, time.perf_counter() - start, usage.ru_utime + usage.ru_stime, json.loads(said)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[20000, 200000])
    parser.add_argument("--classes", type=int, nargs="+", default=[500, 5000])
    parser.add_argument("--dimension", type=int, default=512)
    parser.add_argument("--bin", default=str(ROOT / "build/bin"))
    options = parser.parse_args()
    print("| samples × dimension | classes | peak memory | seconds wall (CPU) | rate said (0.1 drawn) |\n|---|---|---|---|---|")
    for rows, classes in zip(options.rows, options.classes):
        with tempfile.TemporaryDirectory() as folder:
            features, labels = write_case(Path(folder), rows, classes, options.dimension)
            memory, seconds, cpu, said = measure(Path(options.bin) / "procsim-train", features, labels,
                                                 Path(folder) / "scores.parquet")
        print(f"| {rows} × {options.dimension} | {classes} | {memory:.0f} MB | {seconds:.0f} ({cpu:.0f}) | "
              f"{said['noise_rate']['rate']:.3f} |", flush=True)


if __name__ == "__main__":
    main()
