"""Plain indexing and item assignment (supremum._core.index_keys)."""

import warnings

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import config
from supremum.jax import vmap

A = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
KEYS = [
    0,
    -1,
    slice(1, 3),
    slice(None, None, -1),
    ...,
    None,
    (0, 1),
    (..., 0),
    (None, 0),
    (slice(None), -1),
    (0, ..., None, 1),
    (1, 2, 3),
    (),
    np.array([1, 0]),
    np.array([True, False]),
    (np.array([0, 1]), np.array([2, 0])),
    (slice(None), np.array([[0, 1], [2, 2]])),
    A > 5,
    (0, A[0] > 5),
    np.array(1),
    np.int64(1),
    ((0, 1),),
    (slice(None), [0, 2]),
    True,
    np.zeros((0,), np.int64),
]


@for_each("key", KEYS, identity=repr)
def test_reads_as_numpy_does(key):
    result = xp.asarray(A)[key]
    np.testing.assert_array_equal(np.asarray(result), A[key])
    assert result.dtype == "int32"


@for_each("key", KEYS, identity=repr)
def test_writes_as_numpy_does(key):
    x, expected = xp.asarray(A.copy()), A.copy()
    x[key] = 7
    expected[key] = 7
    np.testing.assert_array_equal(np.asarray(x), expected)


def test_keys_that_are_arrays_of_ours():
    x = xp.asarray(A)
    np.testing.assert_array_equal(np.asarray(x[xp.asarray([1, 0])]), A[[1, 0]])
    np.testing.assert_array_equal(np.asarray(x[x > 5]), A[A > 5])
    np.testing.assert_array_equal(np.asarray(x[xp.asarray(1)]), A[1])
    np.testing.assert_array_equal(np.asarray(x[xp.asarray(0) : xp.asarray(1)]), A[0:1])
    np.testing.assert_array_equal(np.asarray(x[0, xp.asarray([1, 0], dtype="int4")]), A[0, [1, 0]])


