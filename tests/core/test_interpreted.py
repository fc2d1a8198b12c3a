"""The fast paths of the uncompiled operators: they look and fail like the operators that they replace."""

import inspect
import operator

import numpy as np
import pytest

import supremum as xp
from supremum import config

pytestmark = pytest.mark.skipif(xp.__compiled__, reason="the compiled core has no such copies")

ARITHMETIC = ["add", "sub", "mul", "truediv", "and_", "or_", "xor", "eq", "ne", "lt", "le", "gt", "ge"]


@pytest.mark.parametrize("name", ["__add__", "__truediv__", "__eq__", "__getitem__"])
def test_operators_keep_their_names_and_signatures(name):
    method = getattr(xp.Array, name)
    assert (method.__name__, method.__qualname__, method.__module__) == (name, f"Array.{name}", "supremum._core.array")
    assert [each.kind for each in inspect.signature(method).parameters.values()] == [inspect.Parameter.POSITIONAL_ONLY] * 2
    assert method.__code__.co_name == name  # which is what tracebacks show


@pytest.mark.parametrize("name", ARITHMETIC)
@pytest.mark.parametrize("shape", [(), (3,)])
def test_operators_are_numpys_on_equal_dtypes(name, shape):
    function = getattr(operator, name)
    a, b = np.full(shape, 6, "int32"), np.full(shape, 3, "int32")
    for _ in range(2):  # the second time by the short way
        found = function(xp.asarray(a), xp.asarray(b))
        np.testing.assert_array_equal(np.asarray(found), function(a, b))
        assert type(found._data) is np.ndarray
        assert found.shape == shape


def test_floating_point_events_stay_inside():
    huge = xp.asarray([3e38], dtype="float32")
    with np.errstate(all="raise"):
        assert xp.isinf(huge + huge).tolist() == [True]
        assert xp.isinf(huge * 2.0).tolist() == [True]
        assert xp.isnan(xp.log(-huge)).tolist() == [True]
        assert np.geterr()["over"] == "raise"


def test_shapes_that_do_not_fit_are_told_by_the_function():
    x, y = xp.ones(2), xp.ones(3)
    xp.ones(2) + x  # so that the plan is there
    for _ in range(2):
        with pytest.raises(ValueError, match=r"add: the shapes \(2,\) and \(3,\)"):
            x + y


def test_the_short_way_follows_the_configuration():
    x = xp.ones(2, dtype="float64")
    for _ in range(2):
        assert (x + x).dtype == "float64"
        with config.use(x64="off"):
            assert (x + x).dtype == "float32"
