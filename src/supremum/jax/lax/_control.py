"""Control flow of `lax`, run by Python's own loops and branches."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Final, TypeAlias

import supremum as xp
from supremum import Array
from supremum._base.exceptions import describe
from supremum._core.array import wrap
from supremum._core.settings import copied, state
from supremum.jax import _tree
from supremum.jax._abstract import Abstract, unknown
from supremum.jax._batching import Batched, alike, any_true, axes_in_force, described, innermost, is_batch, with_node
from supremum.jax._bodies import kept_with, recorded_or_none
from supremum.jax._casting import as_operand, public
from supremum.jax._dual import forward_alone, is_differentiating
from supremum.jax._loops import Recorded, recorded_once, recorded_step, run_scan, run_while, runs_programs
from supremum.jax._programs import eval_jaxpr, program_of, recording
from supremum.jax._refs import check_distinct, check_no_refs, part_of, plain
from supremum.jax._structured import WHILE, Scan, While, is_followed, is_recordable
from supremum.jax._traces import Trace, of_program, once, through_checks, tracing
from supremum.jax._values import as_leaves, is_ref, zeros_of
from supremum.jax._vmap import vmap
from supremum.jax.errors import ConcretizationTypeError
from supremum.jax.lax._branches import as_arrays
from supremum.jax.lax._operands import axis_of
from supremum.jax.tree_util import tree_map

#: Runs the recorded step of a loop with the first carry, or records the loop as one equation.
_Run: TypeAlias = Callable[[Recorded, list[Any]], Any]
#: The module of the rules of solvers, which is above this one.
_RULES: Final = "supremum.jax._implicit"
#: From so many steps on, loops of operands of transformations, which are not within programs, are recorded.
LONG: Final = 128
#: The same for functions that were called before: their programs are kept.
SHORT: Final = 16
#: The kinds of dtypes from the least to the most general.
_RANK: Final = "buifck"

# -- loops --------------------------------------------------------------------------------------------------------------------


def _in_order(x: Any) -> Any:
    """Return an operand of a loop: a copy, if its elements are not in C's order, as those of the engine's loops are."""
    if type(x) is Batched:
        value = _in_order(x.value)
        return x if value is x.value else Batched(x.axis, value)
    if type(x) is not Array or x._data.flags.c_contiguous:
        return x
    data = x._data.copy()
    if state().watchers:
        copied(data, x._data)
    return wrap(data, x._node)


class _Carry:
    """The value that a loop carries: its leaves keep their shapes and dtypes.

    A leaf that begins weak takes the dtype that the first step gives it. Steps take a strong one where the first was strong,
    and the last result is as weak as the step returns it.
    """

    def __init__(self, loop: str, init: Any) -> None:
        self.loop = loop
        leaves, self.structure = as_leaves(init)
        check_no_refs(leaves, loop)
        self.begin([_in_order(x) for x in leaves])

    def begin(self, leaves: list[Any]) -> None:
        """Set the first value."""
        self.leaves, self.nodes, self.first = leaves, [x._node for x in leaves], True

    @property
    def given(self) -> list[Any]:
        """The leaves that the next step takes."""
        return [x if node.weak else with_node(x, node) for x, node in zip(self.leaves, self.nodes, strict=True)]

    @property
    def tree(self) -> Any:
        """What the next step takes."""
        return self.structure.unflatten(self.given)

    @property
    def value(self) -> Any:
        """The value as a tree."""
        return self.structure.unflatten(self.leaves)

    def widen(self, result: Any) -> bool:
        """Convert weak leaves to the dtypes of a step's result; return whether a dtype changed."""
        leaves = self._checked(result)
        self.first = changed = False
        for i, (mine, new) in enumerate(zip(self.leaves, leaves, strict=True)):
            if not mine._node.weak or (new._node.weak and new.dtype == mine.dtype):
                continue
            if _RANK.index(new._node.kind) >= _RANK.index(mine._node.kind):
                changed = changed or mine.dtype != new.dtype
                self.nodes[i] = new._node.strong
                self.leaves[i] = with_node(mine, self.nodes[i])
        return changed

    def _checked(self, result: Any) -> list[Array]:
        leaves, structure = as_leaves(result)
        if structure is not self.structure and structure != self.structure:
            raise TypeError(
                f"{self.loop} function carry input and carry output must have the same pytree structure, but they differ:\n\n"
                f"The input carry is {self.structure} and the output carry is {structure}.\n\n"
                "Revise the function so that the carry output has the same pytree structure as the carry input."
            )
        return leaves

    def take(self, result: Any) -> None:
        """Set the value to the result of a step, after a check of its types."""
        if type(result) in (Array, Batched) and self.structure is _tree.LEAF and alike(self.leaves[0], result):
            self.leaves = [_in_order(result)]
            return
        leaves = self._checked(result)
        for i, (mine, new) in enumerate(zip(self.leaves, leaves, strict=True)):
            if mine.shape != new.shape or mine._node.strong is not new._node.strong:
                what = "shapes" if mine._node.strong is new._node.strong else "dtypes"
                raise TypeError(
                    f"{self.loop} function carry input and carry output must have equal types, but they differ:\n\n"
                    f"The input carry component {i} has type {described(mine)} but the corresponding "
                    f"output carry component has type "
                    f"{described(new)}, so the {what} do not match.\n\n"
                    "Revise the function so that all output types match the corresponding input types."
                )
        self.leaves = [_in_order(x) for x in leaves]

    def once(self, step: Callable[[Any], tuple[Any, Any]]) -> Any:
        """Take the shapes and dtypes of a step, which is called with operands without elements; return its second result."""
        self.leaves = [unknown(x) for x in self.leaves]
        new, more = step(self.tree)
        if self.widen(new):
            new, more = step(self.tree)
        self.take(new)
        self.leaves = [unknown(x) for x in self.leaves]
        return more


