"""The functions of ``jax.lax.linalg``, on stacks of matrices."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

import supremum as xp
from supremum import Array
from supremum._base.buffers import Buffer
from supremum._base.exceptions import with_function_name
from supremum._base.functions import call_without_float_warnings
from supremum._core.array import wrap
from supremum._kernels.casts import cast
from supremum.jax._batching import with_node
from supremum.jax._casting import as_operand, as_operands, public
from supremum.jax._modules import finder
from supremum.jax.lax._operands import check_kinds, check_same_dtypes
from supremum.promotion._nodes import NODES, Node
from supremum.scipy import linalg as matrices
from supremum.scipy.linalg import _lapack
from supremum.scipy.linalg._lapack import over_stack, permutation

__all__ = [
    "cholesky", "cholesky_update", "eig", "eigh", "hessenberg", "householder_product", "lu", "lu_pivots_to_permutation",
    "ormqr", "qdwh", "qr", "schur", "svd", "symmetric_product", "triangular_solve", "tridiagonal", "tridiagonal_solve",
]  # fmt: skip


def _matrices(name: str, x: Any, square: bool = False) -> Array:
    a = as_operand(x, name)
    check_kinds(name, ("fc",), (a,))
    if a.ndim < 2:
        raise TypeError(f"{name}: expected matrices, got shape {a.shape}")
    if square and a.shape[-1] != a.shape[-2]:
        raise ValueError(f"{name}: expected square matrices, got shape {a.shape}")
    return a


def _adjoint(x: Array) -> Array:
    return xp.conj(xp.matrix_transpose(x)) if x._node.kind == "c" else xp.matrix_transpose(x)


def _symmetric(x: Array) -> Array:
    return (x + _adjoint(x)) / 2


@public("lax.linalg.", kind="composed", last=2, operands="x")
def cholesky(x: Any, *, symmetrize_input: bool = True) -> Array:
    """Return the lower triangular factors of positive definite matrices; NaN where there is none."""
    a = _matrices("cholesky", x, square=True)
    return xp.linalg.cholesky(a) if symmetrize_input else xp.linalg.cholesky(a, symmetrize_input=False)


@public("lax.linalg.", kind="composed")
def cholesky_update(r_matrix: Any, w_vector: Any) -> Array:
    """Return the upper triangular factor of ``R.T @ R + outer(w, w)``."""
    r, w = as_operands("cholesky_update", r_matrix, w_vector)
    return _adjoint(xp.linalg.cholesky(xp.matmul(_adjoint(r), r) + xp.outer(w, w)))


@public("lax.linalg.", last=2, operands="x")
def eig(
    x: Any,
    *,
    compute_left_eigenvectors: bool = True,
    compute_right_eigenvectors: bool = True,
    enable_eigvec_derivs: bool = False,
    implementation: Any = None,
    use_magma: bool | None = None,
) -> list[Array]:
    """Return eigenvalues, then the left and the right eigenvectors that are requested."""
    values, right = xp.linalg.eig(_matrices("eig", x, square=True))
    out = [values]
    if compute_left_eigenvectors:
        left = _adjoint(xp.linalg.inv(right))
        out.append(left / xp.linalg.vector_norm(left, axis=-2, keepdims=True))
    return [*out, right] if compute_right_eigenvectors else out


@public("lax.linalg.", kind="composed", last=2, operands="x")
def eigh(
    x: Any,
    *,
    lower: bool = True,
    symmetrize_input: bool = True,
    sort_eigenvalues: bool = True,
    subset_by_index: tuple[int, int] | None = None,
    implementation: Any = None,
) -> tuple[Array, Array]:
    """Return the eigenvectors and the eigenvalues of Hermitian matrices."""
    a = _matrices("eigh", x, square=True)
    given = _symmetric(a) if symmetrize_input else a
    values, vectors = xp.linalg.eigh(given, UPLO="L" if lower else "U", symmetrize_input=False)
    if subset_by_index is not None:
        part = slice(*subset_by_index)
        values, vectors = values[..., part], vectors[..., part]
    return vectors, values


@public("lax.linalg.", kind="composed", last=2, operands="x")
def qr(x: Any, *, pivoting: bool = False, full_matrices: bool = True, use_magma: bool | None = None) -> tuple[Array, ...]:
    """Return orthogonal and upper triangular factors."""
    a = _matrices("qr", x)
    if pivoting:
        return matrices.qr(a, mode="full" if full_matrices else "economic", pivoting=True)
    q, r = xp.linalg.qr(a, mode="complete" if full_matrices else "reduced")
    return q, r


@public("lax.linalg.", kind="composed", last=2, operands="x")
def svd(
    x: Any,
    *,
    full_matrices: bool = True,
    compute_uv: bool = True,
    subset_by_index: tuple[int, int] | None = None,
    algorithm: Any = None,
) -> Any:
    """Return the singular value decomposition, or the singular values alone."""
    a = _matrices("svd", x)
    if not compute_uv:
        values = xp.linalg.svdvals(a)
        return values if subset_by_index is None else values[..., slice(*subset_by_index)]
    u, s, vh = xp.linalg.svd(a, full_matrices=full_matrices)
    if subset_by_index is not None:
        part = slice(*subset_by_index)
        u, s, vh = u[..., :, part], s[..., part], vh[..., part, :]
    return u, s, vh


def _wide(a: Array) -> Node:
    """Return the node in which narrow floats are computed."""
    return a._node.strong if a._node.bits >= 32 else NODES["float32"]


def _computed(name: str, function: Callable[..., tuple[Buffer, ...]], *stacks: Buffer) -> tuple[Buffer, ...]:
    """Apply a function of matrices to each matrix of stacks."""
    try:
        return call_without_float_warnings(over_stack, function, *stacks)
    except ModuleNotFoundError as error:  # SciPy
        raise with_function_name(error, name) from None


@public("lax.linalg.", last=2, operands="x")
def lu(x: Any) -> list[Array]:
    """Return triangular factors in one matrix, the row that each step exchanged, and the order of the rows."""
    a = _matrices("lu", x)
    factors, pivots = _computed("lu", _lapack.factor_lu, cast(a._data, _wide(a)))
    order = permutation(pivots, a.shape[-2])
    return [wrap(cast(factors, a._node), a._node), wrap(pivots, NODES["int32"]), wrap(order, NODES["int32"])]


@public("lax.linalg.", last=1, operands="pivots")
def lu_pivots_to_permutation(pivots: Any, permutation_size: int) -> Array:
    """Return the order of rows that exchanges of rows lead to."""
    given = as_operand(pivots, "lu_pivots_to_permutation")
    if permutation_size < given.shape[-1]:
        raise ValueError(f"Output permutation size {permutation_size} has to exceed the number of pivots {given.shape[-1]}")
    return wrap(permutation(given._data, permutation_size), given._node.strong)


@public("lax.linalg.", kind="composed", last=(2, 2), operands="a b")
def triangular_solve(
    a: Any, b: Any, *, left_side: bool = False, lower: bool = False, transpose_a: bool = False, conjugate_a: bool = False,
    unit_diagonal: bool = False,
) -> Array:  # fmt: skip
    """Solve ``op(a) @ x = b``, or ``x @ op(a) = b``, for triangular matrices."""
    m, right = as_operands("triangular_solve", a, b)
    check_same_dtypes("triangular_solve", (m, right))
    _matrices("triangular_solve", m, square=True)
    if m.ndim < 2 or right.ndim not in (m.ndim, m.ndim - 1) or m.shape[:-2] != right.shape[: m.ndim - 2]:
        raise TypeError(f"triangular_solve requires operands of equal ranks and batches, got {m.shape} and {right.shape}")

    def turned(x: Array) -> Array:
        return x if left_side else xp.matrix_transpose(x)  # x a = b is a^T x^T = b^T

    columns = turned(right if right.ndim == m.ndim else xp.expand_dims(right, -1 if left_side else -2))
    if columns.shape[-2] != m.shape[-1]:
        raise TypeError(f"Incompatible shapes for arguments to triangular_solve: {m.shape} and {right.shape}")
    matrix = turned(xp.conj(m) if conjugate_a and m._node.kind == "c" else m)
    found = turned(matrices.solve_triangular(matrix, columns, int(transpose_a), bool(lower) is bool(left_side), unit_diagonal))
    return with_node(found if found.shape == right.shape else xp.reshape(found, right.shape), right._node)


@public("lax.linalg.", last=(2, 1), operands="a taus")
def householder_product(a: Any, taus: Any) -> Array:
    """Return the product of reflections, whose vectors are the columns of a matrix below its diagonal."""
    m, t = as_operands("householder_product", a, taus)
    _matrices("householder_product", m)
    if not m.shape[-2] >= m.shape[-1] >= t.shape[-1]:
        raise ValueError(f"householder_product: a has too few rows, or columns for the factors: {m.shape} and {t.shape}")
    vectors, scales = cast(m._data, _wide(m)), cast(t._data, _wide(m))[..., None, :]
    (found,) = _computed("householder_product", lambda a, taus: (_lapack.reflections(a, taus[0]),), vectors, scales)
    return wrap(cast(found, m._node), m._node)


@public("lax.linalg.", kind="composed", last=(2, 2), operands="a_matrix c_matrix")
def symmetric_product(
    a_matrix: Any, c_matrix: Any, *, alpha: float = 1.0, beta: float = 0.0, symmetrize_output: bool = False
) -> Array:
    """Return ``alpha * a @ a.T + beta * c``."""
    a, c = as_operands("symmetric_product", a_matrix, c_matrix)
    return alpha * xp.matmul(a, xp.matrix_transpose(a)) + beta * c


@public("lax.linalg.", last=(1, 1, 1, 2), operands="dl d du b")
def tridiagonal_solve(dl: Any, d: Any, du: Any, b: Any, *, perturb_singular: bool = False) -> Array:
    """Solve linear systems whose matrices have three diagonals.

    With `perturb_singular`, pivots that are zero are replaced by small numbers, so that the solutions are finite.
    """
    lower, middle, upper, right = as_operands("tridiagonal_solve", dl, d, du, b)
    check_same_dtypes("tridiagonal_solve", (lower, middle, upper, right))
    node = right._node
    *diagonals, columns = [cast(x._data, _wide(right)) for x in (lower, middle, upper, right)]
    solve = partial(_lapack.solve_tridiagonal, perturb=perturb_singular)
    (found,) = _computed("tridiagonal_solve", solve, *[x[..., None, :] for x in diagonals], columns)
    return wrap(cast(found, node), node)


def qdwh(
    x: Any, *, is_hermitian: bool = False, max_iterations: int | None = None, eps: Any = None, dynamic_shape: Any = None
) -> Any:
    """Return the polar decomposition: a matrix with orthonormal columns, a positive one, and how it was found."""
    u, s, vh = xp.linalg.svd(_matrices("qdwh", x), full_matrices=False)
    h = xp.matmul(_adjoint(vh) * s, vh)
    return xp.matmul(u, vh), _symmetric(h), xp.asarray(1, dtype="int32"), xp.asarray(True)


def _factored(name: str, function: Callable[..., tuple[Buffer, ...]], x: Any) -> tuple[Array, ...]:
    """Apply a function of square matrices to each of a stack, and round its results."""
    a = _matrices(name, x, square=True)
    node, wide = a._node, _wide(a)
    parts = _computed(name, function, cast(a._data, wide))
    kinds = [node if part.dtype.kind == wide.kind else node.real for part in parts]
    return tuple([wrap(cast(part, kind), kind) for part, kind in zip(parts, kinds, strict=True)])


@public("lax.linalg.", last=2, operands="a")
def hessenberg(a: Any) -> tuple[Array, ...]:
    """Return the Hessenberg form with the vectors of the reflections below it, and the factors of the reflections."""
    return _factored("hessenberg", _lapack.reduce_hessenberg, a)


@public("lax.linalg.", last=2, operands="x")
def schur(
    x: Any, *, compute_schur_vectors: bool = True, sort_eig_vals: bool = False, select_callable: Any = None
) -> tuple[Array, ...]:
    """Return the Schur form and the unitary matrix, or the form alone."""
    if sort_eig_vals:
        raise NotImplementedError("lax.linalg.schur: the eigenvalues cannot be sorted; JAX runs the same script on CPU")
    found = _factored("schur", _lapack.schur, x)
    return found if compute_schur_vectors else found[:1]


@public("lax.linalg.", last=2, operands="a")
def tridiagonal(a: Any, *, lower: bool = True) -> tuple[Array, ...]:
    """Reduce Hermitian matrices to three diagonals by reflections: the matrix of their vectors, the diagonals, the factors."""
    return _factored("tridiagonal", partial(_lapack.reduce_tridiagonal, lower=bool(lower)), a)


def ormqr(a: Any, taus: Any, c: Any, *, left: bool = True, transpose: bool = False) -> Array:
    """Multiply a matrix by the unitary matrix of a QR decomposition, which is given by its reflections."""
    factors, scales, other = as_operands("ormqr", a, taus, c)
    check_same_dtypes("ormqr", (factors, scales, other))
    rows = factors.shape[-2]
    padded = np.zeros((*factors.shape[:-1], rows), factors._data.dtype)
    padded[..., : factors.shape[-1]] = factors._data[..., :rows]
    q = householder_product(wrap(padded, factors._node), scales)
    q = _adjoint(q) if transpose else q
    return xp.matmul(q, other) if left else xp.matmul(other, q)


for _name in __all__:
    if isinstance(globals()[_name], FunctionType):
        globals()[_name] = public(globals()[_name], name="lax.linalg.")


__getattr__ = finder("jax.lax.linalg")
