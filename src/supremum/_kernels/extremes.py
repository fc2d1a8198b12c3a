"""Maximum and minimum of floats with ordered zeros: -0.0 is less than 0.0, as in JAX.

They are ufuncs of the extension module, whose loops are in `native/loops/extremes.c`. Without it they are objects with the
methods of a ufunc, made of NumPy's: its loops return either operand if both are zeros. Apart from NaN, a maximum is negative
if both operands are, and a minimum if one is, so the sign bits combine by `and` and by `or`. They are examined only if a
result is zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer, native
from supremum._kernels.blocks import blocks

#: Unsigned integers with the widths of floats; narrower floats are widened first.
_BITS: Final = {np.dtype(f"f{size}"): np.dtype(f"u{size}") for size in (2, 4, 8)}
#: Number of elements up to which the number of calls determines the time.
_SMALL: Final = 512
#: Number of elements up to which whole arrays are faster than blocks.
_BLOCK: Final = 1 << 14


def _has_zero(data: Buffer) -> bool:
    """Return whether any element is zero."""
    return np.count_nonzero(data) != data.size if data.size <= _SMALL else bool(np.count_nonzero(data == 0))


def _sign_bit(bits: np.dtype[Any]) -> Any:
    return bits.type(1 << (8 * bits.itemsize - 1))


class Extreme:
    """`numpy.maximum` or `numpy.minimum` with ordered zeros, and its methods; other dtypes are left to NumPy."""

    __slots__ = ("_dual", "_greatest", "_keep", "_signs", "ufunc")

    def __init__(self, ufunc: np.ufunc, signs: np.ufunc, dual: np.ufunc) -> None:
        #: NumPy's function, the one that combines the sign bits, and its dual.
        self.ufunc: Final = ufunc
        self._signs: Final = signs
        self._dual: Final = dual
        #: By dtype of the bits, the operand of `dual` that keeps the signs and makes the other bits neutral for `signs`.
        signed = signs is np.bitwise_or
        #: The sign of the zero that wins against any other zero.
        self._greatest: Final = -1.0 if signed else 1.0
        self._keep: Final = {bits: _sign_bit(bits) if signed else ~_sign_bit(bits) for bits in _BITS.values()}

    def __call__(self, a: Buffer, b: Buffer, out: Buffer | None = None) -> Any:
        """Apply the function to two buffers of one dtype."""
        bits = _BITS.get(a.dtype)
        if bits is None:
            return self.ufunc(a, b, out=... if out is None else out)
        if not a.ndim or not b.ndim:
            found = self._with_scalar(a, b, bits)
        elif a.size <= _BLOCK and b.size <= _BLOCK:
            found = self.ufunc(a, b, out=...)
            if _has_zero(found):
                self._apply_signs(found, self._signs(a.view(bits), b.view(bits), out=...))
        else:
            found = self._large(a, b, bits)
        if out is None:
            return found
        out[...] = found
        return out

    def _apply_signs(self, found: Buffer, signs: Buffer) -> None:
        """Apply the combined sign bits of the operands to results, in place.

        Results that are neither zero nor NaN have these signs already.
        """
        bits = signs.dtype
        self._dual(signs, self._keep[bits], out=signs)
        codes = found.view(bits)
        self._signs(codes, signs, out=codes, where=found == 0)

    def _with_scalar(self, a: Buffer, b: Buffer, bits: np.dtype[Any]) -> Buffer:
        value = (a if b.ndim else b).item()
        if not value and math.copysign(1.0, value) != self._greatest:
            return self._large(a, b, bits)
        found: Buffer = self.ufunc(a, b, out=...)
        if not value:  # otherwise no two zeros are compared
            codes = found.view(bits)
            self._signs(codes, self._keep[bits], out=codes)
        return found

    def _large(self, a: Buffer, b: Buffer, bits: np.dtype[Any]) -> Buffer:
        found = np.empty(np.broadcast(a, b).shape, a.dtype)
        for part, x, y in blocks(found, a, b, size=_BLOCK):
            self.ufunc(x, y, out=part)
            if _has_zero(part):
                self._apply_signs(part, self._signs(x.view(bits), y.view(bits), out=...))
        return found

    def reduce(
        self,
        data: Buffer,
        axis: int | tuple[int, ...] | None = 0,
        dtype: np.dtype[Any] | None = None,
        out: Any = ...,
        *,
        keepdims: bool = False,
        **initial: Any,
    ) -> Any:
        """Reduce as the ufunc does; the only option is `initial`."""
        found = self.ufunc.reduce(data, axis, dtype, out=..., keepdims=keepdims, **initial)
        bits = _BITS.get(found.dtype)
        if bits is not None and _has_zero(found):
            codes = data.astype(found.dtype, copy=False).view(bits)
            start = {name: np.asarray(value, found.dtype).view(bits)[()] for name, value in initial.items()}
            self._apply_signs(found, self._signs.reduce(codes, axis, out=..., keepdims=keepdims, **start))
        if out is ...:
            return found
        out[...] = found
        return out

    def accumulate(self, data: Buffer, axis: int = 0, dtype: np.dtype[Any] | None = None, out: Buffer | None = None) -> Buffer:
        """Accumulate as the ufunc does."""
        found = np.asarray(self.ufunc.accumulate(data, axis, dtype, out=out))
        bits = _BITS.get(found.dtype)
        if bits is not None and _has_zero(found):
            self._apply_signs(found, self._signs.accumulate(data.astype(found.dtype, copy=False).view(bits), axis))
        return found

    def reduceat(self, data: Buffer, indices: Buffer | Sequence[int], axis: int = 0) -> Buffer:
        """Reduce slices as the ufunc does."""
        found = np.asarray(self.ufunc.reduceat(data, indices, axis))
        bits = _BITS.get(found.dtype)
        if bits is not None and _has_zero(found):
            self._apply_signs(found, np.asarray(self._signs.reduceat(data.view(bits), indices, axis)))
        return found

    def at(self, target: Buffer, key: Any, operand: Buffer) -> None:
        """Update elements of a buffer in place, as the ufunc does, with an operand of its dtype."""
        bits = _BITS.get(target.dtype)
        if bits is None:
            self.ufunc.at(target, key, operand)
            return
        signs = target.view(bits).copy()
        self.ufunc.at(target, key, operand)
        if _has_zero(target):
            self._signs.at(signs, key, operand.view(bits))
            self._apply_signs(target, signs)


#: The extension module, unless NumPy hid its loops for other types from it.
_ufuncs: Final = native if native is not None and "bb->b" in native.maximum.types else None
maximum: Final[np.ufunc | Extreme] = _ufuncs.maximum if _ufuncs else Extreme(np.maximum, np.bitwise_and, np.bitwise_or)
minimum: Final[np.ufunc | Extreme] = _ufuncs.minimum if _ufuncs else Extreme(np.minimum, np.bitwise_or, np.bitwise_and)
#: The minimum of the third operand and the maximum of the first two, in one pass; None without the extension module.
clip: Final[np.ufunc | None] = _ufuncs.clip if _ufuncs else None
