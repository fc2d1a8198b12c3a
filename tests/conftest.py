"""Options and fixtures of all tests."""

import importlib
import os

import hypothesis
import pytest

from supremum import config
from supremum._base.native import native

#: Importing this module sets JAX's settings for the process; tests begin with the package's own.
_SETTINGS = {name: getattr(config, name) for name in ("x64", "promotion", "mutable", "out_of_range")}
importlib.import_module("supremum.jax.numpy")
for _name, _value in _SETTINGS.items():
    config.update(_name, _value)

# SUPREMUM_TEST_LEVEL=0 runs the loops of the native engine without vector instructions, 1 at most with AVX2.
if native is not None and "SUPREMUM_TEST_LEVEL" in os.environ:
    native.set_level(min(int(os.environ["SUPREMUM_TEST_LEVEL"]), native.set_level(0)))

# No deadline, because times depend on the load of the machine; derandomized, so that failures are reproducible.
hypothesis.settings.register_profile("supremum", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("supremum")


def pytest_addoption(parser):
    parser.addoption("--fuzz-long", action="store_true", help="tests/fuzz generates a hundred times as many cases")
    parser.addoption("--fuzz-seed", default="0", help="the seed of the generators in tests/fuzz")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """Run the whole suite on all cores if pytest-xdist is installed; `-n 0`, paths and --pdb run it in one process."""
    unset = config.pluginmanager.hasplugin("xdist") and config.option.numprocesses is None and config.option.dist == "no"
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not hasattr(config, "workerinput")
    if unset and whole and not config.option.usepdb and not config.option.collectonly and (os.cpu_count() or 1) > 1:
        config.option.numprocesses = "auto"
        config.option.dist = "loadfile"  # tests of one file share expensive fixtures


@pytest.fixture(autouse=True)
def _settings_are_left_as_they_were():
    settings = {name: getattr(config, name) for name in ("x64", "promotion", "mutable", "out_of_range")}
    yield
    left = {name: getattr(config, name) for name in settings}
    for name, value in settings.items():
        config.update(name, value)
    assert left == settings
