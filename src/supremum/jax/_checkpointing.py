"""Functions that are computed again for their derivatives backward: `checkpoint`, and its policies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from supremum.jax import _tree
from supremum.jax._custom_rules import Captured, carry_back, mapped, taken
from supremum.jax._derivatives import Custom
from supremum.jax._dual import Dual, Level, Record, duals, replaced, stripped
from supremum.jax._values import as_leaf, wraps
from supremum.jax._vmap import vmap


class _Policies:
    """The policies of `checkpoint`, without meaning here."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *_args, **_kwargs: True


checkpoint_policies: Final = _Policies()


def recomputed(level: Level, function: Any, leaves: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function of which the tape holds the operands alone: for the cotangents it is called again."""
    if level.tape is None:
        return function.definition(*leaves)
    captured = Captured(level)
    with captured.found():
        found = mapped(captured.leaf, function.definition(*[stripped(level, x) for x in leaves]))
    ys, structure = _tree.flatten(found)
    ys = [as_leaf(y) for y in ys]
    given = duals(level, leaves)
    operands = given + captured.operands

    def pull(cotangents: list[Any]) -> list[Any]:
        inner = Level(taped=True)
        starts = [Record() for _ in operands]
        again = [Dual(inner, x.primal, start) for x, start in zip(operands, starts, strict=True)]
        values = {id(x): one for x, one in zip(given, again, strict=False)}
        with captured.replaced_by(again[len(given) :]):
            out = mapped(captured.leaf, function.definition(*replaced(leaves, values, lambda x: x)))
        results = [as_leaf(y) for y in _tree.flatten(out)[0]]
        carry_back(inner, results, cotangents)
        return taken(starts)

    return structure.unflatten(level.joint(ys, operands, pull))


class _Recomputed(Custom):
    """A function of which a tape holds the operands alone."""

    derived = staticmethod(recomputed)

    def mapped(self, in_axes: tuple[Any, ...], size: int) -> Any:
        """Return the function mapped over axes."""
        return _Recomputed(vmap(self.fun, in_axes, axis_size=size))


def _as_function(custom: Custom) -> Callable[..., Any]:
    @wraps(custom.fun)
    def call(*args: Any, **kwargs: Any) -> Any:
        return custom(*args, **kwargs)

    return call


def checkpoint(fun: Callable[..., Any] | None = None, /, **_options: object) -> Any:
    """Return the function; a derivative backward keeps its operands alone, and calls it again.

    Parameters
    ----------
    fun : callable, optional
        The function; without it, a decorator is returned.
    **_options : optional
        Policies and static arguments, which are ignored.
    """
    return checkpoint if fun is None else _as_function(_Recomputed(fun))


remat = checkpoint
