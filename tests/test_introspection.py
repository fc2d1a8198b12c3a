"""Introspection at a prompt: signatures, help, completion."""

import contextlib
import gc
import importlib
import inspect
import operator
import pickle
import pkgutil
import pydoc
import rlcompleter
import subprocess
import sys
import types
import typing

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum._base.buffers import native

NAMESPACES = (xp, xp.fft, xp.io, xp.linalg, xp.nn, xp.promotion, xp.random, xp.scipy.special, xp.testing)
CALLABLES = {
    f"{namespace.__name__}.{name}": value
    for namespace in NAMESPACES
    for name in namespace.__all__
    if callable(value := getattr(namespace, name)) and not str(value.__module__).startswith("numpy")
}
#: Functions whose signature Python cannot determine.
WITHOUT = {"supremum.PortingWarning", "supremum.TypePromotionError", "supremum.promotion.TypePromotionError"}
#: Functions with NumPy's options, which NumPy documents.
PASSED_ON = {"supremum.printoptions", "supremum.set_printoptions"}


@for_each("name", sorted(CALLABLES.keys() - WITHOUT - PASSED_ON))
def test_signatures_are_real(name):
    kinds = [parameter.kind for parameter in inspect.signature(CALLABLES[name]).parameters.values()]
    assert kinds != [inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD]


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (xp.sin, "(x, /)"),
        (xp.add, "(x1, x2, /, *, out=None, where=None)"),
        (xp.linalg.solve, "(a, b)"),
        (xp.random.uniform, "(key, shape=(), dtype=None, minval=0.0, maxval=1.0, *, out_sharding=None)"),
        (xp.Array.swapaxes, "(self, axis1, axis2)"),
    ],
)
def test_signatures(function, arguments):
    signature = inspect.signature(function)
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    assert str(inspect.Signature(bare)) == arguments


@pytest.mark.parametrize("name", ["sin", "add", "reshape", "where", "int8"])
def test_help_shows_the_signature_and_the_docstring(name):
    function = getattr(xp, name)
    text = pydoc.plain(pydoc.render_doc(function))
    # From Python 3.13 on, a long signature has a line for each parameter.
    assert f"{name}({next(iter(inspect.signature(function).parameters))}" in text.replace("(\n    ", "(")
    summary = (inspect.getdoc(function) or "").split("\n\n")[0]
    assert summary in text


