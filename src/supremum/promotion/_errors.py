"""What promotion raises, and what it proposes for a name that is none."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["LatticeError", "TypePromotionError", "nearest"]


def nearest(name: object, known: Iterable[str]) -> str:
    """Give ``"; did you mean a or b?"`` for a misspelt name, or nothing where no known one is near."""
    import difflib  # here, because a good name never needs it

    near = difflib.get_close_matches(name.lower(), list(known), n=3) if isinstance(name, str) else []
    return f"; did you mean {' or '.join(near)}?" if near else ""


class TypePromotionError(TypeError, ValueError):
    """Operands have no common type in the active promotion system.

    It is a ``TypeError`` to users of NumPy and of the array API, and a ``ValueError`` to users of JAX.
    """

    __module__ = "supremum.promotion"


class LatticeError(ValueError):
    """A graph of types breaks a law that promotion rests on; the message holds a counterexample of each.

    Attributes
    ----------
    violations : tuple of str
        One sentence for each violated law.
    """

    __module__ = "supremum.promotion"

    def __init__(self, message: str, violations: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.violations: tuple[str, ...] = violations or (message,)

    def __reduce__(self) -> tuple[type[LatticeError], tuple[str, tuple[str, ...]]]:
        return type(self), (str(self), self.violations)
