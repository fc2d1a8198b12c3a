"""How an elementwise function is made of its row in `_core.rules` and its definition, which is a docstring.

`@elementwise` makes a function, `@unary_ufunc` and `@binary_ufunc` make a ufunc. What they make computes by the operation that
bears the function's name: at once if the operands are arrays, or an array and a Python scalar, else by a function that
converts the operands first. `@elementwise_of(...)` makes a function whose row is at its definition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, update_wrapper, wraps
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast as as_type

from supremum._base.boundary import public, translated
from supremum._base.functions import Plain
from supremum._core import engine
from supremum._core.arguments import refuse_out
from supremum._core.array import Array
from supremum._core.conversion import as_array, operand
from supremum._core.operators import unary
from supremum._core.plans import BINARY, UNARY, Operation, UnaryOperation
from supremum._core.rules import Kernel, Result, Rule
from supremum._core.typing import ArrayLike
from supremum._functions.elementwise import _folds
from supremum._functions.elementwise._operands import apply_binary, drop_weak_unless_scalar
from supremum._functions.elementwise.ufuncs import ufunc

__all__ = ["BinaryUfunc", "UnaryUfunc", "binary_ufunc", "elementwise", "elementwise_of", "unary_ufunc"]

_Definition = TypeVar("_Definition", bound=Callable[..., Array])
_OfOne: TypeAlias = Callable[[ArrayLike], Array]
_OfTwo: TypeAlias = Callable[[ArrayLike, ArrayLike], Array]


def elementwise(definition: _Definition, fast: str | None = None, *, plain: bool = True) -> _Definition:
    """Make the function that the row of a definition's name describes.

    Parameters
    ----------
    definition : function
        The signature and the docstring; there is no body. A parameter `out` besides the operands is refused.
    fast : str, optional
        The name of a fast path that comes before the operation.
    plain : bool
        Whether a function whose results are strong has a plain call.

    Returns
    -------
    function
        The function, with the definition as its ``__wrapped__``.
    """
    name = definition.__name__
    operation = UNARY.get(name) or BINARY.get(name)
    if operation is None:
        raise LookupError(f"{name} is defined in {definition.__module__} and has no row in supremum/_core/rules.py")
    function = _made(definition, operation, plain=plain, guests=not fast)
    named = engine.Function(function, fast, name=name, kind="elementwise") if fast else function
    return as_type(_Definition, named)


def elementwise_of(
    accepts: str,
    result: Result,
    kernel: Kernel,
    special: Mapping[str, Kernel] | None = None,
    *,
    name: str = "",
    lists: bool = False,
    **row: Any,
) -> Callable[[_Definition], _Definition]:
    """Make a function of what describes it: as `elementwise`, of functions that have no row in the table.

    Parameters
    ----------
    accepts, result, kernel, special, **row
        As for `supremum._core.rules.Rule`; the definition has one parameter for each operand.
    name : str
        The name in messages; the definition's by default.
    lists : bool
        Whether operands may be lists, which JAX takes for some functions.
    """

    def decorate(definition: _Definition) -> _Definition:
        rule = Rule(name or definition.__name__, definition.__code__.co_argcount, accepts, result, kernel, special, **row)
        return _made(definition, UnaryOperation(rule) if rule.nin == 1 else Operation(rule), lists=lists)

    return decorate


def _made(
    definition: _Definition,
    operation: UnaryOperation | Operation,
    *,
    lists: bool = False,
    plain: bool = False,
    guests: bool = True,
) -> _Definition:
    rule, parameters = operation.rule, definition.__code__.co_varnames
    if not definition.__name__.startswith("_"):
        public(wrap=False)(definition)

    @wraps(definition)
    def call(*args: Any, **kwargs: Any) -> Array:
        definition(*args, **kwargs)  # raises Python's own error for arguments that do not fit the signature
        given = dict(zip(parameters, args, strict=False), **kwargs)
        refuse_out(given.get("out"), rule.name)
        operands = [given[parameter] for parameter in parameters[: rule.nin]]
        if lists:
            operands = [as_array(x) if isinstance(x, list | tuple) else x for x in operands]
        if isinstance(operation, Operation):
            return apply_binary(operation, operands[0], operands[1])
        return unary(operation, operand(operands[0], rule.name))

    name = rule.name if guests and not rule.strong_arrays else None
    handler = partial(translated, rule.name, definition=definition)
    function = engine.Function(call, "elementwise", operation.engine, name=name, kind="elementwise", handler=handler)
    if not rule.strong_arrays:
        definition.__name__ += " (definition)"  # for completion, as in `public`
        return as_type(_Definition, function)
    # The engine's results are weak where the function's are not; of strong arrays, the kernel's results are the function's.
    kinds = "".join([kind for kind in rule.strong_arrays if kind not in (rule.special or ())])

    at_once = Plain(rule.kernel, arrays=rule.nin, kinds=kinds, positional=rule.nin) if plain else None

    @public(home=definition.__module__, plain=at_once, kind="elementwise")
    @wraps(definition)
    def strong_call(*args: Any, **kwargs: Any) -> Array:
        return drop_weak_unless_scalar(function(*args, **kwargs), rule.strong_arrays)

    definition.__name__ += " (definition)"
    return as_type(_Definition, strong_call)


# -- ufuncs -------------------------------------------------------------------------------------------------------------------


if TYPE_CHECKING:

    class UnaryUfunc(ufunc):
        """A ufunc that is an operation of one operand: `engine.Ufunc` with the members of `ufunc`."""

        def __call__(self, x: ArrayLike, /, out: None = None, where: None = None) -> Array:  # type: ignore[override]  # one operand
            """Apply the function."""

    class BinaryUfunc(ufunc):
        """A ufunc that is an operation of two operands: `engine.Ufunc` with the members of `ufunc`."""

        def __call__(  # type: ignore[override]  # two operands
            self, x1: ArrayLike, x2: ArrayLike, /, out: None = None, where: None = None
        ) -> Array:  # pyright: ignore[reportReturnType]  # for type checkers alone
            """Apply the function."""


engine.attach(
    engine.Ufunc,
    {
        name: member
        for name, member in vars(ufunc).items()
        if name in ("__repr__", "__signature__") or not name.startswith("__")
    },
)


def _operation_ufunc(definition: Callable[..., Array], identity: object = None) -> Any:
    """Make a ufunc that is an operation. `out` and `where` may come by position, as NumPy's `out` may, and are refused."""
    name = definition.__name__
    row = BINARY.get(name) or UNARY[name]
    function: Any = _made(definition, row, guests=False)
    operation = row.engine
    count = operation.operands

    def _call(*operands: Any, out: Any = None, where: Any = None) -> Array:
        if count < len(operands) <= count + 2:
            out, where = (*operands[count:], where)[:2]
        if out is not None or where is not None:
            made._no_options(out, where)
        return function(*operands[:count])

    handler = partial(translated, name, definition=definition)
    options: Any = {"name": name, "kind": "elementwise", "handler": handler}
    made: Any = engine.Ufunc(update_wrapper(_call, function), "elementwise", operation, **options)
    ufunc.__init__(
        made,
        function,
        count,
        1,
        identity=identity,
        reduce=_folds.REDUCE.get(name),
        accumulate=_folds.ACCUMULATE.get(name),
        at=partial(_folds.AT[name], made) if name in _folds.AT else None,
    )
    return made


def unary_ufunc(definition: _OfOne) -> UnaryUfunc:
    """Make a ufunc of one operand, as `elementwise` makes a function."""
    return _operation_ufunc(definition)


def binary_ufunc(*, identity: object) -> Callable[[_OfTwo], BinaryUfunc]:
    """Make a ufunc of two operands, as `elementwise` makes a function; `identity` leaves the other operand as it is."""
    return lambda definition: _operation_ufunc(definition, identity)
