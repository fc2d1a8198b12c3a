"""Write ``names.json``: every public name of jax.numpy and its companions, with its kind and its signature.

Needs JAX; run as ``python -m conformance jax.names``.
"""

from __future__ import annotations

import inspect
import json
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import jax.nn
import jax.numpy as jnp
import jax.random
import jax.scipy.special

MODULES = {
    "jax.numpy": jnp,
    "jax.numpy.linalg": jnp.linalg,
    "jax.numpy.fft": jnp.fft,
    "jax.random": jax.random,
    "jax.nn": jax.nn,
    "jax.scipy.special": jax.scipy.special,
}


#: Modules that programs import, whose names `supremum.jax` has.
OF_PROGRAMS = (
    "jax", "jax.debug", "jax.dtypes", "jax.errors", "jax.flatten_util", "jax.image", "jax.lax", "jax.lax.linalg", "jax.numpy",
    "jax.ops", "jax.sharding", "jax.tree", "jax.tree_util", "jax.typing",
)  # fmt: skip


def kind_of(value: Any) -> str:
    """Return the kind of a name: ufunc, function, class, scalar type, module or constant."""
    if isinstance(value, ModuleType):
        return "module"
    if isinstance(value, jnp.ufunc):
        return "ufunc"
    if type(value).__name__ == "_ScalarMeta":
        return "scalar type"
    if isinstance(value, type):
        return "class"
    if callable(value):
        return "function"
    return "constant"


def signature_of(value: Any) -> str | None:
    """Return the signature without annotations, or None if there is none."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    parameters = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    text = str(signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty))
    text = re.sub(r"<class '(?:jax\.numpy\.)?([\w.]+)'>", r"\1", text)
    text = re.sub(r"<(?:function|jax[\w.]*) (\w+) at 0x[0-9a-f]+>", r"\1", text)
    return re.sub(r" at 0x[0-9a-f]+", "", text)


def describe(value: Any) -> dict[str, Any]:
    """Return the entry of one name."""
    kind = kind_of(value)
    entry: dict[str, Any] = {"kind": kind}
    if kind in ("function", "ufunc", "class"):
        entry["signature"] = signature_of(value)
    if kind == "ufunc":
        entry |= {"nin": value.nin, "nout": value.nout, "identity": repr(value.identity)}
    if kind == "constant":
        entry["value"] = re.sub(r" at 0x[0-9a-f]+", "", repr(value))
    return entry


def array_members() -> dict[str, Any]:
    """Return the public methods and properties of an array."""
    array = jnp.arange(3.0)
    members = {}
    for name in sorted(n for n in dir(array) if not n.startswith("_")):
        static = getattr(type(array), name, None)
        if callable(static) and not isinstance(static, property):
            members[name] = {"kind": "method", "signature": signature_of(getattr(array, name))}
        else:
            members[name] = {"kind": "property"}
    return members


def ufunc_methods() -> dict[str, Any]:
    """Return the methods that every ufunc has."""
    methods = ("reduce", "accumulate", "reduceat", "outer", "at")
    return {name: {"kind": "method", "signature": signature_of(getattr(jnp.add, name))} for name in methods}


def main(argv: list[str]) -> None:  # noqa: ARG001 - scripts get their arguments
    """Write the file beside this script."""
    names: dict[str, Any] = {"version": jax.__version__}
    for path, module in MODULES.items():
        public = sorted(n for n in dir(module) if not n.startswith("_") and n != "annotations")
        names[path] = {name: describe(getattr(module, name)) for name in public}
    names["jax.Array"] = array_members()
    names["jax.numpy.ufunc"] = ufunc_methods()
    at_methods = [n for n in dir(jnp.arange(3).at[0]) if not n.startswith("_")]
    names["jax.Array.at"] = {
        n: {"kind": "method", "signature": signature_of(getattr(jnp.arange(3).at[0], n))} for n in at_methods
    }
    lines = ["{"]
    for index, (group, entries) in enumerate(names.items()):
        comma = "," if index + 1 < len(names) else ""
        if isinstance(entries, str):
            lines.append(f" {json.dumps(group)}: {json.dumps(entries)}{comma}")
            continue
        body = ",\n".join(f"  {json.dumps(name)}: {json.dumps(entry)}" for name, entry in entries.items())
        lines.append(f" {json.dumps(group)}: {{\n{body}\n }}{comma}")
    Path(__file__).with_name("names.json").write_text("\n".join([*lines, "}", ""]), encoding="utf-8")
    print({group: len(entries) for group, entries in names.items() if group != "version"})
    module_names()


def module_names() -> None:
    """Write ``module_names.json``: the public names of the modules that `supremum.jax` has."""
    found = {name: [n for n in dir(import_module(name)) if not n.startswith("_")] for name in sorted(OF_PROGRAMS)}
    text = ",\n".join(f" {json.dumps(name)}: {json.dumps(names)}" for name, names in found.items())
    Path(__file__).with_name("module_names.json").write_text(f"{{\n{text}\n}}\n", encoding="utf-8")
