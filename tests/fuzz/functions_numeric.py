"""Tables of reductions, linear algebra, transforms, polynomials and calculus, compared with NumPy in wider arithmetic."""

import operator

import arrays
import numpy as np
from arrays import NODES, TAME, cast, dtype_of, named
from subjects import ANY, REAL, Subject, arguments, leaves, meeting, normalize_axis, one, scaled, sizes, tree, widened

import supremum as xp

FLOATS = named("f", 16)
INEXACT = named("fc", 32)
#: The dtypes of LAPACK, and some that are cast to them.
MATRICES = ("float32", "float64", "complex64", "complex128", "int32", "bfloat16", "float16")


def _own(function):
    """Reduce elements without sums, for which the dtype of the array is wide enough."""

    def reference(_out, x, **kwargs):
        return function(arrays.numbers(x), **kwargs)

    return reference


def _total(function):
    """Add or multiply in a wider type; integers modulo their width, first cast to the result's dtype."""

    def reference(out, x, **kwargs):
        dtype = dtype_of(out[0])
        kind = NODES[dtype.name].kind
        with np.errstate(all="ignore"):
            return function(arrays.wide(x) if kind in "fc" else arrays.wide(cast(x, dtype)), **kwargs)

    return reference


def _size(function):
    def scale(x, **kwargs):
        with np.errstate(all="ignore"):
            return np.asarray(function(np.abs(arrays.wide(x)).astype(np.longdouble), **kwargs))

    return scale


def _some(kinds=ANY, classes=TAME, none=True):
    """Make arrays without empty axes, for functions that are undefined on them."""
    return normalize_axis(kinds, classes, empty=False, none=none)


def _cumulated(kinds=ANY, none=True):
    return normalize_axis(kinds, TAME, none=none, keepdims=False)


def _flat(function):
    """Apply NumPy's function along one axis, by default to the flattened array."""

    def along(x, axis=None):
        return function(x.reshape(-1), axis=0) if axis is None else function(x, axis=axis)

    return along


def _quantiles(d):
    x = d.array(named("iuf", 8), d.shape(1, empty=False), TAME)
    return arguments(x, d.one([0.0, 0.25, 0.5, 1.0]), axis=d.axis(x, none=True), keepdims=d.flag())


def _percentiles(d):
    (x, q), kwargs = _quantiles(d)
    return arguments(x, 100 * q, **kwargs)


def _weighted(d):
    x = d.array(named("iuf", 16), d.shape(1, empty=False), ["small"])
    along = d.axis(x)
    return arguments(x, along, np.arange(1, x.shape[along] + 1).astype("float32"))


def _greatest(x, *_args, **_kwargs):
    """Return the magnitude of the greatest element, to which the rounding of an interpolation or a mean is relative."""
    sizes_ = np.abs(arrays.wide(x)).astype(np.longdouble)
    return sizes_.max(initial=0)


def _greatest_square(x, *_args, **_kwargs):
    return _greatest(x) ** 2


def _root(x, *_args, **_kwargs):
    return _greatest(x) * 4


