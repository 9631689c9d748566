#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Files named on the command line that cannot be opened: each has a page with the reason and ways on,
and nothing trains in their place.  Argument: the program."""

import os
import shutil
import subprocess
import sys
import tempfile

from common import PATIENCE, bail, ok, plan
from outside import (APP_PATH, Atspi, activate, application, has_place, launch, quit_program,
                     top_levels, wait_for, wait_for_window, walk)

NAMES = ("garbage.png", "garbage.json", "garbage.csv", "garbage.sluice", "garbage.lesson", "empty.png",
         "empty.sluice", "folder.png", "folder.sluice", "loop.lesson", "missing.csv")
FIRST = ("garbage.png", "garbage.sluice", "garbage.lesson", "garbage.csv")
GARBAGE = b"\x01garbage, \xff\n\x00" * 40
TITLE = "There is no run to show"


def put(path, content):
    with open(path, "wb") as file:
        file.write(content)


def make(folder, name):
    """What the first part of a name says.  Not even root can read a link to itself."""
    kind, path = name.split(".")[0], os.path.join(folder, name)
    if kind == "folder":
        os.mkdir(path)
    elif kind == "loop":
        os.symlink(name, path)
    elif kind != "missing":
        put(path, GARBAGE if kind == "garbage" else b"")
    return path


def showing(frame, role):
    """The names of what is on the page that is shown."""
    return [node.get_name() or "" for node in walk(frame)
            if node.get_role() == role and has_place(node)]


def labels(frame):
    return showing(frame, Atspi.Role.LABEL)


def check_page(frame, name):
    """The page of a window that was opened for a file."""
    wait_for(f"the reason for {name}",
             lambda: any(TITLE in text for text in labels(frame))
             and any(name in text for text in labels(frame)),
             lambda: f"; there is {labels(frame)}")
    for button in ("Open another file…", "Show the overview"):
        if button not in showing(frame, Atspi.Role.PUSH_BUTTON):
            bail(f"{name}: no button {button}")
    if showing(frame, Atspi.Role.SLIDER):
        bail(f"{name}: a lab was opened")


def check_first(program, path):
    """A file that the program starts with."""
    wait_for("the end of the last one", lambda: application() is None)
    run = launch(program, path)
    _, frame = wait_for_window()
    check_page(frame, os.path.basename(path))
    quit_program(run)


def check_next(app, program, path, number):
    """A file of a second start, which has a window of its own."""
    before = len(top_levels(app))
    subprocess.run([program, path], check=True, timeout=PATIENCE)
    wait_for("another window", lambda: len(top_levels(app)) > before)
    check_page(top_levels(app)[-1], os.path.basename(path))
    activate(f"{APP_PATH}/window/{number}", "close")
    wait_for("its end", lambda: len(top_levels(app)) == before)


def main():
    program = sys.argv[1]
    folder = tempfile.mkdtemp(prefix="sluice-refused-")
    paths = {name: make(folder, name) for name in NAMES}
    for name in FIRST:
        check_first(program, paths[name])
    ok("a first window shows why its file cannot be opened")

    wait_for("the end of the last one", lambda: application() is None)
    run = launch(program, "--paused", paths[NAMES[0]])
    app, _ = wait_for_window()
    for i, name in enumerate(NAMES):
        check_next(app, program, paths[name], i + 2)
    ok("a second window shows why its file cannot be opened")
    quit_program(run)
    plan()
    shutil.rmtree(folder)


main()
