"""Time recorded programs, loops and jitted functions, next to compiled JAX.

Run ``python benchmarks/recorded.py [NAME ...] [--write]`` where JAX is installed. Each program is one function of a module
that is ``jax`` or ``supremum.jax``. Both take turns, in their steady state. First calls import what the program needs: where
``PYTHONDONTWRITEBYTECODE`` is set, that is compiled each time, which takes several times as long.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from page import put
from timing import race, timer

import supremum.jax

STEPS = 1000


def lorenz(jax: Any) -> Callable[[], Any]:
    """Lorenz' equations by Euler's method, three numbers."""

    def body(_: Any, state: Any) -> Any:
        x, y, z = state
        return x + 0.01 * (10.0 * (y - x)), y + 0.01 * (x * (28.0 - z) - y), z + 0.01 * (x * y - 8 / 3 * z)

    run = jax.jit(lambda first: jax.lax.fori_loop(0, STEPS, body, first))
    first = tuple(jax.numpy.float32(v) for v in (1, 1, 1))
    return lambda: run(first)


def lorenz_vector(jax: Any) -> Callable[[], Any]:
    """The same of an array of three elements."""
    np_ = jax.numpy

    def body(_: Any, s: Any) -> Any:
        return s + 0.01 * np_.stack([10.0 * (s[1] - s[0]), s[0] * (28.0 - s[2]) - s[1], s[0] * s[1] - 8 / 3 * s[2]])

    run = jax.jit(lambda first: jax.lax.fori_loop(0, STEPS, body, first))
    first = np_.ones(3, np_.float32)
    return lambda: run(first)


def _scan(jax: Any, size: int) -> Callable[[], Any]:
    np_ = jax.numpy

    def body(carry: Any, x: Any) -> Any:
        new = 0.9 * carry + 0.1 * np_.tanh(x - carry)
        return new, new * new

    run = jax.jit(lambda first, xs: jax.lax.scan(body, first, xs))
    first = np_.zeros(size, np_.float32)
    xs = np_.asarray(np.random.default_rng(0).normal(size=(STEPS, size)).astype(np.float32))
    return lambda: run(first, xs)


def scan_4(jax: Any) -> Callable[[], Any]:
    """A scan of four numbers with results of each step."""
    return _scan(jax, 4)


def scan_16(jax: Any) -> Callable[[], Any]:
    """A scan of sixteen numbers with results of each step."""
    return _scan(jax, 16)


def rk4(jax: Any) -> Callable[[], Any]:
    """A pendulum by the classical method of fourth order."""
    np_, step = jax.numpy, 0.01

    def slope(s: Any) -> Any:
        return s[1], -9.81 * np_.sin(s[0])

    def ahead(s: Any, k: Any, by: float) -> Any:
        return s[0] + by * k[0], s[1] + by * k[1]

    def body(s: Any, _: Any) -> Any:
        k1 = slope(s)
        k2 = slope(ahead(s, k1, step / 2))
        k3 = slope(ahead(s, k2, step / 2))
        k4 = slope(ahead(s, k3, step))
        new = tuple(x + step / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(s, k1, k2, k3, k4, strict=True))
        return new, new[0]

    run = jax.jit(lambda first: jax.lax.scan(body, first, None, length=STEPS))
    first = np_.float32(1), np_.float32(0)
    return lambda: run(first)


def random_walk(jax: Any) -> Callable[[], Any]:
    """Metropolis' random walk over a normal density of two numbers."""
    np_ = jax.numpy

    def density(x: Any) -> Any:
        return -0.5 * np_.sum(x * x)

    def body(carry: Any, key: Any) -> Any:
        x, here = carry
        one, two = jax.random.split(key)
        new = x + 0.5 * jax.random.normal(one, (2,))
        there = density(new)
        taken = np_.log(jax.random.uniform(two)) < there - here
        x, here = np_.where(taken, new, x), np_.where(taken, there, here)
        return (x, here), x

    def walk(key: Any) -> Any:
        first = np_.zeros(2, np_.float32)
        return jax.lax.scan(body, (first, density(first)), jax.random.split(key, STEPS))[1]

    run = jax.jit(walk)
    key = jax.random.key(0)
    return lambda: run(key)


def _layers(jax: Any, count: int) -> tuple[Any, Any]:
    """Return the weights of layers of 32 units, and 32 examples."""
    np_, draw = jax.numpy, np.random.default_rng(0).normal
    weights = [(np_.asarray(draw(size=(32, 32)).astype(np.float32)), np_.zeros(32, np_.float32)) for _ in range(count)]
    return weights, np_.asarray(draw(size=(32, 32)).astype(np.float32))


def perceptron(jax: Any) -> Callable[[], Any]:
    """The forward pass of four layers of 32 units for 32 examples."""
    np_ = jax.numpy

    def forward(weights: Any, x: Any) -> Any:
        for w, b in weights:
            x = np_.maximum(x @ w + b, 0)
        return x

    run = jax.jit(forward)
    weights, x = _layers(jax, 4)
    return lambda: run(weights, x)


def training(jax: Any) -> Callable[[], Any]:
    """The loss and the gradient of three layers of 32 units for 32 examples."""
    np_ = jax.numpy

    def loss(weights: Any, x: Any) -> Any:
        for w, b in weights:
            x = np_.tanh(x @ w + b)
        return np_.mean(x * x)

    run = jax.jit(jax.value_and_grad(loss))
    weights, x = _layers(jax, 3)
    return lambda: run(weights, x)


