"""The names of ``jax.dtypes``."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

import supremum as xp
from supremum import TypePromotionError as TypePromotionError, bfloat16 as bfloat16, finfo as finfo, iinfo as iinfo
from supremum._core.settings import state
from supremum.dtypes import extended as extended, issubdtype as issubdtype, prng_key as prng_key, result_type as result_type
from supremum.jax import _modules
from supremum.promotion._nodes import as_node

__all__ = [
    "TypePromotionError", "bfloat16", "canonicalize_dtype", "extended", "finfo", "float0", "iinfo", "issubdtype",
    "itemsize_bits", "prng_key", "result_type", "scalar_type_of",
]  # fmt: skip

#: The dtype of derivatives of integers: no elements.
float0: Final = np.dtype([("float0", np.void, 0)])


def canonicalize_dtype(dtype: Any, allow_extended_dtype: bool = False) -> Any:
    """Return the dtype of arrays for which a dtype is requested."""
    if allow_extended_dtype and isinstance(dtype, type(prng_key)):
        return dtype
    if any(dtype is kind for kind in (bool, int, float, complex)):
        return xp.asarray(dtype()).dtype
    return state().truncate(as_node(dtype)).dtype


def itemsize_bits(dtype: Any) -> int:
    """Return the width of a dtype in bits."""
    if dtype is None:
        raise ValueError("itemsize_bits: dtype cannot be None.")
    node = as_node(dtype)
    return 8 if node.kind == "b" else node.bits


def scalar_type_of(x: Any) -> type:
    """Return the Python type of the elements of an array or scalar."""
    kind = xp.asarray(x)._node.kind
    return {"b": bool, "i": int, "u": int, "f": float, "c": complex}[kind]


__getattr__ = _modules.finder("jax.dtypes")
