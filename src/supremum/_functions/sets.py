"""The standard's set functions, and JAX's further ones."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, overload

import numpy as np

from supremum._base.errors import whole
from supremum._core.arguments import Buffer, in_dtype, index_node, normalize_axis, promoted, strong
from supremum._core.array import Array, wrap
from supremum._core.boundary import publish
from supremum._core.conversion import operand, operands
from supremum._kernels import distinct as k
from supremum._kernels.casts import cast
from supremum._kernels.order import comparable
from supremum.promotion._nodes import NODES, Node

__all__ = [
    "intersect1d", "isin", "setdiff1d", "setxor1d", "union1d", "unique", "unique_all", "unique_counts", "unique_inverse",
    "unique_values",
]  # fmt: skip

_BOOL = NODES["bool"]


class UniqueAll(NamedTuple):
    """What `unique_all` gives."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCounts(NamedTuple):
    """What `unique_counts` gives."""

    values: Array
    counts: Array


class UniqueInverse(NamedTuple):
    """What `unique_inverse` gives."""

    values: Array
    inverse_indices: Array


def unique_all(x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None) -> UniqueAll:
    """Return the distinct elements in ascending order, where each first is, where each element went, and how often it is there.

    Parameters
    ----------
    x : array_like
        The array, which is flattened; each NaN is distinct.
    size : int, optional
        How many distinct elements to give: those beyond are left out, missing ones are filled.
    fill_value : scalar, optional
        What to fill with; the least element if left out.

    Returns
    -------
    values, indices, inverse_indices, counts : array_like
        ``values[inverse_indices]`` is `x`, ``x.ravel()[indices]`` is `values`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.unique_all(xp.asarray([2, 1, 2])).counts
    Array([1, 2], dtype=int32)
    """
    found = unique(x, True, True, True, equal_nan=False, size=size, fill_value=fill_value)
    return UniqueAll(*found)


def unique_counts(x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None) -> UniqueCounts:
    """Return the distinct elements in ascending order, and how often each is there.

    Parameters
    ----------
    x : array_like
        The array, which is flattened; each NaN is distinct.
    size, fill_value : optional
        As in `unique_all`.

    Returns
    -------
    values, counts : array_like
        The elements and their counts.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.unique_counts(xp.asarray([2, 1, 2])).values
    Array([1, 2], dtype=int32)
    """
    return UniqueCounts(*unique(x, return_counts=True, equal_nan=False, size=size, fill_value=fill_value))


def unique_inverse(x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None) -> UniqueInverse:
    """Return the distinct elements in ascending order, and where each element went.

    Parameters
    ----------
    x : array_like
        The array, which is flattened; each NaN is distinct.
    size, fill_value : optional
        As in `unique_all`.

    Returns
    -------
    values, inverse_indices : array_like
        ``values[inverse_indices]`` is `x`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.unique_inverse(xp.asarray([2, 1, 2])).inverse_indices
    Array([1, 0, 1], dtype=int32)
    """
    return UniqueInverse(*unique(x, return_inverse=True, equal_nan=False, size=size, fill_value=fill_value))


def unique_values(x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None) -> Array:
    """Return the distinct elements in ascending order.

    Parameters
    ----------
    x : array_like
        The array, which is flattened; each NaN is distinct.
    size, fill_value : optional
        As in `unique_all`.

    Returns
    -------
    Array
        The elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.unique_values(xp.asarray([2, 1, 2]))
    Array([1, 2], dtype=int32)
    """
    values: Array = unique(x, equal_nan=False, size=size, fill_value=fill_value)
    return values