REDUCTIONS = [
    *(
        Subject(f"{name}", normalize_axis(ANY, TAME), _total(getattr(np, name)), 4, _size(getattr(np, name)))
        for name in ("sum", "nansum")
    ),
    *(Subject(f"{name}", normalize_axis("biuf", ["small"]), _total(getattr(np, name)), 64) for name in ("prod", "nanprod")),
    *(Subject(name, _some(REAL, None), _own(getattr(np, name)), 1) for name in ("max", "min", "amax", "amin")),
    *(Subject(name, _some(REAL), _own(getattr(np, name)), 1) for name in ("nanmax", "nanmin")),
    Subject("ptp", _some("f"), _total(np.ptp), 4, _greatest),
    *(Subject(name, normalize_axis(ANY, None), _own(getattr(np, name)), None) for name in ("all", "any")),
    *(
        Subject(name, _some("biuf"), _total(getattr(np, name)), 8, _greatest)
        for name in ("mean", "nanmean", "median", "nanmedian")
    ),
    *(Subject(name, _some("biuf"), _total(getattr(np, name)), 32, _greatest_square) for name in ("var", "nanvar")),
    *(Subject(name, _some("biuf", ["small"]), _total(getattr(np, name)), 2e3, _root) for name in ("std", "nanstd")),
    *(
        Subject(
            name,
            _quantiles,
            lambda out, x, q, f=getattr(np, name), **kw: f(arrays.wide(x).astype(float), q, **kw),
            8,
            _greatest,
        )
        for name in ("quantile", "nanquantile")
    ),
    *(
        Subject(
            name,
            _percentiles,
            lambda out, x, q, f=getattr(np, name), **kw: f(arrays.wide(x).astype(float), q, **kw),
            8,
            _greatest,
        )
        for name in ("percentile", "nanpercentile")
    ),
    Subject("average", _weighted, widened(np.average), 8, _greatest),
    *(Subject(name, _cumulated(), _total(_flat(np.cumsum)), 8, _size(_flat(np.cumsum))) for name in ("cumsum", "nancumsum")),
    *(
        Subject(name, normalize_axis("biuf", ["small"], keepdims=False), _total(_flat(np.cumprod)), 64)
        for name in ("cumprod", "nancumprod")
    ),
    Subject("cumulative_sum", _cumulated(none=False), _total(np.cumsum), 8, _size(np.cumsum)),
    Subject("cumulative_prod", normalize_axis("biuf", ["small"], keepdims=False, none=False), _total(np.cumprod), 64),
    Subject("trace", one(ANY, TAME, 2), _total(np.trace), 4, _size(np.trace)),
    Subject("linalg.trace", one(ANY, TAME, 2), _total(np.linalg.trace), 4, _size(np.linalg.trace)),
]


# -- products -----------------------------------------------------------------------------------------------------------------


def products(left, right, names=named(ANY), classes=("small",)):
    """Make two arrays whose shapes can be multiplied, of one dtype or of two."""

    def make(d):
        n, m, k = d.int(0, 4), d.int(1, 4), d.int(1, 5)
        sizes_ = {"n": n, "m": m, "k": k, "2": 2}
        a = d.array(names, tuple(sizes_[letter] for letter in left), classes)
        other = a.dtype.name if d.int(0, 3) else names
        return arguments(a, d.array(other, tuple(sizes_[letter] for letter in right), classes))

    return make


def _product(function):
    """Multiply in a wider type; integers modulo the width of the result."""

    def reference(out, *operands, **kwargs):
        held = [x for x in leaves(operands) if isinstance(x, np.ndarray)]
        dtype = meeting(held, out[0])
        with np.errstate(all="ignore"):
            return function(*tree(lambda x: scaled(x, dtype), operands), **kwargs)

    return reference


def _product_row(name, make, function, units=4):
    return Subject(name, make, _product(function), units, sizes(function))


def _einsum(text, *operands):
    """Compute einsum by NumPy's matrix products: its own loops corrupt memory for extended complex numbers with empty axes."""
    return np.einsum(text, *operands, optimize=True)


def _crossed(d):
    shape = d.one([(3,), (2, 3), (0, 3)])
    x = d.array(named("iuf"), shape, ["small"])
    return arguments(x, d.array(x.dtype.name, shape, ["small"]))


def _cross_size(x, y):
    x, y = (np.abs(arrays.wide(v)) for v in (x, y))
    return 2 * x.max(initial=0) * y.max(initial=0)


def _chain(d):
    name = d.one(INEXACT)
    return arguments([d.array(name, shape, ["small"]) for shape in ((2, 3), (3, 4), (4, 2))])


