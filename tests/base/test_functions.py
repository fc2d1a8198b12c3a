"""Who looks at calls of public functions, and who takes them over (supremum._base.functions)."""

import importlib
import inspect
import sys
from pathlib import Path

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import typing
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


@for_each("name", OPERATORS)
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


class Blind(Log):
    """A watcher that need not see views."""

    __supremum_views__ = False


def test_watchers_that_need_not_see_views_see_all_other_items():
    x, log = xp.asarray([[1.0, xp.nan], [3.0, 4.0]]), Blind()
    copies = [(0, 1), (-1, -1), ([1],), xp.asarray([0]), xp.asarray([[True, False], [True, True]])]
    views = [slice(1, None), 0, (slice(None), 1), None, ..., (..., 0, 0), slice(5, 9), (slice(None, None, -1), None)]
    with xp.config.use(watcher=log):
        items = [x[key] for key in (*copies, *views)]
        with pytest.raises(IndexError, match="out of bounds"):
            x[2]
    seen = [args[1] for _, _, args, _ in log.calls]
    assert all(any(key is one for one in seen) for key in copies)
    assert len(seen) == len(copies) + 1 or xp.__engine__ == "reference"
    for item, key in zip(items, (*copies, *views), strict=True):
        np.testing.assert_array_equal(np.asarray(item), np.asarray(x[key]))
        assert np.shares_memory(np.asarray(item), np.asarray(x)) == (any(key is one for one in views) and item.size > 0)


def test_other_watchers_and_checks_see_views_too():
    x, log, blind = xp.asarray([1.0, xp.nan]), Log(), Blind()
    with xp.config.use(watcher=blind), xp.config.use(watcher=log):
        x[1:]
    with xp.config.use(watcher=log), xp.config.use(watcher=blind):
        x[1:]
    assert log.names == ["getitem", "getitem"]
    with xp.config.use(jax_debug_nans=True), xp.config.use(watcher=blind), pytest.raises(FloatingPointError, match="getitem"):
        x[1:]


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
    with pytest.raises(TypeError, match="complete: there is no hook"):
        engine.complete(rules=1)


def test_states_with_a_watcher_compute_by_the_plans_of_those_without():
    made = []
    plain = engine.Operation("add", 2, lambda *_: made.append(1) or engine.Plan(X._node, np.add))
    with xp.config.use(watcher=Log()):
        for _ in range(3):
            assert engine.apply(plain, X, Y).tolist() == (X + Y).tolist()
        engine.plan(plain, X, Y)
    assert made == [1]


def test_updates_are_functions_of_array_index_and_values():
    x, ones, log = xp.asarray([1.0, 2.0, 3.0]), xp.ones(2), Log()
    with xp.config.use(watcher=log):
        results = [
            x.at[0].set(5), x.at[1:].add(ones), x.at[0].mul(2), x.at[9].get(mode="fill", fill_value=0), x.at[0].power(2),
        ]  # fmt: skip
        assert x.item(1) == 2
    assert [(name, kind) for name, kind, *_ in log.calls] == [
        ("at_set", "update"), ("at_add", "update"), ("at_multiply", "update"), ("at_get", "index"), ("at_power", "update"),
        ("item", "conversion"),
    ]  # fmt: skip
    assert log.calls[0][2] == (x, 0, 5)
    assert [y.tolist() for y in results] == [[5, 2, 3], [1, 3, 4], [2, 2, 3], 0, [1, 2, 3]]


# -- operands that take over --------------------------------------------------------------------------------------------------


class Taker:
    """An operand that answers with what it was called for."""

    def __supremum_function__(self, function, args, kwargs):
        return type(self).__name__, function.name, args, kwargs


class Narrower(Taker):
    pass


class Refusing:
    def __supremum_function__(self, _function, _args, _kwargs):
        return NotImplemented


TAKER = Taker()


