"""Interpolation of images, of ``jax.scipy.ndimage``."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from supremum._base.boundary import publish
from supremum._base.buffers import Buffer
from supremum._base.errors import ShapeError, describe
from supremum._core.array import Array, wrap
from supremum._core.conversion import as_array
from supremum._core.typing import ArrayLike
from supremum._kernels.casts import cast

__all__ = ["map_coordinates"]


def _mirrored(index: Buffer, size: int) -> Buffer:
    last = max(size - 1, 1)
    return np.abs((index + last) % (2 * last) - last) if size > 1 else np.zeros_like(index)


#: What becomes of an index outside the array.
_INSIDE: Final[dict[str, Callable[[Buffer, int], Buffer]]] = {
    "constant": lambda index, size: np.clip(index, 0, size - 1),
    "nearest": lambda index, size: np.clip(index, 0, size - 1),
    "wrap": lambda index, size: index % size,
    "mirror": _mirrored,
    "reflect": lambda index, size: np.floor_divide(_mirrored(2 * index + 1, 2 * size + 1) - 1, 2),
}


def _half_away(x: Buffer) -> Buffer:
    whole = np.trunc(x)
    return whole + np.where(np.abs(x - whole) >= 0.5, np.sign(x), 0)


def _neighbours(coordinate: Buffer, order: int) -> list[tuple[Buffer, Buffer]]:
    """Return the indices next to coordinates, with their weights."""
    if order == 0:
        return [(_half_away(coordinate).astype(np.int64), np.ones_like(coordinate))]
    lower = np.floor(coordinate)
    above = coordinate - lower
    index = np.where(np.isfinite(lower), lower, 0).astype(np.int64)
    return [(index, 1 - above), (index + 1, above)]


def map_coordinates(
    input: ArrayLike, coordinates: Sequence[ArrayLike], order: int, mode: str = "constant", cval: ArrayLike = 0.0
) -> Array:
    """Interpolate an array at coordinates.

    Parameters
    ----------
    input : array_like
        The array.
    coordinates : sequence of array_like
        The coordinates along each axis.
    order : {0, 1}
        Whether to take the nearest element, or to interpolate linearly.
    mode : {"constant", "nearest", "wrap", "mirror", "reflect"}
        What is outside the array.
    cval : array_like
        The value outside, for ``"constant"``.

    Returns
    -------
    Array
        The values, of the dtype of `input`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.ndimage.map_coordinates(xp.asarray([0.0, 1.0, 4.0]), [xp.asarray([0.5, 1.5, 5.0])], order=1)
    Array([0.5, 2.5, 0. ], dtype=float32)
    """
    x = as_array(input)
    places = [as_array(coordinate) for coordinate in coordinates]
    if len(places) != x.ndim:
        raise ShapeError(f"map_coordinates: there must be coordinates for each of {x.ndim} axes, got {len(places)}")
    if mode not in _INSIDE:
        raise NotImplementedError(f"map_coordinates: mode must be one of {', '.join(_INSIDE)}, got {describe(mode)}")
    if order not in (0, 1):
        raise NotImplementedError(f"map_coordinates: order must be 0 or 1, as in JAX, got {describe(order)}")
    wide: Any = np.complex128 if x._node.kind == "c" else np.float64
    data = x._data.astype(wide)
    outside = as_array(cval)._data.astype(wide)
    along = []
    for place, size in zip(places, x.shape, strict=True):
        row = []
        for index, weight in _neighbours(place._data.astype(np.float64), order):
            inside = (index >= 0) & (index < size) if mode == "constant" else np.ones(index.shape, bool)
            row.append((_INSIDE[mode](index, size), inside, weight))
        along.append(row)
    total: Any = 0.0
    for corner in itertools.product(*along):
        indices, validities, weights = zip(*corner, strict=True) if corner else ((), (True,), (1.0,))
        value = np.where(np.logical_and.reduce(np.broadcast_arrays(*validities)), data[indices], outside)
        total = total + np.multiply.reduce(np.broadcast_arrays(*weights)) * value
    node = x._node.strong
    found = np.asarray(_half_away(total) if node.kind in "iu" else total)
    return wrap(cast(found, node), node)


publish(__name__)
