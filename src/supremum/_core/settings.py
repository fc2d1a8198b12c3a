"""The state in force: 64-bit dtypes, the promotion system, mutability, indices out of range, and what follows from them.

A `State` is an immutable combination of settings. States are interned, so that plans can be cached by state. The process-wide
settings are one state; a context that overrides some of them has an `Override` in a context variable. The engine finds the
state in force, and keeps plans by state.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Protocol
from weakref import WeakKeyDictionary, WeakValueDictionary

from supremum._base.exceptions import TypePromotionError, with_function_name
from supremum._base.locks import LOCK
from supremum._core import engine
from supremum._core.guests import NO_CHECKS, Watcher, checks
from supremum._core.setting_rows import DEFAULTS, X64, Lists, OutOfRange, Ranks
from supremum.promotion._nodes import ARRAY_NODES, NODES, WEAK, Node
from supremum.promotion._roles import Roles
from supremum.promotion._system import PromotionSystem
from supremum.promotion.systems import SYSTEMS as systems  # a mapping that users know as a name in lower case

engine.register(ARRAY_NODES)

#: What 64-bit nodes become in the mode "off".
_TRUNCATED: Final = {
    NODES[wide]: NODES[narrow]
    for wide, narrow in (("int64", "int32"), ("uint64", "uint32"), ("float64", "float32"), ("complex128", "complex64"))
}


#: The nodes that the observer was notified of within the public function that runs in this context; None outside of one.
reported: Final[ContextVar[list[Node] | None]] = ContextVar("supremum_reported", default=None)


class Observer(Protocol):
    """An object that is notified of every promotion while promotions are traced."""

    def saw(self, operation: str | None, operands: tuple[Node, ...], result: Node, size: int | None) -> None:
        """Receive a promotion: the operation, the operands, their common node and the number of elements; None is unknown."""


class State(engine.State):
    """A combination of settings, interned: states with the same settings are the same object."""

    __slots__ = (
        *[name for name in DEFAULTS if not hasattr(engine.State, name)],  # the engine's own are those that it reads
        "__weakref__", "bool_", "complex_", "elementwise", "float_", "functions", "guested", "int_", "joins", "programs",
        "roles", "scalars", "system", "tables", "takes_lists", "tiered", "weak",
    )  # fmt: skip

    x64: X64
    promotion: PromotionSystem
    mutable: bool
    #: What ``x[index]``, and functions without a `mode`, do with indices out of range.
    out_of_range: OutOfRange
    #: What functions do with lists.
    lists: Lists
    #: Whether operands of different numbers of axes broadcast; 0-d ones always do.
    ranks: Ranks
    #: Whether functions that return NaN, or infinities, raise.
    nans: bool
    infs: bool
    #: Whether random bits depend on their positions alone, not on how many are drawn.
    partitionable: bool
    #: Whether loops and jitted functions call what they are given at each step, in place of programs.
    step_by_step: bool
    #: Notified of every promotion; None except while promotions are traced or forbidden.
    observer: Observer | None
    #: What public functions call in their place, the innermost first.
    watchers: tuple[Watcher, ...]

    def __init__(self, settings: dict[str, Any], given: frozenset[str]) -> None:
        for name, value in settings.items():
            setattr(self, name, value)
        x64, promotion, observer, watchers = self.x64, self.promotion, self.observer, self.watchers
        #: The effective system: JAX's lattice has one different edge if 64-bit dtypes are disabled.
        self.system: Final = systems["jax_x32"] if x64 == "off" and promotion is systems["jax"] else promotion
        #: What functions make of one operand, if not what JAX's do.
        self.roles: Final = self.system.roles if x64 != "off" else self._truncated_roles()
        #: The systems by which operands of elementwise functions promote, and those of functions with a table of their own.
        variants = self.system.data.variants
        self.elementwise: Final = self.system.variant("ufunc") if "ufunc" in variants else self.system
        self.functions: Final = self.system.variant("function") if "function" in variants else self.elementwise
        wide = "64" if x64 == "on" else "32"
        own = self.system.data.defaults or {}
        self.bool_: Final = NODES["bool"]
        self.int_: Final = self.truncate(NODES[own.get("i", f"int{wide}")])
        self.float_: Final = self.truncate(NODES[own.get("f", f"float{wide}")])
        self.complex_: Final = self.truncate(NODES[own.get("c", "complex128" if x64 == "on" else "complex64")])
        #: The policy for Python scalars (see `SystemData.scalars`), and the width of Python integers.
        self.scalars: Final = (self.system.data.scalars, 32 if x64 == "off" else 64)
        #: Whether arrays can be weak: in systems in which two weak operands have a strong result, they cannot.
        common = self.system.lookup(WEAK["float*"], WEAK["float*"])
        self.weak: Final = common is None or common.weak
        #: Whether lists are operands: NumPy's programs run as they are under its system.
        self.takes_lists: Final = self.lists == "convert" or promotion.name == "numpy"
        #: Whether operands are refused that others promote: rules of derivatives compute without.
        self.strict = self.ranks != "allow" or promotion is systems["jax_strict"]
        #: Whether 0-d arrays have a lower tier than others, so that promotion depends on more than nodes.
        self.tiered: Final = bool(self.system.data.tiers)
        #: The common nodes of several, as they are found.
        self.joins: Final[dict[tuple[Node, ...], Node]] = {}
        #: What operations keep of their own, such as plans of reductions.
        self.tables: Final[dict[object, Any]] = {}
        # What the engine reads of a state.
        ruled = self.roles is not None or observer is not None
        guest = watchers[0] if watchers else checks(self.ranks, self.nans, self.infs)
        if guest is not None:
            held = {**{name: getattr(self, name) for name in given}, "watchers": watchers[1:]}
            bare = Override({**held, "watchers": (), **NO_CHECKS})
            outer = Override(held if watchers else {**held, **NO_CHECKS})
            self.set_guests(getattr(guest, "__supremum_call__", guest), outer, bare, ruled)
            self.views = self.nans or self.infs or any(getattr(one, "__supremum_views__", True) for one in watchers or [None])
        else:
            self.set_guests(None, None, None, ruled)
        #: Whether it has guests: while such a state is alive, the engine tests for guests.
        self.guested: Final = guest is not None or ruled
        self.remember = observer is None and not self.tiered
        #: Whether recorded programs run, of which no guest sees the calls; ranks are checked while they are recorded.
        self.programs: Final = self.remember and not (watchers or self.nans or self.infs or self.step_by_step)
        self.x64_off, self.x64_on = x64 == "off", x64 == "on"
        refusals = self.system.refusals()
        if self.x64_off:
            refusals = bytes(0xFF if self.truncate(n) is not n else b for n, b in zip(ARRAY_NODES, refusals, strict=True))
        self.set_refusals(refusals)
        defaults = (self.bool_, self.int_, self.float_, self.complex_)
        if observer is None:  # else arrays are made by the Python functions, which the observer sees
            self.set_defaults(defaults, [self.weaken(node) for node in defaults])

    def _truncated_roles(self) -> Roles | None:
        """Return the rules of the system without 64-bit dtypes."""
        data = self.system.data
        return None if self.system.roles is None else Roles(data.operands, data.results, self.truncate)

    def default(self, kind: str) -> Node:
        """Return the default node of a kind."""
        return {"b": self.bool_, "i": self.int_, "u": self.int_, "f": self.float_, "c": self.complex_}[kind]

    def concrete(self, node: Node) -> Node:
        """Return the concrete node of an abstract weak node, ``float32*`` for ``float*``; others are only truncated."""
        return self.default(node.kind).weak_form if node.dtype is None and node.weak else self.truncate(node)

    def truncate(self, node: Node) -> Node:
        """Return the 32-bit node for a 64-bit one if 64-bit dtypes are disabled; else `node`."""
        if self.x64 != "off":
            return node
        narrow = _TRUNCATED.get(node)
        if narrow is None and node.weak and node.bits > 32:
            return self.default(node.kind).weak_form
        return narrow or node

    def weaken(self, node: Node) -> Node:
        """Return the node of an array made from a Python scalar: weak if the system has weak arrays."""
        return node.weak_form if self.weak else node

    def node_of_counts(self, function: str, node: Node) -> Node:
        """Return the node in which a function gives its counts, if the system has a rule for them; else `node`."""
        rules = () if self.roles is None else self.roles.result_rules(f"{function} counts", "")
        return rules[0].follow(node) if rules else node

    def common(self, a: Node, b: Node, table: PromotionSystem | None = None) -> Node:
        """Return the common node of `a` and `b`, with a width; raise TypePromotionError if they do not promote.

        Elementwise functions give the table by which their operands promote, of which a system may have one of its own.
        """
        if a.kind == "k" or b.kind == "k":
            return _common_of_keys([a, b])
        common = (table or self.system).lookup(a, b)
        if common is None:
            raise self.system.error(a, b)
        if not common.weak:
            return self.truncate(common)
        if a.weak and b.weak and (a.dtype is not None or b.dtype is not None):
            # Weak operands promote as their strong forms do, and the result is weak, so that no width is lost. A Python
            # scalar has the default width of its kind.
            first, second = (self.default(node.kind) if node.dtype is None else node.strong for node in (a, b))
            strong = self.system.lookup(first, second)
            if strong is not None:
                return self.concrete(strong).weak_form
        if a.family is common and b.kind == "b":
            return self.concrete(a)
        return self.concrete(b) if b.family is common and a.kind == "b" else self.concrete(common)

    def join(self, a: Node, b: Node, function: str | None = None) -> Node:
        """Return the node that arrays of nodes `a` and `b` promote to, and report it to the observer.

        A function without the boundary gives its name, for messages and for the observer.
        """
        try:
            common = self.common(a, b)
        except TypeError as error:
            raise (error if function is None else with_function_name(error, function)) from None
        return self.seen((a, b), common, None, function)

    def seen(self, nodes: tuple[Node, ...], common: Node, size: int | None, function: str | None = None) -> Node:
        """Notify the observers of what nodes become in a function, and return that."""
        if self.observer is not None:
            self.report(function, nodes, common, size)
        for watcher in self.watchers:  # of the composed function that runs
            if (observer := getattr(watcher, "__supremum_observer__", None)) is not None:
                observer.saw(function, nodes, common, size)
        return common

    def report(self, function: str | None, nodes: tuple[Node, ...], common: Node, size: int | None) -> None:
        """Notify the observer of a promotion."""
        seen = reported.get()
        if seen is not None and any(node.dtype is not None and node.dtype != common.dtype for node in nodes):
            seen.append(common)
        assert self.observer is not None  # noqa: S101 - callers test it
        self.observer.saw(function, nodes, common, size)

    def common_of_tiers(self, a: Node, b: Node, *, zero_a: bool, zero_b: bool, table: PromotionSystem | None = None) -> Node:
        """Return the common node of two operands, in systems with tiers by which of them are 0-d."""
        if zero_a == zero_b or not self.tiered or "k" in (a.kind, b.kind):
            return self.common(a, b, table)
        shaped, zero = (b, a) if zero_a else (a, b)
        common = self.system.variant("zero_dim").lookup(shaped, zero)
        if common is None:
            raise self.system.error(a, b)
        return self.concrete(common)

    def common_of_all(self, nodes: list[Node]) -> Node:
        """Return the common node of one or more nodes, by the system's fold."""
        found = self.joins.get(tuple(nodes))
        if found is None:
            found = self.joins[tuple(nodes)] = self._common_of_all(nodes)
        return found

    def _common_of_all(self, nodes: list[Node]) -> Node:
        if any(node.kind == "k" for node in nodes):
            return _common_of_keys(nodes)
        if self.system.lattice is None and len(nodes) > 2:
            common = self.system.lookup_all(tuple(nodes))
            if common is None:
                raise self.system.error(*nodes)
            return self.concrete(common)
        # On a lattice the order does not matter; with strong nodes first, default widths matter only if all are weak. An
        # error of two names them as they were given.
        ordered = nodes if len(nodes) == 2 else sorted(nodes, key=attrgetter("weak"))
        result = ordered[0]
        for node in ordered[1:]:
            result = self.common(result, node)
        return self.concrete(result)

    def join_all(self, nodes: list[Node]) -> Node:
        """Return the common node of one or more nodes, and notify the observer."""
        return self.seen(tuple(nodes), self.common_of_all(nodes), None)

    def join_arrays(self, arrays: list[Any], function: str | None = None) -> Node:
        """Return the common node of arrays, with tiers if the system has them, and notify the observer.

        A function without the boundary gives its name, for messages and for the observer.
        """
        try:
            common = self.common_tiered([(array._node, not array.ndim) for array in arrays])
        except TypeError as error:
            raise (error if function is None else with_function_name(error, function)) from None
        nodes = tuple(array._node for array in arrays)
        return self.seen(nodes, common, max((array.size for array in arrays), default=0), function)

    def common_tiered(self, operands: list[tuple[Node, bool]]) -> Node:
        """Return the common node of operands, each given with whether it is 0-d."""
        if not self.tiered:
            return self.common_of_all([node for node, _ in operands])
        shaped, zero = ([node for node, is_zero in operands if is_zero is tier] for tier in (False, True))
        common = self.common_of_all(shaped or zero)
        return self.common_of_tiers(common, self.common_of_all(zero), zero_a=False, zero_b=True) if shaped and zero else common