@for_each(
    ("call", "name", "args", "kwargs"),
    [
        (lambda: xp.add(X, TAKER), "add", (X, TAKER), {}),
        (lambda: xp.sin(TAKER), "sin", (TAKER,), {}),
        (lambda: xp.sum(TAKER, axis=0), "sum", (TAKER,), {"axis": 0}),
        (lambda: xp.reshape(TAKER, (2,)), "reshape", (TAKER, (2,)), {}),
        (lambda: xp.where(X > 0, X, TAKER), "where", None, {}),
        (lambda: xp.concat([X, TAKER]), "concat", ([X, TAKER],), {}),
        (lambda: xp.stack((TAKER, X), axis=1), "stack", ((TAKER, X),), {"axis": 1}),
        (lambda: xp.asarray(TAKER), "asarray", (TAKER,), {}),
        (lambda: xp.linalg.solve(X, TAKER), "linalg.solve", (X, TAKER), {}),
        (lambda: xp.nn.softmax(TAKER), "nn.softmax", (TAKER,), {}),
        (lambda: X + TAKER, "add", (X, TAKER), {}),
        (lambda: TAKER * X, "multiply", (TAKER, X), {}),
        (lambda: X @ TAKER, "matmul", (X, TAKER), {}),
        (lambda: divmod(X, TAKER), "divmod", (X, TAKER), {}),
        (lambda: X < TAKER, "less", (X, TAKER), {}),
        (lambda: X == TAKER, "equal", (X, TAKER), {}),
        (lambda: X[TAKER], "getitem", (X, TAKER), {}),
        (lambda: X[0, TAKER], "getitem", (X, (0, TAKER)), {}),
        (lambda: X.at[0].add(TAKER), "at_add", (X, 0, TAKER), {}),
        (lambda: X.at[TAKER].set(1.0), "at_set", (X, TAKER, 1.0), {}),
        (lambda: X.clip(TAKER), "clip", None, {}),
    ],
)
def test_operands_take_over_calls_of_functions_operators_and_methods(call, name, args, kwargs):
    owner, called, given, named = call()
    assert (owner, called) == ("Taker", name)
    if args is not None:
        assert given == args
    assert named == kwargs


def test_in_place_operators_may_give_another_object():
    x = xp.asarray([1.0, 2.0])
    y = x
    y += TAKER
    assert y[:3] == ("Taker", "iadd", (x, TAKER))
    z = X
    z @= TAKER
    assert z[:3] == ("Taker", "imatmul", (X, TAKER))


def test_subclasses_come_first_then_the_left_one_and_not_implemented_passes_on():
    first, second = Taker(), Narrower()
    assert xp.add(first, second)[0] == "Narrower"
    assert xp.concat([X, first, second])[0] == "Narrower"
    assert xp.add(Refusing(), first)[0] == "Taker"
    calls = []

    class A:
        def __supremum_function__(self, function, args, kwargs):
            calls.append(type(self).__name__)
            return NotImplemented

    class B(A):
        pass

    class C(A):
        pass

    with pytest.raises(TypeError, match=r"^stack: no operand takes over: every __supremum_function__ returned NotImplemented"):
        xp.stack([A(), B(), A(), C(), B()])
    assert calls == ["B", "C", "A"]


def test_operators_that_all_refuse_are_python_s():
    refusing = Refusing()
    for call in (lambda: X + refusing, lambda: refusing <= X, lambda: X @ refusing, lambda: divmod(X, refusing)):
        with pytest.raises(TypeError, match=r"not supported between|unsupported operand"):
            call()
    with pytest.raises(TypeError, match=r"^add: no operand takes over"):
        xp.add(X, refusing)


def test_an_operand_s_own_operators_are_its_business():
    class Own(Taker):
        def __add__(self, other):
            return "own"

        def __radd__(self, other):
            return "reflected"

    assert Own() + X == "own"
    assert (X + Own())[:2] == ("Own", "add")
    assert (Own() - X)[:2] == ("Own", "subtract")


def test_operands_come_before_watchers_and_call_functions_that_are_watched():
    class Doubled:
        def __init__(self, array):
            self.array = array

        def __supremum_function__(self, function, args, kwargs):
            return Doubled(function(*[x.array if isinstance(x, Doubled) else x for x in args], **kwargs))

    log = Log()
    with xp.config.use(watcher=log):
        result = xp.add(xp.multiply(Doubled(X), 2), X)
    assert result.array.tolist() == (X * 2 + X).tolist()
    assert log.names == ["multiply", "add"]


class Levelled(Taker):
    def __init__(self, level):
        self.__supremum_level__ = level

    def __supremum_function__(self, _function, _args, _kwargs):
        CALLED.append((type(self).__name__, self.__supremum_level__))
        return NotImplemented


class LevelledNarrower(Levelled):
    pass


CALLED = []


