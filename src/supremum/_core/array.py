"""`Array`: the class of the engine, and the types of what public functions take in place of one.

The engine in C computes what is plain by itself; the hooks of `supremum._array`, a higher package, do the rest and raise the
errors. That package attaches the methods too; `array_class.pyi` has them for type checkers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, SupportsIndex, TypeAlias, runtime_checkable

import numpy as np

from supremum._base.boundary import public
from supremum._core.dtype_names import DTypeName as DTypeName
from supremum._kernels.bit_patterns import byteswapped, canonical
from supremum.promotion._nodes import KEY, NODES, node_of_dtype
from supremum.promotion._typing import SupportsDType as SupportsDType

if TYPE_CHECKING:
    from supremum._core.array_class import Array as Array, wrap as wrap
else:
    from supremum._core.engine import Array, wrap


def _rebuild(data: np.ndarray[Any, Any], weak: bool, name: str | None = None) -> Array:
    """Return the array of a pickle; the data of an ml_dtypes dtype are pickled as unsigned integers, with the dtype's name."""
    node = node_of_dtype(data.dtype) if name is None else KEY if name == KEY.name else NODES.get(name)
    if node is None:
        raise TypeError(f"cannot unpickle an Array of dtype {name or data.dtype}, which this installation does not have")
    if not data.dtype.isnative:  # the pickle is of a processor of the other byte order
        data = byteswapped(data, node)
    return wrap(canonical(data, node), node.weak_form if weak else node)


# -- arguments of public functions --------------------------------------------------------------------------------------------


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
