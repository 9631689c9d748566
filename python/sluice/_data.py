# SPDX-License-Identifier: MIT
"""Data: by specification, or of arrays of any framework."""

from __future__ import annotations

import ctypes
import keyword
import os
import re
from typing import Any, Mapping, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _library
from ._library import InvalidError, SluiceError

_TYPES = {"f": b"f", "i": b"i", "u": b"u", "b": b"b", "U": b"U"}


def as_array(value: Any) -> npt.NDArray[Any]:
    """Any array of the processor's memory, without a copy where it has one of the protocols that NumPy reads.

    Tensors of PyTorch that need a gradient are detached first; bfloat16, which NumPy has not, becomes float32.
    """
    if hasattr(value, "detach"):
        value = value.detach()
    if np.ma.is_masked(value):  # type: ignore[no-untyped-call]
        raise InvalidError("found an array with masked numbers, expected numbers everywhere; a.filled() says which")
    if str(getattr(value, "dtype", "")).endswith("bfloat16"):
        value = value.float() if hasattr(value, "float") else value.astype("float32")
    array = np.asarray(value)
    if array.dtype == object and all(isinstance(each, str) for each in array.flat):
        array = array.astype(str)
    if array.dtype.kind not in _TYPES or not array.dtype.isnative:
        if array.dtype.kind in "fiuU":
            return array.astype(array.dtype.newbyteorder("="))
        raise InvalidError(f"found an array of {array.dtype}, expected numbers, truths or texts")
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        return array.astype(np.float64)
    if array.dtype.kind == "U":
        return np.ascontiguousarray(array)
    # What runs backwards, or lies across its own numbers, is put in rows.
    plain = array.flags.aligned and all(step >= 0 and step % array.itemsize == 0 for step in array.strides)
    return array if plain else np.array(array, order="C")


def arrays_of(named: Mapping[str, Any]) -> tuple[Any, list[npt.NDArray[Any]]]:
    """The arrays as the library takes them, and what has to stay alive meanwhile."""
    held = [as_array(value) for value in named.values()]
    held = [array.view(np.uint8) if name in ("X", "y") and array.dtype == np.bool_ else array
            for name, array in zip(named, held)]
    given = (_library.Array * len(held))()
    for place, (name, array) in enumerate(zip(named, held)):
        given[place] = _library.Array(
            _library.encode(name), _TYPES[array.dtype.kind], array.dtype.itemsize, array.ndim,
            (ctypes.c_uint64 * max(array.ndim, 1))(*array.shape), (ctypes.c_int64 * max(array.ndim, 1))(*array.strides),
            array.ctypes.data)
    return given, held


class Data(_library.Object):
    """What a run learns from, or a recording of routing.

    >>> sluice.Data("moons:noise=0.2")
    >>> sluice.Data({"X": X, "y": y}, valid=0.1, test=0.2)     # X (N, D) or (N, H, W), y (N) classes, numbers or texts
    """

    def __init__(self, source: Union[str, "os.PathLike[str]", Mapping[str, Any], tuple[Any, Any]], **options: Any):
        """A specification as after --data, or arrays by name as in an .npz; (X, y) is {"X": X, "y": y}.

        Options are those of a file: valid, test (shares), seed, standardise; of a recording k, experts, as_ and others,
        as `sluice-cli data` lists them.  Raises FormatError with what was found and expected.
        """
        try:
            self._open(source, options)
        except SluiceError as problem:
            raise type(problem)(_in_python(str(problem))) from None

    def _open(self, source: Any, options: Mapping[str, Any]) -> None:
        words = " ".join(f"{name.rstrip('_').replace('_', '-')}={_written(value)}" for name, value in options.items())
        if isinstance(source, (str, os.PathLike)):
            source = os.fspath(source)
            if words:
                source += (":" if ":" not in source else ",") + words.replace(" ", ",")
            self._own("data", _library.handle("data_open", _library.encode(source)))
        else:
            given, self._held = arrays_of(_by_name(source))
            self._own("data", _library.handle("data_arrays", given, len(given), _library.optional(words or None)))

    @property
    def about(self) -> dict[str, Any]:
        """Title, kind, sizes of the splits, features, whether they are standardised, classes, hash, and how it was read."""
        return dict(_library.document("data_about", self._handle))

    @property
    def note(self) -> str:
        """How it was read, what was decided and what was left out, as sentences."""
        reading = self.about["reading"]
        return "; ".join([reading["said"], *reading["notes"]]) if reading["said"] else "; ".join(reading["notes"])

    def report(self, options: Optional[str] = None) -> dict[str, Any]:
        """All that a recording of routing says, as `sluice-cli trace --json` does."""
        return dict(_library.document("data_report", self._handle, _library.optional(options)))

    def __repr__(self) -> str:
        about = self.about
        return f"<sluice.Data {about.get('title')!r}, {about.get('kind')}>"


def _by_name(source: Any) -> Mapping[str, Any]:
    if isinstance(source, Mapping):
        return source
    if isinstance(source, (tuple, list)) and len(source) == 2:
        return dict(zip(("X", "y"), source))
    raise InvalidError(f"found data as {type(source).__name__}, expected a specification, (X, y) or a dict of arrays by name")


def _in_python(sentence: str) -> str:
    """The ways out of a refusal as arguments: axes="tlk", as_="ids", k=2."""

    def argument(way: "re.Match[str]") -> str:
        name, value = way.groups()
        return f"{name}{'_' * keyword.iskeyword(name)}=" + (value if value.isdigit() else f'"{value}"')

    said, word, ways = sentence.partition("; try ")
    return said + word + re.sub(r"(\w+)=(.+?)(?= or \w+=|; |$)", argument, ways)


def _written(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    return str(value)


def data_of(value: Any) -> Optional[Data]:
    """What a caller gives as data: None, Data, a specification, arrays."""
    return value if value is None or isinstance(value, Data) else Data(value)


def handle_of(data: Optional[Data]) -> Optional[int]:
    return data._handle if data is not None else None
