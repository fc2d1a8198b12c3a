"""Decompositions: eigenvalues, singular values, QR, Schur, Hessenberg and polar forms."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np

from supremum import linalg
from supremum._base.boundary import public
from supremum._base.exceptions import ShapeError, check_choice
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import operand
from supremum._core.dtype_objects import complex_of
from supremum._functions._rounding import promoted_inexact
from supremum._functions.elementwise.complex_parts import conj
from supremum._functions.linear_algebra._matrices import adjoint, inexact, matrices, rounded
from supremum._functions.linear_algebra.contractions import matmul
from supremum._functions.manipulation.shapes import expand_dims, ravel
from supremum._kernels.casts import cast
from supremum._kernels.lapack import raising
from supremum.promotion._nodes import NODES, Node
from supremum.scipy._evaluation import Library, check_square
from supremum.scipy.linalg import _lapack
from supremum.scipy.linalg._lapack import factor_qr, over_stack, to_complex

__all__ = ["eigh", "eigh_tridiagonal", "hessenberg", "polar", "qr", "qr_multiply", "rsf2csf", "schur", "svd"]

_LINALG: Final = Library("scipy.linalg")


@public(last=2)
def eigh(
    a: ArrayLike, b: ArrayLike | None = None, lower: bool = True, eigvals_only: bool = False, overwrite_a: bool = False,
    overwrite_b: bool = False, turbo: bool = True, eigvals: Any = None, type: int = 1, check_finite: bool = True,
) -> Array | tuple[Array, Array]:  # fmt: skip
    """Compute the eigenvalues and eigenvectors of Hermitian matrices.

    Parameters
    ----------
    a : array_like
        A matrix or a stack of them; the mean of it and its adjoint is taken.
    b : None
        Must be None, as in JAX.
    lower : bool
        Without effect.
    eigvals_only
    overwrite_a, overwrite_b, turbo : bool
        Without effect.
    eigvals : None
        Must be None, as in JAX.
    type : int
        Must be 1, as in JAX.
    check_finite

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
    if eigvals_only:
        return _strong(linalg.eigvalsh(a))
    values, vectors = linalg.eigh(a)
    return _strong(values), _strong(vectors)


def _strong(x: Array) -> Array:
    return wrap(x._data, x._node.strong)


@public(last=2)
def svd(
    a: ArrayLike, full_matrices: bool = True, compute_uv: bool = True, overwrite_a: bool = False, check_finite: bool =
    True, lapack_driver: str = "gesdd",
) -> Any:  # fmt: skip
    """Compute the singular value decomposition ``a = u @ diag(s) @ vh``.

    Parameters
    ----------
    a
    full_matrices : bool
        Whether `u` and `vh` are square.
    compute_uv : bool
        Whether to return `u` and `vh` too.
    overwrite_a, check_finite
    lapack_driver : object
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


@public(last=2)
def qr(
    a: ArrayLike, overwrite_a: bool = False, lwork: Any = None, mode: str = "full", pivoting: bool = False, check_finite:
    bool = True,
) -> Any:  # fmt: skip
    """Compute the QR decomposition.

    Parameters
    ----------
    a, overwrite_a
    lwork : object
        Without effect.
    mode : {"full", "r", "economic"}
        Whether `q` is square, left out, or of the least number of columns.
    pivoting : bool
        Whether to permute the columns so that the diagonal of `r` has descending magnitudes.
    check_finite

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
    check_choice(mode, "mode", ("full", "r", "economic"), "linalg.qr")
    if not pivoting:
        plain = [_strong(part) for part in linalg.qr(a, mode="reduced" if mode == "economic" else "complete")]
        return tuple(plain[mode == "r" :])
    node, data = matrices("linalg.qr", a)
    q, r, order = over_stack(partial(factor_qr, full=mode != "economic", pivoting=True), data)
    results = rounded(q, node.strong), rounded(r, node.strong), wrap(order, NODES["int32"])
    return results[1:] if mode == "r" else results


