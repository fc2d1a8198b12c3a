"""How an elementwise function is made of its facts and its definition, which is a docstring.

`@elementwise(...)` makes a function, `@unary_ufunc(...)` and `@binary_ufunc(...)` make a ufunc. What they make computes by an
operation, its attribute `row`: at once if the operands are arrays, or an array and a Python scalar, else by a function that
converts the operands first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, update_wrapper, wraps
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast as as_type

from supremum._base.boundary import public, public_module, translated
from supremum._base.facts import facts_among
from supremum._core import engine
from supremum._core.array import Array, ArrayLike
from supremum._core.conversion import as_array, operand, refuse_out
from supremum._core.operators import unary
from supremum._core.plans import Operation
from supremum._core.rules import Elementwise
from supremum._functions.elementwise import _folds
from supremum._functions.elementwise._steps import apply_binary, drop_weak_unless_scalar
from supremum._functions.elementwise.ufuncs import ufunc

_Definition = TypeVar("_Definition", bound=Callable[..., Array])
_OfOne: TypeAlias = Callable[[ArrayLike], Array]
_OfTwo: TypeAlias = Callable[[ArrayLike, ArrayLike], Array]


def elementwise(*row: Any, fast: str | None = None, lists: bool = False, **more: Any) -> Callable[[_Definition], _Definition]:
    """Make an elementwise function of its facts.

    Parameters
    ----------
    *row, **more
        The facts of `supremum._core.rules.Elementwise` from `accepts` on, and the name in messages if it is not that of the
        definition; or the operation, of an operator. Those of `supremum._base.facts.Facts` may follow. The definition has the
        signature, with one parameter for each operand, and the docstring; there is no body. A parameter `out` besides the
        operands is refused.
    fast : str, optional
        The name of a fast path that comes before the operation.
    lists : bool
        Whether operands may be lists, which JAX takes for some functions.
    """
    facts = facts_among(more)

    def decorate(definition: _Definition) -> _Definition:
        operation = _operation(definition, *row, **more)
        function = _made(definition, operation, lists=lists, guests=not fast)
        made: Any = engine.Function(function, fast, name=operation.rule.name, kind="elementwise") if fast else function
        made.row, made.facts = operation, facts
        return as_type(_Definition, made)

    return decorate


def _operation(definition: Callable[..., Any], *row: Any, name: str = "", **more: Any) -> Operation:
    """Return what a definition computes."""
    if isinstance(row[0], Operation):
        return row[0]
    names = definition.__code__.co_varnames[: definition.__code__.co_argcount]
    return Operation(Elementwise(name or definition.__name__, len(names) - ("out" in names), *row, **more))


def _made(definition: _Definition, operation: Operation, *, lists: bool = False, guests: bool = True) -> _Definition:
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
        if rule.nin == 2:
            return apply_binary(operation, operands[0], operands[1])
        return unary(operation, operand(operands[0], rule.name))

    path = f"{public_module(definition.__module__)}.{definition.__name__}".removeprefix("supremum.")
    name = path if guests and not rule.strong_arrays else None
    handler = partial(translated, rule.name, definition=definition)
    function: Any = engine.Function(call, "elementwise", operation.engine, name=name, kind="elementwise", handler=handler)
    if path != rule.name:
        function.label = rule.name
    if not rule.strong_arrays:
        definition.__name__ += " (definition)"  # for completion, as in `public`
        return as_type(_Definition, function)

    @public(home=definition.__module__, kind="elementwise")
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


def _ufunc(definition: Callable[..., Array], *given: Any, identity: object = None, **more: Any) -> Any:
    """Make a ufunc that is an operation. `out` and `where` may come by position, as NumPy's `out` may, and are refused."""
    facts = facts_among(more)
    row = _operation(definition, *given, **more)
    name, operation = row.rule.name, row.engine
    function: Any = _made(definition, row, guests=False)
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
    made.row, made.facts = row, facts
    methods = {"reduce": _folds.REDUCE, "accumulate": _folds.ACCUMULATE, "at": _folds.AT}
    own: dict[str, Any] = {method: partial(table[name], made) for method, table in methods.items() if name in table}
    ufunc.__init__(made, function, count, 1, identity=identity, **own)
    return made


def symmetric(slope: str) -> tuple[str, str]:
    """Return the slopes of a function whose operands may change places, of the first operand's."""
    return slope, slope.replace("x1", "x0").replace("x2", "x1").replace("x0", "x2")


def unary_ufunc(*row: Any, **more: Any) -> Callable[[_OfOne], UnaryUfunc]:
    """Make a ufunc of one operand, as `elementwise` makes a function."""
    return lambda definition: _ufunc(definition, *row, **more)


def binary_ufunc(*row: Any, identity: object, **more: Any) -> Callable[[_OfTwo], BinaryUfunc]:
    """Make a ufunc of two operands, as `elementwise` makes a function; `identity` leaves the other operand as it is."""
    return lambda definition: _ufunc(definition, *row, identity=identity, **more)
