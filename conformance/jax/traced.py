"""Calls within programs: what a recorded call does whose target is ``traced NAME``.

The number at a place among the arguments (``1``, ``1.0`` in a tuple, ``axis``), which is the first argument of the recorded
call, is an operand of a program. JAX raises an error where it has to know the number, as it does a length or an axis.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def put(x: Any, keys: list[str], value: Any) -> Any:
    """Return arguments with another value at a place."""
    if not keys:
        return value
    key: Any = int(keys[0]) if keys[0].isdigit() else keys[0]
    if isinstance(x, dict):
        return {**x, key: put(x[key], keys[1:], value)}
    return type(x)([put(item, keys[1:], value) if i == key else item for i, item in enumerate(x)])


def traced(jax: Any, function: Callable[..., Any], place: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """Return the shapes of the results of a call with an operand in place of a number."""
    keys = place.split(".")
    owner: Any = args if keys[0].isdigit() else kwargs
    number = owner
    for key in keys:
        number = number[int(key) if key.isdigit() else key]

    def program(n: Any) -> Any:
        given = put(owner, keys, n)
        return function(*given, **kwargs) if owner is args else function(*args, **given)

    found = jax.eval_shape(program, number)
    return [tuple(leaf.shape) for leaf in jax.tree_util.tree_leaves(found)]
