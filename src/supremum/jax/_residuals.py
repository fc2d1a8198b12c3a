"""`print_saved_residuals`: which arrays the tape of a derivative holds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from supremum import Array, config
from supremum.jax import _tree
from supremum.jax._custom_rules import parameters_of
from supremum.jax._gradients import Taped
from supremum.jax._programs import short_type
from supremum.jax._pullbacks import arrays_of
from supremum.jax._values import as_leaf


class _Origins:
    """A watcher that notes for each array by which function it was made, and in which line of the user's."""

    def __init__(self) -> None:
        self.texts: dict[int, str] = {}
        self._made: list[Any] = []  # so that identities stay theirs

    def __call__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], /) -> Any:
        found = function(*args, **kwargs)
        label = f"named {kwargs['name']!r}" if function.name == "ad_checkpoint.name" else f"output of {function.name}"
        for x in _tree.flatten(found)[0]:
            if type(x) is Array:
                self.texts[id(x)] = f"{label} from {_line()}"
                self._made.append(x)
        return found


def _line() -> str:
    frame, own = sys._getframe(2), ("supremum", "contextlib")
    while frame.f_back is not None and frame.f_globals.get("__name__", "supremum").partition(".")[0] in own:
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno} ({frame.f_code.co_name})"


def _names(f: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> list[str]:
    """Return the name of each leaf of the arguments: that of the parameter, and the path."""
    names = [p.name for p in parameters_of(f) or () if p.kind is not p.VAR_KEYWORD]
    names += [f"args[{i}]" for i in range(len(names), len(args))]
    trees = [*zip(names, args, strict=False), *kwargs.items()]
    return [name + "".join(map(str, path)) for name, tree in trees for path, _ in _tree.flatten_with_path(tree)[0]]


def print_saved_residuals(f: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Print which arrays the tape of the derivative of a function backward holds, a line for each.

    Parameters
    ----------
    f : callable
        The function; it takes and returns trees of arrays.
    *args, **kwargs
        Its arguments.

    Examples
    --------
    >>> from supremum import jax
    >>> program = jax.checkpoint(lambda x: jax.numpy.sin(x).sum())
    >>> jax.ad_checkpoint.print_saved_residuals(program, jax.numpy.ones(3))
    f32[3] from the argument x
    """
    leaves, structure = _tree.flatten((args, kwargs))
    xs = [as_leaf(x) for x in leaves]
    origins = _Origins()

    def called(*given: Any) -> Any:
        words = structure.unflatten(given)
        return f(*words[0], **words[1])

    flat = _tree.flatten(tuple(xs))[1]
    with config.use(watcher=origins):
        taped = Taped(called, xs, flat, False, "fc")
    names = {id(x): f"from the argument {name}" for x, name in zip(xs, _names(f, args, kwargs), strict=True)}
    results = {id(x) for x in taped.values}
    for x in arrays_of(taped.level.tape or []):
        if id(x) not in results:
            text = names.get(id(x)) or origins.texts.get(id(x), "from a constant")
            sys.stdout.write(f"{short_type(x.aval)} {text}\n")