def test_every_name_is_completed_before_it_is_first_used():
    """In a new process, where names that are imported on first use have not been used."""
    code = """
import rlcompleter, sys
import supremum as xp
loaded = set(sys.modules)
assert set(xp.__all__) <= set(dir(xp))
assert {"fft", "io", "linalg", "load", "nn", "numpy", "random", "save", "scipy", "testing"} <= set(dir(xp))
assert set(sys.modules) == loaded, "to list names is not to import them"
found = rlcompleter.Completer({"xp": xp}).attr_matches("xp.ran")
assert [name.rstrip("(.") for name in found] == ["xp.random"], found
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_methods_are_completed():
    names = {name for name in dir(xp.ones(2)) if not name.startswith("_")}
    assert {"T", "astype", "at", "dtype", "mT", "reshape", "shape", "sum", "weak_type"} <= names


#: One callable of each kind; in the reference engine, some are functions of Python's.
KINDS = {
    type(f).__name__: f
    for f in (xp.sin, xp.add, xp.sum, xp.concat, xp.argwhere, xp.einsum)
    if not isinstance(f, types.FunctionType)
}


@pytest.fixture
def restored(request):
    """Return a callable, whose attributes are restored after the test."""
    function = KINDS[request.param]
    attributes = dict(vars(function))
    yield function
    function.__dict__ = attributes


@pytest.mark.parametrize("restored", KINDS, indirect=True)
def test_attributes_that_users_set_may_be_anything(restored):
    for value in (1, None, b"sin", 2.5, [], type, "\ud800"):
        for name in ("__qualname__", "__module__", "__doc__", "__name__", "__wrapped__"):
            with contextlib.suppress(AttributeError, TypeError):  # read-only, or of functions, which take strings only
                setattr(restored, name, value)
        assert repr(restored) == (
            f"<function {value}>" if type(restored) is not type(xp.add) else f"<supremum.ufunc '{restored.__name__}'>"
        )
        assert isinstance(restored.__name__, str) or restored.__name__ is value
        for use in (pickle.dumps, inspect.signature, inspect.getdoc, dir):
            with contextlib.suppress(Exception):
                use(restored)


class Key:
    """A key that is found where a string is looked for, and then replaces the dictionary."""

    def __init__(self, name, function):
        self.name, self.function = name, function

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        self.function.__dict__ = {"__qualname__": "replaced", "__doc__": "replaced", "__name__": "replaced"}
        return False


@pytest.mark.parametrize("restored", KINDS, indirect=True)
@pytest.mark.parametrize("name", ["__doc__", "__name__", "__qualname__"])
def test_dictionaries_that_are_replaced_while_they_are_searched(name, restored):
    uses = [repr, operator.attrgetter("__doc__"), operator.attrgetter("__name__")]
    if native is not None:  # functions of the reference engine are set by Python, which uses the dictionary after its end
        uses.append(lambda function: setattr(function, "__doc__", "new"))
    for use in uses:
        restored.__dict__ = {Key(name, restored): "kept nowhere else"}
        with contextlib.suppress(AttributeError, RuntimeError):
            use(restored)
        gc.collect()


def public_classes():
    optional = {"supremum.dask", "supremum.zarr", "supremum.pytest_plugin", "supremum._native"}
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(xp.__path__, "supremum.")
        if found.name not in optional and "__main__" not in found.name and "children" not in found.name
    ]
    found = {value for module in modules for value in vars(module).values() if isinstance(value, type)}
    return sorted((kind for kind in found if kind.__module__.startswith("supremum")), key=lambda kind: kind.__qualname__)


def test_no_property_is_literal():
    """jedi, by which IPython completes names, fails on such a property, and shows nothing of its class."""
    seen = []
    for kind in public_classes():
        for name, member in vars(kind).items():
            if isinstance(member, property) and member.fget is not None:
                seen.append(f"{kind.__qualname__}.{name}")
                try:
                    hint = typing.get_type_hints(member.fget).get("return")
                except NameError:  # of a name that only type checkers import: jedi passes over it
                    continue
                assert typing.get_origin(hint) is not typing.Literal, seen[-1]
    assert {"Array.device", "Config.x64_enabled", "PromotionLog.events"} <= set(seen)


@for_each("name", sorted(CALLABLES))
def test_annotations_of_results_are_known(name):
    function = CALLABLES[name]
    annotations = getattr(function, "__annotations__", {})
    if not isinstance(function, type) and annotations.get("return") == "Array":
        assert typing.get_type_hints(inspect.unwrap(function), localns=vars(np))["return"] is xp.Array


def test_definitions_have_another_name():
    # jedi would read the file of a definition of the same name as if it were `supremum`, and complete nothing.
    for name in xp.__all__:
        if getattr(getattr(xp, name), "__annotations__", {}).get("return") == "Array":
            assert inspect.unwrap(getattr(xp, name)).__name__ != name, name


@pytest.mark.parametrize("space", [xp.fft, xp.io, xp.testing, xp.scipy.signal, xp.scipy.ndimage, xp.scipy.fft])
def test_names_of_namespaces_are_public(space):
    assert dir(space) == sorted(space.__all__)


def test_plain_completion():
    x = xp.ones(3)
    names = rlcompleter.Completer({"xp": xp, "x": x, "update": x.at[0]})
    for text, expected in {
        "x.": {"x.T", "x.astype", "x.at", "x.device", "x.shape", "x.sum"},
        "x.res": {"x.reshape"},
        "update.": {"update.add", "update.get", "update.set"},
        "xp.config.": {"xp.config.mutable", "xp.config.promotion", "xp.config.use", "xp.config.x64"},
        "xp.linalg.": {"xp.linalg.inv", "xp.linalg.solve", "xp.linalg.svd"},
    }.items():
        found = {name.rstrip("()") for name in names.attr_matches(text)}
        assert expected <= found, text
