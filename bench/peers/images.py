#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""images.py THREADS INPUTS UNITS HIDDEN CLASSES EXPERTS K BATCH: times experts on images in PyTorch.

A rectified layer, a mixture of experts with a residual connection, a softmax, Adam: the training step of
the lab `experts` that `sluice-bench mixture` times of ours.  Prints the median milliseconds of a step.
Needs Debian's python3-torch."""
import sys

import torch
from torch import nn
from torch.nn import functional as F

from mixture import Mixture, median_ms

threads, inputs, units, hidden, classes, experts, k, batch = (int(word) for word in sys.argv[1:])
torch.set_num_threads(threads)
torch.manual_seed(1)
embedding, mixture = nn.Linear(inputs, units), Mixture(units, hidden, experts, k)
head = nn.Linear(units, classes)
optimiser = torch.optim.Adam(
    [*embedding.parameters(), *mixture.parameters(), *head.parameters()], 1e-3)
x, label = torch.randn(batch, inputs), torch.randint(classes, (batch,))


def train():
    optimiser.zero_grad(set_to_none=True)
    h = F.relu(embedding(x))
    y, balance = mixture(h)
    (F.cross_entropy(head(y + h), label) + balance).backward()
    optimiser.step()


print(f"{median_ms(train, threads):.4f}")
