"""Programs of the engines that are wrong, functions that do harm while they run, and what is left of programs."""

import gc
import os
import sys
import threading
import weakref

import numpy as np
import pytest
from common import for_each
from engine_programs import F32, F64, I32, call, counted, endless, function, node, plan, program, scaled, sums, within
from engines import LOOPS, MODULES, engine_or_skip


@pytest.fixture(params=MODULES)
def engine(request):
    """Return each engine."""
    return engine_or_skip(request.param)


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
@for_each("options", [{}, {"carried": 1}])
@for_each("after", ["nothing", "loop", "call"])
@for_each("name", HARM)
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
