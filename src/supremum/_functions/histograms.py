"""Counts of elements: by value, in bins and in grids of bins."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence, Sized
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import describe
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike, NestedArrayLike, wrap
from supremum._core.conversion import Buffer, as_array, operand, operands
from supremum._core.dtype_objects import to_inexact
from supremum._core.index_keys import refuse_outside
from supremum._core.settings import state
from supremum._functions.creation.from_objects import asarray
from supremum._functions.creation.ranges import linspace
from supremum._functions.manipulation.joining import stack
from supremum._functions.searching import SearchMethod, check_method
from supremum._kernels import counting
from supremum._kernels.bounds import update_at
from supremum._kernels.casts import cast
from supremum._kernels.order import comparable
from supremum._kernels.plain import moving as plain
from supremum.promotion._nodes import NODES, Node

__all__ = ["bincount", "digitize", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]

_INT32: Final = NODES["int32"]
#: The first and the last edge.
Range: TypeAlias = NestedArrayLike | None
#: The first and the last edge for each dimension.
Ranges: TypeAlias = NestedArrayLike | Sequence[NestedArrayLike | None] | None
#: A number of bins or edges, or one of those for each dimension.
Bins: TypeAlias = ArrayLike | Sequence[ArrayLike]


@public(role="position")
def bincount(
    x: ArrayLike,
    weights: ArrayLike | None = None,
    minlength: int = 0,
    *,
    length: int | None = None,
    out_sharding: object = None,
) -> Array:
    """Count the occurrences of each non-negative integer.

    Parameters
    ----------
    x : array_like
        1-d array of integers; negative ones are an error or, if `config.out_of_range` is ``"clip"``, count as 0.
    weights : array_like, optional
        Weight of each element; 1 by default.
    minlength : int
        Minimum length of the result.
    length : int, optional
        Length of the result: larger integers are not counted.
    out_sharding : object, optional
        Ignored; accepted for compatibility with JAX.

    Returns
    -------
    Array
        The counts, or the sums of the weights in their dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.bincount(xp.asarray([0, 2, 2]))
    Array([1, 0, 2], dtype=int32)
    """
    given = operand(x, "bincount")
    if given._node.kind not in "iub":
        raise TypeError(f"bincount: x must be an array of integers, got dtype {given.dtype}")
    if given.ndim != 1:
        raise ValueError(f"bincount: x must be 1-d, got shape {given.shape}")
    least, most = operator.index(minlength), None if length is None else operator.index(length)
    if weights is None:
        node = state().int_
        counts = counting.bincount(given._data, least, most, node)
        if counts.size == 0 or counts[0]:  # else there is no negative one, which counts as 0
            _refuse_negative(given)
        return wrap(counts, node)
    weight = operand(weights, "bincount", 1)
    if weight.shape != given.shape:
        raise ValueError(f"bincount: x and weights must have the same shape, got {given.shape} and {weight.shape}")
    node = weight._node.strong
    if node.kind == "b":
        raise TypeError("bincount: weights of dtype bool cannot be added; cast them with .astype(int)")
    _refuse_negative(given)
    values = np.maximum(given._data.astype(np.int64), 0)
    count = max(least, int(values.max(initial=-1)) + 1) if most is None else most
    return wrap(_sums(values, weight._data, count, node), node)


def _refuse_negative(x: Array) -> None:
    """Refuse negative integers, unless `config.out_of_range` says what JAX does."""
    if x._node.kind == "i" and state().out_of_range == "raise":
        values = x._data.astype(np.int8) if x._node.bits < 8 else x._data
        if values.min(initial=0) < 0:
            refuse_outside("bincount", values, values < 0, int(values.max()) + 1)


def _sums(indices: Buffer, weights: Buffer | None, count: int, node: Node) -> Buffer:
    """Sum the weights, or count, for each index below `count` in a wide dtype, and round once."""
    if weights is None:
        return cast(counting.bincount(indices, 0, count, state().int_), node)
    if node.kind == "f":
        return cast(counting.weight_sums(indices, weights, count), node)
    inside = indices < count
    indices, parts = indices[inside], weights[inside]
    if node.kind in "iu":
        out = np.zeros(count, np.int64)
        update_at(np.add, out, indices, parts.astype(np.int64))
        return cast(out, node)
    wide = parts.astype(np.complex128)
    real, imag = np.bincount(indices, wide.real, count), np.bincount(indices, wide.imag, count)
    return cast(real + 1j * imag, node)


@public(role="position", plain=Plain(plain.digitize, arrays=2, kinds="biuf", errors=None))
def digitize(x: ArrayLike, bins: ArrayLike, right: bool = False, *, method: SearchMethod | None = None) -> Array:
    """Return the index of the bin that each element lies in.

    Parameters
    ----------
    x : array_like
        Input array.
    bins : array_like
        Edges: a 1-d array in ascending or descending order.
    right : bool
        Whether bins include their right edges instead of their left ones.
    method : {"scan", "scan_unrolled", "sort", "compare_all"}, optional
        Ignored; accepted for compatibility with JAX.

    Returns
    -------
    Array
        The number of edges before each element.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.digitize(xp.asarray([0.5, 2.0]), xp.asarray([0, 1, 2]))
    Array([1, 3], dtype=int32)
    """
    elements, edges = operands("digitize", x, bins)
    if method is not None:
        check_method(method, "digitize")
    if edges.ndim != 1:
        raise ValueError(f"digitize: bins must be 1-d, got shape {edges.shape}")
    if not edges.size:
        return wrap(np.zeros(elements.shape, np.int32), _INT32)
    node = state().join(elements._node, edges._node)
    wanted, ordered = comparable(cast(elements._data, node), node), comparable(cast(edges._data, node), node)
    side: Literal["left", "right"] = "left" if right else "right"
    if ordered[-1] >= ordered[0]:
        found = np.searchsorted(ordered, wanted, side)
    else:
        found = len(ordered) - np.searchsorted(ordered[::-1], wanted, side)
    return wrap(np.asarray(found, np.int32), _INT32)


# -- histograms ---------------------------------------------------------------------------------------------------------------


@public
def histogram_bin_edges(a: ArrayLike, bins: ArrayLike = 10, range: Range = None, weights: ArrayLike | None = None) -> Array:
    """Return the edges of the bins of a histogram.

    Parameters
    ----------
    a
    bins : int or array_like
        Number of bins of equal width, or the edges.
    range : pair of scalar, optional
        First and last edge; the smallest and the largest element by default.
    weights : array_like, optional
        Ignored; accepted for compatibility with JAX.

    Returns
    -------
    Array
        The edges.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.histogram_bin_edges(xp.asarray([0, 3, 4]), bins=2)
    Array([0., 2., 4.], dtype=float32)
    """
    del weights
    if isinstance(bins, str):
        raise NotImplementedError(
            f"histogram_bin_edges: bins must be a number of bins or an array of edges, got {describe(bins)}"
        )
    return _edges(operand(a, "histogram_bin_edges"), operand(bins, "histogram_bin_edges", 1), range)


def _edges(x: Array, bins: Array, ends: Range) -> Array:
    """Return edges in the floating dtype of an array."""
    node = to_inexact(x._node).strong
    if bins.ndim == 1:
        return wrap(cast(bins._data, node), node)
    if bins.ndim or bins._node.kind not in "iu":
        raise TypeError(
            f"histogram: bins must be an integer or a 1-d array of edges, got shape {bins.shape}, dtype {bins.dtype}"
        )
    if bins._data < 0:
        raise ValueError(f"histogram: bins must not be negative, got {int(bins._data)}")
    if ends is None:
        if not x.size:
            raise ValueError("histogram: the array has no elements; pass range=")
        data = comparable(x._data, x._node)
        low, high = data.min(), data.max()
    else:
        given = as_array(ends)
        if given.shape != (2,):
            raise ValueError(f"histogram: range must be a pair of scalars, got shape {given.shape}")
        # A pair of Python numbers has the precision of the edges, not of the default dtype.
        pair = np.asarray(ends) if isinstance(ends, tuple | list) and {*map(type, ends)} == {float} else given._data
        low, high = comparable(cast(pair, node), node)
    low, high = (cast(np.asarray(end), node) for end in (low, high))
    if low == high:
        half = cast(np.asarray(0.5), node)
        low, high = np.asarray(low - half), np.asarray(high + half)
    return linspace(wrap(low, node), wrap(high, node), int(bins._data) + 1, dtype=node.dtype)


@public(role="mean")
def histogram(
    a: ArrayLike, bins: ArrayLike = 10, range: Range = None, weights: ArrayLike | None = None, density: bool | None = None
) -> tuple[Array, Array]:
    """Count the elements in each bin.

    Parameters
    ----------
    a
    bins : int or array_like
        Number of bins of equal width, or the edges.
    range : pair of scalar, optional
        First and last edge; the smallest and the largest element by default.
    weights : array_like, optional
        Weight of each element; 1 by default.
    density : bool, optional
        Whether to divide the counts by the widths of the bins and by their sum.

    Returns
    -------
    tuple of Array
        The counts, in a floating dtype, and the edges.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.histogram(xp.asarray([1, 2, 1]), bins=2)
    (Array([2., 1.], dtype=float32), Array([1. , 1.5, 2. ], dtype=float32))
    """
    division = operand(bins, "histogram", 1)
    x, weight, node = _weighted(a, weights, "histogram")
    if weight is not None and weight.shape != x.shape:
        raise ValueError(f"histogram: a and weights must have the same shape, got {x.shape} and {weight.shape}")
    edges = _edges(x, division, range)
    parts = None if weight is None else weight._data.reshape(-1)
    made = node if density or weight is not None else state().node_of_counts("histogram", node)
    indices = counting.next_edges(x._data.reshape(-1), edges._data, node, uniform=not division.ndim)
    counts = _sums(indices, parts, edges.size, made)[1:]
    if not density:
        return wrap(counts, made), edges
    wide = comparable(counts, node)
    shares = wide / np.diff(comparable(edges._data, edges._node)) / wide.sum()
    return wrap(cast(shares, node), node), edges


def _weighted(a: ArrayLike, weights: ArrayLike | None, function: str) -> tuple[Array, Array | None, Node]:
    """Return elements and weights in the floating node that they promote to."""
    arrays = operands(function, a) if weights is None else operands(function, a, weights)
    node = to_inexact(state().join_all([x._node for x in arrays])).strong
    arrays = [wrap(cast(x._data, node), node) for x in arrays]
    return arrays[0], arrays[1] if len(arrays) > 1 else None, node


@public(role="mean")
def histogramdd(
    sample: ArrayLike, bins: Bins = 10, range: Ranges = None, weights: ArrayLike | None = None, density: bool | None = None
) -> tuple[Array, list[Array]]:
    """Count the points in each bin of a grid.

    Parameters
    ----------
    sample : array_like
        Matrix with one row for each point and one column for each dimension.
    bins : int or sequence
        Number of bins of equal width, or the edges, for each dimension.
    range : sequence of pair, optional
        First and last edge for each dimension; the smallest and the largest coordinate for None.
    weights : array_like, optional
        Weight of each point; 1 by default.
    density : bool, optional
        Whether to divide the counts by the volumes of the bins and by their sum.

    Returns
    -------
    tuple of Array and list of Array
        The counts, and the edges for each dimension.

    Examples
    --------
    >>> import supremum as xp
    >>> counts, edges = xp.histogramdd(xp.asarray([[0, 0], [1, 1], [1, 0]]), bins=2)
    >>> counts
    Array([[1, 0],
           [1, 1]], dtype=int32)
    """
    x, weight, node = _weighted(sample, weights, "histogramdd")
    if x.ndim != 2:
        raise ValueError(f"histogramdd: sample must be 2-d, got shape {x.shape}")
    if weight is not None and weight.shape != x.shape[:1]:
        raise ValueError(
            f"histogramdd: weights must be 1-d with one weight for each of {len(x)} points, got shape {weight.shape}"
        )
    return _on_grid(list(x._data.T), node, bins, range, weight, density)


def _on_grid(
    columns: list[Buffer], node: Node, bins: Bins, ends: Any, weight: Array | None, density: bool | None
) -> tuple[Array, list[Array]]:
    """Count the points with the given coordinates in each bin of a grid."""
    dimensions = len(columns)
    if ends is not None and (len(ends) != dimensions or any(pair is not None and np.shape(pair) != (2,) for pair in ends)):
        raise ValueError(
            f"histogramdd: range must be a sequence of {dimensions} pairs or None, one per dimension; got {describe(ends)}"
        )
    given: Any = bins
    choices = list(call_user_code(tuple, given)) if call_user_code(np.iterable, given) else [given] * dimensions
    if len(choices) != dimensions:
        raise ValueError(f"histogramdd: bins must have one item for each of {dimensions} dimensions, got {len(choices)}")
    edges = [
        histogram_bin_edges(wrap(column, node), choice, None if ends is None else ends[i])
        for i, (column, choice) in enumerate(zip(columns, choices, strict=True))
    ]
    # The first and the last index along each axis are for points outside of the bins.
    shape = [edge.size + 1 for edge in edges]
    indices = np.zeros(len(columns[0]), np.int64)
    for column, edge, length, choice in zip(columns, edges, shape, choices, strict=True):
        indices = indices * length + counting.next_edges(column, edge._data, node, uniform=not np.ndim(choice))
    result, size = node if weight is not None else state().int_, math.prod(shape)
    sums = counting.bincount(indices, 0, size, result) if weight is None else _sums(indices, weight._data, size, result)
    counts = sums.reshape(shape)[(slice(1, -1),) * dimensions]
    if not density:
        return wrap(counts, result), edges
    shares = counts / counts.sum()
    for i, edge in enumerate(edges):
        widths = np.diff(comparable(edge._data, node))
        shares = shares / widths.reshape([-1 if j == i else 1 for j in np.arange(dimensions)])
    return wrap(cast(shares, node), node), edges


@public(role="mean", composed=True)
def histogram2d(
    x: ArrayLike,
    y: ArrayLike,
    bins: Bins = 10,
    range: Ranges = None,
    weights: ArrayLike | None = None,
    density: bool | None = None,
) -> tuple[Array, Array, Array]:
    """Count the points in each bin of a rectangle.

    Parameters
    ----------
    x, y : array_like
        Coordinates of the points.
    bins : int, array_like or pair of those
        Number of bins of equal width, or the edges, for both dimensions or for each.
    range : pair of pair, optional
        First and last edge for each dimension; the smallest and the largest coordinate by default.
    weights : array_like, optional
        Weight of each point; 1 by default.
    density : bool, optional
        Whether to divide the counts by the areas of the bins and by their sum.

    Returns
    -------
    tuple of Array
        The counts, and the edges along `x` and `y`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.histogram2d(xp.asarray([0, 1, 1]), xp.asarray([0, 1, 0]), bins=2)[0]
    Array([[1, 0],
           [1, 1]], dtype=int32)
    """
    first, second = operands("histogram2d", x, y)
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError(f"histogram2d: x and y must be 1-d arrays of one length, got shapes {first.shape} and {second.shape}")
    if isinstance(bins, str):
        raise TypeError(
            f"histogram2d: bins must be a number of bins, an array of edges, or a pair of those, got {describe(bins)}"
        )
    if isinstance(bins, Sized) and len(bins) not in (1, 2):
        bins = [asarray(bins)] * 2
    counts, edges = histogramdd(stack([first, second], axis=1), bins, range, weights, density)
    return counts, edges[0], edges[1]
