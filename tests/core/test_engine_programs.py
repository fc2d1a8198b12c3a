"""Programs of the engines: calls, loops of plans and moved elements, once and step by step. Both engines give the same."""

import gc
import os
import signal
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from engines import LOOPS, MODULES, engine_or_skip

F32, F64, I32, BOOL = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int32), np.dtype(bool)


@pytest.fixture(params=MODULES)
def engine(request):
    """Return each engine."""
    return engine_or_skip(request.param)


def node(engine, dtype):
    return engine.array(np.empty((), dtype))._node


def call(function, places, outs, how=None, args=None, names=None, drops=()):
    count = len(args) if args is not None else len(places)
    return (function, tuple(args or [None] * count), names, places, outs, drops, how)


def function(engine, name):
    return engine.Function(lambda *_: None, "elementwise", engine.operations[name])


def plan(engine, name, *dtypes):
    return engine.module.plan(
        engine.operations[name], *[engine.array(np.empty((), d)) if isinstance(d, np.dtype) else d for d in dtypes]
    )


def program(engine, shapes, steps, inputs, outputs, dtypes=None, **options):
    """Return a program whose slots have their elements one after the other."""
    slots, place = [], 0
    for shape, dtype in zip(shapes, dtypes or [F32] * len(shapes), strict=True):
        slots.append((node(engine, dtype), shape, place))
        place += 64 * (1 + int(np.prod(shape)) * dtype.itemsize // 64)
    return engine.module.Program(tuple(slots), tuple(steps), inputs, outputs, **options)


def sums(engine, shapes=((3,), (3,), (3,)), **options):
    """Return a program of one addition."""
    how = plan(engine, "add", F32, F32)
    return program(engine, shapes, [call(function(engine, "add"), ((0, 0), (1, 1)), (2,), how)], (0, 1), (2,), **options)


def test_a_program_runs_once(engine):
    x, y = engine.array(np.arange(3, dtype=np.float32)), engine.array(np.float32([1, 10, 100]))
    (out,) = sums(engine).run((x, y))
    assert out._node is x._node
    assert (out._data == [1, 11, 102]).all()
    assert (x._data == [0, 1, 2]).all()


@pytest.mark.parametrize("shapes", [((2, 1), (1, 3), (2, 3)), ((), (4,), (4,)), ((0,), (0,), (0,)), ((2, 3), (3,), (2, 3))])
def test_operands_broadcast(engine, shapes):
    x, y = (np.arange(np.prod(s), dtype=np.float32).reshape(s) for s in shapes[:2])
    (out,) = sums(engine, shapes).run((engine.array(x), engine.array(y)))
    assert out.shape == shapes[2]
    assert (out._data == x + y).all()


def test_numbers_and_conversions(engine):
    number = call(function(engine, "add"), ((0, 0),), (1,), plan(engine, "add", F32, 2.5), args=(None, 2.5))
    mixed = call(function(engine, "add"), ((0, 1), (1, 2)), (3,), plan(engine, "add", F32, F64))
    made = program(engine, [(3,)] * 4, [number, mixed], (0, 2), (3,), [F32, F32, F64, F64])
    x, y = np.float32([0.1, 1, 2]), np.array([0.1, 1e300, 3])
    (out,) = made.run((engine.array(x), engine.array(y)))
    assert (out._data == (x + np.float32(2.5)).astype(float) + y).all()


def test_elements_are_moved(engine):
    def turned(x):
        return engine.array(np.ascontiguousarray(x._data[::-1, 1]))

    made = program(engine, [(2, 3), (2,)], [call(turned, ((0, 0),), (1,), (((0, 4, -3, 2),),))], (0,), (1,))
    (out,) = made.run((engine.array(np.arange(6, dtype=np.float32).reshape(2, 3)),))
    assert (out._data == [4, 1]).all()


CLIP, DROP, REFUSE = range(3)


def windows(engine, beyond, dtype=I32, **options):
    """Return a program that reads three columns of an array at a position, and writes twice of them to it in place."""

    def place(i, length, most):
        number = int(i._data) + length * (i._data < 0)
        if beyond == REFUSE and not 0 <= number <= most:
            raise IndexError(f"there is no column {number}")
        return min(max(number, 0), most)

    def read(x, i):
        start = place(i, 5, 2)
        return engine.array(np.ascontiguousarray(x._data[:, start : start + 3]))

    def write(x, y, i):
        out, number = x._data.copy(), int(i._data) + 5 * (i._data < 0)
        if beyond == CLIP or 0 <= number <= 2:
            start = place(i, 5, 2)
            out[:, start : start + 3] = y._data
        return engine.array(out)

    where = ((1, 1, 2, 5, beyond),)
    inside = ((1, 1, 2, 5, CLIP if beyond == DROP else beyond),)
    steps = [
        call(read, ((0, 0), (1, 1)), (2,), (((0, 0, 1, 3), (0, 5, 1, 3)), inside)),
        call(function(engine, "add"), ((0, 2), (1, 2)), (3,), plan(engine, "add", F32, F32)),
        call(write, ((0, 0), (1, 3), (2, 1)), (0,), (((3, 0, 1, 3, 0, 1), (3, 3, 1, 3, 5, 1)), where, True)),
    ]
    return program(engine, [(2, 5), (), (2, 3), (2, 3)], steps, (1, 0), (0,), [F32, dtype, F32, F32], carried=1, **options)


@pytest.mark.parametrize("beyond", [CLIP, DROP])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"])
def test_windows_at_computed_positions(engine, beyond, dtype):
    made = windows(engine, beyond, np.dtype(dtype))
    x = np.arange(10, dtype=np.float32).reshape(2, 5)
    info = np.iinfo(dtype)
    for i in sorted({max(info.min, -9), max(info.min, -3), max(info.min, -1), 0, 1, 2, 3, 100, info.min, info.max}):
        start = i + 5 * (i < 0)
        expected = x.copy()
        if beyond == CLIP or 0 <= start <= 2:
            expected[:, max(min(start, 2), 0) :][:, :3] *= 2
        given = engine.array(np.array(i, dtype)), engine.array(x)
        assert made.run(given, 1)[0]._data.tolist() == expected.tolist()
        assert x.tolist() == np.arange(10).reshape(2, 5).tolist()


def test_positions_that_a_function_refuses_raise_its_error(engine):
    made = windows(engine, REFUSE)
    x = engine.array(np.ones((2, 5), np.float32))
    before = sys.getrefcount(x)
    for _ in range(3):
        assert made.run((engine.array(np.array(2, np.int32)), x), 2)[0]._data.sum() == 4 + 6 * 4
        with pytest.raises(IndexError, match="there is no column 3"):
            made.run((engine.array(np.array(3, np.int32)), x), 2)
    assert sys.getrefcount(x) == before


def test_threads_write_to_windows_of_their_own(engine):
    made, x = windows(engine, CLIP), engine.array(np.ones((2, 5), np.float32))

    def run(i):
        return made.run((engine.array(np.array(i % 3, np.int32)), x), 10)[0]._data[0].tolist()

    with ThreadPoolExecutor(4) as pool:
        for i, row in enumerate(pool.map(run, range(60))):
            assert row == [1024.0 if i % 3 <= j < i % 3 + 3 else 1.0 for j in range(5)]


@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "complex64", "complex128"])
@pytest.mark.parametrize("shapes", [((2, 3),) * 3, ((), (2, 3), (2, 3)), ((2, 3), (), (1,)), ((2, 3), (2, 3), ())])
def test_selections(engine, dtype, shapes):
    def select(test, x, y):
        return engine.array(np.ascontiguousarray(np.broadcast_to(np.where(test._data, x._data, y._data), (2, 3))))

    dtype = np.dtype(dtype)
    step = call(select, ((0, 0), (1, 1), (2, 2)), (3,), True)
    made = program(engine, [*shapes, (2, 3)], [step], (0, 1, 2), (3,), [BOOL, *[dtype] * 3])
    given = [np.arange(1, 1 + np.prod(shape)).reshape(shape) * 7 % (3 if i else 2) for i, shape in enumerate(shapes)]
    given = [x.astype(dtype if i else BOOL) for i, x in enumerate(given)]
    (out,) = made.run(tuple(map(engine.array, given)))
    assert out._data.tobytes() == select(*map(engine.array, given))._data.tobytes()


