"""Clusters, of ``jax.scipy.cluster``."""

from supremum.scipy.cluster import vq as vq

__all__ = ["vq"]
