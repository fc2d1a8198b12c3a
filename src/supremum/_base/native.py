"""The extension module, where it was compiled, is wanted and can be used: the engine in C and its loops.

`SUPREMUM_PURE=1` leaves it out, and so does an installation without it. It relies on a few things of NumPy that it tries when
it is loaded (`native/numpy.c`); where one does not hold, it is left out too. All modules import it from here.
"""

from __future__ import annotations

import importlib
import os
from types import ModuleType
from typing import Any, Final


def _load() -> tuple[ModuleType | None, str]:
    if os.environ.get("SUPREMUM_PURE", "0") not in ("", "0"):
        return None, f"SUPREMUM_PURE={os.environ['SUPREMUM_PURE']} chose it"
    try:
        return importlib.import_module("supremum._native"), ""
    except ModuleNotFoundError:
        return None, "none in C was compiled: with a C compiler, install again"
    except ImportError as error:
        return None, str(error)


_loaded, _reason = _load()

#: The module, or None. What it has is described by what replaces it: `_core._reference`, `_kernels.extremes`.
native: Final[Any] = _loaded
#: Why there is none.
why_not: Final[str] = _reason
