"""Creation functions."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from supremum._array import Array, wrap
from supremum._config import State, state
from supremum._conversion import as_array, convert
from supremum._kernels.casts import cast
from supremum._types import requested, to_inexact
from supremum.promotion._nodes import CATALOGUE, Node

__all__ = [
    "arange", "array", "asarray", "empty", "empty_like", "eye", "from_dlpack", "full", "full_like", "linspace", "meshgrid", "ones",
    "ones_like", "tril", "triu", "zeros", "zeros_like",
]  # fmt: skip


def check_device(device: object, function: str) -> None:
    """Refuse a device that is not ours."""
    if device is not None and device != "cpu":
        msg = f"{function}: the only device is 'cpu', got device={device!r}"
        raise ValueError(msg)


def asarray(
    obj: Any,
    /,
    dtype: Any = None,
    *,
    device: Any = None,
    copy: bool | None = None,
) -> Array:
    """Make an array of an object.

    Python scalars become weakly typed 0-d arrays; sequences become strongly typed ones of the default dtype of their kind.

    Parameters
    ----------
    obj : object
        A scalar, a (nested) sequence, an array, or an object with the buffer or DLPack protocol.
    dtype : dtype, optional
        The dtype of the result.
    device : optional
        ``"cpu"``.
    copy : bool, optional
        True always copies, False never does (and raises where it must), None copies where it must.

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
    check_device(device, "asarray")
    here = state()
    node = None if dtype is None else requested(dtype, "asarray", here)
    if copy is not None and not isinstance(copy, bool):
        msg = f"asarray: copy is True, False or None, got {copy!r}"
        raise TypeError(msg)
    return convert(obj, node, here, copy=copy)


