#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""growth.py SLUICE [RESTARTS [SECONDS [LAB…]]]: how the memory of a window grows, each lab in turn.

Lets a lab run for a while, begins it again RESTARTS times, then trains for SECONDS, and prints what
that adds to resident memory, per 1000 restarts and per hour.  What is added once (caches, the history
of checkpoints up to its budget) comes before the count.  A measurement, no test.  By hand:
    GSETTINGS_SCHEMA_DIR=build/resources tests/headless tests/e2e/growth.py build/app/sluice 1000 3600
"""
import sys
import time

sys.dont_write_bytecode = True
from outside import LABS, WINDOW_PATH, activate, launch, wait_for_window  # noqa: E402

BETWEEN = 0.15  # seconds of training between two restarts


def resident(process):
    """MiB."""
    with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024.0


def restart(times):
    for _ in range(times):
        activate(WINDOW_PATH, "rewind")
        time.sleep(BETWEEN)


def measure(program, lab, restarts, seconds):
    process = launch(program, "--lab", lab)
    wait_for_window()
    time.sleep(5.0)
    restart(max(restarts // 4, 10))
    first = resident(process)
    restart(restarts)
    second = resident(process)
    time.sleep(seconds / 4.0)
    third = resident(process)
    time.sleep(seconds)
    fourth = resident(process)
    process.terminate()
    process.wait()
    return first, second, third, fourth


def main():
    program = sys.argv[1]
    restarts, seconds = (int(word) for word in (sys.argv[2:4] + ["100", "60"][len(sys.argv[2:4]):]))
    print(f"{'MiB':20} {'at first':>9} {'per 1000 restarts':>18} {'trained':>9} {'per hour':>9}")
    for lab in sys.argv[4:] or LABS:
        first, second, third, fourth = measure(program, lab, restarts, seconds)
        print(f"{lab:20} {first:9.1f} {1000.0 * (second - first) / restarts:18.1f} {third:9.1f} "
              f"{3600.0 * (fourth - third) / seconds:9.1f}", flush=True)
    return 0


sys.exit(main())
