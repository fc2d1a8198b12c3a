"""evosax: evolution strategies."""

import jax
import jax.numpy as jnp
from evosax.algorithms import algorithms
from evosax.algorithms.population_based.base import PopulationBasedAlgorithm

PACKAGES = "evosax"
KEY = jax.random.key(0)


def _generations(name):
    algorithm = algorithms[name](population_size=8, solution=jnp.zeros(3))
    params = algorithm.default_params
    if isinstance(algorithm, PopulationBasedAlgorithm):
        start = jax.random.normal(KEY, (8, 3))
        state = algorithm.init(KEY, start, jnp.sum(start**2, 1), params)
    else:
        state = algorithm.init(KEY, jnp.ones(3), params)
    for key in jax.random.split(KEY, 3):
        ask, tell = jax.random.split(key)
        population, state = algorithm.ask(ask, state, params)
        state, _ = algorithm.tell(tell, population, jnp.sum((population - 0.5) ** 2, 1), state, params)
    return population, state.best_fitness


def strategies():
    found = {}
    for name in sorted(set(algorithms) - {"RandomSearch"}):  # which needs a function of its own
        found[name] = _generations(name)
    return found
