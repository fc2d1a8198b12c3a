"""Decompositions: eigenvalues, singular values, QR, Schur, Hessenberg and polar forms."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from supremum import linalg
from supremum._base.boundary import publish
from supremum._base.buffers import Buffer
from supremum._base.errors import ShapeError, describe
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand
from supremum._core.dtypes import complex_of
from supremum._core.typing import ArrayLike
from supremum._functions.linear_algebra._matrices import adjoint, raising
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES, Node
from supremum.scipy._matrices import check_square, in_double, over_stack, rounded, rounded_all
from supremum.scipy.linalg._reflections import decompose, hessenberg as hessenberg_form, product
from supremum.scipy.linalg._schur_form import complex_schur, epsilon_of, real_schur, to_complex

__all__ = ["eigh", "eigh_tridiagonal", "hessenberg", "polar", "qr", "qr_multiply", "rsf2csf", "schur", "svd"]


def eigh(
    a: ArrayLike,
    b: ArrayLike | None = None,
    lower: bool = True,
    eigvals_only: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    turbo: bool = True,
    eigvals: Any = None,
    type: int = 1,
    check_finite: bool = True,
) -> Array | tuple[Array, Array]:
    """Compute the eigenvalues and eigenvectors of Hermitian matrices.

    Parameters
    ----------
    a : array_like
        A matrix or a stack of them; the mean of it and its adjoint is taken.
    b, eigvals : None
        Must be None, as in JAX.
    lower, overwrite_a, overwrite_b, turbo, check_finite : bool
        Without effect.
    eigvals_only : bool
        Whether to return the eigenvalues alone.
    type : int
        Must be 1, as in JAX.

    Returns
    -------
    Array or tuple of Array
        The eigenvalues in ascending order, and the eigenvectors as columns.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.eigh(xp.asarray([[2.0, 1.0], [1.0, 2.0]]), eigvals_only=True)
    Array([1., 3.], dtype=float32)
    """
    if b is not None or eigvals is not None or type != 1:
        raise NotImplementedError("linalg.eigh: b and eigvals must be None and type must be 1, as in JAX")
    found = linalg.eigh(a)
    return _strong(found.eigenvalues) if eigvals_only else (_strong(found.eigenvalues), _strong(found.eigenvectors))


def _strong(x: Array) -> Array:
    return wrap(x._data, x._node.strong)


def svd(
    a: ArrayLike,
    full_matrices: bool = True,
    compute_uv: bool = True,
    overwrite_a: bool = False,
    check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> Any:
    """Compute the singular value decomposition ``a = u @ diag(s) @ vh``.

    Parameters
    ----------
    a : array_like
        A matrix or a stack of them.
    full_matrices : bool
        Whether `u` and `vh` are square.
    compute_uv : bool
        Whether to return `u` and `vh` too.
    overwrite_a, check_finite, lapack_driver
        Without effect.

    Returns
    -------
    tuple of Array or Array
        ``u, s, vh``, or `s` alone.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.svd(xp.asarray([[3.0, 0.0], [0.0, 4.0]]), compute_uv=False)
    Array([4., 3.], dtype=float32)
    """
    if not compute_uv:
        return _strong(linalg.svdvals(a))
    return tuple([_strong(part) for part in linalg.svd(a, full_matrices=full_matrices)])


def qr(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: Any = None,
    mode: str = "full",
    pivoting: bool = False,
    check_finite: bool = True,
) -> Any:
    """Compute the QR decomposition.

    Parameters
    ----------
    a : array_like
        A matrix or a stack of them.
    mode : {"full", "r", "economic"}
        Whether `q` is square, left out, or of the least number of columns.
    pivoting : bool
        Whether to permute the columns so that the diagonal of `r` has descending magnitudes.
    overwrite_a, lwork, check_finite
        Without effect.

    Returns
    -------
    tuple of Array
        ``q, r``, without `q` if `mode` is ``"r"``; then the order of the columns if `pivoting` is true.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.qr(xp.asarray([[3.0, 1.0], [4.0, 2.0]]), mode="r")
    (Array([[-5. , -2.2],
           [ 0. ,  0.4]], dtype=float32),)
    """
    if mode not in ("full", "r", "economic"):
        raise ValueError(f"linalg.qr: mode must be 'full', 'r' or 'economic', got {describe(mode)}")
    if not pivoting:
        q, r = [_strong(part) for part in linalg.qr(a, mode="reduced" if mode == "economic" else "complete")]
        return (r,) if mode == "r" else (q, r)
    node, (data,) = in_double("linalg.qr", a)
    if data.ndim < 2:
        raise ShapeError(f"linalg.qr: the argument must be a matrix or a stack of them, got shape {data.shape}")
    wide, upper, order = over_stack(lambda x: _pivoted(x, full=mode != "economic"), data)
    results = rounded(wide, node.strong), rounded(upper, node.strong), wrap(order, NODES["int32"])
    return results[1:] if mode == "r" else results


def _pivoted(a: Buffer, *, full: bool) -> tuple[Buffer, ...]:
    factors, taus, order = decompose(a, pivoting=True)
    rows, least = len(a), min(a.shape)
    columns = rows if full else least
    return product(factors[:, :least], taus, columns), np.triu(factors)[:columns], order


def qr_multiply(
    a: ArrayLike,
    c: ArrayLike,
    mode: str = "right",
    pivoting: bool = False,
    conjugate: bool = False,
    overwrite_a: bool = False,
    overwrite_c: bool = False,
) -> Any:
    """Compute the QR decomposition, and the product of its q and a matrix.

    Parameters
    ----------
    a : array_like
        A matrix or a stack of them.
    c : array_like
        The matrix to multiply, or a vector.
    mode : {"left", "right"}
        Whether q is the left factor, ``q @ c``, or the right one.
    pivoting : bool
        Whether to permute the columns of `a`.
    conjugate : bool
        Whether to multiply by the conjugate of q.
    overwrite_a, overwrite_c : bool
        Without effect.

    Returns
    -------
    tuple of Array
        The product and r; then the order of the columns if `pivoting` is true.

    Examples
    --------
    >>> import supremum as xp
    >>> product, r = xp.scipy.linalg.qr_multiply(xp.asarray([[3.0, 1.0], [4.0, 2.0]]), xp.asarray([1.0, 2.0]))
    >>> product
    Array([-2.2,  0.4], dtype=float32)
    """
    if mode not in ("left", "right"):
        raise ValueError(f"linalg.qr_multiply: mode must be 'right' or 'left', got {describe(mode)}")
    node, (data, other) = in_double("linalg.qr_multiply", a, c)
    if data.ndim < 2:
        raise ShapeError(f"linalg.qr_multiply: a must be a matrix or a stack of them, got shape {data.shape}")
    vector = other.ndim == 1
    if vector:
        other = other[:, None] if mode == "left" else other[None, :]
    rows, least = data.shape[-2], min(data.shape[-2:])
    given, wanted = (other.shape[-2], least) if mode == "left" else (other.shape[-1], rows)
    if given != wanted:
        raise ShapeError(
            f"linalg.qr_multiply: c must have {wanted} elements along q, got {given}, for a of shape {data.shape}"
        )

    def factor(x: Buffer) -> tuple[Buffer, ...]:
        factors, taus, order = decompose(x, pivoting=pivoting)
        return product(factors[:, :least], taus, least), np.triu(factors)[:least], order

    q, upper, order = over_stack(factor, data)
    q = q.conj() if conjugate else q
    found = np.matmul(q, other) if mode == "left" else np.matmul(other, q)
    results = rounded(found.ravel() if vector else found, node.strong), rounded(upper, node.strong)
    return (*results, wrap(order, NODES["int32"])) if pivoting else results


def hessenberg(a: ArrayLike, *, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """Compute the Hessenberg form h of ``a = q @ h @ q^H``.

    Parameters
    ----------
    a : array_like
        A square matrix or a stack of them.
    calc_q : bool
        Whether to return the unitary q too.
    overwrite_a, check_finite : bool
        Without effect.

    Returns
    -------
    Array or tuple of Array
        ``h``, or ``h, q``.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.hessenberg(xp.asarray([[1.0, 2.0, 2.0], [3.0, 4.0, 0.0], [4.0, 0.0, 1.0]])).round(2)
    Array([[ 1.  , -2.8 , -0.4 ],
           [-5.  ,  2.08,  1.44],
           [ 0.  ,  1.44,  2.92]], dtype=float32)
    """
    node, (data,) = in_double("linalg.hessenberg", a)
    check_square("linalg.hessenberg", data)
    h, q = rounded_all(over_stack(hessenberg_form, data), node.strong, node.strong)
    return (h, q) if calc_q else h


def schur(a: ArrayLike, output: str = "real") -> tuple[Array, Array]:
    """Compute the Schur decomposition ``a = z @ t @ z^H``.

    Parameters
    ----------
    a : array_like
        A square matrix or a stack of them.
    output : {"real", "complex"}
        Whether t of a real matrix has blocks of two rows for its complex eigenvalues, or is triangular and complex.

    Returns
    -------
    tuple of Array
        The triangular ``t`` and the unitary ``z``.

    Examples
    --------
    >>> import supremum as xp
    >>> t, z = xp.scipy.linalg.schur(xp.asarray([[1.0, 2.0], [0.0, 3.0]]))
    >>> t
    Array([[1., 2.],
           [0., 3.]], dtype=float32)
    """
    if output not in ("real", "complex"):
        raise ValueError(f"linalg.schur: output must be 'real' or 'complex', got {describe(output)}")
    node, (data,) = in_double("linalg.schur", a)
    check_square("linalg.schur", data)
    node = complex_of(node.strong) if output == "complex" else node.strong
    t, z = over_stack(partial(complex_schur if node.kind == "c" else real_schur, epsilon=epsilon_of(node)), data)
    return rounded(t, node), rounded(z, node)


def rsf2csf(T: ArrayLike, Z: ArrayLike, check_finite: bool = True) -> tuple[Array, Array]:
    """Convert a real Schur form to the complex one.

    Parameters
    ----------
    T, Z : array_like
        The results of `schur`.
    check_finite : bool
        Without effect.

    Returns
    -------
    tuple of Array
        The triangular matrix and the unitary one.

    Examples
    --------
    >>> import supremum as xp
    >>> t, z = xp.scipy.linalg.schur(xp.asarray([[0.0, 2.0], [-2.0, 0.0]]))
    >>> xp.linalg.diagonal(xp.scipy.linalg.rsf2csf(t, z)[0])
    Array([-0.+2.j,  0.-2.j], dtype=complex64)
    """
    node, (t, z) = in_double("linalg.rsf2csf", T, Z)
    check_square("linalg.rsf2csf", t, "T")
    check_square("linalg.rsf2csf", z, "Z")
    if t.shape[-1] != z.shape[-1]:
        raise ShapeError(f"linalg.rsf2csf: T and Z must have the same size, got shapes {t.shape} and {z.shape}")
    node = complex_of(node.strong)
    upper, unitary = over_stack(to_complex, t, z)
    return rounded(upper, node), rounded(unitary, node)


def polar(
    a: ArrayLike, side: str = "right", *, method: str = "qdwh", eps: float | None = None, max_iterations: int | None = None
) -> tuple[Array, Array]:
    """Compute the polar decomposition ``a = u @ p``, or ``a = p @ u``.

    Parameters
    ----------
    a : array_like
        A matrix or a stack of them.
    side : {"right", "left"}
        The side of the positive matrix p.
    method : {"qdwh", "svd"}
        The algorithm in JAX. With ``"qdwh"`` the positive matrix must be on the side of the lesser length.
    eps, max_iterations
        Without effect.

    Returns
    -------
    tuple of Array
        The unitary ``u`` and the positive semidefinite ``p``.

    Examples
    --------
    >>> import supremum as xp
    >>> u, p = xp.scipy.linalg.polar(xp.asarray([[0.0, 2.0], [-2.0, 0.0]]))
    >>> p
    Array([[2., 0.],
           [0., 2.]], dtype=float32)
    """
    node, (data,) = in_double("linalg.polar", a)
    if data.ndim < 2:
        raise ShapeError(f"linalg.polar: the argument must be a matrix or a stack of them, got shape {data.shape}")
    if side not in ("right", "left"):
        raise ValueError(f"linalg.polar: side must be 'right' or 'left', got {describe(side)}")
    if method not in ("qdwh", "svd"):
        raise ValueError(f"linalg.polar: method must be 'qdwh' or 'svd', got {describe(method)}")
    rows, columns = data.shape[-2:]
    if method == "qdwh" and (rows >= columns) != (side == "right"):
        raise NotImplementedError(
            f"linalg.polar: method='qdwh' takes side={'right' if rows >= columns else 'left'!r} for matrices of shape "
            f"{(rows, columns)}, as in JAX; use method='svd'"
        )
    u, s, vh = raising(np.linalg.svd, data, full_matrices=False)
    factor = vh if side == "right" else adjoint(u)
    positive = np.matmul(adjoint(factor) * s[..., None, :], factor)
    return rounded(np.matmul(u, vh), node.strong), rounded(positive, node.strong)


def eigh_tridiagonal(
    d: ArrayLike,
    e: ArrayLike,
    *,
    eigvals_only: bool = False,
    select: str = "a",
    select_range: tuple[float, float] | None = None,
    tol: float | None = None,
    key: Array | None = None,
) -> Array | tuple[Array, Array]:
    """Compute the eigenvalues and eigenvectors of a Hermitian matrix with three diagonals.

    Parameters
    ----------
    d : array_like
        The diagonal.
    e : array_like
        The diagonal above it.
    eigvals_only : bool
        Whether to return the eigenvalues alone.
    select : {"a", "i"}
        Whether to return all of them or those with the positions in `select_range`.
    select_range : tuple of int, optional
        The first and the last position.
    tol, key
        Without effect.

    Returns
    -------
    Array or tuple of Array
        The eigenvalues in ascending order, and the eigenvectors as columns.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.linalg.eigh_tridiagonal(xp.asarray([2.0, 2.0]), xp.asarray([1.0]), eigvals_only=True)
    Array([1., 3.], dtype=float32)
    """
    diagonal, beside = operand(d, "linalg.eigh_tridiagonal"), operand(e, "linalg.eigh_tridiagonal", 1)
    node: Node = diagonal._node.strong
    if beside._node.strong is not node:
        raise TypeError(f"linalg.eigh_tridiagonal: d and e must have the same dtype, got {diagonal.dtype} and {beside.dtype}")
    if node.kind not in "fc" or node.bits < 32:
        raise TypeError(f"linalg.eigh_tridiagonal: the dtype must be float32, float64 or complex, got {node.dtype}")
    if select == "v":
        raise NotImplementedError("linalg.eigh_tridiagonal: select='v' is not supported, as in JAX")
    if select not in ("a", "i"):
        raise ValueError(f"linalg.eigh_tridiagonal: select must be 'a' or 'i', got {describe(select)}")
    if select == "i" and (select_range is None or select_range[0] > select_range[1]):
        raise ValueError("linalg.eigh_tridiagonal: select='i' needs a select_range that is not empty")
    n = diagonal.shape[0]
    wide = NODES["complex128" if node.kind == "c" else "float64"]
    above = cast(beside._data, wide)
    matrix = np.diag(cast(diagonal._data, wide).real.astype(wide.dtype))
    places = np.arange(max(n - 1, 0))
    matrix[places, places + 1], matrix[places + 1, places] = above[: max(n - 1, 0)], above[: max(n - 1, 0)].conj()
    values, vectors = raising(np.linalg.eigh, matrix)
    if select == "i" and select_range is not None:
        part = slice(int(select_range[0]), int(select_range[1]) + 1)
        values, vectors = values[part], vectors[:, part]
    return rounded(values, node.real) if eigvals_only else (rounded(values, node.real), rounded(vectors, node))


publish(__name__, home="supremum.scipy.linalg")
