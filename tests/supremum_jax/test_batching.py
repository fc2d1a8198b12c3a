"""The operands of mapped functions: what they look like, and what they cannot do, as in JAX."""

import copy
import pickle
from weakref import ref

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import jax
from supremum.jax._batching import Batched
from supremum.jax.experimental.ode import odeint
from supremum.typing import new_level

pytestmark = pytest.mark.usefixtures("as_in_jax")

lax, vmap, errors = jax.lax, jax.vmap, jax.errors


def seen(look, x, **options):
    """Return what a function sees of an operand."""
    found = []
    vmap(lambda operand: found.append(look(operand)), **options)(x)
    [only] = found  # it is called once
    return only


def test_operands_look_like_arrays_of_one_position():
    x = xp.ones((5, 2, 3), dtype="bfloat16")
    assert seen(lambda a: (a.shape, a.ndim, a.size, len(a), str(a.dtype), a.weak_type), x) == (
        (2, 3), 2, 6, 2, "bfloat16", False,
    )  # fmt: skip
    assert seen(lambda a: (a.T.shape, a.mT.shape, a.nbytes, a.itemsize), x) == ((3, 2), (3, 2), 12, 2)
    assert seen(lambda a: isinstance(a, jax.Array) and isinstance(a, jax.core.Tracer), x)
    assert not isinstance(x, jax.core.Tracer)
    assert seen(lambda a: [row.shape for row in a] + [row.shape for row in reversed(a)], x) == [(3,)] * 4
    assert seen(lambda a: (np.shape(a), np.ndim(a), xp.shape(a), jax.typeof(a).shape), x) == ((2, 3), 2, (2, 3), (2, 3))
    assert "bfloat16[2,3]" in seen(repr, x)
    assert seen(lambda a: jax.eval_shape(lambda b: b.sum(0), a).shape, x) == (3,)
    with pytest.raises(TypeError, match="unsized"):
        seen(len, xp.ones(3))
    with pytest.raises(TypeError, match="0-d"):
        seen(list, xp.ones(3))
    with pytest.raises(TypeError, match="unhashable"):
        seen(hash, x)


def test_the_function_is_called_once():
    calls = []
    vmap(lambda a: calls.append(1) or a)(xp.ones(1000))
    assert calls == [1]


@for_each(
    ("use", "error"),
    [
        (bool, errors.TracerBoolConversionError),
        (lambda a: 1 if a > 0 else 2, errors.TracerBoolConversionError),
        (lambda a: a in [1, 2], errors.TracerBoolConversionError),
        (int, errors.ConcretizationTypeError),
        (float, errors.ConcretizationTypeError),
        (complex, errors.ConcretizationTypeError),
        (lambda a: a.item(), errors.ConcretizationTypeError),
        (lambda a: a.tolist(), errors.ConcretizationTypeError),
        (range, errors.TracerIntegerConversionError),
        (lambda a: [1, 2][a], errors.TracerIntegerConversionError),
        (xp.zeros, errors.ConcretizationTypeError),
        (np.asarray, errors.TracerArrayConversionError),
        (lambda a: np.linalg.matrix_rank.__wrapped__ and np.busday_count(a, a), errors.TracerArrayConversionError),
        (pickle.dumps, errors.ConcretizationTypeError),
        (lambda a: xp.ones(3)[xp.asarray([a > 0, a > 1, a > 2])], errors.NonConcreteBooleanIndexError),
    ],
)
def test_values_that_python_needs(use, error):
    with pytest.raises(error, match="vmap"):
        vmap(use)(xp.arange(3))


def test_results_whose_shapes_depend_on_values():
    x = xp.asarray([[0, 1], [1, 1]])
    with pytest.raises(errors.ConcretizationTypeError, match="different shapes"):
        vmap(lambda a: xp.nonzero(a)[0])(x)
    assert vmap(lambda a: xp.nonzero(a, size=2, fill_value=9)[0])(x).tolist() == [[1, 9], [0, 1]]


