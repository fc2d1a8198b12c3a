"""Sorting of narrow numbers at sizes with different algorithms, against NumPy's stable sort of float64."""

import numpy as np
import pytest
from common import for_each
from narrow_formats import FORMATS

from supremum._base.buffers import native
from supremum._kernels import order
from supremum.promotion._nodes import NODES

INTEGERS = [name for name, node in NODES.items() if not node.native and node.kind in "iu"]
#: Few elements; more than are sorted as float32; enough for a counting sort; several rows.
SHAPES = [(0,), (5,), (100,), (1000,), (50_000,), (30, 40), (40, 3, 300)]


def check(data, node, exact):
    """Sort along every axis, and compare values and order with those of exact numbers."""
    for axis in range(data.ndim):
        expected = np.argsort(exact, axis, kind="stable")
        np.testing.assert_array_equal(order.argsort(data, node, axis), expected)
        ordered = np.take_along_axis(exact, expected, axis)
        got = order.sort(data, node, axis)
        assert got.dtype == data.dtype
        with np.errstate(all="ignore"):
            got = got.astype(np.float32).astype(np.float64)
        np.testing.assert_array_equal(got, ordered)
        zeros = ordered == 0
        np.testing.assert_array_equal(np.signbit(got[zeros]), np.signbit(ordered[zeros]))


@pytest.mark.combinations
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", FORMATS)
def test_floats(name, shape):
    form = FORMATS[name]
    draw = np.random.default_rng(sum(shape))
    # All patterns, NaN of both signs among them, and a narrow range with many equal numbers and zeros of both signs.
    for patterns in (form.codes, form.codes[[0, 1, 2, 1 << (form.bits - 1), (1 << (form.bits - 1)) + 1]]):
        codes = draw.choice(patterns, shape)
        check(codes.view(form.dtype), NODES[name], form.decode()[codes])


@for_each("shape", SHAPES, identity=str)
@for_each("name", INTEGERS)
def test_sub_byte_integers(name, shape):
    node = NODES[name]
    numbers = np.random.default_rng(sum(shape)).integers(0, 1 << node.bits, shape)
    if node.kind == "i":
        numbers -= 1 << (node.bits - 1)
    check(numbers.astype(np.int8).astype(node.dtype), node, numbers.astype(np.float64))


@pytest.mark.parametrize("name", ["bfloat16", "float16"])
def test_many_numbers_without_nan(name):
    form = FORMATS[name]
    exact = np.random.default_rng(0).normal(size=100_000)
    exact = form.nearest(exact)
    check(exact.astype(np.float32).astype(form.dtype), NODES[name], exact)


@pytest.mark.combinations
@pytest.mark.parametrize("distinct", [1, 3000, 1 << 16])
@pytest.mark.parametrize("name", ["bfloat16", "float16", "int16", "uint16"])
def test_stable_order_of_so_many_that_positions_do_not_fit_the_cache(name, distinct):
    node = NODES[name]
    codes = (np.random.default_rng(distinct).integers(0, distinct, 600_000) * 21 + 40_000).astype(np.uint16)
    data = codes.view(node.dtype)
    exact = FORMATS[name].decode()[codes] if name in FORMATS else data.astype(np.float64)
    np.testing.assert_array_equal(order.argsort(data, node, 0), np.argsort(exact, kind="stable"))
    # In a descending order equal elements keep theirs, and NaN comes first.
    falling = np.where(np.isnan(exact), -np.inf, -exact)
    np.testing.assert_array_equal(order.argsort(data, node, 0, descending=True)[:10], np.argsort(falling, kind="stable")[:10])


@pytest.mark.combinations
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", ["bool", "int8", "uint8", "int16", "uint16"])
def test_small_native_integers(name, shape):
    dtype = NODES[name].dtype
    codes = np.random.default_rng(sum(shape)).integers(0, 2 if name == "bool" else 1 << 16, shape).astype(dtype)
    for data in (codes, codes.T, codes[..., ::-1]):
        for axis in range(data.ndim):
            np.testing.assert_array_equal(order.sort(data, NODES[name], axis), np.sort(data, axis))
            np.testing.assert_array_equal(order.argsort(data, NODES[name], axis), np.argsort(data, axis, kind="stable"))


