"""Linear algebra functions of the main namespace."""

from __future__ import annotations

from typing import Any

import numpy as np

from supremum._array import Array, wrap
from supremum._config import state
from supremum._conversion import as_array
from supremum._types import is_native
from supremum.promotion._nodes import CATALOGUE

__all__ = ["matmul"]


def matmul(x1: Any, x2: Any, /) -> Array:
    """Multiply matrices.

    Parameters
    ----------
    x1, x2 : Array
        Matrices, stacks of them, or vectors.

    Returns
    -------
    Array
        The product.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.matmul(xp.ones((2, 3)), xp.ones(3))
    Array([3., 3.], dtype=float32)
    """
    a, b = as_array(x1), as_array(x2)
    node = state().join(a._node, b._node)
    for position, x in enumerate((a, b)):
        if not x.ndim:
            msg = f"matmul: operand {position} must have at least 1 dimension, got a 0-d array"
            raise ValueError(msg)
    wide = node.dtype if is_native(node) else np.dtype(np.float32 if node.kind == "f" else np.int32)
    try:
        product = np.matmul(a._data.astype(wide, copy=False), b._data.astype(wide, copy=False))
    except ValueError:
        msg = f"matmul: the shapes {a.shape} and {b.shape} do not match"
        raise ValueError(msg) from None
    return wrap(np.asarray(product).astype(node.dtype, copy=False), node if not node.weak else CATALOGUE[node.dtype.name])
