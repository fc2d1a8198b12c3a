"""The base class of operands that take over (supremum._array.operand), by a class that defines no more than it must."""

import copy
import operator
import pickle

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import jax
from supremum.promotion import as_node
from supremum.typing import CALLS, Operand

errors = jax.errors


class Wrapped(Operand):
    """An operand around an array, which keeps the names of the functions."""

    node = property(lambda self: self.array.node)
    shape = property(lambda self: self.array.shape)

    def __init__(self, array, names=()):
        self.array, self.names = array, names

    def __supremum_function__(self, function, args, kwargs):
        def plain(x):
            return x.array if type(x) is Wrapped else type(x)(map(plain, x)) if type(x) in (list, tuple) else x

        names = (*self.names, function.name)
        result = function(*map(plain, args), **{name: plain(x) for name, x in kwargs.items()})
        return tuple([Wrapped(x, names) for x in result]) if isinstance(result, tuple) else Wrapped(result, names)


DATA = xp.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]])
X = Wrapped(DATA)
ROW, COUNTS = xp.asarray([1.0, 2.0, 4.0]), xp.asarray([1, 2, 3])


def of(result):
    return [part.array for part in result] if isinstance(result, tuple) else [result.array]


def same(found, expected):
    for one, other in zip(of(found), expected if isinstance(expected, tuple) else [expected], strict=True):
        assert one.node is other.node
        np.testing.assert_array_equal(one, other)


