"""Which path a call takes: with plain arguments, functions, methods and operators do not enter their Python definitions.

A fast path that is lost changes no result, so nothing but these tests would fail.
"""

import functools
import importlib
import pkgutil
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from behaviour import by_definition
from common import for_each
from rows import ROWS

import supremum as xp
from supremum._core import engine
from supremum.promotion._nodes import NODES

FOLDER = Path(__file__).parents[2] / "benchmarks"
PACKAGE = str(Path(xp.__file__).parent)
#: Modules that need other libraries, or that are programs.
NOT_IMPORTED = re.compile(r"supremum\.(__main__|_cli.*|dask|zarr|pytest_plugin)")
#: Without Python's lock another thread could change a list while C reads it: lists of arrays or numbers are read in Python.
LOCKED = getattr(sys, "_is_gil_enabled", lambda: True)()
native = pytest.mark.skipif(engine.engine_name != "native", reason="fast paths are those of the engine in C")


def load_small():
    """Return the benchmark that knows a plain call of every function that NumPy has too."""
    sys.path.insert(0, str(FOLDER))
    try:
        return importlib.import_module("small")
    finally:
        sys.path.remove(str(FOLDER))
        for name in ("small", "libraries", "timing"):
            sys.modules.pop(name, None)


SMALL = load_small()


def found_callables():
    """Return the callables with fast paths of all modules and classes of the package, by their names."""
    found = {}
    for module in pkgutil.walk_packages(xp.__path__, "supremum."):
        if not NOT_IMPORTED.fullmatch(module.name):
            importlib.import_module(module.name)
    spaces = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] == "supremum"]
    classes = [value for space in spaces for value in list(vars(space).values()) if isinstance(value, type)]
    for space in (*spaces, *classes):
        for value in list(vars(space).values()):
            if isinstance(value, engine.Function) and (value.fast or value.plain):
                home = value.__module__.removeprefix("supremum").removeprefix(".")
                found[f"{home}.{value.__qualname__}".removeprefix(".")] = value
    return found


FOUND = found_callables()
#: Arguments of what NumPy does not have under the same name; of methods, the first one is the object.
ARGUMENTS = {
    "Array.all": "b",
    "Array.any": "b",
    "Array.astype": "x, xp.int32",
    "Array.item": "x, 1",
    "Array.max": "x",
    "Array.mean": "x",
    "Array.min": "x",
    "Array.prod": "x",
    "Array.reshape": "x, 2, -1",
    "Array.squeeze": "m",
    "Array.sum": "x",
    "Array.take": "x, k",
    "_array.at.IndexedUpdate.add": "x.at[k], y",
    "_array.at.IndexedUpdate.max": "x.at[k], y",
    "_array.at.IndexedUpdate.min": "x.at[k], y",
    "_array.at.IndexedUpdate.multiply": "x.at[k], y",
    "_array.at.IndexedUpdate.set": "x.at[1:3], 1.5",
    "_array.at.IndexedUpdate.subtract": "x.at[k], y",
    "random.bits": "key, (3,), xp.uint32",
    "random.fold_in": "key, 7",
    "random.normal": "key, (3,)",
    "random.randint": "key, (3,), 0, 9",
    "random.split": "key",
    "random.uniform": "key, (3,)",
    "scipy.special.boxcox": "x, y",
    "scipy.special.boxcox1p": "x, y",
    "scipy.special.hyp2f1": "x, y, y, x",
    "scipy.special.kl_div": "x, y",
    "scipy.special.owens_t": "x.astype('float64'), y.astype('float64')",
    "scipy.special.polygamma": "k, x",
    "scipy.special.rel_entr": "x, y",
    "scipy.special.zeta": "x, y",
}


def arguments(name):
    """Return the source code of plain arguments of a function or method."""
    return ARGUMENTS[name] if name in ARGUMENTS else SMALL.call(name).removeprefix(f"xp.{name}(").removesuffix(")")


def operands():
    """Return the names that arguments use."""
    given = {key: xp.asarray(x) if isinstance(x, np.ndarray) else x for key, x in SMALL.operands(4).items()}
    return {"xp": xp, "np": np, "key": xp.random.key(0), "h": given["x"].astype("bfloat16"), **given}


