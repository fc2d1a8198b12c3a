"""The table of continuous distributions: parameters, and the formula of each function, for float64 buffers."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand
from supremum._core.settings import state
from supremum._core.typing import ArrayLike
from supremum._kernels import special as k
from supremum._kernels.casts import cast
from supremum._kernels.complex_numbers import logaddexp
from supremum.scipy.stats._making import (
    LOG_TWO_PI,
    PROMOTED,
    SHARED,
    SIZED,
    STRONG,
    Kernel,
    distribution,
    exp_of,
    library as _scipy,
    log_of,
)

__all__ = [
    "beta", "cauchy", "chi2", "expon", "gamma", "gennorm", "gumbel_l", "gumbel_r", "laplace", "logistic", "norm", "pareto",
    "t", "truncnorm", "uniform", "vonmises", "wrapcauchy",
]  # fmt: skip

_MOVED: Final = "loc=0, scale=1"


def _where_positive(scale: Buffer, value: Any) -> Buffer:
    return np.where(scale > 0, value, np.nan)


def _log_less_one(x: Buffer) -> Buffer:
    """Compute ``log(1 - exp(-x))`` of positive numbers."""
    return np.where(x > math.log(2), np.log1p(-np.exp(-x)), np.log(-np.expm1(-x)))


def _beta_log_density(x: Buffer, a: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    y = (x - loc) / scale
    value = k.xlogy(a - 1, y) + k.xlog1py(b - 1, -y) - _scipy.betaln(a, b) - np.log(scale)
    value = np.where((x > loc + scale) | (x < loc), -np.inf, value)
    return np.where((a <= 0) | (b <= 0) | (scale <= 0), np.nan, value)


def _beta_distribution(x: Buffer, a: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Any:
    return _scipy.betainc(a, b, np.clip((x - loc) / scale, 0, 1))


def _beta_survival(x: Buffer, a: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Any:
    return _scipy.betaincc(a, b, np.clip((x - loc) / scale, 0, 1))


beta = distribution(
    "beta", "the beta distribution", f"a, b, {_MOVED}", "0.25, 2.0, 3.0",
    [
        ("logpdf", SHARED, _beta_log_density, "0.52324814", {"refusal": TypeError}),
        ("pdf", SHARED, exp_of(_beta_log_density), "1.6875", {"refusal": TypeError}),
        ("cdf", SHARED, _beta_distribution, "0.26171875"),
        ("logcdf", SHARED, log_of(_beta_distribution), "-1.3404849"),
        ("sf", SHARED, _beta_survival, "0.73828125"),
        ("logsf", SHARED, log_of(_beta_survival), "-0.30343044"),
    ],
    described={"a": "The first shape parameter.", "b": "The second shape parameter."}, refusal=ValueError,
)  # fmt: skip


def _cauchy_log_density(x: Buffer, loc: Buffer, scale: Buffer) -> Any:
    z = (x - loc) / scale
    return -(np.log(np.pi * scale) + np.log1p(z * z))


def _cauchy_distribution(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    z = (x - loc) / scale
    # arctan(z) + pi / 2 is arctan(-1 / z) for negative z, without cancellation.
    return np.where(z.real < 0, np.arctan(-1 / z) / np.pi, 0.5 + np.arctan(z) / np.pi)


def _cauchy_survival(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return _cauchy_distribution(-x, -loc, scale)


def _cotangent(q: Buffer) -> Buffer:
    """Compute ``1 / tan(pi * q)`` of probabilities, without cancellation."""
    below, above = 1 / np.tan(np.pi * q), -1 / np.tan(np.pi * (1 - q))
    return np.where(q <= 0.25, below, np.where(q >= 0.75, above, np.tan(np.pi / 2 - np.pi * q)))


cauchy = distribution(
    "cauchy", "the Cauchy distribution", _MOVED, "0.5",
    [
        ("logpdf", SHARED, _cauchy_log_density, "-1.3678734"),
        ("pdf", SHARED, exp_of(_cauchy_log_density), "0.2546479"),
        ("cdf", SHARED, _cauchy_distribution, "0.6475836"),
        ("logcdf", SHARED, log_of(_cauchy_distribution), "-0.43450734"),
        ("sf", SHARED, _cauchy_survival, "0.3524164"),
        ("logsf", SHARED, log_of(_cauchy_survival), "-1.0429419"),
        ("ppf", SHARED, lambda q, loc, scale: loc - _cotangent(q) * scale, "0."),
        ("isf", SHARED, lambda q, loc, scale: loc + _cotangent(q) * scale, "0."),
    ],
    kinds="fc",
)  # fmt: skip


def _chi2_log_density(x: Buffer, df: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    y, half = (x - loc) / scale, df / 2
    value = (half - 1) * np.log(y) - y / 2 - k.gammaln(half) - half * np.log(2) - np.log(scale)
    return np.where(x < loc, -np.inf, value)


def _chi2_distribution(x: Buffer, df: Buffer, loc: Buffer, scale: Buffer) -> Any:
    return _scipy.gammainc(df / 2, np.maximum((x - loc) / (2 * scale), 0))


def _chi2_survival(x: Buffer, df: Buffer, loc: Buffer, scale: Buffer) -> Any:
    return _scipy.gammaincc(df / 2, np.maximum((x - loc) / (2 * scale), 0))


chi2 = distribution(
    "chi2", "the chi-squared distribution", f"df, {_MOVED}", "1.0, 2.0",
    [
        ("logpdf", SHARED, _chi2_log_density, "-1.1931472"),
        ("pdf", SHARED, exp_of(_chi2_log_density), "0.30326533"),
        ("cdf", SHARED, _chi2_distribution, "0.39346933"),
        ("logcdf", SHARED, log_of(_chi2_distribution), "-0.93275213"),
        ("sf", SHARED, _chi2_survival, "0.60653067"),
        ("logsf", SHARED, log_of(_chi2_survival), "-0.5"),
    ],
    described={"df": "The degrees of freedom."},
)  # fmt: skip


def _expon_log_density(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where(x < loc, -np.inf, -((x - loc) / scale + np.log(scale)))


def _expon_log_survival(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where(x < loc, 0.0, (loc - x) / scale)


def _expon_distribution(x: Buffer, loc: Buffer, scale: Buffer) -> Any:
    return -np.expm1(_expon_log_survival(x, loc, scale))


def _expon_quantile(q: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where((q >= 0) & (q <= 1), loc - scale * np.log1p(-q), np.nan)


expon = distribution(
    "expon", "the exponential distribution", _MOVED, "0.5",
    [
        ("logpdf", PROMOTED, _expon_log_density, "-0.5"),
        ("pdf", PROMOTED, exp_of(_expon_log_density), "0.60653067"),
        ("cdf", PROMOTED, _expon_distribution, "0.39346933"),
        ("logcdf", PROMOTED, log_of(_expon_distribution), "-0.93275213"),
        ("sf", PROMOTED, exp_of(_expon_log_survival), "0.60653067"),
        ("logsf", PROMOTED, _expon_log_survival, "-0.5"),
        ("ppf", PROMOTED, _expon_quantile, "0.6931472", {"kinds": "fc"}),
    ],
)  # fmt: skip


def _gamma_log_density(x: Buffer, a: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    inside = x >= loc
    y = np.where(inside, (x - loc) / scale, 1.0)
    return np.where(inside, k.xlogy(a - 1, y) - y - k.gammaln(a) - np.log(scale), -np.inf)


def _gamma_distribution(x: Buffer, a: Buffer, loc: Buffer, scale: Buffer) -> Any:
    return _scipy.gammainc(a, np.maximum((x - loc) / scale, 0))


def _gamma_survival(x: Buffer, a: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    y = (x - loc) / scale
    return np.where(y < 0, 1.0, _scipy.gammaincc(a, y))


gamma = distribution(
    "gamma", "the gamma distribution", f"a, {_MOVED}", "1.0, 2.0",
    [
        ("logpdf", SHARED, _gamma_log_density, "-1."),
        ("pdf", SHARED, exp_of(_gamma_log_density), "0.36787945"),
        ("cdf", SHARED, _gamma_distribution, "0.26424113"),
        ("logcdf", SHARED, log_of(_gamma_distribution), "-1.3308933"),
        ("sf", PROMOTED, _gamma_survival, "0.7357589"),
        ("logsf", PROMOTED, log_of(_gamma_survival), "-0.30685282"),
    ],
    described={"a": "The shape parameter."},
)  # fmt: skip


def _gennorm_log_density(x: Buffer, beta: Buffer) -> Any:
    return np.log(beta / 2) - k.gammaln(1 / beta) - np.abs(x) ** beta


def _gennorm_distribution(x: Buffer, beta: Buffer) -> Buffer:
    return _where_positive(beta, (1 + np.sign(x) * _scipy.gammainc(1 / beta, np.abs(x) ** beta)) / 2)


gennorm = distribution(
    "gennorm", "the generalized normal distribution", "beta", "0.5, 2.0",
    [
        ("logpdf", PROMOTED, _gennorm_log_density, "-0.8223649"),
        ("pdf", PROMOTED, exp_of(_gennorm_log_density), "0.4393913"),
        ("cdf", PROMOTED, _gennorm_distribution, "0.7602499"),
    ],
    described={"beta": "The shape parameter."},
)  # fmt: skip


def _gumbel_l_log_density(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    z = (x - loc) / scale
    return _where_positive(scale, -np.log(scale) + z - np.exp(z))


def _gumbel_l_log_survival(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return _where_positive(scale, -np.exp((x - loc) / scale))


def _gumbel_l_log_distribution(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return _where_positive(scale, _log_less_one(np.exp((x - loc) / scale)))


def _gumbel_l_distribution(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return _where_positive(scale, -np.expm1(-np.exp((x - loc) / scale)))


def _gumbel_l_quantile(p: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where((p > 0) & (p < 1), loc + scale * np.log(-np.log1p(-p)), np.nan)


gumbel_l = distribution(
    "gumbel_l", "the Gumbel distribution of minima", _MOVED, "0.5",
    [
        ("logpdf", PROMOTED, _gumbel_l_log_density, "-1.1487212"),
        ("pdf", PROMOTED, exp_of(_gumbel_l_log_density), "0.31704193"),
        ("cdf", PROMOTED, _gumbel_l_distribution, "0.8077043"),
        ("logcdf", PROMOTED, _gumbel_l_log_distribution, "-0.21355918"),
        ("sf", PROMOTED, exp_of(_gumbel_l_log_survival), "0.19229564"),
        ("logsf", PROMOTED, _gumbel_l_log_survival, "-1.6487212"),
        ("ppf", PROMOTED, _gumbel_l_quantile, "-0.36651292", {"first": "p"}),
    ],
    described={"p": "The probabilities."},
)  # fmt: skip


def _mirrored(kernel: Kernel) -> Kernel:
    """Return the kernel of the distribution that is mirrored at 0."""
    return lambda x, loc, scale: kernel(-x, -loc, scale)


def _gumbel_r_quantile(p: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where((p > 0) & (p < 1), loc - scale * np.log(-np.log(p)), np.nan)


gumbel_r = distribution(
    "gumbel_r", "the Gumbel distribution of maxima", _MOVED, "0.5",
    [
        ("logpdf", PROMOTED, _mirrored(_gumbel_l_log_density), "-1.1065307"),
        ("pdf", PROMOTED, _mirrored(exp_of(_gumbel_l_log_density)), "0.3307043"),
        ("cdf", PROMOTED, _mirrored(exp_of(_gumbel_l_log_survival)), "0.5452392"),
        ("logcdf", PROMOTED, _mirrored(_gumbel_l_log_survival), "-0.60653067"),
        ("sf", SHARED, _mirrored(_gumbel_l_distribution), "0.4547608"),
        ("logsf", PROMOTED, _mirrored(_gumbel_l_log_distribution), "-0.7879837"),
        ("ppf", PROMOTED, _gumbel_r_quantile, "0.36651292", {"first": "p"}),
    ],
    described={"p": "The probabilities."},
)  # fmt: skip


def _laplace_log_density(x: Buffer, loc: Buffer, scale: Buffer) -> Any:
    return -(np.abs(x - loc) / scale + np.log(2 * scale))


def _laplace_distribution(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    z = (x - loc) / scale
    tail = np.exp(-np.abs(z)) / 2
    return np.where(z <= 0, tail, 1 - tail)


laplace = distribution(
    "laplace", "the Laplace distribution", _MOVED, "0.5",
    [
        ("logpdf", SHARED, _laplace_log_density, "-1.1931472"),
        ("pdf", SHARED, exp_of(_laplace_log_density), "0.30326533"),
        ("cdf", SHARED, _laplace_distribution, "0.69673467"),
    ],
)  # fmt: skip


def _logistic_log_density(x: Buffer, loc: Buffer, scale: Buffer) -> Any:
    half = (x - loc) / scale / 2
    total = logaddexp(half, -half) if half.dtype.kind == "c" else np.logaddexp(half, -half)
    return -2 * total - np.log(scale)


logistic = distribution(
    "logistic", "the logistic distribution", _MOVED, "0.25",
    [
        ("logpdf", SHARED, _logistic_log_density, "-1.4018788"),
        ("pdf", SHARED, exp_of(_logistic_log_density), "0.24613409"),
        ("cdf", PROMOTED, lambda x, loc, scale: k.expit((x - loc) / scale), "0.5621765"),
        ("sf", PROMOTED, lambda x, loc, scale: k.expit((loc - x) / scale), "0.4378235"),
        ("ppf", SHARED, lambda x, loc, scale: k.logit(x) * scale + loc, "-1.0986123", {"first": "x"}),
        ("isf", SHARED, lambda q, loc, scale: -k.logit(q) * scale + loc, "1.0986123"),
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
        ("logpdf", SHARED, _norm_log_density, "-1.4189385", {"kinds": "fc"}),
        ("pdf", SHARED, exp_of(_norm_log_density), "0.24197072", {"kinds": "fc"}),
        ("cdf", SIZED, lambda x, loc, scale: k.ndtr((x - loc) / scale), "0.8413448"),
        ("logcdf", SIZED, lambda x, loc, scale: k.log_ndtr((x - loc) / scale), "-0.17275378"),
        ("sf", SIZED, lambda x, loc, scale: k.ndtr((loc - x) / scale), "0.15865526"),
        ("logsf", SIZED, lambda x, loc, scale: k.log_ndtr((loc - x) / scale), "-1.8410217"),
        ("ppf", _in_default_dtype, lambda q, loc, scale: loc + k.ndtri(q) * scale, "0.975 -> 1.9599644"),
        ("isf", _in_default_dtype, lambda q, loc, scale: loc - k.ndtri(q) * scale, "0.025 -> 1.959964"),
    ],
)  # fmt: skip


def _pareto_log_density(x: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    value = -(np.log(scale / b) + (b + 1) * np.log((x - loc) / scale))
    return np.where(x < loc + scale, -np.inf, value)


def _pareto_log_survival(x: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where(x < loc + scale, 0.0, -b * np.log((x - loc) / scale))


def _pareto_distribution(x: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Any:
    return -np.expm1(_pareto_log_survival(x, b, loc, scale))


def _pareto_quantile(q: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where((q >= 0) & (q <= 1), loc + scale * np.power(1 - q, -1 / b), np.nan)


pareto = distribution(
    "pareto", "the Pareto distribution", f"b, {_MOVED}", "2.0, 3.0",
    [
        ("logpdf", SHARED, _pareto_log_density, "-1.6739764"),
        ("pdf", SHARED, exp_of(_pareto_log_density), "0.1875"),
        ("cdf", SHARED, _pareto_distribution, "0.875"),
        ("logcdf", PROMOTED, log_of(_pareto_distribution), "-0.13353139"),
        ("sf", SHARED, exp_of(_pareto_log_survival), "0.125"),
        ("logsf", SHARED, _pareto_log_survival, "-2.0794415"),
        ("ppf", SHARED, _pareto_quantile, "0.5, 3.0 -> 1.2599211", {"kinds": "fc"}),
    ],
    described={"b": "The shape parameter."},
)  # fmt: skip


def _t_log_density(x: Buffer, df: Buffer, loc: Buffer, scale: Buffer) -> Any:
    y, half = (x - loc) / scale, df / 2
    front = k.gammaln(half + 0.5) - k.gammaln(half) - np.log(scale * scale * np.pi * df) / 2
    return front - (half + 0.5) * np.log1p(y * y / df)


t = distribution(
    "t", "Student's t distribution", f"df, {_MOVED}", "1.0, 3.0",
    [("logpdf", SHARED, _t_log_density, "-1.5762529"), ("pdf", SHARED, exp_of(_t_log_density), "0.20674834")],
    described={"df": "The degrees of freedom."},
)  # fmt: skip


def _log_difference(x: Buffer, y: Buffer) -> Buffer:
    """Compute ``log(exp(x) - exp(y))``."""
    return np.where(x == y, -np.inf, x + _log_less_one(np.where(x > y, x - y, np.nan)))


def _log_mass_between(a: Buffer, b: Buffer) -> Buffer:
    """Compute the logarithm of the probability of a normal number between two bounds, in the tail where it is more exact."""
    middle, around = (b > 0) & (a <= 0), np.log1p(-k.ndtr(a) - k.ndtr(-b))
    if np.count_nonzero(middle) == middle.size:
        return np.asarray(around)
    low, high = np.where(a > 0, -b, a), np.where(a > 0, -a, b)
    return np.where(middle, around, _log_difference(k.log_ndtr(high), k.log_ndtr(low)))


def _truncnorm_log_density(x: Buffer, a: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    z = (x - loc) / scale
    value = -(LOG_TWO_PI + 2 * np.log(np.abs(scale)) + z * z) / 2 - _log_mass_between(a, b)
    return np.where(a >= b, np.nan, np.where((z < a) | (z > b), -np.inf, value))


def _truncnorm_log_distribution(x: Buffer, a: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    z, a, b = np.broadcast_arrays((x - loc) / scale, a, b)
    total = _log_mass_between(a, b)
    below, above = _log_mass_between(a, z) - total, _log_mass_between(z, b) - total
    value = np.where(below > -0.1, np.log1p(-np.exp(above)), np.where(z > a, below, 0.0))
    return np.where(a >= b, np.nan, np.where(z >= b, 0.0, np.where(z <= a, -np.inf, value)))


def _truncnorm_log_survival(x: Buffer, a: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return _truncnorm_log_distribution(-x, -b, -a, -loc, scale)


truncnorm = distribution(
    "truncnorm", "the normal distribution between two bounds", f"a, b, {_MOVED}", "0.5, -1.0, 2.0",
    [
        ("logpdf", SIZED, _truncnorm_log_density, "-0.84377223"),
        ("pdf", SIZED, exp_of(_truncnorm_log_density), "0.43008506"),
        ("cdf", SIZED, exp_of(_truncnorm_log_distribution), "0.6508804"),
        ("logcdf", SIZED, _truncnorm_log_distribution, "-0.42942935"),
        ("sf", SIZED, exp_of(_truncnorm_log_survival), "0.34911957"),
        ("logsf", SIZED, _truncnorm_log_survival, "-1.0523407"),
    ],
    described={"a": "The lower bound, in units of the scale from the shift.", "b": "The upper bound, likewise."},
)  # fmt: skip


def _uniform_log_density(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where((x > loc + scale) | (x < loc), -np.inf, -np.log(scale))


def _uniform_distribution(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    inside = np.where((x >= loc) & (x <= loc + scale), (x - loc) / scale, 0.0)
    return np.where(x < loc, 0.0, np.where(x > loc + scale, 1.0, inside))


def _uniform_quantile(q: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where((q >= 0) & (q <= 1), loc + scale * q, np.nan)


uniform = distribution(
    "uniform", "the uniform distribution on ``loc`` to ``loc + scale``", _MOVED, "0.25, 0.0, 2.0",
    [
        ("logpdf", PROMOTED, _uniform_log_density, "-0.6931472"),
        ("pdf", PROMOTED, exp_of(_uniform_log_density), "0.5"),
        ("cdf", STRONG, _uniform_distribution, "0.125"),
        ("ppf", PROMOTED, _uniform_quantile, "0.5", {"kinds": "fc"}),
    ],
)  # fmt: skip


def _vonmises_log_density(x: Buffer, kappa: Buffer) -> Buffer:
    return _where_positive(kappa, kappa * (np.cos(x) - 1) - LOG_TWO_PI - np.log(_scipy.i0e(kappa)))


vonmises = distribution(
    "vonmises", "the von Mises distribution", "kappa", "0.5, 2.0",
    [
        ("logpdf", PROMOTED, _vonmises_log_density, "-0.9067055"),
        ("pdf", PROMOTED, exp_of(_vonmises_log_density), "0.40385252"),
    ],
    described={"kappa": "The concentration."},
)  # fmt: skip


def _wrapcauchy_log_density(x: Buffer, c: Buffer) -> Buffer:
    value = np.log1p(-c * c) - LOG_TWO_PI - np.log(1 + c * c - 2 * c * np.cos(x))
    value = np.where((x >= 0) & (x <= 2 * np.pi), value, -np.inf)
    return np.where((c > 0) & (c < 1), value, np.nan)


wrapcauchy = distribution(
    "wrapcauchy", "the wrapped Cauchy distribution", "c", "0.5, 0.25",
    [
        ("logpdf", PROMOTED, _wrapcauchy_log_density, "-1.4303437"),
        ("pdf", PROMOTED, exp_of(_wrapcauchy_log_density), "0.23922667"),
    ],
    described={"c": "The shape parameter, between 0 and 1."},
)  # fmt: skip
