"""`where`: NumPy's elements bit for bit, and JAX's dtypes, for any number of elements and any layout."""

import ml_dtypes
import numpy as np
import pytest
from common import for_each, same_values
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import supremum as xp
from supremum import config

ARRAYS = hnp.arrays("int8", hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4), elements=st.integers(-2, 2))
DTYPES = ["bool", "int4", "int8", "uint64", "bfloat16", "float8_e5m2", "float16", "float32", "float64", "complex64"]


def bits(array):
    """Return an array as integers, which tells NaN payloads and signs of zeros apart."""
    array = np.ascontiguousarray(array)
    return array.view(np.uint8)


@given(ARRAYS)
def test_where_chooses(data):
    x = xp.asarray(data)
    same_values(xp.where(x > 0, x, -x), np.where(data > 0, data, -data))
    same_values(xp.where(x, x, 9), np.where(data, data, 9))
    same_values(
        xp.where(x[..., None] > 0, x[..., None], xp.asarray([1, 2], dtype="int8")),
        np.where(data[..., None] > 0, data[..., None], [1, 2]),
    )


@for_each(
    "first, second, met, weak",
    [
        ("int8", 1, "int8", False),
        ("int8", 1.5, "float32", True),
        ("bool", 1, "int32", True),
        ("bfloat16", 0.0, "bfloat16", False),
        ("bfloat16", -0.0, "bfloat16", False),
        ("float8_e4m3fn", 2, "float8_e4m3fn", False),
        ("int4", True, "int4", False),
        ("float32", 1j, "complex64", False),
        ("uint8", "int8", "int16", False),
        ("float64", "complex64", "complex128", False),
    ],
)
def test_where_promotes_by_the_join(first, second, met, weak):
    """By JAX's lattice, with Python scalars as weak dtypes, in both orders."""
    x = xp.ones(2, dtype=first)
    y = xp.zeros(2, dtype=second) if isinstance(second, str) else second
    for found in (xp.where(xp.asarray([True, False]), x, y), xp.where(xp.asarray([True, False]), y, x)):
        assert (found.dtype, found.weak_type) == (met, weak)


def test_where_keeps_signs_of_zero_and_wraps_integers():
    x = xp.ones(1)
    assert np.signbit(np.asarray(xp.where(False, x, -0.0))[0])
    assert not np.signbit(np.asarray(xp.where(False, x, 0.0))[0])
    assert np.isnan(np.asarray(xp.where(False, x, xp.nan))[0])
    assert xp.where(False, xp.ones(1, dtype="uint8"), 300).tolist() == [44]
    assert xp.where(True, 1, 2).weak_type
    assert (xp.where(xp.asarray(False), 1, 2.5).dtype, float(xp.where(False, 1, 2.5))) == ("float32", 2.5)


def test_where_follows_the_promotion_system():
    with config.use(promotion="numpy"):
        assert xp.where(True, xp.ones(1, dtype="int64"), xp.ones(1, dtype="float32")).dtype == "float64"
        assert xp.where(True, xp.ones(1, dtype="float32"), 1.5).dtype == "float32"
    with config.use(promotion="jax_strict"), pytest.raises(xp.TypePromotionError):
        xp.where(True, xp.ones(1, dtype="int8"), xp.ones(1, dtype="int16"))


@pytest.mark.parametrize(
    "arguments, options, error",
    [
        ((True, None, 1), {}, TypeError),
        ((True, 1), {}, TypeError),
        ((True, 1, 2), {"size": 3}, ValueError),
        (([True], 1, 2), {}, TypeError),
        ((True, [1], 2), {}, TypeError),
        ((xp.ones(2), xp.ones(3), 2), {}, ValueError),
        ((xp.ones(2), 2, xp.ones(3)), {}, ValueError),
    ],
)
def test_where_refuses(arguments, options, error):
    with pytest.raises(error, match="where"):
        xp.where(*arguments, **options)


@pytest.mark.parametrize(
    ("a", "b", "dtype", "weak"),  # as JAX 0.10.2 has them
    [
        (0.5, 1, "float32", True), (1, 0, "int32", True), (True, False, "bool", False), (True, 2, "int32", True),
        (1j, 2, "complex64", True), (1, 2.0, "float32", True), (True, 1.5, "float32", True),
    ],
)  # fmt: skip
def test_where_promotes_two_scalars(a, b, dtype, weak):
    found = xp.where(xp.asarray([[True], [False]]), a, b)
    assert (found.dtype, found.weak_type, found.tolist()) == (dtype, weak, [[a], [b]])


# -- arrays of one dtype, which have fast paths ------------------------------------------------------------------------------


@for_each("dtype", DTYPES)
@for_each("size", [0, 1, 4, 64, 65, 1000])
def test_where_moves_bits(dtype, size):
    draw = np.random.default_rng(size)
    numpy_dtype = np.dtype(getattr(ml_dtypes, dtype, dtype))
    # Every pattern of bits, including NaN with payloads, infinities and zeros of both signs.
    patterns = {"bool": 2, "int4": 8}.get(dtype, 256)
    a, b = draw.integers(0, patterns, (2, size * numpy_dtype.itemsize)).astype(np.uint8).view(numpy_dtype)
    mask = draw.random(size) < 0.5
    chosen = np.where(mask.repeat(numpy_dtype.itemsize), a.view(np.uint8), b.view(np.uint8))
    found = xp.where(*map(xp.asarray, (mask, a, b)))
    assert found.dtype == dtype
    np.testing.assert_array_equal(bits(found), chosen)


SHAPES = [(), (1,), (3,), (1, 3), (2, 3), (2, 1), (1, 1), (0,), (0, 3), (1, 0)]


@pytest.mark.combinations
@pytest.mark.parametrize("mask", SHAPES)
@pytest.mark.parametrize("first", SHAPES)
@pytest.mark.parametrize("second", SHAPES)
def test_where_broadcasts_as_numpy_does(mask, first, second):
    holds = np.arange(np.prod(mask, dtype=int)).reshape(mask) % 2 == 0
    a, b = (np.arange(start, start + np.prod(shape, dtype=int)).reshape(shape) for start, shape in ((1, first), (-9, second)))
    a, b = a.astype("int32"), b.astype("int32")
    try:
        expected = np.where(holds, a, b)
    except ValueError:
        with pytest.raises(ValueError, match="where: the shapes"):
            xp.where(*map(xp.asarray, (holds, a, b)))
    else:
        found = xp.where(*map(xp.asarray, (holds, a, b)))
        assert found.shape == expected.shape
        same_values(found, expected)


def test_where_reads_any_layout_and_writes_to_none_of_its_arguments():
    base = np.arange(24.0, dtype="float32").reshape(4, 6)
    for view in (base[::-1], base.T, base[::2, ::-2], np.broadcast_to(base[0], (3, 6))):
        mask = view % 2 == 0
        x, y = xp.asarray(view), xp.asarray(-view)
        same_values(xp.where(xp.asarray(mask), x, y), np.where(mask, view, -view))
        same_values(xp.where(xp.asarray(np.asfortranarray(mask)), y, x), np.where(mask, -view, view))
        same_values(x, view)
    x = xp.asarray([1.0, 2.0])
    found = xp.where(xp.asarray([True, True]), x, x)
    found[0] = 5.0
    assert x.tolist() == [1.0, 2.0]


def test_where_keeps_the_weak_dtype_that_both_have():
    x = xp.asarray(1.0)
    assert xp.where(xp.asarray(True), x, x).weak_type
    assert not xp.where(xp.asarray(True), x, xp.ones((), dtype="float32")).weak_type
