"""Time programs under the precision lens next to the same programs without it.

    python benchmarks/lens.py
    python benchmarks/lens.py -k sum --seconds 2

Every figure is the mean of 64 runs, of one of which the lens measures results, as in long loops. Elements are 10,000 of
float32.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable
from time import thread_time
from typing import Any

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))

from page import put
from timing import race

import supremum as xp

#: The most that a program should cost under the lens.
BAR = 4.0
#: The runs of which one is measured.
RUNS = 64


def softmax(x: Any) -> Any:
    """Return shares of exponentials."""
    exponentials = xp.exp(x - xp.max(x))
    return exponentials / xp.sum(exponentials)


def loop(x: Any) -> Any:
    """Return the end of ten steps, each of which needs the one before."""
    for _ in range(10):
        x = x * 0.5 + 0.25
    return x


def descent(weights: Any, x: Any, y: Any) -> Any:
    """Return the weights after a step of linear regression."""
    rest = x @ weights - y
    return weights - 0.01 * (x.T @ rest)


def matrix(x: Any) -> Any:
    """Return the elements as a matrix."""
    return xp.reshape(x, (100, 100))


CASES: dict[str, Callable[[Any, Any], Any]] = {
    "x + y": lambda x, y: x + y,
    "x * 0.5": lambda x, _: x * 0.5,
    "sum(x)": lambda x, _: xp.sum(x),
    "sin(x)": lambda x, _: xp.sin(x),
    "x > y": lambda x, y: x > y,
    "x.astype('bfloat16')": lambda x, _: x.astype("bfloat16"),
    "x[10:-10]": lambda x, _: x[10:-10],
    "matrix product": lambda x, y: matrix(x) @ matrix(y),
    "softmax": lambda x, _: softmax(x),
    "ten steps of x * 0.5 + 0.25": lambda x, _: loop(x),
    "a step of descent": lambda x, y: descent(matrix(y), matrix(x), matrix(x)),
}


class Runs:
    """Runs of a program, perhaps under a lens."""

    def __init__(self, program: Callable[[Any, Any], Any], watcher: Any) -> None:
        self._program, self._watcher = program, watcher
        self._operands = [xp.linspace(start, 1.0, 10_000, dtype="float32") for start in (0.1, 0.3)]

    def timeit(self, number: int, /) -> float:
        """Return the seconds of the processor that so many times 64 runs take."""
        (x, y), program = self._operands, self._program
        with xp.config.use(watcher=self._watcher):
            began = thread_time()
            for _ in range(number * RUNS):
                program(x, y)
            return thread_time() - began


def main() -> None:
    """Print a table, and write it if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-k", default="", help="cases whose names match")
    parser.add_argument("--seconds", type=float, default=0.5, help="the time for each candidate")
    parser.add_argument("--write", action="store_true", help="write the block of RESULTS.md")
    options = parser.parse_args()
    lines = ["| program | under the lens, µs | without, µs | ratio |", "|---|---|---|---|"]
    for name, program in CASES.items():
        if not re.search(options.k, name):
            continue
        with xp.precision_lens() as lens:
            pass
        found = race({"lens": Runs(program, lens), "plain": Runs(program, None)}, options.seconds)
        under, plain = (found[kind] / RUNS for kind in ("lens", "plain"))
        mark = "" if under <= BAR * plain else " MISS"
        lines.append(f"| {name} | {under * 1e6:.1f} | {plain * 1e6:.1f} | {under / plain:.1f}{mark} |")
        print(lines[-1], flush=True)
    if options.write:
        put("lens", lines)


if __name__ == "__main__":
    main()
