"""Permutations and choices."""

from __future__ import annotations

import math
from typing import Final, Literal

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import describe
from supremum._core.array import Array, ArrayLike, Shape
from supremum._core.conversion import normalize_axis, operand
from supremum._core.dtype_objects import to_inexact
from supremum._core.settings import state
from supremum._functions.creation.filled import shape_of, zeros
from supremum._functions.creation.ranges import arange
from supremum._functions.data_types import astype
from supremum._functions.elementwise.exponential import log
from supremum._functions.indexing.gather import take, take_along_axis
from supremum._functions.manipulation.axes import moveaxis
from supremum._functions.manipulation.shapes import reshape
from supremum._functions.searching import argmax, searchsorted
from supremum._functions.sorting import argpartition, argsort
from supremum._functions.statistical.reductions import cumsum
from supremum.random.continuous import gumbel_noise
from supremum.random.keys import Key, check_key, integer_of, split
from supremum.random.samplers import bits, check_fits, randint, uniform

__all__ = ["categorical", "choice", "permutation"]

#: The part of a vector, one in so many elements, up to which the first ones in order are found without the rest.
_RARE: Final = 8


def _shuffled(key: Key, x: Array, axis: int, count: int | None = None) -> Array:
    """Sort each slice along an axis by random numbers, often enough that ties do not bias the order.

    Of a vector, `count` elements are returned if that is given.
    """
    rounds = math.ceil(3 * math.log(max(1, x.size)) / math.log((1 << 32) - 1))
    for left in range(rounds - 1, -1, -1):
        key, part = split(key)
        numbers = bits(part, x.shape, np.uint32)
        if left or count is None or count > x.size // _RARE:
            order = argsort(numbers, axis=axis)
        else:
            order = argpartition(numbers, max(count - 1, 0))[:count]
        x = take(x, order) if x.ndim == 1 else take_along_axis(x, order, axis)
    return x if count is None else x[:count]


def _permuted(key: Key, length: int, count: int | None = None) -> Array:
    return _shuffled(key, arange(length, dtype=state().int_.dtype), 0, count)


@public(composed=True, operands="x", moving=True)
def permutation(key: Key, x: ArrayLike, axis: int = 0, independent: bool = False, *, out_sharding: object = None) -> Array:
    """Permute an array randomly along an axis.

    Parameters
    ----------
    key
    x : int or array_like
        The array to permute; an integer ``n`` means ``arange(n)``.
    axis : int
        The axis along which to permute.
    independent : bool
        Whether each slice along the axis is permuted independently.
    out_sharding

    Returns
    -------
    Array
        The permuted array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.permutation(xp.random.key(42), 5)
    Array([4, 2, 3, 0, 1], dtype=int32)
    """
    check_key(key, "permutation")
    array = operand(x, "permutation")
    position = normalize_axis(axis, array.ndim or 1, "permutation")
    if not array.ndim:
        if array._node.kind not in "iu":
            raise TypeError(
                f"permutation: x must be an integer or have at least 1 dimension, got a scalar of dtype {array.dtype}"
            )
        return _permuted(key, int(array))
    if independent or array.ndim == 1:
        return _shuffled(key, array, position)
    return take(array, _permuted(key, array.shape[position]), position)


@public(composed=True)
def choice(
    key: Key,
    a: ArrayLike,
    shape: Shape = (),
    replace: bool = True,
    p: ArrayLike | None = None,
    axis: int = 0,
    mode: Literal["low", "high", "highest"] | None = None,
) -> Array:
    """Draw random elements of an array.

    Parameters
    ----------
    key
    a : int or array_like
        The array to draw from; an integer ``n`` means ``arange(n)``.
    shape : tuple of int
        The shape of the draw.
    replace : bool
        Whether to draw with replacement.
    p : array_like, optional
        The probability of each element; uniform if omitted.
    axis : int
        The axis along which to draw.
    mode : {'low', 'high', 'highest'}, optional
        As for `gumbel`; used with `p` and without replacement.

    Returns
    -------
    Array
        The drawn elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.choice(xp.random.key(42), 5, (3,))
    Array([4, 4, 1], dtype=int32)
    >>> xp.random.choice(xp.random.key(42), 5, (3,), replace=False)
    Array([4, 2, 3], dtype=int32)
    """
    check_key(key, "choice")
    if not isinstance(shape, tuple | list):
        write = f"; write shape=({shape},)" if isinstance(shape, int) else ""
        raise TypeError(f"choice: shape must be a sequence of integers, got {describe(shape)}{write}")
    lengths = shape_of(shape, "choice")
    array = operand(a, "choice")
    position = normalize_axis(axis, array.ndim, "choice") if array.ndim else 0
    population = array.shape[position] if array.ndim else integer_of(array, "choice")
    draws = math.prod(lengths)
    if not draws:
        return zeros(lengths, dtype=array.dtype)
    if population <= 0:
        raise ValueError(f"choice: a must not be empty, got {population} elements")
    if not replace and draws > population:
        raise ValueError(f"choice: cannot draw {draws} of {population} elements without replacement")
    if p is not None:
        indices = _weighted(key, p, population, lengths, replace=replace, mode=mode)
    else:
        indices = randint(key, lengths, 0, population) if replace else reshape(_permuted(key, population, draws), lengths)
    return take(array, indices, position) if array.ndim else astype(indices, state().int_.dtype)


