"""The elementwise functions of `lax`, as tables: name, accepted kinds of dtypes, what computes it."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum import Array, scipy
from supremum._base.buffers import Buffer
from supremum._base.functions import call_without_float_warnings
from supremum._core.array import wrap
from supremum._kernels.bit_patterns import reinterpret
from supremum._kernels.casts import cast
from supremum.jax._casting import as_operand, as_operands, convert_element_type as convert_element_type, public
from supremum.jax._dual import without_checks
from supremum.jax._modules import named
from supremum.jax.lax._gamma_slopes import gamma_lower_slope, gamma_sample_slope
from supremum.jax.lax._operands import TABLES, broadcast_shape, check_kinds, check_same_dtypes, common_node, dtype_node
from supremum.promotion._nodes import NODES

Compute = Callable[..., Array]
_FLOAT, _FC, _REAL, _NUMBER, _ANY, _INT = "f", "fc", "iuf", "iufc", "iufcb", "iu"


class RoundingMethod(enum.IntEnum):
    """How `round` rounds numbers that are halfway between two integers."""

    AWAY_FROM_ZERO = 0
    TO_NEAREST_EVEN = 1


def _xp(name: str) -> Compute:
    """Return a function of the namespace by name, which is imported at its first call."""

    def compute(*xs: Array) -> Array:
        return getattr(xp, name)(*xs)

    return compute


def _special(name: str) -> Compute:
    def compute(*xs: Array) -> Array:
        result: Array = getattr(scipy.special, name)(*xs)
        return wrap(cast(result._data, common_node(xs)), common_node(xs))

    return compute


# -- kernels ------------------------------------------------------------------------------------------------------------------


def _in_float32(function: Callable[[Buffer], Buffer]) -> Compute:
    """Return a function of Arrays that computes narrow floats in float32 and rounds once."""

    def compute(x: Array) -> Array:
        wide = cast(x._data, NODES["float32"]) if x._node.kind == "f" and x._node.bits < 32 else x._data
        return wrap(cast(np.asarray(call_without_float_warnings(function, wide)), x._node), x._node)

    return compute


def _half_away(x: Buffer) -> Buffer:
    whole = np.trunc(x)
    return np.copysign(whole + np.where(np.abs(x - whole) >= 0.5, np.sign(x), np.zeros((), x.dtype)), x).astype(x.dtype)


def _logistic(x: Buffer) -> Buffer:
    one = np.ones((), x.dtype)
    return np.asarray(one / (one + np.exp(-x)))


def _bits(x: Array) -> Buffer:
    """Return the bits of integers as unsigned integers of NumPy's."""
    return reinterpret(x._data, x._node, NODES[f"uint{x._node.bits}"]).view(f"u{x._data.dtype.itemsize}")


def _leading_zeros(x: Array) -> Array:
    bits = _bits(x)
    for step in (1, 2, 4, 8, 16, 32):  # set all bits after the first
        bits = bits | (bits >> min(step, 8 * bits.itemsize - 1))
    return wrap((x._node.bits - np.bitwise_count(bits)).astype(x._data.dtype), x._node)


def _quotient(x: Array, y: Array) -> Array:
    """Divide; the quotient of integers is rounded towards zero, by 0 it is -1."""
    if x._node.kind not in "iu":
        return xp.divide(x, y)
    whole = xp.floor_divide(xp.subtract(x, xp.fmod(x, y)), y)
    return wrap(np.where(y._data == 0, np.array(-1).astype(x._data.dtype), whole._data), common_node((x, y)))


def _remainder(x: Array, y: Array) -> Array:
    """Return the remainder of a division; of integers by 0 it is the dividend."""
    found = xp.fmod(x, y)
    return found if x._node.kind == "f" else wrap(np.where(y._data == 0, x._data, found._data), common_node((x, y)))


def _shifted_right(kind: str) -> Compute:
    """Return a shift to the right of integers that count as signed ("i") or unsigned ("u")."""

    def compute(x: Array, y: Array) -> Array:
        if x._node.kind == kind:
            return xp.bitwise_right_shift(x, y)
        node, other = x._node.strong, NODES[f"{'u' * (kind == 'u')}int{x._node.bits}"]
        found = xp.bitwise_right_shift(*[wrap(reinterpret(z._data, node, other), other) for z in (x, y)])
        return wrap(reinterpret(found._data, other, node), common_node((x, y)))

    return compute


def _high_product(x: Array, y: Array) -> Array:
    bits = x._node.bits
    wide: Any = object if bits > 32 else np.int64 if x._node.kind == "i" else np.uint64
    product = x._data.astype(wide) * y._data.astype(wide)
    return wrap(
        np.asarray((product >> (np.array(bits, wide) if wide is not object else bits)).astype(x._data.dtype)),
        common_node((x, y)),
    )


