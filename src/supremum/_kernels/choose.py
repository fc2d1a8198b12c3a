"""Choose between elements by truth values; where there are many by their bits, without a branch for each element.

A processor that cannot guess the truth values spends more time on wrong guesses than on all else; in NumPy's loop that is
twenty times as long as bits take.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels.blocks import BLOCK, blocks
from supremum._kernels.casts import cast
from supremum._kernels.direct import where
from supremum.promotion._nodes import Node

__all__ = ["FEW", "MANY", "choose"]


#: Elements up to which a copy written over by a mask is faster than NumPy's `where`, which sets more up before it begins.
FEW: Final = 64
#: Elements from which bits are faster, whatever the truth values are; elements of eight bytes are too few in a register.
MANY: Final = 1 << 16
_BITS: Final[dict[int, np.dtype[Any]]] = {1: np.dtype(np.int8), 2: np.dtype(np.int16), 4: np.dtype(np.int32)}
_BYTE: Final = _BITS[1]


def choose(mask: Buffer, x: Buffer, y: Buffer, node: Node) -> Any:
    """Return `x` where the mask is true and `y` elsewhere, in the dtype of `node`."""
    dtype = node.dtype
    bits = _BITS.get(dtype.itemsize) if dtype is not None and max(mask.size, x.size, y.size) >= MANY else None
    if bits is None:
        return where(mask, cast(x, node), cast(y, node))
    out = np.empty(np.broadcast_shapes(mask.shape, x.shape, y.shape), dtype)
    room = np.empty(min(BLOCK, out.size), bits)
    if not x.ndim:
        x = cast(x, node)
    if not y.ndim:
        y = cast(y, node)
    for there, true, one, other in blocks(out, mask, x, y):
        into, every = there.view(bits), room[: there.size]
        np.negative(true.view(_BYTE), out=every)
        second = cast(other, node).view(bits)
        np.bitwise_xor(cast(one, node).view(bits), second, out=into)
        np.bitwise_and(into, every, out=into)
        np.bitwise_xor(into, second, out=into)
    return out
