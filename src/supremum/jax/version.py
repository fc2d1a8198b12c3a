"""The version of JAX whose names these are."""

from __future__ import annotations

__all__ = ["__version__", "__version_info__"]

__version__ = "0.10.2"
__version_info__ = (0, 10, 2)
