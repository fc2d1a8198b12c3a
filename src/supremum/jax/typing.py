"""The types of ``jax.typing``."""

from __future__ import annotations

from supremum._core.typing import ArrayLike as ArrayLike, DTypeLike as DTypeLike

__all__ = ["ArrayLike", "DTypeLike"]
