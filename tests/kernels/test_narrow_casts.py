"""Casts to narrow floats round once, to nearest even, from any dtype; casts from them are exact."""

import numpy as np
import pytest
from common import for_each
from narrow_formats import FORMATS, describe, same

from supremum._kernels.casts import cast
from supremum._kernels.narrow_casts import narrow, widen
from supremum.promotion._nodes import NODES

#: Number of elements from which every table is filled.
LARGE = 1 << 17
E8M0 = "float8_e8m0fnu"


def turning_points(name):
    """Return every number of a format, the midpoints between neighbours, and the threshold of overflow."""
    form = FORMATS[name]
    values = np.unique(form.decode()[np.isfinite(form.decode())])
    step = values[-1] - values[-2]
    values = np.concatenate([[values[0] - step], values, [values[-1] + step]])
    return np.concatenate([values, (values[1:] + values[:-1]) / 2, [0.0, -0.0, np.inf, -np.inf, np.nan]])


def around(points, dtype):
    """Return numbers and their neighbours in a float dtype."""
    with np.errstate(all="ignore"):
        points = points.astype(dtype)
        return np.concatenate([points, np.nextafter(points, dtype(np.inf)), np.nextafter(points, dtype(-np.inf))])


def check(name, data, exact, remainder=0.0):
    """Compare casts of few and of many elements with exact rounding."""
    form = FORMATS[name]
    expected = form.nearest(exact, remainder)
    for repeats in (1, -(-LARGE // data.size)):
        many = np.tile(data, repeats)
        narrow(many, form.dtype)
        got = narrow(many, form.dtype)[-data.size :]
        right = same(got, expected) | (np.isnan(expected) & (form.special == "finite"))
        assert right.all(), describe(~right, exact, got.astype(np.float32), expected)


@for_each("name", FORMATS)
def test_every_float_widens_to_its_number(name):
    form = FORMATS[name]
    expected = form.decode()
    for repeats in (1, -(-LARGE // form.codes.size)):
        many = np.tile(form.every, repeats)
        widen(many)
        assert same(widen(many)[-expected.size :], expected).all()


@for_each("name", FORMATS)
def test_float32_rounds_to_nearest_even(name):
    data = around(turning_points(name), np.float32)
    draw = np.random.default_rng(len(name))
    data = np.concatenate([data, draw.integers(0, 1 << 32, 100_000, dtype=np.uint32).view(np.float32)])
    check(name, data, data.astype(np.float64))


@for_each("name", FORMATS)
def test_float64_rounds_once(name):
    data = around(turning_points(name), np.float64)
    draw = np.random.default_rng(len(name))
    data = np.concatenate([data, draw.normal(size=10_000) * 10.0 ** draw.integers(-50, 50, 10_000)])
    check(name, data, data)


@pytest.mark.combinations
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("source", ["int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_integers_round_once(name, source):
    info = np.iinfo(source)
    points = turning_points(name)
    points = [int(point) for point in points[np.isfinite(points)]]
    numbers = {point + offset for point in points for offset in (-1, 0, 1)} | {info.min, info.max, info.max - 1}
    numbers = sorted(number for number in numbers if info.min <= number <= info.max)
    data = np.array(numbers, source)
    exact = np.array([float(number) for number in numbers])
    remainder = np.array([float(number - int(float(number))) for number in numbers])
    check(name, data, exact, remainder)


@pytest.mark.parametrize("name", ["bfloat16", "float16", "float8_e4m3fn", "float6_e2m3fn"])
def test_elements_may_lie_in_memory_in_any_way(name):
    form = FORMATS[name]
    x = (np.arange(90_000) % 7).reshape(300, 300).astype(np.float32)
    for view in (np.transpose, lambda z: z[::2, ::-3], np.asfortranarray, lambda z: z[1:, 5], lambda z: z[:, 1:]):
        for _ in range(3):
            np.testing.assert_array_equal(widen(view(x.astype(form.dtype))), view(x))
            np.testing.assert_array_equal(narrow(view(x), form.dtype).astype(np.float32), view(x))
    odd = np.ones(LARGE + 1, form.dtype)[1:]
    assert widen(odd[1:]).sum() == LARGE - 1


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn"])
def test_a_dtype_need_not_be_the_very_object_that_ml_dtypes_has(name):
    other = np.dtype(FORMATS[name].dtype).newbyteorder("little").newbyteorder("native")
    for _ in range(3):
        assert widen(np.ones(LARGE, other)).sum() == LARGE


def test_powers_of_two_are_rounded_up_from_halfway_as_in_jax():
    # Measured with JAX 0.10.2. There is no zero, no sign and no infinity.
    node = NODES[E8M0]
    given = [1.5, 3.0, 0.75, 1.4999, 1.5001, 2.0**-127, 2.0**-140, 2.0**127, 1.49 * 2.0**127]
    given += [1.5 * 2.0**127, 0.0, -1.0, np.inf, -np.inf, np.nan]
    expected = [2.0, 4.0, 1.0, 1.0, 2.0, 2.0**-127, 2.0**-127, 2.0**127, 2.0**127] + [np.nan] * 6
    for source in ("float32", "float64"):
        for repeats in (1, LARGE // len(given)):
            data = np.tile(np.array(given, source), repeats)
            got = [cast(data, node) for _ in range(2)][-1]
            np.testing.assert_array_equal(cast(got, NODES["float64"]), np.tile(expected, repeats))
    every = np.resize(np.arange(256, dtype=np.uint8), LARGE).view(node.dtype)
    np.testing.assert_array_equal(widen(every)[:255], 2.0 ** np.arange(-127, 128))
    assert np.isnan(widen(every)[255])


@pytest.mark.combinations
@pytest.mark.parametrize("target", NODES)
@pytest.mark.parametrize("source", NODES)
def test_every_dtype_casts_to_every_other(source, target):
    node = NODES[target]
    narrowest = 1 if "bool" in (source, target) else min(NODES[source].bits, node.bits)
    numbers = [1.0] if narrowest < 3 else [1.0, 2.0, 4.0]
    data = np.resize(cast(np.array(numbers), NODES[source]), 12)
    for x in (data, data[:0], data[1:2].reshape(()), data.reshape(3, 4).T, np.resize(data, 3000)[::2], np.resize(data, 4000)):
        got = cast(x, node)
        assert got.dtype == node.dtype
        assert got.shape == x.shape
        assert type(got) is np.ndarray
        if "int1" not in (source, target):  # dtypes whose only numbers are 0 and -1
            assert (cast(got, NODES["float64"]) == cast(x, NODES["float64"])).all()


@pytest.mark.skipif("int1" not in NODES, reason="this ml_dtypes has no int1")
def test_a_single_bit_with_a_sign():
    node = NODES["int1"]
    # floats saturate, integers wrap
    assert cast(np.array([-2.0, -1.0, 0.0, 1.0, np.nan]), node).astype(int).tolist() == [-1, -1, 0, 0, 0]
    assert cast(np.array([-2, -1, 0, 1]), node).astype(int).tolist() == [0, -1, 0, -1]
    ones = cast(np.array([-1, 0]), node)
    for target, expected in {"float32": -1, "bfloat16": -1, "complex64": -1, "int64": -1, "uint2": 3, "uint8": 255}.items():
        assert cast(cast(ones, NODES[target]), NODES["float64"]).tolist() == [expected, 0]


@pytest.mark.skipif("bcomplex32" not in NODES, reason="this ml_dtypes has no bcomplex32")
def test_complex_numbers_round_once_in_both_parts():
    tie = 1 + 2.0**-8
    data = np.array([complex(tie + 2.0**-40, tie), complex(tie, -tie - 2.0**-40)])
    got = cast(cast(data, NODES["bcomplex32"]), NODES["complex128"])
    up = 1 + 2.0**-7
    assert got.tolist() == [complex(up, 1), complex(1, -up)]
