#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The real program from outside: launched, read and driven through the accessibility bus and
through its actions on the session bus, and quit.  Arguments: the program."""

import json
import os
import subprocess
import sys
import tempfile
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

APP_ID = "org.sluice.Sluice"
PATIENCE = 60.0
done = 0


def ok(what):
    global done
    done += 1
    print(f"ok {done} - {what}", flush=True)


def wait_for(what, condition):
    """The first true value of a condition; main-loop events go on meanwhile."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        GLib.MainContext.default().iteration(False)
        try:
            value = condition()
        except GLib.Error:
            value = None
        if value:
            return value
        time.sleep(0.01)
    print(f"Bail out! waited in vain for {what}", flush=True)
    sys.exit(1)


def application():
    desktop = Atspi.get_desktop(0)
    for i in range(desktop.get_child_count()):
        child = desktop.get_child_at_index(i)
        if child is not None and child.get_name() in ("sluice", APP_ID, "Sluice"):
            return child
    return None


def walk(node):
    yield node
    for i in range(node.get_child_count()):
        child = node.get_child_at_index(i)
        if child is not None:
            yield from walk(child)


def find(root, role, name):
    for node in walk(root):
        if node.get_role() == role and node.get_name() == name:
            return node
    return None


def actions(bus, path):
    return Gio.DBusActionGroup.get(bus, APP_ID, path)


def main():
    program = sys.argv[1]
    folder = tempfile.mkdtemp(prefix="sluice-e2e-")
    # Whatever the toolkit complains about ends the program; the client's library has harmless ones.
    run = subprocess.Popen(
        [program, "--data", "moons", "--set", "hidden=12-8", "--seed", "7", "--threads", "1"],
        env=dict(os.environ, G_DEBUG="fatal-warnings"))
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    app = wait_for("the program on the accessibility bus", application)
    frame = wait_for("its window", lambda: app.get_child_count() and app.get_child_at_index(0))
    ok("the program shows its window")

    wait_for("the lab", lambda: find(frame, Atspi.Role.SLIDER, "Learning rate"))
    named = {Atspi.Role.PUSH_BUTTON, Atspi.Role.SLIDER, Atspi.Role.SPIN_BUTTON,
             Atspi.Role.TOGGLE_BUTTON, Atspi.Role.CHECK_BOX, Atspi.Role.COMBO_BOX,
             Atspi.Role.IMAGE, Atspi.Role.TEXT, Atspi.Role.LIST_ITEM}
    nameless, controls = [], 0
    for node in walk(frame):
        if node.get_role() not in named:
            continue
        states = node.get_state_set()
        # The toolkit tells of "visible" here and never of "showing".
        if not (states.contains(Atspi.StateType.FOCUSABLE) and states.contains(
                Atspi.StateType.VISIBLE)):
            continue
        controls += 1
        name = node.get_name() or ""
        if name == "" or name.startswith(("Gtk", "Adw", "Sl")):
            nameless.append((node.get_role_name(), name))
    if nameless:
        print(f"Bail out! controls without a name: {nameless}", flush=True)
        sys.exit(1)
    if controls < 20:
        print(f"Bail out! only {controls} controls to be seen", flush=True)
        sys.exit(1)
    ok("every control has a name")

    plot = wait_for("a plot", lambda: find(frame, Atspi.Role.IMAGE, "Sign agreement"))
    wait_for("values in the description of a plot",
             lambda: "agreement" in (plot.get_description() or ""))
    ok("a plot says how its curves stand")

    slider = find(frame, Atspi.Role.SLIDER, "Learning rate")
    Atspi.Value.set_current_value(slider, -2.0)
    spin = find(frame, Atspi.Role.SPIN_BUTTON, "Learning rate, exact value")
    wait_for("the slider to reach the exact entry",
             lambda: abs(Atspi.Value.get_current_value(spin) - 0.01) < 1e-9)
    ok("a slider moves its exact entry")

    window = actions(bus, f"/{APP_ID.replace('.', '/')}/window/1")
    window.list_actions()
    wait_for("the window's actions", lambda: window.has_action("pause"))
    window.activate_action("pause", None)
    wait_for("the pause", lambda: not window.get_action_enabled("pause"))
    ok("an action on the bus pauses the run")

    path = os.path.join(folder, "run.json")
    window.activate_action("export-to", GLib.Variant("s", path))
    wait_for("the export", lambda: os.path.exists(path))
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    if "recipe" not in document:
        print(f"Bail out! no recipe in {sorted(document)}", flush=True)
        sys.exit(1)
    ok("an action on the bus exports the run with its recipe")

    window.activate_action("set", GLib.Variant("(ss)", ("learning-rate", "0.002")))
    wait_for("the value set by action",
             lambda: abs(Atspi.Value.get_current_value(spin) - 0.002) < 1e-9)
    ok("an action on the bus sets a parameter, and the form follows")

    actions(bus, f"/{APP_ID.replace('.', '/')}").list_actions()
    bus.call_sync(APP_ID, f"/{APP_ID.replace('.', '/')}", "org.gtk.Actions", "Activate",
                  GLib.Variant("(sava{sv})", ("quit", [], {})), None, Gio.DBusCallFlags.NONE, -1,
                  None)
    code = run.wait(PATIENCE)
    if code != 0:
        print(f"Bail out! the program ended with {code}", flush=True)
        sys.exit(1)
    ok("quit ends it cleanly")
    print(f"1..{done}", flush=True)
    os.remove(path)
    os.rmdir(folder)


main()
