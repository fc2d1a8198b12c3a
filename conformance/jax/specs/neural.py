"""Calls of jax.nn and jax.scipy.special."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.jax.calls import arr, call, dt, weak

from ._common import MOST, NARROW, Call, mask, sample, special

ACTIVATIONS = [
    "celu",
    "elu",
    "gelu",
    "hard_sigmoid",
    "hard_silu",
    "hard_swish",
    "hard_tanh",
    "identity",
    "leaky_relu",
    "log_sigmoid",
    "mish",
    "relu",
    "relu6",
    "selu",
    "sigmoid",
    "silu",
    "soft_sign",
    "softplus",
    "sparse_plus",
    "sparse_sigmoid",
    "squareplus",
    "swish",
    "tanh",
    "glu",
    "log_softmax",
    "softmax",
    "standardize",
    "logsumexp",
    "logmeanexp",
    "log1mexp",
]
AXES = ["softmax", "log_softmax", "logsumexp", "logmeanexp", "standardize", "glu"]
SPECIAL = [
    "digamma",
    "entr",
    "erf",
    "erfc",
    "erfinv",
    "exp1",
    "expit",
    "gammaln",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "log_ndtr",
    "logit",
    "ndtr",
    "ndtri",
    "gamma",
    "loggamma",
    "gammasgn",
    "softmax",
    "log_softmax",
    "logsumexp",
]
SPECIAL_OF_TWO = ["beta", "betaln", "kl_div", "rel_entr", "xlog1py", "xlogy", "gammainc", "gammaincc", "zeta"]


def activations() -> Iterator[Call]:
    """Yield calls: activations of every dtype."""
    for function in ACTIVATIONS:
        target = f"jax.nn.{function}"
        for dtype in (*MOST, *NARROW):
            yield call(target, sample(dtype, 6))
            yield call(target, special(dtype))
        for dtype in ("bfloat16", "float16", "float32", "float64"):
            yield call(target, arr(dtype, [-100, -20, -5, 5, 20, 100]))
            yield call(target, arr(dtype, [-1, -0.5, -0.1, 0.1, 0.5, 1]))
        for value in (
            2,
            -1.5,
            True,
            weak(2),
            weak([1.0, -2.0]),
            [1.0, 2.0],
            None,
            np.array([1.0, -1.0]),
            sample("float32", ()),
            sample("float32", 0),
            sample("float32", (2, 4)),
        ):
            yield call(target, value)
    for function, option, values in (
        ("celu", "alpha", (0.5, 2, weak(3), arr("float32", 1.5))),
        ("elu", "alpha", (0.5, 2)),
        ("leaky_relu", "negative_slope", (0.1, 1, arr("float16", 0.2))),
        ("gelu", "approximate", (True, False)),
        ("squareplus", "b", (0, 1.5)),
    ):
        for value in values:
            for dtype in ("float32", "bfloat16", "int32"):
                yield call(f"jax.nn.{function}", sample(dtype, 6), **{option: value})


def along_axes() -> Iterator[Call]:
    """Yield calls: the softmax family along axes."""
    for function in AXES:
        for dtype in ("float32", "float16", "int32"):
            for axis in (0, 1, -1, (0, 1), None, 3):
                yield call(f"jax.nn.{function}", sample(dtype, (2, 4)), axis=axis)
            if function != "glu":
                yield call(f"jax.nn.{function}", sample(dtype, (2, 4)), where=mask((2, 4)))
                yield call(f"jax.nn.{function}", sample(dtype, (2, 4)), axis=0, where=mask((2, 4)))
    for space in ("jax.nn", "jax.scipy.special"):
        x = sample("float32", (2, 3))
        for options in (
            {"axis": 1, "keepdims": True},
            {"b": sample("float32", (2, 3), start=1)},
            {"return_sign": True},
            {"b": 2.0},
            {"b": sample("int32", 3), "return_sign": True},
            {"axis": 0, "where": mask((2, 3))},
            {"b": weak(2)},
        ):
            yield call(f"{space}.logsumexp", x, **options)
        yield call(f"{space}.logsumexp", arr("float32", [float("-inf"), float("-inf")]))
        yield call(f"{space}.logsumexp", arr("float32", [float("inf"), 1.0]))
        yield call(f"{space}.logsumexp", arr("float32", [1000.0, 1000.0]))
        yield call(f"{space}.logsumexp", sample("complex64", 3))
    for axis, epsilon in ((0, 1e-5), (-1, 0.1), ((0, 1), 0)):
        yield call("jax.nn.standardize", sample("float32", (2, 3)), axis=axis, epsilon=epsilon)
    yield call("jax.nn.standardize", sample("float32", (2, 3)), mean=0.5, variance=2.0)
    for labels in (
        arr("int32", [0, 2, 1]),
        arr("int32", [0, 5, -1]),
        arr("uint8", [[0, 1]]),
        arr("float32", [0.0, 1.0]),
        1,
        [0, 1],
        weak(1),
        np.array([1, 2]),
    ):
        for classes in (3, 1, 0, 2.5, np.int64(3)):
            yield call("jax.nn.one_hot", labels, classes)
        for wanted in ("int8", "bool", "bfloat16", "float64", "complex64"):
            yield call("jax.nn.one_hot", labels, 3, dtype=dt(wanted))
        for axis in (0, 1, -2, 5):
            yield call("jax.nn.one_hot", labels, 3, axis=axis)


def special_functions() -> Iterator[Call]:
    """Yield calls: jax.scipy.special."""
    for function in SPECIAL:
        target = f"jax.scipy.special.{function}"
        for dtype in (*MOST, *NARROW):
            yield call(target, sample(dtype, 6))
            yield call(target, special(dtype))
        for dtype in ("float16", "bfloat16", "float32", "float64"):
            yield call(target, arr(dtype, [0.1, 0.25, 0.5, 0.75, 0.9, 0.999]))
            yield call(target, arr(dtype, [-5, -1.5, 2.5, 5, 20, 100]))
        for value in (2, 0.5, weak(0.25), weak(2), True, [0.5], None):
            yield call(target, value)
    for function in SPECIAL_OF_TWO:
        for a, b in (
            ("float32", "float32"),
            ("float16", "int32"),
            ("float64", "float32"),
            ("bfloat16", "bfloat16"),
            ("int32", "int32"),
            ("complex64", "float32"),
        ):
            yield call(f"jax.scipy.special.{function}", arr(a, [0.5, 1, 2, 3, 0, -1]), arr(b, [1, 2, 0.5, 3, 0, 1]))
        yield call(f"jax.scipy.special.{function}", 2.0, 3.0)
        yield call(f"jax.scipy.special.{function}", sample("float32", 2), weak(2))


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    yield from activations()
    yield from along_axes()
    yield from special_functions()
