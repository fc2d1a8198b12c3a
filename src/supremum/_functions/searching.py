"""The standard's searching functions, and JAX's further ones: where elements are (`where` is in `choosing`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from supremum._base.errors import ShapeError, shown, whole
from supremum._core.arguments import Buffer, index_node, normalize_axes, normalize_axis, promoted, refuse_out
from supremum._core.array import Array, wrap
from supremum._core.boundary import publish
from supremum._core.conversion import operand, operands
from supremum._kernels.casts import cast
from supremum._kernels.order import comparable
from supremum.promotion._nodes import NODES

__all__ = [
    "argmax", "argmin", "argwhere", "count_nonzero", "flatnonzero", "nanargmax", "nanargmin", "nonzero", "searchsorted",
]  # fmt: skip

_BOOL: Final = NODES["bool"]


def check_method(method: object, function: str) -> None:
    """Refuse a method of searching that JAX has not; the answer is the same by all."""
    if method not in ("scan", "scan_unrolled", "sort", "compare_all", "default"):
        raise ValueError(f"{function}: method is 'scan', 'scan_unrolled', 'sort' or 'compare_all', got {shown(method)}")


def truth(x: Array) -> Buffer:
    """Return the buffer of an array's truth values."""
    return x._data if x._node.kind == "b" else cast(x._data, _BOOL)


# -- extremes -----------------------------------------------------------------------------------------------------------------


