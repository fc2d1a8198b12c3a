"""Sliding windows: NumPy's for every dtype, as views."""

import subprocess
import sys

import numpy as np
import pytest
from common import for_each

import supremum as xp

X = np.arange(12).reshape(3, 4)


@for_each("arguments", [((2, 2),), (2, 0), (3, -1), ((2, 2), (1, 1)), ((), ()), ((1, 4),)])
@for_each("dtype", ["int32", "bfloat16"])
def test_windows(arguments, dtype):
    x = xp.asarray(X, dtype=dtype)
    found = xp.lib.stride_tricks.sliding_window_view(x, *arguments)
    assert type(found) is xp.Array
    assert found.dtype == dtype
    assert np.shares_memory(np.asarray(found), np.asarray(x))
    np.testing.assert_array_equal(np.asarray(found, np.int64), np.lib.stride_tricks.sliding_window_view(X, *arguments))


def test_the_module_is_there_without_being_imported():
    command = "import supremum; print(supremum.lib.stride_tricks.sliding_window_view(supremum.ones(3), 2).shape)"
    run = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    assert run.stdout == "(2, 2)\n"


def test_windows_are_read_only():
    found = xp.lib.stride_tricks.sliding_window_view(xp.zeros(3), 2)
    with pytest.raises(ValueError, match="read-only"):
        found[0, 0] = 1


@pytest.mark.parametrize(
    "arguments, error",
    [((2,), ValueError), ((5, 0), ValueError), ((-1, 0), ValueError), ((2, 2), ValueError), ((1.5, 0), TypeError)],
)
def test_what_is_refused(arguments, error):
    with pytest.raises(error, match="sliding_window_view"):
        xp.lib.stride_tricks.sliding_window_view(xp.asarray(X), *arguments)