def array(
    object: Any,  # noqa: A002, ANN401 - JAX's name; anything that can be an array
    dtype: Any = None,
    copy: bool = True,  # noqa: FBT001, FBT002 - JAX's signature
    order: str | None = "K",
    ndmin: int = 0,
    *,
    device: Any = None,
) -> Array:
    """Make an array of an object, copying by default.

    Parameters
    ----------
    object : object
        What `asarray` takes.
    dtype : dtype, optional
        The dtype of the result.
    copy : bool
        Whether to copy where there is no need to.
    order : str, optional
        Ignored but for its validity: layout has no meaning here.
    ndmin : int
        The least number of dimensions; axes of length 1 are put in front.
    device : optional
        ``"cpu"``.

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
    if order not in ("K", "C", "A", "F", None):
        msg = f"array: order is 'K', 'C', 'A' or 'F', got {order!r}"
        raise ValueError(msg)
    out = asarray(object, dtype, device=device, copy=True if copy else None)
    missing = operator.index(ndmin) - out.ndim
    return wrap(out._data.reshape((1,) * missing + out.shape), out._node) if missing > 0 else out


# -- filled arrays -------------------------------------------------------------------------------------------------------------


def shape_of(shape: Any, function: str) -> tuple[int, ...]:
    """Give the shape that a `shape=` argument means."""
    try:
        lengths = (operator.index(shape),) if not isinstance(shape, tuple | list) else tuple(operator.index(n) for n in shape)
    except TypeError:
        try:
            lengths = tuple(operator.index(n) for n in shape)
        except TypeError:
            msg = f"{function}: a shape is an integer or a sequence of integers, got {shape!r}"
            raise TypeError(msg) from None
    if any(n < 0 for n in lengths):
        msg = f"{function}: a shape has no negative lengths, got {lengths}"
        raise ValueError(msg)
    return lengths


def _node_or(dtype: object, default: Node, function: str, here: State) -> Node:
    return default if dtype is None else requested(dtype, function, here)


def _filled(maker: Any, shape: Any, dtype: Any, device: Any) -> Array:
    name = maker.__name__
    check_device(device, name)
    here = state()
    node = _node_or(dtype, here.float_, name, here)
    return wrap(maker(shape_of(shape, name), node.dtype), node)


def zeros(shape: Any, dtype: Any = None, *, device: Any = None) -> Array:
    """Make an array of zeros.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    dtype : dtype, optional
        The dtype; the default floating dtype if left out.
    device : optional
        ``"cpu"``.

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.zeros(3, dtype="bfloat16")
    Array([0, 0, 0], dtype=bfloat16)
    """
    return _filled(np.zeros, shape, dtype, device)


def ones(shape: Any, dtype: Any = None, *, device: Any = None) -> Array:
    """Make an array of ones.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    dtype : dtype, optional
        The dtype; the default floating dtype if left out.
    device : optional
        ``"cpu"``.

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.ones((2, 2), dtype="int8")
    Array([[1, 1],
           [1, 1]], dtype=int8)
    """
    return _filled(np.ones, shape, dtype, device)


def empty(shape: Any, dtype: Any = None, *, device: Any = None) -> Array:
    """Make an array of unspecified values.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    dtype : dtype, optional
        The dtype; the default floating dtype if left out.
    device : optional
        ``"cpu"``.

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.empty((2, 3)).shape
    (2, 3)
    """
    return _filled(np.empty, shape, dtype, device)


def full(shape: Any, fill_value: Any, dtype: Any = None, *, device: Any = None) -> Array:
    """Make an array of one value; weakly typed if the value is and no dtype is given.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    fill_value : scalar or Array
        The value, broadcast to the shape.
    dtype : dtype, optional
        The dtype; that of the value if left out.
    device : optional
        ``"cpu"``.

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.full(2, 7, dtype="uint8")
    Array([7, 7], dtype=uint8)
    """
    check_device(device, "full")
    value = asarray(fill_value, dtype)
    lengths = shape_of(shape, "full")
    return wrap(_spread(value, lengths, "full"), value._node)


def _spread(value: Array, shape: tuple[int, ...], function: str) -> np.ndarray[Any, Any]:
    out = np.empty(shape, value.dtype)
    try:
        out[...] = value._data
    except ValueError:
        msg = f"{function}: a fill value of shape {value.shape} cannot be broadcast to {shape}"
        raise ValueError(msg) from None
    return out


def _like(x: Any, dtype: Any, shape: Any, device: Any, function: str) -> tuple[tuple[int, ...], Node]:
    check_device(device, function)
    given = as_array(x)
    here = state()
    return (given.shape if shape is None else shape_of(shape, function)), _node_or(dtype, given._node, function, here)


def zeros_like(x: Any, dtype: Any = None, shape: Any = None, *, device: Any = None) -> Array:
    """Make zeros of the shape and dtype of an array.

    Parameters
    ----------
    x : Array
        The model.
    dtype, shape : optional
        What to have instead of the model's.
    device : optional
        ``"cpu"``.

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.zeros_like(xp.ones(2, dtype="int16"))
    Array([0, 0], dtype=int16)
    """
    lengths, node = _like(x, dtype, shape, device, "zeros_like")
    return wrap(np.zeros(lengths, node.dtype), node)


def ones_like(x: Any, dtype: Any = None, shape: Any = None, *, device: Any = None) -> Array:
    """Make ones of the shape and dtype of an array.

    Parameters
    ----------
    x : Array
        The model.
    dtype, shape : optional
        What to have instead of the model's.
    device : optional
        ``"cpu"``.

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.ones_like(xp.zeros(2))
    Array([1., 1.], dtype=float32)
    """
    lengths, node = _like(x, dtype, shape, device, "ones_like")
    return wrap(np.ones(lengths, node.dtype), node)


def empty_like(x: Any, dtype: Any = None, shape: Any = None, *, device: Any = None) -> Array:
    """Make an array of unspecified values of the shape and dtype of an array.

    Parameters
    ----------
    x : Array
        The model.
    dtype, shape : optional
        What to have instead of the model's.
    device : optional
        ``"cpu"``.

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.empty_like(xp.zeros((2, 3))).shape
    (2, 3)
    """
    lengths, node = _like(x, dtype, shape, device, "empty_like")
    return wrap(np.empty(lengths, node.dtype), node)


def full_like(x: Any, fill_value: Any, dtype: Any = None, shape: Any = None, *, device: Any = None) -> Array:
    """Make an array of one value with the shape and dtype of an array.

    Parameters
    ----------
    x : Array
        The model.
    fill_value : scalar or Array
        The value, broadcast to the shape.
    dtype, shape : optional
        What to have instead of the model's.
    device : optional
        ``"cpu"``.

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.full_like(xp.zeros(2, dtype="int8"), 3)
    Array([3, 3], dtype=int8)
    """
    lengths, node = _like(x, dtype, shape, device, "full_like")
    value = asarray(fill_value, node.dtype)
    return wrap(_spread(value, lengths, "full_like"), node)


# -- ranges --------------------------------------------------------------------------------------------------------------------


def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None, *, device: Any = None) -> Array:
    """Make evenly spaced values within a half-open interval.

    Parameters
    ----------
    start : scalar
        The first value; or, alone, the end of an interval that starts at 0.
    stop : scalar, optional
        The end, which is not reached.
    step : scalar, optional
        The distance, 1 if left out.
    dtype : dtype, optional
        The dtype; the one the arguments meet at if left out, never weak.
    device : optional
        ``"cpu"``.

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
    check_device(device, "arange")
    here = state()
    given = [as_array(value) for value in (start, stop, step) if value is not None]
    for value in given:
        if value.ndim:
            msg = f"arange: start, stop and step are scalars, got one of shape {value.shape}"
            raise ValueError(msg)
        if value._node.kind == "c":
            msg = f"arange: start, stop and step are real, got dtype {value.dtype}"
            raise TypeError(msg)
    numbers = [value._data.item() for value in given]
    first, last = (0, numbers[0]) if stop is None else (numbers[0], numbers[1])
    stride = numbers[-1] if step is not None else 1
    if stride == 0:
        msg = "arange: step must not be zero"
        raise ValueError(msg)
    if dtype is None:
        met = here.join_all([value._node for value in given])
        node = strong(met) if met.kind != "b" else here.int_
    else:
        node = requested(dtype, "arange", here)
    with np.errstate(all="ignore"):
        exact = all(isinstance(number, int) for number in (first, last, stride))
        wide = np.int64 if exact else np.complex128 if node.kind == "c" else np.float64
        if exact and node.kind == "u" and node.bits == 64:
            wide = np.uint64
        try:
            return wrap(cast(np.arange(first, last, stride, dtype=wide), node), node)
        except (OverflowError, ValueError, MemoryError) as error:
            msg = f"arange: cannot make the range from {first} to {last} by {stride}: {error}"
            raise type(error)(msg) from None


