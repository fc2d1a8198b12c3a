"""Warnings of calls that do less than NumPy's: of the user's lines, and of nothing else."""

import subprocess
import sys
import textwrap
import warnings

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum._base import porting


def warned(code, **names):
    """Run code as the lines of a file; return the line and the text of each warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        exec(compile(textwrap.dedent(code), "user.py", "exec"), {"xp": xp, "np": np, **names})  # noqa: S102 - a file of the user's
    assert all(issubclass(each.category, xp.PortingWarning) and each.filename == "user.py" for each in caught)
    return [(each.lineno, str(each.message)) for each in caught]


def test_a_sorted_copy_that_is_dropped():
    [(line, message)] = warned("a = xp.asarray([3.0, 1.0])\na.sort()\nb = a.sort(); f = [a.sort(axis=0)]")
    assert line == 2
    assert message == "Array.sort: returns a new array and leaves this one as it is; write x = x.sort()"
    assert [line for line, _ in warned("a = xp.ones(2)\na.sort(\n    axis=-1\n)\nprint(end='', *a.sort())")] == [2]
    assert warned("def f(a):\n    return a.sort()\nf(xp.ones(2))") == []


@for_each(
    ("code", "lines"),
    [
        ("xp.asarray([1e300, 1])", [1]),
        ("\nxp.array([[1.0], [-1e39]])", [2]),
        ("xp.asarray(1e300)", [1]),
        ("xp.asarray([1e38, float('inf'), float('nan')])", []),
        ("xp.asarray(float('inf'))", []),
        ("xp.asarray([1e300], dtype='float32')", []),
        ("xp.asarray([1e300], dtype='float64')", []),
        ("xp.asarray(np.asarray([1e300]))", []),
        ("with xp.config.use(x64='on'): xp.asarray([1e300])", []),
        ("xp.sin(1e300); xp.ones(2) * 1e300", []),
    ],
)
def test_numbers_that_become_infinite(code, lines):
    assert [line for line, _ in warned(code)] == lines


def test_the_message_says_what_became_infinite():
    [(_, message)] = warned("xp.asarray([2, 1e300])")
    assert message.startswith("asarray: 1e+300 is infinite as float32, the default dtype; use dtype='float64', or set ")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("xp.percentile(x, 101)", "percentile: q is between 0 and 100, got 101; the result is that of the nearest bound"),
        ("xp.nanquantile(x, -0.5)", "nanquantile: q is between 0 and 1, got -0.5; the result is that of the nearest bound"),
        ("xp.quantile(x, xp.asarray([-1.0, 0.5]))", None),
        ("xp.quantile(x, float('nan'))", None),
        (
            "xp.random.randint(key, 0, 10, 5)",
            "randint: minval 10 is above maxval 5; the arguments are randint(key, shape, minval, maxval)",
        ),
        ("xp.random.randint(key, (2,), 5, 5)", None),
    ],
)
def test_arguments_out_of_range(code, message):
    found = warned(code, x=xp.asarray([1.0, 2.0]), key=xp.random.key(0))
    assert found == ([] if message is None else [(1, message)])


def test_lines_of_libraries_get_no_warning(monkeypatch):
    monkeypatch.setattr(porting, "_libraries", lambda: ("user.py",))
    assert warned("a = xp.ones(2)\na.sort()\nxp.asarray([1e300])") == []


def test_arrays_that_do_not_change_get_no_warning():
    with xp.config.use(mutable=False):
        assert warned("xp.ones(2).sort()") == []


SCRIPT = "import {} as xp\na = xp.asarray([3.0, 1.0])\nfor _ in range(3): a.sort()\nxp.asarray([1e300])"


@pytest.mark.parametrize(
    ("module", "arguments", "count"),
    [
        ("supremum", [], 2),
        ("supremum", ["-W", "ignore::UserWarning"], 0),
        ("jax.numpy", ["-m", "supremum", "run"], 0),
    ],
)
def test_once_per_line_and_never_under_run(tmp_path, module, arguments, count):
    (tmp_path / "script.py").write_text(SCRIPT.format(module))
    done = subprocess.run([sys.executable, *arguments, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr.count("PortingWarning: ") == count


def test_the_setting_that_turns_them_off():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", xp.PortingWarning)
        xp.asarray([1e300])
    assert caught == []


def test_under_numpys_system_methods_work_in_place():
    """Values of NumPy's methods."""
    with xp.promotion.use("numpy"):
        x, n = xp.asarray([3.0, 1.0, 2.0]), np.asarray([3.0, 1.0, 2.0])
        for change in (
            lambda a: a.partition(1),
            lambda a: a.sort(),
            lambda a: a.resize((2, 2), refcheck=False),
            lambda a: a.sort(axis=0),
        ):
            assert change(x) is None is change(n)
            assert x.tolist() == n.tolist()
        view = x[0]
        with pytest.raises(ValueError, match=r"^Array\.resize: cannot resize .*write x = supremum\.resize"):
            x.resize(5)
        assert view.tolist() == n[0].tolist()
    with pytest.raises(AttributeError, match=r"partition.*write x = supremum\.partition\(x, 1\)"):
        x.partition(1)
