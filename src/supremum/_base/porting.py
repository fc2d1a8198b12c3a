"""Warnings of calls that do less here than in NumPy, without an error."""

from __future__ import annotations

import dis
import os
import sys
import warnings
from functools import cache
from types import CodeType, FrameType
from typing import Final

from supremum._base.exceptions import QUIET, stack_level


class PortingWarning(UserWarning):
    """A call that does less than NumPy's, without an error, as ``x.sort()`` whose result is dropped.

    ``warnings.simplefilter("ignore", supremum.PortingWarning)`` turns them off.
    """

    __module__ = "supremum"


_DROP: Final = dis.opmap["POP_TOP"]
_CACHE: Final = dis.opmap.get("CACHE", 0)


@cache
def _libraries() -> tuple[str, ...]:
    """Return where libraries are installed: their lines are not the user's."""
    import sysconfig  # which takes long

    return tuple({sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib", "purelib", "platlib")})


#: Whether a call drops its result, by its place in a code object, which is kept so that its identity stays its own.
_seen: Final[dict[tuple[int, int], tuple[CodeType, bool]]] = {}
#: Whether lines may get warnings; no longer once programs of JAX run, which know that arrays do not change.
may_warn: Final = [True]


def is_dropped(frame: FrameType) -> bool:
    """Whether the user's line, from a frame that it called or its own, drops the result of the call that it is making."""
    code, at = frame.f_code, frame.f_lasti
    found = _seen.get((id(code), at))
    if found is None and frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("supremum."):
        return is_dropped(frame.f_back)  # from the engine in Python
    if found is None:
        instructions, behind = code.co_code, at + 2
        while behind < len(instructions) and instructions[behind] == _CACHE:
            behind += 2
        dropped = (
            behind < len(instructions) and instructions[behind] == _DROP and not code.co_filename.startswith(_libraries())
        )
        found = _seen[id(code), at] = code, dropped
    return found[1]


def warn(message: str) -> None:
    """Warn of a line of the user's: once, as Python's filters do unless they are changed; never of a library's line."""
    level = stack_level()
    if may_warn[0] and not QUIET.get() and not sys._getframe(level - 1).f_code.co_filename.startswith(_libraries()):
        warnings.warn(message, PortingWarning, level)
