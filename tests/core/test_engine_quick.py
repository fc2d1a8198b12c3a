# ruff: noqa: E501, PLW2901 - a row of a table is one case; operands have several layouts
"""Fast paths of the native engine that replace NumPy's code: keys, in-place operators, reused memory."""

import contextlib
import itertools
import operator
import tracemalloc
import warnings
import weakref

import numpy as np
import pytest
from common import for_each
from engines import LOOPS
from generators import RNG

import supremum as xp
from supremum._core.array import wrap
from supremum.promotion._nodes import NODES

NARROW = ("?", "i1", "u2", "f4", "i8", "f8", "c8", "c16", "bfloat16", "float8_e5m2")


@pytest.fixture
def asked(engine):
    """Return the keys that the hook `getitem` received."""
    keys = []

    def getitem(x, key):
        keys.append(key)
        return engine.hook("getitem")(x, key)

    with engine.hooked(getitem=getitem):
        yield keys


def samples(dtype, shape):
    import ml_dtypes

    dtype = np.dtype(getattr(ml_dtypes, dtype, dtype))
    values = RNG.integers(0, 100, shape)
    return (values % 2 == 0) if dtype.kind == "b" else values.astype(dtype)


def same(ours, theirs):
    theirs = np.asarray(theirs)
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    assert ours._data.tobytes() == theirs.tobytes()
    assert ours._data.flags.writeable


# -- keys


@for_each("length", [0, 1, 4, 7])
def test_slices(engine, length):
    data = np.arange(length, dtype=np.float32)
    bounds = [None, 0, 1, 3, 9, -1, -3, -9, 2**62, -(2**62), 2**70, -(2**70)]
    for start, stop, step in itertools.product(bounds, bounds, [None, 1, 2, -1, -2, 9, 2**62, -(2**63), 2**70, -(2**70)]):
        key = slice(start, stop, step)
        wanted = data[key]
        got = engine.array(data)[key]
        same(got, wanted)
        if wanted.size:
            assert got._data.ctypes.data == wanted.ctypes.data
        if wanted.size > 1:
            assert got._data.strides == wanted.strides
    with pytest.raises(ValueError, match="zero"):
        engine.array(data)[::0]
    with pytest.raises(TypeError):
        engine.array(data)[1.5:]


def test_slices_of_read_only_arrays(engine):
    data = np.arange(4.0)
    data.flags.writeable = False
    for key in (slice(1, 3), slice(None, None, -1), (slice(None), None)):
        assert not engine.array(data)[key]._data.flags.writeable


def test_elements_are_copies(engine):
    data = np.arange(6.0).reshape(2, 3)
    x = engine.array(data)
    if engine.name == "native":
        for element in (x[0, 1], x[0][1], next(iter(x[0]))):
            assert not np.shares_memory(element._data, data)
            assert element._data.base is None
            assert element._data.flags.writeable


LAYOUTS = {
    "one": lambda a: a,
    "strided": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
    "reversed": lambda a: a[::-1],
    "fortran": np.asfortranarray,
    "unaligned": lambda a: np.frombuffer(b"x" + a.tobytes(), np.uint8)[1:].view(a.dtype).reshape(a.shape),
}


@pytest.mark.combinations
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", NARROW)
def test_index_arrays(engine, dtype, layout):
    for shape in ((5,), (5, 3), (5, 2, 3), (5, 0), (1000,)):
        data = LAYOUTS[layout](samples(dtype, shape))
        for index_dtype, index_shape in itertools.product(("i4", "i8", "i1", "u2"), ((0,), (1,), (3,), (2, 2), (700,))):
            index = RNG.integers(-5 if index_dtype != "u2" else 0, 5, index_shape).astype(index_dtype)
            got = engine.array(data)[engine.array(index)]
            same(got, data[index])
            if index.ndim == 1:
                same(engine.array(data)[engine.array(index[::-1])], data[index[::-1]])


