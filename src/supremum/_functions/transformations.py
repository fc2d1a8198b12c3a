"""`jit`, which converts arguments and results."""

from __future__ import annotations

import functools
import inspect
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, overload

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import check_callable, describe
from supremum._core.array import Array
from supremum._core.conversion import as_array
from supremum.promotion._nodes import node_of_dtype

__all__ = ["jit"]

Function = TypeVar("Function", bound=Callable[..., Any])


@overload
def jit(
    fun: Function,
    /,
    *,
    static_argnums: int | Iterable[int] | None = None,
    static_argnames: str | Iterable[str] | None = None,
    **options: object,
) -> Function: ...
@overload
def jit(
    fun: None = None,
    /,
    *,
    static_argnums: int | Iterable[int] | None = None,
    static_argnames: str | Iterable[str] | None = None,
    **options: object,
) -> Callable[[Function], Function]: ...
@public(wrap=False)
def jit(
    fun: Callable[..., Any] | None = None,
    /,
    *,
    static_argnums: int | Iterable[int] | None = None,
    static_argnames: str | Iterable[str] | None = None,
    **options: object,
) -> Callable[..., Any]:
    """Wrap a function so that its arguments and results are Arrays, as ``jax.jit`` does; nothing is compiled.

    Numbers and NumPy arrays among the arguments and results become Arrays, also within tuples, lists and dictionaries.
    Other objects are passed unchanged.

    Parameters
    ----------
    fun : callable, optional
        Function to wrap; without it, a decorator is returned.
    static_argnums : int or sequence of int, optional
        Positions of arguments to pass unchanged.
    static_argnames : str or sequence of str, optional
        Names of arguments to pass unchanged.
    **options
        Ignored; JAX's other options, such as ``donate_argnums``.

    Returns
    -------
    callable
        A function with the name and the signature of `fun`.

    Examples
    --------
    >>> import supremum as xp
    >>> @xp.jit
    ... def double(x):
    ...     return 2 * x
    >>> double(3)
    Array(6, dtype=int32, weak_type=True)
    """
    if fun is None:
        return functools.partial(jit, static_argnums=static_argnums, static_argnames=static_argnames, **options)
    positions, names = _static(check_callable(fun, "fun", "jit"), static_argnums, static_argnames)

    @functools.wraps(fun)
    def _call(*args: Any, **kwargs: Any) -> Any:
        static = {position % len(args) for position in positions if -len(args) <= position < len(args)}
        given = [arg if position in static else _arrays(arg) for position, arg in enumerate(args)]
        return _arrays(fun(*given, **{name: arg if name in names else _arrays(arg) for name, arg in kwargs.items()}))

    return _call


def _static(fun: Callable[..., Any], argnums: Any, argnames: Any) -> tuple[set[int], set[str]]:
    """Return the positions and names of static arguments; one follows from the other by the signature."""
    positions = set(_several(argnums, int, "static_argnums"))
    names = set(_several(argnames, str, "static_argnames"))
    try:
        parameters = [
            parameter.name
            for parameter in inspect.signature(fun).parameters.values()
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        ]
    except (TypeError, ValueError):  # functions written in C have no signature
        return positions, names
    if argnames is None:
        names = {parameters[position] for position in positions if -len(parameters) <= position < len(parameters)}
    elif argnums is None:
        positions = {position for position, name in enumerate(parameters) if name in names}
    return positions, names


def _several(given: Any, kind: type, option: str) -> tuple[Any, ...]:
    """Return the items of an option that is one item or a sequence of them."""
    try:
        items = () if given is None else (given,) if isinstance(given, kind) else tuple(given)
    except TypeError:
        items = (given,)
    if not all(isinstance(item, kind) for item in items):
        raise TypeError(f"jit: {option} must be of type {kind.__name__} or a sequence of those, got {describe(given)}")
    return items


def _arrays(x: Any) -> Any:
    """Convert the numbers and NumPy arrays in an argument or result, at any depth of JAX's containers, to Arrays."""
    kind = type(x)
    if kind is Array:
        return x
    if kind in (list, tuple):
        return kind([_arrays(item) for item in x])
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return kind(*[_arrays(item) for item in x])
    if kind in (dict, OrderedDict):
        return kind((key, _arrays(item)) for key, item in x.items())
    if kind is defaultdict:
        return defaultdict(x.default_factory, {key: _arrays(item) for key, item in x.items()})
    if isinstance(x, np.ndarray | np.generic):
        return x if node_of_dtype(x.dtype) is None else as_array(x)
    is_number = isinstance(x, bool | int | float | complex)
    return as_array(x) if is_number or (hasattr(x, "__jax_array__") and not isinstance(x, type)) else x
