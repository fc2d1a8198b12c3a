"""Measure a result against its reference: in blocks that stay in the cache, or at a sample of elements."""

from __future__ import annotations

from cmath import isfinite
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._core.array import Array
from supremum._kernels.casts import cast
from supremum.lens._formats import Format, format_of
from supremum.lens._losses import Operand, Result, classify, count, flipped_order, largest_of, ulps, within_range
from supremum.lens._rows import Found, digits_of
from supremum.lens._widening import Call, buffer
from supremum.promotion._nodes import NODES, Node

#: The number of elements of a sample.
_SAMPLE: Final = 512
_DOUBLE: Final = NODES["float64"]
#: Elements of a block.
_BLOCK: Final = 8192


def is_sampled(count: int) -> bool:
    """Whether a large result that is not measured whole is measured at a sample."""
    return not count % 16


def sample_of(size: int) -> slice:
    """Return which elements of a flattened array are a sample."""
    return slice(None, None, -(-size // _SAMPLE) or 1)


def is_finite(x: Array) -> bool:
    """Whether no element is infinite or NaN; of very large ones, their sum decides."""
    flat = cast(x._data, x._node.wide).reshape(-1)
    if isfinite(flat.dot(flat)):  # which is faster, and overflows earlier
        return True
    return bool(np.isfinite(np.add.reduce(flat) if x._node.native else flat).all())


def measure(
    call: Call, data: Buffer, reference: Buffer, alone: Any, node: Node, wide: Node, *, sampled: bool = False
) -> Found:
    """Return the errors and the kinds of loss of a result.

    Parameters
    ----------
    call : Call
        The call.
    data : ndarray
        The result.
    reference : ndarray
        Its reference.
    alone : Array or number, optional
        The result of the same operands in the reference dtype, or of the sample; None if it is not known.
    node, wide : Node
        The nodes of the result and of its reference.
    sampled : bool
        Whether a sample is measured.
    """
    form = format_of(node)
    found = Found(node.strong.name, data.shape, before=max([one.error for one in call.operands], default=0.0))
    scale = largest_of(reference) if call.traits.whole else None
    of_given = None if alone is None else cast(np.asarray(buffer(alone)), wide)
    if of_given is not None and of_given.shape == reference.shape and np.may_share_memory(of_given, reference):
        of_given = reference
    if data.size <= _BLOCK and not sampled:
        _judge(call, found, Result(data, cast(data, wide), of_given, reference, scale), form, wide)
    else:
        flat, wanted, other = data.reshape(-1), reference.reshape(-1), None if of_given is None else of_given.reshape(-1)
        blocks = [sample_of(data.size)] if sampled else [slice(i, i + _BLOCK) for i in range(0, data.size, _BLOCK)]
        for where in blocks:
            values = wanted[where]
            one = values if of_given is reference else other if other is None or other.size != flat.size else other[where]
            _judge(call, found, Result(flat[where], cast(flat[where], wide), one, values, scale), form, wide, where)
    _count_arguments(call, found, node, form)
    if call.traits.name == "sort" and not sampled and call.operands:
        found.count("flip", flipped_order(call.operands[0], call.argument("axis", 1, -1)))
    found.digits = digits_of(max(found.introduced, found.inherited - found.before), form)
    return found


def _judge(call: Call, found: Found, result: Result, form: Format, wide: Node, where: slice | None = None) -> None:
    """Add the errors and the kinds of loss of a result, or of a part of it."""
    most, total, loss = result.most, result.total, call.traits.loss

    def operands() -> list[Operand]:
        if loss != "adds":
            return call.operands
        pair = _summands(call, wide)
        return pair if where is None else [one.part(found.shape, where) for one in pair]

    found.introduced, found.inherited = max(found.introduced, most), max(found.inherited, total)
    within = within_range(result, form) if most > form.unit or total > form.unit else True
    found.introduced_within = max(found.introduced_within, _largest(result.introduced, most, within))
    found.inherited_within = max(found.inherited_within, _largest(result.inherited, total, within))
    if most:
        found.ulps = max(found.ulps, ulps(result.wide, result.alone, result.introduced, form, most))
    finite = result.finite or bool(np.isfinite(result.wide.sum()))
    if most or total > found.before or loss == "steps" or not finite:
        for kind, number in classify(loss, result, form, operands).items():
            found.count(kind, number)
    if not finite:
        missing = bool(np.isnan(result.wide).any())
        found.nan = found.nan or (missing and not any(np.isnan(one.wide).any() for one in call.operands))
        infinite = bool(np.isinf(result.wide).any())
        found.infinity = found.infinity or (infinite and all(np.isfinite(one.wide).all() for one in call.operands))


def _largest(errors: Buffer, largest: float, within: Any) -> float:
    """Return the largest error of the elements within the range of the dtype; of all, it is known."""
    return largest if within is True or not errors.ndim else float(errors[within].max(initial=0.0))


def _summands(call: Call, wide: Node) -> list[Operand]:
    """Return the two operands of a sum, numbers and integers among them."""
    known = {id(x.source): x for x in call.operands}
    pair = []
    for x in call.args[:2]:
        data = buffer(x)
        pair.append(known[id(data)] if id(data) in known else Operand(data, np.asarray(data), wide))
    return pair


def _count_arguments(call: Call, found: Found, node: Node, form: Format) -> None:
    """Add what integers and numbers among the arguments lose as they become elements of the dtype."""
    if not call.traits.mixes or node.dtype is None:
        return
    for x in call.args:
        given = type(x)
        if given is float and x and isfinite(x):
            found.count("underflow", abs(x) <= form.smallest / 2)
            found.count("overflow", abs(x) > form.limit)
        elif given is int or (given is Array and x._node.kind in "iu" and found.introduced):
            data = np.asarray(buffer(x))
            if data.size and max(abs(int(data.max())), abs(int(data.min()))) > 1 << form.bits:
                found.count("range", _inexact(data, node))
                if "range" in found.kinds:
                    found.kinds.pop("rounding", None)


def _inexact(data: Buffer, node: Node) -> int:
    """Count integers that a floating dtype does not hold."""
    real = node.real.strong
    exact = data.astype(object)  # Python's integers compare exactly with floats
    held = cast(cast(data.astype(np.float64), real), _DOUBLE).astype(object)
    return count(exact != held)
