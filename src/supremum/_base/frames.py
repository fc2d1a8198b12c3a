"""Tracebacks of errors end in the user's line: frames of this package, and of what it calls, are left out.

The environment variable ``SUPREMUM_TRACEBACKS=full``, JAX's ``JAX_TRACEBACK_FILTERING=off`` or ``config.tracebacks = "full"``
keeps them.
"""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Any, Final, TypeVar

E = TypeVar("E", bound=BaseException)

_full: Final = os.environ.get("SUPREMUM_TRACEBACKS") == "full" or os.environ.get("JAX_TRACEBACK_FILTERING") == "off"
#: Whether tracebacks are full.
FULL: Final = [_full]
#: Whose frames are left out where this package calls them; ``__main__`` is in the list of Python's modules too.
_CALLED: Final = frozenset({"numpy", "ml_dtypes", "scipy"} | sys.stdlib_module_names) - {"__main__"}


def without_own_frames(error: E) -> E:
    """Leave the frames of this package out of the traceback of an error, and of those that it was raised from; return it."""
    if FULL[0]:
        return error
    seen: set[int] = set()
    last: BaseException | None = error
    while last is not None and id(last) not in seen:
        seen.add(id(last))
        last.__traceback__ = _of_user(last.__traceback__)
        reason = last.__cause__ or (None if last.__suppress_context__ else last.__context__)
        if reason is not None and reason.__traceback__ is not None and _of_user(reason.__traceback__) is None:
            reason, last.__suppress_context__ = None, True  # it was raised and handled within this package
            last.__cause__ = None
        last = reason
    return error


def _of_user(trace: TracebackType | None) -> TracebackType | None:
    """Return a traceback without the frames of this package, and of NumPy and Python where the package calls them."""
    kept, inside = [], True
    while trace is not None:
        home = trace.tb_frame.f_globals.get("__name__", "").partition(".")[0]
        inside = home == "supremum" or (inside and home in _CALLED)
        if not inside:
            kept.append(trace)
        trace = trace.tb_next
    of_user: TracebackType | None = None
    for one in reversed(kept):
        of_user = TracebackType(of_user, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return of_user


def to_raise(changed: E, error: BaseException) -> E:
    """Return the error that is raised in place of another one, which full tracebacks show as its cause."""
    if changed is not error:
        changed.__cause__, changed.__suppress_context__ = (error if FULL[0] else None), True
        changed.__context__ = error
    return without_own_frames(changed)


def as_it_is(error: Exception, _args: tuple[Any, ...], _kwargs: dict[str, Any]) -> Exception:
    """Return an error without own frames; the handler of functions whose errors keep their messages."""
    return without_own_frames(error)
