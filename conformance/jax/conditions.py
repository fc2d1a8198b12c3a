"""Conditions of the reasons in ``deviations.py``: what a call must be like for the reason to excuse its mismatch.

A condition checks, as far as it can, that our answer is the right one.
"""

from __future__ import annotations

import operator
import warnings
from typing import Any

import calls
import ml_dtypes
import numpy as np
from compare import Mismatch, equal_elements

Data = np.ndarray[Any, Any]

# What conditions look at ----------------------------------------------------------------------------------------------------


def operand(coded: Any, mode: str) -> Any:
    """Return an argument as NumPy or Python has it, 64 bits truncated in the mode that has none."""
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
    """Return the positional arguments."""
    return [operand(coded, mismatch.mode) for coded in mismatch.call[1]]


def results(mismatch: Mismatch) -> list[tuple[Data, Data]]:
    """Return pairs of our array and the recorded one."""
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


def floats(value: Any) -> Data:
    """Return the values in complex128, where every test for zeros and infinities works."""
    return np.asarray(value).astype(np.complex128)


# Conditions -----------------------------------------------------------------------------------------------------------------

_COMPARISONS = {"eq": operator.eq, "equal": operator.eq, "ne": operator.ne, "not_equal": operator.ne, "lt": operator.lt,
                "less": operator.lt, "le": operator.le, "less_equal": operator.le, "gt": operator.gt, "greater": operator.gt,
                "ge": operator.ge, "greater_equal": operator.ge}  # fmt: skip
COMPARISONS = tuple(f"{space}.{name}" for name in _COMPARISONS for space in ("operator", "jnp"))


def bool_result(mismatch: Mismatch) -> bool:
    """The result is a bool; ours is strong."""
    return mismatch.expected["r"]["a"] == "bool" and not mismatch.actual.weak_type


def left_to_python(mismatch: Mismatch) -> bool:
    """An operand is no number; we leave the comparison to Python, which compares identities."""
    return mismatch.actual is (mismatch.target == "operator.ne") and not all(is_number(coded) for coded in mismatch.call[1])


def integers_by_zero(mismatch: Mismatch) -> bool:
    """Integers, and the divisor, wrapped to the width of the result, is zero wherever we differ."""
    x, y = operands(mismatch)[:2]
    width = ml_dtypes.iinfo(results(mismatch)[0][1].dtype).bits
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


def of_64_bits(mismatch: Mismatch) -> bool:
    """A Python integer between 2**63 and 2**64 without an array beside it: JAX raises OverflowError, or wraps it."""
    alone = not any(isinstance(coded, dict) and "a" in coded for coded in mismatch.call[1])
    given = [n for coded in mismatch.call[1] for n in (coded if isinstance(coded, list) else [coded])]
    large = any(2**63 <= n < 2**64 for n in given if type(n) is int)
    return alone and large and mismatch.expected.get("x", "OverflowError") == "OverflowError"


def jax_lacks(mismatch: Mismatch) -> bool:
    """JAX raises for a narrow dtype, or says itself that it does not implement the call; not for want of a promotion."""
    if mismatch.error is not None or mismatch.expected["y"] == "TypePromotionError":
        return False
    kinds = ("float8", "int4", "uint4", "int2", "uint2")
    narrow = any(str(coded.get(key)).startswith(kinds) for coded in words(mismatch.call[1:]) for key in ("a", "d", "t"))
    lacking = ("RFFT input must be", "Unsupported dtype", "don't know how to read character strings", "data type <class 'ml_d")
    said = mismatch.expected["m"].startswith(lacking)
    return narrow or said or mismatch.expected["y"] in ("NotImplementedError", "XlaRuntimeError", "JaxRuntimeError")


def words(coded: Any) -> list[dict[str, Any]]:
    """Return every dict inside encoded arguments."""
    inner = coded.values() if isinstance(coded, dict) else coded if isinstance(coded, list) else ()
    found = [word for value in inner for word in words(value)]
    return [coded, *found] if isinstance(coded, dict) else found