def _weighted(key: Key, p: ArrayLike, population: int, shape: tuple[int, ...], *, replace: bool, mode: str | None) -> Array:
    """Draw indices by their probabilities."""
    weights = operand(p, "choice")
    node = to_inexact(weights._node).strong
    if weights.shape != (population,):
        raise ValueError(f"choice: p must have one entry per element of a, shape ({population},), got {weights.shape}")
    chances = astype(weights, node.wide.dtype)
    if replace:
        sums = cumsum(chances)
        return searchsorted(sums, sums[-1] * (1 - astype(uniform(key, shape, node.dtype), chances.dtype)))
    rank = gumbel_noise(key, (population,), node.dtype, mode, "choice") + log(chances)
    return reshape(argsort(-rank)[: math.prod(shape)], shape)


@public(composed=True)
def categorical(
    key: Key,
    logits: ArrayLike,
    axis: int = -1,
    shape: Shape | None = None,
    replace: bool = True,
    mode: Literal["low", "high", "highest"] | None = None,
    *,
    out_sharding: object = None,
) -> Array:
    """Draw categories by the logarithms of their probabilities.

    Parameters
    ----------
    key
    logits : array_like
        Unnormalized logarithms of probabilities, along `axis`.
    axis : int
        The axis of the categories.
    shape : tuple of int, optional
        The shape of the result; its last axes are those of `logits` without `axis`, which is also the default.
    replace : bool
        Whether to draw with replacement.
    mode : {'low', 'high', 'highest'}, optional
        As for `gumbel`.
    out_sharding

    Returns
    -------
    Array
        Indices of categories.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.categorical(xp.random.key(42), xp.log(xp.asarray([0.1, 0.2, 0.7])), shape=(4,))
    Array([2, 2, 2, 2], dtype=int32)
    """
    check_key(key, "categorical")
    x = operand(logits, "categorical")
    position = normalize_axis(axis, x.ndim, "categorical")
    batch = x.shape[:position] + x.shape[position + 1 :]
    lengths = batch if shape is None else shape_of(shape, "categorical")
    check_fits(lengths, batch, "categorical")
    if x._node.kind != "f":
        raise ValueError(f"categorical: logits must have a floating dtype, got {x.dtype}")
    prefix, tail = lengths[: len(lengths) - len(batch)], lengths[len(lengths) - len(batch) :]
    if replace:
        full = (*prefix, *tail[:position], x.shape[position], *tail[position:])
        return astype(argmax(_scores(key, x, full, mode), axis=position - x.ndim), state().int_.dtype)
    number = math.prod(prefix)
    if number > x.shape[position]:
        raise ValueError(f"categorical: cannot draw {number} of {x.shape[position]} categories without replacement")
    order = argsort(-moveaxis(_scores(key, x, x.shape, mode), position, -1), axis=-1)[..., :number]
    return astype(reshape(moveaxis(order, -1, 0), lengths), np.int32)


def _scores(key: Key, logits: Array, shape: tuple[int, ...], mode: str | None) -> Array:
    """Return logits with noise, in their dtype, whose rounding may create ties."""
    noise = gumbel_noise(key, shape, logits._node.strong.dtype, mode, "categorical")
    return astype(noise + astype(logits, noise.dtype, copy=False), logits._node.strong.dtype, copy=False)
