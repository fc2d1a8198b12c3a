"""Programs of the engines by hand: slots, calls of functions with their plans, steps that are programs."""

import numpy as np

F32, F64, I32, BOOL = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int32), np.dtype(bool)


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


def counted(engine, steps):
    """Return a program that adds a column to its carry, and has the carry's double as another result."""
    double = call(function(engine, "add"), ((0, 2), (1, 2)), (3,), plan(engine, "add", F32, F32))
    add = call(function(engine, "add"), ((0, 0), (1, 1)), (2,), plan(engine, "add", F32, F32))
    return program(engine, [(2,)] * 4, [add, double, *steps], (0, 1), (2, 3), carried=1, columns=1)


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
