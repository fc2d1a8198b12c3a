"""The type of buffers: NumPy arrays of a dtype and shape that are not known before run time."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["Buffer"]

# build_core.py replaces this line, to the letter, where it compiles.
Buffer = np.ndarray[Any, Any]
