"""Counts, bins and packed bits: at every level of the processor and without the extension, against NumPy's functions."""

import ml_dtypes
import numpy as np
import pytest
from common import for_each, levels
from generators import RNG

from supremum._base.buffers import native
from supremum._kernels import counting
from supremum.promotion._nodes import NODES

INTEGERS = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


@pytest.fixture(params=["python", *levels()], autouse=True)
def level(request, monkeypatch):
    if request.param == "python":
        monkeypatch.setattr(counting, "native", None)
        yield
        return
    before = native.set_level(request.param)
    yield
    native.set_level(before)


# -- by value


@pytest.mark.combinations
@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("size", [0, 1, 5, 3000])
@pytest.mark.parametrize("least, length", [(0, None), (7, None), (300, None), (0, 0), (0, 3), (0, 200)])
def test_counts_of_integers(dtype, size, least, length):
    x = RNG.integers(0, 120, size).astype(dtype)
    if dtype.startswith("int") and size:
        x[:: max(1, size // 3)] = -3
    found = counting.bincount(x, least, length, NODES["int32"])
    values = np.maximum(x.astype(np.int64), 0)
    wanted = np.bincount(values if length is None else values[values < length], minlength=least if length is None else length)
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(counting.bincount(x[::-1], least, length, NODES["int64"]), wanted)
    assert counting.bincount(x, least, length, NODES["int64"]).dtype == np.int64


def test_tables_of_counts_grow():
    x = np.array([0, 5000, 3, 1_000_000, 5000, 70_000])
    found = counting.bincount(x, 0, None, NODES["int32"])
    assert len(found) == 1_000_001
    assert {int(place): int(found[place]) for place in np.flatnonzero(found)} == {0: 1, 3: 1, 5000: 2, 70_000: 1, 1_000_000: 1}


def test_numbers_beyond_int64_count_as_negative_ones():
    assert counting.bincount(np.array([2**63, 1], np.uint64), 0, None, NODES["int32"]).tolist() == [1, 1]


def test_narrow_integers_are_counted():
    assert counting.bincount(np.array([1, 3, 1], ml_dtypes.int4), 0, None, NODES["int32"]).tolist() == [0, 2, 0, 1]


@for_each("dtype", ["float16", "float32", "float64"])
def test_sums_of_weights(dtype):
    indices, weights = RNG.integers(0, 50, 4000), RNG.normal(size=4000).astype(dtype)
    wanted = np.bincount(indices, weights.astype(np.float64), 60)
    np.testing.assert_array_equal(counting.weight_sums(indices, weights, 60), wanted)
    few = indices < 20
    wanted = np.bincount(indices[few], weights[few].astype(np.float64), 20)
    np.testing.assert_array_equal(counting.weight_sums(indices, weights, 20), wanted)


# -- in bins


def bins_by_definition(x, edges):
    """Return the bin of each number, or -1, one by one."""
    last = len(edges) - 2
    found = []
    for number in x:
        inside = [i for i in range(last + 1) if edges[i] <= number < edges[i + 1]]
        if number == edges[-1]:
            inside = [last]
        found.append(inside[-1] if inside else -1)
    return np.array(found, np.int64)


EDGES = {
    "uniform": np.linspace(-2.0, 3.0, 14),
    "one bin": np.array([-1.0, 1.0]),
    "far from zero": np.linspace(1000.0, 1000.001, 9),
    "tiny": np.linspace(0.0, 1e-38, 6),
    "huge": np.linspace(-3e38, 3e38, 8),
    "uneven": np.array([-2.0, -1.9, 0.0, 0.0, 1e-3, 7.0]),
    "equal": np.array([1.0, 1.0, 1.0]),
}


@pytest.mark.combinations
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", EDGES)
@pytest.mark.parametrize("uniform", [True, False])
def test_bins(dtype, name, uniform):
    """Whether bins are guessed or looked for, the edges themselves decide."""
    node, edges = NODES[dtype], EDGES[name].astype(dtype)
    around = [np.nextafter(edges, edges.dtype.type(end)) for end in (-np.inf, np.inf)]
    between = RNG.uniform(edges[0] * 1.1, edges[-1] * 1.1, 1500).astype(dtype)
    x = np.concatenate([edges, *around, between, np.array([np.nan, np.inf, -np.inf, 0.0, -0.0], dtype)])
    wanted = bins_by_definition(x, edges)
    counted = np.bincount(wanted[wanted >= 0], minlength=len(edges) - 1)
    found = counting.next_edges(x, edges, node, uniform=uniform)
    np.testing.assert_array_equal(counting.bincount(found, 0, len(edges), NODES["int64"])[1:], counted)
    np.testing.assert_array_equal(found[wanted >= 0], wanted[wanted >= 0] + 1)
    assert set(found[wanted < 0].tolist()) <= {0, len(edges)}
    weights = RNG.normal(size=len(x)).astype(dtype)
    sums = np.bincount(wanted[wanted >= 0], weights[wanted >= 0].astype(np.float64), len(edges) - 1)
    np.testing.assert_array_equal(counting.weight_sums(found, weights, len(edges))[1:], sums)


@for_each("edges", [[3.0, 2.0, 1.0], [np.nan, np.nan], [0.0, np.inf], [0.0, 2.0, 1.0, 3.0]])
def test_edges_that_do_not_ascend_are_numpys(edges):
    edges, x = np.array(edges, np.float32), RNG.uniform(-1, 4, 100).astype(np.float32)
    wanted = np.where(x == edges[-1], len(edges) - 1, np.searchsorted(edges, x, "right"))
    np.testing.assert_array_equal(counting.next_edges(x, edges, NODES["float32"], uniform=True), wanted)


# -- bits


@pytest.mark.combinations
@pytest.mark.parametrize("order", ["big", "little"])
@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 64, 2047, 2048, 2049, 5000])
def test_packed_bits(dtype, order, size):
    x = (RNG.integers(0, 120, size) * (RNG.random(size) < 0.5)).astype(dtype)
    np.testing.assert_array_equal(counting.packed(x, None, order), np.packbits(x != 0, None, order))
    np.testing.assert_array_equal(counting.packed(x[::-2], None, order), np.packbits(x[::-2] != 0, None, order))


