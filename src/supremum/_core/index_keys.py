"""Indexing and item assignment with the keys of the standard and of NumPy, except those that JAX refuses."""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.exceptions import (
    DeletedArrayError,
    DtypeError,
    IndexShapeError,
    OutOfRangeError,
    describe,
    with_function_name,
)
from supremum._base.functions import without_float_warnings
from supremum._base.key_dtype import keys_of_word
from supremum._base.silence import call_user_code
from supremum._core.array import Array
from supremum._core.conversion import convert, foreign_buffer, in_dtype, operand
from supremum._core.dtype_objects import KIND_OF_PYTHON
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum.promotion._nodes import KINDS, NODES, Node, node_of_dtype

#: Keys that NumPy interprets alike, and NumPy's arrays and scalars.
_PLAIN: Final = int | slice
_BUFFERS: Final = np.ndarray | np.generic


def native_key(key: Any, function: str = "indexing") -> Any:
    """Translate a key to one for ndarray; refuse keys that ndarray would interpret differently.

    Parameters
    ----------
    key : object
        An int, slice, Ellipsis, None, integer or boolean array, or a tuple of those (and of sequences of integers).
    function : str
        The name of the function, for messages.

    Returns
    -------
    object
        A key for `ndarray.__getitem__`.
    """
    if isinstance(key, tuple):
        return tuple([_part(part, function, inside=True) for part in key])
    return _part(key, function, inside=False)


def _part(part: Any, function: str, *, inside: bool) -> Any:
    if part is None or part is ... or isinstance(part, _PLAIN):
        return part
    if hasattr(part, "_node"):
        array = part._data  # an Array
    elif isinstance(part, _BUFFERS):
        array = part
    elif isinstance(part, str | bytes):
        raise TypeError(f"{function}: a string cannot be an index, got {describe(part)}")
    elif isinstance(part, list | tuple):
        if not inside and not state().takes_lists:
            raise TypeError(
                f"{function}: a list cannot be an index by itself; use x[asarray({describe(part)})], or put it into a tuple, "
                "or set config.lists = 'convert'"
            )
        array = np.asarray([_part(item, function, inside=True) for item in part] or np.zeros(0, np.intp))
    elif hasattr(part, "__array__") and not isinstance(part, type):  # before `__index__`, which torch's arrays have too
        try:
            array = foreign_buffer(part)
        except TypeError as error:
            raise with_function_name(error, function) from None
    elif hasattr(part, "__index__") and not isinstance(part, type):
        return call_user_code(operator.index, part)
    else:
        given = type(part).__name__
        kind = TypeError if isinstance(part, float | complex) else IndexError
        raise kind(f"{function}: an index is an int, slice, Ellipsis, None, or an array of integers or bools, got {given}")
    node = node_of_dtype(array.dtype)
    if node is None or node.kind not in "biu":
        raise TypeError(
            f"{function}: an index array has integer or boolean dtype, got {array.dtype}; cast it with .astype(int)"
        )
    if node.kind == "b":
        return array.copy()  # because NumPy reads masks twice, as it does indices: see `_kernels/bounds.py`
    index = array.astype(np.int64) if node.bits < 8 else countable(array)
    return index if index.ndim else index.item()  # an int, by which NumPy makes a view


#: Integer dtypes that do not fit intp: uint64, and on 32-bit platforms such as WebAssembly also int64 and uint32.
_BEYOND: Final = frozenset(dtype for dtype in map(np.dtype, ("uint32", "int64", "uint64")) if not np.can_cast(dtype, np.intp))
#: Beyond the end of any array, and small enough that a length can be added without overflow.
_FAR: Final = 1 << (8 * np.dtype(np.intp).itemsize - 2)


def countable(index: Buffer) -> Buffer:
    """Copy indices to intp; those beyond its range are clipped and stay out of range, where NumPy's cast would wrap them."""
    if index.dtype not in _BEYOND:
        return index.astype(np.intp)
    return index.clip(-_FAR if index.dtype.kind == "i" else 0, _FAR).astype(np.intp)


def select(data: Buffer, key: object) -> Any:
    """Return the elements at a key of any type."""
    native = native_key(key)
    try:
        return data[native]
    except IndexError as error:
        kind = IndexShapeError if "broadcast" in str(error) else IndexError
        raise kind(f"indexing an array of shape {data.shape}: {error}") from None
    except (ValueError, TypeError, OverflowError) as error:
        if raised := getattr(error, "of_slice", None):  # an operand in a slice; the shape may be that of all positions
            advice = "a bound has no value here; use jax.lax.dynamic_slice(x, start, size), or static_argnums"
            raise raised(f"indexing with {describe(key)}: {advice}") from None
        raise type(error)(f"indexing an array of shape {data.shape} with {describe(key)}: {error}") from None


@without_float_warnings
def assign(x: Array, key: object, value: object) -> None:
    """Assign a value to the elements at a key; raise if the value's kind does not fit the array's dtype."""
    data, node = x._data, x._node
    plain = _storable(value, node)
    if plain is not None:
        try:
            data[key if type(key) is int or type(key) is slice else native_key(key, "item assignment")] = plain
        except (IndexError, ValueError, TypeError, OverflowError):
            pass  # the general path raises with a better message
        else:
            return
    native = native_key(key, "item assignment")
    buffer = _value(value, node)
    try:
        data[native] = buffer
    except DeletedArrayError:
        raise
    except IndexError as error:
        raise IndexError(f"item assignment to an array of shape {data.shape}: {error}") from None
    except (ValueError, TypeError) as error:
        raise ValueError(f"item assignment: {error}") from None
    except OverflowError:
        raise IndexError(f"item assignment to an array of shape {data.shape}: {describe(key)} is out of range") from None