def clips_exactly(mismatch: Mismatch) -> bool:
    """Our answer is what Python's integers say, or the end of the dtype's range that is nearest to it."""
    ours = np.asarray(mismatch.actual)
    x, *bounds = operands(mismatch)
    low, high, *_ = [*bounds, None, None]
    low, high = (operand(mismatch.call[2].get(key, v), mismatch.mode) for key, v in (("min", low), ("max", high)))
    exact: Any = np.asarray(x).astype(object)
    exact = exact if low is None else np.maximum(exact, np.asarray(low).astype(object))
    exact = exact if high is None else np.minimum(exact, np.asarray(high).astype(object))
    limits = ml_dtypes.iinfo(ours.dtype)
    return bool((ours.astype(object) == np.clip(exact, int(limits.min), int(limits.max))).all())


def beyond_every_integer(mismatch: Mismatch) -> bool:
    """A Python integer beyond the default integer of the mode, which we refuse and JAX takes."""
    low, high = (-(2**63), 2**63) if mismatch.mode == "on" else (-(2**31), 2**31)
    arguments = [*mismatch.call[1], *mismatch.call[2].values()]
    return isinstance(mismatch.error, OverflowError) and any(type(n) is int and not low <= n < high for n in arguments)


def complex_argument_special(mismatch: Mismatch) -> bool:
    """A complex argument that is zero, infinite or NaN in a part wherever we differ."""
    x = np.asarray(operands(mismatch)[0])
    special = ~np.isfinite(x.real) | ~np.isfinite(x.imag) | (x.real == 0) | (x.imag == 0)
    return is_kind(x, "c") and only_where(mismatch, special)


def complex_nans(mismatch: Mismatch) -> bool:
    """Complex operands, and one of them is NaN wherever we differ."""
    x, y = (floats(v) for v in operands(mismatch)[:2])
    return is_kind(results(mismatch)[0][0], "c") and only_where(mismatch, np.isnan(x) | np.isnan(y))


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


def bool_to_a_weak_power(mismatch: Mismatch) -> bool:
    """The base is a bool and the exponent a weak array of integers."""
    base, exponent = mismatch.call[1][:2]
    return isinstance(exponent, dict) and exponent.get("w") == "int" and is_kind(operand(base, "on"), "b")


def from_float4(mismatch: Mismatch) -> bool:
    """A cast from a float of four bits, exact in ours."""
    x = operands(mismatch)[0]
    ours = np.asarray(mismatch.actual)
    limits = ml_dtypes.iinfo(ours.dtype)
    exact = np.clip(np.trunc(floats(x).real), float(limits.min), float(limits.max))
    return "float4" in x.dtype.name and bool((floats(ours).real == exact).all())


def shifted_exactly(mismatch: Mismatch) -> bool:
    """Our result is the exact shift to the right of the operand in the dtype of the result."""
    dtype = results(mismatch)[0][1].dtype
    x, y, ours = np.broadcast_arrays(
        *(np.asarray(v).astype(dtype).astype(object) for v in (*operands(mismatch)[:2], np.asarray(mismatch.actual)))
    )
    return all((a >> b if b >= 0 else -(a < 0)) == o for a, b, o in zip(x.ravel(), y.ravel(), ours.ravel(), strict=True))


def wrapped_number(mismatch: Mismatch) -> bool:
    """A floating-point result of integers, one a Python integer that the dtype of the other cannot hold."""
    x, y = operands(mismatch)[:2]
    number, other = (x, y) if type(x) is int else (y, x)
    limits = np.iinfo(other.dtype)
    return is_kind(results(mismatch)[0][1], "f") and type(number) is int and not limits.min <= number <= limits.max


