"""Tapes of derivatives in the engines: operands, records, elementwise operations on them, and how cotangents go back."""

import contextlib
import operator

import numpy as np
import pytest

A, B = np.asarray([1.0, -2.0, 4.0], np.float32), np.asarray([[2.0], [8.0]], np.float32)


def level_of(engine, number=7, *, taped=True):
    level = engine.Level()
    level.number, level.kinds, level.tape, level.memory = number, "fc", [] if taped else None, None
    level.copies = None
    return level


def operand(engine, level, data=A):
    x = engine.array(data)
    return engine.Dual(level, x, engine.Record((), x.shape, x._node))


def times(cotangent, factor):
    plain = type(factor).__name__ == "Array" and factor._node.kind != "b"
    return cotangent * factor if plain else ("times", cotangent, factor)


@contextlib.contextmanager
def factors(engine, **given):
    """Give operations factors for a ``with`` block."""
    before = {name: engine.operations[name].factors for name in given}
    try:
        for name, value in given.items():
            engine.operations[name].factors = value
        yield
    finally:
        for name, value in before.items():
            engine.operations[name].factors = value


def test_operands_and_records(engine):
    level = level_of(engine, 9)
    x = operand(engine, level)
    assert (x.level, x.__supremum_level__, x.shape, x.node, x._node) == (level, 9, (3,), x.primal._node, x.primal._node)
    record = x.tangent
    assert (record.parents, record.shape, record.node, record.cotangent) == ((), (3,), x.node, None)
    assert (engine.Record().parents, engine.Record().shape, engine.Record().node) == ((), None, None)
    record.add(1.5)
    record.add(2)
    assert record.cotangent == 3.5
    outer = engine.Dual(level_of(engine, 3), x, None)
    assert (outer.shape, outer.node, outer.__supremum_level__) == ((3,), x.node, 3)
    for wrong in (lambda: engine.Dual(), lambda: engine.Dual(level, x), lambda: engine.Record(1, 2, 3, 4)):
        with pytest.raises(TypeError):
            wrong()


def test_cotangents_go_back_by_factors_and_pulls(engine):
    x = engine.array(A)
    start, still = engine.Record(), engine.Record()
    pulls = (engine.array(B), 1, 1.0, -1, -1.0, 3, 0.5, lambda ct: ct + ct)
    middle = engine.Record([(start, pull) for pull in pulls])
    end = engine.Record(((middle, 1), (still, -1)))
    end.cotangent = x
    engine.backward([middle, end], None, times)
    assert (start.cotangent._data == A * B + A + A - A - A + 3 * A + A / 2 + 2 * A).all()
    assert (still.cotangent._data == -A).all()
    assert end.cotangent is middle.cotangent is None


def test_other_factors_are_multiplied_by_a_function(engine):
    for factor in (0, 0.0, engine.array(A > 0), "other"):
        start = engine.Record()
        end = engine.Record([(start, factor)])
        end.cotangent = 2.0
        engine.backward([end], None, times)
        assert start.cotangent == ("times", 2.0, factor)


def test_results_are_recorded_with_their_parents(engine):
    class Level(engine.Level):
        operand = engine.Dual

    level, y, start = Level(), engine.array(A), engine.Record()
    level.number, level.kinds, level.tape, level.memory, level.copies = 7, "fc", [], None, None
    found = level.taped(y, [(start, 1)])
    assert type(found) is engine.Dual
    assert (found.primal, found.level, level.tape) == (y, level, [found.tangent])
    assert (found.tangent.parents, found.tangent.shape, found.tangent.node) == ([(start, 1)], (3,), y._node)
    with pytest.raises(TypeError):
        level.taped(y)
    with pytest.raises(AttributeError):
        level_of(engine).taped(y, [])
    Level.operand = int
    with pytest.raises(TypeError):
        level.taped(y, [])


