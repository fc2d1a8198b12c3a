"""Formulas of several steps for narrow floats: computed in float32 and rounded once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast as typing_cast

import numpy as np

from supremum._core.array import Array, wrap
from supremum._core.conversion import operand
from supremum._functions.data_types import astype
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES, Node

__all__ = ["rounded_once"]

_FLOAT32: Final = NODES["float32"]
F = TypeVar("F", bound=Callable[..., Array])


def rounded_once(function: F) -> F:
    """Compute a formula of one array, and of others of its dtype, in float32 if that dtype is a narrow float."""

    @functools.wraps(function)
    def _computed(x: Any, *args: Any, **kwargs: Any) -> Array:
        if isinstance(x, np.ndarray | np.generic):
            x = operand(x, function.__name__)
        node = x._node if type(x) is Array else None
        if (
            node is None
            or node.kind != "f"
            or node.bits > 16
            or not all(_keeps_dtype(y, node) for y in (*args, *kwargs.values()))
        ):
            return function(x, *args, **kwargs)
        result = function(_wide(x, node), *[_wide(y, node) for y in args], **{k: _wide(y, node) for k, y in kwargs.items()})
        return astype(result, node.dtype) if not node.weak else wrap(cast(result._data, node), node)

    return typing_cast("F", _computed)


def _keeps_dtype(y: Any, node: Node) -> bool:
    """Whether an argument does not change the dtype of the result: a Python value, a bool array, an array of `node`."""
    return y._node is node or y._node.kind == "b" if type(y) is Array else not isinstance(y, np.ndarray | np.generic)


def _wide(y: Any, node: Node) -> Any:
    return astype(y, _FLOAT32.dtype) if type(y) is Array and y._node is node else y
