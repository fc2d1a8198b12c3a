"""Types for annotations: arrays, and what the functions of the namespace accept in their place.

`ArrayLike` and `DTypeLike` correspond to those of ``jax.typing`` and ``numpy.typing``. They are for type checkers: at run time
each function checks its arguments itself.

Examples
--------
>>> import supremum as xp
>>> from supremum.typing import Array, ArrayLike, DTypeLike
>>> def standardized(x: ArrayLike, dtype: DTypeLike = "float32") -> Array:
...     x = xp.asarray(x, dtype=dtype)
...     return (x - x.mean()) / x.std()
>>> standardized([1.0, 3.0])
Array([-1.,  1.], dtype=float32)
"""

from supremum._array.operand import CALLS, Operand
from supremum._core.array import (
    Array,
    ArrayLike,
    Axis,
    Device,
    DTypeKind,
    DTypeLike,
    DTypeName,
    NestedArrayLike,
    Order,
    Shape,
    SupportsArray,
    SupportsDType,
)
from supremum._core.guests import PublicFunction, SupportsFunction, Watcher, new_level

__all__ = [
    "CALLS", "Array", "ArrayLike", "Axis", "DTypeKind", "DTypeLike", "DTypeName", "Device", "NestedArrayLike", "Operand",
    "Order", "PublicFunction", "Shape", "SupportsArray", "SupportsDType", "SupportsFunction", "Watcher", "new_level",
]  # fmt: skip
