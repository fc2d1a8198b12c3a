"""Calls that move elements, as moves of the engine: the results are those of the calls."""

import pytest

import supremum as xp
from supremum import jax
from supremum.jax import lax
from supremum.scipy import linalg


@pytest.mark.parametrize("body", [
    lambda x, i: x[i], lambda x, i: i[x], lambda x, i: x[::-1][i], lambda x, i: xp.take(x, i),
    lambda x, i: xp.repeat(x, 2)[:3] + i,
    lambda x, i: xp.where(x > i, x, i), lambda x, i: lax.dynamic_slice(x, (i[0],), (2,)),
    lambda x, i: xp.take_along_axis(x, i, axis=0), lambda x, i: x.at[i].set(7), lambda x, i: xp.roll(x, i[0]),
])  # fmt: skip
def test_integers_that_say_what_is_moved(body):
    jitted, x = jax.jit(body), xp.asarray([5, 0, 1])
    with xp.config.use(out_of_range="clip"):
        for numbers in ([0, 1, 2], [2, 0, 1], [1, 1, 1]):
            i = xp.asarray(numbers)
            assert jitted(x, i).tolist() == body(x, i).tolist()


def test_conditions_and_parts_of_numbers_are_not_moved():
    a, b = xp.asarray([True, False, True]), xp.asarray([False, False, True])
    c = xp.asarray([1 + 2j, 3j, 4])
    for function, given in (
        (lambda x, m: xp.select(choicelist=[x], condlist=[m]), (a, b)),
        (lambda x, m: xp.select([m], [x], m), (a, b)),
        (lambda x, m: xp.where(m, x, m), (a, b)),
        (linalg.toeplitz, (c,)),
        (lambda x: linalg.toeplitz(c=x)[::-1], (c,)),
        (lambda x: (x[True], x[1], x[1:]), (c,)),
    ):
        found = jax.tree.map(lambda x: x.tolist(), jax.jit(function)(*given))
        with jax.disable_jit():
            assert jax.tree.map(lambda x: x.tolist(), jax.jit(function)(*given)) == found
