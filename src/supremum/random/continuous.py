"""Further continuous distributions, each computed from uniform or normal samples."""

from __future__ import annotations

import math
from functools import lru_cache, partial
from typing import Literal, TypeAlias

import numpy as np

from supremum._base.boundary import public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import check_choice
from supremum._core.array import Array, ArrayLike, DTypeLike, Shape, wrap
from supremum._core.conversion import operands
from supremum._functions.data_types import astype
from supremum._functions.elementwise.exponential import exp, log, sqrt
from supremum._functions.where import where
from supremum._kernels.casts import cast
from supremum._kernels.special_functions import erf, log1p_as_xla as log1p
from supremum._kernels.threefry import Words
from supremum.promotion._nodes import Node
from supremum.random.keys import Key, random_bits
from supremum.random.samplers import (
    as_samples,
    begin,
    begin_composed,
    floating_node,
    in_two,
    inverse_error,
    limits,
    normal,
    normal_buffer,
    parameter,
    rounded,
    shape_with,
    uniform,
    uniform_buffer,
)

__all__ = [
    "cauchy", "exponential", "gumbel", "laplace", "logistic", "lognormal", "maxwell", "pareto", "rayleigh", "triangular",
    "truncated_normal", "weibull_min",
]  # fmt: skip


@public(draws="shape")
def cauchy(key: Key, shape: Shape = (), dtype: DTypeLike | None = None, *, out_sharding: object = None) -> Array:
    """Draw samples from the Cauchy distribution, with density ``1 / (pi * (1 + x**2))``.

    Parameters
    ----------
    key, shape, dtype, out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.cauchy(xp.random.key(0), (3,)).shape
    (3,)
    """
    words, node, lengths = begin("cauchy", key, shape, dtype)
    u = uniform_buffer(words, node, lengths, limits(node.dtype).eps)
    pi = rounded(np.asarray(np.pi, u.dtype), node)
    return as_samples(np.tan(rounded(pi * rounded(u - u.dtype.type(0.5), node), node)), node)


@public(draws="shape")
def exponential(key: Key, shape: Shape = (), dtype: DTypeLike | None = None, *, out_sharding: object = None) -> Array:
    """Draw samples from the exponential distribution, with density ``exp(-x)``.

    Parameters
    ----------
    key, shape, dtype, out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.exponential(xp.random.key(0), (3,)).shape
    (3,)
    """
    words, node, lengths = begin("exponential", key, shape, dtype)
    return as_samples(-log1p(-uniform_buffer(words, node, lengths)), node)


@public(draws="shape")
def gumbel_noise(key: Key, shape: Shape, dtype: DTypeLike | None, mode: str | None, function: str) -> Array:
    """Draw samples from the Gumbel distribution for another sampler, in the dtype that `dtype` is computed in."""
    words, node, lengths = begin(function, key, shape, dtype)
    check_choice(mode, "mode", (None, "low", "high", "highest"), function)
    return wrap(_gumbel(words, node, lengths, mode), node.wide)


def _gumbel(words: Words, node: Node, shape: tuple[int, ...], mode: str | None) -> Buffer:
    info = limits(node.dtype)
    at_node = partial(rounded, node=node)
    if mode in (None, "low"):
        return np.asarray(-np.log(-at_node(np.log(uniform_buffer(words, node, shape, info.tiny)))))
    if mode == "highest" and node.name == "float32":
        return _fixed_point_gumbel(words, shape)
    high, low = in_two(words, shape, partial(uniform_buffer, words, node))
    kind = high.dtype.type
    fine = at_node(at_node(high + at_node(kind(2.0**-info.nmant) * low)) + kind(info.tiny))
    return np.asarray(-np.log(-at_node(log1p(-np.where(high >= 0.5, high, fine)))))


def _fixed_point_gumbel(words: Words, shape: tuple[int, ...]) -> Buffer:
    """Draw float32 from 64 random bits, which resolves both tails."""
    high, low = in_two(words, shape, partial(random_bits, words, 32))
    whole = (high.astype(np.uint64) << np.uint64(32)) | low
    small = high < np.uint32(1 << 31)
    # The distance from the nearer end of [0, 1].
    distance = np.where(small, whole, np.uint64(0) - whole)
    fraction = distance.astype(np.float64) * 2.0**-64
    # Truncated, not rounded, to the 24 bits of a float32.
    x = (fraction.view(np.uint64) & np.uint64(0xFFFFFFFFE0000000)).view(np.float64).astype(np.float32)
    return np.where(small, -np.log(-log1p(-x)), -np.log(-np.log(x)))


