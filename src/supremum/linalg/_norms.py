"""Norms of vectors and matrices, and condition numbers."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import ShapeError, describe
from supremum._core.array import Array, ArrayLike, Axis, wrap
from supremum._core.conversion import Buffer, normalize_axes, normalize_axis, operand
from supremum._core.dtype_objects import to_inexact
from supremum._core.reduction_rows import accumulator
from supremum._core.settings import state
from supremum._functions._rounding import rounded_once
from supremum._functions.data_types import astype
from supremum._functions.elementwise.arithmetic import abs, pow
from supremum._functions.elementwise.comparison import maximum
from supremum._functions.elementwise.complex_parts import conj, real
from supremum._functions.elementwise.exponential import sqrt
from supremum._functions.linear_algebra._matrices import matrices, robust, rounded
from supremum._functions.linear_algebra._solvers import inverse
from supremum._functions.linear_algebra.contractions import matmul, vecdot
from supremum._functions.manipulation.axes import moveaxis
from supremum._functions.manipulation.shapes import expand_dims, reshape
from supremum._functions.statistical.reductions import max, min, sum
from supremum._kernels import lapack
from supremum.linalg._decompositions import svdvals
from supremum.promotion._nodes import as_node

__all__ = ["cond", "matrix_norm", "norm", "vector_norm"]


def _root_of_squares(x: Buffer) -> Any:
    """Return the root of the sum of squares of all elements, if the BLAS can sum them."""
    if not x.flags.c_contiguous or x.ndim > 2:
        return NotImplemented
    flat = x.reshape(-1)
    return np.sqrt(flat.dot(flat))


@public(plain=Plain(_root_of_squares, kinds="f"), axis="axis", none="all", composed=True)
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
    a = _floating("linalg.vector_norm", x)
    normalize_axes(axis, a.ndim, "linalg.vector_norm")
    _check_number("linalg.vector_norm", ord)
    return _vector_norm(a, axis, keepdims, ord)


def _floating(function: str, x: ArrayLike) -> Array:
    """Return an argument as an array of strong floating-point numbers."""
    a, current = operand(x, function), state()
    node = as_node(a.dtype)
    return astype(a, current.seen((node,), to_inexact(current.truncate(node)).strong, a.size, function).dtype, copy=False)


def _check_number(function: str, order: Any) -> None:
    if isinstance(order, str):
        hint = f"; use float({order!r})" if order in ("inf", "-inf") else ""
        msg = f"{function}: ord of a vector norm must be a number, got {describe(order)}{hint}"
        raise ValueError(msg)  # noqa: TRY004 - JAX's class


@rounded_once
def _vector_norm(x: Array, axis: Axis, keepdims: bool, order: Any) -> Array:
    if order is None or order == 2:
        if axis is None:  # the BLAS sums the squares
            flat = reshape(x, -1)
            total = real(vecdot(flat, flat)) if x.dtype.kind == "c" else matmul(flat, flat)
            return sqrt(reshape(total, (1,) * x.ndim) if keepdims else total)
        return sqrt(sum(real(x * conj(x)) if x.dtype.kind == "c" else x * x, axis, keepdims=keepdims))
    size = abs(x)
    if order == np.inf:
        return _largest(size, axis, keepdims)
    if order == -np.inf:
        _check_elements(x.shape, axis, "linalg.vector_norm with ord=-inf")
        return min(size, axis, keepdims=keepdims)
    if order == 0:
        return sum(astype(x != 0, size.dtype), axis, keepdims=keepdims)
    if order == 1:
        return sum(size, axis, keepdims=keepdims)
    return pow(sum(pow(size, order), axis, keepdims=keepdims), 1 / order)


def _largest(x: Array, axis: Axis, keepdims: bool = False) -> Array:
    """Return the largest of magnitudes; 0 of none, which takes part in ties as in JAX."""
    return maximum(max(x, axis, keepdims=keepdims), 0) if x.size else max(x, axis, keepdims=keepdims, initial=0)


def _check_elements(shape: tuple[int, ...], axis: Axis, what: str) -> None:
    if not all(shape[i] for i in normalize_axes(axis, len(shape), "linalg.norm")):
        raise ValueError(f"{what} needs at least one element, got shape {shape}")


@public(plain=Plain(_root_of_squares, kinds="f", least=2), last=2, composed=True)
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
    a = _floating("linalg.matrix_norm", x)
    if a.ndim < 2:
        raise ShapeError(f"linalg.matrix_norm needs an array of at least 2 dimensions, got shape {a.shape}")
    found = _matrix_norm(a, ord)
    return expand_dims(found, (-2, -1)) if keepdims else found


@rounded_once
def _matrix_norm(x: Array, order: Any) -> Array:
    if order is None or (isinstance(order, str) and order in ("f", "fro")):
        return _vector_norm(x, None if x.ndim == 2 else (-2, -1), False, 2)
    if not isinstance(order, str) and order in (1, -1, np.inf, -np.inf):
        totals = sum(abs(x), -2 if order in (1, -1) else -1)
        if order > 0:
            return _largest(totals, -1)
        _check_elements(totals.shape, -1, f"linalg.norm with ord={order}")
        return min(totals, -1)
    if order not in ("nuc", 2, -2):
        msg = f"linalg.norm: ord of a matrix norm must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, got {describe(order)}"
        raise ValueError(msg)
    values = svdvals(x)
    if order == 2:
        return _largest(values, -1)
    if order == -2:
        _check_elements(values.shape, -1, "linalg.norm with ord=-2")
        return min(values, -1)
    return sum(values, -1)


@public(plain=Plain(_root_of_squares, kinds="f"), composed=True)
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
    a = _floating("linalg.norm", x)
    if axis is None is ord:
        return _vector_norm(a, None, keepdims, 2)
    given = range(a.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = tuple([normalize_axis(i, a.ndim, "linalg.norm") for i in given])
    if len(axes) == 1:
        _check_number("linalg.norm", ord)
        return _vector_norm(a, axes, keepdims, ord)
    if len(axes) != 2:
        raise ValueError(f"linalg.norm: one axis is needed for vector norms, two for matrix norms, got axis={axes}")
    if axes[0] == axes[1]:
        raise ValueError(f"linalg.norm: the two axes must differ, got axis={axes}")
    found = _matrix_norm(moveaxis(a, axes, (-2, -1)), ord)
    return expand_dims(found, axes) if keepdims else found


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
    result = node.real
    if p is None or p in (2, -2):
        values = robust(lapack.svdvals, data)
        first, last = values[..., 0], values[..., -1]
        if p != -2:
            return rounded(first / last, result)
        ratio = last / first
    else:
        if data.shape[-1] != data.shape[-2]:
            raise ValueError(f"linalg.cond: p={describe(p)} needs square matrices, got shape {data.shape}")
        wide = accumulator(node).strong
        ratio = np.multiply(*[_matrix_norm(wrap(one, wide), p)._data for one in (data, inverse(data))])
        result = result.strong
    singular = np.isnan(ratio) & ~np.isnan(data).any((-2, -1))
    return rounded(np.where(singular, np.inf, ratio), result)