def test_wrong_selections_are_refused():
    engine = engine_or_skip("native")
    kind, f32, bools = engine.module.Program, node(engine, F32), node(engine, BOOL)
    slots = ((bools, (4,), 0), (f32, (4,), 64), (f32, (4,), 128), (f32, (3,), 192), (node(engine, I32), (4,), 256))
    for places, outs in [
        (((0, 0), (1, 1)), (2,)), (((0, 0), (1, 1), (2, 2)), (1, 2)), (((0, 1), (1, 1), (2, 2)), (2,)),
        (((0, 0), (1, 3), (2, 2)), (2,)),
        (((0, 0), (1, 1), (2, 4)), (2,)), (((0, 0), (1, 1), (2, 2)), (3,)), (((0, 0), (1, 1), (2, 2)), ()),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match="is no selection"):
            kind(slots, (call(len, places, outs, True, args=(None,) * 3),), (0, 1), (1,))


def test_windows_beyond_memory_are_refused():
    engine = engine_or_skip("native")
    kind, f32, i32 = engine.module.Program, node(engine, F32), node(engine, I32)
    slots = ((f32, (8,), 0), (f32, (4,), 64), (i32, (), 128), (node(engine, np.dtype(np.uint64)), (), 192), (f32, (), 256))
    good = ((2, 1, 4, 8, CLIP),)
    for out, runs, positions, writes in [
        (1, ((0, 1, 1, 4),), good, False), (1, ((0, 0, 1, 4),), (*good, *good), False), (0, ((1, 0, 1, 4, 1, 1),), good, True),
        (0, ((1, 0, 1, 4, -1, 1),), good, True), (0, ((1, 0, 1, 4, 7, -2),), good, True),
        (0, ((1, 1, 1, 4, 0, 1),), good, True),
        (1, ((0, 0, 1, 4, 1, 1),), good, False), (1, ((0, 0, 1, 3),), good, False),
        *[(1, ((0, 0, 1, 4),), (row,), False) for row in (
            (2, -1, 4, 8, CLIP), (2, 1, -1, 8, CLIP), (2, 1, 4, -8, CLIP), (2, 1, 4, 8, 3),
            (2, 1, 4, 8, -1), (5, 1, 4, 8, 0),
            (0, 1, 4, 8, CLIP), (3, 1, 4, 8, CLIP), (4, 1, 4, 8, CLIP), (2, 2**40, 2**40, 8, CLIP))],
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=r"Program: .*(elements|no window)"):
            kind(slots, (call(len, ((0, 0),), (out,), (runs, positions, writes)),), (0,), (1,))
    for how in [(((0, 0, 1, 4),), 5), (((0, 0, 1, 4),), (7,)), (7,), (((0, 0, 1, 4),), ((2, 1, 4),))]:
        with pytest.raises(TypeError):
            kind(slots, (call(len, ((0, 0),), (1,), how),), (0,), (1,))
    kind(slots, (call(len, ((0, 0),), (1,), (((0, 0, 1, 4),), good)),), (0,), (1,))