@through_checks
def scan(
    f: Callable[[Any, Any], Any],
    init: Any,
    xs: Any = None,
    length: int | None = None,
    reverse: bool = False,
    unroll: int | bool = 1,
    _split_transpose: bool = False,
) -> tuple[Any, Any]:
    """Call a function for each element of arrays along their first axis, and carry a value from call to call.

    Parameters
    ----------
    f : callable
        Takes the carried value and the elements, and returns the next carried value and a result.
    init : tree
        The first carried value.
    xs : tree, optional
        The arrays.
    length : int, optional
        The number of calls; needed without `xs`.
    reverse : bool, optional
        Whether to begin with the last element.
    unroll : optional
        Ignored.

    Returns
    -------
    tuple
        The last carried value, and the results stacked along a new first axis.
    """
    if not callable(f):
        raise TypeError("lax.scan: f argument should be a callable.")
    for name, number in (("length", length), ("unroll", unroll)):
        if _unknown(number):
            raise of_program(ConcretizationTypeError(f"The `{name}` argument to `scan` expects a concrete `int` value."))
    if unroll < 0:
        raise ValueError(f"`unroll` must be a `bool` or a non-negative `int`, got {unroll}")
    leaves, structure = as_leaves(xs)
    leaves = [_in_order(x) for x in leaves]
    count = _scan_length(leaves, length)
    given: list[Any] = list(leaves)
    if refs := [x for x in given if type(x) is not Array and is_ref(x)]:
        check_distinct(refs, "scan")

        def body(carried: Any, elements: Any) -> Any:
            i, rest = elements[0], iter(elements[1:])
            return f(carried, structure.unflatten([part_of(x, i) if is_ref(x) else next(rest) for x in given]))

        return scan(body, init, (xp.arange(count), *plain(leaves)), length, reverse)
    carry = _Carry("scan body", init)
    order = range(count - 1, -1, -1) if reverse else range(count)

    def step(tree: Any, elements: Sequence[Array]) -> tuple[Any, list[Array]]:
        out = f(tree, structure.unflatten(elements))
        if not isinstance(out, tuple | list) or len(out) != 2:
            raise TypeError(f"scan body output must be a pair, got {describe(out)}.")
        ys, shapes[0] = as_leaves(out[1])
        check_no_refs(ys, "scan body")
        return out[0], ys

    shapes: list[Any] = [None]
    if once() and count:
        elements = [x[0] for x in [unknown(x) for x in leaves]]
        ys = carry.once(lambda tree: step(tree, elements))
        return carry.value, shapes[0].unflatten(
            [with_node(xp.broadcast_to(unknown(y), (count, *y.shape)), y._node) for y in ys]
        )
    if count:
        found = _by_program("scan", f, carry, leaves, step, _scanning(leaves, count, reverse), shapes, count)
        if found is not None:
            return carry.value, shapes[0].unflatten(found)
    rows: list[list[Any]] = [[]] * count
    columns = [_columns(x) for x in leaves]
    for number, i in enumerate(order):
        elements = [column[i] for column in columns]
        new, ys = step(carry.tree, elements)
        if not number and carry.widen(new):
            new, ys = step(carry.tree, elements)
        carry.take(new)
        # An array that is not followed may be written to by the next steps.
        rows[i] = [y.copy() if type(y) is Array and state().mutable else y for y in ys]
    if not count:
        elements = [with_node(xp.zeros(x.shape[1:], dtype=x.dtype), x._node) for x in leaves]
        new, ys = step(tree_map(zeros_of, carry.tree), elements)
        if carry.widen(new):
            new, ys = step(tree_map(zeros_of, carry.tree), elements)
        first = carry.leaves
        carry.take(new)
        carry.leaves = [with_node(x, y._node) for x, y in zip(first, carry.leaves, strict=True)]
        return carry.value, shapes[0].unflatten([with_node(xp.zeros((0, *y.shape), dtype=y.dtype), y._node) for y in ys])
    return carry.value, shapes[0].unflatten([_stacked(parts) for parts in zip(*rows, strict=True)])


