"""The incomplete functions, integrals, series and Bessel functions of ``jax.scipy.special``."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

import numpy as np

from supremum._base.boundary import publish
from supremum._base.buffers import Buffer
from supremum._core.arguments import promote_operands
from supremum._core.array import Array, wrap
from supremum._core.conversion import as_array, operand
from supremum._core.dtypes import complex_of, to_inexact
from supremum._core.settings import state
from supremum._core.typing import ArrayLike
from supremum._kernels import special as k
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES
from supremum.scipy import _incomplete as incomplete, _integrals as integrals, _ratios as ratios, _series as series
from supremum.scipy._gamma import apply_kernel

__all__ = [
    "bernoulli", "bessel_jn", "beta", "betainc", "comb", "dawsn", "erfcx", "exp1", "expi", "expn", "fresnel", "gammainc",
    "gammaincc", "gammasgn", "hyp1f1", "hyp2f1", "i1", "i1e", "multigammaln", "owens_t", "poch", "polygamma", "sici",
    "spence", "sph_harm_y", "wofz", "zeta",
]  # fmt: skip


def _in_double(kernel: Callable[..., Buffer]) -> Callable[..., Buffer]:
    return lambda *xs: kernel(*[np.asarray(x, np.float64) for x in xs])


def _compute(function: str, kernel: Callable[..., Buffer], *xs: ArrayLike) -> Array:
    """Apply a kernel of float64 to real arguments that promote."""
    # JAX's functions that are primitives of its compiler raise TypeError, the others ValueError.
    refusal = TypeError if function in ("comb", "gammainc", "gammaincc", "i1", "i1e", "zeta") else ValueError
    return apply_kernel(function, _in_double(kernel), *xs, refusal=refusal)


def _compute_strong(function: str, kernel: Callable[..., Buffer], *xs: ArrayLike) -> Array:
    """Apply a kernel likewise; the result is never weak, as in JAX."""
    found = _compute(function, kernel, *xs)
    return wrap(found._data, found._node.strong)


def _compute_both(function: str, kernel: Callable[..., tuple[Buffer, Buffer]], x: ArrayLike) -> tuple[Array, Array]:
    """Apply a kernel of two results likewise, once."""
    found = _compute_strong(function, lambda z: np.stack(kernel(z)), x)
    return wrap(found._data[0, ...], found._node), wrap(found._data[1, ...], found._node)


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


def bessel_jn(z: ArrayLike, *, v: int, n_iter: int = 50) -> Array:
    """Compute the Bessel functions of the first kind of orders 0 to `v`.

    Parameters
    ----------
    z : array_like
        The argument.
    v : int
        The greatest order.
    n_iter : int
        The least number of steps of the recurrence; more are made where the argument needs them.

    Returns
    -------
    Array
        The values; the orders are along the first axis.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.bessel_jn(xp.asarray([1.0, 2.0]), v=1)
    Array([[0.7651977 , 0.22389078],
           [0.44005057, 0.5767248 ]], dtype=float32)
    """
    order, least = operator.index(v), operator.index(n_iter)
    array = as_array(z)
    if array._node.kind == "c":
        raise ValueError("bessel_jn: complex numbers are not accepted")
    return _compute("bessel_jn", lambda x: series.bessel_j(x, order, least), array)


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
    return _compute_strong("beta", ratios.beta, a, b)


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
    return _compute("betainc", incomplete.beta_regularized, a, b, x)


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
    return _compute("comb", ratios.combinations_with_repetition if repetition else ratios.combinations, N, k)


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
    return _compute_strong("dawsn", integrals.dawsn, x)


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
        return apply_kernel("erfcx", lambda z: integrals.wofz(1j * z).astype(z.dtype), x, kinds="c")
    return _compute_strong("erfcx", integrals.erfcx, x)


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
    return _compute_strong("exp1", integrals.exp1, x)


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
    return _compute_strong("expi", integrals.expi, x)


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
    return _compute_strong("expn", integrals.expn, n, x)


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
    return _compute_both("fresnel", integrals.fresnel, x)


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
    return _compute("gammainc", incomplete.gamma_lower, a, x)


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
    return _compute("gammaincc", incomplete.gamma_upper, a, x)


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
    return _compute_strong("gammasgn", ratios.gamma_sign, x)


def hyp1f1(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """Compute the confluent hypergeometric function of Kummer.

    Parameters
    ----------
    a, b : array_like
        The parameters.
    x : array_like
        The argument.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.hyp1f1(1.0, 2.0, xp.asarray([0.5, 1.0]))
    Array([1.2974426, 1.7182819], dtype=float32)
    """
    return _compute("hyp1f1", series.hyp1f1, a, b, x)


def hyp2f1(a: ArrayLike, b: ArrayLike, c: ArrayLike, x: ArrayLike) -> Array:
    """Compute the hypergeometric function of Gauss, for arguments up to 1.

    Parameters
    ----------
    a, b, c : array_like
        The parameters.
    x : array_like
        The argument.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.hyp2f1(1.0, 2.0, 3.0, xp.asarray([0.25, 0.5]))
    Array([1.2058263, 1.5451775], dtype=float32)
    """
    return _compute("hyp2f1", series.hyp2f1, a, b, c, x)


def i1(x: ArrayLike) -> Array:
    """Compute the modified Bessel function of order 1.

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
    >>> xp.scipy.special.i1(xp.asarray([0.0, 1.0]))
    Array([0.       , 0.5651591], dtype=float32)
    """
    return _compute("i1", series.i1, x)


def i1e(x: ArrayLike) -> Array:
    """Compute the exponentially scaled modified Bessel function of order 1, ``exp(-abs(x)) * i1(x)``.

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
    >>> xp.scipy.special.i1e(xp.asarray([0.0, 1.0]))
    Array([0.        , 0.20791042], dtype=float32)
    """
    return _compute("i1e", series.i1e, x)


def multigammaln(a: ArrayLike, d: int) -> Array:
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
    count = operator.index(d)

    def kernel(x: Buffer, _: Buffer) -> Buffer:
        terms = k.log_gamma(x[..., None] - np.arange(count) / 2)
        return terms.sum(-1) + count * (count - 1) / 4 * math.log(math.pi)

    return _compute("multigammaln", kernel, a, d)


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
    return _compute("owens_t", integrals.owens_t, h, a)


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
    return _compute("poch", ratios.rising, z, m)


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
    return _compute("polygamma", ratios.derivative_of_digamma, order, x)


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
    return _compute_both("sici", integrals.sici, x)


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
    array = as_array(x)
    if array._node.kind != "f" or array._node.bits < 32:
        raise TypeError(f"spence: the argument must have dtype float32 or float64, got {array.dtype}; cast it first")
    return _compute("spence", integrals.spence, wrap(array._data, array._node.strong))


def sph_harm_y(
    n: ArrayLike, m: ArrayLike, theta: ArrayLike, phi: ArrayLike, diff_n: int | None = None, n_max: int | None = None
) -> Array:
    """Compute the spherical harmonics.

    Parameters
    ----------
    n, m : array_like of int
        The degree and the order.
    theta, phi : array_like
        The polar angle and the azimuth.
    diff_n : None
        Must be None, as in JAX.
    n_max : int, optional
        The greatest degree; greater ones count as it.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.sph_harm_y(xp.asarray([1]), xp.asarray([0]), xp.asarray([0.0]), xp.asarray([0.0]))
    Array([0.48860252+0.j], dtype=complex64)
    """
    if diff_n is not None:
        raise NotImplementedError("sph_harm_y: diff_n must be None, as in JAX")
    degree, order = [operand(x, "sph_harm_y")._data.astype(np.int64) for x in (n, m)]
    node, (polar, azimuth) = promote_operands("sph_harm_y", theta, phi)
    node = complex_of(to_inexact(node)).strong
    degree = degree if n_max is None else np.minimum(degree, operator.index(n_max))
    size = np.abs(order)
    values = series.legendre(degree, size, np.cos(np.atleast_1d(polar).astype(np.float64)))
    values = values * np.exp(1j * size * azimuth.astype(np.float64))
    values = np.where(order < 0, (-1.0) ** size * values.conj(), values)
    return wrap(cast(values, node), node)


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
    return _compute("zeta", series.zeta, x, q)


publish(__name__, home="supremum.scipy.special")
