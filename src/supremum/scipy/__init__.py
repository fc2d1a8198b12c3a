"""What little of ``jax.scipy`` array scripts need."""

from supremum.scipy import special as special, stats as stats

__all__ = ["special", "stats"]
