"""How NumPy lets more than two operands meet: by reduction to the most knowing type, not from the left.

A type *knows* another if it decides what the two become. Among dtypes the one of the higher type number knows the lower, a
dtype knows Python scalars of its kind or below, and Python scalars know dtypes of lower kinds and all that ml_dtypes adds.
Python scalars stay abstract until all is reduced.
"""

from __future__ import annotations

from collections.abc import Callable

from supremum.promotion._nodes import Node

__all__ = ["reduce_as_numpy"]

Lookup = Callable[[Node, Node], "Node | None"]

_ADDED = 256  # the first type number that NumPy gives to dtypes of other packages
_LONG_DOUBLES = {"float128": 13, "complex256": 16}


def _number(node: Node) -> int:
    return _LONG_DOUBLES[node.name] if node.dtype is None else node.dtype.num


def _knows(a: Node, b: Node) -> bool:
    """Whether `a` decides what it and `b` become."""
    if a.weak and b.weak:
        return a.rank >= b.rank
    if a.weak:
        return _number(b) >= _ADDED or b.kind in ("b" if a.kind == "i" else "bui")
    if b.weak:
        return _number(a) < _ADDED and a.kind in ("iufc" if b.kind == "i" else "fc")
    return _number(a) >= _number(b)


def _meet(a: Node, b: Node, lookup: Lookup) -> Node | None:
    """Give what two types become; Python scalars together stay a Python scalar."""
    if a.weak and b.weak:
        return max(a, b, key=lambda node: node.rank)
    return a if a is b else lookup(a, b)


def _most_knowing_first(nodes: list[Node | None], lookup: Lookup) -> Node | None:
    """Reorder in place until the first type knows the others; clear those that cannot matter; give the last result."""
    end, met = len(nodes), None
    while True:
        for low in range(end // 2):
            high = end - 1 - low
            a, b = nodes[low], nodes[high]
            if a is None or b is None:
                continue
            met = _meet(a, b, lookup) if _knows(a, b) else None
            if met is None:
                nodes[low], nodes[high] = b, a
            elif met is a:
                nodes[high] = None
        if end == 2:
            return met
        end -= end // 2


def reduce_as_numpy(nodes: list[Node], lookup: Lookup) -> Node | None:
    """Give what two or more types become together in ``np.result_type``, or None; `lookup` says it of two."""
    order: list[Node | None] = list(nodes)
    met = _most_knowing_first(order, lookup)
    main = order[0]
    for node in order[1 if met is None else 2 :]:
        if node is None or main is None:
            continue
        joined = _meet(main, node, lookup) if _knows(main, node) else None
        if joined is None:
            return None
        met = joined if met is None else _meet(met, joined, lookup)
        if met is None:
            return None
    return lookup(met, met) if met is not None else None
