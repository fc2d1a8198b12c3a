"""Linear systems given by functions, of ``jax.scipy.sparse``."""

from supremum.scipy.sparse import linalg as linalg

__all__ = ["linalg"]
