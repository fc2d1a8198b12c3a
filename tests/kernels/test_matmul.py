"""Integer products are compared with products of Python integers modulo the width."""

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum._kernels import matmul
from supremum._kernels.matmul import integer_product, product, truth_product
from supremum.promotion._nodes import NODES

INTEGERS = [f"{sign}int{bits}" for bits in (8, 16, 32, 64) for sign in ("", "u")]
SHAPES = [((30, 40), (40, 30)), ((2, 20, 50), (50, 20)), ((2, 1, 20, 50), (3, 50, 20)), ((40,), (40, 30)), ((5, 40), (40,))]


def exact(a, b, dtype):
    """Multiply Python integers and wrap."""
    whole = np.matmul(a.astype(object), b.astype(object))
    info = np.iinfo(dtype)
    wrapped = [(int(x) - int(info.min)) % (int(info.max) - int(info.min) + 1) + int(info.min) for x in np.ravel(whole)]
    return np.array(wrapped, dtype).reshape(np.shape(whole))


def random(dtype, shape, seed, high=None):
    info = np.iinfo(dtype)
    low, top = (info.min, info.max) if high is None else (max(int(info.min), -high), high)
    return np.random.default_rng(seed).integers(low, top, shape, dtype=dtype, endpoint=True)


@pytest.mark.combinations
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("high", [None, 3])
@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_wrap_bit_for_bit(dtype, high, shapes):
    a, b = random(dtype, shapes[0], 1, high), random(dtype, shapes[1], 2, high)
    result = integer_product(a, b, np.dtype(dtype))
    assert result.dtype == dtype
    assert np.array_equal(result, exact(a, b, dtype))


@for_each("wide", ["int32", "uint32", "int64", "uint16"])
@for_each("dtype", ["int8", "uint8", "int16", "uint16"])
def test_a_wider_result_is_not_wrapped_at_the_width_of_the_operands(dtype, wide):
    a, b = random(dtype, (30, 40), 3), random(dtype, (40, 30), 4)
    assert np.array_equal(integer_product(a, b, np.dtype(wide)), exact(a, b, wide))


@for_each("dtype", INTEGERS)
@for_each("end", ["min", "max"])
def test_every_element_at_the_limit(dtype, end):
    a = np.full((20, 1030), getattr(np.iinfo(dtype), end), dtype)
    assert np.array_equal(
        integer_product(a, a.T, np.dtype(dtype)), exact(a[:1], a.T[:, :1], dtype).repeat(20, 0).repeat(20, 1)
    )


@for_each("length", [1023, 1024, 1025, 2047, 2048, 2049, 2500])
@for_each("dtype", ["int8", "int64"])
def test_sums_as_long_as_one_block_holds_and_longer(dtype, length):
    a = np.full((5, length), np.iinfo(dtype).min, dtype)
    a[:, ::3] = np.iinfo(dtype).max
    assert np.array_equal(integer_product(a, a.T, np.dtype(dtype)), exact(a[:1], a.T[:, :1], dtype).repeat(5, 0).repeat(5, 1))


def test_the_largest_sum_that_float32_holds_exactly():
    a = np.full((64, 1024), -128, np.int8)
    assert (integer_product(a, a.T, np.dtype(np.int32)) == 1 << 24).all()


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint32", "uint64"])
def test_limbs_add_up_to_the_number(dtype):
    width, count = matmul._LIMBS[np.dtype(dtype).itemsize * 8]
    numbers = random(dtype, 1000, 5).view(f"i{np.dtype(dtype).itemsize}")
    limbs = [np.empty(1000) for _ in range(count)]
    matmul._store_limbs(numbers, np.dtype(dtype), width, limbs)
    assert max(abs(limb).max() for limb in limbs) <= 1 << (width - 1)
    bits = np.dtype(dtype).itemsize * 8
    sums = [sum(int(limb[i]) << (width * j) for j, limb in enumerate(limbs)) for i in range(1000)]
    assert [(x - int(n)) % (1 << bits) for x, n in zip(sums, numbers, strict=True)] == [0] * 1000


