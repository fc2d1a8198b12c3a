"""NumPy's functions, operators and scalars with our arrays; values are compared with NumPy's, dtypes follow promotion."""

import operator
import sys

import ml_dtypes
import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum.promotion import TypePromotionError

DATA = np.array([0.5, 1.0, 2.0], np.float32)


def ours(result, expected, dtype):
    assert type(result) is xp.Array
    assert result.dtype == dtype
    np.testing.assert_allclose(np.asarray(result, np.float64), np.asarray(expected, np.float64), rtol=1e-2)


CALLS = {
    "sin": lambda m: np.sin(m(DATA)),
    "add a list": lambda m: np.add(m(DATA), [1, 2, 3]),
    "multiply by a number": lambda m: np.multiply(m(DATA), 2.0),
    "concatenate": lambda m: np.concatenate([m(DATA), m(DATA)]),
    "concatenate with a list": lambda m: np.concatenate([m(DATA), [1, 2]]),
    "mean": lambda m: np.mean(m(DATA)),
    "std": lambda m: np.std(m(DATA), ddof=1),
    "where": lambda m: np.where(m(DATA) > 1, [1, 2, 3], m(DATA)),
    "reduce": lambda m: np.add.reduce(m(DATA)),
    "accumulate": lambda m: np.add.accumulate(m(DATA)),
    "outer": lambda m: np.multiply.outer(m(DATA), m(DATA)),
    "norm": lambda m: np.linalg.norm(m(DATA)),
    "inv": lambda m: np.linalg.inv(m(np.eye(3, dtype=np.float32) + 1)),
    "matmul": lambda m: np.matmul(m(np.eye(3, dtype=np.float32)), m(DATA)),
    "median": lambda m: np.median(m(DATA)),
    "pad": lambda m: np.pad(m(DATA), 1),
    "block": lambda m: np.block([m(DATA), m(DATA)]),
    "clip by names that only NumPy has": lambda m: np.clip(m(DATA), a_min=0, a_max=1),
    "a list among the named arguments": lambda m: np.average(m(DATA), weights=[1, 2, 3]),
    "an algorithm": lambda m: np.sort(m(DATA), kind="stable"),
    "a function that only NumPy has": lambda m: np.trim_zeros(m(DATA)),
}


@for_each("call", CALLS.values())
def test_a_function_of_numpy_gives_our_array(call):
    ours(call(xp.asarray), call(np.asarray), np.float32)


def test_fft():
    result = np.fft.fft(xp.asarray(DATA))
    assert type(result) is xp.Array
    assert result.dtype == np.complex64
    np.testing.assert_allclose(np.asarray(result), np.fft.fft(DATA), rtol=1e-6)


@pytest.mark.parametrize("function", [np.sin, np.square, np.mean, np.median, np.cumsum, np.nan_to_num, np.trim_zeros])
def test_narrow_floats_stay_narrow(function):
    ours(function(xp.asarray(DATA, dtype="bfloat16")), function(DATA), ml_dtypes.bfloat16)


def test_a_ufunc_of_others_computes_on_the_buffers_and_rounds_once():
    halve = np.frompyfunc(lambda v: v / 2, 1, 1)
    assert halve(xp.asarray(DATA)).dtype == object
    ours(np.lib.scimath.sqrt(xp.asarray(DATA)), np.sqrt(DATA), np.float32)


def test_assertions_of_numpy_take_arrays():
    x = xp.asarray(DATA, dtype="bfloat16")
    np.testing.assert_allclose(x, x)
    np.testing.assert_array_equal(x, x)
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(x, x + 1)


# -- operators with NumPy's arrays and scalars --------------------------------------------------------------------------------

OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow]


@for_each("op", OPERATORS)
@for_each("dtype", ["bfloat16", "float32", "float64"])
def test_an_ndarray_is_a_strong_operand_on_either_side(op, dtype):
    x = xp.asarray(DATA, dtype=dtype)
    a = np.array([1.0, 2.0, 4.0], np.float32)
    met = xp.result_type(a.dtype, x.dtype)
    ours(op(a, x), op(a, DATA), met)
    ours(op(x, a), op(DATA, a), met)