def counted(engine, steps):
    """Return a program that adds a column to its carry, and has the carry's double as another result."""
    double = call(function(engine, "add"), ((0, 2), (1, 2)), (3,), plan(engine, "add", F32, F32))
    add = call(function(engine, "add"), ((0, 0), (1, 1)), (2,), plan(engine, "add", F32, F32))
    return program(engine, [(2,)] * 4, [add, double, *steps], (0, 1), (2, 3), carried=1, columns=1)


@pytest.mark.parametrize("reverse", [False, True])
def test_a_scan(engine, reverse):
    rows = np.float32([[1, 2], [10, 20], [100, 200]])
    last, doubles = counted(engine, []).run((engine.array(np.float32([0, 0.5])), engine.array(rows)), 3, reverse)
    expected = np.cumsum(rows[::-1] if reverse else rows, axis=0) + np.float32([0, 0.5])
    assert (last._data == expected[-1]).all()
    assert (doubles._data == 2 * (expected[::-1] if reverse else expected)).all()


def test_a_loop_with_a_condition(engine):
    test = call(function(engine, "less"), ((0, 0),), (1,), plan(engine, "less", F32, 100.0), args=(None, 100.0))
    body = call(function(engine, "add"), ((0, 0), (1, 0)), (2,), plan(engine, "add", F32, F32))
    made = program(engine, [()] * 3, [test, body], (0,), (2,), [F32, BOOL, F32], carried=1, test=1, split=1)
    assert [float(made.run((engine.array(np.array(x, F32)),))[0]._data) for x in (3, 100, 1)] == [192, 100, 128]


def test_calls_between_loops(engine):
    seen = []

    def doubled(x, *, by):
        seen.append(x)
        return [engine.array(x._data * np.float32(by)), (engine.array(np.array(True)),)]

    steps = [
        call(function(engine, "add"), ((0, 0), (1, 0)), (1,), plan(engine, "add", F32, F32)),
        call(doubled, ((0, 1),), (2, 3), args=(None, 3), names=("by",), drops=(1, 3)),
    ]
    made = program(engine, [(2,), (2,), (2,), ()], steps, (0,), (2,), [F32, F32, F32, BOOL], carried=1)
    x = engine.array(np.float32([1, 2]))
    (out,) = made.run((x,), 3)
    assert (out._data == [216, 432]).all()
    assert [y._data.tolist() for y in seen] == [[2, 4], [12, 24], [72, 144]]  # each is an array of its own
    assert (x._data == [1, 2]).all()


def test_carries_are_exchanged(engine):
    same = call(lambda x: x, ((0, 0),), (2,), (((0, 0, 1, 1),),))
    made = program(engine, [(1,)] * 3, [same], (0, 1), (1, 2), carried=2)
    x, y = (engine.array(np.float32([v])) for v in (1, 2))
    assert [[float(a._data[0]) for a in made.run((x, y), n)] for n in (0, 1, 2)] == [[1, 2], [2, 1], [1, 2]]


