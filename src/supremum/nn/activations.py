"""Activation functions, composed of functions of the namespace."""

from __future__ import annotations

import math

from supremum._base.boundary import public
from supremum._core.array import Array, ArrayLike
from supremum._core.conversion import normalize_axis, operand, operands
from supremum._functions._rounding import promoted_inexact, rounded_once
from supremum._functions.data_types import astype
from supremum._functions.elementwise.arithmetic import abs, square
from supremum._functions.elementwise.comparison import clip, maximum, minimum
from supremum._functions.elementwise.exponential import exp, expm1, log, log1p, logaddexp, sqrt
from supremum._functions.elementwise.trigonometry import tanh
from supremum._functions.manipulation.splitting import split
from supremum._functions.where import where
from supremum.promotion._nodes import node_of_dtype
from supremum.scipy.special import erfc, expit

__all__ = [
    "celu", "elu", "gelu", "glu", "hard_sigmoid", "hard_silu", "hard_swish", "hard_tanh", "identity", "leaky_relu", "log1mexp",
    "log_sigmoid", "mish", "relu", "relu6", "selu", "sigmoid", "silu", "soft_sign", "softplus", "sparse_plus",
    "sparse_sigmoid", "squareplus", "swish", "tanh",
]  # fmt: skip


@public(kind="elementwise", moving=True)
def identity(x: ArrayLike) -> Array:
    """Return the input unchanged.

    Parameters
    ----------
    x

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


@public(composed=True, slope="x > 0")
def relu(x: ArrayLike) -> Array:
    """Apply the rectified linear unit, ``max(x, 0)``.

    Parameters
    ----------
    x

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


@public(composed=True, slope="(x > 0) & (x < 6)")
def relu6(x: ArrayLike) -> Array:
    """Apply the rectified linear unit capped at 6, ``min(max(x, 0), 6)``.

    Parameters
    ----------
    x

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


@public(composed=True)
@rounded_once
def leaky_relu(x: ArrayLike, negative_slope: ArrayLike = 1e-2) -> Array:
    """Apply the leaky rectified linear unit: ``x`` where ``x >= 0``, else ``negative_slope * x``.

    Parameters
    ----------
    x
    negative_slope : array_like
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
    return where(x >= 0, x, negative_slope * x)


@public(composed=True)
@rounded_once
def elu(x: ArrayLike, alpha: ArrayLike = 1.0) -> Array:
    """Apply the exponential linear unit: ``x`` where ``x > 0``, else ``alpha * (exp(x) - 1)``.

    Parameters
    ----------
    x
    alpha : array_like
        The negated limit for large negative numbers.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.elu(xp.asarray([-1.0, 0.0, 2.0])).round(4)
    Array([-0.6321,  0.    ,  2.    ], dtype=float32)
    """
    x = operand(x, "elu")
    positive = x > 0
    return where(positive, x, alpha * expm1(where(positive, 0.0, x)))


@public(composed=True)
@rounded_once
def celu(x: ArrayLike, alpha: ArrayLike = 1.0) -> Array:
    """Apply the continuously differentiable ELU, ``max(x, 0) + min(0, alpha * (exp(x / alpha) - 1))``.

    Parameters
    ----------
    x
    alpha : array_like
        The negated limit for large negative numbers.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.celu(xp.asarray([-1.0, 0.0, 2.0]), 2.0).round(4)
    Array([-0.7869,  0.    ,  2.    ], dtype=float32)
    """
    return maximum(x, 0.0) + alpha * expm1(minimum(x, 0.0) / alpha)


@public(composed=True)
@rounded_once
def selu(x: ArrayLike) -> Array:
    """Apply the scaled exponential linear unit: `elu` with constants that preserve mean and variance.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.selu(xp.asarray([-1.0, 0.0, 2.0])).round(4)
    Array([-1.1113,  0.    ,  2.1014], dtype=float32)
    """
    return 1.0507009873554804934193349852946 * elu(x, 1.6732632423543772848170429916717)


@public(composed=True)
def sigmoid(x: ArrayLike) -> Array:
    """Apply the logistic function, ``1 / (1 + exp(-x))``.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.sigmoid(xp.asarray([-1.0, 0.0, 2.0])).round(4)
    Array([0.2689, 0.5   , 0.8808], dtype=float32)
    """
    x = operand(x, "sigmoid")
    node = x._node if type(x) is Array else node_of_dtype(x.dtype)
    if node is None or node.kind not in "fc":
        raise TypeError(f"sigmoid: x must have a floating or complex dtype, got {x.dtype}; cast it first with .astype(float)")
    return expit(x)


@public(composed=True)
@rounded_once
def log_sigmoid(x: ArrayLike) -> Array:
    """Compute the logarithm of the logistic function, ``-log(1 + exp(-x))``.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.log_sigmoid(xp.asarray([-1.0, 0.0, 2.0])).round(4)
    Array([-1.3133, -0.6931, -0.1269], dtype=float32)
    """
    return -softplus(-operand(x, "log_sigmoid"))


