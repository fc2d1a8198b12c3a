"""The names of the namespace: the module of a name is imported on first access to the name.

So `import supremum` costs little more than NumPy does, and a program loads only what it uses. Which module has a name is read
from the ``__all__`` in the sources, when a name is first looked up that is not there yet.
"""

from __future__ import annotations

import ast
import functools
import pkgutil
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final

from supremum import _functions
from supremum._base.boundary import traceless
from supremum.promotion._nodes import NODES

#: The versions of the array API standard that the namespace follows.
API_VERSIONS: Final = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")

#: What the namespace has from the start, or as its modules.
_OTHERS: Final = (
    "Array", "TypePromotionError", "__array_api_version__", "__array_api_versions__", "__version__", "config", "enable_x64",
    "fft", "linalg", "ndarray", "numpy_dtype_promotion", "promotion",
)  # fmt: skip
#: Modules that are imported on first access.
LATER: Final = frozenset((
    "dtypes", "errors", "fft", "io", "jax", "lens", "lib", "linalg", "nn", "numpy", "random", "scipy", "testing", "typing",
))  # fmt: skip
#: Names from other modules than those of `_functions`.
_ELSEWHERE: Final = {
    "_base.porting": ("PortingWarning",),
    "_functions.scalar_types": tuple(NODES),  # as the installed ml_dtypes has them
    "explaining": ("explain",),
    "io": ("load", "save", "savez", "savez_compressed"),
    "lens": ("precision_lens",),
    "tracing": ("forbid", "trace_promotions"),
}
#: Namespaces that are searched for a name that is not here.
_NAMESPACES: Final = ("nn", "linalg", "io", "scipy.special", "random", "fft", "scipy.linalg", "promotion", "testing")
#: The list of public names in a source.
_LIST: Final = re.compile(r"^__all__ = (\[.*?\])", re.DOTALL | re.MULTILINE)

# A module must not be imported while another thread imports its package: Python would use the package half initialized, or
# report a deadlock. So packages are imported before their modules (see tests/test_imports.py), and those that are empty here.
for _package in pkgutil.iter_modules(_functions.__path__, "supremum._functions."):
    if _package.ispkg:
        import_module(_package.name)
for _name in ("_kernels.plain", "scipy"):
    import_module(f"supremum.{_name}")


@functools.cache
def homes() -> dict[str, str]:
    """Return the module of each name that the namespace imports on first access."""
    found = {name: f"supremum.{home}" for home, given in _ELSEWHERE.items() for name in given}
    for module, names in _listed(_functions.__name__, _functions.__path__):
        found.update((name, module) for name in names)
    return found


def _listed(package: str, path: Any) -> Iterator[tuple[str, list[str]]]:
    """Yield the modules of a package and its packages with their public names; modules that begin with _ have none."""
    for finder, name, is_package in pkgutil.iter_modules(path, f"{package}."):
        if is_package:
            yield from _listed(name, sys.modules[name].__path__)
        elif not name.rpartition(".")[2].startswith("_"):
            spec: Any = finder.find_spec(name, None)
            found = _LIST.search(spec.loader.get_source(name) or "")  # no source, where only compiled files are installed
            yield name, ast.literal_eval(found[1]) if found else import_module(name).__all__


def __getattr__(name: str) -> Any:
    """Import what is read as ``_names.name``: for modules that call functions of the namespace by name."""
    if name not in homes():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    found = globals()[name] = getattr(import_module(homes()[name]), name)
    return found


@traceless
def look_up(name: str) -> Any:
    """Import what is read as ``supremum.name`` for the first time; it is the namespace's ``__getattr__``."""
    if name == "__all__":
        return all_names()
    if name in homes():
        found = vars(sys.modules["supremum"])[name] = __getattr__(name)
        return found
    if name in LATER:
        return import_module(f"supremum.{name}")
    from supremum._base.absent import missing

    raise missing("supremum", name, _elsewhere(name))


def _elsewhere(name: str) -> str:
    """Return the first namespace that has a public name which the package does not have, or an empty string."""
    homes = (f"supremum.{home}" for home in _NAMESPACES if not name.startswith("_"))
    return next((home for home in homes if name in import_module(home).__all__), "")


def all_names() -> list[str]:
    """Return the namespace's ``__all__``."""
    return sorted([*homes(), *_OTHERS])


def names() -> list[str]:
    """Return the public names of the namespace; it is the namespace's ``__dir__``."""
    return sorted({*all_names(), *LATER})
