"""The names of ``jax.sharding``: how arrays lie on devices, of which there is one."""

from __future__ import annotations

import enum
from typing import Any

from supremum._array.sharding import CPU, Device, Shard as Shard, Sharding as Sharding
from supremum.jax import _absent

__all__ = ["AxisType", "NamedSharding", "P", "PartitionSpec", "Shard", "Sharding", "SingleDeviceSharding"]


class AxisType(enum.Enum):
    """How an axis of a mesh of devices is treated."""

    Auto = enum.auto()
    Explicit = enum.auto()
    Manual = enum.auto()


class PartitionSpec(tuple[Any, ...]):
    """Which axes of devices the axes of an array are spread over; a tuple."""

    __slots__ = ()

    def __new__(cls, *partitions: Any) -> PartitionSpec:  # noqa: PYI034 - a tuple
        """Make a specification of one entry for each axis."""
        return super().__new__(cls, partitions)

    def __repr__(self) -> str:
        return f"P({', '.join(map(repr, self))})"


P = PartitionSpec


class SingleDeviceSharding(Sharding):
    """The whole array on one device."""

    __slots__ = ()

    def __new__(cls, device: Any = CPU, *, memory_kind: str | None = None) -> SingleDeviceSharding:  # noqa: PYI034 - a tuple
        """Place an array on a device."""
        return super().__new__(cls, Device(device), memory_kind or "device")


class NamedSharding:
    """An array over a mesh of devices; it cannot be made, as there is no mesh."""

    def __init__(self, mesh: Any, spec: Any, **_options: object) -> None:
        raise NotImplementedError(
            "jax.sharding.NamedSharding: it needs several devices, and supremum has one, the CPU; JAX runs the same script"
        )


def __getattr__(name: str) -> Any:
    return _absent.find("jax.sharding", name)
