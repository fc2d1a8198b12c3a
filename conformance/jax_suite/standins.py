"""Stand-ins for the modules of JAX's inside that its tests import: ``jax`` is `supremum.jax`, ``jax._src`` is made here.

JAX's own helpers for tests (`CHECKOUT`) are imported from its checkout. The modules that they and the tests need are made of
names of `supremum` (`make_modules`). All other names of ``jax._src`` are an `Inside`: it can be imported and named, and raises
`NeedsInsideError` when a test calls it.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import importlib
import importlib.util
import itertools
import os
import re
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

import supremum as xp
from supremum import jax
from supremum.jax import _tree
from supremum.promotion._nodes import as_node

#: Modules that are imported from the checkout as they are: helpers for tests, and a reference in NumPy.
CHECKOUT = ("test_util", "public_test_util", "test_loader", "test_warning_util", "internal_test_util", "lax_reference")


#: How messages begin that compare complex functions at infinities, a region of the complex plane that a test compares.
REGION_AT_INFINITY = r"\w+ in [np]infj?\."


class NeedsInsideError(Exception):
    """A test needs a part of JAX's inside."""


class Inside:
    """A name of JAX's inside. While test files are imported, calls return further names; in tests they raise."""

    importing = True

    def __init__(self, name: str) -> None:
        self.name = name
        self.__name__ = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Inside(f"{self.name}.{name}")

    def __call__(self, *_args: object, **_kwargs: object) -> Any:
        """Return a name while files are imported; raise in a test."""
        if Inside.importing:
            return Inside(f"{self.name}()")
        if self.name.endswith((".cache_clear", ".runtime_tokens.clear")):  # there is nothing that is kept
            return None
        raise NeedsInsideError(f"needs {self.name}")

    def __mro_entries__(self, _bases: tuple[object, ...]) -> tuple[type, ...]:
        return ()

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def __setitem__(self, _key: object, _value: object) -> None:
        if not Inside.importing:
            self._refuse()

    def _refuse(self, *_args: object, **_kwargs: object) -> Any:
        raise NeedsInsideError(f"needs {self.name}")

    __len__ = __getitem__ = __contains__ = __enter__ = __exit__ = __bool__ = __instancecheck__ = _refuse


class StandIn(types.ModuleType):
    """A module made of some names; others are those of `bases` and of supremum's module of its name, else an `Inside`."""

    def __init__(self, name: str, *bases: Any, **names: Any) -> None:
        super().__init__(name, "A stand-in for a module of JAX.")
        self.__dict__.update(names)
        self.__dict__["__path__"] = []
        self.__dict__["_bases"] = bases

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        own = sys.modules.get(f"supremum.{self.__name__}")
        for base in (*self.__dict__["_bases"], *([own] if own is not None and own is not self else [])):
            with contextlib.suppress(AttributeError):
                return getattr(base, name)
        return Inside(f"{self.__name__}.{name}")


