"""One rule for indices out of range: an error as in NumPy, or JAX's result if `config.out_of_range` is "clip"."""

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import config
from supremum.jax import vmap

LEAST = -(2**31)
#: Calls with an index out of range, of NumPy and of supremum: of an array 10, 20, 30 or of a matrix of two of them; with the
#: result of JAX 0.10.2. In NumPy the functions that write change their argument.
CALLS = {
    "take": (lambda n, x, m, i: n.take(x, i([0, 3])), [10, LEAST]),
    "take, a number": (lambda n, x, m, i: n.take(x, -4), LEAST),
    "take, a method": (lambda n, x, m, i: x.take(i([3])), [LEAST]),
    "take, an axis": (lambda n, x, m, i: n.take(m, i([0, -4]), axis=1), [[10, LEAST], [10, LEAST]]),
    "take, another axis": (lambda n, x, m, i: n.take(m, i([2]), axis=0), [[LEAST] * 3]),
    "take_along_axis": (lambda n, x, m, i: n.take_along_axis(x, i([3, 1, -4]), axis=0), [LEAST, 20, LEAST]),
    "take_along_axis, a matrix": (lambda n, x, m, i: n.take_along_axis(m, i([[1], [3]]), axis=1), [[20], [LEAST]]),
    "take_along_axis, flat": (lambda n, x, m, i: n.take_along_axis(m, i([6]), axis=None), [LEAST]),
    "take_along_axis, no elements": (lambda n, x, m, i: n.take_along_axis(x[:0], i([0]), axis=0), [0]),
    "put_along_axis": (lambda n, x, m, i: written(n, n.put_along_axis, x, i([0, 3]), i([7, 8]), 0), [7, 20, 30]),
    "put_along_axis, a matrix": (
        lambda n, x, m, i: written(n, n.put_along_axis, m, i([[-4], [-1]]), 7, 1), [[10, 20, 30], [10, 20, 7]],
    ),
    "put": (lambda n, x, m, i: written(n, n.put, x, i([3, 0]), i([7, 8])), [8, 20, 7]),
    "put, a number": (lambda n, x, m, i: written(n, n.put, m, -7, 9), [[9, 20, 30], [10, 20, 30]]),
    "bincount": (lambda n, x, m, i: n.bincount(i([-1, 2])), [1, 0, 1]),
    "bincount with weights": (lambda n, x, m, i: n.bincount(i([-1, 2]), x[:2]), [10, 0, 20]),
    "bincount of negative numbers": (lambda n, x, m, i: n.bincount(i([-1, -2])), [2]),
    "unravel_index": (lambda n, x, m, i: n.stack(n.unravel_index(i([9, 1]), (2, 2))), [[1, 0], [1, 1]]),
    "unravel_index, a number": (lambda n, x, m, i: n.stack(n.unravel_index(-5, (2, 2))), [0, 0]),
    "insert": (lambda n, x, m, i: n.insert(x, 4, 1), [10, 20, 30, 1]),
    "insert, some": (lambda n, x, m, i: n.insert(x, i([4, 0]), 1), [1, 10, 20, 30, 1]),
    "insert, an axis": (lambda n, x, m, i: n.insert(m, 9, 1, axis=1), [[10, 20, 30, 1]] * 2),
    "add.at": (lambda n, x, m, i: written(n, n.add.at, x, i([0, 3]), 1), [11, 20, 30]),
    "maximum.at": (lambda n, x, m, i: written(n, n.maximum.at, x, i([-4, 1]), 25), [10, 25, 30]),
    "negative.at": (lambda n, x, m, i: written(n, n.negative.at, m, (i([0, 2]), 1)), [[10, -20, 30], [10, 20, 30]]),
    "add.reduceat": (lambda n, x, m, i: n.add.reduceat(x, i([0, 3])), [60, LEAST]),
    "subtract.reduceat, from the end": (lambda n, x, m, i: n.subtract.reduceat(x, i([-1, 2])), [0, 30]),
}  # fmt: skip


def written(namespace, function, x, *arguments):
    if namespace is np:
        function(x, *arguments)
        return x
    return function(x, *arguments, inplace=False)


def arrays(namespace):
    x = namespace.asarray([10, 20, 30], dtype="int32")
    return x, namespace.stack([x, x]), lambda values: namespace.asarray(values, dtype="int32")


@for_each("call", CALLS)
def test_an_index_out_of_range_is_an_error_as_in_numpy(call):
    with pytest.raises((IndexError, ValueError)) as of_numpy:
        CALLS[call][0](np, *arrays(np))
    with pytest.raises(of_numpy.type) as ours:
        CALLS[call][0](xp, *arrays(xp))
    assert isinstance(ours.value, IndexError)
    assert "out of bounds" in str(ours.value)


