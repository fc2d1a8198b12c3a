"""The functions of `jax` itself: `jit` and other wrappers of functions, devices, callbacks and settings."""

from __future__ import annotations

import contextlib
import functools
import inspect
import operator
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum import Array, config
from supremum._array.operand import Operand
from supremum._array.sharding import CPU, Device, NamedSharding, ShapedArray
from supremum._base.exceptions import describe
from supremum._core.settings import state
from supremum.jax import _tree
from supremum.jax._abstract import eval_shape
from supremum.jax._custom_rules import parameters_of
from supremum.jax._loops import PLAIN, Signatures
from supremum.jax._modules import Context
from supremum.jax._programs import make_jaxpr
from supremum.jax._refs import Ref, check_distinct, check_no_refs
from supremum.jax._stages import Traced
from supremum.jax._values import ShapeDtypeStruct, as_leaf, as_leaves, float0, is_float0, is_ref, is_value, items_of, wraps

# -- wrappers of functions ----------------------------------------------------------------------------------------------------


def jit(
    fun: Callable[..., Any] | None = None, /, *, static_argnums: Any = None, static_argnames: Any = None,
    donate_argnums: Any = None, donate_argnames: Any = None, **_options: object,
) -> Any:  # fmt: skip
    """Return a function whose arguments and results are trees of Arrays; it is recorded and run by the engine.

    For arrays of the same structure, shapes and dtypes, and the same static arguments, it is called once with operands without
    elements, and the functions that it called are run without Python between them. A function that needs elements, or whose
    shapes depend on them, raises JAX's errors; one that cannot be recorded for another reason is called as it is.

    Parameters
    ----------
    fun : callable, optional
        The function; without it, a decorator is returned.
    static_argnums : int or sequence of int, optional
        Positions of arguments that are passed as they are; they must be hashable.
    static_argnames : str or sequence of str, optional
        Names of such arguments.
    donate_argnums, donate_argnames, **_options : optional
        Ignored.

    Returns
    -------
    callable
        The function.
    """
    if fun is None:
        return functools.partial(
            jit, static_argnums=static_argnums, static_argnames=static_argnames, donate_argnums=donate_argnums,
            donate_argnames=donate_argnames,
        )  # fmt: skip
    if not callable(fun):
        raise TypeError(f"Expected a callable value, got {describe(fun)}")
    name = getattr(fun, "__name__", type(fun).__name__)
    numbers, names = _chosen(fun, static_argnums, static_argnames, "static")
    donated = _chosen(fun, donate_argnums, donate_argnames, "donate")
    if names & donated[1] or numbers & donated[0]:
        raise ValueError(f"jit: arguments are static or donated, got both for {sorted(names & donated[1])}")
    signatures = Signatures()

    @wraps(fun)
    def jitted(*args: Any, **kwargs: Any) -> Any:
        if state().step_by_step:
            return fun(*args, **kwargs)
        fixed = {number % len(args) for number in numbers if -len(args) <= number < len(args)} if numbers else numbers
        leaves: list[Any] = []
        signature: list[Any] = []
        refs: dict[int, Any] = {}
        structures: list[Any] = []
        words = []
        converted = False
        for i, arg in enumerate(args):
            if type(arg) is Array and i not in fixed:  # as most arguments are
                leaves.append(arg)
                signature += arg.shape, id(arg._node)
                structures.append(None)
            else:
                structures.append(_taken(arg, i in fixed, name, leaves, signature, refs))
                converted = converted or structures[-1] is _tree.LEAF
        for word, arg in kwargs.items():
            signature.append(word)
            words.append(_taken(arg, word in names, name, leaves, signature, refs))
            converted = converted or (words[-1] is _tree.LEAF and type(arg) is not Array)

        def call(arrays: Sequence[Any]) -> Any:
            """Call the function with arrays in place of those that are given; as it is, it gets the references themselves."""
            inner = refs if arrays is leaves else {i: Ref(arrays[i]) for i in refs}
            rest = iter([inner.get(i, x) for i, x in enumerate(arrays)] if refs else arrays)
            given = [_merged(structure, arg, rest) for structure, arg in zip(structures, args, strict=True)]
            named = [_merged(structure, arg, rest) for structure, arg in zip(words, kwargs.values(), strict=True)]
            out = _results(fun(*given, **dict(zip(kwargs, named, strict=True))), name)
            return (out, [ref.value for ref in inner.values()]) if refs else out

        if not refs:
            return signatures.call(tuple(signature), call, leaves, (), converted)
        check_distinct([*refs.values()], name)
        out, held = signatures.call(tuple(signature), call, leaves, refs.values(), converted)
        for ref, x in zip(refs.values(), held, strict=True):
            ref.store(x)
        return out

    wrapped: Any = jitted
    trace = wrapped.trace = functools.partial(_trace, fun, name, (numbers, names), donated)
    wrapped.lower = lambda *args, **kwargs: trace(*args, **kwargs).lower()  # which does not refer to the function itself
    wrapped.eval_shape = functools.partial(eval_shape, fun)
    wrapped.clear_cache = signatures.clear
    wrapped._cache_size = lambda: len(signatures.seen)
    with contextlib.suppress(TypeError, ValueError):  # functions written in C have no signature
        wrapped.__signature__ = inspect.signature(fun)
    return jitted


