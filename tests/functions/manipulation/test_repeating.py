"""Repeating, against NumPy, with JAX's fixed lengths."""

import numpy as np
import pytest
from common import for_each
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import supremum as xp


@given(
    hnp.arrays("int8", hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)),
    st.lists(st.integers(0, 3), max_size=4),
)
def test_tiles(data, reps):
    np.testing.assert_array_equal(np.asarray(xp.tile(xp.asarray(data), tuple(reps))), np.tile(data, reps))
    np.testing.assert_array_equal(np.asarray(xp.tile(xp.asarray(data), 2)), np.tile(data, 2))


@given(hnp.arrays("int8", hnp.array_shapes(min_dims=1, max_dims=2, max_side=4)), st.data())
def test_repeats(data, draw):
    x = xp.asarray(data)
    times = draw.draw(hnp.arrays("intp", data.shape[-1:], elements=st.integers(0, 3)))
    np.testing.assert_array_equal(np.asarray(xp.repeat(x, 2)), np.repeat(data, 2))
    np.testing.assert_array_equal(np.asarray(xp.repeat(x, xp.asarray(times), axis=-1)), np.repeat(data, times, axis=-1))
    np.testing.assert_array_equal(np.asarray(xp.repeat(x, xp.asarray([2]), axis=0)), np.repeat(data, 2, axis=0))


def test_a_length_cuts_or_fills_with_the_last_element():
    """The result of jnp.repeat(..., total_repeat_length=...) of JAX 0.10.2."""
    x, times = xp.asarray([1, 2, 3]), xp.asarray([1, 0, 2])
    assert xp.repeat(x, times, total_repeat_length=2).tolist() == [1, 3]
    assert xp.repeat(x, times, total_repeat_length=5).tolist() == [1, 3, 3, 3, 3]
    assert xp.repeat(x, 2, total_repeat_length=3).tolist() == [1, 1, 2]


def test_a_scalar_repeats():
    assert xp.repeat(5, 3).tolist() == [5, 5, 5]
    assert xp.repeat(5, 3).weak_type
    assert xp.repeat(xp.asarray(5), 2, axis=0).tolist() == [5, 5]


@for_each(
    "call",
    [
        lambda x: xp.repeat(x, -1),
        lambda x: xp.repeat(x, -1, total_repeat_length=3),
        lambda x: xp.repeat(x, xp.asarray([1, -1, 1])),
        lambda x: xp.repeat(x, xp.asarray([1, 2])),
        lambda x: xp.repeat(x, 1.5),
        lambda x: xp.repeat(x, 2, axis=1),
        lambda x: xp.repeat(x, [1, 2, 3]),
        lambda x: xp.tile(x, -1),
        lambda x: xp.tile(x, 1.5),
    ],
)
def test_what_is_refused(call):
    with pytest.raises((TypeError, ValueError), match=r"repeat|tile"):
        call(xp.arange(3))
