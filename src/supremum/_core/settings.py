"""Context-local settings: 64-bit dtypes, the promotion system, mutability, indices out of range; also under JAX's names.

A `State` is an immutable combination of settings. States are interned, so that plans can be cached by state. The process-wide
settings are one state; a context that overrides some of them has an `_Override` in a context variable. The engine finds the
state in force, and keeps plans by state.
"""

from __future__ import annotations

import os
import warnings
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias
from weakref import WeakValueDictionary

from supremum._base import html
from supremum._base.boundary import public, traceless
from supremum._base.errors import describe, nearest, stack_level, with_function_name, without_names
from supremum._base.frames import FULL
from supremum._base.locks import LOCK
from supremum._core import engine
from supremum._core.guests import NO_CHECKS, Watcher, checks
from supremum._core.jax_settings import MEANINGLESS
from supremum._core.resources import RESOURCES, resource, set_resource
from supremum.promotion._errors import TypePromotionError
from supremum.promotion._nodes import ARRAY_NODES, NODES, WEAK, Node
from supremum.promotion._roles import Roles
from supremum.promotion._system import PromotionSystem
from supremum.promotion.systems import SYSTEMS as systems  # noqa: N811  # a mapping that users know as a name in lower case

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

__all__ = [
    "Config",
    "State",
    "config",
    "copied",
    "enable_x64",
    "numpy_dtype_promotion",
    "reported",
    "scope_with",
    "state",
]

engine.register(ARRAY_NODES)

if TYPE_CHECKING:
    X64: TypeAlias = Literal["explicit", "on", "off"]
    OutOfRange: TypeAlias = Literal["raise", "clip"]
    Ranks: TypeAlias = Literal["allow", "warn", "raise"]
    ExplicitX64: TypeAlias = Literal["allow", "warn"]
    Promotion: TypeAlias = Literal["standard", "strict"]
else:  # jedi, which completes names in IPython, fails on properties that are annotated with Literal
    X64 = OutOfRange = Ranks = ExplicitX64 = Promotion = str

_X64_MODES: Final = ("explicit", "on", "off")
_OUT_OF_RANGE_MODES: Final = ("raise", "clip")
_RANKS: Final = ("allow", "warn", "raise")
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
        "__weakref__", "bool_", "complex_", "elementwise", "float_", "functions", "infs", "int_", "joins", "mutable",
        "nans", "observer", "out_of_range", "promotion", "ranks", "roles", "scalars", "system", "tables", "tiered",
        "watchers", "weak", "x64",
    )  # fmt: skip

    def __init__(
        self,
        x64: X64,
        promotion: PromotionSystem,
        mutable: bool,
        out_of_range: OutOfRange,
        ranks: Ranks,
        observer: Observer | None = None,
        watchers: tuple[Watcher, ...] = (),
        nans: bool = False,
        infs: bool = False,
    ) -> None:
        self.x64: Final = x64
        self.promotion: Final = promotion
        self.mutable: Final = mutable
        #: What ``x[index]`` does with indices out of range.
        self.out_of_range: Final = out_of_range
        #: Notified of every promotion; None except while promotions are traced or forbidden.
        self.observer: Final = observer
        #: Whether operands of different numbers of axes broadcast; 0-d ones always do.
        self.ranks: Final = ranks
        #: Whether functions that return NaN, or infinities, raise.
        self.nans: Final = nans
        self.infs: Final = infs
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
        #: Whether 0-d arrays have a lower tier than others, so that promotion depends on more than nodes.
        self.tiered: Final = bool(self.system.data.tiers)
        #: The common nodes of several, as they are found.
        self.joins: Final[dict[tuple[Node, ...], Node]] = {}
        #: What operations keep of their own, such as plans of reductions.
        self.tables: Final[dict[object, Any]] = {}
        #: What public functions call in their place, the innermost first.
        self.watchers: Final = watchers
        # What the engine reads of a state.
        ruled = self.roles is not None or observer is not None
        guest = watchers[0] if watchers else checks(ranks, nans, infs)
        if guest is not None:
            outer = _Override({**_settings_of(self), "watchers": watchers[1:], **({} if watchers else NO_CHECKS)})
            self.set_guests(guest, outer, _Override({**_settings_of(self), **NO_CHECKS}), ruled)
        else:
            self.set_guests(None, None, None, ruled)
        self.remember = observer is None and not self.tiered
        self.writable = mutable
        self.narrow, self.wide = x64 == "off", x64 == "on"
        refusals = self.system.refusals()
        if self.narrow:
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
        if b.family is common and a.kind == "b":
            return self.concrete(b)
        return self.concrete(common)

    def join(self, a: Node, b: Node, function: str | None = None) -> Node:
        """Return the node that arrays of nodes `a` and `b` promote to, and report it to the observer.

        A function without the boundary gives its name, for messages and for the observer.
        """
        try:
            common = self.common(a, b)
        except TypeError as error:
            raise (error if function is None else with_function_name(error, function)) from None
        return self._seen((a, b), common, None, function)

    def _seen(self, nodes: tuple[Node, ...], common: Node, size: int | None, function: str | None = None) -> Node:
        if self.observer is not None:
            self.report(function, nodes, common, size)
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
        return self._seen(tuple(nodes), self.common_of_all(nodes), None)

    def join_arrays(self, arrays: list[Any], function: str | None = None) -> Node:
        """Return the common node of arrays, with tiers if the system has them, and notify the observer.

        A function without the boundary gives its name, for messages and for the observer.
        """
        try:
            common = self.common_tiered([(array._node, not array.ndim) for array in arrays])
        except TypeError as error:
            raise (error if function is None else with_function_name(error, function)) from None
        nodes = tuple(array._node for array in arrays)
        return self._seen(nodes, common, max((array.size for array in arrays), default=0), function)

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


