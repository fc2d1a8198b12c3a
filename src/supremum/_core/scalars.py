"""Conversion of Python scalars to the 0-d buffers that operations compute with."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.exceptions import describe
from supremum._core.rules import Result
from supremum._core.settings import state

if TYPE_CHECKING:
    from supremum.promotion._nodes import Node

Kernel = Callable[..., Any]


def python_scalar(value: Any, node: Node, policy: tuple[str, int], function: str) -> Buffer:
    """Return the 0-d buffer of a Python scalar in a node's dtype, by the system's policy for scalars.

    With the policy "weak" of JAX, an integer that does not fit wraps, and one beyond the width of the policy raises. With
    "range" it must fit the dtype. With "exact" any number must be representable in the dtype.
    """
    dtype = node.dtype
    mode, bits = policy
    if type(value) is not int:
        array = np.array(value).astype(dtype)
        if mode == "exact" and complex(array) != value and value == value:  # noqa: PLR0124 - NaN
            raise ValueError(f"{function}: the Python number {value!r} is not representable in {dtype}; cast it explicitly")
        return array
    if node.kind in "iu" and node.low <= value <= node.high:
        return np.array(value, dtype) if node.bits >= 8 else np.array(value).astype(dtype)
    if mode != "weak":
        if node.kind in "iu" or (mode == "exact" and int(float(np.array(float(value)).astype(dtype))) != value):
            raise OverflowError(f"{function}: the Python integer {describe(value)} is out of bounds for {dtype}")
    elif not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
        raise OverflowError(
            f"{function}: the Python integer {describe(value)} is too large for a {bits}-bit integer and for {dtype}"
        )
    if node.kind in "iu":
        return python_scalar((value - node.low) % (1 << node.bits) + node.low, node, policy, function)
    return np.array(value if abs(value) < 1 << 63 else float(value)).astype(dtype)


def _compared(value: Any, node: Node, policy: tuple[str, int], function: str) -> Buffer:
    """Return a buffer that compares with all elements of `node` as the Python scalar does."""
    if type(value) is not int:
        return python_scalar(value, node, policy, function)
    if node.kind in "iu":
        low, high = node.low, node.high
        if low <= value <= high:
            return python_scalar(value, node, policy, function)
        # Values beyond the range compare like the first one beyond; if no integer dtype has that, like an infinity.
        beyond = high + 1 if value > high else low - 1
        if node.bits == 64 and beyond not in (-1, 1 << 63):
            return np.array(np.inf if value > high else -np.inf)
        return np.array(beyond, np.int8 if node.bits < 8 else np.uint64 if beyond == 1 << 63 else np.int64)
    if node.kind == "f" and -(1 << 1024) < value < 1 << 1024:
        rounded = np.array(float(value)).astype(node.dtype)
        if float(rounded) == value:  # Python compares a float with an integer exactly
            return rounded
    # NumPy's loop over objects compares exactly too.
    return np.array(value, object) if node.kind == "f" else python_scalar(value, node, policy, function)


#: The first power of two above which float32 lacks odd integers.
_EXPONENTS: Final = 1 << 24


def _exponent(value: Any, node: Node, policy: tuple[str, int], function: str) -> Buffer:
    """Return the buffer of a Python exponent; one that does not fit is replaced by one with the same powers."""
    if type(value) is int and node.kind in "iu":
        if value < 0:
            raise TypeError(
                f"{function}: integers cannot be raised to negative powers (x**y, power, pow), got {describe(value)}; "
                "cast the base to a float first"
            )
        if policy[0] == "weak" and value > node.high and node.bits >= 8:
            # Powers modulo 2**bits repeat with this period, once the exponent is large enough for the even bases to be 0.
            period = 1 << (node.bits - 2)
            value = value % period + period
    if type(value) is int and node.kind == "f" and node.bits < 32:
        # Narrow floats have few integers; float32 has enough for powers of all numbers but 1 to be 0 or infinite.
        return np.array(max(min(value, _EXPONENTS - (value & 1)), (value & 1) - _EXPONENTS), np.float32)
    if type(value) is int and node.kind in "fc" and abs(value) < 1 << 1023:
        value = float(value)  # a large exponent: rounding does not change the power
    return python_scalar(value, node, policy, function)


def attainable(bound: int, node: Node) -> int | float:
    """Return a number in the range of `node`, or an infinity, that bounds numbers of `node` as `bound` does."""
    if node.kind in "fc":
        if -(1 << 63) <= bound < 1 << 63:
            return bound
        return float(bound) if -(1 << 1023) < bound < 1 << 1023 else math.inf if bound > 0 else -math.inf
    limits = node if node.kind in "iu" else state().int_
    return min(max(bound, limits.low), limits.high)


def weak_exponents(of_arrays: Kernel, of_scalars: Kernel, node: Node, policy: tuple[str, int], function: str) -> Kernel:
    """Return a kernel for powers with weak integer exponents; a 0-d exponent is treated as a Python integer."""
    # Exponents up to this one are representable in the dtype computed in.
    limit = node.high if node.kind in "iu" else _EXPONENTS if node.bits >= 32 else -1

    def power(a: Buffer, b: Buffer) -> Any:
        if b.ndim or 0 <= b.item() <= limit:
            return of_arrays(a, b)
        return of_scalars(a, _exponent(int(b.item()), node, policy, function))

    return power


#: Conversions of scalars by the operation's dtype rule and whether it is the second operand. Default: `python_scalar`.
_CONVERSIONS: Final = {
    (Result.COMPARISON, True): _compared,
    (Result.COMPARISON, False): _compared,
    (Result.POWER, True): _exponent,
}


def conversion(result: Result, *, second: bool) -> Callable[[Any, Node, tuple[str, int], str], Buffer]:
    """Return the function that converts Python scalars for an operation with this dtype rule."""
    return _CONVERSIONS.get((result, second), python_scalar)
