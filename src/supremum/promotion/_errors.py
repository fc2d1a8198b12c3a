"""Exceptions of promotion, and suggestions for misspelt names."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["LatticeError", "TypePromotionError", "nearest"]


def nearest(name: object, known: Iterable[str]) -> str:
    """Return ``"; did you mean a or b?"`` for a misspelt name, or an empty string if no known name is similar."""
    import difflib  # only for messages of errors

    near = difflib.get_close_matches(name.lower(), list(known), n=3) if isinstance(name, str) else []
    return f"; did you mean {' or '.join(near)}?" if near else ""


class TypePromotionError(TypeError, ValueError):
    """Operands have no common type in the active promotion system.

    It is a ``TypeError`` to users of NumPy and of the array API, and a ``ValueError`` to users of JAX.
    """

    __module__ = "supremum.promotion"


class LatticeError(ValueError):
    """A graph of types breaks a law of promotion; the message has a counterexample for each broken law.

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
