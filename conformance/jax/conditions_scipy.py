"""Define conditions for functions of `jax.scipy` and for samplers: our elements are checked against exact values."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np

from conformance.jax.compare import Mismatch, close, equal_elements
from conformance.jax.conditions import floats, is_kind, only_where, operands, results

INF = math.inf
#: Limits of functions: the place of the argument, and their values at infinities and poles.
LIMITS: dict[str, tuple[int, dict[float, float]]] = {
    "jax.scipy.special.exp1": (0, {INF: 0.0}),
    "jax.scipy.special.expi": (0, {0.0: -INF, INF: INF, -INF: 0.0}),
    "jax.scipy.special.hyp1f1": (2, {INF: INF}),
    "jax.scipy.special.i1": (0, {INF: INF, -INF: -INF}),
    "jax.scipy.special.polygamma": (1, {INF: 0.0}),
    "jax.scipy.special.spence": (0, {INF: -INF}),
    "jax.scipy.special.wofz": (0, {INF: 0.0, -INF: 0.0}),
    "jax.scipy.special.zeta": (1, {INF: 0.0}),
    "jax.scipy.stats.poisson.cdf": (0, {INF: 1.0}),
}


def at_a_limit(mismatch: Mismatch) -> bool:
    """Whether JAX returns NaN, and we a limit of the function, wherever we differ."""
    place, limits = LIMITS[mismatch.target]
    ((ours, theirs),) = results(mismatch)
    x = np.asarray(operands(mismatch)[place]).astype(np.float64)
    ours_wide = ours.astype(np.float64)
    reached = np.logical_or.reduce([(x == at) & (ours_wide == value) for at, value in limits.items()])
    return only_where(mismatch, reached & np.isnan(theirs.astype(np.float64)))


def shapes_of_lax(mismatch: Mismatch) -> bool:
    """Whether lax finds that shapes do not broadcast, for which we raise ValueError."""
    return "incompatible shapes for broadcasting" in mismatch.expected["m"] and isinstance(mismatch.error, ValueError)


def near_a_pole_or_zero(mismatch: Mismatch) -> bool:
    """Whether probabilities are near multiples of one half, the poles and zeros of a tangent, wherever we differ."""
    twice = 2 * np.asarray(operands(mismatch)[0]).astype(np.float64)
    return only_where(mismatch, np.abs(twice - np.round(twice)) < 2e-3)


def quantile_of_the_normal(mismatch: Mismatch) -> bool:
    """Whether our quantiles are those of the standard library's normal distribution, to the precision of the probability."""
    given = operands(mismatch)
    q, loc, scale = (np.asarray(x) for x in [*given, *(0.0, 1.0)[len(given) - 1 :]])
    ((ours, _),) = results(mismatch)
    sign = -1.0 if mismatch.target.endswith(".isf") else 1.0
    inside = (q > 0) & (q < 1)
    exact = np.vectorize(NormalDist().inv_cdf, otypes=[float])(np.where(inside, q, 0.5).astype(float))
    expected = loc + sign * scale * exact
    step = float(np.finfo(np.promote_types(q.dtype, np.float32) if mismatch.mode == "on" else np.float32).eps)
    return only_where(mismatch, inside & (np.abs(ours - expected) <= 4 * step * (np.abs(loc) + np.abs(scale * exact))))


def six_digits(mismatch: Mismatch) -> bool:
    """Whether we differ by less than what JAX's logarithm of the beta function is off, or JAX returns NaN at a pole."""
    ours, theirs = [values.astype(np.float64) for values in results(mismatch)[0]]
    given = np.logical_or.reduce(np.broadcast_arrays(*[np.isnan(floats(x)) for x in operands(mismatch)]))
    pole = (np.isnan(theirs) & ~np.isnan(ours) & ~given) | (np.isinf(ours) & (ours == -theirs))
    return only_where(mismatch, pole | close(ours, theirs, 1e-5, 0.0))


def integral_of_order(mismatch: Mismatch) -> bool:
    """Whether our exponential integrals have their exact values at 0 and infinity."""
    n, x = (np.asarray(value).astype(np.float64) for value in operands(mismatch))
    ((ours, _),) = results(mismatch)
    with np.errstate(all="ignore"):
        ends = ((x == 0) & (ours == 1 / (n - 1))) | ((x == INF) & (ours == 0))
    return only_where(mismatch, ends)


