"""Errors of a result against its reference, and what kind of loss they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels.casts import cast
from supremum.lens._formats import Format, last_place
from supremum.promotion._nodes import Node

#: The kinds of loss, the worst first.
KINDS: Final = ("nan", "overflow", "cancellation", "flip", "absorption", "underflow", "range", "rounding")
#: Arrays of more elements are widened into memory that was used before, of which so many pieces are kept.
_SMALL: Final = 4096
_KEPT: Final = 4
#: From this factor on between operands and their difference, digits are said to cancel.
_DROP: Final = 8.0


class Operand:
    """A floating operand: its buffer, its elements as they were, and their reference values with their largest error."""

    __slots__ = ("_node", "_reference", "_scratch", "_wide", "error", "given", "source")

    def __init__(
        self,
        source: Any,
        given: Buffer,
        node: Node,
        reference: Buffer | None = None,
        error: float = 0.0,
        scratch: list[Buffer] | None = None,
    ) -> None:
        self._scratch = scratch
        self.source = source
        self.given = given
        self.error = error
        self._node = node
        self._reference = reference
        self._wide: Buffer | None = None

    @property
    def wide(self) -> Buffer:
        """The elements in the reference dtype."""
        if self._wide is None:
            self._wide = self._widened()
        return self._wide

    def _widened(self) -> Buffer:
        given, dtype = self.given, self._node.dtype
        assert dtype is not None  # noqa: S101 - it is that of a buffer
        if self._scratch is None or given.size <= _SMALL or not given.dtype.isbuiltin or given.dtype == dtype:
            return cast(given, self._node)
        # Memory that was used before: fresh memory of large arrays costs more than the cast.
        count = given.size * dtype.itemsize
        try:
            memory = self._scratch.pop()
        except IndexError:
            memory = np.empty(count, np.uint8)
        if memory.nbytes < count:
            memory = np.empty(count, np.uint8)
        wide = memory[:count].view(dtype).reshape(given.shape)
        np.copyto(wide, given)
        return wide

    def free(self) -> None:
        """Give memory back."""
        if self._scratch is not None and self._wide is not None and isinstance(self._wide.base, np.ndarray):
            memory = self._wide.base
            if memory.dtype == np.uint8 and len(self._scratch) < _KEPT:
                self._scratch.append(memory)
            self._wide = None

    @property
    def reference(self) -> Buffer:
        """The reference values."""
        return self.wide if self._reference is None else self._reference

    @property
    def exact(self) -> bool:
        """Whether the elements are their own reference."""
        return self._reference is None

    def part(self, shape: tuple[int, ...], where: slice) -> Operand:
        """Return some of the elements, broadcast to a shape and flattened."""
        part = Operand(self.source, _flat(self.given, shape, where), self._node, None, self.error)
        if self._reference is not None:
            part._reference = _flat(self._reference, shape, where)
        return part


def _flat(x: Buffer, shape: tuple[int, ...], where: slice) -> Buffer:
    """Return some of the elements of an array that is broadcast to a shape, flattened."""
    if x.size == 1:
        return x.reshape(())
    return (x if x.shape == shape else np.broadcast_to(x, shape)).reshape(-1)[where]


class Result:
    """A floating result: as it is, widened; of the same operands in the reference dtype; and of their reference values.

    Introduced errors, those against the second, are none if that is not known.
    """

    __slots__ = ("alone", "finite", "given", "inherited", "introduced", "most", "reference", "scale", "total", "wide")

    def __init__(self, given: Buffer, wide: Buffer, alone: Buffer | None, reference: Buffer, scale: float | None) -> None:
        self.given = given
        self.wide = wide
        self.alone = wide if alone is None else alone
        self.reference = reference
        self.scale = scale
        #: The errors and the largest, relative to a scale if there is one; and whether all elements are finite.
        self.inherited, self.total, self.finite = self.introduced, self.most, _ = relative(wide, reference, scale)
        if alone is None:
            self.introduced, self.most = np.zeros(()), 0.0
        elif alone is not reference:
            self.introduced, self.most, finite = relative(wide, alone, scale)
            self.finite &= finite


def largest_of(reference: Buffer) -> float:
    """Return the largest finite magnitude."""
    size = np.abs(reference)
    return float(size[np.isfinite(size)].max(initial=0.0))


def relative(x: Buffer, reference: Buffer, size: Any = None) -> tuple[Buffer, float, bool]:
    """Return the relative errors of elements, the largest, and whether all elements are finite and have one.

    Equal infinities and NaN have none. With a `size`, errors are relative to that, as those of transforms and solutions are to
    the largest element.
    """
    if not x.size:
        return np.zeros(x.shape), 0.0, True
    found = np.abs(x - reference) / (np.abs(reference) if size is None else size)
    largest = float(np.maximum.reduce(found, None))
    if largest < np.inf:
        return found, largest, True
    same = (x == reference) | (np.isnan(x) & np.isnan(reference))
    found = np.where(same, 0.0, np.where(np.isnan(found), np.inf, found))
    return found, float(found.max()), False


def ulps(x: Buffer, reference: Buffer, found: Buffer, form: Format, largest: float) -> float:
    """Return the largest error in units of the last place; it is one of the largest relative ones."""
    if not largest or largest == np.inf:
        return largest
    places = last_place(np.abs(reference) if reference.dtype.kind == "c" else reference, form)
    return float(np.maximum.reduce(np.where(found >= largest / 2, np.abs(x - reference) / places, 0.0), None))


def _real(x: Buffer) -> Buffer:
    """Return complex numbers as pairs of real ones."""
    if x.dtype.kind != "c":
        return x
    return np.ascontiguousarray(x).reshape(-1).view(x.real.dtype)


def classify(loss: str, result: Result, form: Format, operands: Callable[[], list[Operand]]) -> dict[str, int]:
    """Return the kinds of loss in a result, each with the number of elements; of sums by the two `operands`."""
    kinds: dict[str, int] = {}
    given, alone = _real(result.wide), _real(result.alone)
    size = np.abs(alone)
    if not (result.finite and np.maximum.reduce(size, None, initial=0) <= form.limit):
        missing = np.isnan(given)
        beyond = np.isfinite(alone) & ((size > form.limit) | np.isinf(given) | (missing & (size >= form.limit)))
        kinds["overflow"] = count(beyond)
        if missing.any() and not any(np.isnan(_real(x.wide)).any() for x in operands()):
            kinds["nan"] = count(missing & ~beyond)
    if not (result.most < form.unit and result.scale is None and given is result.wide):
        far = (given != alone) & (alone != 0) & (np.abs(given - alone) > form.unit * size) & (np.abs(given) < form.normal)
        within = size < form.normal
        kinds["underflow"] = count(far & (within if loss in ("adds", "sums") else within | (given == 0)))
    if loss == "adds" and (result.most or result.total > 4 * form.unit) and len(pair := operands()) == 2:
        kinds["absorption"] = _absorbed(result, pair[0], pair[1])
        kinds["cancellation"] = _cancelled(result, pair[0], pair[1], form)
    elif loss == "steps":
        kinds["flip"] = count(result.wide != result.reference.astype(result.given.dtype))
    if result.most and not (kinds.get("overflow") or kinds.get("underflow") or kinds.get("absorption")):
        kinds["rounding"] = count(result.introduced)
    return kinds


def count(x: Any) -> int:
    """Count the elements that are not zero."""
    return int(np.count_nonzero(x))


def within_range(result: Result, form: Format) -> Any:
    """Return which elements the range of the dtype has: not those that became infinite or NaN, or are subnormal; True for all.

    Their errors are not in proportion to the unit of the dtype.
    """
    inside: Any = True if result.finite else np.isfinite(result.wide) | ~np.isfinite(result.reference)
    for exact in (result.reference,) if result.alone is result.reference else (result.alone, result.reference):
        size = np.abs(exact)
        if not np.minimum.reduce(size, None) >= form.normal:
            inside &= (size >= form.normal) | (exact == 0)
    return True if inside is True or inside.all() else inside


def _absorbed(result: Result, first: Operand, second: Operand) -> int:
    """Count the elements that one of two summands, which is not zero, does not change."""
    by_second, by_first = result.wide == first.wide, np.abs(result.wide) == np.abs(second.wide)
    if not (result.most and (count(by_second) or count(by_first))):
        return 0
    return count((result.wide != result.alone) & ((by_second & (second.wide != 0)) | (by_first & (first.wide != 0))))


def _cancelled(result: Result, first: Operand, second: Operand, form: Format) -> int:
    """Count where a sum is far smaller than its summands, and its relative error far larger than theirs."""
    if not result.total > 4 * form.unit:
        return 0
    small = np.maximum(np.abs(first.reference), np.abs(second.reference)) / np.abs(result.reference) >= _DROP
    if not small.any():
        return 0
    before = np.maximum(relative(first.wide, first.reference)[0], relative(second.wide, second.reference)[0])
    return count(small & (result.inherited > 4 * before) & (result.inherited > 4 * form.unit))


def cancels(of_sizes: Buffer, wide: Buffer, reference: Buffer, least: float) -> int:
    """Count the elements of a sum that are wrong and far smaller than the sum of the terms' magnitudes."""
    if np.shape(of_sizes) != reference.shape:
        return 0
    return count((relative(wide, reference)[0] > least) & (np.abs(of_sizes) >= _DROP * np.abs(reference)))


def flipped_order(x: Operand, axis: int | None) -> int:
    """Count the neighbours of sorted elements that are in another order in the reference."""
    if x.exact or not x.wide.size:
        return 0
    wide, reference = (x.wide.ravel(), x.reference.ravel()) if axis is None else (x.wide, x.reference)
    axis = -1 if axis is None else axis
    placed = np.take_along_axis(reference, np.argsort(wide, axis, kind="stable"), axis)
    return int(np.count_nonzero(np.diff(placed, axis=axis) < 0))
