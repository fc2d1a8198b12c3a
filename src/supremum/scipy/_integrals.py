"""Kernels of functions defined by integrals: exponential, sine, Fresnel, Dawson's, Faddeeva's, Owen's; in float64."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels import special as k

__all__ = ["dawsn", "erfcx", "exp1", "expi", "expn", "fresnel", "owens_t", "sici", "spence", "wofz"]

_EULER: Final = 0.5772156649015328606
_TINY: Final = 1e-300


def _in_parts(x: Buffer, pieces: list[tuple[Buffer, Callable[..., Buffer]]], *others: Buffer) -> Buffer:
    """Return what functions compute of the elements that masks select; NaN elsewhere."""
    out = np.full(x.shape, np.nan)
    for mask, function in pieces:
        out[mask] = function(x[mask], *[other[mask] for other in others])
    return out


# -- exponential integrals ----------------------------------------------------------------------------------------------------


def _exp1_series(x: Buffer) -> Buffer:
    total, term = np.zeros_like(x), np.ones_like(x)
    for n in range(1, 30):
        term *= -x / n
        total -= term / n
    return total - np.log(x) - _EULER


def _exp_fraction(x: Buffer, n: Buffer) -> Buffer:
    """Compute the generalized exponential integral by its continued fraction, for x from 1."""
    b = x + n
    c, d = np.full_like(b, 1 / _TINY), 1 / b
    value = d.copy()
    for i in range(1, 400):
        factor = -i * (n - 1 + i)
        b = b + 2
        d = 1 / (factor * d + b)
        c = b + factor / c
        step = c * d
        value *= step
        if not (np.abs(step - 1) > 1e-16).any():
            break
    return value * np.exp(-x)


def exp1(x: Buffer) -> Buffer:
    """Compute the integral of ``exp(-t) / t`` from x on; NaN for negative numbers."""
    far: Callable[..., Buffer] = lambda z: _exp_fraction(z, np.ones_like(z))  # noqa: E731 - a row of the table
    out = _in_parts(x, [((x > 0) & (x <= 1), _exp1_series), ((x > 1) & np.isfinite(x), far)])
    return np.where(x == 0, np.inf, np.where(x == np.inf, 0.0, out))


def _expi_series(x: Buffer) -> Buffer:
    total, term = np.zeros_like(x), np.ones_like(x)
    for n in range(1, 140):
        term *= x / n
        total += term / n
    return total + np.log(x) + _EULER


def _expi_far(x: Buffer) -> Buffer:
    total, term = np.ones_like(x), np.ones_like(x)
    for n in range(1, 38):
        term *= n / x
        total += term
    return np.exp(x) / x * total


def expi(x: Buffer) -> Buffer:
    """Compute the principal value of the integral of ``exp(t) / t`` up to x."""
    far = (x >= 40) & np.isfinite(x)
    out = _in_parts(x, [(x < 0, lambda z: -exp1(-z)), ((x > 0) & (x < 40), _expi_series), (far, _expi_far)])
    return np.where(x == 0, -np.inf, np.where(x == np.inf, np.inf, out))


def _expn_series(x: Buffer, n: Buffer) -> Buffer:
    whole = n == np.floor(n)
    total, power = np.zeros_like(x), np.ones_like(x)  # power is (-x)**m / m!
    special = np.zeros_like(x)
    for m in range(40):
        at_pole = n == m + 1
        special = np.where(at_pole, power, special)
        total -= np.where(at_pole, 0.0, power / np.where(at_pole, 1.0, m - n + 1))
        power = power * -x / (m + 1)
    # For an order beyond the last term the power is too small to count.
    logarithmic = special * (k.digamma(np.where(whole, n, 1.0)) - np.log(x))
    broken = k.gamma(np.where(whole, 0.5, 1 - n)) * np.power(x, n - 1)
    return total + np.where(whole, logarithmic, broken)


def expn(n: Buffer, x: Buffer) -> Buffer:
    """Compute the integral of ``exp(-x t) / t**n`` from 1 on."""
    n, x = np.broadcast_arrays(n, x)
    valid = (n >= 0) & (x > 0) & np.isfinite(x) & np.isfinite(n)
    near = valid & (x <= 1) & (n != 0)
    far = valid & (x > 1) & (n != 0)
    out = _in_parts(x, [(near, _expn_series), (far, _exp_fraction), (valid & (n == 0), lambda z, _: np.exp(-z) / z)], n)
    at_zero = np.where(n < 2, np.where(n < 0, np.nan, np.inf), 1 / np.where(n > 1, n - 1, 1.0))
    return np.where(x == 0, at_zero, np.where((x == np.inf) & (n >= 0), 0.0, out))


# -- sine and cosine integrals ------------------------------------------------------------------------------------------------


def sici(x: Buffer) -> tuple[Buffer, Buffer]:
    """Compute the sine integral and the cosine integral."""
    z = np.abs(x)
    near, far = (z <= 4) & (z > 0), (z > 4) & np.isfinite(z)
    sine, cosine = np.full(z.shape, np.nan), np.full(z.shape, np.nan)
    t = z[near]
    term, s, c = np.ones_like(t), np.zeros_like(t), np.zeros_like(t)
    for n in range(1, 40):
        term *= t / n
        if n % 2:
            s += (-1) ** (n // 2) * term / n
        else:
            c += (-1) ** (n // 2) * term / n
    sine[near], cosine[near] = s, c + np.log(t) + _EULER
    t = z[far]
    # E1(i t), by its continued fraction.
    b = 1 + 1j * t
    c0, d = np.full_like(b, 1 / _TINY), 1 / b
    value = d.copy()
    for i in range(1, 200):
        b = b + 2
        d = 1 / (-i * i * d + b)
        c0 = b - i * i / c0
        step = c0 * d
        value *= step
        if not (np.abs(step - 1) > 1e-16).any():
            break
    value *= np.cos(t) - 1j * np.sin(t)
    sine[far], cosine[far] = math.pi / 2 + value.imag, -value.real
    sine = np.where(z == 0, 0.0, np.where(z == np.inf, math.pi / 2, sine))
    cosine = np.where(z == 0, -np.inf, np.where(x == np.inf, 0.0, np.where(x == -np.inf, np.nan, cosine)))
    return np.where(x < 0, -sine, sine), cosine


# -- the Faddeeva function and its kin ----------------------------------------------------------------------------------------

_POINTS: Final = 11
_STEP: Final = math.sqrt(math.pi / (_POINTS + 1))


def _faddeeva_quadrant(z: Buffer) -> Buffer:
    """Compute the Faddeeva function for positive parts, by trapezoidal rules with a residue (Al Azah, Chandler-Wilde 2021)."""
    h = _STEP
    x, y = z.real, z.imag
    phase = x / h - np.floor(x / h)
    above = y >= np.maximum(x, math.pi / h)
    trapezoid = ~above & (y < x) & (phase >= 0.25) & (phase <= 0.75)
    square = z * z
    middle = np.zeros_like(z)
    for n in range(_POINTS + 1):
        t = (n + 0.5) * h
        middle = middle + math.exp(-t * t) / (square - t * t)
    middle = 2j * h / math.pi * z * middle
    points = np.zeros_like(z)
    for n in range(1, _POINTS + 1):
        t = n * h
        points = points + math.exp(-t * t) / (square - t * t)
    points = 1j * h / (math.pi * z) + 2j * h / math.pi * z * points
    residue = 2 * np.exp(-square)
    turn = np.exp(-2j * math.pi * z / h)
    middle_corrected = middle + residue / (1 + turn)
    points_corrected = points + residue / (1 - turn)
    out = np.where(above, middle, np.where(trapezoid, points_corrected, middle_corrected))
    # Far away the residue is nothing, and its parts overflow.
    return np.where(np.maximum(x, y) > 1e3, 1j / (math.sqrt(math.pi) * (z - 0.5 / z)), out)


def wofz(z: Buffer) -> Buffer:
    """Compute the Faddeeva function ``exp(-z**2) * erfc(-1j * z)``."""
    z = np.asarray(z, np.complex128)
    first = np.empty_like(z)
    first.real, first.imag = np.abs(z.real), np.abs(z.imag)
    value = _faddeeva_quadrant(np.where(first == 0, 1, first))
    value = np.where(first == 0, 1, value)
    value = np.where(z.real < 0, value.conj(), value)  # for the upper half plane
    # w(z) = 2 exp(-z**2) - w(-z), and -z mirrors the conjugate of z at the imaginary axis.
    return np.where(z.imag < 0, 2 * np.exp(-(z * z)) - value.conj(), value)


def dawsn(x: Buffer) -> Buffer:
    """Compute Dawson's integral, ``exp(-x**2)`` times the integral of ``exp(t**2)`` from 0 to x."""
    z = np.abs(x)
    near = z < 1
    small = np.where(near, z, 0.0)
    total, term = np.ones_like(small), np.ones_like(small)
    for n in range(1, 30):
        term = term * (-2 * small * small / (2 * n + 1))
        total += term
    far = math.sqrt(math.pi) / 2 * _faddeeva_quadrant(np.where(near, 1, z).astype(np.complex128)).imag
    out = np.where(near, small * total, np.where(z == np.inf, 0.0, far))
    return np.where(np.isnan(x), np.nan, np.where(x < 0, -out, out))


