"""The further products of `jax.numpy`: dot, inner, outer, vdot, kron, cross, matvec, vecmat; and trace."""

from __future__ import annotations

from typing import Any

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import ShapeError
from supremum._core.array import Array, ArrayLike, DTypeLike
from supremum._core.conversion import normalize_axis, operands, refuse_out
from supremum._core.plans import MATMUL
from supremum._core.reduction_rows import Reduced, reducing, result_node, rule_of
from supremum._core.settings import state
from supremum._functions._rounding import rounded_once
from supremum._functions.creation.matrices import diagonal
from supremum._functions.data_types import astype
from supremum._functions.elementwise.arithmetic import multiply
from supremum._functions.elementwise.complex_parts import conj
from supremum._functions.linear_algebra.contractions import contract, factors, matmul, multiplied
from supremum._functions.manipulation.axes import moveaxis
from supremum._functions.manipulation.joining import stack
from supremum._functions.manipulation.shapes import expand_dims, reshape
from supremum._functions.statistical.reductions import sum
from supremum._kernels.plain import numeric as plain

__all__ = ["cross", "dot", "inner", "kron", "matvec", "outer", "trace", "vdot", "vecmat"]


def _over_one_axis(function: str, a: Any, b: Any, axis: int, **options: Any) -> Array:
    """Sum products over the last axis of `a` and an `axis` of `b`, or its only one; multiply by a 0-d array."""
    x, y = operands(function, a, b)
    if x.ndim and y.ndim:
        return contract(function, x, y, [x.ndim - 1], [max(y.ndim + axis, 0)], options)
    dtype = options["preferred_element_type"]
    return multiply(x, y) if dtype is None else multiply(astype(x, dtype), astype(y, dtype))


def _conjugated(x: Array) -> Array:
    return conj(x) if x.dtype.kind == "c" else x


@public(fast="dot", operation=MATMUL, linear="a b", sums=True, composed=True)
def dot(
    a: ArrayLike,
    b: ArrayLike,
    *,
    precision: object = None,
    preferred_element_type: DTypeLike | None = None,
    out_sharding: object = None,
) -> Array:
    """Sum products over the last axis of `a` and the last but one of `b`, or its only one.

    Parameters
    ----------
    a, b : array_like
        The arrays; a 0-d one multiplies the other.
    precision, out_sharding : object, optional
        Accepted for compatibility with JAX, and without effect.
    preferred_element_type

    Returns
    -------
    Array
        The other axes of `a`, then those of `b`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.dot(xp.asarray([1, 2]), xp.asarray([3, 4]))
    Array(11, dtype=int32)
    """
    return _over_one_axis("dot", a, b, -2, precision=precision, preferred_element_type=preferred_element_type)


@public(plain=Plain(plain.inner, arrays=2, kinds="f", errors=None), linear="a b", sums=True, composed=True)
def inner(a: ArrayLike, b: ArrayLike, *, precision: object = None, preferred_element_type: DTypeLike | None = None) -> Array:
    """Sum products over the last axes.

    Parameters
    ----------
    a, b : array_like
        The arrays; a 0-d one multiplies the other.
    precision, preferred_element_type

    Returns
    -------
    Array
        The other axes of `a`, then those of `b`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.inner(xp.asarray([[1, 2], [3, 4]]), xp.asarray([1, 1]))
    Array([3, 7], dtype=int32)
    """
    return _over_one_axis("inner", a, b, -1, precision=precision, preferred_element_type=preferred_element_type)


@public(composed=True, linear="a b")
def outer(a: ArrayLike, b: ArrayLike, out: None = None) -> Array:
    """Compute the outer product of two flattened arrays.

    Parameters
    ----------
    a, b
    out

    Returns
    -------
    Array
        The products of each element of `a` with each element of `b`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.outer(xp.asarray([1, 2]), xp.asarray([3, 4]))
    Array([[3, 4],
           [6, 8]], dtype=int32)
    """
    refuse_out(out, "outer")
    x, y = operands("outer", a, b)
    return multiply(reshape(x, (-1, 1)), reshape(y, (1, -1)))


