"""Calls of jax.scipy.stats."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.jax.calls import arr, call, weak

from ._common import Call, sample, special

#: The functions of each distribution, and good values of its shape parameters; one for `loc`, one for `scale`.
DENSITY = ("logpdf", "pdf")
TAILS = ("cdf", "logcdf", "sf", "logsf")
MASS = ("logpmf", "pmf")
CONTINUOUS = {
    "beta": ((*DENSITY, *TAILS), (2.0, 3.5), 2),
    "cauchy": ((*DENSITY, *TAILS, "ppf", "isf"), (), 2),
    "chi2": ((*DENSITY, *TAILS), (3.0,), 2),
    "expon": ((*DENSITY, *TAILS, "ppf"), (), 2),
    "gamma": ((*DENSITY, *TAILS), (2.5,), 2),
    "gennorm": ((*DENSITY, "cdf"), (1.5,), 0),
    "gumbel_l": ((*DENSITY, *TAILS, "ppf"), (), 2),
    "gumbel_r": ((*DENSITY, *TAILS, "ppf"), (), 2),
    "laplace": ((*DENSITY, "cdf"), (), 2),
    "logistic": ((*DENSITY, "cdf", "sf", "ppf", "isf"), (), 2),
    "norm": ((*DENSITY, *TAILS, "ppf", "isf"), (), 2),
    "pareto": ((*DENSITY, *TAILS, "ppf"), (2.5,), 2),
    "t": (DENSITY, (4.0,), 2),
    "truncnorm": ((*DENSITY, *TAILS), (-1.0, 2.0), 2),
    "uniform": ((*DENSITY, "cdf", "ppf"), (), 2),
    "vonmises": (DENSITY, (1.5,), 0),
    "wrapcauchy": (DENSITY, (0.25,), 0),
}
DISCRETE = {
    "bernoulli": ((*MASS, "cdf", "ppf"), (0.25,), 1),
    "betabinom": (MASS, (4, 2.0, 3.5), 1),
    "binom": (MASS, (4, 0.25), 1),
    "geom": (MASS, (0.25,), 1),
    "nbinom": (MASS, (4, 0.25), 1),
    "poisson": ((*MASS, "cdf"), (2.5,), 1),
}
DTYPES = ["uint8", "int32", "bfloat16", "float32", "float64"]
PROBABILITIES = [0.0, 1e-6, 0.125, 0.5, 0.75, 1.0, -0.5, 1.5, float("nan")]
NUMBERS = [-3.5, -0.5, 0.0, 0.125, 0.5, 1.0, 1.75, 4.0, 12.5]
SPECIAL = [0.0, -0.0, 1.5, -2.75, float("nan"), float("inf"), float("-inf"), 3.0]
PARAMETERS = [-1.0, 0.0, 0.25, 0.75, 1.0, 4.0, 5.0, 30.0, float("nan")]
COUNTS = [-1.0, 0.0, 1.0, 2.0, 3.5, 4.0, 5.0, 9.0, float("nan")]


def of_distribution(name: str, functions: tuple[str, ...], shapes: tuple[float, ...], places: int) -> Iterator[Call]:
    """Yield calls of one distribution. Nearly all arrays have nine elements, so that JAX compiles less."""
    target, values, extra = "", NUMBERS, 0  # of the last function, after the loop
    for function in functions:
        target = f"jax.scipy.stats.{name}.{function}"
        extra = 0 if name == "bernoulli" and function in ("cdf", "ppf") else places
        moves = (0.5, 2.0)[:extra]
        values = PROBABILITIES if function in ("ppf", "isf") else COUNTS if name in DISCRETE else NUMBERS
        for dtype in ("int32", "bfloat16", "float32", "float64"):
            given = arr(dtype, values) if "float" in dtype else arr(dtype, [0, 1, 1, 0, 2, 0, -1, 3, 5])
            yield call(target, given, *shapes, *moves)
        yield call(target, arr("bool", [0, 1, 1, 0, 1, 1, 0, 0, 1]), *shapes)
        yield call(target, arr("float16", values), *[arr("float32", part) for part in (*shapes, *moves)])
        yield call(target, arr("float32", [*SPECIAL, 2.0]), *shapes)
        yield call(target, 0.25, *shapes)
        yield call(target, 1, *shapes, *moves)
        yield call(target, weak(0.5), *shapes)
        yield call(target, arr("float32", []), *shapes)
        for number in range(len(shapes) + extra):
            several: list[object] = [*shapes, *moves]
            several[number] = arr("float64", PARAMETERS)
            yield call(target, arr("float64", [values[4]] * 9), *several)
        yield call(target, [0.25, 0.5], *shapes)
        complex_values = arr("complex64", [0.25 + 0.25j, 0.5, -1.5 + 0.5j])
        yield call(target, complex_values, *shapes, *moves)
        for number in range(len(shapes) + extra):
            several = [*shapes, *moves]
            several[number] = complex_values
            yield call(target, 0.25, *several)
    yield call(target, arr("float32", values, (9, 1)), *shapes[1:], *[arr("float32", PARAMETERS)] * bool(shapes or extra))
    yield call(target, arr("float32", values[:3]), *shapes[1:], *[arr("float32", PARAMETERS[:2])] * bool(shapes or extra))


def vectors() -> Iterator[Call]:
    """Yield calls of the distributions of vectors."""
    for function in DENSITY:
        target = f"jax.scipy.stats.dirichlet.{function}"
        for dtype in ("int32", "bfloat16", "float32", "float64"):
            yield call(target, arr("float32", [0.25, 0.5, 0.25]), arr(dtype, [1, 2, 3]))
            yield call(target, arr("float32", [0.25, 0.5]), arr(dtype, [1, 2, 3]))
        yield call(target, arr("float64", [0.25, 0.5, 0.5]), arr("float64", [1.5, 2, 3]))
        yield call(target, arr("float32", [0.25, 0.5, 0.5, 0.25], (2, 2)), arr("float32", [1.5, 2.5, 3.0]))
        yield call(target, arr("float32", [0.25, 0.5, 0.75, 0.5], (2, 2)), arr("float32", [1.5, 2.5]))
        yield call(target, arr("float32", [0.25, 0.5]), arr("float32", [[1.5, 2.5]], (1, 2)))
        yield call(target, arr("float32", [0.25]), arr("float32", [1.5, 2.5, 3.0]))
        target = f"jax.scipy.stats.multivariate_normal.{function}"
        matrix, mean = arr("float32", [2.0, 0.5, 0.5, 1.0], (2, 2)), arr("float32", [0.5, -1.0])
        for dtype in DTYPES:
            yield call(target, sample(dtype, (3, 2)), mean, matrix)
            yield call(target, sample(dtype, 4), 0.5, 2.0)
            yield call(target, sample(dtype, 4), 1, 2)
        yield call(target, 0.5, 0.0, 1.0)
        yield call(target, 1, 0, 1)
        yield call(target, sample("float32", 2), mean, 2.0)
        yield call(
            target, sample("float64", (2, 3, 2)), arr("float64", [0.5, -1.0]), arr("float64", [2.0, 0.5, 0.5, 1.0], (2, 2))
        )
        yield call(target, sample("float32", 2), mean, arr("float32", [2.0, 0.5, 0.5, 1.0, 1.0, 0.0, 0.0, 3.0], (2, 2, 2)))
        yield call(target, sample("float32", (3, 2)), sample("float32", (3, 2)), matrix)
        yield call(target, sample("float32", 2), mean, arr("float32", [1.0, 2.0, 2.0, 1.0], (2, 2)))
        yield call(target, sample("float32", 2), mean, arr("float32", [1.0, 2.0]))
        yield call(target, sample("float32", 3), mean, matrix)
        yield call(target, arr("float32", []), mean, matrix)
    for function in MASS:
        target = f"jax.scipy.stats.multinomial.{function}"
        for dtype in ("int32", "uint8", "int64", "float32", "bool"):
            yield call(target, arr(dtype, [1, 0, 1]), 2, arr("float32", [0.25, 0.5, 0.25]))
        for dtype in ("bfloat16", "float64", "int32"):
            yield call(target, arr("int32", [1, 2, 1]), arr("int32", 4), arr(dtype, [0.25, 0.5, 0.25]))
        yield call(target, arr("int32", [1, 2, 1]), 5, arr("float32", [0.25, 0.5, 0.25]))
        yield call(target, arr("int32", [1, 2, 1]), 4.0, arr("float32", [0.25, 0.5, 0.25]))


def samples() -> Iterator[Call]:
    """Yield calls of `mode`, `rankdata`, `sem`, and of the entropy of the Poisson distribution."""
    kinds = (*DTYPES, "complex64")
    for dtype in kinds:
        for axis in (0, None, 2):
            yield call("jax.scipy.stats.mode", sample(dtype, (3, 4)), axis)
            yield call("jax.scipy.stats.mode", sample(dtype, (3, 4)), axis=axis, keepdims=True)
            yield call("jax.scipy.stats.sem", sample(dtype, (3, 4)), axis)
            yield call("jax.scipy.stats.sem", sample(dtype, (3, 4)), axis=axis, ddof=0, keepdims=True)
            yield call("jax.scipy.stats.rankdata", sample(dtype, (3, 4)), axis=axis)
        for method in ("average", "min", "max", "dense", "ordinal", "nonsense"):
            yield call("jax.scipy.stats.rankdata", sample(dtype, 14), method)
    special_sample = arr("float32", [1.0, float("nan"), 1.0, float("nan"), float("nan"), 2.0])
    for policy in ("propagate", "omit", "raise", "nonsense"):
        for function in ("mode", "sem", "rankdata"):
            yield call(f"jax.scipy.stats.{function}", special_sample, nan_policy=policy)
    for function in ("mode", "sem", "rankdata"):
        for given in (3, 2.5, [1.0, 2.0], None, weak([1.0, 1.0, 2.0]), arr("float32", []), arr("float32", np.zeros((0, 3))),
                      arr("float32", np.zeros((3, 0))), arr("float32", [1.0])):  # fmt: skip
            yield call(f"jax.scipy.stats.{function}", given)
    for dtype in DTYPES:
        given = arr(dtype, [0.0, 0.5, 1.0, 9.5, 10.0, 20.0, 99.0, 100.0, 250.0] if "float" in dtype else [0, 1, 1, 0])
        yield call("jax.scipy.stats.poisson.entropy", given)
        yield call("jax.scipy.stats.poisson.entropy", given, 2.0)
    yield call("jax.scipy.stats.poisson.entropy", 3.0)
    yield call("jax.scipy.stats.poisson.entropy", 3, arr("float32", [0.0, 1.0]))
    yield call("jax.scipy.stats.poisson.entropy", special("float32"))


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    for name, row in {**CONTINUOUS, **DISCRETE}.items():
        yield from of_distribution(name, *row)
    yield from vectors()
    yield from samples()