def as_in_a_wider_dtype(mismatch: Mismatch) -> bool:
    """Our elements are what NumPy's function of the same name gives in 64 bits, rounded."""
    reference = getattr(np, mismatch.target.split(".")[-1])
    widened = [np.asarray(v).astype(np.complex128 if is_kind(v, "c") else np.float64) for v in operands(mismatch)]
    options = {key: _plain(coded) for key, coded in mismatch.call[2].items()}
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exact = np.asarray(reference(*widened, **options))
        return all(
            bool(equal_elements(ours, exact.astype(ours.dtype), mismatch.target).all()) for ours, _ in results(mismatch)
        )


def _plain(coded: Any) -> Any:
    """Return an option that is a number, a string or a tuple of such."""
    if isinstance(coded, dict):
        return tuple(_plain(x) for x in coded["u"])
    return coded


def slip_of_jax(mismatch: Mismatch) -> bool:
    """JAX's message shows that one of its functions called another wrongly."""
    slips = ("have the same dtypes", "unhashable type: 'jaxlib", "must not be narrower than")
    failed = mismatch.expected["y"] == "AssertionError" or any(slip in mismatch.expected["m"] for slip in slips)
    return mismatch.error is None and failed


def not_traced(mismatch: Mismatch) -> bool:
    """JAX's message says that it cannot trace what is not known before the computation."""
    limits = ("Non-hashable static arguments", "must be concrete", "Error interpreting argument to")
    return mismatch.error is None and any(limit in mismatch.expected["m"] for limit in limits)


def with_out(mismatch: Mismatch) -> bool:
    """There is out=, which we refuse."""
    return "out" in mismatch.call[2] and isinstance(mismatch.error, NotImplementedError)


def index_not_integer(mismatch: Mismatch) -> bool:
    """JAX complains, with ValueError, of the dtype of indices."""
    return isinstance(mismatch.error, TypeError) and "must have an integer type" in mismatch.expected["m"]


def dtype_asked_for(mismatch: Mismatch) -> bool:
    """Our result has the dtype that the call asks for."""
    return str(mismatch.actual.dtype) == mismatch.call[2]["dtype"]["d"]


def truth_values(mismatch: Mismatch) -> bool:
    """Our results are the truth of JAX's."""
    return all(bool((ours == theirs.astype(np.bool_).astype(ours.dtype)).all()) for ours, theirs in results(mismatch))


def widened(mismatch: Mismatch) -> bool:
    """Our integers are of the default width, JAX's of the argument's."""
    ((ours, theirs),) = results(mismatch)
    return is_kind(ours, "iu") and ours.dtype.itemsize > theirs.dtype.itemsize


def by_a_bool_or_a_huge_number(mismatch: Mismatch) -> bool:
    """The exponent is a Python bool, or an integer that float32 cannot hold."""
    exponent = mismatch.call[1][1]
    return isinstance(exponent, bool) or (isinstance(exponent, int) and abs(exponent) > 1 << 24)


def of_integers(mismatch: Mismatch) -> bool:
    """The first argument is an array of integers or truth values."""
    return is_kind(operands(mismatch)[0], "biu")


def asks_for_integers(mismatch: Mismatch) -> bool:
    """The call asks, by name or by Python's type, for a dtype that is no floating-point dtype."""
    coded = mismatch.call[2].get("dtype") or mismatch.call[1][2]
    name = coded if isinstance(coded, str) else coded.get("d") or coded.get("t") or coded.get("p")
    return name == "bool" or "int" in name


def without_infinities(mismatch: Mismatch) -> bool:
    """The argument is of a dtype that has no infinities."""
    return bool(np.isnan(floats(np.asarray(np.inf).astype(operands(mismatch)[0].dtype))))


def neither_finite(mismatch: Mismatch) -> bool:
    """Wherever we differ, neither result is finite."""
    return all(only_where(mismatch, ~np.isfinite(ours) & ~np.isfinite(theirs)) for ours, theirs in results(mismatch))