def _intern(
    x64: X64,
    promotion: PromotionSystem,
    mutable: bool,
    out_of_range: OutOfRange,
    ranks: Ranks,
    observer: Observer | None = None,
    watchers: tuple[Watcher, ...] = (),
    nans: bool = False,
    infs: bool = False,
) -> State:
    # A system and watchers are alive as long as their state is, so their identities are safe keys.
    key = (x64, id(promotion), mutable, out_of_range, ranks, id(observer), tuple(map(id, watchers)), nans, infs)
    with LOCK:
        found = _states.get(key)
        if found is None:
            found = _states[key] = State(x64, promotion, mutable, out_of_range, ranks, observer, watchers, nans, infs)
        return found


_COMBINED: Final = ("x64", "promotion", "mutable", "out_of_range", "ranks", "nans", "infs", "observer")


def _settings_of(found: State) -> dict[str, Any]:
    """Return the settings that a state combines, without watchers."""
    return {name: getattr(found, name) for name in _COMBINED}


class _Override(engine.Scope):
    """The settings of one ``with config.use(...)``; exists as long as a context, task or generator refers to it."""

    __slots__ = ("resolved", "settings")

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        #: The process-wide state, and what these settings make of it: one attribute, for threads may share an override.
        self.resolved: tuple[State, State] | None = None

    def resolve(self) -> State:
        base, kept = _process[0], self.resolved
        if kept is None or kept[0] is not base:
            kept = self.resolved = base, _intern(**{**_settings_of(base), **self.settings})
        return kept[1]


_override: Final = engine.scope


def _checked(name: str, value: Any) -> tuple[str, Any] | None:
    """Check a setting and return it under our name; None for a setting of JAX that is ignored."""
    if name == "jax_enable_x64":
        if not isinstance(value, bool | int) or value not in (0, 1):
            raise ValueError(f"config: jax_enable_x64 must be True or False, got {describe(value)}")
        return "x64", "on" if value else "off"
    if name == "jax_explicit_x64_dtypes":
        if not isinstance(value, str) or value not in ("allow", "warn", "error"):
            raise ValueError(f"config: jax_explicit_x64_dtypes must be 'allow', 'warn' or 'error', got {describe(value)}")
        if state().x64 == "on":
            return None
        return "x64", "explicit" if value == "allow" else "off"  # "error" warns too
    if name == "jax_numpy_dtype_promotion":
        jax_names = {"standard": "jax", "strict": "jax_strict"}
        if not isinstance(value, str) or value not in jax_names:
            raise ValueError(f"config: jax_numpy_dtype_promotion must be 'standard' or 'strict', got {describe(value)}")
        return "promotion", systems[jax_names[value]]
    if name == "jax_numpy_rank_promotion":
        if not isinstance(value, str) or value not in _RANKS:
            raise ValueError(f"config: jax_numpy_rank_promotion must be 'allow', 'warn' or 'raise', got {describe(value)}")
        return "ranks", value
    if name in ("jax_debug_nans", "jax_debug_infs"):
        if not isinstance(value, bool):
            raise TypeError(f"config: {name} must be True or False, got {describe(value)}")
        return name.removeprefix("jax_debug_"), value
    if name == "x64":
        if value not in _X64_MODES:
            raise ValueError(f"config: x64 must be one of {', '.join(map(repr, _X64_MODES))}, got {describe(value)}")
        return name, value
    if name == "promotion":
        return name, _system(value)
    if name == "watcher":
        if value is not None and not callable(value):
            raise TypeError(f"config: watcher must be a function of (function, args, kwargs), or None, got {describe(value)}")
        return name, value
    if name == "observer":
        return name, value  # internal, for `tracing`; not listed in messages
    if name == "mutable":
        if not isinstance(value, bool):
            raise TypeError(f"config: mutable must be True or False, got {describe(value)}")
        return name, value
    if name == "out_of_range":
        if value not in _OUT_OF_RANGE_MODES:
            raise ValueError(f"config: out_of_range must be 'raise' or 'clip', got {describe(value)}")
        return name, value
    if type(name) is str and name in RESOURCES:
        raise AttributeError(f"config: {name} is a setting of the process, not of a context; set it by config.{name} = ...")
    if type(name) is str and name in MEANINGLESS:
        _warn_ignored(name)
        return None
    raise _unknown(name)


