"""Decompositions of matrices: Cholesky, eigenvalues, QR, singular values."""

from __future__ import annotations

from typing import Any, Literal, overload

import numpy as np

from supremum._base.boundary import publish
from supremum._base.errors import shown
from supremum._core.arguments import Buffer, strong
from supremum._core.array import Array
from supremum._core.dtypes import complex_of, real_of
from supremum._core.reductions import accumulator
from supremum._functions.linear_algebra._matrices import (
    EighResult,
    EigResult,
    QRResult,
    SVDResult,
    adjoint,
    hermitian_part,
    matrices,
    robust,
    rounded,
)

__all__ = ["cholesky", "eig", "eigh", "eigvals", "eigvalsh", "qr", "svd", "svdvals"]


def cholesky(a: Any, *, upper: bool = False, symmetrize_input: bool = True) -> Array:
    """Cholesky factors of Hermitian positive-definite matrices; NaN for matrices that are not.

    Parameters
    ----------
    a : Array
        A matrix or a stack of them.
    upper : bool
        Whether to give the upper factor U with ``a = U^H U`` instead of the lower one, L with ``a = L L^H``.
    symmetrize_input : bool
        Whether to take the mean of the matrix and its adjoint first; else the lower triangle counts.

    Returns
    -------
    Array
        The factors.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.cholesky(xp.asarray([[4.0, 2.0], [2.0, 2.0]]))
    Array([[2., 0.],
           [1., 1.]], dtype=float32)
    """
    node, data = matrices("linalg.cholesky", a, square=True)
    lower = np.tril(robust(np.linalg.cholesky, hermitian_part(data) if symmetrize_input else data, finite=False))
    return rounded(adjoint(lower) if upper else lower, node)


def eig(a: Any) -> EigResult:
    """Eigenvalues and right eigenvectors, both complex.

    Parameters
    ----------
    a : Array
        A square matrix or a stack of them.

    Returns
    -------
    EigResult
        The ``eigenvalues``, and the ``eigenvectors`` as columns.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.eig(xp.asarray([[2.0, 0.0], [0.0, 3.0]])).eigenvalues
    Array([2.+0.j, 3.+0.j], dtype=complex64)
    """
    node, data = matrices("linalg.eig", a, square=True)
    node = complex_of(node)
    wide = accumulator(node).dtype
    values, vectors = robust(lambda x: tuple(part.astype(wide) for part in np.linalg.eig(x)), data)
    return EigResult(rounded(values, node), rounded(vectors, node))


def eigvals(a: Any) -> Array:
    """Eigenvalues, complex.

    Parameters
    ----------
    a : Array
        A square matrix or a stack of them.

    Returns
    -------
    Array
        The eigenvalues, in no order.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.eigvals(xp.asarray([[0.0, -1.0], [1.0, 0.0]]))
    Array([0.+1.j, 0.-1.j], dtype=complex64)
    """
    node, data = matrices("linalg.eigvals", a, square=True)
    node = complex_of(node)
    wide = accumulator(node).dtype
    return rounded(robust(lambda x: np.linalg.eigvals(x).astype(wide), data), node)


def eigh(a: Any, UPLO: str | None = None, symmetrize_input: bool = True) -> EighResult:
    """Eigenvalues, ascending, and eigenvectors of Hermitian matrices.

    Parameters
    ----------
    a : Array
        A Hermitian matrix or a stack of them.
    UPLO : {"L", "U"}, optional
        Which triangle counts where `symmetrize_input` is false; the lower one by default.
    symmetrize_input : bool
        Whether to take the mean of the matrix and its adjoint first.

    Returns
    -------
    EighResult
        The ``eigenvalues``, and the ``eigenvectors`` as columns.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.eigh(xp.asarray([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
    Array([1., 2.], dtype=float32)
    """
    triangle = _triangle("linalg.eigh", UPLO)
    node, data = matrices("linalg.eigh", a, square=True)
    if symmetrize_input:
        data = hermitian_part(data)
    values, vectors = robust(lambda x: tuple(np.linalg.eigh(x, triangle)), data)
    return EighResult(rounded(values, real_of(node)), rounded(vectors, node))


def eigvalsh(a: Any, UPLO: str | None = "L", *, symmetrize_input: bool = True) -> Array:
    """Eigenvalues of Hermitian matrices, ascending.

    Parameters
    ----------
    a : Array
        A Hermitian matrix or a stack of them.
    UPLO : {"L", "U"}, optional
        Which triangle counts where `symmetrize_input` is false.
    symmetrize_input : bool
        Whether to take the mean of the matrix and its adjoint first.

    Returns
    -------
    Array
        The eigenvalues.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.eigvalsh(xp.asarray([[2, 0], [0, 1]], dtype="bfloat16"))
    Array([1, 2], dtype=bfloat16)
    """
    triangle = _triangle("linalg.eigvalsh", UPLO)
    node, data = matrices("linalg.eigvalsh", a, square=True)
    if symmetrize_input:
        data = hermitian_part(data)
    return rounded(robust(lambda x: np.linalg.eigvalsh(x, triangle), data), real_of(node))


def _triangle(function: str, triangle: str | None) -> Any:
    if triangle not in (None, "L", "U"):
        msg = f"{function}: UPLO must be None, 'L' or 'U', got {shown(triangle)}"
        raise ValueError(msg)
    return triangle or "L"


