"""The lock of the package, which no child of `os.fork` finds held by a thread that the child does not have."""

from __future__ import annotations

import _imp
import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from importlib import _bootstrap, import_module
from typing import Final

#: Guards what threads change together: the process-wide settings, the table of states, the counts of traces.
LOCK: Final = threading.RLock()
#: The modules that are being imported now, if this Python shows them: keys are their names.
_IMPORTING: Final[Mapping[str, object]] = getattr(_bootstrap, "_module_locks", {})


def _before_fork() -> None:
    """Take the lock, and Python's of imports, at a moment when no thread imports a module of the package."""
    seen: set[str] = set()
    while True:
        LOCK.acquire()
        _imp.acquire_lock()  # no import begins until the fork is done
        names = [name for name in tuple(_IMPORTING) if name.startswith("supremum.") and name not in seen]
        if not names:
            return
        _after_fork()
        for name in names:  # wait for the thread that imports it, which may need the locks
            with suppress(Exception):  # also Python's own, where the other thread waits for this one
                import_module(name)
        seen.update(names)


def _after_fork() -> None:
    _imp.release_lock()
    LOCK.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
