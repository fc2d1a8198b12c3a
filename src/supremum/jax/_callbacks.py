"""Calls of functions of the program's with arrays: at once, or as equations of a program that is recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import supremum as xp
from supremum._array.sharding import ShapedArray
from supremum._base.functions import takes_over
from supremum.jax import _tree
from supremum.jax._abstract import unknown_of
from supremum.jax._batching import Batched, active, described, innermost_axis, sequential, with_node
from supremum.jax._dual import Dual, moving_or_value
from supremum.jax._programs import Opaque, recording
from supremum.jax._traces import once, tracing
from supremum.jax._values import as_leaf, as_leaves, wraps
from supremum.jax.errors import CallbackError

#: What `vmap` does with the operands of `pure_callback`.
_METHODS: Final = ("sequential", "sequential_unrolled", "expand_dims", "broadcast_all", "legacy_vectorized")


def pure_callback(
    callback: Callable[..., Any],
    result_shape_dtypes: Any,
    *args: Any,
    sharding: object = None,
    vmap_method: str | None = None,
    **kwargs: Any,
) -> Any:
    """Call a function of arrays that returns arrays of given shapes and dtypes.

    Parameters
    ----------
    callback : callable
        The function. It has no effects: where a program does not use its results, it is not called.
    result_shape_dtypes : tree
        The shapes and dtypes of its results.
    *args, **kwargs
        Its arguments, trees of arrays.
    sharding : optional
        Ignored.
    vmap_method : str, optional
        What `vmap` does: call it for each position (``"sequential"``), or once, with the mapped axis in front, where other
        arguments get an axis of length 1 (``"expand_dims"``), or of its length (``"broadcast_all"``).

    Returns
    -------
    tree of Array
        The results.
    """
    if vmap_method not in (None, *_METHODS):
        raise ValueError(f"vmap_method must be on of the allowed methods {[*_METHODS, None]}, but got: {vmap_method!r}")
    leaves, structure = as_leaves((args, kwargs))
    wanted, expected = _tree.flatten(result_shape_dtypes)

    leaves = [moving_or_value(x) for x in leaves]
    return expected.unflatten(
        _pure(_of_leaves(callback, structure), leaves, [_typed(x) for x in wanted], expected, vmap_method)
    )


def _of_leaves(callback: Callable[..., Any], structure: Any) -> Callable[..., Any]:
    """Return a function of the leaves of a function's arguments."""

    @wraps(callback)
    def call(*leaves: Any) -> Any:
        args, kwargs = structure.unflatten(leaves)
        return callback(*args, **kwargs)

    return call


def _pure(call: Callable[..., Any], operands: list[Any], wanted: list[Any], expected: Any, method: str | None) -> list[Any]:
    """Call a function without effects, of operands of any transformation."""
    axis = innermost_axis(operands)
    if any(type(x) is Dual for x in operands):
        raise ValueError(
            "Pure callbacks do not support JVP. Please use `jax.custom_jvp` to use callbacks while taking gradients."
        )
    if axis is None:
        return _called("pure_callback", call, operands, wanted, expected)
    if method is None:
        raise NotImplementedError(
            "vmap is only supported for the pure_callback primitive when vmap_method is one of 'sequential', "
            f"'sequential_unrolled', 'expand_dims', 'broadcast_all', 'legacy_vectorized'. Got {method!r}."
        )
    if axis.position is not None or method.startswith("sequential"):
        return sequential(lambda *xs: _pure(call, list(xs), wanted, expected, method))(*operands)
    values = []
    for x in operands:
        if type(x) is Batched and x.axis is axis:
            values.append(x.value)
        elif method == "legacy_vectorized":
            values.append(x)
        else:
            values.append(xp.broadcast_to(x, (axis.size if method == "broadcast_all" else 1, *x.shape)))
    shapes = [like.update(shape=(axis.size, *like.shape)) for like in wanted]
    return [Batched(axis, x) for x in _pure(call, values, shapes, expected, method)]


