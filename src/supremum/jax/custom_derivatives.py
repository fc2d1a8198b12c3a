"""The names of ``jax.custom_derivatives``."""

from __future__ import annotations

from supremum.jax._derivatives import closure_convert, custom_gradient, custom_jvp, custom_vjp
from supremum.jax.lax import custom_linear_solve, custom_root

__all__ = ["closure_convert", "custom_gradient", "custom_jvp", "custom_linear_solve", "custom_root", "custom_vjp"]
