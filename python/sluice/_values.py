# SPDX-License-Identifier: MIT
"""Python's values as the library's texts, and names of settings."""

from __future__ import annotations

import copy
import functools
from typing import Any, Iterable, Mapping, Optional, Sequence

import numpy as np

from . import _library
from ._library import InvalidError


@functools.lru_cache(maxsize=None)
def described(name: str) -> Any:
    return _library.document("labs", _library.encode(name))[0]


def lab(name: str) -> Any:
    """A lab's descriptor: a dict with title, summary, parameters, panels, presets and suggested sweeps."""
    return copy.deepcopy(described(name))


def labs() -> list[str]:
    """The ids of all labs."""
    return [each["id"] for each in _library.document("labs", None)]


@functools.lru_cache(maxsize=None)
def _parameters(name: str) -> dict[str, Any]:
    about = described(name)
    return {each["id"]: each for each in about["parameters"] + about["view"]}


def setting(word: str) -> str:
    """learning_rate and learning-rate are the same."""
    return word.replace("_", "-")


def is_list(lab_name: str, word: str) -> bool:
    """Whether a setting is a list by itself, as `rank` of the lab sign-estimator."""
    return bool(_parameters(lab_name).get(setting(word), {}).get("kind") == "list")


def are_several(value: Any) -> bool:
    """Whether it is a list of values, of any kind."""
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes)) and getattr(value, "ndim", 1) > 0


def _number(value: Any) -> str:
    if isinstance(value, float) or not hasattr(value, "__index__"):
        try:
            value = float(value)
        except (TypeError, ValueError):
            raise InvalidError(f"found {value!r}, expected a number, a truth, a text or a list of numbers") from None
        return repr(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    return str(int(value))


def written(lab_name: str, word: str, value: Any) -> str:
    """A value as a command line has it."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if are_several(value):
        about = _parameters(lab_name).get(setting(word), {})
        whole = float(about.get("lo", 0)) >= 0 and float(about.get("step", 1)).is_integer()
        return ("-" if whole else "/").join(_number(each) for each in value)
    return _number(value)


def lines(lab_name: str, settings: Mapping[str, Any]) -> Optional[bytes]:
    """Settings, one a line."""
    return _lines([f"{setting(word)}={written(lab_name, word, value)}" for word, value in settings.items()])


def _lines(lines: Sequence[str]) -> bytes:
    for line in lines:
        if "\n" in line:
            raise InvalidError(f"found {line!r}, expected a line without a break")
    return _library.encode("\n".join(lines))


def looks(words: Mapping[str, Any]) -> Optional[bytes]:
    """The looks of a figure, one a line."""
    parts = []
    for word, value in words.items():
        if word == "size" and not isinstance(value, str):
            value = "x".join(_number(each) for each in value)
        parts.append(f"{word}={value if isinstance(value, str) else _number(value)}")
    return _lines(parts)


def until(updates: Optional[int], epochs: Optional[float], seconds: Optional[float]) -> Optional[_library.Until]:
    """Where training ends; None: as the library says."""
    if updates is None and epochs is None and seconds is None:
        return None
    for limit in (updates, epochs, seconds):
        if limit is not None and not 0 < limit < 2**63:
            raise InvalidError(f"found {limit}, expected updates, epochs or seconds above 0")
    return _library.Until(int(updates or 0), float(epochs or 0), float(seconds or 0))


def table(document: Any) -> dict[str, Sequence[Any]]:
    """Columns by id of a table with "columns" and "rows"."""
    ids = [column["id"] for column in document["columns"]]
    columns: dict[str, Sequence[Any]] = {}
    for place, name in enumerate(ids):
        column = [row[place] for row in document["rows"]]
        if all(each is None or (isinstance(each, (int, float)) and not isinstance(each, bool)) for each in column):
            column = [float("nan") if each is None else each for each in column]
        columns[name] = column
    return columns
