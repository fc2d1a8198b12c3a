"""The gamma distribution and those made of it, with JAX's proposals: one stream of keys for every element."""

from __future__ import annotations

import math
from functools import partial
from typing import Final

import numpy as np

from supremum._base.boundary import public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import ShapeError
from supremum._core.array import Array, ArrayLike, DTypeLike, Shape
from supremum._core.conversion import operand
from supremum._core.settings import state
from supremum._functions._softmaxes import softmax
from supremum._functions.creation.filled import shape_of
from supremum._functions.data_types import astype
from supremum._functions.elementwise.comparison import maximum
from supremum._functions.elementwise.exponential import exp, sqrt
from supremum._kernels.special_functions import log1p_as_xla
from supremum._kernels.threefry import Words, many, older_words, pairs
from supremum.promotion._nodes import Node
from supremum.random.continuous import exponential
from supremum.random.keys import Key, check_key, integer_of, key_words, one_key, split
from supremum.random.samplers import (
    as_samples,
    begin_composed,
    check_fits,
    floating_node,
    normal,
    normal_buffer,
    parameter,
    rademacher,
    rounded,
    shape_with,
    uniform_buffer,
)
from supremum.random.xla_logarithms import log_as_xla, multiply_add

__all__ = ["ball", "beta", "chisquare", "dirichlet", "f", "gamma", "generalized_normal", "loggamma", "t"]

#: Number of elements whose proposals fit the processor's cache.
_BLOCK: Final = 1 << 13


def gamma_buffer(words: Words, alpha: Buffer, node: Node, *, logarithm: bool) -> Buffer:
    """Return gamma samples, or their logarithms, in the dtype of `alpha`, in which `node` is computed."""
    flat = alpha.reshape(-1)
    keys = key_words(words, math.prod(alpha.shape[len(many(words)) :])).reshape(-1, 2)
    out = np.empty_like(flat)
    for start in range(0, flat.size, _BLOCK):
        part = slice(start, start + _BLOCK)
        out[part] = _gamma(keys[part], flat[part], node, logarithm)
    return out.reshape(alpha.shape)


def _gamma(keys: Buffer, alpha: Buffer, node: Node, logarithm: bool) -> Buffer:
    """Draw by the method of Marsaglia and Tsang (2000): from alpha + 1, with a factor, where alpha is below 1."""
    at_node = partial(rounded, node=node)
    kind = alpha.dtype.type
    third, squeeze = (at_node(np.asarray(x, kind)) for x in (1 / 3, 0.0331))
    first = np.ascontiguousarray(keys[:, 0]), np.ascontiguousarray(keys[:, 1])
    proposing, boosting = _child(first, 0, of=2), _child(first, 1, of=2)
    large = alpha >= 1
    d = at_node(at_node(np.where(large, alpha, at_node(alpha + 1))) - third)
    c = at_node(third / at_node(np.sqrt(d)))
    volume = np.ones_like(d)
    rejected = np.arange(d.size)
    while rejected.size:
        center = d[rejected]
        x, v = _positive(_child(proposing, 1, of=3), c[rejected], node)
        square, cube = at_node(x * x), at_node(at_node(v * v) * v)
        u = uniform_buffer(_child(proposing, 2, of=3), node, center.shape)
        volume[rejected] = cube
        bound = at_node(center * at_node(at_node(1 - cube) + at_node(log_as_xla(cube))))
        bound = at_node(square * kind(0.5) + bound)
        simple = at_node(1 - at_node(squeeze * at_node(square * square)))
        again = (u >= simple) & (at_node(log_as_xla(u)) >= bound)
        rejected, proposing = rejected[again], _some(_child(proposing, 0, of=3), again)
    if not logarithm:
        boost = np.power(at_node(1 - uniform_buffer(boosting, node, alpha.shape)), at_node(1 / alpha))
        return np.asarray(at_node(d * volume) * np.where(large, kind(1), at_node(boost)))
    factor = at_node(log1p_as_xla(-uniform_buffer(boosting, node, alpha.shape)))
    factor = np.where(large | (factor == 0), kind(0), at_node(factor * at_node(1 / alpha)))
    return np.asarray(at_node(at_node(log_as_xla(d)) + at_node(log_as_xla(volume))) + factor)


def _some(keys: Words, where: Buffer) -> Words:
    """Return the keys at some positions."""
    return keys[0][where], keys[1][where]


