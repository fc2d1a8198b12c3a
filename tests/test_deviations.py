"""Differences from JAX that stay: one test for each line of conformance/deviations.md.

The table has the results of JAX 0.10.2; the expected results follow from the standard or from exact arithmetic.
"""

import inspect
import math
import re
import warnings
from itertools import pairwise
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import config

FOLDER = Path(__file__).parent
OF_THE_TABLE = {"test_the_table_names_every_test_here_and_no_other", "test_every_line_names_a_test"}
TABLE = FOLDER.parent / "conformance" / "deviations.md"


def values(x):
    return np.asarray(x).tolist()


def test_the_table_names_every_test_here_and_no_other():
    named = re.findall(r"`test_deviations::(\w+)`", TABLE.read_text(encoding="utf-8"))
    here = [name for name in globals() if name.startswith("test_") and name not in OF_THE_TABLE]
    assert sorted(named) == sorted(here)


def test_every_line_names_a_test():
    tests = {(path.stem, name) for path in FOLDER.rglob("test_*.py") for name in re.findall(r"def (\w+)", path.read_text())}
    lines = re.findall(r"`(test_\w+)::(\w+)`", TABLE.read_text(encoding="utf-8"))
    assert lines
    assert [line for line in lines if line not in tests] == []


def test_comparisons_with_python_integers_are_exact():
    x = xp.asarray([44], dtype="uint8")
    assert values(x == 300) == [False]
    assert values(x < 300) == [True]
    assert values(xp.asarray([2.0**24]) == 2**24 + 1) == [False]


def test_comparisons_of_mixed_signedness_are_exact():
    u, i = xp.asarray([2**64 - 1], dtype="uint64"), xp.asarray([-1], dtype="int64")
    assert values(u == i) == [False]
    assert values(u > i) == [True]


def test_clip_bounds_are_exact():
    x = xp.asarray([0, 100, 255], dtype="uint8")
    assert values(xp.clip(x, -5, 300)) == [0, 100, 255]
    assert xp.clip(x, -5, 300).dtype == "uint8"


