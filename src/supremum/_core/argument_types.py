"""Types of the arguments of public functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, SupportsIndex, TypeAlias

import numpy as np

from supremum._base.boundary import public
from supremum._core.array import Array
from supremum.promotion._typing import SupportsDType as SupportsDType


@public(home="supremum.typing")
class SupportsArray(Protocol):
    """An object of another library that NumPy can convert to an array."""

    def __array__(self, *args: Any, **kwargs: Any) -> np.ndarray[Any, Any]:  # pyright: ignore[reportReturnType]  # a protocol's member has no body
        """Return a NumPy array."""


#: An array or a scalar.
ArrayLike: TypeAlias = Array | np.ndarray[Any, Any] | np.generic | bool | int | float | complex | SupportsArray
#: What `asarray` converts: also nested sequences.
NestedArrayLike: TypeAlias = ArrayLike | Sequence["NestedArrayLike"]
#: The names of dtypes, which type checkers know one by one: a misspelt one is an error. A `str` that a program computes is not
#: one of them: pass ``xp.dtype(name)``.
DTypeName: TypeAlias = Literal[
    "bool", "int1", "int2", "int4", "int8", "int16", "int32", "int64", "uint1", "uint2", "uint4", "uint8", "uint16", "uint32",
    "uint64", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz",
    "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "bfloat16", "float16", "float32",
    "float64", "bcomplex32", "complex32", "complex64", "complex128", "int", "float", "complex", "half", "single", "double",
    "b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16",
]  # fmt: skip
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
