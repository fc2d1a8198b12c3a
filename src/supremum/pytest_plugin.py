"""A pytest plugin: the fixture `supremum_profile` runs a test under every profile, `--supremum-forbid` all within `forbid`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from types import ModuleType
from typing import Any

import pytest

from supremum.testing import PROFILES, profile
from supremum.tracing import forbid


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that selects the profiles."""
    every = ",".join(PROFILES)
    parser.addoption("--supremum-profiles", default=every, help=f"comma-separated profiles to test under: {every}")

    parser.addoption("--supremum-forbid", default="", help="what tests may not do: dtypes, or overflow, comma-separated")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Run each test within `forbid`, if the option is given."""
    given: Any = item.config.getoption("--supremum-forbid")
    forbidden = [name.strip() for name in given.split(",") if name.strip()]
    with forbid(*forbidden) if forbidden else nullcontext():
        yield


def pytest_configure(config: pytest.Config) -> None:
    """Reject unknown profiles before any test runs."""
    unknown = [name for name in _selected(config) if name not in PROFILES]
    if unknown:
        raise pytest.UsageError(f"--supremum-profiles: there is no {unknown[0]!r}; the profiles are {', '.join(PROFILES)}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize tests that use the fixture by profile."""
    if "supremum_profile" in metafunc.fixturenames:
        metafunc.parametrize("supremum_profile", _selected(metafunc.config), indirect=True)


def _selected(config: pytest.Config) -> list[str]:
    return [name.strip() for name in str(config.getoption("--supremum-profiles")).split(",")]


@pytest.fixture
def supremum_profile(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """Yield the namespace under one of the profiles."""
    with profile(request.param) as namespace:
        yield namespace
