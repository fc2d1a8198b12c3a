"""Define the conditions of the reasons in ``deviations.py``: the calls for which a reason excuses a mismatch.

A condition returns True if the reason applies. As far as possible it checks that our result is correct.
"""

from __future__ import annotations

import operator
import re
import warnings
from typing import Any, Final

import ml_dtypes
import numpy as np

from conformance.jax import calls
from conformance.jax.compare import Mismatch, equal_elements

Data = np.ndarray[Any, Any]

# What conditions look at ----------------------------------------------------------------------------------------------------


def operand(coded: Any, mode: str) -> Any:
    """Return an argument as a NumPy array or Python value, truncated to 32 bits in the mode without 64-bit types."""
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
    """Whether an argument is an array or a Python number."""
    return isinstance(coded, int | float) or (isinstance(coded, dict) and bool(coded.keys() & {"a", "n", "g", "w", "c"}))


def only_where(mismatch: Mismatch, allowed: Any) -> bool:
    """Whether our elements differ from the recorded ones only where a mask allows it."""
    return all(bool((equal_elements(ours, theirs, mismatch.target) | allowed).all()) for ours, theirs in results(mismatch))


def is_kind(value: Any, kinds: str) -> bool:
    """Whether a value is of one of the kinds b, i, u, f, c; a Python int is of kind i."""
    return calls.ml_dtypes_kind(np.asarray(value).dtype if not isinstance(value, int) else np.dtype(type(value))) in kinds


def floats(value: Any) -> Data:
    """Return the values in complex128, for which tests for zeros and infinities work."""
    return np.asarray(value).astype(np.complex128)


# Conditions -----------------------------------------------------------------------------------------------------------------

_COMPARISONS = {"eq": operator.eq, "equal": operator.eq, "ne": operator.ne, "not_equal": operator.ne, "lt": operator.lt,
                "less": operator.lt, "le": operator.le, "less_equal": operator.le, "gt": operator.gt, "greater": operator.gt,
                "ge": operator.ge, "greater_equal": operator.ge}  # fmt: skip
COMPARISONS = tuple(f"{space}.{name}" for name in _COMPARISONS for space in ("operator", "jnp"))


def bool_result(mismatch: Mismatch) -> bool:
    """Whether the result is a bool and ours is strong."""
    return mismatch.expected["r"]["a"] == "bool" and not mismatch.actual.weak_type


def left_to_python(mismatch: Mismatch) -> bool:
    """Whether an operand is not a number; Python then compares identities."""
    return mismatch.actual is (mismatch.target == "operator.ne") and not all(is_number(coded) for coded in mismatch.call[1])


def integers_by_zero(mismatch: Mismatch) -> bool:
    """Whether the operands are integers and the divisor, wrapped to the result's width, is zero wherever we differ."""
    x, y = operands(mismatch)[:2]
    width = ml_dtypes.iinfo(results(mismatch)[0][1].dtype).bits
    divisor = np.asarray(np.asarray(y).astype(object) % 2**width == 0).astype(np.bool_)
    return is_kind(x, "biu") and is_kind(y, "biu") and only_where(mismatch, divisor)


def compares_exactly(mismatch: Mismatch) -> bool:
    """Whether our result is that of Python's integers."""
    if not all(is_number(coded) for coded in mismatch.call[1][:2]):
        return False
    x, y = (np.asarray(v).astype(object) for v in operands(mismatch)[:2])
    exact = _COMPARISONS[mismatch.target.split(".")[1]](x, y)
    return bool((np.asarray(mismatch.actual) == np.asarray(exact).astype(np.bool_)).all())


def fits_the_other(mismatch: Mismatch) -> bool:
    """Whether a Python integer does not fit JAX's default integer but fits the dtype of the other operand."""
    if mismatch.expected.get("x") != "OverflowError" or mismatch.error is not None:
        return False
    x, y = operands(mismatch)[:2]
    number, other = (x, y) if type(x) is int else (y, x)
    limits = np.iinfo(other.dtype)
    return int(limits.min) <= number <= int(limits.max)


