"""Function, the class of public functions, Plain, their plain calls on buffers, and the state that they run in.

This is the lower part of the engine in Python, the specification of the one in C; `_core._reference` has the rest.

`SUPREMUM_PURE=1` selects what is here, as in `_core.engine`. The fast paths of the engine in C are not here: a call goes to
the operation of an elementwise function, or to the Python definition.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from types import MethodType
from typing import TYPE_CHECKING, Any, Final, ParamSpec, Self, TypeAlias, TypeVar

import numpy as np

from supremum._base.buffers import native
from supremum._base.facts import signature_of
from supremum._base.frames import without_own_frames
from supremum._base.silence import CALLERS, ERRORS, SILENT, call_user_code
from supremum._base.tables import read_table

P = ParamSpec("P")
R = TypeVar("R")

#: The errors of functions that may be replaced by others with the function's name.
_TRANSLATED: Final = (TypeError, ValueError, IndexError, OverflowError, RuntimeError, ImportError, SystemError)
#: The reference engine's functions: those of `engine.complete`.
hooks: Final[dict[str, Callable[..., Any]]] = {}
#: A node: an object with the attributes `index`, `kind`, `weak` and `dtype`.
Node = Any
#: The nodes that arrays can have, by their identity.
KNOWN: Final[dict[int, Node]] = {}


def register(nodes: Sequence[Node]) -> None:
    """Register the nodes that arrays can have, in the order of their indices."""
    for node in nodes:
        if node.index != len(KNOWN):
            raise ValueError(f"register: {node!r} has index {node.index}, expected {len(KNOWN)}")
        if not isinstance(node.dtype, np.dtype):
            raise TypeError(f"register: {node!r} has no dtype or no kind")
        KNOWN[id(node)] = node


def check_registered(node: Node) -> None:
    """Refuse what is no node that arrays can have."""
    if id(node) not in KNOWN:
        raise TypeError(f"{node!r} is no node that arrays can have")


class State:
    """One combination of settings; owns the plans made under it. The package derives a class that holds the settings."""

    __slots__ = (
        "_defaults", "_plans", "bare", "mutable", "outer", "partitionable", "remember", "ruled", "strict", "views", "watcher",
        "x64_off", "x64_on",
    )  # fmt: skip

    #: Whether plans may be kept: not where more than nodes decides.
    remember: bool
    #: Whether arrays can be written to.
    mutable: bool
    #: Whether 64-bit dtypes do not exist.
    x64_off: bool
    #: Whether they are the defaults.
    x64_on: bool
    #: Whether random bits depend on their positions alone.
    partitionable: bool
    #: Whether watchers see items that are views; this engine shows them all.
    views: bool
    #: Whether operands are refused that others promote.
    strict: bool
    #: What public functions call in their place; None if nothing watches.
    watcher: Any
    #: With a watcher, the Scopes without it, and without any.
    outer: Any
    bare: Any
    #: Whether the rules of a system run before definitions.
    ruled: bool
    _plans: dict[tuple[Any, ...], Any]
    #: Of arrays of bools, ints, floats and complex numbers; None where they are not set.
    _defaults: Sequence[Node | None]

    def __new__(cls, *_args: Any, **_kwargs: Any) -> Self:
        """Make a state without plans."""
        self = super().__new__(cls)
        self.remember = self.mutable = self.views = True
        self.x64_off = self.x64_on = self.ruled = self.strict = False
        self.watcher = None
        self._plans = {}
        self._defaults = [None] * 4
        return self

    def set_guests(self, watcher: Any, outer: Any, bare: Any, ruled: bool) -> None:
        """Set the watcher, the Scopes without it and without any, and whether the rules of a system run before definitions."""
        if watcher is not None and not (isinstance(outer, Scope) and isinstance(bare, Scope)):
            raise TypeError(f"set_guests: expected two Scopes, got {outer!r} and {bare!r}")
        if self.watcher is not None or self.ruled:
            raise ValueError("set_guests: the state has guests")
        self.watcher, self.outer, self.bare, self.ruled = watcher, outer, bare, ruled

    def set_defaults(self, defaults: Sequence[Node], scalars: Sequence[Node]) -> None:
        """Set the nodes of arrays of bools, ints, floats and complex numbers, and those of arrays made of one Python scalar.

        Until they are set, an engine has no fast paths for what makes arrays.
        """
        if len(defaults) != 4 or len(scalars) != 4:
            raise ValueError("set_defaults: expected four nodes")
        for node in (*defaults, *scalars):
            check_registered(node)
        self._defaults = defaults

    def set_refusals(self, bits: bytes) -> None:
        """Set, for each node, what an array of it does not keep its node with where it promotes.

        The bits are of a Python bool, int, float and complex number, and of an array of the same node. They are for an engine
        with fast paths, which leave such operands to the definitions.
        """


class Scope:
    """An override of the state in one context; a subclass has a method `resolve` that returns the State.

    An engine may keep the result until `use` is called.
    """

    __slots__ = ("_used",)

    _used: bool

    @property
    def used(self) -> bool:
        """Whether a call was made in the scope."""
        return getattr(self, "_used", False)

    def resolve(self) -> State:
        """Return the state that rules where this scope does."""
        raise NotImplementedError


#: The context variable that holds the Scope in force, if there is one.
scope: Final[ContextVar[Scope]] = ContextVar("supremum_scope")
_process: Final[list[State]] = []
_strays: Final = [0]


def use(new: State) -> None:
    """Have a State rule where no scope overrides it."""
    if not isinstance(new, State):
        raise TypeError(f"use: expected a State, got {new!r}")
    _process[:] = [new]


def state() -> State:
    """Return the State in force in this context."""
    override = scope.get(None)
    if override is not None:
        override._used = True
        found = override.resolve()
        if not isinstance(found, State):
            raise TypeError(f"resolve() of a scope must return a State, got {found!r}")
        return found
    if not _process:
        raise RuntimeError("no state is in force: call use(state) first")
    _strays[0] += 1
    return _process[0]


def strays() -> int:
    """Return a number that has changed by the next call of this if a call was made since without a scope, while one lived."""
    return _strays[0]


def call_in(where: Scope, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call a function in a scope."""
    token = scope.set(where)
    try:
        return function(*args, **kwargs)
    finally:
        scope.reset(token)


