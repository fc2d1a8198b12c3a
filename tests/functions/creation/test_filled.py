"""Filled arrays: shapes, dtypes and weak types, by the standard and JAX."""

import warnings

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import config
from supremum.promotion._nodes import NODES


@for_each("shape", [0, 3, (), (2, 0), [2, 3], np.int64(2), np.array([2, 3])])
@for_each("name, value", [("zeros", 0), ("ones", 1), ("empty", 0)])
def test_shapes(name, value, shape):
    x = getattr(xp, name)(shape)
    assert x.shape == np.zeros(shape).shape
    assert (np.asarray(x) == value).all()
    assert (x.dtype, x.weak_type) == ("float32", False)
    assert getattr(xp, name)(xp.asarray(shape, dtype="int32")).shape == x.shape


@pytest.mark.combinations
@pytest.mark.parametrize("name", ["zeros", "ones", "empty"])
@pytest.mark.parametrize("dtype", NODES)
def test_every_dtype(name, dtype):
    x = getattr(xp, name)(2, dtype=dtype)
    assert x.dtype == dtype
    assert getattr(xp, f"{name}_like")(x).dtype == dtype


@for_each(
    "shape, error",
    [
        (-1, ValueError),
        (-1, TypeError),
        ((2, -1), ValueError),
        (2.0, TypeError),
        ("a", TypeError),
        (None, TypeError),
        ((2.0,), TypeError),
    ],
)
@for_each("name", ["zeros", "ones", "empty", "full"])
def test_shapes_that_are_refused(name, shape, error):
    with pytest.raises(error, match=name):
        getattr(xp, name)(shape, *[1.5] * (name == "full"))


def test_full_takes_the_dtype_of_its_value():
    assert (xp.full(2, 3).dtype, xp.full(2, 3).weak_type) == ("int32", True)
    assert (xp.full(2, 3.5).dtype, xp.full(2, 3.5).weak_type) == ("float32", True)
    assert (xp.full(2, True).dtype, xp.full(2, True).weak_type) == ("bool", False)
    assert xp.full(2, 1j).dtype == "complex64"
    assert xp.full(2, xp.int8(3)).dtype == "int8"
    assert xp.full((2, 2), xp.arange(2)).tolist() == [[0, 1], [0, 1]]
    with config.use(x64="on"):
        assert xp.full(2, 3.5).dtype == "float64"


def test_full_wraps_integers_and_saturates_floats_as_jax():
    assert xp.full(1, 300, dtype="uint8").tolist() == [44]
    assert xp.full(1, -1, dtype="uint8").tolist() == [255]
    assert xp.full(1, 2.9, dtype="int8").tolist() == [2]
    assert xp.full(1, 1e9, dtype="int8").tolist() == [127]
    assert xp.full_like(xp.ones(1, dtype="int8"), 300).tolist() == [44]
    with config.use(x64="off"):
        assert xp.full(1, 2**40 + 5).tolist() == [5]


def test_like_takes_what_is_not_given_from_the_model():
    model = xp.full((2, 3), 7)
    for name in ("zeros_like", "ones_like", "empty_like"):
        function = getattr(xp, name)
        assert (function(model).shape, function(model).weak_type) == ((2, 3), True)
        assert function(model, shape=4).shape == (4,)
        assert function(model, dtype="int8").dtype == "int8"
        assert not function(model, dtype="int32").weak_type
        with pytest.raises(TypeError, match=name):
            function([1, 2])
    assert xp.full_like(model, 1.5).tolist() == [[1] * 3] * 2
    assert xp.full_like(model, 1.5, dtype="float16", shape=2).tolist() == [1.5, 1.5]


@for_each(
    "call, error",
    [
        (lambda: xp.full(2, [1, 2]), TypeError),
        (lambda: xp.full(2, 1j, dtype="float32"), TypeError),
        (lambda: xp.full(2, xp.ones(3)), ValueError),
        (lambda: xp.full(2, "a"), TypeError),
        (lambda: xp.full_like(xp.ones(2), None), TypeError),
        (lambda: xp.zeros(2, device="gpu"), ValueError),
        (lambda: xp.ones(2, dtype="nonsense"), TypeError),
        (lambda: xp.zeros(2, 3), TypeError),
    ],
)
def test_what_is_refused(call, error):
    with pytest.raises(error):
        call()


