"""What the functions of linear algebra share: operands in floating point, LAPACK without exceptions, named results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from supremum._base.errors import ShapeError
from supremum._core.arguments import Buffer, in_accumulator
from supremum._core.array import Array, wrap
from supremum._core.conversion import operands
from supremum._core.dtypes import to_inexact
from supremum._core.reductions import accumulator
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum.promotion._nodes import Node

__all__ = [
    "EigResult",
    "EighResult",
    "QRResult",
    "SVDResult",
    "SlogdetResult",
    "adjoint",
    "hermitian_part",
    "inexact",
    "matrices",
    "meeting",
    "robust",
    "rounded",
]


class EigResult(NamedTuple):
    """What `eig` returns."""

    eigenvalues: Array
    eigenvectors: Array


class EighResult(NamedTuple):
    """What `eigh` returns."""

    eigenvalues: Array
    eigenvectors: Array


class QRResult(NamedTuple):
    """What `qr` returns."""

    Q: Array
    R: Array


class SlogdetResult(NamedTuple):
    """What `slogdet` returns."""

    sign: Array
    logabsdet: Array


class SVDResult(NamedTuple):
    """What `svd` returns."""

    U: Array
    S: Array
    Vh: Array


def meeting(function: str, *xs: Any) -> tuple[Node, list[Buffer]]:
    """Give the node that arguments meet at, and their buffers in the dtype to compute in (narrow floats: float32)."""
    here = state()
    arrays = operands(function, *xs)
    node = here.join_all([here.truncate(x._node) for x in arrays])
    wide = accumulator(node)
    return node, [in_accumulator(given, x, node, wide) for given, x in zip(xs, arrays, strict=True)]


def inexact(function: str, *xs: Any) -> tuple[Node, list[Buffer]]:
    """Give the floating node that arguments meet at, and their buffers in the dtype to compute in (narrow floats: float32)."""
    here = state()
    arrays = operands(function, *xs)
    node = to_inexact(here.join_all([here.truncate(x._node) for x in arrays]))
    wide = accumulator(node)
    return node, [in_accumulator(given, x, node, wide) for given, x in zip(xs, arrays, strict=True)]


def matrices(function: str, x: Any, *, square: bool = False) -> tuple[Node, Buffer]:
    """Give the floating node and the buffer of an argument that is a matrix or a stack of them."""
    node, (data,) = inexact(function, x)
    if data.ndim < 2:
        raise ShapeError(f"{function} needs an array of at least 2 dimensions, got shape {data.shape}")
    if square and data.shape[-1] != data.shape[-2]:
        raise ShapeError(f"{function} needs square matrices, got shape {data.shape}")
    return node, data


def rounded(data: Any, node: Node) -> Array:
    """Wrap what was computed in the wide dtype, rounded to `node`."""
    return wrap(cast(np.asarray(data), node), node)


def adjoint(x: Buffer) -> Buffer:
    """Give the conjugate transposes of matrices."""
    return np.conjugate(x.mT) if x.dtype.kind == "c" else x.mT


def hermitian_part(x: Buffer) -> Buffer:
    """Give the mean of matrices and their adjoints."""
    mean: Buffer = (x + adjoint(x)) / 2
    return mean


def robust(solver: Callable[..., Any], stack: Buffer, *, finite: bool = True) -> Any:
    """Apply a function of matrices; NaN is the answer for those that it fails for with LinAlgError.

    Where they have to be `finite`, so it is for all others: LAPACK would complain about them on the terminal.
    """
    if not finite or np.isfinite(stack).all():
        try:
            return solver(stack)
        except np.linalg.LinAlgError:
            pass
    batch = stack.shape[:-2]
    answers = [_attempt(solver, stack[index], finite=finite) for index in np.ndindex(batch)]
    if not isinstance(answers[0], tuple):
        return np.stack(answers).reshape(batch + answers[0].shape)
    return tuple(np.stack(parts).reshape(batch + parts[0].shape) for parts in zip(*answers, strict=True))


def _attempt(solver: Callable[..., Any], one: Buffer, *, finite: bool) -> Any:
    if not finite or np.isfinite(one).all():
        try:
            return solver(one)
        except np.linalg.LinAlgError:
            pass
    blank = solver(np.eye(*one.shape, dtype=one.dtype))
    return tuple(_all_nan(part) for part in blank) if isinstance(blank, tuple) else _all_nan(blank)


def _all_nan(x: Any) -> Buffer:
    x = np.asarray(x)
    return np.full(x.shape, complex(np.nan, np.nan) if x.dtype.kind == "c" else np.nan, x.dtype)
