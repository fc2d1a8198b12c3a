"""Gamma, beta and zeta functions, and ratios of them."""

from __future__ import annotations

import math
import operator

import numpy as np

from supremum._base.boundary import publish
from supremum._base.buffers import Buffer
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand
from supremum._core.dtypes import to_inexact
from supremum._core.settings import state
from supremum._core.typing import ArrayLike
from supremum._kernels import complex_numbers, special as k
from supremum._kernels.casts import cast
from supremum.scipy import _incomplete as incomplete, _ratios as ratios, _series as series
from supremum.scipy._evaluation import evaluate

__all__ = [
    "bernoulli", "beta", "betainc", "betaln", "comb", "digamma", "factorial", "gamma", "gammainc", "gammaincc", "gammaln",
    "gammasgn", "loggamma", "multigammaln", "poch", "polygamma", "zeta",
]  # fmt: skip


def bernoulli(n: int) -> Array:
    """Return Bernoulli's numbers of orders 0 to `n`.

    Parameters
    ----------
    n : int
        The greatest order.

    Returns
    -------
    Array
        The numbers, of the default float dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.bernoulli(4)
    Array([ 1.        , -0.5       ,  0.16666667,  0.        , -0.03333334],      dtype=float32)
    """
    order = operator.index(n)
    if order < 0:
        raise ValueError(f"bernoulli: n must not be negative, got {order}")
    node = state().float_
    return wrap(cast(series.bernoulli_numbers(order), node), node)


def beta(a: ArrayLike, b: ArrayLike) -> Array:
    """Compute the beta function, ``gamma(a) * gamma(b) / gamma(a + b)``.

    Parameters
    ----------
    a, b : array_like
        The arguments.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.beta(2.0, 3.0)
    Array(0.08333334, dtype=float32)
    """
    return evaluate("beta", ratios.beta, a, b, weak="never", refusal=ValueError)


