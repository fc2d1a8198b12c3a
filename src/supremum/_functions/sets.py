"""Set functions of the standard and of JAX."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple, TypeAlias, overload

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import as_integer, check_choice
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import Buffer, in_dtype, index_node, normalize_axis, operand, operands, promote_operands
from supremum._kernels import distinct as k
from supremum._kernels.casts import cast
from supremum._kernels.order import comparable
from supremum.promotion._nodes import NODES, Node

__all__ = [
    "intersect1d", "isin", "setdiff1d", "setxor1d", "union1d", "unique", "unique_all", "unique_counts", "unique_inverse",
    "unique_values",
]  # fmt: skip

_BOOL: Final = NODES["bool"]
_Yes: TypeAlias = Literal[True]
_No: TypeAlias = Literal[False]


class UniqueAll(NamedTuple):
    """The result of `unique_all`."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCounts(NamedTuple):
    """The result of `unique_counts`."""

    values: Array
    counts: Array


class UniqueInverse(NamedTuple):
    """The result of `unique_inverse`."""

    values: Array
    inverse_indices: Array


@public(role="position", composed=True)
def unique_all(x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None) -> UniqueAll:
    """Return the unique elements in ascending order, their first indices, the inverse indices and the counts.

    Parameters
    ----------
    x : array_like
        Input array, which is flattened; each NaN is unique.
    size, fill_value

    Returns
    -------
    values, indices, inverse_indices, counts : Array
        ``values[inverse_indices]`` equals `x`, and ``x.ravel()[indices]`` equals `values`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.unique_all(xp.asarray([2, 1, 2])).counts
    Array([1, 2], dtype=int32)
    """
    return UniqueAll(*unique(x, True, True, True, equal_nan=False, size=size, fill_value=fill_value))


@public(role="position", composed=True)
def unique_counts(x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None) -> UniqueCounts:
    """Return the unique elements in ascending order, and their counts.

    Parameters
    ----------
    x : array_like
        Input array, which is flattened; each NaN is unique.
    size, fill_value
        As for `unique_all`.

    Returns
    -------
    values, counts : Array
        The elements and their counts.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.unique_counts(xp.asarray([2, 1, 2])).values
    Array([1, 2], dtype=int32)
    """
    return UniqueCounts(*unique(x, return_counts=True, equal_nan=False, size=size, fill_value=fill_value))


@public(role="position", composed=True)
def unique_inverse(x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None) -> UniqueInverse:
    """Return the unique elements in ascending order, and the inverse indices.

    Parameters
    ----------
    x : array_like
        Input array, which is flattened; each NaN is unique.
    size, fill_value
        As for `unique_all`.

    Returns
    -------
    values, inverse_indices : Array
        ``values[inverse_indices]`` equals `x`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.unique_inverse(xp.asarray([2, 1, 2])).inverse_indices
    Array([1, 0, 1], dtype=int32)
    """
    return UniqueInverse(*unique(x, return_inverse=True, equal_nan=False, size=size, fill_value=fill_value))


