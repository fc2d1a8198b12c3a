"""Permutations and choices."""

from __future__ import annotations

import math
from typing import Final, Literal

import numpy as np

from supremum._base.boundary import public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import describe
from supremum._core.argument_types import ArrayLike, Shape
from supremum._core.arguments import normalize_axis
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand
from supremum._core.dtype_objects import to_inexact
from supremum._core.settings import state
from supremum._functions.creation.filled import shape_of
from supremum._kernels.casts import cast
from supremum._kernels.order import argsort, least
from supremum._kernels.threefry import Words
from supremum.promotion._nodes import NODES, Node
from supremum.random.continuous import gumbel_buffer
from supremum.random.keys import Key, integer_of, one_key, random_bits, split_words
from supremum.random.samplers import check_fits, randint, uniform_buffer

__all__ = ["categorical", "choice", "permutation"]

_INT32: Final = NODES["int32"]
_UINT32: Final = NODES["uint32"]


def shuffled(words: Words, data: Buffer, axis: int, count: int | None = None) -> Buffer:
    """Sort each slice along `axis` by random numbers, often enough that ties do not bias the order.

    Of a vector, `count` elements are returned if that is given.
    """
    rounds = math.ceil(3 * math.log(max(1, data.size)) / math.log((1 << 32) - 1))
    for left in range(rounds - 1, -1, -1):
        words, sort_key = split_words(words, 2)
        bits = random_bits(sort_key, 32, data.shape)
        if data.ndim > 1:
            data = np.take_along_axis(data, argsort(bits, _UINT32, axis), axis)
        elif left or count is None:
            data = data.take(argsort(bits, _UINT32, 0))
        else:
            data = data.take(least(bits, count))
    return data[:count]


def _permuted(words: Words, length: int, count: int | None = None) -> Buffer:
    return shuffled(words, np.arange(length), 0, count)


@public(operands="x", moving=True)
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
    words = one_key(key, "permutation")
    array = operand(x, "permutation")
    position = normalize_axis(axis, array.ndim or 1, "permutation")
    if not array.ndim:
        if array._node.kind not in "iu":
            raise TypeError(
                f"permutation: x must be an integer or have at least 1 dimension, got a scalar of dtype {array.dtype}"
            )
        node = state().int_
        return wrap(_permuted(words, int(array)).astype(node.dtype), node)
    if independent or array.ndim == 1:
        return wrap(shuffled(words, array._data, position).copy(), array._node)
    return wrap(array._data.take(_permuted(words, array.shape[position]), position), array._node)


@public
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
    words = one_key(key, "choice")
    if not isinstance(shape, tuple | list):
        write = f"; write shape=({shape},)" if isinstance(shape, int) else ""
        raise TypeError(f"choice: shape must be a sequence of integers, got {describe(shape)}{write}")
    lengths = shape_of(shape, "choice")
    array = operand(a, "choice")
    position = normalize_axis(axis, array.ndim, "choice") if array.ndim else 0
    population = array.shape[position] if array.ndim else integer_of(array, "choice")
    draws = math.prod(lengths)
    if not draws:
        return wrap(np.zeros(lengths, array.dtype), array._node)
    if population <= 0:
        raise ValueError(f"choice: a must not be empty, got {population} elements")
    if not replace and draws > population:
        raise ValueError(f"choice: cannot draw {draws} of {population} elements without replacement")
    if p is not None:
        indices = _weighted(words, p, population, lengths, replace=replace, mode=mode)
    elif replace:
        indices = randint(key, lengths, 0, population)._data
    else:
        indices = _permuted(words, population, draws)
    if not array.ndim:
        node = state().int_
        return wrap(indices.reshape(lengths).astype(node.dtype), node)
    return wrap(array._data.take(indices.reshape(lengths), position), array._node)


def _weighted(
    words: Words, p: ArrayLike, population: int, shape: tuple[int, ...], *, replace: bool, mode: str | None
) -> Buffer:
    """Draw indices by their probabilities."""
    weights = operand(p, "choice")
    node = to_inexact(weights._node).strong
    if weights.shape != (population,):
        raise ValueError(f"choice: p must have one entry per element of a, shape ({population},), got {weights.shape}")
    chances = cast(cast(weights._data, node), node.wide)
    if replace:
        sums = np.cumsum(chances, dtype=chances.dtype)
        return np.searchsorted(sums, sums[-1] * (1 - uniform_buffer(words, node, shape)))
    rank = gumbel_buffer(words, node, (population,), mode, "choice") + np.log(chances)
    return np.argsort(-rank, kind="stable")[: math.prod(shape)]


@public
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
    words = one_key(key, "categorical")
    x = operand(logits, "categorical")
    position = normalize_axis(axis, x.ndim, "categorical")
    batch = x.shape[:position] + x.shape[position + 1 :]
    lengths = batch if shape is None else shape_of(shape, "categorical")
    check_fits(lengths, batch, "categorical")
    node = x._node.strong
    if node.kind != "f":
        raise ValueError(f"categorical: logits must have a floating dtype, got {x.dtype}")
    scores = cast(x._data, node.wide)
    prefix, tail = lengths[: len(lengths) - len(batch)], lengths[len(lengths) - len(batch) :]
    if replace:
        full = (*prefix, *tail[:position], x.shape[position], *tail[position:])
        result = np.argmax(_sum(gumbel_buffer(words, node, full, mode, "categorical"), scores, node), axis=position - x.ndim)
        default = state().int_
        return wrap(np.asarray(result).astype(default.dtype), default)
    number = math.prod(prefix)
    if number > x.shape[position]:
        raise ValueError(f"categorical: cannot draw {number} of {x.shape[position]} categories without replacement")
    rank = np.moveaxis(_sum(gumbel_buffer(words, node, x.shape, mode, "categorical"), scores, node), position, -1)
    order = np.argsort(-rank, axis=-1, kind="stable")[..., :number]
    return wrap(np.moveaxis(order, -1, 0).reshape(lengths).astype(np.int32), _INT32)


def _sum(noise: Buffer, scores: Buffer, node: Node) -> Buffer:
    """Add in the dtype of `node`, whose rounding may create ties."""
    total = noise + scores
    return total if node.dtype == total.dtype else cast(cast(total, node), node.wide)
