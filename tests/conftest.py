"""What every test shares."""

import hypothesis
import pytest

from supremum import config

# How long an example takes says nothing on a machine that does other work, and a failure must come back when it is run again.
hypothesis.settings.register_profile("supremum", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("supremum")


def pytest_addoption(parser):
    parser.addoption("--fuzz-long", action="store_true", help="tests/fuzz generates a hundred times as many cases")
    parser.addoption("--fuzz-seed", default="0", help="where the generator of bad calls in tests/fuzz starts")


@pytest.fixture(autouse=True)
def _settings_are_left_as_they_were():
    settings = {name: getattr(config, name) for name in ("x64", "promotion", "mutable")}
    yield
    left = {name: getattr(config, name) for name in settings}
    for name, value in settings.items():
        config.update(name, value)
    assert left == settings
