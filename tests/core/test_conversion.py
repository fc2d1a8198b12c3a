"""Conversion of any object by `asarray` (supremum._core.conversion)."""

import array as stdlib_array
import collections
import enum

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import config
from supremum._core import conversion as a
from supremum._core.conversion import operand
from supremum.promotion._nodes import NODES


def made(obj, **kwargs):
    x = xp.asarray(obj, **kwargs)
    assert isinstance(x._data, np.ndarray)
    return x.dtype.name + ("*" if x.weak_type else ""), x._data.tolist()


@for_each(
    ("obj", "dtype", "values"),
    [
        (True, "bool", True),
        (2, "int32*", 2),
        (2.5, "float32*", 2.5),
        (2j, "complex64*", 2j),
        ([1, 2], "int32", [1, 2]),
        ((1, 2.5), "float32", [1, 2.5]),
        ([True, 2], "int32", [1, 2]),
        ([True, False], "bool", [True, False]),
        ([1, 2j], "complex64", [1, 2j]),
        ([], "float32", []),
        ([[], []], "float32", [[], []]),
        (range(3), "int32", [0, 1, 2]),
        ([[1, 2], (3, 4)], "int32", [[1, 2], [3, 4]]),
        ([np.int8(1), 2], "int8", [1, 2]),
        ([np.int8(1), np.float16(2)], "float16", [1, 2]),
        ([np.array([1, 2], np.int8), [3, 4]], "int8", [[1, 2], [3, 4]]),
        (np.float64(2), "float64", 2),
        (np.arange(2, dtype=">i4"), "int32", [0, 1]),
        (stdlib_array.array("d", [1, 2]), "float64", [1, 2]),
        (memoryview(b"ab"), "uint8", [97, 98]),
        (bytearray(b"ab"), "uint8", [97, 98]),
    ],  # all workers of a run must give the test the same name
)
def test_dtype_and_values_follow_from_the_object(obj, dtype, values):
    assert made(obj) == (dtype, values)


def test_lists_of_arrays_of_ours():
    assert made([xp.int8(1), 2]) == ("int8", [1, 2])
    assert made([xp.asarray(1), 2]) == ("int32", [1, 2])  # a list is strong, whatever its elements are
    assert made([xp.ones(2, dtype="int8"), xp.ones(2, dtype="bfloat16")]) == ("bfloat16", [[1, 1], [1, 1]])


def test_uint64_never_passes_through_a_float():
    assert made([2**64 - 1, 0], dtype="uint64") == ("uint64", [2**64 - 1, 0])
    assert made(2**64 - 1, dtype="uint64") == ("uint64", 2**64 - 1)
    assert made([-(2**63)], dtype="int64") == ("int64", [-(2**63)])


@for_each(
    ("obj", "dtype", "result"),
    [
        (2.7, "int8", ("int8", 2)),
        ([2.7, -2.7], "int8", ("int8", [2, -2])),
        (2, "bfloat16", ("bfloat16", 2)),
        (-3, "int4", ("int4", -3)),
        ([-8, 7], "int4", ("int4", [-8, 7])),
        (2, "complex64", ("complex64", 2)),
        (2j, "bool", ("bool", True)),
        ([1.5, 0], "bool", ("bool", [True, False])),
        (2**70, "float32", ("float32", float(2**70))),
        (1, int, ("int32", 1)),
        (1, float, ("float32", 1)),
    ],
)
def test_a_dtype_that_is_asked_for(obj, dtype, result):
    assert made(obj, dtype=dtype) == result


