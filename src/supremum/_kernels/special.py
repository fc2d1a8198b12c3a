"""Special functions that NumPy lacks, in float64 and float32.

`erf` and `erfc` use the rational approximations of Sun's fdlibm, `erfinv` the polynomials of M. Giles (2012), as XLA does.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from supremum._base.buffers import Buffer

__all__ = [
    "box_cox", "digamma", "entropy", "erf", "erfc", "erfinv", "gamma", "i0", "i0e", "log1p_as_xla", "log_gamma", "log_ndtr",
    "logistic", "relative_entropy", "times",
]  # fmt: skip


# Coefficients from the highest power down, as numpy.polyval takes them.
_ERX: Final = 8.45062911510467529297e-01
_NEAR_P: Final = (
    -2.37630166566501626084e-05, -5.77027029648944159157e-03, -2.84817495755985104766e-02, -3.25042107247001499370e-01,
    1.28379167095512558561e-01,
)  # fmt: skip
_NEAR_Q: Final = (
    -3.96022827877536812320e-06, 1.32494738004321644526e-04, 5.08130628187576562776e-03, 6.50222499887672944485e-02,
    3.97917223959155352819e-01, 1.0,
)  # fmt: skip
_MIDDLE_P: Final = (
    -2.16637559486879084300e-03, 3.54783043256182359371e-02, -1.10894694282396677476e-01, 3.18346619901161753674e-01,
    -3.72207876035701323847e-01, 4.14856118683748331666e-01, -2.36211856075265944077e-03,
)  # fmt: skip
_MIDDLE_Q: Final = (
    1.19844998467991074170e-02, 1.36370839120290507362e-02, 1.26171219808761642112e-01, 7.18286544141962662868e-02,
    5.40397917702171048937e-01, 1.06420880400844228286e-01, 1.0,
)  # fmt: skip
_FAR_R: Final = (
    -9.81432934416914548592e+00, -8.12874355063065934246e+01, -1.84605092906711035994e+02, -1.62396669462573470355e+02,
    -6.23753324503260060396e+01, -1.05586262253232909814e+01, -6.93858572707181764372e-01, -9.86494403484714822705e-03,
)  # fmt: skip
_FAR_S: Final = (
    -6.04244152148580987438e-02, 6.57024977031928170135e+00, 1.08635005541779435134e+02, 4.29008140027567833386e+02,
    6.45387271733267880336e+02, 4.34565877475229228821e+02, 1.37657754143519042600e+02, 1.96512716674392571292e+01, 1.0,
)  # fmt: skip
_FARTHEST_R: Final = (
    -4.83519191608651397019e+02, -1.02509513161107724954e+03, -6.37566443368389627722e+02, -1.60636384855821916062e+02,
    -1.77579549177547519889e+01, -7.99283237680523006574e-01, -9.86494292470009928597e-03,
)  # fmt: skip
_FARTHEST_S: Final = (
    -2.24409524465858183362e+01, 4.74528541206955367215e+02, 2.55305040643316442583e+03, 3.19985821950859553908e+03,
    1.53672958608443695994e+03, 3.25792512996573918826e+02, 3.03380607434824582924e+01, 1.0,
)  # fmt: skip

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


def erf(x: Buffer) -> Buffer:
    """Compute the error function."""
    return _error(x, complement=False)


def erfc(x: Buffer) -> Buffer:
    """Compute the complementary error function, without cancellation for large arguments."""
    return _error(x, complement=True)


def _error(x: Buffer, *, complement: bool) -> Buffer:
    z = np.asarray(x, np.float64).reshape(-1)
    size = np.abs(z)
    out = np.full_like(z, np.nan)
    near = size < 0.84375
    a = z[near]
    ratio = _polynomial(_NEAR_P, a * a) / _polynomial(_NEAR_Q, a * a)
    # 0.5 - (a - 0.5) if 1 - a would be rounded.
    out[near] = np.where(a < 0.25, 1 - (a + a * ratio), 0.5 - (a * ratio + (a - 0.5))) if complement else a + a * ratio
    middle = (size >= 0.84375) & (size < 1.25)
    a, sign = size[middle] - 1, z[middle]
    ratio = _polynomial(_MIDDLE_P, a) / _polynomial(_MIDDLE_Q, a)
    if complement:
        out[middle] = np.where(sign > 0, (1 - _ERX) - ratio, 1 + (_ERX + ratio))
    else:
        out[middle] = np.copysign(_ERX + ratio, sign)
    far = size >= 1.25
    a, sign = size[far], z[far]
    rest = _tail(a)
    if complement:
        out[far] = np.where(sign > 0, rest, 2 - rest)
    else:
        out[far] = np.copysign(1 - rest, sign)
    return out.reshape(x.shape).astype(x.dtype, copy=False)


def _tail(a: Buffer) -> Buffer:
    """Compute the complementary error function of numbers from 1.25."""
    s = 1 / (a * a)
    far = _polynomial(_FAR_R, s) / _polynomial(_FAR_S, s)
    farthest = _polynomial(_FARTHEST_R, s) / _polynomial(_FARTHEST_S, s)
    ratio = np.where(a < 1 / 0.35, far, farthest)
    # exp(-a * a) from `a` rounded to 20 bits, whose square is exact, and from the rest.
    short = (a.view(np.uint64) & np.uint64(0xFFFFFFFF00000000)).view(np.float64)
    rest = np.exp(-short * short - 0.5625) * np.exp((short - a) * (short + a) + ratio) / a
    return np.where(a < 28, rest, 0.0)


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


def erfinv(x: Buffer, log1p: Callable[[Buffer], Buffer] = np.log1p) -> Buffer:
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


def logistic(x: Buffer) -> Buffer:
    """Compute the logistic function, without overflow."""
    if x.dtype.kind == "c":
        return 1 / (1 + np.exp(-x))
    small = np.exp(-np.abs(x))  # never overflows
    return np.where(x >= 0, 1 / (1 + small), small / (1 + small))


def times(x: Buffer, logarithm: Buffer) -> Buffer:
    """Multiply by a logarithm; zero times infinity is zero, zero times NaN is NaN."""
    return np.where((x == 0) & ~np.isnan(logarithm), x.dtype.type(0), x * logarithm)


def i0(x: Buffer) -> Buffer:
    """Compute the modified Bessel function of order 0."""
    return np.i0(np.asarray(x, np.float64)).astype(x.dtype)


def i0e(x: Buffer) -> Buffer:
    """Compute the exponentially scaled modified Bessel function of order 0."""
    z = np.abs(np.asarray(x, np.float64))
    # The first terms of the asymptotic series, for numbers for which NumPy's function would overflow.
    far = (1 + (0.125 + (0.0703125 + 0.0732421875 / z) / z) / z) / np.sqrt(2 * math.pi * z)
    return np.where(z > 700, far, np.exp(-z) * np.i0(np.minimum(z, 700))).astype(x.dtype)


def entropy(x: Buffer) -> Buffer:
    """Compute ``-x * log(x)``."""
    inside = np.where(x < 0, x.dtype.type(-np.inf), -x * np.log(x))
    return np.where(x == 0, x.dtype.type(-0.0), inside)


def relative_entropy(p: Buffer, q: Buffer) -> Buffer:
    """Compute ``p * log(p / q)``."""
    both = (p > 0) & (q > 0)
    zero = (p == 0) & (q >= 0)
    safe_p, safe_q = np.where(both, p, p.dtype.type(1)), np.where(both, q, q.dtype.type(1))
    return np.where(both, safe_p * (np.log(safe_p) - np.log(safe_q)), np.where(zero, p.dtype.type(0), p.dtype.type(np.inf)))


def _log_gamma_scalar(x: float) -> float:
    if math.isnan(x):
        return x
    if math.isinf(x) or (x <= 0 and x == int(x)):
        return math.inf
    return math.lgamma(x)


_log_gamma_elementwise: Final = np.frompyfunc(_log_gamma_scalar, 1, 1)


def _gamma_scalar(x: float) -> float:
    if math.isinf(x):
        return x if x > 0 else math.nan
    if x == 0:
        return math.copysign(math.inf, x)
    if x < 0 and x == int(x):
        return math.nan
    try:
        return math.gamma(x)
    except OverflowError:
        return math.inf


_gamma_elementwise: Final = np.frompyfunc(_gamma_scalar, 1, 1)


def gamma(x: Buffer) -> Buffer:
    """Compute the gamma function; NaN at the poles."""
    return np.asarray(_gamma_elementwise(x.astype(np.float64)), dtype=np.float64).astype(x.dtype)


def digamma(x: Buffer) -> Buffer:
    """Compute the digamma function: recurrence up to 10, then the asymptotic series; reflection below 0."""
    z = np.asarray(x, np.float64)
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
    value = np.where(below, value - math.pi / np.tan(math.pi * z), value)
    return np.where((z <= 0) & (z == np.floor(z)), np.nan, value).astype(x.dtype)


def log_ndtr(x: Buffer) -> Buffer:
    """Compute the logarithm of the normal distribution function; by its asymptotic series far below 0."""
    z = np.asarray(x, np.float64)
    square = z * z
    far = -square / 2 - np.log(-z) - math.log(2 * math.pi) / 2 + np.log1p((-1 + (3 - 15 / square) / square) / square)
    near = np.where(z > 0, np.log1p(-erfc(z * math.sqrt(0.5)) / 2), np.log(erfc(-z * math.sqrt(0.5)) / 2))
    return np.where(z < -30, far, near).astype(x.dtype)


def box_cox(logarithm: Buffer, power: Buffer) -> Buffer:
    """Compute the Box-Cox transformation of a number given by its logarithm."""
    return np.where(power == 0, logarithm, np.expm1(power * logarithm) / np.where(power == 0, power.dtype.type(1), power))


def log_gamma(x: Buffer) -> Buffer:
    """Compute the logarithm of the absolute gamma function."""
    return np.asarray(_log_gamma_elementwise(x.astype(np.float64)), dtype=np.float64).astype(x.dtype)
