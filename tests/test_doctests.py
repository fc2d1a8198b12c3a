"""Every example in the docstrings of the package runs and has the printed result."""

import importlib
import pkgutil

import numpy as np
import pytest
from common import for_each

import examples
import supremum

NAMES = {"np": np, "xp": supremum}


def modules():
    for name in supremum.__all__:  # these are imported on first use
        getattr(supremum, name)
    yield supremum
    for found in pkgutil.walk_packages(supremum.__path__, "supremum."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


@pytest.mark.parametrize("module", [*modules()], ids=lambda module: module.__name__)
def test_examples(module):
    for_each("test", examples.of_module(module, NAMES), lambda test: test.name)(examples.check)()


@pytest.mark.parametrize("namespace", [supremum, supremum.linalg, supremum.fft], ids=lambda each: each.__name__)
def test_every_public_function_shows_an_example(namespace):
    public = {name: getattr(namespace, name) for name in namespace.__all__}
    functions = {name: value for name, value in public.items() if callable(value) and not isinstance(value, type)}
    assert [name for name, value in functions.items() if ">>>" not in (value.__doc__ or "")] == []
