#!/usr/bin/env python3
"""A training loop of one's own on labels of which half are wrong: Multi-Similarity alone, with the paper's confidence, and
with ours. Recall@1 on species that were never seen; pictures are those of fieldguide.

    taxo build fieldguide
    python docs/examples/own_loop.py .procsim/data/fieldguide --seeds 3
"""
import argparse
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import procsim
import procsim.nn

DIMENSION = 64


def pictures(folder):
    """All pictures of class folders as N × 3 × 64 × 64 in [0, 1], and their classes."""
    files = sorted(folder.glob("*/*.jpg"))
    names = sorted({file.parent.name for file in files})
    pixels = np.stack([np.asarray(Image.open(file).convert("RGB").resize((64, 64))) for file in files])
    return torch.tensor(pixels).permute(0, 3, 1, 2) / 255, torch.tensor([names.index(file.parent.name) for file in files])


def augmented(images):
    """Mirrored, moved and zoomed, each in its own way."""
    count = len(images)
    zoom, moved = 0.7 + 0.3 * torch.rand(count), 0.3 * (torch.rand(count, 2) - 0.5)
    place = torch.zeros(count, 2, 3)
    place[:, 0, 0], place[:, 1, 1] = zoom * torch.randint(0, 2, (count,)).mul(2).sub(1), zoom
    place[:, :, 2] = moved
    return nn.functional.grid_sample(images, nn.functional.affine_grid(place, images.shape, align_corners=False),
                                     align_corners=False, padding_mode="reflection")


def small_network():
    layers, width = [nn.Conv2d(3, 16, 5, 2, 2), nn.GroupNorm(4, 16), nn.ReLU()], 16
    for wider in (32, 64, 96, 128):
        layers += [nn.Conv2d(width, wider, 3, 2, 1), nn.GroupNorm(8, wider), nn.ReLU()]
        width = wider
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, DIMENSION))


@torch.no_grad()
def embedded(network, images):
    return nn.functional.normalize(torch.cat([network(part) for part in images.split(256)]), dim=1)


def recall_at_1(network, images, labels):
    rows = embedded(network, images)
    return (labels[(rows @ rows.T).fill_diagonal_(-1).argmax(1)] == labels).float().mean().item()


def train(method, images, labels, epochs):
    classes = int(labels.max()) + 1
    network, loss_fn = small_network(), procsim.nn.MultiSimilarityLoss(reduction="none")
    loader = DataLoader(TensorDataset(images, labels, torch.arange(len(labels))), batch_size=96, shuffle=True, drop_last=True)
    parameters = [{"params": network.parameters()}]
    if method == "procsim":
        judge = procsim.nn.ProxyNCALoss(classes, DIMENSION, reduction="none")
        confidence = procsim.nn.ProcSimConfidence(lambda_=0.1)
        parameters.append({"params": judge.parameters(), "lr": 0.1})
    if method == "posterior":
        confidence = procsim.nn.PosteriorConfidence(classes)
    optimizer = torch.optim.Adam(parameters, lr=1e-3, weight_decay=1e-4)
    for _ in range(epochs):
        if method == "posterior":
            weight, counts_as = confidence(embedded(network, images), labels)
        for batch, given, index in loader:
            embeddings = network(augmented(batch))
            if method == "ms":
                loss = loss_fn(embeddings, given).mean()
            elif method == "procsim":
                proxy_loss = judge(embeddings.detach(), given)
                loss = (confidence(proxy_loss) * loss_fn(embeddings, given)).mean() + proxy_loss.mean()
            else:
                trust = weight[index]
                loss = (trust * loss_fn(embeddings, counts_as[index], confidence=trust)).sum() / trust.sum().clamp(min=1)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return network


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path, help="of fieldguide, with train/ and test/")
    parser.add_argument("--noise", type=float, default=0.5)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--methods", default="ms,procsim,posterior")
    options = parser.parse_args()
    images, truth = pictures(options.folder / "train")
    unseen = pictures(options.folder / "test")
    for method in options.methods.split(","):
        found = []
        for seed in range(1, options.seeds + 1):
            given = procsim.inject(truth.tolist(), uniform=options.noise, seed=seed)
            torch.manual_seed(seed)
            network = train(method, images, torch.tensor(given["label"].to_pylist()), options.epochs)
            found.append(100 * recall_at_1(network, *unseen))
        print(f"{method}: {np.mean(found):.1f} ± {np.std(found, ddof=1) if len(found) > 1 else 0:.1f}  "
              f"({', '.join(f'{value:.1f}' for value in found)})", flush=True)


main()
