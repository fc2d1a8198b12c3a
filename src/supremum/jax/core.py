"""The names of ``jax.core`` that programs use to look at values."""

from __future__ import annotations

from typing import Any

from supremum._array.sharding import AbstractValue as AbstractValue, ShapedArray as ShapedArray
from supremum.jax import _modules
from supremum.jax._batching import Tracer as Tracer

__all__ = ["AbstractValue", "ShapedArray", "Tracer", "get_aval"]


def get_aval(x: Any) -> ShapedArray:
    """Return the shape and the dtype of a value."""
    from supremum.jax._api import typeof

    return typeof(x)


def __getattr__(name: str) -> Any:
    return _modules.find("jax.core", name)
