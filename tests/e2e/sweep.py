#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Sweeps from outside: stores, shards, schedulers, replays.  Arguments: the program."""

import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import time
import zlib

from common import PATIENCE, read, rows, run_tests, runner

PROGRAM = os.path.abspath(sys.argv[1])
# Twelve runs, small and quick, also where every access is checked.
SWEEP = ["sweep", "--data", "moons:points=300", "--set", "hidden=12-8", "--set", "batch=10",
         "--axis", "rank=2-2,6-4", "--axis", "learning-rate=0.001:0.1:3log", "--seeds", "1-2",
         "--steps", "40"]
cli = runner(PROGRAM)


def untimed(document):
    """Runs by id, without what the clock said."""
    return {run["id"]: {key: value for key, value in run.items() if key not in ("timed", "timed-spread")}
            for run in document["runs"]}


def test_usage():
    for words, hint in (
            ("sweep --axis rank", "ID=VALUES"),
            ("sweep --axis ranks=1,2", "rank"),
            ("sweep --axis rank=1:2", "lo:hi:n"),
            ("sweep --seeds 5-1", "1-5"),
            ("sweep --shard 3/2", "2/3"),
            ("sweep --jobs -1", "start at 0"),
            ("sweep --cost cheap", "executed"),
            ("sweep --print-jobs pbs", "slurm"),
            ("sweep --print-jobs slurm --json", "--json does not go with --print-jobs"),
            ("sweep --print-jobs slurm --cost timed", "--cost does not go"),
            ("sweep --print-jobs slurm --shard 1/2", "--shard does not go"),
            ("sweep --print-jobs slurm --dry-run", "--dry-run does not go"),
            ("sweep --print-jobs slurm --shards 0", "from 1 to 10000"),
            ("sweep --shards 3", "--print-jobs"),
            ("sweep --sample-seed 3", "--sample N"),
            ("sweep --axis rank --how latin", "--sample N"),
            ("sweep --axis rank=1 --axis theta=1 --axis rank=2", "rank has two axes"),
            ("sweep --axis rank --axis rank --sample 3", "rank has two axes"),
            ("sweep experts-text --steps 1 --cost timed", "it has executed"),
            ("sweep style --steps 1 --cost executed", "no cost"),
            ("sweep --steps 1 --cost parameters", "it has executed"),
            ("sweep --data grammar", "text"),
            ("sweep capacity --data moons", "--data does not go with capacity"),
            ("run experts --steps 1 --set k=17", "k: found 17, expected at most 16 (experts)"),
            ("run experts --steps 1 --set experts=4 --at 1:k=5", "at most 4"),
            ("sweep experts --steps 1 --axis k=4,17", "at most 16"),
            ("sweep experts --steps 1 --set k=4 --axis experts=3,8", "at most 3"),
            ("sweep --axis rank=1:1000:999 --axis theta=0:1:999", "100000"),
            ("runs", "no store is given"),
            ("runs x.sluice lst", "list"),
            ("runs x.sluice show", "to show")):
        complaint = cli(*words.split(), code=2).stderr
        assert hint in complaint, (words, complaint)
    assert "no store" in cli("runs", "nothing.sluice", code=1).stderr
    assert not os.path.exists("nothing.sluice")


def test_reach():
    """Drawn numbers end where others do, so that a row of the table says what its runs had."""
    drawn = json.loads(cli("sweep", "experts", "--data", "digits:images=600", "--axis", "k=1:256", "--axis", "experts=2:6",
                           "--sample", "6", "--steps", "1", "--json").stdout)["runs"]
    assert drawn and all(int(run["settings"]["k"]) <= int(run["settings"]["experts"]) for run in drawn), drawn