@public(composed=True)
def unique_values(x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None) -> Array:
    """Return the unique elements in ascending order.

    Parameters
    ----------
    x : array_like
        Input array, which is flattened; each NaN is unique.
    size, fill_value
        As for `unique_all`.

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
    return unique(x, equal_nan=False, size=size, fill_value=fill_value)


@overload
def unique(
    ar: ArrayLike,
    return_index: _No = False, return_inverse: _No = False, return_counts: _No = False, axis: int | None = None, *,
    equal_nan: bool = True, size: int | None = None, fill_value: ArrayLike | None = None, sorted: bool = True,
) -> Array: ...  # fmt: skip
@overload
def unique(
    ar: ArrayLike,
    return_index: _Yes, return_inverse: bool = False, return_counts: bool = False, axis: int | None = None, *,
    equal_nan: bool = True, size: int | None = None, fill_value: ArrayLike | None = None, sorted: bool = True,
) -> tuple[Array, ...]: ...  # fmt: skip
@overload
def unique(
    ar: ArrayLike,
    return_index: bool = False, *, return_inverse: _Yes, return_counts: bool = False, axis: int | None = None,
    equal_nan: bool = True, size: int | None = None, fill_value: ArrayLike | None = None, sorted: bool = True,
) -> tuple[Array, ...]: ...  # fmt: skip
@overload
def unique(
    ar: ArrayLike,
    return_index: bool = False, return_inverse: bool = False, *, return_counts: _Yes, axis: int | None = None,
    equal_nan: bool = True, size: int | None = None, fill_value: ArrayLike | None = None, sorted: bool = True,
) -> tuple[Array, ...]: ...  # fmt: skip
@overload
def unique(
    ar: ArrayLike,
    return_index: bool = False, return_inverse: bool = False, return_counts: bool = False, axis: int | None = None, *,
    equal_nan: bool = True, size: int | None = None, fill_value: ArrayLike | None = None, sorted: bool = True,
) -> Array | tuple[Array, ...]: ...  # fmt: skip
@public(role="position")
def unique(
    ar: ArrayLike,
    return_index: bool = False, return_inverse: bool = False, return_counts: bool = False, axis: int | None = None, *,
    equal_nan: bool = True, size: int | None = None, fill_value: ArrayLike | None = None, sorted: bool = True,
) -> Array | tuple[Array, ...]:  # fmt: skip
    """Return the unique elements in ascending order, or the unique slices along an axis.

    Parameters
    ----------
    ar : array_like
        Input array; flattened by default.
    return_index, return_inverse, return_counts : bool
        Whether to return the first indices, the inverse indices and the counts, too.
    axis : int, optional
        Axis whose slices are compared.
    equal_nan : bool
        Whether all NaNs are one element.
    size, fill_value
    sorted : bool
        Ignored; the result is always sorted.

    Returns
    -------
    Array or tuple of Array
        The elements, then the requested indices and counts.

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
        data = np.where(np.isnan(data), data.dtype.type(np.nan), data)  # as in JAX, the imaginary part of NaN is 0
    length = None if size is None else as_integer(size, "size")
    if not len(data) and length and fill_value is None:
        raise ValueError("unique: the array has no elements and size > 0; pass fill_value")
    # As in JAX, the result is strong if values are replaced: by `fill_value`, or complex NaNs by one NaN.
    result = x._node.strong if x._node.kind == "c" or (size is not None and fill_value is not None) else x._node
    if not (return_index or return_inverse or return_counts) and data.ndim == 1:
        values = k.values(data, x._node, equal_nan=equal_nan)
        if length is not None:
            values = _sized(values, length, fill_value, x._node)
        return wrap(values, result)
    node = index_node(len(data))
    if data.ndim == 1 and length is None and not (return_index or return_inverse):
        values, counts = k.counted(data, x._node, equal_nan=equal_nan)
        return wrap(values, result), wrap(cast(counts, node), node)
    found = k.groups(data, x._node, equal_nan=equal_nan)
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
    """Cut or fill an array to a length."""
    out = np.full((length, *numbers.shape[1:]), fill, numbers.dtype)
    out[: len(numbers)] = numbers[:length]
    return out


def _sized(values: Buffer, length: int, fill_value: ArrayLike | None, node: Node) -> Buffer:
    """Cut or fill values to a length; the first value is the default fill."""
    fill = values[0] if fill_value is None and len(values) else in_dtype(fill_value, operand(fill_value, "unique", 7), node)
    return _cut(values, length, fill)


# -- membership ---------------------------------------------------------------------------------------------------------------


@public
def isin(
    element: ArrayLike,
    test_elements: ArrayLike,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    method: Literal["auto", "compare_all", "binary_search", "sort"] = "auto",
) -> Array:
    """Test elementwise whether elements are among others.

    Parameters
    ----------
    element : array_like
        Elements to test.
    test_elements : array_like
        Elements to test against.
    assume_unique : bool
        Ignored; accepted for compatibility with JAX.
    invert : bool
        Whether to negate the result.
    method : {"auto", "compare_all", "binary_search", "sort"}
        Ignored; accepted for compatibility with JAX.

    Returns
    -------
    Array
        The truth values, of the shape of `element`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.isin(xp.asarray([1, 2, 3]), xp.asarray([2, 5]))
    Array([False,  True, False], dtype=bool)
    """
    del assume_unique
    check_choice(method, "method", ("auto", "compare_all", "binary_search", "sort"), "isin")
    found = _contained("isin", element, test_elements)
    return wrap(~found if invert else found, _BOOL)


def _contained(function: str, element: ArrayLike, test_elements: ArrayLike, *, distinct: bool = False) -> Buffer:
    """Return a mask of the elements that are among others, with which they promote to a common dtype."""
    node, (wanted, others) = promote_operands(function, element, test_elements)
    return k.contained(comparable(wanted, node), comparable(others, node), distinct=distinct)


# -- two sets -----------------------------------------------------------------------------------------------------------------


def _filled(values: Buffer, size: int | None, fill_value: ArrayLike | None, node: Node, function: str) -> Array:
    """Return the elements of a set, cut or filled to a size.

    The dtypes of the elements and of the fill value promote to the dtype of the result.
    """
    if size is None:
        return wrap(values, node.strong if node.kind == "c" else node)
    node = node.strong
    if fill_value is None:
        fill = values[0] if len(values) else np.zeros((), values.dtype)
        return wrap(_cut(values, as_integer(size, "size"), fill), node)
    common, (elements, given) = promote_operands(function, wrap(values, node), fill_value)
    return wrap(_cut(elements, as_integer(size, "size"), given), common)


