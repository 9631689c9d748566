# SPDX-License-Identifier: MIT
"""Runs."""

from __future__ import annotations

import ctypes
import functools
import json
import os
import threading
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator, Optional, Sequence, TypeVar, Union, cast

import numpy as np
import numpy.typing as npt

from . import _library, _values
from ._data import Data, as_array, data_of, handle_of
from ._figure import Figure, Path, draw
from ._gate import Gate, pointer_of
from ._library import InvalidError

Floats = npt.NDArray[np.float64]
Progress = Callable[[int, float], object]
Method = TypeVar("Method", bound=Callable[..., Any])

_CELL = np.dtype([("pattern", np.uint64), ("top", np.uint32), ("active", np.uint32), ("label", np.uint32),
                  ("confidence", np.float32), ("margin", np.float32), ("cost", np.float32), ("misjudged", np.float32)], align=True)


@dataclass(frozen=True, eq=False)
class Series:
    """A curve over updates; a notebook draws it."""

    id: str
    title: str
    unit: Optional[str]
    x: Floats = field(repr=False)  # (n) updates
    y: Floats = field(repr=False)  # (n) values; not-a-number: a gap
    _run: "Run" = field(repr=False)

    def __len__(self) -> int:
        return len(self.x)

    def _repr_svg_(self) -> str:
        return self._run.figure(self.id)._repr_svg_()


