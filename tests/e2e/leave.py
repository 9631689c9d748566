#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""leave.py SLUICE|SLUICE-CLI [LAB…]: seconds from SIGTERM to the end of the window, or of a run on the command
line that is written into a store, each lab in turn, while four endless loops have the cores, too.  Beside it, what
the main thread computed in that time, and how long it waited for a core: on a machine that does more than these
loops, that is most of it.

A measurement, no test: a bar on it would fail on a slow day.  By hand:
    GSETTINGS_SCHEMA_DIR=build/resources tests/headless tests/e2e/leave.py build/app/sluice
    tests/headless tests/e2e/leave.py build/app/sluice-cli
"""
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from outside import LABS, launch, wait_for_window  # noqa: E402

LOOPS = 4
TRAINED = 8.0  # seconds


def loops():
    return [subprocess.Popen(["/bin/sh", "-c", "while :; do :; done"]) for _ in range(LOOPS)]


def schedule(process):
    """Seconds that the main thread has computed, and that it has waited for a core."""
    with open(f"/proc/{process.pid}/task/{process.pid}/schedstat", encoding="utf-8") as file:
        return [int(word) / 1e9 for word in file.read().split()[:2]]


def begin_run(program, lab, folder):
    """A window, or a run without one."""
    if program.endswith("-cli"):
        return subprocess.Popen([program, "run", lab, "-q", "--steps", "1000000000", "--store",
                                 os.path.join(folder, "runs.sluice")])
    process = launch(program, "--lab", lab)
    wait_for_window()
    return process


def measure(program, lab, folder):
    process = begin_run(program, lab, folder)
    time.sleep(TRAINED)
    begin, first = time.monotonic(), schedule(process)
    process.send_signal(signal.SIGTERM)
    # The times of a process that has ended are there until it is waited for.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    seconds, last = time.monotonic() - begin, schedule(process)
    return seconds, last[0] - first[0], last[1] - first[1], process.wait()


def main():
    program, labs = sys.argv[1], sys.argv[2:] or LABS
    busy = loops()
    worst = 0.0
    try:
        for lab in labs:
            with tempfile.TemporaryDirectory() as folder:
                seconds, ran, waited, code = measure(program, lab, folder)
            worst = max(worst, seconds)
            print(f"{lab:20} {seconds:6.2f} s, computed {ran:.2f} s, waited {waited:.2f} s, "
                  f"exit code {code}", flush=True)
    finally:
        for loop in busy:
            loop.kill()
    load = os.getloadavg()[0]
    print(f"{'worst':20} {worst:6.2f} s, load {load:.1f}")
    return 0


sys.exit(main())
