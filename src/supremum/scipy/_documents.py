"""Docstrings of functions with much in common: what they compute, and an example; the rest follows."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["documented", "numpydoc"]

_Definition = TypeVar("_Definition", bound=Callable[..., Any])


def documented(definition: _Definition) -> _Definition:
    """Complete a docstring, which ends with an example, by the sections that it lacks."""
    text = inspect.cleandoc(definition.__doc__ or "")
    head, _, example = text.partition("\n>>> ")
    names = [name for name, one in inspect.signature(definition).parameters.items() if one.default is one.empty]
    parameters = f"{', '.join(names)} : array_like\n    The argument{'s' * (len(names) > 1)}."
    example = f">>> import supremum as xp\n>>> {example}"
    definition.__doc__ = numpydoc(head.strip(), parameters, "Array\n    The values.", example)
    return definition


def numpydoc(head: str, parameters: str, returns: str, example: str) -> str:
    """Return a docstring; sections that its head has already are left out."""
    sections = {"Parameters": parameters, "Returns": returns, "Examples": example}
    given = [f"{name}\n{'-' * len(name)}\n{text}" for name, text in sections.items() if f"{name}\n---" not in head]
    return "\n\n".join([head, *given]) + "\n"
