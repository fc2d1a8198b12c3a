"""Suppress NumPy's floating-point warnings while functions of this package run.

NumPy keeps its error state in a context variable, which `numpy.errstate` sets. Setting the variable itself costs a fifth of
an `errstate`. Like `errstate`, it affects the running thread and context only, and nothing global.

User code that runs inside a function of this package (a callback, a method of an object) is to warn and raise as it does
outside: `call_user_code` calls it under the error state that was active when the function was called.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from typing import Any, Final, ParamSpec, TypeVar

import numpy as np

from supremum._base.buffers import native

P = ParamSpec("P")
R = TypeVar("R")
E = TypeVar("E", bound=Exception)


def _found() -> tuple[ContextVar[Any], Any]:
    """Return NumPy's variable and its value under ``errstate(all="ignore")``; an empty context has no other variable."""
    with np.errstate(all="ignore"):
        [found] = copy_context().items()
    return found


_FOUND: Final = Context().run(_found)
#: The variable that holds NumPy's error state, and its value that ignores all floating-point errors.
ERRORS: Final[ContextVar[Any]] = _FOUND[0]
SILENT: Final[Any] = _FOUND[1]
#: The error state that was active when the user called a `silent` function.
CALLERS: Final[ContextVar[Any]] = ContextVar("supremum_callers_errors")

#: Packages whose exceptions are not the user's; functions in C have no frame, so theirs seem to come from this package.
_OTHERS: Final = frozenset({"supremum", "numpy", "ml_dtypes"}) | sys.stdlib_module_names
#: The attribute of exceptions that code of the user's raised.
_MARK: Final = "_supremum_from_user"

_set: Final = ERRORS.set
_get: Final = ERRORS.get


def call_user_code(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """Call user code under the error state that was active when the user called the running function; mark what it raises."""
    token = _set(CALLERS.get(SILENT)) if _get() is SILENT else None
    try:
        return function(*args, **kwargs)
    except Exception as error:
        if _raised_by(error) not in _OTHERS:
            setattr(error, _MARK, True)
        raise
    finally:
        if token is not None:
            ERRORS.reset(token)


def _raised_by(error: Exception) -> str:
    """Return the package of the function that raised an exception; functions of ours leave no frames."""
    trace = error.__traceback__
    package = "supremum"
    while trace is not None:
        home = trace.tb_frame.f_globals.get("__name__", "").partition(".")[0]
        package = home if home != "supremum" else package
        trace = trace.tb_next
    return package


def as_raised_by_user(error: E) -> E:
    """Mark an error whose message no function changes."""
    setattr(error, _MARK, True)
    return error


def is_from_user(error: Exception) -> bool:
    """Whether an exception was raised by code of the user's that `call_user_code` called."""
    return hasattr(error, _MARK)


if native is not None:
    native.use_silence(ERRORS, SILENT, CALLERS, call_user_code)
