#!/usr/bin/env python3
"""Scores on many data sets, kinds of noise and features; constants are chosen on all data sets but one and judged on that one.

    bench/scoring_suite.py [--dataset NAME]… [--features NAME-SIZE]… [--noise KIND RATE]… [--seeds N] [--cleanlab] [--candidates FILE…] [--bin DIR] [--work DIR] [--results FILE]

Cells: data set × features × noise. Noise: `none` 0, `uniform`, `semantic`, `pair` of noise inject, `confusable` (a share of the labels becomes the class
that a cross-fitted model takes the image for most besides its own: `noise inject --knn` with the rivals of scores on clean labels), `open-set`
(images of --foreign under the labels; how well p_none finds them is a column). roman has errors that people made and is taken as it is. Features are made once with
`procsim-train score --no-train --save-embeddings` (0.05 to 0.15 s an image). Results are kept by cell in WORK/results.jsonl and not computed again.

Columns: AUROC and average precision of `suspicion`; true rate; the rate said with its 90 % interval, * where the interval misses; calibration error of
p_mislabelled (15 bins); CPU seconds. --cleanlab adds its best ranking on features as they are and on centred ones of unit length.

--candidates: files as --scoring-options takes them. For every data set, the file with the best mean average precision on all *others* is chosen, and
its results on that data set are what the table shows (left out: they had no part in the choice).
"""
import argparse
import json
import types
from pathlib import Path

from bench_environment import enter_environment
from scoring_against_cleanlab import ROOT, Bench, calibration_error, cleanlab_scores, run

NOISE = [("none", "0"), ("uniform", "0.2"), ("uniform", "0.5"), ("semantic", "0.2"), ("semantic", "0.5"), ("pair", "0.3"),
         ("confusable", "0.2"), ("confusable", "0.4"), ("open-set", "0.1")]


class Suite:
    def __init__(self, options):
        self.options = options
        self.work = Path(options.work)
        self.work.mkdir(parents=True, exist_ok=True)
        self.kept = Path(options.results) if options.results else self.work / "results.jsonl"
        lines = self.kept.read_text().splitlines() if self.kept.exists() else []
        self.known = {json.dumps(entry["cell"]): entry for entry in map(json.loads, lines)}
        self.benches = {}

    def bench(self, dataset, features):
        if (dataset, features) in self.benches:
            return self.benches[dataset, features]
        backbone, size = features.rsplit("-", 1)
        file = self.work / dataset / f"{features}.parquet"
        one = Bench(types.SimpleNamespace(bin=self.options.bin, work=self.work / dataset, dataset=dataset, backbone=backbone, features=file,
                                          scoring_options=None, fine_tuned=[]))
        if not file.exists():
            run(one.bin / "procsim-train", "score", "--no-train", "--split", "train", "--backbone", backbone, "--image-size", size, "--labels", one.base,
                "--save-embeddings", file, "--output", one.work / f"clean-{features}.parquet", "--force", "--quiet", cwd=one.work)
        self.benches[dataset, features] = one
        return one

    def labels(self, bench, features, kind, rate, seed):
        """The label set of a cell, and the features that go with it."""
        if kind == "confusable":
            path, clean = bench.work / f"confusable-{features}-{rate}-{seed}.parquet", bench.work / f"clean-{features}.parquet"
            if not clean.exists():
                run(bench.bin / "procsim-train", "score", "--embeddings", bench.features, "--labels", bench.base, "--output", clean, "--quiet",
                    cwd=bench.work)
            if not path.exists():
                run(bench.bin / "noise", "inject", "--labels", bench.base, "--knn", rate, "--scores", clean, "--seed", seed, "-o", path, "--quiet",
                    cwd=bench.work)
            return path, bench.features
        if kind == "open-set":
            return self.open_set(bench, features, rate, seed)
        return bench.labels(kind, 0 if kind == "none" else rate, seed), bench.features

    def open_set(self, bench, features, rate, seed):
        import pyarrow as pa
        import pyarrow.parquet as pq
        foreign = self.bench(self.options.foreign, features)
        path = bench.work / f"open-set-{self.options.foreign}-{rate}-{seed}.parquet"
        if not path.exists():
            run(bench.bin / "noise", "inject", "--labels", bench.base, "--open-set", rate, "--foreign", foreign.base, "--foreign-prefix", "foreign/",
                "--seed", seed, "-o", path, "--quiet", cwd=bench.work)
        made = bench.work / f"{path.stem}-{features}.features"
        if not made.exists():
            id_of = dict(zip(*[pq.read_table(foreign.base)[name].to_pylist() for name in ("path", "sample_id")]))
            rows = pq.read_table(path).to_pylist()
            rows = [row for row in rows if row["split"] == "train"]
            ours = [row for row in rows if not row["path"].startswith("foreign/")]
            others = [row for row in rows if row["path"].startswith("foreign/")]
            table = list(bench.matrix([row["sample_id"] for row in ours])) + list(foreign.matrix([id_of[row["path"][8:]] for row in others]))
            pq.write_table(pa.table({"sample_id": [row["sample_id"] for row in ours + others], "embedding": [list(map(float, row)) for row in table]}),
                           made)
        return path, made

    def cell(self, dataset, features, kind, rate, seed, candidate):
        import numpy as np
        import pyarrow.parquet as pq
        from sklearn.metrics import average_precision_score, roc_auc_score
        key = [dataset, features, kind, rate, seed, candidate.name if candidate else ""]
        if (kept := self.known.get(json.dumps(key))) and ("cleanlab" in kept or not self.options.cleanlab):
            return kept
        bench = self.bench(dataset, features)
        labels, file = self.labels(bench, features, kind, rate, seed)
        usual, bench.features = bench.features, file
        bench.scoring_words = ["--scoring-options", candidate.resolve()] if candidate else []
        given, truth = bench.table(labels)
        _, said, _, cpu = bench.ours(labels)
        rows = pq.read_table(bench.work / "scores.parquet").to_pydict()
        wrong = np.array([given[i] != truth[i] for i in rows["sample_id"]])
        suspicion = np.array(rows["suspicion"])
        result = {"cell": key, "true": wrong.mean(), "said": said, "cpu": cpu,
                  "calibration": calibration_error(np.array(rows["p_mislabelled"]), wrong)}
        if 0 < wrong.sum() < len(wrong):
            result |= {"auroc": roc_auc_score(wrong, suspicion), "ap": average_precision_score(wrong, suspicion)}
        if kind == "open-set" and rows.get("p_none", [None])[0] is not None:
            none = np.array([truth[i] == -2 for i in rows["sample_id"]])
            result["none_auroc"] = roc_auc_score(none, np.array(rows["p_none"]))
        if self.options.cleanlab and 0 < wrong.sum():
            ids = rows["sample_id"]
            for peer in ("plain", "unit"):
                scores, _, used = cleanlab_scores(bench.matrix(ids), np.array([given[i] for i in ids]), peer)
                result.setdefault("cleanlab", {})[peer] = {
                    "auroc": max(roc_auc_score(wrong, s) for s in scores.values()),
                    "ap": max(average_precision_score(wrong, s) for s in scores.values()), "cpu": used}
        bench.features = usual
        with self.kept.open("a") as out:
            out.write(json.dumps(result) + "\n")
        self.known[json.dumps(key)] = result
        return result

    def kinds_of(self, dataset):
        return [("as it is", "0")] if dataset == "roman" else self.options.noise

    def results(self, dataset, candidate):
        return [(features, kind, rate, [self.cell(dataset, features, kind, rate, seed, candidate)
                                        for seed in range(1, (1 if dataset == "roman" else self.options.seeds) + 1)])
                for features in self.options.features for kind, rate in self.kinds_of(dataset)]

    def chosen_without(self, dataset):
        """The candidate that is best on all other data sets."""
        def merit(candidate):
            values = [cell["ap"] for other in self.options.dataset if other != dataset
                      for _, _, _, cells in self.results(other, candidate) for cell in cells if "ap" in cell]
            return sum(values) / max(1, len(values))
        candidates = self.options.candidates or [None]
        return candidates[0] if len(candidates) == 1 else max(candidates, key=merit)


