"""Attributes and methods of ufunc objects; expected values and dtypes are JAX 0.10.2's."""

import copy
import inspect
import operator
import pickle
import pydoc

import numpy as np
import pytest
from common import for_each

import supremum as xp

UFUNCS = {
    "add": 0, "bitwise_and": -1, "bitwise_or": 0, "bitwise_xor": 0, "logaddexp": -np.inf, "logaddexp2": -np.inf,
    "logical_and": True, "logical_or": False, "logical_xor": False, "maximum": None, "minimum": None, "multiply": 1,
    "subtract": None,
}  # fmt: skip
X = [3, 1, 2, 5]
MATRIX = [[0, 1, 2], [3, 4, 5]]


def int8(values):
    return xp.asarray(values, dtype="int8")


def same(array, values, dtype):
    assert array.dtype == dtype
    assert not array.weak_type
    np.testing.assert_allclose(np.asarray(array).astype(float), np.asarray(values, float), rtol=1e-6)


@for_each("name", UFUNCS)
def test_attributes(name):
    function = getattr(xp, name)
    assert isinstance(function, xp.ufunc)
    assert (function.nin, function.nout, function.nargs, function.identity) == (2, 1, 2, UFUNCS[name])
    assert function.__name__ == name
    assert repr(function) == f"<supremum.ufunc '{name}'>"


def test_negative_is_the_unary_one():
    assert isinstance(xp.negative, xp.ufunc)
    assert (xp.negative.nin, xp.negative.nargs, xp.negative.identity) == (1, 1, None)


@for_each("name", [*UFUNCS, "negative"])
def test_signature_and_help(name):
    function = getattr(xp, name)
    names = ["x"] if name == "negative" else ["x1", "x2"]
    parameters = inspect.signature(function).parameters
    assert [*parameters] == [*names, "out", "where"]
    assert all(parameters[n].kind is inspect.Parameter.POSITIONAL_ONLY for n in names)
    text = pydoc.plain(pydoc.render_doc(function))
    assert f"{name}({', '.join(names)}, /, *, out=None, where=None)" in text
    assert "Parameters" in text


def test_they_are_values():
    assert pickle.loads(pickle.dumps(xp.add)) is xp.add
    assert copy.deepcopy(xp.add) is xp.add
    assert xp.add == xp.add != xp.subtract
    assert len({xp.add, xp.add, xp.multiply}) == 2


def test_calls():
    x = int8(X)
    same(xp.add(x, 1), [4, 2, 3, 6], "int8")
    same(xp.add(1, x), [4, 2, 3, 6], "int8")
    same(xp.add(x, np.array([1, 1, 1, 1], np.int16)), [4, 2, 3, 6], "int16")
    assert xp.add(2, 3).weak_type
    same(xp.negative(x), [-3, -1, -2, -5], "int8")


@pytest.mark.parametrize("options", [{"out": np.zeros(4)}, {"where": True}])
def test_options_that_jax_refuses(options):
    with pytest.raises(NotImplementedError, match="add"):
        xp.add(int8(X), int8(X), **options)
    with pytest.raises(NotImplementedError, match="negative"):
        xp.negative(int8(X), **options)


@pytest.mark.parametrize("arguments", [(), (1,), (1, 2, 3)])
def test_wrong_number_of_arguments(arguments):
    with pytest.raises(TypeError):
        xp.add(*arguments)


