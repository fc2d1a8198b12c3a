"""Explanations of promotions: the path on the lattice, hazards, and the results of other systems."""

from __future__ import annotations

from html import escape
from math import isfinite
from textwrap import wrap
from typing import Any, Final, NamedTuple

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from supremum._base.boundary import public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import TypePromotionError, describe
from supremum._base.functions import without_float_warnings
from supremum.promotion._compare import as_system
from supremum.promotion._nodes import NODES, Node, as_node, node_of_dtype
from supremum.promotion._system import PromotionSystem
from supremum.promotion._typing import NodeLike
from supremum.promotion.systems import SYSTEMS

_PYTHON_SCALARS: Final = (bool, int, float, complex)
_DEFAULTS: Final = {"i": "int32", "f": "float32", "c": "complex64"}
#: Operations whose result is the common dtype; those with a floating result for integers; those with a bool result.
_PLAIN: Final = frozenset(("add", "subtract", "multiply", "maximum", "minimum", "+", "-", "*"))
_DIVIDES: Final = frozenset(("divide", "true_divide", "truediv", "/"))
_COMPARES: Final = frozenset(
    ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "==", "!=", "<", "<=", ">", ">=")
)


#: All operations whose result follows from a table alone.
OPERATIONS: Final = _PLAIN | _DIVIDES | _COMPARES


class Operand(NamedTuple):
    """One operand of an explanation."""

    #: A short text of the operand.
    text: str
    node: Node
    #: The path of types up to the common node, both ends included; empty if the system is not a lattice.
    path: tuple[str, ...]
    #: Its values, if it was an array or a scalar.
    values: Buffer | int | float | complex | None
    shape: tuple[int, ...] | None


@public
class Hazard(NamedTuple):
    """A possible effect of an implicit cast on values or memory."""

    #: "component", "magnitude", "precision", "wider" or "memory".
    kind: str
    #: The position of the operand, or None for the result as a whole.
    operand: int | None
    text: str
    #: The first affected number, if numbers are affected.
    at: int | float | None = None
    #: How many of the given values are affected; None if no values were given.
    affected: int | None = None


