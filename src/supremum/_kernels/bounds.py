"""Functions of NumPy that read or write out of bounds for some arguments, and how they are called so that they do not.

NumPy 2.4 counts elements, or checks indices, and reads them again afterwards. Another thread may write to a shared buffer in
between, and then NumPy writes beyond the result. So it gets copies of masks, indices and keys of sorts, which are read once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from supremum._base.buffers import Buffer

if TYPE_CHECKING:
    from supremum._kernels.extremes import Extreme

__all__ = ["nonzero", "update_at"]


#: Number of elements from which truth values are made first: NumPy finds those ten times as fast as other elements.
_MANY: Final = 512


def nonzero(x: Buffer) -> tuple[Buffer, ...]:
    """Return the indices of the elements that are not zero, one array for each axis."""
    return (np.not_equal(x, 0) if x.dtype.kind != "b" and x.size >= _MANY else x.copy()).nonzero()


def update_at(ufunc: np.ufunc | Extreme, target: Buffer, key: Any, operand: Buffer) -> None:
    """Apply ``ufunc.at`` with values that broadcast to the selection; the arrays of the key are the caller's own.

    For a vector, one array of indices and a vector of values, NumPy runs a loop over as many values as there are indices
    (`trivial_at_loop` in its `ufunc_object.c`, since 1.25): if the indices have several axes, it reads beyond the values.
    """
    if target.ndim == operand.ndim == 1 and not (isinstance(key, np.ndarray) and key.ndim == 1):
        operand = np.broadcast_to(operand, np.shape(target[key]))
    ufunc.at(target, key, operand)
