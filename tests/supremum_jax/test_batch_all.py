"""The law of `vmap` for every public function that takes arrays alone, whether it has a rule or not."""

import inspect
import warnings

import numpy as np
import pytest

import supremum as xp
from supremum import jax

NAMESPACES = {
    "numpy": xp, "linalg": xp.linalg, "fft": xp.fft, "nn": xp.nn, "lax": jax.lax, "lax.linalg": jax.lax.linalg,
    "scipy.special": xp.scipy.special, "scipy.linalg": xp.scipy.linalg, "scipy.stats": xp.scipy.stats,
}  # fmt: skip
#: Functions of functions and files, those that return functions or texts, and one whose arguments are lengths.
LEFT_OUT = """
    apply_along_axis apply_over_axes arange array_repr array_str explain frompyfunc fromfile fromfunction fromstring piecewise
    save savez savez_compressed set_printoptions vectorize
"""
SIZE = 3
RANDOM = np.random.default_rng(11)
_cubes = RANDOM.uniform(0.1, 1, (SIZE, 3, 3)).astype(np.float32)
#: Operands: vectors, matrices and numbers, integers, truth values.
OPERANDS = {
    "v": _cubes[:, 0],
    "m": _cubes,
    "s": _cubes[:, 0, 0],
    "i": RANDOM.integers(0, 3, (SIZE, 3)).astype(np.int32),
    "b": RANDOM.random((SIZE, 3)) < 0.5,
}
KINDS = ("v", "m", "s", "i", "b", "vi", "mi", "mv", "iv", "is", "si")


def required(function):
    """Return how many arguments a function needs."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(function).parameters.values()
    return sum(p.kind in kinds and p.default is p.empty for p in parameters)


def differences(function, operands):
    """Return what differs between `vmap` and a call for each position; nothing where those raise."""
    try:
        each = [jax.tree.flatten(function(*[x[i] for x in operands])) for i in range(SIZE)]
        columns = [[xp.asarray(x) for x in column] for column in zip(*[leaves for leaves, _ in each], strict=True)]
    except Exception:  # noqa: BLE001 - the function does not take such arguments
        return ""
    if len({tuple(x.shape for x in column) for column in zip(*columns, strict=True)}) > 1:
        return ""  # whose shapes depend on the values
    try:
        found = jax.tree.leaves(jax.vmap(lambda *parts: function(*parts))(*operands))
    except jax.errors.NonConcreteBooleanIndexError:
        return ""
    for given, column in zip(found, columns, strict=True):
        first = column[0]
        if (given.shape, given.dtype, given.weak_type) != ((SIZE, *first.shape), first.dtype, first.weak_type):
            return f"{given.dtype}{given.shape} for {first.dtype}{first.shape}"
        if str(first.dtype).startswith("key"):
            continue
        numbers = np.stack([np.asarray(x) for x in column]).astype(complex)
        if not np.allclose(np.asarray(given).astype(complex), numbers, rtol=1e-3, atol=1e-4, equal_nan=True):
            return "values"
    return ""


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_functions(namespace):
    home = NAMESPACES[namespace]
    wrong, compared = {}, 0
    with xp.config.use(x64="off", mutable=False, out_of_range="clip"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given = {kind: xp.asarray(x) for kind, x in OPERANDS.items()}
        for name in sorted(set(dir(home)) - set(LEFT_OUT.split())):
            function = getattr(home, name, None)
            if name.startswith("_") or getattr(function, "kind", "") not in ("elementwise", "reduction", "composed", "opaque"):
                continue
            count = required(function)
            for kinds in KINDS if 1 <= count <= 4 else ():
                if len(kinds) <= max(count, 1):
                    operands = [given[kind] for kind in (kinds + kinds[-1] * 4)[:count]]
                    compared += 1
                    if found := differences(function, operands):
                        wrong[name, kinds] = found
    assert wrong == {}
    assert compared > 10
