"""The package `conformance`: its scripts; the location of the suite, the counts of outcomes, and the exit status."""

import dataclasses
import sys
from collections import Counter

import pytest

import supremum
from conformance import __main__ as entry, array_api


def test_scripts_are_found_and_get_the_rest_of_the_command_line(monkeypatch, capsys):
    known = entry.scripts()
    assert {"array_api", "measures", "jax.replay", "jax_suite.run", "systems.record"} <= known.keys()
    assert all(known.values())
    monkeypatch.setattr(sys, "argv", ["conformance"])
    given = []
    monkeypatch.setattr(array_api, "main", lambda argv: given.append((sys.argv, argv)))
    assert entry.main(["array_api", "-k", "fft"]) == 0
    assert given == [(["python -m conformance array_api"], ["-k", "fft"])]
    assert entry.main([]) == entry.main(["unheard"]) == 2
    assert "\n  jax.replay   " in capsys.readouterr().out


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
def outcome(tmp_path):
    (tmp_path / "junit.xml").write_text(JUNIT, encoding="utf-8")
    result = array_api.Run("supremum")
    array_api.read_junit(tmp_path / "junit.xml", result)
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
def test_a_run_is_ok_only_when_it_is_whole(outcomes, skips, status, ok):
    result = array_api.Run("supremum", {"test_fft": outcomes}, skips=Counter(skips), status=status)
    assert result.ok is ok


@pytest.mark.parametrize("kind", ["failed", "error", "xfailed"])
def test_whatever_did_not_pass_fails_the_run(kind):
    result = array_api.Run("supremum", {"test_fft": Counter({"passed": 9, kind: 1})}, failures=[f"test_fft::x ({kind})"])
    assert not result.ok


def test_report_names_what_failed_and_what_was_skipped(outcome, tmp_path):
    text = array_api.report([outcome], tmp_path, 20)
    assert "| fft | 1 ✗1 |" in text
    assert "| **all** | **1 ✗4 –1** |" in text
    assert "not the pinned commit" in text
    assert "`test_linalg::test_svd (xfailed)`" in text
    assert "1 × linalg not found in array module" in text
    assert f"supremum {supremum.__version__} (" in text
    assert f"{supremum.__engine__} engine), Python " in text


def test_no_suite_has_a_status_of_its_own(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(array_api, "REQUIREMENTS", {})
    assert array_api.main(["--suite", str(tmp_path)]) == 77
    said = capsys.readouterr().err
    assert "CONFORMANCE NOT RUN" in said
    assert "nothing was tested" in said


def test_a_missing_package_is_a_failure_that_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr(array_api, "REQUIREMENTS", {"a-package": "no_such_module"})
    assert array_api.main([]) == 1
    assert "pip install '.[conformance]'" in capsys.readouterr().err


def test_a_failing_clone_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("ARRAY_API_TESTS_DIR", raising=False)
    monkeypatch.setattr(array_api, "SUITE", dataclasses.replace(array_api.SUITE, url=str(tmp_path / "nowhere")))
    with pytest.raises(array_api.SuiteError, match="git"):
        array_api.find_suite(None)
    assert list((tmp_path / "supremum").iterdir()) == []


def test_the_environment_is_ours_alone(monkeypatch):
    monkeypatch.setenv("SUPREMUM_PROMOTION", "torch")
    monkeypatch.setenv("SUPREMUM_PURE", "1")
    monkeypatch.setenv("ARRAY_API_TESTS_XFAIL_MARK", "skip")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-k nothing")
    env = array_api.environment("supremum", "on", "folder")
    assert env["SUPREMUM_X64"] == "on"
    assert env["SUPREMUM_PURE"] == "1"
    assert not {"SUPREMUM_PROMOTION", "ARRAY_API_TESTS_XFAIL_MARK", "PYTEST_ADDOPTS"} & env.keys()
