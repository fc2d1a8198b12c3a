"""Quantiles, percentiles and medians, of all elements or of those that are not NaN."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import ShapeError, check_choice, describe
from supremum._base.porting import warn
from supremum._core.array import Array, ArrayLike, Axis, wrap
from supremum._core.conversion import Buffer, in_dtype, normalize_axes, operand
from supremum._core.dtype_objects import to_inexact
from supremum._core.reduction_rows import accumulator
from supremum._core.settings import state
from supremum._functions.statistical.averages import align_weights
from supremum._kernels.casts import cast
from supremum._kernels.order import put_in_place
from supremum._kernels.plain import numeric as plain
from supremum.promotion._nodes import Node

__all__ = ["median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile"]

QuantileMethod: TypeAlias = Literal["linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf"]
_METHODS: Final = get_args(QuantileMethod)


class _Function(NamedTuple):
    """One row of the table."""

    name: str
    #: What `q` is a fraction of.
    whole: int = 1
    #: Whether NaN is left out; otherwise it is the result.
    skip_nan: bool = False


_QUANTILE: Final = _Function("quantile")
_PERCENTILE: Final = _Function("percentile", whole=100)
_MEDIAN: Final = _Function("median")
_NANQUANTILE: Final = _Function("nanquantile", skip_nan=True)
_NANPERCENTILE: Final = _Function("nanpercentile", whole=100, skip_nan=True)
_NANMEDIAN: Final = _Function("nanmedian", skip_nan=True)


def _one(function: _Function, x: Buffer, q: Any) -> Any:
    """Compute one quantile of all elements of a buffer."""
    if type(q) is not float:
        return NotImplemented
    # As in `_fractions`, a Python number has the default dtype, or that of the elements if it is wider.
    node = state().float_
    number: Any = x.dtype.type if x.dtype.itemsize == 8 else node.dtype.type
    fraction = number(q) if function.whole == 1 else number(q) / number(function.whole)
    return plain.quantile(x, fraction, middle=function in (_MEDIAN, _NANMEDIAN))


@public(role="mean", plain=Plain(partial(_one, _QUANTILE), kinds="f"), axis="axis", none="all", operands="a q")
def quantile(
    a: ArrayLike,
    q: ArrayLike,
    axis: Axis = None,
    out: None = None,
    overwrite_input: bool = False,
    method: QuantileMethod = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
) -> Array:
    """Compute quantiles of the elements; NaN if there is one.

    Parameters
    ----------
    a
    q : array_like
        Quantiles to compute, from 0 to 1: a number or a 1-d array.
    axis, out
    overwrite_input : bool
        Not supported.
    method : {"linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf"}
        How to compute a quantile that lies between two elements.
    keepdims
    weights : array_like, optional
        Weights of the elements; for ``method="inverted_cdf"`` only.

    Returns
    -------
    Array
        The quantiles, along a first axis if `q` is an array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.quantile(xp.asarray([1.0, 2.0, 4.0]), 0.75)
    Array(3., dtype=float32)
    """
    return _quantiles(_QUANTILE, a, q, axis, out, overwrite_input, method, keepdims, weights)


@public(role="mean", plain=Plain(partial(_one, _PERCENTILE), kinds="f"), axis="axis", none="all", operands="a q")
def percentile(
    a: ArrayLike,
    q: ArrayLike,
    axis: Axis = None,
    out: None = None,
    overwrite_input: bool = False,
    method: QuantileMethod = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
    out_sharding: object = None,
) -> Array:
    """Compute percentiles of the elements; NaN if there is one.

    Parameters
    ----------
    a, axis, out, overwrite_input, method, keepdims, weights
        As for `quantile`.
    q : array_like
        Percentiles to compute, from 0 to 100: a number or a 1-d array.
    out_sharding : object, optional
        Ignored; accepted for compatibility with JAX.

    Returns
    -------
    Array
        The percentiles, along a first axis if `q` is an array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.percentile(xp.asarray([1.0, 2.0, 4.0]), 75)
    Array(3., dtype=float32)
    """
    return _quantiles(_PERCENTILE, a, q, axis, out, overwrite_input, method, keepdims, weights)


@public(role="mean", plain=Plain(partial(_one, _MEDIAN, q=0.5), kinds="f"), axis="axis", none="all")
def median(a: ArrayLike, axis: Axis = None, out: None = None, overwrite_input: bool = False, keepdims: bool = False) -> Array:
    """Compute the median of the elements; NaN if there is one.

    Parameters
    ----------
    a, axis, out, overwrite_input, keepdims
        As for `quantile`.

    Returns
    -------
    Array
        The medians; the mean of the two middle elements if their number is even.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.median(xp.asarray([1.0, 2.0, 4.0]))
    Array(2., dtype=float32)
    """
    return _quantiles(_MEDIAN, a, 0.5, axis, out, overwrite_input, "midpoint", keepdims, None)


@public(role="mean", plain=Plain(partial(_one, _NANQUANTILE), kinds="f"), axis="axis", none="all", operands="a q")
def nanquantile(
    a: ArrayLike,
    q: ArrayLike,
    axis: Axis = None,
    out: None = None,
    overwrite_input: bool = False,
    method: QuantileMethod = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
) -> Array:
    """Compute quantiles of the elements that are not NaN.

    Parameters
    ----------
    a, q, axis, out, overwrite_input, method, keepdims, weights
        As for `quantile`.

    Returns
    -------
    Array
        The quantiles, along a first axis if `q` is an array; NaN where all elements are NaN.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanquantile(xp.asarray([1.0, 2.0, 4.0, xp.nan]), 0.75)
    Array(3., dtype=float32)
    """
    return _quantiles(_NANQUANTILE, a, q, axis, out, overwrite_input, method, keepdims, weights)


@public(role="mean", plain=Plain(partial(_one, _NANPERCENTILE), kinds="f"), axis="axis", none="all", operands="a q")
def nanpercentile(
    a: ArrayLike,
    q: ArrayLike,
    axis: Axis = None,
    out: None = None,
    overwrite_input: bool = False,
    method: QuantileMethod = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
) -> Array:
    """Compute percentiles of the elements that are not NaN.

    Parameters
    ----------
    a, q, axis, out, overwrite_input, method, keepdims, weights
        As for `percentile`.

    Returns
    -------
    Array
        The percentiles, along a first axis if `q` is an array; NaN where all elements are NaN.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanpercentile(xp.asarray([1.0, 2.0, 4.0, xp.nan]), 75)
    Array(3., dtype=float32)
    """
    return _quantiles(_NANPERCENTILE, a, q, axis, out, overwrite_input, method, keepdims, weights)


@public(role="mean", plain=Plain(partial(_one, _NANMEDIAN, q=0.5), kinds="f"), axis="axis", none="all")
def nanmedian(
    a: ArrayLike, axis: Axis = None, out: None = None, overwrite_input: bool = False, keepdims: bool = False
) -> Array:
    """Compute the median of the elements that are not NaN.

    Parameters
    ----------
    a, axis, out, overwrite_input, keepdims
        As for `quantile`.

    Returns
    -------
    Array
        The medians, as of `median`; NaN where all elements are NaN.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanmedian(xp.asarray([1.0, 2.0, 4.0, xp.nan]))
    Array(2., dtype=float32)
    """
    return _quantiles(_NANMEDIAN, a, 0.5, axis, out, overwrite_input, "midpoint", keepdims, None)


# -- the computation ----------------------------------------------------------------------------------------------------------


def _quantiles(
    function: _Function,
    a: ArrayLike,
    q: ArrayLike,
    axis: Axis,
    out: object,
    overwrite_input: bool,
    method: str,
    keepdims: bool,
    weights: ArrayLike | None,
) -> Array:
    """Check the arguments and compute the quantiles."""
    name = function.name
    x, which = operand(a, name), operand(q, name, 1)
    factors = None if weights is None else operand(weights, name, 2)
    if overwrite_input or out is not None:
        raise ValueError(f"{name}: overwrite_input=True and out= are not supported; use the result")
    check_choice(method, "method", _METHODS, name)
    if which.ndim > 1:
        raise ValueError(f"{name}: q must be a number or a 1-d array, got shape {which.shape}")
    node = _result_node(name, x, factors, method)
    wide = accumulator(node)
    axes = normalize_axes(axis, x.ndim, name)
    spread = None
    if factors is not None:
        spread = np.broadcast_to(align_weights(name, cast(factors._data, wide), x.shape, axes, axis), x.shape)
    fractions = _fractions(function, q, which, node)
    rows, points = _rows(cast(x._data, wide), axes), fractions.reshape(-1)
    if not rows.shape[-1]:
        raise ShapeError(f"{name} needs at least one element, got shape {x.shape}")
    if method == "inverted_cdf":
        found = _by_weight(rows, points, None if spread is None else _rows(spread, axes), skip_nan=function.skip_nan)
    else:
        found = _by_position(rows, points, method, skip_nan=function.skip_nan)
    shape = tuple([1 if i in axes else n for i, n in enumerate(x.shape)]) if keepdims else rows.shape[:-1]
    # The axis of `q` is the last one of what is found, and the first one of the result.
    return wrap(cast(np.moveaxis(found, -1, 0).reshape(fractions.shape + shape), node), node)


def _result_node(name: str, x: Array, weights: Array | None, method: str) -> Node:
    """Return the node of the result."""
    settings = state()
    node = settings.truncate(x._node)
    if weights is not None:
        if weights._node.kind == "c":
            raise ValueError(f"{name}: weights must be real, got dtype {weights.dtype}")
        if method != "inverted_cdf":
            raise NotImplementedError(f"{name}: weights need method='inverted_cdf', got method={describe(method)}")
        node = settings.join(node, settings.truncate(weights._node))
    if node.kind == "c":
        raise ValueError(f"{name} does not accept dtype {x.dtype}: complex numbers have no order")
    return to_inexact(node).strong


def _fractions(function: _Function, q: ArrayLike, which: Array, node: Node) -> Buffer:
    """Return `q` as fractions of 1, in its own dtype, or in float32 if that is narrower.

    A Python number has the precision of the result.
    """
    own = to_inexact(which._node) if function.whole != 1 else which._node
    if own.kind != "f":
        name = function.name
        raise TypeError(f"{name}: q must be a floating-point number, got dtype {which.dtype}; write it as {name}(x, 0.5)")
    if isinstance(q, int | float) and (q < 0 or q > function.whole):
        warn(f"{function.name}: q is between 0 and {function.whole}, got {q}; the result is that of the nearest bound")
    if own.weak and node.bits == 64:
        own = node
    fractions = in_dtype(q, which, accumulator(own))
    return fractions if function.whole == 1 else np.asarray(fractions / fractions.dtype.type(function.whole))


def _rows(data: Buffer, axes: tuple[int, ...]) -> Buffer:
    """Move the reduced axes to the end and flatten them to one."""
    kept = [i for i in range(data.ndim) if i not in axes]
    shape = [data.shape[i] for i in kept]
    count = math.prod([data.shape[i] for i in axes])
    return data.transpose([*kept, *sorted(axes)]).reshape([*shape, count])


def _by_position(rows: Buffer, q: Buffer, method: str, *, skip_nan: bool) -> Buffer:
    """Interpolate between the two elements nearest to the position of each quantile in sorted rows."""
    count: Any = rows.shape[-1]
    if skip_nan:
        count = (count - np.isnan(rows).sum(-1))[..., None]
    last = np.asarray(count - 1)
    # The position is rounded to the dtype of `q`, which decides between neighbours as in JAX.
    position = np.multiply(q, last.astype(q.dtype))
    low, high = np.floor(position), np.ceil(position)
    weight = (position - low).astype(rows.dtype)
    below, above = (np.maximum(np.minimum(_index(place), last), 0) for place in (low, high))
    rows = rows.copy()
    put_in_place(rows, below, above, rows.shape[-1] - 1)
    shape = rows.shape[:-1] + q.shape
    first, second = (np.take_along_axis(rows, np.broadcast_to(place, shape), -1) for place in (below, above))
    found = _interpolate(method, first, second, weight)
    if not skip_nan:
        found = np.where(np.isnan(rows[..., -1:]), rows.dtype.type(np.nan), found)
    return found


def _index(place: Buffer) -> Buffer:
    return np.nan_to_num(place.astype(np.float64)).astype(np.int64)


def _interpolate(method: str, low: Buffer, high: Buffer, weight: Buffer) -> Buffer:
    """Interpolate between two neighbours; `weight` is the distance from the lower one, from 0 to 1."""
    if method == "lower":
        return low
    if method == "higher":
        return high
    if method == "nearest":
        return np.where(weight <= 0.5, low, high)
    return (low + high) * low.dtype.type(0.5) if method == "midpoint" else low * (1 - weight) + high * weight


def _by_weight(rows: Buffer, q: Buffer, weights: Buffer | None, *, skip_nan: bool) -> Buffer:
    """Find the first element at which the cumulative weight reaches the fraction `q` of the total."""
    rows = rows.copy()  # NumPy writes out of bounds where another thread changes what it sorts
    order = np.argsort(rows, axis=-1, kind="stable")
    rows = np.take_along_axis(rows, order, -1)
    missing = np.isnan(rows)
    weights = np.ones_like(rows) if weights is None else np.take_along_axis(weights, order, -1)
    bad = (weights < 0) | np.isnan(weights)
    reached = np.add.accumulate(np.where(bad | missing, 0, weights).astype(rows.dtype), -1)
    targets = q.astype(rows.dtype) * reached[..., -1:]
    index = (reached[..., None, :] < targets[..., None]).sum(-1)
    valid = (~missing).sum(-1, keepdims=True) if skip_nan else rows.shape[-1]
    found = np.take_along_axis(rows, np.maximum(np.minimum(index, valid - 1), 0), -1)
    unknown = missing.all(-1, keepdims=True) if skip_nan else missing.any(-1, keepdims=True)
    return np.where(bad.any(-1, keepdims=True) | unknown, rows.dtype.type(np.nan), found)
