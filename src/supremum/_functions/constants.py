"""Mathematical constants, special values and `newaxis`."""

from __future__ import annotations

import math
from typing import Final

__all__ = ["e", "euler_gamma", "inf", "nan", "newaxis", "pi"]

#: Euler's number.
e: Final = math.e
#: The Euler-Mascheroni constant.
euler_gamma: Final = 0.5772156649015329
#: Positive infinity.
inf: Final = math.inf
#: Not a number.
nan: Final = math.nan
#: An index that inserts an axis of length 1.
newaxis: Final = None
#: The ratio of a circle's circumference to its diameter.
pi: Final = math.pi
