"""``jax.numpy.vectorize``, which maps by `vmap`: the function is called once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import supremum as xp
from supremum._functions.functional import vectorized_by
from supremum.jax import _tree
from supremum.jax._values import as_leaf
from supremum.jax._vmap import vmap


def vectorize(
    pyfunc: Callable[..., Any],
    *,
    excluded: Sequence[int | str] | frozenset[int | str] = frozenset(),
    signature: str | None = None,
) -> Callable[..., Any]:
    """Make a function of arrays of a function of their elements, or of their core axes.

    `supremum.vectorize` takes the same arguments, and calls the function for each element.

    Parameters
    ----------
    pyfunc : callable
        Takes arrays without axes, or arrays with the core axes that `signature` names.
    excluded : set of int or str
        Positions and names of arguments that are passed on as they are.
    signature : str, optional
        The core axes of arguments and results, as in ``"(n),(n)->()"``.

    Returns
    -------
    callable
        The function, whose results have the other axes of the arguments, broadcast, in front.
    """
    return vectorized_by(_by_vmap, pyfunc, excluded, signature)


def _by_vmap(
    call: Callable[[Sequence[Any]], Any], arrays: list[Any], shape: tuple[int, ...], inputs: list[tuple[str, ...]]
) -> Any:
    if not shape:
        leaves, structure = _tree.flatten(call(arrays))
        return structure.unflatten([as_leaf(leaf) for leaf in leaves])
    count = math.prod(shape)
    axes: list[int | None] = []
    given = []
    for x, core in zip(arrays, inputs, strict=True):
        outer, inner = x.shape[: x.ndim - len(core)], x.shape[x.ndim - len(core) :]
        axes.append(None if math.prod(outer) == 1 else 0)
        given.append(
            xp.reshape(
                x if axes[-1] is None else xp.broadcast_to(x, shape + inner), inner if axes[-1] is None else (count, *inner)
            )
        )
    leaves, structure = _tree.flatten(vmap(lambda *parts: call(parts), tuple(axes), axis_size=count)(*given))
    return structure.unflatten([xp.reshape(leaf, shape + leaf.shape[1:]) for leaf in leaves])
