"""Count the numbers of the samplers of jax.random that propose and reject for which supremum accepts another proposal.

Needs JAX. ``python -m conformance jax.compare_samplers [name ...]`` draws 100 000 numbers for each of four keys, in both x64
modes with the default dtype and once in each narrow dtype, and prints the share of the numbers that are not JAX's. A number is
another one if a count differs, or a float by more than 64 roundings of its dtype.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import jax
import ml_dtypes
import numpy as np

import supremum as xp

SIZE = 100_000
KEYS = 4
ROUNDINGS = 64
#: Samplers and their parameters.
CASES: dict[str, tuple[tuple[float, ...], ...]] = {
    "gamma": ((0.01,), (0.5,), (1.0,), (2.75,), (100.0,), (1000.0,)),
    "loggamma": ((0.01,), (0.5,), (2.75,), (100.0,)),
    "beta": ((0.5, 0.5), (2.0, 3.0), (100.0, 1.5)),
    "chisquare": ((1.0,), (5.0,), (200.0,)),
    "t": ((1.0,), (4.0,), (100.0,)),
    "generalized_normal": ((0.5,), (1.75,), (4.0,)),
    "poisson": ((0.5,), (9.99,), (10.0,), (100.0,), (1e3,), (1e4,), (1e5,), (1e6,)),
    "binomial": ((10.0, 0.25), (50.0, 0.1), (400.0, 0.75), (1e4, 0.3), (1e5, 0.3), (1e6, 0.5)),
}
#: Samplers of numbers around zero.
SIGNED = ("loggamma", "t", "generalized_normal")
NARROW = {
    "gamma": ((0.5,), (2.75,), (100.0,)),
    "beta": ((0.5, 0.5), (2.0, 3.0)),
    "binomial": ((50.0, 0.1), (200.0, 0.5)),
}


def others(name: str, parameters: tuple[float, ...], options: dict[str, Any]) -> float:
    """Return the share of numbers that are not JAX's."""
    count = 0
    for seed in range(KEYS):
        theirs, ours = (
            np.asarray(getattr(module, name)(module.key(seed), *parameters, shape=(SIZE,), **options))
            for module in (jax.random, xp.random)
        )
        x, y = (np.asarray(numbers).astype(np.float64) for numbers in (ours, theirs))
        with np.errstate(all="ignore"):
            same = x == y
            if theirs.dtype.kind not in "iu" and name != "binomial":
                info = ml_dtypes.finfo(theirs.dtype)
                # A rounding of a logarithm changes its exponential by as many roundings as the logarithm is large.
                scale = np.maximum(np.abs(y), 1) if name in SIGNED else np.abs(y) * np.maximum(np.abs(np.log(np.abs(y))), 1)
                same |= np.abs(x - y) <= ROUNDINGS * float(info.eps) * scale
                # XLA flushes subnormal numbers to zero, and subnormal factors of small ones.
                tiny = float(info.smallest_normal)
                same |= (np.maximum(np.abs(x), np.abs(y)) < tiny) | ((y == 0) & (np.abs(x) < 64 * tiny))
        count += int((~same).sum())
    return count / (SIZE * KEYS)


def rows(names: list[str]) -> Iterator[tuple[str, str, tuple[float, ...], float]]:
    """Yield samplers, modes or dtypes, parameters and shares."""
    for mode in ("off", "on"):
        jax.config.update("jax_enable_x64", mode == "on")
        with xp.config.use(x64=mode):
            for name in names:
                for parameters in CASES[name]:
                    yield name, f"x64={mode}", parameters, others(name, parameters, {})
    jax.config.update("jax_enable_x64", False)
    for name in names:
        for dtype in ("float16", "bfloat16") if name in NARROW else ():
            for parameters in NARROW[name]:
                yield name, dtype, parameters, others(name, parameters, {"dtype": dtype})


def main(argv: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(CASES), help="the samplers")
    options = parser.parse_args(argv)
    for name, mode, parameters, share in rows(options.names):
        print(f"{name:20} {mode:10} {', '.join(f'{p:g}' for p in parameters):12} {share:.2e}", flush=True)
