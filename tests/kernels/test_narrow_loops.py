"""The loops of narrow dtypes, at every level of the processor, against their definition: widen, compute, round once."""

import contextlib
import itertools
import warnings

import ml_dtypes
import numpy as np
import pytest
from common import for_each, levels
from rows import RULES

import supremum as xp
from supremum._base.buffers import native
from supremum._core.plans import ufunc_of
from supremum._kernels import narrow
from supremum.promotion._nodes import NODES

pytestmark = pytest.mark.skipif(
    native is None, reason="the loops are in the extension module, which is not built or not wanted"
)

NARROW = {name: node for name, node in NODES.items() if not node.native and node.kind in "fiu"}
FLOATS = [name for name, node in NARROW.items() if node.kind == "f"]
#: Codes of 16-bit floats that lie next to where something changes: zeros, subnormal numbers, one, the largest, infinity, NaN.
SPECIAL = np.array(
    [0, 1, 2, 0x7F, 0x80, 0x81, 0x3FF, 0x400, 0x401, 0x3BFF, 0x3C00, 0x3C01, 0x3F7F, 0x3F80, 0x3F81, 0x4000, 0x4040, 0x42C8,
     0x7BFE, 0x7BFF, 0x7C00, 0x7C01, 0x7E00, 0x7E05, 0x7F7E, 0x7F7F, 0x7F80, 0x7F81, 0x7FC0, 0x7FFF],
    np.uint16,
)  # fmt: skip


@contextlib.contextmanager
def at(level):
    before = native.set_level(level)
    try:
        yield
    finally:
        native.set_level(before)


def codes(x):
    return x.view(f"u{x.dtype.itemsize}")


def unsigned(node):
    return np.dtype(f"u{node.dtype.itemsize}")


def functions(node, nin):
    """Yield the name, the ufunc and the definition of the functions that have a loop for a node."""
    for name, rule in RULES.items():
        if rule.nin != nin or node.kind not in rule.accepts:
            continue
        compute, result = rule.result.follow(node)
        if compute is not node:
            continue
        function = rule.kernel_for(node)
        found = ufunc_of(rule, compute, result)
        if found is not None:
            copies = name in ("conj", "positive", "real")
            yield name, found, np.copy if copies else defined(function, node, result) if rule.widen else function


def defined(function, node, result):
    """Return the definition of a function: NumPy's casts are exact one way, and `narrow_formats` tests the other way."""
    wide = narrow.wide_of(node)

    def compute(*operands):
        # NaN are quiet: functions of the C library answer signalling ones otherwise, which conversions of float16 do not keep.
        answer = np.asarray(function(*[x.astype(wide) * wide.type(1) for x in operands]))
        return answer if answer.dtype == np.bool_ else answer.astype(result.dtype)

    return compute


def check(got, expected, what):
    """Compare bits; of NaN, only that they are."""
    assert got.dtype == expected.dtype, what
    if got.dtype == np.bool_:
        np.testing.assert_array_equal(got, expected, err_msg=what)
        return
    wrong = codes(got) != codes(expected)
    if wrong.any():
        wide = narrow.wide_of(NODES[got.dtype.name])
        wrong &= ~(np.isnan(got.astype(wide)) & np.isnan(expected.astype(wide)))
    assert not wrong.any(), f"{what}: {np.flatnonzero(wrong)[:3]}: {got[wrong][:3]} is not {expected[wrong][:3]}"


def pairs(node, count, seed=0):
    """Return all pairs of elements of up to 8 bits, or special and `count` random pairs of 16 bits."""
    if node.bits <= 8:
        every = np.arange(1 << node.bits, dtype=np.uint8).view(node.dtype)
        return np.repeat(every, every.size), np.tile(every, every.size)
    both = np.concatenate([SPECIAL, SPECIAL | 0x8000])
    drawn = np.random.default_rng(seed).integers(0, 1 << 16, (2, count), dtype=np.uint16)
    first, second = (
        np.concatenate([np.repeat(both, both.size), drawn[0]]),
        np.concatenate([np.tile(both, both.size), drawn[1]]),
    )
    return first.view(node.dtype), second.view(node.dtype)


@pytest.mark.skipif(native is None, reason="the loops are in the extension module")
def test_loops_do_not_depend_on_what_was_called_before(monkeypatch):
    monkeypatch.setattr(narrow, "_kernels", {})
    for node in NARROW.values():
        for name in ("add", "minimum", "maximum"):
            assert ufunc_of(RULES[name], node, node) is not None


@pytest.mark.combinations
@pytest.mark.parametrize("level", levels())
@pytest.mark.parametrize("name", NARROW)
def test_functions_of_every_element(name, level):
    node = NARROW[name]
    every = np.arange(1 << node.bits, dtype=unsigned(node)).view(node.dtype)
    found = set()
    for function, ufunc, definition in functions(node, 1):
        with at(level):
            check(ufunc(every), np.asarray(definition(every)), function)
        found.add(function)
    common = {"abs", "negative", "sign", "isnan", "isfinite", "square", "floor"} - (
        {"negative", "sign"} if node.kind == "u" else set()
    )
    assert found >= common | ({"exp", "sin", "tanh", "log", "sqrt", "signbit"} if node.kind == "f" else set())


