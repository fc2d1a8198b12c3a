"""The functions of ``jax.lax``, run at once.

Their promotion is strict: operands have one dtype, and a Python scalar is of the default dtype of its kind. Other operands
are a TypeError, as in JAX.

Examples
--------
>>> from supremum.jax import lax
>>> lax.fori_loop(0, 4, lambda i, total: total + i, 0)
Array(6, dtype=int32, weak_type=True)
"""

from importlib import import_module
from types import FunctionType
from typing import Any

from supremum.jax import _modules
from supremum.jax._casting import public
from supremum.jax.lax import (
    _branches,
    _collectives,
    _control,
    _convolution,
    _dot_products as _products,
    _elementwise,
    _others,
    _reductions,
    _rules as _rules,
    _shapes,
    _slicing,
)

_MODULES = (
    _branches, _collectives, _control, _convolution, _elementwise, _others, _products, _reductions, _shapes, _slicing,
)  # fmt: skip
#: What only these modules use.
_HELPERS = ("as_arrays", "dilated", "padded")


def _is_own(name: str, found: Any, home: str) -> bool:
    return getattr(found, "__module__", "") in (home, __name__) and not name.startswith("_") and name not in _HELPERS


_NAMES: dict[str, Any] = {
    name: found for module in _MODULES for name, found in vars(module).items() if _is_own(name, found, module.__name__)
} | _elementwise.FUNCTIONS
#: Functions that call functions of the program, and those of lengths and types alone: no operand takes them over.
_OWN = (
    *vars(_branches), *vars(_collectives), *vars(_control),
    "broadcast_shapes", "composite", "conv_dimension_numbers", "dtype", "padtype_to_pads",
)  # fmt: skip
_NAMES = {
    name: public(found) if isinstance(found, FunctionType) and name not in _OWN else found for name, found in _NAMES.items()
}
globals().update(_NAMES)
__all__ = sorted([*_NAMES, *_modules.names("jax.lax", ("enum", "record", "typing")), "linalg"])


_find = _modules.finder("jax.lax")


def __getattr__(name: str) -> Any:
    return import_module(f"{__name__}.linalg") if name == "linalg" else _find(name)


def __dir__() -> list[str]:
    return sorted([*__all__, *_modules.names("jax.lax")])