def rounding_noise(mismatch: Mismatch) -> bool:
    """Wherever we differ, both results are nothing beside the arguments."""
    scale = max(float(np.abs(np.asarray(v)).max(initial=0)) ** 2 for v in operands(mismatch) if hasattr(v, "dtype"))
    for ours, theirs in results(mismatch):
        bound = 64 * scale * float(ml_dtypes.finfo(theirs.dtype).eps) if is_kind(theirs, "fc") else 0.0
        small = (np.abs(ours) <= bound) & (np.abs(theirs) <= bound)
        if not bool((equal_elements(ours, theirs, mismatch.target) | small).all()):
            return False
    return True


def subnormal(mismatch: Mismatch) -> bool:
    """Wherever we differ, JAX says zero and we a number below the smallest normal one."""

    def kept(ours: Data, theirs: Data) -> Data:
        least = float(ml_dtypes.finfo(theirs.dtype).smallest_normal)
        parts = ((ours.real, theirs.real), (ours.imag, theirs.imag)) if is_kind(theirs, "c") else ((ours, theirs),)
        same = [equal_elements(a, b, mismatch.target) | ((b == 0) & (np.abs(a) < least)) for a, b in parts]
        return np.logical_and.reduce(same)

    return all(is_kind(theirs, "fc") and bool(kept(ours, theirs).all()) for ours, theirs in results(mismatch))


def printed_as_repr(mismatch: Mismatch) -> bool:
    """JAX prints the name of its implementation, or arrays inside an array."""
    return "ArrayImpl" in str(mismatch.expected["r"]) or "Array(" in str(mismatch.expected["r"])


def viewed_exactly(mismatch: Mismatch) -> bool:
    """Our result has the bytes of the argument."""
    return np.asarray(mismatch.actual).tobytes() == operands(mismatch)[0].tobytes()


def wrong_type(mismatch: Mismatch) -> bool:
    """We raise TypeError, and among the arguments is one that is no number, array or index."""
    arguments = [*mismatch.call[1], *mismatch.call[2].values()]
    strange = [
        v is None or isinstance(v, str | float | list) or (isinstance(v, dict) and bool(v.keys() & {"m", "p"}))
        for v in arguments
    ]
    return isinstance(mismatch.error, TypeError) and any(strange)


def nothing_there(mismatch: Mismatch) -> bool:
    """We raise ValueError, JAX IndexError."""
    return mismatch.expected["x"] == "IndexError" and isinstance(mismatch.error, ValueError)


def refused(mismatch: Mismatch) -> bool:
    """We raise TypeError or ValueError."""
    return isinstance(mismatch.error, TypeError | ValueError)


def taken(mismatch: Mismatch) -> bool:
    """JAX raises and we do not."""
    return mismatch.error is None


def full_length(mismatch: Mismatch) -> bool:
    """JAX refuses a length of -1, which stands for the whole axis."""
    return mismatch.error is None and mismatch.expected["m"] == "Shape should be positive."


def argument_with_nan(mismatch: Mismatch) -> bool:
    """There is NaN in the argument, and in our result."""
    argument = operands(mismatch)[0]
    return bool(np.isnan(floats(argument)).any()) and all(bool(np.isnan(floats(ours)).any()) for ours, _ in results(mismatch))


def same_truth(mismatch: Mismatch) -> bool:
    """Ours is the bool that JAX's array holds."""
    return type(mismatch.actual) is bool and [int(mismatch.actual)] == mismatch.expected["r"]["v"]


def index_dtype(mismatch: Mismatch) -> bool:
    """Ours are the default integers."""
    return str(mismatch.actual.dtype) == ("int64" if mismatch.mode == "on" else "int32")


def complex_into_bool(mismatch: Mismatch) -> bool:
    """A complex number is put into an array of bools."""
    x, _, value = operands(mismatch)[:3]
    return is_kind(x, "b") and is_kind(value, "c")


