"""Functions that carry rules for their derivatives."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

from supremum import Array
from supremum._base.frames import as_it_is
from supremum._base.functions import takes_over
from supremum._core import engine
from supremum._core.settings import state
from supremum.jax import _custom_rules as rules, _tree
from supremum.jax._batch_rules import is_batched, whole
from supremum.jax._batching import MappedAxis, as_batch
from supremum.jax._programs import eval_jaxpr, make_jaxpr
from supremum.jax._values import wraps
from supremum.jax._vmap import vmap
from supremum.jax.tree_util import Partial, tree_map
from supremum.promotion._nodes import PYTHON_SCALARS


class Custom:
    """A function that has rules of its own.

    Where an operand takes over, or a watcher looks, a call of it is one of a composed function of the leaves of the arguments.
    The attribute `custom` of that function is this object, with the rules; its attribute `arguments` makes of a sequence of
    leaves the positional arguments and those by name. Guests that do not know the rules see the parts of the definition.
    """

    #: The rule for operands of derivatives; None if they look through the definition.
    derived: Callable[..., Any] | None = None

    def __init__(self, fun: Callable[..., Any], nondiff_argnums: Any = (), **_options: object) -> None:
        wraps(fun)(self)
        self.fun = fun
        self.nondiff_argnums = nondiff_argnums
        #: What messages call it.
        self.name = getattr(fun, "__name__", type(fun).__name__)
        self._functions: dict[_tree.PyTreeDef, Any] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        leaves, structure = _tree.flatten((args, kwargs))
        if not any(map(takes_over, leaves)) and state().watcher is None:
            return self.fun(*args, **kwargs)
        found = self._functions.get(structure)
        if found is None:
            found = self._functions[structure] = self._function_of(structure)
        return found(*leaves)

    def _function_of(self, structure: _tree.PyTreeDef) -> Any:
        """Return the composed function for arguments of one structure."""

        def call(*leaves: Any) -> Any:
            args, kwargs = structure.unflatten(leaves)
            return self.fun(*args, **kwargs)

        function: Any = engine.Function(wraps(self.fun)(call), name=self.name, kind="composed", handler=as_it_is)
        function.custom, function.arguments, function.batched = self, structure.unflatten, self.batched
        function.derived = self.derived
        return function

    @staticmethod
    def batched(axis: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the mapped function with the mapped rules if another guest may know these, else the definition."""
        custom, given = function.custom, [x.value if is_batched(axis, x) else x for x in args]
        if not any(map(takes_over, given)):
            return function.definition(*args, **kwargs)
        trees, words = function.arguments(args)
        trees = rules.positional(custom.fun, trees, words, function.name, type(custom).__name__)
        flat, shape = _tree.flatten(trees)
        arrays = [type(x) is Array or takes_over(x) for x in flat]
        outer = custom.mapped(axis, shape.unflatten([0 if flag else None for flag in arrays]))
        filled = shape.unflatten([whole(axis, x) if flag else x for x, flag in zip(flat, arrays, strict=True)])
        return _tree.mapped(lambda x: as_batch(axis, x), outer(*filled))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("def"):  # of a function with another rule
            return getattr(self.fun, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)


def _over(axis: MappedAxis, fun: Callable[..., Any], in_axes: tuple[Any, ...]) -> Callable[..., Any]:
    """Return a function mapped over an axis of the length and the name of another one, whose operands it may not refer to."""

    def mapped(*args: Any) -> Any:
        out = vmap(fun, in_axes, axis_size=axis.size, axis_name=axis.name)(*args)
        if any(is_batched(axis, x) for x in _tree.flatten(out)[0]):
            raise rules.closed_over(getattr(fun, "__name__", str(fun)))
        return out

    return mapped


