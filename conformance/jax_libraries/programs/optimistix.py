"""optimistix: roots, fixed points, minima, least squares."""

from functools import partial

import jax
import jax.numpy as jnp
import optimistix as optx

PACKAGES = "optimistix lineax equinox"
START = jnp.array([-1.2, 1.0])
TOLERANCE = {"rtol": 1e-4, "atol": 1e-4}


def _residuals(y, scale):
    return jnp.stack([10 * (y[1] - y[0] ** 2), scale - y[0]])


def _circle(y, radius):
    return jnp.stack([y[0] ** 2 + y[1] ** 2 - radius, y[0] - y[1]])


def roots():
    solvers = {
        "newton": optx.Newton(**TOLERANCE), "chord": optx.Chord(**TOLERANCE), "dogleg": optx.Dogleg(**TOLERANCE),
        "levenberg": optx.LevenbergMarquardt(**TOLERANCE),
    }  # fmt: skip
    start = jnp.array([1.0, 0.7])
    found = {name: optx.root_find(_circle, solver, start, args=2.0, max_steps=100).value for name, solver in solvers.items()}
    bisection = optx.Bisection(**TOLERANCE)
    options = {"lower": jnp.array(0.0), "upper": jnp.array(2.0)}
    return found, optx.root_find(lambda y, a: y**2 - a, bisection, jnp.array(0.5), args=2.0, options=options).value


def fixed_points():
    return optx.fixed_point(lambda y, args: jnp.cos(y), optx.FixedPointIteration(**TOLERANCE), jnp.array(0.5)).value


def least_squares():
    solvers = (optx.GaussNewton(**TOLERANCE), optx.LevenbergMarquardt(**TOLERANCE), optx.Dogleg(**TOLERANCE))
    found = [optx.least_squares(_residuals, solver, START, args=1.0) for solver in solvers]
    return [(one.value, one.result == optx.RESULTS.successful) for one in found]


def minima():
    def function(y, args):
        return jnp.sum(_residuals(y, 1.0) ** 2)

    def bowl(y, args):
        return jnp.sum((y - 0.5) ** 2 * jnp.array([1.0, 3.0]))

    solvers = (optx.BFGS(**TOLERANCE), optx.NelderMead(**TOLERANCE))
    found = [optx.minimise(function, solver, START, max_steps=2000).value for solver in solvers]
    return [*found, optx.minimise(bowl, optx.NonlinearCG(**TOLERANCE), START).value]


def derivatives():
    def root(radius):
        return optx.root_find(_circle, optx.Newton(**TOLERANCE), jnp.array([1.0, 0.7]), args=radius).value.sum()

    def lowest(scale):
        def function(y, args):
            return jnp.sum((y - args) ** 2)

        return optx.minimise(function, optx.BFGS(**TOLERANCE), START, args=scale).value.sum()

    at = jnp.array(2.0)
    return jax.grad(root)(at), jax.jvp(root, (at,), (jnp.array(1.0),)), jax.grad(lowest)(jnp.array(1.0))


def derivatives_of_least_squares():
    times = jnp.linspace(0.0, 1.0, 5)
    data = 2.0 * jnp.exp(-0.7 * times)

    def fitted(solver, data):
        def residuals(y, args):
            return y[0] * jnp.exp(-y[1] * times) - args

        return optx.least_squares(residuals, solver, jnp.array([1.0, 0.3]), args=data).value.sum()

    solvers = (optx.GaussNewton(**TOLERANCE), optx.LevenbergMarquardt(**TOLERANCE), optx.Dogleg(**TOLERANCE))
    return [
        (
            jax.grad(f)(data),
            jax.jit(jax.grad(f))(data),
            jax.jacfwd(f)(data),
            jax.vmap(jax.grad(f))(jnp.stack([data, data + 0.1])),
        )
        for f in (partial(fitted, solver) for solver in solvers)
    ]


def transformed():
    def root(radius):
        return optx.root_find(_circle, optx.Newton(**TOLERANCE), jnp.array([1.0, 0.7]), args=radius).value

    return jax.jit(root)(2.0), jax.vmap(root)(jnp.array([1.0, 2.0, 5.0]))


def trees():
    def function(y, args):
        return {"a": y["a"] ** 2 - 2.0, "b": y["b"] + y["a"]}

    return optx.root_find(function, optx.Newton(**TOLERANCE), {"a": jnp.array(1.0), "b": jnp.array(1.0)}).value
