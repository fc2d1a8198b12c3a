"""Tables of functions of shapes and numbers, of dtypes and of callables, and of Array's methods."""

import io
import tempfile
from pathlib import Path

import arrays
import numpy as np
from arrays import NODES, TAME, cast, dtype_of, named
from subjects import ANY, Subject, arguments, moved, one, widened

import supremum as xp

EVERY = named(ANY)
NATIVE = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64",
          "complex64", "complex128")  # fmt: skip


def _filled(value):
    return lambda out, shape, dtype: np.full(shape, value).astype(dtype_of(dtype))


def shape_and_dtype(d):
    return arguments(d.shape(), dtype=d.one([name for name in EVERY if name != "float8_e8m0fnu"]))


def _like(d):
    return arguments(d.array(EVERY), shape=d.one([None, (2, 3)]))


def _ones_like(value):
    def reference(_out, x, shape):
        return cast(np.full(x.shape if shape is None else shape, value), x.dtype)

    return reference


def _shape_of(value):
    """Return the shape and the dtype of an array whose elements are unspecified."""
    return xp.zeros_like(value)


def squares(d):
    return arguments(d.int(0, 5), d.one([None, 3, 0]), d.int(-2, 2), dtype=d.one(NATIVE))


def ranges(d):
    start, step = d.int(-9, 9), d.one([1, 2, -1, 3, -4])
    return arguments(start, start + d.int(-20, 20), step, dtype=d.one(("int8", "int32", "int64", "float32", "float64")))


def spaces(d):
    ends = d.one([0, 1, -2.5, 0.1]), d.one([1, 10, 0.3, -7])
    return arguments(*ends, d.int(1, 9), endpoint=d.flag(), dtype=d.one(("float32", "float64", "float16", "bfloat16")))


def positive_spaces(d):
    ends = d.one([1, 0.5, 2]), d.one([1, 10, 0.25])
    return arguments(*ends, d.int(1, 9), endpoint=d.flag(), dtype=d.one(("float32", "float64")))


def _spaced(function):
    return lambda out, start, stop, num, endpoint, dtype: function(start, stop, num, endpoint=endpoint, dtype=np.longdouble)


def sizes(low, high):
    return lambda d: arguments(d.int(low, high))


def windows(name):
    return Subject(name, sizes(1, 20), lambda out, n, f=getattr(np, name): f(n), 16, lambda n: 1.0)