def test_integer_division_by_zero_follows_numpy():
    x = xp.asarray([7, -7, 0])
    assert values(x // 0) == [0, 0, 0]
    assert values(x % 0) == [0, 0, 0]


def test_reads_out_of_range_raise():
    x = xp.asarray([1, 2, 3])
    with pytest.raises(IndexError):
        x[10]
    with pytest.raises(IndexError):
        x[xp.asarray([0, 10])]
    assert values(x.at[xp.asarray([0, 10])].get(mode="clip")) == [1, 3]
    with config.use(out_of_range="clip"):
        assert values(x[xp.asarray([0, 10])]) == [1, 3]
    with pytest.raises(IndexError):  # tests/core/test_index_keys.py has the other functions
        xp.take(x, 10)
    with config.use(out_of_range="clip"):
        assert values(xp.take(x, 10)) == -(2**31)


def test_any_and_all_of_complex_numbers():
    z = xp.asarray([0, 1j])
    assert bool(xp.any(z)) is True
    assert bool(xp.all(z)) is False
    assert bool(xp.all(z[1:])) is True  # JAX: False


def test_a_strong_exponent_promotes_like_any_array():
    assert (xp.asarray([3], dtype="uint8") ** xp.int32(2)).dtype == "int32"


def test_a_weak_exponent_of_a_bool_gives_int32_whatever_its_shape():
    with config.use(x64="on"):
        exponents = xp.broadcast_to(xp.asarray(2), (2,))
        assert exponents.weak_type
        assert (xp.asarray([True, False]) ** exponents).dtype == "int32"


def test_a_bool_is_never_weak():
    assert not (xp.asarray(2) == xp.asarray(3)).weak_type
    assert not xp.isfinite(xp.asarray(2.0)).weak_type


def test_python_integers_that_fit_the_other_operand_work():
    with config.use(x64="on"):
        assert values(xp.asarray([1], dtype="uint64") + 2**63) == [2**63 + 1]
    assert values(xp.asarray([1.0], dtype="float64") + 2**40) == [2.0**40 + 1]


def test_integer_powers_are_exact_modulo_the_width():
    x = xp.asarray([3], dtype="int64")
    assert values(x ** xp.asarray([70], dtype="int64")) == [(3**70 + 2**63) % 2**64 - 2**63]


def test_floor_divide_of_special_values_follows_the_standard():
    x = xp.asarray([-0.0, 1.0, -1.0])
    inf = xp.asarray([math.inf] * 3)
    quotient = values(xp.floor_divide(x, inf))
    assert quotient == [0, 0, 0]
    assert [math.copysign(1, v) for v in quotient] == [-1, 1, -1]


def test_products_with_bools_are_arithmetic():
    x = xp.asarray([math.inf, 3.0])
    result = values(x * xp.asarray([False, False]))
    assert math.isnan(result[0])
    assert result[1] == 0


def test_complex_functions_have_c99_values():
    z = complex(xp.exp(xp.asarray(complex(-math.inf, math.nan), dtype="complex128")))
    assert (abs(z.real), abs(z.imag)) == (0, 0)
    w = complex(xp.expm1(xp.asarray(complex(0.0, 0.0), dtype="complex128")))
    assert (w.real, w.imag) == (0, 0)


def test_cumulative_prod_widens_as_the_standard_says():
    assert xp.cumulative_prod(xp.asarray([100, 100], dtype="int8")).dtype == "int32"


def test_accumulation_into_narrow_dtypes_loses_no_terms():
    x = xp.zeros(1, dtype="bfloat16").at[xp.zeros(1000, dtype="int32")].add(1)
    assert values(x.astype("float32")) == [1000]
    assert float(xp.ones(1000, dtype="bfloat16").sum()) == 1000


def test_casts_of_four_bit_floats_are_exact():
    x = xp.asarray([6.0, 1.5], dtype="float4_e2m1fn")
    assert values(x.astype("uint8")) == [6, 1]


def test_results_are_rounded_once_from_a_wider_computation():
    every = np.arange(0x7F80, dtype=np.uint16).view(ml_dtypes.bfloat16)
    with np.errstate(all="ignore"):
        exact = np.sin(every.astype(np.float64)).astype(np.float32).astype(ml_dtypes.bfloat16)
    ours = np.asarray(xp.sin(xp.asarray(every)))
    assert (ours.view(np.uint16) == exact.view(np.uint16)).mean() > 0.9999


def test_comparing_with_what_is_no_number_is_left_to_python():
    assert (xp.ones(2) == "a") is False
    assert values(xp.ones(2) == np.array(["a", "b"])) == [False, False]


def test_what_is_no_number_is_in_no_array():
    x = xp.asarray([1, 2])
    assert "a" not in x
    assert None not in x
    assert 10**30 not in x


def test_python_complex_numbers_do_not_lose_their_imaginary_part():
    with pytest.raises(TypeError, match="complex"):
        xp.asarray(1j, dtype="float32")
    with pytest.raises(TypeError, match="complex"):
        xp.full(2, 1j, dtype="int8")


def test_arrays_are_mutable_unless_told_otherwise():
    x = xp.zeros(2)
    x[0] = 1
    assert values(x) == [1, 0]
    xp.put(x, xp.asarray([1]), 3)
    assert values(x) == [1, 3]
    with config.use(mutable=False), pytest.raises(TypeError, match="at"):
        x[0] = 2
    with config.use(mutable=False), pytest.raises(ValueError, match="inplace"):
        xp.put(x, xp.asarray([1]), 4)


def test_python_integers_have_the_default_dtype_or_raise():
    # The standard: if all values are of type int, the output dtype must be the default integer dtype.
    for value in (2**40, [2**40]):
        with pytest.raises(OverflowError, match="int64"):
            xp.asarray(value)
    assert int(xp.asarray(2**40, dtype="int64")) == 2**40


def test_preferred_integers_of_float_products_are_truncated_once():
    x, y = xp.asarray([2**24 + 1, -(2**24)]), xp.ones(2)
    assert int(xp.matmul(x, y, preferred_element_type="int32")) == 0


def test_fmax_and_fmin_of_signed_zeros_are_numpys():
    x, y = xp.asarray([0.0, 1.5]), xp.asarray([-0.0, 1.5])
    assert values(xp.fmax(x, y)) == values(xp.fmin(x, y)) == [0.0, 1.5]


@for_each("shape", [(), (1,), (3,), (2, 2)])
@for_each("name", ["sum", "mean", "cumsum"])
def test_sums_of_negative_zeros_are_numpys(name, shape):
    zeros = np.full(shape, -0.0, np.float32)
    ours, theirs = getattr(xp, name)(xp.asarray(zeros)), getattr(np, name)(zeros)
    np.testing.assert_array_equal(np.signbit(np.asarray(ours)), np.signbit(theirs))


def test_sign_of_negative_zero_is_the_standards():
    for dtype in ("float8_e4m3fn", "float16", "bfloat16", "float32", "float64"):
        assert not xp.any(xp.signbit(xp.sign(xp.asarray([0.0, -0.0], dtype=dtype))))


def test_explicit_mode_keeps_64_bits():
    assert xp.asarray(1.0, dtype="float64").dtype == "float64"
    assert xp.asarray(np.ones(1)).dtype == "float64"


def test_shifts_of_four_bit_integers_are_exact():
    assert values(xp.asarray([10, 15], dtype="uint4") >> 1) == [5, 7]


def test_representation_of_narrow_floats():
    x = xp.asarray([-1.5, 0.25], dtype="float8_e4m3fn")
    mantissa, exponent = xp.frexp(x)
    assert (values(mantissa), values(exponent)) == ([-0.75, 0.5], [1, -1])
    assert values(xp.signbit(x)) == [True, False]
    assert values(xp.spacing(x)) == [-0.125, 0.03125]


def test_functions_of_two_bit_integers():
    x = xp.asarray([-2, 1], dtype="int2")
    assert xp.exp(x).dtype == "float32"
    assert values(xp.sign(x)) == [-1, 1]
    np.testing.assert_allclose(np.asarray(xp.sqrt(xp.asarray([2, 3], dtype="uint2"))), [2**0.5, 3**0.5], rtol=1e-6)


def test_spacing_of_infinities():
    for dtype in ("float16", "bfloat16", "float32", "float64"):
        assert all(math.isnan(x) for x in xp.spacing(xp.asarray([math.inf, -math.inf], dtype=dtype)))


def test_complex_arctan2_is_the_formula():
    y, x = np.array([0.5, -1.0, 0.0]), np.array([2.0, -3.0, 1.0])
    angles = xp.arctan2(xp.asarray(y + 0j), xp.asarray(x + 0j))
    np.testing.assert_allclose(np.asarray(angles), np.arctan2(y, x), rtol=1e-6, atol=1e-12)


def test_logaddexp_of_a_complex_infinity():
    assert values(xp.logaddexp(xp.asarray([math.inf]), xp.asarray([1 + 0j]))) == [math.inf + 0j]


def test_logaddexp2_is_never_weak():
    assert not xp.logaddexp2(2, 3).weak_type
    assert not xp.log2(8.0).weak_type


def test_derivatives_by_weak_arrays_are_weak():
    jax = xp.jax
    for function in (xp.tan, xp.sqrt, xp.square, xp.sort, lambda x: xp.roll(x, 1), lambda x: xp.pad(x, 1)):
        assert jax.grad(lambda x, function=function: function(xp.broadcast_to(x, (3,))).sum())(0.5).weak_type
    assert jax.grad(lambda x: xp.take(xp.broadcast_to(x, (3,)), 1))(0.5).weak_type
    branches = lambda c: c * xp.float32(2), lambda c: c
    assert not jax.lax.cond(True, *branches, 0.5).weak_type
    assert jax.lax.cond(False, *branches, xp.asarray(0.5)).weak_type


def test_python_integers_beyond_32_bits_are_refused_everywhere():
    with config.use(x64="off"):
        for function in (xp.isfinite, xp.isinf, xp.imag, xp.iscomplex, xp.isreal, xp.sin):
            with pytest.raises(OverflowError):
                function(2**40)


def test_reduceat_is_strict():
    x = xp.asarray([3, 1, 2, 5], dtype="int8")
    assert xp.add.reduceat(x, xp.asarray([0, 2]), dtype="float32").dtype == "float32"


def test_ufunc_at_slices_and_masks():
    x = xp.asarray([3, 1, 2, 5])
    assert values(xp.maximum.at(x, slice(0, 3), 2, inplace=False)) == [3, 2, 2, 5]
    assert values(xp.negative.at(x, x > 2, inplace=False)) == [-3, 1, 2, -5]


def test_functions_of_elements_may_decide():
    halves = xp.frompyfunc(lambda x, y: x // y if x % y == 0 else x, 2, 1)
    assert values(halves(xp.asarray([4, 5]), 2)) == [2, 5]


def test_formulas_of_narrow_floats_round_once():
    x = xp.asarray([1.0, 2.0, 4.0, 2.0], dtype="float8_e4m3fn")
    exact = np.exp([1.0, 2.0, 4.0, 2.0]) / np.exp([1.0, 2.0, 4.0, 2.0]).sum()
    assert values(xp.nn.softmax(x).astype("float32")) == values(exact.astype(ml_dtypes.float8_e4m3fn).astype(np.float32))
    dot = xp.dot(x / 4, x / 2, preferred_element_type=xp.int32)  # 25 / 8
    assert values(dot) == 3
    # JAX rounds 0.24 to 1 / 4.
    hundredths = xp.asarray([24.0, 72.0], dtype="float8_e4m3fn")
    data = [-0.25, 3.25, 1.25, -0.75, 2.75, 0.75]
    assert np.allclose(values(xp.percentile(xp.asarray(data), hundredths)), np.percentile(data, [24, 72]))
    _, edges = xp.histogram(xp.asarray([-1.25, 3.0], dtype="float8_e5m2"))
    exact = np.linspace(-1.25, 3, 11).astype(ml_dtypes.float8_e5m2)
    assert values(edges.astype("float32")) == values(exact.astype(np.float32))


def test_integers_of_four_bits_count_as_others_do():
    x = xp.asarray([-1, -2], dtype="int4")
    assert values(xp.pad(x, (2, 0), mode="median")) == [-2, -2, -1, -2]  # JAX: -1, where int32 gives -2
    assert values(xp.take(xp.arange(12, dtype="int8"), xp.asarray([0, 2], dtype="int4"), mode="wrap")) == [0, 2]
    assert values(xp.unravel_index(xp.asarray([0, 5], dtype="int4"), (12,))[0]) == [0, 5]


def test_ranges_of_narrow_floats_have_their_exact_length():
    x = xp.arange(*xp.asarray([-0.25, 3.0], dtype="float8_e5m2"))
    assert values(x.astype("float32")) == [-0.25, 0.75, 1.75, 3.0]  # 2.75 rounds to 3


def test_extremes_of_complex_numbers_propagate_nan():
    low, high = complex(0, math.nan), 5 + 0j
    for pair in ([low, high], [high, low]):
        for result in (
            xp.max(xp.asarray(pair)),
            xp.min(xp.asarray(pair)),
            xp.maximum(*map(xp.asarray, pair)),
            xp.minimum(*map(xp.asarray, pair)),
        ):
            assert math.isnan(complex(result).imag)


def test_subnormal_numbers_are_kept():
    for dtype, exponent in (("float32", -140), ("float64", -1060), ("bfloat16", -130), ("float16", -20)):
        tiny = xp.asarray([2.0**exponent], dtype=dtype)
        assert values((tiny * 2).astype("float64")) == [2.0 ** (exponent + 1)]
        assert values(tiny == 0) == [False]
        assert values(xp.sqrt(tiny).astype("float64")) == [2.0 ** (exponent // 2)]


def test_text_is_no_number():
    for call in (
        lambda: xp.asarray("1.5", dtype="float32"),
        lambda: xp.asarray(["1"], dtype="int32"),
        lambda: xp.float32("2"),
    ):
        with pytest.raises(TypeError, match="not an array of numbers"):
            call()
    assert values(xp.fromstring("1.5", dtype="float32", sep=" ")) == [1.5]


def test_in_place_operators_write_into_the_buffer():
    x = y = xp.asarray([1, 2])
    y += 1
    assert values(x) == [2, 3]
    with pytest.raises(TypeError, match="in-place"):
        y += 0.5
    with pytest.raises(ValueError, match="in-place"):
        y += xp.ones((3, 2), dtype="int32")
    assert values(x) == [2, 3]
    with config.use(mutable=False):
        y += 0.5
    assert (values(x), values(y)) == ([2, 3], [2.5, 3.5])


def test_what_cannot_be_had_without_a_copy_is_refused():
    for call in (
        lambda: xp.asarray([0, 1], copy=False),
        lambda: xp.asarray(1, copy=False),
        lambda: xp.asarray(np.ones(2), dtype="int32", copy=False),
        lambda: xp.asarray(xp.ones(2), dtype="int32", copy=False),
    ):
        with pytest.raises(ValueError, match="copy"):
            call()
    data = np.ones(2)
    assert np.shares_memory(np.asarray(xp.asarray(data, copy=False)), data)


def test_limits_are_python_floats():
    limits = xp.finfo("float32")
    for name in ("eps", "max", "min", "smallest_normal"):
        assert type(getattr(limits, name)) is float
    assert (xp.ones(2, dtype="float16") * limits.eps).dtype == "float16"


def test_functions_convert_objects_with_jax_array():
    class Parameter:
        def __jax_array__(self):
            return xp.asarray([1.0, 4.0])

    assert values(xp.sqrt(Parameter())) == [1, 2]
    assert values(xp.sum(Parameter())) == 5


def test_values_on_edges_of_histograms():
    with config.use(x64="on"):
        x = xp.asarray([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
        counts, edges = xp.histogram(x, range=(0, 1))
        inside = [(low <= np.asarray(x)) & (np.asarray(x) < high) for low, high in pairwise(values(edges))]
    inside[-1][-1] = True  # the last bin includes its right edge
    assert values(counts) == [int(one.sum()) for one in inside]


def test_powers_of_weak_integers_are_weak():
    exponents = xp.broadcast_to(xp.asarray(2), (2,))
    assert exponents.weak_type
    result = xp.asarray(3) ** exponents
    assert (values(result), result.weak_type) == ([9, 9], True)
    assert (xp.asarray(3.0) ** xp.broadcast_to(xp.asarray(2.0), (2,))).weak_type


def test_an_array_may_be_what_in_searches_for():
    assert xp.asarray([1]) in xp.arange(2)


def test_einsum_contracts_three_operands_at_once():
    a, b, c = (np.arange(2.0 * n).reshape(2, n) for n in (3, 4, 5))
    got = xp.einsum("ij,ik,il->jkl", a, b, c, optimize=[(0, 1, 2)])
    np.testing.assert_allclose(np.asarray(got), np.einsum("ij,ik,il->jkl", a, b, c), rtol=1e-6)


def test_what_jax_will_change_gives_no_warning():
    x = xp.asarray([1, 2])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert xp.array(x, None, False) is x
        assert xp.array(x, None, True) is not x
        assert np.dtype(x) == x.dtype


def test_array_and_load_have_the_parameters_of_numpy():
    assert list(inspect.signature(xp.array).parameters)[:5] == ["object", "dtype", "copy", "order", "ndmin"]
    numpys = list(inspect.signature(np.load).parameters)
    ours = list(inspect.signature(xp.load).parameters)
    assert ours[:5] == numpys[:5]
    assert set(ours) - set(numpys) == {"dtype"}


def test_weak_arrays_keep_their_width_with_strict_promotion():
    with config.use(x64="off"):
        x = xp.asarray(1.5)
    with config.use(x64="on", promotion="jax_strict"):
        assert (x + x).dtype == "float32"
        assert (x + x).weak_type
