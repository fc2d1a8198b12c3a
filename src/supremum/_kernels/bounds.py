"""Functions of NumPy that read or write out of bounds for some arguments, and how they are called so that they do not.

NumPy 2.4 counts elements, or checks indices, and reads them again afterwards. Another thread may write to a shared buffer in
between, and then NumPy writes beyond the result. So it gets copies of masks, indices and keys of sorts, which are read once.
It does not check all sums and products of lengths either: arrays with strides of 0 may have any.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from supremum._base.buffers import Buffer, native
from supremum._base.exceptions import check_shape

if TYPE_CHECKING:
    from supremum._kernels.extremes import Extreme

#: Number of elements from which truth values are made first: NumPy finds those ten times as fast as other elements.
_MANY: Final = 512


def nonzero(x: Buffer) -> tuple[Buffer, ...]:
    """Return the indices of the elements that are not zero, one array for each axis."""
    found: tuple[Buffer, ...] | None = None if native is None else native.nonzero(x)
    if found is None:
        found = (np.not_equal(x, 0) if x.dtype.kind != "b" and x.size >= _MANY else x.copy()).nonzero()
    return found


def update_at(ufunc: np.ufunc | Extreme, target: Buffer, key: Any, operand: Buffer) -> None:
    """Apply ``ufunc.at`` with values that broadcast to the selection; the arrays of the key are the caller's own.

    For a vector, one array of indices and a vector of values, NumPy runs a loop over as many values as there are indices
    (`trivial_at_loop` in its `ufunc_object.c`, since 1.25): if the indices have several axes, it reads beyond the values.
    """
    if target.ndim == operand.ndim == 1 and not (isinstance(key, np.ndarray) and key.ndim == 1):
        operand = np.broadcast_to(operand, np.shape(target[key]))
    ufunc.at(target, key, operand)


def concatenate(arrays: Sequence[Buffer], axis: int | None = 0, dtype: np.dtype[Any] | None = None) -> Buffer:
    """Join arrays along an axis, which counts from the front, cast to a dtype."""
    # NumPy adds the lengths up modulo 2**64, and writes beyond the result.
    length = sum([x.size if axis is None else sum(x.shape[axis : axis + 1]) for x in arrays])
    shape = (length,) if axis is None else _with_length(arrays[0].shape, axis, length)
    check_shape("", shape, (arrays[0].dtype if dtype is None else dtype).itemsize)
    return np.concatenate(arrays, axis, dtype=dtype, casting="unsafe")


def repeat(x: Buffer, times: int | Buffer, axis: int) -> Buffer:
    """Repeat elements along an axis, all as often or each by its own number; numbers are not negative."""
    # NumPy multiplies the numbers by the length, or adds them up, modulo 2**64, and writes beyond the result.
    if isinstance(times, int) or times.size == 1:
        length = (times if isinstance(times, int) else times.item()) * x.shape[axis]
    else:
        length = int(times.sum(dtype=np.float64))  # rounded where it is too large
    check_shape("repeat", _with_length(x.shape, axis, length), x.itemsize)
    return x.repeat(times, axis)


def _with_length(shape: tuple[int, ...], axis: int, length: int) -> tuple[int, ...]:
    """Return a shape with another length of an axis."""
    return (*shape[:axis], length, *shape[axis + 1 :])
