# Types of `jax.profiler`; at run time the module is made of the table of names.
from typing import Any

def __getattr__(name: str) -> Any: ...
