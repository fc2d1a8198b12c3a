"""Printing options are NumPy's; text is JAX's, except that it always includes the dtype."""

import numpy as np
import pytest

import supremum as xp


@pytest.fixture(autouse=True)
def _options_stay():
    with np.printoptions():
        yield


def test_options_are_numpys():
    xp.set_printoptions(precision=3)
    assert xp.get_printoptions()["precision"] == np.get_printoptions()["precision"] == 3
    with xp.printoptions(precision=1):
        assert str(xp.asarray([1.25])) == "[1.2]"
    assert str(xp.asarray([1.2346])) == "[1.235]"


def test_array_repr_and_str():
    x = xp.asarray([1.23456789, 1e-12])
    assert xp.array_repr(x) == repr(x)
    assert xp.array_str(x) == str(x)
    assert xp.array_repr(x, precision=2, suppress_small=True) == "Array([1.23, 0.  ], dtype=float32)"
    assert xp.array_str(x, precision=2, suppress_small=True) == "[1.23 0.  ]"
    assert xp.array_str(xp.arange(10), max_line_width=12) == "[0 1 2 3 4\n 5 6 7 8 9]"
    assert xp.array_repr(xp.asarray(2)) == "Array(2, dtype=int32, weak_type=True)"
    assert xp.array_str(xp.asarray([1, 2], dtype="bfloat16")) == "[1 2]"


def test_numpy_arrays_print_too():
    assert xp.array_str(np.ones(2)) == "[1. 1.]"
    assert xp.array_repr(np.float32(1)) == "Array(1., dtype=float32)"


@pytest.mark.parametrize("function", [xp.array_repr, xp.array_str])
def test_lists_are_refused(function):
    with pytest.raises(TypeError, match=rf"{function.__name__}: an array is required, got list"):
        function([1, 2])
