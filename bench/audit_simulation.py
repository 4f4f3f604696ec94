#!/usr/bin/env python3
"""Simulated audits with the program itself: does the interval hold the truth, how wide is it, and are probabilities
calibrated afterwards?

    bench/audit_simulation.py --bin build/bin --scores scores.parquet --truth truth.csv [--cards 100] [--audits 200] [--suspects 200]

The truth has the columns path and wrong (0 or 1), or the scores hold true labels. Every audit is drawn with another seed,
judged without mistakes, taken in by `curate import --audit`, in a workspace of its own. --suspects: so many of the most suspect
labels are judged before (fewer than 30 cards are no audit: the interval is then that of the decisions).
"""
import argparse
import csv
import json
import pathlib
import subprocess
import tempfile

import numpy as np
import pyarrow.parquet as pq


def calibration_error(p, wrong, bins=10):
    at = np.minimum((p * bins).astype(int), bins - 1)
    return sum(abs(wrong[at == k].mean() - p[at == k].mean()) * (at == k).mean() for k in range(bins) if (at == k).any())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build/bin"))
    parser.add_argument("--scores", type=pathlib.Path, required=True)
    parser.add_argument("--truth", type=pathlib.Path)
    parser.add_argument("--cards", type=int, default=100)
    parser.add_argument("--audits", type=int, default=200)
    parser.add_argument("--suspects", type=int, default=0)
    parser.add_argument("--calibrations", type=int, default=20, help="audits after which the probabilities are looked at")
    options = parser.parse_args()
    curate, scores = str((options.bin / "curate").resolve()), str(options.scores.resolve())
    rows = pq.read_table(scores, columns=["sample_id", "path", "label", "true_label", "p_mislabelled", "suspicion"]).to_pylist()
    if options.truth:
        by_path = {row["path"]: row["wrong"] == "1" for row in csv.DictReader(options.truth.open())}
        wrong = {row["sample_id"]: by_path[row["path"]] for row in rows}
    else:
        wrong = {row["sample_id"]: row["true_label"] is not None and row["label"] != row["true_label"] for row in rows}
    suspects = sorted(rows, key=lambda row: -row["suspicion"])[:options.suspects]
    truth = np.mean(list(wrong.values()))
    before = calibration_error(np.array([row["p_mislabelled"] for row in rows]), np.array([wrong[row["sample_id"]] for row in rows]))
    rates, halves, errors, held = [], [], [], 0
    for seed in range(options.audits):
        with tempfile.TemporaryDirectory() as folder:
            run = lambda *words: subprocess.run([curate, *words, "--scores", scores, "--quiet"], check=True,
                                                capture_output=True, text=True, cwd=folder).stdout
            if suspects:
                with open(f"{folder}/suspects.csv", "w", newline="") as file:
                    writer = csv.writer(file)
                    writer.writerow(["sample_id", "verdict", "new_label"])
                    writer.writerows([row["sample_id"], "none" if wrong[row["sample_id"]] else "keep", ""] for row in suspects)
                run("import", "suspects.csv", "--reviewer", "simulation")
            run("audit", "--output", "cards.csv", "--cards", str(options.cards), "--seed", str(seed))
            with open(f"{folder}/cards.csv") as file:
                cards = list(csv.DictReader(file))
            for card in cards:
                card["verdict"] = "none" if wrong[int(card["sample_id"])] else "keep"
            with open(f"{folder}/judged.csv", "w", newline="") as file:
                writer = csv.DictWriter(file, cards[0].keys())
                writer.writeheader()
                writer.writerows(cards)
            run("import", "judged.csv", "--audit", "--reviewer", "simulation")
            noise = json.loads(run("audit", "--json"))
            rates.append(noise["rate"])
            halves.append((noise["high"] - noise["low"]) / 2)
            held += noise["low"] <= truth <= noise["high"]
            if seed < options.calibrations:
                run("report", "--format", "csv", "--no-images", "--top", str(len(rows)), "--output", "report")
                with open(f"{folder}/report/suspects.csv") as file:
                    listed = list(csv.DictReader(file))
                errors.append(calibration_error(np.array([float(row["p_mislabelled"]) for row in listed]),
                                                np.array([wrong[int(row["sample_id"])] for row in listed])))
    print(f"{len(rows)} labels, {100 * truth:.2f} % wrong; {options.audits} audits of {options.cards} cards after {len(suspects)} suspects")
    print(f"mean estimate {100 * np.mean(rates):.2f} %, standard deviation {100 * np.std(rates):.2f} points")
    print(f"90 % interval: mean half width {100 * np.mean(halves):.2f} points, holds the truth {100 * held / options.audits:.1f} %")
    if errors:
        print(f"calibration error: {before:.3f} as scored, {np.mean(errors):.3f} after the audit (mean of {len(errors)})")


if __name__ == "__main__":
    main()
