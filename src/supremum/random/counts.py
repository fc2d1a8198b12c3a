"""Distributions of counts, with JAX's proposals: all elements of a key draw from one stream of keys.

The rows of arrays are those of keys: each draws until all elements of its row are done.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from supremum._base.boundary import public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import DtypeError, ShapeError
from supremum._core.array import Array, ArrayLike, DTypeLike, Shape, wrap
from supremum._core.conversion import operand
from supremum._core.dtype_objects import requested, to_inexact
from supremum._core.settings import state
from supremum._functions.creation.filled import shape_of
from supremum._kernels.casts import cast
from supremum._kernels.special_functions import log1p_as_xla
from supremum._kernels.threefry import Words, many
from supremum.promotion._nodes import NODES, Node
from supremum.random.keys import Key, one_key, split_words
from supremum.random.samplers import as_samples, floating_node, integer_node, limits, parameter, shape_with, uniform_buffer
from supremum.random.xla_logarithms import log_as_xla, log_gamma_as_xla, multiply_add

__all__ = ["binomial", "multinomial", "poisson"]

_FLOAT32: Final = NODES["float32"]
#: How many elements XLA adds one by one in cumulative sums.
_BLOCK: Final = 16
#: The logarithm of k! minus Stirling's approximation of it, for k up to 9.
_TAILS: Final = (
    0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211, 0.0138761288230707,
    0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287,
)  # fmt: skip


@public(draws="shape")
def poisson(
    key: Key, lam: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None, *, out_sharding: object = None
) -> Array:
    """Draw samples from the Poisson distribution.

    Parameters
    ----------
    key
    lam : array_like
        The mean, computed with as float32.
    shape : int or tuple of int, optional
        The shape of the result; the shape of `lam` if omitted.
    dtype : dtype, optional
        An integer dtype; the default one if omitted.
    out_sharding

    Returns
    -------
    Array
        The counts; -1 where `lam` is NaN.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.poisson(xp.random.key(0), 3.0, (4,))
    Array([0, 0, 4, 4], dtype=int32)
    """
    words, node = one_key(key, "poisson"), integer_node(dtype, "poisson")
    lengths = shape_with(shape, "poisson", lam)
    words, (means,) = _in_rows(words, lengths, parameter(lam, _FLOAT32, lengths, "poisson"))
    small = ~(means >= 10)
    counts = np.zeros(means.shape, np.float32)
    if small.any():
        counts = _by_products(words, np.where(small, means, np.float32(0)), node.high)
    found = cast(counts - 1, node)
    if not small.all():
        large = cast(_by_rejection(words, np.where(small, np.float32(1e5), means), node.high), node)
        found = np.where(small, found, large)
    return wrap(np.where(means == 0, found.dtype.type(0), found).reshape(lengths), node)


def _in_rows(words: Words, shape: tuple[int, ...], *arrays: Buffer) -> tuple[Words, list[Buffer]]:
    """Return the words of many keys as vectors, and arrays, broadcast to a shape, with a row for each key."""
    keys = many(words)
    rows = math.prod(keys), math.prod(shape[len(keys) :])
    if keys:
        words = words[0].reshape(-1), words[1].reshape(-1)
    return words, [np.broadcast_to(x, shape).reshape(rows) for x in arrays]


def _draws(words: Words, pending: Buffer, number: int, most: float, following: int = 0) -> Iterator[tuple[Any, list[Words]]]:
    """Yield the rows that have pending elements, and new keys of theirs, at most so often.

    Each key is split into so many, of which the one at `following` is split next.
    """
    rows: Any = slice(None)
    steps = 0.0
    while steps < most:
        left = np.logical_or.reduce(pending[rows], axis=1)
        if not left.any():
            return
        if not left.all():
            rows, words = np.arange(len(pending))[rows][left], (words[0][left], words[1][left])
        parts = split_words(words, number)
        words = parts.pop(following)
        yield rows, parts
        steps += 1


def _pending(pending: Buffer, rows: Any) -> tuple[Any, Any]:
    """Return the positions of pending elements in these rows, and in all."""
    row, column = pending[rows].nonzero()
    return (row, column), (row if type(rows) is slice else rows[row], column)


def _by_products(words: Words, means: Buffer, most: int) -> Buffer:
    """Count uniform numbers until their product is below exp(-mean), as Knuth does; return one more."""
    counts, logarithms = np.zeros_like(means), np.zeros_like(means)
    pending = logarithms > -means
    for rows, (part,) in _draws(words, pending, 2, most):
        here, at = _pending(pending, rows)
        counts[at] += 1
        logarithms[at] += log_as_xla(uniform_buffer(part, _FLOAT32, means[rows].shape)[here])
        pending[at] = logarithms[at] > -means[at]
    return counts


def _by_rejection(words: Words, means: Buffer, most: int) -> Buffer:
    """Draw by the transformed rejection of Hoermann (1993); -1 where nothing was accepted."""
    kind = means.dtype.type
    logarithm = log_as_xla(means)
    b = multiply_add(np.sqrt(means), kind(2.53), kind(0.931))
    a = multiply_add(b, kind(0.02483), kind(-0.059))
    inverse = kind(1.1239) + kind(1.1328) / (b - kind(3.4))
    fast = kind(0.9277) - kind(3.6224) / (b - 2)
    given = means, logarithm, a, b, inverse, fast
    counts = np.full_like(means, -1)
    pending = np.ones(means.shape, bool)
    for rows, parts in _draws(words, pending, 3, most):
        means, logarithm, a, b, inverse, fast = (x[rows] for x in given)
        u, v = (uniform_buffer(part, _FLOAT32, means.shape) for part in parts)
        u -= kind(0.5)
        edge = kind(0.5) - np.abs(u)
        k = np.floor(multiply_add(2 * a / edge + b, u, means) + kind(0.43))
        left = log_as_xla(v * inverse / (a / (edge * edge) + b))
        right = multiply_add(k, logarithm, -means) - log_gamma_as_xla(k + 1)
        outside = (k < 0) | ((edge < kind(0.013)) & (v > edge))
        accepted = ((edge >= kind(0.07)) & (v <= fast)) | (~outside & (left <= right))
        # As in JAX, each element keeps the last number accepted for it until all of its key have one.
        counts[rows] = np.where(accepted, k, counts[rows])
        pending[rows] &= ~accepted
    return counts


@public(constant="steps", draws="shape")
def binomial(key: Key, n: ArrayLike, p: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None) -> Array:
    """Draw samples from the binomial distribution: numbers of successes in `n` trials.

    Parameters
    ----------
    key
    n : array_like
        The number of trials.
    p : array_like
        The probability of success.
    shape : int or tuple of int, optional
        The shape of the result; the broadcast shape of the parameters if omitted.
    dtype

    Returns
    -------
    Array
        The counts, as floating-point numbers; NaN for parameters out of range.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.binomial(xp.random.key(0), 10, 0.5, (3,)).shape
    (3,)
    """
    words, result = one_key(key, "binomial"), floating_node(dtype, "binomial")
    lengths = shape_with(shape, "binomial", n, p)
    chance = operand(p, "binomial")
    node = to_inexact(chance._node).strong
    if node.kind != "f":
        raise DtypeError(f"binomial: p must be real, got {chance.dtype}")
    words, (trials, chances) = _in_rows(words, lengths, *(parameter(x, node, lengths, "binomial") for x in (n, chance)))
    return as_samples(_binomial(words, trials, chances, node).reshape(lengths), result)


def _binomial(words: Words, trials: Buffer, chances: Buffer, node: Node) -> Buffer:
    """Return samples, in the dtype that `node` is computed in."""
    kind = trials.dtype.type
    # Successes are the rarer outcome in what is drawn.
    rare = chances < 0.5
    q = np.where(rare, chances, 1 - chances)
    unknown, negative = np.isnan(q), q < 0
    q = np.where(unknown | negative, kind(0.01), q)
    bad, infinite = ~(trials >= 0), np.isinf(trials)
    few = bad | (trials * q <= 10)
    trials = np.floor(trials)
    most = float(limits(node.dtype).max)
    found = np.zeros_like(trials)
    if few.any():
        found = _by_waiting(words, np.where(few, trials, kind(0)), q, node, most)
    if not few.all():
        # Where the number of trials is infinite nothing is drawn, as the result is known.
        large = np.where(few | infinite, kind(1e4), trials)
        found = np.where(few, found, _by_squeeze(words, large, np.where(few | infinite, kind(0.5), q), node, most))
    found = np.where(negative | unknown | bad, kind(np.nan), np.where(infinite, kind(np.inf), found))
    return np.where(rare | bad | unknown | infinite, found, trials - found)


def _by_waiting(words: Words, trials: Buffer, chances: Buffer, node: Node, most: float) -> Buffer:
    """Add up waiting times, which are geometric, while they are within the trials; return their number."""
    counts, total = np.zeros_like(trials), np.zeros_like(trials)
    logarithm = log1p_as_xla(-np.abs(chances))  # a chance of -0.0 is that of 0.0
    pending = total <= trials
    for rows, (part,) in _draws(words, pending, 2, most, following=1):
        here, at = _pending(pending, rows)
        counts[at] += 1
        u = uniform_buffer(part, node, trials[rows].shape)[here]
        total[at] += np.ceil(log_as_xla(u) / logarithm[at])
        pending[at] = total[at] <= trials[at]
    return counts - 1


def _by_squeeze(words: Words, trials: Buffer, chances: Buffer, node: Node, most: float) -> Buffer:
    """Draw by the transformed rejection of Hoermann (1993) for binomial numbers; -1 where nothing was accepted."""
    kind = trials.dtype.type
    deviation = np.sqrt(trials * chances * (1 - chances))
    b = multiply_add(deviation, kind(2.53), kind(1.15))
    a = multiply_add(b, kind(0.0248), kind(-0.0873)) + kind(0.01) * chances
    center = multiply_add(trials, chances, kind(0.5))
    fast = kind(0.92) - kind(4.2) / b
    odds = chances / (1 - chances)
    alpha = (kind(2.83) + kind(5.1) / b) * deviation
    mode = np.floor((trials + 1) * chances)
    given = trials, a, b, center, fast, odds, alpha, mode
    counts = np.full_like(trials, -1)
    pending = np.ones(trials.shape, bool)
    for rows, parts in _draws(words, pending, 3, most):
        trials, a, b, center, fast, odds, alpha, mode = (x[rows] for x in given)
        u, v = (uniform_buffer(part, node, trials.shape) for part in parts)
        u = u - kind(0.5)
        edge = kind(0.5) - np.abs(u)
        k = np.floor(multiply_add(2 * a / edge + b, u, center))
        left = log_as_xla(v * alpha / (a / (edge * edge) + b))
        right = (mode + kind(0.5)) * log_as_xla((mode + 1) / (odds * (trials - mode + 1)))
        right = multiply_add(trials + 1, log_as_xla((trials - mode + 1) / (trials - k + 1)), right)
        right = multiply_add(k + kind(0.5), log_as_xla(odds * (trials - k + 1) / (k + 1)), right)
        right = right + _tail(mode) + _tail(trials - mode) - _tail(k) - _tail(trials - k)
        accepted = ((edge >= kind(0.07)) & (v <= fast)) | (~((k < 0) | (k > trials)) & (left <= right))
        # As in JAX, each element keeps the last number accepted for it until all of its key have one.
        counts[rows] = np.where(accepted, k, counts[rows])
        pending[rows] &= ~accepted
    return counts


def _tail(k: Buffer) -> Buffer:
    """Return the logarithm of k! minus Stirling's approximation of it; as in JAX, from 10 on the series for 9."""
    kind = k.dtype.type
    small = np.clip(np.nan_to_num(k), 0, 9)
    square = (small + 1) * (small + 1)
    series = (kind(1 / 12) - (kind(1 / 360) - kind(1 / 1260) / square) / square) / (small + 1)
    return np.where(k <= 9, np.asarray(_TAILS, k.dtype)[small.astype(np.int32)], series)


