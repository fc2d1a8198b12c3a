"""The fixture `supremum_profile` for pytest: each test that asks for it runs once under every profile."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import pytest

import supremum
from supremum.testing import PROFILES, profile


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the command line choose the profiles."""
    every = ",".join(PROFILES)
    parser.addoption("--supremum-profiles", default=every, help=f"profiles to test under, separated by commas: {every}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test of each profile."""
    if "supremum_profile" in metafunc.fixturenames:
        names = metafunc.config.getoption("--supremum-profiles").split(",")
        unknown = [name for name in names if name not in PROFILES]
        if unknown:
            raise pytest.UsageError(f"--supremum-profiles: there is no {unknown[0]!r}; there are {', '.join(PROFILES)}")
        metafunc.parametrize("supremum_profile", names, indirect=True)


@pytest.fixture
def supremum_profile(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """The namespace, under one of the profiles."""
    with profile(request.param):
        yield supremum
