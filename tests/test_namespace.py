"""The namespace: its exports, the names of JAX, and the errors for names that do not exist."""

import ast
import compileall
import importlib
import inspect
import json
import os
import pickle
import pkgutil
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_origin

import pytest
from common import for_each

import supremum as xp
from supremum._names import LATER, homes
from supremum.promotion._nodes import ABSENT

ROOT = Path(__file__).parents[1]
JAX = json.loads((ROOT / "conformance/jax/names.json").read_text())
NAMESPACES = {
    "jax.numpy": xp,
    "jax.numpy.linalg": xp.linalg,
    "jax.numpy.fft": xp.fft,
    "jax.random": xp.random,
    "jax.nn": xp.nn,
    "jax.scipy.special": xp.scipy.special,
}
#: Modules of JAX whose names must all exist. Of its other modules, we have the names that array scripts use.
NOT_HERE = {
    "jax.random": {
        "a part of JAX's machinery": {"random_gamma_p"},
    },
}  # fmt: skip


#: The modules all of whose names are the namespace's.
MODULES = sorted({home for home in homes().values() if home.startswith("supremum._functions.")})


def star_imports(source):
    """Return the modules that a package is made of."""
    tree = ast.parse(source.read_text())
    return [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"]


def test_all_is_sorted():
    assert list(xp.__all__) == sorted(xp.__all__)


def test_all_is_complete():
    exported = {name for module in MODULES for name in importlib.import_module(module).__all__}
    assert not exported - set(xp.__all__)
    assert not [name for name in xp.__all__ if not hasattr(xp, name)]


def test_type_checkers_are_shown_all_modules():
    """They read which modules the namespace is made of; at run time it is found out."""
    assert star_imports(Path(xp.__file__).with_suffix(".pyi")) == MODULES


def test_names_without_sources(tmp_path):
    """Where only compiled files are installed, modules are imported to know their names."""
    copy = tmp_path / "supremum"
    shutil.copytree(Path(xp.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    compileall.compile_dir(copy, quiet=1, legacy=True)
    for source in copy.rglob("*.py"):
        source.unlink()
    code = "import supremum as xp; print(xp.__file__, *xp.__all__); xp.sin(xp.ones(3))"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment)
    assert done.stdout.split() == [str(copy / "__init__.pyc"), *xp.__all__]


def test_pages_have_the_tables_of_absent_names(monkeypatch):
    monkeypatch.setattr(sys, "path", sys.path[:])  # to which the script adds a folder
    script = runpy.run_path(str(ROOT / ".ci/write_tables.py"))
    for page in script["PAGES"]:
        text = (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")
        assert script["tables"](page) in text, "run `python .ci/write_tables.py`"


def test_dir_has_names_that_nobody_has_asked_for():
    code = "import supremum as xp; names = set(dir(xp)); print(*{*xp.__all__, 'random', 'linalg'} - names, 'sin' in vars(xp))"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split() == ["False"]


def test_any_module_can_be_the_first_to_be_imported():
    code = """
import importlib, os, sys
import supremum
for module in sys.argv[1:]:
    if hasattr(os, "fork"):
        if (child := os.fork()) == 0:
            importlib.import_module(module)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0, module
    else:
        for name in [name for name in sys.modules if name.startswith("supremum")]:
            del sys.modules[name]
        importlib.import_module(module)
"""
    # The extension module can be loaded once per process.
    environment = {**os.environ, "SUPREMUM_PURE": "1"}
    modules = sorted({*homes().values(), *(f"supremum.{name}" for name in LATER)})
    command = [sys.executable, "-W", "ignore:This process:DeprecationWarning", "-c", code, *modules]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr


@for_each("module", MODULES)
def test_modules_export_what_they_have(module):
    found = importlib.import_module(module)
    assert len(set(found.__all__)) == len(found.__all__)
    assert all(hasattr(found, name) for name in found.__all__)


PACKAGES = [found.name for found in pkgutil.walk_packages(xp.__path__, "supremum.") if found.ispkg]


@for_each("package", PACKAGES)
def test_packages_export_what_their_modules_do(package):
    """The lists are written out for type checkers, which cannot compute them."""
    found = importlib.import_module(package)
    exported = {name for module in star_imports(Path(found.__file__)) for name in importlib.import_module(module).__all__}
    if exported:
        assert sorted(found.__all__) == sorted(exported)


def test_a_name_is_one_thing():
    for module in map(importlib.import_module, MODULES):
        for name in module.__all__:
            assert getattr(module, name) is getattr(xp, name), f"{module.__name__}.{name} is hidden by another module's"


@pytest.mark.parametrize("section", NAMESPACES)
def test_every_name_of_jax_is_here_or_has_a_reason(section):
    missing = {name for name in JAX[section] if not hasattr(NAMESPACES[section], name)}
    excused = {name for names in NOT_HERE.get(section, {}).values() for name in names}
    assert missing - ABSENT == excused


@pytest.mark.parametrize("section", NAMESPACES)
def test_kinds_of_names(section):
    """Names are functions, classes, dtypes or constants as in JAX."""
    for name, fact in JAX[section].items():
        value = getattr(NAMESPACES[section], name, None)
        if value is None or fact["kind"] not in ("function", "scalar type", "module"):
            continue
        if fact["kind"] == "function":
            assert callable(value), name
        elif fact["kind"] == "scalar type":
            assert isinstance(value, type), name
            assert xp.dtype(value).name == xp.zeros(1, dtype=value).dtype.name, name
        else:
            assert inspect.ismodule(value), name


def test_the_namespace_is_its_own_numpy():
    import supremum.numpy as jnp
    import supremum.numpy.fft as jfft
    import supremum.numpy.linalg as jla

    assert jnp is xp is xp.numpy
    assert jla is xp.linalg
    assert jfft is xp.fft


def test_star_import_hides_no_library():
    names = {}
    exec("from supremum import *", names)  # noqa: S102 - an import into a separate dict
    assert not {"numpy", "random", "nn", "scipy", "sys", "np"} & set(names)
    assert names["int8"] is xp.int8


@for_each("name", ["vmap", "jit", "grad", "pmap", "jacobian", "lax", "device_put", "tree_util"])
def test_a_name_that_cannot_exist_says_what_to_use(name):
    with pytest.raises(AttributeError, match=rf"^supremum\.{name} does not exist: .+; .+"):
        getattr(xp, name)
    with pytest.raises(ImportError, match=rf"^supremum\.{name} does not exist: .+; .+"):
        exec(f"from supremum import {name}")  # noqa: S102 - an import of a name that is a parameter
    assert not hasattr(xp, name)


def test_a_misspelt_name():
    with pytest.raises(AttributeError, match="module 'supremum' has no attribute 'nonsense'"):
        xp.nonsense
    with pytest.raises(ImportError):
        exec("from supremum import nonsense")  # noqa: S102 - ruff rejects the import itself


def test_import_is_light():
    """The import loads only NumPy, ml_dtypes and the standard library."""
    code = "import sys; before = set(sys.modules); import numpy, ml_dtypes, supremum; print(*set(sys.modules) - before)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    roots = {name.partition(".")[0] for name in loaded} - set(sys.stdlib_module_names)
    own = {"numpy", "ml_dtypes", "supremum", "_distutils_hack"}
    assert roots <= own | {r for r in roots if r.startswith("_")}


PUBLIC = (
    "",
    "linalg",
    "errors",
    "fft",
    "random",
    "nn",
    "io",
    "testing",
    "typing",
    "promotion",
    "lib.stride_tricks",
    "scipy.special",
    "dtypes",
)
#: Objects that NumPy defines keep NumPy's module; `nn` also exports a function of `scipy.special`.
OF_OTHERS = ("numpy", "supremum.scipy.special")


@for_each("namespace", PUBLIC)
def test_public_names_say_where_users_find_them(namespace):
    home = f"supremum.{namespace}".rstrip(".")
    module = importlib.import_module(home)
    for name in module.__all__:
        value = getattr(module, name)
        if get_origin(value) is None and (isinstance(value, type) or callable(value)):  # an alias of a type says nothing
            said = value.__module__
            assert said in ("supremum", "supremum.promotion", "supremum.io", home) or said.startswith(OF_OTHERS), (name, said)
            assert getattr(sys.modules[said], value.__name__) == value
            assert pickle.loads(pickle.dumps(value)) == value


@pytest.mark.parametrize("name", ["sin", "add", "sort", "sum", "concat", "zeros", "explain"])
def test_sources_are_found(name):
    file = inspect.getsourcefile(inspect.unwrap(getattr(xp, name)))
    assert f"def {name}(" in Path(file).read_text(encoding="utf-8")


def test_dir_does_not_change_with_use():
    code = "import supremum as xp; before = dir(xp); xp.sort(xp.sin(xp.ones(2))); assert dir(xp) == before"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert [name for name in dir(xp) if name.startswith("_") and not name.startswith("__")] == []
