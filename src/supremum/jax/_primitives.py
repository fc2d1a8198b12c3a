"""Operations that programs define, and JAX's own by their names."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum.jax._api import typeof
from supremum.jax._batching import innermost_axis, sequential
from supremum.jax._custom_rules import Tangents, level_of
from supremum.jax._dual import Level, duals, stripped
from supremum.jax._values import float0

#: Rules for derivatives of operations, which libraries add: of values and tangents, and for the transposed operation.
primitive_jvps: Final[dict[Any, Any]] = {}
primitive_transposes: Final[dict[Any, Any]] = {}


class Primitive:
    """An operation: `bind` calls its implementation, or its rules for derivatives. Other rules are taken, and not used."""

    multiple_results = False
    call_primitive = False
    map_primitive = False

    def __init__(self, name: str) -> None:
        self.name = name

    def bind(self, *args: Any, **params: Any) -> Any:
        """Call the implementation, or the rules that it has for operands of derivatives."""
        level, axis = level_of(args), innermost_axis(args)
        if axis is not None and (level is None or axis.level > level.number):
            return sequential(self.bind)(*args, **params)
        if level is not None and level.tangents and (rule := primitive_transposes.get(self)):
            return self._transposed(level, rule, args, params)
        if level is None or not (rule := primitive_jvps.get(self)):
            return sequential(self.impl)(*args, **params)
        given = Tangents(level)
        tangents = [given.of(x) if level.holds(x) else Zero.from_primal_value(x) for x in args]
        ys, ts = rule([stripped(level, x) for x in args], tangents, **params)
        several = self.multiple_results
        found = given.results(*[[instantiate_zeros(x) for x in (xs if several else [xs])] for xs in (ys, ts)])
        return found if several else found[0]

    def _transposed(self, level: Level, rule: Any, args: Any, params: dict[str, Any]) -> Any:
        """Call an operation that is linear in operands of a level, whose cotangents a rule carries back."""
        found, operands = self.bind(*[stripped(level, x) for x in args], **params), duals(level, args)
        ys = list(found) if self.multiple_results else [found]

        def pull(cotangents: list[Any]) -> list[Any]:
            cts = [Zero.from_primal_value(y) if ct is None else ct for y, ct in zip(ys, cotangents, strict=True)]
            linear = [UndefinedPrimal(typeof(x.primal)) if level.holds(x) else x for x in args]
            moved = rule(cts if self.multiple_results else cts[0], *linear, **params)
            totals: dict[int, Any] = {}
            for x, ct in zip(args, moved, strict=True):
                if level.holds(x) and ct is not None and not isinstance(ct, Zero):
                    totals[id(x)] = ct if id(x) not in totals else totals[id(x)] + ct
            return [totals.get(id(x)) for x in operands]

        found = level.joint(ys, operands, pull)
        return found if self.multiple_results else found[0]

    def impl(self, *_args: Any, **_params: Any) -> Any:
        """Raise NotImplementedError: the operation has no implementation yet."""
        raise NotImplementedError(
            f"Evaluation rule for '{self.name}' not implemented: supremum calls what def_impl defines, and has no compiler"
        )

    def def_impl(self, impl: Callable[..., Any]) -> Callable[..., Any]:
        """Set the implementation, and return it."""
        self.impl = impl  # type: ignore[method-assign]  # the user's function is the method
        return impl

    def def_abstract_eval(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Take the rule for shapes, which is not used, and return it."""
        return rule

    def_effectful_abstract_eval = def_effectful_abstract_eval2 = def_custom_bind = def_bind_with_trace = def_abstract_eval

    def __repr__(self) -> str:
        return self.name


@functools.cache
def primitive(name: str) -> Primitive:
    """Return an operation of JAX's own; elementwise ones are computed by the function of `lax`."""
    from supremum.jax import lax
    from supremum.jax.lax import _elementwise

    made = Primitive(name.removesuffix("_p"))
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


class UndefinedPrimal(_Described):
    """An argument of a linear function that has no value."""


def instantiate_zeros(tangent: Any) -> Any:
    """Return an array of zeros for a `Zero`, other values as they are."""
    if not isinstance(tangent, Zero):
        return tangent
    space: Any = np if tangent.aval.dtype == float0 else xp
    return space.zeros(tangent.aval.shape, dtype=tangent.aval.dtype)


def is_undefined_primal(x: Any) -> bool:
    """Return whether a value is an `UndefinedPrimal`."""
    return type(x) is UndefinedPrimal
