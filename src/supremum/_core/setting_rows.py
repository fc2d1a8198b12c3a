"""The settings, each a row: an attribute of `config`, from which all else about it follows.

To add a setting, add a row to `Settings`. States combine it; `config.update`, `config.use` and `config.read` know it; unless
its name is one of JAX's, so do ``repr(config)``, the environment (``SUPREMUM_NAME``) and the command line (``--name``,
``info``). Settings with JAX's names have JAX's variables of the environment, which are read where programs of JAX run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, Self, TypeAlias, TypeVar, overload

from supremum._base.buffers import native
from supremum._base.exceptions import describe, without_names
from supremum._base.frames import FULL
from supremum._core import engine
from supremum.promotion._system import PromotionSystem
from supremum.promotion.systems import SYSTEMS as systems  # a mapping that users know as a name in lower case

if TYPE_CHECKING:
    X64: TypeAlias = Literal["explicit", "on", "off"]
    OutOfRange: TypeAlias = Literal["raise", "clip"]
    Lists: TypeAlias = Literal["refuse", "convert"]
    Ranks: TypeAlias = Literal["allow", "warn", "raise"]
    ExplicitX64: TypeAlias = Literal["allow", "warn", "error"]
    Promotion: TypeAlias = Literal["standard", "strict"]
    Tracebacks: TypeAlias = Literal["short", "full"]
else:  # jedi, which completes names in IPython, fails on properties that are annotated with Literal
    X64 = OutOfRange = Lists = Ranks = ExplicitX64 = Promotion = Tracebacks = str

T = TypeVar("T")
Given = TypeVar("Given")
#: More threads than this are not started.
_MOST: Final = 256
_FLAGS: Final = {True: True, False: False}
#: The words for True and False in the environment and on the command line, as JAX has them.
_TRUTH: Final = {
    **dict.fromkeys(("y", "yes", "t", "true", "on", "1"), True),
    **dict.fromkeys(("n", "no", "f", "false", "off", "0"), False),
}


def _texts(*values: str) -> dict[Any, Any]:
    return {value: value for value in values}


# -- what operations on large arrays may use: threads, and memory that was used before ----------------------------------------

# Both belong to the process, as those of a BLAS do, not to a context. The engine in C has them; the reference engine computes
# by one thread in NumPy's memory. `pool.c` and `threads.c` say what they do.


def _quota() -> float:
    """Return the processors' time that the control group of this process has, in processors."""
    with suppress(OSError, ValueError), open("/sys/fs/cgroup/cpu.max", encoding="ascii") as file:  # noqa: PTH123 - an import less
        quota, period = file.read().split()
        return float(quota) / float(period)  # "max" is no number: there is no limit
    return float("inf")


def _cores() -> int:
    """Return how many processors this process may use at the same time."""
    affinity = getattr(os, "sched_getaffinity", None)
    count = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return max(1, min(count, _MOST, int(min(_quota(), _MOST) + 0.5)))


def default_threads() -> int:
    """Return `OMP_NUM_THREADS` as a BLAS reads it, or the number of processors."""
    first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return min(int(first), _MOST) if first.isdecimal() and int(first) > 0 else _cores()


