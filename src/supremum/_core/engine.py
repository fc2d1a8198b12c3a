"""The seam: what an engine is, taken from the extension module in C or from its specification in Python.

`SUPREMUM_PURE=1` selects the specification; so does an installation without the extension. Both have the same names:

Array
    A buffer (`_data`) and a node (`_node`), with the slots of Python. `attach` gives it its methods. `retire` gives
    an Array the class `DeletedArray`.
State, Scope, Operation, Plan
    A `State` is one combination of settings and owns the plans made under it; a `Scope` in the context variable `scope`
    overrides the process's state for one context. An `Operation` has its plans made by a Python function, once for each
    state and each pair of nodes. A `Plan` says what an operation does for given nodes.
Program, Chain
    Recorded calls that run one after the other; those among them that are elementwise and run block by block.
Function, Plain, Ufunc
    A public function: a Python definition, and the fast path or the plain call that the engine has before it. See
    `supremum._base.functions`.
Batch, BatchAxis
    The operands of functions that `vmap` maps, and the mapped axis: what `supremum.jax._batching` derives its classes from.
    The engine in C applies elementwise operations to the values of batches of one axis.
Level, Record, Dual, backward, hold_tapes, stripped
    Derivatives: what `supremum.jax._dual` derives its classes from. The engine in C records elementwise operations, and
    carries cotangents back.
wrap, register, register_dtypes, find_dtype, retire, use, state, strays, plan, apply, complete, use_loops, map_arrays,
own_values
    See `_reference`, which has them all.
"""

# ruff: noqa: F403 - all names of an engine, which the specification lists

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from supremum._base.buffers import native

#: Which engine runs: "native" or "reference".
engine_name: str = "reference" if native is None else "native"

if TYPE_CHECKING or native is None:
    from supremum._core import _reference as _engine
    from supremum._core._reference import *
else:
    _engine = native
    globals().update({name: member for name, member in vars(native).items() if not name.startswith("_")})

#: The names of classes in messages of Python's, as in "'function' object is not subscriptable".
_SHOWN = {
    "Function": "function", "Ufunc": "ufunc", "At": "Array.at", "IndexedUpdate": "IndexedUpdate",
}  # fmt: skip
for _name, _shown in _SHOWN.items():
    if _kind := getattr(_engine, _name, None):
        _kind.__module__, _kind.__name__, _kind.__qualname__ = "supremum", _shown, _shown


def attach(kind: type, members: Mapping[str, Any]) -> None:
    """Give a class of the engine its further members, all at once."""
    for name, member in members.items():
        setattr(kind, name, member)
