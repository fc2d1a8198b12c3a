"""Averages, ranges and covariances."""

from __future__ import annotations

from typing import Any, Literal, overload

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import ShapeError, describe
from supremum._core.argument_types import ArrayLike, Axis, DTypeLike
from supremum._core.arguments import Buffer, in_accumulator, normalize_axes, refuse_out
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand, operands
from supremum._core.dtype_objects import requested, to_inexact
from supremum._core.reduction_rows import accumulator, mean_accumulator
from supremum._core.settings import State, state
from supremum._functions.statistical._reducing import count_elements, divide_in_place
from supremum._functions.statistical.reductions import max as largest, min as smallest
from supremum._kernels.casts import cast
from supremum._kernels.plain import numeric as plain
from supremum.promotion._nodes import NODES, Node

__all__ = ["average", "corrcoef", "cov", "ptp"]


def _average_parts(
    xp: Any, a: Any, axis: Any = None, weights: Any = None, returned: bool = False, keepdims: bool = False
) -> Any:
    if weights is None:
        found = xp.mean(a, axis, keepdims=keepdims)
        total = xp.full_like(found, xp.size(a) / max(xp.size(found), 1))
        return (found, total) if returned else found
    if xp.ndim(weights) != xp.ndim(a):
        weights = xp.reshape(weights, [n if i == axis % xp.ndim(a) else 1 for i, n in enumerate(xp.shape(a))])
    total = xp.sum(xp.broadcast_to(weights, xp.shape(a)), axis, keepdims=keepdims)
    found = xp.sum(xp.multiply(a, weights), axis, keepdims=keepdims) / total
    return (found, xp.broadcast_to(total, found.shape)) if returned else found


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
@public(role="mean", sums=True, parts=_average_parts)
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
    settings = state()
    arrays = operands("average", a) if weights is None else operands("average", a, weights)
    x = arrays[0]
    node = to_inexact(settings.join_all([settings.truncate(array._node) for array in arrays])).strong
    wide = mean_accumulator(x._node, node) if weights is None else accumulator(node)
    axes = normalize_axes(axis, x.ndim, "average")
    if weights is None:
        mean, total = _mean(cast(x._data, wide), axes, keepdims=bool(keepdims))
    else:
        data, factors = in_accumulator(a, x, node, wide), in_accumulator(weights, arrays[1], node, wide)
        factors = align_weights("average", factors, x.shape, axes, axis)
        mean, total = _weighted_mean(data, factors, axes, keepdims=bool(keepdims))
    result = wrap(cast(mean, node), node)
    if not returned:
        return result
    return result, wrap(cast(np.broadcast_to(total, mean.shape), node, copy=True), node)


def align_weights(function: str, weights: Buffer, shape: tuple[int, ...], axes: tuple[int, ...], axis: Axis) -> Buffer:
    """Reshape the weights along some axes of an array so that they broadcast with the array."""
    if weights.shape == shape:
        return weights
    if axis is None or weights.shape != tuple([shape[i] for i in axes]):
        given = f"weights of shape {weights.shape}, an array of shape {shape} and axis={describe(axis)}"
        raise ShapeError(f"{function}: weights must have the shape of the array, or of its reduced axes; got {given}")
    return weights.transpose(np.argsort(axes)).reshape([n if i in axes else 1 for i, n in enumerate(shape)])


def _mean(data: Buffer, axes: tuple[int, ...], *, keepdims: bool) -> tuple[Buffer, Buffer]:
    """Return means and the number of elements in each."""
    count = count_elements("average", data.shape, axes, None, keepdims)
    mean = np.add.reduce(data, axes, data.dtype, out=..., keepdims=keepdims)
    divide_in_place(mean, count)
    return mean, np.asarray(count, data.dtype)


def _weighted_mean(data: Buffer, weights: Buffer, axes: tuple[int, ...], *, keepdims: bool) -> tuple[Buffer, Buffer]:
    """Return weighted means and the sums of the weights."""
    total = np.add.reduce(np.broadcast_to(weights, data.shape), axes, data.dtype, out=..., keepdims=keepdims)
    mean = np.add.reduce(data * weights, axes, data.dtype, out=..., keepdims=keepdims)
    return np.divide(mean, total, out=mean), total


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


