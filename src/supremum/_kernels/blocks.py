"""Work on large buffers block by block, so that what is held between two steps stays in the cache and takes no memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from supremum._base.buffers import Buffer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["BLOCK", "blocks", "by_blocks"]


#: Elements of a block where float32 is computed in: a quarter of a megabyte.
BLOCK: Final = 1 << 16
#: Bytes up to which a temporary buffer as large as an operand costs less than blocks do.
_FEW_BYTES: Final = 1 << 22


def blocks(out: Buffer, *operands: Buffer, size: int = BLOCK) -> Iterator[tuple[Buffer, ...]]:
    """Return blocks of a contiguous buffer together with those of the operands that are broadcast against it.

    Operands of no dimensions come as they are, others as one-dimensional blocks.
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
    """Have a function of small elements compute its answers, of `dtype`, block by block where there are many.

    The function takes its operands and ``out=``, which is None where it is to make the answer's buffer itself.
    """

    def blocked(*operands: Buffer) -> Any:
        if all(x.nbytes <= _FEW_BYTES for x in operands):
            return function(*operands, out=None)
        size = 4 * BLOCK // operands[0].itemsize
        out = np.empty(np.broadcast_shapes(*[x.shape for x in operands]), dtype)
        for there, *parts in blocks(out, *operands, size=size):
            function(*parts, out=there)
        return out

    return blocked
