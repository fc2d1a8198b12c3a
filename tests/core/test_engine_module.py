"""Functions of the extension module with arguments that run Python, loops that raise, and dtypes of other packages."""

import ctypes
import itertools
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from common import for_each
from engines import LOOPS, engine_or_skip

from supremum._base.buffers import native
from supremum._core import engine as seam
from supremum._kernels import order
from supremum.promotion._nodes import NODES

pytestmark = [
    pytest.mark.skipif(native is None, reason="these are functions of the extension module, which is not compiled"),
    pytest.mark.filterwarnings("ignore:Setting the:DeprecationWarning"),  # NumPy 2.5's, of dtypes and shapes
]
NATIVE = Path(__file__).parents[2] / "native"


class Changing:
    """A number whose conversion changes attributes of an ndarray."""

    def __init__(self, data, value, **attributes):
        self.data, self.value, self.attributes = data, value, attributes

    def convert(self):
        for name, attribute in self.attributes.items():
            setattr(self.data, name, attribute)
        return self.value

    __index__ = __bool__ = convert

    def __float__(self):
        return float(self.convert())


# -- arguments are converted before a buffer is looked at ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sort_narrow", "argsort_narrow", "tally_narrow"])
def test_an_order_that_changes_the_elements(name):
    data = np.arange(64, dtype=np.uint16)
    arguments = [data, Changing(data, -1, dtype=np.uint8), *([False] if name == "argsort_narrow" else [])]
    with pytest.raises(TypeError, match="of elements of 8 or 16 bits, and its order"):
        getattr(native, name)(*arguments)
    wide = np.arange(64, dtype=np.uint64).view(np.uint16)
    with pytest.raises(TypeError, match="C-contiguous"):
        getattr(native, name)(wide, *[Changing(wide, -1, dtype=np.uint64), *arguments[2:]])


def test_an_order_that_changes_the_shape():
    data = np.arange(64, dtype=np.uint16)[::-1].copy()
    found = native.argsort_narrow(data, -1, Changing(data, False, shape=(8, 8)))
    assert np.array_equal(found, np.argsort(data, -1))
    data = np.arange(64, dtype=np.uint16)[::-1].copy()
    found = native.argsort_narrow(data, Changing(data, -1, shape=(8, 8)), False)
    assert np.array_equal(found, np.argsort(data, -1))
    with pytest.raises(TypeError, match="with axes"):
        native.argsort_narrow(data, -1, Changing(data, False, dtype=np.uint8))


