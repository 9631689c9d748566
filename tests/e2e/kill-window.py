#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""kill-window.py SLUICE SLUICE-CLI [KILLS]: the window is killed while it trains, and goes on.

Each start without arguments goes on with the run that the kill before cut off.  The store always
opens and never loses a run, and in the end the run is, to the last bit, what the command line
makes of the same recipe.  Reported as TAP; the long version is a larger number of kills, under
tests/headless.
"""
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

WINDOW, CLI = sys.argv[1:3]
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 4
SEED = random.randrange(10**6)
random.seed(SEED)
SETTINGS = ["--data", "moons:points=400", "--set", "hidden=128-96", "--threads", "1"]
STORE = os.path.join(os.environ["XDG_DATA_HOME"], "sluice", "runs.sluice")
PATIENCE = 60.0
problems = []


def rows():
    """uuid -> (status, step), by another reader than ours."""
    if not os.path.exists(STORE):
        return {}
    with sqlite3.connect(STORE, timeout=30) as database:
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'run'").fetchone():
            return {}
        return {u: (s, n) for u, s, n in database.execute("SELECT uuid, status, step FROM run")}


def start(*words):
    return subprocess.Popen([WINDOW, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for_progress(before):
    """Until a run is further than it was."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if any(n > before.get(u, ("", 0))[1] for u, (_, n) in rows().items()):
            return
        time.sleep(0.1)
    problems.append("nothing went on")


def kill(process, seconds):
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.wait()


def check():
    with sqlite3.connect(STORE, timeout=30) as database:
        if database.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
            problems.append("the store is not whole")


def main():
    print("1..1")
    print(f"# {KILLS} kills, seed {SEED}", flush=True)
    process = start("--lab", "sign-estimator", "--seed", "5", *SETTINGS)
    wait_for_progress({})
    kill(process, random.uniform(0.0, 4.0))
    first = set(rows())
    for _ in range(KILLS - 1):
        before = rows()
        process = start()
        if random.random() < 0.7:
            wait_for_progress(before)
        kill(process, random.uniform(0.0, 4.0))
        check()
        if set(rows()) != first:
            problems.append(f"runs {sorted(first)} became {sorted(rows())}")
    before = rows()
    process = start()
    wait_for_progress(before)
    process.terminate()
    if process.wait() != 0:
        problems.append("it did not end cleanly")
    check()
    (uuid, (status, step)), = rows().items()
    if status != "paused":
        problems.append(f"the run is {status}")
    with tempfile.TemporaryDirectory() as folder:
        stored, made = (os.path.join(folder, name) for name in ("stored.csv", "made.csv"))
        subprocess.run([CLI, "runs", STORE, "export", uuid, "--csv", stored], check=True,
                       stdout=subprocess.DEVNULL)
        subprocess.run([CLI, "run", "sign-estimator", "-q", "--seed", "5", *SETTINGS, "--steps",
                        str(step), "--csv", made], check=True, stdout=subprocess.DEVNULL)
        with open(stored, "rb") as one, open(made, "rb") as other:
            if one.read() != other.read():
                problems.append(f"after {step} updates it is another run")
    print("not ok 1" if problems else "ok 1", f"- killed {KILLS} times, {step} updates")
    for problem in problems:
        print("#  ", problem)
    return 1 if problems else 0


sys.exit(main())
