"""Arguments of calls that operands take over: by position or by name, and lists of operands."""

import functools
import inspect
import itertools
import json

import numpy as np
import pytest
from common import for_each

import supremum as xp
from conformance.jax import calls, replay
from supremum import jax

#: Functions of a number by a list that it is in.
FUNCTIONS = {
    "sum": lambda x: xp.sum([x, x * x]),
    "sum along an axis": lambda x: xp.sum([[x, 1.0], [x, x]], axis=0)[0],
    "sum by name": lambda x: xp.sum(a=[x, x * x]),
    "mean": lambda x: xp.mean([x, x * x]),
    "prod": lambda x: xp.prod([x, x * 2]),
    "max": lambda x: xp.max([x, x * 2]),
    "var": lambda x: xp.var([x, 2.0]),
    "sin": lambda x: xp.sin([x, x * 2])[0],
    "add": lambda x: xp.add([x, x * 2], 1)[1],
    "maximum": lambda x: xp.maximum(1.0, [x, x * 2])[1],
    "clip": lambda x: xp.clip([x, x * 2], 0, 100)[0],
    "where": lambda x: xp.where(True, [x, x * 2], 0)[1],
    "cumsum": lambda x: xp.cumsum([x, x * 2])[1],
    "reshape": lambda x: xp.reshape([x, x * 2], (2, 1))[1, 0],
    "transpose": lambda x: xp.transpose([[x, x * 2]])[1, 0],
    "flip": lambda x: xp.flip((x, x * 2))[1],
    "sort": lambda x: xp.sort([x * 2, x])[0],
    "take": lambda x: xp.take([x, x * 2], 1),
    "dot": lambda x: xp.dot([x, x * 2], xp.ones(2)),
    "matmul": lambda x: xp.matmul([[x, 0], [1, x]], xp.ones(2))[0],
    "outer": lambda x: xp.outer([x, 2.0], [x, 1])[0, 0],
    "diff": lambda x: xp.diff([x, 2.0])[0],
    "norm": lambda x: xp.linalg.norm([x, x * 2]),
    "det": lambda x: xp.linalg.det([[x, 0], [1, x]]),
    "inv": lambda x: xp.linalg.inv([[x, 0], [1, x]])[1, 0],
    "atleast_2d": lambda x: xp.atleast_2d(1.0, [x, x * x])[1][0, 1],
}
TRANSFORMED = {
    "grad": lambda f: jax.grad(f)(1.5),
    "jvp": lambda f: jax.jvp(f, (1.5,), (1.0,))[1],
    "vmap": lambda f: jax.vmap(f)(xp.asarray([1.5]))[0],
    "vmap of grad": lambda f: jax.vmap(jax.grad(f))(xp.asarray([1.5]))[0],
    "grad of jit": lambda f: jax.grad(jax.jit(f))(1.5),
}


@for_each("transformed", TRANSFORMED)
@for_each("name", FUNCTIONS)
def test_lists_are_arrays_where_settings_say_so(name, transformed):
    f = FUNCTIONS[name]
    with xp.config.use(lists="convert", x64="on"):
        found = float(TRANSFORMED[transformed](f))
        step = 1e-6
        expected = f(1.5) if transformed == "vmap" else (f(1.5 + step) - f(1.5 - step)) / (2 * step)
    assert abs(found - float(expected)) < 1e-6


@for_each("transformed", TRANSFORMED)
@for_each("name", FUNCTIONS)
def test_lists_are_refused_elsewhere(name, transformed):
    with pytest.raises(TypeError, match=r"requires ndarray or scalar arguments, got (list|tuple)"):
        TRANSFORMED[transformed](FUNCTIONS[name])


BACKEND = replay.SupremumBackend()


@functools.cache
def recorded_calls():
    """Return for each function of `jax.numpy` the first recorded call that has a result, and arrays by position."""
    found = []
    for group in sorted({*replay.groups()} - {"derivatives", "traced", "ufunc_methods", "sampling"}):
        for target, lines in replay.lines_by_target(group).items():
            called = (call for call, outcome, *_ in map(json.loads, lines) if call[1] and outcome and "r" in outcome)
            found += itertools.islice(called, target.startswith("jnp."))
    return found


def arrays_of(x):
    return [y for y in jax.tree.leaves(x) if isinstance(y, xp.Array) and y._node.kind in "biufc"]


def moved(function, *xs):
    ones = [np.zeros(x.shape, jax.dtypes.float0) if x._node.kind in "biu" else xp.ones_like(x) for x in xs]
    return jax.jvp(function, xs, tuple(ones))


def mapped(function, *xs):
    return jax.vmap(function)(*[xp.stack([x, x]) for x in xs])


def outcome(transformed, function, *xs):
    """Return the nodes, shapes and elements of what a function returns, or its error."""
    try:
        found = transformed(function, *xs)
    except Exception as error:  # noqa: BLE001 - compared
        return type(error), str(error)
    return [(x.node, x.shape, np.asarray(x)) for x in arrays_of(found)]


def decoded(call):
    """Return a function, its arguments, and the places of arrays among those by position."""
    args, words = [calls.decode(x, BACKEND) for x in call[1]], {key: calls.decode(x, BACKEND) for key, x in call[2].items()}
    places = [i for i, x in enumerate(args) if type(x) is xp.Array and x._node.kind in "biufc"]
    return calls._function(call[0], BACKEND), args, words, places


@pytest.mark.parametrize("transformed", [moved, mapped])
@for_each("call", recorded_calls)
def test_names_are_as_positions(transformed, call):
    function, args, words, places = decoded(call)
    parameters = list(inspect.signature(function).parameters.values())
    kinds = {parameter.kind for parameter in parameters[: len(args)]}
    if not places or kinds != {inspect.Parameter.POSITIONAL_OR_KEYWORD}:
        return

    def by_position(*xs):
        given = dict(zip(places, xs, strict=True))
        return arrays_of(function(*[given.get(i, x) for i, x in enumerate(args)], **words))

    def by_name(*xs):
        given = dict(zip(places, xs, strict=True))
        return arrays_of(function(**{parameters[i].name: given.get(i, x) for i, x in enumerate(args)}, **words))

    xs = [args[i] for i in places]
    positional, named = outcome(transformed, by_position, *xs), outcome(transformed, by_name, *xs)
    assert repr(positional) == repr(named)


@pytest.mark.parametrize("transformed", [moved, mapped])
@for_each("call", recorded_calls)
def test_other_operands_may_be_arrays_of_numpy(transformed, call):
    function, args, words, places = decoded(call)
    if len(places) < 2 or any(args[i].weak_type for i in places):
        return
    first = next((i for i in places if args[i]._node.kind == "f"), places[0])

    def with_others(convert, x):
        given = [convert(y) if i in places else y for i, y in enumerate(args)]
        given[first] = x
        return arrays_of(function(*given, **words))

    ours, theirs = (outcome(transformed, lambda x, f=f: with_others(f, x), args[first]) for f in (lambda y: y, np.asarray))
    if isinstance(ours, tuple) or isinstance(theirs, tuple):
        assert ours[0] is theirs[0], (ours, theirs)
        return
    assert ours or call[0] == "jnp.einsum_path"  # which returns no arrays
    assert [x[:2] for x in ours] == [x[:2] for x in theirs]
    for (*_, x), (*_, y) in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(x.astype(complex), y.astype(complex), rtol=1e-2)
