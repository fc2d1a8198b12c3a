"""Shared buffers: ``asarray`` shares an ndarray, and its owner may set its dtype, shape and flags at any time.

No operation may read or write out of bounds after that. Its result is NumPy's for the ndarray as it is, or an error.
"""

import contextlib
import operator

import numpy as np
import pytest
from common import for_each

import supremum as xp

pytestmark = pytest.mark.filterwarnings("ignore:Setting the:DeprecationWarning")  # NumPy 2.5's, of dtypes and shapes

SIZE = 64
#: By name: an operation on the changed array `x` and an array `y` of its new shape, and the same on ndarrays.
READ = {
    "add": (operator.add, np.add),
    "add reflected": (lambda x, y: y + x, np.add),
    "add scalar": (lambda x, _: x + 1, lambda a, _: a + 1.0),
    "equal": (operator.eq, np.equal),
    "negative": (lambda x, _: -x, lambda a, _: -a),
    "element": (lambda x, _: x[9], lambda a, _: a[9]),
    "item": (lambda x, _: x.item(7), lambda a, _: a.item(7)),
    "float": (lambda x, _: float(x[7:8].reshape(())), lambda a, _: float(a[7])),
    "bool": (lambda x, _: bool(x[5:6]), lambda a, _: bool(a[5])),
    "list": (lambda x, _: [float(z) for z in x], lambda a, _: a.tolist()),
    "index array": (lambda x, _: x[xp.asarray([0, 7, 9])], lambda a, _: a[[0, 7, 9]]),
    "mask": (lambda x, y: x[y > 0], lambda a, b: a[b > 0]),
    "take": (lambda x, _: xp.take(x, 7), lambda a, _: a[7]),
    "sum": (lambda x, _: xp.sum(x), lambda a, _: a.sum(dtype=np.float64)),
    "max": (lambda x, _: xp.max(x, axis=0), lambda a, _: a.max()),
    "mean": (lambda x, _: xp.mean(x), lambda a, _: a.mean()),
    "cumulative sum": (lambda x, _: xp.cumulative_sum(x), lambda a, _: np.cumsum(a, dtype=np.float64)),
    "concat": (lambda x, y: xp.concat([y, x]), lambda a, b: np.concat([b, a])),
    "stack": (lambda x, y: xp.stack([y, x]), lambda a, b: np.stack([b, a])),
    "where": (lambda x, y: xp.where(y > 0, x, y), lambda a, b: np.where(b > 0, a, b)),
    "where by it": (lambda x, y: xp.where(x == y, x, 0.0), lambda a, b: np.where(a == b, a, 0.0)),
    "clip": (lambda x, _: xp.clip(x, 0, 1), lambda a, _: a.clip(0, 1)),
    "clip by it": (lambda x, y: xp.clip(y, x[7:8].reshape(()), y[0]), lambda a, b: b.clip(a[7], b[0])),
    "matmul": (operator.matmul, np.matmul),
    "vecdot": (xp.vecdot, np.vecdot),
    "astype": (lambda x, _: xp.astype(x, xp.float32), lambda a, _: a.astype(np.float32)),
    "asarray": (lambda x, _: xp.asarray([x[7:8].reshape(())] * 2), lambda a, _: [a[7]] * 2),
    "update": (lambda x, _: x.at[0].set(5.0), lambda a, _: [5.0, *a[1:]]),
    "assign it": (lambda x, y: operator.setitem(y, slice(None), x) or y, lambda a, _: a),
    "add it in place": (lambda x, y: operator.iadd(y, x), lambda a, b: a + b),
}
WRITTEN = {
    "add": lambda x, y: operator.iadd(x, y),
    "add scalar": lambda x, _: operator.iadd(x, 1),
    "element": lambda x, y: operator.setitem(x, 0, y[0]),
    "last": lambda x, _: operator.setitem(x, -1, 1.0),
    "slice": lambda x, y: operator.setitem(x, slice(None), y),
    "index array": lambda x, y: operator.setitem(x, xp.asarray([0, -1]), y[0]),
}


def changed(dtype):
    """Return an ndarray whose dtype was changed, an array that shares it, another of its shape, and the memory around it."""
    around = np.arange(SIZE * 17, dtype=np.float64)
    shared = around[:SIZE]
    x = xp.asarray(shared)
    shared.dtype = dtype
    other = np.arange(shared.size, dtype=np.float64)
    return shared, x, xp.asarray(other), around


@pytest.mark.combinations
@pytest.mark.parametrize("dtype", ["i1", "f4", "i8", ">f8"])
@pytest.mark.parametrize("name", READ)
def test_reads(name, dtype):
    ours, theirs = READ[name]
    shared, x, y, _ = changed(dtype)
    with np.errstate(all="ignore"):
        expected = theirs(shared, np.asarray(y).copy())
        try:
            answer = ours(x, y)
        except TypeError:
            return
        np.testing.assert_allclose(np.asarray(answer), np.asarray(expected).astype(np.asarray(answer).dtype), rtol=1e-6)


@for_each("dtype", ["i1", "f4", "i8", "c16", ">f8"])
@for_each("name", WRITTEN)
def test_writes(name, dtype):
    _shared, x, y, around = changed(dtype)
    with contextlib.suppress(TypeError, OverflowError):
        WRITTEN[name](x, y)
    np.testing.assert_array_equal(around[SIZE:], np.arange(SIZE, SIZE * 17))


def test_elements_that_become_larger():
    """An array of small elements whose buffer now has large ones."""
    shared = np.ones(64, np.int8)
    x = xp.asarray(shared)
    shared.dtype = np.float64
    index = xp.asarray([0, 1, 2])
    with contextlib.suppress(TypeError):
        assert np.asarray(x[index]).tolist() == shared[[0, 1, 2]].tolist()
    with pytest.raises(TypeError):
        xp.negative(x)


def test_indices_and_masks_that_change():
    values, places, mask = xp.asarray(np.arange(64.0)), np.zeros(64, np.int64), np.ones(64, bool)
    index, chosen = xp.asarray(places), xp.asarray(mask)
    places.dtype, mask.dtype = np.int8, np.int8
    assert np.asarray(values[index]).tolist() == [0.0] * 512
    with contextlib.suppress(TypeError):
        assert np.asarray(values[chosen]).tolist() == [1.0] * 64  # integers, by the new dtype


def test_delete_of_a_changed_array():
    shared = np.ones(4)
    x = xp.asarray(shared)
    shared.dtype = np.int8
    x.delete()
    assert x.is_deleted()


def test_shapes_and_flags_that_change():
    shared = np.arange(6.0)
    x = xp.asarray(shared)
    y = x + 0
    shared.shape = (2, 3)
    assert (x + 1).shape == (2, 3)
    with pytest.raises(ValueError, match="broadcast"):
        x + y
    shared.setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        x += 1
    assert shared.tolist() == [[0, 1, 2], [3, 4, 5]]
