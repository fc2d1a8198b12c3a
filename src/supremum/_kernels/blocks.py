"""Block-wise work on large buffers, whose intermediate results stay in the cache; selection by a mask, which needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels.casts import cast
from supremum.promotion._nodes import Node

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Number of elements of a block: a quarter of a megabyte of float32.
BLOCK: Final = 1 << 16


def blocks(out: Buffer, *operands: Buffer, size: int = BLOCK) -> Iterator[tuple[Buffer, ...]]:
    """Iterate over blocks of a contiguous buffer and of the operands broadcast against it.

    0-d operands are yielded unchanged, others as one-dimensional blocks.
    """
    if all(not x.ndim or (x.shape == out.shape and x.flags.c_contiguous) for x in operands):
        into, flat = out.reshape(-1), [x.reshape(-1) if x.ndim else x for x in operands]
        for start in range(0, out.size, size):
            part = slice(start, start + size)
            yield (into[part], *[x[part] if x.ndim else x for x in flat])
        return
    flags = [["writeonly"], *[["readonly"]] * len(operands)]
    with np.nditer((out, *operands), ["external_loop", "buffered", "zerosize_ok"], flags, buffersize=size) as walk:  # type: ignore[arg-type]  # lists of flags
        yield from walk


#: Number of elements from which bit operations are faster for any mask; 8-byte elements are too wide to gain.
MANY: Final = 1 << 16
_BITS: Final[dict[int, np.dtype[Any]]] = {1: np.dtype(np.int8), 2: np.dtype(np.int16), 4: np.dtype(np.int32)}
_BYTE: Final = _BITS[1]


def choose(mask: Buffer, x: Buffer, y: Buffer, node: Node) -> Any:
    """Return `x` where the mask is true and `y` elsewhere, in the dtype of `node`.

    For large arrays with bit operations, without a branch for each element: if the processor cannot predict the mask, NumPy's
    loop spends most of its time on mispredicted branches, twenty times as long as the bit operations take.
    """
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
