"""Functions of matrices: the exponential, the square root, functions given by the user; Sylvester's equation."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from supremum._base.boundary import public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import ShapeError, check_choice
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike
from supremum._core.conversion import as_array
from supremum._core.dtype_objects import complex_of
from supremum._functions.linear_algebra._matrices import adjoint, inexact, matrices, rounded
from supremum._kernels.casts import cast
from supremum._kernels.lapack import is_finite
from supremum.scipy._evaluation import Library, check_square, in_double
from supremum.scipy.linalg import _lapack
from supremum.scipy.linalg._lapack import over_stack, schur, solve_triangular_sylvester, to_complex

__all__ = ["expm", "expm_frechet", "funm", "solve_sylvester", "sqrtm"]

_LINALG: Final = Library("scipy.linalg")
#: The norm from which JAX squares, by whether the dtype has 64 bits.
_JAX_NORM: Final = {False: 3.92572478313866, True: 5.371920351148152}


@public(last=2)
def expm(A: ArrayLike, *, upper_triangular: bool = False, max_squarings: int = 16) -> Array:
    """Compute the matrix exponential.

    Parameters
    ----------
    A : array_like
        A square matrix or a stack of them.
    upper_triangular : bool
        Whether the matrices are upper triangular; without effect.
    max_squarings : int
        The number of squarings above which the result is NaN: it bounds the norm of the matrices.

    Returns
    -------
    Array
        The exponentials.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.expm(xp.asarray([[0.0, 1.0], [0.0, 0.0]]))
    Array([[1., 1.],
           [0., 1.]], dtype=float32)
    """
    node, data = matrices("linalg.expm", A, square=True)
    limit = _JAX_NORM[node.real.bits == 64] * 2.0 ** (max_squarings + 1)
    if data.shape[-1] * np.vdot(data, data).real < limit * limit:  # then no norm is too large
        return rounded(_LINALG.expm(data), node.strong)
    known = np.abs(data).sum(-2).max(-1, initial=0)[..., None, None] < limit
    return rounded(np.where(known, _LINALG.expm(np.where(known, data, 0)), np.nan), node.strong)


@public
def expm_frechet(A: ArrayLike, E: ArrayLike, *, method: str | None = None, compute_expm: bool = True) -> Any:
    """Compute the derivative of the matrix exponential at `A` in the direction `E`.

    Parameters
    ----------
    A, E : array_like
        Square matrices, or stacks of them.
    method : str, optional
        Without effect.
    compute_expm : bool
        Whether to return the exponential too.

    Returns
    -------
    Array or tuple of Array
        The exponential and the derivative, or the derivative alone.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.expm_frechet(xp.zeros((2, 2)), xp.asarray([[0.0, 1.0], [1.0, 0.0]]), compute_expm=False)
    Array([[0., 1.],
           [1., 0.]], dtype=float32)
    """
    node, (a, e) = in_double("linalg.expm_frechet", A, E)  # SciPy has no function of float32
    check_square("linalg.expm_frechet", a, "A")
    check_square("linalg.expm_frechet", e, "E")
    if a.shape != e.shape:
        raise ShapeError(f"linalg.expm_frechet: A and E must have the same shape, got {a.shape} and {e.shape}")
    value, derivative = [rounded(part, node.strong) for part in over_stack(_frechet, a, e)]
    return (value, derivative) if compute_expm else derivative


def _frechet(a: Buffer, e: Buffer) -> tuple[Buffer, ...]:
    if not a.size or not (is_finite(a) and is_finite(e)):
        return (np.full_like(a, np.nan),) * 2
    value, derivative = _LINALG.expm_frechet(a, e, check_finite=False)
    return value, derivative


def _schur(a: Buffer) -> Any:
    """Return the complex Schur form, with the exact eigenvalues of real triangular matrices."""
    t, z = schur(a)
    return (t, z) if a.dtype.kind == "c" else to_complex(t, z)


def _root(t: Buffer) -> Buffer:
    """Return the square root of a triangular matrix, by halves: the upper right part solves a Sylvester equation."""
    n = len(t)
    if n <= 8:  # fewer calls
        return np.array(_root_of_rows(t.tolist()), t.dtype).reshape(n, n)
    out, half = np.zeros_like(t), n // 2
    out[:half, :half], out[half:, half:] = _root(t[:half, :half]), _root(t[half:, half:])
    out[:half, half:] = solve_triangular_sylvester(out[:half, :half], out[half:, half:], t[:half, half:])
    return out


def _root_of_rows(t: list[list[complex]]) -> list[list[complex]]:
    for j, row in enumerate(t):
        row[j] = cmath.sqrt(row[j])
        for i in range(j - 1, -1, -1):
            rest = t[i][j] - sum([t[i][k] * t[k][j] for k in range(i + 1, j)])
            total = t[i][i] + row[j]
            t[i][j] = rest / total if total else rest and complex(math.nan, math.nan)
    return t


@public
def sqrtm(A: ArrayLike, blocksize: int = 1) -> Array:
    """Compute the matrix square root, which is complex.

    Parameters
    ----------
    A
    blocksize : int
        Must be 1, as in JAX.

    Returns
    -------
    Array
        The square root: its square is `A`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.sqrtm(xp.asarray([[4.0, 0.0], [0.0, 9.0]]))
    Array([[2.+0.j, 0.+0.j],
           [0.+0.j, 3.+0.j]], dtype=complex64)
    """
    if blocksize > 1:
        raise NotImplementedError("linalg.sqrtm: blocksize must be 1, as in JAX")
    node, data = matrices("linalg.sqrtm", A, square=True)
    if data.ndim != 2:
        raise ShapeError(f"linalg.sqrtm: the argument must be a square matrix, got shape {data.shape}")
    t, z = _schur(data)
    return rounded(z @ _root(t) @ adjoint(z), complex_of(node.strong))


@public
def funm(A: ArrayLike, func: Callable[[Array], Array], disp: bool = True) -> Any:
    """Compute a function of a matrix, given for its eigenvalues.

    Parameters
    ----------
    A
    func : callable
        The function, of an array of complex numbers.
    disp : bool
        Whether to return the matrix alone, without an estimate of the error.

    Returns
    -------
    Array or tuple of Array
        The matrix, and the estimate if `disp` is false.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.funm(xp.asarray([[1.0, 0.0], [0.0, 2.0]]), lambda x: x**2)
    Array([[1.+0.j, 0.+0.j],
           [0.+0.j, 4.+0.j]], dtype=complex64)
    """
    node, data = matrices("linalg.funm", A, square=True)
    if data.ndim != 2:
        raise ShapeError(f"linalg.funm: the argument must be a square matrix, got shape {data.shape}")
    node = complex_of(node.strong)

    def of_values(values: Buffer) -> Buffer:
        return cast(as_array(call_user_code(func, rounded(values.copy(), node)))._data, node.wide)

    if not data.size or not (is_finite(data) or np.isfinite(data).all()):
        value, error = np.full_like(data, np.nan), np.nan
    else:
        value, error = _LINALG.funm(data, of_values, disp=False)
    found = rounded(value, node)
    return found if disp else (found, rounded(np.asarray(error), node.real))


@public
def solve_sylvester(A: ArrayLike, B: ArrayLike, C: ArrayLike, *, method: str = "schur", tol: float = 1e-8) -> Array:
    """Solve ``A X + X B = C`` for X; NaN if the solution is not unique.

    Parameters
    ----------
    A, B, C : array_like
        Matrices or stacks of them; `A` and `B` are square.
    method : {"schur", "eigen"}
        The algorithm in JAX; without effect.
    tol : float
        The magnitude below which a sum of eigenvalues of `A` and `B` counts as zero.

    Returns
    -------
    Array
        The solutions.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.solve_sylvester(xp.asarray([[1.0]]), xp.asarray([[3.0]]), xp.asarray([[8.0]]))
    Array([[2.]], dtype=float32)
    """
    node, (a, b, c) = inexact("linalg.solve_sylvester", A, B, C)
    if c.ndim < 2 or a.shape[-2:] != (c.shape[-2],) * 2 or b.shape[-2:] != (c.shape[-1],) * 2:
        raise ShapeError(f"linalg.solve_sylvester: the shapes do not fit: A {a.shape}, B {b.shape}, C {c.shape}")
    check_choice(method, "method", ("schur", "eigen"), "linalg.solve_sylvester")
    (found,) = over_stack(partial(_lapack.solve_sylvester, tol=tol), a, b, c)
    return rounded(found, node.strong)
