"""Sorting functions of the standard and of JAX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import describe
from supremum._core.array import Array, ArrayLike, DTypeLike, wrap
from supremum._core.conversion import Buffer, as_arrays, index_node, normalize_axis, operand
from supremum._core.dtype_objects import complex_of, requested
from supremum._kernels import order as k
from supremum._kernels.casts import cast
from supremum._kernels.plain import moving as plain
from supremum.promotion._nodes import NODES

__all__ = ["argpartition", "argsort", "lexsort", "partition", "sort", "sort_complex"]

_INT32: Final = NODES["int32"]


def _check(kind: object, order: object, stable: object, function: str) -> None:
    """Refuse two of NumPy's arguments, and its default of the third, which JAX refuses."""
    if not isinstance(stable, bool | np.bool_):
        raise TypeError(f"{function}: stable must be True or False, got {describe(stable)}")
    if kind is not None:
        raise TypeError(f"{function}: kind= is not supported, got {describe(kind)}; use stable=True or stable=False")
    if order is not None:
        raise TypeError(
            f"{function}: order= is not supported, because arrays have no fields, got {describe(order)}; leave it out"
        )


def _along(x: Array, axis: int | None, function: str) -> tuple[Buffer, int]:
    """Return the buffer and the axis to sort along; the flattened buffer for None."""
    if axis is None:
        return x._data.reshape(-1), 0
    if axis == -1 and x._data.ndim:
        return x._data, x._data.ndim - 1
    return x._data, normalize_axis(axis, x._data.ndim, function)


@public(fast="sort", axis="axis", none="flat")
def sort(
    a: ArrayLike,
    axis: int | None = -1,
    *,
    kind: str | None = None,
    order: str | None = None,
    stable: bool = True,
    descending: bool = False,
) -> Array:
    """Sort an array along an axis; NaN is last, or first in descending order.

    Parameters
    ----------
    a : array_like
        Input array; complex numbers are ordered by their real parts, then by their imaginary parts.
    axis : int, optional
        Axis to sort along; None sorts the flattened array.
    kind, order : None
        Not supported.
    stable : bool
        Whether equal elements (0.0 and -0.0) keep their order.
    descending : bool
        Whether to sort in descending order.

    Returns
    -------
    Array
        The sorted copy.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.sort(xp.asarray([2, 3, 1]), descending=True)
    Array([3, 2, 1], dtype=int32)
    """
    _check(kind, order, stable, "sort")
    x = operand(a, "sort")
    data, along = _along(x, axis, "sort")
    if not descending:
        return wrap(k.sort(data, x._node, along, stable=stable), x._node)
    # If 0.0 and -0.0 must keep their order, the array is reversed before it is sorted, too.
    keeps = stable and x._node.kind in "fc"
    out = k.sort(np.flip(data, along) if keeps else data, x._node, along, stable=keeps)
    return wrap(np.flip(out, along), x._node)


@public(role="position", fast="argsort", axis="axis", none="flat")
def argsort(
    a: ArrayLike,
    axis: int | None = -1,
    *,
    kind: str | None = None,
    order: str | None = None,
    stable: bool = True,
    descending: bool = False,
    dtype: DTypeLike | None = None,
) -> Array:
    """Return the indices that sort an array along an axis; equal elements keep their order.

    Parameters
    ----------
    a
    axis : int, optional
        Axis to sort along; None sorts the flattened array.
    kind, order : None
        Not supported.
    stable : bool
        Ignored; the order is always stable.
    descending : bool
        Whether to sort in descending order.
    dtype : dtype, optional
        Dtype of the indices; the default integer dtype by default.

    Returns
    -------
    Array
        The indices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.argsort(xp.asarray([2, 3, 1]))
    Array([2, 0, 1], dtype=int32)
    """
    _check(kind, order, stable, "argsort")  # an unstable sort would not be faster
    x = operand(a, "argsort")
    data, along = _along(x, axis, "argsort")
    found = k.argsort(data, x._node, along, descending=descending)
    if dtype is None:
        node = index_node(data.shape[along])
        return wrap(found.astype(node.dtype, copy=False), node)
    node = requested(dtype, "argsort")
    return wrap(cast(found, node), node)


