"""Plans: what one function does for given nodes, worked out once and remembered.

A table of plans belongs to one operation and one `State`. Looking a plan up is two accesses to lists by the indices of nodes,
or one to a dictionary by the type of a Python scalar; a missing one is built from the operation's row in `_rules`. While no
override of the configuration is alive, `Operation.plans` is the table of the process-wide state and nobody asks for the
configuration at all.
"""

from __future__ import annotations

import math
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.errors import named
from supremum._base.silence import silent, silently
from supremum._core import settings
from supremum._core.rules import RULES, Kernel, Result, Rule
from supremum._core.scalars import conversion, weak_exponents
from supremum._kernels import narrow
from supremum._kernels.calls import call_of_one, call_of_two
from supremum.promotion._nodes import COUNT, NODES, WEAK, Node

if TYPE_CHECKING:
    from collections.abc import Callable

    from supremum._core.settings import State

__all__ = ["BINARY", "UNARY", "BinaryPlan", "Operation", "UnaryOperation", "UnaryPlan", "plan_binary"]


#: Whether this module, and with it the core, is compiled.
COMPILED: Final = not __file__.endswith(".py")

#: Python scalars and the nodes they stand for.
PYTHON_SCALARS: Final[dict[type, Node]] = {
    bool: NODES["bool"],
    int: WEAK["int*"],
    float: WEAK["float*"],
    complex: WEAK["complex*"],
}
_MEMORY: Final = 256


class UnaryPlan:
    """What a unary function does for one node: cast, compute, return `node`."""

    __slots__ = ("call", "compute", "kernel", "native", "node")

    kernel: Final[Kernel]
    compute: Final[Node]
    node: Final[Node]
    #: Whether the kernel is a function of NumPy's and all there is to do.
    native: Final[bool]
    #: What computes from the buffer as it is.
    call: Final[Kernel]

    def __init__(self, kernel: Kernel, compute: Node, node: Node, cast: np.dtype[Any] | None) -> None:
        self.kernel = kernel
        self.compute = compute
        self.node = node
        self.native = cast is None and isinstance(kernel, np.ufunc)
        self.call = call_of_one(kernel, cast)


class BinaryPlan:
    """What a binary function does for two nodes.

    Attributes
    ----------
    node : Node
        The result's node.
    kernel : callable
        Computes from two buffers of the dtype computed in.
    call : callable
        Computes from two buffers as they are.
    native : bool
        Whether the kernel is a function of NumPy's and all there is to do.
    memo : dict
        The 0-d buffers of Python scalars met before, by value; bounded.
    """

    __slots__ = ("call", "compute", "convert", "kernel", "memo", "native", "node", "policy", "rule")

    def __init__(
        self,
        rule: Rule,
        kernel: Kernel,
        compute: Node,
        node: Node,
        casts: tuple[np.dtype[Any] | None, np.dtype[Any] | None],
        policy: tuple[str, int],
        convert: Callable[[Any, Node, tuple[str, int], str], Buffer],
    ) -> None:
        self.convert: Final = convert
        self.rule: Final = rule
        self.kernel: Final = kernel
        self.compute: Final = compute
        self.node: Final = node
        uncast = casts[0] is None and casts[1] is None  # one by one: NumPy's float64 == None
        self.native: Final[bool] = uncast and isinstance(kernel, np.ufunc) and kernel is rule.kernel
        self.call: Final[Kernel] = call_of_two(kernel, casts, compute, node)
        self.memo: Final[dict[Any, Buffer]] = {}
        self.policy: Final = policy

    def scalar(self, value: Any) -> Buffer:
        """Return the 0-d buffer of a Python scalar in the dtype computed in, and remember it."""
        # 0.0 and -0.0 are equal, so their key is their text; NaN is never found again. Types never share a memo.
        key = str(value) if type(value) is float and not value else value
        found = self.memo.get(key)
        if found is not None:
            return found
        array = silently(self.convert, value, self.compute, self.policy, self.rule.name)
        if type(value) is not complex and value == value:  # noqa: PLR0124 - NaN
            if len(self.memo) >= _MEMORY:
                self.memo.clear()
            self.memo[key] = array
        return array


class UnaryOperation:
    """A row of the rules for one operand, together with its plans in the process-wide state."""

    __slots__ = ("plans", "rule")

    #: Plans by the index of the operand's node.
    plans: list[UnaryPlan | None]
    rule: Final[Rule]

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        settings.on_change(self._enter)

    def _enter(self, state: State | None) -> None:
        # Where the context decides (None), every lookup misses and comes to `unary_plan`.
        self.plans = _NO_UNARY if state is None else self._table(state)

    def _table(self, state: State) -> list[UnaryPlan | None]:
        table: list[UnaryPlan | None] = state.tables.setdefault(self, [])
        if not table:
            table += _NO_UNARY
        return table

    def unary_plan(self, node: Node, size: int) -> UnaryPlan:
        """Return the plan for one node in the state in force in this context; `size` is for its observer."""
        state = settings.state()
        if state.observer is not None:
            plan = plan_unary(self.rule, state, node)
            state.observer.saw(self.rule.name, (node,), plan.compute, size)
            return plan
        table = self._table(state)
        found = table[node.index]
        if found is None:
            found = table[node.index] = plan_unary(self.rule, state, node)
        return found


