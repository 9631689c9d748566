#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""kill-window.py SLUICE SLUICE-CLI [KILLS [SEED]]: nothing that is stored is lost, whenever the
window is killed.

Kills the window at random moments while it trains, sweeps, saves its run into a file, takes in a file
of runs, and is in a lesson, in turn, and goes on with the run that was cut off.  The store always opens and never
loses a run, and in the end the run is, to the last bit, what the command line makes of the same
recipe; so are the runs of the sweep.  Reported as TAP.  The long version is
    tests/headless tests/e2e/kill-window.py build/app/sluice build/app/sluice-cli 200
"""
import collections
import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

sys.dont_write_bytecode = True
from stored import losses, rows  # noqa: E402

WINDOW, CLI = sys.argv[1:3]  # or --sweep and seeds: the part of start_sweep()
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 9
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(10**6)
random.seed(SEED)

APP_ID = "org.sluice.Sluice"
SETTINGS = ["--data", "moons:points=400", "--set", "hidden=128-96", "--threads", "1"]
STORE = os.path.join(os.environ["XDG_DATA_HOME"], "sluice", "runs.sluice")
PATIENCE = 120.0
# What the windows say of themselves; wanted when something is wrong.
SAID = tempfile.TemporaryFile("a+")
problems = []
killed = collections.Counter()
bus = Gio.bus_get_sync(Gio.BusType.SESSION)


def wait_for(what, condition):
    """The first true value of a condition; None, and a problem, after a long time."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        GLib.MainContext.default().iteration(False)
        try:
            value = condition()
        except GLib.Error:
            value = None
        if value:
            return value
        time.sleep(0.05)
    problems.append(f"waited in vain for {what}")
    return None


def start(*words):
    return subprocess.Popen([WINDOW, *words], stdout=subprocess.DEVNULL, stderr=SAID)


def kill(what, process, seconds):
    time.sleep(seconds)
    if process.poll() is None:
        killed[what] += 1
    process.send_signal(signal.SIGKILL)
    process.wait()
    # The next window has the same name on the bus.
    wait_for("the name to be free", lambda: not bus.call_sync(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
        GLib.Variant("(s)", (APP_ID,)), None, Gio.DBusCallFlags.NONE, -1, None)[0])


def act(name, *parameter):
    """One of the window's actions; TRUE once it has it and it is enabled."""
    path = f"/{APP_ID.replace('.', '/')}/window/1"
    group = bus.call_sync(APP_ID, path, "org.gtk.Actions", "Describe", GLib.Variant("(s)", (name,)),
                          None, Gio.DBusCallFlags.NONE, -1, None)[0]
    if not group[0]:
        return False
    bus.call_sync(APP_ID, path, "org.gtk.Actions", "Activate",
                  GLib.Variant("(sava{sv})", (name, list(parameter), {})), None,
                  Gio.DBusCallFlags.NONE, -1, None)
    return True


def nodes(node):
    yield node
    for i in range(node.get_child_count()):
        child = node.get_child_at_index(i)
        if child is not None:
            yield from nodes(child)


def find(role, name):
    """A control that is there and can be used, on the accessibility bus; or None."""
    desktop = Atspi.get_desktop(0)
    for i in range(desktop.get_child_count()):
        for node in nodes(desktop.get_child_at_index(i)):
            if node.get_role() == role and node.get_name() == name \
                    and node.get_state_set().contains(Atspi.StateType.SENSITIVE):
                return node
    return None


def press(name):
    button = find(Atspi.Role.PUSH_BUTTON, name)
    return button is not None and Atspi.Action.do_action(button, 0)


def write(name, text):
    entry = find(Atspi.Role.TEXT, name) or find(Atspi.Role.ENTRY, name)
    return entry is not None and Atspi.EditableText.set_text_contents(entry, text)


