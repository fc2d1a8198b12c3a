"""Make the values of recorded calls with supremum, as ``record.py`` makes them with JAX."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

import supremum
import supremum.jax
from supremum._core.array import wrap
from supremum._core.settings import state


class SupremumBackend:
    """Make the values of the call language with supremum."""

    namespaces: Mapping[str, Any] = MappingProxyType({"jnp": supremum, "jax": supremum})
    transformations = supremum.jax

    def array(self, data: np.ndarray[Any, Any]) -> Any:
        """Make a strong array."""
        return self.namespaces["jnp"].asarray(data)

    def weak(self, kind: str, data: np.ndarray[Any, Any]) -> Any:
        """Make a weak array of given elements; as in JAX, no public function does."""
        node = state().default(kind[0]).weak_form
        return wrap(data.astype(node.dtype), node)
