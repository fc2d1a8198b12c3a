"""Errors on their way out: a message names the public function that was called, and says what that got.

Functions check what they are given where they use it, and say what is wrong in words of their own. What slips through, because
NumPy or Python found it first, is caught here and put into words that mean something to the caller. It costs a call more, so
the functions that take less than a microsecond do without.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType
from typing import Any, Final

import numpy as np

from supremum._base.errors import DeletedArrayError, DtypeError, named, shown
from supremum._base.silence import silent

__all__ = ["PUBLIC", "publish"]

#: How messages of this package begin: "linalg.solve: ...", "sum does not accept ...", "take() missing 1 required ...".
_OWN: Final = re.compile(r"(?:[A-Za-z]\w*\.)*([A-Za-z]\w*)(:|, arg| requires | does not | takes |\(\) )")
#: An array where one value belongs, whoever's array it is.
_AMBIGUOUS: Final = re.compile("truth value|Boolean value|compare structured")
_OF_TYPES: Final = (
    r"object is not|unhashable|has no |unsized|interpret|must be |convert|expected|descriptor|argument|unpack|only be"
    r"|homogeneous|not producing an array|iterable|Field elements|ufunc '|support|itemsize"
)
#: What NumPy and Python say, and what it means to somebody who called a function.
_MEANING: Final = (
    (_AMBIGUOUS.pattern, "an argument that is one value is an array"),
    (r"recursion", "an argument is nested too deeply, or contains itself"),
    (r"too (large|big)|Maximum allowed|maximum possible|less than minimum|negative dimensions", "an argument is out of range"),
    (r"broadcast|shape mismatch|same number of dimensions|axis remapping|too deep", "the shapes of the arguments do not fit"),
    (_OF_TYPES, "an argument is of a type that it does not take"),
)
#: Rooms whose functions are known by the room's name too.
_PREFIXED: Final = frozenset({"fft", "linalg"})
#: Interpreted functions and compiled ones.
_FUNCTIONS: Final = (FunctionType, BuiltinFunctionType)
#: The names of all functions that were here.
_speakers: Final[set[str]] = set()
#: The names of the namespace; `_names`, which stands above this module, fills it.
PUBLIC: Final[set[str]] = set()
_HERE: Final = frozenset({"supremum", "numpy", "ml_dtypes"})


def publish(module: str, *, only: tuple[str, ...] = (), without: tuple[str, ...] = ()) -> None:
    """Have the public functions of a module name themselves in what they raise, and run in silence.

    Parameters
    ----------
    module : str
        The name of the module, whose last statement this is.
    only : tuple of str
        Which functions; all of them by default.
    without : tuple of str
        Functions that are too quick for it, and see to silence themselves.
    """
    names = vars(sys.modules[module])
    _speakers.update(names["__all__"])
    spoken: dict[Any, Any] = {}  # two names of one function stay two names of one function
    for name in only or names["__all__"]:
        function = names[name]
        if isinstance(function, _FUNCTIONS) and function.__module__ == module and function.__name__ not in without:
            if function not in spoken:
                room = module.split(".")[1]
                spoken[function] = _spoken(silent(function), f"{room}.{name}" if room in _PREFIXED else name)
            names[name] = spoken[function]


def _spoken(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    @functools.wraps(function)
    def _call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError, IndexError, OverflowError, RuntimeError) as error:
            if _speaks(error, name) or (_is_the_callers(error) and not _AMBIGUOUS.search(str(error))):
                raise
            raise _in_our_words(error, name, args, kwargs) from error

    return _call


def _speaks(error: Exception, name: str) -> bool:
    """Whether a message begins with a function of ours, or is about an array whatever the function."""
    if isinstance(error, DeletedArrayError):
        return True
    message, bare = str(error), name.rpartition(".")[2]
    if message.startswith((f"{name} ", f"{bare} ")):
        return True
    found = _OWN.match(message)
    if found is None:
        return f"Raised by {name}" in message
    return found[1] == bare or (found[2] != "() " and (found[1] in _speakers or found[1] in PUBLIC))


def _is_the_callers(error: Exception) -> bool:
    """Whether the code that raised is the caller's: a function that was passed in, or a method of an object."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return False
    home = trace.tb_frame.f_globals.get("__name__", "").partition(".")[0]
    return home not in _HERE and home not in sys.stdlib_module_names


def _in_our_words(error: Exception, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Exception:
    if type(error).__name__ == "TypePromotionError":
        return named(error, name)
    message = str(error)
    meaning = next((meaning for pattern, meaning in _MEANING if re.search(pattern, message)), message)
    given = [*map(_seen, args), *(f"{key}={_seen(value)}" for key, value in kwargs.items())]
    kind = ValueError if isinstance(error, RecursionError) else type(error)
    return named(_plain(kind)(f"{meaning}; got {', '.join(given)}"), name)


def _plain(kind: type[Exception]) -> type[Exception]:
    """Give the builtin class of an error: NumPy's own take other arguments than a message."""
    if issubclass(kind, DtypeError):
        return DtypeError
    return next((plain for plain in (IndexError, OverflowError, ValueError) if issubclass(kind, plain)), TypeError)


def _seen(value: Any) -> str:
    """Give a word for an argument: of an array, what it is rather than what is in it."""
    if hasattr(type(value), "__array_namespace__") or isinstance(value, np.ndarray):
        return f"{type(value).__name__} of {value.dtype}, shape {value.shape}"
    return shown(value)
