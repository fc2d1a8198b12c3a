"""Functions are added and deleted by their modules alone: the rest of the package follows, and so do docs and tests."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import supremum as xp

PACKAGE = Path(xp.__file__).parent
TESTS = Path(__file__).parent
#: The modules, the first of their names, what is before the new definition, new names, and the definition.
ADDED = {
    "_functions/elementwise/trigonometry.py": (
        '@elementwise("biufc", Result.INEXACT, np.sin, slope="cos(x)")\ndef sin(', "secant", '''
@elementwise("biufc", Result.INEXACT, lambda x: np.reciprocal(np.cos(x)), slope="out * tan(x)")
def secant(x: ArrayLike, /) -> Array:
    """Compute the secant."""
'''),
    "_functions/statistical/reductions.py": ('@reducing(FOLDS["prod"], fast="total")', "added", '''
@reducing("biufc", Reduced.WIDENED, np.add, 0, fast="reduce")
def added(a: ArrayLike, axis: Axis = None, keepdims: bool = False) -> Array:
    """Add elements over axes."""
    return reduction(added, a, axis, keepdims)
'''),
    "_functions/calculus.py": ("@rounded_once\ndef _slope(", "halved_sum", '''
@public(composed=True)
def halved_sum(a: ArrayLike) -> Array:
    """Compute half of the sum of all elements."""
    from supremum import _names as names

    return names.divide(names.sum(a), 2)
'''),
    "scipy/special/_logarithms.py": ("@public(composed=True)\ndef log_softmax(", "doubled_entropy", '''
@special_function(INEXACT, lambda x: 2 * k.entr(x))
def doubled_entropy(x: ArrayLike) -> Array:
    """Compute twice the entropy function."""
'''),
}  # fmt: skip
#: The deleted functions, one of each kind, with their modules.
DELETED = {
    "lcm": ("elementwise", "_functions/elementwise/bits.py"),
    "nanmax": ("a reduction", "_functions/statistical/nan_skipping.py"),
    "dsplit": ("moving", "_functions/manipulation/splitting.py"),
    "isscalar": ("constant", "_functions/inspection.py"),
    "fft.rfft2": ("linear", "fft.py"),
    "nanargmax": ("along an axis", "_functions/searching.py"),
    "corrcoef": ("with parts", "_functions/statistical/averages.py"),
    "nn.celu": ("composed", "nn/activations.py"),
    "jax.lax.erf_inv": ("a function of the namespace under another name", "jax/lax/functions.txt"),
}
USES = r"""
import importlib, inspect, pathlib, pickle, pkgutil, sys
import numpy as np
import supremum as xp
from supremum import config

assert xp.__file__.startswith(FOLDER) and xp.__engine__ == ENGINE
x = xp.asarray([0.0, 1.0])
special, trigonometry = xp.scipy.special, importlib.import_module("supremum._functions.elementwise.trigonometry")
new = {"secant": xp.secant, "added": xp.added, "halved_sum": xp.halved_sum}
new["scipy.special.doubled_entropy"] = special.doubled_entropy

# The namespaces.
for name, function in new.items():
    space, _, own = name.rpartition(".")
    home = special if space else xp
    assert own in home.__all__ and own in dir(home) and own not in dir(xp if space else special)
    assert function.__name__ == own and function.__module__ == home.__name__
    assert list(inspect.signature(function).parameters)[0] in "xa" and pickle.loads(pickle.dumps(function)) is function

# Values, dtypes and weak types, from the fast path and from the definition.
for _ in range(2):
    assert np.allclose(xp.secant(x), [1.0, 1 / np.cos(1.0)]) and xp.secant(x).dtype == "float32"
    assert xp.added(xp.ones((2, 3), dtype="int8"), axis=0).tolist() == [2, 2, 2]
    assert float(xp.halved_sum(x)) == 0.5
    assert special.doubled_entropy(xp.asarray([0.5])).round(4).tolist() == [np.float32(0.6931)]
assert xp.secant(xp.asarray([0, 0], dtype="bfloat16")).dtype == "bfloat16" and xp.secant(0.0).weak_type
assert xp.added(xp.ones(2, dtype="int8")).dtype == "int32"

# Tracing, explaining, and rules of other systems.
for name in ("secant", "added", "halved_sum", "scipy.special.doubled_entropy"):
    like = {"secant": "sin", "added": "sum", "halved_sum": "mean", "scipy.special.doubled_entropy": "scipy.special.entr"}[name]
    found, expected = xp.explain("int8", op=name), xp.explain("int8", op=like)
    assert str(found.result) == str(expected.result), (name, found.result, expected.result)
    if name != "halved_sum":  # which systems do not know: they know its parts
        assert found.others == expected.others, (name, found.others, expected.others)
    with xp.trace_promotions() as report:
        new[name](xp.ones(3, dtype="int8"))
    assert len(report) == (2 if name == "halved_sum" else 1), (name, report)  # of its parts

