"""Messages name the function that was called, and can be made for any object."""

import numpy as np
import pytest

import supremum as xp
from supremum._base.errors import NotNumericError, describe, with_function_name


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


HALF, EIGHTH = xp.ones(2, dtype="bfloat16"), xp.ones(2, dtype="float8_e4m3fn")


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: EIGHTH + HALF, "add"),
        (lambda: EIGHTH @ HALF, "matmul"),
        (lambda: xp.pow(EIGHTH, HALF), "pow"),
        (lambda: xp.hypot(EIGHTH, HALF), "hypot"),
        (lambda: xp.maximum(EIGHTH, HALF), "maximum"),
        (lambda: xp.heaviside(EIGHTH, HALF), "heaviside"),
        (lambda: xp.clip(EIGHTH, HALF), "clip"),
        (lambda: xp.divmod(EIGHTH, HALF), "divmod"),
        (lambda: xp.where(xp.asarray([True, False]), EIGHTH, HALF), "where"),
        (lambda: xp.where(xp.asarray([True, False]), EIGHTH, 1j), "where"),
        (lambda: xp.stack([EIGHTH, HALF]), "stack"),
        (lambda: xp.result_type(EIGHTH, HALF), "result_type"),
    ],
)
def test_promotion_errors_name_the_function_that_was_called_and_no_other(call, name):
    """On the native engine too, whose functions have no stack frames."""
    with pytest.raises(xp.TypePromotionError) as caught:
        call()
    assert str(caught.value).count("Raised by") == 1
    assert str(caught.value).endswith(f" Raised by {name}.")


@pytest.mark.parametrize("call", [lambda x: xp.sin(x=x), lambda x: xp.abs(x=x), lambda x: xp.power(x1=x, x2=x)])
def test_arguments_that_have_no_name_cannot_be_named(call):
    with pytest.raises(TypeError):
        call(HALF)


def test_anything_can_be_shown():
    assert describe(cyclic()) == "[[[[[[[...]]]]]]]"
    assert "Mute" in describe(Mute())
    assert len(describe("a" * 1000)) < 100


def test_named_keeps_the_kind_and_names_once():
    error = with_function_name(NotNumericError("asarray: no"), "sin")
    assert (type(error), str(error)) == (NotNumericError, "sin: asarray: no")
    assert with_function_name(error, "sin") is error
    assert isinstance(with_function_name(np.exceptions.AxisError("far"), "sum"), IndexError)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_has_no_integer_part_is_said_by_asarray(value):
    for given in (value, [1, value]):
        with pytest.raises((ValueError, OverflowError), match=r"^asarray: cannot convert float"):
            xp.asarray(given, dtype="int32")
