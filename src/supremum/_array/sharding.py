"""JAX's descriptions of the parts of a distributed array, of which ours have one, and of an array without its values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from supremum._core.array import Array

__all__ = ["CPU", "Device", "ShapedArray", "Shard", "Sharding"]


class Device(str):
    """The only device: the name "cpu", with the attributes of JAX's devices."""

    __slots__ = ()

    id: Final = 0
    process_index: Final = 0
    host_id: Final = 0
    platform: Final = "cpu"
    device_kind: Final = "cpu"
    local_hardware_id: Final = 0

    def memory_stats(self) -> None:
        """Return None: nothing is counted."""

    def __repr__(self) -> str:
        return "CpuDevice(id=0)"


CPU: Final = Device("cpu")


@dataclass(frozen=True, slots=True)
class Shard:
    """The only part of an array, in the form of JAX's parts of distributed arrays."""

    device: Device
    index: tuple[slice, ...]
    replica_id: int
    data: Array


class Sharding(NamedTuple):
    """The distribution of an array over devices: it is on one."""

    device: Device = CPU
    memory_kind: str = "device"
    is_fully_addressable: bool = True
    is_fully_replicated: bool = True

    @property
    def device_set(self) -> set[Device]:
        """The devices that hold the array."""
        return {Device(self.device)}

    def __repr__(self) -> str:
        return f"SingleDeviceSharding(device={self.device!r}, memory_kind={self.memory_kind})"

    @property
    def num_devices(self) -> int:
        """How many devices hold the array."""
        return 1


class ShapedArray(NamedTuple):
    """The shape and the dtype of an array, without its values."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    weak_type: bool

    def __repr__(self) -> str:
        weak = ", weak_type=True" if self.weak_type else ""
        return f"ShapedArray({self.dtype.name}[{','.join(map(str, self.shape))}]{weak})"