@pytest.mark.parametrize(
    ("obj", "dtype", "error"),
    [
        (300, "uint8", OverflowError),
        (-1, "uint8", OverflowError),
        ([300], "uint8", OverflowError),
        (8, "int4", OverflowError),
        (2**64, None, OverflowError),
        ([2**64], None, OverflowError),
        ([2**63, -1], None, OverflowError),
        (float("nan"), "int32", ValueError),
        (float("inf"), "int32", OverflowError),
        ([float("nan")], "int32", ValueError),
        (1j, "float32", TypeError),
        ([1j], "int8", TypeError),
        ("a", None, TypeError),
        (["a"], None, TypeError),
        (b"a", None, TypeError),
        (None, None, TypeError),
        ([None], None, TypeError),
        ({1: 2}, None, TypeError),
        ({1}, None, TypeError),
        pytest.param(object(), None, TypeError, id="object"),  # its repr contains an address
        (np.array(["a"]), None, TypeError),
        (np.array([None]), None, TypeError),
        (np.array(["2020"], "M8[Y]"), None, TypeError),
        (np.zeros(2, "i4,f4"), None, TypeError),
        ([[1], [1, 2]], None, ValueError),
        ([1, [2]], None, ValueError),
        ([np.ones(2), np.ones(3)], None, ValueError),
        (1, "float65", TypeError),
        (1, object, TypeError),
        (1, "int*", TypeError),
    ],
    ids=repr,
)
def test_what_cannot_be(obj, dtype, error):
    with pytest.raises(error, match=r"asarray|cannot convert float"):
        xp.asarray(obj, dtype=dtype)


def test_cyclic_and_deep_lists_end_in_an_error():
    cyclic: list = []
    cyclic.append(cyclic)
    deep: list = []
    for _ in range(100):
        deep = [deep]
    for obj in (cyclic, deep):
        with pytest.raises(ValueError, match="nested deeper"):
            xp.asarray(obj)


def test_an_array_that_fits_is_itself():
    strong, weak = xp.asarray([1, 2]), xp.asarray(2)
    for x in (strong, weak):
        assert xp.asarray(x) is x
        assert xp.asarray(x, copy=False) is x
        assert xp.array(x, copy=False) is x
        assert xp.asarray(x, device="cpu") is x
        assert xp.asarray(x, copy=True) is not x
        assert xp.array(x) is not x
    assert xp.asarray(strong, dtype="int32") is strong
    assert not xp.asarray(weak, dtype="int32").weak_type
    assert weak.weak_type


def test_copies():
    a = np.ones(2, np.float32)
    assert np.shares_memory(xp.asarray(a)._data, a)
    assert np.shares_memory(xp.asarray(a, copy=False)._data, a)
    assert not np.shares_memory(xp.asarray(a, copy=True)._data, a)
    assert not np.shares_memory(xp.array(a)._data, a)
    x = xp.asarray(a)
    assert xp.asarray(x)._data is x._data
    assert not np.shares_memory(xp.asarray(x, copy=True)._data, a)
    for obj, dtype in [(a, "float64"), (1, None), ([1], None), (a.astype(a.dtype.newbyteorder()), None)]:
        with pytest.raises(ValueError, match="copy"):
            xp.asarray(obj, dtype=dtype, copy=False)


def test_off_truncates():
    with config.use(x64="off"):
        assert made(np.array([1.5])) == ("float32", [1.5])
        assert made([1, 2]) == ("int32", [1, 2])
        with pytest.raises(OverflowError, match="int32"):
            xp.asarray(2**40)


def test_objects_with_protocols():
    class Buffer:
        def __array__(self, dtype=None, copy=None):
            return np.array([1, 2], np.int16)

    class Capsule:
        def __init__(self):
            self.data = np.array([1.0, 2.0], np.float32)

        def __dlpack__(self, **kwargs):
            return self.data.__dlpack__(**kwargs)

        def __dlpack_device__(self):
            return self.data.__dlpack_device__()

    class Level(enum.IntEnum):
        HIGH = 3

    assert made(Buffer()) == ("int16", [1, 2])
    assert made(Capsule()) == ("float32", [1, 2])
    assert made(Level.HIGH) == ("int32*", 3)


