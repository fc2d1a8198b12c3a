"""The type of buffers: NumPy arrays of a dtype and shape that are not known before run time."""

from __future__ import annotations

from typing import Any

import numpy as np

Buffer = np.ndarray[Any, Any]
