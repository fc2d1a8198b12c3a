"""What functions of matrices share: checks of shapes, operands in double precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.exceptions import ShapeError, warn
from supremum._functions.linear_algebra._matrices import inexact
from supremum.promotion._nodes import Node


def in_double(function: str, *xs: Any) -> tuple[Node, list[Buffer]]:
    """Return the inexact node that the arguments promote to, and their buffers in float64 or complex128."""
    node, buffers = inexact(function, *xs)
    wide = np.complex128 if node.kind == "c" else np.float64
    return node, [data.astype(wide, copy=False) for data in buffers]


def check_square(function: str, x: Buffer, name: str = "the argument") -> None:
    """Raise ShapeError unless a buffer is a square matrix or a stack of them."""
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ShapeError(f"{function}: {name} must be a square matrix or a stack of them, got shape {x.shape}")


def columns_of(function: str, a: Buffer, b: Buffer) -> tuple[Buffer, Callable[[Buffer], Buffer]]:
    """Return the right-hand sides as columns, and what takes the axis away again that was added for it."""
    vectors = b.ndim == 1
    if not vectors and a.ndim == b.ndim + 1 and a.shape[-1] == b.shape[-1]:
        message = (
            f"{function}: a stack of right-hand sides with one axis less than the matrices is taken for vectors, as in JAX, "
            "which will take it for matrices; pass b[..., None] and squeeze the last axis of the result"
        )
        warn(message, FutureWarning)
        vectors = True
    columns = b[..., None] if vectors else b
    if columns.ndim < 2 or columns.shape[-2] != a.shape[-1]:
        raise ShapeError(f"{function}: the matrices have shape {a.shape}, the right-hand sides {b.shape}")
    return columns, (lambda x: x[..., 0]) if vectors else (lambda x: x)