PRODUCTS = [
    _product_row("dot", products("nk", "km"), np.dot),
    _product_row("inner", products("nk", "mk"), np.inner),
    _product_row("matmul", products("2nk", "km"), np.matmul),
    _product_row("linalg.matmul", products("nk", "2km"), np.matmul),
    Subject("operator.matmul", products("nk", "km"), _product(np.matmul), 4, sizes(np.matmul), function=operator.matmul),
    _product_row("matvec", products("2nk", "k"), np.matvec),
    _product_row("vecmat", products("k", "2km"), np.vecmat),
    _product_row("vecdot", products("nk", "nk"), np.vecdot),
    _product_row("linalg.vecdot", products("nk", "k"), np.vecdot),
    _product_row("vdot", products("nk", "nk"), np.vdot),
    _product_row("outer", products("n", "m"), np.outer),
    _product_row("linalg.outer", products("n", "m"), np.outer),
    _product_row("kron", products("nk", "m2"), np.kron),
    _product_row("tensordot", products("2nk", "nkm"), np.tensordot),
    _product_row("linalg.tensordot", products("2nk", "nkm"), np.tensordot),
    *(
        Subject(
            f"einsum {text}",
            lambda d, text=text, left=left, right=right: arguments(text, *products(left, right)(d)[0]),
            _product(_einsum),
            8,
            lambda text, *ops: _einsum(text, *(np.abs(arrays.wide(x)) for x in ops)),
        )
        for text, left, right in (
            ("ij,jk->ik", "nk", "km"),
            ("ij,j", "nk", "k"),
            ("ij,ij->", "nk", "nk"),
            ("aij,jk->aki", "2nk", "km"),
        )
    ),
    Subject("cross", _crossed, _product(np.cross), 4, _cross_size),
    Subject("linalg.cross", _crossed, _product(np.linalg.cross), 4, _cross_size),
    Subject("linalg.multi_dot", _chain, _product(np.linalg.multi_dot), 16, sizes(np.linalg.multi_dot)),
    Subject(
        "convolve",
        lambda d: (products("k", "m")(d)[0], {"mode": d.one(["full", "same", "valid"])}),
        _product(np.convolve),
        8,
        lambda a, v, mode: np.convolve(*(np.abs(arrays.wide(x)) for x in (a, v)), mode),
    ),
    Subject(
        "correlate",
        lambda d: (products("k", "m")(d)[0], {"mode": d.one(["full", "same", "valid"])}),
        _product(np.correlate),
        8,
        lambda a, v, mode: np.correlate(*(np.abs(arrays.wide(x)) for x in (a, v)), mode),
    ),
]


# -- linear algebra -----------------------------------------------------------------------------------------------------------


def regular(d, symmetric=False):
    """Make matrices far from singular: more than twice the identity, plus noise."""
    name, n = d.one(MATRICES), d.int(1, 4)
    noise = arrays.make(d.seed(), name, (*d.one([(), (2,), (0,), (1, 2)]), n, n), "small")
    noise = noise if NODES[name].kind == "i" else cast(noise / np.asarray(8, noise.dtype), noise.dtype)
    made = noise + cast(np.eye(n) * 12, noise.dtype)
    return cast(made + np.conj(np.swapaxes(made, -1, -2)), made.dtype) if symmetric else cast(made, noise.dtype)


def _matrix(**options):
    return lambda d: arguments(regular(d, **options))


def _exactly(function):
    """Solve in float64 or complex128."""

    def reference(out, *args, **kwargs):
        return function(*tree(lambda x: cast(x, complex if np.iscomplexobj(x) else float), tree(arrays.wide, args)), **kwargs)

    return reference


def _biggest(reference):
    """Return the magnitude of the greatest element of a result, to which the error of a solution is relative."""

    def scale(*args, **kwargs):
        values = [np.abs(np.asarray(x)).max(initial=0) for x in leaves(reference([], *args, **kwargs))]
        return max(values, default=0)

    return scale


def _solver(name, make, function=None, units=200, call=None):
    function = function or getattr(np.linalg, name.removeprefix("linalg."))
    exact = _exactly(function)
    return Subject(name, make, exact, units, _biggest(exact), layout_units=500, function=call)


def _least_squares(a, b):
    return xp.linalg.lstsq(a, b)[0]


def _system(d):
    a = regular(d)
    return arguments(a, d.array(a.dtype.name, (*a.shape[:-1], 2), ["small"]))