class Table:
    """The plans of one operation of two operands in one state."""

    __slots__ = ("natives", "plans", "scalars", "tiers")

    #: Plans by the indices of two arrays' nodes.
    plans: list[list[BinaryPlan | None]]
    #: The results' nodes of the plans that are native, so that an operator need not ask a plan at all.
    natives: list[list[Node | None]]
    #: Plans by the index of an array's node and the type of the Python scalar beside it.
    scalars: list[dict[type, BinaryPlan]]
    #: Plans by everything they depend on, in systems in which that is more than the nodes.
    tiers: dict[object, BinaryPlan]

    def __init__(self) -> None:
        self.plans = list(_NO_PLANS)
        self.natives = list(_NO_PLANS)
        self.scalars = list(_NO_SCALARS)
        self.tiers = {}

    def put(self, node: Node, key: Node | type, plan: BinaryPlan) -> None:
        """Remember a plan; rows are made when they get their first."""
        if isinstance(key, Node):
            _own_row(self.plans, node)[key.index] = plan
            if plan.native:
                _own_row(self.natives, node)[key.index] = plan.node
        else:
            scalars = self.scalars[node.index]
            if scalars is _NO_SCALAR:
                scalars = self.scalars[node.index] = {}
            scalars[key] = plan


# Where nothing is known yet: shared, and never written to.
_NO_UNARY: Final[list[UnaryPlan | None]] = [None] * COUNT
_NO_ROW: Final[list[Any]] = [None] * COUNT
_NO_PLANS: Final[list[list[Any]]] = [_NO_ROW] * COUNT
_NO_SCALAR: Final[dict[type, BinaryPlan]] = {}
_NO_SCALARS: Final[list[dict[type, BinaryPlan]]] = [_NO_SCALAR] * COUNT


def _own_row(rows: list[list[Any]], node: Node) -> list[Any]:
    if rows[node.index] is _NO_ROW:
        rows[node.index] = list(_NO_ROW)
    return rows[node.index]


class Operation:
    """A row of the rules for two operands, together with its plans in the process-wide state."""

    __slots__ = ("natives", "plans", "reflected", "rule", "scalars", "swapped")

    #: What `Table` says of them, in the process-wide state.
    plans: list[list[BinaryPlan | None]]
    scalars: list[dict[type, BinaryPlan]]
    #: The same operation with its operands in the other order.
    reflected: Operation
    #: `Table.natives`, always in the same list, which operators may hold on to.
    natives: Final[list[list[Node | None]]]
    rule: Final[Rule]
    swapped: Final[bool]

    def __init__(self, rule: Rule, *, swapped: bool = False) -> None:
        self.rule = rule
        self.swapped = swapped
        self.natives = list(_NO_PLANS)
        settings.on_change(self._enter)

    def _enter(self, state: State | None) -> None:
        # Where the context decides (None), or nodes alone do not, every lookup misses and comes to `binary_plan`.
        if state is None or state.tiered:
            self.plans, self.scalars = _NO_PLANS, _NO_SCALARS
            self.natives[:] = _NO_PLANS
        else:
            table = self._table(state)
            self.plans, self.scalars = table.plans, table.scalars
            self.natives[:] = table.natives

    def _table(self, state: State) -> Table:
        table: Table | None = state.tables.get(self)
        return state.tables.setdefault(self, Table()) if table is None else table

    def known(self, node: Node, key: Node | type) -> BinaryPlan | None:
        """Return the plan of the process-wide state for an array's node and another node or a type, if it has been made."""
        return self.plans[node.index][key.index] if isinstance(key, Node) else self.scalars[node.index].get(key)

    def binary_plan(
        self, node: Node, key: Node | type, shape: tuple[int, ...], other_shape: tuple[int, ...]
    ) -> BinaryPlan | None:
        """Return the plan for an array's node and another node or a type in the state in force; None for an unknown type.

        The shapes are for the systems in which operands without dimensions count less, and for the state's observer.
        """
        other = key if isinstance(key, Node) else PYTHON_SCALARS.get(key)
        if other is None:
            return None
        state = settings.state()
        zeros = _zeros(key, shape, other_shape)
        if state.observer is not None:
            plan = self._make(state, node, other, zeros)
            size = math.prod(map(max, zip_longest(shape[::-1], other_shape[::-1], fillvalue=1)))
            state.observer.saw(self.rule.name, (node, other), plan.compute, size)
            return plan
        table = self._table(state)
        if state.tiered:
            found = table.tiers.get((node, key, zeros))
        elif isinstance(key, Node):
            found = table.plans[node.index][key.index]
        else:
            found = table.scalars[node.index].get(key)
        if found is None:
            found = self._make(state, node, other, zeros)
            if state.tiered:
                table.tiers[node, key, zeros] = found
            else:
                table.put(node, key, found)
                with settings.LOCK:
                    if self.plans is table.plans:
                        self.natives[:] = table.natives
        return found

    def _make(self, state: State, node: Node, other: Node, zeros: tuple[bool, bool]) -> BinaryPlan:
        if self.swapped:
            return plan_binary(self.rule, state, other, node, zero_a=zeros[1], zero_b=zeros[0])
        return plan_binary(self.rule, state, node, other, zero_a=zeros[0], zero_b=zeros[1])


