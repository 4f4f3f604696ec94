#!/usr/bin/env python3
"""Loads what `procsim-train export` wrote into plain PyTorch, with nothing but torch installed. The parameter names are
torchvision's (ResNet), timm's (EfficientNet-Lite, ViT) and the original repository's (Swin), so model.safetensors also loads into their models once the last
layer (fc, classifier) is replaced by a linear layer of the exported size.

    from load_embedder import load_embedder
    model, config = load_embedder("exported/")
    embeddings = model(pixels)   # batch × 3 × size × size, scaled as config says: unit rows

    scripts/load_embedder.py FOLDER PIXELS.safetensors OUT.safetensors   embeds the tensor "pixels"
"""
import json
import math
import struct
import sys
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

FORMAT = "embedder/1"  # of config.json, as 'procsim-train export' writes it
TYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "F64": torch.float64, "I64": torch.int64}


def read_safetensors(path):
    raw = Path(path).read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8:8 + length])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        start, end = (8 + length + offset for offset in entry["data_offsets"])
        tensors[name] = torch.frombuffer(bytearray(raw[start:end]), dtype=TYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors


def write_safetensors(path, tensors):
    header, data, offset = {}, b"", 0
    for name, tensor in tensors.items():
        raw = tensor.float().contiguous().numpy().tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [offset, offset + len(raw)]}
        data, offset = data + raw, offset + len(raw)
    text = json.dumps(header).encode()
    Path(path).write_bytes(struct.pack("<Q", len(text)) + text + data)


