"""Measure a result against its reference: in blocks that stay in the cache, or at a sample of elements."""

from __future__ import annotations

from cmath import isfinite
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._core.array import Array
from supremum._kernels.casts import cast
from supremum.lens._formats import Format, format_of
from supremum.lens._losses import Errors, Operand, count, errors_of, flipped_order
from supremum.lens._rows import Found, digits_of
from supremum.lens._widening import Call, buffer
from supremum.promotion._nodes import NODES, Node

_DOUBLE: Final = NODES["float64"]
#: Elements of a block.
_BLOCK: Final = 8192


def is_finite(x: Array) -> bool:
    """Whether no element is infinite or NaN."""
    flat = cast(x._data, x._node.wide).reshape(-1)
    return isfinite(flat.dot(flat)) or bool(np.isfinite(flat).all())  # the first is faster, and overflows earlier


def measure(call: Call, data: Buffer, reference: Buffer, alone: Any, node: Node, wide: Node) -> Found:
    """Return the errors and the kinds of loss of a result.

    Parameters
    ----------
    call : Call
        The call.
    data : ndarray
        The result.
    reference : ndarray
        Its reference.
    alone : Array or number
        The result of the same operands in the reference dtype.
    node, wide : Node
        The nodes of the result and of its reference.
    """
    form, loss, operands = format_of(node), call.traits.loss, call.operands
    pair = _summands(call, data.shape, wide) if loss == "adds" else []
    flat, parts = [x.reshape(-1) for x in (data, cast(np.asarray(buffer(alone)), wide), reference, *pair)], []
    # The largest finite elements of both references.
    largest = [float(np.abs(one[np.isfinite(one)]).max(initial=0.0)) if call.traits.whole else None for one in flat[1:3]]
    for start in range(0, data.size or 1, _BLOCK):
        given, *known = [x[start : start + _BLOCK] if x.size > _BLOCK else x for x in flat]
        parts.append(errors_of(form, cast(given, wide), *known, scales=largest, vanishing=loss not in ("adds", "sums")))
    errors = parts[0] if len(parts) == 1 else Errors.of(parts)
    found = Found(node.strong.name, data.shape, errors, before=max([one.error for one in operands], default=0.0))
    found.nan = bool(errors.missing) and not any(np.isnan(one.wide).any() for one in operands)
    found.infinity = bool(errors.infinite) and all(np.isfinite(one.wide).all() for one in operands)
    if errors.introduced or errors.inherited > found.before or errors.missing or errors.infinite:
        for kind in ("overflow", "cancellation", "absorption", "underflow"):
            found.count(kind, getattr(errors, kind))
        found.count("nan", errors.nan if found.nan else 0)
        found.count("rounding", 0 if found.kinds.keys() - {"nan", "cancellation"} else errors.rounding)
    if loss == "steps":
        rounded = reference.astype(data.dtype)
        found.count("flip", count((data != rounded) & ~(np.isnan(data) & np.isnan(rounded))))
    _count_arguments(call, found, node, form)
    if call.traits.name == "sort" and operands:
        found.count("flip", flipped_order(operands[0], call.kwargs.get("axis", call.args[1] if len(call.args) > 1 else -1)))
    found.digits = digits_of(max(errors.introduced, errors.inherited - found.before), form)
    return found


def _summands(call: Call, shape: tuple[int, ...], wide: Node) -> list[Buffer]:
    """Return the operands of a sum, numbers and integers among them: each in the reference dtype, and its reference."""
    known = {id(x.source): x for x in call.operands}
    pair = [known.get(id(x)) or Operand(x, np.asarray(x), wide) for x in map(buffer, call.args[:2])]
    found = [x for one in pair for x in (one.wide, one.reference)]
    return [x if x.size == 1 or x.shape == shape else np.broadcast_to(x, shape) for x in found]


def _count_arguments(call: Call, found: Found, node: Node, form: Format) -> None:
    """Add what integers and numbers among the arguments lose as they become elements of the dtype."""
    if not call.traits.mixes or node.dtype is None:
        return
    for x in call.args:
        given = type(x)
        if given is float and x and isfinite(x):
            found.count("underflow", abs(x) <= form.smallest / 2)
            found.count("overflow", abs(x) > form.limit)
        elif given is int or (given is Array and x._node.kind in "iu" and found.errors.introduced):
            data = np.asarray(buffer(x))
            if data.size and max(abs(int(data.max())), abs(int(data.min()))) > 1 << form.bits:
                held = cast(cast(data.astype(np.float64), node.real.strong), _DOUBLE).astype(object)
                found.count("range", count(data.astype(object) != held))  # Python's integers compare exactly with floats
                if "range" in found.kinds:
                    found.kinds.pop("rounding", None)