def test_pruned():
    """A job line of an earlier version makes all runs whole, with a note; runs that it left pruned go on."""
    whole = untimed(json.loads(cli(*SWEEP, "--json").stdout))
    words = [*SWEEP, "--store", "pruned.sluice"]
    cli(*words)
    with contextlib.closing(sqlite3.connect("pruned.sluice")) as store, store:
        store.execute("UPDATE run SET status = 'pruned' WHERE id % 2 = 0")
    assert cli("runs", "pruned.sluice", "list").stdout.count("pruned") >= 6
    drawn = cli("plot", "pruned.sluice", "trade=trade.svg").stderr
    assert "runs that an earlier version pruned are left out: 6" in drawn, drawn
    again = cli(*words, "--prune", "2", "--json")
    assert "no longer prune" in again.stderr, again.stderr
    assert untimed(json.loads(again.stdout)) == whole
    with open("pruned.json", "w", encoding="utf-8") as file:
        json.dump({**json.loads(again.stdout)["sweep"], "prune": 3}, file)
    assert "no longer prune" in cli("validate", "pruned.json").stdout
    assert "no longer prune" in cli("sweep", "--from", "pruned.json", "--dry-run").stderr


def test_table():
    run = cli(*SWEEP)
    assert re.search(r"12 runs, \d+ at a time, about \d", run.stderr), run.stderr
    head, *body = run.stdout.splitlines()
    assert head.split()[:3] == ["rank", "learning-rate", "n"], head
    assert all(line.split()[2] == "2" for line in body[:6]), run.stdout
    assert "interval" in body[6] and "front" in body[-1] and len(body) == 8, run.stdout
    dry = cli(*SWEEP, "--dry-run")
    assert dry.stdout == "" and "12 runs" in dry.stderr


def test_json_and_from():
    first = json.loads(cli(*SWEEP, "--json", "-q").stdout)
    assert len(first["runs"]) == 12 and len(first["points"]) == 6
    for run in first["runs"]:
        assert run["step"] == 40 and 0 <= run["error"] <= 100, run
    mean = [p for p in first["points"] if p["settings"] == first["runs"][0]["settings"]][0]
    errors = [r["error"] for r in first["runs"] if r["settings"] == mean["settings"]]
    assert abs(mean["error"] - sum(errors) / 2) < 1e-9 and mean["n"] == 2
    assert any(point["front"] for point in first["points"])
    with open("sweep.json", "w", encoding="utf-8") as file:
        json.dump(first["sweep"], file)
    again = json.loads(cli("sweep", "--from", "sweep.json", "--json", "-q", "-j", "1").stdout)
    assert untimed(first) == untimed(again)
    for option in ("--steps 1", "--epochs 1", "--seconds 1", "--patience 1", "--seeds 5", "--axis rank=3",
                   "--data moons", "--preset x", "--set batch=5", "--sample 3", "--how latin",
                   "--sample-seed 4", "--suggested rank", "--prune 2"):
        complaint = cli("sweep", "--from", "sweep.json", *option.split(), code=2).stderr
        assert f"{option.split()[0]} does not go with --from" in complaint, complaint
    with open("sweep.json", "w", encoding="utf-8") as file:
        json.dump({**first["sweep"], "lab": "none"}, file)
    assert "the id of a lab" in cli("sweep", "--from", "sweep.json", code=1).stderr


def test_store_goes_on():
    cli(*SWEEP[:-4], "--seeds", "1", "--steps", "40", "--store", "a.sluice")
    more = cli(*SWEEP, "--store", "a.sluice")
    assert "6 runs are there already" in more.stderr and "6 runs, " in more.stderr, more.stderr
    nothing = cli(*SWEEP, "--store", "a.sluice")
    assert "12 runs are there already" in nothing.stderr, nothing.stderr
    assert nothing.stdout == more.stdout
    table = rows(cli("runs", "a.sluice", "list", "--csv", "-").stdout)
    assert len(table) == 12 and {row["status"] for row in table} == {"finished"}
    assert {row["rank"] for row in table} == {"2-2", "6-4"}
    assert len(json.loads(cli("runs", "a.sluice", "list", "--json", "-").stdout)) == 12


