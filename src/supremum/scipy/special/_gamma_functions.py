"""The gamma function, its logarithm, derivatives and incomplete integrals, the beta function, and factorials."""

# Decorated definitions have no body.
# mypy: disable-error-code="empty-body"
# pyright: reportReturnType=false
from __future__ import annotations

import math
import operator

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import describe
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import operand
from supremum._core.rules import Result
from supremum._core.settings import state
from supremum._functions.elementwise._calls import elementwise
from supremum._kernels import special_functions as k
from supremum._kernels.casts import cast
from supremum.scipy._evaluation import INEXACT, STRONG, evaluate, library, special_function

__all__ = [
    "bernoulli", "beta", "betainc", "betaln", "comb", "digamma", "factorial", "gamma", "gammainc", "gammaincc", "gammaln",
    "gammasgn", "loggamma", "multigammaln", "poch", "polygamma", "zeta",
]  # fmt: skip

#: The largest order of a Bernoulli number that float64 holds; the number is positive.
_LARGEST_BERNOULLI = 258
#: The most dimensions of multigammaln, whose time grows with them.
_DIMENSIONS = 2**16


@public
def bernoulli(n: int) -> Array:
    """Return Bernoulli's numbers of orders 0 to `n`, of the default float dtype.

    Parameters
    ----------
    n : int
        The greatest order.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.bernoulli(4)
    Array([ 1.        , -0.5       ,  0.16666667,  0.        , -0.03333334],      dtype=float32)
    """
    order = call_user_code(operator.index, n)
    if order < 0:
        raise ValueError(f"bernoulli: n must not be negative, got {order}")
    node = state().float_
    return wrap(cast(bernoulli_numbers(order), node), node)


def bernoulli_numbers(n: int) -> Buffer:
    """Return Bernoulli's numbers of orders 0 to n, which are computed exactly and rounded once."""
    out = np.zeros(n + 1)
    out[:2] = (1.0, -0.5)[: n + 1]
    # B(2 j) is a fraction of the j-th tangent number, which a triangle of integers gives (Brent and Harvey, 2011).
    most = min(n, _LARGEST_BERNOULLI) // 2
    tangents = [math.factorial(j) for j in range(most)]
    for first in range(1, most):
        for j in range(first, most):
            tangents[j] = (j - first) * tangents[j - 1] + (j - first + 2) * tangents[j]
    for j, tangent in enumerate(tangents, 1):
        # The quotient of two Python integers is rounded correctly, however large they are.
        out[2 * j] = (-1) ** (j - 1) * (2 * j * tangent) / (4**j * (4**j - 1))
    out[_LARGEST_BERNOULLI + 2 :: 4], out[_LARGEST_BERNOULLI + 4 :: 4] = -np.inf, np.inf
    return out


@special_function(
    STRONG, error=ValueError, slope=("out * (digamma(a) - digamma(a + b))", "out * (digamma(b) - digamma(a + b))")
)
def beta(a: ArrayLike, b: ArrayLike) -> Array:
    """Compute the beta function, ``gamma(a) * gamma(b) / gamma(a + b)``.

    Parameters
    ----------
    a, b

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


@public(
    plain=Plain(library.kernel("betainc"), arrays=3, kinds="f"),
    kind="elementwise",
    slope=("", "", "exp(xlog1py(b - 1, -x) + xlogy(a - 1, x) - betaln(a, b))"),
)
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
    return evaluate("betainc", library.betainc, a, b, x, refusal=ValueError, double=False)


@special_function(INEXACT, slope=("digamma(a) - digamma(a + b)", "digamma(b) - digamma(a + b)"))
def betaln(a: ArrayLike, b: ArrayLike) -> Array:
    """Compute the logarithm of the absolute value of the beta function, ``gammaln(a) + gammaln(b) - gammaln(a + b)``.

    Parameters
    ----------
    a, b

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


def _subsets(n: Buffer, m: Buffer) -> Buffer:
    return np.where((m <= n) & (m >= 0), library.binom(n, m), n.dtype.type(0))


def _multisets(n: Buffer, m: Buffer) -> Buffer:
    return np.where((m == 0) & (n >= 0), n.dtype.type(1), _subsets(n + m - 1, m))


@elementwise("biuf", INEXACT, _subsets, name="comb", variants=False)
def _without_repetition(n: ArrayLike, m: ArrayLike) -> Array:
    """Compute what `comb` does."""


@elementwise("biuf", INEXACT, _multisets, name="comb", variants=False)
def _with_repetition(n: ArrayLike, m: ArrayLike) -> Array:
    """Compute what `comb` does with repetition."""


@public(composed=True)
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
    return _with_repetition(N, k) if repetition else _without_repetition(N, k)


@special_function(INEXACT, k.digamma, slope="polygamma(1, x)")
def digamma(x: ArrayLike) -> Array:
    """Compute the digamma function, the derivative of `gammaln`.

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
    >>> xp.scipy.special.digamma(xp.asarray([1.0, 2.0]))
    Array([-0.5772157 ,  0.42278433], dtype=float32)
    """


