"""What functions of matrices share: double precision, stacks, rounding."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.errors import ShapeError, stack_level
from supremum._core.array import Array
from supremum._functions.linear_algebra._matrices import inexact, rounded
from supremum.promotion._nodes import Node

__all__ = ["check_square", "columns_of", "in_double", "over_stack", "rounded", "rounded_all"]


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
        warnings.warn(message, FutureWarning, stacklevel=stack_level())
        vectors = True
    columns = b[..., None] if vectors else b
    if columns.ndim < 2 or columns.shape[-2] != a.shape[-1]:
        raise ShapeError(f"{function}: the matrices have shape {a.shape}, the right-hand sides {b.shape}")
    return columns, (lambda x: x[..., 0]) if vectors else (lambda x: x)


def over_stack(function: Callable[..., tuple[Buffer, ...]], *stacks: Buffer) -> tuple[Buffer, ...]:
    """Apply a function of matrices, which returns a tuple, to each matrix of stacks that broadcast."""
    batch = np.broadcast_shapes(*[x.shape[:-2] for x in stacks])
    given = [np.broadcast_to(x, (*batch, *x.shape[-2:])) for x in stacks]
    results = [function(*[x[index] for x in given]) for index in np.ndindex(batch)]
    if not results:  # an empty stack has the shapes and dtypes of the results for a stack of one
        sample = function(*[np.zeros(x.shape[-2:], x.dtype) for x in given])
        return tuple([np.zeros((*batch, *part.shape), part.dtype) for part in sample])
    return tuple([np.stack(parts).reshape(*batch, *parts[0].shape) for parts in zip(*results, strict=True)])


def rounded_all(parts: tuple[Buffer, ...], *nodes: Node) -> tuple[Array, ...]:
    """Return results as Arrays of nodes."""
    return tuple([rounded(part, node) for part, node in zip(parts, nodes, strict=True)])