@for_each("scalar", [np.float32(2), np.float64(2), np.int64(2), np.bool_(True)])
@for_each("dtype", ["int8", "bfloat16", "float32"])
def test_a_scalar_of_numpy_is_strong_on_either_side(scalar, dtype):
    x = xp.asarray([1, 2, 3], dtype=dtype)
    met = xp.result_type(scalar.dtype, x.dtype)
    ours(scalar * x, float(scalar) * np.array([1, 2, 3]), met)
    ours(x * scalar, float(scalar) * np.array([1, 2, 3]), met)


def test_a_weak_array_defers_to_an_ndarray():
    assert (np.ones(2, np.float16) * xp.asarray(2.0)).dtype == np.float16
    assert np.add(xp.asarray(2.0), 1).weak_type


def test_matrix_products_and_comparisons():
    a = np.arange(9, dtype=np.float32).reshape(3, 3)
    ours(a @ xp.asarray(DATA), a @ DATA, np.float32)
    ours(xp.asarray(DATA) @ a, DATA @ a, np.float32)
    ours(np.zeros(3) < xp.asarray(DATA), [True, True, True], np.bool_)
    ours(np.ones(3, np.float32) == xp.asarray(DATA), [False, True, False], np.bool_)


def test_an_ndarray_indexed_by_our_array_is_an_ndarray():
    a = np.arange(5)
    for x, expected in ((xp.asarray([3, 1]), [3, 1]), (a > xp.asarray(2), [3, 4])):
        assert type(a[x]) is np.ndarray
        assert a[x].tolist() == expected
    assert a[xp.asarray(2)] == 2


def test_asarray_is_zero_copy():
    x = xp.ones(4, dtype="bfloat16")
    assert np.shares_memory(np.asarray(x), np.asarray(x))
    assert np.asarray(x, dtype=np.float32).dtype == np.float32
    with pytest.raises(ValueError):
        np.asarray(x, dtype=np.float32, copy=False)


# -- results written to an existing array -------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, ml_dtypes.bfloat16])
def test_in_place_on_an_ndarray_keeps_the_ndarray_and_its_dtype(dtype):
    a = kept = np.ones(3, dtype)
    a += xp.asarray(DATA)
    assert a is kept
    assert type(a) is np.ndarray
    assert a.dtype == dtype
    assert a.tolist() == [1.5, 2.0, 3.0]


def test_in_place_on_an_ndarray_does_not_lose_the_kind():
    a = np.arange(3)
    with pytest.raises(TypeError, match=r"add.*float32.*int64"):
        a += xp.asarray(DATA)
    assert a.tolist() == [0, 1, 2]


def test_out():
    a = np.zeros(3)
    assert np.sin(xp.asarray(DATA), out=a) is a
    np.testing.assert_allclose(a, np.sin(DATA), rtol=1e-6)
    total = np.zeros(())
    assert np.sum(xp.asarray(DATA), out=total) is total
    assert total == 3.5
    x = xp.zeros(3)
    assert np.add(DATA, 1, out=x) is x
    ours(x, DATA + 1, np.float32)
    with pytest.raises(ValueError, match="shape"):
        np.add(xp.asarray(DATA), 1, out=np.zeros(2))


def test_where_and_dtype_of_ufuncs_are_numpys():
    a = np.full(3, 9.0)
    np.add(xp.asarray(DATA), 1, out=a, where=[True, False, True])
    assert a.tolist() == [1.5, 9.0, 3.0]
    ours(np.add(xp.asarray(DATA), 1, dtype=np.float64), DATA + 1, np.float64)


def test_writers():
    a = np.zeros(3)
    np.copyto(a, xp.asarray(DATA))
    assert a.tolist() == DATA.tolist()
    np.add.at(a, xp.asarray([0, 0]), xp.ones(2))
    assert a[0] == 2.5
    x = xp.zeros(3)
    np.copyto(x, DATA)
    ours(x, DATA, np.float32)


def test_nothing_writes_into_an_immutable_array():
    with xp.config.use(mutable=False):
        x = xp.zeros(3)
        for write in (
            lambda: np.add(x, 1, out=x),
            lambda: np.copyto(x, DATA),
            lambda: np.add.at(x, [0], 1),
            lambda: np.add(x, 1, out=x, where=True),
        ):
            with pytest.raises(TypeError, match="immutable"):
                write()
        assert x.tolist() == [0, 0, 0]


