"""Shapes and sizes beyond those of any array, and the errors for them.

NumPy limits the bytes of arrays, in which axes without elements do not count. It does not check all sums and products of
lengths: see `_kernels/bounds.py`.
"""

from __future__ import annotations

import math
import sys
from itertools import zip_longest
from typing import Final

from supremum._base.exceptions import ShapeError, without_function_name

Shape = tuple[int, ...]
#: Number of arrays from which memory for them is tried first.
_MANY: Final = 1 << 20
#: Bytes that an array needs at least, with its ndarray.
_SIZE_OF_ARRAY: Final = 128


def is_too_large(shape: Shape, itemsize: int) -> bool:
    """Return whether no array has a shape and elements of so many bytes."""
    return math.prod([n for n in shape if n], start=itemsize) > sys.maxsize


def check_count(function: str, count: int, what: str) -> None:
    """Refuse to make more arrays than there is memory for: axes without elements may have any length."""
    if count > _MANY:
        try:
            bytes(count * _SIZE_OF_ARRAY)
        except (MemoryError, OverflowError):
            raise MemoryError(f"{function}: {count} {what} do not fit into memory") from None


def check_shape(function: str, shape: Shape, itemsize: int) -> None:
    """Refuse a shape that no array has; functions behind the boundary need not give their name for the message."""
    if is_too_large(shape, itemsize):
        message = f"no array has the shape {shape}: it would be too large"
        raise ValueError(f"{function}: {message}") if function else without_function_name(ValueError(message))


def shape_error(function: str, *shapes: Shape) -> ValueError:
    """Return the error for shapes that cannot be broadcast together, or only to a shape that no array has."""
    axes = [{*axis} - {1} for axis in zip_longest(*[shape[::-1] for shape in shapes], fillvalue=1)][::-1]
    if all(len(lengths) <= 1 for lengths in axes):
        shape = tuple([lengths.pop() if lengths else 1 for lengths in axes])
        return ValueError(f"{function}: no array has the shape {shape}: it would be too large")
    *first, last = map(str, shapes)
    return ShapeError(f"{function}: the shapes {', '.join(first)} and {last} cannot be broadcast together")
