"""jaxlie: Lie groups of rotations and motions."""

import jax
import jax.numpy as jnp
import jaxlie

PACKAGES = "jaxlie"
POINT = jnp.array([1.0, -2.0, 0.5])


def rotations():
    r = jaxlie.SO3.exp(jnp.array([0.1, -0.2, 0.3]))
    s = jaxlie.SO3.from_rpy_radians(0.3, 0.2, -0.1)
    return [
        r.as_matrix(),
        r.log(),
        (r @ s).wxyz,
        r.inverse() @ POINT,
        s.as_rpy_radians(),
        r.adjoint(),
        jaxlie.SO3.from_matrix(s.as_matrix()).wxyz,
    ]


def motions():
    t = jaxlie.SE3.exp(jnp.arange(6.0) / 10)
    plane = jaxlie.SE2.from_xy_theta(1.0, 2.0, 0.3)
    return [
        t.as_matrix(),
        t.log(),
        t @ POINT,
        t.inverse().wxyz_xyz,
        t.adjoint(),
        plane.log(),
        plane @ POINT[:2],
        jaxlie.SO2.from_radians(0.4).as_matrix(),
    ]


def on_manifolds():
    a, b = jaxlie.SE3.exp(jnp.arange(6.0) / 10), jaxlie.SE3.exp(jnp.arange(6.0) / -7)
    return (
        jaxlie.manifold.rplus(a, jnp.ones(6) / 5),
        jaxlie.manifold.rminus(a, b),
        jaxlie.SO3.sample_uniform(jax.random.PRNGKey(0)),
    )


def mapped():
    return jax.vmap(lambda v: jaxlie.SO3.exp(v).as_matrix())(jnp.sin(jnp.arange(6.0)).reshape(2, 3))


def jacobians_of_the_logarithm():
    return (
        jaxlie.SE3.from_rotation_and_translation(jaxlie.SO3.from_x_radians(0.3), POINT).jlog(),
        jaxlie.SO3.exp(POINT).jlog(),
        jaxlie.SE2.identity((3,)).as_matrix(),
    )


def gradients():
    t = jaxlie.SE3.exp(jnp.arange(6.0) / 10)
    return (
        jaxlie.manifold.grad(lambda r: (r @ POINT).sum())(jaxlie.SO3.identity()),
        jaxlie.manifold.value_and_grad(lambda m: jnp.sum((m @ POINT) ** 2))(t),
        jax.jacfwd(lambda v: (jaxlie.SE3.exp(v) @ t).log())(jnp.zeros(6)),
        jax.grad(lambda v: jaxlie.SO3.exp(v).as_matrix()[0, 1])(POINT),
    )
