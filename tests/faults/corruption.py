#!/usr/bin/env python3
"""Damages a valid input of each format in many seeded ways and runs a program on it.

    corruption.py --bin build/bin [--count N] [--seed S] [--only FORMAT] [--keep DIR]

Every run must end with exit code 0, or with 1 and one line on stderr that is no longer than a terminal can show; never
by a signal, after more than 5 s of processor time, or with more than 1 GB of memory. What breaks this is kept in DIR
with its seed. Needs the standard library, and the programs themselves to make the valid inputs.
"""
import argparse
import os
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

import faults

MOST_MEMORY = 1 << 30
MOST_SECONDS = 5


def npy(rows, columns):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    values = b"".join(struct.pack("<d", 0.85 if c == r % columns else 0.05) for r in range(rows) for c in range(columns))
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + values


NEWICK = "((sparrow,owl)land,(gull,tern)sea)bird;"
OBO = "format-version: 1.2\n\n" + "\n".join(
    f"[Term]\nid: B:{i}\nname: {name}\n" + (f"is_a: B:{parent} ! x\n" if parent is not None else "")
    for i, (name, parent) in enumerate([("bird", None), ("land", 0), ("sea", 0), ("sparrow", 1), ("owl", 1), ("gull", 2), ("tern", 2)]))
NESTED = '{"name": "bird", "children": [{"name": "land", "children": [{"name": "sparrow"}, {"name": "owl"}]}, {"name": "sea", "children": [{"name": "gull"}, {"name": "tern"}]}]}'

# Name, file below the folder, the command that reads it.
FORMATS = [
    ("csv", "birds.csv", ["taxo", "build", "birds.csv", "--workspace", "fresh"]),
    ("label set", ".procsim/labels/birds.parquet", ["noise", "stats", "--labels", ".procsim/labels/birds.parquet"]),
    ("scores", "probabilities.scores.parquet",
     ["curate", "report", "--scores", "probabilities.scores.parquet", "-o", "page", "--force"]),
    ("npy", "p.npy", ["curate", "import-scores", "p.npy", "--labels", ".procsim/labels/birds.parquet", "-o", "o.parquet"]),
    ("probabilities", "probabilities.csv",
     ["curate", "import-scores", "probabilities.csv", "--labels", ".procsim/labels/birds.parquet", "-o", "o.parquet"]),
    ("tree table", "tree.csv", ["taxo", "import", "tree.csv", "--dataset", "birds", "-o", "o.json"]),
    ("newick", "tree.nwk", ["taxo", "import", "tree.nwk", "--dataset", "birds", "-o", "o.json"]),
    ("obo", "tree.obo", ["taxo", "import", "tree.obo", "--dataset", "birds", "-o", "o.json"]),
    ("nested json", "tree.json", ["taxo", "import", "tree.json", "--dataset", "birds", "-o", "o.json"]),
    ("taxonomy", ".procsim/taxonomies/birds.json", ["taxo", "stats", "--taxonomy", ".procsim/taxonomies/birds.json"]),
    ("overrides", "overrides.tsv", ["taxo", "build", "birds.csv", "--overrides", "overrides.tsv", "--workspace", "fresh"]),
    ("decisions", "decisions.csv", ["curate", "import", "decisions.csv"]),
    ("workspace", ".procsim/workspace.db", ["curate", "log"]),
]


def mutated(data, draw):
    data = bytearray(data)
    for _ in range(draw.choice([1, 1, 1, 2, 4, 16])):
        size = len(data)
        if size == 0:
            break
        at = draw.randrange(size)
        kind = draw.randrange(8)
        if kind == 0:
            data[at] ^= 1 << draw.randrange(8)
        elif kind == 1:
            data[at] = draw.randrange(256)
        elif kind == 2:
            del data[at:]
        elif kind == 3:
            del data[at:at + draw.randrange(1, 64)]
        elif kind == 4:
            data[at:at] = bytes(draw.randrange(256) for _ in range(draw.randrange(1, 64)))
        elif kind == 5:
            data[at:at + 4] = struct.pack("<I", draw.choice([0, 1, 0x7fffffff, 0xffffffff, 1 << 30]))
        elif kind == 6:
            data[at:at] = data[at:at + draw.randrange(1, 256)] * draw.choice([1, 2, 50])
        else:
            data[at:at + 8] = struct.pack("<Q", draw.choice([(1 << 63) - 1, 1 << 62, 1 << 40]))
    return bytes(data)


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(options, place, words):
    """(what is wrong or None, exit code)"""
    errors = open(f"{place}/../stderr", "w+b")
    process = subprocess.Popen([f"{options.bin}/{words[0]}", *words[1:]], cwd=place, preexec_fn=limits, stderr=errors,
                               stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    errors.seek(0)
    text = errors.read().decode(errors="replace")
    errors.close()
    if os.WIFSIGNALED(status):
        return f"signal {os.WTERMSIG(status)}: {text[-300:]}", None
    code = os.WEXITSTATUS(status)
    if usage.ru_maxrss * 1024 > MOST_MEMORY:
        return f"{usage.ru_maxrss >> 10} MB of memory", code
    if code not in (0, 1):
        return f"exit {code}: {text[-300:]}", code
    own = [line for line in text.splitlines() if line.startswith(f"{words[0]}: ")]
    if code == 1 and len(own) != 1:
        return f"{len(own)} lines of its own: {text[-300:]}", code
    if "unexpected failure" in text:
        return f"not caught where it occurs: {text[-300:]}", code
    if len(text) > 10_000:
        return f"{len(text)} bytes on stderr", code
    return None, code


def prepare(options, folder):
    os.makedirs(folder)
    faults.make_inputs(folder)
    for name, text in [("tree.nwk", NEWICK), ("tree.obo", OBO), ("tree.json", NESTED),
                       ("overrides.tsv", "owl\towl%1:05:00::\tthe bird\n")]:
        with open(f"{folder}/{name}", "w") as file:
            file.write(text)
    with open(f"{folder}/p.npy", "wb") as file:
        file.write(npy(120, 4))
    for step, words in faults.STEPS:
        if step in ("build", "import-scores"):
            subprocess.run([f"{options.bin}/{words[0]}", *words[1:]], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
    os.makedirs(f"{folder}/fresh")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=os.path.abspath)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--keep", type=os.path.abspath)
    options = parser.parse_args()
    work = tempfile.mkdtemp(prefix="corruption-")
    failures = 0
    try:
        prepare(options, f"{work}/valid")
        for name, file, words in FORMATS:
            if options.only not in (None, name):
                continue
            with open(f"{work}/valid/{file}", "rb") as source:
                valid = source.read()
            accepted = refused = 0
            for number in range(options.count + 1):
                draw = random.Random(f"{options.seed} {name} {number}")
                place = f"{work}/place"
                shutil.rmtree(place, ignore_errors=True)
                shutil.copytree(f"{work}/valid", place)
                with open(f"{place}/{file}", "wb") as target:
                    target.write(valid if number == 0 else mutated(valid, draw))
                wrong, code = run(options, place, words)
                if number == 0 and code != 0:
                    wrong = wrong or f"the valid file is refused (exit {code})"
                accepted, refused = accepted + (code == 0), refused + (code == 1)
                if wrong:
                    failures += 1
                    print(f"{name}, number {number} of seed {options.seed}: {wrong}", flush=True)
                    if options.keep:
                        os.makedirs(options.keep, exist_ok=True)
                        shutil.copy(f"{place}/{file}", f"{options.keep}/{name.replace(' ', '-')}-{options.seed}-{number}")
            print(f"{name}: {accepted} taken, {refused} refused", flush=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