def test_lists_of_objects_with_protocols_as_in_jax():
    class Column:
        def __init__(self, *values):
            self.values = np.array(values, np.float32)

        def __array__(self, dtype=None, copy=None):
            return self.values

    assert made([Column(1, 2), Column(3, 4)]) == ("float32", [[1, 2], [3, 4]])
    assert made([[Column(1)], [Column(2)]], dtype="bfloat16") == ("bfloat16", [[[1]], [[2]]])
    assert made((Column(1, 2), [3, 4])) == ("float32", [[1, 2], [3, 4]])
    assert made([Column(1, 2), xp.ones(2, dtype="bfloat16")]) == ("float32", [[1, 2], [1, 1]])
    assert made([memoryview(b"ab"), [3, 4]]) == ("uint8", [[97, 98], [3, 4]])
    assert made([collections.deque([1, 2]), [3, 4]]) == ("int32", [[1, 2], [3, 4]])
    with pytest.raises(ValueError, match=r"inhomogeneous shape after 1 dimensions: \[\(1,\), \(2,\)\]"):
        xp.asarray([Column(1), Column(1, 2)])


def test_operands_are_no_lists():
    for bad in ([1], (1,), "a", None, {}):
        with pytest.raises(TypeError, match="add"):
            operand(bad, "add", 1)
    assert operand(2, "add").weak_type
    assert not operand(np.int8(2), "add").weak_type


def test_integers_of_64_bits_are_uint64_beside_uint64_arrays_in_either_mode():
    for mode in ("explicit", "on"):
        with config.use(x64=mode):
            x = xp.asarray([1, 2**63], dtype="uint64")
            assert int(xp.searchsorted(x, 2**63)) == 1
            assert xp.where(xp.asarray([True, False]), x, 2**63)._data.tolist() == [1, 2**63]
            assert (x + 2**63)._data.tolist() == [2**63 + 1, 0]


@pytest.mark.parametrize(
    ("obj", "kwargs", "dtype", "values"),
    [
        ([np.float64(1), 0.1], {}, "float64", [1, 0.1]),
        ([[xp.asarray(2.0, dtype="float64"), 0.1]], {}, "float64", [[2, 0.1]]),
        ([np.float32(1), 0.1], {"dtype": "float64"}, "float64", [1, 0.1]),
        ([np.complex128(1), 0.1j], {}, "complex128", [1, 0.1j]),
        ([np.bool_(True), 300], {}, "int32", [1, 300]),
        ([np.array([1, 2], np.int8), [3, 4]], {}, "int8", [[1, 2], [3, 4]]),
    ],
    ids=str,
)
def test_numbers_beside_arrays_in_a_list_lose_nothing(obj, kwargs, dtype, values):
    assert made(obj, **kwargs) == (dtype, values)


@pytest.mark.parametrize("obj", [[np.int8(1), 300], [np.uint8(1), -1], [np.array([1, 2], np.int8), [300, 4]]], ids=str)
def test_numbers_beside_arrays_in_a_list_that_do_not_fit_are_refused(obj):
    with pytest.raises(OverflowError, match="asarray"):
        xp.asarray(obj)


