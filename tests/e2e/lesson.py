#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A lesson from outside: opened as a file, taken by actions on the session bus, read through the
accessibility bus.  Arguments: the program, the folder of its lessons."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

APP_ID = "org.sluice.Sluice"
PATH = "/" + APP_ID.replace(".", "/")
PATIENCE = 60.0
done = 0


def ok(what):
    global done
    done += 1
    print(f"ok {done} - {what}", flush=True)


def fail(what):
    print(f"Bail out! {what}", flush=True)
    sys.exit(1)


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
        time.sleep(0.02)
    fail(f"waited in vain for {what}")


def walk(node):
    yield node
    for i in range(node.get_child_count()):
        child = node.get_child_at_index(i)
        if child is not None:
            yield from walk(child)


def frame():
    desktop = Atspi.get_desktop(0)
    for i in range(desktop.get_child_count()):
        child = desktop.get_child_at_index(i)
        if child is not None and child.get_name() in ("sluice", APP_ID, "Sluice"):
            return child if child.get_child_count() else None
    return None


def said(pattern):
    """A label that matches, as a match; units do not begin a line, which is nothing to look at."""
    root = frame()
    root.clear_cache()
    for node in walk(root):
        if node.get_role() in (Atspi.Role.LABEL, Atspi.Role.HEADING):
            match = re.search(pattern, (node.get_name() or "").replace("\u00a0", " "))
            if match:
                return match
    return None


def main():
    program, lessons = sys.argv[1:]
    folder = tempfile.mkdtemp(prefix="sluice-e2e-")
    own = os.path.join(folder, "own.lesson")
    path = os.path.join(lessons, "1-gate.lesson")
    with open(path, encoding="utf-8") as file:
        lesson = json.load(file)
    run = subprocess.Popen([program, "--threads", "1", path],
                           env=dict(os.environ, G_DEBUG="fatal-warnings"))
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    wait_for("the program on the accessibility bus", frame)
    window = Gio.DBusActionGroup.get(bus, APP_ID, f"{PATH}/window/1")
    window.list_actions()
    steps = len(lesson["steps"])

    wait_for("the first step", lambda: said(f"^1 of {steps}$"))
    ok("a lesson given as a file is taken")

    for number, step in enumerate(lesson["steps"], 1):
        wait_for(f"step {number}", lambda: said(f"^{number} of {steps}$"))
        if not said(re.escape(step["title"])):
            fail(f"step {number} has no title")
        if "question" not in step:
            wait_for(f"the way on from step {number}", lambda: window.get_action_enabled("lesson-next"))
        else:
            wait_for(f"the question of step {number}", lambda: said(re.escape(step["question"]["prompt"])))
            if window.get_action_enabled("lesson-next"):
                fail(f"step {number} goes on without a guess")
            guess = {"number": "42", "curve": "50 10 0", "choice": "1"}[step["question"]["kind"]]
            window.activate_action("lesson-answer", GLib.Variant("s", guess))
            reveal = re.sub(r"\\\{[^}]*\\\}", r"([0-9.-]+)", re.escape(step["reveal"]))
            values = wait_for(f"the reveal of step {number}", lambda: said(reveal)).groups()
            if step["question"]["kind"] == "number" and float(values[0]) != 42.0:
                fail(f"the guess is {values[0]} in the reveal of step {number}")
            wait_for(f"the way on from step {number}", lambda: window.get_action_enabled("lesson-next"))
        if number < steps:
            window.activate_action("lesson-next", None)
    ok("every step is read, guessed and revealed with measured values")

    window.activate_action("lesson-save-step-to", GLib.Variant("(sss)", (own, "Mine", "Look.")))
    wait_for("the saved step", lambda: os.path.exists(own))
    with open(own, encoding="utf-8") as file:
        saved = json.load(file)
    if saved["steps"][0]["lab"] != "experts" or saved["steps"][0]["settings"]["experts"] != 8:
        fail(f"saved: {saved}")
    ok("what is on the screen is saved as a step")

    window.activate_action("lesson-next", None)
    wait_for("the end", lambda: not window.get_action_enabled("lesson-leave"))
    ok("after the last step the lesson is over")

    bus.call_sync(APP_ID, PATH, "org.gtk.Actions", "Activate",
                  GLib.Variant("(sava{sv})", ("quit", [], {})), None, Gio.DBusCallFlags.NONE, -1,
                  None)
    if run.wait(PATIENCE) != 0:
        fail(f"the program ended with {run.returncode}")
    ok("quit ends it cleanly")
    print(f"1..{done}", flush=True)
    os.remove(own)
    os.rmdir(folder)


main()
