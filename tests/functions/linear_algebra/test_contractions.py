from functools import partial

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import config


def integers(shape, dtype, seed=0):
    return np.random.default_rng(seed).integers(-4, 5, shape).astype(dtype)


@for_each("dtype", ["int8", "int32", "int64", "float32", "float64", "complex64"])
@for_each(
    "shapes",
    [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((5, 1, 2, 3), (4, 3, 2)),
    ((0, 3), (3, 2)), ((2, 0), (0, 3))],
    identity=str,
)  # fmt: skip
def test_matmul_of_whole_numbers_is_exact(shapes, dtype):
    a, b = integers(shapes[0], dtype), integers(shapes[1], dtype, 1)
    result = xp.matmul(xp.asarray(a), xp.asarray(b))
    expected = np.matmul(a.astype(object), b.astype(object))
    assert result.shape == np.shape(expected)
    assert result.tolist() == np.asarray(expected, complex if dtype == "complex64" else None).tolist()
    assert (xp.asarray(a) @ xp.asarray(b)).tolist() == result.tolist()


@for_each("dtype", ["float32", "bfloat16", "int16", "complex64"])
@for_each(
    "shapes",
    [((300, 56, 32), (32, 40)), ((20, 32), (300, 32, 40)), ((300, 8, 32), (300, 32, 40)), ((7, 1, 8, 5), (7, 1, 5, 4)),
    ((1, 8, 5), (3, 5, 4)), ((2, 3, 8, 5), (5, 4)), ((3, 8, 5), (5,))],
    identity=str,
)  # fmt: skip
def test_stacks_of_matrices_in_any_order_of_memory(shapes, dtype):
    a, b = integers(shapes[0], np.int64), integers(shapes[1], np.int64, 1)
    expected = np.asarray(xp.astype(xp.asarray(np.matmul(a, b)), dtype))
    for swapped in (False, True):
        x, y = (xp.astype(xp.asarray(z), dtype) for z in (a, b))
        if swapped:
            x, y = (xp.asarray(np.asarray(z.T).copy().T, copy=False) for z in (x, y))
        assert np.array_equal(np.asarray(xp.matmul(x, y)), expected)


@pytest.mark.parametrize("function", ["matmul", "vecdot", "dot", "inner", "vdot"])
def test_dtypes_meet(function):
    product = getattr(xp, function)
    x = xp.ones(3, dtype="int8")
    for other, expected in (
        ("int8", "int8"),
        ("uint8", "int16"),
        ("bfloat16", "bfloat16"),
        ("float64", "float64"),
        ("bool", "int8"),
    ):
        assert product(x, xp.ones(3).astype(other)).dtype == expected
    assert product(xp.ones(3, dtype="bfloat16"), xp.ones(3, dtype="float16")).dtype == "float32"
    with config.use(promotion="jax_strict"), pytest.raises(xp.TypePromotionError):
        product(x, xp.ones(3))


@pytest.mark.parametrize("function", ["matmul", "vecdot", "dot", "inner", "vdot", "outer", "kron"])
def test_weak_operands_give_a_weak_product(function):
    weak = xp.reshape(xp.asarray(2), (1,))
    assert getattr(xp, function)(weak, weak).weak_type
    assert not getattr(xp, function)(weak, xp.ones(1, dtype="int8")).weak_type
    assert getattr(xp, function)(weak, xp.ones(1, dtype="int8")).dtype == "int8"


@pytest.mark.parametrize("function", ["matmul", "vecdot", "dot", "inner", "vdot", "tensordot"])
def test_preferred_element_type(function):
    x = xp.full((3,), 100, dtype="int8")
    args = (1,) if function == "tensordot" else ()
    product = getattr(xp, function)
    assert product(x, x, *args).tolist() == 30000 % 256 - 0 if 30000 % 256 < 128 else 30000 % 256 - 256
    assert product(x, x, *args, preferred_element_type="int32").tolist() == 30000
    assert product(x, x, *args, preferred_element_type="float32").dtype == "float32"
    assert product(x, x, *args, precision="highest").dtype == "int8"
    with pytest.raises(TypeError, match="nonsense"):
        product(x, x, *args, preferred_element_type="nonsense")


def test_preferred_element_types_are_those_of_jax():
    wishes = ["bool", "int8", "int16", "uint16", "int32", "bfloat16", "float16", "float32", "complex64"]
    wider = "int16 uint16 int32 bfloat16 float16 float32 complex64"
    for dtype, accepted in {
        "bool": " ".join(wishes), "int8": f"int8 {wider}", "int16": wider, "uint16": wider, "float32": " ".join(wishes),
        "int32": "int32 float32 complex64", "complex64": "int32 float32 complex64",
    }.items():  # fmt: skip
        x = xp.ones((2, 2), dtype=dtype)
        for product in (xp.matmul, xp.dot, xp.inner, xp.vdot, partial(xp.einsum, "ij,jk"), partial(xp.tensordot, axes=1)):
            for wanted in wishes:
                if wanted in accepted.split():
                    assert product(x, x, preferred_element_type=wanted).dtype == wanted, (dtype, wanted)
                else:
                    with pytest.raises(TypeError, match=rf"preferred_element_type {wanted} cannot hold .* {dtype}"):
                        product(x, x, preferred_element_type=wanted)