REDUCE = [
    ("add", int8(X), {}, 11, "int32"),
    ("add", xp.asarray([True, False, True]), {}, 2, "int32"),
    ("add", int8(MATRIX), {"axis": None}, 15, "int32"),
    ("add", int8(MATRIX), {"axis": 1, "keepdims": True}, [[3], [12]], "int32"),
    ("add", int8(X), {"dtype": "float32"}, 11, "float32"),
    ("add", int8(X), {"initial": 5, "where": xp.asarray([True, False, True, True])}, 15, "int32"),
    ("multiply", int8(X), {}, 30, "int32"),
    ("subtract", int8(X), {}, -5, "int8"),
    ("subtract", int8(MATRIX), {"axis": None}, -15, "int8"),
    ("subtract", int8(MATRIX), {"axis": None, "keepdims": True}, [[-15]], "int8"),
    ("subtract", int8(MATRIX), {"axis": 1, "keepdims": True}, [[-3], [-6]], "int8"),
    ("subtract", xp.asarray([3.0, 1.0]), {"dtype": "int32"}, 2, "int32"),
    ("subtract", xp.asarray([3.0, 1.0]), {"initial": 1}, -3, "float32"),
    ("subtract", xp.asarray([3.0, 1.0, 5.0]), {"initial": 0, "where": xp.asarray([True, False, True])}, -8, "float32"),
    ("subtract", xp.asarray([]), {"initial": 2}, 2, "float32"),
    ("subtract", int8(MATRIX), {"axis": None, "initial": 0, "where": np.array([True, False, True])}, -10, "int8"),
    ("maximum", int8(X), {}, 5, "int8"),
    ("maximum", int8(MATRIX), {"axis": (0, 1)}, 5, "int8"),
    ("maximum", int8(X), {"initial": 10}, 10, "int8"),
    ("minimum", xp.asarray([3.0, 1.0]), {"dtype": np.int32}, 1, "int32"),
    ("bitwise_and", int8(X), {}, 0, "int8"),
    ("bitwise_and", xp.asarray([1, 3], dtype="uint8"), {}, 1, "uint8"),
    ("bitwise_and", xp.asarray([], dtype="int32"), {}, -1, "int32"),
    ("bitwise_and", xp.asarray([7, 1], dtype="uint8"), {"where": xp.asarray([True, False])}, 7, "uint8"),
    ("bitwise_or", int8(X), {"initial": 8}, 15, "int8"),
    ("bitwise_xor", int8(X), {"dtype": "int32"}, 5, "int32"),
    ("logical_and", int8(X), {}, True, "bool"),
    ("logical_and", int8(X), {"dtype": "int32"}, 1, "int32"),
    ("logical_and", xp.asarray([]), {}, True, "bool"),
    ("logical_or", int8([0, 0]), {"initial": 2.5}, True, "bool"),
    ("logical_xor", int8(MATRIX), {"axis": 1}, [False, True], "bool"),
    ("logaddexp", xp.asarray([3.0, 1.0, 2.0, 5.0]), {}, 5.1851826, "float32"),
    ("logaddexp", int8(X), {}, 5.1851826, "float32"),
    ("logaddexp", xp.asarray([3.0, 1.0, 2.0, 5.0]), {"initial": 2.0}, 5.2257204, "float32"),
    ("logaddexp", xp.asarray([3.0, 1.0, 2.0, 5.0]), {"where": xp.asarray([True, False, False, True])}, 5.126928, "float32"),
    ("logaddexp", xp.asarray([]), {}, -np.inf, "float32"),
    ("logaddexp", xp.ones(1000, dtype="bfloat16"), {}, 7.90625, "bfloat16"),
    ("logaddexp2", xp.asarray([3.0, 1.0, 2.0, 5.0]), {}, 5.523562, "float32"),
    ("logaddexp2", int8(MATRIX), {"axis": None, "keepdims": True}, [[5.9772797]], "float32"),
]  # fmt: skip


@for_each("name, array, options, expected, dtype", REDUCE)
def test_reduce(name, array, options, expected, dtype):
    result = getattr(xp, name).reduce(array, **options)
    assert result.shape == np.shape(expected)
    same(result, expected, dtype)


@for_each(
    "name, array, options, error",
    [
        ("add", [1, 2], {}, TypeError),
        ("add", int8(X), {"where": xp.asarray([1, 0, 1, 1])}, ValueError),
        ("add", 3, {}, ValueError),
        ("add", int8(X), {"out": int8(X)}, NotImplementedError),
        ("subtract", int8(MATRIX), {"axis": (0, 1)}, NotImplementedError),
        ("subtract", xp.asarray([]), {}, ValueError),
        ("subtract", int8(X), {"where": xp.asarray([True] * 4)}, ValueError),
        ("subtract", xp.asarray([True, False]), {}, TypeError),
        ("maximum", xp.asarray([]), {}, ValueError),
        ("bitwise_and", xp.asarray([1.0]), {}, ValueError),
        ("bitwise_or", int8(X), {"dtype": "float32"}, TypeError),
        ("negative", int8(X), {}, ValueError),
        ("subtract", int8(X), {"dtype": bool}, TypeError),
        ("bitwise_or", int8(X), {"where": np.array([True, False])}, ValueError),
        ("logical_or", int8(X), {"where": np.array([True, False])}, ValueError),
        ("logaddexp", int8(X), {"where": np.array([True, False])}, ValueError),
        ("subtract", int8(X), {"where": np.array([True, False]), "initial": 0}, ValueError),
    ],
)
def test_reduce_refuses(name, array, options, error):
    with pytest.raises(error):
        getattr(xp, name).reduce(array, **options)


