"""Folds of narrow dtypes: sums in NumPy's own order of float32 sums, extremes against those of exact numbers."""

import numpy as np
import pytest
from common import for_each
from narrow_formats import FORMATS

import supremum as xp
from supremum._kernels import blocked_reductions as reductions
from supremum._kernels.blocked_reductions import LARGE, fold_all, sum_of_squares
from supremum.promotion._nodes import NODES

FLOAT32 = NODES["float32"]
#: Around the lengths at which sums are split: lanes, leaves, blocks, partial sums.
SIZES = [1, 4, 7, 8, 127, 128, 129, 1000, 8191, 8192, 8193, 16384, 50_000, 65_536, 65_537, 200_003]
NAMES = ["bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "float6_e2m3fn"]


def numbers(name, shape, seed=0):
    """Return finite narrow numbers whose float32 sum is rounded, so that its last bits tell the order."""
    draw = np.random.default_rng(seed)
    return (draw.standard_normal(shape) * 2.0 ** draw.integers(-3, 2, shape)).astype(np.float32).astype(FORMATS[name].dtype)


def in_numpy_order(ufunc, data):
    """Fold a vector in float32: in blocks of NumPy's buffer, or in partial folds if it is long and no bfloat16."""
    wide = data.astype(np.float32)
    if data.dtype == FORMATS["bfloat16"].dtype or data.size <= LARGE:
        total = np.float32(ufunc.identity)
        for start in range(0, data.size, 8192):
            total = ufunc(total, ufunc.reduce(wide[start : start + 8192]))
        return total
    return ufunc.reduce(np.array([ufunc.reduce(wide[i : i + LARGE]) for i in range(0, data.size, LARGE)]))


@pytest.mark.combinations
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", SIZES)
def test_sums_are_those_of_float32_in_numpys_order(name, size, level):
    data = numbers(name, size)
    x, dtype = xp.asarray(data), data.dtype
    total = in_numpy_order(np.add, data)
    assert xp.sum(x).__array__().astype(np.float32) == total.astype(dtype).astype(np.float32)
    assert xp.mean(x).__array__().astype(np.float32) == (total / np.float32(size)).astype(dtype).astype(np.float32)
    # The result of a wider dtype has all bits of the sum.
    assert float(xp.sum(x, dtype=xp.float32)) == pytest.approx(float(total), rel=1e-5, abs=1e-4)


@for_each("name", NAMES)
def test_sums_of_numbers_without_rounding_are_exact(name, level):
    for size in SIZES:
        data = (np.arange(size) % 3 == 0).astype(FORMATS[name].dtype)
        exact = FORMATS[name].nearest(np.array([float(-(-size // 3))]))
        np.testing.assert_array_equal(xp.sum(xp.asarray(data)).__array__().astype(np.float64), exact[0])


@pytest.mark.combinations
@pytest.mark.parametrize(
    "shape",
    [
        *((3, 5), (1, 9000), (9000, 1), (40, 500), (3, 20_000), (20_000, 3), (7, 30, 50), (2, 0, 3)),
        *((50, 64), (1030, 71), (17, 1025), (130, 127), (3, 129, 8), (4, 8193)),
    ],
    ids=str,
)
@pytest.mark.parametrize("name", ["bfloat16", "float16", "float8_e4m3fn"])
def test_sums_along_axes_are_those_of_float32_arrays(name, shape, level):
    data = numbers(name, shape)
    x, wide = xp.asarray(data), data.astype(np.float32)
    for axis in range(len(shape)):
        for keepdims in (False, True):
            if data.size != max(shape, default=0):  # a single axis is folded as a vector is
                got = xp.sum(x, axis=axis, keepdims=keepdims).__array__()
                expected = np.add.reduce(wide, axis, keepdims=keepdims).astype(data.dtype)
                np.testing.assert_array_equal(got.astype(np.float32), expected.astype(np.float32))
            if shape[axis]:
                got = xp.max(x, axis=axis, keepdims=keepdims).__array__().astype(np.float32)
                np.testing.assert_array_equal(got, wide.max(axis, keepdims=keepdims))
                got = xp.min(x, axis=axis, keepdims=keepdims).__array__().astype(np.float32)
                np.testing.assert_array_equal(got, wide.min(axis, keepdims=keepdims))


@pytest.mark.combinations
@pytest.mark.parametrize("name", FORMATS)
def test_extremes_along_axes(name, level):
    form, draw = FORMATS[name], np.random.default_rng(len(name))
    exact = form.decode()
    for shape in [(3, 4), (50, 33), (7, 4100), (300, 2), (3, 20, 9), (4, 5, 6, 7)]:
        for codes in (
            form.codes,
            form.codes[~np.isnan(exact)],
            form.codes[(exact == 0) | (np.abs(exact) == np.nanmin(np.abs(exact)[exact != 0]))],
        ):
            chosen = draw.choice(codes, shape)
            if codes is not form.codes:
                chosen.reshape(-1)[::97] = form.codes[-1]
            x, wide = xp.asarray(chosen.view(form.dtype)), exact[chosen]
            for axis in (*range(len(shape)), (0, -1), tuple(range(0, len(shape), 2))):
                for function, expected in ((xp.max, wide.max(axis)), (xp.min, wide.min(axis))):
                    found = function(x, axis=axis).__array__().astype(np.float64)
                    np.testing.assert_array_equal(found, expected)
            for axis in range(len(shape)):
                zeros = (wide == 0).all(axis)
                signs = np.signbit(wide) & (wide == 0)
                assert np.array_equal(
                    np.signbit(xp.max(x, axis=axis).__array__().astype(np.float64))[zeros], signs.all(axis)[zeros]
                )
                assert np.array_equal(
                    np.signbit(xp.min(x, axis=axis).__array__().astype(np.float64))[zeros], signs.any(axis)[zeros]
                )


@for_each("name", NAMES)
@for_each("size", [1, 2, 8192, 8193, 20_000])
def test_cumulative_sums_round_every_result_once(name, size):
    data = numbers(name, size)
    expected = np.add.accumulate(data.astype(np.float32)).astype(data.dtype)
    got = xp.cumulative_sum(xp.asarray(data)).__array__()
    np.testing.assert_array_equal(got.astype(np.float32), expected.astype(np.float32))


@pytest.mark.combinations
@pytest.mark.parametrize("name", FORMATS)
def test_extremes_and_their_places(name, level):
    form, draw = FORMATS[name], np.random.default_rng(len(name))
    exact = form.decode()
    for trial in range(60):
        size = int(draw.integers(1, 9000 if trial % 4 == 0 else 100))
        some = form.codes if trial % 2 else draw.choice(form.codes, 4)
        if trial % 3 == 0:
            some = some[~np.isnan(exact[some])]
            if not some.size:
                continue
        codes = draw.choice(some, size)
        x, wide = xp.asarray(codes.view(form.dtype)), exact[codes]
        assert int(xp.argmax(x)) == wide.argmax()
        assert int(xp.argmin(x)) == wide.argmin()
        for found, expected in ((xp.max(x), wide.max()), (xp.min(x), wide.min())):
            np.testing.assert_array_equal(found.__array__().astype(np.float64), expected)
        if (wide == 0).all():
            assert np.signbit(float(xp.max(x))) == np.signbit(wide).all()
            assert np.signbit(float(xp.min(x))) == np.signbit(wide).any()


def test_places_of_powers_of_two(level):
    node = NODES["float8_e8m0fnu"]
    draw = np.random.default_rng(8)
    for high in (255, 256):  # without NaN and with it
        codes = draw.integers(0, high, 10_000, dtype=np.int64).astype(np.uint8)
        x, exact = xp.asarray(codes.view(node.dtype)), codes.view(node.dtype).astype(np.float32)
        assert int(xp.argmax(x)) == exact.argmax()
        assert int(xp.argmin(x)) == exact.argmin()
        np.testing.assert_array_equal(xp.max(x).__array__().astype(np.float32), exact.max())
        np.testing.assert_array_equal(xp.min(x).__array__().astype(np.float32), exact.min())


@for_each("keepdims", [False, True])
@for_each("axis", [None, 0, 1, 2])
def test_places_along_axes(axis, keepdims):
    data = numbers("bfloat16", (7, 30, 40))
    for view in (data, data.T, data[:, ::-2], np.asfortranarray(data)):
        for ours, theirs in ((xp.argmax, np.argmax), (xp.argmin, np.argmin)):
            expected = theirs(view.astype(np.float32), axis, keepdims=keepdims)
            np.testing.assert_array_equal(ours(xp.asarray(view), axis=axis, keepdims=keepdims).__array__(), expected)


@pytest.mark.parametrize("name", ["int2", "int4", "uint2", "uint4"])
def test_sums_of_sub_byte_integers(name):
    node = NODES[name]
    data = np.resize(np.arange(node.low, node.high + 1), 20_001)
    x = xp.asarray(data.astype(np.int8).astype(node.dtype))
    assert int(xp.sum(x)) == data.sum()
    assert int(xp.max(x)) == node.high
    assert int(xp.min(x)) == node.low
    assert bool(xp.any(x))
    assert not bool(xp.all(x))
    np.testing.assert_array_equal(xp.cumulative_sum(x).__array__(), data.cumsum())


@for_each("size", [1, LARGE, LARGE + 1, 3 * LARGE - 1])
@for_each("name", ["float16", "bfloat16", "float8_e4m3fn"])
def test_blocks_add_up(name, size):
    data = (np.arange(size) % 3).astype(NODES[name].dtype)
    assert float(fold_all(np.add, data, FLOAT32)) == float((np.arange(size) % 3).sum())
    assert float(fold_all(np.maximum, data, FLOAT32)) == min(size - 1, 2)


def test_nan_in_any_block_is_the_maximum():
    data = np.zeros(3 * LARGE, np.float16)
    data[-1] = np.nan
    assert np.isnan(fold_all(np.maximum, data, FLOAT32))


@pytest.mark.parametrize("size", [1, LARGE, 2 * LARGE + 1])
def test_squares_of_deviations(size):
    data = (np.arange(size) % 5).astype(np.float32)
    assert float(sum_of_squares(data, np.float32(2), FLOAT32)) == sum((i % 5 - 2) ** 2 for i in range(size))


def test_squares_are_summed_without_a_bias():
    data = np.full(1_000_003, 0.1, np.float32)
    exact = data.size * float(data[0]) ** 2
    assert float(sum_of_squares(data, np.float32(0), FLOAT32)) == pytest.approx(exact, rel=3e-7)


@pytest.mark.combinations
@pytest.mark.usefixtures("level")
@pytest.mark.parametrize("name", ["float32", "float64", *NAMES])
@pytest.mark.parametrize("size", SIZES)
def test_squares_are_added_in_one_order_on_every_processor(name, size, monkeypatch):
    data = numbers(name, size) if name in NAMES else np.random.default_rng(size).standard_normal(size).astype(name)
    wide = NODES["float64" if name == "float64" else "float32"]
    center = np.asarray(0.1, wide.dtype)
    squares = (data.astype(wide.dtype) - center) ** 2
    expected = np.add.reduce([np.add.reduce(squares[start : start + 8192]) for start in range(0, size, 8192)])
    assert sum_of_squares(data, center, wide) == expected
    monkeypatch.setattr(reductions, "native", None)
    assert sum_of_squares(data, center, wide) == expected
