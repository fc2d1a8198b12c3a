"""Which of JAX's tests are out of scope, and why: the reviewed list `out.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

LIST = Path(__file__).resolve().parent / "out.toml"


@dataclass
class Reasons:
    """The list: each entry has a reason, and patterns of tests or of what they raise."""

    entries: list[dict[str, Any]]

    @classmethod
    def read(cls) -> Reasons:
        """Return the list in `out.toml`."""
        return cls(tomllib.loads(LIST.read_text(encoding="utf-8"))["out"])

    def of_test(self, file: str, name: str) -> str:
        """Return why a test is not run; "" if it is. Numbers at the end of the name, which count cases, are left out."""
        bare = f"{file}:{re.sub(r'[0-9]+$', '', name)}"
        full = f"{file}:{name}"
        for entry in self.entries:
            if any(fnmatchcase(bare, pattern) or fnmatchcase(full, pattern) for pattern in entry.get("tests", ())):
                return str(entry["reason"])
        return ""

    def of_error(self, text: str) -> str:
        """Return why the error of a test puts it out of scope; "" if it is a failure."""
        for entry in self.entries:
            if any(re.match(pattern, text) for pattern in entry.get("raises", ())):
                return str(entry["reason"])
        return ""
