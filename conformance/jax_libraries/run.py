"""Run the program of a library, by real JAX or by ``python -m supremum run``: ``jax_libraries.run LIBRARY OUT``.

Each public function of ``programs/LIBRARY.py`` returns a tree of arrays. OUT is a JSON object: for each function the leaves of
its result, each with its path, shape, dtype, whether it is weak, and values: all, or 32 of them. ``LACKS`` of a program are
calls that raise NotImplementedError in supremum, by the word that the error has; JAX does not run them.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import traceback
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jax
import numpy as np

HERE = Path(__file__).resolve().parent
MOST = 64


def load(library: str) -> Any:
    """Import a program."""
    spec = importlib.util.spec_from_file_location(f"program_{library}", HERE / "programs" / f"{library}.py")
    if spec is None or spec.loader is None:
        raise ImportError(library)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def described(x: Any) -> dict[str, Any]:
    """Return what is recorded of a leaf."""
    if not hasattr(x, "dtype"):
        return {"python": repr(x)}
    if str(x.dtype).startswith("key<"):
        x = jax.random.key_data(x)
    values = np.asarray(x).reshape(-1)
    if values.size > MOST:
        values = values[:: -(-values.size // (MOST // 2))]
    if values.dtype.kind == "c":
        values = np.stack([values.real, values.imag], -1).reshape(-1)
    plain = values.tolist() if values.dtype.kind in "biu" else [float(f"{float(v):.9g}") for v in values]
    return {"shape": list(x.shape), "dtype": str(x.dtype), "weak": bool(getattr(x, "weak_type", False)), "values": plain}


def results(module: Any, only: str = "") -> dict[str, Any]:
    """Return the results of the functions of a program."""
    found: dict[str, Any] = {}
    for name, function in list(vars(module).items()):
        own = callable(function) and getattr(function, "__module__", "") == module.__name__ and not isinstance(function, type)
        if not own or name.startswith("_") or not name.startswith(only):
            continue
        try:
            leaves = jax.tree_util.tree_flatten_with_path(function())[0]
            found[name] = {jax.tree_util.keystr(path): described(leaf) for path, leaf in leaves}
        except Exception as error:  # noqa: BLE001 - every error is a result
            traceback.print_exc()
            found[name] = {"error": f"{type(error).__name__}: {error}"[:300]}
    return found


def refusal(call: Any) -> str:
    """Return the error of a call; "" with real JAX."""
    if jax.__name__ == "jax":
        return ""
    try:
        call()
    except NotImplementedError as error:
        return str(error)
    return "no NotImplementedError"


def main(argv: list[str]) -> None:
    """Run a program and write what it returns."""
    library, out, only = [*argv, ""][:3]
    module = load(library)
    record = {
        "versions": {name: version(name) for name in module.PACKAGES.split()},
        "lacks": {
            word: {name: refusal(call) for name, call in calls.items()} for word, calls in getattr(module, "LACKS", {}).items()
        },
        "results": results(module, only),
    }
    text = json.dumps(record, indent=None, allow_nan=True).replace('}}, "', '}},\n"').replace('{"versions"', '{"versions"')
    Path(out).write_text(text + "\n", encoding="utf-8")