@public
class Explanation:
    """The result of a promotion, and the reasons; prints as text.

    Attributes
    ----------
    system : PromotionSystem
        The promotion system.
    operands : tuple of Operand
        Each with its node and its path on the lattice.
    met : Node or None
        The common node of the operands; None if they do not promote.
    result : Node or None
        The node of the operation's result, which is `met` where no operation is named; None is an error.
    error : TypeError, OverflowError, ValueError or None
        The error that the operation raises.
    hazards : tuple of Hazard
        Possible effects of the casts: a component dropped, a magnitude that overflows, precision lost, a result wider than
        any operand, more memory.
    others : dict of str to Node or None
        The result in every other system, None for an error; for divisions only in systems whose rule for integers is known.
    """

    __slots__ = ("error", "hazards", "met", "op", "operands", "others", "result", "system")

    def __init__(self, system: PromotionSystem, operands: tuple[Operand, ...], op: str | None) -> None:
        nodes = tuple(operand.node for operand in operands)
        self.system: PromotionSystem = system
        self.op: str | None = op
        self.met: Node | None = _join(system, nodes, op)
        self.operands: tuple[Operand, ...] = tuple(one._replace(path=_path(system, one.node, self.met)) for one in operands)
        after = _after(op, self.met, system)
        refusal = _refusal(operands, op, self.met, system)
        self.result: Node | None = None if refusal else after
        self.error: TypePromotionError | OverflowError | ValueError | TypeError | None = refusal
        if self.met is None:
            self.error = system.error(*nodes)
        elif after is None:
            self.error = TypeError(f"{op} of {self.met} is not defined in the promotion system {system.name!r}")
        self.hazards: tuple[Hazard, ...] = tuple(_hazards(self.operands, after, system))
        self.others: dict[str, Node | None] = {
            name: _result_in(other, operands, op)
            for name, other in SYSTEMS.items()
            if name == other.name != system.name and (op not in _DIVIDES or _knows_quotient(other, _join(other, nodes, op)))
        }

    def __repr__(self) -> str:
        return f"<explanation: {self._question()} is {self.result or 'an error'}>"

    def _question(self) -> str:
        if self.op and self.op.isidentifier():
            return f"{self.op}({', '.join(one.text for one in self.operands)})"
        return f" {self.op or '+'} ".join(one.text for one in self.operands)

    def _lines_of_rule(self) -> list[str]:
        """Return what decided, besides the node to which the operands promote."""
        if self.result is None or self.result is self.met:
            return []
        return [f"  they promote to {self.met}, of which {self.op} makes {self.result}"]

    def _joined_in_table(self) -> bool:
        """Return whether a cell of a table, not a lattice, says what the operands promote to."""
        return self.system.lattice is None and self.met is not None

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def __str__(self) -> str:
        lines = [f"{self._question()} is {self.result or 'an error'} in the promotion system {self.system.name!r}"]
        if self.error is not None:
            lines += _wrapped(str(self.error))
        for one in self.operands:
            if one.path:
                first, *others = one.path
                path = " -> ".join(one.path) if others else f"{first} stays"
                lines.append(f"  {one.text}{', weak' if one.node.weak else ''}: {path}")
        if self._joined_in_table():
            lines.append("  (a cell of its table; the system is no lattice, so there is no path)")
        lines += self._lines_of_rule()
        hazards = dict.fromkeys(f"    {hazard.kind}: {hazard.text}" for hazard in self.hazards)
        lines += ["  hazards", *hazards] if hazards else []
        results: dict[str, list[str]] = {}
        for name, other in self.others.items():
            results.setdefault("error" if other is None else other.name, []).append(name)
        width = max(map(len, results), default=0)
        lines.append("  other systems")
        for text, names in results.items():
            hang = " " * (width + 6)
            lines += wrap(", ".join(names), 100, initial_indent=f"    {text:{width}}  ", subsequent_indent=hang)
        return "\n".join(lines)


class FunctionExplanation(Explanation):
    """What a function makes of operands, and the reasons; prints as text.

    Attributes
    ----------
    results : tuple of Node
        The nodes of all arrays that the function gives; `result` is the first.
    rule : str
        What decided: the rules of the system for operands and results, or the function's own; empty if operands just promote.
    """

    __slots__ = ("results", "rule")

    def __init__(
        self,
        system: PromotionSystem,
        operands: tuple[Operand, ...],
        op: str,
        results: tuple[Node, ...] | Exception,
        others: dict[str, Node | None],
        rule: str,
        *,
        counts: bool,
    ) -> None:
        self.system = system
        self.op = op
        self.rule = rule
        self.met = system.lookup_all(tuple(one.node for one in operands)) if operands else None
        self.results: tuple[Node, ...] = () if isinstance(results, Exception) else results
        self.result = self.results[0] if self.results else None
        self.error = results if isinstance(results, (TypeError, ValueError, OverflowError)) else None
        # Positions and counts are not reached from the operands.
        self.operands = tuple(one if counts else one._replace(path=_climb(system, one.node, self.result)) for one in operands)
        # Of positions and counts, whose numbers are not those of the operands, there is nothing to fear.
        self.hazards = () if counts else tuple(_hazards(self.operands, self.result, system))
        self.others = others

    def __repr__(self) -> str:
        return f"<explanation: {self._question()} is {self._text_of()}>"

    def _question(self) -> str:
        return f"{self.op}({', '.join(one.text for one in self.operands)})"

    def _text_of(self) -> str:
        if self.results:
            return ", ".join(node.name for node in self.results)
        return "no array" if self.error is None else "an error"

    def _joined_in_table(self) -> bool:
        return super()._joined_in_table() and len(self.operands) > 1

    def _lines_of_rule(self) -> list[str]:
        several = [f"  results: {self._text_of()}"] if len(self.results) > 1 else []
        return [*several, *(line for rule in self.rule.splitlines() for line in _wrapped(rule))]


