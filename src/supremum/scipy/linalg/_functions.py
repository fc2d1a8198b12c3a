"""Functions of matrices: the exponential, the square root, functions given by the user; Sylvester's equation."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from supremum._base.boundary import publish
from supremum._base.buffers import Buffer
from supremum._base.errors import ShapeError, describe
from supremum._base.silence import call_user_code
from supremum._core.array import Array
from supremum._core.conversion import as_array
from supremum._core.dtypes import complex_of
from supremum._core.typing import ArrayLike
from supremum._functions.linear_algebra._matrices import adjoint, raising
from supremum.scipy._matrices import check_square, in_double, over_stack, rounded
from supremum.scipy.linalg._schur_form import complex_schur, real_schur, to_complex

__all__ = ["expm", "expm_frechet", "funm", "solve_sylvester", "sqrtm"]

#: Coefficients of the rational approximation of order 13 (N. Higham 2005), and the norm up to which it is exact to rounding.
_PADE: Final = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0, 10559470521600.0,
    670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip
_PADE_NORM: Final = 5.371920351148152
#: The norm from which JAX squares, by whether the dtype has 64 bits.
_JAX_NORM: Final = {False: 3.92572478313866, True: _PADE_NORM}


def _exponential(a: Buffer) -> Buffer:
    size = float(np.abs(a).sum(0).max(initial=0.0))
    if not math.isfinite(size):
        return np.full_like(a, np.nan)
    squarings = max(0, math.ceil(math.log2(size / _PADE_NORM))) if size > 0 else 0
    a = a / 2.0**squarings
    b, one = _PADE, np.eye(len(a), dtype=a.dtype)
    a2 = a @ a
    a4 = a2 @ a2
    a6 = a4 @ a2
    odd = a @ (a6 @ (b[13] * a6 + b[11] * a4 + b[9] * a2) + b[7] * a6 + b[5] * a4 + b[3] * a2 + b[1] * one)
    even = a6 @ (b[12] * a6 + b[10] * a4 + b[8] * a2) + b[6] * a6 + b[4] * a4 + b[2] * a2 + b[0] * one
    found: Buffer = np.linalg.solve(even - odd, even + odd)
    for _ in range(squarings):
        found = found @ found
    return found


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
    node, (data,) = in_double("linalg.expm", A)
    check_square("linalg.expm", data)
    limit = _JAX_NORM[node.real.bits == 64] * 2.0 ** (max_squarings + 1)
    (found,) = over_stack(lambda a: (_exponential(a),), data)
    if data.size:
        found = np.where(np.abs(data).sum(-2).max(-1)[..., None, None] < limit, found, np.nan)
    return rounded(found, node.strong)


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
    node, (a, e) = in_double("linalg.expm_frechet", A, E)
    check_square("linalg.expm_frechet", a, "A")
    check_square("linalg.expm_frechet", e, "E")
    if a.shape != e.shape:
        raise ShapeError(f"linalg.expm_frechet: A and E must have the same shape, got {a.shape} and {e.shape}")
    n = a.shape[-1]

    def both(matrix: Buffer, direction: Buffer) -> tuple[Buffer, ...]:
        # The exponential of [[A, E], [0, A]] has that of A and the derivative as its first row.
        whole = _exponential(np.block([[matrix, direction], [np.zeros_like(matrix), matrix]]))
        return whole[:n, :n], whole[:n, n:]

    value, derivative = [rounded(part, node.strong) for part in over_stack(both, a, e)]
    return (value, derivative) if compute_expm else derivative


def _triangular_root(t: Buffer) -> Buffer:
    roots = np.sqrt(np.diag(t))
    out = np.diag(roots)
    for j in range(len(t)):
        for i in range(j - 1, -1, -1):
            rest = t[i, j] - out[i, i + 1 : j] @ out[i + 1 : j, j]
            out[i, j] = 0 if rest == 0 else rest / (roots[i] + roots[j])
    return out


def sqrtm(A: ArrayLike, blocksize: int = 1) -> Array:
    """Compute the matrix square root, which is complex.

    Parameters
    ----------
    A : array_like
        A square matrix.
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
    node, (data,) = in_double("linalg.sqrtm", A)
    if data.ndim != 2:
        raise ShapeError(f"linalg.sqrtm: the argument must be a square matrix, got shape {data.shape}")
    check_square("linalg.sqrtm", data)
    t, z = complex_schur(data)
    return rounded(z @ _triangular_root(t) @ adjoint(z), complex_of(node.strong))