def _trace(fun: Callable[..., Any], name: str, static: Any, donated: Any, /, *args: Any, **kwargs: Any) -> Traced:
    """Record the program of a function."""
    numbers, names = static
    fixed = {number % len(args) for number in numbers if -len(args) <= number < len(args)}
    held = {key: x for key, x in kwargs.items() if key in names}

    def of_moving(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **words: Any) -> Any:
            rest = iter(given)
            every = [args[i] if i in fixed else next(rest) for i in range(len(args))]
            return _results(function(*every, **held, **words), name)

        return call

    given = tuple([x for i, x in enumerate(args) if i not in fixed])
    words = {key: x for key, x in kwargs.items() if key not in names}
    for x in _tree.flatten((given, words))[0]:
        if not hasattr(x, "shape"):
            _traced(x, name)
    jitted = of_moving(jit(fun, static_argnums=tuple(numbers), static_argnames=tuple(names)))
    return Traced(jitted, name, make_jaxpr(of_moving(fun), return_shape=True), (given, words), donated)


def _chosen(fun: Callable[..., Any], argnums: Any, argnames: Any, what: str) -> tuple[set[int], set[str]]:
    """Return the positions and the names of static or donated arguments; one follows from the other by the signature."""
    numbers, names = {operator.index(i) for i in items_of(argnums)}, set(items_of(argnames))
    if not all(isinstance(name, str) for name in names):
        raise TypeError(f"jit: {what}_argnames is a name or a sequence of names, got {describe(argnames)}")
    parameters = parameters_of(fun)
    if parameters is None:
        return numbers, names
    plain = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    kinds = {p.kind for p in parameters}
    known = {p.name for p in parameters if p.kind is not p.VAR_KEYWORD}
    if names - known and not any(p.kind is p.VAR_KEYWORD for p in parameters):
        raise ValueError(
            f"jitted function has invalid argnames {sorted(names - known)} in {what}_argnames. Function "
            f"does not take these args."
        )
    if inspect.Parameter.VAR_POSITIONAL not in kinds and any(not -len(plain) <= i < len(plain) for i in numbers):
        raise ValueError(f"jitted function has {what}_argnums={argnums}, but only accepts {len(plain)} positional arguments.")
    if argnames is None:
        names = {plain[i] for i in numbers if -len(plain) <= i < len(plain)}
    elif argnums is None:
        numbers = {i for i, parameter in enumerate(plain) if parameter in names}
    return numbers, names


_EQUAL_TO_INTEGERS: Final = (bool, float, complex)
#: What is in place of the structure of an argument that is passed as it is.
_FIXED: Final = object()


def _taken(x: Any, fixed: bool, name: str, leaves: list[Any], signature: list[Any], refs: dict[int, Any]) -> Any:
    """Append the arrays of an argument, and what JAX compiles a function for; return its structure.

    Of a reference, which is kept by its place among the arrays, it is what the reference holds.
    """
    if fixed:
        signature += [_hashable(x, name), *([type(x)] if type(x) in _EQUAL_TO_INTEGERS else [])]
        return _FIXED
    found, structure = _tree.flatten(x)
    if not PLAIN.issuperset(map(type, found)):
        found, structure = _tree.flatten(_traced(x, name))
    if structure is not _tree.LEAF:  # what is no Array yet is recorded with Arrays of its shape and dtype
        signature.append(structure)
    for leaf in found:
        if is_ref(leaf):
            signature.append("ref")
            refs[len(leaves)] = leaf
            leaf = leaf.value  # noqa: PLW2901 - in its place
        leaves.append(leaf)
        signature += leaf.shape, float0 if is_float0(leaf) else id(leaf._node)
    return structure


