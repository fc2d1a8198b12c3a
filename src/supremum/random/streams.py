"""Random numbers of many keys at once, one number for each: what JAX's rejection samplers draw for every element."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.native import native
from supremum._core.dtype_objects import finfo
from supremum._core.settings import state
from supremum._kernels.threefry import block, older_bits, older_words
from supremum.promotion._nodes import Node
from supremum.random.samplers import fractions_of, normal_from, smallest_above, stretched

__all__ = ["Keys", "child", "normal_each", "some", "uniform_each"]

#: The two 32-bit words of each of many keys, as 1-d arrays.
Keys: TypeAlias = tuple[Buffer, Buffer]
_HALF: Final = np.uint64(32)
#: Number of keys up to which the extension module makes their children one key after the other.
_FEW: Final = 128


def some(keys: Keys, where: Buffer) -> Keys:
    """Return the keys at some positions."""
    return keys[0][where], keys[1][where]


def child(keys: Keys, number: int, *, of: int) -> Keys:
    """Return one of the keys that `split` makes of each key, by its number."""
    if not state().partitionable:
        words = older_words((keys[0][:, None], keys[1][:, None]), 2 * of)
        return words[:, 2 * number].copy(), words[:, 2 * number + 1].copy()
    count = keys[0].size
    if native is not None and count <= _FEW:
        rows = np.empty((count, number + 1, 2), np.uint32)
        for row, first, second in zip(rows, keys[0].tolist(), keys[1].tolist(), strict=True):
            native.random_keys(first, second, row)
        return rows[:, number, 0].copy(), rows[:, number, 1].copy()
    high, low = np.zeros_like(keys[0]), np.full_like(keys[0], number)
    block(keys, high, low)  # type: ignore[arg-type]  # arrays of words are computed with as two words are
    return high, low


def _bits(keys: Keys, bits: int) -> Buffer:
    """Return an unsigned integer of random bits for each key."""
    if not state().partitionable:
        return older_bits((keys[0][:, None], keys[1][:, None]), bits, (1,))[:, 0]
    high, low = child(keys, 0, of=1)
    if bits == 64:
        return np.asarray((high.astype(np.uint64) << _HALF) | low)
    return np.asarray(high ^ low).astype(f"u{bits // 8}", copy=False)


def uniform_each(keys: Keys, node: Node, low: float = 0.0) -> Buffer:
    """Return a uniform number from [low, 1) for each key, in the dtype that `node` is computed in."""
    info = finfo(node.dtype)
    numbers = fractions_of(_bits(keys, 8 if info.nmant < 8 else info.bits), info.nmant)
    return stretched(numbers, low, 1.0, node) if low else numbers


def normal_each(keys: Keys, node: Node) -> Buffer:
    """Return a standard normal number for each key, in the dtype that `node` is computed in."""
    return normal_from(uniform_each(keys, node, smallest_above(node)), node)