def _power(x: Array, y: Array) -> Array:
    with without_checks():  # an integer is an exponent of any dtype
        result = xp.pow(wrap(x._data, x._node.strong), wrap(y._data, y._node.strong))
    return wrap(cast(result._data, x._node), common_node((x, y)) if y._node.kind in "fc" else x._node)


def _complex(x: Array, y: Array) -> Array:
    if x._node.bits < 32:
        raise TypeError(f"complex does not accept dtype {x.dtype} at position 0. Accepted dtypes are float32 and float64.")
    node = common_node((x, y))
    wide = NODES["complex64" if node.bits == 32 else "complex128"]
    out = np.empty(np.broadcast_shapes(x.shape, y.shape), wide.dtype)
    out.real, out.imag = x._data, y._data
    return wrap(out, wide.weak_form if node.weak else wide)


def _sign(x: Array) -> Array:
    found = xp.sign(x)  # by the standard, 0 for both zeros
    return wrap(np.where(x._data == 0, x._data, found._data), x._node) if x._node.kind == "f" else found


def _arctan2(x: Array, y: Array) -> Array:
    if x._node.kind == "c":  # log((y + i x) / |...|), as for real numbers
        return xp.multiply(xp.log((y + 1j * x) / xp.sqrt(x * x + y * y)), -1j)
    return xp.atan2(x, y)


# -- tables -------------------------------------------------------------------------------------------------------------------

#: Those that are no functions elsewhere, with their facts.
_OWN: Final[dict[str, tuple[tuple[str, ...], dict[str, Any], Compute]]] = {
    "sign": ((_NUMBER,), {"constant": "steps"}, _sign),
    "conj": ((_FC,), {"same": "conj"}, lambda x: xp.conj(x) if x._node.kind == "c" else _complex(x, xp.zeros_like(x))),
    "rsqrt": ((_FC,), {"slope": "-0.5 * out / x"}, _in_float32(lambda x: np.asarray(np.ones((), x.dtype) / np.sqrt(x)))),
    "logistic": ((_FC,), {"same": "scipy.special.expit"}, _in_float32(_logistic)),
    "population_count": ((_INT,), {}, lambda x: wrap(np.bitwise_count(_bits(x)).astype(x._data.dtype), x._node)),
    "clz": ((_INT,), {}, _leading_zeros),
    "div": ((_NUMBER, _NUMBER), {"same": "divide"}, _quotient),
    "rem": ((_REAL, _REAL), {"same": "fmod"}, _remainder),
    "pow": ((_FC, _NUMBER), {"same": "pow"}, _power),
    "atan2": ((_FC, _FC), {"same": "atan2"}, _arctan2),
    "complex": ((_FLOAT, _FLOAT), {}, _complex),
    "shift_right_arithmetic": ((_INT, _INT), {}, _shifted_right("i")),
    "shift_right_logical": ((_INT, _INT), {}, _shifted_right("u")),
    "mulhi": ((_INT, _INT), {}, _high_product),
}


def _rows(section: str, make: Callable[[str], Compute], space: str = "") -> dict[str, tuple[Any, ...]]:
    """Return the rows of functions that are functions elsewhere: their kinds, their facts, and what computes them."""
    pairs = [(kinds.split(), word.partition("=")) for kinds, words in TABLES[section] for word in words.split()]
    return {name: (kinds, {"same": space + (other or name)}, make(other or name)) for kinds, (name, _, other) in pairs}


def _checked(name: str, kinds: tuple[str, ...], *xs: Any) -> list[Array]:
    """Return operands of kinds of dtypes, of one dtype and of shapes that broadcast."""
    operands = as_operands(name, *xs)
    check_kinds(name, kinds, operands)
    if name != "pow" or operands[1]._node.kind not in "iu":
        check_same_dtypes(name, operands)
    broadcast_shape(name, operands)
    return operands


def _unary(name: str, label: str, facts: dict[str, Any], compute: Compute, kinds: str) -> Callable[..., Array]:
    def function(x: Any, *, accuracy: object = None) -> Array:
        operand = as_operand(x, label)
        if operand._node.kind not in kinds:
            check_kinds(label, (kinds,), (operand,))
        return compute(operand)

    named(function, "jax.lax", name, f"Compute `jax.lax.{name}` of each element.")
    return public(function, kind="elementwise", operands="x", **facts)