class custom_jvp(Custom):
    """A function with a rule for its forward derivative, `jvp`."""

    derived = staticmethod(rules.by_jvp)
    jvp: Callable[..., Any] | None = None
    symbolic_zeros = False

    def defjvp(self, jvp: Callable[..., Any], symbolic_zeros: bool = False) -> Callable[..., Any]:
        """Take the rule, and return it: of the primal values and the tangents, it returns those of the result."""
        self.jvp, self.symbolic_zeros = jvp, symbolic_zeros
        return jvp

    def defjvps(self, *jvps: Callable[..., Any] | None) -> None:
        """Take the rules for each argument: of the tangent, the result and the primal values."""
        if self.nondiff_argnums:
            raise TypeError("Can't use ``defjvps`` with ``nondiff_argnums``.")

        def jvp(primals: Any, tangents: Any) -> tuple[Any, Any]:
            out = self(*primals)
            given = [rule(t, out, *primals) for t, rule in zip(tangents, jvps, strict=False) if rule is not None]
            return out, tree_map(_total, out, *given)

        self.defjvp(jvp)

    def mapped(self, axis: MappedAxis, in_axes: tuple[Any, ...]) -> Any:
        """Return the function, and its rule, mapped over an axis."""
        rule, made = self.jvp, custom_jvp(_over(axis, self.fun, in_axes), self.nondiff_argnums)
        made.name = self.name
        if rule is None:
            return made
        constant, others = rules.constant_arguments(self, len(in_axes))
        axes = tuple([in_axes[i] for i in others])

        @wraps(rule)
        def of_position(*given: Any) -> tuple[Any, Any]:
            *rest, primals, moving = given
            zeros = _tree.mapped(rules.SymbolicZero.from_primal_value, primals)
            tangents = tree_map(lambda t, zero: zero if t is None else t, moving, zeros, is_leaf=lambda x: x is None)
            ys, ts, structure = rules.pair_of(self.name, rule, rule(*rest, primals, tangents))
            return structure.unflatten(ys), structure.unflatten(ts)

        def jvp(*given: Any) -> Any:
            *rest, tangents = given
            return _over(axis, of_position, (*[in_axes[i] for i in constant], axes, axes))(*rest, _moving(tangents))

        made.defjvp(jvp, self.symbolic_zeros)
        return made


def _with_zero(ct: Any, of_all: Any) -> Any:
    """Return a cotangent of one position, which is None where that of all positions is known to be zero."""
    return rules.SymbolicZero(of_all.aval.update(shape=of_all.aval.shape[1:])) if ct is None is not of_all else ct


def _moving(tree: Any) -> Any:
    """Return a tree of tangents or cotangents with None in place of those that are known to be zero."""
    return _tree.mapped(lambda t: None if type(t) is rules.SymbolicZero else t, tree)


def _total(out: Any, *tangents: Any) -> Any:
    return functools.reduce(operator.add, tangents) if tangents else rules.zero_from_primal(out)


