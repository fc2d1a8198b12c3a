"""Casts of buffers, those that round once to narrow floats, and calls of kernels with casts."""

import tracemalloc
import warnings

import ml_dtypes
import numpy as np
import pytest
from common import for_each, levels, limits
from narrow_formats import FORMATS, describe, same

import supremum as xp
from supremum._base.buffers import native
from supremum._kernels import casts
from supremum._kernels.casts import call_of_one, call_of_two, cast, narrow, vdot, widen
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


ROWS, COLUMNS = 120, 250


def numbers(dtype, shape):
    """Return small whole numbers, which every dtype represents."""
    draw = np.random.default_rng(len(dtype))
    return draw.integers(0, 8, shape).astype(getattr(ml_dtypes, dtype, dtype))


def apply(name, a, b, compute, result):
    """Apply the function, and check that no operand changes."""
    before = a.copy(), b.copy()
    dtype = NODES[compute].dtype
    answer = call_of_two(getattr(np, name), tuple(None if x.dtype == dtype else dtype for x in (a, b)))(a, b)
    np.testing.assert_array_equal(a, before[0])
    np.testing.assert_array_equal(b, before[1])
    assert answer.dtype == NODES[result].dtype
    assert not any(np.shares_memory(answer, operand) for operand in (a, b))
    return answer


@for_each(
    "first, second, compute",
    [
        ("int32", "float32", "float32"),
        ("float64", "float32", "float64"),
        ("int8", "uint8", "int16"),
        ("int32", "int32", "float32"),
        ("float16", "bfloat16", "float32"),
        ("bool", "complex64", "complex64"),
    ],
)
@for_each("name", ["subtract", "less"])
def test_the_answer_is_that_of_operands_cast_in_advance(name, first, second, compute):
    a, b = numbers(first, (ROWS, COLUMNS)), numbers(second, (ROWS, COLUMNS))
    dtype = NODES[compute].dtype
    answer = apply(name, a, b, compute, "bool" if name == "less" else compute)
    np.testing.assert_array_equal(answer, getattr(np, name)(a.astype(dtype), b.astype(dtype)))


@for_each(
    "shapes",
    [
        ((ROWS, COLUMNS), ()),
        ((), (ROWS, COLUMNS)),
        ((ROWS, COLUMNS), (COLUMNS,)),
        ((1, COLUMNS), (ROWS, 1)),
        ((0, 3), (3,)),
        ((2, 0), (1, 1)),
    ],
)
@for_each("dtypes", [("int32", "float32"), ("float32", "int32"), ("int32", "uint8"), ("int16", "bool")])
def test_operands_are_broadcast(shapes, dtypes):
    a, b = (numbers(dtype, shape) for dtype, shape in zip(dtypes, shapes, strict=True))
    answer = apply("subtract", a, b, "float32", "float32")
    np.testing.assert_array_equal(answer, a.astype(np.float32) - b.astype(np.float32), strict=True)
    answer = apply("less", a, b, "float32", "bool")
    np.testing.assert_array_equal(answer, a.astype(np.float32) < b.astype(np.float32), strict=True)


@pytest.mark.parametrize("lie", [lambda x: x[::-1, ::3], np.asfortranarray, lambda x: np.broadcast_to(x[:1], x.shape)])
def test_operands_may_lie_in_memory_in_any_way(lie):
    a, b = lie(numbers("int32", (ROWS, COLUMNS))), numbers("float32", (ROWS, COLUMNS))
    b = b[:, : a.shape[1]]
    np.testing.assert_array_equal(apply("subtract", a, b, "float32", "float32"), a.astype(np.float32) - b)
    np.testing.assert_array_equal(apply("subtract", b, a, "float32", "float32"), b - a.astype(np.float32))


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="broadcast"):
        apply("add", numbers("int32", 3), numbers("float32", 4), "float32", "float32")


def test_operands_of_the_right_dtype_are_not_cast():
    assert call_of_two(np.add, (None, None)) is np.add
    assert call_of_one(np.exp, None) is np.exp
    assert call_of_one(np.exp, np.dtype("f4"))(np.zeros(2, np.int8)).dtype == np.float32


@pytest.mark.skipif(native is None, reason="the reference engine casts whole operands")
@for_each("first, second", [("int32", "float32"), ("float32", "int16"), ("int16", "int8"), ("bfloat16", "float32")])
@for_each("operator", [xp.add, xp.less])
def test_nothing_of_the_size_of_the_result_is_held_but_the_result(first, second, operator):
    a, b = (xp.asarray(numbers(dtype, 1_000_000)) for dtype in (first, second))
    operator(a, b)
    tracemalloc.start()
    answer = operator(a, b)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < np.asarray(answer).nbytes + 200_000


@for_each("dtype", ["float32", "float64", "complex64", "complex128"])
@for_each("offset", [1, 2, 4, 9])
def test_products_of_unaligned_numbers(dtype, offset):
    # NumPy's `vdot` crashes with OPENBLAS_CORETYPE=Nehalem.
    dtype = np.dtype(dtype)
    x = np.zeros(9 * dtype.itemsize + offset, np.uint8)[offset:].view(dtype)
    x[...] = np.arange(9)
    array = xp.asarray(x)
    with xp.enable_x64(True):
        assert vdot(x, x) == 204
        assert xp.vdot(array, array) == xp.vdot(array, xp.arange(9)) == 204
        assert xp.linalg.matrix_norm(xp.asarray(x.reshape(1, 9)), ord=2) ** 2 == pytest.approx(204, rel=1e-5)
        assert dtype.kind == "c" or xp.all(xp.floor_divide(array, array + 1) == 0)


@pytest.mark.parametrize(
    "first, compute",
    [
        ("int2", "int1"),
        ("uint4", "int4"),
        ("int4", "float8_e8m0fnu"),
        ("float8_e8m0fnu", "float6_e3m2fn"),
        ("float6_e2m3fn", "float8_e8m0fnu"),
    ],
)
def test_narrow_dtypes_of_which_ml_dtypes_has_no_cast(first, compute):
    if compute not in NODES:
        pytest.skip(f"the installed ml_dtypes has no {compute}")
    value = -1 if compute == "int1" else 1
    given, dtype = np.array([0, value], np.int8).astype(NODES[first].dtype), NODES[compute].dtype
    with pytest.raises(TypeError, match="Cannot cast"):
        given.astype(dtype)
    found = call_of_one(np.ndarray.copy, dtype)(given)
    assert found.dtype == dtype
    assert found.astype(np.float32)[1] == value


@pytest.mark.parametrize("name", ["complex32", "bcomplex32", "complex64", "float8_e4m3fn", "int4"])
def test_truth_is_of_both_parts(name):
    if name not in NODES:
        pytest.skip(f"the installed ml_dtypes has no {name}")
    numbers = np.array([0, 1, 1j, 0j]) if NODES[name].kind == "c" else np.array([0, 1, 1, 0])
    given = numbers.astype(np.complex64 if NODES[name].kind == "c" else np.int8).astype(NODES[name].dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert call_of_one(np.ndarray.copy, np.dtype(bool))(given).tolist() == [False, True, True, False]