def _system_2d(d):
    n = d.int(1, 4)
    a = regular(d)
    a = a.reshape(-1, *a.shape[-2:])[0] if a.size else np.eye(n, dtype="float32") * 3
    return arguments(a, d.array(a.dtype.name, (a.shape[-1],), ["small"]))


def _tensor(d):
    a = arrays.make(d.seed(), d.one(("float32", "float64")), (6, 6), "small") / 8 + np.eye(6) * 4
    return cast(a, d.one(("float32", "float64"))).reshape(2, 3, 6)


def _hermitian(d):
    return arguments(regular(d, symmetric=True))


def _norm_arguments(d):
    x = d.array(MATRICES, d.shape(1, empty=False), TAME)
    return arguments(x, axis=d.axis(x, none=True), keepdims=d.flag(), ord=d.one([1, 2, np.inf]))


def _vector_norm(x, axis, keepdims, ord):
    return np.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)


LINEAR = [
    _solver("linalg.inv", _matrix()),
    _solver("linalg.det", _matrix()),
    _solver("linalg.slogdet", _matrix(), lambda x: tuple(np.linalg.slogdet(x))),
    _solver("linalg.solve", _system),
    _solver("linalg.cholesky", _matrix(symmetric=True)),
    _solver("linalg.eigvalsh", _hermitian),
    _solver("linalg.svdvals", _matrix(), np.linalg.svdvals),
    _solver("linalg.cond", _matrix()),
    _solver("linalg.pinv", _matrix()),
    _solver("linalg.matrix_rank", _matrix()),
    _solver("linalg.matrix_power", lambda d: arguments(regular(d), d.int(0, 3)), lambda x, n: np.linalg.matrix_power(x, n)),
    _solver("linalg.tensorinv", lambda d: arguments(_tensor(d).reshape(6, 2, 3), 1), np.linalg.tensorinv, 500),
    _solver(
        "linalg.tensorsolve", lambda d: arguments(a := _tensor(d).reshape(2, 3, 6), d.array(a.dtype.name, (2, 3), ["small"]))
    ),
    _solver("linalg.lstsq", _system_2d, lambda a, b: np.linalg.lstsq(a, b, rcond=None)[0], call=_least_squares),
    _solver("linalg.vector_norm", _norm_arguments, _vector_norm, 8),
    _solver("linalg.norm", lambda d: arguments(d.array(MATRICES, d.shape(1, empty=False), TAME)), np.linalg.vector_norm, 8),
    _solver(
        "linalg.matrix_norm",
        lambda d: arguments(d.array(MATRICES, d.shape(2, empty=False), TAME), ord=d.one(["fro", 1, np.inf])),
        lambda x, **kwargs: np.linalg.matrix_norm(x, **kwargs),
        8,
    ),
]


def _from_qr(x):
    """Multiply the factors of a decomposition; the next functions do the same."""
    q, r = xp.linalg.qr(x)
    return q @ r


def _from_svd(x):
    u, s, vh = xp.linalg.svd(x, full_matrices=False)
    return (u * s[..., None, :]) @ vh


def _from_eigh(x):
    values, vectors = xp.linalg.eigh(x)
    return (vectors * values[..., None, :]) @ xp.matrix_transpose(xp.conj(vectors))


def _from_eig(x):
    values, vectors = xp.linalg.eig(x)
    return (vectors * values[..., None, :]) @ xp.linalg.inv(vectors)


def _matrices(d):
    return arguments(
        d.array(("float32", "float64", "complex64", "complex128"), d.one([(3, 3), (4, 2), (2, 4), (2, 3, 2)]), ["small"])
    )


def _itself(_out, x):
    return arrays.numbers(x)


DECOMPOSITIONS = [
    Subject("linalg.qr", _matrices, _itself, 100, _greatest, 1000, function=_from_qr),
    Subject("linalg.svd", _matrices, _itself, 100, _greatest, 1000, function=_from_svd),
    Subject(
        "linalg.eigh",
        lambda d: arguments(cast(regular(d, symmetric=True), d.one(("float64", "complex128")))),
        _itself,
        200,
        _greatest,
        1000,
        function=_from_eigh,
    ),
    Subject("linalg.eigvals", _matrix(symmetric=True), None, 100, layout_units=1000),
    Subject(
        "linalg.eig",
        lambda d: arguments(np.diag([1.0, 5, 9]) + arrays.make(d.seed(), "float64", (3, 3), "small") / 32),
        _itself,
        500,
        _greatest,
        5000,
        function=_from_eig,
    ),
]


