"""The libraries that take part: how to import one, and how to hand it an array."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

#: One thread for everyone: threads of one candidate would run in the next one's turn, and wait for whatever else is running.
ONE_THREAD = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"),
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}


@dataclass(frozen=True)
class Library:
    """A namespace under the name that reports give it."""

    name: str
    xp: Any  # what programs call `xp`
    native: Any  # what its own users call; differs from xp for torch only
    convert: Callable[[Any], Any]

    def names(self, operands: dict[str, Any]) -> dict[str, Any]:
        """Return the names of a case as this library has them."""
        ours = (np.ndarray, np.generic)
        return {name: self.convert(value) if isinstance(value, ours) else value for name, value in operands.items()}

    def waiting(self, code: str, result: Any) -> str:
        """Return a statement that is over only when its work is done: JAX answers before it has computed."""
        if not self.name.startswith("jax"):
            return code
        if result is None:
            return f"{code}; a.block_until_ready()"
        return f"({code}).block_until_ready()" if hasattr(result, "block_until_ready") else f"_wait({code})"


def load(names: list[str]) -> list[Library]:
    """Import what is installed of `names`."""
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
    # The very buffers that ours has: where a copy happens to lie in memory makes it faster or slower by several percent.
    return Library(name, xp, xp, lambda array: array)


def _jax(name: str) -> Library:
    jax = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)  # the same dtypes for everyone
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
