"""How the modules of distributions are made of their descriptions: signatures, docstrings, weak types of results."""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable
from functools import partial
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from supremum._base.boundary import public
from supremum._base.functions import takes_over
from supremum._core.array import Array, ArrayLike
from supremum._kernels import special_functions as _kernels
from supremum.scipy import special
from supremum.scipy._evaluation import Library, evaluate

LOG_TWO_PI: Final = math.log(2 * math.pi)


class _Functions:
    """Functions of buffers; those of operands that take over are the public ones of their names."""

    def __init__(self, functions: Any) -> None:
        self._functions = functions

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*xs: Any) -> Any:
            if not any(map(takes_over, xs)):
                # Steps of operands that take over are Arrays.
                return getattr(self._functions, name)(*[x._data if type(x) is Array else x for x in xs])
            return special.betainc(xs[1], xs[0], 1 - xs[2]) if name == "betaincc" else getattr(special, name)(*xs)

        return call


#: SciPy's functions, and our own ones.
library: Final = _Functions(Library("scipy.special"))
kernels: Final = _Functions(_kernels)

Kernel = Callable[..., Any]
#: Returns what a kernel makes of arguments: called with the function's name, the kernel, the arguments and options.
Evaluate = Callable[..., Array]
#: A function: its name, how it is evaluated, its kernel, the result of the example (or its arguments, an arrow, the result),
#: and what differs from the distribution: `first`, the name of the first parameter; `parameters`, the others; options.
#: Or two functions: their names and results. The second is the exponential of the first, or its logarithm.
Row = tuple[str, Evaluate, Kernel, str] | tuple[str, Evaluate, Kernel, str, dict[str, Any]]

#: The three rules of JAX's functions for weak types, and that of functions that it has for float32 and float64 alone.
SHARED: Final = partial(evaluate, weak="shared")
PROMOTED: Final = partial(evaluate, weak="promoted")
STRONG: Final = partial(evaluate, weak="never")
SIZED: Final = partial(evaluate, weak="never", least_bits=32)

#: What the functions compute, and what they return.
_FUNCTIONS: Final = {
    "pdf": ("the density of {0}", "densities"),
    "logpdf": ("the logarithm of the density of {0}", "logarithms"),
    "pmf": ("the probabilities of {0}", "probabilities"),
    "logpmf": ("the logarithm of the probabilities of {0}", "logarithms"),
    "cdf": ("the distribution function of {0}, the probability of values up to ``{1}``", "probabilities"),
    "logcdf": ("the logarithm of the distribution function of {0}", "logarithms"),
    "sf": ("the survival function of {0}, the probability of values above ``{1}``", "probabilities"),
    "logsf": ("the logarithm of the survival function of {0}", "logarithms"),
    "ppf": ("the quantiles of {0}, the inverse of `cdf`", "quantiles"),
    "isf": ("the inverse of the survival function of {0}", "quantiles"),
    "entropy": ("the entropy of {0}, in nats", "entropies"),
}
#: The parameters that many functions have; distributions describe the others.
_PARAMETERS: Final = {
    "x": "Where to evaluate.", "k": "The numbers to evaluate at.", "q": "The probabilities.", "loc": "The shift.",
    "scale": "The scale.",
}  # fmt: skip