class Inner(StandIn):
    """``jax._src``, whose names are all modules."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return importlib.import_module(f"{self.__name__}.{name}")


# --------------------------------------------------------------------------------------------------------------- settings


class Setting:
    """A setting of JAX: a value, and a context that changes it; some are settings of supremum."""

    def __init__(self, name: str, value: Any = None) -> None:
        self.name = name
        self.own = value

    @property
    def value(self) -> Any:
        """The value."""
        value = getattr(xp.config, self.name) if self.name in SHARED else self.own
        return ExplicitX64Mode[value.upper()] if self.name == "jax_explicit_x64_dtypes" else value

    def set(self, value: Any) -> None:
        """Set the value for the process."""
        if self.name in SHARED:
            xp.config.update(self.name, value)
        self.own = value

    @contextlib.contextmanager
    def __call__(self, value: Any) -> Iterator[None]:
        """Set the value for a ``with`` block."""
        before, self.own = self.own, value
        try:
            if self.name == "jax_enable_x64":
                with xp.config.use(x64="on" if value else "off"):
                    yield
            elif self.name in SHARED:
                with xp.config.use(**{self.name: value.name.lower() if isinstance(value, enum.Enum) else value}):
                    yield
            else:
                yield
        finally:
            self.own = before

    def __bool__(self) -> bool:
        raise TypeError("use .value")


SHARED = (
    "jax_debug_nans",
    "jax_debug_infs",
    "jax_enable_x64",
    "jax_explicit_x64_dtypes",
    "jax_numpy_dtype_promotion",
    "jax_numpy_rank_promotion",
)


class Settings(dict[str, Setting]):
    """All settings by name, made when they are first named."""

    def __missing__(self, name: str) -> Setting:
        self[name] = Setting(name)
        return self[name]


class ExplicitX64Mode(enum.IntEnum):
    """What a request for a 64-bit dtype does where there are none."""

    WARN = 1
    ERROR = 2
    ALLOW = 3


def config_module() -> StandIn:
    """Return ``jax._src.config``."""
    states = Settings()

    def flag(name: str, default: Any = None, *_args: object, **_kwargs: object) -> Setting:
        states[name] = Setting(name, default)
        return states[name]

    def set_state(name: str, value: Any) -> None:
        states[name].set(value)

    def env(name: str, default: bool) -> bool:
        return os.environ.get(name, str(default)).lower() in ("1", "true", "yes", "on")

    class Module(StandIn):
        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return states[f"jax_{name}"]

    return Module(
        "jax._src.config",
        config=types.SimpleNamespace(values={}, update=set_state, **{name: states[name] for name in SHARED}),
        config_states=states,
        update=set_state,
        _read=lambda name: states[name].value,
        parse_flags_with_absl=lambda: None,
        ExplicitX64Mode=ExplicitX64Mode,
        bool_env=env,
        **dict.fromkeys(("bool_flag", "int_flag", "string_flag", "float_flag", "enum_flag"), flag),
    )


# ----------------------------------------------------------------------------------------------------------------- dtypes


DLPACK_TYPES = """
    int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128 bool
"""
JAX_TYPES = """
    bool uint2 uint4 uint8 uint16 uint32 uint64 int2 int4 int8 int16 int32 int64 float4_e2m1fn float8_e3m4 float8_e4m3
    float8_e8m0fnu float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz bfloat16 float16 float32
    float64 complex64 complex128
