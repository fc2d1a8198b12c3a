"""The parts of the benchmark: timing, bars and reports. No test asserts a run time."""

import importlib
import json
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import supremum as xp

FOLDER = Path(__file__).parents[1] / "benchmarks"
MODULES = (
    "bars",
    "cases",
    "whole_arrays",
    "engine",
    "libraries",
    "page",
    "picture",
    "programs",
    "programs_small",
    "report",
    "run",
    "sizes",
    "small",
    "timing",
)


@pytest.fixture(scope="module")
def bench():
    sys.path.insert(0, str(FOLDER))
    try:
        yield {name: importlib.import_module(name) for name in MODULES}
    finally:
        sys.path.remove(str(FOLDER))
        for name in MODULES:
            del sys.modules[name]


def test_everyone_takes_at_least_three_turns_and_the_best_one_counts(bench):
    class Fake:
        def __init__(self, seconds):
            self.seconds = iter(seconds)
            self.turns = 0

        def timeit(self, count):
            self.turns += 1
            return next(self.seconds) * count

    slow, fast = Fake([9.0, 9.0, 7.0, 8.0]), Fake([1.0, 0.9, 1.0, 0.5])
    assert bench["timing"].race({"slow": slow, "fast": fast}, budget=0.0) == {"slow": 7.0, "fast": 0.5}
    assert slow.turns == fast.turns == 4  # one turn to estimate the time, and three that count


def test_names_of_a_statement_are_local(bench):
    names = {"a": 1, "b": 2}
    assert bench["timing"].timer("a += b", names).timeit(3) > 0
    assert names == {"a": 1, "b": 2}


def test_middle_sizes_leave_out_what_does_not_depend_on_the_size(bench):
    small = bench["small"]
    assert small.measure_middle("isdtype", 1e-4) is None
    result = small.measure_middle("outer", 1e-4)
    assert set(result.ratios) == set(small.MIDDLE)
    assert result.ours[65536] > result.ours[4]


def test_results_of_squares_have_about_as_many_elements_as_the_size(bench):
    small = bench["small"]
    for name in small.SQUARES - {"meshgrid", "tril_indices", "triu_indices"}:
        given = {"xp": np, "np": np, **small.operands(round(1024**0.5))}
        assert 500 <= np.size(eval(small.call(name), given)) <= 2000, name  # noqa: S307 - our own table


def test_every_function_with_a_reason_is_measured(bench):
    small = bench["small"]
    assert set(small.REASONS) | set(small.MIDDLE_REASONS) <= set(small.names()) - set(small.LEFT_OUT)


def test_every_bar_names_cases_that_exist(bench):
    cases = bench["cases"]
    known = {
        "engine": {case.name for case, _ in bench["engine"].ROWS},
        "operators": {case.name for case in cases.OPERATORS},
        "functions": {case.name for case in cases.FUNCTIONS},
        "narrow": {case.name for case in cases.NARROW},
        "counting": {case.name for case in bench["whole_arrays"].COUNTING},
        "random": {case.name for case in bench["whole_arrays"].RANDOM},
        "programs": set(bench["programs"].PROGRAMS),
        "memory": {case.name for case in cases.MEMORY},
        "import": {"import supremum"},
    }
    for bar in bench["bars"].BARS:
        assert set(bar.cases) <= known[bar.section], bar


def test_rows_of_the_engine_have_names_of_their_own_and_a_bar_at_each_size(bench):
    rows = bench["engine"].ROWS
    assert len({case.name for case, _ in rows}) == len(rows)
    assert all(set(case.sizes) == set(bars) for case, bars in rows)


def test_every_row_of_the_engine_runs_and_has_the_values_of_numpy(bench, monkeypatch):
    monkeypatch.setattr(bench["run"], "race", lambda timers, _budget: {name: each.timeit(1) for name, each in timers.items()})
    runner = bench["run"].Bench(SimpleNamespace(smoke=True, budget=0, k=None))
    measured = list(runner.statements("engine", [case for case, _ in bench["engine"].ROWS]))
    assert len(measured) > 100
    assert {(each.case, each.note) for each in measured if each.note or set(each.costs) != {"supremum", "numpy"}} == set()


