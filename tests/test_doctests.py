"""Every example in the documentation of the package runs and gives what it says."""

import importlib
import pkgutil

import examples
import numpy as np
import pytest

import supremum

NAMES = {"np": np, "xp": supremum}


def modules():
    yield supremum
    for found in pkgutil.walk_packages(supremum.__path__, "supremum."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


EXAMPLES = [test for module in modules() for test in examples.of_module(module, NAMES)]


@pytest.mark.parametrize("test", EXAMPLES, ids=lambda test: test.name)
def test_example(test):
    examples.check(test)
