"""Bessel and hypergeometric functions, and spherical harmonics."""

# Decorated definitions have no body.
# mypy: disable-error-code="empty-body"
# pyright: reportReturnType=false
from __future__ import annotations

import operator

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.buffers import Buffer
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import as_array, operand, promote_operands
from supremum._core.dtype_objects import complex_of, to_inexact
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum.scipy._evaluation import INEXACT, evaluate, library, special_function

__all__ = ["bessel_jn", "hyp1f1", "hyp2f1", "i0", "i0e", "i1", "i1e", "sph_harm_y"]


@public
def bessel_jn(z: ArrayLike, *, v: int, n_iter: int = 50) -> Array:
    """Compute the Bessel functions of the first kind of orders 0 to `v`.

    Parameters
    ----------
    z
    v : int
        The greatest order.
    n_iter : int
        The number of steps of the recurrence in JAX; without effect.

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
    order, _ = call_user_code(operator.index, v), call_user_code(operator.index, n_iter)

    def kernel(x: Buffer) -> Buffer:
        orders = np.arange(order + 1).reshape(-1, *[1] * x.ndim)
        return np.where(np.isfinite(x), library.jv(orders, x), np.nan)

    return evaluate("bessel_jn", kernel, as_array(z), weak="never")


#: Arguments up to which SciPy computes Kummer's function in less than a millisecond: Boost takes time in proportion to them.
_FAR = 1e9


def _hyp1f1(a: Buffer, b: Buffer, x: Buffer) -> Buffer:
    if not (np.abs(x) > _FAR).any():
        return np.asarray(library.hyp1f1(a, b, x))
    # It is 0 or overflows there, but for polynomials, and for parameters as large.
    a, b, wide = [part.astype(np.float64) for part in (a, b, x)]
    wide = np.where((a <= 0) & (a == np.floor(a)), wide, np.clip(wide, -1e300, _FAR))
    return np.asarray(library.hyp1f1(a, b, wide)).astype(x.dtype)


def _hyp2f1(a: Buffer, b: Buffer, c: Buffer, x: Buffer) -> Buffer:
    found = np.asarray(library.hyp2f1(a, b, c, x))
    return np.where((x == -np.inf) & (a > 0) & (b > 0), x.dtype.type(0), found) if np.isinf(x).any() else found


@public(kind="elementwise")
def hyp1f1(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """Compute the confluent hypergeometric function of Kummer.

    Parameters
    ----------
    a, b : array_like
        The parameters.
    x

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
    return evaluate("hyp1f1", _hyp1f1, *map(as_array, (a, b, x)), weak="never", refusal=ValueError, double=False)


@public(plain=Plain(_hyp2f1, arrays=4, kinds="f"), kind="elementwise")
def hyp2f1(a: ArrayLike, b: ArrayLike, c: ArrayLike, x: ArrayLike) -> Array:
    """Compute the hypergeometric function of Gauss, for arguments up to 1.

    Parameters
    ----------
    a, b, c : array_like
        The parameters.
    x

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
    return evaluate("hyp2f1", _hyp2f1, *map(as_array, (a, b, c, x)), weak="never", double=False)


@special_function(INEXACT, slope="i1(x)")
def i0(x: ArrayLike) -> Array:
    """Compute the modified Bessel function of order 0, the sum of ``(x / 2)**(2 * k) / k!**2``.

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
    >>> xp.scipy.special.i0(xp.asarray([0.0, 1.0]))
    Array([1.       , 1.2660658], dtype=float32)
    """


@special_function(INEXACT, slope="i1e(x) - sign(x) * out")
def i0e(x: ArrayLike) -> Array:
    """Compute the exponentially scaled modified Bessel function of order 0, ``exp(-abs(x)) * i0(x)``.

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
    >>> xp.scipy.special.i0e(xp.asarray([0.0, 1.0]))
    Array([1.       , 0.4657596], dtype=float32)
    """


@special_function(INEXACT, slope="where(x == 0, 0.5, i0(x) - out / where(x == 0, 1, x))")
def i1(x: ArrayLike) -> Array:
    """Compute the modified Bessel function of order 1.

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
    >>> xp.scipy.special.i1(xp.asarray([0.0, 1.0]))
    Array([0.       , 0.5651591], dtype=float32)
    """


@special_function(INEXACT, slope="where(x == 0, 0.5, i0e(x) - out * (sign(x) + 1 / where(x == 0, 1, x)))")
def i1e(x: ArrayLike) -> Array:
    """Compute the exponentially scaled modified Bessel function of order 1, ``exp(-abs(x)) * i1(x)``.

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
    >>> xp.scipy.special.i1e(xp.asarray([0.0, 1.0]))
    Array([0.        , 0.20791042], dtype=float32)
    """


@public
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
    node, angles = promote_operands("sph_harm_y", theta, phi)
    # JAX's recurrence has constants of the default float dtype, to which the result promotes.
    node = complex_of(state().join_all([to_inexact(node), state().float_])).strong
    degree = degree if n_max is None else np.minimum(degree, call_user_code(operator.index, n_max))
    polar, azimuth = [angle.astype(np.float64) for angle in angles]
    return wrap(cast(np.asarray(library.sph_harm_y(degree, order, np.atleast_1d(polar), azimuth)), node), node)
