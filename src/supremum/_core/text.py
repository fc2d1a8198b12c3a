"""The representation of arrays, as in JAX."""

from __future__ import annotations

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.key_dtype import KEY_DTYPE, KEY_WORDS
from supremum._base.silence import without_float_warnings

__all__ = ["array_repr"]


def array_repr(data: Buffer, *, weak: bool) -> str:
    """Return a text such as ``Array([0, 2], dtype=int8)``, wrapped at NumPy's line width."""
    if data.dtype == KEY_WORDS:
        words = np.ascontiguousarray(data).reshape(*data.shape, 1).view(np.uint32)
        return f"Array({data.shape}, dtype={KEY_DTYPE}) overlaying:\n{words}"
    prefix = "Array("
    width = np.get_printoptions()["linewidth"]
    tail = f"dtype={data.dtype.name}{', weak_type=True' if weak else ''})"
    if data.size == 0:
        body = f"[], shape={data.shape}"
    else:
        # A formatter is user code, so it runs under the user's error state.
        write = np.array2string if np.get_printoptions()["formatter"] else without_float_warnings(np.array2string)
        body = write(data, prefix=prefix, suffix=",", separator=", ", max_line_width=width)
    last_line = len(body) - body.rfind("\n") + 1
    gap = " " * len(prefix) if last_line + len(tail) + 1 > width else " "
    return f"{prefix}{body},{gap}{tail}"
