"""blackjax: samplers, by given functions and by gradients."""

import blackjax
import jax
import jax.numpy as jnp

PACKAGES = "blackjax"
KEY = jax.random.key(1)


def _density(x):
    return -0.5 * jnp.sum((x - 1.0) ** 2)


def _run(sampler, state, steps=5):
    positions = []
    for key in jax.random.split(KEY, steps):
        state, _ = sampler.step(key, state)
        positions.append(state.position)
    return jnp.stack(positions)


def random_walk():
    sampler = blackjax.additive_step_random_walk(_density, blackjax.mcmc.random_walk.normal(0.5 * jnp.ones(2)))
    return _run(sampler, sampler.init(jnp.ones(2)))


def metropolis_hastings():
    sampler = blackjax.rmh(_density, lambda key, x: x + 0.3 * jax.random.normal(key, x.shape))
    return _run(sampler, sampler.init(jnp.zeros(2)))


def independent_metropolis_hastings():
    sampler = blackjax.irmh(_density, lambda key: jax.random.normal(key, (2,)))
    return _run(sampler, sampler.init(jnp.zeros(2)))


def elliptical_slice():
    sampler = blackjax.elliptical_slice(_density, mean=jnp.zeros(2), cov=jnp.eye(2))
    return _run(sampler, sampler.init(jnp.ones(2)))


def scanned_chains():
    sampler = blackjax.additive_step_random_walk(_density, blackjax.mcmc.random_walk.normal(0.5 * jnp.ones(2)))

    def step(state, key):
        state, info = sampler.step(key, state)
        return state, (state.position, info.is_accepted)

    starts = jax.vmap(sampler.init)(jnp.arange(6.0).reshape(3, 2))
    return jax.vmap(lambda s, key: jax.lax.scan(step, s, jax.random.split(key, 4))[1])(starts, jax.random.split(KEY, 3))


def resampling():
    import blackjax.smc.resampling as resampling

    weights = jnp.array([0.1, 0.2, 0.3, 0.4])
    return [getattr(resampling, name)(KEY, weights, 6) for name in ("systematic", "stratified", "multinomial", "residual")]


def effective_sample_size():
    chains = jnp.sin(jnp.arange(40.0) * 1.7).reshape(2, 20)
    return blackjax.ess(chains), blackjax.rhat(chains)


def tempered_smc():
    import blackjax.smc.resampling as resampling

    kernel = blackjax.additive_step_random_walk.build_kernel()
    step = blackjax.mcmc.random_walk.normal(0.3 * jnp.ones(2))
    sampler = blackjax.adaptive_tempered_smc(
        lambda x: -jnp.sum(x**2) / 2, lambda x: -jnp.sum((x - 1) ** 2), lambda key, state, density, **_: kernel(key, state, density, step),
        blackjax.additive_step_random_walk.init, {}, resampling.systematic, 0.5, num_mcmc_steps=2,
    )  # fmt: skip
    state = sampler.init(jax.random.normal(KEY, (8, 2)))
    for key in jax.random.split(KEY):
        state, _ = sampler.step(key, state)
    return state.particles, state.weights


def run_of_an_algorithm():
    sampler = blackjax.rmh(_density, lambda key, x: x + 0.3 * jax.random.normal(key, x.shape))
    return blackjax.util.run_inference_algorithm(KEY, sampler, 5, initial_position=jnp.ones(2))[1]


def samplers_with_gradients():
    samplers = (
        blackjax.hmc(_density, 0.1, jnp.ones(2), 4),
        blackjax.nuts(_density, 0.1, jnp.ones(2)),
        blackjax.mala(_density, 0.1),
    )
    return [_run(sampler, sampler.init(jnp.ones(2))) for sampler in samplers]


def adaptation_and_variational_inference():
    adapted = blackjax.window_adaptation(blackjax.hmc, _density, num_integration_steps=3).run(KEY, jnp.ones(2), 10)[0]
    return (
        adapted.state.position,
        jnp.asarray(adapted.parameters["step_size"], "float32"),
        blackjax.pathfinder.approximate(KEY, _density, jnp.ones(2))[0].position,
    )
