"""Decompositions of matrices: Cholesky, eigenvalues, QR, singular values."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, overload

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import check_choice
from supremum._core.array import Array, ArrayLike
from supremum._core.conversion import Buffer
from supremum._core.dtype_objects import complex_of
from supremum._core.reduction_rows import accumulator
from supremum._functions.linear_algebra._matrices import (
    PLAIN,
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
from supremum._kernels import lapack
from supremum.promotion._nodes import Node

__all__ = ["cholesky", "eig", "eigh", "eigvals", "eigvalsh", "qr", "svd", "svdvals"]

#: The triangle of a Hermitian matrix that is read; None for the default, the lower one.
Triangle: TypeAlias = Literal["L", "U"] | None


@public(plain=Plain(lambda x: lapack.cholesky(hermitian_part(x)), **PLAIN), last=2)
def cholesky(a: ArrayLike, *, upper: bool = False, symmetrize_input: bool = True) -> Array:
    """Compute the Cholesky factors of Hermitian positive-definite matrices; NaN for other matrices.

    Parameters
    ----------
    a : array_like
        A matrix or a stack of them.
    upper : bool
        Whether to return the upper factor U with ``a = U^H U`` instead of the lower factor L with ``a = L L^H``.
    symmetrize_input : bool
        Whether to replace the matrix by the mean of it and its adjoint first; else the lower triangle is read.

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
    lower = np.tril(robust(lapack.cholesky, hermitian_part(data) if symmetrize_input else data, finite=False))
    return rounded(adjoint(lower) if upper else lower, node)


@public(last=2)
def eig(a: ArrayLike) -> EigResult:
    """Compute the eigenvalues and right eigenvectors, both complex.

    Parameters
    ----------
    a

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
    node, data, wide = _general("linalg.eig", a)
    values, vectors = robust(lambda x: tuple(part.astype(wide) for part in lapack.eig(x)), data)
    return EigResult(rounded(values, node), rounded(vectors, node))


@public(last=2)
def eigvals(a: ArrayLike) -> Array:
    """Compute the eigenvalues, which are complex.

    Parameters
    ----------
    a

    Returns
    -------
    Array
        The eigenvalues, in no particular order.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.eigvals(xp.asarray([[0.0, -1.0], [1.0, 0.0]]))
    Array([0.+1.j, 0.-1.j], dtype=complex64)
    """
    node, data, wide = _general("linalg.eigvals", a)
    return rounded(robust(lambda x: lapack.eigvals(x).astype(wide), data), node)


def _general(function: str, a: Any) -> tuple[Node, Buffer, np.dtype[Any] | None]:
    """Return the complex node of the results, the buffer of square matrices, and the dtype to compute the results in."""
    node, data = matrices(function, a, square=True)
    node = complex_of(node)
    return node, data, accumulator(node).dtype


@public(last=2)
def eigh(a: ArrayLike, UPLO: Triangle = None, symmetrize_input: bool = True) -> EighResult:
    """Compute the eigenvalues, in ascending order, and the eigenvectors of Hermitian matrices.

    Parameters
    ----------
    a : array_like
        A Hermitian matrix or a stack of them.
    UPLO : {"L", "U"}, optional
        The triangle that is read if `symmetrize_input` is false; the lower one by default.
    symmetrize_input : bool
        Whether to replace the matrix by the mean of it and its adjoint first.

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
    node, data, triangle = _hermitian("linalg.eigh", a, UPLO, symmetrize_input)
    values, vectors = robust(lambda x: tuple(np.linalg.eigh(x, triangle)), data)
    return EighResult(rounded(values, node.real), rounded(vectors, node))


