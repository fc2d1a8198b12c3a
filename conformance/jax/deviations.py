"""Where supremum answers otherwise than JAX on purpose, and why: the reasons that excuse a mismatch.

A reason excuses a call only where its condition holds; a condition checks, as far as it can, that our answer is the right one.
"""

from __future__ import annotations

import fnmatch
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import calls
import numpy as np
from compare import Mismatch, equal_elements

#: Groups whose every mismatch must have a reason; the tests hold them to it.
COMPLETE: list[str] = []


@dataclass(frozen=True)
class Deviation:
    """A reason, the targets (patterns) and kinds of mismatch it excuses, and the condition that the call must meet."""

    reason: str
    targets: tuple[str, ...]
    kinds: frozenset[str]
    condition: Callable[[Mismatch], bool] = lambda _mismatch: True

    def excuses(self, mismatch: Mismatch) -> bool:
        """Say whether this is the reason of a mismatch."""
        if not self.kinds.issuperset(mismatch.found) or not any(fnmatch.fnmatch(mismatch.target, t) for t in self.targets):
            return False
        try:
            return self.condition(mismatch)
        except (TypeError, ValueError, AttributeError, KeyError, IndexError, OverflowError):
            return False  # the condition looks at something that this call does not have


def reason_for(mismatch: Mismatch) -> str | None:
    """Give the reason that excuses a mismatch, or None."""
    return next((deviation.reason for deviation in DEVIATIONS if deviation.excuses(mismatch)), None)


# What conditions look at ----------------------------------------------------------------------------------------------------


def operand(coded: Any, mode: str) -> Any:
    """Give an argument as NumPy or Python has it, 64 bits truncated in the mode that has none."""
    if not isinstance(coded, dict) or not coded.keys() & {"a", "n", "g", "w"}:
        return complex(*coded["c"]) if isinstance(coded, dict) and "c" in coded else coded
    name = (
        coded.get("a")
        or coded.get("n")
        or coded.get("g")
        or {"int": "int64", "float": "float64"}.get(coded["w"], "complex128")
    )
    data = calls.array_data(name, coded["v"], [] if "g" in coded else calls.shape_of(coded))
    narrow = {"int64": "int32", "uint64": "uint32", "float64": "float32", "complex128": "complex64"}.get(name)
    return data.astype(narrow) if mode == "off" and narrow else data


def operands(mismatch: Mismatch) -> list[Any]:
    """Give the positional arguments."""
    return [operand(coded, mismatch.mode) for coded in mismatch.call[1]]


def results(mismatch: Mismatch) -> list[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]:
    """Give pairs of our array and the recorded one."""
    recorded = mismatch.expected["r"]
    pairs = zip(mismatch.actual, recorded["u"], strict=True) if "u" in recorded else [(mismatch.actual, recorded)]
    return [(np.asarray(ours), calls.array_data(theirs["a"], theirs["v"], calls.shape_of(theirs))) for ours, theirs in pairs]


def is_number(coded: Any) -> bool:
    """Say whether an argument is an array or a Python number."""
    return isinstance(coded, int | float) or (isinstance(coded, dict) and bool(coded.keys() & {"a", "n", "g", "w", "c"}))


def only_where(mismatch: Mismatch, allowed: Any) -> bool:
    """Say whether our elements differ from the recorded ones at allowed places only."""
    return all(bool((equal_elements(ours, theirs, mismatch.target) | allowed).all()) for ours, theirs in results(mismatch))


def is_kind(value: Any, kinds: str) -> bool:
    """Say whether a value is of one of the kinds b, i, u, f, c; a Python int is of kind i."""
    return calls.ml_dtypes_kind(np.asarray(value).dtype if not isinstance(value, int) else np.dtype(type(value))) in kinds


def floats(value: Any) -> np.ndarray[Any, Any]:
    """Give the values in complex128, where every test for zeros and infinities works."""
    return np.asarray(value).astype(np.complex128)


# Conditions -----------------------------------------------------------------------------------------------------------------

