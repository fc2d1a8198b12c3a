"""Special functions of real numbers that need no SciPy: those of random numbers and activations, and formulas.

They are ufuncs of the extension module (`native/loops/special.c`). The definitions here are what they compute, but for the
last digits of C's functions, and run without it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer, native

_ROOT_HALF: Final = math.sqrt(0.5)


def _each(function: Callable[[float], float]) -> Callable[[Buffer], Buffer]:
    """Return a kernel that computes in float64, number by number, and rounds once."""
    of_objects = np.frompyfunc(function, 1, 1)
    return lambda x: np.asarray(of_objects(x.astype(np.float64)), np.float64).astype(x.dtype)


def _in_double(kernel: Callable[..., Any]) -> Callable[..., Buffer]:
    """Wrap a kernel to compute in float64, and to round once."""

    def computed(*xs: Buffer) -> Buffer:
        return np.asarray(kernel(*[x.astype(np.float64) for x in xs])).astype(xs[0].dtype)

    return computed


# -- the error function and its inverse ---------------------------------------------------------------------------------------

# Polynomials of M. Giles (2012), as XLA has them, from the highest power down: where each ends, the shift, the coefficients.
_INVERSE_32: Final = (
    (5.0, 2.5, (
        2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164,
        0.246640727, 1.50140941,
    )),
    (np.inf, 3.0, (
        -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047,
        1.00167406, 2.83297682,
    )),
)  # fmt: skip
_INVERSE_64: Final = (
    (6.25, 3.125, (
        -3.6444120640178196996e-21, -1.685059138182016589e-19, 1.2858480715256400167e-18, 1.115787767802518096e-17,
        -1.333171662854620906e-16, 2.0972767875968561637e-17, 6.6376381343583238325e-15, -4.0545662729752068639e-14,
        -8.1519341976054721522e-14, 2.6335093153082322977e-12, -1.2975133253453532498e-11, -5.4154120542946279317e-11,
        1.051212273321532285e-09, -4.1126339803469836976e-09, -2.9070369957882005086e-08, 4.2347877827932403518e-07,
        -1.3654692000834678645e-06, -1.3882523362786468719e-05, 0.0001867342080340571352, -0.00074070253416626697512,
        -0.0060336708714301490533, 0.24015818242558961693, 1.6536545626831027356,
    )),
    (16.0, 3.25, (
        2.2137376921775787049e-09, 9.0756561938885390979e-08, -2.7517406297064545428e-07, 1.8239629214389227755e-08,
        1.5027403968909827627e-06, -4.013867526981545969e-06, 2.9234449089955446044e-06, 1.2475304481671778723e-05,
        -4.7318229009055733981e-05, 6.8284851459573175448e-05, 2.4031110387097893999e-05, -0.0003550375203628474796,
        0.00095328937973738049703, -0.0016882755560235047313, 0.0024914420961078508066, -0.0037512085075692412107,
        0.005370914553590063617, 1.0052589676941592334, 3.0838856104922207635,
    )),
    (np.inf, 5.0, (
        -2.7109920616438573243e-11, -2.5556418169965252055e-10, 1.5076572693500548083e-09, -3.7894654401267369937e-09,
        7.6157012080783393804e-09, -1.4960026627149240478e-08, 2.9147953450901080826e-08, -6.7711997758452339498e-08,
        2.2900482228026654717e-07, -9.9298272942317002539e-07, 4.5260625972231537039e-06, -1.9681778105531670567e-05,
        7.5995277030017761139e-05, -0.00021503011930044477347, -0.00013871931833623122026, 1.0103004648645343977,
        4.8499064014085844221,
    )),
)  # fmt: skip


def _polynomial(coefficients: tuple[float, ...], x: Buffer) -> Buffer:
    """Evaluate a polynomial by Horner's rule in the dtype of `x`."""
    out = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        out *= x
        out += x.dtype.type(coefficient)
    return out


