"""Exceptions of the namespace that NumPy and JAX would raise under different classes."""

__all__ = ["DtypeError", "NotNumericError", "ShapeError"]


class ShapeError(ValueError, TypeError):
    """Shapes that do not fit each other: a ValueError to NumPy's users and a TypeError to JAX's."""


class NotNumericError(TypeError, ValueError):
    """A thing that no array of numbers can be made of: a TypeError to NumPy's users, and for None a ValueError to JAX's."""


class DtypeError(TypeError, ValueError):
    """A dtype that a function refuses: a TypeError to NumPy's users, and at some functions a ValueError to JAX's."""