ACCUMULATE = [
    ("maximum", int8([1, 3, 2, 5]), {}, [1, 3, 3, 5], "int8"),
    ("maximum", int8(MATRIX), {"axis": -1}, MATRIX, "int8"),
    ("subtract", int8(X), {}, [3, 2, 0, -5], "int8"),
    ("subtract", int8(X), {"dtype": "float32"}, [3, 2, 0, -5], "float32"),
    ("subtract", int8(MATRIX), {"axis": 1}, [[0, -1, -3], [3, -1, -6]], "int8"),
    ("subtract", xp.asarray([]), {}, [], "float32"),
    ("bitwise_or", int8(X), {}, [3, 3, 3, 7], "int8"),
    ("logical_and", int8(X), {}, [True] * 4, "bool"),
    ("logaddexp", int8(X), {}, [3, 3.126928, 3.4076061, 5.1851826], "float32"),
    ("subtract", xp.asarray([3.0, 1.0], dtype="bfloat16"), {}, [3, 2], "bfloat16"),
]


@for_each("name, array, options, expected, dtype", ACCUMULATE)
def test_accumulate(name, array, options, expected, dtype):
    same(getattr(xp, name).accumulate(array, **options), expected, dtype)


def test_accumulate_refuses():
    for arguments in ((int8(MATRIX), None), (3,)):
        with pytest.raises(ValueError, match="accumulate"):
            xp.subtract.accumulate(*arguments)
    with pytest.raises(TypeError, match=r"add\.accumulate"):
        xp.add.accumulate([1, 2])


REDUCEAT = [
    ("add", int8(X), [0, 2], {}, [4, 7], "int8"),
    ("add", xp.asarray([True, False, True]), [0, 2], {}, [True, True], "bool"),
    ("add", xp.asarray([3.0, 1.0, 2.0, 5.0]), [0, 2, 1], {}, [4, 2, 8], "float32"),
    ("add", int8(MATRIX), [0, 1], {"axis": 1}, [[0, 3], [3, 9]], "int8"),
    ("subtract", xp.asarray([3.0, 1.0, 2.0, 5.0]), [0, 2], {}, [2, -3], "float32"),
    ("subtract", xp.asarray([3.0, 1.0, 2.0], dtype="bfloat16"), [0, 1], {}, [3, -1], "bfloat16"),
    ("add", int8([100, 100]), [0], {}, [-56], "int8"),
    ("add", int8(X), np.array([], np.int32), {}, [], "int8"),
    ("add", int8(X), [0, 2], {"dtype": "float32"}, [4, 7], "float32"),
    ("maximum", int8(X), [0, 2], {}, [3, 5], "int8"),
    ("logical_and", int8(X), [0, 2], {}, [1, 1], "int8"),
]


@for_each("name, array, indices, options, expected, dtype", REDUCEAT)
def test_reduceat(name, array, indices, options, expected, dtype):
    same(getattr(xp, name).reduceat(array, xp.asarray(indices), **options), expected, dtype)


@pytest.mark.parametrize(
    "array, indices, axis, error",
    [
        (int8(X), [0, 2], 0, TypeError),
        (int8(X), xp.asarray([[0, 2]]), 0, ValueError),
        (int8(X), 2, 0, ValueError),
        (3, xp.asarray([0]), 0, ValueError),
        (int8(MATRIX), xp.asarray([0]), None, ValueError),
        (int8(X), xp.asarray([0, 9]), 0, IndexError),
        (int8(X), xp.asarray([0.0]), 0, TypeError),
    ],
)
def test_reduceat_refuses(array, indices, axis, error):
    with pytest.raises(error):
        xp.add.reduceat(array, indices, axis)


#: What JAX's loops over elements compute, whose results the loops of NumPy and of the engine have too.
VALUES = [3, 1, 1, 0, 7, 2, 5, 0, 6, 4, 4, 1]
SPECIAL = [0.0, -0.0, 1.5, float("nan"), -2.0, float("inf"), 0.0, 3.0, -0.0, 0.0, 2.0, -1.0]
STARTS = [0, 3, 3, 8, 5, 11]


