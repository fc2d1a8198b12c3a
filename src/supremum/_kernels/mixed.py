"""Apply a ufunc to large operands of mixed dtypes, without a temporary of their size.

A cast of a whole operand is fast and takes a temporary; NumPy's cast block by block within the ufunc takes a third more time.
If the result has the dtype that is computed in, the operand is cast into the buffer of the result, which needs no temporary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels.casts import cast

if TYPE_CHECKING:
    from supremum.promotion._nodes import Node

__all__ = ["apply_mixed"]


def apply_mixed(ufunc: np.ufunc, a: Buffer, b: Buffer, compute: Node, result: Node) -> Any:
    """Apply a ufunc to operands cast to the dtype of `compute`; the result has the dtype of `result`."""
    loop = compute.dtype
    if a.shape != b.shape:
        shape = np.broadcast_shapes(a.shape, b.shape)
        # A broadcast operand is smaller than the result; within the ufunc it would be cast repeatedly.
        if a.shape != shape:
            a = cast(a, compute)
        if b.shape != shape:
            b = cast(b, compute)
    if result.dtype != loop:
        return ufunc(a, b, signature=(loop, loop, None), casting="unsafe")
    if a.dtype != loop:
        a = out = cast(a, compute)
    elif b.dtype != loop:
        b = out = cast(b, compute)
    else:
        return ufunc(a, b)
    return ufunc(a, b, out) if a.dtype == b.dtype else ufunc(a, b, out, signature=(loop, loop, None), casting="unsafe")