_COMPARISONS = {"eq": operator.eq, "equal": operator.eq, "ne": operator.ne, "not_equal": operator.ne, "lt": operator.lt,
                "less": operator.lt, "le": operator.le, "less_equal": operator.le, "gt": operator.gt, "greater": operator.gt,
                "ge": operator.ge, "greater_equal": operator.ge}  # fmt: skip
COMPARISONS = tuple(f"{space}.{name}" for name in _COMPARISONS for space in ("operator", "jnp"))
DIVISIONS = (
    "operator.floordiv",
    "operator.mod",
    "builtins.divmod",
    "jnp.floor_divide",
    "jnp.mod",
    "jnp.remainder",
    "jnp.divmod",
)
POWERS = ("operator.pow", "jnp.power", "jnp.pow")


def bool_result(mismatch: Mismatch) -> bool:
    """The result is a bool; ours is strong."""
    return mismatch.expected["r"]["a"] == "bool" and not mismatch.actual.weak_type


def left_to_python(mismatch: Mismatch) -> bool:
    """An operand is no number; we leave the comparison to Python, which compares identities."""
    return mismatch.actual is (mismatch.target == "operator.ne") and not all(is_number(coded) for coded in mismatch.call[1])


def integers_by_zero(mismatch: Mismatch) -> bool:
    """Integers, and the divisor, wrapped to the width of the result, is zero wherever we differ."""
    x, y = operands(mismatch)[:2]
    width = 8 * results(mismatch)[0][1].dtype.itemsize
    divisor = np.asarray(np.asarray(y).astype(object) % 2**width == 0).astype(np.bool_)
    return is_kind(x, "biu") and is_kind(y, "biu") and only_where(mismatch, divisor)


def compares_exactly(mismatch: Mismatch) -> bool:
    """Our answer is what Python's integers say."""
    if not all(is_number(coded) for coded in mismatch.call[1][:2]):
        return False
    x, y = (np.asarray(v).astype(object) for v in operands(mismatch)[:2])
    exact = _COMPARISONS[mismatch.target.split(".")[1]](x, y)
    return bool((np.asarray(mismatch.actual) == np.asarray(exact).astype(np.bool_)).all())


def fits_the_other(mismatch: Mismatch) -> bool:
    """A Python integer that JAX's default integer cannot hold, and the other operand's dtype can."""
    if mismatch.expected.get("x") != "OverflowError" or mismatch.error is not None:
        return False
    x, y = operands(mismatch)[:2]
    number, other = (x, y) if type(x) is int else (y, x)
    limits = np.iinfo(other.dtype)
    return int(limits.min) <= number <= int(limits.max)


def refused_for_its_dtype(mismatch: Mismatch) -> bool:
    """Both raise: JAX for the size of the integer, we for the dtype."""
    return mismatch.expected["x"] == "OverflowError" and isinstance(mismatch.error, TypeError)


def bool_times_nonfinite(mismatch: Mismatch) -> bool:
    """One operand is bool, and the other is not finite, or is zero, wherever we differ."""
    x, y = operands(mismatch)[:2]
    if not (is_kind(x, "b") or is_kind(y, "b")):
        return False
    other = floats(y if is_kind(x, "b") else x)
    return only_where(mismatch, ~np.isfinite(other) | (other == 0))


def special_operands(mismatch: Mismatch) -> bool:
    """An operand, in the dtype of the result, is zero, infinite or NaN wherever we differ."""
    dtype = results(mismatch)[0][1].dtype
    x, y = (floats(np.asarray(v).astype(dtype)) for v in operands(mismatch)[:2])
    return only_where(mismatch, ~np.isfinite(x) | ~np.isfinite(y) | (x == 0) | (y == 0))


def real_and_special(mismatch: Mismatch) -> bool:
    """Real floating-point operands, special wherever we differ."""
    return all(not is_kind(ours, "c") and is_kind(ours, "f") for ours, _ in results(mismatch)) and special_operands(mismatch)


def complex_and_special(mismatch: Mismatch) -> bool:
    """Complex results, of special operands or not finite wherever we differ."""
    ((ours, theirs),) = results(mismatch)
    return is_kind(ours, "c") and (special_operands(mismatch) or only_where(mismatch, ~np.isfinite(theirs)))


