"""What equations of programs call, in the form of JAX's primitives, as interpreters of programs use them."""

from __future__ import annotations

from itertools import chain, repeat
from typing import Any, ClassVar

from supremum._base.facts import original_of, signature_of
from supremum.jax._abstract import has_slot


class Operation:
    """The function of an equation: `bind` calls it with other operands.

    It equals the function, and the operation of `lax` that computes the same, such as ``lax.exp_p``.
    """

    __slots__ = ("_equation", "original")
    call_primitive: ClassVar[bool] = False
    map_primitive: ClassVar[bool] = False

    def __init__(self, equation: Any) -> None:
        self._equation = equation
        #: The function of the namespace that it is.
        self.original = original_of(equation.function)

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return getattr(other, "original", other) is self.original

    def __hash__(self) -> int:
        return hash(self.original)

    @property
    def name(self) -> str:
        """The name of the function."""
        return str(self._equation.function.name)

    @property
    def multiple_results(self) -> bool:
        """Whether `bind` returns a list."""
        return len(self._equation.outvars) != 1

    def get_bind_params(self, params: dict[str, Any]) -> dict[str, Any]:
        """Return the parameters of an equation."""
        return params

    def bind(self, *operands: Any, **params: Any) -> Any:
        """Call the function with operands and the parameters of an equation."""
        equation = self._equation
        args, kwargs = equation.call
        if hasattr(equation.function, "bound"):  # parameters of programs are operands, or have names
            pairs = zip(chain(signature_of(equation.function), repeat("")), args, strict=False)
            args = [x if has_slot(x) else params.pop(name, x) for name, x in pairs]
        found = type(equation)(equation.function, equation.invars, equation.outvars, (args, {**kwargs, **params})).bind(
            operands
        )
        return found if self.multiple_results else found[0]
