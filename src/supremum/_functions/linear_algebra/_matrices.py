"""What the functions of linear algebra share: promoted operands, LAPACK without exceptions, named results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from supremum._base.exceptions import ShapeError
from supremum._core.array import Array, wrap
from supremum._core.conversion import Buffer, in_accumulator, operands
from supremum._core.dtype_objects import to_inexact
from supremum._core.reduction_rows import accumulator
from supremum._core.settings import state
from supremum._kernels import lapack
from supremum._kernels.casts import cast
from supremum.promotion._nodes import Node

#: What direct calls of LAPACK have in common.
PLAIN: Final[dict[str, Any]] = {"kinds": "fc", "least": 2, "errors": lapack.RAISES}


class EigResult(NamedTuple):
    """The result of `eig`."""

    eigenvalues: Array
    eigenvectors: Array


class EighResult(NamedTuple):
    """The result of `eigh`."""

    eigenvalues: Array
    eigenvectors: Array


class QRResult(NamedTuple):
    """The result of `qr`."""

    Q: Array
    R: Array


class SlogdetResult(NamedTuple):
    """The result of `slogdet`."""

    sign: Array
    logabsdet: Array


class SVDResult(NamedTuple):
    """The result of `svd`."""

    U: Array
    S: Array
    Vh: Array


def inexact(function: str, *xs: Any) -> tuple[Node, list[Buffer]]:
    """Return the floating node that arguments promote to, and their buffers in the dtype to compute in."""
    settings = state()
    arrays = operands(function, *xs) if [x for x in xs if type(x) is not Array] else xs
    nodes = tuple([x._node for x in arrays])
    found = settings.tables.get((inexact, nodes))
    if found is None:
        node = to_inexact(settings.join_all([settings.truncate(node) for node in nodes]))
        found = node, accumulator(node), node.wide is node and all(given is node for given in nodes)
        if settings.observer is None:
            settings.tables[inexact, nodes] = found
    node, wide, as_they_are = found
    if as_they_are:
        return node, [x._data for x in arrays]
    return node, [in_accumulator(given, x, node, wide) for given, x in zip(xs, arrays, strict=True)]


def matrices(function: str, x: Any, *, square: bool = False) -> tuple[Node, Buffer]:
    """Return the floating node and the buffer of an argument that is a matrix or a stack of them."""
    node, (data,) = inexact(function, x)
    if data.ndim < 2:
        raise ShapeError(f"{function} needs an array of at least 2 dimensions, got shape {data.shape}")
    if square and data.shape[-1] != data.shape[-2]:
        raise ShapeError(f"{function} needs square matrices, got shape {data.shape}")
    return node, data


def rounded(data: Any, node: Node) -> Array:
    """Wrap a result that was computed in a wider dtype, rounded to `node`."""
    return wrap(data if data.dtype is node.dtype else cast(np.asarray(data), node), node)


def adjoint(x: Buffer) -> Buffer:
    """Return the conjugate transposes of matrices."""
    return np.conjugate(x.mT) if x.dtype.kind == "c" else x.mT


def hermitian_part(x: Buffer) -> Buffer:
    """Return the mean of matrices and their adjoints."""
    if x.shape[-2] != x.shape[-1]:
        raise np.linalg.LinAlgError("matrices must be square")  # whose sum would be broadcast
    mean: Buffer = x + adjoint(x)
    mean /= 2
    return mean


def robust(solver: Callable[..., Any], stack: Buffer, *, finite: bool = True) -> Any:
    """Apply a function of matrices; return NaN for the matrices for which it raises LinAlgError.

    With `finite`, matrices that hold NaN or infinities are not passed on either: LAPACK prints messages about them.
    """
    return lapack.raising(_robust, solver, stack, finite=finite)


def _robust(solver: Callable[..., Any], stack: Buffer, *, finite: bool) -> Any:
    if not finite or lapack.is_finite(stack) or np.isfinite(stack).all():
        try:
            return solver(stack)
        except np.linalg.LinAlgError:
            pass
    batch = stack.shape[:-2]
    results = [_attempt(solver, stack[index], finite=finite) for index in np.ndindex(batch)]
    if not isinstance(results[0], tuple):
        return np.stack(results).reshape(batch + results[0].shape)
    return tuple(np.stack(parts).reshape(batch + parts[0].shape) for parts in zip(*results, strict=True))


def _attempt(solver: Callable[..., Any], matrix: Buffer, *, finite: bool) -> Any:
    if not finite or np.isfinite(matrix).all():
        try:
            return solver(matrix)
        except np.linalg.LinAlgError:
            pass
    sample = solver(np.eye(*matrix.shape, dtype=matrix.dtype))
    return tuple(_all_nan(part) for part in sample) if isinstance(sample, tuple) else _all_nan(sample)


def _all_nan(x: Any) -> Buffer:
    x = np.asarray(x)
    return np.full(x.shape, complex(np.nan, np.nan) if x.dtype.kind == "c" else np.nan, x.dtype)
