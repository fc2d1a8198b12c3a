"""Counting elements: by value, in bins, on grids of bins."""

from __future__ import annotations

import math
import operator
from typing import Any, Final

import numpy as np

from supremum._base.errors import shown
from supremum._core.arguments import Buffer, strong
from supremum._core.array import Array, wrap
from supremum._core.boundary import publish
from supremum._core.conversion import as_array, operand, operands
from supremum._core.dtypes import to_inexact
from supremum._core.settings import state
from supremum._functions.creation.ranges import linspace
from supremum._functions.searching import check_method
from supremum._kernels.casts import cast
from supremum._kernels.order import comparable
from supremum.promotion._nodes import NODES, Node

__all__ = ["bincount", "digitize", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]

_INT32: Final = NODES["int32"]


def bincount(
    x: ArrayLike,
    weights: ArrayLike | None = None,
    minlength: int = 0,
    *,
    length: int | None = None,
    out_sharding: Any = None,  # noqa: ARG001 - there is one device
) -> Array:
    """Count how often each non-negative integer is there.

    Parameters
    ----------
    x : array_like
        A vector of integers; negative ones count as 0.
    weights : array_like, optional
        What each element counts; 1 if left out.
    minlength : int
        The least length of the result.
    length : int, optional
        The length of the result: greater integers are not counted.

    Returns
    -------
    Array
        Counts, or sums of weights in their dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.bincount(xp.asarray([0, 2, 2]))
    Array([1, 0, 2], dtype=int32)
    """
    given = x if type(x) is Array else operand(x, "bincount")
    if weights is None and length is None and type(minlength) is int and given._node.kind in "iu":
        try:
            node = state().int_
            return wrap(np.bincount(given._data, minlength=minlength).astype(node.dtype), node)
        except (TypeError, ValueError):
            pass  # negative numbers, narrow dtypes, or something that is refused below
    if given._node.kind not in "iub":
        raise TypeError(f"bincount: the argument holds integers, got dtype {given.dtype}")
    if given.ndim != 1:
        raise ValueError(f"bincount: the argument is a vector, got shape {given.shape}")
    least = operator.index(minlength)
    values = np.maximum(given._data.astype(np.int64), 0)
    count = max(least, int(values.max(initial=-1)) + 1) if length is None else operator.index(length)
    if weights is None:
        node = state().int_
        return wrap(_sums(values, None, count, node), node)
    weight = operand(weights, "bincount", 1)
    if weight.shape != given.shape:
        raise ValueError(f"bincount: there is a weight for each element, got shapes {given.shape} and {weight.shape}")
    node = strong(weight._node)
    if node.kind == "b":
        raise TypeError("bincount: truth values cannot be added; cast the weights with .astype(int)")
    return wrap(_sums(values, weight, count, node), node)


def _sums(places: Buffer, weights: Array | None, count: int, node: Node) -> Buffer:
    """Add up the weights at each place below `count`, in a wide dtype and rounded once."""
    inside = places < count
    places = places[inside]
    if weights is None:
        return cast(np.bincount(places, minlength=count), node)
    parts = weights._data[inside]
    if node.kind in "iu":
        out = np.zeros(count, np.int64)
        np.add.at(out, places, parts.astype(np.int64))
        return cast(out, node)
    if node.kind == "c":
        wide = parts.astype(np.complex128)
        real, imag = np.bincount(places, wide.real, count), np.bincount(places, wide.imag, count)
        return cast(real + 1j * imag, node)
    return cast(np.bincount(places, parts.astype(np.float64), count), node)


