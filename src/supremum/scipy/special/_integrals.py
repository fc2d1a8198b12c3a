"""Functions that are integrals: error functions, the normal distribution, exponential and trigonometric integrals."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from supremum._base.boundary import publish
from supremum._base.buffers import Buffer
from supremum._base.errors import describe
from supremum._core.arguments import promote_operands
from supremum._core.array import Array, wrap
from supremum._core.conversion import as_array, operand
from supremum._core.dtypes import complex_of, to_inexact
from supremum._core.settings import state
from supremum._core.typing import ArrayLike
from supremum._kernels import special as k
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES
from supremum.scipy import _integrals as integrals
from supremum.scipy._evaluation import evaluate, promoted
from supremum.scipy._normal import normal_quantile

__all__ = [
    "dawsn", "erf", "erfc", "erfcx", "erfinv", "exp1", "expi", "expn", "fresnel", "log_ndtr", "ndtr", "ndtri", "owens_t",
    "sici", "spence", "wofz",
]  # fmt: skip

_ROOT_HALF: Final = math.sqrt(0.5)


def dawsn(x: ArrayLike) -> Array:
    """Compute Dawson's integral, ``exp(-x**2)`` times that of ``exp(t**2)`` from 0 to `x`.

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
    >>> xp.scipy.special.dawsn(xp.asarray([0.5, 1.0]))
    Array([0.4244364, 0.5380795], dtype=float32)
    """
    return evaluate("dawsn", integrals.dawsn, x, weak="never", refusal=ValueError)


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
    return evaluate("erf", k.erf, x, double=False)


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
    return evaluate("erfc", k.erfc, x, double=False)


def erfcx(x: ArrayLike) -> Array:
    """Compute the scaled complementary error function, ``exp(x**2) * erfc(x)``.

    Parameters
    ----------
    x : array_like
        The argument, real or complex.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.erfcx(xp.asarray([0.0, 10.0]))
    Array([1.        , 0.05614099], dtype=float32)
    """
    if to_inexact(operand(x, "erfcx")._node).kind == "c":
        return evaluate("erfcx", lambda z: integrals.wofz(1j * z).astype(z.dtype), x, kinds="c", double=False)
    return evaluate("erfcx", integrals.erfcx, x, weak="never", refusal=ValueError)


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
    return evaluate("erfinv", k.erfinv, x, double=False)


def exp1(x: ArrayLike) -> Array:
    """Compute the exponential integral, that of ``exp(-t) / t`` from `x` on; NaN for negative numbers.

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
    >>> xp.scipy.special.exp1(xp.asarray([0.5, 1.0]))
    Array([0.5597736 , 0.21938394], dtype=float32)
    """
    return evaluate("exp1", integrals.exp1, x, weak="never", refusal=ValueError)


def expi(x: ArrayLike) -> Array:
    """Compute the exponential integral, the principal value of that of ``exp(t) / t`` up to `x`.

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
    >>> xp.scipy.special.expi(xp.asarray([0.5, 1.0]))
    Array([0.4542199, 1.8951178], dtype=float32)
    """
    return evaluate("expi", integrals.expi, x, weak="never", refusal=ValueError)


def expn(n: ArrayLike, x: ArrayLike) -> Array:
    """Compute the generalized exponential integral, that of ``exp(-x * t) / t**n`` from 1 on.

    Parameters
    ----------
    n : array_like
        The order.
    x : array_like
        The argument.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.expn(2, xp.asarray([0.5, 1.0]))
    Array([0.32664385, 0.14849551], dtype=float32)
    """
    return evaluate("expn", integrals.expn, n, as_array(x), weak="never", refusal=ValueError)


def fresnel(x: ArrayLike) -> tuple[Array, Array]:
    """Compute the Fresnel integrals, those of ``sin(pi * t**2 / 2)`` and ``cos(pi * t**2 / 2)`` from 0 to `x`.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    tuple of Array
        The integrals of the sine and of the cosine.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.fresnel(xp.asarray([1.0, 2.0]))
    (Array([0.43825915, 0.34341568], dtype=float32), Array([0.7798934, 0.4882534], dtype=float32))
    """
    return _both("fresnel", integrals.fresnel, x)


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
    return evaluate("log_ndtr", k.log_ndtr, _sized("log_ndtr", as_array(x)), double=False)


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
    return evaluate("ndtr", lambda a: k.erfc(-a * a.dtype.type(_ROOT_HALF)) / 2, _sized("ndtr", as_array(x)), double=False)


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
    return evaluate("ndtri", lambda a: normal_quantile(a).astype(a.dtype), _sized("ndtri", p), double=False)


def owens_t(h: ArrayLike, a: ArrayLike) -> Array:
    """Compute Owen's T function, a probability of the normal distribution of two dimensions.

    Parameters
    ----------
    h, a : array_like
        The distance and the slope.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.owens_t(1.0, xp.asarray([0.5, 2.0]))
    Array([0.04306469, 0.07846819], dtype=float32)
    """
    node, data = promoted("owens_t", h, a, refusal=ValueError)
    # JAX's formula has constants of the default float dtype, with which the result promotes.
    node = state().join_all([node, state().float_]).strong
    return wrap(cast(integrals.owens_t(*data), node), node)


def sici(x: ArrayLike) -> tuple[Array, Array]:
    """Compute the sine and cosine integrals.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    tuple of Array
        The integral of ``sin(t) / t`` from 0 to `x`, and that of ``cos(t) / t`` from infinity.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.sici(xp.asarray([1.0, 2.0]))
    (Array([0.94608307, 1.605413  ], dtype=float32), Array([0.33740392, 0.42298082], dtype=float32))
    """
    return _both("sici", integrals.sici, x)


def spence(x: ArrayLike) -> Array:
    """Compute Spence's function, the dilogarithm of ``1 - x``; NaN for negative numbers.

    Parameters
    ----------
    x : array_like
        The argument, of dtype float32 or float64.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.spence(xp.asarray([0.5, 2.0]))
    Array([ 0.5822405, -0.822467 ], dtype=float32)
    """
    return evaluate("spence", integrals.spence, _sized("spence", as_array(x)))


def wofz(z: ArrayLike) -> Array:
    """Compute the Faddeeva function, ``exp(-z**2) * erfc(-1j * z)``.

    Parameters
    ----------
    z : array_like
        The argument.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.wofz(1.0j)
    Array(0.42758358+0.j, dtype=complex64)
    """
    node, (data,) = promote_operands("wofz", z)
    wide = cast(cast(data, to_inexact(node)), NODES["complex128"])
    node = complex_of(node).strong
    return wrap(cast(integrals.wofz(wide), node), node)


def _sized(function: str, x: ArrayLike) -> Array:
    """Check the argument of a function that JAX defines for float32 and float64 only, and make it strong."""
    array = operand(x, function)
    if array.dtype not in (np.float32, np.float64):
        raise TypeError(f"{function}: the argument must have dtype float32 or float64, got {array.dtype}; cast it first")
    return wrap(array._data, array._node.strong)


def _both(function: str, kernel: Callable[[Buffer], tuple[Buffer, Buffer]], x: ArrayLike) -> tuple[Array, Array]:
    """Evaluate a kernel of two results, once."""
    found = evaluate(function, lambda z: np.stack(kernel(z)), x, weak="never", refusal=ValueError)
    return wrap(found._data[0, ...], found._node), wrap(found._data[1, ...], found._node)


publish(__name__, home="supremum.scipy.special")
