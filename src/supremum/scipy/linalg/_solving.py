"""Solutions of linear systems: triangular factors, Cholesky factors, Gaussian elimination."""

from __future__ import annotations

from typing import Any

import numpy as np

from supremum import linalg
from supremum._base.boundary import publish
from supremum._base.buffers import Buffer
from supremum._base.errors import ShapeError, describe
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand
from supremum._core.typing import ArrayLike
from supremum._functions.linear_algebra._matrices import adjoint, matrices, robust
from supremum._kernels import lapack
from supremum.promotion._nodes import NODES
from supremum.scipy._matrices import check_square, columns_of, in_double, rounded
from supremum.scipy._triangular import eliminate, permutation, substitute

__all__ = [
    "cho_factor", "cho_solve", "cholesky", "det", "inv", "lu", "lu_factor", "lu_solve", "solve", "solve_triangular",
]  # fmt: skip


def cholesky(a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Compute the Cholesky factors of Hermitian positive-definite matrices; NaN for other matrices.

    Parameters
    ----------
    a : array_like
        A matrix or a stack of them, of which one triangle is read.
    lower : bool
        Whether to read the lower triangle and return the lower factor, instead of the upper ones.
    overwrite_a, check_finite : bool
        Without effect.

    Returns
    -------
    Array
        The factors.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.cholesky(xp.asarray([[4.0, 2.0], [2.0, 2.0]]))
    Array([[2., 1.],
           [0., 1.]], dtype=float32)
    """
    node, data = matrices("linalg.cholesky", a, square=True)
    factor = np.tril(robust(lapack.cholesky, data if lower else adjoint(data), finite=False))
    return rounded(factor if lower else adjoint(factor), node.strong)


def cho_factor(a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Array, bool]:
    """Compute the Cholesky factors for `cho_solve`.

    Parameters
    ----------
    a, lower, overwrite_a, check_finite
        As for `cholesky`.

    Returns
    -------
    tuple of Array and bool
        The factors, and whether they are lower ones.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.cho_factor(xp.asarray([[4.0, 2.0], [2.0, 2.0]]), lower=True)
    (Array([[2., 0.],
           [1., 1.]], dtype=float32), True)
    """
    return cholesky(a, lower=lower), lower


def cho_solve(
    c_and_lower: tuple[ArrayLike, bool], b: ArrayLike, overwrite_b: bool = False, check_finite: bool = True
) -> Array:
    """Solve ``a x = b`` for x with the Cholesky factors of `a`.

    Parameters
    ----------
    c_and_lower : tuple of array_like and bool
        The result of `cho_factor`.
    b : array_like
        A vector, a matrix or a stack of matrices.
    overwrite_b, check_finite : bool
        Without effect.

    Returns
    -------
    Array
        The solutions.

    Examples
    --------
    >>> import supremum as xp
    >>> factors = xp.scipy.linalg.cho_factor(xp.asarray([[4.0, 2.0], [2.0, 2.0]]))
    >>> xp.scipy.linalg.cho_solve(factors, xp.asarray([2.0, 4.0]))
    Array([-1.,  3.], dtype=float32)
    """
    c, lower = c_and_lower
    node, (factors, right) = in_double("linalg.cho_solve", c, b)
    check_square("linalg.cho_solve", factors, "c")
    columns, restore = columns_of("linalg.cho_solve", factors, right)
    first, second = (factors, adjoint(factors)) if lower else (adjoint(factors), factors)
    y = substitute(first, columns, lower=True)
    return rounded(restore(substitute(second, y, lower=False)), node.strong)


def solve_triangular(
    a: ArrayLike,
    b: ArrayLike,
    trans: int | str = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    debug: Any = None,
    check_finite: bool = True,
) -> Array:
    """Solve ``a x = b`` for x with triangular `a`.

    Parameters
    ----------
    a : array_like
        A matrix or a stack of them, of which one triangle is read.
    b : array_like
        A vector, a matrix or a stack of matrices.
    trans : {0, 1, 2, "N", "T", "C"}
        Whether the matrix is `a`, its transpose (1, ``"T"``) or its conjugate transpose (2, ``"C"``).
    lower : bool
        Whether the lower triangle of `a` is read instead of the upper one.
    unit_diagonal : bool
        Whether the diagonal counts as 1 and is not read.
    overwrite_b, debug, check_finite
        Without effect.

    Returns
    -------
    Array
        The solutions.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.solve_triangular(xp.asarray([[2.0, 1.0], [0.0, 4.0]]), xp.asarray([4.0, 8.0]))
    Array([1., 2.], dtype=float32)
    """
    kinds: dict[Any, int] = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}
    if trans not in kinds:
        raise ValueError(f"linalg.solve_triangular: trans must be 0, 1, 2, 'N', 'T' or 'C', got {describe(trans)}")
    node, (factors, right) = in_double("linalg.solve_triangular", a, b)
    check_square("linalg.solve_triangular", factors, "a")
    columns, restore = columns_of("linalg.solve_triangular", factors, right)
    kind = kinds[trans]
    turned = (factors, factors.mT, adjoint(factors))[kind] if factors.ndim else factors
    found = substitute(turned, columns, lower=bool(lower) != (kind > 0), unit=unit_diagonal)
    return rounded(restore(found), node.strong)


def lu_factor(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Array, Array]:
    """Factor matrices by Gaussian elimination, for `lu_solve`.

    Parameters
    ----------
    a : array_like
        A matrix or a stack of them.
    overwrite_a, check_finite : bool
        Without effect.

    Returns
    -------
    tuple of Array
        Both triangular factors in one matrix, and the row that each step exchanged.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.lu_factor(xp.asarray([[1.0, 2.0], [4.0, 2.0]]))
    (Array([[4.  , 2.  ],
           [0.25, 1.5 ]], dtype=float32), Array([1, 1], dtype=int32))
    """
    node, data = matrices("linalg.lu_factor", a)
    wide = np.complex128 if data.dtype.kind == "c" else np.float64
    factors, pivots, _ = eliminate(data.astype(wide))
    return rounded(factors, node.strong), wrap(pivots, NODES["int32"])


def lu_solve(
    lu_and_piv: tuple[Array, ArrayLike], b: ArrayLike, trans: int = 0, overwrite_b: bool = False, check_finite: bool = True
) -> Array:
    """Solve ``a x = b`` for x with the factors of `a` that `lu_factor` returns.

    Parameters
    ----------
    lu_and_piv : tuple of array_like
        The result of `lu_factor`.
    b : array_like
        A vector, a matrix or a stack of matrices.
    trans : {0, 1, 2}
        Whether to solve with `a`, its transpose (1) or its conjugate transpose (2).
    overwrite_b, check_finite : bool
        Without effect.

    Returns
    -------
    Array
        The solutions.

    Examples
    --------
    >>> import supremum as xp
    >>> factors = xp.scipy.linalg.lu_factor(xp.asarray([[1.0, 2.0], [4.0, 2.0]]))
    >>> xp.scipy.linalg.lu_solve(factors, xp.asarray([5.0, 8.0]))
    Array([1., 2.], dtype=float32)
    """
    given, pivots = lu_and_piv
    node, (factors, right) = in_double("linalg.lu_solve", given, b)
    check_square("linalg.lu_solve", factors, "lu")
    if trans not in (0, 1, 2):
        raise ValueError(f"linalg.lu_solve: trans must be 0, 1 or 2, got {describe(trans)}")
    columns, restore = columns_of("linalg.lu_solve", factors, right)
    order = permutation(operand(pivots, "linalg.lu_solve")._data, factors.shape[-1])
    return rounded(restore(solve_factored(factors, order, columns, trans)), node.strong)


def solve_factored(factors: Buffer, order: Buffer, columns: Buffer, trans: int) -> Buffer:
    """Solve linear systems with the factors of Gaussian elimination and the order of the rows."""
    batch = np.broadcast_shapes(factors.shape[:-2], columns.shape[:-2])
    columns = np.broadcast_to(columns, (*batch, *columns.shape[-2:]))
    places = np.broadcast_to(order, (*batch, order.shape[-1]))[..., None]
    if trans == 0:
        y = substitute(factors, np.take_along_axis(columns, places, -2), lower=True, unit=True)
        return substitute(factors, y, lower=False)
    turned = adjoint(factors) if trans == 2 else factors.mT
    y = substitute(turned, substitute(turned, columns, lower=True), lower=False, unit=True)
    return np.take_along_axis(y, np.argsort(places, -2), -2)


def lu(
    a: ArrayLike, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Array, Array] | tuple[Array, Array, Array]:
    """Factor a matrix by Gaussian elimination into a permutation, a lower and an upper triangular matrix.

    Parameters
    ----------
    a : array_like
        A matrix.
    permute_l : bool
        Whether to return the product of the permutation and the lower matrix in place of both.
    overwrite_a, check_finite : bool
        Without effect.

    Returns
    -------
    tuple of Array
        The permutation, the lower and the upper matrix; or the product and the upper matrix.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.lu(xp.asarray([[1.0, 2.0], [4.0, 2.0]]), permute_l=True)
    (Array([[0.25, 1.  ],
           [1.  , 0.  ]], dtype=float32), Array([[4. , 2. ],
           [0. , 1.5]], dtype=float32))
    """
    node, data = matrices("linalg.lu", a)
    node = node.strong
    if data.ndim != 2:
        raise ShapeError(f"linalg.lu: the argument must be one matrix, got shape {data.shape}")
    factors, _, order = eliminate(data.astype(np.complex128 if data.dtype.kind == "c" else np.float64))
    rows, columns = data.shape
    k = min(rows, columns)
    lower = np.tril(factors, -1)[:, :k] + np.eye(rows, k, dtype=factors.dtype)
    upper = rounded(np.triu(factors)[:k], node)
    if permute_l:
        return rounded(lower[np.argsort(order)], node), upper
    return rounded((order == np.arange(rows)[:, None]).astype(np.float64), node.real), rounded(lower, node), upper


def solve(
    a: ArrayLike,
    b: ArrayLike,
    lower: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    debug: bool = False,
    check_finite: bool = True,
    assume_a: str = "gen",
) -> Array:
    """Solve ``a x = b`` for x.

    Parameters
    ----------
    a : array_like
        A square matrix or a stack of them.
    b : array_like
        A vector, a matrix or a stack of matrices.
    lower : bool
        Whether the lower triangle of positive-definite matrices is read instead of the upper one.
    overwrite_a, overwrite_b, debug, check_finite : bool
        Without effect.
    assume_a : {"gen", "sym", "her", "pos"}
        ``"pos"`` if the matrices are positive definite: their Cholesky factors are used.

    Returns
    -------
    Array
        The solutions.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.solve(xp.asarray([[4.0, 2.0], [2.0, 2.0]]), xp.asarray([2.0, 4.0]), assume_a="pos")
    Array([-1.,  3.], dtype=float32)
    """
    if assume_a not in ("gen", "sym", "her", "pos"):
        raise ValueError(f"linalg.solve: assume_a must be 'gen', 'sym', 'her' or 'pos', got {describe(assume_a)}")
    if assume_a != "pos":
        return linalg.solve(a, b)
    node, (data, right) = in_double("linalg.solve", a, b)
    check_square("linalg.solve", data, "a")
    vector = right.ndim == 1
    columns = right[..., None] if vector else right
    if columns.shape[-2] != data.shape[-1]:
        raise ShapeError(f"linalg.solve: the matrices have shape {data.shape}, the right-hand sides {right.shape}")
    factors = np.tril(robust(lapack.cholesky, data if lower else adjoint(data), finite=False))
    found = substitute(adjoint(factors), substitute(factors, columns, lower=True), lower=False)
    return rounded(found[..., 0] if vector else found, node)


def det(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Compute the determinants of square matrices.

    Parameters
    ----------
    a : array_like
        A matrix or a stack of them.
    overwrite_a, check_finite : bool
        Without effect.

    Returns
    -------
    Array
        The determinants.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.det(xp.asarray([[1.0, 2.0], [3.0, 4.0]]))
    Array(-2., dtype=float32)
    """
    return linalg.det(a)


def inv(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Compute the inverses of square matrices.

    Parameters
    ----------
    a : array_like
        A matrix or a stack of them.
    overwrite_a, check_finite : bool
        Without effect.

    Returns
    -------
    Array
        The inverses.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.inv(xp.asarray([[2.0, 0.0], [0.0, 4.0]]))
    Array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)
    """
    return linalg.inv(a)


publish(__name__, home="supremum.scipy.linalg")
