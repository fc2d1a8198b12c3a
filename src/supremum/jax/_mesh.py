"""Meshes of devices, and functions over their axes, on the only device: all axes have length 1."""

from __future__ import annotations

import contextlib
import functools
import math
import operator
from collections.abc import Callable
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum import Array
from supremum._array.sharding import CPU, MESH, AbstractMesh, AxisType, Device, Mesh, PartitionSpec, Sharding, device_array
from supremum._base.exceptions import describe
from supremum._core.guests import new_level
from supremum.jax import _tree
from supremum.jax._batching import MappedAxis, at_first, axes_in_force, within
from supremum.jax._tree import mapped
from supremum.jax._values import as_leaf, as_leaves, items_of, wraps
from supremum.jax._vmap import vmap
from supremum.jax.tree_util import broadcast_prefix

_SEVERAL: Final = "it needs several devices, and supremum has one, the CPU; JAX runs the same script"


# -- meshes ---


def make_mesh(axis_shapes: Any, axis_names: Any, axis_types: Any = None, *, devices: Any = None) -> Mesh:
    """Return a mesh of the only device, whose axes have length 1."""
    shape = tuple(operator.index(n) for n in axis_shapes)
    if math.prod(shape) > 1:
        raise ValueError(f"Number of devices 1 must be >= the product of mesh_shape {shape}")
    return Mesh(device_array(shape), axis_names, (AxisType.Explicit,) * len(shape) if axis_types is None else axis_types)


def create_device_mesh(mesh_shape: Any, *_shapes: Any, devices: Any = None, **_options: Any) -> np.ndarray[Any, Any]:
    """Return an array of the only device."""
    shape = tuple(mesh_shape)
    if math.prod(shape) != 1:
        raise ValueError(f"Number of devices 1 must equal the product of mesh_shape {shape}")
    return device_array(shape)


class set_mesh(contextlib.ContextDecorator):
    """Set the mesh of the program; in a ``with`` statement, of the block."""

    def __init__(self, mesh: Mesh) -> None:
        if not isinstance(mesh, Mesh):
            raise TypeError(f"Expected mesh of type `jax.sharding.Mesh`. Got type: {type(mesh)}")
        self._token = MESH.set(mesh)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_error: object) -> None:
        MESH.reset(self._token)


class SingleDeviceSharding(Sharding):
    """The whole array on one device."""

    __module__ = "supremum.jax.sharding"

    def __init__(self, device: Any = CPU, *, memory_kind: str | None = None) -> None:
        super().__init__(Device(device), memory_kind or "device")


def get_mesh() -> Mesh:
    """Return the mesh that was set, or one without axes."""
    return MESH.get()


def get_abstract_mesh() -> AbstractMesh:
    """Return the axes of the mesh that was set."""
    return MESH.get().abstract_mesh


def reshard(xs: Any, out_shardings: Any) -> Any:
    """Return a tree with its leaves as Arrays: there is one place for them."""
    return mapped(as_leaf, xs)


def auto_axes(f: Any = None, **_options: Any) -> Any:
    """Return the function: axes of length 1 are treated alike."""
    return (lambda f: f) if f is None else f


explicit_axes = auto_axes


# -- arrays of parts ---


def make_array_from_callback(shape: Any, sharding: Sharding, data_callback: Any, dtype: Any = None) -> Array:
    """Return the array that a function of the indices of its only part gives."""
    return xp.asarray(data_callback(tuple(slice(None) for _ in shape)), dtype=dtype)


def make_array_from_single_device_arrays(shape: Any, sharding: Sharding, arrays: Any, *, dtype: Any = None) -> Array:
    """Return the only part of an array."""
    if len(arrays) != 1:
        raise ValueError(f"make_array_from_single_device_arrays: one device has one array, got {len(arrays)}")
    found = xp.asarray(arrays[0], dtype=dtype)
    if found.shape != tuple(shape):
        raise ValueError(f"make_array_from_single_device_arrays: the array has shape {found.shape}, expected {tuple(shape)}")
    return found


def make_array_from_process_local_data(sharding: Any, local_data: Any, global_shape: Any = None) -> Any:
    """Return a tree with its leaves as Arrays: there is one process."""
    return reshard(local_data, sharding)


def process_allgather(in_tree: Any, tiled: bool = False) -> Any:
    """Return a tree of NumPy arrays with the values of the only process."""
    return mapped(lambda x: x if tiled and x.ndim else x[None], broadcast_one_to_all(in_tree))


def broadcast_one_to_all(in_tree: Any, is_source: bool | None = None) -> Any:
    """Return a tree of NumPy arrays: there is one process."""
    return mapped(lambda x: np.asarray(as_leaf(x)), in_tree)


# -- functions ---


