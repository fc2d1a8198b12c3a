"""The stub of the extension module has the names of the module and of its specification."""

import ast
import importlib
import inspect
from pathlib import Path

import numpy as np
import pytest
from common import for_each

import supremum
from supremum._base import functions
from supremum._base.python_operators import ARITHMETIC, COMPARING, OF_ONE
from supremum._core import _reference, _reference_plans, _reference_programs, _reference_tapes

SOURCE = "".join(
    inspect.getsource(module) for module in (functions, _reference_plans, _reference_programs, _reference_tapes, _reference)
)
SOURCE = SOURCE.replace("from __future__ import annotations", "")
SPECIFICATION = ast.parse(SOURCE)
STUB = ast.parse((Path(supremum.__file__).parent / "_native.pyi").read_text(encoding="utf-8"))


def names(body):
    """Return the names that a stub defines in a module or class."""
    found = {}
    for each in body:
        if isinstance(each, ast.ClassDef | ast.FunctionDef):
            found[each.name] = each
        elif isinstance(each, ast.AnnAssign):
            found[each.target.id] = each
    return found


DECLARED = {name: each for name, each in names(STUB.body).items() if not name.startswith("_")}
#: Ufuncs of our own loops; the specification uses NumPy's ufuncs or kernels instead.
UFUNCS = {name for name, each in DECLARED.items() if "np.ufunc" in ast.unparse(each) and isinstance(each, ast.AnnAssign)}
#: `supremum._base` specifies `use_silence`, `_kernels` the loops; tests select instructions by
#: `set_level`.
ONLY_NATIVE = {
    "argextreme_narrow", "argsort_narrow", "bincount", "cast", "casts", "convert_bits", "empty", "errors_of",
    "find_bins", "follower", "forget", "inverse_error", "multiply_integers", "narrow_ufunc", "nonzero", "pool_clock",
    "pool_held", "pool_layout", "random_bits", "random_fractions", "random_integers", "random_keys", "random_normal",
    "random_uniform", "set_level", "set_pool", "set_threads", "sort_in_rows", "sort_narrow", "sum_all",
    "sum_squares", "sum_weights", "tally_narrow", "threads_started", "use_silence",
}  # fmt: skip
CLASSES = sorted(name for name, each in DECLARED.items() if isinstance(each, ast.ClassDef) and name not in ONLY_NATIVE)
FUNCTIONS = sorted(name for name, each in DECLARED.items() if isinstance(each, ast.FunctionDef) and name not in ONLY_NATIVE)
#: Attributes of every class.
OF_OBJECTS = {"__init_subclass__", "__repr__", "__new__", "__init__", "__module__", "__doc__", "__slots__", "__annotations__"}
#: Attributes that callables have from their Python definition.
OF_FUNCTIONS = {"__name__", "__qualname__", "__wrapped__"}


def parameters(function):
    """Return the names of a stub's parameters without the first one of methods, and those of keyword-only ones."""
    args = function.args
    named = [each.arg for each in (*args.posonlyargs, *args.args) if each.arg not in ("self", "cls")]
    return named + [each.arg for each in args.kwonlyargs], bool(args.vararg), bool(args.kwarg)


def members(name):
    """Return the members of a stub's class, including those of its bases in the stub."""
    cls = names(STUB.body)[name]
    inherited = [members(base.id) for base in cls.bases if isinstance(base, ast.Name)]
    return {key: each for found in (*inherited, names(cls.body)) for key, each in found.items()}


def test_names_are_those_of_the_specification():
    assert set(DECLARED) - UFUNCS - ONLY_NATIVE == {*_reference.__all__}


def test_names_are_those_of_the_module():
    try:
        native = importlib.import_module("supremum._native")
    except ImportError:
        pytest.skip("the native engine is not compiled")
    public = {name for name in dir(native) if not name.startswith("_")}
    assert set(DECLARED) - UFUNCS == {name for name in public if not isinstance(getattr(native, name), np.ufunc)}
    assert {name for name in public if isinstance(getattr(native, name), np.ufunc)} == UFUNCS
    # Classes in Python have `__buffer__` from 3.12 on; subclasses of Scope define `resolve`.
    python = {"__buffer__"} if not hasattr(native.Array, "__buffer__") else set()
    for name in CLASSES:
        cls = getattr(native, name)
        absent = {member for member in members(name) if not hasattr(cls, member)} - python - {"resolve"}
        assert absent <= ({"array"} if name == "At" else OF_FUNCTIONS), name


def defined(name):
    """Return what a class of the specification and its bases define in their bodies, without attached methods."""
    [cls] = [each for each in SPECIFICATION.body if isinstance(each, ast.ClassDef) and each.name == name]
    found = set(names(cls.body))
    for target in (part for each in cls.body if isinstance(each, ast.Assign) for part in each.targets):
        found |= {part.id for part in (target.elts if isinstance(target, ast.Tuple) else [target])}
    if name == "Array":  # whose operators are those of the tables
        found |= {f"__{form}{operator}__" for operator in ARITHMETIC for form in ("", "r", "i")}
        found |= {f"__{operator}__" for operator in (*COMPARING, *OF_ONE)}
    return found.union(*(defined(base.id) for base in cls.bases if isinstance(base, ast.Name)))


@for_each("name", CLASSES)
def test_members_are_those_of_the_specification(name):
    own, stated = defined(name), set(members(name)) - OF_OBJECTS
    assert {key for key in stated - own - OF_FUNCTIONS if f"self.{key}" not in SOURCE} == set()
    assert {key for key in own - OF_OBJECTS if not key.startswith("_") or key.endswith("__")} <= stated


@for_each("name", FUNCTIONS)
def test_parameters_of_functions_are_those_of_the_specification(name):
    signature = inspect.signature(getattr(_reference, name)).parameters.values()
    named = [each.name for each in signature if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    kinds = {each.kind for each in signature}
    assert parameters(DECLARED[name]) == (
        named,
        inspect.Parameter.VAR_POSITIONAL in kinds,
        inspect.Parameter.VAR_KEYWORD in kinds,
    )


@for_each("name", [name for name in CLASSES if name not in ("Array", "At", "DeletedArray", "IndexedUpdate", "Scope")])
def test_parameters_of_classes_are_those_of_the_specification(name):
    signature = inspect.signature(getattr(_reference, name)).parameters.values()
    named = [each.name for each in signature if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    assert parameters(members(name)["__new__"])[0] == named
