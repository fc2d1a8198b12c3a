"""Guests: who looks at calls of public functions, and who takes them over; `supremum._base.functions` lets them in."""

from __future__ import annotations

import itertools
import warnings
from functools import cache
from typing import Any, Final, Protocol

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import stack_level
from supremum._base.facts import label_of
from supremum._core import engine


@public(home="supremum.typing")
class PublicFunction(Protocol):
    """A public function, as a watcher or an operand that takes over gets it.

    Attributes
    ----------
    name : str
        The name, which is the path below the package: ``"sin"``, ``"linalg.solve"``, ``"scipy.special.gamma"``, ``"lax.exp"``.
    kind : str
        ``"elementwise"``; ``"reduction"``; ``"composed"``, written in public functions; ``"index"``: ``getitem(x, key)``,
        ``setitem(x, key, value)`` and ``at_get(x, index)``; ``"update"``: ``at_add(x, index, values)`` and others;
        ``"in-place"``: ``iadd(x, y)`` and others; ``"conversion"``: ``float(x)``, ``bool(x)``, ``item(x)`` and others; else
        ``"opaque"``.
    """

    name: str
    kind: str

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function; watchers further outside see it."""

    def bound(self, args: tuple[Any, ...], kwargs: dict[str, Any], /) -> dict[str, Any]:  # pyright: ignore[reportReturnType]  # a protocol's member has no body
        """Return the arguments of a call by name, in the order of the parameters, defaults among them.

        Methods, operators and functions give the same ones: ``x.sum()`` those of ``sum(x)``.
        """

    def definition(self, *args: Any, **kwargs: Any) -> Any:
        """Call the definition past the guests, which see the parts of a composed function."""


@public(home="supremum.typing")
class Watcher(Protocol):
    """What public functions call in their place, within ``with config.use(watcher=...)``.

    With a false attribute ``__supremum_views__`` it need not see items that are views, ``x[1:]``, which are then faster.
    """

    def __call__(self, function: PublicFunction, args: tuple[Any, ...], kwargs: dict[str, Any], /) -> Any:
        """Return the result of a call, that of ``function(*args, **kwargs)`` or another one."""


@public(home="supremum.typing")
class SupportsFunction(Protocol):
    """An operand that takes over the calls that it is an argument of.

    An instance may have a level, the int attribute ``__supremum_level__``: see `new_level`. Without it, that is 0.
    """

    def __supremum_function__(self, function: PublicFunction, args: tuple[Any, ...], kwargs: dict[str, Any], /) -> Any:
        """Return the result of a call; NotImplemented leaves it to other operands, and a composed function to its parts."""


_levels: Final = itertools.count(1)


@public(home="supremum.typing", wrap=False)
def new_level() -> int:
    """Return a level that is greater than those of all transformations that have begun.

    A transformation, such as `vmap`, calls it when it begins, and its operands have the level as their
    ``__supremum_level__``. A call is offered to the operand with the greatest level first: that of the innermost
    transformation.

    Returns
    -------
    int
        The level.

    Examples
    --------
    >>> from supremum.typing import new_level
    >>> outer, inner = new_level(), new_level()
    >>> inner > outer > 0
    True
    """
    return next(_levels)


def check_ranks(ranks: str, function: str, *shapes: tuple[int, ...]) -> None:
    """Warn of operands whose numbers of axes differ, or refuse them, as JAX's setting says."""
    if ranks == "allow" or len({len(shape) for shape in shapes if shape}) < 2:
        return
    given = " and ".join(map(str, shapes))
    remedy = "give them the same number of axes, or set jax_numpy_rank_promotion to 'allow'"
    if ranks == "raise":
        raise ValueError(f"{function}: operands of shapes {given} differ in their number of axes; {remedy}")
    warnings.warn(f"{function}: rank promotion of shapes {given}; {remedy}", UserWarning, stack_level())


class _Checks:
    """The watcher of states with checks of JAX's: of the ranks of operands, of NaN and of infinities in results."""

    def __init__(self, ranks: str, nans: bool, infs: bool) -> None:
        self.ranks: Final = ranks
        self.finds: Final = [check for check, wanted in ((("nan", np.isnan), nans), (("inf", np.isinf), infs)) if wanted]

    def __call__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], /) -> Any:
        """Check the operands of a function that broadcasts them, call it, and check what it returns."""
        if self.ranks != "allow" and function.kind in ("elementwise", "in-place") and function.name != "where":
            name = label_of(function) if function.kind != "in-place" or function.operation is None else function.operation.name
            arrays = [x for x in (*args, *kwargs.values()) if isinstance(x, engine.Array | np.ndarray)]
            check_ranks(self.ranks, name, *[x.shape for x in arrays])
        result = function(*args, **kwargs)
        for x in result if isinstance(result, tuple | list) else (result,):
            if self.finds and isinstance(x, engine.Array) and x._node.kind in "fc":
                self._check(label_of(function), np.asarray(x._data))
        return result

    def _check(self, function: str, values: Any) -> None:
        for word, find in self.finds:
            if find(values).any():
                setting = f"jax_debug_{word}s"
                raise FloatingPointError(f"invalid value ({word}) encountered in {function}; {setting} is True")


#: The checks of most states.
NO_CHECKS: Final = {"ranks": "allow", "nans": False, "infs": False}


@cache
def checks(ranks: str, nans: bool, infs: bool) -> Watcher | None:
    """Return the watcher of these settings; None if there is nothing to check."""
    return _Checks(ranks, nans, infs) if ranks != "allow" or nans or infs else None
