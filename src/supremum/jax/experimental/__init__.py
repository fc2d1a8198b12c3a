"""The names of ``jax.experimental``."""

from __future__ import annotations

from contextlib import AbstractContextManager

from supremum import enable_x64 as enable_x64
from supremum.jax import _modules
from supremum.jax._api import io_callback as io_callback

__all__ = ["disable_x64", "enable_x64", "io_callback"]


def disable_x64() -> AbstractContextManager[None]:
    """Disable 64-bit dtypes within a ``with`` block."""
    return enable_x64(False)


__getattr__ = _modules.finder("jax.experimental")