def _common_of_keys(nodes: list[Node]) -> Node:
    """Return the node of keys if all operands are keys; raise TypePromotionError otherwise, in every system."""
    other = next((node for node in nodes if node.kind != "k"), None)
    if other is None:
        return nodes[0]
    msg = f"keys do not promote: {nodes[0]} and {nodes[-1]} have no common dtype"
    raise TypePromotionError(f"{msg}; use random.key_data(keys), the integers that keys are made of.")


_states: WeakValueDictionary[tuple[Any, ...], State] = WeakValueDictionary()


def interned(given: frozenset[str] = frozenset(), /, **settings: Any) -> State:
    """Return the state of some settings; the others have their defaults.

    A state with guests knows which settings are `given` by the context: only those hold while a guest runs, so that it sees
    what changes for the process.
    """
    combined = {**DEFAULTS, **settings}
    watchers = combined.pop("watchers")
    kept = given if watchers or any(combined[name] != value for name, value in NO_CHECKS.items()) else frozenset()
    # A system, an observer and watchers are alive as long as their state is, so their identities are safe keys.
    values = (*watchers, *combined.values())
    key = (kept, *[value if isinstance(value, str | bool) else id(value) for value in values])
    with LOCK:
        found = _states.get(key)
        if found is None:
            found = _states[key] = State({**combined, "watchers": watchers}, kept)
        return found


