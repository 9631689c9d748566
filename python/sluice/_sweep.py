# SPDX-License-Identifier: MIT
"""Many runs."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Iterable, Optional, Sequence, Union

from . import _library, _values
from ._data import Data, data_of, handle_of
from ._figure import Path
from ._gate import Gate, pointer_of
from ._library import InvalidError
from ._run import Progress


class Sweep(_library.Object):
    """The runs of a sweep, made by sluice.sweep()."""

    def __init__(self, handle: int, gate: Optional[Gate], data: Optional[Data]):
        self._gate, self._data = gate, data
        self._own("sweep", handle)

    def __len__(self) -> int:
        return int(_library.function("sweep_size")(self._handle))

    def make(self, *, store: Optional[Path] = None, at_once: int = 0, progress: Optional[Progress] = None) -> "Sweep":
        """Makes the runs that are not made yet; Ctrl+C keeps those that are over."""
        path = _library.encode(os.fspath(store)) if store is not None else None
        at_once = _library.whole("at_once", at_once, 16)
        with _library.Asking(progress) as asking:
            asking.check(_library.function("sweep_make")(self._handle, at_once, path, asking.callback, None))
        return self

    @property
    def columns(self) -> list[dict[str, Optional[str]]]:
        """Id, title and unit of each column of the table."""
        return list(_library.document("sweep_table", self._handle)["columns"])

    def table(self) -> dict[str, Sequence[Any]]:
        """Columns by id, each a list, ready for pandas.DataFrame(): what varied, seed, updates, status, scores as test.error, and the
        costs expected, executed and timed in percent of dense. A number that a run has not is not-a-number."""
        return _values.table(_library.document("sweep_table", self._handle))

    def __repr__(self) -> str:
        return f"<sluice.Sweep of {len(self)} runs>"


def _is_axis(lab: str, word: str, value: Any) -> bool:
    """Whether a setting has several values: of a list setting, a list of lists."""
    if not _values.are_several(value):
        return False
    return not _values.is_list(lab, word) or any(isinstance(each, str) or _values.are_several(each) for each in value)


def _axis(lab: str, word: str, values: Sequence[Any]) -> str:
    texts = [_values.written(lab, word, each) for each in values]
    if not texts or any("," in text or "\n" in text for text in texts):
        raise InvalidError(f"{word}: found {texts}, expected one value or more, each without commas")
    return f"{_values.setting(word)}=" + ",".join(texts)


def sweep(lab: str, data: Any = None, *, seeds: Iterable[int] = (1,), updates: Optional[int] = None,
          epochs: Optional[float] = None, seconds: Optional[float] = None, store: Optional[Path] = None, at_once: int = 0,
          gate: Union[Gate, str, Iterable[str], None] = None, progress: Optional[Progress] = None, **settings: Any) -> Sweep:
    """Trains a lab under many settings and seeds, each run with one thread.

    A setting with several values is an axis, k=[1, 2, 4]; every combination is run with every seed.  Without a limit each
    run makes 2000 updates.  store: a file where runs are kept, and from where those that it has are taken; at_once: runs at
    a time, 0: one a core; progress(runs that are over, share).

    >>> sluice.sweep("experts", k=[1, 2, 4, 8], seeds=range(3), updates=500).table()
    """
    axes, fixed = [], {}
    if callable(gate):
        raise InvalidError("gate: found a function, expected sluice.gate(f)")
    brought = gate if isinstance(gate, Gate) else None
    if gate is not None:
        settings["gate"] = "own" if brought is not None else gate
    for word, value in settings.items():
        if _values.are_several(value):
            value = list(value)
        if _is_axis(lab, word, value):
            axes.append(_axis(lab, word, value))
        else:
            fixed[word] = value
    limit = _values.until(updates, epochs, seconds) or _library.Until(2000, 0, 0)
    own = data_of(data)
    spec = _library.RunSpec(_library.encode(lab), _values.lines(lab, fixed) if fixed else None, handle_of(own), 1, 1,
                            pointer_of(brought))
    words = ",".join(str(_library.whole("seeds", seed, 64)) for seed in seeds)
    made = Sweep(_library.handle("sweep_new", ctypes.byref(spec), _library.encode("\n".join(axes)), _library.encode(words),
                                 ctypes.byref(limit)), brought, own)
    return made.make(store=store, at_once=at_once, progress=progress)
