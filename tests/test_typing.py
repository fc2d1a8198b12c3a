"""The types for annotations, and types in users' checkers: of `examples/typed.py`, and mistakes that they must find."""

import ast
import inspect
import os
import pickle
import re
import subprocess
import sys
import typing
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import supremum as xp
import supremum.typing as types
from supremum._functions import scalar_types
from supremum.promotion._nodes import ABSENT, NODES, ROWS

NAMESPACES = (xp, xp.fft, xp.linalg, xp.nn, xp.random, xp.scipy.special, xp.io, xp.testing, xp.lib.stride_tricks)
EXAMPLES = Path(__file__).parents[1] / "examples"
PACKAGE = Path(xp.__file__).parent
#: Lines that a checker must refuse, with the code of mypy's error.
REFUSED = {
    "xp.sin()": "call-arg",
    "xp.nonsense": "attr-defined",
    "x.nonsense": "attr-defined",
    "x.shape.nonsense": "attr-defined",
    "xp.reshape(x)": "call-arg",
    "xp.linalg.nonsense": "attr-defined",
    "xp.vmap(abs)": "attr-defined",
    "y: str = x + 1": "assignment",
    "z: int = x.sum()": "assignment",
}
#: Calls whose type must not be Any, because a checker refuses a function that returns Any.
ARRAYS = (
    "xp.add(x, 1)", "xp.negative(x)", "xp.where(x > 0, x, 0)", "xp.linspace(0, 1, 3)", "xp.average(x)", "xp.linalg.svd(x).S",
    "xp.linalg.qr(x).R", "x[0]", "x.at[0].set(1)", "2 * x", "xp.random.normal(xp.random.key(0))", "xp.nn.relu(x)",
)  # fmt: skip
#: Assignments that a type checker accepts, and some that it refuses.
RIGHT = """
a: ArrayLike = xp.ones(2)
b: ArrayLike = np.ones(2)
c: ArrayLike = np.float32(1)
d: ArrayLike = True
e: ArrayLike = 1j
f: NestedArrayLike = [[1, 2.5], [xp.ones(()), np.int8(1)]]
g: DTypeLike = "bfloat16"
h: DTypeLike = xp.bfloat16
i: DTypeLike = np.dtype("int8")
j: DTypeLike = float
k: DTypeLike = xp.ones(2)
l: Shape = 3
m: Shape = (2, np.int64(3))
n: Axis = None
o: Axis = [0, 1]
p: Device = "cpu"
q: Order = "F"
r: Array = xp.sum(a, axis=o)
s: SupportsArray = np.ones(2)
t: SupportsDType = np.ones(2)
"""
#: Expressions that a type checker refuses.
MISTAKES = (
    'xp.zeros(3, dtype="flaot32")', 'xp.ones(2).astype("bf16")', 'xp.forbid("flaot64")', "xp.ones(2)[0.5]", 'xp.ones(2) + "a"',
    'xp.isdtype(xp.int8, "reel floating")', "xp.ones(2) + [1, 2]", "xp.ones(2) @ None", "xp.ones(2, 3)", "xp.summ(xp.ones(2))",
    "xp.sum(xp.ones(2), axsi=0)", "xp.zeros(3)[[0, 1]]",
)  # fmt: skip
#: Expressions with the types that a type checker is to find.
INFERRED = {
    "np.ones(3) + xp.ones(3)": "Array",
    "np.ones(3, dtype=np.int32) * xp.ones(3)": "Array",
    "np.float32(1) - xp.ones(3)": "Array",
    "xp.ones(3) + np.ones(3)": "Array",
    "2 * xp.ones(3)": "Array",
    "xp.ones(3)[0, ..., None, 1:]": "Array",
    "np.asarray(xp.ones(3)) * 2": "np.ndarray[tuple[Any, ...], np.dtype[Any]]",
    "np.sin(xp.ones(3))": "np.ndarray[tuple[Any, ...], np.dtype[Any]]",
}
WRONG = ('a: ArrayLike = "1"', "b: DTypeLike = 8", "c: Shape = 2.0", 'd: Axis = "x"', 'e: Device = "gpu"', 'f: Order = "R"')


def test_names():
    assert {name for name in dir(types) if not name.startswith("_")} == set(types.__all__)
    assert types.Array is xp.Array
    assert xp.typing is types
    assert "typing" in dir(xp)


def test_aliases_hold_the_types_that_functions_accept():
    members = typing.get_args(types.ArrayLike)
    assert {xp.Array, np.generic, bool, int, float, complex, types.SupportsArray} <= set(members)
    assert members < typing.get_args(types.NestedArrayLike)[: len(members) + 1]
    assert typing.get_args(types.Device) == ("cpu",)
    assert type(None) in typing.get_args(types.Axis)
    assert type(None) not in typing.get_args(types.Shape)
    assert {typing.get_origin(member) for member in typing.get_args(types.Shape)} == {None, Sequence}