# Guests see the parts of a composed function.
seen = []


def watch(function, args, kwargs):
    seen.append(function.name)
    if function.kind != "composed":
        return function(*args, **kwargs)
    with config.use(watcher=watch):
        return function.definition(*args, **kwargs)


with config.use(watcher=watch):
    for function in new.values():
        function(x)
assert seen == ["secant", "added", "halved_sum", "sum", "divide", "scipy.special.doubled_entropy"], seen

# Batches.
batch = xp.asarray([[0.25, 0.5], [0.5, 1.0]])
for function in new.values():
    assert np.allclose(xp.jax.vmap(function)(batch), xp.stack([function(row) for row in batch]))

# Messages.
for name, function in new.items():
    try:
        function("text")
    except (TypeError, ValueError) as error:
        assert str(error).startswith(name.rpartition(".")[2]), error
    else:
        raise AssertionError(name)

# The generated tests and the reference.
sys.path.insert(0, TESTS + "/fuzz")
import bad_calls

labels = {target.label for target in bad_calls.targets()}
assert labels >= new.keys(), new.keys() - labels
pages = "".join(path.read_text("utf-8") for path in pathlib.Path(TESTS).parent.glob("docs/api/*.md"))
for name, module in {"secant": trigonometry, "added": "statistical.reductions", "halved_sum": "calculus"}.items():
    module = importlib.import_module(f"supremum._functions.{module}") if isinstance(module, str) else module
    assert name in module.__all__ and module.__name__ in pages, name

# What was deleted, without a trace.
for name in DELETED:
    space, _, own = name.rpartition(".")
    home = xp
    for part in space.split(".") if space else ():
        home = getattr(home, part)
    assert own not in home.__all__ and own not in dir(home) and not hasattr(home, own) and name not in labels, name
    assert not hasattr(xp.jax.numpy, name) and name not in dir(xp.jax.numpy), name
    try:
        xp.explain("int8", op=name)
    except ValueError as error:
        assert "is not known here" in str(error)
    else:
        raise AssertionError(name)
pages = "".join(path.read_text("utf-8") for path in pathlib.Path(TESTS).parent.glob("docs/api/*.md"))
assert not [name for name in DELETED if f"supremum.{name}\\n" in pages]
for module in pkgutil.walk_packages(xp.__path__, "supremum."):
    if module.name.rpartition(".")[2] not in ("__main__", "dask", "zarr", "pytest_plugin"):  # of other packages
        importlib.import_module(module.name)