def unsigned(mismatch: Mismatch) -> bool:
    """Unsigned integers, cut off at one."""
    x = operands(mismatch)[0]
    return is_kind(x, "u") and bool((np.asarray(mismatch.actual) == np.minimum(x, x.dtype.type(1))).all())


def two_bits(mismatch: Mismatch) -> bool:
    """Integers of two bits, for which ours is a float32."""
    recorded = mismatch.expected["r"]["a"]
    return recorded in ("int2", "uint2") and str(mismatch.actual.dtype) == "float32"


def reads_outside(mismatch: Mismatch) -> bool:
    """An index out of bounds, for which we raise IndexError."""
    return isinstance(mismatch.error, IndexError) and "out of bounds" in str(mismatch.error)


def string_argument(mismatch: Mismatch) -> bool:
    """The first argument is a string, which we refuse."""
    return isinstance(mismatch.call[1][0], str) and isinstance(mismatch.error, TypeError)


def complex_to_real(mismatch: Mismatch) -> bool:
    """A complex number is asked for in a real dtype, which we refuse."""
    return isinstance(mismatch.error, TypeError) and "complex" in str(mismatch.error)


def weak_powers(mismatch: Mismatch) -> bool:
    """Both operands are weak integers, and so is our result."""
    return mismatch.actual.weak_type and is_kind(np.asarray(mismatch.actual), "iu")


def powers_modulo(mismatch: Mismatch) -> bool:
    """Integers; for exponents from zero our result is the exact power modulo the width; others are left to us."""
    ((ours, theirs),) = results(mismatch)
    base, exponent = operands(mismatch)[:2]
    exponent = np.asarray(exponent).astype(theirs.dtype)
    base, exponent, ours = np.broadcast_arrays(*(np.asarray(v).astype(object) for v in (base, exponent, ours)))
    modulus = 2 ** (8 * theirs.dtype.itemsize)
    triples = zip(base.ravel(), exponent.ravel(), ours.ravel(), strict=True)
    return is_kind(theirs, "iu") and all(e < 0 or (o - pow(int(b), int(e), modulus)) % modulus == 0 for b, e, o in triples)


# Conditions of few calls ----------------------------------------------------------------------------------------------------


def too_large_for_dtype(mismatch: Mismatch) -> bool:
    """A Python integer that the dtype asked for cannot hold, which we refuse."""
    return isinstance(mismatch.error, OverflowError) and "out of bounds for" in str(mismatch.error)


def list_without_copy(mismatch: Mismatch) -> bool:
    """A list, which we refuse to take without a copy."""
    refused_it = isinstance(mismatch.call[1][0], list) and mismatch.call[2]["copy"] is False
    return refused_it and isinstance(mismatch.error, ValueError)


def ends_at_stop(mismatch: Mismatch) -> bool:
    """Integers, of which only the last differs, and ours is the end that was asked for."""
    ((ours, theirs),) = results(mismatch)
    last = np.arange(len(ours)) == len(ours) - 1
    return is_kind(ours, "iu") and only_where(mismatch, last) and int(ours[-1]) == mismatch.call[1][1] != int(theirs[-1])


def number_for_dtype(mismatch: Mismatch) -> bool:
    """A Python number stands where a dtype or an array is wanted."""
    return type(mismatch.call[1][0]) in (int, float) and mismatch.error is None


def none_for_dtype(mismatch: Mismatch) -> bool:
    """None stands where a dtype is wanted, which we refuse."""
    return mismatch.call[1][0] is None and isinstance(mismatch.error, TypeError)


def byte_order(mismatch: Mismatch) -> bool:
    """The dtype asked for names a byte order; ours is that dtype without it."""
    name = mismatch.call[2]["dtype"]
    return bool(name[0] in "<>") and mismatch.actual.dtype == np.dtype(name).newbyteorder("=")


