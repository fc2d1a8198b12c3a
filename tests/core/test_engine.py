# ruff: noqa: E501 - a row of a table is one case; what to write is made of its description
"""The engines: one set of tests for the one in C and for its specification in Python.

The engines under test are separate from the package's; `engines` configures both with the package's plans.
"""

import importlib
import itertools
import operator
import sys

import numpy as np
import pytest
from common import for_each
from engines import LAYOUTS, LOOPS, same, samples
from generators import RNG
from rows import ROWS, RULES

import supremum as xp
from supremum import config
from supremum._core import array, operators, plans, settings
from supremum.promotion._nodes import NODES
from supremum.promotion.systems import SYSTEMS

NATIVE = [
    node
    for node in NODES.values()
    if node.kind == "b" or (node.bits >= 8 and node.dtype.isbuiltin == 1 and node.name != "float16")
]


# -- arrays -----------------------------------------------------------------------------------------------------------------------------


def test_attributes(engine):
    x = engine.array(np.ones((2, 3), np.float32))
    assert (x.shape, x.ndim, x.size, x.dtype, x.weak_type) == ((2, 3), 2, 6, np.float32, False)
    assert x._node is NODES["float32"]
    assert engine.array(np.float32(1), weak=True).weak_type
    assert x.T.shape == (3, 2)
    assert x.T._data.base is not None
    assert engine.array(np.zeros((2, 3, 4))).T.shape == (4, 3, 2)


def test_construction_is_refused(engine):
    with pytest.raises(TypeError, match="cannot be constructed directly"):
        engine.Array()
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Sub", (engine.Array,), {})
    for data, node in (
        ([1], NODES["int32"]),
        (np.ones(2), NODES["float32"]),
        (np.ones(2), "float64"),
        (np.ma.ones(2), NODES["float64"]),
    ):
        with pytest.raises((TypeError, AttributeError)):
            engine.wrap(data, node)


def test_wrap_takes_scalars_of_numpy(engine):
    x = engine.wrap(np.float32(2), NODES["float32"])
    assert type(x._data) is np.ndarray
    same(x, np.float32(2))


def test_attached_methods(engine):
    engine.Array.doubled = lambda self: self + self
    try:
        same(engine.array(np.arange(3.0)).doubled(), np.arange(3.0) * 2)
    finally:
        del engine.Array.doubled


def test_unhashable(engine):
    with pytest.raises(TypeError, match="unhashable"):
        hash(engine.array(np.ones(2)))


def test_weak_references(engine):
    import weakref

    died = []
    x = engine.array(np.ones(2))
    reference = weakref.ref(x, died.append)
    assert reference() is x
    del x
    assert reference() is None
    assert died == [reference]


# -- binary operations --------------------------------------------------------------------------------------------------------------------

SHAPES = [((), ()), ((4,), (4,)), ((4,), ()), ((), (4,)), ((4, 1), (1, 4)), ((3, 4), (4,)), ((2, 3, 4), (3, 1)), ((1,), (3, 4)),
          ((0,), (1,)), ((0, 3), (3,)), ((2, 0, 3), (1, 1, 1)), ((1, 1), (1,)), ((70, 80), (80,)), ((80, 1), (1, 70)), ((5, 1, 3000), (2, 1))]  # fmt: skip


@pytest.mark.combinations
@pytest.mark.parametrize("first", LAYOUTS)
@pytest.mark.parametrize("second", LAYOUTS)
def test_layouts_and_shapes(engine, first, second):
    for (a, b), dtypes in itertools.product(SHAPES, (("f4", "f4"), ("i4", "f4"), ("f4", "i8"), ("i2", "i4"), ("c8", "f4"))):
        x, y = samples(dtypes[0], a), samples(dtypes[1], b)
        x = LAYOUTS[first](x) if x.ndim else x
        y = LAYOUTS[second](y) if y.ndim else y
        got = engine.array(x) + engine.array(y)
        same(got, np.add(x.astype(got.dtype), y.astype(got.dtype)))