def pmap(
    fun: Callable[..., Any],
    axis_name: Any = None,
    *,
    in_axes: Any = 0,
    out_axes: Any = 0,
    static_broadcasted_argnums: Any = (),
    devices: Any = None,
    backend: str | None = None,
    axis_size: int | None = None,
    donate_argnums: Any = (),
) -> Callable[..., Any]:
    """Return a function that maps `fun` over an axis of its arguments, one position for each device.

    There is one device: the length of the axis is 1. Other arguments are as in `vmap`; those at the positions
    `static_broadcasted_argnums` are passed as they are.
    """
    if not callable(fun):
        raise TypeError(f"Expected a callable value, got {describe(fun)}")
    fixed = {operator.index(i) for i in items_of(static_broadcasted_argnums)}

    @wraps(fun)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        static = {i % len(args): args[i] for i in fixed}
        places = [i for i in range(len(args)) if i not in static]
        axes = tuple(in_axes[i] for i in places) if isinstance(in_axes, tuple | list) else in_axes

        def call(*given: Any, **words: Any) -> Any:
            leaves, structure = _tree.flatten((given, words))

            def of_leaves(*parts: Any) -> Any:  # of the only position
                ours, theirs = structure.unflatten(parts)
                merged = {**static, **dict(zip(places, ours, strict=True))}
                return fun(*(merged[i] for i in range(len(args))), **theirs)

            return at_first(axes_in_force()[-1], of_leaves, tuple(leaves), {})

        for leaf in _tree.flatten(([args[i] for i in places] if type(axes) is int else [], kwargs))[0]:
            _check_length(as_leaf(leaf).shape, axes if type(axes) is int else 0, fun)
        return vmap(call, axes, out_axes, axis_name=axis_name, axis_size=1)(*(args[i] for i in places), **kwargs)

    return mapped


def _check_length(shape: tuple[int, ...], axis: int, fun: Any) -> None:
    if -len(shape) <= axis < len(shape) and shape[axis] > 1:
        raise NotImplementedError(
            f"jax.pmap of {getattr(fun, '__name__', 'a function')} over an axis of length {shape[axis]}: {_SEVERAL}"
        )


def shard_map(
    f: Callable[..., Any] | None = None,
    /,
    *args: Any,
    mesh: Any = None,
    in_specs: Any = None,
    out_specs: Any = None,
    axis_names: Any = frozenset(),
    **_options: Any,
) -> Any:
    """Return a function that is called with the part of each argument that a device has: on one device, the whole.

    Within it, collective functions of `lax` take the names of the axes of the mesh.
    """
    if f is None:
        return functools.partial(
            shard_map, mesh=mesh, in_specs=in_specs, out_specs=out_specs, axis_names=axis_names, **_options
        )
    if not callable(f):
        raise TypeError(f"shard_map requires a callable for its first argument, but got {describe(f)}")
    if args:  # of ``jax.experimental.shard_map``, which takes them by position
        mesh, in_specs, out_specs = (*args, *(mesh, in_specs, out_specs)[len(args) :])

    @wraps(f)
    def sharded(*given: Any) -> Any:
        found = MESH.get() if mesh is None else mesh
        if found.size > 1:
            raise NotImplementedError(f"jax.shard_map over {found.size} devices: {_SEVERAL}")
        for name in items_of(axis_names):
            if name not in found.axis_names:
                raise ValueError(f"shard_map: axis_names has {name!r}, which is not an axis of {found}")
        leaves, structure = as_leaves(given)
        _check_ranks(in_specs, structure.unflatten(leaves), leaves)
        return _within_axes(found.axis_names, lambda: f(*structure.unflatten(leaves)))

    return sharded


def smap(f: Any = None, *, in_axes: Any = None, out_axes: Any = None, axis_name: Any = None) -> Any:
    """Return a function over one axis of a mesh, which has length 1: it is called with whole arguments."""
    if f is None:
        return functools.partial(smap, in_axes=in_axes, out_axes=out_axes, axis_name=axis_name)
    return wraps(f)(lambda *given: _within_axes((axis_name,), lambda: f(*given)))


def _check_ranks(specs: Any, given: Any, leaves: list[Array]) -> None:
    if specs is None:
        return
    for spec, leaf in zip(broadcast_prefix(specs, given, is_leaf=lambda x: x is None), leaves, strict=True):
        if isinstance(spec, PartitionSpec) and len(spec) > leaf.ndim:
            raise ValueError(
                f"shard_map: an entry of in_specs is {spec}, of length {len(spec)}, and its argument has shape {leaf.shape}"
            )


def _within_axes(names: tuple[Any, ...], call: Callable[[], Any]) -> Any:
    """Call a function as the only position along named axes."""
    if not names:
        return call()
    axis = MappedAxis(names[0], 1, new_level())
    axis.position = 0
    with within(axis):
        return _within_axes(names[1:], call)
