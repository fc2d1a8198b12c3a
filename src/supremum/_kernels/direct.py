"""NumPy's functions without the search for types that override them, which plain buffers are not and small ones pay for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["concatenate", "copyto", "direct", "vdot", "where"]


def direct(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what NumPy calls for buffers where it says what that is, and else the function itself."""
    found: Callable[..., Any] = getattr(function, "_implementation", function)
    return found


concatenate: Final = direct(np.concatenate)
copyto: Final = direct(np.copyto)
vdot: Final = direct(np.vdot)
where: Final = direct(np.where)