def codes_entered(call):
    """Return the code of the Python functions of the package that a call enters, once plans have been made."""
    _ = call()  # a copy that is dropped gets a warning
    entered = []

    def profile(frame, event, _argument):
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):  # a collector's callbacks are no part of it
            entered.append(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        _ = call()
    finally:
        sys.setprofile(before)
    return entered


def entered_by(function, code):
    """Return the code that a function enters for arguments that are given as source code."""
    # The arguments are evaluated before, by the function itself, which is not profiled then.
    args, kwargs = eval(f"(lambda *args, **kwargs: (args, kwargs))({code})", operands())  # noqa: S307 - our own table
    return codes_entered(functools.partial(function, *args, **kwargs))


def definitions(function):
    """Return the code of what a callable asks if it does not take a call itself."""
    found = set()
    while function is not None:
        found.add(getattr(function, "__code__", None))
        function = getattr(function, "__wrapped__", None)
    return found - {None}


def layers(function):
    """Return a callable and what it asks, as far as those have fast paths too."""
    while isinstance(function, engine.Function):
        if function.fast or function.plain:
            yield function
        function = function.__wrapped__


def named(codes):
    return [code.co_qualname if hasattr(code, "co_qualname") else code.co_name for code in codes]


# -- functions


def test_every_fast_path_has_a_call():
    known = {*ARGUMENTS, *SMALL.names()} - set(SMALL.LEFT_OUT)
    # Those of `scipy` have plain calls by the names of their parameters.
    found = {name for name in FOUND if not name.startswith("scipy.")}
    assert found <= known, "a function with a fast path needs a plain call in ARGUMENTS"


def test_no_function_has_lost_its_fast_path():
    listed = {*(Path(__file__).parents[1] / "golden/fast_paths.txt").read_text().split()}
    assert not listed - set(FOUND), "these have lost their fast path"
    assert not {name for name in FOUND if not name.startswith("scipy.")} - listed, "these are to be listed"


@native
@for_each("name", sorted(FOUND))
def test_plain_arguments_do_not_enter_the_definition(name):
    with xp.enable_x64(True):  # the calls of the benchmark name 64-bit dtypes
        for layer in layers(FOUND[name]):
            entered = entered_by(layer, arguments(name))
            assert not named(code for code in entered if code in definitions(layer))
            if layer.fast not in (None, "elementwise"):  # these call no kernels in Python either
                assert not named(entered)


@native
@pytest.mark.parametrize(
    "name, code",
    [("sum", "x, where=b"), ("exp", "np.float32(1)"), ("linalg.solve", "m.astype('bfloat16'), m"), ("reshape", "x, [2, 2]")],
)
def test_other_arguments_enter_the_definition(name, code):
    assert definitions(FOUND[name]) & {*entered_by(FOUND[name], code)}


#: Further forms of plain arguments.
FORMS = {
    "Array.item": ["x[1]", "i, -1"],
    "Array.mean": ["x, 0", "m, axis=(0, 1), keepdims=True", "i", "h"],
    "Array.sum": ["x, 0", "m, axis=(0, 1), keepdims=True", "i", "h"],
    "Array.take": ["x, 1", "m, k % 2, 1", "m, k % 2, axis=0"],
    "all": ["m, axis=1", "h", "i, keepdims=True"],
    "allclose": ["x, 1.0", "x, y, atol=1e-3"],
    "any": ["m, axis=1", "h", "i, keepdims=True"],
    "argmax": ["h", "h, axis=0"],
    "argsort": ["x, axis=0", "h", "i"],
    "array": ["x", "[1, 2]", "[[1.5], [2.5]]", "True", "[x[0], x[1]]", "np.ones(3, np.float32)"],
    "asarray": ["x", "[1, 2]", "[[1.5], [2.5]]", "True", "[x[0], x[1]]", "np.ones(3, np.float32)"],
    "clip": ["i, 2, 5", "h, 0.2, 0.8", "x, min=0.2, max=0.8"],
    "concat": ["[x, y]", "(m, m), axis=1"],
    "cumprod": ["i", "h"],
    "cumsum": ["i", "h", "x, axis=0"],
    "cumulative_sum": ["i", "h", "x, axis=0"],
    "dot": ["m, r", "m, s"],
    "matmul": ["m, r", "x, y"],
    "max": ["x, 0", "m, axis=(0, 1), keepdims=True", "i", "h"],
    "mean": ["x, 0", "m, axis=(0, 1), keepdims=True", "i", "h"],
    "min": ["x, 0", "m, axis=(0, 1), keepdims=True", "i", "h"],
    "prod": ["x, 0", "m, axis=(0, 1), keepdims=True", "i", "h"],
    "random.bits": ["key", "key, 3", "key, shape=(2, 2)"],
    "random.randint": ["key, (2, 2), minval=0, maxval=10"],
    "random.split": ["key, 3", "key, num=(2, 2)"],
    "random.uniform": ["key", "key, (3,), minval=-1, maxval=2.5"],
    "reshape": ["x, (-1, 2)", "x, 4"],
    "sort": ["x, axis=0", "h", "i"],
    "stack": ["[x, y]", "[x, y], axis=1"],
    "sum": ["x, 0", "m, axis=(0, 1), keepdims=True", "i", "h"],
    "take": ["x, 1", "m, k % 2, axis=0"],
    "where": ["b, x, 0.0", "b, 1, i", "c, h, h"],
    "zeros": ["3", "(2, 3)", "shape=(2,)"],
}


@native
@for_each("name, code", [(name, code) for name, codes in FORMS.items() for code in codes])
def test_other_forms_of_plain_arguments_enter_no_python(name, code):
    if code.startswith("[") and not LOCKED:
        pytest.skip("lists have no fast path without Python's lock")
    assert not named(entered_by(FOUND[name], code))


#: A dtype as people write it; the third one is a string that is no constant of the source.
SPELLINGS = """
xp.float32; 'float32'; ''.join(['float', '32']); np.dtype('float32'); np.float32; float; 'float'; 'f4'; np.dtype('f4').str
"""
OF_DTYPES = {
    "Array.astype": ["i, {}", "i, dtype={}", "x, {}, copy=False", "x, {}"],
    "Array.mean": ["x, dtype={}"],
    "Array.prod": ["i, dtype={}", "h, dtype={}"],
    "Array.sum": ["i, dtype={}", "h, axis=0, dtype={}", "m, 0, dtype={}, keepdims=True"],
    "arange": ["5, dtype={}"],
    "array": ["i, {}", "x, dtype={}", "[1, 2], {}", "np.ones(3, np.int8), {}"],
    "asarray": ["i, {}", "x, dtype={}", "[1, 2], dtype={}", "1.5, {}", "np.ones(3, np.int8), dtype={}", "xp.asarray(1.5), {}"],
    "astype": ["xp.asarray(1.5), {}", "i, {}", "x, {}, copy=True", "h, {}", "m.T, {}"],
    "cumprod": ["x, dtype={}", "h, dtype={}"],
    "cumsum": ["x, dtype={}", "i, axis=0, dtype={}"],
    "cumulative_prod": ["x, dtype={}", "h, dtype={}"],
    "cumulative_sum": ["x, dtype={}", "i, axis=0, dtype={}"],
    "empty": ["3, {}", "(2, 3), dtype={}"],
    "full": ["3, 1.5, {}", "(2, 3), 1, dtype={}", "3, fill_value=1.5, dtype={}"],
    "mean": ["x, dtype={}", "h, 0, dtype={}"],
    "ones": ["3, {}", "(2, 3), dtype={}"],
    "prod": ["x, dtype={}", "i, dtype={}"],
    "random.normal": ["key, (3,), {}", "key, dtype={}"],
    "random.uniform": ["key, (3,), {}", "key, dtype={}"],
    "sum": ["x, dtype={}", "i, dtype={}", "h, axis=0, dtype={}", "m, 0, dtype={}, keepdims=True"],
    "zeros": ["3, {}", "(2, 3), dtype={}"],
}


@pytest.mark.combinations
@native
@pytest.mark.parametrize("spelling", SPELLINGS.strip().split("; "))
@pytest.mark.parametrize("name", OF_DTYPES)
def test_every_spelling_of_a_dtype_takes_the_fast_path(name, spelling):
    with xp.enable_x64(False):
        for code in OF_DTYPES[name]:
            if code.startswith("[") and not LOCKED:
                continue
            assert not named(entered_by(FOUND[name], code.format(spelling)))


@pytest.mark.combinations
@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "int32", "uint32", "int64", "float32", "float64", "bfloat16", "float8_e5m2", "complex64"]
)
@pytest.mark.parametrize("name", ["sum", "prod", "mean", "cumsum", "cumulative_sum", "asarray", "array", "astype"])
@pytest.mark.filterwarnings("ignore:astype")
def test_fast_paths_of_dtypes_have_the_results_of_the_definition(name, dtype):
    function, draw = FOUND[name], np.random.default_rng(0)
    options = [{}, {"axis": 0}, {"axis": -1, "keepdims": True}] if name in ("sum", "prod", "mean") else [{}]
    with xp.enable_x64(True):
        for shape in ((0,), (7,), (9001,), (37, 30)):
            x = xp.asarray(np.abs(draw.standard_normal(shape)) * 3).astype(dtype)
            if name.startswith("cum") and x.ndim > 1:
                continue
            for wanted in (
                "bool",
                "int8",
                "int32",
                "uint32",
                "int64",
                "float32",
                "float64",
                "bfloat16",
                "float16",
                "complex64",
            ):
                for given in options:
                    arguments = ((x, wanted), given) if name[0] == "a" else ((x,), {"dtype": wanted, **given})
                    assert outcome(function, *arguments) == outcome(by_definition(function), *arguments)