# -- which type handles an operator -------------------------------------------------------------------------------------------


def test_other_types_with_protocols_answer_themselves():
    class Other:
        def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
            return "theirs"

        def __array_function__(self, func, types, args, kwargs):
            return "theirs"

    assert np.add(xp.asarray(DATA), Other()) == "theirs"
    assert np.concatenate([xp.asarray(DATA), Other()]) == "theirs"


def test_masked_arrays_keep_their_mask():
    m = np.ma.masked_array([1.0, 2.0, 3.0], [False, True, False])
    for result in (xp.asarray(DATA) + m, m + xp.asarray(DATA)):
        assert isinstance(result, np.ma.MaskedArray)
        assert result.tolist() == [1.5, None, 5.0]
    with pytest.raises(TypeError):
        xp.asarray(m)


def test_objects_and_strings_are_numpys():
    assert (np.array([1, 2, None], object)[:2] + xp.asarray([1.0, 2.0])).tolist() == [2, 4]
    assert (np.array(["a"]) == xp.asarray([1.0])).tolist() == [False]


def test_lists_of_other_things_are_numpys():
    x, names = np.broadcast_arrays(xp.asarray(DATA), [None])
    assert type(x) is xp.Array
    assert names.tolist() == [None, None, None]


def test_no_promotion_by_a_back_door():
    with xp.numpy_dtype_promotion("strict"), pytest.raises(TypePromotionError):
        np.concatenate([xp.ones(2, dtype="int8"), xp.ones(2)])


def test_like_makes_our_arrays():
    assert type(np.zeros(3, like=xp.ones(1))) is xp.Array
    assert np.asarray([1, 2], like=xp.ones(1)).dtype == np.int32


#: Whether arrays export a buffer: in Python 3.11 only types in C can.
BUFFERS = pytest.mark.skipif(
    sys.version_info < (3, 12) and xp.__engine__ == "reference",
    reason="classes of Python can have buffers from Python 3.12 on",
)


def test_bytes():
    for x in (xp.asarray([1, 2, 3]), xp.asarray([[0.5, -1], [2, 3]]).T, xp.ones(2, dtype="bool"), xp.zeros((0,))):
        assert bytes(x) == x.tobytes()
    assert bytes(xp.asarray([1, 2, 3])) == b"".join(number.to_bytes(4, sys.byteorder) for number in (1, 2, 3))
    assert bytes(xp.asarray(3)) == bytes(3)  # a shape of one axis, as in NumPy and JAX
    with pytest.raises(BufferError, match=r"np\.asarray"):
        bytes(xp.ones(2, dtype="bfloat16"))


@BUFFERS
def test_readers_of_buffers():
    x = xp.asarray([1, 2, 3])
    assert bytearray(x) == x.tobytes()
    assert np.frombuffer(x, "int32").tolist() == [1, 2, 3]
    assert xp.frombuffer(x, dtype="int32").tolist() == [1, 2, 3]
    view = memoryview(x)
    del x
    assert view.tolist() == [1, 2, 3]


def test_numpy_cannot_write_into_an_immutable_array():
    with xp.config.use(mutable=False):
        for dtype in ("float32", "bfloat16"):
            x = xp.ones(3, dtype=dtype)
            for shared in (np.asarray(x), np.asarray(x, copy=False), np.asarray(x, dtype=x.dtype)):
                assert not shared.flags.writeable
                assert np.shares_memory(shared, x._data)
            for copied in (np.array(x), np.asarray(x, dtype="float64"), np.asarray(x, copy=True)):
                assert copied.flags.writeable
                assert not np.shares_memory(copied, x._data)
            assert x._data.flags.writeable
        x = xp.ones(3)
        assert not np.from_dlpack(x).flags.writeable
        assert np.from_dlpack(x, copy=True).flags.writeable
    assert np.asarray(x).flags.writeable
    assert np.from_dlpack(x).flags.writeable