@pytest.mark.parametrize("protocol", [types.SupportsArray, types.SupportsDType])
def test_protocols_are_found_where_users_find_them(protocol):
    assert protocol.__module__ == "supremum.typing"
    assert pickle.loads(pickle.dumps(protocol)) is protocol


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """Run mypy with its defaults and --strict, as a user of the installed package does."""
    pytest.importorskip("mypy", reason="mypy (the extra 'dev') is not installed")
    cache = tmp_path_factory.mktemp("mypy")
    # mypy finds an installed package by its interpreter; a folder of sources must be named.
    environment = dict(os.environ) if "site-packages" in PACKAGE.parts else {**os.environ, "MYPYPATH": str(PACKAGE.parent)}

    def check(program):
        command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file=", "--no-error-summary"]
        run = subprocess.run(
            [*command, "--cache-dir", str(cache), str(program)],
            env=environment, cwd=program.parent, check=False, capture_output=True, text=True,
        )  # fmt: skip
        return run.stdout + run.stderr

    return check


def test_a_type_checker_knows_them(strict, tmp_path):
    head = "import numpy as np\nimport supremum as xp\nfrom supremum.typing import *\n"
    program = tmp_path / "program.py"
    program.write_text(head + RIGHT + "\n".join(WRONG).replace(": ", "_wrong: "))
    found = strict(program)
    first = len((head + RIGHT).splitlines()) + 1
    refused = [int(line.split(":")[1]) for line in found.splitlines() if "[assignment]" in line]
    assert refused == list(range(first, first + len(WRONG))), found


PROGRAM = "\n".join([
    "from typing import Any, assert_type", "import numpy as np", "import supremum as xp", "from supremum import Array",
    *(f"assert_type({expression}, {kind})" for expression, kind in INFERRED.items()), *MISTAKES,
])  # fmt: skip


def of_pyright(program):
    pytest.importorskip("pyright", reason="pyright checks the types; the extra dev installs it")
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, str(program)]
    return subprocess.run(command, cwd=program.parent, check=False, capture_output=True, text=True).stdout


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_type_checkers_find_mistakes_and_types(checker, request, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    found = (request.getfixturevalue("strict") if checker == "mypy" else of_pyright)(program)
    first = PROGRAM.count("\n") + 2 - len(MISTAKES)
    refused = {int(line) for line in re.findall(r"program\.py:(\d+):.*error", found)}
    assert refused == set(range(first, first + len(MISTAKES))), found


def test_the_example_runs():
    subprocess.run([sys.executable, EXAMPLES / "typed.py"], check=True, capture_output=True)


def test_the_example_is_well_typed(strict):
    assert strict(EXAMPLES / "typed.py") == ""


def test_arrays_are_known_to_be_arrays(strict, tmp_path):
    program = tmp_path / "arrays.py"
    functions = [f"def f{i}(x: xp.Array) -> xp.Array:\n    return {call}" for i, call in enumerate(ARRAYS)]
    program.write_text("\n".join(["import supremum as xp", *functions]))
    assert strict(program) == ""


def test_refused_lines_have_their_codes(strict, tmp_path):
    program = tmp_path / "wrong.py"
    program.write_text("\n".join(["import supremum as xp", "x = xp.ones(3)", *REFUSED]))
    errors = {
        int(line.split(":")[1]): line.rpartition("[")[2].rstrip("]")
        for line in strict(program).splitlines()
        if ": error: " in line
    }  # fmt: skip
    assert errors == dict(enumerate(REFUSED.values(), start=3))


def test_names_of_dtypes_are_those_that_functions_accept():
    """Of this ml_dtypes: an older one lacks some."""
    names = set(typing.get_args(types.DTypeName))
    assert {name for name in NODES if NODES[name].dtype is not None and not NODES[name].weak} <= names
    for name in names - ABSENT:
        assert xp.zeros(1, dtype=name).shape == (1,)


def test_type_checkers_know_all_dtypes():
    """The two stubs name those of the table one by one: a name that they lack is an error to a type checker."""
    package = Path(xp.__file__).parent
    names = typing.get_args(types.DTypeName)
    words = re.findall(r'"(\w+)"', (package / "_core/dtype_names.pyi").read_text())
    assert sorted(words) == sorted(names)
    stub = ast.parse((package / "_functions/scalar_types.pyi").read_text())
    targets = [node.target if isinstance(node, ast.AnnAssign) else node.targets for node in stub.body[3:]]
    known = {name.id for each in targets for name in (each if isinstance(each, list) else [each])}
    assert known - ABSENT == set(scalar_types.__all__)
    assert set(ROWS) <= known


def annotations():
    """Yield the name and the annotation of each parameter of each public function."""
    for namespace in NAMESPACES:
        for name in namespace.__all__:
            function = inspect.unwrap(getattr(namespace, name))
            if not inspect.isfunction(function):
                continue
            for parameter in inspect.signature(function).parameters.values():
                yield f"{namespace.__name__}.{name}", str(parameter.annotation)


def test_few_parameters_are_of_any_type():
    found = list(annotations())
    loose = [name for name, annotation in found if annotation in ("Any", "<class 'inspect._empty'>")]
    assert len(found) > 1000
    assert len(loose) <= 0.02 * len(found), loose
