"""The names of ``jax.experimental``."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from typing import Any

from supremum import enable_x64 as enable_x64
from supremum.jax import _modules
from supremum.jax._api import io_callback as io_callback

__all__ = ["disable_x64", "enable_x64", "io_callback"]


def disable_x64() -> AbstractContextManager[None]:
    """Disable 64-bit dtypes within a ``with`` block."""
    return enable_x64(False)


def __getattr__(name: str) -> Any:
    if f"{__name__}.{name}" in sys.modules:
        return sys.modules[f"{__name__}.{name}"]
    return _modules.find("jax.experimental", name)
