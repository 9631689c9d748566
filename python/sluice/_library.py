# SPDX-License-Identifier: MIT
"""The shared library: found, loaded and called.

Everything here follows lib/sluice.h, which says what the functions do.
"""

from __future__ import annotations

import ctypes
import json
import operator
import os
import signal
import subprocess
import sys
import threading
import warnings
import weakref
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_char, c_char_p, c_double, c_float, c_int, c_int64, c_size_t,
                    c_uint, c_uint8, c_uint32, c_uint64, c_void_p)
from typing import Any, Callable, Optional

NAME = "libsluice.so.1"


class SluiceError(Exception):
    """What Sluice refused or could not do, as a sentence: what was found, what was expected, the way out."""


class InvalidError(SluiceError, ValueError):
    """A setting, a name or an argument that cannot be."""


class FileError(SluiceError, OSError):
    """A file that is missing, full or not allowed."""


class FormatError(SluiceError, ValueError):
    """A file or an array that is not what it should be."""


class TooLargeError(SluiceError, MemoryError):
    """There is not enough memory, or something is beyond a limit."""


class DivergedError(SluiceError, ArithmeticError):
    """The loss of a run is no longer finite. The run can be looked at and goes no further."""


class UnsupportedError(SluiceError, NotImplementedError):
    """This lab, these data or this build cannot do it."""


class GateError(SluiceError):
    """A gate of one's own failed without an exception. The update was not made, and the run can go on."""


class ForkedError(SluiceError, RuntimeError):
    """This process is a fork of one that used Sluice; start another one by multiprocessing's "spawn"."""


FINE, STOPPED, GATE = 0, 7, 8
_ERRORS: dict[int, type[SluiceError]] = {1: InvalidError, 2: FileError, 3: FormatError, 4: TooLargeError, 5: DivergedError,
                                         6: UnsupportedError, GATE: GateError, 9: ForkedError}


class Array(Structure):
    _fields_ = [("name", c_char_p), ("type", c_char), ("size", c_uint), ("axes", c_uint), ("shape", POINTER(c_uint64)),
                ("strides", POINTER(c_int64)), ("numbers", c_void_p)]


class GateBatch(Structure):
    _fields_ = [("rows", c_size_t), ("experts", c_size_t), ("training", c_int), ("logits", POINTER(c_float)),
                ("mask", POINTER(c_uint8)), ("weights", POINTER(c_float)), ("weighted", c_int)]


Choose = CFUNCTYPE(c_int, c_void_p, POINTER(GateBatch))
Slopes = CFUNCTYPE(c_int, c_void_p, c_size_t, c_size_t, POINTER(c_float), POINTER(c_float))
Ask = CFUNCTYPE(c_int, c_void_p, c_uint64, c_double)


class Gate(Structure):
    _fields_ = [("choose", Choose), ("slopes", Slopes), ("data", c_void_p)]


class RunSpec(Structure):
    _fields_ = [("lab", c_char_p), ("settings", c_char_p), ("data", c_void_p), ("seed", c_uint64), ("threads", c_uint),
                ("gate", POINTER(Gate))]


class Until(Structure):
    _fields_ = [("updates", c_uint64), ("epochs", c_double), ("seconds", c_double)]


class Series(Structure):
    _fields_ = [("n", c_size_t), ("update", POINTER(c_double)), ("value", POINTER(c_double))]


class Cell(Structure):
    _fields_ = [("pattern", c_uint64), ("top", c_uint32), ("active", c_uint32), ("label", c_uint32),
                ("confidence", c_float), ("margin", c_float), ("cost", c_float), ("misjudged", c_float)]