def numbers(dtype):
    """Return a vector and a matrix of a dtype, with zeros of both signs, NaN and infinities if it has them."""
    values = SPECIAL if dtype.startswith(("float", "bf", "complex")) else VALUES
    x = xp.asarray(values).astype(dtype)
    return x, xp.stack([x, xp.flip(x)], axis=1)


def one_by_one(name, x, begin, end):
    """Return every step of a function over the elements of an array from one index to another."""
    found = [x[begin]]
    for i in range(begin + 1, end):
        found.append(getattr(xp, name)(found[-1], x[i]).astype(x.dtype))
    return found


def check_steps(found, expected):
    expected = xp.stack(expected)
    assert found.dtype == expected.dtype
    given, wanted = (np.asarray(x.astype("complex64")) for x in (found, expected))
    np.testing.assert_array_equal(given, wanted)
    for part, other in ((given.real, wanted.real), (given.imag, wanted.imag)):
        kept = ~np.isnan(other)
        np.testing.assert_array_equal(np.signbit(part[kept]), np.signbit(other[kept]))


def accepted(name, dtype):
    try:
        return getattr(xp, name)(*[xp.ones((), dtype=dtype)] * 2).dtype in (dtype, "bool")
    except TypeError:
        return False


@pytest.mark.combinations
@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "int32", "uint16", "int4", "float32", "bfloat16", "float16", "float8_e5m2", "complex64"]
)
@pytest.mark.parametrize("name", UFUNCS)
def test_loops_have_the_results_of_steps(name, dtype):
    if not accepted(name, dtype):
        with pytest.raises(TypeError):
            getattr(xp, name).accumulate(numbers(dtype)[0], dtype=dtype)
        return
    function = getattr(xp, name)
    for x in numbers(dtype):
        bounds = [*zip(STARTS, [*STARTS[1:], len(x)], strict=True)]
        pieces = [one_by_one(name, x, begin, max(begin + 1, end))[-1] for begin, end in bounds]
        if name != "add" or dtype not in ("float32", "complex64"):  # which NumPy adds in another order
            check_steps(function.reduceat(x, xp.asarray(STARTS)), pieces)
        if name not in ("add", "multiply"):  # which are cumulative sums and products, rounded once
            check_steps(function.accumulate(x, dtype=dtype), one_by_one(name, x, 0, len(x)))
        if name == "subtract":
            check_steps(function.reduce(x)[None], one_by_one(name, x, 0, len(x))[-1:])


@for_each("dtype", ["int8", "float32", "bfloat16", "float8_e5m2"])
@for_each("name", ["maximum", "minimum", "bitwise_xor", "logical_xor", "logaddexp", "negative"])
def test_updates_by_loops_have_the_results_of_steps(name, dtype):
    x, function = numbers(dtype)[0], getattr(xp, name)
    if name == "bitwise_xor" and dtype != "int8":
        with pytest.raises(TypeError, match="bitwise_xor"):
            function.at(x, xp.asarray([0]), x[0], inplace=False)
        return
    indices = [0, 5, 5, -1, 5, 0, 3, 99]
    for values in (x[: len(indices)], x[4]):
        given = () if name == "negative" else (values,)
        expected = [*x.astype(function(x, *[value.ravel()[0] for value in given]).dtype)]
        for i, index in enumerate(indices[:-1]):  # the last one is out of range
            one = [value[i] if value.ndim else value for value in given]
            expected[index] = function(expected[index], *one).astype(expected[index].dtype)
        with xp.config.use(out_of_range="clip"):
            check_steps(function.at(x, xp.asarray(indices), *given, inplace=False), expected)


def test_outer():
    same(xp.add.outer(int8([1, 2]), int8([10, 20, 30])), [[11, 21, 31], [12, 22, 32]], "int8")
    assert xp.add.outer(xp.zeros((1, 3, 5)), xp.zeros((2, 4))).shape == (1, 3, 5, 2, 4)
    same(xp.add.outer(int8(X), 2), [5, 3, 4, 7], "int8")
    assert xp.add.outer(2, 2.5).weak_type
    with pytest.raises(TypeError, match=r"add\.outer"):
        xp.add.outer([1], int8(X))
    with pytest.raises(ValueError, match=r"negative\.outer"):
        xp.negative.outer(int8(X), int8(X))