def test_arguments_are_stripped_of_the_operands_of_a_level(engine):
    level = level_of(engine, 9)
    x, other = operand(engine, level), operand(engine, level_of(engine, 3))
    args = (x, [other, x, {"a": x, "b": 2}], (), (3, other), "x")
    found = engine.stripped(level, args)
    assert found[0] is x.primal
    assert type(found[1]) is list
    assert [found[1][0], found[1][1]] == [other, x.primal]
    assert found[1][2] == {"a": x.primal, "b": 2}
    assert found[2:] == args[2:]
    assert args[1][1] is x
    assert args[1][2]["a"] is x
    pair = type("Pair", (tuple,), {})((x, 1))
    assert engine.stripped(level, pair) is pair  # whose class may not take a list
    endless: list = []
    endless.append(endless)
    with pytest.raises(RecursionError):
        engine.stripped(level, endless)


def test_cotangents_are_fitted_where_they_differ(engine):
    x, wide = engine.array(A), engine.array(A.astype(np.float64))
    seen = []

    def fit(found, parent, pull, record, cotangent):
        seen.append((found, parent, pull, record, cotangent))
        return "fitted"

    start = engine.Record((), x.shape, x._node)
    for cotangent, fits in ((x, True), (wide, False), (engine.array(B), False), (engine.array(A[:2]), False), (1.0, False)):
        end = engine.Record([(start, 1)])
        end.cotangent, start.cotangent = cotangent, None
        if engine.name == "reference" and fits:  # which leaves the question to `fit`
            continue
        engine.backward([end], fit, times)
        assert start.cotangent is cotangent if fits else start.cotangent == "fitted"
        if not fits:
            assert seen.pop() == (cotangent, start, 1, end, cotangent)
    assert not seen


def test_records_of_several_results(engine):
    class Hub(engine.Record):
        def cotangents(self):
            return [self.cotangent.get(i, "none") for i in range(3)]

        def add(self, cotangent, /):
            self.cotangent.update(cotangent)

    start = engine.Record()
    hub = Hub([(start, lambda cotangents: cotangents)])
    ends = [engine.Record([(hub, lambda ct, i=i: {i: ct})]) for i in (0, 2)]
    for i, end in enumerate(ends):
        end.cotangent = i
    engine.backward([hub, *ends], None, times)
    assert start.cotangent == [0, "none", 1]
    assert hub.cotangent is None


def test_errors_pass_and_leave_no_cotangent_behind(engine):
    def fail(_):
        raise LookupError("pull")

    start = engine.Record()
    end = engine.Record([(start, fail)])
    end.cotangent = 1.0
    with pytest.raises(LookupError, match="pull"):
        engine.backward([start, end], None, times)
    assert start.cotangent is end.cotangent is None


def test_what_is_no_tape(engine):
    if engine.name == "reference":
        pytest.skip("the specification does not check what the package alone gives it")
    wrong = engine.Record([1])
    wrong.cotangent = 1.0
    for tape in ((), [1], [wrong]):
        with pytest.raises(TypeError, match=r"tape|pair"):
            engine.backward(tape, None, times)
    with pytest.raises(TypeError):
        engine.hold_tapes("x")


@pytest.fixture
def native(engine):
    if engine.name == "reference":
        pytest.skip("the specification leaves operators to the class that the package derives")
    return engine


def test_operations_are_recorded(native):
    level = level_of(native)
    x, row = operand(native, level), native.array(A + 1)
    with factors(native, multiply=(lambda _, a, b: b, lambda _, a, b: a), subtract=(1, -1), sin=(lambda y, a: (y, a),)):
        for call, expected, parents in (
            (lambda: x * row, A * (A + 1), [(x.tangent, row)]),
            (lambda: 2.0 * x, 2 * A, [(x.tangent, 2.0)]),
            (lambda: x - x, A - A, [(x.tangent, 1), (x.tangent, -1)]),
            (lambda: row - x, A + 1 - A, [(x.tangent, -1)]),
        ):
            found = call()
            assert type(found) is native.Dual
            assert found.level is level
            assert level.tape[-1] is found.tangent
            assert (found.primal._data == expected).all()
            assert [(a, b) for a, b in found.tangent.parents] == parents
            assert (found.tangent.shape, found.tangent.node) == (found.shape, found.node)
        other = operand(native, level_of(native, 3))  # of a lower level, it is a value like others
        found = x * other
        assert found.level is level
        assert found.primal.level is other.level
        assert found.tangent.parents[0][1] is other
        assert found.primal.tangent.parents[0][1] is x.primal
    assert len(level.tape) == 5