def test_greater_levels_come_first_one_of_each_class_and_level():
    outer, inner = typing.new_level(), typing.new_level()
    given = [
        Levelled(outer),
        Levelled(inner),
        Levelled(outer),
        LevelledNarrower(outer),
        Levelled(0),
        Levelled(-1),
        Levelled(inner),
    ]
    order = [
        ("Levelled", inner), ("LevelledNarrower", outer), ("Levelled", outer), ("Levelled", 0), ("Levelled", -1),
    ]  # fmt: skip
    for arguments in (given, given[::-1]):
        CALLED.clear()
        with pytest.raises(TypeError, match="no operand takes over"):
            xp.stack(arguments)
        assert order == CALLED
    assert xp.add(Levelled(outer), TAKER)[0] == xp.add(TAKER, Levelled(outer))[0] == "Taker"
    assert CALLED[len(order) :] == [("Levelled", outer)] * 2


def test_a_level_is_an_integer():
    for wrong in ("1", 1.0, None, 2**63):
        for call in (lambda w=wrong: xp.add(Levelled(w), TAKER), lambda w=wrong: xp.stack([TAKER, Levelled(w)])):
            with pytest.raises(TypeError, match="__supremum_level__ is an integer of 64 bits, got"):
                call()

    class Raising(Taker):
        @property
        def __supremum_level__(self):
            raise ValueError("no level yet")

    with pytest.raises(ValueError, match=r"^no level yet$"):
        xp.add(Raising(), TAKER)


def test_lists_in_lists_are_searched_also_while_they_change():
    assert xp.asarray([[TAKER, 1.0], [2.0, 3.0]])[1] == "asarray"
    assert xp.asarray([[[1.0]], [((TAKER,),)]])[1] == "asarray"
    endless = [X]
    endless.append(endless)
    with pytest.raises((TypeError, ValueError, RecursionError)):
        xp.stack(endless)
    endless.append(TAKER)
    assert xp.stack(endless)[1] == "stack"

    class Emptying(Taker):
        @property
        def __supremum_level__(self):
            for one in (within, several):
                one.clear()
            return 0

    within = [TAKER, Emptying(), Narrower(), Emptying()]
    several = [within]
    assert xp.stack([several, TAKER])[0] == "Emptying"