def _zeros(key: object, shape: tuple[int, ...], other_shape: tuple[int, ...]) -> tuple[bool, bool]:
    """Return which operands count less: a Python scalar less than any array, an array without dimensions less than others."""
    return (not shape, not other_shape) if isinstance(key, Node) else (False, True)


def _check_kind(rule: Rule, node: Node) -> None:
    if node.kind not in rule.accepts and (node.kind != "k" or "k" not in rule.special):
        kinds = {"b": "bool", "i": "signed integer", "u": "unsigned integer", "f": "real floating", "c": "complex floating"}
        accepted = ", ".join(kinds[kind] for kind in rule.accepts)
        raise rule.error(f"{rule.name} does not accept dtype {node.public}; it accepts {accepted} dtypes")


def plan_unary(rule: Rule, state: State, given: Node) -> UnaryPlan:
    """Work out what `rule` does for one node."""
    node = state.truncate(given)
    _check_kind(rule, node)
    compute, result = rule.result.follow(node)
    kernel = _kernel(rule, compute, result)
    return UnaryPlan(kernel, compute, result, None if compute.dtype == given.dtype else compute.dtype)


def plan_binary(rule: Rule, state: State, a: Node, b: Node, *, zero_a: bool = False, zero_b: bool = False) -> BinaryPlan:
    """Work out what `rule` does for two nodes; an abstract weak node stands for a Python scalar."""
    first, second = state.truncate(a), state.truncate(b)
    try:
        met = state.meet_tiers(first, second, zero_a=zero_a, zero_b=zero_b)
    except TypeError as error:
        raise named(error, rule.name) from None  # if it is not yet: compiled code has no frames that tell what was called
    _check_kind(rule, met)
    if rule.result is Result.POWER:
        met = _power_node(first, second, met)
    compute, result = rule.result.follow(met)
    if (
        rule.result is Result.COMPARISON
        and first.kind in "iu"
        and second.kind in "iu"
        and first.native
        and second.native
        and first is a
        and second is b
        and None not in (a.dtype, b.dtype)
    ):
        # NumPy compares integers of any two widths and signs exactly; a common dtype might not.
        return BinaryPlan(
            rule, rule.kernel, compute, result, (None, None), state.scalars, conversion(rule.result, second=True)
        )
    casts = tuple(None if node.dtype is None or node.dtype == compute.dtype else compute.dtype for node in (a, b))
    convert = conversion(rule.result, second=b.dtype is None)
    kernel = _kernel(rule, compute, result, loose=None in (a.dtype, b.dtype))
    if rule.result is Result.POWER and b.family is WEAK["int*"] and b.dtype is not None:
        of_arrays = call_of_two(kernel, casts, compute, result)  # type: ignore[arg-type]  # a pair
        of_scalars = call_of_two(kernel, (casts[0], None), compute, result)
        kernel, casts = weak_exponents(of_arrays, of_scalars, compute, state.scalars, rule.name), (None, None)
    return BinaryPlan(rule, kernel, compute, result, casts, state.scalars, convert)  # type: ignore[arg-type]  # a pair


def _power_node(base: Node, exponent: Node, met: Node) -> Node:
    """Return the node of a power: JAX's is strong wherever an operand is an integer of a chosen width, or a truth value."""
    if base.kind == "b" and exponent.family is WEAK["int*"]:
        return NODES["int32"]
    kinds = base.kind + exponent.kind
    strengthens = (base.weak and exponent.kind in "iu" and not exponent.weak) or kinds in ("bi", "ib")
    return met.strong if strengthens else met


@silent
def _kernel(rule: Rule, compute: Node, result: Node, *, loose: bool = False) -> Kernel:
    """Return the kernel from buffers of `compute` to a buffer of `result`."""
    kernel = rule.kernel_for(compute)
    if compute.native or compute.kind == "k":
        return kernel
    return narrow.kernel(rule.name, kernel, rule.nin, compute, result, widens=rule.widen, loose=loose)


#: Operations of two operands, by name; with `r` before the name, those that take their operands in the other order.
BINARY: Final[dict[str, Operation]] = {}
#: Operations of one operand, by name.
UNARY: Final[dict[str, UnaryOperation]] = {}

for _name, _rule in RULES.items():
    if _rule.nin == 2:
        BINARY[_name] = Operation(_rule)
        BINARY["r" + _name] = BINARY[_name].reflected = Operation(_rule, swapped=True)
    else:
        UNARY[_name] = UnaryOperation(_rule)
