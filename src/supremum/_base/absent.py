"""Names and arguments of NumPy, JAX and PyTorch that do not exist here, each with what to write instead.

The table is `absent.txt`. `docs/from-numpy.md` and `docs/from-torch.md` show it; `tests/base/test_absent.py` runs its code.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final

from supremum._base.exceptions import nearest, stack_level
from supremum._base.tables import read_table


@cache
def table() -> dict[str, list[list[str]]]:
    """Return the rows of each namespace: names, what to write, and a note."""
    return read_table(__name__, "absent.txt")


@cache
def rows(kind: str) -> dict[str, tuple[str, str]]:
    """Return the code and the note of each name of a namespace."""
    return {name: (code.replace("{name}", name), note) for names, code, note in table()[kind] for name in names.split()}


def sentence(kind: str, name: str) -> str:
    """Return what to do in place of a name of a namespace, or of an argument; an empty string if the table does not say.

    Examples
    --------
    >>> sentence("numpy", "fix")
    'write supremum.trunc(x)'
    """
    code, note = rows(kind).get(name, ("", ""))
    text = "; ".join(part for part in (code and f"write {code}", note) if part)
    if kind == "sampler" and code:
        text = f"np.random.{name}({note}) is {code}, with key = xp.random.key(0)"
    return re.sub(r"\b(xp|np)\.", lambda found: {"xp": "supremum.", "np": "numpy."}[found[1]], text)


def first_sentence(kinds: Iterable[str], name: str) -> str:
    """Return the sentence of the first namespace that has a row for a name; an empty string if none has."""
    return next(filter(None, (sentence(kind, name) for kind in kinds)), "")


def missing(module: str, name: str, elsewhere: str = "") -> Exception:
    """Return the error for a name that a namespace of this package does not have, with what to write instead.

    Parameters
    ----------
    module : str
        The name of the namespace: "supremum", "supremum.random".
    name : str
        The name that it does not have.
    elsewhere : str
        The namespace that has it.
    """
    last = module.rpartition(".")[2]
    kinds = ("numpy", "jax", "torch", "dtype") if last == "supremum" else (last,)
    instead = first_sentence(kinds, name) or (elsewhere and f"write {elsewhere}.{name}")
    if not instead:
        return AttributeError(f"module {module!r} has no attribute {name!r}", name=name, obj=sys.modules.get(module))
    message = f"{module}.{name} does not exist: {instead}"
    # `from supremum import vmap` would hide the message of an AttributeError behind one of its own.
    caller = sys._getframe(stack_level() - 1).f_globals.get("__name__")
    importing = caller in ("importlib._bootstrap", "_frozen_importlib")
    return ImportError(message, name=module) if importing else AttributeError(message, name=name)


#: Advice in messages that is none where the arguments are NumPy's.
_MISLEADING: Final = ("use supremum.asarray", "lengths are one tuple", "the arguments are ")


def of_numpys_sampler(message: str, function: str) -> str:
    """Return the message for a call of a function that draws random numbers, with what NumPy's call of its name is here."""
    head, _, advice = message.partition("; ")
    instead = sentence("sampler", function)
    return f"{head}; {instead}" if instead and (not advice or advice.startswith(_MISLEADING)) else message


def parameters_of(definition: Callable[..., Any]) -> str:
    """Return the parameters of a function with their defaults, for a message."""
    signature = inspect.signature(definition)
    bare = [each.replace(annotation=each.empty) for each in signature.parameters.values()]
    return str(signature.replace(parameters=bare, return_annotation=signature.empty))[1:-1]


#: What Python says of a keyword that a function does not have, from 3.13 on with a suggestion behind it.
_UNKNOWN: Final = re.compile(r"(?:\w+\.)*(\w+)\(\) got an unexpected keyword argument '(\w+)'")


def unknown_argument(function: str, message: str, definition: Callable[..., Any]) -> str:
    """Return what to say of a call with a keyword that the function does not have, or an empty string for other errors."""
    found = _UNKNOWN.match(message)
    bare = function.rpartition(".")[2]
    if found is None or found[1] != bare:
        return ""
    parameters = [name for name in inspect.signature(definition).parameters if name not in ("self", "args", "kwargs")]
    call = sentence("argument", found[2]).replace("f(x", f"{bare}(...").replace("f(", f"{bare}(")
    others = f"the arguments are {', '.join(parameters)}" if parameters else "no argument has a name"
    return found[0] + (nearest(found[2], parameters) or f"; {call or others}")
