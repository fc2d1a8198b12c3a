"""Differences, gradients, integrals, interpolation, convolution: numerical calculus on samples."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import ShapeError, as_count, check_choice, describe
from supremum._core.array import Array, ArrayLike, Axis, DTypeLike, wrap
from supremum._core.conversion import in_accumulator, normalize_axes, normalize_axis, operand, operands
from supremum._core.dtype_objects import to_inexact
from supremum._core.reduction_rows import accumulator
from supremum._core.settings import state
from supremum._functions._rounding import promoted_inexact, rounded_once
from supremum._functions.creation.from_objects import asarray
from supremum._functions.data_types import astype
from supremum._functions.elementwise.arithmetic import abs, remainder, subtract
from supremum._functions.elementwise.comparison import clip, not_equal
from supremum._functions.inspection import ndim, shape
from supremum._functions.linear_algebra.contractions import check_precision, preferred_node
from supremum._functions.manipulation.axes import moveaxis
from supremum._functions.manipulation.joining import concatenate
from supremum._functions.manipulation.shapes import broadcast_to, reshape
from supremum._functions.searching import searchsorted
from supremum._functions.sorting import argsort
from supremum._functions.statistical.reductions import sum
from supremum._functions.where import where
from supremum._kernels.casts import cast
from supremum._kernels.plain import numeric as plain

__all__ = ["convolve", "correlate", "diff", "ediff1d", "gradient", "interp", "trapezoid"]

#: The overlaps of two sequences to compute.
Mode: TypeAlias = Literal["valid", "same", "full"]


@public(composed=True, axis="axis", linear="a")
def diff(a: ArrayLike, n: int = 1, axis: int = -1, prepend: ArrayLike | None = None, append: ArrayLike | None = None) -> Array:
    """Compute the differences of neighbouring elements along an axis.

    Parameters
    ----------
    a : array_like
        Input array of at least one dimension.
    n : int
        Number of times to take differences.
    axis : int
        Axis to take differences along.
    prepend, append : array_like, optional
        Arrays or numbers to put before and after `a` first.

    Returns
    -------
    Array
        The differences; for bool, whether neighbours differ.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.diff(xp.asarray([1, 4, 9, 16]))
    Array([3, 5, 7], dtype=int32)
    >>> xp.diff(xp.asarray([1, 4, 9, 16]), n=2)
    Array([2, 2], dtype=int32)
    """
    x = operand(a, "diff")
    times = as_count(n, "n", "diff")
    if times == 0:
        return x
    if not x.ndim:
        raise ValueError("diff needs an array of at least 1 dimension, got a 0-d array")
    position = normalize_axis(axis, x.ndim, "diff")
    before = (slice(None),) * position
    if not prepend is append is None:
        given = operands("diff", *[x if part is ... else part for part in (prepend, ..., append) if part is not None])
        edge = (*x.shape[:position], 1, *x.shape[position + 1 :])
        x = concatenate([part if part.ndim else broadcast_to(part, edge) for part in given], position)
    combined = not_equal if x.dtype.kind == "b" else subtract
    for _ in range(min(times, x.shape[position])):  # then the array is empty
        x = combined(x[(*before, slice(1, None))], x[(*before, slice(None, -1))])
    return x


@public(composed=True)
def ediff1d(ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None) -> Array:
    """Compute the differences of consecutive elements of the flattened array.

    Parameters
    ----------
    ary
    to_end, to_begin : array_like, optional
        The elements to put after and before the differences.

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
    if x.dtype.kind == "b":
        raise TypeError("ediff1d does not accept dtype bool; cast with .astype(int)")
    flat = reshape(x, -1)
    differences = subtract(flat[1:], flat[:-1])
    if to_begin is None and to_end is None:
        return differences
    before, after = ([] if end is None else [reshape(asarray(end, x.dtype), -1)] for end in (to_begin, to_end))
    return concatenate([*before, differences, *after])


