"""Options and fixtures of all tests."""

import gc
import operator
import os
import sys
import zlib
from collections import Counter
from pathlib import Path

# Matrices of tests are small, and threads of OpenBLAS that wait for each other take more time than all other tests together.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import generators
import hypothesis
import hypothesis.strategies as st
import pytest
from _pytest.runner import runtestprotocol
from common import lacks_scipy, levels
from counting import CASES

from supremum import config
from supremum._base.buffers import native
from supremum._core.setting_rows import SETTINGS

# SUPREMUM_TEST_LEVEL=0 runs the loops of the native engine without vector instructions, 1 at most with AVX2.
if native is not None and "SUPREMUM_TEST_LEVEL" in os.environ:
    native.set_level(min(int(os.environ["SUPREMUM_TEST_LEVEL"]), native.set_level(0)))

# No deadline, because times depend on the load of the machine; derandomized, so that failures are reproducible.
hypothesis.settings.register_profile("supremum", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("supremum")


def pytest_addoption(parser):
    parser.addoption("--fuzz-long", action="store_true", help="tests/fuzz generates a hundred times as many cases")
    parser.addoption("--fuzz-seed", default="0", help="the seed of the generators in tests/fuzz")


#: Files whose few tests take longest, which workers begin with, lest one of them runs alone at the end.
SLOW = (
    "test_jax_recordings.py", "fuzz/test_writers.py", "test_building.py", "test_namespace.py", "test_typing.py",
    "core/test_engine_collector.py", "test_introspection.py", "core/test_engine.py", "promotion/test_explore.py",
    "test_testing.py", "promotion/test_explore_in_browser.py", "lens/test_gallery.py", "test_benchmarks.py",
    "supremum_jax/test_running.py", "base/test_locks.py", "fuzz/test_engines.py", "lens/test_lens.py",
    "supremum_jax/test_batch_indexing.py", "fuzz/test_lens.py", "test_overflow.py", "clients/test_completion.py",
    "promotion/test_live_systems.py", "fuzz/test_bad_input.py", "clients/test_examples.py", "clients/test_cubed.py",
    "test_cli.py", "lens/test_report.py", "supremum_jax/test_recorded_derivatives.py",
)  # fmt: skip


class Progress:
    """Print how many tests of the whole suite have run, twenty times, and letters only of tests that fail."""

    def __init__(self):
        self.done, self.shown = set(), 0

    def pytest_sessionstart(self, session):
        self.session = session

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(self):
        category, letter, word = yield
        return (category, letter, word) if category in ("failed", "error", "xpassed") else (category, "", "")

    def pytest_runtest_logreport(self, report):
        self.done.add(report.nodeid)
        total = max(self.session.testscollected, 1)
        part = 20 * len(self.done) // total
        if part > self.shown:
            self.shown = part
            self.session.config.get_terminal_writer().write(f"\n{len(self.done):,} of {total:,} tests ", flush=True)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """Run the whole suite on all cores if pytest-xdist is installed; `-n 0`, paths and --pdb run it in one process."""
    config.option.loadscopereorder = False  # pytest-xdist keeps the order of workers, which begin with what is slow
    unset = config.pluginmanager.hasplugin("xdist") and config.option.numprocesses is None and config.option.dist == "no"
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not hasattr(config, "workerinput")
    if whole and not config.option.verbose and not config.option.collectonly:
        config.option.verbose = -1
        config.pluginmanager.register(Progress(), "progress")
    if unset and whole and not config.option.usepdb and not config.option.collectonly and (os.cpu_count() or 1) > 1:
        config.option.numprocesses = "auto"
        config.option.dist = "loadfile"  # tests of one file share expensive fixtures


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Leave the tens of thousands of tests out of garbage collections, of which each would take half a second."""
    hypothesis.given(st.none())(lambda _: None)()  # it searches all objects for the owner of its generator: while they are few
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Of combinations, mark as extended all but an eighth and those that each value of each parameter needs to occur."""
    combined = [(zlib.crc32(item.name.encode()), item) for item in items if item.get_closest_marker("combinations")]
    seen = set()
    for number, item in sorted(combined, key=operator.itemgetter(0)):
        test, _, values = item.nodeid.partition("[")
        new = {(test, value) for value in values.rstrip("]").split("-")} - seen
        seen |= new
        if not new and number % 8:
            item.add_marker("extended")


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist sends the order
def pytest_collection_finish(session):
    """Order the files of a worker of pytest-xdist: those that are slow, then by the number of tests."""
    if hasattr(session.config, "workerinput"):
        counts = Counter(item.path for item in session.items)
        ranks = {Path(__file__).parent / name: rank for rank, name in enumerate(SLOW)}
        session.items.sort(key=lambda item: (ranks.get(item.path, len(SLOW)), -counts[item.path], item.path))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """Send the main process of pytest-xdist what it shows: of a test that passed, the report of its call alone."""
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Have random numbers be the same whichever tests ran before, and garbage collections of a file see its own objects."""
    generators.restart()
    if FILE[0] != item.path:
        FILE[0] = item.path
        gc.collect()
        gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Skip the tests that need SciPy where it is not installed: those in which a function says so."""
    try:
        return (yield)
    except (Exception, pytest.fail.Exception) as error:
        if lacks_scipy(error):
            pytest.skip("SciPy is not installed")
        raise


#: The file whose tests run.
FILE = [None]
#: The settings that are compared after each test.
KEPT = [name for name, row in SETTINGS.items() if row.own or row.default is not ...]


@pytest.fixture(scope="session", autouse=True)
def _processes_share_bytecode(tmp_path_factory):
    """Have processes that tests start compile the package once, where Python does not write bytecode beside sources."""
    if sys.dont_write_bytecode:
        folder = tmp_path_factory.getbasetemp()
        folder = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")


@pytest.fixture(autouse=True)
def _settings_are_left_as_they_were():
    settings = {name: getattr(config, name) for name in KEPT}
    yield
    left = {name: getattr(config, name) for name in KEPT}
    for name, value in settings.items():
        if left[name] != value:
            config.update(name, value)
    assert left == settings


@pytest.fixture(params=levels() or [0], ids="level {}".format)
def level(request):
    """Run a test of loops at every level of the processor; without the extension module once, with NumPy's loops."""
    if native is None:
        yield 0
        return
    before = native.set_level(request.param)
    yield request.param
    native.set_level(before)


@pytest.fixture
def as_in_jax():
    """Run a test under JAX's defaults."""
    with config.use(x64="off", mutable=False):
        yield


@pytest.fixture
def wide():
    """Run a test with dtypes of 64 bits."""
    with config.use(x64="on"):
        yield


# These hooks are here because the main process of pytest-xdist does not load the conftest of tests/fuzz.


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