def _parlett(values: Buffer, t: Buffer) -> tuple[Buffer, float]:
    """Return a function of a triangular matrix, given its values on the diagonal, and the least difference of elements."""
    n = len(t)
    f = np.diag(values).astype(np.complex128)
    least = abs(t[0, 0]) if n else 0.0
    for p in range(1, n):
        for i in range(n - p):
            j = i + p
            s = t[i, j] * (f[j, j] - f[i, i]) + t[i, i + 1 : j] @ f[i + 1 : j, j] - f[i, i + 1 : j] @ t[i + 1 : j, j]
            difference = t[j, j] - t[i, i]
            f[i, j] = s / difference if difference != 0 else s
            least = min(least, abs(difference))
    return f, float(least)


def funm(A: ArrayLike, func: Callable[[Array], Array], disp: bool = True) -> Any:
    """Compute a function of a matrix, given for its eigenvalues.

    Parameters
    ----------
    A : array_like
        A square matrix.
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
    node, (data,) = in_double("linalg.funm", A)
    if data.ndim != 2:
        raise ShapeError(f"linalg.funm: the argument must be a square matrix, got shape {data.shape}")
    check_square("linalg.funm", data)
    node = complex_of(node.strong)
    t, z = complex_schur(data) if data.dtype.kind == "c" else to_complex(*real_schur(data))
    values = as_array(call_user_code(func, rounded(np.diag(t).copy(), node)))
    f, least = _parlett(values._data.astype(np.complex128), t)
    found = rounded(z @ f @ adjoint(z), node)
    if disp:
        return found
    epsilon = float(np.finfo(np.float32 if node.bits == 64 else np.float64).eps)
    rest = np.abs(np.triu(t, 1)).sum(0).max(initial=0.0)
    error = np.inf if np.isinf(found._data).any() else min(1.0, max(epsilon, epsilon / (least or epsilon) * rest))
    return found, rounded(np.asarray(error), node.real)


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
    node, (a, b, c) = in_double("linalg.solve_sylvester", A, B, C)
    if c.ndim < 2 or a.shape[-2:] != (c.shape[-2],) * 2 or b.shape[-2:] != (c.shape[-1],) * 2:
        raise ShapeError(f"linalg.solve_sylvester: the shapes do not fit: A {a.shape}, B {b.shape}, C {c.shape}")
    if method not in ("schur", "eigen"):
        raise ValueError(f"linalg.solve_sylvester: method must be 'schur' or 'eigen', got {describe(method)}")
    (found,) = over_stack(lambda *matrices: (raising(_sylvester, *matrices, tol),), a, b, c)
    return rounded(found, node.strong)


def _sylvester(a: Buffer, b: Buffer, c: Buffer, tol: float) -> Buffer:
    r, u = complex_schur(a)
    s, v = complex_schur(b)
    if (np.abs(np.diag(r)[:, None] + np.diag(s)[None, :]) < tol).any():
        return np.full_like(c, np.nan)
    f = adjoint(u) @ c @ v
    y = np.zeros_like(f)
    one = np.eye(len(r))
    for j in range(len(s)):
        y[:, j] = np.linalg.solve(r + s[j, j] * one, f[:, j] - y[:, :j] @ s[:j, j])
    found = u @ y @ adjoint(v)
    return found if c.dtype.kind == "c" else np.real(found).copy()


publish(__name__, home="supremum.scipy.linalg")
