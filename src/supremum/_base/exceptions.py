"""Exceptions of the namespace that NumPy and JAX would raise under different classes, and texts for messages."""

from __future__ import annotations

import math
import operator
import re
import reprlib
import sys
import warnings
from collections.abc import Iterable
from contextvars import ContextVar
from itertools import zip_longest
from typing import Any, Final, TypeVar

from numpy.exceptions import AxisError

from supremum._base.silence import call_user_code


class ShapeError(ValueError, TypeError):
    """Shapes that do not match: a ValueError in NumPy and a TypeError in JAX."""


class IndexShapeError(ShapeError, IndexError):
    """Index arrays whose shapes do not match: an IndexError in NumPy and a ValueError in JAX."""


class OutOfRangeError(IndexError, ValueError):
    """An index out of range: an IndexError in NumPy, of some functions a ValueError."""


class NotNumericError(TypeError, ValueError):
    """An object that cannot become an array of numbers: a TypeError in NumPy, a ValueError for None in JAX."""


class DtypeError(TypeError, ValueError):
    """A dtype that a function does not accept: a TypeError in NumPy, for some functions a ValueError in JAX."""


class DeletedArrayError(TypeError, RuntimeError):
    """The use of an array after its `delete`: a RuntimeError to JAX's users."""


# Errors of `jax.errors` for operands that have no elements here.


class JAXTypeError(TypeError):
    """A TypeError of JAX's own."""

    __module__ = "supremum.jax.errors"


class ConcretizationTypeError(JAXTypeError):
    """The use of a traced value where a number is needed."""

    __module__ = "supremum.jax.errors"


class TracerArrayConversionError(JAXTypeError):
    """The conversion of a traced value to a NumPy array."""

    __module__ = "supremum.jax.errors"


class JAXIndexError(IndexError):
    """An IndexError of JAX's own."""

    __module__ = "supremum.jax.errors"


class TracerIntegerConversionError(JAXTypeError):
    """The use of a traced value as an integer."""

    __module__ = "supremum.jax.errors"
    #: The class of the error for bounds of slices.
    of_slice = JAXIndexError


class TracerBoolConversionError(ConcretizationTypeError):
    """The use of a traced value as a truth value."""

    __module__ = "supremum.jax.errors"


class OptionError(NotImplementedError, TypeError):
    """An option that is not supported: a NotImplementedError in JAX, a TypeError for an unexpected argument."""


class NoAttributeError(AttributeError, ValueError, NotImplementedError):
    """An attribute that an array does not have, such as `mT` of a vector, a ValueError, or `flat`, to JAX not implemented."""


class TypePromotionError(TypeError, ValueError):
    """Operands have no common type in the active promotion system.

    It is a ``TypeError`` to users of NumPy and of the array API, and a ``ValueError`` to users of JAX.
    """

    __module__ = "supremum.promotion"


for _kind in (
    DeletedArrayError, DtypeError, IndexShapeError, NoAttributeError, NotNumericError, OptionError, OutOfRangeError,
    ShapeError,
):  # fmt: skip
    _kind.__module__ = "supremum.errors"  # where they are public

_PACKAGE: Final = __name__.partition(".")[0]
#: The names by which messages begin: those of public functions, and of what else names itself.
NAMES: Final[set[str]] = {
    "as_node", "asarray", "bool", "complex", "config", "float", "from_dlpack", "index", "int", "item assignment", "iter",
    "matmul", "systems",
}  # fmt: skip
#: What follows a name at the beginning of a message: "linalg.norm: ", "where, argument 1: ", "add requires ".
_VERBS: Final = ("does not ", "has no ", "is not ", "needs ", "requires ", "takes ", "transforms ")
_BEGINNING: Final = re.compile(
    rf"(item assignment|(?:[\w.]|\[\.\.\.\])+)(?:(?:\(\))?(?:, argument \d+)?: | (?={'|'.join(_VERBS)}))"
)
#: The attribute of errors that do not know which function was called.
_NAMELESS: Final = "_supremum_nameless"
#: The attribute of errors about an argument, which has the argument.
_OPERAND: Final = "_supremum_operand"
E = TypeVar("E", bound=Exception)

