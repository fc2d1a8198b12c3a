"""Docstrings of functions with much in common: what they compute, and an example; the rest follows."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

__all__ = ["described", "documented", "numpydoc"]

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


def described(shared: Mapping[str, str]) -> Callable[[_Definition], _Definition]:
    """Complete docstrings of a summary, the parameters that need words of their own, and an example.

    Parameters
    ----------
    shared : mapping
        What the docstrings of several functions say of a parameter, and of what functions return: "type: text".
    """

    def decorate(definition: _Definition) -> _Definition:
        head, _, example = inspect.cleandoc(definition.__doc__ or "").partition("\n>>> ")
        summary, *entries = re.split(r"^(?=\w+(?:, \w+)* : )", head, flags=re.MULTILINE)
        texts = {name: "\n    ".join(text.split(": ", 1)) for name, text in shared.items()}
        for entry in entries:
            names, _, text = entry.strip().partition(" : ")
            texts.update(dict.fromkeys(names.split(", "), text))
        rows: list[tuple[list[str], str]] = []
        for name, one in inspect.signature(definition).parameters.items():
            shown = f"*{name}" if one.kind is one.VAR_POSITIONAL else name
            if rows and rows[-1][1] == texts[name]:
                rows[-1][0].append(shown)
            else:
                rows.append(([shown], texts[name]))
        parameters = "\n".join([f"{', '.join(names)} : {text}" for names, text in rows])
        definition.__doc__ = numpydoc(
            summary.strip(), parameters, texts["returns"], f">>> import supremum as xp\n>>> {example}"
        )
        return definition

    return decorate
