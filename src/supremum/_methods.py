"""The methods of `Array` that are functions of the namespace under another spelling."""

from __future__ import annotations

__all__ = ["Methods"]


class Methods:
    """Base of `Array`."""

    __slots__ = ()
