"""Block-wise work on large buffers, so that intermediate results stay in the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from supremum._base.buffers import Buffer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["BLOCK", "blocks", "by_blocks"]


#: Number of elements of a block: a quarter of a megabyte of float32.
BLOCK: Final = 1 << 16
#: Operand size in bytes up to which whole temporaries are faster than blocks.
_FEW_BYTES: Final = 1 << 22


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


def by_blocks(function: Callable[..., Any], dtype: np.dtype[Any]) -> Callable[..., Any]:
    """Wrap an elementwise function with results of `dtype` to compute large arrays block by block.

    The function takes its operands and ``out=``; with None it allocates the result itself.
    """

    def blocked(*operands: Buffer) -> Any:
        if all(x.nbytes <= _FEW_BYTES for x in operands):
            return function(*operands, out=None)
        size = 4 * BLOCK // operands[0].itemsize
        out = np.empty(np.broadcast_shapes(*[x.shape for x in operands]), dtype)
        for block, *parts in blocks(out, *operands, size=size):
            function(*parts, out=block)
        return out

    return blocked
