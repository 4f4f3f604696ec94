#!/usr/bin/env python3
"""How many wrong labels a reviewer finds in each 25 cards: alone, while somebody else holds a card, and two at once.

    python bench/two_reviewers.py WORKSPACE [--truth truth.csv] [--cards 100]

WORKSPACE is one whose labels are scored (its newest label set); it is copied for each arrangement and stays as it is. Answers are the
truth. The likeliest errors come first: somebody else's open card may cost the others that card and nothing else.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from review_from_truth import Reviewer, read_truth  # noqa: E402

EACH = 25


def errors(reviewers, truth, cards):
    """In turn, a card each; the wrong labels among each 25 of everybody's own cards."""
    found = {reviewer.name: [] for reviewer in reviewers}
    for i in range(cards * len(reviewers)):
        reviewer = reviewers[i % len(reviewers)]
        found[reviewer.name].append(reviewer.judge(reviewer.next(), truth) in ("relabel", "none"))
    return {name: [sum(list_[at:at + EACH]) for at in range(0, cards, EACH)] for name, list_ in found.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workspace", type=pathlib.Path)
    parser.add_argument("--truth", help="CSV that says which labels are wrong (default: by the label set's true_label)")
    parser.add_argument("--cards", type=int, default=100, help="of each reviewer")
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/bin")
    options = parser.parse_args()
    curate = options.bin.resolve() / "curate"
    newest = max((options.workspace / ".procsim/labels").glob("*.parquet"), key=lambda path: path.stat().st_mtime)
    truth = read_truth(newest, options.truth)
    print(f"{newest.name}: wrong labels in each {EACH} cards")
    for words, names, holds in (("alone", ["ada"], False), ("another holds a card", ["ada"], True), ("two at once", ["ada", "bob"], False)):
        with tempfile.TemporaryDirectory(prefix="two-reviewers-") as folder:
            copy = pathlib.Path(folder) / "workspace"
            shutil.copytree(options.workspace, copy, ignore=shutil.ignore_patterns("reports"))
            server = subprocess.Popen([curate, "serve", "--audit", "0", "--quiet"], cwd=copy, stdout=subprocess.PIPE, text=True)
            try:
                url = server.stdout.readline().strip()
                if holds:
                    Reviewer(url, "idle").next()
                for name, counts in errors([Reviewer(url, name) for name in names], truth, options.cards).items():
                    print(f"  {words:20}  {name}: {', '.join(map(str, counts))}")
            finally:
                server.terminate()
                server.wait()


if __name__ == "__main__":
    main()
