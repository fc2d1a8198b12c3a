"""Exceptions of the namespace that NumPy and JAX would raise under different classes, and words for messages."""

from __future__ import annotations

import operator
import reprlib
import sys
from types import FrameType
from typing import Any, Final

from supremum._base.silence import heard

__all__ = [
    "HELPERS",
    "DeletedArrayError",
    "DtypeError",
    "IndexShapeError",
    "NotNumericError",
    "OptionError",
    "ShapeError",
    "called",
    "check_callable",
    "flag",
    "named",
    "shown",
    "stack_level",
    "whole",
]


class ShapeError(ValueError, TypeError):
    """Shapes that do not fit each other: a ValueError to NumPy's users and a TypeError to JAX's."""


class IndexShapeError(ShapeError, IndexError):
    """Index arrays that do not fit each other: an IndexError to NumPy's users and a ValueError to JAX's."""


class NotNumericError(TypeError, ValueError):
    """A thing that no array of numbers can be made of: a TypeError to NumPy's users, and for None a ValueError to JAX's."""


class DtypeError(TypeError, ValueError):
    """A dtype that a function refuses: a TypeError to NumPy's users, and at some functions a ValueError to JAX's."""


class DeletedArrayError(TypeError, RuntimeError):
    """The use of an array after its `delete`: a RuntimeError to JAX's users."""


class OptionError(NotImplementedError, TypeError):
    """An option that is not supported: a NotImplementedError to JAX's users, a TypeError where it is an argument too many."""


_PACKAGE: Final = __name__.partition(".")[0]
#: Modules whose functions are nobody's to call. Compiled functions have no frames, so these may be the outermost there are.
HELPERS: Final = frozenset(
    f"{_PACKAGE}.{module}"
    for module in (
        *("_base.errors", "_base.silence", "_core.arguments", "_core.boundary", "_core.conversion", "_core.plans"),
        *("_core.scalars", "_core.settings", "_functions.elementwise._operands"),
    )
)
#: Frames that only pass a call on.
_PASSED_ON: Final = frozenset({"__array_function__", "__array_ufunc__", "<lambda>", "<listcomp>", "<genexpr>", "<module>"})


_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 60
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxset = _SHORT.maxdict = 8


def called(otherwise: str) -> str:
    """Give the name of the function of this package that the user called: the outermost one on the stack, if it is public.

    Only what raises asks for it, so that functions need not hand their names down.
    """
    frame: FrameType | None = sys._getframe(1)
    found = otherwise
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        name = frame.f_code.co_name
        if frame.f_globals["__name__"] in HELPERS:
            frame = frame.f_back
            continue
        if name == "__init__":
            found = type(next(iter(frame.f_locals.values()), None)).__name__
        elif name == "__call__":  # a ufunc or a scalar type, which knows its name
            found = getattr(next(iter(frame.f_locals.values()), None), "__name__", found)
        elif name.startswith("__") and name not in _PASSED_ON:
            found = name.strip("_")
        elif not name.startswith("_") and name not in _PASSED_ON:
            found = name.rstrip("_")  # a command that must not hide a function of its name
        frame = frame.f_back
    return found


def stack_level() -> int:
    """Return the number of frames up to the first one outside this package, so that warnings point at the user's line."""
    frame = sys._getframe(1)
    level = 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        frame = frame.f_back
        level += 1
    return level


def whole(value: Any, name: str, otherwise: str = "supremum") -> int:
    """Give the integer that an argument is, or an error that names the function that was called."""
    try:
        return heard(operator.index, value)
    except TypeError:
        raise TypeError(f"{called(otherwise)}: {name} is an integer, got {shown(value)}") from None


def flag(value: Any, name: str, otherwise: str = "supremum") -> bool:
    """Give the truth value that an argument is, or an error that names the function that was called."""
    try:
        return heard(bool, value)
    except (TypeError, ValueError, RuntimeError):
        raise TypeError(f"{called(otherwise)}: {name} is True or False, got {shown(value)}") from None


def check_callable(value: Any, name: str, function: str) -> Any:
    """Give an argument that is a function back, or an error where nobody can call it."""
    if not callable(value):
        raise TypeError(f"{function}: {name} is a function, got {shown(value)}")
    return value


def named(error: Exception, function: str, part: str = "") -> Exception:
    """Give an error of the same kind whose message begins with the function's name, instead of that of a `part` of it."""
    message = str(error)
    if message.startswith(function):
        return error
    if type(error).__name__ == "TypePromotionError":  # which lives in a room above this one
        if part and message.endswith(f" Raised by {part}."):
            message = message.removesuffix(f" Raised by {part}.")
        return error if " Raised by " in message else type(error)(f"{message} Raised by {function}.")
    kinds = (
        DeletedArrayError,
        NotNumericError,
        ShapeError,
        DtypeError,
        IndexError,
        OverflowError,
        MemoryError,
        ValueError,
        TypeError,
    )
    kind = next((kind for kind in kinds if isinstance(error, kind)), TypeError)
    return kind(f"{function}: {message}")


def shown(value: object) -> str:
    """Give a short text of what a function got: of a list that holds itself, of an object that refuses to be shown."""
    try:
        return _SHORT.repr(value)
    except Exception:  # noqa: BLE001 - the object's own code may raise anything, and the message is about something else
        return f"an object of type {type(value).__name__}"
