"""Searching, against NumPy, with exact comparisons for narrow dtypes, and JAX's dtypes and sizes."""

import ml_dtypes
import numpy as np
import pytest
from common import for_each, same_values
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp
from narrow_formats import FORMATS

import supremum as xp
from supremum import config
from supremum._base.buffers import native
from supremum.promotion._nodes import NODES

ARRAYS = hnp.arrays("int8", hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4), elements=st.integers(-2, 2))
NARROW = ["bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "int4", "uint4"]


# -- extremes ----------------------------------------------------------------------------------------------------------------


@given(ARRAYS, st.data())
def test_extremes(data, draw):
    axis = draw.draw(st.none() | st.integers(-data.ndim, data.ndim - 1))
    for name in ("argmax", "argmin", "nanargmax", "nanargmin"):
        if not (data.size if axis is None else data.shape[axis]):
            with pytest.raises(ValueError, match="argm"):
                getattr(xp, name)(xp.asarray(data), axis=axis)
            continue
        for keepdims in (False, True):
            ours = getattr(xp, name)(xp.asarray(data), axis=axis, keepdims=keepdims)
            same_values(ours, getattr(np, name.removeprefix("nan"))(data, axis=axis, keepdims=keepdims))
            assert ours.dtype == "int32"


@pytest.mark.parametrize("dtype", ["float32", "float64", *NARROW[:-2]])
def test_nan_is_both_greatest_and_least(dtype):
    x = xp.asarray([1, float("nan"), -3, float("nan")], dtype=dtype)
    assert (int(xp.argmax(x)), int(xp.argmin(x))) == (1, 1)
    assert (int(xp.nanargmax(x)), int(xp.nanargmin(x))) == (0, 2)
    assert int(xp.nanargmax(x[1::2])) == -1
    assert xp.nanargmin(xp.reshape(x, (2, 2)), axis=0).tolist() == [1, -1]


@for_each("name", FORMATS)
def test_places_of_extremes_of_narrow_floats(name):
    form = FORMATS[name]
    draw = np.random.default_rng(0)
    for shape in [(1,), (4,), (500, 4), (3, 5, 7), (2, 5000)]:
        for chosen in (form.codes, form.codes[np.isfinite(form.decode())], form.codes[[0, 1, 1 << (form.bits - 1)]]):
            codes = draw.choice(chosen, shape)
            x, exact = xp.asarray(codes.view(form.dtype)), form.decode()[codes]
            for axis in (None, -1, 0, len(shape) - 1):
                for function, expected in ((xp.argmax, np.argmax), (xp.argmin, np.argmin)):
                    found = function(x, axis=axis)
                    assert found.dtype == "int32"
                    np.testing.assert_array_equal(np.asarray(found), expected(exact, axis))


def test_extremes_refuse():
    for function in (xp.argmax, xp.argmin, xp.nanargmax, xp.nanargmin):
        for call, error in (
            (lambda f=function: f(xp.asarray([1j])), TypeError),
            (lambda f=function: f(xp.ones(2), axis=1), ValueError),
            (lambda f=function: f(xp.ones(2), axis=(0,)), TypeError),
            (lambda f=function: f(xp.ones(2), out=xp.ones(2)), NotImplementedError),
            (lambda f=function: f([1, 2]), TypeError),
        ):
            with pytest.raises(error, match="arg"):
                call()


# -- nonzero elements --------------------------------------------------------------------------------------------------------


@given(ARRAYS)
def test_nonzero(data):
    x = xp.asarray(data)
    for ours, theirs in zip(xp.nonzero(x), np.nonzero(data), strict=True):
        same_values(ours, theirs)
    assert len(xp.where(x)) == data.ndim
    same_values(xp.argwhere(x), np.argwhere(data))
    same_values(xp.flatnonzero(x), np.flatnonzero(data))
    for axis in (None, 0, -1, tuple(range(data.ndim)), ()):
        for keepdims in (False, True):
            ours = xp.count_nonzero(x, axis=axis, keepdims=keepdims)
            same_values(ours, (data != 0).sum(axis=axis, keepdims=keepdims))
            assert ours.dtype == "int32"


@pytest.mark.parametrize("dtype", NARROW)
def test_truth_of_narrow_numbers(dtype):
    x = xp.asarray(np.array([0.0, -0.0, 1.0, 0.25]).astype(np.float32).astype(getattr(ml_dtypes, dtype, dtype)))
    expected = [2] if "int" in dtype else [2, 3]
    assert xp.nonzero(x)[0].tolist() == expected
    assert int(xp.count_nonzero(x)) == len(expected)


def test_sizes_that_are_given():
    """The result is cut, or filled with 0 or a value, as in JAX."""
    x = xp.asarray([[0, 3], [4, 5]])
    assert [i.tolist() for i in xp.nonzero(x, size=2)] == [[0, 1], [1, 0]]
    assert [i.tolist() for i in xp.nonzero(x, size=4)] == [[0, 1, 1, 0], [1, 0, 1, 0]]
    assert [i.tolist() for i in xp.where(x, size=4, fill_value=-1)] == [[0, 1, 1, -1], [1, 0, 1, -1]]
    assert [i.tolist() for i in xp.nonzero(x, size=4, fill_value=(7, 8))] == [[0, 1, 1, 7], [1, 0, 1, 8]]
    assert xp.argwhere(x, size=4, fill_value=9).tolist() == [[0, 1], [1, 0], [1, 1], [9, 9]]
    assert xp.flatnonzero(x, size=2).tolist() == [1, 2]
    for options in ({"size": 2, "fill_value": (1,)}, {"size": -1}, {"size": 2, "fill_value": xp.ones(2)}):
        with pytest.raises(ValueError, match="nonzero"):
            xp.nonzero(x, **options)


def test_a_fill_value_fills_what_an_empty_array_lacks():
    """JAX returns zeros with any fill value."""
    empty = xp.zeros(0, dtype="int32")
    assert xp.nonzero(empty, size=2, fill_value=-1)[0].tolist() == [-1, -1]
    assert xp.flatnonzero(empty, size=2, fill_value=-1).tolist() == [-1, -1]
    assert xp.argwhere(empty, size=2, fill_value=-1).tolist() == [[-1], [-1]]


def test_elements_without_an_axis():
    with pytest.raises(ValueError, match="0-d"):
        xp.nonzero(xp.asarray(3))
    assert xp.argwhere(xp.asarray(3)).shape == (1, 0)
    assert xp.argwhere(xp.asarray(0)).shape == (0, 0)
    assert xp.flatnonzero(xp.asarray(3)).tolist() == [0]


# -- sorted arrays -----------------------------------------------------------------------------------------------------------


@given(hnp.arrays("int16", st.integers(0, 6)), hnp.arrays("int16", hnp.array_shapes(min_dims=0, max_dims=2)))
def test_searchsorted(data, wanted):
    for side in ("left", "right"):
        same_values(
            xp.searchsorted(xp.asarray(np.sort(data)), xp.asarray(wanted), side=side),
            np.searchsorted(np.sort(data), wanted, side),
        )
        order = np.argsort(data, kind="stable")
        ours = xp.searchsorted(xp.asarray(data), xp.asarray(wanted), side=side, sorter=xp.asarray(order))
        same_values(ours, np.searchsorted(data, wanted, side, sorter=order))


@pytest.mark.parametrize("dtype", NARROW)
def test_narrow_numbers_are_found(dtype):
    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    data = np.arange(7, dtype=np.float32).astype(kind)
    same_values(xp.searchsorted(xp.asarray(data), xp.asarray(data)), np.arange(7))
    same_values(xp.searchsorted(xp.asarray(data), 3), 3)


def test_nan_is_searched_for_at_the_end():
    x = xp.asarray([1.0, 2.0, float("nan")], dtype="bfloat16")
    assert xp.searchsorted(x, xp.asarray(float("nan"), dtype="bfloat16"), side="left").tolist() == 2
    assert xp.searchsorted(x, xp.asarray(float("inf"), dtype="bfloat16")).tolist() == 2


def test_positions_are_default_integers():
    """By the standard; jnp.searchsorted always returns int32."""
    assert xp.searchsorted(xp.arange(3), 1).dtype == "int32"
    with config.use(x64="on"):
        assert xp.searchsorted(xp.arange(3), 1).dtype == "int64"


def test_both_sides_meet():
    assert xp.searchsorted(xp.asarray([1, 2, 3]), 1.5).tolist() == 1
    assert xp.searchsorted(xp.asarray([200], dtype="uint8"), xp.asarray([-1], dtype="int8")).tolist() == [0]


@pytest.mark.parametrize(
    "arguments, options",
    [
        ((xp.ones((2, 2)), 1), {}),
        ((xp.ones(2), 1), {"side": "middle"}),
        ((xp.ones(2), 1), {"method": "guess"}),
        (([1, 2], 1), {}),
        ((xp.ones(2), "a"), {}),
        ((xp.ones(2), 1), {"sorter": xp.asarray([0.5])}),
    ],
)
def test_searchsorted_refuses(arguments, options):
    with pytest.raises((TypeError, ValueError, IndexError)):
        xp.searchsorted(*arguments, **options)


@for_each(
    "dtype",
    [
        *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "float32", "float64", "complex64"),
        *("bfloat16", "float16", "float8_e4m3fn", "float8_e8m0fnu", "float4_e2m1fn", "int4"),
        *({"uint1"} & NODES.keys()),
    ],
)
def test_counts_of_elements_that_are_not_zero(dtype):
    """Around the ends of the blocks that are counted at once, and at every level of the processor."""
    rng = np.random.default_rng(2)
    highest = None if native is None else native.set_level(0)
    try:
        for level in range(1 if highest is None else highest + 1):
            if native is not None:
                native.set_level(level)
            for size in (0, 1, 191, 192, 193, 1000, 32_767, 32_769, 70_000):
                data = rng.choice([0, 1, 100], size).astype(xp.zeros(0, dtype=dtype)._data.dtype)
                wanted = sum(map(bool, data.tolist()))
                assert int(xp.count_nonzero(xp.asarray(data))) == wanted
                assert int(xp.count_nonzero(xp.asarray(np.full_like(data, 1)))) == size
                assert int(xp.count_nonzero(xp.asarray(data)[::-3])) == sum(map(bool, data[::-3].tolist()))
    finally:
        if native is not None:
            native.set_level(highest)


