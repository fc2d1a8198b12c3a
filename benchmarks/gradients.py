"""Derivatives of programs, as ratios to HIPS autograd on NumPy and to JAX; time and memory of scans, and `checkpoint`.

``python benchmarks/gradients.py`` prints the tables; it needs autograd, and JAX for its columns. All packages run in one
process, in turns, and the least time of each counts.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from timing import race, timer

import supremum as xp
import supremum.jax.numpy
from supremum import jax

RNG = np.random.default_rng(0)


def network(np: Any, p: Any, x: Any, y: Any) -> Any:
    """Return the loss of a network of two layers."""
    (w, b), (v, c) = p
    return np.mean((np.dot(np.tanh(np.dot(x, w) + b), v) + c - y) ** 2)


def kalman(np: Any, p: Any, _x: Any, y: Any) -> Any:
    """Return the likelihood of 50 observations of a position with a velocity."""
    step, seen = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    noise, error = np.exp(p[0]) * np.eye(2), np.exp(p[1])
    mean, spread, total = np.zeros(2), np.eye(2), 0.0
    for z in y:
        mean, spread = np.dot(step, mean), np.dot(np.dot(step, spread), step.T) + noise
        left, size = z - mean[0], spread[0, 0] + error
        gain = spread[:, 0] / size
        mean, spread = mean + gain * left, spread - np.outer(gain, np.dot(seen, spread)[0])
        total = total + 0.5 * (np.log(size) + left * left / size)
    return total


def bodies(np: Any, p: Any, x: Any, _y: Any) -> Any:
    """Return the energy of bodies that attract each other."""
    apart = p[:, None, :] - p[None, :, :]
    return -np.sum(np.dot(x, x) / np.sqrt(np.sum(apart * apart, axis=-1) + 0.01))


def hamiltonian(np: Any, p: Any, x: Any, y: Any) -> Any:
    """Return the density of ten parameters of a regression."""
    return 0.5 * np.sum((np.dot(x, p) - y) ** 2) + 0.5 * np.sum(p * p)


def process(np: Any, p: Any, x: Any, y: Any) -> Any:
    """Return the likelihood of a Gaussian process."""
    apart = (x[:, None] - x[None, :]) / np.exp(p[0])
    kernel = np.exp(p[1] - 0.5 * apart * apart) + 0.1 * np.eye(len(x))
    return 0.5 * np.dot(y, np.linalg.solve(kernel, y)) + 0.5 * np.linalg.slogdet(kernel)[1]


def recurrent(np: Any, p: Any, x: Any, y: Any) -> Any:
    """Return the loss of a recurrent network of 100 steps."""
    w, u = p
    state = np.zeros(16)
    for row in x:
        state = np.tanh(np.dot(w, state) + np.dot(u, row))
    return np.sum((state - y) ** 2)


def _normal(*shape: int) -> Any:
    return RNG.normal(size=shape)


def value_and_grad(program: Callable[..., Any]) -> Callable[[Any, Any], Callable[..., Any]]:
    """Return what makes the value and gradient of a program, for a namespace of arrays and a package of derivatives."""
    return lambda np, package: package.value_and_grad(partial(program, np))


def hessian(program: Callable[..., Any]) -> Callable[[Any, Any], Callable[..., Any]]:
    """Return what makes the second derivatives of a program."""
    return lambda np, package: package.hessian(partial(program, np))


def leapfrog(np: Any, package: Any) -> Callable[..., Any]:
    """Return ten steps of a Hamiltonian sampler."""
    gradient = package.grad(partial(hamiltonian, np))

    def steps(p: Any, x: Any, y: Any) -> Any:
        momentum = np.cos(p) - 0.005 * gradient(p, x, y)
        for _ in range(10):
            p = p + 0.01 * momentum
            momentum = momentum - 0.01 * gradient(p, x, y)
        return p

    return steps


#: What makes a function of a namespace of arrays and a package of derivatives, and its arguments.
PROGRAMS: dict[str, tuple[Callable[[Any, Any], Callable[..., Any]], tuple[Any, Any, Any]]] = {
    "network, 32 units": (
        value_and_grad(network),
        ([(_normal(8, 32), _normal(32)), (_normal(32, 1), _normal(1))], _normal(64, 8), _normal(64, 1)),
    ),
    "Kalman likelihood, 50 steps": (value_and_grad(kalman), (np.array([0.1, 0.2]), 0.0, _normal(50))),
    "energy of 20 bodies": (value_and_grad(bodies), (_normal(20, 3), _normal(20), 0.0)),
    "density of 10 parameters": (value_and_grad(hamiltonian), (_normal(10), _normal(50, 10), _normal(50))),
    "ten leapfrog steps with it": (leapfrog, (_normal(10), _normal(50, 10), _normal(50))),
    "Gaussian process, 30 points": (value_and_grad(process), (np.array([0.1, 0.2]), _normal(30), _normal(30))),
    "its Hessian": (hessian(process), (np.array([0.1, 0.2]), _normal(30), _normal(30))),
    "recurrent network, 100 steps": (
        value_and_grad(recurrent), ((_normal(16, 16) / 4, _normal(16, 4)), _normal(100, 4), _normal(16)),
    ),
}  # fmt: skip


def compare() -> None:
    """Print a table of the programs."""
    autograd, anp, real = map(import_module, ("autograd", "autograd.numpy", "jax"))

    real.config.update("jax_enable_x64", True)
    print("| derivatives of | supremum, ms | of autograd | of compiled JAX | jitted, ms | of autograd | of compiled JAX |")
    print("|---|---|---|---|---|---|---|")
    for name, (make, args) in PROGRAMS.items():
        ours, theirs, compiled = make(xp, jax), make(anp, autograd), real.jit(make(real.numpy, real))
        mine = jax.tree.map(xp.asarray, args)
        given = real.tree.map(real.numpy.asarray, args)
        real.block_until_ready(compiled(*given))
        jitted = jax.jit(ours)
        best = race(
            {
                "eager": timer("f(*x)", {"f": ours, "x": mine}),
                "recorded": timer("f(*x)", {"f": jitted, "x": mine}),
                "autograd": timer("f(*x)", {"f": theirs, "x": args}),
                "compiled": timer("wait(f(*x))", {"wait": real.block_until_ready, "f": compiled, "x": given}),
            },
            0.5,
        )
        columns = [
            f"{best[own] * 1e3:.2f} | {best[own] / best['autograd']:.2f} | {best[own] / best['compiled']:.1f}"
            for own in ("eager", "recorded")
        ]
        print(f"| {name} | {' | '.join(columns)} |")


def peak_of(call: Callable[[], Any]) -> float:
    """Return by how many megabytes the memory of a process that makes a call exceeds that of one that does not."""
    found = []
    for run in (lambda: None, call):
        read, write = os.pipe()
        if not (child := os.fork()):
            run()
            os.write(write, str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss).encode())
            os._exit(0)
        os.waitpid(child, 0)
        found.append(int(os.read(read, 64)) / 1e3)
        os.close(read)
        os.close(write)
    return found[1] - found[0]


def scans() -> None:
    """Print times and peaks of memory of the gradient of a scan, with `checkpoint` and without."""
    print("| gradient of a scan | steps | ms | peak, MB |")
    print("|---|---|---|---|")
    x = xp.ones(16384, dtype="float32")

    def step(carry: Any, _: Any) -> Any:
        for _ in range(8):
            carry = xp.sin(carry) * 1.1
        return carry, None

    for label, body in (("plain", step), ("with `checkpoint`", jax.checkpoint(step))):
        for n in (50, 100, 200, 400):
            gradient = jax.grad(lambda x, n=n, body=body: jax.lax.scan(body, x, None, n)[0].sum())
            peak = peak_of(partial(gradient, x))
            best = min(timer("f(x)", {"f": gradient, "x": x}).repeat(3, 1))
            print(f"| {label} | {n} | {best * 1e3:.1f} | {peak:.0f} |")


if __name__ == "__main__":
    xp.config.x64 = "on"
    compare()
    scans()
