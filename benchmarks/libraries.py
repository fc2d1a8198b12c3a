"""Import the libraries that are compared, and convert arrays to theirs."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

#: One thread for every library: otherwise threads of one candidate would run during the turn of the next one.
ONE_THREAD = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"),
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}


@dataclass(frozen=True)
class Library:
    """A namespace under its name in reports."""

    name: str
    xp: Any  # the namespace that programs call `xp`
    native: Any  # the namespace that its users call; differs from `xp` for torch only
    convert: Callable[[Any], Any]

    def names(self, operands: dict[str, Any]) -> dict[str, Any]:
        """Return the names that a case uses, for this library."""
        ours = (np.ndarray, np.generic)
        return {name: self.convert(value) if isinstance(value, ours) else value for name, value in operands.items()}

    def waiting(self, code: str, result: Any) -> str:
        """Return a statement that ends when its work is done: JAX returns before it has computed."""
        if not self.name.startswith("jax"):
            return code
        if result is None:
            return f"{code}; a.block_until_ready()"
        return f"({code}).block_until_ready()" if hasattr(result, "block_until_ready") else f"_wait({code})"


def load(names: list[str]) -> list[Library]:
    """Import those of `names` that are installed."""
    found = []
    for name in names:
        try:
            found.append(_MAKERS.get(name, _namespace)(name))
        except ImportError:
            continue
    return found


def _namespace(name: str) -> Library:
    xp = importlib.import_module(name)
    return Library(name, xp, xp, xp.asarray)


def _numpy(name: str) -> Library:
    xp = importlib.import_module(name)
    # Use the same buffers as ours: the address of a copy changes its speed by several percent.
    return Library(name, xp, xp, lambda array: array)


def _jax(name: str) -> Library:
    jax = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)  # the same dtypes for every library
    return Library(name, jax.numpy, jax.numpy, jax.numpy.asarray)


def _torch(name: str) -> Library:
    torch = importlib.import_module(name)
    xp = importlib.import_module("array_api_compat.torch")

    def convert(array: np.ndarray) -> Any:
        if array.dtype.name == "bfloat16":
            return torch.from_numpy(array.view(np.int16).copy()).view(torch.bfloat16)
        if array.dtype.name.startswith("float8"):
            return torch.from_numpy(array.view(np.uint8).copy()).view(getattr(torch, array.dtype.name))
        return torch.from_numpy(array.copy())

    return Library(name, xp, torch, convert)


_MAKERS: dict[str, Callable[[str], Library]] = {
    "numpy": _numpy,
    "array_api_compat.numpy": _numpy,
    "jax.numpy": _jax,
    "torch": _torch,
}
PEERS = ["numpy", "array_api_compat.numpy", "array_api_strict", "jax.numpy", "torch"]
LIGHT_PEERS = ["numpy", "array_api_compat.numpy", "array_api_strict"]
