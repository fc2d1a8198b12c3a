"""Promotion: which dtype two operands meet at, as data that can be read, compared, switched and changed.

Nothing here knows of arrays. A *node* stands for a dtype or a weak Python scalar, a `Lattice` gives the least upper bound of
nodes, and a `PromotionSystem` is the rule of one library, in `systems` by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from supremum.promotion._errors import LatticeError, TypePromotionError
from supremum.promotion._lattice import Lattice
from supremum.promotion._nodes import Node, as_node
from supremum.promotion._system import PromotionSystem, SystemData
from supremum.promotion.systems import SYSTEMS as systems  # noqa: N811  # a mapping that reads as a namespace

if TYPE_CHECKING:
    from supremum._functions.promoting import implicit_cast, port, use
    from supremum.promotion._compare import Comparison, compare, implicit_cast_type
    from supremum.promotion._explain import Explanation, Hazard
    from supremum.tracing import explain

__all__ = [
    "Comparison",
    "Explanation",
    "Hazard",
    "Lattice",
    "LatticeError",
    "Node",
    "PromotionSystem",
    "SystemData",
    "TypePromotionError",
    "as_node",
    "compare",
    "explain",
    "implicit_cast",
    "implicit_cast_type",
    "port",
    "systems",
    "use",
]

# What promoting itself does not need is imported when it is first asked for. `explain`, `implicit_cast`, `port` and `use` need
# arrays or the settings and stand above this package: users find them here, and nothing below imports this module.
_LATER = {
    "Comparison": "promotion._compare",
    "compare": "promotion._compare",
    "implicit_cast_type": "promotion._compare",
    "Explanation": "promotion._explain",
    "Hazard": "promotion._explain",
    "explain": "tracing",
    "implicit_cast": "_functions.promoting",
    "port": "_functions.promoting",
    "use": "_functions.promoting",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from importlib import import_module

        return getattr(import_module(f"supremum.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
