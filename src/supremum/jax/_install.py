"""`install`: imports of ``jax`` and of its modules get those of this package, under the settings of JAX."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

from supremum import config
from supremum._array.protocols import leave_functions_to_numpy
from supremum._base.porting import may_warn
from supremum._core.setting_rows import SETTINGS
from supremum.jax._modules import home_of

_HERE: Final = __name__.rpartition(".")[0]


class _Found(Loader):
    """Gives a module that is already imported under its own name."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.spec: Any = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module."""
        found = importlib.import_module(self.home)
        self.spec = getattr(found, "__spec__", None)
        return found

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its own specification back."""
        module.__spec__ = self.spec


class _Finder(MetaPathFinder):
    """Finds ``jax`` and its modules in this package."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return where a module is; None for modules that are not here."""
        if fullname.partition(".")[0] not in ("jax", "jaxlib"):
            return None
        home = home_of(fullname)
        if home not in sys.modules and not _exists(home):
            return None
        return ModuleSpec(fullname, _Found(home), is_package=True)


def _exists(home: str) -> bool:
    try:
        return importlib.util.find_spec(home) is not None
    except (ImportError, ValueError):
        return False


_FINDER: Final = _Finder()


def installed() -> bool:
    """Return whether imports of ``jax`` get this package."""
    return _FINDER in sys.meta_path


def install() -> None:
    """Let imports of ``jax`` and of its modules get those of this package, and set JAX's settings, for the process.

    The settings are ``x64="off"``, ``mutable=False`` and ``out_of_range="clip"``; JAX's environment variables count, such
    as ``JAX_ENABLE_X64`` and ``JAX_DEBUG_NANS``. NumPy's functions return its own arrays, as with JAX: ``np.exp(x)`` is an
    ndarray. A second call changes nothing.

    Raises
    ------
    ImportError
        If the real JAX has been imported.
    """
    present = sys.modules.get("jax")
    if present is not None and present is not sys.modules[_HERE]:
        raise ImportError(
            "supremum.jax.install: the real jax has been imported in this process, and programs that have "
            "it keep it; start a new "
            "process and call install() before the first import of jax",
            name="jax",
        )
    if not installed():
        sys.meta_path.insert(0, _FINDER)
        may_warn[0] = False
        leave_functions_to_numpy()
        _use_settings_of_jax()
    sys.modules["jax"] = sys.modules[_HERE]
    importlib.import_module("jax.tree_util")  # as JAX does, for those that look it up in `sys.modules`


def _use_settings_of_jax() -> None:
    config.update("mutable", False)
    config.update("out_of_range", "clip")
    config.update("jax_enable_x64", False)
    for row in SETTINGS.values():
        value = None if row.own else row.from_environment()
        if value is not None:
            try:
                config.update(row.name, value)
            except (TypeError, ValueError) as error:
                raise ValueError(f"{error} (from the environment variable {row.variable})") from None
