"""Calls of the samplers of jax.random that propose and reject, of initializers and of attention."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.jax.calls import arr, call, dt, nested, weak

from ._common import Call
from .random_numbers import FLOATS, key

_SHAPES = [0.01, 0.1, 0.5, 0.9, 1.0, 1.5, 2.75, 10.0, 100.0, 1000.0]
_BAD = [0.0, -0.5, -3.0, float("nan"), float("inf"), 1e-6]


def gammas() -> Iterator[Call]:
    """Yield calls: the gamma distribution and those made of it."""
    for function, number in (("gamma", 1), ("loggamma", 1), ("chisquare", 1), ("t", 1), ("beta", 2), ("f", 2)):
        target = f"jax.random.{function}"
        for dtype in FLOATS:
            given = [arr(dtype, values) for values in (_SHAPES, _SHAPES[::-1])[:number]]
            yield call(target, key(4), *given, (7, 10), dt(dtype))
        yield call(target, key(5, old=True), *[2.5] * number)
        yield call(target, key(1), *[arr("float32", _BAD)] * number)
        yield call(target, key(1), *[arr("float32", [1.0, 2.0])] * number, (3,))
        yield call(target, key(1), *[arr("float32", [1.0, 2.0])] * number, (0, 2))
        yield call(target, key(1), *[arr("float64", [1.0, 2.0])] * number, dtype=dt("float32"))
        yield call(target, key(1), *[arr("float32", [1.0, 2.0])] * number, dtype=dt("bfloat16"))
        yield call(target, key(1), *[1.0] * number, dtype=dt("int32"))
        yield call(target, key(1), *["a"] * number)
        yield call(target, nested("jax.random.split", key(), 2), *[1.0] * number)
    for dtype in FLOATS:
        yield call("jax.random.dirichlet", key(3), arr(dtype, _SHAPES, (2, 5)), (3, 2), dt(dtype))
        yield call("jax.random.generalized_normal", key(3), 1.75, (20,), dt(dtype))
        yield call("jax.random.ball", key(3), 3, 1.5, (6,), dt(dtype))
    yield call("jax.random.dirichlet", key(3), arr("float32", 1.0))
    yield call("jax.random.dirichlet", key(3), arr("float32", [[1.0, 2.0]]), (3,))
    yield call("jax.random.dirichlet", key(3), arr("float32", [1e-4, 1e-4, 1e-4]), (5,))
    yield call("jax.random.generalized_normal", key(3), arr("float32", [0.5, 1.0, 2.0]), (4, 3))
    yield call("jax.random.ball", key(3), 0, shape=(3,))
    yield call("jax.random.ball", key(3), 2.5)


def counts() -> Iterator[Call]:
    """Yield calls: Poisson, binomial and multinomial numbers."""
    means = [0.0, 0.1, 1.0, 3.5, 9.99, 10.0, 25.0, 100.0, 1000.0, 54321.0]
    for dtype in ("int16", "int8", "uint8", "float32"):
        yield call("jax.random.poisson", key(3), arr("float32", means[:8]), dtype=dt(dtype))
    for seed in range(8):
        yield call("jax.random.poisson", key(seed), arr("float32", means), (5, 10))
    for lam in (arr("float32", [float("nan"), -1.0, 0.0]), arr("int32", [1, 20]), arr("float64", 3.0), weak(2.0), "a"):
        yield call("jax.random.poisson", key(1), lam)
    yield call("jax.random.poisson", key(1), arr("float32", [1.0, 2.0]), (3,))
    yield call("jax.random.poisson", key(1), 1.0, (0,))
    trials, chances = [0.0, 1.0, 5.0, 10.0, 50.0, 100.0, 1e3, 1e5], [0.0, 0.01, 0.2, 0.5, 0.51, 0.8, 0.99, 1.0]
    for dtype in FLOATS:
        yield call("jax.random.binomial", key(3), 10, 0.3, (5,), dt(dtype))
        for seed in range(4) if dtype in ("float32", "float64") else ():
            pairs = [arr(dtype, np.repeat(trials, 8)), arr(dtype, np.tile(chances, 8))]
            yield call("jax.random.binomial", key(seed), *pairs, dtype=dt(dtype))
            yield call(
                "jax.random.multinomial", key(seed), arr(dtype, 100.0), arr(dtype, [0.1, 0.2, 0.3, 0.4]), dtype=dt(dtype)
            )
    for bad in (float("nan"), -1.0, 2.0):
        yield call("jax.random.binomial", key(1), arr("float32", [3.0, 30.0, 300.0]), bad)
        yield call("jax.random.binomial", key(1), arr("float32", [bad, 3.5]), 0.25)
    yield call("jax.random.binomial", key(1), arr("int32", [3, 30]), arr("float32", [0.5, 0.25]), (4, 2))
    yield call("jax.random.binomial", key(1), 10, 0.5, dtype=dt("int32"))
    yield call("jax.random.binomial", key(1), "a", 0.5)
    yield call("jax.random.binomial", key(1), arr("float32", [1.0, 2.0]), 0.5, (3,))
    yield call("jax.random.multinomial", key(1), 10, arr("float32", [[0.5, 0.5], [1.0, 0.0]]))
    yield call("jax.random.multinomial", key(1), arr("int32", [10, 500]), arr("float32", [[0.5, 0.5], [1.0, 3.0]]))
    yield call("jax.random.multinomial", key(1), 10, arr("float32", [0.5, 0.25, 0.25]), shape=(4, 3))
    yield call("jax.random.multinomial", key(1), 10, arr("float32", [0.5, 0.25, 0.25]), dtype=dt("int32"))


def initializers() -> Iterator[Call]:
    """Yield calls: initializers of weights."""

    def made(name: str, *options: object, **more: object) -> object:
        return nested(f"jax.nn.initializers.{name}", *options, **more)

    path = "jax.nn.initializers"
    for name in ("zeros", "ones"):
        for dtype in ("float32", "bfloat16", "int32", "complex64"):
            yield call(f"{path}.{name}", key(), (2, 3), dt(dtype))
        yield call(f"{path}.{name}", key(), (2,))
    fixed = [f"{one}_{kind}" for one in ("glorot", "xavier", "lecun", "he", "kaiming") for kind in ("uniform", "normal")]
    for name in (*fixed, "uniform", "normal", "truncated_normal", "orthogonal"):
        yield call("operator.call", made(name, dtype=dt("float16")), key(3), (4, 3))
    for name in ("glorot_uniform", "glorot_normal", "uniform", "normal", "truncated_normal", "orthogonal"):
        for dtype in ("bfloat16", "float32", "float64", "complex64"):
            yield call("operator.call", made(name), key(3), (4, 3), dt(dtype))
    for name in fixed[:2]:
        yield call("operator.call", made(name, in_axis=0, out_axis=1), key(3), (4, 3, 2))
        yield call("operator.call", made(name, in_axis=(0, 1), out_axis=-1), key(3), (4, 3, 2))
        yield call("operator.call", made(name, batch_axis=0), key(3), (4, 3, 2))
        yield call("operator.call", made(name), key(3), (4,))
    for mode in ("fan_in", "fan_out", "fan_avg", "fan_geo_avg"):
        for kind in ("truncated_normal", "normal", "uniform"):
            yield call("operator.call", made("variance_scaling", 1.5, mode, kind), key(3), (4, 3))
    yield call("operator.call", made("variance_scaling", 1.5, "nonsense", "normal"), key(3), (4, 3))
    yield call("operator.call", made("variance_scaling", 1.5, "fan_in", "nonsense"), key(3), (4, 3))
    for value in (3, 2.5, arr("int32", 4), arr("float32", [1.0, 2.0, 3.0])):
        yield call("operator.call", made("constant", value), key(3), (2, 3))
        yield call("operator.call", made("constant", value, dt("bfloat16")), key(3), (2, 3))
    yield call("operator.call", made("uniform", 10.0), key(3), (5,))
    yield call("operator.call", made("normal", 0.5), key(3), (5,))
    yield call("operator.call", made("truncated_normal", 0.5, lower=-1.0, upper=0.5), key(3), (5,))
    for shape in ((2, 3), (3, 2), (2, 2, 3), (0, 3), (3,)):
        yield call("operator.call", made("orthogonal", 2.0), key(3), shape)
        yield call("operator.call", made("orthogonal", column_axis=0), key(3), shape)
    for shape in ((3, 2, 2), (2, 3, 2, 4), (2, 2, 2, 3, 3), (2, 2), (3, 4, 2)):
        yield call("operator.call", made("delta_orthogonal"), key(3), shape)


def attention() -> Iterator[Call]:
    """Yield calls: attention."""
    target = "jax.nn.dot_product_attention"

    def numbers(dtype: str, shape: tuple[int, ...], start: int) -> object:
        steps = np.arange(start, start + int(np.prod(shape)))
        return arr(dtype, ((steps * 7 + 3) % 11 - 5) / 4, shape)

    def operands(dtype: str = "float32", heads: int = 4, groups: int = 4, batch: tuple[int, ...] = (2,)) -> list[object]:
        shapes = ((*batch, 3, heads, 8), (*batch, 5, groups, 8), (*batch, 5, groups, 8))
        return [numbers(dtype, shape, start) for start, shape in enumerate(shapes)]

    mask = arr("bool", np.arange(2 * 4 * 3 * 5) % 3 != 0, (2, 4, 3, 5))
    for dtype in (*FLOATS, "int32"):
        yield call(target, *operands(dtype), is_causal=True, scale=0.5)
        yield call(target, *operands(dtype, groups=2), numbers(dtype, (2, 4, 3, 5), 9), mask)
        yield call(target, *operands(dtype, groups=1, batch=()), return_residual=True)
    options = (
        {"bias": numbers("float32", (1, 1, 3, 5), 2)}, {"bias": numbers("float32", (3, 5), 2)}, {"mask": mask},
        {"mask": arr("bool", [1, 0, 1, 1, 0], (1, 1, 1, 5))}, {"local_window_size": 1}, {"local_window_size": (2, 0)},
        {"query_seq_lengths": arr("int32", [2, 3])}, {"key_value_seq_lengths": arr("int32", [2, 5])},
        {"query_seq_lengths": arr("int32", [2, 1]), "key_value_seq_lengths": arr("int32", [4, 5]), "is_causal": True},
        {"implementation": "xla"}, {"implementation": "nonsense"}, {"query_seq_lengths": arr("int32", [2])},
        {"query_seq_lengths": arr("uint8", [2, 3])}, {"mask": arr("int32", np.ones(5), (1, 1, 1, 5))}, {"scale": 2},
        {"mask": arr("bool", np.zeros(5), (1, 1, 1, 5))},
    )  # fmt: skip
    for option in options:
        yield call(target, *operands(groups=2), return_residual=True, **option)
    yield call(target, *operands(groups=3))
    q, k, v = operands()
    yield call(target, q, k, operands(groups=2)[2])
    yield call(target, operands("float16")[0], k, v)


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    yield from attention()
    yield from initializers()
    yield from counts()
    yield from gammas()
