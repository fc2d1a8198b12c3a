"""What is attached to `Array` from above: methods, indexed updates, protocols. Importing this package attaches it."""

from __future__ import annotations

from typing import Any

from supremum import _names
from supremum._array.methods import Methods
from supremum._array.protocols import Protocols
from supremum._base.errors import named
from supremum._core.array import Array, _rebuild as _rebuild  # by this name pickles of version 0.1 find it
from supremum._core.dtypes import ScalarType
from supremum._core.plans import COMPILED
from supremum.promotion._nodes import Node

__all__: list[str] = []


def _make(x: object, node: Node) -> Any:
    try:
        return _names.asarray(x, dtype=node.dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise named(error, node.name) from None


ScalarType.make = staticmethod(_make)
for _name, _member in (*vars(Protocols).items(), *vars(Methods).items()):
    if callable(_member) or isinstance(_member, property):
        setattr(Array, _name, _member)

if not COMPILED:
    from supremum._core.interpreted import hasten_operators

    hasten_operators()
