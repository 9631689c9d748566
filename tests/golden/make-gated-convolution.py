#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes gated-convolution.json: a network of two convolutions and two fully connected layers over pictures,
whose convolutions are gated, at every place, by the sign of a low-rank estimate (Davis 2016, eqs. 3.1 to 3.5,
and §3.2.3 for convolutions): activations, loss and gradient at three ranks.  The gradient is made from the
forward pass alone, with the gates as they are, by steps of 1e-30 along the imaginary axis, which lose no digit.
Needs Debian's python3-numpy.

make-gated-convolution.py > gated-convolution.json"""
import json

import numpy as np

B, CHANNELS, HEIGHT, WIDTH = 4, 2, 11, 10
SIDE, STRIDE = 3, 2
UNITS = (4, 5)  # of the two convolutions
HIDDEN, CLASSES = 7, 3
STEP = 1e-30


def rectify(x):
    return np.where(x.real > 0, x, 0)


def look(x):
    """(B, height, width, channels) to (B, rows, columns, SIDE * SIDE * channels): what a kernel meets."""
    rows, columns = ((size - SIDE) // STRIDE + 1 for size in x.shape[1:3])
    return np.stack([np.stack([
        x[:, i * STRIDE:i * STRIDE + SIDE, j * STRIDE:j * STRIDE + SIDE].reshape(len(x), -1)
        for j in range(columns)], 1) for i in range(rows)], 1)


def truncated(w, rank):
    u, s, v = np.linalg.svd(w, full_matrices=False)
    return (u[:, :rank] * s[:rank]) @ v[:rank]


def outputs(p, estimates):
    """What each layer gives; the gates are constants for the gradient."""
    x, layers = p["X"].transpose(0, 2, 3, 1), []
    for n, low in enumerate(estimates, 1):
        met = look(x)
        on = (met.real @ low.T + p[f"b{n}"].real) > 0
        x = on * rectify(met @ p[f"W{n}"].T + p[f"b{n}"])
        layers.append(x)
    x = rectify(x.reshape(B, -1) @ p["W3"].T + p["b3"])
    return layers + [x, x @ p["W4"].T + p["b4"]]


def loss(p, estimates, label):
    logits = outputs(p, estimates)[-1]
    top = logits.real.max(1, keepdims=True)
    return np.mean(np.log(np.exp(logits - top).sum(1)) + top[:, 0] - logits[np.arange(B), label])


def gradient(p, estimates, label, name):
    slope = np.empty(p[name].shape)
    for at in np.ndindex(slope.shape):
        moved = {key: value.astype(complex) for key, value in p.items()}
        moved[name][at] += 1j * STEP
        slope[at] = loss(moved, estimates, label).imag / STEP
    return slope.tolist()


def case(p, label, rank):
    estimates = [truncated(p["W1"], rank), truncated(p["W2"], rank)]
    names = ("first", "second", "hidden", "logits")
    return {"rank": rank, "loss": loss(p, estimates, label)} | {
        name: layer.tolist() for name, layer in zip(names, outputs(p, estimates))} | {
        "d" + name: gradient(p, estimates, label, name) for name in p if name != "X"}


def main():
    rng = np.random.default_rng(19)
    places = 2 * 1  # of the second convolution
    shapes = {"X": (B, CHANNELS, HEIGHT, WIDTH)}
    for n, (inputs, units) in enumerate(((SIDE * SIDE * CHANNELS, UNITS[0]), (SIDE * SIDE * UNITS[0], UNITS[1]),
                                         (places * UNITS[1], HIDDEN), (HIDDEN, CLASSES)), 1):
        shapes |= {f"W{n}": (units, inputs), f"b{n}": (units,)}
    # Numbers that a float has, so that both precisions begin with the same.
    p = {name: (rng.normal(size=shape) * (0.5 if name[0] == "W" else 1)).astype(np.float32).astype(float)
         for name, shape in shapes.items()}
    label = rng.integers(CLASSES, size=B)
    print(json.dumps({
        "setup": {name: value.tolist() for name, value in p.items()} | {"y": label.tolist()},
        "cases": [case(p, label, rank) for rank in (1, 2, 4)],
    }))


main()