X = xp.asarray([0.25, 0.5, 0.75, 3.0], dtype="float64")
MASK = xp.asarray([True, False, True, False])
KEY = xp.random.key(0)
POINT_ONE = xp.asarray(0.1, dtype="float64")
#: Calls that combine a Python number with an array of float64.
WITH_A_NUMBER = {
    "append": lambda s: xp.append(X, s),
    "array_equal": lambda s: xp.array_equal(POINT_ONE, s),
    "array_equiv": lambda s: xp.array_equiv(POINT_ONE, s),
    "at.add": lambda s: X.at[0].add(s),
    "at.get": lambda s: X.at[9].get(mode="fill", fill_value=s),
    "at.power": lambda s: X.at[0].power(s),
    "at.set": lambda s: X.at[0].set(s),
    "block": lambda s: xp.block([X, s]),
    "boxcox": lambda s: xp.scipy.special.boxcox(X, s),
    "celu": lambda s: xp.nn.celu(-X, s),
    "choose": lambda s: xp.choose(xp.asarray([0, 1, 0, 0]), [X, s]),
    "clip": lambda s: xp.clip(X, s, s),
    "compress": lambda s: xp.compress(MASK, X, size=4, fill_value=s),
    "diff": lambda s: xp.diff(X, prepend=s),
    "digitize": lambda s: xp.digitize(s, POINT_ONE[None], right=True),
    "ediff1d": lambda s: xp.ediff1d(X, to_end=s),
    "fill_diagonal": lambda s: xp.fill_diagonal(xp.zeros((3, 3), dtype="float64"), s, inplace=False),
    "full_like": lambda s: xp.full_like(X, s),
    "histogram_bin_edges": lambda s: xp.histogram_bin_edges(X, 4, range=(s, 1.0)),
    "insert": lambda s: xp.insert(X, 0, s),
    "interp": lambda s: xp.interp(s, X, X * 2),
    "isclose": lambda s: xp.isclose(X, X * 1.1, rtol=s, atol=0),
    "isin": lambda s: xp.isin(POINT_ONE, s),
    "linspace": lambda s: xp.linspace(X, s, 5),
    "pad": lambda s: xp.pad(X, 1, constant_values=s),
    "piecewise": lambda s: xp.piecewise(X, [MASK], [s, 0.5]),
    "place": lambda s: xp.place(X, MASK, s, inplace=False),
    "put": lambda s: xp.put(X, 0, s, inplace=False),
    "put_along_axis": lambda s: xp.put_along_axis(X, xp.asarray([0]), s, 0, inplace=False),
    "r_": lambda s: xp.r_[X, s],
    "random.pareto": lambda s: xp.random.pareto(KEY, s, (3,), "float64"),
    "random.uniform": lambda s: xp.random.uniform(KEY, (3,), "float64", s, 1.0),
    "random.wald": lambda s: xp.random.wald(KEY, s, (3,), "float64"),
    "random.weibull_min": lambda s: xp.random.weibull_min(KEY, s, s, (3,), "float64"),
    "searchsorted": lambda s: xp.searchsorted(POINT_ONE[None], s, side="right"),
    "select": lambda s: xp.select([MASK], [X], s),
    "setdiff1d": lambda s: xp.setdiff1d(X, X, size=6, fill_value=s),
    "squareplus": lambda s: xp.nn.squareplus(X, s),
    "stack": lambda s: xp.stack([X[0], s]),
    "standardize": lambda s: xp.nn.standardize(X, mean=s, variance=s),
    "take": lambda s: xp.take(X, xp.asarray([9]), mode="fill", fill_value=s),
    "trapezoid": lambda s: xp.trapezoid(X, dx=s),
    "union1d": lambda s: xp.union1d(X, X, size=6, fill_value=s),
    "unique": lambda s: xp.unique(X, size=6, fill_value=s),
    "unwrap": lambda s: xp.unwrap(X, period=s),
    "where": lambda s: xp.where(MASK, X, s),
    "xlogy": lambda s: xp.scipy.special.xlogy(X, s),
}


@for_each("name", WITH_A_NUMBER)
def test_python_numbers_keep_their_digits_beside_64_bit_floats(name):
    # The default float is float32, where 0.1 is a different number than in float64.
    result, exact = WITH_A_NUMBER[name](0.1), WITH_A_NUMBER[name](POINT_ONE)
    assert result.dtype == exact.dtype
    assert np.array_equal(np.asarray(result), np.asarray(exact))


class Parameter:
    """An object of a foreign class with JAX's protocol for conversion to an array."""

    def __init__(self, value):
        self.value = value

    def __jax_array__(self):
        return self.value


