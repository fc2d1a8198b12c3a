"""Quantiles, percentiles and medians, of all elements or of those that are not NaN."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from supremum._base.boundary import publish
from supremum._base.errors import ShapeError, shown
from supremum._core.arguments import Buffer, normalize_axes, strong
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand
from supremum._core.dtypes import to_inexact
from supremum._core.reductions import accumulator, in_dtype
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum.promotion._nodes import Node

__all__ = ["median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile"]

_METHODS: Final = ("linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf")


@dataclass(frozen=True)
class _Request:
    """What one call asks for, checked."""

    function: str
    data: Buffer
    node: Node
    axes: tuple[int, ...]
    q: Buffer
    method: str
    keepdims: bool
    skip_nan: bool
    weights: Buffer | None

    @property
    def kept(self) -> tuple[int, ...]:
        """The lengths of the axes that stay."""
        return tuple([n for i, n in enumerate(self.data.shape) if i not in self.axes])


def quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> Array:
    """Quantiles of the elements; NaN where there is one.

    Parameters
    ----------
    a : Array
        The array.
    q : float or Array
        Which quantiles, from 0 to 1; a number or a 1-d array of them.
    axis : int or tuple of int, optional
        What to look through; everything by default.
    out : None
        Not supported.
    overwrite_input : bool
        Not supported.
    method : {"linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf"}
        What to give between two elements.
    keepdims : bool
        Whether the axes stay, with length 1.
    weights : Array, optional
        How much each element counts; with ``method="inverted_cdf"`` only.

    Returns
    -------
    Array
        The quantiles, along a first axis where `q` is an array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.quantile(xp.asarray([1.0, 2.0, 4.0]), 0.75)
    Array(3., dtype=float32)
    """
    return _quantiles("quantile", a, q, axis, out, overwrite_input, method, keepdims, weights)


def percentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
    out_sharding: Any = None,  # noqa: ARG001 - there is one device
) -> Array:
    """Percentiles of the elements; NaN where there is one.

    Parameters
    ----------
    a : Array
        The array.
    q : float or Array
        Which percentiles, from 0 to 100; a number or a 1-d array of them.
    axis : int or tuple of int, optional
        What to look through; everything by default.
    out : None
        Not supported.
    overwrite_input : bool
        Not supported.
    method : {"linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf"}
        What to give between two elements.
    keepdims : bool
        Whether the axes stay, with length 1.
    weights : Array, optional
        How much each element counts; with ``method="inverted_cdf"`` only.
    out_sharding : object, optional
        Accepted for JAX's sake.

    Returns
    -------
    Array
        The percentiles, along a first axis where `q` is an array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.percentile(xp.asarray([1.0, 2.0, 4.0]), 75)
    Array(3., dtype=float32)
    """
    return _quantiles("percentile", a, q, axis, out, overwrite_input, method, keepdims, weights, per_cent=True)


def median(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Array:
    """Median of the elements; NaN where there is one.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        What to look through; everything by default.
    out : None
        Not supported.
    overwrite_input : bool
        Not supported.
    keepdims : bool
        Whether the axes stay, with length 1.

    Returns
    -------
    Array
        The medians; the mean of the two middle elements where their number is even.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.median(xp.asarray([1.0, 2.0, 4.0]))
    Array(2., dtype=float32)
    """
    return _quantiles("median", a, 0.5, axis, out, overwrite_input, "midpoint", keepdims, None)


def nanquantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> Array:
    """Quantiles of the elements that are not NaN.

    Parameters
    ----------
    a : Array
        The array.
    q : float or Array
        Which quantiles, from 0 to 1; a number or a 1-d array of them.
    axis : int or tuple of int, optional
        What to look through; everything by default.
    out : None
        Not supported.
    overwrite_input : bool
        Not supported.
    method : {"linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf"}
        What to give between two elements.
    keepdims : bool
        Whether the axes stay, with length 1.
    weights : Array, optional
        How much each element counts; with ``method="inverted_cdf"`` only.

    Returns
    -------
    Array
        The quantiles, along a first axis where `q` is an array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanquantile(xp.asarray([1.0, 2.0, 4.0, xp.nan]), 0.75)
    Array(3., dtype=float32)
    """
    return _quantiles("nanquantile", a, q, axis, out, overwrite_input, method, keepdims, weights)


def nanpercentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> Array:
    """Percentiles of the elements that are not NaN.

    Parameters
    ----------
    a : Array
        The array.
    q : float or Array
        Which percentiles, from 0 to 100; a number or a 1-d array of them.
    axis : int or tuple of int, optional
        What to look through; everything by default.
    out : None
        Not supported.
    overwrite_input : bool
        Not supported.
    method : {"linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf"}
        What to give between two elements.
    keepdims : bool
        Whether the axes stay, with length 1.
    weights : Array, optional
        How much each element counts; with ``method="inverted_cdf"`` only.

    Returns
    -------
    Array
        The percentiles, along a first axis where `q` is an array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanpercentile(xp.asarray([1.0, 2.0, 4.0, xp.nan]), 75)
    Array(3., dtype=float32)
    """
    return _quantiles("nanpercentile", a, q, axis, out, overwrite_input, method, keepdims, weights, per_cent=True)


def nanmedian(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Array:
    """Median of the elements that are not NaN.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        What to look through; everything by default.
    out : None
        Not supported.
    overwrite_input : bool
        Not supported.
    keepdims : bool
        Whether the axes stay, with length 1.

    Returns
    -------
    Array
        The medians; the mean of the two middle elements where their number is even.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanmedian(xp.asarray([1.0, 2.0, 4.0, xp.nan]))
    Array(2., dtype=float32)
    """
    return _quantiles("nanmedian", a, 0.5, axis, out, overwrite_input, "midpoint", keepdims, None)


# -- what they share ---------------------------------------------------------------------------------------------------------


def _quantiles(
    function: str,
    a: Any,
    q: Any,
    axis: Any,
    out: Any,
    overwrite_input: bool,
    method: str,
    keepdims: bool,
    weights: Any,
    *,
    per_cent: bool = False,
) -> Array:
    """Check and compute."""
    x, which = operand(a, function), operand(q, function, 1)
    given_weights = None if weights is None else operand(weights, function, 2)
    if overwrite_input or out is not None:
        msg = f"{function}: overwrite_input=True and out= are not supported; use the result"
        raise ValueError(msg)
    if method not in _METHODS:
        msg = f"{function}: method must be one of {', '.join(_METHODS)}, got {shown(method)}"
        raise ValueError(msg)
    if which.ndim > 1:
        msg = f"{function}: q must be a number or a 1-d array, got shape {which.shape}"
        raise ValueError(msg)
    node = _node(function, x, given_weights, method)
    fold = accumulator(node)
    axes = normalize_axes(axis, x.ndim, function)
    spread = None if given_weights is None else _spread_weights(function, x, given_weights, axes, axis, fold)
    fractions = _fractions(function, q, which, node, per_cent=per_cent)
    data = cast(x._data, fold)
    skip = function.startswith("nan")
    return _answer(_Request(function, data, node, axes, fractions, method, bool(keepdims), skip, spread))


def _node(function: str, x: Array, weights: Array | None, method: str) -> Node:
    """Give the node of the result."""
    here = state()
    node = here.truncate(x._node)
    if weights is not None:
        if weights._node.kind == "c":
            msg = f"{function}: weights must be real, got dtype {weights.dtype}"
            raise ValueError(msg)
        if method != "inverted_cdf":
            msg = f"{function}: weights go with method='inverted_cdf' only, got method={shown(method)}"
            raise NotImplementedError(msg)
        node = here.join(node, here.truncate(weights._node))
    if node.kind == "c":
        msg = f"{function} does not accept dtype {x.dtype}: complex numbers have no order"
        raise ValueError(msg)
    return strong(to_inexact(node))


def _fractions(function: str, q: Any, which: Array, node: Node, *, per_cent: bool) -> Buffer:
    """Give q from 0 to 1, in its own dtype (float32 for a narrower one), with the digits of the result for a Python number."""
    own = to_inexact(which._node) if per_cent else which._node
    if own.kind != "f":
        msg = f"{function}: q must be a floating-point number, got dtype {which.dtype}; write it as {function}(x, 0.5)"
        raise TypeError(msg)
    if own.weak and node.bits == 64:
        own = node
    wide = accumulator(own)
    fractions = in_dtype(q, which, wide)
    return np.asarray(fractions / wide.dtype.type(100)) if per_cent else fractions  # type: ignore[union-attr]  # nodes of arrays have dtypes


def _spread_weights(function: str, x: Array, weights: Array, axes: tuple[int, ...], axis: Any, fold: Node) -> Buffer:
    """Broadcast weights along the axes that they are for."""
    data = cast(weights._data, fold)
    if data.shape == x.shape:
        return data
    if axis is None or data.shape != tuple([x.shape[i] for i in axes]):
        msg = f"{function}: weights of shape {data.shape} fit neither the array's shape {x.shape} nor axis={shown(axis)}"
        raise ValueError(msg)
    order = np.argsort(axes)
    shape = [n if i in axes else 1 for i, n in enumerate(x.shape)]
    return np.broadcast_to(data.transpose(order).reshape(shape), x.shape)


def _rows(data: Buffer, axes: tuple[int, ...]) -> Buffer:
    """Give the elements to look through along a last axis of their own."""
    kept = [i for i in range(data.ndim) if i not in axes]
    shape = [data.shape[i] for i in kept]
    count = int(np.prod([data.shape[i] for i in axes], dtype=np.int64))
    return data.transpose([*kept, *sorted(axes)]).reshape([*shape, count])


def _answer(request: _Request) -> Array:
    rows = _rows(request.data, request.axes)
    if not rows.shape[-1]:
        raise ShapeError(f"{request.function} needs at least one element, got shape {request.data.shape}")
    find = _by_weight if request.method == "inverted_cdf" else _by_position
    found = find(request, rows)
    # `found` has the axes that stay, then that of q.
    found = np.moveaxis(found, -1, 0).reshape(request.q.shape + request.kept)
    if request.keepdims:
        axes = request.axes
        ones = tuple([1 if i in axes else n for i, n in enumerate(request.data.shape)])
        found = found.reshape(request.q.shape + ones)
    return wrap(cast(found, request.node), request.node)


def _by_position(request: _Request, rows: Buffer) -> Buffer:
    """Give what lies at a fraction of the way from the first to the last, in order."""
    count: Any = rows.shape[-1]
    q = request.q.reshape(-1)
    if request.skip_nan:
        rows = np.sort(rows, axis=-1)
        count = (count - np.isnan(rows).sum(-1))[..., None]
    last = np.asarray(count - 1)
    # The position is rounded to the dtype of q: that decides between neighbours as JAX does.
    position = np.multiply(q, last.astype(q.dtype))
    low, high = np.floor(position), np.ceil(position)
    weight = (position - low).astype(rows.dtype)
    below, above = (np.maximum(np.minimum(_index(place), last), 0) for place in (low, high))
    if not request.skip_nan:
        places = np.unique(np.concatenate([below, above, [rows.shape[-1] - 1]]))
        rows = np.partition(rows, places, axis=-1)
    shape = rows.shape[:-1] + q.shape
    first, second = (np.take_along_axis(rows, np.broadcast_to(place, shape), -1) for place in (below, above))
    found = _between(request.method, first, second, weight)
    if not request.skip_nan:
        found = np.where(np.isnan(rows[..., -1:]), rows.dtype.type(np.nan), found)
    return found


def _index(place: Buffer) -> Buffer:
    return np.nan_to_num(place.astype(np.float64)).astype(np.int64)


def _between(method: str, low: Buffer, high: Buffer, weight: Buffer) -> Buffer:
    """Give what a method makes of two neighbours and how far the position is from the first."""
    if method == "lower":
        return low
    if method == "higher":
        return high
    if method == "nearest":
        return np.where(weight <= 0.5, low, high)
    if method == "midpoint":
        return (low + high) * low.dtype.type(0.5)
    return low * (1 - weight) + high * weight


def _by_weight(request: _Request, rows: Buffer) -> Buffer:
    """Give the first element at which the weights so far reach a fraction of them all."""
    order = np.argsort(rows, axis=-1, kind="stable")
    rows = np.take_along_axis(rows, order, -1)
    missing = np.isnan(rows)
    if request.weights is None:
        weights = np.ones_like(rows)
    else:
        weights = np.take_along_axis(_rows(request.weights, request.axes), order, -1)
    bad = (weights < 0) | np.isnan(weights)
    reached = np.add.accumulate(np.where(bad | missing, 0, weights).astype(rows.dtype), -1)
    targets = request.q.reshape(-1).astype(rows.dtype) * reached[..., -1:]
    index = (reached[..., None, :] < targets[..., None]).sum(-1)
    valid = (~missing).sum(-1, keepdims=True) if request.skip_nan else rows.shape[-1]
    found = np.take_along_axis(rows, np.maximum(np.minimum(index, valid - 1), 0), -1)
    unknown = missing.all(-1, keepdims=True) if request.skip_nan else missing.any(-1, keepdims=True)
    return np.where(bad.any(-1, keepdims=True) | unknown, rows.dtype.type(np.nan), found)


publish(__name__)
