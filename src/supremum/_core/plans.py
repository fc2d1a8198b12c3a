"""Plans: how a function is computed for given nodes; made once and kept by the state that they were made in.

An `Operation` is an `Elementwise` as the engine knows it. The engine looks plans up by the indices of nodes, or by the type
of a Python scalar next to one, and makes a plan that is missing.
"""

from __future__ import annotations

import math
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from ml_dtypes import finfo

from supremum._base.buffers import Buffer
from supremum._base.exceptions import with_function_name
from supremum._base.functions import call_without_float_warnings, without_float_warnings
from supremum._core import engine
from supremum._core.rules import Elementwise, Kernel, Result
from supremum._core.scalars import conversion, weak_exponents
from supremum._core.settings import state
from supremum._kernels import narrow
from supremum._kernels.casts import call_of_one, call_of_two, cast
from supremum.promotion._nodes import NODES, PYTHON_SCALARS, WEAK, Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from supremum._core.settings import State

#: A tuple, because not every class can be hashed.
_SCALARS: Final = tuple(PYTHON_SCALARS)
#: Up to which magnitude a float holds every integer, by the bits of an element; of a complex number, of each part.
_EXACT: Final = {32: 1 << 24, 64: 1 << 53}


def _binary_plan(
    rule: Elementwise,
    kernel: Kernel,
    ufunc: np.ufunc | None,
    given: tuple[Node, Node],
    compute: Node,
    node: Node,
    casts: tuple[np.dtype[Any] | None, np.dtype[Any] | None],
    state: State,
    make: Callable[..., engine.Plan],
) -> engine.Plan:
    """Return the engine's plan of a binary function: cast to `compute`, apply the kernel, return `node`."""
    dtype = compute.dtype
    first, second = (one.dtype for one in given)
    uncast = casts[0] is None and casts[1] is None  # one by one: NumPy's float64 == None
    if rule.result is Result.COMPARISON and ufunc is not None and uncast and first is not None and second is not None:
        # Integers of any signedness are compared as they are, in the dtype that holds both operands', if there is one.
        dtype = np.promote_types(first, second)
        ufunc = ufunc if dtype.kind in (first.kind, second.kind) else None
    convert, policy = conversion(rule.result, second=second is None), state.scalars

    def scalar(value: Any) -> Buffer:
        """Return the 0-d buffer of a Python scalar in the dtype of `compute`."""
        return call_without_float_warnings(convert, value, compute, policy, rule.name)

    low, high = _exact_integers(rule, compute, policy)
    floats = policy[0] != "exact" or compute.bits in (64, 128)
    call = call_of_two(kernel, casts)
    return make(node, call, ufunc=ufunc, dtype=dtype, convert=scalar, low=low, high=high, floats=floats)


