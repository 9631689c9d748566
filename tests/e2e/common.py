# SPDX-License-Identifier: MIT
"""What tests of whole programs share: points in TAP, the command line, files."""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile

# Seconds to wait for something that has to happen.  It costs nothing where all is well, so it is
# what a busy machine needs under the sanitizers.
PATIENCE = 240.0
points = 0


def ok(what):
    """The next point of the plan."""
    global points
    points += 1
    print(f"ok {points} - {what}", flush=True)


def so(condition, what):
    """The next point, which ends the test when it is not so."""
    if not condition:
        bail(f"not so: {what}")
    ok(what)


def bail(what):
    print(f"Bail out! {what}", flush=True)
    sys.exit(1)


def plan():
    """After the last point."""
    print(f"1..{points}", flush=True)


def read(name):
    with open(name, "rb") as file:
        return file.read()


def rows(text):
    """A table as a list of dictionaries."""
    return list(csv.DictReader(io.StringIO(text)))


def end(program):
    """Waits for a program that was asked to end, which has to be without an error."""
    code = program.wait(PATIENCE)
    if code != 0:
        bail(f"the program ended with {code}")


def runner(program):
    """A function that runs a program's commands."""
    def run(*words, code=0, **more):
        """Runs a command that has to end with this exit code."""
        done = subprocess.run([program, *words], capture_output=True, text=True, timeout=PATIENCE,
                              check=False, **more)
        assert done.returncode == code, (words, done.returncode, done.stderr)
        return done

    return run


def differences(path, got, want):
    """Where two trees differ; the words of notes and of the reading are free, null is what there is none of."""
    if isinstance(want, dict):
        for key in want:
            if want[key] is not None and key not in ("notes", "reading"):
                if key in got:
                    yield from differences(f"{path}.{key}", got[key], want[key])
                else:
                    yield f"{path}.{key} is missing"
        yield from (f"{path}.{key} is not golden" for key in got
                    if key not in want and key != "reading" and not (key == "dead" and path.endswith("chance")))
    elif isinstance(want, list):
        if len(got) != len(want):
            yield f"{path}: {len(got)} elements, not {len(want)}"
        for i, (a, b) in enumerate(zip(got, want)):
            yield from differences(f"{path}[{i}]", a, b)
    elif isinstance(want, float):
        wide = 1e-6 if ".gates." in path else 1e-9
        small = 1e-6 if path.endswith(".cv_excess") else 1e-12   # √ of a difference of what is nearly equal
        if not abs(got - want) <= wide * abs(want) + small:
            yield f"{path}: {got}, not {want}"
    elif got != want:
        yield f"{path}: {got}, not {want}"


def run_tests(names):
    """Every function of a module that is called test_…, in a folder of their own; the exit code."""
    tests = [(name, test) for name, test in names.items() if name.startswith("test_")]
    failed = 0
    print(f"1..{len(tests)}", flush=True)
    with tempfile.TemporaryDirectory(prefix="sluice-e2e-") as folder:
        os.chdir(folder)
        for number, (name, test) in enumerate(tests, 1):
            try:
                test()
            except Exception as error:  # whatever it was, the others go on
                failed += 1
                print(f"not ok {number} - {name}", flush=True)
                print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            else:
                print(f"ok {number} - {name}", flush=True)
        os.chdir("/")
    return 1 if failed else 0


def titles(program, lab, rows):
    """What the panels or parameters (`rows`) of a lab are called, by id, as sluice-cli says it."""
    told = subprocess.run([program, "labs", lab, "--json"], check=True, capture_output=True, text=True).stdout
    return {row["id"]: row["title"] for row in json.loads(told)[0][rows]}
