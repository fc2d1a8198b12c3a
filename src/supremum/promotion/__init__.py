"""Promotion: which dtype two operands meet at, as data that can be read, compared, switched and changed.

Nothing here knows of arrays. A *node* stands for a dtype or a weak Python scalar, a `Lattice` gives the least upper bound of
nodes, and a `PromotionSystem` is the rule of one library, in `systems` by name.
"""

from supremum.promotion._errors import LatticeError, TypePromotionError
from supremum.promotion._lattice import Lattice
from supremum.promotion._nodes import Node, as_node
from supremum.promotion._system import PromotionSystem
from supremum.promotion.systems import SYSTEMS as systems  # noqa: N811  # a mapping that reads as a namespace

__all__ = ["Lattice", "LatticeError", "Node", "PromotionSystem", "TypePromotionError", "as_node", "systems"]
