"""Integrals: of the normal distribution and its kin, of exponentials over powers, of sines and cosines."""

# Decorated definitions have no body.
# mypy: disable-error-code="empty-body"
# pyright: reportReturnType=false
from __future__ import annotations

from typing import Any

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import describe
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.rules import Result
from supremum._core.settings import state
from supremum._functions.elementwise._calls import elementwise
from supremum._kernels import special_functions as k
from supremum._kernels.casts import cast
from supremum.scipy._evaluation import INEXACT, STRONG, evaluate, library, promoted, special_function

__all__ = [
    "dawsn", "erf", "erfc", "erfcx", "erfinv", "exp1", "expi", "expn", "fresnel", "log_ndtr", "ndtr", "ndtri", "owens_t",
    "sici", "spence", "wofz",
]  # fmt: skip


@special_function(STRONG, error=ValueError, slope="1 - 2 * x * out")
def dawsn(x: ArrayLike) -> Array:
    """Compute Dawson's integral, ``exp(-x**2)`` times that of ``exp(t**2)`` from 0 to `x`.

    Parameters
    ----------
    x

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


@special_function(INEXACT, k.erf, slope="1.1283791670955126 * exp(-square(x))")
def erf(x: ArrayLike) -> Array:
    """Compute the error function, ``2 / sqrt(pi)`` times the integral of ``exp(-t**2)`` from 0 to ``x``.

    Parameters
    ----------
    x

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


@special_function(INEXACT, k.erfc, slope="-1.1283791670955126 * exp(-square(x))")
def erfc(x: ArrayLike) -> Array:
    """Compute the complementary error function, ``1 - erf(x)`` without cancellation.

    Parameters
    ----------
    x

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


@special_function(STRONG, accepts="biufc", slope="2 * x * out - 1.1283791670955126")
def erfcx(x: ArrayLike) -> Array:
    """Compute the scaled complementary error function, ``exp(x**2) * erfc(x)``.

    Parameters
    ----------
    x

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


@special_function(INEXACT, k.erfinv, slope="0.8862269254527580 * exp(square(out))")
def erfinv(x: ArrayLike) -> Array:
    """Compute the inverse error function: ``erf(erfinv(x)) = x``.

    Parameters
    ----------
    x

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


@special_function(STRONG, error=ValueError, slope="-exp(-x) / where(x < 0, nan, x)")
def exp1(x: ArrayLike) -> Array:
    """Compute the exponential integral, that of ``exp(-t) / t`` from `x` on; NaN for negative numbers.

    Parameters
    ----------
    x

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


@special_function(STRONG, error=ValueError, slope="exp(x) / x")
def expi(x: ArrayLike) -> Array:
    """Compute the exponential integral, the principal value of that of ``exp(t) / t`` up to `x`.

    Parameters
    ----------
    x

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


_of_whole_order, _faddeeva = library.kernel("expn"), library.kernel("wofz")


def _expn(n: Buffer, x: Buffer) -> Buffer:
    """Compute the integral of orders that C's int holds; of others, SciPy would warn."""
    other = n.astype(np.int32) != n
    if not np.count_nonzero(other):
        return np.asarray(_of_whole_order(n, x))
    return np.where(other, x.dtype.type(np.nan), _of_whole_order(np.where(other, n.dtype.type(1), n), x))


@special_function(
    STRONG, _expn, error=ValueError, lists=True, slope=("", "-where(n == 0, exp(-x) * (x + 1) / (x * x), expn(abs(n - 1), x))")
)
def expn(n: ArrayLike, x: ArrayLike) -> Array:
    """Compute the generalized exponential integral, that of ``exp(-x * t) / t**n`` from 1 on.

    Parameters
    ----------
    n : array_like
        The order, a whole number.
    x

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


@public(plain=Plain(library.kernel("fresnel"), kinds="f"), kind="elementwise")
def fresnel(x: ArrayLike) -> tuple[Array, Array]:
    """Compute the Fresnel integrals, those of ``sin(pi * t**2 / 2)`` and ``cos(pi * t**2 / 2)`` from 0 to `x`.

    Parameters
    ----------
    x

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
    return _both("fresnel", x)


@elementwise("f", STRONG, k.log_ndtr, name="log_ndtr", least_bits=32, lists=True)
def _log_ndtr(x: ArrayLike) -> Array:
    """Compute what `log_ndtr` does."""


@public(kind="elementwise", slope="exp(-square(x) / 2 - out) / 2.5066282746310002")
def log_ndtr(x: ArrayLike, series_order: int = 3) -> Array:
    """Compute the logarithm of `ndtr`, accurately also where `ndtr` underflows to 0.

    Parameters
    ----------
    x
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
    return _log_ndtr(x)


@special_function(STRONG, k.ndtr, "f", least_bits=32, lists=True, slope="exp(-square(x) / 2) / 2.5066282746310002")
def ndtr(x: ArrayLike) -> Array:
    """Compute the distribution function of the standard normal distribution.

    Parameters
    ----------
    x

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


_QUANTILE = "where(isinf(out), 0, 2.5066282746310002 * exp(square(where(isinf(out), 0, out)) / 2))"


@special_function(STRONG, k.ndtri, "f", least_bits=32, slope=_QUANTILE)
def ndtri(p: ArrayLike) -> Array:
    """Compute the inverse of `ndtr`: ``ndtr(ndtri(p)) = p``.

    Parameters
    ----------
    p : array_like
        The argument.

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


def _owens_t(h: Buffer, a: Buffer) -> Any:
    return NotImplemented if h.itemsize * 8 < state().float_.bits else library.owens_t(h, a)


@public(
    plain=Plain(_owens_t, arrays=2, kinds="f"),
    kind="elementwise",
    slope=(
        "-exp(-square(h) / 2) * erf(a * h / 1.4142135623730951) / 5.0132565492620005",
        "exp(-square(h) * (1 + square(a)) / 2) / (2 * pi * (1 + square(a)))",
    ),
)
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
    return wrap(cast(np.asarray(library.owens_t(*data)), node), node)


@public(plain=Plain(library.kernel("sici"), kinds="f"), kind="elementwise")
def sici(x: ArrayLike) -> tuple[Array, Array]:
    """Compute the sine and cosine integrals.

    Parameters
    ----------
    x

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
    return _both("sici", x)


@special_function(STRONG, None, "f", least_bits=32, lists=True, slope="where(x == 1, -1, log(x) / (1 - where(x == 1, 0, x)))")
def spence(x: ArrayLike) -> Array:
    """Compute Spence's function, the dilogarithm of ``1 - x``; NaN for negative numbers.

    Parameters
    ----------
    x

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


def _wofz(z: Buffer) -> Buffer:
    wide = z.astype(np.complex128, copy=False) if z.dtype.kind == "c" else z  # SciPy's loop of complex64 is the slower one
    return np.asarray(_faddeeva(wide)).astype(np.result_type(z, np.complex64), copy=False)


@special_function(Result.COMPLEX, _wofz, "biufc", slope="1.1283791670955126j - 2 * z * out")
def wofz(z: ArrayLike) -> Array:
    """Compute the Faddeeva function, ``exp(-z**2) * erfc(-1j * z)``.

    Parameters
    ----------
    z

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


def _both(function: str, x: ArrayLike) -> tuple[Array, Array]:
    """Return the two results of a function of SciPy's."""
    found = evaluate(function, lambda z: np.stack(getattr(library, function)(z)), x, weak="never", refusal=ValueError)
    return wrap(found._data[0, ...], found._node), wrap(found._data[1, ...], found._node)
