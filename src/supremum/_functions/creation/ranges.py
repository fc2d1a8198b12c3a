"""Evenly spaced values, and coordinate grids."""

from __future__ import annotations

import math
from functools import cache
from typing import Any, Final, Literal, overload

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import ShapeError, as_count, check_choice, shape_error
from supremum._core.array import Array, ArrayLike, Device, DTypeLike, wrap
from supremum._core.conversion import Buffer, check_device, normalize_axis, operand, operands
from supremum._core.dtype_objects import requested, to_inexact
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES, Node

__all__ = ["arange", "geomspace", "linspace", "logspace", "meshgrid"]


@public(fast="arange")
def arange(
    start: ArrayLike,
    stop: ArrayLike | None = None,
    step: ArrayLike | None = None,
    dtype: DTypeLike | None = None,
    *,
    device: Device | None = None,
    out_sharding: object = None,
) -> Array:
    """Return evenly spaced values within a half-open interval.

    Parameters
    ----------
    start : array_like
        The first value, a scalar; alone, the end of an interval that starts at 0.
    stop : array_like, optional
        The end, a scalar, which is not included.
    step : array_like, optional
        The distance of two values, a scalar; 1 by default.
    dtype : dtype, optional
        The dtype; by default the one that the arguments promote to, never weak.
    device, out_sharding

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.arange(2, 8, 3)
    Array([2, 5], dtype=int32)
    """
    if device is not None:
        check_device(device, "arange")
    settings = state()
    node = None if dtype is None else requested(dtype, "arange", settings)
    arguments: list[Any] = [start, *[value for value in (stop, step) if value is not None]]
    kinds = {type(value) for value in arguments}
    if kinds == {int} and (node is not None or -_SMALL < min(arguments) <= max(arguments) < _SMALL):
        numbers, node = arguments, node or settings.int_
    elif kinds <= {int, float} and (node is not None or float in kinds):
        numbers, node = arguments, node or settings.float_
    else:
        numbers, node = _numbers(arguments, node)
    if node.kind == "b":
        raise TypeError("arange: a range must have an integer or floating dtype, got bool; use dtype=int")
    first, last = (0, numbers[0]) if stop is None else (numbers[0], numbers[1])
    stride = numbers[-1] if step is not None else 1
    if not stride:
        raise ZeroDivisionError("arange: step must not be zero")
    try:
        return wrap(_range(first, last, stride, node), node)
    except (OverflowError, ValueError, MemoryError) as error:
        kind = MemoryError if isinstance(error, MemoryError) else type(error)  # NumPy's own takes other arguments
        raise kind(f"arange: cannot make the range from {first} to {last} by {stride}: {error}") from None


#: Integers below this are exact in every dtype of at least 32 bits.
_SMALL: Final = 1 << 24


def _numbers(arguments: list[Any], node: Node | None) -> tuple[list[Any], Node]:
    """Convert the arguments of `arange` to Python numbers; return these and `node`, or else the node they promote to."""
    numbers, nodes = [], []
    for position, value in enumerate(arguments):
        if node is not None and type(value) in (int, float):
            # If a dtype is requested, Python integers need not fit the default dtype.
            numbers.append(value)
            continue
        x = operand(value, "arange", position)
        if x.ndim:
            raise ValueError(f"arange: start, stop and step must be scalars, got one of shape {x.shape}")
        if x._node.kind == "c":
            raise ValueError(f"arange: start, stop and step must be real, got dtype {x.dtype}")
        # Python numbers stay as they are: the default dtype may be less precise than the requested one.
        numbers.append(value if isinstance(value, int | float) else x._data.item())
        nodes.append(x._node)
    return numbers, node or state().join_all(nodes).strong


def _range(first: Any, last: Any, stride: Any, node: Node) -> Buffer:
    """Make a range in its own dtype if that holds every number exactly, else in a wide one; integers wrap."""
    if isinstance(first, int) and isinstance(last, int) and isinstance(stride, int):
        low, high = min(first, last), max(first, last) + abs(stride)
        bits = node.high.bit_length() if node.kind in "iu" else np.finfo(node.wide.dtype).nmant + 1
        if node.native and (0 if node.kind == "u" else -(1 << bits)) <= low and high <= 1 << bits:
            return np.arange(first, last, stride, dtype=node.dtype)
        count = len(range(first, last, stride))
    else:
        count = max(0, math.ceil((last - first) / stride))
    if node.kind in "iu":
        # The low 64 bits of Python integers of any size determine the result.
        start, step = (np.uint64(int(number) % (1 << 64)) for number in (first, stride))
        return cast((start + np.arange(count, dtype=np.uint64) * step).view(np.int64), node)
    return cast(float(first) + np.arange(count) * float(stride), node)


# -- spaces -------------------------------------------------------------------------------------------------------------------


