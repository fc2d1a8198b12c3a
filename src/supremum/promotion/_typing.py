"""Types of arguments that name a node."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

import numpy as np

from supremum._base.boundary import public
from supremum.promotion._nodes import Node


@public(home="supremum.typing")
class SupportsDType(Protocol):
    """An object with a dtype, such as an array or a scalar type."""

    @property
    def dtype(self) -> np.dtype[Any]:  # pyright: ignore[reportReturnType]  # a protocol's member has no body
        """The dtype."""


#: A node, its name or code, a dtype or an object that has one, a Python scalar type.
NodeLike: TypeAlias = Node | str | type[Any] | np.dtype[Any] | SupportsDType
