"""Define narrow floats: the number of each pattern of bits, and the pattern nearest to a real number.

This module uses neither ml_dtypes' arithmetic nor the package: it decodes bits in exact arithmetic of float64.
"""

from dataclasses import dataclass

import numpy as np

from supremum.promotion._nodes import NODES


@dataclass(frozen=True)
class Format:
    """A floating format: a sign, an exponent, a fraction, and special patterns."""

    name: str
    exponent: int
    fraction: int
    bias: int
    #: "ieee": the highest exponent is infinities and NaN; "fn": only all ones are NaN; "fnuz": only -0 is; "finite": none is
    special: str
    #: The result of an overflow.
    overflow: str

    @property
    def bits(self):
        return 1 + self.exponent + self.fraction

    @property
    def dtype(self):
        return NODES[self.name].dtype

    @property
    def codes(self):
        """Unsigned integers of the size of an element, one for every pattern."""
        return np.arange(1 << self.bits, dtype=f"u{self.dtype.itemsize}")

    @property
    def every(self):
        """An array of every pattern, as elements."""
        return self.codes.view(self.dtype)

    def decode(self):
        """Return the float64 number of every pattern."""
        codes = self.codes.astype(np.int64)
        sign = np.where(codes >> (self.bits - 1), -1.0, 1.0)
        exponent = (codes >> self.fraction) & ((1 << self.exponent) - 1)
        fraction = codes & ((1 << self.fraction) - 1)
        normal = exponent > 0
        significand = fraction + np.where(normal, 1 << self.fraction, 0)
        value = sign * significand * 2.0 ** (np.maximum(exponent, 1) - self.bias - self.fraction)
        magnitude = codes & ((1 << (self.bits - 1)) - 1)
        top = exponent == (1 << self.exponent) - 1
        if self.special == "ieee":
            value = np.where(top, np.where(fraction == 0, sign * np.inf, np.nan), value)
        elif self.special == "fn":
            value = np.where(magnitude == (1 << (self.bits - 1)) - 1, np.nan, value)
        elif self.special == "fnuz":
            value = np.where(codes == 1 << (self.bits - 1), np.nan, value)
        return value

    def nearest(self, exact, remainder=0.0):
        """Return the float64 value of the pattern nearest to each number, ties to even, or NaN by the dtype's rules.

        `remainder` is the sign of the difference between the exact number and its float64 value.
        """
        values = self.decode()
        half = 1 << (self.bits - 1)
        grid = values[:half][np.isfinite(values[:half])]  # by magnitude, which is also the order of their codes
        step = grid[-1] - grid[-2]
        # One more than the largest number: a number that rounds to it overflows.
        grid = np.append(grid, grid[-1] + step)
        magnitude = np.minimum(np.abs(exact), grid[-1])
        above = np.searchsorted(grid, magnitude)
        above = np.clip(above, 1, len(grid) - 1)
        low, high = grid[above - 1], grid[above]
        middle = low + (high - low) / 2
        toward = np.sign(remainder) * np.sign(np.where(exact == 0, 1, exact))
        up = (magnitude > middle) | ((magnitude == middle) & ((toward > 0) | ((toward == 0) & (above % 2 == 0))))
        index = np.where(up, above, above - 1)
        over = (index == len(grid) - 1) & ~np.isnan(exact)
        result = np.copysign(grid[index], exact)
        if self.special == "fnuz":
            result = np.where(result == 0, 0.0, result)
        limit = {"inf": np.inf, "nan": np.nan, "saturate": grid[-2]}[self.overflow]
        result = np.where(over, np.copysign(limit, exact), result)
        if self.special == "finite":
            return np.where(np.isnan(exact), np.nan, result)
        return np.where(np.isnan(exact), np.nan, np.where(np.isinf(exact) & (self.overflow == "nan"), np.nan, result))


FORMATS = {
    each.name: each
    for each in (
        Format("bfloat16", 8, 7, 127, "ieee", "inf"),
        Format("float16", 5, 10, 15, "ieee", "inf"),
        Format("float8_e3m4", 3, 4, 3, "ieee", "inf"),
        Format("float8_e4m3", 4, 3, 7, "ieee", "inf"),
        Format("float8_e5m2", 5, 2, 15, "ieee", "inf"),
        Format("float8_e4m3fn", 4, 3, 7, "fn", "nan"),
        Format("float8_e4m3fnuz", 4, 3, 8, "fnuz", "nan"),
        Format("float8_e4m3b11fnuz", 4, 3, 11, "fnuz", "nan"),
        Format("float8_e5m2fnuz", 5, 2, 16, "fnuz", "nan"),
        Format("float6_e2m3fn", 2, 3, 1, "finite", "saturate"),
        Format("float6_e3m2fn", 3, 2, 3, "finite", "saturate"),
        Format("float4_e2m1fn", 2, 1, 1, "finite", "saturate"),
    )
    if each.name in NODES
}


def same(result, expected):
    """Return where an array differs from float64 numbers; signs of zeros count, signs of NaN do not."""
    with np.errstate(all="ignore"):
        got = np.asarray(result).astype(np.float32).astype(np.float64)
    both_nan = np.isnan(got) & np.isnan(expected)
    return both_nan | ((got == expected) & (np.signbit(got) == np.signbit(expected)))


def describe(wrong, *columns):
    """Return the first few rows of a table with errors, for an assertion message."""
    rows = np.flatnonzero(wrong)[:5]
    return f"{np.count_nonzero(wrong)} differ, e.g. " + "; ".join(
        ", ".join(repr(float(np.asarray(column)[row])) for column in columns) for row in rows
    )
