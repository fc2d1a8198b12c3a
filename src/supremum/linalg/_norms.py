"""Norms of vectors and matrices, and condition numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from supremum._base.boundary import publish
from supremum._base.errors import shown
from supremum._core.arguments import Buffer, normalize_axes, normalize_axis, strong
from supremum._core.array import Array
from supremum._core.dtypes import real_of
from supremum._functions.linear_algebra._matrices import inexact, matrices, robust, rounded
from supremum._functions.linear_algebra._solvers import inverse

__all__ = ["cond", "matrix_norm", "norm", "vector_norm"]


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Array:
    """Norms of vectors.

    Parameters
    ----------
    x : Array
        The array.
    axis : int or tuple of int, optional
        The axes that the vectors lie along; the whole array is one by default.
    keepdims : bool
        Whether the axes stay, with length 1.
    ord : int or float
        The order p of ``sum(abs(x) ** p) ** (1 / p)``; infinity for the largest magnitude, minus infinity for the smallest, 0
        for the number of elements that are not zero.

    Returns
    -------
    Array
        The norms, real.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.vector_norm(xp.asarray([3.0, 4.0]))
    Array(5., dtype=float32)
    """
    node, (data,) = inexact("linalg.vector_norm", x)
    axes = normalize_axes(axis, data.ndim, "linalg.vector_norm")
    if isinstance(ord, str):
        hint = f"; use float({ord!r})" if ord in ("inf", "-inf") else ""
        msg = f"linalg.vector_norm: ord must be a number, got {shown(ord)}{hint}"
        raise ValueError(msg)  # noqa: TRY004 - JAX's class
    return rounded(_vector_norm(data, axes, keepdims, ord), strong(real_of(node)))


def _vector_norm(x: Buffer, axes: tuple[int, ...], keepdims: bool, order: Any) -> Any:
    keep: dict[str, Any] = {"axis": axes, "keepdims": bool(keepdims)}
    if order is None or order == 2:
        return np.sqrt(_sum_of_squares(x, axes, keepdims))
    magnitude = np.abs(x)
    if order == np.inf:
        return magnitude.max(**keep, initial=0)
    if order == -np.inf:
        _check_elements(x, axes, "linalg.vector_norm with ord=-inf")
        return magnitude.min(**keep)
    if order == 0:
        return np.count_nonzero(x, **keep)
    if order == 1:
        return magnitude.sum(**keep)
    total = np.asarray((magnitude**order).sum(**keep))
    return total ** np.asarray(1 / order, total.dtype)


def _check_elements(x: Buffer, axes: tuple[int, ...], what: str) -> None:
    if not all(x.shape[i] for i in axes):
        msg = f"{what} needs at least one element, got shape {x.shape}"
        raise ValueError(msg)


def _sum_of_squares(x: Buffer, axes: tuple[int, ...], keepdims: bool) -> Any:
    """Sum squared magnitudes, by the BLAS where all elements lie in a row."""
    if len(axes) == x.ndim and x.flags.c_contiguous:
        flat = x.reshape(-1).view(x.real.dtype)
        total = np.dot(flat, flat)
        return np.full((1,) * x.ndim, total) if keepdims else total
    squares = np.square(x.real)
    if x.dtype.kind == "c":
        squares += np.square(x.imag)
    return squares.sum(axes, keepdims=bool(keepdims))


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
    """Norms of matrices.

    Parameters
    ----------
    x : Array
        A matrix or a stack of them.
    keepdims : bool
        Whether the two axes stay, with length 1.
    ord : {"fro", "nuc", 1, -1, 2, -2, inf, -inf}
        The root of the sum of squares; the sum of the singular values; the largest and smallest column sum of magnitudes;
        the largest and smallest singular value; the largest and smallest row sum of magnitudes.

    Returns
    -------
    Array
        The norms, real.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.matrix_norm(xp.asarray([[1.0, 2.0], [3.0, 4.0]]), ord=1)
    Array(6., dtype=float32)
    """
    node, data = matrices("linalg.matrix_norm", x)
    return rounded(_matrix_norm(data, -2, -1, keepdims, ord), strong(real_of(node)))


def _matrix_norm(x: Buffer, row: int, column: int, keepdims: Any, order: Any) -> Any:
    """Give norms of the matrices along two axes."""
    if row % x.ndim == column % x.ndim:
        msg = f"linalg.norm: the two axes must differ, got axis={(row, column)}"
        raise ValueError(msg)
    x = np.moveaxis(x, (row, column), (-2, -1))
    result = _last_two_norm(x, order)
    return np.expand_dims(result, tuple(sorted((row % x.ndim, column % x.ndim)))) if keepdims else result


def _last_two_norm(x: Buffer, order: Any) -> Any:
    sums = {1: -2, -1: -2, np.inf: -1, -np.inf: -1}
    if order is None or (isinstance(order, str) and order in ("f", "fro")):
        return np.sqrt(_sum_of_squares(x, (x.ndim - 2, x.ndim - 1), keepdims=False))
    if not isinstance(order, str) and order in sums:
        totals = np.abs(x).sum(sums[order])
        if order > 0:
            return totals.max(-1, initial=0)
        _check_elements(totals, (totals.ndim - 1,), f"linalg.norm with ord={order}")
        return totals.min(-1)
    if order not in ("nuc", 2, -2):
        msg = f"linalg.norm: ord of a matrix norm must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, got {shown(order)}"
        raise ValueError(msg)
    values = robust(np.linalg.svdvals, x)
    if order == 2:
        return values.max(-1, initial=0)
    if order == -2:
        _check_elements(values, (values.ndim - 1,), "linalg.norm with ord=-2")
        return values.min(-1)
    return values.sum(-1)


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Array:
    """Norms of vectors (one axis) or matrices (two).

    Parameters
    ----------
    x : Array
        The array.
    ord : int, float or str, optional
        The order; by default the root of the sum of squared magnitudes.
    axis : int or (int, int), optional
        Which axes the vectors or matrices lie along; all of them by default.
    keepdims : bool
        Whether the axes stay, with length 1.

    Returns
    -------
    Array
        The norms, real.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.norm(xp.asarray([[3.0, 4.0], [0.0, 5.0]]), axis=1)
    Array([5., 5.], dtype=float32)
    """
    node, (data,) = inexact("linalg.norm", x)
    if axis is None and ord is None:
        axes = tuple(range(data.ndim))
        return rounded(_vector_norm(data, axes, keepdims, None), strong(real_of(node)))
    if axis is None or isinstance(axis, tuple):
        axes = tuple([normalize_axis(i, data.ndim, "linalg.norm") for i in (range(data.ndim) if axis is None else axis)])
    else:
        axes = (normalize_axis(axis, data.ndim, "linalg.norm"),)
    if len(axes) == 1:
        if isinstance(ord, str):
            msg = f"linalg.norm: ord of a vector norm must be a number, got {shown(ord)}"
            raise ValueError(msg)
        return rounded(_vector_norm(data, axes, keepdims, ord), strong(real_of(node)))
    if len(axes) != 2:
        msg = f"linalg.norm: one axis makes vector norms and two make matrix norms, got axis={axes}"
        raise ValueError(msg)
    return rounded(_matrix_norm(data, *axes, keepdims, ord), strong(real_of(node)))


def cond(x: Any, p: Any = None) -> Array:
    """Condition numbers of matrices.

    Parameters
    ----------
    x : Array
        A matrix or a stack of them.
    p : {None, 2, -2, 1, -1, inf, -inf, "fro", "nuc"}, optional
        The norm to measure in: 2 by default.

    Returns
    -------
    Array
        The condition numbers; infinity of singular matrices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.cond(xp.asarray([[4.0, 0.0], [0.0, 2.0]]))
    Array(2., dtype=float32)
    """
    node, data = matrices("linalg.cond", x)
    if not data.shape[-1] or not data.shape[-2]:
        msg = f"linalg.cond needs matrices with elements, got shape {data.shape}"
        raise ValueError(msg)
    real = real_of(node)
    if p is None or p in (2, -2):
        values = robust(np.linalg.svdvals, data)
        first, last = values[..., 0], values[..., -1]
        if p != -2:
            return rounded(first / last, real)
        ratio = last / first
    else:
        if data.shape[-1] != data.shape[-2]:
            msg = f"linalg.cond: p={shown(p)} needs square matrices, got shape {data.shape}"
            raise ValueError(msg)
        ratio = np.asarray(_last_two_norm(data, p) * _last_two_norm(inverse(data), p))
        real = strong(real)
    singular = np.isnan(ratio) & ~np.isnan(data).any((-2, -1))
    return rounded(np.where(singular, np.inf, ratio), real)


publish(__name__)
