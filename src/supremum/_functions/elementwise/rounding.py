"""Rounding to integers and to decimals."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from supremum._base.boundary import publish
from supremum._base.errors import whole
from supremum._core.arguments import refuse_out, strong
from supremum._core.array import Array, unary, wrap
from supremum._core.conversion import operand
from supremum._core.dtypes import to_inexact
from supremum._core.plans import UNARY
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum._kernels.elementwise import round_to_decimals

__all__ = [
    "around", "ceil", "floor", "rint", "round", "trunc",
]  # fmt: skip

_CEIL: Final = UNARY["ceil"]
_FLOOR: Final = UNARY["floor"]
_TRUNC: Final = UNARY["trunc"]
_ROUND: Final = UNARY["round"]


def ceil(x: Any, /) -> Array:
    """Least integer that is not below `x`.

    Parameters
    ----------
    x : Array or scalar
        Real numbers.

    Returns
    -------
    Array
        The integers, in the dtype of `x`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.ceil(xp.asarray([1.2, -1.2]))
    Array([ 2., -1.], dtype=float32)
    """
    return unary(_CEIL, x if type(x) is Array else operand(x, "ceil"))


def floor(x: Any, /) -> Array:
    """Greatest integer that is not above `x`.

    Parameters
    ----------
    x : Array or scalar
        Real numbers.

    Returns
    -------
    Array
        The integers, in the dtype of `x`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.floor(xp.asarray([1.2, -1.2]))
    Array([ 1., -2.], dtype=float32)
    """
    return unary(_FLOOR, x if type(x) is Array else operand(x, "floor"))


def rint(x: Any, /) -> Array:
    """Nearest integer, floating; halves go to the even neighbour.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The rounded numbers; integers and truth values in the default floating dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.rint(xp.asarray([0.5, 1.5, -1.7]))
    Array([ 0.,  2., -2.], dtype=float32)
    >>> xp.rint(xp.asarray([1, 2]))
    Array([1., 2.], dtype=float32)
    """
    array = x if type(x) is Array else operand(x, "rint")
    node = array._node
    if node.kind not in "biu":
        return unary(_ROUND, array)
    # JAX gives the default float, which would lose digits of 64-bit integers while the defaults have 32.
    node = strong(to_inexact(node)) if node.bits == 64 else state().float_
    return wrap(cast(array._data, node), node)


def round(a: Any, decimals: int = 0, out: Any = None) -> Array:
    """Nearest integer, or nearest number with `decimals` decimals; halves go to the even neighbour.

    Parameters
    ----------
    a : Array or scalar
        Numbers; the parts of a complex number are rounded each on its own.
    decimals : int, optional
        Decimals to keep; negative ones round to tens, hundreds and so on.
    out : None
        Not supported.

    Returns
    -------
    Array
        The rounded numbers, in the dtype of `a`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.round(xp.asarray([0.5, 1.5, -1.7]))
    Array([ 0.,  2., -2.], dtype=float32)
    >>> xp.round(xp.asarray([3.14159, 2.71828]), 2)
    Array([3.14, 2.72], dtype=float32)
    """
    x = a if type(a) is Array else operand(a, "round")
    if out is not None:
        refuse_out(out, "round")
    return unary(_ROUND, x) if decimals == 0 and type(decimals) is int else _to_decimals(x, whole(decimals, "decimals"))


def trunc(x: Any) -> Array:
    """Integer part of `x`: rounded towards zero.

    Parameters
    ----------
    x : Array or scalar
        Real numbers.

    Returns
    -------
    Array
        The integers, in the dtype of `x`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.trunc(xp.asarray([1.8, -1.8]))
    Array([ 1., -1.], dtype=float32)
    """
    return unary(_TRUNC, x if type(x) is Array else operand(x, "trunc"))


def _to_decimals(x: Array, decimals: int) -> Array:
    node = x._node
    if node.kind in "iu" and decimals < 0:
        raise NotImplementedError(
            f"round: integers are not rounded to negative decimals, got {decimals}; cast to a float first"
        )
    if node.kind in "biu":
        return unary(_ROUND, x)
    wide = x._data if node.native else x._data.astype(np.float32 if node.kind == "f" else np.complex64)
    node = strong(node) if x.ndim else node  # JAX scales by an array of the shape of `x`, and a Python scalar by a scalar
    return wrap(cast(round_to_decimals(wide, decimals), node), node)


# The names that NumPy and JAX have for the same functions.
around: Final = round

publish(__name__, only=("around", "rint", "round"))
