#!/usr/bin/env python3
"""Damages a valid input of each format in many seeded ways and runs a program on it.

    corruption.py --bin build/bin [--count N] [--seed S] [--only FORMAT] [--keep DIR]

Every run must end with exit code 0, or with 1 and one line on stderr that is no longer than a terminal can show; never
by a signal, after more than 5 s of processor time, or with more than 1 GB of memory. What breaks this is kept in DIR
with its seed. Needs the standard library, and the programs themselves to make the valid inputs.
"""
import argparse
import base64
import json
import os
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

import faults

MOST_MEMORY = 1 << 30
MOST_SECONDS = 5


def npy_array(kind, shape, values):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + values


def npy(rows, columns):
    return npy_array("<f8", (rows, columns), b"".join(
        struct.pack("<d", 0.85 if c == r % columns else 0.05) for r in range(rows) for c in range(columns)))


def mask(rows):
    return npy_array("|i1", (rows,), bytes(i % 7 == 0 for i in range(rows)))


def png(side=16):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    lines = b"".join(b"\0" + bytes(value for x in range(side) for value in (16 * x, 16 * y, x * y)) for y in range(side))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)) + \
        chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


# The same picture, written once with Pillow (quality=20).
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71////m8H////6/+b9//"
    "j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj/wAARCAAQABADASIA"
    "AhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABAP/xAAXEAADAQAAAAAAAAAAAAAAAAAAA2EC/8QAFQEBAQAAAAAAAAAAAAAAAAAAAQP/xAAXEQADAQAA"
    "AAAAAAAAAAAAAAAAAQMS/9oADAMBAAIRAxEAPwAGEwRhMLrTBS0winoY2P/Z")


def mat(rows):
    """The list of Cars196, as MATLAB 5 writes it: class_names, and annotations of (image, class, test)."""
    def element(kind, data):
        return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)

    def matrix(kind, shape, name, *parts):
        return element(14, element(6, struct.pack("<II", kind, 0)) + element(5, struct.pack("<ii", *shape)) + element(1, name) +
                       b"".join(parts))

    def text(value):
        return matrix(4, (1, len(value)), b"", element(4, value.encode("utf-16-le")))

    def number(value):
        return matrix(6, (1, 1), b"", element(9, struct.pack("<d", value)))

    names = [b"relative_im_path", b"class", b"test"]
    values = [part for path, label, test in rows for part in (text(path), number(label), number(test))]
    annotations = matrix(2, (1, len(rows)), b"annotations", struct.pack("<HHi", 5, 4, 32),
                         element(1, b"".join(name.ljust(32, b"\0") for name in names)), *values)
    classes = matrix(1, (1, 2), b"class_names", text("Acura RL Sedan 2012"), text("Audi TT Coupe 2012"))
    content = b"".join(struct.pack("<II", 15, len(packed)) + packed for packed in map(zlib.compress, (annotations, classes)))
    return b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<HH", 0x0100, 0x4D49) + content


def safetensors():
    header = json.dumps({"__metadata__": {"source": "tests"}, "fc.weight": {"dtype": "F32", "shape": [2, 4], "data_offsets": [0, 32]}})
    header += " " * (-len(header) % 8)
    return struct.pack("<Q", len(header)) + header.encode() + bytes(32)


# Decisions on the same three samples as other tools say them.
DECISIONS = {"format": "decisions/1", "decisions": [{"sample": 0, "verdict": "relabel", "label": 1, "reviewer": "ada",
                                                     "time": "2026-01-01T00:00:00Z"}, {"sample": 1, "verdict": "keep"}]}
LABEL_STUDIO = [{"data": {"sample_id": i}, "annotations": [{"result": [{"value": {"choices": ["owl"]}}], "completed_by": 1}]}
                for i in range(3)]
DATUMARO = {"categories": {"label": {"labels": [{"name": name} for name in faults.CLASSES]}},
            "items": [{"id": str(i), "attr": {"sample_id": i}, "annotations": [{"type": "label", "label_id": 2}]} for i in range(3)]}
