"""What was recorded of functions, kept for as long as they refer to the same objects.

JAX keeps it with the function object. Here functions that are made anew for each call share what is kept with their code, if
nothing that they refer to can change unseen, and no variables of the functions around them are arrays, which may be large.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final
from weakref import WeakKeyDictionary, ref

from supremum import Array
from supremum._base.functions import takes_over
from supremum._core.settings import state
from supremum.jax._batching import axes_key
from supremum.jax._traces import COLLECTOR, tracing
from supremum.jax.errors import ConcretizationTypeError, JAXIndexError, TracerIntegerConversionError

#: The most programs that are kept with a body.
KEPT: Final = 16
#: The most objects that are compared to find out whether a function refers to the same ones.
_MOST_SEEN: Final = 200
_CALLED: Final = object()  # what is kept of a function that was called and not recorded
_NAME: Final = "__supremum_programs__"
_FIXED: Final = {bool, int, float, complex, str, bytes, type(None), Array, FunctionType, ModuleType, type(len), type}
#: Errors for shapes, lengths and decisions that depend on elements: no program of JAX has these, whoever needs them.
_OF_PROGRAM: Final = (ConcretizationTypeError, TracerIntegerConversionError, JAXIndexError)
_KNOWN: Final = ("supremum", "numpy", "ml_dtypes")
_codes: Final[WeakKeyDictionary[CodeType, _Kept]] = WeakKeyDictionary()


class _Kept(dict[Any, Any]):
    """What was recorded of a function, in an attribute of it, so that the collector finds cycles.

    Pickles and copies have none of it.
    """

    __slots__ = ("code",)

    def __init__(self, code: Any = None) -> None:
        super().__init__()
        self.code = code

    def __reduce__(self) -> Any:
        return _Kept, ()


def kept_with(function: Any, key: Any, record: Callable[[], Any], *, again: bool = False) -> Any:
    """Return what was recorded of a function, or record it; None if it cannot be recorded.

    With `again`, it is recorded when it is called once more, unless it refers to operands of transformations.
    """
    if type(function) is not FunctionType or COLLECTOR.get() is not None:  # which has references of its own
        return None if again else recorded_or_none(record)
    seen: list[Any] = []
    fixed = _see(function, seen, set())
    if any(map(takes_over, seen)):
        return None if again else recorded_or_none(record)
    code = function.__code__
    kept: Any
    if fixed and (not function.__closure__ or Array not in map(type, seen)):
        kept = _codes.get(code)
        if kept is None:
            kept = _codes[code] = _Kept()
    else:
        kept = function.__dict__.get(_NAME)
        if kept is None or kept.code is not code:  # an attribute may have been copied from another function
            kept = function.__dict__[_NAME] = _Kept(code)
    key = (key, axes_key(), state())
    found = kept.get(key) or keep(kept, key, [])
    for i, (refs, result) in enumerate(found):
        others = [x for known, x in zip(refs, seen, strict=False) if known() is not x]
        if len(refs) == len(seen) and not others:
            if result is not _CALLED:
                return result
            again = False
        if all(type(x) is Array for x in others):  # only the last one of several arrays is kept
            del found[i]
            break
    if len(found) >= KEPT:
        found.clear()
    result = None if again else recorded_or_none(record)
    if result is None or all(type(x) is Array for x in result.consts):  # else it is for this call alone
        found.append(([_ref(x) for x in seen], _CALLED if again else result))
    return result


def keep(kept: dict[Any, Any], key: Any, made: Any) -> Any:
    """Keep what is made of a program, one of a few things, and return it."""
    if len(kept) >= KEPT:
        kept.clear()
    kept[key] = made
    return made


def made_of(closed: Any, key: Any, make: Callable[[], Any]) -> Any:
    """Return what is made of a program; it is kept where no program is recorded, if its first item has no operands."""
    key = (state(), key)
    if tracing() is None and key in closed.programs:
        return closed.programs[key]
    made = make()
    others = tracing() is not None or (made[0] and [x for x in made[0].consts if type(x) is not Array])
    return made if others else keep(closed.programs, key, made)


def recorded_or_none(record: Callable[[], Any], *, jitted: bool = False) -> Any:
    """Call a function that records; None if it fails, and then the body is called with elements and raises its errors.

    Jitted functions raise the errors that they raise in JAX.
    """
    try:
        return record()
    except Exception as error:
        if jitted and (isinstance(error, _OF_PROGRAM) or hasattr(error, "__supremum_of_program__")):
            raise
        return None


def _ref(x: Any) -> Callable[[], Any]:
    """Return a reference that keeps no function and no module."""
    with suppress(TypeError):
        return ref(x)
    return lambda: x


def _see(function: FunctionType, seen: list[Any], done: set[int]) -> bool:
    """Append the objects that a function and those that it calls refer to; return whether no others can matter."""
    done.add(id(function))
    found: list[Any] = []
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # of a variable that has no value yet
            found.append(cell.cell_contents)
    found += function.__defaults__ or ()
    found += (function.__kwdefaults__ or {}).values()
    names = _names(function.__code__)
    table = function.__globals__
    if not str(table.get("__name__")).startswith("supremum."):
        found += [table[name] for name in names if name in table]
    return _see_all(found, names, seen, done)


def _see_all(found: list[Any], names: list[str], seen: list[Any], done: set[int]) -> bool:
    fixed = True
    for x in found:
        if len(seen) > _MOST_SEEN:
            return False
        kind = type(x)
        seen.append(x.__code__ if kind is FunctionType else x)  # what the function refers to follows
        if kind is FunctionType:
            fixed &= id(x) in done or _see(x, seen, done)
        elif kind is tuple:
            fixed &= _see_all(list(x), names, seen, done)
        elif kind is ModuleType or kind is type:
            module = x.__name__ if kind is ModuleType else x.__module__
            if module.partition(".")[0] not in _KNOWN and id(x) not in done:
                done.add(id(x))
                parts = [x] if kind is ModuleType else x.__mro__[:-1]
                fixed &= _see_all([vars(one)[name] for one in parts for name in names if name in vars(one)], names, seen, done)
        elif kind not in _FIXED:
            fixed &= kind.__module__.partition(".")[0] in _KNOWN and kind.__name__ != "ndarray"
    return fixed


def _names(code: CodeType) -> list[str]:
    """Return the names that a function looks up, and those within it."""
    names = [*code.co_names]
    for x in code.co_consts:
        if type(x) is CodeType:
            names += _names(x)
    return names
