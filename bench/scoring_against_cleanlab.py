#!/usr/bin/env python3
"""Which labels are wrong: `procsim-train score --embeddings` against cleanlab on the same features and label sets.

    bench/scoring_against_cleanlab.py [--dataset NAME] [--backbone NAME] [--features FILE] [--seeds N] [--peer plain|unit] [--noise MODEL RATE]… [--coverage N] [--bin DIR]
        [--scoring-options FILE] [--json FILE] [--quick]
    bench/scoring_against_cleanlab.py --fine-tuned [WORD…]

Features: CUB's 100 training classes by a pretrained backbone (EfficientNet-Lite0 at 224 px, or what --backbone says), made once with
`procsim-train score --no-train --save-embeddings` (or any Parquet file with sample_id and a list column). --dataset takes another
set of PROCSIM_DATA: caltech101 and tinyimagenet are folders of class folders; roman has errors that people made, marked in its truth.csv,
and no noise is added to it. Label sets:
`noise inject`, uniform and semantic, 0.2 and 0.5 (or what --noise says), with our taxonomy. cleanlab: out-of-fold probabilities of a
5-fold logistic regression, on the features as they are with scikit-learn's settings, as its tutorials do it (plain), or on
centred features of unit length with less shrinkage (C = 10), which suits it better (unit), ranked by each of its three methods; the best one counts, chosen
with the truth, which flatters it. Ours: `suspicion` of the scores file. Seconds are wall
time: of the whole process for ours, of fitting and ranking alone for cleanlab.

--fine-tuned: a network is trained on every label set first (ProcSim with confidence from class means, as in
noise_training.py; one training a core, 5 minutes each), and both judge the labels by what it makes of the images.
Words after it go to every procsim-train. Finished runs are used again.

--coverage N: N injections between 0 and 0.5, alternately uniform and semantic: in how many does the 90 % interval of
the noise rate hold the true rate, and those of the classes their numbers, and the calibration error of p_mislabelled.

--scoring-options FILE: other numbers than the tuned ones (docs/scoring-method.md), to see what each is worth.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench_environment import ROOT, enter_environment
from bench_row import finish
from noise_training import words_of

FINE_TUNING = words_of("cub200", "procsim-means") + ["--epochs", "3", "--nmi", "false"]
KINDS = [("uniform", 0.2), ("uniform", 0.5), ("semantic", 0.2), ("semantic", 0.5)]


def run(program, *words, **options):
    done = subprocess.run([str(program), *map(str, words)], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{program} {' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


class Bench:
    def __init__(self, options):
        self.bin = Path(options.bin)
        self.work = Path(options.work)
        self.work.mkdir(parents=True, exist_ok=True)
        self.real_errors = options.dataset == "roman"
        if not (self.work / ".procsim").exists():
            run(self.bin / "taxo", "build", *self.source(options.dataset), "--quiet", cwd=self.work)
        self.base = next((self.work / ".procsim/labels").glob("*.parquet"))
        kept = "features.parquet" if options.backbone == "efficientnet-lite0" else f"features-{options.backbone}.parquet"
        self.features = Path(options.features) if options.features else self.work / kept
        self.run_name = []
        self.scoring_words = ["--scoring-options", Path(options.scoring_options).resolve()] if options.scoring_options else []
        if not self.features.exists() and options.fine_tuned is None:
            run(self.bin / "procsim-train", "score", "--no-train", "--split", "train", "--backbone", options.backbone, "--precision", "fp32", "--labels", self.base, "--save-embeddings",
                self.features, "--output", self.work / "base-scores.parquet", "--force", cwd=self.work)

    def source(self, dataset):
        """What `taxo build` reads."""
        folder = Path(os.environ.get("PROCSIM_DATA", ROOT.parent / "shared")).resolve() / dataset
        if dataset in ("cub200", "fieldguide"):
            return [dataset]
        if not self.real_errors:
            return [folder]
        import csv
        rows = list(csv.DictReader(open(folder / "truth.csv")))
        labels = self.work / "roman.csv"
        labels.write_text("path,label\n" + "".join(f"{row['path']},{row['label']}\n" for row in rows))
        (self.work / "wrong.json").write_text(json.dumps([row["path"] for row in rows if row["wrong"] == "1"]))
        return [labels, "--root", folder / "images"]

    def labels(self, kind, rate, seed):
        if self.real_errors or float(rate) == 0:
            return self.base
        path = self.work / f"{kind}-{rate}-{seed}.parquet"
        if not path.exists():
            run(self.bin / "noise", "inject", "--labels", self.base, f"--{kind}", rate, "--seed", seed, "-o", path,
                "--quiet", cwd=self.work)
        return path

    def fine_tune(self, kinds, seeds, words):
        """Trains a network on every label set, one a core."""
        sets = [self.labels(kind, rate, seed) for seed in range(1, seeds + 1) for kind, rate in kinds]

        def train(labels):
            features = labels.with_suffix(".features")
            if features.exists():
                return
            run(self.bin / "procsim-train", "--labels", labels, "--name", labels.stem, "--force", "--seed",
                labels.stem.split("-")[-1], *FINE_TUNING, "--threads", "1", "--workers", "1", *words, "--quiet",
                cwd=self.work)
            run(self.bin / "procsim-train", "embed", "--run", labels.stem, "--split", "train", "--output", features, "--quiet",
                cwd=self.work)
            print(f"trained {labels.stem}", file=sys.stderr, flush=True)

        train(sets[0])  # keeps the activations that all others use
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(train, sets[1:]))

    def use_run_of(self, labels):
        self.features = labels.with_suffix(".features")
        self.run_name = ["--run", labels.stem]

    def table(self, labels):
        import pyarrow.parquet as pq
        rows = pq.read_table(labels, columns=["sample_id", "path", "split", "label", "true_label"]).to_pydict()
        keep = [i for i, split in enumerate(rows["split"]) if split == "train"]
        if self.real_errors:  # which labels are wrong is known, not what they should be
            wrong = set(json.loads((self.work / "wrong.json").read_text()))
            rows["true_label"] = [-1 if path in wrong else label for path, label in zip(rows["path"], rows["label"])]
        truth = {rows["sample_id"][i]: rows["true_label"][i] for i in keep}
        given = {rows["sample_id"][i]: rows["label"][i] for i in keep}
        return given, {k: given[k] if v is None else v for k, v in truth.items()}

    def ours(self, labels, taxonomy=True):
        import pyarrow.parquet as pq
        out = self.work / "scores.parquet"
        words = ([] if taxonomy else ["--no-taxonomy"]) + self.scoring_words
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        said = run(self.bin / "procsim-train", "score", *self.run_name, "--embeddings", self.features, "--labels", labels, "--output", out,
                   "--force", "--json", "--quiet", *words, cwd=self.work)
        seconds = time.perf_counter() - start
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
        rows = pq.read_table(out, columns=["sample_id", "suspicion", "p_mislabelled"]).to_pydict()
        return rows, json.loads(said)["noise_rate"], seconds, cpu

    def matrix(self, ids):
        import numpy as np
        import pyarrow.parquet as pq
        table = pq.read_table(self.features)
        lists = next(name for name in table.schema.names if "list" in str(table.schema.field(name).type))
        column = table[lists].combine_chunks()
        values = np.asarray(column.flatten(), dtype=np.float32).reshape(len(table), -1)
        place = {sample: row for row, sample in enumerate(table["sample_id"].to_pylist())}
        return values[[place[sample] for sample in ids]]


def cleanlab_scores(features, given, peer):
    """The peer: scores by each of its rankings, larger = more suspect, and how long it took."""
    from cleanlab.rank import get_label_quality_scores
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict
    start, cpu = time.perf_counter(), time.process_time()
    if peer == "unit":
        features = features - features.mean(0)
        features /= (features**2).sum(1, keepdims=True)**0.5
    # On features as they are the solver runs into its default limit; with ten times that it takes ten minutes a set.
    model = LogisticRegression(C=10, max_iter=200) if peer == "unit" else LogisticRegression()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        probabilities = cross_val_predict(model, features, given, cv=5, method="predict_proba")
    scores = {
        method: -get_label_quality_scores(given, probabilities, method=method)
        for method in ("self_confidence", "normalized_margin", "confidence_weighted_entropy")
    }
    return scores, time.perf_counter() - start, time.process_time() - cpu


def calibration_error(said, wrong, bins=15):
    import numpy as np
    place = np.minimum((said * bins).astype(int), bins - 1)
    return sum(
        abs(said[place == b].sum() - wrong[place == b].sum()) for b in range(bins)) / len(said)


def compare(bench, options):
    import numpy as np
    from sklearn.metrics import average_precision_score, roc_auc_score
    print("AUROC / average precision, seconds wall (CPU); mean over seeds "
          f"1–{options.seeds}\n| noise | cleanlab, best ranking | ours | ours − cleanlab | calibration error | time ratio |")
    print("|---|---|---|---|---|---|", flush=True)
    wall = []
    for kind, rate in options.noise:
        peer, own = [], []
        for seed in range(1, options.seeds + 1):
            labels = bench.labels(kind, rate, seed)
            if options.fine_tuned is not None:
                bench.use_run_of(labels)
            given, truth = bench.table(labels)
            ids = sorted(given)
            wrong = np.array([given[i] != truth[i] for i in ids])
            if options.only != "ours":
                scores, seconds, cpu = cleanlab_scores(bench.matrix(ids), np.array([given[i] for i in ids]),
                                                       options.peer)
                best = max(scores.values(), key=lambda s: average_precision_score(wrong, s))
                peer.append((max(roc_auc_score(wrong, s) for s in scores.values()),
                             average_precision_score(wrong, best), seconds, cpu))
            if options.only != "cleanlab":
                rows, _, seconds, cpu = bench.ours(labels)
                order = {sample: row for row, sample in enumerate(rows["sample_id"])}
                suspicion = np.array([rows["suspicion"][order[i]] for i in ids])
                said = np.array([rows["p_mislabelled"][order[i]] for i in ids])
                own.append((roc_auc_score(wrong, suspicion), average_precision_score(wrong, suspicion), seconds, cpu,
                            calibration_error(said, wrong)))
        p, o = np.mean(peer, 0) if peer else [np.nan] * 4, np.mean(own, 0) if own else [np.nan] * 5
        print(f"| {kind} {rate} | {p[0]:.4f} / {p[1]:.4f}, {p[2]:.1f} ({p[3]:.1f}) s | {o[0]:.4f} / {o[1]:.4f}, "
              f"{o[2]:.1f} ({o[3]:.1f}) s | {o[0] - p[0]:+.4f} / {o[1] - p[1]:+.4f} | {o[4]:.3f} | "
              f"{o[2] / p[2]:.3f} wall, {o[3] / p[3]:.3f} CPU |", flush=True)
        wall += [(a[2], b[2]) for a, b in zip(own, peer)]
    if wall:
        finish(options, "scores", f"cross-fitted scores, features of {options.dataset}", [a for a, _ in wall], 0.12,
               peer="scikit-learn + cleanlab 2.9", theirs=[b for _, b in wall],
               note=f"{len(wall)} label sets: " + ", ".join(f"{kind} {rate}" for kind, rate in options.noise))


def class_coverage(bench, given, truth):
    """Of the classes: how many have an interval, in the scores just made, that holds their number of wrong labels."""
    import collections
    import pyarrow.parquet as pq
    metadata = pq.read_schema(bench.work / "scores.parquet").metadata
    wrong = collections.Counter(given[i] for i in given if given[i] != truth[i])
    said = json.loads(metadata[b"procsim"])["estimates"]["by_class"]
    return sum(one["low"] <= wrong[one["label"]] <= one["high"] for one in said) / len(said)


def coverage(bench, options):
    import numpy as np
    covered, errors, widths, by_class = 0, [], [], []
    for number in range(options.coverage):
        kind = "uniform" if number % 2 == 0 else "semantic"
        rate = round(0.5 * (number // 2) / max(1, (options.coverage + 1) // 2 - 1), 3)
        given, truth = bench.table(labels := bench.labels(kind, rate, 100 + number))
        rows, said, _, _ = bench.ours(labels)
        wrong = np.array([given[i] != truth[i] for i in rows["sample_id"]])
        inside = said["low"] <= wrong.mean() <= said["high"]
        covered += inside
        errors.append(calibration_error(np.array(rows["p_mislabelled"]), wrong))
        widths.append(said["high"] - said["low"])
        by_class.append(class_coverage(bench, given, truth))
        print(f"{kind} {rate}: {wrong.mean():.4f} wrong, said {said['rate']:.4f} ({said['low']:.4f} – {said['high']:.4f}) "
              f"{'' if inside else 'MISSED'} calibration error {errors[-1]:.3f}", flush=True)
    print(f"interval holds the true rate in {covered} of {options.coverage}, mean width {np.mean(widths):.3f}; "
          f"calibration error mean {np.mean(errors):.3f}, largest {np.max(errors):.3f}; interval of a class holds its "
          f"number of wrong labels in {np.mean(by_class):.3f} of the classes, at least {np.min(by_class):.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", choices=("cub200", "roman", "caltech101", "tinyimagenet", "fieldguide"), default="cub200")
    parser.add_argument("--backbone", default="efficientnet-lite0", help="whose features (default: %(default)s)")
    parser.add_argument("--features", help="Parquet file of features (default: made once)")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--noise", nargs=2, action="append", metavar=("MODEL", "RATE"),
                        help="of noise inject: pair 0.2 (default: uniform and semantic, 0.2 and 0.5)")
    parser.add_argument("--coverage", type=int, default=0, help="injections for the interval instead of the table")
    parser.add_argument("--fine-tuned", nargs=argparse.REMAINDER, metavar="WORD",
                        help="train a network on every label set; words for procsim-train (last option)")
    parser.add_argument("--scoring-options", metavar="FILE", help="other numbers than the tuned ones")
    parser.add_argument("--only", choices=("ours", "cleanlab"))
    parser.add_argument("--peer", choices=("plain", "unit"), default="plain", help="features that cleanlab's model gets")
    parser.add_argument("--bin", default=str(ROOT / "build/bin"))
    parser.add_argument("--quick", action="store_true", help="fieldguide with a fifth of its labels wrong: says nothing of the ratio")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also add the row of bench/run.sh to this file")
    parser.add_argument("--work", help="where label sets and features are kept (default: build/bench/scoring)")
    options = parser.parse_args()
    if options.quick:
        options.dataset, options.noise, options.seeds = "fieldguide", [("uniform", 0.2)], 1
    options.work = options.work or str(ROOT / "build/bench" / ("scoring" if options.dataset == "cub200" else f"scoring-{options.dataset}"))
    options.noise = options.noise or ([("as it is", 0)] if options.dataset == "roman" else KINDS)
    bench = Bench(options)
    if options.fine_tuned is not None:
        bench.fine_tune(options.noise, options.seeds, options.fine_tuned)
    coverage(bench, options) if options.coverage else compare(bench, options)


if __name__ == "__main__":
    enter_environment("requirements-bench-scores.txt")
    main()