import supremum.jax.numpy
"""


def text_of(path):
    return path.read_text("utf-8") if path.suffix in (".py", ".pyi") else ""


def delete(name, path):
    """Delete a function from its module: the definition with its parts, or the word in a table, and the name in `__all__`."""
    source = path.read_text("utf-8")
    lines = source.splitlines(keepends=True)
    own = {name, f"_{name}_parts"}
    for node in reversed(ast.parse(source).body if path.suffix == ".py" else []):
        if isinstance(node, ast.FunctionDef) and node.name in own:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            del lines[first - 1 : node.end_lineno]
    source = re.sub(rf'"{name}", ?', "", "".join(lines), count=1)
    path.write_text(re.sub(rf' {name}=\w+(?=[ "])', "", source), "utf-8")


@pytest.fixture(scope="module")
def changed(tmp_path_factory):
    """Copy the package, add and delete functions, and return the folder: Python compiles the copy once for both engines."""
    folder = tmp_path_factory.mktemp("changed")
    copy = folder / "supremum"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for file, (before, name, definition) in ADDED.items():
        source = (copy / file).read_text("utf-8")
        assert source.count(before) == 1
        source = source.replace("__all__ = [", f'__all__ = ["{name}", ', 1).replace(
            before, f"{definition.strip()}\n\n\n{before}"
        )
        (copy / file).write_text(source, "utf-8")
    for name, (_, file) in DELETED.items():
        delete(name.rpartition(".")[2], copy / file)
        left = [path.name for path in copy.rglob("*.py*") if re.search(rf"\b{name.rpartition('.')[2]}\b", text_of(path))]
        assert left == [], name
    return folder


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_functions_are_added_and_deleted_by_their_modules(changed, engine):
    if engine == "native" and xp.__engine__ == "reference":
        pytest.skip("the engine in C is not in use")
    given = f"FOLDER, ENGINE, TESTS, DELETED = {str(changed)!r}, {engine!r}, {str(TESTS)!r}, {[*DELETED]!r}\n"
    pure = "1" if engine == "reference" else ""
    environment = {**os.environ, "PYTHONPATH": str(changed), "SUPREMUM_PURE": pure, "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(
        [sys.executable, "-c", given + USES], env=environment, cwd=changed, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


#: Functions of the other kinds, each with its facts, for the modules of the namespace and of `lax`.
KINDS = {
    "_functions/calculus.py": ("@rounded_once\ndef _slope(", ["mirrored", "widest", "cornered"], '''
@public(moving=True, axis="axis", none="every")
def mirrored(a: ArrayLike, axis: Axis = None) -> Array:
    """Reverse the elements."""
    x = operand(a, "a function")
    return wrap(np.flip(x._data, axis).copy(), x._node)


def _widest_parts(xp: Any, a: Any, axis: Any = None) -> Any:
    return xp.max(a, axis=axis) - xp.min(a, axis=axis)


@public(parts=_widest_parts)
def widest(a: ArrayLike, axis: int | None = None) -> Array:
    """Compute the difference of the extremes."""
    x = operand(a, "a function")
    return wrap(np.asarray(np.ptp(x._data, axis=axis)), x._node)


@public(last=2, linear="a", parts=lambda _xp, a: a[..., 0, 0])
def cornered(a: ArrayLike) -> Array:
    """Return the first elements of matrices."""
    x = operand(a, "a function")
    return wrap(x._data[..., 0, 0].copy(), x._node)
'''),
    "jax/lax/_elementwise.py": ('@public(operands="operand", own="result", constant="steps")\ndef bitcast', ["tangent"], '''
@public(kind="elementwise", operands="x", same="tan")
def tangent(x: Any) -> Array:
    """Compute the tangent."""
    return xp.tan(as_operand(x, "tangent"))
'''),
}  # fmt: skip
GUESTS = r"""
import numpy as np
import supremum as xp

assert xp.__file__.startswith(FOLDER)
jax = xp.jax
x = xp.asarray([[1.0, 4.0, 2.0], [0.5, 3.0, 0.25]])
calls = []


def counted(function, args, kwargs):
    calls.append(function.name)
    return function(*args, **kwargs)


for function, name, operand in (
    (xp.secant, "secant", x), (xp.mirrored, "mirrored", x), (xp.widest, "widest", x), (jax.lax.tangent, "lax.tangent", x),
    (xp.cornered, "cornered", xp.stack([x, x + 1])),
):  # fmt: skip
    assert function.name == name
    calls.clear()
    with xp.config.use(watcher=counted):
        found = jax.vmap(function)(operand)
    assert calls.count(name) <= 1, (name, calls)  # at once, or by parts
    assert np.allclose(found, xp.stack([function(row) for row in operand])), name
    slope = jax.grad(lambda a: xp.sum(function(a) * 2))(operand)
    numbers = np.zeros(operand.shape)
    with xp.config.use(x64="on"):
        wide = xp.astype(operand, "float64")
        for i in np.ndindex(operand.shape):
            up, down = (xp.sum(function(wide.at[i].add(step)) * 2) for step in (1e-6, -1e-6))
            numbers[i] = float(up - down) / 2e-6
    assert np.allclose(slope, numbers, rtol=1e-3, atol=1e-3), (name, slope, numbers)
    with xp.precision_lens() as lens:
        function(operand)
    assert not lens.unfollowed, lens.unfollowed
for name in ("mirrored", "widest", "secant"):
    assert "float32" in str(xp.explain("float32", op=name).result)
"""


def test_guests_follow_from_the_heads_of_functions(tmp_path):
    copy = tmp_path / "supremum"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    first = "_functions/elementwise/trigonometry.py"
    for file, (before, names, definition) in {**KINDS, first: (ADDED[first][0], [ADDED[first][1]], ADDED[first][2])}.items():
        source = (copy / file).read_text("utf-8")
        assert source.count(before) == 1, file
        source = source.replace(before, f"{definition.strip()}\n\n\n{before}")
        listed = "".join(f'"{name}", ' for name in names)
        (copy / file).write_text(source.replace("__all__ = [", f"__all__ = [{listed}", 1), "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", f"FOLDER = {str(tmp_path)!r}\n{GUESTS}"], env=environment, cwd=tmp_path, check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