def erfcx(x: Buffer) -> Buffer:
    """Compute ``exp(x**2) * erfc(x)``."""
    z = np.abs(x)
    value = _faddeeva_quadrant(1j * np.where(z > 0.25, z, 1)).real
    near = np.exp(x * x) * k.erfc(x)
    out = np.where(z > 0.25, np.where(x < 0, 2 * np.exp(x * x) - value, value), near)
    return np.where(x == np.inf, 0.0, np.where(x < -26.7, np.inf, out))


def fresnel(x: Buffer) -> tuple[Buffer, Buffer]:
    """Compute the integrals of ``sin(pi t**2 / 2)`` and ``cos(pi t**2 / 2)`` from 0 to x."""
    z = np.abs(x)
    near = z < 1.5
    t = np.where(near, z, 0.0)
    phase = math.pi / 2 * t * t
    sine, cosine, term = np.zeros_like(t), np.zeros_like(t), t.copy()
    for n in range(40):
        if n % 2:
            sine += (-1) ** (n // 2) * term / (2 * n + 1)
        else:
            cosine += (-1) ** (n // 2) * term / (2 * n + 1)
        term = term * phase / (n + 1)
    far = np.where(near | ~np.isfinite(z), 2.0, z)
    # exp(i pi x**2 / 2), from x modulo 4 so that the square is not rounded to a wrong phase.
    whole = np.rint(far / 2) * 2
    rest = far - whole
    angle = math.pi / 2 * ((whole * whole) % 4 + (2 * whole * rest) % 4 + rest * rest)
    wave = np.cos(angle) + 1j * np.sin(angle)
    value = (1 + 1j) / 2 * (1 - wave * _faddeeva_quadrant(math.sqrt(math.pi) / 2 * (1 + 1j) * far))
    sine, cosine = np.where(near, sine, value.imag), np.where(near, cosine, value.real)
    sine, cosine = [np.where(z == np.inf, 0.5, np.where(np.isnan(x), np.nan, part)) for part in (sine, cosine)]
    return np.where(x < 0, -sine, sine), np.where(x < 0, -cosine, cosine)


# -- dilogarithm, Owen's function ---------------------------------------------------------------------------------------------


def _dilogarithm_near(z: Buffer) -> Buffer:
    """Compute the dilogarithm between -1 and 1/2, by the series in ``-log(1 - z)``."""
    u = -np.log1p(-z)
    square = u * u
    total = np.zeros_like(u)
    for order, bernoulli in reversed(_BERNOULLI):
        total = total * square + bernoulli / math.factorial(order + 1)
    return u - square / 4 + u * square * total


#: Bernoulli's numbers of even order from 2 on.
_BERNOULLI: Final = (
    (2, 1 / 6), (4, -1 / 30), (6, 1 / 42), (8, -1 / 30), (10, 5 / 66), (12, -691 / 2730), (14, 7 / 6), (16, -3617 / 510),
    (18, 43867 / 798), (20, -174611 / 330), (22, 854513 / 138), (24, -236364091 / 2730), (26, 8553103 / 6),
)  # fmt: skip


def spence(x: Buffer) -> Buffer:
    """Compute Spence's function, the dilogarithm of ``1 - x``."""
    z = 1 - x
    sixth = math.pi**2 / 6
    with np.errstate(all="ignore"):
        near_one = -_dilogarithm_near(np.where(z > 0.5, x, 0.0)) + sixth - np.log(x) * np.log1p(-x)
        inverse = -_dilogarithm_near(np.where(z < -1, 1 / np.where(z == 0, 1, z), 0.0)) - sixth - np.log(-z) ** 2 / 2
        out = np.where(z > 0.5, near_one, np.where(z < -1, inverse, _dilogarithm_near(np.clip(z, -1, 0.5))))
    out = np.where(x == 0, sixth, np.where(x == np.inf, -np.inf, out))
    return np.where((x < 0) | np.isnan(x), np.nan, out)


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)


def owens_t(h: Buffer, a: Buffer) -> Buffer:
    """Compute Owen's function, the integral of ``exp(-h**2 (1 + x**2) / 2) / (1 + x**2) / (2 pi)`` from 0 to a."""
    h, a = np.broadcast_arrays(np.abs(h), a)
    size = np.abs(a)
    swap = size > 1
    height, width = np.where(swap, size * h, h), np.where(swap, 1 / np.where(swap, size, 1), size)
    # Beyond 9 / height the integrand is nothing.
    end = np.minimum(width, 9 / np.maximum(height, 1e-3))
    points = end[..., None] / 2 * (1 + _NODES)
    terms = np.exp(-(height[..., None] ** 2) * (1 + points**2) / 2) / (1 + points**2)
    value = end / 2 * (terms @ _WEIGHTS) / (2 * math.pi)
    low, high = k.erfc(h / math.sqrt(2)), k.erfc(np.where(swap, height, 0.0) / math.sqrt(2))
    other = np.where(
        height <= 0.67,
        0.25 - k.erf(h / math.sqrt(2)) * k.erf(np.where(swap, height, 0.0) / math.sqrt(2)) / 4,
        (low + high - low * high) / 4,
    )
    out = np.where(swap, other - value, value)
    out = np.where(np.isinf(h), 0.0, np.where(np.isinf(size), np.where(np.isinf(h), 0.0, low / 4), out))
    return np.where(np.isnan(a) | np.isnan(h), np.nan, np.sign(a) * out)
