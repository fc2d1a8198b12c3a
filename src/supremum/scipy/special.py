"""Special functions of ``jax.scipy.special`` that can be computed with NumPy's functions."""

from __future__ import annotations

import math
from typing import Any, Final, Literal, overload

import numpy as np

from supremum._base.boundary import publish
from supremum._base.errors import describe
from supremum._core.arguments import normalize_axes, promote_operands
from supremum._core.array import Array, wrap
from supremum._core.conversion import as_array, operand
from supremum._core.dtypes import to_inexact
from supremum._core.reductions import where_mask
from supremum._core.typing import ArrayLike, Axis
from supremum._functions import softmaxes
from supremum._kernels import special as k
from supremum._kernels.casts import cast
from supremum.scipy._gamma import apply_kernel, betaln, digamma, factorial, gamma, gammaln, loggamma
from supremum.scipy._normal import normal_quantile
from supremum.scipy._special_functions import (
    bernoulli,
    bessel_jn,
    beta,
    betainc,
    comb,
    dawsn,
    erfcx,
    exp1,
    expi,
    expn,
    fresnel,
    gammainc,
    gammaincc,
    gammasgn,
    hyp1f1,
    hyp2f1,
    i1,
    i1e,
    multigammaln,
    owens_t,
    poch,
    polygamma,
    sici,
    spence,
    sph_harm_y,
    wofz,
    zeta,
)  # fmt: skip

__all__ = [
    "bernoulli", "bessel_jn", "beta", "betainc", "betaln", "boxcox", "boxcox1p", "comb", "dawsn", "digamma", "entr", "erf",
    "erfc", "erfcx", "erfinv", "exp1", "expi", "expit", "expn", "factorial", "fresnel", "gamma", "gammainc", "gammaincc",
    "gammaln", "gammasgn", "hyp1f1", "hyp2f1", "i0", "i0e", "i1", "i1e", "kl_div", "log_ndtr", "log_softmax", "loggamma",
    "logit", "logsumexp", "multigammaln", "ndtr", "ndtri", "owens_t", "poch", "polygamma", "rel_entr", "sici", "softmax",
    "spence", "sph_harm_y", "wofz", "xlog1py", "xlogy", "zeta",
]  # fmt: skip

_ROOT_HALF: Final = math.sqrt(0.5)


def _sized(function: str, x: ArrayLike) -> Array:
    """Check the argument of a function that JAX defines for float32 and float64 only, and make it strong."""
    array = operand(x, function)
    if array.dtype not in (np.float32, np.float64):
        raise TypeError(f"{function}: the argument must have dtype float32 or float64, got {array.dtype}; cast it first")
    return wrap(array._data, array._node.strong)


def i0(x: ArrayLike) -> Array:
    """Compute the modified Bessel function of order 0, the sum of ``(x / 2)**(2 * k) / k!**2``.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.i0(xp.asarray([0.0, 1.0]))
    Array([1.       , 1.2660658], dtype=float32)
    """
    return apply_kernel("i0", k.i0, x)


def i0e(x: ArrayLike) -> Array:
    """Compute the exponentially scaled modified Bessel function of order 0, ``exp(-abs(x)) * i0(x)``.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.i0e(xp.asarray([0.0, 1.0]))
    Array([1.       , 0.4657596], dtype=float32)
    """
    return apply_kernel("i0e", k.i0e, x)


def log_ndtr(x: ArrayLike, series_order: int = 3) -> Array:
    """Compute the logarithm of `ndtr`, accurately also where `ndtr` underflows to 0.

    Parameters
    ----------
    x : array_like
        The argument.
    series_order : int
        The number of terms of the asymptotic series in JAX, from 0 to 30; without effect.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.log_ndtr(xp.asarray([-40.0, 0.0]))
    Array([-8.0460846e+02, -6.9314718e-01], dtype=float32)
    """
    if not isinstance(series_order, int):
        raise TypeError(f"log_ndtr: series_order must be a Python integer, got {describe(series_order)}")
    if not 0 <= series_order <= 30:
        raise ValueError(f"log_ndtr: series_order must be from 0 to 30, got {series_order}")
    return apply_kernel("log_ndtr", k.log_ndtr, _sized("log_ndtr", as_array(x)))


def boxcox(x: ArrayLike, lmbda: ArrayLike) -> Array:
    """Compute the Box-Cox transformation: ``(x**lmbda - 1) / lmbda``, or ``log(x)`` where ``lmbda`` is 0.

    Parameters
    ----------
    x, lmbda : array_like
        The argument and the exponent.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.boxcox(4.0, 0.5)
    Array(2., dtype=float32, weak_type=True)
    """
    return apply_kernel("boxcox", lambda a, power: k.box_cox(np.log(a), power), x, lmbda, kinds="fc")