def test_same_bytes_as_run():
    """A stored run, the single run of the printed command, and the replay are the same."""
    one = cli("runs", "a.sluice").stdout.split()[0]
    cli("runs", "a.sluice", "export", one, "--csv", "stored.csv")
    command = cli("replay", "a.sluice", one, "--command").stdout
    words = shlex.split(command)
    assert words[:2] == ["sluice-cli", "run"] and words[-2:] == ["--threads", "1"], words
    cli(*words[1:], "--csv", "single.csv", "-q")
    assert read("stored.csv") == read("single.csv")
    assert "same to the last bit" in cli("replay", "a.sluice", one).stderr
    shown = cli("runs", "a.sluice", "show", one).stdout
    assert command.strip() in shown and "outcome.error" in shown


def test_replay_notices():
    """A sample that is not what the run makes is found."""
    shutil.copy("a.sluice", "broken.sluice")
    one = cli("runs", "broken.sluice").stdout.split()[0]
    with sqlite3.connect("broken.sluice") as file:
        key, run = file.execute("SELECT rowid, uuid FROM run WHERE uuid LIKE ?",
                                (one + "%",)).fetchone()
        place, data = file.execute("SELECT rowid, data FROM block WHERE run = ? LIMIT 1",
                                   (key,)).fetchone()
        value = struct.unpack("<d", data[-8:])[0]
        data = data[:-8] + struct.pack("<d", value + 1)
        file.execute("UPDATE block SET data = ?, sum = ? WHERE rowid = ?",
                     (data, zlib.crc32(data), place))
    assert "differs" in cli("replay", "broken.sluice", run, code=1).stderr


def test_merge_export_delete():
    ids = [line.split()[0] for line in cli("runs", "a.sluice").stdout.splitlines()]
    cli("runs", "a.sluice", "export", *ids[:3], "--to", "b.sluice")
    assert len(cli("runs", "b.sluice").stdout.splitlines()) == 3
    assert "9 runs added" in cli("runs", "b.sluice", "merge", "a.sluice").stderr
    cli("runs", "b.sluice", "delete", *ids[:2])
    left = [line.split()[0] for line in cli("runs", "b.sluice").stdout.splitlines()]
    assert sorted(left) == sorted(ids[2:])
    assert "no run" in cli("runs", "b.sluice", "show", "zzzz", code=1).stderr


def test_time():
    """Runs without a time are timed later, those that are named or all; the others are left alone."""
    def without():
        table = rows(cli("runs", "t.sluice", "list", "--csv", "-").stdout)
        return [row["id"] for row in table if row["outcome.timed"] == ""]

    cli("runs", "a.sluice", "export", "--to", "t.sluice")
    with sqlite3.connect("t.sluice") as file:
        file.execute("DELETE FROM figure WHERE name LIKE 'outcome.timed%' AND run <= 5")
    five = without()
    assert len(five) == 5
    assert "(batch 10)" in cli("runs", "t.sluice", "time", five[0]).stdout
    assert without() == five[1:]
    lines = cli("runs", "t.sluice", "time", "--filter", "seed = 1").stdout.splitlines()
    assert len(lines) == 4 and without() == [], lines
    assert cli("runs", "t.sluice", "time").stdout == ""
    assert "takes no --csv" in cli("runs", "t.sluice", "time", "--csv", "-", code=2).stderr


def test_pictures():
    cli("sweep", "style", "--axis", "method=gram,moments", "--axis", "gamma=1,5,25", "--set",
        "scales=1", "--data", "pictures:size=16", "--steps", "2", "--store", "p.sluice")
    cli("plot", "p.sluice", "pictures=grid.svg", "--caption", "two by three")
    drawn = read("grid.svg")
    places = re.findall(rb'<image x="([0-9.]+)" y="([0-9.]+)"', drawn)
    assert len(places) == 6 and b"moments, 25" in drawn
    assert len({x for x, y in places}) == 3 and len({y for x, y in places}) == 2
    assert "no panel" in cli("plot", "a.sluice", "pictures=none.svg", code=2).stderr
    cli("run", "style", "--set", "scales=1", "--data", "pictures:size=16", "--steps", "1",
        "--store", "single.sluice")
    assert "has a picture" in cli("plot", "single.sluice", "pictures=none.svg", code=1).stderr