@pytest.mark.parametrize("shapes", [((), (3,)), ((3,), ()), ((3,), (4,)), ((2, 3), (2, 3)), ((2, 2, 3), (3, 3, 2))])
def test_matmul_of_shapes_that_do_not_match(shapes):
    for dtypes in (("float32", "float32"), ("int8", "int8"), ("int8", "bfloat16")):
        with pytest.raises(ValueError, match="matmul"):
            xp.matmul(*[xp.ones(shape, dtype=dtype) for shape, dtype in zip(shapes, dtypes, strict=True)])


@for_each("function", ["matmul", "vecdot", "dot", "inner", "vdot", "outer", "kron", "cross", "matvec", "vecmat"])
def test_lists_are_refused(function):
    for args in (([1, 2], xp.ones(2)), (xp.ones(2), [1, 2]), (xp.ones(2), None), (xp.ones(2), "a")):
        with pytest.raises(TypeError, match=function):
            getattr(xp, function)(*args)


def test_vecdot_conjugates_and_takes_its_axis_from_the_end():
    x = xp.asarray([[1j, 2.0], [3.0, 4.0]])
    y = xp.asarray([[1.0, 1.0], [1.0, 1.0]])
    assert xp.vecdot(x, y).tolist() == [2 - 1j, 7]
    assert xp.vecdot(x, y, axis=-2).tolist() == [3 - 1j, 6]
    assert xp.vecdot(xp.ones((4, 1, 3)), xp.ones((5, 3))).shape == (4, 5)
    assert (
        xp.vecdot(xp.full((300,), 100, dtype="int8"), xp.full((300,), 100, dtype="int8")).tolist()
        == (3_000_000 + 128) % 256 - 128
    )
    for wrong in (xp.ones(3), xp.ones(()), xp.ones((3, 2))):
        with pytest.raises(ValueError, match="vecdot"):
            xp.vecdot(x, wrong)


@for_each("dtype", ["float32", "bfloat16", "float16", "float8_e5m2"])
@for_each("shape", [(7,), (200_000,), (300, 700), (5000, 33), (1, 9), (0, 3), (3, 0), (0,)], identity=str)
def test_vecdot_of_whole_numbers_rounds_once(shape, dtype):
    kind = xp.zeros(0, dtype=dtype)._data.dtype
    a, b = (integers(shape, np.float32, seed) for seed in (0, 1))
    wanted = np.einsum("...i,...i->...", a.astype(np.int64), b.astype(np.int64)).astype(np.float32).astype(kind)
    x, y = xp.asarray(a.astype(kind)), xp.asarray(b.astype(kind))
    for left, right in ((x, y), (xp.flip(x, axis=0), xp.flip(y, axis=0))):
        found = xp.vecdot(left, right)
        assert (found.dtype, found.shape) == (dtype, wanted.shape)
        expected = wanted if left is x or wanted.ndim == 0 else wanted[::-1]
        np.testing.assert_array_equal(np.asarray(found).astype(np.float32), expected.astype(np.float32))


def test_matrix_transpose():
    assert xp.matrix_transpose(xp.asarray([[1, 2], [3, 4]])).tolist() == [[1, 3], [2, 4]]
    with pytest.raises(ValueError, match="matrix_transpose"):
        xp.matrix_transpose(xp.ones(3))


@for_each("dtype", ["int8", "float32", "bfloat16", "bool"])
@for_each("axes", [0, 1, 2, ((0, 1), (1, 0)), ([-1], [0]), (1, 0), ((), ())], identity=str)
def test_tensordot(axes, dtype):
    shapes = ((2, 3), (3, 2)) if axes != 2 else ((2, 3), (2, 3))
    a, b = np.arange(6).reshape(shapes[0]) % 3 - 1, np.arange(6).reshape(shapes[1]) % 2
    a, b = (a != 0, b != 0) if dtype == "bool" else (a, b)
    numpy_axes = axes if not isinstance(axes, tuple) or isinstance(axes[0], int) else (list(axes[0]), list(axes[1]))
    expected = np.tensordot(a, b, numpy_axes)
    result = xp.tensordot(xp.asarray(a).astype(dtype), xp.asarray(b).astype(dtype), axes)
    assert result.dtype == dtype
    assert result.tolist() == expected.tolist()


@for_each(
    "axes",
    [3, -1, 1.5, "a", None, (0,), (0, 1, 1), ((0, 0), (0, 1)), ((0,), (0, 1)), ((0,), 1.5), ((2,), (0,)), ((1,), (1,))],
    identity=str,
)
def test_tensordot_of_axes_that_do_not_match(axes):
    with pytest.raises((TypeError, ValueError), match="tensordot"):
        xp.tensordot(xp.ones((2, 3)), xp.ones((3, 2)), axes)
