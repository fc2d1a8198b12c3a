"""The names of ``jax.scipy.sparse``: solvers of linear systems that are given by functions."""

from supremum.jax._sparse import linalg as linalg

__all__ = ["linalg"]