def _vdot_parts(xp: Any, a: Any, b: Any, **options: Any) -> Any:
    return xp.matmul(xp.conj(xp.ravel(a)), xp.ravel(b), **options)


@public(plain=Plain(plain.inner, arrays=2, kinds="f", errors=None), linear="a b", sums=True, parts=_vdot_parts)
def vdot(a: ArrayLike, b: ArrayLike, *, precision: object = None, preferred_element_type: DTypeLike | None = None) -> Array:
    """Compute the dot product of two flattened arrays, the first conjugated.

    Parameters
    ----------
    a, b
    precision, preferred_element_type

    Returns
    -------
    Array
        The dot product.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.vdot(xp.asarray([1j, 2.0]), xp.asarray([1.0, 1.0]))
    Array(2.-1.j, dtype=complex64)
    """
    x, y, node = factors("vdot", a, b, preferred_element_type, precision)
    if x.size != y.size:
        raise ShapeError(f"vdot: the shapes {x.shape} and {y.shape} differ in the number of elements")
    return multiplied(_conjugated(x)._data.reshape(-1), y._data.reshape(-1), node)


@public(plain=Plain(plain.matvec, arrays=2, kinds="f", errors=None), linear="x1 x2", sums=True, composed=True)
def matvec(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Multiply matrices with vectors.

    Parameters
    ----------
    x1 : array_like
        A matrix or a stack of them.
    x2 : array_like
        A vector or a stack of them.

    Returns
    -------
    Array
        The products.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.matvec(xp.asarray([[1, 2], [3, 4]]), xp.asarray([1, 1]))
    Array([3, 7], dtype=int32)
    """
    x, y = operands("matvec", x1, x2)
    if x.ndim < 2 or not y.ndim or x.shape[-1] != y.shape[-1]:
        raise ShapeError(f"matvec needs a matrix and a vector that match, got shapes {x.shape} and {y.shape}")
    return matmul(x, expand_dims(y, -1))[..., 0]


@public(plain=Plain(plain.vecmat, arrays=2, kinds="f", errors=None), linear="x1 x2", sums=True, composed=True)
def vecmat(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Multiply conjugated vectors with matrices.

    Parameters
    ----------
    x1 : array_like
        A vector or a stack of them.
    x2 : array_like
        A matrix or a stack of them.

    Returns
    -------
    Array
        The products.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.vecmat(xp.asarray([1, 1]), xp.asarray([[1, 2], [3, 4]]))
    Array([4, 6], dtype=int32)
    """
    x, y = operands("vecmat", x1, x2)
    if not x.ndim or y.ndim < 2 or x.shape[-1] != y.shape[-2]:
        raise ShapeError(f"vecmat needs a vector and a matrix that match, got shapes {x.shape} and {y.shape}")
    return matmul(expand_dims(_conjugated(x), -2), y)[..., 0, :]


@public(composed=True, linear="a b")
def kron(a: ArrayLike, b: ArrayLike) -> Array:
    """Compute the Kronecker product: each element of `a` becomes its product with `b`.

    Parameters
    ----------
    a, b

    Returns
    -------
    Array
        The product; its lengths are the products of those of `a` and `b`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.kron(xp.asarray([1, 10]), xp.asarray([1, 2]))
    Array([ 1,  2, 10, 20], dtype=int32)
    """
    x, y = operands("kron", a, b)
    rank = max(x.ndim, y.ndim)
    left, right = (1,) * (rank - x.ndim) + x.shape, (1,) * (rank - y.ndim) + y.shape
    spread = [n for length in left for n in (length, 1)], [n for length in right for n in (1, length)]
    product = multiply(reshape(x, tuple(spread[0])), reshape(y, tuple(spread[1])))
    if product.dtype.kind == "b":
        raise TypeError("kron does not accept dtype bool; cast with .astype(int)")
    return reshape(product, tuple([m * n for m, n in zip(left, right, strict=True)]))


@public(plain=Plain(plain.cross, arrays=2, kinds="f"), linear="a b", composed=True)
def cross(a: ArrayLike, b: ArrayLike, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Array:
    """Compute the cross products of vectors with two or three elements.

    Parameters
    ----------
    a, b : array_like
        Arrays whose axes broadcast, except for those of the vectors.
    axisa, axisb : int
        The axes that the vectors lie along.
    axisc : int
        The axis of the result that the products lie along.
    axis : int, optional
        A value for `axisa`, `axisb` and `axisc`.

    Returns
    -------
    Array
        The cross products; where both operands have two elements, their third components.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.cross(xp.asarray([1, 0, 0]), xp.asarray([0, 1, 0]))
    Array([0, 0, 1], dtype=int32)
    >>> xp.cross(xp.asarray([1, 0]), xp.asarray([0, 1]))
    Array(1, dtype=int32)
    """
    x, y = operands("cross", a, b)
    if axis is not None:
        axisa = axisb = axisc = axis
    if x.dtype.kind == y.dtype.kind == "b":
        raise TypeError("cross does not accept dtype bool; cast with .astype(int)")
    x, y = (_with_last(z, number) for z, number in ((x, axisa), (y, axisb)))
    if x.shape[-1] not in (2, 3) or y.shape[-1] not in (2, 3):
        raise ShapeError(f"cross: vectors must have 2 or 3 elements, got shapes {x.shape} and {y.shape}")
    found = _crossed(x, y)
    return found if axisc == -1 or x.shape[-1] == y.shape[-1] == 2 else moveaxis(found, -1, axisc)


@rounded_once
def _crossed(x: Array, y: Array) -> Array:
    """Return the cross products of vectors along the last axes; of two elements each, their third elements."""
    (x1, x2, *x3), (y1, y2, *y3) = ([z[..., i] for i in range(z.shape[-1])] for z in (x, y))
    third = x1 * y2 - x2 * y1
    if x3 and y3:
        parts = [x2 * y3[0] - x3[0] * y2, x3[0] * y1 - x1 * y3[0], third]
    elif x3 or y3:
        # A product has both dtypes: the negative of an operand may have no sign.
        parts = [-(x3[0] * y2), x3[0] * y1, third] if x3 else [x2 * y3[0], -(x1 * y3[0]), third]
    else:
        return third
    found = stack(parts, axis=-1)
    return astype(found, found.dtype, copy=False)  # which is strong


def _with_last(x: Array, axis: int) -> Array:
    """Make an axis the last one."""
    position = normalize_axis(axis, x.ndim, "cross")
    return x if position == x.ndim - 1 else moveaxis(x, position, -1)


@reducing("biufc", Reduced.WIDENED, np.add, 0, composed=True, axis="axis1 axis2", linear="a", sums=True)
def trace(
    a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike | None = None, out: None = None
) -> Array:
    """Sum along diagonals.

    Parameters
    ----------
    a : array_like
        An array of two dimensions or more.
    offset : int
        The number of the diagonal: 0 is the main one, positive ones lie above it, negative ones below.
    axis1, axis2 : int
        The two axes whose diagonals are summed.
    dtype : dtype, optional
        The result's dtype, to which elements are cast first.
    out

    Returns
    -------
    Array
        The traces.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.trace(xp.asarray([[1, 2], [3, 4]]))
    Array(5, dtype=int32)
    """
    refuse_out(out, "trace")
    diagonals, current = diagonal(a, offset, axis1, axis2), state()
    if dtype is None and current.roles is not None:  # which may say something else of sums
        dtype = result_node(rule_of(trace), diagonals, None, current).dtype
    return sum(diagonals, -1) if dtype is None else sum(diagonals, -1, dtype)  # the first one has a fast path
