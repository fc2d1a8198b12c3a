"""From what users pass to what operations take."""

from __future__ import annotations

from typing import Any

from supremum._array import Array, binary
from supremum._conversion import operand
from supremum._dispatch import PYTHON_SCALARS, Operation

__all__ = ["mixed"]


def mixed(operation: Operation, x: Any, y: Any, name: str | None = None) -> Array:
    """Apply a binary operation where an operand may be a scalar or a foreign array.

    A Python scalar beside an array keeps being one: its value is known to the plan, which the value of a 0-d array is not.
    """
    name = name or operation.rule.name
    if type(x) in PYTHON_SCALARS and type(y) not in PYTHON_SCALARS:
        return binary(operation.reflected, operand(y, name, 1), x)
    return binary(operation, operand(x, name, 0), y if type(y) in PYTHON_SCALARS else operand(y, name, 1))
