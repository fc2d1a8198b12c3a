"""Type promotion as data: the rules of many libraries, to look up, compare, switch and change.

A *node* represents a dtype or a weak Python scalar, a `Lattice` computes the least upper bound of nodes, and a
`PromotionSystem` is the promotion rule of one library, by name in `systems`. The package knows neither arrays nor settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from supremum._base.boundary import traceless
from supremum._base.exceptions import TypePromotionError
from supremum.promotion._lattice import Lattice, LatticeError
from supremum.promotion._nodes import Node, as_node
from supremum.promotion._system import PromotionSystem, SystemData
from supremum.promotion.systems import SYSTEMS as systems  # a mapping that users know as a name in lower case

if TYPE_CHECKING:
    from supremum._functions._promoting import implicit_cast, port, use
    from supremum.explaining import explain
    from supremum.promotion._compare import Comparison, compare, implicit_cast_type
    from supremum.promotion._explain import Explanation, Hazard

__all__ = [
    "Comparison", "Explanation", "Hazard", "Lattice", "LatticeError", "Node", "PromotionSystem", "SystemData",
    "TypePromotionError", "as_node", "compare", "explain", "implicit_cast", "implicit_cast_type", "port", "systems", "use",
]  # fmt: skip

# Names that promotion itself does not need are imported on first access. `explain`, `implicit_cast`, `port` and `use` need
# arrays or settings and are defined in higher modules; no lower module imports them from this one.
_LAZY = {
    "Comparison": "promotion._compare", "compare": "promotion._compare", "implicit_cast_type": "promotion._compare",
    "Explanation": "promotion._explain", "Hazard": "promotion._explain", "explain": "explaining",
    "implicit_cast": "_functions._promoting", "port": "_functions._promoting", "use": "_functions._promoting",
}  # fmt: skip


@traceless
def __getattr__(name: str) -> Any:
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(f"supremum.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__dir__ = __all__.copy  # which `dir` sorts
