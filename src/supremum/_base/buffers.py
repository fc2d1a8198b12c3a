"""Buffers: NumPy arrays of a dtype and shape that are not known before run time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from supremum._base.native import native

Buffer = np.ndarray[Any, Any]
#: Make a buffer whose elements are to be written. The engine takes large ones from memory that was used before.
empty: Final[Callable[[Sequence[int], np.dtype[Any]], Buffer]] = np.empty if native is None else native.empty
