"""`jit` converts its arguments and results; other transformations do not exist (tests/test_namespace.py)."""

from collections import OrderedDict, namedtuple
from functools import partial

import numpy as np
import pytest

import supremum as xp

Pair = namedtuple("Pair", "x y")


def test_jit_as_a_decorator():
    @xp.jit
    def mean(x):
        """Divide the sum by the size."""
        return x.sum() / x.size

    assert float(mean(xp.arange(3.0))) == 1.0
    assert (mean.__name__, mean.__doc__) == ("mean", "Divide the sum by the size.")

    class Model:
        @xp.jit
        def double(self, x):
            return 2 * x

    assert Model().double(3).tolist() == 6


def test_jit_converts_arguments_and_results():
    """Dtypes and weak types of JAX 0.10.2."""
    tripled = xp.jit(lambda a: a * 3)
    assert tripled(2).block_until_ready().tolist() == 6
    assert (tripled(2).dtype, tripled(2).weak_type) == ("int32", True)
    assert tripled(True).dtype == "int32"
    assert tripled(np.ones(2, "int16")).dtype == "int16"
    assert isinstance(xp.jit(lambda a: np.asarray(a) + 1)(xp.ones(2)), xp.Array)
    assert isinstance(xp.jit(lambda a: a)(np.ones(2)), xp.Array)
    constant = xp.jit(lambda: 1.5)()
    assert (constant.dtype, constant.weak_type) == ("float32", True)


def test_jit_converts_within_containers():
    given = {"a": [1, (2.0, None)], "b": Pair(np.ones(1), 3j), "c": OrderedDict(d=True)}
    for result in (xp.jit(lambda x: x)(given), xp.jit(lambda: given)()):
        assert [type(part) for part in result.values()] == [list, Pair, OrderedDict]
        one, (two, nothing) = result["a"]
        assert nothing is None
        leaves = [one, two, result["b"].x, result["b"].y, result["c"]["d"]]
        assert all(isinstance(leaf, xp.Array) for leaf in leaves)


def test_static_arguments_are_passed_on():
    def seen(function, *args, **kwargs):
        kept = []
        function(lambda *values: kept.extend(type(value) for value in values))(*args, **kwargs)
        return kept

    def by(**options):
        return lambda note: xp.jit(lambda x, n: note(x, n), **options)

    assert seen(by(static_argnums=1), 1, 2) == [xp.Array, int]
    assert seen(by(static_argnums=(0, -1)), 1, 2) == [int, int]
    assert seen(by(static_argnums=1), 1, n=2) == [xp.Array, int]
    assert seen(by(static_argnames="n"), 1, 2) == [xp.Array, int]
    assert seen(by(static_argnames=["x"]), x=1, n=2) == [int, xp.Array]
    assert seen(by(static_argnums=0, static_argnames="n"), 1, n=2) == [int, int]
    assert partial(xp.jit, static_argnames=("x",), donate_argnums=(0,))(lambda x: type(x).__name__)(x=1) == "int"
    assert xp.jit(static_argnums=0)(lambda x: type(x).__name__)(1) == "int"


@pytest.mark.parametrize("options", [{"static_argnums": "x"}, {"static_argnames": 1}, {"static_argnums": (0, 1.5)}])
def test_wrong_options_are_refused(options):
    with pytest.raises(TypeError, match="jit: static_arg"):
        xp.jit(lambda x: x, **options)


def test_what_cannot_be_called_is_refused():
    with pytest.raises(TypeError, match="jit: fun must be a function"):
        xp.jit(3)
