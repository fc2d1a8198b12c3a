"""Kernels of narrow numbers by bit operations: signs, magnitudes and NaN of floats; sub-byte integers.

The floats consist of a sign bit and a magnitude, whose codes have the order of the numbers, with NaN above all. That excludes
the ``fnuz`` dtypes, whose only NaN has the code of -0.0, ``float8_e8m0fnu``, which has no sign, and the sub-byte floats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels.blocks import by_blocks
from supremum._kernels.narrow_tables import every_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from supremum.promotion._nodes import Node

__all__ = ["SIGNED_MAGNITUDES", "float_kernel", "integer_kernel"]


#: The floats that consist of a sign and a magnitude.
SIGNED_MAGNITUDES: Final = frozenset({"float16", "bfloat16", "float8_e3m4", "float8_e4m3", "float8_e4m3fn", "float8_e5m2"})
#: Number of elements up to which NumPy's scalar loops are faster than two or three calls.
_SMALL: Final = 512
_BYTE: Final = np.dtype(np.uint8)


def _by_size(nin: int, small: Callable[..., Any], large: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls `small` or `large` by the number of elements."""

    def one(x: Buffer) -> Any:
        return small(x) if x.size <= _SMALL else large(x)

    def two(a: Buffer, b: Buffer) -> Any:
        return small(a, b) if a.size <= _SMALL and b.size <= _SMALL else large(a, b)

    return one if nin == 1 else two


# -- floats -------------------------------------------------------------------------------------------------------------------


