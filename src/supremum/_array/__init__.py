"""Methods, indexed updates and protocols of `Array`. Importing this package attaches them to the class."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from supremum import _names
from supremum._array.methods import Methods
from supremum._array.protocols import Protocols
from supremum._base.errors import named
from supremum._core.array import Array, _rebuild as _rebuild  # pickles of version 0.1 name it so
from supremum._core.dtypes import ScalarType
from supremum._core.plans import COMPILED
from supremum.promotion._nodes import Node

__all__: list[str] = []


def _make(x: object, node: Node) -> Any:
    """Convert an object to an array of a scalar type, as ``xp.int8(x)`` does."""
    try:
        return _names.asarray(x, dtype=node.dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise named(error, node.name) from None


Array.__module__ = "supremum"
ScalarType.make = staticmethod(_make)
for _name, _member in (*vars(Protocols).items(), *vars(Methods).items()):
    _function = _member.fget if isinstance(_member, property) else _member
    if isinstance(_function, FunctionType):
        # The names that a reader and `pickle` find the member by.
        _function.__module__, _function.__qualname__ = "supremum", f"Array.{_name}"
        setattr(Array, _name, _member)

if not COMPILED:
    from supremum._core.interpreted import hasten_operators

    hasten_operators()
