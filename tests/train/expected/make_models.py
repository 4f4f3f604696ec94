#!/usr/bin/env python3
"""Parameter names, shapes and outputs of torchvision's ResNets and timm's EfficientNet-Lite0 for weights and pixels that
both sides make by formula. Run once in an environment with torch, torchvision and timm:

    python make_models.py > models.json

Weights: the tensors of the state dict in the order of their names; element i of tensor t is
sin(0.37·i + t) · scale, with scale = sqrt(2 / fan_in) for matrices and convolutions; batch-norm weights and running
variances are 1 + 0.1·sin(…), other vectors 0.1·sin(…). Pixels are cos(0.05·i).
"""
import json
import sys
import types

# torchvision's compiled operators are not needed here, and may not fit the torch at hand.
sys.modules["torchvision._meta_registrations"] = types.ModuleType("torchvision._meta_registrations")
import timm
import torch
import torchvision


def fill(model):
    state = {k: v for k, v in sorted(model.state_dict().items()) if not k.endswith("num_batches_tracked")}
    for t, (name, tensor) in enumerate(state.items()):
        values = torch.sin(0.37 * torch.arange(tensor.numel(), dtype=torch.float64) + t)
        if tensor.dim() > 1:
            values *= (2 / (tensor.numel() / tensor.shape[0])) ** 0.5
        elif name.endswith("running_var") or (name.endswith(".weight") and tensor.dim() == 1):
            values = 1 + 0.1 * values
        else:
            values *= 0.1
        tensor.copy_(values.reshape(tensor.shape).float())
    return {name: list(tensor.shape) for name, tensor in state.items()}


def main():
    size = 64
    pixels = torch.cos(0.05 * torch.arange(2 * 3 * size * size, dtype=torch.float64)).float().reshape(2, 3, size, size)
    result = {"image_size": size}
    for ours, build in {"resnet18": lambda: torchvision.models.resnet18(), "resnet50": lambda: torchvision.models.resnet50(),
                        "efficientnet-lite0": lambda: timm.create_model("tf_efficientnet_lite0")}.items():
        model = build().eval()
        with torch.no_grad():
            shapes = fill(model)
            head = "classifier" if ours.startswith("eff") else "fc"
            setattr(model, head, torch.nn.Identity())
            features = model(pixels)
        shapes = {k: v for k, v in shapes.items() if not k.startswith(head + ".")}
        result[ours] = {"shapes": shapes, "features": features[:, ::97].tolist(),
                        "norms": features.norm(dim=1).tolist()}
    print(json.dumps(result, indent=0))


main()
