"""`Lens`: a watcher that computes every call once more in a wider dtype, and keeps what it finds for each line."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer, native
from supremum._base.functions import call_without_float_warnings
from supremum._core.array import Array, wrap
from supremum._kernels.casts import cast
from supremum.lens._formats import exponents_of, format_of, holds
from supremum.lens._losses import NO_ERRORS, Operand, cancels, count, relative
from supremum.lens._measure import is_finite, measure, measure_some
from supremum.lens._rows import LARGE, Found, Row, Tally, is_measured, order
from supremum.lens._shadows import Shadow, Shadows, root_of
from supremum.lens._suggest import Suggestions, suggest
from supremum.lens._widening import (
    Call,
    Later,
    Wide,
    arrays_among,
    buffer,
    has_no_parts,
    look_into,
    node_of,
    numbers_in,
    traits_of,
)
from supremum.promotion._nodes import NODES, Node, node_of_dtype
from supremum.promotion._trace import user_line

#: Kinds of functions that call no functions of the user's.
_LEAVES: Final = frozenset({"conversion", "elementwise", "in-place", "index", "reduction", "update"})

#: How many lines are kept at most.
_SITES: Final = 4096


class Lens:
    """What `precision_lens` found; prints as a report.

    Attributes
    ----------
    reference : str
        The reference dtype.
    unfollowed : dict
        Functions that could not be called in the reference dtype, with the error; their results are their own reference.

    Examples
    --------
    >>> import supremum as xp
    >>> with xp.precision_lens() as lens:
    ...     near = xp.asarray(1.0) + 1e-5 - 1.0
    >>> [(row.function, row.kinds) for row in lens.rows]
    [('subtract', ('cancellation',)), ('add', ('rounding',)), ('asarray', ())]
    """

    __supremum_views__: Final = False  #: whose references are views of those of the operands

    def __init__(self, reference: Node) -> None:
        self.reference: Final = reference.name
        self._wide = Wide(reference)
        self.unfollowed: dict[str, str] = self._wide.unfollowed
        self._shadows = Shadows(self._wide)
        self._tallies: dict[tuple[str, int, str, str], Tally] = {}
        #: What native/losses.c has of calls that are not measured, by the function, the code and the instruction.
        self._sites: dict[int, tuple[Any, ...]] = {}
        self._last: list[Tally | None] = [None]
        self._lock = Lock()
        self._progress: Callable[[int, float], None] | None = None
        self._began = time.monotonic()

    # -- what was found -------------------------------------------------------------------------------------------------------

    @property
    def rows(self) -> list[Row]:
        """What was found, one `Row` for each line, function and dtype; the worst first."""
        with self._lock:
            return sorted((tally.row() for tally in self._tallies.values()), key=order)

    @property
    def _calls(self) -> int:
        return int(self._shadows.counts[0])

    def show(self, progress: Callable[[int, float], None]) -> None:
        """Call a function with the number of calls, and with the seconds that passed, from time to time."""
        self._progress, self._shadows.counts[-1] = progress, 1

    @property
    def final(self) -> Row | None:
        """The row of the last floating result; its `last` says whether all earlier losses are harmless at the end."""
        with self._lock:
            return None if self._last[0] is None else self._last[0].row()

    @property
    def first_nan(self) -> Row | None:
        """The row where NaN was made of other numbers first; None if none was."""
        return min((row for row in self.rows if row.nan), key=lambda row: row.nan, default=None)

    @property
    def first_infinity(self) -> Row | None:
        """The row where an infinity was made of finite numbers first; None if none was."""
        return min((row for row in self.rows if row.infinity), key=lambda row: row.infinity, default=None)

    def value(self, x: Array) -> Array:
        """Return the reference value of an array, in the reference dtype.

        Parameters
        ----------
        x : Array
            An array.

        Returns
        -------
        Array
            The value that it has in the reference; its own, widened, if the lens has seen nothing of it.
        """
        node = self._wide.node(x._node)
        return x if node is None else wrap(np.array(self._operand(x, node).reference), node)

    def error(self, x: Array) -> float:
        """Return the largest relative error of an array against its reference.

        Parameters
        ----------
        x : Array
            An array.

        Returns
        -------
        float
            The largest of its elements; 0 for an array that the lens has not seen, and for integers.
        """
        node = self._wide.node(x._node)
        if node is None:
            return 0.0
        operand = self._operand(x, node)
        return call_without_float_warnings(relative, operand.wide, operand.reference)[1]

    def suggest(self, *dtypes: Any, tolerance: float = 1e-2) -> Suggestions:
        """Judge what was seen for other dtypes.

        Parameters
        ----------
        *dtypes : dtype
            Floating dtypes, such as ``"bfloat16"``.
        tolerance : float
            The largest relative error that is accepted at a line.

        Returns
        -------
        Suggestions
            A verdict for every line and dtype; prints as a table.
        """
        return suggest(self.rows, dtypes, tolerance)

    def __repr__(self) -> str:
        from supremum.lens._report import many

        counted = f"{many(len(self._tallies), 'row')}, {many(self._calls, 'call')}"
        return f"<precision lens: {counted}, reference {self.reference}>"

    def __str__(self) -> str:
        from supremum.lens._report import text

        return text(self)

    def _repr_html_(self) -> str:
        from supremum.lens._report import notebook

        return notebook(self)

    def to_html(self) -> str:
        """Return a page that needs nothing else, with the source of the program and what was found next to its lines."""
        from supremum.lens._page import page

        return page(self)

    def save(self, file: str | Path) -> None:
        """Write the page of `to_html` to a file.

        Parameters
        ----------
        file : str or Path
            The name of the file.
        """
        Path(file).write_text(self.to_html(), encoding="utf-8")

    # -- the watcher ----------------------------------------------------------------------------------------------------------

    @property
    def __supremum_call__(self) -> Any:
        """What is called in place of the lens: calls that are not measured are followed by native/losses.c."""
        if native is None:
            return self
        shadows = self._shadows
        kept = self._last, shadows.counts, shadows.operand, shadows.trim
        return native.follower(self.__call__, self._sites, shadows.of, Shadow, shadows.forget, Later, *kept)

    def __call__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *made: Any) -> Any:
        """Call a public function, and follow it in the reference dtype.

        Perhaps it has `made` its result already; if so, the reference may be known, and some elements are measured.
        """
        if len(made) > 1 and self._is_usual(args, *made):
            return made[0]
        arrays = arrays_among((*args, *kwargs.values()) if kwargs else args)
        if arrays is None and (made or function.kind in _LEAVES):
            return made[0] if made else function(*args, **kwargs)
        if arrays is None or hasattr(function, "custom"):  # functions of the user's are called once
            return look_into(self, function, args, kwargs)
        traits = traits_of(function)
        operands = self._operands(arrays, kept=True) if traits.writes else []  # as they are before
        result = made[0] if made else function(*args, **kwargs)
        if traits.kind == "own" or result is NotImplemented or (traits.writes and not operands):
            return result
        try:
            if type(result) is Array and result._node.kind == "b" and not kwargs and self._is_own(function, args):
                self._shadows.counts[0] += 1
                return result
            call = Call(function, traits, args, kwargs, arrays, operands)
            results = numbers_in(args[0] if traits.kind == "setitem" else result)
            if not results or (not traits.writes and _are_views(results, arrays)):
                return result
            self._wide.call(self._follow, call, results)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong in the reference is no error of the program
            self.unfollowed.setdefault(traits.name, f"{type(error).__name__}: {error}")
        if self._progress is not None and not self._calls % 256:
            self._progress(self._calls, time.monotonic() - self._began)
        return result

    def _is_own(self, function: Any, args: tuple[Any, ...]) -> bool:
        """Whether truth values are those of the reference: of elements that are their own reference, of one dtype."""
        node = function.kind == "elementwise" and args and type(args[0]) is Array and args[0]._node
        for one in args if node else ():
            if type(one) is not Array or one._node is not node or self._shadows.find(one._data) is not None:
                return False
        return bool(node)

    def _delay(self, call: Call, x: Array, tally: Tally) -> None:
        """Have the references of further results of a line computed later, where they are not measured."""
        arguments = (*call.args, *call.kwargs.values())
        if native is None or not exponents_of(x._node) or not all(map(has_no_parts, arguments)):
            return
        frame: Any = sys._getframe(3)
        while frame is not None and (frame.f_code.co_filename, frame.f_lineno) != call.place:
            frame = frame.f_back
        if frame is None:
            return
        if len(self._sites) >= _SITES:
            self._sites.clear()
        code, function, traits = frame.f_code, call.function, call.traits
        nodes = tuple([one._node if type(one) is Array else type(one) for one in call.args])
        named = {name: type(one) for name, one in call.kwargs.items() if type(one) is not Array}
        known = self._wide, traits, function, self._wide.node(x._node), tally
        self._sites[id(code) + frame.f_lasti + id(function)] = (
            tally.counts, nodes, named, x._node, known, tally, traits.places, code, function,
        )  # fmt: skip

    def _is_usual(self, args: tuple[Any, ...], x: Array, *_: Any) -> bool:
        """Measure some elements of a large result; return whether their errors are as those of the row before."""
        later = self._shadows.of[id(x._data)].whole
        tally = later[0][-1]
        tally.counts[0] -= 1  # it is counted with what is found
        try:
            found = self._wide.call(measure_some, later, args, x) if later.is_placed else None
        except Exception as error:  # noqa: BLE001 - whatever goes wrong in the reference is no error of the program
            found = self.unfollowed.setdefault(tally.key[2], f"{type(error).__name__}: {error}")
        if type(found) is not Found:
            self._shadows.counts[0] -= 1
            return False
        with self._lock:
            tally.add(found, self._calls)
        return True

    def copied(self, target: Buffer, source: Buffer, to: Any, of: Any) -> None:
        """Give a copy, ``target[to] = source[of]``, the reference of what it was copied from."""
        found, own = self._shadows.find(source), node_of_dtype(target.dtype)
        node = None if own is None else self._wide.node(own)
        if found is None or node is None:
            return
        before = None if to is ... else self._shadows.find(target)
        values = cast(target, node, copy=True) if before is None else before[0].copy()
        values[to] = found[0][of]
        self._shadows.write(target, values, node, found[1])

    def _operand(self, x: Array, node: Node, *, kept: bool = False) -> Operand:
        """Return an operand with its reference values, which a call may overwrite if they are to be `kept`."""
        data = x._data
        given = data.copy() if kept else data
        found = self._shadows.find(data)
        if found is None:
            return Operand(data, given, node)
        reference, error, known = found
        return Operand(data, given, node, reference.copy() if kept else reference, error, known)

    def _operands(self, arrays: list[Array], *, kept: bool) -> list[Operand]:
        """Return the floating ones of arrays, each once."""
        found = {id(x): (x, node) for x in arrays if (node := self._wide.node(x._node)) is not None}
        return [self._operand(x, node, kept=kept) for x, node in found.values()]

    def _follow(self, call: Call, made: list[Any]) -> None:
        """Compute the reference of a call, and measure what it made against it."""
        traits = call.traits
        floating = [x for x in made if type(x) is Array and self._wide.node(x._node) is not None]
        if not traits.writes:
            call.operands = self._operands(call.arrays, kept=False)
        operands = call.operands
        self._shadows.counts[0] += 1
        if not (floating or operands):
            return
        call.place = user_line()[:2]
        if traits.kind == "setitem":
            self._measure_items(call, made[0])
            return
        exact, floats = all([x.exact for x in operands]), len(floating) == len(made)
        same = exact and floats and not traits.writes and self._is_exact(call, floating)
        wanted = made if same else numbers_in(self._again(call))
        if _shapes(made) != _shapes(wanted):  # as with indices of what an earlier comparison found
            self._flip(call, made[0], max(int(np.size(buffer(made[0]))), 1))
            return
        if traits.meant and floating:
            wanted = [self._taken_over(floating[0], wanted[0])]
        tally = self._unmeasured(call, floating[0]) if floats else None
        if tally is not None and (tally.infinity or tally.nan or is_finite(floating[0])):
            for x, one in () if same else zip(floating, wanted, strict=True):
                node: Any = self._wide.node(x._node)
                values = cast(np.asarray(buffer(one)), node)
                self._shadows.write(x._data, values, node, tally.last, own=_is_new(values, operands))
            tally.counts[0] += len(floating)
            self._last[0] = tally
            if traits.delays and len(made) == 1 and not same:
                self._delay(call, floating[0], tally)
            return
        if traits.meant or exact:
            alone = wanted
        else:
            alone = numbers_in(self._again(call, given=True))
            alone = alone if _shapes(alone) == _shapes(made) else wanted
        for x, one, of_given in zip(made, wanted, alone, strict=True):
            self._measure(call, x, one, of_given)

    def _again(self, call: Call, *, given: bool = False) -> Any:
        """Call a function in the reference dtype, of operands as they are `given` or of their reference values."""
        return self._wide.again(call, {id(x.source): x.wide if given else x.reference for x in call.operands})

    def _is_exact(self, call: Call, floating: list[Array]) -> bool:
        """Whether a call of operands that are their own reference is sure to make results that are theirs.

        It computes in the reference dtype, or casts to a dtype that has all numbers of the operand's.
        """
        nodes = [x._node for x in (*floating, *call.arrays)]
        if call.traits.casts and len(nodes) == 2 and nodes[0].native and nodes[1].kind in "fc":
            return holds(format_of(nodes[0]), format_of(nodes[1]))
        return all([self._wide.node(node) in (None, node.strong) for node in nodes])

    def _unmeasured(self, call: Call, x: Array) -> Tally | None:
        """Return the tally of a large result whose line has computed enough, if this one is not measured."""
        if x._data.size <= LARGE and not any([one._data.size > LARGE and one._node.kind in "fc" for one in call.arrays]):
            return None
        tally = self._tallies.get((*call.place, call.traits.name, x._node.strong.name))
        return None if tally is None or is_measured(tally.count) else tally

    def _taken_over(self, x: Array, reference: Array) -> Array:
        """Return a result as its own reference, but for the elements that the range of its dtype does not have."""
        node: Any = self._wide.node(x._node)
        given, wanted = cast(x._data, node), cast(reference._data, node)
        beyond = np.isfinite(wanted) & ((np.abs(wanted) > format_of(x._node).limit) | ~np.isfinite(given))
        return wrap(np.asarray(np.where(beyond, wanted, given)), node)

    def _measure_items(self, call: Call, x: Array) -> None:
        """Measure the items that were assigned, and write the reference of the array."""
        node = self._wide.node(x._node)
        if node is not None:
            key, reference, alone = call.args[1], self._again(call), self._again(call, given=True)
            error = max(one.error for one in call.operands)
            error = max(self._measure(call, x[key], reference[key], alone[key]), error)
            self._shadows.write(x._data, reference._data, node, error, known=False)

    def _measure(self, call: Call, x: Any, reference: Any, alone: Any) -> float:
        """Measure one result against its reference; return the largest relative error."""
        node = node_of(x, call)
        wide = None if node is None else self._wide.node(node)
        if node is None or wide is None:
            self._flip(call, x, count(buffer(x) != buffer(reference)))
            return 0.0
        values = cast(np.asarray(buffer(reference)), wide)
        found = measure(call, np.asarray(buffer(x)), values, alone, node, wide)
        inherited = found.errors.inherited
        least = 8 * format_of(node).unit
        if call.traits.loss == "sums" and max(found.errors.introduced, inherited) > least:
            sizes = {id(one.source): np.abs(one.reference).astype(one.reference.dtype) for one in call.operands}
            of_sizes = numbers_in(self._wide.again(call, sizes))
            if len(of_sizes) == 1:
                found.count("cancellation", cancels(buffer(of_sizes[0]), cast(np.asarray(buffer(x)), wide), values, least))
        if type(x) is Array and call.traits.kind != "setitem":
            self._shadows.write(x._data, values, wide, inherited, exact=not inherited, own=_is_new(values, call.operands))
        self._add(call, found, values)
        return inherited

    def _flip(self, call: Call, x: Any, number: int) -> None:
        """Count the elements of a result that differ from those of the reference, if there are any."""
        if number:
            name = x._node.strong.name if type(x) is Array else type(x).__name__
            self._add(call, Found(name, np.shape(buffer(x)), NO_ERRORS._replace(inherited=1.0), kinds={"flip": number}), None)

    def _add(self, call: Call, found: Found, reference: Buffer | None) -> None:
        """Count what was found in the row of the line."""
        found.operands = tuple([x._node.name for x in call.arrays])
        key = (*call.place, call.traits.name, found.dtype)
        with self._lock:
            tally = self._tallies.get(key)
            if tally is None:
                exponents = exponents_of(NODES[found.dtype]) if found.dtype in NODES else 0
                tally = self._tallies[key] = Tally(key, self._calls, exponents, casts=call.traits.casts)
            if reference is not None:
                self._last[0] = tally
                if not call.traits.casts and call.kwargs.get("dtype") is None:
                    found.promotes = any(x._node.strong.name != found.dtype for x in call.arrays)
                if tally.spreads(max(reference.size, *[x.given.size for x in call.operands], 0)):
                    tally.ranges["result"].add(reference)
                    for x in call.operands:
                        tally.ranges["operands"].add(x.reference)
            tally.add(found, self._calls)


def _are_views(made: list[Any], arrays: list[Array]) -> bool:
    """Return whether all results are views of operands."""
    roots = [(id(root_of(x._data)), x._data.dtype) for x in arrays]
    return all([type(x) is Array and (id(root_of(x._data)), x._data.dtype) in roots for x in made])


def _is_new(values: Buffer, operands: list[Operand]) -> bool:
    """Return whether the reference of a result, if it has memory of its own, is no operand that must be copied."""
    return all([values is not x.source and values is not x.reference for x in operands])


def _shapes(numbers: list[Any]) -> list[tuple[int, ...]]:
    return [x._data.shape if type(x) is Array else () for x in numbers]
