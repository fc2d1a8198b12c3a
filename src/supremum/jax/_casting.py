"""Functions of `lax` that `vmap` needs too: the conversion of operands, and the cast to a dtype, which may be weak."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, overload

import numpy as np

import supremum as xp
from supremum import Array
from supremum._base.facts import Facts
from supremum._base.frames import as_it_is
from supremum._core import engine
from supremum._core.array import wrap
from supremum._core.conversion import operand as converted
from supremum._kernels.casts import cast

C = TypeVar("C", bound=Callable[..., Any])


@overload
def public(definition: C, /, *, name: str = "lax.", kind: str = "opaque", **facts: Any) -> C: ...
@overload
def public(name: str = "lax.", /, *, kind: str = "opaque", **facts: Any) -> Callable[[C], C]: ...
def public(definition: Any = "lax.", /, *, name: str = "lax.", kind: str = "opaque", **facts: Any) -> Any:
    """Decorate a function of `lax`, which operands may take over, with what it is: see `supremum._base.facts.Facts`.

    Parameters
    ----------
    definition : callable
        The function.
    name : str
        The namespace, with a dot at the end.
    kind : str
        What guests know of it.
    **facts
        What the function is.
    """
    if not callable(definition):
        return partial(public, name=definition, kind=kind, **facts)
    bare = definition.__name__
    definition.__module__ = f"supremum.jax.{name.rpartition('.')[0]}"
    made: Any = engine.Function(definition, name=f"{name}{bare}", kind=kind, handler=as_it_is)
    if kind == "elementwise":
        facts = {"strict": True, **facts}
    if facts:
        made.facts = Facts(**facts)
    return made


def as_operand(x: Any, name: str, position: int = 0) -> Array:
    """Return an argument as an Array; refuse lists and what is no number."""
    if type(x) is Array:
        return x
    if x is None or isinstance(x, list | tuple | str | bytes | dict):
        raise TypeError(
            f"Error interpreting argument to {name} as a JAX value. The problematic value is of type "
            f"{type(x)} and was passed to "
            f"{name} at position {position}."
        )
    return converted(x, f"lax.{name}", position)


def as_operands(name: str, *xs: Any) -> list[Array]:
    """Return arguments as Arrays."""
    return [as_operand(x, name, position) for position, x in enumerate(xs)]


@public(kind="elementwise", operands="operand", casts=True)
def convert_element_type(operand: Any, new_dtype: Any, weak_type: bool = False) -> Array:
    """Convert elements to a dtype, which is weak if `weak_type` is true: that of a loop's carry, or of a tangent."""
    if new_dtype is None:
        raise ValueError("dtype must be specified.")
    if type(operand) is int and not -(2**31) <= operand < 2**31:
        node = xp.zeros((), dtype=new_dtype)._node
        if node.kind in "iu":  # the lowest bits of a number that the default integer does not hold
            return wrap(cast(np.asarray(operand & (2**64 - 1), np.uint64), node), node.weak_form if weak_type else node.strong)
        operand = float(operand)
    found = as_operand(operand, "convert_element_type").astype(new_dtype)
    return wrap(found._data, found._node.weak_form) if weak_type else found
