# SPDX-License-Identifier: MIT
"""One's own training, written so that Sluice's window follows it."""

from __future__ import annotations

import json
import math
import os
from typing import Any, Mapping, Optional

from ._figure import Path


class Log:
    """A file of JSON lines, one a step; made by sluice.log()."""

    def __init__(self, path: Path, append: bool):
        self._file = open(os.fspath(path), "a" if append else "w", encoding="utf-8", buffering=1)

    def __call__(self, step: int, values: Optional[Mapping[str, Any]] = None, **named: Any) -> None:
        """Writes the numbers of a step: loss=0.3, load=[12, 30, 22] (a curve for each), {"gate/entropy": 1.2}."""
        line: dict[str, Any] = {"step": int(step)}
        for name, value in {**(values or {}), **named}.items():
            _put(line, name, value)
        self._file.write(json.dumps(line) + "\n")

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> "Log":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _put(line: dict[str, Any], name: str, value: Any) -> None:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        for i, each in enumerate(value):
            _put(line, f"{name}/{i}", each)
    else:
        line[name] = float(value) if value is not None and math.isfinite(value) else None


def log(path: Path, *, append: bool = False) -> Log:
    """Begins a log of one's own training; `sluice PATH` shows its curves and follows them.

    >>> log = sluice.log("training.jsonl")
    >>> for step in range(1000):
    ...     log(step, loss=loss, load=tokens_per_expert)
    """
    return Log(path, append)