@dataclass(frozen=True)
class Axis:
    label: Optional[str]
    unit: Optional[str]


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve or a group of bars of a panel."""

    id: str
    title: str
    x: Floats = field(repr=False)  # (n)
    y: Floats = field(repr=False)  # (n)
    spread: Optional[Floats] = field(repr=False, default=None)  # (n) half widths of error bars


@dataclass(frozen=True, eq=False)
class Panel:
    """What a panel shows now, as arrays."""

    id: str
    title: str
    update: int
    note: str
    x: Axis
    y: Axis
    z: Axis  # of the colours of a matrix
    curves: tuple[Curve, ...] = ()
    matrix: Optional[Floats] = field(repr=False, default=None)  # (rows, columns), (tiles, rows, columns) or (tiles, 3, …)
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()  # names of columns, tiles or bars


@dataclass(frozen=True, eq=False)
class Group:
    """Units of the picture of one example: a layer, the experts, the bits."""

    title: str
    unit: npt.NDArray[np.int64] = field(repr=False)  # (n) numbers of the units that are shown, from 1
    state: tuple[str, ...]  # (n) "used", "skipped", …
    value: Floats = field(repr=False)  # (n) 0 … 1
    lost: Floats = field(repr=False)  # (n) 0 … 1, what a skipped unit would have mattered


@dataclass(frozen=True, eq=False)
class Alive:
    """What the network decides about one input."""

    groups: tuple[Group, ...]
    classes: Floats = field(repr=False)  # (C) probabilities
    truth: Optional[int]  # the class that it is of; None: not known
    note: str

    @property
    def label(self) -> int:
        """The class decided for."""
        return int(self.classes.argmax()) if len(self.classes) else -1


def _alone(method: Method) -> Method:
    """A method that has the run to itself. It raises what the gate raised, in place of what the library says of it."""

    @functools.wraps(method)
    def work(self: "Run", *arguments: Any, **named: Any) -> Any:
        if not self._lock.acquire(blocking=False):
            raise InvalidError("another thread is at work with this run; a run is of one thread at a time")
        self._at_work += 1
        try:
            if self._gate is not None:
                self._gate.take()  # of a sweep, perhaps
            given = method(self, *arguments, **named)
            self._raise_of_gate()
            return given
        except _library.SluiceError:
            self._raise_of_gate()
            raise
        finally:
            self._at_work -= 1
            self._lock.release()

    return cast(Method, work)


class Run(_library.Object):
    """A network in training, as in Sluice's window and by sluice-cli.

    >>> run = sluice.Run("experts", data="fashion-mnist", k=2, seed=1)
    >>> run.train(1000); run.set(k=4); run.train(1000)
    >>> run["cv.hard"].y, run.scores()["test"]["error"], run.figure("error")

    The same seed gives the same bytes as the window and the command line, on the same kernel and threads.
    """

    def __init__(self, lab: Path, data: Any = None, *, seed: int = 1, threads: int = 0, gate: Union[Gate, str, None] = None, **settings: Any):
        """A run before its first update.

        lab       the id of a lab (sluice.labs()), or the recipe of a run: its JSON, or the path of a figure, page or
                  export that has one in it; settings, seed and threads are then the recipe's
        data      a specification, sluice.Data, (X, y) or arrays by name; None: what the lab is usually shown with
        threads   of products; 0: as was measured for the lab, or all
        gate      sluice.gate(), for the lab experts, or the name of one of its own gates; of a recipe that of its run
        settings  the lab's parameters, learning_rate=0.01 for learning-rate; lists as lists

        Raises InvalidError for what cannot be, FormatError and FileError for data.
        """
        own = gate if isinstance(gate, Gate) else None
        if own is None and gate is not None and not isinstance(gate, str):
            raise InvalidError(f"gate: found {type(gate).__name__}, expected sluice.gate(f) or the name of a gate")
        self._prepare(own, data_of(data))
        name = os.fspath(lab)
        if name.lstrip().startswith("{") or os.sep in name or "." in name or not isinstance(lab, str):
            if settings or isinstance(gate, str) or threads != 0 or seed != 1:
                raise InvalidError("a recipe has all settings, the seed and the threads; change settings with Run.set()")
            self._adopt(_library.handle("run_again", _library.encode(name), handle_of(self._data), pointer_of(own)))
            return
        if gate is not None:
            settings["gate"] = gate if isinstance(gate, str) else "own"
        spec = _library.RunSpec(_library.encode(name), _values.lines(name, settings) if settings else None,
                                handle_of(self._data), _library.whole("seed", seed, 64),
                                _library.whole("threads", threads, 32), pointer_of(own))
        self._adopt(_library.handle("run_new", ctypes.byref(spec)))

    @classmethod
    def _of(cls, handle: int, data: Optional[Data], gate: Optional[Gate]) -> "Run":
        run = cls.__new__(cls)
        run._prepare(gate, data)
        run._adopt(handle)
        return run

    def _prepare(self, gate: Optional[Gate], data: Optional[Data]) -> None:
        self._gate, self._data = gate, data
        self._lock, self._at_work = threading.RLock(), 0

    def _raise_of_gate(self) -> None:
        raised = self._gate.take() if self._gate is not None else None
        if raised is not None:
            raise raised from None

    def _adopt(self, handle: int) -> None:
        self._own("run", handle)
        self.lab = str(self.about["lab"])

    # ---- training ----

    @_alone
    def train(self, updates: Optional[int] = None, *, epochs: Optional[float] = None, seconds: Optional[float] = None,
              progress: Optional[Progress] = None) -> "Run":
        """Trains on: so many updates, passes over the training examples or seconds, whichever comes first.

        Without a limit: a run from a recipe to where that was, else 2000 updates.  progress(update, share of the way) is
        called between updates, at most a hundred times a second.  Ctrl+C ends it between two updates, and the run can go
        on.  Other threads of Python run meanwhile.  Raises DivergedError where the loss is no longer finite.
        """
        limit = _values.until(updates, epochs, seconds)
        train = _library.function("run_train")
        with _library.Asking(progress) as asking:
            asking.check(train(self._handle, ctypes.byref(limit) if limit is not None else None, asking.callback, None))
        return self

    @_alone
    def set(self, **settings: Any) -> "Run":
        """Changes live parameters from the next update on; before the first one any parameter."""
        for word, value in settings.items():
            name = _values.setting(word)
            _library.call("run_set", self._handle, _library.encode(name),
                          _library.encode(_values.written(self.lab, word, value)))
        return self

    @_alone
    def get(self, setting: str) -> str:
        """A parameter as text."""
        return _library.text("run_get", self._handle, _library.encode(_values.setting(setting)))

    @property
    def updates(self) -> int:
        """Updates that were made."""
        return int(_library.function("run_updates")(self._handle))

    @property
    @_alone
    def about(self) -> dict[str, Any]:
        """Lab, data, seed, threads, kernel, update, epochs, seconds, settings, changes, series and panels."""
        return dict(_library.document("run_about", self._handle))

    # ---- looking ----

    def series(self) -> list[str]:
        """The ids of all curves over updates."""
        return [each["id"] for each in self.about["series"]]

    def panels(self) -> list[str]:
        """The ids of the panels that these settings and data have."""
        return [each["id"] for each in self.about["panels"]]

    @_alone
    def __getitem__(self, name: str) -> Series:
        """A curve by its id, "cv.hard"; the numbers are copies."""
        given = _library.Series()
        _library.call("run_series", self._handle, _library.encode(name), ctypes.byref(given))
        about = next(each for each in self.about["series"] if each["id"] == name)
        return Series(name, about["title"], about["unit"], _copied(given.update, given.n), _copied(given.value, given.n),
                      self)

    @_alone
    def panel(self, name: str) -> Panel:
        """What a panel shows now.  Raises UnsupportedError where it has nothing to show."""
        about = self.about
        for panel in about["panels"]:
            if panel["id"] == name and panel["series"]:
                return self._panel_of_series(panel, about)
        document, numbers = self._probe(name)
        return _panel_of(document, numbers)

    def _panel_of_series(self, panel: Any, about: Any) -> Panel:
        described = next(each for each in _values.described(self.lab)["panels"] if each["id"] == panel["id"])
        curves = []
        for each in about["series"]:
            if each["panel"] == panel["id"]:
                series = self[each["id"]]
                curves.append(Curve(series.id, series.title, series.x, series.y))
        return Panel(panel["id"], panel["title"], self.updates, "", Axis(**described["x"]), Axis(**described["y"]),
                     Axis(None, None), tuple(curves))

    def _probe(self, name: str) -> tuple[Any, Floats]:
        given, numbers, n = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
        _library.call("run_panel", self._handle, _library.encode(name), ctypes.byref(given), ctypes.byref(numbers),
                      ctypes.byref(n))
        try:
            document = json.loads(ctypes.string_at(given.value or 0))
            return document, _copied(ctypes.cast(numbers, ctypes.POINTER(ctypes.c_double)), n.value)
        finally:
            _library.function("free")(given)
            _library.function("free")(numbers)

    @_alone
    def map(self, points: Any) -> npt.NDArray[Any]:
        """What the network does with inputs of yours, as it would be deployed.

        points  (n, D) in the numbers of the data, or images (n, H, W) of 0 to 255
        Gives a structured array (n): pattern (which units or experts are on, bit i for number i < 63), top, active, label,
        confidence, margin, cost (multiplications) and misjudged.
        """
        array = np.ascontiguousarray(as_array(points), np.float32)
        if array.ndim < 2:
            raise InvalidError(f"found points of {array.ndim} axes, expected (n, D)")
        array = array.reshape(len(array), -1)
        cells = np.zeros(len(array), _CELL)
        _library.call("run_map", self._handle, array.ctypes.data_as(ctypes.POINTER(ctypes.c_float)), array.shape[0],
                      array.shape[1], cells.ctypes.data_as(ctypes.POINTER(_library.Cell)))
        return cells

    @_alone
    def alive(self, x: Any = None, *, example: int = 0) -> Alive:
        """What the network decides about one input.

        x        an input of yours: an image (H, W) of ink from 0 to 1, or a point (2) as for map(); None: a validation
                 example
        example  which one, from 0
        """
        numbers = np.ascontiguousarray(as_array([] if x is None else x), np.float32).ravel()
        _library.call("run_look_at", self._handle, numbers.ctypes.data_as(ctypes.POINTER(ctypes.c_float)), numbers.size,
                      _library.whole("example", example, 32))
        picture = next((each["id"] for each in _values.described(self.lab)["panels"] if each["kind"] == "alive"), "")
        document, matrix = self._probe(picture)
        return _alive_of(document, matrix)

    @_alone
    def scores(self) -> dict[str, dict[str, float]]:
        """Figures on all test and all validation examples: {"test": {"error": 11.2, …}, "validation": {…}}."""
        document = _library.document("run_scores", self._handle)
        return {split: {each["id"]: _float(each["value"]) for each in scores} for split, scores in document.items()}

    @_alone
    def time(self) -> Optional[dict[str, float]]:
        """The time of a forward pass in percent of the dense one, measured now, with its spread and batch; None where there
        is no dense twin, or where the machine is too busy."""
        document = _library.document("run_time", self._handle)
        return document if isinstance(document, dict) else None

    @property
    @_alone
    def weights(self) -> npt.NDArray[np.float32]:
        """All trainable numbers, in the order of the lab; a copy."""
        given, n = ctypes.POINTER(ctypes.c_float)(), ctypes.c_size_t()
        _library.call("run_weights", self._handle, ctypes.byref(given), ctypes.byref(n))
        return np.ctypeslib.as_array(given, (n.value,)).copy() if n.value else np.empty(0, np.float32)

    # ---- files ----

    @property
    @_alone
    def recipe(self) -> str:
        """What makes the run again, as JSON; Run(recipe) does."""
        return _library.text("run_recipe", self._handle)

    @_alone
    def save(self, store: Path) -> str:
        """Puts the run into a store, "a.sluice", where the window and sluice-cli find it and go on with it, or brings it up
        to date there.  Returns its id."""
        return _library.text("run_keep", self._handle, _library.encode(os.fspath(store)))

    @_alone
    def figure(self, panels: Union[str, Sequence[str], None] = None, **looks: Any) -> Figure:
        """A figure of panels ("error"), or of single curves ("cv.hard"); None: the front page.

        looks  style="icml", size=(84, 50) in mm, legend="below", theme, palette, page, type, line, dpi, across, inset,
               caption, as sluice-cli has them
        """
        words = panels if panels is None or isinstance(panels, str) else " ".join(panels)
        return draw(self._handle, _library.optional(words), _values.looks(looks))

    @_alone
    def page(self, path: Path, panels: Union[str, Sequence[str], None] = None) -> None:
        """A web page of the run, whole in itself, with curves that can be read and zoomed."""
        words = panels if panels is None or isinstance(panels, str) else " ".join(panels)
        _library.call("run_page", self._handle, _library.optional(words), _library.encode(os.fspath(path)))

    def close(self) -> None:
        """Frees its memory now, in place of with the last reference. Not from its own progress or gate."""
        if self._at_work > 0:
            raise InvalidError("this run is at work; it can be closed afterwards")
        self._finish()

    def __iter__(self) -> Iterator[str]:
        return iter(self.series())

    def __repr__(self) -> str:
        return f"<sluice.Run {self.lab!r}, " + (f"update {self.updates}>" if self._finish.alive else "closed>")


def _float(value: Any) -> float:
    return float("nan") if value is None else float(value)


def _copied(pointer: Any, n: int) -> Floats:
    return np.ctypeslib.as_array(pointer, (n,)).copy() if n else np.empty(0)


def _panel_of(document: Any, numbers: Floats) -> Panel:
    curves, matrix = [], None
    for each in document["curves"]:
        at, n = each["at"], each["n"]
        parts = [numbers[at + i * n:at + (i + 1) * n] for i in range(3 if each["spread"] else 2)]
        curves.append(Curve(each["id"], each["title"], *parts))
    about = document.get("matrix")
    if about:
        shape = [about["tiles"], about["depth"], about["rows"], about["columns"]]
        matrix = numbers[:int(np.prod(shape))].reshape([n for i, n in enumerate(shape) if n > 1 or i > 1])
    names = about["names"] if about else document.get("categories", [])
    return Panel(document["id"], document["title"], document["update"], document["note"], Axis(**document["x"]),
                 Axis(**document["y"]), Axis(**document["z"]), tuple(curves), matrix,
                 tuple(about["row_names"] if about else ()), tuple(names))


def _alive_of(document: Any, numbers: Floats) -> Alive:
    alive = document["alive"]
    rows = numbers[:document["matrix"]["rows"] * document["matrix"]["columns"]].reshape(-1, document["matrix"]["columns"])
    groups = []
    for each in alive["groups"]:
        cells = rows[each["row"]:each["row"] + each["n"]]
        groups.append(Group(each["title"], cells[:, 4].astype(np.int64),
                            tuple(alive["states"][int(state)] for state in cells[:, 1]), cells[:, 2], cells[:, 3]))
    classes = rows[alive["class_row"]:alive["class_row"] + alive["classes"]]
    classes = classes[np.argsort(classes[:, 4], kind="stable")]
    true = np.flatnonzero(classes[:, 2] == 1)
    return Alive(tuple(groups), classes[:, 1].copy(), int(true[0]) if true.size else None, document["note"])