def settings_of(found: State) -> dict[str, Any]:
    """Return the settings that a state combines, without watchers."""
    return {name: getattr(found, name) for name in DEFAULTS if name != "watchers"}


class Override(engine.Scope):
    """The settings of one ``with config.use(...)``; exists as long as a context, task or generator refers to it.

    It adds to those of the block around it. One that has ended adds nothing: a block that is left before one within it, or by
    a guest that runs within it, may still be what the context returns to.
    """

    __slots__ = ("__weakref__", "_own", "ended", "outer", "resolved")

    def __init__(self, own: dict[str, Any], outer: Override | None = None) -> None:
        while outer is not None and outer.ended:
            outer = outer.outer
        self._own: Final = own
        self.outer: Final[Override | None] = outer
        self.ended: bool = False
        #: The process-wide state, the number of blocks that had ended, and what these settings make of the state: one
        #: attribute, for threads may share an override.
        self.resolved: tuple[State, int, State] | None = None

    def settings(self) -> dict[str, Any]:
        """Return the settings that the context gives, by the names in states."""
        found = {} if self.outer is None else self.outer.settings()
        if not self.ended:
            found.update(self._own)
            if "watcher" in self._own:
                watcher = found.pop("watcher")
                found["watchers"] = () if watcher is None else (watcher, *found.get("watchers", ()))
        return found

    def resolve(self) -> State:
        base, ends, kept = process[0], _ends[0], self.resolved
        if kept is None or kept[0] is not base or kept[1] != ends:
            given = self.settings()
            # The process's state keeps those without guests, with their plans, by settings that are words or bools.
            key = tuple(given.items()) if _WORDS.issuperset(map(type, given.values())) else None
            found = base.tables.get(key)
            if found is None:
                found = interned(frozenset(given), **{**settings_of(base), **given})
                if key is not None and not found.guested:
                    base.tables[key] = found
            kept = self.resolved = base, ends, found
        return kept[2]

    def without(self, block: Override) -> Override:
        """Return these settings without those of a block; for a block that ends before one within it, or in a guest's call."""
        inner: Override | None = self
        while inner is not None and inner is not block:
            inner = inner.outer
        if inner is block:  # which adds nothing any more
            return self
        around = {} if block.outer is None else block.outer.settings()
        found = {name: value for name, value in self.settings().items() if name not in block._own}
        found |= {name: around[name] for name in block._own if name in around}
        found["watchers"] = tuple([one for one in found.get("watchers", ()) if one is not block._own.get("watcher")])
        return Override(found)

    def end(self) -> None:
        """Add nothing from now on, in all contexts."""
        with LOCK:
            self.ended = True
            _ends[0] += 1
            engine.use(process[0])  # which has all scopes resolved again


