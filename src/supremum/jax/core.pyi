# Types of `jax.core`; at run time the module is made of the table of names.
from typing import Any

from supremum._array.sharding import AbstractValue as AbstractValue, ShapedArray as ShapedArray
from supremum.jax import _api
from supremum.jax._batching import Tracer as Tracer

get_aval = _api.typeof

def __getattr__(name: str) -> Any: ...