def complex_angles(mismatch: Mismatch) -> bool:
    """Complex numbers, not finite in both, or apart by rounding beside 1, wherever we differ."""
    ((ours, theirs),) = results(mismatch)
    with np.errstate(all="ignore"):
        near = np.abs(ours - theirs) <= 16 * np.finfo(theirs.dtype).eps * np.maximum(1, np.abs(theirs))
    return is_kind(ours, "c") and only_where(mismatch, near | (~np.isfinite(ours) & ~np.isfinite(theirs)))


def flag_of_shapes(mismatch: Mismatch) -> bool:
    """JAX's result is strong where the operands had to be broadcast, and weak where not."""
    broadcast = mismatch.target.count(".") == 1 and len({np.shape(v) for v in operands(mismatch)}) > 1
    return broadcast is not bool(mismatch.expected["r"].get("w"))


def infinite_argument(mismatch: Mismatch) -> bool:
    """The argument is infinite, and our result NaN, wherever we differ."""
    return only_where(mismatch, np.isinf(floats(operands(mismatch)[0])) & np.isnan(floats(mismatch.actual)))


def given_as_list(mismatch: Mismatch) -> bool:
    """The first argument is a list, which we refuse."""
    return isinstance(mismatch.call[1][0], list) and isinstance(mismatch.error, TypeError)


def along_no_axes(mismatch: Mismatch) -> bool:
    """No axes to transform: our result is the argument, complex for rfftn and real for irfftn."""
    x = np.asarray(operands(mismatch)[0])
    axes = mismatch.call[2].get("axes", {"u": range(x.ndim)})["u"]
    ours = np.asarray(mismatch.actual)
    return not len(axes) and is_kind(ours, "f" if "irfftn" in mismatch.target else "c") and bool((ours.real == x.real).all())


def complex_fill(mismatch: Mismatch) -> bool:
    """A complex fill_value is given, and the indices are in range."""
    return "c" in mismatch.call[2]["fill_value"] and mismatch.error is None


def updated_exactly(mismatch: Mismatch) -> bool:
    """Our elements are powers modulo the width, or rounded ones of complex numbers in 128 bits; others are as they were."""
    ((ours, _),) = results(mismatch)
    x, exponent = operand(mismatch.call[1][0], mismatch.mode), operand(mismatch.call[1][2], mismatch.mode)
    index = mismatch.call[1][1]
    key: Any = slice(*index["sl"]) if "sl" in index else operand(index, mismatch.mode)
    if is_kind(x, "iu"):
        exact = x.astype(object)
        exact[key] = [pow(base, int(exponent), 2 ** (8 * x.dtype.itemsize)) for base in exact[key]]
        return bool(((ours.astype(object) - exact) % 2 ** (8 * x.dtype.itemsize) == 0).all())
    exact = x.astype(np.complex128)
    with np.errstate(all="ignore"):
        exact[key] **= exponent
        exact = exact.astype(x.dtype)
    parts = ((ours.real, exact.real), (ours.imag, exact.imag))
    return all(bool(equal_elements(a, b, "operator.pow").all()) for a, b in parts)


def wrapped_truth(mismatch: Mismatch) -> bool:
    """Indices that are truth values; ours are the elements 0 and 1."""
    x, indices = operands(mismatch)
    exact = np.take(x, indices.astype(np.int64), mismatch.call[2].get("axis"))
    return is_kind(indices, "b") and bool((np.asarray(mismatch.actual) == exact).all())


def into_nothing(mismatch: Mismatch) -> bool:
    """The shape to unravel into has no elements."""
    return 0 in mismatch.call[1][1]["u"]


def rank_above_relative(mismatch: Mismatch) -> bool:
    """Our rank is the number of singular values above rtol times the largest."""
    x, rtol = operands(mismatch)
    values = np.linalg.svdvals(x.astype(np.float64))
    return int(mismatch.actual) == int((values > rtol * values.max()).sum())


def negative_count_of_axes(mismatch: Mismatch) -> bool:
    """The number of axes is negative, which we refuse."""
    axes = mismatch.call[2].get("axes", mismatch.call[1][-1])
    return isinstance(axes, int) and axes < 0 and isinstance(mismatch.error, TypeError)


