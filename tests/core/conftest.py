"""Fixtures of tests of the engine, which run on both engines, and of settings."""

import pytest
from engines import MODULES, engine_or_skip

from supremum import config


@pytest.fixture(scope="module", params=list(MODULES))
def engine(request):
    return engine_or_skip(request.param)


@pytest.fixture
def defaults_afterwards():
    """Set the settings that a test changes for the process to their defaults again."""
    yield
    for name, value in (("x64", "explicit"), ("promotion", "jax"), ("mutable", True), ("out_of_range", "raise")):
        config.update(name, value)