class _Layout:
    """The bit layout of a float dtype."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.dtype = dtype
        self.codes = np.dtype(f"u{dtype.itemsize}")
        self.sign = self.codes.type(1 << (8 * dtype.itemsize - 1))
        self.magnitude = self.codes.type(self.sign - 1)
        positive = every_code(dtype)[: int(self.sign)]
        #: The first magnitude that is NaN.
        self.nan = self.codes.type(np.count_nonzero(~np.isnan(positive)))
        #: The first magnitude that is not finite.
        self.infinity = self.codes.type(np.count_nonzero(np.isfinite(positive)))


def float_kernel(name: str, nin: int, small: Callable[..., Any], dtype: np.dtype[Any]) -> Callable[..., Any] | None:
    """Return a kernel by bit operations for large arrays and by `small` for small ones; None if no bit operations exist."""
    if dtype.name not in SIGNED_MAGNITUDES or name not in _OF_FLOATS:
        return None
    large = _OF_FLOATS[name](_Layout(dtype))
    if name not in _ONE_STEP:
        large = by_blocks(large, dtype if name == "copysign" else np.dtype(np.bool_))
    return _by_size(nin, small, large)


def _absolute(at: _Layout) -> Callable[[Buffer], Any]:
    return lambda x: np.bitwise_and(x.view(at.codes), at.magnitude).view(at.dtype)


def _negative(at: _Layout) -> Callable[[Buffer], Any]:
    return lambda x: np.bitwise_xor(x.view(at.codes), at.sign).view(at.dtype)


def _copysign(at: _Layout) -> Callable[..., Any]:
    def copysign(a: Buffer, b: Buffer, out: Buffer | None) -> Any:
        magnitudes, signs = np.bitwise_and(a.view(at.codes), at.magnitude), np.bitwise_and(b.view(at.codes), at.sign)
        return np.bitwise_or(magnitudes, signs, out=None if out is None else out.view(at.codes)).view(at.dtype)

    return copysign


def _is_nan(at: _Layout) -> Callable[..., Any]:
    return lambda x, out: np.greater_equal(np.bitwise_and(x.view(at.codes), at.magnitude), at.nan, out=out)


def _is_finite(at: _Layout) -> Callable[..., Any]:
    return lambda x, out: np.less(np.bitwise_and(x.view(at.codes), at.magnitude), at.infinity, out=out)


def _is_infinite(at: _Layout) -> Callable[..., Any]:
    # Without infinities, compare with the sign bit, which equals no magnitude.
    code = at.sign if at.infinity == at.nan else at.infinity
    return lambda x, out: np.equal(np.bitwise_and(x.view(at.codes), at.magnitude), code, out=out)


def _is_positive_infinity(at: _Layout) -> Callable[[Buffer], Any]:
    if at.infinity == at.nan:
        return lambda x: np.zeros(x.shape, np.bool_)
    return lambda x: np.equal(x.view(at.codes), at.infinity)


def _is_negative_infinity(at: _Layout) -> Callable[[Buffer], Any]:
    if at.infinity == at.nan:
        return lambda x: np.zeros(x.shape, np.bool_)
    return lambda x: np.equal(x.view(at.codes), at.infinity | at.sign)


def _sign_bit(at: _Layout) -> Callable[[Buffer], Any]:
    return lambda x: np.greater_equal(x.view(at.codes), at.sign)


def _logical(ufunc: np.ufunc) -> Callable[[_Layout], Callable[..., Any]]:
    """Return a maker of logical kernels: nonzero magnitudes, NaN included, are true."""
    return lambda at: lambda *xs, out: ufunc(*[np.bitwise_and(x.view(at.codes), at.magnitude) for x in xs], out=out)


#: Functions of a single call, without intermediate results.
_ONE_STEP: Final = frozenset({"abs", "fabs", "isneginf", "isposinf", "negative", "signbit"})

_OF_FLOATS: Final[dict[str, Callable[[_Layout], Callable[..., Any]]]] = {
    "abs": _absolute,
    "copysign": _copysign,
    "fabs": _absolute,
    "isfinite": _is_finite,
    "isinf": _is_infinite,
    "isnan": _is_nan,
    "isneginf": _is_negative_infinity,
    "isposinf": _is_positive_infinity,
    "logical_and": _logical(np.logical_and),
    "logical_not": _logical(np.logical_not),
    "logical_or": _logical(np.logical_or),
    "logical_xor": _logical(np.logical_xor),
    "negative": _negative,
    "signbit": _sign_bit,
}

# -- sub-byte integers --------------------------------------------------------------------------------------------------------

#: Functions whose low bits depend only on the low bits of the operands, so that they can be computed in bytes.
_MODULAR: Final = frozenset(
    {"add", "bitwise_and", "bitwise_invert", "bitwise_or", "bitwise_xor", "multiply", "negative", "square", "subtract"}
)
#: Functions with a vectorised loop for bytes: those with numbers as results, and predicates.
_NUMBERS: Final = frozenset({"abs", "fmax", "fmin", "maximum", "minimum", "sign"})
_PREDICATES: Final = frozenset(
    {
        "equal", "greater", "greater_equal", "isfinite", "isinf", "isnan", "less", "less_equal", "logical_and", "logical_not",
        "logical_or", "logical_xor", "not_equal",
    }
)  # fmt: skip


def integer_kernel(
    name: str, nin: int, function: Callable[..., Any], small: Callable[..., Any], node: Node
) -> Callable[..., Any] | None:
    """Return a kernel of a sub-byte integer node that computes large arrays in bytes; None for other functions."""
    if name not in _MODULAR | _NUMBERS | _PREDICATES:
        return None
    if name in _PREDICATES and small is function:
        return small  # ml_dtypes' loop is as fast
    mask, dtype = np.uint8((1 << node.bits) - 1), node.dtype
    assert dtype is not None  # noqa: S101 - nodes of plans have dtypes
    bytes_of = _signed_bytes(node.bits) if name not in _MODULAR and node.kind == "i" else _bytes(mask)

    def large(*xs: Buffer, out: Buffer | None) -> Any:
        if name in _PREDICATES:
            return function(*[bytes_of(x) for x in xs], out=out)
        answer = function(*[bytes_of(x) for x in xs]).view(_BYTE)
        return np.bitwise_and(answer, mask, out=None if out is None else out.view(_BYTE)).view(dtype)

    return _by_size(nin, small, by_blocks(large, np.dtype(np.bool_) if name in _PREDICATES else dtype))


def _bytes(mask: np.uint8) -> Callable[[Buffer], Buffer]:
    return lambda x: np.bitwise_and(x.view(_BYTE), mask).view(np.int8)


def _signed_bytes(bits: int) -> Callable[[Buffer], Buffer]:
    """Return a function that extends the sign; NumPy multiplies bytes faster than it shifts them left."""
    factor, shift = np.int8(1 << (8 - bits) if bits > 1 else -128), np.int8(8 - bits)
    return lambda x: np.asarray(np.right_shift(np.multiply(x.view(np.int8), factor), shift))
