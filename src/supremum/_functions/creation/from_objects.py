"""Arrays made of other objects: scalars, sequences, buffers, text."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from os import PathLike
from typing import IO, TYPE_CHECKING, Any, Final, Literal, Protocol, cast

import numpy as np

from supremum._base import porting
from supremum._base.boundary import Plain, public
from supremum._base.exceptions import as_integer, describe
from supremum._base.functions import takes_over
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike, Device, DTypeLike, NestedArrayLike, wrap
from supremum._core.conversion import check_device, convert, jax_array, operand
from supremum._core.dlpack import imported
from supremum._core.dtype_objects import python_kind, requested
from supremum._core.settings import State, state
from supremum.promotion._nodes import node_of_dtype

if TYPE_CHECKING:
    from typing_extensions import Buffer  # collections.abc has it from Python 3.12 on
else:
    Buffer = Any

__all__ = ["array", "asarray", "copy", "from_dlpack", "frombuffer", "fromfile", "fromiter", "fromstring"]

#: The levels of sequences in which operands that take over are looked for.
_DEEPEST: Final = 8
#: The largest finite float32.
_LARGEST: Final = float(np.finfo(np.float32).max)


class SupportsDLPack(Protocol):
    """An array of a library that exports it by DLPack."""

    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any:
        """Return a capsule."""

    def __dlpack_device__(self) -> tuple[Any, int]:  # pyright: ignore[reportReturnType]  # a protocol's member has no body
        """Return the device."""


@public(fast="asarray", casts=True)
def asarray(
    a: NestedArrayLike,
    dtype: DTypeLike | None = None,
    order: Literal["K"] | None = None,
    *,
    copy: bool | None = None,
    device: Device | None = None,
    out_sharding: object = None,
) -> Array:
    """Convert an object to an array.

    Python scalars become weakly typed 0-d arrays; sequences become strongly typed ones of the default dtype of their kind.

    Parameters
    ----------
    a : array_like or nested sequence of array_like
        A scalar, a (nested) sequence, an array, or an object with the buffer or DLPack protocol.
    dtype : dtype, optional
        The dtype of the result.
    order
    copy : bool, optional
        True always copies, False never copies and raises an error if a copy is needed, None copies if needed.
    device, out_sharding

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.asarray([1, 2, 3])
    Array([1, 2, 3], dtype=int32)
    >>> xp.asarray(1.5)
    Array(1.5, dtype=float32, weak_type=True)
    """
    if device is not None:
        check_device(device, "asarray")
    if copy is not None and not isinstance(copy, bool):
        raise TypeError(f"asarray: copy must be True, False or None, got {describe(copy)}")
    if order is not None:
        _check_order(order, "asarray")
    if (given := jax_array(a)) is not None:
        if takes_over(given):
            return asarray(given, dtype, copy=copy)
        a = given
    settings = state()
    node = None if dtype is None else requested(dtype, "asarray", settings)
    found = convert(a, node, settings, copy=copy)
    if node is None and found._node.kind in "iu" and found._node.bits > settings.int_.bits - (found._node.kind == "u"):
        _check_default(a, found, settings)
    if node is None and found._data.dtype == np.float32 and isinstance(a, float | list | tuple):
        _warn_of_infinities(a, found)
    return found


def lengths_of_nested(a: Any, leaves: list[Any], depth: int = 0) -> tuple[int, ...] | None:
    """Collect the leaves of nested sequences; return the lengths of these, or None where they differ or are too deep."""
    if not isinstance(a, list | tuple):
        leaves.append(a)
        return ()
    inner = None
    for item in a:
        found = lengths_of_nested(item, leaves, depth + 1) if depth < _DEEPEST else None
        if found is None or (inner is not None and found != inner):
            return None
        inner = found
    return None if inner is None else (len(a), *inner)


def _warn_of_infinities(a: object, found: Array) -> None:
    """Warn of Python floats that the default dtype has no finite number for."""
    leaves: list[Any] = [a] if np.isinf(found._data).any() else []
    while leaves:
        leaf = leaves.pop()
        if isinstance(leaf, list | tuple):
            leaves.extend(leaf)
        elif isinstance(leaf, float | int) and _LARGEST < abs(leaf) != math.inf:
            return porting.warn(
                f"asarray: {describe(leaf)} is infinite as float32, the default dtype; use dtype='float64', or set "
                "supremum.config.x64 = 'on' for the whole program"
            )
    return None


def _check_default(a: object, found: Array, settings: State) -> None:
    """Refuse Python integers that the default integer dtype cannot hold: the standard names no other dtype for them."""
    leaves: list[Any] = [a]
    while leaves:
        leaf = leaves.pop()
        if isinstance(leaf, list | tuple | range):
            leaves.extend(leaf)
        elif type(leaf) not in (bool, int):
            return
    dtype = settings.int_.dtype
    raise OverflowError(f"asarray: {describe(a)} does not fit the default dtype {dtype}; name one, e.g. dtype='{found.dtype}'")


def _check_order(order: object, function: str) -> None:
    if order is not None and not (isinstance(order, str) and order == "K"):
        raise NotImplementedError(
            f"{function}: order must be 'K', for the memory layout is not specified, got {describe(order)}"
        )


@public(fast="array", casts=True)
def array(
    object: NestedArrayLike,
    dtype: DTypeLike | None = None,
    copy: bool = True,
    order: Literal["K"] | None = "K",
    ndmin: int = 0,
    *,
    device: Device | None = None,
    out_sharding: object = None,
) -> Array:
    """Convert an object to an array; copy by default.

    Parameters
    ----------
    object : array_like or nested sequence of array_like
        What `asarray` takes, and NumPy's masked arrays, whose masks are dropped.
    dtype : dtype, optional
        The dtype of the result.
    copy : bool
        Whether to copy even if no copy is needed.
    order
    ndmin : int
        The minimum number of dimensions; axes of length 1 are added in front.
    device, out_sharding

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.array([1.5, 2], ndmin=2)
    Array([[1.5, 2. ]], dtype=float32)
    """
    _check_order(order, "array")
    if isinstance(object, np.ma.MaskedArray):
        object = object.data
    out = asarray(object, dtype, copy=True if copy else None, device=device, out_sharding=out_sharding)
    missing = as_integer(ndmin, "ndmin") - out.ndim
    return wrap(out._data.reshape((1,) * missing + out.shape), out._node) if missing > 0 else out


@public(plain=Plain(np.ndarray.copy, errors=None, positional=1), last=0, moving=True)
def copy(a: ArrayLike, order: Literal["K"] | None = None) -> Array:
    """Copy an array.

    Parameters
    ----------
    a : array_like
        The array.
    order

    Returns
    -------
    Array
        A copy.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.copy(xp.arange(3))
    Array([0, 1, 2], dtype=int32)
    """
    x = operand(a, "copy")
    _check_order(order, "copy")
    return wrap(x._data.copy(), x._node)


@public(own="result")
def from_dlpack(x: SupportsDLPack, /, *, device: Device | None = None, copy: bool | None = None) -> Array:
    """Convert an array of another library by the DLPack protocol.

    Parameters
    ----------
    x : object
        An object with ``__dlpack__`` and ``__dlpack_device__``.
    device
    copy : bool, optional
        True always copies, False never copies, None copies if needed.

    Returns
    -------
    Array
        The array; it shares memory with `x` unless it was copied.

    Examples
    --------
    >>> import numpy as np
    >>> import supremum as xp
    >>> xp.from_dlpack(np.arange(3.0))
    Array([0., 1., 2.], dtype=float64)
    """
    check_device(device, "from_dlpack")
    if isinstance(x, Array):
        return convert(x, None, state(), copy=copy)
    if not hasattr(x, "__dlpack__"):
        raise TypeError(f"from_dlpack: the argument must have __dlpack__, got {type(x).__name__}")
    data = imported(x, copy)
    try:
        return convert(data, None, state(), copy=False if copy is False else None)
    except ValueError as error:
        raise BufferError(str(error).replace("asarray", "from_dlpack", 1)) from None


# -- buffers, text, iterables -------------------------------------------------------------------------------------------------


def _plain_dtype(dtype: Any, function: str) -> np.dtype[Any]:
    """Return the dtype of bytes: ``float`` means eight bytes, as in NumPy, whatever the default dtype is."""
    kind = python_kind(dtype)
    if kind is not None:
        return np.dtype({"b": "bool", "i": "int64", "f": "float64", "c": "complex128"}[kind])
    node = requested(dtype, function)
    # Without 64-bit dtypes the width of the bytes stays the same; they are converted afterwards.
    given = getattr(dtype, "dtype", dtype)
    try:
        return np.dtype(given)
    except TypeError:
        return node.dtype


def _text_dtype(dtype: object, plain: np.dtype[Any]) -> np.dtype[Any] | None:
    """Return the dtype of numbers read from text: unlike bytes, text has no width, so ``float`` means the default dtype."""
    settings = state()
    kind = python_kind(dtype)
    node = node_of_dtype(plain) if kind is None else settings.default(kind)
    assert node is not None  # noqa: S101 - _plain_dtype() returns dtypes of nodes
    return settings.truncate(node).dtype


@public(own="result")
def frombuffer(buffer: Buffer, dtype: DTypeLike = float, count: int = -1, offset: int = 0) -> Array:
    """Read an array from the bytes of a buffer.

    Parameters
    ----------
    buffer : bytes-like
        The buffer.
    dtype : dtype
        The dtype of the bytes; ``float`` is float64.
    count : int
        The number of elements to read; all if -1.
    offset : int
        The number of bytes to skip.

    Returns
    -------
    Array
        A vector; a read-only view if the buffer is read-only.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.frombuffer(bytes([1, 2, 3]), dtype="uint8", offset=1)
    Array([2, 3], dtype=uint8)
    """
    plain, data = _plain_dtype(dtype, "frombuffer"), cast(Any, buffer)  # NumPy's annotation lists types of buffers
    try:
        number, start = as_integer(count, "count"), as_integer(offset, "offset")
        if isinstance(buffer, Array) and hasattr(buffer, "__buffer__"):  # to which Python before 3.12 does not look
            data = buffer.__buffer__(0)
        return asarray(np.frombuffer(data, plain, number, start))
    except (BufferError, TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"frombuffer: cannot read {plain} from {type(buffer).__name__}: {error}") from None


@public
def fromstring(string: str, dtype: DTypeLike = float, count: int = -1, *, sep: str) -> Array:
    """Read an array from text.

    Parameters
    ----------
    string : str
        Numbers.
    dtype : dtype
        The dtype of the numbers; by default the default floating-point dtype.
    count : int
        The number of numbers to read; all if -1.
    sep : str
        The separator.

    Returns
    -------
    Array
        A vector.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fromstring("1 2 3", dtype="int16", sep=" ")
    Array([1, 2, 3], dtype=int16)
    """
    plain = _plain_dtype(dtype, "fromstring")
    if not isinstance(sep, str):
        raise TypeError(f"fromstring: sep must be a string, got {describe(sep)}")
    if not sep:
        raise ValueError(
            "fromstring: sep is the separator of the numbers and must not be empty; for binary data use frombuffer"
        )
    readable = plain.kind in "biufc" and plain.isbuiltin == 1
    try:
        data = np.fromstring(string, plain if readable else np.float64, as_integer(count, "count"), sep=sep)
    except (TypeError, ValueError, BufferError, DeprecationWarning):
        data = None
    if data is None or not isinstance(string, str | bytes):  # the bytes of an array were read as text
        raise ValueError(f"fromstring: {describe(string)} is not a list of {plain} separated by {describe(sep)}")
    return asarray(data, dtype=_text_dtype(dtype, plain))


@public(own="result")
def fromiter(iter: Iterable[ArrayLike], dtype: DTypeLike, count: int = -1) -> Array:
    """Make an array of the items of an iterable.

    Parameters
    ----------
    iter : iterable of scalar
        The elements.
    dtype : dtype
        The dtype.
    count : int
        The number of items to take; all if -1.

    Returns
    -------
    Array
        A vector.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fromiter((i * i for i in range(4)), dtype="int8")
    Array([0, 1, 4, 9], dtype=int8)
    """
    limit = as_integer(count, "count")
    if not call_user_code(np.iterable, iter):
        raise TypeError(f"fromiter: iter must be an iterable, got {describe(iter)}")
    items = call_user_code(list, iter if limit < 0 else itertools.islice(iter, limit))
    if len(items) < limit:
        raise ValueError(f"fromiter: the iterable has {len(items)} elements, fewer than count={limit}")
    return asarray(items, dtype=dtype)


@public(own="result")
def fromfile(
    file: str | PathLike[str] | IO[Any], dtype: DTypeLike = float, count: int = -1, sep: str = "", offset: int = 0
) -> Array:
    """Read an array from a file that holds numbers and no header.

    Parameters
    ----------
    file : str, path or file
        The file.
    dtype : dtype
        The dtype of the bytes, where ``float`` is float64; in a text file the dtype of the numbers, where ``float`` is the
        default floating-point dtype.
    count : int
        The number of elements to read; all if -1.
    sep : str
        The separator of numbers in a text file; empty for a binary file.
    offset : int
        The number of bytes to skip in a binary file.

    Returns
    -------
    Array
        A vector.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import supremum as xp
    >>> path = pathlib.Path(tempfile.mkdtemp(), "bytes")
    >>> _ = path.write_bytes(bytes([1, 2, 3]))
    >>> xp.fromfile(path, dtype="uint8")
    Array([1, 2, 3], dtype=uint8)
    """
    plain, number, start = _plain_dtype(dtype, "fromfile"), as_integer(count, "count"), as_integer(offset, "offset")
    try:
        read = call_user_code(np.fromfile, file, plain, number, sep, start)
        return asarray(read, dtype=_text_dtype(dtype, plain) if sep else None)
    except (AttributeError, TypeError, ValueError) as error:  # NumPy treats anything but a path as an open file
        raise TypeError(f"fromfile: cannot read {plain} from {describe(file)} with sep={describe(sep)}") from error
