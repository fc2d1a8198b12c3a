"""Conversion of operands, and other steps that elementwise functions share."""

from __future__ import annotations

from typing import Any

import numpy as np

from supremum._base.buffers import Buffer as Buffer
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand
from supremum._core.operators import binary
from supremum._core.plans import Operation
from supremum._kernels import narrow
from supremum.promotion._nodes import PYTHON_SCALARS, Node


def apply_binary(operation: Operation, x: Any, y: Any) -> Array:
    """Apply a binary operation to operands that may be scalars or foreign arrays.

    A Python scalar next to an array stays one, because the plan depends on its value, and not on that of a 0-d array.
    """
    name = operation.rule.name
    if type(x) in PYTHON_SCALARS and type(y) not in PYTHON_SCALARS:
        return binary(operation, x, operand(y, name, 1))
    return binary(operation, operand(x, name, 0), y if type(y) in PYTHON_SCALARS else operand(y, name, 1))


def drop_weak_unless_scalar(result: Array, kinds: str = "biufc") -> Array:
    """Return a result that is weak only if it is 0-d, as JAX's functions do that combine operands with constant arrays."""
    node = result._node
    return wrap(result._data, node.strong) if node.weak and result._data.ndim and node.kind in kinds else result


def wide_of(node: Node) -> np.dtype[Any]:
    """Return the dtype that NumPy computes a node in: its own, or for a narrow one a wider dtype of its kind."""
    return node.dtype if node.native else narrow.wide_of(node)
