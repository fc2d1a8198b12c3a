"""Who looks at calls of public functions, and who takes them over (supremum._base.functions)."""

import numpy as np
import pytest

import supremum as xp
from supremum._base import functions
from supremum._core import engine
from supremum._core.settings import state


class Log:
    """A watcher that keeps the names of functions, with their kinds and what they got."""

    def __init__(self):
        self.calls = []

    def __call__(self, function, args, kwargs):
        self.calls.append((function.name, function.kind, args, kwargs))
        return function(*args, **kwargs)

    @property
    def names(self):
        return [name for name, *_ in self.calls]


def names_of(call):
    log = Log()
    with xp.config.use(watcher=log):
        call()
    return log.names


X, Y = xp.asarray([[1.0, 2.0], [3.0, 4.0]]), xp.asarray([[2.0, 2.0], [1.0, 0.5]])
OPERATORS = {
    "add": lambda x, y: x + y, "subtract": lambda x, y: x - y, "multiply": lambda x, y: x * y, "divide": lambda x, y: x / y,
    "floor_divide": lambda x, y: x // y, "remainder": lambda x, y: x % y, "pow": lambda x, y: x**y,
    "matmul": lambda x, y: x @ y, "divmod": divmod, "less": lambda x, y: x < y, "less_equal": lambda x, y: x <= y,
    "greater": lambda x, y: x > y, "greater_equal": lambda x, y: x >= y, "equal": lambda x, y: x == y,
    "not_equal": lambda x, y: x != y,
}  # fmt: skip


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_are_the_functions_of_their_names(name):
    log = Log()
    with xp.config.use(watcher=log):
        watched = OPERATORS[name](X, Y)
    [(called, _, args, kwargs)] = log.calls
    assert called == name
    assert args[0] is X
    assert args[1] is Y
    assert not kwargs
    for found, expected in zip(np.atleast_1d(watched), np.atleast_1d(OPERATORS[name](X, Y)), strict=True):
        np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))


def test_operators_with_other_operands_and_of_one_are_seen():
    i = xp.asarray([1, 2])
    assert names_of(lambda: (2 - X, X + 2, np.ones((2, 2)) * X, X + np.ones(2))) == ["subtract", "add", "multiply", "add"]
    assert names_of(lambda: (-X, +X, abs(X), ~i, i & 1, i | 1, i ^ 1, i << 1, i >> 1)) == [
        "negative", "positive", "abs", "bitwise_invert", "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift",
        "bitwise_right_shift",
    ]  # fmt: skip


def test_what_no_operator_takes_is_refused_as_without_a_watcher():
    for call in (lambda: X + "a", lambda: X < "a", lambda: divmod(X, "a"), lambda: X @ "a"):
        with pytest.raises(TypeError) as expected:
            call()
        with pytest.raises(TypeError) as error, xp.config.use(watcher=Log()):
            call()
        assert str(error.value) == str(expected.value)
    with xp.config.use(watcher=Log()):
        assert (X == "a") is False


def test_methods_are_functions():
    assert names_of(lambda: (X.sum(), X.mean(axis=0), X.reshape(4), X.astype("int8"), X.clip(0, 1), X.argmax())) == [
        "sum", "mean", "reshape", "astype", "clip", "argmax",
    ]  # fmt: skip


def test_item_access_and_conversions_are_functions():
    x, one = xp.asarray([1.0, 2.0]), xp.asarray(1)
    log = Log()
    with xp.config.use(watcher=log):
        assert (float(x[0]), bool(one), int(one), complex(x[1]), [10, 20][one]) == (1, True, 1, 2, 20)
        assert [float(y) for y in x] == [1, 2]
        x[1] = 5
    assert log.names == [
        "getitem", "float", "bool", "int", "getitem", "complex", "index", "getitem", "float", "getitem", "float", "setitem",
    ]  # fmt: skip
    assert {kind for _, kind, *_ in log.calls} == {"index", "conversion"}
    assert x.tolist() == [1, 5]


def test_in_place_operators_are_functions_of_their_own():
    x, log = xp.asarray([[1.0, 2.0], [3.0, 4.0]]), Log()
    before = x
    with xp.config.use(watcher=log):
        x += 1
        x *= Y
        x @= X
    assert x is before
    assert [(name, kind) for name, kind, *_ in log.calls] == [
        ("iadd", "in-place"), ("imul", "in-place"), ("imatmul", "in-place"),
    ]  # fmt: skip
    assert x.tolist() == (((X + 1) * Y) @ X).tolist()


def test_watchers_nest_and_do_not_watch_themselves():
    order = []

    def watcher(name):
        def watch(function, args, kwargs):
            order.append(name)
            return function(*args, **kwargs)

        return watch

    with xp.config.use(watcher=watcher("outer")), xp.config.use(watcher=watcher("inner")):
        assert (X + Y).tolist() == [[3, 4], [4, 4.5]]
        assert order == ["inner", "outer"]
        with xp.config.use(watcher=None):
            xp.sum(X)
        assert order == ["inner", "outer"]
    xp.sum(X)
    assert order == ["inner", "outer"]


def test_what_a_watcher_returns_is_the_result():
    with xp.config.use(watcher=lambda _function, _args, _kwargs: 7):
        assert (X + Y, xp.sin(X), X[0], xp.zeros(3)) == (7, 7, 7, 7)


def test_what_a_watcher_raises_is_the_error():
    def refuse(function, _args, _kwargs):
        raise ValueError(f"no {function.name}")

    for call, name in ((lambda: X + Y, "add"), (lambda: xp.stack([X]), "stack"), (lambda: X.sum(), "sum")):
        with pytest.raises(ValueError, match=rf"^no {name}$"), xp.config.use(watcher=refuse):
            call()
    assert state().watcher is None


def test_watchers_work_while_settings_change_within():
    log = Log()
    with xp.config.use(watcher=log):
        with xp.config.use(promotion="numpy"):
            assert (xp.asarray([1], dtype="int32") / 2).dtype == np.float64
        assert (xp.asarray([1], dtype="int32") / 2).dtype == np.float32
    assert log.names.count("divide") == 2


def test_a_watcher_looks_through_composed_functions_only():
    seen = []

    def doubled(x):
        return x + x

    composed = engine.Function(doubled, name="doubled", kind="composed")
    opaque = engine.Function(doubled, name="doubled")

    def watch(function, args, kwargs):
        seen.append(function.name)
        with xp.config.use(watcher=watch):
            return function.definition(*args, **kwargs)

    with xp.config.use(watcher=watch):
        first = composed(X)
        assert seen == ["doubled", "add"]
        second = opaque(X)
        assert seen == ["doubled", "add", "doubled"]
    assert first.tolist() == second.tolist() == [[2, 4], [6, 8]]


def test_functions_without_a_name_have_no_guests():
    calls = []
    inner = engine.Function(lambda *args: calls.append(args))
    with xp.promotion.use("numpy"), xp.config.use(watcher=Log()):
        inner(1)
    assert calls == [(1,)]
    with pytest.raises(TypeError, match="use_rules: expected a function"):
        functions.use_rules(1)


def test_states_with_a_watcher_compute_by_the_plans_of_those_without():
    made = []
    plain = engine.Operation("add", 2, lambda *_: made.append(1) or engine.Plan(X._node, np.add))
    with xp.config.use(watcher=Log()):
        for _ in range(3):
            assert engine.apply(plain, X, Y).tolist() == (X + Y).tolist()
        engine.plan(plain, X, Y)
    assert made == [1]
