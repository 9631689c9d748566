#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""storing.py SLUICE-CLI [SLUICE]: a disk without room, and a store that is taken away, while programs train.

A limit on the size of files is the full disk; it is set on a program that runs, and lifted.  In the end the store has,
to the last bit, what a run that nothing happened to writes.  With SLUICE, the window, under tests/headless; without it
the command line.  Reported as TAP.
"""
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from common import PATIENCE, read, run_tests, runner  # noqa: E402
from stored import losses, rows  # noqa: E402

CLI = os.path.abspath(sys.argv[1])
WINDOW = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
SMALL = ["--data", "moons:points=400", "--set", "hidden=48-32", "--threads", "1"]
RUN = ["sign-estimator", "--seed", "5", *SMALL]
FOREVER = ["run", *RUN, "-q", "--steps", "1000000000", "--store"]
SWEEP = ["sweep", "-q", "--data", "moons:points=300", "--set", "hidden=24-16", "--axis", "rank=2-2,6-4,12-8", "--seeds",
         "1-4", "--steps", "600", "--store"]
cli = runner(CLI)
random.seed(1)


def wait_for(what, condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.02)


class Program:
    """One that is at work in a folder of its own; what it says is in a file."""

    def __init__(self, name, *words, **more):
        shutil.rmtree(name, ignore_errors=True)
        os.mkdir(name)
        self.said = os.path.join(name, "said")
        with open(self.said, "w", encoding="utf-8") as said:
            # A write beyond the limit fails, where Python had it end the program.
            self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=said, restore_signals=False,
                                            **more)

    def limit(self, size):
        """Files cannot grow beyond this from now on; None: they can."""
        _, most = resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (most if size is None else size, most))

    def lines(self):
        with open(self.said, encoding="utf-8") as said:
            return said.read().splitlines()

    def says(self, n):
        wait_for(f"line {n} of {self.lines()}", lambda: len(self.lines()) >= n)

    def trains(self, store):
        wait_for("an update", lambda: any(row.step > 0 for row in rows(store).values()))

    def stops(self, code):
        self.process.send_signal(signal.SIGTERM)
        self.ends(code)

    def ends(self, code):
        got = self.process.wait(PATIENCE)
        assert got == code, (got, self.lines())


def is_whole(store, status="paused"):
    """The one run of this seed is what nobody disturbed, down to the last update it has made."""
    (uuid, row), = [(uuid, row) for uuid, row in rows(store).items() if row.status != "finished"]
    assert not losses(store, {}) and row.status == status and row.step > 0, (losses(store, {}), row)
    cli("runs", store, "export", uuid, "--csv", "stored.csv")
    cli("run", *RUN, "-q", "--steps", str(row.step), "--csv", "made.csv")
    assert read("stored.csv") == read("made.csv"), f"{row.step} updates"
    return row.step


def most(store):
    """The size of the largest of its files."""
    return max(os.path.getsize(store + end) for end in ("", "-wal") if os.path.exists(store + end))


if WINDOW is None:

    def begin(name):
        store = os.path.join(name, "runs.sluice")
        program = Program(name, CLI, *FOREVER, store)
        program.trains(store)
        return program, store

    def test_run_freed():
        """Once there is room, everything is stored; both are said when they happen."""
        program, store = begin("freed")
        program.limit(most(store) + random.randrange(20000))
        program.says(1)
        before = rows(store)
        program.limit(None)
        program.says(2)
        wait_for("what waited", lambda: rows(store) != before)
        program.stops(130)
        is_whole(store)

    def test_run_freed_at_the_end():
        program, store = begin("end")
        program.limit(most(store))
        program.says(1)
        program.limit(None)
        program.stops(130)
        is_whole(store)

    def test_run_never_freed():
        """What cannot be stored is said at the end, too, and the store keeps what it has."""
        program, store = begin("never")
        program.limit(most(store))
        program.says(1)
        program.stops(1)
        assert len(program.lines()) == 3 and not losses(store, {}), program.lines()

    def test_run_deleted():
        program, store = begin("deleted")
        for end in ("", "-wal", "-shm"):
            os.remove(store + end)
        program.says(2)
        program.trains(store)
        program.stops(130)
        is_whole(store)

    def test_run_replaced():
        """The file of somebody else is left alone, the runs are beside it, and the exit code says so."""
        program, store = begin("replaced")
        os.remove(store)
        with open(store, "w", encoding="utf-8") as other:
            other.write("of somebody else")
        program.says(1)
        program.stops(1)
        assert read(store) == b"of somebody else"
        is_whole(os.path.join("replaced", "runs-2.sluice"))

    def test_sweep():
        """A sweep without room for its runs has them all once there is; the table is that of another one."""
        whole = cli(*SWEEP, "whole.sluice").stdout
        store = os.path.join("sweep", "runs.sluice")
        program = Program("sweep", CLI, *SWEEP, store)
        wait_for("a run", lambda: rows(store))
        program.limit(random.randrange(30000, 60000))
        program.says(1)
        program.limit(None)
        program.ends(0)
        assert rows(store) == rows("whole.sluice"), rows(store)
        assert len(whole.splitlines()) == len(cli(*SWEEP, store).stdout.splitlines())

    def test_sweep_without_room():
        """Nothing is left of a store that could not be made."""
        shutil.rmtree("small", ignore_errors=True)
        os.mkdir("small")
        done = subprocess.run([CLI, *SWEEP, "small/runs.sluice"], capture_output=True, text=True, check=False,
                              restore_signals=False, timeout=PATIENCE,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
        assert done.returncode == 1 and "runs.sluice" in done.stderr, done.stderr
        assert os.listdir("small") == [], os.listdir("small")

    def test_jobs_of_one_line():
        assert cli(*SWEEP, "a\nb.sluice", "--print-jobs", "slurm", code=2).stdout == ""

else:

    def start(name, **more):
        home = os.path.abspath(name)
        return (Program(name, WINDOW, "--lab", *RUN, env={**os.environ, "XDG_DATA_HOME": home}, **more),
                os.path.join(home, "sluice", "runs.sluice"))

    def begin(name):
        program, store = start(name)
        program.trains(store)
        return program, store

    def test_window_without_store():
        """A store that could not be made when the window came is made once there is room, with all of the run."""
        program, store = start("without", preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY)))
        wait_for("the folder", lambda: os.path.exists(os.path.dirname(store)))
        time.sleep(2.0)
        assert not rows(store)
        program.limit(None)
        program.trains(store)
        program.stops(0)
        is_whole(store)

    def test_window_freed():
        """Without a click, what a full disk kept out is stored when the window ends."""
        program, store = begin("freed")
        program.limit(most(store) + random.randrange(20000))
        step = max(row.step for row in rows(store).values())
        time.sleep(2.0)
        program.limit(None)
        wait_for("what waited", lambda: max(row.step for row in rows(store).values()) > step)
        program.stops(0)
        is_whole(store)

    def test_window_freed_at_the_end():
        program, store = begin("end")
        program.limit(most(store))
        time.sleep(2.0)
        program.limit(None)
        program.stops(0)
        is_whole(store)

    def test_window_deleted():
        """The folder is gone, and nobody clicks: at its end the window stores everything again."""
        program, store = begin("deleted")
        shutil.rmtree(os.path.dirname(store))
        time.sleep(2.0)
        assert not os.path.exists(store)
        program.stops(0)
        is_whole(store)


sys.exit(run_tests(globals()))
