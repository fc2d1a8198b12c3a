"""Derivatives of a function as calls of it: what a recorded call does whose target begins with one of the words of `KINDS`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


class _Given:
    """The arguments of a call: the arrays of floating-point numbers in them, and a function of those."""

    def __init__(self, jax: Any, function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> None:
        self.jax = jax
        leaves, structure = jax.tree_util.tree_flatten(args)
        places = [i for i, x in enumerate(leaves) if self.is_floating(x)]
        self.arrays = [leaves[i] for i in places]

        def of_arrays(*arrays: Any) -> list[Any]:
            full = list(leaves)
            for i, x in zip(places, arrays, strict=True):
                full[i] = x
            found = jax.tree_util.tree_leaves(function(*structure.unflatten(full), **kwargs))
            return [y for y in found if self.is_floating(y)]

        self.function = of_arrays

    def is_floating(self, x: Any) -> bool:
        """Return whether a value is an array of floating-point numbers."""
        jnp = self.jax.numpy
        return isinstance(x, self.jax.Array) and bool(jnp.issubdtype(x.dtype, jnp.inexact))

    def weights(self, x: Any, phase: float) -> Any:
        """Return numbers of the dtype of an array, of which each element is multiplied by another one."""
        return self.jax.numpy.asarray(np.cos(np.arange(x.size).reshape(x.shape) + phase), x.dtype)

    def gradient(self, arrays: list[Any]) -> Any:
        """Return the gradients of a weighted sum of the results."""
        values, back = self.jax.vjp(self.function, *arrays)
        return back([self.weights(y, 1.0) for y in values])


def _gradient(given: _Given) -> Any:
    return given.gradient(given.arrays)


def _tangent(given: _Given) -> Any:
    return given.jax.jvp(given.function, given.arrays, [given.weights(x, 2.0) for x in given.arrays])[1]


def _second(given: _Given) -> Any:
    def total(*arrays: Any) -> Any:
        jnp = given.jax.numpy
        return sum(jnp.sum(jnp.sin(jnp.real(x))) for x in given.gradient(list(arrays)))

    return given.jax.grad(total, tuple(range(len(given.arrays))))(*given.arrays)


#: The words, and what they return: gradients, tangents of the results, and gradients of a sum of the gradients.
KINDS: dict[str, Callable[[_Given], Any]] = {"gradient": _gradient, "tangent": _tangent, "second": _second}


def derivative(kind: str, jax: Any, function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> Any:
    """Return a derivative of a call by its arrays of floating-point numbers."""
    return KINDS[kind](_Given(jax, function, args, kwargs))
