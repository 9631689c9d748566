#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""faults.py SLUICE-CLI LIBRARY [CALLS [SEED [what [COMMAND…]]]]: files that fail under the command line, and kills.

The library (faults/files.c) lets the n-th call about a file fail: an error of input and output, a full
disk, once or from then on, and writes that take half.  Whatever the command was at, it ends with the
right exit code and one sentence, nothing that was stored is lost, and nothing half done is left.

Or it kills the program before the n-th call that changes what is on the disk, or amid a write, which is
every state that a kill can leave.  Nothing that was stored is lost, other files are those of before or
of after, and the same command once more does all that it would have done.

Reported as TAP.  CALLS of each scenario are made to fail and as many to kill, chosen by SEED, and every
one that removes a file fails; 0: every one of all.  "faults" or "kills" are only those, and of the commands the ones named behind.
"""
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

from common import PATIENCE
from stored import losses, rows

CLI, LIBRARY = (os.path.abspath(word) for word in sys.argv[1:3])
CALLS = int(sys.argv[3]) if len(sys.argv) > 3 else 6
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 1
WHAT = sys.argv[5] if len(sys.argv) > 5 else ""
NAMED = sys.argv[6:]
SMALL = ["--data", "moons:points=60", "--set", "hidden=6-4", "--set", "batch=10", "--threads", "1"]
LESSON = """{ "sluice-lesson": 1, "title": "One", "summary": "All.", "steps": [
  { "title": "One", "text": "Look.", "lab": "experts", "data": "moons", "run": 10 } ] }"""
KINDS = [(kind, lasts) for kind in ("eio", "enospc") for lasts in ("once", "on")] + [("short", "on")]
KILLS = [("kill", "once"), ("torn", "once")]

random.seed(SEED)
folder = os.path.realpath(tempfile.mkdtemp(
    prefix="sluice-faults-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
good, work = os.path.join(folder, "good"), os.path.join(folder, "work")
report = os.path.join(folder, "report")


def run(words, call=None, kind="eio", lasts="once", only=None):
    """Runs a command in the folder `work`; the library is there when a call is given."""
    environment = dict(os.environ)
    if call is not None:
        environment.update(
            LD_PRELOAD=LIBRARY, SLUICE_FAULT_FOLDER=work, SLUICE_FAULT_CALL=str(call),
            SLUICE_FAULT_KIND=kind, SLUICE_FAULT_LASTS=lasts, SLUICE_FAULT_REPORT=report)
        if only is not None:
            environment.update(SLUICE_FAULT_ONLY=only)
        # The library calls what the sanitizer has put before the system's.
        environment["ASAN_OPTIONS"] = (environment.get("ASAN_OPTIONS", "")
                                       + ":verify_asan_link_order=0")
    return subprocess.run([CLI, *words], capture_output=True, text=True, timeout=PATIENCE,
                          check=False, cwd=work, env=environment)


def prepare():
    """What is there before: a store of two runs, another one, a run as JSON, a lesson."""
    os.mkdir(work)
    for store, seed in (("runs.sluice", "1"), ("runs.sluice", "2"), ("other.sluice", "3")):
        made = run(["run", "-q", *SMALL, "--steps", "20", "--seed", seed, "--store", store, "--json",
                    "run.json"])
        assert made.returncode == 0, made.stderr
    with open(os.path.join(work, "one.lesson"), "w", encoding="utf-8") as lesson:
        lesson.write(LESSON)
    shutil.move(work, good)


def begin():
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(good, work)


def scenarios(uuids):
    """Name, command, runs that go."""
    figures = [f"error=e.{end}" for end in ("png", "svg", "pdf", "csv", "tex")]
    return [
        ("run", ["run", "-q", *SMALL, "--steps", "20", "--seed", "7", "--store", "runs.sluice",
                 "--csv", "new.csv", "--json", "new.json"], []),
        ("going on", ["run", "-q", "--store", "runs.sluice", "--resume", uuids[0], "--steps", "400", "--csv",
                      "new.csv"], uuids[:1]),
        ("new store", ["run", "-q", *SMALL, "--steps", "20", "--store", "new.sluice"], []),
        ("sweep", ["sweep", "-q", *SMALL[:6], "--axis", "rank=2-2,3-3", "--seeds", "1-3", "--steps", "10",
                   "--store", "runs.sluice"], []),
        ("merge", ["runs", "runs.sluice", "merge", "other.sluice"], []),
        ("delete", ["runs", "runs.sluice", "delete", uuids[0]], uuids[:1]),
        ("save", ["runs", "runs.sluice", "export", "--to", "saved.sluice"], []),
        ("figures", ["plot", "run.json", *figures], []),
        ("tables", ["runs", "runs.sluice", "export", uuids[1], "--csv", "t.csv", "--json", "t.json"],
         []),
        ("replay", ["replay", "run.json", "-q", "--csv", "new.csv"], []),
        ("page and film", ["run", "-q", *SMALL, "--steps", "20", "--moments", "3", "--html", "p.html", "--film", "f.gif"],
         []),
        ("check", ["validate", "one.lesson", "run.json", "runs.sluice"], []),
    ]


def summary(document):
    """Channels of a run, None of half a document."""
    try:
        return [channel["id"] for channel in json.loads(document)["channels"]]
    except ValueError:
        return None


def roll_back(path):
    """What was begun and not done, the next one who opens the file for writing takes back."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA schema_version").fetchone()
    database.close()


