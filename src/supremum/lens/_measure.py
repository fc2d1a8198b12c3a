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
from supremum.lens._rows import SAMPLE, Found, digits_of
from supremum.lens._widening import Call, Later, buffer, picked
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
    _count_kinds(found, form)
    if loss == "steps":
        rounded = reference.astype(data.dtype)
        found.count("flip", count((data != rounded) & ~(np.isnan(data) & np.isnan(rounded))))
    _count_arguments(call, found, node, form)
    if call.traits.name == "sort" and operands:
        found.count("flip", flipped_order(operands[0], call.kwargs.get("axis", call.args[1] if len(call.args) > 1 else -1)))
    return found


def _count_kinds(found: Found, form: Format) -> None:
    errors = found.errors
    if errors.introduced or errors.inherited > found.before or errors.missing or errors.infinite:
        for kind in ("overflow", "cancellation", "absorption", "underflow"):
            found.count(kind, getattr(errors, kind))
        found.count("nan", errors.nan if found.nan else 0)
        found.count("rounding", 0 if found.kinds.keys() - {"nan", "cancellation"} else errors.rounding)
    found.digits = digits_of(max(errors.introduced, errors.inherited - found.before), form)


def _flat(x: Any, node: Node) -> Buffer:
    """Return the elements of an array, or a number, in a dtype."""
    return cast(np.asarray(buffer(x)), node).reshape(-1)


def _may_be_rounded(x: Any, form: Format) -> bool:
    """Whether an argument may be integers beyond those that a dtype has."""
    return abs(x) > 1 << form.bits if type(x) is int else type(x) is Array and x._node.kind in "iu"


def measure_some(later: Later, args: tuple[Any, ...], x: Array) -> Found | None:
    """Measure some elements of a large result, evenly spaced; return None if there are larger errors than in the row before.

    Parameters
    ----------
    later : Later
        Its reference, which is not computed.
    args : tuple
        The arguments of the call.
    x : Array
        The result.
    """
    (wide, traits, _, node, row), form, worst = later[0], format_of(x._node), later[0][-1].worst
    step = x.size // SAMPLE * 2
    places = slice(row.count // 16 % step, None, step)
    before, exact = 0.0, True
    given: list[Any] = []
    known: list[Any] = []
    made: dict[int, Any] = {}
    for one, part in zip(args, later[1], strict=True):
        some = reference = picked(one, places, wide)
        if type(part) is Later:
            reference = part.sample(places, made)
        elif type(one) is Array and one._node.kind in "fc" and (part._node is not one._node or some._node is one._node):
            reference = picked(part, places, wide)
        if reference is not some:
            exact, values = False, _flat(reference, some._node)
            before = max(before, errors_of(form, _flat(some, some._node), values, values, vanishing=False).introduced)
        given.append(some)
        known.append(reference)
    if traits.loss == "steps" or any([_may_be_rounded(one, form) for one in args]):
        return None
    wanted = _flat(later.made(known), node)
    alone = wanted if exact else _flat(later.made(given), node)
    pair = [given[0], known[0], given[1], known[1]] if traits.loss == "adds" else []
    errors = errors_of(
        form, picked(x, places, wide)._data, alone, wanted, *[_flat(one, node) for one in pair], vanishing=not pair
    )
    found = Found(x._node.strong.name, x.shape, errors, row.operands, before=before)
    _count_kinds(found, form)
    usual = not (errors.missing or errors.infinite) and found.kinds.keys() <= worst.kinds.keys()
    return found if usual and all([e <= 2 * most for e, most in zip(errors[:5], worst.errors, strict=False)]) else None


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
