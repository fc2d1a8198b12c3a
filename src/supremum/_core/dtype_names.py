"""The names of dtypes, which type checkers know one by one, from `dtype_names.pyi`: a misspelt one is an error."""

from typing import Any, Final, Literal

from supremum.promotion._nodes import ROWS

#: NumPy's further names of dtypes, and those of Python's types.
_OTHERS: Final = "int float complex half single double b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16"

#: A `str` that a program computes is not one of them: pass ``xp.dtype(name)``.
DTypeName: Any = Literal[(*ROWS, *_OTHERS.split())]
