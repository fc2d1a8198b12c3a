"""Tracing of implicit promotions: record them, forbid them, and compare programs under two promotion systems."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from supremum._base.boundary import public, traceless
from supremum._base.exceptions import with_function_name
from supremum._base.facts import facts_of, label_of, original_of
from supremum._base.silence import as_raised_by_user, call_user_code
from supremum._core import engine
from supremum._core.array import Array, DTypeLike, wrap
from supremum._core.config import config
from supremum._core.plans import promotion_of, size_of
from supremum._core.reduction_rows import Reduction
from supremum._core.roles import arrays_in
from supremum._core.settings import Within, state
from supremum._kernels.casts import cast
from supremum.promotion._nodes import Node, as_node
from supremum.promotion._system import PromotionSystem
from supremum.promotion._trace import user_line
from supremum.promotion.systems import SYSTEMS as systems  # its public name

if TYPE_CHECKING:
    from supremum._core.plans import Promotion
    from supremum._core.settings import Observer
    from supremum.promotion._port import PortReport, Recorder, Step
    from supremum.promotion._trace import PromotionLog

__all__ = ["forbid", "trace_promotions"]


@public(home="supremum", wrap=False)
@contextmanager
def trace_promotions() -> Iterator[PromotionLog]:
    """Record every implicit promotion within a ``with`` block.

    An implicit promotion is a change of an array's dtype that was not requested, by another operand or by the function itself,
    as in ``mean`` of integers. A Python scalar has no dtype: it is no promotion itself, but the array next to it may be
    promoted, as in ``arange(4) * 1.5``. A ``dtype=`` argument, `astype`, positions, counts and truth values are none.

    Yields
    ------
    PromotionLog
        The promotions with operands, result, file and line, count, bytes and hazards, and the lines at which integers
        overflowed; prints as a table.

    Examples
    --------
    >>> import supremum as xp
    >>> with xp.trace_promotions() as log:
    ...     y = xp.ones(3, dtype="int8") + xp.ones(3)
    >>> print(log[0].operands, log[0].result, log[0].count)
    ('int8', 'float32') float32 1
    """
    from supremum.promotion._trace import PromotionLog

    log = PromotionLog(state().system)
    with config.use(watcher=_Tracing(log)), config.use(watcher=_Overflows(log.wrapped)):
        yield log


@public(home="supremum", wrap=False)
@traceless
def forbid(*dtypes: DTypeLike | Literal["overflow"]) -> AbstractContextManager[None]:
    """Raise an error on implicit promotion to any of the given dtypes within a ``with`` block, or on overflow of integers.

    Parameters
    ----------
    *dtypes : dtype or "overflow"
        The forbidden dtypes; without arguments, every implicit promotion is forbidden. ``"overflow"`` forbids integers that
        wrap, in arithmetic, sums, products, powers and casts, which costs several times their run time.

    Returns
    -------
    context manager
        Ends it on exit.

    Raises
    ------
    TypePromotionError
        At the line of the first forbidden promotion.
    OverflowError
        At the line of the first result that wrapped.

    Examples
    --------
    >>> import supremum as xp
    >>> x = xp.ones(2)
    >>> with xp.forbid("float64"):
    ...     y = x * 2.5
    >>> with xp.forbid("float64"):
    ...     y = x * xp.ones(2, dtype="float64")
    Traceback (most recent call last):
    supremum.promotion.TypePromotionError: ...multiply of float32 and float64 promotes to float64, which is forbidden here...
    >>> with xp.forbid("overflow"):
    ...     y = xp.arange(100000) ** 2
    Traceback (most recent call last):
    OverflowError: ...pow overflows int32: 2147488281 became -2147479015, which is forbidden here...
    """
    chosen = [dtype for dtype in dtypes if not (isinstance(dtype, str) and dtype == "overflow")]
    try:
        nodes = tuple(as_node(dtype) for dtype in chosen)
    except TypeError as error:
        raise with_function_name(error, "forbid") from None
    return _forbidding(nodes, promotions=bool(chosen or not dtypes), overflow=len(chosen) < len(dtypes))


@contextmanager
def _forbidding(nodes: tuple[Node, ...], *, promotions: bool, overflow: bool) -> Iterator[None]:
    from supremum.promotion._trace import Forbidding

    with ExitStack() as stack:
        if promotions:
            stack.enter_context(config.use(watcher=_Tracing(Forbidding(nodes or None))))
        if overflow:
            stack.enter_context(config.use(watcher=_Overflows(_refuse_overflow)))
        yield


class _Tracing:
    """The watcher that passes to an observer the implicit promotions.

    Those of elementwise functions follow from the nodes of their operands. Other functions run in a state that
    passes to the observer what they promote within.
    """

    def __init__(self, observer: Observer) -> None:
        self.__supremum_observer__: Any = observer
        self._everything: bool = getattr(observer, "everything", False)
        self._observed: Final = Within(self._settings)

    def __call__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], /) -> Any:
        self.__supremum_observer__.called = True
        if function.kind in _UNPROMOTED:
            return function(*args, **kwargs)
        found = _promotion_of(function, args, kwargs)
        if found is not None:
            if found.changes or self._everything:
                size = size_of(map(np.shape, args))
                self.__supremum_observer__.saw(function.operation.name, found.operands, found.node, size)
            return function(*args, **kwargs)
        return self._observed(function, *args, **kwargs)

    def _settings(self) -> dict[str, Any]:
        other = state().observer
        return {"observer": self.__supremum_observer__ if other is None else _Both(other, self.__supremum_observer__)}


_FLOAT64: Final = as_node("float64")


class _Overflows:
    """The watcher that finds integers that wrapped: results that are far from those of float64, and casts that change a value.

    A result that wrapped is off by a multiple of the range of its dtype, which is far more than float64 is off by.
    """

    def __init__(self, found: Callable[[str, str, float, int], None]) -> None:
        self._found = found
        self._watched: Final = Within(lambda: {"watcher": self})
        #: In these settings float64 stays.
        self._alone: Final = Within(lambda: {"watcher": None, "x64": "explicit", "promotion": systems["jax"]})

    def __call__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], /) -> Any:
        if function.kind == "composed":
            return self._watched(function.definition, *args, **kwargs)
        arrays = list(arrays_in((*args, *kwargs.values())))
        kinds = {x._node.kind for x in arrays}
        exact = self._exact(function, args, kwargs) if kinds <= {"b", "i", "u"} and kinds - {"b"} else None
        result = function(*args, **kwargs)
        if exact is not None and isinstance(result, Array) and result._node.kind in "iu" and exact.shape == result.shape:
            given = result._data.astype(np.float64)
            far = np.flatnonzero(np.abs(exact - given) >= 2.0 ** (result._node.bits - 1))
            if not far.size or (np.isinf(exact.ravel()[far]).any() and any((x._data == 0).any() for x in arrays)):
                return result  # it did not wrap, or is a quotient by zero
            name = function.name[1:] if function.kind == "in-place" else function.name.rpartition(".")[2]
            place = int(far[0])
            self._found(name, str(result.dtype), float(exact.ravel()[place]), int(result._data.ravel()[place]))
        return result

    def _exact(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return the result of integers in float64; None for what does not wrap."""
        facts = facts_of(function)
        if facts.casts and not facts.own and isinstance(args[0], Array):
            return args[0]._data.astype(np.float64)
        if not _wraps(original_of(function)):
            return None
        floats = tuple(map(_as_float, args))
        named = {word: _as_float(x) for word, x in kwargs.items() if word not in ("dtype", "preferred_element_type")}
        operation = function.operation if function.kind in ("elementwise", "in-place") else None
        compute = function if operation is None else partial(engine.apply, operation)
        try:
            found = self._alone(compute, *floats, **named)
        except (TypeError, ValueError, IndexError):  # which the function of integers raises too, or floats do not have
            return None
        return found._data if isinstance(found, Array) else None


