"""The loops of maximum, minimum and clip, at every instruction level of the processor, and their replacement in Python."""

import contextlib
import functools
import importlib
import itertools
import math
import struct
import warnings

import numpy as np
import pytest
from common import for_each, levels

from supremum._kernels.extremes import Extreme

try:
    native = importlib.import_module("supremum._native")
except ImportError:
    native = None


PYTHON = "python"
FORMATS = {"f2": "<He", "f4": "<If", "f8": "<Qd"}
#: Zero, numbers at the limits of the range, infinity, quiet NaN with two payloads, signalling NaN; each with both signs.
MAGNITUDES = {
    "f2": [0, 1, 0x03FF, 0x3C00, 0x7BFF, 0x7C00, 0x7E00, 0x7E05, 0x7C01],
    "f4": [0, 1, 0x007FFFFF, 0x3F800000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000, 0x7FC00005, 0x7F800001],
    "f8": [
        *(0, 1, 0x000FFFFFFFFFFFFF, 0x3FF0000000000000, 0x7FEFFFFFFFFFFFFF),
        *(0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000005, 0x7FF0000000000001),
    ],
}
BITS = {key: [bits | sign << (8 * int(key[1]) - 1) for bits in found for sign in (0, 1)] for key, found in MAGNITUDES.items()}


def exact(a, b, greatest):
    """Return whether the first of two numbers is their extreme, by the definition."""
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a)
    if a == b:
        return (math.copysign(1.0, a) > math.copysign(1.0, b)) == greatest
    return (a > b) == greatest


@functools.cache
def table(key, greatest):
    """Return, for two indices into BITS, the index of their extreme."""
    bits, number = FORMATS[key][:2], FORMATS[key][::2]
    values = [struct.unpack(number, struct.pack(bits, code))[0] for code in BITS[key]]
    places = range(len(values))
    return np.array([[a if exact(values[a], values[b], greatest) else b for b in places] for a in places])


def make(key, places):
    """Return the floats at indices into BITS."""
    return np.array(BITS[key], f"u{key[1]}").view(key)[places]


class Case:
    """A function in one implementation, and its expected results."""

    def __init__(self, which, name, key):
        self.key, self.greatest, self.bitwise = key, name == "maximum", which != PYTHON
        signs, dual = (np.bitwise_and, np.bitwise_or) if self.greatest else (np.bitwise_or, np.bitwise_and)
        self.function = Extreme(getattr(np, name), signs, dual) if which == PYTHON else getattr(native, name)
        self.random = np.random.default_rng(20260)

    def places(self, *shape):
        # Rows without NaN, rows of zeros, and rows of everything: long random rows nearly always have a NaN.
        return self.random.integers(0, (2, 12, len(BITS[self.key]))[self.random.integers(3)], shape)

    def folded(self, places, axis):
        """Return the indices of the results of reductions along an axis."""
        return functools.reduce(self.both, np.moveaxis(places, axis, 0))

    def both(self, a, b):
        return table(self.key, self.greatest)[a, b]

    def check(self, found, places):
        expected = make(self.key, places)
        found = np.asarray(found)
        assert found.dtype == expected.dtype
        assert found.shape == expected.shape
        same = found.view(f"u{self.key[1]}") == expected.view(f"u{self.key[1]}")
        if not self.bitwise:  # any NaN is accepted
            same |= np.isnan(found) & np.isnan(expected)
        assert same.all()


@contextlib.contextmanager
def at_level(level):
    """Run with the instructions of a level."""
    before = native.set_level(level)
    yield
    native.set_level(before)


@pytest.fixture(params=[PYTHON, *levels()], ids=str)
def which(request):
    with contextlib.nullcontext() if request.param == PYTHON else at_level(request.param):
        yield request.param


@pytest.fixture(autouse=True)
def _no_flag_is_reported():
    with np.errstate(all="raise"), warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.fixture(params=FORMATS)
def key(request):
    return request.param


