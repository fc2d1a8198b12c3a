"""Plans: how a function is computed for given nodes; made once and cached.

A table of plans belongs to one operation and one `State`. A lookup is two list accesses by the indices of nodes, or one
dictionary access by the type of a Python scalar; a missing plan is made from the operation's row in `_core.rules`. As long
as no override of the settings exists, `Operation.plans` is the table of the process-wide state, and settings are not read.
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

#: The nodes of Python scalars.
PYTHON_SCALARS: Final[dict[type, Node]] = {
    bool: NODES["bool"],
    int: WEAK["int*"],
    float: WEAK["float*"],
    complex: WEAK["complex*"],
}
_MEMORY: Final = 256


class UnaryPlan:
    """How a unary function is computed for one node: cast, apply the kernel, return `node`."""

    __slots__ = ("call", "compute", "kernel", "native", "node")

    kernel: Final[Kernel]
    compute: Final[Node]
    node: Final[Node]
    #: Whether the plan is a single call of a ufunc.
    native: Final[bool]
    #: Computes from the operand's buffer, including the cast.
    call: Final[Kernel]

    def __init__(self, kernel: Kernel, compute: Node, node: Node, cast: np.dtype[Any] | None) -> None:
        self.kernel = kernel
        self.compute = compute
        self.node = node
        self.native = cast is None and isinstance(kernel, np.ufunc)
        self.call = call_of_one(kernel, cast)


class BinaryPlan:
    """How a binary function is computed for two nodes.

    Attributes
    ----------
    node : Node
        The result's node.
    kernel : callable
        Computes from two buffers of the dtype of `compute`.
    call : callable
        Computes from the operands' buffers, including the casts.
    native : bool
        Whether the plan is a single call of a ufunc.
    memo : dict
        A bounded cache of the 0-d buffers of Python scalars, by value.
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
        """Return the 0-d buffer of a Python scalar in the dtype of `compute`, and cache it."""
        # 0.0 and -0.0 are equal, so their key is their text. NaN is not cached. Each type of scalar has its own plan.
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
    """A unary row of the rules, with its plans in the process-wide state."""

    __slots__ = ("plans", "rule")

    #: Plans by the index of the operand's node.
    plans: list[UnaryPlan | None]
    rule: Final[Rule]

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        settings.on_change(self._enter)

    def _enter(self, state: State | None) -> None:
        # None: the state depends on the context. Every lookup misses and calls `unary_plan`.
        self.plans = _NO_UNARY if state is None else self._table(state)

    def _table(self, state: State) -> list[UnaryPlan | None]:
        table: list[UnaryPlan | None] = state.tables.setdefault(self, [])
        if not table:
            table += _NO_UNARY
        return table

    def unary_plan(self, node: Node, size: int) -> UnaryPlan:
        """Return the plan for one node in the current state; `size` is for the state's observer."""
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
    """The plans of one binary operation in one state."""

    __slots__ = ("natives", "plans", "scalars", "tiers")

    #: Plans by the indices of two arrays' nodes.
    plans: list[list[BinaryPlan | None]]
    #: The result nodes of native plans, for operators that compute without reading the plan.
    natives: list[list[Node | None]]
    #: Plans by the index of an array's node and the type of the Python scalar beside it.
    scalars: list[dict[type, BinaryPlan]]
    #: Plans by nodes and tiers, in systems in which 0-d arrays have another tier.
    tiers: dict[object, BinaryPlan]

    def __init__(self) -> None:
        self.plans = list(_NO_PLANS)
        self.natives = list(_NO_PLANS)
        self.scalars = list(_NO_SCALARS)
        self.tiers = {}

    def put(self, node: Node, key: Node | type, plan: BinaryPlan) -> None:
        """Store a plan; rows are made on first use."""
        if isinstance(key, Node):
            _own_row(self.plans, node)[key.index] = plan
            if plan.native:
                _own_row(self.natives, node)[key.index] = plan.node
        else:
            scalars = self.scalars[node.index]
            if scalars is _NO_SCALAR:
                scalars = self.scalars[node.index] = {}
            scalars[key] = plan


# Empty tables: shared, and never written to.
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
    """A binary row of the rules, with its plans in the process-wide state."""

    __slots__ = ("natives", "plans", "reflected", "rule", "scalars", "swapped")

    #: As in `Table`, in the process-wide state.
    plans: list[list[BinaryPlan | None]]
    scalars: list[dict[type, BinaryPlan]]
    #: The same operation with its operands in the other order.
    reflected: Operation
    #: As in `Table`; always the same list object, so that operators can hold a reference.
    natives: Final[list[list[Node | None]]]
    rule: Final[Rule]
    swapped: Final[bool]

    def __init__(self, rule: Rule, *, swapped: bool = False) -> None:
        self.rule = rule
        self.swapped = swapped
        self.natives = list(_NO_PLANS)
        settings.on_change(self._enter)

    def _enter(self, state: State | None) -> None:
        # None: the state depends on the context. Then, and with tiers, every lookup misses and calls `binary_plan`.
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
        """Return the cached plan of the process-wide state for an array's node and another node or a type, or None."""
        return self.plans[node.index][key.index] if isinstance(key, Node) else self.scalars[node.index].get(key)

    def binary_plan(
        self, node: Node, key: Node | type, shape: tuple[int, ...], other_shape: tuple[int, ...]
    ) -> BinaryPlan | None:
        """Return the plan for an array's node and another node or a type in the current state; None for an unknown type.

        The shapes are for systems in which 0-d operands have a lower tier, and for the state's observer.
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
    """Return which operands have a lower tier: a Python scalar, or of two arrays those without dimensions."""
    return (not shape, not other_shape) if isinstance(key, Node) else (False, True)


def _check_kind(rule: Rule, node: Node) -> None:
    if node.kind not in rule.accepts and (node.kind != "k" or "k" not in rule.special):
        kinds = {"b": "bool", "i": "signed integer", "u": "unsigned integer", "f": "real floating", "c": "complex floating"}
        accepted = ", ".join(kinds[kind] for kind in rule.accepts)
        raise rule.error(f"{rule.name} does not accept dtype {node.public}; it accepts {accepted} dtypes")


def plan_unary(rule: Rule, state: State, given: Node) -> UnaryPlan:
    """Make the plan of `rule` for one node."""
    node = state.truncate(given)
    _check_kind(rule, node)
    compute, result = rule.result.follow(node)
    kernel = _kernel(rule, compute, result)
    return UnaryPlan(kernel, compute, result, None if compute.dtype == given.dtype else compute.dtype)


def plan_binary(rule: Rule, state: State, a: Node, b: Node, *, zero_a: bool = False, zero_b: bool = False) -> BinaryPlan:
    """Make the plan of `rule` for two nodes; an abstract weak node stands for a Python scalar."""
    first, second = state.truncate(a), state.truncate(b)
    try:
        met = state.meet_tiers(first, second, zero_a=zero_a, zero_b=zero_b)
    except TypeError as error:
        raise named(error, rule.name) from None  # compiled functions have no frames from which errors could take the name
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
    """Return the node of a power: strong, as in JAX, if one operand is a strong integer or only one is a bool."""
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


#: Binary operations by name; a prefix `r` marks those with swapped operands.
BINARY: Final[dict[str, Operation]] = {}
#: Unary operations by name.
UNARY: Final[dict[str, UnaryOperation]] = {}

for _name, _rule in RULES.items():
    if _rule.nin == 2:
        BINARY[_name] = Operation(_rule)
        BINARY["r" + _name] = BINARY[_name].reflected = Operation(_rule, swapped=True)
    else:
        UNARY[_name] = UnaryOperation(_rule)
