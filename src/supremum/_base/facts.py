"""Facts: what a public function is, as data at its head that names nothing above it.

Guests read them instead of keeping lists of names: `vmap`, derivatives, the lens, programs, `explain`, and the
generated tests. A fact that one function alone would have is a rule, in the guest's own table.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, Final, Literal, NamedTuple


class Facts(NamedTuple):
    """What a public function is.

    Parameters
    ----------
    operands : str
        The names of the parameters that are arrays whose elements matter, separated by spaces. By default those typed as
        arrays, in order; `operands_of` returns them.
    constant : {"", "shapes", "steps", "lengths"}
        ``"shapes"``: results depend on the shapes and dtypes of operands alone. ``"steps"``: they are piecewise constant in
        the elements, although their dtype may be floating. ``"lengths"``: arguments are lengths.
    moving : bool
        Each element of a result is an element of an operand, or a filler, and which one it is does not depend on the elements
        of the operands that are floating.
    linear : str
        The operands in which the function is linear, each with the others held fixed.
    axis : str
        The parameter that says along which axis, or over which axes, the function goes; its annotation says whether there may
        be several. Or several parameters that are axes.
    none : {"", "all", "every", "flat", "only", "last"}
        What None means there: nothing; all axes, of which results have none, or have every one; the only axis of the flattened
        array; that of an array that has one alone; or as many last axes as lengths are given by ``s``, by default all.
    sums : bool
        Each element of a result is a sum of many terms: products of elements of operands, with factors that are not negative.
    aligned : str
        Operands that broadcast to the shape of the first one, as weights do; the parameter ``where`` always does.
    last : int or tuple of int, optional
        The function works on so many last axes of each operand, or of one after the other. Axes before these are a stack.
    strict : bool
        Operands of an elementwise function do not broadcast: all are of one shape, or numbers.
    slope : str or tuple of str
        Of an elementwise function, for each operand the factor by which it carries a tangent: an expression of the operands by
        the names of the parameters, and of the result, ``out``, in functions of the namespace and of ``special``. Empty
        for operands by which it has none.
    parts : callable, optional
        A second definition in public functions, for guests, where the first is opaque. It gets the namespace, and then the
        arguments; NotImplemented is for arguments that it does not know.
    exact : bool
        The parts compute the same bits, of arrays of float32 or of float64, as programs may.
    draws : str
        Of a sampler, the parameter that is the shape of what is drawn of a key. `supremum.random.keys.ManyKeys` may be in
        place of the key, and the shape then begins with theirs.
    casts : bool
        The function converts elements to a dtype on request.
    own : {"", "result", "rounding"}
        What a function of wider floats would not improve: the result, of bits, of a dtype's own numbers, of files or of
        nothing; or the rounding, which is meant.
    same : str
        The function of the namespace that this one is for operands that it accepts, of a function of ``lax`` or an in-place
        operator.
    """

    operands: str = ""
    constant: Literal["", "shapes", "steps", "lengths"] = ""
    moving: bool = False
    linear: str = ""
    axis: str = ""
    none: Literal["", "all", "every", "flat", "only", "last"] = ""
    sums: bool = False
    aligned: str = ""
    last: int | tuple[int, ...] | None = None
    strict: bool = False
    slope: str | tuple[str, ...] = ""
    parts: Callable[..., Any] | None = None
    exact: bool = False
    draws: str = ""
    casts: bool = False
    own: Literal["", "result", "rounding"] = ""
    same: str = ""


#: The facts of functions that state none.
NO_FACTS: Final = Facts()


def facts_among(given: dict[str, Any]) -> Facts:
    """Remove the facts among keyword arguments, and return them."""
    found = {name: given.pop(name) for name in Facts._fields if name in given}
    return Facts(**found) if found else NO_FACTS


def facts_of(function: Any) -> Facts:
    """Return what a function says of itself.

    Examples
    --------
    >>> import supremum as xp
    >>> facts_of(xp.cumsum).axis, facts_of(xp.cumsum).none, facts_of(xp.gcd) is NO_FACTS
    ('axis', 'flat', True)
    """
    return getattr(function, "facts", NO_FACTS)


def original_of(function: Any) -> Any:
    """Return the function of the namespace that a function says it is the same as, or itself.

    Examples
    --------
    >>> import supremum as xp
    >>> original_of(xp.jax.lax.sub).name, original_of(xp.sin).name
    ('subtract', 'sin')
    """
    same = facts_of(function).same
    return operator.attrgetter(same)(import_module("supremum")) if same else function


def label_of(function: Any) -> str:
    """Return the name of a function in messages and in rules of promotion systems, which no namespace but a few is part of.

    Examples
    --------
    >>> import supremum as xp
    >>> [(one.name, label_of(one)) for one in (xp.sqrt, xp.linalg.inv, xp.scipy.linalg.inv, xp.random.gamma)]
    [('sqrt', 'sqrt'), ('linalg.inv', 'linalg.inv'), ('scipy.linalg.inv', 'linalg.inv'), ('random.gamma', 'gamma')]
    """
    return str(getattr(function, "label", "") or getattr(function, "name", "") or getattr(function, "__name__", ""))


@lru_cache(1024)
def signature_of(function: Any) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a function by name."""
    return inspect.signature(function).parameters


@cache
def operands_of(function: Any) -> tuple[str, ...]:
    """Return the names of the parameters that are arrays whose elements matter.

    Examples
    --------
    >>> import supremum as xp
    >>> operands_of(xp.matmul), operands_of(xp.zeros_like), operands_of(xp.cumsum)
    (('a', 'b'), ('a',), ('a',))
    """
    if named := facts_of(function).operands:
        return tuple(named.split())
    parameters = signature_of(function).values()
    if (row := getattr(function, "row", None)) and function.kind == "elementwise":
        return tuple([one.name for one in parameters][: row.rule.nin])
    return tuple([one.name for one in parameters if "Array" in str(one.annotation)])