def of_64_bits(mismatch: Mismatch) -> bool:
    """Whether a Python integer between 2**63 and 2**64 has no array beside it: JAX raises OverflowError or wraps it."""
    alone = not any(isinstance(coded, dict) and "a" in coded for coded in mismatch.call[1])
    given = [n for coded in mismatch.call[1] for n in (coded if isinstance(coded, list) else [coded])]
    large = any(2**63 <= n < 2**64 for n in given if type(n) is int)
    return alone and large and mismatch.expected.get("x", "OverflowError") == "OverflowError"


def jax_lacks(mismatch: Mismatch) -> bool:
    """Whether JAX raises for a narrow dtype, or does not implement the call; not if it lacks a promotion."""
    if mismatch.error is not None or mismatch.expected["y"] == "TypePromotionError":
        return False
    kinds = ("float8", "int4", "uint4", "int2", "uint2")
    narrow = any(str(coded.get(key)).startswith(kinds) for coded in words(mismatch.call[1:]) for key in ("a", "d", "t"))
    lacking = ("RFFT input must be", "Unsupported dtype", "don't know how to read character strings", "data type <class 'ml_d")
    said = mismatch.expected["m"].startswith(lacking)
    return narrow or said or mismatch.expected["y"] in ("NotImplementedError", "XlaRuntimeError", "JaxRuntimeError")


def words(coded: Any) -> list[dict[str, Any]]:
    """Yield every dict inside encoded arguments."""
    inner = coded.values() if isinstance(coded, dict) else coded if isinstance(coded, list) else ()
    found = [word for value in inner for word in words(value)]
    return [coded, *found] if isinstance(coded, dict) else found


def clips_exactly(mismatch: Mismatch) -> bool:
    """Whether our result is that of Python's integers, clipped to the range of the dtype."""
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
    """Whether a Python integer is beyond the mode's default integer, so that we refuse it and JAX takes it."""
    low, high = (-(2**63), 2**63) if mismatch.mode == "on" else (-(2**31), 2**31)
    arguments = [*mismatch.call[1], *mismatch.call[2].values()]
    return isinstance(mismatch.error, OverflowError) and any(type(n) is int and not low <= n < high for n in arguments)


def complex_argument_special(mismatch: Mismatch) -> bool:
    """Whether a complex argument has a part that is zero, infinite or NaN wherever we differ."""
    x = np.asarray(operands(mismatch)[0])
    special = ~np.isfinite(x.real) | ~np.isfinite(x.imag) | (x.real == 0) | (x.imag == 0)
    return is_kind(x, "c") and only_where(mismatch, special)


def complex_nans(mismatch: Mismatch) -> bool:
    """Whether the operands are complex, and one of them is NaN wherever we differ."""
    x, y = (floats(v) for v in operands(mismatch)[:2])
    return is_kind(results(mismatch)[0][0], "c") and only_where(mismatch, np.isnan(x) | np.isnan(y))


def refused_for_its_dtype(mismatch: Mismatch) -> bool:
    """Whether both raise: JAX for the size of the integer, we for the dtype."""
    return mismatch.expected["x"] == "OverflowError" and isinstance(mismatch.error, TypeError)


def bool_times_nonfinite(mismatch: Mismatch) -> bool:
    """Whether one operand is bool, and the other is zero or not finite wherever we differ."""
    x, y = operands(mismatch)[:2]
    if not (is_kind(x, "b") or is_kind(y, "b")):
        return False
    other = floats(y if is_kind(x, "b") else x)
    return only_where(mismatch, ~np.isfinite(other) | (other == 0))


