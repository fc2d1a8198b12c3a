"""Distributions that need several keys, or linear algebra."""

from __future__ import annotations

from typing import Literal

import numpy as np

from supremum import linalg
from supremum._base.boundary import public
from supremum._base.exceptions import check_choice
from supremum._core.array import Array, ArrayLike, DTypeLike, Shape
from supremum._core.conversion import operand
from supremum._core.dtype_objects import to_inexact
from supremum._core.settings import state
from supremum._functions.creation.filled import shape_of
from supremum._functions.data_types import astype
from supremum._functions.elementwise.arithmetic import sign, square
from supremum._functions.elementwise.exponential import sqrt
from supremum._functions.linear_algebra.einsums import einsum
from supremum._functions.manipulation.axes import matrix_transpose
from supremum._functions.where import where
from supremum._kernels.special_functions import log1p_as_xla
from supremum.random.continuous import maxwell
from supremum.random.keys import Key, check_key, integer_of, one_key, split
from supremum.random.samplers import (
    as_samples,
    begin_composed,
    check_fits,
    floating_node,
    integer_node,
    normal,
    parameter,
    rademacher,
    shape_with,
    uniform,
    uniform_buffer,
)

__all__ = ["double_sided_maxwell", "geometric", "multivariate_normal", "orthogonal", "wald"]


@public(composed=True)
def double_sided_maxwell(
    key: Key, loc: ArrayLike, scale: ArrayLike, shape: Shape = (), dtype: DTypeLike | None = None
) -> Array:
    """Draw samples from the double-sided Maxwell distribution: Maxwell samples with random signs.

    Parameters
    ----------
    key
    loc, scale : array_like
        The location added to the samples and the scale that they are multiplied by.
    shape : int or tuple of int
        The shape of the samples for each pair of parameters; it precedes theirs.
    dtype

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.double_sided_maxwell(xp.random.key(0), 0.0, 1.0, (3,)).shape
    (3,)
    """
    dtype, _, _ = begin_composed("double_sided_maxwell", key, shape, dtype)
    shift, stretch = (operand(value, "double_sided_maxwell") for value in (loc, scale))
    batch = np.broadcast_shapes(shift.shape, stretch.shape)
    lengths = (shape_of(shape, "double_sided_maxwell") or batch) + batch
    first, second = split(key)
    return rademacher(second, lengths, dtype) * maxwell(first, lengths, dtype) * stretch + shift


@public(draws="shape")
def geometric(
    key: Key, p: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *, out_sharding: object = None
) -> Array:
    """Draw samples from the geometric distribution: numbers of trials up to the first success.

    Parameters
    ----------
    key
    p : array_like
        The probability of success.
    shape : int or tuple of int, optional
        The shape of the result; the shape of `p` if omitted.
    dtype : dtype, optional
        The dtype of the result; the default integer dtype if omitted.
    out_sharding

    Returns
    -------
    Array
        The numbers of trials.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.geometric(xp.random.key(0), 0.5, (3,)).shape
    (3,)
    """
    words, result = one_key(key, "geometric"), integer_node(dtype, "geometric")
    chance = operand(p, "geometric")
    node = to_inexact(chance._node.strong)
    lengths = shape_with(shape, "geometric", chance)
    failure = -parameter(p, node, lengths, "geometric")
    u = uniform_buffer(words, node, lengths)
    trials = np.floor(np.log(np.where(u == 0, u.dtype.type(1), u)) / log1p_as_xla(failure)) + 1
    return as_samples(trials, result)


@public(composed=True)
def wald(
    key: Key, mean: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *, out_sharding: object = None
) -> Array:
    """Draw samples from the Wald (inverse Gaussian) distribution.

    Parameters
    ----------
    key
    mean : array_like
        The mean.
    shape : int or tuple of int, optional
        The shape of the result; the shape of `mean` if omitted.
    dtype, out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.wald(xp.random.key(0), 2.0, (3,)).shape
    (3,)
    """
    dtype, lengths, (m,) = begin_composed("wald", key, shape, dtype, mean)
    first, second = split(key)
    y = square(normal(first, lengths, dtype))
    u = uniform(second, lengths, dtype)
    root = sqrt(4 * m * y + square(m) * square(y))
    x = m + square(m) * y / 2 - m / 2 * root
    return where(u <= m / (m + x), x, square(m) / x)