def digitize(x: ArrayLike, bins: ArrayLike, right: bool = False, *, method: str | None = None) -> Array:
    """Find the bin that each element lies in.

    Parameters
    ----------
    x : array_like
        The elements.
    bins : array_like
        The edges, a vector in ascending or descending order.
    right : bool
        Whether an element on an edge counts to the bin that ends there.
    method : str, optional
        Accepted for JAX's sake.

    Returns
    -------
    Array
        For each element the number of edges before it.

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
        raise ValueError(f"digitize: the bins are a vector, got shape {edges.shape}")
    if not edges.size:
        return wrap(np.zeros(elements.shape, np.int32), _INT32)
    met = state().join(elements._node, edges._node)
    wanted, ordered = comparable(cast(elements._data, met), met), comparable(cast(edges._data, met), met)
    side: Any = "left" if right else "right"
    if ordered[-1] >= ordered[0]:
        found = np.searchsorted(ordered, wanted, side)
    else:
        found = len(ordered) - np.searchsorted(ordered[::-1], wanted, side)
    return wrap(np.asarray(found, np.int32), _INT32)


# -- histograms ---------------------------------------------------------------------------------------------------------------


def histogram_bin_edges(a: ArrayLike, bins: ArrayLike = 10, range: Any = None, weights: ArrayLike | None = None) -> Array:
    """Return the edges of the bins of a histogram.

    Parameters
    ----------
    a : array_like
        The elements.
    bins : int or array_like
        How many bins of equal width, or the edges.
    range : pair of scalar, optional
        The ends of the bins; the least and the greatest element if left out.
    weights : array_like, optional
        Accepted for JAX's sake.

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
        raise NotImplementedError(f"histogram_bin_edges: bins is a number or the edges, got {bins!r}")
    x = operand(a, "histogram_bin_edges")
    return _edges(x, operand(bins, "histogram_bin_edges", 1), range)


def _edges(x: Array, bins: Array, ends: Any) -> Array:
    node = strong(to_inexact(x._node))
    if bins.ndim == 1:
        return wrap(cast(bins._data, node), node)
    if bins.ndim or bins._node.kind not in "iu":
        raise TypeError(f"histogram: bins is a whole number or a vector of edges, got shape {bins.shape}, dtype {bins.dtype}")
    if ends is None:
        if not x.size:
            raise ValueError("histogram: with no elements, range says where the bins are")
        data = comparable(x._data, x._node)
        low, high = data.min(), data.max()
    else:
        given = as_array(ends)
        if given.shape != (2,):
            raise ValueError(f"histogram: range is a pair of scalars, got shape {given.shape}")
        # A pair of Python numbers has the digits of the edges, not of the default dtype.
        pair = np.asarray(ends) if isinstance(ends, tuple | list) and {*map(type, ends)} == {float} else given._data
        low, high = comparable(cast(pair, node), node)
    low, high = (cast(np.asarray(end), node) for end in (low, high))
    if low == high:
        half = cast(np.asarray(0.5), node)
        low, high = np.asarray(low - half), np.asarray(high + half)
    edges: Array = linspace(wrap(low, node), wrap(high, node), int(bins._data) + 1, dtype=node.dtype)
    return edges


def _bins_of(x: Buffer, edges: Buffer, node: Node) -> Buffer:
    """Return for each element the number of the edge after it; the last edge belongs to the last bin."""
    wanted, ordered = comparable(x, node), comparable(edges, node)
    found = np.searchsorted(ordered, wanted, "right")
    return np.where(wanted == ordered[-1:], len(ordered) - 1, found)


def histogram(
    a: ArrayLike,
    bins: ArrayLike = 10,
    range: Any = None,
    weights: ArrayLike | None = None,
    density: bool | None = None,
) -> tuple[Array, Array]:
    """Count elements in bins.

    Parameters
    ----------
    a : array_like
        The elements.
    bins : int or array_like
        How many bins of equal width, or the edges.
    range : pair of scalar, optional
        The ends of the bins; the least and the greatest element if left out.
    weights : array_like, optional
        What each element counts; 1 if left out.
    density : bool, optional
        Whether to divide by the widths of the bins and by the sum.

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
    operand(bins, "histogram", 1)
    x, weight, node = _weighted(a, weights, "histogram")
    if weight is not None and weight.shape != x.shape:
        raise ValueError(f"histogram: there is a weight for each element, got shapes {x.shape} and {weight.shape}")
    edges = histogram_bin_edges(x, bins, range)
    places = _bins_of(x._data.reshape(-1), edges._data, node)
    flat = None if weight is None else wrap(weight._data.reshape(-1), node)
    counts = _sums(places, flat, edges.size, node)[1:]
    if not density:
        return wrap(counts, node), edges
    wide = comparable(counts, node)
    shares = wide / np.diff(comparable(edges._data, edges._node)) / wide.sum()
    return wrap(cast(shares, node), node), edges


def _weighted(a: ArrayLike, weights: ArrayLike | None, function: str) -> tuple[Array, Array | None, Node]:
    """Return elements and weights in the floating node they meet at."""
    given = operands(function, a) if weights is None else operands(function, a, weights)
    node = strong(to_inexact(state().join_all([x._node for x in given])))
    arrays = [wrap(cast(x._data, node), node) for x in given]
    return arrays[0], arrays[1] if len(arrays) > 1 else None, node


def histogramdd(
    sample: Any,
    bins: ArrayLike = 10,
    range: Any = None,
    weights: ArrayLike | None = None,
    density: bool | None = None,
) -> tuple[Array, list[Array]]:
    """Count points in a grid of bins.

    Parameters
    ----------
    sample : array_like
        A matrix with a row for each point and a column for each dimension.
    bins : int or sequence
        How many bins of equal width, or the edges, for each dimension.
    range : sequence of pair, optional
        The ends of the bins for each dimension, or None for the least and the greatest coordinate.
    weights : array_like, optional
        What each point counts; 1 if left out.
    density : bool, optional
        Whether to divide by the volumes of the bins and by the sum.

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
        raise ValueError(f"histogramdd: the sample is a matrix, got shape {x.shape}")
    if weight is not None and weight.shape != x.shape[:1]:
        raise ValueError(f"histogramdd: there is a weight for each of the {len(x)} points, got shape {weight.shape}")
    return _on_grid(list(x._data.T), node, bins, range, weight, density)


