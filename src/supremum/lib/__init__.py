"""The one module of ``numpy.lib`` that other libraries ask a namespace for."""

from supremum.lib import stride_tricks

__all__ = ["stride_tricks"]