@public(composed=True)
def softplus(x: ArrayLike) -> Array:
    """Apply the smooth rectified linear unit, ``log(1 + exp(x))``.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.softplus(xp.asarray([-1.0, 0.0, 2.0])).round(4)
    Array([0.3133, 0.6931, 2.1269], dtype=float32)
    """
    return logaddexp(x, 0)


@public(composed=True)
@rounded_once
def squareplus(x: ArrayLike, b: ArrayLike = 4) -> Array:
    """Apply the algebraic softplus, ``(x + sqrt(x**2 + b)) / 2``.

    Parameters
    ----------
    x
    b : array_like
        The smoothness of the kink at 0.

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


@public(composed=True)
@rounded_once
def sparse_plus(x: ArrayLike) -> Array:
    """Apply the piecewise quadratic softplus: 0 up to -1, ``x`` from 1 on, ``(x + 1)**2 / 4`` between.

    Parameters
    ----------
    x

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
    return where(x <= -1.0, 0.0, where(x >= 1.0, x, (x + 1.0) ** 2 / 4))


@public(composed=True)
@rounded_once
def sparse_sigmoid(x: ArrayLike) -> Array:
    """Apply the derivative of `sparse_plus`: 0 up to -1, 1 from 1 on, linear between.

    Parameters
    ----------
    x

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


@public(composed=True)
@rounded_once
def soft_sign(x: ArrayLike) -> Array:
    """Apply the soft sign, ``x / (abs(x) + 1)``.

    Parameters
    ----------
    x

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


@public(composed=True)
@rounded_once
def silu(x: ArrayLike) -> Array:
    """Apply the sigmoid linear unit (swish), ``x * sigmoid(x)``.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.silu(xp.asarray([-1.0, 0.0, 2.0])).round(4)
    Array([-0.2689,  0.    ,  1.7616], dtype=float32)
    """
    x = operand(x, "silu")
    return x * sigmoid(x)


@public(composed=True)
@rounded_once
def mish(x: ArrayLike) -> Array:
    """Apply the mish activation, ``x * tanh(softplus(x))``.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.mish(xp.asarray([-1.0, 0.0, 2.0])).round(4)
    Array([-0.3034,  0.    ,  1.944 ], dtype=float32)
    """
    x = operand(x, "mish")
    return x * tanh(softplus(x))


@public(composed=True)
@rounded_once
def gelu(x: ArrayLike, approximate: bool = True) -> Array:
    """Apply the Gaussian error linear unit: ``x`` times the standard normal distribution function at ``x``.

    Parameters
    ----------
    x
    approximate : bool
        Whether to use the formula with ``tanh`` instead of the error function.

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.gelu(xp.asarray([-1.0, 0.0, 2.0])).round(4)
    Array([-0.1588,  0.    ,  1.9546], dtype=float32)
    """
    (x,) = promoted_inexact("gelu", x)
    if approximate:
        found = x * (0.5 * (1.0 + tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * (x**3)))))
    else:
        found = 0.5 * x * erfc(-x * math.sqrt(0.5))
    return astype(found, found.dtype, copy=False)  # which is strong


@public(composed=True)
def hard_tanh(x: ArrayLike) -> Array:
    """Apply the piecewise linear tanh: ``x`` clipped to [-1, 1].

    Parameters
    ----------
    x

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
    return where(x > 1, 1, where(x < -1, -1, x))


@public(composed=True)
@rounded_once
def hard_sigmoid(x: ArrayLike) -> Array:
    """Apply the piecewise linear sigmoid, ``relu6(x + 3) / 6``.

    Parameters
    ----------
    x

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


@public(composed=True)
@rounded_once
def hard_silu(x: ArrayLike) -> Array:
    """Apply the piecewise silu, ``x * hard_sigmoid(x)``.

    Parameters
    ----------
    x

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


@public(composed=True, slope="1 / expm1(x)")
@rounded_once
def log1mexp(x: ArrayLike) -> Array:
    """Compute ``log(1 - exp(-x))`` without loss of accuracy.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The output.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.log1mexp(xp.asarray([0.5, 2.0])).round(4)
    Array([-0.9328, -0.1454], dtype=float32)
    """
    x = operand(x, "log1mexp")
    return where(x < math.log(2.0), log(-expm1(-x)), log1p(-exp(-x)))


@public(composed=True)
@rounded_once
def glu(x: ArrayLike, axis: int = -1) -> Array:
    """Apply the gated linear unit: the first half of the input times the `sigmoid` of the second half.

    Parameters
    ----------
    x
    axis : int
        The axis to split.

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
    if x.shape[position] % 2:
        raise AssertionError(f"glu: the axis must have an even length, got {x.shape[position]}")  # JAX's class
    first, second = split(x, 2, position)
    return first * sigmoid(second)


swish = silu
hard_swish = hard_silu