_TEXT = POINTER(c_void_p)  # char **, freed by sluice_free()
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "version": (c_char_p, []),
    "error": (c_char_p, []),
    "free": (None, [c_void_p]),
    "kernel": (c_char_p, []),
    "kernel_wanted": (c_char_p, []),
    "labs": (c_int, [c_char_p, _TEXT]),
    "data_open": (c_int, [c_char_p, POINTER(c_void_p)]),
    "data_arrays": (c_int, [POINTER(Array), c_uint, c_char_p, POINTER(c_void_p)]),
    "data_about": (c_int, [c_void_p, _TEXT]),
    "data_report": (c_int, [c_void_p, c_char_p, _TEXT]),
    "data_free": (None, [c_void_p]),
    "run_new": (c_int, [POINTER(RunSpec), POINTER(c_void_p)]),
    "run_again": (c_int, [c_char_p, c_void_p, POINTER(Gate), POINTER(c_void_p)]),
    "run_free": (None, [c_void_p]),
    "run_train": (c_int, [c_void_p, POINTER(Until), Ask, c_void_p]),
    "run_set": (c_int, [c_void_p, c_char_p, c_char_p]),
    "run_get": (c_int, [c_void_p, c_char_p, _TEXT]),
    "run_about": (c_int, [c_void_p, _TEXT]),
    "run_updates": (c_uint64, [c_void_p]),
    "run_series": (c_int, [c_void_p, c_char_p, POINTER(Series)]),
    "run_panel": (c_int, [c_void_p, c_char_p, _TEXT, POINTER(c_void_p), POINTER(c_size_t)]),
    "run_look_at": (c_int, [c_void_p, POINTER(c_float), c_size_t, c_uint]),
    "run_map": (c_int, [c_void_p, POINTER(c_float), c_size_t, c_size_t, POINTER(Cell)]),
    "run_scores": (c_int, [c_void_p, _TEXT]),
    "run_time": (c_int, [c_void_p, _TEXT]),
    "run_weights": (c_int, [c_void_p, POINTER(POINTER(c_float)), POINTER(c_size_t)]),
    "run_recipe": (c_int, [c_void_p, _TEXT]),
    "run_keep": (c_int, [c_void_p, c_char_p, _TEXT]),
    "run_page": (c_int, [c_void_p, c_char_p, c_char_p]),
    "figure_new": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(c_void_p)]),
    "figure_join": (c_int, [POINTER(c_void_p), c_uint, c_char_p, POINTER(c_void_p)]),
    "figure_bytes": (c_int, [c_void_p, c_char_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "figure_save": (c_int, [c_void_p, c_char_p]),
    "figure_free": (None, [c_void_p]),
    "sweep_new": (c_int, [POINTER(RunSpec), c_char_p, c_char_p, POINTER(Until), POINTER(c_void_p)]),
    "sweep_size": (c_uint, [c_void_p]),
    "sweep_make": (c_int, [c_void_p, c_uint, c_char_p, Ask, c_void_p]),
    "sweep_table": (c_int, [c_void_p, _TEXT]),
    "sweep_free": (None, [c_void_p]),
    "store_table": (c_int, [c_char_p, c_char_p, _TEXT]),
    "store_run": (c_int, [c_char_p, c_char_p, c_void_p, POINTER(Gate), POINTER(c_void_p)]),
}

_QUESTION = ("import ctypes, sys; f = ctypes.CDLL(sys.argv[1]).sluice_kernel_wanted; f.restype = ctypes.c_char_p; "
             "sys.stdout.write((f() or b'').decode())")


def _wanted_kernel(path: str) -> str:
    """The kernel that sluice-cli would choose, asked in another process, as OpenBLAS chooses while it is loaded."""
    if not sys.executable:
        return ""
    try:
        answer = subprocess.run([sys.executable, "-I", "-S", "-c", _QUESTION, path], capture_output=True, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return ""
    return answer.stdout.decode() if answer.returncode == 0 else ""


def _load() -> ctypes.CDLL:
    path = os.environ.get("SLUICE_LIBRARY", NAME)
    # Both are read while the library is being loaded, and are of no concern to programs that this one starts.
    wished = {}
    if "OPENBLAS_CORETYPE" not in os.environ:
        kernel = _wanted_kernel(path)
        if kernel:
            wished["OPENBLAS_CORETYPE"] = kernel
    if "OMP_WAIT_POLICY" not in os.environ and "GOMP_SPINCOUNT" not in os.environ:
        wished["OMP_WAIT_POLICY"] = "passive"
    os.environ.update(wished)
    try:
        library = ctypes.CDLL(path)
    except OSError as problem:
        raise ImportError(f"{problem}; the package libsluice1 has the library, or SLUICE_LIBRARY says where it is") from None
    finally:
        for name in wished:
            del os.environ[name]
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, "sluice_" + name)
        function.restype = result
        function.argtypes = arguments
    return library


_library = _load()


def _warn_of_kernel() -> None:
    """NumPy and this library share an OpenBLAS where both are Debian's; whoever comes first has it choose."""
    wanted = _library.sluice_kernel_wanted()
    if wanted and "OPENBLAS_CORETYPE" not in os.environ:
        warnings.warn(f"OpenBLAS multiplies by its kernel {kernel()}, which is slower here than {wanted.decode()}, and gives "
                      f"other last bits; import sluice before numpy, or set OPENBLAS_CORETYPE={wanted.decode()}",
                      RuntimeWarning, stacklevel=2)


def version() -> str:
    """The version of the library, "1.0.0"."""
    return str(_library.sluice_version().decode())


def kernel() -> str:
    """What OpenBLAS multiplies with here, "SkylakeX". With the same kernel and threads runs have the same bytes."""
    return str(_library.sluice_kernel().decode())


_warn_of_kernel()


def encode(text: str) -> bytes:
    """A text for the library; file names keep bytes that are no UTF-8."""
    if not isinstance(text, str):
        raise TypeError(f"found {text!r}, expected a text")
    if "\0" in text:
        raise InvalidError("a text cannot have a zero byte in it")
    return text.encode("utf-8", "surrogateescape")


def optional(text: Optional[str]) -> Optional[bytes]:
    """The same of one that may be missing."""
    return encode(text) if text is not None else None


def check(code: int) -> None:
    """Raises the library's sentence unless all is well."""
    if code != FINE:
        raise _ERRORS.get(code, SluiceError)(_library.sluice_error().decode(errors="replace"))


def function(name: str) -> Callable[..., Any]:
    """A function of the library without its prefix."""
    return getattr(_library, "sluice_" + name)  # type: ignore[no-any-return]


def call(name: str, *arguments: Any) -> None:
    """Calls a function that can fail."""
    check(function(name)(*arguments))


def text(name: str, *arguments: Any) -> str:
    """The same of one that gives a text."""
    given = c_void_p()
    call(name, *arguments, byref(given))
    try:
        return ctypes.string_at(given.value or 0).decode() if given.value else ""
    finally:
        _library.sluice_free(given)


def document(name: str, *arguments: Any) -> Any:
    """The same of one that gives JSON."""
    return json.loads(text(name, *arguments))


def handle(name: str, *arguments: Any) -> int:
    """The same of one that gives an object."""
    given = c_void_p()
    call(name, *arguments, byref(given))
    return int(given.value or 0)


def whole(what: str, value: Any, bits: int) -> int:
    """A number from 0 for the library, which would take others for their last bits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise InvalidError(f"{what}: found {value!r}, expected a whole number") from None
    if not 0 <= number < 1 << bits:
        raise InvalidError(f"{what}: found {number}, expected 0 to {(1 << bits) - 1}")
    return number


class Object:
    """An object of the library, freed with its last reference."""

    def _own(self, kind: str, handle: int) -> None:
        self._pointer = handle
        self._finish = weakref.finalize(self, function(kind + "_free"), handle)
        # At the end of the program a daemon thread may be in the middle of an update of it.
        self._finish.atexit = False

    @property
    def _handle(self) -> int:
        if not self._finish.alive:
            raise InvalidError(f"this {type(self).__name__} is closed")
        return self._pointer

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(f"a sluice.{type(self).__name__} is memory of this process and cannot be copied or pickled; of a run, "
                        "Run(run.recipe) and Run.save() make another one")


class Asking:
    """A callback between two updates. What is raised in it is kept until the call of the library is over, and so is Ctrl+C
    in the main thread: a second one ends the call's own Python at once.

    with Asking(progress) as asking:
        asking.check(function("run_train")(…, asking.callback, None))
    """

    def __init__(self, progress: Optional[Callable[[int, float], object]]):
        self._raised: Optional[BaseException] = None
        self._interrupted = False
        self._progress = progress
        self.callback = Ask(self._ask)
        self._guards = (threading.current_thread() is threading.main_thread()
                        and signal.getsignal(signal.SIGINT) is signal.default_int_handler)

    def _interrupt(self, number: int, frame: Any) -> None:
        if self._interrupted:
            signal.default_int_handler(number, frame)
        self._interrupted = True

    def _ask(self, _data: object, update: int, share: float) -> int:
        try:
            if self._progress is not None:
                self._progress(update, share)
        except BaseException as problem:  # it is raised again where the call returns
            self._raised = problem
        return int(self._interrupted or self._raised is not None)

    def __enter__(self) -> "Asking":
        if self._guards:
            signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._guards and signal.getsignal(signal.SIGINT) == self._interrupt:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self._interrupted and kind is None:  # after check()
            raise KeyboardInterrupt

    def check(self, code: int) -> None:
        """Raises what was raised on the way, else the library's sentence."""
        if self._raised is not None:
            raise self._raised
        if self._interrupted:
            raise KeyboardInterrupt
        check(code)