def _exact_integers(rule: Elementwise, compute: Node, policy: tuple[str, int]) -> tuple[int, int]:
    """Return the limits of the Python integers that become elements of `compute` as C converts them."""
    if compute.kind in "iu":
        return 0 if rule.result is Result.POWER else compute.low, min(compute.high, (1 << 63) - 1)
    if compute.kind not in "bfc":  # keys
        return 0, -1
    if not compute.native:
        return _integers_of_narrow(compute, exact=policy[0] == "exact" or rule.result in (Result.COMPARISON, Result.POWER))
    exact = _EXACT.get(compute.bits if compute.kind == "f" else compute.bits // 2, 0)
    largest = min(exact, (1 << (policy[1] - 1)) - 1)
    return -largest, largest


def _integers_of_narrow(compute: Node, *, exact: bool) -> tuple[int, int]:
    """Return the limits for a narrow dtype: integers that float32 holds or, if none may be rounded, the dtype."""
    if compute.kind == "c" or compute.strong.name == "float8_e8m0fnu":  # which has no zero
        return 0, -1
    limits = finfo(compute.dtype)
    largest = min(2 << limits.nmant, int(float(limits.max))) if exact else _EXACT[32]
    return -largest, largest


@without_float_warnings
def ufunc_of(rule: Elementwise, compute: Node, result: Node) -> np.ufunc | None:
    """Return the ufunc that does what the kernel does: itself in a dtype that NumPy computes in, or that of our own loop."""
    kernel = rule.kernel_for(compute)
    if compute.kind == "k":
        return None
    if compute.native:
        return kernel if isinstance(kernel, np.ufunc) else None
    return narrow.ufunc(rule.name, kernel, rule.nin, compute, result, widens=rule.widen)


class Operation:
    """A function of one or two operands, as an operation of the engine."""

    __slots__ = ("engine", "rule")

    def __init__(self, rule: Elementwise) -> None:
        self.rule: Final = rule
        self.engine: Final = engine.Operation(rule.name, rule.nin, self._make)

    def plan(self, *operands: Any) -> engine.Plan:
        """Return the plan for operands: Arrays, or one and a Python scalar."""
        return engine.plan(self.engine, *operands)

    def _make(self, state: State, *given: Any) -> engine.Plan:
        if state.observer is None and state.tiered:
            # The engine keeps no plans, because more than the nodes decides.
            tiers: dict[object, engine.Plan] = state.tables.setdefault(self, {})
            key = given[: self.rule.nin], _zeros(*given)
            found = tiers.get(key)
            if found is None:
                found = tiers[key] = self._planned(state, given)[2]
            return found
        operands, node, plan = self._planned(state, given)
        if state.observer is not None:
            state.report(self.rule.name, operands, node, size_of(given[self.rule.nin :]))
        return plan

    def _planned(self, state: State, given: tuple[Any, ...]) -> tuple[tuple[Node, ...], Node, engine.Plan]:
        """Return the nodes of the operands, that of a Python scalar last, the node that they promote to, and the plan."""
        if self.rule.nin == 1:
            node, plan = plan_unary(self.rule, state, given[0])
            return given[:1], plan.node if self.rule.result is Result.COMPLEX else node, plan
        first, second = (PYTHON_SCALARS[key] if isinstance(key, type) else key for key in given[:2])
        zero_a, zero_b = _zeros(*given)
        node, plan = plan_binary(self.rule, state, first, second, zero_a=zero_a, zero_b=zero_b)
        return (second, first) if isinstance(given[0], type) else (first, second), node, plan

    def promotion(self, state: State, *given: Any) -> tuple[tuple[Node, ...], Node]:
        """Return the nodes of the operands, that of a Python scalar last, and the node that they promote to."""
        return self._planned(state, given)[:2]


class Promotion(NamedTuple):
    """What an elementwise function makes of the dtypes of its operands."""

    #: The nodes of the operands, that of a Python scalar last.
    operands: tuple[Node, ...]
    #: The node that is computed in.
    node: Node
    #: Whether an array's dtype changes.
    changes: bool


def promotion_of(operation: engine.Operation, operands: tuple[Any, ...]) -> Promotion | None:
    """Return what an elementwise operation promotes; None unless the operands are Arrays, and Python scalars next to one."""
    what = tuple([x._node if type(x) is engine.Array else type(x) for x in operands])
    current = state()
    key = (operation, what, tuple([np.shape(x) == () for x in operands]) if current.tiered else ())
    found: Promotion | None = current.tables.get(key)
    if found is None:
        nodes = [one for one in what if isinstance(one, Node)]
        if not nodes or len(what) != operation.operands or any(one not in _SCALARS for one in what if isinstance(one, type)):
            return None
        maker: Any = operation.make_plan
        given, node = maker.__self__.promotion(current, *what, *[np.shape(x) for x in operands])
        changes = any(one.dtype is not None and one.dtype != node.dtype for one in given)
        found = current.tables[key] = Promotion(given, node, changes)
    return found


def size_of(shapes: Iterable[tuple[int, ...]]) -> int:
    """Return the number of elements of what an elementwise function makes of operands of these shapes."""
    return math.prod(map(max, zip_longest(*[shape[::-1] for shape in shapes], (), fillvalue=1)))


def _zeros(a: object, b: object, shape: tuple[int, ...] = (), other_shape: tuple[int, ...] = ()) -> tuple[bool, bool]:
    """Return which operands have a lower tier: a Python scalar, or of two arrays those without dimensions."""
    if isinstance(a, type) or isinstance(b, type):
        return isinstance(a, type), isinstance(b, type)
    return not shape, not other_shape


def _check_kind(rule: Elementwise, node: Node) -> None:
    if node.kind not in rule.accepts and (node.kind != "k" or "k" not in rule.special):
        kinds = {"b": "bool", "i": "signed integer", "u": "unsigned integer", "f": "real floating", "c": "complex floating"}
        accepted = ", ".join(kinds[kind] for kind in rule.accepts)
        raise rule.error(f"{rule.name} does not accept dtype {node.public}; it accepts {accepted} dtypes")
    if node.bits < rule.least_bits:
        raise rule.error(f"{rule.name} does not accept dtype {node.public}; it accepts at least {rule.least_bits} bits")


def plan_unary(
    rule: Elementwise, state: State, given: Node, make: Callable[..., engine.Plan] = engine.Plan
) -> tuple[Node, engine.Plan]:
    """Return the node computed in, and the plan: cast, apply the kernel, return the node of the result."""
    node = state.truncate(given)
    _check_kind(rule, node)
    role = None if state.roles is None else state.roles.operand_rule(rule.name, rule.result.role)
    if role is not None:
        node = role.follow(node)
    compute, result = (node, node) if role is not None and role.same else rule.result.follow(node)
    kernel = _kernel(rule, compute, result)
    ufunc, given_as = ufunc_of(rule, compute, result), _given_as(rule, state, result, state.truncate(given))
    if given_as is not result:
        kernel, ufunc, result = _cast_after(kernel, given_as), None, given_as
    call = call_of_one(kernel, None if compute.dtype == given.dtype else compute.dtype)
    return compute, make(result, call, ufunc=ufunc, dtype=compute.dtype)


def _given_as(rule: Elementwise, state: State, result: Node, common: Node) -> Node:
    """Return the node in which a system gives a result, by its rules for results."""
    rules = () if state.roles is None else state.roles.result_rules(rule.name, rule.result.role)
    return rules[0].result(result, common) if rules else result


def _cast_after(kernel: Kernel, node: Node) -> Kernel:
    """Return a kernel whose result is cast."""
    return lambda *buffers: cast(np.asarray(kernel(*buffers)), node)


def plan_binary(
    rule: Elementwise,
    state: State,
    a: Node,
    b: Node,
    make: Callable[..., engine.Plan] = engine.Plan,
    *,
    zero_a: bool = False,
    zero_b: bool = False,
) -> tuple[Node, engine.Plan]:
    """Return the node computed in, and the plan; an abstract weak node means a Python scalar."""
    first, second = state.truncate(a), state.truncate(b)
    role = None if state.roles is None else state.roles.operand_rule(rule.name, rule.result.role)
    if role is not None and (role.first or (role.each and all(node.dtype is not None and node.native for node in (a, b)))):
        first, second = role.follow(first), role.follow(second)
    table = None if not rule.variants else state.functions if role is not None and role.elementwise else state.elementwise
    try:
        common = state.common_of_tiers(first, second, zero_a=zero_a, zero_b=zero_b, table=table)
    except TypeError as error:
        raise with_function_name(error, rule.name) from None
    _check_kind(rule, common)
    promoted = common
    if role is not None:
        common = role.follow(common)
    elif rule.result is Result.POWER:
        common = _power_node(first, second, common)
    compute, result = (common, common) if role is not None and role.same else rule.result.follow(common)
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
        ufunc = ufunc_of(rule, compute, result)
        return compute, _binary_plan(rule, rule.kernel, ufunc, (a, b), compute, result, (None, None), state, make)
    casts = tuple(None if node.dtype is None or node.dtype == compute.dtype else compute.dtype for node in (a, b))
    kernel = _kernel(rule, compute, result, loose=None in (a.dtype, b.dtype))
    ufunc, given_as = ufunc_of(rule, compute, result), _given_as(rule, state, result, promoted)
    if given_as is not result:
        kernel, ufunc, result = _cast_after(kernel, given_as), None, given_as
    if rule.result is Result.POWER and b.family is WEAK["int*"] and b.dtype is not None:
        of_arrays = call_of_two(kernel, casts)  # type: ignore[arg-type]  # a pair
        of_scalars = call_of_two(kernel, (casts[0], None))
        ufunc = None
        kernel, casts = weak_exponents(of_arrays, of_scalars, compute, state.scalars, rule.name), (None, None)
    return compute, _binary_plan(rule, kernel, ufunc, (a, b), compute, result, casts, state, make)  # type: ignore[arg-type]  # a pair


def _power_node(base: Node, exponent: Node, common: Node) -> Node:
    """Return the node of a power: strong, as in JAX, if one operand is a strong integer or only one is a bool."""
    if base.kind == "b" and exponent.family is WEAK["int*"]:
        return NODES["int32"]
    kinds = base.kind + exponent.kind
    strengthens = (base.weak and exponent.kind in "iu" and not exponent.weak) or kinds in ("bi", "ib")
    return common.strong if strengthens else common


@without_float_warnings
def _kernel(rule: Elementwise, compute: Node, result: Node, *, loose: bool = False) -> Kernel:
    """Return the kernel from buffers of `compute` to a buffer of `result`."""
    kernel = rule.kernel_for(compute)
    if compute.native or compute.kind == "k":
        return kernel
    return narrow.kernel(rule.name, kernel, rule.nin, compute, result, widens=rule.widen, loose=loose)


def product_operation(ufunc: np.ufunc, kinds: str) -> engine.Operation:
    """Return the operation of a generalized ufunc, with its loops for nodes of some kinds."""

    def make(state: State, a: Node, b: Node, *_shapes: tuple[int, ...]) -> engine.Plan:
        node, plain = a, not state.ruled and state.remember and state.truncate(a) is a and state.truncate(b) is b
        if plain and a is not b:
            try:
                node = state.join(a, b, ufunc.__name__)
            except TypeError:  # which the function raises
                plain = False
        plain = plain and node.kind in kinds and (node.native or (node.kind == "f" and a.dtype == b.dtype))
        return engine.Plan(node, ufunc=ufunc if plain else None, dtype=node.wide.dtype if plain else None, fold=True)

    return engine.Operation(ufunc.__name__, 2, make)


MATMUL: Final = product_operation(np.matmul, "iufc")
