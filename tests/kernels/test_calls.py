import tracemalloc
import warnings

import ml_dtypes
import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum._base.native import native
from supremum._kernels.calls import call_of_one, call_of_two, vdot
from supremum.promotion._nodes import NODES

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
