#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""growth.py SLUICE [RESTARTS [SECONDS [LAB…]]]: whether the memory of a window levels off, each lab in turn.

Begins a lab anew RESTARTS times, then trains for SECONDS.  The first half of both fills what is kept
once (caches, the history of checkpoints up to its budget, what the heap holds back); of the five tenths of
the second half the share is printed by which the most resident memory of one is above that of another.  The last line is the way
through all labs, round by round.  A measurement, no test.  By hand:
    GSETTINGS_SCHEMA_DIR=build/resources tests/headless tests/e2e/growth.py build/app/sluice 1000 3600
"""
import sys
import time

sys.dont_write_bytecode = True
from gi.repository import GLib  # noqa: E402
from outside import LABS, WINDOW_PATH, activate, launch, wait_for_window  # noqa: E402

BETWEEN = 0.15  # seconds of training between two restarts
STAY = 6.0  # seconds in a lab on the way through all of them
ROUNDS = 6
FLAT = 2.0  # percent


def resident(process):
    """MiB."""
    with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024.0


def spread(samples):
    """Percent by which the most of each tenth moves in the second half of them: what is up and down from
    one restart to the next is no growth."""
    half = samples[len(samples) // 2:]
    tenth = max(len(half) // 5, 1)
    most = [max(half[at:at + tenth]) for at in range(0, len(half) - tenth + 1, tenth)]
    return 100.0 * (max(most) / min(most) - 1.0)


def restart(process, times):
    samples = []
    for _ in range(times):
        activate(WINDOW_PATH, "rewind")
        time.sleep(BETWEEN)
        samples.append(resident(process))
    return samples


def train(process, seconds):
    samples, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(0.5)
        samples.append(resident(process))
    return samples


def visit(process, rounds):
    """The most of each round."""
    samples = []
    for _ in range(rounds):
        most = 0.0
        for lab in LABS:
            activate(WINDOW_PATH, "lab", GLib.Variant("s", lab))
            most = max([most, *train(process, STAY)])
        samples.append(most)
    return samples


def begin(program, lab):
    process = launch(program, "--lab", lab)
    wait_for_window()
    time.sleep(5.0)
    return process


def end(process):
    process.terminate()
    process.wait()


def main():
    program = sys.argv[1]
    restarts, seconds = (int(word) for word in (sys.argv[2:4] + ["200", "120"][len(sys.argv[2:4]):]))
    print(f"{'':20} {'restarts: MiB':>14} {'moves by':>9} {'trained: MiB':>13} {'moves by':>9}")
    for lab in sys.argv[4:] or LABS:
        process = begin(program, lab)
        again, trained = restart(process, restarts), train(process, seconds)
        end(process)
        flat = max(spread(again), spread(trained)) <= FLAT
        print(f"{lab:20} {again[-1]:14.1f} {spread(again):7.2f} % {trained[-1]:13.1f} "
              f"{spread(trained):7.2f} %{'' if flat else '  not flat'}", flush=True)
    if not sys.argv[4:]:
        process = begin(program, LABS[0])
        rounds = visit(process, ROUNDS)
        end(process)
        print("through all labs:    " + ", ".join(f"{most:.1f}" for most in rounds)
              + f" MiB, moves by {spread(rounds):.2f} %")
    return 0


sys.exit(main())
