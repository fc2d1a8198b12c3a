# ruff: noqa: E501 - a row of a table is one case
"""Ownership in the engines: reference counts around every operator, fast path and error, and failing allocations."""

import contextlib
import functools
import gc
import importlib
import importlib.util
import operator
import os
import signal
import subprocess
import sys
import textwrap
import weakref
from pathlib import Path
from types import SimpleNamespace

import ml_dtypes
import numpy as np
import pytest
from common import for_each
from engines import LOOPS, MODULES, configured, engine_or_skip

import supremum as xp
from supremum._functions import where

if not hasattr(sys, "getrefcount"):
    pytest.skip("this Python counts no references", allow_module_level=True)


#: Whether Python has its global lock.
LOCKED = getattr(sys, "_is_gil_enabled", lambda: True)()


class Bad:
    def __index__(self):
        raise LookupError("index")

    def __float__(self):
        raise LookupError("float")


BAD = Bad()
FUNCTIONS = ("add", "maximum", "atan2", "logical_and", "sin", "exp", "isnan")
FOLDS = ("sum", "prod", "max", "min", "mean", "all", "any")
FAST_PATHS = ("reshape", "permute_dims", "expand_dims", "squeeze", "flip", "broadcast_to", "concat", "stack", "where", "clip", "matmul", "dot",
        "vecdot", "zeros", "empty", "ones", "full", "arange", "asarray", "array", "astype", "take")  # fmt: skip


def namespace(engine):
    """Return functions of the engine by name, each with the package's function as its definition."""
    made = SimpleNamespace()
    for name in FUNCTIONS:
        setattr(
            made,
            name,
            engine.Function(functools.partial(engine.asked, getattr(xp, name)), "elementwise", engine.operations[name]),
        )
    for name in FOLDS:
        setattr(made, name, engine.fold(name, "mean" if name == "mean" else "reduce"))
    made.cumulative_sum = engine.fold("cumulative_sum", "accumulate")

    def product(ufunc):
        def plan(_state, a, b, *_shapes):
            plain = {a.name, b.name} <= {"float32", "float64"}
            node = max(a, b, key=lambda node: node.bits)
            return engine.Plan(node, ufunc=ufunc if plain else None, dtype=node.dtype if plain else None)

        return engine.Operation(ufunc.__name__, 2, plan)

    def clip(_state, node, _shape):
        return engine.Plan(node, ufunc=np._core.umath.clip, dtype=node.dtype)

    matmul = product(np.matmul)
    operations = {"where": engine.operation(where._SELECT.rule), "clip": engine.Operation("clip", 1, clip), "matmul": matmul,
                  "dot": matmul, "vecdot": product(np.vecdot)}  # fmt: skip
    for name in FAST_PATHS:
        definition = functools.partial(engine.asked, getattr(xp, name))
        setattr(made, name, engine.Function(definition, name, operations.get(name)))
    made.item = engine.Function(lambda x, *args: engine.theirs(x).item(*args), "item")
    return made