# Cephes' rational approximation of log1p, from the highest power down.
_LOG1P_P: Final = (
    4.5270000862445199635215e-5, 4.9854102823193375972212e-1, 6.5787325942061044846969, 2.9911919328553073277375e1,
    6.0949667980987787057556e1, 5.7112963590585538103336e1, 2.0039553499201281259648e1,
)  # fmt: skip
_LOG1P_Q: Final = (
    1.0, 1.5062909083469192043167e1, 8.3047565967967209469434e1, 2.2176239823732856465394e2, 3.0909872225312059774938e2,
    2.1642788614495947685003e2, 6.0118660497603843919306e1,
)  # fmt: skip


def log1p_as_xla(x: Buffer) -> Buffer:
    """Compute log(1 + x) as XLA does, whose float64 results near -0.4 are off by up to 100 units in the last place."""
    if x.dtype != np.float64:
        return np.log1p(x)
    square = x * x
    rational = _polynomial(_LOG1P_P, x) / _polynomial(_LOG1P_Q, x)
    return np.where(np.abs(x) < np.sqrt(2.0) - 1, x - 0.5 * square + x * (square * rational), np.log(1 + x))


def erfinv_by(x: Buffer, log1p: Callable[[Buffer], Buffer] = np.log1p) -> Buffer:
    """Compute the inverse of the error function."""
    one = x.dtype.type(1)
    pieces = _INVERSE_64 if x.dtype == np.float64 else _INVERSE_32
    w = -log1p(x * -x)
    out = np.full_like(x, np.nan)
    below = -np.inf
    for limit, shift, coefficients in pieces:
        inside = (w >= below) & (w < limit)
        arguments = w[inside] if below == -np.inf else np.sqrt(w[inside])
        out[inside] = _polynomial(coefficients, arguments - x.dtype.type(shift))
        below = limit
    return np.where(np.abs(x) == one, np.copysign(x.dtype.type(np.inf), x), out * x)


# -- the gamma function -------------------------------------------------------------------------------------------------------


def _gammasgn(x: Buffer) -> Buffer:
    whole = np.floor(x)
    sign = np.where(((x < 0) & (whole % 2 != 0)) | ((x == 0) & np.signbit(x)), x.dtype.type(-1), x.dtype.type(1))
    return np.where(((x < 0) & (x == whole)) | np.isnan(x), x.dtype.type(np.nan), sign)


def _digamma(z: Buffer) -> Buffer:
    """Compute the recurrence up to 10, then the asymptotic series; reflection below 0."""
    below = z < 0
    y = np.where(below, 1 - z, z)
    shift = np.zeros_like(y)
    for _ in range(10):
        small = y < 10
        shift = np.where(small, shift - 1 / y, shift)
        y = np.where(small, y + 1, y)
    square = 1 / (y * y)
    series = np.polyval([-1 / 12, 691 / 32760, -1 / 132, 1 / 240, -1 / 252, 1 / 120, -1 / 12], square) * square
    value = np.log(y) - 0.5 / y + series + shift
    value = np.where(below, value - math.pi / np.tan(math.pi * (z - np.rint(z))), value)
    return np.where((z <= 0) & (z == np.floor(z)), np.nan, value)


# -- the normal distribution --------------------------------------------------------------------------------------------------


@cache
def _normal() -> Any:
    from statistics import NormalDist  # whose import takes ten milliseconds

    return NormalDist()


def _ndtri(p: float) -> float:
    if 0 < p < 1:
        return _normal().inv_cdf(p)
    return math.copysign(math.inf, p - 0.5) if p in (0, 1) else math.nan


def _log_ndtr(z: Buffer) -> Buffer:
    """Compute the logarithm by the error function, and by the asymptotic series where that is near the least numbers."""
    square = z * z
    far = -square / 2 - np.log(-z) - math.log(2 * math.pi) / 2
    far += np.log1p((-1 + (3 - (15 - 105 / square) / square) / square) / square)
    near = np.where(z > 0, np.log1p(-erfc(z * _ROOT_HALF) / 2), np.log(erfc(-z * _ROOT_HALF) / 2))
    return np.where(z < -35, far, near)


# -- logarithms ---------------------------------------------------------------------------------------------------------------


