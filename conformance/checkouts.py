"""Checkouts of test suites at pinned commits: given, cached, or cloned into the user's cache folder; never committed here."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["NO_SUITE", "Checkout", "SuiteError", "git"]

NO_SUITE = 77  # the exit status that test drivers read as "not run"


class SuiteError(Exception):
    """The suite is not available."""


@dataclass(frozen=True)
class Checkout:
    """A repository at one commit."""

    name: str
    url: str
    commit: str
    #: The environment variable that names a checkout.
    variable: str
    #: A folder that every checkout has.
    holds: str
    #: The submodules that are needed, with their commits.
    submodules: dict[str, str] = field(default_factory=dict)

    @property
    def pinned(self) -> tuple[str, ...]:
        """The commits of the repository and of its submodules."""
        return (self.commit, *self.submodules.values())

    def find(self, given: str | None) -> Path:
        """Return the folder of the suite: the requested one, or the clone in the cache, which is made if it is missing."""
        asked = given or os.environ.get(self.variable)
        if asked:
            suite = Path(asked).expanduser().resolve()
            if not (suite / self.holds).is_dir():
                raise SuiteError(f"{suite} holds no checkout of {self.name}")
        else:
            cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
            suite = cache / "supremum" / self.name
            if self.commits(suite) != self.pinned:
                self.clone(suite)
        return suite

    def commits(self, suite: Path) -> tuple[str, ...]:
        """Return the commits of a suite and of its submodules; "" for a folder that is not a checkout."""
        found = []
        for folder in (suite, *(suite / name for name in self.submodules)):
            top, _, head = git("-C", str(folder), "rev-parse", "--show-toplevel", "HEAD", check=False).partition("\n")
            found.append(head if top and Path(top).resolve() == folder.resolve() else "")
        return tuple(found)

    def clone(self, suite: Path) -> None:
        """Clone the pinned commit with its submodules; the folder appears only when the clone is complete."""
        print(f"cloning {self.name} {self.commit[:7]} into {suite}", flush=True)
        suite.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=suite.parent) as parent:
            made = Path(parent) / "suite"
            git("init", "--quiet", str(made))
            git("-C", str(made), "fetch", "--quiet", "--depth=1", self.url, self.commit)
            git("-C", str(made), "checkout", "--quiet", "FETCH_HEAD")
            if self.submodules:
                git("-C", str(made), "submodule", "--quiet", "update", "--init", "--depth=1")
            if (got := self.commits(made)) != self.pinned:
                raise SuiteError(f"the clone is at {got}, not at {self.pinned}")
            if suite.exists():
                shutil.rmtree(suite)
            made.rename(suite)


def git(*args: str, check: bool = True) -> str:
    """Run git without prompts and return its output; a failure raises SuiteError, or returns "" if not checked."""
    try:
        done = subprocess.run(
            ["git", *args],
            env={**os.environ, "GIT_TERMINAL_PROMPT": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=check,
        )
    except (OSError, subprocess.SubprocessError) as error:
        said = (getattr(error, "stderr", None) or str(error)).strip()
        raise SuiteError(f"git {' '.join(args)}: {said}") from error
    return done.stdout.strip() if done.returncode == 0 else ""
