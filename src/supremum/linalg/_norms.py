"""Norms of vectors and matrices, and condition numbers."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import describe
from supremum._base.functions import Plain
from supremum._core.argument_types import ArrayLike, Axis
from supremum._core.arguments import Buffer, normalize_axes, normalize_axis
from supremum._core.array import Array
from supremum._functions.linear_algebra._matrices import inexact, matrices, robust, rounded
from supremum._functions.linear_algebra._solvers import inverse
from supremum._kernels import lapack

__all__ = ["cond", "matrix_norm", "norm", "vector_norm"]


def _root_of_squares(x: Buffer) -> Any:
    """Return the root of the sum of squares of all elements, if the BLAS can sum them."""
    if not x.flags.c_contiguous or x.ndim > 2:
        return NotImplemented
    flat = x.reshape(-1)
    return np.sqrt(flat.dot(flat))


def _vector_norm_parts(xp: Any, x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    if ord is None or ord == 2:
        squares = xp.real(x * xp.conj(x)) if xp.iscomplexobj(x) else x * x
        return xp.sqrt(xp.sum(squares, axis, keepdims=keepdims))
    size = xp.abs(x)
    if ord == xp.inf:
        return xp.max(size, axis, keepdims=keepdims, initial=0)
    if ord == -xp.inf:
        return xp.min(size, axis, keepdims=keepdims)
    if ord == 0:
        return xp.sum(xp.astype(x != 0, size.dtype), axis, keepdims=keepdims)
    if ord == 1:
        return xp.sum(size, axis, keepdims=keepdims)
    return xp.pow(xp.sum(xp.pow(size, ord), axis, keepdims=keepdims), 1 / ord)


@public(plain=Plain(_root_of_squares, kinds="f"), axis="axis", none="all", parts=_vector_norm_parts)
def vector_norm(x: ArrayLike, /, *, axis: Axis = None, keepdims: bool = False, ord: float | None = 2) -> Array:
    """Compute the norms of vectors.

    Parameters
    ----------
    x : array_like
        The array.
    axis : int or tuple of int, optional
        The axes that the vectors lie along; by default, the whole array is one vector.
    keepdims : bool
        Whether the axes are kept with length 1.
    ord : int or float
        The order p of ``sum(abs(x) ** p) ** (1 / p)``; infinity for the largest magnitude, minus infinity for the smallest, 0
        for the number of nonzero elements.

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
    _check_number("linalg.vector_norm", ord)
    return rounded(_vector_norm(data, axes, keepdims, ord), node.real.strong)


def _check_number(function: str, order: Any) -> None:
    if isinstance(order, str):
        hint = f"; use float({order!r})" if order in ("inf", "-inf") else ""
        msg = f"{function}: ord of a vector norm must be a number, got {describe(order)}{hint}"
        raise ValueError(msg)  # noqa: TRY004 - JAX's class


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
    magnitude **= order
    total = np.asarray(magnitude.sum(**keep))
    return total ** np.asarray(1 / order, total.dtype)


def _check_elements(x: Buffer, axes: tuple[int, ...], what: str) -> None:
    if not all(x.shape[i] for i in axes):
        raise ValueError(f"{what} needs at least one element, got shape {x.shape}")


def _sum_of_squares(x: Buffer, axes: tuple[int, ...], keepdims: bool) -> Any:
    """Sum squared magnitudes, by the BLAS if the whole of a contiguous buffer is summed."""
    if len(axes) == x.ndim and x.flags.c_contiguous:
        flat = x.reshape(-1).view(x.real.dtype)
        total = np.dot(flat, flat)
        return np.full((1,) * x.ndim, total) if keepdims else total
    squares = np.square(x.real)
    if x.dtype.kind == "c":
        squares += np.square(x.imag)
    return squares.sum(axes, keepdims=bool(keepdims))


