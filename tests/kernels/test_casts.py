import ml_dtypes
import numpy as np
import pytest
from common import for_each, levels, limits

import supremum as xp
from supremum._base.native import native
from supremum._kernels import casts
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES

INTEGERS = [name for name, node in NODES.items() if node.kind in "iu"]
FLOATS = [name for name, node in NODES.items() if node.kind == "f"]


HIGHEST = -1 if native is None else native.set_level(0)
if native is not None:
    native.set_level(HIGHEST)


@for_each("target", INTEGERS)
@for_each("source", ["float16", "bfloat16", "float32", "float64"])
def test_floats_truncate_saturate_and_nan_is_zero(source, target):
    values = [0.0, -0.0, 0.9, -0.9, 1.5, -1.5, 7, 200, -200, 3e4, -3e4, 1e20, -1e20, np.inf, -np.inf, np.nan, 2.0**31, 2.0**63]
    with np.errstate(all="ignore"):
        data = np.array(values).astype(NODES[source].dtype)
    low, high = limits(target)
    exact = [
        0 if x != x else high if x == np.inf else low if x == -np.inf else min(max(int(x), low), high)
        for x in map(float, data)
    ]
    result = cast(data, NODES[target])
    assert result.dtype == target
    assert [int(x) for x in result] == exact


@for_each("target", INTEGERS)
@for_each("source", ["int64", "uint64", "int8", "uint8"])
def test_integers_wrap(source, target):
    data = np.array([0, 1, 3, 100, 127], source)
    if source not in {"uint64", "uint8"}:
        data = np.concatenate([data, np.array([-1, -7, -128], source)])
    low, high = limits(target)
    result = cast(data, NODES[target])
    assert [int(x) for x in result] == [(int(x) - low) % (high - low + 1) + low for x in data]


@for_each("name", FLOATS)
def test_to_bool_is_being_other_than_zero(name):
    data = np.array([1, 2, 4]).astype(NODES[name].dtype)
    assert cast(data, NODES["bool"]).tolist() == [True] * 3


def test_complex_loses_its_imaginary_part():
    data = np.array([1.5 + 2j, -3 + 0j], np.complex64)
    assert cast(data, NODES["float32"]).tolist() == [1.5, -3]
    assert cast(data, NODES["int8"]).tolist() == [1, -3]
    assert cast(np.array([0 + 2j], np.complex64), NODES["bool"]).tolist() == [True]


def test_the_same_dtype_is_the_same_buffer_unless_a_copy_is_asked_for():
    data = np.ones(2, ml_dtypes.bfloat16)
    assert cast(data, NODES["bfloat16"]) is data
    assert cast(data, NODES["bfloat16"], copy=True) is not data


def test_empty_zero_dimensional_and_strided():
    assert cast(np.zeros((0, 2), np.float32), NODES["int8"]).shape == (0, 2)
    zero = cast(np.array(300.0), NODES["int8"])
    assert zero.shape == ()
    assert int(zero) == 127
    assert cast(np.arange(6.0)[::-2], NODES["int4"]).tolist() == [5, 3, 1]


@pytest.mark.combinations
@pytest.mark.parametrize("target", [name for name, node in NODES.items() if node.dtype is not None])
@pytest.mark.parametrize("source", [name for name, node in NODES.items() if node.dtype is not None])
@pytest.mark.filterwarnings("ignore:astype. casting complex:DeprecationWarning")
def test_copies_share_no_memory(source, target):
    x = xp.ones((2, 3), dtype=source)
    data = np.asarray(x)
    copies = [x.astype(target), xp.astype(x, target), xp.array(x, dtype=target), xp.array(data, dtype=target)]
    copies += [xp.asarray(x, dtype=target, copy=True), xp.asarray(data, dtype=target, copy=True), xp.copy(x)]
    assert not any(np.shares_memory(np.asarray(copy), data) for copy in copies)
    if source != target:
        assert not np.shares_memory(np.asarray(xp.asarray(x, dtype=target)), data)