@overload
def qr(a: Any, mode: Literal["reduced", "complete", "raw", "full"] = "reduced") -> QRResult: ...
@overload
def qr(a: Any, mode: str = "reduced") -> Any: ...
def qr(a: Any, mode: str = "reduced") -> Any:
    """QR decompositions: matrices with orthonormal columns times upper triangular ones.

    Parameters
    ----------
    a : Array
        A matrix or a stack of them.
    mode : {"reduced", "complete", "r", "raw", "full"}
        Whether Q has as many columns as the matrix has rows (``"complete"``) or no more than needed (``"reduced"``, and its
        old name ``"full"``); ``"r"`` for R alone; ``"raw"`` for LAPACK's reflectors, transposed, and their scales.

    Returns
    -------
    QRResult or Array
        ``Q`` and ``R``, or R.

    Examples
    --------
    >>> import supremum as xp
    >>> q, r = xp.linalg.qr(xp.asarray([[3.0, 1.0], [4.0, 2.0]]))
    >>> xp.allclose(q @ r, xp.asarray([[3.0, 1.0], [4.0, 2.0]]))
    Array(True, dtype=bool)
    """
    if mode not in ("reduced", "complete", "r", "raw", "full"):
        msg = f"linalg.qr: mode must be 'reduced', 'complete', 'r' or 'raw', got {mode!r}"
        raise ValueError(msg)
    node, data = matrices("linalg.qr", a)
    if mode == "r":
        return rounded(robust(lambda x: np.linalg.qr(x, "r"), data, finite=False), node)
    numpy_mode: Any = "reduced" if mode == "full" else mode
    q, r = robust(lambda x: tuple(np.linalg.qr(x, numpy_mode)), data, finite=False)
    return QRResult(rounded(q, node), rounded(r, node))


@overload
def svd(
    a: Any,
    full_matrices: bool = True,
    compute_uv: Literal[True] = True,
    hermitian: bool = False,
    subset_by_index: tuple[int, int] | None = None,
) -> SVDResult: ...
@overload
def svd(
    a: Any,
    full_matrices: bool = True,
    compute_uv: bool = True,
    hermitian: bool = False,
    subset_by_index: tuple[int, int] | None = None,
) -> Any: ...
def svd(
    a: Any,
    full_matrices: bool = True,
    compute_uv: bool = True,
    hermitian: bool = False,
    subset_by_index: tuple[int, int] | None = None,
) -> Any:
    """Singular value decompositions ``U S Vh``, with the singular values descending.

    Parameters
    ----------
    a : Array
        A matrix or a stack of them.
    full_matrices : bool
        Whether U and Vh are square.
    compute_uv : bool
        Whether to give U and Vh too.
    hermitian : bool
        Whether the matrices are Hermitian, so that their eigenvalues serve.
    subset_by_index : (int, int), optional
        The range of singular values to give; all of them only.

    Returns
    -------
    SVDResult or Array
        ``U``, ``S`` and ``Vh``, or the singular values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.svd(xp.asarray([[0.0, 2.0], [1.0, 0.0]])).S
    Array([2., 1.], dtype=float32)
    """
    node, data = matrices("linalg.svd", a)
    if subset_by_index is not None:
        _check_subset(subset_by_index, min(data.shape[-2:]), compute_uv and full_matrices)
    real = real_of(node)
    if hermitian:
        return _svd_hermitian(hermitian_part(data), compute_uv, node, real)
    if not compute_uv:
        return rounded(robust(np.linalg.svdvals, data), real)
    u, s, vh = robust(lambda x: tuple(np.linalg.svd(x, full_matrices)), data)
    return SVDResult(rounded(u, node), rounded(s, real), rounded(vh, node))


def _check_subset(subset: tuple[int, int], count: int, full: bool) -> None:
    if full:
        msg = "linalg.svd: full_matrices and subset_by_index cannot both be set"
        raise ValueError(msg)
    if tuple(subset) != (0, count):
        msg = f"linalg.svd: subset_by_index={subset!r} is not supported; slice the result"
        raise NotImplementedError(msg)


def _svd_hermitian(data: Buffer, compute_uv: bool, node: Any, real: Any) -> Any:
    """Decompose by eigenvalues: singular values are their magnitudes, and a sign goes into Vh."""
    values, vectors = robust(lambda x: tuple(np.linalg.eigh(x)), data)
    order = np.argsort(np.abs(values), axis=-1)[..., ::-1]
    values = np.take_along_axis(values, order, -1)
    if not compute_uv:
        return rounded(np.abs(values), real)
    u = np.take_along_axis(vectors, order[..., None, :], -1)
    vh = adjoint(u * np.sign(values)[..., None, :])
    return SVDResult(rounded(u, node), rounded(np.abs(values), real), rounded(vh, strong(node)))


def svdvals(x: Any, /) -> Array:
    """Singular values, descending.

    Parameters
    ----------
    x : Array
        A matrix or a stack of them.

    Returns
    -------
    Array
        The singular values, real.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.svdvals(xp.asarray([[0.0, 2.0], [1.0, 0.0]]))
    Array([2., 1.], dtype=float32)
    """
    node, data = matrices("linalg.svdvals", x)
    return rounded(robust(np.linalg.svdvals, data), real_of(node))


publish(__name__)
