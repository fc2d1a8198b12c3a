"""What tests of functions of arrays share: calls with arrays of other layouts, dtypes and contents."""

import functools

import numpy as np

import supremum as xp
from supremum._base.boundary import translated
from supremum._core import engine
from supremum._core.array import wrap
from supremum._core.settings import state


def by_definition(function):
    """Return a function without its fast path and plain call."""
    if type(function) is not engine.Function:
        return function
    definition = function.__wrapped__
    name = definition.__name__.removesuffix(" (definition)")
    return engine.Function(definition, handler=functools.partial(translated, name), silent=True)


def weak(values):
    """Return a weak array of the default float dtype."""
    node = state().default("f").weak_form
    return wrap(np.asarray(values, node.dtype), node)


def layouts(data):
    """Yield arrays of the same elements: contiguous, with a step, reversed, read-only."""
    data = np.asarray(data)
    yield xp.asarray(data)
    yield xp.asarray(np.repeat(data, 2, axis=-1))[..., ::2]
    yield xp.asarray(np.ascontiguousarray(data[..., ::-1]))[..., ::-1]
    frozen = data.copy()
    frozen.flags.writeable = False
    yield xp.asarray(frozen)


def check_layouts(call, data):
    """Check that a call has the same elements for every layout, and leaves its argument alone."""
    expected = None
    for x in layouts(data):
        before = np.asarray(x).copy()
        found = np.asarray(call(x))
        np.testing.assert_array_equal(np.asarray(x), before)
        expected = found if expected is None else expected
        np.testing.assert_array_equal(found, expected)


def check_dtypes(call, table, data):
    """Check the dtype and the weak type of results; "weak" is a weak float, and a star marks weak results."""
    for given, expected in table.items():
        x = weak(data) if given == "weak" else xp.asarray(np.asarray(data), dtype=given)
        found = call(x)
        assert str(found.dtype) + "*" * found.weak_type == expected, given


def check_narrow(call, data, dtypes=("bfloat16", "float16")):
    """Check that the result of a narrow dtype is that of the same numbers in float32, rounded once."""
    for dtype in dtypes:
        x = xp.asarray(data, dtype=dtype)
        found, wide = call(x), call(x.astype("float32"))
        np.testing.assert_array_equal(np.asarray(found), np.asarray(wide.astype(found.dtype)))