@for_each("target", ["float16", "float32", "bfloat16", "int8", "complex64"])
@for_each("size", [5, 100_000])  # many elements are cast by lookup in a table
def test_foreign_byte_order(size, target):
    numbers = np.arange(size) % 64
    result = cast(numbers.astype(">f2"), NODES[target])
    assert result.dtype == NODES[target].dtype
    assert result.dtype.isnative
    assert np.array_equal(result.astype(np.complex64), numbers.astype(np.complex64))


def test_scalars_of_numpy_are_cast_as_arrays_without_dimensions():
    for name in ("bfloat16", "float16", "int4"):
        for number in (np.float32(2), np.int64(3), NODES["bfloat16"].dtype.type(1)):
            found = cast(number, NODES[name])
            assert found.shape == ()
            assert found.dtype == NODES[name].dtype
            assert float(found) == float(number)


def saturated(data, target):
    """Return what floats become, by the definition."""
    low, high = limits(target)
    with np.errstate(all="ignore"):
        over, under = data >= np.asarray(high + 1, data.dtype), data <= np.asarray(low, data.dtype)
        out = np.where(over | under | np.isnan(data), 0, data).astype(target)
    out[over], out[under] = high, low
    return out


def bit_patterns(dtype):
    """Return numbers of every magnitude: random ones, and those next to the limits of integers."""
    rng, powers = np.random.default_rng(3), 2.0 ** np.arange(-3, 70)
    limits_of_integers = np.concatenate([powers, powers - 1, powers - 0.5, powers + 0.5, powers + 1]).astype(dtype)
    around = [limits_of_integers, np.nextafter(limits_of_integers, dtype(0)), np.nextafter(limits_of_integers, dtype(np.inf))]
    found = np.concatenate([*around, np.array([0.0, np.nan, np.inf], dtype)])
    bits = rng.integers(0, 1 << (8 * found.itemsize - 1), 20_000, np.uint64).astype(f"u{found.itemsize}").view(dtype)
    return np.concatenate([found, -found, bits, -bits])


@pytest.mark.combinations
@pytest.mark.parametrize("level", ["python", *levels()])
@pytest.mark.parametrize("target", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_saturate_at_every_level(dtype, target, level, monkeypatch):
    if level == "python":
        monkeypatch.setattr(casts, "native", None)
        monkeypatch.setattr(casts, "_functions", {})  # which would keep the native ones
    else:
        native.set_level(level)
    try:
        data = bit_patterns(dtype)
        wanted = saturated(data, target)
        for x, y in ((data, wanted), (data[::-3], wanted[::-3]), (data[:1], wanted[:1]), (data[:0], wanted[:0])):
            np.testing.assert_array_equal(cast(x, NODES[target]), y)
        square, of_square = data[:1600].reshape(40, 40), wanted[:1600].reshape(40, 40)
        for part in (lambda x: x, lambda x: x.T, lambda x: x[:, ::2], lambda x: np.asarray(x[3, 4])):
            x, y = part(square), part(of_square)
            found = cast(x, NODES[target])
            assert found.shape == y.shape
            np.testing.assert_array_equal(found, y)
        # The fast path of the method.
        with xp.config.use(x64="on"):
            np.testing.assert_array_equal(xp.asarray(data).astype(getattr(xp, target))._data, wanted)
            np.testing.assert_array_equal(xp.asarray(square.T).astype(getattr(xp, target))._data, of_square.T)
    finally:
        if native is not None:
            native.set_level(HIGHEST)


@pytest.mark.parametrize("name", ["float32", "float64", "bfloat16"])
def test_casts_keep_the_order_of_the_axes(name):
    """Sums depend on it: the engine's casts and NumPy's have results of one layout."""
    node, data = NODES[name], np.arange(60, dtype=np.int32).reshape(3, 4, 5)
    for view in (data, data.T, data[::2], data[..., ::-1], data[:, ::2].T, np.broadcast_to(data[:1], (6, 4, 5))):
        for turned in (view, view.swapaxes(0, 1), np.broadcast_to(view[..., None], (*view.shape, 2))):
            found, wanted = cast(turned, node), turned.astype(node.dtype)
            assert found.strides == wanted.strides
            np.testing.assert_array_equal(found, wanted)
