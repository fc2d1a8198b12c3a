"""Errors of a result against its reference, and what kind of loss they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from supremum._base.buffers import Buffer, native
from supremum._base.functions import call_without_float_warnings
from supremum._kernels.casts import cast
from supremum.lens._formats import Format, last_place
from supremum.promotion._nodes import Node

#: The kinds of loss, the worst first.
KINDS: Final = ("nan", "overflow", "cancellation", "flip", "absorption", "underflow", "range", "rounding")
#: From this factor on between operands and their difference, digits are said to cancel.
_DROP: Final = 8.0


@dataclass(slots=True)
class Operand:
    """A floating operand: its buffer, its elements as they were, and their reference values with their largest error."""

    source: Any
    given: Buffer
    node: Node
    values: Buffer | None = None
    #: A bound of the error, and whether it is the error.
    _bound: float = 0.0
    _known: bool = True
    _wide: Buffer | None = None

    @property
    def wide(self) -> Buffer:
        """The elements in the reference dtype."""
        if self._wide is None:
            self._wide = cast(self.given, self.node)
        return self._wide

    @property
    def error(self) -> float:
        """The largest relative error of the reference values."""
        if not self._known:
            self._bound = min(self._bound, call_without_float_warnings(relative, self.wide, self.reference)[1])
            self._known = True
        return self._bound

    @property
    def reference(self) -> Buffer:
        """The reference values."""
        return self.wide if self.values is None else self.values

    @property
    def exact(self) -> bool:
        """Whether the elements are their own reference."""
        return self.values is None


class Errors(NamedTuple):
    """The errors of a floating result, and how many elements there are of each kind of loss."""

    #: The largest relative errors: against the result of the same operands in the reference dtype, and against the reference.
    introduced: float
    inherited: float
    #: The same of elements within the range of the dtype: not of those that became infinite or NaN, or are subnormal, whose
    #: errors are not in proportion to the unit of the dtype. Of all elements, where no error is larger than the unit.
    introduced_within: float
    inherited_within: float
    #: The largest introduced error in units of the last place.
    ulps: float
    #: How many elements are NaN, and how many infinite.
    missing: int
    infinite: int
    #: By kinds. NaN is overflow where numbers were too large.
    overflow: int
    nan: int
    underflow: int
    absorption: int
    cancellation: int
    rounding: int

    @classmethod
    def of(cls, parts: list[Errors]) -> Errors:
        """Return the largest errors of several results, or parts of one, and the sums of the counts."""
        return cls(*map(max, *[one[:5] for one in parts]), *map(sum, zip(*[one[5:] for one in parts], strict=True)))


NO_ERRORS: Final = Errors(0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0, 0, 0, 0, 0)


def errors_of(form: Format, *arrays: Buffer, scales: Sequence[float | None] = (None, None), vanishing: bool) -> Errors:
    """Measure a result, flattened, or a part of it.

    Parameters
    ----------
    form : Format
        The format of its dtype.
    *arrays : ndarray
        The result in the reference dtype, that of the same operands in the reference dtype, and its reference; then, of sums
        of two operands, each of these in the reference dtype and its reference. Operands may have one element alone.
    scales : sequence of float, optional
        What introduced and inherited errors are relative to in place of each element.
    vanishing : bool
        Whether zeros that were made of normal numbers have vanished, which those of sums have not.
    """
    found = None if native is None or scales[0] is not None else native.errors_of(*form[3:], vanishing, arrays)
    return _errors(form, *arrays, scales=scales, vanishing=vanishing) if found is None else Errors(*found)


def _errors(form: Format, *arrays: Buffer, scales: Sequence[float | None], vanishing: bool) -> Errors:
    """Implement `errors_of` in NumPy's calls; native/losses.c has the same in one pass."""
    wide, alone, reference, *pair = arrays
    (introduced, most), (inherited, total) = relative(wide, alone, scales[0]), relative(wide, reference, scales[1])
    within = np.isfinite(wide) | ~np.isfinite(reference)
    for exact in (alone, reference):
        within &= (np.abs(exact) >= form.normal) | (exact == 0)
    within |= not max(most, total) > form.unit
    given, exact = _real(wide), _real(alone)
    size, missing = np.abs(exact), np.isnan(given)
    beyond = np.isfinite(exact) & ((size > form.limit) | np.isinf(given) | (missing & (size >= form.limit)))
    far = (given != exact) & (exact != 0) & (np.abs(given - exact) > form.unit * size) & (np.abs(given) < form.normal)
    absorbed: Any = False
    cancelled: Any = False
    if pair:
        first, one, second, other = pair
        by_second, by_first = (wide == first) & (second != 0), (np.abs(wide) == np.abs(second)) & (first != 0)
        absorbed = (wide != alone) & (by_second | by_first)
        small = np.maximum(np.abs(one), np.abs(other)) / np.abs(reference) >= _DROP
        before = np.maximum(relative(first, one)[0], relative(second, other)[0])
        cancelled = small & (inherited > 4 * before) & (inherited > 4 * form.unit)
    return Errors(
        most, total,
        float(np.where(within, introduced, 0.0).max(initial=0.0)), float(np.where(within, inherited, 0.0).max(initial=0.0)),
        ulps(wide, alone, introduced, form, most), count(np.isnan(wide)), count(np.isinf(wide)),
        count(beyond), count(missing & ~beyond), count(far & ((size < form.normal) | ((given == 0) & vanishing))),
        count(absorbed), count(cancelled), count(introduced),
    )  # fmt: skip


def relative(x: Buffer, reference: Buffer, size: float | None = None) -> tuple[Buffer, float]:
    """Return the relative errors of elements, and the largest.

    Equal infinities and NaN have none. With a `size`, errors are relative to that, as those of transforms and solutions are to
    the largest element.
    """
    found = np.abs(x - reference) / (np.abs(reference) if size is None else size)
    largest = float(np.maximum.reduce(found, None, initial=0.0))
    if largest < np.inf:
        return found, largest
    same = (x == reference) | (np.isnan(x) & np.isnan(reference))
    found = np.where(same, 0.0, np.where(np.isnan(found), np.inf, found))
    return found, float(found.max())


def ulps(x: Buffer, reference: Buffer, found: Buffer, form: Format, largest: float) -> float:
    """Return the largest error in units of the last place; it is one of the largest relative ones."""
    if not largest or largest == np.inf:
        return largest
    places = last_place(np.abs(reference) if reference.dtype.kind == "c" else reference, form)
    return float(np.maximum.reduce(np.where(found >= largest / 2, np.abs(x - reference) / places, 0.0), None))


def _real(x: Buffer) -> Buffer:
    """Return complex numbers as pairs of real ones."""
    return np.ascontiguousarray(x).reshape(-1).view(x.real.dtype) if x.dtype.kind == "c" else x


def count(x: Any) -> int:
    """Count the elements that are not zero."""
    return int(np.count_nonzero(x))


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
