"""Averages, ranges and covariances."""

from __future__ import annotations

from typing import Any, Literal, overload

import numpy as np

from supremum._base.boundary import publish
from supremum._base.errors import ShapeError, shown
from supremum._core.arguments import Buffer, in_accumulator, normalize_axes, refuse_out, strong
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand, operands
from supremum._core.dtypes import requested, to_inexact
from supremum._core.reductions import accumulator, mean_accumulator
from supremum._core.settings import State, state
from supremum._functions.statistical.reductions import divide_in_place, max as largest, min as smallest
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES, Node

__all__ = ["average", "corrcoef", "cov", "ptp"]


@overload
def average(
    a: Any, axis: Any = None, weights: Any = None, returned: Literal[False] = False, keepdims: bool = False
) -> Array: ...
@overload
def average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, keepdims: bool = False) -> Any: ...
def average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, keepdims: bool = False) -> Any:
    """Weighted average over axes; narrow floats accumulate in float32.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        What to average over; everything by default.
    weights : Array, optional
        How much each element counts: as many weights as elements, or as many as along the axes.
    returned : bool
        Whether to give the sums of the weights too.
    keepdims : bool
        Whether the axes stay, with length 1.

    Returns
    -------
    Array or tuple of Array
        The averages, and the sums of the weights.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.average(xp.asarray([1.0, 3.0]), weights=xp.asarray([3, 1]))
    Array(1.5, dtype=float32)
    """
    here = state()
    given = operands("average", a) if weights is None else operands("average", a, weights)
    x = given[0]
    node = strong(to_inexact(here.join_all([here.truncate(one._node) for one in given])))
    wide = mean_accumulator(x._node, node) if weights is None else accumulator(node)
    axes = normalize_axes(axis, x.ndim, "average")
    data = cast(x._data, wide) if weights is None else in_accumulator(a, x, node, wide)
    spread = None if weights is None else _weights_like(x, in_accumulator(weights, given[1], node, wide), axes, axis)
    mean, total = _average(data, spread, axes, keepdims=bool(keepdims))
    result = wrap(cast(mean, node), node)
    if not returned:
        return result
    return result, wrap(cast(np.broadcast_to(total, mean.shape), node, copy=True), node)


def _weights_like(x: Array, weights: Buffer, axes: tuple[int, ...], axis: Any) -> Buffer:
    """Give weights such that they broadcast with the array."""
    if weights.shape == x.shape:
        return weights
    if axis is None:
        raise ShapeError(f"average: weights of shape {weights.shape} need an axis, because the array's shape is {x.shape}")
    if weights.shape != tuple([x.shape[i] for i in axes]):
        raise ShapeError(f"average: weights of shape {weights.shape} do not fit axis={shown(axis)} of shape {x.shape}")
    shape = [n if i in axes else 1 for i, n in enumerate(x.shape)]
    return weights.transpose(np.argsort(axes)).reshape(shape)


def _average(data: Buffer, weights: Buffer | None, axes: tuple[int, ...], *, keepdims: bool) -> tuple[Buffer, Buffer]:
    """Give averages and the sums of the weights."""
    if weights is None:
        count = 1
        for i in axes:
            count *= data.shape[i]
        mean = np.add.reduce(data, axes, data.dtype, out=..., keepdims=keepdims)
        divide_in_place(mean, count)
        return mean, np.asarray(count, data.dtype)
    total = np.add.reduce(np.broadcast_to(weights, data.shape), axes, data.dtype, out=..., keepdims=keepdims)
    mean = np.add.reduce(data * weights, axes, data.dtype, out=..., keepdims=keepdims)
    return np.divide(mean, total, out=mean), total