def special_operands(mismatch: Mismatch) -> bool:
    """Whether an operand, in the dtype of the result, is zero, infinite or NaN wherever we differ."""
    dtype = results(mismatch)[0][1].dtype
    x, y = (floats(np.asarray(v).astype(dtype)) for v in operands(mismatch)[:2])
    return only_where(mismatch, ~np.isfinite(x) | ~np.isfinite(y) | (x == 0) | (y == 0))


def real_and_special(mismatch: Mismatch) -> bool:
    """Whether the operands are real floats, and special wherever we differ."""
    return all(not is_kind(ours, "c") and is_kind(ours, "f") for ours, _ in results(mismatch)) and special_operands(mismatch)


def complex_and_special(mismatch: Mismatch) -> bool:
    """Whether the results are complex, and operands are special or results not finite wherever we differ."""
    ((ours, theirs),) = results(mismatch)
    return is_kind(ours, "c") and (special_operands(mismatch) or only_where(mismatch, ~np.isfinite(theirs)))


def zero_d_exponent(mismatch: Mismatch) -> bool:
    """Whether the exponent is a 0-d array of integers."""
    exponent = mismatch.call[1][1]
    return (
        isinstance(exponent, dict) and (exponent.get("s") == [] or "g" in exponent) and is_kind(operand(exponent, "on"), "iu")
    )


def bool_to_a_weak_power(mismatch: Mismatch) -> bool:
    """Whether the base is a bool and the exponent a weak array of integers."""
    base, exponent = mismatch.call[1][:2]
    return isinstance(exponent, dict) and exponent.get("w") == "int" and is_kind(operand(base, "on"), "b")


def from_float4(mismatch: Mismatch) -> bool:
    """Whether the call is a cast from a 4-bit float, exact in ours."""
    x = operands(mismatch)[0]
    ours = np.asarray(mismatch.actual)
    limits = ml_dtypes.iinfo(ours.dtype)
    exact = np.clip(np.trunc(floats(x).real), float(limits.min), float(limits.max))
    return "float4" in x.dtype.name and bool((floats(ours).real == exact).all())


def shifted_exactly(mismatch: Mismatch) -> bool:
    """Whether our result is the exact right shift of the operand in the dtype of the result."""
    dtype = results(mismatch)[0][1].dtype
    x, y, ours = np.broadcast_arrays(
        *(np.asarray(v).astype(dtype).astype(object) for v in (*operands(mismatch)[:2], np.asarray(mismatch.actual)))
    )
    return all((a >> b if b >= 0 else -(a < 0)) == o for a, b, o in zip(x.ravel(), y.ravel(), ours.ravel(), strict=True))


def wrapped_number(mismatch: Mismatch) -> bool:
    """Whether integers have a floating-point result, and one is a Python integer that does not fit the other's dtype."""
    x, y = operands(mismatch)[:2]
    number, other = (x, y) if type(x) is int else (y, x)
    limits = np.iinfo(other.dtype)
    return is_kind(results(mismatch)[0][1], "f") and type(number) is int and not limits.min <= number <= limits.max


def as_in_a_wider_dtype(mismatch: Mismatch) -> bool:
    """Whether our elements are those of NumPy's function of the same name in 64 bits, rounded."""
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
    """Decode an option that is a number, a string or a tuple of such."""
    if isinstance(coded, dict):
        return tuple(_plain(x) for x in coded["u"])
    return coded


def slip_of_jax(mismatch: Mismatch) -> bool:
    """Whether JAX's message shows that one of its functions called another one incorrectly."""
    slips = ("have the same dtypes", "unhashable type: 'jaxlib", "must not be narrower than")
    failed = mismatch.expected["y"] == "AssertionError" or any(slip in mismatch.expected["m"] for slip in slips)
    return mismatch.error is None and failed


def not_traced(mismatch: Mismatch) -> bool:
    """Whether JAX's message says that it cannot trace a value that is unknown before the computation."""
    limits = ("Non-hashable static arguments", "must be concrete", "Error interpreting argument to")
    return mismatch.error is None and any(limit in mismatch.expected["m"] for limit in limits)