def argmax(a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Array:
    """Find the first greatest element; a NaN is the greatest.

    Parameters
    ----------
    a : array_like
        Real numbers.
    axis : int, optional
        The axis to search along; the flattened array is searched if left out.
    out : None
        Not supported.
    keepdims : bool
        Whether to keep the reduced axes, with length 1.

    Returns
    -------
    Array
        Indices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.argmax(xp.asarray([1, 3, 2]))
    Array(1, dtype=int32)
    """
    refuse_out(out, "argmax")
    return _extreme(a if type(a) is Array else operand(a, "argmax"), axis, keepdims, "argmax", np.ndarray.argmax)


def argmin(a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Array:
    """Find the first least element; a NaN is the least.

    Parameters
    ----------
    a : array_like
        Real numbers.
    axis : int, optional
        The axis to search along; the flattened array is searched if left out.
    out : None
        Not supported.
    keepdims : bool
        Whether to keep the reduced axes, with length 1.

    Returns
    -------
    Array
        Indices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.argmin(xp.asarray([[1, 3], [2, 0]]), axis=1)
    Array([0, 1], dtype=int32)
    """
    refuse_out(out, "argmin")
    return _extreme(a if type(a) is Array else operand(a, "argmin"), axis, keepdims, "argmin", np.ndarray.argmin)


def _extreme(x: Array, axis: Axis, keepdims: bool | None, function: str, search: Callable[..., Any]) -> Array:
    data = x._data
    position = None if axis is None else normalize_axis(axis, data.ndim, function)
    if x._node.kind == "c":
        raise TypeError(f"{function}: complex numbers have no order, got dtype {x.dtype}; use the real part or abs")
    length = data.size if position is None else data.shape[position]
    if not length:
        raise ValueError(f"{function}: there is no element to find along axis {axis} of an array of shape {x.shape}")
    node = index_node(length)
    native = data if x._node.native else comparable(data, x._node)
    found = search(native, position, keepdims=True) if keepdims else search(native, position)
    return wrap(np.asarray(found, node.dtype), node)


def nanargmax(a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Array:
    """Find the first greatest element that is not NaN.

    Parameters
    ----------
    a : array_like
        Real numbers.
    axis : int, optional
        The axis to search along; the flattened array is searched if left out.
    out : None
        Not supported.
    keepdims : bool
        Whether to keep the reduced axes, with length 1.

    Returns
    -------
    Array
        Indices; -1 where all elements are NaN.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanargmax(xp.asarray([1, xp.nan, 2]))
    Array(2, dtype=int32)
    """
    refuse_out(out, "nanargmax")
    return _nan_extreme(operand(a, "nanargmax"), axis, keepdims, "nanargmax", np.ndarray.argmax, -np.inf)


def nanargmin(a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Array:
    """Find the first least element that is not NaN.

    Parameters
    ----------
    a : array_like
        Real numbers.
    axis : int, optional
        The axis to search along; the flattened array is searched if left out.
    out : None
        Not supported.
    keepdims : bool
        Whether to keep the reduced axes, with length 1.

    Returns
    -------
    Array
        Indices; -1 where all elements are NaN.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanargmin(xp.asarray([1, xp.nan, 2]))
    Array(0, dtype=int32)
    """
    refuse_out(out, "nanargmin")
    return _nan_extreme(operand(a, "nanargmin"), axis, keepdims, "nanargmin", np.ndarray.argmin, np.inf)


def _nan_extreme(x: Array, axis: Axis, keepdims: bool | None, function: str, search: Callable[..., Any], worst: float) -> Array:
    if x._node.kind != "f":
        return _extreme(x, axis, keepdims, function, search)
    data = comparable(x._data, x._node)
    missing = np.isnan(data)
    node = NODES["float64" if data.dtype.itemsize == 8 else "float32"]
    found = _extreme(wrap(np.where(missing, data.dtype.type(worst), data), node), axis, keepdims, function, search)
    empty = missing.all(axis=axis, keepdims=bool(keepdims))
    return wrap(np.where(empty, found.dtype.type(-1), found._data), found._node)


# -- nonzero elements ---------------------------------------------------------------------------------------------------------


def nonzero(a: ArrayLike, *, size: int | None = None, fill_value: ArrayLike | None = None) -> tuple[Array, ...]:
    """Find the elements that are not zero.

    Parameters
    ----------
    a : array_like
        An array of at least one dimension.
    size : int, optional
        How many to give: those beyond are left out, and missing ones are filled.
    fill_value : int or tuple of int, optional
        The index to fill with, 0 if left out; or one for each axis.

    Returns
    -------
    tuple of Array
        Their indices: an array for each axis, in C order.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nonzero(xp.asarray([0, 3, 0, 4]))
    (Array([1, 3], dtype=int32),)
    """
    x = a if type(a) is Array else operand(a, "nonzero")
    if not x._data.ndim:
        raise ValueError("nonzero: a 0-d array has no axes to index; use atleast_1d(x) first")
    found = (x._data if x._node.native else truth(x)).nonzero()
    node = index_node(x._data.size)
    if size is None:
        dtype = node.dtype
        return tuple([wrap(index.astype(dtype), node) for index in found])
    length = whole(size, "size")
    if length < 0:
        raise ShapeError(f"nonzero: size must not be negative, got {length}")
    fills = fill_value if isinstance(fill_value, tuple) else (fill_value,) * x.ndim
    if len(fills) != x.ndim or any(np.ndim(fill) for fill in fills):
        raise ValueError(f"nonzero: fill_value is a scalar or a tuple of {x.ndim} of them, got {shown(fill_value)}")
    return tuple([_padded(index, length, fill, node) for index, fill in zip(found, fills, strict=True)])


def _padded(index: Buffer, length: int, fill: Any, node: Any) -> Array:
    out = np.zeros(length, node.dtype)
    out[: len(index)] = index[:length]
    if fill is None or len(index) >= length:
        return wrap(out, node)
    out[len(index) :] = cast(operand(fill, "nonzero", 1)._data, node)
    return wrap(out, node)


def flatnonzero(a: ArrayLike, *, size: int | None = None, fill_value: ArrayLike | None = None) -> Array:
    """Find the elements of the flattened array that are not zero.

    Parameters
    ----------
    a : array_like
        Input array.
    size, fill_value : optional
        As in `nonzero`.

    Returns
    -------
    Array
        Indices into ``ravel(a)``.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.flatnonzero(xp.asarray([[0, 3], [0, 4]]))
    Array([1, 3], dtype=int32)
    """
    x = operand(a, "flatnonzero")
    return nonzero(wrap(x._data.reshape(-1), x._node), size=size, fill_value=fill_value)[0]


def argwhere(a: ArrayLike, *, size: int | None = None, fill_value: ArrayLike | None = None) -> Array:
    """Find the elements that are not zero, one row of indices for each.

    Parameters
    ----------
    a : array_like
        Input array.
    size, fill_value : optional
        As in `nonzero`.

    Returns
    -------
    Array
        A matrix with a column for each axis of `a`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.argwhere(xp.asarray([[0, 3], [4, 0]]))
    Array([[0, 1],
           [1, 0]], dtype=int32)
    """
    x = operand(a, "argwhere")
    whole = wrap(x._data.reshape(x.shape or (1,)), x._node)
    found = nonzero(whole, size=size, fill_value=fill_value)
    rows = np.stack([index._data for index in found], axis=-1)
    return wrap(rows if x.ndim else rows[:, :0], found[0]._node)


def count_nonzero(a: ArrayLike, axis: Axis = None, keepdims: bool = False) -> Array:
    """Count the elements that are not zero.

    Parameters
    ----------
    a : array_like
        Input array.
    axis : int or tuple of int, optional
        The axes to count along; all if left out.
    keepdims : bool
        Whether those axes stay, with length 1.

    Returns
    -------
    Array
        Counts.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.count_nonzero(xp.asarray([[0, 3], [4, 5]]), axis=0)
    Array([1, 2], dtype=int32)
    """
    x = a if type(a) is Array else operand(a, "count_nonzero")
    node = index_node(x._data.size)
    if axis is None and not keepdims:
        return wrap(np.asarray(np.count_nonzero(truth(x)), node.dtype), node)
    axes = normalize_axes(axis, x.ndim, "count_nonzero")
    counts = np.count_nonzero(truth(x), axis=axes, keepdims=bool(keepdims)) if axes else truth(x).astype(np.intp)
    return wrap(np.asarray(counts, node.dtype), node)


# -- sorted arrays ------------------------------------------------------------------------------------------------------------


def searchsorted(a: ArrayLike, v: ArrayLike, side: str = "left", sorter: ArrayLike | None = None, *, method: str = "scan") -> Array:
    """Find where elements belong in a sorted array.

    Parameters
    ----------
    a : array_like
        A vector in ascending order.
    v : array_like
        Elements.
    side : {"left", "right"}
        Whether an element goes before or after those that equal it.
    sorter : array_like, optional
        Indices that sort `a`, where it is not sorted.
    method : str
        ``"scan"``, ``"scan_unrolled"``, ``"sort"`` or ``"compare_all"``; accepted for JAX's sake, the answer is the same.

    Returns
    -------
    Array
        Indices, one for each element of `v`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.searchsorted(xp.asarray([1, 2, 2, 3]), 2)
    Array(1, dtype=int32)
    """
    if side not in ("left", "right"):
        raise ValueError(f"searchsorted: side is 'left' or 'right', got {shown(side)}")
    check_method(method, "searchsorted")
    vector, elements = operands("searchsorted", a, v)
    if vector._data.ndim != 1:
        raise ValueError(f"searchsorted: the first argument is a vector, got shape {vector.shape}")
    if vector._node is elements._node and vector._node.native and sorter is None:
        index = index_node(vector._data.size)
        found = vector._data.searchsorted(elements._data, side)  # type: ignore[call-overload]  # side was checked
        return wrap(np.asarray(found, index.dtype), index)
    data = vector._data
    if sorter is not None:
        data = data[operand(sorter, "searchsorted", 3)._data]
    node, (ordered, wanted) = promoted("searchsorted", wrap(data, vector._node), elements)
    found = np.searchsorted(comparable(ordered, node), comparable(wanted, node), side=side)  # type: ignore[call-overload]  # checked
    index = index_node(len(ordered))
    return wrap(np.asarray(found, index.dtype), index)


publish(__name__)
