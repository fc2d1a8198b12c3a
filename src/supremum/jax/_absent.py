"""Names of JAX that need a compiler, derivatives or devices: they are there, and say so when they are called."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Final

__all__ = ["ABSENT", "NAMES_OF_SETTINGS", "absent_names", "find", "make_modules", "setting"]

_COMPILER: Final = "it needs a compiler of programs, which supremum does not have"
_DEVICES: Final = "it needs several devices, and supremum has one, the CPU"
_DERIVATIVES: Final = "it needs derivatives, and supremum does not differentiate"
_TRACING: Final = "it needs tracing, and supremum calls functions with real arrays"
_STATE: Final = "it needs mutable references, which supremum does not have"
_ACCELERATOR: Final = "it needs an accelerator"

#: The names of each module, by the reason. A name with ``()`` is a class; others are functions.
ABSENT: Final[dict[str, dict[str, str]]] = {
    "jax": {
        _DEVICES: """
            make_array_from_callback make_array_from_process_local_data make_array_from_single_device_arrays make_mesh pmap
            reshard set_mesh shard_map smap auto_pcast
        """,
        _TRACING: "make_jaxpr linear_transpose fwd_and_bwd make_user_context copy_to_host_async",
        _STATE: "new_ref empty_ref free_ref freeze Ref()",
    },
    "jax.lax": {
        _DEVICES: "pcast psend precv ragged_all_to_all",
    },
    "jax.sharding": {
        _DEVICES: """
            AbstractDevice() AbstractMesh() ManualAxisType() Mesh() auto_axes explicit_axes get_abstract_mesh
            get_mesh make_single_device_sharding reshard set_mesh use_abstract_mesh
        """,
    },
    "jax.debug": {_DEVICES: "inspect_array_sharding visualize_array_sharding visualize_sharding"},
    "jax.stages": {_COMPILER: "Compiled() Lowered() Traced() Wrapped() ArgInfo() Lowering()"},
    "jax.export": {_COMPILER: "export deserialize default_export_platform symbolic_shape symbolic_args_specs Exported()"},
    "jax.experimental": {_TRACING: "EArray() cur_qdd primal_tangent_dtype"},
    "jax.experimental.shard_map": {_DEVICES: "shard_map"},
    "jax.experimental.mesh_utils": {_DEVICES: "create_device_mesh create_hybrid_device_mesh"},
    "jax.experimental.multihost_utils": {_DEVICES: "process_allgather broadcast_one_to_all sync_global_devices"},
    "jax.experimental.pallas": {
        _ACCELERATOR: "pallas_call BlockSpec() GridSpec() load store program_id num_programs ds when loop debug_print"
    },
    "jax.experimental.sparse": {_COMPILER: "BCOO() BCSR() bcoo_fromdense bcoo_todense bcoo_dot_general sparsify empty eye"},
    "jax.experimental.jet": {_DERIVATIVES: "jet"},
    "jax.experimental.checkify": {
        _TRACING: """
            checkify check check_error debug_check init_error Error() ErrorCategory() JaxRuntimeError() all_checks
            automatic_checks div_checks float_checks index_checks nan_checks user_checks
        """
    },
    "jax.experimental.ode": {_DERIVATIVES: "odeint"},
    "jax.experimental.compilation_cache.compilation_cache": {_COMPILER: "reset_cache set_cache_dir"},
    "jax.distributed": {_DEVICES: "initialize is_initialized shutdown"},
    "jax.interpreters": {_TRACING: "ad batching mlir partial_eval pxla xla"},
    "jax.extend": {_TRACING: "core linear_util random ffi mlir backend sharding source_info_util ifrt"},
    "jax.extend.core": {
        _TRACING: "ClosedJaxpr() Jaxpr() JaxprEqn() Literal() Primitive() Token() Var() array_types jaxpr_as_fun"
    },
    "jax.monitoring": {
        _COMPILER: """
            clear_event_listeners record_event record_event_duration_secs record_event_time_span record_scalar
            register_event_duration_secs_listener register_event_listener register_event_time_span_listener
            register_scalar_listener unregister_event_duration_listener unregister_event_listener
            unregister_event_time_span_listener unregister_scalar_listener
        """
    },
    "jax.ffi": {
        _COMPILER: """
            ffi_call ffi_lowering register_ffi_target pycapsule include_dir register_ffi_type register_ffi_type_id
        """
    },
    "jax.core": {
        _TRACING: """
            Jaxpr() ClosedJaxpr() JaxprEqn() Literal() Var() Primitive() Trace() eval_jaxpr jaxpr_as_fun concrete_or_error
        """
    },
    "jax.custom_batching": {_TRACING: "sequential_vmap_rule"},
    "jax.ref": {_STATE: "new_ref empty_ref free_ref freeze get set swap addupdate Ref() AbstractRef()"},
    "jax.test_util": {_DERIVATIVES: "check_grads check_jvp check_vjp"},
    "jax.profiler": {
        _COMPILER: """
            ProfileData() ProfileOptions() device_memory_profile save_device_memory_profile start_server stop_server
        """
    },
    "jax.lib": {_COMPILER: "xla_bridge xla_client xla_extension pytree"},
}  # fmt: skip


def _sentence(module: str, name: str, reason: str) -> str:
    return f"{module}.{name}: {reason}; JAX runs the same script"


def _function(module: str, name: str, reason: str) -> Callable[..., Any]:
    def function(*_args: object, **_kwargs: object) -> Any:
        raise NotImplementedError(_sentence(module, name, reason))

    function.__name__ = function.__qualname__ = name
    function.__module__ = f"supremum.{module}"
    function.__doc__ = f"Raise NotImplementedError: {reason}."
    return function


def _class(module: str, name: str, reason: str) -> type:
    def refuse(_cls: type, *_args: object, **_kwargs: object) -> Any:
        raise NotImplementedError(_sentence(module, name, reason))

    body = {"__new__": refuse, "__module__": f"supremum.{module}", "__doc__": f"A class that cannot be made: {reason}."}
    return type(name, (), body)


def absent_names(module: str) -> list[str]:
    """Return the names of a module of JAX that are there and raise when they are called."""
    return [word.removesuffix("()") for words in ABSENT.get(module, {}).values() for word in words.split()]


def find(module: str, name: str) -> Any:
    """Return what stands for an absent name of a module of JAX; raise AttributeError for a name that JAX does not have."""
    for reason, words in ABSENT.get(module, {}).items():
        for word in words.split():
            if word.removesuffix("()") == name:
                return (_class if word.endswith("()") else _function)(module, name, reason)
    if module == "jax.lax" and name.endswith("_p") and not name.startswith("_"):
        return _class(module, name, _TRACING)
    raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)


#: The modules of which no name works. Submodules are there so that programs can import them.
_EMPTY: Final = (
    "distributed", "export", "extend", "extend.core", "extend.linear_util", "ffi", "interpreters", "interpreters.ad",
    "interpreters.batching", "interpreters.mlir", "interpreters.partial_eval", "interpreters.pxla", "interpreters.xla",
    "lib", "ref", "stages", "test_util", "api_util", "monitoring", "experimental.checkify", "experimental.compilation_cache",
    "experimental.compilation_cache.compilation_cache", "experimental.jet", "experimental.mesh_utils",
    "experimental.multihost_utils", "experimental.ode", "experimental.pallas", "experimental.shard_map", "experimental.sparse",
)  # fmt: skip


def make_modules() -> None:
    """Make the modules of which no name works."""
    for name in _EMPTY:
        path = f"{__name__.rpartition('.')[0]}.{name}"
        module: Any = ModuleType(path, "A module of JAX whose functions raise NotImplementedError when they are called.")
        module.__path__ = []
        module.__getattr__ = _finder(f"jax.{name}", path)
        sys.modules[path] = module


def _finder(module: str, path: str) -> Callable[[str], Any]:
    def find_in_module(name: str) -> Any:
        if f"{path}.{name}" in sys.modules:
            return sys.modules[f"{path}.{name}"]
        return find(module, name)

    return find_in_module


#: Functions of `jax` that set something for a ``with`` block, and have no effect here.
NAMES_OF_SETTINGS: Final = frozenset((
    "allow_f16_reductions", "array_garbage_collection_guard", "check_tracer_leaks", "checking_leaks", "debug_infs",
    "debug_key_reuse", "debug_nans", "default_matmul_precision", "default_prng_impl", "enable_checks", "enable_custom_prng",
    "explain_cache_misses", "jax2tf_associative_scan_reductions", "legacy_prng_key", "log_compiles", "no_execution",
    "no_tracing", "remove_size_one_mesh_axis_from_type", "softmax_custom_jvp", "thread_guard",
    "threefry_partitionable", "transfer_guard", "transfer_guard_device_to_device", "transfer_guard_device_to_host",
    "transfer_guard_host_to_device",
))  # fmt: skip


def setting(name: str) -> Callable[..., Any]:
    """Return a function that makes a context without effect."""

    @contextlib.contextmanager
    def context(*_args: object, **_kwargs: object) -> Iterator[None]:
        yield

    context.__name__ = context.__qualname__ = name
    context.__module__ = "supremum.jax"
    context.__doc__ = "Return a context without effect: the setting has no meaning here."
    return context
