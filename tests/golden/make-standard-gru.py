#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes standard-gru.json: three steps of the standard gated recurrent unit (Davis 2016, eqs. 4.1 to 4.4), whose
reset gate is inside the product, and the gradient of a weighted sum of all its states.  The gradient is made
from the forward pass alone, by steps of 1e-30 along the imaginary axis, which lose no digit.
Needs Debian's python3-numpy.

make-standard-gru.py > standard-gru.json"""
import json

import numpy as np

T, B, D, H = 3, 4, 2, 5
STEP = 1e-30


def sigma(x):
    return 1 / (1 + np.exp(-x))


def states(p):
    """Of all examples after each step, in the row form x W + h U + b."""
    h, out = p["H0"], []
    for x in p["X"]:
        r = sigma(x @ p["Wr"] + h @ p["Ur"] + p["br"])
        z = sigma(x @ p["Wl"] + h @ p["Ul"] + p["bl"])
        candidate = np.tanh(x @ p["Wh"] + (r * h) @ p["Uh"] + p["bh"])
        h = (1 - z) * h + z * candidate
        out.append(h)
    return np.stack(out)


def gradient(p, name, wanted):
    slope = np.empty(p[name].shape)
    for at in np.ndindex(slope.shape):
        moved = {key: value.astype(complex) for key, value in p.items()}
        moved[name][at] += 1j * STEP
        slope[at] = np.sum(states(moved) * wanted).imag / STEP
    return slope.tolist()


def main():
    rng = np.random.default_rng(43)
    shapes = {"X": (T, B, D), "H0": (B, H)}
    for gate in "rlh":
        shapes |= {"W" + gate: (D, H), "U" + gate: (H, H), "b" + gate: (H,)}
    # Numbers that a float has, so that both precisions begin with the same.
    p = {name: rng.normal(size=shape).astype(np.float32).astype(float) for name, shape in shapes.items()}
    wanted = rng.normal(size=(T, B, H)).astype(np.float32).astype(float)
    print(json.dumps({
        "setup": {name: value.tolist() for name, value in p.items()} | {"wanted": wanted.tolist()},
        "states": states(p).tolist(),
        "grads": {name: gradient(p, name, wanted) for name in p},
    }))


main()
