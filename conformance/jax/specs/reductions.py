"""Calls of reductions and cumulative functions: dtypes, axes, keepdims, where, initial, dtype, widening."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.jax.calls import arr, call, dt, name, weak

from ._common import FEW, MOST, NARROW, Call, mask, odd_arguments, sample, special

PLAIN = [
    "all",
    "any",
    "max",
    "min",
    "amax",
    "amin",
    "prod",
    "sum",
    "mean",
    "std",
    "var",
    "ptp",
    "argmax",
    "argmin",
    "count_nonzero",
    "median",
    "average",
]
NAN = ["nanmax", "nanmin", "nansum", "nanprod", "nanmean", "nanstd", "nanvar", "nanargmax", "nanargmin", "nanmedian"]
CUMULATIVE = ["cumsum", "cumprod", "nancumsum", "nancumprod", "cumulative_sum", "cumulative_prod"]
WITH_INITIAL = ["max", "min", "amax", "amin", "prod", "sum", "nanmax", "nanmin", "nansum", "nanprod"]
WITH_WHERE = [*WITH_INITIAL, *["all", "any", "mean", "std", "var", "nanmean", "nanstd", "nanvar"]]
WITH_DTYPE = ["prod", "sum", "mean", "std", "var", "nansum", "nanprod", "nanmean", "nanstd", "nanvar"]
HOLES = [1.5, float("nan"), -2.0, 4.0, float("nan"), 0.5]
ALL_NAN_ROW = [float("nan")] * 3 + [1.0, float("nan"), -3.0]


def everyday() -> Iterator[Call]:
    """Yield calls: each dtype, axis and keepdims."""
    for function in (*PLAIN, *NAN):
        target = f"jnp.{function}"
        for dtype in (*MOST, *NARROW):
            yield call(target, special(dtype))
            yield call(target, sample(dtype, (2, 3)))
            yield call(target, sample(dtype, (2, 3)), axis=0)
            yield call(target, sample(dtype, (2, 3)), axis=-1, keepdims=True)
        for dtype in ("bool", "int32", "bfloat16", "float32"):
            x = sample(dtype, (2, 2, 3))
            for axis in (1, (0, 2), (-1, 0), None, (), 3, -4, (0, 0), 1.5, "a", (0, 3)):
                yield call(target, x, axis=axis)
            yield call(target, x, 1)
            yield call(target, x, keepdims=True)
            yield call(target, x, axis=(0, 1), keepdims=True)
            yield call(target, sample(dtype, ()))
            yield call(target, sample(dtype, ()), axis=0)
            yield call(target, sample(dtype, 0))
            yield call(target, sample(dtype, (0, 3)), axis=0)
            yield call(target, sample(dtype, (0, 3)), axis=1)
        for argument in odd_arguments():
            yield call(target, argument)
        yield call(target, sample("float32"), out=sample("float32", ()))
        yield call(target)


def with_nans() -> Iterator[Call]:
    """Yield calls with NaN among the elements."""
    for function in (*PLAIN, *NAN, *CUMULATIVE):
        for dtype in ("bfloat16", "float16", "float32", "float64", "complex64", "float8_e4m3fn"):
            for values in (HOLES, ALL_NAN_ROW):
                x = arr(dtype, np.reshape(values, (2, 3)))
                yield call(f"jnp.{function}", x, axis=1)
                yield call(f"jnp.{function}", x, axis=0)
                if not function.startswith("cumulative"):
                    yield call(f"jnp.{function}", x)


def where_and_initial() -> Iterator[Call]:
    """Yield calls with where= and initial=."""
    for function in WITH_WHERE:
        target = f"jnp.{function}"
        for dtype in MOST:
            x = sample(dtype, (2, 3))
            yield call(target, x, where=mask((2, 3)))
            if function in WITH_INITIAL:
                yield call(target, x, where=mask(3), initial=1, axis=1)
                yield call(target, x, initial=2)
        for dtype in ("int8", "float32"):
            x = sample(dtype, (2, 3))
            yield call(target, x, where=mask((2, 3)), axis=0, keepdims=True)
            yield call(target, x, where=arr("bool", [0, 0, 0]))
            yield call(target, x, where=True)
            yield call(target, x, where=arr("int32", [1, 0, 1]))
            yield call(target, x, where=mask(2))
    for function in ("max", "min", "prod", "sum", "nanmax", "nansum"):
        for dtype in ("bool", "uint8", "int32", "float32"):
            for initial in (
                0,
                100,
                -1.5,
                weak(3),
                arr("float32", 2.5),
                arr("int64", 7),
                np.float64(1.5),
                2j,
                True,
                1000,
                [1],
                "a",
                arr("float32", [1, 2]),
            ):
                yield call(f"jnp.{function}", sample(dtype, (2, 3)), axis=0, initial=initial)
            yield call(f"jnp.{function}", sample(dtype, 0), initial=3)
            yield call(f"jnp.{function}", sample(dtype, (0, 2)), axis=0, initial=3)


def with_dtype() -> Iterator[Call]:
    """Yield calls with dtype= and promote_integers=."""
    for function in (*WITH_DTYPE, *CUMULATIVE):
        target = f"jnp.{function}"
        for dtype in FEW:
            for wanted in ("bool", "int8", "int32", "int64", "uint16", "bfloat16", "float32", "float64", "complex64"):
                yield call(target, sample(dtype, 4), dtype=dt(wanted))
            for wanted in (name("float16"), int, float, complex, bool, "int16", "nonsense"):
                yield call(target, sample(dtype, 4), dtype=wanted)
        yield call(target, weak([1, 2]), dtype=int)
        yield call(target, weak(2.5), dtype=float)
    for function in ("sum", "prod"):
        for dtype in MOST:
            yield call(f"jnp.{function}", sample(dtype, 4), promote_integers=False)
            yield call(f"jnp.{function}", sample(dtype, (2, 2)), axis=0, dtype=dt("int16"), promote_integers=False)


def variances() -> Iterator[Call]:
    """Yield calls: ddof, correction and mean of the variances."""
    for function in ("var", "std", "nanvar", "nanstd"):
        target = f"jnp.{function}"
        for dtype in MOST:
            yield call(target, sample(dtype, (2, 3)), ddof=1)
            yield call(target, sample(dtype, (2, 3)), axis=1, ddof=2)
            if not function.startswith("nan"):
                yield call(target, sample(dtype, (2, 3)), axis=0, correction=1)
        x = sample("float32", (2, 3))
        yield call(target, x, axis=1, ddof=3)
        yield call(target, x, axis=1, ddof=4)
        yield call(target, x, ddof=0.5)
        yield call(target, x, mean=arr("float32", 0.5))
        yield call(target, x, axis=0, mean=sample("float32", (1, 3)))
        yield call(target, x, correction=1.5)
        yield call(target, x, correction=1, ddof=1)
        yield call(target, sample("float32", 1), ddof=1)
        yield call(target, sample("float32", 0))


def cumulative() -> Iterator[Call]:
    """Yield calls: cumulative functions."""
    for function in CUMULATIVE:
        target = f"jnp.{function}"
        for dtype in (*MOST, *NARROW):
            yield call(target, sample(dtype, 6))
            yield call(target, special(dtype))
            yield call(target, sample(dtype, (2, 3)), axis=1)
            yield call(target, sample(dtype, (2, 3)), axis=0)
        for dtype in FEW:
            yield call(target, sample(dtype, (2, 3)))
            yield call(target, sample(dtype, (2, 3)), axis=-2)
            yield call(target, sample(dtype, (2, 3)), axis=2)
            yield call(target, sample(dtype, ()))
            yield call(target, sample(dtype, 0))
            yield call(target, sample(dtype, (0, 3)), axis=0)
            yield call(target, sample(dtype, (2, 3)), axis=(0, 1))
            if function.startswith("cumulative"):
                yield call(target, sample(dtype, 3), include_initial=True)
                yield call(target, sample(dtype, (2, 3)), axis=1, include_initial=True)
        for argument in odd_arguments():
            yield call(target, argument)


def argument_positions() -> Iterator[Call]:
    """Yield calls: ties and NaN of argmax and argmin."""
    for function in ("argmax", "argmin", "nanargmax", "nanargmin"):
        target = f"jnp.{function}"
        for dtype in ("int32", "float32", "float16", "complex64", "bool"):
            yield call(target, arr(dtype, [1, 0, 1, 0]))
            yield call(target, arr(dtype, [[1, 2, 2], [0, 5, 5]]), axis=1)
            yield call(target, arr(dtype, [[1, 2, 2], [0, 5, 5]]), axis=0, keepdims=True)
            yield call(target, arr(dtype, [[1, 2, 2], [0, 5, 5]]), keepdims=True)
        yield call(target, arr("float32", [float("nan"), 1, float("inf"), float("-inf")]))
        yield call(target, arr("float32", [float("nan"), float("nan")]))


def averages() -> Iterator[Call]:
    """Yield calls: weighted averages."""
    for dtype in FEW:
        x = sample(dtype, (2, 3))
        yield call("jnp.average", x, weights=arr("float32", np.ones((2, 3))))
        yield call("jnp.average", x, axis=1, weights=arr("int32", [1, 2, 3]))
        yield call("jnp.average", x, axis=1, weights=arr("int32", [1, 2, 3]), returned=True)
        yield call("jnp.average", x, axis=0, returned=True)
        yield call("jnp.average", x, 1, sample("float16", 3), keepdims=True)
        yield call("jnp.average", x, weights=arr("float32", [1, 2, 3]))
        yield call("jnp.average", x, axis=1, weights=arr("float32", [1, 2]))
        yield call("jnp.average", x, axis=(0, 1), weights=sample("float32", (2, 3)))
    yield call("jnp.average", sample("int64", 4), weights=sample("uint64", 4))
    yield call("jnp.average", sample("float32", 4), weights=[1, 2, 3, 4])


def quantiles() -> Iterator[Call]:
    """Yield calls of percentiles and quantiles: all methods."""
    methods = [
        "linear",
        "lower",
        "higher",
        "midpoint",
        "nearest",
        "inverted_cdf",
        "averaged_inverted_cdf",
        "closest_observation",
        "interpolated_inverted_cdf",
        "hazen",
        "weibull",
        "median_unbiased",
        "normal_unbiased",
        "nonsense",
    ]
    for function, scale in (("quantile", 1.0), ("nanquantile", 1.0), ("percentile", 100.0), ("nanpercentile", 100.0)):
        target = f"jnp.{function}"
        for method in methods:
            for dtype in ("int32", "float32", "float16"):
                yield call(target, sample(dtype, 7), 0.3 * scale, method=method)
            yield call(target, sample("float64", (2, 5)), arr("float32", [0.0, 0.25, 0.9, 1.0]), axis=1, method=method)
        for dtype in (*MOST, *NARROW):
            yield call(target, sample(dtype, 6), 0.5 * scale)
            yield call(target, sample(dtype, 6), arr("float32", [0.25 * scale, 0.75 * scale]))
        for dtype in ("int32", "float32"):
            x = sample(dtype, (2, 2, 3))
            for axis in (0, -1, (0, 2), None, 3):
                yield call(target, x, 0.4 * scale, axis=axis)
                yield call(target, x, 0.4 * scale, axis=axis, keepdims=True)
            yield call(target, x, arr("float32", [[0.1 * scale], [0.9 * scale]]), axis=1)
            yield call(target, x, np.array([0.1, 0.9]) * scale, axis=1)
            yield call(target, x, 0, axis=1)
            yield call(target, x, 1, axis=1)
        for values in (HOLES, ALL_NAN_ROW):
            yield call(target, arr("float32", np.reshape(values, (2, 3))), 0.5 * scale, axis=1)
            yield call(target, arr("float16", values), 0.3 * scale)
        yield call(target, sample("float32", 6), 1.5 * scale)
        yield call(target, sample("float32", 6), -0.5)
        yield call(target, sample("float32", 0), 0.5)
        yield call(target, sample("float32", 6), arr("int32", 1))
        yield call(target, sample("float32", 6), arr("float16", 0.5 * scale))
        yield call(
            target, sample("float32", 6), 0.5 * scale, weights=arr("float32", [1, 2, 1, 0, 1, 3]), method="inverted_cdf"
        )
        yield call(target, sample("float32", 6), 0.5 * scale, weights=arr("float32", [1, 2, 1, 0, 1, 3]))
        yield call(target, [1, 2], 0.5)
    for dtype in ("int32", "float32", "bfloat16"):
        for shape, options in [
            ((5,), {}),
            ((4,), {}),
            ((2, 3), {"axis": 1, "keepdims": True}),
            ((2, 2, 3), {"axis": (0, 1)}),
            ((0,), {}),
        ]:
            yield call("jnp.median", sample(dtype, shape), **options)
            yield call("jnp.nanmedian", sample(dtype, shape), **options)


def covariances() -> Iterator[Call]:
    """Yield calls: covariances and correlations."""
    for function in ("cov", "corrcoef"):
        target = f"jnp.{function}"
        for dtype in MOST:
            yield call(target, sample(dtype, (2, 4)))
            yield call(target, sample(dtype, 4))
        x = sample("float32", (2, 4))
        yield call(target, x, sample("int32", (2, 4), start=3))
        yield call(target, x, rowvar=False)
        yield call(target, x, dtype=dt("float16"))
        yield call(target, sample("float32", ()))
        yield call(target, sample("float32", (2, 2, 2)))
        yield call(target, [1, 2, 3])
    x = sample("float32", (2, 4))
    for options in (
        {"bias": True}, {"ddof": 0}, {"ddof": 2}, {"ddof": 0.5}, {"fweights": arr("int32", [1, 2, 0, 1])},
        {"fweights": arr("float32", [1, 2, 0, 1])},
        {"aweights": arr("float32", [1.5, 2, 0.5, 1])}, {"aweights": arr("float32", [1.5, 2]), "ddof": 0},
        {"fweights": arr("int32", [1, 2, 0, 1]), "aweights": arr("float32", [1.5, 2, 0.5, 1]), "bias": True},
    ):  # fmt: skip
        yield call("jnp.cov", x, **options)


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    for part in (
        everyday,
        with_nans,
        where_and_initial,
        with_dtype,
        variances,
        cumulative,
        argument_positions,
        averages,
        quantiles,
        covariances,
    ):
        yield from part()