def test_arrays_are_not_written_to():
    with xp.config.use(mutable=True):
        x, total = xp.arange(3.0), xp.zeros(())

        def mapped(a):
            a += 1
            a *= 2
            y = total
            y += a
            return y

        assert vmap(mapped)(x).tolist() == [2, 4, 6]
        assert (x.tolist(), float(total)) == ([0, 1, 2], 0)
        for write in (lambda a: a.__setitem__(0, 1), lambda a: xp.zeros(2).__setitem__(0, a[0])):
            with pytest.raises(TypeError, match=r"x\.at\[index\]\.set"):
                vmap(write)(xp.ones((3, 2)))
        result = vmap(lambda a: a)(x)
        result[0] = 9
        assert x.tolist() == [0, 1, 2]


def test_functions_of_numpy():
    x = xp.asarray([[1.0, 4.0], [9.0, 16.0]])
    assert vmap(lambda a: np.sqrt(a) + np.sum(a))(x).tolist() == [[6, 7], [28, 29]]
    assert vmap(lambda a: np.ones(2, np.float32) - a)(x).tolist() == [[0, -3], [-8, -15]]


def test_copies_are_operands():
    x = xp.arange(3.0)
    assert vmap(lambda a: copy.copy(a) + copy.deepcopy(a) + a.copy() + a.clone())(x).tolist() == [0, 4, 8]


def test_foreign_operands():
    class Other:
        def __radd__(self, other):
            return "theirs"

    assert seen(lambda a: a + Other(), xp.ones(3)) == "theirs"
    with pytest.raises(TypeError):
        vmap(lambda a: a + "text")(xp.ones(3))


def test_a_function_without_a_rule_is_called_for_each_position():
    sizes = []

    def opaque(function, args, kwargs):
        if function.name == "searchsorted":
            sizes.append(args[0].shape)
        return function(*args, **kwargs)

    points = xp.asarray([[0.0, 1.0], [0.0, 2.0]])
    with xp.config.use(watcher=opaque):
        found = vmap(lambda p: xp.searchsorted(p, 0.5))(points)
    assert found.tolist() == [1, 1]
    assert sizes == [(2,), (2,)]


def test_callbacks_of_such_functions_see_one_position():
    def mapped(a):
        return xp.apply_along_axis(lambda row: row * 2 if float(a) > 1 else row, 0, xp.ones(2) * a)

    assert vmap(mapped)(xp.arange(3.0)).tolist() == [[0, 0], [1, 1], [4, 4]]


def test_no_positions():
    none = xp.zeros((0, 3))
    assert vmap(lambda a: xp.sort(a) @ xp.ones((3, 2)))(none).shape == (0, 2)
    assert vmap(lambda a: xp.interp(a, xp.arange(3.0), xp.arange(3.0)))(none).shape == (0, 3)


def test_results_of_all_positions_have_no_axis_to_leave_out():
    x = xp.ones(3)
    with pytest.raises(ValueError, match="mapped output but out_axes is None"):
        vmap(lambda a: a, out_axes=None)(x)
    assert float(vmap(lambda a: 2.0, out_axes=None)(x)) == 2


def test_branches():
    x = xp.asarray([-1.0, 2.0])
    with pytest.raises(TypeError, match="equal output types"):
        vmap(lambda a: lax.cond(a > 0, lambda: 1, lambda: 1.5))(x)
    with pytest.raises(TypeError, match="equal output structures"):
        vmap(lambda a: lax.cond(a > 0, lambda: 1, lambda: (1,)))(x)
    # A result that both branches pass on is not selected.
    assert float(vmap(lambda a, b: lax.cond(a > 0, lambda c: c, lambda c: c, b), (0, None), None)(x, 3.0)) == 3


class Noted:
    """An operand of a user's, which keeps the names of the functions that it was an argument of."""

    shape = property(lambda self: self.array.shape)
    ndim = property(lambda self: self.array.ndim)
    dtype = property(lambda self: self.array.dtype)
    _node = property(lambda self: self.array._node)

    def __init__(self, array, names=()):
        self.array, self.names = array, names

    def __supremum_function__(self, function, args, kwargs):
        def plain(x):
            return x.array if isinstance(x, Noted) else [plain(item) for item in x] if isinstance(x, list) else x

        result = function(*map(plain, args), **{name: plain(x) for name, x in kwargs.items()})
        names = (*self.names, function.name)
        return tuple([type(self)(x, names) for x in result]) if isinstance(result, tuple) else type(self)(result, names)


