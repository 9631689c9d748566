#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""hour.py HOUR [ACTIONS [SEED]]: an hour of a person at the window who does anything.

HOUR (hour/) is the program driven from inside at random: labs, runs, steps, drags, changes that begin
another run, undo, a look at the past and a run from there, data, lessons; it is quit, ended by a signal and
killed.  All the time every run that made an update is in the store,
what is taken back is the same bytes as before, and the toolkit warns of nothing.  Reported as TAP.  The
long version is
    tests/headless tests/e2e/hour.py build/tests/e2e/hour 500
"""
import os
import random
import signal
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
ACTIONS = int(sys.argv[2]) if len(sys.argv) > 2 else 60
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(10**6)
LIFE = 14  # actions between two ends, on the average
PATIENCE = 600.0
ENDS = {"quit": 0, "term": 0, "kill": -signal.SIGKILL}


def live(folder, actions, end):
    """One life of the program; what it said, and what is wrong."""
    environment = dict(os.environ, G_DEBUG="fatal-warnings", GSETTINGS_BACKEND="keyfile",
                       HOUR_SEED=str(random.randrange(2**31)), HOUR_ACTIONS=str(actions),
                       HOUR_LEDGER=os.path.join(folder, "ledger"), HOUR_END=end)
    with tempfile.TemporaryFile("w+") as said:
        try:
            code = subprocess.run([PROGRAM], env=environment, stdout=said, stderr=subprocess.STDOUT,
                                  timeout=PATIENCE, check=False).returncode
        except subprocess.TimeoutExpired:
            code = "no end"
        said.seek(0)
        lines = said.read().splitlines()
    if code != ENDS[end]:
        return lines, f"it ended with {code}"
    return lines, None


def main():
    random.seed(SEED)
    print("1..1")
    print(f"# {ACTIONS} actions, seed {SEED}", flush=True)
    done, lives, wrong, lines = 0, 0, None, []
    with tempfile.TemporaryDirectory() as folder:
        while done < ACTIONS and wrong is None:
            end = random.choice(list(ENDS))
            before, (lines, wrong) = lines, live(folder, random.randint(1, 2 * LIFE), end)
            done += lines.count("done")
            lives += 1
            print(f"# {done} actions in {lives} lives, this one to end by {end}", flush=True)
            if wrong is not None:
                for line in before[-20:] + ["---- the next start"] + lines[-60:]:
                    print("#  ", line)
                print("#  ", wrong)
    print("ok 1" if wrong is None else "not ok 1", f"- {done} actions, {lives} starts")
    return 0 if wrong is None else 1


sys.exit(main())
