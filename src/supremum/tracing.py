"""Tracing of implicit promotions: record them, forbid them, and compare programs under two promotion systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from supremum._base.boundary import public
from supremum._base.silence import call_user_code
from supremum._core.settings import config, state
from supremum._core.typing import DTypeLike
from supremum.promotion._nodes import as_node
from supremum.promotion._system import PromotionSystem
from supremum.promotion.systems import SYSTEMS as systems  # noqa: N811  # its public name

if TYPE_CHECKING:
    from supremum.promotion._port import PortReport, Step
    from supremum.promotion._trace import PromotionLog

__all__ = ["forbid", "trace_promotions"]


@public(home="supremum", wrap=False)
@contextmanager
def trace_promotions() -> Iterator[PromotionLog]:
    """Record every implicit promotion within a ``with`` block.

    An implicit promotion is a change of an array's dtype that nobody asked for, by another operand or by the function itself,
    as in ``mean`` of integers. A Python scalar has no dtype: it is no promotion itself, but the array beside it may be
    promoted, as in ``arange(4) * 1.5``. A ``dtype=`` argument, `astype`, positions, counts and truth values are none.

    Yields
    ------
    PromotionLog
        The promotions with operands, result, file and line, count, bytes and hazards; prints as a table.

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
    with config.use(observer=log):
        yield log


@public(home="supremum", wrap=False)
@contextmanager
def forbid(*dtypes: DTypeLike) -> Iterator[None]:
    """Raise an error on implicit promotion to any of the given dtypes within a ``with`` block.

    Parameters
    ----------
    *dtypes : dtype
        The forbidden dtypes; without arguments, every implicit promotion is forbidden.

    Raises
    ------
    TypePromotionError
        At the line of the first forbidden promotion.

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
    """
    from supremum.promotion._trace import Forbidding

    nodes = tuple(as_node(dtype) for dtype in dtypes)
    with config.use(observer=Forbidding(nodes or None)):
        yield


def compare_runs(
    source: str | PromotionSystem, target: str | PromotionSystem, fn: Callable[..., Any], args: tuple[Any, ...]
) -> PortReport:
    """Run a function under two systems and compare the results of its lines; implements `supremum.promotion.port`."""
    from supremum.promotion._port import PortReport, changes_of

    chosen = [spec if isinstance(spec, PromotionSystem) else systems[spec] for spec in (source, target)]
    (first, one), (second, other) = (_recorded(system, fn, args) for system in chosen)
    names, called = (chosen[0].name, chosen[1].name), bool(first or second)
    return PortReport(names, changes_of((first, second), (one, other)), (one, other), called=called)


def _recorded(system: PromotionSystem, fn: Callable[..., Any], args: tuple[Any, ...]) -> tuple[list[Step], Any]:
    """Run a function under a system; return what its lines made, and the result or the exception."""
    from supremum.promotion._port import Recorder

    recorder = Recorder()
    with config.use(promotion=system, observer=recorder):
        try:
            return recorder.steps, call_user_code(fn, *args)
        except Exception as error:  # noqa: BLE001 - an exception under one system is part of the report
            return recorder.steps, error