class Distribution(ModuleType):
    """A module of the functions of one distribution."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[..., Array]: ...


def exp_of(kernel: Kernel) -> Kernel:
    """Return the kernel of the exponential of what a kernel computes."""
    return lambda *xs: np.exp(kernel(*xs))


def log_of(kernel: Kernel) -> Kernel:
    """Return the kernel of the logarithm of what a kernel computes."""
    return lambda *xs: np.log(kernel(*xs))


def distribution(
    name: str, title: str, parameters: str, example: str, rows: list[Row], *, described: dict[str, str] | None = None,
    **options: Any,
) -> Distribution:  # fmt: skip
    """Make the module of a distribution: of its name and its title, which is in words and begins with an article.

    The parameters are those after the first one, as in a signature; `described` says what they are. The example is arguments.
    The options are those of all functions, as in a row.
    """
    full = f"supremum.scipy.stats.{name}"
    module = Distribution(full, f"{title[0].upper()}{title[1:]}.")
    module.__spec__ = ModuleSpec(full, None)
    for function, how, kernel, result, *own in [single for row in rows for single in _split(row)]:
        given: dict[str, Any] = {**options, **(own[0] if own else {})}
        first = given.pop("first", "q" if function in ("ppf", "isf") else "k" if function.endswith("pmf") else "x")
        rest, kind = given.pop("parameters", parameters), given.pop("kind", "elementwise")
        made = _function(f"{name}.{function}", partial(how, **given), kernel, f"{first}, {rest}".strip(", "))
        weak = ", weak_type=True" if how in (SHARED, PROMOTED) else ""
        text = _example(result, f"{name}.{function}", example, f"Array({{}}, dtype=float32{weak})")
        made.__doc__ = _documentation(made, name, title, text, {**_PARAMETERS, **(described or {})})
        setattr(module, function, public(home=full, kind=kind, parts=partial(_parts, made, kernel))(made))
    module.__dict__["__all__"] = sorted(_FUNCTIONS.keys() & vars(module).keys())
    sys.modules[full] = module  # which an import of its name finds
    return module


def _parts(function: Any, kernel: Kernel, _namespace: Any, *args: Any, **kwargs: Any) -> Any:
    """Return what a kernel makes of operands that take over: NumPy's functions of them are those of the namespace."""
    bound = inspect.signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    xs = [x if takes_over(x) else np.asarray(x) for x in bound.args if x is not None]
    return kernel(*[x if takes_over(x) or x.dtype.kind not in "biu" else x.astype(np.float32) for x in xs])


def _split(row: Row) -> list[Any]:
    """Return a row for each of the functions of a row."""
    names, how, kernel, results, *own = row
    kernels = kernel, (exp_of if names.startswith("log") else log_of)(kernel)
    split = zip(names.split(), kernels, results.split(" | "), strict=False)  # the second kernel may be left over
    return [(name, how, one, found, *own) for name, one, found in split]


def _function(label: str, evaluated: Evaluate, kernel: Kernel, parameters: str) -> Any:
    """Return a function with a signature."""
    kinds = [part.strip().partition("=") for part in parameters.split(",")]
    values = {"": inspect.Parameter.empty, "None": None}
    defaults = [values[default] if default in values else int(default) for _, _, default in kinds]
    by_name = partial(inspect.Parameter, kind=inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=ArrayLike)
    given = [by_name(name, default=default) for (name, _, _), default in zip(kinds, defaults, strict=True)]
    signature = inspect.Signature(given, return_annotation=Array)
    least = defaults.count(inspect.Parameter.empty)

    def call(*args: Any, **kwargs: Any) -> Array:
        if kwargs or not least <= len(args) <= len(defaults):
            try:
                bound = signature.bind(*args, **kwargs)
            except TypeError as error:
                raise TypeError(f"{label}: {error}") from None
            bound.apply_defaults()
            args = bound.args
        return evaluated(label, kernel, *args, *defaults[len(args) :])

    call.__name__ = call.__qualname__ = label.partition(".")[2]
    call.__signature__ = signature  # type: ignore[attr-defined]  # which inspect looks for
    return call


def _example(text: str, call: str, arguments: str, result: str) -> str:
    """Return an example of its text: arguments, an arrow and the result; or the result alone, for the usual arguments."""
    own, _, found = text.rpartition(" -> ")
    return f">>> {call}({own or arguments})\n{found if found.startswith('Array') else result.format(found)}"


def _documentation(function: Any, name: str, title: str, example: str, described: dict[str, str]) -> str:
    computed, returned = _FUNCTIONS[function.__name__]
    names = list(inspect.signature(function).parameters)
    lines = "\n".join([f"{parameter} : array_like\n    {described[parameter]}" for parameter in names])
    arrays = "import supremum as xp\n>>> " if "xp." in example else ""
    return f"""Compute {computed.format(title, names[0])}.

Parameters
----------
{lines}

Returns
-------
Array
    The {returned}.

Examples
--------
>>> {arrays}from supremum.scipy.stats import {name}
{example}
"""
