"""Formulas of several steps for narrow floats: computed in float32 and rounded once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast as typing_cast

import numpy as np

from supremum._base.functions import Function
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand, operands
from supremum._core.dtype_objects import to_inexact
from supremum._core.settings import state
from supremum._functions.data_types import astype
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES, Node, as_node

_FLOAT32: Final = NODES["float32"]
F = TypeVar("F", bound=Callable[..., Array])


def rounded_once(function: F) -> F:
    """Compute a formula of one array, and of others of its dtype, in float32 if that dtype is a narrow float.

    The arrays may be operands that take over, which have a node too.
    """

    @functools.wraps(function)
    def _computed(x: Any, *args: Any, **kwargs: Any) -> Array:
        if isinstance(x, np.ndarray | np.generic):
            x = operand(x, function.__name__)
        node = _node_of(x)
        if (
            node is None
            or node.kind != "f"
            or node.bits > 16
            or not all(_keeps_dtype(y, node) for y in (*args, *kwargs.values()))
        ):
            return function(x, *args, **kwargs)
        result = function(_wide(x, node), *[_wide(y, node) for y in args], **{k: _wide(y, node) for k, y in kwargs.items()})
        return _in_node(result, node) if node.weak else astype(result, node.dtype)

    return typing_cast("F", _computed)


def promoted_inexact(function: str, *xs: Any) -> list[Array]:
    """Return operands in the floating dtype that they promote to; weak if all of them are."""
    arrays, settings = operands(function, *xs), state()
    nodes = tuple(map(node_of, arrays))
    quiet = settings.observer is None and not settings.watchers
    if quiet and nodes[0].kind in "fc" and nodes.count(nodes[0]) == len(nodes) and settings.truncate(nodes[0]) is nodes[0]:
        return arrays
    node = to_inexact(settings.common_of_all(list(map(settings.truncate, nodes))))
    settings.seen(nodes, node, max(x.size for x in arrays), function)
    inexact = _in_node if node.weak else lambda x, node: astype(x, node.dtype)
    return [x if own is node else inexact(x, node) for x, own in zip(arrays, nodes, strict=True)]


def node_of(x: Any) -> Node:
    """Return the node of an array, or of an operand that takes over, which may say its dtype alone."""
    return _node_of(x) or as_node(x.dtype)


def _node_of(x: Any) -> Node | None:
    """Return the node of an array, or of an operand that takes over; None for other arguments."""
    node = getattr(x, "_node", None)
    return node if isinstance(node, Node) else None


def _keeps_dtype(y: Any, node: Node) -> bool:
    """Whether an argument does not change the dtype of the result: a Python value, an array of bools or of `node`."""
    own = _node_of(y)
    return not isinstance(y, np.ndarray | np.generic) if own is None else own is node or own.kind == "b"


def _wide(y: Any, node: Node) -> Any:
    return astype(y, _FLOAT32.dtype) if _node_of(y) is node else y


#: A cast to a weak node, which `astype` has no argument for; operands that take over get it as an elementwise function.
_in_node: Final = Function(lambda x, node: wrap(cast(x._data, node), node), name="cast", kind="elementwise")
