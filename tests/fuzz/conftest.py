"""`--fuzz-long` gives the tests of this folder a hundred times their budget; how many cases they made is counted and shown."""

import pytest
from counting import CASES


@pytest.fixture
def budget(request):
    """How many times the plain number of cases to generate."""
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
    if hasattr(session.config, "workeroutput"):  # a worker of pytest-xdist tells the process that reports
        session.config.workeroutput["fuzz_cases"] = dict(CASES)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    CASES.update(getattr(node, "workeroutput", {}).get("fuzz_cases", {}))


def pytest_terminal_summary(terminalreporter):
    if CASES:
        classes = ", ".join(f"{name} {number:,}" for name, number in sorted(CASES.items()))
        terminalreporter.write_line(f"fuzz: {CASES.total():,} cases ({classes})")
