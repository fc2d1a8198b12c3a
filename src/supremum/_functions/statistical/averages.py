"""Averages, ranges and covariances."""

from __future__ import annotations

import math
from typing import Any, Literal, overload

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import ShapeError, describe
from supremum._core.array import Array, ArrayLike, Axis, DTypeLike
from supremum._core.conversion import normalize_axes, operand, operands, refuse_out
from supremum._core.dtype_objects import requested, to_inexact
from supremum._core.reduction_rows import accumulator
from supremum._core.settings import state
from supremum._functions.creation.filled import full, full_like
from supremum._functions.creation.from_objects import asarray, copy
from supremum._functions.creation.matrices import diagonal
from supremum._functions.data_types import astype, result_type
from supremum._functions.elementwise.arithmetic import abs
from supremum._functions.elementwise.comparison import clip
from supremum._functions.elementwise.complex_parts import conj, imag, real
from supremum._functions.elementwise.exponential import sqrt
from supremum._functions.linear_algebra.contractions import matmul
from supremum._functions.manipulation.axes import matrix_transpose
from supremum._functions.manipulation.joining import concatenate
from supremum._functions.manipulation.shapes import atleast_2d, broadcast_to, squeeze
from supremum._functions.statistical.reductions import max as largest, mean, min as smallest, sum
from supremum.promotion._nodes import Node, as_node

__all__ = ["average", "corrcoef", "cov", "ptp"]


@overload
def average(
    a: ArrayLike, axis: Axis = None, weights: ArrayLike | None = None, returned: Literal[False] = False, keepdims: bool = False
) -> Array: ...
@overload
def average(
    a: ArrayLike, axis: Axis = None, weights: ArrayLike | None = None, *, returned: Literal[True], keepdims: bool = False
) -> tuple[Array, Array]: ...
@overload
def average(
    a: ArrayLike, axis: Axis = None, weights: ArrayLike | None = None, returned: bool = False, keepdims: bool = False
) -> Array | tuple[Array, Array]: ...
@public(role="mean", sums=True, composed=True)
def average(
    a: ArrayLike, axis: Axis = None, weights: ArrayLike | None = None, returned: bool = False, keepdims: bool = False
) -> Array | tuple[Array, Array]:
    """Compute the weighted average over axes; narrow floats accumulate in float32.

    Parameters
    ----------
    a, axis
    weights : array_like, optional
        Weights of the elements: of the shape of `a`, or of its reduced axes.
    returned : bool
        Whether to return the sums of the weights, too.
    keepdims

    Returns
    -------
    Array or tuple of Array
        The averages, and the sums of the weights if `returned`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.average(xp.asarray([1.0, 3.0]), weights=xp.asarray([3, 1]))
    Array(1.5, dtype=float32)
    """
    arrays = operands("average", a) if weights is None else operands("average", a, weights)
    x, axes = arrays[0], normalize_axes(axis, arrays[0].ndim, "average")
    if weights is None:
        found = mean(x, axis, keepdims=keepdims)
        total = full_like(found, math.prod([x.shape[i] for i in axes]))
    else:
        node = _inexact("average", arrays)
        x, factors = (_promoted(one, node) for one in arrays)
        factors = broadcast_to(align_weights("average", factors, x.shape, axes, axis), x.shape)
        total = sum(factors, axis, keepdims=keepdims)
        found = sum(x * factors, axis, keepdims=keepdims) / total
        found, total = (astype(y, node.dtype, copy=False) for y in (found, total))
    return (found, total) if returned else found


def _inexact(function: str, arrays: list[Array]) -> Node:
    """Return the floating node that arrays promote to, and notify the observer."""
    nodes = tuple([as_node(x.dtype) for x in arrays])
    return state().seen(nodes, to_inexact(as_node(result_type(*arrays))), max(x.size for x in arrays), function)


def _promoted(x: Array, node: Node) -> Array:
    """Return an array in the dtype that sums of `node` accumulate in, of values that `node` has."""
    return astype(astype(x, node.dtype, copy=False), accumulator(node).dtype, copy=False)


def align_weights(function: str, weights: Any, shape: tuple[int, ...], axes: tuple[int, ...], axis: Axis) -> Any:
    """Reshape the weights along some axes of an array so that they broadcast with the array."""
    if weights.shape == shape:
        return weights
    if axis is None or weights.shape != tuple([shape[i] for i in axes]):
        given = f"weights of shape {weights.shape}, an array of shape {shape} and axis={describe(axis)}"
        raise ShapeError(f"{function}: weights must have the shape of the array, or of its reduced axes; got {given}")
    if list(axes) != sorted(axes):
        weights = weights.transpose(tuple(np.argsort(axes).tolist()))
    return weights.reshape(tuple([n if i in axes else 1 for i, n in enumerate(shape)]))


@public(composed=True, axis="axis", none="all")
def ptp(a: ArrayLike, axis: Axis = None, out: None = None, keepdims: bool = False) -> Array:
    """Compute the range over axes: the largest element minus the smallest.

    Parameters
    ----------
    a, axis, out, keepdims

    Returns
    -------
    Array
        The ranges, in the array's dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.ptp(xp.asarray([3, 9, 5]))
    Array(6, dtype=int32)
    """
    refuse_out(out, "ptp")
    x = operand(a, "ptp")
    top, bottom = largest(x, axis, keepdims=keepdims), smallest(x, axis, keepdims=keepdims)
    if x.dtype.kind == "b":
        raise TypeError("ptp does not accept dtype bool; cast with .astype(int)")
    return top - bottom


