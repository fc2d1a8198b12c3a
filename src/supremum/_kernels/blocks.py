"""Block-wise work on large buffers, so that intermediate results stay in the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from supremum._base.buffers import Buffer

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
