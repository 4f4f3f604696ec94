"""Writes expected_calibration.json: what a general optimiser of SciPy finds for the calibration that our tests fit.

    pip install numpy scipy && python tests/curate/evidence/make_expected_calibration.py
"""
import json
import pathlib

import numpy as np
from scipy import optimize

rng = np.random.default_rng(7)

p = rng.uniform(0.02, 0.98, 120)
pair = rng.integers(0, 5, 120)
x = np.log(p / (1 - p))
y = rng.random(120) < 1 / (1 + np.exp(-(0.7 * x + 0.4 + np.array([1.5, -1.5, 0, 0.5, -0.5])[pair])))

def negative_log_posterior(theta):
    z = theta[0] * x + theta[1] + theta[2:][pair]
    return (np.logaddexp(0, z) - y * z).sum() + (theta[0] - 1) ** 2 / 0.5 + theta[1] ** 2 / 2 + (theta[2:] ** 2).sum() / 2

best = optimize.minimize(negative_log_posterior, np.r_[1, np.zeros(6)], method="BFGS", options={"gtol": 1e-9}).x
expected = {"probability": p.tolist(), "pair": pair.tolist(), "wrong": y.astype(int).tolist(),
            "slope": best[0], "shift": best[1], "offsets": best[2:].tolist()}


pathlib.Path(__file__).with_name("expected_calibration.json").write_text(json.dumps(expected) + "\n")
