"""The names of ``jax.dlpack``."""

from __future__ import annotations

from supremum import from_dlpack

__all__ = ["from_dlpack"]