def test_zeros_and_nan_count_by_their_truth():
    x = xp.asarray([0.0, -0.0, np.nan, np.inf, 1e-45])
    assert xp.count_nonzero(x).tolist() == 3
    with xp.config.use(x64="on"):
        assert xp.count_nonzero(x).dtype == "int64"
    assert xp.count_nonzero(x).dtype == "int32"
    assert xp.count_nonzero(x.reshape(5, 1).T).tolist() == 3
    for dtype in ("bfloat16", "float16", "float8_e4m3fn", "float8_e4m3fnuz"):
        assert xp.count_nonzero(xp.asarray([0.0, -0.0, np.nan, -np.nan, 0.5], dtype=dtype)).tolist() == 3


def test_indices_promote_with_a_float_to_fill_with():
    """JAX: `jnp.nonzero(x, size=4, fill_value=jnp.nan)` is a weak float32 array."""
    x = xp.asarray([0, 1, 0, 2])
    for found in (xp.nonzero(x, size=3, fill_value=float("nan"))[0], xp.flatnonzero(x, size=3, fill_value=xp.nan)):
        assert found.dtype == "float32"
        assert found.weak_type
        assert found[:2].tolist() == [1.0, 3.0]
        assert bool(xp.isnan(found[2]))
    assert xp.nonzero(x, size=1, fill_value=0.5)[0].dtype == "float32"  # whether or not something is filled
    assert xp.argwhere(x, size=3, fill_value=1.5).tolist() == [[1.0], [3.0], [1.5]]
    assert xp.where(x > 0, size=3, fill_value=7)[0].tolist() == [1, 3, 7]
    assert xp.nonzero(x, size=3, fill_value=7)[0].dtype == "int32"