@public(last=2)
def eigvalsh(a: ArrayLike, UPLO: Triangle = "L", *, symmetrize_input: bool = True) -> Array:
    """Compute the eigenvalues of Hermitian matrices, in ascending order.

    Parameters
    ----------
    a : array_like
        A Hermitian matrix or a stack of them.
    UPLO : {"L", "U"}, optional
        The triangle that is read if `symmetrize_input` is false.
    symmetrize_input : bool
        Whether to replace the matrix by the mean of it and its adjoint first.

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
    node, data, triangle = _hermitian("linalg.eigvalsh", a, UPLO, symmetrize_input)
    return rounded(robust(lambda x: np.linalg.eigvalsh(x, triangle), data), node.real)


def _hermitian(function: str, a: Any, triangle: Any, symmetrize: bool) -> tuple[Node, Buffer, Any]:
    """Return the node and the buffer of Hermitian matrices, and the triangle to read."""
    check_choice(triangle, "UPLO", (None, "L", "U"), function)
    node, data = matrices(function, a, square=True)
    return node, hermitian_part(data) if symmetrize else data, triangle or "L"


@overload
def qr(a: ArrayLike, mode: Literal["reduced", "complete", "raw", "full"] = "reduced") -> QRResult: ...
@overload
def qr(a: ArrayLike, mode: Literal["r"]) -> Array: ...
@public(plain=Plain(lapack.qr, make=QRResult, **PLAIN), last=2)
def qr(a: ArrayLike, mode: Literal["reduced", "complete", "r", "raw", "full"] = "reduced") -> QRResult | Array:
    """Decompose matrices into matrices with orthonormal columns times upper triangular ones.

    Parameters
    ----------
    a : array_like
        A matrix or a stack of them.
    mode : {"reduced", "complete", "r", "raw", "full"}
        ``"complete"`` for a Q with as many columns as the matrix has rows, ``"reduced"`` (old name: ``"full"``) for one with
        no more columns than needed, ``"r"`` for R alone, ``"raw"`` for LAPACK's reflectors, transposed, and their scales.

    Returns
    -------
    QRResult or Array
        ``Q`` and ``R``, or R alone.

    Examples
    --------
    >>> import supremum as xp
    >>> q, r = xp.linalg.qr(xp.asarray([[3.0, 1.0], [4.0, 2.0]]))
    >>> xp.allclose(q @ r, xp.asarray([[3.0, 1.0], [4.0, 2.0]]))
    Array(True, dtype=bool)
    """
    check_choice(mode, "mode", ("reduced", "complete", "full", "r", "raw"), "linalg.qr")
    node, data = matrices("linalg.qr", a)
    if mode == "r":
        return rounded(robust(lambda x: np.linalg.qr(x, "r"), data, finite=False), node)
    numpy_mode: Any = "reduced" if mode == "full" else mode
    q, r = robust(lambda x: tuple(np.linalg.qr(x, numpy_mode)), data, finite=False)
    return QRResult(rounded(q, node), rounded(r, node))


@overload
def svd(
    a: ArrayLike, full_matrices: bool = True, compute_uv: Literal[True] = True, hermitian: bool = False,
    subset_by_index: tuple[int, int] | None = None,
) -> SVDResult: ...  # fmt: skip
@overload
def svd(
    a: ArrayLike, full_matrices: bool = True, *, compute_uv: Literal[False], hermitian: bool = False,
    subset_by_index: tuple[int, int] | None = None,
) -> Array: ...  # fmt: skip
@overload
def svd(
    a: ArrayLike, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False,
    subset_by_index: tuple[int, int] | None = None,
) -> SVDResult | Array: ...  # fmt: skip
@public(last=2)
def svd(
    a: ArrayLike, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False,
    subset_by_index: tuple[int, int] | None = None,
) -> SVDResult | Array:  # fmt: skip
    """Compute the singular value decompositions ``U S Vh``, with the singular values in descending order.

    Parameters
    ----------
    a : array_like
        A matrix or a stack of them.
    full_matrices : bool
        Whether U and Vh are square.
    compute_uv : bool
        Whether to return U and Vh too.
    hermitian
    subset_by_index : (int, int), optional
        The range of singular values to return, which must be all of them.

    Returns
    -------
    SVDResult or Array
        ``U``, ``S`` and ``Vh``, or the singular values alone.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.linalg.svd(xp.asarray([[0.0, 2.0], [1.0, 0.0]])).S
    Array([2., 1.], dtype=float32)
    """
    node, data = matrices("linalg.svd", a)
    if subset_by_index is not None:
        _check_subset(subset_by_index, min(data.shape[-2:]), compute_uv and full_matrices)
    real = node.real
    if hermitian:
        return _svd_hermitian(hermitian_part(data), compute_uv, node, real)
    if not compute_uv:
        return rounded(robust(lapack.svdvals, data), real)
    u, s, vh = robust(lapack.svd if full_matrices else lapack.thin_svd, data)
    return SVDResult(rounded(u, node), rounded(s, real), rounded(vh, node))


def _check_subset(subset: tuple[int, int], count: int, full: bool) -> None:
    if full:
        raise ValueError("linalg.svd: full_matrices and subset_by_index cannot both be set")
    if tuple(subset) != (0, count):
        raise NotImplementedError(f"linalg.svd: subset_by_index={subset!r} is not supported; slice the result")


def _svd_hermitian(data: Buffer, compute_uv: bool, node: Node, real: Node) -> SVDResult | Array:
    """Decompose by eigenvalues: the singular values are their magnitudes, and Vh takes their signs."""
    values, vectors = robust(lapack.eigh, data)
    order = np.argsort(np.abs(values), axis=-1)[..., ::-1]
    values = np.take_along_axis(values, order, -1)
    if not compute_uv:
        return rounded(np.abs(values), real)
    u = np.take_along_axis(vectors, order[..., None, :], -1)
    vh = adjoint(u * np.sign(values)[..., None, :])
    return SVDResult(rounded(u, node), rounded(np.abs(values), real), rounded(vh, node.strong))


@public(last=2)
def svdvals(x: ArrayLike, /) -> Array:
    """Compute the singular values, in descending order.

    Parameters
    ----------
    x

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
    return rounded(robust(lapack.svdvals, data), node.real)