def entropy_of_every_count(mismatch: Mismatch) -> bool:
    """Whether the mean is negative and our result NaN, or it is small and ours the whole sum, wherever we differ."""
    means = np.asarray(operands(mismatch)[0]).astype(np.float64)
    ours = np.asarray(mismatch.actual).astype(np.float64)
    exact = []
    for mean in np.where((means > 0) & (means < 10), means, 1.0).ravel():
        masses = [math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(80)]
        exact.append(-math.fsum(mass * math.log(mass) for mass in masses))
    good = np.abs(ours - np.reshape(exact, means.shape)) <= 4 * float(np.finfo(np.float32).eps)
    return only_where(mismatch, ((means < 0) & np.isnan(ours)) | ((means > 0) & (means < 10) & good))


def matrix_of_integers(mismatch: Mismatch) -> bool:
    """Whether a matrix of integers is passed, for which we return a result."""
    return is_kind(operands(mismatch)[0], "biu") and mismatch.error is None


def factors_of_a_singular_matrix(mismatch: Mismatch) -> bool:
    """Whether a matrix is singular, and our factors have its product and JAX's Hermitian factor."""
    a = operands(mismatch)[0].astype(np.float64)
    (unitary, _), (hermitian, theirs) = results(mismatch)
    product = unitary @ hermitian if mismatch.call[1][1:] != ["left"] else hermitian @ unitary
    singular = np.linalg.matrix_rank(a, tol=1e-5) < len(a)
    return bool(singular and np.allclose(product, a, atol=1e-5) and np.allclose(hermitian, theirs, atol=1e-5))


def empty_convolution(mismatch: Mismatch) -> bool:
    """Whether an argument is empty, for which we raise ValueError."""
    return any(not np.size(x) for x in operands(mismatch)[:2]) and isinstance(mismatch.error, ValueError)


def exact_bernoulli_numbers(mismatch: Mismatch) -> bool:
    """Whether our numbers are Bernoulli's fractions, rounded."""
    numbers = [Fraction(1)]
    for order in range(1, mismatch.call[1][0] + 1):
        total = sum((math.comb(order + 1, j) * number for j, number in enumerate(numbers)), Fraction(0))
        numbers.append(-total / (order + 1))
    ((ours, _),) = results(mismatch)
    return bool((ours == np.array([float(number) for number in numbers]).astype(ours.dtype)).all())


def bessel_without_overflow(mismatch: Mismatch) -> bool:
    """Whether JAX's recurrence overflows to NaN, and we have the sum of the power series."""
    ((ours, theirs),) = results(mismatch)
    z = np.asarray(operands(mismatch)[0]).astype(np.float64)
    series = [
        sum((-1) ** j * (z / 2) ** (2 * j + order) / (math.factorial(j) * math.factorial(j + order)) for j in range(40))
        for order in range(mismatch.call[2]["v"] + 1)
    ]
    exact = np.abs(ours - np.array(series)) <= 16 * float(np.finfo(ours.dtype).eps)
    return only_where(mismatch, np.isnan(theirs) & exact)


def all_of_the_gamma_function(mismatch: Mismatch) -> bool:
    """Whether the parameter is 0 and the limit positive, for which JAX's upper function is 0 and ours one less that."""
    a, x = (np.asarray(value) for value in operands(mismatch))
    return only_where(mismatch, (a == 0) & (x > 0) & (np.asarray(mismatch.actual) == 1))


def argument_is_nan_or_pole(mismatch: Mismatch) -> bool:
    """Whether an argument and our result are NaN, or the second parameter is a pole, wherever we differ."""
    given = np.broadcast_arrays(*[floats(x).real for x in operands(mismatch)])
    ours = np.asarray(mismatch.actual)
    pole = (given[1] <= 0) & (given[1] == np.floor(given[1])) & (ours == INF)
    return only_where(mismatch, (np.isnan(sum(given)) & np.isnan(ours)) | pole)


def hypergeometric(mismatch: Mismatch) -> bool:
    """Whether arguments are NaN, or JAX's series diverges or cancels, wherever we differ; ours is checked by quadrature."""
    a, b, c, x = (np.asarray(value).astype(np.float64) for value in operands(mismatch))
    ours = np.asarray(mismatch.actual).astype(np.float64)
    nan = np.isnan(a + b + c) | np.isnan(x)
    return only_where(mismatch, (nan & np.isnan(ours)) | (~nan & (ours == 0) & (x == -INF)) | _as_integrated(a, b, c, x, ours))