AT = [
    ("add", int8(X), 0, 100, [103, 1, 2, 5], "int8"),
    ("add", int8(X), xp.asarray([0, 0]), xp.asarray([1, 2]), [6, 1, 2, 5], "int8"),
    ("add", int8(X), 0, 1.5, [4, 1, 2, 5], "int8"),
    ("add", xp.asarray([True, False]), 1, True, [True, True], "bool"),
    ("multiply", int8(X), xp.asarray([0, 0]), 2, [12, 1, 2, 5], "int8"),
    ("subtract", int8(X), slice(1, 3), 2, [3, -1, 0, 5], "int8"),
    ("maximum", int8(X), xp.asarray([0, 0, 1]), xp.asarray([1, 9, 4]), [9, 4, 2, 5], "int32"),
    ("maximum", int8(X), (xp.asarray([0, 1]),), 9.5, [9.5, 9.5, 2, 5], "float32"),
    ("maximum", int8(MATRIX), (xp.asarray([0, 1]), slice(None)), 3, [[3, 3, 3], [3, 4, 5]], "int8"),
    ("negative", int8(X), xp.asarray([0, 0, 1]), None, [3, -1, 2, 5], "int8"),
    ("logical_and", int8(X), xp.asarray([0, 0, 1]), 0, [False, False, True, True], "bool"),
    ("logaddexp", int8(X), xp.asarray([0, 0]), 1, [3.2395449, 1, 2, 5], "float32"),
]


@pytest.mark.filterwarnings("ignore:scatter inputs have incompatible types")  # JAX warns too
@for_each("name, array, indices, values, expected, dtype", AT)
def test_at(name, array, indices, values, expected, dtype):
    before = np.asarray(array).copy()
    arguments = () if values is None else (values,)
    same(getattr(xp, name).at(array, indices, *arguments, inplace=False), expected, dtype)
    np.testing.assert_array_equal(np.asarray(array), before)


def test_at_in_place():
    x = int8([1, 2, 3])
    assert xp.add.at(x, xp.asarray([0, 0, 2]), 10) is x
    same(x, [21, 2, 13], "int8")


@for_each(
    "name, expected",
    [
        ("add", [3, 6, 1]), ("subtract", [-1, -2, 1]), ("multiply", [2, 4, 1]), ("maximum", [2, 2, 1]), ("minimum", [1, 1, 1]),
        ("bitwise_and", [0, 0, 1]), ("bitwise_or", [3, 3, 1]), ("bitwise_xor", [3, 0, 1]),
    ],
)  # fmt: skip
@for_each("dtype", ["int4", "int8", "int32", "int64", "bfloat16", "float16", "float32", "float64"])
def test_at_of_indices_of_several_axes(name, expected, dtype):
    """The two values are broadcast; others follow them in memory, which must not be read."""
    if name.startswith("bitwise") and "float" in dtype:
        return
    x, values = xp.asarray([1, 2, 1]).astype(dtype), xp.asarray([1, 2, 3, 3, 3, 3]).astype(dtype)
    result = getattr(xp, name).at(x, xp.asarray([[1, 1], [1, 0]]), values[:2], inplace=False)
    assert result.tolist() == expected


def test_at_refuses():
    with xp.config.use(mutable=False), pytest.raises(NotImplementedError, match="inplace=False"):
        xp.add.at(int8(X), 0, 1)
    with pytest.raises(TypeError, match="dtype int32"):
        xp.frompyfunc(lambda x, y: max(y, x), 2, 1).at(int8(X), 0, xp.asarray(7))
    for arguments in ((int8(X), 0), ([1, 2], 0, 1)):
        with pytest.raises(TypeError, match=r"add\.at"):
            xp.add.at(*arguments, inplace=False)


def test_frompyfunc():
    add = xp.frompyfunc(operator.add, 2, 1, identity=0)
    assert (add.__name__, add.identity) == ("add", 0)
    x = int8(X)
    same(add(x, 10), [13, 11, 12, 15], "int8")
    assert add(x, 2.5).weak_type
    same(add.reduce(x), 11, "int8")
    same(add.accumulate(x), [3, 4, 6, 11], "int8")
    same(add(int8(MATRIX), xp.asarray([3.0, 1.0, 2.0])), [[3, 2, 4], [6, 5, 7]], "float32")
    assert add(xp.asarray([]), xp.asarray([])).dtype == "float32"
    with pytest.raises(ValueError, match="broadcast"):
        add(int8(X), int8([1, 2]))
    with pytest.raises(TypeError):
        add([1], 2)


