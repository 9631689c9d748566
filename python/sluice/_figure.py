# SPDX-License-Identifier: MIT
"""Figures."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Union

from . import _library, _values

Path = Union[str, "os.PathLike[str]"]


class Figure(_library.Object):
    """A figure of a run as it was when it was drawn. A notebook shows it."""

    def __init__(self, handle: int):
        self._own("figure", handle)

    def bytes(self, format: str = "svg") -> bytes:
        """The figure as "svg", "png", "pdf", "tex", "py" or "csv"."""
        given, n = ctypes.c_void_p(), ctypes.c_size_t()
        _library.call("figure_bytes", self._handle, _library.encode(format), ctypes.byref(given), ctypes.byref(n))
        try:
            return ctypes.string_at(given.value or 0, n.value)
        finally:
            _library.function("free")(given)

    def save(self, path: Path) -> None:
        """Writes it, whole or not at all, as what the name ends in: .svg, .png, .pdf, .tex, .py or .csv. The file has the
        run's recipe in it: dropped on Sluice's window, or given to Run(), it is the run again."""
        _library.call("figure_save", self._handle, _library.encode(os.fspath(path)))

    def _repr_svg_(self) -> str:
        return self.bytes("svg").decode()

    def __repr__(self) -> str:
        return "<sluice.Figure>"


def figure(*figures: Figure, **looks: Any) -> Figure:
    """Figures, of one run or of several, on one page: sluice.figure(a.figure("cv"), b.figure("error"), across=2).

    looks are those of Run.figure(). The recipe in its file is that of the first.
    """
    handles = (ctypes.c_void_p * len(figures))(*(each._handle for each in figures))
    return Figure(_library.handle("figure_join", handles, len(figures), _values.looks(looks)))


def draw(run: int, panels: Any, looks: Any) -> Figure:
    return Figure(_library.handle("figure_new", run, panels, looks))
