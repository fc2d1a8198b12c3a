import numpy as np
import pytest

from supremum._kernels.reductions import LARGE, fold_all, sum_of_squares
from supremum.promotion._nodes import NODES

FLOAT32 = NODES["float32"]


@pytest.mark.parametrize("size", [1, LARGE, LARGE + 1, 3 * LARGE - 1])
@pytest.mark.parametrize("name", ["float16", "bfloat16", "float8_e4m3fn"])
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