def with_out(mismatch: Mismatch) -> bool:
    """Whether `out=` is passed, which we refuse."""
    return "out" in mismatch.call[2] and isinstance(mismatch.error, NotImplementedError)


def index_not_integer(mismatch: Mismatch) -> bool:
    """Whether JAX raises ValueError for the dtype of indices."""
    return isinstance(mismatch.error, TypeError) and "must have an integer type" in mismatch.expected["m"]


def dtype_asked_for(mismatch: Mismatch) -> bool:
    """Whether our result has the dtype that the call requests."""
    return str(mismatch.actual.dtype) == mismatch.call[2]["dtype"]["d"]


def truth_values(mismatch: Mismatch) -> bool:
    """Whether our results are the truth values of JAX's."""
    return all(bool((ours == theirs.astype(np.bool_).astype(ours.dtype)).all()) for ours, theirs in results(mismatch))


def widened(mismatch: Mismatch) -> bool:
    """Whether our integers have the default width, and JAX's that of the argument."""
    ((ours, theirs),) = results(mismatch)
    return is_kind(ours, "iu") and ours.dtype.itemsize > theirs.dtype.itemsize


def by_a_bool_or_a_huge_number(mismatch: Mismatch) -> bool:
    """Whether the exponent is a Python bool, or an integer beyond float32."""
    exponent = mismatch.call[1][1]
    return isinstance(exponent, bool) or (isinstance(exponent, int) and abs(exponent) > 1 << 24)


def of_integers(mismatch: Mismatch) -> bool:
    """Whether the first argument is an array of integers or bools."""
    return is_kind(operands(mismatch)[0], "biu")


def asks_for_integers(mismatch: Mismatch) -> bool:
    """Whether the call requests, by name or Python type, a dtype that is not floating-point."""
    coded = mismatch.call[2].get("dtype") or mismatch.call[1][2]
    name = coded if isinstance(coded, str) else coded.get("d") or coded.get("t") or coded.get("p")
    return name == "bool" or "int" in name


def without_infinities(mismatch: Mismatch) -> bool:
    """Whether the argument's dtype has no infinities."""
    return bool(np.isnan(floats(np.asarray(np.inf).astype(operands(mismatch)[0].dtype))))


def no_finite_solution(mismatch: Mismatch) -> bool:
    """Whether neither result is finite wherever we differ; or one is not, and the matrix is singular or not finite itself."""
    regular = _is_regular(floats(operands(mismatch)[0]))
    for ours, theirs in results(mismatch):
        finite = np.isfinite(ours), np.isfinite(theirs)
        allowed = ~finite[0] & ~finite[1] if regular else ~finite[0] | ~finite[1]
        if not bool((equal_elements(ours, theirs, mismatch.target) | allowed).all()):
            return False
    return True


def _is_regular(matrix: Data) -> bool:
    """Whether all elements are finite, and the matrices of a stack of square ones far from singular."""
    if not np.isfinite(matrix).all() or matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2]:
        return bool(np.isfinite(matrix).all())
    values = np.linalg.svdvals(matrix)
    return bool((values.min(-1, initial=np.inf) > 1e-6 * values.max(-1, initial=0)).all())


def rounding_noise(mismatch: Mismatch) -> bool:
    """Whether both results are negligible beside the arguments wherever we differ."""
    scale = max(float(np.abs(np.asarray(v)).max(initial=0)) ** 2 for v in operands(mismatch) if hasattr(v, "dtype"))
    for ours, theirs in results(mismatch):
        bound = 64 * scale * float(ml_dtypes.finfo(theirs.dtype).eps) if is_kind(theirs, "fc") else 0.0
        small = (np.abs(ours) <= bound) & (np.abs(theirs) <= bound)
        if not bool((equal_elements(ours, theirs, mismatch.target) | small).all()):
            return False
    return True


