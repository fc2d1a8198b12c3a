"""Arguments of `lax`: conversion to Arrays, and lax's strict rules for dtypes and shapes.

Operands have one dtype, a Python scalar the default dtype of its kind; nothing promotes. Operands that are not 0-d have the
same number of axes. A result is weak if all operands are.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum import Array
from supremum._base.exceptions import ShapeError
from supremum._base.tables import read_table
from supremum._core.conversion import as_integers
from supremum.promotion._nodes import Node

#: The words for kinds of dtypes.
_KIND_NAMES: Final = {"i": "signedinteger", "u": "unsignedinteger", "f": "floating", "c": "complexfloating", "b": "bool"}
#: Functions that are others under another name.
TABLES: Final = read_table(__name__, "functions.txt")
#: Functions of the namespace that promote, by the names of lax's.
PROMOTING: Final = dict(TABLES["promoting"])


def _described(kinds: str) -> str:
    if "i" in kinds and "u" in kinds:
        return ", ".join(["integer", *[_KIND_NAMES[kind] for kind in kinds if kind not in "iu"]])
    return ", ".join([_KIND_NAMES[kind] for kind in kinds])


def check_kinds(name: str, kinds: Sequence[str], arrays: Sequence[Array]) -> None:
    """Raise TypeError for an operand whose kind of dtype is not one of those accepted at its position."""
    for position, (accepted, x) in enumerate(zip(kinds, arrays, strict=True)):
        if x._node.kind not in accepted:
            at = f" at position {position}" if len(arrays) > 1 else ""
            raise TypeError(
                f"{name} does not accept dtype {x.dtype}{at}. Accepted dtypes{at} are subtypes of "
                f"{_described(accepted.replace('k', ''))}."
            )


def check_same_dtypes(name: str, arrays: Sequence[Array]) -> None:
    """Raise TypeError unless all operands have one dtype."""
    first = arrays[0]._node.strong
    if any(x._node.strong is not first for x in arrays):
        other = PROMOTING.get(name)
        tip = f" (Tip: jnp.{other} is a similar function that does automatic type promotion on inputs)." if other else ""
        raise TypeError(
            f"lax.{name} requires arguments to have the same dtypes, got {', '.join(str(x.dtype) for x in arrays)}.{tip}"
        )


def common_node(arrays: Iterable[Array]) -> Node:
    """Return the node of operands of one dtype: weak if all of them are."""
    nodes = [x._node for x in arrays]
    return next((node for node in nodes if not node.weak), nodes[0])


def broadcast_shape(name: str, arrays: Sequence[Array]) -> tuple[int, ...]:
    """Return the common shape of operands that have the same number of axes, or none."""
    shapes = [x.shape for x in arrays if x.ndim]
    if len({len(shape) for shape in shapes}) > 1:
        raise TypeError(f"{name}: arrays must have the same number of dimensions, got {', '.join(map(str, shapes))}")
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise TypeError(f"{name} got incompatible shapes for broadcasting: {', '.join(map(str, shapes))}.") from None


def sizes_along(given: Any, ndim: int, name: str, what: str) -> tuple[int, ...]:
    """Return the sizes that a parameter has for the axes; 1 by default."""
    return (1,) * ndim if given is None else as_integers(given, what, name)


def check_entries(name: str, what: str, given: Sequence[Any], ndim: int) -> None:
    """Raise ShapeError unless a parameter has an entry for each axis of an operand."""
    if len(given) != ndim:
        raise ShapeError(f"{name} {what} must have length equal to operand ndim {ndim}, got {tuple(given)}")


def inverted(order: Sequence[int]) -> list[int]:
    """Return the order of axes that undoes another one."""
    return sorted(range(len(order)), key=order.__getitem__)


def axis_of(axis: Any, ndim: int, name: str, what: str = "axis") -> int:
    """Return an axis as a non-negative number."""
    number = operator.index(axis)
    if not -ndim <= number < ndim:
        raise ValueError(f"{what} {number} is out of bounds for array of dimension {ndim} (lax.{name})")
    return number % ndim


def axes_of(axes: Any, ndim: int, name: str) -> tuple[int, ...]:
    """Return several distinct axes, which are not negative."""
    found = as_integers(axes, "axes", name)
    if any(not 0 <= axis < ndim for axis in found):
        raise ValueError(f"lax.{name}: axes {found} are out of range for an array of {ndim} dimensions")
    if len(set(found)) != len(found):
        raise ValueError(f"lax.{name}: the axes are distinct, got {found}")
    return found


def dtype_node(dtype: Any) -> Node:
    """Return the strong node of a dtype argument under the settings in force."""
    return xp.zeros((), dtype=dtype)._node.strong
