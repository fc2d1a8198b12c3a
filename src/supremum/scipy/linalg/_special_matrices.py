"""Special matrices: of constant diagonals, of binomial coefficients, of polynomials."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from supremum._base.boundary import public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import ShapeError, as_integer, check_choice
from supremum._core.array import Array, ArrayLike, DTypeLike, wrap
from supremum._core.conversion import operand, promote_operands
from supremum._core.settings import state
from supremum._functions._rounding import promoted_inexact
from supremum._functions.creation.filled import zeros
from supremum._functions.creation.from_objects import asarray
from supremum._functions.creation.matrices import eye
from supremum._functions.elementwise.arithmetic import abs as absolute_value
from supremum._functions.linear_algebra._matrices import rounded
from supremum._functions.manipulation.joining import concatenate
from supremum._functions.manipulation.shapes import atleast_1d, broadcast_to, reshape
from supremum.promotion._nodes import NODES
from supremum.scipy._evaluation import Library

__all__ = [
    "block_diag", "circulant", "companion", "convolution_matrix", "dft", "fiedler", "fiedler_companion", "hadamard", "hankel",
    "helmert", "hilbert", "invhilbert", "invpascal", "leslie", "pascal", "toeplitz",
]  # fmt: skip

_LINALG: Final = Library("scipy.linalg")


def _floats(data: Buffer) -> Array:
    """Return numbers in the default float dtype."""
    return rounded(data.astype(np.float64), state().float_)


def _exact(name: str, n: Any, *kind: str | None) -> Any:
    """Return a matrix of integers, which are exact."""
    function = f"linalg.{name}"
    size, given = max(as_integer(n, "n", function), 0), ["symmetric" if one is None else one for one in kind]
    for word in given:
        check_choice(word, "kind", ("symmetric", "lower", "upper"), function)
    return getattr(_LINALG, name)(size, *given, exact=True)


def _sliding(x: Buffer, rows: int, columns: int, step: int) -> Buffer:
    """Return matrices whose first rows, or last ones if `step` is -1, begin with `x`, each one element further."""
    if not (rows and columns and x.size):
        return np.zeros((*x.shape[:-1], rows, columns), x.dtype)
    x = np.ascontiguousarray(x)
    begin = (rows - 1) * x.itemsize if step < 0 else 0
    strides = (*x.strides[:-1], step * x.itemsize, x.itemsize)
    return np.ndarray((*x.shape[:-1], rows, columns), x.dtype, x, begin, strides).copy()


def _joined(*parts: Buffer) -> Buffer:
    """Join buffers along the last axis; the others broadcast."""
    if any(part.ndim > 1 for part in parts):
        batch = np.broadcast_shapes(*[part.shape[:-1] for part in parts])
        parts = tuple([np.broadcast_to(part, (*batch, part.shape[-1])) for part in parts])
    return np.concatenate(parts, -1)


@public
def block_diag(*arrs: ArrayLike) -> Array:
    """Return a matrix with matrices along its diagonal, and zeros elsewhere.

    Parameters
    ----------
    *arrs : array_like
        The matrices, of at most two dimensions; a vector is a row.

    Returns
    -------
    Array
        The matrix, of the dtype that they promote to.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.block_diag(xp.asarray([[1, 2]]), xp.asarray([[3]]))
    Array([[1, 2, 0],
           [0, 0, 3]], dtype=int32)
    """
    if not arrs:
        node = state().float_
        return wrap(np.zeros((1, 0), node.dtype), node)
    node, buffers = promote_operands("linalg.block_diag", *arrs)
    if any(x.ndim > 2 for x in buffers):
        shapes = ", ".join([str(x.shape) for x in buffers])
        raise ShapeError(f"linalg.block_diag: the arguments must have at most 2 dimensions, got shapes {shapes}")
    blocks = [np.atleast_2d(x) for x in buffers]
    out = np.zeros(tuple(np.sum([x.shape for x in blocks], axis=0)), blocks[0].dtype)
    row = column = 0
    for block in blocks:
        out[row : row + block.shape[0], column : column + block.shape[1]] = block
        row, column = row + block.shape[0], column + block.shape[1]
    return wrap(out, node.strong)


@public(moving=True)
def circulant(c: ArrayLike) -> Array:
    """Return circulant matrices: each column is the one before it, moved down by one.

    Parameters
    ----------
    c

    Returns
    -------
    Array
        The matrices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.circulant(xp.asarray([1, 2, 3]))
    Array([[1, 3, 2],
           [2, 1, 3],
           [3, 2, 1]], dtype=int32)
    """
    x = operand(c, "linalg.circulant")
    data = np.atleast_1d(x._data)[..., ::-1]
    n = data.shape[-1]
    return wrap(_sliding(_joined(data, data[..., :-1]), n, n, -1), x._node)


@public(composed=True)
def companion(a: ArrayLike) -> Array:
    """Return the companion matrices of polynomials.

    Parameters
    ----------
    a : array_like
        The coefficients from the highest power down, along the last axis.

    Returns
    -------
    Array
        The matrices, whose eigenvalues are the roots.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.companion(xp.asarray([1.0, -3.0, 2.0]))
    Array([[ 3., -2.],
           [ 1.,  0.]], dtype=float32)
    """
    x = atleast_1d(operand(a, "linalg.companion"))
    if x.shape[-1] < 2:
        raise ShapeError(f"linalg.companion: the last axis must have at least 2 elements, got shape {x.shape}")
    n = x.shape[-1] - 1
    first = -(x[..., None, 1:] / x[..., None, :1])
    below = eye(n - 1, n, dtype=first.dtype)
    return concatenate([first, below if x.ndim == 1 else broadcast_to(below, (*x.shape[:-1], n - 1, n))], axis=-2)


@public(moving=True)
def convolution_matrix(a: ArrayLike, n: int, mode: str = "full") -> Array:
    """Return the matrices whose products with vectors are convolutions.

    Parameters
    ----------
    a : array_like
        The kernels, along the last axis.
    n : int
        The length of the vectors.
    mode : {"full", "valid", "same"}
        Which part of the convolution to compute.

    Returns
    -------
    Array
        The matrices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.convolution_matrix(xp.asarray([1, 2]), 3)
    Array([[1, 0, 0],
           [2, 1, 0],
           [0, 2, 1],
           [0, 0, 2]], dtype=int32)
    """
    length = as_integer(n, "n", "linalg.convolution_matrix")
    if length <= 0:
        raise ValueError(f"linalg.convolution_matrix: n must be positive, got {length}")
    x = operand(a, "linalg.convolution_matrix")
    if not x.ndim or not x.shape[-1]:
        raise ShapeError(f"linalg.convolution_matrix: a must have elements along its last axis, got shape {x.shape}")
    check_choice(mode, "mode", ("full", "valid", "same"), "linalg.convolution_matrix")
    m = x.shape[-1]
    cut = 0 if mode == "full" else min(length, m) - 1
    begin = cut // 2 if mode == "same" else cut
    end = m + length - 1 - (cut - begin if mode == "same" else cut)
    padding = np.zeros((*x.shape[:-1], length - 1), x._data.dtype)
    reversed_ = _joined(padding, x._data[..., ::-1], padding)[..., m + length - 1 - end : m + 2 * length - 2 - begin]
    return wrap(_sliding(reversed_, end - begin, length, -1), x._node.strong)


@public
def dft(n: int, scale: str | None = None, *, dtype: DTypeLike | None = None) -> Array:
    """Return the matrix of the discrete Fourier transform.

    Parameters
    ----------
    n
    scale : {None, "sqrtn", "n"}
        What the elements are divided by: nothing, the square root of `n`, or `n`.
    dtype : dtype, optional
        A complex dtype; the default one if omitted.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.dft(2)
    Array([[ 1.+0.0000000e+00j,  1.+0.0000000e+00j],
           [ 1.+0.0000000e+00j, -1.-1.2246469e-16j]], dtype=complex64)
    """
    size = as_integer(n, "n", "linalg.dft")
    check_choice(scale, "scale", (None, "sqrtn", "n"), "linalg.dft")
    node = state().complex_ if dtype is None else zeros((), dtype=dtype)._node.strong
    if node.kind != "c":
        raise ValueError(f"linalg.dft: the dtype must be complex, got {node.dtype}")
    i = np.arange(size)
    turns = np.exp(-2j * np.pi / max(size, 1) * i)
    if scale is not None:
        turns /= math.sqrt(size) if scale == "sqrtn" else size
    return rounded(turns[(i[:, None] * i) % max(size, 1)], node)


@public(composed=True)
def fiedler(a: ArrayLike) -> Array:
    """Return Fiedler matrices, of the distances between numbers.

    Parameters
    ----------
    a : array_like
        The numbers, along the last axis.

    Returns
    -------
    Array
        The matrices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.fiedler(xp.asarray([1, 4, 2]))
    Array([[0, 3, 1],
           [3, 0, 2],
           [1, 2, 0]], dtype=int32)
    """
    x = atleast_1d(operand(a, "linalg.fiedler"))
    return absolute_value(x[..., None] - x[..., None, :])


@public(composed=True)
def fiedler_companion(a: ArrayLike) -> Array:
    """Return the Fiedler companion matrices of polynomials, which have five diagonals.

    Parameters
    ----------
    a : array_like
        The coefficients from the highest power down, along the last axis.

    Returns
    -------
    Array
        The matrices, whose eigenvalues are the roots.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.fiedler_companion(xp.asarray([1.0, -3.0, 2.0]))
    Array([[ 3., -2.],
           [ 1.,  0.]], dtype=float32)
    """
    x: Any = atleast_1d(*promoted_inexact("linalg.fiedler_companion", a))
    n = x.shape[-1] - 1
    if n < 0:
        raise ShapeError(f"linalg.fiedler_companion: the last axis must not be empty, got shape {x.shape}")
    out, monic = zeros((*x.shape[:-1], n * n), x.dtype), -x / x[..., :1]
    if n < 2:
        return reshape(monic[..., 1:], (*x.shape[:-1], n, n))  # as in JAX, where a step makes larger ones strong
    step = 2 * (n + 1)  # to the next element but one of a diagonal
    out = out.at[..., 0].set(monic[..., 1]).at[..., 1::step].set(monic[..., 2::2])
    out = out.at[..., 2 * n + 1 :: step].set(monic[..., 3::2])
    for ones in (slice(2, n * (n - 2), step), n, slice(3 * n + 1, None, step)):
        out = out.at[..., ones].set(1)
    return reshape(out, (*x.shape[:-1], n, n))


@public
def hadamard(n: int, dtype: DTypeLike = int) -> Array:
    """Return the Hadamard matrix, of orthogonal rows of 1 and -1.

    Parameters
    ----------
    n : int
        The number of rows, a power of 2.
    dtype : dtype
        The dtype.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.hadamard(2)
    Array([[ 1,  1],
           [ 1, -1]], dtype=int32)
    """
    size = as_integer(n, "n", "linalg.hadamard")
    if size < 1 or size & (size - 1):
        raise ValueError(f"linalg.hadamard: n must be a positive power of 2, got {size}")
    i = np.arange(size)
    signs = 1 - 2 * (np.bitwise_count(i[:, None] & i) & 1).astype(np.int64)
    return asarray(signs).astype(dtype)


@public(moving=True)
def hankel(c: ArrayLike, r: ArrayLike | None = None) -> Array:
    """Return Hankel matrices, whose antidiagonals are constant.

    Parameters
    ----------
    c
    r : array_like, optional
        The last rows, of which the first element is not read; zeros by default.

    Returns
    -------
    Array
        The matrices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.hankel(xp.asarray([1, 2]), xp.asarray([2, 3, 4]))
    Array([[1, 2, 3],
           [2, 3, 4]], dtype=int32)
    """
    node, (column, row) = promote_operands("linalg.hankel", c, c if r is None else r)
    if not column.ndim or not row.ndim:
        raise ShapeError("linalg.hankel: the arguments must have at least 1 dimension, got a scalar")
    row = np.zeros_like(row) if r is None else row
    return wrap(_sliding(_joined(column, row[..., 1:]), column.shape[-1], row.shape[-1], 1), node.strong)


@public
def helmert(n: int, full: bool = False) -> Array:
    """Return the Helmert matrix, whose rows are orthonormal contrasts.

    Parameters
    ----------
    n : int
        The number of columns.
    full : bool
        Whether to include the constant row.

    Returns
    -------
    Array
        The matrix, of the default float dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.helmert(2)
    Array([[ 0.70710677, -0.70710677]], dtype=float32)
    """
    size = as_integer(n, "n", "linalg.helmert")
    if size < 1:
        raise ValueError(f"linalg.helmert: n must be positive, got {size}")
    k = np.arange(1.0, size)[:, None]
    columns = np.arange(size)
    rows = np.where(columns < k, 1.0, np.where(columns == k, -k, 0.0)) / np.sqrt(k * (k + 1))
    return _floats(np.concatenate([np.full((1, size), size**-0.5), rows]) if full else rows)


@public
def hilbert(n: int) -> Array:
    """Return the Hilbert matrix, of ``1 / (i + j + 1)``.

    Parameters
    ----------
    n

    Returns
    -------
    Array
        The matrix, of the default float dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.hilbert(2)
    Array([[1.        , 0.5       ],
           [0.5       , 0.33333334]], dtype=float32)
    """
    size = max(as_integer(n, "n", "linalg.hilbert"), 0)
    return _floats(_sliding(1 / np.arange(1.0, 2 * size), size, size, 1))


@public
def invhilbert(n: int) -> Array:
    """Return the inverse of the Hilbert matrix, whose elements are integers.

    Parameters
    ----------
    n

    Returns
    -------
    Array
        The matrix, of the default float dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.invhilbert(2)
    Array([[ 4., -6.],
           [-6., 12.]], dtype=float32)
    """
    return _floats(_exact("invhilbert", n))


@public
def invpascal(n: int, kind: str | None = None) -> Array:
    """Return the inverse of the Pascal matrix, whose elements are integers.

    Parameters
    ----------
    n, kind

    Returns
    -------
    Array
        The matrix, of the default float dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.invpascal(3)
    Array([[ 3., -3.,  1.],
           [-3.,  5., -2.],
           [ 1., -2.,  1.]], dtype=float32)
    """
    return _floats(_exact("invpascal", n, kind))


@public(moving=True)
def leslie(f: ArrayLike, s: ArrayLike) -> Array:
    """Return Leslie matrices of population dynamics.

    Parameters
    ----------
    f : array_like
        The fecundities, which become the first row.
    s : array_like
        The survival rates, which become the diagonal below the main one.

    Returns
    -------
    Array
        The matrices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.leslie(xp.asarray([1, 2]), xp.asarray([3]))
    Array([[1, 2],
           [3, 0]], dtype=int32)
    """
    node, (first, below) = promote_operands("linalg.leslie", f, s)
    first, below = np.atleast_1d(first), np.atleast_1d(below)
    n = first.shape[-1]
    if n < 2 or below.shape[-1] != n - 1:
        raise ShapeError(f"linalg.leslie: s must be one shorter than f and not empty, got shapes {first.shape}, {below.shape}")
    out = np.zeros((*np.broadcast_shapes(first.shape[:-1], below.shape[:-1]), n, n), first.dtype)
    out[..., 0, :] = first
    out[..., np.arange(1, n), np.arange(n - 1)] = below
    return wrap(out, node.strong)


@public
def pascal(n: int, kind: str | None = None) -> Array:
    """Return the Pascal matrix, of binomial coefficients.

    Parameters
    ----------
    n, kind

    Returns
    -------
    Array
        The matrix, of dtype float32.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.pascal(3)
    Array([[1., 1., 1.],
           [1., 2., 3.],
           [1., 3., 6.]], dtype=float32)
    """
    node = NODES["float32"]
    return wrap(_exact("pascal", n, kind).astype(np.float64).astype(node.dtype), node)


@public
def toeplitz(c: ArrayLike, r: ArrayLike | None = None) -> Array:
    """Return Toeplitz matrices, whose diagonals are constant.

    Parameters
    ----------
    c
    r : array_like, optional
        The first rows, of which the first element is not read; the conjugates of `c` by default.

    Returns
    -------
    Array
        The matrices.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.toeplitz(xp.asarray([1, 2, 3]), xp.asarray([1, 4, 5]))
    Array([[1, 4, 5],
           [2, 1, 4],
           [3, 2, 1]], dtype=int32)
    """
    node, (column, row) = promote_operands("linalg.toeplitz", c, c if r is None else r)
    if r is None:
        row = np.conj(row) if node.kind == "c" else row
    column, row = np.atleast_1d(column), np.atleast_1d(row)
    found = _sliding(_joined(column[..., ::-1], row[..., 1:]), column.shape[-1], row.shape[-1], -1)
    return wrap(found, node.strong)
