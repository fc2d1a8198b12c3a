"""Elementwise functions are made of their row and their definition: their attributes, and how to add one."""

import inspect
import os
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from common import for_each
from rows import ROWS, RULES

import supremum as xp
from supremum._core.conversion import operand
from supremum._core.operators import unary
from supremum._functions.elementwise import trigonometry
from supremum._functions.elementwise._steps import apply_binary, drop_weak_unless_scalar

PACKAGE = Path(xp.__file__).parent
DTYPES = ["bool", "int4", "int8", "uint64", "bfloat16", "float8_e4m3fn", "float16", "float32", "float64", "complex64"]
#: Functions that `elementwise` made, without the ufuncs.
MADE = sorted(name for name in set(RULES) - {"heaviside", "round"} if not isinstance(getattr(xp, name), xp.ufunc))
ARRAYS = [xp.ones(shape, dtype=dtype) for dtype in DTYPES for shape in ((), (3,), (0, 2))]
ARRAYS += [xp.broadcast_to(xp.asarray(scalar), shape) for scalar in (2, 0.5, 1j) for shape in ((), (2,))]  # weak dtypes


def general(name, *arrays):
    """Compute by the general path of a row, without fast path."""
    x = [operand(array, name) for array in arrays]
    result = unary(ROWS[name], *x) if len(x) == 1 else apply_binary(ROWS[name], *x)
    return drop_weak_unless_scalar(result, RULES[name].strong_arrays)


@for_each("name", MADE)
def test_the_fast_path_computes_what_the_general_one_does(name):
    function = getattr(xp, name)
    for x in ARRAYS:
        for operands in ((x,),) if RULES[name].nin == 1 else ((x, x), (x, ARRAYS[-1]), (ARRAYS[0], x)):
            try:
                expected = general(name, *operands)
            except (TypeError, ValueError) as error:
                message = str(error).replace("Raised by binary", f"Raised by {name}")
                with pytest.raises(type(error), match=f"^{re.escape(message)}$"):
                    function(*operands)
                continue
            for _ in range(2):
                found = function(*operands)
                assert (found.dtype, found.weak_type, found.shape) == (expected.dtype, expected.weak_type, expected.shape)
                assert np.asarray(found).tobytes() == np.asarray(expected).tobytes()


@for_each("name", MADE)
def test_functions_look_like_their_definitions(name):
    function = getattr(xp, name)
    definition = inspect.unwrap(function)
    assert pickle.loads(pickle.dumps(function)) is function
    assert (function.__name__, function.__qualname__) == (name, name)
    assert function.__doc__ == definition.__doc__
    assert inspect.signature(function) == inspect.signature(definition)
    assert re.match(rf"@elementwise\(.*\)\ndef {name}\(", inspect.getsource(function), re.DOTALL)
    assert Path(inspect.getsourcefile(inspect.unwrap(function))).parent.name == "elementwise"
    missing = list(inspect.signature(definition).parameters)[RULES[name].nin - 1]
    with pytest.raises(
        TypeError, match=rf"^{name}\(\) missing 1 required positional argument: '{missing}'; the arguments are "
    ):
        function(*[1.0] * (RULES[name].nin - 1))


def test_parameters_are_passed_as_the_definition_says():
    assert xp.trunc(x=1.5) == 1
    assert xp.gcd(x1=4, x2=6) == 2
    for wrong in (lambda: xp.sin(x=1.0), lambda: xp.less(x=1, y=2), lambda: xp.sin(1.0, 2.0)):
        with pytest.raises(TypeError, match=r"^(sin|less)\(\) "):
            wrong()
    assert xp.isposinf(xp.inf, None)
    with pytest.raises(NotImplementedError, match=r"^isposinf: out="):
        xp.isposinf(1.0, out=xp.ones(()))


def test_all_names_of_a_function_are_one_function():
    assert xp.acos is xp.arccos
    assert not hasattr(inspect.unwrap(xp.acos), "__wrapped__")
    assert xp.round is xp.around


def test_arrays_are_strong_where_the_row_says_so():
    weak = xp.broadcast_to(xp.asarray(2.0), (2,))
    assert weak.weak_type
    assert xp.sin(weak).weak_type
    assert not xp.deg2rad(weak).weak_type
    assert not xp.hypot(weak, weak).weak_type
    assert xp.deg2rad(2.0).weak_type
    assert xp.hypot(2.0, 2.0).weak_type


