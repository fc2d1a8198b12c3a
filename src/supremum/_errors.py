"""Exceptions of the namespace that NumPy and JAX would raise under different classes."""

__all__ = ["NotNumericError", "ShapeError"]


class ShapeError(ValueError, TypeError):
    """Shapes that do not fit each other: a ValueError to NumPy's users and a TypeError to JAX's."""


class NotNumericError(TypeError, ValueError):
    """A thing that no array of numbers can be made of: a TypeError to NumPy's users, and for None a ValueError to JAX's."""
