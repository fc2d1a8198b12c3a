"""Sorting and searching.

Positions are found in copies: NumPy writes out of bounds where another thread changes elements meanwhile.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer, native
from supremum._kernels import bounds


def lexsort(keys: list[Buffer], axis: int = -1) -> Buffer:
    """Return the stable order by several keys, the last one most important."""
    return np.lexsort([key.copy() for key in keys], axis)


#: Return the indices of nonzero elements along each axis.
nonzero: Final[Any] = bounds.nonzero if native is None else native.nonzero


def flatnonzero(x: Buffer) -> Buffer:
    """Return the positions of nonzero elements."""
    return nonzero(x.reshape(-1))[0]


def argwhere(x: Buffer) -> Buffer:
    """Return the indices of nonzero elements, one row per element."""
    found = nonzero(x)
    return found[0][:, None] if len(found) == 1 else np.array(found).T.copy()


def digitize(x: Buffer, bins: Buffer) -> Any:
    """Return the index of the ascending bin that each element lies in."""
    if bins.ndim != 1 or not bins[-1] >= bins[0]:
        return NotImplemented
    return bins.searchsorted(x, "right").astype(np.int32)