def _unknown(name: object, function: str = "config") -> AttributeError:
    hint = nearest(name, _SETTINGS) or f"; the settings are {', '.join(_SETTINGS)}"
    return AttributeError(f"{function}: unknown setting {describe(name)}{hint}")


#: The settings of JAX for which a warning was issued.
_ignored: Final[set[str]] = set()


def _warn_ignored(name: str) -> None:
    if name not in _ignored:
        warnings.warn(f"config: JAX's setting {name} has no effect and is ignored", UserWarning, stack_level())
        _ignored.add(name)


_SETTINGS: Final = (
    "mutable", "out_of_range", "promotion", "x64", "threads", "pool", "jax_enable_x64", "jax_explicit_x64_dtypes",
    "jax_numpy_dtype_promotion", "jax_numpy_rank_promotion", "jax_debug_nans", "jax_debug_infs",
)  # fmt: skip


def _system(value: object) -> PromotionSystem:
    if isinstance(value, PromotionSystem):
        return value
    if isinstance(value, str):
        try:
            return systems[value]
        except KeyError as error:
            raise ValueError(f"config: {without_names(str(error))}") from None
    raise TypeError(f"config: promotion must be the name of a system or a PromotionSystem, got {describe(value)}")


def _all_checked(settings: dict[str, Any]) -> dict[str, Any]:
    return dict(setting for name, value in settings.items() if (setting := _checked(name, value)) is not None)


_VARIABLES: Final = "SUPREMUM_X64, SUPREMUM_PROMOTION, SUPREMUM_MUTABLE, SUPREMUM_OUT_OF_RANGE"


def _from_environment() -> State:
    """Return the process-wide state of the environment variables `_VARIABLES`."""
    truth = {"1": True, "true": True, "on": True, "0": False, "false": False, "off": False}
    defaults = {"x64": "explicit", "promotion": "jax", "mutable": "1", "out_of_range": "raise"}
    settings: dict[str, Any] = {
        name: os.environ.get(f"SUPREMUM_{name.upper()}", default).strip().lower() for name, default in defaults.items()
    }
    settings["x64"] = {"1": "on", "true": "on", "0": "off", "false": "off"}.get(settings["x64"], settings["x64"])
    settings["mutable"] = truth.get(settings["mutable"], settings["mutable"])
    try:
        return _intern(ranks="allow", **_all_checked(settings))
    except (TypeError, ValueError) as error:
        raise ValueError(f"{error} (from the environment variables {_VARIABLES})") from None


#: The process-wide state, in a list so that all modules see changes.
_process: Final[list[State]] = [_from_environment()]


engine.use(_process[0])


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


def scope_with(**settings: Any) -> engine.Scope:
    """Return the scope of the settings in force with others in their place, by the names of the attributes of a State."""
    found = state()
    return _Override({**_settings_of(found), "watchers": found.watchers, **settings})