def test_parts():
    cli("sweep", "selective-execution", "--axis", "lambda=0,1", "--seeds", "1-2", "--set", "architecture=cascade",
        "--set", "explore-for=0", "--set", "static-nets=no", "--data", "digits:images=200", "--steps", "3", "--store", "w.sluice")
    cli("plot", "w.sluice", "parts=ways.svg")
    drawn = read("ways.svg")
    assert b"way 1" in drawn and b"way 4" in drawn and b"share of the examples" in drawn
    assert "no panel" in cli("plot", "a.sluice", "parts=none.svg", code=2).stderr


def test_plots():
    cli("plot", "a.sluice", "trade=trade.svg", "error=error.svg", "density=bands.svg", "--bands")
    assert b"Pareto front" in read("trade.svg") and b"intervals" in read("trade.svg")
    assert b"rank 6-4" in read("error.svg") and b"rank 2-2" in read("bands.svg")
    one = cli("runs", "a.sluice").stdout.split()[0]
    cli("plot", "a.sluice", "error=one.svg", "--run", one)
    assert b"<svg" in read("one.svg")
    assert "PANEL=FILE" in cli("plot", "a.sluice", "trade", code=2).stderr
    assert "no panel" in cli("plot", "a.sluice", "eror=x.svg", code=2).stderr


def test_page():
    """Runs that are compared become a page, one becomes the page of a run, and other files are refused."""
    one = cli("runs", "a.sluice").stdout.split()[0]
    cli("plot", "a.sluice", "--html", "all.html", "trade=beside.svg")
    cli("plot", "a.sluice", "--html", "one.html", "--run", one)
    everything, single = read("all.html"), read("one.html")
    assert everything.startswith(b"<!DOCTYPE html>") and b"<title>Sign estimator: " in everything
    assert b'id="sluice-recipe"' not in everything and b'id="sluice-recipe"' in single
    assert b"<svg" in read("beside.svg")
    assert "should end in .html" in cli("plot", "a.sluice", "--html", "all.svg", code=2).stderr
    with open("curves.csv", "w", encoding="utf-8") as file:
        file.write("step,loss\n1,2\n2,1\n")
    assert "--html needs" in cli("plot", "curves.csv", "--html", "curves.html", code=2).stderr
    assert "--html needs --store" in cli("sweep", "--html", "x.html", code=2).stderr
    assert "does not go with" in cli("sweep", "--print-jobs", "slurm", "--store", "x.sluice", "--html", "x.html",
                                     code=2).stderr


def test_table_of_the_front():
    """Each number of the table follows from the list of runs."""
    cli("plot", "a.sluice", "trade=trade.csv")
    text = read("trade.csv").decode()
    points = [row for row in rows("\n".join(line for line in text.splitlines() if line[0] != "#")) if row["point"]]
    groups = {}
    for run in rows(cli("runs", "a.sluice", "--csv", "-").stdout):
        groups.setdefault(f"rank {run['rank']}, learning-rate {run['learning-rate']}", []).append(run)
    assert {row["point"] for row in points} == set(groups) and "95 %" in text, text

    def pair(name, column):
        return [float(run[column]) for run in groups[name]]

    def mean(name, column):
        return sum(pair(name, column)) / 2

    for row in points:
        name = row["point"]
        assert row["n"] == "2" == str(len(groups[name]))
        for column, heading in (("outcome.executed", "executed multiplications"), ("test.error", "test error")):
            one, other = pair(name, column)
            value, half = (float(row[key]) for key in row if key.startswith(heading))
            assert abs(value - (one + other) / 2) <= 1e-9 * value, row
            assert abs(half - 12.7062047364 * abs(one - other) / 2) <= 1e-6 * value, row  # Student's t, one degree
        beaten = any(other != name and mean(other, "outcome.executed") <= mean(name, "outcome.executed")
                     and mean(other, "valid.error") <= mean(name, "valid.error") for other in groups)
        assert row["on the front"] == "01"[not beaten], row


