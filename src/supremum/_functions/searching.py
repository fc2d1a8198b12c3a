"""Searching functions: positions of extremes, of nonzero elements and of elements in sorted arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import as_count, check_choice, describe
from supremum._core.array import Array, ArrayLike, Axis, wrap
from supremum._core.conversion import (
    Buffer,
    index_node,
    normalize_axes,
    normalize_axis,
    operand,
    operands,
    promote_operands,
    refuse_out,
)
from supremum._core.settings import state
from supremum._kernels import bounds
from supremum._kernels.casts import cast
from supremum._kernels.order import comparable, search, search_extreme
from supremum._kernels.plain import moving as plain
from supremum.promotion._nodes import NODES, Node

__all__ = [
    "argmax", "argmin", "argwhere", "count_nonzero", "flatnonzero", "nanargmax", "nanargmin", "nonzero", "searchsorted",
]  # fmt: skip

_BOOL: Final = NODES["bool"]
#: The plain calls of `argmax` and `argmin`.
_PLAIN: Final[dict[str, Any]] = {"kinds": "biuf", "keywords": ("axis",), "index": True, "errors": None}


#: What indices are filled with: one number, or one for each axis.
FillValue: TypeAlias = ArrayLike | tuple[ArrayLike, ...] | None
#: JAX's algorithms; all have the same result.
SearchMethod: TypeAlias = Literal["scan", "scan_unrolled", "sort", "compare_all", "default"]


def check_method(method: object, function: str) -> None:
    """Refuse a method of searching that JAX does not have."""
    if method != "default":
        check_choice(method, "method", get_args(SearchMethod)[:-1], function)


def truth(x: Array) -> Buffer:
    """Return the truth values of an array's elements."""
    return x._data if x._node.kind == "b" else cast(x._data, _BOOL)


# -- extremes -----------------------------------------------------------------------------------------------------------------