def _binary(name: str, label: str, facts: dict[str, Any], compute: Compute, first: str, second: str) -> Callable[..., Array]:
    def function(x: Any, y: Any) -> Array:
        if type(x) is Array and type(y) is Array:  # operands of one dtype and shape
            node = x._node
            if node is y._node and node.kind in first and node.kind in second and x.shape == y.shape:
                return compute(x, y)
        return compute(*_checked(label, (first, second), x, y))

    named(function, "jax.lax", name, f"Compute `jax.lax.{name}` of pairs of elements of one dtype.")
    return public(function, kind="elementwise", operands="x y", **facts)


#: The functions without options, by name.
FUNCTIONS: Final = {
    name: (_unary if len(kinds) == 1 else _binary)(name, name.removeprefix("bitwise_"), facts, compute, *kinds)
    for name, (kinds, facts, compute) in {
        **_rows("namespace", _xp),
        **_rows("scipy.special", _special, "scipy.special."),
        **_OWN,
    }.items()
}
# -- functions with options ---------------------------------------------------------------------------------------------------


@public(kind="elementwise", operands="x y", slope=("y", "x"))
def mul(x: Any, y: Any, *, out_dtype: Any = None) -> Array:
    """Multiply elements of one dtype."""
    if out_dtype is None and type(x) is Array and type(y) is Array:  # operands of one dtype and shape
        node = x._node
        if node is y._node and node.kind in _NUMBER and x.shape == y.shape:
            return xp.multiply(x, y)
    if out_dtype is not None:
        operands = as_operands("mul", x, y)
        check_kinds("mul", (_NUMBER, _NUMBER), operands)
        x, y = [z.astype(out_dtype) for z in operands]
    a, b = _checked("mul", (_NUMBER, _NUMBER), x, y)
    return xp.multiply(a, b)


@public(kind="elementwise", operands="x", constant="steps")
def round(x: Any, rounding_method: RoundingMethod = RoundingMethod.AWAY_FROM_ZERO) -> Array:
    """Round floats to integers."""
    operand = as_operand(x, "round")
    check_kinds("round", (_FLOAT,), (operand,))
    even = RoundingMethod(rounding_method) is RoundingMethod.TO_NEAREST_EVEN
    return xp.round(operand) if even else _in_float32(_half_away)(operand)


@public(kind="elementwise", operands="x")
def integer_pow(x: Any, y: int) -> Array:
    """Raise elements to the power of one Python integer."""
    operand = as_operand(x, "integer_pow")
    check_kinds("integer_pow", (_NUMBER,), (operand,))
    if operand._node.kind in "iu" and y < 0:
        raise TypeError(f"Integers cannot be raised to negative powers, got integer_pow({operand.dtype}, {y})")
    if y == 0:
        return xp.ones_like(operand)
    result, square, rest = None, operand, abs(y)
    while rest:
        if rest & 1:
            result = square if result is None else result * square
        rest >>= 1
        square = square * square if rest else square
    assert result is not None  # noqa: S101 - y is not 0
    return result if y > 0 else xp.divide(xp.ones_like(result), result)


@public(kind="elementwise", operands="x", slope="-square(out)")
def reciprocal(x: Any) -> Array:
    """Divide 1 by elements."""
    return integer_pow(x, -1)


@public(kind="composed", operands="min x max", slope=("(min > x) & (min < max)", "(x > min) & (x < max)", "max < x"))
def clamp(min: Any, x: Any, max: Any) -> Array:
    """Limit elements to a range."""
    low, operand, high = operands = as_operands("clamp", min, x, max)
    check_same_dtypes("clamp", operands)
    check_kinds("clamp", (_ANY,) * 3, operands)
    for what, bound in (("min", low), ("max", high)):
        if bound.ndim and bound.shape != operand.shape:
            raise TypeError(f"clamp requires {what}.shape == operand.shape or {what}.shape == (), got {bound.shape}.")
    return xp.minimum(xp.maximum(operand, low), high)


@public(kind="composed")
def select_n(which: Any, *cases: Any) -> Array:
    """Choose elements from several arrays of one shape and dtype by integers, or from two by a condition."""
    if not cases:
        raise ValueError("select_n() must have at least one case")
    choice = as_operand(which, "select_n")
    arrays = as_operands("select_n", *cases)
    if len({x.shape for x in arrays}) > 1:
        raise TypeError(f"select cases must have the same shapes, got [{', '.join(str(x.shape) for x in arrays)}].")
    check_same_dtypes("select", arrays)
    if choice._node.kind not in "bi":
        raise TypeError(f"select `which` must have boolean or int32 type, got {choice.dtype}.")
    if choice._node.kind == "b" and len(arrays) > 2:
        raise TypeError(f"select with boolean `which` cannot have > 2 cases, got {len(arrays)}.")
    if choice.ndim and choice.shape != arrays[0].shape:
        raise TypeError(f"select `which` must be scalar or of the shape {arrays[0].shape} of the cases, got {choice.shape}.")
    if choice._node.kind == "b" and len(arrays) == 2:
        return xp.where(choice, arrays[1], arrays[0])
    out = xp.copy(arrays[0])
    for number, x in enumerate(arrays[1:], 1):
        out = xp.where(choice >= number, x, out)
    return out