def call_without_float_warnings(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """Call a function without floating-point warnings. It must run no user code; see `silent`."""
    callers = ERRORS.get()
    try:
        ERRORS.set(SILENT)
        return function(*args, **kwargs)
    finally:
        ERRORS.set(callers)  # without a token, which an interruption may come before


def without_float_warnings(function: Callable[P, R]) -> Callable[P, R]:
    """Wrap a function to run without floating-point warnings; `call_user_code` restores the caller's error state."""

    @functools.wraps(function)
    def _silent(*args: P.args, **kwargs: P.kwargs) -> R:
        callers = ERRORS.get()
        if callers is SILENT:
            return function(*args, **kwargs)
        before = CALLERS.set(callers)
        try:
            ERRORS.set(SILENT)
            return function(*args, **kwargs)
        finally:
            ERRORS.set(callers)
            CALLERS.reset(before)

    return _silent


def with_translated_errors(function: Callable[P, R], translate: Callable[..., Exception]) -> Callable[P, R]:
    """Wrap a function to raise what `translate` makes of an error and of the arguments, a tuple and a dict."""

    @functools.wraps(function)
    def _call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except RecursionError:  # a RuntimeError; it is of the caller's stack
            raise
        except _TRANSLATED as error:
            raise translate(error, args, kwargs)  # noqa: B904 - which sets the cause

    return _call


class Plain:
    """A function as one call on buffers, which the engine in C makes where the arguments are plain.

    Plain are arrays with elements, of strong nodes that NumPy has, and also numbers, None, strings and tuples of
    integers.

    Parameters
    ----------
    call : callable
        From buffers to a buffer, a scalar, or several, of the dtypes of the function's results. Where it raises an exception
        or returns NotImplemented, the definition is called.
    arrays : int
        The number of arrays, which are the first arguments; -1 if all arguments by position are arrays, and 0 if the first one
        is a list or tuple of them.
    kinds : str
        The kinds of nodes of the first array.
    keywords : tuple of str
        The arguments that may be given by name.
    make : type, optional
        The class of tuples for several results.
    least : int
        The number of axes that the arrays have at least.
    mixed : bool
        Whether the arrays may have different nodes.
    index : bool
        Whether 64-bit integers among the results are indices, which are of the default integer.
    errors : object
        NumPy's error state while the call runs; None if it raises none. Errors are ignored by default.
    positional : int
        The number of arguments that may be given by position.
    """

    def __init__(
        self,
        call: Any,
        arrays: int = 1,
        kinds: str = "biufc",
        keywords: tuple[str, ...] = (),
        make: type | None = None,
        least: int = 1,
        mixed: bool = False,
        index: bool = False,
        errors: object = SILENT,
        positional: int = 8,
    ) -> None:
        del kinds, keywords, least, mixed, index, errors, positional
        if not callable(call) or (make is not None and not issubclass(make, tuple)):
            raise TypeError(f"Plain: expected a callable and a class of tuples, got {call} and {make}")
        if not -1 <= arrays <= 8:
            raise ValueError(f"Plain: arrays is from -1 to 8, got {arrays}")


class Function:
    """A public function: its Python definition, what runs around it, and what the engine has before it.

    To people it is the definition: its name, docstring, signature and module.

    Before the definition of a public function come guests, in this order: operands that take over, whose class has a method
    ``__supremum_function__(function, args, kwargs)``, those of greater levels first; the watcher of the state in force, called
    as ``watcher(function, args, kwargs)`` in the state without it; the rules of the state's system. A function without a name
    has no guests.

    Parameters
    ----------
    definition : callable
        The function in Python.
    fast : str, optional
        The name of the fast path in the engine in C: see `fast_paths.txt`. Of elementwise functions, it applies the operation.
    operation : Operation, optional
        What an elementwise function computes. The plans of a reduction's operation, of one operand, say what is reduced and
        how; the fast paths of ``"where"``, ``"allclose"``, ``"isclose"`` and updates find the node next to a Python scalar by
        it, ``"clip"`` the loop of a ufunc of three operands, and ``"matmul"``, ``"dot"`` and ``"vecdot"`` that of a
        generalized ufunc.
    plain : Plain, optional
        The plain call, which comes after the fast path.
    handler : callable, optional
        Makes of an error and the arguments, a tuple and a dict, the error to raise.
    name : str, optional
        The name of a public function, which is its path below the package, such as ``"scipy.linalg.inv"``.
    kind : str, optional
        What guests know of it: ``"elementwise"``, ``"reduction"``, ``"composed"`` (the definition is written in public
        functions, so that guests can look through it), ``"index"``, ``"update"``, ``"in-place"``, ``"conversion"``, or
        ``"opaque"``, the default.
    silent : bool
        Whether floating-point errors are ignored while the definition runs.
    """

    def __init__(
        self,
        definition: Callable[..., Any],
        fast: str | None = None,
        operation: Any = None,
        plain: Plain | None = None,
        *,
        handler: Callable[..., Exception] | None = None,
        name: str | None = None,
        kind: str = "opaque",
        silent: bool = False,
    ) -> None:
        if not callable(definition):
            raise TypeError(f"Function: expected a Python function, got {definition!r}")
        if operation is not None and not hasattr(operation, "make_plan"):
            raise TypeError(f"Function: {operation!r} is no Operation")
        if plain is not None and type(plain) is not ReferencePlain:
            raise TypeError(f"Function: {plain!r} is no Plain")
        of_plans = fast in _OF_PLANS and (operation is None or plain is not None)
        if fast is not None and (fast not in FAST_PATHS or of_plans):
            raise ValueError(f"Function: there is no fast path '{fast}' of such arguments")
        names = [name for name in functools.WRAPPER_ASSIGNMENTS if hasattr(definition, name)]
        vars(self).update(getattr(definition, "__dict__", {}), __wrapped__=definition)
        vars(self).update((name, getattr(definition, name)) for name in names)
        self.operation: Final = operation
        self.plain: Final = plain
        self.fast: Final = fast
        self._definition: Final = definition
        self.name: Final = name
        self.kind: Final = kind
        self._parameters: Any = None
        self._at_once = None if operation is None or fast != "elementwise" else operation._apply
        call = without_float_warnings(self._by_rules) if silent else self._by_rules
        if handler is not None:
            call = with_translated_errors(call, lambda error, args, kwargs: handler(error, args[1:], kwargs))
        self._behind = call

    def __repr__(self) -> str:
        return f"<function {self.__qualname__}>"  # type: ignore[attr-defined]  # from the definition

    def __reduce__(self) -> str:
        return self.__qualname__  # type: ignore[attr-defined]  # from the definition

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Return the function as a method."""
        return self if instance is None else MethodType(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function; tracebacks of errors have this frame and no other of the package."""
        try:
            return self._attempt(args, kwargs)
        except Exception as error:  # noqa: BLE001 - any error is raised again
            raise without_own_frames(error)  # noqa: B904 - the same error

    def _attempt(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Let guests have the call, else apply the operation to plain operands, or call the definition."""
        current = None
        if self.name is not None:
            if any(map(takes_over, _searched((*args, *kwargs.values())))):
                result = self.offer(*args, **kwargs)
                if result is not NotImplemented:
                    return result
                if self.kind != "composed":
                    raise TypeError(f"{self.name}: no operand takes over: every __supremum_function__ returned NotImplemented")
            current = state()
            if current.watcher is not None:
                return call_in(current.outer, _call_guest, current.watcher, self, args, kwargs)
        if self._at_once is not None and not kwargs:
            result = self._at_once(*args)
            if result is not NotImplemented:
                return result
        return self._behind(current, *args, **kwargs)

    def definition(self, *args: Any, **kwargs: Any) -> Any:
        """Call the definition past the guests, which see the parts of a composed function."""
        current = None if self.name is None else state()
        if current is not None and current.watcher is not None and self.kind != "composed":
            return call_in(current.bare, self.definition, *args, **kwargs)
        return self._behind(current, *args, **kwargs)

    def offer(self, *args: Any, **kwargs: Any) -> Any:
        """Offer a call to the operands that take over: the result, or NotImplemented."""
        for x in _in_order([x for x in _searched((*args, *kwargs.values())) if takes_over(x)]):
            result = _call_guest(x.__supremum_function__, self, args, kwargs)
            if result is not NotImplemented:
                return result
        return NotImplemented

    def bound(self, args: Any, kwargs: Any, /) -> dict[str, Any]:
        """Return the arguments of a call by name, in the order of the parameters, defaults among them."""
        if not isinstance(args, tuple) or not isinstance(kwargs, dict):
            raise TypeError("bound: expected the arguments of a call, a tuple and a dict")
        if self._parameters is None:
            self._parameters = parameters_of(self)
        names, defaults, required, unnamed, positional, several, named = self._parameters
        function = self if self.name is None else self.name
        if len(args) > positional and not several:
            raise TypeError(f"{function}: takes {positional} arguments by position, got {len(args)}")
        found: dict[str, Any] = {}
        rest = dict(kwargs)
        for i, (name, default) in enumerate(zip(names, defaults, strict=True)):
            if several and i == positional:
                found[name] = args[positional:]
            elif named and i == len(names) - 1:
                found[name] = rest
            elif i < positional and i < len(args):
                if i >= unnamed and name in rest:
                    raise TypeError(f"{function}: the argument {name!r} is given twice")
                found[name] = args[i]
            elif i >= unnamed and name in rest:
                found[name] = rest.pop(name)
            elif default is not required:
                found[name] = default
            else:
                raise TypeError(f"{function}: the argument {name!r} is missing")
        if rest and not named:
            raise TypeError(f"{function}: there are no arguments {list(rest)}")
        return found

    def _by_rules(self, current: State | None, /, *args: Any, **kwargs: Any) -> Any:
        if current is not None and current.ruled:
            return hooks["rules"](self, self._definition, args, kwargs)
        return self._definition(*args, **kwargs)


def parameters_of(function: Callable[..., Any]) -> tuple[tuple[str, ...], tuple[Any, ...], object, int, int, bool, bool]:
    """Return what arguments are bound by.

    Returns
    -------
    tuple
        The names of the parameters in order; their defaults; what is among these where there is none; how many are given by
        position alone, and how many may be; whether there is one for more by position, after those; whether there is one for
        more by name, the last.
    """
    parameters = signature_of(function).values()
    kinds = [parameter.kind for parameter in parameters]
    unnamed = kinds.count(inspect.Parameter.POSITIONAL_ONLY)
    return (
        tuple([sys.intern(parameter.name) for parameter in parameters]),
        tuple([parameter.default for parameter in parameters]),
        inspect.Parameter.empty,
        unnamed,
        unnamed + kinds.count(inspect.Parameter.POSITIONAL_OR_KEYWORD),
        inspect.Parameter.VAR_POSITIONAL in kinds,
        inspect.Parameter.VAR_KEYWORD in kinds,
    )


def takes_over(x: Any) -> bool:
    """Whether an operand takes calls over."""
    return getattr(type(x), "__supremum_function__", None) is not None


def _searched(arguments: Iterable[Any], outer: tuple[Any, ...] = ()) -> Iterator[Any]:
    """Yield arguments, and the elements of those that are lists or tuples, also of those within others."""
    for x in arguments:
        if type(x) is not list and type(x) is not tuple:
            yield x
        elif len(outer) < _DEEPEST and all(x is not other for other in outer):
            yield from _searched(x, (*outer, x))


def _in_order(takers: list[Any]) -> list[Any]:
    """Return one operand of each class and level: greater levels first, then subclasses, then in order."""
    if len(takers) < 2:
        return takers
    found: list[tuple[int, Any]] = []
    for x in takers:
        level = getattr(x, "__supremum_level__", 0)
        if not isinstance(level, int) or not -(2**63) <= level < 2**63:
            raise TypeError(f"__supremum_level__ is an integer of 64 bits, got {level!r} of {type(x)}")
        place = len(found)
        while place and found[place - 1][0] < level:
            place -= 1
        same = [i for i, (other, _) in enumerate(found) if other == level]
        if all(type(found[i][1]) is not type(x) for i in same):
            found.insert(min([place, *[i for i in same if isinstance(x, type(found[i][1]))]]), (level, x))
    return [x for _, x in found]


def _call_guest(guest: Callable[..., Any], *args: Any) -> Any:
    """Call a watcher, or the method of an operand that takes over, in the error state of the user's code."""
    return call_user_code(guest, *args) if ERRORS.get() is SILENT else guest(*args)


#: How deep lists in lists are searched: an array has no more axes.
_DEEPEST: Final = 64
#: Fast paths that find plans, and need no plain call as well.
_OF_PLANS: Final = {"elementwise", "reduce", "total", "mean", "accumulate"}
#: The fast paths of the engine in C: their names, and the arguments that they take.
FAST_PATHS: Final = dict(read_table(__name__, "fast_paths.txt")["fast paths"])

ReferenceFunction: TypeAlias = Function
ReferencePlain: TypeAlias = Plain
if not TYPE_CHECKING and native is not None:
    Function, Plain = native.Function, native.Plain
