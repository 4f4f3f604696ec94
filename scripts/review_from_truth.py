#!/usr/bin/env python3
"""Reviews a running `curate serve` as a perfect reviewer would: asks for card after card over HTTP and answers from the
true labels of a label set. Measures what review can give at best.

    curate serve | scripts/review_from_truth.py --labels labels.parquet --cards 300

The address comes from --url, or from the first line of standard input. Truth that the label set does not know comes from
--truth: a CSV with the columns path and wrong (0 or 1). What is wrong there is called none of the classes.
"""
import argparse
import csv
import json
import sys
import urllib.parse
import urllib.request

import pyarrow.parquet as pq


NONE = -2  # in a label set: none of the classes


def read_truth(labels, truth=None):
    """Sample → true label, NONE, or None where nobody knows."""
    table = pq.read_table(labels, columns=["sample_id", "path", "label", "true_label"]).to_pydict()
    if truth is None:
        return dict(zip(table["sample_id"], table["true_label"]))
    with open(truth, newline="") as file:
        wrong = {row["path"]: row["wrong"] == "1" for row in csv.DictReader(file)}
    return {sample: NONE if wrong[path] else label
            for sample, path, label in zip(table["sample_id"], table["path"], table["label"]) if path in wrong}


class Reviewer:
    def __init__(self, url, name):
        address = urllib.parse.urlsplit(url)
        self.token = urllib.parse.parse_qs(address.query)["token"][0]
        self.base = f"{address.scheme}://{address.netloc}"
        self.name = name

    def ask(self, path, body=None):
        headers = {"X-Curate-Token": self.token, "Content-Type": "application/json"}
        data = json.dumps(body).encode() if body is not None else None
        with urllib.request.urlopen(urllib.request.Request(self.base + path, data, headers), timeout=60) as answer:
            return json.load(answer)

    def next(self):
        """The card that is hers until she decides it; None where nothing is left."""
        return self.ask("/api/next?" + urllib.parse.urlencode({"reviewer": self.name})).get("card")

    def judge(self, card, truth):
        """Says what is true of the card, and returns the verdict."""
        label = truth.get(card["id"])
        word = {"reviewer": self.name, "sample": card["id"], "ticket": card["ticket"], "verdict": "relabel"}
        if label is None:
            word["verdict"] = "skip"
        elif label == card["given"]:
            word["verdict"] = "keep"
        elif label == NONE:
            word["verdict"] = "none"
        else:
            word["label"] = label
        self.ask("/api/decisions", word)
        return word["verdict"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", required=True, help="label set")
    parser.add_argument("--truth", help="CSV that says which labels are wrong (default: by the label set's true_label)")
    parser.add_argument("--url", help="what curate serve printed")
    parser.add_argument("--cards", type=int, default=300, help="how many to review at most")
    parser.add_argument("--reviewer", default="truth")
    options = parser.parse_args()
    truth = read_truth(options.labels, options.truth)
    reviewer = Reviewer(options.url or sys.stdin.readline().strip(), options.reviewer)
    counts = {"keep": 0, "relabel": 0, "none": 0, "skip": 0}
    for _ in range(options.cards):
        card = reviewer.next()
        if card is None:
            break
        counts[reviewer.judge(card, truth)] += 1
    print(json.dumps({"reviewed": sum(counts.values()), **counts}))


if __name__ == "__main__":
    main()