@public(composed=True)
def gumbel(
    key: Key,
    shape: Shape = (),
    dtype: DTypeLike | None = None,
    mode: Literal["low", "high", "highest"] | None = None,
    *,
    out_sharding: object = None,
) -> Array:
    """Draw samples from the standard Gumbel distribution, computed as ``-log(-log(u))``.

    Parameters
    ----------
    key, shape, dtype
    mode : {'low', 'high', 'highest'}, optional
        How finely the tails of the distribution are resolved.
    out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.gumbel(xp.random.key(0), (3,)).shape
    (3,)
    """
    return astype(gumbel_noise(key, shape, dtype, mode, "gumbel"), floating_node(dtype, "gumbel").dtype, copy=False)


@public(draws="shape")
def laplace(key: Key, shape: Shape = (), dtype: DTypeLike | None = None, *, out_sharding: object = None) -> Array:
    """Draw samples from the Laplace distribution, with density ``exp(-abs(x)) / 2``.

    Parameters
    ----------
    key, shape, dtype, out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.laplace(xp.random.key(0), (3,)).shape
    (3,)
    """
    words, node, lengths = begin("laplace", key, shape, dtype)
    u = uniform_buffer(words, node, lengths, limits(node.dtype).epsneg - 1)
    return as_samples(np.sign(u) * log1p(-np.abs(u)), node)


@public(draws="shape")
def logistic(key: Key, shape: Shape = (), dtype: DTypeLike | None = None, *, out_sharding: object = None) -> Array:
    """Draw samples from the standard logistic distribution.

    Parameters
    ----------
    key, shape, dtype, out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.logistic(xp.random.key(0), (3,)).shape
    (3,)
    """
    words, node, lengths = begin("logistic", key, shape, dtype)
    u = uniform_buffer(words, node, lengths, limits(node.dtype).tiny)
    return as_samples(rounded(np.log(u), node) - rounded(log1p(-u), node), node)


@public(draws="shape")
def maxwell(key: Key, shape: Shape = (), dtype: DTypeLike | None = None, *, out_sharding: object = None) -> Array:
    """Draw samples from the Maxwell distribution: norms of vectors of three standard normal numbers.

    Parameters
    ----------
    key, shape, dtype, out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.maxwell(xp.random.key(0), (3,)).shape
    (3,)
    """
    words, node, lengths = begin("maxwell", key, shape, dtype)
    parts = normal_buffer(words, node, (*lengths, 3))
    return as_samples(np.sqrt((parts * parts).sum(axis=-1)), node)


@public(composed=True)
def lognormal(
    key: Key,
    sigma: ArrayLike = 1.0,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: object = None,
) -> Array:
    """Draw samples from the log-normal distribution.

    Parameters
    ----------
    key
    sigma : array_like
        The standard deviation of the logarithm.
    shape : int or tuple of int, optional
        The shape of the result; the broadcast shape of the parameters if omitted.
    dtype, out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.lognormal(xp.random.key(0), 0.5, (3,)).shape
    (3,)
    """
    dtype, lengths, (spread,) = begin_composed("lognormal", key, shape, dtype, sigma, kinds="fc")
    return exp(normal(key, lengths, dtype) * spread)


@public(composed=True)
def pareto(
    key: Key, b: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *, out_sharding: object = None
) -> Array:
    """Draw samples from the Pareto distribution, with density ``b / x**(b + 1)`` for ``x >= 1``.

    Parameters
    ----------
    key
    b : array_like
        The shape parameter.
    shape : int or tuple of int, optional
        The shape of the result; the broadcast shape of the parameters if omitted.
    dtype, out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.pareto(xp.random.key(0), 2.0, (3,)).shape
    (3,)
    """
    dtype, lengths, (power,) = begin_composed("pareto", key, shape, dtype, b)
    return exp(exponential(key, lengths, dtype) / power)


@public(composed=True)
def rayleigh(
    key: Key, scale: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *, out_sharding: object = None
) -> Array:
    """Draw samples from the Rayleigh distribution: norms of vectors of two normal numbers.

    Parameters
    ----------
    key
    scale : array_like
        The standard deviation of the normal numbers.
    shape : int or tuple of int, optional
        The shape of the result; the broadcast shape of the parameters if omitted.
    dtype, out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.rayleigh(xp.random.key(0), 2.0, (3,)).shape
    (3,)
    """
    dtype, lengths, (spread,) = begin_composed("rayleigh", key, shape, dtype, scale)
    return spread * sqrt(log(uniform(key, lengths, dtype)) * -2)


