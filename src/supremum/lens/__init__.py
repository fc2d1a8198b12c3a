"""A precision lens: where a program loses digits, by a second computation in a wider dtype."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from supremum._base.boundary import public
from supremum._core.array import DTypeLike
from supremum._core.config import config
from supremum.lens._lens import Lens
from supremum.lens._rows import Moment, Range, Row
from supremum.lens._suggest import Suggestion, Suggestions
from supremum.promotion._nodes import Node, as_node

__all__ = ["Lens", "Moment", "Range", "Row", "Suggestion", "Suggestions"]  # and precision_lens, which is in `supremum`


@public(home="supremum", wrap=False)
@contextmanager
def precision_lens(reference: DTypeLike = "float64") -> Iterator[Lens]:
    """Find the lines of a program that lose digits, within a ``with`` block.

    Every floating result is computed as always, and once more in a wider dtype from the wider values of its operands. The
    program itself computes what it computes without the lens: values, dtypes, weak types, views and errors.

    Parameters
    ----------
    reference : dtype, optional
        ``"float64"`` or ``"float32"``: the dtype of the second computation, of complex numbers that of their parts. Arrays
        that are wider are followed in their own dtype.

    Yields
    ------
    Lens
        What was found for each line; prints as a report.

    Examples
    --------
    >>> import supremum as xp
    >>> x = xp.asarray([4.0, 5.0, 6.0]) + 1e4
    >>> with xp.precision_lens() as lens:
    ...     variance = xp.mean(x**2) - xp.mean(x) ** 2
    >>> [(row.function, row.kinds) for row in lens.rows if row.growth > 0.1]
    [('subtract', ('cancellation',))]
    """
    node: Node | None
    try:
        node = as_node(reference)
    except TypeError:
        node = None
    if node is None or node.name not in ("float32", "float64"):
        raise ValueError(f"precision_lens: reference must be 'float64' or 'float32', got {reference!r}")
    lens = Lens(node)
    with config.use(watcher=lens):
        yield lens
