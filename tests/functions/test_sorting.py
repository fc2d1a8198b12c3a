"""Sorting: stable orders for every dtype, with NaN last, and JAX's partitions. tests/kernels/test_order.py varies the size."""

import numpy as np
import pytest
from common import for_each
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp
from narrow_formats import FORMATS

import supremum as xp
from supremum import config
from supremum.promotion._nodes import NODES

FLOATS = st.sampled_from([float("nan"), -float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1.0, -1.0, 2.0])
COMPLEX = st.builds(complex, FLOATS, FLOATS)
DTYPES = ["bool", "uint8", "int64", "bfloat16", "float16", "float32", "float64", "float8_e5m2", "complex64", "complex128"]
REAL = [name for name, node in NODES.items() if node.native and node.kind in "biuf" and not node.weak]


def key(value):
    """Return the key for Python's sort: NaN last, zeros of both signs equal, complex numbers by their parts."""
    if isinstance(value, complex):
        return key(value.real), key(value.imag)
    return value != value, 0 if value != value else value


def bits(values):
    return [(*np.signbit([v.real, v.imag]), repr(v)) if isinstance(v, complex) else repr(v) for v in values]


@given(st.sampled_from(DTYPES), st.lists(FLOATS, max_size=9), st.data())
def test_sorted_as_python_sorts(dtype, numbers, data):
    if "complex" in dtype:
        numbers = data.draw(st.lists(COMPLEX, max_size=9))
    if dtype in ("bool", "uint8", "int64"):
        numbers = [0 if key(number)[0] else int(min(abs(number), 2)) for number in numbers]
    x = xp.asarray(numbers, dtype=dtype) if numbers else xp.zeros(0, dtype=dtype)
    values = x.tolist()
    order = sorted(range(len(values)), key=lambda i: key(values[i]))
    falling = sorted(range(len(values)), key=lambda i: key(values[i]), reverse=True)  # stable, reverse= included
    assert xp.argsort(x).tolist() == order
    assert xp.argsort(x, descending=True).tolist() == falling
    assert bits(xp.sort(x).tolist()) == bits([values[i] for i in order])
    assert [key(v) for v in xp.sort(x, descending=True).tolist()] == [key(values[i]) for i in falling]
    assert xp.sort(x).dtype == x.dtype
    assert xp.lexsort((x,)).tolist() == order


