"""Direct calls on buffers have the results of the Python definitions, bit for bit, and leave the rest to them."""

import functools
import itertools
import sys
from pathlib import Path

import numpy as np
import pytest
from behaviour import by_definition
from common import for_each

import supremum as xp
from supremum._core import engine
from supremum._core.array import wrap
from supremum._kernels import fourier, lapack
from supremum.promotion._nodes import NODES

FOLDER = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture(scope="module")
def small():
    """The benchmark that knows a plain call of every function."""
    sys.path.insert(0, str(FOLDER))
    try:
        import small

        yield small
    finally:
        sys.path.remove(str(FOLDER))
        for name in ("small", "libraries", "timing"):
            sys.modules.pop(name, None)


def find(name):
    return functools.reduce(getattr, name.split("."), xp)


def names():
    """Return the functions that are direct calls, in either engine."""
    spaces = {"": xp, "linalg.": xp.linalg, "fft.": xp.fft}
    return [prefix + name for prefix, space in spaces.items() for name in space.__all__ if _is_direct(getattr(space, name))]


def layers(function):
    """Return a function with what it asks if it does not know the arguments; the last one is the definition."""
    found = [function]
    while isinstance(found[-1], engine.Function):
        found.append(found[-1].__wrapped__)
    return found


def _is_direct(function):
    return any(getattr(layer, "plain", None) is not None for layer in layers(function))


def special(values, seed, draw):
    """Return floats with zeros of both signs, NaN or infinities among them, or in another layout."""
    chosen = draw.random(values.shape) < 0.3
    if seed == 1:
        return np.where(chosen, np.copysign(0.0, draw.random(values.shape) - 0.5), values)
    if seed in (2, 3):
        return np.where(chosen, (np.nan, np.inf)[seed - 2], values)
    return values


def arranged(x, seed):
    """Return an array whose buffer is laid out in another way."""
    if seed == 4:
        return engine.wrap(np.asfortranarray(x._data), x._node)
    if seed == 5 and x.ndim:
        return engine.wrap(np.repeat(x._data, 2, axis=-1)[..., ::2], x._node)
    return x


def bits(x):
    """Return what two results must have in common; all NaN are one."""
    if isinstance(x, tuple | list):
        return type(x), [bits(part) for part in x]
    data = np.asarray(x._data)
    return x._node, data.shape, np.where(np.isnan(data), data.dtype.type(0), data).tobytes(), np.isnan(data).tobytes()


def outcome(function, code, given):
    try:
        return bits(eval(code, {"function": function, "xp": xp, "np": np, **given}))  # noqa: S307 - our own table
    except Exception as error:  # noqa: BLE001 - whatever one raises, the other must raise
        return type(error), str(error)


def operands(small, size, dtype, seed):
    """Return the operands of calls, floats of them in a dtype."""
    draw = np.random.default_rng(seed)
    given = {}
    for key, value in small.operands(size).items():
        made = value
        if isinstance(value, np.ndarray) and value.dtype.kind == "f" and key not in ("g", "s"):
            with np.errstate(all="ignore"):
                made = (special(draw.permuted(value), seed, draw) * (8 if dtype[0] in "iu" else 1)).astype(dtype)
        given[key] = arranged(xp.asarray(made), seed) if isinstance(made, np.ndarray) else made
    return given


@pytest.mark.combinations
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint8", "complex64"])
@pytest.mark.parametrize("name", names())
def test_a_direct_call_has_the_result_of_the_definition(small, name, dtype):
    code, function = small.call(name).replace(f"xp.{name}(", "function(", 1), find(name)
    for x64, size, seed in itertools.product([False, True], small.SIZES, range(6)):
        with xp.enable_x64(x64):
            given = operands(small, size, dtype, seed)
            *fast, definition = layers(function)
            expected = outcome(definition, code, given)
            for layer in fast:
                assert outcome(layer, code, given) == expected, (x64, size, seed)


def test_most_functions_of_linear_algebra_are_direct():
    assert {"linalg.solve", "linalg.qr", "fft.fft", "argmax", "median", "nonzero"} <= set(names())
    assert len(names()) > 80


