"""The types for annotations: what belongs to them, and that public signatures use them."""

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


def test_a_type_checker_knows_them(tmp_path):
    pytest.importorskip("mypy", reason="types are checked by mypy, which the extra dev installs")
    head = "import numpy as np\nimport supremum as xp\nfrom supremum.typing import *\n"
    program = tmp_path / "program.py"
    program.write_text(head + RIGHT + "\n".join(WRONG).replace(": ", "_wrong: "))
    package = Path(xp.__file__).parent
    environment = dict(os.environ) if "site-packages" in package.parts else {**os.environ, "MYPYPATH": str(package.parent)}
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file=", "--no-error-summary"]
    run = subprocess.run(
        [*command, "--cache-dir", str(tmp_path / "cache"), str(program)],
        env=environment, cwd=tmp_path, check=False, capture_output=True, text=True,
    )  # fmt: skip
    first = len((head + RIGHT).splitlines()) + 1
    refused = [int(line.split(":")[1]) for line in run.stdout.splitlines() if "[assignment]" in line]
    assert refused == list(range(first, first + len(WRONG))), run.stdout


PROGRAM = "\n".join([
    "from typing import Any, assert_type", "import numpy as np", "import supremum as xp", "from supremum import Array",
    *(f"assert_type({expression}, {kind})" for expression, kind in INFERRED.items()), *MISTAKES,
])  # fmt: skip


@pytest.mark.parametrize(
    ("checker", "words"),
    [("mypy", ["--strict", "--follow-imports=silent", "--config-file=", "--no-error-summary"]), ("pyright", [])],
)
def test_type_checkers_find_mistakes_and_types(checker, words, tmp_path):
    pytest.importorskip(checker, reason=f"{checker} checks the types; the extra dev installs it")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    package = Path(xp.__file__).parent.parent
    environment = {**os.environ, "MYPYPATH": "" if "site-packages" in package.parts else str(package)}
    cache = ["--cache-dir", str(tmp_path / "cache")] if checker == "mypy" else ["--pythonpath", sys.executable]
    run = subprocess.run(
        [sys.executable, "-m", checker, *words, *cache, str(program)],
        env=environment, cwd=tmp_path, check=False, capture_output=True, text=True,
    )  # fmt: skip
    first = PROGRAM.count("\n") + 2 - len(MISTAKES)
    refused = {int(line) for line in re.findall(r"program\.py:(\d+):.*error", run.stdout)}
    assert refused == set(range(first, first + len(MISTAKES))), run.stdout


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
