#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every lesson to its end before an audience by keyboard alone, as somebody takes it who hears the screen:
the focus is moved by Tab and read on the accessibility bus, answers are given by what has it, and Page Down
goes on.  Arguments: the program, the folder of its lessons, part i of n of them."""

import glob
import json
import os
import subprocess
import sys
import time

from common import bail, ok, plan
from outside import (Atspi, GLib, find, launch, quit_program, wait_for, wait_for_window, walk)

STOPS = 80  # of the focus, before it must have come round
focused = None


def on_focus(event):
    global focused
    if event.detail1:
        focused = event.source


def press(key):
    subprocess.run(["xdotool", "key", "--clearmodifiers", key], check=True)


def spin_loop(seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        while GLib.MainContext.default().iteration(False):
            pass
        time.sleep(0.005)


def name_of(node):
    try:
        return (node.get_name() or "").replace("\u00a0", " "), node.get_role()
    except GLib.Error:
        return "", None


def tab_to(what, wanted):
    """Moves the focus until it is on something wanted."""
    global focused
    heard = []
    for _ in range(STOPS):
        focused = None
        press("Tab")
        until = time.monotonic() + 0.5
        while focused is None and time.monotonic() < until:
            spin_loop(0.01)
        if focused is None:
            continue
        name, role = name_of(focused)
        heard.append(name)
        if wanted(name, role):
            return focused
    return bail(f"no Tab leads to {what}; there are {heard}")


def label(frame, text):
    frame.clear_cache()
    return any(text == (node.get_name() or "").replace("\u00a0", " ") for node in walk(frame)
               if node.get_role() in (Atspi.Role.LABEL, Atspi.Role.HEADING))


def is_button(name):
    return lambda got, role: got == name and role in (Atspi.Role.PUSH_BUTTON,
                                                      Atspi.Role.TOGGLE_BUTTON)


def answer(question):
    if question["kind"] == "choice":
        options = question["options"]
        tab_to("the first option", is_button(options[0]))
        press("space")
        return
    if question["kind"] == "number":
        tab_to("the number", lambda got, role: got == "Your guess, exact value")
        press("Up")
    else:
        # In whichever plot the question is; a curve can be left out as well.
        tab_to("the way past a curve", is_button("Skip"))
        press("space")
        return
    tab_to("Answer", is_button("Answer"))
    press("space")


def take(frame, lesson):
    steps = lesson["steps"]
    for number, step in enumerate(steps, 1):
        count = f"{number} of {len(steps)}"
        wait_for(f"{lesson['title']}: step {count}", lambda: label(frame, count))
        next_button = wait_for("Next", lambda: find(frame, Atspi.Role.PUSH_BUTTON, "Next"))

        def may_go_on():
            next_button.clear_cache()
            return next_button.get_state_set().contains(Atspi.StateType.SENSITIVE)

        if "question" in step:
            wait_for("the question", lambda: not may_go_on())
            answer(step["question"])
        wait_for(f"{lesson['title']}: the way on from step {number}", may_go_on)
        press("Next")
    wait_for("the end of the lesson",
             lambda: not label(frame, f"{len(steps)} of {len(steps)}")
             or find(frame, Atspi.Role.PUSH_BUTTON, "Next") is None
             or not find(frame, Atspi.Role.PUSH_BUTTON, "Next").get_state_set().contains(
                 Atspi.StateType.SHOWING))


def main():
    program, folder, part, parts = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    listener = Atspi.EventListener.new(on_focus)
    listener.register("object:state-changed:focused")
    for path in sorted(glob.glob(os.path.join(folder, "*.lesson")))[part::parts]:
        with open(path, encoding="utf-8") as file:
            lesson = json.load(file)
        run = launch(program, "--threads", "1", path)
        _, frame = wait_for_window()
        wait_for("the lesson", lambda: label(frame, f"1 of {len(lesson['steps'])}"))
        # The server has no window manager that would give the window the keys.
        subprocess.run("xdotool search --onlyvisible --class sluice windowfocus", shell=True,
                       check=False)
        press("F5")
        wait_for("the presentation",
                 lambda: find(frame, Atspi.Role.TOGGLE_BUTTON, "End the presentation")
                 or find(frame, Atspi.Role.PUSH_BUTTON, "End the presentation"))
        take(frame, lesson)
        quit_program(run)
        ok(f"{os.path.basename(path)} is taken by keys")
    plan()


main()
