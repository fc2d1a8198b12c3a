"""Names of JAX's insides that libraries use, on real values: primitives, functions that are transformed, flat functions."""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum import Array
from supremum._array.sharding import CPU, ShapedArray
from supremum.jax import _tree
from supremum.jax._api import devices, typeof
from supremum.jax._custom_rules import level_of
from supremum.jax._dual import Level
from supremum.jax._modules import REASONS, refusal
from supremum.jax._primitives import Primitive
from supremum.jax._programs import Jaxpr, eval_jaxpr, make_jaxpr
from supremum.jax._values import as_leaf, float0, items_of
from supremum.jax.tree_util import broadcast_prefix
from supremum.promotion._nodes import as_node


class Trace:
    """The class of interpreters of operations."""

    #: What the operands of the interpreter belong to: the level of a derivative, or None.
    main: Any = None


class _Evaluation(Trace):
    """The interpreter of operations, which are computed at once; of the operands of a level, if one is given."""

    def __init__(self, level: Level | None = None) -> None:
        self.main = level

    def process_primitive(self, primitive: Primitive, args: Any, params: Any) -> Any:
        return primitive.impl(*args, **params)


_EVALUATION: Final = _Evaluation()
#: The classes of values.
array_types: Final = {Array, np.ndarray, np.bool_, np.integer, np.floating, np.complexfloating}
no_effects: Final[frozenset[Any]] = frozenset()
#: What JAX calls for arguments of further classes; nothing is looked up here.
canonicalize_dtype_handlers: Final[dict[type, Any]] = dict.fromkeys(array_types, as_leaf)
pytype_aval_mappings: Final[dict[type, Any]] = dict.fromkeys(array_types, typeof)
shard_arg_handlers: Final[dict[type, Any]] = dict.fromkeys(array_types, as_leaf)


def find_top_trace(xs: Any = ()) -> Trace:
    """Return the interpreter of the innermost derivative of which there are operands."""
    level = level_of(xs)
    return _EVALUATION if level is None else _Evaluation(level)


@contextlib.contextmanager
def take_current_trace() -> Iterator[Trace]:
    """Give the only interpreter to a ``with`` block."""
    yield _EVALUATION


@contextlib.contextmanager
def set_current_trace(trace: Trace, check_leaks: bool = False) -> Iterator[None]:
    """Use the only interpreter in a ``with`` block; raise NotImplementedError for another one."""
    if trace is not _EVALUATION:
        refusal("jax.extend.core", "set_current_trace", REASONS["tracing"])()
    yield


def call_impl(fun: WrappedFun, *args: Any, **_params: Any) -> Any:
    """Call a function."""
    return fun.call_wrapped(*args)


def concrete_or_error(force: Any, val: Any, context: str = "") -> Any:
    """Return a value, converted by `force` if it is a function."""
    return val if force is None else force(val)


def mapped_aval(size: int, axis: int | None, aval: ShapedArray) -> ShapedArray:
    """Return the description of an array without one of its axes."""
    return aval if axis is None else aval.update(shape=np.delete(aval.shape, axis).tolist())


def unmapped_aval(size: int, axis: int | None, aval: ShapedArray, *_options: Any) -> ShapedArray:
    """Return the description of an array with one more axis."""
    return aval if axis is None else aval.update(shape=[*aval.shape[:axis], size, *aval.shape[axis:]])


def primal_dtype_to_tangent_dtype(dtype: Any) -> Any:
    """Return the dtype of derivatives: the same for floats, `float0` for others."""
    return dtype if as_node(dtype).kind in "fc" else float0


# -- functions that are transformed ---


class StoreException(Exception):
    """A result that is stored twice, or read before."""

    __module__ = "supremum.jax.extend.linear_util"


class _Store:
    """Holds what a transformed function gives besides its result."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def store(self, value: Any) -> None:
        self.values = [value]

    def __call__(self) -> Any:
        if not self.values:
            raise StoreException("Store empty")
        return self.values[0]

    val = property(__call__)


class WrappedFun:
    """A function, perhaps a transformed one."""

    def __init__(self, f: Callable[..., Any], params: Any = None, debug_info: Any = None) -> None:
        self.f = f
        self.params = dict(params or ())
        self.debug_info = debug_info
        self.__name__ = getattr(f, "__name__", "<unnamed function>")

    def call_wrapped(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        return self.f(*args, **self.params, **kwargs)


def wrap_init(f: Callable[..., Any], params: Any = None, *, debug_info: Any = None) -> WrappedFun:
    """Return a function that can be transformed."""
    return WrappedFun(f, params, debug_info)


def transformation2(transform: Callable[..., Any], *applied: Any) -> Any:
    """Return a function that transforms functions: `transform` is called with one, fixed arguments, and arguments."""

    def apply(fun: WrappedFun, *fixed: Any) -> WrappedFun:
        return WrappedFun(functools.partial(transform, fun.call_wrapped, *fixed), debug_info=fun.debug_info)

    return apply(*applied) if applied else apply


def transformation_with_aux2(transform: Callable[..., Any], *applied: Any) -> Any:
    """Return a function that transforms functions and returns, too, what returns the value that `transform` stores."""

    def apply(fun: WrappedFun, *fixed: Any) -> tuple[WrappedFun, Callable[[], Any]]:
        store = _Store()
        return WrappedFun(functools.partial(transform, fun.call_wrapped, store, *fixed), debug_info=fun.debug_info), store

    return apply(*applied) if applied else apply


def _sent(generator: Callable[..., Any], fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a function with the arguments that a generator yields, and return what it yields for the result."""
    running = generator(*args, **kwargs)
    given, words = next(running)
    return running.send(fun(*given, **words))


