"""The extension module, where it was compiled and is wanted: the engine in C and its loops.

`SUPREMUM_PURE=1` leaves it out, and so does an installation without it. All modules
import it from here.
"""

from __future__ import annotations

import importlib
import os
from types import ModuleType
from typing import Any, Final


def _load() -> ModuleType | None:
    if os.environ.get("SUPREMUM_PURE", "0") not in ("", "0"):
        return None
    try:
        return importlib.import_module("supremum._native")
    except ModuleNotFoundError:
        return None


#: The module, or None. What it has is described by what replaces it: `_core._reference`, `_kernels.extremes`.
native: Final[Any] = _load()