def narrow_integers(mismatch: Mismatch) -> bool:
    """Integers of fewer than eight bits, which JAX does not promote."""
    return mismatch.error is None and mismatch.call[1][0]["a"] in ("int2", "int4", "uint2", "uint4")


def sums_not_finite(mismatch: Mismatch) -> bool:
    """Complex numbers, not all finite; wherever we differ JAX's mean has a NaN part."""
    x = operands(mismatch)[0]
    ((ours, theirs),) = results(mismatch)
    return is_kind(x, "c") and is_kind(ours, "c") and not np.isfinite(x).all() and only_where(mismatch, np.isnan(theirs))


def zero_of_noise(mismatch: Mismatch) -> bool:
    """Wherever we differ, ours is zero and JAX's a rounding error beside 1."""
    return all(
        only_where(mismatch, (ours == 0) & (np.abs(theirs) <= 8 * ml_dtypes.finfo(theirs.dtype).eps))
        for ours, theirs in results(mismatch)
    )


def nearer_quantiles(mismatch: Mismatch) -> bool:
    """Our elements are nearer to the percentiles in 64 bits than JAX's."""
    x, q = operands(mismatch)
    axis = mismatch.call[2]["axis"]
    exact = np.percentile(x.astype(np.float64), q.astype(np.float64), axis=axis, method=mismatch.call[2]["method"])
    return all(only_where(mismatch, np.abs(ours - exact) < np.abs(theirs - exact)) for ours, theirs in results(mismatch))


def same_digits(mismatch: Mismatch) -> bool:
    """The numbers that are printed are the same in the dtype of the argument."""
    x = operands(mismatch)[0]
    printed = (str(text).strip("[]").split() for text in (mismatch.actual, mismatch.expected["r"]))
    ours, theirs = (np.asarray(words_, np.float64).astype(x.dtype) for words_ in printed)
    return bool((ours == theirs).all() and (ours == x).all())


def period_of_zero(mismatch: Mismatch) -> bool:
    """The period is zero, and our result NaN."""
    return mismatch.call[2]["period"] == 0 and bool(np.isnan(np.asarray(mismatch.actual)).all())


def no_samples(mismatch: Mismatch) -> bool:
    """There are no points to interpolate between, which both refuse."""
    return not operands(mismatch)[1].size and isinstance(mismatch.error, IndexError)


def filled_from_nothing(mismatch: Mismatch) -> bool:
    """The argument is empty, and our result the fill_value."""
    value = mismatch.call[2]["fill_value"]
    return not np.asarray(operands(mismatch)[0]).size and all(bool((ours == value).all()) for ours, _ in results(mismatch))


def promoted_truth(mismatch: Mismatch) -> bool:
    """Truth values are updated with integers; ours become integers."""
    return is_kind(operands(mismatch)[0], "b") and is_kind(np.asarray(mismatch.actual), "i")


def one_step(mismatch: Mismatch) -> bool:
    """An array without dimensions, whose one element is our result."""
    x = operands(mismatch)[0]
    return x.ndim == 0 and mismatch.error is None and np.asarray(mismatch.actual).tolist() == [x.item()]


def narrower_same(mismatch: Mismatch) -> bool:
    """Integers up to 32 bits: ours is JAX's result, of 64 bits, in float32."""
    ((ours, theirs),) = results(mismatch)
    close = equal_elements(ours, theirs.astype(np.float32), mismatch.target)
    return (
        is_kind(operands(mismatch)[0], "biu") and ours.dtype == np.float32 and theirs.dtype == np.float64 and bool(close.all())
    )


def written_in_place(mismatch: Mismatch) -> bool:
    """Nothing says ``inplace=False``, and our result is the array that was given."""
    return "inplace" not in mismatch.call[2] and mismatch.error is None
