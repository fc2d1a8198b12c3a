"""Every function of narrow numbers, for every operand (many pairs of 16-bit operands), against exact arithmetic."""

import operator

import numpy as np
import pytest
from common import for_each
from narrow_formats import FORMATS, describe, same
from rows import RULES

from supremum._kernels import narrow
from supremum.promotion._nodes import NODES

NARROW = {name: node for name, node in NODES.items() if not node.native and node.kind in "fiu"}
INTEGERS = [name for name, node in NARROW.items() if node.kind in "iu"]
#: Number of elements from which tables are filled and the code for large arrays is used.
LARGE = 1 << 17


def kernel_of(name, node):
    """Return a function's kernel, or None if the function does not support this dtype."""
    rule = RULES[name]
    if node.kind not in rule.accepts:
        return None
    compute, result = rule.result.follow(node)
    if compute is not node:
        return None
    return narrow.kernel(name, rule.kernel_for(node), rule.nin, compute, result, widens=rule.widen)


def large(kernel, *operands):
    """Compute as for large arrays, with tables filled."""
    shape = operands[0].shape
    repeated = [np.resize(operand, LARGE) for operand in operands]
    kernel(*repeated)
    return kernel(*repeated)[: shape[0]] if shape[0] <= LARGE else kernel(*operands)


def small(kernel, *operands):
    """Compute the first and the last few elements as for small arrays."""
    size = operands[0].size
    starts = {start % size for start in (*range(0, 640, 32), *range(size - 320, size, 32)) if start >= 0}
    return {start: kernel(*[operand[start : start + 32] for operand in operands]) for start in sorted(starts)}


def bits(x):
    """Return bits that distinguish elements, with one pattern for every NaN."""
    x = np.asarray(x)
    if x.dtype == np.bool_ or x.dtype.kind in "iu":
        return x
    wide = x.astype(np.float32)
    return np.where(np.isnan(wide), np.float32(np.nan), wide).view(np.uint32)


def pairs(name):
    """Return two operands: all pairs of a dtype of at most 8 bits, special and random pairs of 16 bits."""
    node = NARROW[name]
    if node.bits <= 8:
        every = np.arange(1 << node.bits, dtype=np.uint8).view(node.dtype)
        return np.repeat(every, every.size), np.tile(every, every.size)
    draw = np.random.default_rng(len(name))
    special = np.array([0, 1, 2, 0x3F80, 0x3F81, 0x3C00, 0x3BFF, 0x7BFF, 0x7C00, 0x7E00, 0x7F7F, 0x7F80, 0x7FC0], np.uint16)
    special = np.concatenate([special, special | 0x8000, np.arange(0, 1 << 16, 1031, dtype=np.uint16)])
    first, second = (x.ravel() for x in np.meshgrid(special, special))
    random = draw.integers(0, 1 << 16, (2, 100_000), dtype=np.uint16)
    close = (random[0] & 0x7FFF) + draw.integers(-600, 600, 100_000)
    close = np.clip(close, 0, 0x7FFF).astype(np.uint16) | (random[1] & 0x8000)
    return tuple(
        np.concatenate(parts).view(node.dtype) for parts in ([first, random[0], random[0]], [second, random[1], close])
    )


# -- one operand --------------------------------------------------------------------------------------------------------------

#: Functions that float64 computes exactly, or (sqrt, reciprocal) so accurately that rounding its result rounds the exact one.
EXACT_UNARY = {
    "abs": np.abs,
    "ceil": np.ceil,
    "conj": np.positive,
    "fabs": np.abs,
    "floor": np.floor,
    "negative": np.negative,
    "positive": np.positive,
    "real": np.positive,
    "reciprocal": lambda x: 1 / x,
    "round": np.rint,
    "sqrt": np.sqrt,
    "square": np.square,
    "trunc": np.trunc,
}
PREDICATES = {
    "isfinite": np.isfinite,
    "isinf": np.isinf,
    "isnan": np.isnan,
    "isneginf": lambda x: x == -np.inf,
    "isposinf": lambda x: x == np.inf,
    "logical_not": np.logical_not,
    "signbit": np.signbit,
}
#: Functions that float64 computes accurately: the result is rounded from float32, which has an error of a few units.
TRANSCENDENTAL = {
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atanh": np.arctanh,
    "cbrt": np.cbrt,
    "cos": np.cos,
    "cosh": np.cosh,
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "sin": np.sin,
    "sinh": np.sinh,
    "tan": np.tan,
    "tanh": np.tanh,
}
#: Error in units in the last place of float32 that a function computed in float32 may have before it is rounded.
FLOAT32_ERROR = 4 * 2.0**-24