@pytest.mark.parametrize("wrong", ["dtype", "shape", "order"])
def test_other_arrays_are_refused(engine, wrong):
    x = engine.array(np.float32([[1, 2], [3, 4]]))
    other = {
        "dtype": lambda: engine.array(np.ones((2, 2))), "shape": lambda: engine.array(np.float32([[1, 2]])),
        "order": lambda: engine.array(np.asfortranarray(np.float32([[1, 2], [3, 4]]))),
    }[wrong]()  # fmt: skip
    made = sums(engine, ((2, 2),) * 3)
    calls = wrong == "order" and (engine.module.__name__.endswith("_reference") or not LOOPS)
    assert (made.run((x, other)) is NotImplemented) is not calls
    returns = program(engine, [(2, 2)] * 2, [call(lambda _: other, ((0, 0),), (1,))], (0,), (1,))
    assert (returns.run((x,)) is NotImplemented) is (wrong != "order")
    none = program(engine, [(2, 2)] * 2, [call(lambda _: (), ((0, 0),), (1,))], (0,), (1,))
    assert none.run((x,)) is NotImplemented


def test_a_result_in_another_order_is_named(engine):
    turned = engine.array(np.asfortranarray(np.float32([[1, 2], [3, 4]])))
    steps = [
        call(lambda _: turned, ((0, 0),), (1,)),
        call(function(engine, "add"), ((0, 0), (1, 1)), (2,), plan(engine, "add", F32, F32)),
    ]
    made = program(engine, [(2, 2)] * 3, steps, (0,), (2,))
    found = made.run((engine.array(np.ones((2, 2), np.float32)),))
    if engine.module.__name__.endswith("_reference") or not LOOPS:
        assert found[0]._data.tolist() == [[2, 3], [4, 5]]
    else:
        assert found == 1


def test_errors_end_a_run(engine):
    def fails(_):
        raise KeyError("x")

    made = program(engine, [(2,)] * 2, [call(fails, ((0, 0),), (1,))], (0,), (1,), carried=1)
    x = engine.array(np.float32([1, 2]))
    before = sys.getrefcount(x)
    for _ in range(20):
        with pytest.raises(KeyError, match="x"):
            made.run((x,), 5)
    assert sys.getrefcount(x) == before


def test_a_run_within_a_run(engine):
    inner = counted(engine, [])
    column = engine.array(np.ones((4, 2), np.float32))
    made = program(engine, [(2,)] * 2, [call(lambda x: inner.run((x, column), 4)[0], ((0, 0),), (1,))], (0,), (1,), carried=1)
    assert (made.run((engine.array(np.zeros(2, np.float32)),), 3)[0]._data == 12).all()


def test_threads_run_one_program(engine):
    made, column = counted(engine, []), np.ones((500, 2), np.float32)
    out = [None] * 4

    def run(i):
        out[i] = made.run((engine.array(np.full(2, i, np.float32)), engine.array(column)), 500)[0]._data.tolist()

    threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert out == [[500 + i] * 2 for i in range(4)]


def endless(engine, **options):
    test = call(function(engine, "less"), ((0, 0),), (1,), plan(engine, "less", F32, 100.0), args=(None, 100.0))
    body = call(function(engine, "multiply"), ((0, 0), (1, 0)), (2,), plan(engine, "multiply", F32, F32))
    return program(engine, [()] * 3, [test, body], (0,), (2,), [F32, BOOL, F32], carried=1, test=1, split=1, **options)


def within(engine, inner, shapes, *, length=-1, reverse=False, places=(0, 1), outs=(2, 3), dtypes=None, others=(), **options):
    """Return a program in which others are a step: a loop of one, or a choice."""
    chosen, parts = places[: len(inner) > 1], places[len(inner) > 1 :]

    def run(*operands):
        made = inner[min(max(int(operands[0]._data), 0), len(inner) - 1)] if chosen else inner[0]
        loop = (length, reverse) if length >= 0 else ()
        return made.run(operands[len(chosen) :][: len(parts)], *loop)

    places = (*chosen, *parts * len(inner))
    how = length, reverse, tuple(inner)
    step = call(run, tuple(enumerate(places)), outs, how)
    return program(
        engine, shapes, [step, *others], options.pop("inputs", places), options.pop("outputs", outs), dtypes, **options
    )


def scaled(engine, **options):
    """Return a program whose steps add a row to a sum, and return it doubled."""
    add = call(function(engine, "add"), ((0, 0), (1, 1)), (2,), plan(engine, "add", F32, F32))
    twice = call(function(engine, "multiply"), ((0, 2),), (3,), plan(engine, "multiply", F32, 2.0), args=(None, 2.0))
    return program(engine, [(2,)] * 4, [add, twice], (0, 1), (2, 3), carried=1, columns=1, **options)