class custom_vjp(Custom):
    """A function with rules for its backward derivative: `fwd` and `bwd`."""

    derived = staticmethod(rules.by_vjp)
    symbolic_zeros = False
    fwd: Callable[..., Any] | None = None
    bwd: Callable[..., Any] | None = None

    def defvjp(
        self, fwd: Callable[..., Any], bwd: Callable[..., Any], symbolic_zeros: bool = False, optimize_remat: bool = False
    ) -> None:
        """Take the rules: one returns the result and what the other needs, with the cotangent, for those of the arguments."""
        self.fwd, self.bwd, self.symbolic_zeros = fwd, bwd, symbolic_zeros

    def mapped(self, axis: MappedAxis, in_axes: tuple[Any, ...]) -> Any:
        """Return the function, and its rules, mapped over an axis."""
        forward, backward = self.fwd, self.bwd
        made = custom_vjp(_over(axis, self.fun, in_axes), self.nondiff_argnums)
        made.name = self.name
        if forward is None or backward is None:
            return made

        def fwd(*args: Any) -> Any:
            leaves, structure = _tree.flatten(args)
            wrapped = [type(x) is rules.CustomVJPPrimal for x in leaves]
            scalars: list[Any] = []

            @wraps(forward)
            def of_position(*given: Any) -> Any:
                xs = zip(_tree.flatten(given)[0], leaves, wrapped, strict=True)
                args = structure.unflatten([rules.CustomVJPPrimal(x, one.perturbed) if yes else x for x, one, yes in xs])
                out, kept = rules.forward_pair(self.name, forward, forward(*args))
                kept, shape = _tree.flatten(kept)
                scalars[:] = [shape, [x if type(x) in PYTHON_SCALARS else None for x in kept]]
                return out, [x for x in kept if type(x) not in PYTHON_SCALARS]

            values = structure.unflatten([x.value if yes else x for x, yes in zip(leaves, wrapped, strict=True)])
            out, arrays = _over(axis, of_position, in_axes)(*values)
            return out, scalars[0].unflatten([arrays.pop(0) if x is None else x for x in scalars[1]])

        def bwd(*given: Any) -> Any:
            *rest, kept, cts = given

            @wraps(backward)
            def of_position(*given: Any) -> Any:
                full = tree_map(_with_zero, given[-1], cts, is_leaf=lambda x: x is None)
                return _moving(backward(*given[:-1], full))

            axes = [in_axes[i] for i in rules.constant_arguments(self, len(in_axes))[0]]
            of_kept = _tree.mapped(lambda x: None if type(x) in PYTHON_SCALARS else 0, kept)
            return _over(axis, of_position, (*axes, of_kept, 0))(*rest, kept, _moving(cts))

        made.defvjp(fwd, bwd, self.symbolic_zeros)
        return made


def custom_gradient(fun: Callable[..., Any]) -> custom_vjp:
    """Return a function that gives the first of the two results of `fun`, of which the second computes the derivative."""

    @wraps(fun)
    def value(*args: Any, **kwargs: Any) -> Any:
        return fun(*args, **kwargs)[0]

    def backward(rule: Callable[..., Any], cotangent: Any) -> Any:
        found = rule(cotangent)
        return found if isinstance(found, tuple) else (found,)

    def recorded(*args: Any) -> Any:
        """Return the value, and the rule as a program of arrays, which can be mapped."""
        out, rule = fun(*args)
        program, shapes = make_jaxpr(rule, return_shape=True)(out)
        structure = _tree.flatten(shapes)[1]

        def carried(*given: Any) -> Any:
            return structure.unflatten(eval_jaxpr(program.jaxpr, given[:-1], *_tree.flatten(given[-1])[0]))

        return out, Partial(carried, *program.consts)

    made, mappable = custom_vjp(value), custom_vjp(value)
    made.defvjp(fun, backward)
    mappable.defvjp(recorded, backward)
    made.mapped = mappable.mapped  # type: ignore[method-assign]  # what `fun` returns is a function, which cannot be
    return made


def closure_convert(fun: Callable[..., Any], *example_args: Any) -> tuple[Callable[..., Any], list[Any]]:
    """Return a function that takes as further arguments the operands of derivatives in the closure of `fun`, and those.

    Parameters
    ----------
    fun : callable
        A pure function; it is recorded.
    *example_args
        Arguments like those of later calls.

    Returns
    -------
    tuple
        The function of the arguments followed by the operands, and a list of these.
    """
    made, shapes = make_jaxpr(fun, return_shape=True)(*example_args)
    structure = _tree.flatten(shapes)[1]
    moving = [rules.level_of(x) is not None for x in made.consts]

    def converted(*args: Any) -> Any:
        count = len(args) - sum(moving)
        given = iter(args[count:])
        consts = [next(given) if yes else x for x, yes in zip(made.consts, moving, strict=True)]
        return structure.unflatten(eval_jaxpr(made.jaxpr, consts, *_tree.flatten(args[:count])[0]))

    return converted, [x for x, yes in zip(made.consts, moving, strict=True) if yes]
