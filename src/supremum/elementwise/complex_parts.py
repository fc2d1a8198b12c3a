"""Parts, conjugates and angles of complex numbers."""

from __future__ import annotations

from typing import Any, Final

from supremum._array import Array, unary
from supremum._conversion import operand
from supremum._dispatch import UNARY, UnaryOperation

__all__ = [
    "conj", "conjugate", "imag", "real",
]  # fmt: skip

_CONJ: Final[UnaryOperation] = UNARY["conj"]
_IMAG: Final[UnaryOperation] = UNARY["imag"]
_REAL: Final[UnaryOperation] = UNARY["real"]


def conj(x: Any, /) -> Array:
    """Complex conjugate.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The conjugates; real numbers as they are.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.conj(xp.asarray([1 + 2j, 3 - 1j]))
    Array([1.-2.j, 3.+1.j], dtype=complex64)
    """
    return unary(_CONJ, x if type(x) is Array else operand(x, "conj"))


def imag(val: Any, /) -> Array:
    """Imaginary part.

    Parameters
    ----------
    val : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The imaginary parts, real; zeros for real numbers.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.imag(xp.asarray([1 + 2j, 3 - 1j]))
    Array([ 2., -1.], dtype=float32)
    """
    return unary(_IMAG, val if type(val) is Array else operand(val, "imag"))


def real(val: Any, /) -> Array:
    """Real part.

    Parameters
    ----------
    val : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The real parts; real numbers as they are.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.real(xp.asarray([1 + 2j, 3 - 1j]))
    Array([1., 3.], dtype=float32)
    """
    return unary(_REAL, val if type(val) is Array else operand(val, "real"))


# The names that NumPy and JAX have for the same functions.
conjugate: Final = conj
