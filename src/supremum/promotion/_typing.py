"""Types of arguments that name a node, and what is read of lattices and systems to draw, check and print them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from supremum._base.boundary import public
from supremum.promotion._nodes import Node


@public(home="supremum.typing")
@runtime_checkable
class SupportsDType(Protocol):
    """An object with a dtype, such as an array or a scalar type."""

    @property
    def dtype(self) -> np.dtype[Any]:  # pyright: ignore[reportReturnType]  # a protocol's member has no body
        """The dtype."""


#: A node, its name or code, a dtype or an object that has one, a Python scalar type.
NodeLike: TypeAlias = Node | str | type[Any] | np.dtype[Any] | SupportsDType


class Ordered(Protocol):
    """A lattice, as drawings read it."""

    nodes: tuple[Any, ...]

    @property
    def covers(self) -> dict[Any, tuple[Any, ...]]: ...
    def upper_bounds(self, node: Any) -> tuple[Any, ...]: ...
    def join(self, *nodes: Any) -> Any: ...
    def path(self, a: Any, b: Any) -> tuple[Any, ...]: ...
    def restricted(self, nodes: Iterable[Any]) -> Ordered: ...


class Promoting(Protocol):
    """A promotion system, as laws and tables read it."""

    name: str
    data: Any
    lattice: Any
    nodes: tuple[Node, ...]

    def lookup(self, a: Node, b: Node) -> Node | None: ...
    def __contains__(self, spec: object) -> bool: ...