def _climb(system: PromotionSystem, node: Node, result: Node | None) -> tuple[str, ...]:
    """Return the path from an operand up to the result, if there is one."""
    start, end = system.own_node(node), None if result is None else system.own_node(result)
    if system.lattice is None or start is None or end is None or system.lookup(start, end) is not end:
        return ()
    return _path(system, node, end)


def explain(*operands: Any, system: str | PromotionSystem, op: str | None = None) -> Explanation:
    """Explain the promotion of operands.

    Parameters
    ----------
    *operands : array_like, dtype, str, type, or Node
        Arrays, dtypes, names, Python scalars or their types. The values of arrays and scalars are examined as well.
    system : str or PromotionSystem
        The promotion system.
    op : str, optional
        An operation of two operands: ``"add"``, ``"subtract"``, ``"multiply"``, ``"maximum"``, ``"minimum"``, ``"divide"``, or
        a comparison such as ``"less"``; or its symbol.

    Returns
    -------
    Explanation
        The explanation; it prints as text.

    Examples
    --------
    >>> why = explain("int32", "float32", system="jax")
    >>> str(why.result)
    'float32'
    >>> why.operands[0].path
    ('int32', 'int64', 'float*', 'bfloat16', 'float32')
    >>> why.hazards[0].text
    'float32 cannot hold all of int32 from 16777217 on'
    >>> str(why.others["numpy"])
    'float64'
    """
    if not operands:
        raise TypeError("explain needs at least one operand")
    given, rules = tuple(operand(one) for one in operands), as_system(system)
    if op is not None:
        _check_op(op, given, rules)
    return Explanation(rules, given, op)


def _check_op(op: str, operands: tuple[Operand, ...], system: PromotionSystem) -> None:
    """Raise ValueError for an operation whose result is not known."""
    if op not in _PLAIN | _DIVIDES | _COMPARES:
        known = ", ".join(sorted(name for name in _PLAIN | _DIVIDES | _COMPARES if name.isidentifier()))
        raise ValueError(f"explain: op={describe(op)} is not known here; known operations are {known} and their symbols")
    if len(operands) != 2:
        raise ValueError(f"explain: {op} takes two operands, got {len(operands)}; omit op to explain the promotion of several")
    if op in ("subtract", "-") and all(one.node.kind == "b" for one in operands):
        raise ValueError("explain: the result of subtracting bools is not known; cast one of them to an integer")
    common = _join(system, tuple(one.node for one in operands), op)
    if op in _DIVIDES and not _knows_quotient(system, common):
        raise ValueError(f"explain: what {op} makes of {common} is not known of the promotion system {system.name!r}")


def _knows_quotient(system: PromotionSystem, common: Node | None) -> bool:
    """Return whether the result of a division is known, for operands with the node `common` to which they promote."""
    return common is None or common.kind not in "biu" or not {common.name, "*"}.isdisjoint(system.data.inexact)


def operand(given: NodeLike | complex) -> Operand:
    """Return what an operand of an explanation is: an array, a Python scalar, or the name of a dtype."""
    if isinstance(given, bool | int | float | complex) and type(given) in _PYTHON_SCALARS:
        return Operand(repr(given), as_node(type(given)), (), given, ())
    dtype = getattr(given, "dtype", None)
    shape = getattr(given, "shape", None)
    if isinstance(dtype, np.dtype) and isinstance(shape, tuple) and not isinstance(given, (type, np.dtype)):
        node = node_of_dtype(dtype)
        if node is None:
            raise TypeError(f"explain: promotion knows no dtype {dtype}")
        if getattr(given, "weak_type", False):
            node = node.weak_form
        size = "x".join(map(str, shape))
        return Operand(f"{node}[{size}]" if shape else node.name, node, (), np.asarray(given), shape)
    node = as_node(given)
    return Operand(node.name, node, (), None, None)


def _wrapped(text: str) -> list[str]:
    """Return lines of up to 100 characters below a heading."""
    return wrap(text, 100, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False, break_long_words=False)


