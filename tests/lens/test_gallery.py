"""The gallery: each loss is found at its line, with its kind and its size in exact arithmetic, and in double there is none."""

import inspect
import json
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from common import for_each
from lens_gallery import DTYPES, gram_schmidt_classical, gram_schmidt_modified

import supremum as xp
from supremum.lens._report import is_clean

#: What the programs return in exact arithmetic; see record_lens_gallery.py.
EXACT = json.loads(Path(__file__).parents[1].joinpath("lens_gallery.json").read_text(encoding="utf-8"))
MARK = re.compile(r"# loses: (\S+) (\S+)")


def mark(program):
    """Return the line of a program that loses digits, the function and the kind; None if no line does."""
    lines, start = inspect.getsourcelines(program)
    found = [(start + i, *MARK.search(line).groups()) for i, line in enumerate(lines) if MARK.search(line)]
    return found[0] if found else None


LOSING = [program for program in DTYPES if mark(program)]
SAVING = [program for program in DTYPES if not mark(program)]


def name_of(program):
    return program.__name__


def true_error(result, exact):
    """Return the largest relative error of a result, by fractions."""
    if isinstance(exact, list):
        return max(true_error(one, other) for one, other in zip(result, exact, strict=True))
    number = float(result)
    return abs(Fraction(number) / Fraction(exact) - 1) if np.isfinite(number) else np.inf


def run(program, dtype):
    with xp.precision_lens() as lens:
        result = program(xp, dtype)
        error = lens.error(result)
    assert lens.unfollowed == {}
    return lens, result, error


@for_each("program", LOSING, identity=name_of)
def test_a_loss_is_found_at_its_line_with_its_kind(program):
    lens, _, _ = run(program, DTYPES[program])
    line, function, kind = mark(program)
    [row] = [row for row in lens.rows if (row.line, row.function) == (line, function)]
    assert kind in row.kinds
    assert Path(row.file) == Path(inspect.getsourcefile(program))
    assert not is_clean(row)
    # No line that comes before it in the program is worse, but for the iteration of Mandelbrot, which is chaotic.
    earlier = [other for other in lens.rows if other.first < row.first and program.__name__ != "mandelbrot"]
    assert all(other.growth < row.growth for other in earlier)


@for_each("program", [program for program in DTYPES if program.__name__ != "mandelbrot"], identity=name_of)
def test_errors_are_those_of_exact_arithmetic(program):
    _, result, error = run(program, DTYPES[program])
    expected = true_error(result, EXACT[program.__name__])
    assert error == pytest.approx(float(expected), rel=2e-5, abs=1e-15)


def test_escapes_flip_where_they_differ_from_exact_arithmetic():
    [program] = [program for program in DTYPES if program.__name__ == "mandelbrot"]
    lens, steps, _ = run(program, "float32")
    assert [int(float(one)) for one in EXACT["mandelbrot"]] != steps.tolist()
    [row] = [row for row in lens.rows if "flip" in row.kinds]
    assert (row.line, row.function, row.dtype) == (mark(program)[0], "less", "bool")


@pytest.mark.parametrize("program", SAVING, ids=name_of)
def test_the_better_program_has_no_such_loss(program):
    lens, _, error = run(program, DTYPES[program])
    form = float(xp.finfo(DTYPES[program]).eps)
    assert error <= 2 * form
    if program is not gram_schmidt_modified:  # whose vectors have an element that is small by cancellation
        assert [row for row in lens.rows if not is_clean(row)] == []


def test_modified_gram_schmidt_is_better_than_classical():
    (_, _, classical), (_, _, modified) = run(gram_schmidt_classical, "float32"), run(gram_schmidt_modified, "float32")
    assert classical > 0.1
    assert modified < 1e-6


@for_each("program", DTYPES, identity=name_of)
def test_the_same_programs_are_clean_in_double(program):
    lens, _, error = run(program, "float64")
    assert error == 0
    assert [row for row in lens.rows if not is_clean(row)] == []
    assert len(lens.rows) > 1
    assert "no loss beyond rounding" in str(lens)


@for_each("program", LOSING, identity=name_of)
def test_the_documentation_has_the_program(program):
    page = Path(__file__).parents[2].joinpath("docs/precision-lens.md").read_text(encoding="utf-8")
    lines, _ = inspect.getsourcelines(program)
    code = next(line.partition("#")[0].strip() for line in lines if MARK.search(line))
    assert f"| {DTYPES[program]} | `{code}` | {mark(program)[2]} |" in page