def _rel_entr(p: Buffer, q: Buffer) -> Buffer:
    ratio = p / q
    # Of nearly equal numbers, the quotient's logarithm has lost digits; and so has a quotient that is not a normal number.
    normal = (ratio > np.finfo(np.float64).tiny) & (ratio < np.inf)
    logarithm = np.where(normal, np.log(ratio), np.log(p) - np.log(q))
    logarithm = np.where((ratio > 0.5) & (ratio < 2), np.log1p((p - q) / q), logarithm)
    found = np.where((p > 0) & (q > 0), p * logarithm, np.where((p == 0) & (q >= 0), 0.0, np.inf))
    return np.where(np.isnan(p) | np.isnan(q), np.nan, found)


def _times(x: Buffer, y: Buffer, logarithm: Any) -> Buffer:
    return np.where((x == 0) & ~np.isnan(y), x.dtype.type(0), x * logarithm)


def times_log(x: Buffer, y: Buffer) -> Any:
    """Compute ``x * log(y)``, 0 where x is 0 and y is not NaN; `xlogy` does it for real numbers."""
    return _times(x, y, np.log(y))


def times_log1p(x: Buffer, y: Buffer) -> Any:
    """Compute ``x * log(1 + y)``, 0 where x is 0 and y is not NaN; `xlog1py` does it for real numbers."""
    return _times(x, y, np.log1p(y))


def expit(x: Buffer) -> Any:
    """Compute the logistic function."""
    return 1 / (1 + np.exp(-x))


def logit(p: Buffer) -> Any:
    """Compute the inverse of the logistic function."""
    return np.log(p / (1 - p))


def boxcox(x: Buffer, power: Buffer) -> Any:
    """Compute the Box-Cox transformation."""
    return _box_cox(np.log(x), power)


def boxcox1p(x: Buffer, power: Buffer) -> Any:
    """Compute the Box-Cox transformation of ``1 + x``."""
    return _box_cox(np.log1p(x), power)


def _box_cox(logarithm: Any, power: Buffer) -> Any:
    found = np.expm1(power * logarithm) / power
    return found if np.count_nonzero(power) == power.size else np.where(power == 0, logarithm, found)


# -- what computes ------------------------------------------------------------------------------------------------------------

#: What computes without the extension module.
DEFINITIONS: Final[dict[str, Callable[..., Buffer]]] = {
    "erf": _each(math.erf),
    "erfc": _each(math.erfc),
    "erfinv": erfinv_by,
    "gammaln": _each(lambda x: math.inf if math.isinf(x) or (x <= 0 and x == math.floor(x)) else math.lgamma(x)),
    "gammasgn": _gammasgn,
    "digamma": _in_double(_digamma),
    "ndtr": _in_double(lambda x: erfc(-x * _ROOT_HALF) / 2),
    "ndtri": _each(_ndtri),
    "log_ndtr": _in_double(_log_ndtr),
    "entr": _in_double(lambda x: np.where(x > 0, -x * np.log(x), np.where(x == 0, -0.0, np.where(x < 0, -np.inf, x)))),
    "rel_entr": _in_double(_rel_entr),
    "kl_div": _in_double(lambda p, q: np.where((p > 0) & (q > 0), p * np.log(p / q) - p + q, _rel_entr(p, q) - p + q)),
    "xlogy": _in_double(times_log),
    "xlog1py": _in_double(times_log1p),
}


def _loop(name: str) -> Any:
    """Return the ufunc of the extension module, or the definition where there is none."""
    return getattr(native, name, DEFINITIONS[name])


erf: Final = _loop("erf")
erfc: Final[Any] = _loop("erfc")
erfinv: Final = _loop("erfinv")
gammaln: Final = _loop("gammaln")
gammasgn: Final = _loop("gammasgn")
digamma: Final = _loop("digamma")
ndtr: Final = _loop("ndtr")
ndtri: Final = _loop("ndtri")
log_ndtr: Final = _loop("log_ndtr")
entr: Final = _loop("entr")
rel_entr: Final = _loop("rel_entr")
kl_div: Final = _loop("kl_div")
xlogy: Final = _loop("xlogy")
xlog1py: Final = _loop("xlog1py")
