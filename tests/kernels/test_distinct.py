"""Grouping of equal elements, against Python dictionaries."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from narrow_formats import FORMATS

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


@pytest.mark.combinations
@pytest.mark.parametrize("equal_nan", [False, True])
@pytest.mark.parametrize("size", [50, 1000, 40_000])
@pytest.mark.parametrize("name", ["bfloat16", "float16", "float8_e4m3fn", "float8_e5m2fnuz", "int8", "uint16"])
def test_groups_of_so_many_that_they_are_counted(name, size, equal_nan):
    node, draw = NODES[name], np.random.default_rng(size)
    if node.kind == "f":
        codes = draw.choice(FORMATS[name].codes, size)
        data, exact = codes.view(node.dtype), FORMATS[name].decode()[codes]
    else:
        data = draw.integers(node.low, node.high + 1, size).astype(node.dtype)
        exact = data.astype(np.float64)
    values, first, inverse, counts = np.unique(
        exact, return_index=True, return_inverse=True, return_counts=True, equal_nan=equal_nan
    )
    groups = distinct.groups(data, node, equal_nan=equal_nan)
    np.testing.assert_array_equal(exact[groups.first], values)
    np.testing.assert_array_equal(groups.counts, counts)
    np.testing.assert_array_equal(np.sort(groups.first[np.isfinite(values)]), np.sort(first[np.isfinite(values)]))
    np.testing.assert_array_equal(exact[groups.first][groups.inverse], exact)
    np.testing.assert_array_equal(np.bincount(groups.inverse), np.bincount(inverse))
    found = distinct.values(data, node, equal_nan=equal_nan)
    np.testing.assert_array_equal(found.astype(np.float32).astype(np.float64), values)


def test_the_first_of_equal_zeros_is_kept():
    for first in (0.0, -0.0):
        data = np.resize(np.array([first, -first, 1.0]), 30_000).astype(np.float16)
        found = distinct.values(data, NODES["float16"], equal_nan=True)
        assert np.signbit(found[0]) == np.signbit(first)
