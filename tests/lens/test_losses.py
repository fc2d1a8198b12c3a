"""Errors, units in the last place and kinds of loss, against fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum._base.buffers import native
from supremum.lens._formats import format_of, last_place
from supremum.lens._losses import _errors, errors_of, relative, ulps
from supremum.promotion._nodes import NODES

FLOATS = sorted(name for name, node in NODES.items() if node.kind == "f" and node.dtype is not None and not node.weak)


@for_each("name", FLOATS)
def test_formats_are_those_of_the_dtypes(name):
    node = NODES[name]
    form = format_of(node)
    # All numbers of a narrow dtype; of the others, those around the limits.
    if node.bits <= 16:
        with np.errstate(invalid="ignore"):  # NaN
            numbers = np.arange(1 << node.bits, dtype=f"u{max(node.bits // 8, 1)}").view(node.dtype).astype(np.float64)
        numbers = np.unique(np.abs(numbers[np.isfinite(numbers)]))
        positive = numbers[numbers > 0]
        assert (form.smallest, form.largest) == (positive[0], positive[-1])
        above = numbers[(numbers >= 1) & (numbers < 2)]
        assert len(above) == 1 << (form.bits - 1)
        # The number halfway to the next one, if there were one.
        assert form.limit == form.largest + last_place(positive[-1], form) / 2
        gaps = np.diff(positive)
        kept = positive[:-1] >= form.normal
        np.testing.assert_array_equal(last_place(positive[:-1], form)[kept], gaps[kept])
    else:
        about = np.finfo(node.dtype)
        assert (form.bits, form.largest, form.normal) == (about.nmant + 1, about.max, about.smallest_normal)
    assert form.unit == 2.0**-form.bits


def test_relative_errors_are_those_of_fractions():
    x = np.asarray([1.0, 1.25, -3.0, 0.0, np.inf, np.nan, -np.inf, 5.0, 0.0, np.nan])
    reference = np.asarray([1.5, 1.25, -2.5, 0.0, np.inf, np.nan, 7.0, 0.0, 2.0, 1.0])
    with np.errstate(all="ignore"):  # as in the lens
        found, largest = relative(x, reference)
    expected = [float(abs(Fraction(a) - Fraction(b)) / abs(Fraction(b))) for a, b in zip(x[:3], reference[:3], strict=True)]
    assert found.tolist() == [*expected, 0, 0, 0, math.inf, math.inf, 1, math.inf]
    assert largest == math.inf
    assert relative(x[:0], reference[:0])[1] == 0


def test_units_in_the_last_place_are_those_of_fractions():
    form = format_of(NODES["float32"])
    rng = np.random.default_rng(1)
    reference = rng.standard_normal(1000) * 2.0 ** rng.integers(-20, 20, 1000)
    x = reference.astype(np.float32).astype(np.float64)
    found, largest = relative(x, reference)
    expected = max(
        abs(Fraction(a) - Fraction(b)) / Fraction(2) ** (math.frexp(b)[1] - 24) for a, b in zip(x, reference, strict=True)
    )
    assert 0.4 < ulps(x, reference, found, form, largest) <= float(expected) <= 0.5


#: Numbers of which results, references and operands are made: beyond ranges, at their limits, and next to each other.
SPECIAL = [0.0, -0.0, 1e-320, 1e-46, 2e-38, 1.0, 1 + 2**-24, 1 + 2**-9, 8.0, 448.0, 465.0, 65504.0, 65520.0, 3.4e38, 1e39]
SPECIAL = np.asarray([*SPECIAL, np.inf, -np.inf, np.nan, 0.1, 0.1 * (1 + 2**-30)])


@for_each("name", ["float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2"])
@for_each("usual", [False, True])
@for_each("numbers", [(), (3, 4), (5, 6), (3, 4, 5, 6)])
def test_the_engine_measures_as_the_passes_in_numpy_do(name, usual, numbers, level):
    node, rng = NODES[name], np.random.default_rng(5)
    for size in (0, 1, 7, 8, 9, 333, 8192):
        reference = rng.standard_normal(size)
        x = reference.astype(node.dtype).astype("float64")
        arrays = [x, reference * (1 + 1e-9 * rng.standard_normal(size)), reference * (1 + 1e-6 * rng.standard_normal(size))]
        first = reference * rng.choice([0.5, 1, 100], size)
        arrays += [first, first * (1 + 1e-7), reference - first, reference - first]
        if not usual:
            arrays = [np.where(rng.random(size) < 0.2, rng.choice(SPECIAL, size), one) for one in arrays]
            same = rng.random(size) < 0.2
            arrays[:3] = [np.where(same, arrays[0], one) for one in arrays[:3]]
        for i in numbers:
            arrays[i] = np.full(1, arrays[i][0] if size else 0.5)
        for given in (arrays, arrays[:3]):
            for vanishing in (False, True):
                with np.errstate(all="ignore"):  # as in the lens
                    expected = _errors(format_of(node), *given, scales=(None, None), vanishing=vanishing)
                    assert errors_of(format_of(node), *given, vanishing=vanishing) == expected


def test_the_engine_leaves_other_arrays_to_the_passes_in_numpy():
    form, x = format_of(NODES["bfloat16"]), np.linspace(-1, 1, 20)
    reference = x * (1 + 1e-3 * np.cos(np.arange(20)))
    for given in ((x[::2], reference[::2]), (x.astype("float32"), reference.astype("float32")), (x + 1j, reference + 1j)):
        arrays = given[0], given[1] * 1.001, given[1]
        with np.errstate(all="ignore"):
            assert errors_of(form, *arrays, vanishing=True) == _errors(form, *arrays, scales=(None, None), vanishing=True)
    if native is not None:
        for arrays in ((), (x, x), (x, x, x[:3]), (x, x, [1.0]), (x, x, x, x, x, x, x[:3]), (x, x, x, x, x, x, None)):
            assert native.errors_of(*form[3:], True, arrays) is None
        for wrong in ((), (1.0, 1.0, 1.0, 1.0, True, [x, x, x]), ("", 1.0, 1.0, 1.0, True, (x, x, x))):
            with pytest.raises(TypeError, match=r"errors_of|number"):
                native.errors_of(*wrong)


def test_numbers_are_counted_by_their_exponents():
    with xp.precision_lens() as lens:
        for numbers in ([1.0, -1.99, 2.0, 0.25, 0.0, np.inf, np.nan], [1e-320, -0.0]):
            xp.asarray(numbers)
    [row] = lens.rows
    assert row.ranges["result"] == (1e-320, 2.0, {0: 2, 1: 1, -2: 1, -1100: 3})


def kinds_of(call, **options):
    with xp.precision_lens(**options) as lens:
        call()
    assert lens.unfollowed == {}
    return {row.function: set(row.kinds) for row in lens.rows}


def array(*numbers, dtype="float32"):
    return xp.asarray(numbers, dtype=dtype)


@for_each(
    ("call", "function", "kinds"),
    [
        (lambda: array(0.5) + 0.25, "add", set()),
        (lambda: array(1.0) / 3, "divide", {"rounding"}),
        (lambda: array(2e38) * 2, "multiply", {"overflow"}),
        (lambda: array(300.0, dtype="float8_e4m3fn") * 2, "multiply", {"overflow"}),
        (lambda: array(1e-30) * 1e-20, "multiply", {"underflow"}),
        (lambda: array(3.1e-7, dtype="float16") / 3, "divide", {"underflow"}),  # subnormal
        (lambda: array(1.0) / 0.0, "divide", set()),  # infinite in the reference, too
        (lambda: xp.log(array(-1.0)), "log", {"nan"}),
        (lambda: xp.log(array(np.nan)), "log", set()),
        (lambda: array(np.inf) - array(np.inf), "subtract", {"nan"}),
        (lambda: array(1e8) + array(1.0), "add", {"absorption"}),
        (lambda: array(1.0) - array(1e8), "subtract", {"absorption"}),
        (lambda: array(1e8) + array(0.0), "add", set()),
        (lambda: array(16777217, dtype="int32").astype("float32"), "astype", {"range"}),
        (lambda: array(16777216, dtype="int32").astype("float32"), "astype", set()),
        (lambda: array(1.0, dtype="float16") * 70001, "multiply", {"overflow", "range"}),
        (lambda: array(3, 5, dtype="int32") * array(0.5), "multiply", set()),
        (lambda: array(0.1) * 3 - 0.3, "subtract", {"cancellation", "rounding"}),
        (lambda: array(1.0) - array(0.75), "subtract", set()),  # exact operands cancel without loss
        (lambda: xp.sum(array(1e8, 0.5, -1e8)), "sum", {"cancellation", "rounding"}),
        (lambda: array(0.1) * 10 == 1, "equal", set()),
        (lambda: array(0.1, dtype="bfloat16") * 3 > 0.3, "greater", {"flip"}),
        (lambda: xp.floor(array(0.29) * 100), "floor", {"flip"}),
        (lambda: xp.floor(array(np.nan)), "floor", set()),
        (lambda: int(array(0.29)[0] * 100), "int", {"flip"}),
        (lambda: (array(0.29) * 100).astype("int32"), "astype", {"flip"}),
        (lambda: xp.argmax(array(0.1, 0.1) * array(3, 3) + array(0, 1e-9)), "argmax", {"flip"}),
        (lambda: xp.sort(array(1.0, 1.0) + array(1e-9, 0)), "sort", {"flip"}),
        (lambda: xp.round(array(0.5) + 1e-9), "round", {"flip"}),
        (lambda: xp.nonzero(array(1.0) + 1e-9 > 1), "greater", {"flip"}),
        (lambda: xp.unique(array(1.0, 1.0) + array(1e-9, 0)), "unique", {"flip"}),
    ],
)  # fmt: skip
def test_kinds(call, function, kinds):
    assert kinds_of(call).get(function, set()) == kinds


def test_numbers_that_vanish_are_underflow():
    assert kinds_of(lambda: array(1.0, dtype="float16") * 1e-9)["multiply"] == {"underflow"}


def test_errors_of_a_row_are_the_largest_of_its_calls():
    with xp.precision_lens() as lens:
        for number in (0.5, 0.1, 0.75):
            xp.asarray(number)
    [row] = lens.rows
    exact = abs(Fraction(float(np.float32(0.1))) - Fraction(0.1)) / Fraction(0.1)
    assert (row.function, row.dtype, row.count, row.shape) == ("asarray", "float32", 3, ())
    assert row.introduced == row.inherited == pytest.approx(float(exact))
    assert [moment.introduced > 0 for moment in row.history] == [False, True, False]
    assert row.last == 0
    assert row.unit == 2.0**-24
    assert row.ulps == pytest.approx(float(exact * Fraction(0.1) / Fraction(2) ** -27))


def test_introduced_errors_of_a_norm_are_relative_to_the_norm_of_the_operand():
    with xp.precision_lens() as lens:
        x = xp.asarray([0.1, 0.7])
        xp.linalg.norm(x.astype("bfloat16").astype("float32") - xp.asarray([0.1, 0.7]))  # whose reference is 0
    [row] = [row for row in lens.rows if row.function == "linalg.norm"]
    assert (row.introduced < 1e-7, row.ulps < 1, row.inherited) == (True, True, math.inf)


def test_large_arrays_are_measured_in_blocks_and_samples():
    x = np.full(30_000, 0.1, "float32")
    with xp.precision_lens() as lens:
        wide = xp.asarray(x) * 3
        for _ in range(40):
            y = wide * 0.1
            assert lens.error(y) > 0
        huge = xp.asarray(np.where(np.arange(30_000) == 12_345, 3e38, 1).astype("float32"))
        for _ in range(10):
            huge * 2
        z = y.copy()
        z[17] = 2
        z += 1
        np.testing.assert_array_equal(
            np.asarray(lens.value(z)[:20]), [*[float(np.float32(0.1)) * 3 * 0.1 + 1] * 17, 3, *[lens.value(z)[0]] * 2]
        )
    assert lens.unfollowed == {}
    rows = {(row.function, row.count): row for row in lens.rows}
    assert rows["multiply", 10].kinds == ("overflow",)
    assert rows["multiply", 40].inherited > 0
    assert rows["multiply", 10].infinity > 0


@pytest.mark.parametrize("dtype", ["float8_e5m2", "bfloat16", "float16", "float32", "complex64"])
def test_a_late_infinity_of_a_large_array_is_found(dtype):
    largest = np.where(np.arange(6000) == 4321, float(xp.finfo(dtype).max), 0.5)  # which no sample has
    early, late = xp.full(6000, 0.5, dtype=dtype), xp.asarray(largest).astype(dtype)
    with xp.precision_lens() as lens:
        for x in (*[early] * 9, late):
            x * 2
    [row] = lens.rows
    assert (row.count, row.kinds, row.infinity) == (10, ("overflow",), 10)


def test_the_first_nan_and_infinity_are_found():
    with xp.precision_lens() as lens:
        x = xp.exp(xp.asarray([10.0, 100.0]))
        y = x - x
        y * 2
    assert lens.first_infinity.function == "exp"
    assert lens.first_nan.function == "subtract"
    with xp.precision_lens() as lens:
        xp.asarray([1.0]) * 2
    assert lens.first_infinity is None
    assert lens.first_nan is None


def test_the_last_result_has_the_error_at_the_end():
    with xp.precision_lens() as lens:
        x = xp.asarray(0.1) * 3
        y = x - 0.3
        xp.maximum(y, 1.0)
    assert lens.final.function == "maximum"
    assert lens.final.last == 0
    assert "the last result, maximum of float32" in str(lens)
