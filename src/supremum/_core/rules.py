"""The table of elementwise functions: accepted kinds, rule for the result dtype, and kernel, one row each.

A row consists of: *name*, the number of operands, the kinds they may have (``b`` bool, ``i`` signed, ``u`` unsigned, ``f``
floating, ``c`` complex), the dtype rule, the NumPy kernel, and own kernels for the kinds for which NumPy has none or is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final

import numpy as np

from supremum._core.dtypes import complex_of, to_inexact
from supremum._kernels import complex_numbers as z, elementwise as k, extremes
from supremum.promotion._nodes import NODES, Node

__all__ = ["RULES", "Kernel", "Result", "Rule"]

Kernel = Callable[..., Any]
_BOOL: Final = NODES["bool"]
_INT32: Final = NODES["int32"]
_UINT8: Final = NODES["uint8"]


def _same(node: Node) -> tuple[Node, Node]:
    return node, node


def _inexact(node: Node) -> tuple[Node, Node]:
    inexact = to_inexact(node)
    return inexact, inexact


def _number(node: Node) -> tuple[Node, Node]:
    number = _INT32 if node.kind == "b" else node
    return number, number


def _predicate(node: Node) -> tuple[Node, Node]:
    return node, _BOOL


def _part(node: Node) -> tuple[Node, Node]:
    return node, node.real


def _count(node: Node) -> tuple[Node, Node]:
    return _number(node)[0], _UINT8


def _strong(node: Node) -> tuple[Node, Node]:
    inexact = to_inexact(node)
    return inexact, inexact.strong


def _strong_if_complex(node: Node) -> tuple[Node, Node]:
    inexact = to_inexact(node)
    return inexact, inexact.strong if inexact.kind == "c" else inexact


def _complex(node: Node) -> tuple[Node, Node]:
    inexact = to_inexact(node)
    return inexact, complex_of(inexact).strong


class Result(Enum):
    """The rule for dtypes: from the common node of the operands to (node computed in, node returned)."""

    SAME = (_same,)
    #: bool and integers compute in floating point.
    INEXACT = (_inexact, "inexact")
    #: As INEXACT, for true division.
    QUOTIENT = (_inexact, "quotient")
    #: As INEXACT, but never weak.
    STRONG = (_strong, "inexact", "strong")
    #: As INEXACT, but weak only if it is real.
    STRONG_IF_COMPLEX = (_strong_if_complex, "inexact", "strong if complex")
    #: The complex dtype of a real operand; never weak.
    COMPLEX = (_complex, "inexact", "complex")
    #: bool computes as int32, as in JAX.
    NUMBER = (_number, "number")
    #: A truth value about the operands.
    PREDICATE = (_predicate,)
    #: A number of bits.
    COUNT = (_count,)
    #: The real dtype of a complex operand.
    PART = (_part,)
    #: As NUMBER, but strong if JAX's powers are.
    POWER = (_number, "number", "power")
    #: A truth value of two operands, exact for integers of any signedness.
    COMPARISON = (_predicate, "", "comparison")

    def __init__(self, follow: Callable[[Node], tuple[Node, Node]], role: str = "", note: str = "") -> None:
        self.follow = follow
        #: The name by which promotion systems say what an operand becomes.
        self.role = role
        self.note = note


class Rule:
    """One row of the table.

    A dataclass would take a millisecond of the package's import.

    Parameters
    ----------
    name : str
        The function.
    nin : int
        The number of operands.
    accepts : str
        The kinds of dtypes that it takes.
    result : Result
        The rule for the dtypes.
    kernel : callable
        Computes.
    special : mapping of str to callable, optional
        Own kernels, by the kind of the node computed in or by the name of its dtype. A kernel for "k" makes keys accepted.
    widen : bool, optional
        Whether narrow floats may compute in float32 and round once; else the kernel gets them unchanged.
    error : type, optional
        The exception for a kind that is not accepted; JAX raises either class.
    strong_arrays : str, optional
        Kinds of results that are weak only if they are 0-d: JAX combines the operands with constant arrays.
    least_bits : int, optional
        The least width of dtypes that it takes.
    """

    __slots__ = ("accepts", "error", "kernel", "least_bits", "name", "nin", "result", "special", "strong_arrays", "widen")

    def __init__(
        self,
        name: str,
        nin: int,
        accepts: str,
        result: Result,
        kernel: Kernel,
        special: Mapping[str, Kernel] | None = None,
        *,
        widen: bool = True,
        error: type[Exception] = TypeError,
        strong_arrays: str = "",
        least_bits: int = 0,
    ) -> None:
        self.name: Final = name
        self.nin: Final = nin
        self.accepts: Final = accepts
        self.result: Final = result
        self.kernel: Final = kernel
        self.special: Final[Mapping[str, Kernel]] = special or {}
        self.widen: Final = widen
        self.error: Final = error
        self.strong_arrays: Final = strong_arrays
        self.least_bits: Final = least_bits

    def kernel_for(self, node: Node) -> Kernel:
        """Return the kernel for operands of `node`."""
        return self.special.get(node.strong.name) or self.special.get(node.kind, self.kernel)


def _table(*rows: Rule) -> dict[str, Rule]:
    return {row.name: row for row in rows}


_UNCHANGED: Final = dict.fromkeys("biu", k.unchanged)
_FINITE: Final = dict.fromkeys("biu", k.always_false)

RULES: Final[dict[str, Rule]] = _table(
    # Arithmetic
    Rule("abs", 1, "biufc", Result.PART, np.absolute, {"b": k.unchanged, "u": k.unchanged}),
    Rule("add", 2, "biufc", Result.SAME, np.add),
    Rule("divide", 2, "biufc", Result.QUOTIENT, np.divide),
    Rule("fabs", 1, "biuf", Result.INEXACT, np.fabs),
    Rule("float_power", 2, "biufc", Result.INEXACT, np.power, {"f": k.power}),
    Rule("floor_divide", 2, "biuf", Result.NUMBER, np.floor_divide, {"f": k.floor_divide}),
    Rule("fmod", 2, "biuf", Result.NUMBER, np.fmod),
    Rule("gcd", 2, "iu", Result.SAME, np.gcd, error=ValueError, strong_arrays="iu"),
    Rule("lcm", 2, "iu", Result.SAME, np.lcm, error=ValueError, strong_arrays="iu"),
    Rule("multiply", 2, "biufc", Result.SAME, np.multiply),
    Rule("negative", 1, "iufc", Result.SAME, np.negative),
    Rule("positive", 1, "biufc", Result.SAME, np.positive, {"b": k.unchanged}),
    Rule("pow", 2, "biufc", Result.POWER, np.power, {"f": k.power, "i": k.integer_power, "u": k.integer_power}),
    Rule("reciprocal", 1, "biufc", Result.INEXACT, np.reciprocal),
    Rule("remainder", 2, "biuf", Result.NUMBER, np.remainder),
    Rule("sign", 1, "iufc", Result.SAME, np.sign, {"c": z.sign}),
    Rule("square", 1, "biufc", Result.NUMBER, np.square, {"c": z.square}),
    Rule("subtract", 2, "iufc", Result.SAME, np.subtract),
    # Comparisons and extremes
    Rule("equal", 2, "biufc", Result.COMPARISON, np.equal, {"k": k.equal_keys}),
    Rule("fmax", 2, "biufc", Result.SAME, np.fmax),
    Rule("fmin", 2, "biufc", Result.SAME, np.fmin),
    Rule("greater", 2, "biufc", Result.COMPARISON, np.greater),
    Rule("greater_equal", 2, "biufc", Result.COMPARISON, np.greater_equal),
    Rule("less", 2, "biufc", Result.COMPARISON, np.less),
    Rule("less_equal", 2, "biufc", Result.COMPARISON, np.less_equal),
    Rule("maximum", 2, "biufc", Result.SAME, np.maximum, {"f": extremes.maximum}),
    Rule("minimum", 2, "biufc", Result.SAME, np.minimum, {"f": extremes.minimum}),
    Rule("not_equal", 2, "biufc", Result.COMPARISON, np.not_equal, {"k": k.unequal_keys}),
    # Bits and truth
    Rule("bitwise_and", 2, "biu", Result.SAME, np.bitwise_and),
    Rule("bitwise_count", 1, "biu", Result.COUNT, np.bitwise_count),
    Rule("bitwise_invert", 1, "biu", Result.SAME, np.invert),
    Rule("bitwise_left_shift", 2, "biu", Result.NUMBER, np.left_shift),
    Rule("bitwise_or", 2, "biu", Result.SAME, np.bitwise_or),
    Rule("bitwise_right_shift", 2, "biu", Result.NUMBER, np.right_shift),
    Rule("bitwise_xor", 2, "biu", Result.SAME, np.bitwise_xor),
    Rule("logical_and", 2, "biufc", Result.PREDICATE, np.logical_and),
    Rule("logical_not", 1, "biufc", Result.PREDICATE, np.logical_not),
    Rule("logical_or", 2, "biufc", Result.PREDICATE, np.logical_or),
    Rule("logical_xor", 2, "biufc", Result.PREDICATE, np.logical_xor),
    # Floating-point representation
    Rule("copysign", 2, "biuf", Result.INEXACT, np.copysign),
    Rule("heaviside", 2, "biuf", Result.INEXACT, np.heaviside),
    Rule("isfinite", 1, "biufc", Result.PREDICATE, np.isfinite),
    Rule("isinf", 1, "biufc", Result.PREDICATE, np.isinf),
    Rule("isnan", 1, "biufc", Result.PREDICATE, np.isnan),
    Rule("isneginf", 1, "biuf", Result.PREDICATE, k.is_negative_infinity, _FINITE, error=ValueError),
    Rule("isposinf", 1, "biuf", Result.PREDICATE, k.is_positive_infinity, _FINITE, error=ValueError),
    Rule("nextafter", 2, "biuf", Result.INEXACT, np.nextafter, {"float16": k.nextafter}, widen=False),
    Rule("signbit", 1, "biuf", Result.PREDICATE, np.signbit, {**_FINITE, "i": k.is_below_zero}, error=ValueError),
    Rule("spacing", 1, "biuf", Result.STRONG, k.spacing, widen=False, error=ValueError),
    # Rounding: integers stay as they are
    Rule("ceil", 1, "biuf", Result.SAME, np.ceil, _UNCHANGED),
    Rule("floor", 1, "biuf", Result.SAME, np.floor, _UNCHANGED),
    Rule("round", 1, "iufc", Result.SAME, np.rint, _UNCHANGED, error=ValueError),
    Rule("trunc", 1, "biuf", Result.SAME, np.trunc, _UNCHANGED),
    # Complex parts
    Rule("conj", 1, "biufc", Result.SAME, np.conjugate, {**_UNCHANGED, "f": k.unchanged}),
    Rule("imag", 1, "biufc", Result.PART, k.imag),
    Rule("real", 1, "biufc", Result.PART, k.real),
    # Powers, exponentials and logarithms
    Rule("cbrt", 1, "biuf", Result.INEXACT, np.cbrt),
    Rule("exp", 1, "biufc", Result.INEXACT, np.exp),
    Rule("exp2", 1, "biufc", Result.INEXACT, np.exp2, {"c": z.exp2}),
    Rule("expm1", 1, "biufc", Result.INEXACT, np.expm1, {"c": z.expm1}),
    Rule("i0", 1, "biuf", Result.INEXACT, k.i0, error=ValueError),
    Rule("log", 1, "biufc", Result.INEXACT, np.log),
    Rule("log10", 1, "biufc", Result.STRONG, np.log10),
    Rule("log1p", 1, "biufc", Result.INEXACT, np.log1p, {"c": z.log1p}),
    Rule("log2", 1, "biufc", Result.STRONG, np.log2),
    Rule("logaddexp", 2, "biufc", Result.INEXACT, np.logaddexp, {"c": z.logaddexp}, strong_arrays="c"),
    Rule("logaddexp2", 2, "biufc", Result.STRONG, np.logaddexp2, {"c": z.logaddexp2}),
    Rule("sqrt", 1, "biufc", Result.INEXACT, np.sqrt),
    # Trigonometry
    Rule("acos", 1, "biufc", Result.INEXACT, np.arccos),
    Rule("acosh", 1, "biufc", Result.INEXACT, np.arccosh),
    Rule("asin", 1, "biufc", Result.INEXACT, np.arcsin),
    Rule("asinh", 1, "biufc", Result.INEXACT, np.arcsinh),
    Rule("atan", 1, "biufc", Result.INEXACT, np.arctan),
    Rule("atan2", 2, "biufc", Result.INEXACT, np.arctan2, {"c": z.atan2}),
    Rule("atanh", 1, "biufc", Result.INEXACT, np.arctanh, {"c": z.atanh}),
    Rule("cos", 1, "biufc", Result.INEXACT, np.cos),
    Rule("cosh", 1, "biufc", Result.INEXACT, np.cosh),
    Rule("deg2rad", 1, "biufc", Result.INEXACT, k.deg2rad, strong_arrays="fc"),
    Rule("hypot", 2, "biuf", Result.INEXACT, np.hypot, error=ValueError, strong_arrays="f"),
    Rule("rad2deg", 1, "biufc", Result.INEXACT, k.rad2deg, strong_arrays="fc"),
    Rule("sin", 1, "biufc", Result.INEXACT, np.sin),
    Rule("sinc", 1, "biufc", Result.INEXACT, k.sinc, strong_arrays="fc"),
    Rule("sinh", 1, "biufc", Result.INEXACT, np.sinh),
    Rule("tan", 1, "biufc", Result.INEXACT, np.tan, {"c": z.tan}),
    Rule("tanh", 1, "biufc", Result.INEXACT, np.tanh, {"c": z.tanh}),
)