def prepare(engine):
    """Return cases by name, the objects that they share, and a function that adds."""
    f = namespace(engine)
    array = engine.array
    A = array(np.arange(1, 5, dtype=np.float32))
    B = array(np.arange(2, 6, dtype=np.float32))
    M = array(np.arange(1, 17, dtype=np.float32).reshape(4, 4))
    WIDE = array(np.arange(1, 17, dtype=np.float64).reshape(4, 4))
    I = array(np.arange(1, 5, dtype=np.int32))  # noqa: E741 - integers
    H = array(np.ones(4, ml_dtypes.bfloat16))
    L = array(np.arange(10_000, dtype=np.float32))
    MASK = array(np.asarray([True, False, True, False]))
    ONE = array(np.float32(2))
    AXIS = engine.BatchAxis(None, 4, 1)
    EACH = engine.Batch(AXIS, M)
    LEVEL, RECORD = type("Level", (engine.Level,), {"operand": engine.Dual})(), engine.Record((), A.shape, A._node)
    LEVEL.kinds, LEVEL.tape = "fc", []
    DUAL = engine.Dual(LEVEL, A, RECORD)

    def taped(call):
        """Call a function, and empty the tape."""
        before = [engine.operations[name].factors for name in ("multiply", "subtract", "sin")]
        engine.operations["multiply"].factors = (lambda _, a, b: b, lambda _, a, b: a)
        engine.operations["subtract"].factors, engine.operations["sin"].factors = (1, -1), (lambda _, a: a,)
        try:
            return call()
        finally:
            LEVEL.tape.clear()
            RECORD.cotangent = None
            for name, factors in zip(("multiply", "subtract", "sin"), before, strict=True):
                engine.operations[name].factors = factors

    def carried():
        """Carry a cotangent back through factors of all kinds."""
        record = engine.Record([(RECORD, pull) for pull in (A, 1, -1.0, 0, lambda ct: ct)])
        record.cotangent = A
        engine.backward([record], lambda *args: args[0], lambda ct, _: ct)

    INDEX = array(np.asarray([2, 0]))
    BUFFER = np.ones(3, np.float32)
    ROWS = [[1.0, 2.0], [3.0, 4.0]]
    ARRAYS = [A, A, B]
    ELEMENTS = [A[0], A[1]]
    SHAPES = ((4, 4), (2, 8), (-1,), (3, 3), "x", 2**70)
    watched = [A, B, M, WIDE, I, H, L, MASK, ONE, INDEX, BUFFER, ROWS, ARRAYS, ELEMENTS, AXIS, EACH, LEVEL, RECORD, DUAL, xp.float32, xp.int8, *(z._data for z in (A, B, M, WIDE, I, H, L, MASK, ONE)),
               A._node, I._node, np.dtype("f4"), np.dtype("i4"), engine.Array, engine.Plan, type(engine.module.state())]  # fmt: skip

    class Override(engine.Scope):
        def resolve(self):
            return engine.state

    override = Override()

    def scoped():
        token = engine.scope.set(override)
        try:
            return A + B
        finally:
            engine.scope.reset(token)

    cases = {
    **{f"{op.__name__} {name}": (lambda op=op, x=x, y=y: op(x, y)) for op in (
        operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow, operator.lt,
        operator.eq, operator.and_, operator.lshift, operator.matmul, divmod,
    ) for name, (x, y) in {
        "arrays": (A, B), "floats": (A, 2.5), "reflected": (3, A), "mixed": (I, A), "large": (L, L), "large mixed": (L, 3), "bfloat16": (H, H),
        "narrow scalar": (H, 2), "broadcast": (M, A), "column": (M[:, :1], A), "strided": (M.T, M), "one": (A, ONE), "shapes": (A, INDEX), "string": (A, "x"),
        "list": (A, ROWS), "ndarray": (BUFFER[:1], A), "huge": (I, 2**70), "complex": (A, 1j), "bool": (A, True), "bad": (A, BAD),
    }.items()},
    **{f"{op.__name__}": (lambda op=op: op(A)) for op in (operator.neg, operator.pos, operator.abs, operator.invert, len, iter, list, float, int, bool, hash)},
    **{f"of one {op.__name__}": (lambda op=op: op(ONE)) for op in (float, int, bool, complex, operator.index, len, iter, list, hash)},
    **{f"of one int {op.__name__}": (lambda op=op: op(I[0])) for op in (float, int, bool, complex, operator.index)},
    **{f"function {name}": (lambda name=name: getattr(f, name)(A, B)) for name in ("add", "maximum", "atan2", "logical_and", "matmul", "vecdot", "dot", "where")},
    **{f"function of one {name}": (lambda name=name: getattr(f, name)(A)) for name in ("sin", "exp", "isnan")},
    "function bad": lambda: f.add(A, BAD), "function keyword": lambda: f.add(A, b=3), "function out": lambda: f.add(A, A, out=1),
    **{f"fold {name} {axis} {keep}": (lambda name=name, axis=axis, keep=keep: getattr(f, name)(M, axis=axis, keepdims=keep))
       for name in FOLDS for axis in (None, 0, (0, 1), 7, (0, 0), 2**70) for keep in (False, True)},
    "fold int": lambda: f.sum(I), "fold mean int": lambda: f.mean(I), "fold bfloat16": lambda: f.sum(H), "fold none": lambda: f.max(A[:0]), "fold large": lambda: f.mean(L),
    "cumulative": lambda: f.cumulative_sum(A),
    **{f"key {key!r}": (lambda key=key: M[key]) for key in (0, -1, 9, slice(1, 3), slice(None, None, 0), None, ..., (0, 1), (0, None, ...), (0, 1, 2), 1.5, "x", 2**70, (..., ...), True)},
    "key index": lambda: A[INDEX], "key mask": lambda: A[MASK], "key far": lambda: A[xp.asarray([9])], "key 0-d": lambda: M[I[0]], "key bad": lambda: A[BAD],
    "set": lambda: operator.setitem(A, 0, 1.0), "set slice": lambda: operator.setitem(A, slice(1), 1), "set array": lambda: operator.setitem(A, slice(None), A),
    "set mask": lambda: operator.setitem(A, MASK, B[:2]), "set far": lambda: operator.setitem(A, 9, 1.0), "set kind": lambda: operator.setitem(I, 0, 1.5),
    "set shape": lambda: operator.setitem(A, slice(None), B[:3]), "set huge": lambda: operator.setitem(I, 0, 2**70), "set bad": lambda: operator.setitem(A, 0, BAD),
    "delete": lambda: operator.delitem(A, 0), "contains": lambda: 2.0 in A,
    "iadd": lambda: operator.iadd(I, 0), "iadd array": lambda: operator.iadd(I, I[0]), "iadd kind": lambda: operator.iadd(I, 1.5), "iadd shape": lambda: operator.iadd(A, M),
    "iadd strided": lambda: operator.imul(M[:, 1], 1.0), "iadd bad": lambda: operator.iadd(A, BAD), "imatmul": lambda: operator.imatmul(A, M),
    **{f"reshape {shape!r}": (lambda shape=shape: f.reshape(M, shape)) for shape in SHAPES},
    "permute": lambda: f.permute_dims(M, (1, 0)), "permute bad": lambda: f.permute_dims(M, (0, 0)), "expand": lambda: f.expand_dims(M, 1), "expand bad": lambda: f.expand_dims(M, 9),
    "squeeze": lambda: f.squeeze(M[None]), "squeeze bad": lambda: f.squeeze(M, 0), "flip": lambda: f.flip(M), "flip bad": lambda: f.flip(M, 7), "T": lambda: M.T,
    "broadcast": lambda: f.broadcast_to(A, (3, 4)), "broadcast bad": lambda: f.broadcast_to(A, (3,)), "concat": lambda: f.concat(ARRAYS), "concat bad": lambda: f.concat([A, M]),
    "concat mixed": lambda: f.concat([A, I]), "stack": lambda: f.stack(ARRAYS, axis=-1), "stack bad": lambda: f.stack([A, B[:2]]),
    "where": lambda: f.where(MASK, A, B), "where scalar": lambda: f.where(MASK, A, 0.0), "where scalars": lambda: f.where(MASK, 0.5, 1), "where odd scalars": lambda: f.where(MASK, 0.5, "x"),
    "where strided": lambda: f.where(M > 3.0, M.T, M.T), "reshape strided": lambda: f.reshape(M.T, (2, 8)), "reshape odd": lambda: f.reshape(M.T, (3, 5)), "where bad": lambda: f.where(MASK, A, "x"), "where shape": lambda: f.where(MASK, A, B[:3]),
    "clip": lambda: f.clip(A, 0, 1), "clip arrays": lambda: f.clip(A, ONE, ONE), "clip bad": lambda: f.clip(A, "x", 1),
    "matmul": lambda: f.matmul(M, M), "matmul mixed": lambda: f.matmul(M, WIDE), "matmul bad": lambda: f.matmul(M, A[:3]), "take": lambda: f.take(A, INDEX, 0), "take far": lambda: f.take(A, 9),
    "astype": lambda: f.astype(A, xp.float64), "astype int": lambda: f.astype(A, xp.int8), "astype bad": lambda: f.astype(A, "nothing"),
    "item": lambda: f.item(A, 0), "item bad": lambda: f.item(A, 9), "item all": lambda: f.item(A),
    "zeros": lambda: f.zeros((2, 3)), "zeros bad": lambda: f.zeros(-1), "zeros huge": lambda: f.zeros((2**40, 2**20)), "ones": lambda: f.ones(4, dtype=xp.int8), "full": lambda: f.full(3, 1.5),
    "arange": lambda: f.arange(5), "asarray": lambda: f.asarray(BUFFER), "asarray scalar": lambda: f.asarray(1.5), "asarray list": lambda: f.asarray(ROWS),
    "asarray ragged": lambda: f.asarray([[1.0], [1.0, 2.0]]), "asarray elements": lambda: f.asarray(ELEMENTS), "asarray bad": lambda: f.asarray("x"), "array": lambda: f.array(A),
    "buffer": lambda: bytes(memoryview(A)), "buffer bad": lambda: memoryview(H), "weak": lambda: weakref.ref(A + B), "construct": lambda: engine.Array(),
    "subclass": lambda: type("S", (engine.Array,), {}), "wrap bad": lambda: engine.wrap(BUFFER, "x"), "wrap other": lambda: engine.wrap(BUFFER, I._node),
    "plan": lambda: engine.Plan(A._node, len, ufunc=np.add, dtype=A.dtype), "plan bad": lambda: engine.Plan("x"),
    "elementwise": lambda: engine.Function(len, "elementwise", f.add.operation), "elementwise bad": lambda: engine.Function(3, "elementwise", f.add.operation), "scope": scoped,
    "axis": lambda: engine.BatchAxis("i", 4, 1), "axis bad": lambda: engine.BatchAxis(None, 4, 2**70), "batch": lambda: engine.Batch(AXIS, A), "batch bad": lambda: engine.Batch(None, A),
    "batches": lambda: engine.map_arrays(engine.BatchAxis, engine.Batch, None, 1, (0, None), (A, ONE)), "no batches": lambda: engine.map_arrays(engine.BatchAxis, engine.Batch, None, 1, 0, (ONE,)),
    "batches bad": lambda: engine.map_arrays(int, engine.Batch, None, 1, 0, (A,)), "values": lambda: engine.own_values(EACH, AXIS, (A, M)), "values bad": lambda: engine.own_values(EACH, None, ()),
    **{f"batch {name}": (lambda y=y: EACH * y) for name, y in {"batch": EACH, "scalar": 2.0, "array": A, "shapes": INDEX, "string": "x", "bad": BAD}.items()},
    "stripped": lambda: engine.stripped(LEVEL, (DUAL, [DUAL, 1], {"a": DUAL})), "stripped bad": lambda: engine.stripped(1, 2), "taped": lambda: taped(lambda: LEVEL.taped(A, [(RECORD, 1)])), "taped bad": lambda: engine.Level().taped(A, []), "dual": lambda: engine.Dual(LEVEL, A, RECORD), "dual bad": lambda: engine.Dual(None, A, RECORD), "dual node": lambda: (DUAL.node, DUAL.shape), "record": lambda: engine.Record(((RECORD, 1),), (4,), A._node),
    "record bad": lambda: engine.Record(wrong=1), **{f"dual {name}": (lambda y=y: taped(lambda: DUAL * y)) for name, y in {"dual": DUAL, "scalar": 2.0, "array": A, "zero": 0, "shapes": INDEX, "string": "x", "bad": BAD}.items()},
    "dual sin": lambda: taped(lambda: f.sin(DUAL)), "dual reflected": lambda: taped(lambda: A - DUAL), "backward": lambda: taped(carried), "backward bad": lambda: engine.backward([1], len, len),
    "batch sin": lambda: f.sin(EACH), "batch neg": lambda: -EACH, "batch compared": lambda: EACH == 1, "batch reflected": lambda: A - EACH,
    }  # fmt: skip
    return SimpleNamespace(cases=cases, watched=watched, functions=f, A=A, B=B, engine=engine)


