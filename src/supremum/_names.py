"""The names of the namespace: the module of a name is imported on first access to the name.

So `import supremum` costs little more than NumPy does, and a program loads only what it uses.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, Final

from supremum._base.errors import NAMES
from supremum._homes import HOMES
from supremum.promotion._nodes import ABSENT

__all__ = ["ALL", "API_VERSIONS", "LATER", "look_up", "names"]

#: The versions of the array API standard that the namespace follows.
API_VERSIONS: Final = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")

#: What the namespace has from the start, or as its modules.
_OTHERS: Final = (
    "Array", "TypePromotionError", "__array_api_version__", "__array_api_versions__", "__version__", "config", "enable_x64",
    "fft", "linalg", "ndarray", "numpy_dtype_promotion", "promotion",
)  # fmt: skip
#: Modules that are imported when they are first asked for.
LATER: Final = frozenset((
    "dtypes", "errors", "fft", "io", "jax", "lens", "lib", "linalg", "nn", "numpy", "random", "scipy", "testing", "typing",
))  # fmt: skip

# An older ml_dtypes lacks some.
_HOME_OF: Final = {name: home for home, given in HOMES.items() for name in given.split() if name not in ABSENT}
NAMES.update(_HOME_OF)
#: The namespace's ``__all__``.
ALL: Final[list[str]] = sorted([*_HOME_OF, *_OTHERS])

# A module must not be imported while another thread imports its package: Python would use the package half initialized, or
# report a deadlock. So packages are imported before their modules (see tests/test_imports.py), and those that are empty here.
for _package in sorted({home.rpartition(".")[0] for home in HOMES if "." in home} | {"_kernels.direct", "scipy"}):
    import_module(f"supremum.{_package}")


def __getattr__(name: str) -> Any:
    """Import what is asked for as ``_names.name``: for modules that call functions of the namespace by name."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    found = globals()[name] = getattr(import_module(f"supremum.{_HOME_OF[name]}"), name)
    return found


def look_up(name: str) -> Any:
    """Import what is asked for as ``supremum.name`` for the first time; it is the namespace's ``__getattr__``."""
    if name in _HOME_OF:
        found = vars(sys.modules["supremum"])[name] = __getattr__(name)
        return found
    if name in LATER:
        return import_module(f"supremum.{name}")
    from supremum._functions.transformations import missing

    # `from supremum import vmap` would hide the message of an AttributeError behind one of its own.
    importing = sys._getframe(1).f_globals.get("__name__") in ("importlib._bootstrap", "_frozen_importlib")
    raise missing(name, importing=importing)


def names() -> list[str]:
    """Return the public names of the namespace; it is the namespace's ``__dir__``."""
    return sorted({*ALL, *LATER})
