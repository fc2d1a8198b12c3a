"""e3nn: representations of rotations."""

import e3nn_jax as e3
import haiku as hk
import jax
import jax.numpy as jnp

PACKAGES = "e3nn-jax"
KEY = jax.random.PRNGKey(0)
X = e3.normal("2x0e+1x1o", KEY, (3,))


def arrays():
    return X.array, (X + X).array, e3.concatenate([X, 2.0 * X]).regroup().array, X.filter("1o").array, e3.norm(X).array


def products():
    return (
        e3.tensor_product(X, X).array,
        e3.elementwise_tensor_product(X, X).array,
        e3.tensor_square(X).array,
        e3.dot(X, X).array,
        e3.cross(X.filter("1o"), X.filter("1o")[::-1]).array,
    )


def spherical_harmonics():
    return [
        e3.spherical_harmonics(f"{degree}{'eo'[degree % 2]}", jnp.array([1.0, 2.0, 3.0]), True).array for degree in range(5)
    ]


def rotated():
    angles = (0.1, 0.2, 0.3)
    return (
        X.transform_by_angles(*angles).array,
        e3.Irreps("1o+2e").D_from_angles(*map(jnp.asarray, angles)),
        e3.rand_matrix(KEY, ()),
    )


def constants():
    return (
        e3.clebsch_gordan(1, 1, 2),
        e3.generators(1),
        e3.soft_one_hot_linspace(jnp.linspace(0, 1, 4), start=0.0, end=1.0, number=3, basis="gaussian", cutoff=False),
    )


def linear_modules():
    flax, haiku = e3.flax.Linear("3x0e+1x1o"), hk.transform(lambda x: e3.haiku.Linear("3x0e+1x1o")(x))
    return flax.apply(flax.init(KEY, X), X).array, haiku.apply(haiku.init(KEY, X), None, X).array


def activations_and_radial_functions():
    x = jnp.array([0.2, 0.5, 0.9])
    return (
        e3.gate(e3.normal("4x0e+1x1o", KEY, (3,))).array, e3.scalar_activation(e3.normal("4x0e", KEY, (3,)), [jax.nn.tanh]).array,
        e3.norm_activation(X, [jax.nn.tanh, None]).array, e3.bessel(x, 3), e3.poly_envelope(2, 2)(x), e3.sus(x),
    )  # fmt: skip


def gradients():
    linear = e3.flax.Linear("0e + 1o")
    w = linear.init(KEY, X)
    return (
        e3.grad(lambda x: e3.IrrepsArray("0e", (x.array**2).sum()[None]))(X[0]).array,
        jax.grad(lambda w: e3.norm(linear.apply(w, X)).array.sum())(w),
        jax.grad(lambda x: e3.tensor_product(e3.IrrepsArray(X.irreps, x), X).array.sum())(X.array),
        jax.grad(lambda v: e3.spherical_harmonics("2e", v, True).array.sum())(jnp.array([1.0, 2.0, 3.0])),
    )
