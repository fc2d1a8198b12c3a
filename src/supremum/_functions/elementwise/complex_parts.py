"""Parts, conjugates and angles of complex numbers."""

# Decorated definitions have no body, and a module exports nothing that it imports.
# mypy: disable-error-code="empty-body", no-implicit-reexport
# pyright: reportReturnType=false, reportUnsupportedDunderAll=false
from __future__ import annotations

from typing import Any

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.key_dtype import KEY_DTYPE, refuse_keys
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import as_array, operand
from supremum._core.dtype_objects import to_inexact
from supremum._core.operators import OPERATIONS, binary, row_of, unary
from supremum._core.rules import Result
from supremum._core.settings import state
from supremum._functions.elementwise._calls import elementwise
from supremum._functions.elementwise.trigonometry import atan2, rad2deg
from supremum._kernels import pointwise as k
from supremum._kernels.casts import cast
from supremum._kernels.plain import numeric as plain
from supremum.promotion._nodes import NODES, node_of_dtype

__all__ = ["angle", "conj", "conjugate", "imag", "iscomplex", "iscomplexobj", "isreal", "isrealobj", "real"]


def _angle_parts(xp: Any, z: Any, deg: bool = False) -> Any:
    found = xp.atan2(xp.imag(z), xp.real(z)) if xp.iscomplexobj(z) else xp.atan2(xp.zeros_like(z), z)
    return xp.rad2deg(found) if deg else found


@public(role="inexact", plain=Plain(plain.angle, kinds="c"), kind="elementwise", parts=_angle_parts)
def angle(z: ArrayLike, deg: bool = False) -> Array:
    """Compute the angle of complex numbers, between −π and π.

    Parameters
    ----------
    z : array_like
        Numbers.
    deg : bool, optional
        Whether to return degrees instead of radians.

    Returns
    -------
    Array
        The angles, real.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.angle(xp.asarray([1j, -1 + 0j])).round(4)
    Array([1.5708, 3.1416], dtype=float32)
    >>> xp.angle(1 + 1j, deg=True)
    Array(45., dtype=float32, weak_type=True)
    """
    x = operand(z, "angle")
    parts = [unary(row_of(imag), x), unary(row_of(real), x)]
    if x._node.kind in "biu" or (x._node.kind == "f" and not x.ndim):
        # JAX returns the default float, whatever the width.
        node = to_inexact(x._node).strong if x._node.bits == 64 else state().float_
        parts = [wrap(cast(part._data, node), node) for part in parts]
    result = binary(row_of(atan2), *parts)
    return unary(row_of(rad2deg), result) if deg else result


@elementwise("biufc", Result.SAME, np.conjugate, k.UNCHANGED | {"f": k.unchanged})
def conj(x: ArrayLike, /) -> Array:
    """Compute the complex conjugate.

    Parameters
    ----------
    x

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


@elementwise("biufc", Result.PART, k.imag, fast="imag")
def imag(val: ArrayLike, /) -> Array:
    """Return the imaginary part.

    Parameters
    ----------
    val : array_like
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


@public(kind="elementwise")
def iscomplex(x: ArrayLike) -> Array:
    """Test whether elements have an imaginary part other than zero.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.iscomplex(xp.asarray([1 + 2j, 3 + 0j]))
    Array([ True, False], dtype=bool)
    """
    return _compare_imag("not_equal", operand(x, "iscomplex"), real_result=False)


@public(silent=False, constant="shapes")
def iscomplexobj(x: Any) -> bool:
    """Test whether an object is a complex number or has a complex dtype, whatever the values.

    Parameters
    ----------
    x : object
        Anything.

    Returns
    -------
    bool
        Whether it is complex; False for what is no number.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.iscomplexobj(xp.asarray([1 + 0j])), xp.iscomplexobj([1, 2.5])
    (True, False)
    """
    if type(x) is Array:
        return x._node.kind == "c"
    if isinstance(x, complex | np.complexfloating):
        return True
    if x is None or isinstance(x, bool | int | float | str):
        return False
    dtype = getattr(x, "dtype", None)
    if dtype is None:
        dtype = as_array(x).dtype
    node = None if dtype is KEY_DTYPE else node_of_dtype(np.dtype(dtype))
    return node is not None and node.kind == "c"


@public(kind="elementwise")
def isreal(x: ArrayLike) -> Array:
    """Test whether elements have no imaginary part other than zero.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.isreal(xp.asarray([1 + 2j, 3 + 0j]))
    Array([False,  True], dtype=bool)
    """
    return _compare_imag("equal", operand(x, "isreal"), real_result=True)


def _compare_imag(comparison: str, x: Array, *, real_result: bool) -> Array:
    """Compare the imaginary parts with 0; for real dtypes, even one without a zero, the result is known."""
    refuse_keys(x._node.kind)
    if x._node.kind == "c":
        return binary(OPERATIONS[comparison], unary(row_of(imag), x), 0)
    return wrap(np.full(x.shape, real_result), NODES["bool"])


@public(silent=False, constant="shapes")
def isrealobj(x: Any) -> bool:
    """Test whether an object is neither a complex number nor has a complex dtype.

    Parameters
    ----------
    x : object
        Anything.

    Returns
    -------
    bool
        Whether it is not complex.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.isrealobj(xp.asarray([1 + 0j])), xp.isrealobj([1, 2.5])
    (False, True)
    """
    return x._node.kind != "c" if type(x) is Array else not iscomplexobj(x)


@elementwise("biufc", Result.PART, k.real, fast="real")
def real(val: ArrayLike, /) -> Array:
    """Return the real part.

    Parameters
    ----------
    val : array_like
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


# NumPy's and JAX's names of the same functions.
conjugate = conj
