"""Matrices: identities, triangles, diagonals, powers."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import ShapeError, as_count, as_integer, describe
from supremum._base.key_dtype import refuse_keys
from supremum._core.array import Array, ArrayLike, Device, DTypeLike, wrap
from supremum._core.conversion import Buffer, check_device, diagonal_offset, normalize_axis, operand
from supremum._core.dtype_objects import requested
from supremum._core.settings import state
from supremum._functions.creation.filled import shape_of
from supremum._kernels import pointwise as kernels
from supremum._kernels.casts import cast
from supremum._kernels.plain import moving as plain
from supremum.promotion._nodes import NODES, Node

__all__ = ["diag", "diagflat", "diagonal", "eye", "identity", "tri", "tril", "triu", "vander"]


def diagonal_number(k: object, function: str) -> int:
    """Return the number of a diagonal, which the widest integers of the active settings must hold, as in JAX."""
    if type(k) is int and abs(k) <= _FEW:
        return k
    offset, limits = diagonal_offset(k, function), NODES["int32" if state().x64 == "off" else "int64"]
    if not limits.low <= as_integer(k, "k") <= limits.high:
        raise OverflowError(f"{function}: k={describe(k)} does not fit in {limits}")
    return offset


@public(constant="lengths")
def eye(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = None, *, device: Device | None = None) -> Array:
    """Return a matrix with ones on a diagonal.

    Parameters
    ----------
    N, M : int
        The numbers of rows and columns; by default as many columns as rows.
    k : int
        The diagonal: 0 the main one, positive above it.
    dtype, device

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
    if device is not None:
        check_device(device, "eye")
    return _eye(N, M, k, state().float_ if dtype is None else requested(dtype, "eye"), "eye")


def _lengths(rows: object, columns: object, function: str) -> tuple[int, ...]:
    """Return the numbers of rows and columns; by default as many columns as rows."""
    if type(rows) is int and rows >= 0 and columns is None:
        return rows, rows
    return shape_of((rows, rows if columns is None else columns), function)


def _eye(rows: object, columns: object, k: object, node: Node, function: str) -> Array:
    height, width = _lengths(rows, columns, function)
    offset = 0 if type(k) is int and not k else diagonal_offset(k, function)
    if height * width <= _FEW:
        return wrap(_few_ones(height, width, offset, node.dtype).copy(), node)
    try:
        return wrap(_ones(height, width, offset, node.dtype), node)
    except ValueError as error:
        raise ValueError(f"{function}: no array has the shape {(height, width)}: {error}") from None


def _ones(height: int, width: int, k: int, dtype: np.dtype[Any]) -> Buffer:
    """Return zeros with ones on a diagonal."""
    out = kernels.zeros((height, width), dtype)
    _diagonal_of(out, k)[...] = 1
    return out


#: Number of elements up to which matrices are kept, to be copied.
_FEW: Final = 4096
_few_ones: Final = lru_cache(maxsize=64)(_ones)


def _diagonal_of(matrix: Buffer, k: int) -> Buffer:
    """Return a writable view of a diagonal of a matrix that owns its elements."""
    height, width = matrix.shape
    length = max(0, min(height + min(k, 0), width - max(k, 0)))
    start = k if k >= 0 else -k * width
    return matrix.reshape(-1)[start : start + length * (width + 1) : width + 1] if length else matrix[:0, 0:0].reshape(-1)


@public(constant="lengths")
def identity(n: int, dtype: DTypeLike | None = None) -> Array:
    """Return a square matrix with ones on its diagonal.

    Parameters
    ----------
    n, dtype

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.identity(2, dtype="int8")
    Array([[1, 0],
           [0, 1]], dtype=int8)
    """
    return _eye(n, None, 0, state().float_ if dtype is None else requested(dtype, "identity"), "identity")


# -- triangles ----------------------------------------------------------------------------------------------------------------


@public(constant="lengths")
def tri(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = None) -> Array:
    """Return a matrix with ones on and below a diagonal.

    Parameters
    ----------
    N, M : int
        The numbers of rows and columns; by default as many columns as rows.
    k
    dtype : dtype, optional
        The dtype; by default float32.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.tri(2, dtype="int8")
    Array([[1, 0],
           [1, 1]], dtype=int8)
    """
    node = NODES["float32"] if dtype is None else requested(dtype, "tri")
    height, width = _lengths(N, M, "tri")
    return wrap(plain.triangle(height, width, diagonal_number(k, "tri")).astype(node.dtype), node)


@public(last=2, operands="m", moving=True)
def tril(m: ArrayLike, k: int = 0) -> Array:
    """Return the lower triangle of a matrix, or of a stack of them; the other elements are zero.

    Parameters
    ----------
    m : array_like
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
    return _triangle(m, k, "tril", plain.tril)


@public(last=2, operands="m", moving=True)
def triu(m: ArrayLike, k: int = 0) -> Array:
    """Return the upper triangle of a matrix, or of a stack of them; the other elements are zero.

    Parameters
    ----------
    m : array_like
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
    return _triangle(m, k, "triu", plain.triu)


