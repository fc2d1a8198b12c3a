"""Views of the same elements in other shapes. The name is NumPy's: xarray imports it for its rolling windows."""

from __future__ import annotations

import numpy as np

from supremum._base.exceptions import ShapeError, describe
from supremum._core.array import Array, ArrayLike, Axis, Shape, wrap
from supremum._core.conversion import as_integers, normalize_axes, operand

__all__ = ["sliding_window_view"]


def sliding_window_view(x: ArrayLike, window_shape: Shape, axis: Axis = None) -> Array:
    """Return the windows that slide over an array, without a copy.

    Parameters
    ----------
    x : array_like
        The array.
    window_shape : int or tuple of int
        The length of the window along each of the axes.
    axis : int or tuple of int, optional
        The axes to slide along, which may be repeated; all by default.

    Returns
    -------
    Array
        A read-only view: the shape of `x`, with the number of windows along each of the axes, and then that of a window.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.lib.stride_tricks.sliding_window_view(xp.asarray([1, 2, 4, 8]), 2)
    Array([[1, 2],
           [2, 4],
           [4, 8]], dtype=int32)
    """
    array = operand(x, "sliding_window_view")
    lengths = as_integers(window_shape, "window_shape", "sliding_window_view")
    axes = normalize_axes(axis, array.ndim, "sliding_window_view", repeated=True)
    if len(lengths) != len(axes):
        raise ShapeError(
            f"sliding_window_view: window_shape={describe(window_shape)} must have a length for each of {len(axes)} axes"
        )
    try:
        return wrap(np.lib.stride_tricks.sliding_window_view(array._data, lengths, axes), array._node)
    except ValueError:
        raise ShapeError(
            f"sliding_window_view: a window of shape {lengths} does not match axes {axes} of an array of shape {array.shape}"
        ) from None