@public(composed=True)
def qr_multiply(
    a: ArrayLike, c: ArrayLike, mode: str = "right", pivoting: bool = False, conjugate: bool = False, overwrite_a: bool =
    False, overwrite_c: bool = False,
) -> Any:  # fmt: skip
    """Compute the QR decomposition, and the product of its q and a matrix.

    Parameters
    ----------
    a
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
    >>> product.round(4)
    Array([-2.2,  0.4], dtype=float32)
    """
    check_choice(mode, "mode", ("left", "right"), "linalg.qr_multiply")
    data, other = promoted_inexact("linalg.qr_multiply", a, c)
    if data.ndim < 2:
        raise ShapeError(f"linalg.qr_multiply: a must be a matrix or a stack of them, got shape {data.shape}")
    vector = other.ndim == 1
    if vector:
        other = expand_dims(other, -1 if mode == "left" else 0)
    rows, least = data.shape[-2], min(data.shape[-2:])
    given, wanted = (other.shape[-2], least) if mode == "left" else (other.shape[-1], rows)
    if given != wanted:
        raise ShapeError(f"linalg.qr_multiply: c must have {wanted} elements along q, got {given} for an a of {data.shape}")
    q, *others = qr(data, mode="economic", pivoting=pivoting)
    q = conj(q) if conjugate else q
    found = matmul(q, other) if mode == "left" else matmul(other, q)
    return (ravel(found) if vector else found, *others)