@for_each("name", FORMATS)
def test_exact_functions_of_every_float(name):
    form = FORMATS[name]
    x = form.decode()
    for function, exact in EXACT_UNARY.items():
        with np.errstate(all="ignore"):
            expected = form.nearest(exact(x))
        got = large(kernel_of(function, NODES[name]), form.every)
        right = same(got, expected) | (np.isnan(expected) if form.special == "finite" else False)
        assert right.all(), f"{function}: {describe(~right, x, got.astype(np.float32), expected)}"


@for_each("name", FORMATS)
def test_predicates_of_every_float(name):
    form = FORMATS[name]
    x = form.decode()
    for function, exact in PREDICATES.items():
        got = large(kernel_of(function, NODES[name]), form.every)
        assert got.dtype == np.bool_
        expected = exact(x)
        wrong = got != expected
        if function == "signbit":
            wrong &= ~np.isnan(x)  # the sign of NaN
        assert not wrong.any(), f"{function}: {describe(wrong, x)}"


@for_each("name", FORMATS)
def test_sign_of_every_float(name):
    form = FORMATS[name]
    x = form.decode()
    got = large(kernel_of("sign", NODES[name]), form.every).astype(np.float64)
    np.testing.assert_array_equal(got, np.sign(x))  # the sign of the sign of zero is not specified


@for_each("name", FORMATS)
def test_transcendental_functions_of_every_float_are_float32s_rounded_once(name):
    form = FORMATS[name]
    x = form.decode()
    for function, exact in TRANSCENDENTAL.items():
        with np.errstate(all="ignore"):
            value = exact(x)
            error = np.abs(value) * FLOAT32_ERROR
            least, most = form.nearest(value - error), form.nearest(value + error)
        got = np.asarray(large(kernel_of(function, NODES[name]), form.every)).astype(np.float64)
        right = (got == least) | (got == most) | (np.isnan(got) & (np.isnan(least) | np.isnan(most)))
        if form.special == "finite":
            right |= np.isnan(value)
        assert right.all(), f"{function}: {describe(~right, x, got, value)}"


@for_each("name", NARROW)
def test_functions_of_one_operand_answer_alike_at_every_size(name):
    node = NARROW[name]
    every = np.arange(1 << node.bits, dtype=f"u{node.dtype.itemsize}").view(node.dtype)
    for function, rule in RULES.items():
        kernel = kernel_of(function, node) if rule.nin == 1 else None
        if kernel is None:
            continue
        everything = large(kernel, every)
        assert everything.dtype == rule.result.follow(node)[1].dtype, function
        for start, few in small(kernel, every).items():
            np.testing.assert_array_equal(bits(few), bits(everything[start : start + 32]), err_msg=function)


# -- two operands -------------------------------------------------------------------------------------------------------------