@pytest.mark.combinations
@pytest.mark.parametrize(
    "name", ["add", "multiply", "less", "equal", "divide", "maximum", "logical_and", "atan2", "remainder"]
)
def test_every_pair_of_dtypes(engine, name):
    one = xp.Array
    function = engine.Function(lambda *_: None, "elementwise", engine.operations[name])
    theirs = getattr(xp, name)
    for a, b in itertools.product(NODES.values(), repeat=2):
        x, y = (
            samples("f4", (5,)).astype(node.dtype) if node.kind in "fc" else samples("i1", (5,)).astype(node.dtype)
            for node in (a, b)
        )
        try:
            wanted = theirs(array.wrap(x, a), array.wrap(y, b))
        except TypeError as error:
            with pytest.raises(type(error)):
                function(engine.array(x), engine.array(y))
            continue
        got = function(engine.array(x), engine.array(y))
        assert type(wanted) is one
        assert got._node is wanted._node
        assert got._data.tobytes() == wanted._data.tobytes()


@pytest.mark.combinations
@pytest.mark.parametrize("scalar", [0, 1, -1, 2, 127, 128, 255, 256, -129, 2**24 + 1, 2**31 - 1, -(2**31), True, False, 1.5, -0.0, 1e300, float("inf"),
                                    float("nan"), 1 + 2j, 0.1])  # fmt: skip
@pytest.mark.parametrize("name", ["add", "subtract", "less", "equal", "pow", "divide", "bitwise_and"])
def test_python_scalars(engine, name, scalar):
    function = engine.Function(lambda *_: None, "elementwise", engine.operations[name])
    theirs = getattr(xp, name)
    for node, weak, layout in itertools.product(NODES.values(), (False, True), ("one", "strided")):
        if weak and node.kind == "b":
            continue
        data = samples("i1" if node.kind in "iub" else "f4", (2, 3)).astype(node.dtype)
        x = LAYOUTS[layout](data)
        ours = engine.array(x, weak=weak)
        twin = array.wrap(x, ours._node)
        for operands, twins in (((ours, scalar), (twin, scalar)), ((scalar, ours), (scalar, twin))):
            try:
                wanted = theirs(*twins)
            except (TypeError, OverflowError, ValueError) as error:
                with pytest.raises(type(error)):
                    function(*operands)
                continue
            got = function(*operands)
            assert got._node is wanted._node
            np.testing.assert_array_equal(got._data.astype(complex), wanted._data.astype(complex))