def _on_grid(
    columns: list[Buffer], node: Node, bins: ArrayLike, ends: Any, weight: Array | None, density: bool | None
) -> tuple[Array, list[Array]]:
    dimensions = len(columns)
    if ends is not None and (len(ends) != dimensions or any(pair is not None and np.shape(pair) != (2,) for pair in ends)):
        raise ValueError(f"histogramdd: range holds a pair or None for each of {dimensions} dimensions, got {ends!r}")
    choices = list(bins) if np.iterable(bins) else [bins] * dimensions
    if len(choices) != dimensions:
        raise ValueError(f"histogramdd: there are bins for each of {dimensions} dimensions, got {len(choices)}")
    edges = [
        histogram_bin_edges(wrap(column, node), choice, None if ends is None else ends[i])
        for i, (column, choice) in enumerate(zip(columns, choices, strict=True))
    ]
    # Places 0 and the last one hold what lies outside.
    shape = [edge.size + 1 for edge in edges]
    places = np.zeros(len(columns[0]), np.int64)
    for column, edge, length in zip(columns, edges, shape, strict=True):
        places = places * length + _bins_of(column, edge._data, node)
    result = node if weight is not None else state().int_
    counts = _sums(places, weight, math.prod(shape), result).reshape(shape)[(slice(1, -1),) * dimensions]
    if not density:
        return wrap(counts, result), edges
    shares = counts / counts.sum()
    for i, edge in enumerate(edges):
        widths = np.diff(comparable(edge._data, node))
        shares = shares / widths.reshape([-1 if j == i else 1 for j in np.arange(dimensions)])
    return wrap(cast(shares, node), node), edges


def histogram2d(
    x: ArrayLike,
    y: ArrayLike,
    bins: ArrayLike = 10,
    range: Any = None,
    weights: ArrayLike | None = None,
    density: bool | None = None,
) -> tuple[Array, Array, Array]:
    """Count points in a rectangle of bins.

    Parameters
    ----------
    x, y : array_like
        The coordinates.
    bins : int, Array or pair of those
        How many bins of equal width, or the edges.
    range : pair of pair, optional
        The ends of the bins for each dimension.
    weights : array_like, optional
        What each point counts; 1 if left out.
    density : bool, optional
        Whether to divide by the areas of the bins and by the sum.

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
        raise ValueError(f"histogram2d: x and y are vectors of one length, got shapes {first.shape} and {second.shape}")
    if isinstance(bins, str):
        raise TypeError(f"histogram2d: bins is a number, edges, or a pair of those, got {shown(bins)}")
    if hasattr(bins, "__len__") and len(bins) not in (1, 2):
        bins = [as_array(bins)] * 2
    met = state().join(first._node, second._node)
    sample = wrap(np.stack([cast(first._data, met), cast(second._data, met)], axis=1), met)
    counts, edges = histogramdd(sample, bins, range, weights, density)
    return counts, edges[0], edges[1]


publish(__name__)
