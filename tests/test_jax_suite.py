"""conformance/jax_suite: where JAX's tests are looked for, what is out of scope and why, and the report."""

import re
from collections import Counter
from pathlib import Path

import pytest

from conformance.jax_suite import cells, reasons, run

FOLDER = Path(__file__).parents[1] / "conformance" / "jax_suite"


def test_no_checkout_has_a_status_of_its_own(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(run, "REQUIREMENTS", {})
    assert run.main(["--suite", str(tmp_path)]) == 77
    assert "JAX'S TESTS NOT RUN" in capsys.readouterr().err


def test_a_missing_package_is_a_failure_that_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr(run, "REQUIREMENTS", {"a-package": "no_such_module"})
    assert run.main([]) == 1
    assert "pip install '.[conformance]'" in capsys.readouterr().err


def test_every_file_is_run_or_left_out_with_a_reason(tmp_path):
    left_out = [file for files in reasons.files_left_out().values() for file in files]
    names = [*run.FILES, *left_out]
    assert len(names) == len(set(names)) == 163
    (tmp_path / "tests").mkdir()
    for name in [*names[1:], "some_new_test"]:
        (tmp_path / "tests" / f"{name}.py").touch()
    assert run.unlisted(tmp_path) == sorted([names[0], "some_new_test"])


def test_the_files_of_the_report_are_those_of_the_lists():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    for name in run.FILES:
        assert f"\n| {name} | " in text
    for reason, files in reasons.files_left_out().items():
        assert f"\n| {reason} | {len(files)} | {' '.join(files)} |" in text


def test_every_entry_of_the_list_has_a_reason_and_patterns():
    entries = reasons.Reasons.read().entries
    assert entries
    for entry in entries:
        assert set(entry) <= {"reason", "tests", "raises"}
        assert entry["reason"]
        assert entry.get("tests") or entry.get("raises")
        for pattern in entry.get("raises", ()):
            re.compile(pattern)


def test_patterns_of_tests_of_errors_and_of_both():
    known = reasons.Reasons(
        [
            {"reason": "a", "tests": ["x_test:A.test_one"]},
            {"reason": "b", "raises": ["ValueError: no"]},
            {"reason": "c", "tests": ["x_test:A.test_two"], "raises": ["TypeError"]},
        ]
    )
    assert known.of_test("x_test", "A.test_one12") == "a"
    assert known.of_test("y_test", "A.test_one12") == ""
    assert known.of_test("x_test", "A.test_two") == ""
    assert known.of_error("x_test", "A.test_three", "ValueError: no") == "b"
    assert known.of_error("x_test", "A.test_two1", "TypeError: no") == "c"
    assert known.of_error("x_test", "A.test_three", "TypeError: no") == ""


def test_the_report_counts_and_names_failures(tmp_path):
    tests = {
        "A.test_one0": {"outcome": "passed", "text": ""},
        "A.test_one1": {"outcome": "failed", "text": "ValueError: no", "line": "12"},
        "A.test_two": {"outcome": "out", "text": "derivatives"},
    }
    result = run.Result("x_test", "off", tests)
    assert result.counts == Counter(passed=1, failed=1, out=1)
    text = run.report([result], tmp_path, 5)
    assert "| x_test | 1 | 1 | 1 | 0 |" in text
    assert "| derivatives | 1 |" in text
    assert "`x_test.py:12 A.test_one1: ValueError: no`" in text
    assert "not the pinned commit" in text


def test_cells_of_a_page(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "Text\n```{code-cell}\n:tags: [raises-exception]\n\nx = 1\n%timeit -n 3 x + 1\n!pip install y\n```\n"
        "```python\nnot a cell\n```\n```{code-cell} ipython3\n---\nid: a\n---\nx\n```\n",
        encoding="utf-8",
    )
    (first, options), (second, _) = cells.cells_of(page)
    assert first.split("\n") == ["", "x = 1", "x + 1"]
    assert "raises-exception" in options
    assert second == "x"


def test_verdicts_on_cells():

    def cell(error, options="", names=""):
        return {"code": "", "options": options, "output": "", "error": error, "names": names}

    assert cells.judge(
        [
            cell(""),
            cell("ValueError: no", "raises-exception"),
            cell("", "raises-exception"),
            cell("NotImplementedError: jax.export.export: it needs a compiler of programs", names="g"),
            cell("NameError: name 'g' is not defined"),
            cell("ValueError: no"),
        ]
    ) == [
        "passed",
        "passed",
        "out: an error of traced values",
        "out: a compiler",
        "out: a name of a cell that is out",
        "FAILED ValueError: no",
    ]


def test_every_entry_on_cells_has_a_reason_and_is_of_a_page():
    assert cells.KNOWN.out
    assert all(reason for _, reason in cells.KNOWN.out)
    for name, reason in cells.KNOWN.explained.items():
        page, _, number = name.rpartition(" ")
        assert (page in cells.PAGES, int(number) > 0, bool(reason)) == (True, True, True)


def test_the_table_of_cells_counts_explained_outputs_and_names_the_others(monkeypatch):

    def page(*outputs):
        return [{"code": "", "options": "", "output": text, "error": "", "names": ""} for text in outputs]

    monkeypatch.setattr(cells.KNOWN, "explained", {"a 2": "Because.", "a 4": "Stale."})
    text = cells.report({"a": (page("x", "y", "z", "w"), page("x", "not y", "not z", "w"))})
    assert "| a | 4 | 4 | 0 | 0 | 4 | 2 of 4 | 1 |" in text
    assert "- a, cell 3: another output" in text
    assert "cell 2: another output" not in text
    assert "- Because. a 2." in text
    assert "- a 4: explained in cells.toml, but the outputs do not differ" in text


@pytest.mark.parametrize(
    "ours, theirs, same",
    [
        ("Array([1.0000001], dtype=float32)", "Array([1.],  dtype=float32)", True),
        ("1.1", "1.2", False),
        ("a 1", "b 1", False),
        ("1 2", "1", False),
        ("took 1.5 ms", "took 2 ms", True),
    ],
)
def test_outputs_are_compared_but_for_rounding(ours, theirs, same):
    assert cells.same_output(ours, theirs) is same