def test_modules_export_what_they_define():
    defined = {
        name
        for name, value in vars(trigonometry).items()
        if callable(value) and name not in ("elementwise", "exported", "symmetric")
    }
    assert set(trigonometry.__all__) == defined - {"Array", "Result"}


# -- adding a function --------------------------------------------------------------------------------------------------------


def insert(path, before, text):
    source = path.read_text(encoding="utf-8")
    assert source.count(before) == 1
    path.write_text(source.replace(before, text + before), encoding="utf-8")


DEFINITIONS = '''\
@elementwise("biufc", Result.INEXACT, lambda x: np.reciprocal(np.cos(x)))
def sec(x: ArrayLike, /) -> Array:
    """Compute the secant.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.sec(0.0)
    Array(1., dtype=float32, weak_type=True)
    """


@elementwise("biuf", Result.NUMBER, lambda x, y: np.abs(x - y), strong_arrays="f", error=ValueError)
def distance(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Compute the distance of two numbers."""


'''
USES = """
import doctest, inspect, pickle
import supremum as xp
from supremum._functions.elementwise import trigonometry

assert xp.__file__.startswith(FOLDER), xp.__file__
x = xp.asarray([0.0, 1.0])
for _ in range(2):
    assert xp.sec(x).dtype == "float32" and abs(float(xp.sec(x)[1]) - 1.850816) < 1e-5
assert xp.sec(xp.asarray([0, 0], dtype="int8")).dtype == "float32"
assert xp.sec(xp.asarray([0, 0], dtype="bfloat16")).dtype == "bfloat16"
assert xp.sec(0.0).weak_type
assert xp.distance(x, 3).tolist() == [3.0, 2.0]
assert xp.distance(True, True).dtype == "int32"
weak = xp.broadcast_to(xp.asarray(2.0), (2,))
assert xp.distance(1.0, 2.0).weak_type and not xp.distance(weak, weak).weak_type

assert str(inspect.signature(xp.sec)) == "(x: 'ArrayLike', /) -> 'Array'"
assert xp.sec.__doc__.startswith("Compute the secant.") and xp.sec.__name__ == "sec"
assert pickle.loads(pickle.dumps(xp.sec)) is xp.sec
assert doctest.testmod(trigonometry).failed == 0
for module in (xp, trigonometry):
    assert {"sec", "distance"} <= set(module.__all__)
assert "sec" in dir(xp)


def message(function, *arguments, **keywords):
    try:
        function(*arguments, **keywords)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


assert message(xp.sec, [1]).startswith("TypeError: sec requires ndarray or scalar arguments, got list")
assert message(xp.sec).startswith("TypeError: sec() missing 1 required positional argument: 'x'")
assert message(xp.sec, x=1).startswith("TypeError: sec() got some positional-only arguments")
assert message(xp.distance, 1j, x).startswith("ValueError: distance does not accept dtype complex64")
assert message(xp.distance, x, xp.ones(3)).startswith("ShapeError: distance: the shapes (2,) and (3,) cannot")
assert message(xp.distance, x).startswith("TypeError: distance() missing 1 required positional argument: 'x2'")
"""


def test_a_function_is_its_definition(tmp_path):
    copy = tmp_path / "supremum"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    insert(
        copy / "_functions/elementwise/trigonometry.py",
        '@elementwise("biufc", Result.INEXACT, np.sin, slope="cos(x)")\ndef sin(',
        DEFINITIONS,
    )
    insert(copy / "_functions/elementwise/trigonometry.py", '"sin", ', '"sec", "distance", ')
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", USES.replace("FOLDER", repr(str(tmp_path)))],
        env=environment, cwd=tmp_path, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["bitwise_count", "cbrt", "lcm", "sinh"])
def test_places_where_the_name_of_a_function_stands(name):
    """The definition and the list of public names above it; slopes are expressions of functions.

    `supremum.jax` has lists of its own, and `_standard` the functions of the standard.
    """
    others = (*[PACKAGE / name for name in ("jax", "_standard.py")],)
    places = [
        (path.relative_to(PACKAGE).as_posix(), line.strip())
        for path in sorted(PACKAGE.rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(rf"(?<!np\.)\b{name}\b", line)
        and not line.lstrip().startswith(">>>")
        and "slope=" not in line
        and not {*others} & {path, *path.parents}
    ]
    (definition_file, listed), (_, definition) = places
    assert [place for place, _ in places] == [definition_file, definition_file]
    assert f'"{name}"' in listed
    assert definition.startswith(f"def {name}(")
    assert definition_file.startswith("_functions/elementwise/")
