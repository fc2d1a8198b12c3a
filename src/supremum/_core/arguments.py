"""Checks and conversions of arguments: axes, sequences of arrays, promotion to a common dtype."""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer as Buffer
from supremum._base.exceptions import DtypeError, ShapeError, as_integer, describe
from supremum._base.silence import call_user_code
from supremum._core.array import Array, Axis
from supremum._core.conversion import operand, operands
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES, Node

_INT64: Final = NODES["int64"]
_LARGEST_INT32: Final = NODES["int32"].high


# -- axes ---------------------------------------------------------------------------------------------------------------------


def normalize_axis(axis: Any, ndim: int, function: str) -> int:
    """Return `axis` as a non-negative position among `ndim` axes; raise AxisError if it is out of bounds."""
    number = as_integer(axis, "axis", function)
    if not -ndim <= number < ndim:
        # Tests of other libraries match this wording of NumPy and JAX.
        raise np.exceptions.AxisError(f"{function}: axis {number} is out of bounds for array of dimension {ndim}")
    return number + ndim if number < 0 else number


def normalize_axes(axis: Axis, ndim: int, function: str, *, repeated: bool = False) -> tuple[int, ...]:
    """Return `axis`, one integer or several, as non-negative positions; None means all axes."""
    if axis is None:
        return tuple(range(ndim))
    axes = tuple([normalize_axis(number, ndim, function) for number in as_integers(axis, "axis", function)])
    if not repeated and len(set(axes)) != len(axes):
        raise ShapeError(f"{function}: the axes must be distinct, got axis={describe(axis)} for an array of {ndim} dimensions")
    return axes


def diagonal_offset(offset: Any, function: str, name: str = "k") -> int:
    """Return the offset of a diagonal, clipped to 32 bits: no matrix is wider, and `numpy.diagonal` takes a C int."""
    try:
        number = call_user_code(operator.index, offset)
    except TypeError:
        raise DtypeError(f"{function}: {name} must be an integer, got {describe(offset)}") from None
    return max(-_LARGEST_INT32, min(number, _LARGEST_INT32))


def _indices(numbers: Any) -> tuple[int, ...]:
    return tuple([number if type(number) is int else operator.index(number) for number in numbers])


def as_integers(value: Any, name: str, function: str) -> tuple[int, ...]:
    """Return an argument of one integer or a sequence of integers as a tuple."""
    if type(value) is int:
        return (value,)
    if type(value) is not tuple:
        try:
            return (call_user_code(operator.index, value),)
        except TypeError:
            pass  # a sequence
    try:
        return call_user_code(_indices, value)
    except TypeError:
        raise TypeError(f"{function}: {name} must be an integer or a sequence of integers, got {describe(value)}") from None


# -- arrays and their dtypes --------------------------------------------------------------------------------------------------


def as_arrays(arrays: Any, function: str) -> list[Array]:
    """Return a sequence of array-likes as Arrays; one array is split along its first axis."""
    if isinstance(arrays, Array | np.ndarray):
        if not arrays.ndim:
            raise ShapeError(f"{function}: the argument must be a sequence of arrays, got a 0-d array")
        items = list(operand(arrays, function))
        if not items:
            raise ValueError(f"{function}: need at least one array, got an array of shape {arrays.shape}")
        return items
    try:
        items = call_user_code(list, arrays)
    except TypeError:
        raise TypeError(f"{function}: the argument must be a sequence of arrays, got {type(arrays).__name__}") from None
    if not items:
        raise ValueError(f"{function}: need at least one array, got an empty sequence")
    return operands(function, *items)


def promote_arrays(arrays: list[Array]) -> tuple[Node, list[Buffer]]:
    """Return the common node of arrays and their buffers in its dtype; buffers that have the dtype are not copied."""
    node = arrays[0]._node
    for x in arrays:
        if x._node is not node:
            break
    else:
        return node, [x._data for x in arrays]
    node = state().join_arrays(arrays)
    dtype = node.dtype
    return node, [x._data if x._data.dtype == dtype else cast(x._data, node) for x in arrays]


def promote_operands(function: str, *xs: object) -> tuple[Node, list[Buffer]]:
    """Return the common node of several arguments of a function and their buffers in its dtype."""
    return promote_arrays(operands(function, *xs))


def in_dtype(given: object, x: Array, node: Node) -> Buffer:
    """Return the buffer of an argument in a node's dtype; Python floats and complex numbers keep all of their digits."""
    return cast(np.asarray(given) if type(given) in (float, complex) else x._data, node)


def in_accumulator(given: object, x: Array, node: Node, wide: Node) -> Buffer:
    """Return the buffer of an argument promoted to `node`, then cast to the wider dtype that the function computes in.

    Without the first cast an integer next to a bfloat16 would keep digits in float32 that ``a * b`` rounds off.
    """
    return cast(in_dtype(given, x, node), wide) if node.kind in "fc" else in_dtype(given, x, wide)


def index_node(length: int) -> Node:
    """Return the node of indices into `length` elements: the default integer, or int64 if that is too narrow."""
    node = state().int_
    return node if length <= _LARGEST_INT32 else _INT64


def refuse_out(out: object, function: str) -> None:
    """Raise NotImplementedError if `out` is given, which JAX has in signatures and never supports."""
    if out is not None:
        raise NotImplementedError(f"{function}: out= is not supported; write z[...] = {function}(...)")


def check_in_place(function: str, x: object, inplace: bool, error: type[Exception] = ValueError) -> None:
    """Raise an error if ``inplace=True`` and `x` is not a mutable Array."""
    if inplace and not (isinstance(x, Array) and state().mutable and x._data.flags.writeable):
        raise error(f"{function}: inplace=True needs a mutable Array; pass inplace=False and use the result")


def store_or_return(function: str, x: Any, result: Array, inplace: bool) -> Array:
    """Return `result`, or write it into the Array `x` and return `x` if `inplace` is true."""
    if not inplace:
        return result
    target: Array = x  # ensured by check_in_place
    if target._data.dtype != result._data.dtype:
        raise TypeError(
            f"{function}: the result's dtype {result.dtype} is not the array's own, {target.dtype}; pass inplace=False"
        )
    target._data[...] = result._data
    return target


def check_device(device: object, function: str) -> None:
    """Raise ValueError for a device other than ``"cpu"``, or a sharding (as JAX has them) over others."""
    devices = {device} if isinstance(device, str) else getattr(device, "device_set", None)
    if device is not None and devices != {"cpu"}:
        raise ValueError(f"{function}: the only device is 'cpu', got device={describe(device)}")
