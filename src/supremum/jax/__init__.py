"""A package that looks like ``jax`` to a program, so that programs that need no compiler and no derivatives run without JAX.

``python -m supremum run script.py`` runs a script that imports `jax`; `install` does the same in a notebook. Both set JAX's
settings for the process, once: ``x64="off"``, ``mutable=False`` and ``out_of_range="clip"``. Importing this package or one of
its modules changes no setting.

Nothing is compiled or traced: `jit` and its kin call functions as they are, `vmap` calls them once for each position, the
loops and branches of `lax` are Python's. Names that need a compiler, derivatives or several devices are there and raise
`NotImplementedError` when they are called.

Examples
--------
>>> from supremum import jax
>>> jax.vmap(lambda x, y: x * y, in_axes=(0, None))(jax.lax.iota("int32", 3), 2)
Array([0, 2, 4], dtype=int32)
"""

from importlib import import_module
from types import ModuleType
from typing import Any, Final

from supremum import Array as Array, config as config, enable_x64 as enable_x64, numpy_dtype_promotion as numpy_dtype_promotion
from supremum.jax import _modules, _table
from supremum.jax.version import __version__ as __version__, __version_info__ as __version_info__

#: What each module gives to this one; a module is imported when one of its names is first used.
_HOMES: Final = {
    "_api": """
        Device block_until_ready checkpoint checkpoint_policies clear_caches debug_infs debug_nans default_backend
        default_device device_count device_get device_put devices disable_jit effects_barrier ensure_compile_time_eval
        host_count host_id host_ids jit live_arrays local_device_count local_devices named_call named_scope
        numpy_rank_promotion print_environment_info process_count process_index process_indices pure_callback remat typeof
    """,
    "_derivatives": """
        closure_convert custom_gradient custom_jvp custom_vjp grad hessian jacfwd jacobian jacrev jvp linearize
        value_and_grad vjp
    """,
    "_install": "install installed",
    "_mesh": """
        auto_pcast make_array_from_callback make_array_from_process_local_data make_array_from_single_device_arrays make_mesh
        pmap reshard set_mesh shard_map smap
    """,
    "_values": "ShapeDtypeStruct eval_shape",
    "_vmap": "vmap",
    "_indexing": "ds",
    "dtypes": "float0",
    "sharding": "NamedSharding P Shard",
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names.split()}
#: The modules.
_MODULES: Final = frozenset((
    "_src", "ad_checkpoint", "api_util", "core", "custom_batching", "custom_derivatives", "debug", "distributed", "dlpack",
    "dtypes", "errors", "example_libraries", "experimental", "export", "extend", "ffi", "flatten_util", "image",
    "interpreters", "lax", "lib", "monitoring", "nn", "numpy", "ops", "profiler", "random", "ref", "scipy", "sharding",
    "stages", "test_util", "tree", "tree_util", "typing", "version",
))  # fmt: skip

__all__ = sorted([
    *_HOME_OF, "Array", "config", "enable_x64", "numpy_dtype_promotion", "debug", "dtypes", "errors", "experimental", "lax",
    "nn", "numpy", "random", "scipy", "sharding", "tree", "tree_util", "typing",
])  # fmt: skip
_modules.make_modules()


def _module(name: str) -> ModuleType:
    return import_module(f"{__name__}.{name}")


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return _module(name)
    if name in _HOME_OF:
        found = getattr(_module(_HOME_OF[name]), name)
    else:
        found = _modules.setting(name) if name in _table.NAMES_OF_SETTINGS else _modules.find("jax", name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES, *_table.NAMES_OF_SETTINGS, *_modules.names("jax")})
