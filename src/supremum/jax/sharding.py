"""The names of ``jax.sharding``: how arrays lie on devices, of which there is one."""

from __future__ import annotations

from typing import Any

from supremum._array.sharding import (
    CPU,
    AbstractDevice as AbstractDevice,
    AbstractMesh as AbstractMesh,
    AxisType as AxisType,
    Device,
    ManualAxisType as ManualAxisType,
    Mesh as Mesh,
    NamedSharding as NamedSharding,
    PartitionSpec as PartitionSpec,
    Shard as Shard,
    Sharding as Sharding,
)
from supremum.jax import _modules
from supremum.jax._mesh import (
    auto_axes as auto_axes,
    explicit_axes as explicit_axes,
    get_abstract_mesh as get_abstract_mesh,
    get_mesh as get_mesh,
    reshard as reshard,
    set_mesh as set_mesh,
    use_abstract_mesh as use_abstract_mesh,
)

__all__ = [
    "AbstractDevice", "AbstractMesh", "AxisType", "ManualAxisType", "Mesh", "NamedSharding", "P", "PartitionSpec", "Shard",
    "Sharding", "SingleDeviceSharding", "auto_axes", "explicit_axes", "get_abstract_mesh", "get_mesh",
    "make_single_device_sharding", "reshard", "set_mesh", "use_abstract_mesh",
]  # fmt: skip

P = PartitionSpec


class SingleDeviceSharding(Sharding):
    """The whole array on one device."""

    def __init__(self, device: Any = CPU, *, memory_kind: str | None = None) -> None:
        super().__init__(Device(device), memory_kind or "device")


make_single_device_sharding = SingleDeviceSharding


def __getattr__(name: str) -> Any:
    return _modules.find("jax.sharding", name)
