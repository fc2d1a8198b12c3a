"""Buffers, which are NumPy arrays of any dtype and shape, and the extension module that computes with them.

The extension module is there where it was compiled, is wanted and can be used: the engine in C and its loops.
`SUPREMUM_PURE=1` leaves it out, and so does an installation without it. It relies on a few things of NumPy that it tries when
it is loaded (`native/numpy.c`); where one does not hold, it is left out too. All modules import it from here.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final

import numpy as np

Buffer = np.ndarray[Any, Any]


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
#: Make a buffer whose elements are to be written. The engine takes large ones from memory that was used before.
empty: Final[Callable[[Sequence[int], np.dtype[Any]], Buffer]] = np.empty if native is None else native.empty