def strong(node: Node) -> Node:
    """Give the strong node of a concrete one."""
    return CATALOGUE[node.dtype.name] if node.weak and node.dtype is not None else node


def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,  # noqa: FBT001, FBT002 - JAX's signature
    retstep: bool = False,  # noqa: FBT001, FBT002 - JAX's signature
    dtype: Any = None,
    axis: int = 0,
    *,
    device: Any = None,
) -> Any:
    """Make `num` evenly spaced values from `start` to `stop`.

    Parameters
    ----------
    start, stop : scalar or Array
        The ends; arrays are broadcast.
    num : int
        How many values.
    endpoint : bool
        Whether `stop` is the last value.
    retstep : bool
        Whether to return the step as well.
    dtype : dtype, optional
        The dtype; a floating one by the arguments if left out, never weak.
    axis : int
        The axis of the result along which the values lie.
    device : optional
        ``"cpu"``.

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
    check_device(device, "linspace")
    here = state()
    count = operator.index(num)
    if count < 0:
        msg = f"linspace: num must not be negative, got {count}"
        raise ValueError(msg)
    first, last = as_array(start), as_array(stop)
    inexact = strong(to_inexact(here.join(first._node, last._node)))
    node = inexact if dtype is None else requested(dtype, "linspace", here)
    wide = np.complex128 if "c" in (inexact.kind, node.kind) else np.float64
    try:
        with np.errstate(all="ignore"):
            data, step = np.linspace(
                cast(first._data, _WIDE[wide]), cast(last._data, _WIDE[wide]), count, endpoint=endpoint, retstep=True, axis=axis
            )
            if node.kind in "iu":
                data = np.floor(data)
    except (ValueError, IndexError) as error:
        msg = f"linspace: cannot lay {count} values between shapes {first.shape} and {last.shape} on axis {axis}: {error}"
        raise ValueError(msg) from None
    out = wrap(cast(data, node), node)
    return (out, wrap(cast(np.asarray(step), inexact), inexact)) if retstep else out


_WIDE = {np.float64: CATALOGUE["float64"], np.complex128: CATALOGUE["complex128"]}


def eye(N: Any, M: Any = None, k: int = 0, dtype: Any = None, *, device: Any = None) -> Array:  # noqa: N803 - JAX's names
    """Make a matrix with ones on a diagonal.

    Parameters
    ----------
    N, M : int
        Rows and columns; as many columns as rows if left out.
    k : int
        The diagonal: 0 the main one, positive above it.
    dtype : dtype, optional
        The dtype; the default floating dtype if left out.
    device : optional
        ``"cpu"``.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.eye(2, dtype="int8")
    Array([[1, 0],
           [0, 1]], dtype=int8)
    """
    check_device(device, "eye")
    here = state()
    node = _node_or(dtype, here.float_, "eye", here)
    rows, columns = shape_of((N, N if M is None else M), "eye")
    return wrap(np.eye(rows, columns, operator.index(k), dtype=np.bool_).astype(node.dtype), node)


def tril(m: Any, k: int = 0) -> Array:
    """Keep the lower triangle of a matrix (or a stack of them) and zero the rest.

    Parameters
    ----------
    m : Array
        The matrices.
    k : int
        The highest diagonal to keep.

    Returns
    -------
    Array
        The triangles.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.tril(xp.ones((2, 2)))
    Array([[1., 0.],
           [1., 1.]], dtype=float32)
    """
    return _triangle(m, k, "tril", np.tri)


def triu(m: Any, k: int = 0) -> Array:
    """Keep the upper triangle of a matrix (or a stack of them) and zero the rest.

    Parameters
    ----------
    m : Array
        The matrices.
    k : int
        The lowest diagonal to keep.

    Returns
    -------
    Array
        The triangles.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.triu(xp.ones((2, 2)))
    Array([[1., 1.],
           [0., 1.]], dtype=float32)
    """
    return _triangle(m, k, "triu", lambda *args, dtype: ~np.tri(args[0], args[1], args[2] - 1, dtype=dtype))


def _triangle(m: Any, k: int, name: str, mask: Any) -> Array:
    x = as_array(m)
    if x.ndim < 2:
        msg = f"{name}: the argument must have at least 2 dimensions, got shape {x.shape}"
        raise ValueError(msg)
    keep = mask(*x.shape[-2:], operator.index(k), dtype=np.bool_)
    return wrap(np.where(keep, x._data, np.zeros((), x.dtype)), x._node)


def meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> list[Array]:
    """Make coordinate matrices of coordinate vectors.

    Parameters
    ----------
    *xi : Array
        Vectors.
    copy : bool
        Whether to copy the vectors; views are given where it is false and memory allows.
    sparse : bool
        Whether to keep each result thin, for broadcasting.
    indexing : str
        ``"xy"`` (Cartesian: the first two axes exchanged) or ``"ij"``.

    Returns
    -------
    list of Array
        A matrix for each vector.

    Examples
    --------
    >>> import supremum as xp
    >>> [grid.shape for grid in xp.meshgrid(xp.arange(3), xp.arange(2))]
    [(2, 3), (2, 3)]
    """
    if indexing not in ("xy", "ij"):
        msg = f"meshgrid: indexing is 'xy' or 'ij', got {indexing!r}"
        raise ValueError(msg)
    vectors = [as_array(x) for x in xi]
    for x in vectors:
        if x.ndim > 1:
            msg = f"meshgrid: the arguments are vectors, got one of shape {x.shape}"
            raise ValueError(msg)
    grids = np.meshgrid(*[x._data for x in vectors], copy=copy, sparse=sparse, indexing=indexing)
    return [wrap(np.asarray(grid), x._node) for grid, x in zip(grids, vectors, strict=True)]


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Array:
    """Make an array of an object of another library by the DLPack protocol.

    Parameters
    ----------
    x : object
        An object with ``__dlpack__`` and ``__dlpack_device__``.
    device : optional
        ``"cpu"``.
    copy : bool, optional
        True always copies, False never does, None copies where it must.

    Returns
    -------
    Array
        The array; it shares memory with `x` where it was not copied.

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
        msg = f"from_dlpack: the argument must have __dlpack__, got {type(x).__name__}"
        raise TypeError(msg)
    return convert(np.from_dlpack(x, copy=copy), None, state())