@overload
def unique(
    ar: ArrayLike,
    return_index: Literal[False] = False,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    size: int | None = None,
    fill_value: ArrayLike | None = None,
    sorted: bool = True,
) -> Array: ...
@overload
def unique(
    ar: ArrayLike,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    size: int | None = None,
    fill_value: ArrayLike | None = None,
    sorted: bool = True,
) -> Any: ...
def unique(
    ar: ArrayLike,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    size: int | None = None,
    fill_value: ArrayLike | None = None,
    sorted: bool = True,
) -> Any:
    """Return the distinct elements in ascending order, or the distinct parts along an axis.

    Parameters
    ----------
    ar : array_like
        The array; flattened if `axis` is left out.
    return_index, return_inverse, return_counts : bool
        Whether to give, besides, where each distinct element first is, where each element went, how often each is there.
    axis : int, optional
        The axis whose parts are compared.
    equal_nan : bool
        Whether NaNs count as one element.
    size : int, optional
        How many distinct elements to give: those beyond are left out, missing ones are filled.
    fill_value : scalar, optional
        What to fill with; the least element if left out.
    sorted : bool
        Accepted; the result is always sorted.

    Returns
    -------
    Array or tuple of Array
        The elements, and what else was asked for.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.unique(xp.asarray([2, 1, 2]), return_counts=True)
    (Array([1, 2], dtype=int32), Array([1, 2], dtype=int32))
    """
    del sorted
    x = operand(ar, "unique")
    position = 0 if axis is None else normalize_axis(axis, x.ndim, "unique")
    data = x._data.reshape(-1) if axis is None else np.moveaxis(x._data, position, 0)
    if x._node.kind == "c" and np.isnan(data).any():
        data = np.where(np.isnan(data), data.dtype.type(np.nan), data)  # as in JAX, NaN has no imaginary part
    length = None if size is None else whole(size, "size")
    if not len(data) and length and fill_value is None:
        raise ValueError("unique: with no elements and size > 0, fill_value says what to give")
    # A weak dtype is lost where JAX puts something in: a fill value, or one NaN for all NaNs of complex numbers.
    result = strong(x._node) if x._node.kind == "c" or (size is not None and fill_value is not None) else x._node
    if not (return_index or return_inverse or return_counts) and data.ndim == 1:
        values = k.values(data, x._node, equal_nan=equal_nan)
        if length is not None:
            values = _sized(values, length, fill_value, x._node)
        return wrap(values, result)
    found = k.groups(data, x._node, equal_nan=equal_nan)
    node = index_node(len(data))
    values = data[found.first]
    first, counts = found.first, found.counts
    if length is not None:
        values = _sized(values, length, fill_value, x._node)
        first, counts = _cut(first, length, first[0] if first.size else 0), _cut(counts, length, 0)
    out = [wrap(np.moveaxis(values, 0, position), result)]
    if return_index:
        out.append(wrap(cast(first, node), node))
    if return_inverse:
        out.append(wrap(cast(found.inverse, node).reshape(x.shape if axis is None else -1), node))
    if return_counts:
        out.append(wrap(cast(counts, node), node))
    return tuple(out) if len(out) > 1 else out[0]


def _cut(numbers: Buffer, length: int, fill: Any) -> Buffer:
    out = np.full((length, *numbers.shape[1:]), fill, numbers.dtype)
    out[: len(numbers)] = numbers[:length]
    return out


def _sized(values: Buffer, length: int, fill_value: ArrayLike | None, node: Node) -> Buffer:
    """Cut values to a length, or fill them up: with the first one, or with a given one."""
    fill = values[0] if fill_value is None and len(values) else in_dtype(fill_value, operand(fill_value, "unique", 7), node)
    return _cut(values, length, fill)


# -- membership ---------------------------------------------------------------------------------------------------------------


def isin(
    element: ArrayLike, test_elements: ArrayLike, assume_unique: bool = False, invert: bool = False, *, method: str = "auto"
) -> Array:
    """Say for each element whether it is among others.

    Parameters
    ----------
    element : array_like
        The elements.
    test_elements : array_like
        The others.
    assume_unique : bool
        Accepted for JAX's sake.
    invert : bool
        Whether to say the opposite.
    method : str
        ``"auto"``, ``"compare_all"``, ``"binary_search"`` or ``"sort"``; accepted for JAX's sake, the answer is the same.

    Returns
    -------
    Array
        Truth values of the shape of `element`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.isin(xp.asarray([1, 2, 3]), xp.asarray([2, 5]))
    Array([False,  True, False], dtype=bool)
    """
    del assume_unique
    if method not in ("auto", "compare_all", "binary_search", "sort"):
        raise ValueError(f"isin: method is 'auto', 'compare_all', 'binary_search' or 'sort', got {method!r}")
    node, (wanted, others) = promoted("isin", element, test_elements)
    found = k.contained(comparable(wanted, node), comparable(others, node))
    return wrap(np.asarray(~found if invert else found), _BOOL)


# -- two sets -----------------------------------------------------------------------------------------------------------------


def _filled(values: Buffer, size: int | None, fill_value: ArrayLike | None, node: Node, function: str) -> Array:
    """Return the elements of a set; cut to a size, or filled with the least of them or a value, with which their dtype meets."""
    if size is None:
        return wrap(values, strong(node) if node.kind == "c" else node)
    node = strong(node)
    if fill_value is None:
        fill = values[0] if len(values) else np.zeros((), values.dtype)
        return wrap(_cut(values, whole(size, "size"), fill), node)
    met, (elements, given) = promoted(function, wrap(values, node), fill_value)
    return wrap(_cut(elements, whole(size, "size"), given), met)


def _flat(function: str, ar1: ArrayLike, ar2: ArrayLike) -> tuple[Node, Buffer, Buffer]:
    node, (first, second) = promoted(function, ar1, ar2)
    return node, first.reshape(-1), second.reshape(-1)


