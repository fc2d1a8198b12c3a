"""Counting, against NumPy, with JAX's dtypes, lengths and accumulation in wide dtypes."""

import numpy as np
import pytest
from common import for_each
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import supremum as xp
from supremum import config

COUNTS = hnp.arrays("int16", st.integers(0, 8), elements=st.integers(0, 6))
POINTS = hnp.arrays("float64", st.integers(1, 20), elements=st.integers(-8, 8).map(lambda i: i / 4))


def same(ours, theirs):
    np.testing.assert_allclose(np.asarray(ours), theirs, rtol=1e-6)


@given(COUNTS, st.integers(0, 9))
def test_counts(data, least):
    same(xp.bincount(xp.asarray(data), minlength=least), np.bincount(data, minlength=least))
    weights = np.arange(len(data)) / 4
    same(xp.bincount(xp.asarray(data), xp.asarray(weights)), np.bincount(data, weights))


def test_lengths_and_negative_numbers():
    """As jnp.bincount of JAX 0.10.2: a length drops larger numbers, and negative numbers count as 0."""
    x = xp.asarray([0, 3, 1, 3])
    assert xp.bincount(x, length=2).tolist() == [1, 1]
    assert xp.bincount(x, length=5).tolist() == [1, 1, 0, 2, 0]
    with xp.config.use(out_of_range="clip"):
        assert xp.bincount(xp.asarray([-1, 1])).tolist() == [1, 1]
    assert xp.bincount(xp.asarray([True, False, True])).tolist() == [1, 2]
    assert xp.bincount(xp.zeros(0, dtype="int8")).shape == (0,)
    assert xp.bincount(xp.asarray([1, 2], dtype="uint64")).tolist() == [0, 1, 1]


def test_dtypes_of_counts():
    x = xp.asarray([0, 1, 1])
    assert xp.bincount(x).dtype == "int32"
    for dtype in ("int8", "bfloat16", "float16", "float64", "complex64", "uint4"):
        assert xp.bincount(x, xp.ones(3, dtype=dtype)).dtype == dtype
    assert xp.bincount(x, xp.asarray([1, 2j, 3])).tolist() == [1, 3 + 2j]
    with config.use(x64="on"):
        assert xp.bincount(x).dtype == "int64"


def test_weights_are_added_in_a_wide_dtype():
    zeros = xp.zeros(1000, dtype="int32")
    assert xp.bincount(zeros, xp.ones(1000, dtype="bfloat16")).tolist() == [1000]
    assert xp.bincount(zeros, xp.ones(1000, dtype="int8")).tolist() == [1000 % 256 - 256]
    assert xp.histogram(xp.zeros(1000, dtype="bfloat16"), bins=2)[0].tolist() == [0, 1000]


@given(POINTS, hnp.arrays("float64", st.integers(1, 5), elements=st.integers(-8, 8).map(float)), st.booleans())
def test_bins_of_elements(data, edges, right):
    for ordered in (np.sort(edges), np.sort(edges)[::-1]):
        ours = xp.digitize(xp.asarray(data), xp.asarray(ordered), right)
        if ordered[0] != ordered[-1]:
            same(ours, np.digitize(data, ordered, right))
        assert ours.dtype == "int32"
    assert xp.digitize(xp.asarray(data), xp.zeros(0)).tolist() == [0] * len(data)


@given(POINTS, st.integers(1, 4))
def test_histograms(data, bins):
    """These points and edges are exact in every dtype, so that each point is in the same bin."""
    x = xp.asarray(data)
    for options in ({}, {"range": (-2, 2)}, {"density": True, "range": (-4.0, 4.0)}):
        if options:
            bins = 4
        counts, edges = np.histogram(data, bins, **options)
        if (options.get("range") is None and bins == 3) or not counts.sum() or not np.isfinite(counts).all():
            continue
        ours, limits = xp.histogram(x, bins, **options)
        same(ours, counts)
        same(limits, edges)
        same(xp.histogram_bin_edges(x, bins, options.get("range")), edges)