@public(role="position", plain=Plain(np.ndarray.argmax, **_PLAIN), fast="argmax", axis="axis", none="flat")
def argmax(a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Array:
    """Return the index of the first largest element; NaN counts as the largest.

    Parameters
    ----------
    a : array_like
        Real input array.
    axis : int, optional
        Axis to search along; the flattened array by default.
    out, keepdims

    Returns
    -------
    Array
        The indices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.argmax(xp.asarray([1, 3, 2]))
    Array(1, dtype=int32)
    """
    return _search("argmax", a, axis, out, keepdims, np.ndarray.argmax)


@public(role="position", plain=Plain(np.ndarray.argmin, **_PLAIN), fast="argmin", axis="axis", none="flat")
def argmin(a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Array:
    """Return the index of the first smallest element; NaN counts as the smallest.

    Parameters
    ----------
    a : array_like
        Real input array.
    axis : int, optional
        Axis to search along; the flattened array by default.
    out, keepdims

    Returns
    -------
    Array
        The indices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.argmin(xp.asarray([[1, 3], [2, 0]]), axis=1)
    Array([0, 1], dtype=int32)
    """
    return _search("argmin", a, axis, out, keepdims, np.ndarray.argmin)


def _search(
    function: str, a: ArrayLike, axis: int | None, out: object, keepdims: bool | None, search: Callable[..., Any]
) -> Array:
    """Search for an extreme by a method of NumPy's arrays."""
    refuse_out(out, function)
    x = operand(a, function)
    data = x._data
    position = None if axis is None else normalize_axis(axis, data.ndim, function)
    if x._node.kind == "c":
        raise TypeError(f"{function}: complex numbers have no order, got dtype {x.dtype}; use the real part or abs")
    length = data.size if position is None else data.shape[position]
    if not length:
        where = "" if axis is None else f" along axis {axis}"
        raise ValueError(f"{function}: an array of shape {x.shape} has no elements{where}")
    node = index_node(length)
    found = search_extreme(data, x._node, position, greatest=search is np.ndarray.argmax)
    if found is None:
        found = search(comparable(data, x._node), position)
    if keepdims:
        found = found.reshape([1 if position in (None, i) else n for i, n in enumerate(data.shape)])
    return wrap(np.asarray(found, node.dtype), node)


@public(role="position", axis="axis", none="flat")
def nanargmax(a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Array:
    """Return the index of the first largest element that is not NaN.

    Parameters
    ----------
    a : array_like
        Real input array.
    axis : int, optional
        Axis to search along; the flattened array by default.
    out, keepdims

    Returns
    -------
    Array
        The indices; -1 where all elements are NaN.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanargmax(xp.asarray([1, xp.nan, 2]))
    Array(2, dtype=int32)
    """
    return _search_without_nan("nanargmax", a, axis, out, keepdims, np.ndarray.argmax, -np.inf)


@public(role="position", axis="axis", none="flat")
def nanargmin(a: ArrayLike, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Array:
    """Return the index of the first smallest element that is not NaN.

    Parameters
    ----------
    a : array_like
        Real input array.
    axis : int, optional
        Axis to search along; the flattened array by default.
    out, keepdims

    Returns
    -------
    Array
        The indices; -1 where all elements are NaN.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanargmin(xp.asarray([1, xp.nan, 2]))
    Array(0, dtype=int32)
    """
    return _search_without_nan("nanargmin", a, axis, out, keepdims, np.ndarray.argmin, np.inf)


def _search_without_nan(
    function: str, a: ArrayLike, axis: int | None, out: object, keepdims: bool | None, search: Callable[..., Any], worst: float
) -> Array:
    """Search for an extreme with NaN replaced by the worst value; -1 where all elements are NaN."""
    refuse_out(out, function)
    x = operand(a, function)
    if x._node.kind != "f":
        return _search(function, x, axis, None, keepdims, search)
    data = comparable(x._data, x._node)
    if axis is None and data.size:
        # NumPy finds the first NaN where there is one.
        place = search(data)
        if data.flat[place] == data.flat[place]:
            return _search(function, x, axis, None, keepdims, search)
    missing = np.isnan(data)
    node = NODES["float64" if data.dtype.itemsize == 8 else "float32"]
    replaced = wrap(np.where(missing, data.dtype.type(worst), data), node)
    found = _search(function, replaced, axis, None, keepdims, search)
    empty = missing.all(axis=axis, keepdims=bool(keepdims))
    return wrap(np.where(empty, found.dtype.type(-1), found._data), found._node)


# -- nonzero elements ---------------------------------------------------------------------------------------------------------


@public(role="position", plain=Plain(plain.nonzero, index=True, errors=None))
def nonzero(a: ArrayLike, *, size: int | None = None, fill_value: FillValue = None) -> tuple[Array, ...]:
    """Return the indices of the elements that are not zero.

    Parameters
    ----------
    a : array_like
        Input array of at least one dimension.
    size : int, optional
        Number of indices to return: further ones are cut off, missing ones are filled.
    fill_value : number or tuple of numbers, optional
        Index to fill with, or one for each axis; 0 by default. The indices promote with a float.

    Returns
    -------
    tuple of Array
        The indices along each axis, in C order.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nonzero(xp.asarray([0, 3, 0, 4]))
    (Array([1, 3], dtype=int32),)
    """
    x = operand(a, "nonzero")
    if not x._data.ndim:
        raise ValueError("nonzero: a 0-d array has no axes to index; use atleast_1d(x) first")
    found = bounds.nonzero(x._data if x._node.native else truth(x))
    node = index_node(x._data.size)
    if size is None:
        dtype = node.dtype
        return tuple([wrap(index.astype(dtype), node) for index in found])
    length = as_count(size, "size", "nonzero")
    fills: tuple[Any, ...] = fill_value if isinstance(fill_value, tuple) else (fill_value,) * x.ndim
    if len(fills) != x.ndim or any(np.ndim(fill) for fill in fills):
        raise ValueError(f"nonzero: fill_value must be a scalar or a tuple of {x.ndim} scalars, got {describe(fill_value)}")
    return tuple([_padded(index, length, fill, node) for index, fill in zip(found, fills, strict=True)])


def _padded(index: Buffer, length: int, fill: Any, node: Node) -> Array:
    """Cut or fill indices to a length; they promote with a float to fill with, so that it may be NaN."""
    if fill is None:
        out = np.zeros(length, node.dtype)
        out[: len(index)] = index[:length]
        return wrap(out, node)
    given = operand(fill, "nonzero", 1)
    common = state().common(node, given._node) if given._node.kind in "fc" else node
    out = np.full(length, cast(given._data, common), common.dtype)
    out[: len(index)] = cast(index[:length], common)
    return wrap(out, common)


@public(role="position", plain=Plain(plain.flatnonzero, index=True, errors=None))
def flatnonzero(a: ArrayLike, *, size: int | None = None, fill_value: FillValue = None) -> Array:
    """Return the indices of the nonzero elements of the flattened array.

    Parameters
    ----------
    a
    size, fill_value
        As for `nonzero`.

    Returns
    -------
    Array
        The indices into ``ravel(a)``.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.flatnonzero(xp.asarray([[0, 3], [0, 4]]))
    Array([1, 3], dtype=int32)
    """
    x = operand(a, "flatnonzero")
    return nonzero(wrap(x._data.reshape(-1), x._node), size=size, fill_value=fill_value)[0]


@public(role="position", plain=Plain(plain.argwhere, index=True, errors=None))
def argwhere(a: ArrayLike, *, size: int | None = None, fill_value: FillValue = None) -> Array:
    """Return the indices of the elements that are not zero, one row per element.

    Parameters
    ----------
    a
    size, fill_value
        As for `nonzero`.

    Returns
    -------
    Array
        A matrix with one column for each axis of `a`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.argwhere(xp.asarray([[0, 3], [4, 0]]))
    Array([[0, 1],
           [1, 0]], dtype=int32)
    """
    x = operand(a, "argwhere")
    found = nonzero(wrap(x._data.reshape(x.shape or (1,)), x._node), size=size, fill_value=fill_value)
    node = state().common_of_all([index._node for index in found])
    rows = np.stack([cast(index._data, node) for index in found], axis=-1)
    return wrap(rows if x.ndim else rows[:, :0], node)


@public(role="position", fast="count_nonzero", axis="axis", none="all")
def count_nonzero(a: ArrayLike, axis: Axis = None, keepdims: bool = False) -> Array:
    """Count the elements that are not zero.

    Parameters
    ----------
    a
    axis : int or tuple of int, optional
        Axes to count along; all by default.
    keepdims

    Returns
    -------
    Array
        The counts.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.count_nonzero(xp.asarray([[0, 3], [4, 5]]), axis=0)
    Array([1, 2], dtype=int32)
    """
    x = operand(a, "count_nonzero")
    node = index_node(x._data.size)
    if axis is None and not keepdims:
        return wrap(np.asarray(np.count_nonzero(truth(x)), node.dtype), node)
    axes = normalize_axes(axis, x.ndim, "count_nonzero")
    counts = np.count_nonzero(truth(x), axis=axes, keepdims=bool(keepdims)) if axes else truth(x).astype(np.intp)
    return wrap(np.asarray(counts, node.dtype), node)


# -- sorted arrays ------------------------------------------------------------------------------------------------------------


@public(
    role="position",
    plain=Plain(np.ndarray.searchsorted, arrays=2, kinds="biuf", keywords=("side",), least=0, index=True, errors=None),
)
def searchsorted(
    a: ArrayLike,
    v: ArrayLike,
    side: Literal["left", "right"] = "left",
    sorter: ArrayLike | None = None,
    *,
    method: SearchMethod = "scan",
) -> Array:
    """Find the indices at which elements can be inserted in a sorted array.

    Parameters
    ----------
    a : array_like
        1-d array in ascending order.
    v : array_like
        Elements to insert.
    side : {"left", "right"}
        Whether to insert an element before or after those that equal it.
    sorter : array_like, optional
        Indices that sort `a`, if it is not sorted.
    method : {"scan", "scan_unrolled", "sort", "compare_all"}
        Ignored; accepted for compatibility with JAX.

    Returns
    -------
    Array
        The indices, one for each element of `v`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.searchsorted(xp.asarray([1, 2, 2, 3]), 2)
    Array(1, dtype=int32)
    """
    check_choice(side, "side", ("left", "right"), "searchsorted")
    check_method(method, "searchsorted")
    vector, elements = operands("searchsorted", a, v)
    if vector._data.ndim != 1:
        raise ValueError(f"searchsorted: the first argument must be 1-d, got shape {vector.shape}")
    if vector._node is elements._node and sorter is None:
        index = index_node(vector._data.size)
        found = search(vector._data, elements._data, vector._node, side)
        return wrap(np.asarray(found, index.dtype), index)
    data = vector._data
    if sorter is not None:
        data = data[operand(sorter, "searchsorted", 3)._data.copy()]  # NumPy reads indices twice
    node, (ordered, wanted) = promote_operands("searchsorted", wrap(data, vector._node), elements)
    found = search(ordered, wanted, node, side)
    index = index_node(len(ordered))
    return wrap(np.asarray(found, index.dtype), index)