CREATION = [
    Subject("zeros", shape_and_dtype, _filled(0), None),
    Subject("ones", shape_and_dtype, _filled(1), None),
    Subject("empty", shape_and_dtype, None, function=lambda *a, **k: _shape_of(xp.empty(*a, **k))),
    Subject("empty_like", _like, None, function=lambda *a, **k: _shape_of(xp.empty_like(*a, **k))),
    Subject("zeros_like", _like, _ones_like(0), None),
    Subject("ones_like", _like, _ones_like(1), None),
    Subject(
        "full",
        lambda d: arguments(d.shape(), d.one([0, 1, 2, True]), dtype=d.one(NATIVE)),
        lambda out, shape, value, dtype: np.full(shape, value, dtype),
        None,
    ),
    Subject(
        "full_like",
        lambda d: arguments(d.array(("float32", "float64", "int8")), d.one([0, 1, 3])),
        lambda out, x, value: np.full_like(x, value),
        None,
    ),
    Subject("eye", squares, lambda out, n, m, k, dtype: np.eye(n, m, k, dtype), None),
    Subject("identity", sizes(0, 5), lambda out, n: np.identity(n, out[0]), None),
    Subject("tri", squares, lambda out, n, m, k, dtype: np.tri(n, m, k, dtype), None),
    Subject("arange", ranges, lambda out, *args, dtype: np.arange(*args, dtype=dtype), None),
    Subject("linspace", spaces, _spaced(np.linspace), 4, lambda a, b, *_args, **_kwargs: max(abs(a), abs(b))),
    Subject("logspace", positive_spaces, _spaced(np.logspace), 200, lambda *_args, **_kwargs: 1.0),
    Subject("geomspace", positive_spaces, _spaced(np.geomspace), 200),
    *(windows(name) for name in ("bartlett", "blackman", "hamming", "hanning")),
    Subject(
        "kaiser",
        lambda d: arguments(d.int(1, 20), d.one([0, 2, 8.5])),
        lambda out, n, b: np.kaiser(n, b),
        64,
        lambda n, b: 1.0,
    ),
    Subject("indices", lambda d: arguments(d.one([(3,), (2, 3), (0, 2), (1, 2, 3)])), lambda out, s: np.indices(s), 0),
    Subject("diag_indices", sizes(0, 5), lambda out, n: np.diag_indices(n), 0),
    Subject(
        "diag_indices_from", lambda d: arguments(d.array(EVERY, d.one([(3, 3), (2, 2, 2)]))), moved(np.diag_indices_from), 0
    ),
    *(
        Subject(name, lambda d: arguments(d.int(0, 5), d.int(-2, 2)), lambda out, n, k, f=getattr(np, name): f(n, k), 0)
        for name in ("tril_indices", "triu_indices")
    ),
    *(
        Subject(
            name,
            lambda d: arguments(d.array(EVERY, d.one([(3, 3), (2, 4), (0, 2)])), d.int(-2, 2)),
            moved(getattr(np, name)),
            0,
        )
        for name in ("tril_indices_from", "triu_indices_from")
    ),
    Subject(
        "mask_indices",
        sizes(0, 4),
        lambda out, n: np.mask_indices(n, np.triu),
        0,
        function=lambda n: xp.mask_indices(n, xp.triu),
    ),
    Subject(
        "frombuffer",
        one("biufc", ndim=1, empty=False),
        lambda out, x: x.reshape(-1),
        None,
        function=lambda x: xp.frombuffer(arrays.native(np.asarray(x)).tobytes(), dtype=np.asarray(x).dtype.name),
    ),
    Subject(
        "fromiter",
        lambda d: arguments([d.int(-9, 9) for _ in range(d.int(0, 5))], d.one(("int8", "float32"))),
        lambda out, values, dtype: np.array(values, dtype),
        None,
        function=lambda values, dtype: xp.fromiter(iter(values), dtype),
        of_dtypes=False,
    ),
    Subject(
        "fromstring",
        lambda d: arguments([d.int(-9, 9) for _ in range(d.int(1, 5))]),
        lambda out, values: np.array(values, "int32"),
        None,
        function=lambda values: xp.fromstring(" ".join(map(str, values)), "int32", sep=" "),
    ),
    Subject(
        "from_dlpack",
        lambda d: arguments(d.array(("int8", "int32", "float32", "complex64", "uint64"))),
        lambda out, x: x,
        None,
        function=lambda x: xp.from_dlpack(xp.asarray(x)),
    ),
    Subject(
        "fromfunction",
        lambda d: arguments(d.one([(3,), (2, 3)])),
        lambda out, s: sum(np.indices(s)),
        0,
        function=lambda s: xp.fromfunction(lambda *i: sum(i), s, dtype="int32"),
    ),
    Subject(
        "r_",
        lambda d: arguments(d.array("int32", (3,)), d.array("int32", (2,))),
        moved(lambda *xs: np.r_[xs]),
        0,
        function=lambda *xs: xp.r_[xs],
    ),
    Subject(
        "c_",
        lambda d: arguments(d.array("int32", (3,)), d.array("int32", (3,))),
        moved(lambda *xs: np.c_[xs]),
        0,
        function=lambda *xs: xp.c_[xs],
    ),
    *(
        Subject(
            name,
            lambda d: arguments(d.int(0, 4), d.int(1, 3)),
            lambda out, n, m, f=getattr(np, name): list(f[:n, :m]),
            0,
            function=lambda n, m, name=name: list(getattr(xp, name)[:n, :m]),
        )
        for name in ("mgrid", "ogrid")
    ),
]


# -- dtypes -------------------------------------------------------------------------------------------------------------------


def some_dtypes(count):
    return lambda d: arguments(*(d.one(EVERY) for _ in range(count)))


def _joined(*names):
    """Return the dtype that two dtypes promote to; all functions that compute it must agree, in both orders."""
    found = set()
    for order in (names, names[::-1]):
        arrays_ = [xp.zeros(2, dtype=name) for name in order]
        found.add(str(xp.result_type(*arrays_)))
        found.add(str(xp.result_type(*order)))
        total = arrays_[0] + arrays_[1]
        found.add(str(total.dtype))
        if not total.weak_type:  # for a weak dtype, promote_types returns the widest form, as JAX's does
            found.add(str(xp.promote_types(*order)))
    if len(found) > 1:
        raise AssertionError(f"{names} meet at {found}")
    return found.pop()


def _castable(_out, a, b, casting):
    return np.can_cast(dtype_of(a), dtype_of(b), casting)


