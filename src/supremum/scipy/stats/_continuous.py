"""The table of continuous distributions: parameters, and the formula of each function, for float64 buffers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.functions import takes_over
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import operand
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum._kernels.complex_numbers import logaddexp
from supremum.scipy.stats._distributions import (
    LOG_TWO_PI,
    PROMOTED,
    SHARED,
    SIZED,
    STRONG,
    Kernel,
    distribution,
    kernels as k,
    library,
)

__all__ = [
    "beta", "cauchy", "chi2", "expon", "gamma", "gennorm", "gumbel_l", "gumbel_r", "laplace", "logistic", "norm", "pareto",
    "t", "truncnorm", "uniform", "vonmises", "wrapcauchy",
]  # fmt: skip

_MOVED: Final = "loc=0, scale=1"


def _moved(kernel: Callable[..., Any]) -> Kernel:
    """Return what a kernel of the standard distribution computes for others: of its argument, and of the shape parameters."""
    return lambda x, *xs: kernel((x - xs[-2]) / xs[-1], *xs[:-2])


def _density(kernel: Callable[..., Any]) -> Kernel:
    """Return the logarithm of the density, for that of the standard distribution."""
    return lambda x, *xs: kernel((x - xs[-2]) / xs[-1], *xs[:-2]) - np.log(xs[-1])


def _quantile(kernel: Callable[..., Any]) -> Kernel:
    """Return the quantiles, for those of the standard distribution."""
    return lambda q, *xs: xs[-2] + kernel(q, *xs[:-2]) * xs[-1]


def _within(z: Any, low: Any, high: Any = math.inf) -> Any:
    """Return numbers, and bounds in place of those beyond, which have no derivative; that of `clip` may be NaN there."""
    return np.where(z <= low, low, np.where(z >= high, high, z))


def _positive_density(kernel: Callable[..., Any]) -> Kernel:
    """Return the logarithm of the density, for that of a standard distribution of positive numbers."""
    density = _density(kernel)
    return lambda x, *xs: np.where((x - xs[-2]) / xs[-1] < 0, -np.inf, density(x, *xs))


def _bounded(kernel: Kernel) -> Kernel:
    """Return a kernel of NaN for numbers that are no probabilities."""
    return lambda q, *xs: np.where((q >= 0) & (q <= 1), kernel(q, *xs), np.nan)


def _log_less_one(x: Buffer) -> Buffer:
    """Compute ``log(1 - exp(-x))`` of positive numbers."""
    return np.where(x > math.log(2), np.log1p(-np.exp(-x)), np.log(-np.expm1(-x)))


def _beta_log_density(x: Buffer, a: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    y = (x - loc) / scale
    value = k.xlogy(a - 1, y) + k.xlog1py(b - 1, -y) - library.betaln(a, b) - np.log(scale)
    value = np.where((x > loc + scale) | (x < loc), -np.inf, value)
    return np.where((a <= 0) | (b <= 0) | (scale <= 0), np.nan, value)


beta = distribution(
    "beta", "the beta distribution", f"a, b, {_MOVED}", "0.25, 2.0, 3.0",
    [
        ("logpdf pdf", SHARED, _beta_log_density, "0.52324814 | 1.6875", {"refusal": TypeError}),
        ("cdf logcdf", SHARED, _moved(lambda z, a, b: library.betainc(a, b, _within(z, 0, 1))), "0.26171875 | -1.3404849"),
        ("sf logsf", SHARED, _moved(lambda z, a, b: library.betaincc(a, b, _within(z, 0, 1))), "0.73828125 | -0.30343044"),
    ],
    described={"a": "The first shape parameter.", "b": "The second shape parameter."}, refusal=ValueError,
)  # fmt: skip


def _cauchy_distribution(z: Buffer) -> Buffer:
    # arctan(z) + pi / 2 is arctan(-1 / z) for negative z, without cancellation.
    return np.where(z.real < 0, np.arctan(-1 / np.where(z == 0, 1, z)) / np.pi, 0.5 + np.arctan(z) / np.pi)


def _cotangent(q: Buffer) -> Buffer:
    """Compute ``1 / tan(pi * q)`` of probabilities, without cancellation."""
    below, above = 1 / np.tan(np.pi * q), -1 / np.tan(np.pi * (1 - q))
    return np.where(q <= 0.25, below, np.where(q >= 0.75, above, np.tan(np.pi / 2 - np.pi * q)))


cauchy = distribution(
    "cauchy", "the Cauchy distribution", _MOVED, "0.5",
    [
        ("logpdf pdf", SHARED, _density(lambda z: -math.log(math.pi) - np.log1p(z * z)), "-1.3678734 | 0.2546479"),
        ("cdf logcdf", SHARED, _moved(_cauchy_distribution), "0.6475836 | -0.43450734"),
        ("sf logsf", SHARED, _moved(lambda z: _cauchy_distribution(-z)), "0.3524164 | -1.0429419"),
        ("ppf", SHARED, _quantile(lambda q: -_cotangent(q)), "0."),
        ("isf", SHARED, _quantile(_cotangent), "0."),
    ],
    kinds="fc",
)  # fmt: skip


def _expon_log_survival(z: Buffer) -> Any:
    return np.where(z < 0, 0.0, -z)


expon = distribution(
    "expon", "the exponential distribution", _MOVED, "0.5",
    [
        ("logpdf pdf", PROMOTED, _positive_density(lambda z: -z), "-0.5 | 0.60653067"),
        ("cdf logcdf", PROMOTED, _moved(lambda z: -np.expm1(_expon_log_survival(z))), "0.39346933 | -0.93275213"),
        ("logsf sf", PROMOTED, _moved(_expon_log_survival), "-0.5 | 0.60653067"),
        ("ppf", PROMOTED, _bounded(_quantile(lambda q: -np.log1p(-q))), "0.6931472", {"kinds": "fc"}),
    ],
)  # fmt: skip


def _gamma_log_density(z: Buffer, a: Buffer) -> Any:
    return k.xlogy(a - 1, z) - z - k.gammaln(a)


_gamma_distribution = _moved(lambda z, a: library.gammainc(a, _within(z, 0)))

gamma = distribution(
    "gamma", "the gamma distribution", f"a, {_MOVED}", "1.0, 2.0",
    [
        (
            "logpdf pdf", SHARED,
            _positive_density(lambda z, a: np.where(z >= 0, _gamma_log_density(np.where(z >= 0, z, 1), a), -np.inf)),
            "-1. | 0.36787945",
        ),
        ("cdf logcdf", SHARED, _gamma_distribution, "0.26424113 | -1.3308933"),
        ("sf logsf", PROMOTED, _moved(lambda z, a: np.where(z < 0, 1.0, library.gammaincc(a, z))), "0.7357589 | -0.30685282"),
    ],
    described={"a": "The shape parameter."},
)  # fmt: skip


def _of_freedom(kernel: Kernel) -> Kernel:
    """Return the kernel of the chi-squared distribution, which is a gamma distribution."""
    return lambda x, df, loc, scale: kernel(x, df / 2, loc, 2 * scale)


chi2 = distribution(
    "chi2", "the chi-squared distribution", f"df, {_MOVED}", "1.0, 2.0",
    [
        ("logpdf pdf", SHARED, _of_freedom(_positive_density(_gamma_log_density)), "-1.1931472 | 0.30326533"),
        ("cdf logcdf", SHARED, _of_freedom(_gamma_distribution), "0.39346933 | -0.93275213"),
        ("sf logsf", SHARED, _of_freedom(_moved(lambda z, a: library.gammaincc(a, _within(z, 0)))), "0.60653067 | -0.5"),
    ],
    described={"df": "The degrees of freedom."},
)  # fmt: skip


def _gennorm_log_density(x: Buffer, beta: Buffer) -> Any:
    return np.log(beta / 2) - k.gammaln(1 / beta) - np.abs(x) ** beta


def _gennorm_distribution(x: Buffer, beta: Buffer) -> Buffer:
    half = np.sign(x) / 2
    return np.where(beta > 0, 0.5 + half - half * library.gammaincc(1 / beta, np.abs(x) ** beta), np.nan)


gennorm = distribution(
    "gennorm", "the generalized normal distribution", "beta", "0.5, 2.0",
    [
        ("logpdf pdf", PROMOTED, _gennorm_log_density, "-0.8223649 | 0.4393913"),
        ("cdf", PROMOTED, _gennorm_distribution, "0.7602499"),
    ],
    described={"beta": "The shape parameter."},
)  # fmt: skip


def _positive(kernel: Kernel) -> Kernel:
    """Return a kernel of NaN for scales that are not positive."""
    return lambda x, loc, scale: np.where(scale > 0, kernel(x, loc, scale), np.nan)


_gumbel_log_density = _positive(_density(lambda z: z - np.exp(z)))
_gumbel_log_survival = _positive(_moved(lambda z: -np.exp(z)))
_gumbel_log_distribution = _positive(_moved(lambda z: _log_less_one(np.exp(z))))
_gumbel_distribution = _positive(_moved(lambda z: -np.expm1(-np.exp(z))))


def _gumbel_quantile(p: Buffer) -> Buffer:
    return np.where((p > 0) & (p < 1), np.log(-np.log1p(-p)), np.nan)


gumbel_l = distribution(
    "gumbel_l", "the Gumbel distribution of minima", _MOVED, "0.5",
    [
        ("logpdf pdf", PROMOTED, _gumbel_log_density, "-1.1487212 | 0.31704193"),
        ("cdf", PROMOTED, _gumbel_distribution, "0.8077043"),
        ("logcdf", PROMOTED, _gumbel_log_distribution, "-0.21355918"),
        ("logsf sf", PROMOTED, _gumbel_log_survival, "-1.6487212 | 0.19229564"),
        ("ppf", PROMOTED, _quantile(_gumbel_quantile), "-0.36651292", {"first": "p"}),
    ],
    described={"p": "The probabilities."},
)  # fmt: skip


def _mirrored(kernel: Kernel) -> Kernel:
    """Return the kernel of the distribution that is mirrored at 0."""
    return lambda x, loc, scale: kernel(-x, -loc, scale)


def _gumbel_r_quantile(p: Buffer) -> Buffer:
    return np.where((p > 0) & (p < 1), -np.log(-np.log(p)), np.nan)


gumbel_r = distribution(
    "gumbel_r", "the Gumbel distribution of maxima", _MOVED, "0.5",
    [
        ("logpdf pdf", PROMOTED, _mirrored(_gumbel_log_density), "-1.1065307 | 0.3307043"),
        ("logcdf cdf", PROMOTED, _mirrored(_gumbel_log_survival), "-0.60653067 | 0.5452392"),
        ("sf", SHARED, _mirrored(_gumbel_distribution), "0.4547608"),
        ("logsf", PROMOTED, _mirrored(_gumbel_log_distribution), "-0.7879837"),
        ("ppf", PROMOTED, _quantile(_gumbel_r_quantile), "0.36651292", {"first": "p"}),
    ],
    described={"p": "The probabilities."},
)  # fmt: skip


def _laplace_distribution(z: Buffer) -> Buffer:
    tail = np.exp(np.where(z <= 0, z, -z)) / 2
    return np.where(z <= 0, tail, 1 - tail)


laplace = distribution(
    "laplace", "the Laplace distribution", _MOVED, "0.5",
    [
        ("logpdf pdf", SHARED, _density(lambda z: -np.abs(z) - math.log(2)), "-1.1931472 | 0.30326533"),
        ("cdf", SHARED, _moved(_laplace_distribution), "0.69673467"),
    ],
)  # fmt: skip


def _logistic_log_density(z: Buffer) -> Any:
    total = logaddexp if z.dtype.kind == "c" and not takes_over(z) else np.logaddexp
    return -2 * total(z / 2, -z / 2)


logistic = distribution(
    "logistic", "the logistic distribution", _MOVED, "0.25",
    [
        ("logpdf pdf", SHARED, _density(_logistic_log_density), "-1.4018788 | 0.24613409"),
        ("cdf", PROMOTED, _moved(k.expit), "0.5621765"),
        ("sf", PROMOTED, _moved(lambda z: k.expit(-z)), "0.4378235"),
        ("ppf", SHARED, _quantile(k.logit), "-1.0986123", {"first": "x"}),
        ("isf", SHARED, _quantile(lambda q: -k.logit(q)), "1.0986123"),
    ],
    kinds="fc",
)  # fmt: skip


def _norm_log_density(x: Buffer, loc: Buffer, scale: Buffer) -> Any:
    z = (x - loc) / scale
    # The square of a complex scale has another logarithm than its magnitude.
    log_variance = np.log(scale * scale) if scale.dtype.kind == "c" else 2 * np.log(np.abs(scale))
    return -(LOG_TWO_PI + log_variance + z * z) / 2


def _in_default_dtype(function: str, kernel: Kernel, q: ArrayLike, loc: ArrayLike, scale: ArrayLike) -> Array:
    """Return quantiles in the default float dtype, as JAX does."""
    given = operand(q, function)
    if given._node.kind != "f" or given._node.bits < 32:
        raise TypeError(f"{function}: q must have dtype float32 or float64, got {given.dtype}; cast it first")
    found, node = STRONG(function, kernel, given, loc, scale), state().float_
    return wrap(cast(found._data, node), node)


norm = distribution(
    "norm", "the normal distribution", _MOVED, "1.0",
    [
        ("logpdf pdf", SHARED, _norm_log_density, "-1.4189385 | 0.24197072", {"kinds": "fc"}),
        ("cdf", SIZED, _moved(k.ndtr), "0.8413448"),
        ("logcdf", SIZED, _moved(k.log_ndtr), "-0.17275378"),
        ("sf", SIZED, _moved(lambda z: k.ndtr(-z)), "0.15865526"),
        ("logsf", SIZED, _moved(lambda z: k.log_ndtr(-z)), "-1.8410217"),
        ("ppf", _in_default_dtype, _quantile(k.ndtri), "0.975 -> 1.9599644"),
        ("isf", _in_default_dtype, _quantile(lambda q: -k.ndtri(q)), "0.025 -> 1.959964"),
    ],
)  # fmt: skip


def _pareto_log_density(x: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    value = -(np.log(scale / b) + (b + 1) * np.log((x - loc) / scale))
    return np.where(x < loc + scale, -np.inf, value)


def _pareto_log_survival(x: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where(x < loc + scale, 0.0, -b * np.log((x - loc) / scale))


def _pareto_distribution(x: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Any:
    return -np.expm1(_pareto_log_survival(x, b, loc, scale))


def _pareto_log_distribution(x: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where(x < loc + scale, -np.inf, np.log(_pareto_distribution(x, b, loc, scale)))


pareto = distribution(
    "pareto", "the Pareto distribution", f"b, {_MOVED}", "2.0, 3.0",
    [
        ("logpdf pdf", SHARED, _pareto_log_density, "-1.6739764 | 0.1875"),
        ("cdf", SHARED, _pareto_distribution, "0.875"),
        ("logcdf", PROMOTED, _pareto_log_distribution, "-0.13353139"),
        ("logsf sf", SHARED, _pareto_log_survival, "-2.0794415 | 0.125"),
        ("ppf", SHARED, _bounded(_quantile(lambda q, b: np.power(1 - q, -1 / b))), "0.5, 3.0 -> 1.2599211", {"kinds": "fc"}),
    ],
    described={"b": "The shape parameter."},
)  # fmt: skip


def _t_log_density(x: Buffer, df: Buffer, loc: Buffer, scale: Buffer) -> Any:
    y, half = (x - loc) / scale, df / 2
    front = k.gammaln(half + 0.5) - k.gammaln(half) - np.log(scale * scale * np.pi * df) / 2
    return front - (half + 0.5) * np.log1p(y * y / df)


t = distribution(
    "t", "Student's t distribution", f"df, {_MOVED}", "1.0, 3.0",
    [("logpdf pdf", SHARED, _t_log_density, "-1.5762529 | 0.20674834")],
    described={"df": "The degrees of freedom."},
)  # fmt: skip


def _log_difference(x: Buffer, y: Buffer) -> Buffer:
    """Compute ``log(exp(x) - exp(y))``."""
    return np.where(x > y, x + _log_less_one(np.where(x > y, x - y, 1.0)), np.where(x == y, -np.inf, np.nan))


def _log_mass_between(a: Buffer, b: Buffer) -> Any:
    """Compute the logarithm of the probability of a normal number between two bounds, in the tail where it is more exact."""
    middle = (b > 0) & (a <= 0)
    around = np.log1p(np.where(middle, -k.ndtr(a) - k.ndtr(-b), 0.0))
    if not takes_over(middle) and np.count_nonzero(middle) == middle.size:
        return around
    low, high = np.where(a > 0, -b, a), np.where(a > 0, -a, b)
    return np.where(middle, around, _log_difference(k.log_ndtr(high), k.log_ndtr(low)))


def _truncnorm_log_density(x: Buffer, a: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    z = (x - loc) / scale
    value = -(LOG_TWO_PI + 2 * np.log(np.abs(scale)) + z * z) / 2 - _log_mass_between(a, b)
    return np.where(a >= b, np.nan, np.where((z < a) | (z > b), -np.inf, value))


def _truncnorm_log_distribution(x: Buffer, a: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    z, a, b = np.broadcast_arrays((x - loc) / scale, a, b)
    total = _log_mass_between(a, b)
    inside = _within(z, a, b)
    below, above = _log_mass_between(a, inside) - total, _log_mass_between(inside, b) - total
    value = np.where(below > -0.1, np.log1p(-np.exp(above)), np.where(z > a, below, 0.0))
    return np.where(a >= b, np.nan, np.where(z >= b, 0.0, np.where(z <= a, -np.inf, value)))


def _truncnorm_log_survival(x: Buffer, a: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return _truncnorm_log_distribution(-x, -b, -a, -loc, scale)


truncnorm = distribution(
    "truncnorm", "the normal distribution between two bounds", f"a, b, {_MOVED}", "0.5, -1.0, 2.0",
    [
        ("logpdf pdf", SIZED, _truncnorm_log_density, "-0.84377223 | 0.43008506"),
        ("logcdf cdf", SIZED, _truncnorm_log_distribution, "-0.42942935 | 0.6508804"),
        ("logsf sf", SIZED, _truncnorm_log_survival, "-1.0523407 | 0.34911957"),
    ],
    described={"a": "The lower bound, in units of the scale from the shift.", "b": "The upper bound, likewise."},
)  # fmt: skip


def _uniform_log_density(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where((x > loc + scale) | (x < loc), -np.inf, -np.log(scale))


def _uniform_distribution(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    inside = np.where((x >= loc) & (x <= loc + scale), (x - loc) / scale, 0.0)
    return np.where(x < loc, 0.0, np.where(x > loc + scale, 1.0, inside))


uniform = distribution(
    "uniform", "the uniform distribution on ``loc`` to ``loc + scale``", _MOVED, "0.25, 0.0, 2.0",
    [
        ("logpdf pdf", PROMOTED, _uniform_log_density, "-0.6931472 | 0.5"),
        ("cdf", STRONG, _uniform_distribution, "0.125"),
        ("ppf", PROMOTED, _bounded(_quantile(lambda q: q)), "0.5", {"kinds": "fc"}),
    ],
)  # fmt: skip


def _vonmises_log_density(x: Buffer, kappa: Buffer) -> Buffer:
    return np.where(kappa > 0, kappa * (np.cos(x) - 1) - LOG_TWO_PI - np.log(library.i0e(kappa)), np.nan)


vonmises = distribution(
    "vonmises", "the von Mises distribution", "kappa", "0.5, 2.0",
    [("logpdf pdf", PROMOTED, _vonmises_log_density, "-0.9067055 | 0.40385252")],
    described={"kappa": "The concentration."},
)  # fmt: skip


def _wrapcauchy_log_density(x: Buffer, c: Buffer) -> Buffer:
    value = np.log1p(-c * c) - LOG_TWO_PI - np.log(1 + c * c - 2 * c * np.cos(x))
    value = np.where((x >= 0) & (x <= 2 * np.pi), value, -np.inf)
    return np.where((c > 0) & (c < 1), value, np.nan)


wrapcauchy = distribution(
    "wrapcauchy", "the wrapped Cauchy distribution", "c", "0.5, 0.25",
    [("logpdf pdf", PROMOTED, _wrapcauchy_log_density, "-1.4303437 | 0.23922667")],
    described={"c": "The shape parameter, between 0 and 1."},
)  # fmt: skip
