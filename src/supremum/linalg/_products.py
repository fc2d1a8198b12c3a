"""Products and diagonals of matrices, under the names of the standard's extension."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import ShapeError
from supremum._core.array import Array, ArrayLike, DTypeLike, wrap
from supremum._core.conversion import Buffer, diagonal_offset, normalize_axis, operand, operands
from supremum._core.plans import MATMUL
from supremum._functions._rounding import rounded_once
from supremum._functions.data_types import astype, result_type
from supremum._functions.linear_algebra.contractions import check_precision, matmul as _matmul, tensordot as _tensordot, vecdot
from supremum._functions.linear_algebra.products import cross as _cross, outer as _outer, trace as _trace
from supremum._functions.manipulation.axes import matrix_transpose
from supremum._kernels.plain import moving, numeric as plain

__all__ = ["cross", "diagonal", "matmul", "matrix_transpose", "multi_dot", "outer", "tensordot", "trace", "vecdot"]


def _plain_chain(factors: list[Buffer]) -> Any:
    """Multiply two or three matrices, or a few more."""
    if len(factors) < 2 or any(x.ndim != 2 for x in factors):
        return NotImplemented
    splits = _cached_splits((*[len(x) for x in factors], factors[-1].shape[1]))
    return _chain(factors, splits, 0, len(factors) - 1)


@lru_cache(maxsize=64)
def _cached_splits(lengths: tuple[int, ...]) -> dict[tuple[int, int], int]:
    return _splits(list(lengths))


def _chain(
    factors: Sequence[Any], split: dict[tuple[int, int], int], first: int, last: int, multiply: Callable[..., Any] = np.matmul
) -> Any:
    if first == last:
        return factors[first]
    k = split[first, last]
    return multiply(_chain(factors, split, first, k, multiply), _chain(factors, split, k + 1, last, multiply))


@public(role="product", composed=True, fast="matmul", operation=MATMUL, linear="x1 x2", sums=True)
def matmul(
    x1: ArrayLike, x2: ArrayLike, /, *, precision: object = None, preferred_element_type: DTypeLike | None = None
) -> Array:
    """Multiply matrices; see `supremum.matmul`.

    Parameters
    ----------
    x1, x2 : array_like
        Arrays of one dimension or more.
    precision : object, optional
        Accepted for compatibility with JAX, and without effect.
    preferred_element_type : dtype, optional
        The dtype to accumulate in and to return.

    Returns
    -------
    Array
        The product.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.matmul(xp.ones((2, 3)), xp.ones(3))
    Array([3., 3.], dtype=float32)
    """
    return _matmul(x1, x2, precision=precision, preferred_element_type=preferred_element_type)


@public(
    role="product",
    composed=True,
    plain=Plain(plain.tensordot, arrays=2, kinds="f", keywords=("axes",), positional=2),
    linear="x1 x2",
    sums=True,
)
def tensordot(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    *,
    axes: int | Sequence[int | Sequence[int]] = 2,
    precision: object = None,
    preferred_element_type: DTypeLike | None = None,
    out_sharding: object = None,
) -> Array:
    """Sum products over paired axes; see `supremum.tensordot`.

    Parameters
    ----------
    x1, x2 : array_like
        The arrays.
    axes : int or (sequence of int, sequence of int)
        The number of last axes of `x1` to pair with the first axes of `x2`, or the paired axes of each.
    precision, out_sharding : object, optional
        Accepted for compatibility with JAX, and without effect.
    preferred_element_type : dtype, optional
        The dtype to accumulate in and to return.

    Returns
    -------
    Array
        The contraction.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.tensordot(xp.ones((2, 3)), xp.ones((3, 4)), axes=1).shape
    (2, 4)
    """
    return _tensordot(
        x1, x2, axes, precision=precision, preferred_element_type=preferred_element_type, out_sharding=out_sharding
    )


@public(role="product", plain=Plain(_plain_chain, arrays=0, kinds="f", least=2), sums=True, composed=True)
def multi_dot(arrays: Sequence[ArrayLike], *, precision: object = None) -> Array:
    """Multiply several matrices in the order that takes the fewest multiplications.

    Parameters
    ----------
    arrays : sequence of array_like
        Two matrices or more; the first and the last may be vectors.
    precision : object, optional
        Accepted for compatibility with JAX, and without effect.

    Returns
    -------
    Array
        The product.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.multi_dot([xp.ones((2, 3)), xp.ones((3, 4)), xp.ones(4)])
    Array([12., 12.], dtype=float32)
    """
    check_precision("linalg.multi_dot", precision)
    factors = operands("linalg.multi_dot", *arrays)
    shapes = [x.shape for x in factors]
    if len(factors) < 2:
        raise ValueError(f"linalg.multi_dot needs at least 2 arrays, got {len(factors)}")
    ends_fit = factors[0].ndim in (1, 2) and factors[-1].ndim in (1, 2)
    if not ends_fit or any(x.ndim != 2 for x in factors[1:-1]):
        raise ShapeError(f"linalg.multi_dot needs matrices (the first and the last may be vectors), got shapes {shapes}")
    if any(x.shape[-1] != y.shape[0] for x, y in itertools.pairwise(factors)):
        raise ShapeError(f"linalg.multi_dot: the shapes {shapes} do not match")
    dtype = result_type(*factors)
    lengths = [1 if factors[0].ndim == 1 else shapes[0][0], *[shape[0] for shape in shapes[1:]]]
    lengths.append(shapes[-1][1] if factors[-1].ndim == 2 else 1)
    return _chained(*[x if x.dtype == dtype else astype(x, dtype) for x in factors], splits=_splits(lengths))


@rounded_once
def _chained(*factors: Array, splits: dict[tuple[int, int], int]) -> Array:
    return _chain(factors, splits, 0, len(factors) - 1, _matmul)


def _splits(lengths: list[int]) -> dict[tuple[int, int], int]:
    """Return for each run of factors the position to split it at for the fewest multiplications."""
    count = len(lengths) - 1
    cost = {(i, i): 0 for i in range(count)}
    split = {}
    for span in range(1, count):
        for first in range(count - span):
            last = first + span
            size = lengths[first] * lengths[last + 1]
            costs = [cost[first, k] + cost[k + 1, last] + size * lengths[k + 1] for k in range(first, last)]
            cost[first, last] = min(costs)
            split[first, last] = first + costs.index(cost[first, last])
    return split


@public(role="product", composed=True, plain=Plain(plain.cross, arrays=2, kinds="f"), linear="x1 x2")
def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Array:
    """Compute the cross products of vectors with three elements.

    Parameters
    ----------
    x1, x2 : array_like
        Arrays with three elements along the axis; their other axes broadcast.
    axis : int
        The axis that the vectors lie along, in each of the two arrays.

    Returns
    -------
    Array
        The cross products.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.cross(xp.asarray([1, 0, 0]), xp.asarray([0, 1, 0]))
    Array([0, 0, 1], dtype=int32)
    """
    a, b = operands("linalg.cross", x1, x2)
    for x in (a, b):
        if x.shape[normalize_axis(axis, x.ndim, "linalg.cross")] != 3:
            raise ShapeError(f"linalg.cross needs 3 elements along axis {axis}, got shapes {a.shape} and {b.shape}")
    return _cross(a, b, axis=axis)


@public(role="product", composed=True, linear="x1 x2")
def outer(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Compute the outer product of two vectors.

    Parameters
    ----------
    x1, x2 : array_like
        1-d arrays.

    Returns
    -------
    Array
        The products of each element of `x1` with each element of `x2`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.outer(xp.asarray([1, 2]), xp.asarray([3, 4]))
    Array([[3, 4],
           [6, 8]], dtype=int32)
    """
    a, b = operands("linalg.outer", x1, x2)
    if a.ndim != 1 or b.ndim != 1:
        raise ShapeError(f"linalg.outer needs 1-d arrays, got shapes {a.shape} and {b.shape}")
    return _outer(a, b)