@pytest.fixture(params=["maximum", "minimum"])
def case(request, which, key):
    if which == PYTHON:  # the replacement uses NumPy's functions, and its callers set the error state
        with np.errstate(all="ignore"):
            yield Case(which, request.param, key)
    else:
        yield Case(which, request.param, key)


@pytest.fixture(params=levels(), ids=str)
def clip(request):
    with at_level(request.param):
        yield native.clip


# -- binary functions ---------------------------------------------------------------------------------------------------------


def test_every_pair(case):
    a, b = np.indices((len(BITS[case.key]),) * 2)
    case.check(case.function(make(case.key, a), make(case.key, b)), case.both(a, b))


@pytest.mark.combinations
@pytest.mark.parametrize("offset", range(4))
def test_every_length(case, offset):
    for length in range(71):
        a, b = case.places(length + offset), case.places(length + offset)
        out = make(case.key, case.places(length + offset + 3))
        around = out.copy()
        case.function(make(case.key, a)[offset:], make(case.key, b)[offset:], out=out[offset : offset + length])
        case.check(out[offset : offset + length], case.both(a, b)[offset:])
        for part in (slice(offset), slice(offset + length, None)):
            assert out[part].tobytes() == around[part].tobytes()


@pytest.mark.combinations
@pytest.mark.parametrize("length", [255, 256, 257, 1000, 20001])
def test_long_operands(case, length):
    for steps in ((1, 1), (2, 1), (1, 3)):
        a, b = (case.places(length * step)[::step] for step in steps)
        x, y = (make(case.key, np.repeat(places, step))[::step] for places, step in zip((a, b), steps, strict=True))
        case.check(case.function(x, y), case.both(a, b))


@pytest.mark.combinations
@pytest.mark.parametrize("steps", list(itertools.product((-2, -1, 0, 1, 2, 3), repeat=2)))
def test_strides(case, steps):
    for length in (1, 4, 33, 300):
        operands = []
        for step in steps:
            places = case.places(abs(step) * length) if step else np.repeat(case.places(1), length)
            data = make(case.key, places)
            operands.append((places[:: step or 1], data[::step] if step else np.broadcast_to(data[:1], length)))
        (a, x), (b, y) = operands
        case.check(case.function(x, y), case.both(a, b))
        for step in (-1, 2, -3):
            out = make(case.key, case.places(abs(step) * length))[::step]
            assert case.function(x, y, out=out) is out
            case.check(out, case.both(a, b))


def test_scalars(case):
    for length in (1, 2, 8, 31, 100):
        a = case.places(length)
        for scalar in range(len(BITS[case.key])):
            x, one = make(case.key, a), np.asarray(make(case.key, scalar))
            case.check(case.function(x, one), case.both(a, scalar))
            case.check(case.function(one, x), case.both(scalar, a))


def test_in_place(case):
    for length in (1, 5, 16, 70, 300):
        a, b = case.places(length), case.places(length)
        x, y = make(case.key, a), make(case.key, b)
        case.check(case.function(x, y, out=x), case.both(a, b))
        case.check(case.function(y, make(case.key, a), out=y), case.both(b, a))
        z = make(case.key, a)
        case.check(case.function(z, z, out=z), a)
        z = make(case.key, a)
        case.check(case.function(z[:-1], z[1:], out=z[1:]), case.both(a[:-1], a[1:]))
        z = make(case.key, a)
        case.check(case.function(z[::-1], z, out=z), case.both(a[::-1], a))


def test_unaligned_and_swapped(case):
    size = int(case.key[1])
    for length in (1, 9, 70):
        a, b = case.places(length), case.places(length)
        operand = np.zeros(length * size + 1, np.uint8)[1:].view(case.key)
        operand[...] = make(case.key, a)
        case.check(case.function(operand, make(case.key, b)), case.both(a, b))
        if case.bitwise:  # the replacement computes with bits in native byte order
            swapped = make(case.key, a).byteswap().view(np.dtype(case.key).newbyteorder())
            case.check(case.function(swapped, make(case.key, b)), case.both(a, b))