@public(composed=True)
def triangular(
    key: Key,
    left: ArrayLike,
    mode: ArrayLike,
    right: ArrayLike,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: object = None,
) -> Array:
    """Draw samples from a triangular distribution.

    Parameters
    ----------
    key
    left, mode, right : array_like
        The lower limit, the mode and the upper limit.
    shape : int or tuple of int, optional
        The shape of the result; the broadcast shape of the parameters if omitted.
    dtype, out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.triangular(xp.random.key(0), 0.0, 1.0, 2.0, (3,)).shape
    (3,)
    """
    dtype, lengths, (low, peak, high) = begin_composed("triangular", key, shape, dtype, left, mode, right)
    u = uniform(key, lengths, dtype)
    rising = low + sqrt(u * (high - low) * (peak - low))
    falling = high - sqrt((1 - u) * (high - low) * (high - peak))
    return where(u < (peak - low) / (high - low), rising, falling)


@public(draws="shape")
def truncated_normal(
    key: Key,
    lower: ArrayLike,
    upper: ArrayLike,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: object = None,
) -> Array:
    """Draw samples from the standard normal distribution, truncated to an interval.

    Parameters
    ----------
    key
    lower, upper : array_like
        The bounds.
    shape : int or tuple of int, optional
        The shape of the result; the broadcast shape of the parameters if omitted.
    dtype, out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.truncated_normal(xp.random.key(0), -1.0, 1.0, (3,)).shape
    (3,)
    """
    lengths = shape_with(shape, "truncated_normal", lower, upper)
    words, node, lengths = begin("truncated_normal", key, lengths, dtype)
    if type(lower) is float and type(upper) is float:
        limits = _limits_of_floats(lower, upper, (math.copysign(1, lower), math.copysign(1, upper)), node)
    else:
        low, high = (parameter(bound, node, lengths, "truncated_normal") for bound in (lower, upper))
        limits = _limits(low, high, node)
    (first, last), (least, greatest), root = limits
    numbers = cast(root * inverse_error(uniform_buffer(words, node, lengths, first, last)), node)
    return as_samples(np.minimum(np.maximum(numbers, least), greatest), node)


_Limits: TypeAlias = tuple[tuple[Buffer, Buffer], tuple[Buffer, Buffer], Buffer]


def _limits(low: Buffer, high: Buffer, node: Node) -> _Limits:
    """Return the bounds of the uniform numbers that become truncated normal ones, those of the results, and the root of 2."""
    root = np.sqrt(np.asarray(2.0, low.dtype))
    first, last = (cast(cast(erf(np.asarray(bound / root)), node), node.wide) for bound in (low, high))
    least, greatest = (
        np.nextafter(cast(bound, node), cast(np.asarray(end), node)) for bound, end in ((low, np.inf), (high, -np.inf))
    )
    return (first, last), (least, greatest), root


@lru_cache(maxsize=128)
def _limits_of_floats(low: float, high: float, signs: tuple[float, float], node: Node) -> _Limits:
    """Return the same of two floats; -0.0 is equal to 0.0, so their signs are given too."""
    del signs
    low_wide, high_wide = (cast(cast(np.asarray(bound), node), node.wide) for bound in (low, high))
    return _limits(low_wide, high_wide, node)


@public(composed=True)
def weibull_min(
    key: Key, scale: ArrayLike, concentration: ArrayLike, shape: Shape = (), dtype: DTypeLike | None = None
) -> Array:
    """Draw samples from the Weibull distribution.

    Parameters
    ----------
    key
    scale, concentration : array_like
        The scale and shape parameters of the distribution.
    shape, dtype

    Returns
    -------
    Array
        The samples, of the dtype that `dtype` and the parameters promote to.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.weibull_min(xp.random.key(0), 1.0, 2.0, (3,)).shape
    (3,)
    """
    dtype, lengths, _ = begin_composed("weibull_min", key, shape, dtype)
    samples, stretch, power = operands("weibull_min", exponential(key, lengths, dtype), scale, concentration)
    return samples ** (1.0 / power) * stretch