def test_index_arrays_out_of_range(engine, asked):
    x = engine.array(np.arange(4.0))
    for dtype, bad in itertools.product(("i4", "i8"), (4, -5, 2**31 - 1, -(2**31))):
        index = engine.array(np.asarray([0, bad, 1], dtype))
        for array in (x, engine.array(np.ones((4, 2))), engine.array(np.ones((4, 0))), x[:0]):
            del asked[:]
            with pytest.raises(IndexError):
                array[index]
            assert len(asked) == 1
            assert asked[0] is index
    with pytest.raises(IndexError):
        x[engine.array(np.asarray([2**63 - 1]))]
    with pytest.raises(IndexError):
        engine.array(np.asarray(1.0))[engine.array(np.asarray([0]))]


def test_plain_keys_ask_nobody(engine, asked):
    if engine.name != "native":
        pytest.skip("the reference engine always calls the hook")
    x = engine.array(np.arange(4.0))
    x[engine.array(np.asarray([0, 3]))]
    x[engine.array(np.asarray([True, False, True, False]))]
    x[0], x[-1], x[1:3], x[::-1], x[:, None], x[...]
    assert not asked


@pytest.mark.combinations
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", NARROW)
def test_masks(engine, dtype, layout):
    for shape in ((0,), (1,), (5,), (3, 4), (2, 0, 3), (2, 3, 4), (3000,)):
        data = LAYOUTS[layout](samples(dtype, shape))
        runs = np.cumsum(RNG.integers(0, 9, shape) == 0).reshape(shape) % 2 == 0
        for mask in (
            RNG.integers(0, 2, shape) == 1,
            runs,
            ~runs,
            RNG.integers(0, 50, shape) == 0,
            np.zeros(shape, bool),
            np.ones(shape, bool),
        ):
            got = engine.array(data)[engine.array(mask)]
            same(got, data[mask])
            if mask.ndim > 1:
                same(engine.array(data)[engine.array(np.asfortranarray(mask))], data[mask])
                rows = RNG.integers(0, 2, shape[0]) == 1
                same(engine.array(data)[engine.array(rows)], data[rows])
    odd = np.asarray([2, 0, 255, 1] * 7, np.uint8).view(bool)  # a bool need not be stored as 0 or 1
    same(engine.array(np.arange(28.0))[engine.array(odd)], np.delete(np.arange(28.0), np.s_[1::4]))
    with pytest.raises(IndexError):
        engine.array(np.arange(4.0))[engine.array(np.ones(3, bool))]


@for_each("dtype", ["bool", "int8", "uint32", "float32", "complex64", "bfloat16"])
@for_each("value", [True, 7, 300, -1, 1.5, 2j])
def test_scalars_are_stored_by_masks_and_index_arrays(dtype, value):
    with xp.config.use(mutable=True):
        for shape in [(7,), (3, 4), (0,)]:
            mask = RNG.integers(0, 2, shape) == 1
            for key in (
                mask,
                ~mask,
                np.zeros(shape, bool),
                np.arange(shape[0]),
                np.arange(shape[0])[::-1] - shape[0],
                np.array([9, 0]),
            ):
                one, other = xp.zeros(shape, dtype=dtype), xp.zeros(shape, dtype=dtype)
                errors = []
                for x, given in ((one, xp.asarray(key)), (other, key)):  # an ndarray as a key goes to the definition
                    try:
                        x[given] = value
                        errors.append(None)
                    except (TypeError, ValueError, IndexError, OverflowError) as error:
                        errors.append((type(error), str(error)))
                assert errors[0] == errors[1]
                assert one._data.tobytes() == other._data.tobytes()


@pytest.mark.parametrize("dtype", ["complex64", "complex128", "float32", "int32"])
def test_parts_of_numbers_are_copies(dtype):
    with xp.config.use(x64="on"):
        for data in (RNG.random((3, 4)), RNG.random(5), np.array(1.5), np.zeros((0, 2)), RNG.random((4, 6))[::2, ::3]):
            numbers = (data - 0.5j * data if dtype[0] == "c" else data).astype(dtype)
            x = xp.asarray(numbers)
            for part, expected in ((xp.real(x), numbers.real), (xp.imag(x), numbers.imag), (x.real, numbers.real)):
                same(part, expected)
                assert not np.shares_memory(part._data, x._data)
                assert not part.weak_type
        assert xp.real(xp.asarray(1j)).weak_type


