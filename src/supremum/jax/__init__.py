"""A package that looks like ``jax`` to a program, so that programs that need no compiler run without JAX.

``python -m supremum run script.py`` runs a script that imports `jax`; `install` does the same in a notebook. Both set JAX's
settings for the process, once: ``x64="off"``, ``mutable=False`` and ``out_of_range="clip"``. Importing this package or one of
its modules changes no setting.

Nothing is compiled: `jit` and the loops of `lax` record functions, and the engine runs what these called; `vmap`, `grad` and
theirs call them with operands that hold batches, tangents or tapes. Names that need a compiler or several devices are there
and raise `NotImplementedError` when they are called.

Examples
--------
>>> from supremum import jax
>>> jax.vmap(lambda x, y: x * y, in_axes=(0, None))(jax.lax.iota("int32", 3), 2)
Array([0, 2, 4], dtype=int32)
"""

from importlib import import_module
from typing import Any

from supremum import Array as Array, config as config, enable_x64 as enable_x64, numpy_dtype_promotion as numpy_dtype_promotion
from supremum.jax import _modules
from supremum.jax.version import __version__ as __version__, __version_info__ as __version_info__

__all__ = sorted([
    *_modules.names("jax", "."), "Array", "NamedSharding", "P", "Shard", "config", "enable_x64", "numpy_dtype_promotion",
    "debug", "dtypes", "errors", "experimental", "lax", "nn", "numpy", "random", "scipy", "sharding", "tree", "tree_util",
    "typing",
])  # fmt: skip
_modules.make_modules()
_find = _modules.finder("jax")


def __getattr__(name: str) -> Any:
    return import_module(f"{__name__}.{name}") if f"jax.{name}" in _modules.FILES else _find(name)


def __dir__() -> list[str]:
    modules = [name.split(".") for name in (*_modules.MADE, *_modules.FILES)]
    return sorted({*__all__, *(parts[1] for parts in modules if parts[0] == "jax" and parts[1:]), *_modules.names("jax")})
