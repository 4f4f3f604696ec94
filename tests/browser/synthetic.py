"""Makes scores, a taxonomy and images as the trainer and taxo would leave them, without either.

    python tests/browser/synthetic.py --out DIR [--samples 600] [--classes 12] [--noise 0.2] [--images DIR|draw|none]

The probabilities are calibrated by construction: suspicion is normal around +1 for wrong labels and −1 for right ones,
so log odds = 2·suspicion + log odds of the noise rate. `--hostile` gives classes and paths that try to break out of the
page. `--images DIR` takes the *.jpg below DIR, in name order, class after class.
"""
import argparse
import json
import pathlib

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

FAMILIES = {"gull": ["Herring Gull", "Western Gull", "Ring-billed Gull"], "tern": ["Arctic Tern", "Common Tern", "Black Tern"],
            "sparrow": ["Song Sparrow", "House Sparrow", "Fox Sparrow"], "warbler": ["Palm Warbler", "Pine Warbler", "Myrtle Warbler"]}
HOSTILE = {0: "<script>window.broken=1</script>", 3: "</script><img src=x onerror=window.broken=2>", 5: "../../etc/passwd",
           7: "\"'&<b>|*_`[x](javascript:1)"}


def class_names(count, hostile):
    families = list(FAMILIES)
    if count <= 12:
        named = [(name, family) for family in families for name in FAMILIES[family]][:count]
    else:
        named = [(f"Species {i:04d}", f"family {i // 6:03d}") for i in range(count)]
    if hostile:
        named = [(HOSTILE.get(i, name), family) for i, (name, family) in enumerate(named)]
    return named


def taxonomy(named, dataset):
    families = sorted({family for _, family in named})
    node = lambda id, name, parent: {"id": id, "name": name, "gloss": "", "sense_key": "", "parent": parent}
    nodes = [node("bird.n.01", "bird", None)] + [node(f"{f.replace(' ', '_')}.n.01", f, "bird.n.01") for f in families]
    if "gull" in families:  # a level more, so that relatives exist
        nodes += [node("seabird.n.01", "seabird", "bird.n.01")]
        for entry in nodes:
            if entry["name"] in ("gull", "tern"):
                entry["parent"] = "seabird.n.01"
    nodes.sort(key=lambda entry: entry["id"])
    classes = [{"label": i, "name": name, "published": f"{i:03d}.{name}", "node": f"{family.replace(' ', '_')}.n.01",
                "how": "imported", "matched": "", "reason": ""} for i, (name, family) in enumerate(named)]
    return {"format": "taxonomy", "version": 1, "dataset": dataset, "nodes": nodes, "classes": classes}


