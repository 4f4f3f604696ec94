#!/usr/bin/env python3
"""DINOv2 ViT-S/14 without training on CUB: features and Recall@1 in plain PyTorch, independent of our code.

    bench/dinov2_zero_shot.py WEIGHTS.safetensors [--split test|train] [--first N] [--positions plain|antialias|offset] [--out FILE.npz]
                              [--ours EMBEDDINGS.parquet --labels LABELS.parquet]

The model is transformers' Dinov2Model, images are decoded and scaled by Pillow (shorter side 256, bicubic, centre 224). WEIGHTS has the
names of the original repository. Classes 101 to 200 are the test split, as in docs/datasets.md. Recall@1: the nearest other image by
cosine has the same class. --positions: how the 37×37 positions become 16×16: as transformers does (plain), antialiased as timm does, or
with the original repository's scale factor (offset). PROCSIM_DATA is where cub200/ lies.

--ours: what 'procsim-train score --no-train --split test --backbone dinov2-vits14 --labels LABELS.parquet --save-embeddings EMBEDDINGS.parquet'
kept: Recall@1 of both on the same images, which must agree to 0.1, and the cosine of the two features of an image.
"""
import argparse
import os
import time
from pathlib import Path

from bench_environment import enter_environment


def hugging_face_weights(path):
    import torch
    from safetensors.torch import load_file
    state = {name: tensor.float() for name, tensor in load_file(path).items()}
    names = {"cls_token": "embeddings.cls_token", "pos_embed": "embeddings.position_embeddings",
             "patch_embed.proj.weight": "embeddings.patch_embeddings.projection.weight",
             "patch_embed.proj.bias": "embeddings.patch_embeddings.projection.bias",
             "norm.weight": "layernorm.weight", "norm.bias": "layernorm.bias"}
    parts = {"norm1": "norm1", "norm2": "norm2", "attn.proj": "attention.output.dense", "mlp.fc1": "mlp.fc1", "mlp.fc2": "mlp.fc2"}
    out = {names[name]: tensor for name, tensor in state.items() if name in names}
    out["embeddings.mask_token"] = torch.zeros(1, out["embeddings.cls_token"].shape[-1])
    for name, tensor in state.items():
        if not name.startswith("blocks."):
            continue
        _, block, rest = name.split(".", 2)
        layer = f"encoder.layer.{block}."
        if rest.startswith("attn.qkv."):
            for part, piece in zip(("query", "key", "value"), tensor.chunk(3)):
                out[f"{layer}attention.attention.{part}.{rest.split('.')[-1]}"] = piece
        elif rest.startswith("ls"):
            out[f"{layer}layer_scale{rest[2]}.lambda1"] = tensor
        else:
            part, kind = rest.rsplit(".", 1)
            out[f"{layer}{parts[part]}.{kind}"] = tensor
    return out


def make_model(path, positions):
    import tempfile

    import torch
    from safetensors.torch import save_file
    from transformers import Dinov2Config, Dinov2Model
    weights = hugging_face_weights(path)
    if positions != "plain":
        table = weights["embeddings.position_embeddings"]
        grid = table[:, 1:].reshape(1, 37, 37, -1).permute(0, 3, 1, 2)
        how = dict(size=(16, 16), antialias=True) if positions == "antialias" else dict(scale_factor=16.1 / 37)
        small = torch.nn.functional.interpolate(grid, mode="bicubic", **how)
        weights["embeddings.position_embeddings"] = torch.cat([table[:, :1], small.flatten(2).transpose(1, 2)], 1)
    config = Dinov2Config(hidden_size=384, num_attention_heads=6, num_hidden_layers=12,
                          image_size=518 if positions == "plain" else 224, patch_size=14)
    with tempfile.TemporaryDirectory() as folder:
        config.save_pretrained(folder)
        save_file({name: tensor.contiguous() for name, tensor in weights.items()}, Path(folder) / "model.safetensors", {"format": "pt"})
        model, said = Dinov2Model.from_pretrained(folder, output_loading_info=True)
    if said["missing_keys"] or said["unexpected_keys"]:
        raise SystemExit(f"the weights do not fit: {said}")
    return model.eval()


