"""`--fuzz-long` runs a hundred times as many cases in this folder; the cases are counted and reported."""

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


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):  # a worker of pytest-xdist sends its counts to the main process
        session.config.workeroutput["fuzz_cases"] = dict(CASES)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    CASES.update(getattr(node, "workeroutput", {}).get("fuzz_cases", {}))


def pytest_terminal_summary(terminalreporter):
    if CASES:
        classes = ", ".join(f"{name} {number:,}" for name, number in sorted(CASES.items()))
        terminalreporter.write_line(f"fuzz: {CASES.total():,} cases ({classes})")
