"""`jit` gives the function back; other transformations do not exist (tests/test_namespace.py)."""

from functools import partial

import supremum as xp


def test_jit_is_the_identity():
    def double(x):
        return 2 * x

    assert xp.jit(double) is double
    assert xp.jit(double, static_argnums=0) is double
    assert xp.jit()(double) is double
    assert partial(xp.jit, static_argnames=("x",), donate_argnums=(0,))(double) is double


def test_jit_as_a_decorator():
    @xp.jit
    def mean(x):
        return x.sum() / x.size

    assert float(mean(xp.arange(3.0))) == 1.0
    assert mean.__name__ == "mean"
