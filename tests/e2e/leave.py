#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""leave.py SLUICE [LAB…]: seconds from SIGTERM to the end of the window, each lab in turn, while four
endless loops have the cores, too.

A measurement, no test: a bar on it would fail on a slow day.  By hand:
    GSETTINGS_SCHEMA_DIR=build/resources tests/headless tests/e2e/leave.py build/app/sluice
"""
import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from outside import LABS, launch, wait_for_window  # noqa: E402

LOOPS = 4
TRAINED = 8.0  # seconds


def loops():
    return [subprocess.Popen(["/bin/sh", "-c", "while :; do :; done"]) for _ in range(LOOPS)]


def measure(program, lab):
    process = launch(program, "--lab", lab)
    wait_for_window()
    time.sleep(TRAINED)
    begin = time.monotonic()
    process.send_signal(signal.SIGTERM)
    code = process.wait(300)
    return time.monotonic() - begin, code


def main():
    program, labs = sys.argv[1], sys.argv[2:] or LABS
    busy = loops()
    worst = 0.0
    try:
        for lab in labs:
            seconds, code = measure(program, lab)
            worst = max(worst, seconds)
            print(f"{lab:20} {seconds:6.2f} s, exit code {code}", flush=True)
    finally:
        for loop in busy:
            loop.kill()
    load = os.getloadavg()[0]
    print(f"{'worst':20} {worst:6.2f} s, load {load:.1f}")
    return 0


sys.exit(main())