def content():
    """Bytes of every other file; of stores their finished runs, of runs as JSON, which has times in
    it, the names of its channels."""
    found = {}
    for name in sorted(os.listdir(work)):
        path = os.path.join(work, name)
        if name.endswith(".sluice"):
            roll_back(path)
            found[name] = sorted(row[:2] + row[3:] for row in rows(path).values())
        elif name.startswith(".") or ".sluice-" not in name:  # what SQLite keeps beside a store
            with open(path, "rb") as file:
                found[name] = file.read()
            if name.endswith(".json"):
                found[name] = summary(found[name])
    return found


def check(done, before, expected, gone):
    """What is wrong after a command, in words."""
    wrong = []
    said = (done.stderr + done.stdout).splitlines()  # a check says on the output what it found
    if done.returncode not in (0, 1):
        wrong.append(f"exit code {done.returncode}")
    if "(null)" in done.stderr or "CRITICAL" in done.stderr or "WARNING" in done.stderr:
        wrong.append("not a sentence")
    if done.returncode == 1 and not any(": " in line and len(line) > 20 for line in said):
        wrong.append("failed without a word")
    for store, was in before.items():
        wrong += losses(os.path.join(work, store),
                        {uuid: row for uuid, row in was.items() if uuid not in gone})
    now = content()
    for name in now:
        if name not in expected:
            wrong.append(f"{name} is left")
        elif not name.endswith(".sluice") and now[name] != expected[name]:
            wrong.append(f"{name} is half written")
    if done.returncode == 0 and now != expected:
        wrong.append("not all done, and said to be fine")
    return wrong


def killed(words, before, start, expected, gone):
    """What is wrong after a kill, and after the same command once more, in words."""
    wrong = []
    for store, was in before.items():
        wrong += losses(os.path.join(work, store),
                        {uuid: row for uuid, row in was.items() if uuid not in gone})
    now = content()
    for name in now.keys() & (start.keys() | expected.keys()):
        if not name.endswith(".sluice") and now[name] not in (start.get(name), expected.get(name)):
            wrong.append(f"{name} is half written")
    done = now == expected  # then once more may say so: the run is gone, the saved runs would be lost
    again = run(words)
    if again.returncode not in ((0, 1) if done else (0,)):
        wrong.append(f"once more: {again.returncode} {again.stderr.strip()}")
    now = content()
    for name, was in expected.items():
        # A run that was killed is beside the one made anew.
        whole = set(now.get(name, [])) >= set(was) if name.endswith(".sluice") else now.get(name) == was
        if not whole:
            wrong.append(f"once more: {name} is another")
    return wrong


def reported():
    """How many calls there were, and the name of the first that failed."""
    with open(report, encoding="utf-8") as file:
        calls, _, name = file.read().split()
    os.remove(report)
    return int(calls), name


def count(words, only=None):
    """How many calls of a command there are that remove files, or change any; how it ended."""
    begin()
    done = run(words, 0, only=only)
    return reported()[0] if os.path.exists(report) else 0, done


def plans_of(words, calls):
    """(call, kind, lasts, only) to be injected."""
    faults = [(n, *kind, None) for n in range(1, calls + 1) for kind in KINDS]
    kills = [(n, *kind, "changes") for n in range(1, count(words, "changes")[0] + 1) for kind in KILLS]
    if CALLS > 0:
        faults = random.sample(faults, min(CALLS, len(faults)))
        faults += [(n, "eio", "once", "removals") for n in range(1, count(words, "removals")[0] + 1)]
        kills = random.sample(kills, min(CALLS, len(kills)))
    return (faults if WHAT != "kills" else []) + (kills if WHAT != "faults" else [])


def inject(words, before, gone):
    """Lets calls fail, or kill; what was wrong, how many failed and how many killed."""
    begin()
    start = content()
    calls, done = count(words)
    if done.returncode != 0 or calls == 0:
        return [f"without a fault: {done.stderr}"], 0, 0
    expected = content()
    wrong, faults, kills = [], 0, 0
    for n, kind, lasts, only in plans_of(words, calls):
        begin()
        try:
            done = run(words, n, kind, lasts, only)
        except subprocess.TimeoutExpired:
            wrong.append(f"call {n} {kind} {lasts}: no end")
            continue
        if done.returncode == -signal.SIGKILL:
            kills += 1
            wrong += [f"killed at change {n} ({kind}): {problem}"
                      for problem in killed(words, before, start, expected, gone)]
            continue
        what = reported()[1]
        faults += kind not in ("kill", "torn")
        for problem in check(done, before, expected, gone):
            wrong.append(f"call {n} of {calls} ({what}) {kind} {lasts}: {problem}; "
                         f"{done.stderr.strip()[-300:]}")
    return wrong, faults, kills


def main():
    prepare()
    before = {store: rows(os.path.join(good, store)) for store in ("runs.sluice", "other.sluice")}
    all_of = [one for one in scenarios(sorted(before["runs.sluice"])) if not NAMED or one[0] in NAMED]
    failed = 0
    print(f"1..{len(all_of)}")
    print(f"# seed {SEED}", flush=True)
    for number, (name, words, gone) in enumerate(all_of, 1):
        wrong, faults, kills = inject(words, before, gone)
        failed += bool(wrong)
        print("not ok" if wrong else "ok", number, f"- {name}: {faults} faults, {kills} kills", flush=True)
        for line in wrong:
            print("#  ", line, flush=True)
    shutil.rmtree(folder)
    return 1 if failed else 0


sys.exit(main())
