# ruff: noqa: E501, PLW2901 - a row of a table is one case; loop variables are replaced by what they describe
"""The engines: indexing, conversions to Python's objects, iteration and buffers. One set of tests for both engines."""

import io
import operator

import numpy as np
import pytest
from common import for_each
from engines import same, samples

# -- indexing ---------------------------------------------------------------------------------------------------------------------------------

KEYS = [0, 1, -1, slice(None), slice(1, 3), slice(None, None, -1), slice(5, 1, -2), slice(-100, 100), slice(2, 2), ..., None, (), (0, 1), (1, slice(1)),
        (slice(None), None), (None, ..., 0), (..., 1), (0, ..., 1), (0, 1, ...), (slice(None, None, -1), slice(None, None, 2)), (None, 0, None, 1, None)]  # fmt: skip


@for_each("key", KEYS, identity=repr)
def test_reading(engine, key):
    data = np.arange(20, dtype=np.int32).reshape(4, 5)
    for x in (data, data.T, data[::-1, ::2], np.asfortranarray(data)):
        got = engine.array(x)[key]
        same(got, x[key])
        assert np.shares_memory(got._data, x) == np.shares_memory(x[key], x)


def test_reading_by_arrays(engine):
    data = np.arange(20, dtype=np.float32).reshape(4, 5)
    x = engine.array(data)
    for dtype in ("i1", "u1", "i4", "i8", "u2"):
        same(x[engine.array(np.asarray(2, dtype))], data[2])
        same(x[engine.array(np.asarray(2, dtype)), 1], np.asarray(data[2, 1]))
        same(x[engine.array(np.asarray([2, 0], dtype))], data[[2, 0]])
    same(x[engine.array(data > 7)], data[data > 7])
    same(x[engine.array(np.asarray([True, False, True, False]))], data[[0, 2]])
    same(x[True], data[True])
    with pytest.raises(IndexError):
        x[engine.array(np.asarray([7]))]
    for key in (4, -5, 2**70, (0, 0, 0), (..., ...), (0, 5)):
        with pytest.raises(IndexError):
            x[key]
    with pytest.raises((IndexError, TypeError)):
        x[1.5]
    with pytest.raises(ValueError):
        x[::0]
    with pytest.raises(TypeError):
        del x[0]


@pytest.mark.combinations
@pytest.mark.parametrize("key", KEYS, ids=repr)
@pytest.mark.parametrize("dtype", ["f4", "i4", "c8", "?", "u1", "f8"])
def test_writing(engine, key, dtype):
    for value in (True, 1, 2.5, 1j, "same", "one"):
        data = np.zeros((4, 5), dtype)
        wanted = data.copy()
        part = wanted[key]
        if value == "same":
            value = engine.array(samples(dtype, np.shape(part)))
            wanted[key] = value._data
        elif value == "one":
            value = engine.array(samples(dtype, (1,)))
            if np.ndim(part) == 0:
                continue
            wanted[key] = value._data
        elif {bool: 0, int: 1, float: 2, complex: 3}[type(value)] > {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}[
            wanted.dtype.kind
        ]:
            continue
        else:
            wanted[key] = value
        x = engine.array(data)
        x[key] = value
        same(x, wanted)


def test_writing_errors(engine):
    x = engine.array(np.zeros(3, np.int32))
    for key, value, error in (
        (0, 1.5, TypeError),
        (7, 1, IndexError),
        (0, 2**40, OverflowError),
        (slice(None), engine.array(np.zeros(2, np.int32)), ValueError),
    ):
        with pytest.raises(error):
            x[key] = value
    same(x, np.zeros(3, np.int32))
    x[engine.array(np.asarray([0, 2]))] = engine.array(np.asarray([5, 6], np.int32))
    x[engine.array(np.asarray([False, True, False]))] = engine.array(np.asarray([9], np.int32))
    same(x, np.asarray([5, 9, 6], np.int32))
    x[1:] = x[:-1]
    same(x, np.asarray([5, 5, 9], np.int32))
    data = np.zeros(2)
    data.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        engine.array(data)[0] = 1


# -- conversions, iteration, buffer -----------------------------------------------------------------------------------------------------------------


def test_numbers(engine):
    for dtype in ("f4", "f8", "i1", "i4", "u8", "?"):
        value = np.asarray(3, dtype)
        assert float(engine.array(value)) == float(value)
        assert int(engine.array(value)) == int(value)
        assert complex(engine.array(value)) == complex(value)
        assert bool(engine.array(value)) is True
        assert bool(engine.array(value.reshape(1, 1))) is True
    assert not engine.array(np.asarray(0j))
    assert engine.array(np.asarray(1j))
    assert engine.array(np.asarray(np.nan))
    assert operator.index(engine.array(np.asarray(5, np.uint16))) == 5
    assert complex(engine.array(np.asarray(1 + 2j, np.complex64))) == 1 + 2j
    for function, data, error in ((bool, [1, 2], ValueError), (float, [1.0], TypeError), (int, [1], TypeError), (operator.index, 1.0, TypeError),
                                  (complex, [1], TypeError), (float, 1j, TypeError), (bool, [], ValueError)):  # fmt: skip
        with pytest.raises(error):
            function(engine.array(np.asarray(data)))


def test_sequences(engine):
    data = np.arange(6).reshape(3, 2)
    x = engine.array(data)
    assert len(x) == 3
    for ours, theirs in zip(x, data, strict=True):
        same(ours, theirs)
    assert [int(y) for y in engine.array(np.arange(4))] == [0, 1, 2, 3]
    assert 2 in x[1]
    assert 7 not in x[1]
    same(next(reversed(x)), data[2])
    scalar = engine.array(np.asarray(1))
    with pytest.raises(TypeError, match="unsized"):
        len(scalar)
    with pytest.raises(TypeError, match="0-d"):
        iter(scalar)


def test_buffers(engine):
    import sys

    if engine.name == "reference" and sys.version_info < (3, 12):
        pytest.skip("before Python 3.12, a class in Python cannot export a buffer")
    import ml_dtypes

    data = np.arange(6.0).reshape(2, 3)
    x = engine.array(data)
    view = memoryview(x)
    assert (view.shape, view.format, view.readonly) == ((2, 3), "d", False)
    view[0, 0] = 9
    assert data[0, 0] == 9
    with engine.immutable():
        assert memoryview(x).readonly
        with pytest.raises((BufferError, TypeError)):
            io.BytesIO(bytes(48)).readinto(x)
    with pytest.raises(BufferError, match="ml_dtypes"):
        memoryview(engine.array(np.ones(2, ml_dtypes.bfloat16)))