@given(hnp.arrays("int8", hnp.array_shapes(max_dims=3, min_side=0, max_side=4)), st.data())
def test_along_axes(data, draw):
    axis = draw.draw(st.none() | st.integers(-data.ndim, data.ndim - 1))
    x = xp.asarray(data)
    np.testing.assert_array_equal(np.asarray(xp.sort(x, axis=axis)), np.sort(data, axis))
    np.testing.assert_array_equal(np.asarray(xp.argsort(x, axis=axis)), np.argsort(data, axis, kind="stable"))
    np.testing.assert_array_equal(np.asarray(xp.sort(x, axis=axis, stable=False)), np.sort(data, axis))
    along = 0 if axis is None else axis
    np.testing.assert_array_equal(np.asarray(xp.lexsort((x, -x // 2), axis=along)), np.lexsort((data, -data // 2), axis=along))


@for_each("dtype", ["int32", "uint32", "float32", "int64", "uint64", "float64", "int16", "int8"])
@for_each("distinct", [3, 10**6])
def test_long_arrays(dtype, distinct):
    """Longer arrays than those for which NumPy's stable sort is used."""
    draw = np.random.default_rng(0)
    data = draw.integers(0, min(distinct, 100 if dtype == "int8" else 30000), (3, 2000)).astype(dtype)
    for axis in (0, 1):
        np.testing.assert_array_equal(np.asarray(xp.sort(xp.asarray(data), axis=axis)), np.sort(data, axis))
        np.testing.assert_array_equal(
            np.asarray(xp.argsort(xp.asarray(data), axis=axis)), np.argsort(data, axis, kind="stable")
        )
        falling = np.flip(np.argsort(np.flip(data, axis), axis, kind="stable"), axis)
        ours = xp.argsort(xp.asarray(data), axis=axis, descending=True)
        np.testing.assert_array_equal(np.asarray(ours), data.shape[axis] - 1 - falling)


@for_each("dtype", ["float16", "float32", "float64"])
@for_each("size", [257, 300, 1000])
def test_a_few_zeros_among_many_numbers_keep_their_signs(dtype, size):
    draw = np.random.default_rng(size)
    for zeros in ([-0.0], [0.0, -0.0], [-0.0, -0.0, 0.0, -0.0], [0.0, 0.0]):
        data = np.arange(1, size + 1, dtype=dtype)
        data[: len(zeros)] = zeros
        for _ in range(20):
            draw.shuffle(data)
            expected = np.concatenate([data[data == 0], np.sort(data[data != 0])])
            assert np.asarray(xp.sort(xp.asarray(data))).tobytes() == expected.tobytes()


@for_each("name", [name for name in FORMATS if NODES[name].bits >= 8])
def test_short_rows_of_narrow_floats(name):
    """Rows of up to 32 elements, and of more, of all patterns, of special ones and of few, in both forms of the axis."""
    form = FORMATS[name]
    draw = np.random.default_rng(0)
    few = form.codes[[0, 1, 2, 1 << (form.bits - 1), (1 << (form.bits - 1)) + 1, -1, (1 << (form.bits - 1)) - 1]]
    for length in (1, 2, 4, 31, 32, 33):
        for patterns in (form.codes, few):
            codes = draw.choice(patterns, (max(1, 4096 // length), length))
            x, exact = xp.asarray(codes.view(form.dtype)), form.decode()[codes]
            order = np.argsort(exact, -1, kind="stable")
            np.testing.assert_array_equal(np.asarray(xp.argsort(x)), order)
            np.testing.assert_array_equal(np.asarray(xp.argsort(x, axis=1)), order)
            ordered, expected = np.asarray(xp.sort(x)), np.take_along_axis(codes, order, -1)
            numbers = np.isfinite(np.take_along_axis(exact, order, -1))
            np.testing.assert_array_equal(ordered.view(codes.dtype)[numbers], expected[numbers])
            with np.errstate(invalid="ignore"):  # processors report some NaNs when these are cast
                nans = np.isnan(ordered.astype(np.float32))
            np.testing.assert_array_equal(nans, np.isnan(form.decode()[expected]))
            flat = xp.argsort(x[:1], axis=None)
            np.testing.assert_array_equal(np.asarray(flat), order[0])


@for_each("name", [name for name, node in NODES.items() if node.native and node.kind in "biuf" and not node.weak])
def test_short_rows_of_native_numbers(name):
    draw = np.random.default_rng(0)
    dtype = NODES[name].dtype
    limits = [0, 1] if dtype.kind == "b" else np.iinfo(dtype) if dtype.kind in "iu" else np.finfo(dtype)
    special = limits if dtype.kind == "b" else [limits.min, limits.max, 0, 1, limits.max - 1, limits.min + 1]
    if dtype.kind == "f":
        special = [*special, np.nan, -np.nan, np.inf, -np.inf, -0.0, limits.smallest_subnormal, -limits.smallest_subnormal]
    with config.use(x64="on"):
        for length in (1, 2, 4, 32, 33):
            data = draw.choice(np.array(special, dtype), (200, length))
            order = np.argsort(data, -1, kind="stable")
            assert np.asarray(xp.argsort(xp.asarray(data))).tolist() == order.tolist()
            assert np.asarray(xp.sort(xp.asarray(data))).tobytes() == np.take_along_axis(data, order, -1).tobytes()


def test_zeros_keep_their_order_in_long_arrays():
    data = np.tile(np.array([0.0, -0.0, 1.0, -0.0]), 200).astype(np.float32)
    expected = data[np.argsort(data, kind="stable")]
    np.testing.assert_array_equal(np.signbit(np.asarray(xp.sort(xp.asarray(data)))), np.signbit(expected))


def test_dtypes_of_orders():
    assert xp.argsort(xp.arange(3)).dtype == "int32"
    assert xp.argsort(xp.arange(3), dtype="uint8").dtype == "uint8"
    assert xp.sort(xp.full((3,), 2)).weak_type
    with config.use(x64="on"):
        assert xp.argsort(xp.arange(3)).dtype == "int64"
        assert xp.lexsort((xp.arange(3),)).dtype == "int64"


@given(hnp.arrays("float32", st.integers(1, 9), elements=st.integers(-3, 3).map(float)), st.data())
def test_partitions(data, draw):
    """As jnp.partition of JAX 0.10.2: smaller elements ascend before the pivot, greater ones descend after it."""
    kth = draw.draw(st.integers(-len(data), len(data) - 1))
    ordered = np.sort(data)
    at = kth % len(data)
    expected = [*ordered[: at + 1], *ordered[:at:-1]]
    assert xp.partition(xp.asarray(data), kth).tolist() == expected
    order = xp.argpartition(xp.asarray(data), kth)
    assert order.dtype == "int32"
    assert data[np.asarray(order)][: at + 1].tolist() == expected[: at + 1]
    assert np.asarray(order)[at + 1 :].tolist() == sorted(np.asarray(order)[at + 1 :].tolist())


def test_partitions_along_axes():
    x = xp.asarray([[3, 1, 2], [1, 3, 0]])
    assert xp.partition(x, 0, axis=0).tolist() == [[1, 1, 0], [3, 3, 2]]
    assert xp.argpartition(x, 1, axis=1).tolist() == [[1, 2, 0], [2, 0, 1]]


def test_complex_numbers():
    assert xp.sort_complex(xp.asarray([3, 1 + 2j, 1 - 1j])).tolist() == [1 - 1j, 1 + 2j, 3]
    for dtype, expected in (("int8", "complex64"), ("float64", "complex128"), ("bfloat16", "complex64")):
        assert xp.sort_complex(xp.asarray([2, 1], dtype=dtype)).dtype == expected
    assert not xp.sort_complex(xp.full((2,), 1)).weak_type


@for_each(
    "call, error",
    [
        (lambda x: xp.sort(x, axis=1), ValueError),
        (lambda x: xp.sort(x[0]), ValueError),
        (lambda x: xp.argsort(x, axis="a"), TypeError),
        (lambda x: xp.sort(x, kind="heapsort"), TypeError),
        (lambda x: xp.argsort(x, order="name"), TypeError),
        (lambda x: xp.sort([2, 1]), TypeError),
        (lambda x: xp.partition(x, 5), ValueError),
        (lambda x: xp.partition(x > 0, 0), TypeError),
        (lambda x: xp.argpartition(x + 1j, 0), NotImplementedError),
        (lambda x: xp.lexsort(()), TypeError),
        (lambda x: xp.lexsort((x, x[:1])), ValueError),
        (lambda x: xp.lexsort(3), TypeError),
        (lambda x: xp.lexsort((x,), axis=1), ValueError),
    ],
)
def test_what_is_refused(call, error):
    with pytest.raises(error, match=r"sort|partition"):
        call(xp.arange(3))


def test_keys_without_axes():
    assert xp.lexsort((xp.asarray(3), xp.asarray(4))).tolist() == 0
    assert xp.sort(xp.asarray(3), axis=None).tolist() == [3]


@for_each("dtype", [name for name, node in NODES.items() if node.kind != "c"])
def test_every_dtype_is_sorted(dtype):
    x = xp.asarray({"int1": [-1, 0, -1], "float8_e8m0fnu": [2, 1, 2]}.get(dtype, [1, 0, 1]), dtype=dtype)
    assert xp.sort(x).dtype == dtype
    assert xp.sort(x).astype("float32").tolist() == sorted(x.astype("float32").tolist())


@for_each("name", ["float64", "float32", "bfloat16", "float8_e5m2", "float4_e2m1fn", "complex64"])
@for_each("descending", [False, True])
def test_zeros_of_both_signs_are_equal_and_keep_their_order(name, descending):
    x = xp.asarray([0.0, -0.0, 0.5, 0.0, -0.0, -0.5], dtype=name)
    result = xp.sort(x, descending=descending)
    zeros = np.signbit(np.asarray(xp.real(result).astype("float64"))[1:-1])
    assert zeros.tolist() == [False, True, False, True]