@public(composed=True)
def multivariate_normal(
    key: Key,
    mean: ArrayLike,
    cov: ArrayLike,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    method: Literal["cholesky", "eigh", "svd"] = "cholesky",
    *,
    out_sharding: object = None,
) -> Array:
    """Draw samples from a multivariate normal distribution.

    Parameters
    ----------
    key
    mean : array_like
        The mean vectors, along the last axis.
    cov : array_like
        The covariance matrices, along the last two axes.
    shape : int or tuple of int, optional
        The shape of the stack of vectors; the broadcast batch shape of `mean` and `cov` if omitted.
    dtype : dtype, optional
        A floating-point dtype; the promoted dtype of the parameters if omitted.
    method : {'cholesky', 'eigh', 'svd'}
        The factorization used for the square root of the covariance.
    out_sharding

    Returns
    -------
    Array
        The vectors, along the last axis.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.multivariate_normal(xp.random.key(0), xp.zeros(2), xp.eye(2), (3,)).shape
    (3, 2)
    """
    check_key(key, "multivariate_normal")
    check_choice(method, "method", ("cholesky", "eigh", "svd"), "multivariate_normal")
    center, spread = operand(mean, "multivariate_normal"), operand(cov, "multivariate_normal")
    node = floating_node(to_inexact(state().join(center._node, spread._node)).dtype if dtype is None else dtype, "normal")
    if center.ndim < 1 or spread.ndim < 2 or spread.shape[-2:] != (center.shape[-1],) * 2:
        raise ValueError(
            f"multivariate_normal: mean has shape (..., n) and cov shape (..., n, n), got {center.shape} and {spread.shape}"
        )
    batch = np.broadcast_shapes(center.shape[:-1], spread.shape[:-2])
    lengths = batch if shape is None else shape_of(shape, "multivariate_normal")
    check_fits(lengths, batch, "multivariate_normal")
    center, spread, numbers = (
        astype(x, node.wide.dtype) for x in (center, spread, normal(key, (*lengths, center.shape[-1]), node.dtype))
    )
    return astype(center + einsum("...ij,...j->...i", _root_of(spread, method), numbers), node.dtype)


def _root_of(matrix: Array, method: str) -> Array:
    """Return a matrix whose product with its transpose is `matrix`."""
    if method == "cholesky":
        return linalg.cholesky(matrix)
    vectors, values = linalg.eigh(matrix)[::-1] if method == "eigh" else linalg.svd(matrix)[:2]
    return vectors * sqrt(values)[..., None, :]


@public(composed=True)
def orthogonal(
    key: Key, n: int, shape: Shape = (), dtype: DTypeLike | None = None, m: int | None = None, *, out_sharding: object = None
) -> Array:
    """Draw uniformly distributed orthogonal matrices, or unitary ones for a complex dtype.

    Parameters
    ----------
    key
    n : int
        The number of rows.
    shape : int or tuple of int
        The shape of the stack of matrices.
    dtype : dtype, optional
        A floating-point or complex dtype; the default floating-point dtype if omitted.
    m : int, optional
        The number of columns; `n` if omitted.
    out_sharding

    Returns
    -------
    Array
        The matrices.

    Examples
    --------
    >>> import supremum as xp
    >>> q = xp.random.orthogonal(xp.random.key(0), 3)
    >>> bool(xp.allclose(q @ q.T, xp.eye(3), atol=1e-6))
    True
    """
    check_key(key, "orthogonal")
    node = floating_node(dtype, "orthogonal", "fc")
    rows = integer_of(n, "orthogonal")
    columns = rows if m is None else integer_of(m, "orthogonal")
    if min(rows, columns) < 0:
        raise ValueError(f"orthogonal: n and m must not be negative, got n={rows} and m={columns}")
    lengths = (*shape_of(shape, "orthogonal"), max(rows, columns), min(rows, columns))
    q, r = linalg.qr(astype(normal(key, lengths, node.dtype), node.wide.dtype))
    out = q * sign(linalg.diagonal(r))[..., None, :]
    return astype(matrix_transpose(out) if rows < columns else out, node.dtype)
