"""The numbers that a dtype represents: limits, precision, and values lost in a cast."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from supremum._base.silence import without_float_warnings
from supremum.promotion._nodes import Node


def component(node: Node) -> Node:
    """Return the strong node of a complex node's parts; of any other node, its strong node."""
    return node.real.strong


def limits(node: Node) -> tuple[int | float, int | float]:
    """Return the least and the greatest finite number of `node`, or of the parts of a complex node."""
    part = component(node)
    if part.kind != "f":
        return part.low, part.high
    info = ml_dtypes.finfo(part.dtype)
    return float(info.min), float(info.max)


def significant_bits(node: Node) -> int:
    """Return the number of significant bits of `node`, or of the parts of a complex node."""
    part = component(node)
    return int(ml_dtypes.finfo(part.dtype).nmant) + 1 if part.kind == "f" else part.bits - (part.kind == "i")


@without_float_warnings
def first_lost(source: Node, target: Node) -> int | float | None:
    """Return a positive number of `source` that is within the limits of `target` and not representable in it, or None.

    It is the least such integer, or the least such number if `target` represents all integers.
    """
    source, target = component(source), component(target)
    low, high = limits(target)
    if source.bits > 16:
        if target.kind != "f" or significant_bits(target) >= significant_bits(source):
            return None
        candidate = 2 ** significant_bits(target) + 1
        return candidate if candidate <= min(high, limits(source)[1]) else None
    numbers = _all_numbers(source)
    numbers = numbers[(numbers > 0) & (numbers >= low) & (numbers <= high)]
    lost = numbers[numbers.astype(target.dtype).astype(np.float64) != numbers]
    if not lost.size:
        return None
    integers = lost[lost == np.floor(lost)]
    return int(integers.min()) if integers.size else float(lost.min())


def _all_numbers(node: Node) -> NDArray[np.float64]:
    """Return every finite number of a type of at most 16 bits."""
    if node.kind == "f" and node.dtype is not None:
        patterns: NDArray[Any] = np.arange(2**node.bits, dtype=np.uint16 if node.bits > 8 else np.uint8)
        numbers = patterns.view(node.dtype).astype(np.float64)
        return numbers[np.isfinite(numbers)]
    low, high = limits(node)
    return np.arange(low, high + 1, dtype=np.float64)
