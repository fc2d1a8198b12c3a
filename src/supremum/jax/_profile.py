"""The settings of JAX: no 64-bit dtypes unless asked for, immutable arrays, and indices that are clipped to their range."""

from __future__ import annotations

import os
from typing import Final

from supremum import config

__all__ = ["use_profile"]

_TRUE: Final = frozenset({"1", "true", "t", "yes", "y", "on"})


def use_profile() -> None:
    """Set the settings that JAX begins with, for the process.

    The environment variables ``JAX_ENABLE_X64`` and ``JAX_NUMPY_DTYPE_PROMOTION`` count, as they do for JAX.
    """
    config.update("mutable", False)
    config.update("out_of_range", "clip")
    config.update("jax_enable_x64", os.environ.get("JAX_ENABLE_X64", "").strip().lower() in _TRUE)
    if promotion := os.environ.get("JAX_NUMPY_DTYPE_PROMOTION"):
        config.update("jax_numpy_dtype_promotion", promotion)