def union1d(ar1: ArrayLike, ar2: ArrayLike, *, size: int | None = None, fill_value: ArrayLike | None = None) -> Array:
    """Return the elements that are in either of two sets, in ascending order.

    Parameters
    ----------
    ar1, ar2 : array_like
        The sets; their dtypes meet.
    size : int, optional
        How many elements to give: those beyond are left out, missing ones are filled.
    fill_value : scalar, optional
        What to fill with; the least element if left out.

    Returns
    -------
    Array
        The elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.union1d(xp.asarray([1, 3]), xp.asarray([3, 2]))
    Array([1, 2, 3], dtype=int32)
    """
    node, first, second = _flat("union1d", ar1, ar2)
    union: Array = unique(wrap(np.concatenate([first, second]), node), size=size, fill_value=fill_value)
    return union


def intersect1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    return_indices: bool = False,
    *,
    size: int | None = None,
    fill_value: ArrayLike | None = None,
) -> Any:
    """Return the elements that are in both of two sets, in ascending order.

    Parameters
    ----------
    ar1, ar2 : array_like
        The sets; their dtypes meet.
    assume_unique : bool
        Whether no element is twice in either.
    return_indices : bool
        Whether to give, besides, where the elements are first in each.
    size : int, optional
        How many elements to give: those beyond are left out, missing ones are filled.
    fill_value : scalar, optional
        What to fill with; the least element if left out.

    Returns
    -------
    Array or tuple of Array
        The elements, and their indices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.intersect1d(xp.asarray([1, 3, 2]), xp.asarray([3, 2]))
    Array([2, 3], dtype=int32)
    """
    node, first, second = _flat("intersect1d", ar1, ar2)
    places = [None if assume_unique else k.groups(data, node, equal_nan=True).first for data in (first, second)]
    sets = [data if place is None else data[place] for data, place in zip((first, second), places, strict=True)]
    both = np.concatenate(sets)
    order = k.order.argsort(both, node, 0) if both.size else np.zeros(0, np.intp)
    twice = np.flatnonzero(~k.starts(both[order][:, None], node, equal_nan=False)[1:])
    common = both[order[twice]]
    result = _filled(common, size, fill_value, node, "intersect1d")
    if not return_indices:
        return result
    found = [order[twice], order[twice + 1] - len(sets[0])]
    found = [part if place is None else place[part] for part, place in zip(found, places, strict=True)]
    index = NODES["int32"] if assume_unique else index_node(both.size)
    if size is not None:
        found = [_cut(part, len(result), len(data)) for part, data in zip(found, (first, second), strict=True)]
    return (result, *[wrap(cast(part, index), index) for part in found])


def setdiff1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    *,
    size: int | None = None,
    fill_value: ArrayLike | None = None,
) -> Array:
    """Return the elements that are in one set and not in another.

    Parameters
    ----------
    ar1, ar2 : array_like
        The sets.
    assume_unique : bool
        Whether no element is twice in either; the elements then keep their order.
    size : int, optional
        How many elements to give: those beyond are left out, missing ones are filled.
    fill_value : scalar, optional
        What to fill with; 0 if left out.

    Returns
    -------
    Array
        The elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.setdiff1d(xp.asarray([1, 3, 2]), xp.asarray([3]))
    Array([1, 2], dtype=int32)
    """
    x, y = operands("setdiff1d", ar1, ar2)
    data = x._data.reshape(-1)
    if not assume_unique:
        data = k.values(data, x._node, equal_nan=True)
    found = isin(wrap(data, x._node), y)._data
    left = data[~found]
    if size is None:
        return wrap(left, strong(x._node) if x._node.kind == "c" else x._node)
    fill_value = 0 if fill_value is None else fill_value
    fill = in_dtype(fill_value, operand(fill_value, "setdiff1d", 3), x._node)
    return wrap(_cut(left, whole(size, "size"), fill), x._node)


def setxor1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    *,
    size: int | None = None,
    fill_value: ArrayLike | None = None,
) -> Array:
    """Return the elements that are in exactly one of two sets, in ascending order.

    Parameters
    ----------
    ar1, ar2 : array_like
        The sets; their dtypes meet.
    assume_unique : bool
        Whether no element is twice in either.
    size : int, optional
        How many elements to give: those beyond are left out, missing ones are filled.
    fill_value : scalar, optional
        What to fill with; the least element if left out.

    Returns
    -------
    Array
        The elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.setxor1d(xp.asarray([1, 3]), xp.asarray([3, 2]))
    Array([1, 2], dtype=int32)
    """
    node, *sets = _flat("setxor1d", ar1, ar2)
    both = np.concatenate(sets if assume_unique else [k.values(data, node, equal_nan=True) for data in sets])
    if both.size:
        both = k.order.sort(both, node, 0)
        new = np.append(k.starts(both[:, None], node, equal_nan=False), True)
        both = both[new[1:] & new[:-1]]
    return _filled(both, size, fill_value, node, "setxor1d")


publish(__name__)
