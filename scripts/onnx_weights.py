"""Weights of an ONNX file under the names of the PyTorch modules that it was exported from, with nothing but torch: the few fields of the
protocol buffer that hold them are read here.

PyTorch's exporter keeps the names of most parameters; the transposed weight of a linear layer becomes an unnamed input of a MatMul, which
still carries the path of its layer, and a table of positions that is reshaped first becomes an unnamed input of that.
"""
import math

import torch

# TensorProto.DataType
TYPES = {1: torch.float32, 2: torch.uint8, 3: torch.int8, 6: torch.int32, 7: torch.int64, 10: torch.float16, 11: torch.float64,
         16: torch.bfloat16}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """Number and content of the fields of a message; whole numbers as int, everything else as bytes."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = varint(data, at)
        else:
            if kind == 2:
                size, at = varint(data, at)
            elif kind in (1, 5):
                size = 8 if kind == 1 else 4
            else:
                raise ValueError("not a protocol buffer")
            if at + size > len(data):
                raise ValueError("the file is cut off")
            value, at = data[at:at + size], at + size
        yield tag >> 3, value


def read_tensor(data):
    sides, kind, name, raw = [], 0, "", b""
    for number, value in fields(data):
        if number == 1:
            if isinstance(value, int):
                sides.append(value)
            else:
                at = 0
                while at < len(value):
                    side, at = varint(value, at)
                    sides.append(side)
        elif number == 2:
            kind = value
        elif number == 8:
            name = bytes(value).decode()
        elif number in (4, 9):  # packed floats, or the bytes of any type
            raw = value
    if kind not in TYPES:
        return name, None
    if len(raw) == 0:
        return name, torch.empty(sides, dtype=TYPES[kind])
    return name, torch.frombuffer(bytearray(raw), dtype=TYPES[kind]).reshape(sides)


def read_graph(path):
    with open(path, "rb") as file:
        data = memoryview(file.read())
    graph = next((value for number, value in fields(data) if number == 7), None)
    if graph is None:
        raise ValueError("it holds no graph")
    tensors, nodes = {}, []
    for number, value in fields(graph):
        if number == 5:
            name, tensor = read_tensor(value)
            if tensor is not None:
                tensors[name] = tensor
        elif number == 1:
            node = {1: [], 3: "", 4: ""}
            for part, content in fields(value):
                if part == 1:
                    node[1].append(bytes(content).decode())
                elif part in (3, 4):
                    node[part] = bytes(content).decode()
            nodes.append(node)
    return tensors, nodes


def onnx_weights(path):
    tensors, nodes = read_graph(path)
    weights = {name.removeprefix("model."): tensor for name, tensor in tensors.items() if not name.startswith("onnx::")}
    for node in nodes:
        for name in node[1]:
            if not name.startswith("onnx::") or name not in tensors:
                continue
            if node[4] == "Conv":
                raise ValueError(f"{node[3].strip('/').rsplit('/', 1)[0].replace('/', '.')} carries the batch normalisation that followed "
                                 "it. Export again with do_constant_folding=False and training=TrainingMode.PRESERVE, or take "
                                 "the PyTorch weights")
            if node[4] == "MatMul":
                layer = node[3].strip("/").rsplit("/", 1)[0].replace("/", ".")
                weights[f"{layer}.weight"] = tensors[name].T.contiguous()
            elif node[4] == "Reshape" and "cls_token" in weights and tensors[name].dim() == 3:
                table = tensors[name]
                if math.isqrt(table.shape[1]) ** 2 != table.shape[1]:
                    continue
                # The exporter merges equal tensors: the place of the class token is the token itself in such a file.
                weights["pos_embed"] = torch.cat([weights["cls_token"], table], 1)
    return weights