# -- methods ------------------------------------------------------------------------------------------------------------------


@pytest.mark.combinations
@pytest.mark.parametrize(
    "lengths", [range(1, 71), [250, 255, 256, 257, 511, 1023, 1030, 4095, 8200, 40001]], ids=["short", "long"]
)
def test_reductions_of_every_length(case, lengths):
    for length in lengths:
        for _ in range(3):
            a = case.places(length)
            case.check(case.function.reduce(make(case.key, a), None), case.folded(a, 0))
            case.check(case.function.reduce(make(case.key, np.repeat(a, 2))[::2], None), case.folded(a, 0))


def test_one_nan_or_zero_anywhere(case):
    one, zero, nan = (MAGNITUDES[case.key][place] for place in (3, 0, 7))
    for length in (3, 64, 256, 1100):
        for place in range(0, length, 1 + length // 40):
            for bits, others in ((nan, one), (nan, zero), (zero, zero)):
                data = np.full(length, others, f"u{case.key[1]}")
                sign = 1 << (8 * int(case.key[1]) - 1)
                # The maximum of many -0.0 and one 0.0 is 0.0; the minimum of many 0.0 and one -0.0 is -0.0.
                data |= data.dtype.type(sign if case.greatest else 0)
                data[place] = bits | (0 if case.greatest else sign)
                found = case.function.reduce(data.view(case.key), None)
                case.check(found, BITS[case.key].index(int(data[place])))


@pytest.mark.combinations
@pytest.mark.parametrize("shape", [(3, 5, 7), (65, 3), (2, 300), (1, 4), (17, 17)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_reductions_of_axes(case, shape, order):
    places = case.places(*shape)
    data = np.asarray(make(case.key, places), order=order)
    for axis in range(-1, len(shape)):
        case.check(case.function.reduce(data, axis), case.folded(places, axis))
        case.check(case.function.reduce(data, axis, keepdims=True), np.expand_dims(case.folded(places, axis), axis))
    # NumPy's order over several axes determines which NaN results, so the operands have none.
    numbers = places % 12
    data = np.asarray(make(case.key, numbers), order=order)
    case.check(case.function.reduce(data, None), case.folded(numbers.ravel(), 0))
    case.check(case.function.reduce(data, (0, 1)), case.folded(numbers.reshape(-1, *shape[2:]), 0))
    for start in range(12):
        found = case.function.reduce(data, 0, initial=make(case.key, start))
        case.check(found, case.both(start, case.folded(numbers, 0)))


def test_reductions_of_nothing(case):
    with pytest.raises(ValueError, match="no identity"):
        case.function.reduce(np.empty(0, case.key), None)
    assert case.function.reduce(np.empty((2, 0), case.key), 0).shape == (0,)


def test_cumulations(case):
    for length in (1, 2, 3, 40, 300):
        a = case.places(length)
        steps = np.array(list(itertools.accumulate(a, case.both)))
        case.check(case.function.accumulate(make(case.key, a)), steps)
        case.check(case.function.accumulate(make(case.key, np.repeat(a, 2))[::2]), steps)
    a = case.places(5, 6)
    for axis in (0, 1):
        steps = np.array(list(itertools.accumulate(np.moveaxis(a, axis, 0), case.both)))
        case.check(case.function.accumulate(make(case.key, a), axis), np.moveaxis(steps, 0, axis))


def test_slices(case):
    a = case.places(90)
    begins = [0, 3, 4, 40, 41, 89]
    expected = [case.folded(a[begin:end], 0) for begin, end in itertools.pairwise([*begins, 90])]
    case.check(case.function.reduceat(make(case.key, a), begins), np.array(expected))


@pytest.mark.combinations
@pytest.mark.parametrize("step", [1, 2, -1])
def test_updates(case, step):
    for length in (1, 7, 100):
        a, index, b = case.places(length), case.random.integers(-length, length, 2 * length), case.places(2 * length)
        target, values = make(case.key, np.repeat(a, abs(step)))[::step], make(case.key, np.repeat(b, abs(step)))[::step]
        expected, given = a[:: np.sign(step)].copy(), b[:: np.sign(step)]
        for place, value in zip(index, given, strict=True):
            expected[place] = case.both(expected[place], value)
        case.function.at(target, index, values)
        case.check(target, expected)


# -- clip ---------------------------------------------------------------------------------------------------------------------


def clipped(key, x, low, high):
    return table(key, greatest=False)[table(key, greatest=True)[x, low], high]


def same_bits(key, found, places):
    assert found.dtype == key
    assert found.view(f"u{key[1]}").tolist() == make(key, places).view(f"u{key[1]}").tolist()


def test_clip_every_triple(clip, key):
    x, low, high = np.indices((len(BITS[key]),) * 3)
    same_bits(key, clip(make(key, x), make(key, low), make(key, high)), clipped(key, x, low, high))


def test_clip_to_scalars(clip, key):
    random = np.random.default_rng(5)
    for length in (1, 4, 15, 64, 300):
        x = random.integers(0, len(BITS[key]), length)
        for low, high in itertools.product(range(len(BITS[key])), repeat=2):
            same_bits(key, clip(make(key, x), make(key, low), make(key, high)), clipped(key, x, low, high))


@pytest.mark.combinations
@pytest.mark.parametrize("steps", list(itertools.product((-1, 0, 1, 2), repeat=3)))
def test_clip_strides(clip, key, steps):
    random = np.random.default_rng(5)
    for length in (1, 40, 300):
        places, data = [], []
        for step in steps:
            found = random.integers(0, len(BITS[key]), length * abs(step) or 1)
            places.append(found[::step] if step else np.repeat(found, length))
            data.append(make(key, found)[::step] if step else np.broadcast_to(make(key, found), length))
        same_bits(key, clip(*data), clipped(key, *places))
        out = np.zeros(2 * length, key)
        clip(*data, out=out[::2])
        same_bits(key, out[::2].copy(), clipped(key, *places))
        assert not out[1::2].any()
        if steps[0] == 1:
            x = data[0].copy()
            same_bits(key, clip(x, *data[1:], out=x), clipped(key, *places))


# -- other types --------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(native is None, reason="without the loops in C, other types use NumPy's functions")
@for_each("dtype", list("?bBhHiIlLqQgFDGO"))
def test_other_types_are_numpys(dtype):
    random = np.random.default_rng(3)
    a, b = (random.integers(0, 100, (2, 9, 5)) - 50).astype(dtype)
    for name in ("maximum", "minimum"):
        ours, theirs = getattr(native, name), getattr(np, name)
        for answer in (
            lambda f: f(a, b),
            lambda f: f.reduce(a, None),
            lambda f: f.reduce(a, 1),
            lambda f: f.accumulate(a, 0),
            lambda f: f.reduceat(a, [0, 4], 0),
        ):
            assert ours is not theirs
            found, expected = answer(ours), answer(theirs)
            assert np.asarray(found).dtype == np.asarray(expected).dtype
            np.testing.assert_array_equal(found, expected)
    low, high = np.asarray(a.min(), dtype), np.asarray(b.max(), dtype)
    np.testing.assert_array_equal(native.clip(a, low, high), np.clip(a, low, high))


@pytest.mark.skipif(native is None, reason="without the loops in C, other types use NumPy's functions")
def test_operands_of_two_types_are_converted_as_numpys_are():
    for first, second in itertools.product("?bBhHiIlLefdFD", repeat=2):
        a, b = np.ones(3, first), np.ones(3, second)
        assert native.maximum(a, b).dtype == np.maximum(a, b).dtype
        assert native.clip(a, b, b).dtype == np.clip(a, b, b).dtype


@pytest.mark.skipif(native is None, reason="only the loops in C have instruction levels")
def test_levels_that_do_not_exist():
    for level in (-1, -2, 99):
        with pytest.raises(ValueError, match="no level"):
            native.set_level(level)
    with pytest.raises(TypeError):
        native.set_level("2")