DTYPES = [
    Subject("result_type", some_dtypes(3), None, function=lambda *names: str(xp.result_type(*names)), of_dtypes=False),
    Subject("promote_types", some_dtypes(2), None, function=_joined, of_dtypes=False),
    Subject(
        "can_cast",
        lambda d: arguments(d.one(NATIVE), d.one(NATIVE), d.one(["safe", "same_kind", "no", "equiv", "unsafe"])),
        _castable,
        of_dtypes=False,
    ),
    Subject(
        "isdtype",
        lambda d: arguments(
            d.one(EVERY), d.one(["bool", "signed integer", "unsigned integer", "real floating", "complex floating"])
        ),
        lambda out, name, kind: NODES[name].kind == {"b": "b", "s": "i", "u": "u", "r": "f", "c": "c"}[kind[0]],
        function=lambda name, kind: xp.isdtype(xp.dtype(dtype_of(name)), kind),
        of_dtypes=False,
    ),
    Subject(
        "issubdtype",
        lambda d: arguments(d.one(NATIVE), d.one(["integer", "floating", "number", "signedinteger", "inexact"])),
        lambda out, name, kind: np.issubdtype(dtype_of(name), getattr(np, kind)),
        function=lambda name, kind: xp.issubdtype(name, getattr(xp, kind)),
        of_dtypes=False,
    ),
    Subject(
        "iinfo",
        lambda d: arguments(d.one(named("iu"))),
        lambda out, name: list(arrays.limits(name)),
        function=lambda name: [int(xp.iinfo(name).min), int(xp.iinfo(name).max)],
        of_dtypes=False,
    ),
    Subject(
        "finfo",
        lambda d: arguments(d.one(named("f"))),
        lambda out, name: [NODES[name].bits],
        function=lambda name: [xp.finfo(name).bits],
        of_dtypes=False,
    ),
    *(Subject(name, one(), moved(getattr(np, name)), of_dtypes=False) for name in ("ndim", "shape", "size")),
    *(
        Subject(
            name,
            one(),
            moved(lambda x, f=name: (NODES[x.dtype.name].kind == "c") == (f == "iscomplexobj")),
            of_dtypes=False,
        )
        for name in ("iscomplexobj", "isrealobj")
    ),
    Subject("isscalar", one(), moved(lambda x: x.ndim == 0), of_dtypes=False),
    Subject("iterable", one(), moved(lambda x: x.ndim > 0), of_dtypes=False),
    Subject(
        "broadcast_shapes",
        lambda d: arguments(s := d.shape(), d.one([s, (), s[1:]])),
        lambda out, *s: np.broadcast_shapes(*s),
        of_dtypes=False,
    ),
]


# -- functions of functions, files, text --------------------------------------------------------------------------------------


def _reread(x):
    buffer = io.BytesIO()
    xp.save(buffer, x)
    buffer.seek(0)
    return xp.load(buffer)


def _rezipped(save):
    def call(x):
        buffer = io.BytesIO()
        getattr(xp, save)(buffer, x, named=x)
        buffer.seek(0)
        found = xp.load(buffer)
        return [found["arr_0"], found["named"]]

    return call


def _written(x):
    x = arrays.native(np.asarray(x))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "numbers"
        path.write_bytes(x.tobytes())
        return xp.fromfile(path, dtype=x.dtype.name)


def lines(d):
    x = d.array(("int32", "float32", "float64"), d.shape(1, empty=False), ["small"])
    return arguments(x, d.axis(x))


def pieces(d):
    x = d.array(("float32", "float64"), (d.int(0, 6),), ["small"])
    return arguments(x)


HIGHER = [
    Subject(
        "apply_along_axis",
        lines,
        lambda out, x, axis: np.flip(x, axis),
        None,
        function=lambda x, axis: xp.apply_along_axis(xp.flip, axis, xp.asarray(x)),
    ),
    Subject(
        "apply_over_axes",
        lines,
        lambda out, x, axis: np.max(x, axis=axis, keepdims=True),
        None,
        function=lambda x, axis: xp.apply_over_axes(xp.max, x, [axis]),
    ),
    Subject("vectorize", pieces, lambda out, x: -x, None, function=lambda x: xp.vectorize(xp.negative)(xp.asarray(x))),
    Subject(
        "frompyfunc", pieces, lambda out, x: x + x, None, function=lambda x: xp.frompyfunc(lambda a, b: a + b, 2, 1)(x, x)
    ),
    Subject(
        "piecewise",
        pieces,
        lambda out, x: np.abs(x),
        None,
        function=lambda x: xp.piecewise(x, [xp.asarray(x) < 0, xp.asarray(x) >= 0], [xp.negative, xp.positive]),
    ),
    Subject(
        "clip",
        lambda d: arguments(
            x := d.array(named("iuf")),
            *(
                np.sort(d.array(x.dtype.name, (2,), ["small"]))
                if x.dtype.isbuiltin == 1
                else [x.dtype.type(0), x.dtype.type(1)]
            ),
        ),
        widened(np.clip),
        1,
        of_dtypes=False,
    ),
    Subject(
        "ufunc reduce",
        lambda d: arguments(x := d.array(("int8", "int32", "float32"), d.shape(1)), axis=d.axis(x)),
        None,
        8,
        function=lambda x, axis: xp.add.reduce(xp.asarray(x), axis=axis),
    ),
    Subject(
        "ufunc accumulate",
        lambda d: arguments(x := d.array(("int8", "int32", "bool"), d.shape(1)), axis=d.axis(x)),
        None,
        None,
        function=lambda x, axis: xp.multiply.accumulate(xp.asarray(x), axis=axis),
    ),
    Subject(
        "ufunc outer",
        lambda d: arguments(x := d.array(named("iu")), d.array(x.dtype.name, d.shape(most=2))),
        None,
        None,
        function=lambda x, y: xp.subtract.outer(xp.asarray(x), xp.asarray(y)),
    ),
    Subject("save", one(), lambda out, x: x, None, function=_reread),
    Subject("load", one(), lambda out, x: x, None, function=_reread),
    *(Subject(name, one(), lambda out, x: [x, x], None, function=_rezipped(name)) for name in ("savez", "savez_compressed")),
    Subject("fromfile", one(ndim=1, empty=False), lambda out, x: x.reshape(-1), None, function=_written),
    Subject("array_repr", one(), None, of_dtypes=False),
    Subject("array_str", one(), None, of_dtypes=False),
    Subject(
        "einsum_path",
        lambda d: arguments(d.array("float32", (2, 3)), d.array("float32", (3, 2))),
        None,
        of_dtypes=False,
        function=lambda a, b: str(xp.einsum_path("ij,jk->ik", a, b)[0]),
    ),
]

