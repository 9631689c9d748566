#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Recordings of the made-up router with random options, exported and read again, rows and counts that the test draws
itself, and those of the folder of real data: every number of theirs against independent programs.

oracle.py PROGRAM SOURCES [RECORDINGS [SEED]].  The suite does a few; 200 take some minutes:
tests/e2e/oracle.py build/app/sluice-cli . 200"""

import csv
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
from types import SimpleNamespace

from common import bail, differences, ok, plan

try:
    import numpy as np
    import recorded_oracle as recorded
    import routing_oracle as oracle
except ImportError:
    print("1..0 # SKIP python3-numpy is not there")
    sys.exit(0)

PROGRAM = os.path.abspath(sys.argv[1])
REAL = os.path.join(os.environ.get("SLUICE_SHARED_DATA", os.path.join(os.path.abspath(sys.argv[2]), "..", "shared", "data")),
                    "routing")
RECORDINGS = int(sys.argv[3]) if len(sys.argv) > 3 else 10
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 1
OURS = ("memory", "keep", "words")
compared = 0


def options(**said):
    return SimpleNamespace(**{**dict(experts=0, k=0, kind=None, decode=0), **said})


def cli(*args):
    return subprocess.run([PROGRAM, *args], capture_output=True, text=True, check=True).stdout


def count(tree):
    """Numbers and words of a tree."""
    if isinstance(tree, (dict, list)):
        return sum(map(count, tree.values() if isinstance(tree, dict) else tree))
    return 1


def compare(got, want, where):
    global compared
    found = list(differences(where, got, want))
    assert not found, "; ".join(found[:5])
    compared += count(want)


def tidy(tree):
    """Numbers of NumPy as those of Python; what is no number as null."""
    if isinstance(tree, dict):
        return {key: tidy(value) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [tidy(value) for value in tree]
    tree = tree.item() if hasattr(tree, "item") else tree
    return None if isinstance(tree, float) and tree != tree else tree


# ------------------------------------------------------------------------------------------------ what is drawn

def draw_source(rng):
    experts = rng.choice([1, 2, 3, 5, 8, 12, 16, 24, 33, 60, 64, 128, 300])
    source = dict(experts=experts, k=rng.randint(1, min(experts, 9)), layers=rng.randint(1, 4),
                  tokens=rng.randint(1, 1200 if experts < 100 else 300), skew=rng.choice([0, 0.3, 1, 2.5]),
                  drift=rng.choice([0, 0.25, 1.5]), link=rng.choice([0, 0.2, 1]),
                  seed=rng.randint(1, 10 ** 6))
    source["warm-up"] = rng.choice([0, 0, 70, 300])
    return source


def draw_settings(rng, items):
    nodes = rng.choice([1, 1, 2])
    size = rng.choice([0, 0.25, 3.5, 16.5, 350])
    return {"window": rng.choice([16, 64, 100, 256]), "hot": rng.choice([1.0, 10.0, 25.0]),
            "devices": nodes * rng.randint(1, 5), "extra": rng.randint(0, 12), "nodes": nodes,
            "groups": rng.choice([1, 2, 4]), "replan": rng.randint(1, 6), "expert-size": size,
            "memory": max(rng.randint(0, items + 2) * (size or 12) / 1024 + rng.choice([0, 1e-4]), 1e-3),
            "bandwidth": rng.choice([0.5, 25, 936.2]), "by": rng.choice(["token", "pass"])}


def make(name, source):
    said = ",".join(f"{key}={value}" for key, value in source.items())
    cli("data", f"router:{said}", "--recording", name)
    return said


def draw_row(rng, n, k, layer, word):
    """Experts of a token: those of its word or any, sometimes few or none; -1 is an empty slot."""
    liked = [(7 * len(word) + ord(word[0]) + 3 * layer + s) % n for s in range(k)]
    ids = liked if rng.random() < 0.5 else rng.sample(range(n), k)
    if rng.random() < 0.15:
        ids = [e if rng.random() < 0.5 else -1 for e in ids]
    return ids[:rng.randint(1, k)] if rng.random() < 0.1 else ids


def draw_rows(rng, with_words):
    """Passes of some layers; now and then a layer has other passes, as the last one of a prompt, or one is a warm-up."""
    n = rng.choice([2, 3, 6, 8, 16, 40])
    k = rng.randint(1, min(n, 4))
    numbers = sorted(rng.sample(range(30), rng.randint(1, 4)))
    apart = rng.choice([None, None, *numbers])
    vocabulary = ["".join(rng.choice("abcdefgh") for _ in range(rng.randint(1, 4))) for _ in range(rng.randint(1, 30))]
    phases, warm_up, rows = rng.random() < 0.6, rng.choice([None, None, 0, 5]), []
    for number in range(rng.randint(1, 60)):
        tokens = rng.choice([1, 1, 2, 3, rng.randint(1, 40)]) if number != warm_up else rng.randint(70, 150)
        text = [rng.choice(vocabulary) for _ in range(tokens)]
        for layer in numbers:
            first = tokens - 1 if layer == apart and number % 3 == 0 else 0
            for token in range(first, tokens):
                row = dict(layer=layer, token_idx=token, ids=draw_row(rng, n, k, layer, text[token]))
                if number == warm_up:
                    row["ids"] = [(layer + s) % n for s in range(k)]
                if phases:
                    row["decoded"] = tokens < 3
                if with_words and rng.random() < 0.9:
                    row["word"] = text[token]
                rows.append(row)
    rows[0]["ids"] = list(range(1, k + 1)) if k < n else list(range(k))     # something is recorded
    return n, rows


def write_lines(name, rows):
    with open(name, "w", encoding="utf-8") as file:
        for row in rows:
            line = dict(layer=row["layer"], token_idx=row["token_idx"], topk_ids=row["ids"])
            if "decoded" in row:
                line["phase"] = "decode" if row["decoded"] else "prefill"
            if "word" in row:
                line["token"] = row["word"]
            file.write(json.dumps(line) + "\n")


def write_table(name, rows):
    """The wide form: a token and layer a line."""
    width = max(len(row["ids"]) for row in rows)
    with open(name, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["phase"] * ("decoded" in rows[0]) + ["layer", "token_idx"] + [f"e{s}" for s in range(width)])
        for row in rows:
            ids = ["" if e < 0 else e for e in row["ids"]]
            table.writerow((["decode" if row["decoded"] else "prefill"] if "decoded" in row else [])
                           + [row["layer"], row["token_idx"]] + ids + [""] * (width - len(ids)))


# ------------------------------------------------------------------------------------------------ checks

def set_words(settings):
    return [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]


def check_recording(spec, recording, settings):
    """With the warm-up and without it."""
    want = tidy(oracle.look(recording, {**oracle.DEFAULTS, **settings}, "both"))
    for more, part in (((), "without"), (("--keep-warm-up",), "with")):
        got = json.loads(cli("trace", spec, "--json", *set_words(settings), *more))
        compare(got.pop("warm_up"), want["warm_up"], "warm_up")
        for key in ("file", "warm_up_left_out"):
            del got[key]
        compare(got, want[part], part)


def check_counts(spec, recording, settings):
    got = json.loads(cli("trace", spec, "--json", *set_words(settings)))
    for key in ("file", "warm_up_left_out", "warm_up"):
        del got[key]
    compare(got, tidy(oracle.document(recording, {**oracle.DEFAULTS, **settings})), "counts")


def check_keep(rng, spec, recording):
    """Of a recording whose warm-up is counted: for any target, and for one that is just reached."""
    some = recorded.keep_of(recording, rng.choice([0.01, 0.3, 0.6, 0.9, 0.999, 1.0]))
    for target in (some["target"], some["free"]["coverage"], some["equal"]["coverage"]):
        percent = repr(100 * target)
        got = json.loads(cli("trace", spec, "--keep", percent, "--keep-warm-up"))
        del got["file"]
        compare(got, tidy(recorded.keep_of(recording, float(percent) / 100)), "keep")


def check_pair(a, b):
    """The second recording has the same sizes and other routes."""
    got = json.loads(cli("trace", a, "--compare", b, "--paired", "--keep-warm-up", "--json"))
    one, other = (oracle.read(name, options()) for name in (a, b))
    ranked = oracle.order_of(one) != "ascending"
    want = {str(layer): oracle.compare_ids(one.ids[i], other.ids[i], one.n, oracle.DEFAULTS, True, ranked)
            for i, layer in enumerate(one.layers)}
    compare(got["comparison"], tidy(want), "comparison")


def check_router(rng):
    source = draw_source(rng)
    settings = draw_settings(rng, source["experts"] * source["layers"])
    said = f"router:{make('a.npz', source)}"
    yield said, settings
    check_recording("a.npz", oracle.read("a.npz", options()), settings)
    check_keep(rng, "a.npz", oracle.read("a.npz", options()))
    make("b.npz", {**source, "seed": source["seed"] + 1})
    check_pair("a.npz", "b.npz")


def check_rows(rng, form):
    n, rows = draw_rows(rng, form == "words")
    settings = draw_settings(rng, n)
    if n > 2 and rng.random() < 0.3:       # the last ones compute nothing
        fewer = n - rng.randint(1, max(1, n // 3))
        n = fewer if all(any(0 <= e < fewer for row in rows if row["layer"] == layer for e in row["ids"])
                         for layer in {row["layer"] for row in rows}) else n
    said = options(experts=n, decode=0 if "decoded" in rows[0] else rng.choice([0, 2]))
    name = "rows.csv" if form == "table" else "rows.jsonl"
    (write_table if form == "table" else write_lines)(name, rows)
    spec = f"{name}:experts={n}" + (f",decode={said.decode}" if said.decode else "")
    yield f"{form} {spec}, {len(rows)} rows", settings
    check_recording(spec, oracle.read_rows(rows, said), settings)
    check_keep(rng, spec, oracle.read_rows(rows, said))


def check_loads(rng):
    n = rng.choice([1, 2, 5, 16, 60])
    k = rng.choice([0, 1, min(n, 4)])
    shape = (rng.randint(1, 3), rng.randint(1, 9), n)
    loads = np.array([rng.choice([0, 0, rng.randint(1, 9), rng.randint(1, 400)]) for _ in range(int(np.prod(shape)))])
    loads = loads.reshape(shape)
    loads[:, :, 0] += -loads.sum(2) % max(k, 1) + max(k, 1)     # whole tokens, no row without any
    np.savez("loads.npz", loads=loads)
    settings = draw_settings(rng, n)
    spec = "loads.npz" + (f":k={k}" if k else "")
    yield f"{spec} {shape}", settings
    said = options(k=k)
    check_counts(spec, oracle.read("loads.npz", said), settings)
    check_keep(rng, spec, oracle.read("loads.npz", said))


def knows_words():
    """Whether the program reads the words of tokens."""
    write_lines("known.jsonl", [dict(layer=0, token_idx=t, ids=[t % 3, 3], word="abc"[t % 3]) for t in range(40)])
    return "words" in json.loads(cli("trace", "known.jsonl", "--json"))


# ------------------------------------------------------------------------------------------------ real data

def read_real(path, said):
    """A recording of the folder by its ending."""
    if path.endswith(".npz"):
        return oracle.read(path, said)
    if path.endswith(".npy"):
        return oracle.read_arrays({"": np.load(path)}, said)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    for line in lines:
        if "topk_ids" not in line and not said.experts:
            said.experts = line.get("num_experts", 0)
    return oracle.read_rows([dict(layer=line["layer"], token_idx=line["token_idx"], ids=line["topk_ids"],
                                  gates=line["topk_weights"]) for line in lines if "topk_ids" in line], said)


def new_numbers(document):
    """What is not among the golden numbers."""
    out = {key: document[key] for key in OURS if key in document}
    for name, layer in document["layer"].items():
        out[f"gini {name}"] = [layer["gini"], layer["chance"].get("gini")]
    return out


def gini_of(recording):
    out = {}
    for l, name in enumerate(recording.layers):
        counts = recording.kind == "counts"
        load = recording.counts[l].sum(0) if counts else oracle.load_of(recording.ids[l], recording.n)
        slack = recording.k or 1 if counts else oracle.slack_of(recording.ids[l])
        floor = oracle.chance(recording.n, int(load.sum()), slack)["floor"]
        out[f"gini {name}"] = [recorded.gini(load), recorded.gini_by_chance(floor, recording.n)]
    return out


def check_real(name):
    said = options(decode=32 if name.startswith("qwen15") and name.endswith(".gz") else 0, k=8 if name.endswith(".npz") else 0)
    text = ",".join(f"{key}={value}" for key, value in vars(said).items() if value)
    spec = os.path.join(REAL, name) + (f":{text}" if text else "")
    recording = read_real(os.path.join(REAL, name), said)
    if recording.kind == "counts":
        parts = [((), recording)]
    else:
        parts = [((), oracle.take(recording, oracle.warm_up(recording)[1])), (("--keep-warm-up",), recording)]
    for more, part in parts:
        for by in ("token", "pass"):
            settings = {"by": by, "memory": 2, "expert-size": 16.5}
            got = json.loads(cli("trace", spec, "--json", *set_words(settings), *more))
            want = {**recorded.objects(part, settings, part.phase), **gini_of(part)}
            compare(new_numbers(got), tidy(want), name)


# ------------------------------------------------------------------------------------------------ all of it

def check(steps, number):
    """Says what was drawn where something differs."""
    drawn = next(steps)
    try:
        next(steps, None)
    except AssertionError as error:
        bail(f"recording {number}, {drawn[0]}, {drawn[1]}: {error}")
    except subprocess.CalledProcessError as error:
        bail(f"recording {number}, {drawn[0]}, {drawn[1]}: {error.stderr}")
    ok(drawn[0])


def main():
    recorded.self_test()
    ok("cases by hand")
    rng = random.Random(SEED)
    with tempfile.TemporaryDirectory(prefix="sluice-oracle-") as folder:
        os.chdir(folder)
        forms = ["lines", "table"] + ["words"] * knows_words()
        for number in range(1, RECORDINGS + 1):
            check(check_router(rng), number)
            check(check_rows(rng, forms[number % len(forms)]), number)
            check(check_loads(rng), number)
        for name in sorted(os.listdir(REAL)) if os.path.isdir(REAL) else ():
            check_real(name)
            ok(name)
        os.chdir("/")
    print(f"# {compared} numbers are the same")
    plan()


main()