def _merged(structure: Any, x: Any, arrays: Iterator[Any]) -> Any:
    """Return an argument with other arrays in place of its own; an array has no structure."""
    if structure is None:
        return next(arrays)
    return x if structure is _FIXED else structure.unflatten([next(arrays) for _ in range(structure.num_leaves)])


def _hashable(x: Any, name: str) -> Any:
    try:
        hash(x)
    except TypeError:
        raise ValueError(
            f"Non-hashable static arguments are used in a jit function {name}: an object of type {type(x)} is not hashable"
        ) from None
    return x


def _traced(x: Any, name: str) -> Any:
    leaves, structure = _tree.flatten(x)
    if any(isinstance(leaf, np.ma.MaskedArray) for leaf in leaves):
        raise ValueError(f"{name}: numpy masked arrays are not supported as arguments of jit; pass x.filled(...)")
    message = f"Error interpreting argument to {name} as an abstract array. The problematic value is"
    return _converted(leaves, structure, message, ". Name it in static_argnums or static_argnames to pass it as it is.")


def _converted(leaves: list[Any], structure: _tree.PyTreeDef, message: str, rest: str) -> Any:
    """Return a tree with its leaves as Arrays; raise TypeError with a message and the type of the leaf that is no array."""
    try:
        return structure.unflatten([as_leaf(leaf) for leaf in leaves])
    except TypeError:
        wrong = next((leaf for leaf in leaves if not is_value(leaf)), None)
        raise TypeError(f"{message} of type {type(wrong)}{rest}") from None


def _results(out: Any, name: str) -> Any:
    if type(out) is Array:
        return out
    check_no_refs(_tree.flatten(out)[0], f"function {name} traced for jit")
    message = f"function {name} traced for jit returned a value"
    return _converted(*_tree.flatten(out), message, ", which is not a valid JAX type")


def named_call(fun: Callable[..., Any] | None = None, *, name: str | None = None) -> Any:
    """Return the function as it is: names are for compiled programs."""
    return functools.partial(named_call, name=name) if fun is None else fun


class named_scope(Context):
    """A context without effect: names are for compiled programs."""

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"named_scope name argument must be a string, got {describe(name)}")
        self.name = name


def disable_x64() -> contextlib.AbstractContextManager[None]:
    """Disable 64-bit dtypes within a ``with`` block."""
    return xp.enable_x64(False)


# -- devices ------------------------------------------------------------------------------------------------------------------


def devices(backend: str | None = None) -> list[Device]:
    """Return the only device."""
    if backend not in (None, "cpu"):
        raise RuntimeError(f"Unknown backend {backend!r}; the only platform is cpu")
    return [CPU]


def local_devices(process_index: int | None = None, backend: str | None = None, host_id: int | None = None) -> list[Device]:
    """Return the only device."""
    return devices(backend)


def device_count(backend: str | None = None) -> int:
    """Return 1."""
    return len(devices(backend))


def device_put(
    x: Any, device: object = None, *, src: object = None, donate: bool = False, may_alias: bool | None = None
) -> Any:
    """Return a tree with its leaves as Arrays; `device` is the only one, or a tree of distributions over it."""
    leaves, structure = as_leaves(x)
    if isinstance(device, NamedSharding):
        for leaf in leaves:
            device.check_compatible_aval(leaf.shape)
    return structure.unflatten(leaves)


def device_get(x: Any) -> Any:
    """Return a tree with its Arrays as NumPy arrays; operands that a transformation follows are left as they are."""
    return _tree.mapped(
        lambda leaf: np.asarray(leaf) if hasattr(leaf, "__array__") and not isinstance(leaf, Operand) else leaf, x
    )


def typeof(x: Any) -> ShapedArray:
    """Return the shape and the dtype of an array, a scalar or a `ShapeDtypeStruct`."""
    found: Any = x if isinstance(x, ShapeDtypeStruct) else as_leaf(x)
    return found.aval if is_ref(found) else ShapedArray(found.shape, found.dtype, not is_float0(found) and found.weak_type)


def print_environment_info(return_string: bool = False) -> str | None:
    """Print the versions, or return them as text."""
    text = f"supremum: {xp.__version__} ({xp.__engine__})\nnumpy: {np.__version__}\nsettings: {config!r}"
    if return_string:
        return text
    sys.stdout.write(f"{text}\n")
    return None