@public(constant="steps", draws="shape", last=(0, 1))
def multinomial(
    key: Key,
    n: ArrayLike,
    p: ArrayLike,
    *,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    unroll: int | bool = 1,  # noqa: ARG001 - a choice between XLA's loops
) -> Array:
    """Draw samples from the multinomial distribution: how often each of several outcomes occurs in `n` trials.

    Parameters
    ----------
    key
    n : array_like
        The number of trials; its shape broadcasts to that of `p` without the last axis.
    p : array_like
        The probabilities of the outcomes, along the last axis.
    shape : tuple of int, optional
        The shape of the result, including the axis of the outcomes; the shape of `p` if omitted.
    dtype : dtype, optional
        The dtype of the result; the default floating-point dtype if omitted.
    unroll : optional
        Accepted for compatibility with JAX; ignored.

    Returns
    -------
    Array
        The counts, along the last axis.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.multinomial(xp.random.key(0), 10, xp.asarray([0.2, 0.3, 0.5])).sum()
    Array(10., dtype=float32)
    """
    words = one_key(key, "multinomial")
    settings = state()
    result = settings.float_ if dtype is None else requested(dtype, "multinomial", settings)
    trials, chances = operand(n, "multinomial"), operand(p, "multinomial")
    node = to_inexact(settings.join(trials._node, chances._node)).strong
    lengths = chances.shape if shape is None else shape_of(shape, "multinomial")
    if not lengths:
        raise ShapeError("multinomial: p must have at least 1 dimension, got a scalar")
    columns = np.moveaxis(np.broadcast_to(parameter(chances, node, lengths, "multinomial"), lengths), -1, 0)
    words, (left, *rows) = _in_rows(words, lengths[:-1], parameter(trials, node, lengths[:-1], "multinomial"), *columns)
    columns = np.array(rows, left.dtype).reshape(lengths[-1], *left.shape)
    remaining = _sums_to_the_end(columns)
    ratios = np.clip(columns / np.where(remaining == 0, columns.dtype.type(1), remaining), 0, 1)
    counts = np.empty_like(ratios)
    for part, ratio, count in zip(split_words(words, lengths[-1]), ratios, counts, strict=True):
        count[...] = _binomial(part, left, ratio, node)
        left = left - count
    return as_samples(np.moveaxis(counts, 0, -1).reshape(lengths), result)


def _sums_to_the_end(x: Buffer) -> Buffer:
    """Return sums over the first axis from each element on, rounded as XLA's, which adds elements of blocks, then blocks."""
    length = len(x)
    if length <= _BLOCK:
        return np.array([np.add.accumulate(x[start:], axis=0)[-1] for start in range(length)], x.dtype).reshape(x.shape)
    blocks = np.zeros((-(-length // _BLOCK), _BLOCK, *x.shape[1:]), x.dtype)
    blocks.reshape(-1, *x.shape[1:])[:length] = x
    inner = np.stack([_sums_to_the_end(block) for block in blocks])
    later = np.concatenate([_sums_to_the_end(inner[:, 0])[1:], np.zeros_like(inner[:1, 0])])
    return (later[:, None] + inner).reshape(-1, *x.shape[1:])[:length]