@for_each("mutable", [True, False])
@for_each("name", ["asarray", "array", "astype", "Array.astype"])
def test_fast_paths_of_conversions_copy_as_the_definition_does(name, mutable):
    function = FOUND[name]
    weak, strong = xp.full((2, 3), 1.5), xp.ones((2, 3))
    options = [{}, {"copy": True}, {"copy": False}, {"copy": None}] if name.endswith("astype") else [{}]
    with xp.config.use(mutable=mutable):
        for x in (weak, strong, strong.T, strong[::2], np.asarray(strong)):
            for wanted in ("float32", "int32", "bfloat16"):
                for given in options:
                    if name == "Array.astype" and isinstance(x, np.ndarray):
                        continue
                    found, expected = function(x, wanted, **given), by_definition(function)(x, wanted, **given)
                    assert (found is x) == (expected is x)
                    assert found._node is expected._node
                    assert np.shares_memory(found, x) == np.shares_memory(expected, x)


def outcome(function, args, kwargs):
    """Return what two results, or errors, must have in common; all NaN are one."""
    try:
        x = function(*args, **kwargs)
    except (TypeError, ValueError) as error:
        return type(error), str(error)
    data = np.asarray(x._data)
    return x._node, data.shape, np.where(np.isnan(data), data.dtype.type(0), data).tobytes(), np.isnan(data).tobytes()


