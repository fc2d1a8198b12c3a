"""JAX's descriptions of arrays: how they lie on devices, of which there is one, and their shapes and dtypes without values."""

from __future__ import annotations

import collections
import contextlib
import enum
import math
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from supremum._base.exceptions import describe
from supremum._core.array import Array
from supremum.promotion._nodes import as_node

_SEVERAL: Final = "it needs several devices, and supremum has one, the CPU; JAX runs the same script"
#: The dtype of derivatives of integers: no elements.
_FLOAT0: Final = np.dtype([("float0", np.void, 0)])


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


class _Keyed:
    """What is equal to others of the same key."""

    __slots__ = ()

    def _key(self) -> tuple[object, ...]:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


class Sharding(_Keyed):
    """The distribution of an array over devices: it is on one."""

    is_fully_addressable: Final = True
    is_fully_replicated: Final = True

    def __init__(self, device: Device = CPU, memory_kind: str = "device") -> None:
        self.device = device
        self.memory_kind = memory_kind

    @property
    def device_set(self) -> set[Device]:
        """The devices that hold the array."""
        return {Device(self.device)}

    addressable_devices = device_set

    @property
    def num_devices(self) -> int:
        """How many devices hold the array."""
        return 1

    def shard_shape(self, global_shape: Any) -> tuple[int, ...]:
        """Return the shape of the only part of an array."""
        return tuple(global_shape)

    def devices_indices_map(self, global_shape: Any) -> dict[Device, tuple[slice, ...]]:
        """Return the indices of the only part of an array, by its device."""
        return {CPU: tuple(slice(None) for _ in global_shape)}

    addressable_devices_indices_map = devices_indices_map

    def is_equivalent_to(self, other: Sharding, ndim: int) -> bool:
        """Return whether arrays lie in the same place."""
        return self.memory_kind == other.memory_kind

    def with_memory_kind(self, kind: str) -> Sharding:
        """Return the same distribution in another memory."""
        return type(self)(self.device, memory_kind=kind)

    def _key(self) -> tuple[object, ...]:
        return "one device", str(self.device), self.memory_kind

    def __repr__(self) -> str:
        return f"SingleDeviceSharding(device={self.device!r}, memory_kind={self.memory_kind})"


# -- specifications ---


class AxisType(enum.Enum):
    """How an axis of a mesh of devices is treated."""

    Auto = enum.auto()
    Explicit = enum.auto()
    Manual = enum.auto()

    def __repr__(self) -> str:
        return self.name


class _Unconstrained:
    """The entry of an axis that may be spread over any devices."""

    def __repr__(self) -> str:
        return "UNCONSTRAINED"

    def __reduce__(self) -> str:
        return "_UNCONSTRAINED"


_UNCONSTRAINED: Final = _Unconstrained()


def _entry(x: Any) -> Any:
    if not isinstance(x, tuple | list):
        return x
    return None if not x else x[0] if len(x) == 1 else tuple(x)


class PartitionSpec(_Keyed):
    """Which axes of devices the axes of an array are spread over: one entry for each axis.

    An entry is None, the name of an axis of a mesh, or a tuple of those. Specifications are leaves of trees.
    """

    __slots__ = ("partitions", "reduced", "unreduced")
    UNCONSTRAINED: Final = _UNCONSTRAINED

    def __init__(self, *partitions: Any, unreduced: Any = frozenset(), reduced: Any = frozenset()) -> None:
        self.partitions = tuple(map(_entry, partitions))
        self.unreduced, self.reduced = frozenset(unreduced), frozenset(reduced)

    def _key(self) -> tuple[Any, ...]:
        return self.partitions, self.unreduced, self.reduced

    def __repr__(self) -> str:
        words = [f"{name}={set(getattr(self, name))!r}" for name in ("unreduced", "reduced") if getattr(self, name)]
        entries = repr(self.partitions)[1:-1]
        return f"P({', '.join(filter(None, [entries.removesuffix(',') if words else entries, *words]))})"

    def __len__(self) -> int:
        return len(self.partitions)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.partitions)

    def __getitem__(self, i: Any) -> Any:
        return self.partitions[i]

    def __add__(self, other: Any) -> PartitionSpec:
        return PartitionSpec(*self, *other) if isinstance(other, PartitionSpec | tuple) else NotImplemented

    def __radd__(self, other: Any) -> PartitionSpec:
        return PartitionSpec(*other, *self) if isinstance(other, tuple) else NotImplemented

    def index(self, value: Any) -> int:
        """Return the first axis with an entry."""
        return self.partitions.index(_entry(value))

    def count(self, value: Any) -> int:
        """Return how many axes have an entry."""
        return self.partitions.count(_entry(value))

    def update(self, partitions: Any = None, unreduced: Any = None, reduced: Any = None) -> PartitionSpec:
        """Return a copy with some attributes changed."""
        return PartitionSpec(
            *(self.partitions if partitions is None else partitions),
            unreduced=self.unreduced if unreduced is None else unreduced,
            reduced=self.reduced if reduced is None else reduced,
        )


