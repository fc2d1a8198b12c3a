"""Rotations, of ``jax.scipy.spatial``."""

from supremum.scipy.spatial import transform as transform

__all__ = ["transform"]
