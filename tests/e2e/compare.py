#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What a comparison of runs says, against a computation of its own: made stores, the figures of `sluice-cli plot` as
tables, their sentences, the table of a sweep.  Arguments: the program, and how many stores (default 6).

The numbers of real runs are replaced by drawn ones: some runs have no test error, no time, diverged, were pruned, are longer, on other data,
or have a test error of an earlier update."""

import contextlib
import csv
import io
import math
import os
import random
import re
import shutil
import sqlite3
import sys

from common import run_tests, runner

PROGRAM = os.path.abspath(sys.argv.pop(1))
STORES = int(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 6
cli = runner(PROGRAM)
GATES, KS, SEEDS = ("noisy", "bias"), (1, 2, 4), 4
OUT = ("diverged", "pruned")
SWEEP = ["sweep", "experts", "--data", "moons:points=200", "--set", "hidden=6", "--set", "experts=4", "--set", "batch=10",
         "--axis", "gate=" + ",".join(GATES), "--axis", "k=" + ",".join(map(str, KS)), "--seeds", f"1-{SEEDS}", "--steps", "12"]


def t_quantile(freedom):
    """The t below which 97.5 % of Student's distribution lie: its density summed by Simpson's rule, and bisection."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)

    def share(high):
        # In u = atan (t / sqrt (freedom)) the density is a power of a cosine, smooth for few degrees of freedom, too.
        end, steps, total = math.atan(high / math.sqrt(freedom)), 2000, 0.0
        for i in range(steps + 1):
            weight = 1 if i in (0, steps) else 4 if i % 2 else 2
            total += weight * math.cos(end * i / steps) ** (freedom - 1)
        return 0.5 + scale * math.sqrt(freedom) * total * end / steps / 3

    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if share(middle) < 0.975 else (low, middle)
    return low


def mean_of(values):
    """Mean, half of its interval (None below two values), n."""
    n = len(values)
    mean = math.fsum(values) / n
    if n < 2:
        return mean, None, n
    sd = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (n - 1))
    return mean, t_quantile(n - 1) * sd / math.sqrt(n), n


def welch(first, second):
    """Difference of means, half of its interval, degrees of freedom."""
    a, b = (math.fsum((v - math.fsum(x) / len(x)) ** 2 for v in x) / (len(x) - 1) / len(x) for x in (first, second))
    freedom = (a + b) ** 2 / (a ** 2 / (len(first) - 1) + b ** 2 / (len(second) - 1))
    return math.fsum(second) / len(second) - math.fsum(first) / len(first), t_quantile(freedom) * math.sqrt(a + b), freedom


def near(got, expected, what):
    got = float(got)
    assert math.isclose(got, expected, rel_tol=1e-7, abs_tol=1e-9), (what, got, expected)


# ---- a made store ----

def set_figure(store, run, name, value):
    store.execute("DELETE FROM figure WHERE run = ? AND name = ?", (run, name))
    if value is not None:
        store.execute("INSERT INTO figure (run, name, value) VALUES (?, ?, ?)", (run, name, value))


