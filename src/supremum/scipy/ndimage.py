"""Interpolation of images, of ``jax.scipy.ndimage``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from supremum._base.boundary import public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import ShapeError, describe
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import as_array
from supremum._kernels.casts import cast
from supremum.scipy._evaluation import Library

__all__ = ["map_coordinates"]

_NDIMAGE: Final = Library("scipy.ndimage")
#: SciPy's names of the modes.
_MODES: Final = {
    "constant": "grid-constant", "nearest": "nearest", "wrap": "grid-wrap", "mirror": "mirror", "reflect": "reflect",
}  # fmt: skip
#: The greatest index in JAX; SciPy does not take numbers beyond those of its integers.
_GREATEST: Final = 2.0**31
#: The numbers before one half: sums with them reach the next integer from the tie on.
_BELOW_A_HALF: Final = {kind: np.nextafter(kind.type(0.5), kind.type(0)) for kind in map(np.dtype, "fd")}


def _round(x: Buffer) -> Buffer:
    """Round to the nearest integers in place, ties away from zero."""
    x += np.copysign(_BELOW_A_HALF[x.dtype], x)
    return np.trunc(x, out=x)


@public
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
    if mode not in _MODES:
        raise NotImplementedError(f"map_coordinates: mode must be one of {', '.join(_MODES)}, got {describe(mode)}")
    if order not in (0, 1):
        raise NotImplementedError(f"map_coordinates: order must be 0 or 1, as in JAX, got {describe(order)}")
    node = x._node.strong
    outside = cast(as_array(cval)._data, node)
    if outside.ndim or not x.size:
        raise ShapeError(f"map_coordinates: cval must be a scalar, and the array not empty, got {outside.shape}, {x.shape}")
    if not x.ndim:
        return wrap(x._data, node)
    given = [place._data for place in places]
    if any([place.shape != given[0].shape for place in given]):
        given = list(np.broadcast_arrays(*given))
    at: Buffer = np.array(given, np.float32 if all([place.dtype.char == "f" for place in given]) else np.float64)
    shape, at = at.shape[1:], at.reshape(x.ndim, -1)
    nowhere = None
    if not np.vdot(at, at) < _GREATEST * _GREATEST:
        nowhere = ~np.isfinite(at).all(0)
        at = np.clip(np.where(np.isnan(at), 0, at), -_GREATEST, _GREATEST)
    data = x._data if x._data.dtype.char in "fdFD" else x._data.astype(np.float64)
    found: Any = _NDIMAGE.map_coordinates(
        data, at if order else _round(at), data.dtype, order, _MODES[mode], outside.item(), prefilter=False
    )
    if nowhere is not None and order:
        found[nowhere] = np.nan
    found = found.reshape(shape)
    return wrap(cast(_round(found) if node.kind in "iu" else found, node), node)


__dir__ = __all__.copy  # which `dir` sorts
