"""`--fuzz-long` gives the tests of this folder a hundred times their budget."""

import pytest


@pytest.fixture
def budget(request):
    """How many times the plain number of cases to generate."""
    return 100 if request.config.getoption("--fuzz-long") else 1


@pytest.fixture
def seed(request):
    return request.config.getoption("--fuzz-seed")