def _wraps(function: Any) -> bool:
    """Return whether results may wrap where integers do not hold them: of elementwise functions without steps, and of sums."""
    facts = facts_of(function)
    folds = isinstance(getattr(getattr(function, "row", None), "rule", None), Reduction)
    smooth = function.kind == "elementwise" and not facts.constant
    return folds or smooth or facts.sums or bool(facts.linear and not facts.moving)


def _as_float(x: Any) -> Any:
    """Return an argument of float64 in place of one of integers; axes and the like, which are no arrays, stay."""
    if isinstance(x, Array):
        return wrap(x._data.astype(np.float64), _FLOAT64)
    if isinstance(x, list | tuple) and any(isinstance(item, Array) for item in x):
        return type(x)(map(_as_float, x))
    return x


def _refuse_overflow(operation: str, dtype: str, exact: float, given: int) -> None:
    file, line, _ = user_line()
    raise as_raised_by_user(
        OverflowError(
            f"{file}:{line}: {operation} overflows {dtype}: {exact:.17g} became {given}, which is forbidden here; compute in "
            "more bits, e.g. with x.astype('int64'), or set config.x64 = 'on'"
        )
    )


class _Both:
    """Two observers."""

    def __init__(self, *observers: Observer) -> None:
        self._observers = observers
        self.everything = any(getattr(observer, "everything", False) for observer in observers)

    def saw(self, operation: str | None, operands: tuple[Node, ...], result: Node, size: int | None) -> None:
        for observer in self._observers:
            observer.saw(operation, operands, result, size)


