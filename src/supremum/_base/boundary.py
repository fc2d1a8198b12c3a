"""The boundary: what every public function does around its work.

`publish(__name__)` is the last statement of a module of public functions. It gives them the name of the module in which users
find them, and wraps them: they run in silence, and an error whose message does not begin with the function's name gets it in
front, with what the function got. Functions check their arguments where they use them and need not know their own names for
that. Fast paths of the engine come before the wrapper.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final, TypeVar

import numpy as np

from supremum._base.errors import (
    NAMES,
    DeletedArrayError,
    begins_with_name,
    describe,
    is_nameless,
    with_function_name,
    without_names,
)
from supremum._base.native import native
from supremum._base.silence import is_from_user, with_translated_errors, without_float_warnings

__all__ = ["name_errors", "need_around", "provide_around", "public_module", "publish", "relocate"]

#: Namespaces whose functions are known by the name of the namespace too: "linalg.solve", "norm.cdf".
_PREFIXED: Final = re.compile(r".*\.(fft|linalg)|supremum\.scipy\.stats\.\w+")
#: What an error of NumPy's or Python's means to somebody who called a function.
_MEANING: Final[tuple[tuple[type[Exception], str], ...]] = (
    (OverflowError, "an argument is out of range"),
    (IndexError, "an index or an axis is out of range"),
    (ValueError, "the values or the shapes of the arguments do not fit"),
    (Exception, "an argument is of a type that it does not take"),
)
_MEANINGS: Final = tuple(what for _, what in _MEANING)
C = TypeVar("C")

#: What runs around every public function once it is needed: called with the function, its name, and its arguments.
_AROUND: Final[list[Callable[..., Any]]] = []
_around_provided: list[Callable[..., Any]] = []
_around_needed: list[bool] = []


def provide_around(around: Callable[..., Any]) -> None:
    """Set what is to run around public functions; a higher module does."""
    _around_provided[:] = [around]
    if _around_needed:
        need_around()


def need_around() -> None:
    """Have it run: a promotion system with rules of its own for functions, or an observer, came into being."""
    _around_needed[:] = [True]
    if native is not None and _around_provided and not _AROUND:
        native.use_around(_around_provided[0])  # in states that are watched
    _AROUND[:] = _around_provided


def public_module(module: str) -> str:
    """Return the name of the module in which users find what a module of this package defines.

    Examples
    --------
    >>> public_module("supremum._functions.sorting"), public_module("supremum.random.keys")
    ('supremum', 'supremum.random')
    >>> public_module("supremum.scipy.stats._samples")
    'supremum.scipy.stats'
    """
    package, _, rest = module.partition(".")
    namespace, _, inner = rest.partition(".")
    if not rest or rest.startswith("_"):
        return package
    # The submodules of `scipy` and `lib` are namespaces of their own.
    public = inner.partition("._")[0] if namespace in ("scipy", "lib") else ""
    return f"{package}.{namespace}.{public}" if public else f"{package}.{namespace}"


def relocate(home: str, *values: Any) -> None:
    """Set the ``__module__`` of functions and classes to the module in which users find them."""
    for value in values:
        value.__module__ = home


def publish(module: str, *, home: str = "", only: tuple[str, ...] = (), not_silent: tuple[str, ...] = ()) -> None:
    """Set the public module of what is in the ``__all__`` of a module, and wrap its functions.

    Parameters
    ----------
    module : str
        The name of the module.
    home : str
        The name of the module in which users find the functions, if `public_module` does not tell it.
    only : tuple of str
        The functions to wrap; all of them by default.
    not_silent : tuple of str
        Functions that compute nothing, which need no silence.
    """
    names = vars(sys.modules[module])
    home = home or public_module(module)
    if home == module:
        names.setdefault("__dir__", functools.partial(sorted, names["__all__"]))  # for completion
    NAMES.update(names["__all__"])
    prefix = f"{home.rpartition('.')[2]}." if _PREFIXED.fullmatch(home) else ""
    wrapped: dict[Any, Any] = {}  # two names of one function stay two names of one function
    for name in names["__all__"]:
        value = names[name]
        if getattr(value, "__module__", None) != module:
            names[name] = wrapped.get(value, value) if isinstance(value, FunctionType) else value
        elif callable(value):  # a function, a class or a ufunc
            value.__module__ = home
            if isinstance(value, FunctionType) and (not only or name in only):
                wrapped[value] = names[name] = _inside(value, prefix + value.__name__, silence=name not in not_silent)


def _inside(function: Callable[..., Any], name: str, *, silence: bool) -> Callable[..., Any]:
    """Return a public function: `function` behind the boundary, which is in C if the engine is."""
    translate = functools.partial(_with_name, name)
    found: Callable[..., Any]
    if native is None:
        found = with_translated_errors(without_float_warnings(_hooked(function, name)), translate)
    else:
        found = native.Boundary(function, translate, silence, name)
    # jedi, which completes names in IPython, looks for a definition of this name, and reads its file as the public module,
    # where imports of the package fail. Without such a definition it uses the annotations of the function.
    function.__name__ = f"{name} (definition)"
    return found


def _hooked(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return a function that the hook calls once it is needed."""

    @functools.wraps(function)
    def _call(*args: Any, **kwargs: Any) -> Any:
        return _AROUND[0](function, name, args, kwargs) if _AROUND else function(*args, **kwargs)

    return _call