# -- methods of ufuncs


@pytest.mark.combinations
@pytest.mark.parametrize("dtype", ["bool", "int32", "uint8", "float32", "bfloat16", "float8_e5m2"])
@pytest.mark.parametrize("method", ["reduce", "accumulate", "reduceat", "at", "outer"])
@pytest.mark.parametrize("name", sorted(name for name, found in FOUND.items() if isinstance(found, engine.Ufunc)))
def test_methods_of_ufuncs_call_no_python_for_each_element(name, method, dtype):
    if dtype not in ("bool", "int32", "uint8", "float32") and engine.engine_name != "native":
        pytest.skip("the reference engine has no loops of narrow dtypes")
    ufunc, counts = getattr(xp, name), []
    for size in (16, 128):
        x, places = xp.ones(size, dtype=dtype), xp.zeros(size, dtype="int32")
        given = {"reduceat": (x, xp.arange(size)), "at": (x, places, x)[: ufunc.nin + 1], "outer": (x, x)}.get(method, (x,))
        call = functools.partial(getattr(ufunc, method), *given, **{"inplace": False} if method == "at" else {})
        try:
            counts.append(len(codes_entered(call)))
        except (TypeError, ValueError):
            assert ufunc.nin == 1 or not _closed(ufunc, x)
            return
    assert counts[0] == counts[1]


def _closed(ufunc, x):
    """Whether a function has results of the dtype of its operands, or truth values."""
    try:
        return ufunc(x, x).dtype in (x.dtype, "bool")
    except TypeError:
        return False


# -- operations and loops

_NONE = "b i u f c int1 float16 float8"
#: Operations without a loop, which call a kernel in Python, and for which dtypes: native ones of a kind, and narrow ones by
#: group (`_group`). Complex numbers of 32 bits have no loops at all.
WITHOUT_LOOP = {
    "abs": "b u",
    "atan2": "c",
    "atanh": "c",
    "bitwise_count": "int1",
    "ceil": "b i u",
    "conj": "b i u f",
    "deg2rad": "b i u f c int1 float16",
    "exp2": "c",
    "expm1": "c",
    "floor": "b i u",
    "floor_divide": "f",
    "i0": "b i u f c int1 float16",
    "imag": _NONE,
    "isneginf": "b i u f int1",
    "isposinf": "b i u f int1",
    "log1p": "c",
    "logaddexp": "c",
    "logaddexp2": "c",
    "positive": "b",
    "rad2deg": "b i u f c int1 float16",
    "real": "b i u f c",
    "round": "i u",
    "sign": "c",
    "signbit": "b i u int1",
    "sinc": "b i u f c int1 float16",
    "spacing": "b i u f int1 float16",
    "tan": "c",
    "tanh": "c",
    "trunc": "b i u",
}
#: The dtypes for which ml_dtypes has no `nextafter`.
WITHOUT_NEXTAFTER = {
    "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn", "float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2fnuz",
    "float8_e8m0fnu",
}  # fmt: skip


