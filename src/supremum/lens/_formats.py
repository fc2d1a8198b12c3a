"""What the lens knows of a floating dtype: the unit of its last place and its range, and the exponents of numbers."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from ml_dtypes import finfo

from supremum._base.buffers import Buffer
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES, Node

#: The exponent under which zeros are counted, and numbers so small that float64 has fewer digits of them.
LOWEST: Final = -1100
#: The bits of the exponent in float64.
_EXPONENT: Final = 0x7FF0_0000_0000_0000


class Format(NamedTuple):
    """A floating dtype: its name, bits of the significand, and range."""

    name: str
    #: Bits of the significand, the leading one included.
    bits: int
    #: The largest number.
    largest: float
    #: Half of the distance from 1 to the next number: the largest relative error of rounding.
    unit: float
    #: The number from which rounding overflows.
    limit: float
    #: The smallest normal number and the smallest number.
    normal: float
    smallest: float

    @property
    def digits(self) -> float:
        """The number of decimal digits."""
        return float(self.bits * np.log10(2.0))


@cache
def format_of(node: Node) -> Format:
    """Return the format of a floating node; of a complex one, that of its parts."""
    real = node.real.strong
    about: Any = finfo(real.dtype)
    bits = int(about.nmant) + 1
    # float8_e8m0fnu has powers of two alone, and no number for which `finfo` gives 0.
    normal = float(about.smallest_normal) or 2.0 ** int(about.minexp)
    smallest = float(about.smallest_subnormal) or normal
    largest, unit = float(about.max), 2.0**-bits
    half = float(np.ldexp(unit, np.frexp(largest)[1] - 1))  # of the last place of the largest number
    return Format(real.name, bits, largest, unit, min(largest + half, np.finfo(np.float64).max), normal, smallest)


@cache
def exponents_of(node: Node) -> int:
    """Return the bits of the exponent in each number of 8 bytes, which infinity and NaN have; 0 where those have others."""
    infinity = cast(np.full(1, np.inf), node.real.strong).tobytes() if node.kind in "fc" else b"\0"
    sign = 1 << 8 * len(infinity) - 1
    return (int.from_bytes(infinity, sys.byteorder) & (sign - 1)) * ((2**64 - 1) // (2 * sign - 1))


def format_named(name: str) -> Format | None:
    """Return the format of a dtype by its name; None if it is not floating."""
    node = NODES.get(name)
    return format_of(node) if node is not None and node.kind in "fc" else None


def holds(form: Format, other: Format) -> bool:
    """Return whether a format has all numbers of another one."""
    return form.bits >= other.bits and form.limit >= other.limit and form.smallest <= other.smallest


def last_place(x: Buffer, form: Format) -> Buffer:
    """Return the unit in the last place of a dtype at real numbers that are finite."""
    # With the bits of the significand cleared.
    powers = (np.asarray(x, np.float64).view(np.int64) & _EXPONENT).view(np.float64)
    return np.maximum(powers * (2 * form.unit), form.smallest)
