"""Types of arguments, for the signatures of public functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, SupportsIndex, TypeAlias

import numpy as np

from supremum._core.array import Array

__all__ = ["ArrayLike", "Axis", "DTypeLike", "Device", "NestedArrayLike", "Order", "Shape", "SupportsArray", "SupportsDType"]


class SupportsArray(Protocol):
    """An object of another library that NumPy can make an array of."""

    def __array__(self, *args: Any, **kwargs: Any) -> np.ndarray[Any, Any]:
        """Return a NumPy array."""


class SupportsDType(Protocol):
    """An object with a dtype, such as an array or a scalar type."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype."""


#: One array or number, as functions take it.
ArrayLike: TypeAlias = Array | np.ndarray[Any, Any] | np.generic | bool | int | float | complex | SupportsArray
#: What `asarray` makes an array of: also nested sequences.
NestedArrayLike: TypeAlias = ArrayLike | Sequence["NestedArrayLike"]
#: What names a dtype: its name, a NumPy dtype, a scalar type, a Python type.
DTypeLike: TypeAlias = str | type[Any] | np.dtype[Any] | SupportsDType
#: The lengths of axes; one integer for one axis.
Shape: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
#: One axis or several; None for all.
Axis: TypeAlias = SupportsIndex | Sequence[SupportsIndex] | None
#: The only device.
Device: TypeAlias = Literal["cpu"]
#: How elements are read: by rows, by columns, or as they lie in memory.
Order: TypeAlias = Literal["C", "F", "A", "K"]
