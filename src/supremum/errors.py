"""The classes of exceptions that are the package's own.

NumPy, JAX and the standard library use different classes for some errors. These derive from each of them, so that code which
handles one of them handles ours.

Examples
--------
>>> import supremum as xp
>>> for kind in (ValueError, TypeError, xp.errors.ShapeError):  # NumPy's class, JAX's class, and both
...     try:
...         xp.ones(2) + xp.ones(3)
...     except kind as error:
...         print(error)
add: the shapes (2,) and (3,) cannot be broadcast together
add: the shapes (2,) and (3,) cannot be broadcast together
add: the shapes (2,) and (3,) cannot be broadcast together
"""

from supremum._base.exceptions import (
    DeletedArrayError,
    DtypeError,
    IndexShapeError,
    NoAttributeError,
    NotNumericError,
    OptionError,
    OutOfRangeError,
    ShapeError,
    TypePromotionError,
)
from supremum.promotion._lattice import LatticeError
from supremum.promotion.systems import UnknownSystemError

__all__ = [
    "DeletedArrayError", "DtypeError", "IndexShapeError", "LatticeError", "NoAttributeError", "NotNumericError", "OptionError",
    "OutOfRangeError", "ShapeError", "TypePromotionError", "UnknownSystemError",
]  # fmt: skip
