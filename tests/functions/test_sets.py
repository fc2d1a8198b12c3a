"""Sets: the standard's distinct elements, JAX's sizes and fill values, against sets of Python."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import supremum as xp
from supremum import config

SMALL = hnp.arrays("int8", hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=4), elements=st.integers(-3, 3))
LINE = hnp.arrays("int8", st.integers(0, 6), elements=st.integers(-3, 3))


@given(SMALL)
def test_distinct_elements(data):
    x = xp.asarray(data)
    counts = Counter(data.ravel().tolist())
    everything = xp.unique_all(x)
    assert everything._fields == ("values", "indices", "inverse_indices", "counts")
    assert everything.values.tolist() == sorted(counts)
    assert everything.counts.tolist() == [counts[value] for value in sorted(counts)]
    assert everything.indices.tolist() == [data.ravel().tolist().index(value) for value in sorted(counts)]
    assert everything.inverse_indices.shape == data.shape
    np.testing.assert_array_equal(np.asarray(everything.values)[np.asarray(everything.inverse_indices)], data)
    assert xp.unique_counts(x).counts.tolist() == everything.counts.tolist()
    assert xp.unique_inverse(x).inverse_indices.tolist() == everything.inverse_indices.tolist()
    assert xp.unique_values(x).tolist() == sorted(counts)
    assert {part.dtype.name for part in everything[1:]} == {"int32"}


@given(SMALL.filter(lambda x: x.ndim == 2), st.sampled_from([0, 1, -1]))
def test_distinct_parts_along_an_axis(data, axis):
    if not data.size:
        return
    ours = xp.unique(xp.asarray(data), return_index=True, return_inverse=True, return_counts=True, axis=axis)
    theirs = np.unique(data, return_index=True, return_inverse=True, return_counts=True, axis=axis)
    for x, y in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(np.asarray(x), y.reshape(x.shape))


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "float16", "float8_e5m2", "complex64"])
def test_nan_is_distinct_where_the_standard_says_so_and_one_element_elsewhere(dtype):
    x = xp.asarray([1, float("nan"), 1, float("nan")], dtype=dtype)
    assert xp.unique_counts(x).counts.tolist() == [2, 1, 1]
    assert xp.unique_values(x).shape == (3,)
    assert xp.unique(x).shape == (2,)
    assert xp.unique(x, equal_nan=False).shape == (3,)
    assert xp.unique(x, return_counts=True)[1].tolist() == [2, 2]
    assert xp.unique(x).dtype == dtype


def test_zeros_of_both_signs_are_one_element():
    assert xp.unique_values(xp.asarray([0.0, -0.0, 0.0])).shape == (1,)
    assert xp.unique_counts(xp.asarray([0.0, -0.0, 0.0], dtype="bfloat16")).counts.tolist() == [3]


def test_sizes_that_are_given():
    """The result is cut, or filled with the least element or a value, as in jnp.unique of JAX 0.10.2."""
    x = xp.asarray([3, 1, 3, 2])
    assert xp.unique(x, size=2).tolist() == [1, 2]
    assert xp.unique(x, size=5).tolist() == [1, 2, 3, 1, 1]
    assert xp.unique(x, size=5, fill_value=9).tolist() == [1, 2, 3, 9, 9]
    found = xp.unique_all(x, size=4, fill_value=7)
    assert [part.tolist() for part in found] == [[1, 2, 3, 7], [1, 3, 0, 1], [2, 0, 2, 1], [1, 1, 2, 0]]
    assert xp.unique(xp.asarray([[1, 2], [1, 2]]), axis=0, size=2, fill_value=0).tolist() == [[1, 2], [0, 0]]
    assert xp.unique(xp.zeros(0), size=2, fill_value=4).tolist() == [4, 4]
    with pytest.raises(ValueError, match="unique"):
        xp.unique(xp.zeros(0), size=2)
    with pytest.raises(TypeError, match="size"):
        xp.unique(x, size=1.5)


def test_parts_of_complex_nan_are_as_jaxs():
    x = xp.unique_values(xp.asarray([complex(float("nan"), 1)]))
    assert np.asarray(x).imag.tolist() == [0.0]


def test_weak_types():
    """The result is strong if JAX fills in a value."""
    weak = xp.full((3,), 2)
    assert xp.unique(weak).weak_type
    assert xp.unique_all(weak).values.weak_type
    assert xp.unique(weak, size=2).weak_type
    assert not xp.unique(weak, size=2, fill_value=1).weak_type
    assert not xp.unique(xp.full((3,), 2j)).weak_type


def test_indices_are_default_integers():
    with config.use(x64="on"):
        assert {part.dtype.name for part in xp.unique_all(xp.arange(2, dtype="int8"))[1:]} == {"int64"}


# -- two sets ----------------------------------------------------------------------------------------------------------------


@given(LINE, LINE)
def test_operations_of_sets(first, second):
    a, b = set(first.tolist()), set(second.tolist())
    x, y = xp.asarray(first), xp.asarray(second)
    assert xp.union1d(x, y).tolist() == sorted(a | b)
    assert xp.intersect1d(x, y).tolist() == sorted(a & b)
    assert xp.setdiff1d(x, y).tolist() == sorted(a - b)
    assert xp.setxor1d(x, y).tolist() == sorted(a ^ b)
    assert xp.isin(x, y).tolist() == [value in b for value in first.tolist()]
    assert xp.isin(x, y, invert=True).tolist() == [value not in b for value in first.tolist()]
    _, left, right = xp.intersect1d(x, y, return_indices=True)
    assert [first.tolist().index(value) for value in sorted(a & b)] == left.tolist()
    assert [second.tolist().index(value) for value in sorted(a & b)] == right.tolist()


@given(st.sets(st.integers(-5, 5)), st.sets(st.integers(-5, 5)))
def test_sets_that_are_known_to_be_sets(a, b):
    x, y = (xp.asarray(sorted(each, key=abs), dtype="int8") for each in (a, b))
    assert xp.intersect1d(x, y, assume_unique=True).tolist() == sorted(a & b)
    assert xp.setdiff1d(x, y, assume_unique=True).tolist() == [value for value in sorted(a, key=abs) if value not in b]
    assert xp.setxor1d(x, y, assume_unique=True).tolist() == sorted(a ^ b)
    _, left, right = xp.intersect1d(x, y, assume_unique=True, return_indices=True)
    assert [x.tolist()[i] for i in left.tolist()] == [y.tolist()[i] for i in right.tolist()] == sorted(a & b)


def test_sizes_of_sets():
    """JAX fills with the least element, setdiff1d with 0; a fill value may change the dtype of some results."""
    x, y = xp.asarray([1, 2, 3]), xp.asarray([2, 3, 4])
    assert xp.union1d(x, y, size=6).tolist() == [1, 2, 3, 4, 1, 1]
    assert xp.intersect1d(x, y, size=3).tolist() == [2, 3, 2]
    assert xp.setdiff1d(x, y, size=3).tolist() == [1, 0, 0]
    assert xp.setxor1d(x, y, size=1).tolist() == [1]
    assert xp.intersect1d(x, y, size=3, fill_value=1.5).tolist() == [2, 3, 1.5]
    assert xp.union1d(x, y, size=5, fill_value=1.5).tolist() == [1, 2, 3, 4, 1]
    found = xp.intersect1d(x, y, size=3, return_indices=True)
    assert [part.tolist() for part in found] == [[2, 3, 2], [1, 2, 3], [0, 1, 3]]
    assert xp.setdiff1d(xp.full((2,), 2), 9, size=2).weak_type


def test_nan_is_in_no_set():
    x = xp.asarray([1.0, float("nan")], dtype="bfloat16")
    assert xp.isin(x, x).tolist() == [True, False]
    assert xp.intersect1d(x, x).tolist() == [1.0]
    assert xp.setdiff1d(x, x).shape == (1,)


def test_membership_of_mixed_dtypes():
    assert xp.isin(xp.asarray([1, 2], dtype="int8"), 2.0).tolist() == [False, True]
    assert xp.isin(3, xp.asarray([1, 3])).tolist() is True
    assert xp.isin(xp.asarray([1j, 2]), xp.asarray([2.0])).tolist() == [False, True]
    assert xp.isin(xp.asarray([[1], [2]], dtype="float8_e4m3fn"), xp.asarray([2], dtype="float8_e4m3fn")).tolist() == [
        [False],
        [True],
    ]
    for method in ("auto", "compare_all", "binary_search", "sort"):
        assert xp.isin(xp.asarray([1, 2]), xp.asarray([2]), method=method).tolist() == [False, True]


@pytest.mark.parametrize(
    "call",
    [
        lambda: xp.unique([1, 2]),
        lambda: xp.unique(xp.ones(2), axis=1),
        lambda: xp.unique_values("a"),
        lambda: xp.isin(xp.ones(2), [1]),
        lambda: xp.isin(xp.ones(2), 1, method="guess"),
        lambda: xp.union1d(xp.ones(2), None),
        lambda: xp.isin(xp.ones(2, dtype="float8_e5m2"), xp.ones(2, dtype="float8_e4m3fn")),
    ],
)
def test_what_is_refused(call):
    with pytest.raises((TypeError, ValueError)):
        call()


@pytest.mark.parametrize("function", [xp.intersect1d, xp.setdiff1d, xp.setxor1d, xp.union1d])
def test_sets_of_weak_complex_numbers_are_strong(function):
    z, x = xp.broadcast_to(xp.asarray(1j), (2,)), xp.broadcast_to(xp.asarray(1.5), (2,))
    assert z.weak_type
    assert not function(z, z).weak_type
    assert not function(z, x).weak_type
    assert function(x, x).weak_type
    assert function(x, z).weak_type is (function is xp.setdiff1d)


@pytest.mark.parametrize("name", ["unique_all", "unique_counts", "unique_inverse", "unique_values", "unique"])
def test_numbers_of_64_bits_keep_their_digits_in_any_byte_order(name):
    values = [2**40, 5, 2**40, -(2**50)]
    plain = np.array(values)
    unaligned = np.frombuffer(b"x" + plain.tobytes(), np.uint8)[1:].view(np.int64)
    for data in (plain, plain.astype(plain.dtype.newbyteorder()), unaligned, plain[::-1][::-1]):
        found = getattr(xp, name)(xp.asarray(data))
        distinct = found if isinstance(found, xp.Array) else found.values
        assert distinct.dtype == "int64"
        assert distinct.tolist() == [-(2**50), 5, 2**40]
