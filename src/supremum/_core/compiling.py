"""What the sources say to the compiler, for where there is none."""

from __future__ import annotations

from typing import TypeVar

__all__ = ["mypyc_attr"]

_Class = TypeVar("_Class", bound=type)


class mypyc_attr:
    """A decorator that tells mypyc about a class and does nothing; type checkers, and mypyc, see mypy's own."""

    def __init__(self, **attributes: object) -> None:
        self.attributes = attributes

    def __call__(self, cls: _Class) -> _Class:
        """Return the class."""
        return cls