def pixels_of(path):
    import numpy as np
    import torch
    from PIL import Image
    image = Image.open(path).convert("RGB")
    width, height = image.size
    short = min(width, height)
    image = image.resize((int(256 * width / short), int(256 * height / short)), Image.BICUBIC)
    left, top = round((image.width - 224) / 2), round((image.height - 224) / 2)
    values = np.asarray(image.crop((left, top, left + 224, top + 224)), dtype=np.float32) / 255
    values = (values - np.array([0.485, 0.456, 0.406], np.float32)) / np.array([0.229, 0.224, 0.225], np.float32)
    return torch.from_numpy(values).permute(2, 0, 1)


def samples_of(root, split, first):
    read = lambda name: dict(line.split() for line in (root / name).read_text().splitlines())
    paths, labels = read("images.txt"), read("image_class_labels.txt")
    chosen, count = [], {}
    for number in sorted(paths, key=int):
        label = int(labels[number])
        if (label > 100) != (split == "test"):
            continue
        count[label] = count.get(label, 0) + 1
        if first == 0 or count[label] <= first:
            chosen.append((int(number), root / "images" / paths[number], label))
    return chosen


def recall_at_1(features, labels):
    import torch
    rows = torch.nn.functional.normalize(features, dim=1)
    similarity = rows @ rows.T
    similarity.fill_diagonal_(-2)
    return 100 * (labels[similarity.argmax(1)] == labels).double().mean().item()


def our_features(embeddings, labels, samples):
    """Rows of our file in the order of `samples`, found by the image's path."""
    import numpy as np
    import pyarrow.parquet as pq
    import torch
    image = lambda path: tuple(Path(path).parts[-2:])
    table = pq.read_table(labels, columns=["sample_id", "path"]).to_pydict()
    id_of = {image(path): number for number, path in zip(table["sample_id"], table["path"])}
    table = pq.read_table(embeddings)
    column, = (name for name in table.column_names if name != "sample_id")
    row_of = dict(zip(table["sample_id"].to_pylist(), range(table.num_rows)))
    rows = np.stack(table[column].to_numpy())
    try:
        return torch.from_numpy(rows[[row_of[id_of[image(path)]] for _, path, _ in samples]])
    except KeyError as missing:
        raise SystemExit(f"{embeddings} lacks the image or sample {missing}: keep the embeddings of all images of the split")


def main():
    import numpy as np
    import torch
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights")
    parser.add_argument("--split", choices=("test", "train"), default="test")
    parser.add_argument("--first", type=int, default=0, help="images of each class (0: all)")
    parser.add_argument("--positions", choices=("plain", "antialias", "offset"), default="plain")
    parser.add_argument("--out", help="keep the features (.npz: id, label, features)")
    parser.add_argument("--ours", help="embeddings that procsim-train has kept, to compare with")
    parser.add_argument("--labels", help="the label set that they are of")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    if bool(options.ours) != bool(options.labels):
        parser.error("--ours and --labels go together")
    torch.set_num_threads(options.threads)
    root = Path(os.environ["PROCSIM_DATA"]) / "cub200/CUB_200_2011"
    samples = samples_of(root, options.split, options.first)
    model = make_model(options.weights, options.positions)
    rows, start = [], time.perf_counter()
    with torch.inference_mode():
        for begin in range(0, len(samples), 16):
            batch = torch.stack([pixels_of(path) for _, path, _ in samples[begin:begin + 16]])
            rows.append(model(batch).last_hidden_state[:, 0])
    seconds = time.perf_counter() - start
    features = torch.cat(rows)
    labels = torch.tensor([label for _, _, label in samples])
    if options.out:
        np.savez(options.out, id=[number for number, _, _ in samples], label=labels.numpy(), features=features.numpy())
    recall = recall_at_1(features, labels)
    print(f"{len(samples)} images of the {options.split} classes, positions {options.positions}: "
          f"Recall@1 {recall:.2f}, {1000 * seconds / len(samples):.0f} ms an image")
    if options.ours:
        ours = our_features(options.ours, options.labels, samples)
        cosine = torch.nn.functional.cosine_similarity(ours.double(), features.double())
        our_recall = recall_at_1(ours, labels)
        print(f"ours: Recall@1 {our_recall:.2f} ({our_recall - recall:+.2f}); cosine of the features: median {cosine.median():.6f}, "
              f"least {cosine.min():.6f}")
        raise SystemExit(0 if abs(our_recall - recall) <= 0.1 else "Recall@1 differs by more than 0.1")


if __name__ == "__main__":
    enter_environment("requirements-bench-models.txt")
    main()