"""


def dtypes_module() -> StandIn:
    """Return ``jax._src.dtypes``, of names of supremum."""
    scalars = {
        name: getattr(ml_dtypes, name, None)
        for name in (
            "bfloat16", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz",
            "float8_e3m4", "float8_e4m3", "float8_e8m0fnu", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn",
            "int2", "int4", "uint2", "uint4", "int1", "uint1",
        )
    }  # fmt: skip

    def dtype_of(x: Any, *, align_extended_dtypes: bool = False) -> Any:  # noqa: ARG001 - JAX's signature
        if x is None:
            raise ValueError("dtype: None has no dtype")
        if isinstance(x, type) and x in (bool, int, float, complex):
            return default(x)
        if isinstance(x, str | type | np.dtype):
            asked = np.dtype(str(xp.dtype(x)))
            return asked if xp.config.x64 != "off" else canonicalize(asked)
        found = getattr(x, "dtype", None)
        return canonicalize(found, allow_extended_dtype=True) if found is not None else xp.asarray(x).dtype

    def default(kind: type) -> np.dtype[Any]:
        return np.dtype(str(xp.asarray(kind()).dtype))

    def canonicalize(dtype: Any, allow_extended_dtype: bool = False) -> Any:
        if isinstance(dtype, np.dtype) and dtype.kind in "OV":  # which only NumPy's arrays have
            return dtype
        found = jax.dtypes.canonicalize_dtype(dtype, allow_extended_dtype)
        return found if str(found).startswith("key<") else np.dtype(str(found))

    def to_inexact(dtype: Any) -> Any:
        return (
            np.dtype(str(xp.sin(xp.zeros((), dtype=dtype)).dtype)) if not _inexact(dtype) else np.dtype(str(xp.dtype(dtype)))
        )

    def to_complex(dtype: Any) -> Any:
        found = to_inexact(dtype)
        return np.dtype("complex128" if found in ("float64", "complex128") else "complex64")

    def lattice(*args: Any) -> tuple[Any, bool]:
        found = xp.result_type(*args, return_weak_type_flag=True)
        return np.dtype(str(found[0])), found[1]

    def weakly_typed(x: Any) -> bool:
        return (type(x) in (bool, int, float, complex) and type(x) is not bool) or bool(getattr(x, "weak_type", False))

    def safe_to_cast(x: Any, y: Any) -> bool:
        target = dtype_of(y)
        return bool(dtype_of(x) == target or xp.result_type(x, target) == target)

    return StandIn(
        "jax._src.dtypes",
        jax.dtypes,
        xp,
        **scalars,
        float0=jax.dtypes.float0,
        canonicalize_dtype=canonicalize,
        dtype=dtype_of,
        promote_types=xp.promote_types,
        is_weakly_typed=weakly_typed,
        to_inexact_dtype=to_inexact,
        to_floating_dtype=lambda dtype: np.zeros((), to_inexact(dtype)).real.dtype,
        to_complex_dtype=to_complex,
        to_numeric_dtype=lambda dtype: np.dtype("int32" if np.dtype(dtype) == "bool" else dtype),
        safe_to_cast=safe_to_cast,
        lattice_result_type=lattice,
        default_types={
            "b": lambda: np.dtype(bool),
            "i": lambda: default(int),
            "u": lambda: np.dtype(str(canonicalize("uint64"))),
            "f": lambda: default(float),
            "c": lambda: default(complex),
        },
        default_int_dtype=lambda: default(int),
        default_uint_dtype=lambda: canonicalize("uint64"),
        default_float_dtype=lambda: default(float),
        default_complex_dtype=lambda: default(complex),
        python_scalar_types_to_dtypes={
            bool: np.dtype(bool),
            int: np.dtype("int64"),
            float: np.dtype("float64"),
            complex: np.dtype("complex128"),
        },
        _intn_dtypes=[np.dtype(scalars[n]) for n in ("int2", "int4", "uint2", "uint4", "int1", "uint1") if scalars[n]],
        _float8_dtypes=[np.dtype(t) for n, t in scalars.items() if n.startswith("float8") and t],
        _jax_types=[np.dtype(scalars.get(n) or n) for n in JAX_TYPES.split() if hasattr(np, n) or scalars.get(n)],
        _weak_types=[int, float, complex],
        supports_inf=lambda dtype: bool(np.isinf(np.asarray(np.inf, np.float64).astype(dtype))),
    )


def _inexact(dtype: Any) -> bool:
    return as_node(dtype).kind in "fc"


def promoting_module() -> StandIn:
    """Return ``jax._src.numpy.util``; the functions give NumPy arrays, as NumPy is the reference that tests compare with."""

    def promoted(least: Callable[[Any], Any]) -> Callable[..., Any]:
        def promote(*args: Any) -> Any:
            dtype = least(xp.result_type(*args))
            return [xp.asarray(x).astype(dtype) for x in args]

        return promote

    dtypes = sys.modules["jax._src.dtypes"]
    return StandIn(
        "jax._src.numpy.util",
        promote_dtypes=promoted(lambda dtype: dtype),
        promote_dtypes_inexact=promoted(dtypes.to_inexact_dtype),
        promote_dtypes_complex=promoted(dtypes.to_complex_dtype),
        promote_dtypes_numeric=promoted(lambda dtype: "int32" if dtype == "bool" else dtype),
    )


# -------------------------------------------------------------------------------------------------------------- small parts


def util_module() -> StandIn:
    """Return ``jax._src.util``: helpers on lists."""

    def safe_map(function: Callable[..., Any], *lists: Any) -> list[Any]:
        return [function(*row) for row in zip(*map(list, lists), strict=True)]

    def safe_zip(*lists: Any) -> list[Any]:
        return list(zip(*map(list, lists), strict=True))

    def split_list(items: Sequence[Any], lengths: Sequence[int]) -> list[list[Any]]:
        ends = np.cumsum([0, *lengths]).tolist()
        return [*(list(items[a:b]) for a, b in itertools.pairwise(ends)), list(items[ends[-1] :])]

    def subvals(items: Sequence[Any], changes: Any) -> tuple[Any, ...]:
        made = list(items)
        for place, value in changes:
            made[place] = value
        return tuple(made)

    return StandIn(
        "jax._src.util",
        safe_map=safe_map,
        safe_zip=safe_zip,
        unzip2=lambda pairs: tuple(map(tuple, zip(*pairs, strict=True))) or ((), ()),
        unzip3=lambda triples: tuple(map(tuple, zip(*triples, strict=True))) or ((), (), ()),
        split_list=split_list,
        subvals=subvals,
        curry=lambda function: functools.partial(functools.partial, function),
        tuple_update=lambda items, place, value: (*items[:place], value, *items[place + 1 :]),
        install_failure_signal_handler=lambda: None,
        Mutex=Mutex,
    )


class Mutex:
    """A lock of threads, which the tests do not start."""

    def __getattr__(self, _name: str) -> Any:
        return lambda *_args: None


def lax_module() -> StandIn:
    """Return ``jax._src.lax.lax``: the names of ``jax.lax`` and a few of its helpers."""

    def convert(x: Any, new_dtype: Any = None, weak_type: bool = False, **_kwargs: object) -> Any:
        made = jax.lax.convert_element_type(x, new_dtype if new_dtype is not None else xp.asarray(x).dtype)
        if not weak_type:
            return made
        from supremum._core.array import wrap

        return wrap(made._data, made._node.weak_form)

    return StandIn(
        "jax._src.lax.lax",
        jax.lax,
        _convert_element_type=convert,
        asarray=xp.asarray,
        _const=lambda example, value: xp.asarray(value, dtype=xp.asarray(example).dtype),
    )


def tree_module() -> StandIn:
    """Return ``jax._src.tree_util``: the names of ``jax.tree_util``, and two helpers that its functions are made of."""

    def broadcast(leaves: Sequence[Any], prefix: Any, full: Any) -> list[Any]:
        # The leaves of the full tree are numbers, which are leaves in every registry.
        return jax.tree.leaves(jax.tree.broadcast(prefix.unflatten(leaves), full.unflatten(range(full.num_leaves))))

    def prefix_errors(prefix: Any, full: Any, is_leaf: Any = None) -> list[Callable[[str], ValueError]]:
        def named(name: str) -> list[ValueError]:
            return list(_tree.prefix_errors(name, prefix, full, is_leaf))

        return [lambda name, i=i: named(name)[i] for i in range(len(named("")))]  # type: ignore[misc]  # i is bound

    return StandIn(
        "jax._src.tree_util", jax.tree_util, broadcast_flattened_prefix_with_treedef=broadcast, prefix_errors=prefix_errors
    )


def make_modules() -> None:
    """Put the stand-ins where imports find them."""
    named: dict[str, Callable[[], types.ModuleType]] = {
        "jax._src.config": config_module,
        "jax._src.dtypes": dtypes_module,
        "jax._src.numpy.util": promoting_module,
        "jax._src.util": util_module,
        "jax._src.lax": lambda: StandIn("jax._src.lax", jax.lax),
        "jax._src.lax.lax": lax_module,
        "jax._src.lax.linalg": lambda: StandIn("jax._src.lax.linalg", jax.lax.linalg),
        "jax._src.api": lambda: StandIn("jax._src.api", jax),
        "jax._src.array": lambda: StandIn("jax._src.array", ArrayImpl=xp.Array),
        "jax._src.errors": lambda: StandIn("jax._src.errors", jax.errors),
        "jax._src.tree_util": tree_module,
        "jax._src.core": lambda: StandIn(
            "jax._src.core", ShapedArray=jax.core.ShapedArray, typeof=jax.typeof, Tracer=jax.core.Tracer,
            ConcretizationTypeError=jax.errors.ConcretizationTypeError, reset_trace_state=lambda: True,
        ),
        "jax._src.sharding_impls": lambda: StandIn(
            "jax._src.sharding_impls", jax.sharding, jax, make_single_device_sharding=jax.sharding.SingleDeviceSharding,
        ),
        "jax._src.mesh": lambda: StandIn("jax._src.mesh", Mesh=jax.sharding.Mesh),
        "jax._src.typing": lambda: StandIn("jax._src.typing", jax.typing, Array=jax.Array),
        "jax._src.shard_map": lambda: StandIn("jax._src.shard_map", shard_map=jax.shard_map, smap=jax.smap),
        "jax._src.debugging": lambda: StandIn(
            "jax._src.debugging", jax.debug, debug_print=jax.debug.print, debug_callback=jax.debug.callback,
        ),
        "jax._src.dlpack": lambda: StandIn(
            "jax._src.dlpack", jax.dlpack, SUPPORTED_DTYPES_SET=frozenset(map(np.dtype, DLPACK_TYPES.split())),
        ),
        "jax._src.deprecations": lambda: StandIn("jax._src.deprecations", is_accelerated=lambda _name: False),
        "jax._src.compilation_cache": lambda: StandIn("jax._src.compilation_cache", _cache=None),
        "jax._src.xla_bridge": lambda: StandIn(
            "jax._src.xla_bridge", get_backend=_backend, num_cpu_devices=Setting("jax_num_cpu_devices", 1),
            devices=jax.devices,
            local_devices=jax.local_devices, backend_pjrt_c_api_version=lambda: None, using_pjrt_c_api=lambda _b: False,
        ),
        "jax._src.cloud_tpu_init": lambda: StandIn("jax._src.cloud_tpu_init", running_in_cloud_tpu_vm=False),
        "jax._src.lib": lambda: StandIn(
            "jax._src.lib", version=(0, 10, 2), cuda_versions=None, jaxlib_extension_version=1000,
            _jax=StandIn("jax._src.lib._jax", is_optimized_build=lambda: True),
            xla_client=StandIn("jax._src.lib.xla_client"),  # its device has a method that pickle_test sets
        ),
    }  # fmt: skip
    jax.install()
    for name in [name for name in sys.modules if name.startswith("jax._src")]:  # the stand-ins and the checkout take its place
        del sys.modules[name]
    sys.modules["jax._src"] = Inner("jax._src")
    vars(jax)["_src"] = sys.modules["jax._src"]
    for name, make in named.items():
        module = make()
        sys.modules[name] = module
        parent, _, last = name.rpartition(".")
        if parent in sys.modules:
            setattr(sys.modules[parent], last, module)


@functools.cache
def _backend(*_args: object) -> Any:
    return types.SimpleNamespace(platform="cpu", platform_version="cpu")


# ---------------------------------------------------------------------------------------------------------------- imports


class Finder(MetaPathFinder, Loader):
    """Finds modules of ``jax`` that supremum lacks: JAX's helpers for tests in the checkout, others as stand-ins."""

    def __init__(self, checkout: Path, *, inside: bool) -> None:
        self.checkout = checkout
        self.inside = inside

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:  # noqa: ARG002 - Python's signature
        """Return where a module is; `inside`: of ``jax._src`` only."""
        if self.inside and not fullname.startswith("jax._src."):
            return None
        if not fullname.startswith(("jax.", "supremum.scipy.")):  # `from jax.scipy import x` asks for `supremum.scipy.x`
            return None
        parts = fullname.split(".")
        if parts[1] == "_src" and len(parts) > 2 and parts[2] in CHECKOUT:
            file = self.checkout.joinpath(*parts)
            if file.is_dir():
                return (
                    importlib.util.spec_from_file_location(
                        fullname, file / "__init__.py", submodule_search_locations=[str(file)]
                    )
                    if (file / "__init__.py").exists()
                    else ModuleSpec(fullname, self, is_package=True)
                )
            return importlib.util.spec_from_file_location(fullname, file.with_suffix(".py"))
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        """Return a stand-in without names."""
        return StandIn(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Do nothing: a stand-in is complete."""


def install(checkout: Path) -> None:
    """Answer all imports of ``jax`` from supremum, from the checkout's helpers for tests, and from stand-ins."""
    make_modules()
    sys.meta_path.insert(0, Finder(checkout, inside=True))  # before supremum's own names of JAX's inside
    sys.meta_path.append(Finder(checkout, inside=False))
    # JAX's own checks of gradients, against differences, in place of ours. With its step of 1e-4, differences of float32 are
    # within its tolerances or not by their last digits.
    checks: Any = importlib.import_module("jax._src.public_test_util")
    checks.EPS = 3e-4
    sys.modules["jax.test_util"] = StandIn("jax.test_util", checks)
    make_lenient()


def make_lenient() -> None:
    """Change JAX's test case where it asks for a compiler or for JAX's words."""
    util: Any = importlib.import_module("jax._src.test_util")
    case = util.JaxTestCase
    base = case.__mro__[1]

    def plain(tree: Any) -> Any:
        return jax.tree.map(lambda x: np.asarray(x) if isinstance(x, xp.Array) else x, tree, is_leaf=lambda x: x is None)

    def check_against_numpy(
        self: Any, numpy_reference_op: Any, lax_op: Any, args_maker: Any, check_dtypes: bool = True, tol: Any = None,
        atol: Any = None, rtol: Any = None, canonicalize_dtypes: bool = True,
    ) -> None:  # fmt: skip
        args = args_maker()
        # The reference gets NumPy's arrays: a call of NumPy with our arrays would be answered by our functions.
        self.assertAllClose(
            lax_op(*args), numpy_reference_op(*plain(args)), check_dtypes=check_dtypes, atol=atol or tol, rtol=rtol or tol,
            canonicalize_dtypes=canonicalize_dtypes,
        )  # fmt: skip

    def compile_and_check(self: Any, fun: Any, args_maker: Any, **_kwargs: Any) -> None:
        # Nothing is compiled: the function is called, and a result has the shape that it says.
        found = fun(*args_maker())
        shapes = jax.tree.map(np.shape, found), jax.tree.map(lambda x: np.shape(np.asarray(x)), found)
        self.assertEqual(*shapes)  # noqa: PT009 - a method of unittest's classes

    def assert_raises(self: Any, kind: Any, _words: object, *args: Any, **kwargs: Any) -> Any:
        return base.assertRaises(self, kind, *args, **kwargs)  # noqa: PT027 - as above

    def assert_warns(self: Any, kind: Any, _words: object) -> Any:
        return self.assertWarns(kind)

    all_close = case.assertAllClose

    def assert_all_close(self: Any, actual: Any, desired: Any, *, err_msg: str = "", **options: Any) -> None:
        try:
            all_close(self, actual, desired, err_msg=err_msg, **options)
        except AssertionError as error:
            if not re.match(REGION_AT_INFINITY, err_msg):
                raise
            self.addCleanup(fail, error)  # when the other regions have been compared too

    def fail(error: AssertionError) -> None:
        raise error

    case._CheckAgainstNumpy = check_against_numpy
    case._CompileAndCheck = compile_and_check
    case.assertRaisesRegex = case.assertRaisesWithLiteralMatch = assert_raises  # our errors have words of their own
    case.assertWarnsRegex = assert_warns
    case.assertAllClose = assert_all_close
    util.JIT_IMPLEMENTATION = util.JIT_IMPLEMENTATION[:1]
