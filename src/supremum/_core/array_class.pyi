# What type checkers know of `_core.array`: the class of the engine, with its operators and the methods of `_array`.
from collections.abc import Iterator
from typing import Any, ClassVar, TypeAlias

import numpy as np

from supremum._array.at import Index, IndexedUpdate
from supremum._array.methods import Methods
from supremum._core import engine
from supremum._core.array import ArrayLike
from supremum._core.guests import SupportsFunction
from supremum.promotion._nodes import Node

Operand: TypeAlias = ArrayLike | SupportsFunction

class At:
    def __getitem__(self, index: Index, /) -> IndexedUpdate: ...

class Array(Methods, engine.Array):
    __hash__: ClassVar[None]  # pyright: ignore[reportIncompatibleMethodOverride]  # unhashable: == is elementwise

    # Operators of two operands, and in place: those make a new array where arrays are immutable.
    def __add__(self, other: Operand, /) -> Array: ...

    __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = __add__
    __and__ = __or__ = __xor__ = __lshift__ = __rshift__ = __add__
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __add__
    __rand__ = __ror__ = __rxor__ = __rlshift__ = __rrshift__ = __add__
    __iadd__ = __isub__ = __imul__ = __itruediv__ = __ifloordiv__ = __imod__ = __ipow__ = __add__
    __iand__ = __ior__ = __ixor__ = __ilshift__ = __irshift__ = __add__
    __lt__ = __le__ = __gt__ = __ge__ = __add__

    def __matmul__(self, other: Operand, /) -> Array: ...
    def __rmatmul__(self, other: Operand, /) -> Array: ...
    def __imatmul__(self, other: Operand, /) -> Array: ...  # noqa: PYI034 - a new array where arrays are immutable
    def __eq__(self, other: Any, /) -> Array: ...  # type: ignore[override]  # arrays compare elementwise
    def __ne__(self, other: Any, /) -> Array: ...  # type: ignore[override]  # arrays compare elementwise
    def __neg__(self) -> Array: ...

    __pos__ = __abs__ = __invert__ = __neg__

    # NumPy's types take an object with `__array__()` for one of their arrays, and `ndarray + x` for NumPy's; of one with
    # a buffer, the operators are its own, as they are at run time.
    def __array__(self, dtype: Any, copy: bool | None = None) -> np.ndarray[Any, Any]: ...  # type: ignore[override]  # as above
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __divmod__(self, other: Operand, /) -> tuple[Array, Array]: ...
    def __rdivmod__(self, other: Operand, /) -> tuple[Array, Array]: ...
    def __getitem__(self, key: Index, /) -> Array: ...
    def __setitem__(self, key: Index, value: Any, /) -> None: ...
    def __iter__(self) -> Iterator[Array]: ...
    @property
    def T(self) -> Array: ...
    @property
    def at(self) -> At: ...  # type: ignore[override]  # what the engine makes

def wrap(data: np.ndarray[Any, Any], node: Node) -> Array: ...