def io_callback(
    callback: Callable[..., Any], result_shape_dtypes: Any, *args: Any, sharding: object = None, ordered: bool = False,
    **kwargs: Any,
) -> Any:  # fmt: skip
    """Call a function of arrays for its effects; it returns arrays of given shapes and dtypes, or None.

    Parameters
    ----------
    callback, result_shape_dtypes, *args, sharding, **kwargs
        As for `pure_callback`; a program calls it even where the results are not used.
    ordered : bool
        Whether the order of calls matters, which is why `vmap` refuses it. Calls are in order in any case.

    Returns
    -------
    tree of Array
        The results.
    """
    found, structure = as_leaves((args, kwargs))
    leaves: list[Any] = list(found)
    wanted, expected = _tree.flatten(result_shape_dtypes)
    shapes = [_typed(x) for x in wanted]
    if "checkpoint" in active.swaps:  # which would call it again
        raise NotImplementedError("Effects not supported in partial-eval of `checkpoint`/`remat`: io_callback")
    if any(type(x) is Dual for x in leaves):
        raise ValueError("IO callbacks do not support JVP.")
    if ordered and any(type(x) is Batched for x in leaves):
        raise ValueError("Cannot `vmap` ordered IO callback.")

    call = _of_leaves(callback, structure)
    run = sequential(lambda *operands: _called("io_callback", call, operands, shapes, expected))
    return expected.unflatten(run(*leaves))


def debug_callback(name: str, call: Callable[..., Any], first: Any, args: Any, kwargs: Any) -> None:
    """Call a function for what it shows; leaves of its arguments that are no arrays are passed as they are."""
    leaves, structure = _tree.flatten((args, kwargs))
    arrays = [takes_over(x) or hasattr(x, "dtype") or isinstance(x, bool | int | float | complex) for x in leaves]

    @wraps(first if callable(first) else call)
    def of_arrays(*operands: Any) -> None:
        rest = iter(operands)
        given, words = structure.unflatten([next(rest) if yes else x for x, yes in zip(leaves, arrays, strict=True)])
        call(first, *given, **words)

    def of_primals(*operands: Any) -> None:
        if any(type(x) is Dual for x in operands):
            debugged(*[x.primal if type(x) is Dual else x for x in operands])
        elif tracing():
            _called(name, of_arrays, operands, [], _NOTHING)
        else:
            of_arrays(*operands)

    debugged = sequential(of_primals)
    given = [as_leaf(x) for x, yes in zip(leaves, arrays, strict=True) if yes]
    debugged(*[with_node(x, x._node.strong) for x in given])


_NOTHING: Final = _tree.flatten(None)[1]


def _called(name: str, call: Callable[..., Any], operands: Sequence[Any], wanted: list[Any], expected: Any) -> list[Any]:
    """Call a function of arrays, or record the call."""
    if once():
        return [unknown_of(x) for x in wanted]
    if tracing() is None:
        return _PRIMITIVES[name](*operands, callback=call, result_avals=wanted, tree=expected)
    recorder = recording(*operands)
    if recorder is None:
        raise NotImplementedError(f"{name}: it is not recorded for operands of transformations within a program")
    params = {"callback": call, "result_avals": wanted, "tree": expected}
    return recorder.call(_PRIMITIVES[name], operands, params, [(x.shape, unknown_of(x)._node) for x in wanted])


def _typed(like: Any) -> ShapedArray:
    """Return the shape and the dtype of a result."""
    return ShapedArray(tuple(like.shape), xp.zeros((), dtype=like.dtype).dtype)


def _runner(name: str) -> Opaque:
    def run(*operands: Any, callback: Callable[..., Any], result_avals: list[Any], tree: Any) -> list[Any]:
        try:
            found = callback(*operands)
        except Exception as error:
            function = getattr(callback, "__name__", "")
            raise CallbackError(f"{name}: the function {function} raised {type(error).__name__}: {error}") from error
        if name.startswith("debug"):
            return []
        results, structure = _tree.flatten(found)
        if len(results) != len(result_avals):
            raise CallbackError(f"{name}: the function returns {structure}, expected {tree}")
        return [_as_declared(name, x, like) for x, like in zip(results, result_avals, strict=True)]

    return Opaque(name, run)


def _as_declared(name: str, x: Any, like: ShapedArray) -> Any:
    try:
        out = as_leaf(x)
    except TypeError as error:
        raise CallbackError(f"{name}: the function returns what is no array: {error}") from None
    if like.shape != out.shape or like.dtype != out.dtype:
        raise CallbackError(f"{name}: the function returns {described(out)}, expected {described(like)}")
    return with_node(out, out._node.strong)


#: The primitives of these calls.
_PRIMITIVES: Final = {
    name: _runner(name) for name in ("pure_callback", "io_callback", "debug_callback", "debug_print", "debug_log")
}
_PRIMITIVES["pure_callback"].pure = True