@public(role="position", plain=Plain(plain.lexsort, arrays=0, keywords=("axis",), index=True, kinds="biuf", errors=None))
def lexsort(keys: Sequence[ArrayLike] | ArrayLike, axis: int = -1) -> Array:
    """Return the indices that sort by several keys.

    Parameters
    ----------
    keys : sequence of array_like
        Keys of one shape; the last one is the primary key.
    axis : int
        Axis to sort along.

    Returns
    -------
    Array
        The indices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.lexsort((xp.asarray([3, 1, 2]), xp.asarray([0, 1, 0])))
    Array([2, 0, 1], dtype=int32)
    """
    try:
        given = as_arrays(keys, "lexsort")
    except ValueError:  # NumPy and JAX raise TypeError
        raise TypeError("lexsort: need at least one key, got an empty sequence") from None
    shape = given[0].shape
    if any(x.shape != shape for x in given):
        raise ValueError(f"lexsort: all keys must have the same shape, got {', '.join(str(x.shape) for x in given)}")
    if not shape:
        node = index_node(0)
        return wrap(np.zeros((), node.dtype), node)
    along = normalize_axis(axis, len(shape), "lexsort")
    order = k.lexsort([(x._data, x._node) for x in given], along)
    node = index_node(shape[along])
    return wrap(cast(order, node), node)


@public(axis="axis")
def partition(a: ArrayLike, kth: int, axis: int = -1) -> Array:
    """Partition an array: smaller elements before the `kth` smallest one, greater elements after it.

    Parameters
    ----------
    a : array_like
        Real input array.
    kth : int
        Position of the element to partition by.
    axis : int
        Axis to partition along.

    Returns
    -------
    Array
        The partitioned copy.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.partition(xp.asarray([3, 1, 2]), 1)
    Array([1, 2, 3], dtype=int32)
    """
    x = operand(a, "partition")
    position, along = _partition_arguments(x, kth, axis, "partition")
    return wrap(k.partition(x._data, x._node, position, along), x._node)


@public(role="position", axis="axis")
def argpartition(a: ArrayLike, kth: int, axis: int = -1) -> Array:
    """Return the indices that partition an array, as `partition` does.

    Parameters
    ----------
    a : array_like
        Real input array.
    kth : int
        Position of the element to partition by.
    axis : int
        Axis to partition along.

    Returns
    -------
    Array
        The indices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.argpartition(xp.asarray([30, 10, 20]), 0)[0]
    Array(1, dtype=int32)
    """
    x = operand(a, "argpartition")
    position, along = _partition_arguments(x, kth, axis, "argpartition")
    node = _INT32.weak_form if x._node.weak else _INT32  # as in JAX
    return wrap(k.argpartition(x._data, x._node, position, along), node)


def _partition_arguments(x: Array, kth: int, axis: int, function: str) -> tuple[int, int]:
    """Return the checked position and axis of a partition."""
    if x._node.kind == "c":
        raise NotImplementedError(f"{function}: complex numbers are not supported, got dtype {x.dtype}; use sort")
    along = normalize_axis(axis, x.ndim, function)
    if x._node.kind == "b":
        raise TypeError(f"{function}: dtype bool is not supported; use sort, or cast with .astype('uint8')")
    return normalize_axis(kth, x.shape[along], function), along


@public
def sort_complex(a: ArrayLike) -> Array:
    """Sort an array along the last axis and return complex numbers.

    Parameters
    ----------
    a

    Returns
    -------
    Array
        The elements, ordered by their real parts, then by their imaginary parts.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.sort_complex(xp.asarray([2, 1]))
    Array([1.+0.j, 2.+0.j], dtype=complex64)
    """
    x = operand(a, "sort_complex")
    data, along = _along(x, -1, "sort_complex")
    node = complex_of(x._node).strong
    return wrap(cast(k.sort(data, x._node, along), node), node)
