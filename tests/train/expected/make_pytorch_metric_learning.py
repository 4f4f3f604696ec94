#!/usr/bin/env python3
"""Values and gradients of losses that pytorch-metric-learning has too, by that library itself, in float64. The version is
written into the file. The library is needed only here:

    pip install --target build/pml pytorch-metric-learning==2.9.0
    PYTHONPATH=build/pml build/env/bin/python make_pytorch_metric_learning.py > pytorch_metric_learning.json
"""
import json

import numpy as np
import pytorch_metric_learning
import torch
from pytorch_metric_learning import losses, miners

torch.set_default_dtype(torch.float64)
DRAWS = np.random.default_rng(22)
X = DRAWS.normal(size=(12, 4))  # not at unit length: the library normalises
Y = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])
WEIGHTS = DRAWS.normal(size=(4, 4))  # a row of each class
CENTRES = DRAWS.normal(size=(8, 4))  # two rows of each class


def value_and_gradient(loss, miner=None):
    rows = torch.tensor(X, requires_grad=True)
    labels = torch.tensor(Y)
    value = loss(rows, labels, miner(rows, labels)) if miner else loss(rows, labels)
    value.backward()
    return {"value": value.item(), "gradient": rows.grad.tolist()}


def with_rows(loss, name, rows, transposed):
    parameter = getattr(loss, name)
    values = torch.tensor(rows).T if transposed else torch.tensor(rows)
    assert parameter.shape == values.shape, (name, parameter.shape, values.shape)
    parameter.data = values.contiguous()
    return loss


def main():
    soft_triple = losses.SoftTripleLoss(4, 4, centers_per_class=2, la=20, gamma=.1, margin=.01)
    arcface = losses.SubCenterArcFaceLoss(num_classes=4, embedding_size=4, margin=28.6, scale=64, sub_centers=2)
    print(json.dumps({
        "version": pytorch_metric_learning.__version__, "embeddings": X.tolist(), "labels": Y.tolist(),
        "weights": WEIGHTS.tolist(), "centres": CENTRES.tolist(),
        "triplet": value_and_gradient(losses.TripletMarginLoss(margin=.2),
                                      miners.TripletMarginMiner(margin=.2, type_of_triplets="semihard")),
        "lifted_original": value_and_gradient(losses.LiftedStructureLoss(neg_margin=1, pos_margin=0)),
        "lifted_generalised": value_and_gradient(losses.GeneralizedLiftedStructureLoss(neg_margin=1, pos_margin=0)),
        "contrastive": value_and_gradient(losses.ContrastiveLoss(pos_margin=0, neg_margin=1)),
        "fastap": value_and_gradient(losses.FastAPLoss(num_bins=10)),
        "circle": value_and_gradient(losses.CircleLoss(m=.4, gamma=80)),
        "nsoftmax": value_and_gradient(with_rows(losses.NormalizedSoftmaxLoss(4, 4, temperature=.05), "W", WEIGHTS, True)),
        "soft_triple": value_and_gradient(with_rows(soft_triple, "fc", CENTRES, True)),
        "proxy_anchor": value_and_gradient(with_rows(losses.ProxyAnchorLoss(4, 4, margin=.1, alpha=32), "proxies",
                                                     WEIGHTS, False)),
        "subcentre_arcface": value_and_gradient(with_rows(arcface, "W", CENTRES, True)),
    }, indent=1))


main()
