"""quadax: integrals."""

import jax
import jax.numpy as jnp
import quadax

PACKAGES = "quadax"


def adaptive():
    return [
        quadax.quadgk(lambda x: jnp.exp(-(x**2)), [0.0, 1.0])[0],
        quadax.quadgk(lambda x: jnp.exp(-(x**2)), [-jnp.inf, jnp.inf])[0],
        quadax.quadcc(jnp.sin, [0.0, 1.0])[0],
        quadax.quadts(lambda x: 1 / jnp.sqrt(x), [0.0, 1.0])[0],
        quadax.romberg(jnp.sin, [0.0, 1.0])[0],
        quadax.rombergts(jnp.sin, [0.0, 1.0])[0],
    ]


def sampled():
    x = jnp.linspace(0, 1, 9)
    return [f(x**2, x=x) for f in (quadax.simpson, quadax.trapezoid, quadax.cumulative_trapezoid, quadax.cumulative_simpson)]


def derivatives():
    def by_rule(rule):
        return lambda a, b: rule(lambda x, a: jnp.sin(a * x), jnp.array([0.0, 1.0]) * b, args=(a,))[0]

    found = [by_rule(rule) for rule in (quadax.quadts, quadax.romberg, quadax.rombergts)]
    return [(jax.grad(f, (0, 1))(2.0, 1.5), jax.jvp(f, (2.0, 1.5), (1.0, 0.0))) for f in found]
