"""The engine in Python, its lower part: nodes, the state in force, and the plans that states own; see `_reference`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, Final, Self

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.functions import hooks

#: A node: an object with the attributes `index`, `kind`, `weak` and `dtype`.
Node = Any
_nodes: Final[list[Node]] = []


def register(nodes: Sequence[Node]) -> None:
    """Register the nodes that arrays can have, in the order of their indices."""
    for node in nodes:
        if node.index != len(_nodes):
            raise ValueError(f"register: {node!r} has index {node.index}, expected {len(_nodes)}")
        if not isinstance(node.dtype, np.dtype):
            raise TypeError(f"register: {node!r} has no dtype or no kind")
        _nodes.append(node)


def register_dtypes(pairs: Sequence[tuple[Any, Node | type]]) -> None:
    """Register, once, what `dtype=` arguments may be, with the strong nodes that they mean.

    In place of a node, the type of a Python scalar means the default node of its kind. Names are known by their text, all
    other objects by identity.
    """
    for spelling, meaning in pairs:
        if meaning not in _KINDS:
            check_registered(meaning)
        _spellings[spelling if type(spelling) is str else id(spelling)] = spelling, meaning


#: The types of Python scalars, in the order of default nodes.
_KINDS: Final = (bool, int, float, complex)
#: What is registered, which is kept alive, and its meaning.
_spellings: Final[dict[str | int, tuple[Any, Node | type]]] = {}


def find_dtype(current: State, dtype: object) -> Node | None:
    """Return the strong node that a `dtype=` argument means in a State.

    None is returned for other spellings, for what is no dtype, and for a dtype of 64 bits that the state does not allow.
    """
    _, meaning = _spellings.get(dtype if type(dtype) is str else id(dtype), (None, None))
    if meaning is None and isinstance(dtype, np.dtype) and dtype.isnative:  # another object of the same dtype
        _, meaning = _spellings.get(id(dtype.type), (None, None))
    node: Node | None = current._defaults[_KINDS.index(meaning)] if meaning in _KINDS else meaning
    wide = node is not None and node.dtype.itemsize >= 8 and node.dtype.char != "F"
    return None if wide and current.x64_off else node


def check_registered(node: Node) -> None:
    """Refuse what is no node that arrays can have."""
    index = getattr(node, "index", len(_nodes))
    if not any(node is known for known in _nodes[index : index + 1]):
        raise TypeError(f"{node!r} is no node that arrays can have")


class Plan:
    """What an operation does for given nodes.

    Parameters
    ----------
    node : Node
        The node of the result.
    call : callable, optional
        Computes an ndarray (or a NumPy scalar) from ndarrays of the operands' own dtypes. It runs without floating-point
        warnings.
    ufunc, dtype : optional
        A ufunc whose loop from inputs of `dtype` to the dtype of `node` does the same; for an engine that calls loops
        directly, which converts operands of other dtypes first.
    convert : callable, optional
        Makes a 0-d ndarray of a Python scalar, of which `call` takes it.
    low, high, floats : optional
        The Python integers, and whether the floats and complex numbers, that become elements of `dtype` as C converts
        numbers; an engine need not call `convert` for those.
    fold : bool
        Whether the plan is of a fold: the loop is from `dtype` to `dtype`, and the end result is converted to the dtype of
        `node`.
    """

    __slots__ = ("call", "convert", "dtype", "looped", "node")

    def __init__(
        self,
        node: Node,
        call: Callable[..., Any] | None = None,
        *,
        ufunc: np.ufunc | None = None,  # noqa: ARG002 - for the engine in C
        dtype: np.dtype[Any] | None = None,
        convert: Callable[[Any], Buffer] | None = None,
        low: int = 0,  # noqa: ARG002 - for the engine in C
        high: int = -1,  # noqa: ARG002 - for the engine in C
        floats: bool = False,  # noqa: ARG002 - for the engine in C
        fold: bool = False,  # noqa: ARG002 - for the engine in C
    ) -> None:
        check_registered(node)
        self.node: Final = node
        self.call: Final = call
        self.convert: Final = convert
        self.dtype: Final = dtype
        #: Whether a loop of NumPy's is called directly: not by this engine.
        self.looped: Final = False


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
    #: With a watcher, the scopes without it, and without any.
    outer: Scope | None
    bare: Scope | None
    #: Whether the rules of a system run before definitions.
    ruled: bool
    _plans: dict[tuple[Any, ...], Plan]
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


hooks.update(state=state, call_in=call_in)
