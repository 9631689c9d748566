#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The real program from outside: launched, read and driven through the accessibility bus and
through its actions on the session bus, and quit.  Arguments: the program."""

import json
import os
import signal
import sqlite3
import sys
import tempfile

from common import PATIENCE, bail, ok, plan, titles
from outside import (APP_PATH, Atspi, GLib, activate, find, launch, perform, quit_program, top_levels,
                     wait_for, wait_for_window, window_actions)

STORE = os.path.join(os.environ["XDG_DATA_HOME"], "sluice", "runs.sluice")


def statuses():
    """Of the runs of the store, in the order in which they began."""
    if not os.path.exists(STORE):
        return []
    with sqlite3.connect(f"file:{STORE}?mode=ro", uri=True) as store:
        return [row[0] for row in store.execute("SELECT status FROM run ORDER BY id")]


def main():
    program, cli = sys.argv[1:3]
    rate = titles(cli, "sign-estimator", "parameters")["learning-rate"]
    agreement = titles(cli, "sign-estimator", "panels")["agreement"]
    folder = tempfile.mkdtemp(prefix="sluice-e2e-")
    run = launch(program, "--data", "moons", "--set", "hidden=12-8", "--seed", "7",
                 "--threads", "1")
    app, frame = wait_for_window()
    ok("the program shows its window")

    wait_for("the lab", lambda: find(frame, Atspi.Role.SLIDER, rate))
    plot = wait_for("a plot", lambda: find(frame, Atspi.Role.IMAGE, agreement))
    wait_for("values in the description of a plot",
             lambda: "agreement" in (plot.get_description() or ""))
    ok("a plot says how its curves stand")

    slider = wait_for("the slider", lambda: find(frame, Atspi.Role.SLIDER, rate))
    Atspi.Value.set_current_value(slider, -2.0)
    spin = wait_for("its exact entry", lambda: find(frame, Atspi.Role.SPIN_BUTTON,
                                                    f"{rate}, exact value"))
    wait_for("the slider to reach the exact entry",
             lambda: abs(Atspi.Value.get_current_value(spin) - 0.01) < 1e-9)
    ok("a slider moves its exact entry")

    window = window_actions()
    perform(window, "pause")
    wait_for("the pause", lambda: not window.get_action_enabled("pause"))
    ok("an action on the bus pauses the run")

    path = os.path.join(folder, "run.json")
    perform(window, "export-to", GLib.Variant("s", path))
    wait_for("the export", lambda: os.path.exists(path))
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    if "recipe" not in document:
        bail(f"no recipe in {sorted(document)}")
    ok("an action on the bus exports the run with its recipe")

    perform(window, "set", GLib.Variant("(ss)", ("learning-rate", "0.002")))
    wait_for("the value set by action",
             lambda: abs(Atspi.Value.get_current_value(spin) - 0.002) < 1e-9)
    ok("an action on the bus sets a parameter, and the form follows")

    activate(APP_PATH, "new-window")
    wait_for("the start page in another window",
             lambda: any(find(other, Atspi.Role.SLIDER, "Share of gates on") for other in top_levels(app)
                         if other != frame))
    ok("another window opens the start page")

    quit_program(run)
    ok("quit ends it cleanly")

    run = launch(program, "--data", "moons", "--set", "hidden=12-8", "--threads", "1")
    wait_for_window()
    wait_for("a run in the store", lambda: statuses().count("running") == 1)
    run.send_signal(signal.SIGHUP)
    if run.wait(PATIENCE) != 0 or "paused" not in statuses() or "running" in statuses():
        bail(f"exit code {run.returncode}, runs {statuses()}")
    ok("a terminal that closes ends it as quit does")
    plan()
    os.remove(path)
    os.rmdir(folder)


main()
