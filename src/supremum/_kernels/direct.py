"""NumPy's functions without the dispatch by ``__array_function__``, which is slow for small buffers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["concatenate", "copyto", "direct", "vdot", "where"]


def direct(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return NumPy's implementation of a function without dispatch, or the function itself if it has none."""
    found: Callable[..., Any] = getattr(function, "_implementation", function)
    return found


concatenate: Final = direct(np.concatenate)
copyto: Final = direct(np.copyto)
vdot: Final = direct(np.vdot)
where: Final = direct(np.where)
