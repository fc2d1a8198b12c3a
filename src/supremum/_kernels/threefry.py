"""Threefry-2x32 with 20 rounds (Salmon et al., 2011), the counter-based generator behind JAX's random numbers.

The loops of the extension module (`native/loops/threefry.c`) fill whole arrays; without it NumPy encrypts block by block.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.exceptions import without_function_name
from supremum._base.native import native

_ROTATIONS: Final = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY: Final = 0x1BD11BDA
_MASK: Final = 0xFFFFFFFF
#: Number of counters of a block that fits the processor's cache.
_BLOCK: Final = 1 << 14
_UNSIGNED: Final[dict[int, np.dtype[Any]]] = {bits: np.dtype(f"u{bits // 8}") for bits in (8, 16, 32, 64)}


def block(key: tuple[int, int], x0: Buffer, x1: Buffer) -> None:
    """Encrypt pairs of counters, 1-d uint32 arrays, in place."""
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


def pairs(key: tuple[int, int], start: int, stop: int) -> tuple[Buffer, Buffer]:
    """Return the two random words of each counter in a range."""
    counters = np.arange(start, stop, dtype=np.uint64)
    x0, x1 = (counters >> np.uint64(32)).astype(np.uint32), counters.astype(np.uint32)
    block(key, x0, x1)
    return x0, x1


def older_words(key: tuple[Any, Any], count: int) -> Buffer:
    """Return random words along the last axis, as JAX numbered them before 0.5: the counters are cut into two halves.

    The words of a key may be columns, of one key for each row.
    """
    if count >= _MASK:
        msg = f"{count} random words, more than 2**32 - 2, need jax_threefry_partitionable=True"
        raise without_function_name(NotImplementedError(msg))
    half = (count + 1) // 2
    shape = (*np.shape(key[0])[:-1], half)
    x0, x1 = (np.broadcast_to(np.arange(start, start + half, dtype=np.uint32), shape).copy() for start in (0, half))
    if count % 2:
        x1[..., -1] = 0
    block(key, x0, x1)
    return np.concatenate([x0, x1], axis=-1)[..., :count]


def older_bits(key: tuple[Any, Any], bits: int, shape: tuple[int, ...]) -> Buffer:
    """Return unsigned integers of 8, 16, 32 or 64 random bits of the words of `older_words`, whose last axis they have."""
    count = math.prod(shape)
    words = older_words(key, -(-bits * count // 32))
    if bits == 64:
        high, low = words[..., :count], words[..., count:]
        found = (high.astype(np.uint64) << np.uint64(32)) | low
    elif bits == 32:
        found = words
    else:
        shifts = np.arange(0, 32, bits, dtype=np.uint32)
        parts = (words[..., None] >> shifts).astype(_UNSIGNED[bits])
        found = parts.reshape(*words.shape[:-1], -1)[..., :count]
    return np.asarray(found.reshape((*words.shape[:-1], *shape)))


def keys(key: tuple[int, int], count: int, *, older: bool = False) -> Buffer:
    """Return the words of new keys, a row for each."""
    if older:
        return older_words(key, 2 * count).reshape(count, 2)
    if native is None:
        return np.stack(pairs(key, 0, count), axis=-1)
    out = np.empty((count, 2), np.uint32)
    native.random_keys(*key, out)
    return out


def random_bits(key: tuple[int, int], bits: int, shape: tuple[int, ...], *, older: bool = False) -> Buffer:
    """Return unsigned integers of 8, 16, 32 or 64 random bits, which depend only on the key and the position."""
    if older:
        return older_bits(key, bits, shape)
    out = np.empty(shape, _UNSIGNED[bits])
    if native is not None:
        native.random_bits(*key, out)
        return out
    flat = out.reshape(-1)
    for start in range(0, out.size, _BLOCK):
        stop = min(start + _BLOCK, out.size)
        high, low = pairs(key, start, stop)
        if bits == 64:
            flat[start:stop] = (high.astype(np.uint64) << np.uint64(32)) | low
        else:
            flat[start:stop] = high ^ low
    return out


def fractions(key: tuple[int, int], bits: int, mantissa: int, shape: tuple[int, ...]) -> Buffer:
    """Return uniform float32 numbers from [0, 1): the `mantissa` highest of 8, 16 or 32 random bits."""
    if native is not None:
        out = np.empty(shape, np.float32)
        native.random_fractions(*key, bits, mantissa, out)
        return out
    found = (random_bits(key, bits, shape) >> _UNSIGNED[bits].type(bits - mantissa)).astype(np.float32)
    found *= np.float32(2.0**-mantissa)
    return found
