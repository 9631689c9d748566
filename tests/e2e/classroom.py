#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""classroom.py SLUICE [STARTS]: the next class finds nothing of the last one.

Starts the window again and again on one account with Classroom on, takes a lesson, opens a lab, trains, changes
preferences, begins again, and ends it; one start is killed.  Each start shows the same first screen, and what the
account has afterwards is what it had before: its settings.  Then a start with --fresh.  Reported as TAP.  The long
version is
    GSETTINGS_SCHEMA_DIR=build/resources tests/headless tests/e2e/classroom.py build/app/sluice 30
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from common import end, plan, read, so  # noqa: E402
from outside import (APP_ID, APP_PATH, Atspi, GLib, Gio, bus, find, launch, perform,  # noqa: E402
                     quit_program, top_levels, wait_for, wait_for_window, walk)

PROGRAM = sys.argv[1]
STARTS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
ROOMS = [os.environ[name] for name in
         ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")]
TEMPORARY = tempfile.mkdtemp(prefix="sluice-e2e-")
SETTINGS = os.path.join(os.environ["XDG_CONFIG_HOME"], "glib-2.0", "settings", "keyfile")
SAME = {"GSETTINGS_BACKEND": "keyfile", "TMPDIR": TEMPORARY}
LABS = "sign-estimator experts"


def tree():
    """Every file of the account, with what is in it, and every name in the folder for temporary files."""
    found = {}
    for room in [*ROOMS, TEMPORARY]:
        for where, folders, files in os.walk(room):
            folders[:] = [name for name in folders if name != "flatpak"]  # of a service of the desktop
            found.update((os.path.join(where, name), None) for name in folders)
            found.update((os.path.join(where, name), read(os.path.join(where, name))) for name in files)
    return found


def differences(before, after):
    return sorted(path for path in before.keys() | after.keys()
                  if path not in before or path not in after or before[path] != after[path])


def actions(number):
    """Those of the window of this number, once they are known."""
    group = Gio.DBusActionGroup.get(bus, APP_ID, f"{APP_PATH}/window/{number}")
    group.list_actions()
    wait_for("the window's actions", lambda: group.has_action("pause"))
    return group


def screen(frame):
    """What the first screen says that does not change as its run goes on."""
    said = {role: sorted(node.get_name() for node in walk(frame) if node.get_role() == role
                         and node.get_state_set().contains(Atspi.StateType.SHOWING))
            for role in (Atspi.Role.PUSH_BUTTON, Atspi.Role.TOGGLE_BUTTON, Atspi.Role.IMAGE)}
    labels = [node.get_name() for node in walk(frame) if node.get_role() == Atspi.Role.LABEL]
    extents = Atspi.Component.get_extents(frame, Atspi.CoordType.WINDOW)
    return said, [label for label in labels if label.endswith(" of 6")], extents.width, extents.height


def first_screen(frame, wanted):
    """The first screen, as soon as it is the one that is wanted or, the first time, as it stays."""
    wait_for("the first step", lambda: find(frame, Atspi.Role.LABEL, "1 of 6"))
    wait_for("its plots", lambda: find(frame, Atspi.Role.IMAGE, "Gating map"))
    if wanted is not None:
        wait_for("the same first screen", lambda: screen(frame) == wanted, lambda: f"{screen(frame)}, not {wanted}")
        return wanted
    seen = []

    def rests():
        seen.append(screen(frame))
        return len(seen) > 5 and all(other == seen[-1] for other in seen[-5:])

    wait_for("the first screen to rest", rests)
    return seen[-1]


def take_part(frame, number):
    """What a class does."""
    group = actions(number)
    perform(group, "lesson-next")
    perform(group, "lesson-next")
    perform(group, "lesson-answer", GLib.Variant("s", "1"))
    perform(group, "type-larger")
    perform(group, "lab", GLib.Variant("s", "sign-estimator"))
    wait_for("the lab to train", lambda: not find(frame, Atspi.Role.IMAGE, "Gating map")
             and find(frame, Atspi.Role.IMAGE, "Sign agreement") and group.get_action_enabled("pause"))
    perform(group, "lab", GLib.Variant("s", "style"))  # not among those chosen
    perform(group, "lesson", GLib.Variant("s", "2-sparsity"))  # neither
    perform(group, "export-to", GLib.Variant("s", os.path.join(TEMPORARY, "figure.png")))
    wait_for("the figure", lambda: os.path.exists(os.path.join(TEMPORARY, "figure.png")))
    os.remove(os.path.join(TEMPORARY, "figure.png"))


def the_window(app):
    """The only one there is."""
    windows = top_levels(app)
    return windows[0] if len(windows) == 1 else None


def begin_again(app, frame, wanted):
    button = wait_for("the button", lambda: find(frame, Atspi.Role.PUSH_BUTTON, "Begin again"))
    Atspi.Action.do_action(button, 0)
    other = wait_for("another window alone", lambda: the_window(app) not in (None, frame) and the_window(app))
    first_screen(other, wanted)
    return other


def wait_until_free():
    """The next start has the same name on the bus."""
    wait_for("the name to be free", lambda: not bus.call_sync(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
        GLib.Variant("(s)", (APP_ID,)), None, Gio.DBusCallFlags.NONE, -1, None)[0])


def processes():
    """Of the program."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.path.samefile(f"/proc/{number}/exe", PROGRAM) and f"DISPLAY={os.environ['DISPLAY']}\0".encode() \
                    in read(f"/proc/{number}/environ"):
                found.append(number)
        except OSError:
            pass
    return found


def start(turn, wanted):
    program = launch(PROGRAM, **SAME)
    app, frame = wait_for_window()
    wanted = first_screen(frame, wanted)
    take_part(frame, 1)
    if turn == 1:
        program.send_signal(signal.SIGKILL)
        program.wait()
        wait_until_free()
        return wanted
    if turn % 2 == 0:
        take_part(begin_again(app, frame, wanted), 2)
    quit_program(program)
    wait_until_free()
    return wanted


def check_starts():
    os.makedirs(os.path.dirname(SETTINGS))
    with open(SETTINGS, "w", encoding="utf-8") as file:
        file.write(f"[org/sluice/Sluice]\nclassroom=true\nclassroom-lessons='1-gate 6-depth'\n"
                   f"classroom-labs='{LABS}'\n")
    before = tree()
    wanted = None
    for turn in range(STARTS):
        wanted = start(turn, wanted)
        left = differences(before, tree())
        if turn == 1:  # what was killed leaves its folder to the next start
            left = [path for path in left if not path.startswith(TEMPORARY)]
        so(not left, f"start {turn + 1} leaves nothing: {left}")
        so(not processes(), f"nor a process: {processes()}")


def check_fresh():
    before = tree()
    programs = [launch(PROGRAM, "--fresh", "--lesson", "6-depth", "--present", **SAME)]
    app, frame = wait_for_window()
    wait_for("the lesson", lambda: find(frame, Atspi.Role.LABEL, "1 of 6"))
    so(wait_for("the end of the presentation",
                lambda: find(frame, Atspi.Role.PUSH_BUTTON, "End the presentation")
                or find(frame, Atspi.Role.TOGGLE_BUTTON, "End the presentation")), "it presents")
    programs.append(launch(PROGRAM, "--fresh", **SAME))
    wait_for("a program beside it", lambda: len(processes()) >= 2)
    wait_for("a window of its own", lambda: sum(
        1 for i in range(Atspi.get_desktop(0).get_child_count())
        if top_levels(Atspi.get_desktop(0).get_child_at_index(i))) >= 2)
    for program in programs:
        program.terminate()
        end(program)
    so(not differences(before, tree()), f"--fresh leaves nothing: {differences(before, tree())}")


def check_words():
    def said(*words):
        done = subprocess.run([PROGRAM, *words], env=dict(os.environ, **SAME), capture_output=True, text=True, check=False)
        return done.returncode, (done.stdout + done.stderr).strip()

    code, sentence = said("--lesson", "1-gat")
    so(code == 2 and "1-gate" in sentence, f"a wrong lesson is told the nearest: {sentence}")
    code, sentence = said("--lesson", "./there-is-none.lesson")
    so(code == 2 and "there-is-none.lesson" in sentence, f"a file that is not there is named: {sentence}")
    own = os.path.join(os.environ["XDG_DATA_HOME"], "sluice", "lessons")
    os.makedirs(own)
    with open(os.path.join(own, "ours.lesson"), "w", encoding="utf-8") as file:
        file.write('{ "sluice-lesson": 2 }')
    code, sentence = said("--lesson", "mine:our")
    so(code == 2 and "mine:ours" in sentence, f"an own lesson is as near: {sentence}")
    shutil.rmtree(os.path.dirname(own))
    code, sentence = said("--help")
    so(code == 0 and all(word in sentence for word in ("--fresh", "--lesson", "--present")), "--help names them")


def main():
    check_words()
    check_starts()
    check_fresh()
    os.rmdir(TEMPORARY)
    plan()


main()
