"""`config`, the settings that users see: as attributes, for a ``with`` block, under JAX's names, by environment variables.

The settings of a context override those of the process; `_core.settings` combines them to states.
"""

from __future__ import annotations

import os
import warnings
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, Literal

from supremum._base import html
from supremum._base.boundary import public, traceless
from supremum._base.errors import describe, nearest, stack_level, without_names
from supremum._base.frames import FULL
from supremum._base.locks import LOCK
from supremum._core import engine
from supremum._core.jax_settings import MEANINGLESS
from supremum._core.resources import RESOURCES, resource, set_resource
from supremum._core.settings import (
    X64,
    ExplicitX64,
    OutOfRange,
    Override,
    Promotion,
    Ranks,
    State,
    interned,
    process,
    settings_of,
    state,
)
from supremum.promotion._system import PromotionSystem
from supremum.promotion.systems import SYSTEMS as systems  # noqa: N811  # a mapping that users know as a name in lower case

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

__all__ = ["Config", "config", "enable_x64", "numpy_dtype_promotion"]

_FLAGS: Final = {True: True, False: False}
#: The settings with few values: our name of each, what the values mean, their types, and the exception for others with words.
_CHOICES: Final[dict[str, tuple[str, dict[Any, Any], tuple[type, ...], type[Exception], str]]] = {
    "x64": ("x64", {mode: mode for mode in ("explicit", "on", "off")}, (str,), ValueError, "one of 'explicit', 'on', 'off'"),
    "mutable": ("mutable", _FLAGS, (bool,), TypeError, "True or False"),
    "out_of_range": ("out_of_range", {mode: mode for mode in ("raise", "clip")}, (str,), ValueError, "'raise' or 'clip'"),
    "jax_enable_x64": ("x64", {True: "on", False: "off"}, (bool, int), ValueError, "True or False"),
    "jax_explicit_x64_dtypes": (  # "error" warns too
        "x64", {"allow": "explicit", "warn": "off", "error": "off"}, (str,), ValueError, "'allow', 'warn' or 'error'",
    ),
    "jax_numpy_dtype_promotion": (
        "promotion", {"standard": systems["jax"], "strict": systems["jax_strict"]}, (str,), ValueError,
        "'standard' or 'strict'",
    ),
    "jax_numpy_rank_promotion": (
        "ranks", {mode: mode for mode in ("allow", "warn", "raise")}, (str,), ValueError, "'allow', 'warn' or 'raise'",
    ),
    "jax_debug_nans": ("nans", _FLAGS, (bool,), TypeError, "True or False"),
    "jax_debug_infs": ("infs", _FLAGS, (bool,), TypeError, "True or False"),
}  # fmt: skip


def _checked(name: str, value: Any) -> tuple[str, Any] | None:
    """Check a setting and return it under our name; None for a setting of JAX that is ignored."""
    if type(name) is str and name in _CHOICES:
        own, choices, types, error, words = _CHOICES[name]
        if not isinstance(value, types) or value not in choices:
            raise error(f"config: {name} must be {words}, got {describe(value)}")
        return None if name == "jax_explicit_x64_dtypes" and state().x64 == "on" else (own, choices[value])
    if name == "promotion":
        return name, _system(value)
    if name == "watcher":
        if value is not None and not callable(value):
            raise TypeError(f"config: watcher must be a function of (function, args, kwargs), or None, got {describe(value)}")
        return name, value
    if name == "observer":
        return name, value  # internal, for `tracing`; not listed in messages
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
        return interned(**_all_checked(settings))
    except (TypeError, ValueError) as error:
        raise ValueError(f"{error} (from the environment variables {_VARIABLES})") from None


process[:] = [_from_environment()]
engine.use(process[0])


@contextmanager
def _overriding(settings: dict[str, Any]) -> Iterator[None]:
    outer: Any = engine.scope.get(None)
    if "watcher" in settings:
        watcher = settings.pop("watcher")
        settings["watchers"] = () if watcher is None else (watcher, *state().watchers)
    inner = Override({**(outer.settings if outer else {}), **settings})
    inner.resolve()  # now: the engine tests for guests only while a state has some
    token = engine.scope.set(inner)
    try:
        yield
    finally:
        # A generator may be closed in another context than the one it was started in, which does not have the token.
        with suppress(ValueError):
            engine.scope.reset(token)


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
            base = process[0]
            process[0] = interned(**{**settings_of(base), **checked})
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
        return _overriding(_all_checked(settings))

    @traceless
    def __setattr__(self, name: str, value: object) -> None:
        if not isinstance(vars(Config).get(name), property):
            raise _unknown(name)
        object.__setattr__(self, name, value)

    def _repr_html_(self) -> str:
        rows = [(name, str(value.name if name == "promotion" else value)) for name, value in settings_of(state()).items()]
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
