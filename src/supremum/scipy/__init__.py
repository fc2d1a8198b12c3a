"""The modules of ``jax.scipy``: each is imported when it is first used, and SciPy when a function needs it."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from supremum._base.boundary import traceless

if TYPE_CHECKING:
    from supremum.scipy import (  # isort: skip
        cluster, fft, integrate, interpolate, linalg, ndimage, optimize, signal, sparse, spatial, special, stats,
    )  # fmt: skip

__all__ = [
    "cluster", "fft", "integrate", "interpolate", "linalg", "ndimage", "optimize", "signal", "sparse", "spatial", "special",
    "stats",
]  # fmt: skip


@traceless
def __getattr__(name: str) -> Any:
    if name in __all__:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)


__dir__ = __all__.copy  # which `dir` sorts
