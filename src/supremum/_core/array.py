"""`Array`: the class of the engine, and what the engine needs from the package when operands are not plain.

The engine in C computes what is plain by itself; the hooks of this module do the rest, and raise the errors. The methods are
attached by `supremum._array`, a higher package; `array.pyi` has them for type checkers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from supremum._core.engine import Array, wrap
from supremum._kernels.bit_patterns import byteswapped, canonical
from supremum.promotion._nodes import KEY, NODES, node_of_dtype


def _rebuild(data: np.ndarray[Any, Any], weak: bool, name: str | None = None) -> Array:
    """Return the array of a pickle; the data of an ml_dtypes dtype are pickled as unsigned integers, with the dtype's name."""
    node = node_of_dtype(data.dtype) if name is None else KEY if name == KEY.name else NODES.get(name)
    if node is None:
        raise TypeError(f"cannot unpickle an Array of dtype {name or data.dtype}, which this installation does not have")
    if not data.dtype.isnative:  # the pickle is of a processor of the other byte order
        data = byteswapped(data, node)
    return wrap(canonical(data, node), node.weak_form if weak else node)