@for_each("call", CALLS)
def test_or_jaxs_result(call):
    function, expected = CALLS[call]
    with config.use(out_of_range="clip"):
        np.testing.assert_array_equal(np.asarray(function(xp, *arrays(xp))), expected)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int4", "uint64", "int64", "bool"])
def test_indices_of_all_dtypes(dtype):
    x, index = xp.asarray([1]), xp.asarray([0, 1], dtype=dtype)
    for call in (lambda: xp.take(x, index), lambda: xp.take(x[None], index, axis=1), lambda: np.take(x, index)):
        with pytest.raises(IndexError, match=r"take: index (1|True) is out of bounds for length 1"):
            call()
    if dtype != "bool":
        with pytest.raises(IndexError, match="take_along_axis: index 1 is out of bounds"):
            xp.take_along_axis(x, index, 0)


def test_the_message_says_what_to_do():
    with pytest.raises(xp.errors.OutOfRangeError) as error:
        xp.take(xp.arange(3), 5)
    assert str(error.value) == (
        "take: index 5 is out of bounds for length 3; for JAX's result pass mode='fill', or use config.out_of_range = 'clip'"
    )
    with pytest.raises(xp.errors.OutOfRangeError) as error:
        xp.bincount(xp.asarray([3, -2]))
    assert str(error.value) == (
        "bincount: index -2 is out of bounds for length 4; for JAX's result use config.out_of_range = 'clip'"
    )


def test_a_mode_or_a_fill_value_decides():
    x, far = xp.arange(3), xp.asarray([5])
    assert xp.take(x, far, mode="fill").tolist() == [LEAST]
    assert xp.take(x, far, mode="clip").tolist() == [2]
    assert xp.take(x, far, mode="wrap").tolist() == [2]
    assert xp.take(x, far, fill_value=-1).tolist() == [-1]
    assert xp.take_along_axis(x, far, 0, fill_value=-1).tolist() == [-1]
    assert xp.take_along_axis(x, far, 0, mode="clip").tolist() == [2]
    assert xp.put(x, far, 9, mode="clip", inplace=False).tolist() == [0, 1, 9]
    assert xp.put_along_axis(x, far, 9, 0, mode="drop", inplace=False).tolist() == [0, 1, 2]
    assert x.at[far].get(mode="fill").tolist() == [LEAST]
    assert x.at[far].set(9).tolist() == [0, 1, 2]  # JAX's documented default


def test_writes_that_fail_change_nothing():
    x = xp.arange(3)
    for call in (lambda: xp.put(x, xp.asarray([0, 3]), 9), lambda: xp.add.at(x, xp.asarray([0, 3]), 9)):
        with pytest.raises(IndexError):
            call()
        assert x.tolist() == [0, 1, 2]


BATCHES = {
    "take": lambda x, i: xp.take(x, i),
    "take, an axis": lambda x, i: xp.take(xp.stack([x, x], axis=1), i, axis=0),
    "take_along_axis": lambda x, i: xp.take_along_axis(x, xp.reshape(i, (1,)), 0),
    "put": lambda x, i: xp.put(x, i, 9, inplace=False),
    "put_along_axis": lambda x, i: xp.put_along_axis(x, xp.reshape(i, (1,)), 9, 0, inplace=False),
    "unravel_index": lambda x, i: xp.unravel_index(i, (3,))[0],
    "bincount": lambda x, i: xp.bincount(xp.reshape(-xp.abs(i), (1,)), length=3),
    "add.at": lambda x, i: xp.add.at(x, i, 1, inplace=False),
}


@for_each("name", BATCHES)
def test_of_mapped_functions_each_index_is_looked_at(name):
    call, x = BATCHES[name], xp.asarray([[1, 2, 3], [4, 5, 6]])
    for function, both in ((lambda i: call(x[0], i), False), (call, True)):
        inside, outside = xp.asarray([0, 0]), xp.asarray([0, 3])
        single = [function(*((row, i) if both else (i,))) for row, i in zip(x, inside, strict=True)]
        arguments = (x,) if both else ()
        assert vmap(function)(*arguments, inside).tolist() == [one.tolist() for one in single]
        with pytest.raises(IndexError):
            vmap(function)(*arguments, outside)
        with config.use(out_of_range="clip"):
            single = [function(*((row, i) if both else (i,))) for row, i in zip(x, outside, strict=True)]
            assert vmap(function)(*arguments, outside).tolist() == [one.tolist() for one in single]


def test_of_mapped_arrays_each_index_is_looked_at():
    x = xp.asarray([[1, 2, 3], [4, 5, 6]])
    with pytest.raises(IndexError):
        vmap(lambda row: xp.take(row, 3))(x)
    with pytest.raises(IndexError):
        vmap(lambda row: xp.take(row, xp.asarray([0, -4])))(x)