@pytest.mark.parametrize("reverse", [False, True])
def test_a_loop_is_a_step(engine, reverse):
    shapes = [(2,), (3, 2), (2,), (3, 2)]
    made = within(engine, [scaled(engine, part=True)], shapes, length=3, reverse=reverse)
    start, rows = np.float32([1, 2]), np.arange(6, dtype=np.float32).reshape(3, 2)
    given = engine.array(start), engine.array(rows)
    last, doubled = made.run(given)
    order = rows[::-1] if reverse else rows
    sums = start + np.cumsum(order, axis=0)
    assert (last._data == sums[-1]).all()
    assert (doubled._data == 2 * (sums[::-1] if reverse else sums)).all()
    looped = within(
        engine,
        [scaled(engine, part=True)],
        shapes,
        length=3,
        reverse=reverse,
        outputs=(2, 3),
        carried=1,
        columns=0,
        inputs=(1, 0),
    )
    last, many = looped.run(given[::-1], 2)
    assert (last._data == start + 2 * rows.sum(axis=0)).all()
    assert many.shape == (2, 3, 2)
    assert engine.module.__name__ != "supremum._native" or not LOOPS or looped.calls == 0


def test_a_choice_is_a_step(engine):
    shapes = [(), (2,), (2,), (2,)]
    add, negative = (
        program(
            engine,
            [(2,)] * 3,
            [call(function(engine, name), ((0, 0),) if one else ((0, 0), (1, 1)), (2,), how)],
            (0, 1),
            (2,),
            part=True,
        )
        for name, one in (("add", False), ("negative", True))
        for how in [plan(engine, name, F32) if one else plan(engine, name, F32, F32)]
    )
    same = program(engine, [(2,)] * 2, [], (0, 1), (1,), part=True)
    made = within(
        engine, [add, negative, same], shapes, places=(0, 1, 2), outs=(3,), dtypes=[I32, F32, F32, F32], inputs=(0, 1, 2)
    )
    x, y = engine.array(np.float32([1, 2])), engine.array(np.float32([5, 7]))
    for chosen, expected in [(-5, [6, 9]), (0, [6, 9]), (1, [-1, -2]), (2, [5, 7]), (9, [5, 7])]:
        assert made.run((engine.array(np.int32(chosen)), x, y))[0]._data.tolist() == expected


def test_steps_that_are_programs_call_functions(engine):
    seen = []

    def called(x, y):
        seen.append(x._data.tolist())
        return [engine.array(x._data + y._data)]

    add = call(called, ((0, 0), (1, 1)), (2,))
    inner = program(engine, [(2,)] * 3, [add], (0, 1), (2, 1), carried=1, columns=1, part=True)
    shapes = [(2,), (3, 2), (2,), (3, 2)]
    made = within(engine, [inner], shapes, length=3, carried=1, inputs=(1, 0), outputs=(2, 3))
    rows = np.arange(6, dtype=np.float32).reshape(3, 2)
    last, same = made.run((engine.array(rows), engine.array(np.float32([1, 2]))), 2)
    assert (last._data == np.float32([1, 2]) + 2 * rows.sum(axis=0)).all()
    assert (same._data == rows).all()
    assert len(seen) == 6


def test_loops_that_come_upon_another_order_are_called():
    engine = engine_or_skip("native")
    turned = call(lambda x: engine.array(np.asfortranarray(x._data + 1)), ((0, 0),), (1,))
    steps = [turned, call(function(engine, "negative"), ((0, 1),), (2,), plan(engine, "negative", F32))]
    inner = program(engine, [(2, 2)] * 3, steps, (0,), (2,), carried=1, part=True)
    counts = []

    def run(x):
        counts.append(x)
        return engine.array(x._data * 7)

    step = call(run, ((0, 0),), (1,), (3, False, (inner,)))
    made = program(engine, [(2, 2)] * 2, [step], (0,), (1,))
    for number in range(1, 4):
        (out,) = made.run((engine.array(np.ones((2, 2), np.float32)),))
        assert (out._data == 7).all()
        assert len(counts) == number
    negative = plan(engine, "negative", F32)
    steps = [
        call(function(engine, "negative"), ((0, 0),), (1,), negative),
        call(lambda x: engine.array(np.asfortranarray(x._data + 1)), ((0, 1),), (2,)),
        call(function(engine, "negative"), ((0, 2),), (3,), negative),
    ]
    inner = program(engine, [(2, 2)] * 4, steps, (0,), (3,), carried=1, part=True)
    step = call(run, ((0, 0),), (1,), (3, False, (inner,)))
    loop = program(engine, [(2, 2)] * 2, [step], (0,), (1,), carried=1)  # each step has the carry of the one before
    (out,) = loop.run((engine.array(np.ones((2, 2), np.float32)),), 3)
    assert (out._data == 7**3).all()