@public(role="element", plain=Plain(moving.diagonal_of_last, least=2, errors=None), last=2, moving=True)
def diagonal(x: ArrayLike, /, *, offset: int = 0) -> Array:
    """Return the diagonals of matrices.

    Parameters
    ----------
    x
    offset : int
        The number of the diagonal: 0 is the main one, positive ones lie above it, negative ones below.

    Returns
    -------
    Array
        The diagonals.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.diagonal(xp.asarray([[1, 2], [3, 4]]))
    Array([1, 4], dtype=int32)
    """
    a = operand(x, "linalg.diagonal")
    if a.ndim < 2:
        raise ShapeError(f"linalg.diagonal needs an array of at least 2 dimensions, got shape {a.shape}")
    return wrap(np.diagonal(a._data, diagonal_offset(offset, "linalg.diagonal", "offset"), -2, -1).copy(), a._node.strong)


@public(role="total", last=2, linear="x", sums=True, composed=True)
def trace(x: ArrayLike, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Array:
    """Sum along the diagonals of matrices.

    Parameters
    ----------
    x
    offset : int
        The number of the diagonal: 0 is the main one, positive ones lie above it, negative ones below.
    dtype : dtype, optional
        The result's dtype, to which elements are cast first.

    Returns
    -------
    Array
        The traces.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.trace(xp.asarray([[1, 2], [3, 4]], dtype="int8"))
    Array(5, dtype=int32)
    """
    return _trace(x, offset, -2, -1, dtype)
