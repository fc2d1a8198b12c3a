"""Windows for signal processing."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import ShapeError, describe
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import Buffer, operand
from supremum._core.settings import state
from supremum._kernels.casts import cast

__all__ = ["bartlett", "blackman", "hamming", "hanning", "kaiser"]


def _window(M: Any, function: str, formula: Callable[[Buffer, int], Any]) -> Array:
    """Evaluate a formula at the points of a window, in the default floating-point dtype."""
    try:
        points = call_user_code(int, M)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{function}: M must be a number of points, got {describe(M)}") from None
    if points > sys.maxsize >> 4:
        raise MemoryError(f"{function}: {points} points do not fit into memory")
    if points < 0:
        raise ShapeError(f"{function}: M must not be negative, got {M}")
    node = state().float_
    if points <= 1:
        return wrap(np.ones(points, node.dtype), node)
    return wrap(cast(np.asarray(formula(np.arange(points, dtype=node.dtype), points)), node), node)


def _cosines(M: object, function: str, *weights: float) -> Array:
    """Evaluate a sum of cosines: the constant and the weights of one, two ... periods."""

    def formula(n: Buffer, points: int) -> Any:
        total: Any = weights[0]
        for k in range(1, len(weights)):
            total = total + weights[k] * np.cos(2 * k * math.pi * n / (points - 1))
        return total

    return _window(M, function, formula)


@public
def bartlett(M: int) -> Array:
    """Return a triangular window.

    Parameters
    ----------
    M

    Returns
    -------
    Array
        The window.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.bartlett(3)
    Array([0., 1., 0.], dtype=float32)
    """
    return _window(M, "bartlett", lambda n, points: 1 - np.abs(2 * n + 1 - points) / (points - 1))


@public
def blackman(M: int) -> Array:
    """Return the Blackman window, a sum of two cosines.

    Parameters
    ----------
    M

    Returns
    -------
    Array
        The window.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.blackman(5).round(2)
    Array([-0.  ,  0.34,  1.  ,  0.34, -0.  ], dtype=float32)
    """
    return _cosines(M, "blackman", 0.42, -0.5, 0.08)


@public
def hamming(M: int) -> Array:
    """Return the Hamming window, a raised cosine that does not reach zero.

    Parameters
    ----------
    M

    Returns
    -------
    Array
        The window.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.hamming(3)[1]
    Array(1., dtype=float32)
    """
    return _cosines(M, "hamming", 0.54, -0.46)


@public
def hanning(M: int) -> Array:
    """Return the Hann window, a raised cosine.

    Parameters
    ----------
    M

    Returns
    -------
    Array
        The window.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.hanning(3)
    Array([0., 1., 0.], dtype=float32)
    """
    return _cosines(M, "hanning", 0.5, -0.5)


@public
def kaiser(M: int, beta: ArrayLike) -> Array:
    """Return the Kaiser window, a Bessel function.

    Parameters
    ----------
    M
    beta : array_like
        The shape of the window: 0 is a rectangle.

    Returns
    -------
    Array
        The window.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.kaiser(3, 0.0)
    Array([1., 1., 1.], dtype=float32)
    """
    given = operand(beta, "kaiser", 1)
    if given.size != 1 or given._node.kind == "c":
        raise TypeError(f"kaiser: beta must be a real number, got shape {given.shape} and dtype {given.dtype}")
    shape = float(given._data.item())

    def formula(n: Buffer, points: int) -> Any:
        half = 0.5 * (points - 1)
        return np.i0(shape * np.sqrt(1 - ((n - half) / half).astype(np.float64) ** 2)) / np.i0(shape)

    return _window(M, "kaiser", formula)
