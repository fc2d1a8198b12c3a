"""Kernels of functions computed by series and recurrences: zeta, Bessel, hypergeometric, Legendre; in float64."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels import special as k

__all__ = ["bernoulli_numbers", "bessel_j", "hyp1f1", "hyp2f1", "i1", "i1e", "legendre", "zeta"]

#: ``B(2 n) / (2 n)!`` of Euler and Maclaurin's formula.
_MACLAURIN: Final = (
    1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000, 1 / 74724249600,
    -3617 / 10670622842880000, 43867 / 5109094217170944000, -174611 / 802857662698291200000,
)  # fmt: skip
#: The largest order of a Bernoulli number that float64 holds; the number is positive.
_LARGEST_BERNOULLI: Final = 258


def zeta(x: Buffer, q: Buffer) -> Buffer:
    """Compute Hurwitz's zeta function, the sum of ``(n + q)**-x`` from n = 0 on."""
    x, q = np.broadcast_arrays(x, q)
    valid = (x > 1) & ((q > 0) | ((q != np.floor(q)) & (x == np.floor(x)))) & ~np.isnan(q)
    s, a = np.where(valid & np.isfinite(x), x, 2.0), np.where(valid & np.isfinite(q), q, 1.0)
    total = np.zeros_like(s)
    # The terms of numbers below a bound are added one by one: the formula is for numbers that are large beside x.
    bound = np.clip(s, 10, 60)
    steps = int(min(max((bound - np.floor(a)).max(initial=0.0), 0), 10_000)) + 2
    for _ in range(steps):
        low = a < bound
        total += np.where(low, np.power(np.where(low, a, 1.0), -s), 0.0)
        a = np.where(low, a + 1, a)
    power = np.power(a, -s)
    total += power * a / (s - 1) + power / 2
    factor = s * power / a
    for n, coefficient in enumerate(_MACLAURIN):
        total += coefficient * factor
        factor = factor * (s + 2 * n + 1) * (s + 2 * n + 2) / (a * a)
    total = np.where(x == np.inf, np.where(q < 1, np.inf, np.where(q == 1, 1.0, 0.0)), total)
    total = np.where((q == np.inf) & (x > 1), 0.0, total)
    # At a pole the terms have one sign if the exponent is even; else the function is NaN, as in JAX.
    pole = (q <= 0) & (q == np.floor(q)) & ~np.isnan(x)
    value = np.where(pole, np.where(x % 2 == 0, np.inf, np.nan), np.where(valid, total, np.nan))
    return np.where(x == 1, np.inf, value)


def _bessel_far(x: Buffer, order: int) -> Buffer:
    """Compute ``exp(-x) * I(x)`` by the asymptotic series."""
    total, term = np.ones_like(x), np.ones_like(x)
    for n in range(1, 25):
        term = term * -(4 * order * order - (2 * n - 1) ** 2) / (n * 8 * x)
        total += term
    return total / np.sqrt(2 * math.pi * x)


def _i1_scaled(z: Buffer) -> Buffer:
    near = z < 40
    small = np.where(near, z, 1.0)
    square = small * small / 4
    total, term = np.ones_like(small), np.ones_like(small)
    for n in range(1, 90):
        term = term * square / (n * (n + 1))
        total += term
    far = _bessel_far(np.where(near | ~np.isfinite(z), 40.0, z), 1)
    return np.where(near, small / 2 * total * np.exp(-small), np.where(z == np.inf, 0.0, far))


def i1e(x: Buffer) -> Buffer:
    """Compute the exponentially scaled modified Bessel function of order 1."""
    out = _i1_scaled(np.abs(x))
    return np.where(np.isnan(x), np.nan, np.copysign(out, x))


def i1(x: Buffer) -> Buffer:
    """Compute the modified Bessel function of order 1."""
    z = np.abs(x)
    out = np.where(z == np.inf, np.inf, np.exp(z / 2) * _i1_scaled(z) * np.exp(z / 2))
    return np.where(np.isnan(x), np.nan, np.copysign(out, x))