def test_numpys_generalized_ufuncs_are_where_they_are_looked_for():
    # They are private to NumPy: where this fails, the functions are right and slower, and the seams want a look.
    assert lapack.PRIVATE is not None
    assert fourier.PRIVATE is not None
    assert set(fourier.TRANSFORMS) >= {"fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "ifftn", "rfftn", "irfftn"}


@for_each("name", ["cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "slogdet", "svd", "svdvals"])
@for_each("dtype", ["float32", "float64", "complex64", "complex128"])
def test_public_functions_stand_in_for_lapack(name, dtype):
    matrix = np.array([[4, 1, 0], [1, 3, 1], [0, 1, 2]], dtype)
    found = lapack._function(name, getattr(np.linalg, name), None)(matrix)
    expected = getattr(lapack, name)(matrix)
    several = isinstance(expected, tuple)
    for one, other in zip(found if several else [found], expected if several else [expected], strict=True):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()


@pytest.mark.parametrize("name", ["inv", "solve", "cholesky"])
def test_failures_of_lapack_are_as_before(name):
    singular = xp.asarray([[1.0, 2.0], [2.0, 4.0]]) if name != "cholesky" else xp.asarray([[1.0, 2.0], [2.0, 1.0]])
    given = (singular, xp.ones(2)) if name == "solve" else (singular,)
    with np.errstate(all="raise"):
        found = getattr(xp.linalg, name)(*given)
    assert not np.isfinite(np.asarray(found)).all()
    assert bits(found) == bits(by_definition(getattr(xp.linalg, name))(*given))


def test_weak_arrays_keep_their_rules():
    weak = xp.full((2, 2), 1.5)
    assert weak.weak_type
    assert xp.linalg.det(weak).weak_type == xp.linalg.det.__wrapped__(weak).weak_type
    assert xp.sort(weak).weak_type


def test_observers_are_told():
    x = xp.asarray([[2.0, 0.0], [0.0, 4.0]])
    with xp.trace_promotions() as trace:
        xp.linalg.solve(x, xp.asarray([1, 2], dtype="int32"))
    assert len(trace)


def test_the_rules_of_a_system_come_before_direct_calls_and_fast_paths():
    # Keras on TensorFlow has uint64 meet itself at uint32 (conformance/systems); JAX does not.
    x = xp.asarray([[1, 2], [3, 4]], dtype="uint64")
    calls = [
        lambda: xp.matmul(x, x), lambda: x @ x, lambda: xp.dot(x, x), lambda: xp.tensordot(x, x, 1), lambda: xp.vdot(x, x),
        lambda: xp.linalg.outer(x[0], x[0]), lambda: xp.einsum("ij,jk", x, x),
    ]  # fmt: skip
    with xp.enable_x64(True):
        assert [call().dtype.name for call in calls] == ["uint64"] * len(calls)
        with xp.promotion.use("keras_tf"):
            assert [call().dtype.name for call in calls] == ["uint32"] * len(calls)
        assert [call().dtype.name for call in calls] == ["uint64"] * len(calls)


def test_direct_calls_step_aside_only_where_the_settings_ask_for_it():
    function = engine.Function(lambda _x: "definition", plain=engine.Plain(lambda data: data))
    x = xp.ones(2)
    fast = engine.engine_name == "native"
    with xp.promotion.use("numpy"):
        assert function(x) == "definition"
    with xp.trace_promotions():
        assert function(x) == "definition"
    with xp.promotion.use("jax"):
        assert (type(function(x)) is xp.Array) == fast


def test_interruptions_are_passed_on(monkeypatch):
    def interrupted(_data):
        raise KeyboardInterrupt

    function = engine.Function(lambda x: x, plain=engine.Plain(interrupted))
    if engine.engine_name == "native":
        with pytest.raises(KeyboardInterrupt):
            function(xp.ones(2))
    assert (
        engine.Function(lambda x: "definition", plain=engine.Plain(lambda _data: NotImplemented))(xp.ones(2)) == "definition"
    )
    assert engine.Function(lambda x: "definition", plain=engine.Plain(lambda _data: 1 / 0))(xp.ones(2)) == "definition"


@pytest.mark.parametrize("arguments", [{"arrays": -2}, {"arrays": 9}])
def test_numbers_of_arrays_are_checked(arguments):
    with pytest.raises(ValueError, match="arrays is from -1 to 8"):
        engine.Function(abs, plain=engine.Plain(abs, **arguments))


def test_the_class_of_several_results_is_a_tuple():
    with pytest.raises(TypeError, match="class of tuples"):
        engine.Function(abs, plain=engine.Plain(abs, make=list))


# -- systems in which a dtype does not promote to itself ----------------------------------------------------------------------

LACKING = [
    ("max_graph", "int4"),
    ("array_api", "float8_e4m3fn"),
    ("array_api", "bfloat16"),
    ("jep9407_option1", "bool"),
    ("python", "int32"),
    ("python", "float32"),
]


@pytest.mark.parametrize(("system", "name"), LACKING)
def test_fast_paths_ask_systems_that_lack_a_dtype(system, name):
    """A function in which two arrays promote refuses two of a dtype that the system does not have."""
    x = xp.asarray(np.zeros((2, 2), xp.dtype(name)))
    with xp.promotion.use(system):
        for call in (
            lambda: x.at[0].set(x[1]),
            lambda: x.at[0, 0].add(x[1, 1]),
            lambda: xp.asarray([x[0, 0], x[1, 1]]),
            lambda: xp.array_equal(x, x),
            lambda: xp.clip(x, x[0, 0], x[1, 1]),
            lambda: xp.add(x, x),
            lambda: x == x,
        ):
            with pytest.raises(
                xp.TypePromotionError, match=rf"'{name}', '{name}'.*no available implicit dtype promotion path"
            ):
                call()


def test_closeness_asks_systems_about_weak_arrays():
    x = xp.ones(2, dtype="float8_e4m3fnuz")
    weak = wrap(x._data, NODES["float8_e4m3fnuz"].weak_form)
    with xp.promotion.use("jep9407_option1"):
        for function in (xp.isclose, xp.allclose):
            with pytest.raises(xp.TypePromotionError, match=r"'float8_e4m3fnuz\*', 'float8_e4m3fnuz'"):
                function(weak, x)


@pytest.mark.parametrize("system", ["jax_strict", "array_api", "jax_lax"])
def test_fast_paths_ask_systems_about_python_scalars(system):
    x = xp.ones(3, dtype="float32")
    with xp.promotion.use(system):
        for call in (lambda: xp.clip(x, False, 2.5), lambda: x.clip(0.5, True), lambda: x.at[0].set(True)):
            with pytest.raises(xp.TypePromotionError, match=r"'float32'.* no available implicit dtype promotion path"):
                call()


@pytest.mark.parametrize("order", [1, -1])
def test_errors_of_where_name_the_operands_in_their_order(order):
    operands = (0.5, xp.ones(2, dtype="int4"))[::order]
    names = r"\('float\*', 'int4'\)" if order == 1 else r"\('int4', 'float\*'\)"
    for call in (xp.where, xp.where.__wrapped__):
        with pytest.raises(xp.TypePromotionError, match=f"^Input dtypes {names}"):
            call(xp.asarray([True, False]), *operands)


def test_random_bits_have_the_width_of_the_mode():
    """JAX's default is uint32, and uint64 where 64-bit dtypes are the defaults."""
    for system in ("jax", "array_api", "torch"):
        with xp.promotion.use(system):
            for mode, dtype in (("explicit", "uint32"), ("off", "uint32"), ("on", "uint64")):
                with xp.config.use(x64=mode):
                    assert xp.random.bits(xp.random.key(0), (2,)).dtype == dtype


def test_means_of_integers_that_stay_integers():
    with xp.promotion.use("tensorflow"):
        for dtype in ("uint8", "int32", "int64"):
            x = xp.asarray([[15, 48, 23]], dtype=dtype)
            assert xp.mean(x, axis=1, keepdims=True).tolist() == [[28]]
            assert xp.mean(x).tolist() == 28


# -- arguments by position ----------------------------------------------------------------------------------------------------


@for_each("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
@for_each("n", [1, 2, 5])
def test_the_length_of_a_transform_may_come_by_position(name, n):
    x, function = xp.asarray(np.arange(9.0).reshape(3, 3)), getattr(xp.fft, name)
    wanted = function(x, n=n)
    assert bits(function(x, n)) == bits(wanted)
    assert wanted.shape[0] == 3
    assert bits(function(x, n, 0)) == bits(function(x, n=n, axis=0))
    assert bits(function(x, None, 0)) == bits(function(x, axis=0))


@for_each("name", ["fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2"])
def test_the_lengths_of_a_transform_may_come_by_position(name):
    x, function = xp.asarray(np.arange(16.0).reshape(4, 4)), getattr(xp.fft, name)
    for s in ((2, 2), (6, 4), (3, 5)):
        assert bits(function(x, s)) == bits(function(x, s=s))
    assert bits(function(x, (2, 2), (1, 0))) == bits(function(x, s=(2, 2), axes=(1, 0)))


@pytest.mark.parametrize(
    "call",
    [
        lambda x: xp.rint(x, None),
        lambda x: xp.hypot(x, x, None),
        lambda x: xp.heaviside(x, x, None),
        lambda x: xp.transpose(x, 1, 0),
        lambda x: xp.linalg.tensordot(x, x, 1),
        lambda x: xp.ldexp(x, x.astype(int), None),
        lambda x: xp.gcd(x.astype(int), x.astype(int), None),
    ],
)
def test_no_argument_more_by_position_than_the_definition_has(call):
    with pytest.raises(TypeError, match="positional argument"):
        call(xp.ones((2, 2)))


def test_copies_are_of_the_order_that_the_definition_has():
    with pytest.raises((TypeError, NotImplementedError, ValueError), match="order"):
        xp.copy(xp.ones((2, 2)), "F")