class Basic(nn.Module):
    expansion = 1

    def __init__(self, inside, width, stride, stride_first=False):
        super().__init__()
        self.conv1 = nn.Conv2d(inside, width, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.downsample = None
        if stride != 1 or inside != width:
            self.downsample = nn.Sequential(nn.Conv2d(inside, width, 1, stride, bias=False), nn.BatchNorm2d(width))

    def forward(self, x):
        out = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(out + (self.downsample(x) if self.downsample else x))


class Bottleneck(nn.Module):
    expansion = 4

    def __init__(self, inside, width, stride, stride_first=False):
        super().__init__()
        out = width * 4
        self.conv1 = nn.Conv2d(inside, width, 1, stride if stride_first else 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, 1 if stride_first else stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, out, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(out)
        self.downsample = None
        if stride != 1 or inside != out:
            self.downsample = nn.Sequential(nn.Conv2d(inside, out, 1, stride, bias=False), nn.BatchNorm2d(out))

    def forward(self, x):
        out = F.relu(self.bn1(self.conv1(x)))
        out = self.bn3(self.conv3(F.relu(self.bn2(self.conv2(out)))))
        return F.relu(out + (self.downsample(x) if self.downsample else x))


class ResNet(nn.Module):
    def __init__(self, block, depths, stride_first=False):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        inside = 64
        for i, depth in enumerate(depths):
            width = 64 << i
            layer = []
            for b in range(depth):
                layer.append(block(inside, width, 2 if b == 0 and i > 0 else 1, stride_first))
                inside = width * block.expansion
            setattr(self, f"layer{i + 1}", nn.Sequential(*layer))

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 3, 2, 1)
        for i in range(1, 5):
            x = getattr(self, f"layer{i}")(x)
        return x.mean((2, 3))


class SameConv2d(nn.Conv2d):
    """TensorFlow's SAME padding."""

    def forward(self, x):
        pads = []
        for size, kernel, stride in zip(x.shape[:1:-1], self.kernel_size[::-1], self.stride[::-1]):
            total = max(0, (-(-size // stride) - 1) * stride + kernel - size)
            pads += [total // 2, total - total // 2]
        return F.conv2d(F.pad(x, pads), self.weight, self.bias, self.stride, 0, 1, self.groups)


def lite_norm(width):
    return nn.BatchNorm2d(width, eps=1e-3, momentum=0.01)


class LiteBlock(nn.Module):
    def __init__(self, inside, out, kernel, stride, expansion):
        super().__init__()
        middle = inside * expansion
        self.expands = expansion > 1
        self.residual = inside == out and stride == 1
        if self.expands:
            self.conv_pw, self.bn1 = SameConv2d(inside, middle, 1, bias=False), lite_norm(middle)
            self.conv_dw, self.bn2 = SameConv2d(middle, middle, kernel, stride, groups=middle, bias=False), lite_norm(middle)
            self.conv_pwl, self.bn3 = SameConv2d(middle, out, 1, bias=False), lite_norm(out)
        else:
            self.conv_dw, self.bn1 = SameConv2d(middle, middle, kernel, stride, groups=middle, bias=False), lite_norm(middle)
            self.conv_pw, self.bn2 = SameConv2d(middle, out, 1, bias=False), lite_norm(out)

    def forward(self, x):
        if self.expands:
            y = F.relu6(self.bn1(self.conv_pw(x)))
            y = self.bn3(self.conv_pwl(F.relu6(self.bn2(self.conv_dw(y)))))
        else:
            y = self.bn2(self.conv_pw(F.relu6(self.bn1(self.conv_dw(x)))))
        return x + y if self.residual else y


def rounded(width):
    """To a multiple of 8, not below nine tenths."""
    result = max(8, int(width + 4) // 8 * 8)
    return result + 8 if result < 0.9 * width else result


class EfficientNetLite(nn.Module):
    STAGES = ((16, 3, 1, 1, 1), (24, 3, 2, 6, 2), (40, 5, 2, 6, 2), (80, 3, 2, 6, 3), (112, 5, 1, 6, 3), (192, 5, 2, 6, 4),
              (320, 3, 1, 6, 1))

    def __init__(self, wider=1.0, deeper=1.0):
        super().__init__()
        self.conv_stem, self.bn1 = SameConv2d(3, 32, 3, 2, bias=False), lite_norm(32)
        inside, stages = 32, []
        for number, (out, kernel, stride, expansion, repeats) in enumerate(self.STAGES):
            stage, out = [], rounded(out * wider)
            if 0 < number < 6:
                repeats = math.ceil(repeats * deeper - 1e-9)
            for r in range(repeats):
                stage.append(LiteBlock(inside, out, kernel, stride if r == 0 else 1, expansion))
                inside = out
            stages.append(nn.Sequential(*stage))
        self.blocks = nn.Sequential(*stages)
        self.conv_head, self.bn2 = SameConv2d(inside, 1280, 1, bias=False), lite_norm(1280)

    def forward(self, x):
        x = self.blocks(F.relu6(self.bn1(self.conv_stem(x))))
        return F.relu6(self.bn2(self.conv_head(x))).mean((2, 3))


class SmallBlock(nn.Module):
    def __init__(self, inside, out):
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(inside, out, 3, 2, 1, bias=False), nn.GroupNorm(8, out)
        self.conv2, self.norm2 = nn.Conv2d(out, out, 3, 1, 1, bias=False), nn.GroupNorm(8, out)
        self.shortcut = nn.Conv2d(inside, out, 1, 2, bias=False)

    def forward(self, x):
        return F.relu(self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x))))) + self.shortcut(x))


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.stem_norm = nn.Conv2d(3, 16, 5, 2, 2, bias=False), nn.GroupNorm(4, 16)
        widths = (16, 32, 64, 96, 128)
        for i in range(4):
            setattr(self, f"block{i + 1}", SmallBlock(widths[i], widths[i + 1]))

    def forward(self, x):
        x = F.relu(self.stem_norm(self.stem(x)))
        for i in range(1, 5):
            x = getattr(self, f"block{i}")(x)
        return x.mean((2, 3))


LITE = ((1.0, 1.0), (1.0, 1.1), (1.1, 1.2), (1.2, 1.4), (1.4, 1.8))
DEPTHS = {"resnet18": (2, 2, 2, 2), "resnet34": (3, 4, 6, 3), "resnet50": (3, 4, 6, 3), "resnet101": (3, 4, 23, 3)}


def make_backbone(name, tensors):
    if name == "small":
        return Small()
    if name.startswith("efficientnet-lite"):
        return EfficientNetLite(*LITE[int(name[-1])])
    if name.startswith("resnet"):
        plain = name.removesuffix("-v1")
        return ResNet(Basic if plain in ("resnet18", "resnet34") else Bottleneck, DEPTHS[plain], plain != name)
    from transformer_embedder import Swin, VisionTransformer
    return Swin(tensors) if name.startswith("swin") else VisionTransformer(tensors)


class Embedder(nn.Module):
    def __init__(self, backbone, head):
        super().__init__()
        self.backbone, self.head = backbone, head

    def forward(self, pixels):
        return F.normalize(self.head(self.backbone(pixels)), dim=1)


def load_embedder(folder):
    folder = Path(folder)
    config = json.loads((folder / "config.json").read_text())
    if config.get("format") != FORMAT:
        raise ValueError(f"{folder / 'config.json'} describes no model that this script knows: it is {config.get('format')}, not {FORMAT}")
    tensors = read_safetensors(folder / "model.safetensors")
    head = nn.Linear(config["features"], config["dimension"])
    head.load_state_dict({part: tensors.pop(f"{config['head']}.{part}") for part in ("weight", "bias")})
    backbone = make_backbone(config["architecture"], tensors)
    names = getattr(backbone, "names", {})
    missing, unexpected = backbone.load_state_dict({names.get(name, name): tensor for name, tensor in tensors.items()}, strict=False)
    missing = [name for name in missing if not name.endswith("num_batches_tracked")]
    if missing or unexpected:
        raise ValueError(f"model.safetensors does not fit {config['architecture']}: {missing[:3]} {unexpected[:3]}")
    return Embedder(backbone, head).eval(), config


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    model, _ = load_embedder(sys.argv[1])
    with torch.no_grad():
        write_safetensors(sys.argv[3], {"embeddings": model(read_safetensors(sys.argv[2])["pixels"])})


if __name__ == "__main__":
    main()
