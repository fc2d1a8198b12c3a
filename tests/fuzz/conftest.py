"""`--fuzz-long` runs a hundred times as many cases in this folder; the conftest above reports how many there were."""

import pytest
from counting import CASES


@pytest.fixture
def budget(request):
    """Return the factor by which the number of generated cases is multiplied."""
    return 100 if request.config.getoption("--fuzz-long") else 1


@pytest.fixture
def seed(request):
    return request.config.getoption("--fuzz-seed")


@pytest.fixture
def count():
    """Count cases of a class: `count("functions", 60)`."""

    def add(name, number=1):
        CASES[name] += number

    return add
