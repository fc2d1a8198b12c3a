"""Differences, gradients, integrals, interpolation, convolution: numerical calculus on samples."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import ShapeError, check_choice, describe
from supremum._base.functions import Plain
from supremum._core.argument_types import ArrayLike, Axis, DTypeLike
from supremum._core.arguments import Buffer, in_accumulator, normalize_axes, normalize_axis
from supremum._core.array import Array, wrap
from supremum._core.conversion import as_array, operand, operands
from supremum._core.dtype_objects import requested, to_inexact
from supremum._core.reduction_rows import accumulator, in_dtype
from supremum._core.settings import state
from supremum._functions.creation.from_objects import asarray
from supremum._functions.elementwise.arithmetic import subtract
from supremum._functions.linear_algebra._matrices import inexact
from supremum._functions.linear_algebra.contractions import check_precision
from supremum._functions.manipulation.joining import concatenate
from supremum._functions.manipulation.shapes import reshape
from supremum._kernels.casts import cast
from supremum._kernels.plain import numeric as plain
from supremum.promotion._nodes import Node

__all__ = ["convolve", "correlate", "ediff1d", "gradient", "interp", "trapezoid"]

#: The kinds of `preferred_element_type` that JAX accepts for operands of a kind.
_PREFERABLE: Final = {"b": "biufc", "i": "if", "u": "iuf", "f": "f", "c": "c"}
#: The overlaps of two sequences to compute.
Mode: TypeAlias = Literal["valid", "same", "full"]


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


def _gradient_parts(xp: Any, f: Any, *varargs: Any, axis: Any = None, edge_order: Any = None) -> Any:
    axes = range(f.ndim) if axis is None else axis if isinstance(axis, list | tuple) else (axis,)
    widths = varargs * len(axes) if len(varargs) == 1 else varargs or (1,) * len(axes)
    if any(xp.ndim(width) for width in widths):
        return NotImplemented
    found = []
    for along, width in zip(axes, widths, strict=True):
        x = xp.moveaxis(f, along, 0)
        inner, first, last = (x[2:] - x[:-2]) * 0.5, x[1:2] - x[:1], x[-1:] - x[-2:-1]
        if edge_order == 2:
            first, last = 1.5 * first - 0.5 * (x[2:3] - x[1:2]), 1.5 * last - 0.5 * (x[-2:-1] - x[-3:-2])
        moved = xp.concatenate([first, inner, last], axis=0) / width
        found.append(xp.moveaxis(moved, 0, along))
    return found[0] if len(found) == 1 else found


@public(role="mean", plain=Plain(plain.gradient, kinds="f"), parts=_gradient_parts)
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
    node, (data, *spacing) = inexact("gradient", f, *varargs)
    axes = normalize_axes(axis, data.ndim, "gradient")
    if not axes:
        return []
    if min(data.shape[i] for i in axes) < order + 1:
        msg = f"gradient needs at least {order + 1} elements along each axis, got shape {data.shape} and axis={axes}"
        raise ValueError(msg)
    if len(spacing) not in (0, 1, len(axes)):
        raise TypeError(f"gradient: got {len(spacing)} spacings for {len(axes)} axes; pass one for all, or one for each")
    steps: list[Any] = spacing * len(axes) if len(spacing) == 1 else spacing or [None] * len(axes)
    slopes = [wrap(cast(_slope(data, step, i, order), node), node) for i, step in zip(axes, steps, strict=True)]
    return slopes[0] if len(slopes) == 1 else slopes


def _slope(data: Buffer, step: Buffer | None, axis: int, order: int) -> Buffer:
    """Return the derivative along one axis."""
    y = np.moveaxis(data, axis, -1)
    if step is not None and step.ndim > 1:
        raise ValueError(f"gradient: a spacing must be a number or a 1-d array, got shape {step.shape}")
    if step is not None and step.ndim and len(step) != y.shape[-1]:
        raise ValueError(f"gradient: {len(step)} coordinates do not match {y.shape[-1]} samples along axis {axis}")
    return np.moveaxis(plain.slope(y, step, order), -1, axis)


def _trapezoid_parts(xp: Any, y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    y = xp.moveaxis(y, axis, -1)
    width = dx if x is None else xp.diff(x) if xp.ndim(x) == 1 else xp.diff(xp.moveaxis(x, axis, -1))
    return 0.5 * xp.sum(width * (y[..., 1:] + y[..., :-1]), -1)


@public(
    role="mean",
    plain=Plain(plain.trapezoid, kinds="f"),
    axis="axis",
    operands="y",
    linear="y",
    sums=True,
    parts=_trapezoid_parts,
)
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
    if x is None:
        node, (samples,) = inexact("trapezoid", y)
        settings, distance = state(), as_array(dx)
        # A Python number is no operand that a system without weak arrays could promote with.
        result = node if type(dx) in (int, float) else settings.join(node, settings.truncate(distance._node))
        width = in_dtype(dx, distance, accumulator(result))
        if width.ndim:
            width = np.moveaxis(width.reshape((1,) * (samples.ndim - width.ndim) + width.shape), axis, -1)
    else:
        result, (samples, coordinates) = inexact("trapezoid", y, x)
        width = np.diff(coordinates, axis=-1 if coordinates.ndim == 1 else axis)
        if coordinates.ndim != 1:
            width = np.moveaxis(width, axis, -1)
    result = result.strong
    position = normalize_axis(axis, samples.ndim, "trapezoid")
    samples = np.moveaxis(samples, position, -1)
    if not samples.shape[-1]:
        raise IndexError(f"trapezoid needs at least one sample along axis {axis}")
    return wrap(cast(_area(samples, width), result), result)


def _area(y: Buffer, width: Buffer) -> Buffer:
    if width.ndim == 0 or width.shape[-1] == 1:
        return np.asarray((width if width.ndim == 0 else width[..., 0]) * plain.trapezoid(y))
    try:
        return np.asarray(np.float32(0.5) * (width * (y[..., 1:] + y[..., :-1])).sum(-1))
    except ValueError:
        shapes = f"{width.shape} distances and {y.shape} samples"
        raise ShapeError(f"trapezoid: {shapes} do not match") from None


def _interp_parts(space: Any, x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    knots = xp if xp._node.kind == "f" else xp * 1.0  # of which differences are taken
    if period is not None:
        x, knots = space.remainder(x, period), space.remainder(knots, period)
        order = space.argsort(knots)
        knots, fp = knots[order], fp[order]
        knots = space.concatenate([knots[-1:] - period, knots, knots[:1] + period])
        fp = space.concatenate([fp[-1:], fp, fp[:1]])
    i = space.clip(space.searchsorted(knots, x, side="right"), 1, knots.shape[0] - 1)
    low, high = fp[i - 1], fp[i]
    width = knots[i] - knots[i - 1]
    flat = space.abs(width) <= space.finfo(width.dtype).smallest_normal
    found = space.where(flat, low, low + (x - knots[i - 1]) / space.where(flat, 1, width) * (high - low))
    if period is None and left != "extrapolate":
        found = space.where(x < knots[0], fp[0] if left is None else left, found)
    if period is None and right != "extrapolate":
        found = space.where(x > knots[-1], fp[-1] if right is None else right, found)
    return found


@public(role="mean", parts=_interp_parts)
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
    coordinate_node, (targets, coordinates) = inexact("interp", x, xp)
    value_node, (values,) = inexact("interp", fp)
    if coordinates.shape != values.shape or coordinates.ndim != 1:
        shapes = f"{coordinates.shape} and {values.shape}"
        raise ShapeError(f"interp: xp and fp must be 1-d arrays of equal length, got shapes {shapes}")
    if not len(coordinates):
        raise IndexError("interp needs at least one sample")
    if coordinate_node.kind == "c":
        raise ValueError("interp does not accept complex x: complex numbers have no order")
    node, ends = _ends((left, right), values, value_node, state().join(value_node, coordinate_node))
    if period is not None:
        targets, coordinates, values = _periodic(targets, coordinates, values, period)
        ends[:] = [None, None]
    return wrap(cast(plain.interpolated(targets, coordinates, values, *ends), node), node)


def _ends(given: tuple[Any, Any], values: Buffer, value_node: Node, node: Node) -> tuple[Node, list[Buffer | None]]:
    """Return the node of the result and the values at both ends, in the dtype to compute in; None to extrapolate."""
    for name, end in zip(("left", "right"), given, strict=True):
        if isinstance(end, str) and end != "extrapolate":
            raise ValueError(f"interp: {name} must be a number or 'extrapolate', got {describe(end)}")
    settings = state()
    fixed = [None if end is None or isinstance(end, str) else operand(end, "interp") for end in given]
    for end, x in zip(given, fixed, strict=True):
        if not isinstance(end, str):
            node = settings.join(node, settings.truncate(value_node if x is None else x._node))
    wide = accumulator(node)
    ends: list[Buffer | None] = [None, None]
    for i, (end, x, sample) in enumerate(zip(given, fixed, (values[0], values[-1]), strict=True)):
        if not isinstance(end, str):
            ends[i] = cast(np.asarray(sample), wide) if x is None else in_dtype(end, x, wide)
    return node, ends


def _periodic(targets: Buffer, coordinates: Buffer, values: Buffer, period: Any) -> tuple[Buffer, Buffer, Buffer]:
    """Bring coordinates into one period, and repeat a sample of the neighbouring period on each side."""
    given = operand(period, "interp")
    if given.ndim:
        raise ShapeError(f"interp: period must be a number, got shape {given.shape}")
    length = np.abs((np.asarray(period) if type(period) is float else given._data).astype(coordinates.dtype))
    targets, coordinates = np.asarray(targets % length), coordinates % length
    order = np.argsort(coordinates, kind="stable")
    coordinates, values = coordinates[order], values[order]
    coordinates = np.concatenate([coordinates[-1:] - length, coordinates, coordinates[:1] + length])
    return targets, coordinates, np.concatenate([values[-1:], values, values[:1]])


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
    node = to_inexact(joined) if preferred is None else _preferred(function, joined, requested(preferred, function, settings))
    wide = accumulator(node)
    left, right = in_accumulator(a, x, joined, wide), in_accumulator(v, y, joined, wide)
    if wide.kind == "b":
        left, right = left.astype(np.int8), right.astype(np.int8)
    overlap = np.convolve if function == "convolve" else np.correlate
    return wrap(cast(np.asarray(overlap(left, right, mode)), node), node)


def _preferred(function: str, node: Node, wanted: Node) -> Node:
    """Return the node that `preferred_element_type` requests; refuse other kinds and fewer bytes."""
    if wanted.kind not in _PREFERABLE[node.kind] or max(wanted.bits, 8) < node.bits:
        msg = (
            f"{function}: preferred_element_type {wanted.dtype} cannot hold products of dtype {node.dtype}; leave it out, or "
            "cast the operands"
        )
        raise TypeError(msg)
    return wanted
