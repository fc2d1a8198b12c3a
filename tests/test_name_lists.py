"""No module keeps a list of functions' names besides heads and tables of rules: what a function is stands at its head."""

import ast
import re
from pathlib import Path

import pytest

import supremum as xp

PACKAGE = Path(xp.__file__).parent
#: The names of public functions.
NAMES = {
    name
    for home in (xp, xp.linalg, xp.fft, xp.nn, xp.random, xp.scipy.special, xp.scipy.linalg, xp.jax.lax)
    for name in home.__all__
    if callable(getattr(home, name)) and not isinstance(getattr(home, name), type) and len(name) > 2
}
#: How many names make a list, of which these are most.
LEAST = 4
#: Guests that keep no rules by name, where two names make a list.
GUESTS = ("lens/", "explaining.py", "tracing.py", "tests/fuzz/bad_calls.py")
#: What calls every function.
CALLS = Path(__file__).parent / "fuzz" / "bad_calls.py"
#: The lists that there are: the file, and what they are there.
ALLOWED = {
    "_array/__init__.py": "methods with fast paths of the engine",
    "_array/at.py": "ufuncs of updates",
    "_array/protocols.py": "functions of NumPy that write",
    "_core/dtype_objects.py": "attributes of `finfo`",
    "_core/roles.py": "conversions of which traces say nothing",
    "_functions/elementwise/_folds.py": "what computes the reductions of ufuncs",
    "_functions/manipulation/joining.py": "what computes stacks",
    "_kernels/fourier.py": "kernels",
    "_kernels/lapack.py": "kernels",
    "_kernels/narrow.py": "loops of NumPy",
    "_kernels/special_functions.py": "kernels",
    "_names.py": "which module has a name",
    "jax/_batch_rules.py": "rules of `vmap`",
    "jax/_slopes.py": "rules of derivatives",
    "jax/_slopes_indexing.py": "rules of derivatives",
    "jax/_slopes_scipy.py": "rules of derivatives",
    "jax/lax/__init__.py": "functions of functions",
    "jax/lax/_elementwise.py": "heads of functions of `lax`",
    "promotion/_explain.py": "operations of a lattice",
}


def names_in(node):
    """Return the strings of a literal: its elements, keys, or words."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        words = node.value.split()
        return words if all(re.fullmatch(r"[a-z_0-9.]+", word) for word in words) else []
    if isinstance(node, ast.Set | ast.List | ast.Tuple):
        return [word for one in node.elts if isinstance(one, ast.Constant) for word in names_in(one)]
    if isinstance(node, ast.Dict):
        return [word for one in node.keys if isinstance(one, ast.Constant) for word in names_in(one)]
    return []


def lists_of(source, least=LEAST):
    """Yield the lines of lists of functions' names."""
    nodes, lines = list(ast.walk(ast.parse(source))), source.splitlines()
    listed = {id(node.value) for node in nodes if isinstance(node, ast.Assign) and "__all__" in lines[node.lineno - 1]}
    for node in nodes:
        words = [] if id(node) in listed else names_in(node)
        found = [word for word in words if word.rpartition(".")[2] in NAMES]
        if len(found) >= least and 2 * len(found) > len(words):
            yield node.lineno


def test_lists_of_names_are_at_heads_and_in_tables_of_rules():
    found = {}
    for path in (*sorted(PACKAGE.rglob("*.py")), CALLS):
        name = path.relative_to(PACKAGE).as_posix() if path != CALLS else "tests/fuzz/bad_calls.py"
        for line in lists_of(path.read_text("utf-8"), 2 if name.startswith(GUESTS) else LEAST):
            found.setdefault(name, []).append(line)
    new = {file: lines for file, lines in found.items() if file not in ALLOWED}
    assert not new, "a fact at the heads of the functions is needed here, or a line in the table"
    assert found.keys() == ALLOWED.keys(), "the table has lines that are not needed"


@pytest.mark.parametrize(("source", "least"), [
    ('STEPS = frozenset({"floor", "ceil", "round", "rint", "trunc", "sign"})', LEAST),
    ('ADDITIVE = frozenset({"add", "subtract"})', 2),
    ('CALLS = {"choose": "f(k, [v])", "select": "f([t], [v])", "where": "f(t, v, w)", "linalg.tensorinv": "f(x)"}', LEAST),
    ('LEFT_OUT = {"save", "savez", "savez_compressed", "set_printoptions", "install"}', LEAST),
    ('IN_PLACE = ("put", "place", "fill_diagonal", "put_along_axis")', LEAST),
    ('NAMES = dict.fromkeys("cumsum matmul mean sum trace".split())', LEAST),
    ('if name in ("astype", "sum"): pass', 2),
])  # fmt: skip
def test_a_list_of_names_is_found(source, least):
    assert list(lists_of(source, least))
    assert not list(lists_of('WORDS = {"floor", "roof", "wall", "door", "stairs"}', least))