def test_edges_and_weights():
    x = xp.asarray([1, 2, 2, 5])
    assert [part.tolist() for part in xp.histogram(x, xp.asarray([0.0, 2, 4]))] == [[1, 2], [0, 2, 4]]
    assert xp.histogram(x, xp.asarray([1.0, 2, 5]), weights=xp.asarray([1, 2, 3, 4]))[0].tolist() == [1, 9]
    assert xp.histogram(xp.asarray([3, 3]), 2)[1].tolist() == [2.5, 3, 3.5]
    assert xp.histogram(x, 2)[0].dtype == "float32"
    assert {part.dtype.name for part in xp.histogram(x.astype("int64"), 2)} == {"float64"}
    assert {part.dtype.name for part in xp.histogram(x.astype("float16"), 2)} == {"float16"}
    assert xp.histogram(xp.zeros(0), 2, range=(0, 1))[0].tolist() == [0, 0]


@given(hnp.arrays("float64", (6, 2), elements=st.integers(-4, 4).map(float)))
def test_grids(data):
    for bins in (4, [4, 2], [np.array([-4.0, 0, 4]), 2]):
        options = {"bins": bins, "range": [(-4, 4), (-4, 4)]}
        ours = {**options, "bins": [xp.asarray(b) if isinstance(b, np.ndarray) else b for b in bins] if bins != 4 else 4}
        counts, edges = np.histogramdd(data, **options)
        found, limits = xp.histogramdd(xp.asarray(data), **ours)
        same(found, counts)
        assert found.dtype == "int32"
        for x, y in zip(limits, edges, strict=True):
            same(x, y)
        found, first, second = xp.histogram2d(xp.asarray(data[:, 0]), xp.asarray(data[:, 1]), **ours)
        same(found, counts)
        same(first, edges[0])
        same(second, edges[1])
        same(xp.histogramdd(xp.asarray(data), **ours, density=True)[0], np.histogramdd(data, **options, density=True)[0])
    weights = np.arange(6.0)
    same(xp.histogramdd(xp.asarray(data), 4, weights=xp.asarray(weights))[0].sum(), weights.sum())


def test_one_vector_of_edges_serves_both_axes():
    x = xp.asarray([0.0, 1, 2])
    assert xp.histogram2d(x, x, xp.asarray([0.0, 1, 2]))[0].tolist() == [[1, 0], [0, 2]]


@for_each(
    "call, error",
    [
        (lambda x: xp.bincount(x / 2), TypeError),
        (lambda x: xp.bincount(x[None]), ValueError),
        (lambda x: xp.bincount(x, xp.ones(2)), ValueError),
        (lambda x: xp.bincount(x, x > 1), TypeError),
        (lambda x: xp.bincount([1, 2]), TypeError),
        (lambda x: xp.digitize(x, xp.ones((2, 2))), ValueError),
        (lambda x: xp.digitize(x, xp.ones(2), method="guess"), ValueError),
        (lambda x: xp.histogram(x, "auto"), TypeError),
        (lambda x: xp.histogram_bin_edges(x, "auto"), NotImplementedError),
        (lambda x: xp.histogram(x, 1.5), TypeError),
        (lambda x: xp.histogram(x, 2, weights=xp.ones(2)), ValueError),
        (lambda x: xp.histogram(x, 2, range=(1, 2, 3)), ValueError),
        (lambda x: xp.histogram(x[:0], 2), ValueError),
        (xp.histogramdd, ValueError),
        (lambda x: xp.histogramdd(x[None], bins=[1, 2]), ValueError),
        (lambda x: xp.histogramdd(x[None], range=[(0, 1)]), ValueError),
        (lambda x: xp.histogramdd(x[None], weights=xp.ones(2)), ValueError),
        (lambda x: xp.histogram2d(x, x[:1]), ValueError),
        (lambda x: xp.histogram2d(x, x, "auto"), TypeError),
    ],
)
def test_what_is_refused(call, error):
    with pytest.raises(error):
        call(xp.arange(3))