def test_errors_in_steps_that_are_programs(engine):
    made = windows(engine, REFUSE, part=True)
    outer = within(engine, [made], [(), (2, 5), (2, 5)], length=1, outs=(2,), dtypes=[I32, F32, F32])
    x = engine.array(np.arange(10, dtype=np.float32).reshape(2, 5))
    assert outer.run((engine.array(np.int32(1)), x))[0]._data[0].tolist() == [0, 2, 4, 6, 4]
    with pytest.raises(IndexError, match="no column 3"):
        outer.run((engine.array(np.int32(3)), x))


def test_threads_run_one_program_with_steps_that_are_programs(engine):
    made = within(
        engine,
        [scaled(engine, part=True)],
        [(2,), (50, 2), (2,), (50, 2)],
        length=50,
        carried=1,
        inputs=(1, 0),
        outputs=(2, 3),
    )
    column = engine.array(np.ones((50, 2), np.float32))
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda i: made.run((column, engine.array(np.full(2, i, np.float32))), 60)[0]._data.tolist(), range(8))
        assert list(found) == [[3000 + i] * 2 for i in range(8)]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the platform has no timers that send signals")
@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("calls", [False, True])
def test_a_long_loop_can_be_interrupted(engine, nested, calls):
    made = endless(engine, part=nested)
    if nested:
        other = [call(lambda x: x, ((0, 1),), (2,))] * calls
        made = within(engine, [made], [()] * 3, places=(0,), outs=(1,), others=other)

    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            made.run((engine.array(np.array(1, F32)),))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_wrong_programs_are_refused():
    engine = engine_or_skip("native")
    kind, f32 = engine.module.Program, node(engine, F32)
    good = ((f32, (2,), 0), (f32, (2,), 64))
    for arguments in [
        (((f32, (2,), -1),), (), (), ()), (((f32, (-2,), 0),), (), (), ()), (good, (), (2,), ()), (good, (), (), (-1,)),
        (good, (call(len, ((1, 0),), (1,)),), (0,), (1,)), (good, (call(len, ((0, 7),), (1,)),), (0,), (1,)),
        (good, (call(len, ((0, 0),), (1,), (((0, 1, 1, 2),),)),), (0,), (1,)),
        (good, (call(len, ((0, 0),), (1,), (((0, 0, 1, 1),),)),), (0,), (1,)),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match="Program: "):
            kind(*arguments)
    once, loop = sums(engine, part=True), scaled(engine, part=True)
    shapes, both = [(2,), (3, 2), (2,), (3, 2)], [(3,)] * 4
    for inner, shapes_of, how in [
        ([], shapes, {"length": 3}),
        ([loop], shapes, {"length": 2}),
        ([loop], shapes, {}),
        ([loop], shapes, {"length": 3, "outs": (3, 2)}),
        ([loop], shapes, {"length": 3, "outs": (2,)}),
        ([loop], shapes, {"length": 3, "outs": ()}),
        ([loop, loop], shapes, {"length": 3}),
        ([loop], shapes, {"length": 3, "places": (0,)}),
        ([loop], shapes, {"length": 3, "places": (0, 1, 0)}),
        ([loop], shapes, {"length": 3, "dtypes": [F32, F32, I32, F32]}),
        ([loop], shapes, {"length": 2**62}),
        ([once], both, {"outs": (2,), "dtypes": [F32, F64, F32, F32]}),
        ([once, once], both, {"outs": (2,), "places": (0, 1, 3)}),
        ([endless(engine, part=True)], [()] * 3, {"places": (0,), "outs": (1,), "length": 3}),
        ([once, len], both, {"outs": (2,)}),
    ]:
        with pytest.raises(ValueError, match="Program: "):
            within(engine, inner, shapes_of, **how)
    for options in [{"carried": 1}, {"columns": -1}, {"test": 0}, {"split": 1}, {"test": 9}]:
        with pytest.raises(ValueError, match="Program: "):
            kind(good, (), (), (), **options)
    with pytest.raises(TypeError):
        kind((("node", (2,), 0),), (), (), ())
    for arguments in ([()], [], [5], [(), None, False, 1]):
        with pytest.raises(TypeError, match="operands"):
            sums(engine).run(*arguments)
    with pytest.raises(ValueError, match="length"):
        sums(engine).run((), -1)


def test_programs_are_collected():
    engine = engine_or_skip("native")

    class Marked:
        pass

    marked, cell = Marked(), []
    found = weakref.ref(marked)
    step = call(lambda x, *_: x, ((0, 0),), (1,), args=(None, cell, marked))
    cell.append(program(engine, [(2,)] * 2, [step], (0,), (1,)))
    assert (cell[0].run((engine.array(np.float32([1, 2])),))[0]._data == [1, 2]).all()
    del marked, cell, step
    gc.collect()
    assert found() is None


# -- programs that are wrong, and functions that do harm ----------------------------------------------------------------------


