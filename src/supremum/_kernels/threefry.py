"""Threefry-2x32 with 20 rounds (Salmon et al., 2011), the counter-based generator behind JAX's random numbers.

A key is two words. Many keys are two arrays of them, and the first axes of what is drawn are those of the keys.
The loops of the extension module (`native/loops/threefry.c`) fill whole arrays; without it NumPy encrypts block by block.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import numpy as np

from supremum._base.buffers import Buffer, native
from supremum._base.exceptions import without_function_name

_ROTATIONS: Final = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY: Final = 0x1BD11BDA
_MASK: Final = 0xFFFFFFFF
#: Number of counters of a block that fits the processor's cache.
_BLOCK: Final = 1 << 14
#: Number of keys up to which the extension module makes new keys of one after the other.
_FEW: Final = 128
_UNSIGNED: Final[dict[int, np.dtype[Any]]] = {bits: np.dtype(f"u{bits // 8}") for bits in (8, 16, 32, 64)}
#: The two words of a key, or of many keys.
Words: TypeAlias = tuple[Any, Any]


def block(key: Words, x0: Buffer, x1: Buffer) -> None:
    """Encrypt pairs of counters, uint32 arrays, in place; the words of the key broadcast to them."""
    schedule = (key[0], key[1], key[0] ^ key[1] ^ _PARITY)
    x0 += np.uint32(schedule[0])
    x1 += np.uint32(schedule[1])
    left, right = np.empty_like(x1), np.empty_like(x1)
    for turn in range(5):
        for rotation in _ROTATIONS[turn % 2]:
            x0 += x1
            np.left_shift(x1, np.uint32(rotation), out=left)
            np.right_shift(x1, np.uint32(32 - rotation), out=right)
            np.bitwise_or(left, right, out=x1)
            x1 ^= x0
        x0 += np.uint32(schedule[(turn + 1) % 3])
        x1 += np.uint32((schedule[(turn + 2) % 3] + turn + 1) & _MASK)


def many(key: Words) -> tuple[int, ...]:
    """Return the shape of the words of a key: () of one."""
    words = key[0]
    return () if type(words) is int else words.shape


def _encrypted(key: Words, x0: Buffer, x1: Buffer) -> tuple[Buffer, Buffer]:
    """Return the two random words of pairs of counters, of each key."""
    shape = many(key)
    if shape:
        key = key[0][..., None], key[1][..., None]
    x0, x1 = (np.array(np.broadcast_to(x, (*shape, *x.shape)), np.uint32) for x in (x0, x1))
    block(key, x0, x1)
    return x0, x1


def pairs(key: Words, start: int, stop: int) -> tuple[Buffer, Buffer]:
    """Return the two random words of each counter in a range."""
    if many(key) and native is not None and math.prod(many(key)) <= _FEW:
        words = keys(key, stop)
        return words[..., start:, 0], words[..., start:, 1]
    counters = np.arange(start, stop, dtype=np.uint64)
    return _encrypted(key, counters >> np.uint64(32), counters & np.uint64(_MASK))


def each(key: Words, out: Buffer) -> Iterable[tuple[Buffer, int, int]]:
    """Return for each key what is drawn of it, which is `out` or a part of it, and the words of the key."""
    shape = many(key)
    if not shape:
        return ((out, *key),)
    parts = out.reshape(math.prod(shape), math.prod(out.shape[len(shape) :]))
    return zip(parts, key[0].reshape(-1).tolist(), key[1].reshape(-1).tolist(), strict=True)


def older_words(key: Words, count: int) -> Buffer:
    """Return random words along the last axis, as JAX numbered them before 0.5: the counters are cut into two halves."""
    if count >= _MASK:
        msg = f"{count} random words, more than 2**32 - 2, need jax_threefry_partitionable=True"
        raise without_function_name(NotImplementedError(msg))
    half = (count + 1) // 2
    counters = np.arange(2 * half, dtype=np.uint32)
    if count % 2:
        counters[-1] = 0
    return np.concatenate(_encrypted(key, counters[:half], counters[half:]), axis=-1)[..., :count]


def _older_bits(key: Words, bits: int, shape: tuple[int, ...]) -> Buffer:
    """Return unsigned integers of 8, 16, 32 or 64 random bits of the words of `older_words`."""
    count = _count(key, shape)
    words = older_words(key, -(-bits * count // 32))
    if bits == 64:
        high, low = words[..., :count], words[..., count:]
        found = (high.astype(np.uint64) << np.uint64(32)) | low
    elif bits == 32:
        found = words
    else:
        parts = (words[..., None] >> np.arange(0, 32, bits, dtype=np.uint32)).astype(_UNSIGNED[bits])
        found = parts.reshape(*words.shape[:-1], -1)[..., :count]
    return np.asarray(found.reshape(shape))


def _count(key: Words, shape: tuple[int, ...]) -> int:
    """Return how many numbers of a shape are of each key."""
    return math.prod(shape[len(many(key)) :])


def keys(key: Words, count: int, *, older: bool = False) -> Buffer:
    """Return the words of new keys, a row for each."""
    if older:
        return older_words(key, 2 * count).reshape(*many(key), count, 2)
    if native is None or math.prod(many(key)) > _FEW:
        return np.stack(pairs(key, 0, count), axis=-1)
    out = np.empty((*many(key), count, 2), np.uint32)
    for own, first, second in each(key, out):
        native.random_keys(first, second, own)
    return out


def random_bits(key: Words, bits: int, shape: tuple[int, ...], *, older: bool = False) -> Buffer:
    """Return unsigned integers of 8, 16, 32 or 64 random bits, which depend only on the key and the position."""
    if older:
        return _older_bits(key, bits, shape)
    out = np.empty(shape, _UNSIGNED[bits])
    if native is not None:
        for own, first, second in each(key, out):
            native.random_bits(first, second, own)
        return out
    count = _count(key, shape)
    flat = out.reshape(*many(key), count)
    for start in range(0, count, _BLOCK):
        stop = min(start + _BLOCK, count)
        high, low = pairs(key, start, stop)
        flat[..., start:stop] = (high.astype(np.uint64) << np.uint64(32)) | low if bits == 64 else high ^ low
    return out


def fractions(key: Words, bits: int, mantissa: int, shape: tuple[int, ...]) -> Buffer:
    """Return uniform float32 numbers from [0, 1): the `mantissa` highest of 8, 16 or 32 random bits."""
    if native is not None:
        out = np.empty(shape, np.float32)
        for own, first, second in each(key, out):
            native.random_fractions(first, second, bits, mantissa, own)
        return out
    found = (random_bits(key, bits, shape) >> _UNSIGNED[bits].type(bits - mantissa)).astype(np.float32)
    found *= np.float32(2.0**-mantissa)
    return found
