"""conformance/run.py: the location of the suite, the counts of outcomes, and the exit status."""

import dataclasses
import importlib.util
import sys
from collections import Counter
from pathlib import Path

import pytest

import supremum

SCRIPT = Path(__file__).parents[1] / "conformance" / "run.py"


@pytest.fixture(scope="module")
def run():
    sys.path.insert(0, str(SCRIPT.parent))  # the script imports a module beside it
    spec = importlib.util.spec_from_file_location("conformance_run", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look up annotations in sys.modules
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]
    sys.path.remove(str(SCRIPT.parent))


JUNIT = """<testsuites><testsuite>
<testcase classname="array_api_tests.test_fft" name="test_fft"/>
<testcase classname="array_api_tests.test_fft" name="test_ifft"><failure message="no"/></testcase>
<testcase classname="array_api_tests.test_linalg" name="test_qr">
  <skipped type="pytest.skip" message="linalg not found in array module"/></testcase>
<testcase classname="array_api_tests.test_linalg" name="test_svd"><skipped type="pytest.xfail" message=""/></testcase>
<testcase classname="array_api_tests.test_linalg" name="test_det"><failure/><error/></testcase>
<testcase classname="" name="array_api_tests.test_sets"><error message="collection failure"/></testcase>
</testsuite></testsuites>"""


@pytest.fixture
def outcome(run, tmp_path):
    (tmp_path / "junit.xml").write_text(JUNIT, encoding="utf-8")
    result = run.Run("supremum")
    run.read_junit(tmp_path / "junit.xml", result)
    return result


def test_outcomes_are_counted_by_section(outcome):
    assert outcome.sections == {
        "test_fft": Counter(passed=1, failed=1),
        "test_linalg": Counter(skipped=1, xfailed=1, error=1),
        "array_api_tests.test_sets": Counter(error=1),
    }
    assert outcome.counts.total() == 6
    assert len(outcome.failures) == 4


@pytest.mark.parametrize(
    "outcomes, skips, status, ok",
    [
        (Counter(passed=3), [], 0, True),
        (Counter(passed=3, skipped=1), ["flaky"], 0, True),
        (Counter(passed=3, skipped=1), ["fft not found in array module"], 0, False),
        (Counter(passed=3), [], 2, False),
        (Counter(), [], 0, False),
    ],
)
def test_a_run_is_ok_only_when_it_is_whole(run, outcomes, skips, status, ok):
    result = run.Run("supremum", {"test_fft": outcomes}, skips=Counter(skips), status=status)
    assert result.ok is ok


@pytest.mark.parametrize("kind", ["failed", "error", "xfailed"])
def test_whatever_did_not_pass_fails_the_run(run, kind):
    result = run.Run("supremum", {"test_fft": Counter({"passed": 9, kind: 1})}, failures=[f"test_fft::x ({kind})"])
    assert not result.ok


def test_report_names_what_failed_and_what_was_skipped(run, outcome, tmp_path):
    text = run.report([outcome], tmp_path, 20)
    assert "| fft | 1 ✗1 |" in text
    assert "| **all** | **1 ✗4 –1** |" in text
    assert "not the pinned commit" in text
    assert "`test_linalg::test_svd (xfailed)`" in text
    assert "1 × linalg not found in array module" in text
    assert f"supremum {supremum.__version__} (" in text
    assert f"{supremum.__engine__} engine), Python " in text


def test_no_suite_has_a_status_of_its_own(run, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(run, "REQUIREMENTS", {})
    assert run.main(["--suite", str(tmp_path)]) == 77
    said = capsys.readouterr().err
    assert "CONFORMANCE NOT RUN" in said
    assert "nothing was tested" in said


def test_a_missing_package_is_a_failure_that_says_what_to_install(run, monkeypatch, capsys):
    monkeypatch.setattr(run, "REQUIREMENTS", {"a-package": "no_such_module"})
    assert run.main([]) == 1
    assert "pip install '.[conformance]'" in capsys.readouterr().err


def test_a_failing_clone_leaves_nothing_behind(run, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("ARRAY_API_TESTS_DIR", raising=False)
    monkeypatch.setattr(run, "SUITE", dataclasses.replace(run.SUITE, url=str(tmp_path / "nowhere")))
    with pytest.raises(run.SuiteError, match="git"):
        run.find_suite(None)
    assert list((tmp_path / "supremum").iterdir()) == []


def test_the_environment_is_ours_alone(run, monkeypatch):
    monkeypatch.setenv("SUPREMUM_PROMOTION", "torch")
    monkeypatch.setenv("SUPREMUM_PURE", "1")
    monkeypatch.setenv("ARRAY_API_TESTS_XFAIL_MARK", "skip")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-k nothing")
    env = run.environment("supremum", "on", "folder")
    assert env["SUPREMUM_X64"] == "on"
    assert env["SUPREMUM_PURE"] == "1"
    assert not {"SUPREMUM_PROMOTION", "ARRAY_API_TESTS_XFAIL_MARK", "PYTEST_ADDOPTS"} & env.keys()
