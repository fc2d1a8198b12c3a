"""Floating-point representation: neighbours, signs, exponents, infinities and NaN."""

# Decorated definitions have no body, and a module exports nothing that it imports.
# mypy: disable-error-code="empty-body", no-implicit-reexport
# pyright: reportReturnType=false, reportUnsupportedDunderAll=false
from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import shape_error
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import operand, refuse_out
from supremum._core.dtype_objects import finfo, to_inexact
from supremum._core.plans import Operation
from supremum._core.rules import Elementwise, Result
from supremum._functions._rounding import promoted_inexact
from supremum._functions.creation.from_objects import asarray
from supremum._functions.elementwise._calls import elementwise
from supremum._functions.elementwise._folds import broadcast_shape
from supremum._functions.elementwise._steps import apply_binary, drop_weak_unless_scalar
from supremum._functions.elementwise.rounding import trunc
from supremum._kernels import pointwise as k
from supremum._kernels.blocks import blocks
from supremum._kernels.casts import cast
from supremum._kernels.lapack import is_finite
from supremum.promotion._nodes import NODES, Node

__all__ = [
    "copysign", "frexp", "heaviside", "isfinite", "isinf", "isnan", "isneginf", "isposinf", "ldexp", "modf", "nan_to_num",
    "nextafter", "signbit", "spacing",
]  # fmt: skip

_HEAVISIDE: Final = Operation(Elementwise("heaviside", 2, "biuf", Result.INEXACT, np.heaviside))


