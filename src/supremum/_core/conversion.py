"""Arguments of public functions: conversion to Arrays by the rules of `asarray`, axes, common dtypes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer as Buffer
from supremum._base.exceptions import (
    DtypeError,
    NotNumericError,
    ShapeError,
    as_integer,
    describe,
    of_operand,
    with_function_name,
    without_function_name,
)
from supremum._base.functions import takes_over, without_float_warnings
from supremum._base.silence import call_user_code
from supremum._core.array import Array, Axis, wrap
from supremum._core.dlpack import imported
from supremum._core.dtype_objects import KIND_OF_PYTHON
from supremum._core.settings import State, state
from supremum._kernels.bit_patterns import canonical
from supremum._kernels.casts import cast
from supremum.promotion._nodes import KINDS, NODES, Node, node_of_dtype

#: The nodes that represent Python numbers exactly.
_WIDE: Final = {float: NODES["float64"], complex: NODES["complex128"]}
_INT64: Final = NODES["int64"]
_UINT64: Final = NODES["uint64"]
_LARGEST_INT32: Final = NODES["int32"].high
#: Integers of this size and beyond become floats before they become a floating dtype.
_LARGE: Final = 1 << 63
_WIDEST: Final = frozenset(node.dtype for node in _WIDE.values())
_VIEW: Final[Callable[[Any], memoryview[Any]]] = memoryview


def as_array(obj: object) -> Array:
    """Convert an object to an Array by the rules of `asarray`."""
    if isinstance(obj, Array):
        return obj
    try:
        return convert(obj, None, state())
    except (TypeError, ValueError, OverflowError) as error:
        raise with_function_name(error, "asarray") from None


def use_asarray(x: object) -> str:
    """Return the advice to call `asarray` on an object first, for messages; nothing if that would fail too."""
    try:
        as_array(x)
    except Exception:  # noqa: BLE001 - the object's own code may raise anything, and the message is about something else
        return ""
    return "; use supremum.asarray(...) on it first" + ", or set config.lists = 'convert'" * isinstance(x, list | tuple)


def jax_array(x: object) -> Any:
    """Return the result of an object's ``__jax_array__`` method (JAX's protocol), or None if it has none."""
    method: Any = None if isinstance(x, type) else getattr(x, "__jax_array__", None)
    if method is None:
        return None
    given = call_user_code(method)
    if given is None or type(given) is type(x):
        raise without_function_name(
            TypeError(f"__jax_array__ of {type(x).__name__} must return an array or a scalar, got {describe(given)}")
        )
    return given


def to_array(x: object) -> Array | None:
    """Return the Array of a NumPy array or scalar, without a copy if possible, or of an object with ``__jax_array__``.

    For other objects, return None; lists are converted where the settings say so.
    """
    if isinstance(x, np.ndarray | np.generic):
        node = node_of_dtype(x.dtype)
        if node is None or (type(x) is not np.ndarray and hasattr(x, "mask")):  # a masked array would lose its mask
            return None
        data = np.asarray(x)
        target = state().truncate(node)
        return wrap(canonical(data, target) if data.dtype == target.dtype else cast(data, target), target)
    given = jax_array(x)
    if given is None:
        return as_array(x) if isinstance(x, list | tuple) and state().takes_lists else None
    return as_array(given)


def operand(x: object, function: str, position: int = 0) -> Array:
    """Convert an argument of a function, an array or a scalar, to an Array; refuse lists unless the settings take them."""
    if type(x) is Array:
        return x
    lists = isinstance(x, list | tuple) and not state().takes_lists
    if lists or isinstance(x, str | bytes) or x is None:
        got = f"{type(x).__name__} at position {position}"
        raise of_operand(TypeError(f"{function} requires ndarray or scalar arguments, got {got}{use_asarray(x)}"), x)
    if takes_over(x):  # of a composed function, it gets the parts
        return x  # type: ignore[return-value]  # as an array does
    try:
        return convert(x, None, state())
    except (TypeError, ValueError, OverflowError) as error:
        raise with_function_name(error, f"{function}, argument {position}") from None


def operands(function: str, *xs: object) -> list[Array]:
    """Convert several arguments of a function to Arrays; see `operand`."""
    return keep_float64_scalars(
        xs, [x if type(x) is Array else operand(x, function, position) for position, x in enumerate(xs)]
    )


def keep_float64_scalars(given: Sequence[object], arrays: list[Array]) -> list[Array]:
    """Replace the Arrays of Python floats by float64 ones if another array is float64 or complex128.

    With the default dtype they would lose digits before they are promoted to the wider dtype.
    """
    if _WIDE.keys().isdisjoint(map(type, given)) or not any(x.dtype in _WIDEST for x in arrays):
        return arrays
    return [
        wrap(np.asarray(one), _WIDE[type(one)]) if type(one) in _WIDE and x._data.dtype not in _WIDEST else x
        for one, x in zip(given, arrays, strict=True)
    ]


@without_float_warnings
def convert(obj: object, node: Node | None, current: State, *, copy: bool | None = None) -> Array:
    """Convert an object to an Array of `node`, or of the node that follows from `obj` if `node` is None."""
    if isinstance(obj, Array):
        return _from_array(obj, node, copy)
    kind = KIND_OF_PYTHON.get(type(obj))
    if kind is None:
        return _from_object(obj, node, current, copy)
    if copy is False:
        raise ValueError(f"asarray: a Python scalar cannot become an array without a copy, got {describe(obj)} and copy=False")
    return _from_scalar(obj, kind, node, current)


def _from_array(obj: Array, node: Node | None, copy: bool | None) -> Array:
    if node is None or (node is obj._node):
        node = obj._node
    elif node.dtype != obj._data.dtype and copy is False:
        raise ValueError(
            f"asarray: cannot give dtype {node.dtype} of an array of dtype {obj.dtype} without a copy (copy=False)"
        )
    data = cast(obj._data, node)
    if data is obj._data and node is obj._node and not copy:
        return obj
    return wrap(data.copy() if copy and data is obj._data else data, node)


def _from_scalar(value: Any, kind: str, node: Node | None, current: State) -> Array:
    if node is not None:
        return wrap(_from_python([value], {kind}, node, current)[0].reshape(()), node)
    node = current.default(kind)
    if kind == "i" and not node.low <= value <= node.high:
        node = _wide_integer(value, value, current)
        return wrap(np.array(value, node.dtype), current.weaken(node) if node.kind == "i" else node)
    return wrap(np.array(value).astype(node.dtype), current.weaken(node))


def _wide_integer(low: int, high: int, current: State) -> Node:
    """Return the 64-bit integer node for values beyond the default integer; raise OverflowError if no dtype holds them."""
    if current.x64 != "off":
        for node in (_INT64, _UINT64):
            if node.low <= low <= high <= node.high:
                return node
    worst = high if high > -low else low
    widest = current.int_ if current.x64 == "off" else _INT64
    raise OverflowError(f"asarray: Python int {describe(worst)} too large to convert to {widest}")


def _truncated(value: float, node: Node) -> int:
    """Return the integer part of a number; raise for NaN and infinities."""
    try:
        return int(value)
    except (ValueError, OverflowError) as error:
        raise type(error)(f"asarray: {error}: {value} cannot be converted to {node.dtype}") from None


def _from_object(obj: Any, node: Node | None, current: State, copy: bool | None) -> Array:
    if type(obj) in (list, tuple) and copy is not False:
        return _from_sequence(obj, node, current)
    given = None if type(obj) is np.ndarray else jax_array(obj)
    if given is not None:
        return convert(given, node, current, copy=copy)
    found = to_array(obj)
    if found is not None:
        if copy is False and found.dtype != obj.dtype:
            raise ValueError(f"asarray: cannot give dtype {found.dtype} of dtype {obj.dtype} without a copy (copy=False)")
        shared = copy is not None and isinstance(obj, np.ndarray) and np.may_share_memory(found._data, obj)
        if copy is False and isinstance(obj, np.ndarray) and obj.size and not shared:
            raise ValueError(
                f"asarray: the array of dtype {obj.dtype} has bytes that are no values of it, such as a bool of the byte 255, "
                "and cannot become an Array without a copy (copy=False)"
            )
        return _from_array(found, node, copy if shared or copy is False else None)
    if isinstance(obj, np.ma.MaskedArray):
        raise NotNumericError("asarray: masked arrays are not supported; use x.filled(...), or array(x) to drop the mask")
    if isinstance(obj, np.ndarray | np.generic):
        raise _not_numeric(obj, obj.dtype)
    if obj is None or isinstance(obj, str | bytes | dict | set | frozenset):
        raise _not_numeric(obj, type(obj).__name__)
    # DLPack comes first, because it supports bfloat16. If it raises, the object may still convert to a NumPy array.
    by_array = any(call_user_code(hasattr, obj, name) for name in ("__array__", "__array_interface__"))
    if hasattr(obj, "__dlpack__"):
        try:
            return convert(imported(obj, None), node, current, copy=copy)
        except RecursionError:
            raise
        except (BufferError, RuntimeError, TypeError, ValueError):  # the exceptions of various libraries
            if not by_array:
                raise
    if by_array:
        return convert(foreign_buffer(obj), node, current, copy=copy)
    for python in KIND_OF_PYTHON:
        if isinstance(obj, python):
            return convert(call_user_code(python, obj), node, current, copy=copy)
    try:
        view: memoryview[Any] = call_user_code(_VIEW, obj)
    except TypeError:
        pass
    else:
        return convert(np.asarray(view), node, current, copy=copy)
    if copy is False:
        raise ValueError(f"asarray: a {type(obj).__name__} cannot become an array without a copy (copy=False)")
    if isinstance(obj, list | tuple | range):
        return _from_sequence(obj, node, current)
    # Attributes are looked up on the type, as Python does: `list[int]` forwards attributes to `list` and has no elements.
    if hasattr(type(obj), "__len__") and hasattr(type(obj), "__getitem__") and not isinstance(obj, type | np.dtype):
        return _from_list_like(obj, node, current)
    raise _not_numeric(obj, type(obj).__name__)


def foreign_buffer(obj: Any) -> Buffer:
    """Convert an array-like object of another library to a NumPy array."""
    try:
        return call_user_code(np.asarray, obj)
    except RecursionError:
        raise
    except (TypeError, ValueError, RuntimeError) as error:  # torch says what to call first
        raise NotNumericError(f"asarray: cannot convert {describe(obj)} to an array ({type(obj).__name__}): {error}") from None


#: The levels of nested sequences, which is what NumPy allows an array to have.
_MAX_DEPTH: Final = 64
#: How many sequences that are no lists contain the one that is being converted.
_DEPTH: Final[ContextVar[int]] = ContextVar("supremum_depth", default=0)


def _from_list_like(obj: Any, node: Node | None, current: State) -> Array:
    """Convert a sequence that is not a list, tuple or range."""
    depth = _DEPTH.get()
    if depth == _MAX_DEPTH:
        raise ValueError(f"asarray: {describe(obj)} ({type(obj).__name__}) is nested too deeply, or contains itself")
    token = _DEPTH.set(depth + 1)
    try:
        return _from_sequence(call_user_code(list, obj), node, current)
    finally:
        _DEPTH.reset(token)


def _not_numeric(obj: object, what: object) -> NotNumericError:
    listed = hasattr(type(obj), "__iter__") and not isinstance(obj, str | bytes | dict | np.ndarray | np.generic)
    remedy = "make a list of it first" if listed else "only bool, integer, floating and complex dtypes are supported"
    return NotNumericError(f"asarray: {describe(obj)} ({what}) is not an array of numbers; {remedy}")


def _from_sequence(obj: Any, node: Node | None, current: State) -> Array:
    """Convert a nested sequence of scalars and arrays, without intermediate dtypes that would lose values."""
    leaves: list[Any] = []
    shape = _walk(obj, leaves, 0, current)
    kinds = {KIND_OF_PYTHON.get(type(leaf)) for leaf in leaves}
    if None not in kinds:
        data, node = _from_python(leaves, kinds, node, current)  # type: ignore[arg-type]  # None was just excluded
        return wrap(data if data.shape == shape else data.reshape(shape), node)
    arrays = [convert(leaf, None, current) for leaf in leaves]
    if node is None:
        node = current.join_all([a._node for a in arrays]).strong
    parts = [_leaf(leaf, a, node, current) for leaf, a in zip(leaves, arrays, strict=True)]
    return wrap(np.concatenate(parts).reshape(shape), node)


def _leaf(leaf: Any, x: Array, node: Node, current: State) -> Buffer:
    """Return the flat buffer of one leaf; Python numbers are converted directly, not through a default dtype."""
    kind = KIND_OF_PYTHON.get(type(leaf))
    return cast(x._data, node).ravel() if kind is None else _from_python([leaf], {kind}, node, current)[0]


def _walk(obj: Any, leaves: list[Any], depth: int, current: State) -> tuple[int, ...]:
    """Collect the leaves of a nested sequence in order, Python's numbers and Arrays, and return its shape."""
    if not isinstance(obj, list | tuple | range):
        leaf = obj if type(obj) in KIND_OF_PYTHON else convert(obj, None, current)
        leaves.append(leaf)
        return leaf.shape if isinstance(leaf, Array) else ()
    if depth == _MAX_DEPTH:
        raise ValueError(f"asarray: the sequence is nested deeper than {_MAX_DEPTH} levels, or contains itself")
    if not obj:
        return (0,)
    if type(obj[0]) in KIND_OF_PYTHON and all(type(item) in KIND_OF_PYTHON for item in obj):
        leaves.extend(obj)
        return (len(obj),)
    shapes = {_walk(item, leaves, depth + 1, current) for item in obj}
    if len(shapes) > 1:
        raise ValueError(
            f"asarray: the nested sequence has an inhomogeneous shape after {depth + 1} dimensions: {sorted(shapes)}"
        )
    return (len(obj), *shapes.pop())