def _as_integrated(a: Any, b: Any, c: Any, x: Any, ours: Any) -> Any:
    """Return where elements are those of Euler's integral, or of the exact series of positive terms."""
    found = []
    for p, q, r, z, value in zip(*[part.ravel().tolist() for part in np.broadcast_arrays(a, b, c, x, ours)], strict=True):
        if r > q > 0 and -100 < z < 1 and math.isfinite(p):  # Euler's integral, by tanh-sinh quadrature
            u = np.arange(-4.0, 4.0, 1 / 64)
            t = 1 / (1 + np.exp(-math.pi * np.sinh(u)))
            rest = 1 / (1 + np.exp(math.pi * np.sinh(u)))
            terms = t**q * rest ** (r - q) * (1 - z * t) ** -p * math.pi * np.cosh(u)
            exact = float(terms.sum()) / 64 * math.gamma(r) / (math.gamma(q) * math.gamma(r - q))
        elif 0 < z < 1 and all(0 < parameter < INF for parameter in (p, q, r)):
            term, total = Fraction(1), Fraction(0)
            for k in range(300):
                total += term
                term *= (Fraction(p) + k) * (Fraction(q) + k) * Fraction(z) / ((Fraction(r) + k) * (k + 1))
            exact = float(total)
        else:
            exact = math.nan
        found.append(abs(value - exact) <= 1e-6 * abs(exact))
    return np.array(found).reshape(ours.shape)


def digits_of_float32(mismatch: Mismatch) -> bool:
    """Whether arguments of up to 32 bits have a wider result here and in JAX, equal in float32."""
    if not all(is_kind(x, "iu") or isinstance(x, float) or x.dtype.itemsize <= 4 for x in operands(mismatch)):
        return False
    ((ours, theirs),) = results(mismatch)
    narrow = np.complex64 if is_kind(theirs, "c") else np.float32
    return theirs.dtype != narrow and bool(equal_elements(ours.astype(narrow), theirs.astype(narrow), mismatch.target).all())


def harmonic_of_every_angle(mismatch: Mismatch) -> bool:
    """Whether there are more angles than degrees, and our harmonics of order 1 and degree 2 are the formula's."""
    n, m, theta, phi = operands(mismatch)
    exact = -math.sqrt(15 / (8 * math.pi)) * np.sin(theta) * np.cos(theta) * np.exp(1j * phi)
    good = np.abs(np.asarray(mismatch.actual) - exact) <= 1e-6
    return n.tolist() == [2] and m.tolist() == [1] and theta.size > 1 and bool(good.all())


def refuses_complex(mismatch: Mismatch) -> bool:
    """Whether an argument is complex, which we refuse."""
    complex_given = any(is_kind(np.asarray(x), "c") for x in operands(mismatch))
    return complex_given and isinstance(mismatch.error, TypeError | ValueError) and "complex" in str(mismatch.error)


def attention_in_float32(mismatch: Mismatch) -> bool:
    """Whether results in float64 differ by roundings of float32."""
    pairs = results(mismatch)
    step = 4 * float(np.finfo(np.float32).eps)
    return all(x.dtype == np.float64 and bool((np.abs(x - y) <= step * np.abs(y).max()).all()) for x, y in pairs)


def more_dimensions_than_parameters(mismatch: Mismatch) -> bool:
    """Whether JAX divides arrays of different numbers of dimensions, and we return a result."""
    return mismatch.error is None and mismatch.expected["m"].startswith("div: arrays must have the same number of dimensions")


# The reasons ----------------------------------------------------------------------------------------------------------------

VALUE, EXCEPTION, CLASS = (frozenset({kind}) for kind in ("value", "exception", "class"))


def single_precision(mismatch: Mismatch) -> bool:
    """All results are float32 or complex64, and differ by less than a thousandth of the greatest element."""
    return all(
        theirs.dtype.name in ("float32", "complex64") and abs(ours - theirs).max() < 1e-3 * abs(theirs).max()
        for ours, theirs in results(mismatch)
    )