def _by_program(
    loop: str, function: Any, carry: _Carry, xs: list[Any], step: Any, run: _Run, shapes: list[Any], count: int = 0
) -> list[Any] | None:
    """Record a step of a loop, unless that has been done, and run it; return the results that are not carried.

    Where a program is recorded, the loop is one equation of it: `run` runs it or records it, given the first carry. One of
    operands of transformations is transformed as an equation is, and run.
    """
    given, within = (*carry.given, *xs), tracing()

    def record(part: bool = False) -> Any:
        found = recorded_step(carry, [Abstract(Trace(), x.shape[1:], x._node) for x in xs], step, part=part)
        return found and found._replace(tree=shapes[0])

    recorded, plain = None, runs_programs(*given)
    if within:
        recorded = record() if is_recordable(*given) else None
    elif plain or (count >= SHORT and is_followed(*given)):
        key = (loop, carry.structure, len(carry.nodes), plain, tuple([(x.shape, x._node) for x in given]))
        recorded = kept_with(function, key, partial(record, not plain), again=not plain)
    if recorded is None and count >= LONG and not within and (is_differentiating() or axes_in_force()):
        recorded, plain = recorded_or_none(partial(record, True)), False
    if recorded is None:
        return None
    shapes[0], init = recorded.tree, recorded.first(given[: len(carry.nodes)])
    if recorded.refs and not (recording if within else runs_programs)(*init, *xs, *recorded.consts):
        return None
    out = run(recorded, init) if within or plain else recorded_or_none(lambda: run(recorded, init))
    if out is None or out is NotImplemented:
        return None
    number, out = len(carry.nodes), recorded.last(out)
    carry.leaves = out[:number]
    return out[number:]


def _scanning(xs: list[Any], count: int, reverse: bool = False) -> _Run:
    """Return what runs the recorded step of a scan, or records the scan."""

    def run(step: Recorded, init: list[Any]) -> Any:
        if not tracing() and runs_programs(*step.consts, *init, *xs):
            return run_scan(step.jaxpr, step.consts, init, xs, count, reverse)
        sizes = {"num_carry": len(init), "num_consts": len(step.consts)}
        return SCAN.bound([*step.consts, *init, *xs], {"jaxpr": step.jaxpr, "length": count, **sizes, "reverse": reverse})

    return run


def _scan_length(leaves: list[Array], length: Any = None) -> int:
    for x in leaves:
        if not x.ndim:
            raise ValueError(f"scan got value with no leading axis to scan over: {x}.")
    sizes = sorted({x.shape[0] for x in leaves})
    if length is not None:
        count = operator.index(length)
        if count < 0 or any(size != count for size in sizes):
            raise ValueError(f"scan got `length` argument of {count} which disagrees with leading axis sizes {sizes}.")
        return count
    if len(sizes) > 1:
        raise ValueError(f"scan got values with different leading axis sizes: {', '.join(map(str, sizes))}.")
    if not sizes:
        raise ValueError("scan got no values to scan over and `length` not provided.")
    return sizes[0]


def _columns(x: Any) -> Any:
    """Return an array, or the elements along its first axis, of one call where a transformation follows it."""
    if is_batch(x) and type(x.value) is Array:  # whose elements at all positions are then next to each other
        return [Batched(x.axis, part) for part in xp.unstack(_in_order(xp.moveaxis(x.value, 1, 0)))]
    return x if type(x) is Array else xp.unstack(x)