# -- transforms ---------------------------------------------------------------------------------------------------------------

_FFT_DTYPES = named("fc", 16)


def _transform(kinds, ndim):
    names = [name for name in _FFT_DTYPES if NODES[name].kind in kinds and NODES[name].bits > 16]
    shapes = [shape for shape in arrays.SHAPES if len(shape) >= ndim and min(shape, default=0) > 0 and shape[-1] > 1]

    def make(d):
        x = d.array(names, d.one(shapes), TAME)
        return arguments(x, norm=d.one([None, "ortho", "forward"]))

    return make


def _fft_rows():
    for name, kinds, ndim in (
        ("fft", "fc", 1), ("ifft", "fc", 1), ("rfft", "f", 1), ("irfft", "fc", 1), ("hfft", "fc", 1), ("ihfft", "f", 1),
        ("fft2", "fc", 2), ("ifft2", "fc", 2), ("rfft2", "f", 2), ("irfft2", "fc", 2),
        ("fftn", "fc", 1), ("ifftn", "fc", 1), ("rfftn", "f", 1), ("irfftn", "fc", 1),
    ):  # fmt: skip

        def exact(_out, x, norm, function=getattr(np.fft, name)):
            return function(cast(wide := arrays.wide(x), complex if np.iscomplexobj(wide) else float), norm=norm)

        def size(x, norm):
            return 2 * np.abs(arrays.wide(x)).sum()

        yield Subject(f"fft.{name}", _transform(kinds, ndim), exact, 16, size)
    for name in ("fftshift", "ifftshift"):
        yield Subject(f"fft.{name}", normalize_axis(ANY, ndim=1), None, None, function=_shifted(name))
    for name in ("fftfreq", "rfftfreq"):
        yield Subject(f"fft.{name}", lambda d: arguments(d.int(1, 20)), lambda _out, n, f=getattr(np.fft, name): f(n), 4)


def _shifted(name):
    def call(x, axis, keepdims):
        return getattr(xp.fft, name)(x, axis)

    return call


# -- polynomials, calculus ----------------------------------------------------------------------------------------------------


def _coefficients(count, names=FLOATS, most=5):
    def make(d):
        name = d.one(names)
        return arguments(*(d.array(name, (d.int(1, most),), ["small"]) for _ in range(count)))

    return make


def _padded_sum(function):
    def reference(out, a, b):
        n = max(len(a), len(b))
        a, b = (np.concatenate([np.zeros(n - len(x)), arrays.wide(x)]) for x in (a, b))
        return function(a, b)

    return reference


def _integrated(d):
    y = d.array(FLOATS, d.shape(1, empty=False), TAME)
    return arguments(y, axis=d.axis(y))


def _differences(d):
    x = d.array(named("iuf", 8), d.shape(1, empty=False), TAME)
    return arguments(x, d.int(0, 2), axis=d.axis(x))


def _interpolated(d):
    name = d.one(("float32", "float64"))
    at = np.sort(np.unique(d.array(name, (5,), ["small"])))
    return arguments(d.array(name, classes=["small"]), at, d.array(name, at.shape, ["small"]))


def _noise(d):
    """Make rows that vary; the result for constant rows is only a rounding error."""
    return arguments(np.random.default_rng(d.seed()).normal(size=(2, 9)).astype(d.one(("float32", "float64"))))


def _sampled(d):
    x = d.array(("float32", "float64", "float16"), (d.int(3, 8),), TAME)
    return arguments(x)


