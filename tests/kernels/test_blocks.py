"""Work in blocks, and selection by a mask (supremum._kernels.blocks)."""

import numpy as np
import pytest
from common import for_each

from supremum._kernels.blocks import BLOCK, blocks, choose
from supremum.promotion._nodes import NODES


@for_each(
    "shapes",
    [
        [(3 * BLOCK + 5,)],
        [(3 * BLOCK + 5,), (3 * BLOCK + 5,)],
        [(3 * BLOCK + 5,), ()],
        [(), (2 * BLOCK,)],
        [(1, 700), (300, 1)],
        [(300, 700), (700,)],
        [(0, 3), (3,)],
        [()],
    ],
)
def test_blocks_cover_every_element_once(shapes):
    draw = np.random.default_rng(0)
    operands = [draw.integers(0, 100, shape).astype(np.int16) for shape in shapes]
    out = np.full(np.broadcast_shapes(*shapes), -1, np.int16)
    for there, *parts in blocks(out, *operands):
        assert there.ndim == 1
        assert there.size <= BLOCK
        assert (there == -1).all()
        there[...] = sum(parts)
    np.testing.assert_array_equal(out, sum(operands))


@pytest.mark.parametrize("view", [np.transpose, lambda x: x[::-2, ::3], np.asfortranarray, lambda x: x])
def test_operands_may_lie_in_memory_in_any_way(view):
    x = view(np.arange(1000 * 1000, dtype=np.uint16).reshape(1000, 1000))
    out = np.empty(x.shape, x.dtype)
    for block, part in blocks(out, x):
        np.add(part, part, out=block)
    np.testing.assert_array_equal(out, x + x)


def test_shapes_that_do_not_fit_raise():
    with pytest.raises(ValueError):
        list(blocks(np.empty(100 * BLOCK, np.int8), np.zeros(100 * BLOCK, np.int8), np.zeros(3, np.int8)))


ROWS, COLUMNS = 300, 250


def numbers(dtype, shape, seed):
    return np.random.default_rng(seed).integers(0, 8, shape).astype(NODES[dtype].dtype)


@pytest.mark.combinations
@pytest.mark.parametrize("dtype", ["bool", "int8", "float16", "bfloat16", "float32", "int4", "float64", "complex64"])
@pytest.mark.parametrize(
    "shapes",
    [
        [(ROWS, COLUMNS)] * 3,
        [(ROWS, COLUMNS), (), ()],
        [(), (ROWS, COLUMNS), ()],
        [(ROWS, 1), (COLUMNS,), (ROWS, COLUMNS)],
        [(5,), (5,), (5,)],
        [(), (), ()],
    ],
)
def test_each_element_is_one_of_the_two(dtype, shapes):
    mask = numbers("bool", shapes[0], 0)
    x, y = numbers(dtype, shapes[1], 1), numbers(dtype, shapes[2], 2)
    got = choose(mask, x, y, NODES[dtype])
    full = [each.ravel().tolist() for each in np.broadcast_arrays(mask, x, y)]
    assert got.dtype == NODES[dtype].dtype
    assert got.shape == np.broadcast_shapes(*shapes)
    assert got.ravel().tolist() == [one if true else other for true, one, other in zip(*full, strict=True)]


@pytest.mark.parametrize("size", [10, 100_000])
def test_operands_are_cast(size):
    mask = np.arange(size) % 3 == 0
    x = (np.arange(size) % 1000).astype(np.int16)
    got = choose(mask, x, np.array(0.5), NODES["float32"])
    np.testing.assert_array_equal(got, np.where(mask, x, 0.5))


def test_bits_of_zeros_and_nan_stay():
    size = 100_000
    x, y = np.full(size, -0.0, np.float32), np.full(size, np.nan, np.float32)
    got = choose(np.arange(size) % 2 == 0, x, y, NODES["float32"])
    assert np.signbit(got[::2]).all()
    assert np.isnan(got[1::2]).all()


@pytest.mark.parametrize("size", [4, 100_000])
def test_shapes_that_do_not_fit_are_refused(size):
    with pytest.raises(ValueError, match="broadcast"):
        choose(np.ones(size, bool), np.ones(size), np.ones(size - 1), NODES["float64"])


def test_operands_of_choices_may_lie_in_memory_in_any_way():
    mask = numbers("bool", (600, 500), 0)[::2, ::-2]
    x, y = np.asfortranarray(numbers("int32", (ROWS, COLUMNS), 1)), numbers("int32", (ROWS, 2 * COLUMNS), 2)[:, 1::2]
    got = choose(mask, x, y, NODES["int32"])
    np.testing.assert_array_equal(got, np.where(mask, x, y))