FIFTYONE = {"classes": faults.CLASSES, "labels": {f"{i:03}.jpg": 2 for i in range(3)}}

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
    ("decisions json", "decisions.json", ["curate", "import", "decisions.json", "--reviewer", "ada"]),
    ("label studio", "label-studio.json", ["curate", "import", "label-studio.json"]),
    ("datumaro", "datumaro.json", ["curate", "import", "datumaro.json", "--reviewer", "ada"]),
    ("fiftyone", "fiftyone.json", ["curate", "import", "fiftyone.json", "--reviewer", "ada"]),
    ("parquet data set", "set.parquet", ["taxo", "build", "set.parquet", "--workspace", "fresh"]),
    ("mat", "cars/cars_annos.mat", ["taxo", "build", "cars", "--workspace", "fresh"]),
    ("truth", "truth.csv", ["curate", "score", "--scores", "probabilities.scores.parquet", "--truth", "truth.csv"]),
    ("mask", "mask.npy", ["curate", "score", "--scores", "probabilities.scores.parquet", "--truth", "mask.npy"]),
    ("matrix", "matrix.csv", ["noise", "inject", "--labels", ".procsim/labels/birds.parquet", "--matrix", "matrix.csv", "-o",
                              "m.parquet"]),
    ("png", "pictures/gull/0.png", ["curate", "duplicates", "--workspace", "pictured"]),
    ("jpeg", "pictures/tern/0.jpg", ["curate", "duplicates", "--workspace", "pictured"]),
    ("safetensors", "models/resnet18.safetensors", ["procsim-train", "models", "--models", "models"]),
    ("workspace", ".procsim/workspace.db", ["curate", "log"]),
]


def mutated(data, draw):
    data = bytearray(data)
    for _ in range(draw.choice([1, 1, 1, 2, 4, 16])):
        size = len(data)
        if size == 0:
            break
        at = draw.randrange(size)
        kind = draw.randrange(9)
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
        elif kind == 7:
            depth = draw.choice([100, 5_000, 300_000])  # of what JSON and Newick nest
            opening, closing = draw.choice(["[]", "{}", "()"])
            data[at:at + draw.choice([0, 1, 8])] = (opening * depth + closing * depth).encode()
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
    for name in ("cars", "models", "pictures/gull", "pictures/tern"):
        os.makedirs(f"{folder}/{name}")
    for name, data in [("p.npy", npy(120, 4)), ("mask.npy", mask(120)), ("models/resnet18.safetensors", safetensors()),
                       ("cars/cars_annos.mat", mat([(f"car_ims/{i}.jpg", i % 2 + 1, i % 2) for i in range(1, 9)])),
                       *[(f"pictures/gull/{i}.png", png(16 - i)) for i in range(2)],
                       *[(f"pictures/tern/{i}.jpg", JPEG) for i in range(2)]]:
        with open(f"{folder}/{name}", "wb") as file:
            file.write(data)
    for name, content in [("decisions", DECISIONS), ("label-studio", LABEL_STUDIO), ("datumaro", DATUMARO), ("fiftyone", FIFTYONE)]:
        with open(f"{folder}/{name}.json", "w") as file:
            json.dump(content, file)
    with open(f"{folder}/truth.csv", "w") as file:
        file.write("sample_id,true_label\n" + "".join(f"{i},{faults.CLASSES[(i + (i % 7 == 0)) % 4]}\n" for i in range(120)))
    with open(f"{folder}/matrix.csv", "w") as file:
        file.write("from,to,p\nowl,gull,0.2\nowl,owl,0.8\ngull,tern,0.3\ngull,gull,0.7\n")
    for step, words in faults.STEPS:
        if step in ("build", "import-scores"):
            subprocess.run([f"{options.bin}/{words[0]}", *words[1:]], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
    os.makedirs(f"{folder}/fresh")
    shutil.copy(f"{folder}/.procsim/labels/birds.parquet", f"{folder}/set.parquet")
    subprocess.run([f"{options.bin}/taxo", "build", "pictures", "--workspace", "pictured"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


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
            if not os.path.exists(f"{options.bin}/{words[0]}"):
                print(f"{name}: {words[0]} is not built", flush=True)
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