class _Recording:
    """The watcher that keeps what functions and operators make."""

    def __init__(self, recorder: Recorder, systems: Sequence[PromotionSystem]) -> None:
        self._recorder = recorder
        self._systems = systems

    def __call__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], /) -> Any:
        draws = function.__module__ == "supremum.random"
        result = self._drawn(function, args, kwargs) if draws else function(*args, **kwargs)
        if function.kind not in _UNPROMOTED and function.kind != "update":
            name = function.name[1:] if function.kind == "in-place" else label_of(function)
            found = _promotion_of(function, args, kwargs)
            if found is not None:
                name, nodes = function.operation.name, found.operands
            else:  # a condition has no part in the dtype
                nodes = tuple(x._node for x in arrays_in((*args[name == "where" :], *kwargs.values())))
            for one in arrays_in((result,)):
                self._recorder.made(name, nodes, one._node, one._data, _takes_dtype(function))
        return result

    def _drawn(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return random numbers of the narrower of the systems' default dtypes, in the dtype of the system in force.

        Of the same key, other dtypes have other numbers, so that all lines would differ.
        """
        result = function(*args, **kwargs)
        kind = result._node.kind if isinstance(result, Array) else ""
        if kind not in ("i", "f", "c") or result._node.strong is not state().default(kind):
            return result
        default, narrowest = state().default(kind), min(self._systems, key=lambda system: _default(system, kind).bits)
        if _default(narrowest, kind).bits == default.bits:
            return result
        with config.use(promotion=narrowest):
            narrow = function(*args, **kwargs)
        return wrap(cast(narrow._data, default), default) if narrow._node.strong is _default(narrowest, kind) else result


@cache
def _takes_dtype(function: Any) -> bool:
    """Return whether a dtype can be requested in a function."""
    return "dtype" in inspect.signature(function).parameters


def _default(system: PromotionSystem, kind: str) -> Node:
    """Return the default node of a kind under a system."""
    with config.use(promotion=system):
        return state().default(kind)


#: Kinds of functions that promote nothing.
_UNPROMOTED = frozenset({"conversion", "index"})


def _promotion_of(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Promotion | None:
    """Return the promotion of an elementwise function, or None if it is not known from the nodes alone."""
    if kwargs or function.operation is None or function.kind not in ("elementwise", "in-place"):
        return None
    try:
        return promotion_of(function.operation, args)
    except TypeError:  # which the function raises
        return None


def compare_runs(
    source: str | PromotionSystem, target: str | PromotionSystem, fn: Callable[..., Any], args: tuple[Any, ...]
) -> PortReport:
    """Run a function under two systems and compare the results of its lines; implements `supremum.promotion.port`."""
    from supremum.promotion._port import PortReport, changes_of

    chosen = [spec if isinstance(spec, PromotionSystem) else systems[spec] for spec in (source, target)]
    (first, one), (second, other) = (_recorded(system, chosen, fn, args) for system in chosen)
    names, called = (chosen[0].name, chosen[1].name), bool(first or second)
    return PortReport(names, changes_of((first, second), (one, other)), (one, other), called=called)


def _recorded(
    system: PromotionSystem, both: Sequence[PromotionSystem], fn: Callable[..., Any], args: tuple[Any, ...]
) -> tuple[list[Step], Any]:
    """Run a function under one of two systems; return what its lines made, and the result or the exception."""
    from supremum.promotion._port import Recorder

    recorder = Recorder()
    with config.use(promotion=system, watcher=_Recording(recorder, both)):
        try:
            return recorder.steps, call_user_code(fn, *args)
        except Exception as error:  # noqa: BLE001 - an exception under one system is part of the report
            return recorder.steps, error