def bessel_j(z: Buffer, v: int, least: int) -> Buffer:
    """Compute the Bessel functions of orders 0 to v, along a first axis, by Miller's recurrence downwards."""
    finite = np.isfinite(z)
    x = np.where(finite & (z != 0), np.abs(z), 1.0)
    largest = float(x.max(initial=1.0))
    start = int(max(least, v + 20, largest + 20 + 8 * largest ** (1 / 3) * 2))
    start += start % 2
    out = np.zeros((v + 1, *x.shape))
    above, here, total = np.zeros_like(x), np.full_like(x, 1e-300), np.zeros_like(x)
    for n in range(start, -1, -1):
        above, here = here, 2 * (n + 1) / x * here - above
        if n <= v:
            out[n] = here
        if n % 2 == 0:
            total += here if n == 0 else 2 * here
        large = np.abs(here) > 1e250
        if large.any():
            scale = np.where(large, 1e-250, 1.0)
            above, here, total, out = above * scale, here * scale, total * scale, out * scale
    out /= total
    orders = np.arange(v + 1).reshape(-1, *[1] * x.ndim)
    out = np.where((z < 0) & (orders % 2 == 1), -out, out)
    out = np.where(z == 0, np.where(orders == 0, 1.0, 0.0), out)
    return np.where(finite, out, np.nan)


def hyp1f1(a: Buffer, b: Buffer, x: Buffer) -> Buffer:
    """Compute the confluent hypergeometric function; for negative x by Kummer's transformation."""
    a, b, x = np.broadcast_arrays(a, b, x)
    turned = (x < 0) & ~((a <= 0) & (a == np.floor(a)))
    p, z = np.where(turned, b - a, a), np.where(turned, -x, x)
    total, term = np.ones_like(z), np.ones_like(z)
    safe = np.where(np.isfinite(z), z, np.nan)
    for n in range(20_000):
        term = term * (p + n) / (b + n) * safe / (n + 1)
        total += term
        if not (np.abs(term) > 1e-17 * np.abs(total)).any():
            break
    # For large arguments the terms overflow before the exponential of a negative number makes the result small.
    out = np.where(turned, np.exp(-z) * total, total)
    far = np.abs(x) >= 500
    if far.any():
        out = np.where(far, _hyp1f1_far(a, b, np.where(far, x, 500.0)), out)
    index = [a == 0, (a == b) & (a != 0), (b == 0) & (a != 0)]
    return np.select(index, [np.ones_like(x), np.exp(x), np.full_like(x, np.inf)], out)


def _hyp1f1_far(a: Buffer, b: Buffer, x: Buffer) -> Buffer:
    positive = x > 0
    p, q = np.where(positive, b - a, a), np.where(positive, 1 - a, 1 + a - b)
    total, term, size = np.ones_like(x), np.ones_like(x), np.abs(x)
    for n in range(60):
        term = term * (p + n) * (q + n) / ((n + 1) * size)
        total += term
    front = k.gamma(b) / k.gamma(np.where(positive, a, b - a))
    return front * np.where(positive, np.exp(x) * size ** (a - b), size ** (-a)) * total


def _gauss_series(a: Buffer, b: Buffer, c: Buffer, x: Buffer) -> Buffer:
    total, term = np.ones_like(x), np.ones_like(x)
    for n in range(20_000):
        term = term * (a + n) * (b + n) / ((c + n) * (n + 1)) * x
        total += term
        if not (np.abs(term) > 1e-17 * np.abs(total)).any():
            break
    return total


def _is_non_positive_integer(x: Buffer) -> Buffer:
    return (x <= 0) & (x == np.floor(x))