def test_programs_that_reach_beyond_memory_are_refused():
    engine = engine_or_skip("native")
    kind, f32, i8 = engine.module.Program, node(engine, F32), node(engine, np.dtype(np.int8))
    pair = ((f32, (2,), 0), (f32, (5,), 64))
    moves = [
        ((0, 0, 2**62, 5),),
        ((0, 0, -(2**62), 5),),
        ((0, 0, 2**61, 2),),
        ((0, 2**62, 1, 5),),
        ((0, 0, 1, 2**62),),
        ((7, 0, 1, 5),),
    ]
    for how in moves:
        with pytest.raises(ValueError, match="elements"):
            kind(pair, (call(len, ((0, 0),), (1,), (how,)),), (0,), (1,))
    with pytest.raises(ValueError, match="elements"):
        kind(((i8, (8,), 0), (f32, (8,), 64)), (call(len, ((0, 0),), (1,), (((0, 0, 1, 8),),)),), (0,), (1,))
    step = call(lambda x: x, ((0, 0),), (1,))
    for slots in (pair, ((f32, (2,), 0), (i8, (2,), 64))):
        with pytest.raises(ValueError, match="carries"):
            kind(slots, (step,), (0,), (1,), carried=1)
    for shape, offset in [((2**62, 4), 0), ((2**31, 2**31), 0), ((2,), 2**63 - 1)]:
        with pytest.raises(ValueError, match="do not fit"):
            kind(((f32, shape, offset),), (), (0,), (0,))
    for rows in [((f32,), ()), ((), (5,)), (pair, (call(len, (7,), (1,)),)), (pair, (call(len, ((0, 0),), (1,), ((7,),)),))]:
        with pytest.raises(TypeError, match="Program: expected a tuple"):
            kind(*rows, (), ())


def test_chains_without_memory_are_refused():
    engine = engine_or_skip("native")
    add, f32 = plan(engine, "add", F32, F32), node(engine, F32)
    values = ((f32, False, -1), (f32, False, -1), (f32, False, -1))
    with pytest.raises(ValueError, match="value 1 is no input"):
        engine.module.Chain((4,), values, ((add, (0, 1), 2),), (0,), (2,), len)


@pytest.mark.parametrize("options", [{}, {"carried": 1}])
def test_values_that_were_dropped_or_never_made_do_no_harm(options):
    engine = engine_or_skip("native")
    x = engine.array(np.float32([1, 2]))
    double = call(lambda a: engine.array(a._data * 2), ((0, 0),), (1,), drops=(1,))
    for steps in ([double], [], [call(lambda a: a, ((0, 1),), (0,))]):
        made = program(engine, [(2,)] * 2, steps, (0,), (1,), **options)
        out = made.run((x,), 3) if options else made.run((x,))
        assert out is NotImplemented or out[0].shape == (2,)


HARM = {
    "dtype": lambda data: data.setflags(write=False) or setattr(data, "dtype", np.int16),
    "shape": lambda data: setattr(data, "shape", (1, 2)),
    "longer": lambda data: data.resize((1000,), refcheck=False),
    "shorter": lambda data: data.resize((0,), refcheck=False),
}


@pytest.mark.filterwarnings("ignore:Setting the:DeprecationWarning")  # NumPy 2.5's, of dtypes and shapes
@pytest.mark.skipif(not LOOPS, reason="without NumPy's loops, steps are calls, which take all arrays")
@pytest.mark.parametrize("options", [{}, {"carried": 1}])
@pytest.mark.parametrize("after", ["nothing", "loop", "call"])
@pytest.mark.parametrize("name", HARM)
def test_functions_may_change_arrays_while_a_program_runs(name, after, options):
    engine = engine_or_skip("native")
    steps = {
        "nothing": [],
        "loop": [call(function(engine, "add"), ((0, 1), (1, 0)), (2,), plan(engine, "add", F32, F32))],
        "call": [call(lambda _, y: y, ((0, 1), (1, 0)), (2,))],
    }[after]
    for operand in (True, False):
        x = engine.array(np.float32([1, 2]))

        def harm(y, operand=operand, x=x):
            HARM[name]((x if operand else y)._data)
            return engine.array(np.float32([5, 6])) if operand else y

        made = program(engine, [(2,)] * 3, [call(harm, ((0, 0),), (1,)), *steps], (0,), (len(steps) + 1,), **options)
        out = made.run((x,), 3) if options else made.run((x,))
        assert out is NotImplemented or out[0]._data.dtype == F32


def test_columns_are_a_runs_own():
    engine = engine_or_skip("native")
    rows = engine.array(np.ones((4, 2), np.float32))

    def shrink(x):
        rows._data.resize((1,), refcheck=False)
        return engine.array(x._data + 1)

    steps = [call(shrink, ((0, 0),), (2,)), call(lambda y: y, ((0, 1),), (3,))]
    made = program(engine, [(2,)] * 4, steps, (0, 1), (2, 3), carried=1, columns=1)
    out = made.run((engine.array(np.zeros(2, np.float32)), rows), 4)
    assert [x._data.tolist() for x in out] == [[4, 4], [[1, 1]] * 4]


