"""Exceptions of the namespace that NumPy and JAX would raise under different classes."""

__all__ = ["ShapeError"]


class ShapeError(ValueError, TypeError):
    """Shapes that do not fit each other: a ValueError to NumPy's users and a TypeError to JAX's."""