def transformation(generator: Callable[..., Any], *applied: Any) -> Any:
    """Return a function that transforms functions by a generator of arguments and of the result."""
    return transformation2(functools.partial(_sent, generator), *applied)


def transformation_with_aux(generator: Callable[..., Any], *applied: Any) -> Any:
    """Return a function that transforms functions by a generator, whose second value goes with the result."""

    def transform(fun: Callable[..., Any], store: _Store, *args: Any, **kwargs: Any) -> Any:
        out, aux = _sent(generator, fun, *args, **kwargs)
        store.store(aux)
        return out

    return transformation_with_aux2(transform, *applied)


def merge_linear_aux(aux1: Callable[[], Any], aux2: Callable[[], Any]) -> tuple[bool, Any]:
    """Return whether the first of two values was stored, and the one that was."""
    try:
        return True, aux1()
    except StoreException:
        return False, aux2()


def debug_info(
    traced_for: str, fun: Callable[..., Any], args: Any = (), kwargs: Any = None, **_options: Any
) -> types.SimpleNamespace:
    """Return a name for messages."""
    return types.SimpleNamespace(traced_for=traced_for, func_name=getattr(fun, "__name__", "<unknown>"))


def _flat(f: WrappedFun, in_tree: _tree.PyTreeDef, call: Callable[..., Any]) -> tuple[WrappedFun, Callable[[], Any]]:
    store = _Store()

    def flat(*leaves: Any) -> list[Any]:
        out, structure = _tree.flatten(call(in_tree.unflatten(leaves)))
        store.store(structure)
        return out

    return WrappedFun(flat, debug_info=f.debug_info), store


def flatten_fun(f: WrappedFun, in_tree: _tree.PyTreeDef) -> tuple[WrappedFun, Callable[[], Any]]:
    """Return a function of the leaves of arguments and words, and what returns the structure of its result."""
    return _flat(f, in_tree, lambda given: f.call_wrapped(*given[0], **given[1]))


def flatten_fun_nokwargs(f: WrappedFun, in_tree: _tree.PyTreeDef) -> tuple[WrappedFun, Callable[[], Any]]:
    """Return a function of the leaves of arguments, and what returns the structure of its result."""
    return _flat(f, in_tree, lambda given: f.call_wrapped(*given))


def argnums_partial(f: WrappedFun, dyn_argnums: Any, args: Any, **_options: Any) -> tuple[WrappedFun, tuple[Any, ...]]:
    """Return a function of some of the arguments, and those; the others are fixed."""
    chosen = [i % len(args) for i in items_of(dyn_argnums)]

    def call(*given: Any, **kwargs: Any) -> Any:
        merged = list(args)
        for i, x in zip(chosen, given, strict=True):
            merged[i] = x
        return f.call_wrapped(*merged, **kwargs)

    return WrappedFun(call, debug_info=f.debug_info), tuple(args[i] for i in chosen)