def _child(keys: Words, number: int, *, of: int) -> Words:
    """Return one of the keys that `split` makes of each key, by its number."""
    if state().partitionable:
        high, low = pairs(keys, number, number + 1)
        return high[:, 0], low[:, 0]
    words = older_words(keys, 2 * of)
    return words[:, 2 * number], words[:, 2 * number + 1]


def _positive(keys: Words, c: Buffer, node: Node) -> tuple[Buffer, Buffer]:
    """Draw normal numbers x until 1 + c * x is positive; return both."""
    x, v = np.empty_like(c), np.empty_like(c)
    pending = np.arange(c.size)
    while pending.size:
        x[pending] = numbers = rounded(normal_buffer(_child(keys, 1, of=2), node, pending.shape), node)
        v[pending] = found = multiply_add(numbers, c[pending], np.asarray(1, c.dtype), node)
        again = found <= 0
        pending, keys = pending[again], _some(_child(keys, 0, of=2), again)
    return x, v


@public(draws="shape")
def gamma(
    key: Key, a: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *, out_sharding: object = None
) -> Array:
    """Draw samples from the gamma distribution, with a density proportional to ``x**(a - 1) * exp(-x)``.

    Parameters
    ----------
    key
    a : array_like
        The shape parameter.
    shape : int or tuple of int, optional
        The shape of the result; the shape of `a` if omitted.
    dtype, out_sharding

    Returns
    -------
    Array
        The samples.

    See Also
    --------
    loggamma : More accurate for small `a`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.gamma(xp.random.key(0), 2.0, (3,)).shape
    (3,)
    """
    return _gamma_samples("gamma", key, a, shape, dtype, logarithm=False)


@public(draws="shape")
def loggamma(
    key: Key, a: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *, out_sharding: object = None
) -> Array:
    """Draw logarithms of samples from the gamma distribution, which do not underflow for small `a`.

    Parameters
    ----------
    key, a, shape, dtype, out_sharding
        As for `gamma`.

    Returns
    -------
    Array
        The logarithms of the numbers that `gamma` returns for the same arguments.

    Examples
    --------
    >>> import supremum as xp
    >>> bool(xp.random.loggamma(xp.random.key(0), 1e-3) < -100)
    True
    """
    return _gamma_samples("loggamma", key, a, shape, dtype, logarithm=True)


def _gamma_samples(
    function: str, key: Key, a: ArrayLike, shape: Shape | None, dtype: DTypeLike | None, *, logarithm: bool
) -> Array:
    words, node = one_key(key, function), floating_node(dtype, function)
    lengths = shape_with(shape, function, a)
    alpha = np.broadcast_to(parameter(a, node, lengths, function), lengths)
    return as_samples(gamma_buffer(words, alpha, node, logarithm=logarithm), node)


@public(composed=True)
def beta(
    key: Key,
    a: ArrayLike,
    b: ArrayLike,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: object = None,
) -> Array:
    """Draw samples from the beta distribution, with a density proportional to ``x**(a - 1) * (1 - x)**(b - 1)``.

    Parameters
    ----------
    key
    a, b : array_like
        The parameters of the distribution.
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
    >>> xp.random.beta(xp.random.key(0), 2.0, 3.0, (3,)).shape
    (3,)
    """
    dtype, lengths, parameters = begin_composed("beta", key, shape, dtype, a, b)
    x, y = (loggamma(part, alpha, lengths, dtype) for part, alpha in zip(split(key), parameters, strict=True))
    largest = maximum(x, y)
    first, second = exp(x - largest), exp(y - largest)
    return first / (first + second)


@public(composed=True)
def dirichlet(
    key: Key, alpha: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *, out_sharding: object = None
) -> Array:
    """Draw samples from the Dirichlet distribution: vectors of positive numbers whose sum is 1.

    Parameters
    ----------
    key
    alpha : array_like
        The concentrations, along the last axis.
    shape : int or tuple of int, optional
        The shape of the stack of vectors; that of `alpha` without its last axis if omitted.
    dtype, out_sharding

    Returns
    -------
    Array
        The vectors, along the last axis.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.dirichlet(xp.random.key(0), xp.ones(4), (3,)).shape
    (3, 4)
    """
    check_key(key, "dirichlet")
    node, given = floating_node(dtype, "dirichlet"), operand(alpha, "dirichlet")
    if not given.ndim:
        raise ShapeError("dirichlet: alpha must have at least 1 dimension, got a scalar")
    lengths = (*(given.shape[:-1] if shape is None else shape_of(shape, "dirichlet")), given.shape[-1])
    check_fits(lengths, given.shape, "dirichlet")
    return astype(softmax(loggamma(key, given, lengths, node.dtype), -1), node.dtype)