def _ends(start: object, stop: object, dtype: object, function: str) -> tuple[Array, Array, Node]:
    """Return the ends of a range and the node of its values."""
    first, last = operands(function, start, stop)
    settings = state()
    node = to_inexact(settings.join(first._node, last._node)).strong if dtype is None else requested(dtype, function, settings)
    if node.kind != "c" and complex in (type(start), type(stop)):
        raise TypeError(f"{function}: a complex number cannot become {node.dtype}; pass a complex dtype, or real numbers")
    return first, last, node


def _wide(given: Any, x: Array, node: Node) -> Buffer:
    """Return an end in the dtype that values of `node` are computed in; Python scalars keep all of their digits."""
    wide = NODES["complex128" if node.kind == "c" else "float64"]
    return np.asarray(given, wide.dtype) if type(given) in (int, float, complex) else cast(x._data, wide)


def _space(first: Buffer, last: Buffer, count: int, endpoint: bool, axis: int, function: str) -> Buffer:
    """Compute evenly spaced values, each with one rounding of the exact quotient, so that integers stay integers."""
    try:
        shape = np.broadcast_shapes(first.shape, last.shape)
    except ValueError:
        raise shape_error(function, first.shape, last.shape) from None
    position = normalize_axis(axis, len(shape) + 1, function)
    divisor = count - 1 if endpoint else count
    if not shape and first.dtype == last.dtype == np.float64 and math.isfinite(last - first):
        return _line(first, last, count, endpoint, function)
    steps = np.arange(count, dtype=np.float64).reshape((count,) + (1,) * len(shape))
    data = first + steps * (last - first) / max(divisor, 1)
    if not np.isfinite(data).all():
        share = steps / max(divisor, 1)
        data = first * (1 - share) + last * share if divisor > 1 else first + np.zeros_like(data)
    if endpoint and count > 1:
        data[-1] = last
    return np.moveaxis(data, 0, position)


def _linspace_parts(
    xp: Any, start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None,
    axis: int = 0, **_options: Any,
) -> Any:  # fmt: skip
    steps = num - 1 if endpoint else num
    start, stop = xp.asarray(start), xp.asarray(stop)
    part = xp.arange(num, dtype=xp.result_type(start, stop, 1.0)) / max(steps, 1)
    part = xp.reshape(part, (num,) + (1,) * max(start.ndim, stop.ndim))
    found = start * (1 - part) + stop * part
    found = xp.moveaxis(found if dtype is None else xp.astype(found, dtype), 0, axis)
    return (found, (stop - start) / steps) if retstep else found


@overload
def linspace(
    start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, retstep: Literal[False] = False,
    dtype: DTypeLike | None = None, axis: int = 0, *, device: Device | None = None,
) -> Array: ...  # fmt: skip
@overload
def linspace(
    start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, *, retstep: Literal[True],
    dtype: DTypeLike | None = None, axis: int = 0, device: Device | None = None,
) -> tuple[Array, Array]: ...  # fmt: skip
@overload
def linspace(
    start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, retstep: bool = False,
    dtype: DTypeLike | None = None, axis: int = 0, *, device: Device | None = None,
) -> Array | tuple[Array, Array]: ...  # fmt: skip
@public(parts=_linspace_parts)
def linspace(
    start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, retstep: bool = False,
    dtype: DTypeLike | None = None, axis: int = 0, *, device: Device | None = None,
) -> Array | tuple[Array, Array]:  # fmt: skip
    """Return `num` evenly spaced values from `start` to `stop`.

    Parameters
    ----------
    start, stop : array_like
        The ends; arrays are broadcast.
    num
    endpoint : bool
        Whether `stop` is the last value.
    retstep : bool
        Whether to return the step, too.
    dtype : dtype, optional
        The dtype; by default a floating-point dtype that the arguments promote to, never weak. Integers are rounded down.
    axis : int
        The axis of the result along which the values lie.
    device

    Returns
    -------
    Array
        The values; a tuple of them and the step if `retstep`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linspace(0, 1, 5)
    Array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)
    """
    if device is not None:
        check_device(device, "linspace")
    count = as_count(num, "num", "linspace")
    if type(start) in _REAL and type(stop) in _REAL and dtype is None and axis == 0 and not retstep:
        node = state().float_
        return wrap(_line(start, stop, count, bool(endpoint), "linspace", node.dtype), node)
    first, last, node = _ends(start, stop, dtype, "linspace")
    computed = to_inexact(node).strong
    low, high = _wide(start, first, computed), _wide(stop, last, computed)
    data = _space(low, high, count, endpoint, axis, "linspace")
    out = wrap(cast(np.floor(data) if node.kind in "iu" else data, node), node)
    if not retstep:
        return out
    divisor = count - 1 if endpoint else count
    step = np.asarray((high - low) / divisor if divisor > 0 else np.nan)
    return out, wrap(cast(step, computed), computed)


_REAL: Final = frozenset({int, float})