@elementwise(
    "biuf",
    INEXACT,
    lambda n: np.where(n < 0, n.dtype.type(0), library.gamma(n + 1)),
    name="factorial",
    slope="out * special.digamma(n + 1)",
)
def _factorial(n: ArrayLike) -> Array:
    """Compute what `factorial` does."""


@public(composed=True)
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
    return _factorial(n)


@special_function(STRONG, accepts="biufc", slope="out * digamma(x)")
def gamma(x: ArrayLike) -> Array:
    """Compute the gamma function, ``factorial(x - 1)``; NaN at the poles.

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
    >>> xp.scipy.special.gamma(xp.asarray([0.5, 5.0]))
    Array([ 1.7724539, 24.       ], dtype=float32)
    """


@special_function(
    INEXACT, slope=("lax.igamma_grad_a(a + zeros_like(x), x + zeros_like(a))", "exp(xlogy(a - 1, x) - x - gammaln(a))")
)
def gammainc(a: ArrayLike, x: ArrayLike) -> Array:
    """Compute the regularized lower incomplete gamma function.

    Parameters
    ----------
    a
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


@special_function(
    INEXACT, slope=("-lax.igamma_grad_a(a + zeros_like(x), x + zeros_like(a))", "-exp(xlogy(a - 1, x) - x - gammaln(a))")
)
def gammaincc(a: ArrayLike, x: ArrayLike) -> Array:
    """Compute the regularized upper incomplete gamma function.

    Parameters
    ----------
    a
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


@special_function(INEXACT, k.gammaln, slope="digamma(x)")
def gammaln(x: ArrayLike) -> Array:
    """Compute the logarithm of the absolute value of the gamma function.

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
    >>> xp.scipy.special.gammaln(xp.asarray([1.0, 5.0]))
    Array([0.       , 3.1780539], dtype=float32)
    """


@special_function(STRONG, k.gammasgn, error=ValueError, constant="steps")
def gammasgn(x: ArrayLike) -> Array:
    """Compute the sign of the gamma function; NaN at the poles.

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
    >>> xp.scipy.special.gammasgn(xp.asarray([0.5, -0.5]))
    Array([ 1., -1.], dtype=float32)
    """


def _loggamma(x: Buffer) -> Buffer:
    return np.where(x > 0, k.gammaln(x), x.dtype.type(np.nan))


_COMPLEX = {"c": library.kernel("loggamma")}


@special_function(Result.STRONG_IF_COMPLEX, _loggamma, "biufc", _COMPLEX, slope="where(isnan(out), 0, digamma(x))")
def loggamma(x: ArrayLike) -> Array:
    """Compute the principal branch of the logarithm of the gamma function; NaN for negative real numbers.

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
    >>> xp.scipy.special.loggamma(xp.asarray([1.0, 5.0]))
    Array([0.       , 3.1780539], dtype=float32)
    """


@public(last=0, operands="a")
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
    Array(1.550195, dtype=float32)
    """
    count = int(operand(d, "multigammaln", 1))  # fractions are truncated, as in JAX
    if count > _DIMENSIONS:
        raise ValueError(f"multigammaln: d must be at most {_DIMENSIONS}, got {describe(d)}")

    def kernel(x: Buffer, _: Buffer) -> Buffer:
        total = np.full_like(x, count * (count - 1) / 4 * math.log(math.pi))
        for j in range(count):
            total += k.gammaln(x - j / 2)
        return total

    return evaluate("multigammaln", kernel, a, count, weak="never")


@special_function(STRONG, error=ValueError, slope=("out * (digamma(z + m) - digamma(z))", "out * digamma(z + m)"))
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


@public(kind="elementwise", slope=("", "polygamma(n + 1, x)"))
def polygamma(n: ArrayLike, x: ArrayLike) -> Array:
    """Compute the derivatives of `digamma`.

    Parameters
    ----------
    n : array_like of int
        The order of the derivative.
    x

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
    return evaluate("polygamma", derivative_of_digamma, order, x, refusal=ValueError)


def derivative_of_digamma(n: Buffer, x: Buffer) -> Buffer:
    """Compute the derivatives of the digamma function; NaN for orders that are none."""
    next_order = n + 1
    value = np.asarray(library.gamma(next_order) * _zeta(next_order, x))
    np.negative(value, out=value, where=n % 2 == 0)
    if np.count_nonzero(n) != n.size:
        value = np.where(n == 0, k.digamma(x), value)
    whole = np.floor(n) == n
    return value if np.count_nonzero(whole) == whole.size else np.where(whole, value, np.nan)


def _zeta(x: Buffer, q: Buffer) -> Buffer:
    """Compute Hurwitz's zeta function; at its poles NaN for odd exponents, for which it has two signs there, as in JAX."""
    value = np.asarray(library.zeta(x, q))
    if not np.count_nonzero(q <= 0):
        return value
    at_pole = np.where(x % 2 == 0, x.dtype.type(np.inf), x.dtype.type(np.nan))
    return np.where((q <= 0) & (q == np.floor(q)) & (x != 1), at_pole, value)


@public(kind="elementwise")
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
    return evaluate("zeta", _zeta, x, q, double=False)
