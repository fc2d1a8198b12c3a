"""Activation functions: formulas made of the functions of the namespace."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from supremum._base.boundary import publish
from supremum._core.arguments import normalize_axis, promoted, strong
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand, operands
from supremum._core.dtypes import to_inexact
from supremum._functions import where as choosing
from supremum._functions._rounding import rounded_once
from supremum._functions.elementwise.arithmetic import abs, square
from supremum._functions.elementwise.comparison import clip, maximum, minimum
from supremum._functions.elementwise.exponential import exp, expm1, log, log1p, logaddexp, sqrt
from supremum._functions.elementwise.trigonometry import tanh
from supremum._kernels.casts import cast
from supremum.scipy.special import erfc, expit

__all__ = [
    "celu", "elu", "gelu", "glu", "hard_sigmoid", "hard_silu", "hard_swish", "hard_tanh", "identity", "leaky_relu", "log1mexp",
    "log_sigmoid", "mish", "relu", "relu6", "selu", "sigmoid", "silu", "soft_sign", "softplus", "sparse_plus",
    "sparse_sigmoid", "squareplus", "swish", "tanh",
]  # fmt: skip


def _inexact(function: str, *xs: Any) -> list[Array]:
    """Give arguments in the floating or complex dtype that they meet at."""
    node, buffers = promoted(function, *xs)
    inexact = to_inexact(node)
    return [wrap(cast(data, inexact), inexact) for data in buffers]


def _constant(value: float, like: Array) -> Array:
    """Give a number rounded to the dtype of an array, strongly typed."""
    node = strong(like._node)
    return wrap(cast(np.asarray(value), node), node)


def identity(x: Any) -> Array:
    """Identity: ``x``.

    Parameters
    ----------
    x : array or scalar
        The input.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.identity(xp.asarray([-1.0, 0.0, 2.0]))
    Array([-1.,  0.,  2.], dtype=float32)
    """
    return operand(x, "identity")


def relu(x: Any) -> Array:
    """Rectified linear unit: ``max(x, 0)``.

    Parameters
    ----------
    x : array or scalar
        The input.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.relu(xp.asarray([-1.0, 0.0, 2.0]))
    Array([0., 0., 2.], dtype=float32)
    """
    return maximum(x, 0)


def relu6(x: Any) -> Array:
    """Rectified linear unit, limited: ``min(max(x, 0), 6)``.

    Parameters
    ----------
    x : array or scalar
        The input.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.relu6(xp.asarray([-1.0, 3.0, 9.0]))
    Array([0., 3., 6.], dtype=float32)
    """
    return minimum(maximum(x, 0), 6.0)


@rounded_once
def leaky_relu(x: Any, negative_slope: Any = 1e-2) -> Array:
    """Leaky rectified linear unit: ``x`` where it is not negative, else ``negative_slope * x``.

    Parameters
    ----------
    x : array or scalar
        The input.
    negative_slope : array or scalar
        The slope for negative numbers.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.leaky_relu(xp.asarray([-100.0, 0.0, 2.0]))
    Array([-1.,  0.,  2.], dtype=float32)
    """
    x = operand(x, "leaky_relu")
    return choosing.where(x >= 0, x, negative_slope * x)


@rounded_once
def elu(x: Any, alpha: Any = 1.0) -> Array:
    """Exponential linear unit: ``x`` where it is positive, else ``alpha * (exp(x) - 1)``.

    Parameters
    ----------
    x : array or scalar
        The input.
    alpha : array or scalar
        The limit for negative numbers, without its sign.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.elu(xp.asarray([-1.0, 0.0, 2.0]))
    Array([-0.63212055,  0.        ,  2.        ], dtype=float32)
    """
    x = operand(x, "elu")
    positive = x > 0
    return choosing.where(positive, x, alpha * expm1(choosing.where(positive, 0.0, x)))


@rounded_once
def celu(x: Any, alpha: Any = 1.0) -> Array:
    """Continuously differentiable exponential linear unit: ``max(x, 0) + min(0, alpha * (exp(x / alpha) - 1))``.

    Parameters
    ----------
    x : array or scalar
        The input.
    alpha : array or scalar
        The limit for negative numbers, without its sign.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.celu(xp.asarray([-1.0, 0.0, 2.0]), 2.0)
    Array([-0.78693867,  0.        ,  2.        ], dtype=float32)
    """
    return maximum(x, 0.0) + alpha * expm1(minimum(x, 0.0) / alpha)


@rounded_once
def selu(x: Any) -> Array:
    """Scaled exponential linear unit: `elu` scaled so that mean and variance stay.

    Parameters
    ----------
    x : array or scalar
        The input.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.selu(xp.asarray([-1.0, 0.0, 2.0]))
    Array([-1.1113307,  0.       ,  2.101402 ], dtype=float32)
    """
    return 1.0507009873554804934193349852946 * elu(x, 1.6732632423543772848170429916717)


def sigmoid(x: Any) -> Array:
    """Logistic function: ``1 / (1 + exp(-x))``.

    Parameters
    ----------
    x : array or scalar
        The input.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.sigmoid(xp.asarray([-1.0, 0.0, 2.0]))
    Array([0.2689414, 0.5      , 0.880797 ], dtype=float32)
    """
    x = operand(x, "sigmoid")
    if x._node.kind not in "fc":
        raise TypeError(f"sigmoid: x must have a floating or complex dtype, got {x.dtype}; cast it first with .astype(float)")
    return expit(x)


@rounded_once
def log_sigmoid(x: Any) -> Array:
    """Logarithm of the logistic function: ``-log(1 + exp(-x))``.

    Parameters
    ----------
    x : array or scalar
        The input.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.log_sigmoid(xp.asarray([-1.0, 0.0, 2.0]))
    Array([-1.3132617, -0.6931472, -0.126928 ], dtype=float32)
    """
    return -softplus(-operand(x, "log_sigmoid"))


def softplus(x: Any) -> Array:
    """Smooth rectified linear unit: ``log(1 + exp(x))``.

    Parameters
    ----------
    x : array or scalar
        The input.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.softplus(xp.asarray([-1.0, 0.0, 2.0]))
    Array([0.3132617, 0.6931472, 2.126928 ], dtype=float32)
    """
    return logaddexp(x, 0)


@rounded_once
def squareplus(x: Any, b: Any = 4) -> Array:
    """Algebraic softplus: ``(x + sqrt(x**2 + b)) / 2``.

    Parameters
    ----------
    x : array or scalar
        The input.
    b : array or scalar
        How smooth the kink is.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.squareplus(xp.asarray([-1.0, 0.0, 2.0]))
    Array([0.618034 , 1.       , 2.4142137], dtype=float32)
    """
    x, b = operands("squareplus", x, b)
    return (x + sqrt(square(x) + b)) / 2


@rounded_once
def sparse_plus(x: Any) -> Array:
    """Softplus that is linear but near 0: 0 up to -1, ``x`` from 1 on, ``(x + 1)**2 / 4`` between.

    Parameters
    ----------
    x : array or scalar
        The input.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.sparse_plus(xp.asarray([-1.0, 0.0, 2.0]))
    Array([0.  , 0.25, 2.  ], dtype=float32)
    """
    x = operand(x, "sparse_plus")
    return choosing.where(x <= -1.0, 0.0, choosing.where(x >= 1.0, x, (x + 1.0) ** 2 / 4))


@rounded_once
def sparse_sigmoid(x: Any) -> Array:
    """Derivative of `sparse_plus`: 0 up to -1, 1 from 1 on, linear between.

    Parameters
    ----------
    x : array or scalar
        The input.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.sparse_sigmoid(xp.asarray([-1.0, 0.0, 2.0]))
    Array([0. , 0.5, 1. ], dtype=float32)
    """
    return 0.5 * clip(operand(x, "sparse_sigmoid") + 1.0, 0.0, 2.0)


@rounded_once
def soft_sign(x: Any) -> Array:
    """Soft sign: ``x / (abs(x) + 1)``.

    Parameters
    ----------
    x : array or scalar
        The input.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.soft_sign(xp.asarray([-1.0, 0.0, 2.0]))
    Array([-0.5      ,  0.       ,  0.6666667], dtype=float32)
    """
    x = operand(x, "soft_sign")
    return x / (abs(x) + 1)


@rounded_once
def silu(x: Any) -> Array:
    """Sigmoid-weighted linear unit: ``x * sigmoid(x)``.

    Parameters
    ----------
    x : array or scalar
        The input.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.silu(xp.asarray([-1.0, 0.0, 2.0]))
    Array([-0.2689414,  0.       ,  1.761594 ], dtype=float32)
    """
    x = operand(x, "silu")
    return x * sigmoid(x)


@rounded_once
def mish(x: Any) -> Array:
    """Self-regularized activation: ``x * tanh(softplus(x))``.

    Parameters
    ----------
    x : array or scalar
        The input.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.mish(xp.asarray([-1.0, 0.0, 2.0]))
    Array([-0.30340147,  0.        ,  1.9439589 ], dtype=float32)
    """
    x = operand(x, "mish")
    return x * tanh(softplus(x))


@rounded_once
def gelu(x: Any, approximate: bool = True) -> Array:
    """Gaussian error linear unit: ``x`` times the normal distribution function of it.

    Parameters
    ----------
    x : array or scalar
        The input.
    approximate : bool
        Whether to use the formula with ``tanh`` instead of the error function.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.gelu(xp.asarray([-1.0, 0.0, 2.0]))
    Array([-0.158808 ,  0.       ,  1.9545977], dtype=float32)
    """
    (x,) = _inexact("gelu", x)
    if not approximate:
        return 0.5 * x * erfc(-x * _constant(math.sqrt(0.5), x))
    inner = _constant(math.sqrt(2 / math.pi), x) * (x + 0.044715 * (x**3))
    return x * (0.5 * (1.0 + tanh(inner)))


def hard_tanh(x: Any) -> Array:
    """Piecewise linear tanh: ``x`` limited to -1 and 1.

    Parameters
    ----------
    x : array or scalar
        The input.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.hard_tanh(xp.asarray([-1.0, 0.0, 2.0]))
    Array([-1.,  0.,  1.], dtype=float32)
    """
    x = operand(x, "hard_tanh")
    return choosing.where(x > 1, 1, choosing.where(x < -1, -1, x))


@rounded_once
def hard_sigmoid(x: Any) -> Array:
    """Piecewise linear sigmoid: ``relu6(x + 3) / 6``.

    Parameters
    ----------
    x : array or scalar
        The input.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.hard_sigmoid(xp.asarray([-1.0, 0.0, 2.0]))
    Array([0.33333334, 0.5       , 0.8333333 ], dtype=float32)
    """
    return relu6(operand(x, "hard_sigmoid") + 3.0) / 6.0


@rounded_once
def hard_silu(x: Any) -> Array:
    """Piecewise silu: ``x * hard_sigmoid(x)``.

    Parameters
    ----------
    x : array or scalar
        The input.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.hard_silu(xp.asarray([-1.0, 0.0, 2.0]))
    Array([-0.33333334,  0.        ,  1.6666666 ], dtype=float32)
    """
    x = operand(x, "hard_silu")
    return x * hard_sigmoid(x)


@rounded_once
def log1mexp(x: Any) -> Array:
    """Logarithm of one minus an exponential, accurate everywhere: ``log(1 - exp(-x))``.

    Parameters
    ----------
    x : array or scalar
        The input.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.log1mexp(xp.asarray([0.5, 2.0]))
    Array([-0.93275213, -0.14541346], dtype=float32)
    """
    x = operand(x, "log1mexp")
    return choosing.where(x < math.log(2.0), log(-expm1(-x)), log1p(-exp(-x)))


@rounded_once
def glu(x: Any, axis: int = -1) -> Array:
    """Gated linear unit: the first half times the `sigmoid` of the second.

    Parameters
    ----------
    x : array or scalar
        The input.
    axis : int
        The axis to cut.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.glu(xp.asarray([1.0, 2.0, 0.0, 0.0]))
    Array([0.5, 1. ], dtype=float32)
    """
    x = operand(x, "glu")
    position = normalize_axis(axis, x.ndim, "glu")
    half, odd = divmod(x.shape[position], 2)
    if odd:
        raise AssertionError(f"glu: the axis is cut in halves, got length {x.shape[position]}")  # JAX's class
    before = (slice(None),) * position
    return x[(*before, slice(half))] * sigmoid(x[(*before, slice(half, None))])


swish = silu
hard_swish = hard_silu

publish(__name__)