def two_sum(a, b):
    """Return the sum in float64 and its rounding error: Knuth's exact transformation."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


#: Results in float64, and their differences from the exact ones, whose signs decide ties.
EXACT_BINARY = {
    "add": two_sum,
    "subtract": lambda a, b: two_sum(a, -b),
    "multiply": lambda a, b: (a * b, 0.0),  # at most 22 bits, so exact
    "divide": lambda a, b: (a / b, 0.0),  # a quotient of 11 bits by 11 bits is no tie of 12 bits unless it is one in float64
    "maximum": lambda a, b: (np.maximum(a, b), 0.0),
    "minimum": lambda a, b: (np.minimum(a, b), 0.0),
    "fmax": lambda a, b: (np.fmax(a, b), 0.0),
    "fmin": lambda a, b: (np.fmin(a, b), 0.0),
    "copysign": lambda a, b: (np.copysign(a, b), 0.0),
}
COMPARISONS = {
    "equal": operator.eq,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "less": operator.lt,
    "less_equal": operator.le,
    "not_equal": operator.ne,
    "logical_and": np.logical_and,
    "logical_or": np.logical_or,
    "logical_xor": np.logical_xor,
}


@for_each("name", FORMATS)
def test_arithmetic_of_pairs_of_floats(name):
    form = FORMATS[name]
    a, b = pairs(name)
    values = form.decode()
    x, y = (values[operand.view(f"u{form.dtype.itemsize}")] for operand in (a, b))
    for function, exact in EXACT_BINARY.items():
        with np.errstate(all="ignore"):
            expected = form.nearest(*exact(x, y))
        got = large(kernel_of(function, NODES[name]), a, b)
        right = same(got, expected)
        if form.special == "finite":
            right |= np.isnan(expected)
        if function in ("maximum", "minimum", "fmax", "fmin"):
            right |= (x == 0) & (y == 0)  # the standard lets either of two zeros be the greater one
        if function == "copysign":
            right |= np.isnan(y)  # the sign of NaN
        assert right.all(), f"{function}: {describe(~right, x, y, got.astype(np.float32), expected)}"


@for_each("name", FORMATS)
def test_comparisons_of_pairs_of_floats(name):
    a, b = pairs(name)
    values = FORMATS[name].decode()
    x, y = (values[operand.view(f"u{operand.itemsize}")] for operand in (a, b))
    for function, exact in COMPARISONS.items():
        got = large(kernel_of(function, NODES[name]), a, b)
        wrong = got != exact(x, y)
        assert not wrong.any(), f"{function}: {describe(wrong, x, y)}"


def wrapped(value, node):
    """Wrap Python integers to the low bits."""
    low = -(1 << (node.bits - 1)) if node.kind == "i" else 0
    return (value - low) % (1 << node.bits) + low


INTEGER_ARITHMETIC = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "maximum": np.maximum,
    "minimum": np.minimum,
}


def numbers(name):
    """Return the number for every pattern of a sub-byte integer."""
    node = NARROW[name]
    return wrapped(np.arange(1 << node.bits), node)


@pytest.mark.parametrize("name", INTEGERS)
def test_arithmetic_and_comparisons_of_all_pairs_of_integers(name):
    node = NARROW[name]
    a, b = pairs(name)
    values = numbers(name)
    x, y = values[a.view(np.uint8)], values[b.view(np.uint8)]
    for function, exact in INTEGER_ARITHMETIC.items():
        got = large(kernel_of(function, node), a, b)
        assert got.dtype == node.dtype
        np.testing.assert_array_equal(got.astype(np.int64), wrapped(exact(x, y), node), err_msg=function)
    for function, exact in COMPARISONS.items():
        np.testing.assert_array_equal(large(kernel_of(function, node), a, b), exact(x, y), err_msg=function)
    divisor = y != 0
    for function, exact in {"floor_divide": operator.floordiv, "remainder": operator.mod}.items():
        got = large(kernel_of(function, node), a, b).astype(np.int64)
        expected = wrapped(exact(x[divisor], y[divisor]), node)
        np.testing.assert_array_equal(got[divisor], expected, err_msg=function)


@pytest.mark.parametrize("name", INTEGERS)
def test_functions_of_every_integer(name):
    node = NARROW[name]
    values = numbers(name)
    every = np.arange(1 << node.bits, dtype=np.uint8).view(node.dtype)
    for function, exact in {
        "abs": abs, "bitwise_invert": operator.invert, "negative": operator.neg, "positive": operator.pos, "sign": np.sign,
        "square": np.square,
    }.items():  # fmt: skip
        got = large(kernel_of(function, node), every)
        assert got.dtype == node.dtype
        np.testing.assert_array_equal(got.astype(np.int64), wrapped(exact(values), node), err_msg=function)
    np.testing.assert_array_equal(large(kernel_of("logical_not", node), every), values == 0)


@for_each("name", NARROW)
def test_functions_of_two_operands_answer_alike_at_every_size(name):
    node = NARROW[name]
    a, b = pairs(name)
    for function, rule in RULES.items():
        kernel = kernel_of(function, node) if rule.nin == 2 else None
        if kernel is None:
            continue
        everything = large(kernel, a, b)
        assert everything.dtype == rule.result.follow(node)[1].dtype, function
        # Which of two zeros is greater is not specified.
        zeros = np.full(a.shape, function in ("maximum", "minimum", "fmax", "fmin"))
        zeros &= (a.astype(np.float32) == 0) & (b.astype(np.float32) == 0)
        for start, few in small(kernel, a, b).items():
            part = slice(start, start + 32)
            wrong = (bits(few) != bits(everything[part])) & ~zeros[part]
            assert not wrong.any(), f"{function}: {describe(wrong, a[part].astype(float), b[part].astype(float))}"


# -- shapes -------------------------------------------------------------------------------------------------------------------

SHAPES = [
    ((0,), (0,)),
    ((), ()),
    ((), (3,)),
    ((1,), (70_000,)),
    ((), (70_000,)),
    ((70_000,), ()),
    ((300, 1), (1, 300)),
    ((300, 300), (300,)),
    ((2, 0, 3), (3,)),
    ((0, 1), (1, 70_000)),
    ((400_000,), (400_000,)),
    ((400_000,), ()),
    ((2500, 1000), (1000,)),
]


@pytest.mark.combinations
@pytest.mark.parametrize("name", ["bfloat16", "float16", "float8_e4m3fn", "int4"])
@pytest.mark.parametrize("function", ["add", "maximum", "less", "floor_divide"])
def test_operands_are_broadcast_at_every_size(name, function):
    node = NARROW[name]
    draw = np.random.default_rng(1)
    kernel = kernel_of(function, node)
    for shapes in SHAPES * 2:  # tables are filled in the first round
        a, b = (np.asarray(draw.integers(1, 7, shape)).astype(node.dtype) for shape in shapes)
        before = a.copy(), b.copy()
        expected = getattr(np, function)(a.astype(np.int64), b.astype(np.int64))
        if expected.dtype != np.bool_:
            expected = wrapped(expected, node) if node.kind == "i" else FORMATS[name].nearest(expected.astype(float))
        got = np.asarray(kernel(a, b))
        assert got.shape == expected.shape
        np.testing.assert_array_equal(got.astype(np.float64), expected.astype(np.float64))
        assert (bits(before[0]) == bits(a)).all()
        assert (bits(before[1]) == bits(b)).all()


@pytest.mark.parametrize("name", ["bfloat16", "float16", "float8_e5m2", "uint4"])
def test_operands_may_lie_in_memory_in_any_way(name):
    node = NARROW[name]
    x = (np.arange(90_000) % 7).reshape(300, 300)
    a = x.astype(node.dtype)
    for view in (np.transpose, lambda z: z[::2, ::-3], np.asfortranarray, lambda z: z[1:, 5], lambda z: z[:, :250]):
        wide = view(x)
        for _ in range(2):
            for function, exact in {"add": wide + wide, "negative": -wide, "square": wide * wide}.items():
                operands = [view(a)] * RULES[function].nin
                got = kernel_of(function, node)(*operands).astype(float)
                np.testing.assert_array_equal(got, rounded(exact, name), err_msg=function)
            np.testing.assert_array_equal(kernel_of("less", node)(view(a), view(a)[..., ::-1]), wide < wide[..., ::-1])


def rounded(exact, name):
    """Return integers rounded to a narrow dtype."""
    node = NARROW[name]
    return wrapped(exact, node) if node.kind in "iu" else FORMATS[name].nearest(exact.astype(float))


def test_shapes_that_do_not_fit_raise():
    x = np.ones(70_000, NARROW["bfloat16"].dtype)
    for name in ("add", "maximum", "less"):
        with pytest.raises(ValueError):
            kernel_of(name, NARROW["bfloat16"])(x, x[1:])


def test_a_comparison_may_be_with_what_the_dtype_does_not_hold():
    rule = RULES["less"]
    node = NARROW["bfloat16"]
    kernel = narrow.kernel("less", rule.kernel, 2, node, NODES["bool"], loose=True)
    for size in (3, 70_000):
        x = np.resize(np.array([1, 256, 258]), size).astype(node.dtype)
        for value in (257, 2**60 + 1, -(2**2000)):
            expected = [float(number) < value for number in (1.0, 256.0, 258.0)]
            assert kernel(x, np.array(value, object))[:3].tolist() == expected
            assert kernel(np.array(value, object), x)[:3].tolist() == [not less for less in expected]
