"""The gamma function and its kin, of ``jax.scipy.special``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from supremum._base.boundary import publish
from supremum._base.buffers import Buffer
from supremum._core.arguments import promote_operands
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand
from supremum._core.dtypes import to_inexact
from supremum._core.typing import ArrayLike
from supremum._kernels import complex_numbers, special as k
from supremum._kernels.casts import cast

__all__ = ["betaln", "digamma", "factorial", "gamma", "gammaln", "loggamma"]


def apply_kernel(
    function: str, kernel: Callable[..., Any], *xs: ArrayLike, kinds: str = "f", refusal: type[Exception] = TypeError
) -> Array:
    """Compute in the inexact dtype that the arguments promote to; narrow dtypes in float32, rounded once."""
    node, buffers = promote_operands(function, *xs)
    node = to_inexact(node)
    if node.kind not in kinds:
        raise refusal(f"{function}: complex numbers are not accepted, got dtype {node.dtype}")
    return wrap(cast(np.asarray(kernel(*[cast(cast(data, node), node.wide) for data in buffers])), node), node)


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
    # JAX's result is strong.
    node = to_inexact(operand(x, "gamma")._node).strong
    return wrap(apply_kernel("gamma", complex_numbers.gamma if node.kind == "c" else k.gamma, x, kinds="fc")._data, node)


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
    return apply_kernel("digamma", k.digamma, x)


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
    return apply_kernel("gammaln", k.log_gamma, x)


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
    node = to_inexact(operand(x, "loggamma")._node)
    if node.kind == "c":
        # JAX's result is strong.
        return wrap(apply_kernel("loggamma", complex_numbers.log_gamma, x, kinds="c")._data, node.strong)
    return apply_kernel("loggamma", lambda a: np.where(a > 0, k.log_gamma(a), a.dtype.type(np.nan)), x)


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

    return apply_kernel("betaln", kernel, a, b)


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
    return apply_kernel("factorial", lambda a: np.where(a < 0, a.dtype.type(0), k.gamma(a + 1)), n)


publish(__name__, home="supremum.scipy.special")
