"""conformance/processors.py: what is missing, what is fetched, the counts of outcomes, and the exit status."""

import subprocess
import sys
from collections import Counter

import pytest

from conformance import processors


def test_what_is_missing_is_named_with_the_command_that_installs_it(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(processors.shutil, "which", lambda name: None)
    monkeypatch.setattr(processors, "KEYRING", tmp_path / "none")
    monkeypatch.setattr(processors.importlib.util, "find_spec", lambda name: None)
    assert processors.main([]) == 77
    printed = capsys.readouterr().err
    assert "apt-get install apt debian-archive-keyring dpkg gcc-aarch64-linux-gnu gcc-s390x-linux-gnu" in printed
    assert "python3-pip qemu-user-static" in printed


def test_either_name_of_the_emulator_does(monkeypatch):
    monkeypatch.setattr(processors.shutil, "which", lambda name: None if name.endswith("-static") else name)
    assert "qemu-user-static" not in processors.PROCESSORS["s390x"].missing()


def test_requirements_are_those_of_the_project():
    found = dict(
        entry.split(">=") for entry in processors.bounds(("array-api-compat", "ml_dtypes", "numpy", *processors.TOOLS))
    )
    assert set(found) == {"array-api-compat", "ml_dtypes", "numpy", *processors.TOOLS}
    assert all(version[0].isdigit() for version in found.values())


def test_the_command_line(capsys):
    args = processors.parse(["s390x", "--tests", "tests/test_io.py", "-k", "npy", "--", "--maxfail=1"])
    assert (args.processors, args.tests, args.k) == (["s390x"], ["tests/test_io.py"], "npy")
    assert args.pytest_args == ["--maxfail=1"]
    assert processors.parse([]).tests == list(processors.TESTS)
    with pytest.raises(SystemExit):
        processors.parse(["m68k"])
    assert "unknown processor m68k; there are aarch64, s390x" in capsys.readouterr().err


def test_the_default_tests_are_there():
    assert all((processors.ROOT / name).exists() for name in (*processors.TESTS, *processors.LEFT_OUT, *processors.COPIED))


def test_a_failing_command_is_named_with_what_it_printed():
    with pytest.raises(processors.NotRunError, match=r"ended with status 3:\nno packages"):
        processors.run(sys.executable, "-c", "print('no packages'); raise SystemExit(3)")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no shell that runs the script")
def test_python_is_started_by_the_emulator_that_is_there(monkeypatch, tmp_path):
    monkeypatch.setattr(processors.shutil, "which", lambda name: None if name.endswith("-static") else name)
    system = processors.System(processors.PROCESSORS["aarch64"], tmp_path)
    (system.root / "usr" / "bin").mkdir(parents=True)
    system.write_script()
    emulator = tmp_path / "qemu-aarch64"
    emulator.write_text('#!/bin/sh\nfor each; do echo "$each"; done\n', encoding="utf-8")
    emulator.chmod(0o755)
    printed = subprocess.run(
        [system.python, "-c", "a b"], env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    root = str(system.root)
    assert printed == ["-cpu", "neoverse-n1", "-L", root, "-0", system.python, f"{root}/usr/bin/python3", "-c", "a b"]


def test_outcomes_are_counted(tmp_path):
    path = tmp_path / "junit.xml"
    path.write_text('<testsuites><testsuite tests="9" failures="1" errors="2" skipped="2"/></testsuites>', encoding="utf-8")
    assert processors.read_junit(path) == Counter(passed=4, failures=1, errors=2, skipped=2)


@pytest.mark.parametrize(
    "counts, status",
    [(Counter(passed=3, skipped=1), 0), (Counter(passed=3, failures=1), 1), (Counter(passed=3, errors=1), 1), (Counter(), 1)],
)
def test_exit_status(monkeypatch, tmp_path, capsys, counts, status):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(processors.Processor, "missing", lambda self: [])
    for name in ("make", "check", "copy_source"):
        monkeypatch.setattr(processors.System, name, lambda self, *args: None)
    monkeypatch.setattr(processors.System, "build", lambda self: "Python 3")
    monkeypatch.setattr(processors.System, "test", lambda self, args: counts)
    assert processors.main(["s390x", "--mirror", "none"]) == status
    assert f"s390x: {counts['passed']} passed" in capsys.readouterr().out


def test_a_processor_that_cannot_be_tested_has_a_status_of_its_own(monkeypatch, tmp_path, capsys):
    def fails(self, *args):
        raise processors.NotRunError("no mirror")

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(processors.Processor, "missing", lambda self: [])
    monkeypatch.setattr(processors.System, "make", fails)
    assert processors.main(["s390x", "--mirror", "none"]) == 77
    assert "s390x: NOT RUN: no mirror" in capsys.readouterr().out
