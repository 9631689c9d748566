#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""network.py torch|sklearn THREADS: times training steps of rectifier networks, when it is asked to.

A rectifier network with a softmax and Adam, the training step that `sluice-bench peers` times of ours, in
PyTorch or as scikit-learn's MLPClassifier.  Each line of the standard input is answered by one:
    784-1000-10 BATCH   makes that network; answers 0
    N                   makes N steps; answers the milliseconds of one: the processor time of the thread
                        that computes for one thread, the wall clock for more
PyTorch's optimiser is timed as a loop over the weights and over all of them at once, and the faster of both
answered.  Ends with status 1 at once where the library is missing."""
import os
import sys
import time

LIBRARY, THREADS = sys.argv[1], int(sys.argv[2])
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = str(THREADS)
CLOCK = time.thread_time if THREADS == 1 else time.perf_counter
try:
    if LIBRARY == "torch":
        import torch
    else:
        import numpy
        from sklearn.neural_network import MLPClassifier
except ImportError:
    sys.exit(1)


def torch_steps(widths, batch):
    torch.set_num_threads(THREADS)
    torch.manual_seed(1)
    x, label = torch.randn(batch, widths[0]), torch.randint(widths[-1], (batch,))

    def step(foreach):
        layers = []
        for inputs, units in zip(widths, widths[1:]):
            layers += [torch.nn.Linear(inputs, units), torch.nn.ReLU()]
        model = torch.nn.Sequential(*layers[:-1])
        optimiser = torch.optim.Adam(model.parameters(), 1e-3, foreach=foreach)

        def train():
            optimiser.zero_grad(set_to_none=True)
            torch.nn.functional.cross_entropy(model(x), label).backward()
            optimiser.step()
        return train
    return [step(False), step(True)]


def sklearn_steps(widths, batch):
    generator = numpy.random.default_rng(1)
    x = generator.standard_normal((batch, widths[0]), dtype=numpy.float32)
    label = generator.integers(widths[-1], size=batch)
    model = MLPClassifier(tuple(widths[1:-1]), alpha=0.0, batch_size=batch)
    classes = numpy.arange(widths[-1])
    return [lambda: model.partial_fit(x, label, classes)]


def milliseconds(train, n):
    begin = CLOCK()
    for _ in range(n):
        train()
    return 1e3 * (CLOCK() - begin) / n


steps = []
for line in sys.stdin:
    words = line.split()
    if len(words) == 2:
        make = torch_steps if LIBRARY == "torch" else sklearn_steps
        steps = make([int(width) for width in words[0].split("-")], int(words[1]))
        for train in steps:
            milliseconds(train, 2)
        print(0, flush=True)
    else:
        print(f"{min(milliseconds(train, int(words[0])) for train in steps):.5f}", flush=True)