def test_every_row_of_the_picture_is_measured(bench):
    cases = bench["cases"]
    measured = {
        (section, case.name, size)
        for section, group in (("operators", cases.OPERATORS), ("functions", cases.FUNCTIONS), ("narrow", cases.NARROW))
        for case in group
        for size in case.sizes
    } | {("programs", name, 0) for name in bench["programs"].PROGRAMS}
    rows = {(section, case, size) for group in bench["picture"].ROWS.values() for section, case, size, _ in group}
    assert rows <= measured


def test_an_order_of_equal_elements_is_compared_with_a_stable_one(bench):
    (case,) = [case for case in bench["cases"].FUNCTIONS if case.name == "argsort"]
    ties = np.arange(1000, dtype=np.float32) % 3
    ours = eval(case.code, {"xp": xp, "a": xp.asarray(ties)})  # noqa: S307 - the statements are those of cases.py
    (code,) = case.numpy
    theirs = eval(code, {"np": np, "a": ties})  # noqa: S307 - likewise
    assert np.array_equal(np.asarray(ours), theirs)


def test_thirty_functions(bench):
    assert len(bench["cases"].FUNCTIONS) >= 30


@pytest.mark.parametrize(
    "costs, engine, holds, text",
    [
        ({"supremum": 2.0, "numpy": 1.0}, "reference", True, "2.00 ok (≤ 8.00)"),
        ({"supremum": 2.0, "numpy": 1.0}, "native", False, "2.00 MISS (≤ 0.40)"),
        ({"numpy": 1.0}, "native", False, "absent MISS (≤ 0.40)"),
        ({"supremum": 2.0}, "native", True, "–"),
    ],
)
def test_a_bar_judges(bench, costs, engine, holds, text):
    measurement = bench["report"].Measurement("engine", "a + b", 4, costs)
    assert measurement.flag("numpy", engine=engine) == (0.4 if engine == "native" else 8, holds)
    assert bench["report"].cell(measurement, "numpy", engine=engine) == text


@pytest.fixture
def measurements(bench):
    make = bench["report"].Measurement
    return [
        make("engine", "a + b", 4, {"supremum": 2.0, "numpy": 1.0}),
        make("operators", "a + b, float32", 4, {"supremum": 2.0, "numpy": 1.0, "torch": 4.0}),
        make("functions", "sum", 1_000_000, {"numpy": 1.0}, note="AttributeError"),
        make("programs", "heat stencil", 0, {"supremum": 0.001, "numpy": 1.0, "jax.numpy": 30.0}),
    ]


def test_reports_say_what_was_measured(bench, measurements):
    about = {"versions": {"numpy": "2.4"}, "machine": "m", "engine": "native"}
    many = [bench["report"].Measurement("operators", "a > b", n, {"supremum": 1.0, "numpy": 2.0}) for n in range(30)]
    titles = {"operators": "Operators", "functions": "Functions", "programs": "Programs"}
    text = bench["report"].block([*measurements, *many], about, titles)
    assert "The engine was the native one. 1 of 3 ratios are at most what bars.py asks for." in text
    assert "| sum  | 1,000,000 | absent MISS (≤ 1.02) | AttributeError |" in text
    assert any(line.startswith("Medians: 0.50 of numpy, at most 2.00; 0.50 of torch, at most 0.50.") for line in text)
    assert not any("| a > b" in line for line in text)  # of many rows, those that miss a bar
    assert any("| heat stencil" in line for line in text)  # of few, all
    data = json.loads(bench["report"].as_json(measurements, about))
    assert data["measurements"][0]["bars"] == {"numpy": 0.4}
    assert data["measurements"][1]["ratios"] == {"numpy": 2.0, "torch": 0.5}