_WORDS: Final = frozenset([bool, str])
#: How many overrides have ended that contexts may return to.
_ends: Final = [0]
#: The process-wide state, which `_core.config` sets; in a list so that all modules see changes.
process: Final[list[State]] = []


if TYPE_CHECKING:

    def state() -> State:  # pyright: ignore[reportReturnType]  # the engine's
        """Return the current state: that of this context's override, or the process-wide one."""

else:
    state = engine.state


def copied(target: Any, source: Any, *, to: Any = ..., of: Any = ...) -> None:
    """Report to the watchers in force a copy, ``target[to] = source[of]`` of buffers, that no public function makes."""
    for watcher in state().watchers:
        copied = getattr(watcher, "copied", None)
        if copied is not None:
            copied(target, source, to, of)


class Within:
    """Calls of functions within the scope in force, with other settings; each scope is made once, and kept as long as this."""

    def __init__(self, settings: Callable[[], dict[str, Any]]) -> None:
        self._settings = settings
        #: The scope, by the scope around it: there is one where a watcher runs.
        self._scopes: WeakKeyDictionary[engine.Scope, engine.Scope] = WeakKeyDictionary()

    def __call__(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        outer = engine.scope.get()
        found = self._scopes.get(outer)
        if found is None:
            found = self._scopes[outer] = scope_with(**self._settings())
        token = engine.scope.set(found)
        try:
            return function(*args, **kwargs)
        finally:
            engine.scope.reset(token)


def scope_with(**settings: Any) -> engine.Scope:
    """Return a scope within the one in force with other settings, by the names of the attributes of a State."""
    return Override(settings, engine.scope.get(None))  # type: ignore[arg-type]  # all scopes are overrides