def default_pool() -> int:
    """Return the smaller one of 512 MiB and an eighth of memory."""
    memory = 1 << 32
    with suppress(AttributeError, OSError, ValueError):
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min(1 << 29, memory // 8)


def thread_count(value: object) -> int:
    """Check a number of threads."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MOST:
        raise ValueError(f"config: threads must be an int from 1 to {_MOST}, got {describe(value)}")
    return value


def pool_size(value: object) -> int:
    """Check a size of the pool."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 62:
        raise ValueError(f"config: pool must be a number of bytes, an int from 0 on, got {describe(value)}")
    return value


# -- rows ---------------------------------------------------------------------------------------------------------------------


class Setting(Generic[T, Given]):
    """A setting of states, as an attribute of `config`: users read a `T` and give a `Given`.

    Parameters
    ----------
    values : dict or function
        What users may give, and what that is in a state; or a function that checks a value, and returns what it is in a state.
    doc : str
        What it is.
    default : object, optional
        The value in a state where nothing is set. A setting without one is another name of one that has it.
    of : str, optional
        The name in states, if it is another one.
    read : dict, optional
        What users read, for what is in a state, where the two differ.
    words : dict, optional
        More words for values, in the environment and on the command line.
    """

    name: str

    def __init__(
        self, values: Mapping[Any, Any] | Callable[[Any], Any], doc: str, *, default: Any = ..., of: str = "",
        read: Callable[[Any], Any] | None = None, words: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        self.values: Final = values
        self.default: Final = default
        self.of = of
        self._read: Final = read
        self.__doc__ = doc
        truth = isinstance(values, Mapping) and True in values
        self._words: Final = dict(words or (_TRUTH if truth else {}))

    def __set_name__(self, owner: type, name: str) -> None:
        self.name, self.of = name, self.of or name

    @overload
    def __get__(self, config: None, owner: type, /) -> Self: ...
    @overload
    def __get__(self, config: object, owner: type, /) -> T: ...
    def __get__(self, config: object | None, owner: type, /) -> Self | T:
        """Return the current value, as users read it."""
        return self if config is None else self.value()

    def __set__(self, config: Any, value: Given) -> None:
        """Set it for the process."""
        config.update(self.name, value)

    def value(self) -> Any:
        """Return the current value, as users read it."""
        found = getattr(engine.state(), self.of)
        return found if self._read is None else self._read(found)

    def shown(self) -> Any:
        """Return the current value as it is shown: the name of a system in its place."""
        value = self.value()
        return getattr(value, "name", value)

    @property
    def own(self) -> bool:
        """Whether the name is ours, not JAX's."""
        return not self.name.startswith("jax_")

    @property
    def variable(self) -> str:
        """The name of the variable of the environment."""
        return f"SUPREMUM_{self.name.upper()}" if self.own else self.name.upper()

    def check(self, value: object) -> Any:
        """Return what a value that a user gives is in a state; raise an exception if it is none."""
        if callable(self.values):
            return self.values(value)
        truth = True in self.values
        kinds = str if not truth else bool if self.own else (bool, int)  # JAX takes 0 and 1, too
        if isinstance(value, kinds) and value in self.values:
            return self.values[value]
        *others, last = map(repr, self.values)
        error = TypeError if truth else ValueError
        word = self._words.get(str(value).lower()) if isinstance(value, bool) else None
        hint = "" if word is None else f"; {value} is {word!r}"
        raise error(f"config: {self.name} must be {', '.join(others)} or {last}, got {describe(value)}{hint}")

    def parse(self, text: str) -> Any:
        """Return the value that a text means, not checked."""
        word = text.strip().lower()
        return self._words.get(word, word)

    def from_environment(self) -> Any:
        """Return the value that a variable of the environment gives, not checked; None if there is none."""
        text = os.environ.get(self.variable, "")
        return self.parse(text) if text.strip() else None


class ProcessSetting(Setting[T, T]):
    """A setting of the process, not of a context: users read what they gave.

    Parameters
    ----------
    values : dict or function
        As of `Setting`.
    doc : str
        What it is.
    begin : callable
        Returns the value where nothing is set.
    give : callable, optional
        Is called with each new value.
    """

    def __init__(
        self,
        values: Mapping[Any, Any] | Callable[[Any], Any],
        doc: str,
        *,
        begin: Callable[[], T],
        give: Callable[[T], Any] | None,
    ) -> None:
        super().__init__(values, doc)
        self.begin: Final = begin
        self._give: Final = give
        self._value: T | None = None

    def value(self) -> Any:
        """Return the value."""
        return self._value

    def parse(self, text: str) -> Any:
        """Return the value that a text means, not checked."""
        return int(text) if text.strip().isdecimal() else super().parse(text)

    def put(self, value: object) -> None:
        """Check a value and set it."""
        checked = self.check(value)
        if self._give is not None:
            self._give(checked)
        self._value = checked


def _system(value: object) -> PromotionSystem:
    if isinstance(value, PromotionSystem):
        return value
    if isinstance(value, str):
        try:
            return systems[value]
        except KeyError as error:
            raise ValueError(f"config: {without_names(str(error))}") from None
    raise TypeError(f"config: promotion must be the name of a system or a PromotionSystem, got {describe(value)}")


def _give_tracebacks(value: Tracebacks) -> None:
    FULL[0] = value == "full"


class Settings:
    """The settings, as attributes."""

    __slots__ = ()

    x64 = Setting[X64, X64](
        _texts("explicit", "on", "off"),
        'The mode of 64-bit dtypes: ``"explicit"``, ``"on"`` or ``"off"``.',
        default="explicit", words={"1": "on", "true": "on", "0": "off", "false": "off"},
    )  # fmt: skip
    promotion = Setting[PromotionSystem, str | PromotionSystem](_system, "The promotion system.", default=systems["jax"])
    mutable = Setting[bool, bool](
        _FLAGS, "Whether item assignment and in-place operators write into the buffer.", default=True
    )
    out_of_range = Setting[OutOfRange, OutOfRange](
        _texts("raise", "clip"),
        'What ``x[index]``, `take` and others do with indices out of range: ``"raise"``, or what JAX does, ``"clip"``.',
        default="raise",
    )
    lists = Setting[Lists, Lists](
        _texts("refuse", "convert"),
        'What functions, operators and indices do with lists: ``"refuse"`` or ``"convert"``, as NumPy does.',
        default="refuse",
    )
    threads = ProcessSetting[int](
        thread_count,
        "How many threads compute one operation on large arrays at most; a setting of the process.",
        begin=default_threads, give=None if native is None else native.set_threads,
    )  # fmt: skip
    pool = ProcessSetting[int](
        pool_size,
        "How many bytes of memory of deleted results are kept for new ones; a setting of the process.",
        begin=default_pool, give=None if native is None else native.set_pool,
    )  # fmt: skip
    tracebacks = ProcessSetting[Tracebacks](
        _texts("short", "full"),
        'Whether tracebacks leave out frames of the package, ``"short"``, or show them, ``"full"``; of the process.',
        begin=lambda: "full" if os.environ.get("JAX_TRACEBACK_FILTERING") == "off" else "short", give=_give_tracebacks,
    )  # fmt: skip
    jax_enable_x64 = Setting[bool, bool](
        {True: "on", False: "off"}, "JAX's name: whether defaults are 64-bit.", of="x64", read=lambda x64: x64 == "on"
    )
    jax_explicit_x64_dtypes = Setting[ExplicitX64, ExplicitX64](
        {"allow": "explicit", "warn": "off", "error": "off"},  # "error" warns too
        "JAX's name: what a request for a 64-bit dtype does where defaults are 32-bit.",
        of="x64", read=lambda x64: "warn" if x64 == "off" else "allow",
    )  # fmt: skip
    jax_numpy_dtype_promotion = Setting[Promotion, Promotion](
        {"standard": systems["jax"], "strict": systems["jax_strict"]},
        "JAX's name: ``\"strict\"`` or ``\"standard\"``.",
        of="promotion", read=lambda system: "strict" if system.name == "jax_strict" else "standard",
    )  # fmt: skip
    jax_numpy_rank_promotion = Setting[Ranks, Ranks](
        _texts("allow", "warn", "raise"),
        "JAX's name: whether operands of different numbers of axes broadcast, warn or are refused.",
        of="ranks", default="allow",
    )  # fmt: skip
    jax_debug_nans = Setting[bool, bool](
        _FLAGS, "JAX's name: whether functions that return NaN raise FloatingPointError.", of="nans", default=False
    )
    jax_disable_jit = Setting[bool, bool](
        _FLAGS, "JAX's name: whether loops call their functions at each step, and `jit` at each call, in place of programs.",
        of="step_by_step", default=False,
    )  # fmt: skip
    jax_threefry_partitionable = Setting[bool, bool](
        _FLAGS,
        "JAX's name: whether random bits depend on their positions alone, not on how many are drawn, as before JAX 0.5.",
        of="partitionable", default=True,
    )  # fmt: skip
    jax_debug_infs = Setting[bool, bool](
        _FLAGS, "JAX's name: whether functions that return infinities raise FloatingPointError.", of="infs", default=False
    )


#: The rows, by name.
SETTINGS: Final[dict[str, Setting[Any, Any]]] = {name: row for name, row in vars(Settings).items() if isinstance(row, Setting)}
#: Those with a name of ours.
OWN: Final = [row for row in SETTINGS.values() if row.own]
#: What a state combines, with the defaults: settings, the observer of promotions and the watchers.
DEFAULTS: Final[dict[str, Any]] = {
    **{row.of: row.default for row in SETTINGS.values() if row.default is not ...}, "observer": None, "watchers": (),
}  # fmt: skip
