"""The namespace under the name of ``jax.numpy``, with JAX's names alone.

Importing it changes no setting. `supremum.jax.install` and ``python -m supremum run`` set those of JAX for the process: no
64-bit dtypes unless requested, immutable arrays, and indices that are clipped to their range.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from supremum import _names

if TYPE_CHECKING:
    from supremum import *

# Under these names `import` would look for files.
sys.modules.update({f"{__name__}.{name}": import_module(f"supremum.{name}") for name in ("fft", "linalg")})

#: Names of the namespace that ``jax.numpy`` does not have.
_OWN: Final = frozenset((
    "Array", "TypePromotionError", "__array_api_versions__", "__version__", "bcomplex32", "complex32", "config", "dtypes",
    "enable_x64", "errors", "explain", "forbid", "io", "jax", "lib", "nn", "numpy", "numpy_dtype_promotion",
    "promotion", "random", "savez_compressed", "scipy", "testing", "trace_promotions",
))  # fmt: skip
#: Where the names are that differ from those of the namespace: `vectorize` maps by `vmap`, limits are NumPy's scalars.
_HOMES: Final = {"vectorize": "supremum.jax._vmap", "finfo": "supremum.jax._values"}
__all__ = [name for name in _names.all_names() if name not in _OWN]


def __getattr__(name: str) -> Any:
    if name in _OWN or (name.startswith("__") and name not in ("__array_api_version__", "__array_namespace_info__")):
        raise AttributeError(f"module 'jax.numpy' has no attribute {name!r}", name=name)
    found = globals()[name] = getattr(import_module(_HOMES.get(name, "supremum")), name)
    return found


def __dir__() -> list[str]:
    return sorted([*__all__, "fft", "linalg"])
