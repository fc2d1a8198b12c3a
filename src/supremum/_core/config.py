"""`config`, the settings that users see: as attributes, for a ``with`` block, under JAX's names, by environment variables.

The settings of a context override those of the process; `_core.settings` combines them to states.
"""

from __future__ import annotations

import warnings
from contextlib import ContextDecorator
from typing import TYPE_CHECKING, Any, Final, Literal

from supremum._base import html
from supremum._base.boundary import public, traceless
from supremum._base.exceptions import describe, nearest, stack_level, warn
from supremum._base.locks import LOCK
from supremum._base.tables import read_table
from supremum._core import engine
from supremum._core.setting_rows import OWN, SETTINGS, ProcessSetting, Setting, Settings
from supremum._core.settings import Override, State, interned, process, settings_of, state

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

#: The names of JAX's settings that are ignored.
MEANINGLESS: Final = frozenset(read_table(__name__, "jax_settings.txt")["ignored"][0][0].split())


def _row(name: object) -> Setting[Any, Any] | None:
    return SETTINGS.get(name) if isinstance(name, str) else None


def _checked(name: str, value: Any) -> dict[str, Any]:
    """Check a setting and return it under its name in states; nothing for a setting that has no effect."""
    row = _row(name)
    if isinstance(row, ProcessSetting):
        text = f"config: {name} is a setting of the process, not of a context; set it by config.{name} = ..."
        raise AttributeError(text)  # noqa: TRY004 - as for a name that `use` does not have
    if row is not None:
        checked = row.check(value)
        return {} if name == "jax_explicit_x64_dtypes" and state().x64 == "on" else {row.of: checked}
    if name == "watcher":
        if value is not None and not callable(value):
            raise TypeError(f"config: watcher must be a function of (function, args, kwargs), or None, got {describe(value)}")
        return {name: value}
    if name == "observer":
        return {name: value}  # internal, for `tracing`; not listed in messages
    if type(name) is str and name in MEANINGLESS:
        _warn_ignored(name)
        return {}
    raise _unknown(name)


def _unknown(name: object, function: str = "config") -> AttributeError:
    hint = nearest(name, SETTINGS) or f"; the settings are {', '.join(SETTINGS)}"
    return AttributeError(f"{function}: unknown setting {describe(name)}{hint}")


#: The settings of JAX for which a warning was issued.
_ignored: Final[set[str]] = set()


def _warn_ignored(name: str) -> None:
    if name not in _ignored:
        warnings.warn(f"config: JAX's setting {name} has no effect and is ignored", UserWarning, stack_level())
        _ignored.add(name)


def _all_checked(settings: dict[str, Any]) -> dict[str, Any]:
    return {own: checked for name, value in settings.items() for own, checked in _checked(name, value).items()}


def _begin() -> State:
    """Set what the environment says of the settings of the process, and return the state that it says."""
    given: dict[str, Any] = {}
    for row in SETTINGS.values():
        value = row.from_environment() if row.own else None
        try:
            if isinstance(row, ProcessSetting):
                row.put(row.begin() if value is None else value)
            elif value is not None:
                given[row.of] = row.check(value)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{error} (from the environment variable {row.variable})") from None
    return interned(**given)


process[:] = [_begin()]
engine.use(process[0])


_UNUSED: Final = (
    "the block saw no call of supremum, while another thread made some, with the settings of the process: a thread does not "
    "take over those of a block. To call f(x) with them, write pool.submit(contextvars.copy_context().run, f, x) within the "
    "block, or Thread(target=contextvars.copy_context().run, args=(f, x))"
)


class Block(ContextDecorator):
    """A ``with`` block in which settings, which are known to be valid, override those around it."""

    _token: Any = None

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings

    def _recreate_cm(self) -> Block:
        return Block(self._settings)  # of each call of a function that it decorates

    def __enter__(self) -> None:
        if self._token is not None:
            raise RuntimeError("config.use: the block is in force already; call config.use(...) again")
        outer: Any = engine.scope.get(None)
        self._inner = Override(self._settings, outer)
        self._inner.resolve()  # now: the engine tests for guests only while a state has some
        self._strays = engine.strays()
        self._token = engine.scope.set(self._inner)

    def __exit__(self, raised: type[BaseException] | None, *_: object) -> None:
        inner, token = self._inner, self._token
        current: Any = engine.scope.get(None)
        self._token = None
        # A generator may be closed in another context than the one it was started in, which does not have the token.
        try:
            engine.scope.reset(token)
        except ValueError:
            pass
        else:
            if current is not None and current is not inner:  # others are in force still, and return to this one
                inner.end()
                engine.scope.set(current.without(inner))
        missed = not inner.used and engine.strays() != self._strays
        if inner.outer is not None and (inner.used or missed):
            state()  # the block around it has now seen a call too
        if missed and raised is None:
            warn(_UNUSED, UserWarning)


class Config(Settings):
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
        What ``x[index]``, and functions such as `take` that are given no `mode`, do with indices out of range: ``"raise"`` an
        IndexError, or ``"clip"``: what JAX does.
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
    def x64_enabled(self) -> bool:
        """JAX's other name of `jax_enable_x64`."""
        return self.jax_enable_x64

    @property
    def values(self) -> dict[str, Any]:
        """JAX's settings by name."""
        return {name: getattr(self, name) for name in SETTINGS if name.startswith("jax_")}

    @traceless
    def read(self, name: str) -> Any:
        """Return the value of a setting by its name, as in JAX."""
        if name not in SETTINGS:
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
            ``"x64"``, ``"promotion"``, ``"mutable"``, ``"out_of_range"``, ``"threads"``, ``"pool"``, ``"tracebacks"``, or
            JAX's ``"jax_enable_x64"``, ``"jax_explicit_x64_dtypes"``, ``"jax_numpy_dtype_promotion"``,
            ``"jax_numpy_rank_promotion"``, ``"jax_debug_nans"``, ``"jax_debug_infs"``,
            ``"jax_threefry_partitionable"``, ``"jax_disable_jit"``. Other settings of JAX are ignored, with
            a warning each.
        val : object
            The new value.
        """
        row = _row(name)
        if isinstance(row, ProcessSetting):
            row.put(val)
            return
        checked = _all_checked({name: val})
        with LOCK:
            if "watcher" in checked:
                raise ValueError("config.update: watchers belong to a context; use with config.use(watcher=...)")
            process[0] = interned(**{**settings_of(process[0]), **checked})
            engine.use(process[0])

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
        return Block(_all_checked(settings))

    @traceless
    def __setattr__(self, name: str, value: object) -> None:
        if name not in SETTINGS:
            raise _unknown(name)
        object.__setattr__(self, name, value)

    def _repr_html_(self) -> str:
        return html.table([(row.name, str(row.shown())) for row in OWN], caption="supremum.config")

    def __repr__(self) -> str:
        settings = [f"{row.name}={row.shown()!r}" for row in OWN if not isinstance(row, ProcessSetting)]
        return f"<config {' '.join(settings)}>"


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
