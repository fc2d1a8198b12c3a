"""Samplers for many keys: the numbers are those of each key, and a program draws them at once."""

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import random
from supremum.jax import grad, jit, lax, make_jaxpr, vmap

A = xp.asarray(np.linspace(0.5, 3.0, 5).astype(np.float32))
LOGITS = xp.log(xp.asarray([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]))
COVARIANCE = xp.asarray([[2.0, 0.5], [0.5, 1.0]])
DRAWS = {
    "ball": lambda k: random.ball(k, 3, shape=(2,)),
    "bernoulli": lambda k: random.bernoulli(k, A / 4),
    "bernoulli, high": lambda k: random.bernoulli(k, A / 4, (2, 5), mode="high"),
    "beta": lambda k: random.beta(k, A, 2.0),
    "binomial": lambda k: random.binomial(k, 50.0, A / 4),
    "bits of 64": lambda k: random.bits(k, (3,), "uint64"),
    "categorical": lambda k: random.categorical(k, LOGITS),
    "categorical, first axis": lambda k: random.categorical(k, LOGITS, 0, (2, 3)),
    "categorical, without replacement": lambda k: random.categorical(k, LOGITS, -1, (2, 2), replace=False),
    "choice": lambda k: random.choice(k, A, (2,)),
    "choice, weighted": lambda k: random.choice(k, A, (2,), p=A / A.sum()),
    "choice, without replacement": lambda k: random.choice(k, 5, (3,), replace=False),
    "complex normal": lambda k: random.normal(k, (2,), "complex64"),
    "dirichlet": lambda k: random.dirichlet(k, A, (2,)),
    "fold_in": lambda k: random.uniform(random.fold_in(k, 3)),
    "gamma": lambda k: random.gamma(k, A),
    "geometric": lambda k: random.geometric(k, A / 4),
    "gumbel": lambda k: random.gumbel(k, (3,)),
    "gumbel, high": lambda k: random.gumbel(k, (3,), mode="high"),
    "gumbel, highest": lambda k: random.gumbel(k, (3,), "float32", mode="highest"),
    "loggamma, narrow": lambda k: random.loggamma(k, 0.5, (3,), "bfloat16"),
    "multinomial": lambda k: random.multinomial(k, 10, xp.exp(LOGITS)),
    "multivariate_normal": lambda k: random.multivariate_normal(k, xp.zeros(2), COVARIANCE, (3,)),
    "orthogonal": lambda k: random.orthogonal(k, 3),
    "permutation": lambda k: random.permutation(k, 5),
    "permutation, independent": lambda k: random.permutation(k, LOGITS, 1, independent=True),
    "permutation of rows": lambda k: random.permutation(k, LOGITS),
    "poisson": lambda k: random.poisson(k, A * 10),
    "randint": lambda k: random.randint(k, (3,), 0, xp.asarray([3, 50, 10**6])),
    "randint, narrow": lambda k: random.randint(k, (3,), -128, 128, "int8"),
    "split": lambda k: random.uniform(random.split(k, (2, 2))[1, 0]),
    "t": lambda k: random.t(k, 3.0, (2,)),
    "truncated_normal": lambda k: random.truncated_normal(k, -A, A),
    "uniform": lambda k: random.uniform(k, (5,), "float32", A, 4.0),
}


def same(x, y):
    return x.dtype == y.dtype and np.asarray(x).tobytes() == np.asarray(y).tobytes()


@for_each("number", [3, 200])
@for_each("draw", DRAWS.values())
def test_each_key_draws_what_it_draws_alone(draw, number):
    keys = random.split(random.key(7), number)
    expected = xp.stack([draw(keys[i]) for i in range(number)])
    assert same(vmap(draw)(keys), expected) or np.allclose(vmap(draw)(keys), expected, rtol=1e-6, atol=1e-6)
    assert same(vmap(draw)(random.key_data(keys)), vmap(draw)(keys))


@for_each("draw", DRAWS.values())
def test_programs_draw_from_all_keys_at_once(draw):
    few, several = (make_jaxpr(vmap(draw))(random.split(random.key(7), number)) for number in (2, 9))
    assert len(few.eqns) == len(several.eqns)
    keys = random.split(random.key(8), (3, 2))
    expected = vmap(vmap(draw))(keys)
    assert same(expected, xp.stack([vmap(draw)(keys[i]) for i in range(3)]))
    assert same(jit(vmap(vmap(draw)))(keys), expected)
    assert same(lax.scan(lambda carry, own: (carry, vmap(draw)(own)), 0, keys)[1], expected)


def test_parameters_are_those_of_each_position():
    keys = random.split(random.key(7), 5)
    for draw in (random.gamma, random.poisson, random.bernoulli, random.geometric, random.exponential):
        if draw is not random.exponential:
            own = vmap(lambda k, a, draw=draw: draw(k, a / 4, (3,)))(keys, A)
            assert same(own, xp.stack([draw(keys[i], A[i] / 4, (3,)) for i in range(5)]))
            shared = vmap(lambda a, draw=draw: draw(keys[0], a / 4, (3,)))(A)
            assert same(shared, xp.stack([draw(keys[0], A[i] / 4, (3,)) for i in range(5)]))
    counts = xp.arange(5)
    own = vmap(lambda k, n, p: random.multinomial(k, n, p))(keys, counts, xp.stack([A / A.sum()] * 5))
    assert same(own, xp.stack([random.multinomial(keys[i], counts[i], A / A.sum()) for i in range(5)]))
    seeds = xp.asarray([0, -1, 7])
    assert same(random.key_data(jit(vmap(random.key))(seeds)), xp.stack([random.key_data(random.key(s)) for s in (0, -1, 7)]))


@pytest.mark.parametrize(
    "draw",
    [
        lambda k, a: random.gamma(k, a),
        lambda k, a: random.uniform(k, (), "float32", a, 4.0),
        lambda k, a: random.truncated_normal(k, -a, a),
        lambda k, a: random.beta(k, a, 2.0),
        lambda k, a: random.multivariate_normal(k, xp.stack([a, a]), COVARIANCE * a).sum(),
    ],
)
def test_gradients_by_parameters(draw):
    keys = random.split(random.key(7), 5)
    expected = xp.stack([grad(draw, argnums=1)(keys[i], A[i]) for i in range(5)])
    assert np.allclose(vmap(grad(draw, argnums=1))(keys, A), expected, rtol=1e-5)
    assert np.allclose(grad(lambda a: vmap(draw)(keys, a).sum())(A), expected, rtol=1e-5)
    assert np.allclose(jit(grad(lambda a: vmap(draw)(keys, a).sum()))(A), expected, rtol=1e-5)


def test_an_error_is_that_of_one_key():
    keys = random.split(random.key(7), 5)
    with pytest.raises(ValueError, match="single key"):
        random.gumbel(keys, (5, 3))
    with pytest.raises(ValueError, match=r"shape \(5,\) does not broadcast to the shape \(3,\)"):
        vmap(lambda k: random.bernoulli(k, A, (3,)))(keys)
    with pytest.raises(TypeError, match="a shape must be"):
        vmap(lambda k: random.gumbel(k, None))(keys)
