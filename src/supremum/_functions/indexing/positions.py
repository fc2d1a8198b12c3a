"""Indices of triangles and diagonals, and conversion between flat indices and one index for each axis."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import as_count, check_callable, check_choice, describe
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike, DTypeLike, Shape, wrap
from supremum._core.conversion import Buffer, as_integers, index_node, operand
from supremum._core.dtype_objects import requested
from supremum._core.index_keys import refuse_outside
from supremum._core.settings import state
from supremum._functions.creation.filled import ones, shape_of
from supremum._functions.creation.matrices import diagonal_number
from supremum._functions.searching import nonzero
from supremum._kernels.casts import cast
from supremum._kernels.plain import moving as plain
from supremum.promotion._nodes import WEAK

__all__ = [
    "diag_indices", "diag_indices_from", "mask_indices", "ravel_multi_index", "tril_indices", "tril_indices_from",
    "triu_indices", "triu_indices_from", "unravel_index",
]  # fmt: skip


# -- triangles ----------------------------------------------------------------------------------------------------------------


@public
def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """Return the indices of the lower triangle of a matrix.

    Parameters
    ----------
    n
    k : int
        The highest diagonal of the triangle.
    m : int, optional
        The number of columns; by default as many as rows.

    Returns
    -------
    tuple of Array
        The rows and the columns of its elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.tril_indices(2)
    (Array([0, 1, 1], dtype=int32), Array([0, 0, 1], dtype=int32))
    """
    return _triangle((n, n if m is None else m), k, "tril_indices", upper=False)


@public
def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """Return the indices of the upper triangle of a matrix.

    Parameters
    ----------
    n
    k : int
        The lowest diagonal of the triangle.
    m : int, optional
        The number of columns; by default as many as rows.

    Returns
    -------
    tuple of Array
        The rows and the columns of its elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.triu_indices(2)
    (Array([0, 0, 1], dtype=int32), Array([0, 1, 1], dtype=int32))
    """
    return _triangle((n, n if m is None else m), k, "triu_indices", upper=True)


@public
def tril_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Array, Array]:
    """Return the indices of the lower triangle of a given matrix.

    Parameters
    ----------
    arr : array_like
        The matrix.
    k : int
        The highest diagonal of the triangle.

    Returns
    -------
    tuple of Array
        The rows and the columns of its elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.tril_indices_from(xp.ones((2, 2)))[0]
    Array([0, 1, 1], dtype=int32)
    """
    return _triangle(_matrix_shape(arr, "tril_indices_from"), k, "tril_indices_from", upper=False)


@public
def triu_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Array, Array]:
    """Return the indices of the upper triangle of a given matrix.

    Parameters
    ----------
    arr : array_like
        The matrix.
    k : int
        The lowest diagonal of the triangle.

    Returns
    -------
    tuple of Array
        The rows and the columns of its elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.triu_indices_from(xp.ones((2, 2)))[0]
    Array([0, 0, 1], dtype=int32)
    """
    return _triangle(_matrix_shape(arr, "triu_indices_from"), k, "triu_indices_from", upper=True)


def _triangle(shape: object, k: object, function: str, *, upper: bool) -> tuple[Array, Array]:
    """Return the indices of the elements on one side of a diagonal."""
    height, width = shape_of(shape, function)
    node, offset = index_node(height * width), diagonal_number(k, function)
    offset = min(max(offset, -height - 1), width + 1)
    # In each row the diagonal ends the lower triangle, and begins the upper one.
    edge = np.clip(np.arange(height) + (offset + (not upper)), 0, width)
    counts = width - edge if upper else edge
    ends = counts.cumsum()
    rows = np.arange(height, dtype=node.dtype).repeat(counts)
    columns = np.arange(rows.size, dtype=node.dtype)
    columns -= (ends - (width if upper else counts)).astype(node.dtype).repeat(counts)
    return wrap(rows, node), wrap(columns, node)


def _matrix_shape(arr: Any, function: str) -> tuple[int, int]:
    """Return the shape of a matrix, without reading its elements if it has a shape."""
    shape = arr.shape if hasattr(arr, "shape") else operand(arr, function).shape
    if len(shape) != 2:
        raise ValueError(f"{function}: the argument must be a matrix, got shape {tuple(shape)}")
    height, width = shape
    return height, width


@public
def mask_indices(n: int, mask_func: Callable[..., Any], k: int = 0, *, size: int | None = None) -> tuple[Array, ...]:
    """Return the indices of the elements of a square matrix that a function keeps.

    Parameters
    ----------
    n
    mask_func : callable
        A function of a matrix of ones and `k`, such as `triu`; the elements that it does not set to zero are kept.
    k : int
        Passed on to `mask_func`.
    size : int, optional
        The number of indices to return, as in `nonzero`.

    Returns
    -------
    tuple of Array
        The rows and the columns of the elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.mask_indices(2, xp.triu)
    (Array([0, 0, 1], dtype=int32), Array([0, 1, 1], dtype=int32))
    """
    check_callable(mask_func, "mask_func", "mask_indices")
    return nonzero(call_user_code(mask_func, ones((n, n)), k), size=size)


# -- diagonals ----------------------------------------------------------------------------------------------------------------


@public
def diag_indices(n: int, ndim: int = 2) -> tuple[Array, ...]:
    """Return the indices of the diagonal of an array with axes of equal length.

    Parameters
    ----------
    n : int
        The length.
    ndim : int
        The number of axes.

    Returns
    -------
    tuple of Array
        The same indices for each axis.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.diag_indices(2)
    (Array([0, 1], dtype=int32), Array([0, 1], dtype=int32))
    """
    length, axes = as_count(n, "n", "diag_indices"), as_count(ndim, "ndim", "diag_indices")
    node = index_node(length)
    return (wrap(np.arange(length, dtype=node.dtype), node),) * axes


@public
def diag_indices_from(arr: ArrayLike) -> tuple[Array, ...]:
    """Return the indices of the diagonal of a given array.

    Parameters
    ----------
    arr : array_like
        An array with at least two axes, of equal length.

    Returns
    -------
    tuple of Array
        The same indices for each axis.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.diag_indices_from(xp.ones((2, 2)))[0]
    Array([0, 1], dtype=int32)
    """
    x = operand(arr, "diag_indices_from")
    if x.ndim < 2 or len(set(x.shape)) != 1:
        raise ValueError(f"diag_indices_from: the argument must have at least 2 axes of equal length, got shape {x.shape}")
    return diag_indices(x.shape[0], x.ndim)


# -- flat indices -------------------------------------------------------------------------------------------------------------


@public(role="position", plain=Plain(plain.ravel_multi_index, arrays=0, kinds="i", errors=None))
def ravel_multi_index(
    multi_index: Sequence[ArrayLike] | Array | np.ndarray[Any, Any],
    dims: Shape,
    mode: Literal["raise", "wrap", "clip", "ignore"] = "raise",
    order: Literal["C", "F"] = "C",
    *,
    dtype: DTypeLike | None = None,
) -> Array:
    """Convert an index for each axis to flat indices.

    Parameters
    ----------
    multi_index : sequence of array_like
        Indices along each axis.
    dims : sequence of int
        The shape.
    mode : {"raise", "wrap", "clip", "ignore"}
        What to do with indices out of range: raise an error, take them modulo the length, clip them, or nothing.
    order : {"C", "F"}
        Whether the index of the last or of the first axis changes fastest.
    dtype : dtype, optional
        The dtype of the result, an integer dtype.

    Returns
    -------
    Array
        Indices into the flattened array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.ravel_multi_index((xp.asarray([1, 0]), xp.asarray([2, 1])), (2, 3))
    Array([5, 1], dtype=int32)
    """
    lengths = as_integers(dims, "dims", "ravel_multi_index")
    if not np.iterable(multi_index):
        raise TypeError(f"ravel_multi_index: multi_index must be a sequence of arrays, got {describe(multi_index)}")
    count = len(multi_index) if hasattr(multi_index, "__len__") else len(multi_index := tuple(multi_index))
    if count != len(lengths):
        raise ValueError(f"ravel_multi_index: need one index array for each of {len(lengths)} axes, got {count}")
    given = [operand(index, "ravel_multi_index", position) for position, index in enumerate(multi_index)]
    settings = state()
    joined = settings.join_all([index._node for index in given]).strong if given else settings.int_
    node = joined if dtype is None else requested(dtype, "ravel_multi_index", settings)
    if node.kind not in "iu":
        raise ValueError(f"ravel_multi_index: dtype must be an integer dtype, got {node.dtype}")
    largest = node.high
    if math.prod(lengths) - 1 > largest:
        raise ValueError(f"ravel_multi_index: {node.dtype} cannot hold the indices into shape {tuple(lengths)}; give a dtype")
    if any(index._node.kind not in "iu" for index in given):
        dtypes = ", ".join(str(index.dtype) for index in given)
        raise TypeError(f"ravel_multi_index: indices must be integers, got dtypes {dtypes}")
    check_choice(mode, "mode", ("raise", "wrap", "clip", "ignore"), "ravel_multi_index")
    check_choice(order, "order", ("C", "F"), "ravel_multi_index")
    flat: Any = np.zeros((), np.int64)
    stride = 1
    axes = list(zip(given, lengths, strict=True))
    for index, length in axes if order == "F" else reversed(axes):
        flat = flat + stride * _into_range(index._data.astype(np.int64), length, mode)
        stride *= length
    return wrap(cast(np.asarray(flat), node), node)


def _into_range(index: Buffer, length: int, mode: str) -> Buffer:
    """Bring the indices of an axis into range by the mode of `ravel_multi_index`."""
    if mode == "raise" and ((index < 0) | (index >= length)).any():
        raise ValueError(f"ravel_multi_index: an index is out of range for an axis of length {length}; see mode=")
    if mode == "wrap":
        return np.asarray(index % length)
    return np.clip(index, 0, length - 1) if mode == "clip" else index


@public(role="position", plain=Plain(plain.unravel_index, kinds="i", errors=None))
def unravel_index(indices: ArrayLike, shape: Shape) -> tuple[Array, ...]:
    """Convert flat indices to an index for each axis.

    Negative indices count from the end. Those out of range are an error or, if `config.out_of_range` is ``"clip"``, become the
    indices of the first or of the last element.

    Parameters
    ----------
    indices : array_like
        Indices into the flattened array.
    shape : int or sequence of int
        The shape.

    Returns
    -------
    tuple of Array
        Indices along each axis.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.unravel_index(xp.asarray([5, 1]), (2, 3))
    (Array([1, 0], dtype=int32), Array([2, 1], dtype=int32))
    """
    x = operand(indices, "unravel_index")
    lengths = shape_of(shape, "unravel_index")
    if x._node.kind == "c":
        raise TypeError(f"unravel_index: indices must be real, got dtype {x.dtype}")
    node = state().join(x._node, WEAK["int*"]) if x._node.kind == "b" else x._node
    rest = x._data.astype(np.float64 if x._node.kind == "f" else np.int64)
    size = math.prod(lengths)
    refuse_outside("unravel_index", x._data, np.asarray((rest < -size) | (rest >= size)), size)
    parts = []
    for length in reversed(lengths):
        rest, part = np.divmod(rest, length)
        parts.append((part, length))
    above, below = rest > 0, rest < -1
    out = []
    for part, length in reversed(parts):
        inside = np.where(above, length - 1, np.where(below, 0, part))
        out.append(wrap(cast(np.asarray(inside), node), node))
    return tuple(out)
