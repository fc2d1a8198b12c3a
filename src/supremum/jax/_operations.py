"""What equations of programs call, in the form of JAX's primitives, as interpreters of programs use them."""

from __future__ import annotations

from itertools import chain, repeat
from typing import Any

from supremum._base.facts import original_of, signature_of
from supremum.jax._abstract import has_slot


class OfFunction:
    """What represents a function of the namespace, `original`: it equals the function, and others that represent it."""

    __slots__ = ()
    original: Any

    def __eq__(self, other: object) -> bool:
        return getattr(other, "original", other) is self.original

    def __hash__(self) -> int:
        return object.__hash__(self.original)


class Bindable:
    """What interpreters of programs use of all primitives."""

    __slots__ = ()
    call_primitive = map_primitive = False

    def get_bind_params(self, params: dict[str, Any]) -> dict[str, Any]:
        """Return the parameters of an equation."""
        return params


class Operation(OfFunction, Bindable):
    """The function of an equation: `bind` calls it with other operands."""

    __slots__ = ("_equation", "original")

    def __init__(self, equation: Any) -> None:
        self._equation = equation
        self.original = original_of(equation.function)

    def __repr__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The name of the function."""
        return str(self._equation.function.name)

    @property
    def multiple_results(self) -> bool:
        """Whether `bind` returns a list."""
        return len(self._equation.outvars) != 1

    def bind(self, *operands: Any, **params: Any) -> Any:
        """Call the function with operands and the parameters of an equation."""
        equation = self._equation
        args, kwargs = equation.call
        if hasattr(equation.function, "bound"):  # parameters of programs are operands, or have names
            pairs = zip(chain(signature_of(equation.function), repeat("")), args, strict=False)
            args = [x if has_slot(x) else params.pop(name, x) for name, x in pairs]
        call = args, {**kwargs, **params}
        found = type(equation)(equation.function, equation.invars, equation.outvars, call).bind(operands)
        return found if self.multiple_results else found[0]