def boxcox1p(x: ArrayLike, lmbda: ArrayLike) -> Array:
    """Compute the Box-Cox transformation of ``1 + x``.

    Parameters
    ----------
    x, lmbda : array_like
        The argument and the exponent.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.boxcox1p(3.0, 0.5)
    Array(2., dtype=float32, weak_type=True)
    """
    return apply_kernel("boxcox1p", lambda a, power: k.box_cox(np.log1p(a), power), x, lmbda, kinds="fc")


def erf(x: ArrayLike) -> Array:
    """Compute the error function, ``2 / sqrt(pi)`` times the integral of ``exp(-t**2)`` from 0 to ``x``.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.erf(xp.asarray([0.0, 1.0]))
    Array([0.       , 0.8427008], dtype=float32)
    """
    return apply_kernel("erf", k.erf, x)


def erfc(x: ArrayLike) -> Array:
    """Compute the complementary error function, ``1 - erf(x)`` without cancellation.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.erfc(xp.asarray([0.0, 1.0]))
    Array([1.       , 0.1572992], dtype=float32)
    """
    return apply_kernel("erfc", k.erfc, x)


def erfinv(x: ArrayLike) -> Array:
    """Compute the inverse error function: ``erf(erfinv(x)) = x``.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.erfinv(xp.asarray([0.0, 0.5]))
    Array([0.        , 0.47693628], dtype=float32)
    """
    return apply_kernel("erfinv", k.erfinv, x)


def expit(x: ArrayLike) -> Array:
    """Compute the logistic function, ``1 / (1 + exp(-x))``.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.expit(xp.asarray([0.0, 1.0]))
    Array([0.5      , 0.7310586], dtype=float32)
    """
    return apply_kernel("expit", k.logistic, x, kinds="fc")


def logit(x: ArrayLike) -> Array:
    """Compute the inverse logistic function, ``log(x / (1 - x))``.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.logit(xp.asarray([0.25, 0.5]))
    Array([-1.0986123,  0.       ], dtype=float32)
    """
    return apply_kernel("logit", lambda p: np.log(p / (1 - p)), x, kinds="fc")


def entr(x: ArrayLike) -> Array:
    """Compute the entropy function, ``-x * log(x)``; 0 where ``x`` is 0.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.entr(xp.asarray([0.0, 0.5]))
    Array([-0.       ,  0.3465736], dtype=float32)
    """
    return apply_kernel("entr", k.entropy, x, refusal=ValueError)


def xlogy(x: ArrayLike, y: ArrayLike) -> Array:
    """Compute ``x * log(y)``; 0 where ``x`` is 0.

    Parameters
    ----------
    x, y : array_like
        The arguments.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.xlogy(0.0, 0.0)
    Array(0., dtype=float32, weak_type=True)
    """
    return apply_kernel("xlogy", lambda a, b: k.times(a, np.log(b)), x, y, kinds="fc")


def xlog1py(x: ArrayLike, y: ArrayLike) -> Array:
    """Compute ``x * log(1 + y)``; 0 where ``x`` is 0.

    Parameters
    ----------
    x, y : array_like
        The arguments.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.xlog1py(2.0, 0.0)
    Array(0., dtype=float32, weak_type=True)
    """
    return apply_kernel("xlog1py", lambda a, b: k.times(a, np.log1p(b)), x, y, kinds="fc")


def rel_entr(p: ArrayLike, q: ArrayLike) -> Array:
    """Compute the relative entropy, ``p * log(p / q)``.

    Parameters
    ----------
    p, q : array_like
        The arguments.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.rel_entr(0.5, 0.25)
    Array(0.3465736, dtype=float32, weak_type=True)
    """
    return apply_kernel("rel_entr", k.relative_entropy, p, q, refusal=ValueError)


def kl_div(p: ArrayLike, q: ArrayLike) -> Array:
    """Compute the Kullback-Leibler divergence, ``p * log(p / q) - p + q``.

    Parameters
    ----------
    p, q : array_like
        The arguments.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.kl_div(0.5, 0.5)
    Array(0., dtype=float32, weak_type=True)
    """
    return apply_kernel("kl_div", lambda a, b: k.relative_entropy(a, b) - a + b, p, q, refusal=ValueError)