_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 60
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxset = _SHORT.maxdict = 8


def stack_level() -> int:
    """Return the number of frames up to the first one outside this package, so that warnings point at the user's line."""
    frame = sys._getframe(1)
    level = 1
    # `contextlib` calls what ends a block.
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in (_PACKAGE, "contextlib"):
        frame = frame.f_back
        level += 1
    return level


#: True in contexts that repeat a call, whose warnings are known.
QUIET: Final[ContextVar[bool]] = ContextVar("supremum_quiet", default=False)


def warn(message: str, category: type[Warning]) -> None:
    """Issue a warning at the user's line."""
    if not QUIET.get():
        warnings.warn(message, category, stacklevel=stack_level())


def without_function_name(error: E) -> E:
    """Mark an error that does not know which function was called; the boundary puts the name in front."""
    setattr(error, _NAMELESS, True)
    return error


def is_nameless(error: Exception) -> bool:
    """Whether an error was marked by `without_function_name`."""
    return hasattr(error, _NAMELESS)


def of_operand(error: E, operand: object) -> E:
    """Mark an error about an argument, whose place in the call the boundary finds."""
    setattr(error, _OPERAND, operand)
    return error


def placed(error: E, args: tuple[Any, ...], kwargs: dict[str, Any]) -> E:
    """Return an error with the place of the argument in the call that it is about, if that is an argument of the call."""
    if hasattr(error, _OPERAND):
        operand = getattr(error, _OPERAND)
        places = [f"at position {place}" for place, x in enumerate(args) if x is operand]
        places += [f"as {name}" for name, x in kwargs.items() if x is operand]
        if places:
            error.args = (re.sub(r"at position \d+", places[0], str(error), count=1),)
    return error


def _refusal(function: str, message: str) -> TypeError:
    return TypeError(f"{function}: {message}") if function else without_function_name(TypeError(message))


def as_integer(value: Any, name: str, function: str = "") -> int:
    """Return the integer that an argument is; functions without the boundary give their name for the message."""
    if type(value) is int:
        return value
    try:
        return call_user_code(operator.index, value)
    except TypeError:
        raise _refusal(function, f"{name} must be an integer, got {describe(value)}") from None


def as_count(value: Any, name: str, function: str) -> int:
    """Return the integer that an argument is, which must not be negative: a ValueError in NumPy and a TypeError in JAX."""
    number = as_integer(value, name, function)
    if number < 0:
        raise ShapeError(f"{function}: {name} must not be negative, got {number}")
    return number


def as_bool(value: Any, name: str, function: str = "") -> bool:
    """Return the truth value that an argument is; functions without the boundary give their name for the message."""
    if type(value) is bool:
        return value
    try:
        return call_user_code(bool, value)
    except RecursionError:
        raise
    except (TypeError, ValueError, RuntimeError):
        raise _refusal(function, f"{name} must be True or False, got {describe(value)}") from None


def check_callable(value: Any, name: str, function: str) -> Any:
    """Return `value` if it is callable; raise TypeError otherwise."""
    if not callable(value):
        raise TypeError(f"{function}: {name} must be a function, got {describe(value)}")
    return value


def check_choice(value: object, name: str, choices: Iterable[str | None], function: str) -> None:
    """Raise ValueError for an argument that is none of its choices."""
    if not isinstance(value, str | None) or value not in choices:
        *others, last = map(repr, choices)
        raise ValueError(f"{function}: {name} must be {', '.join(others)} or {last}, got {describe(value)}")


#: The builtin classes that errors keep when their message changes, the more special ones first.
_KINDS: Final = (
    AxisError, IndexError, OverflowError, MemoryError, ModuleNotFoundError, ValueError, NotImplementedError, TypeError,
)  # fmt: skip