@pytest.mark.combinations
@pytest.mark.parametrize("level", levels())
@pytest.mark.parametrize("name", NARROW)
def test_functions_of_pairs(name, level):
    node = NARROW[name]
    a, b = pairs(node, 20_000, level)
    found = set()
    for function, ufunc, definition in functions(node, 2):
        with at(level):
            check(ufunc(a, b), np.asarray(definition(a, b)), function)
        found.add(function)
    assert found >= {"add", "subtract", "multiply", "less", "equal", "maximum", "minimum", "remainder", "floor_divide"}
    assert node.kind != "f" or found >= {"divide", "pow", "atan2", "hypot", "copysign"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bfloat16", "float16"])
def test_functions_of_ten_million_pairs(name):
    node = NARROW[name]
    for seed in range(10):
        a, b = pairs(node, 1_000_000, seed)
        for function, ufunc, definition in functions(node, 2):
            check(ufunc(a, b), np.asarray(definition(a, b)), function)


SAMPLE = {1: ("negative", "exp", "isnan", "floor"), 2: ("add", "less", "maximum", "pow", "floor_divide")}
SIZES = (*range(20), 31, 32, 33, 63, 64, 65, 127, 1023, 1024, 1025, 1040, 2049, 3000)


@pytest.mark.combinations
@pytest.mark.parametrize("level", levels())
@pytest.mark.parametrize(
    "name", ["bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float4_e2m1fn", "int4"]
)
def test_sizes_strides_and_places(name, level):
    node = NARROW[name]
    draw = np.random.default_rng(len(name))
    room = draw.integers(0, 1 << node.bits, (3, 10_000), dtype=unsigned(node)).view(node.dtype)
    for nin in (1, 2):
        for function, ufunc, definition in functions(node, nin):
            if function not in SAMPLE[nin]:
                continue
            for size, steps in itertools.product(SIZES, itertools.product((1, -1, 2, 0), repeat=nin)):
                if size > 40 and size != 1040 and 0 not in steps and steps[0] != -1:
                    continue
                operands = [
                    np.broadcast_to(room[i, :1], size) if step == 0 else room[i][:: abs(step)][:size][:: step // abs(step)]
                    for i, step in enumerate(steps)
                ]
                expected = np.asarray(definition(*[np.ascontiguousarray(x) for x in operands]))
                with at(level):
                    check(ufunc(*operands), expected, f"{function} {size} {steps}")
                    out = np.zeros(3 * size, expected.dtype)[::3]
                    ufunc(*operands, out=out)
                    check(np.ascontiguousarray(out), expected, f"{function} {size} {steps} to a strided result")


@pytest.mark.parametrize("name", ["bfloat16", "float16", "float8_e5m2", "int4"])
def test_in_place_and_overlapping(name):
    node = NARROW[name]
    draw = np.random.default_rng(1)
    start = draw.integers(0, 1 << node.bits, 3000, dtype=unsigned(node)).view(node.dtype)
    for function, ufunc, definition in functions(node, 2):
        if function not in ("add", "maximum", "pow"):
            continue
        for first, second, to in [
            ((0, 9), (0, 9), (0, 9)),
            ((0, 9), (9, 0), (0, 9)),
            ((0, 9), (5, 4), (9, 0)),
            ((9, 0), (0, 9), (8, 1)),
        ]:
            x = start.copy()
            a, b, out = (x[before : x.size - after] for before, after in (first, second, to))
            expected = np.asarray(definition(a.copy(), b.copy()))
            ufunc(a, b, out=out)
            check(out, expected, function)
    ufunc = ufunc_of(RULES["add"], node, node)
    few = start[:50]
    total = [few[0]]
    for element in few[1:]:
        total.append(ufunc(total[-1], element))
    check(ufunc.accumulate(few), np.array(total, node.dtype), "accumulate")
    check(np.asarray(ufunc.reduce(few)).reshape(1), np.array(total[-1:], node.dtype), "reduce")


@pytest.mark.parametrize("name", ["bfloat16", "float16", "float8_e4m3fn"])
def test_foreign_byte_order_unaligned_and_read_only_operands(name):
    node = NARROW[name]
    a, b = (np.linspace(start, 5, 77).astype(np.float32).astype(node.dtype) for start in (1, 2))
    expected = (a.astype(np.float32) + b.astype(np.float32)).astype(node.dtype)
    unaligned = np.zeros(a.nbytes + 1, np.uint8)[1:].view(node.dtype)
    unaligned[...] = a
    fixed = a.copy()
    fixed.flags.writeable = False
    for x in (a.astype(a.dtype.newbyteorder()), unaligned, fixed, a[::-1][::-1]):
        check(np.asarray(xp.asarray(x) + xp.asarray(b)), expected, name)
        check(ufunc_of(RULES["add"], node, node)(x, b), expected, name)


def test_empty_and_zero_dimensional():
    for name in ("bfloat16", "float16", "float8_e4m3fn"):
        empty, one = xp.zeros((0, 3), dtype=name), xp.asarray(1.5, dtype=name)
        assert (empty + empty).shape == (0, 3)
        assert (one + one).dtype == name
        assert float(one + one) == 3.0
        assert (one + empty).shape == (0, 3)
        assert xp.exp(empty).shape == (0, 3)


@for_each("name", FLOATS)
def test_python_scalars_round_as_elements_do(name):
    node = NARROW[name]
    draw = np.random.default_rng(3)
    every = np.arange(1 << min(node.bits, 8), dtype=np.uint8).astype(unsigned(node)) << max(0, node.bits - 8)
    values = np.unique(every.view(node.dtype).astype(np.float64))
    values = values[np.isfinite(values)]
    with np.errstate(all="ignore"):
        middles = (values[1:] + values[:-1]) / 2
        near = [np.nextafter(middles, side) for side in (-np.inf, np.inf)]
        numbers = np.concatenate(
            [values, middles, *near, draw.standard_normal(50), [1e300, -1e300, 1e-300, 5e-324, np.inf, np.nan, -0.0]]
        )
    x = xp.asarray([1.0, 2.0], dtype=name)
    for number in numbers:
        element = np.asarray(number).astype(node.dtype)
        expected = np.asarray(x * xp.asarray(np.broadcast_to(element, 2)))
        check(np.asarray(x * float(number)), expected, f"x * {number!r}")
        check(np.asarray(float(number) * x), expected, f"{number!r} * x")
    for number in (0, 1, -1, 3, 7, 100, 255, 257, 2049, 65519, 65520, (1 << 24) + 1, True, False, -(1 << 40)):
        element = np.asarray(number).astype(node.dtype)
        check(np.asarray(x * number), np.asarray(x * xp.asarray(np.broadcast_to(element, 2))), f"x * {number!r}")
        exact = np.array([float(value) < number for value in np.asarray(x)])
        np.testing.assert_array_equal(np.asarray(x < number), exact, err_msg=f"x < {number!r}")


@pytest.mark.parametrize("name", [name for name in ("int4", "uint2", "int1") if name in NARROW])
def test_python_integers_beside_small_ones(name):
    node = NARROW[name]
    x = xp.asarray([node.low, node.high], dtype=name)
    for number in range(node.low, node.high + 1):
        both = np.array([node.low + number, node.high + number]) & ((1 << node.bits) - 1)
        assert [int(value) & ((1 << node.bits) - 1) for value in np.asarray(x + number).astype(np.int8)] == both.tolist()


@pytest.mark.parametrize("level", levels())
@pytest.mark.parametrize("name", FLOATS)
def test_clip(name, level):
    node = NARROW[name]
    ufunc = narrow.clip(node)
    if ufunc is None:
        assert name == "float8_e8m0fnu"  # the one without a sign
        return
    a, low = pairs(node, 5000, 7)
    high = np.roll(low, 77)
    least, most = (ufunc_of(RULES[extreme], node, node) for extreme in ("minimum", "maximum"))
    assert least is not None
    assert most is not None
    with at(level):
        expected = least(most(a, low), high)
        check(ufunc(a, low, high), expected, name)
        check(ufunc(a[::2], low[::2], high[::2]), expected[::2].copy(), name)
    x = xp.asarray([-3.0, 0.5, 1.0, 9.0], dtype=name)
    for bounds in ((0, 2), (0.5, 1.5), (xp.asarray(-1.0, dtype=name), 2), (False, True)):
        parts = [bound if isinstance(bound, xp.Array) else xp.asarray(float(bound), dtype=name) for bound in bounds]
        expected = np.asarray(xp.minimum(xp.maximum(x, parts[0]), parts[1]))
        check(np.asarray(xp.clip(x, *bounds)), expected, f"{name} {bounds}")


def test_no_floating_point_event_is_heard():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in FLOATS:
            x = xp.asarray(np.arange(256, dtype=np.uint8).astype(unsigned(NARROW[name])).view(NARROW[name].dtype))
            for result in (x + x, x / x, x * 1e30, x // x, x % x, x**x, xp.exp(x), xp.log(x), xp.sqrt(x), xp.sin(x), x < 1):
                assert result.shape == x.shape
        xp.ones(3) + xp.ones(3)  # flags that are set are not NumPy's to report
        np.ones(3, np.float32) + np.ones(3, np.float32)


def test_loops_that_do_not_exist():
    bfloat16 = np.dtype(ml_dtypes.bfloat16)
    assert native.narrow_ufunc("add", np.dtype("f4"), 2, np.add, None) is None
    assert native.narrow_ufunc("a function of nobody", bfloat16, 1, None, None) is None
    assert native.narrow_ufunc("a function of nobody", bfloat16, 2, np.bitwise_or, None) is None
    assert native.narrow_ufunc("add", bfloat16, 4, np.add, None) is None
    with pytest.raises(TypeError, match="256 bytes"):
        native.narrow_ufunc("a function of nobody", np.dtype(ml_dtypes.float8_e5m2), 1, None, np.zeros(3, np.uint8))
    with pytest.raises(TypeError):
        native.narrow_ufunc("add", "bfloat16", 2, None, None)