def test_nan_keep_their_order_and_their_bits_where_elements_are_counted():
    codes = np.tile(np.array([0x7FC1, 0x8000, 0xFFC2, 0, 0x3F80, 0x7F80, 0x8000], np.uint16), 5000)
    node = NODES["bfloat16"]
    got = order.sort(codes.view(node.dtype), node, 0).view(np.uint16)
    zeros, nan = codes[(codes & 0x7FFF) == 0], codes[(codes & 0x7FFF) > 0x7F80]
    np.testing.assert_array_equal(got[: zeros.size], zeros)
    if native is not None:
        np.testing.assert_array_equal(got[-nan.size :], nan)


@pytest.mark.combinations
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("size", [10, 300, 70_000])
@pytest.mark.parametrize("name", ["bfloat16", "float16", "float8_e4m3fn", "int4", "int8", "uint16"])
def test_search(name, size, side):
    node, draw = NODES[name], np.random.default_rng(size)
    if node.kind == "f":
        codes = FORMATS[name].codes
        ordered, wanted = (draw.choice(codes, n).view(node.dtype) for n in (500, size))
    else:
        ordered, wanted = (draw.integers(node.low, node.high + 1, n).astype(np.int32).astype(node.dtype) for n in (500, size))
    ordered = order.sort(ordered, node, 0)
    exact = [x.astype(np.float32).astype(np.float64) for x in (ordered, wanted)]
    np.testing.assert_array_equal(order.search(ordered, wanted, node, side), np.searchsorted(*exact, side))


@for_each("kth", [0, 3, 124, 125, 400, 624, 625, 999])
@for_each("name", ["float32", "bfloat16", "int8", "uint32", "float64"])
def test_argpartition_is_the_stable_order_up_to_a_position(name, kth):
    values = np.random.default_rng(kth).integers(0, 100, 1000)
    node, whole = NODES[name], np.argsort(values, kind="stable")
    expected = np.concatenate([whole[: kth + 1], np.sort(whole[kth + 1 :])])
    found = order.argpartition(values.astype(node.dtype), node, kth, 0)
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, expected)


@for_each("count", [0, 1, 30, 100, 400, 625, 626, 1000])
@for_each("name", ["float32", "bfloat16", "int8", "uint32", "float64"])
def test_the_greatest_are_the_first_of_the_descending_order(name, count):
    values = np.random.default_rng(count).integers(0, 100, 1000)
    node = NODES[name]
    data = values.astype(node.dtype)
    expected = np.argsort(-values, kind="stable")[:count]
    np.testing.assert_array_equal(order.first_in_order(data, node, count, 0, descending=True), expected)
    if node.kind == "f":
        data[[7, 500]] = np.nan
        expected = [7, 500, *expected[~np.isin(expected, [7, 500])]][:count]
        np.testing.assert_array_equal(order.first_in_order(data, node, count, 0, descending=True)[:2], expected[:2])
    rows = values.reshape(20, 50)
    expected = np.argsort(-rows, axis=0, kind="stable")[: min(count, 20)]
    found = order.first_in_order(rows.astype(node.dtype), node, min(count, 20), 0, descending=True)
    np.testing.assert_array_equal(found, expected)


@for_each("dtype", ["int32", "uint32", "int64", "uint64", "float32", "float64", "complex64"])
def test_wide_numbers_by_their_digits_and_integers_near_each_other(dtype):
    random = np.random.default_rng(12)
    for shape, spread, start in (
        ((70_000,), 9, -4),
        ((70_000,), 60_000, 2**31 - 70_000),
        ((9_000, 2), 2**31, 0),
        ((2, 300), 5, 0),
    ):
        exact = random.integers(0, spread, shape) + (start if dtype[0] != "u" else abs(start))
        data, node = exact.astype(dtype), NODES[dtype]
        if dtype[0] in "fc":
            data[data == data.flat[0]] = np.nan
            data.flat[::7] *= -0.0
        for axis in range(data.ndim):
            np.testing.assert_array_equal(order.sort(data, node, axis), np.sort(data, axis, kind="stable"))
            expected = np.argsort(data, axis, kind="stable")
            np.testing.assert_array_equal(order.argsort(data, node, axis), expected)
            if dtype[0] not in "fc":  # of which the descending order has NaN first
                falling = np.argsort(~data, axis, kind="stable")
                np.testing.assert_array_equal(order.argsort(data, node, axis, descending=True), falling)
        flat = data.reshape(-1)
        both = [(flat, node), (flat[::-1], node)]
        np.testing.assert_array_equal(order.lexsort(both, 0), np.lexsort([part for part, _ in both]))
