"""Do a million operations with new scalars, shapes and dtypes each time, and loops, and see whether memory grows.

    python benchmarks/soak.py [--operations 1000000]

Prints the resident memory twenty times, and fails if it grew after the first fifth.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import os
import random
from pathlib import Path
from typing import Any

import numpy as np

import supremum as xp
from supremum import jax
from supremum.jax import lax

#: The bytes by which resident memory may grow after the first fifth: what the allocator retains varies by this much.
SLACK = 8 << 20
#: The bytes of memory that the pool may keep, so that it is full after a few operations.
POOL = 32 << 20
DTYPES = (
    "bool", "int4", "uint4", "int8", "uint8", "int16", "int32", "int64", "uint64", "float8_e4m3fn", "bfloat16", "float16",
    "float32", "float64", "complex64", "complex128",
)  # fmt: skip
MODES = ("explicit", "on", "off")


def resident() -> int:
    """Return the resident memory of this process in bytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def operate(turn: int, rng: random.Random) -> None:
    """Do five operations with a scalar and a shape that were not used before."""
    dtype: Any = DTYPES[turn % len(DTYPES)]
    shape = (turn % 7, turn // 7 % 11 + 1)
    x = xp.ones(shape, dtype=dtype)
    x = x + x
    wide = xp.ones(shape, dtype=("float32", "float64", "complex64")[turn % 3])
    wide = wide * (turn + rng.random())
    wide = wide + complex(turn, 1) if turn % 5 == 0 else wide - turn
    xp.sum(wide)
    xp.maximum(xp.real(wide), -float(turn))


def operate_on_many(rng: random.Random) -> None:
    """Do operations whose results have memory of the pool, of other sizes each time; one outlives its array."""
    x = xp.ones(rng.randrange(1 << 18, 1 << 20), dtype=("float32", "float64")[rng.randrange(2)])
    outer = np.asarray(x * 2 + xp.sin(x))
    xp.sum(x[::2] - rng.random())
    del x
    outer += 1


def run_loops(turn: int, rng: random.Random) -> None:
    """Record loops and a jitted function, of other shapes and arrays each time, and run them."""
    outer = xp.ones(turn % 13 + 1) * rng.random()

    def body(carry: Any, x: Any) -> Any:
        inner = lax.fori_loop(0, 3, lambda i, y: y * outer + i, carry)
        return inner, lax.cond(x > 2, lambda: carry * x, lambda: carry)

    limit = turn + 5
    lax.scan(body, outer, xp.arange(turn % 5 + 1.0))
    lax.while_loop(lambda c: c < limit, _next, turn)
    jax.jit(lambda y: lax.map(lambda z: z + outer[0], y))(outer)


def _next(x: Any) -> Any:
    return x + 1


def soak(operations: int) -> list[tuple[int, int]]:
    """Yield pairs: how many operations were done, and the resident memory at that time."""
    xp.config.pool = POOL
    rng = random.Random(0)  # noqa: S311 - chooses operands, not secrets
    step = max(operations // 5 // 20, 1)
    curve = []
    for turn in itertools.count():
        if turn % step == 0:
            gc.collect()
            curve.append((5 * turn, resident()))
        if 5 * turn >= operations:
            return curve
        if turn % 50 == 0:
            operate_on_many(rng)
        if turn % 500 == 0:
            run_loops(turn, rng)
        if turn % 100 == 0:
            with xp.config.use(x64=MODES[turn // 100 % 3]):
                xp.asarray(turn) + xp.ones(2)
        operate(turn, rng)
    raise AssertionError  # counting does not end


def growth(curve: list[tuple[int, int]]) -> int:
    """Return by how many bytes memory grew after the first fifth of the operations."""
    later = curve[len(curve) // 5 :]
    return max(memory for _, memory in later) - later[0][1]


def main() -> int:
    """Run the operations and report the resident memory."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--operations", type=int, default=1_000_000)
    curve = soak(parser.parse_args().operations)
    for done, memory in curve:
        print(f"{done:>9,} operations  {memory / 2**20:7.1f} MiB")
    grown = growth(curve)
    print(f"grown after the first fifth: {grown / 2**20:.2f} MiB")
    return int(grown > SLACK)


if __name__ == "__main__":
    raise SystemExit(main())
