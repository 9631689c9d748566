# SPDX-License-Identifier: MIT
"""A noisy top-k mixture of experts with both balance losses in PyTorch, as people write it: a loop over
the experts that got a row; and how the scripts beside it time a training step."""
import statistics
import time

import torch
from torch import nn
from torch.nn import functional as F

normal = torch.distributions.Normal(0.0, 1.0)


class Mixture(nn.Module):
    def __init__(self, units, hidden, experts, k):
        super().__init__()
        self.k = k
        self.gate = nn.Parameter(torch.zeros(units, experts))
        self.noise = nn.Parameter(torch.zeros(units, experts))
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(units, hidden), nn.ReLU(), nn.Linear(hidden, units))
            for _ in range(experts))

    def forward(self, x):
        k, experts = self.k, len(self.experts)
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


def median_ms(train, threads):
    """Milliseconds: the processor time of the thread that computes for one thread, the wall clock for
    more."""
    clock = time.thread_time if threads == 1 else time.perf_counter
    for _ in range(2):
        train()
    rounds = []
    for _ in range(7):
        begin = clock()
        train()
        rounds.append(1e3 * (clock() - begin))
    return statistics.median(rounds)
