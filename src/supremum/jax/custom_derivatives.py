"""The names of ``jax.custom_derivatives``."""

from __future__ import annotations

from typing import Any

from supremum.jax import _modules
from supremum.jax._derivatives import closure_convert, custom_gradient, custom_jvp, custom_vjp
from supremum.jax.lax import custom_linear_solve, custom_root

__all__ = ["closure_convert", "custom_gradient", "custom_jvp", "custom_linear_solve", "custom_root", "custom_vjp"]


def __getattr__(name: str) -> Any:
    return _modules.find("jax.custom_derivatives", name)
