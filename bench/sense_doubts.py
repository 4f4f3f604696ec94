#!/usr/bin/env python3
"""Are doubts where places are wrong? Holds `taxo build` of names alone against senses that are known.

    python bench/sense_doubts.py --wnids ../shared/imagenet/wnids.txt [--sets 30] [--names 100] [--seed 1] [--taxo build/bin/taxo]

ImageNet's classes are synsets: sets of them are drawn, each goes in as WordNet's first word for it, and the sense that comes out is
compared. Then Caltech-101, judged by a person (tests/taxonomy/resolve/caltech_senses.tsv). Prints how many places are wrong, how many are
doubted, how many of each are both, and of ImageNet how many are wrong at each level of doubt.
"""
import argparse
import csv
import json
import pathlib
import random
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def synsets(folder):
    """wnid → (name, sense key) of its first word."""
    found = {}
    for line in open(folder / "data.noun", encoding="latin-1"):
        if line.startswith("  "):
            continue
        offset, file, _, _, word, lex_id = line.split(" ")[:6]
        found["n" + offset] = (word.replace("_", " "), f"{word.lower()}%1:{file}:{int(lex_id, 16):02d}::")
    return found


def build(taxo, names):
    """A row per name: sense key, whether it is doubted, how much, whether it has a place."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "names.txt").write_text("\n".join(names) + "\n")
        subprocess.run([taxo, "build", "names.txt", "--quiet"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        table = next((folder / ".procsim/taxonomies").glob("*.tsv"))
        tree = json.loads(next((folder / ".procsim/taxonomies").glob("*.json")).read_text())
        levels = {entry["name"]: entry.get("doubt_level", 0) for entry in tree["classes"]}
        rows = {row["class"]: row for row in csv.DictReader(open(table), delimiter="\t", quoting=csv.QUOTE_NONE)}
        return [(rows[name]["sense_key"], rows[name]["ambiguous"] == "yes", levels[name], rows[name]["how"] != "unresolved")
                for name in names]


def say(what, rows):
    wrong = [row for row in rows if row["wrong"]]
    doubted = [row for row in rows if row["doubted"]]
    both = sum(row["wrong"] for row in doubted)
    print(f"{what}: {len(rows)} places, {len(wrong)} wrong; {len(doubted)} doubted, {both} of them wrong; {len(wrong) - both} wrong and not doubted")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wnids", type=pathlib.Path, required=True)
    parser.add_argument("--wordnet", type=pathlib.Path, default=pathlib.Path("/usr/share/wordnet"))
    parser.add_argument("--sets", type=int, default=30)
    parser.add_argument("--names", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--taxo", type=pathlib.Path, default=ROOT / "build/bin/taxo")
    options = parser.parse_args()
    taxo = options.taxo.resolve()
    known, rng, rows = synsets(options.wordnet), random.Random(options.seed), []
    wnids = options.wnids.read_text().split()
    for _ in range(options.sets):
        truth = dict(known[wnid] for wnid in rng.sample(wnids, options.names))  # of two of one name, the last
        for (name, right), (key, doubted, level, placed) in zip(truth.items(), build(taxo, list(truth))):
            if placed:
                rows.append({"wrong": key != right, "doubted": doubted, "level": level})
    say(f"ImageNet, {options.sets} sets of {options.names} names", rows)
    for low, high in ((0.2, 0.35), (0.35, 0.5), (0.5, 0.7), (0.7, 1.01)):
        here = [row for row in rows if low <= row["level"] < high]
        if here:
            print(f"  doubt {low:.2f} to {min(high, 1):.2f}: {len(here)} places, {sum(row['wrong'] for row in here) / len(here):.0%} wrong, "
                  f"{sum(row['level'] for row in here) / len(here):.0%} said")
    judged = dict(line.rstrip("\n").split("\t") for line in open(ROOT / "tests/taxonomy/resolve/caltech_senses.tsv")
                  if not line.startswith("#"))
    rows = []
    for (name, right), (key, doubted, level, placed) in zip(judged.items(), build(taxo, list(judged))):
        if placed:
            rows.append({"name": name, "wrong": key not in right.split(" "), "doubted": doubted, "level": level})
    say("Caltech-101", rows)
    ranked = sorted(rows, key=lambda row: -row["level"])
    print("  the most doubtful: " + ", ".join(row["name"] + (" (wrong)" if row["wrong"] else "") for row in ranked[:10]))
    print("  wrong and not doubted: " + ", ".join(row["name"] for row in rows if row["wrong"] and not row["doubted"]))


if __name__ == "__main__":
    main()
