"""Grouping of equal elements, against Python dictionaries."""

import numpy as np
from hypothesis import given, strategies as st

from supremum._kernels import distinct
from supremum.promotion._nodes import NODES

FLOAT32 = NODES["float32"]
ROWS = st.lists(st.tuples(st.integers(-1, 1), st.integers(-1, 1)), min_size=1, max_size=6)


@given(ROWS)
def test_rows_are_grouped(rows):
    data = np.array(rows, np.float32)
    groups = distinct.groups(data, FLOAT32, equal_nan=True)
    assert groups.first.tolist() == [rows.index(row) for row in sorted(set(rows))]
    assert groups.counts.tolist() == [rows.count(row) for row in sorted(set(rows))]
    assert groups.inverse.tolist() == [sorted(set(rows)).index(row) for row in rows]


def test_rows_with_nan_are_equal_where_that_is_asked():
    data = np.array([[np.nan, 1], [np.nan, 1]], np.float32)
    assert distinct.groups(data, FLOAT32, equal_nan=True).counts.tolist() == [2]
    assert distinct.groups(data, FLOAT32, equal_nan=False).counts.tolist() == [1, 1]


def test_rows_without_elements():
    assert distinct.groups(np.zeros((0, 2), np.float32), FLOAT32, equal_nan=True).counts.tolist() == []
    assert distinct.groups(np.zeros((3, 0), np.float32), FLOAT32, equal_nan=True).counts.tolist() == [3]
    assert distinct.values(np.zeros(0, np.float32), FLOAT32, equal_nan=True).size == 0
