"""The names of ``jax.custom_batching``: functions with a rule of their own for `vmap`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from supremum import Array
from supremum._base.errors import describe
from supremum._core.array import wrap
from supremum._core.plans import PYTHON_SCALARS
from supremum._core.settings import state
from supremum.jax import _modules, _tree
from supremum.jax._lanes import Lane, innermost_lane
from supremum.jax._values import as_leaf, wraps
from supremum.jax._vmap import stacked

__all__ = ["custom_vmap", "sequential_vmap"]


class custom_vmap:
    """A function with a rule for `vmap`, which calls the rule once for all positions.

    The rule is called with the length of the mapped axis; a list that says of each argument, or of each leaf of a tree,
    whether it is batched; and the arguments. Batched ones have the mapped axis in front. It returns the result, and a tree of
    its structure that says which leaves are batched.

    `vmap` calls other functions once for each position. Where these call a function with a rule, an operand is batched if it
    is a part of a mapped argument or differs between positions; if none is, those that each position computed are.

    Examples
    --------
    >>> import supremum as xp
    >>> from supremum import jax
    >>> @jax.custom_batching.custom_vmap
    ... def dot(x, y):
    ...     return x @ y
    >>> @dot.def_vmap
    ... def rule(axis_size, in_batched, x, y):
    ...     print(axis_size, in_batched, x.shape, y.shape)
    ...     return x @ y, True
    >>> jax.vmap(dot, in_axes=(0, None))(xp.ones((3, 2)), xp.ones(2))
    3 [True, False] (3, 2) (2,)
    Array([2., 2., 2.], dtype=float32)
    """

    def __init__(self, fun: Callable[..., Any]) -> None:
        wraps(fun)(self)
        self.fun = fun
        self.vmap_rule: Callable[..., Any] | None = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("def"):  # of a function with another rule
            return getattr(self.fun, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    def def_vmap(self, vmap_rule: Callable[..., Any]) -> Callable[..., Any]:
        """Set the rule, and return it."""
        self.vmap_rule = vmap_rule
        return vmap_rule

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function; within a `vmap` that maps one of the arguments, call the rule once for all positions."""
        args = self._positional(args, kwargs)
        self.rule()
        leaves, structure = _tree.flatten(args)
        arrays = [as_leaf(leaf) for leaf in leaves]
        lane = innermost_lane()
        if lane is not None:
            return lane.wait(_Call(self, structure), list(zip(leaves, arrays, strict=True)))
        out, out_structure = _tree.flatten(self.fun(*structure.unflatten(arrays)))
        return out_structure.unflatten([as_leaf(x) for x in out])

    def call_batched(self, size: int, given: Any, batched: Any) -> tuple[list[Any], list[bool], _tree.PyTreeDef]:
        """Call the rule with arguments, positional ones and by name, that have the mapped axis in front as `batched` says.

        Return the leaves of the result, whether each of them has the axis, and the structure.
        """
        (args, kwargs), (flags, flags_by_name) = given, batched
        marked = [_Marked(*pair) for pair in zip(args, flags, strict=True)]
        marked_by_name = {name: _Marked(x, flags_by_name[name]) for name, x in kwargs.items()}
        pairs = [_with_default(x) for x in self._positional(tuple(marked), marked_by_name)]
        return self.call_rule(self.rule(), size, [flag for _, flag in pairs], [x for x, _ in pairs])

    def call_rule(
        self, call: Callable[..., Any], size: int, batched: list[Any], args: Any
    ) -> tuple[list[Any], list[bool], _tree.PyTreeDef]:
        """Call a rule, and check what it returns."""
        name = getattr(self.vmap_rule, "__name__", "<unnamed rule>")
        out, out_batched = call(size, batched, *args)
        leaves, structure = _tree.flatten(out)
        flags, structure_of_flags = _tree.flatten(out_batched)
        if structure != structure_of_flags:
            raise ValueError(
                "structure of output value and output batching specification returned by custom vmap rule "
                f"({name}) do not match.\nOutput values: {structure}\nBatching spec: {structure_of_flags}"
            )
        if not all(isinstance(flag, bool | int | np.bool_) for flag in flags):
            raise ValueError(
                f"custom vmap rule ({name}): the batching specification has bools as leaves, got {describe(out_batched)}"
            )
        results = [leaf if type(leaf) in PYTHON_SCALARS else as_leaf(leaf) for leaf in leaves]
        for x, has_axis in zip(results, flags, strict=True):
            if has_axis and np.shape(x)[:1] != (size,):
                raise ValueError(
                    f"custom vmap rule ({name}): a batched output must have a first axis of length {size}, "
                    f"got shape {np.shape(x)}"
                )
        return results, [bool(flag) for flag in flags], structure

    def rule(self) -> Callable[..., Any]:
        """Return the rule."""
        if self.vmap_rule is None:
            raise AttributeError(f"No batching rule defined for custom_vmap function {self._name()} using def_vmap.")
        return self.vmap_rule

    def _positional(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """Return all arguments, defaults included, in the order of the signature."""
        if not kwargs and isinstance(self.fun, functools.partial):
            return args
        try:
            bound = inspect.signature(self.fun).bind(*args, **kwargs)
        except TypeError as error:
            raise self._unresolved(str(error)) from error
        bound.apply_defaults()
        if by_name := [name for name in bound.kwargs if name in kwargs]:
            raise self._unresolved(f"The following keyword arguments could not be resolved to positions: {', '.join(by_name)}")
        return bound.args

    def _unresolved(self, why: str) -> TypeError:
        return TypeError(
            f"The input arguments to the custom_vmap-decorated function {self._name()} could not be resolved to "
            f"positional-only arguments. Binding failed with the error:\n{why}"
        )

    def _name(self) -> str:
        return getattr(self.fun, "__name__", type(self.fun).__name__)


@dataclass(frozen=True)
class _Marked:
    """An argument, and which of its leaves have the mapped axis."""

    value: Any
    batched: Any


def _with_default(x: Any) -> tuple[Any, Any]:
    if isinstance(x, _Marked):
        return x.value, x.batched
    leaves, structure = _tree.flatten(x)
    return x, structure.unflatten([False] * len(leaves))


@dataclass(frozen=True)
class _Call:
    """Calls of one function with arguments of one structure, at some positions of a `vmap`."""

    function: custom_vmap
    structure: _tree.PyTreeDef
    whole = False

    def results(self, lanes: list[Lane], values: list[list[tuple[Any, Array]]], /) -> list[Any]:
        """Return the result of each call, by the rule."""
        columns = [[list(pair) for pair in zip(*column, strict=True)] for column in zip(*values, strict=True)]
        differ = [_differ(lanes, arrays) for _, arrays in columns]
        if not any(differ):
            differ = [any(x is not leaves[0] for x in leaves) for leaves, _ in columns]
        lane, size = lanes[0], len(lanes)
        if not any(differ):
            shared = self.structure.unflatten([leaves[0] for leaves, _ in columns])
            leaves, structure = _tree.flatten(lane.lanes.call_rule(self.function, *shared, lane=lane))
            flags = [False] * len(leaves)
        else:
            operands = [
                stacked(arrays, size, 0) if flag else leaves[0] for flag, (leaves, arrays) in zip(differ, columns, strict=True)
            ]
            args, batched = self.structure.unflatten(operands), list(self.structure.unflatten(differ))
            call = functools.partial(lane.lanes.call_rule, self.function.rule(), lane=lane)
            leaves, flags, structure = self.function.call_rule(call, size, batched, args)
        copied = state().mutable
        pairs = list(zip(map(as_leaf, leaves), flags, strict=True))
        return [structure.unflatten([_part(x, flag, i, copied) for x, flag in pairs]) for i in range(size)]


def _differ(lanes: list[Lane], arrays: list[Array]) -> bool:
    """Return whether an operand has the mapped axis: it is a part of a mapped argument, or has different elements."""
    first = arrays[0]
    if all(x is first for x in arrays) and len(arrays) > 1:
        return False
    if any(x is part for lane, x in zip(lanes, arrays, strict=True) for part in lane.mapped_parts()):
        return True
    kind = (first._node, first.shape, first._data.tobytes())
    return any((x._node, x.shape, x._data.tobytes()) != kind for x in arrays)


def _part(x: Array, batched: bool, position: int, copied: bool) -> Array:
    data = x._data[position, ...] if batched else x._data
    return wrap(data.copy() if copied else data, x._node)


class _Sequential(custom_vmap):
    """A function that `vmap` calls for each position, as it calls every function without a rule."""

    call_batched = None  # type: ignore[assignment]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.fun(*self._positional(args, kwargs))


def sequential_vmap(f: Callable[..., Any]) -> custom_vmap:
    """Return a function that `vmap` calls for each position in turn."""
    return _Sequential(f)


def __getattr__(name: str) -> Any:
    return _modules.find("jax.custom_batching", name)