@public(role="mean", composed=True)
def cov(
    m: ArrayLike,
    y: ArrayLike | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: ArrayLike | None = None,
    aweights: ArrayLike | None = None,
    dtype: DTypeLike | None = None,
) -> Array:
    """Compute the covariance matrix of variables.

    Parameters
    ----------
    m : array_like
        Samples, with one variable per row; a 1-d array is one variable.
    y : array_like, optional
        Further variables.
    rowvar : bool
        Whether each row is a variable; otherwise each column is.
    bias : bool
        Whether to divide by the number of samples N instead of N - 1.
    ddof : int, optional
        Number to subtract from N in the divisor; overrides `bias`.
    fweights : array_like of int, optional
        Frequency of each sample.
    aweights : array_like, optional
        Weight of each sample.
    dtype : dtype, optional
        Dtype to compute in and of the result.

    Returns
    -------
    Array
        The covariances; 0-d for one variable.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.cov(xp.asarray([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    Array([[ 1., -1.],
           [-1.,  1.]], dtype=float32)
    """
    matrix, node = _covariance("cov", m, y, rowvar, bias, ddof, fweights, aweights, dtype)
    return astype(matrix, node.dtype, copy=False)


def _covariance(
    function: str,
    m: ArrayLike,
    y: ArrayLike | None,
    rowvar: bool,
    bias: bool,
    ddof: int | None,
    fweights: ArrayLike | None,
    aweights: ArrayLike | None,
    dtype: DTypeLike | None,
) -> tuple[Array, Node]:
    """Return the covariances in the dtype that they accumulate in, and the node of the result."""
    arrays = operands(function, m) if y is None else operands(function, m, y)
    for x in arrays:
        if x.ndim > 2:
            raise ShapeError(f"{function} needs arrays of at most 2 dimensions, got shape {x.shape}")
    wanted = None if dtype is None else requested(dtype, function, state())
    if wanted is not None and wanted.kind not in "fc":
        raise ValueError(f"{function}: dtype must be a floating-point dtype, got {wanted.dtype}")
    node = _inexact(function, arrays)
    samples = _samples(function, [astype(x, accumulator(node).dtype, copy=False) for x in arrays], rowvar)
    rows, count = samples.shape
    weights = {}
    for name, given in (("fweights", fweights), ("aweights", aweights)):
        if given is not None:
            weights[name] = abs(_weights(function, name, given, count))
            node = to_inexact(as_node(result_type(node.dtype, weights[name])))
    node = node if wanted is None else wanted
    fold = accumulator(node).dtype
    if not samples.size:
        return full((rows, rows) if rows != 1 else (), np.nan, fold), node
    samples = astype(astype(samples, node.dtype, copy=False), fold, copy=False)
    lost = (0 if bias else 1) if ddof is None else ddof
    if not weights:
        apart = samples - mean(samples, 1, keepdims=True)
        # Of two buffers: of one with itself the BLAS computes half, which takes longer, with other roundings.
        return _products(apart, copy(apart), count - lost), node
    weights = {name: astype(x, fold) for name, x in weights.items()}
    weight = math.prod(weights.values())
    total = sum(weight)
    apart = samples - sum(samples * weight, 1, keepdims=True) / total
    return _products(apart, apart * weight, total - lost * sum(weight * weights.get("aweights", 1)) / total), node


def _products(apart: Array, scaled: Array, free: Any) -> Array:
    turned = matrix_transpose(scaled)
    return squeeze(matmul(apart, conj(turned) if turned.dtype.kind == "c" else turned) / free)


def _samples(function: str, arrays: list[Array], rowvar: bool) -> Array:
    """Stack the variables as rows of one matrix."""
    blocks = []
    for position, x in enumerate(arrays):
        block = atleast_2d(x)
        # A single variable is a row whatever `rowvar` is, unless it was passed as a column.
        is_row = block.shape[0] == 1 if position else x.ndim == 1
        blocks.append(block if rowvar or is_row else matrix_transpose(block))
    if len({block.shape[1] for block in blocks}) > 1:
        shapes = [x.shape for x in arrays]
        raise ShapeError(f"{function}: all variables must have the same number of samples, got shapes {shapes}")
    return concatenate(blocks) if len(blocks) > 1 else blocks[0]


def _weights(function: str, name: str, given: ArrayLike, count: int) -> Array:
    x = operand(given, function)
    if x.ndim > 1 or not x.ndim or x.shape[0] != count:
        raise ValueError(f"{function}: {name} must be a 1-d array of {count} weights, one per sample; got shape {x.shape}")
    if name == "fweights" and as_node(x.dtype).kind not in "iu":
        raise TypeError(f"{function}: fweights must be integers, got dtype {x.dtype}")
    return x


@public(role="mean", composed=True)
def corrcoef(x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True, dtype: DTypeLike | None = None) -> Array:
    """Compute the matrix of correlation coefficients of variables.

    Parameters
    ----------
    x : array_like
        Samples, with one variable per row; a 1-d array is one variable.
    y : array_like, optional
        Further variables.
    rowvar : bool
        Whether each row is a variable; otherwise each column is.
    dtype : dtype, optional
        Dtype to compute in and of the result.

    Returns
    -------
    Array
        The coefficients; 0-d for one variable.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.corrcoef(xp.asarray([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    Array([[ 1., -1.],
           [-1.,  1.]], dtype=float32)
    """
    matrix, node = _covariance("corrcoef", x, y, rowvar, False, None, None, None, dtype)
    if not matrix.ndim:
        return astype(matrix / matrix, node.dtype, copy=False)
    spread = astype(sqrt(real(diagonal(matrix))), matrix.dtype, copy=False)
    found = matrix / spread[:, None] / spread
    if node.kind == "c":
        parts = [astype(clip(part(found), -1, 1), found.dtype) for part in (real, imag)]
        found = parts[0] + asarray(1j, found.dtype) * parts[1]
    else:
        found = clip(found, -1, 1)
    return astype(found, node.dtype, copy=False)
