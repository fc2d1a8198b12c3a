"""Sums of exponentials, normalization and one-hot encoding."""

from __future__ import annotations

from typing import Literal

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import as_integer, check_choice, warn
from supremum._core.array import Array, ArrayLike, Axis, DTypeLike, wrap
from supremum._core.conversion import as_array, normalize_axis, operand, operands
from supremum._core.dtype_objects import requested
from supremum._core.settings import state
from supremum._functions import _softmaxes
from supremum._functions._rounding import rounded_once
from supremum._functions.creation import filled
from supremum._functions.elementwise.arithmetic import square
from supremum._functions.elementwise.comparison import clip
from supremum._functions.elementwise.exponential import log, sqrt
from supremum._functions.statistical import reductions as statistical
from supremum._kernels.casts import cast
from supremum.scipy.special import logsumexp

__all__ = ["log_softmax", "logmeanexp", "logsumexp", "one_hot", "softmax", "standardize"]


@public(composed=True)
@rounded_once
def logmeanexp(x: ArrayLike, axis: Axis = None, where: ArrayLike | None = None, keepdims: bool = False) -> Array:
    """Compute the logarithm of the mean of exponentials.

    Parameters
    ----------
    x : array_like
        The exponents.
    axis : int or tuple of int, optional
        The axes to reduce; all axes if omitted.
    where : array_like of bool, optional
        The elements to include.
    keepdims : bool
        Whether to keep the reduced axes with length 1.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.logmeanexp(xp.zeros(4))
    Array(0., dtype=float32)
    """
    x = operand(x, "logmeanexp")
    total = logsumexp(x, axis=axis, where=where, keepdims=keepdims)
    each = filled.ones(x.shape, dtype=total.dtype)
    return total - log(statistical.sum(each, axis=axis, where=where, keepdims=keepdims))


@public(composed=True, axis="axis", none="every")
def softmax(x: ArrayLike, axis: Axis = -1, where: ArrayLike | None = None) -> Array:
    """Compute exponentials divided by their sum.

    Parameters
    ----------
    x : array_like
        The exponents.
    axis : int or tuple of int, optional
        The axes to sum over; None for all axes.
    where : array_like of bool, optional
        The elements to include; the result is 0 for others.

    Returns
    -------
    Array
        Numbers that sum to 1.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.softmax(xp.asarray([0.0, 0.0, 0.0, 0.0]))
    Array([0.25, 0.25, 0.25, 0.25], dtype=float32)
    """
    return _softmaxes.softmax(x, axis, where)


@public(composed=True, axis="axis", none="every")
def log_softmax(x: ArrayLike, axis: Axis = -1, where: ArrayLike | None = None) -> Array:
    """Compute the logarithm of `softmax`.

    Parameters
    ----------
    x, axis, where
        As for `softmax`; the result is -inf for excluded elements.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.log_softmax(xp.asarray([0.0, 0.0])).round(3)
    Array([-0.693, -0.693], dtype=float32)
    """
    return _softmaxes.log_softmax(x, axis, where)


@public(composed=True)
@rounded_once
def standardize(
    x: ArrayLike,
    axis: Axis = -1,
    mean: ArrayLike | None = None,
    variance: ArrayLike | None = None,
    epsilon: ArrayLike = 1e-5,
    where: ArrayLike | None = None,
    *,
    algorithm: Literal["fast", "stable"] = "fast",
) -> Array:
    """Normalize to mean 0 and variance 1.

    Parameters
    ----------
    x
    axis : int or tuple of int, optional
        The axes to compute the mean and the variance over.
    mean, variance : array_like, optional
        The mean and the variance to use instead of those of `x`.
    epsilon : array_like
        A small number added to the variance to avoid division by 0.
    where : array_like of bool, optional
        The elements to include in the mean and the variance.
    algorithm : {'fast', 'stable'}
        Whether to compute the variance as ``mean(x**2) - mean(x)**2``, or as the mean of the squared distances.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.standardize(xp.asarray([1.0, 3.0])).round(3)
    Array([-1.,  1.], dtype=float32)
    """
    x = operand(x, "standardize")
    check_choice(algorithm, "algorithm", ("fast", "stable"), "standardize")
    if mean is None:
        mean = statistical.mean(x, axis=axis, keepdims=True, where=where)
    x, center = operands("standardize", x, mean)
    centered = x - center
    if variance is None and algorithm == "stable":
        variance = statistical.mean(square(centered), axis=axis, keepdims=True, where=where)
    elif variance is None:
        variance = clip(statistical.mean(square(x), axis=axis, keepdims=True, where=where) - square(mean), 0)
    return centered * (1 / sqrt(operands("standardize", x, variance)[1] + epsilon))


@public(constant="steps")
def one_hot(x: ArrayLike, num_classes: int, *, dtype: DTypeLike | None = None, axis: int = -1) -> Array:
    """Encode classes as vectors that are 1 at the index of the class and 0 elsewhere.

    Parameters
    ----------
    x : array_like of integers
        The indices of the classes; an index out of range gives a vector of zeros.
    num_classes : int
        The number of classes.
    dtype : dtype, optional
        The dtype of the result; the default floating-point dtype if omitted.
    axis : int
        The position of the new axis in the result.

    Returns
    -------
    Array
        The encoded classes, with one more axis than `x`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.one_hot(xp.asarray([0, 2]), 3)
    Array([[1., 0., 0.],
           [0., 0., 1.]], dtype=float32)
    """
    x = as_array(x)
    number = as_integer(num_classes, "num_classes")
    if x._node.kind == "b":
        raise TypeError("one_hot: classes must be integers, got dtype bool; cast them with .astype(int)")
    if x._node.kind not in "iu":
        warn(f"one_hot: classes should be integers, got dtype {x.dtype}", DeprecationWarning)
    node = state().float_ if dtype is None else requested(dtype, "one_hot")
    position = normalize_axis(axis, x.ndim + 1, "one_hot")
    classes = np.arange(number).reshape((number,) + (1,) * (x.ndim - position))
    data = x._data if x._node.bits >= 8 else x._data.astype(np.int8)
    return wrap(cast(np.asarray(np.expand_dims(data, position) == classes), node), node)