@for_each("order", ["big", "little"])
@for_each("shape", [(3, 16), (16, 3), (2, 3, 8), (0, 8), (8, 0), (3, 0, 8)])
def test_packed_bits_along_axes(order, shape):
    x = RNG.random(shape) < 0.5
    for axis in (None, *range(len(shape))):
        packed = counting.packed(x, axis, order)
        np.testing.assert_array_equal(packed, np.packbits(x, axis, order))
        bytes_ = RNG.integers(0, 256, shape).astype(np.uint8)
        np.testing.assert_array_equal(counting.unpacked(bytes_, axis, None, order), np.unpackbits(bytes_, axis, None, order))
        found = counting.unpacked(bytes_.T, axis, 5, order)
        wanted = np.unpackbits(bytes_.T, axis, 5, order)  # of no bytes, NumPy returns what it finds in memory
        np.testing.assert_array_equal(found, wanted if x.size else np.zeros(wanted.shape))


@for_each("order", ["big", "little"])
def test_every_byte_is_unpacked(order):
    x = np.arange(256, dtype=np.uint8)
    for count in (None, 0, 1, 13, 2047, 2048, 2050, -1, -13, -2048):
        np.testing.assert_array_equal(counting.unpacked(x, None, count, order), np.unpackbits(x, None, count, order))
    np.testing.assert_array_equal(counting.packed(np.unpackbits(x, None, None, order), None, order), x)


def test_truth_values_that_are_not_one():
    odd = np.array([0, 2, 255, 0, 1, 128, 0, 0] * 600, np.uint8)
    np.testing.assert_array_equal(counting.packed(odd, None, "big"), np.packbits(odd != 0))
    np.testing.assert_array_equal(counting.packed(odd.view(bool), None, "little"), np.packbits(odd != 0, None, "little"))