@pytest.fixture(scope="module", params=list(MODULES))
def prepared(request):
    made = prepare(engine_or_skip(request.param))
    gc.collect()
    gc.freeze()  # objects that existed before need not be counted each time
    return made


def attempt(case):
    with contextlib.suppress(Exception):
        case()


def allocated_blocks():
    """Return how many blocks are in use, without those of the names of attributes that Python looked up."""
    # 4096 names, a new one for each name made at run time; Python 3.13 has another name for it
    clear = getattr(sys, "_clear_internal_caches", None) or getattr(sys, "_clear_type_cache", None)
    if clear is not None:
        clear()
    return sys.getallocatedblocks()


@for_each("name", prepare(configured("reference")).cases)
def test_references(prepared, name):
    if name == "subclass" and not LOCKED:
        pytest.skip("Python 3.13 without its lock keeps all classes, once a thread was started")
    case = prepared.cases[name]
    for _ in range(150):  # until the free lists are full
        attempt(case)
    gc.collect()
    before = [sys.getrefcount(x) for x in prepared.watched]
    grown = []
    for _ in range(3):
        blocks = allocated_blocks()
        for _ in range(40):
            attempt(case)
        gc.collect()
        grown.append(allocated_blocks() - blocks)
    after = [sys.getrefcount(x) for x in prepared.watched]
    # A cache grows once, a leak in every round.
    assert min(grown) < 30
    # The type counts its instances, some of which may be in a free list.
    differing = [(repr(x)[:40], a, b) for x, a, b in zip(prepared.watched, before, after, strict=True) if abs(a - b) > 3]
    assert not differing