@public(last=2)
def hessenberg(a: ArrayLike, *, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """Compute the Hessenberg form h of ``a = q @ h @ q^H``.

    Parameters
    ----------
    a : array_like
        A square matrix or a stack of them.
    calc_q : bool
        Whether to return the unitary q too.
    overwrite_a, check_finite

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
    node, data = matrices("linalg.hessenberg", a, square=True)
    h, q = over_stack(_lapack.hessenberg, data)
    return (rounded(h, node.strong), rounded(q, node.strong)) if calc_q else rounded(h, node.strong)


@public(last=2)
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
    check_choice(output, "output", ("real", "complex"), "linalg.schur")
    node, data = matrices("linalg.schur", a, square=True)
    node = complex_of(node.strong) if output == "complex" else node.strong
    t, z = over_stack(_lapack.schur, cast(data, node.wide))
    return rounded(t, node), rounded(z, node)


@public
def rsf2csf(T: ArrayLike, Z: ArrayLike, check_finite: bool = True) -> tuple[Array, Array]:
    """Convert a real Schur form to the complex one.

    Parameters
    ----------
    T, Z : array_like
        The results of `schur`.
    check_finite

    Returns
    -------
    tuple of Array
        The triangular matrix and the unitary one.

    Examples
    --------
    >>> import supremum as xp
    >>> t, z = xp.scipy.linalg.schur(xp.asarray([[0.0, 2.0], [-2.0, 0.0]]))
    >>> xp.linalg.diagonal(xp.scipy.linalg.rsf2csf(t, z)[0]).imag.round(4)
    Array([ 2., -2.], dtype=float32)
    """
    node, (t, z) = inexact("linalg.rsf2csf", T, Z)
    check_square("linalg.rsf2csf", t, "T")
    check_square("linalg.rsf2csf", z, "Z")
    if t.shape[-1] != z.shape[-1]:
        raise ShapeError(f"linalg.rsf2csf: T and Z must have the same size, got shapes {t.shape} and {z.shape}")
    node = complex_of(node.strong)
    upper, unitary = over_stack(to_complex, t, z)
    return rounded(upper, node), rounded(unitary, node)


@public(last=2)
def polar(
    a: ArrayLike, side: str = "right", *, method: str = "qdwh", eps: float | None = None, max_iterations: int | None = None
) -> tuple[Array, Array]:
    """Compute the polar decomposition ``a = u @ p``, or ``a = p @ u``.

    Parameters
    ----------
    a
    side : {"right", "left"}
        The side of the positive matrix p.
    method : {"qdwh", "svd"}
        The algorithm in JAX. With ``"qdwh"`` the positive matrix must be on the side of the lesser length.
    eps, max_iterations : object
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
    node, data = matrices("linalg.polar", a)
    check_choice(side, "side", ("right", "left"), "linalg.polar")
    check_choice(method, "method", ("qdwh", "svd"), "linalg.polar")
    rows, columns = data.shape[-2:]
    taken = "right" if rows >= columns else "left"
    if method == "qdwh" and side != taken:
        shape = f"matrices of shape {(rows, columns)}"
        raise NotImplementedError(f"linalg.polar: method='qdwh' takes side={taken!r} for {shape}, as in JAX; use method='svd'")
    u, s, vh = raising(np.linalg.svd, data, full_matrices=False)
    factor = vh if side == "right" else adjoint(u)
    positive = np.matmul(adjoint(factor) * s[..., None, :], factor)
    return rounded(np.matmul(u, vh), node.strong), rounded(positive, node.strong)


@public
def eigh_tridiagonal(
    d: ArrayLike, e: ArrayLike, *, eigvals_only: bool = False, select: str = "a", select_range: tuple[float, float] | None
    = None, tol: float | None = None, key: Array | None = None,
) -> Array | tuple[Array, Array]:  # fmt: skip
    """Compute the eigenvalues and eigenvectors of a Hermitian matrix with three diagonals.

    Parameters
    ----------
    d : array_like
        The diagonal.
    e : array_like
        The diagonal above it.
    eigvals_only
    select : {"a", "i"}
        Whether to return all of them or those with the positions in `select_range`.
    select_range : tuple of int, optional
        The first and the last position.
    tol, key : object
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
    diagonal, offdiagonal = operand(d, "linalg.eigh_tridiagonal"), operand(e, "linalg.eigh_tridiagonal", 1)
    node: Node = diagonal._node.strong
    if offdiagonal._node.strong is not node:
        raise TypeError(
            f"linalg.eigh_tridiagonal: d and e must have the same dtype, got {diagonal.dtype} and {offdiagonal.dtype}"
        )
    if node.kind not in "fc" or node.bits < 32:
        raise TypeError(f"linalg.eigh_tridiagonal: the dtype must be float32, float64 or complex, got {node.dtype}")
    if select == "v":
        raise NotImplementedError("linalg.eigh_tridiagonal: select='v' is not supported, as in JAX")
    check_choice(select, "select", ("a", "i"), "linalg.eigh_tridiagonal")
    n = diagonal.shape[0]
    if select == "i" and (select_range is None or not 0 <= select_range[0] <= select_range[1] < n):
        raise ValueError(f"linalg.eigh_tridiagonal: select_range must be from 0 to {n - 1}, got {select_range}")
    main, above = diagonal._data.real, offdiagonal._data
    if n > 1 and above.shape != (n - 1,):
        raise ShapeError(f"linalg.eigh_tridiagonal: e must have shape {(n - 1,)}, got {above.shape} for d of shape {(n,)}")
    finite = np.isfinite(main).all() and np.isfinite(above).all()
    if not finite:  # LAPACK need not return
        main, above = np.zeros_like(main), np.zeros_like(above)
    size = np.abs(above) if node.kind == "c" else above
    if n < 2:
        values, vectors = main, np.eye(n, dtype=main.dtype)
    else:
        positions = None if select_range is None else [int(position) for position in select_range]
        found = _LINALG.eigh_tridiagonal(main, size, eigvals_only, select, positions, check_finite=False)
        values, vectors = (found, found) if eigvals_only else found
    values = values if finite else np.full_like(values, np.nan)
    if eigvals_only:
        return rounded(values, node.real)
    if node.kind == "c":  # the phases of the elements above the diagonal become those of the vectors
        turns = np.divide(above.conj(), size, out=np.ones_like(above), where=size > 0)
        vectors = vectors * np.append(1, np.cumprod(turns))[:, None]
    return rounded(values, node.real), rounded(vectors if finite else np.full_like(vectors, np.nan), node)
