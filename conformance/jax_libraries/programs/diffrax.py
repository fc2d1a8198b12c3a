"""diffrax: differential equations."""

import diffrax as dfx
import jax
import jax.numpy as jnp

PACKAGES = "diffrax optimistix lineax equinox"
TIMES = jnp.linspace(0.0, 2.0, 5)
START = jnp.array([1.0, 2.0])


def _decay(t, y, rate):
    return -rate * y


def _turning(t, y, args):
    return jnp.stack([y[1], -y[0]]) + args * jnp.sin(t)


def _solved(solver=None, field=_turning, y0=START, args=0.1, dt0=0.1, **options):
    options = {"saveat": dfx.SaveAt(ts=TIMES), **options}
    return dfx.diffeqsolve(dfx.ODETerm(field), solver or dfx.Tsit5(), 0.0, 2.0, dt0, y0, args=args, **options)


def solvers():
    found = {}
    for solver in (dfx.Euler(), dfx.Heun(), dfx.Midpoint(), dfx.Bosh3(), dfx.Tsit5(), dfx.Dopri5(), dfx.Dopri8()):
        solution = _solved(solver)
        found[type(solver).__name__] = solution.ys, solution.stats["num_steps"]
    return found


def adaptive():
    solution = _solved(stepsize_controller=dfx.PIDController(rtol=1e-3, atol=1e-3))
    return solution.ys, solution.stats, solution.result == dfx.RESULTS.successful


def saved():
    steps = _solved(saveat=dfx.SaveAt(t0=True, t1=True, steps=True), dt0=0.5, max_steps=8)
    dense = _solved(saveat=dfx.SaveAt(dense=True), dt0=0.25)
    return steps.ts, steps.ys, jax.vmap(dense.evaluate)(jnp.array([0.1, 0.77, 1.9])), dense.derivative(0.3)


def implicit():
    def field(t, y, args):
        return -50.0 * (y - jnp.cos(t))

    control = dfx.PIDController(rtol=1e-2, atol=1e-2)
    return [_solved(solver, field, stepsize_controller=control).ys for solver in (dfx.Kvaerno3(), dfx.Kvaerno5())]


def trees():
    def field(t, y, args):
        return {"a": -y["b"], "b": y["a"]}

    return _solved(field=field, y0={"a": jnp.array(1.0), "b": jnp.array(0.0)}).ys


def derivatives():
    def loss(rate, adjoint):
        return _solved(field=_decay, args=rate, max_steps=64, adjoint=adjoint).ys.sum()

    adjoints = {
        "recursive": dfx.RecursiveCheckpointAdjoint(), "direct": dfx.DirectAdjoint(), "backsolve": dfx.BacksolveAdjoint()
    }  # fmt: skip
    found = {name: jax.grad(loss)(jnp.array(0.5), adjoint) for name, adjoint in adjoints.items() if name != "backsolve"}

    def last(rate):
        return _solved(field=_decay, args=rate, saveat=dfx.SaveAt(t1=True), adjoint=adjoints["backsolve"]).ys.sum()

    found["backsolve"] = jax.grad(last)(jnp.array(0.5))
    found["forward"] = jax.jvp(lambda rate: loss(rate, dfx.DirectAdjoint()), (jnp.array(0.5),), (jnp.array(1.0),))
    return found


def transformed():
    def solve(y0, rate):
        return _solved(field=_decay, y0=y0, args=rate).ys

    return jax.jit(solve)(START, 0.5), jax.vmap(solve, (None, 0))(START, jnp.array([0.5, 1.0]))


def event():
    stop = dfx.Event(lambda t, y, args, **_: y[0] < 0.5)
    solution = _solved(field=_decay, args=1.0, saveat=dfx.SaveAt(t1=True), event=stop)
    return solution.ts, solution.ys


def noisy():
    noise = dfx.VirtualBrownianTree(0.0, 2.0, tol=1e-2, shape=(2,), key=jax.random.key(0))
    terms = dfx.MultiTerm(dfx.ODETerm(_decay), dfx.ControlTerm(lambda t, y, args: 0.1 * jnp.eye(2), noise))
    solution = dfx.diffeqsolve(terms, dfx.Euler(), 0.0, 2.0, 0.1, START, args=0.5, saveat=dfx.SaveAt(ts=TIMES))
    return noise.evaluate(0.3, 0.7), solution.ys


def controlled():
    data = jnp.stack([TIMES, jnp.sin(TIMES)], axis=1)
    path = dfx.LinearInterpolation(TIMES, data)
    term = dfx.ControlTerm(lambda t, y, args: jnp.outer(y, jnp.array([0.1, 1.0])), path).to_ode()
    cubic = dfx.CubicInterpolation(TIMES, dfx.backward_hermite_coefficients(TIMES, data))
    return dfx.diffeqsolve(term, dfx.Tsit5(), 0.0, 2.0, 0.1, START).ys, path.evaluate(0.3), cubic.evaluate(0.3)
