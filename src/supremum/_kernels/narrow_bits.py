"""What the bits of narrow numbers say without any arithmetic: signs, magnitudes, infinities, NaN; sums modulo 2**bits.

A float here is a sign bit and a magnitude, whose codes are in the order of the numbers, with NaN above all. That leaves out
the ``fnuz`` kinds, whose only NaN is what would be -0, ``float8_e8m0fnu``, which has no sign, and the floats of fewer bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from supremum._kernels.narrow_tables import every_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from supremum.promotion._nodes import Node

__all__ = ["SIGNED_MAGNITUDES", "float_kernel", "integer_kernel"]

Buffer = np.ndarray[Any, Any]

#: The floats that are a sign and a magnitude.
SIGNED_MAGNITUDES: Final = frozenset(
    {"float16", "bfloat16", "float8_e3m4", "float8_e4m3", "float8_e4m3fn", "float8_e5m2"}
)
#: Elements up to which NumPy's own loops, an element at a time, are faster than two steps of ours.
_SMALL: Final = 512


def float_kernel(name: str, function: Callable[..., Any], dtype: np.dtype[Any]) -> Callable[..., Any] | None:
    """Give the kernel that answers from the bits for large arrays and by `function` for small ones; None if there is none."""
    if dtype.name not in SIGNED_MAGNITUDES or name not in _OF_FLOATS:
        return None
    answer = _OF_FLOATS[name](dtype)

    def kernel(x: Buffer) -> Any:
        return function(x) if x.size <= _SMALL else answer(x)

    return kernel


def _parts(dtype: np.dtype[Any]) -> tuple[np.dtype[Any], Any, Any]:
    """Give the dtype of the codes, the bits of the magnitude, and the largest magnitude that is not NaN."""
    codes = np.dtype(f"u{dtype.itemsize}")
    magnitude = codes.type((1 << (8 * dtype.itemsize - 1)) - 1)
    with np.errstate(all="ignore"):
        positive = every_code(dtype)[: int(magnitude) + 1]
        largest = codes.type(np.count_nonzero(~np.isnan(positive)) - 1)
    return codes, magnitude, largest


def _absolute(dtype: np.dtype[Any]) -> Callable[[Buffer], Any]:
    codes, magnitude, _ = _parts(dtype)
    return lambda x: np.bitwise_and(x.view(codes), magnitude).view(dtype)


def _negative(dtype: np.dtype[Any]) -> Callable[[Buffer], Any]:
    codes, magnitude, _ = _parts(dtype)
    sign = codes.type(magnitude + 1)
    return lambda x: np.bitwise_xor(x.view(codes), sign).view(dtype)


def _is_nan(dtype: np.dtype[Any]) -> Callable[[Buffer], Any]:
    codes, magnitude, largest = _parts(dtype)
    return lambda x: np.greater(np.bitwise_and(x.view(codes), magnitude), largest)


def _is_infinite(dtype: np.dtype[Any]) -> Callable[[Buffer], Any]:
    codes, magnitude, largest = _parts(dtype)
    if np.isfinite(np.array(largest, codes).view(dtype)):
        return lambda x: np.zeros(x.shape, np.bool_)
    return lambda x: np.equal(np.bitwise_and(x.view(codes), magnitude), largest)


def _is_finite(dtype: np.dtype[Any]) -> Callable[[Buffer], Any]:
    codes, magnitude, largest = _parts(dtype)
    beyond = codes.type(largest + np.isfinite(np.array(largest, codes).view(dtype)))
    return lambda x: np.less(np.bitwise_and(x.view(codes), magnitude), beyond)


def _sign_bit(dtype: np.dtype[Any]) -> Callable[[Buffer], Any]:
    signed = np.dtype(f"i{dtype.itemsize}")
    return lambda x: np.less(x.view(signed), signed.type(0))


_OF_FLOATS: Final[dict[str, Callable[[np.dtype[Any]], Callable[[Buffer], Any]]]] = {
    "abs": _absolute,
    "fabs": _absolute,
    "isfinite": _is_finite,
    "isinf": _is_infinite,
    "isnan": _is_nan,
    "negative": _negative,
    "signbit": _sign_bit,
}

# -- sub-byte integers -----------------------------------------------------------------------------------------------------

#: Functions whose low bits depend on the low bits of their operands only, so that bytes may compute them.
_MODULAR: Final[dict[str, np.ufunc]] = {
    "add": np.add,
    "bitwise_and": np.bitwise_and,
    "bitwise_invert": np.invert,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
    "multiply": np.multiply,
    "negative": np.negative,
    "square": np.square,
    "subtract": np.subtract,
}
#: Functions of the order of numbers, which bytes have in common with sub-byte integers in their high bits.
_ORDERED: Final[dict[str, np.ufunc]] = {
    "equal": np.equal,
    "greater": np.greater,
    "greater_equal": np.greater_equal,
    "less": np.less,
    "less_equal": np.less_equal,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "not_equal": np.not_equal,
}
_BYTE: Final = np.dtype(np.uint8)


def integer_kernel(name: str, function: Callable[..., Any], node: Node) -> Callable[..., Any] | None:
    """Give the kernel of a sub-byte integer node that works on bytes for large arrays; None where there is none."""
    ufunc = _MODULAR.get(name) or _ORDERED.get(name)
    if ufunc is None:
        return None
    large = _modular(ufunc, node) if name in _MODULAR else _ordered(ufunc, node)
    if ufunc.nin == 1:
        return lambda x: function(x) if x.size <= _SMALL else large(x)

    def kernel(a: Buffer, b: Buffer) -> Any:
        return function(a, b) if a.size <= _SMALL and b.size <= _SMALL else large(a, b)

    return kernel


def _modular(ufunc: np.ufunc, node: Node) -> Any:
    mask, dtype = np.uint8((1 << node.bits) - 1), node.dtype

    def one(x: Buffer) -> Buffer:
        bits = ufunc(x.view(_BYTE))
        return np.bitwise_and(bits, mask, out=bits).view(dtype)

    def two(a: Buffer, b: Buffer) -> Buffer:
        bits = ufunc(a.view(_BYTE), b.view(_BYTE))
        return np.bitwise_and(bits, mask, out=bits).view(dtype)

    return one if ufunc.nin == 1 else two


def _ordered(ufunc: np.ufunc, node: Node) -> Any:
    signed = np.dtype(np.int8 if node.kind == "i" else np.uint8)
    unused, dtype = 8 - node.bits, node.dtype
    is_predicate = ufunc not in (np.maximum, np.minimum)

    def two(a: Buffer, b: Buffer) -> Buffer:
        result = ufunc(np.left_shift(a.view(signed), unused), np.left_shift(b.view(signed), unused))
        return result if is_predicate else np.right_shift(result.view(_BYTE), unused).view(dtype)

    return two
