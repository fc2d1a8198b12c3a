"""The fixture `supremum_profile` for pytest: each test that asks for it runs once under every profile."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import pytest

from supremum.testing import PROFILES, profile


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the command line choose the profiles."""
    every = ",".join(PROFILES)
    parser.addoption("--supremum-profiles", default=every, help=f"profiles to test under, separated by commas: {every}")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse profiles that do not exist before anything runs."""
    unknown = [name for name in _chosen(config) if name not in PROFILES]
    if unknown:
        raise pytest.UsageError(f"--supremum-profiles: there is no {unknown[0]!r}; there are {', '.join(PROFILES)}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test of each profile."""
    if "supremum_profile" in metafunc.fixturenames:
        metafunc.parametrize("supremum_profile", _chosen(metafunc.config), indirect=True)


def _chosen(config: pytest.Config) -> list[str]:
    return [name.strip() for name in config.getoption("--supremum-profiles").split(",")]


@pytest.fixture
def supremum_profile(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """The namespace, under one of the profiles."""
    with profile(request.param) as namespace:
        yield namespace