def _triangle(m: object, k: object, function: str, kernel: Callable[[Buffer, int], Buffer]) -> Array:
    """Keep the elements on one side of a diagonal."""
    x = operand(m, function)
    if x.ndim < 2:
        raise ValueError(f"{function}: the argument must have at least 2 dimensions, got shape {x.shape}")
    return wrap(kernel(x._data, diagonal_number(k, function)), x._node)


# -- diagonals ----------------------------------------------------------------------------------------------------------------


def _diagflat_parts(xp: Any, v: Any, k: int = 0) -> Any:
    x = xp.ravel(v)
    rows = np.arange(x.size)
    return xp.zeros((x.size + abs(k),) * 2, dtype=x.dtype).at[rows + max(-k, 0), rows + max(k, 0)].set(x)


def _diag_parts(xp: Any, v: Any, k: int = 0) -> Any:
    if v.ndim == 1:
        return xp.jax.lax.convert_element_type(_diagflat_parts(xp, v, k), v.dtype, v.weak_type)
    return xp.diagonal(v, k) if v.ndim == 2 else NotImplemented


@public(composed=True, plain=Plain(plain.diag, least=2, errors=None), moving=True, parts=_diag_parts)
def diag(v: ArrayLike, k: int = 0) -> Array:
    """Return a diagonal of a matrix, or a matrix with a vector on a diagonal.

    Parameters
    ----------
    v : array_like
        A matrix or a vector.
    k

    Returns
    -------
    Array
        The diagonal, or the matrix.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.diag(xp.asarray([1, 2]))
    Array([[1, 0],
           [0, 2]], dtype=int32)
    """
    x = operand(v, "diag")
    if x.ndim == 2:
        return diagonal(x, diagonal_offset(k, "diag"))
    if x.ndim != 1:
        raise ValueError(f"diag: the argument must be a vector or a matrix, got shape {x.shape}")
    return wrap(_with_diagonal(x._data, as_integer(k, "k")), x._node)


def _with_diagonal(values: Buffer, k: int) -> Buffer:
    size = len(values) + abs(k)
    out = kernels.zeros((size, size), values.dtype)
    _diagonal_of(out, k)[...] = values
    return out


@public(moving=True, parts=_diagflat_parts)
def diagflat(v: ArrayLike, k: int = 0) -> Array:
    """Return a matrix with the flattened array on a diagonal.

    Parameters
    ----------
    v : array_like
        The array.
    k

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.diagflat(xp.asarray([[1], [2]]))
    Array([[1, 0],
           [0, 2]], dtype=int32)
    """
    x = operand(v, "diagflat")
    return wrap(_with_diagonal(x._data.reshape(-1), as_integer(k, "k")), x._node.strong)


@public(plain=Plain(plain.diagonal, least=2, errors=None), axis="axis1 axis2", moving=True)
def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Return a diagonal of a matrix, or of a stack of them.

    Parameters
    ----------
    a : array_like
        An array of at least two dimensions.
    offset : int
        The diagonal.
    axis1, axis2 : int
        The axes of the matrices.

    Returns
    -------
    Array
        The diagonals, along the last axis.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.diagonal(xp.asarray([[1, 2], [3, 4]]))
    Array([1, 4], dtype=int32)
    """
    x = operand(a, "diagonal")
    if x.ndim < 2:
        raise ValueError(f"diagonal: the argument must have at least 2 dimensions, got shape {x.shape}")
    first, second = normalize_axis(axis1, x.ndim, "diagonal"), normalize_axis(axis2, x.ndim, "diagonal")
    if first == second:
        raise ShapeError(f"diagonal: axis1 and axis2 must be different axes, got {axis1} and {axis2}")
    number = diagonal_offset(offset, "diagonal", "offset")
    # In JAX the diagonal of one square matrix is a sum, which is strong.
    summed = x.ndim == 2 and x.shape[0] == x.shape[1] and not number
    return wrap(np.diagonal(x._data, number, first, second).copy(), x._node.strong if summed else x._node)


@public
def vander(x: ArrayLike, N: int | None = None, increasing: bool = False) -> Array:
    """Return the matrix whose columns are the powers of a vector.

    Parameters
    ----------
    x : array_like
        The vector.
    N : int, optional
        The number of columns; by default as many as `x` has elements.
    increasing : bool
        Whether the powers increase from left to right.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.vander(xp.asarray([1, 2, 3]))
    Array([[1, 1, 1],
           [4, 2, 1],
           [9, 3, 1]], dtype=int32)
    """
    vector = operand(x, "vander")
    if vector.ndim != 1:
        raise ValueError(f"vander: the argument must be a vector, got shape {vector.shape}")
    columns = vector.shape[0] if N is None else as_count(N, "N", "vander")
    node = vector._node.strong
    refuse_keys(node.kind)
    if node.kind == "b":
        raise TypeError("vander: truth values have no powers; cast with .astype(int)")
    wide = NODES[_POWERS_IN[node.kind]]
    powers = np.ones((vector.shape[0], columns), wide.dtype)
    powers[:, 1:] = cast(vector._data, wide)[:, None]
    np.multiply.accumulate(powers, axis=1, out=powers)
    return wrap(cast(powers if increasing else powers[:, ::-1], node), node)


#: The dtypes that powers are computed in, by kind. Integers wrap in 64 bits and keep the low ones.
_POWERS_IN: Final = {"i": "int64", "u": "uint64", "f": "float64", "c": "complex128"}