def draw(path, label, rng):
    from PIL import Image, ImageDraw
    image = Image.new("RGB", (128, 112), tuple(int(v) for v in rng.integers(150, 230, 3)))
    pen = ImageDraw.Draw(image)
    hue = [(200, 60, 50), (60, 90, 190), (50, 140, 70), (170, 120, 30)][label // 3 % 4]
    x, y = (int(v) for v in rng.integers(10, 40, 2))
    pen.ellipse([x, y, x + 70, y + 50], fill=hue)
    pen.ellipse([x + 50, y - 8, x + 82, y + 24], fill=tuple(v // (1 + label % 3) for v in hue))
    pen.polygon([(x + 80, y + 5), (x + 96, y + 9), (x + 80, y + 13)], fill=(240, 180, 40))
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, quality=88)


def lists(values, counts, type):
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(values, type))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=int, default=600)
    parser.add_argument("--classes", type=int, default=12)
    parser.add_argument("--noise", type=float, default=0.2)
    parser.add_argument("--images", default="draw")
    parser.add_argument("--hostile", action="store_true")
    parser.add_argument("--interval", type=float, nargs=2, help="of the rate of wrong labels, as the scores state it")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    n, c = options.samples, options.classes
    named = class_names(c, options.hostile)
    options.out.mkdir(parents=True, exist_ok=True)

    truth = np.sort(rng.integers(0, c, n)).astype(np.int32)
    wrong = rng.random(n) < options.noise
    family = np.array([sorted({f for _, f in named}).index(f) for _, f in named])
    near = np.array([[j for j in range(c) if j != i and family[j] == family[i]] or [(i + 1) % c] for i in range(c)],
                    dtype=object)
    pick_near = np.array([near[t][k % len(near[t])] for t, k in zip(truth, rng.integers(0, 1 << 30, n))])
    pick_any = (truth + rng.integers(1, c, n)) % c
    label = np.where(wrong, np.where(rng.random(n) < 0.6, pick_near, pick_any), truth).astype(np.int32)
    suspicion = rng.normal(np.where(wrong, 1.0, -1.0), 1.0)
    log_odds = 2 * suspicion + np.log(options.noise / (1 - options.noise))
    p = 1 / (1 + np.exp(-log_odds))
    other = np.array([near[t][k % len(near[t])] for t, k in zip(label, rng.integers(0, 1 << 30, n))])
    suggested = np.where(wrong, truth, other).astype(np.int32)
    third = (suggested + 1) % c
    third = np.where(third == label, (third + 1) % c, third).astype(np.int32)
    ids = np.arange(n, dtype=np.int64) * 3 + 11

    by_label = [ids[label == k] for k in range(c)]
    def neighbours(labels):
        draws = rng.integers(0, 1 << 30, (n, 3))
        rows = [[by_label[k][d % len(by_label[k])] for d in row] if len(by_label[k]) else [] for k, row in zip(labels, draws)]
        return lists(np.array([v for row in rows for v in row], np.int64), [len(row) for row in rows], pa.int64())
    fourth = (third + 1) % c
    fourth = np.where((fourth == label) | (fourth == suggested), (fourth + 1) % c, fourth)
    fourth = np.where((fourth == label) | (fourth == suggested), (fourth + 1) % c, fourth).astype(np.int32)
    angle = 2 * np.pi * truth / c
    place = np.stack([np.cos(angle), np.sin(angle)], 1) * 3 + rng.normal(0, 0.4, (n, 2))
    duplicate = (rng.random(n) < 0.02) & wrong
    paths = [f"{t:04d}/{i}.jpg" for t, i in zip(truth, ids)]
    root = options.out / "images"
    if options.images == "draw":
        for path, t in zip(paths, truth):
            draw(root / path, int(t), rng)
    elif options.images != "none":
        found = sorted(pathlib.Path(options.images).rglob("*.jpg"))
        paths = [str(found[i * len(found) // n].relative_to(options.images)) for i in range(n)]
    if options.hostile:
        paths[0] = "../outside.jpg"
        paths[1] = "/etc/hostname"
        paths[2] = "<img src=x onerror=window.broken=3>.jpg"
        suspicion[:3] = 9
        p[:3] = 0.99
    p32 = p.astype(np.float32)
    table = pa.table({
        "sample_id": ids, "path": paths, "label": label, "true_label": truth,
        "proxy_loss": (2 + suspicion).astype(np.float32), "confidence": (1 - p32), "p_mislabelled": p32,
        "suspicion": suspicion.astype(np.float32), "p_given": ((1 - p32) * 0.9).astype(np.float32),
        "margin": np.log(np.maximum(p, 1e-4) * 0.8 / np.maximum((1 - p) * 0.9, 1e-4)).astype(np.float32), "suggested": suggested,
        "rival_labels": lists(np.stack([suggested, third, fourth], 1).ravel(), [3] * n, pa.int32()),
        "rival_probabilities": lists(np.stack([p * 0.8, p * 0.1, p * 0.05], 1).ravel().astype(np.float32), [3] * n, pa.float32()),
        "near_given": neighbours(label), "near_suggested": neighbours(suggested),
        "duplicates": lists(ids[(np.nonzero(duplicate)[0] + 1) % n], duplicate.astype(int), pa.int64()),
        "fold": (ids % 5).astype(np.int32), "near_rivals": neighbours(third),
        "map_x": place[:, 0].astype(np.float32), "map_y": place[:, 1].astype(np.float32),
    })
    header = {"format": "scores", "version": 1, "dataset": "birds",
              "classes": [{"name": name, "published": f"{i:03d}.{name}"} for i, (name, _) in enumerate(named)],
              "provenance": {"program": "synthetic"}, "estimates": None}
    if options.interval:
        low, high = options.interval
        header["estimates"] = {"noise_rate": {"rate": (low + high) / 2, "low": low, "high": high}}
    pq.write_table(table.replace_schema_metadata({"procsim": json.dumps(header)}), options.out / "scores.parquet",
                   row_group_size=65536)
    (options.out / "taxonomy.json").write_text(json.dumps(taxonomy(named, "birds"), indent=1))


if __name__ == "__main__":
    main()
