"""Formulas of several steps for narrow floats: computed in float32, and rounded once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from supremum._core.array import Array, wrap
from supremum._core.conversion import operand
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES, Node

__all__ = ["rounded_once"]

_FLOAT32: Final = NODES["float32"]


def rounded_once(function: Callable[..., Array]) -> Callable[..., Array]:
    """Have a formula of one array, and of others of its dtype, computed in float32 where that dtype is a narrow float."""

    @functools.wraps(function)
    def _computed(x: Any, *args: Any, **kwargs: Any) -> Array:
        if isinstance(x, np.ndarray | np.generic):
            x = operand(x, function.__name__)
        node = x._node if type(x) is Array else None
        if node is None or node.kind != "f" or node.bits > 16 or not all(_fits(y, node) for y in (*args, *kwargs.values())):
            return function(x, *args, **kwargs)
        answer = function(_wide(x, node), *[_wide(y, node) for y in args], **{k: _wide(y, node) for k, y in kwargs.items()})
        return wrap(cast(answer._data, node), node)

    return _computed


def _fits(y: Any, node: Node) -> bool:
    """Whether an argument leaves the dtype of the answer alone: a Python value, truth values, an array of the same dtype."""
    return y._node is node or y._node.kind == "b" if type(y) is Array else not isinstance(y, np.ndarray | np.generic)


def _wide(y: Any, node: Node) -> Any:
    return wrap(cast(y._data, _FLOAT32), _FLOAT32) if type(y) is Array and y._node is node else y
