#!/usr/bin/env python3
"""Small valid inputs for each fuzzer: make_seeds.py FOLDER. Needs pyarrow and Pillow (build/env)."""
import io
import json
import os
import struct
import sys
import zlib

import numpy
import pyarrow
import pyarrow.parquet
from PIL import Image


def parquet(columns, header):
    table = pyarrow.table(columns).replace_schema_metadata({"procsim": json.dumps(header)})
    out = io.BytesIO()
    pyarrow.parquet.write_table(table, out, compression="zstd")
    return out.getvalue()


def npy(array):
    out = io.BytesIO()
    numpy.save(out, array)
    return out.getvalue()


def image(kind, **options):
    out = io.BytesIO()
    Image.fromarray(numpy.arange(24 * 20 * 3, dtype=numpy.uint8).reshape(24, 20, 3)).save(out, kind, **options)
    return out.getvalue()


def mat_element(kind, data):
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


def mat_matrix(array_class, shape, name, *parts):
    head = mat_element(6, struct.pack("<II", array_class, 0)) + mat_element(5, struct.pack("<ii", *shape)) + mat_element(1, name)
    return mat_element(14, head + b"".join(parts))


def mat(compressed):
    text = mat_matrix(4, (1, 5), b"", mat_element(4, "1.jpg".encode("utf-16-le")))
    number = mat_matrix(6, (1, 1), b"", mat_element(9, struct.pack("<d", 3)))
    fields = b"class".ljust(32, b"\0") + b"fname".ljust(32, b"\0")
    structs = mat_matrix(2, (1, 1), b"annotations", struct.pack("<HHi", 5, 4, 32), mat_element(1, fields), number, text)
    names = mat_matrix(1, (1, 1), b"class_names", text)
    content = structs + names
    if compressed:
        content = b"".join(struct.pack("<II", 15, len(p)) + p for p in (zlib.compress(structs), zlib.compress(names)))
    return b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<HH", 0x0100, 0x4D49) + content


CLASSES = [{"name": "gull", "node": "", "published": "gull"}, {"name": "tern", "node": "", "published": "tern"}]
LABELS = {"sample_id": pyarrow.array([1, 2, 3]), "path": ["a.jpg", "b.jpg", "c.jpg"],
          "split": pyarrow.array(["train", "train", "test"]).dictionary_encode(), "label": pyarrow.array([0, 1, 0], pyarrow.int32()),
          "true_label": pyarrow.array([0, None, 1], pyarrow.int32())}
FLOATS = ["proxy_loss", "confidence", "p_mislabelled", "suspicion", "p_given", "margin"]
SCORES = {"sample_id": LABELS["sample_id"], "path": LABELS["path"], "label": LABELS["label"], "true_label": LABELS["true_label"],
          **{name: pyarrow.array([0.1, 0.2, 0.3], pyarrow.float32()) for name in FLOATS},
          "suggested": LABELS["label"], "rival_labels": pyarrow.array([[0], [1], []], pyarrow.list_(pyarrow.int32())),
          "rival_probabilities": pyarrow.array([[0.5], [0.5], []], pyarrow.list_(pyarrow.float32())),
          **{name: pyarrow.array([[1], [2], []], pyarrow.list_(pyarrow.int64())) for name in ("near_given", "near_suggested", "duplicates")},
          "fold": LABELS["label"]}
HEADER = {"version": 1, "dataset": "birds", "classes": CLASSES, "provenance": {}, "estimates": None}

SEEDS = {
    "csv": [b"path,label\na.jpg,gull\n\"b,\"\"c\",tern\n", b"path\tlabel\na\tb\n", b"a;b\n1;2\n"],
    "decisions": [
        b'{"format":"decisions/1","decisions":[{"sample":0,"verdict":"relabel","label":1,"reviewer":"bea","time":"2026-01-01T00:00:00Z"}]}',
        b'[{"data":{"sample_id":1},"annotations":[{"result":[{"value":{"choices":["gull"]}}],"completed_by":{"email":"a@b"}}]}]',
        b'{"categories":{"label":{"labels":[{"name":"gull"},{"name":"tern"}]}},"items":[{"id":"0","attr":{"sample_id":2},'
        b'"annotations":[{"type":"label","label_id":1}]}]}',
        b'{"classes":["gull","tern"],"labels":{"0.jpg":1,"1.jpg":null}}',
        b"sample_id,verdict,new_label,reviewer,time\n0,relabel,tern,bea,2026-01-01T00:00:00Z\n1,keep,,,\n"],
    "image": [image("JPEG"), image("JPEG", progressive=True), image("PNG")],
    "json_tree": [b'{"name": "bird", "children": [{"name": "gull"}, {"name": "tern"}]}', b'{"bird": ["gull", "tern"]}'],
    "label_set": [parquet(LABELS, {"format": "labelset", **HEADER})],
    "mat": [mat(False), mat(True)],
    "newick": [b"((sparrow:1,owl)land,('a b',tern)sea)bird;", b"(a,b);"],
    "npy": [npy(numpy.eye(3)), npy(numpy.ones((2, 4), dtype=numpy.float32))],
    "obo": [b"format-version: 1.2\n\n[Term]\nid: B:1\nname: bird\n\n[Term]\nid: B:2\nname: gull\nis_a: B:1 {source=\"x\"} ! bird\n"],
    "overrides": [b"owl\towl%1:05:00::\tthe bird\n# no\ngull\tgull.n.01\n"],
    "request": [b"GET /?token=x HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", b"POST /api HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}GET / HTTP/1.1\r\n\r\n"],
    "scores": [parquet(SCORES, {"format": "scores", **HEADER})],
    "taxonomy": [json.dumps({
        "format": "taxonomy", "version": 1, "dataset": "birds",
        "nodes": [{"id": "bird.n.01", "name": "bird", "gloss": "", "sense_key": ""},
                  {"id": "gull.n.01", "name": "gull", "gloss": "", "sense_key": "", "parent": "bird.n.01"}],
        "classes": [{"label": 0, "name": "gull", "published": "gull", "node": "gull.n.01", "how": "full-name", "matched": "gull", "reason": ""},
                    {"label": 1, "name": "tern", "published": "tern", "node": "bird.n.01", "how": "full-name", "matched": "tern", "reason": ""}],
    }).encode()],
    "vocabulary": [b"[UNK]\n[CLS]\n[SEP]\n[PAD]\ngull\n##s\n\xc3\xa9\n"],
}


def main():
    for name, seeds in SEEDS.items():
        folder = os.path.join(sys.argv[1], name)
        os.makedirs(folder, exist_ok=True)
        for number, seed in enumerate(seeds):
            with open(os.path.join(folder, f"seed-{number}"), "wb") as file:
                file.write(seed)


if __name__ == "__main__":
    main()
