"""Docstrings: at a definition is what is its own; what several functions have is in a table; sections are made of both."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from supremum._base.boundary import public
from supremum._base.tables import read_table

_Definition = TypeVar("_Definition", bound=Callable[..., Any])
#: Where an entry begins: names, and their type in parentheses if it is another than that of `_USUAL`.
_ENTRY: Final = re.compile(r"^(\w+(?:, \w+)*)(?: \((.+?)\))?: ", re.MULTILINE)
_USUAL: Final = {"returns": "Array: The values.", "": "array_like: The argument."}


def numpydoc(head: str, parameters: str, returns: str, example: str) -> str:
    """Return a docstring; empty sections are left out."""
    sections = {"Parameters": parameters, "Returns": returns, "Examples": example}
    return "\n\n".join([head, *[f"{name}\n{'-' * len(name)}\n{text}" for name, text in sections.items() if text]]) + "\n"


def example_of(text: str, call: str, arguments: str, result: str) -> str:
    """Return an example of its text: arguments, an arrow and the result; or the result alone, for the usual arguments."""
    own, _, found = text.rpartition(" -> ")
    return f">>> {call}({own or arguments})\n{found if found.startswith(('Array', '(')) else result.format(found)}"


@cache
def _shared(section: str) -> dict[str, str]:
    """Return the texts of a section of `parameters.txt`."""
    rows = read_table(Path(__file__).with_name("parameters.txt"))[section] if section else ()
    return {name: text for names, text in rows for name in names.split(", ")}


def described(shared: str = "", example: str = "") -> Callable[[_Definition], _Definition]:
    """Complete a docstring of a summary, lines such as "axis (int): The axis.", and an example.

    Parameters
    ----------
    shared : str
        The section of `parameters.txt` with what the docstrings of several functions say of parameters and results.
    example : str
        The example, where the docstring has none.
    """

    def decorate(definition: _Definition) -> _Definition:
        head, _, shown = inspect.cleandoc(definition.__doc__ or "").partition("\n>>> ")
        texts = {name: tuple(text.split(": ", 1)) for name, text in {**_USUAL, **_shared(shared)}.items()}
        summary, *entries = _ENTRY.split(head)
        for names, kind, text in zip(entries[::3], entries[1::3], entries[2::3], strict=True):
            usual = texts["returns" if names == "returns" else ""][0]
            texts.update(dict.fromkeys(names.split(", "), (kind or usual, text.strip())))
        rows: list[tuple[list[str], tuple[str, ...]]] = []
        for name, one in inspect.signature(definition).parameters.items():
            shown_name, text = f"*{name}" if one.kind is one.VAR_POSITIONAL else name, texts.get(name, texts[""])
            if rows and rows[-1][1] == text:
                rows[-1][0].append(shown_name)
            else:
                rows.append(([shown_name], text))
        parameters = "\n".join([f"{', '.join(names)} : {kind}\n    {text}" for names, (kind, text) in rows])
        if len(rows) == 1 and len(rows[0][0]) > 1:
            parameters = parameters.replace("The argument.", "The arguments.")
        made: Any = definition
        returns = "" if isinstance(made, type) else "\n    ".join(texts["returns"])
        code = example or f">>> import supremum as xp\n>>> {shown}"
        definition.__doc__ = numpydoc(summary.strip(), parameters, returns, code)
        return definition

    return decorate


def documented(shared: str = "", **facts: Any) -> Callable[[_Definition], _Definition]:
    """Decorate a public function, whose docstring `described` completes, with what `public` gets of it."""
    return lambda definition: public(**facts)(described(shared)(definition))
