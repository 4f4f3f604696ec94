#!/usr/bin/env python3
"""Adds gcovr's counts up per room: coverage_table.py SUMMARY.JSON"""
import collections
import json
import os
import sys

ROOMS = ("data", "taxonomy", "noise", "train", "curate", "tools")
KINDS = ("line_covered", "line_total", "branch_covered", "branch_total")


def room_of(file, root):
    """data/files/csv.cpp → data/files; none for what is not ours. Headers are seen through the links of a view."""
    parts = os.path.relpath(os.path.realpath(file), root).split(os.sep)
    if parts[0] not in ROOMS:
        return None
    return parts[0] if parts[0] in ("noise", "train") or len(parts) < 3 else "/".join(parts[:2])


def main(summary):
    root = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))
    rooms = collections.defaultdict(collections.Counter)
    for entry in json.load(open(summary))["files"]:
        room = room_of(os.path.join(root, entry["filename"]), root)
        if room:
            for name in (room, "all"):
                rooms[name].update({kind: entry[kind] for kind in KINDS})
    print(f"{'room':<22}{'lines':>8}{'reached':>9}{'branches':>10}{'reached':>9}")
    for name in sorted(rooms, key=lambda name: (name == "all", name)):
        lines, branches = (rooms[name][k] for k in ("line_total", "branch_total"))
        reached = [100 * rooms[name][k] / max(n, 1) for k, n in (("line_covered", lines), ("branch_covered", branches))]
        print(f"{name:<22}{lines:>8}{reached[0]:>8.1f}%{branches:>10}{reached[1]:>8.1f}%")


if __name__ == "__main__":
    main(*sys.argv[1:])