ROUNDS = 100_000
#: The fast paths, each with a case above that calls no Python function.
QUICK = (
    "add arrays", "sub floats", "mul reflected", "truediv mixed", "lt arrays", "eq floats", "add broadcast", "add strided", "add one", "add bool",
    "neg", "abs", "len", "of one float", "of one bool", "of one int int", "of one int index", "of one int bool", "of one int complex",
    "function add", "function maximum", "function matmul", "function vecdot", "where", "function of one sin",
    "fold sum 0 False", "fold mean None True", "fold max (0, 1) False", "fold int", "cumulative",
    "key 0", "key slice(1, 3, None)", "key None", "key (0, 1)", "key (0, None, Ellipsis)", "key index", "key mask", "key 0-d",
    "set", "set slice", "set array", "set mask", "iadd", "iadd array", "iadd strided", "reshape (2, 8)", "permute", "expand", "squeeze", "flip", "T", "broadcast",
    "concat", "stack", "where scalar", "clip", "take", "astype", "item", "zeros", "ones", "full", "arange", "asarray", "asarray scalar", "asarray list",
    "asarray elements", "array", "buffer", "weak", "scope",
)  # fmt: skip


def test_many_rounds():
    """Run every fast path 10^5 times: references, blocks and resident memory do not grow."""
    prepared = prepare(engine_or_skip("native"))
    resource = pytest.importorskip("resource", reason="only Unix has the module that measures memory")
    cases = [prepared.cases[name] for name in QUICK]

    def work(rounds):
        for case in cases:
            for _ in range(rounds):
                case()

    work(200)
    gc.collect()
    before = [sys.getrefcount(x) for x in prepared.watched]
    blocks, resident = sys.getallocatedblocks(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work(ROUNDS)
    gc.collect()
    assert sys.getallocatedblocks() - blocks < 200
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - resident < 5000  # in kilobytes
    after = [sys.getrefcount(x) for x in prepared.watched]
    assert max(abs(a - b) for a, b in zip(before, after, strict=True)) < 100


def test_states_are_collected(prepared):
    """States, plans and scopes in a reference cycle are collected."""
    engine = prepared.engine
    if engine.name == "native" and not LOCKED:
        pytest.skip("without the GIL, states live as long as the process")

    class State(engine.State):
        pass

    class Scope(engine.Scope):
        def __init__(self, state):
            self.state, self.myself = state, self

        def resolve(self):
            return self.state

    def make(state, node, _shape):
        return engine.Plan(node, lambda x: x if state else None)

    function = engine.Function(len, "elementwise", engine.Operation("itself", 1, make))
    died = []

    def work():
        state = State()
        token = engine.scope.set(Scope(state))
        try:
            function(prepared.A)
        finally:
            engine.scope.reset(token)
        weakref.finalize(state, died.append, 1)

    for _ in range(3):
        work()
    gc.collect()
    assert len(died) == 3


def test_callables_are_collected(prepared):
    engine = prepared.engine
    died = []

    def work():
        def definition(x):
            return callables

        operation = engine.Operation("itself", 1, lambda *_: callables)
        callables = [
            engine.Function(definition, "elementwise", operation),
            engine.Function(definition, "asarray", operation),
            engine.Function(definition, "reduce", operation),
        ]
        for function in callables:
            weakref.finalize(function, died.append, 1)

    work()
    gc.collect()
    assert len(died) == 3


def test_callables_are_called_while_they_are_collected(prepared):
    """Before Python 3.14, weak references made by `__del__` can reach callables that the collector has cleared."""
    engine, x, references, said = prepared.engine, prepared.A, [], []

    def call(_reference):
        for reference in references:
            for operands in [(x, "not", "plain"), (x,)]:
                with contextlib.suppress(Exception):
                    said.append(reference()(*operands))

    class Target:
        def __del__(self):
            references.extend(map(weakref.ref, self.callables))
            self.watch.append(weakref.ref(self, call))

    def work():
        class Definition:
            def __call__(self, *_args):
                return "called"

        definition = Definition()
        operation = engine.Operation("itself", 1, lambda *_: None)
        callables = definition.callables = (
            engine.Function(definition, "elementwise", operation),
            engine.Function(definition, "asarray", operation),
            engine.Function(definition, "reduce", operation),
        )
        target = Target()
        target.callables, target.watch = callables, references_to_watch
        cycle = [callables, target]
        cycle.append(cycle)

    references_to_watch = []
    work()
    gc.collect()
    assert all(answer is x or answer == "called" for answer in said)


@pytest.fixture
def interruptible():
    """Let SIGINT raise KeyboardInterrupt: shells start background processes with SIGINT ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_interrupted_hooks(prepared):
    """KeyboardInterrupt during a hook of the engine is raised, and nothing leaks."""
    engine, x = prepared.engine, prepared.engine.array(np.arange(3, dtype=np.float32))

    def interrupt(*_args):
        signal.raise_signal(signal.SIGINT)
        for _ in range(1000):  # the signal handler runs between two bytecode instructions
            pass

    plan = engine.Plan(x._node, interrupt, convert=interrupt)
    computes = engine.Function(interrupt, "elementwise", engine.Operation("computes", 2, lambda *_: plan))
    makes = engine.Function(interrupt, "elementwise", engine.Operation("makes", 2, interrupt))
    cases = [
        lambda: computes(x, 1),
        lambda: computes(1, x),
        lambda: computes(x, x),
        lambda: computes("x", x),
        lambda: makes(x, x),
        lambda: makes(x, 1),
    ]
    with engine.hooked(getitem=interrupt, setitem=interrupt):
        before = sys.getrefcount(x), sys.getrefcount(x._data)
        for case in (*cases, lambda: x["key"], lambda: operator.setitem(x, "key", 1)):
            for _ in range(5):
                with pytest.raises(KeyboardInterrupt):
                    case()
        assert (sys.getrefcount(x), sys.getrefcount(x._data)) == before
    assert ((x + 1)._data == np.arange(1, 4)).all()


def output(code):
    """Run code in a new process that can import the tests' helpers, and return its output."""
    paths = [str(Path(__file__).parents[1]), *filter(None, sys.path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    out = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False, env=environment
    )
    assert out.returncode == 0, out.stderr[-2000:]
    return out.stdout


def run(code):
    """Run code in a new process, and return the number that it prints."""
    return int(output(code))


@pytest.mark.parametrize("name", MODULES)
def test_large_memory_is_freed(name):
    engine_or_skip(name)
    pytest.importorskip("resource", reason="only Unix has the module that measures memory")
    code = f"""
        import resource, numpy as np
        from engines import configured
        engine = configured({name!r})
        x, total = engine.array(np.ones(100_000, np.float32)), engine.fold("sum")
        def work(rounds):
            for _ in range(rounds):
                (x + x, x + 1, x[::2] + x[::2], total(x), x < 2, -x, x[x > 0])
        work(20)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        work(200)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    """
    assert run(code) < 20_000  # in kilobytes: less than one leaked result in each round


def test_arrays_die_in_deep_containers(prepared):
    nest = [prepared.A + prepared.B]
    for _ in range(100_000):
        nest = [nest, prepared.functions.asarray(1.0)]
    del nest


def test_updates_die_in_deep_keys(prepared):
    at = prepared.A.at
    key = 0
    for _ in range(1_000_000):
        key = at[key]
    del key


def test_arrays_are_made_while_others_die(prepared):
    made, A, B = [], prepared.A, prepared.B

    def die(_reference):
        made.append(A + B)
        made.append(A + 1)

    for _ in range(200):
        x = A + B
        reference = weakref.ref(x, die)
        del x
        assert reference() is None
    assert len(made) == 400
    assert all((x._data == A._data + B._data).all() for x in made[::2])


@pytest.mark.skipif(not LOOPS, reason="NumPy's ufuncs may return without an exception if an allocation fails")
def test_allocations_that_fail():
    """Let each allocation fail once, in a separate process: the result is MemoryError or the correct one, and nothing leaks."""
    engine_or_skip("native")
    pytest.importorskip("_testcapi", reason="the module that lets allocations fail is not installed")
    code = """
        import gc, sys, _testcapi
        import numpy as np
        import supremum as xp
        from engines import configured
        engine = configured("native")
        array, Function = engine.array, engine.Function
        x = array(np.arange(1, 5, dtype=np.float32)); y = x + x; m = array(np.ones((4, 4), np.float32)); mask = x > 2; i = array(np.arange(1, 5, dtype=np.int32))
        rows = [[1.0, 2.0], [3.0, 4.0]]; f64 = xp.float64
        no = lambda *_: None
        add, total = Function(no, "elementwise", engine.operations["add"]), engine.fold("sum")
        asarray, zeros, concat, reshape, astype = (Function(no, name) for name in ("asarray", "zeros", "concat", "reshape", "astype"))
        matmul = Function(no, "matmul", engine.Operation("matmul", 2, lambda _state, a, *_: engine.Plan(a, ufunc=np.matmul, dtype=a.dtype)))
        pair = (x, y); shape = (2, 8); axis = engine.BatchAxis(None, 4, 1); batch = engine.Batch(axis, y)
        s = slice(1, 3); key = (0, 1)
        cases = [lambda: x + y, lambda: x + 2.5, lambda: i + x, lambda: m + x, lambda: m.T + m, lambda: -x, lambda: add(x, y), lambda: total(x), lambda: total(m, axis=0),
                 lambda: asarray(1.5), lambda: asarray(rows), lambda: zeros(4), lambda: concat(pair), lambda: reshape(m, shape),
                 lambda: matmul(m, m), lambda: x[1], lambda: x[s], lambda: m[key], lambda: x[mask], lambda: x.T, lambda: m.T, lambda: astype(x, f64),
                 lambda: float(x[0]), lambda: x.shape, lambda: [z for z in x], lambda: engine.Plan(x._node),
                 lambda: engine.map_arrays(engine.BatchAxis, engine.Batch, None, 1, 0, pair), lambda: engine.own_values(batch, axis, pair),
                 lambda: engine.BatchAxis("a", 4, 1), lambda: batch * 2.0, lambda: batch + x[0], lambda: add(batch, batch), lambda: -batch]
        for case in cases:
            case(); case()
        def attempt(case, start):
            _testcapi.set_nomemory(start, start + 1)
            try:
                case()
            except MemoryError:
                return True
            finally:
                _testcapi.remove_mem_hooks()
            return False
        watched = [x, y, m, mask, i, x._data, m._data, rows, x._node, axis, batch]
        failed = 0
        for case in cases:
            before = [sys.getrefcount(z) for z in watched]
            for start in range(40):
                failed += attempt(case, start)
            gc.collect()
            assert [sys.getrefcount(z) for z in watched] == before, case
            case()
        print(failed)
    """
    assert run(code) > 10  # Python and NumPy reuse memory, so the number of blocks varies


@pytest.mark.skipif(not LOOPS, reason="NumPy's ufuncs may return without an exception if an allocation fails")
def test_allocations_of_programs_that_fail():
    """Let each allocation of programs and chains fail, while they are made and run: MemoryError or the result, and no leaks."""
    engine_or_skip("native")
    pytest.importorskip("_testcapi", reason="the module that lets allocations fail is not installed")
    code = """
        import gc, sys, _testcapi
        import numpy as np
        from engines import configured
        engine = configured("native")
        Program, Chain = engine.module.Program, engine.module.Chain
        x, y = (engine.array(np.full(4, value, np.float32)) for value in (1, 2))
        rows = engine.array(np.ones((9, 4), np.float32))
        large = engine.array(np.ones(20_000, np.float32))
        node, bools = x._node, engine.array(np.array(True))._node
        plans = {name: engine.module.plan(engine.operations[name], x, y) for name in ("add", "less")}
        scaled = engine.module.plan(engine.operations["add"], x, 2.5)
        same = lambda *given: given[0]
        pair = lambda a: [a, (a,)]
        slots = ((node, (4,), 0), (node, (4,), 64), (node, (4,), 128), (node, (4,), 192), (node, (4,), 256))
        steps = (
            (same, (None, None), None, ((0, 0), (1, 1)), (2,), (), plans["add"]),
            (same, (None, 2.5), None, ((0, 2),), (3,), (), scaled),
            (lambda *given, k: given[0], (None,) + tuple(range(9)), ("k",), ((0, 3),), (4,), (3,), None),
            (pair, (None,), None, ((0, 4),), (3, 2), (), None),
        )
        moves = ((same, (None,), None, ((0, 0),), (1,), (), (((0, 3, -1, 4),),)),)
        at = engine.array(np.int32(1))
        parts = ((node, (4,), 0), (at._node, (), 64), (node, (2,), 128))
        windows = (
            (same, (None, None), None, ((0, 0), (1, 1)), (2,), (), (((0, 0, 1, 2),), ((1, 1, 2, 4, 0),))),
            (same, (None,) * 3, None, ((0, 0), (1, 2), (2, 1)), (0,), (), (((2, 0, 1, 2, 2, -1),), ((1, 1, 1, 4, 1),), True)),
        )
        looped = (((same, (None, None), None, ((0, 0), (1, 0)), (2,), (), plans["add"])),)
        test = ((node, (), 0), (bools, (), 64), (node, (), 128))
        grows = (
            (same, (None, 100.0), None, ((0, 0),), (1,), (), engine.module.plan(engine.operations["less"], x, 100.0)),
            (same, (None, None), None, ((0, 0), (1, 0)), (2,), (), plans["add"]),
        )
        part = Program(slots, steps, (0, 1), (3, 2), 1, 1, part=True)
        wide = ((node, (4,), 0), (node, (9, 4), 64), (node, (4,), 256), (node, (9, 4), 320))
        inner = ((same, (None, None), None, ((0, 0), (1, 1)), (2, 3), (), (9, False, (part,))),)
        one = engine.array(np.float32(1))
        links = ((plans["add"], (0, 1), 2), (scaled, (2, (2.5,)), 3))
        values = ((node, False, -1), (node, True, -1), (node, False, 0), (node, False, -1))
        makers = [
            lambda: Program(slots, steps, (0, 1), (3, 2), 1, 1), lambda: Program(slots, moves, (0,), (1,)),
            lambda: Program(slots, looped, (0, 1), (2,), 1, 1), lambda: Program(test, grows, (0,), (2,), 1, 0, 1, 1),
            lambda: Program(parts, windows, (0, 1), (0, 2)), lambda: Chain((20_000,), values, links, (0, 1), (3,), same),
            lambda: Program(wide, inner, (0, 1), (2, 3)),
        ]
        called, moved, loop, condition, window, chain, nested = [make() for make in makers]
        cases = [*makers, lambda: called.run((x, rows), 9), lambda: called.run((x, rows), 9, True), lambda: moved.run((x,)),
                 lambda: loop.run((x, rows), 9), lambda: condition.run((one,)), lambda: window.run((x, at)),
                 lambda: chain(large, one), lambda: called.run((x, 1), 9), lambda: nested.run((x, rows))]
        for case in cases:
            case(); case()
        def bits(out):
            return [bits(z) for z in out] if isinstance(out, list) else out._data.tobytes() if hasattr(out, "_data") else type(out)
        def attempt(case, start):
            _testcapi.set_nomemory(start, start + 1)
            try:
                return case()
            except MemoryError:
                return None
            finally:
                _testcapi.remove_mem_hooks()
        watched = [x, y, rows, large, one, x._data, rows._data, large._data, one._data, slots, steps, moves, grows, looped, links, values,
                   same, pair, *plans.values(), scaled, called, loop, part, wide, inner, nested]
        failed = 0
        for case in cases:
            expected = bits(case())
            before = [sys.getrefcount(z) for z in watched]
            for start in range(60):
                out = attempt(case, start)
                failed += out is None
                assert out is None or bits(out) == expected, (case, start)
                del out
            gc.collect()
            assert [sys.getrefcount(z) for z in watched] == before, case
            case()
        print(failed)
    """
    assert run(code) > 30


@pytest.mark.parametrize("name", MODULES)
def test_fork(name):
    engine_or_skip(name)
    if not hasattr(os, "fork"):
        pytest.skip("this system has no fork")
    code = f"""
        import os, numpy as np
        from engines import configured
        engine = configured({name!r})
        x = engine.array(np.arange(5, dtype=np.float32))
        kept = [x + 1 for _ in range(100)]
        del kept[::2]
        child = os.fork()
        results = [x + k for k in range(200)]
        good = all((result._data == np.arange(5) + k).all() for k, result in enumerate(results))
        good = good and all((y._data == np.arange(1, 6)).all() for y in kept)
        if not child:
            os._exit(0 if good else 1)
        print(int(good and os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0))
    """
    assert run(code) == 1


@pytest.mark.parametrize("first", [True, False])
def test_subinterpreters_are_refused(first):
    """The extension supports one interpreter, whether the main interpreter has loaded it or not."""
    engine_or_skip("native")
    names = [name for name in ("_interpreters", "_xxsubinterpreters") if importlib.util.find_spec(name)]
    if not names:
        pytest.skip("this Python has no subinterpreters")
    path = importlib.import_module("supremum._native").__file__
    load = textwrap.dedent(f"""
        import importlib.util, os
        spec = importlib.util.spec_from_file_location("supremum._native", {path!r})
        try:
            spec.loader.exec_module(importlib.util.module_from_spec(spec))
            text = "loaded"
        except ImportError as error:
            text = str(error)
        print(text, flush=True)
    """)
    code = f"""
        import importlib, os
        interpreters = importlib.import_module({names[0]!r})
        if {first}:
            import supremum._native
        interpreters.run_string(interpreters.create(), {load!r})
    """
    assert "subinterpreters" in output(code)


def test_the_end_of_the_interpreter():
    """Arrays that exist when the interpreter ends, in modules, cycles and threads, cause no crash."""
    engine_or_skip("native")
    code = """
        import atexit, sys, threading, numpy as np
        from engines import configured
        engine = configured("native")
        x = engine.array(np.arange(5, dtype=np.float32))
        class Cycle:
            def __del__(self):
                self.array + self.array
        cycle = Cycle(); cycle.itself = cycle; cycle.array = x + 1
        sys.kept = [x + 1, x[1:], cycle]
        atexit.register(lambda: x + x)
        threading.Thread(target=lambda: [x + x for _ in range(100_000)], daemon=True).start()
        print(1)
    """
    assert run(code) == 1