def recurrent(jax: Any) -> Callable[[], Any]:
    """The gradient of a recurrent network of 32 units over 100 steps."""
    np_, draw = jax.numpy, np.random.default_rng(0).normal

    def total(w: Any, xs: Any) -> Any:
        def step(h: Any, x: Any) -> Any:
            h = np_.tanh(h @ w + x)
            return h, h

        return np_.sum(jax.lax.scan(step, np_.zeros(32, np_.float32), xs)[1])

    run = jax.jit(jax.grad(total))
    w, xs = (np_.asarray((draw(size=size) / 8).astype(np.float32)) for size in ((32, 32), (100, 32)))
    return lambda: run(w, xs)


def _chain(jax: Any, size: int) -> Callable[[], Any]:
    run = jax.jit(lambda x: ((x * 2.0 + 1.0) * x - 3.0) * 0.5 + x * x - x)
    x = jax.numpy.asarray(np.random.default_rng(0).normal(size=size).astype(np.float32))
    return lambda: run(x)


def chain_1e5(jax: Any) -> Callable[[], Any]:
    """Eight elementwise operations on 10^5 elements."""
    return _chain(jax, 10**5)


def chain_1e6(jax: Any) -> Callable[[], Any]:
    """Eight elementwise operations on 10^6 elements."""
    return _chain(jax, 10**6)


def chain_1e7(jax: Any) -> Callable[[], Any]:
    """Eight elementwise operations on 10^7 elements."""
    return _chain(jax, 10**7)


def _convolution(jax: Any, images: tuple[int, ...], kernel: tuple[int, ...], strides: int = 1) -> Callable[[], Any]:
    """Return a convolution of images, whose features are the last axis."""
    draw, layout = np.random.default_rng(0).normal, ("NHWC", "HWIO", "NHWC")
    x, k = (jax.numpy.asarray(draw(size=size).astype(np.float32)) for size in (images, kernel))
    run = jax.jit(lambda x, k: jax.lax.conv_general_dilated(x, k, (strides, strides), "SAME", dimension_numbers=layout))
    return lambda: run(x, k)


def convolution_gray(jax: Any) -> Callable[[], Any]:
    """32 features of 32 gray images."""
    return _convolution(jax, (32, 28, 28, 1), (3, 3, 1, 32))


def convolution_rgb(jax: Any) -> Callable[[], Any]:
    """64 features of a photo, by windows of 7 x 7."""
    return _convolution(jax, (1, 224, 224, 3), (7, 7, 3, 64), 2)


def convolution_64(jax: Any) -> Callable[[], Any]:
    """64 features of 64 features."""
    return _convolution(jax, (8, 56, 56, 64), (3, 3, 64, 64))


def convolution_gradient(jax: Any) -> Callable[[], Any]:
    """The gradient of a convolution by its kernel and its images."""
    np_, draw = jax.numpy, np.random.default_rng(0).normal
    x, k = (np_.asarray(draw(size=size).astype(np.float32)) for size in ((8, 32, 32, 16), (3, 3, 16, 32)))
    layout = ("NHWC", "HWIO", "NHWC")

    def loss(x: Any, k: Any) -> Any:
        return np_.sum(jax.lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=layout) ** 2)

    run = jax.jit(jax.grad(loss, (0, 1)))
    return lambda: run(x, k)


#: The programs, and the most of JAX's time that each may take.
PROGRAMS: dict[Callable[[Any], Callable[[], Any]], float] = {
    lorenz: 15, lorenz_vector: 15, scan_4: 10, scan_16: 10, rk4: 10, random_walk: 5, perceptron: 2.5,
    training: 1.7, recurrent: 1.7, chain_1e5: 1.3, chain_1e6: 1.3, chain_1e7: 1.3,
    convolution_gray: 3, convolution_rgb: 3, convolution_64: 3, convolution_gradient: 3,
}  # fmt: skip


def compare(program: Callable[[Any], Callable[[], Any]], jax: Any, seconds: float) -> list[float]:
    """Return the times of our program and of JAX's, and of their first calls."""
    first, timers = [], {}
    names = {"ready": jax.block_until_ready}  # JAX computes while Python goes on
    for module in (supremum.jax, jax):
        names["run"] = program(module)
        timers[module.__name__] = timer("ready(run())", names)
        first.append(timers[module.__name__].timeit(1))
    return [*race(timers, seconds).values(), *first]


def main(argv: list[str] | None = None) -> None:
    """Print a table, and write it if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="programs; all of them by default")
    parser.add_argument("--seconds", type=float, default=0.5, help="of each candidate of a program")
    parser.add_argument("--write", action="store_true", help="write the block of RESULTS.md")
    args = parser.parse_args(argv)
    jax = importlib.import_module("jax")
    lines = ["| program | µs | JAX, µs | ratio | bar | first call, ms | JAX, ms |", "|---|---|---|---|---|---|---|"]
    for program, bar in PROGRAMS.items():
        if args.names and program.__name__ not in args.names:
            continue
        ours, theirs, first, their_first = compare(program, jax, args.seconds)
        ratio = f"{ours / theirs:.2f}{' MISS' if ours / theirs > bar else ''}"
        times = f"{ours * 1e6:.0f} | {theirs * 1e6:.0f} | {ratio} | {bar} | {first * 1e3:.1f} | {their_first * 1e3:.1f}"
        lines.append(f"| {program.__name__} | {times} |")
        print(lines[-1], flush=True)
    if args.write:
        put("recorded", lines)


if __name__ == "__main__":
    main()
