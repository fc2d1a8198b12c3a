"""Orders of axes and of elements, against NumPy."""

import numpy as np
import pytest
from common import for_each, same_values
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import supremum as xp

X = np.arange(24).reshape(2, 3, 4)


@given(st.permutations(range(3)), st.lists(st.booleans(), min_size=3, max_size=3))
def test_permutations(order, negative):
    axes = tuple(i - 3 if minus else i for i, minus in zip(order, negative, strict=True))
    same_values(xp.permute_dims(xp.asarray(X), axes), X.transpose(axes))
    same_values(xp.transpose(xp.asarray(X), axes), X.transpose(axes))


@pytest.mark.parametrize("axes", [(0, 1), (0, 0, 1), (0, 1, 3), (0.0, 1, 2), 0, "abc"])
def test_what_is_no_permutation(axes):
    """TypeError as JAX's transpose raises, ValueError as NumPy's."""
    with pytest.raises((ValueError, TypeError), match="permute_dims"):
        xp.permute_dims(xp.asarray(X), axes)


def test_the_last_two_axes():
    same_values(xp.matrix_transpose(xp.asarray(X)), X.mT)
    same_values(xp.transpose(xp.asarray(X)), X.T)
    with pytest.raises(ValueError, match="at least 2 dimensions"):
        xp.matrix_transpose(xp.ones(3))


@given(st.integers(-3, 2), st.integers(-3, 2))
def test_pairs_of_axes(i, j):
    x = xp.asarray(X)
    same_values(xp.swapaxes(x, i, j), np.swapaxes(X, i, j))
    same_values(xp.moveaxis(x, i, j), np.moveaxis(X, i, j))
    same_values(xp.rollaxis(x, i, j), np.rollaxis(X, i, j))
    same_values(xp.rollaxis(x, i, 3), np.rollaxis(X, i, 3))
    if i % 3 != j % 3:
        same_values(xp.moveaxis(x, (i, j), (j, i)), np.moveaxis(X, (i, j), (j, i)))
        for k in range(-2, 6):
            same_values(xp.rot90(x, k, (i, j)), np.rot90(X, k, (i, j)))


@for_each(
    "call",
    [
        lambda x: xp.swapaxes(x, 0, 3),
        lambda x: xp.moveaxis(x, (0, 1), (1,)),
        lambda x: xp.moveaxis(x, (0, 0), (1, 2)),
        lambda x: xp.rollaxis(x, 0, 4),
        lambda x: xp.rot90(x, axes=(0, 0)),
        lambda x: xp.rot90(x, axes=(0, 1, 2)),
        lambda x: xp.rot90(x[0, 0]),
        lambda x: xp.flip(x, 3),
        lambda x: xp.flip(x, (0, 0)),
        lambda x: xp.roll(x, (1, 2, 3), (0, 1)),
        lambda x: xp.fliplr(x[0, 0]),
        lambda x: xp.flipud(x[0, 0, 0]),
    ],
)
def test_axes_that_are_not_there(call):
    with pytest.raises(ValueError):
        call(xp.asarray(X))


@given(st.sampled_from([None, 0, 1, -1, (0, 2), (1, -1), (), (0, 1, 2)]))
def test_flips(axis):
    same_values(xp.flip(xp.asarray(X), axis), np.flip(X, axis))
    same_values(xp.fliplr(xp.asarray(X)), np.fliplr(X))
    same_values(xp.flipud(xp.asarray(X)), np.flipud(X))


@given(
    hnp.arrays("int16", hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4)),
    st.integers(-9, 9),
    st.integers(-9, 9),
)
def test_rolls(data, first, second):
    x = xp.asarray(data)
    same_values(xp.roll(x, first), np.roll(data, first))
    same_values(xp.roll(x, first, -1), np.roll(data, first, -1))
    same_values(xp.roll(x, (first, second), (0, -1)), np.roll(data, (first, second), (0, -1)))
    same_values(xp.roll(x, (first, second), 0), np.roll(data, (first, second), 0))
    same_values(xp.roll(x, first, (0, -1)), np.roll(data, first, (0, -1)))
    same_values(xp.roll(x, first, ()), data)


@pytest.mark.parametrize("dtype", ["bool", "int4", "bfloat16", "float8_e4m3fn", "complex64"])
def test_every_dtype_stays(dtype):
    x = xp.ones((2, 3), dtype=dtype)
    for y in (xp.flip(x), xp.roll(x, 1), xp.rot90(x), xp.permute_dims(x, (1, 0)), xp.moveaxis(x, 0, 1), xp.swapaxes(x, 0, 1)):
        assert y.dtype == dtype


def test_flips_of_zero_dimensions_are_copies():
    x = xp.asarray(1.5)
    for flipped in (xp.flip(x), xp.flip(x, ())):
        assert float(flipped) == 1.5
        assert not np.shares_memory(np.asarray(flipped), np.asarray(x))