def _line(first: Any, last: Any, count: int, endpoint: bool, function: str, dtype: Any = np.float64) -> Buffer:
    """Return evenly spaced values between two numbers, computed in float64 in blocks that stay in the cache."""
    if not math.isfinite(last - first):
        return _space(np.asarray(first), np.asarray(last), count, endpoint, 0, function).astype(dtype)
    out = np.empty(count, dtype)
    for begin in range(0, count, _KEPT):
        numbers = _kept_numbers()[: count - begin]
        data = (numbers + begin if begin else numbers) * np.float64(last - first)
        data /= max(count - endpoint, 1)
        data += first
        out[begin : begin + _KEPT] = data
    if endpoint and count > 1:
        out[-1] = last
    return out


#: The count up to which whole numbers are kept: half a megabyte of them.
_KEPT: Final = 1 << 16


@cache
def _kept_numbers() -> Buffer:
    return np.arange(_KEPT, dtype=np.float64)


@public
def logspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    base: ArrayLike = 10.0,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> Array:
    """Return `num` values from ``base ** start`` to ``base ** stop`` whose logarithms are evenly spaced.

    Parameters
    ----------
    start, stop : array_like
        The logarithms of the ends; arrays are broadcast.
    num
    endpoint : bool
        Whether ``base ** stop`` is the last value.
    base : array_like
        The base.
    dtype : dtype, optional
        The dtype; by default a floating-point dtype that the arguments promote to.
    axis : int
        The axis of the result along which the values lie.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.logspace(0, 2, 3)
    Array([  1.,  10., 100.], dtype=float32)
    """
    count = as_count(num, "num", "logspace")
    if {type(start), type(stop), type(base)} <= _REAL and dtype is None and axis == 0:
        node = state().float_
        exponents = _line(start, stop, count, bool(endpoint), "logspace")
        return wrap(np.power(np.float64(base), exponents).astype(node.dtype), node)  # type: ignore[arg-type]  # a number
    low, high, node = _ends(start, stop, dtype, "logspace")
    computed = to_inexact(node).strong
    exponents = _space(_wide(start, low, computed), _wide(stop, high, computed), count, endpoint, axis, "logspace")
    radix = operand(base, "logspace", 4)
    try:
        powers = np.power(_wide(base, radix, computed if radix._node.kind != "c" else radix._node), exponents)
    except ValueError:
        raise ShapeError(f"logspace: base of shape {radix.shape} cannot be broadcast to shape {exponents.shape}") from None
    return wrap(cast(np.asarray(powers), node), node)


@public
def geomspace(
    start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, dtype: DTypeLike | None = None, axis: int = 0
) -> Array:
    """Return `num` values from `start` to `stop` in a geometric progression.

    Parameters
    ----------
    start, stop : array_like
        The ends, of one sign or direction; arrays are broadcast.
    num
    endpoint : bool
        Whether `stop` is the last value.
    dtype : dtype, optional
        The dtype; by default a floating-point dtype that the arguments promote to.
    axis : int
        The axis of the result along which the values lie.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.geomspace(1, 8, 4)
    Array([1., 2., 4., 8.], dtype=float32)
    """
    count = as_count(num, "num", "geomspace")
    first, last, node = _ends(start, stop, dtype, "geomspace")
    computed = to_inexact(node).strong
    low, high = _wide(start, first, computed), _wide(stop, last, computed)
    direction = np.sign(low)
    logs = _space(np.log10(low / direction), np.log10(high / direction), count, endpoint, 0, "geomspace")
    data = np.asarray(direction * np.power(10.0, logs))
    if count and np.isfinite(data).all():
        data[0] = low
        if endpoint and count > 1:
            data[-1] = high
    return wrap(cast(np.moveaxis(data, 0, normalize_axis(axis, data.ndim, "geomspace")), node), node)


@public(moving=True)
def meshgrid(
    *xi: ArrayLike, copy: bool = True, sparse: bool = False, indexing: Literal["xy", "ij"] = "xy"
) -> tuple[Array, ...]:
    """Return coordinate matrices of coordinate vectors.

    Parameters
    ----------
    *xi : array_like
        Vectors.
    copy : bool
        Must be True: the matrices are copies.
    sparse : bool
        Whether the other axes of each result keep length 1, for broadcasting.
    indexing : {"xy", "ij"}
        Whether the first two axes are exchanged (``"xy"``, Cartesian) or not.

    Returns
    -------
    tuple of Array
        A matrix for each vector.

    Examples
    --------
    >>> import supremum as xp
    >>> [grid.shape for grid in xp.meshgrid(xp.arange(3), xp.arange(2))]
    [(2, 3), (2, 3)]
    """
    check_choice(indexing, "indexing", ("xy", "ij"), "meshgrid")
    if not copy:
        raise ValueError("meshgrid: copy=False is not supported, for the results may be written to; use broadcast_arrays")
    vectors = operands("meshgrid", *xi)
    for x in vectors:
        if x.ndim != 1:
            raise ValueError(f"meshgrid: the arguments must be vectors, got one of shape {x.shape}")
    grids: Any = np.meshgrid(*[x._data for x in vectors], copy=True, sparse=sparse, indexing=indexing)
    return tuple([wrap(np.asarray(grid), x._node) for grid, x in zip(grids, vectors, strict=True)])
