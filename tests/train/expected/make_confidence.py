#!/usr/bin/env python3
"""Expected values of the confidence module: Lambert's function from SciPy, Gaussian mixtures from scikit-learn started at
the optimal 2-means split. Run once in an environment with numpy, scipy and scikit-learn:

    python make_confidence.py > confidence.json
"""
import json

import numpy as np
from scipy.optimize import brentq
from scipy.special import lambertw
from sklearn.mixture import GaussianMixture


def otsu(values):
    v = np.sort(values)
    best = None
    for k in range(2, len(v) - 1):
        if v[k - 1] == v[k]:
            continue
        cost = k * v[:k].var() + (len(v) - k) * v[k:].var()
        if best is None or cost < best[0]:
            best = (cost, (v[k - 1] + v[k]) / 2)
    return best[1]


def mixture(losses):
    low, high = losses.min(), losses.max()
    x = (losses - low) / (high - low)
    split = otsu(x)
    parts = [x[x < split], x[x >= split]]
    floor = 5e-4
    model = GaussianMixture(
        2, max_iter=10, tol=1e-2, reg_covar=floor,
        weights_init=[len(p) / len(x) for p in parts],
        means_init=[[p.mean()] for p in parts],
        precisions_init=[[[1 / (p.var() + floor)]] for p in parts])
    import warnings
    warnings.simplefilter("ignore")
    model.fit(x[:, None])
    order = np.argsort(model.means_[:, 0])
    means = model.means_[order, 0]
    posterior = lambda v: model.predict_proba([[v]])[0, order[1]] - 0.5
    tau = brentq(posterior, means[0], means[1], xtol=1e-13)
    return {"losses": losses.tolist(), "means": means.tolist(),
            "variances": model.covariances_[order, 0, 0].tolist(),
            "weights": model.weights_[order].tolist(), "threshold": low + tau * (high - low)}


def class_means(x, labels, weights, scale):
    """The loss of every sample against class means that leave it out, from the definition."""
    losses = []
    classes = labels.max() + 1
    for i in range(len(x)):
        cosines = np.empty(classes)
        for c in range(classes):
            members = [j for j in range(len(x)) if labels[j] == c and j != i]
            w = weights[members] if weights[members].sum() > 0 else np.ones(len(members))
            mean = (w[:, None] * x[members]).sum(0)
            cosines[c] = mean @ x[i] / np.linalg.norm(mean) if members else 0
        logits = 2 * scale * cosines
        alone = (labels == labels[i]).sum() == 1
        losses.append(0 if alone else np.log(np.exp(logits - logits[labels[i]]).sum()))
    return {"embeddings": x.tolist(), "labels": labels.tolist(), "weights": weights.tolist(), "scale": scale, "losses": losses}


def random_class_means(rng):
    x = rng.normal(size=(14, 5))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    labels = np.array([0] * 5 + [1] * 4 + [2] * 4 + [3])
    weights = rng.uniform(size=14)
    weights[5:9] = 0          # a class that nobody trusts
    weights[10:13] = 0        # one sample of its class is trusted
    return [class_means(x, labels, np.ones(14), 6.0), class_means(x, labels, weights, 1.5)]


def main():
    rng = np.random.default_rng(7)
    sigma = []
    for loss, tau, lam in [(1.0, 2.0, 1.0), (2.5, 2.0, 1.0), (4.6, 1.1, 0.1), (3.0, 2.999, 0.01), (9.0, 0.5, 10.0),
                           (5.0, 1.0, 1e-6)]:
        procsim = np.exp(-lambertw(max(0.0, (loss - tau) / (2 * lam))).real)
        superloss = np.exp(-lambertw(max(-1.9999998 / np.e, (loss - tau) / lam) / 2).real)
        sigma.append({"loss": loss, "threshold": tau, "lambda": lam, "procsim": procsim, "superloss": superloss})
    # The losses of ../shared/RIVALS.md, "SuperLoss".
    superloss = [{"lambda": lam, "threshold": 1.0, "losses": losses,
                  "sigma": [float(np.exp(-lambertw(max(-1.9999998 / np.e, (loss - 1) / lam) / 2).real)) for loss in losses]}
                 for losses in [[0, .5, 1, 1.5, 2, 4]] for lam in (1, .25)]
    sets = [np.concatenate([rng.normal(1.0, 0.3, 60), rng.normal(3.5, 0.5, 30)]),
            np.concatenate([rng.gamma(2.0, 0.4, 45), 3 + rng.gamma(2.0, 0.5, 45)]),
            np.concatenate([rng.normal(2.0, 0.2, 80), rng.normal(2.9, 0.25, 10)])]
    otsus = [rng.gamma(2.0, 1.0, 40), np.round(rng.normal(0, 1, 30), 1), rng.normal(1e6, 1, 25)]
    print(json.dumps({"sigma": sigma, "superloss": superloss, "mixtures": [mixture(s) for s in sets],
                      "class_means": random_class_means(np.random.default_rng(11)),
                      "otsu": [{"losses": o.tolist(), "threshold": otsu(o)} for o in otsus]}, indent=1))


main()