def test_functions_of_elements_may_decide():
    larger = xp.frompyfunc(lambda x, y: max(y, x), 2, 1)
    same(larger(int8(X), 2), [3, 2, 2, 5], "int8")
    same(larger.outer(int8([1, 5]), int8([3, 4])), [[3, 4], [5, 5]], "int8")
    same(larger.at(int8(X), xp.asarray([1, 1]), xp.asarray([7, 6]), inplace=False), [3, 7, 2, 5], "int32")


def test_several_results():
    both = xp.frompyfunc(lambda x: (x, x + 1), 1, 2)
    first, second = both(int8(X))
    same(first, X, "int8")
    same(second, [4, 2, 3, 6], "int8")
    with pytest.raises(ValueError, match="reduce"):
        both.reduce(int8(X))


def test_constructor():
    made = xp.ufunc(operator.add, 2, 1, name="hi", nargs=3, call=xp.subtract)
    assert (made.__name__, made.nargs) == ("hi", 3)
    same(made(int8(X), 1), [2, 0, 1, 4], "int8")
    with pytest.raises(TypeError, match="function"):
        xp.frompyfunc(3, 2, 1)
    with pytest.raises(TypeError):
        xp.frompyfunc(operator.add, 2.5, 1)


@pytest.mark.parametrize(
    "refused",
    [
        lambda x: xp.logaddexp.reduceat(x, xp.asarray([0])),
        lambda x: xp.logaddexp.accumulate(x, dtype="int32"),
        lambda x: xp.logical_and.reduce(x, dtype="float16"),
        lambda x: xp.bitwise_or.reduceat(x.astype("float32"), xp.asarray([], dtype="int32")),
        lambda x: xp.bitwise_or.accumulate(x.astype("float32"), axis=None),
    ],
)
def test_dtypes_that_cannot_be_folded(refused):
    with pytest.raises(TypeError, match=r"dtype|gives no"):
        refused(xp.asarray([1, 2, 3]))


FIRST = xp.frompyfunc(lambda x, y: x, 2, 1)


@for_each("function", [xp.add, xp.negative, FIRST])
@for_each("attribute", ["nin", "nout", "nargs", "identity", "__name__", "_func"])
def test_attributes_are_read_only(function, attribute):
    before = getattr(function, attribute)
    with pytest.raises(AttributeError):
        setattr(function, attribute, 3)
    with pytest.raises(AttributeError):
        delattr(function, attribute)
    assert getattr(function, attribute) == before
    assert xp.ufunc.__name__ == "ufunc"


@pytest.mark.parametrize("value", [2, 1.5, xp.asarray([2]), xp.asarray(2, dtype="int8")], ids=repr)
@pytest.mark.filterwarnings("ignore:scatter inputs have incompatible types:FutureWarning")  # JAX's message too
def test_updates_of_bools_keep_them(value):
    x, i = xp.asarray([True, False]), xp.asarray([1])
    for name, expected in (("add", [True, True]), ("multiply", [True, False]), ("subtract", [True, True])):
        result = getattr(xp, name).at(x, i, value, inplace=False)
        assert result.dtype == "bool"
        assert np.asarray(result).tolist() == expected
    assert xp.add.at(x, i, True, inplace=False).dtype == "bool"


def test_derivatives_of_outer_and_accumulated_values():  # values of JAX
    x, y = xp.asarray([[1.5, -2.0, 0.5], [2.0, 3.0, -1.0]]), xp.asarray([1.0, -2.0, 0.5])

    def gradient(function):
        return xp.jax.grad(lambda x: (function(x) ** 2).sum())(x).tolist()

    assert gradient(lambda x: xp.maximum.accumulate(x, axis=1)) == [[9, 0, 0], [4, 12, 0]]
    assert gradient(lambda x: xp.subtract.outer(x, y)) == [[10, -11, 4], [13, 19, -5]]
    assert xp.jax.jvp(xp.multiply.accumulate, (x,), (x,))[1].tolist() == [[1.5, -2, 0.5], [6, -12, -1]]
