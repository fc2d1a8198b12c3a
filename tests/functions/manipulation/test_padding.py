"""Padding in every mode, against NumPy; integers are rounded to even, as in JAX."""

import numpy as np
import pytest
from common import for_each
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import supremum as xp

MODES = ["edge", "reflect", "symmetric", "wrap", "maximum", "minimum", "constant"]
DATA = hnp.arrays("int16", hnp.array_shapes(min_dims=1, max_dims=3, max_side=4), elements=st.integers(-9, 9))
WIDTH = st.integers(0, 9)


@given(DATA, st.sampled_from(MODES), WIDTH, WIDTH)
def test_as_numpy(data, mode, before, after):
    for width in (before, (before, after), ((before, after),)):
        np.testing.assert_array_equal(np.asarray(xp.pad(xp.asarray(data), width, mode)), np.pad(data, width, mode))


@given(DATA, WIDTH)
def test_a_pair_for_each_axis(data, width):
    widths = [(width, i) for i in range(data.ndim)]
    for mode in MODES:
        np.testing.assert_array_equal(np.asarray(xp.pad(xp.asarray(data), widths, mode)), np.pad(data, widths, mode))


@given(DATA, st.sampled_from(["reflect", "symmetric"]), st.integers(0, 3))
def test_odd_reflections(data, mode, width):
    options = {"mode": mode, "reflect_type": "odd"}
    np.testing.assert_array_equal(np.asarray(xp.pad(xp.asarray(data), width, **options)), np.pad(data, width, **options))


@pytest.mark.parametrize("values", [7, (1, 2), ((1, 2), (3, 4)), [[5], [6]]])
def test_constants(values):
    """The corners have the value of the later axis."""
    data = np.arange(4).reshape(2, 2)
    ours = xp.pad(xp.asarray(data), ((1, 2), (2, 1)), constant_values=values)
    np.testing.assert_array_equal(np.asarray(ours), np.pad(data, ((1, 2), (2, 1)), constant_values=values))


@for_each("mode", ["maximum", "minimum", "mean", "median"])
@for_each("length", [1, 2, (1, 3), ((1, 2), (2, 1)), 9])
def test_statistics_of_the_ends(mode, length):
    data = np.array([[1.0, 4.0, 2.0], [8.0, 5.0, 7.0]])
    ours = xp.pad(xp.asarray(data), ((1, 1), (2, 1)), mode, stat_length=length)
    np.testing.assert_allclose(np.asarray(ours), np.pad(data, ((1, 1), (2, 1)), mode, stat_length=length))


def test_statistics_of_integers_are_rounded_to_even():
    assert xp.pad(xp.asarray([2, 3]), 1, "mean").tolist() == [2, 2, 3, 2]
    assert xp.pad(xp.asarray([3, 4]), 1, "median").tolist() == [4, 3, 4, 4]


def test_ramps():
    x = xp.asarray([4.0, 8.0])
    assert xp.pad(x, (2, 4), "linear_ramp", end_values=(0, 4)).tolist() == [0, 2, 4, 8, 7, 6, 5, 4]
    assert xp.pad(x.astype("int8"), (3, 0), "linear_ramp").tolist() == [0, 1, 2, 4, 8]


def test_a_function_of_a_padded_vector():
    def ends(vector, width, axis, options):
        return vector.at[: width[0]].set(options["left"]).at[len(vector) - width[1] :].set(10 * axis)

    x = xp.pad(xp.asarray([[1, 2]]), 1, ends, left=-1)
    assert x.tolist() == [[-1, -1, -1, 10], [-1, 1, 2, 10], [-1, 0, 0, 10]]


def test_nothing_to_pad():
    assert xp.pad(xp.asarray(3), 1).tolist() == 3
    assert xp.pad(xp.ones((0, 2)), ((0, 0), (1, 1)), "edge").shape == (0, 4)
    assert xp.pad(xp.ones(0), 2, constant_values=5).tolist() == [5, 5, 5, 5]
    assert xp.pad(xp.ones(2), 1, "empty").shape == (4,)
    assert np.isnan(np.asarray(xp.pad(xp.ones(0), 1, "mean"))).all()
    for mode in ("edge", "wrap", "reflect", "symmetric", "linear_ramp", "median", "maximum"):
        with pytest.raises(ValueError, match="pad"):
            xp.pad(xp.ones(0), 1, mode)


@pytest.mark.parametrize("dtype", ["bool", "int4", "bfloat16", "float8_e4m3fn", "complex64", "uint8"])
def test_every_dtype_stays(dtype):
    x = xp.asarray([0, 1, 1], dtype=dtype)
    for mode in ("edge", "reflect", "symmetric", "wrap", "constant", "mean"):
        assert xp.pad(x, 2, mode).dtype == dtype
    # Bools have no linear ramp, and complex numbers no order.
    for mode in ("linear_ramp",) * (dtype != "bool") + ("maximum", "minimum") * (dtype != "complex64"):
        assert xp.pad(x, 2, mode).dtype == dtype


@for_each(
    "arguments, options, error",
    [
        ((1, "nonsense"), {}, NotImplementedError),
        ((1, "edge"), {"constant_values": 1}, ValueError),
        ((-1,), {}, ValueError),
        ((1.5,), {}, TypeError),
        (({0: 1},), {}, TypeError),
        (((1, 2, 3),), {}, ValueError),
        ((((1, 2), (3,)),), {}, TypeError),
        ((1,), {"constant_values": (1, 2, 3)}, ValueError),
        ((1, "mean"), {"stat_length": 0}, ValueError),
        ((1, "reflect"), {"reflect_type": "strange"}, ValueError),
    ],
)
def test_what_is_refused(arguments, options, error):
    with pytest.raises(error, match="pad"):
        xp.pad(xp.ones(3), *arguments, **options)


@for_each(
    "mode",
    ["constant", "edge", "empty", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect", "symmetric", "wrap"],
)
@for_each("shape", [(), (3,)])
def test_padding_by_nothing_copies(mode, shape):
    x = xp.ones(shape)
    assert not np.shares_memory(np.asarray(xp.pad(x, 0, mode=mode)), np.asarray(x))
