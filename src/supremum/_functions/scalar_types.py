"""The scalar types, which are callable and are accepted as dtypes, and NumPy's abstract types.

The module has no functions, because `bool` and others shadow Python's names. Type checkers read `scalar_types.pyi`.
"""

# ruff: noqa: F822 - all names are made of tables
from __future__ import annotations

import numpy as np

from supremum._core.dtype_objects import scalar_types as _types

#: The names besides those of dtypes, which the table of these gives.
__all__ = [
    "ComplexWarning", "bool_", "cdouble", "character", "complex_", "complexfloating", "csingle", "double", "dtype", "flexible",
    "float_", "floating", "generic", "inexact", "int_", "integer", "number", "object_", "signedinteger", "single", "uint",
    "unsignedinteger",
]  # fmt: skip
#: JAX's aliases, which have the same width in every mode.
_ALIASES = {
    "bool_": "bool", "int_": "int64", "uint": "uint64", "float_": "float64", "complex_": "complex128", "single": "float32",
    "double": "float64", "csingle": "complex64", "cdouble": "complex128",
}  # fmt: skip

# The class of `x.dtype`, the abstract types and the warning are NumPy's own, as in JAX.
for _name in __all__:
    globals()[_name] = _types[_ALIASES[_name]] if _name in _ALIASES else getattr(np, _name, np.exceptions.ComplexWarning)
globals().update(_types)
__all__ += list(_types)
