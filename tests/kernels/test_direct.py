import numpy as np
import pytest

from supremum._kernels.direct import concatenate, direct, where


def test_functions_do_what_numpys_do():
    x, y = np.arange(4), -np.arange(4)
    np.testing.assert_array_equal(where(x > 1, x, y), np.where(x > 1, x, y))
    np.testing.assert_array_equal(concatenate([x, y], 0), np.concatenate([x, y]))
    with pytest.raises(ValueError, match="broadcast"):
        where(x > 1, x, y[:3])


def test_a_function_without_a_search_is_itself():
    assert direct(abs) is abs