def name_errors(kind: type[C]) -> type[C]:
    """Decorate a class: its public methods put their name in front of errors of the functions that they call."""
    for name, method in list(vars(kind).items()):
        if isinstance(method, FunctionType) and not name.startswith("_"):
            setattr(kind, name, with_translated_errors(method, functools.partial(_with_name_if_called, name)))
        elif isinstance(method, classmethod) and not name.startswith("_"):
            translate = functools.partial(_with_name_if_called, name)
            setattr(kind, name, classmethod(with_translated_errors(method.__func__, translate)))
    return kind


def _with_name_if_called(name: str, error: Exception, _args: tuple[Any, ...], _kwargs: dict[str, Any]) -> Exception:
    """Return the error to raise in place of `error`: `error` itself unless a public function raised it."""
    return with_function_name(error, name) if begins_with_name(str(error)) else error


def _with_name(name: str, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Exception:
    """Return the error to raise in place of `error`: `error` itself if its message names the function."""
    message, bare = str(error), name.rpartition(".")[2]
    if is_from_user(error) or isinstance(error, DeletedArrayError):
        return error
    if isinstance(error, SystemError):  # NumPy's reductions raise no error where they get no memory, and Python this one
        lacking = message.endswith(("returned NULL without setting an exception", "error return without exception set"))
        return MemoryError(f"{name}: there is not enough memory") if lacking else error
    if is_nameless(error) or type(error).__name__ == "TypePromotionError":  # which is defined above this module
        return with_function_name(error, name)
    if message.startswith((f"{name} ", f"{name}:", f"{bare} ", f"{bare}:", f"{bare},", f"{bare}()")):
        return error
    if begins_with_name(message) and not without_names(message).startswith(_MEANINGS):  # of a function that this one calls
        return with_function_name(error, name)
    if isinstance(error, ImportError):
        return error
    # Found by NumPy or Python, in words about the inside of the function; they are in the error's cause.
    what = next(what for kind, what in _MEANING if isinstance(error, kind))
    given = ", ".join([*(_described(value) for value in args), *(f"{key}={_described(x)}" for key, x in kwargs.items())])
    return with_function_name(error, name, message=f"{what}; got {given}")


def _described(value: Any) -> str:
    """Return a short text for an argument: the dtype and the shape of an array rather than its elements."""
    if hasattr(type(value), "__array_namespace__") or isinstance(value, np.ndarray):
        return f"{type(value).__name__} of {value.dtype}, shape {value.shape}"
    return describe(value)
