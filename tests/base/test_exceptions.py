"""Messages name the function that was called, give advice that works, and can be made for any object."""

import importlib
import operator
import pkgutil
import subprocess
import sys
import traceback

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum._base.exceptions import (
    NotNumericError,
    ShapeError,
    check_shape,
    describe,
    is_too_large,
    shape_error,
    with_function_name,
    without_names,
)


def cyclic():
    values = []
    values.append(values)
    return values


class Mute:
    def __repr__(self):
        raise RuntimeError


@for_each(
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


@for_each(
    ("call", "message"),
    [
        (lambda x: xp.average(x, 0, [1, 2]), r"^average requires .*, got list at position 2; use"),
        (lambda x: xp.average(x, weights=[1, 2]), r"^average requires .*, got list as weights; use"),
        (lambda x: x.dot([1, 2]), r"^dot requires .*, got list at position 1; use"),
        (
            lambda x: xp.concat(),
            r"^concat\(\) missing 1 required positional argument: 'arrays'; the arguments are arrays, /, ",
        ),
        (lambda x: xp.delete(x, 9), r"^delete: index 9 is out of bounds for an axis of length 2"),
        (lambda x: xp.delete(x, xp.asarray([0, 9])), r"^delete: index 9 is out of bounds for an axis of length 2"),
        (lambda x: xp.vstack(x, x), r"^vstack: the arrays are one list, as in vstack\(\[x, y\]\), got 2 arguments"),
        (lambda x: xp.array([1, 2], [3, 4]), r"^array: dtype=\[3, 4\] is not .*; elements are one list, as in array\(\[\["),
        (lambda x: xp.sum(x, xp.ones((2, 2))), r"^sum: axis must be .*, got Array of float32, shape \(2, 2\)$"),
        (lambda x: xp.add(x), r"^add\(\) missing 1 required positional argument: 'x2'; the arguments are x1, x2, /$"),
        (lambda x: xp.nn.softmax(x, dim=0), r"^softmax\(\) got .*; write softmax\(\.\.\., axis=0\); it is called axis"),
        (lambda x: x.view(2, 1), r"^Array\.view: .*write x\.reshape"),
        (lambda x: xp.forbid("flaot64"), r"^forbid: 'flaot64' names no dtype"),
    ],
)
def test_messages_name_the_argument(call, message):
    with pytest.raises((TypeError, IndexError), match=message):
        call(xp.ones(2))


@pytest.mark.parametrize(
    "call",
    [
        lambda: xp.int8("a"),
        lambda: xp.float32(1, 2),
        lambda: xp.finfo("int8"),
        lambda: xp.iinfo(1.5),
        lambda: xp.ones(2).view("int3"),
        lambda: xp.testing.assert_array_equal([1], [2]),
        lambda: xp.forbid("flaot64"),
    ],
)
def test_tracebacks_end_in_the_users_line(call):
    with pytest.raises((TypeError, ValueError, AssertionError)) as caught:
        call()
    files = [frame.filename for frame in traceback.extract_tb(caught.value.__traceback__)]
    # The reference engine keeps the frame of its own call.
    assert [name for name in files if "supremum" in name and not name.endswith(("functions.py", __file__))] == []


def test_reshape_of_lengths_one_by_one_says_what_to_write():
    with pytest.raises(ValueError, match=r"lengths are one tuple, as in reshape\(x, \(2, 3\)\)$"):
        xp.reshape(xp.ones(4), 2, 2)


@for_each("other", [[1, 2], (1, 2), range(2)])
@for_each("name", ["add", "sub", "mul", "truediv", "matmul", "lt", "eq", "and_", "iadd", "imatmul"])
def test_operators_advise_asarray_for_lists(name, other):
    x = xp.asarray([1, 2])
    for operands in ((x, other), *([(other, x)] if name[0] != "i" else [])):
        with pytest.raises(
            TypeError, match=rf"^\w+: an operand is an array or a number, got {type(other).__name__}; use supremum.as"
        ):
            getattr(operator, name)(*operands)


HALF, EIGHTH = xp.ones(2, dtype="bfloat16"), xp.ones(2, dtype="float8_e4m3fn")


@for_each(
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
    assert (type(error), str(error)) == (NotNumericError, "sin: no")
    assert with_function_name(error, "sin") is error
    assert str(with_function_name(error, "nn.elu")) == "nn.elu: no"
    assert isinstance(with_function_name(np.exceptions.AxisError("far"), "sum"), IndexError)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_has_no_integer_part_is_said_by_asarray(value):
    for given in (value, [1, value]):
        with pytest.raises((ValueError, OverflowError), match=r"^asarray: cannot convert float"):
            xp.asarray(given, dtype="int32")


@for_each(
    ("call", "message"),
    [
        (lambda: xp.explain("int7"), "explain: 'int7' names no dtype that promotion knows; did you mean"),
        (lambda: xp.array([1], dtype=2), "array: dtype=2 is not a dtype of this namespace"),
        (lambda: xp.nn.softmax(xp.ones((2, 3)), axis=5), "softmax: axis 5 is out of bounds for array of dimension 2"),
        (lambda: xp.isdtype("foo", "bool"), "isdtype: 'foo' names no dtype that promotion knows"),
        (lambda: xp.nn.silu(xp.arange(3)), "silu: x must have a floating or complex dtype, got int32"),
        (lambda: xp.bfloat16([1, "a"]), "bfloat16: 'a' (str) is not an array of numbers"),
        (lambda: xp.config.update("promotion", "foo"), "config: there is no promotion system 'foo'"),
        (lambda: xp.promotion.compare("foo", "jax"), "compare: there is no promotion system 'foo'"),
        (lambda: xp.arange(3).__setitem__(0, "2"), "item assignment: '2' (str) is not an array of numbers"),
        (lambda: xp.arange(3).at[0].set("a"), "at[...].set: 'a' (str) is not an array of numbers"),
        (lambda: xp.linalg.matrix_norm(xp.ones((2, 2)), ord="a"), "linalg.matrix_norm: ord of a matrix norm must be"),
        (lambda: xp.float32(1, 2), "float32() takes one argument, an object to convert; got (1, 2)"),
        (
            lambda: f"{xp.ones((2, 3)):.2f}",
            "format: an array of shape (2, 3) takes no format specification, got '.2f'",
        ),
        (lambda: xp.sin[0], "'function' object is not subscriptable"),
        (lambda: xp.sum + 1, "unsupported operand type(s) for +: 'function' and 'int'"),
        (lambda: xp.linalg.inv.names, "'function' object has no attribute 'names'"),
        (lambda: xp.add.names, "'ufunc' object has no attribute 'names'"),
        (lambda: xp.ones(2).at(0), "'Array.at' object is not callable"),
        (lambda: xp.ones(2).at.add(0, 1), "'Array.at' object has no attribute 'add': index it, as in x.at[index].add(...)"),
        (lambda: xp.ones(2).at.name, "'Array.at' object has no attribute 'name': index it"),
        (lambda: xp.ones(2).at.__setitem__(0, 1), "x.at[index] cannot be assigned to: write x = x.at[index].set(values)"),
        (lambda: xp.asarray({1, 2}), "asarray: {1, 2} (set) is not an array of numbers; make a list of it first"),
        (lambda: xp.histogram(xp.ones(3), bins=-1), "histogram: bins must not be negative, got -1"),
        (lambda: xp.ones(2).at[0] + 1, "unsupported operand type(s) for +: 'IndexedUpdate' and 'int'"),
    ],
)
def test_messages_name_what_was_called_and_nothing_from_inside(call, message):
    with pytest.raises((TypeError, ValueError, IndexError, AttributeError)) as caught:
        call()
    assert str(caught.value).startswith(message)


def test_names_are_known_before_their_functions_are_used():
    code = "import supremum as xp\ntry: xp.ones(2).at[0].set('a')\nexcept TypeError as error: print(error)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.startswith("at[...].set: 'a' (str) is not an array of numbers")


def test_names_at_the_beginning_of_messages():
    for message, bare in {
        "asarray: no": "no",
        "linalg.norm: clip: no": "no",
        "where, argument 1: no": "no",
        "at[...].set: asarray: no": "no",
        "item assignment: no": "no",
        "add requires arrays": "requires arrays",
        "float() got: no": "float() got: no",
        "no: asarray": "no: asarray",
        "axis: no": "axis: no",
    }.items():
        assert without_names(message) == bare


def test_asarray_is_advised_where_it_helps():
    functions = (xp.sin, xp.sum, lambda x: xp.concat([xp.ones(1), x]), lambda x: xp.add(1, x))
    functions += (xp.array_repr, xp.array_str)
    calls = [(f, x) for f in functions for x in (None, "a", b"a", [1, "a"], [[1], [1, 2]])]
    for call, value in [*calls, (xp.ones(2).__eq__, {1}), (xp.ones(2).__eq__, {"a": 1})]:
        with pytest.raises(TypeError) as caught:
            call(value)
        assert "asarray" not in str(caught.value)
    for call in (xp.sin, xp.sum, lambda x: xp.add(1, x), lambda x: xp.ones(2) == x, lambda x: xp.ones(2) * x):
        with pytest.raises(TypeError, match=r"; use supremum\.asarray\(\.\.\.\) on it first, or set config\.lists"):
            call([1, 2])
        assert call(xp.asarray([1, 2])).dtype in ("float32", "int32", "bool")


@for_each(
    ("dtype", "value", "advice"),
    [
        ("int32", 2.0, "int(value)"),
        ("uint8", 2.5, "int(value)"),
        ("int32", 1 + 2j, "int(value.real)"),
        ("bool", 2, "bool(value)"),
        ("float32", 1 + 2j, "float(value.real)"),
        ("bfloat16", 1j, "float(value.real)"),
        ("int32", [1.5], "asarray(value).astype('int32')"),
        ("int8", np.float32(2), "asarray(value).astype('int8')"),
        ("int32", xp.ones(1), "asarray(value).astype('int32')"),
    ],
)
def test_advice_of_item_assignment_works(dtype, value, advice):
    x = xp.zeros(3, dtype=dtype)
    with pytest.raises(TypeError, match=r"^item assignment: .* would lose its kind") as caught:
        x[:1] = value
    assert f"; assign {advice}, or cast the array first" in str(caught.value)
    x[:1] = eval(advice, {"value": value, "asarray": xp.asarray})  # noqa: S307 - the advice of the message
    assert x[0] == (value.real if isinstance(value, complex) and dtype != "int32" else np.asarray(value).real.astype(x.dtype))


def test_advice_on_dtypes_of_updates_works():
    x, y, values = xp.arange(3), 0.5, 2.5
    with pytest.raises(TypeError, match=r"cast the other operand with asarray\(y\)\.astype\('int32'\)$"):
        x += y
    x += xp.asarray(y).astype("int32")
    with pytest.warns(FutureWarning, match=r"cast them first with asarray\(values\)\.astype\('int32'\), this"):
        x.at[0].set(values)
    assert x.at[0].set(xp.asarray(values).astype("int32")).tolist() == [2, 1, 2]


def test_numbers_are_formatted_and_larger_arrays_printed():
    assert f"{xp.asarray(1.25):.1f} {xp.asarray(1.5, dtype='bfloat16'):6.2f}|{xp.asarray(True):d}" == "1.2   1.50|1"
    assert f"{xp.ones(2)}" == str(xp.ones(2)) == "[1. 1.]"


def test_classes_of_exceptions_are_public():
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(xp.__path__, "supremum.")
        if not found.name.startswith(
            ("supremum.dask", "supremum.zarr", "supremum.pytest_plugin", "supremum._cli", "supremum.__main")
        )
    ]
    found = {value for module in modules for value in vars(module).values() if isinstance(value, type)}
    own = {
        kind
        for kind in found
        if issubclass(kind, Exception) and not issubclass(kind, Warning) and kind.__module__.startswith("supremum")
    }
    assert {"ShapeError", "NotNumericError", "TypePromotionError", "UnknownSystemError"} <= {kind.__name__ for kind in own}
    for kind in own:
        home = importlib.import_module(kind.__module__)
        assert not any(part.startswith("_") for part in kind.__module__.split(".")), kind
        assert getattr(home, kind.__name__) is kind
    assert set(xp.errors.__all__) == {kind.__name__ for kind in own if not kind.__module__.startswith("supremum.jax")}


def test_sizes():
    assert not is_too_large((2**62 - 1, 2), 1)
    assert is_too_large((2**62, 2), 1)
    assert is_too_large((2**62, 0, 2), 1)  # as NumPy has it
    assert not is_too_large((), 16)
    check_shape("f", (2**62,), 1)
    with pytest.raises(ValueError, match=r"^f: no array has the shape \(4611686018427387904,\): it would be too large$"):
        check_shape("f", (2**62,), 2)


def test_shapes_that_do_not_fit():
    error = shape_error("f", (3,), (4, 1), (2,))
    assert isinstance(error, ShapeError)
    assert str(error) == "f: the shapes (3,), (4, 1) and (2,) cannot be broadcast together"
    error = shape_error("f", (2**40, 1), (0, 1, 2**40))
    assert type(error) is ValueError
    assert str(error) == "f: no array has the shape (0, 1099511627776, 1099511627776): it would be too large"


def huge(dtype, *shape):
    """Return an array of ones, or of zeros if they are indices, that takes the memory of one element."""
    return xp.broadcast_to(xp.asarray(0 if dtype == "int64" else 1, dtype=dtype), shape)


ROWS, INNER = 2**21 - 36, 2**42 - 2  # (ROWS + 36) * (INNER + 2) * 2 is 2**64
TOO_LARGE = {
    "multiply": lambda: huge("int8", 2**62) * 1.5,
    "subtract": lambda: 1.5 - huge("int8", 2**62),
    "add": lambda: huge("int8", 2**40, 1) + huge("int8", 2**40),
    "divide": lambda: huge("float32", 2**40, 1) / huge("float32", 1, 2**40),
    "less": lambda: huge("int8", 2**40, 1) < huge("int16", 2**40),
    "sin": lambda: xp.sin(huge("int8", 2**62)),
    "sqrt": lambda: xp.sqrt(huge("int8", 2**60, 2, 2)[:, ::-1]),
    "where": lambda: xp.where(huge("bool", 2**62), 1, 2),
    "isclose": lambda: xp.isclose(huge("float32", 2**40, 1), huge("float32", 2**40)),
    "select": lambda: xp.select([huge("bool", 2**40, 1)], [huge("int8", 2**40)]),
    "repeat": lambda: xp.repeat(xp.ones(4), 2**62),
    "repeat by an array of one number": lambda: xp.repeat(xp.ones(4), xp.asarray([2**62], dtype="int64")),
    "repeat by an array": lambda: xp.repeat(xp.ones(4), xp.asarray([2**62] * 4, dtype="int64")),
    "repeat to a length": lambda: xp.repeat(xp.ones(4), 2**62, total_repeat_length=4),
    "repeat rows": lambda: xp.repeat(xp.ones((4, 3)), 2**62, axis=0),
    "tile": lambda: xp.tile(xp.ones((4, 3)), (1, 2**62)),
    "concat": lambda: xp.concat([huge("int8", 2**62)] * 4),
    "concatenate": lambda: xp.concatenate([huge("int8", 2**62)] * 5),
    "concatenate flat arrays": lambda: xp.concatenate([huge("int8", 2**61, 2)] * 4, axis=None),
    "hstack": lambda: xp.hstack([huge("int8", 2**62)] * 4),
    "vstack": lambda: xp.vstack([huge("int8", 2**62)] * 4),
    "stack": lambda: xp.stack([huge("int8", 2**62)] * 4),
    "block": lambda: xp.block([huge("int8", 2**62)] * 4),
    "append": lambda: xp.append(huge("int8", 2**62), huge("int8", 2**62)),
    "ediff1d": lambda: xp.ediff1d(xp.asarray([1, 2, 4], dtype="int8"), huge("int8", 2**63 - 1), huge("int8", 2**63 - 1)),
    "diff": lambda: xp.diff(xp.ones(3, dtype="int8"), prepend=huge("int8", 2**63 - 1), append=huge("int8", 2**63 - 1)),
    "unpackbits": lambda: xp.unpackbits(huge("uint8", 2**61)),
    "zeros": lambda: xp.zeros((0, 2**62, 2**10)),
    "full": lambda: xp.full((2**62, 2), 1),
    "matmul": lambda: huge("float32", 2**40, 1) @ huge("float32", 1, 2**40),
    "sum": lambda: xp.sum(huge("uint8", 0, 2**61), axis=0),
}


@for_each("name", TOO_LARGE)
def test_results_larger_than_any_array(name):
    with pytest.raises(ValueError, match=f"^{name.split()[0]}: "):
        TOO_LARGE[name]()


NO_MEMORY = {
    "matmul": lambda: xp.matmul(huge("int8", ROWS, INNER), huge("int8", INNER, 3)),
    "matmul operator": lambda: huge("uint8", ROWS, INNER) @ huge("uint8", INNER, 3),
    "matmul int16": lambda: huge("int16", ROWS // 2, INNER) @ huge("int16", INNER, 3),
    "matmul int32": lambda: huge("int32", 2**20, 2**40) @ huge("int32", 2**40, 4),
    "matmul bool": lambda: huge("bool", 4, 2**50) @ huge("bool", 2**50, 4),
    "matmul stacks": lambda: huge("int8", 2, 2**40, 4) @ huge("int8", 2, 4, 2**20),
    "matmul dot": lambda: xp.dot(huge("int8", 2**31, 2**31), huge("int8", 2**31, 3)),
    "Unable bincount": lambda: xp.bincount(xp.asarray([2**40], dtype="int64")),
    "Unable add": lambda: huge("int8", 2**61) + huge("int8", 2**61),
    "Unable sort": lambda: xp.sort(huge("int8", 2**60)),
}


@for_each("name", NO_MEMORY)
def test_memory_that_there_is_not(name):
    with pytest.raises(MemoryError, match=f"^{name.split()[0]}"):
        NO_MEMORY[name]()


def test_empty_operands_of_any_length():
    for dtype in ("int8", "bfloat16", "float32"):
        rows = xp.zeros((0, 2**59), dtype=dtype)
        assert xp.vecdot(rows, rows).shape == (0,)
        assert xp.matmul(rows, xp.zeros((2**59, 0), dtype=dtype)).shape == (0, 0)
        assert xp.concat([rows, rows]).shape == (0, 2**59)
        assert xp.argsort(xp.zeros((2**40, 0), dtype=dtype)).shape == (2**40, 0)
    assert xp.repeat(xp.ones((0, 3)), 2**62, axis=0).shape == (0, 3)
    assert xp.tile(xp.ones((2, 0)), (3, 1)).shape == (6, 0)
    assert np.asarray(xp.repeat(xp.ones(3), 0)).shape == (0,)
