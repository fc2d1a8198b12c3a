# Types of `jax.ad_checkpoint`; at run time the module is made of the table of names.
from typing import Any

from supremum.jax._checkpointing import (
    Offloadable as Offloadable,
    Recompute as Recompute,
    Saveable as Saveable,
    checkpoint as checkpoint,
    checkpoint_name as checkpoint_name,
    checkpoint_policies as checkpoint_policies,
    print_saved_residuals as print_saved_residuals,
    remat as remat,
)

def __getattr__(name: str) -> Any: ...
