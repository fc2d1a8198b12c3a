"""What is kept of bodies of loops: it goes with them, and follows what they refer to."""

import copy
import functools
import gc
import pickle
import types
import weakref

import pytest

import supremum as xp
from supremum import jax
from supremum.jax import _bodies, lax

FACTOR = {"by": 2.0}
WEIGHTS = xp.asarray(2.0)
HOLDER = types.SimpleNamespace(factor=2.0)


class Named:
    factor = 2.0


class Derived(Named):
    pass


def helper(c):
    return c * WEIGHTS


def by_helper(i, c):
    return helper(c)


def by_inner(i, c):
    return c * next(WEIGHTS for _ in "x")


def by_keyword(i, c, *, factor=2.0):
    return c * factor


def run(body):
    return lax.fori_loop(0, 2, body, 1.0).item()


@pytest.mark.parametrize("body", [by_helper, by_inner])
def test_arrays_that_parts_of_a_body_refer_to_may_be_replaced(body, monkeypatch):
    assert run(body) == 4
    monkeypatch.setitem(globals(), "WEIGHTS", xp.asarray(3.0))
    assert run(body) == 9


@pytest.mark.parametrize(
    "body",
    [
        lambda: lambda i, c: c * FACTOR["by"],
        lambda: lambda i, c: c * HOLDER.factor,
        lambda: lambda i, c: c * Named.factor,
        lambda: lambda i, c: c * Derived.factor,
        lambda: lambda i, c: next(c * FACTOR["by"] for _ in range(1)),
    ],
)
def test_objects_that_functions_refer_to_may_change(body, monkeypatch):
    assert run(body()) == 4
    monkeypatch.setitem(FACTOR, "by", 3.0)
    monkeypatch.setattr(HOLDER, "factor", 3.0)
    monkeypatch.setattr(Named, "factor", 3.0)
    assert run(body()) == 9


def test_defaults_may_change():
    assert run(by_keyword) == 4
    by_keyword.__kwdefaults__["factor"] = 3.0
    try:
        assert run(by_keyword) == 9
    finally:
        by_keyword.__kwdefaults__["factor"] = 2.0
    assert [run(lambda i, c, by=by: c * by) for by in (2.0, 3.0, 2.0)] == [4, 9, 4]


def test_functions_without_variables_share_what_is_kept():
    calls = []

    def body(i, c):
        return c + 1

    codes = len(_bodies._codes)
    for _ in range(3):
        run(types.FunctionType(body.__code__, {"__name__": "elsewhere"}))
    assert len(_bodies._codes) == codes + 1
    assert len(_bodies._codes[body.__code__]) == 1
    assert not calls


def test_functions_of_functions_share_what_is_kept():
    def times(by):
        return lambda c: c * by

    def less(f, g):
        return lambda i, c: f(c) - g(c)

    for _ in range(3):
        body = less(times(3), times(1))
        assert run(body) == 4
        assert run(less(times(1), times(3))) == 4  # twice -2
        assert run(less(times(1), times(2))) == 1
        assert lax.fori_loop(0, 1, less(times(1), times(3)), 1.0) == -2
        assert _bodies._NAME not in vars(body)
        assert lax.map(lambda x: times(2)(x), xp.arange(3)).tolist() == [0, 2, 4]
    (found,) = [x for x in _bodies._codes[body.__code__].values() if len(x) > 1]
    assert len(found) == 3


def test_few_programs_are_kept():
    def body(c, x):
        return c + 1, x

    weight = xp.ones(())

    def of_closure(c, x):
        return c + weight, x

    for n in range(1, 3 * _bodies.KEPT):
        lax.scan(body, xp.ones(n), xp.arange(2))
        lax.scan(of_closure, xp.ones(n), xp.arange(2))
    assert 0 < len(_bodies._codes[body.__code__]) <= _bodies.KEPT + 1
    assert 0 < len(vars(of_closure)[_bodies._NAME]) <= _bodies.KEPT + 1


def test_one_of_several_arrays_is_kept():
    names = {"__name__": "elsewhere"}
    exec("def body(c, x):\n    return c * WEIGHTS, x", names)  # noqa: S102 - a namespace of its own
    found = []
    for n in range(5):
        names["WEIGHTS"] = xp.asarray(float(n))
        found.append(weakref.ref(names["WEIGHTS"]))
        assert lax.scan(names["body"], 1.0, xp.arange(2))[0] == n**2
    gc.collect()
    assert [one() is None for one in found] == [True] * 4 + [False]


def test_few_programs_of_conditions_are_kept():
    def body(c):
        return c + 1

    for n in range(3 * _bodies.KEPT):
        assert lax.while_loop(lambda c, n=n: c < n, body, 0) == n
    ((kept,),) = _bodies._codes[body.__code__].values()
    assert 0 < len(kept[1].jaxpr.programs) <= _bodies.KEPT


def test_cycles_through_bodies_are_collected():
    class Model:
        def __init__(self):
            self.weights = xp.ones(3)

        def run(self):
            def step(c, x):
                return c + self.weights[0], x

            self.step = step
            return lax.scan(step, 1.0, xp.arange(3))[0]

    def recursive():
        def body(c, x):
            return (c + 1, x) if body else None

        lax.scan(body, 1.0, xp.arange(3))
        return weakref.ref(body)

    model = Model()
    assert model.run() == 4
    found = [weakref.ref(model), recursive()]
    del model
    names = {}
    exec("def body(i, c):\n    return c + other(i)\ndef other(i):\n    return i\nclass Own: pass", names)  # noqa: S102 - as above
    assert run(names["body"]) == 2
    found.append(weakref.ref(names["Own"]))
    del names
    gc.collect()
    assert [one() for one in found] == [None, None, None]


def test_copies_of_functions_keep_nothing():
    by = xp.asarray(2.0)

    def body(i, c):
        return c * by

    assert run(body) == 4

    @functools.wraps(body)
    def wrapped(i, c):
        return c * by * by

    assert run(wrapped) == 16
    assert run(body) == 4
    kept = vars(body)[_bodies._NAME]
    assert pickle.loads(pickle.dumps(kept)) == copy.deepcopy(kept) == {}


def test_errors_of_recording_are_those_of_the_body():
    def body(c, x):
        raise LookupError("mine")

    assert _bodies.recorded_or_none(lambda: body(1, 2)) is None
    with pytest.raises(LookupError, match="mine"):
        lax.scan(body, 1.0, xp.arange(3))
    with jax.disable_jit(), pytest.raises(LookupError, match="mine"):
        lax.scan(body, 1.0, xp.arange(3))


def test_variables_without_a_value_yet():
    def body(c, x):
        return (c + later if x is None else c + x), x

    assert lax.scan(body, 1.0, xp.arange(3.0))[0] == 4
    later = 2.0
    assert lax.scan(body, later, xp.arange(3.0))[0] == 5