@elementwise("biuf", Result.INEXACT, np.copysign, slope=("where((x1 >= 0) == signbit(x2), -1, 1)", "0"))
def copysign(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the magnitude of `x1` with the sign of `x2`.

    Parameters
    ----------
    x1, x2 : array_like
        The magnitudes and the signs, real.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.copysign(xp.asarray([1.0, 2.0]), xp.asarray([-0.0, 3.0]))
    Array([-1.,  2.], dtype=float32)
    """


#: Whether C's `frexp`, which may give infinities and NaN any exponent, gives them 0, as JAX does.
_ZERO_EXPONENTS: Final = not any(np.frexp(np.array([np.inf, -np.inf, np.nan], t))[1].any() for t in ("f4", "f8"))


@public(role="position", kind="elementwise")
def frexp(x: ArrayLike, /) -> tuple[Array, Array]:
    """Split numbers into mantissas and exponents: ``x == mantissa * 2**exponent``.

    Parameters
    ----------
    x : array_like
        Real numbers.

    Returns
    -------
    tuple of Array
        The mantissas, floating, between 0.5 and 1 in magnitude, and the exponents, int32; zeros, infinities and NaN are their
        own mantissas.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.frexp(xp.asarray([8.0, -0.3]))
    (Array([ 0.5, -0.6], dtype=float32), Array([ 4, -1], dtype=int32))
    """
    node, data = _real("frexp", x, TypeError)
    mantissa, exponent = np.frexp(data)
    if not (_ZERO_EXPONENTS or is_finite(data)):
        exponent = np.where(np.isfinite(data), exponent, np.int32(0))
    return wrap(cast(np.asarray(mantissa), node), node.strong), wrap(np.asarray(exponent), NODES["int32"])


@public(row=_HEAVISIDE, kind="elementwise", slope=("isnan(x1)", "x1 == 0"))
def heaviside(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Compute the unit step: 0 below 0, 1 above, and `x2` at 0.

    Parameters
    ----------
    x1, x2 : array_like
        The points, and the value of the step at 0; real.

    Returns
    -------
    Array
        The values; NaN where `x1` is NaN.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.heaviside(xp.asarray([-1.5, 0.0, 2.0]), 0.5)
    Array([0. , 0.5, 1. ], dtype=float32)
    """
    result = apply_binary(_HEAVISIDE, x1, x2)
    # JAX compares `x1` with constants of its shape.
    return drop_weak_unless_scalar(result) if getattr(x1, "ndim", 0) else result


@elementwise("biufc", Result.PREDICATE, np.isfinite)
def isfinite(x: ArrayLike, /) -> Array:
    """Test whether elements are neither infinite nor NaN.

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
    >>> xp.isfinite(xp.asarray([1.0, float("inf"), float("nan")]))
    Array([ True, False, False], dtype=bool)
    """


@elementwise("biufc", Result.PREDICATE, np.isinf)
def isinf(x: ArrayLike, /) -> Array:
    """Test whether elements are infinite, of either sign.

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
    >>> xp.isinf(xp.asarray([1.0, -float("inf"), float("nan")]))
    Array([False,  True, False], dtype=bool)
    """


@elementwise("biufc", Result.PREDICATE, np.isnan)
def isnan(x: ArrayLike, /) -> Array:
    """Test whether elements are NaN.

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
    >>> xp.isnan(xp.asarray([1.0, float("inf"), float("nan")]))
    Array([False, False,  True], dtype=bool)
    """


@elementwise("biuf", Result.PREDICATE, k.is_negative_infinity, k.FINITE, error=ValueError)
def isneginf(x: ArrayLike, /, out: None = None) -> Array:
    """Test whether elements are negative infinity.

    Parameters
    ----------
    x : array_like
        Real numbers.
    out

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.isneginf(xp.asarray([1.0, -xp.inf, xp.inf]))
    Array([False,  True, False], dtype=bool)
    """


@elementwise("biuf", Result.PREDICATE, k.is_positive_infinity, k.FINITE, error=ValueError)
def isposinf(x: ArrayLike, /, out: None = None) -> Array:
    """Test whether elements are positive infinity.

    Parameters
    ----------
    x : array_like
        Real numbers.
    out

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.isposinf(xp.asarray([1.0, -xp.inf, xp.inf]))
    Array([False, False,  True], dtype=bool)
    """


@public(plain=Plain(np.ldexp, positional=2, arrays=2, kinds="f", mixed=True), kind="elementwise", slope=("ldexp(1.0, x2)", ""))
def ldexp(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Compute ``x1 * 2**x2``.

    Parameters
    ----------
    x1, x2 : array_like
        Real mantissas and integer exponents.

    Returns
    -------
    Array
        The numbers, floating.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.ldexp(xp.asarray([0.5, 0.75]), xp.asarray([4, -1]))
    Array([8.   , 0.375], dtype=float32)
    """
    exponent = operand(x2, "ldexp", 1)
    if exponent._node.kind not in "biu":
        raise ValueError(f"ldexp: the exponents must be integers, got dtype {exponent.dtype}; cast them with .astype(int)")
    node, data = _real("ldexp", x1, ValueError)
    try:
        scaled = np.ldexp(data, _as_int32(exponent._data))
    except ValueError:
        raise shape_error("ldexp", data.shape, exponent.shape) from None
    return wrap(cast(np.asarray(scaled), node), node.strong)


@public(composed=True)
def modf(x: ArrayLike, /, out: None = None) -> tuple[Array, Array]:
    """Split numbers into their fractional and integral parts.

    Parameters
    ----------
    x : array_like
        Real numbers.
    out

    Returns
    -------
    tuple of Array
        The fractional and the integral parts, floating, with the signs of `x`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.modf(xp.asarray([1.75, -2.5]))
    (Array([ 0.75, -0.5 ], dtype=float32), Array([ 1., -2.], dtype=float32))
    """
    refuse_out(out, "modf")
    (given,) = promoted_inexact("modf", x)
    whole = trunc(given)
    return given - whole, whole


def _nan_to_num_parts(xp: Any, x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    if x._node.kind == "c":
        return _nan_to_num_parts(xp, xp.real(x), copy, nan, posinf, neginf) + 1j * _nan_to_num_parts(
            xp, xp.imag(x), copy, nan, posinf, neginf
        )
    info = xp.finfo(x.dtype)
    x = xp.where(xp.isnan(x), xp.astype(xp.asarray(nan), x.dtype), x)
    x = xp.where(xp.isposinf(x), xp.astype(xp.asarray(info.max if posinf is None else posinf), x.dtype), x)
    return xp.where(xp.isneginf(x), xp.astype(xp.asarray(info.min if neginf is None else neginf), x.dtype), x)


@public(kind="elementwise", parts=_nan_to_num_parts, exact=True)
def nan_to_num(
    x: ArrayLike,
    copy: bool = True,  # noqa: ARG001 - JAX's signature, where it has no effect either
    nan: ArrayLike = 0.0,
    posinf: ArrayLike | None = None,
    neginf: ArrayLike | None = None,
) -> Array:
    """Replace NaN and the infinities.

    Parameters
    ----------
    x : array_like
        Numbers; the parts of complex ones are replaced each on its own.
    copy : bool, optional
        Has no effect: the result never shares memory with `x`.
    nan, posinf, neginf : array_like, optional
        The replacements of NaN (0), ∞ (the greatest finite number) and −∞ (the least).

    Returns
    -------
    Array
        The numbers, in the dtype of `x`, and in the shape that `x`, `nan`, `posinf` and `neginf` broadcast to.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nan_to_num(xp.asarray([1.0, xp.nan, -xp.inf]), neginf=-1.0)
    Array([ 1.,  0., -1.], dtype=float32)
    """
    array = operand(x, "nan_to_num")
    node = array._node
    if node.kind in "biuk":
        return wrap(array._data.copy(), node)
    real = node.real.strong
    if node.native and type(nan) is float and posinf is neginf is None and is_finite(array._data):
        return wrap(array._data.copy(), real if node.kind == "f" else node.strong)
    limits = _limits(real)
    values = (nan, limits[0] if posinf is None else posinf, limits[1] if neginf is None else neginf)
    fills = [asarray(value, dtype=real.dtype)._data for value in values]
    shape = array.shape
    if any(fill.ndim for fill in fills):
        shape = broadcast_shape("nan_to_num", [shape, *[fill.shape for fill in fills]])
    if node.kind == "f":
        return wrap(_replaced(array._data, fills, shape), real)
    parts = [_replaced(part, fills, shape) for part in (array._data.real, array._data.imag)]
    out = np.empty(parts[0].shape, node.dtype)
    out.real, out.imag = parts
    return wrap(out, node.strong)


@elementwise("biuf", Result.INEXACT, np.nextafter, {"float16": k.nextafter}, widen=False, own="result")
def nextafter(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the next number of the dtype after `x1` in the direction of `x2`.

    Parameters
    ----------
    x1, x2 : array_like
        The numbers, and in which direction to go; real.

    Returns
    -------
    Array
        The neighbours.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nextafter(xp.asarray(1, dtype="bfloat16"), xp.asarray(2, dtype="bfloat16"))
    Array(1.01, dtype=bfloat16)
    """


@elementwise("biuf", Result.PREDICATE, np.signbit, k.FINITE | {"i": k.is_below_zero}, error=ValueError)
def signbit(x: ArrayLike, /) -> Array:
    """Test whether the sign bit is set, as in negative numbers and −0.0.

    Parameters
    ----------
    x : array_like
        Real numbers.

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.signbit(xp.asarray([-1.0, -0.0, 0.0]))
    Array([ True,  True, False], dtype=bool)
    """


@elementwise("biuf", Result.STRONG, k.spacing, widen=False, error=ValueError, own="result")
def spacing(x: ArrayLike, /) -> Array:
    """Compute the distance to the neighbour of greater magnitude.

    Parameters
    ----------
    x : array_like
        Real numbers.

    Returns
    -------
    Array
        The distances, with the sign of `x` (in float16 without it).

    Examples
    --------
    >>> import supremum as xp
    >>> xp.spacing(xp.asarray([1.0, -1.0]))
    Array([ 1.1920929e-07, -1.1920929e-07], dtype=float32)
    """


def _real(function: str, x: Any, error: type[Exception]) -> tuple[Node, Buffer]:
    """Return the floating node of a real operand, and its buffer in a dtype that NumPy computes in."""
    array = operand(x, function)
    node = to_inexact(array._node)
    if node.kind == "c":
        raise error(f"{function} does not accept dtype {node.public}; it accepts real numbers")
    return node, cast(array._data, node if node.native else node.wide)


def _as_int32(exponents: Buffer) -> Buffer:
    """Return exponents as ldexp of C takes them; no float has any beyond ±20000."""
    if not np.can_cast(exponents.dtype, np.int32):
        exponents = np.minimum(exponents, 20000) if exponents.dtype.kind == "u" else np.clip(exponents, -20000, 20000)
    return exponents.astype(np.int32, copy=False)


@cache
def _limits(node: Node) -> tuple[Array, Array]:
    """Return the greatest and the least finite number."""
    limits: Any = finfo(node.dtype)
    return asarray(limits.max, dtype=node.dtype), asarray(limits.min, dtype=node.dtype)


def _replaced(data: Buffer, fills: list[Buffer], shape: tuple[int, ...]) -> Buffer:
    """Replace NaN, ∞ and −∞ by the fills, in the shape that these and the elements broadcast to."""
    out = np.empty(shape, data.dtype)
    for part, x, nan, posinf, neginf in blocks(out, data, *fills):
        part[...] = x
        if np.count_nonzero(np.isfinite(x)) < x.size:
            np.copyto(part, nan, where=np.isnan(x))
            if (infinite := np.isinf(x)).any():
                np.copyto(part, posinf, where=infinite & ~np.signbit(x))
                np.copyto(part, neginf, where=infinite & np.signbit(x))
    return out