def subnormal(mismatch: Mismatch) -> bool:
    """Whether, wherever we differ, JAX returns zero and we a subnormal number."""

    def kept(ours: Data, theirs: Data) -> Data:
        least = float(ml_dtypes.finfo(theirs.dtype).smallest_normal)
        parts = ((ours.real, theirs.real), (ours.imag, theirs.imag)) if is_kind(theirs, "c") else ((ours, theirs),)
        same = [equal_elements(a, b, mismatch.target) | ((b == 0) & (np.abs(a) < least)) for a, b in parts]
        return np.logical_and.reduce(same)

    return all(is_kind(theirs, "fc") and bool(kept(ours, theirs).all()) for ours, theirs in results(mismatch))


def printed_as_repr(mismatch: Mismatch) -> bool:
    """Whether JAX prints the name of its implementation, or arrays inside an array."""
    return "ArrayImpl" in str(mismatch.expected["r"]) or "Array(" in str(mismatch.expected["r"])


_NUMBER: Final = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*(?:e[+-]\d+)?|nan|inf)")


def same_text(ours: str, theirs: str, dtype: np.dtype[Any] | None = None) -> bool:
    """Whether two texts of arrays are the same but for spaces, and digits that tell nothing of numbers of the dtype."""
    named = re.search(r"dtype=(\w+)", theirs)
    kind = dtype if named is None else getattr(ml_dtypes, named[1], None)
    rest = [re.sub(r"\s", "", _NUMBER.sub("", text)) for text in (ours, theirs)]
    numbers = [_NUMBER.findall(text) for text in (ours, theirs)]
    if rest[0] != rest[1] or len(numbers[0]) != len(numbers[1]) or kind is None:
        return rest[0] == rest[1] and numbers[0] == numbers[1]
    values = [np.asarray(found, np.float64).astype(kind) for found in numbers]
    return values[0].tobytes() == values[1].tobytes()


def printed_in_columns(mismatch: Mismatch) -> bool:
    """Whether texts are the same but for spaces and digits."""
    ours, theirs = mismatch.actual, mismatch.expected["r"]
    dtype = np.asarray(operands(mismatch)[0]).dtype
    return isinstance(ours, str) and isinstance(theirs, str) and same_text(ours, theirs, dtype)


def viewed_exactly(mismatch: Mismatch) -> bool:
    """Whether our result has the bytes of the argument."""
    return np.asarray(mismatch.actual).tobytes() == operands(mismatch)[0].tobytes()


def wrong_type(mismatch: Mismatch) -> bool:
    """Whether we raise TypeError, and an argument is not a number, array or index."""
    arguments = [*mismatch.call[1], *mismatch.call[2].values()]
    strange = [
        v is None or isinstance(v, str | float | list) or (isinstance(v, dict) and bool(v.keys() & {"m", "p"}))
        for v in arguments
    ]
    return isinstance(mismatch.error, TypeError) and any(strange)


def nothing_there(mismatch: Mismatch) -> bool:
    """Whether we raise ValueError and JAX IndexError."""
    return mismatch.expected["x"] == "IndexError" and isinstance(mismatch.error, ValueError)


def refused(mismatch: Mismatch) -> bool:
    """Whether we raise TypeError or ValueError."""
    return isinstance(mismatch.error, TypeError | ValueError)


def taken(mismatch: Mismatch) -> bool:
    """Whether JAX raises and we do not."""
    return mismatch.error is None


def full_length(mismatch: Mismatch) -> bool:
    """Whether JAX refuses a length of -1, which means the whole axis."""
    return mismatch.error is None and mismatch.expected["m"] == "Shape should be positive."


def argument_with_nan(mismatch: Mismatch) -> bool:
    """Whether both the argument and our result contain NaN."""
    argument = operands(mismatch)[0]
    return bool(np.isnan(floats(argument)).any()) and all(bool(np.isnan(floats(ours)).any()) for ours, _ in results(mismatch))


