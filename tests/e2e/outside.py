# SPDX-License-Identifier: MIT
"""The window from outside: found, read and driven through the accessibility bus, and through its
actions on the session bus."""

import os
import subprocess
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

from common import PATIENCE, bail, end  # noqa: E402

APP_ID = "org.sluice.Sluice"
APP_PATH = "/" + APP_ID.replace(".", "/")
WINDOW_PATH = APP_PATH + "/window/1"
LABS = ("sign-estimator", "experts", "stochastic-gates", "prefix-tree", "gated-recurrence",
        "selective-execution", "capacity", "style")
NAMES = ("sluice", "sluice-resting", APP_ID, "Sluice")
bus = Gio.bus_get_sync(Gio.BusType.SESSION)


def launch(program, *words, **variables):
    """Starts the program; whatever the toolkit complains about ends it."""
    return subprocess.Popen([program, *words],
                            env=dict(os.environ, G_DEBUG="fatal-warnings", **variables))


def wait_for(what, condition, instead=lambda: ""):
    """The first true value of a condition; main-loop events go on meanwhile.  Looking keeps the
    program busy that is waited for, so the pauses are longer than the looks.  What there is instead is
    said when it never comes."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        while GLib.MainContext.default().iteration(False):
            pass
        began = time.monotonic()
        try:
            value = condition()
        except GLib.Error:
            value = None  # What it looked at went away meanwhile.
        if value:
            return value
        time.sleep(max(0.02, 2 * (time.monotonic() - began)))
    return bail(f"waited in vain for {what} {instead()}")


def children(node):
    for i in range(node.get_child_count()):
        child = node.get_child_at_index(i)
        if child is not None:
            yield child


def walk(node):
    """Every node below one and itself."""
    yield node
    for child in children(node):
        yield from walk(child)


def find(root, role, name):
    for node in walk(root):
        if node.get_role() == role and node.get_name() == name:
            return node
    return None


def has_place(node):
    """False for what no page has shown yet: the toolkit's own lists and entries that wait for it."""
    place = Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)
    return place.width > 0 and place.height > 0


def application():
    """The program on the accessibility bus, or None."""
    for child in children(Atspi.get_desktop(0)):
        if child.get_name() in NAMES:
            return child
    return None


def top_levels(app):
    return [child for child in children(app)
            if child.get_state_set().contains(Atspi.StateType.VISIBLE)]


def wait_for_window():
    """The program on the accessibility bus and its first window."""
    app = wait_for("the program on the accessibility bus", application)
    frame = wait_for("its window", lambda: next(iter(top_levels(app)), None))
    return app, frame


def activate(path, name, *parameter):
    """An action by name, whether or not it is enabled."""
    bus.call_sync(APP_ID, path, "org.gtk.Actions", "Activate",
                  GLib.Variant("(sava{sv})", (name, list(parameter), {})), None,
                  Gio.DBusCallFlags.NONE, int(1000 * PATIENCE), None)


def window_actions():
    """The actions of the window, once they are known."""
    group = Gio.DBusActionGroup.get(bus, APP_ID, WINDOW_PATH)
    group.list_actions()
    wait_for("the window's actions", lambda: group.has_action("pause"))
    return group


def perform(group, name, parameter=None):
    """An action of a group as soon as it is enabled; before that it would come to nothing."""
    wait_for(f"{name} to be enabled", lambda: group.get_action_enabled(name))
    group.activate_action(name, parameter)


def quit_program(program):
    activate(APP_PATH, "quit")
    end(program)
