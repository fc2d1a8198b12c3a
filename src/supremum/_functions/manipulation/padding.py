"""Padding of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import ShapeError, check_choice, describe
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import Buffer, as_array, in_dtype, operand
from supremum._functions.creation.ranges import linspace
from supremum._functions.functional import apply_along_axis
from supremum._kernels import extremes, pointwise as kernels
from supremum._kernels.casts import cast
from supremum._kernels.order import comparable
from supremum.promotion._nodes import KEY, NODES, Node

__all__ = ["pad"]

Pairs = list[tuple[int, int]]
Mode: TypeAlias = Literal[
    "constant", "edge", "empty", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect", "symmetric", "wrap"
]


@public(operands="array")
def pad(
    array: ArrayLike,
    pad_width: ArrayLike | Sequence[int] | Sequence[Sequence[int]],
    mode: Mode | Callable[..., Any] = "constant",
    **kwargs: Any,
) -> Array:
    """Pad an array at the ends of its axes.

    Parameters
    ----------
    array : array_like
        The array.
    pad_width : int or sequence of int
        The number of elements to add: one for all ends, a pair (before, after) for all axes, or a pair for each axis.
    mode : str or callable
        ``"constant"``, ``"edge"``, ``"linear_ramp"``, ``"maximum"``, ``"mean"``, ``"median"``, ``"minimum"``, ``"reflect"``,
        ``"symmetric"``, ``"wrap"``, ``"empty"``, or a function of a padded vector, its pair, the axis and the keywords that
        returns the vector to replace it.
    **kwargs : object
        ``constant_values`` (``"constant"``), ``end_values`` (``"linear_ramp"``), ``stat_length`` (``"maximum"``, ``"mean"``,
        ``"median"``, ``"minimum"``), ``reflect_type="even"`` or ``"odd"`` (``"reflect"``, ``"symmetric"``).

    Returns
    -------
    Array
        The padded array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.pad(xp.asarray([1, 2, 3]), (1, 2))
    Array([0, 1, 2, 3, 0, 0], dtype=int32)
    >>> xp.pad(xp.asarray([1, 2, 3]), 2, mode="reflect")
    Array([3, 2, 1, 2, 3, 2, 1], dtype=int32)
    """
    x = operand(array, "pad")
    widths = _widths(pad_width, x.ndim)
    if callable(mode):
        return _by_function(x, widths, mode, kwargs)
    _check_mode(mode, kwargs)
    if not x.ndim:
        return wrap(x._data.copy(), x._node)
    if mode in ("constant", "empty"):
        return wrap(_constant(x, widths, kwargs.get("constant_values", 0)), x._node)
    if mode in ("edge", "reflect", "symmetric", "wrap"):
        return wrap(_repeated(x._data, x._node, widths, mode, **kwargs), x._node)
    padder: Callable[..., Buffer] = _ramp if mode == "linear_ramp" else partial(_statistic, mode)
    data = x._data
    for axis, width in enumerate(widths):
        data = padder(data, x._node, axis, width, **kwargs)
    return wrap(data, x._node)


#: The modes, and the keyword argument of each.
_OPTIONS: Final[dict[str, str]] = {
    "constant": "constant_values", "edge": "", "empty": "", "linear_ramp": "end_values", "maximum": "stat_length",
    "mean": "stat_length", "median": "stat_length", "minimum": "stat_length", "reflect": "reflect_type",
    "symmetric": "reflect_type", "wrap": "",
}  # fmt: skip


def _check_mode(mode: object, options: dict[str, Any]) -> None:
    """Refuse unknown modes, and keyword arguments that a mode does not take."""
    allowed = _OPTIONS.get(mode) if isinstance(mode, str) else None
    if allowed is None:
        raise NotImplementedError(f"pad: mode must be one of {', '.join(map(repr, _OPTIONS))}, got {describe(mode)}")
    unknown = [name for name in options if name != allowed]
    if unknown:
        takes = f"takes {allowed!r} only" if allowed else "takes no keyword"
        raise ValueError(f"pad: mode {mode!r} {takes}, got {', '.join(map(repr, unknown))}")


def _pairs(value: Any, ndim: int, name: str) -> Buffer:
    """Broadcast an argument to a pair (before, after) for each axis."""
    try:
        given = call_user_code(np.asarray, value)
    except ValueError:
        raise TypeError(f"pad: the entries of {name} must have the same shape, got {describe(value)}") from None
    if given.dtype == np.object_:
        given = np.asarray([[as_array(entry)._data for entry in pair] for pair in value])
    if given.shape not in ((ndim, 2), (1, 2), (2,), (1,), ()):
        raise ValueError(
            f"pad: {name} must have shape ({ndim}, 2), (1, 2), (2,), (1,) or () for {ndim} axes, got {given.shape}"
        )
    return np.broadcast_to(given, (ndim, 2))


def _widths(pad_width: object, ndim: int) -> Pairs:
    """Convert `pad_width` to a pair (before, after) for each axis."""
    if type(pad_width) is int and pad_width >= 0:
        return [(pad_width, pad_width)] * ndim
    if isinstance(pad_width, dict):
        raise TypeError("pad: pad_width must be an integer or a sequence of them, got a dict")
    pairs = _pairs(pad_width, ndim, "pad_width")
    if pairs.size and pairs.dtype.kind not in "iu":
        raise TypeError(f"pad: pad_width must hold integers, got {describe(pad_width)}")
    if (pairs < 0).any():
        raise ValueError(f"pad: pad_width must hold no negative numbers, got {describe(pad_width)}")
    return [(int(before), int(after)) for before, after in pairs]


def _inside(shape: tuple[int, ...], widths: Pairs) -> tuple[slice, ...]:
    return tuple([slice(before, before + length) for length, (before, _) in zip(shape, widths, strict=True)])


def _constant(x: Array, widths: Pairs, constant_values: Any) -> Buffer:
    """Surround an array with constants; those of later axes fill the corners."""
    shape = tuple([before + length + after for length, (before, after) in zip(x.shape, widths, strict=True)])
    if type(constant_values) is int and not constant_values and x._node is not KEY:
        out = kernels.zeros(shape, x.dtype)
        out[_inside(x.shape, widths)] = x._data
        return out
    values = in_dtype(constant_values, as_array(constant_values), x._node)
    if values.shape not in ((x.ndim, 2), (x.ndim, 1), (1, 2), (1, 1), (2,), (1,), ()):
        shapes = f"({x.ndim}, 2), (1, 2), (2,), (1,) or ()"
        raise ValueError(f"pad: constant_values must have shape {shapes} for {x.ndim} axes, got {values.shape}")
    pairs = np.broadcast_to(values, (x.ndim, 2))
    out = np.empty(shape, x.dtype)
    for axis, (before, after) in enumerate(widths):
        lead: tuple[Any, ...] = (slice(None),) * axis
        out[(*lead, slice(before))] = pairs[axis, 0]
        out[(*lead, slice(shape[axis] - after, None))] = pairs[axis, 1]
    out[_inside(x.shape, widths)] = x._data
    return out


def _repeated(data: Buffer, node: Node, widths: Pairs, mode: Any, reflect_type: Any = "even") -> Buffer:
    """Repeat elements of the array; odd reflections subtract: twice the end point minus the reflected element."""
    for axis, width in enumerate(widths):
        if max(width) and not data.shape[axis]:
            raise ValueError(f"pad: mode {mode!r} has nothing to pad the empty axis {axis} with")
    check_choice(reflect_type, "reflect_type", ("even", "odd"), "pad")
    if reflect_type == "even":
        return np.pad(data, widths, mode)
    if node.kind == "b":
        raise TypeError("pad: reflect_type='odd' subtracts, which truth values cannot; use 'even'")
    for axis, width in enumerate(widths):  # each axis rounds to the dtype
        data = cast(np.pad(comparable(data, node), {axis: width}, mode, reflect_type="odd"), node)
    return data


def _ramp(data: Buffer, node: Node, axis: int, width: tuple[int, int], end_values: Any = 0) -> Buffer:
    """Pad with evenly spaced values from an end value to the edge."""
    ends = _pairs(end_values, data.ndim, "end_values")[axis]
    if not data.shape[axis]:
        raise ShapeError("pad: mode 'linear_ramp' has no edge to start from on an empty axis")
    before: tuple[Any, ...] = (slice(None),) * axis
    ramps = []
    for end, count, edge in zip(ends, width, (0, -1), strict=True):
        target = wrap(np.asarray(data[(*before, edge)]), node)
        values = linspace(as_array(end.item()), target, count, endpoint=False, dtype=node.dtype, axis=axis)
        ramps.append(values._data)
    return np.concatenate([ramps[0], data, np.flip(ramps[1], axis)], axis)


def _statistic(mode: str, data: Buffer, node: Node, axis: int, width: tuple[int, int], stat_length: Any = None) -> Buffer:
    """Pad with a statistic of the elements, or of those next to the end."""
    length = data.shape[axis]
    counts = (length, length) if stat_length is None else tuple(_pairs(stat_length, data.ndim, "stat_length")[axis].tolist())
    if stat_length is not None and 0 in counts:
        raise ValueError("pad: stat_length must be positive, got 0")
    before = (slice(None),) * axis
    first, last = data[(*before, slice(counts[0]))], data[(*before, slice(max(length - counts[1], 0), None))]
    parts = [np.repeat(_computed(mode, part, node, axis), n, axis) for part, n in zip((first, last), width, strict=True)]
    return np.concatenate([parts[0], data, parts[1]], axis)


def _computed(mode: str, data: Buffer, node: Node, axis: int) -> Buffer:
    """Compute a statistic along an axis in a wide dtype; integers are rounded."""
    wide, is_extreme = comparable(data, node), mode in ("maximum", "minimum")
    if mode == "median" and node.kind == "c":
        raise ValueError(f"pad: complex numbers have no median, got dtype {data.dtype}")
    if not is_extreme:
        wide = cast(wide, NODES["complex128" if node.kind == "c" else "float64"])
    if data.shape[axis]:
        compute = getattr(extremes, mode).reduce if is_extreme else getattr(np, mode)
        value = np.asarray(compute(wide, axis, keepdims=True))
    elif mode == "mean":
        value = np.full((*data.shape[:axis], 1, *data.shape[axis + 1 :]), np.nan)  # nothing over nothing
    else:
        raise ShapeError(f"pad: an empty axis has no {mode} to pad with")
    return cast(np.round(value) if node.kind in "iu" and not is_extreme else value, node)


def _by_function(x: Array, widths: Pairs, function: Callable[..., Any], options: dict[str, Any]) -> Array:
    """Pad by a function of vectors."""
    padded = wrap(_constant(x, widths, 0), x._node)
    for axis, width in enumerate(widths):
        padded = apply_along_axis(function, axis, padded, width, axis, options)
    return padded