def test_lengths_of_columns_are_checked():
    engine = engine_or_skip("native")
    x, rows = engine.array(np.ones(2, np.float32)), engine.array(np.ones((4, 2), np.float32))
    made = counted(engine, [])
    assert [made.run((x, rows), n) is NotImplemented for n in (2, 5, 2**62, 2**63 - 1)] == [True] * 4
    with pytest.raises(OverflowError):
        made.run((x, rows), 2**70)
    assert [made.run(operands, 4) for operands in ((x, 5), (5, rows), (rows, x))] == [NotImplemented] * 3


@pytest.mark.skipif(not LOOPS, reason="without NumPy's loops, steps are calls, which take all arrays")
def test_operands_in_another_order_may_be_carried():
    engine = engine_or_skip("native")
    negative = call(function(engine, "negative"), ((0, 0),), (2,), plan(engine, "negative", F32))
    made = program(engine, [(2, 2)] * 3, [negative], (1, 0), (1,), carried=1)
    x, turned = engine.array(np.ones((2, 2), np.float32)), engine.array(np.arange(4, dtype=np.float32).reshape(2, 2).T)
    assert made.run((turned, x), 3) is NotImplemented
    assert made.run((turned, x), 0)[0]._data.tolist() == [[1, 1], [1, 1]]
    straight = engine.array(np.ascontiguousarray(turned._data))
    assert (made.run((straight, x), 3)[0]._data == turned._data).all()


def test_the_collector_runs_within_programs(engine):
    class Node:
        pass

    def litter(x):
        one = Node()
        one.itself, one.array = one, x
        return engine.array(x._data + 1)

    made = program(engine, [(2,)] * 2, [call(litter, ((0, 0),), (1,))], (0,), (1,), carried=1)
    before = gc.get_threshold()
    gc.set_threshold(1)
    try:
        (out,) = made.run((engine.array(np.zeros(2, np.float32)),), 50)
    finally:
        gc.set_threshold(*before)
    assert out._data.tolist() == [50, 50]


def test_a_program_deletes_itself_while_it_runs(engine):
    cell = []

    def delete(x):
        cell.clear()
        gc.collect()
        return engine.array(x._data + 1)

    cell.append(program(engine, [(2,)] * 2, [call(delete, ((0, 0),), (1,))], (0,), (1,), carried=1))
    assert cell[0].run((engine.array(np.zeros(2, np.float32)),), 3)[0]._data.tolist() == [3, 3]


def test_errors_in_the_middle_of_programs_leave_nothing(engine):
    watched = engine.array(np.float32([1, 2]))
    seen = []

    def third(x):
        seen.append(1)
        if len(seen) % 3 == 0:
            raise KeyError
        return engine.array(x._data + 1)

    steps = [
        call(third, ((0, 0),), (1,)), call(function(engine, "add"), ((0, 1), (1, 0)), (2,), plan(engine, "add", F32, F32)),
        call(lambda x: x, ((0, 2),), (3,), drops=(1, 2)),
    ]  # fmt: skip
    made = program(engine, [(2,)] * 4, steps, (0,), (3,), carried=1)
    before = sys.getrefcount(watched), sys.getrefcount(watched._data)
    for _ in range(20):
        seen.clear()
        with pytest.raises(KeyError):
            made.run((watched,), 5)
    assert (sys.getrefcount(watched), sys.getrefcount(watched._data)) == before


@pytest.mark.skipif(not LOOPS, reason="without NumPy's loops, steps are calls, which take all arrays")
def test_threads_run_one_chain():
    engine = engine_or_skip("native")
    add, f32 = plan(engine, "add", F32, F32), node(engine, F32)
    values = ((f32, False, -1), (f32, False, 0), (f32, False, -1))
    chain = engine.module.Chain((50_000,), values, ((add, (0, 0), 1), (add, (1, 0), 2)), (0,), (2,), len)
    out = [None] * 4

    def work(i):
        x = engine.array(np.full(50_000, i, np.float32))
        out[i] = {float(chain(x)[0]._data[-1]) for _ in range(30)}

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert out == [{0.0}, {3.0}, {6.0}, {9.0}]


def test_a_program_runs_in_a_forked_process():
    engine = engine_or_skip("native")
    if not hasattr(os, "fork"):
        pytest.skip("this system has no fork")
    made, x = sums(engine), engine.array(np.arange(3, dtype=np.float32))
    made.run((x, x))
    child = os.fork()
    good = made.run((x, x))[0]._data.tolist() == [0, 2, 4]
    if not child:
        os._exit(0 if good else 1)
    assert good
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
