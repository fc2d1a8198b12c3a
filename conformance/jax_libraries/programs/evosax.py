"""evosax: evolution strategies."""

import jax
import jax.numpy as jnp
from evosax.algorithms import algorithms
from evosax.algorithms.population_based.base import PopulationBasedAlgorithm

PACKAGES = "evosax"
KEY = jax.random.key(0)
OPTIONS = {
    "RandomSearch": {"sampling_fn": lambda key: jax.random.normal(key, (3,))},
    "SV_CMA_ES": {"num_populations": 2},
    "SV_Open_ES": {"num_populations": 2},
}
STEIN = ("SV_CMA_ES", "SV_Open_ES")  # they need the gradient of a kernel
GENERATIONS = {"EvoTF_ES": 1}  # a transformer


def _generations(name, generations):
    algorithm = algorithms[name](**{"population_size": 8, "solution": jnp.zeros(3)} | OPTIONS.get(name, {}))
    params = algorithm.default_params
    if isinstance(algorithm, PopulationBasedAlgorithm):
        start = jax.random.normal(KEY, (8, 3))
        state = algorithm.init(KEY, start, jnp.sum(start**2, 1), params)
    else:
        state = algorithm.init(KEY, jnp.ones((2, 3) if name.startswith("SV") else 3), params)
    for key in jax.random.split(KEY, generations):
        ask, tell = jax.random.split(key)
        population, state = algorithm.ask(ask, state, params)
        state, _ = algorithm.tell(tell, population, jnp.sum((population - 0.5) ** 2, 1), state, params)
    return population, state.best_fitness


def strategies():
    return {name: _generations(name, GENERATIONS.get(name, 3)) for name in sorted(algorithms) if name not in STEIN}


def strategies_with_gradients():
    return {name: _generations(name, 2) for name in STEIN}