def zero_d_exponent(mismatch: Mismatch) -> bool:
    """The exponent is an integer array without dimensions."""
    exponent = mismatch.call[1][1]
    return (
        isinstance(exponent, dict) and (exponent.get("s") == [] or "g" in exponent) and is_kind(operand(exponent, "on"), "iu")
    )


def weak_powers(mismatch: Mismatch) -> bool:
    """Both operands are weak integers, and so is our result."""
    return mismatch.actual.weak_type and is_kind(np.asarray(mismatch.actual), "iu")


def powers_modulo(mismatch: Mismatch) -> bool:
    """Integers; for exponents from zero our result is the exact power modulo the width, others are left to us."""
    ((ours, theirs),) = results(mismatch)
    base, exponent, ours = np.broadcast_arrays(*(np.asarray(v).astype(object) for v in (*operands(mismatch)[:2], ours)))
    modulus = 2 ** (8 * theirs.dtype.itemsize)
    triples = zip(base.ravel(), exponent.ravel(), ours.ravel(), strict=True)
    return is_kind(theirs, "iu") and all(e < 0 or (o - pow(int(b), int(e), modulus)) % modulus == 0 for b, e, o in triples)


# The table ------------------------------------------------------------------------------------------------------------------

VALUE, WEAK, EXCEPTION, CLASS = (frozenset({kind}) for kind in ("value", "weak", "exception", "class"))
FORM = frozenset({"dtype", "weak", "shape", "value", "exception", "class"})

DEVIATIONS: list[Deviation] = [
    Deviation("A bool is never weak; JAX flags comparisons of weak operands.", ("*",), WEAK, bool_result),
    Deviation(
        "Comparisons are mathematically exact; JAX first wraps Python integers and rounds or wraps mixed signs.",
        COMPARISONS, frozenset({"value", "weak"}), compares_exactly,
    ),
    Deviation(
        "Comparisons with a Python integer of any size have an answer; JAX raises OverflowError beyond the default integer.",
        COMPARISONS, EXCEPTION, compares_exactly,
    ),
    Deviation(
        "A Python integer that fits the other operand's dtype works (array API); JAX's must fit its default integer.",
        ("operator.*", "builtins.*", "jnp.*"), EXCEPTION, fits_the_other,
    ),
    Deviation(
        "A dtype that the function does not take is reported (TypeError) before a Python integer's size; both raise.",
        ("operator.*", "builtins.*", "jnp.*"), CLASS, refused_for_its_dtype,
    ),
    Deviation(
        "== and != with an object that is no number are Python's own, False and True; JAX raises TypeError.",
        ("operator.eq", "operator.ne"), EXCEPTION, left_to_python,
    ),
    Deviation("Integer division by zero gives 0, as in NumPy; JAX leaves it to XLA.", DIVISIONS, VALUE, integers_by_zero),
    Deviation(
        "floor_divide and remainder of zeros, infinities and NaN give what the array API standard says.",
        DIVISIONS, VALUE, real_and_special,
    ),
    Deviation(
        "A bool promotes to 0 or 1, so that 0 * inf and 0 / 0 are NaN; XLA turns a product with a bool into a selection.",
        ("operator.mul", "operator.truediv", "jnp.multiply", "jnp.divide", "jnp.true_divide"), VALUE, bool_times_nonfinite,
    ),
    Deviation(
        "Complex division and powers of zeros, infinities and NaN follow NumPy (C99); XLA leaves other infinities and NaN.",
        ("operator.mul", "operator.truediv", *POWERS, "jnp.multiply", "jnp.divide", "jnp.true_divide"), VALUE,
        complex_and_special,
    ),
    Deviation("A strong 0-d integer exponent promotes like any array; JAX takes its value.", POWERS, FORM, zero_d_exponent),
    Deviation("The power of weak integers is weak, as every other operation's; JAX's loop loses it.", POWERS, WEAK | VALUE, weak_powers),
    Deviation(
        "Integer powers are exact modulo the width; JAX looks at the six lowest bits of an exponent that is an array.",
        POWERS, VALUE, powers_modulo,
    ),
]  # fmt: skip