def hyp2f1(a: Buffer, b: Buffer, c: Buffer, x: Buffer) -> Buffer:
    """Compute Gauss's hypergeometric function for x up to 1."""
    a, b, c, x = np.broadcast_arrays(a, b, c, x)
    ends = _is_non_positive_integer(a) | _is_non_positive_integer(b)
    d = c - a - b
    out = np.full(x.shape, np.nan)
    inside = ends | (np.abs(x) < 1)
    low = inside & ~ends & (x < -0.5)
    near_one = inside & ~ends & (x > 0.75) & (d != np.round(d))
    plain = inside & ~low & ~near_one
    out[plain] = _gauss_series(*[part[plain] for part in (a, b, c, x)])
    p, q, r, z = [part[low] for part in (a, b, c, x)]
    out[low] = (1 - z) ** -p * _gauss_series(p, r - q, r, z / (z - 1))  # Pfaff
    p, q, r, z = [part[near_one] for part in (a, b, c, x)]
    rest = r - p - q
    first = k.gamma(r) * k.gamma(rest) / (k.gamma(r - p) * k.gamma(r - q)) * _gauss_series(p, q, 1 - rest, 1 - z)
    second = k.gamma(r) * k.gamma(-rest) / (k.gamma(p) * k.gamma(q)) * _gauss_series(r - p, r - q, 1 + rest, 1 - z)
    out[near_one] = np.where(np.isinf(k.gamma(r - p) * k.gamma(r - q)), 0, first) + (1 - z) ** rest * second
    beyond = (x <= -1) & ~ends & np.isfinite(x)
    p, q, r, z = [part[beyond] for part in (a, b, c, x)]
    if p.size:
        out[beyond] = (1 - z) ** -p * hyp2f1(p, r - q, r, z / (z - 1))
    at_one = (x == 1) & ~ends
    gauss = k.gamma(c) * k.gamma(np.where(d > 0, d, 1.0)) / (k.gamma(c - a) * k.gamma(c - b))
    out = np.where(at_one, np.where(d > 0, gauss, np.inf), out)
    out = np.where((_is_non_positive_integer(c) | (x > 1)) & ~ends, np.inf, out)
    out = np.where((x == -np.inf) & (np.minimum(a, b) > 0), 0.0, out)
    return np.where((x == 0) | (((a == 0) | (b == 0)) & (c != 0)), 1.0, out)


def legendre(n: Buffer, m: Buffer, x: Buffer) -> Buffer:
    """Compute the normalized associated Legendre functions of spherical harmonics, with the Condon-Shortley phase."""
    n, m, x = np.broadcast_arrays(n, m, x)
    root = np.sqrt(np.maximum(1 - x * x, 0))
    out = np.zeros(x.shape)
    top = int(n.max(initial=0))
    diagonal = np.full(x.shape, math.sqrt(1 / (4 * math.pi)))
    for order in range(top + 1):
        if order:
            diagonal = -math.sqrt((2 * order + 1) / (2 * order)) * root * diagonal
        before, here = np.zeros_like(x), diagonal
        for degree in range(order, top + 1):
            out = np.where((m == order) & (n == degree), here, out)
            scale = math.sqrt((2 * degree + 3) * (2 * degree + 1) / ((degree + 1 - order) * (degree + 1 + order)))
            last = math.sqrt((2 * degree + 3) * (degree - order) * (degree + order)
                             / max((2 * degree - 1) * (degree + 1 - order) * (degree + 1 + order), 1))  # fmt: skip
            before, here = here, scale * x * here - last * before
    return out


def bernoulli_numbers(n: int) -> Buffer:
    """Return Bernoulli's numbers of orders 0 to n, which are computed exactly and rounded once."""
    out = np.zeros(n + 1)
    out[:2] = (1.0, -0.5)[: n + 1]
    # B(2 j) is a fraction of the j-th tangent number, which a triangle of integers gives (Brent and Harvey, 2011).
    most = min(n, _LARGEST_BERNOULLI) // 2
    tangents = [math.factorial(j) for j in range(most)]
    for first in range(1, most):
        for j in range(first, most):
            tangents[j] = (j - first) * tangents[j - 1] + (j - first + 2) * tangents[j]
    for j, tangent in enumerate(tangents, 1):
        # The quotient of two Python integers is rounded correctly, however large they are.
        out[2 * j] = (-1) ** (j - 1) * (2 * j * tangent) / (4**j * (4**j - 1))
    out[_LARGEST_BERNOULLI + 2 :: 4], out[_LARGEST_BERNOULLI + 4 :: 4] = -np.inf, np.inf
    return out
