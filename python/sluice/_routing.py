# SPDX-License-Identifier: MIT
"""What recorded routing says."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence

import numpy as np
import numpy.typing as npt

from ._data import Data, as_array
from ._figure import Figure
from ._library import InvalidError
from ._run import Run


class Routing:
    """A recording of routing; made by sluice.routing(). Everything is measured beside what chance alone would give."""

    def __init__(self, data: Data, options: Optional[str]):
        self.data = data
        self.report: dict[str, Any] = data.report(options)

    @property
    def layers(self) -> list[int]:
        """The model's numbers of the layers."""
        return list(self.report["layers"])

    def layer(self, number: int) -> dict[str, Any]:
        """All numbers of one layer, as `sluice-cli trace --json` names them: load, cv, chance, coverage, cache, …"""
        return dict(self.report["layer"][str(number)])

    def _column(self, *path: str) -> npt.NDArray[np.float64]:
        values = []
        for number in self.layers:
            value: Any = self.report["layer"][str(number)]
            for word in path:
                value = value.get(word) if isinstance(value, Mapping) else None
            values.append(np.nan if value is None else float(value))
        return np.array(values)

    @property
    def cv(self) -> npt.NDArray[np.float64]:
        """Coefficient of variation of the experts' loads, of each layer."""
        return self._column("cv")

    @property
    def chance(self) -> npt.NDArray[np.float64]:
        """The CV that even routing would have by chance alone."""
        return self._column("chance", "floor")

    @property
    def dead(self) -> npt.NDArray[np.float64]:
        """Experts that no token went to."""
        return self._column("dead")

    @property
    def load(self) -> npt.NDArray[np.float64]:
        """(L, n) routings of each expert."""
        return np.array([self.report["layer"][str(number)]["load"] for number in self.layers], np.float64)

    @property
    def caches(self) -> Optional[dict[str, Any]]:
        """Shares of hits of one cache for the experts of all layers, "lru", "lfu" and "best", by its "places"; None where only
        counts were recorded."""
        return self.report.get("memory")

    def figure(self, panels: Any = None, **looks: Any) -> Figure:
        """A figure of the lab of recorded routing on it; panels as of Run.figure()."""
        run = Run("routing", self.data)
        run.train()
        return run.figure(panels, **looks)

    def _repr_svg_(self) -> str:
        return self.figure()._repr_svg_()

    def __repr__(self) -> str:
        return f"<sluice.Routing, {self.report['reading']}>"


def _named(arrays: Any) -> dict[str, Any]:
    """One array, or one a layer, by the name that its type suggests: numbers of experts, or scores of all."""
    each: Sequence[Any] = arrays if isinstance(arrays, (list, tuple)) else [arrays]
    held = [as_array(array) for array in each]
    if all(array.ndim < 2 for array in held):  # the rows of one array
        held = [as_array(arrays)]
    if any(array.dtype.kind == "b" for array in held):
        raise InvalidError("found truths, expected numbers of the chosen experts, or scores of all of them")
    whole = {array.dtype.kind in "iu" for array in held}
    if len(whole) != 1:
        raise InvalidError("found layers of whole numbers and of others, expected one kind: numbers of the chosen experts, "
                           "or scores of all of them")
    name = "topk_ids" if whole.pop() else "router_logits"
    if len(held) == 1:
        return {name: held[0]}
    return {f"{name}_{i}": array for i, array in enumerate(held)}


def routing(arrays: Any, k: Optional[int] = None, *, report: Optional[str] = None, **options: Any) -> Routing:
    """What the router of a mixture of experts did.

    arrays   router logits (T, n), or numbers of the chosen experts (T, k), with an axis of layers before or behind the
             tokens, which the numbers tell or axes= says; a list with an array a layer; or a dict of arrays by the names that
             programs give them. Of NumPy, PyTorch or JAX, in the processor's memory
    k        experts of a token, needed with logits
    report   parameters of `sluice-cli trace --set`, "window=256 cache=8"
    options  of a recording: experts=64, as_="scores", axes="tln", …

    >>> r = sluice.routing(router_logits, k=8)
    >>> r.cv, r.chance, r.dead, r.figure("by-layer")
    """
    named = dict(arrays) if isinstance(arrays, Mapping) else _named(arrays)
    if k is not None:
        options["k"] = k
    return Routing(Data(named, **options), report)