def _join(system: PromotionSystem, nodes: tuple[Node, ...], op: str | None) -> Node | None:
    """Return the node to which the operands of an operation promote; some systems have tables of their own for functions."""
    variants = system.data.variants
    rule = system.roles.operand_rule(op, "") if op is not None and system.roles is not None else None
    if rule is not None and rule.elementwise and "function" in variants:
        return system.variant("function").lookup_all(nodes)
    return (system.variant("ufunc") if op is not None and "ufunc" in variants else system).lookup_all(nodes)


def _path(system: PromotionSystem, node: Node, result: Node | None) -> tuple[str, ...]:
    start = system.own_node(node)
    if system.lattice is None or result is None or start is None:
        return ()
    return system.lattice.path(start.name, result.name)


def _after(op: str | None, common: Node | None, system: PromotionSystem) -> Node | None:
    """Return the result node of an operation, from the common node of its operands."""
    if common is None or op is None:
        return common
    if op in _COMPARES:
        return NODES["bool"]
    if op in _DIVIDES and common.kind in "biu":
        name = system.data.inexact.get(common.name) or system.data.inexact.get("*", "-")
        return None if name == "-" else as_node(name)
    return common


def _result_in(system: PromotionSystem, operands: tuple[Operand, ...], op: str | None) -> Node | None:
    """Return the result node in a system, or None for an error."""
    common = _join(system, tuple(one.node for one in operands), op)
    return None if _refusal(operands, op, common, system) else _after(op, common, system)


def _refusal(
    operands: tuple[Operand, ...], op: str | None, common: Node | None, system: PromotionSystem
) -> OverflowError | ValueError | None:
    """Return the exception that a system raises for the value of a Python scalar, or None if it accepts all of them."""
    held = _held(common if op in _COMPARES else _after(op, common, system), system)
    if held is None or all(one.node.dtype is None for one in operands):
        return None  # without arrays, Python's own rules apply
    compares_exactly = op in _COMPARES and held.kind in "iuf"
    for one in operands:
        value = one.values
        if type(value) is int and not compares_exactly and not _accepts(value, held, system):
            return OverflowError(f"the Python integer {describe(value)} is out of bounds for {held}")
        if type(value) in (float, complex) and system.data.scalars == "exact" and not _is_exact(value, held):
            return ValueError(f"the Python number {value} is no number of {held}")
    return None


def _accepts(value: int, node: Node, system: PromotionSystem) -> bool:
    """Return whether a system accepts a Python integer for a result of `node`."""
    low, high = limits(node)
    if node.kind in "iu" and low <= value <= high:
        return True
    if system.data.scalars == "weak":
        widest = NODES["int32" if system is SYSTEMS["jax_x32"] else "int64"]
        return widest.low <= value <= widest.high
    if node.kind in "iu":
        return False
    return _is_exact(value, node) if system.data.scalars == "exact" else abs(value) < 1 << 1024


@without_float_warnings
def _is_exact(value: Any, node: Node) -> bool:
    """Return whether a Python number is representable in `node`, as NaN always counts."""
    dtype = component(node).dtype
    try:
        return all(
            part != part or float(np.array(float(part)).astype(dtype)) == part  # noqa: PLR0124 - NaN
            for part in (value.real, value.imag)
        )
    except OverflowError:
        return False


# -- hazards --------------------------------------------------------------------------------------------------------------


def hazards_of(nodes: tuple[Node, ...], result: Node, system: PromotionSystem) -> tuple[Hazard, ...]:
    """Return the hazards of casting operands of `nodes` to `result`, whatever their values."""
    return tuple(_hazards(tuple(Operand(node.name, node, (), None, None) for node in nodes), result, system))


def _hazards(operands: tuple[Operand, ...], result: Node | None, system: PromotionSystem) -> list[Hazard]:
    held = _held(result, system)
    if held is None or result is None or result.kind == "b":
        return []
    name = result.name if held is result else f"{result} ({held.strong} by default)"
    found: list[Hazard] = []
    for i, one in enumerate(operands):
        if isinstance(one.values, _PYTHON_SCALARS):
            found += _of_scalar(i, one.values, held, system)
        elif one.node.dtype is not None and component(one.node).dtype != held.dtype:
            found += _of_type(i, one, held, name)
    return found + _of_size(operands, held, name)


