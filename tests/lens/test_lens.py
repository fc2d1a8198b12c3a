"""The lens follows a program in a wider dtype, and the program computes what it computes without."""

import asyncio
import gc
import inspect
import subprocess
import sys
import threading

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import jax
from supremum._base.buffers import native
from supremum.jax import lax
from supremum.lens import Lens, _shadows
from supremum.lens._widening import Later


def leaves(value):
    if isinstance(value, tuple | list):
        return [one for part in value for one in leaves(part)]
    return [value]


def start():
    """Return elements that float32 holds exactly."""
    return xp.asarray(np.linspace(0.1, 1, 12, dtype="float32").reshape(3, 4))


def _views(x):
    y = xp.zeros((3, 4), dtype=x.dtype) + x * 0
    v = y[1:]
    v += x[1:] * 0.1
    y[0] = x[0] * 0.7
    y[:, 1] = 0.1
    t = y.T
    t[2] *= 0.3
    w = y.reshape(-1)
    w[::5] = xp.sqrt(x.reshape(-1)[:3])
    y -= 0.01
    return y * 1, v * 1, t, w, xp.ravel(y)[1:3], y[::-1, ::2]


def _parts_in_place(x):
    z = x + 0.1j * x
    z *= 0.1
    z[1:] = z[:-1] * 0.7
    return z.real * 1, z.imag * 1, xp.conj(z)


def _aliases(x):
    y = x * 0.1
    same = xp.asarray(y)
    same /= 3
    copy = xp.array(y)
    copy += 0.1
    return y, same, copy


def _loop(x):
    total = x[0] * 0
    for row in x:
        total += row * 0.1
    return total


