"""Sums of exponentials, normalization and the marking of classes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from supremum._base.boundary import publish
from supremum._base.errors import shown, stack_level, whole
from supremum._core.arguments import normalize_axis
from supremum._core.array import Array, wrap
from supremum._core.conversion import as_array, operand, operands
from supremum._core.dtypes import requested
from supremum._core.settings import state
from supremum._functions import creation, softmaxes
from supremum._functions._rounding import rounded_once
from supremum._functions.elementwise.arithmetic import square
from supremum._functions.elementwise.comparison import clip
from supremum._functions.elementwise.exponential import log, sqrt
from supremum._functions.statistical import reductions as statistical
from supremum._kernels.casts import cast
from supremum.scipy.special import logsumexp

__all__ = ["log_softmax", "logmeanexp", "logsumexp", "one_hot", "softmax", "standardize"]


@rounded_once
def logmeanexp(x: Any, axis: Any = None, where: Any = None, keepdims: bool = False) -> Array:
    """Logarithm of the mean of exponentials.

    Parameters
    ----------
    x : array
        The exponents.
    axis : int or tuple of int, optional
        The axes to reduce; all by default.
    where : array of bool, optional
        Which elements count.
    keepdims : bool
        Whether the reduced axes stay with length 1.

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
    each = creation.ones(x.shape, dtype=total.dtype)
    return total - log(statistical.sum(each, axis=axis, where=where, keepdims=keepdims))


def softmax(x: Any, axis: Any = -1, where: Any = None) -> Array:
    """Exponentials divided by their sum.

    Parameters
    ----------
    x : array
        The exponents.
    axis : int or tuple of int, optional
        The axes to sum over; all for None.
    where : array of bool, optional
        Which elements count; others give 0.

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
    return softmaxes.softmax(x, axis, where)


def log_softmax(x: Any, axis: Any = -1, where: Any = None) -> Array:
    """Logarithm of `softmax`.

    Parameters
    ----------
    x, axis, where
        As for `softmax`; elements that do not count give -inf.

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
    return softmaxes.log_softmax(x, axis, where)


@rounded_once
def standardize(
    x: Any,
    axis: Any = -1,
    mean: Any = None,
    variance: Any = None,
    epsilon: Any = 1e-5,
    where: Any = None,
    *,
    algorithm: str = "fast",
) -> Array:
    """Shift and scale to mean 0 and variance 1.

    Parameters
    ----------
    x : array
        The input.
    axis : int or tuple of int, optional
        The axes over which mean and variance are taken.
    mean, variance : array, optional
        To use instead of those of `x`.
    epsilon : array or scalar
        What is added to the variance, so that it is not 0.
    where : array of bool, optional
        Which elements count for mean and variance.
    algorithm : {'fast', 'stable'}
        Whether the variance is the mean square less the squared mean, or the mean of squared distances.

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
    if algorithm not in ("fast", "stable"):
        raise ValueError(f"standardize: algorithm is 'fast' or 'stable', got {shown(algorithm)}")
    if mean is None:
        mean = statistical.mean(x, axis=axis, keepdims=True, where=where)
    x, center = operands("standardize", x, mean)
    distance = x - center
    if variance is None and algorithm == "stable":
        variance = statistical.mean(square(distance), axis=axis, keepdims=True, where=where)
    elif variance is None:
        variance = clip(statistical.mean(square(x), axis=axis, keepdims=True, where=where) - square(mean), 0)
    return distance * (1 / sqrt(operands("standardize", x, variance)[1] + epsilon))


def one_hot(x: Any, num_classes: int, *, dtype: Any = None, axis: int = -1) -> Array:
    """Mark classes: 1 in the place of the class, 0 elsewhere.

    Parameters
    ----------
    x : array of integers
        The classes; one out of range marks nothing.
    num_classes : int
        How many classes there are.
    dtype : dtype, optional
        The dtype of the result; the default floating one by default.
    axis : int
        Where the axis of the classes goes.

    Returns
    -------
    Array
        An array with one more axis.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.one_hot(xp.asarray([0, 2]), 3)
    Array([[1., 0., 0.],
           [0., 0., 1.]], dtype=float32)
    """
    x = as_array(x)
    number = whole(num_classes, "num_classes")
    if x._node.kind == "b":
        raise TypeError("one_hot: classes are integers, got dtype bool; cast them with .astype(int)")
    if x._node.kind not in "iu":
        message = f"one_hot: classes should be integers, got dtype {x.dtype}"
        warnings.warn(message, DeprecationWarning, stacklevel=stack_level())
    here = state()
    node = here.float_ if dtype is None else requested(dtype, "one_hot", here)
    position = normalize_axis(axis, x.ndim + 1, "one_hot")
    classes = np.arange(number).reshape((number,) + (1,) * (x.ndim - position))
    data = x._data if x._node.bits >= 8 else x._data.astype(np.int8)
    return wrap(cast(np.asarray(np.expand_dims(data, position) == classes), node), node)


publish(__name__)
