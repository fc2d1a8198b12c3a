"""Rounding to integers and to decimals."""

# Decorated definitions have no body, and a module exports nothing that it imports.
# mypy: disable-error-code="empty-body", no-implicit-reexport
# pyright: reportReturnType=false, reportUnsupportedDunderAll=false
from __future__ import annotations

from typing import Final

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import as_integer
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import operand, refuse_out
from supremum._core.dtype_objects import to_inexact
from supremum._core.operators import unary
from supremum._core.plans import Operation
from supremum._core.rules import Elementwise, Result
from supremum._core.settings import state
from supremum._functions.elementwise._calls import elementwise
from supremum._kernels import pointwise as k
from supremum._kernels.casts import cast
from supremum._kernels.pointwise import round_to_decimals

__all__ = ["around", "ceil", "floor", "rint", "round", "trunc"]

_ROUND: Final = Operation(Elementwise("round", 1, "iufc", Result.SAME, np.rint, k.UNCHANGED, error=ValueError))


@elementwise("biuf", Result.SAME, np.ceil, k.UNCHANGED, constant="steps")
def ceil(x: ArrayLike, /) -> Array:
    """Round towards positive infinity.

    Parameters
    ----------
    x : array_like
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


@elementwise("biuf", Result.SAME, np.floor, k.UNCHANGED, constant="steps")
def floor(x: ArrayLike, /) -> Array:
    """Round towards negative infinity.

    Parameters
    ----------
    x : array_like
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


@public(kind="elementwise", constant="steps")
def rint(x: ArrayLike, /) -> Array:
    """Round to the nearest integer, in floating point; halves go to the even neighbour.

    Parameters
    ----------
    x

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
    array = operand(x, "rint")
    node = array._node
    if node.kind not in "biu":
        return unary(_ROUND, array)
    # JAX returns the default float, which would lose digits of 64-bit integers while the defaults have 32.
    node = to_inexact(node).strong if node.bits == 64 else state().float_
    return wrap(cast(array._data, node), node)


@public(row=_ROUND, kind="elementwise", constant="steps")
def round(a: ArrayLike, decimals: int = 0, out: None = None) -> Array:
    """Round to integers or to `decimals` decimals; halves go to the even neighbour.

    Parameters
    ----------
    a : array_like
        Numbers; the parts of a complex number are rounded each on its own.
    decimals : int, optional
        How many decimals to keep; negative numbers round to tens, hundreds and so on.
    out

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
    x = operand(a, "round")
    refuse_out(out, "round")
    if decimals == 0 and type(decimals) is int:
        return unary(_ROUND, x)
    return _round_to_decimals(x, as_integer(decimals, "decimals"))


@elementwise("biuf", Result.SAME, np.trunc, k.UNCHANGED, constant="steps")
def trunc(x: ArrayLike) -> Array:
    """Round towards zero.

    Parameters
    ----------
    x : array_like
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


def _round_to_decimals(x: Array, decimals: int) -> Array:
    """Round to decimals, which leaves integers as they are."""
    node = x._node
    if node.kind in "iu" and decimals < 0:
        raise NotImplementedError(
            f"round: integers are not rounded to negative decimals, got {decimals}; cast to a float first"
        )
    if node.kind in "biu":
        return unary(_ROUND, x)
    wide = x._data if node.native else x._data.astype(np.float32 if node.kind == "f" else np.complex64)
    node = node.strong if x.ndim else node  # JAX scales by an array of the shape of `x`, and a Python scalar by a scalar
    return wrap(cast(round_to_decimals(wide, decimals), node), node)


# NumPy's and JAX's names of the same functions.
around = round
