#!/usr/bin/env python3
"""Every fourth feature of DINOv2 ViT-S/14, computed from its published weights in plain PyTorch, for pixels that both sides
make by formula. Run once in an environment with torch:

    python make_dinov2.py dinov2-vits14.fp16.safetensors > dinov2.json

The weights have the names of the original repository. Positions become 16×16 or 8×8 of 37×37 as transformers does: bicubic,
without antialiasing.
"""
import json
import struct
import sys

import torch
import torch.nn.functional as F


def read_safetensors(path):
    data = open(path, "rb").read()
    size, = struct.unpack("<Q", data[:8])
    types = {"F16": torch.float16, "F32": torch.float32}
    tensors = {}
    for name, entry in json.loads(data[8:8 + size]).items():
        if name == "__metadata__":
            continue
        begin, end = (8 + size + place for place in entry["data_offsets"])
        tensors[name] = torch.frombuffer(bytearray(data[begin:end]), dtype=types[entry["dtype"]]).reshape(entry["shape"]).float()
    return tensors


def features(w, pixels, heads=6, patch=14):
    layer = lambda name, x: F.linear(x, w[name + ".weight"], w[name + ".bias"])
    norm = lambda name, x: F.layer_norm(x, x.shape[-1:], w[name + ".weight"], w[name + ".bias"], eps=1e-6)
    x = F.conv2d(pixels, w["patch_embed.proj.weight"], w["patch_embed.proj.bias"], stride=patch)
    side = x.shape[-1]
    x = x.flatten(2).transpose(1, 2)
    place = w["pos_embed"]
    grid = place[:, 1:].reshape(1, 37, 37, -1).permute(0, 3, 1, 2)
    grid = F.interpolate(grid, size=(side, side), mode="bicubic", align_corners=False).permute(0, 2, 3, 1).flatten(1, 2)
    x = torch.cat([w["cls_token"].expand(x.shape[0], -1, -1) + place[:, :1], x + grid], dim=1)
    rows, tokens, width = x.shape
    for block in (f"blocks.{i}." for i in range(12)):
        y = layer(block + "attn.qkv", norm(block + "norm1", x)).reshape(rows, tokens, 3, heads, width // heads)
        query, key, value = y.permute(2, 0, 3, 1, 4)
        attention = (query @ key.transpose(-1, -2) * (width // heads) ** -0.5).softmax(-1)
        y = (attention @ value).transpose(1, 2).reshape(rows, tokens, width)
        x = x + w[block + "ls1.gamma"] * layer(block + "attn.proj", y)
        y = layer(block + "mlp.fc2", F.gelu(layer(block + "mlp.fc1", norm(block + "norm2", x))))
        x = x + w[block + "ls2.gamma"] * y
    return norm("norm", x)[:, 0]


weights = read_safetensors(sys.argv[1])
images = []
for size in (224, 112):
    pixels = torch.cos(0.003 * torch.arange(3 * size * size, dtype=torch.float64)).float().reshape(1, 3, size, size)
    with torch.no_grad():
        row = features(weights, pixels)[0]
    images.append({"size": size, "step": 4, "norm": row.norm().item(), "features": row[::4].tolist()})
print(json.dumps({"images": images}))
