"""The module of ``numpy.lib`` that other libraries look for in a namespace."""

from supremum.lib import stride_tricks

__all__ = ["stride_tricks"]