def test_an_order_that_is_none():
    data = np.arange(9, dtype=np.uint8)
    for wrong in (b"short", "x", None):
        with pytest.raises(TypeError):
            native.sort_narrow(data, wrong)
    with pytest.raises(TypeError, match="and its order"):
        native.sort_narrow(data, -1)
    with pytest.raises(OverflowError):
        native.sort_narrow(data.astype(np.uint16), 2**70)
    with pytest.raises(ZeroDivisionError):
        native.argsort_narrow(data.astype(np.uint16), -1, type("Bad", (), {"__bool__": lambda _: 1 // 0})())


def test_the_place_of_an_extreme_of_elements_that_change():
    data = np.arange(64, dtype=np.float16)
    with pytest.raises(TypeError, match="argextreme_narrow"):
        native.argextreme_narrow(data, Changing(data, True, dtype=np.int64))
    data = np.arange(64, dtype=np.float16)
    assert native.argextreme_narrow(data, Changing(data, True, shape=(8, 8))).tolist() == [7] * 8
    with pytest.raises(ZeroDivisionError):
        native.argextreme_narrow(data, type("Bad", (), {"__bool__": lambda _: 1 // 0})())


@pytest.mark.parametrize(
    ("name", "given", "before", "after"),
    [
        ("random_uniform", (0.0, 1.0), np.float64, np.float32),
        ("random_uniform", (0.0, 1.0), np.float32, np.float64),
        ("random_integers", (0, 9), np.uint64, np.uint32),
        ("random_integers", (0, 9), np.uint32, np.uint64),
        ("random_fractions", (23, 23), np.int32, np.float32),
        ("random_bits", (), np.uint64, np.uint8),
    ],
)
def test_bounds_that_change_the_elements(name, given, before, after):
    function = getattr(native, name)
    for place in range(2 + len(given)):
        data, wanted = np.zeros(16, before), np.zeros(16, before).view(after)
        arguments = [1, 2, *given]
        function(*arguments, wanted)
        arguments[place] = Changing(data, arguments[place], dtype=after)
        function(*arguments, data)
        assert data.dtype == after
        assert np.array_equal(data, wanted)


def test_bounds_that_change_the_elements_to_what_cannot_be_filled():
    for name, given, dtype in (
        ("random_uniform", (0.0, 1.0), np.float32),
        ("random_integers", (0, 9), np.uint32),
        ("random_fractions", (23, 23), np.float32),
    ):
        data = np.zeros(16, dtype)
        with pytest.raises(TypeError, match=f"{name}: expected a contiguous ndarray"):
            getattr(native, name)(1, 2, given[0], Changing(data, given[1], dtype=np.uint8), data)
        assert not data.any()
        with pytest.raises(TypeError, match=f"{name}: expected 5 arguments"):
            getattr(native, name)(1, 2, data)


def test_float_of_an_array_that_is_deleted_meanwhile():
    engine = engine_or_skip("native")
    data, node = np.full((), 5.0, np.float32), NODES["float32"]
    x = engine.wrap(data, node)

    class Deleting(engine.Scope):
        def resolve(self):
            engine.retire(x, np.zeros((), np.float32))
            return guarded

    guarded = engine.State()
    guarded.set_guests(None, None, None, True)
    deleting = Deleting()
    token = seam.scope.set(deleting)
    try:
        with pytest.raises(RuntimeError, match="deleted"):
            float(x)
    finally:
        seam.scope.reset(token)


@pytest.mark.skipif(not NATIVE.is_dir(), reason="there is no checkout with the source of the extension")
def test_buffers_are_not_looked_at_without_the_lock():
    begins = re.compile(r"NPY_BEGIN_THREADS_THRESHOLDED|NPY_BEGIN_THREADS;|Py_BEGIN_ALLOW_THREADS")
    found, paths = [], sorted(NATIVE.rglob("*.c"))
    assert len(paths) > 40
    for path in paths:
        unlocked = False
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            begin = begins.search(line)
            unlocked = (unlocked or begin is not None) and not re.search("NPY_END_THREADS|Py_END_ALLOW_THREADS", line)
            within = line if unlocked and begin is None else line.partition("UNLOCKED_DO(")[2]
            found += [f"{path.name}:{number}: {line.strip()}"] if re.search(r"\bPyArray_[A-Z]+\(", within) else []
    assert found == []


# -- loops that raise ---------------------------------------------------------------------------------------------------------


def powers(engine, dtype):
    """Return an operation that has a plan of NumPy's powers."""
    node = NODES[dtype]
    made = []

    def make(*_arguments):
        made.append(engine.Plan(node, np.power, ufunc=np.power, dtype=node.dtype, convert=convert, low=-100, high=100))
        return made[-1]

    def convert(scalar):
        return np.asarray(scalar, node.dtype)

    return engine.Operation("power", 2, make), node, made


@for_each("name", ["native", "reference"])
@for_each("dtype", ["int8", "int16", "int32", "int64"])
def test_powers_that_raise(name, dtype):
    engine = engine_or_skip(name)
    operation, node, made = powers(engine, dtype)
    apply = engine.Function(lambda *_: None, "elementwise", operation)
    for count in (3, 5000, 1 << 19):
        x, y = (engine.wrap(np.full(count, value, dtype), node) for value in (2, -1))
        strided = engine.wrap(np.full(2 * count, -1, dtype)[::2], node)
        row = engine.wrap(np.full((2, count), -1, dtype), node)
        for other in (y, strided, row):
            with pytest.raises(ValueError, match="negative integer powers"):
                apply(x, other)
        with pytest.raises(ValueError, match="negative integer powers"):
            apply(x, -1)
        two = engine.wrap(np.full(count, 2, dtype), node)
        assert (apply(x, two)._data == 4).all()
    assert made
    assert not made[0].looped


@pytest.mark.skipif(not LOOPS, reason="plans have no loops under SUPREMUM_TEST_LOOPS=0")
def test_loops_of_plans_raise_nothing():
    """NumPy's loops of all ufuncs, on numbers that some of them might refuse."""
    states, tried = [], 0
    operations = {operands: native.Operation("tried", operands, lambda *_: plan) for operands in (1, 2)}

    class Fresh(native.Scope):
        def resolve(self):
            states.append(native.State())
            return states[-1]

    dtypes = ("int8", "int64", "uint8", "uint64", "float32", "float64", "complex64")
    for name, dtype in itertools.product(sorted(dir(np)), dtypes):
        ufunc, node = getattr(np, name), NODES[dtype]
        if not isinstance(ufunc, np.ufunc) or ufunc.signature is not None or ufunc.nin > 2 or ufunc.nout != 1:
            continue
        for result in {dtype, "bool"}:
            plan = native.Plan(NODES[result], ufunc=ufunc, dtype=node.dtype)
            if not plan.looped:
                continue
            numbers = np.array([-2, -1, 0, 1, 2, 100] if node.kind != "u" else [0, 1, 2, 100, 255], dtype)
            operands = [native.wrap(np.ascontiguousarray(x.ravel()), node) for x in np.meshgrid(*[numbers] * ufunc.nin)]
            token = native.scope.set(Fresh())
            try:
                native.apply(operations[ufunc.nin], *operands)
            finally:
                native.scope.reset(token)
            tried += 1
    assert len(states) == tried
    assert tried > 200


# -- dtypes of other packages -------------------------------------------------------------------------------------------------


def test_dtypes_of_the_newer_kind_are_foreign():
    make = getattr(
        pytest.importorskip("numpy._core._multiarray_umath", reason="NumPy has no such private module"),
        "_get_sfloat_dtype",
        None,
    )
    if make is None or sys.maxsize < 2**32:
        pytest.skip("this NumPy has no dtype of the newer kind to try, or it lies elsewhere in memory")
    dtype = make()(1.5)
    assert dtype.num == -1
    place = id(dtype) + object.__basicsize__ + ctypes.sizeof(ctypes.c_void_p)
    assert ctypes.c_int.from_address(place + 4).value == -1
    kind = ctypes.string_at(place, 1)
    for other, size in itertools.product(b"iub", (8, 16, 3, 0)):  # of the instance, which nothing else has
        ctypes.memset(place, other, 1)
        ctypes.c_ssize_t.from_address(place + 16).value = size
        assert dtype.itemsize == size
        assert not native.casts(dtype, np.dtype(np.float32))
        assert not native.casts(np.dtype(np.float32), dtype)
    ctypes.memmove(place, kind, 1)
    ctypes.c_ssize_t.from_address(place + 16).value = 8


def test_nodes_of_references_are_refused():
    class Fake:
        index, weak, kind, public = len(NODES), False, "f", None

    for dtype in (np.dtype(object), np.dtype("U3"), np.dtype([("a", object), ("b", "i4")])):
        Fake.dtype = dtype
        with pytest.raises(TypeError, match="references or must be initialised"):
            native.register([Fake()])


# -- sorts that NumPy hides ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64", "uint64"])
def test_rows_are_sorted_without_numpys_table(dtype):
    data = np.random.default_rng(0).integers(0, 1000, (300, 1000)).astype(dtype)
    wanted, node = np.sort(data, -1), NODES[dtype]
    out = data.copy()
    before = native.use_loops(False)
    try:
        assert native.sort_in_rows(out) is False
        assert np.array_equal(out, data)
        order.sort_in_place(out, -1)
        assert np.array_equal(out, wanted)
        assert np.array_equal(order.sort(data, node, -1), wanted)
        assert np.array_equal(np.take_along_axis(data, order.argsort(data, node, -1).astype(int), -1), wanted)
    finally:
        native.use_loops(before)
    assert native.sort_in_rows(data) is before
    assert np.array_equal(data, wanted) is before