def _sets(function: str, ar1: ArrayLike, ar2: ArrayLike, *, distinct: bool = True) -> tuple[Node, Buffer, Buffer]:
    """Return the node that two sets promote to, and their flattened buffers, of distinct elements if they are not yet."""
    node, buffers = promote_operands(function, ar1, ar2)
    first, second = [data.reshape(-1) if distinct else k.values(data.reshape(-1), node, equal_nan=True) for data in buffers]
    return node, first, second


@public
def union1d(ar1: ArrayLike, ar2: ArrayLike, *, size: int | None = None, fill_value: ArrayLike | None = None) -> Array:
    """Return the union of two sets, in ascending order.

    Parameters
    ----------
    ar1, ar2
    size, fill_value

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
    node, first, second = _sets("union1d", ar1, ar2)
    return unique(wrap(np.concatenate([first, second]), node), size=size, fill_value=fill_value)


@overload
def intersect1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, return_indices: _No = False, *,
    size: int | None = None, fill_value: ArrayLike | None = None,
) -> Array: ...  # fmt: skip
@overload
def intersect1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, *, return_indices: _Yes,
    size: int | None = None, fill_value: ArrayLike | None = None,
) -> tuple[Array, Array, Array]: ...  # fmt: skip
@overload
def intersect1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, return_indices: bool = False, *,
    size: int | None = None, fill_value: ArrayLike | None = None,
) -> Array | tuple[Array, ...]: ...  # fmt: skip
@public
def intersect1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, return_indices: bool = False, *,
    size: int | None = None, fill_value: ArrayLike | None = None,
) -> Array | tuple[Array, ...]:  # fmt: skip
    """Return the intersection of two sets, in ascending order.

    Parameters
    ----------
    ar1, ar2
    assume_unique : bool
        Whether the elements of each set are unique.
    return_indices : bool
        Whether to return the first indices of the elements in both sets, too.
    size, fill_value

    Returns
    -------
    Array or tuple of Array
        The elements, and their indices in `ar1` and `ar2` if `return_indices`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.intersect1d(xp.asarray([1, 3, 2]), xp.asarray([3, 2]))
    Array([2, 3], dtype=int32)
    """
    if not return_indices:
        node, first, second = _sets("intersect1d", ar1, ar2, distinct=assume_unique)
        return _filled(k.both(first, second, node), size, fill_value, node, "intersect1d")
    node, first, second = _sets("intersect1d", ar1, ar2)
    firsts = [None if assume_unique else k.groups(data, node, equal_nan=True).first for data in (first, second)]
    sets = [data if index is None else data[index] for data, index in zip((first, second), firsts, strict=True)]
    both = np.concatenate(sets)
    order = k.order.argsort(both, node, 0) if both.size else np.zeros(0, np.intp)
    twice = np.flatnonzero(~k.starts(both[order], node, equal_nan=False)[1:])
    common = both[order[twice]]
    result = _filled(common, size, fill_value, node, "intersect1d")
    found = [order[twice], order[twice + 1] - len(sets[0])]
    found = [part if index is None else index[part] for part, index in zip(found, firsts, strict=True)]
    indices = NODES["int32"] if assume_unique else index_node(both.size)
    if size is not None:
        found = [_cut(part, len(result), len(data)) for part, data in zip(found, (first, second), strict=True)]
    return (result, *[wrap(cast(part, indices), indices) for part in found])


@public
def setdiff1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    *,
    size: int | None = None,
    fill_value: ArrayLike | None = None,
) -> Array:
    """Return the elements of one set that are not in another.

    Parameters
    ----------
    ar1, ar2 : array_like
        The sets.
    assume_unique : bool
        Whether the elements of each set are unique; they keep their order then.
    size
    fill_value : scalar, optional
        Value to fill with; 0 by default.

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
    data, others = (
        wrap(
            each._data.reshape(-1) if assume_unique else k.values(each._data.reshape(-1), each._node, equal_nan=True),
            each._node,
        )
        for each in (x, y)
    )
    left = data._data[~_contained("setdiff1d", data, others, distinct=not assume_unique)]
    if size is None:
        return wrap(left, x._node.strong if x._node.kind == "c" else x._node)
    fill_value = 0 if fill_value is None else fill_value
    fill = in_dtype(fill_value, operand(fill_value, "setdiff1d", 3), x._node)
    return wrap(_cut(left, as_integer(size, "size"), fill), x._node)


@public
def setxor1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    *,
    size: int | None = None,
    fill_value: ArrayLike | None = None,
) -> Array:
    """Return the symmetric difference of two sets, in ascending order.

    Parameters
    ----------
    ar1, ar2
    assume_unique : bool
        Whether the elements of each set are unique.
    size, fill_value

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
    node, first, second = _sets("setxor1d", ar1, ar2, distinct=assume_unique)
    return _filled(k.apart(first, second, node), size, fill_value, node, "setxor1d")