@for_each("other", [2.0, ROW, np.asarray([1.0, 2.0, 4.0], np.float32), Wrapped(ROW)])
@for_each("name", ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lt", "le", "gt", "ge", "eq", "ne"])
def test_operators_on_both_sides(name, other):
    function = getattr(operator, name)
    plain = other.array if isinstance(other, Wrapped) else other
    same(function(X, other), function(DATA, plain))
    same(function(other, X), function(plain, DATA))


def test_other_operators():
    same(divmod(X, 2.0), divmod(DATA, 2.0))
    same(divmod(20.0, X), divmod(20.0, DATA))
    same(X @ ROW, DATA @ ROW)
    same(ROW @ X.T, ROW @ DATA.T)
    counts = Wrapped(COUNTS)
    for function in (operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift):
        same(function(counts, 1), function(COUNTS, 1))
        same(function(5, counts), function(5, COUNTS))
    for function in (operator.neg, operator.pos, abs, operator.invert):
        same(function(counts), function(COUNTS))
    y = X
    y += 1.0
    same(y, DATA + 1.0)
    for foreign in (lambda: X + "text", lambda: object() * X, lambda: object() > X):
        with pytest.raises(TypeError, match=r"unsupported operand|not supported between"):
            foreign()
    assert (X == "text") is False


@for_each(
    "call",
    [
        lambda x: x.sum(), lambda x: x.mean(axis=0), lambda x: x.reshape(3, 2), lambda x: x.T, lambda x: x.mT,
        lambda x: x.real, lambda x: x.astype("bfloat16"), lambda x: x.clip(2, 4), lambda x: x.flatten(),
        lambda x: x.ravel(), lambda x: x.copy(), lambda x: x[0], lambda x: x[:, 1:], lambda x: x[..., xp.asarray([0, 2])],
        lambda x: x.at[0].set(9.0), lambda x: x.at[:, 1].add(ROW[:2]), lambda x: x.at[0, 0].mul(3.0),
        lambda x: x.at[5].get(mode="fill", fill_value=0.0), lambda x: x.at[1].apply(xp.negative),
        lambda x: x.view("int32"), lambda x: x.byteswap(), lambda x: np.sin(x), lambda x: np.sum(x, axis=1),
        lambda x: np.concatenate([x, x]), lambda x: np.linalg.norm(x), lambda x: round(x, 1), lambda x: copy.copy(x),
        lambda x: copy.deepcopy(x), lambda x: tuple(x), lambda x: tuple(reversed(x)), lambda x: x.sort(),
        lambda x: x.argmax(), lambda x: x.conj(), lambda x: x.swapaxes(0, 1), lambda x: x.std(),
        lambda x: np.float32(2) * x, lambda x: np.ones(3) + x, lambda x: x.clone(), lambda x: x.to_device("cpu"),
    ],
)  # fmt: skip
def test_members_are_calls_of_functions(call):
    same(call(X), call(DATA))


def test_what_is_known_without_elements():
    x = Wrapped(xp.asarray(2.0))
    assert (X.shape, X.ndim, X.size, len(X), X.dtype, X.weak_type) == ((2, 3), 2, 6, 2, "float32", False)
    assert (x.shape, x.ndim, x.size, x.weak_type, x.nbytes) == ((), 0, 1, True, 4)
    assert (X.itemsize, X.nbytes, X.on_device_size_in_bytes(), X.aval) == (4, 24, 24, DATA.aval)
    assert DATA.node is X.node is as_node("float32")
    assert x.node is as_node("float32").weak_form
    assert isinstance(X, jax.Array)
    assert isinstance(X, Operand)
    assert isinstance(X, jax.core.Tracer)
    assert (repr(X), str(X), f"{X}", X._repr_html_()) == (*["Wrapped(float32[2,3])"] * 3, None)
    assert X.__array_namespace__() is xp
    with pytest.raises(TypeError, match="unhashable"):
        hash(X)
    for call in (len, iter, reversed):
        with pytest.raises(TypeError, match=r"0-d|unsized"):
            call(x)


@for_each(
    ("use", "error"),
    [
        (bool, errors.TracerBoolConversionError),
        (int, errors.ConcretizationTypeError),
        (float, errors.ConcretizationTypeError),
        (complex, errors.ConcretizationTypeError),
        (range, errors.TracerIntegerConversionError),
        (lambda x: DATA[x:], IndexError),
        (lambda x: x.item(), errors.ConcretizationTypeError),
        (lambda x: x.tolist(), errors.ConcretizationTypeError),
        (lambda x: x.tobytes(), errors.ConcretizationTypeError),
        (lambda x: x.delete(), errors.ConcretizationTypeError),
        (pickle.dumps, errors.ConcretizationTypeError),
        (np.asarray, errors.TracerArrayConversionError),
        (np.from_dlpack, errors.TracerArrayConversionError),
        (lambda x: np.add.reduce(x), errors.TracerArrayConversionError),
        (lambda x: np.busday_count(x, x), errors.TracerArrayConversionError),
        (lambda x: x._data, errors.TracerArrayConversionError),
        (lambda x: x.__setitem__(0, 1), TypeError),
    ],
)
def test_what_needs_elements_raises_jax_s_errors(use, error):
    with pytest.raises(error, match=r"Wrapped\(int32\[\]\)"):
        use(Wrapped(xp.asarray(1)))


def test_an_operand_may_have_elements():
    class Concrete(Wrapped):
        def concrete(self, need, error):
            return super().concrete(need, error) if error is errors.TracerArrayConversionError else self.array

    x = Concrete(xp.asarray(2))
    assert (int(x), float(x), complex(x), bool(x), [1, 2, 3][x], x.item(), x.tolist()) == (2, 2, 2, True, 3, 2, 2)
    with pytest.raises(errors.TracerArrayConversionError, match="NumPy needs one array"):
        np.asarray(x)


def test_what_a_class_must_define():
    class Empty(Operand):
        pass

    for use, word in (
        (lambda: Empty().shape, "shape"),
        (lambda: Empty().dtype, "node"),
        (lambda: xp.sin(Empty()), "function"),
    ):
        with pytest.raises(NotImplementedError, match=f"^Empty does not define .*{word}"):
            use()


def test_operands_have_attributes_and_slots_as_they_like():
    class Slotted(Operand):
        __slots__ = ("array",)

    x = Slotted()
    x.array = 1
    with pytest.raises(AttributeError):
        x.other = 1
    X.note = "mine"
    assert X.note == "mine"
    del X.note


def test_vmap_maps_operands():
    found = jax.vmap(lambda row: (row * ROW).sum())(X)
    same(found, (DATA * ROW).sum(axis=1))
    inner = jax.vmap(lambda row: row + Wrapped(ROW))(DATA)
    same(inner, DATA + ROW)


def test_functions_behind_members_have_names_to_compare():
    for use, name in (
        (lambda x: x[0], "getitem"), (lambda x: DATA[x], "getitem"), (lambda x: x.at[0].add(1), "at_add"),
        (lambda x: x.at[0].get(), "at_get"), (lambda x: x.at[0].apply(xp.negative), "at_apply"),
        (lambda x: x.view("int8"), "view"), (lambda x: DATA.at[0].set(x), "at_set"),
        (lambda x: xp.ones(1).__iadd__(x), "iadd"),
    ):  # fmt: skip
        seen = []

        class Only(Operand):
            node, shape = COUNTS.node, (1,)

            def __supremum_function__(self, function, args, kwargs):
                seen.append(function)  # noqa: B023 - called at once
                return self

        use(Only())
        assert seen == [CALLS[name]]
    assert {call.kind for call in CALLS.values()} == {
        "index", "update", "in-place", "conversion", "opaque", "composed",
    }  # fmt: skip
    assert all(call.name == name for name, call in CALLS.items())
    with pytest.raises(TypeError):
        CALLS["getitem"] = None
