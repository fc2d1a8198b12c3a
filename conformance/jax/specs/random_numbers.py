"""Calls of jax.random with the default generator."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from conformance.jax.calls import Coded, arr, call, dt, nested, weak

from ._common import Call, sample

SEEDS = [0, 1, 42, -1, 2**31, 2**32 + 7, 123456789]
FLOATS = ["bfloat16", "float16", "float32", "float64"]


def key(seed: int = 42, old: bool = False) -> Coded:
    """Encode a key, typed or a raw one of two words."""
    return nested("jax.random.PRNGKey" if old else "jax.random.key", seed)


def keys() -> Iterator[Call]:
    """Yield calls: making and splitting keys."""
    for seed in (
        *SEEDS,
        arr("int32", 3),
        np.int64(5),
        2.5,
        "a",
        None,
        arr("int32", [1, 2]),
        2**63,
        2**64,
        True,
        weak(7),
        arr("uint8", 200),
        np.uint32(2**32 - 1),
    ):
        for maker in ("key", "PRNGKey"):
            yield call(f"jax.random.{maker}", seed)
    for implementation in ("threefry2x32", "nonsense", None):
        yield call("jax.random.key", 0, impl=implementation)
    for seed in SEEDS:
        for old in (False, True):
            k = key(seed, old)
            yield call("jax.random.key_data", k)
            for number in (2, 1, 3, 5, (2, 2), 0, 7):
                yield call("jax.random.split", k, number)
            yield call("jax.random.split", k)
            for data in (0, 1, 7, 2**31, 2**32 - 1, arr("int32", 3), np.int32(9), -1):
                yield call("jax.random.fold_in", k, data)
    yield call("jax.random.fold_in", key(), 2.5)
    yield call("jax.random.fold_in", key(), arr("int32", [1, 2]))
    yield call("jax.random.clone", key())
    yield call("jax.random.wrap_key_data", arr("uint32", [1, 2]))
    yield call("jax.random.wrap_key_data", arr("int32", [1, 2]))
    yield call("jax.random.key_impl", key())
    yield call("operator.getitem", nested("jax.random.split", key(), 3), 1)
    yield call("jax.random.normal", nested("operator.getitem", nested("jax.random.split", key(), 3), 1), (2,))
    yield call("jax.random.normal", nested("jax.random.fold_in", key(), 5), (2,))
    for member in ("shape", "ndim", "size"):
        yield call(f"Array.{member}", nested("jax.random.split", key(), 3))
    for bad in (
        5,
        arr("uint32", [1, 2, 3]),
        arr("int32", [1, 2]),
        None,
        sample("float32", 2),
        np.array([1, 2], np.uint32),
        arr("uint32", [[1, 2], [3, 4]]),
    ):
        yield call("jax.random.uniform", bad)
        yield call("jax.random.split", bad)


def shaped(function: str, *args: Any, dtypes: tuple[str, ...] = (), default: bool = True, **kwargs: Any) -> Iterator[Call]:
    """Yield calls: a sampler with shapes, keys and dtypes."""
    target = f"jax.random.{function}"
    for shape in [(), (1,), (2,), (3,), (4,), (5,), (2, 3), (0,), (7, 1), (16,), (33,)]:
        yield call(target, key(), *args, shape=shape, **kwargs)
        yield call(target, key(7, old=True), *args, shape=shape, **kwargs)
    for seed in SEEDS:
        yield call(target, key(seed), *args, shape=(6,), **kwargs)
    for dtype in dtypes:
        yield call(target, key(), *args, shape=(6,), dtype=dt(dtype), **kwargs)
        yield call(target, key(3), *args, shape=(3, 3), dtype=dt(dtype), **kwargs)
    for shape in (-1, (-1,), 2.5, "a", 3):
        yield call(target, key(), *args, shape=shape, **kwargs)
    if default:
        yield call(target, key(), *args, **kwargs)


def exact() -> Iterator[Call]:
    """Yield calls: samplers whose numbers are the same bit for bit."""
    yield from shaped("bits", dtypes=("uint8", "uint16", "uint32", "uint64", "int32", "float32"))
    yield from shaped("uniform", dtypes=(*FLOATS, "int32", "complex64", "float8_e5m2"))
    for low, high in [
        (-1, 1),
        (0, 10),
        (2.5, 3.5),
        (weak(1), 2),
        (arr("float32", [0, 1, 2, 3, 4, 5]), 6),
        (1, 0),
        (-1e30, 1e30),
    ]:
        for dtype in FLOATS:
            yield call("jax.random.uniform", key(), (6,), dt(dtype), low, high)
    integers = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
    for dtype in (*integers, "float32", "bool"):
        for low, high in [
            (0, 10),
            (-5, 5),
            (0, 128),
            (3, 4),
            (5, 2),
            (0, 256),
            (-(2**31), 2**31 - 1),
            (0, 2**40),
            (arr("int32", [0, 1, 2, 3]), 9),
            (0, arr("int32", [1, 5, 100, 1000])),
            (0.5, 4.5),
        ]:
            yield call("jax.random.randint", key(), (4,), low, high, dt(dtype))
    for shape in [(), (3,), (2, 3), (17,), (0,), None]:
        yield call("jax.random.randint", key(1), shape, 0, 1000)
    yield call("jax.random.randint", key(5, old=True), (5,), minval=-3, maxval=1000000)
    for p in (0.5, 0.1, 0.0, 1.0, arr("float32", [0.2, 0.9]), arr("float16", 0.3), arr("float64", 0.3), weak(0.7), 1, "a"):
        yield call("jax.random.bernoulli", key(), p)
        yield call("jax.random.bernoulli", key(), p, (5, 2))
        yield call("jax.random.bernoulli", key(3), p, shape=(2,))
    yield call("jax.random.bernoulli", key())
    yield call("jax.random.bernoulli", key(), 0.5, (4,), "high")
    for mode in ("low", "high", "nonsense"):
        yield call("jax.random.bernoulli", key(), 0.001, (8,), mode=mode)
    for seed in SEEDS[:4]:
        for x in (
            1,
            2,
            5,
            10,
            0,
            50,
            sample("float32", 5),
            sample("int8", (4, 3)),
            sample("bfloat16", 7),
            arr("int32", np.arange(20)),
        ):
            yield call("jax.random.permutation", key(seed), x)
    for options in ({"axis": 1}, {"independent": True}, {"axis": 1, "independent": True}, {"axis": -1}, {"axis": 2}):
        yield call("jax.random.permutation", key(), sample("int16", (4, 5)), **options)
    for bad in (2.5, [1, 2, 3], np.arange(4), weak(3), sample("float32", ())):
        yield call("jax.random.permutation", key(), bad)
    for a in (5, 10, 1, sample("float32", 6), sample("int8", (4, 2)), 0, arr("int32", np.arange(8))):
        for options in (
            {},
            {"shape": (3,)},
            {"shape": (2, 2)},
            {"shape": (3,), "replace": False},
            {"shape": (2,), "replace": False, "axis": 0},
            {"shape": (20,), "replace": False},
        ):
            yield call("jax.random.choice", key(), a, **options)
    for options in ({}, {"replace": False}, {"mode": "low"}):
        yield call("jax.random.choice", key(), 5, (3,), p=arr("float32", [0.1, 0.2, 0.3, 0.2, 0.2]), **options)
        yield call("jax.random.choice", key(), sample("int8", 5), (3,), p=arr("float32", [0.0, 0.5, 0.5, 0.0, 0.0]), **options)
    yield call("jax.random.choice", key(), sample("int8", (3, 5)), (2,), axis=1)
    yield call("jax.random.choice", key(), 5, (3,), p=arr("float32", [0.5, 0.5]))
    yield from shaped("rademacher", dtypes=("int8", "int32", "float32", "bfloat16"))


def transcendental() -> Iterator[Call]:
    """Yield calls: samplers that use logarithms and error functions."""
    for function in ("normal", "exponential", "gumbel", "laplace", "logistic", "cauchy", "maxwell"):
        yield from shaped(function, dtypes=(*FLOATS, "int32", *(("complex64",) if function == "normal" else ())))
    for dtype in FLOATS:
        for low, high in [(-2, 2), (0, 1), (arr("float32", [-1, 0]), 3.0)]:
            yield call("jax.random.truncated_normal", key(), low, high, (2,), dt(dtype))
    for logits in (sample("float32", 5), sample("float32", (2, 4)), sample("float16", 3), sample("int32", 3), [0.1, 0.2]):
        for options in (
            {},
            {"shape": (6, 2) if isinstance(logits, dict) and logits.get("s") else (6,)},
            {"axis": 0},
            {"replace": False},
        ):
            yield call("jax.random.categorical", key(), logits, **options)
    for function, *args in (
        ("gamma", 2.0), ("beta", 2.0, 3.0), ("poisson", 3.0), ("dirichlet", arr("float32", [1, 2, 3])), ("t", 4.0),
        ("chisquare", 3.0), ("pareto", 2.0), ("weibull_min", 1.0, 2.0),
        ("rayleigh", 2.0), ("triangular", 0.0, 0.5, 1.0), ("lognormal", 1.0), ("geometric", 0.3), ("binomial", 10.0, 0.4),
        ("double_sided_maxwell", 0.0, 1.0), ("loggamma", 2.0),
        ("wald", 1.0), ("f", 2.0, 3.0), ("generalized_normal", 2.0), ("ball", 3), ("orthogonal", 2),
        ("multivariate_normal", arr("float32", [0, 1]), arr("float32", [[1, 0], [0, 1]])),
    ):  # fmt: skip
        yield call(f"jax.random.{function}", key(), *args, shape=(4,) if function not in ("ball", "orthogonal") else (2,))
        yield call(f"jax.random.{function}", key(1), *args)


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    yield from keys()
    yield from exact()
    yield from transcendental()