@BUFFERS
def test_memoryview():
    x = xp.asarray(DATA)
    view = memoryview(x)
    assert (view.format, view.shape, view.tolist()) == ("f", (3,), DATA.tolist())
    view[0] = 7
    assert x[0] == 7
    assert np.shares_memory(np.asarray(x), np.frombuffer(x, np.float32))
    with pytest.raises(BufferError, match="ml_dtypes"):
        memoryview(xp.ones(2, dtype="bfloat16"))
    with xp.config.use(mutable=False):
        assert memoryview(x).readonly


def test_dates_are_no_operands():
    x, date, span = xp.asarray([1]), np.datetime64("2020-01-01"), np.timedelta64(1, "D")
    for operand in (date, span, np.asarray([date]), np.asarray([span])):
        for function in (operator.add, operator.mul, operator.lt, operator.eq):
            for operands in ((x, operand), (operand, x), (x[0], operand)):
                with pytest.raises(TypeError, match="not defined between operands"):
                    function(*operands)
    with pytest.raises(TypeError):
        xp.add(x, date)


class Stubborn:
    """An element of an array of objects that refuses to be added."""

    def __add__(self, other):
        raise TypeError("stubborn")

    __radd__ = __add__


WORDS, OBJECTS = np.array(["a", "b", "c"]), np.array([Stubborn(), 1, None], object)
INTEGERS = np.zeros(3, int)
#: Calls that NumPy refuses, and how their errors begin.
REFUSED = {
    "strings": (lambda x: np.add(x, WORDS), TypeError, r"add is not defined between operands of float32, [<>]U1; cast"),
    "strings in a method": (lambda x: np.add.outer(x, WORDS), TypeError, r"add\.outer is not defined between"),
    "strings in a function": (lambda x: np.cov(x, WORDS), TypeError, r"cov"),
    "objects": (lambda x: np.less(x, OBJECTS), TypeError, r"less is not defined between .*object; "),
    "elements": (lambda x: x + OBJECTS, TypeError, r"add is not defined between operands of float32, object; "),
    "no loop": (lambda x: np.bitwise_and(x, x, where=True), TypeError, r"bitwise_and is not defined between"),
    "a narrow dtype": (lambda x: np.gcd(x.astype("bfloat16"), 1.5, where=True), TypeError, r"gcd is not defined"),
    "a keyword": (lambda x: np.add(x, x, nonsense=1), TypeError, r"add.*nonsense"),
    "a cast": (lambda x: np.add(x, 1, out=INTEGERS, where=True), TypeError, r"add: the result has dtype float32, which"),
    "shapes": (lambda x: np.matmul(x, x[:2], dtype=float), ValueError, r"matmul: operands of shapes \(3,\) and \(2,\) do not"),
    "shapes of elements": (lambda x: np.add(x, np.ones(2), where=True), ValueError, r"add: "),
    "axes": (lambda x: np.vecdot(x, x, axis=3, dtype=float), IndexError, r"vecdot: "),
}  # fmt: skip


@for_each("case", REFUSED)
def test_errors_of_numpy_name_its_function(case):
    call, error, words = REFUSED[case]
    with pytest.raises(error, match=rf"^{words}"):
        call(xp.asarray(DATA))


def test_unlike_things_are_unequal():
    x = xp.asarray(DATA)
    assert operator.eq(x, WORDS).tolist() == [False] * 3
    assert operator.ne(WORDS, x).tolist() == [True] * 3


@pytest.mark.parametrize("dtype", ["uint8", "int64", "int4", "uint64"])
def test_bytes_of_an_integer_without_axes_are_as_many_zeros(dtype):
    assert bytes(xp.asarray(3, dtype=dtype)) == b"\0\0\0"
    if dtype == "uint64":
        with pytest.raises(OverflowError, match="cannot fit 'Array' into an index-sized integer"):
            bytes(xp.asarray(2**63, dtype=dtype))
    if dtype.startswith("int"):
        with pytest.raises(ValueError, match="negative count"):
            bytes(xp.asarray(-1, dtype=dtype))
    with pytest.raises(BufferError, match="no dtypes of ml_dtypes"):
        bytes(xp.asarray(1.5, dtype="bfloat16"))
