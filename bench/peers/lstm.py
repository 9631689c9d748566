#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""lstm.py THREADS INPUTS UNITS LAYERS BATCH STEPS: times torch.nn.LSTM.

Prints the median milliseconds of a forward and backward pass over a stretch with a gradient at every
output, as `sluice-bench lstm` times ours: the processor time of the thread that computes for one
thread, the wall clock for more.  Needs Debian's python3-torch."""
import statistics
import sys
import time

import torch

threads, inputs, units, layers, batch, steps = (int(word) for word in sys.argv[1:])
torch.set_num_threads(threads)
torch.manual_seed(1)
model = torch.nn.LSTM(inputs, units, layers)
x = torch.randn(steps, batch, inputs, requires_grad=True)
slope = torch.randn(steps, batch, units)
clock = time.thread_time if threads == 1 else time.perf_counter


def train():
    for parameter in model.parameters():
        parameter.grad = None
    x.grad = None
    out, _ = model(x)
    out.backward(slope)


for _ in range(2):
    train()
rounds = []
for _ in range(9):
    begin = clock()
    train()
    rounds.append(1e3 * (clock() - begin))
print(f"{statistics.median(rounds):.4f}")
