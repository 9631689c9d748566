#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Recordings of the made-up router with random options, exported and read again: every number of theirs
against an independent program.

oracle.py PROGRAM [RECORDINGS [SEED]].  The suite does a few; 200 take some minutes:
tests/e2e/oracle.py build/app/sluice-cli 200"""

import json
import os
import random
import subprocess
import sys
import tempfile
from types import SimpleNamespace

from common import bail, differences, ok, plan

try:
    import routing_oracle as oracle
except ImportError:
    print("1..0 # SKIP python3-numpy is not there")
    sys.exit(0)

PROGRAM = os.path.abspath(sys.argv[1])
RECORDINGS = int(sys.argv[2]) if len(sys.argv) > 2 else 10
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
OPTIONS = SimpleNamespace(experts=0, k=0, kind=None, decode=0)


def cli(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True).stdout


def compare(got, want, where):
    found = list(differences(where, got, want))
    assert not found, "; ".join(found[:5])


def tidy(tree):
    """Numbers of NumPy as those of Python."""
    if isinstance(tree, dict):
        return {key: tidy(value) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [tidy(value) for value in tree]
    return tree.item() if hasattr(tree, "item") else tree


def draw_source(rng):
    experts = rng.choice([1, 2, 3, 5, 8, 12, 16, 24, 33, 60, 64, 128, 300])
    options = dict(experts=experts, k=rng.randint(1, min(experts, 9)), layers=rng.randint(1, 4),
                   tokens=rng.randint(1, 1200), skew=rng.choice([0, 0.3, 1, 2.5]),
                   drift=rng.choice([0, 0.25, 1.5]), link=rng.choice([0, 0.2, 1]),
                   seed=rng.randint(1, 10 ** 6))
    options["warm-up"] = rng.choice([0, 0, 70, 300])
    return options


def draw_settings(rng):
    nodes = rng.choice([1, 1, 2])
    return dict(window=rng.choice([16, 64, 100, 256]), hot=rng.choice([1.0, 10.0, 25.0]),
                devices=nodes * rng.randint(1, 5), extra=rng.randint(0, 12), nodes=nodes,
                groups=rng.choice([1, 2, 4]), replan=rng.randint(1, 6))


def make(name, source):
    words = ",".join(f"{key}={value}" for key, value in source.items())
    cli("data", f"router:{words}", "--recording", name)
    return words


def check_recording(name, settings):
    """With the warm-up and without it."""
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    want = tidy(oracle.look(oracle.read(name, OPTIONS), {**oracle.DEFAULTS, **settings}, "both"))
    for more, part in (((), "without"), (("--keep-warm-up",), "with")):
        got = json.loads(cli("trace", name, "--json", *words, *more))
        compare(got.pop("warm_up"), want["warm_up"], "warm_up")
        for key in ("file", "warm_up_left_out"):
            del got[key]
        compare(got, want[part], part)


def check_pair(a, b):
    """The second recording has the same sizes and other routes."""
    got = json.loads(cli("trace", a, "--compare", b, "--paired", "--keep-warm-up", "--json"))
    one, other = (oracle.read(name, OPTIONS) for name in (a, b))
    ranked = oracle.order_of(one) != "ascending"
    want = {str(layer): oracle.compare_ids(one.ids[i], other.ids[i], one.n, oracle.DEFAULTS, True, ranked)
            for i, layer in enumerate(one.layers)}
    compare(got["comparison"], tidy(want), "comparison")


def main():
    rng = random.Random(SEED)
    with tempfile.TemporaryDirectory(prefix="sluice-oracle-") as folder:
        os.chdir(folder)
        for number in range(RECORDINGS):
            source, settings = draw_source(rng), draw_settings(rng)
            words = make("a.npz", source)
            try:
                check_recording("a.npz", settings)
                make("b.npz", {**source, "seed": source["seed"] + 1})
                check_pair("a.npz", "b.npz")
            except AssertionError as error:
                bail(f"recording {number + 1}, router:{words}, {settings}: {error}")
            except subprocess.CalledProcessError as error:
                bail(f"recording {number + 1}, router:{words}, {settings}: {error.stderr}")
            ok(f"router:{words}")
    plan()


main()