# -- meshes ---


class _BaseMesh(_Keyed):
    """Named axes of devices."""

    axis_names: tuple[Any, ...]
    axis_types: tuple[AxisType, ...]
    axis_sizes: tuple[int, ...]

    def _set_axes(self, axis_sizes: Any, axis_names: Any, axis_types: Any) -> None:
        self.axis_sizes = tuple(axis_sizes)
        self.axis_names = (axis_names,) if isinstance(axis_names, str) else tuple(axis_names)
        if any(name is None for name in self.axis_names):
            raise ValueError(f"Mesh axis names cannot be None. Got: {self.axis_names}")
        kinds = (AxisType.Auto,) * len(self.axis_names) if axis_types is None else axis_types
        self.axis_types = (kinds,) * len(self.axis_names) if isinstance(kinds, AxisType) else tuple(kinds)
        if len(self.axis_types) != len(self.axis_names):
            raise ValueError(
                f"Number of axis names should match the number of axis_types, got {self.axis_names} and {self.axis_types}"
            )

    @property
    def shape(self) -> collections.OrderedDict[Any, int]:
        """The length of each axis."""
        return collections.OrderedDict(zip(self.axis_names, self.axis_sizes, strict=True))

    @property
    def shape_tuple(self) -> tuple[tuple[Any, int], ...]:
        """The name and the length of each axis."""
        return tuple(self.shape.items())

    @property
    def size(self) -> int:
        """The number of devices."""
        return math.prod(self.axis_sizes) if self.axis_names else 0

    @property
    def empty(self) -> bool:
        """Whether there is no axis."""
        return self.size == 0

    def _key(self) -> tuple[Any, ...]:
        return type(self), self.axis_sizes, self.axis_names, self.axis_types


class Mesh(_BaseMesh, contextlib.ContextDecorator):
    """An array of devices with a name for each axis; there is one device, so all axes have length 1."""

    def __init__(self, devices: Any, axis_names: Any, axis_types: Any = None) -> None:
        given = np.asarray(devices)
        names = (axis_names,) if isinstance(axis_names, str) else tuple(axis_names)
        if given.ndim != len(names):
            raise ValueError(
                "Mesh requires the ndim of its first argument (`devices`) to equal the length of its second argument "
                f"(`axis_names`), but got devices.ndim == {given.ndim} and len(axis_names) == {len(names)}."
            )
        self._set_axes(given.shape, names, axis_types)
        if given.size > 1:
            raise NotImplementedError(f"jax.sharding.Mesh of {given.size} devices: {_SEVERAL}")
        self.devices = device_array(given.shape)

    @property
    def device_ids(self) -> np.ndarray[Any, Any]:
        """The numbers of the devices."""
        return np.zeros(self.axis_sizes, int)

    @property
    def local_devices(self) -> list[Device]:
        """The devices, as a list."""
        return list(self.devices.flat)

    @property
    def local_mesh(self) -> Mesh:
        """The mesh: there is one process."""
        return self

    is_multi_process = False

    @property
    def abstract_mesh(self) -> AbstractMesh:
        """The axes without devices."""
        return AbstractMesh(self.axis_sizes, self.axis_names, self.axis_types)

    def update(self, devices: Any = None, axis_names: Any = None, axis_types: Any = None) -> Mesh:
        """Return a copy with some attributes changed."""
        return Mesh(
            self.devices if devices is None else devices,
            self.axis_names if axis_names is None else axis_names,
            self.axis_types if axis_types is None else axis_types,
        )

    def __enter__(self) -> Mesh:  # noqa: PYI034 - as in JAX
        self.__dict__.setdefault("_tokens", []).append(MESH.set(self))
        return self

    def __exit__(self, *_error: object) -> None:
        MESH.reset(self.__dict__["_tokens"].pop())

    def __reduce__(self) -> Any:
        return Mesh, (self.devices, self.axis_names, self.axis_types)

    def __str__(self) -> str:
        if self.empty:
            return "Mesh()"
        return f"Mesh({', '.join(f'{name!r}: {n}' for name, n in self.shape.items())}, axis_types={self.axis_types})"

    def __repr__(self) -> str:
        kinds = "" if self.empty else f", axis_types={self.axis_types}"
        return f"Mesh(axis_sizes={self.axis_sizes}, axis_names={self.axis_names!r}{kinds})"


class AbstractMesh(_BaseMesh):
    """Named axes without devices, of any lengths."""

    def __init__(self, axis_sizes: Any, axis_names: Any, axis_types: Any = None, *, abstract_device: Any = None) -> None:
        self._set_axes(axis_sizes, axis_names, axis_types)
        self.abstract_device = abstract_device

    @property
    def abstract_mesh(self) -> AbstractMesh:
        """The mesh."""
        return self

    def __repr__(self) -> str:
        axes = ", ".join(f"{name!r}: {n}" for name, n in self.shape.items()) or "()"
        return f"AbstractMesh({axes}, axis_types={self.axis_types})"


