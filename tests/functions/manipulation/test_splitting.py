"""Splitting and unstacking, against NumPy."""

import numpy as np
import pytest
from common import for_each
from hypothesis import given, strategies as st

import supremum as xp

X = np.arange(48).reshape(4, 6, 2)


def same(ours, theirs):
    assert type(ours) is list
    assert len(ours) == len(theirs)
    for x, y in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(np.asarray(x), y)


@given(st.integers(1, 9), st.integers(-3, 2))
def test_sections_of_nearly_equal_length(sections, axis):
    same(xp.array_split(xp.asarray(X), sections, axis), np.array_split(X, sections, axis))


@given(st.lists(st.integers(0, 2), max_size=3).map(sorted), st.integers(-3, 2))
def test_at_indices(places, axis):
    same(xp.split(xp.asarray(X), places, axis), np.split(X, places, axis))
    same(xp.array_split(xp.asarray(X), tuple(places), axis), np.array_split(X, places, axis))
    same(xp.split(xp.asarray(X), xp.asarray(places, dtype="int32"), axis), np.split(X, places, axis))


def test_by_axis():
    same(xp.split(xp.asarray(X), 3, axis=1), np.split(X, 3, axis=1))
    same(xp.vsplit(xp.asarray(X), 2), np.vsplit(X, 2))
    same(xp.hsplit(xp.asarray(X), 2), np.hsplit(X, 2))
    same(xp.hsplit(xp.arange(4), 2), np.hsplit(np.arange(4), 2))
    same(xp.dsplit(xp.asarray(X), 2), np.dsplit(X, 2))


def test_unstack():
    for axis in (0, 1, -1):
        found = xp.unstack(xp.asarray(X), axis=axis)
        assert type(found) is tuple
        same(list(found), list(np.moveaxis(X, axis, 0)))
    assert xp.unstack(xp.ones((0, 2))) == ()


@for_each(
    "call, error",
    [
        (lambda x: xp.split(x, 5), ValueError),
        (lambda x: xp.split(x, 0), ZeroDivisionError),
        (lambda x: xp.array_split(x, -1), ValueError),
        (lambda x: xp.split(x, [3, 1]), ValueError),
        (lambda x: xp.split(x, [9]), ValueError),
        (lambda x: xp.split(x, "a"), ValueError),
        (lambda x: xp.split(x, None), TypeError),
        (lambda x: xp.split(x, [1.5]), TypeError),
        (lambda x: xp.split(x, 2, axis=3), ValueError),
        (lambda x: xp.dsplit(x[0], 1), ValueError),
        (lambda x: xp.hsplit(x[0, 0, 0], 1), ValueError),
        (lambda x: xp.unstack(x[0, 0, 0]), ValueError),
    ],
)
def test_what_cannot_be_split(call, error):
    with pytest.raises(error):
        call(xp.asarray(X))
