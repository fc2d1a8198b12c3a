"""The rows of a lens: what was found at a line of the program, for each function and dtype."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Final, NamedTuple

import numpy as np

from supremum._base.buffers import Buffer
from supremum.lens._formats import LOWEST, Format, format_named
from supremum.lens._losses import KINDS, NO_ERRORS, Errors

#: How many moments of a row are kept; of more calls, each is of several.
_MOMENTS: Final = 128
#: How many elements of an array count for its range; of larger arrays as many, evenly spaced.
SAMPLE: Final = 1024
#: How many calls of a row count for its ranges; of later ones, every sixteenth.
_CALLS: Final = 64
#: From how many elements on not all results of a line are measured.
LARGE: Final = 4096


class Moment(NamedTuple):
    """The errors of one call of a row, or the largest of several calls in succession."""

    call: int
    introduced: float
    inherited: float

    def with_next(self, other: Moment) -> Moment:
        """Return the largest errors of two moments, and the call of the larger one."""
        call = other.call if (other.inherited, other.introduced) > (self.inherited, self.introduced) else self.call
        return Moment(call, max(self.introduced, other.introduced), max(self.inherited, other.inherited))


class Range(NamedTuple):
    """The magnitudes of numbers: how many there are with each power of two.

    Attributes
    ----------
    lowest, highest : float
        The smallest magnitude but zero, and the largest finite one; 0 if there are none.
    counts : dict
        For each exponent the number of elements that were counted; zeros have the exponent -1100.
    """

    lowest: float
    highest: float
    counts: dict[int, int]


@dataclass(frozen=True)
class Row:
    """What a lens found for a function at a line of the program.

    Relative errors are the largest of any element: 1 means that no digit is right, infinity that the reference is zero or that
    the result is infinite.

    Attributes
    ----------
    file : str
        The file.
    line : int
        The line.
    function : str
        The public function or operator.
    operands : tuple of str
        The dtypes of the arrays among the arguments.
    dtype : str
        The dtype of the result.
    promotes : bool
        Whether an operand was implicitly promoted.
    shape : tuple of int
        The shape of the last result.
    count : int
        How many results there were.
    introduced : float
        The largest relative error that one call made: against the same call on the same operands in the reference dtype.
    inherited : float
        The largest relative error of a result against its reference, with the errors of all operands.
    ulps : float
        The largest introduced error in units of the dtype's last place. At most 0.5 is correct rounding.
    growth : float
        How much of the inherited error came up at this line, at most 1.
    precision : float
        The same of the elements within the range of the dtype alone: the part that is in proportion to a dtype's `unit`.
    digits : float
        The decimal digits that cancelled, were absorbed or were lost in one call.
    kinds : tuple of str
        What was lost, of "nan", "overflow", "cancellation", "flip", "absorption", "underflow", "range" and "rounding".
    counts : dict
        The number of elements of each kind.
    first : int
        The number of the first call in the order of the program.
    last : float
        The relative error of the last result.
    nan, infinity : int
        The numbers of the first calls that made NaN or infinity of other numbers; 0 if none did.
    history : tuple of Moment
        The errors of the calls in their order; of many, the largest of several in succession.
    ranges : dict
        The `Range` of ``"operands"`` and of the ``"result"``.
    casts : bool
        Whether the function changes a dtype on request.
    """

    file: str
    line: int
    function: str
    operands: tuple[str, ...]
    dtype: str
    promotes: bool
    shape: tuple[int, ...]
    count: int
    introduced: float
    inherited: float
    ulps: float
    growth: float
    precision: float
    digits: float
    kinds: tuple[str, ...]
    counts: dict[str, int]
    first: int
    last: float
    nan: int
    infinity: int
    history: tuple[Moment, ...] = field(repr=False)
    ranges: dict[str, Range] = field(repr=False)
    casts: bool = False

    @property
    def unit(self) -> float:
        """The largest relative error of rounding to the dtype."""
        form = format_named(self.dtype)
        return 0.0 if form is None else form.unit

    @property
    def lost(self) -> float:
        """The share of the dtype's digits that were lost at this line, from 0 to 1; rows are sorted by it.

        Those that made NaN or infinities of finite numbers are the first.
        """
        form = format_named(self.dtype)
        return min(self.growth, 1.0) if form is None else digits_of(self.growth, form) / form.digits

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.function} of {self.dtype}: {', '.join(self.kinds) or 'exact'}"


@dataclass(slots=True)
class Found:
    """What was found in one result."""

    dtype: str
    shape: tuple[int, ...]
    errors: Errors
    operands: tuple[str, ...] = ()
    promotes: bool = False
    before: float = 0.0
    digits: float = 0.0
    kinds: dict[str, int] = field(default_factory=dict)
    nan: bool = False
    infinity: bool = False

    def count(self, kind: str, number: int) -> None:
        """Count elements with a kind of loss, if there are any."""
        if number:
            self.kinds[kind] = self.kinds.get(kind, 0) + number


def is_whole(count: int) -> bool:
    """Whether a large result counts whole, by the number of results of its line before: the first ones, later ever fewer."""
    return count < 3 or not count & (count - 1)


def is_measured(count: int) -> bool:
    """Whether a large result is measured: those that count whole; and others, if all is as before at some elements alone."""
    return is_whole(count) or not count % (16 if count < 256 else 64)


class _Spread:
    """The range of numbers, as it is found; counts are by the bits of the exponent in float64."""

    def __init__(self) -> None:
        self.lowest, self.highest, self.counts = np.inf, 0.0, np.zeros(0, np.int64)

    def add(self, x: Buffer) -> None:
        """Count numbers, or a sample of many."""
        sizes = np.abs(x.reshape(-1))
        most = np.maximum.reduce(sizes, initial=0.0)
        if not most < np.inf:
            sizes = sizes[np.isfinite(sizes)]
            most = np.maximum.reduce(sizes, initial=0.0)
        if not sizes.size:
            return
        flat = sizes[:: -(-sizes.size // SAMPLE)].astype(np.float64)
        counts = np.bincount(flat.view(np.int64) >> 52, minlength=self.counts.size)
        counts[: self.counts.size] += self.counts
        least = np.minimum.reduce(sizes) or np.minimum.reduce(sizes[sizes != 0], initial=np.inf)
        self.lowest, self.highest, self.counts = min(self.lowest, float(least)), max(self.highest, float(most)), counts

    @property
    def range(self) -> Range:
        counts = {int(i) - 1023 if i else LOWEST: int(self.counts[i]) for i in np.flatnonzero(self.counts)}
        return Range(self.lowest if self.highest else 0.0, self.highest, counts)


class Tally:
    """A row as it grows."""

    def __init__(self, key: tuple[str, int, str, str], first: int, exponents: int, *, casts: bool = False) -> None:
        self.key = key
        self.first = first
        self.casts = casts
        #: How many results there were, and the bits of the exponents by which it is seen that one is not finite.
        self.counts = np.asarray([0, exponents])
        self.worst = Found("", (), NO_ERRORS)
        self.sum = self.growth = self.sum_within = self.precision = self.last = 0.0
        self.nan = self.infinity = 0  #: the first calls that made them; what is not finite is not looked for after that
        self.shape: tuple[int, ...] = ()
        self.operands: tuple[str, ...] = ()
        self.promotes = False
        self.history: list[Moment] = []
        #: How many calls a moment is of, and the last call of the last one.
        self._every, self._ends = 1, 0
        self.ranges = {"operands": _Spread(), "result": _Spread()}

    @property
    def count(self) -> int:
        """How many results there were."""
        return int(self.counts[0])

    def spreads(self, size: int) -> bool:
        """Whether the range of this call, with a result of so many elements, counts."""
        return is_whole(self.count) if size > LARGE else self.count < _CALLS or self.count % 16 == 0

    def add(self, found: Found, call: int) -> None:
        """Count one result."""
        self.counts[0] += 1
        worst, errors, within = self.worst, found.errors, found.errors[2:4]
        most = worst.errors = Errors._make(map(max, worst.errors, errors))
        worst.digits = max(worst.digits, found.digits)
        for kind, number in found.kinds.items():
            worst.count(kind, number)
        self.sum, growth = _grown(self.sum, errors.introduced, errors.inherited, found.before, most.inherited)
        self.growth = max(self.growth, growth)
        self.sum_within, growth = _grown(self.sum_within, *within, found.before, most.inherited_within)
        self.precision = max(self.precision, growth)
        self.last, self.shape, self.operands = errors.inherited, found.shape, found.operands
        self.promotes = self.promotes or found.promotes
        self.nan = self.nan or (call if found.nan else 0)
        self.infinity = self.infinity or (call if found.infinity else 0)
        if self.nan or self.infinity:
            self.counts[1] = 0
        self._note(Moment(self.count, errors.introduced, errors.inherited))

    def _note(self, moment: Moment) -> None:
        """Add a moment to the history, as one of its own or to the last one."""
        if self.history and moment.call <= self._ends:
            self.history[-1] = self.history[-1].with_next(moment)
            return
        self.history.append(moment)
        self._ends = moment.call + self._every - 1
        if len(self.history) > _MOMENTS:
            pairs = zip_longest(self.history[::2], self.history[1::2])
            self.history = [one if other is None else one.with_next(other) for one, other in pairs]
            self._every *= 2

    def row(self) -> Row:
        """Return the row."""
        file, line, function, dtype = self.key
        worst = self.worst
        return Row(
            file, line, function, self.operands, dtype, self.promotes, self.shape, self.count, worst.errors.introduced,
            worst.errors.inherited, worst.errors.ulps, self.growth, self.precision, worst.digits,
            tuple(kind for kind in KINDS if kind in worst.kinds), dict(worst.kinds),
            self.first, self.last, self.nan, self.infinity, tuple(self.history),
            {name: spread.range for name, spread in self.ranges.items()}, self.casts,
        )  # fmt: skip


def _grown(sum_: float, introduced: float, inherited: float, before: float, most: float) -> tuple[float, float]:
    """Return what the calls of a line added to the errors of their operands, one more included, and the share of this one."""
    # What a loop adds to its own result step by step counts in sum, calls on new operands do not.
    step = min(inherited, 1.0) - min(before, 1.0)
    sum_ = max(sum_ + step, 0.0)
    return sum_, max(min(introduced, 1.0), step, min(sum_, most))


def order(row: Row) -> tuple[Any, ...]:
    """Sort rows: the worst first, of equal ones the earlier."""
    beyond = "nan" in row.kinds or "overflow" in row.kinds
    return (not beyond, -row.lost, -row.growth, -min(row.inherited, 1.0), row.first)


def digits_of(error: float, form: Format) -> float:
    """Return how many decimal digits of a dtype an error leaves wrong, beyond rounding."""
    if not error > form.unit:
        return 0.0
    return float(min(np.log10(error / form.unit), form.digits))
