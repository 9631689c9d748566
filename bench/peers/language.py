#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""language.py THREADS KINDS UNITS HIDDEN EXPERTS K BATCH STEPS: times a language model in PyTorch.

Embedding, LSTM, noisy top-k mixture of experts with both balance losses, LSTM, softmax; dropout and a
residual connection at each layer, Adam: the training step that `sluice-bench language` times of ours.
Experts are the usual loop over those that got a row.  Prints the median milliseconds of a step: the
processor time of the thread that computes for one thread, the wall clock for more.  Needs Debian's
python3-torch."""
import statistics
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F

threads, kinds, units, hidden, experts, k, batch, steps = (int(word) for word in sys.argv[1:])
torch.set_num_threads(threads)
torch.manual_seed(1)
normal = torch.distributions.Normal(0.0, 1.0)


class Mixture(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Parameter(torch.zeros(units, experts))
        self.noise = nn.Parameter(torch.zeros(units, experts))
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(units, hidden), nn.ReLU(), nn.Linear(hidden, units))
            for _ in range(experts))

    def forward(self, x):
        clean = x @ self.gate
        sigma = F.softplus(x @ self.noise) + 0.01
        noisy = clean + torch.randn_like(clean) * sigma
        top, chosen = noisy.topk(min(k + 1, experts), dim=1)
        gates = torch.zeros_like(clean).scatter(1, chosen[:, :k], F.softmax(top[:, :k], dim=1))
        importance, load = gates.sum(0), torch.full((experts,), float(len(x)))
        if k < experts:
            inside = noisy >= top[:, k - 1:k]
            bar = torch.where(inside, top[:, k:k + 1], top[:, k - 1:k])
            load = normal.cdf((clean - bar) / sigma).sum(0)
        balance = sum(0.1 * v.var(unbiased=False) / v.mean() ** 2 for v in (importance, load))
        y = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            rows = gates[:, i].nonzero(as_tuple=True)[0]
            if len(rows) > 0:
                y = y.index_add(0, rows, gates[rows, i, None] * expert(x[rows]))
        return y, balance


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(kinds, units)
        self.first, self.second = nn.LSTM(units, units), nn.LSTM(units, units)
        self.mixture = Mixture()
        self.head = nn.Linear(units, kinds)
        self.dropout = nn.Dropout(0.1)

    def forward(self, symbol):
        x = self.dropout(self.embedding(symbol))
        x = x + self.dropout(self.first(x)[0])
        y, balance = self.mixture(x.reshape(-1, units))
        x = x + self.dropout(torch.sigmoid(y)).reshape(x.shape)
        x = x + self.dropout(self.second(x)[0])
        return self.head(x), balance


model = Model()
optimiser = torch.optim.Adam(model.parameters(), 1e-3)
text = torch.randint(kinds, (steps + 1, batch))
clock = time.thread_time if threads == 1 else time.perf_counter


def train():
    optimiser.zero_grad(set_to_none=True)
    logits, balance = model(text[:-1])
    loss = F.cross_entropy(logits.reshape(-1, kinds), text[1:].reshape(-1)) + balance
    loss.backward()
    optimiser.step()


for _ in range(2):
    train()
rounds = []
for _ in range(7):
    begin = clock()
    train()
    rounds.append(1e3 * (clock() - begin))
print(f"{statistics.median(rounds):.4f}")
