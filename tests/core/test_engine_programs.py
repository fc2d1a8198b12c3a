"""Programs of the engines: calls, loops of plans and moved elements, once and step by step. Both engines give the same."""

import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from common import for_each
from engine_programs import BOOL, F32, F64, I32, call, counted, endless, function, node, plan, program, scaled, sums, within
from engines import LOOPS, MODULES, engine_or_skip


@pytest.fixture(params=MODULES)
def engine(request):
    """Return each engine."""
    return engine_or_skip(request.param)


def test_a_program_runs_once(engine):
    x, y = engine.array(np.arange(3, dtype=np.float32)), engine.array(np.float32([1, 10, 100]))
    (out,) = sums(engine).run((x, y))
    assert out._node is x._node
    assert (out._data == [1, 11, 102]).all()
    assert (x._data == [0, 1, 2]).all()


@for_each("shapes", [((2, 1), (1, 3), (2, 3)), ((), (4,), (4,)), ((0,), (0,), (0,)), ((2, 3), (3,), (2, 3))])
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


@for_each("beyond", [CLIP, DROP])
@for_each("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"])
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


@for_each("dtype", ["int8", "float16", "float32", "complex64", "complex128"])
@for_each("shapes", [((2, 3),) * 3, ((), (2, 3), (2, 3)), ((2, 3), (), (1,)), ((2, 3), (2, 3), ())])
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
@for_each("nested", [False, True])
@for_each("calls", [False, True])
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