def _storable(value: Any, node: Node) -> Any:
    """Return a value that NumPy itself stores correctly in an array of `node`; None if the general path is needed."""
    if getattr(value, "_node", None) is node:
        return value._data
    rank = _RANK_OF.get(type(value))
    native = rank is not None and rank <= node.rank and node.dtype.isbuiltin == 1
    return value if native else None


def _value(value: Any, node: Node) -> Buffer:
    """Convert a value to a buffer of the dtype of `node`."""
    for python, kind in KIND_OF_PYTHON.items():
        if isinstance(value, python):
            _check_kind(kind, type(value).__name__, node, f"assign {_python_of(node)}(value{'.real' * (kind == 'c')})")
            try:
                return convert(python(value), node, state())._data
            except OverflowError:
                raise OverflowError(
                    f"item assignment: the Python number {describe(value)} is out of bounds for {node.dtype}"
                ) from None
    try:
        given = value if hasattr(value, "_node") else convert(value, None, state())
    except (TypeError, ValueError, OverflowError) as error:
        raise with_function_name(error, "item assignment") from None
    _check_kind(given._node.kind, f"value of dtype {given.dtype}", node, f"assign asarray(value).astype('{node.dtype}')")
    return cast(given._data, node)


def _rank(kind: str) -> int:
    """Return the rank of the lowest kind that stores numbers of a kind: arrays of unsigned integers take signed ones too."""
    return KINDS.index("u" if kind == "i" else kind)


_RANK_OF: Final[dict[type, int]] = {python: _rank(kind) for python, kind in KIND_OF_PYTHON.items()}


def _python_of(node: Node) -> str:
    """Return the name of Python's type for the numbers of a node."""
    return {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}.get(node.kind, "")


def _check_kind(kind: str, what: str, node: Node, remedy: str) -> None:
    """Raise TypeError for a value of a kind that an array of `node` cannot store."""
    if (kind == "k") != (node.kind == "k"):
        raise TypeError(f"item assignment: a {what} cannot be stored in an array of dtype {node.public}; keys are not numbers")
    if (
        kind != "k" and _rank(kind) > node.rank and (kind == "c" or state().promotion.name != "numpy")
    ):  # NumPy casts the others
        raise TypeError(
            f"item assignment: a {what} would lose its kind in an array of dtype {node.dtype}; "
            f"{remedy}, or cast the array first"
        )


def index_buffer(indices: Array, function: str) -> Buffer:
    """Return a copy of the buffer of an array of indices, as intp."""
    kind = indices._node.kind
    if kind not in "iub" and indices.size:
        raise DtypeError(f"{function}: indices must be integers, got dtype {indices.dtype}")
    return countable(indices._data)


def wrapped(index: Buffer, length: int, *, negative: bool = True) -> tuple[Buffer, Buffer]:
    """Clip indices to their range; return these and a mask of those that were out of range."""
    if negative:
        index = np.where(index < 0, index + length, index)
    return np.clip(index, 0, length - 1), (index < 0) | (index >= length)


def refuse_outside(function: str, index: Buffer, outside: Buffer, length: int, *, mode: str = "") -> None:
    """Raise OutOfRangeError for the first index out of range, unless `config.out_of_range` says what JAX does.

    A function with a `mode` that does what JAX does names it.
    """
    if state().out_of_range == "raise" and outside.any():
        place = f"index {index[outside].flat[0]} is out of bounds for length {length}"
        remedy = f"pass mode={mode!r}, or use" if mode else "use"
        raise OutOfRangeError(f"{function}: {place}; for JAX's result {remedy} config.out_of_range = 'clip'")


def fill_for(node: Node, value: Any, function: str) -> Buffer:
    """Return the 0-d buffer for elements out of range: of a given value, or of the default one of the dtype."""
    if node.kind == "k" and not (isinstance(value, Array) and value._node is node):
        return keys_of_word(fill_for(NODES["uint32"], value, function))
    if type(value) is int:
        return _fill_of_integer(node, value, function)
    if value is not None:
        return in_dtype(value, operand(value, function, 7), node)
    if node.kind in "iu":
        limit = node.low if node.kind == "i" else node.high
        # NumPy cannot fill those of ml_dtypes.
        return np.array(limit, None if node.bits < 8 else node.dtype).astype(node.dtype)
    return np.array(node.kind == "b" or np.nan).astype(node.dtype)


def _fill_of_integer(node: Node, value: int, function: str) -> Buffer:
    """Return the fill value of a Python integer; 64-bit integers wrap around in narrower integer dtypes, larger ones raise."""
    if -(1 << 63) <= value < 1 << 64:
        return cast(np.asarray(value), node)
    if node.kind in "iu":
        raise OverflowError(f"{function}: the fill_value {value} is too large for a 64-bit integer and for {node.dtype}")
    try:
        return cast(np.asarray(float(value)), node)
    except OverflowError:
        raise OverflowError(f"{function}: the fill_value {describe(value)} is too large for {node.dtype}") from None