@public(role="mean", plain=Plain(plain.gradient, kinds="f"), composed=True)
def gradient(
    f: ArrayLike, *varargs: ArrayLike, axis: Axis = None, edge_order: Literal[1, 2] | None = None
) -> Array | list[Array]:
    """Compute the derivatives of a sampled function: central differences inside, one-sided differences at the ends.

    Parameters
    ----------
    f : array_like
        The samples.
    *varargs : array_like
        The distance between samples, or their 1-d coordinates: one for all axes, or one for each.
    axis : int or tuple of int, optional
        The axes to differentiate along; all by default.
    edge_order : {1, 2}, optional
        The order of the differences at the ends: 1 (the default) uses two samples, 2 uses three.

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
        raise ValueError(f"gradient: edge_order must be 1 or 2, got {describe(edge_order)}")
    y, *spacing = promoted_inexact("gradient", f, *varargs)
    axes = normalize_axes(axis, y.ndim, "gradient")
    if not axes:
        return []
    if min(y.shape[i] for i in axes) < order + 1:
        raise ValueError(f"gradient needs at least {order + 1} elements along each axis, got shape {y.shape} and axis={axes}")
    if len(spacing) not in (0, 1, len(axes)):
        raise TypeError(f"gradient: got {len(spacing)} spacings for {len(axes)} axes; pass one for all, or one for each")
    steps: list[Any] = spacing * len(axes) if len(spacing) == 1 else spacing or [None] * len(axes)
    for i, step in zip(axes, steps, strict=True):
        if step is not None and step.ndim > 1:
            raise ValueError(f"gradient: a spacing must be a number or a 1-d array, got shape {step.shape}")
        if step is not None and step.ndim and step.size != y.shape[i]:
            raise ValueError(f"gradient: {step.size} coordinates do not match {y.shape[i]} samples along axis {i}")
    slopes = [moveaxis(_slope(moveaxis(y, i, -1), step, order), -1, i) for i, step in zip(axes, steps, strict=True)]
    return slopes[0] if len(slopes) == 1 else slopes


@rounded_once
def _slope(y: Array, step: Array | None, order: int) -> Array:
    """Return the derivative along the last axis; at its ends, that of the line or the parabola through the samples there."""
    lines = y[..., 1:] - y[..., :-1]
    if step is None or not step.ndim:
        inner = (y[..., 2:] - y[..., :-2]) * 0.5
        share: list[Any] = [0.5, 0.5]
    else:
        width = diff(step)
        before, after = width[:-1], width[1:]
        lines, whole = lines / width, before + after
        inner = -after / (before * whole) * y[..., :-2] + (after - before) / (before * after) * y[..., 1:-1]
        inner = inner + before / (after * whole) * y[..., 2:]
        share = [before[0] / whole[0], after[-1] / whole[-1]]
    first, last = lines[..., :1], lines[..., -1:]
    if order == 2:
        first, last = first - (lines[..., 1:2] - first) * share[0], last - (lines[..., -2:-1] - last) * share[1]
    found = concatenate([first, inner, last], -1)
    return found if step is None or step.ndim else found / step


@public(role="mean", plain=Plain(plain.trapezoid, kinds="f"), axis="axis", operands="y", linear="y", sums=True, composed=True)
def trapezoid(y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1) -> Array:
    """Integrate a sampled function by the trapezoidal rule.

    Parameters
    ----------
    y : array_like
        The samples.
    x : array_like, optional
        The coordinates of the samples.
    dx : array_like
        The distance between samples if `x` is None.
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
    # A Python number is no operand that a system without weak arrays could promote with.
    number = x is None and type(dx) in (int, float)
    samples, *given = promoted_inexact("trapezoid", y, *(() if number else (dx if x is None else x,)))
    position = normalize_axis(axis, samples.ndim, "trapezoid")
    if not samples.shape[position]:
        raise IndexError(f"trapezoid needs at least one sample along axis {axis}")
    width: Any = dx if number else given[0]
    samples = moveaxis(samples, position, -1)
    if x is not None:
        width = diff(width if width.ndim == 1 else moveaxis(width, axis, -1))
    elif not number and width.ndim:
        width = moveaxis(reshape(width, (1,) * (samples.ndim - width.ndim) + width.shape), axis, -1)
    found = _area(samples, width)
    return astype(found, found.dtype, copy=False)  # which is strong


@rounded_once
def _area(y: Array, width: Any) -> Array:
    if not isinstance(width, int | float) and width.ndim:
        return 0.5 * sum(width * (y[..., 1:] + y[..., :-1]), -1)
    return (sum(y, -1) - 0.5 * (y[..., 0] + y[..., -1])) * width


