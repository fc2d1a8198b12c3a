"""Time `vmap` next to the same functions written with an axis for the batch by hand.

    python benchmarks/batches.py
    python benchmarks/batches.py -k scan --seconds 2

Every figure is the time of `vmap` divided by that of the function by hand, in one process; the results are compared first.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable
from typing import Any

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))

import numpy as np
from page import put
from timing import race, timer

import supremum as xp
from supremum.jax import lax, vmap

RANDOM = np.random.default_rng(0)
#: The most that `vmap` should cost, and of some cases.
BAR = 1.3
BARS = {"chain": 2.5, "perceptron": 1.2}
Case = tuple[str, Callable[..., Any], Callable[..., Any], tuple[Any, ...]]


def numbers(*shape: int) -> Any:
    """Return normal numbers."""
    return xp.asarray(RANDOM.standard_normal(shape).astype(np.float32))


def perceptron() -> Case:
    """Three layers, over 256 rows."""
    layers = [(numbers(n, m) * 0.1, numbers(m)) for n, m in ((64, 128), (128, 128), (128, 10))]

    def predict(x: Any) -> Any:
        for weights, bias in layers[:-1]:
            x = xp.tanh(x @ weights + bias)
        weights, bias = layers[-1]
        return x @ weights + bias

    return "a perceptron of three layers, 256 rows", vmap(predict), predict, (numbers(256, 64),)


def systems() -> Case:
    """Systems of four equations, 10,000 of them."""

    def by_hand(a: Any, b: Any) -> Any:
        return xp.linalg.solve(a, b[:, :, None])[:, :, 0]

    return "solve of 4 x 4, 10,000 systems", vmap(xp.linalg.solve), by_hand, (numbers(10_000, 4, 4), numbers(10_000, 4))


def recurrence() -> Case:
    """A recurrent cell of 32 numbers for 100 steps, 64 sequences."""
    inner, outer = numbers(32, 32) * 0.1, numbers(16, 32) * 0.1

    def step(h: Any, x: Any) -> Any:
        h = xp.tanh(h @ inner + x @ outer)
        return h, h

    def by_hand(h: Any, xs: Any) -> Any:
        return xp.swapaxes(lax.scan(step, h, xp.swapaxes(xs, 0, 1))[1], 0, 1)

    return "scan of 100 steps, 64 sequences", vmap(lambda h, xs: lax.scan(step, h, xs)[1]), by_hand, (
        numbers(64, 32), numbers(64, 100, 16),
    )  # fmt: skip


def formula() -> Case:
    """Elementwise functions and a sum, of 1000 rows of 100 numbers."""

    def one(x: Any) -> Any:
        return xp.sum(xp.exp(-x * x) * 2.0 + 1.0)

    def by_hand(x: Any) -> Any:
        return xp.sum(xp.exp(-x * x) * 2.0 + 1.0, axis=1)

    return "a formula and its sum, 1000 rows", vmap(one), by_hand, (numbers(1000, 100),)


def gather() -> Case:
    """An element of each of 100,000 rows."""
    places = xp.asarray(RANDOM.integers(0, 20, 100_000).astype(np.int32))

    def by_hand(x: Any, i: Any) -> Any:
        return x[xp.arange(100_000), i]

    return "an element of each of 100,000 rows", vmap(lambda x, i: x[i]), by_hand, (numbers(100_000, 20), places)


def chain() -> Case:
    """Ten elementwise functions of 32 rows of 8 numbers, whose time is that of calls."""

    def one(x: Any) -> Any:
        for _ in range(2):
            x = -xp.cos(xp.sin(x) * 2.0 + 1.0)
        return x

    return "ten elementwise functions, 32 rows of 8", vmap(one), one, (numbers(32, 8),)


CASES = (chain, perceptron, systems, recurrence, formula, gather)


def main() -> None:
    """Print a table, and write it if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-k", default="", help="cases whose names match")
    parser.add_argument("--seconds", type=float, default=1.0, help="the time for each candidate")
    parser.add_argument("--write", action="store_true", help="write the block of RESULTS.md")
    options = parser.parse_args()
    lines = ["| case | vmap, µs | by hand, µs | ratio |", "|---|---|---|---|"]
    with xp.config.use(x64="off", mutable=False):
        for make in CASES:
            name, mapped, by_hand, operands = make()
            if not re.search(options.k, name):
                continue
            np.testing.assert_allclose(mapped(*operands), by_hand(*operands), rtol=1e-3, atol=1e-4)
            code = f"f({', '.join(f'x{i}' for i in range(len(operands)))})"
            given = {f"x{i}": x for i, x in enumerate(operands)}
            best = race(
                {kind: timer(code, {"f": f, **given}) for kind, f in (("vmap", mapped), ("by hand", by_hand))}, options.seconds
            )
            ratio = best["vmap"] / best["by hand"]
            mark = "" if ratio <= BARS.get(make.__name__, BAR) else " MISS"
            lines.append(f"| {name} | {best['vmap'] * 1e6:.1f} | {best['by hand'] * 1e6:.1f} | {ratio:.2f}{mark} |")
            print(lines[-1], flush=True)
    if options.write:
        put("batches", lines)


if __name__ == "__main__":
    main()
