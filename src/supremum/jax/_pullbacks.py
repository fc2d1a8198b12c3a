"""The function of cotangents that `vjp` returns, and what says which of its results are wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from supremum import Array
from supremum.jax import _tree
from supremum.jax._copies import held_by
from supremum.jax._dual import Dual
from supremum.jax._refs import addupdate
from supremum.jax._values import is_ref
from supremum.jax.tree_util import Partial, register_dataclass, register_pytree_node, tree_map


@dataclass(frozen=True)
class GradValue:
    """In `VJP.with_refs`: the cotangent of this argument is returned."""


@dataclass(frozen=True)
class DontWant:
    """In `VJP.with_refs`: the cotangent of this argument is not wanted."""


@register_dataclass
@dataclass(frozen=True)
class GradRef:
    """What is returned in place of a cotangent that was added to a reference."""


@register_dataclass
@dataclass(frozen=True)
class DidntWant:
    """What is returned in place of a cotangent that was not wanted."""


#: The namespace ``jax.ad``.
ad = SimpleNamespace(DontWant=DontWant, DidntWant=DidntWant, GradRef=GradRef, GradValue=GradValue)


def arrays_of(tape: list[Any]) -> Iterator[Array]:
    """Yield the arrays that records hold, each once."""
    seen: set[int] = set()
    for record in tape:
        rest = [record.parents, getattr(record, "results", ())]
        while rest:
            x = rest.pop()
            if id(x) in seen:
                continue
            seen.add(id(x))
            if type(x) is Array:
                yield x
            rest.extend(reversed([x.primal] if type(x) is Dual else held_by(x) or []))


class VJP(Partial):
    """A function of cotangents.

    Attributes
    ----------
    args_res : list
        The arguments of the function that is differentiated. Where others take their places, the function is called again,
        with these.
    opaque_residuals : list of Array
        What else it holds.
    """

    args_res: list[Any]
    _again: Callable[..., Any]
    _leaves: list[Any]
    _taped: Any

    @classmethod
    def of(cls, back: Callable[[Any], Any], primals: Any, again: Callable[..., Any], taped: Any) -> VJP:
        """Return the function `back` of the derivative at primal values; `again` returns that at others."""
        made = cls(back)
        made.args_res, made._again, made._taped = list(primals), again, taped
        made._leaves = _tree.flatten(made.args_res)[0]
        return made

    @property
    def opaque_residuals(self) -> list[Array]:
        """The arrays that the function holds, but for the arguments."""
        return [x for x in arrays_of(self._taped.level.tape) if all(x is not y for y in self._taped.xs)]

    def __call__(self, cotangents: Any, *, unwanted: Sequence[int] = ()) -> Any:
        """Carry a tree of cotangents of the result back to the arguments, of which some leaves are not wanted."""
        if "args_res" in vars(self):
            given = _tree.flatten(self.args_res)[0]
            if len(given) < len(self._leaves):
                raise ValueError("vjp: an argument in args_res was taken away; give it back before the call")
            if any(x is not y for x, y in zip(given, self._leaves, strict=False)):
                return self._again(*self.args_res)(cotangents, unwanted=unwanted)
        return super().__call__(cotangents, unwanted)

    def with_refs(self, *refs: Any) -> Callable[[Any], Any]:
        """Return a function that adds the cotangents of arguments to what references hold, in place of returning them."""

        def kept(ref: Any, cotangent: Any) -> Any:
            if is_ref(ref):
                addupdate(ref, ..., cotangent)
                return GradRef()
            return DidntWant() if type(ref) is DontWant else cotangent

        def unwanted(ref: Any, x: Any) -> list[bool]:
            return [type(ref) is DontWant] * _tree.flatten(x)[1].num_leaves

        def call(cotangents: Any) -> Any:
            found = self(cotangents, unwanted=[i for i, flag in enumerate(flags) if flag])
            return tuple([ct if ref is None else tree_map(kept, ref, ct) for ref, ct in zip(refs, found, strict=True)])

        flags: list[bool] = []
        for ref, x in zip(refs, self.args_res if "args_res" in vars(self) else (), strict=False):
            tree = [False] * _tree.flatten(x)[1].num_leaves if ref is None else tree_map(unwanted, ref, x)
            flags += _tree.flatten(tree)[0]
        return call


register_pytree_node(VJP, lambda p: ((p.args, p.keywords), p.func), lambda func, xs: VJP(func, *xs[0], **xs[1]))