# -- in place


@pytest.mark.combinations
@pytest.mark.parametrize("second", LAYOUTS)
@pytest.mark.parametrize("first", LAYOUTS)
def test_in_place(engine, first, second):
    for shape, dtypes in itertools.product(
        ((3, 4), (90, 70)), (("f4", "f4"), ("f8", "f4"), ("f4", "i4"), ("i4", "i2"), ("c8", "f4"))
    ):
        data = LAYOUTS[first](samples(dtypes[0], shape))
        if first == "unaligned":
            data = data.copy()
        for other in (
            samples(dtypes[1], shape),
            samples(dtypes[1], shape[1:]),
            samples(dtypes[1], (shape[0], 1)),
            samples(dtypes[1], (1, 1)),
        ):
            other = LAYOUTS[second](other)
            target = data.copy(order="K")
            view = np.repeat(target, 2, axis=1)[:, ::2]
            for buffer in (target, view):
                x = y = engine.array(buffer)
                wanted = np.add(buffer, other, dtype=dtypes[0], casting="unsafe")
                y += engine.array(other)
                assert y is x
                np.testing.assert_array_equal(buffer, wanted)
                y *= 2
                np.testing.assert_array_equal(buffer, wanted * 2)


def test_in_place_with_itself(engine):
    for size in (7, 5001):
        data = np.arange(size, dtype=np.float32)
        for target, source in itertools.product(
            (slice(1, None), slice(None, -1), slice(None, None, -1), slice(None, None, 2), slice(None)), repeat=2
        ):
            ours, theirs = data.copy(), data.copy()
            x, y = engine.array(ours[target]), engine.array(ours[source])
            if x.shape != y.shape:
                continue
            x += y
            theirs[target] += theirs[source]
            np.testing.assert_array_equal(ours, theirs)
    square = np.arange(16.0).reshape(4, 4)
    x, wanted = engine.array(square), square + square.T
    x += x.T
    np.testing.assert_array_equal(square, wanted)


def test_in_place_refuses(engine):
    data = np.arange(6, dtype=np.int32).reshape(2, 3)
    x = engine.array(data[:, ::2])
    before = data.copy()
    with pytest.raises(TypeError):
        x += 1.5
    with pytest.raises(ValueError):
        x += engine.array(np.ones((3, 2, 2), np.int32))
    with pytest.raises(ValueError):
        x += engine.array(np.ones((3,), np.int32))
    data.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        x = engine.array(data[:, ::2])
        x += 1
    np.testing.assert_array_equal(data, before)


