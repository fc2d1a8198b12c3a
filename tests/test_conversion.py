"""What `asarray` makes of any object (supremum._conversion)."""

import array as stdlib_array
import enum

import numpy as np
import pytest

import supremum as xp
from supremum import config
from supremum._conversion import operand


def made(obj, **kwargs):
    x = xp.asarray(obj, **kwargs)
    assert isinstance(x._data, np.ndarray)
    return x.dtype.name + ("*" if x.weak_type else ""), x._data.tolist()


@pytest.mark.parametrize(
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
        (2**40, "int64*", 2**40),
        ([2**40, 1], "int64", [2**40, 1]),
        ([2**63], "uint64", [2**63]),
        ([2**53 + 1, 2**62 + 1], "int64", [2**53 + 1, 2**62 + 1]),
    ],
    ids=repr,
)
def test_dtype_and_values_follow_from_the_object(obj, dtype, values):
    assert made(obj) == (dtype, values)


def test_lists_of_arrays_of_ours():
    assert made([xp.int8(1), 2]) == ("int8", [1, 2])
    assert made([xp.asarray(1), 2]) == ("int32", [1, 2])  # a list is strong, whatever is in it
    assert made([xp.ones(2, dtype="int8"), xp.ones(2, dtype="bfloat16")]) == ("bfloat16", [[1, 1], [1, 1]])


def test_uint64_never_passes_through_a_float():
    assert made([2**64 - 1, 0], dtype="uint64") == ("uint64", [2**64 - 1, 0])
    assert made(2**64 - 1, dtype="uint64") == ("uint64", 2**64 - 1)
    assert made([-(2**63)], dtype="int64") == ("int64", [-(2**63)])


@pytest.mark.parametrize(
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
    ids=repr,
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
        (object(), None, TypeError),
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


def test_copies():
    a = np.ones(2, np.float32)
    assert np.shares_memory(xp.asarray(a)._data, a)
    assert np.shares_memory(xp.asarray(a, copy=False)._data, a)
    assert not np.shares_memory(xp.asarray(a, copy=True)._data, a)
    assert not np.shares_memory(xp.array(a)._data, a)
    x = xp.asarray(a)
    assert xp.asarray(x)._data is x._data
    assert not np.shares_memory(xp.asarray(x, copy=True)._data, a)
    for obj, dtype in [(a, "float64"), (1, None), ([1], None), (a.astype(">f4"), None)]:
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
            assert made([2**63]) == ("uint64", [2**63])
            assert int(xp.searchsorted(x, 2**63)) == 1
            assert xp.where(xp.asarray([True, False]), x, 2**63)._data.tolist() == [1, 2**63]
            assert (x + 2**63)._data.tolist() == [2**63 + 1, 0]
