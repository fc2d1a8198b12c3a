"""Promotion of more than two operands as ``np.result_type`` does it: by a reduction, not from the left.

A type *decides* over another if its rule determines the common type of the two. Of two dtypes it is the one with the higher
type number; a dtype decides over Python scalars of its kind or below, and a Python scalar over dtypes of lower kinds and over
all dtypes of other packages. Python scalars stay abstract until the end of the reduction.
"""

from __future__ import annotations

from collections.abc import Callable

from supremum.promotion._nodes import Node

Lookup = Callable[[Node, Node], "Node | None"]

_ADDED = 256  # the first type number that NumPy gives to dtypes of other packages
_LONG_DOUBLES = {"float128": 13, "complex256": 16}


def _number(node: Node) -> int:
    return _LONG_DOUBLES[node.name] if node.dtype is None else node.dtype.num


def _decides(a: Node, b: Node) -> bool:
    """Return whether `a` determines the common type of `a` and `b`."""
    if a.weak and b.weak:
        return a.rank >= b.rank
    if a.weak:
        return _number(b) >= _ADDED or b.kind in ("b" if a.kind == "i" else "bui")
    if b.weak:
        return _number(a) < _ADDED and a.kind in ("iufc" if b.kind == "i" else "fc")
    return _number(a) >= _number(b)


def _join(a: Node, b: Node, lookup: Lookup) -> Node | None:
    """Return the common type of two types, or None; two Python scalars stay a Python scalar."""
    if a.weak and b.weak:
        return max(a, b, key=lambda node: node.rank)
    return a if a is b else lookup(a, b)


def _decisive_first(nodes: list[Node | None], lookup: Lookup) -> Node | None:
    """Reorder in place until the first type decides over the others; clear irrelevant types; return the last result."""
    end, common = len(nodes), None
    while True:
        for low in range(end // 2):
            high = end - 1 - low
            a, b = nodes[low], nodes[high]
            if a is None or b is None:
                continue
            common = _join(a, b, lookup) if _decides(a, b) else None
            if common is None:
                nodes[low], nodes[high] = b, a
            elif common is a:
                nodes[high] = None
        if end == 2:
            return common
        end -= end // 2


def reduce_as_numpy(nodes: list[Node], lookup: Lookup) -> Node | None:
    """Return the common type of two or more types as ``np.result_type`` finds it, or None; `lookup` is that of two."""
    order: list[Node | None] = list(nodes)
    common = _decisive_first(order, lookup)
    main = order[0]
    for node in order[1 if common is None else 2 :]:
        if node is None or main is None:
            continue
        joined = _join(main, node, lookup) if _decides(main, node) else None
        if joined is None:
            return None
        common = joined if common is None else _join(common, joined, lookup)
        if common is None:
            return None
    return lookup(common, common) if common is not None else None
