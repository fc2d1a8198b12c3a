"""Deleting, inserting and trimming, against NumPy."""

import numpy as np
import pytest
from common import same_values
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import supremum as xp

X = np.arange(12).reshape(3, 4)


@given(st.one_of(st.integers(-4, 3), st.slices(4), hnp.arrays("int64", st.integers(0, 5), elements=st.integers(-4, 3))))
def test_deletions(positions):
    ours = xp.asarray(positions) if isinstance(positions, np.ndarray) else positions
    same_values(xp.delete(xp.asarray(X), ours, axis=1), np.delete(X, positions, axis=1))
    same_values(xp.delete(xp.asarray(X), ours), np.delete(X, positions))


def test_deletions_by_a_mask():
    assert xp.delete(xp.arange(3), xp.asarray([True, False, True])).tolist() == [1]
    with pytest.raises(ValueError, match="delete"):
        xp.delete(xp.arange(3), xp.asarray([True, False]))


def test_deletions_out_of_range():
    for bad in (5, xp.asarray([0, 5]), xp.asarray([-4])):
        with pytest.raises(IndexError, match="delete"):
            xp.delete(xp.arange(3), bad)
    assert xp.delete(xp.arange(3), xp.asarray([0, 5]), assume_unique_indices=True).tolist() == [1, 2]
    with pytest.raises(ValueError, match="delete"):
        xp.delete(xp.arange(3), 1.5)


@given(st.one_of(st.integers(-4, 4), hnp.arrays("int64", st.integers(1, 5), elements=st.integers(-4, 4))))
def test_insertions(positions):
    ours = xp.asarray(positions) if isinstance(positions, np.ndarray) else positions
    for axis, values in ((1, 9), (0, np.arange(4)) if isinstance(positions, int) and -3 <= positions <= 3 else (1, 9)):
        same_values(xp.insert(xp.asarray(X), ours, xp.asarray(values), axis=axis), np.insert(X, positions, values, axis=axis))


def test_insertions_in_corners():
    x = xp.asarray([1, 2, 3], dtype="int8")
    assert xp.insert(x, slice(0, 2), 9).tolist() == [9, 1, 9, 2, 3]
    assert xp.insert(x, xp.asarray([1, 1]), xp.asarray([7, 8])).tolist() == [1, 7, 8, 2, 3]
    assert xp.insert(x, 1, 300.7).dtype == "int8"
    assert xp.insert(x, 3, 5).tolist() == xp.insert(x, xp.asarray([3]), 5).tolist() == [1, 2, 3, 5]
    with xp.config.use(out_of_range="clip"):  # positions out of range are clipped, as in JAX
        assert xp.insert(x, 9, 5).tolist() == [1, 2, 3, 5]
        assert xp.insert(x, -9, 5).tolist() == [5, 1, 2, 3]
    for where, values in ((1.5, 1), (xp.asarray([[0]]), 1), (xp.asarray([0, 1]), xp.arange(3))):
        with pytest.raises(ValueError, match="insert"):
            xp.insert(x, where, values)


@given(hnp.arrays("int8", hnp.array_shapes(max_dims=1, max_side=6, min_side=0), elements=st.integers(0, 1)))
def test_trimming(data):
    for trim in ("fb", "f", "b", "B"):
        same_values(xp.trim_zeros(xp.asarray(data), trim), np.trim_zeros(data, trim))


def test_trimming_of_matrices():
    x = xp.asarray([[0, 0, 0], [0, 1, 0], [0, 0, 0]])
    assert xp.trim_zeros(x).tolist() == [[1]]
    assert xp.trim_zeros(x, axis=0).tolist() == [[0, 1, 0]]
    assert xp.trim_zeros(x, "f", axis=1).tolist() == [[0, 0], [1, 0], [0, 0]]
    assert xp.trim_zeros(x, "").tolist() == x.tolist()
    assert xp.trim_zeros(xp.zeros((2, 2))).shape == (0, 0)