def test_squares_have_one_factor(native):
    level = level_of(native)
    x = operand(native, level)
    with factors(native, multiply=(1, 2, lambda _, a, b: a + b)):
        found = x * x
        assert [(a, (b._data == 2 * A).all()) for a, b in found.tangent.parents] == [(x.tangent, True)]
        same = native.Dual(level, x.primal, x.tangent)
        assert [b for _, b in (x * same).tangent.parents] == [1, 2]


def test_results_of_other_kinds_are_values(native):
    level = level_of(native)
    level.kinds = "iu"
    with factors(native, add=(1, 1)):
        found = operand(native, level) + 1.0
        assert type(found) is native.Array
        assert (found._data == A + 1).all()
    assert not level.tape


def test_tangents_are_products_with_factors(native):
    class Forward(native.Level):
        def scaled(self, y, parents):
            return "scaled", y._data.tolist(), parents

    level, row = Forward(), native.array(A + 1)
    level.number, level.kinds = 1, "f"
    x, wide = (native.Dual(level, native.array(A), native.array(B[0] * A.astype(kind))) for kind in ("f4", "f8"))
    tangent = B[0] * A
    with factors(native, add=(1, 3), multiply=(lambda _, a, b: b, lambda _, a, b: a), subtract=(0.5, -1)):
        for found, primal, expected in (
            (x * row, A * (A + 1), tangent * (A + 1)),
            (row * x, A * (A + 1), tangent * (A + 1)),
            (x + x, A + A, tangent + tangent * 3),
            (x - row, -np.ones(3), tangent * 0.5),
            (row - x, np.ones(3), -tangent),
        ):
            assert type(found) is native.Dual
            assert (found.primal._data == primal).all()
            assert (found.tangent._data == expected).all()
        for factor in (0, native.array(A > 0), "other"):
            native.operations["add"].factors = (factor, 1)
            assert (x + row)[:2] == ("scaled", (A + A + 1).tolist()), factor
        native.operations["add"].factors = (1, 1)
        for other in (wide, native.Dual(level, x.primal, native.array(A[:1])), native.Dual(level, x.primal, 1.0)):
            kind, value, parents = other + row
            assert (kind, value) == ("scaled", (A + A + 1).tolist())
            assert list(parents) == [(other.tangent, 1)]


def test_what_is_left_to_rules(native):
    def fail(*_):
        raise LookupError("slope")

    level, left = level_of(native, 7), []
    x = operand(native, level)
    batch = native.Batch(native.BatchAxis(None, 3, 8), native.array(np.ones((3, 3), np.float32)))
    cases = [(operator.add, x, other) for other in (0, 0.0, True, A, native.array(A > 0), batch, "text", native.array(A[:2]))]
    cases += [(operator.mul, x, 2.0), (operator.truediv, x, 2.0), (operator.sub, x, 2.0)]
    given = {"add": (1, 1), "multiply": (lambda *_: NotImplemented, 1), "divide": (fail, 1), "subtract": None}
    with native.hooked(foreign=lambda *args: left.append(args[1:]) or "rule"), factors(native, **given):
        for op, first, second in cases:
            assert op(first, second) == "rule", (op, second)
        for name, value in (("memory", len), ("kinds", None)):
            before = getattr(level, name)
            setattr(level, name, value)
            assert x + 1.0 == "rule", name
            setattr(level, name, before)
        native.hold_tapes(1)
        try:
            assert x + 1.0 == "rule"
        finally:
            native.hold_tapes(-1)
    assert [args[:2] for args in left[: len(cases)]] == [case[1:] for case in cases]
    assert not level.tape