def _group(node):
    if node.native:
        return node.kind
    return "int1" if node.kind in "iu" else "float16" if node.bits == 16 else "float8"


@native
@for_each("name", ROWS)
def test_operations_have_loops(name):
    operation, without = ROWS[name], set()
    with xp.enable_x64(True):
        for node in NODES.values():
            if node.kind in operation.rule.accepts and not (node.kind == "c" and not node.native):
                x = engine.wrap(np.ones((), node.dtype), node)
                if not engine.plan(operation.engine, *[x] * operation.rule.nin).looped:
                    without.add(node.name if name == "nextafter" else _group(node))
    expected = WITHOUT_NEXTAFTER & {*NODES} if name == "nextafter" else {*WITHOUT_LOOP.get(name, "").split()}
    assert without == expected & (
        {_group(node) for node in NODES.values() if node.kind in operation.rule.accepts} | WITHOUT_NEXTAFTER
    )


# -- operators and methods

#: Statements of plain operands; `x` and `y` are floats, `i` and `j` integers, `m` a matrix, `b` and `c` masks, `k` indices.
STATEMENTS = """
x + y; x - y; x * y; x / y; x % y; x ** y; x < y; x <= y; x > y; x >= y; x == y; x != y; -x; +x; abs(x); x @ y; m @ m
i // j; i & j; i | j; i ^ j; i << j; i >> j; ~i; b & c; ~b
x + 1; 1 + x; x - 1.5; 1.5 - x; 2 * x; x / 2; 1 / x; x ** 2; x % 2; 2 - i; i // 2; 7 // (i + 1); x > 0; 0 < x; x == 1
x + i; i * x; x + h; h + h; h * 2.0; h < 1; x + x[0]; m + r; m * m.T; x[::2] + y[::2]; x * np.ones(4, np.float32)
x += y; x -= 1.0; x *= 2; x /= y; x **= 2; x %= y; i //= 2; i &= j; i |= 1; i ^= j; i <<= 1; i >>= 1; m += r
x[0]; x[-1]; x[1:3]; x[::-1]; m[0]; m[0, 1]; m[:, 1]; m[..., 0]; x[None]; x[k]; x[b]; m[0][1]; x[()]; x[...]; m[k % 2]
x[0] = 1; x[1:3] = 2.5; x[1:3] = y[1:3]; m[0, 1] = 2; m[0] = r; x[b] = 0; x[k] = 1.5; x[...] = 0
float(x[0]); int(i[0]); bool(b[0]); len(x); x.shape; x.ndim; x.size; x.dtype; x.T; m.T; x.weak_type
range(4)[k[0]]; list(x); [*m]; a, c, d, e = x
"""


@native
@for_each("statement", [code.strip() for code in re.split(r"[;\n]", STATEMENTS) if code.strip()])
def test_operators_enter_no_python(statement):
    names = operands()
    code = compile(statement, "<statement>", "exec")
    assert not named(codes_entered(functools.partial(exec, code, names)))


#: Methods that have other arguments than the function of their name: `delete` has another meaning.
METHODS = {"dot": "m, r", "swapaxes": "m, 0, 1", "transpose": "m"}
OTHER_METHODS = {"compress", "delete"}


def methods():
    """Return the methods of `Array` whose functions have fast paths."""
    public = [name for name, value in vars(xp.Array).items() if callable(value) and not name.startswith("_")]
    return sorted(name for name in public if name in FOUND and name not in OTHER_METHODS)


@native
@for_each("name", methods())
def test_methods_take_the_fast_paths_of_their_functions(name):
    code = METHODS.get(name, arguments(name))
    with xp.enable_x64(True):
        entered = entered_by(getattr(xp.Array, name), code)
    assert not named(each for each in entered if each in definitions(FOUND[name]))