POLYNOMIALS = [
    Subject("polyadd", _coefficients(2), _padded_sum(np.add), 2),
    Subject("polysub", _coefficients(2), _padded_sum(np.subtract), 2),
    Subject(
        "polymul",
        _coefficients(2),
        _product(np.convolve),
        16,
        lambda a, b: np.convolve(*(np.abs(arrays.wide(x)) for x in (a, b))),
    ),
    Subject(
        "polyval",
        _coefficients(2, ("float32", "float64")),
        widened(np.polyval),
        32,
        lambda p, x: np.polyval(np.abs(arrays.wide(p)), np.abs(arrays.wide(x))),
    ),
    Subject("polyder", lambda d: (_coefficients(1)(d)[0], {"m": d.int(0, 2)}), None, 2),
    Subject("polyint", _coefficients(1), widened(np.polyint), 4),
    Subject("polydiv", lambda d: arguments(d.array("float64", (4,), ["small"]), np.array([2.0, 1.0])), None, 8),
    Subject(
        "poly",
        lambda d: arguments(d.array(("float32", "float64"), (d.int(1, 4),), ["small"])),
        widened(np.poly),
        32,
        lambda z: np.poly(-np.abs(arrays.wide(z))).max(),
    ),
    Subject("roots", lambda d: arguments(np.poly([d.int(1, 3), 7.0, -9.0])), None, 8, layout_units=100),
    Subject(
        "polyfit",
        lambda d: arguments(np.arange(6.0), d.array("float64", (6,), ["small"]), d.int(0, 2)),
        widened(lambda x, y, n: np.polyfit(x.astype(float), y.astype(float), n)),
        500,
        lambda x, y, n: 1 + np.abs(y).max(),
        layout_units=500,
    ),
    Subject(
        "diff",
        _differences,
        lambda out, x, n, axis: np.diff(arrays.numbers(x), n, axis),
        8,
        lambda x, n, axis: 4 * _greatest(x),
    ),
    Subject("ediff1d", one("iuf", TAME, 1, bits=8), lambda out, x: np.diff(arrays.numbers(x).ravel()), 2),
    Subject(
        "trapezoid", _integrated, widened(np.trapezoid), 8, lambda y, axis: np.trapezoid(np.abs(arrays.wide(y)), axis=axis)
    ),
    Subject("gradient", _sampled, widened(np.gradient), 4, _greatest),
    Subject(
        "interp",
        _interpolated,
        lambda out, x, *xy: np.interp(arrays.numbers(x).astype(float), *xy),
        16,
        lambda x, xs, ys: 8 * np.abs(ys).max(),
    ),
    Subject("unwrap", _sampled, widened(np.unwrap), 64, lambda x: 8 + 8 * _greatest(x)),
    Subject("corrcoef", _noise, widened(np.corrcoef), 200, lambda x: 1),
    Subject("cov", _noise, widened(np.cov), 64, _greatest_square),
    Subject(
        "vander",
        lambda d: arguments(d.array(named("if", 16), (d.int(0, 4),), ["small"]), d.int(0, 4), increasing=d.flag()),
        _product(np.vander),
        8,
    ),
    Subject(
        "histogram",
        lambda d: arguments(d.array(("float32", "float64", "int32"), (d.int(1, 9),), ["small"]), d.int(1, 6)),
        None,
        4,
    ),
    Subject(
        "histogram_bin_edges",
        lambda d: arguments(d.array(("float32", "float64"), (d.int(1, 9),), ["small"]), d.int(1, 6)),
        widened(np.histogram_bin_edges),
        8,
        _greatest,
    ),
    Subject(
        "histogram2d", lambda d: arguments(*(d.array("float32", (5,), ["small"]) for _ in range(2)), bins=d.int(1, 4)), None, 4
    ),
    Subject("histogramdd", lambda d: arguments(d.array("float32", (5, 2), ["small"]), bins=d.int(1, 4)), None, 4),
    Subject(
        "allclose", lambda d: arguments(x := d.array(FLOATS, classes=TAME), x.copy()), lambda out, x, y: np.array(True), None
    ),
]

TABLE = [*REDUCTIONS, *PRODUCTS, *LINEAR, *DECOMPOSITIONS, *_fft_rows(), *POLYNOMIALS]
