"""Bessel functions, hypergeometric functions and spherical harmonics."""

from __future__ import annotations

import operator

import numpy as np

from supremum._base.boundary import publish
from supremum._core.arguments import promote_operands
from supremum._core.array import Array, wrap
from supremum._core.conversion import as_array, operand
from supremum._core.dtypes import complex_of, to_inexact
from supremum._core.settings import state
from supremum._core.typing import ArrayLike
from supremum._kernels import special as k
from supremum._kernels.casts import cast
from supremum.scipy import _series as series
from supremum.scipy._evaluation import evaluate

__all__ = ["bessel_jn", "hyp1f1", "hyp2f1", "i0", "i0e", "i1", "i1e", "sph_harm_y"]


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
    return evaluate("bessel_jn", lambda x: series.bessel_j(x, order, least), as_array(z), weak="never")


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
    return evaluate("hyp1f1", series.hyp1f1, *map(as_array, (a, b, x)), weak="never", refusal=ValueError)


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
    return evaluate("hyp2f1", series.hyp2f1, *map(as_array, (a, b, c, x)), weak="never")


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
    return evaluate("i0", k.i0, x, double=False)


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
    return evaluate("i0e", k.i0e, x, double=False)


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
    return evaluate("i1", series.i1, x)


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
    return evaluate("i1e", series.i1e, x)


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
    # JAX's recurrence has constants of the default float dtype, to which the result promotes.
    node = complex_of(state().join_all([to_inexact(node), state().float_])).strong
    degree = degree if n_max is None else np.minimum(degree, operator.index(n_max))
    size = np.abs(order)
    values = series.legendre(degree, size, np.cos(np.atleast_1d(polar).astype(np.float64)))
    values = values * np.exp(1j * size * azimuth.astype(np.float64))
    values = np.where(order < 0, (-1.0) ** size * values.conj(), values)
    return wrap(cast(values, node), node)


publish(__name__, home="supremum.scipy.special")
