"""Determinants, inverses, ranks and solutions of linear systems."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from numpy.linalg import LinAlgError

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import ShapeError, as_integer, check_choice, describe
from supremum._core.array import Array, ArrayLike, Axis, wrap
from supremum._core.conversion import Buffer, in_dtype, normalize_axes, operand, operands
from supremum._core.reduction_rows import accumulator
from supremum._core.settings import state
from supremum._functions._rounding import rounded_once
from supremum._functions.creation.from_objects import array, copy
from supremum._functions.linear_algebra._matrices import (
    PLAIN,
    SlogdetResult,
    adjoint,
    hermitian_part,
    inexact,
    matrices,
    robust,
    rounded,
)
from supremum._functions.linear_algebra._solvers import epsilon, inverse, least_squares, solve_each
from supremum._functions.linear_algebra.contractions import matmul
from supremum._functions.manipulation.axes import permute_dims
from supremum._functions.manipulation.shapes import reshape
from supremum._kernels import lapack
from supremum.promotion._nodes import NODES, Node

__all__ = [
    "LinAlgError", "det", "inv", "lstsq", "matrix_power", "matrix_rank", "pinv", "slogdet", "solve", "tensorinv",
    "tensorsolve",
]  # fmt: skip


# -- determinants ------------------------------------------------------------------------------------------------------------


def _least_squares(left: Buffer, right: Buffer, rcond: Any) -> tuple[Buffer, Buffer, int, Buffer]:
    """Return the solutions, the sums of squared residuals, the rank and the singular values."""
    columns = right[:, None] if right.ndim == 1 else right
    x, values, rank = least_squares(left, columns, rcond)
    rest = np.abs(columns - left @ x)
    return x[:, 0] if right.ndim == 1 else x, np.add.reduce(rest * rest, 0), rank, values


def _inverse_of_parts(left: Buffer, values: Buffer, right: Buffer, cutoff: Any) -> Buffer:
    """Return the pseudo-inverse of a product; values that are less than the largest one times the cutoff count as zero."""
    magnitude = np.abs(values)
    negligible = magnitude <= cutoff * magnitude.max(-1, keepdims=True)
    if np.count_nonzero(negligible):
        scale = np.where(negligible, 0, 1 / np.where(negligible, 1, values)).astype(values.dtype)
    else:
        scale = 1 / values
    return adjoint(right) @ (scale[..., None] * adjoint(left))


def _plain_tensorsolve(a: Buffer, b: Buffer) -> Any:
    shape = a.shape[b.ndim :]
    if a.shape[: b.ndim] != b.shape or b.size != math.prod(shape):
        return NotImplemented
    return lapack.solve(a.reshape(b.size, b.size), b.reshape(-1)).reshape(shape)


@public(last=2)
def det(a: ArrayLike) -> Array:
    """Compute the determinants of matrices.

    Parameters
    ----------
    a

    Returns
    -------
    Array
        The determinants.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.det(xp.asarray([[1.0, 2.0], [3.0, 4.0]]))
    Array(-2., dtype=float32)
    """
    node, data = matrices("linalg.det", a, square=True)
    return rounded(_SMALL_DETERMINANTS.get(data.shape[-1], lapack.det)(data), node)


def _elements(x: Buffer) -> Any:
    """Return the elements of matrices row by row: numbers, or arrays of them for a stack."""
    return x.reshape(-1) if x.ndim == 2 else np.moveaxis(x.reshape(*x.shape[:-2], x.shape[-1] ** 2), -1, 0)


def _det2(x: Buffer) -> Any:
    a, b, c, d = _elements(x)
    return a * d - b * c


def _det3(x: Buffer) -> Any:
    # The rule of Sarrus. Integral elements have an integral determinant, which elimination would round.
    a, b, c, d, e, f, g, h, i = _elements(x)
    return sum((a * e * i, b * f * g, c * d * h)) - sum((a * f * h, b * d * i, c * e * g))


_SMALL_DETERMINANTS: dict[int, Any] = {2: _det2, 3: _det3}


def _plain_slogdet(a: Buffer) -> Any:
    if a.ndim > 2:
        return NotImplemented
    found = lapack.slogdet(a)
    return NotImplemented if math.isnan(found[1]) else found


@public(plain=Plain(_plain_slogdet, make=SlogdetResult, **PLAIN), last=2)
def slogdet(a: ArrayLike, *, method: Literal["lu", "qr"] | None = None) -> SlogdetResult:
    """Compute the signs of determinants and the logarithms of their magnitudes.

    Parameters
    ----------
    a
    method : {"lu", "qr"}, optional
        The algorithm in JAX, without effect.

    Returns
    -------
    SlogdetResult
        The ``sign``, and ``logabsdet``.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.slogdet(xp.asarray([[-1.0, 0.0], [0.0, 1.0]]))
    SlogdetResult(sign=Array(-1., dtype=float32), logabsdet=Array(0., dtype=float32))
    """
    node, data = matrices("linalg.slogdet", a, square=True)
    check_choice(method, "method", (None, "lu", "qr"), "linalg.slogdet")
    if method == "qr" and data.dtype.kind == "c":
        raise NotImplementedError("linalg.slogdet: method='qr' is for real matrices; use method='lu'")
    sign, logarithm = lapack.slogdet(data)
    if (invalid := np.isnan(logarithm)).any():
        sign = np.where(invalid, logarithm, sign)
    # JAX uses formulas for small matrices, which keep a weak dtype, and an algorithm for others, which does not.
    node = node if data.shape[-1] in (1, 2) else node.strong
    return SlogdetResult(rounded(sign, node), rounded(logarithm, node.real))


# -- solutions ---------------------------------------------------------------------------------------------------------------


@public(plain=Plain(lapack.solve, arrays=2, kinds="fc", errors=lapack.RAISES))
def solve(a: ArrayLike, b: ArrayLike) -> Array:
    """Solve ``a x = b`` for x; infinities and NaN if `a` is singular.

    Parameters
    ----------
    a
    b : array_like
        A vector, a matrix or a stack of matrices; only a 1-d array is taken for a vector.

    Returns
    -------
    Array
        The solutions.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.solve(xp.asarray([[2.0, 0.0], [0.0, 4.0]]), xp.asarray([2.0, 2.0]))
    Array([1. , 0.5], dtype=float32)
    """
    node, (left, right) = inexact("linalg.solve", a, b)
    if left.ndim < 2 or left.shape[-1] != left.shape[-2]:
        raise ShapeError(f"linalg.solve needs square matrices on the left, got shape {left.shape}")
    if not right.ndim:
        raise ShapeError("linalg.solve needs a vector or matrices on the right, got a 0-d array")
    columns = right[:, None] if right.ndim == 1 else right
    try:
        batch = np.broadcast_shapes(left.shape[:-2], columns.shape[:-2])
    except ValueError:
        batch = None
    if batch is None or columns.shape[-2] != left.shape[-1]:
        raise ShapeError(f"linalg.solve: the shapes {left.shape} and {right.shape} do not match")
    solution = solve_each(left, columns)
    return rounded(solution[..., 0] if right.ndim == 1 else solution, node)


@public(plain=Plain(lapack.inv, **PLAIN), last=2)
def inv(a: ArrayLike) -> Array:
    """Compute the inverses of matrices; infinities and NaN if they are singular.

    Parameters
    ----------
    a

    Returns
    -------
    Array
        The inverses.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.inv(xp.asarray([[2.0, 0.0], [0.0, 4.0]]))
    Array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)
    """
    node, data = matrices("linalg.inv", a, square=True)
    return rounded(inverse(data), node.strong)


@public
def lstsq(
    a: ArrayLike, b: ArrayLike, rcond: float | None = None, *, numpy_resid: bool = False
) -> tuple[Array, Array, Array, Array]:
    """Compute the least-squares solutions of ``a x = b``.

    Parameters
    ----------
    a : array_like
        A matrix.
    b : array_like
        A vector or a matrix.
    rcond : float, optional
        Singular values below `rcond` times the largest one are treated as zero; by default the machine epsilon times the
        larger dimension.
    numpy_resid : bool
        Whether to return no residuals if `a` has not full rank or has no more rows than columns, as NumPy does.

    Returns
    -------
    tuple of Array
        The solutions, the sums of squared residuals, the rank, the singular values.

    Examples
    --------
    >>> import supremum as xp
    >>> x, residuals, rank, s = xp.linalg.lstsq(xp.asarray([[1.0, 0.0], [0.0, 2.0]]), xp.asarray([1.0, 4.0]))
    >>> xp.allclose(x, xp.asarray([1.0, 2.0])), rank
    (Array(True, dtype=bool), Array(2, dtype=int32))
    """
    node, (left, right) = inexact("linalg.lstsq", a, b)
    if left.ndim != 2 or right.ndim not in (1, 2):
        raise ShapeError(f"linalg.lstsq needs a matrix and a vector or a matrix, got shapes {left.shape} and {right.shape}")
    if left.shape[0] != right.shape[0]:
        raise ShapeError(f"linalg.lstsq: the shapes {left.shape} and {right.shape} do not match")
    x, residuals, rank, values = _least_squares(left, right, rcond)
    rows, unknowns = left.shape
    residual_node = node.real.strong
    if numpy_resid and (rank < unknowns or rows <= unknowns):
        residual_node, residuals = state().float_, np.zeros(0)
    count = state().int_
    rank_ = wrap(np.asarray(rank, count.dtype), count)
    return rounded(x, node.strong), rounded(residuals, residual_node), rank_, rounded(values, node.real)


@public(composed=True)
def tensorinv(a: ArrayLike, ind: int = 2) -> Array:
    """Compute the inverse of an array as a linear map, by `tensordot`, of its last axes to its first ones.

    Parameters
    ----------
    a : array_like
        The array, with as many elements along its first `ind` axes as along the others.
    ind : int
        The number of first axes, those of the values of the map.

    Returns
    -------
    Array
        The inverse.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.tensorinv(xp.reshape(2 * xp.eye(6), (6, 2, 3)), ind=1).shape
    (2, 3, 6)
    """
    x = operand(a, "linalg.tensorinv")
    count = as_integer(ind, "ind", "linalg.tensorinv")
    if count <= 0:
        raise ValueError(f"linalg.tensorinv: ind must be positive, got {count}")
    values, arguments = x.shape[:count], x.shape[count:]
    if math.prod(values) != math.prod(arguments):
        raise ShapeError(f"linalg.tensorinv: the axes before and after ind={count} of shape {x.shape} differ in size")
    return reshape(inv(reshape(x, (math.prod(values), math.prod(arguments)))), arguments + values)


@public(plain=Plain(_plain_tensorsolve, arrays=2, kinds="fc", errors=lapack.RAISES), composed=True)
def tensorsolve(a: ArrayLike, b: ArrayLike, axes: Axis = None) -> Array:
    """Solve ``tensordot(a, x, x.ndim) = b`` for x.

    Parameters
    ----------
    a : array_like
        The array, with the axes of `b` and then those of the solution.
    b : array_like
        The right-hand side.
    axes : int or tuple of int, optional
        Axes of `a` to move to its end first; they keep their order, as in JAX.

    Returns
    -------
    Array
        The solution.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.tensorsolve(xp.reshape(2 * xp.eye(6), (2, 3, 6)), xp.ones((2, 3)))
    Array([0.5, 0.5, 0.5, 0.5, 0.5, 0.5], dtype=float32)
    """
    left, right = operands("linalg.tensorsolve", a, b)
    if axes is not None:
        try:
            moved = sorted(normalize_axes(axes, left.ndim, "linalg.tensorsolve"))
        except (ValueError, TypeError) as error:
            raise ValueError(
                f"linalg.tensorsolve: axes={describe(axes)} does not match an array of shape {left.shape}"
            ) from error
        left = permute_dims(left, [axis for axis in range(left.ndim) if axis not in moved] + moved)
    shape = left.shape[right.ndim :]
    if left.shape[: right.ndim] != right.shape or right.size != math.prod(shape):
        raise ShapeError(f"linalg.tensorsolve: the shapes {left.shape} and {right.shape} do not match")
    return reshape(solve(reshape(left, (right.size, right.size)), reshape(right, (-1,))), shape)


# -- powers, ranks, pseudo-inverses ------------------------------------------------------------------------------------------


@public(role="product", last=2, composed=True)
def matrix_power(a: ArrayLike, n: int) -> Array:
    """Raise square matrices to an integer power.

    Parameters
    ----------
    a
    n : int
        The exponent; for a negative one, the inverse is raised to its magnitude.

    Returns
    -------
    Array
        The powers.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.matrix_power(xp.asarray([[1, 1], [0, 1]]), 5)
    Array([[1, 5],
           [0, 1]], dtype=int32)
    """
    x = operand(a, "linalg.matrix_power")
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ShapeError(f"linalg.matrix_power needs square matrices, got shape {x.shape}")
    exponent = as_integer(n, "the exponent", "linalg.matrix_power")
    if exponent == 0:
        return array(np.broadcast_to(np.eye(x.shape[-1]), x.shape), x.dtype)
    if exponent < 0:
        x, exponent = inv(x), -exponent
    return copy(x) if exponent == 1 else _powered(x, exponent)


@rounded_once
def _powered(x: Array, exponent: int) -> Array:
    """Raise square matrices to a power of at least 1."""
    if exponent == 1:
        return x
    square = _powered(matmul(x, x), exponent // 2)
    return matmul(x, square) if exponent % 2 else square


@public(role="position", last=2)
def matrix_rank(
    M: ArrayLike, rtol: ArrayLike | None = None, *, hermitian: bool = False, tol: ArrayLike | None = None
) -> Array:
    """Compute the ranks of matrices: the numbers of singular values that are not negligible.

    Parameters
    ----------
    M : array_like
        A matrix or a stack of them.
    rtol : array_like, optional
        Singular values up to `rtol` times the largest one are negligible; by default the machine epsilon times the larger
        dimension.
    hermitian
    tol : array_like, optional
        Singular values up to `tol` are negligible; instead of `rtol`.

    Returns
    -------
    Array
        The ranks.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.matrix_rank(xp.ones((3, 3)))
    Array(1, dtype=int32)
    """
    if tol is not None and rtol is not None:
        raise ValueError("linalg.matrix_rank: rtol and tol cannot both be set")
    node, (data,) = inexact("linalg.matrix_rank", M)
    if data.ndim < 2:
        return wrap(np.asarray((data != 0).any(), np.int32), NODES["int32"])
    count = state().int_
    values = _singular_values(data, hermitian)
    largest = values.max(-1, initial=0)
    cutoff = (
        _real("linalg.matrix_rank", tol, node)
        if tol is not None
        else largest * _relative("linalg.matrix_rank", rtol, data, node)
    )
    return wrap(np.add.reduce(values > np.asarray(cutoff)[..., None], -1, count.dtype, out=...), count)


def _singular_values(data: Buffer, hermitian: bool) -> Buffer:
    if hermitian:
        return np.asarray(np.abs(robust(lapack.eigvalsh, hermitian_part(data))))
    return np.asarray(robust(lapack.svdvals, data))


def _real(function: str, value: Any, node: Node) -> Buffer:
    """Return a tolerance in the real dtype to compute in."""
    return in_dtype(value, operand(value, function, 1), accumulator(node.real))


def _relative(function: str, rtol: Any, data: Buffer, node: Node) -> Any:
    """Return a relative tolerance; by default the machine epsilon times the larger dimension."""
    return data.real.dtype.type(max(data.shape[-2:]) * epsilon(data)) if rtol is None else _real(function, rtol, node)


@public(last=2)
def pinv(a: ArrayLike, rtol: ArrayLike | None = None, hermitian: bool = False, *, rcond: ArrayLike | None = None) -> Array:
    """Compute the Moore-Penrose pseudo-inverses of matrices.

    Parameters
    ----------
    a : array_like
        A matrix or a stack of them.
    rtol : array_like, optional
        Singular values up to `rtol` times the largest one are treated as zero; by default the machine epsilon times the
        larger dimension.
    hermitian
    rcond : array_like, optional
        The old name of `rtol` in NumPy.

    Returns
    -------
    Array
        The pseudo-inverses.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.pinv(xp.asarray([[2.0, 0.0], [0.0, 0.0]]))
    Array([[0.5, 0. ],
           [0. , 0. ]], dtype=float32)
    """
    if rcond is not None and rtol is not None:
        raise ValueError("linalg.pinv: rcond is the old name of rtol, and they cannot both be set")
    node, data = matrices("linalg.pinv", a)
    result = node.strong
    if not data.shape[-1] or not data.shape[-2]:
        return rounded(np.zeros(data.mT.shape, data.dtype), result)
    if hermitian:
        values, vectors = robust(lapack.eigh, hermitian_part(data))
        left, right = vectors, adjoint(vectors)
    else:
        left, values, right = robust(lapack.thin_svd, data)
    cutoff = np.asarray(_relative("linalg.pinv", rtol if rcond is None else rcond, data, node))[..., None]
    return rounded(_inverse_of_parts(left, values, right, cutoff), result)
