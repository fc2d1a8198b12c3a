"""Messages name the function that was called, and survive what they speak of."""

import numpy as np
import pytest

import supremum as xp
from supremum._errors import NotNumericError, named, shown


def cyclic():
    values = []
    values.append(values)
    return values


class Mute:
    def __repr__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: xp.asarray([1], dtype="float8_e5m2") + xp.asarray([1], dtype="float8_e4m3fn"), "add"),
        (lambda: xp.concat([xp.zeros(1, dtype="float8_e5m2"), xp.zeros(1, dtype="float8_e4m3fn")]), "concat"),
        (lambda: xp.array_equal("word", 1), "array_equal"),
        (lambda: xp.int8("word"), "int8"),
        (lambda: xp.sin(10**400), "sin"),
        (lambda: bool(xp.ones(2)), "bool"),
        (lambda: range(5)[xp.ones(2)], "index"),
        (lambda: xp.sum(xp.ones(2), axis=cyclic()), "sum"),
    ],
)
def test_messages_name_the_function(call, name):
    with pytest.raises((TypeError, ValueError, OverflowError), match=rf"(^|\(|in |of |by ){name}\b"):
        call()


def test_anything_can_be_shown():
    assert shown(cyclic()) == "[[[[[[[...]]]]]]]"
    assert "Mute" in shown(Mute())
    assert len(shown("a" * 1000)) < 100


def test_named_keeps_the_kind_and_names_once():
    error = named(NotNumericError("asarray: no"), "sin")
    assert (type(error), str(error)) == (NotNumericError, "sin: asarray: no")
    assert named(error, "sin") is error
    assert isinstance(named(np.exceptions.AxisError("far"), "sum"), IndexError)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_has_no_integer_part_is_said_by_asarray(value):
    for given in (value, [1, value]):
        with pytest.raises((ValueError, OverflowError), match=r"^asarray: cannot convert float"):
            xp.asarray(given, dtype="int32")
