#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""rest.py SLUICE [LAB…]: what a window takes of a core while its run is paused, each lab in turn.

A measurement, no test: the processor's time goes by ticks, and other programs take theirs.  By hand:
    GSETTINGS_SCHEMA_DIR=build/resources tests/headless tests/e2e/rest.py build/app/sluice
"""
import os
import sys
import time

sys.dont_write_bytecode = True
from outside import LABS, WINDOW_PATH, activate, launch, wait_for_window  # noqa: E402

TRAINED, SETTLED, MEASURED = 5.0, 8.0, 10.0  # seconds


def processor_seconds(process):
    """Of all threads of a process, and by thread."""
    threads = {}
    folder = f"/proc/{process.pid}/task"
    for thread in os.listdir(folder):
        with open(f"{folder}/{thread}/stat", encoding="utf-8") as file:
            name, _, fields = file.read().partition("(")[2].rpartition(")")
        fields = fields.split()
        threads[thread, name] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return threads


def measure(program, lab):
    process = launch(program, "--lab", lab)
    wait_for_window()
    time.sleep(TRAINED)
    activate(WINDOW_PATH, "pause")
    time.sleep(SETTLED)
    before = processor_seconds(process)
    time.sleep(MEASURED)
    spent = {key: seconds - before.get(key, 0.0)
             for key, seconds in processor_seconds(process).items()}
    process.kill()
    process.wait()
    return spent


def main():
    program, labs = sys.argv[1], sys.argv[2:] or LABS
    for lab in labs:
        spent = measure(program, lab)
        worst = max(spent, key=spent.get)
        print(f"{lab:20} {100.0 * sum(spent.values()) / MEASURED:5.1f} % of a core, most of it in "
              f"the thread {worst[1]}", flush=True)
    return 0


sys.exit(main())