@pytest.mark.parametrize("density", [0.01, 0.5])
def test_truth_values_are_or_of_and(density):
    rng = np.random.default_rng(6)
    a, b = rng.random((40, 50)) < density, rng.random((50, 30)) < density
    assert np.array_equal(truth_product(a, b), (a.astype(int) @ b.astype(int)) > 0)


@pytest.mark.parametrize("name", ["bfloat16", "float16", "float8_e4m3fn", "float8_e5m2"])
def test_narrow_floats_are_summed_in_float32_and_rounded_once(name):
    node = NODES[name]
    ones = np.ones((2, 301)).astype(node.dtype)
    assert product(ones, ones.T, node).astype(float).tolist() == [[float(np.float32(301).astype(node.dtype))] * 2] * 2


@pytest.mark.parametrize("name", ["int4", "uint4", "int2", "uint2"])
def test_integers_of_less_than_a_byte_wrap(name):
    node = NODES[name]
    values = np.arange(4).astype(node.dtype)
    low = -(1 << (node.bits - 1)) if node.kind == "i" else 0
    total = sum(int(x) * int(x) for x in values)
    assert int(product(values, values, node)) == (total - low) % (1 << node.bits) + low


def test_an_empty_sum_is_zero():
    assert integer_product(np.ones((20, 0), np.int8), np.ones((0, 20), np.int8), np.dtype(np.int8)).tolist() == [[0] * 20] * 20


@pytest.mark.combinations
@pytest.mark.parametrize(
    "shapes",
    [
        *(((65, 70), (70, 33)), ((3, 25, 24), (3, 24, 27)), ((40, 1000), (1000, 5)), ((30, 40), (40, 0))),
        *(((8, 8), (8, 8)), ((17, 33), (33, 35)), ((4, 64), (64, 64)), ((5, 2, 3, 4), (5, 2, 4, 3)), ((2, 9, 1), (2, 1, 65))),
    ],
    ids=str,
)
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16"])
def test_tiles_and_their_edges(dtype, shapes, level):
    a, b = random(dtype, shapes[0], 5), random(dtype, shapes[1], 6)
    for left, right in (
        (a, b),
        (a[..., ::-1, :], b[..., ::-1]),
        (np.asfortranarray(a), np.asfortranarray(b)),
        (a[..., ::2], b[..., ::2, :]),
    ):
        assert np.array_equal(integer_product(left, right, np.dtype(dtype)), exact(left, right, dtype))
        if left.ndim == 2:
            assert np.array_equal((xp.asarray(left) @ xp.asarray(right)).__array__(), exact(left, right, dtype))


@pytest.mark.combinations
@pytest.mark.parametrize(
    "shapes",
    [
        *(((3, 4), (4, 5)), ((40,), (40, 30)), ((5, 40), (40,)), ((700, 900), (900, 800)), ((0, 4), (4, 5)), ((3, 0), (0, 2))),
        *(((100, 4, 4), (100, 4, 4)), ((3, 2, 70, 20), (3, 2, 20, 65)), ((7, 3, 4), (4, 5)), ((1, 3, 4), (7, 4, 3))),
        *(((0, 3, 4), (0, 4, 3)), ((2, 3, 0), (2, 0, 3)), ((0, 3), (3, 0))),
        *(
            ((1100, 5), (5, 2100)),
            ((2, 5000), (5000, 300)),
            ((300, 5000), (5000, 2)),
            ((5000,), (5000, 90)),
        ),  # in several blocks
    ],
    ids=str,
)
@pytest.mark.parametrize("name", ["float32", "bfloat16", "float16", "float8_e4m3fn"])
def test_products_of_narrow_floats_round_once(name, shapes, level):
    dtype = NODES[name].dtype
    draw = np.random.default_rng(0)
    a, b = (draw.integers(-4, 5, shape).astype(np.float32).astype(dtype) for shape in shapes)  # whose products are exact
    expected = np.matmul(a.astype(np.float32), b.astype(np.float32)).astype(dtype)
    for left, right in ((a, b), (np.asfortranarray(a), b)):
        got = (xp.asarray(left) @ xp.asarray(right)).__array__()
        assert got.dtype == dtype
        assert got.shape == expected.shape
        np.testing.assert_array_equal(got.astype(np.float32), expected.astype(np.float32))
