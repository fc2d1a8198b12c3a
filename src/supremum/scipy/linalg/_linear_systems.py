"""Solutions of linear systems: triangular factors, Cholesky factors, Gaussian elimination."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np

from supremum import linalg
from supremum._base.boundary import public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import ShapeError, check_choice, describe
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import operand
from supremum._functions.linear_algebra._matrices import adjoint, inexact, matrices, robust, rounded
from supremum._kernels import lapack
from supremum.promotion._nodes import NODES
from supremum.scipy._evaluation import Library, check_square, columns_of
from supremum.scipy.linalg._lapack import factor_lu, over_stack, solve_cholesky, solve_lu, solve_positive, substitute

__all__ = [
    "cho_factor", "cho_solve", "cholesky", "det", "inv", "lu", "lu_factor", "lu_solve", "solve", "solve_triangular",
]  # fmt: skip

_LINALG: Final = Library("scipy.linalg")


@public(last=2)
def cholesky(a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Compute the Cholesky factors of Hermitian positive-definite matrices; NaN for other matrices.

    Parameters
    ----------
    a : array_like
        A matrix or a stack of them, of which one triangle is read.
    lower, overwrite_a, check_finite

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
    factor: Buffer = robust(lapack.plain_cholesky, data if lower else adjoint(data), finite=False)
    if not lapack.is_finite(factor):
        factor = np.tril(factor)
    return rounded(factor if lower else adjoint(factor), node.strong)


@public(last=2, composed=True)
def cho_factor(a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Array, bool]:
    """Compute the Cholesky factors for `cho_solve`.

    Parameters
    ----------
    a : array_like
        A matrix or a stack of them, of which one triangle is read.
    lower, overwrite_a, check_finite

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


def _cho_solve_parts(xp: Any, c_and_lower: Any, b: Any, overwrite_b: bool = False, check_finite: bool = True) -> Any:
    (c, lower), solve = c_and_lower, xp.scipy.linalg.solve_triangular
    conjugate = 2 if xp.iscomplexobj(c) else 1
    first = solve(c, b, lower=lower, trans=0 if lower else conjugate)
    return solve(c, first, lower=lower, trans=conjugate if lower else 0)


@public(parts=_cho_solve_parts)
def cho_solve(
    c_and_lower: tuple[ArrayLike, bool], b: ArrayLike, overwrite_b: bool = False, check_finite: bool = True
) -> Array:
    """Solve ``a x = b`` for x with the Cholesky factors of `a`.

    Parameters
    ----------
    c_and_lower : tuple of array_like and bool
        The result of `cho_factor`.
    b, overwrite_b, check_finite

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
    node, (factors, right) = inexact("linalg.cho_solve", c, b)
    check_square("linalg.cho_solve", factors, "c")
    columns, restore = columns_of("linalg.cho_solve", factors, right)
    (found,) = over_stack(partial(solve_cholesky, lower=bool(lower)), factors, columns)
    return rounded(restore(found), node.strong)


@public
def solve_triangular(
    a: ArrayLike, b: ArrayLike, trans: int | str = 0, lower: bool = False, unit_diagonal: bool = False, overwrite_b: bool
    = False, debug: Any = None, check_finite: bool = True,
) -> Array:  # fmt: skip
    """Solve ``a x = b`` for x with triangular `a`.

    Parameters
    ----------
    a : array_like
        A matrix or a stack of them, of which one triangle is read.
    b
    trans : {0, 1, 2, "N", "T", "C"}
        Whether the matrix is `a`, its transpose (1, ``"T"``) or its conjugate transpose (2, ``"C"``).
    lower : bool
        Whether the lower triangle of `a` is read instead of the upper one.
    unit_diagonal : bool
        Whether the diagonal counts as 1 and is not read.
    overwrite_b, debug, check_finite : bool
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
    node, (factors, right) = inexact("linalg.solve_triangular", a, b)
    check_square("linalg.solve_triangular", factors, "a")
    columns, restore = columns_of("linalg.solve_triangular", factors, right)
    solve = partial(substitute, lower=bool(lower), trans=kinds[trans], unit=bool(unit_diagonal))
    (found,) = over_stack(solve, factors, columns)
    return rounded(restore(found), node.strong)


@public(last=2)
def lu_factor(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Array, Array]:
    """Factor matrices by Gaussian elimination, for `lu_solve`.

    Parameters
    ----------
    a, overwrite_a, check_finite

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
    factors, pivots = over_stack(factor_lu, data)
    return rounded(factors, node.strong), wrap(pivots, NODES["int32"])


@public
def lu_solve(
    lu_and_piv: tuple[Array, ArrayLike], b: ArrayLike, trans: int = 0, overwrite_b: bool = False, check_finite: bool = True
) -> Array:
    """Solve ``a x = b`` for x with the factors of `a` that `lu_factor` returns.

    Parameters
    ----------
    lu_and_piv : tuple of array_like
        The result of `lu_factor`.
    b
    trans : {0, 1, 2}
        Whether to solve with `a`, its transpose (1) or its conjugate transpose (2).
    overwrite_b, check_finite

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
    node, (factors, right) = inexact("linalg.lu_solve", given, b)
    check_square("linalg.lu_solve", factors, "lu")
    if trans not in (0, 1, 2):
        raise ValueError(f"linalg.lu_solve: trans must be 0, 1 or 2, got {describe(trans)}")
    columns, restore = columns_of("linalg.lu_solve", factors, right)
    order = operand(pivots, "linalg.lu_solve")._data
    if order.dtype.kind not in "iu":
        raise TypeError(f"linalg.lu_solve: the pivots must be integers, got dtype {order.dtype}")
    if order.shape[-1:] != factors.shape[-1:] or ((order < 0) | (order >= factors.shape[-1])).any():
        raise ShapeError(f"linalg.lu_solve: the pivots must be rows of matrices of {factors.shape}, got {describe(pivots)}")
    (found,) = over_stack(partial(solve_lu, trans=trans), factors, order[..., None, :], columns)
    return rounded(restore(found), node.strong)


@public
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
    overwrite_a, check_finite

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
    *order, lower, upper = _LINALG.lu(data, permute_l=bool(permute_l), check_finite=False)
    factors = rounded(lower, node), rounded(upper, node)
    return factors if permute_l else (rounded(order[0], node.real), *factors)


@public
def solve(
    a: ArrayLike, b: ArrayLike, lower: bool = False, overwrite_a: bool = False, overwrite_b: bool = False, debug: bool =
    False, check_finite: bool = True, assume_a: str = "gen",
) -> Array:  # fmt: skip
    """Solve ``a x = b`` for x.

    Parameters
    ----------
    a : array_like
        A square matrix or a stack of them.
    b
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
    check_choice(assume_a, "assume_a", ("gen", "sym", "her", "pos"), "linalg.solve")
    if assume_a != "pos":
        return linalg.solve(a, b)
    node, (data, right) = inexact("linalg.solve", a, b)
    check_square("linalg.solve", data, "a")
    vector = right.ndim == 1
    columns = right[..., None] if vector else right
    if columns.shape[-2] != data.shape[-1]:
        raise ShapeError(f"linalg.solve: the matrices have shape {data.shape}, the right-hand sides {right.shape}")
    (found,) = over_stack(partial(solve_positive, lower=bool(lower)), data, columns)
    return rounded(found[..., 0] if vector else found, node)


@public(last=2)
def det(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Compute the determinants of square matrices.

    Parameters
    ----------
    a, overwrite_a, check_finite

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


@public(last=2)
def inv(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Compute the inverses of square matrices.

    Parameters
    ----------
    a, overwrite_a, check_finite

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
