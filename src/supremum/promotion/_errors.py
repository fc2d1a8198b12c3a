"""Exceptions of promotion."""

from __future__ import annotations


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