def same_truth(mismatch: Mismatch) -> bool:
    """Whether our result is the bool that JAX's array contains."""
    return type(mismatch.actual) is bool and [int(mismatch.actual)] == mismatch.expected["r"]["v"]


def index_dtype(mismatch: Mismatch) -> bool:
    """Whether our results are default integers."""
    return str(mismatch.actual.dtype) == ("int64" if mismatch.mode == "on" else "int32")


def complex_into_bool(mismatch: Mismatch) -> bool:
    """Whether a complex number is written into an array of bools."""
    x, _, value = operands(mismatch)[:3]
    return is_kind(x, "b") and is_kind(value, "c")


def unsigned(mismatch: Mismatch) -> bool:
    """Whether the operands are unsigned integers, clipped at one."""
    x = operands(mismatch)[0]
    return is_kind(x, "u") and bool((np.asarray(mismatch.actual) == np.minimum(x, x.dtype.type(1))).all())


def two_bits(mismatch: Mismatch) -> bool:
    """Whether the operands are 2-bit integers, for which our result is float32."""
    recorded = mismatch.expected["r"]["a"]
    return recorded in ("int2", "uint2") and str(mismatch.actual.dtype) == "float32"


def reads_outside(mismatch: Mismatch) -> bool:
    """Whether an index is out of bounds, for which we raise IndexError."""
    return isinstance(mismatch.error, IndexError) and "out of bounds" in str(mismatch.error)


def string_argument(mismatch: Mismatch) -> bool:
    """Whether the first argument is a string, which we refuse."""
    return isinstance(mismatch.call[1][0], str) and isinstance(mismatch.error, TypeError)


def complex_to_real(mismatch: Mismatch) -> bool:
    """Whether a complex number is requested in a real dtype, which we refuse."""
    return isinstance(mismatch.error, TypeError) and "complex" in str(mismatch.error)


def weak_powers(mismatch: Mismatch) -> bool:
    """Whether both operands and our result are weak integers."""
    return mismatch.actual.weak_type and is_kind(np.asarray(mismatch.actual), "iu")


def powers_modulo(mismatch: Mismatch) -> bool:
    """Whether integers have our exact powers modulo the width for nonnegative exponents; others are not compared."""
    ((ours, theirs),) = results(mismatch)
    base, exponent = operands(mismatch)[:2]
    exponent = np.asarray(exponent).astype(theirs.dtype)
    base, exponent, ours = np.broadcast_arrays(*(np.asarray(v).astype(object) for v in (base, exponent, ours)))
    modulus = 2 ** (8 * theirs.dtype.itemsize)
    triples = zip(base.ravel(), exponent.ravel(), ours.ravel(), strict=True)
    return is_kind(theirs, "iu") and all(e < 0 or (o - pow(int(b), int(e), modulus)) % modulus == 0 for b, e, o in triples)


# Conditions of few calls ----------------------------------------------------------------------------------------------------


def too_large_for_dtype(mismatch: Mismatch) -> bool:
    """Whether a Python integer does not fit the requested dtype, so that we refuse it."""
    return isinstance(mismatch.error, OverflowError) and "out of bounds for" in str(mismatch.error)


def list_without_copy(mismatch: Mismatch) -> bool:
    """Whether a list is to be converted without a copy, which we refuse."""
    refused_it = isinstance(mismatch.call[1][0], list) and mismatch.call[2]["copy"] is False
    return refused_it and isinstance(mismatch.error, ValueError)


def ends_at_stop(mismatch: Mismatch) -> bool:
    """Whether only the last of some integers differs, and ours is the requested end."""
    ((ours, theirs),) = results(mismatch)
    last = np.arange(len(ours)) == len(ours) - 1
    return is_kind(ours, "iu") and only_where(mismatch, last) and int(ours[-1]) == mismatch.call[1][1] != int(theirs[-1])