#: Programs whose reference is what they compute in double.
PROGRAMS = {
    "operators": lambda x: (x + 0.1, 0.1 - x, x * x, x / 3, x**0.5, -x, abs(x - 0.5), x // 0.1, x % 0.3, divmod(x, 0.3)),
    "matmul": lambda x: (x @ x.T, xp.matmul(x.T, x), xp.einsum("ij,kj->ik", x, x), xp.tensordot(x, x, axes=2)),
    "methods": lambda x: (x.sum(), x.mean(axis=0), x.std(), x.cumsum(axis=1), x.prod(), x.clip(0.2, 0.7), x.round(1)),
    "reductions": lambda x: (xp.max(x * 0.1), xp.var(x, axis=1), xp.linalg.norm(x), xp.median(x * 0.1), xp.trapezoid(x)),
    "moves": lambda x: (xp.concat([x, x * 0.1], axis=1).T.reshape(-1)[::-1], xp.stack([x[0], x[1] * 0.3]), xp.roll(x / 3, 1)),
    "selections": lambda x: (x[xp.asarray([2, 0])] * 0.1, (x * 0.1)[x > 0.5], xp.take(x * 0.1, xp.asarray([1]), axis=1)),
    "where": lambda x: xp.where(x > 0.5, x * 0.1, xp.zeros_like(x)),
    "casts": lambda x: (x * 0.1).astype("bfloat16" if x.dtype == np.float32 else None),
    "dtype arguments": lambda x: xp.sum(x * 0.1, dtype="float16" if x.dtype == np.float32 else None),
    "creation": lambda x: xp.linspace(0.1, 0.7, 5, dtype=x.dtype) * x[0, 0] + xp.full(5, 0.1, dtype=x.dtype),
    "complex": lambda x: xp.fft.ifft(xp.fft.fft(x + 1j * x) * 0.1).real,
    "parts": _parts_in_place,
    "linalg": lambda x: (xp.linalg.solve(x[:, :3] + xp.eye(3), x), xp.linalg.inv(x @ x.T + xp.eye(3))),
    "sort": lambda x: xp.sort(-x * 0.1, axis=0),
    "iteration": lambda x: [row * 0.1 for row in x],
    "split": lambda x: xp.split(x * 0.1, 2, axis=1),
    "views": _views,
    "aliases": _aliases,
    "loop": _loop,
    "at": lambda x: (x * 0.1).at[0].add(0.1).at[:, 1].multiply(0.3).at[1:].set(xp.sin(x[1:])).at[0, 0].min(0.01),
    "at.apply": lambda x: (x * 0.1).at[1].apply(xp.exp),
    "ufuncs": lambda x: (xp.add.reduce(x * 0.1), xp.multiply.accumulate(x, axis=0), xp.add.outer(x, x * 0.1)),
    "vectorize": lambda x: xp.vectorize(lambda one: xp.exp(one * 0.1) * 3)(x * 0.1),
    "vectorize, signature": lambda x: xp.vectorize(lambda row: xp.exp(row).sum(), signature="(n)->()")(x * 0.1),
    "apply_along_axis": lambda x: xp.apply_along_axis(lambda row: row / xp.sum(row), 0, x * 0.1),
    "apply_over_axes": lambda x: xp.apply_over_axes(xp.sum, x * 0.1, [0, 1]),
    "piecewise": lambda x: xp.piecewise(x * 0.1, [x > 0.5], [xp.exp, lambda part: part * 0.1]),
    "nn": lambda x: jax.nn.softmax(x) + jax.nn.gelu(x) + jax.nn.standardize(x),
    "vmap": lambda x: jax.vmap(lambda row: row / xp.sum(row))(x * 0.1),
    "vmap, other axes": lambda x: jax.vmap(lambda row: row / xp.sum(row), in_axes=1, out_axes=1)(x * 0.1),
    "jit": lambda x: jax.jit(lambda y: xp.exp(y) * 2)(x * 0.1),
    "scan": lambda x: lax.scan(lambda c, row: (c + xp.sum(row), c * row), xp.sum(x[0]) * 0.1, x),
    "map": lambda x: lax.map(lambda row: xp.exp(row).sum(), x * 0.1),
    "fori_loop": lambda x: lax.fori_loop(0, 5, lambda _, y: y * 1.1 + x, x),
    "while_loop": lambda x: lax.while_loop(lambda y: xp.sum(y) < 50, lambda y: y * 1.1 + 0.1, x),
    "cond": lambda x: lax.cond(True, lambda y: xp.exp(y), lambda y: y, x * 0.1),
    "switch": lambda x: lax.switch(1, [xp.sin, xp.cos], x * 0.1),
    "associative_scan": lambda x: lax.associative_scan(lambda a, b: a * b + 0.1, x, reverse=True),
    "trees": lambda x: jax.tree.map(lambda y: y * 0.1, [x, x * 0.1]),
}  # fmt: skip


@for_each("name", PROGRAMS)
@for_each("x64", ["explicit", "off"])
def test_the_reference_is_the_program_in_double(name, x64):
    program = PROGRAMS[name]
    with xp.config.use(x64=x64):
        plain = program(start())
        with xp.precision_lens() as lens:
            watched = program(start())
            references = [lens.value(one) for one in leaves(watched)]
            errors = [lens.error(one) for one in leaves(watched)]
        assert lens.unfollowed == {}
    with xp.config.use(x64="on"):
        wide = program(start().astype("float64"))
    for one, other in zip(leaves(watched), leaves(plain), strict=True):
        assert (one.dtype, one.weak_type, one.shape) == (other.dtype, other.weak_type, other.shape)
        assert one._data.tobytes() == other._data.tobytes()
    for one, other in zip(references, leaves(wide), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=4e-15, atol=1e-17)
    assert max(errors) > 0


def test_a_double_is_its_own_reference():
    with xp.precision_lens() as lens:
        x = xp.asarray([0.1, 0.2], dtype="float64")
        y = xp.exp(x) - 1
    assert lens.error(y) == 0
    assert [row.inherited for row in lens.rows] == [0, 0, 0]
    assert len(lens._shadows.of) == 0


@pytest.mark.parametrize("size", [3, 6000])
def test_casts_that_are_exact_and_calls_in_the_reference_dtype_need_no_second_computation(size, monkeypatch):
    narrow, double, others = xp.full(size, 0.1, dtype="bfloat16"), xp.full(size, 0.1, dtype="float64"), []
    with xp.precision_lens() as lens:
        monkeypatch.setattr(lens._wide, "again", lambda call, _: others.append(call.traits.name))
        for _ in range(20):
            wide = narrow.astype("float32")
            xp.sum(double * 3 + double)
        assert (lens.error(wide), len(lens._shadows.of)) == (0, 0)
    assert (others, lens.unfollowed) == ([], {})
    assert [(row.count, row.kinds, row.inherited) for row in lens.rows] == [(20, (), 0)] * 4
    with xp.precision_lens() as lens:
        inexact = xp.asarray([0.1] * size, dtype="bfloat16").astype("float32")
        assert lens.error(inexact) > 9e-4
        assert xp.asarray([1e9, 0.1]).astype("float16").astype("float32")[0] == xp.inf
        infinite = xp.asarray([np.inf] * size, dtype="float8_e5m2").astype("float8_e4m3fn")
    assert [row.kinds[0] for row in lens.rows if row.dtype == infinite.dtype] == ["nan"]


def test_the_reference_may_be_float32():
    with xp.precision_lens(reference="float32") as lens:
        x = xp.asarray([0.1, 0.7], dtype="bfloat16")
        y = xp.exp(x)
        wide = xp.exp(xp.asarray([0.1], dtype="float64"))
        assert lens.value(y).dtype == np.float32
        assert lens.value(wide).dtype == np.float64
        np.testing.assert_array_equal(np.asarray(lens.value(y)), np.exp(np.asarray([0.1, 0.7], "float32")))
    assert lens.reference == "float32"


@pytest.mark.parametrize("reference", ["float16", "int32", "complex128", "longdouble", "nonsense", 3])
def test_other_references_are_refused(reference):
    refused = pytest.raises(ValueError, match="precision_lens: reference must be 'float64' or 'float32'")
    with refused, xp.precision_lens(reference=reference):
        pass


NARROW = ["bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3b11fnuz", "float6_e2m3fn", "float4_e2m1fn"]


@pytest.mark.parametrize("dtype", NARROW)
def test_narrow_dtypes_are_followed_in_double(dtype):
    x = xp.asarray([1.5, 0.5, 3.0], dtype=dtype)
    with xp.precision_lens() as lens:
        y = x * x / 3
        np.testing.assert_array_equal(np.asarray(lens.value(y)), np.asarray([1.5, 0.5, 3.0]) ** 2 / 3)
    assert lens.unfollowed == {}
    assert {row.dtype for row in lens.rows} == {dtype}


def test_arrays_from_before_and_of_numpy_are_their_own_reference():
    before = xp.asarray(0.1)
    with xp.precision_lens() as lens:
        assert lens.error(before) == 0
        assert lens.value(before * 1).item() == float(np.float32(0.1))
        of_numpy = xp.asarray(np.asarray([0.1], "float32"))
        assert lens.error(of_numpy) == 0
        rounded = xp.asarray(np.asarray([0.1]), dtype="float32")
        assert lens.value(rounded)[0] == 0.1


def test_what_numpy_writes_is_its_own_reference():
    data = np.zeros(3, "float32")
    with xp.precision_lens() as lens:
        x = xp.asarray(data, copy=False)
        x += 0.1
        assert lens.value(x).tolist() == [0.1] * 3
        data[1] = 7
        assert lens.value(x).tolist() == [0.1, 7, 0.1]
        y = x * 1
        assert lens.value(y).tolist() == [0.1, 7, 0.1]


#: Memory of arrays of other origin: views whose owner has another dtype, or none at their alignment.
MEMORY = {
    "foreign": lambda a: a.astype(a.dtype.newbyteorder()),
    "swapped": lambda a: a.astype(a.dtype.newbyteorder()).byteswap().view(a.dtype),
    "unaligned": lambda a: np.frombuffer(bytearray(b"x" + a.tobytes()), np.uint8)[1:].view(a.dtype).reshape(a.shape),
    "bytes": lambda a: np.frombuffer(bytearray(a.tobytes()), np.uint8).view(a.dtype).reshape(a.shape),
    "record": lambda a: np.rec.fromarrays([a.real.astype("i1"), a], names="key,value")["value"],
    "strided": lambda a: np.repeat(a, 3, axis=-1)[..., ::3],
    "transposed": lambda a: a.T.copy().T,
}


def _in_memory_of_others(data, laid):
    x = xp.asarray(laid(data))
    x += 0.1
    y = x * 3
    x[1:2] = y[:1] * 1.1
    x[0].sum()
    out = laid(np.asarray(y))
    out *= x
    np.multiply(y, 0.1, out=out)
    results = (
        y,
        x[:, ::2] + 1,
        x[::-1] * 2,
        x.real * 3,
        xp.sort(x),
        xp.asarray(out) * 3,
        xp.add(laid(data), x),
        x.at[0].set(y[0]),
    )
    out[...] = data  # of its dtype: of others, NumPy ignores the byte order of bfloat16
    return (*results, xp.asarray(out) + x, xp.asarray(laid(np.asarray(y))) * 3)


@for_each("memory", MEMORY)
@for_each("dtype", ["float32", "complex64", "float16", "bfloat16"])
@for_each("columns", [4, 3000])
def test_what_is_found_does_not_depend_on_the_memory_of_operands(memory, dtype, columns):
    data = np.linspace(-100, 100, 3 * columns).reshape(3, columns) * (1 + 1j if dtype == "complex64" else 1)
    data = data.astype(xp.dtype(dtype))
    found = []
    for laid in (np.copy, MEMORY[memory]):
        with xp.precision_lens() as lens:
            results = _in_memory_of_others(data, laid)
            found.append(
                ([lens.value(one).tolist() for one in results], list(map(lens.error, results)), lens.rows, lens.unfollowed)
            )
        assert lens.unfollowed == {}
    assert found[0] == found[1]
    assert max(found[0][1]) > 1e-9
    gc.collect()
    del results
    gc.collect()
    assert len(lens._shadows.of) == 0


@for_each("dtype", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float4_e2m1fn"])
@for_each("size", [5, 6000])
def test_the_reference_takes_over_what_is_quantized(dtype, size):
    values = np.linspace(-1, 1, size, dtype="float32") * 0.3
    with xp.precision_lens() as lens:
        for _ in range(20):  # of many large results of a line, some are followed without being measured
            x = xp.asarray(values) * 3
            q = xp.quantized(x, dtype)
            wide = q.astype("float32")
            np.testing.assert_array_equal(np.asarray(lens.value(q)), np.asarray(q, "float64"))
            assert lens.error(wide) == 0
        [row] = [row for row in lens.rows if row.function == "quantized"]
        assert (row.kinds, row.growth, row.promotes) == ((), 0, False)
        beyond = xp.quantized(xp.asarray([0.5, 1e9, 3.4e38]), dtype).astype("float32") * 3
        assert xp.quantized(0.1, dtype).dtype == dtype
        assert lens.error(beyond) >= 0.99
        rounded = np.asarray(1e9, xp.dtype(dtype)).astype("float64") if dtype == "bfloat16" else 1e9
        expected = [0.5, rounded, 3.4e38]
        np.testing.assert_allclose(np.asarray(lens.value(beyond)), np.asarray(expected) * 3, 1e-12)
    assert (lens.rows[0].function, lens.rows[0].kinds) == ("quantized", ("overflow",))
    assert lens.unfollowed == {}


def test_what_is_quantized_to_integers_is_its_own_reference():
    with xp.precision_lens() as lens:
        x = xp.asarray([0.1, 0.7, 1.3]) * 3
        assert (lens.error(xp.quantized(x, "int8") * 0.5), x.dtype) == (0, xp.float32)
        assert lens.error(x) > 0


def test_random_numbers_are_the_same():
    key = xp.random.key(0)
    with xp.precision_lens() as lens:
        x = xp.random.normal(key, (5,), dtype="bfloat16")
        assert lens.error(x) == 0
        y = x * 0.1
        moved = xp.random.permutation(key, y)
        np.testing.assert_array_equal(np.asarray(lens.value(y)), np.asarray(x, "float64") * 0.1)
        assert sorted(lens.value(moved).tolist()) == sorted(lens.value(y).tolist())


def test_integers_have_no_reference():
    with xp.precision_lens() as lens:
        x = xp.arange(5) * 3 // 2
        assert lens.error(x) == 0
        assert lens.value(x) is x
    assert lens.rows == []


def test_a_shadow_dies_with_its_array():
    with xp.precision_lens() as lens:
        x = xp.asarray([0.1, 0.2])
        y = x * 3
        view = y[1:]
        assert len(lens._shadows.of) == 2
        del x
        gc.collect()
        assert len(lens._shadows.of) == 1
        del y
        gc.collect()
        assert lens.value(view).tolist() == [0.2 * 3]
        del view
        gc.collect()
        assert len(lens._shadows.of) == 0
        for _ in range(100):
            xp.exp(xp.asarray([0.1, 0.2]))
        gc.collect()
        assert len(lens._shadows.of) == 0


def halved(x, data, lens, times):
    """Return a loop's result, and what it is in double where NumPy writes to its operand meanwhile."""
    y, exact = x, data.astype("float64")
    for i in range(times):
        y = y * 0.5 + x
        exact = exact * 0.5 + data
        if i % 7 == 3:
            data[i:] *= np.float32(1.1)
    return y, exact


@pytest.mark.parametrize("size", [10_000, 40_000, 80_000])
def test_references_that_are_computed_later_are_of_the_operands_as_they_were(size):
    data = np.linspace(0.1, 1, size, dtype="float32")
    x = xp.asarray(data, copy=False)
    with xp.precision_lens() as lens:
        y, exact = halved(x, data, lens, 45)
        np.testing.assert_array_equal(np.asarray(lens.value(y)), exact)
        for _ in range(4):
            y, kept, before = y * 0.5, y, exact * 0.5
            y += x
            exact = before + data
        np.testing.assert_array_equal(np.asarray(lens.value(y)), exact)
        np.asarray(y)[5:9] = 7
        z = y * 0.1
        np.testing.assert_array_equal(np.asarray(lens.value(z))[5:9], 7 * 0.1)
        assert lens.error(kept) < 1e-6
    assert lens.unfollowed == {}


def test_results_that_nothing_needs_are_not_computed_again(monkeypatch):
    computed = []
    compute = Later._compute
    monkeypatch.setattr(Later, "_compute", lambda self, *args: computed.append(self) or compute(self, *args))
    x = xp.linspace(0.1, 1, 10_000)
    with xp.precision_lens() as lens:
        for _ in range(100):
            xp.sum(xp.exp(x - xp.max(x)), axis=0)
    assert {(row.function, row.count) for row in lens.rows} == {(name, 100) for name in ("max", "subtract", "exp", "sum")}
    # Three references of each of the calls that are measured, at most: 1, 2, 3, 5, 9, 17, 33, 49, 65, 81 and 97 do.
    assert len(computed) <= 3 * 11


@pytest.mark.parametrize("late", [48, 256, 320])
def test_losses_that_come_late_are_found_where_some_elements_are_measured(late):
    usual = xp.full(10_000, 0.5, dtype="float32")
    small = xp.asarray(np.where(np.arange(10_000) % 10 < 7, 1e-20, 0.5).astype("float32"))
    with xp.precision_lens() as lens:
        for i in range(400):
            (small if i == late else usual) * 1e-30  # 5e-31, and 1e-50, which is 0
    [row] = lens.rows
    assert (row.count, row.counts["underflow"], row.inherited) == (400, 7000, 1)
    assert lens.unfollowed == {}


def test_a_line_that_calls_many_functions_has_a_row_of_each():
    x, y = xp.linspace(0.1, 1, 5000, dtype="float32"), xp.linspace(0.1, 1, 5000, dtype="bfloat16")
    functions = (
        xp.sin,
        xp.cos,
        xp.exp,
        lambda one: one * 0.5,
        lambda one: one.astype("float16"),
        lambda one: xp.sum(one, axis=0),
    )
    with xp.precision_lens() as lens:
        for i in range(40):
            found = [function(y if i % 5 == 4 else x) for function in functions]
        exact = [np.sin, np.cos, np.exp, lambda one: one * 0.5, lambda one: one, np.sum]
        for one, function in zip(found, exact, strict=True):
            np.testing.assert_allclose(np.asarray(lens.value(one)), function(np.asarray(y, "float64")), rtol=1e-14)
    counts = {(row.function, row.dtype): row.count for row in lens.rows}
    names = ("sin", "cos", "exp", "multiply", "sum")
    assert counts == {("astype", "float16"): 40} | {
        (name, dtype): count for name in names for dtype, count in (("float32", 32), ("bfloat16", 8))
    }
    assert lens.unfollowed == {}


@pytest.mark.skipif(native is None, reason="a function of the engine in C")
def test_what_follows_calls_needs_all_parts_of_a_lens():
    with pytest.raises(TypeError, match="follower: expected 10 parts of a lens"):
        native.follower(1, 2)


def test_comparisons_of_what_is_its_own_reference_are_those_of_the_reference():
    third, one = xp.full((2,), 1 / 3, dtype="float32"), xp.ones(2, dtype="float32")
    with xp.precision_lens() as lens:
        assert [x.tolist() for x in (third == third, third < one, xp.isfinite(third))] == [[True] * 2] * 3
        assert lens.rows == []
        assert (third == 1 / 3).tolist() == [True] * 2  # the number is another one in float64
        assert (third * 3 == one).tolist() == [True] * 2  # a product is rounded
    assert [(row.function, row.counts) for row in lens.rows if row.dtype == "bool"] == [("equal", {"flip": 2})] * 2


def test_results_that_are_operands_have_no_shadow():
    x = xp.linspace(0.1, 1, 10_000, dtype="float32")
    with xp.precision_lens() as lens:
        for _ in range(20):
            y = xp.astype(x, "float32", copy=False)
            assert y._data is x._data
            xp.positive(x * 1)
        assert lens._shadows.find(x._data) is None
        assert lens.error(y) == 0


def test_many_calls_that_are_made_later_are_made_in_parts():
    lines = "".join(f"    x = x * 0.9 + {i} / 128\n" for i in range(120))
    names = {}
    exec(f"def run(x):\n{lines}    return x", names)  # noqa: S102 - text of ours, each line of which has a row of its own
    data = np.linspace(0.1, 1, 5000, dtype="float32")
    with xp.precision_lens() as lens:
        for _ in range(6):
            y = names["run"](xp.asarray(data))
    exact = names["run"](data.astype("float64"))
    np.testing.assert_array_equal(np.asarray(lens.value(y)), exact)


def test_references_that_are_computed_later_need_a_few_calls_in_python():
    lines = "".join(f"    x = x * 0.9 + {i} / 128\n" for i in range(22))
    names = {}
    exec(f"def run(x):\n{lines}    return x", names)  # noqa: S102 - text of ours, each line of which has a row of its own

    def within(depth, function):
        return within(depth - 1, function) if depth else function()

    data = np.linspace(0.1, 1, 5000, dtype="float32")
    with xp.precision_lens() as lens:
        for _ in range(6):
            y = names["run"](xp.asarray(data))
    depth = len(inspect.stack(0))
    value = within(sys.getrecursionlimit() - depth - 100, lambda: lens.value(y))
    np.testing.assert_array_equal(np.asarray(value), names["run"](data.astype("float64")))
    assert lens.unfollowed == {}


@pytest.mark.skipif(native is None, reason="the engine in Python computes all references at once")
def test_results_that_are_kept_do_not_keep_all_operands(monkeypatch):
    monkeypatch.setattr(_shadows, "_WAITING", 1 << 20)
    x, kept = xp.linspace(0.1, 1, 5000), []
    with xp.precision_lens() as lens:
        for i in range(100):
            kept.append(xp.sum(x * i))
            later = [shadow.whole for shadow in lens._shadows.of.values() if type(shadow.whole) is Later]
            waiting = [one for one in later if one.waits]
            assert sum(one.held for one in waiting) <= 1 << 20
        assert 0 < len(waiting) < 50
        for i, total in enumerate(kept):
            np.testing.assert_allclose(np.asarray(lens.value(total)), np.sum(np.asarray(x, "float64") * i), rtol=1e-12)
    assert lens.unfollowed == {}


@pytest.mark.parametrize("size", [10, 5000, 80_000])
def test_arrays_of_numpy_on_the_memory_of_others_are_their_own_reference(size):
    x = xp.full((size,), 0.1, dtype="float32") / 3
    with xp.precision_lens() as lens:
        y = x * 1.1
        for _ in range(20):
            doubled = xp.multiply(np.asarray(y), 2)
            assert lens.error(doubled) == 0
        assert lens.error(y) > 0


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_what_numpy_puts_in_another_order_is_its_own_reference(dtype):
    x = xp.asarray(np.linspace(0.1, 1, 80_000).reshape(-1, 4), dtype=dtype)
    with xp.precision_lens() as lens:
        y = x / 3
        assert lens.error(y) > 0
        rows = np.asarray(y)
        rows[...] = rows[::-1].copy()
        assert lens.error(y) == 0
        np.testing.assert_array_equal(np.asarray(lens.value(y)), rows)


@pytest.mark.skipif(native is None, reason="the engine in Python computes all references at once")
def test_what_cannot_be_computed_later_is_its_own_reference():
    x = xp.linspace(0.1, 1, 5000)
    with xp.precision_lens() as lens:
        for _ in range(6):
            y = x * 3
        later = lens._shadows.of[id(y._data)].whole
        later[0] = (*later[0][:2], None, *later[0][3:])
        z = y + 1  # it is measured
        np.testing.assert_array_equal(np.asarray(lens.value(y)), np.asarray(y, "float64"))
        assert lens.unfollowed == {"multiply": "TypeError: 'NoneType' object is not callable"}
        assert lens.error(z) < 1e-6


def test_threads_have_their_own_lens():
    found = {}

    def work(name, open_lens):
        if open_lens:
            with xp.precision_lens() as lens:
                xp.exp(xp.asarray(0.1))
            found[name] = sum(row.count for row in lens.rows)
        else:
            xp.exp(xp.asarray(0.1))

    with xp.precision_lens() as outer:
        x = xp.asarray(1)  # it is seen, and no floating result
        threads = [threading.Thread(target=work, args=(i, i % 2 == 0)) for i in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert (outer.rows, x.item()) == ([], 1)
    assert found == {0: 2, 2: 2, 4: 2}


def test_tasks_have_their_own_lens():
    async def work(count):
        with xp.precision_lens() as lens:
            for _ in range(count):
                xp.exp(xp.asarray(0.1))
                await asyncio.sleep(0)
        return sum(row.count for row in lens.rows)

    async def both():
        return await asyncio.gather(work(2), work(3))

    assert asyncio.run(both()) == [4, 6]


def test_lenses_and_other_guests_nest():
    x = xp.asarray([1, 2], dtype="int8")
    with xp.trace_promotions() as log, xp.precision_lens() as lens:
        y = x * xp.asarray([0.1, 0.2])
    with xp.precision_lens() as other, xp.trace_promotions() as inner:
        x * xp.asarray([0.1, 0.2])
    for one in (log, inner):
        assert [(record.operands, record.result) for record in one] == [(("int8", "float32"), "float32")]
    for one in (lens, other):
        [row] = [row for row in one.rows if row.function == "multiply"]
        assert (row.operands, row.promotes) == (("int8", "float32"), True)
    with xp.forbid("float64"), xp.precision_lens() as lens:
        xp.asarray([0.1]) * xp.asarray([2], dtype="int8")
        with pytest.raises(xp.TypePromotionError, match="float64"):
            y * xp.ones(2, dtype="float64")
    with xp.precision_lens() as first, xp.precision_lens("float32") as second:
        xp.exp(xp.asarray([0.1]))
    assert [sorted(row.function for row in one.rows) for one in (first, second)] == [["asarray", "exp"]] * 2


@pytest.mark.parametrize("system", ["numpy", "torch", "jax_strict"])
def test_programs_under_other_systems_are_followed(system):
    with xp.promotion.use(system), xp.precision_lens() as lens:
        x = xp.asarray([0.1, 0.7], dtype="float32")
        y = xp.exp(x) * x - x
        assert lens.value(y).tolist() == (np.exp([0.1, 0.7]) * [0.1, 0.7] - [0.1, 0.7]).tolist()
    assert lens.unfollowed == {}


def test_immutable_arrays_are_followed():
    with xp.config.use(mutable=False), xp.precision_lens() as lens:
        x = xp.asarray([0.1, 0.2])
        y = x
        y += 0.1
        assert y is not x
        assert lens.value(y).tolist() == (np.asarray([0.1, 0.2]) + 0.1).tolist()
        with pytest.raises(TypeError, match="immutable"):
            x[0] = 1


def test_errors_are_those_without_the_lens():
    def failing():
        raise KeyError("mine")

    calls = [
        lambda: xp.ones(3) + xp.ones(4), lambda: xp.asarray("a"), lambda: xp.ones(3)[5], lambda: xp.sum(xp.ones(3), axis=7),
        lambda: xp.apply_along_axis(3, 0, xp.ones(3)), lambda: xp.apply_along_axis(lambda _: failing(), 0, xp.ones(3)),
        lambda: xp.piecewise(xp.ones(3), [True], [failing, failing, failing]), lambda: xp.add(xp.ones(3), failing),
    ]  # fmt: skip
    for call in calls:
        errors = []
        for watched in (False, True):
            with (
                pytest.raises((TypeError, ValueError, IndexError, KeyError)) as caught,
                xp.precision_lens() if watched else xp.config.use(),
            ):
                call()
            errors.append((type(caught.value), str(caught.value)))
        assert errors[0] == errors[1]


def test_functions_of_the_user_are_called_once():
    calls = []

    def counted(row):
        calls.append(1)
        return row * 0.1

    with xp.precision_lens():
        xp.apply_along_axis(counted, 1, xp.ones((3, 2)))
        lax.map(counted, xp.ones(4))
        assert xp.asarray([float(x) for x in iter([1.0, 2.0])]).tolist() == [1, 2]
    assert len(calls) == 7


@pytest.mark.parametrize("wrapped", [jax.checkpoint, jax.custom_jvp, jax.custom_vjp, jax.jit])
def test_functions_with_rules_of_the_users_are_looked_through(wrapped):
    calls = []

    def scaled(x):
        calls.append(1)
        return xp.sin(x) * 0.1

    function = wrapped(scaled)
    with xp.precision_lens() as lens:
        result = function(xp.asarray([0.1, 0.7], dtype="bfloat16"))
        assert lens.error(result) > 0
    assert (len(calls), lens.unfollowed) == (1, {})
    assert {row.function for row in lens.rows} == {"asarray", "sin", "multiply"}


def test_warnings_come_once():
    with pytest.warns(FutureWarning) as caught, xp.precision_lens():
        xp.zeros(3, dtype="float32").at[0].set(xp.asarray(0.1, dtype="float64"))
    assert len(caught) == 1


def test_what_cannot_be_followed_is_named():
    def broken(self, *_args, **_options):
        raise RuntimeError("broken")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lens, "_measure", broken)
        with xp.precision_lens() as lens:
            assert xp.exp(xp.asarray(0.0)) == 1
    assert lens.unfollowed["exp"] == "RuntimeError: broken"


def test_progress_is_told_from_time_to_time():
    told = []
    with xp.precision_lens() as lens:
        lens.show(lambda calls, seconds: told.append((calls, seconds >= 0)))
        x = xp.asarray(0.1)
        for _ in range(600):
            x = x * 1.01
    assert told == [(256, True), (512, True)]


def test_nothing_is_imported_without_a_lens():
    program = (
        "import sys, supremum as xp; xp.exp(xp.ones(3)); print([name for name in sys.modules if 'supremum.lens' in name])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