class Index:
    """An array of another library that Python may use as an index too, as one of torch's with one element."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def __array__(self, dtype=None, copy=None):
        if self.values.dtype == object:
            raise RuntimeError("call detach() first")
        return self.values

    def __index__(self):
        if self.values.size != 1:
            raise TypeError("only one element can be converted to an index")
        return self.values.item()


@pytest.mark.parametrize("values", [1, [1], [0, 1], [[True, False, True], [False] * 3]])
def test_arrays_of_others_are_arrays_also_where_python_may_index_by_them(values):
    x = xp.arange(6).reshape(2, 3)
    np.testing.assert_array_equal(np.asarray(x[Index(values)]), np.arange(6).reshape(2, 3)[np.asarray(values)])


def test_arrays_of_others_say_why_they_are_no_indices():
    with pytest.raises(TypeError, match=r"^indexing: cannot convert .* to an array \(Index\): call detach\(\) first"):
        xp.ones(2)[Index([None, None])]


@pytest.mark.parametrize(
    ("key", "error"),
    [
        (2, IndexError),
        (-3, IndexError),
        ((0, 0, 0, 0), IndexError),
        (np.array([5]), IndexError),
        (np.array([True, False, True]), IndexError),
        (1.0, TypeError),
        ("a", TypeError),
        ([0, 1], TypeError),
        (np.array([0.5]), TypeError),
        pytest.param(object(), IndexError, id="object"),  # its repr contains an address
        ({"a": 1}, IndexError),
        ((0, {1}), IndexError),
        (1j, TypeError),
        (np.array(["a"]), TypeError),
    ],
    ids=repr,
)
def test_bad_keys(key, error):
    x, before = xp.asarray(A.copy()), A.copy()
    with pytest.raises(error, match=r"index"):
        x[key]
    with pytest.raises(error, match=r"index|assignment"):
        x[key] = 1
    np.testing.assert_array_equal(np.asarray(x), before)


def test_slices_are_views_and_elements_are_not():
    x = xp.asarray([1, 2, 3])
    view, element = x[1:], x[0]
    x[:] = 9
    assert view._data.tolist() == [9, 9]
    assert int(element) == 1


@for_each(
    ("dtype", "value", "error"),
    [
        ("int32", 1.5, TypeError),
        ("float32", 1j, TypeError),
        ("bool", 1, TypeError),
        ("int8", 300, OverflowError),
        ("uint8", -1, OverflowError),
        ("int32", xp.ones(2), TypeError),
        ("int32", "a", TypeError),
        ("int32", None, TypeError),
        ("float32", np.zeros(3, np.float32), ValueError),
    ],
)
def test_values_that_would_be_lost_are_refused(dtype, value, error):
    x = xp.zeros(2, dtype=dtype)
    with pytest.raises(error):
        x[:] = value
    assert not np.asarray(x).any()


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        ("float32", 3),
        ("float32", np.float64(2)),
        ("complex64", 2.0),
        ("int64", True),
        ("int8", xp.ones((), dtype="int32")),
        ("int4", -3),
    ],
    ids=repr,
)
def test_values_of_a_lower_kind_are_cast(dtype, value):
    x = xp.zeros(2, dtype=dtype)
    x[0] = value
    assert complex(x[0]) == complex(value)
    assert x.dtype == dtype


@pytest.mark.parametrize(
    ("dtype", "value"), [("complex128", 1.1e-7j), ("float64", 0.1), ("int64", 2**60 + 1), ("uint64", 2**64 - 1)]
)
def test_python_numbers_keep_their_precision(dtype, value):
    x = xp.zeros(1, dtype=dtype)
    x[0] = value
    assert x._data[0] == value


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_numbers_beyond_the_dtype_are_infinite_without_a_word(dtype):
    x = xp.zeros(2, dtype=dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x[0] = 1e300
        x[1] = -(10**300)
    assert x.tolist() == [float("inf"), float("-inf")]


@pytest.mark.parametrize("error", [IndexError, ValueError])
def test_index_arrays_that_do_not_broadcast(error):
    # NumPy raises IndexError, JAX ValueError; our error is both.
    with pytest.raises(error, match="indexing an array of shape"):
        xp.ones((3, 4))[xp.asarray([0, 1]), xp.asarray([0, 1, 2])]


@pytest.mark.parametrize(
    ("number", "dtype"),
    [(2**64 - 1, "uint64"), (2**63, "uint64"), (2**32, "int64"), (-(2**32), "int64"), (2**32 - 1, "uint32")],
)
def test_indices_that_nothing_can_count_are_out_of_range_and_never_wrapped_into_it(number, dtype):
    x, key = xp.arange(5), xp.asarray([number], dtype=dtype)
    with pytest.raises(IndexError, match="out of bounds"):
        x[key]
    assert x.at[key].set(9).tolist() == [0, 1, 2, 3, 4]
    assert x.at[key].get(mode="fill", fill_value=-1).tolist() == [-1]
    assert xp.take(x, key, mode="fill", fill_value=-1).tolist() == [-1]


@for_each("dtype", ["bool", "float16", "int32", "float64", "complex128", "bfloat16"])
@for_each("indices", ["int8", "int32", "int64"])
def test_writes_by_index_arrays(indices, dtype):
    """Elements and rows, of repeated indices the last one; other layouts are those that NumPy writes."""
    numbers = np.random.default_rng(5)
    layouts = (np.array, np.asfortranarray, lambda x: np.array(x[::-1])[::-1], lambda x: np.repeat(x, 2, 0)[::2])
    for shape, count in [((5,), (0,)), ((5,), (7,)), ((700,), (900,)), ((5,), (2, 3)), ((4, 3), (6,)), ((4, 3, 2), (2, 3))]:
        for layout in layouts:
            expected = numbers.integers(0, 2, shape).astype(dtype)
            x = xp.asarray(layout(expected.copy()))
            index = numbers.integers(-min(shape[0], 128), min(shape[0], 128), count).astype(indices)
            for values in (np.ones((), dtype), numbers.integers(0, 2, index.shape + shape[1:]).astype(dtype)):
                expected[index] = values
                x[xp.asarray(index)] = xp.asarray(values)
                np.testing.assert_array_equal(np.asarray(x), expected)


@for_each("bad", [5, -6, 2**31 - 1, -(2**31), 2**40, 2**63 - 1, -(2**63)])
@for_each("dtype", ["int32", "int64"])
def test_writes_by_indices_out_of_range_change_nothing(bad, dtype):
    if dtype == "int64" or abs(bad) < 2**31:
        x = xp.arange(5.0)
        with pytest.raises(IndexError):
            x[xp.asarray([0, 1, bad, 2], dtype=dtype)] = 7.0
        assert x.tolist() == [0, 1, 2, 3, 4]


def test_writes_of_elements_that_share_memory():
    for index in ([1, 2, 3, 4, 0], [4, 3, 2, 1, 0]):
        data = np.arange(5.0)
        x = xp.asarray(data)
        x[xp.asarray(index)] = xp.asarray(data[::-1])
        expected = np.arange(5.0)
        expected[index] = np.arange(5.0)[::-1]
        assert x.tolist() == expected.tolist()
        numbers = np.array(index)
        expected = numbers.copy()
        expected[index] = 7
        x = xp.asarray(numbers)
        x[x] = 7
        assert x.tolist() == expected.tolist()


def test_items_of_integers_take_floats_under_numpys_system():
    """As an image filter stores its sums; NumPy refuses complex numbers too."""
    image = xp.zeros((2, 2), dtype="uint8")
    for value in (1.9, xp.asarray(1.9), np.float32(1.9)):
        with pytest.raises(TypeError, match="would lose its kind"):
            image[0, 0] = value
        with xp.promotion.use("numpy"):
            image[0, 0] = value
            with pytest.raises(TypeError):
                image[0, 0] = 1j
        assert image[0].tolist() == [1, 0]
        image[0, 0] = 0


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