def number_for_dtype(mismatch: Mismatch) -> bool:
    """Whether a Python number is passed for a dtype or an array."""
    return type(mismatch.call[1][0]) in (int, float) and mismatch.error is None


def none_for_dtype(mismatch: Mismatch) -> bool:
    """Whether None is passed for a dtype, which we refuse."""
    return mismatch.call[1][0] is None and isinstance(mismatch.error, TypeError)


def byte_order(mismatch: Mismatch) -> bool:
    """Whether the requested dtype names a byte order, and ours is that dtype without it."""
    name = mismatch.call[2]["dtype"]
    return bool(name[0] in "<>") and mismatch.actual.dtype == np.dtype(name).newbyteorder("=")


def complex_angles(mismatch: Mismatch) -> bool:
    """Whether complex numbers are not finite in both, or differ by a rounding error relative to 1, wherever we differ."""
    ((ours, theirs),) = results(mismatch)
    with np.errstate(all="ignore"):
        near = np.abs(ours - theirs) <= 16 * np.finfo(theirs.dtype).eps * np.maximum(1, np.abs(theirs))
    return is_kind(ours, "c") and only_where(mismatch, near | (~np.isfinite(ours) & ~np.isfinite(theirs)))


def flag_of_shapes(mismatch: Mismatch) -> bool:
    """Whether JAX's result is strong if the operands were broadcast, and weak if not."""
    broadcast = mismatch.target.count(".") == 1 and len({np.shape(v) for v in operands(mismatch)}) > 1
    return broadcast is not bool(mismatch.expected["r"].get("w"))


def infinite_argument(mismatch: Mismatch) -> bool:
    """Whether the argument is infinite and our result NaN wherever we differ."""
    return only_where(mismatch, np.isinf(floats(operands(mismatch)[0])) & np.isnan(floats(mismatch.actual)))


def given_as_list(mismatch: Mismatch) -> bool:
    """Whether the first argument is a list, which we refuse."""
    return isinstance(mismatch.call[1][0], list) and isinstance(mismatch.error, TypeError)


def along_no_axes(mismatch: Mismatch) -> bool:
    """Whether there are no axes to transform: our result is the argument, complex for rfftn and real for irfftn."""
    x = np.asarray(operands(mismatch)[0])
    axes = mismatch.call[2].get("axes", {"u": range(x.ndim)})["u"]
    ours = np.asarray(mismatch.actual)
    return not len(axes) and is_kind(ours, "f" if "irfftn" in mismatch.target else "c") and bool((ours.real == x.real).all())


def complex_fill(mismatch: Mismatch) -> bool:
    """Whether a complex fill_value is passed and the indices are in range."""
    return "c" in mismatch.call[2]["fill_value"] and mismatch.error is None


def updated_exactly(mismatch: Mismatch) -> bool:
    """Whether our elements are powers modulo the width, or complex ones rounded from 128 bits, and others are unchanged."""
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
    """Whether indices are bools, and our results are the elements 0 and 1."""
    x, indices = operands(mismatch)
    exact = np.take(x, indices.astype(np.int64), mismatch.call[2].get("axis"))
    return is_kind(indices, "b") and bool((np.asarray(mismatch.actual) == exact).all())


def into_nothing(mismatch: Mismatch) -> bool:
    """Whether the shape to unravel into has no elements."""
    return 0 in mismatch.call[1][1]["u"]


def rank_above_relative(mismatch: Mismatch) -> bool:
    """Whether our rank is the number of singular values above rtol times the largest."""
    x, rtol = operands(mismatch)
    values = np.linalg.svdvals(x.astype(np.float64))
    return int(mismatch.actual) == int((values > rtol * values.max()).sum())


def negative_count_of_axes(mismatch: Mismatch) -> bool:
    """Whether the number of axes is negative, which we refuse."""
    axes = mismatch.call[2].get("axes", mismatch.call[1][-1])
    return isinstance(axes, int) and axes < 0 and isinstance(mismatch.error, TypeError)