def test_a_block_of_the_page_is_replaced(bench, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("head\n\n<!-- one -->\nold\n<!-- end of one -->\ntail\n", encoding="utf-8")
    bench["page"].put("one", ["new \\1", "µs"], page)
    assert page.read_text(encoding="utf-8") == "head\n\n<!-- one -->\n\nnew \\1\nµs\n\n<!-- end of one -->\ntail\n"
    with pytest.raises(ValueError, match=r"page.md has no block two"):
        bench["page"].put("two", [], page)


def test_the_page_has_a_block_for_each_benchmark_that_exists(bench):
    text = bench["page"].PAGE.read_text(encoding="utf-8")
    for block, (script, *_) in bench["page"].COMMANDS.items():
        assert (FOLDER / script).exists()
        assert re.search(rf'put\(.*"{block}"', (FOLDER / script).read_text(encoding="utf-8"))
        assert text.count(f"<!-- {block} -->\n\n") == text.count(f"\n\n<!-- end of {block} -->") == 1


def test_functions_that_miss_their_bar_have_reasons(bench):
    small = bench["small"]
    results = [
        small.Result(name, f"xp.{name}(x | y)", {4: ratio, 64: 0.5}, {4: 1e-6}, {})
        for name, ratio in {"one": 0.5, "two": 3.0, "three": 4.0}.items()
    ]
    assert small.missed(results, 2.5, {"two": "it is checked"})[2:] == [
        "| `xp.three(x &#124; y)` | 4.00 | 0.50 | 1.00 |  |",
        "| `xp.two(x &#124; y)` | 3.00 | 0.50 | 1.00 | it is checked |",
    ]
    assert small.missed(results, 9.0, {}) == []


def test_large_sizes_show_ratios_and_peaks_above_those_of_numpy(bench):
    lines = {("supremum", False): [1.0, 2.0], ("supremum", True): [2.0, 4.0], ("numpy", False): [4.0, 4.0]}
    text = bench["sizes"].block([1, 10], {"a + b": lines}, {"a + b": [80, 40], "a * 2": [40, 40]}, 10)
    assert "| `a + b` | 0.50 |  |  |  |  |  |" in text
    assert text[-1].endswith("of 2 operations are at most NumPy's, but of `a + b` (8.0, 4.0).")


def test_no_mark_of_the_picture_hides_another(bench):
    apart = bench["picture"].apart
    assert apart({"one": 10.0, "other": 40.0}) == {"one": (10.0, 0), "other": (40.0, 0)}
    for places in ([10.0, 12.0], [12.0, 10.0, 11.0], [10.0, 10.0, 10.0, 10.0], [0.0, 10.0, 20.0, 80.0]):
        found = apart({str(i): place for i, place in enumerate(places)})
        assert [found[str(i)][0] for i in range(len(places))] == places
        for i, one in enumerate(found.values()):
            assert abs(one[1]) < 11
            for other in list(found.values())[:i]:
                assert abs(one[0] - other[0]) >= 9 or abs(one[1] - other[1]) >= 6


def test_the_picture_is_well_formed_and_inside_its_frame(bench, measurements):
    svg = ET.fromstring(bench["picture"].draw(measurements))  # noqa: S314  # our own drawing
    _, _, width, height = map(float, svg.get("viewBox").split())
    marks = [each.get("transform") for each in svg.iter("{http://www.w3.org/2000/svg}path") if each.get("transform")]
    places = [tuple(map(float, mark.removeprefix("translate(").rstrip(")").split())) for mark in marks]
    assert len(places) >= 4
    assert all(0 < x < width and 0 < y < height for x, y in places)


def test_programs_give_the_same_numbers_here_as_on_numpy(bench):
    import numpy as np

    import supremum

    for program, make, tolerance in bench["programs"].PROGRAMS.values():
        arrays = make()
        expected = np.asarray(program(np, **arrays)).astype(np.float64)
        got = program(supremum, **{name: supremum.asarray(array) for name, array in arrays.items()})
        np.testing.assert_allclose(np.asarray(got).astype(np.float64), expected, rtol=tolerance, atol=tolerance)
