# SPDX-License-Identifier: MIT
"""Sluice: networks that decide what not to compute, from Python.

    import sluice

    run = sluice.Run("experts", data="fashion-mnist", k=2, seed=1)
    run.train(1000); run.set(k=4); run.train(1000)
    run["cv.hard"]                        # a curve: .x, .y; a notebook draws it
    run.panel("classes").matrix           # a panel as arrays
    run.map(points), run.alive(x)         # what the network decides on inputs of yours
    run.scores(), run.figure("error", style="icml").save("error.pdf"), run.save("runs.sluice")

    sluice.sweep("experts", k=[1, 2, 4, 8], seeds=range(3)).table()
    sluice.routing(router_logits, k=8)    # what the router of a real model did, beside chance
    sluice.open("runs.sluice")            # runs of the window and of sluice-cli

sluice.labs() lists the labs, sluice.lab("experts") has their parameters and panels. docs/python.md tells more.
"""

# First of all: NumPy may load the OpenBLAS that the library uses, which chooses its kernel while it is loaded.
from ._library import (DivergedError, FileError, ForkedError, FormatError, GateError, InvalidError, SluiceError,
                       TooLargeError, UnsupportedError, kernel, version)
from ._data import Data
from ._figure import Figure, figure
from ._gate import Gate, gate
from ._log import Log, log
from ._routing import Routing, routing
from ._run import Alive, Axis, Curve, Group, Panel, Run, Series
from ._store import Store, open
from ._sweep import Sweep, sweep
from ._values import lab, labs

__version__ = version()
__all__ = ["Alive", "Axis", "Curve", "Data", "DivergedError", "Figure", "FileError", "ForkedError", "FormatError", "Gate",
           "GateError", "Group", "InvalidError", "Log", "Panel", "Routing", "Run", "Series", "SluiceError", "Store", "Sweep",
           "TooLargeError", "UnsupportedError", "figure", "gate", "kernel", "lab", "labs", "log", "open", "routing", "sweep",
           "version"]
