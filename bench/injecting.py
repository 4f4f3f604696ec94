#!/usr/bin/env python3
"""`noise inject --semantic 0.2` on label sets of 1,000 classes in 40 groups, whole program, against what one would write instead.

    bench/injecting.py arrow     10,000,000 labels; peer: Arrow reads every column and writes it again
    bench/injecting.py pandas    100,000,000 labels; peer: pandas reads, NumPy draws siblings, pandas writes. The note has our memory at a tenth of the rows too

--rows takes other sizes. Label sets are made below --work and used again; programs write and sync to the same disk, the peers do not sync.
"""
import argparse
import json
import statistics
import sys
from pathlib import Path

from bench_environment import ROOT, enter_environment
from bench_row import add_options, finish, in_turns, run

GROUPS, PER_GROUP, RATE, CHUNK = 40, 25, 0.2, 1 << 20
CLASSES = GROUPS * PER_GROUP


def write_taxonomy(path):
    node = lambda id, parent: {"id": id, "name": id, "gloss": "", "sense_key": "", "parent": parent}
    classes = [{"label": label, "name": f"class {label}", "published": f"class {label}", "node": f"group{label // PER_GROUP:02}", "how": "imported",
                "matched": "", "reason": ""} for label in range(CLASSES)]
    path.write_text(json.dumps({"format": "taxonomy", "version": 1, "dataset": "bench", "classes": classes,
                                "nodes": [node(f"group{group:02}", "root") for group in range(GROUPS)] + [node("root", None)]}))
    return path


def write_labels(path, rows):
    if path.exists():
        return path
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
    classes = [{"name": f"class {label}", "published": f"class {label}", "node": f"group{label // PER_GROUP:02}"} for label in range(CLASSES)]
    header = {"format": "labelset", "version": 3, "dataset": "bench", "classes": classes, "provenance": {}}
    schema = pa.schema([("sample_id", pa.int64()), ("path", pa.string()), ("split", pa.dictionary(pa.int32(), pa.string())), ("label", pa.int64()),
                        ("true_label", pa.int64())], {"procsim": json.dumps(header)})
    splits = pa.array(["train", "test"])
    part = path.with_suffix(".part")
    with pq.ParquetWriter(part, schema, compression="zstd") as writer:
        for first in range(0, rows, CHUNK):
            ids = np.arange(first, min(first + CHUNK, rows))
            labels = ids * 2654435761 % CLASSES
            text = lambda values, width: pc.utf8_lpad(pc.cast(pa.array(values), pa.string()), width, "0")
            paths = pc.binary_join_element_wise("images/", text(labels, 4), "/", text(ids, 9), ".jpg", "")
            split = pa.DictionaryArray.from_arrays(pa.array((ids % 10 == 9).astype(np.int32)), splits)
            writer.write_table(pa.table([pa.array(ids), paths, split, pa.array(labels), pa.array(labels)], schema=schema))
    part.rename(path)
    return path


def rewrite_with_arrow(source, target):
    import pyarrow.parquet as pq
    file = pq.ParquetFile(source)
    with pq.ParquetWriter(target, file.schema_arrow, compression="zstd") as writer:
        for batch in file.iter_batches(batch_size=CHUNK):
            writer.write_batch(batch)


def inject_with_pandas(source, target):
    import numpy as np
    import pandas
    frame = pandas.read_parquet(source)
    random = np.random.default_rng(1)
    hit = np.flatnonzero((frame["split"] == "train").to_numpy() & (random.random(len(frame)) < RATE))
    labels = frame["label"].to_numpy(copy=True)
    steps = random.integers(1, PER_GROUP, len(hit))
    given = labels[hit]
    labels[hit] = given // PER_GROUP * PER_GROUP + (given + steps) % PER_GROUP
    frame["label"] = labels
    frame.to_parquet(target, compression="zstd")


PEERS = {"arrow": (rewrite_with_arrow, "Arrow reads and rewrites", 10**7, 1.0), "pandas": (inject_with_pandas, "NumPy + pandas", 10**8, 0.2)}


def main():
    if sys.argv[1:2] == ["peer"]:
        return PEERS[sys.argv[2]][0](*sys.argv[3:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--work", type=Path, default=ROOT / "build/bench/injecting")
    add_options(parser, rounds=3)
    options = parser.parse_args()
    _, name, rows, target = PEERS[options.peer]
    rows = options.rows or (10**5 if options.quick else rows)
    options.work.mkdir(parents=True, exist_ok=True)
    tree, output = write_taxonomy(options.work / "taxonomy.json"), options.work / "output.parquet"
    labels = {size: write_labels(options.work / f"labels-{size}.parquet", size) for size in (rows // 10, rows)}

    def ours(size=rows):
        return run([options.bin / "noise", "inject", "--labels", labels[size], "--taxonomy", tree, "--semantic", RATE, "--seed", 1, "--force",
                    "--output", output, "--quiet"], cwd=options.work)[1:]

    mine, theirs = in_turns(options.rounds, ours, lambda: run([sys.executable, __file__, "peer", options.peer, labels[rows], output])[1:])
    memory = [statistics.median(side[1] for side in sides) for sides in (mine, theirs)]
    finish(options, f"inject-{options.peer}", f"inject {rows:,} labels", [side[0] for side in mine], target, peer=name, theirs=[side[0] for side in theirs],
           note=f"peak memory {memory[0]:,.0f} MB (a tenth of the rows: {ours(rows // 10)[1]:,} MB) against {memory[1]:,.0f} MB")
    output.unlink()


if __name__ == "__main__":
    enter_environment("requirements-bench-data.txt")
    main()