def _from_python(leaves: list[Any], kinds: set[str], node: Node | None, current: State) -> tuple[Buffer, Node]:
    """Return a flat buffer of Python scalars, and its node."""
    kind = max(kinds, key=KINDS.index, default="f")
    if node is not None and kind == "c" and node.kind not in "cb":
        value = next(leaf for leaf in leaves if type(leaf) is complex)
        raise TypeError(f"asarray: the complex number {value} cannot become {node.dtype}; take its .real first")
    if node is None:
        node = current.default(kind)
        if kind == "i" and leaves:
            low, high = min(leaves), max(leaves)
            if not node.low <= low <= high <= node.high:
                node = _wide_integer(low, high, current)
    if node.kind in "iu" and kind in "if":
        numbers = [leaf if type(leaf) is int else _truncated(leaf, node) for leaf in leaves]
        for number in (min(numbers, default=0), max(numbers, default=0)):
            if not node.low <= number <= node.high:
                raise OverflowError(f"asarray: Python integer {describe(number)} out of bounds for {node.dtype}")
        return np.array(numbers, node.dtype if node.bits >= 8 else np.int8).astype(node.dtype), node
    if node.kind == "b":
        return np.array([bool(leaf) for leaf in leaves], node.dtype), node
    if "i" in kinds:
        try:
            leaves = [leaf if type(leaf) is not int or -_LARGE < leaf < _LARGE else float(leaf) for leaf in leaves]
        except OverflowError:
            largest = max(leaves, key=abs)
            raise OverflowError(f"asarray: the integer {describe(largest)} is too large for {node.dtype}") from None
    return cast(np.array(leaves, np.complex128 if node.kind == "c" else None), node), node


# -- axes ---------------------------------------------------------------------------------------------------------------------


def normalize_axis(axis: Any, ndim: int, function: str) -> int:
    """Return `axis` as a non-negative position among `ndim` axes; raise AxisError if it is out of bounds."""
    number = axis if type(axis) is int else as_integer(axis, "axis", function)
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
    if type(value) is tuple or type(value) is list:
        for number in value:
            if type(number) is not int:
                break
        else:
            return tuple(value)
    else:
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
    return state().int_ if length <= _LARGEST_INT32 else _INT64


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
