"""Imports run downwards: the modules form layers, and the graph of imports has no cycle."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from common import for_each

import supremum

PACKAGE = Path(supremum.__file__).parent
#: The layers, lowest first. A module imports from its own layer and from lower ones.
LAYERS = (
    ("_base",),
    ("promotion",),
    ("_kernels",),
    ("_core",),
    ("tracing",),
    ("_functions",),
    ("scipy", "linalg", "fft", "nn", "random", "lib", "dtypes"),
    ("io", "lens"),
    ("explaining",),
    ("_names",),
    ("_array",),
    ("__init__",),
    ("numpy", "errors", "testing", "_standard", "typing", "dask", "threadpoolctl", "zarr"),
    ("jax",),
    ("pytest_plugin", "_cli"),
    ("__main__",),
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
#: Imports from a higher layer, each with its reason.
UPWARDS = {
    ("supremum.promotion.__init__", "supremum._functions._promoting"): "users find there what needs arrays or settings, too",
    ("supremum.promotion.__init__", "supremum.explaining"): "users find there what needs arrays or settings, too",
    ("supremum.scipy.sparse.linalg", "supremum.jax._tree"): "the vectors of its solvers are trees of arrays, as JAX's",
}


#: Modules that are no files of Python: one in C, which imports nothing from the package, and a stub for type checkers.
OTHERS = ("supremum._native", "supremum._core.array_class")


def name_of(path):
    parts = ("supremum", *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts)


MODULES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def statements(block):
    """Yield the statements of a block and of the blocks in it: expressions, which are most of a tree, import nothing."""
    for statement in block:
        yield statement
        handlers, cases = getattr(statement, "handlers", ()), getattr(statement, "cases", ())
        for part in (statement, *handlers, *cases):
            for name in ("body", "orelse", "finalbody"):
                yield from statements(getattr(part, name, ()))


def imported(name):
    """Yield each module of the package that a module imports, at its top, inside functions or for type checkers."""
    path = MODULES[name]
    for node in statements(ast.parse(path.read_text(encoding="utf-8")).body):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            targets = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            assert not isinstance(node, ast.ImportFrom), f"{name} has a relative import"
            continue
        for target in targets:
            if target.partition(".")[0] == "supremum" and not target.startswith(OTHERS):
                yield module_of(target)


def module_of(target):
    """Return the module with this name, or the module that defines the name."""
    for candidate in (target, f"{target}.__init__"):
        if candidate in MODULES:
            return candidate
    parent = target.rpartition(".")[0]
    return parent if parent in MODULES else f"{parent}.__init__"


@cache
def graph():
    """Return what each module imports."""
    return {name: sorted({target for target in imported(name) if target != name}) for name in MODULES}


def entry(name):
    """Return the module or package below `supremum` that a module is in."""
    parts = name.split(".")
    return parts[1]


def below(name, target):
    return RANK[entry(target)] <= RANK[entry(name)] and not (
        # The `__init__` of a package is above the modules that it imports.
        target.endswith(".__init__") and target.count(".") > 1 and name.startswith(target.removesuffix("__init__"))
    )


def test_every_module_has_a_layer():
    assert {entry(name) for name in MODULES} - {"_version"} == set(RANK)


@for_each("name", sorted(MODULES))
def test_imports_run_downwards(name):
    downwards = [target for target in graph()[name] if (name, target) not in UPWARDS]
    assert [target for target in downwards if entry(target) != "_version" and not below(name, target)] == []


def test_each_exception_is_needed():
    assert [pair for pair in UPWARDS if pair[1] not in graph()[pair[0]]] == []


def circles():
    """Return the strongly connected groups of more than one module (Tarjan's algorithm)."""
    index, low, stack, found = {}, {}, [], []

    def visit(name):
        index[name] = low[name] = len(index)
        stack.append(name)
        for target in graph()[name]:
            if target not in index:
                visit(target)
                low[name] = min(low[name], low[target])
            elif target in stack:
                low[name] = min(low[name], index[target])
        if low[name] == index[name]:
            group = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(group) > 1:
                found.append(sorted(group))

    for name in graph():
        if name not in index:
            visit(name)
    return found


def test_no_circle_of_imports():
    """Imports for type checkers and inside functions count; stubs (`.pyi`) declare what is made above, and are no modules."""
    assert circles() == []


@pytest.fixture(scope="module")
def loaded():
    """Return the modules that `import supremum` imports."""
    program = "import sys, supremum; print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split())


@for_each("name", sorted(MODULES.keys() - {"supremum.__main__"}))  # which runs before there are threads
def test_packages_are_imported_before_their_modules(name, loaded):
    """While one thread imports a package, another one must not begin with a module of it: Python fails, or goes on without."""
    before, late = set(loaded), []
    for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        given = [node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
        for parts in (target.split(".") for target in given if target.startswith("supremum.")):
            outer = {".".join(parts[:count]) for count in range(2, len(parts))} - before
            late += [(parts, package) for package in outer if not f"{name}.".startswith(f"{package}.")]
        if isinstance(node, ast.ImportFrom):
            before |= {node.module, *[f"{node.module}.{alias.name}" for alias in node.names]}
    assert late == []