@public(role="mean", composed=True)
def interp(
    x: ArrayLike,
    xp: ArrayLike,
    fp: ArrayLike,
    left: ArrayLike | Literal["extrapolate"] | None = None,
    right: ArrayLike | Literal["extrapolate"] | None = None,
    period: ArrayLike | None = None,
) -> Array:
    """Interpolate a sampled function linearly.

    Parameters
    ----------
    x : array_like
        The coordinates to interpolate at.
    xp, fp : array_like
        The coordinates of the samples, in ascending order, and the samples.
    left, right : array_like or "extrapolate", optional
        The values before the first coordinate and after the last one; by default the first and the last sample.
    period : array_like, optional
        The period of the function; with it, `xp` may be in any order, and `left` and `right` are ignored.

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
    targets, coordinates = promoted_inexact("interp", x, xp)
    (values,) = promoted_inexact("interp", fp)
    if coordinates.shape != values.shape or coordinates.ndim != 1:
        shapes = f"{coordinates.shape} and {values.shape}"
        raise ShapeError(f"interp: xp and fp must be 1-d arrays of equal length, got shapes {shapes}")
    if not coordinates.size:
        raise IndexError("interp needs at least one sample")
    if coordinates.dtype.kind == "c":
        raise ValueError("interp does not accept complex x: complex numbers have no order")
    for name, end in (("left", left), ("right", right)):
        if isinstance(end, str) and end != "extrapolate":
            raise ValueError(f"interp: {name} must be a number or 'extrapolate', got {describe(end)}")
    if period is not None and ndim(period):
        raise ShapeError(f"interp: period must be a number, got shape {shape(period)}")
    return _interpolated(targets, coordinates, values, left, right, period)


@rounded_once
def _interpolated(x: Array, knots: Array, values: Array, left: Any, right: Any, period: Any) -> Array:
    if period is not None:
        left = right = "extrapolate"
        length = abs(asarray(period, x.dtype))
        x, knots = remainder(x, length), remainder(knots, length)
        order = argsort(knots)
        knots, values = knots[order], values[order]
        knots = concatenate([knots[-1:] - length, knots, knots[:1] + length])
        values = concatenate([values[-1:], values, values[:1]])
    after = clip(searchsorted(knots, x, side="right"), 1, knots.shape[0] - 1)
    before = after - 1  # of one sample, the last one
    start, low = knots[before], values[before]
    width, rise = knots[after] - start, values[after] - low
    flat = abs(width) <= float(np.spacing(np.finfo(knots.dtype).eps))
    found = where(flat, low, low + (x - start) / where(flat, 1, width) * rise)
    if not isinstance(left, str):
        found = where(x < knots[0], values[0] if left is None else left, found)
    if not isinstance(right, str):
        found = where(x > knots[-1], values[-1] if right is None else right, found)
    return found


# -- convolution -------------------------------------------------------------------------------------------------------------


def _convolve_parts(xp: Any, a: Any, v: Any, mode: str = "full", **_options: Any) -> Any:
    m, n = a.shape[0], v.shape[0]
    if m < n:
        a, v, m, n = v, a, n, m
    start, stop = {"full": (0, m + n - 1), "same": ((n - 1) // 2, (n - 1) // 2 + m), "valid": (n - 1, m)}[mode]
    wide = xp.pad(a, n - 1)
    places = xp.arange(start, stop)[:, None] + xp.arange(n)[None, :]
    return xp.matmul(wide[places], xp.flip(v, 0))


@public(plain=Plain(plain.convolve, arrays=2, kinds="fc"), linear="a v", sums=True, last=1, parts=_convolve_parts)
def convolve(
    a: ArrayLike,
    v: ArrayLike,
    mode: Mode = "full",
    *,
    precision: object = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Convolve two sequences; narrow floats accumulate in float32.

    Parameters
    ----------
    a, v : array_like
        1-d arrays.
    mode : {"full", "same", "valid"}
        Whether to return all overlaps, as many as the longer sequence has elements, or the complete ones.
    precision
    preferred_element_type : dtype, optional
        The dtype to accumulate in and to return; integer dtypes are accepted too.

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


def _correlate_parts(xp: Any, a: Any, v: Any, mode: str = "valid", **_options: Any) -> Any:
    found = xp.convolve(a, xp.conj(xp.flip(v, 0)), "full")
    m, n = a.shape[0], v.shape[0]
    least = min(m, n)
    start, stop = {
        "full": (0, m + n - 1),
        "same": ((least - 1) // 2 if m >= n else least // 2, None),
        "valid": (least - 1, max(m, n)),
    }[mode]
    return found[start : start + max(m, n) if stop is None else stop]


@public(
    plain=Plain(plain.correlate, arrays=2, kinds="fc", errors=None), linear="a v", sums=True, last=1, parts=_correlate_parts
)
def correlate(
    a: ArrayLike,
    v: ArrayLike,
    mode: Mode = "valid",
    *,
    precision: object = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Compute the cross-correlation of two sequences, the second conjugated; narrow floats accumulate in float32.

    Parameters
    ----------
    a, v : array_like
        1-d arrays.
    mode : {"valid", "same", "full"}
        Whether to return the complete overlaps, as many as the longer sequence has elements, or all.
    precision
    preferred_element_type : dtype, optional
        The dtype to accumulate in and to return; integer dtypes are accepted too.

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
    x, y = operands(function, a, v)
    if x.ndim != 1 or y.ndim != 1:
        raise ShapeError(f"{function} needs 1-d arrays, got shapes {x.shape} and {y.shape}")
    check_choice(mode, "mode", ("full", "same", "valid"), function)
    if not x.size or not y.size:
        raise ValueError(f"{function} needs elements, got shapes {x.shape} and {y.shape}")
    settings = state()
    joined = settings.join(settings.truncate(x._node), settings.truncate(y._node))
    node = to_inexact(joined) if preferred is None else preferred_node(function, preferred, joined, convolved=True)
    wide = accumulator(node)
    left, right = in_accumulator(a, x, joined, wide), in_accumulator(v, y, joined, wide)
    if wide.kind == "b":
        left, right = left.astype(np.int8), right.astype(np.int8)
    overlap = np.convolve if function == "convolve" else np.correlate
    return wrap(cast(np.asarray(overlap(left, right, mode)), node), node)
