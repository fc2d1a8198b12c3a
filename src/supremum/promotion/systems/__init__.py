"""The promotion systems of this package, by name; each is built on first access."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Final

from supremum._base import html
from supremum._base.exceptions import describe, nearest
from supremum.promotion._system import PromotionSystem

__all__ = ["SYSTEMS", "Systems"]

# The module of each system's data, and the name in it.
_HOME: Final = {
    "jax": ("jax_modes", "jax"),
    "jax_x32": ("jax_modes", "jax_x32"),
    "jax_x64": ("jax_modes", "jax_x64"),
    "jax_strict": ("jax_modes", "jax_strict"),
    "jax_lax": ("jax_modes", "jax_lax"),
    "numpy": ("nep50", "numpy"),
    "cupy": ("nep50", "numpy"),
    "dask": ("nep50", "dask"),
    "torch": ("torch", "torch"),
    "tensorflow": ("tensorflow", "tensorflow"),
    "tensorflow_legacy": ("tensorflow", "tensorflow_legacy"),
    "tensorflow_all": ("tensorflow", "tensorflow_all"),
    "tensorflow_safe": ("tensorflow", "tensorflow_safe"),
    "array_api": ("array_api", "array_api"),
    "max_graph": ("max", "max_graph"),
    "max": ("max", "max"),
    "keras": ("keras", "keras"),
    "keras_tf": ("keras", "keras_tf"),
    "tinygrad": ("tinygrad", "tinygrad"),
    "mlx": ("mlx", "mlx"),
    "ndonnx": ("ndonnx", "ndonnx"),
    "python": ("python", "python"),
    "jep9407_option1": ("jep9407", "jep9407_option1"),
    "jep9407_option2": ("jep9407", "jep9407_option2"),
    "jep9407_option3": ("jep9407", "jep9407_option3"),
    "jep9407": ("jep9407", "jep9407"),
}


class Systems(Mapping[str, PromotionSystem]):
    """A read-only mapping from names to promotion systems.

    Examples
    --------
    >>> from supremum.promotion import systems
    >>> systems["jax"]
    <promotion system 'jax': 3... types>
    """

    def __init__(self) -> None:
        self._built: dict[tuple[str, str], PromotionSystem] = {}

    def __getitem__(self, name: str) -> PromotionSystem:
        try:
            home = _HOME[name]
        except (KeyError, TypeError):
            hint = nearest(name, _HOME) or f"; the systems are {', '.join(_HOME)}"
            raise UnknownSystemError(f"systems: there is no promotion system {describe(name)}{hint}") from None
        system = self._built.get(home)
        if system is None:
            module, own_name = home
            data = import_module(f"{__name__}.{module}").SYSTEMS[own_name]
            system = self._built.setdefault(home, PromotionSystem(own_name, data))
        return system

    def __iter__(self) -> Iterator[str]:
        return iter(_HOME)

    def __len__(self) -> int:
        return len(_HOME)

    def __repr__(self) -> str:
        return f"<promotion systems: {', '.join(_HOME)}>"

    def _repr_html_(self) -> str:
        rows = [tuple(filter(None, re.split(r"\s{2,}", line))) for line in str(self).splitlines()]
        return html.table(rows, caption=f"{len(self)} promotion systems")

    def __str__(self) -> str:
        """Return a line for each system: its name, its types, its form, its source and its title."""
        from supremum.promotion._render import lines_of_systems

        return lines_of_systems(self)


class UnknownSystemError(KeyError, ValueError):
    """No promotion system has that name; a KeyError, as mappings raise, whose text is the message itself."""

    __module__ = "supremum.errors"

    def __str__(self) -> str:
        return str(self.args[0])


SYSTEMS: Final = Systems()
PromotionSystem.known = SYSTEMS