@public(kind="composed")
def select(pred: Any, on_true: Any, on_false: Any) -> Array:
    """Choose elements from two arrays of one shape and dtype by a condition."""
    return select_n(pred, on_false, on_true)


@public(kind="elementwise", operands="m x", slope=("", "polygamma(m + 1, x)"))
def polygamma(m: Any, x: Any) -> Array:
    """Compute derivatives of the digamma function."""
    return _incomplete("polygamma", scipy.special._gamma_functions.derivative_of_digamma, m, x)


@public(
    kind="elementwise",
    operands="a b x",
    slope=("", "", "exp(special.xlog1py(b - 1, -x) + special.xlogy(a - 1, x) - betaln(a, b))"),
)
def betainc(a: Any, b: Any, x: Any) -> Array:
    """Compute the regularized incomplete beta function."""
    return _special("betainc")(*_checked("betainc", (_FLOAT,) * 3, a, b, x))


@public(kind="elementwise", operands="a x")
def igamma_grad_a(a: Any, x: Any) -> Array:
    """Compute the derivative of the lower incomplete gamma function by its parameter."""
    return _incomplete("igamma_grad_a", gamma_lower_slope, a, x)


@public(kind="elementwise", operands="a x")
def random_gamma_grad(a: Any, x: Any, *, dtype: Any = None) -> Array:
    """Compute the derivative of samples of the gamma distribution by its parameter."""
    return _incomplete("random_gamma_grad", gamma_sample_slope, a, x)


def _incomplete(name: str, kernel: Callable[..., Buffer], *xs: Any) -> Array:
    operands = _checked(name, (_FLOAT,) * len(xs), *xs)
    double, node = NODES["float64"], common_node(operands)
    found = call_without_float_warnings(kernel, *[cast(x._data, double) for x in operands])
    return wrap(cast(found, node), node)


# -- dtypes -------------------------------------------------------------------------------------------------------------------


@public(operands="operand", own="result", constant="steps")
def bitcast_convert_type(operand: Any, new_dtype: Any) -> Array:
    """Return the bits of elements as elements of another dtype.

    A dtype of another width adds or takes away a last axis.
    """
    x = as_operand(operand, "bitcast_convert_type")
    node = dtype_node(new_dtype)
    if "b" in (x._node.kind, node.kind) and x._node.kind != node.kind:
        raise TypeError(f"bitcast_convert_type does not support bool and other dtypes, got {x.dtype} and {node.dtype}")
    if ("c" in (x._node.kind, node.kind)) and x._node.strong is not node:
        raise TypeError(f"lax.bitcast_convert_type does not support complex dtypes, got {x.dtype} and {node.dtype}")
    old, new = x._node.bits, node.bits
    if old < new and x.shape[-1:] != (new // old,):
        raise ValueError(f"Attempting to convert {x.dtype}{list(x.shape)} to {node.dtype}: the last axis must be {new // old}")
    found = reinterpret(x._data[..., None] if old > new else x._data, x._node, node)
    return wrap(found[..., 0] if old < new else found, node)


@public(kind="elementwise", operands="operand", linear="operand", own="result")
def reduce_precision(operand: Any, exponent_bits: int, mantissa_bits: int) -> Array:
    """Round floats to fewer bits of exponent and mantissa, to nearest even, in their own dtype."""
    x = as_operand(operand, "reduce_precision")
    check_kinds("reduce_precision", (_FLOAT,), (x,))
    if exponent_bits < 1 or mantissa_bits < 0:
        raise ValueError("reduce_precision: exponent_bits is positive and mantissa_bits is not negative")
    data = cast(x._data, NODES["float64"])
    limit = 2 ** (exponent_bits - 1) - 1
    with np.errstate(all="ignore"):
        fraction, exponent = np.frexp(data)
        scaled = np.ldexp(np.rint(np.ldexp(fraction, mantissa_bits + 1)), exponent - mantissa_bits - 1)
        out = np.where(np.isfinite(data), scaled, data)
        out = np.where(np.abs(out) >= 2.0 ** min(limit + 1, 1023), np.copysign(np.inf, data), out) if limit < 1023 else out
        out = np.where(np.abs(out) < 2.0 ** (1 - limit), np.copysign(0.0, data), out) if limit < 1023 else out
    return wrap(cast(np.asarray(out), x._node), x._node)