def begins_with_name(message: str) -> bool:
    """Whether a message begins with the name of a public function."""
    return without_names(message) is not message


def without_names(message: str) -> str:
    """Return a message without the names of functions that it begins with."""
    while found := _BEGINNING.match(message):
        name = found[1]
        if name not in NAMES and name.rpartition(".")[2] not in NAMES and not name.startswith("at["):
            break
        message = message[found.end() :]
    return message


def with_function_name(error: Exception, function: str, message: str = "") -> Exception:
    """Return an error of the same class whose message begins with a function's name, and not with that of a part of it."""
    message = message or str(error)
    if isinstance(error, TypePromotionError) and not begins_with_name(message):
        stated = f"{message.partition(' Raised by ')[0]} Raised by {function}."
        return error if message == stated else type(error)(stated)
    if message.startswith(tuple(f"{function}{end}" for end in (":", ",", " ", "(", "."))):
        return error
    own = type(error).__module__.partition(".")[0] == _PACKAGE
    kind = type(error) if own else next((kind for kind in _KINDS if isinstance(error, kind)), ValueError)
    message = without_names(message)
    return kind(f"{function}{' ' if message.startswith(_VERBS) else ': '}{message}")


def describe(value: object) -> str:
    """Return a short repr of an argument; lists may contain themselves, and objects may refuse to be printed."""
    try:
        text = call_user_code(_SHORT.repr, value)
        matrix = "\n" in text and hasattr(type(value), "__array_namespace__")
        return f"{type(value).__name__} of {value.dtype}, shape {value.shape}" if matrix else text  # type: ignore[attr-defined]  # of an array
    except Exception:  # noqa: BLE001 - the object's own code may raise anything, and the message is about something else
        return f"an object of type {type(value).__name__}"


def nearest(name: object, known: Iterable[str]) -> str:
    """Return ``"; did you mean a or b?"`` for a misspelt name, or an empty string if no known name is similar."""
    import difflib  # only for messages of errors

    near = difflib.get_close_matches(name.lower(), list(known), n=3) if isinstance(name, str) else []
    return f"; did you mean {' or '.join(near)}?" if near else ""


Shape = tuple[int, ...]
#: Number of arrays from which memory for them is tried first.
_MANY: Final = 1 << 20
#: Bytes that an array needs at least, with its ndarray.
_SIZE_OF_ARRAY: Final = 128


def is_too_large(shape: Shape, itemsize: int) -> bool:
    """Return whether no array has a shape and elements of so many bytes."""
    return math.prod([n for n in shape if n], start=itemsize) > sys.maxsize


def check_count(function: str, count: int, what: str) -> None:
    """Refuse to make more arrays than there is memory for: axes without elements may have any length."""
    if count > _MANY:
        try:
            bytes(count * _SIZE_OF_ARRAY)
        except (MemoryError, OverflowError):
            raise MemoryError(f"{function}: {count} {what} do not fit into memory") from None


def check_shape(function: str, shape: Shape, itemsize: int) -> None:
    """Refuse a shape that no array has; functions behind the boundary need not give their name for the message."""
    if is_too_large(shape, itemsize):
        message = f"no array has the shape {shape}: it would be too large"
        raise ValueError(f"{function}: {message}") if function else without_function_name(ValueError(message))


def shape_error(function: str, *shapes: Shape) -> ValueError:
    """Return the error for shapes that cannot be broadcast together, or only to a shape that no array has."""
    axes = [{*axis} - {1} for axis in zip_longest(*[shape[::-1] for shape in shapes], fillvalue=1)][::-1]
    if all(len(lengths) <= 1 for lengths in axes):
        shape = tuple([lengths.pop() if lengths else 1 for lengths in axes])
        return ValueError(f"{function}: no array has the shape {shape}: it would be too large")
    *first, last = map(str, shapes)
    return ShapeError(f"{function}: the shapes {', '.join(first)} and {last} cannot be broadcast together")
