"""Which of JAX's tests are out of scope, and why: the reviewed list `out.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

LIST = Path(__file__).resolve().parent / "out.toml"
FILES_LEFT_OUT = LIST.with_name("files.toml")


def files_left_out() -> dict[str, list[str]]:
    """Return the files that are not run, by reason."""
    entries = tomllib.loads(FILES_LEFT_OUT.read_text(encoding="utf-8"))["left_out"]
    return {entry["reason"]: entry["files"].split() for entry in entries}


@dataclass
class Reasons:
    """The list: each entry has a reason, and patterns of tests, of errors, or of both."""

    entries: list[dict[str, Any]]

    @classmethod
    def read(cls) -> Reasons:
        """Return the list in `out.toml`."""
        return cls(tomllib.loads(LIST.read_text(encoding="utf-8"))["out"])

    def of_test(self, file: str, name: str) -> str:
        """Return why a test is not run; "" if it is."""
        for entry in self.entries:
            if "raises" not in entry and _names(entry, file, name):
                return str(entry["reason"])
        return ""

    def of_error(self, file: str, name: str, text: str) -> str:
        """Return why the error of a test puts it out of scope; "" if it is a failure."""
        for entry in self.entries:
            named = "tests" not in entry or _names(entry, file, name)
            if named and any(re.match(pattern, text) for pattern in entry.get("raises", ())):
                return str(entry["reason"])
        return ""


def _names(entry: dict[str, Any], file: str, name: str) -> bool:
    """Return whether an entry names a test, with or without the number at the end of its name, which counts cases."""
    names = f"{file}:{name}", f"{file}:{re.sub(r'[0-9]+$', '', name)}"
    return any(fnmatchcase(one, pattern) for pattern in entry.get("tests", ()) for one in names)
