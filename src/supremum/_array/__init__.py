"""Methods, indexed updates and protocols of `Array`. Importing this package attaches them to the class."""

from __future__ import annotations

from types import FunctionType
from typing import Any, Final

from supremum import _names
from supremum._array import at as at, deleted, hooks as hooks
from supremum._array.conversions import Conversions
from supremum._array.methods import Methods
from supremum._array.protocols import Protocols
from supremum._base.errors import with_function_name
from supremum._core import engine
from supremum._core.array import Array, _rebuild as _rebuild  # pickles of version 0.1 name it so
from supremum._core.dtypes import ScalarType
from supremum._core.reductions import FOLDS
from supremum.promotion._nodes import Node

__all__: list[str] = []

_DOC: Final = """An array: a NumPy buffer whose dtype promotes by the active promotion system.

Make one with `asarray`, `zeros`, `arange` and the like; the class itself is not callable.

Examples
--------
>>> import supremum as xp
>>> x = xp.arange(5, dtype="int8")
>>> 2 * x
Array([0, 2, 4, 6, 8], dtype=int8)
>>> xp.asarray(2)
Array(2, dtype=int32, weak_type=True)
"""
#: Methods with a fast path in the engine, and its name there.
_FUNCTIONS: Final = {
    "astype": "astype_method", "item": "item", "reshape": "reshape_method", "squeeze": "squeeze", "take": "take",
}  # fmt: skip
#: Reductions with a fast path in the engine, and its name there.
_FOLDS: Final = {
    "all": "reduce",
    "any": "reduce",
    "max": "reduce",
    "mean": "mean",
    "min": "reduce",
    "prod": "total",
    "sum": "total",
}


def _make(x: object, node: Node) -> Any:
    """Convert an object to an array of a scalar type, as ``xp.int8(x)`` does."""
    try:
        return _names.asarray(x, dtype=node.dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise with_function_name(error, node.name) from None


def _attach(kind: type) -> None:
    """Attach the members of a class to `Array`; what the engine has is not replaced."""
    for name, member in list(vars(kind).items()):
        function = member.fget if isinstance(member, property) else member
        if name in vars(Array) and name not in ("__doc__", "__module__"):
            continue
        if isinstance(function, FunctionType):
            # The names that a reader and `pickle` find the member by.
            function.__module__, function.__qualname__ = "supremum", f"Array.{name}"
            setattr(Array, name, member)


for _class in (Conversions, Protocols, Methods):
    _attach(_class)
for _name, _way in _FUNCTIONS.items():
    # `item` is a function of its own, the others call that of their name.
    _own, _kind = ("item", "conversion") if _name == "item" else (None, "opaque")
    setattr(Array, _name, engine.Function(getattr(Array, _name), _way, name=_own, kind=_kind))
for _name, _way in _FOLDS.items():
    setattr(Array, _name, engine.Function(getattr(Array, _name), _way, FOLDS[_name]))
Array.__array_priority__ = Protocols.__array_priority__
Array.__module__ = "supremum"
Array.__doc__ = _DOC
ScalarType.make = staticmethod(_make)
deleted.attach()