def test_objects_with_jax_array_are_arrays():
    """The expected values are JAX 0.10.2's: `asarray` and `array` use the protocol, for items of a list too."""
    vector = Parameter(xp.asarray([1.5, 2.5]))
    assert made(vector) == ("float32", [1.5, 2.5])
    assert made(vector, dtype="int8") == ("int8", [1, 2])
    assert made(Parameter(2.0)) == ("float32*", 2.0)
    assert made(Parameter(np.ones(2, "int16"))) == ("int16", [1, 1])
    assert made(Parameter([1.0, 2.0])) == ("float32", [1.0, 2.0])
    assert made([vector, [3, 4]]) == ("float32", [[1.5, 2.5], [3, 4]])
    assert xp.array(vector).tolist() == [1.5, 2.5]
    for wrong in (Parameter(None), Parameter(Parameter(1.0))):
        with pytest.raises(TypeError, match="__jax_array__ of Parameter must return an array"):
            xp.asarray(wrong)
    with pytest.raises(TypeError, match="not an array of numbers"):
        xp.asarray(Parameter)


def test_operators_take_objects_with_jax_array():
    x, vector, half = xp.asarray([3.0, 4.0]), Parameter(xp.asarray([1.5, 2.5])), Parameter(0.5)
    for result, values in [
        (x + vector, [4.5, 6.5]),
        (vector + x, [4.5, 6.5]),
        (half / x, [0.5 / 3, 0.125]),
        (x @ vector, 14.5),
        (vector @ x, 14.5),
        (x == vector, [False, False]),
        (vector < x, [True, True]),
    ]:
        assert np.asarray(result).tolist() == np.asarray(values, "float32").tolist()
    assert (xp.asarray([2], dtype="bfloat16") * half).dtype == "bfloat16"
    x += vector
    assert x.tolist() == [4.5, 6.5]
    x[0] = half
    assert x.tolist() == [0.5, 6.5]


def test_functions_take_objects_with_jax_array():
    vector, matrix = Parameter(xp.asarray([1.5, 2.5])), Parameter(xp.asarray([[1.0, 2.0], [3.0, 4.0]]))
    assert xp.sum(vector).tolist() == 4
    assert xp.add(vector, vector).tolist() == [3, 5]
    assert xp.where(Parameter(xp.asarray([True, False])), vector, 0).tolist() == [1.5, 0]
    assert xp.matmul(matrix, vector).tolist() == [6.5, 14.5]
    assert xp.stack([vector, vector]).shape == (2, 2)
    assert xp.zeros_like(vector).shape == (2,)
    assert (xp.shape(matrix), xp.ndim(matrix), xp.size(matrix)) == ((2, 2), 2, 4)
    assert xp.isscalar(Parameter(2.0))
    assert not xp.isscalar(vector)


# -- bytes that are no values of their dtype ----------------------------------------------------------------------------------

#: A mask as images and C have them: whatever is not zero is true.
BYTES = np.array([255, 0, 1, 128, 2, 0], np.uint8).view(np.bool_)
TRUTHS = [True, False, True, True, True, False]


def views():
    """Return the mask in several layouts, with its truth values."""
    yield BYTES, TRUTHS
    yield BYTES[::-1], TRUTHS[::-1]
    yield BYTES.reshape(2, 3).T, [list(row) for row in zip(TRUTHS[:3], TRUTHS[3:], strict=True)]
    yield BYTES[0], True
    yield BYTES[:1].reshape(()), True
    read_only = BYTES.copy()
    read_only.flags.writeable = False
    yield read_only, TRUTHS


def test_bools_of_any_bytes_are_truth_values():
    for data, truths in views():
        for x in (
            xp.asarray(data),
            xp.array(data),
            xp.asarray(data, copy=True),
            xp.from_dlpack(data) if data.flags.writeable else xp.asarray(data),
        ):
            assert x.tolist() == truths
            assert np.isin(np.asarray(x).view(np.uint8), [0, 1]).all()
    assert BYTES.view(np.uint8).tolist() == [255, 0, 1, 128, 2, 0]


