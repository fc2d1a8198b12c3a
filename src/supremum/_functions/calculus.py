"""Differences, gradients, integrals, interpolation, convolution: numerical calculus on samples."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from supremum._base.boundary import publish
from supremum._base.errors import ShapeError, shown
from supremum._core.arguments import Buffer, in_accumulator, normalize_axes, normalize_axis, strong
from supremum._core.array import Array, binary, wrap
from supremum._core.conversion import as_array, operand, operands
from supremum._core.dtypes import requested, to_inexact
from supremum._core.plans import BINARY
from supremum._core.reductions import accumulator, in_dtype
from supremum._core.settings import state
from supremum._functions.linear_algebra._matrices import inexact
from supremum._functions.linear_algebra.contractions import check_precision
from supremum._kernels.casts import cast
from supremum.promotion._nodes import Node

__all__ = ["convolve", "correlate", "ediff1d", "gradient", "interp", "trapezoid"]

#: The kinds of `preferred_element_type` that JAX takes for operands of a kind.
_PREFERABLE: Final = {"b": "biufc", "i": "if", "u": "iuf", "f": "f", "c": "c"}


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Array:
    """Differences of neighbours in the flattened array, with numbers before and after them.

    Parameters
    ----------
    ary : Array
        The array.
    to_end, to_begin : Array, optional
        What to put after and before the differences.

    Returns
    -------
    Array
        The differences, in the array's dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.ediff1d(xp.asarray([1, 4, 9]), to_begin=0)
    Array([0, 3, 5], dtype=int32)
    """
    x = operand(ary, "ediff1d")
    if x._node.kind == "b":
        msg = "ediff1d does not accept dtype bool; cast with .astype(int)"
        raise TypeError(msg)
    flat = x._data.reshape(-1)
    differences = binary(BINARY["subtract"], wrap(flat[1:], x._node), wrap(flat[:-1], x._node))
    if to_begin is None and to_end is None:
        return differences
    ends = [None if end is None else in_dtype(end, operand(end, "ediff1d"), x._node).reshape(-1) for end in (to_begin, to_end)]
    parts = [part for part in (ends[0], differences._data, ends[1]) if part is not None]
    return wrap(np.concatenate(parts), strong(x._node))


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: Any = None) -> Any:
    """Derivatives of a function given by samples: central differences inside, one-sided ones at the ends.

    Parameters
    ----------
    f : Array
        The samples.
    *varargs : float or Array
        The distance between samples, or their places: one for all axes, or one for each.
    axis : int or tuple of int, optional
        The axes to differentiate along; all by default.
    edge_order : {1, 2}, optional
        The order of the differences at the ends, 1 by default: of two samples, or of three.

    Returns
    -------
    Array or list of Array
        The derivatives along each axis.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.gradient(xp.asarray([1.0, 2.0, 4.0, 7.0]))
    Array([1. , 1.5, 2.5, 3. ], dtype=float32)
    """
    order = 1 if edge_order is None else edge_order
    if order not in (1, 2):
        raise ValueError(f"gradient: edge_order is 1 or 2, got {shown(edge_order)}")
    node, (data, *spacing) = inexact("gradient", f, *varargs)
    axes = normalize_axes(axis, data.ndim, "gradient")
    if not axes:
        return []
    if min(data.shape[i] for i in axes) < order + 1:
        msg = f"gradient needs at least {order + 1} elements along each axis, got shape {data.shape} and axis={axes}"
        raise ValueError(msg)
    if len(spacing) not in (0, 1, len(axes)):
        msg = f"gradient: got {len(spacing)} spacings for {len(axes)} axes; give one for all, or one for each"
        raise TypeError(msg)
    steps = spacing * len(axes) if len(spacing) == 1 else spacing or [np.ones((), data.dtype)] * len(axes)
    found = [wrap(cast(_slope(data, step, i, order), node), node) for i, step in zip(axes, steps, strict=True)]
    return found[0] if len(found) == 1 else found


def _slope(data: Buffer, step: Buffer, axis: int, order: int) -> Buffer:
    """Give the derivative along one axis."""
    y = np.moveaxis(data, axis, -1)
    if step.ndim > 1:
        msg = f"gradient: a spacing is a number or a 1-d array, got shape {step.shape}"
        raise ValueError(msg)
    if step.ndim and len(step) != y.shape[-1]:
        msg = f"gradient: {len(step)} places do not fit {y.shape[-1]} samples along axis {axis}"
        raise ValueError(msg)
    out = np.empty(y.shape, y.dtype)
    if step.ndim:
        width = np.diff(step)
        before, after = width[:-1], width[1:]
        left, middle = -after / (before * (before + after)), (after - before) / (before * after)
        right = before / (after * (before + after))
        out[..., 1:-1] = left * y[..., :-2] + middle * y[..., 1:-1] + right * y[..., 2:]
        first, last = width[:2], -width[:-3:-1]
    else:
        out[..., 1:-1] = (y[..., 2:] - y[..., :-2]) * y.dtype.type(0.5) / step
        first, last = np.array([step, step]), np.array([-step, -step])
    out[..., 0] = _end_slope(y, first, order)
    out[..., -1] = _end_slope(y[..., ::-1], last, order)
    return np.moveaxis(out, -1, axis)


def _end_slope(y: Buffer, widths: Buffer, order: int) -> Buffer:
    """Give the derivative at the first sample, of the line through two samples or the parabola through three."""
    line = (y[..., 1] - y[..., 0]) / widths[0]
    if order == 1:
        return np.asarray(line)
    next_line = (y[..., 2] - y[..., 1]) / widths[1]
    return np.asarray(line - (next_line - line) * (widths[0] / (widths[0] + widths[1])))


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Array:
    """Integral of a function given by samples, by the trapezoidal rule.

    Parameters
    ----------
    y : Array
        The samples.
    x : Array, optional
        Their places.
    dx : float
        The distance between samples, where no places are given.
    axis : int
        The axis to integrate along.

    Returns
    -------
    Array
        The integrals.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.trapezoid(xp.asarray([1.0, 2.0, 3.0]))
    Array(4., dtype=float32)
    """
    here = state()
    if x is None:
        node, (samples,) = inexact("trapezoid", y)
        given = as_array(dx)
        result = here.join(node, here.truncate(given._node))
        width = in_dtype(dx, given, accumulator(result))
        if width.ndim:
            width = np.moveaxis(width.reshape((1,) * (samples.ndim - width.ndim) + width.shape), axis, -1)
    else:
        result, (samples, places) = inexact("trapezoid", y, x)
        width = np.diff(places) if places.ndim == 1 else np.moveaxis(np.diff(places, axis=axis), axis, -1)
    result = strong(result)
    position = normalize_axis(axis, samples.ndim, "trapezoid")
    samples = np.moveaxis(samples, position, -1)
    if not samples.shape[-1]:
        msg = f"trapezoid needs at least one sample along axis {axis}"
        raise IndexError(msg)
    return wrap(cast(_area(samples, width), result), result)


def _area(y: Buffer, width: Buffer) -> Buffer:
    half = np.float32(0.5)
    if width.ndim == 0 or width.shape[-1] == 1:
        each = width if width.ndim == 0 else width[..., 0]
        return np.asarray(each * (y.sum(-1) - half * (y[..., 0] + y[..., -1])))
    try:
        return np.asarray(half * (width * (y[..., 1:] + y[..., :-1])).sum(-1))
    except ValueError:
        shapes = f"{width.shape} distances and {y.shape} samples"
        raise ShapeError(f"trapezoid: {shapes} do not fit each other") from None


def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Array:
    """Linear interpolation of a function given by samples.

    Parameters
    ----------
    x : Array
        Where to interpolate.
    xp, fp : Array
        The places of the samples, ascending, and the samples.
    left, right : float or "extrapolate", optional
        What to give before the first place and after the last; the sample there by default.
    period : float, optional
        The period of the function; then the order of places does not matter, nor `left` and `right`.

    Returns
    -------
    Array
        The interpolated values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.interp(xp.asarray([0.5, 3.0]), xp.asarray([0.0, 1.0]), xp.asarray([10.0, 20.0]))
    Array([15., 20.], dtype=float32)
    """
    here = state()
    place_node, (where, places) = inexact("interp", x, xp)
    value_node, (values,) = inexact("interp", fp)
    if places.shape != values.shape or places.ndim != 1:
        raise ShapeError(f"interp: xp and fp must be 1-d arrays of equal length, got shapes {places.shape} and {values.shape}")
    if not len(places):
        msg = "interp needs at least one sample"
        raise IndexError(msg)
    if place_node.kind == "c":
        msg = "interp does not accept complex x: complex numbers have no order"
        raise ValueError(msg)
    for name, end in (("left", left), ("right", right)):
        if isinstance(end, str) and end != "extrapolate":
            msg = f"interp: the only string that {name} can be is 'extrapolate', got {shown(end)}"
            raise ValueError(msg)
    node = here.join(value_node, place_node)
    ends: list[Buffer | None] = [None, None]
    for end in (left, right):
        if not isinstance(end, str):
            given = value_node if end is None else operand(end, "interp")._node
            node = here.join(node, here.truncate(given))
    wide = accumulator(node)
    for i, (end, default) in enumerate(((left, values[0]), (right, values[-1]))):
        if not isinstance(end, str):
            ends[i] = cast(np.asarray(default), wide) if end is None else in_dtype(end, operand(end, "interp"), wide)
    if period is not None:
        where, places, values = _periodic(where, places, values, period)
        ends = [None, None]
    return wrap(cast(_interpolated(where, places, values, ends), node), node)


def _periodic(where: Buffer, places: Buffer, values: Buffer, period: Any) -> tuple[Buffer, Buffer, Buffer]:
    """Bring places into one period and repeat a sample of the neighbours on each side."""
    given = operand(period, "interp")
    if given.ndim:
        raise ShapeError(f"interp: period must be a number, got shape {given.shape}")
    length = np.abs((np.asarray(period) if type(period) is float else given._data).astype(places.dtype))
    where, places = np.asarray(where % length), places % length
    order = np.argsort(places, kind="stable")
    places, values = places[order], values[order]
    places = np.concatenate([places[-1:] - length, places, places[:1] + length])
    return where, places, np.concatenate([values[-1:], values, values[:1]])


def _interpolated(where: Buffer, places: Buffer, values: Buffer, ends: list[Buffer | None]) -> Buffer:
    after = np.clip(np.searchsorted(places, where, side="right"), 1, max(len(places) - 1, 1))
    after = np.minimum(after, len(places) - 1)
    before = np.maximum(after - 1, 0)
    width = places[after] - places[before]
    rise = values[after] - values[before]
    flat = np.abs(width) <= np.spacing(np.finfo(places.dtype).eps)
    slope = (where - places[before]) / np.where(flat, 1, width)
    found = np.where(flat, values[before], values[before] + slope * rise)
    low, high = ends
    if low is not None:
        found = np.where(where < places[0], low, found)
    if high is not None:
        found = np.where(where > places[-1], high, found)
    return np.asarray(found)


# -- convolution -------------------------------------------------------------------------------------------------------------


def convolve(
    a: Any,
    v: Any,
    mode: str = "full",
    *,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> Array:
    """Convolution of two sequences; narrow floats accumulate in float32.

    Parameters
    ----------
    a, v : Array
        1-d arrays.
    mode : {"full", "same", "valid"}
        Whether to give all overlaps, as many as the longer sequence has elements, or the complete ones.
    precision : object, optional
        Accepted for JAX's sake.
    preferred_element_type : dtype, optional
        The dtype to accumulate in and to return; integers stay integers then.

    Returns
    -------
    Array
        The convolution, floating-point by default.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.convolve(xp.asarray([1, 2, 3]), xp.asarray([1, 1]))
    Array([1., 3., 5., 3.], dtype=float32)
    """
    return _overlaps("convolve", a, v, mode, precision, preferred_element_type)


def correlate(
    a: Any,
    v: Any,
    mode: str = "valid",
    *,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> Array:
    """Cross-correlation of two sequences, the second conjugated; narrow floats accumulate in float32.

    Parameters
    ----------
    a, v : Array
        1-d arrays.
    mode : {"valid", "same", "full"}
        Whether to give the complete overlaps, as many as the longer sequence has elements, or all.
    precision : object, optional
        Accepted for JAX's sake.
    preferred_element_type : dtype, optional
        The dtype to accumulate in and to return; integers stay integers then.

    Returns
    -------
    Array
        The cross-correlation, floating-point by default.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.correlate(xp.asarray([1.0, 2.0, 3.0]), xp.asarray([0.0, 1.0]))
    Array([2., 3.], dtype=float32)
    """
    return _overlaps("correlate", a, v, mode, precision, preferred_element_type)


def _overlaps(function: str, a: Any, v: Any, mode: Any, precision: Any, preferred: Any) -> Array:
    check_precision(function, precision)
    here = state()
    x, y = operands(function, a, v)
    if x.ndim != 1 or y.ndim != 1:
        raise ShapeError(f"{function} needs 1-d arrays, got shapes {x.shape} and {y.shape}")
    if mode not in ("full", "same", "valid"):
        msg = f"{function}: mode must be 'full', 'same' or 'valid', got {shown(mode)}"
        raise ValueError(msg)
    if not x.size or not y.size:
        msg = f"{function} needs elements, got shapes {x.shape} and {y.shape}"
        raise ValueError(msg)
    met = here.join(here.truncate(x._node), here.truncate(y._node))
    node = to_inexact(met) if preferred is None else _preferred(function, met, requested(preferred, function, here))
    wide = accumulator(node)
    left, right = in_accumulator(a, x, met, wide), in_accumulator(v, y, met, wide)
    if wide.kind == "b":
        left, right = left.astype(np.int8), right.astype(np.int8)
    overlap = np.convolve if function == "convolve" else np.correlate
    return wrap(cast(np.asarray(overlap(left, right, mode)), node), node)


def _preferred(function: str, node: Node, wanted: Node) -> Node:
    """Return the node that `preferred_element_type` asks for; refuse other kinds and fewer bytes."""
    if wanted.kind not in _PREFERABLE[node.kind] or max(wanted.bits, 8) < node.bits:
        msg = (
            f"{function}: preferred_element_type {wanted.dtype} cannot hold products of dtype {node.dtype}; leave it out, or "
            "cast the operands"
        )
        raise TypeError(msg)
    return wanted


publish(__name__)