def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Array:
    """Largest element less the smallest, over axes.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        What to look through; everything by default.
    out : None
        Not supported.
    keepdims : bool
        Whether the axes stay, with length 1.

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
    if x._node.kind == "b":
        msg = "ptp does not accept dtype bool; cast with .astype(int)"
        raise TypeError(msg)
    return top - bottom


def cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: Any = None,
    fweights: Any = None,
    aweights: Any = None,
    dtype: Any = None,
) -> Array:
    """Covariance matrix.

    Parameters
    ----------
    m : Array
        Samples: a variable a row, or one variable.
    y : Array, optional
        Further variables.
    rowvar : bool
        Whether variables are rows; else they are columns.
    bias : bool
        Whether to divide by the number of samples instead of one less.
    ddof : int, optional
        What to subtract from the number of samples before the division by it.
    fweights : Array of int, optional
        How often each sample was seen.
    aweights : Array, optional
        How much each sample counts.
    dtype : dtype, optional
        The dtype to compute in and to return.

    Returns
    -------
    Array
        The covariances; a 0-d array for one variable.

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
    function: str, m: Any, y: Any, rowvar: Any, bias: Any, ddof: Any, fweights: Any, aweights: Any, dtype: Any
) -> tuple[Buffer, Node]:
    """Give the covariances in the dtype that they accumulate in, and the node of the result."""
    here = state()
    given = operands(function, m) if y is None else operands(function, m, y)
    for x in given:
        if x.ndim > 2:
            raise ShapeError(f"{function} needs arrays of at most 2 dimensions, got shape {x.shape}")
    wanted = None if dtype is None else requested(dtype, function, here)
    if wanted is not None and wanted.kind not in "fc":
        msg = f"{function}: dtype must be a floating-point dtype, got {wanted.dtype}"
        raise ValueError(msg)
    node = strong(to_inexact(here.join_all([here.truncate(x._node) for x in given])))
    wide = accumulator(node)
    samples = _samples(function, [cast(x._data, wide) for x in given], rowvar)
    weights, factors, node = _sample_weights(function, samples.shape[1], node, fweights, aweights, wanted, here)
    fold = accumulator(node)
    if not samples.shape[0]:
        return np.zeros((0, 0), fold.dtype), node
    if not samples.shape[1]:
        side = samples.shape[0]
        return np.full(() if side == 1 else (side, side), np.nan, fold.dtype), node
    if ddof is None:
        ddof = 0 if bias else 1
    samples = samples if wanted is None else cast(samples, wanted)
    return _moments(cast(samples, fold), cast(weights, fold), cast(factors, fold), ddof), node


def _samples(function: str, arrays: list[Buffer], rowvar: Any) -> Buffer:
    """Give the variables as rows of one matrix."""
    blocks = []
    for position, data in enumerate(arrays):
        block = np.atleast_2d(data)
        # A single variable lies in a row whatever `rowvar` says, unless it was given as a column.
        row_already = block.shape[0] == 1 if position else data.ndim == 1
        blocks.append(block if rowvar or row_already else block.T)
    if len({block.shape[1] for block in blocks}) > 1:
        shapes = [data.shape for data in arrays]
        raise ShapeError(f"{function}: the variables have different numbers of samples, got shapes {shapes}")
    return np.concatenate(blocks)


def _sample_weights(
    function: str, count: int, node: Node, fweights: Any, aweights: Any, wanted: Node | None, here: State
) -> tuple[Buffer, Buffer, Node]:
    """Give the weights of samples, what the unbiased divisor multiplies them by, and the node of the result."""
    weights = factors = np.ones(count)
    for name, given in (("fweights", fweights), ("aweights", aweights)):
        if given is None:
            continue
        x = operand(given, function)
        if x.ndim > 1 or not x.ndim or x.shape[0] != count:
            msg = f"{function}: {name} must be a 1-d array with a weight for each of {count} samples, got shape {x.shape}"
            raise ValueError(msg)
        if name == "fweights" and x._node.kind not in "iu":
            msg = f"{function}: fweights must be integers, got dtype {x.dtype}"
            raise TypeError(msg)
        values = np.abs(cast(x._data, NODES["float64"]))
        weights = weights * values
        factors = values if name == "aweights" else factors
        node = strong(to_inexact(here.join(node, here.truncate(x._node))))
    return weights, factors, node if wanted is None else wanted


def _moments(samples: Buffer, weights: Buffer, factors: Buffer, ddof: Any) -> Buffer:
    total = weights.sum()
    centered = samples - ((samples * weights).sum(1) / total)[:, None]
    free = total if ddof == 0 else total - ddof * (weights * factors).sum() / total
    product = np.matmul(centered, np.conjugate((centered * weights).T))
    return np.asarray(product / free.astype(product.real.dtype)).squeeze()


def corrcoef(x: Any, y: Any = None, rowvar: bool = True, dtype: Any = None) -> Array:
    """Correlation matrix.

    Parameters
    ----------
    x : Array
        Samples: a variable a row, or one variable.
    y : Array, optional
        Further variables.
    rowvar : bool
        Whether variables are rows; else they are columns.
    dtype : dtype, optional
        The dtype to compute in and to return.

    Returns
    -------
    Array
        The correlations; a 0-d array for one variable.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.corrcoef(xp.asarray([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    Array([[ 1., -1.],
           [-1.,  1.]], dtype=float32)
    """
    matrix, node = _covariance("corrcoef", x, y, rowvar, False, None, None, None, dtype)
    if matrix.ndim:
        deviation = np.sqrt(np.diagonal(matrix).real)
        matrix = matrix / deviation[:, None] / deviation[None, :]
        np.clip(matrix.real, -1, 1, out=matrix.real)
        if matrix.dtype.kind == "c":
            np.clip(matrix.imag, -1, 1, out=matrix.imag)
    else:
        matrix = np.asarray(matrix / matrix)
    return wrap(cast(matrix, node), node)


publish(__name__)
