"""What little of ``jax.scipy`` array scripts need."""

from supremum.scipy import special

__all__ = ["special"]
