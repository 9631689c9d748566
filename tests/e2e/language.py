#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Both programs in German: the words change, the files do not.  Arguments: sluice-cli, sluice and
the folder of the catalogues."""
import filecmp
import gettext
import os
import subprocess
import sys
import tempfile

from common import PATIENCE, bail, end, ok, plan, so, titles
from outside import (GLib, application, launch, perform, wait_for, wait_for_window, walk,
                     window_actions)

CLI, WINDOW, CATALOGUES = (os.path.abspath(word) for word in sys.argv[1:4])
SMALL = ["--data", "moons", "--set", "hidden=12-8", "--set", "batch=10", "--seed", "7",
         "--threads", "1"]
# The German of the C library brings decimal commas along, for those who must not write them.
TONGUES = {
    "en": {"LC_ALL": "C.UTF-8", "LANGUAGE": "en"},
    "de": {"LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de", "SLUICE_LOCALEDIR": CATALOGUES},
}


def cli(tongue, *words, code=0):
    run = subprocess.run([CLI, *words], capture_output=True, text=True, timeout=PATIENCE,
                         check=False, env=dict(os.environ, **TONGUES[tongue]))
    if run.returncode != code:
        bail(f"{words} in {tongue}: {run.returncode}, {run.stderr}")
    return run


def files_of(folder):
    return sorted(os.path.relpath(os.path.join(where, name), folder)
                  for where, _, names in os.walk(folder) for name in names)


def test_command_line(scratch):
    so("Befehle:" in cli("de", "--help").stdout, "the overview of commands is German")
    so("Beispiele:" in cli("de", "data", "--help").stdout, "so is the help of a command")
    so("Lernrate" in cli("de", "labs", "sign-estimator", "--all").stdout, "so are the words of a lab")
    refusal = cli("de", "run", "--set", "learning-rate=much", code=2).stderr
    so("gefunden" in refusal and "eine Zahl von 1e-06 bis 10" in refusal,
       "and what the core says of a wrong value")
    so("0.0005" in cli("de", "labs", "sign-estimator").stdout, "numbers keep their point")
    same = [cli(tongue, "labs", "--json").stdout for tongue in TONGUES]
    so(same[0] == same[1], "the descriptors in JSON are the same")

    for tongue in TONGUES:
        folder = os.path.join(scratch, tongue)
        os.mkdir(folder)
        cli(tongue, "run", *SMALL, "--steps", "60", "--at", "20:learning-rate=0.001", "--quiet",
            "--csv", os.path.join(folder, "run.csv"), "--json", os.path.join(folder, "run.json"),
            *(word for ending in ("svg", "png", "pdf", "csv")
              for word in ("--plot", "agreement=" + os.path.join(folder, "agreement." + ending))),
            "--plot", "all=" + os.path.join(folder, "all.svg"))
    names = files_of(os.path.join(scratch, "en"))
    # What the clock of the machine said differs from run to run; it is in the panel of the speed.
    for name in names:
        if name in ("run.json", "all.svg"):
            continue
        so(filecmp.cmp(os.path.join(scratch, "en", name), os.path.join(scratch, "de", name), False),
           f"{name} is the same bytes in both languages")
    for name in ("agreement.svg", "agreement.pdf", "agreement.png", "all.svg"):
        again = [os.path.join(scratch, f"again-{tongue}-{name}") for tongue in TONGUES]
        panel = name.split(".")[0]
        for tongue, path in zip(TONGUES, again):
            cli(tongue, "plot", os.path.join(scratch, "en", "run.json"), f"{panel}={path}")
        so(filecmp.cmp(*again, False), f"one document, drawn in both languages, is one {name}")
    found = titles(CLI, "sign-estimator", "panels")["agreement"]
    for tongue in TONGUES:
        with open(os.path.join(scratch, tongue, "agreement.svg"), encoding="utf-8") as file:
            so(found in file.read(), f"a figure made in {tongue} has the words of the descriptor")


def english_left(frame):
    """Names and descriptions that the catalogue could have translated."""
    catalogue = gettext.translation("sluice", CATALOGUES, languages=["de"])._catalog
    known = {text for text, words in catalogue.items()
             if isinstance(text, str) and text not in ("", words)}
    known -= set(catalogue.values())  # a word that is German, too
    return sorted({words for node in walk(frame)
                   for words in (node.get_name(), node.get_description()) if words in known})


def window_run(tongue, folder):
    """One short run in a window, its files, and what is still English on it."""
    program = launch(WINDOW, "--lab", "sign-estimator", *SMALL, "--paused", **TONGUES[tongue])
    _, frame = wait_for_window()
    title = titles(CLI, "sign-estimator", "panels")["agreement"]
    if tongue == "de":
        title = gettext.translation("sluice", CATALOGUES, languages=["de"]).gettext(title)
    wait_for("a plot", lambda: any(node.get_name() == title for node in walk(frame)))
    ok(f"a plot is called {title}")

    window = window_actions()
    perform(window, "limit", GLib.Variant("t", 40))
    perform(window, "run")
    states = {"en": "finished", "de": "fertig"}
    wait_for("the end of the run",
             lambda: any(node.get_name() == states[tongue] for node in walk(frame)))
    perform(window, "maximise", GLib.Variant("s", "agreement"))
    for name in ("window.csv", "window.svg", "window.pdf"):
        path = os.path.join(folder, tongue, name)
        perform(window, "export-to", GLib.Variant("s", path))
        wait_for(name, lambda path=path: os.path.exists(path))
    perform(window, "restore-size")
    left = english_left(frame) if tongue == "de" else []
    program.terminate()
    end(program)
    ok(f"the window in {tongue} ends cleanly")
    wait_for("the program to be gone", lambda: application() is None)
    return left


def main():
    with tempfile.TemporaryDirectory(prefix="sluice-language-") as scratch:
        test_command_line(scratch)
        left = [text for tongue in TONGUES for text in window_run(tongue, scratch)]
        for text in left:
            print(f"# still English: {text}")
        so(not left, "nothing on the German window is English")
        for name in ("window.csv", "window.svg", "window.pdf"):
            so(filecmp.cmp(*(os.path.join(scratch, tongue, name) for tongue in TONGUES), False),
               f"the window writes the same {name} in both languages")
    plan()


main()
