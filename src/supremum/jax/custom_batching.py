"""The names of ``jax.custom_batching``: functions with a rule of their own for `vmap`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import supremum as xp
from supremum._base.exceptions import describe
from supremum._core.guests import new_level
from supremum._core.settings import state
from supremum.jax import _modules, _tree
from supremum.jax._batching import Batched, MappedAxis, axes_in_force, innermost_axis, sequential, within
from supremum.jax._custom_rules import positional, zero_of
from supremum.jax._derivatives import Custom
from supremum.jax._dual import Dual, Level, differentiable
from supremum.jax._gradients import jvp, vjp
from supremum.jax._tree import mapped
from supremum.jax._values import as_leaf
from supremum.promotion._nodes import PYTHON_SCALARS

__all__ = ["custom_vmap", "sequential_vmap"]


class custom_vmap(Custom):
    """A function with a rule for `vmap`, which calls the rule in its place.

    The rule is called with the length of the mapped axis; a list that says of each argument, or of each leaf of a tree,
    whether it is batched; and the arguments. Batched ones have the mapped axis in front. It returns the result, and a tree of
    its structure that says which leaves are batched.

    An operand is batched if it depends on an argument that is mapped.

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

    vmap_rule: Callable[..., Any] | None = None

    def def_vmap(self, vmap_rule: Callable[..., Any]) -> Callable[..., Any]:
        """Set the rule, and return it."""
        self.vmap_rule = vmap_rule
        return vmap_rule

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function; within a `vmap` that maps one of the arguments, call the rule."""
        args = self.positional(args, kwargs)
        rule = self.rule()
        leaves, structure = _tree.flatten(args)
        arrays: list[Any] = [as_leaf(leaf) for leaf in leaves]
        axis = innermost_axis([_value(x) for x in arrays])
        level = max([x.level for x in arrays if type(x) is Dual], key=lambda level: level.number, default=None)
        if axis is None and not all(type(x) in PYTHON_SCALARS for x in leaves):  # as in JAX, arrays count as batched then
            axis = next((one for one in axes_in_force()[::-1] if not one.in_rule and one.position is None), None)
            if axis is not None:
                arrays = [
                    x if type(leaf) in PYTHON_SCALARS else Batched(axis, xp.broadcast_to(x, (axis.size, *x.shape)))
                    for leaf, x in zip(leaves, arrays, strict=True)
                ]
        if axis is not None and axis.position is None and level is not None and level.number > axis.level:
            return self._derived(level, arrays, structure)
        if axis is None or axis.position is not None:
            given = [x.part() if type(x) is Batched and x.axis is axis else x for x in arrays]
            return mapped(as_leaf, self.fun(*structure.unflatten(given)))
        flags = [type(x) is Batched and x.axis is axis for x in arrays]
        given = [x.value if flag else leaf for x, flag, leaf in zip(arrays, flags, leaves, strict=True)]
        if state().mutable:  # the rule may write to its arguments
            given = [xp.copy(x) if flag else x for x, flag in zip(given, flags, strict=True)]
        inside = MappedAxis(axis.name, axis.size, new_level())
        inside.in_rule = True
        with within(inside, outside=axis):
            results, batched, shape = self.call_rule(
                rule, axis.size, list(structure.unflatten(flags)), structure.unflatten(given)
            )
        return shape.unflatten([Batched(axis, x) if flag else x for x, flag in zip(results, batched, strict=True)])

    def _derived(self, level: Level, leaves: list[Any], structure: _tree.PyTreeDef) -> Any:
        """Return what a call gives within a derivative within `vmap`: derivatives of the rule are rules of the derivatives."""
        places = [i for i, x in enumerate(leaves) if level.holds(x)]
        operands = [leaves[i] for i in places]
        values = [x.primal if level.holds(x) else x for x in leaves]
        shapes: list[_tree.PyTreeDef] = []

        def derivative(call: Callable[[list[Any]], list[Any]], values: list[Any], given: list[Any]) -> Any:
            def of_operands(*xs: Any) -> list[Any]:
                full = list(values)
                for i, x in zip(places, xs, strict=True):
                    full[i] = x
                return call(full)

            xs = [values[i] for i in places]
            if level.tape is None:
                ys, ts = jvp(of_operands, xs, given)
                return ys, [t for y, t in zip(ys, ts, strict=True) if differentiable(y)]
            ys, back = vjp(of_operands, *xs)
            cts = iter(given)
            return list(back([next(cts) if differentiable(y) else zero_of(y) for y in ys]))

        def by_position(values: list[Any], given: list[Any]) -> Any:
            def call(full: list[Any]) -> list[Any]:
                out, shape = _tree.flatten(self.fun(*structure.unflatten(full)))
                shapes.append(shape)
                return [as_leaf(y) for y in out]

            return derivative(call, values, given)

        def rule(size: int, batched: Any, values: list[Any], given: list[Any]) -> Any:
            def repeated(x: Any, flag: bool) -> Any:
                return x if flag else xp.broadcast_to(x, (size, *np.shape(x)))

            flags = [flag or i in places for i, flag in enumerate(batched[0])]

            def call(full: list[Any]) -> list[Any]:
                found = self.call_rule(self.rule(), size, list(structure.unflatten(flags)), structure.unflatten(full))
                shapes.append(found[2])
                return [repeated(as_leaf(y), flag) for y, flag in zip(*found[:2], strict=True)]

            values = [
                repeated(x, flag) if i in places else x for i, (x, flag) in enumerate(zip(values, batched[0], strict=True))
            ]
            found = derivative(call, values, [repeated(x, flag) for x, flag in zip(given, batched[1], strict=True)])
            return found, mapped(lambda _: True, found)

        made = custom_vmap(by_position)
        made.def_vmap(rule)
        if level.tape is None:
            ys, ts = made(values, [x.tangent for x in operands])
            tangents = iter(ts)
            return shapes[-1].unflatten([Dual(level, y, next(tangents)) if differentiable(y) else y for y in ys])
        ys, shape = _tree.flatten(self(*structure.unflatten(values)))

        def pull(cotangents: list[Any]) -> Any:
            cts = [xp.zeros_like(y) if ct is None else ct for y, ct in zip(ys, cotangents, strict=True) if differentiable(y)]
            return made(values, cts)

        return shape.unflatten(level.joint(ys, operands, pull))

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
            if has_axis and getattr(x, "shape", ())[:1] != (size,):
                raise ValueError(
                    f"custom vmap rule ({name}): a batched output must have a first axis of length {size}, "
                    f"got shape {getattr(x, 'shape', ())}"
                )
        return results, [bool(flag) for flag in flags], structure

    def rule(self) -> Callable[..., Any]:
        """Return the rule."""
        if self.vmap_rule is None:
            raise AttributeError(f"No batching rule defined for custom_vmap function {self.name} using def_vmap.")
        return self.vmap_rule

    def positional(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """Return all arguments, defaults included, in the order of the signature."""
        return positional(self.fun, args, kwargs, self.name, "custom_vmap")


def _value(x: Any) -> Any:
    """Return an operand without its derivatives."""
    while type(x) is Dual:
        x = x.primal
    return x


class _Sequential(custom_vmap):
    """A function that `vmap` calls for each position."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return sequential(self.fun)(*self.positional(args, kwargs))


def sequential_vmap(f: Callable[..., Any]) -> custom_vmap:
    """Return a function that `vmap` calls for each position in turn."""
    return _Sequential(f)


__getattr__ = _modules.finder("jax.custom_batching")