@contextmanager
def _overriding(settings: dict[str, Any]) -> Iterator[None]:
    outer: Any = _override.get(None)
    if "watcher" in settings:
        watcher = settings.pop("watcher")
        settings["watchers"] = () if watcher is None else (watcher, *state().watchers)
    inner = _Override({**(outer.settings if outer else {}), **settings})
    inner.resolve()  # now: the engine tests for guests only while a state has some
    token = _override.set(inner)
    try:
        yield
    finally:
        # A generator may be closed in another context than the one it was started in, which does not have the token.
        with suppress(ValueError):
            _override.reset(token)


class Config:
    """The current settings, as attributes; `update` sets them process-wide, `use` for a ``with`` block.

    Attributes
    ----------
    x64 : str
        ``"explicit"``: 64-bit dtypes exist, defaults are 32-bit. ``"on"``: defaults are 64-bit. ``"off"``: no 64-bit dtypes.
    promotion : PromotionSystem
        The promotion system.
    mutable : bool
        Whether arrays can be written to in place.
    out_of_range : str
        What ``x[index]`` does with integer indices out of range: ``"raise"`` an IndexError, or ``"clip"`` them to the range,
        as JAX does.
    threads : int
        How many threads compute one operation on large arrays at most.
    pool : int
        How many bytes of the memory of deleted results are kept for new ones at most.
    tracebacks : str
        ``"short"``: tracebacks of errors leave out the frames of the package. ``"full"``: they show them. For the process.

    Examples
    --------
    >>> import supremum as xp
    >>> with xp.config.use(x64="on"):
    ...     print(xp.ones(2).dtype)
    float64
    >>> print(xp.ones(2).dtype)
    float32
    """

    __slots__ = ()

    @property
    def x64(self) -> X64:
        """The mode of 64-bit dtypes: ``"explicit"``, ``"on"`` or ``"off"``."""
        return state().x64

    @x64.setter
    @traceless
    def x64(self, value: X64) -> None:
        self.update("x64", value)

    @property
    def promotion(self) -> PromotionSystem:
        """The promotion system."""
        return state().promotion

    @promotion.setter
    @traceless
    def promotion(self, value: str | PromotionSystem) -> None:
        self.update("promotion", value)

    @property
    def mutable(self) -> bool:
        """Whether item assignment and in-place operators write into the buffer."""
        return state().mutable

    @mutable.setter
    @traceless
    def mutable(self, value: bool) -> None:
        self.update("mutable", value)

    @property
    def out_of_range(self) -> OutOfRange:
        """What ``x[index]`` does with indices out of range: ``"raise"`` or ``"clip"``."""
        return state().out_of_range

    @out_of_range.setter
    @traceless
    def out_of_range(self, value: OutOfRange) -> None:
        self.update("out_of_range", value)

    @property
    def threads(self) -> int:
        """How many threads compute one operation on large arrays at most; a setting of the process."""
        return resource("threads")

    @threads.setter
    def threads(self, value: int) -> None:
        set_resource("threads", value)

    @property
    def pool(self) -> int:
        """How many bytes of memory of deleted results are kept for new ones; a setting of the process."""
        return resource("pool")

    @pool.setter
    def pool(self, value: int) -> None:
        set_resource("pool", value)

    @property
    def tracebacks(self) -> str:
        """Whether tracebacks leave out frames of the package, ``"short"``, or show them, ``"full"``; for the whole process."""
        return "full" if FULL[0] else "short"

    @tracebacks.setter
    @traceless
    def tracebacks(self, value: str) -> None:
        if value not in ("short", "full"):
            raise ValueError(f"config: tracebacks must be 'short' or 'full', got {describe(value)}")
        FULL[0] = value == "full"

    @property
    def jax_enable_x64(self) -> bool:
        """JAX's name: whether defaults are 64-bit."""
        return state().x64 == "on"

    @property
    def jax_explicit_x64_dtypes(self) -> ExplicitX64:
        """JAX's name: what a request for a 64-bit dtype does where defaults are 32-bit."""
        return "warn" if state().x64 == "off" else "allow"

    @property
    def x64_enabled(self) -> bool:
        """JAX's other name of `jax_enable_x64`."""
        return self.jax_enable_x64

    @property
    def jax_numpy_dtype_promotion(self) -> Promotion:
        """JAX's name: ``"strict"`` or ``"standard"``."""
        return "strict" if state().promotion.name == "jax_strict" else "standard"

    @property
    def jax_numpy_rank_promotion(self) -> Ranks:
        """JAX's name: whether operands of different numbers of axes broadcast, warn or are refused."""
        return state().ranks

    @property
    def jax_debug_nans(self) -> bool:
        """JAX's name: whether functions that return NaN raise FloatingPointError."""
        return state().nans

    @property
    def jax_debug_infs(self) -> bool:
        """JAX's name: whether functions that return infinities raise FloatingPointError."""
        return state().infs

    @traceless
    def read(self, name: str) -> Any:
        """Return the value of a setting by its name, as in JAX."""
        if name not in _SETTINGS:
            raise _unknown(name, "config.read")
        return getattr(self, name)

    def parse_flags_with_absl(self) -> None:
        """Do nothing: programs of JAX call this to read settings of JAX from their command line."""

    config_with_absl = parse_flags_with_absl

    @traceless
    def update(self, name: str, val: object) -> None:
        """Set `name` to `value` for the whole process.

        Parameters
        ----------
        name : str
            ``"x64"``, ``"promotion"``, ``"mutable"``, ``"out_of_range"``, ``"threads"``, ``"pool"``, or JAX's
            ``"jax_enable_x64"``, ``"jax_explicit_x64_dtypes"``, ``"jax_numpy_dtype_promotion"``,
            ``"jax_numpy_rank_promotion"``, ``"jax_debug_nans"``, ``"jax_debug_infs"``. Other settings of JAX are ignored, with
            a warning each.
        val : object
            The new value.
        """
        if name in RESOURCES:
            set_resource(name, val)
            return
        checked = _all_checked({name: val})
        with LOCK:
            if "watcher" in checked:
                raise ValueError("config.update: watchers belong to a context; use with config.use(watcher=...)")
            base = _process[0]
            _process[0] = _intern(**{**_settings_of(base), **checked})
            engine.use(_process[0])

    @traceless
    def use(self, **settings: object) -> AbstractContextManager[None]:
        """Override settings within a ``with`` block, in this context (thread, task) only.

        Parameters
        ----------
        **settings : object
            Settings by name, as in `update`. ``watcher=w`` has public functions, operators and item access call ``w(function,
            args, kwargs)`` in their place, and return what that returns. While `w` runs, it does not watch, so it can call
            ``function(*args, **kwargs)``; watchers further outside do. Of a function of the kind ``"composed"``, whose
            definition is written in public functions, it can watch the parts: ``with config.use(watcher=w): return
            function.definition(*args, **kwargs)``. ``watcher=None`` removes all watchers.

        Returns
        -------
        context manager
            Restores the settings on exit.
        """
        return _overriding(_all_checked(settings))

    @traceless
    def __setattr__(self, name: str, value: object) -> None:
        if not isinstance(vars(Config).get(name), property):
            raise _unknown(name)
        object.__setattr__(self, name, value)

    def _repr_html_(self) -> str:
        rows = [(name, str(value.name if name == "promotion" else value)) for name, value in _settings_of(state()).items()]
        return html.table([*rows, ("tracebacks", self.tracebacks)], caption="supremum.config")

    def __repr__(self) -> str:
        first = f"x64={self.x64!r} promotion={self.promotion.name!r}"
        return f"<config {first} mutable={self.mutable} out_of_range={self.out_of_range!r}>"


config: Final = Config()


@public(wrap=False)
def enable_x64(new_val: bool = True) -> AbstractContextManager[None]:
    """Enable or disable 64-bit defaults within a ``with`` block, as in JAX.

    Parameters
    ----------
    new_val : bool, optional
        True for 64-bit defaults, False for no 64-bit dtypes.

    Returns
    -------
    context manager
        Restores the setting on exit.

    Examples
    --------
    >>> import supremum as xp
    >>> with xp.enable_x64(True):
    ...     print(xp.arange(3).dtype)
    int64
    """
    return config.use(jax_enable_x64=new_val)


@public(wrap=False)
def numpy_dtype_promotion(new_val: Literal["standard", "strict"] = "standard") -> AbstractContextManager[None]:
    """Use JAX's standard or strict promotion within a ``with`` block, as in JAX.

    Parameters
    ----------
    new_val : {"standard", "strict"}, optional
        The promotion.

    Returns
    -------
    context manager
        Restores the setting on exit.

    Examples
    --------
    >>> import supremum as xp
    >>> with xp.numpy_dtype_promotion("strict"):
    ...     print(xp.float32(1) + 1)
    2.0
    """
    return config.use(jax_numpy_dtype_promotion=new_val)
