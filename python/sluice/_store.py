# SPDX-License-Identifier: MIT
"""Stores: files of runs."""

from __future__ import annotations

import os
from typing import Any, Iterator, Optional

from . import _library
from ._data import data_of, handle_of
from ._figure import Path
from ._gate import Gate, pointer_of
from ._run import Run


class Store:
    """A file of runs, which the window and sluice-cli write too; made by sluice.open()."""

    def __init__(self, path: Path):
        self.path = os.fspath(path)
        self.runs()

    def runs(self, where: Optional[str] = None) -> list[dict[str, Any]]:
        """What there is of each run, as a dict: id, name, status, created, step, seconds, error, figures (scores and the last
        values of curves) and recipe (lab, settings, data, seed), as `sluice-cli runs --json` has them.

        where  a line as the page of runs takes it, "lab = experts and k <= 4"; None: all
        """
        return list(_library.document("store_table", _library.encode(self.path), _library.optional(where)))

    def run(self, name: str, data: Any = None, *, gate: Optional[Gate] = None) -> Run:
        """A run by its name, "quiet heron 7", or the beginning of its id: with all that it published, to be looked at and
        to be trained on. The file stays as it is until Run.save().  data: where the run's are not found by themselves; gate:
        that of a run with one of your own. Without them the run is only looked at, and run.about["past"] says why."""
        own = data_of(data)
        return Run._of(_library.handle("store_run", _library.encode(self.path), _library.encode(name), handle_of(own),
                                       pointer_of(gate)), own, gate)

    __getitem__ = run

    def __len__(self) -> int:
        return len(self.runs())

    def __iter__(self) -> Iterator[str]:
        return iter([each["name"] for each in self.runs()])

    def __repr__(self) -> str:
        return f"<sluice.Store {self.path!r}, {len(self)} runs>"


def open(path: Path) -> Store:
    """Opens a store, "runs.sluice". Raises FileError where there is none, FormatError where it is something else."""
    return Store(path)
