import numpy as np
import pytest
from common import for_each

from supremum._kernels.blocks import BLOCK, blocks


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
