"""The standard's sorting functions, and JAX's further ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from supremum._base.errors import shown
from supremum._core.arguments import Buffer, as_arrays, index_node, normalize_axis, strong
from supremum._core.array import Array, wrap
from supremum._core.boundary import publish
from supremum._core.conversion import operand
from supremum._core.dtypes import complex_of, requested
from supremum._kernels import order as k
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES, concrete_weak

__all__ = ["argpartition", "argsort", "lexsort", "partition", "sort", "sort_complex"]


def _refuse(kind: object, order: object, function: str) -> None:
    if kind is not None:
        raise TypeError(f"{function}: kind= is not supported, got {shown(kind)}; use stable=True or stable=False")
    if order is not None:
        raise TypeError(f"{function}: order= is not supported, there are no fields to order by, got {shown(order)}")


def _line(x: Array, axis: int | None, function: str) -> tuple[Buffer, int]:
    """Return the buffer to work along and the axis: the flattened one for None."""
    if axis is None:
        return x._data.reshape(-1), 0
    if axis == -1 and x._data.ndim:
        return x._data, x._data.ndim - 1
    return x._data, normalize_axis(axis, x._data.ndim, function)


def sort(
    a: ArrayLike,
    axis: int | None = -1,
    *,
    kind: Any = None,
    order: Any = None,
    stable: bool = True,
    descending: bool = False,
) -> Array:
    """Sort along an axis; NaN comes last, and first in a descending order.

    Parameters
    ----------
    a : array_like
        The array; complex numbers are ordered by their real and then by their imaginary parts.
    axis : int, optional
        The axis; None sorts the flattened array.
    kind, order : None
        Not supported.
    stable : bool
        Whether equal elements (zeros of both signs) keep their order.
    descending : bool
        Whether the greatest element comes first.

    Returns
    -------
    Array
        A sorted copy.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.sort(xp.asarray([2, 3, 1]), descending=True)
    Array([3, 2, 1], dtype=int32)
    """
    if kind is not None or order is not None:
        _refuse(kind, order, "sort")
    x = a if type(a) is Array else operand(a, "sort")
    data, along = _line(x, axis, "sort")
    if not descending:
        return wrap(k.sort(data, x._node, along, stable=stable), x._node)
    # Turned over first where equal elements can be told apart, for they keep their order: zeros of both signs.
    keeps = stable and x._node.kind in "fc"
    out = k.sort(np.flip(data, along) if keeps else data, x._node, along, stable=keeps)
    return wrap(np.flip(out, along), x._node)


def argsort(
    a: ArrayLike,
    axis: int | None = -1,
    *,
    kind: Any = None,
    order: Any = None,
    stable: bool = True,
    descending: bool = False,
    dtype: DTypeLike | None = None,
) -> Array:
    """Return the indices that sort along an axis; equal elements keep their order.

    Parameters
    ----------
    a : array_like
        Input array.
    axis : int, optional
        The axis; None sorts the flattened array.
    kind, order : None
        Not supported.
    stable : bool
        Accepted; the order is always stable.
    descending : bool
        Whether the greatest element comes first.
    dtype : dtype, optional
        The dtype of the indices; the default integer if left out.

    Returns
    -------
    Array
        Indices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.argsort(xp.asarray([2, 3, 1]))
    Array([2, 0, 1], dtype=int32)
    """
    del stable  # an unstable order would be no faster
    if kind is not None or order is not None:
        _refuse(kind, order, "argsort")
    x = a if type(a) is Array else operand(a, "argsort")
    data, along = _line(x, axis, "argsort")
    found = k.argsort(data, x._node, along, descending=descending)
    if dtype is None:
        node = index_node(data.shape[along])
        return wrap(found.astype(node.dtype, copy=False), node)
    node = requested(dtype, "argsort")
    return wrap(cast(found, node), node)


def lexsort(keys: Any, axis: int = -1) -> Array:
    """Return the indices that sort by several keys.

    Parameters
    ----------
    keys : sequence of Array
        The keys, all of one shape; the last one is the most important.
    axis : int
        The axis to sort along.

    Returns
    -------
    Array
        Indices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.lexsort((xp.asarray([3, 1, 2]), xp.asarray([0, 1, 0])))
    Array([2, 0, 1], dtype=int32)
    """
    try:
        given = as_arrays(keys, "lexsort")
    except ValueError:  # TypeError is what both NumPy and JAX raise
        raise TypeError("lexsort: need at least one key, got an empty sequence") from None
    shape = given[0].shape
    if any(x.shape != shape for x in given):
        raise ValueError(f"lexsort: all keys have the same shape, got {', '.join(str(x.shape) for x in given)}")
    if not shape:
        node = index_node(0)
        return wrap(np.zeros((), node.dtype), node)
    along = normalize_axis(axis, len(shape), "lexsort")
    order = k.lexsort([(x._data, x._node) for x in given], along)
    node = index_node(shape[along])
    return wrap(cast(order, node), node)


def partition(a: ArrayLike, kth: int, axis: int = -1) -> Array:
    """Put the `kth` smallest element in its place along an axis, no greater ones before it and no smaller ones after it.

    Parameters
    ----------
    a : array_like
        Real numbers.
    kth : int
        The position.
    axis : int
        The axis.

    Returns
    -------
    Array
        The rearranged array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.partition(xp.asarray([3, 1, 2]), 1)
    Array([1, 2, 3], dtype=int32)
    """
    x = operand(a, "partition")
    position, along = _partitioned(x, kth, axis, "partition")
    ordered = np.moveaxis(k.sort(x._data, x._node, along), along, -1)
    # As in JAX: the smaller ones ascending, the greater ones descending.
    both = np.concatenate([ordered[..., : position + 1], ordered[..., :position:-1]], axis=-1)
    return wrap(np.moveaxis(both, -1, along), x._node)


def argpartition(a: ArrayLike, kth: int, axis: int = -1) -> Array:
    """Return the indices that `partition` an array.

    Parameters
    ----------
    a : array_like
        Real numbers.
    kth : int
        The position.
    axis : int
        The axis.

    Returns
    -------
    Array
        Indices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.argpartition(xp.asarray([30, 10, 20]), 0)[0]
    Array(1, dtype=int32)
    """
    x = operand(a, "argpartition")
    position, along = _partitioned(x, kth, axis, "argpartition")
    order = np.moveaxis(k.argsort(x._data, x._node, along), along, -1)
    # As in JAX: the smaller ones ascending, the greater ones in their order, and weak where the array is.
    both = np.concatenate([order[..., : position + 1], np.sort(order[..., position + 1 :], axis=-1)], axis=-1)
    node = NODES["int32"]
    return wrap(np.moveaxis(cast(both, node), -1, along), concrete_weak(node) if x._node.weak else node)


def _partitioned(x: Array, kth: Any, axis: Axis, function: str) -> tuple[int, int]:
    """Check the arguments of a partition and give the position and the axis."""
    if x._node.kind == "c":
        raise NotImplementedError(f"{function}: complex numbers are not supported, got dtype {x.dtype}; use sort")
    along = normalize_axis(axis, x.ndim, function)
    if x._node.kind == "b":
        raise TypeError(f"{function}: truth values are not supported; use sort, or cast with .astype('uint8')")
    return normalize_axis(kth, x.shape[along], function), along


def sort_complex(a: ArrayLike) -> Array:
    """Sort along the last axis and give complex numbers.

    Parameters
    ----------
    a : array_like
        Input array.

    Returns
    -------
    Array
        Its complex elements by their real and then by their imaginary parts.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.sort_complex(xp.asarray([2, 1]))
    Array([1.+0.j, 2.+0.j], dtype=complex64)
    """
    x = operand(a, "sort_complex")
    data, along = _line(x, -1, "sort_complex")
    node = strong(complex_of(x._node))
    return wrap(cast(k.sort(data, x._node, along), node), node)


publish(__name__)
