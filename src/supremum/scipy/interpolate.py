"""Interpolation on regular grids, of ``jax.scipy.interpolate``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from supremum._base.boundary import method as taken_over, public
from supremum._base.exceptions import ShapeError, check_choice
from supremum._base.functions import call_without_float_warnings, takes_over
from supremum._core.array import Array, ArrayLike
from supremum._core.conversion import as_array, operand
from supremum._core.dtype_objects import to_inexact
from supremum._core.settings import state
from supremum._functions.linear_algebra._matrices import rounded
from supremum.scipy._evaluation import Library, in_double

__all__ = ["RegularGridInterpolator"]

_MAKE: Final = Library("scipy.interpolate").kernel("RegularGridInterpolator")


@public
class RegularGridInterpolator:
    """A function that interpolates values on a regular grid.

    Parameters
    ----------
    points : sequence of array_like
        The coordinates of the grid along each axis, in strictly ascending order.
    values : array_like
        The values on the grid; further axes have components.
    method : {"linear", "nearest"}
        How to interpolate.
    bounds_error : bool
        Must be False, as in JAX.
    fill_value : float or None
        The value outside the grid; None extrapolates.

    Examples
    --------
    >>> import supremum as xp
    >>> table = xp.scipy.interpolate.RegularGridInterpolator((xp.asarray([0.0, 1.0, 2.0]),), xp.asarray([0.0, 1.0, 4.0]))
    >>> table(xp.asarray([0.5, 1.5]))
    Array([0.5, 2.5], dtype=float32)
    """

    def __init__(
        self, points: Sequence[ArrayLike], values: ArrayLike, method: str = "linear", bounds_error: bool = False,
        fill_value: Any = np.nan,
    ) -> None:  # fmt: skip
        check_choice(method, "method", ("linear", "nearest"), "RegularGridInterpolator")
        self.method = method
        self.bounds_error = bounds_error
        if bounds_error:
            raise NotImplementedError("RegularGridInterpolator: bounds_error must be False, as in JAX")
        given = operand(values, "RegularGridInterpolator")
        if len(points) > given.ndim:
            raise ShapeError(f"RegularGridInterpolator: {len(points)} axes of points, but values of {given.ndim} axes")
        self.values = given.astype(to_inexact(given._node).dtype)
        self.fill_value = None if fill_value is None else as_array(fill_value)
        if self.fill_value is not None and "biufc".index(self.fill_value._node.kind) > "biufc".index(self.values._node.kind):
            raise ValueError("RegularGridInterpolator: fill_value must be None or of a type that fits the values")
        self.grid = tuple([operand(point, "RegularGridInterpolator") for point in points])
        if any(axis.size > length for axis, length in zip(self.grid, given.shape, strict=False)):
            lengths = tuple([axis.size for axis in self.grid])
            raise ShapeError(f"RegularGridInterpolator: axes of {lengths} points, but values of shape {given.shape}")
        self._evaluate = None if takes_over(self.values) else self._of(self.values)

    def _of(self, values: Array) -> Any:
        """Return SciPy's interpolator of values on the grid."""
        axes = [axis._data.astype(np.float64) for axis in self.grid]
        wide: Any = np.complex128 if values._node.kind == "c" else np.float64
        inner = values._data[tuple([slice(len(axis)) for axis in axes])].astype(wide)
        fill = None if self.fill_value is None else self.fill_value._data.astype(wide)
        try:
            return _MAKE(axes, inner, "linear", False, fill)
        except ValueError as error:
            raise ValueError(f"RegularGridInterpolator: {error}") from None

    def __call__(self, xi: Any, method: str | None = None) -> Array:
        """Interpolate at coordinates, of which the last axis has the components."""
        chosen = self.method if method is None else method
        check_choice(chosen, "method", ("linear", "nearest"), "RegularGridInterpolator")
        return self._interpolated(self.values, xi, chosen)

    @taken_over("RegularGridInterpolator")
    def _interpolated(self, values: Array, xi: Any, chosen: str) -> Array:
        """Interpolate values, which derivatives see as an argument."""
        count = len(self.grid)
        if isinstance(xi, tuple) and len(xi) == 1:
            xi = xi[0]
        if isinstance(xi, tuple):
            node = state().float_
            places = np.stack(np.broadcast_arrays(*[as_array(part)._data.astype(np.float64) for part in xi]), -1)
        else:
            node, (places,) = in_double("RegularGridInterpolator", xi)
            places = places.reshape(-1, count) if places.ndim == 1 else places
        if places.shape[-1] != count:
            raise ShapeError(f"RegularGridInterpolator: coordinates of {places.shape[-1]} components, a grid of {count} axes")
        evaluate = self._of(values) if self._evaluate is None else self._evaluate
        result = values._node.strong
        if chosen == "linear":
            result = state().join_all([result, node.strong, *[axis._node for axis in self.grid]])
        return rounded(call_without_float_warnings(evaluate, places, chosen), result)


__dir__ = __all__.copy  # which `dir` sorts
