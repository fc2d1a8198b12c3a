"""What the interpreter gets in place of operators and functions: they look and fail like those they stand for."""

import inspect
import operator
import pickle
import warnings

import numpy as np
import pytest

import supremum as xp
from supremum import config

pytestmark = pytest.mark.skipif(xp.__compiled__, reason="the compiled core has no such copies")

ARITHMETIC = ["add", "sub", "mul", "truediv", "and_", "or_", "xor", "eq", "ne", "lt", "le", "gt", "ge"]


@pytest.mark.parametrize("name", ["__add__", "__truediv__", "__eq__", "__getitem__"])
def test_operators_keep_their_names_and_signatures(name):
    method = getattr(xp.Array, name)
    assert (method.__name__, method.__qualname__, method.__module__) == (name, f"Array.{name}", "supremum._array")
    assert [each.kind for each in inspect.signature(method).parameters.values()] == [inspect.Parameter.POSITIONAL_ONLY] * 2
    assert method.__code__.co_name == name  # which is what tracebacks show


def test_functions_keep_their_documentation_and_pickle():
    assert xp.sin.__doc__.startswith("Sine")
    assert xp.sin.__module__ == "supremum.elementwise.trigonometry"
    assert pickle.loads(pickle.dumps(xp.sin)) is xp.sin


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


def test_a_warning_made_an_error_stays_inside():
    huge = xp.asarray([3e38], dtype="float32")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert xp.isinf(huge + huge).tolist() == [True]
        assert xp.isinf(huge * 2.0).tolist() == [True]
        assert xp.isnan(xp.log(-huge)).tolist() == [True]
    with np.errstate(all="raise"), pytest.raises(FloatingPointError):
        huge + huge


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