def _stacked(parts: tuple[Any, ...]) -> Any:
    """Return the results of a scan in one place of its tree, stacked."""
    first = parts[0]
    for y in parts:
        if not alike(y, first) and (y._node.strong is not first._node.strong or y.shape != first.shape):
            types = sorted({described(first), described(y)})
            raise TypeError(f"scan body results must have equal types at each step, got {types}")
    return with_node(xp.stack(parts), first._node)


@through_checks
def while_loop(cond_fun: Callable[[Any], Any], body_fun: Callable[[Any], Any], init_val: Any) -> Any:
    """Call a function on its own result as long as a condition holds."""
    if not all(callable(function) for function in (cond_fun, body_fun)):
        raise TypeError("lax.while_loop: body_fun and cond_fun arguments should be callable.")
    carry = _Carry("while_loop body", init_val)
    first = carry.leaves
    if once():
        holds = carry.once(lambda tree: (body_fun(tree), _condition(cond_fun(tree))))
        if is_batch(holds):
            carry.leaves = [xp.where(holds, x, x) for x in carry.leaves]
        carry.leaves = _of_steps(carry.leaves, first)
        return carry.value
    loop = _looping(cond_fun, carry)
    by_program = partial(_by_program, "while", body_fun, carry, [], lambda tree, _: (body_fun(tree), []), loop, [None])
    if by_program() is not None:
        return carry.value
    for number in itertools.count():
        if not any_true(holds := _countable("while_loop", _condition(cond_fun(carry.tree)))):
            break
        if number in (SHORT, LONG) and by_program(number) is not None:  # the other steps
            return carry.value
        new = body_fun(carry.tree)
        if carry.first and carry.widen(new):
            new, first = body_fun(carry.tree), carry.leaves
        before = carry.leaves
        carry.take(new)
        if is_batch(holds):  # positions that are done keep their values
            pairs = zip(carry.leaves, before, strict=True)
            carry.leaves = [x if x is old else xp.where(holds, x, with_node(old, x._node)) for x, old in pairs]
    carry.leaves = _of_steps(carry.leaves, first)
    return carry.value


def _of_steps(leaves: list[Any], first: list[Any]) -> list[Any]:
    """Return the last carry of a loop with a condition, without cotangents, except of what each step returns as it is."""
    return [x if type(x) is Array or x is old else forward_alone(x, WHILE) for x, old in zip(leaves, first, strict=True)]


# -- loops as equations ---


def _run_scan(*operands: Any, jaxpr: Any, length: int, num_carry: int, num_consts: int, reverse: bool) -> list[Any]:
    """Run a recorded scan."""
    consts, rest = operands[:num_consts], [_in_order(x) for x in operands[num_consts:]]
    if runs_programs(*operands):
        found: Any = run_scan(jaxpr, consts, rest[:num_carry], rest[num_carry:], length, reverse)
        if found is not NotImplemented:
            return list(found)

    def step(carry: list[Any], xs: list[Any]) -> tuple[list[Any], list[Any]]:
        out = eval_jaxpr(jaxpr.jaxpr, [], *consts, *carry, *xs)
        return out[:num_carry], out[num_carry:]

    last, ys = scan(step, list(rest[:num_carry]), list(rest[num_carry:]), length, reverse)
    return [*last, *ys]


SCAN: Final = Scan("scan", _run_scan)


def _looping(cond_fun: Callable[[Any], Any], carry: _Carry) -> _Run:
    """Return what runs a recorded loop with a condition, or records it; the condition may not use references."""

    def run(step: Recorded, init: list[Any]) -> Any:
        def test(_: Any, operands: list[Any]) -> list[Any]:
            return [_condition(cond_fun(carry.structure.unflatten(operands[len(step.refs) :])))]

        runs = not tracing() and runs_programs(*step.consts, *init)

        def record() -> Any:
            found = program_of(test, init, part=not runs)
            return None if found is None or found.refs else found

        key = ("while", carry.structure, step.jaxpr)
        condition = record() if tracing() else kept_with(cond_fun, key, record)
        if condition is None:
            return NotImplemented
        if runs:
            return run_while(condition.jaxpr, condition.consts, step.jaxpr, step.consts, init)
        sizes = {"body_nconsts": len(step.consts), "cond_nconsts": len(condition.consts)}
        params = {"body_jaxpr": step.jaxpr, "cond_jaxpr": condition.jaxpr, **sizes}
        return WHILE_LOOP.bound([*condition.consts, *step.consts, *init], params)

    return run