def test_the_fill_value_is_copied():
    value = xp.arange(2)
    x = xp.full((2, 2), value)
    x[0, 0] = 9
    assert value.tolist() == [0, 1]


@for_each("x64", ["explicit", "on", "off"])
@for_each("python", [bool, int, float, complex])
def test_the_name_of_a_python_type_means_the_type(python, x64):
    """As in JAX, where "float" is the default floating dtype in both modes."""
    name = python.__name__
    with config.use(x64=x64), warnings.catch_warnings():
        warnings.simplefilter("error")
        expected = xp.zeros(2, dtype=python).dtype
        assert xp.zeros(2, dtype=name).dtype == expected
        assert xp.asarray([1, 0], dtype=name).dtype == expected
        assert xp.ones(2).astype(name).dtype == expected
        assert xp.sum(xp.ones(2), dtype=name).dtype == expected


class Described:
    """An object with shape and dtype but no elements, such as jax.ShapeDtypeStruct."""

    def __init__(self, shape, dtype):
        self.shape = shape
        self.dtype = dtype


@pytest.mark.parametrize("name, value", [("zeros_like", 0), ("ones_like", 1), ("empty_like", 0), ("full_like", 3)])
def test_models_that_only_say_a_shape_and_a_dtype(name, value):
    function, rest = getattr(xp, name), (3,) if name == "full_like" else ()
    x = function(Described((2, 3), np.dtype("int8")), *rest)
    assert (x.dtype, x.shape, x.weak_type, x.tolist()) == ("int8", (2, 3), False, [[value] * 3] * 2)
    assert function(Described([2], np.dtype(NODES["bfloat16"].dtype)), *rest).dtype == "bfloat16"
    changed = function(Described((2, 3), np.dtype("int8")), *rest, dtype="float16", shape=(4,))
    assert (changed.dtype, changed.shape) == ("float16", (4,))
    assert function(np.ma.array([1, 2], mask=[True, False]), *rest).tolist() == [value] * 2
    with config.use(x64="off"):
        assert function(Described((2,), np.dtype("int64")), *rest).dtype == "int32"
    for shape, dtype in (((2,), "int8"), ((2,), None), ("x", np.dtype("int8")), ((2,), np.dtype("O"))):
        with pytest.raises(TypeError, match=name):
            function(Described(shape, dtype), *rest)


@pytest.mark.parametrize("dtype", [xp.arange(4), xp.int32(3), np.arange(4)], ids=["vector", "scalar", "numpy"])
def test_an_array_is_no_dtype(dtype):
    calls = (
        lambda: xp.zeros(3, dtype=dtype), lambda: xp.ones_like(xp.ones(3), dtype=dtype), lambda: xp.asarray(3, dtype=dtype),
        lambda: xp.ones(3).astype(dtype), lambda: xp.sum(xp.ones(3), dtype=dtype),
    )  # fmt: skip
    for call in calls:
        for kind in (ValueError, TypeError):  # the limit of JAX's arrays, and of NumPy's
            with pytest.raises(kind, match=r"dtype is an array.*dtype=x\.dtype"):
                call()


def test_a_string_of_numpys_is_a_name():
    name = np.str_("bfloat16")  # as `numpy.random.choice` returns names
    assert xp.zeros(3, dtype=name).dtype == xp.ones(3).astype(name).dtype == xp.asarray(3, dtype=name).dtype == "bfloat16"
    assert xp.promote_types(name, "int8") == xp.result_type(name, "int8") == "bfloat16"
    assert xp.can_cast(np.str_("int8"), np.str_("int16"))


def test_only_scalars_leave_full_like_weak():
    weak = xp.broadcast_to(xp.asarray(1.5), (2, 2))
    assert xp.full_like(weak, 2).weak_type
    assert xp.full_like(weak, xp.asarray(1.5)).weak_type
    assert xp.full_like(weak, np.float32(2)).weak_type
    assert not xp.full_like(weak, xp.asarray([1, 2])).weak_type
    assert not xp.full_like(weak, weak[0], shape=(2,)).weak_type
