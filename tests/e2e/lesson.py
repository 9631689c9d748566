#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A lesson from outside: opened as a file, taken by actions on the session bus, read through the
accessibility bus.  Arguments: the program, the folder of its lessons, the name of one."""

import json
import os
import re
import sys
import tempfile

from common import bail, ok, plan
from outside import (Atspi, GLib, application, launch, perform, quit_program, wait_for, walk,
                     window_actions)


def said(pattern):
    """A label that matches, as a match; units do not begin a line, which is nothing to look at."""
    root = application()
    root.clear_cache()
    for node in walk(root):
        if node.get_role() in (Atspi.Role.LABEL, Atspi.Role.HEADING):
            match = re.search(pattern, (node.get_name() or "").replace("\u00a0", " "))
            if match:
                return match
    return None


def pattern_of(text):
    """A text of a lesson with numbers in the places of values."""
    return re.sub(r"\\\{[^}]*\\\}", r"([0-9.-]+)", re.escape(text))


def set_last(steps):
    """The lab of the last step and what the lesson has set of it, as far as these are numbers."""
    lab, settings = None, {}
    for step in steps:
        if "lab" in step:
            lab, settings = step["lab"], {}
        settings.update(step.get("settings", {}))
    return lab, {key: value for key, value in settings.items() if not isinstance(value, str)}


def main():
    program, lessons, name = sys.argv[1:]
    folder = tempfile.mkdtemp(prefix="sluice-e2e-")
    own = os.path.join(folder, "own.lesson")
    path = os.path.join(lessons, name + ".lesson")
    with open(path, encoding="utf-8") as file:
        lesson = json.load(file)
    run = launch(program, "--threads", "1", path)
    wait_for("the program on the accessibility bus", application)
    window = window_actions()
    steps = len(lesson["steps"])

    wait_for("the first step", lambda: said(f"^1 of {steps}$"))
    ok("a lesson given as a file is taken")

    for number, step in enumerate(lesson["steps"], 1):
        wait_for(f"step {number}", lambda: said(f"^{number} of {steps}$"))
        wait_for(f"the title of step {number}", lambda: said(re.escape(step["title"])))
        if "question" in step:
            prompt = pattern_of(step["question"]["prompt"])
            wait_for(f"the question of step {number}", lambda: said(prompt))
            # Actions come on another bus than labels, and later.
            wait_for(f"the end of the way on without a guess in step {number}",
                     lambda: not window.get_action_enabled("lesson-next"))
            most = step["question"].get("range", [0, 0])[1]
            number_guessed = min(42, most)
            guess = {"number": str(number_guessed), "choice": "1",
                     "curve": f"{most / 2} {most / 10} 0"}[step["question"]["kind"]]
            perform(window, "lesson-answer", GLib.Variant("s", guess))
            reveal = pattern_of(step["reveal"])
            values = wait_for(f"the reveal of step {number}", lambda: said(reveal)).groups()
            if step["question"]["kind"] == "number" and float(values[0]) != number_guessed:
                bail(f"the guess is {values[0]} in the reveal of step {number}")
        wait_for(f"the way on from step {number}",
                 lambda: window.get_action_enabled("lesson-next"))
        if number < steps:
            # Before its end the first press only finishes the run.
            wait_for(f"the end of the run of step {number}",
                     lambda: not said("^(Update .* of .* …|The run is being prepared …)$"))
            perform(window, "lesson-next")
    ok("every step is read, guessed and revealed with measured values")

    perform(window, "lesson-save-step-to", GLib.Variant("(sss)", (own, "Mine", "Look.")))
    wait_for("the saved step", lambda: os.path.exists(own))
    with open(own, encoding="utf-8") as file:
        saved = json.load(file)
    lab, settings = set_last(lesson["steps"])
    have = saved["steps"][0]["settings"]
    # What is as by default is not written.
    shared = settings.keys() & have.keys()
    if (saved["steps"][0]["lab"] != lab or not shared
            or any(have[key] != settings[key] for key in shared)):
        bail(f"saved: {saved}")
    ok("what is on the screen is saved as a step")

    perform(window, "lesson-next")
    wait_for("the end", lambda: not window.get_action_enabled("lesson-leave"))
    ok("after the last step the lesson is over")

    quit_program(run)
    ok("quit ends it cleanly")
    plan()
    os.remove(own)
    os.rmdir(folder)


main()