def device_array(shape: Any) -> np.ndarray[Any, Any]:
    """Return a read-only array of the only device."""
    devices = np.empty(shape, object)
    devices.fill(CPU)
    devices.flags.writeable = False
    return devices


_EMPTY: Final = Mesh(np.empty((), object), ())
MESH: Final[ContextVar[Mesh]] = ContextVar("supremum_jax_mesh", default=_EMPTY)


class NamedSharding(Sharding):
    """An array over the axes of a mesh, each of its axes as a `PartitionSpec` says."""

    def __init__(self, mesh: Mesh | AbstractMesh, spec: PartitionSpec, *, memory_kind: str | None = None) -> None:
        super().__init__(CPU, memory_kind or "device")
        self.mesh, self.spec = mesh, spec
        if not isinstance(spec, PartitionSpec):
            raise TypeError(f"NamedSharding: spec is a PartitionSpec, got {describe(spec)}")
        used = [name for entry in spec for name in (entry if isinstance(entry, tuple) else (entry,))]
        named = [name for name in used if name is not None and name is not _UNCONSTRAINED]
        if unknown := [name for name in named if name not in mesh.axis_names]:
            raise ValueError(f"Resource axis: {unknown[0]} of {spec} is not found in mesh: {mesh.axis_names}.")
        if twice := [name for name in named if named.count(name) > 1]:
            raise ValueError(
                "A single NamedSharding spec specification can map every mesh axis to at most one positional dimension, "
                f"but {spec} has duplicate entries for `{twice[0]}`"
            )

    def check_compatible_aval(self, aval_shape: Any) -> None:
        """Raise ValueError for an array with fewer axes than the specification has entries."""
        if len(aval_shape) < len(self.spec):
            hint = " For scalars the PartitionSpec should be P()" if not aval_shape else ""
            raise ValueError(
                f"Sharding {self} is only valid for values of rank at least {len(self.spec)}, but was applied to a value of "
                f"rank {len(aval_shape)}.{hint}"
            )

    def with_memory_kind(self, kind: str) -> NamedSharding:
        """Return the same distribution in another memory."""
        return NamedSharding(self.mesh, self.spec, memory_kind=kind)

    def update(self, **changes: Any) -> NamedSharding:
        """Return a copy with some attributes changed."""
        kept = {"mesh": self.mesh, "spec": self.spec, "memory_kind": self.memory_kind}
        return NamedSharding(**{**kept, **changes})

    def _key(self) -> tuple[object, ...]:
        return NamedSharding, self.mesh, self.spec, self.memory_kind

    def __repr__(self) -> str:
        return f"NamedSharding(mesh={self.mesh!s}, spec={self.spec}, memory_kind={self.memory_kind})"


# -- descriptions of arrays ---


class AbstractValue:
    """The class of descriptions of values."""


class Shaped:
    """What follows from a shape."""

    __slots__ = ()

    shape: tuple[int, ...]

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]


class ShapedArray(Shaped, AbstractValue, _Keyed):
    """The shape and the dtype of an array, without its values."""

    vma: Final[frozenset[object]] = frozenset()

    def __init__(self, shape: Any, dtype: Any, weak_type: bool = False, *, sharding: Any = None, **_options: object) -> None:
        self.shape = tuple(shape)
        self.dtype = dtype if hasattr(dtype, "itemsize") and not isinstance(dtype, type) else np.dtype(dtype)
        self.weak_type = weak_type
        self._sharding = sharding

    @property
    def sharding(self) -> NamedSharding:
        """The distribution over a mesh, which has no axes if nothing else was said."""
        return self._sharding or NamedSharding(_EMPTY.abstract_mesh, PartitionSpec(*[None] * self.ndim))

    def update(self, **changes: Any) -> ShapedArray:
        """Return a copy with some attributes changed."""
        kept = {"shape": self.shape, "dtype": self.dtype, "weak_type": self.weak_type, "sharding": self._sharding}
        return ShapedArray(**{**kept, **changes})

    def to_tangent_aval(self) -> ShapedArray:
        """Return the shape and the dtype of derivatives, which is `float0` for what is not floating."""
        return self if as_node(self.dtype).kind in "fc" else self.update(dtype=_FLOAT0)

    at_least_vspace = to_tangent_aval

    def str_short(self, short_dtypes: bool = False) -> str:
        """Return a text such as ``float32[2,3]``."""
        fields = getattr(self.dtype, "names", None)  # of float0, the dtype of derivatives of integers
        return f"{fields[0] if fields else self.dtype}[{','.join(map(str, self.shape))}]"

    def _key(self) -> tuple[object, ...]:
        return self.shape, str(self.dtype), self.weak_type

    def __str__(self) -> str:
        return ("~" if self.weak_type else "") + self.str_short()

    def __repr__(self) -> str:
        return f"ShapedArray({self.str_short()}{', weak_type=True' if self.weak_type else ''})"
