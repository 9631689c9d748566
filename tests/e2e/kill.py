#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""kill.py SLUICE-CLI [KILLS [SEED]]: nothing that is stored is lost, whenever the command line is
killed.

Kills "sluice-cli" at random moments while it trains into a store, sweeps, merges and saves runs
into a file, in turn, and goes on with what was cut off.  After each kill the store has to open and
to have every run that was finished, to the last bit; a run that was gone on with has to end as one
that nobody interrupted.  Reported as TAP.  The long version is
    tests/e2e/kill.py build/app/sluice-cli 200
"""
import collections
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from stored import losses, remove, rows  # noqa: E402

CLI = sys.argv[1]
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 4
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(10**6)
random.seed(SEED)

SECONDS = 4.0  # of a run: two checkpoints are at least two seconds apart
RUN = ["sign-estimator", "--data", "moons:points=400", "--set", "hidden=128-96", "--threads", "1",
       "--at", "700:learning-rate=0.001", "--at", "1900:learning-rate=0.0005"]
SWEEP = ["sweep", "-q", "--data", "moons:points=300", "--set", "hidden=24-16", "--axis",
         "rank=2-2,6-4,12-8", "--seeds", "1-4"]
problems = []
killed = collections.Counter()
folder = tempfile.mkdtemp(prefix="sluice-kill-")


def place(name):
    return os.path.join(folder, name)


store, swept, whole = place("runs.sluice"), place("swept.sluice"), place("whole.sluice")
other, merged, saved = place("other.sluice"), place("merged.sluice"), place("saved.sluice")


def cli(*words):
    """Runs to the end, which has to be a good one; how long it took."""
    began = time.monotonic()
    done = subprocess.run([CLI, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode != 0:
        problems.append(f"{' '.join(words)}: {done.returncode} {done.stderr.strip()}")
    return time.monotonic() - began


def kill(what, seconds, *words):
    """Starts a command and kills it after so long, if it is still at work then."""
    with subprocess.Popen([CLI, *words], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as it:
        time.sleep(seconds)
        if it.poll() is None:
            killed[what] += 1
        it.send_signal(signal.SIGKILL)


def is_store(path):
    """Killed while it made the file, the program leaves no more than a first page."""
    return os.path.exists(path) and os.path.getsize(path) > 8192


def check(path, before):
    """The store opens, for our own program first, and has what it had."""
    if is_store(path):
        cli("runs", path, "list")
    problems.extend(losses(path, before))


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Training:
    """A run that is killed some times and gone on with to its end."""

    def __init__(self):
        took = cli("run", *RUN, "-q", "--steps", "2000")
        self.steps = str(max(2000, int(20 * SECONDS / took) * 100))
        self.length = SECONDS
        self.turns = 0

    def straight(self, seed):
        """What a run that nobody interrupted writes."""
        path = place(f"straight-{seed}.csv")
        if not os.path.exists(path):
            self.length = max(SECONDS, cli("run", *RUN, "-q", "--seed", str(seed), "--steps",
                                           self.steps, "--csv", path))
        return read(path)

    def turn(self):
        seed = 1 + self.turns % 3
        self.turns += 1
        before = rows(store)
        self.straight(seed)
        kill("training", random.uniform(0.0, self.length), "run", *RUN, "-q", "--seed", str(seed),
             "--steps", self.steps, "--store", store)
        check(store, before)
        new = [uuid for uuid in rows(store) if uuid not in before]
        while new and random.random() < 0.4:
            kill("going on", random.uniform(0.0, self.length), "run", "-q", "--store", store,
                 "--resume", new[0], "--steps", self.steps)
            check(store, before)
        for uuid in new:
            out = place("again.csv")
            cli("run", "-q", "--store", store, "--resume", uuid, "--steps", self.steps, "--csv",
                out)
            if read(out) != self.straight(seed):
                problems.append(f"{uuid}: gone on with, it is another run")
                shutil.copy(out, place(f"wrong-{uuid}.csv"))


class Sweeping:
    """A sweep that is killed until it is through has the runs of one that nobody interrupted."""

    def __init__(self):
        took = cli(*SWEEP, "--steps", "100")
        self.steps = str(max(100, int(SECONDS / took) * 100))
        self.length = cli(*SWEEP, "--steps", self.steps, "--store", whole)

    def turn(self):
        before = rows(swept)
        kill("sweep", random.uniform(0.0, self.length), *SWEEP, "--steps", self.steps, "--store",
             swept)
        check(swept, before)
        if random.random() < 0.4:
            cli(*SWEEP, "--steps", self.steps, "--store", swept)
            if rows(swept) != rows(whole):
                problems.append("a sweep that was killed and made again is another sweep")
            remove(swept)


class Merging:
    """A merge that is killed leaves all runs or none, and again gives all."""

    def __init__(self):
        for seed in "89":
            cli("run", *RUN, "-q", "--seed", seed, "--steps", "2500", "--store", other)
        self.length = self.merge(place("first.sluice"))

    def merge(self, target):
        return cli("runs", target, "merge", other, whole)

    def turn(self):
        for path in (store, swept):
            if is_store(path) and random.random() < 0.5:
                cli("runs", merged, "merge", path)
        before = rows(merged)
        kill("merge", random.uniform(0.0, self.length), "runs", merged, "merge", other, whole)
        check(merged, before)
        now = rows(merged)
        for path in (other, whole):
            here = [uuid in now for uuid in rows(path)]
            if any(here) and not all(here) and not any(uuid in before for uuid in rows(path)):
                problems.append(f"a merge of {path} that was killed left {sum(here)} runs of it")
        self.merge(merged)
        problems.extend(losses(merged, {**before, **rows(other), **rows(whole)}))
        remove(merged)


class Saving:
    """A file that runs are saved into is not there or has them all, never a part."""

    def __init__(self):
        self.length = cli("runs", whole, "export", "--to", place("trial.sluice"))

    def turn(self):
        remove(saved)
        one = random.choice(list(rows(whole)))
        words = [] if random.random() < 0.5 else [one]
        kill("save", random.uniform(0.0, self.length), "runs", whole, "export", *words, "--to",
             saved)
        now = rows(saved)
        if now not in ({}, rows(whole), {one: rows(whole)[one]}):
            problems.append(f"a save that was killed left {sorted(now)}")
        check(saved, {})
        remove(saved)
        cli("runs", whole, "export", one, "--to", saved)
        if rows(saved) != {one: rows(whole)[one]}:
            problems.append("a save after one that was killed is not what was saved")


def main():
    kinds = [kind() for kind in (Training, Sweeping, Merging, Saving)]
    print("1..1")
    print(f"# {KILLS} kills, seed {SEED}", flush=True)
    while sum(killed.values()) < KILLS and not problems:
        for kind in kinds:
            kind.turn()
        print("#", ", ".join(f"{what}: {n}" for what, n in killed.items()), flush=True)
    print("not ok 1" if problems else "ok 1", f"- killed {sum(killed.values())} times")
    for problem in problems:
        print("#  ", problem)
    if problems:
        print(f"#   what there was is in {folder}")
    else:
        shutil.rmtree(folder)
    return 1 if problems else 0


sys.exit(main())
