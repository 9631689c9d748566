#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every lesson to its end before an audience by keyboard alone, as somebody takes it who hears the screen:
the focus is moved by Tab and read on the accessibility bus, answers are given by what has it, and Page Down
goes on, to the last page.  Arguments: the program, the folder of its lessons, part i of n of them, the folder of
the catalogues, and a language."""

import gettext
import glob
import json
import os
import subprocess
import sys
import time

from common import bail, ok, plan
from outside import (Atspi, GLib, application, children, find, launch, quit_program, wait_for,
                     wait_for_window, walk)

STOPS = 80  # of the focus, before it must have come round
CATALOGUES, TONGUE = os.path.abspath(sys.argv[5]), sys.argv[6]
say = (lambda text: text) if TONGUE == "en" else gettext.translation(
    "sluice", CATALOGUES, languages=[TONGUE]).gettext
VARIABLES = {"LC_ALL": "C.UTF-8" if TONGUE == "en" else "de_DE.UTF-8", "LANGUAGE": TONGUE,
             "SLUICE_LOCALEDIR": CATALOGUES}
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


def says(frame, wanted):
    frame.clear_cache()
    return any(wanted((node.get_name() or "").replace("\u00a0", " ")) for node in walk(frame)
               if node.get_role() in (Atspi.Role.LABEL, Atspi.Role.HEADING))


def label(frame, text):
    return says(frame, lambda name: name == text)


def is_on_its_way(frame):
    """Whether the lesson says how far its run has come."""
    parts = say("Update %s of %s …").split("%s")
    return says(frame, lambda name: name.startswith(parts[0]) and parts[1] in name and name.endswith(parts[2]))


def is_button(name):
    return lambda got, role: got == name and role in (Atspi.Role.PUSH_BUTTON,
                                                      Atspi.Role.TOGGLE_BUTTON)


def answer(question):
    if question["kind"] == "choice":
        options = question["options"]
        tab_to("the first option", is_button(say(options[0])))
        press("space")
        return
    if question["kind"] == "number":
        tab_to("the number", lambda got, role: got == say("Your guess, exact value"))
        press("Up")
    else:
        # In whichever plot the question is; a curve can be left out as well.
        tab_to("the way past a curve", is_button(say("Skip")))
        press("space")
        return
    tab_to("Answer", is_button(say("Answer")))
    press("space")


def take(frame, lesson):
    steps = lesson["steps"]
    for number, step in enumerate(steps, 1):
        count = say("%u of %u") % (number, len(steps))
        wait_for(f"{lesson['title']}: step {count}", lambda: label(frame, count))
        next_button = wait_for("Next", lambda: find(frame, Atspi.Role.PUSH_BUTTON, say("Next")))

        def may_go_on():
            next_button.clear_cache()
            return next_button.get_state_set().contains(Atspi.StateType.SENSITIVE)

        if "question" in step:
            wait_for("the question", lambda: not may_go_on())
            answer(step["question"])
        wait_for(f"{lesson['title']}: the way on from step {number}", may_go_on)
        hurried = is_on_its_way(frame)
        press("Next")
        if hurried:  # to the end of the run, or the run ended before the key
            wait_for("the end of the run", lambda: not is_on_its_way(frame))
            if label(frame, count):
                press("Next")
    if any("question" in step for step in steps):
        wait_for("the last page", lambda: is_over())
    else:
        wait_for("the end of the lesson", lambda: not label(frame, count))


def is_over():
    program = application()
    program.clear_cache()
    return any(find(window, Atspi.Role.LABEL, say("What you answered"))
               or find(window, Atspi.Role.HEADING, say("What you answered"))
               for window in children(program))


def main():
    program, folder, part, parts = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    listener = Atspi.EventListener.new(on_focus)
    listener.register("object:state-changed:focused")
    for path in sorted(glob.glob(os.path.join(folder, "*.lesson")))[part::parts]:
        with open(path, encoding="utf-8") as file:
            lesson = json.load(file)
        run = launch(program, "--threads", "1", path, **VARIABLES)
        _, frame = wait_for_window()
        wait_for("the lesson", lambda: label(frame, say("%u of %u") % (1, len(lesson["steps"]))))
        # The server has no window manager that would give the window the keys.
        subprocess.run("xdotool search --onlyvisible --class sluice windowfocus", shell=True,
                       check=False)
        press("F5")
        wait_for("the presentation",
                 lambda: find(frame, Atspi.Role.TOGGLE_BUTTON, say("End the presentation"))
                 or find(frame, Atspi.Role.PUSH_BUTTON, say("End the presentation")))
        take(frame, lesson)
        quit_program(run)
        ok(f"{os.path.basename(path)} is taken by keys in {TONGUE}")
    plan()


main()
