"""Selection between elements by a mask; for large arrays with bit operations, without a branch for each element.

If the processor cannot predict the mask, NumPy's loop spends most of its time on mispredicted branches: twenty times as long
as the bit operations take.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels.blocks import BLOCK, blocks
from supremum._kernels.casts import cast
from supremum.promotion._nodes import Node

#: Number of elements from which bit operations are faster for any mask; 8-byte elements are too wide to gain.
MANY: Final = 1 << 16
_BITS: Final[dict[int, np.dtype[Any]]] = {1: np.dtype(np.int8), 2: np.dtype(np.int16), 4: np.dtype(np.int32)}
_BYTE: Final = _BITS[1]


def choose(mask: Buffer, x: Buffer, y: Buffer, node: Node) -> Any:
    """Return `x` where the mask is true and `y` elsewhere, in the dtype of `node`."""
    dtype = node.dtype
    bits = _BITS.get(dtype.itemsize) if max(mask.size, x.size, y.size) >= MANY else None
    if bits is None:
        return np.where(mask, cast(x, node), cast(y, node))
    out = np.empty(np.broadcast_shapes(mask.shape, x.shape, y.shape), dtype)
    scratch = np.empty(min(BLOCK, out.size), bits)
    if not x.ndim:
        x = cast(x, node)
    if not y.ndim:
        y = cast(y, node)
    for block, true, one, other in blocks(out, mask, x, y):
        result, all_bits = block.view(bits), scratch[: block.size]
        np.negative(true.view(_BYTE), out=all_bits)  # -1 has all bits set
        second = cast(other, node).view(bits)
        np.bitwise_xor(cast(one, node).view(bits), second, out=result)
        np.bitwise_and(result, all_bits, out=result)
        np.bitwise_xor(result, second, out=result)
    return out
