"""Methods, indexed updates and protocols of `Array`. Importing this package attaches them to the class."""

from __future__ import annotations

from functools import partial
from types import FunctionType
from typing import Any, Final

from supremum import _names
from supremum._array import at as at, deleted, hooks as hooks
from supremum._array.conversions import Conversions
from supremum._array.methods import Methods
from supremum._array.protocols import Protocols
from supremum._base.absent import first_sentence, rows
from supremum._base.boundary import hinting, traceless
from supremum._base.exceptions import NoAttributeError, with_function_name
from supremum._core import engine
from supremum._core.array import Array, _rebuild as _rebuild  # pickles of version 0.1 name it so
from supremum._core.dtype_objects import ScalarType
from supremum._core.reduction_rows import FOLDS
from supremum._core.settings import state
from supremum.promotion._nodes import Node

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
_FAST: Final = {
    "astype": "astype_method", "item": "item", "reshape": "reshape_method", "squeeze": "squeeze", "take": "take",
    "all": "reduce", "any": "reduce", "max": "reduce", "mean": "mean", "min": "reduce", "prod": "total", "sum": "total",
}  # fmt: skip


def _make(x: object, node: Node) -> Any:
    """Convert an object to an array of a scalar type, as ``xp.int8(x)`` does."""
    try:
        return _names.asarray(x, dtype=node.dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise with_function_name(error, node.name) from None


#: Attributes of other libraries' arrays that these do not have, each with what to write instead.
_ABSENT: Final = rows("list") | rows("Tensor") | rows("Array")


# Under NumPy's promotion system, programs of NumPy run as they are.
def _partition(x: Array, kth: Any, axis: int = -1) -> None:
    x[...] = _names.partition(x, kth, axis)


def _resize(x: Array, *shape: Any, refcheck: bool = True) -> None:
    try:
        x._data.resize(*shape, refcheck=refcheck)
    except ValueError as error:  # there are views of it, or it is one
        raise ValueError(f"Array.resize: {str(error).splitlines()[0]}; write x = supremum.resize(x, shape)") from None


_IN_PLACE: Final[dict[str, Any]] = {"partition": _partition, "resize": _resize}


# An attribute that raises AttributeError, with what to write instead. A `__getattr__` would slow down all attributes.
class _Absent:
    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    # pydoc shows the docstring of an attribute that has no value.
    @property
    def __doc__(self) -> str:  # type: ignore[override]  # an attribute of object
        return "Not here: " + first_sentence(("Array", "Tensor", "list"), self.name)

    @traceless
    def __get__(self, instance: object, owner: type | None = None) -> Any:
        if instance is not None and self.name in _IN_PLACE and state().promotion.name == "numpy":
            return partial(_IN_PLACE[self.name], instance)
        what = (self.__doc__ or "").removeprefix("Not here: ")
        raise NoAttributeError(f"Array has no attribute {self.name!r}: {what}", name=self.name)

    @traceless
    def __set__(self, instance: object, value: object) -> None:
        self.__get__(instance)


def _names_of(x: Array) -> list[str]:
    return [name for name in object.__dir__(x) if name not in _ABSENT]


def _members() -> dict[str, Any]:
    """Return the members of `Array` that are no slots of the engine's class; those come first."""
    found: dict[str, Any] = {}
    given: dict[str, Any] = {**vars(Methods), **vars(Protocols), **vars(Conversions)}
    for name, member in given.items():
        function: Any = member.fget if isinstance(member, property) else member
        if not isinstance(getattr(function, "__wrapped__", function), FunctionType) or name in vars(Array):
            continue
        # The names that a reader and `pickle` find the member by.
        function.__module__, function.__qualname__ = "supremum", f"Array.{name}"
        # As a function of the engine's, a method leaves no frame in tracebacks. One that calls a function has one frame
        # in the engine in C, and is left as quick as it is.
        calls = engine.engine_name == "native" and hasattr(member, "__wrapped__")
        inner = calls or isinstance(member, property) or (name.startswith("_") and not name.startswith("__"))
        if name in _FAST:
            # `item` is a function of its own, the others call that of their name.
            own, kind = ("item", "conversion") if name == "item" else (None, "opaque")
            fold = FOLDS[name].engine if name in FOLDS else None
            found[name] = engine.Function(function, _FAST[name], fold, name=own, kind=kind, handler=hinting(function))
        else:
            found[name] = member if inner else traceless(member)
    found |= {name: _Absent(name) for name in _ABSENT}
    priority = Protocols.__array_priority__
    return found | {"__dir__": _names_of, "__array_priority__": priority, "__module__": "supremum", "__doc__": _DOC}


engine.attach(Array, _members())
engine.attach(engine.At, at.AT_MEMBERS)
engine.attach(engine.IndexedUpdate, at.MEMBERS)
engine.attach(engine.DeletedArray, deleted.members())
ScalarType.make = staticmethod(_make)