def cli(*words):
    done = subprocess.run([CLI, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode != 0:
        problems.append(f"{' '.join(words)}: {done.returncode} {done.stderr.strip()}")


def goes(uuid):
    """Whether the next window goes on with the run: it was left training, none of another file was opened in its
    place, and the page is not the start page, as after a file of runs was opened."""
    with contextlib.closing(sqlite3.connect(STORE)) as store:
        places = [json.loads(row[0]) for row in store.execute("SELECT text FROM workspace")]
    return any(run.get("run") == uuid and run["going"] and place["page"] != "overview"
               for place in places for run in place["runs"])


def further(uuid, before):
    """Until the run is further than it was."""
    wait_for(f"{uuid} to go on", lambda: rows(STORE)[uuid].step > before[uuid].step)


def train(uuid, folder):
    """Without a word, it goes on with what the kill before cut off."""
    before = rows(STORE)
    process = start()
    if random.random() < 0.7:
        further(uuid, before)
    return "training", process, 4.0


def sweep(uuid, folder):
    before = rows(STORE)
    process = start()
    further(uuid, before)  # A sweep begins from the run that is there.
    if not page()["list"]["over"]:  # else it is there again
        wait_for("the page of runs", lambda: act("runs"))
    # Another sweep each time: the runs of the last one may all be there.  What the bus told about a
    # window that was killed stays with who asked, so each time somebody else asks.
    seeds = f"{3 * killed['sweep'] + 1}-{3 * killed['sweep'] + 3}"
    done = subprocess.run([sys.executable, __file__, "--sweep", seeds], check=False)
    if done.returncode != 0:
        problems.append("the sweep did not start")
    elif random.random() < 0.7:
        swept = {u for u, row in rows(STORE).items() if row.sweep}
        wait_for("a run of the sweep", lambda: {u for u, row in rows(STORE).items()
                                                if row.sweep} - swept)
    return "sweep", process, 2.0


def save(uuid, folder):
    path = os.path.join(folder, "saved.sluice")
    before = rows(STORE)
    process = start()
    further(uuid, before)
    for _ in range(random.randint(1, 3)):
        wait_for("saving", lambda: act("save-to", GLib.Variant("s", path)))
    return "save", process, 0.3


def page():
    with contextlib.closing(sqlite3.connect(STORE)) as store:
        return [json.loads(row[0]) for row in store.execute("SELECT text FROM workspace")][0]


def lesson(uuid, folder):
    """The next window is in the lesson again; its run and that of the lab are two."""
    before = rows(STORE)
    process = start()
    further(uuid, before)
    wait_for("the lesson", lambda: act("lesson", GLib.Variant("s", "1-gate")))
    own = wait_for("a run of the lesson",
                   lambda: page()["page"] == "lesson" and page()["lesson"]["runs"][0].get("run"))
    if own in before:
        problems.append("the lesson goes on with a run that was there before it")
    kill("lesson", process, random.uniform(0.0, 2.0))
    own = page()["lesson"]["runs"][0].get("run", own)  # a step may have begun another one meanwhile
    process = start()
    wait_for("the lesson again", lambda: act("lesson-leave"))
    # A run that was killed before its first update is begun anew; one that had some is read first.
    if own in rows(STORE) and rows(STORE)[own].step > 0:
        wait_for("the lesson to have its run", lambda: page()["lesson"]["runs"][0].get("run") == own)
    return "lesson", process, 1.0


def merge(uuid, folder):
    return "merge", start(os.path.join(folder, "other.sluice")), 3.0


def turn(one, uuid, folder):
    before = rows(STORE)
    what, process, most = one(uuid, folder)
    kill(what, process, random.uniform(0.0, most))
    cli("runs", STORE, "list")
    problems.extend(losses(STORE, before))
    saved = os.path.join(folder, "saved.sluice")
    if os.path.exists(saved) and list(rows(saved)) != [uuid]:
        problems.append(f"saved were {list(rows(saved))}")
    other = rows(os.path.join(folder, "other.sluice"))
    here = {u: row for u, row in rows(STORE).items() if u in other}
    if here and here != other:
        problems.append(f"of {other}, only {here} is there")
    if rows(STORE)[uuid].status == "paused" or not goes(uuid):
        # A sweep had the cores to itself, or a merged run is shown; go on with the run as a person would.
        process = start()
        wait_for("going on", lambda: act("resume", GLib.Variant("s", uuid)))
        further(uuid, rows(STORE))
        kill("training", process, random.uniform(0.0, 1.0))


def check_end(uuid, folder):
    """The run is what nobody interrupted, and so are those of the sweep."""
    process = start()
    further(uuid, rows(STORE))
    process.terminate()
    if process.wait() != 0:
        problems.append("it did not end cleanly")
    problems.extend(losses(STORE, {}))
    row = rows(STORE)[uuid]
    if row.status != "paused":
        problems.append(f"the run is {row.status}")
    stored, made = (os.path.join(folder, name) for name in ("stored.csv", "made.csv"))
    cli("runs", STORE, "export", uuid, "--csv", stored)
    cli("run", "sign-estimator", "-q", "--seed", "5", *SETTINGS, "--steps", str(row.step), "--csv",
        made)
    with open(stored, "rb") as one, open(made, "rb") as other:
        if one.read() != other.read():
            problems.append(f"after {row.step} updates it is another run")
    for swept, other in rows(STORE).items():
        if other.sweep and other.step > 0:  # One that was killed as it began has nothing to repeat.
            cli("replay", STORE, swept, "-q")
    return row.step


def start_sweep(seeds):
    """What a person does on the page of runs."""
    # Of a sweep that was set up before, one line is shown, with a button.
    wait_for("the set-up", lambda: find(Atspi.Role.TEXT, "Seeds") or press("Set up"))
    wait_for("the seeds", lambda: write("Seeds", seeds))
    wait_for("the sweep to start", lambda: press("Start sweep"))
    return 1 if problems else 0


def main():
    steps = 0
    print("1..1")
    print(f"# {KILLS} kills, seed {SEED}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for seed in "89":
            cli("run", "sign-estimator", "-q", "--seed", seed, *SETTINGS, "--steps", "800",
                "--store", os.path.join(folder, "other.sluice"))
        process = start("--lab", "sign-estimator", "--seed", "5", *SETTINGS)
        wait_for("the first update", lambda: any(row.step > 0 for row in rows(STORE).values()))
        kill("training", process, random.uniform(0.0, 4.0))
        (uuid, _), = rows(STORE).items()
        kinds = [train, save, lesson, merge, sweep]
        while sum(killed.values()) < KILLS and not problems:
            turn(kinds[0], uuid, folder)
            kinds.append(kinds.pop(0))
            print("#", ", ".join(f"{what}: {n}" for what, n in killed.items()), flush=True)
        if not problems:
            steps = check_end(uuid, folder)
    if problems:
        SAID.seek(0)
        problems.extend(line.rstrip() for line in SAID.readlines()[-20:])
    for problem in problems:
        print("#  ", problem)
    print("not ok 1" if problems else "ok 1",
          f"- killed {sum(killed.values())} times, {steps} updates")
    return 1 if problems else 0


sys.exit(start_sweep(CLI) if WINDOW == "--sweep" else main())
