"""The lock of the package, which no child of `os.fork` finds held by a thread that the child does not have."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from importlib import _bootstrap, import_module
from typing import Final

__all__ = ["LOCK"]

#: Guards what threads change together: the process-wide settings, the table of states, the counts of traces.
LOCK: Final = threading.RLock()
#: The modules that are being imported now, if this Python shows them: keys are their names.
_IMPORTING: Final[Mapping[str, object]] = getattr(_bootstrap, "_module_locks", {})


def _before_fork() -> None:
    """Take the lock; before that, wait for threads that import modules of the package, which hold Python's locks of them."""
    seen: set[str] = set()
    while names := [name for name in tuple(_IMPORTING) if name.startswith("supremum.") and name not in seen]:
        for name in names:
            with suppress(Exception):  # also Python's own, where the other thread waits for this one
                import_module(name)
        seen.update(names)
    LOCK.acquire()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=LOCK.release, after_in_child=LOCK.release)