TABLE = [*CREATION, *DTYPES, *HIGHER]

#: Array's methods with the name and arguments of a function, the array first.
METHODS = [
    "all", "any", "argmax", "argmin", "argpartition", "argsort", "astype", "choose", "clip", "compress", "conj", "conjugate",
    "copy", "cumprod", "cumsum", "diagonal", "dot", "max", "mean", "min", "nonzero", "prod", "ptp", "ravel", "repeat",
    "reshape", "round", "searchsorted", "sort", "squeeze", "std", "sum", "swapaxes", "take", "trace", "transpose", "var",
]  # fmt: skip
#: Array's attributes that correspond to functions.
ATTRIBUTES = {"real": "real", "imag": "imag", "T": "transpose", "mT": "matrix_transpose"}


def methods(table):
    """Return the rows of methods, made from the functions' rows."""
    by_name = {row.name: row for row in table}
    for name in METHODS:
        row = by_name[name]

        def call(x, *args, name=name, **kwargs):
            if name == "compress":  # the condition is the function's first argument
                return args[0].compress(x, **kwargs)
            return getattr(x, name)(*args, **kwargs)

        yield Subject(
            f"Array.{name}", row.arguments, row.reference, row.units, row.scale, row.layout_units, row.of_dtypes, call
        )
    for name in ("real", "imag", "mT"):
        row = by_name[ATTRIBUTES[name]]
        yield Subject(f"Array.{name}", row.arguments, row.reference, row.units, function=lambda x, name=name: getattr(x, name))
    yield Subject("Array.T", one(ndim=2, most=2), moved(np.transpose), None, function=lambda x: x.T)
    yield Subject("Array.flatten", one(), moved(lambda x: x.reshape(-1)), None, function=lambda x: x.flatten())
    yield Subject("Array.tobytes", one(), moved(lambda x: x.tobytes()), function=lambda x: x.tobytes(), of_dtypes=False)
    yield Subject(
        "Array.tolist", one("biuf", TAME), moved(lambda x: _listed(x)), function=lambda x: x.tolist(), of_dtypes=False
    )
    yield Subject("Array.item", lambda d: arguments(d.array(named("biuf"), (1,), TAME)), moved(lambda x: _listed(x)[0]),
                  function=lambda x: x.item(), of_dtypes=False)  # fmt: skip
    yield Subject("Array.view", one("iu", bits=8), moved(lambda x: x.view(np.uint8)), None, function=_viewed)
    swapped = one("iuf", bits=8)
    yield Subject("Array.byteswap", swapped, moved(lambda x: x.byteswap()), None, function=lambda x: x.byteswap())
    for name in ("clone", "__copy__", "block_until_ready"):
        yield Subject(f"Array.{name}", one(), moved(lambda x: x), None, function=lambda x, name=name: getattr(x, name)())
    yield Subject("Array.to_device", one(), moved(lambda x: x), None, function=lambda x: x.to_device("cpu"))


def _listed(x):
    return (
        cast(x, float).tolist()
        if NODES[x.dtype.name].kind == "f"
        else cast(x, int).tolist()
        if x.dtype != bool
        else x.tolist()
    )


def _viewed(x):
    return x.view("uint8")
