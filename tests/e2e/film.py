#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Films of runs from outside, read by another program's library.  Arguments: the program."""

import os
import pty
import re
import signal
import subprocess
import sys
import time

import numpy
from PIL import Image, ImageSequence

from common import PATIENCE, read, run_tests, runner

PROGRAM = os.path.abspath(sys.argv[1])
SMALL = ["--data", "moons", "--set", "hidden=12-8", "--set", "batch=10", "--threads", "1", "-q"]
# What cannot be seen to be another colour has no byte that is off by more.
FAR = 40
cli = runner(PROGRAM)


def frames_of(name):
    """Every frame as it is seen, (n, height, width, 3), and how long each is shown in s."""
    with Image.open(name) as film:
        assert film.info["loop"] == 0, film.info
        seen = [(numpy.asarray(frame.convert("RGB"), dtype=int), frame.info["duration"] / 1000)
                for frame in ImageSequence.Iterator(film)]
    return numpy.stack([pixels for pixels, _ in seen]), [seconds for _, seconds in seen]


def pictures_of(folder):
    pictures = []
    for name in sorted(os.listdir(folder)):
        with Image.open(os.path.join(folder, name)) as picture:
            pictures.append(numpy.asarray(picture.convert("RGB"), dtype=int))
    return numpy.stack(pictures)


def test_same_frames():
    """The three forms show the same, for as long as was asked, and change nothing of the run."""
    run = ["run", *SMALL, "--steps", "50", "--moments", "7", "--film-size", "400x225", "--film-delay", "0.3"]
    cli(*run[:-6], "--csv", "without.csv")
    for film in ("a.gif", "a.png", "a/"):
        cli(*run, "--film", film, "--csv", "with.csv")
        assert read("with.csv") == read("without.csv"), film
    pictures = pictures_of("a")
    assert sorted(os.listdir("a"))[0] == "sign-estimator-0001.png"
    assert pictures.shape == (7, 225, 400, 3), pictures.shape
    assert all((one != other).any() for one, other in zip(pictures, pictures[1:]))
    for film in ("a.gif", "a.png"):
        frames, seconds = frames_of(film)
        assert numpy.allclose(seconds, 6 * [0.3] + [2.0]), seconds
        off = abs(frames - pictures)
        assert off.max() <= (0 if film == "a.png" else FAR), (film, off.max())
        assert (off > FAR / 4).mean() < 1e-3, film


def test_again():
    """A film brings its run back, and the run the same film."""
    look = ["--film-panel", "error,alive", "--film-size", "320x200", "--moments", "5", "-q"]
    cli("run", *SMALL, "--steps", "30", *look, "--film", "b.gif")
    for film in ("b.gif", "b.apng", "b/"):
        cli("replay", "b.gif", *look, "--film", "again-" + film)
    assert read("again-b.gif") == read("b.gif")
    for source in ("again-b.apng", "again-b/sign-estimator-0003.png"):
        cli("replay", source, *look, "--film", "third.gif")
        assert read("third.gif") == read("b.gif"), source
    assert "--steps 30" in cli("replay", "again-b.apng", "--command").stdout
    assert "recipe of sign-estimator" in cli("validate", "b.gif").stdout


def test_panels():
    for panel, extra in (("map", []), ("error", ["--film-size", "slide"]), ("spectrum", []), ("alive,map", [])):
        cli("run", *SMALL, "--steps", "20", "--moments", "3", "--film-panel", panel, *extra, "--film", "p.png")
        frames, _ = frames_of("p.png")
        assert len(frames) == 3
        assert frames.shape[1:3] == (720, 1280) if extra else frames.shape[2] == 800, frames.shape
        assert (frames[0] != frames[2]).any(), panel


def test_refused():
    """Before the training, which would take for ever."""
    for words, hint in (("--film x.mp4", ".gif"), ("--film x.gif --film-panel alife", "alive"),
                        ("--film x.gif --film-size 20x20", "width"), ("--film x.gif --film-size 20000", "width"),
                        ("--film x.gif --film-size 800x", "800x450"), ("--film x.gif --film-size 0", "800x450"),
                        ("--film x.gif --film-delay 0", "seconds"), ("--film-size 800x450", "--film"),
                        ("--film x.gif --moments 1", "--moments"), ("--film x.gif --moments 241", "--moments"),
                        ("--film x.gif --film-panel alive,alive,alive,alive,alive,alive,alive", "panels")):
        told = cli("run", *SMALL, "--steps", "1000000000", *words.split(), code=2).stderr
        assert hint in told, (words, told)
    assert "no/x.gif" in cli("run", *SMALL, "--steps", "1000000000", "--film", "no/x.gif", code=1).stderr
    with open("file", "wb"):
        pass
    assert "file" in cli("run", *SMALL, "--steps", "1000000000", "--film", "file/", code=1).stderr
    assert not [name for name in os.listdir(".") if name.startswith("x.")]


def test_stop():
    """A run that is stopped has a film of what there is."""
    for number in (signal.SIGINT, signal.SIGTERM):
        terminal, other = pty.openpty()
        with subprocess.Popen([PROGRAM, "run", *SMALL[:-1], "--seconds", "60",
                               "--film", "s.gif", "--film-size", "320x180"],
                              stdout=subprocess.PIPE, stderr=other, text=True) as run:
            os.close(other)
            text = b""
            while not re.search(rb"step (\d{4,})", text):
                text += os.read(terminal, 4096)
            run.send_signal(number)
            run.communicate(timeout=PATIENCE)
        os.close(terminal)
        assert run.returncode == 130, run.returncode
        frames, seconds = frames_of("s.gif")
        assert 1 <= len(frames) < 60 and seconds[-1] == 2.0, len(frames)
        os.remove("s.gif")


def test_stop_of_a_film():
    """A film that is stopped while it is drawn is not written, and no folder is left of its frames."""
    for film in ("long.gif", "long/"):
        words = ["run", *SMALL, "--steps", "300", "--moments", "240", "--film-size", "slide", "--film", film,
                 "--csv", "long.csv"]
        with subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
            # Tables are written before the film is drawn.
            while not os.path.exists("long.csv"):
                assert run.poll() is None
                time.sleep(0.01)
            run.send_signal(signal.SIGINT)
            told = run.communicate(timeout=PATIENCE)[1]
        assert run.returncode == 130 and "no film" in told, (run.returncode, told)
        assert not os.path.exists(film)
        os.remove("long.csv")


def test_rest():
    """Moments of a run that is gone on with lie in its rest."""
    cli("run", *SMALL, "--steps", "40", "--store", "r.sluice")
    cli("run", *SMALL[-1:], "--store", "r.sluice", "--resume", "last", "--steps", "60", "--moments", "5",
        "--film-panel", "error", "--film-size", "200x150", "--film", "r/", "--caption", "settings")
    told = []
    for name in sorted(os.listdir("r")):
        with Image.open(os.path.join("r", name)) as picture:
            told.append(picture.text["Description"])
    assert [text.split(" · ")[0] for text in told] == [f"update {step}" for step in (40, 45, 50, 55, 60)], told
    assert all(text.count("update") == 1 and "hidden 12-8" in text for text in told), told


run_tests(globals())
