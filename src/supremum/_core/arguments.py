"""What functions do with their arguments before they compute: axes, sequences of arrays, and dtypes that meet."""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.errors import DtypeError, ShapeError, shown
from supremum._base.silence import heard
from supremum._core.array import Array
from supremum._core.conversion import operand, operands
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES, Node

__all__ = [
    "Buffer",
    "as_arrays",
    "as_integers",
    "check_device",
    "check_in_place",
    "diagonal_offset",
    "in_dtype",
    "index_node",
    "meet",
    "normalize_axes",
    "normalize_axis",
    "promoted",
    "refuse_out",
    "store_or_return",
    "strong",
]  # fmt: skip

_INT64: Final = NODES["int64"]
_LARGEST_INT32: Final = NODES["int32"].high


# -- axes ---------------------------------------------------------------------------------------------------------------------


def normalize_axis(axis: Any, ndim: int, function: str) -> int:
    """Return the non-negative position that `axis` means among `ndim` axes."""
    number = _integer(axis, "axis", function)
    if not -ndim <= number < ndim:
        # In the words of NumPy and JAX, which clients' tests look for.
        raise np.exceptions.AxisError(f"{function}: axis {number} is out of bounds for array of dimension {ndim}")
    return number + ndim if number < 0 else number


def normalize_axes(axis: Any, ndim: int, function: str, *, repeated: bool = False) -> tuple[int, ...]:
    """Return the non-negative positions that an `axis` of one integer or several means; all of them for None."""
    if axis is None:
        return tuple(range(ndim))
    axes = tuple([normalize_axis(number, ndim, function) for number in as_integers(axis, "axis", function)])
    if not repeated and len(set(axes)) != len(axes):
        raise ShapeError(f"{function}: the axes are distinct, got axis={shown(axis)} for an array of {ndim} dimensions")
    return axes


def diagonal_offset(offset: Any, function: str, name: str = "k") -> int:
    """Return the number of a diagonal, clipped to 32 bits: no matrix is that wide, and `numpy.diagonal` counts in C's int."""
    try:
        number = heard(operator.index, offset)
    except TypeError:
        raise DtypeError(f"{function}: {name} is an integer, got {shown(offset)}") from None
    return max(-_LARGEST_INT32, min(number, _LARGEST_INT32))


def as_integers(value: Any, name: str, function: str) -> tuple[int, ...]:
    """Return the integers that an argument of one integer or a sequence of them means."""
    if type(value) is not tuple:
        try:
            return (heard(operator.index, value),)
        except TypeError:
            pass  # a sequence
    try:
        return tuple([heard(operator.index, number) for number in value])
    except TypeError:
        raise TypeError(f"{function}: {name} is an integer or a sequence of integers, got {shown(value)}") from None


def _integer(value: Any, name: str, function: str) -> int:
    try:
        return heard(operator.index, value)
    except TypeError:
        raise TypeError(f"{function}: {name} is an integer, got {shown(value)}") from None


# -- arrays and their dtypes --------------------------------------------------------------------------------------------------


def as_arrays(arrays: Any, function: str) -> list[Array]:
    """Return the Arrays of an argument that is a sequence of them, or one array, which is taken apart along its first axis."""
    if isinstance(arrays, Array | np.ndarray):
        if not arrays.ndim:
            raise ShapeError(f"{function}: the argument is a sequence of arrays, got a 0-d array")
        items = list(operand(arrays, function))
        if not items:
            raise ValueError(f"{function}: need at least one array, got an array of shape {arrays.shape}")
        return items
    try:
        items = heard(list, arrays)
    except TypeError:
        raise TypeError(f"{function}: the argument is a sequence of arrays, got {type(arrays).__name__}") from None
    if not items:
        raise ValueError(f"{function}: need at least one array, got an empty sequence")
    return operands(function, *items)


def meet(arrays: list[Array]) -> tuple[Node, list[Buffer]]:
    """Return the node that arrays meet at and their buffers in its dtype; the buffers themselves where they have it."""
    node = arrays[0]._node
    for x in arrays:
        if x._node is not node:
            break
    else:
        return node, [x._data for x in arrays]
    node = state().join_arrays(arrays)
    dtype = node.dtype
    return node, [x._data if x._data.dtype == dtype else cast(x._data, node) for x in arrays]


def promoted(function: str, *xs: Any) -> tuple[Node, list[Buffer]]:
    """Return the node that several arguments of a function meet at and their buffers in its dtype."""
    return meet(operands(function, *xs))


def in_dtype(given: Any, x: Array, node: Node) -> Buffer:
    """Return the buffer of an argument in a node's dtype: of a Python number with all of its digits, not with the default's."""
    return cast(np.asarray(given) if type(given) in (float, complex) else x._data, node)


def in_accumulator(given: Any, x: Array, node: Node, wide: Node) -> Buffer:
    """Return the buffer of an argument promoted to `node`, in the wider dtype that a function of narrow floats computes in.

    Without the first step an integer beside a bfloat16 would keep digits in float32 that `a * b` rounds off.
    """
    return cast(in_dtype(given, x, node), wide) if node.kind in "fc" else in_dtype(given, x, wide)


def strong(node: Node) -> Node:
    """Return ``node.strong``."""
    return node.strong


def index_node(length: int) -> Node:
    """Return the node of indices into `length` elements: the default integer, and a wider one where it cannot hold them."""
    node = state().int_
    return node if length <= _LARGEST_INT32 else _INT64


def refuse_out(out: object, function: str) -> None:
    """Refuse the argument `out`, which JAX has in signatures and supports nowhere."""
    if out is not None:
        raise NotImplementedError(f"{function}: out= is not supported; use the result")


def check_in_place(function: str, x: object, inplace: bool, error: type[Exception] = ValueError) -> None:
    """Refuse ``inplace=True`` where there is nothing that may be written to."""
    if inplace and not (isinstance(x, Array) and state().mutable and x._data.flags.writeable):
        raise error(f"{function}: only an Array that is mutable is changed in place; pass inplace=False and use the result")


def store_or_return(function: str, x: Any, result: Array, inplace: bool) -> Array:
    """Return a changed copy of an Array, or write it into the Array and give that."""
    if not inplace:
        return result
    target: Array = x  # check_in_place let nothing else through
    if target._data.dtype != result._data.dtype:
        raise TypeError(
            f"{function}: the result's dtype {result.dtype} is not the array's own, {target.dtype}; pass inplace=False"
        )
    target._data[...] = result._data
    return target


def check_device(device: object, function: str) -> None:
    """Refuse a device that is not ours."""
    if device is not None and (not isinstance(device, str) or device != "cpu"):
        raise ValueError(f"{function}: the only device is 'cpu', got device={shown(device)}")