@for_each(
    "call",
    [
        xp.sum,
        xp.mean,
        xp.cumsum,
        xp.bincount,
        xp.sort,
        xp.argsort,
        xp.unique,
        xp.max,
        xp.std,
        xp.count_nonzero,
        xp.nonzero,
        xp.cos,
        xp.logical_not,
        xp.any,
        lambda x: xp.searchsorted(xp.asarray([False, True]), x),
        lambda x: x + 1,
        lambda x: 1.5 * x,
        lambda x: x @ x,
        lambda x: xp.asarray([1.0]) + x,
        lambda x: xp.where(x, 1, 2),
        lambda x: x.astype("bfloat16"),
        lambda x: x.astype("int4"),
        lambda x: x.astype("float4_e2m1fn"),
        lambda x: x == xp.asarray(True),
        lambda x: xp.arange(6)[x],
        lambda x: xp.arange(6).at[x].set(9),
        lambda x: xp.take(x, xp.asarray([3, 0])),
        lambda x: xp.concat([x, x]),
        lambda x: xp.packbits(x),
        lambda x: x & True,
        lambda x: xp.lexsort((x, x)),
        lambda x: xp.stack([x, x]),
    ],
)
def test_functions_of_bools_of_any_bytes(call):
    plain = np.array(TRUTHS)
    for given in (xp.asarray(BYTES), xp.asarray(np.repeat(BYTES, 2)[::2])):
        found, wanted = call(given), call(xp.asarray(plain))
        found, wanted = (each if isinstance(each, tuple) else (each,) for each in (found, wanted))
        for one, other in zip(found, wanted, strict=True):
            assert one.dtype == other.dtype
            assert np.asarray(one).tobytes() == np.asarray(other).tobytes()


def test_bools_of_any_bytes_enter_by_every_door():
    import pickle

    x = xp.asarray([1, 2, 3, 4, 5, 6])
    assert (xp.asarray(TRUTHS) & BYTES).tolist() == TRUTHS
    assert (x * BYTES).tolist() == [1, 0, 3, 4, 5, 0]
    assert (BYTES * x).tolist() == [1, 0, 3, 4, 5, 0]
    assert int(xp.sum(BYTES)) == 4
    assert x[BYTES].tolist() == [1, 3, 4, 5]
    y = xp.zeros(6, dtype="bool")
    y[...] = BYTES
    assert np.asarray(y).tobytes() == np.array(TRUTHS).tobytes()
    assert xp.frombuffer(BYTES.tobytes(), dtype="bool").sum() == 4
    assert xp.asarray(BYTES.view(np.uint8)).view("bool").sum() == 4
    assert xp.asarray(memoryview(BYTES)).sum() == 4
    rebuild, (_, *others) = xp.asarray(TRUTHS).__reduce__()
    assert rebuild(pickle.loads(pickle.dumps(BYTES)), *others).sum() == 4


def test_what_has_other_bytes_cannot_be_shared():
    clean = np.array(TRUTHS)
    assert np.shares_memory(xp.asarray(clean, copy=False)._data, clean)
    assert np.shares_memory(xp.asarray(clean)._data, clean)
    with pytest.raises(ValueError, match="bytes that are no values of it"):
        xp.asarray(BYTES, copy=False)
    with pytest.raises(BufferError, match="bytes that are no values of it"):
        xp.from_dlpack(BYTES, copy=False)


