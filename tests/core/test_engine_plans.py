"""The engines: plans, the states that own them, and silence. One set of tests for both engines."""

import numpy as np
import pytest
from engines import same
from rows import RULES

from supremum.promotion._nodes import NODES


def test_plans_are_kept(engine):
    operation = engine.operation(RULES["add"])
    function = engine.Function(lambda *_: None, "elementwise", operation)
    x = engine.array(np.ones(3, np.int16))
    before = engine.makings
    for _ in range(3):
        function(x, x)
    assert engine.makings == before + 1
    for scalar in (1, 2.0, True, 1j):
        function(x, scalar)
        function(x, scalar)
        function(scalar, x)
    assert engine.makings == before + 9
    assert engine.plan(operation, x, x) is engine.plan(operation, x, x)
    assert engine.plan(operation, x, x).node is NODES["int16"]
    for bad in ((operation, x), (operation, 1, 2), (operation, x, "x"), (operation,)):
        with pytest.raises(TypeError):
            engine.plan(*bad)


def test_states(engine):
    operation = engine.operation(RULES["add"])
    function = engine.Function(lambda *_: None, "elementwise", operation)
    x = engine.array(np.ones(3, np.int16))
    function(x, x)
    other = engine.State()
    other.remember = False
    before = engine.makings

    class Scope(engine.Scope):
        resolved = 0

        def resolve(self):
            Scope.resolved += 1
            return other

    token = engine.scope.set(Scope())
    try:
        assert engine.module.state() is other
        function(x, x)
        function(x, x)
        assert engine.makings == before + 2
    finally:
        engine.scope.reset(token)
    assert engine.module.state() is engine.state
    function(x, x)
    assert engine.makings == before + 2


def test_scope_of_another_thread(engine):
    import threading

    other, seen, ready, done = engine.State(), [], threading.Event(), threading.Event()

    class Scope(engine.Scope):
        def resolve(self):
            return other

    def work():
        engine.scope.set(Scope())
        seen.append(engine.module.state() is other)
        ready.set()
        done.wait()

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait()
    seen.append(engine.module.state() is engine.state)
    done.set()
    thread.join()
    assert seen == [True, True]


def test_scopes_without_calls_and_calls_without_scope(engine):
    import threading

    class Scope(engine.Scope):
        def resolve(self):
            return engine.state

    def work():
        x + x
        x + x

    def in_thread(function):
        thread = threading.Thread(target=function)
        thread.start()
        thread.join()

    x, one, other = engine.array(np.ones(2)), Scope(), Scope()
    token = engine.scope.set(one)
    try:
        for _ in range(3):  # each call of `strays` begins anew
            before = engine.module.strays()
            assert engine.module.strays() == before
            in_thread(work)
            assert engine.module.strays() != before
        before = engine.module.strays()
        engine.scope.set(other)
        assert (one.used, other.used) == (False, False)
        work()
        assert (one.used, other.used) == (False, True)
        assert engine.module.strays() == before
        with pytest.raises(AttributeError):
            other.used = False
    finally:
        engine.scope.reset(token)


def test_bad_scopes(engine):
    class Bad(engine.Scope):
        def resolve(self):
            return 1

    class Failing(engine.Scope):
        def resolve(self):
            raise KeyError("no")

    x = engine.array(np.ones(2))
    for kind, error in ((Bad, TypeError), (Failing, KeyError)):
        token = engine.scope.set(kind())
        try:
            with pytest.raises(error):
                x + x
        finally:
            engine.scope.reset(token)
    same(x + x, np.full(2, 2.0))


def test_errors_of_plans(engine):
    x = engine.array(np.ones(2))

    def raising(*_):
        raise LookupError("none")

    for make, error in (
        (raising, LookupError),
        (lambda *_: 3, TypeError),
        (lambda *_: engine.Plan(x._node), NotImplementedError),
    ):
        function = engine.Function(lambda *_: "asked", "elementwise", engine.Operation("bad", 2, make))
        for operands in ((x, x), (x, 1), (1, x)):
            with pytest.raises(error):
                function(*operands)
        assert function("x", 2) == "asked"
        assert function(x) == "asked"
    plan = engine.Plan(x._node, lambda a, b: 1 / 0, convert=raising)
    function = engine.Function(lambda *_: "asked", "elementwise", engine.Operation("bad", 2, lambda *_: plan))
    with pytest.raises(ZeroDivisionError):
        function(x, x)
    with pytest.raises(LookupError):
        function(x, 1)
    plan = engine.Plan(x._node, lambda a, b: a, convert=lambda v: v)
    with pytest.raises(TypeError):
        engine.Function(lambda *_: "asked", "elementwise", engine.Operation("bad", 2, lambda *_: plan))(x, 1)
    with pytest.raises(ValueError):
        engine.Operation("three", 3, raising)
    with pytest.raises(TypeError):
        engine.complete(nothing=raising)
    with pytest.raises(TypeError):
        engine.complete(nothing=engine.operations["add"])
    with pytest.raises(TypeError):
        engine.use(3)


def test_silence(engine):
    import warnings

    big, zero = engine.array(np.asarray([3e38, 1.0], np.float32)), engine.array(np.zeros(2, np.float32))
    half = engine.array(np.asarray([6e4, 0], np.float16))
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        assert np.isinf((big * big)._data[0])
        assert np.isnan((zero / zero)._data).all()
        assert np.isinf((big * 1e300)._data).all()
        assert np.isinf((half * half)._data[0])
        big * engine.array(np.asarray([2**31 - 1, 7], np.int32))
        # NumPy does not report our flags either
        np.add(np.ones(4, np.float32), np.ones(4, np.float32))
        np.ones(4, np.float32) * np.float32(2)
        np.ones(4).astype(np.float32)
        np.float32(1) + np.float32(2)
        np.matmul(np.ones((2, 2)), np.ones((2, 2)))
        np.add.reduce(np.ones(4, np.float32))
        np.ones(4)[[0, 1]] = 2
        np.array([1.5, 2.5], np.float32)


def test_without_loops(engine):
    before = engine.use_loops(False)
    try:
        function = engine.Function(lambda *_: None, "elementwise", engine.operation(RULES["add"]))
        x, y = np.arange(4, dtype=np.float32), np.arange(4, dtype=np.int32)
        with np.errstate(all="raise"):
            same(function(engine.array(x), engine.array(x)), x + x)
            same(function(engine.array(x), engine.array(y)), x + x)
            same(function(engine.array(x), 2.5), x + np.float32(2.5))
            same(function(3, engine.array(y)), y + np.int32(3))
            assert np.isinf(
                function(engine.array(np.asarray([3e38], np.float32)), engine.array(np.asarray([3e38], np.float32)))._data
            )
    finally:
        engine.use_loops(before)
