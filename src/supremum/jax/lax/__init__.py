"""The functions of ``jax.lax``, run at once.

Their promotion is strict: operands have one dtype, and a Python scalar is of the default dtype of its kind. Other operands
are a TypeError, as in JAX.

Examples
--------
>>> from supremum.jax import lax
>>> lax.fori_loop(0, 4, lambda i, total: total + i, 0)
Array(6, dtype=int32, weak_type=True)
"""

from typing import Any

from supremum.jax import _absent
from supremum.jax.lax import linalg as linalg
from supremum.jax.lax._collectives import *
from supremum.jax.lax._control import *
from supremum.jax.lax._convolution import *
from supremum.jax.lax._elementwise import *
from supremum.jax.lax._elementwise import BINARY as _BINARY, UNARY as _UNARY
from supremum.jax.lax._others import *
from supremum.jax.lax._products import *
from supremum.jax.lax._reductions import *
from supremum.jax.lax._shapes import *
from supremum.jax.lax._slicing import *

globals().update(_UNARY)
globals().update(_BINARY)
__all__ = sorted(name for name in list(globals()) if not name.startswith("_") and name not in ("Any", "BINARY", "UNARY"))


def __getattr__(name: str) -> Any:
    return _absent.find("jax.lax", name)


def __dir__() -> list[str]:
    return sorted([*__all__, *_absent.absent_names("jax.lax")])