def _cov_parts(
    xp: Any, m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None, fweights: Any = None,
    aweights: Any = None, dtype: Any = None,
) -> Any:  # fmt: skip
    def rows(x: Any) -> Any:
        x = xp.atleast_2d(x)
        return x if rowvar or x.shape[0] == 1 else xp.matrix_transpose(x)

    x = rows(m) if y is None else xp.concatenate([rows(m), rows(y)], axis=0)
    x = x if dtype is None else xp.astype(x, dtype)
    weights = fweights if aweights is None else aweights if fweights is None else fweights * aweights
    lost = (0 if bias else 1) if ddof is None else ddof
    if weights is None:
        center, total, free = xp.mean(x, 1, keepdims=True), x.shape[1], x.shape[1] - lost
    else:
        total = xp.sum(weights)
        center = xp.sum(x * weights, 1, keepdims=True) / total
        squares = xp.sum(weights * (1 if aweights is None else aweights))
        free = total - lost * (squares / total)
    apart = x - center
    scaled = apart if weights is None else apart * weights
    return xp.squeeze(xp.matmul(scaled, xp.conj(xp.matrix_transpose(apart))) / free)


@public(role="mean", parts=_cov_parts)
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
    return wrap(cast(matrix, node), node)


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
) -> tuple[Buffer, Node]:
    """Return the covariances in the dtype that they accumulate in, and the node of the result."""
    settings = state()
    arrays = operands(function, m) if y is None else operands(function, m, y)
    for x in arrays:
        if x.ndim > 2:
            raise ShapeError(f"{function} needs arrays of at most 2 dimensions, got shape {x.shape}")
    wanted = None if dtype is None else requested(dtype, function, settings)
    if wanted is not None and wanted.kind not in "fc":
        raise ValueError(f"{function}: dtype must be a floating-point dtype, got {wanted.dtype}")
    node = to_inexact(settings.join_all([settings.truncate(x._node) for x in arrays])).strong
    wide = accumulator(node)
    samples = _samples(function, [cast(x._data, wide) for x in arrays], rowvar)
    weights, factors, node = _sample_weights(function, samples.shape[1], node, fweights, aweights, wanted, settings)
    fold = accumulator(node)
    if not samples.shape[0]:
        return np.zeros((0, 0), fold.dtype), node
    if not samples.shape[1]:
        side = samples.shape[0]
        return np.full(() if side == 1 else (side, side), np.nan, fold.dtype), node
    if ddof is None:
        ddof = 0 if bias else 1
    samples = samples if wanted is None else cast(samples, wanted)
    samples = cast(samples, fold)
    if fweights is aweights is None:
        return plain.moments(samples, ddof), node
    return plain.moments(samples, ddof, cast(weights, fold), cast(factors, fold)), node


def _samples(function: str, arrays: list[Buffer], rowvar: bool) -> Buffer:
    """Stack the variables as rows of one matrix."""
    blocks = []
    for position, data in enumerate(arrays):
        block = np.atleast_2d(data)
        # A single variable is a row whatever `rowvar` is, unless it was passed as a column.
        is_row = block.shape[0] == 1 if position else data.ndim == 1
        blocks.append(block if rowvar or is_row else block.T)
    if len({block.shape[1] for block in blocks}) > 1:
        shapes = [data.shape for data in arrays]
        raise ShapeError(f"{function}: all variables must have the same number of samples, got shapes {shapes}")
    return np.ascontiguousarray(np.concatenate(blocks))  # sums of another order would round differently


def _sample_weights(
    function: str,
    count: int,
    node: Node,
    fweights: ArrayLike | None,
    aweights: ArrayLike | None,
    wanted: Node | None,
    settings: State,
) -> tuple[Buffer, Buffer, Node]:
    """Return the weights of samples, the factors of the unbiased divisor and the node of the result."""
    weights = factors = np.ones(count)
    for name, given in (("fweights", fweights), ("aweights", aweights)):
        if given is None:
            continue
        x = operand(given, function)
        if x.ndim > 1 or not x.ndim or x.shape[0] != count:
            raise ValueError(f"{function}: {name} must be a 1-d array of {count} weights, one per sample; got shape {x.shape}")
        if name == "fweights" and x._node.kind not in "iu":
            raise TypeError(f"{function}: fweights must be integers, got dtype {x.dtype}")
        values = np.abs(cast(x._data, NODES["float64"]))
        weights = weights * values
        factors = values if name == "aweights" else factors
        node = to_inexact(settings.join(node, settings.truncate(x._node))).strong
    return weights, factors, node if wanted is None else wanted


def _corrcoef_parts(xp: Any, x: Any, y: Any = None, rowvar: bool = True, dtype: Any = None) -> Any:
    found = xp.cov(x, y, rowvar, dtype=dtype)
    if not found.ndim:
        return found / found
    spread = xp.sqrt(xp.real(xp.diagonal(found)))
    found = found / spread[:, None] / spread[None, :]
    return found if xp.iscomplexobj(found) else xp.clip(found, -1, 1)


@public(role="mean", parts=_corrcoef_parts)
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
    return wrap(cast(plain.correlations(matrix), node), node)