def _held(result: Node | None, system: PromotionSystem) -> Node | None:
    """Return the node of the result's dtype, a default for an abstract weak node; None without a dtype."""
    if result is None or result.dtype is not None:
        return result
    return NODES[(system.data.defaults or _DEFAULTS)[result.kind]] if result.weak else None


def _of_type(i: int, one: Operand, held: Node, name: str) -> list[Hazard]:
    source = component(one.node).name
    target = component(held)
    values = one.values if isinstance(one.values, np.ndarray) else None
    if one.node.kind == "c" and held.kind != "c":
        return [Hazard("component", i, f"{name} drops the imaginary part of {one.node}")]
    if component(one.node).kind == "f" and target.kind != "f":
        return [Hazard("component", i, f"{name} drops the fractions of {one.node}")]
    found = []
    out, rounded = (None, None) if values is None else _count_lost(values, target)
    low, high = limits(target)
    least, most = limits(one.node)
    if most > high or least < low:
        at = most if most > high else least
        text = f"{source} reaches {at:.6g}, {name} only {high if most > high else low:.6g}"
        found.append(Hazard("magnitude", i, text + _counted(out, values), at, out))
    lost = first_lost(one.node, target)
    if lost is not None:
        text = f"{name} cannot hold all of {source} from {lost} on"
        found.append(Hazard("precision", i, text + _counted(rounded, values), lost, rounded))
    return found


def _counted(count: int | None, values: Buffer | None) -> str:
    if count is None or values is None:
        return ""
    return f"; of the {values.size} given, {count or 'none'} {'is' if count == 1 else 'are'} affected"


@without_float_warnings
def _count_lost(values: Buffer, target: Node) -> tuple[int, int]:
    """Count the values beyond the limits of `target`, and the values within that are not representable."""
    parts = np.stack([values.real, values.imag]) if values.dtype.kind == "c" else values
    low, high = limits(target)
    if target.kind == "f":
        # 64-bit integers are compared as integers, because no float of NumPy's represents all of them on every platform.
        cast = parts.astype(target.dtype).astype(np.float64)
        finite = np.isfinite(parts.astype(np.float64))
        out = finite & ~(np.isfinite(cast) & (parts.astype(np.float64) >= low))
        inside = finite & ~out
        if node_is_integer(parts.dtype):
            wide = np.uint64 if parts.dtype.kind == "u" else np.int64
            safe = inside & (np.abs(cast) < float(2 ** (63 + (wide is np.uint64))))
            same = safe & (np.where(safe, cast, 0).astype(wide) == parts.astype(wide))
        else:
            same = cast == parts.astype(np.float64)
        return int(out.sum()), int((inside & ~same).sum())
    numbers = parts.astype(object) if node_is_integer(parts.dtype) else parts.astype(np.float64)
    out = (numbers < low) | (numbers > high)
    return int(out.sum()), 0


def node_is_integer(dtype: np.dtype[Any]) -> bool:
    """Return whether a dtype is an integer or bool dtype, including those of ml_dtypes."""
    node = node_of_dtype(dtype)
    return node is not None and node.kind in "biu"


def _of_scalar(i: int, value: Any, held: Node, system: PromotionSystem) -> list[Hazard]:
    """Return the hazards of a Python scalar, by its exact value."""
    if isinstance(value, complex):
        return [] if held.kind == "c" else [Hazard("component", i, f"{held} drops the imaginary part of {value}")]
    low, high = limits(held)
    refused = isinstance(value, int) and not isinstance(value, bool) and not _accepts(value, held, system)
    does = "is refused" if refused else "wraps" if held.kind in "iu" else "overflows"
    if (isinstance(value, int) or isfinite(value)) and not low <= value <= high:
        return [Hazard("magnitude", i, f"{value} does not fit {held} and {does}", value, 1)]
    if isinstance(value, int) and held.kind in "fc" and not isinstance(value, bool):
        cast = component(held)
        rounded = np.float64(value).astype(cast.dtype)
        if int(rounded) != value:
            text = f"{value} is not a number of {cast}, the nearest is {int(rounded)}"
            return [Hazard("precision", i, text, value, 1)]
    return []