def betainc(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """Compute the regularized incomplete beta function.

    Parameters
    ----------
    a, b : array_like
        The parameters, positive.
    x : array_like
        The upper limit, from 0 to 1.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.betainc(2.0, 3.0, xp.asarray([0.25, 0.5]))
    Array([0.26171875, 0.6875    ], dtype=float32)
    """
    return evaluate("betainc", incomplete.beta_regularized, a, b, x, refusal=ValueError)


def betaln(a: ArrayLike, b: ArrayLike) -> Array:
    """Compute the logarithm of the absolute value of the beta function, ``gammaln(a) + gammaln(b) - gammaln(a + b)``.

    Parameters
    ----------
    a, b : array_like
        The arguments.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.betaln(1.0, 2.0)
    Array(-0.6931472, dtype=float32, weak_type=True)
    """

    def kernel(u: Buffer, v: Buffer) -> Buffer:
        wide = [np.asarray(part, np.float64) for part in (u, v, np.asarray(u, np.float64) + v)]
        first, second, both = map(k.log_gamma, wide)
        return (first + second - both).astype(u.dtype)

    return evaluate("betaln", kernel, a, b, double=False)


def comb(N: ArrayLike, k: ArrayLike, *, repetition: bool = False) -> Array:
    """Compute the number of ways to choose `k` of `N` things.

    Parameters
    ----------
    N, k : array_like
        The numbers of things.
    repetition : bool
        Whether a thing may be chosen more than once.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.comb(xp.asarray([4, 5]), 2)
    Array([ 6., 10.], dtype=float32)
    """
    return evaluate("comb", ratios.combinations_with_repetition if repetition else ratios.combinations, N, k)


def digamma(x: ArrayLike) -> Array:
    """Compute the digamma function, the derivative of `gammaln`.

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
    >>> xp.scipy.special.digamma(xp.asarray([1.0, 2.0]))
    Array([-0.5772157 ,  0.42278433], dtype=float32)
    """
    return evaluate("digamma", k.digamma, x, double=False)


def factorial(n: ArrayLike, exact: bool = False) -> Array:
    """Compute the factorial, the product of 1 to ``n``; 0 for negative ``n``.

    Parameters
    ----------
    n : array_like
        The argument.
    exact : bool
        Must be False, as in JAX.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.factorial(xp.asarray([0, 5]))
    Array([  1., 120.], dtype=float32)
    """
    if exact:
        raise NotImplementedError("factorial: exact=True is not supported; use math.factorial")
    return evaluate("factorial", lambda a: np.where(a < 0, a.dtype.type(0), k.gamma(a + 1)), n, double=False)


def gamma(x: ArrayLike) -> Array:
    """Compute the gamma function, ``factorial(x - 1)``; NaN at the poles.

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
    >>> xp.scipy.special.gamma(xp.asarray([0.5, 5.0]))
    Array([ 1.7724539, 24.       ], dtype=float32)
    """
    kernel = complex_numbers.gamma if _is_complex(x, "gamma") else k.gamma
    return evaluate("gamma", kernel, x, weak="never", kinds="fc", double=False)


def gammainc(a: ArrayLike, x: ArrayLike) -> Array:
    """Compute the regularized lower incomplete gamma function.

    Parameters
    ----------
    a : array_like
        The parameter, positive.
    x : array_like
        The upper limit.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.gammainc(2.0, xp.asarray([0.5, 1.0]))
    Array([0.09020401, 0.26424113], dtype=float32)
    """
    return evaluate("gammainc", incomplete.gamma_lower, a, x)


def gammaincc(a: ArrayLike, x: ArrayLike) -> Array:
    """Compute the regularized upper incomplete gamma function.

    Parameters
    ----------
    a : array_like
        The parameter, positive.
    x : array_like
        The lower limit.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.gammaincc(2.0, xp.asarray([0.5, 1.0]))
    Array([0.909796 , 0.7357589], dtype=float32)
    """
    return evaluate("gammaincc", incomplete.gamma_upper, a, x)


def gammaln(x: ArrayLike) -> Array:
    """Compute the logarithm of the absolute value of the gamma function.

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
    >>> xp.scipy.special.gammaln(xp.asarray([1.0, 5.0]))
    Array([0.       , 3.1780539], dtype=float32)
    """
    return evaluate("gammaln", k.log_gamma, x, double=False)


def gammasgn(x: ArrayLike) -> Array:
    """Compute the sign of the gamma function; NaN at the poles.

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
    >>> xp.scipy.special.gammasgn(xp.asarray([0.5, -0.5]))
    Array([ 1., -1.], dtype=float32)
    """
    return evaluate("gammasgn", ratios.gamma_sign, x, weak="never", refusal=ValueError)


def loggamma(x: ArrayLike) -> Array:
    """Compute the principal branch of the logarithm of the gamma function; NaN for negative real numbers.

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
    >>> xp.scipy.special.loggamma(xp.asarray([1.0, 5.0]))
    Array([0.       , 3.1780539], dtype=float32)
    """
    if _is_complex(x, "loggamma"):
        return evaluate("loggamma", complex_numbers.log_gamma, x, weak="never", kinds="c", double=False)
    return evaluate("loggamma", lambda a: np.where(a > 0, k.log_gamma(a), a.dtype.type(np.nan)), x, double=False)


def multigammaln(a: ArrayLike, d: ArrayLike) -> Array:
    """Compute the logarithm of the multivariate gamma function.

    Parameters
    ----------
    a : array_like
        The argument.
    d : int
        The number of dimensions.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.multigammaln(3.0, 2)
    Array(1.550195, dtype=float32, weak_type=True)
    """
    count = int(operand(d, "multigammaln", 1))  # fractions are truncated, as in JAX

    def kernel(x: Buffer, _: Buffer) -> Buffer:
        terms = k.log_gamma(x[..., None] - np.arange(count) / 2)
        return terms.sum(-1) + count * (count - 1) / 4 * math.log(math.pi)

    return evaluate("multigammaln", kernel, a, count, weak="never")


def poch(z: ArrayLike, m: ArrayLike) -> Array:
    """Compute Pochhammer's symbol, ``gamma(z + m) / gamma(z)``.

    Parameters
    ----------
    z, m : array_like
        The arguments.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.poch(2.0, xp.asarray([1.0, 3.0]))
    Array([ 2., 24.], dtype=float32)
    """
    return evaluate("poch", ratios.rising, z, m, weak="never", refusal=ValueError)


def polygamma(n: ArrayLike, x: ArrayLike) -> Array:
    """Compute the derivatives of `digamma`.

    Parameters
    ----------
    n : array_like of int
        The order of the derivative.
    x : array_like
        The argument.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.polygamma(1, xp.asarray([1.0, 2.0]))
    Array([1.644934  , 0.64493406], dtype=float32)
    """
    order = operand(n, "polygamma")
    if order._node.kind not in "iu":
        raise ValueError(f"polygamma: n must be an integer, got dtype {order.dtype}")
    return evaluate("polygamma", ratios.derivative_of_digamma, order, x, refusal=ValueError)


def zeta(x: ArrayLike, q: ArrayLike | None = None) -> Array:
    """Compute Hurwitz's zeta function, the sum of ``(k + q)**-x`` from k = 0 on.

    Parameters
    ----------
    x : array_like
        The exponent.
    q : array_like
        The shift; must be given, as in JAX. Riemann's function has 1.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.zeta(2.0, 1.0)
    Array(1.644934, dtype=float32, weak_type=True)
    """
    if q is None:
        raise NotImplementedError("zeta: q must be given; pass 1.0 for Riemann's zeta function")
    return evaluate("zeta", series.zeta, x, q)


def _is_complex(x: ArrayLike, function: str) -> bool:
    return to_inexact(operand(x, function)._node).kind == "c"


publish(__name__, home="supremum.scipy.special")