def _run_while(*operands: Any, body_jaxpr: Any, body_nconsts: int, cond_jaxpr: Any, cond_nconsts: int) -> list[Any]:
    """Run a recorded loop."""
    of_test, rest = operands[:cond_nconsts], operands[cond_nconsts:]
    of_body, init = rest[:body_nconsts], [_in_order(x) for x in rest[body_nconsts:]]
    if runs_programs(*operands):
        out: Any = run_while(cond_jaxpr, of_test, body_jaxpr, of_body, init)
        if out is not NotImplemented:
            return list(out)
    return while_loop(
        lambda carry: eval_jaxpr(cond_jaxpr.jaxpr, [], *of_test, *carry)[0],
        lambda carry: eval_jaxpr(body_jaxpr.jaxpr, [], *of_body, *carry),
        list(init),
    )


WHILE_LOOP: Final = While("while", _run_while)


def _unknown(x: Any) -> bool:
    """Return whether an operand, or a batch of it, has no elements."""
    return type(innermost(x)) is Abstract


def _countable(loop: str, x: Any) -> Any:
    """Return an operand that says how often a loop runs; raise if it is not known while a program is recorded."""
    if _unknown(x):
        raise NotImplementedError(
            f"lax.{loop}: how often it runs depends on elements, which within vmap and derivatives is not recorded; use "
            "lax.scan, or bounds that are numbers"
        )
    return x


def _condition(value: Any) -> Any:
    """Return the value of a condition, a 0-d array of bools."""
    if type(value) is Array and value._node.kind == "b" and not value.ndim:
        return value
    leaves, structure = as_leaves(value)
    if len(leaves) != 1 or structure.num_nodes != 1:
        raise TypeError(f"cond_fun must return a boolean scalar, but got pytree {structure}.")
    if leaves[0].ndim or leaves[0]._node.kind != "b":
        raise TypeError(f"cond_fun must return a boolean scalar, but got output type(s) [{described(leaves[0])}].")
    return leaves[0]


@through_checks
def fori_loop(
    lower: Any, upper: Any, body_fun: Callable[[Any, Any], Any], init_val: Any, *, unroll: int | bool | None = None
) -> Any:
    """Call a function of a number and a carried value for each integer of a range; bounds that are floats are cut."""
    if not callable(body_fun):
        raise TypeError("lax.fori_loop: body_fun argument should be callable.")
    low, high = (as_operand(bound, "fori_loop") for bound in (lower, upper))
    if low.ndim or high.ndim:
        raise TypeError(f"lower and upper arguments to fori_loop must be scalars, got shapes {low.shape} and {high.shape}")
    if low._node.strong is not high._node.strong and low._node.weak is not high._node.weak:  # a weak one takes the other's
        low, high = (with_node(x, node) for x in (low, high) for node in [(high if low._node.weak else low)._node])
    if low._node.strong is not high._node.strong:
        raise TypeError(f"lower and upper arguments to fori_loop must have equal types, got {low.dtype} and {high.dtype}")
    if any(is_batch(x) or _unknown(x) for x in (low, high)):  # as many steps as the greatest
        first_step = (low, init_val)
        return while_loop(lambda c: c[0] < high, lambda c: (c[0] + 1, body_fun(c[0], c[1])), first_step)[1]
    carry, steps = _Carry("fori_loop body", init_val), int(high) - int(low)
    if tracing() or steps >= SHORT or runs_programs(*carry.leaves):
        pair = _Carry("fori_loop body", (xp.asarray(int(low)), init_val))

        def counted(tree: Any, _: Any = None) -> Any:
            return (tree[0] + 1, body_fun(tree[0], tree[1])), []

        if once():
            pair.once(counted)
            return pair.value[1]
        by_program = partial(_by_program, "fori_loop", body_fun, pair, [], counted, _scanning([], steps), [None])
        if steps > 0 and by_program(steps) is not None:
            return pair.value[1]
    for number in range(int(low), int(high)):
        i = xp.asarray(number)
        new = body_fun(i, carry.tree)
        if carry.first and carry.widen(new):
            new = body_fun(i, carry.tree)
        carry.take(new)
    return carry.value