def ndtr(x: ArrayLike) -> Array:
    """Compute the distribution function of the standard normal distribution.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.ndtr(0.0)
    Array(0.5, dtype=float32)
    """
    return apply_kernel("ndtr", lambda a: k.erfc(-a * a.dtype.type(_ROOT_HALF)) / 2, _sized("ndtr", as_array(x)))


def ndtri(p: ArrayLike) -> Array:
    """Compute the inverse of `ndtr`: ``ndtr(ndtri(p)) = p``.

    Parameters
    ----------
    p : array_like
        The probability.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.ndtri(0.5)
    Array(0., dtype=float32)
    """
    return apply_kernel("ndtri", lambda a: normal_quantile(a).astype(a.dtype), _sized("ndtri", p))


@overload
def logsumexp(
    a: ArrayLike,
    axis: Axis = None,
    b: ArrayLike | None = None,
    keepdims: bool = False,
    return_sign: Literal[False] = False,
    where: ArrayLike | None = None,
) -> Array: ...
@overload
def logsumexp(
    a: ArrayLike,
    axis: Axis = None,
    b: ArrayLike | None = None,
    keepdims: bool = False,
    *,
    return_sign: Literal[True],
    where: ArrayLike | None = None,
) -> tuple[Array, Array]: ...
def logsumexp(
    a: ArrayLike,
    axis: Axis = None,
    b: ArrayLike | None = None,
    keepdims: bool = False,
    return_sign: bool = False,
    where: ArrayLike | None = None,
) -> Array | tuple[Array, Array]:
    """Compute the logarithm of a sum of exponentials without overflow.

    Parameters
    ----------
    a : array_like
        The exponents.
    axis : int or tuple of int, optional
        The axes to reduce; all axes if omitted.
    b : array_like, optional
        Factors of the exponentials.
    keepdims : bool
        Whether to keep the reduced axes with length 1.
    return_sign : bool
        Whether to return the sign of the sum too, which factors may make negative.
    where : array_like of bool, optional
        The elements to include.

    Returns
    -------
    Array or tuple of Array
        The logarithms; with their signs if `return_sign` is true.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.logsumexp(xp.asarray([1000.0, 1000.0])).round(3)
    Array(1000.693, dtype=float32)
    """
    node, buffers = promote_operands("logsumexp", *((a,) if b is None else (a, b)))
    node = to_inexact(node).strong
    exponents, *factors = np.broadcast_arrays(*[cast(data, node.wide) for data in buffers])
    axes = normalize_axes(axis, exponents.ndim, "logsumexp")
    mask: Any = True if where is None else where_mask(where, "logsumexp")
    for factor in factors:
        exponents = np.where(factor != 0, exponents, exponents.dtype.type(-np.inf))
    largest = np.asarray(np.real(exponents).max(axis=axes, keepdims=True, initial=-np.inf, where=mask))
    largest = np.where(np.isfinite(largest), largest, largest.dtype.type(0))
    powers = np.exp(exponents - largest)
    for factor in factors:
        powers = powers * factor
    total = np.asarray(powers.sum(axis=axes, keepdims=True, where=mask))
    sign = np.sign(total)
    if return_sign or node.kind == "f":
        total = np.abs(total)
    out = np.log(total) + largest
    if factors and node.kind == "f" and not return_sign:
        out = np.where(sign < 0, out.dtype.type(np.nan), out)
    if not keepdims:
        out, sign = out.squeeze(axes), sign.squeeze(axes)
    result_node = node.real if return_sign else node
    result = wrap(cast(np.asarray(out), result_node), result_node)
    return (result, wrap(cast(np.asarray(sign), node), node)) if return_sign else result


def softmax(x: ArrayLike, /, *, axis: Axis = None) -> Array:
    """Compute exponentials divided by their sum.

    Parameters
    ----------
    x : array_like
        The exponents.
    axis : int or tuple of int, optional
        The axes to sum over; all axes if omitted.

    Returns
    -------
    Array
        Numbers that sum to 1.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.softmax(xp.zeros(4))
    Array([0.25, 0.25, 0.25, 0.25], dtype=float32)
    """
    return softmaxes.softmax(x, axis)


def log_softmax(x: ArrayLike, /, *, axis: Axis = None) -> Array:
    """Compute the logarithm of `softmax`.

    Parameters
    ----------
    x, axis
        As for `softmax`.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.log_softmax(xp.zeros(2)).round(3)
    Array([-0.693, -0.693], dtype=float32)
    """
    return softmaxes.log_softmax(x, axis)


publish(__name__)