def _matrix_norm_parts(xp: Any, x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    if ord is None or ord == "fro":
        return xp.linalg.vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    if ord in (1, -1, xp.inf, -xp.inf):
        sums = xp.sum(xp.abs(x), -2 if abs(ord) == 1 else -1, keepdims=keepdims)
        along = -2 if keepdims and abs(ord) != 1 else -1
        return (xp.max if ord > 0 else xp.min)(sums, along, keepdims=keepdims)
    values = xp.linalg.svdvals(x)
    found = xp.sum(values, -1) if ord == "nuc" else values[..., 0] if ord == 2 else values[..., -1]
    return xp.expand_dims(found, (-2, -1)) if keepdims else found


@public(plain=Plain(_root_of_squares, kinds="f", least=2), last=2, parts=_matrix_norm_parts)
def matrix_norm(x: ArrayLike, /, *, keepdims: bool = False, ord: float | Literal["fro", "nuc"] | None = "fro") -> Array:
    """Compute the norms of matrices.

    Parameters
    ----------
    x
    keepdims : bool
        Whether the two axes are kept with length 1.
    ord : {"fro", "nuc", 1, -1, 2, -2, inf, -inf}
        ``"fro"``: the root of the sum of squares; ``"nuc"``: the sum of the singular values; 1 and -1: the largest and the
        smallest column sum of magnitudes; 2 and -2: the largest and the smallest singular value; inf and -inf: the largest
        and the smallest row sum of magnitudes.

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
    return rounded(_matrix_norm(data, -2, -1, keepdims, ord), node.real.strong)


def _matrix_norm(x: Buffer, row: int, column: int, keepdims: Any, order: Any) -> Any:
    """Return the norms of the matrices along two axes."""
    if row % x.ndim == column % x.ndim:
        raise ValueError(f"linalg.norm: the two axes must differ, got axis={(row, column)}")
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
        msg = f"linalg.norm: ord of a matrix norm must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, got {describe(order)}"
        raise ValueError(msg)
    values = robust(lapack.svdvals, x)
    if order == 2:
        return values.max(-1, initial=0)
    if order == -2:
        _check_elements(values, (values.ndim - 1,), "linalg.norm with ord=-2")
        return values.min(-1)
    return values.sum(-1)


def _norm_parts(xp: Any, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    if axis is None and ord is None:
        return xp.linalg.vector_norm(x, keepdims=keepdims)
    axes = tuple(range(x.ndim)) if axis is None else tuple(axis) if isinstance(axis, list | tuple) else (axis,)
    if len(axes) == 1:
        return xp.linalg.vector_norm(x, axis=axes[0], keepdims=keepdims, ord=2 if ord is None else ord)
    found = xp.linalg.matrix_norm(xp.moveaxis(x, axes, (-2, -1)), keepdims=keepdims, ord="fro" if ord is None else ord)
    return xp.moveaxis(found, (-2, -1), axes) if keepdims else found


@public(plain=Plain(_root_of_squares, kinds="f"), parts=_norm_parts)
def norm(
    x: ArrayLike,
    ord: float | Literal["fro", "nuc"] | None = None,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
) -> Array:
    """Compute the norms of vectors (one axis) or matrices (two axes).

    Parameters
    ----------
    x : array_like
        The array.
    ord : int, float or str, optional
        The order; by default the root of the sum of squared magnitudes.
    axis : int or (int, int), optional
        The axes that the vectors or matrices lie along; all of them by default.
    keepdims : bool
        Whether the axes are kept with length 1.

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
    real = node.real.strong
    if axis is None:
        axes = tuple(range(data.ndim))
        if ord is None:
            return rounded(_vector_norm(data, axes, keepdims, None), real)
    else:
        given = axis if isinstance(axis, tuple) else (axis,)
        axes = tuple([normalize_axis(i, data.ndim, "linalg.norm") for i in given])
    if len(axes) == 1:
        _check_number("linalg.norm", ord)
        return rounded(_vector_norm(data, axes, keepdims, ord), real)
    if len(axes) != 2:
        raise ValueError(f"linalg.norm: one axis is needed for vector norms, two for matrix norms, got axis={axes}")
    return rounded(_matrix_norm(data, *axes, keepdims, ord), real)


@public(last=2)
def cond(x: ArrayLike, p: float | Literal["fro", "nuc"] | None = None) -> Array:
    """Compute the condition numbers of matrices.

    Parameters
    ----------
    x
    p : {None, 2, -2, 1, -1, inf, -inf, "fro", "nuc"}, optional
        The order of the norm; 2 by default.

    Returns
    -------
    Array
        The condition numbers; infinity for singular matrices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.cond(xp.asarray([[4.0, 0.0], [0.0, 2.0]]))
    Array(2., dtype=float32)
    """
    node, data = matrices("linalg.cond", x)
    if not data.shape[-1] or not data.shape[-2]:
        raise ValueError(f"linalg.cond needs matrices with elements, got shape {data.shape}")
    real = node.real
    if p is None or p in (2, -2):
        values = robust(lapack.svdvals, data)
        first, last = values[..., 0], values[..., -1]
        if p != -2:
            return rounded(first / last, real)
        ratio = last / first
    else:
        if data.shape[-1] != data.shape[-2]:
            raise ValueError(f"linalg.cond: p={describe(p)} needs square matrices, got shape {data.shape}")
        ratio = np.asarray(_last_two_norm(data, p) * _last_two_norm(inverse(data), p))
        real = real.strong
    singular = np.isnan(ratio) & ~np.isnan(data).any((-2, -1))
    return rounded(np.where(singular, np.inf, ratio), real)
