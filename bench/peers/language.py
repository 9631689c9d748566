#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""language.py THREADS KINDS UNITS HIDDEN EXPERTS K BATCH STEPS: times a language model in PyTorch.

Embedding, LSTM, noisy top-k mixture of experts with both balance losses, LSTM, softmax; dropout and a
residual connection at each layer, Adam: the training step that `sluice-bench language` times of ours.
Prints the median milliseconds of a step.  Needs Debian's python3-torch."""
import sys

import torch
from torch import nn
from torch.nn import functional as F

from mixture import Mixture, median_ms

threads, kinds, units, hidden, experts, k, batch, steps = (int(word) for word in sys.argv[1:])
torch.set_num_threads(threads)
torch.manual_seed(1)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(kinds, units)
        self.first, self.second = nn.LSTM(units, units), nn.LSTM(units, units)
        self.mixture = Mixture(units, hidden, experts, k)
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


def train():
    optimiser.zero_grad(set_to_none=True)
    logits, balance = model(text[:-1])
    loss = F.cross_entropy(logits.reshape(-1, kinds), text[1:].reshape(-1)) + balance
    loss.backward()
    optimiser.step()


print(f"{median_ms(train, threads):.4f}")
