# Types of `jax.custom_derivatives`; at run time the module is made of the table of names.
from typing import Any

from supremum.jax._derivatives import (
    closure_convert as closure_convert,
    custom_gradient as custom_gradient,
    custom_jvp as custom_jvp,
    custom_vjp as custom_vjp,
)
from supremum.jax.lax import custom_linear_solve as custom_linear_solve, custom_root as custom_root

def __getattr__(name: str) -> Any: ...