def narrow_integers(mismatch: Mismatch) -> bool:
    """Whether integers have fewer than eight bits, which JAX does not promote."""
    return mismatch.error is None and mismatch.call[1][0]["a"] in ("int2", "int4", "uint2", "uint4")


def sums_not_finite(mismatch: Mismatch) -> bool:
    """Whether complex numbers are not all finite, and JAX's mean has a NaN part wherever we differ."""
    x = operands(mismatch)[0]
    ((ours, theirs),) = results(mismatch)
    return is_kind(x, "c") and is_kind(ours, "c") and not np.isfinite(x).all() and only_where(mismatch, np.isnan(theirs))


def zero_of_noise(mismatch: Mismatch) -> bool:
    """Whether, wherever we differ, our result is zero and JAX's a rounding error relative to 1."""
    return all(
        only_where(mismatch, (ours == 0) & (np.abs(theirs) <= 8 * ml_dtypes.finfo(theirs.dtype).eps))
        for ours, theirs in results(mismatch)
    )


def nearer_quantiles(mismatch: Mismatch) -> bool:
    """Whether our elements are nearer to the percentiles in 64 bits than JAX's."""
    x, q = operands(mismatch)
    axis = mismatch.call[2]["axis"]
    exact = np.percentile(x.astype(np.float64), q.astype(np.float64), axis=axis, method=mismatch.call[2]["method"])
    return all(only_where(mismatch, np.abs(ours - exact) < np.abs(theirs - exact)) for ours, theirs in results(mismatch))


def same_digits(mismatch: Mismatch) -> bool:
    """Whether the printed numbers are equal in the dtype of the argument."""
    x = operands(mismatch)[0]
    printed = (str(text).strip("[]").split() for text in (mismatch.actual, mismatch.expected["r"]))
    ours, theirs = (np.asarray(words_, np.float64).astype(x.dtype) for words_ in printed)
    return bool((ours == theirs).all() and (ours == x).all())


def period_of_zero(mismatch: Mismatch) -> bool:
    """Whether the period is zero and our result NaN."""
    return mismatch.call[2]["period"] == 0 and bool(np.isnan(np.asarray(mismatch.actual)).all())


def no_samples(mismatch: Mismatch) -> bool:
    """Whether there are no points to interpolate between, so that both refuse."""
    return not operands(mismatch)[1].size and isinstance(mismatch.error, IndexError)


def filled_from_nothing(mismatch: Mismatch) -> bool:
    """Whether the argument is empty and our result the fill_value."""
    value = mismatch.call[2]["fill_value"]
    return not np.asarray(operands(mismatch)[0]).size and all(bool((ours == value).all()) for ours, _ in results(mismatch))


def promoted_truth(mismatch: Mismatch) -> bool:
    """Whether bools are updated with integers, and our result has integers."""
    return is_kind(operands(mismatch)[0], "b") and is_kind(np.asarray(mismatch.actual), "i")


def one_step(mismatch: Mismatch) -> bool:
    """Whether the argument is 0-d, and our result is its element."""
    x = operands(mismatch)[0]
    return x.ndim == 0 and mismatch.error is None and np.asarray(mismatch.actual).tolist() == [x.item()]


def narrower_same(mismatch: Mismatch) -> bool:
    """Whether integers have up to 32 bits, and our result is JAX's 64-bit result in float32."""
    ((ours, theirs),) = results(mismatch)
    close = equal_elements(ours, theirs.astype(np.float32), mismatch.target)
    return (
        is_kind(operands(mismatch)[0], "biu") and ours.dtype == np.float32 and theirs.dtype == np.float64 and bool(close.all())
    )


def written_in_place(mismatch: Mismatch) -> bool:
    """Whether ``inplace=False`` is absent and our result is the array that was passed."""
    return "inplace" not in mismatch.call[2] and mismatch.error is None