def test_no_temporaries(engine):
    """The native engine allocates no full-size temporary."""
    if engine.name != "native" or not LOOPS:
        pytest.skip("this engine calls ufuncs, which may allocate temporaries")
    n = 400_000
    i, f, wide = engine.array(np.arange(2 * n, dtype=np.int32)), engine.array(np.ones(2 * n, np.float32)), engine.array(np.ones((2, n), np.float32))  # fmt: skip
    column, row = engine.array(np.ones((n // 100, 1), np.float32)), engine.array(np.ones((1, 100), np.float32))
    total, mean = engine.fold("sum"), engine.fold("mean", "mean")
    strided = f[::2]
    mask, index = engine.array(np.arange(2 * n) % 2 == 0), engine.array(np.arange(n))

    def in_place(x, y):
        x += y

    cases = {
        "mixed": (lambda: i + f, 8 * n), "mixed strided": (lambda: i[::2] + f[::2], 4 * n), "scalar strided": (lambda: f[::2] * 2.5, 4 * n),
        "scalar mixed strided": (lambda: i[::2] * 2.5, 4 * n), "broadcast": (lambda: column + row, 4 * n), "transposed": (lambda: wide.T + wide.T, 8 * n),
        "in place": (lambda: in_place(f, 1), 0), "in place mixed": (lambda: in_place(f, i), 0), "in place strided": (lambda: in_place(strided, 1), 0),
        "in place two strided": (lambda: in_place(strided, i[::2]), 0), "sum": (lambda: total(i), 0), "mean": (lambda: mean(i), 0),
        "mask": (lambda: f[mask], 4 * n), "index": (lambda: f[index], 4 * n),
    }  # fmt: skip
    for name, (case, result) in cases.items():
        case()
        tracemalloc.start()
        case()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < result + 600_000, (name, peak)


# -- reused memory


def fill(engine, count=200):
    """Make and drop arrays, so that freed memory is reused."""
    x = engine.array(np.full(4, 7, np.float32))
    kept = [x + x for _ in range(count)]
    for _ in range(count):
        x * 3
    return kept


def test_results_do_not_share_memory(engine):
    x = engine.array(np.arange(4, dtype=np.float32))
    for _ in range(3):
        results = [x + k for k in range(200)]
        for k, result in enumerate(results):
            np.testing.assert_array_equal(result._data, np.arange(4) + k)
    buffer, view, memory = (x + 1)._data, (x + 2)[1:], memoryview((x + 3)._data)
    element, transposed = (x + 4)[0], (x + 5).T
    fill(engine)
    np.testing.assert_array_equal(buffer, np.arange(4) + 1)
    np.testing.assert_array_equal(view._data, np.arange(1, 4) + 2)
    assert memory.tolist() == [3, 4, 5, 6]
    same(element, np.float32(4))
    same(transposed, np.arange(4, dtype=np.float32) + 5)


def test_changed_buffers_are_not_used_again(engine):
    x = engine.array(np.arange(4, dtype=np.float32))

    def change(**attributes):
        result = x + 1  # the object outlives the reference to its buffer
        for name, value in attributes.items():
            setattr(result._data, name, value)

    def call(name, *args, **kwargs):
        result = x + 1
        getattr(result._data, name)(*args, **kwargs)

    for _ in range(100):
        call("setflags", write=False)
        call("resize", 2, refcheck=False)
        call("resize", 8, refcheck=False)
        call("byteswap", inplace=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # NumPy warns about some of these
            change(shape=(2, 2))
            change(dtype=np.int32)
            change(dtype=np.float64)
            change(strides=(0,))
        for result in (x + 1, x * 1, -x, x < 2):
            assert result._data.flags.carray
            assert result._data.flags.owndata
            assert result.shape == (4,)
        same(x + 1, np.arange(4, dtype=np.float32) + 1)


def test_buffers_die_with_their_arrays(engine):
    x = engine.array(np.arange(4, dtype=np.float32))
    died = []
    result = x + 1
    reference = weakref.ref(result._data, died.append)
    del result
    assert reference() is None
    assert died == [reference]
    fill(engine)


def test_zeros_are_zero(engine):
    import supremum as xp

    zeros = engine.Function(lambda shape, dtype=None: engine.array(np.zeros(shape, np.float32)), "zeros")
    for shape in (4, (2, 2), ()):
        for _ in range(5):
            ones = [zeros(shape) + 1 for _ in range(100)]
            del ones
            assert all((zeros(shape)._data == 0).all() for _ in range(100))
            assert zeros(shape, dtype=xp.float32).dtype == np.float32


def test_orders_of_results(engine):
    c, f = np.arange(6.0).reshape(2, 3), np.asfortranarray(np.arange(6.0).reshape(2, 3))
    for _ in range(100):
        for data in (c, f, c[:1], f[:1], c[:, :1], f.T):
            got = engine.array(data) + engine.array(data)
            np.testing.assert_array_equal(got._data, data + data)
            if data.size == 6 and LOOPS:
                assert got._data.strides == (data + data).strides
    weak, strong = engine.array(np.ones(2), weak=True), engine.array(np.ones(2))
    for _ in range(100):
        assert (weak + weak).weak_type
        assert not (strong + strong).weak_type


@for_each("dtype", ["bool", "int8", "uint32", "int64", "float16", "float32", "float64", "complex64"])
def test_ndarrays_and_scalars_count_as_the_arrays_that_they_become(dtype):
    """In functions, operators and folds of the package they equal the array that `asarray` makes of them."""
    data = np.ones((2, 3), dtype)
    x = xp.asarray(data)
    for ours, theirs in (
        (xp.add(data, x), x + x),
        (xp.add(x, data), x + x),
        (xp.add(data, data), x + x),
        (x + data, x + x),
        (xp.add(data, 2), x + 2),
        (xp.add(2.5, data), 2.5 + x),
        (xp.multiply(2, 3), xp.asarray(2) * 3),
        (xp.sqrt(data), xp.sqrt(x)),
        (xp.sqrt(2.0), xp.sqrt(xp.asarray(2.0))),
        (xp.sum(data, axis=0), xp.sum(x, axis=0)),
        (xp.mean(data), xp.mean(x)),
        (xp.cumulative_sum(data[0]), xp.cumulative_sum(x[0])),
    ):
        assert (ours.dtype, ours.weak_type, ours.shape) == (theirs.dtype, theirs.weak_type, theirs.shape)
        np.testing.assert_array_equal(np.asarray(ours), np.asarray(theirs))
    with xp.config.use(x64="off"):
        assert xp.add(data, data).dtype == (xp.asarray(data) + xp.asarray(data)).dtype
    swapped = data.astype(data.dtype.newbyteorder())
    np.testing.assert_array_equal(np.asarray(xp.add(swapped, x)), np.asarray(x + x))
    with pytest.raises((TypeError, ValueError), match=r"^add, argument 0"):
        xp.add(data.astype(object), x)
    masked = np.ma.masked_array(data)
    with pytest.raises(TypeError):
        xp.add(masked, x)


# -- changes during the making of a plan


def test_masks_that_are_deleted_while_a_plan_is_made(engine):
    """Making a plan runs Python code, which replaces the mask's buffer by one with a single element; the call has the other one."""
    mask, x = engine.array(np.ones(100_000, bool)), engine.array(np.ones(100_000, np.float32))

    def make(_state, *_operands):
        if type(mask) is engine.Array:
            engine.module.retire(mask, np.broadcast_to(np.zeros((), bool), mask.shape))
        return engine.Plan(x._node, lambda *_: None)

    where = engine.Function(lambda *_args: "asked", "where", engine.Operation("where", 2, make))
    found = where(mask, x, 0.0)
    assert found == "asked" if engine.name == "reference" else found._data.sum() == 100_000


def test_targets_that_are_deleted_while_a_plan_is_made(engine):
    x, y = engine.array(np.ones(1, np.float32)), engine.array(np.ones(1, np.float32))
    zero = np.broadcast_to(np.zeros((), np.float32), (1,))

    def make(_state, *_operands):
        if type(x) is engine.Array:
            engine.module.retire(x, zero)
        return engine.Plan(x._node, lambda a, b: a + b, ufunc=np.add, dtype=np.dtype(np.float32))

    engine.module.complete(add=engine.Operation("add", 2, make))
    try:
        with contextlib.suppress(Exception):
            x += y
    finally:
        engine.module.complete(add=engine.operations["add"])
    assert zero[0] == 0


# -- lengths that do not match


def test_empty_arrays_of_great_length_are_not_joined(engine):
    x = engine.array(np.zeros((0, 2**62), np.int8))
    concat = engine.Function(lambda *_args, **_kwargs: "asked", "concat")
    assert concat((x, x), axis=1) == "asked"
    assert concat((x, x), axis=0) == "asked" if engine.name == "reference" else concat((x, x), axis=0).shape == (0, 2**62)


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_the_axis_of_cumulative_functions_comes_by_its_name(name):
    """As in the standard, the axis is keyword-only."""
    with pytest.raises(TypeError, match=rf"^{name}\(\) takes 1 positional argument"):
        getattr(xp, name)(xp.ones(3), 0)


# -- truth values of any bytes ------------------------------------------------------------------------------------------------


@for_each("dtype", ["i1", "u2", "i4", "i8", "f4", "f8", "c8", "c16"])
def test_loops_take_any_byte_but_zero_for_true(engine, dtype):
    """Memory that is shared may get such bytes after `asarray` has seen it."""
    mask = engine.array(np.array([255, 0, 1, 2], np.uint8).view(bool))
    got = mask + engine.array(np.ones(4, dtype))
    np.testing.assert_array_equal(got._data, [2, 1, 2, 2])


def test_folds_take_any_byte_but_zero_for_true(engine):
    total = engine.fold("sum")
    for data in (np.array([255, 0, 1, 2], np.uint8), np.full((3, 5), 255, np.uint8)):
        assert int(total(engine.array(data.view(bool)))) == np.count_nonzero(data)


# -- results as NumPy lays them out -------------------------------------------------------------------------------------------


def test_results_of_strided_operands_have_the_order_of_their_axes(engine):
    """A sum of such a result adds in the same order on both engines, and so rounds alike."""
    rng = np.random.default_rng(0)
    c, f = rng.normal(size=(3, 5)), np.asfortranarray(rng.normal(size=(3, 5)))
    deep = rng.normal(size=(2, 3, 4)).transpose(2, 0, 1)
    for a, b in (
        (f, c[:1]),
        (f, c[:, :1]),
        (c, f[:1]),
        (f[:, ::2], f[:, ::2]),
        (f, c),
        (c, f),
        (deep, deep[:1]),
        (deep[:, :1], deep),
        (deep[::2], deep[:1]),
        (f[::-1], f[:1]),
        (f, np.float32(1) * c[0]),
    ):
        got, wanted = engine.array(a) - engine.array(b), a - b
        np.testing.assert_array_equal(got._data, wanted)
        shown = [step for step, length in zip(got._data.strides, got.shape, strict=True) if length > 1]
        assert shown == [step for step, length in zip(wanted.strides, wanted.shape, strict=True) if length > 1]


# -- shapes that no array has -------------------------------------------------------------------------------------------------

ROW = np.broadcast_to(np.ones(1, np.float32), (2**40,))


@for_each(
    ("name", "call"),
    [
        ("add", lambda x: x + x[:, None]),
        ("less", lambda x: xp.less(x, x[:, None])),
        ("add", lambda x: xp.asarray(np.broadcast_to(np.int8(1), (2**61,))) + xp.ones(1)),
        ("multiply", lambda x: xp.asarray(np.broadcast_to(np.int8(1), (2**61,))) * 1.5),
        ("sin", lambda x: xp.sin(xp.asarray(np.broadcast_to(np.int8(1), (2**61,))))),
        ("add", lambda x: operator.iadd(x, x[:, None])),
        ("broadcast_to", lambda x: xp.broadcast_to(xp.ones(1), (2**40, 2**40))),
        ("zeros", lambda _x: xp.zeros((0, 2**62))),
        ("stack", lambda _x: xp.stack([xp.zeros((2**60, 0))] * 4)),
        ("matmul", lambda x: x[:, None] @ x[None]),
        ("bits", lambda _x: xp.random.bits(xp.random.key(0), (2**40, 2**40))),
    ],
)
def test_errors_of_shapes_that_no_array_has_name_the_function(name, call):
    with pytest.raises(ValueError, match=rf"^{name}\b"):
        call(xp.asarray(ROW))


def test_a_shape_that_no_array_has_is_no_mismatch():
    x = xp.asarray(ROW)
    with pytest.raises(ValueError, match=r"^add: no array has the shape .*too large"):
        x + x[:, None]
    with pytest.raises(ValueError, match=r"^add: the shapes .* cannot be broadcast together"):
        x + xp.ones(3)


# -- other ----------------------------------------------------------------------------------------------------------------------


@for_each("name", ["cumulative_sum", "cumulative_prod", "cumsum", "cumprod"])
@for_each("axis", [(), (0,), [0]])
def test_the_axis_of_cumulative_functions_is_one_integer(name, axis):
    with pytest.raises(TypeError, match=f"^{name}: axis must be an integer"):
        getattr(xp, name)(xp.asarray([1, 2, 3]), axis=axis)


def test_messages_of_python_name_the_class_alike_on_both_engines():
    x = xp.ones(2)
    for call in (lambda: hash(x), lambda: x + "a", lambda: x < object(), lambda: x.no_such_attribute):
        with pytest.raises((TypeError, AttributeError), match="'Array'"):
            call()


@pytest.mark.parametrize(
    "key",
    [0, (0,), xp.asarray(0), (xp.asarray(0),), (xp.asarray(-3),), xp.asarray(1, dtype="int4"), (np.array(0), slice(None))],
)
def test_an_integer_array_without_axes_is_an_integer_key(key):
    x = xp.asarray(np.arange(12.0).reshape(3, 4))
    found = x[key]
    assert np.shares_memory(found._data, x._data)
    first = key[0] if isinstance(key, tuple) else key
    assert found.tolist() == x.tolist()[int(first)]


@pytest.mark.skipif("int1" not in NODES, reason="this ml_dtypes has no int1")
@pytest.mark.parametrize("layout", [lambda a: a, lambda a: np.repeat(a, 2, axis=-1)[..., ::2], np.asfortranarray])
def test_narrow_operands_that_ml_dtypes_casts_not(layout):
    """A weak int2 becomes int1; ml_dtypes has no such cast, and none to float8_e8m0fnu."""
    zeros = xp.asarray(layout(np.array([[0, -1], [-1, 0]], np.int8)))
    one, two = (zeros.astype(name)._data for name in ("int1", "int2"))
    found = xp.bitwise_xor(wrap(layout(one), NODES["int1"]), wrap(layout(two)[:1], NODES["int2"].weak_form))
    assert (found.dtype, found.weak_type) == ("int1", False)
    assert found.astype("int8").tolist() == [[0, 0], [-1, -1]]


def test_plans_are_made_once_where_making_them_warns():
    x = xp.ones((3, 2), dtype="int32")
    with xp.config.use(jax_numpy_rank_promotion="warn"), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with contextlib.suppress(TypeError):
            x += xp.ones(2, dtype="float32")
    assert len(caught) == 1


def test_casts_of_strided_operands_are_silent():
    x = xp.asarray(np.full((3, 4), 1e300 + 1e300j)[:, ::2])
    with warnings.catch_warnings(), np.errstate(all="raise"), xp.config.use(x64="off"):
        warnings.simplefilter("error")
        assert (x == xp.asarray(np.ones((3, 1), np.int16))).tolist() == [[False, False]] * 3


@pytest.mark.parametrize("name", [name for name in ("complex32", "bcomplex32", "bfloat16", "float16") if name in NODES])
def test_truth_of_many_strided_elements_is_of_both_parts(name):
    """NumPy's iterator would convert elements to bool: of complex numbers without their imaginary parts, and with a warning."""
    numbers = np.zeros((700, 1), np.complex64)
    numbers[::3], numbers[1::3] = 1j if "complex" in name else 2, 1
    x, truths = xp.asarray(numbers if "complex" in name else numbers.real).astype(name), numbers != 0
    wide = xp.asarray(np.repeat(np.asarray(x), 260, axis=1)[:, ::2])
    with xp.promotion.use("tensorflow_safe"), warnings.catch_warnings():
        warnings.simplefilter("error")
        for y in (xp.zeros((1, 130), dtype="bfloat16"), xp.zeros((130,), dtype=name)):
            assert np.array_equal(xp.logical_or(x, y), np.repeat(truths, 130, axis=1))
        assert np.array_equal(xp.logical_not(wide), np.repeat(~truths, 130, axis=1))
        assert np.array_equal(xp.logical_and(wide, True), np.repeat(truths, 130, axis=1))


@for_each("shape", [(6,), (2, 3), (2, 3, 3), (4, 40), (40, 700)])
@for_each("dtype", ["float32", "float64"])
def test_elements_that_lie_backwards_are_rounded_as_by_numpy(shape, dtype):
    """Where NumPy has vector functions, its loops call others for negative strides, and its iterator copies some of those."""
    a, b = np.random.default_rng(0).normal(size=(2, *shape)).astype(dtype)
    for x, y in ((a, b[..., ::-1]), (a[..., ::-1], b), (a[::-1], b), (a[..., ::-1], b[..., ::-1]), (a, b[..., :1][::-1])):
        assert np.array_equal(xp.atan2(xp.asarray(x), xp.asarray(y)), np.arctan2(x, y))
    half = np.array(0.5, dtype)
    assert np.array_equal(xp.atan2(0.5, xp.asarray(b[..., ::-1])), np.arctan2(half, b[..., ::-1]))