def _of_size(operands: tuple[Operand, ...], held: Node, name: str) -> list[Hazard]:
    strong = [
        one
        for one in operands
        if one.node.dtype is not None and not one.node.weak and not isinstance(one.values, _PYTHON_SCALARS)
    ]
    if not strong or held.dtype is None:
        return []
    found = []
    widest = max(component(one.node).bits for one in operands if not one.node.weak)
    if component(held).bits > widest:
        names = " and ".join(dict.fromkeys(one.node.name for one in strong))
        found.append(Hazard("wider", None, f"{name} is wider than {names}"))
    shapes = [one.shape for one in operands if one.shape is not None]
    if len(shapes) == len(operands):
        try:
            shape = np.broadcast_shapes(*shapes)
        except ValueError:
            raise ValueError(f"explain: operands of shapes {', '.join(map(str, shapes))} do not broadcast") from None
        size = int(np.prod(shape, dtype=np.int64)) * held.dtype.itemsize
        largest = max((one.values.nbytes for one in operands if isinstance(one.values, np.ndarray)), default=0)
        if size > largest > 0:
            found.append(Hazard("memory", None, f"the result has {size} bytes, the largest operand {largest}"))
        return found
    for i, one in enumerate(operands):
        is_strong = any(one is other for other in strong)
        if is_strong and one.node.dtype is not None and held.dtype.itemsize > one.node.dtype.itemsize:
            text = f"an element takes {held.dtype.itemsize} bytes as {name}, {one.node.dtype.itemsize} as {one.node}"
            found.append(Hazard("memory", i, text))
    return found


# -- the numbers that a dtype represents --------------------------------------------------------------------------------------


def component(node: Node) -> Node:
    """Return the strong node of a complex node's parts; of any other node, its strong node."""
    return node.real.strong


def limits(node: Node) -> tuple[int | float, int | float]:
    """Return the least and the greatest finite number of `node`, or of the parts of a complex node."""
    part = component(node)
    if part.kind != "f":
        return part.low, part.high
    info = ml_dtypes.finfo(part.dtype)
    return float(info.min), float(info.max)


def significant_bits(node: Node) -> int:
    """Return the number of significant bits of `node`, or of the parts of a complex node."""
    part = component(node)
    return int(ml_dtypes.finfo(part.dtype).nmant) + 1 if part.kind == "f" else part.bits - (part.kind == "i")


@without_float_warnings
def first_lost(source: Node, target: Node) -> int | float | None:
    """Return a positive number of `source` that is within the limits of `target` and not representable in it, or None.

    It is the least such integer, or the least such number if `target` represents all integers.
    """
    source, target = component(source), component(target)
    low, high = limits(target)
    if source.bits > 16:
        if target.kind != "f" or significant_bits(target) >= significant_bits(source):
            return None
        candidate = 2 ** significant_bits(target) + 1
        return candidate if candidate <= min(high, limits(source)[1]) else None
    numbers = _all_numbers(source)
    numbers = numbers[(numbers > 0) & (numbers >= low) & (numbers <= high)]
    lost = numbers[numbers.astype(target.dtype).astype(np.float64) != numbers]
    if not lost.size:
        return None
    integers = lost[lost == np.floor(lost)]
    return int(integers.min()) if integers.size else float(lost.min())


def _all_numbers(node: Node) -> NDArray[np.float64]:
    """Return every finite number of a type of at most 16 bits."""
    if node.kind == "f" and node.dtype is not None:
        patterns: NDArray[Any] = np.arange(2**node.bits, dtype=np.uint16 if node.bits > 8 else np.uint8)
        numbers = patterns.view(node.dtype).astype(np.float64)
        return numbers[np.isfinite(numbers)]
    low, high = limits(node)
    return np.arange(low, high + 1, dtype=np.float64)
