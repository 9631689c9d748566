#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""kill.py SLUICE-CLI [KILLS [SEED]]: nothing that is stored is lost, whenever a program is killed.

Kills "sluice-cli run --store" at random moments, and merges, and goes on with what was cut off.
After each kill the store has to open and to have every run that was finished; a run that was
gone on with has to end as one that nobody interrupted, to the last bit.  Reported as TAP.
The long version is
    tests/e2e/kill.py build/app/sluice-cli 200
"""
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

CLI = sys.argv[1]
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 6
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(10**6)
random.seed(SEED)

SECONDS = 4.0  # of a run: two checkpoints are at least two seconds apart
RUN = ["sign-estimator", "--data", "moons:points=400", "--set", "hidden=128-96", "--threads", "1",
       "--at", "700:learning-rate=0.001", "--at", "1900:learning-rate=0.0005"]
STEPS = "0"  # found out when it begins
problems = []
folder = tempfile.mkdtemp(prefix="sluice-kill-")
store = os.path.join(folder, "runs.sluice")
other = os.path.join(folder, "other.sluice")


def cli(*words, check=True):
    """Runs to the end; what it printed."""
    done = subprocess.run([CLI, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False)
    if check and done.returncode != 0:
        problems.append(f"{' '.join(words)}: {done.returncode} {done.stderr.strip()}")
    return done


def steps_for(seconds):
    """How many updates take about so long here and now."""
    began = time.monotonic()
    cli("run", *RUN, "-q", "--steps", "2000")
    return str(max(2000, int(20 * seconds / (time.monotonic() - began)) * 100))


def killed(seconds, *words):
    """Starts a command and kills it after so long; whether it was at work then."""
    with subprocess.Popen([CLI, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as it:
        time.sleep(seconds)
        was_at_work = it.poll() is None
        it.send_signal(signal.SIGKILL)
    return was_at_work


def rows(path):
    """uuid -> (status, step, samples) by another reader than ours."""
    with sqlite3.connect(path) as database:
        if database.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
            problems.append(f"{path}: not whole")
        found = database.execute(
            "SELECT uuid, status, step, (SELECT sum (n) FROM block WHERE run = run.id) FROM run")
        return {row[0]: row[1:] for row in found}


def read(name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def straight(seed):
    """What a run that nobody interrupted writes."""
    name = f"straight-{seed}.csv"
    if not os.path.exists(os.path.join(folder, name)):
        cli("run", *RUN, "-q", "--seed", str(seed), "--steps", STEPS, "--csv",
            os.path.join(folder, name))
    return read(name)


def check_finished(before):
    """The store opens, and has all that was finished as it was."""
    now = rows(store)
    listed = cli("runs", store, "list").stdout
    for uuid, row in before.items():
        if row[0] == "finished" and now.get(uuid) != row:
            problems.append(f"{uuid}: {row} became {now.get(uuid)}")
        if uuid[:8] not in listed:
            problems.append(f"{uuid}: not listed")
    return now


def one(number):
    """A run that is killed some times and gone on with to its end."""
    seed = 1 + number % 3
    before = rows(store) if os.path.exists(store) else {}
    began = time.monotonic()
    straight(seed)
    length = max(SECONDS, time.monotonic() - began)
    command = ["run", *RUN, "-q", "--seed", str(seed), "--steps", STEPS, "--store", store]
    killed(random.uniform(0.0, length), *command)
    kills = 1
    while kills < 3 and random.random() < 0.5:
        names = [u for u, r in rows(store).items() if u not in before] if os.path.exists(store) else []
        if not names:
            break
        killed(random.uniform(0.0, length), "run", "-q", "--store", store, "--resume", names[0],
               "--steps", STEPS)
        kills += 1
    now = check_finished(before) if os.path.exists(store) else {}
    for uuid in [u for u in now if u not in before]:
        out = os.path.join(folder, "again.csv")
        cli("run", "-q", "--store", store, "--resume", uuid, "--steps", STEPS, "--csv", out)
        if read("again.csv") != straight(seed):
            problems.append(f"{uuid}: gone on with, it is another run")
            shutil.copy(out, os.path.join(folder, f"wrong-{uuid}.csv"))
    return kills


def merge():
    """A merge that is killed leaves all runs or none, and again gives all."""
    if not os.path.exists(other):
        cli("run", *RUN, "-q", "--seed", "9", "--steps", "400", "--store", other)
        cli("run", *RUN, "-q", "--seed", "8", "--steps", "400", "--store", other)
    target = os.path.join(folder, "merged.sluice")
    with sqlite3.connect(store) as source, sqlite3.connect(target) as copy:
        source.backup(copy)
    before = rows(target)
    killed(random.uniform(0.0, 0.3), "runs", target, "merge", other)
    now = rows(target)
    if len(now) not in (len(before), len(before) + 2):
        problems.append(f"a merge of 2 runs that was killed left {len(now) - len(before)}")
    cli("runs", target, "merge", other)
    if len(rows(target)) != len(before) + 2:
        problems.append("a merge after one that was killed is not whole")
    for uuid, row in before.items():
        if rows(target).get(uuid) != row:
            problems.append(f"{uuid}: not what it was after a merge")
    os.remove(target)


def main():
    global STEPS
    STEPS = steps_for(SECONDS)
    done = 0
    print("1..1")
    print(f"# {KILLS} kills, seed {SEED}")
    while done < KILLS and not problems:
        done += one(done)
        if os.path.exists(store):
            merge()
            done += 1
    print("not ok 1" if problems else "ok 1", f"- killed {done} times")
    for problem in problems:
        print("#  ", problem)
    if not problems:
        shutil.rmtree(folder)
    return 1 if problems else 0


sys.exit(main())
