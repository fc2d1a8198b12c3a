"""Operations that programs define, and JAX's own by their names."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum._base.facts import original_of
from supremum._base.functions import takes_over
from supremum.jax import tree_util as _tree_util
from supremum.jax._abstract import Abstract
from supremum.jax._api import typeof
from supremum.jax._batching import Batched, MappedAxis, sequential, with_node
from supremum.jax._custom_rules import Tangents
from supremum.jax._dual import Dual, Level, stripped
from supremum.jax._operations import OfFunction
from supremum.jax._programs import Opaque, recording
from supremum.jax._traces import of_program, tracing
from supremum.jax._values import as_leaf, float0

#: Rules for derivatives of operations, which libraries add: of values and tangents, and for the transposed operation.
primitive_jvps: Final[dict[Any, Any]] = {}
primitive_transposes: Final[dict[Any, Any]] = {}
#: Rules for `vmap`: of values, and of the axes that are mapped, or None.
primitive_batchers: Final[dict[Any, Any]] = {}
#: Such rules that get the axis too: its length and name as attributes, or as arguments.
fancy_primitive_batchers: Final[dict[Any, Any]] = {}
axis_primitive_batchers: Final[dict[Any, Any]] = {}
#: What JAX compiles operations by. A function of arrays, from `lower_fun`, also implements one.
_lowerings: Final[dict[Any, Any]] = {}


class Primitive(Opaque):
    """An operation: `bind` calls its implementation, or its rules for operands of transformations."""

    __slots__ = ("__dict__",)
    has_rules = True
    multiple_results = False

    def __init__(self, name: str) -> None:
        super().__init__(name, self.bind)

    def bind(self, *args: Any, **params: Any) -> Any:
        """Call the implementation, or the rule for the innermost transformation whose operands are given."""
        inner: Any = max(filter(takes_over, args), key=lambda x: getattr(x, "__supremum_level__", 0), default=None)
        kind = type(inner)
        if kind is Batched:
            return self._batched(inner.axis, args, params)
        if kind is Dual:
            return self._differentiated(inner.level, args, params)
        return self._recorded(args, params) if kind is Abstract else self.impl(*args, **params)

    def __call__(self, *operands: Any, **params: Any) -> Any:
        """Compute the operation in a program, as it is compiled in JAX; the results have the declared types."""
        compiled = None if any(map(takes_over, operands)) else getattr(_lowerings.get(self), "of_arrays", None)
        out = self._typed((compiled or self.bind)(*operands, **params), operands, params)
        return out if self.multiple_results else out[0]

    def _typed(self, found: Any, operands: Any, params: dict[str, Any]) -> list[Any]:
        """Return results with the declared types."""
        pairs = zip(found if self.multiple_results else [found], self._types(operands, params), strict=True)
        return [with_node(as_leaf(x), node) for x, (_, node) in pairs]

    def check(self) -> None:
        """Raise NotImplementedError if programs that are jitted cannot have it."""
        if self not in _lowerings:
            raise of_program(
                NotImplementedError(f"MLIR translation rule for primitive '{self.name}' not found for platform cpu")
            )

    def _batched(self, axis: MappedAxis, args: Any, params: dict[str, Any]) -> Any:
        if axis.position is not None:
            return sequential(self.bind)(*args, **params)
        mapped = [type(x) is Batched and x.axis is axis for x in args]
        values = [x.value if yes else x for x, yes in zip(args, mapped, strict=True)]
        given = values, tuple([0 if yes else None for yes in mapped])
        if self in fancy_primitive_batchers:
            found, dims = fancy_primitive_batchers[self](axis, *given, **params)
        elif self in axis_primitive_batchers:
            found, dims = axis_primitive_batchers[self](axis.size, axis.name, None, *given, **params)
        else:
            found, dims = self._rule(primitive_batchers, "Batching rule")(*given, **params)
        if not self.multiple_results:
            return _placed(axis, found, dims)
        return [_placed(axis, x, dim) for x, dim in zip(found, dims, strict=True)]

    def _differentiated(self, level: Level, args: Any, params: dict[str, Any]) -> Any:
        if level.tangents:
            return self._transposed(level, args, params)
        rule = self._rule(primitive_jvps, "Differentiation rule")
        given, several = Tangents(level), self.multiple_results
        tangents = tuple([given.of(x) if level.holds(x) else Zero.from_primal_value(x) for x in args])
        pair = rule(tuple([stripped(level, x) for x in args]), tangents, **params)
        found = given.results(*[[as_leaf(instantiate_zeros(x)) for x in (xs if several else [xs])] for xs in pair])
        return found if several else found[0]

    def _transposed(self, level: Level, args: Any, params: dict[str, Any]) -> Any:
        """Call an operation that is linear in operands of a level, whose cotangents a rule carries back."""
        rule = self._rule(primitive_transposes, "Transpose rule (for reverse-mode differentiation)")
        found, operands = self.bind(*[stripped(level, x) for x in args], **params), list(filter(level.holds, args))
        ys = [as_leaf(y) for y in (found if self.multiple_results else [found])]

        def pull(cotangents: list[Any]) -> list[Any]:
            cts = [Zero.from_primal_value(y) if ct is None else ct for y, ct in zip(ys, cotangents, strict=True)]
            linear = [UndefinedPrimal(typeof(x.primal)) if level.holds(x) else x for x in args]
            moved = rule(cts if self.multiple_results else cts[0], *linear, **params)
            pairs = zip(args, moved, strict=True)
            return [None if ct is None or isinstance(ct, Zero) else as_leaf(ct) for x, ct in pairs if level.holds(x)]

        found = level.joint(ys, operands, pull)
        return found if self.multiple_results else found[0]

    def _recorded(self, args: Any, params: dict[str, Any]) -> Any:
        """Return what the operation returns in a program, by its rule for shapes."""
        shapes = self._types(args, params)
        recorder, trace = recording(*map(as_leaf, args)), tracing()
        if recorder is None:
            out: list[Any] = [Abstract(trace, *one) for one in shapes]  # type: ignore[arg-type]  # there is one
        else:
            out = recorder.call(self, list(map(as_leaf, args)), params, shapes)
        return out if self.multiple_results else out[0]

    def _types(self, args: Any, params: dict[str, Any]) -> list[Any]:
        """Return the shapes and nodes of the results."""
        found, _effects = self.abstract_eval(*[typeof(x) for x in args], **params)
        avals = found if self.multiple_results else [found]
        return [
            (tuple(aval.shape), node.weak_form if getattr(aval, "weak_type", False) else node)
            for aval in avals
            for node in [xp.zeros((), dtype=aval.dtype)._node]
        ]

    def _rule(self, rules: dict[Any, Any], kind: str) -> Callable[..., Any]:
        rule: Callable[..., Any] | None = rules.get(self)
        if rule is None:
            raise of_program(NotImplementedError(f"{kind} for '{self.name}' not implemented"))
        return rule

    def impl(self, *_args: Any, **_params: Any) -> Any:
        """Raise NotImplementedError: the operation has no implementation yet."""
        raise NotImplementedError(
            f"Evaluation rule for '{self.name}' not implemented: supremum calls what def_impl defines, and has no compiler"
        )

    def abstract_eval(self, *_args: Any, **_params: Any) -> Any:
        """Raise NotImplementedError: the operation has no rule for shapes yet."""
        raise of_program(NotImplementedError(f"Abstract evaluation for '{self.name}' not implemented"))

    def def_impl(self, impl: Callable[..., Any]) -> Callable[..., Any]:
        """Set the implementation, and return it."""
        self.impl = impl  # type: ignore[method-assign]  # the user's function is the method
        return impl

    def def_abstract_eval(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Set the rule for the shapes and dtypes of results, and return it."""
        self.def_effectful_abstract_eval(lambda *args, **params: (rule(*args, **params), frozenset()))
        return rule

    def def_effectful_abstract_eval(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Set the rule for the shapes and dtypes of results, which returns effects too, and return it."""
        self.abstract_eval = rule  # type: ignore[method-assign]  # as above
        return rule

    def def_custom_bind(self, bind: Callable[..., Any]) -> Callable[..., Any]:
        """Take a function, which is not used, and return it."""
        return bind

    def_effectful_abstract_eval2 = def_effectful_abstract_eval
    def_bind_with_trace = def_custom_bind


class _Own(OfFunction, Primitive):
    """An operation of JAX's own, whose function knows all operands; it equals what equations of that function call."""

    def __init__(self, name: str, function: Any = None) -> None:
        super().__init__(name)
        self.original = self if function is None else original_of(function)

    def bind(self, *args: Any, **params: Any) -> Any:
        """Call the implementation."""
        return self.impl(*args, **params)


def _placed(axis: MappedAxis, x: Any, dim: int | None) -> Any:
    """Return a result of a rule, whose mapped axis is given, for all positions."""
    return x if dim is None else Batched(axis, xp.moveaxis(as_leaf(x), dim, 0))


# -- rules that are made of others ---


def deflinear2(primitive: Primitive, transpose_rule: Callable[..., Any]) -> None:
    """Have an operation be linear, with a rule of the cotangent and the arguments that returns cotangents of these."""

    def jvp(primals: Any, tangents: Any, **params: Any) -> Any:
        given = [instantiate_zeros(t) for t in tangents]
        return primitive.bind(*primals, **params), primitive.bind(*given, **params)

    primitive_jvps[primitive], primitive_transposes[primitive] = jvp, transpose_rule


def deflinear(primitive: Primitive, transpose_rule: Callable[..., Any]) -> None:
    """Have an operation be linear, with a rule of the cotangent that returns cotangents of the arguments."""
    deflinear2(primitive, lambda cotangent, *_args, **params: transpose_rule(cotangent, **params))


def defjvp2(primitive: Primitive, *jvprules: Callable[..., Any] | None) -> None:
    """Give an operation rules for each argument, of its tangent, the result and the arguments."""

    def jvp(primals: Any, tangents: Any, **params: Any) -> Any:
        out = primitive.bind(*primals, **params)
        moved = [
            rule(t, out, *primals, **params)
            for rule, t in zip(jvprules, tangents, strict=False)
            if rule is not None and not isinstance(t, Zero)
        ]
        return out, functools.reduce(operator.add, moved) if moved else Zero.from_primal_value(out)

    primitive_jvps[primitive] = jvp


def defjvp(primitive: Primitive, *jvprules: Callable[..., Any] | None) -> None:
    """Give an operation rules for each argument, of its tangent and the arguments."""

    def without_result(rule: Callable[..., Any] | None) -> Callable[..., Any] | None:
        return rule and (lambda t, _out, *primals, **params: rule(t, *primals, **params))

    defjvp2(primitive, *map(without_result, jvprules))


def defbilinear(primitive: Primitive, lhs_rule: Callable[..., Any], rhs_rule: Callable[..., Any]) -> None:
    """Have an operation be linear in both arguments, with rules for each: of the cotangent and the arguments."""

    def by_left(tangent: Any, _: Any, y: Any, **params: Any) -> Any:
        return primitive.bind(tangent, y, **params)

    def by_right(tangent: Any, x: Any, _: Any, **params: Any) -> Any:
        return primitive.bind(x, tangent, **params)

    defjvp(primitive, by_left, by_right)

    def transpose(cotangent: Any, x: Any, y: Any, **params: Any) -> Any:
        left = is_undefined_primal(x)
        found = (lhs_rule if left else rhs_rule)(cotangent, x, y, **params)
        return (found, None) if left else (None, found)

    primitive_transposes[primitive] = transpose


def defvectorized(primitive: Primitive) -> None:
    """Have `vmap` call an operation with the values of all positions, whose first axis is the mapped one."""
    primitive_batchers[primitive] = functools.partial(_whole, primitive)


def _whole(primitive: Primitive, values: Any, dims: Any, **params: Any) -> Any:
    """Call an operation with the values of all positions."""
    out = primitive.bind(*values, **params)
    return out, [0] * len(out) if primitive.multiple_results else 0


def defbroadcasting(primitive: Primitive) -> None:
    """Have `vmap` call an operation with the values of all positions, where other arguments are broadcast."""

    def rule(values: Any, dims: Any, **params: Any) -> Any:
        ndim = max([np.ndim(x) - (dim is not None) for x, dim in zip(values, dims, strict=True)])
        wide = [
            xp.reshape(x, (x.shape[0], *(1,) * (ndim + 1 - x.ndim), *x.shape[1:])) if dim is not None else x
            for x, dim in zip(values, dims, strict=True)
        ]
        return _whole(primitive, wide, dims, **params)

    primitive_batchers[primitive] = rule


def register_lowering(primitive: Primitive, rule: Callable[..., Any], platform: str | None = None, **_options: object) -> Any:
    """Take the rule by which JAX compiles an operation.

    A program that is jitted calls the implementation, or the function of a rule that is made by `lower_fun`.
    """
    _lowerings[primitive] = rule
    return rule


def lower_fun(fun: Callable[..., Any], multiple_results: bool = True) -> Callable[..., Any]:
    """Return a rule for compilers of a function of arrays."""

    def rule(*_args: object, **_params: object) -> Any:
        raise NotImplementedError("lower_fun: the rule needs a compiler, which supremum does not have")

    rule.of_arrays = fun  # type: ignore[attr-defined]  # read by `Primitive.impl`
    return rule


def apply_primitive(primitive: Primitive, *args: Any, **params: Any) -> Any:
    """Compute an operation by the function of arrays of its rule for compilers."""
    function = getattr(_lowerings.get(primitive), "of_arrays", None)
    if function is None:
        raise NotImplementedError(
            f"Evaluation rule for '{primitive.name}' not implemented: its rule for compilers is not of mlir.lower_fun"
        )
    return function(*args, **params)


@functools.cache
def primitive(name: str) -> Any:
    """Return an operation of JAX's own: that of loops, or a new one; elementwise ones are computed by functions of `lax`."""
    from supremum.jax import lax
    from supremum.jax.lax import _branches, _control, _elementwise

    own: dict[str, Any] = {"scan_p": _control.SCAN, "while_p": _control.WHILE_LOOP, "cond_p": _branches.COND}
    if name in own:
        return own[name]
    made = _Own(name.removesuffix("_p"), getattr(lax, name.removesuffix("_p"), None))
    if made.name in _elementwise.FUNCTIONS:
        function = getattr(lax, made.name)
        made.def_impl(lambda *args, **_params: function(*args))
    return made


# -- derivatives that are zero ---


class _Described:
    """What has a shape and a dtype, and no value."""

    def __init__(self, aval: Any) -> None:
        self.aval = aval

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.aval})"


class Zero(_Described):
    """A derivative that is zero."""

    @classmethod
    def from_primal_value(cls, val: Any) -> Zero:
        """Return the derivative that is zero, of a value."""
        return cls(typeof(val))


_tree_util.register_pytree_node(Zero, lambda zero: ((), zero.aval), lambda aval, _: Zero(aval))


class UndefinedPrimal(_Described):
    """An argument of a linear function that has no value."""


_tree_util.register_pytree_node(UndefinedPrimal, lambda x: ((), x.aval), lambda aval, _: UndefinedPrimal(aval))


def instantiate_zeros(tangent: Any) -> Any:
    """Return an array of zeros for a `Zero`, other values as they are."""
    if not isinstance(tangent, Zero):
        return tangent
    space: Any = np if tangent.aval.dtype == float0 else xp
    return space.zeros(tangent.aval.shape, dtype=tangent.aval.dtype)


def is_undefined_primal(x: Any) -> bool:
    """Return whether a value is an `UndefinedPrimal`."""
    return type(x) is UndefinedPrimal