@public(composed=True)
def chisquare(
    key: Key, df: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *, out_sharding: object = None
) -> Array:
    """Draw samples from the chi-squared distribution: sums of `df` squares of normal numbers.

    Parameters
    ----------
    key
    df : array_like
        The number of degrees of freedom.
    shape : int or tuple of int, optional
        The shape of the result; the shape of `df` if omitted.
    dtype, out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.chisquare(xp.random.key(0), 3.0, (2,)).shape
    (2,)
    """
    dtype, lengths, (degrees,) = begin_composed("chisquare", key, shape, dtype, df)
    return 2 * exp(loggamma(key, degrees / 2, lengths, dtype))


@public(composed=True)
def f(
    key: Key,
    dfnum: ArrayLike,
    dfden: ArrayLike,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: object = None,
) -> Array:
    """Draw samples from the F distribution: quotients of two chi-squared samples, each by its degrees of freedom.

    Parameters
    ----------
    key
    dfnum, dfden : array_like
        The degrees of freedom of the numerator and of the denominator.
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
    >>> xp.random.f(xp.random.key(0), 3.0, 4.0, (2,)).shape
    (2,)
    """
    dtype, lengths, (above, below) = begin_composed("f", key, shape, dtype, dfnum, dfden)
    second, first = split(key)  # as in JAX, the first key is the denominator's
    return chisquare(first, above, lengths, dtype) / above / (chisquare(second, below, lengths, dtype) / below)


@public(composed=True)
def t(
    key: Key, df: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *, out_sharding: object = None
) -> Array:
    """Draw samples from Student's t distribution.

    Parameters
    ----------
    key
    df : array_like
        The number of degrees of freedom.
    shape : int or tuple of int, optional
        The shape of the result; the shape of `df` if omitted.
    dtype, out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.t(xp.random.key(0), 3.0, (2,)).shape
    (2,)
    """
    dtype, lengths, (degrees,) = begin_composed("t", key, shape, dtype, df)
    first, second = split(key)
    half = degrees / 2
    return normal(first, lengths, dtype) * sqrt(half / gamma(second, half, lengths, dtype))


@public(composed=True)
def generalized_normal(
    key: Key, p: ArrayLike, shape: Shape = (), dtype: DTypeLike | None = None, *, out_sharding: object = None
) -> Array:
    """Draw samples from the generalized normal distribution, with a density proportional to ``exp(-abs(x)**p)``.

    Parameters
    ----------
    key
    p : float
        The shape parameter.
    shape, dtype, out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.generalized_normal(xp.random.key(0), 2.0, (3,)).shape
    (3,)
    """
    check_key(key, "generalized_normal")
    power = 1 / operand(p, "generalized_normal")
    node = floating_node(dtype, "generalized_normal")
    first, second = split(key)
    return rademacher(second, shape, node.dtype) * gamma(first, power, shape, node.dtype) ** power


@public(composed=True)
def ball(
    key: Key, d: int, p: float = 2, shape: Shape = (), dtype: DTypeLike | None = None, *, out_sharding: object = None
) -> Array:
    """Draw uniformly distributed points of the unit ball of the p-norm.

    Parameters
    ----------
    key
    d : int
        The number of coordinates.
    p : float
        The order of the norm.
    shape : int or tuple of int
        The shape of the stack of points.
    dtype, out_sharding

    Returns
    -------
    Array
        The points, along the last axis.

    Examples
    --------
    >>> import supremum as xp
    >>> points = xp.random.ball(xp.random.key(0), 3, shape=(5,))
    >>> bool((xp.linalg.vector_norm(points, axis=-1) <= 1).all())
    True
    """
    check_key(key, "ball")
    lengths = shape_of(shape, "ball")
    order = operand(p, "ball")
    node = floating_node(dtype, "ball")
    first, second = split(key)
    numbers = generalized_normal(first, order, (*lengths, integer_of(d, "ball")), node.dtype)
    norms = ((abs(numbers) ** order).sum(axis=-1) + exponential(second, lengths, node.dtype)) ** (1 / order)
    return numbers / norms[..., None]
