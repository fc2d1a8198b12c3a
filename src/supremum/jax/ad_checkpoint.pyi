# Types of `jax.ad_checkpoint`; at run time the module is made of the table of names.
from typing import Any

from supremum.jax._api import checkpoint_policies as checkpoint_policies
from supremum.jax._derivatives import checkpoint as checkpoint, remat as remat

def __getattr__(name: str) -> Any: ...