def test_ctrl_c_keeps_what_is_done():
    words = [PROGRAM, *SWEEP[:-2], "--steps", "3000", "--store", "c.sluice", "-j", "1"]
    child = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        time.sleep(0.1)
        if os.path.exists("c.sluice"):
            listed = subprocess.run([PROGRAM, "runs", "c.sluice"], capture_output=True, text=True,
                                    timeout=PATIENCE, check=False)
            if listed.stdout.count("finished") >= 1:
                break
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=PATIENCE)
    done = cli("runs", "c.sluice").stdout.count("finished")
    assert done >= 1
    if child.returncode == 130:
        assert "the same command continues" in said, said
        assert done < 12
    else:
        assert child.returncode == 0 and done == 12, (child.returncode, done, said)
    again = cli(*words[1:])
    assert f"{done} run" in again.stderr and "already" in again.stderr, again.stderr
    assert cli("runs", "c.sluice").stdout.count("finished") == 12


def test_shards_of_a_scheduler():
    """Two parts made by GNU parallel and merged are the whole sweep."""
    line = cli(*SWEEP, "--print-jobs", "parallel", "--shards", "2",
               "--store", "it's d.sluice").stdout
    subprocess.run(["sh", "-e", "-c", line], check=True, timeout=PATIENCE,
                   env={**os.environ, "PARALLEL_HOME": os.getcwd()},
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    merge = re.search(r"once: (.*)", line).group(1)
    subprocess.run(["sh", "-e", "-c", merge], check=True, timeout=PATIENCE,
                   stderr=subprocess.DEVNULL)
    parts = json.loads(cli(*SWEEP, "--store", "it's d.sluice", "--json").stdout)
    whole = json.loads(cli(*SWEEP, "--json", "-q").stdout)
    assert len(parts["runs"]) == 12
    ours, theirs = untimed(parts), untimed(whole)
    for one in theirs:
        for key in ("seed", "settings", "step", "error", "executed", "expected", "scores"):
            assert ours[one][key] == theirs[one][key], (key, ours[one], theirs[one])


def test_threads_of_a_scheduler():
    """What a job computes with is asked of the scheduler and said to the job."""
    one = cli(*SWEEP, "--print-jobs", "slurm").stdout
    assert "--cpus-per-task=1\n" in one and "--jobs 1 --quiet" in one, one
    more = cli(*SWEEP, "--print-jobs", "slurm", "--threads", "2", "-j", "3").stdout
    assert "--cpus-per-task=6\n" in more and "--jobs 3 --threads 2 --quiet" in more, more
    line = cli(*SWEEP, "--print-jobs", "parallel", "--threads", "4").stdout
    assert "parallel -j 25% -q" in line and "--jobs 1 --threads 4 --quiet" in line, line


def test_slurm_script():
    script = cli(*SWEEP, "--print-jobs", "slurm", "--shards", "3", "--store", "s.sluice").stdout
    assert script.startswith("#!/bin/sh\n") and "#SBATCH --array=1-3" in script
    assert "#SBATCH --time=" in script and "#SBATCH --mem=" in script
    assert re.search(r"^exec '?/", script, re.MULTILINE), script
    for task in "123":
        subprocess.run(["sh", "-e", "-c", script], check=True, timeout=PATIENCE,
                       env={**os.environ, "SLURM_ARRAY_TASK_ID": task},
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    counts = [len(cli("runs", f"s-{task}.sluice").stdout.splitlines()) for task in "123"]
    assert counts == [4, 4, 4], counts


sys.exit(run_tests(globals()))
