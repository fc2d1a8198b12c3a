"""Types of the arguments of public functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, SupportsIndex, TypeAlias, runtime_checkable

import numpy as np

from supremum._base.boundary import public
from supremum._core.array import Array
from supremum._core.dtype_names import DTypeName as DTypeName
from supremum.promotion._typing import SupportsDType as SupportsDType


@public(home="supremum.typing")
@runtime_checkable
class SupportsArray(Protocol):
    """An object of another library that NumPy can convert to an array."""

    def __array__(self, *args: Any, **kwargs: Any) -> np.ndarray[Any, Any]:  # pyright: ignore[reportReturnType]  # a protocol's member has no body
        """Return a NumPy array."""


#: An array or a scalar.
ArrayLike: TypeAlias = Array | np.ndarray[Any, np.dtype[Any]] | np.generic | bool | int | float | complex | SupportsArray
#: What `asarray` converts: also nested sequences.
NestedArrayLike: TypeAlias = ArrayLike | Sequence["NestedArrayLike"]
#: A dtype: its name, a NumPy dtype, a scalar type, a Python scalar type, or an object with a dtype.
DTypeLike: TypeAlias = DTypeName | type[Any] | np.dtype[Any] | SupportsDType
#: What `isdtype` takes for kinds of dtypes.
DTypeKind: TypeAlias = Literal[
    "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric"
]
#: A shape: the lengths of the axes, or one integer for a single axis.
Shape: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
#: One axis, several axes, or None for all.
Axis: TypeAlias = SupportsIndex | Sequence[SupportsIndex] | None
#: The only device.
Device: TypeAlias = Literal["cpu"]
#: The order of elements: by rows, by columns, or as in memory.
Order: TypeAlias = Literal["C", "F", "A", "K"]
