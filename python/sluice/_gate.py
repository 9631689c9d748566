# SPDX-License-Identifier: MIT
"""A gate of one's own for the lab `experts`."""

from __future__ import annotations

import ctypes
import inspect
import threading
from typing import Any, Callable, Optional

import numpy as np
import numpy.typing as npt

from . import _library
from ._library import InvalidError

Logits = npt.NDArray[np.float32]


class Gate:
    """A rule that chooses experts; made by sluice.gate()."""

    def __init__(self, rule: Callable[..., Any]):
        if not callable(rule):
            raise InvalidError(f"found {type(rule).__name__}, expected a function of the logits (B, n)")
        self._rule = rule
        try:
            self._tells_training = "training" in inspect.signature(rule).parameters
        except (TypeError, ValueError):
            self._tells_training = False
        # Of each thread, as a sweep has the gate in several at a time.  Not threading.local(), which the library's own
        # threads have anew in each call.
        self._vjp: dict[int, Callable[[Logits], Any]] = {}
        self._raised: dict[int, BaseException] = {}
        self.struct = _library.Gate(_library.Choose(self._choose), _library.Slopes(self._slopes), None)

    def _guard(self, work: Callable[[], None]) -> int:
        """Keeps an exception until the call of the library is over."""
        try:
            work()
        except BaseException as problem:  # it is raised again where the call returns
            self._raised[threading.get_ident()] = problem
            return 1
        return 0

    def _choose(self, _data: object, batch: Any) -> int:
        return self._guard(lambda: self._fill(batch.contents))

    def _fill(self, batch: Any) -> None:
        shape = (batch.rows, batch.experts)
        logits = np.ctypeslib.as_array(batch.logits, shape).copy()
        mask = np.ctypeslib.as_array(batch.mask, shape)
        if self._tells_training:
            given = self._rule(logits, training=bool(batch.training))
        else:
            given = self._rule(logits)
        if not isinstance(given, tuple):
            mask[...] = _mask_of(given, shape)
            return
        if len(given) != 3 or not callable(given[2]):
            raise InvalidError("a gate with weights gives (mask, weights, vjp), where vjp takes dloss/dweights (B, n) and "
                               "gives dloss/dlogits (B, n)")
        weights = np.asarray(given[1])
        if weights.shape != shape:
            raise InvalidError(f"found weights of the shape {weights.shape}, expected {shape}")
        mask[...] = _mask_of(given[0], shape)
        np.ctypeslib.as_array(batch.weights, shape)[...] = weights
        batch.weighted = 1
        if batch.training:
            self._vjp[threading.get_ident()] = given[2]

    def _slopes(self, _data: object, rows: int, experts: int, dweights: Any, dlogits: Any) -> int:
        return self._guard(lambda: self._pull(rows, experts, dweights, dlogits))

    def _pull(self, rows: int, experts: int, dweights: Any, dlogits: Any) -> None:
        vjp = self._vjp[threading.get_ident()]
        slopes = np.asarray(vjp(np.ctypeslib.as_array(dweights, (rows, experts)).copy()))
        if slopes.shape != (rows, experts):
            raise InvalidError(f"vjp: found slopes of the shape {slopes.shape}, expected {(rows, experts)}")
        np.ctypeslib.as_array(dlogits, (rows, experts))[...] = slopes

    def take(self) -> Optional[BaseException]:
        """The exception of this thread's last call, once."""
        return self._raised.pop(threading.get_ident(), None)


def _mask_of(given: Any, shape: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """A mask (B, n) of truths as it is, or of the numbers (B, k) of experts."""
    chosen = np.asarray(given)
    if chosen.dtype == np.bool_:
        if chosen.shape != shape:
            raise InvalidError(f"found a mask of the shape {chosen.shape}, expected {shape}")
        return chosen.view(np.uint8)
    if chosen.dtype.kind not in "iu" or chosen.ndim != 2 or len(chosen) != shape[0]:
        raise InvalidError(f"found an array of {chosen.dtype} and the shape {chosen.shape}, expected a mask of truths "
                           f"{shape}, or the numbers of the chosen experts, ({shape[0]}, k)")
    if chosen.size > 0 and not (0 <= int(chosen.min()) and int(chosen.max()) < shape[1]):
        raise InvalidError(f"found experts from {chosen.min()} to {chosen.max()}, expected 0 to {shape[1] - 1}")
    mask = np.zeros(shape, np.uint8)
    np.put_along_axis(mask, chosen.astype(np.intp), 1, axis=1)
    return mask


def gate(rule: Callable[..., Any]) -> Gate:
    """A gate of the lab `experts` that is a function.

    rule(logits) is called once a batch with logits (B, n) of float32, its own copy, and gives
      a mask (B, n) of truths, or the numbers (B, k) of the chosen experts: their weights are the softmax over the chosen
      logits, whose gradient Sluice knows; or
      (mask, weights, vjp): weights (B, n), which count inside the mask, and vjp(dweights (B, n)) -> dlogits (B, n).
    A parameter `training` of the rule, if it has one, tells whether the batch is learned from.

    Each batch costs a call of Python and its arrays, in training and whenever the network is looked at or timed; the
    clock counts that. An exception comes out of Run.train(), and the update is not made. It cannot use Sluice itself, and
    a sweep with several runs at once calls it in several threads at once.

    >>> top2 = sluice.gate(lambda u: np.argsort(-u, axis=1, kind="stable")[:, :2])
    >>> run = sluice.Run("experts", gate=top2)
    """
    return Gate(rule)


def pointer_of(own: Optional[Gate]) -> Any:
    return ctypes.pointer(own.struct) if own is not None else None