def test_more_operands_than_are_usual():
    kinds = [type(f"Kind{i}", (Levelled,), {}) for i in range(40)]
    CALLED.clear()
    with pytest.raises(TypeError, match="no operand takes over"):
        xp.stack([kind(i // 4) for i, kind in enumerate(kinds)])
    assert [(f"Kind{4 * level + i}", level) for level in range(9, -1, -1) for i in range(4)] == CALLED


def test_arrays_and_builtins_do_not_take_over_and_dictionaries_are_not_searched():
    class Array(np.ndarray):
        def __supremum_function__(self, _function, _args, _kwargs):
            return "taken"

    assert xp.sin(np.zeros(2).view(Array)) == "taken"
    with pytest.raises(TypeError):
        xp.stack({"a": TAKER})
    assert functions.takes_over(TAKER)
    assert not any(map(functions.takes_over, (X, X._data, 1, None, "a", [TAKER], Taker)))


def test_an_operand_may_look_through_composed_functions():
    seen = []

    class Seen:
        def __init__(self, array):
            self.array = array

        def __supremum_function__(self, function, args, kwargs):
            seen.append(function.name)
            if function.kind == "composed":
                return NotImplemented
            return Seen(function(*[x.array if isinstance(x, Seen) else x for x in args], **kwargs))

    def summed(x):
        return xp.sum(xp.multiply(x, x))

    function = engine.Function(summed, name="summed", kind="composed")
    assert function(Seen(X)).array.tolist() == 30
    assert seen == ["summed", "multiply", "sum"]


def test_an_error_of_an_operand_is_raised_as_it_is():
    class Raising:
        def __supremum_function__(self, _function, _args, _kwargs):
            raise ValueError("this is mine")

    for call in (lambda: X + Raising(), lambda: xp.sin(Raising()), lambda: xp.median([Raising()])):
        with pytest.raises(ValueError, match=r"^this is mine$"):
            call()


# -- arguments by name --------------------------------------------------------------------------------------------------------


class Bound:
    """An operand that returns the arguments of the call by name."""

    def __supremum_function__(self, function, args, kwargs):
        return function.bound(args, kwargs)


BOUND = Bound()


def _named(a, /, b, c=3, *rest, d, e=5, **more):
    return a, b, c, rest, d, e, more


@for_each(
    ("args", "kwargs"),
    [
        ((1, 2), {"d": 4}),
        ((1, 2, 30, 31, 32), {"d": 4, "e": 50}),
        ((1,), {"d": 4, "b": 2}),
        ((1, 2), {"d": 4, "f": 6, "a": 7, "rest": 8, "more": 9}),
        ((), {"b": 2, "d": 4}),
        ((1,), {"d": 4}),
        ((1, 2), {}),
        ((1, 2), {"d": 4, "b": 2}),
    ],
)
def test_arguments_by_name_are_those_that_python_binds(args, kwargs):
    function = engine.Function(_named, name="named")
    signature = inspect.signature(_named)
    try:
        expected = signature.bind(*args, **kwargs)
    except TypeError:
        with pytest.raises(TypeError, match=r"^named: the argument '.' is (missing|given twice)$"):
            function.bound(args, kwargs)
        return
    expected.apply_defaults()
    given = dict(kwargs)
    for _ in range(2):
        assert list(function.bound(args, kwargs).items()) == list(expected.arguments.items())
    assert kwargs == given


def test_arguments_that_a_function_does_not_take():
    function = engine.Function(lambda a, *, b=1: a, name="few")
    for args, kwargs, message in (
        ((1, 2), {}, r"few: takes 1 arguments by position, got 2"),
        ((1,), {"c": 1, "b": 2, "d": 3}, r"few: there are no arguments \['c', 'd'\]"),
        ((1,), {"a": 1}, r"few: the argument 'a' is given twice"),
    ):
        with pytest.raises(TypeError, match=f"^{message}$"):
            function.bound(args, kwargs)
    for wrong in (([1], {}), ((1,), None), ((1,),)):
        with pytest.raises(TypeError, match="bound"):
            function.bound(*wrong)

    class Key(str):
        __slots__ = ()

        def __eq__(self, other):
            raise ValueError("not compared")

        __hash__ = str.__hash__

    with pytest.raises(ValueError, match=r"^not compared$"):
        function.bound((), {Key("a"): 1})
    with pytest.raises((TypeError, ValueError)):  # of which Python knows no signature
        engine.Function(type, name="type").bound((1,), {})


def test_methods_and_operators_have_the_arguments_of_functions():
    whole = xp.sum(BOUND)
    assert list(whole) == ["a", "axis", "dtype", "out", "keepdims", "initial", "where", "promote_integers"]
    assert whole == xp.Array.sum(BOUND) == {**dict.fromkeys(whole), "a": BOUND, "keepdims": False, "promote_integers": True}
    assert xp.Array.mean(BOUND, axis=1) == xp.mean(BOUND, 1)
    assert (X + BOUND) == xp.add(X, BOUND) == {"x1": X, "x2": BOUND, "out": None, "where": None}
    assert X[BOUND] == {"x": X, "key": BOUND}
    options = {"mode": None, "wrap_negative_indices": True, "unique_indices": False}
    assert X.at[0].set(BOUND) == {"x": X, "index": 0, "values": BOUND, **options}
    assert X.__iadd__(BOUND) == {"x": X, "y": BOUND}
    assert xp.einsum("i,i", X, BOUND)["operands"] == (X, BOUND)


def test_every_public_function_binds_its_arguments():
    for name in xp.__all__:
        function = getattr(xp, name)
        if isinstance(function, engine.Function) and function.name is not None:
            parameters = inspect.signature(function).parameters.values()
            wanted = [p.name for p in parameters if p.kind < 2 and p.default is p.empty]
            named = {p.name: p.name for p in parameters if p.kind == p.KEYWORD_ONLY and p.default is p.empty}
            found = function.bound(tuple(wanted), named)
            assert list(found) == [p.name for p in parameters], name
            assert all(found[one] == one for one in (*wanted, *named))


def test_names_are_unique():
    """The name of a function is its path below the package; its label is what messages begin with."""
    for path in Path(xp.__file__).parent.rglob("*.py"):
        if not path.stem.startswith("__") and path.stem != "pytest_plugin":
            importlib.import_module(".".join(("supremum", *path.relative_to(Path(xp.__file__).parent).with_suffix("").parts)))
    found = {}
    for module in [one for name, one in sys.modules.items() if name.partition(".")[0] == "supremum"]:
        for function in list(vars(module).values()):
            if isinstance(function, engine.Function) and function.name:
                found.setdefault(function.name, set()).add(id(function))
    assert [name for name, several in found.items() if len(several) > 1] == []
    assert {"random.gamma", "scipy.special.gamma", "nn.softmax", "scipy.linalg.inv", "lax.exp", "sin"} <= found.keys()
    with pytest.raises(TypeError, match=r"^gamma"):
        xp.scipy.special.gamma("text")
