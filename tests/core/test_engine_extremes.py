"""The engine calls our own loops: maximum and minimum of floats, with ordered zeros, are as direct as other functions."""

import numpy as np
import pytest
from common import for_each
from engines import LOOPS, engine_or_skip

from supremum._base.buffers import native
from supremum._core import reduction_rows as reductions, settings
from supremum._kernels import extremes

pytestmark = pytest.mark.skipif(
    native is None or not LOOPS, reason="plans have no loops without the extension module or under SUPREMUM_TEST_LOOPS=0"
)
ZEROS, SIGNS = [0.0, -0.0, -0.0, 0.0, -0.0], [-0.0, 0.0, -0.0, 0.0, -1.0]


@pytest.fixture(scope="module")
def engine():
    return engine_or_skip("native")


@for_each("dtype", ["float32", "float64", "int32", "uint8", "bool"])
@for_each("name", ["maximum", "minimum"])
def test_plans_of_two_operands_have_loops(engine, name, dtype):
    x = engine.array(np.zeros(1, dtype))
    for operands in ((x, x), (x, True), (True, x)):
        assert engine.plan(engine.operations[name], *operands).looped


@for_each("dtype", ["float32", "float64", "int32", "uint8", "bool"])
@for_each("name", ["max", "min"])
def test_plans_of_folds_have_loops(engine, name, dtype):
    node = engine.array(np.zeros(1, dtype))._node
    assert reductions.plan_reduction(reductions.FOLDS[name].rule, settings.state(), node, (), engine.Plan).looped


def never(*_):
    raise AssertionError("operands are plain")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_zeros_are_ordered(engine, dtype):
    x, y = (engine.array(np.array(values, dtype)) for values in (ZEROS, SIGNS))
    for name, expected in (("maximum", [0.0, 0.0, -0.0, 0.0, -0.0]), ("minimum", [-0.0, -0.0, -0.0, 0.0, -1.0])):
        found = engine.Function(never, "elementwise", engine.operations[name])(x, y)._data
        assert found.tolist() == expected
        assert np.signbit(found).tolist() == np.signbit(expected).tolist()
    for name, negative in (("max", False), ("min", True)):
        found = engine.fold(name)(engine.array(np.tile(np.array(ZEROS, dtype), 200)))._data
        assert (float(found), bool(np.signbit(found))) == (0, negative)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int16"])
def test_clip_has_a_loop(engine, dtype):
    node = engine.array(np.zeros(1, dtype))._node
    assert engine.Plan(node, ufunc=extremes.clip, dtype=node.dtype).looped


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_clip_orders_zeros(engine, dtype):
    def make(_state, node, _shape):
        return engine.Plan(node, ufunc=extremes.clip, dtype=node.dtype)

    clip = engine.Function(never, "clip", engine.Operation("clip", 1, make))
    x = engine.array(np.array([0.0, -0.0, 3.0, -3.0, float("nan")], dtype))
    for low, high, expected in (
        (0.0, 1.0, [0.0, 0.0, 1.0, 0.0, None]),
        (-0.0, 1, [0.0, -0.0, 1.0, -0.0, None]),
        (-1, -0.0, [-0.0, -0.0, -0.0, -1.0, None]),
        (2.0, float("nan"), [None] * 5),
    ):
        found = clip(x, low, high)._data
        assert [None if value != value else (value, np.signbit(value)) for value in found.tolist()] == [
            None if value is None else (value, np.signbit(value)) for value in expected
        ]