def infer_argnums_and_argnames(sig: Any, argnums: Any, argnames: Any) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return positions and names of arguments; if one of both is None, it follows from the other by the signature."""
    numbers, words = items_of(argnums), items_of(argnames)
    parameters = list(sig.parameters.values())
    positional = [p.name if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) else None for p in parameters]
    if argnums is None:
        numbers = tuple(i for i, name in enumerate(positional) if name in words)
    elif argnames is None:
        words = tuple(parameters[i].name for i in numbers if parameters[i].kind is parameters[i].POSITIONAL_OR_KEYWORD)
    return numbers, words


def flatten_axes(name: str, treedef: _tree.PyTreeDef, axis_tree: Any, *, tupled_args: bool = False) -> list[Any]:
    """Return one axis for each leaf of a structure."""
    full = treedef.unflatten([object() for _ in range(treedef.num_leaves)])
    return broadcast_prefix(axis_tree, full, is_leaf=lambda x: x is None)


def safe_map(f: Callable[..., Any], *args: Any) -> list[Any]:
    """Return the results for rows of lists, which must have one length."""
    lists = [list(arg) for arg in args]
    if len({len(one) for one in lists}) > 1:
        raise AssertionError(f"length mismatch: {[len(one) for one in lists]}")
    return list(map(f, *lists))


def safe_zip(*args: Any) -> list[Any]:
    """Return rows of lists, which must have one length."""
    return list(zip(*map(list, args), strict=True))


# -- what is known before a function is called ---


class PartialVal(tuple[Any, Any]):
    """A description and None for a value that is not known yet, or None and the value."""

    __slots__ = ()

    def __new__(cls, pair: Any) -> PartialVal:  # noqa: PYI034 - a tuple
        """Make it of a pair."""
        return super().__new__(cls, pair)

    @classmethod
    def known(cls, const: Any) -> PartialVal:
        """Return a known value."""
        return cls((None, const))

    @classmethod
    def unknown(cls, aval: Any) -> PartialVal:
        """Return a value of which shape and dtype are known."""
        return cls((aval, None))

    def is_known(self) -> bool:
        """Return whether the value is known."""
        return self[0] is None

    def get_known(self) -> Any:
        """Return the value, or None."""
        return self[1]

    def get_aval(self) -> Any:
        """Return the shape and the dtype."""
        return typeof(self[1]) if self[0] is None else self[0]


def trace_to_jaxpr_nounits(
    fun: WrappedFun, pvals: Sequence[PartialVal], instantiate: bool = False
) -> tuple[Jaxpr, list[PartialVal], list[Any]]:
    """Return the program of the unknown results of a function, all its results as values, and the program's constants."""

    def call(*unknown: Any) -> Any:
        rest = iter(unknown)
        return fun.call_wrapped(*[pval[1] if pval.is_known() else next(rest) for pval in pvals])

    closed = make_jaxpr(call)(*[pval.get_aval() for pval in pvals if not pval.is_known()])
    program, known = closed.jaxpr, []
    depend = set(program.invars)
    for eqn in program.eqns:
        if depend.isdisjoint(eqn.invars):
            known.append(eqn)
        else:
            depend.update(eqn.outvars)
    if instantiate:
        depend.update(program.outvars)
    unknown = [x for x in program.outvars if x in depend]
    given = Jaxpr(program.constvars, [], [x for x in program.outvars if x not in depend], known)
    values = iter(eval_jaxpr(given, closed.consts))
    made = [PartialVal.unknown(x.aval) if x in depend else PartialVal.known(next(values)) for x in program.outvars]
    return Jaxpr([], [*program.constvars, *program.invars], unknown, program.eqns), made, closed.consts


# -- dtypes, trees, the backend ---


def to_inexact_dtype(dtype: Any) -> Any:
    """Return the dtype of floating-point results of operands of a dtype."""
    return xp.dtype(dtype) if as_node(dtype).kind in "fc" else xp.sin(xp.zeros((), dtype=dtype)).dtype


def to_complex_dtype(dtype: Any) -> Any:
    """Return the complex dtype for operands of a dtype."""
    return xp.dtype("complex128" if to_inexact_dtype(dtype) in ("float64", "complex128") else "complex64")


def supports_inf(dtype: Any) -> bool:
    """Return whether a dtype has infinities."""
    return bool(xp.isinf(xp.asarray(np.inf, dtype=dtype)))


def _promoted(least: Callable[[Any], Any]) -> Callable[..., list[Array]]:
    def promote(*args: Any) -> list[Array]:
        """Return the arguments as arrays of one dtype."""
        dtype = least(xp.result_type(*args))
        return [xp.astype(xp.asarray(x), dtype) for x in args]

    return promote


promote_dtypes: Final = _promoted(lambda dtype: dtype)
promote_dtypes_inexact: Final = _promoted(to_inexact_dtype)
promote_dtypes_complex: Final = _promoted(to_complex_dtype)
promote_dtypes_numeric: Final = _promoted(lambda dtype: "int32" if dtype == "bool" else dtype)


class _Registry(Mapping[type, Any]):
    """The registry of trees, in the form of JAX's."""

    def __getitem__(self, kind: type) -> Any:
        handler = _tree.REGISTRY[kind]
        return types.SimpleNamespace(to_iter=handler.flatten, from_iter=handler.unflatten)

    def __iter__(self) -> Iterator[type]:
        return iter(_tree.REGISTRY)

    def __len__(self) -> int:
        return len(_tree.REGISTRY)


registry: Final = _Registry()


class Backend:
    """The only backend."""

    platform = platform_version = "cpu"

    def devices(self) -> list[Any]:
        """Return the only device."""
        return [CPU]

    local_devices = devices

    def device_count(self) -> int:
        """Return 1."""
        return 1

    def process_index(self) -> int:
        """Return 0."""
        return 0


_BACKEND: Final = Backend()


def get_backend(platform: str | None = None) -> Backend:
    """Return the only backend."""
    devices(platform)
    return _BACKEND


def backends() -> dict[str, Backend]:
    """Return the only backend by its name."""
    return {"cpu": _BACKEND}


def get_default_device() -> Any:
    """Return the only device."""
    return CPU


#: JAX's lists of effects that are allowed somewhere; all are.
effects: Final = types.SimpleNamespace(add_type=lambda _kind: None, contains=lambda _kind: True)
#: JAX's state of a cluster of processes, of which there is none.
global_state: Final = types.SimpleNamespace(client=None, service=None, process_id=0, num_processes=1, coordinator_address=None)