@pytest.mark.parametrize("name", ["int4", "uint4", "int2", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn"])
def test_unused_bits_of_narrow_elements_are_ignored(name):
    bits = xp.finfo(name).bits if name.startswith("float") else xp.iinfo(name).bits
    codes = np.arange(256, dtype=np.uint8)
    dirty = codes.view(xp.dtype(name))
    x, plain = xp.asarray(dirty), xp.asarray((codes & ((1 << bits) - 1)).view(xp.dtype(name)))
    calls = [
        lambda x: x == plain,
        lambda x: x < plain[::-1],
        lambda x: xp.clip(x, plain[1], plain[2]),
        lambda x: xp.where(plain > 0, x, plain),
        lambda x: xp.minimum(x, plain[::-1]),
        lambda x: x.astype("float32"),
        lambda x: xp.sort(x),
        lambda x: xp.sum(x),
        xp.negative,
        lambda x: xp.concat([x, plain]),
        lambda x: x[::2],
        lambda x: x + x,
        xp.max,
        xp.argmax,
        lambda x: x.at[0].set(x[200]),
    ]
    for call in calls:
        if call is xp.negative and name.startswith("u"):
            continue
        assert np.asarray(call(x)).tobytes() == np.asarray(call(plain)).tobytes()


# -- dtypes that are equal to NumPy's own and not the same object -------------------------------------------------------------


def other_objects(name):
    """Return arrays whose dtypes NumPy made anew, as reading a pickle and swapping bytes do."""
    import pickle

    data = np.array([3, 1, 1, 2]).astype(name)
    swapped = data.dtype.newbyteorder()
    yield data.astype(swapped)
    yield data.astype(swapped.newbyteorder())
    yield pickle.loads(pickle.dumps(data))


@pytest.mark.parametrize("name", ["int8", "int32", "int64", "uint64", "float64", "complex128"])
def test_dtypes_that_are_other_objects_are_those_of_the_nodes(name):
    for data in other_objects(name):
        x = xp.asarray(data)
        assert x._data.dtype is np.dtype(name)
        assert x.tolist() == [3, 1, 1, 2]
        copied = xp.asarray(data, copy=True)
        assert not np.shares_memory(copied._data, data)
        if data.dtype.isnative:
            assert np.shares_memory(x._data, data)


#: Calls of NumPy with lists; `x` is an array of three floats.
OF_LISTS = (
    "xp.mean([1, 2, 3])", "xp.percentile(x, [25, 50])", "xp.interp(1.5, [1, 2], [3, 4])", "x + [1, 2, 3]", "[1, 2, 3] - x",
    "x * (1, 2, 3)", "[1, 2, 3] * x", "x == [3, 1, 2]", "[1, 2, 3] < x", "x @ [1, 2, 3]", "[1, 2, 3] @ x", "x[[0, 2]]",
    "xp.add([1, 2], [3, 4])", "x[[True, False, True]]", "xp.concatenate([[1], [2]])", "xp.linalg.norm([3.0, 4.0])",
    "xp.average(x, weights=[1, 2, 3])", "xp.where([True, False, True], x, 0)", "xp.take(x, [0, 1])", "x.dot([1, 2, 3])",
)  # fmt: skip


@for_each("call", OF_LISTS)
def test_lists_are_taken_where_the_settings_say_so(call):
    expected = eval(call, {"xp": np, "x": np.asarray([3.0, 1.0, 2.0])})  # noqa: S307 - the calls above
    given = {"xp": xp, "x": xp.asarray([3.0, 1.0, 2.0])}
    for settings in ({"lists": "convert"}, {"promotion": "numpy"}):
        with xp.config.use(**settings):
            found = eval(call, given)  # noqa: S307 - the calls above
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-6)
    with pytest.raises(TypeError, match=r"config\.lists = 'convert'$"):
        eval(call, given)  # noqa: S307 - the calls above


def test_items_are_assigned_at_lists():
    x = xp.zeros(3)
    with xp.config.use(lists="convert"):
        x[[0, 2]] = [1, 2]
        x += [1, 1, 1]
    assert x.tolist() == [2.0, 1.0, 3.0]
    with xp.promotion.use("numpy"):
        assert xp.add(xp.asarray([1, 2], dtype="int8"), [1, 2]).dtype == "int64"  # NumPy's dtype of the list


@pytest.mark.parametrize("dtype", ["float4_e2m1fn", "float8_e4m3fn", "bfloat16", "float64"])
def test_large_integers_among_floats_become_floats(dtype):
    assert xp.array_equal(xp.asarray([1 << 64, 1.5], dtype), xp.asarray([float(1 << 64), 1.5], dtype), equal_nan=True)


def test_every_integer_has_a_truth_value():
    assert xp.asarray(10**400, dtype="bool").tolist() is xp.asarray([10**400], dtype="bool").tolist()[0] is True


# -- axes, sequences, dtypes --------------------------------------------------------------------------------------------------


def test_axes():
    assert [a.normalize_axis(axis, 3, "f") for axis in (0, -1, 2, True, np.int64(1), xp.asarray(1))] == [0, 2, 2, 1, 1, 1]
    assert a.normalize_axes(None, 3, "f") == (0, 1, 2)
    assert a.normalize_axes((0, -1), 3, "f") == (0, 2)
    assert a.normalize_axes((1, -2), 3, "f", repeated=True) == (1, 1)
    for axis in (3, -4):
        for error in (ValueError, IndexError):
            with pytest.raises(error, match=rf"f: axis {axis} is out of bounds for array of dimension 3"):
                a.normalize_axis(axis, 3, "f")
    with pytest.raises(TypeError, match="f: axis must be an integer"):
        a.normalize_axis(1.5, 3, "f")
    with pytest.raises(ValueError, match="f: the axes must be distinct"):
        a.normalize_axes((1, -2), 3, "f")


def test_numbers():
    assert a.as_integers(3, "n", "f") == (3,)
    assert a.as_integers([1, np.int8(2)], "n", "f") == (1, 2)
    assert a.as_integers(xp.asarray([1, 2]), "n", "f") == (1, 2)
    for bad in ("a", 1.5, (1, 2.5), None):
        with pytest.raises(TypeError, match="f: n must be an integer or a sequence of integers"):
            a.as_integers(bad, "n", "f")


def test_sequences_of_arrays():
    assert [x.shape for x in a.as_arrays([1, np.ones(2)], "f")] == [(), (2,)]
    assert [x.tolist() for x in a.as_arrays(xp.asarray([[1, 2], [3, 4]]), "f")] == [[1, 2], [3, 4]]
    for bad in ([], xp.zeros((0, 2)), xp.asarray(1)):
        with pytest.raises(ValueError, match="f: "):
            a.as_arrays(bad, "f")
    for bad in (3, xp.asarray(1), ["a"], None):
        with pytest.raises(TypeError, match="f"):
            a.as_arrays(bad, "f")


def test_arrays_that_agree_are_not_copied():
    x, y = xp.ones(2), xp.zeros(2)
    node, (first, second) = a.promote_arrays([x, y])
    assert node is NODES["float32"]
    assert first is x._data
    assert second is y._data
    node, (first, second) = a.promote_operands("f", x, 1)
    assert (node, second.dtype) == (NODES["float32"], "float32")


def test_nodes_of_indices():
    assert a.index_node(10) is NODES["int32"]
    assert a.index_node(1 << 31) is NODES["int64"]
    with config.use(x64="on"):
        assert a.index_node(10) is NODES["int64"]


def test_devices_and_shardings_over_them():
    from supremum.jax.sharding import SingleDeviceSharding

    for device in (None, "cpu", SingleDeviceSharding("cpu"), xp.ones(1).sharding):
        a.check_device(device, "f")
        assert xp.zeros(2, device=device).shape == (2,)
    for device in ("gpu", 0, SingleDeviceSharding("gpu"), ["cpu"]):
        with pytest.raises(ValueError, match="f: the only device is 'cpu'"):
            a.check_device(device, "f")


@pytest.mark.parametrize("digits", [400, 5000])  # Python writes no integers of more than 4,300 digits
def test_errors_for_large_integers_are_short(digits):
    number = 10**digits
    for call in (
        lambda: xp.asarray(number), lambda: xp.asarray([1, number]), lambda: xp.int8(number), lambda: xp.full(2, number),
        lambda: xp.zeros(2, dtype="int8").at[0].set(number),
    ):  # fmt: skip
        with pytest.raises(OverflowError) as caught:
            call()
        assert len(str(caught.value)) < 150
