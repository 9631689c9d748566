#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes language.json: a training step of the language model of Shazeer et al. 2017 with each middle layer,
by PyTorch's own cells and gradients in double.  Needs Debian's python3-torch.

make-language.py > language.json"""
import json
import math

import torch
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)
torch.manual_seed(20)
KINDS, UNITS, HIDDEN, EXPERTS, K, BATCH, STEPS = 7, 4, 3, 5, 2, 3, 4
FLOOR, W_IMPORTANCE, W_LOAD = 0.0625, 0.125, 0.25
ROWS = BATCH * STEPS
text = torch.randint(KINDS, (STEPS + 1, BATCH))
epsilon = torch.randn(ROWS, EXPERTS).float().double()


class Block:
    """Weights one behind the other, as they were taken."""

    def __init__(self):
        self.parts = []

    def take(self, *shape):
        self.parts.append((0.5 * torch.randn(*shape)).float().double().requires_grad_())
        return self.parts[-1]

    def numbers(self):
        return torch.cat([part.detach().reshape(-1) for part in self.parts]).tolist()

    def slopes(self):
        return torch.cat([part.grad.reshape(-1) for part in self.parts]).tolist()


def recurrent(block):
    """A layer of torch.nn.LSTM's cells, whose gates are i, f, g, o, from blocks of i, f, o, g."""
    w, u, b = block.take(UNITS, 4 * UNITS), block.take(UNITS, 4 * UNITS), block.take(4 * UNITS)
    order = [gate * UNITS + i for gate in (0, 1, 3, 2) for i in range(UNITS)]

    def forward(x):
        state = cell = torch.zeros(BATCH, UNITS)
        out = []
        for t in range(STEPS):
            state, cell = torch._VF.lstm_cell(x[t], (state, cell), w.t()[order], u.t()[order], b[order],
                                              torch.zeros(4 * UNITS))
            out.append(state)
        return torch.stack(out), 0.0

    return forward


def cv_squared(v):
    return v.var(unbiased=False) / v.mean() ** 2


def mixture(block):
    gate = block.take(UNITS, 2 * EXPERTS)
    experts = [(block.take(UNITS, HIDDEN), block.take(HIDDEN), block.take(HIDDEN, UNITS), block.take(UNITS))
               for _ in range(EXPERTS)]

    def forward(x):
        x = x.reshape(ROWS, UNITS)
        clean, sigma = x @ gate[:, :EXPERTS], F.softplus(x @ gate[:, EXPERTS:]) + FLOOR
        noisy = clean + epsilon * sigma
        best = noisy.topk(K + 1, dim=1)
        mask = torch.full_like(noisy, -math.inf).scatter(1, best.indices[:, :K], 0.0)
        g = torch.softmax(noisy + mask, dim=1)
        chosen = mask == 0
        threshold = torch.where(chosen, best.values[:, K:K + 1], best.values[:, K - 1:K])
        load = (0.5 * (1 + torch.erf((clean - threshold) / sigma / math.sqrt(2)))).sum(0)
        y = sum(g[:, i:i + 1] * (torch.relu(x @ a + b) @ c + d) for i, (a, b, c, d) in enumerate(experts))
        balance = W_IMPORTANCE * cv_squared(g.sum(0)) + W_LOAD * cv_squared(load)
        return torch.sigmoid(y).reshape(STEPS, BATCH, UNITS), balance

    return forward


def stack(block, *widths):
    layers = [(block.take(out, into), block.take(out)) for into, out in zip(widths, widths[1:])]

    def forward(x):
        for i, (w, b) in enumerate(layers):
            x = F.linear(x, w, b)
            x = torch.relu(x) if i + 1 < len(layers) else x
        return torch.sigmoid(x), 0.0

    return forward


def deep_width():
    """2 d u + u² = K · 2 d HIDDEN for two hidden layers."""
    return round(-UNITS + math.sqrt(UNITS ** 2 + 2 * K * UNITS * HIDDEN))


def case(middle):
    block = Block()
    embedding = block.take(KINDS, UNITS)
    layers = [recurrent(block)]
    if middle == "experts":
        layers.append(mixture(block))
    elif middle == "wide":
        layers.append(stack(block, UNITS, K * HIDDEN, UNITS))
    elif middle == "deep":
        layers.append(stack(block, UNITS, deep_width(), deep_width(), UNITS))
    else:
        layers += [recurrent(block), recurrent(block)]
    layers.append(recurrent(block))
    w, b = block.take(KINDS, UNITS), block.take(KINDS)
    x, balance = F.embedding(text[:-1], embedding), 0.0
    for layer in layers:
        f, loss = layer(x)
        x, balance = x + f, balance + loss
    logits = F.linear(x, w, b).reshape(ROWS, KINDS)
    loss = F.cross_entropy(logits, text[1:].reshape(-1))
    (loss + balance).backward()
    return {"weights": block.numbers(), "logits": logits.reshape(-1).tolist(), "loss": loss.item(),
            "balance": float(balance), "gradient": block.slopes()}


document = {
    "source": f"PyTorch {torch.__version__}, its LSTM cells and gradients in double, by make-language.py",
    "kinds": KINDS, "units": UNITS, "hidden": HIDDEN, "experts": EXPERTS, "k": K, "batch": BATCH, "steps": STEPS,
    "floor": FLOOR, "w-importance": W_IMPORTANCE, "w-load": W_LOAD,
    "symbols": text.reshape(-1).tolist(), "epsilon": epsilon.reshape(-1).tolist(),
    "middle": {middle: case(middle) for middle in ("experts", "wide", "deep", "lstms")}}
print(json.dumps(document, indent=0).replace(",\n", ", ").replace(", \"", ",\n\"").replace("[\n", "[").replace("\n]", "]"))