def test_operators(engine):
    a, b = np.asarray([7.0, -8.0, 9.0], np.float32), np.asarray([2.0, 3.0, -4.0], np.float32)
    i, j = np.asarray([7, 8, 9], np.int32), np.asarray([2, 3, 4], np.int32)
    arithmetic = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.lt, operator.le,
                  operator.eq, operator.ne, operator.gt, operator.ge]  # fmt: skip
    for function in arithmetic:
        same(function(engine.array(a), engine.array(b)), function(a, b))
        same(function(engine.array(a), 2.0), function(a, np.float32(2)))
        same(function(2, engine.array(a)), function(np.float32(2), a))
        same(function(engine.array(a), b), function(a, b))
    for function in (operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift, operator.add, operator.pow):
        same(function(engine.array(i), engine.array(j)), function(i, j))
        same(function(engine.array(i), 2), function(i, np.int32(2)))
        same(function(2, engine.array(i)), function(np.int32(2), i))
    for function in (operator.neg, operator.pos, operator.abs, operator.invert):
        same(function(engine.array(i)), function(i))
    same(-engine.array(a.reshape(3, 1)[:, 0]), -a)
    quotient, rest = divmod(engine.array(a), 2)
    same(quotient, a // np.float32(2))
    same(rest, a % np.float32(2))
    with pytest.raises(TypeError):
        engine.array(a) + "x"
    with pytest.raises(TypeError):
        "x" * engine.array(a)
    with pytest.raises(TypeError):
        pow(engine.array(i), 2, 3)
    with pytest.raises(ValueError, match=r"add: the shapes \(3,\) and \(2,\)"):
        engine.array(a) + engine.array(a[:2])
    with pytest.raises(TypeError, match="subtract does not accept dtype bool"):
        engine.array(a > 0) - engine.array(a > 0)


def test_in_place(engine):
    for dtype, layout in itertools.product(("f4", "i4", "f8", "c8"), ("one", "strided", "fortran", "transposed")):
        data = LAYOUTS[layout](samples(dtype, (3, 4))).copy(order="K")
        x, before = engine.array(data), data.copy()
        y = x
        y += 2
        assert y is x
        y *= engine.array(data.copy())
        same(x, (before + np.asarray(2, dtype)) * (before + np.asarray(2, dtype)))
        y -= engine.array(data[:, :1])
        y += x
    x = engine.array(np.arange(5, dtype=np.int32))
    with pytest.raises(TypeError):
        x += 1.5
    with pytest.raises(ValueError):
        x += engine.array(np.ones((2, 5), np.int32))
    same(x, np.arange(5, dtype=np.int32))
    x[1:] += x[:-1]
    same(x, np.asarray([0, 1, 3, 5, 7], np.int32))
    data = np.arange(5, dtype=np.int32)
    data.flags.writeable = False
    x = engine.array(data)
    with pytest.raises(ValueError, match="read-only"):
        x += 1


def test_immutable(engine):
    with engine.immutable():
        x = y = engine.array(np.arange(3.0))
        y += 1
        assert y is not x
        same(x, np.arange(3.0))
        same(y, np.arange(3.0) + 1)
        with pytest.raises(TypeError, match="immutable"):
            x[0] = 1


@pytest.mark.combinations
@pytest.mark.parametrize("size", [1, 127, 128, 129, 499, 500, 1023, 1024, 1025, 4096, 4097, 100_003])
@pytest.mark.parametrize(
    "dtypes", [("f4", "f4"), ("i4", "f4"), ("f4", "i4"), ("i4", "i8"), ("u1", "i2"), ("c8", "f4"), ("f8", "c8"), ("?", "f4")]
)
def test_sizes(engine, size, dtypes):
    x, y = samples(dtypes[0], size), samples(dtypes[1], size)
    for a, b in ((x, y), (x, y[:1]), (x[:1], y), (x[::-1], y), (x, y[0])):
        got = engine.array(a) + engine.array(b)
        same(got, np.add(a.astype(got.dtype), b.astype(got.dtype)))
        got = engine.array(a) < engine.array(b)
        same(got, np.less(a, b) if "f4" not in dtypes or "i4" not in dtypes else np.less(a.astype("f4"), b.astype("f4")))


# -- unary operations ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.combinations
@pytest.mark.parametrize("name", [name for name, rule in RULES.items() if rule.nin == 1])
def test_functions_of_one(engine, name):
    function = engine.Function(lambda x: "asked", "elementwise", engine.operations[name])
    for node, layout, shape in itertools.product(NODES.values(), ("one", "strided", "fortran"), ((), (3,), (2, 5), (0, 2))):
        data = samples("i1" if node.kind in "iub" else "f4", shape).astype(node.dtype)
        data = LAYOUTS[layout](data) if data.ndim else data
        try:
            wanted = _dispatch_one(name, data, node)
        except (TypeError, ValueError) as error:
            with pytest.raises(type(error)):
                function(engine.array(data))
            continue
        got = function(engine.array(data))
        assert got._node is wanted._node
        assert got._data.tobytes() == wanted._data.tobytes()
    assert function("x") == "asked"
    assert function([1]) == "asked"


def _dispatch_one(name, data, node):
    return operators.unary(ROWS[name], array.wrap(data, node))


# -- callables -------------------------------------------------------------------------------------------------------------------------------------


def definition(x1, x2, /, *, out=None):
    """Add numbers."""
    return "asked", x1, x2, out


def test_callables_are_functions_to_people(engine):
    import inspect
    import pickle

    function = engine.Function(definition, "elementwise", engine.operations["add"])
    assert (function.__name__, function.__doc__, function.__module__) == ("definition", "Add numbers.", __name__)
    assert function.__wrapped__ is definition
    assert inspect.signature(function) == inspect.signature(definition)
    assert inspect.getsource(function) == inspect.getsource(definition)
    assert callable(function)
    assert function("1", 2) == ("asked", "1", 2, None)
    assert function(1, 2, out=3) == ("asked", 1, 2, 3)
    x = engine.array(np.ones(2))
    assert function(x, x, out=4)[3] == 4
    assert "definition" in repr(function)
    for args, kwargs in (((1,), {}), ((1, 2, 3), {}), ((1, 2), {"where": 1}), ((), {"x1": 1, "x2": 2})):
        with pytest.raises(TypeError) as ours:
            function(*args, **kwargs)
        with pytest.raises(TypeError) as theirs:
            definition(*args, **kwargs)
        assert str(ours.value) == str(theirs.value)
    assert function.__reduce__() == "definition"
    assert pickle.dumps(function.__reduce__())
    with pytest.raises(TypeError):
        engine.Function(3, "elementwise", engine.operations["add"])
    with pytest.raises(TypeError):
        engine.Function(definition, "elementwise", "add")


# -- fast paths ------------------------------------------------------------------------------------------------------------------------------------


class FastPath:
    """A fast path before a function of the package; `asked` counts the calls of the function."""

    def __init__(self, engine, name, function=None, operation=None):
        self.engine, self.asked = engine, 0
        self.definition = function or getattr(xp, name)
        self.function = engine.Function(self.ask, name, operation)

    def ask(self, *args, **kwargs):
        self.asked += 1
        return self.engine.asked(self.definition, *args, **kwargs)

    def __call__(self, *args, **kwargs):
        """Return the result of the fast path, which must equal the function's bit for bit, NaN apart."""
        try:
            theirs = self.engine.theirs
            wanted = self.definition(*map(theirs, args), **{key: theirs(value) for key, value in kwargs.items()})
        except Exception as error:  # noqa: BLE001 - the fast path must raise what the function raises
            with pytest.raises(type(error)):
                self.function(*args, **kwargs)
            return None
        got = self.function(*args, **kwargs)
        if not isinstance(wanted, xp.Array):
            assert (type(got), got) == (type(wanted), wanted) or got != got
            return got
        assert got._node is wanted._node
        assert got.shape == wanted.shape
        if got._data.tobytes() != wanted._data.tobytes():
            same(got, wanted._data)
        assert got._data.flags.writeable == wanted._data.flags.writeable
        return got

    def takes_fast_path(self, *args, **kwargs):
        """Check the result, and that the native engine did not call the function."""
        before = self.asked
        self(*args, **kwargs)
        # Without the lock, a list may change while it is read.
        slow = not getattr(sys, "_is_gil_enabled", lambda: True)() and any(type(x) is list for x in args)
        assert self.asked == before or slow or self.engine.name == "reference" or not LOOPS


VIEWED = [
    np.arange(24, dtype="f4").reshape(2, 3, 4),
    np.arange(6).reshape(3, 2).T,
    np.zeros((1, 3, 1)),
    np.asarray(5),
    np.zeros((0, 2)),
    np.arange(10)[::-2],
]


@for_each("name", ["reshape", "permute_dims", "expand_dims", "squeeze", "flip", "broadcast_to"])
def test_shapes(engine, name):
    function = FastPath(engine, name)
    arguments = {
        "reshape": [
            6,
            -1,
            (),
            (24,),
            (4, 6),
            (-1, 2),
            (2, -1, 3),
            (-1, -1),
            (7,),
            (3, -1, 1),
            (0,),
            (0, -1),
            2.0,
            (2.0, 3),
            "x",
            (-2, 3),
            (2**62, 2**62),
            (1,) * 70,
        ],
        "permute_dims": [(0, 1, 2), (2, 0, 1), (1, 0), (-1, 0), (0,), (), (0, 0, 1), (3, 1, 0), 1, [1, 0]],
        "expand_dims": [0, 1, -1, 2, -3, 5, (0, 1), 1.0, None],
        "squeeze": [None, 0, 2, -1, 1, 5, (0, 2), ()],
        "flip": [None, 0, 1, -1, (0, 1), 5, ()],
        "broadcast_to": [(2, 3, 4), (5, 2, 3, 4), (3,), 3, (), (2,), (4, 0, 2), (-1,), (3.0,)],
    }[name]
    for data, argument in itertools.product(VIEWED, arguments):
        x = engine.array(data)
        got = function(x, argument)
        if got is not None and got.size and data.flags.c_contiguous and name != "broadcast_to" and data.ndim:
            assert np.shares_memory(got._data, data)
        if name in ("expand_dims", "squeeze", "flip"):
            function(x, axis=argument)
    function(engine.array(np.ones(2)))
    function([1, 2], 0)
    function()
    x = engine.array(np.ones((1, 2, 3)))
    function.takes_fast_path(
        x,
        {"reshape": (3, -1), "permute_dims": (2, 1, 0), "expand_dims": 1, "squeeze": 0, "flip": 1, "broadcast_to": (4, 2, 3)}[
            name
        ],
    )
    if name == "reshape":
        method = FastPath(engine, "reshape_method", lambda x, *shape: x.reshape(*shape))
        for shape in ((6,), (3, 2), (-1, 3), ((3, 2),), (), (4, 4), (2.0, 3), (-1, -1)):
            method(x, *shape)
        method.takes_fast_path(x, 3, 2)
        method.takes_fast_path(x, (3, 2))


def test_joins(engine):
    concat, stack = FastPath(engine, "concat"), FastPath(engine, "stack")
    for shapes in (
        [(2, 3), (2, 3)],
        [(2, 3), (1, 3)],
        [(2, 3), (2, 1)],
        [(4,), (4,), (4,)],
        [(), ()],
        [(0, 3), (2, 3)],
        [(2, 3), (3,)],
        [(2, 0), (2, 0)],
        [],
    ):
        for dtypes in (("f4", "f4"), ("i1", "f4"), ("c16", "c16"), ("?", "?")):
            arrays = [
                engine.array(samples(dtype, shape)) for dtype, shape in zip(itertools.cycle(dtypes), shapes, strict=False)
            ]
            for axis in (0, 1, -1, 2, -3, None, 1.0):
                concat(arrays, axis=axis)
                concat(tuple(arrays), axis=axis)
                stack(arrays, axis)
                stack(arrays, axis=axis)
    x, y = engine.array(np.ones((2, 3))), engine.array(np.zeros((2, 3)))
    concat.takes_fast_path([x, y])
    concat.takes_fast_path((x, y), axis=1)
    stack.takes_fast_path([x, y], axis=-1)
    stack.takes_fast_path([x, y])
    concat([x, 1])
    concat(x)
    concat([x, y.T], axis=0)
    stack([x, x.T])


def test_where(engine):
    def make(_state, *keys_and_shapes):
        a, b = (plans.PYTHON_SCALARS[key] if isinstance(key, type) else key for key in keys_and_shapes[:2])
        return plans.plan_binary(_choice_rule(), settings.state(), a, b, engine.Plan)[1]

    where = FastPath(engine, "where", operation=engine.Operation("where", 2, make))
    mask = engine.array(np.asarray([[True, False, True], [False, False, True]]))
    for dtype in ("f4", "i1", "?", "c16", "f2", "u8"):
        x, y = engine.array(samples(dtype, (2, 3))), engine.array(samples(dtype, (2, 3)))
        one = engine.array(samples(dtype, ()))
        for a, b in (
            (x, y),
            (x, one),
            (one, y),
            (one, one),
            (x, y.T),
            (x, x[0]),
            (x, engine.array(np.ones((2, 3), np.int32))),
        ):
            where(mask, a, b)
            where(mask[0], a, b)
            where(mask[0, 0], a, b)  # the condition is one for all elements
            where(mask[0, 1], a, b)
            where(x, a, b)
        for scalar in (0, 1, -1, 2.5, True, 1j, 300, 2**40, float("nan"), None, "x"):
            where(mask, x, scalar)
            where(mask, scalar, y)
            where(mask[0, 0], scalar, y.T)
            where(mask[0, 1], scalar, y.T)
    scalars = (0, -1, 2.5, True, 1j, 2**40, 2**70, 1e300, float("nan"), "x")
    for a, b in itertools.product(scalars, repeat=2):
        where(mask[0], a, b)
        for system in SYSTEMS if engine.is_package else ["jax"]:  # settings are those of the package's engine
            with config.use(promotion=system):
                where(mask, a, b)
    x = engine.array(samples("f4", (2, 3)))
    where.takes_fast_path(mask, x, x)
    where.takes_fast_path(mask, x, 0)
    where.takes_fast_path(mask, 1.5, x)
    where.takes_fast_path(mask, 1.5, 0)
    where.takes_fast_path(mask[0, 0], x, x)
    where.takes_fast_path(mask[0, 0], 0, x.T)
    where(mask, x)


def _choice_rule():
    return importlib.import_module("supremum._functions.where")._SELECT.rule


def test_clip(engine):
    ufunc = np._core.umath.clip

    def make(_state, node, _shape):
        plain = node.kind in "iu"  # NumPy's loop does not order zeros by sign
        return engine.Plan(node, ufunc=ufunc if plain else None, dtype=node.dtype if plain else None)

    clip = FastPath(engine, "clip", operation=engine.Operation("clip", 1, make))
    for dtype in ("f4", "f8", "i1", "u1", "i8", "?", "c8"):
        for shape in ((), (5,), (2, 3), (0,)):
            x = engine.array(samples(dtype, shape))
            for low, high in itertools.product(
                (
                    None,
                    0,
                    -5,
                    300,
                    0.5,
                    -0.0,
                    float("nan"),
                    True,
                    engine.array(np.asarray(3, dtype)),
                    engine.array(np.ones(3)),
                ),
                repeat=2,
            ):
                clip(x, low, high)
    x = engine.array(samples("i4", 4))
    clip.takes_fast_path(x, 0, 1)
    clip.takes_fast_path(x, min=0, max=engine.array(np.int32(1)))


def test_products(engine):
    def make(ufunc):
        def plan(_state, a, b, *_shapes):
            node = max(a, b, key=lambda node: node.bits)
            plain = {a.name, b.name} <= {"float32", "float64"} or (a is b and a.kind == "c")
            return engine.Plan(node, ufunc=ufunc if plain else None, dtype=node.dtype if plain else None)

        return engine.Operation(ufunc.__name__, 2, plan)

    matmul, vecdot = (
        FastPath(engine, "matmul", operation=make(np.matmul)),
        FastPath(engine, "vecdot", operation=make(np.vecdot)),
    )
    dot = FastPath(engine, "dot", operation=matmul.function.operation)
    shapes = [
        (),
        (0,),
        (1,),
        (4,),
        (3, 4),
        (4, 3),
        (4, 4),
        (1, 4),
        (4, 1),
        (0, 4),
        (4, 0),
        (2, 3, 4),
        (17, 4),
        (4, 19),
        (40, 40),
    ]
    for dtype, a, b in itertools.product(("f4", "f8", "c8", "c16", "i4", "?"), shapes, shapes):
        x, y = samples(dtype, a), samples(dtype, b)
        for first, second in itertools.product((x, np.asfortranarray(x)), (y, y[::-1] if y.ndim else y)):
            matmul(engine.array(first), engine.array(second))
            dot(engine.array(first), engine.array(second))
        vecdot(engine.array(x), engine.array(y))
        vecdot(engine.array(x), engine.array(x))
    x = engine.array(samples("f4", (4, 4)))
    for function in (matmul, dot, vecdot):
        function.takes_fast_path(x, x)
    matmul.takes_fast_path(x, x[0])
    vecdot.takes_fast_path(x[0], x[1])
    wide = samples("f8", (4, 4))
    for first, second in ((x, engine.array(wide)), (engine.array(wide), x), (x[1], engine.array(wide))):
        matmul.takes_fast_path(first, second)
    for turned in (wide.T, wide[::-1], wide.astype("f4").T):
        matmul(x, engine.array(turned))
        dot(engine.array(turned), engine.array(wide))
    matmul(x, 2)


def test_creation(engine):
    dtypes = [None, xp.float32, xp.int8, xp.bool, np.dtype("c16"), np.uint16, "int32", xp.bfloat16, float, xp.float16, "x"]
    for name in ("zeros", "ones", "empty"):
        function = FastPath(engine, name)
        for shape, dtype in itertools.product(
            (0, 4, (), (2, 3), (2, 0), [2, 2], -1, (2, -1), 2.0, (2**40, 2**40), 2**70, "x", None, True), dtypes
        ):
            function(shape, dtype)
            function(shape, dtype=dtype)
        function.takes_fast_path(4)
        function.takes_fast_path((2, 3), dtype=xp.int32)
    full, arange = FastPath(engine, "full"), FastPath(engine, "arange")
    for shape, value, dtype in itertools.product(
        (3, (2, 2), (), -1), (0, 1.5, True, 1j, 2**40, -1, 1e30, "x", engine.array(np.ones(()))), dtypes
    ):
        full(shape, value)
        full(shape, value, dtype)
    full.takes_fast_path(3, 1.5)
    full.takes_fast_path((3,), 7, xp.float32)
    for stop, dtype in itertools.product((0, 1, 5, 1000, -3, 2.5, True, None), dtypes):
        arange(stop)
        arange(stop, dtype=dtype)
    arange(2**24, dtype=xp.float32)  # up to where float32 has all integers
    arange(2, 5)
    arange.takes_fast_path(4)
    arange.takes_fast_path(300, dtype=xp.complex64)


def test_conversion(engine):
    asarray, array = FastPath(engine, "asarray"), FastPath(engine, "array")
    given = [0, 1.5, True, 2j, 2**31, 2**40, 2**70, 1e300, float("nan"), [], [1], [1.5, 2.5], [True, False], [1, 2.5], [[1, 2], [3, 4]], [[1, 2], [3]], [[1.5], [2]],
             ((1, 2), [3, 4]), [[[1j]]], [2**31], [[]], "x", None, [None], [[1], 2], [1, [2]], np.ones(2), np.ones(2, np.float16), np.float32(3), np.ones(2, ">f4"),
             np.ones((2, 3)).T, {1: 2}, range(3), [[[[[[[[[1]]]]]]]]], [float("inf"), 1e300]]  # fmt: skip
    for value in given:
        asarray(value)
        array(value)
    x = engine.array(np.ones((2, 3), np.float32))
    for value in (x, x.T, [x, x], [x[0, 0], x[0, 1]], (x[0, 0],), [x[0, 0], 1.0], [x[0, 0], engine.array(np.asarray(1))], engine.array(np.float32(1), weak=True),
                  [engine.array(np.float32(1), weak=True)] * 2):  # fmt: skip
        asarray(value)
        array(value)
    data = np.ones(3, np.float32)
    assert asarray(data)._data is data
    assert not np.shares_memory(array(data)._data, data)
    for value in (1.5, [1.0, 2.0], [[1, 2], [3, 4]], data, x, [x[0, 0], x[0, 1]]):
        asarray.takes_fast_path(value)
        array.takes_fast_path(value)
    values = []
    values.append(values)
    asarray(values)


def test_astype(engine):
    astype = FastPath(engine, "astype")
    for a, b in itertools.product(NODES.values(), repeat=2):
        if a.kind == "c" and b.kind not in "cb":
            continue
        with np.errstate(invalid="ignore"):  # some processors report negative numbers that become unsigned integers
            x = (RNG.normal(size=(2, 3)) * 3).astype("f4").astype(a.dtype)
        for data in (x, np.asfortranarray(x), x[:, ::-1], x[0, 0]):
            astype(engine.array(np.asarray(data)), getattr(xp, b.name))
    x = engine.array(np.ones(2, np.float32))
    astype(x, "int8")
    astype(x, None)
    astype(x, "nonsense")
    astype.takes_fast_path(x, xp.float64)
    astype.takes_fast_path(x, np.dtype(bool))


def test_take(engine):
    take = FastPath(engine, "take")
    data = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for x, axis in itertools.product((data, data[0], data.T, data[0, 0], data[:, :0]), (None, 0, 1, -1, 5)):
        for index in (0, 1, -1, 100, -100, True, 1.5, [0, 1], engine.array(np.asarray([1, 0])), engine.array(np.asarray([[1, -1]], np.int8)),
                      engine.array(np.asarray([7, 0])), engine.array(np.asarray([1], np.uint8)), engine.array(np.asarray([True]))):  # fmt: skip
            take(engine.array(x), index, axis)
            take(engine.array(x), index, axis=axis)
    take.takes_fast_path(engine.array(data), 1, axis=0)
    take.takes_fast_path(engine.array(data), engine.array(np.asarray([1, 0])), 1)


def test_item(engine):
    item = FastPath(engine, "item", lambda x, *args: x.item(*args))
    for dtype in ("f4", "i8", "?", "c8", "f2", "u4"):
        for shape in ((), (1,), (3,), (2, 2), (1, 1)):
            x = engine.array(samples(dtype, shape))
            for args in ((), (0,), (-1,), (5,), (0, 0), ((0,),), (1.5,)):
                item(x, *args)
    item.takes_fast_path(engine.array(np.float32(1)))
    item.takes_fast_path(engine.array(np.ones(3)), 1)


def test_unknown_ways(engine):
    with pytest.raises(ValueError):
        engine.Function(len, "nothing")
    with pytest.raises(TypeError):
        engine.Function(len, "where", 3)
    with pytest.raises(TypeError):
        engine.Function(3, "where")