def mean(cells, field):
    values = [cell[field] for cell in cells if field in cell]
    return sum(values) / len(values) if values else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", action="append", choices=("cub200", "roman", "caltech101", "tinyimagenet", "fieldguide"))
    parser.add_argument("--features", action="append", metavar="BACKBONE-SIZE")
    parser.add_argument("--noise", nargs=2, action="append", metavar=("KIND", "RATE"))
    parser.add_argument("--foreign", default="caltech101", help="data set of the open-set images")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--cleanlab", action="store_true")
    parser.add_argument("--candidates", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--bin", default=str(ROOT / "build/bin"))
    parser.add_argument("--results", help="file of the cells' results (default: results.jsonl in --work)")
    parser.add_argument("--work", default=str(ROOT / "build/bench/scoring-suite"))
    options = parser.parse_args()
    options.dataset = options.dataset or ["cub200", "roman", "caltech101", "tinyimagenet", "fieldguide"]
    options.features = options.features or ["efficientnet-lite0-224"]
    options.noise = options.noise or NOISE
    suite = Suite(options)
    print("| data set | features | noise | true rate | said (90 %) | calibration | AUROC / AP | cleanlab plain | cleanlab unit | p_none AUROC | CPU s |\n"
          "|---|---|---|---|---|---|---|---|---|---|---|", flush=True)
    held = widths = cells_seen = 0
    for dataset in options.dataset:
        for features, kind, rate, cells in suite.results(dataset, suite.chosen_without(dataset)):
            inside = [cell["said"]["low"] <= cell["true"] <= cell["said"]["high"] for cell in cells]
            held, cells_seen = held + sum(inside), cells_seen + len(cells)
            widths += sum(cell["said"]["high"] - cell["said"]["low"] for cell in cells)
            said = cells[0]["said"]
            peers = [" / ".join(f"{mean([c['cleanlab'][peer] for c in cells if 'cleanlab' in c], field):.3f}" for field in ("auroc", "ap"))
                     for peer in ("plain", "unit")]
            print(f"| {dataset} | {features} | {kind} {rate} | {mean(cells, 'true'):.3f} | {said['rate']:.3f} ({said['low']:.3f} – {said['high']:.3f})"
                  f"{'' if all(inside) else ' *'} | {mean(cells, 'calibration'):.3f} | {mean(cells, 'auroc'):.4f} / {mean(cells, 'ap'):.4f} | "
                  f"{peers[0]} | {peers[1]} | {mean(cells, 'none_auroc'):.4f} | {mean(cells, 'cpu'):.1f} |", flush=True)
    print(f"\nthe interval holds the true rate in {held} of {cells_seen} cells, mean width {widths / max(1, cells_seen):.3f}")


if __name__ == "__main__":
    enter_environment("requirements-bench-scores.txt")
    main()