def make(path, rng):
    """Drawn numbers in a copy of the sweep; what is true of each run, in the order of the sweep."""
    if not os.path.exists("sweep.sluice"):
        cli(*SWEEP, "--store", "sweep.sluice", "-q")
    shutil.copy("sweep.sluice", path)
    chance = rng.choice((0.0, 0.1, 0.3))
    runs = []
    with contextlib.closing(sqlite3.connect(path)) as store, store:
        for id_, seed, recipe in store.execute("SELECT id, seed, recipe FROM run ORDER BY cell").fetchall():
            gate = re.search(r'"gate": *"?([a-z-]+)', recipe)
            k = re.search(r'"k": *"?(\d+)', recipe)
            run = {"id": id_, "seed": int(seed), "gate": gate.group(1) if gate else "noisy", "k": int(k.group(1)) if k else 2,
                   "step": 12, "status": "finished"}
            run["executed"] = 10.0 * run["k"] + rng.gauss(0, 1)
            run["test"] = 30.0 / run["k"] + rng.gauss(0, 2)
            run["valid"] = 30.0 / run["k"] + rng.gauss(0, 2)
            run["timed"] = 20.0 + 5 * run["k"] + rng.gauss(0, 1)
            run["violation"] = abs(rng.gauss(1, 0.5))
            if rng.random() < chance:
                run["timed"] = None
            if rng.random() < chance / 2:
                run["status"] = rng.choice(OUT)
            if rng.random() < chance / 2:
                run["step"] = 12 * rng.randint(2, 4)
            run["at"] = run["step"]
            if rng.random() < chance / 3:
                run["at"] = run["step"] - 5
            runs.append(run)
        if chance > 0 and rng.random() < 0.5:
            for run in rng.sample(runs, len(runs) * 2 // 3):
                run["test"] = None  # validation errors are more
        elif rng.random() < 0.3:
            for run in runs:
                run["valid"] = None
        for run in runs:
            for name in ("outcome.error", "outcome.timed-spread", "outcome.timed-batch"):
                set_figure(store, run["id"], name, None)
            for name, key in (("outcome.executed", "executed"), ("outcome.timed", "timed"), ("test.violation", "violation"),
                              ("test.error", "test"), ("valid.error", "valid"), ("scored.test", "at"), ("scored.valid", "step")):
                set_figure(store, run["id"], name, run[key] if name != "scored.test" or run["test"] is not None else None)
            store.execute("UPDATE run SET status = ?, step = ? WHERE id = ?", (run["status"], run["step"], run["id"]))
            if run["test"] is not None and run["at"] != run["step"]:
                run["violation"] = None  # of an earlier update, as the error
            if run["valid"] is None:  # nor as last evaluated in training
                store.execute("UPDATE channel SET n = 0 WHERE run = ? AND name = 'error.valid'", (run["id"],))
    return runs


def table_of(path, *words):
    """A figure as a table: sentence, rows by the name of their point."""
    cli("plot", path, "trade=figure.csv", *words)
    with open("figure.csv", encoding="utf-8") as file:
        lines = file.read().splitlines()
    notes = [line[2:] for line in lines if line.startswith("# ")]
    rows = list(csv.DictReader(io.StringIO("\n".join(line for line in lines if not line.startswith("#")))))
    return notes, {row["point"]: row for row in rows if row["point"]}


# ---- what is true ----

def judge(runs, x):
    """The split, whether validation chooses, and the runs that count."""
    over = [run for run in runs if run["status"] not in OUT]
    for run in over:
        run["fresh"] = run["test"] if run["test"] is not None and run["at"] == run["step"] else None
    tested = sum(run["fresh"] is not None for run in over)
    validated = sum(run["valid"] is not None for run in over)
    any_ = sum(run["fresh"] is not None or run["valid"] is not None for run in over)
    split = "test" if tested == any_ or tested >= validated else "validation"
    chooses = split == "test" and all(run["valid"] is not None for run in over if run["fresh"] is not None)
    for run in over:
        run["error"] = run["fresh"] if split == "test" else run["valid"]
    return split, chooses, [run for run in over if run[x] is not None and run["error"] is not None]


def groups_of(runs, key):
    groups = {}
    for run in runs:
        groups.setdefault(key(run), []).append(run)
    return groups


def front_of(points):
    """Names of those that no other one beats, among (name, cost, error)."""
    return {name for name, cost, error in points
            if not any(c <= cost and e <= error and (c < cost or e < error) for _, c, e in points)}


def setting(run):
    return f"gate {run['gate']}, k {run['k']}"


def check_sentence(note, runs, counted, groups, split, chooses, x_label, frontier):
    sizes = [len(group) for group in groups.values()]
    n = str(min(sizes)) if min(sizes) == max(sizes) else f"{min(sizes)} to {max(sizes)}"
    expected = "Each point is one run." if max(sizes) == 1 else f"Means of {n} runs; bars and ±: 95 % intervals."
    assert note.startswith(expected), (note, expected)
    out = sum(run["status"] in OUT for run in runs)
    no_x = [run for run in runs if run["status"] not in OUT and run[x_label[0]] is None]
    no_y = len(runs) - out - len(no_x) - len(counted)
    for count, label in ((len(no_x), x_label[1]), (no_y, f"{split} error")):
        said = re.search(rf"Left out: (\d+) of (\d+) runs, without “{re.escape(label)}”", note)
        assert (said is None) == (count == 0), (note, count, label)
        assert said is None or said.groups() == (str(count), str(len(runs))), (note, count)
    for status in OUT:
        count = sum(run["status"] == status for run in runs)
        said = re.search(rf"{status.capitalize()}: (\d+) of (\d+) runs", note)
        assert (said is None) == (count == 0), (note, status, count)
        assert said is None or said.groups() == (str(count), str(len(runs))), (note, status, count)
    assert ("Validation errors choose the front" in note) == (frontier and chooses), note
    assert ("Test errors choose the front" in note) == (frontier and split == "test" and not chooses), note
    steps = [run["step"] for run in counted]
    length = f"Runs of {min(steps)} to {max(steps)} updates"
    assert (length in note) == (min(steps) < max(steps)), (note, length)


def check_points(rows, groups, x):
    assert set(rows) == set(groups), (sorted(rows), sorted(groups))
    for name, group in groups.items():
        row = list(rows[name].values())
        assert row[1] == str(len(group)), (name, row)
        for column, key in ((2, x), (4, "error")):
            mean, half, _ = mean_of([run[key] for run in group])
            near(row[column], mean, (name, key))
            near(row[column + 1] or 0, half or 0.0, (name, key, "±"))


def each_store():
    for number in range(STORES):
        yield random.Random(1000 + number), f"made-{number}.sluice"


def test_front():
    """Means, intervals, n, the front and the sentence, of both costs."""
    for rng, path in each_store():
        runs = make(path, rng)
        for x, words, label in (("executed", [], "executed multiplications"), ("timed", ["--x", "timed"], "time of a forward pass")):
            split, chooses, counted = judge(runs, x)
            groups = groups_of(counted, setting)
            notes, rows = table_of(path, *words)
            check_points(rows, groups, x)
            choice = "valid" if chooses else "error"
            best = front_of([(name, mean_of([run[x] for run in group])[0], mean_of([run[choice] for run in group])[0])
                             for name, group in groups.items()])
            assert {name for name, row in rows.items() if row["on the front"] == "1"} == best, (path, x, best)
            assert sum(row["knee"] == "1" for row in rows.values()) <= 1
            assert all(row["on the front"] == "1" for row in rows.values() if row["knee"] == "1")
            assert any(f"{split} error (%)" == name for name in next(iter(rows.values())).keys()), rows
            check_sentence(notes[1], runs, counted, groups, split, chooses, (x, label), True)


def test_any_two():
    """Balance against error by gate: no front, and the runs of a group are counted with their settings."""
    for rng, path in each_store():
        runs = make(path, rng)
        split, chooses, counted = judge(runs, "violation")
        groups = groups_of(counted, lambda run: f"gate = {run['gate']}")
        notes, rows = table_of(path, "--x", "test.violation", "--group", "gate")
        check_points(rows, groups, "violation")
        check_sentence(notes[1], runs, counted, groups, split, chooses, ("violation", "largest load ÷ mean − 1 (MaxVio), test"), False)
        most = max(len({run["k"] for run in group}) for group in groups.values())
        assert (f"A group has up to {most} settings." in notes[1]) == (most > 1), notes


def test_difference():
    """Of two groups in all scores, by Welch."""
    for rng, path in each_store():
        runs = make(path, rng)
        split, _, _ = judge(runs, "executed")
        cli("plot", path, "difference=gap.csv", "--group", "gate")
        with open("gap.csv", encoding="utf-8") as file:
            lines = file.read().splitlines()
        comments = [line for line in lines if line.startswith("#")]
        rows = {row["name"]: list(row.values()) for row in csv.DictReader(lines[len(comments):])}
        over = [run for run in runs if run["status"] not in OUT]
        most = max(len({run["k"] for run in over if run["gate"] == gate}) for gate in GATES)
        assert comments == ([f"# A group has up to {most} settings."] if most > 1 else []), comments
        titles = {"error": f"{split} error (%)", "test.violation": "largest load ÷ mean − 1 (MaxVio), test",
                  "test.cv-importance": "CV of importance, test", "test.used": "experts used, test"}
        assert all(rows[name][1] == title for name, title in titles.items() if name in rows), rows
        for name, key in (("executed", "executed"), ("timed", "timed"), ("error", "error"), ("test.violation", "violation")):
            sides = [[run[key] for run in over if run["gate"] == gate and run[key] is not None] for gate in GATES]
            if name.startswith("test.") and split == "validation":
                assert name not in rows  # scores are of the split of the errors alone
                continue
            row = rows[name]
            for side in range(2):
                mean, half, n = mean_of(sides[side])
                near(row[2 + 3 * side], mean, (name, "mean"))
                near(row[3 + 3 * side] or 0, half or 0.0, (name, "±"))
                assert row[4 + 3 * side] == str(n), (name, row, n)
            for got, expected in zip(row[8:], welch(*sides)):
                near(got, expected, (name, "difference"))
    wrong = cli("plot", "made-0.sluice", "difference=x.svg", code=2).stderr
    assert f"a difference needs two groups, not {len(GATES) * len(KS)}: choose two with --filter" in wrong, wrong
    assert all(f"gate {gate}, k {k}" in wrong for gate in GATES for k in KS), wrong


def test_bands():
    """Curves: mean and interval of each group at each update, and their difference, from the samples that a store has."""
    runs = [run for run in make("made-0.sluice", random.Random(7)) if run["status"] not in OUT]
    cli("runs", "made-0.sluice", "export", "--wide", "wide.csv")
    with open("wide.csv", encoding="utf-8") as file:
        wide = list(csv.DictReader(file))
    with contextlib.closing(sqlite3.connect("made-0.sluice")) as store:
        names = dict(store.execute("SELECT id, name FROM run"))
    channel = "error.train"
    columns = {run["id"]: [c for c in wide[0] if names[run["id"]] in c and channel in c] for run in runs}
    assert all(len(found) == 1 for found in columns.values()), (columns, list(wide[0])[:4])
    sides = [[columns[run["id"]][0] for run in runs if run["k"] == 1 and run["gate"] == gate] for gate in GATES]
    for words, check in ((["--bands"], None), (["--difference"], welch)):
        cli("plot", "made-0.sluice", "error=bands.csv", "--filter", "k=1", *words)
        with open("bands.csv", encoding="utf-8") as file:
            drawn = list(csv.reader(line for line in file if not line.startswith("#")))
        seen = 0
        for row in drawn[1:]:
            at = [line for line in wide if line["step"] == row[0]]
            if not at or any(at[0][column] == "" for side in sides for column in side):
                continue
            values = [[float(at[0][column]) for column in side] for side in sides]
            mean, half = check(*values)[:2] if check else mean_of(values[0])[:2]
            for got, expected in zip(row[1:4], (mean, mean - half, mean + half)):
                assert math.isclose(float(got), expected, rel_tol=1e-6, abs_tol=1e-6), (words, row, expected)
            seen += 1
        assert seen >= 2, (seen, drawn[:2])


def test_sweep_table():
    """The table of a sweep has the means of the store, and tells what ± is."""
    text = cli(*SWEEP, "--store", "sweep.sluice").stdout
    assert "95 % interval" in text and "±" in text, text


sys.exit(run_tests(globals()))