#: The arguments of `deviations.Deviation`: a reason, targets, the kinds of mismatch, the condition.
REASONS: list[tuple[str, tuple[str, ...], frozenset[str], Callable[[Mismatch], bool]]] = [
    (
        "Shapes that do not broadcast are a ValueError in scipy.stats; JAX raises TypeError where lax finds them.",
        ("jax.scipy.stats.*",),
        CLASS,
        shapes_of_lax,
    ),
    (
        "Quantiles are accurate near the poles and zeros of the tangent, and infinite at 0 and 1; JAX's cancel.",
        ("jax.scipy.stats.cauchy.ppf", "jax.scipy.stats.cauchy.isf"),
        VALUE,
        near_a_pole_or_zero,
    ),
    (
        "Quantiles of the normal distribution are accurate for small probabilities; JAX's cancel.",
        ("jax.scipy.stats.norm.isf", "jax.scipy.stats.norm.ppf"),
        VALUE,
        quantile_of_the_normal,
    ),
    (
        "Functions have their limits at infinity and at poles; JAX returns NaN.",
        tuple(LIMITS),
        VALUE,
        at_a_limit,
    ),
    (
        "The beta function and poch are SciPy's, at poles too, where JAX has NaN; JAX has 6 digits where an argument is 8.",
        ("jax.scipy.stats.betabinom.*", "jax.scipy.special.beta", "jax.scipy.special.betaln", "jax.scipy.special.poch"),
        VALUE,
        six_digits,
    ),
    (
        "The exponential integral of order n is 1 / (n - 1) at 0, and 0 at infinity; JAX divides by n.",
        ("jax.scipy.special.expn",),
        VALUE,
        integral_of_order,
    ),
    (
        "Bernoulli's numbers are exact fractions, rounded once; JAX cuts off a series.",
        ("jax.scipy.special.bernoulli",),
        VALUE,
        exact_bernoulli_numbers,
    ),
    (
        "The recurrence of Bessel functions is scaled; JAX's overflows in float32, and is NaN.",
        ("jax.scipy.special.bessel_jn",),
        VALUE,
        bessel_without_overflow,
    ),
    (
        "The lower incomplete gamma function is 1 where the parameter is 0, as JAX's upper one is 0; JAX returns NaN.",
        ("jax.scipy.special.gammainc",),
        VALUE,
        all_of_the_gamma_function,
    ),
    (
        "NaN gives NaN, and poles are infinite; JAX's series stops at its first term, 1, and has signs of infinities.",
        ("jax.scipy.special.hyp1f1",),
        VALUE,
        argument_is_nan_or_pole,
    ),
    (
        "Gauss's function is computed where its series diverges or cancels, and is NaN for NaN; JAX sums 250 terms.",
        ("jax.scipy.special.hyp2f1",),
        VALUE,
        hypergeometric,
    ),
    (
        "Results of float32 arguments in float64 have its digits; JAX computes parts of them in float32.",
        ("jax.scipy.special.owens_t", "jax.scipy.special.sph_harm_y"),
        VALUE,
        digits_of_float32,
    ),
    (
        "Owen's function is one of real numbers; for complex ones JAX returns what is not its continuation.",
        ("jax.scipy.special.owens_t",),
        EXCEPTION,
        refuses_complex,
    ),
    (
        "Degrees broadcast with angles; JAX takes the polar angles by the positions of the degrees.",
        ("jax.scipy.special.sph_harm_y",),
        VALUE,
        harmonic_of_every_angle,
    ),
    (
        "A complex shift or scale is refused; JAX discards its imaginary part with a warning.",
        ("jax.scipy.stats.norm.ppf", "jax.scipy.stats.norm.isf"),
        EXCEPTION,
        refuses_complex,
    ),
    (
        "The entropy is a sum over all counts, and NaN for a negative mean; JAX cuts off the sum of a mean below 10.",
        ("jax.scipy.stats.poisson.entropy",),
        VALUE,
        entropy_of_every_count,
    ),
    (
        "Matrices of integers are accepted where JAX needs floats.",
        ("jax.scipy.linalg.expm_frechet", "jax.scipy.linalg.funm", "jax.scipy.linalg.sqrtm", "jax.scipy.linalg.hessenberg"),
        EXCEPTION,
        matrix_of_integers,
    ),
    (
        "The derivative of the exponential is computed in double precision; JAX's has three digits in float32.",
        ("jax.scipy.linalg.expm_frechet",),
        VALUE,
        single_precision,
    ),
    (
        "The unitary factor of a singular matrix is not unique.",
        ("jax.scipy.linalg.polar",),
        VALUE,
        factors_of_a_singular_matrix,
    ),
    (
        "All convolutions refuse empty arrays; JAX's fftconvolve does not.",
        ("jax.scipy.signal.fftconvolve",),
        EXCEPTION,
        empty_convolution,
    ),
    (
        "Softmax of attention is computed in float32, in JAX too; float64 results agree to its digits.",
        ("jax.nn.dot_product_attention",),
        VALUE,
        attention_in_float32,
    ),
    (
        "Samples of F may have more dimensions than its parameters; JAX does not broadcast one of them.",
        ("jax.random.f",),
        EXCEPTION,
        more_dimensions_than_parameters,
    ),
]
