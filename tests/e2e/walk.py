#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What a screen reader meets on a walk through the whole program: the start page, every lab, a
lesson, a presentation, the runs and every dialog of ours (the overview of keys and the window about
the program are the toolkit's).  No control is without a name, none has the name of its class, and
the values under a plot's cursor can be heard.  Arguments: the window, the command line."""

import json
import re
import subprocess
import sys
import warnings

from common import bail, ok, plan
from outside import (APP_PATH, WINDOW_PATH, Atspi, GLib, activate, children, find, has_place,
                     launch, quit_program, top_levels, wait_for, wait_for_window)

# The library's newer name for the name of an action is hidden by that of its object.
warnings.simplefilter("ignore", DeprecationWarning)

CONTROLS = {
    Atspi.Role.PUSH_BUTTON, Atspi.Role.SLIDER, Atspi.Role.SPIN_BUTTON, Atspi.Role.TOGGLE_BUTTON,
    Atspi.Role.CHECK_BOX, Atspi.Role.RADIO_BUTTON, Atspi.Role.COMBO_BOX, Atspi.Role.TEXT,
    Atspi.Role.ENTRY, Atspi.Role.LIST_ITEM, Atspi.Role.MENU_ITEM, Atspi.Role.LINK,
    Atspi.Role.IMAGE, Atspi.Role.TABLE, Atspi.Role.TREE_TABLE, Atspi.Role.LIST}
TYPE_NAME = re.compile("(Gtk|Adw|Sl)[A-Z]")


def trails(node, trail=()):
    """Every node below one, with its states and the roles above it."""
    yield node, node.get_state_set(), trail
    for child in children(node):
        yield from trails(child, trail + (node.get_role_name(),))


def nameless(root):
    """What is wrong with the names below a node, and how many controls there are."""
    wrong, controls = [], 0
    for node, states, trail in trails(root):
        try:
            role, name = node.get_role(), node.get_name() or ""
        except GLib.Error:
            continue  # It went away meanwhile.
        # Boxes hold the focus for what is in them and have nothing to say; pictures are plots.
        if not (states.contains(Atspi.StateType.VISIBLE)
                and states.contains(Atspi.StateType.FOCUSABLE) and role in CONTROLS):
            continue
        controls += 1
        # The list that a combo box drops is the toolkit's; its rows are read by their labels.
        if "combo box" in trail and role in (Atspi.Role.LIST, Atspi.Role.LIST_ITEM):
            continue
        # So is the cross of a toast; Escape and time close it as well.
        # One that is gone by now has no parent left.
        parent = node.get_parent()
        if role == Atspi.Role.PUSH_BUTTON and (parent is None
                                               or parent.get_name() == "AdwToastWidget"):
            continue
        if (name.strip() == "" or TYPE_NAME.match(name)) and has_place(node):
            wrong.append((node.get_role_name(), name, " > ".join(trail[-4:])))
    return wrong, controls


def window(name, *parameter):
    activate(WINDOW_PATH, name, *parameter)


def do(node, name):
    """One of the actions that a node offers to assistive tools."""
    names = [node.get_action_name(i) for i in range(node.get_n_actions())]
    if name not in names:
        bail(f"{node.get_name()} has no action {name} but {names}")
    Atspi.Action.do_action(node, names.index(name))


def check(what, root, least=3):
    """Every control below a node has a name, once there are so many and they have come to rest."""
    last = [], 0

    def named():
        nonlocal last
        last = nameless(root)
        return last[1] >= least and not last[0]

    wait_for(f"names in {what};", named, lambda: f"of {last[1]} controls these have none: {last[0]}")
    ok(f"{what}: {last[1]} controls have names")


def press_escape():
    """The toolkit's own way to close a window that has the focus; the bus has none."""
    subprocess.run(["xdotool", "key", "--clearmodifiers", "Escape"], check=False)


def dialog(app, main, what, show, least=3):
    """Opens something, walks it and closes it again."""
    show()
    opened = wait_for(f"{what} to open",
                      lambda: next((node for node in top_levels(app) if node != main), None))
    check(what, opened, least)
    # The key comes to nothing until the window has the focus.
    wait_for(f"{what} to close", lambda: len(top_levels(app)) <= 1 or press_escape())


def main():
    program, cli = sys.argv[1], sys.argv[2]
    labs = json.loads(subprocess.run([cli, "labs", "--json"], capture_output=True, check=True,
                                     text=True).stdout)
    # A pointer over a plot has a cursor of its own, which comes and goes as plots are laid out.
    subprocess.run(["xdotool", "mousemove", "0", "0"], check=False)
    run = launch(program, "--threads", "1")
    app, frame = wait_for_window()

    check("the start page", frame, 12)
    for lab in labs:
        window("lab", GLib.Variant("s", lab["id"]))
        title = next(panel["title"] for panel in lab["panels"] if panel["kind"] == "alive")
        wait_for(f"the lab {lab['id']}", lambda t=title: find(frame, Atspi.Role.IMAGE, t))
        window("pause")  # Its names are there without updates.
        check(f"the lab {lab['id']}", frame, 20)

    window("lab", GLib.Variant("s", "sign-estimator"))
    window("pause")  # It goes on.
    # Not one that the start page, which is there behind it, has as well.
    lost = next(panel["title"] for lab in labs if lab["id"] == "sign-estimator"
                for panel in lab["panels"] if panel["id"] == "lost-energy")
    plot = wait_for("a plot", lambda: find(frame, Atspi.Role.IMAGE, lost))
    wait_for("values in its description", lambda: "layer 1" in (plot.get_description() or ""))
    window("pause")
    do(plot, "plot.cursor-previous")
    wait_for("the cursor's value", lambda: plot.get_description().startswith("update "))
    do(plot, "plot.cursor-clear")
    wait_for("how the curves stand", lambda: not plot.get_description().startswith("update "))
    ok("the data cursor says the value under it")

    window("present")
    wait_for("the presentation",
             lambda: find(frame, Atspi.Role.PUSH_BUTTON, "End the presentation")
             or find(frame, Atspi.Role.TOGGLE_BUTTON, "End the presentation"))
    check("a presentation", frame, 8)
    window("present")
    window("lesson", GLib.Variant("s", "1-gate"))
    wait_for("the lesson bar", lambda: find(frame, Atspi.Role.PUSH_BUTTON, "Next"))
    check("a lesson", frame, 10)
    window("lesson-leave")
    dialog(app, frame, "the list of lessons", lambda: window("lessons"), 40)
    window("runs")
    wait_for("the page of runs", lambda: find(frame, Atspi.Role.SPIN_BUTTON, "Updates of each run"))
    check("runs and trade-offs", frame, 20)
    window("runs")

    dialog(app, frame, "the help", lambda: window("help"), 10)
    dialog(app, frame, "the preferences", lambda: activate(APP_PATH, "preferences"), 4)
    dialog(app, frame, "the export", lambda: window("export"), 8)

    quit_program(run)
    ok("quit ends it cleanly")
    plan()


main()
