#!/usr/bin/env python3
"""Reviews a running `curate serve` as a perfect reviewer would: asks for card after card over HTTP and answers from the
true labels of a label set. Measures what review can give at best.

    curate serve | scripts/review_from_truth.py --labels labels.parquet --cards 300

The address comes from --url, or from the first line of standard input.
"""
import argparse
import json
import sys
import urllib.parse
import urllib.request

import pyarrow.parquet as pq


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", required=True, help="label set with the column true_label")
    parser.add_argument("--url", help="what curate serve printed")
    parser.add_argument("--cards", type=int, default=300, help="how many to review at most")
    parser.add_argument("--reviewer", default="truth")
    options = parser.parse_args()
    table = pq.read_table(options.labels, columns=["sample_id", "true_label"]).to_pydict()
    truth = dict(zip(table["sample_id"], table["true_label"]))
    address = urllib.parse.urlsplit(options.url or sys.stdin.readline().strip())
    token = urllib.parse.parse_qs(address.query)["token"][0]
    base = f"{address.scheme}://{address.netloc}"

    def ask(path, body=None):
        headers = {"X-Curate-Token": token, "Content-Type": "application/json"}
        data = json.dumps(body).encode() if body is not None else None
        with urllib.request.urlopen(urllib.request.Request(base + path, data, headers), timeout=60) as answer:
            return json.load(answer)

    counts = {"keep": 0, "relabel": 0, "skip": 0}
    for _ in range(options.cards):
        card = ask("/api/next?" + urllib.parse.urlencode({"reviewer": options.reviewer})).get("card")
        if card is None:
            break
        label = truth.get(card["id"])
        word = {"reviewer": options.reviewer, "sample": card["id"], "ticket": card["ticket"]}
        if label is None:
            word["verdict"] = "skip"
        elif label == card["given"]:
            word["verdict"] = "keep"
        else:
            word.update(verdict="relabel", label=label)
        ask("/api/decisions", word)
        counts[word["verdict"]] += 1
    print(json.dumps({"reviewed": sum(counts.values()), **counts}))


if __name__ == "__main__":
    main()
