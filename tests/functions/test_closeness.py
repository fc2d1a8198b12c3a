"""Closeness functions, compared with JAX 0.10.2."""

import expressions
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import supremum as xp


@pytest.mark.parametrize("case", expressions.cases("closeness"), ids=expressions.identity)
def test_as_jax(case):
    expressions.check(case)


@settings(max_examples=200)
@given(
    a=st.floats(width=32) | st.sampled_from([0.0, 1.0, np.inf, -np.inf, np.nan]),
    b=st.floats(width=32) | st.sampled_from([0.0, 1.0, np.inf, -np.inf, np.nan]),
    rtol=st.sampled_from([0.0, 1e-5, 0.5]),
    atol=st.sampled_from([0.0, 1e-8, 1.0]),
    equal_nan=st.booleans(),
)
def test_isclose_as_numpy(a, b, rtol, atol, equal_nan):
    x, y = np.float64(a), np.float64(b)
    ours = xp.isclose(xp.asarray(x), xp.asarray(y), rtol=np.float64(rtol), atol=np.float64(atol), equal_nan=equal_nan)
    assert bool(ours) == np.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan)


def test_narrow_dtypes_are_rounded_before_they_are_compared():
    assert bool(xp.isclose(xp.float8_e5m2(1), 1.1))
    assert not bool(xp.isclose(xp.bfloat16(1), 1.004))


@pytest.mark.parametrize("dtype", ["int4", "uint64", "bfloat16", "float8_e4m3fn", "complex64", "bool"])
def test_arrays_equal_themselves(dtype):
    x = xp.asarray([1, 0, 1], dtype=dtype)
    assert bool(xp.array_equal(x, x))
    assert bool(xp.allclose(x, x))
    assert not bool(xp.array_equal(x, ~x if dtype == "bool" else x + x))


def test_shapes_that_do_not_fit():
    for function in (xp.isclose, xp.allclose):
        for kind in (TypeError, ValueError):
            with pytest.raises(kind, match=rf"{function.__name__}.*shape"):
                function(xp.ones(2), xp.ones(3))


@pytest.mark.parametrize("a, b", [([1, 2], [[1, 2, 1, 2]]), ([1, 2], [1, 2, 3]), ([[1, 2]], [[1], [2], [1.5]])])
def test_arrays_whose_shapes_do_not_fit_are_not_equivalent(a, b):
    equivalent = xp.array_equiv(a, b)
    assert (equivalent.dtype, equivalent.shape, bool(equivalent)) == ("bool", (), False)