def map(f: Callable[[Any], Any], xs: Any, *, batch_size: int | None = None) -> Any:
    """Call a function for each element of arrays along their first axis, and stack the results.

    With `batch_size`, `vmap` calls it for so many elements at a time; 0 means all.
    """
    leaves, structure = as_leaves(xs)
    if batch_size is None or not leaves:
        return scan(lambda _, x: ((), f(x)), (), xs)[1]
    count, size = _scan_length(leaves), operator.index(batch_size)
    if size < 0:
        raise ValueError(f"lax.map: batch_size must not be negative, got {batch_size}")
    starts = range(0, count, size) if count and size else [0]
    batches = [vmap(f)(structure.unflatten([x[start : start + (size or count)] for x in leaves])) for start in starts]
    return batches[0] if len(batches) == 1 else tree_map(lambda *parts: xp.concatenate(parts), *batches)


@through_checks
def associative_scan(fn: Callable[[Any, Any], Any], elems: Any, reverse: bool = False, axis: int = 0) -> Any:
    """Return all partial results of an associative function along an axis.

    The function takes and returns trees of arrays, and combines them elementwise along the axis.
    """
    if not callable(fn):
        raise TypeError("lax.associative_scan: fn argument should be callable.")
    leaves, structure = as_leaves(elems)
    if not leaves:
        return elems
    along = axis_of(axis, leaves[0].ndim, "associative_scan")
    if len({x.shape[along] for x in leaves}) > 1:
        raise ValueError(f"associative_scan: arrays must have the same first dimension, got {[x.shape for x in leaves]}")

    def cut(x: Array, start: int | None, stop: int | None, step: int = 1) -> Any:
        return x[(slice(None),) * along + (slice(start, stop, step),)]

    def combine(a: list[Array], b: list[Array]) -> list[Array]:
        return as_leaves(fn(structure.unflatten(a), structure.unflatten(b)))[0]

    def visit(xs: list[Array]) -> list[Array]:
        count = xs[0].shape[along]
        if count < 2:
            return xs
        sums = visit(combine([cut(x, 0, -1, 2) for x in xs], [cut(x, 1, None, 2) for x in xs]))
        left = [cut(x, 0, -1) for x in sums] if count % 2 == 0 else sums
        even = combine(left, [cut(x, 2, None, 2) for x in xs])
        return [_interleaved(cut(x, 0, 1), e, s, count, along) for x, e, s in zip(xs, even, sums, strict=True)]

    def scanned(xs: list[Array]) -> list[Array]:
        out = visit([xp.flip(x, axis=along) for x in xs] if reverse else xs)
        return [xp.flip(x, axis=along) for x in out] if reverse else out

    return structure.unflatten(recorded_once(fn, ("associative_scan", structure, reverse, along), scanned, leaves))


def _interleaved(first: Array, even: Array, odd: Array, count: int, axis: int) -> Any:
    """Return an array of which the elements with odd indices, the first one and those with other indices are given."""
    shape = list(odd.shape)
    shape[axis] = count
    out = with_node(xp.zeros(tuple(shape), dtype=odd.dtype), odd._node.strong)
    before = (slice(None),) * axis
    for part, x in ((slice(0, 1), first), (slice(2, None, 2), even), (slice(1, None, 2), odd)):
        out = out.at[(*before, part)].set(x)
    return out


# -- solvers ------------------------------------------------------------------------------------------------------------------


@partial(public, kind="composed")
def custom_root(
    f: Callable[..., Any], initial_guess: Any, solve: Callable[..., Any], tangent_solve: Any, has_aux: bool = False
) -> Any:
    """Return the root that a function finds; guests find the rule of its derivative among the arguments."""
    if not is_differentiating():
        return solve(f, as_arrays(initial_guess))
    return import_module(_RULES).root(f, as_arrays(initial_guess), solve, tangent_solve, has_aux)


@partial(public, kind="composed")
def custom_linear_solve(
    matvec: Callable[..., Any],
    b: Any,
    solve: Callable[..., Any],
    transpose_solve: Any = None,
    symmetric: bool = False,
    has_aux: bool = False,
) -> Any:
    """Return the solution of a linear system that a function finds; guests find the rule of its derivative there."""
    if not is_differentiating():
        return as_arrays(solve(matvec, as_arrays(b)))
    solution = import_module(_RULES).linear_solution
    return solution(matvec, as_arrays(b), lambda *xs: as_arrays(solve(*xs)), transpose_solve, symmetric, has_aux)


# The rules of derivatives are in the definitions, which may return trees.
for _solver in (custom_root, custom_linear_solve):
    setattr(_solver, "derived", lambda _level, function, args, kwargs: function.definition(*args, **kwargs))  # noqa: B010 - type checkers know no such attribute
