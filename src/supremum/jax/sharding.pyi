# Types of `jax.sharding`; at run time the module is made of the table of names.
from typing import Any

from supremum._array.sharding import (
    AbstractMesh as AbstractMesh,
    AxisType as AxisType,
    Mesh as Mesh,
    NamedSharding as NamedSharding,
    PartitionSpec as PartitionSpec,
    Shard as Shard,
    Sharding as Sharding,
)
from supremum.jax._mesh import (
    auto_axes as auto_axes,
    explicit_axes as explicit_axes,
    get_abstract_mesh as get_abstract_mesh,
    get_mesh as get_mesh,
    reshard as reshard,
    set_mesh as set_mesh,
)

P = PartitionSpec
AbstractDevice: Any
ManualAxisType: Any

def __getattr__(name: str) -> Any: ...