def test_operands_of_other_guests_may_be_mapped():
    x = xp.asarray([1.0, 2.0, 3.0])
    found = vmap(lambda a: xp.sum(xp.sin(a) * xp.ones(2)))(Noted(x))
    assert type(found) is Noted
    assert {"sin", "multiply", "sum"} <= set(found.names)
    np.testing.assert_array_equal(found.array, vmap(lambda a: xp.sum(xp.sin(a) * xp.ones(2)))(x))
    nested = vmap(vmap(xp.divmod, in_axes=(0, None)), in_axes=(None, 0))(Noted(x), x)
    assert [part.array.tolist() for part in nested] == [part.tolist() for part in xp.divmod(x, x[:, None])]


@pytest.mark.parametrize("add", [lambda a, g: xp.add(a, g), lambda a, g: xp.add(g, a), lambda a, g: xp.stack([[a], [g]])])
def test_mapped_operands_come_first_on_either_side_of_other_guests(add):
    x = xp.asarray([1.0, 2.0, 3.0])
    found = vmap(lambda a: add(a, Noted(xp.asarray(10.0))))(x)
    assert type(found) is Noted
    np.testing.assert_array_equal(found.array, vmap(lambda a: add(a, xp.asarray(10.0)))(x))


def test_guests_of_greater_levels_come_before_mapped_operands():
    class Inner(Noted):
        def __init__(self, array, names=()):
            super().__init__(array, names)
            self.__supremum_level__ = new_level()

    seen = []

    def mapped(a):
        found = xp.add(a, Inner(xp.asarray(10.0)))
        seen.append((type(found), type(found.array)))
        return found.array

    assert vmap(mapped)(xp.arange(3.0)).tolist() == [10, 11, 12]
    [(outer, inner)] = seen
    assert (outer, inner) == (Inner, Batched)


def test_nested_lists_of_operands():
    x = xp.asarray([1.0, 2.0])
    assert vmap(lambda a: xp.asarray([[a, 2.0], [3.0, a]]))(x).tolist() == [[[1, 2], [3, 1]], [[2, 2], [3, 2]]]
    found = vmap(lambda a: xp.asarray([[[a, Noted(xp.asarray(2.0))]]]))(x)
    assert found.array.tolist() == [[[[1, 2]]], [[[2, 2]]]]


def test_the_lens_and_traces_see_the_calls():
    with xp.trace_promotions() as trace:
        vmap(lambda a: a + xp.ones(2, dtype="bfloat16"))(xp.ones((3, 2)))
    assert len(trace) == 1


def test_functions_that_call_others_back():
    rates, times = xp.asarray([0.5, 1.0]), xp.asarray([0.0, 1.0])
    by_argument = vmap(lambda k: odeint(lambda y, t, r: -r * y, 1.0, times, k)[-1])(rates)
    by_closure = vmap(lambda k: odeint(lambda y, t: -k * y, 1.0, times)[-1])(rates)
    np.testing.assert_allclose(by_argument, np.exp([-0.5, -1.0]), rtol=1e-5)
    np.testing.assert_array_equal(by_closure, by_argument)


def test_blocks_and_objects_of_scipy():
    scales = xp.asarray([1.0, 2.0])
    blocks = vmap(lambda s: xp.block([[s * xp.ones((1, 1)), xp.zeros((1, 2))], [xp.zeros((2, 1)), xp.eye(2)]]))(scales)
    assert blocks.tolist() == [[[s, 0, 0], [0, 1, 0], [0, 0, 1]] for s in (1, 2)]
    table = jax.scipy.interpolate.RegularGridInterpolator((xp.arange(3.0),), xp.asarray([0.0, 1.0, 4.0]))
    assert vmap(table)(xp.asarray([[0.5], [1.5]])).tolist() == [[0.5], [2.5]]
    density = jax.scipy.stats.gaussian_kde(xp.asarray([0.0, 1.0, 3.0]))
    np.testing.assert_allclose(vmap(density)(scales)[:, 0], density(scales), rtol=1e-6)


def test_weak_references():  # libraries cache by them
    def same(x):
        return x if ref(x)() is x else None

    assert jax.vmap(same)(xp.arange(3)).tolist() == [0, 1, 2]
