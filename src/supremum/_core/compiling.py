"""mypyc's class decorator, for uncompiled code and without a dependency on mypy."""

from __future__ import annotations

from typing import TypeVar

__all__ = ["mypyc_attr"]

_Class = TypeVar("_Class", bound=type)


class mypyc_attr:
    """A class decorator with options for mypyc; without effect at run time. Type checkers see mypy's own."""

    def __init__(self, **attributes: object) -> None:
        self.attributes = attributes

    def __call__(self, cls: _Class) -> _Class:
        """Return the class."""
        return cls
