"""Make arrays of every dtype, shape, layout and class of values, and compare results."""

import functools
import warnings

import numpy as np
from common import limits
from hypothesis import strategies as st

import supremum as xp
from supremum.promotion._nodes import NODES

DTYPES = [name for name, node in NODES.items() if node.dtype is not None and not node.weak]


def named(kinds, bits=0):
    """Return the dtypes of some kinds ("biufc") with at least this many bits."""
    return tuple(name for name in DTYPES if NODES[name].kind in kinds and NODES[name].bits >= bits)


SHAPES = [
    (),
    (0,),
    (1,),
    (3,),
    (17,),
    (4, 1),
    (1, 3),
    (4, 3),
    (0, 3),
    (3, 0),
    (2, 1, 3),
    (2, 4, 3),
    (1, 2, 1, 3),
    (2, 2, 3, 1),
]
LAYOUTS = ["C", "F", "strided", "negative", "read-only", "swapped", "unaligned", "broadcast", "dirty"]
#: Classes of values: small numbers, moderate ones, the limits of dtypes, any bits.
CLASSES = ["small", "moderate", "edges", "bits"]
#: Classes in which nothing overflows and nothing is NaN.
TAME = ["small", "moderate"]


def dtype_of(name):
    return NODES[name].dtype


def _integers(rng, name, size, values):
    low, high = limits(name)
    if values == "small":
        numbers = [int(n) for n in rng.integers(max(low, -3), min(high, 3) + 1, size)]
    elif values == "moderate":
        numbers = [int(n) for n in rng.integers(max(low, -50), min(high, 50) + 1, size)]
    elif values == "edges":
        edges = [n for n in (low, low + 1, -1, 0, 1, 2, high // 2, high - 1, high) if low <= n <= high]
        numbers = [edges[i] for i in rng.integers(len(edges), size=size)]
    else:
        numbers = rng.integers(low, high, size, endpoint=True, dtype=np.uint64 if low == 0 else np.int64).tolist()
    return np.array(numbers, np.uint64 if low == 0 else np.int64).astype(dtype_of(name))


@functools.cache
def _edges(name):
    info = xp.finfo(name)
    found = [
        1,
        2,
        0.5,
        3,
        info.max,
        info.smallest_normal,
        info.smallest_subnormal,
        1 + float(info.eps),
        1 / 3,
        7,
        100,
        88,
        710,
    ]
    found = [float(value) for value in found if value is not None]
    wide = np.array([*found, *(-value for value in found), 0.0, -0.0, np.nan, np.inf, -np.inf])
    return cast(wide, dtype_of(name))


def cast(x, dtype):
    """Cast without warnings about values that do not fit."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(x).astype(dtype)


def _floats(rng, name, size, values):
    dtype, node = dtype_of(name), NODES[name]
    if values == "small":
        return cast(rng.integers(-8, 9, size) / 2, dtype)
    if values == "moderate":
        return cast(rng.normal(size=size) * 2.0 ** rng.integers(-3, 4), dtype)
    if values == "edges":
        return _edges(name)[rng.integers(len(_edges(name)), size=size)]
    raw = rng.integers(0, 1 << node.bits, size, dtype=np.uint64, endpoint=False) if node.bits < 64 else None
    if raw is None:
        raw = rng.integers(0, 2**64 - 1, size, dtype=np.uint64, endpoint=True)
    return raw.astype(f"u{dtype.itemsize}").view(dtype)


#: The real dtype of the parts of a complex one.
PARTS = {"complex128": "float64", "complex64": "float32", "complex32": "float16", "bcomplex32": "bfloat16"}


def make(seed, name, shape, values):
    """Make an array of a dtype, with elements of a class, from a seed."""
    rng, kind = np.random.default_rng(seed), NODES[name].kind
    size = int(np.prod(shape))
    if kind == "b":
        return rng.integers(0, 2, size).astype(bool).reshape(shape)
    if kind in "iu":
        return _integers(rng, name, size, values).reshape(shape)
    if kind == "f":
        return _floats(rng, name, size, values).reshape(shape)
    parts = _floats(rng, PARTS[name], 2 * size, values)
    return parts.view(dtype_of(name)).reshape(shape)


class Draw:
    """Draw numbers, shapes and arrays for a maker of arguments, by hypothesis."""

    def __init__(self, draw):
        self._draw = draw
        self.classes = self.one([CLASSES, TAME])

    def one(self, options):
        """Return one of several values."""
        return self._draw(st.sampled_from(options))

    def int(self, low, high):
        """Return an integer, both ends included."""
        return self._draw(st.integers(low, high))

    def flag(self):
        return self._draw(st.booleans())

    def seed(self):
        return self._draw(st.integers(0, 2**32 - 1))

    def shape(self, ndim=0, empty=True, most=4):
        """Return a shape of at least `ndim` axes."""
        return self.one([s for s in SHAPES if ndim <= len(s) <= most and (empty or 0 not in s)])

    def axis(self, x, none=False):
        """Return an axis of an array, from either end."""
        ndim = x if isinstance(x, int) else x.ndim
        options = [*range(-ndim, ndim), *([None] if none else [])]
        return self.one(options) if options else None

    def array(self, names, shape=None, classes=None):
        """Return an array of one of the dtypes."""
        name = names if isinstance(names, str) else self.one(names)
        shape = self.shape() if shape is None else shape
        x = make(self.seed(), name, shape, self.one(classes or self.classes))
        if x.ndim and x.shape[-1] and self.int(0, 9) == 0:
            x = np.ascontiguousarray(np.broadcast_to(x[..., :1], x.shape))  # allows a stride of zero
        return x

    def partner(self, x, names, classes=None):
        """Return an array, or a Python scalar, that broadcasts with another one, often of the same dtype."""
        choice = self.int(0, 7)
        if choice == 0:
            return self.one([0, 1, -1, 2, 0.5, 0.1, -1 / 3, True])
        shapes = [x.shape, x.shape, (), x.shape[1:], tuple(1 for _ in x.shape), (2, *[1] * x.ndim) if x.ndim < 4 else x.shape]
        return self.array(x.dtype.name if choice < 4 else names, self.one(shapes), classes)


def laid_out(data, layout):
    """Return the same values in another memory layout."""
    if layout == "F":
        return np.asfortranarray(data) if data.ndim else data
    if layout == "strided" and data.ndim:
        wide = np.zeros((*data.shape[:-1], data.shape[-1] * 2), data.dtype)
        wide[..., ::2] = data
        return wide[..., ::2]
    if layout == "negative" and data.ndim:
        return np.ascontiguousarray(data[..., ::-1])[..., ::-1]
    if layout == "swapped" and data.dtype.isbuiltin == 1:
        return data.astype(data.dtype.newbyteorder())
    if layout == "unaligned" and data.dtype.itemsize > 1:
        raw = np.zeros(data.nbytes + 1, np.uint8)
        view = raw[1:].view(data.dtype).reshape(data.shape)
        view[...] = data
        return view
    if layout == "broadcast" and data.ndim and data.shape[-1] and constant(data):
        return np.broadcast_to(data[..., :1].copy(), data.shape)
    out = data.copy()
    if layout == "dirty" and (unused := unused_bits(data.dtype)):
        codes = out.view(np.uint8)
        noise = np.random.default_rng(out.size).integers(0, 256, codes.shape, np.uint8) & np.uint8(unused)
        if out.dtype == bool:  # whatever is not zero is true
            noise = (noise | 2) * codes
        codes |= noise
    if layout == "read-only":
        out.flags.writeable = False
    return out


def unused_bits(dtype):
    """Return the bits of an element's byte that its value does not depend on; a bool is true if any bit is set."""
    node = NODES.get(dtype.name)
    if node is None or dtype.itemsize != 1:
        return 0
    return 0xFE if node.kind == "b" else 0xFF & ~((1 << node.bits) - 1)


def constant(data):
    """Whether the elements along the last axis are equal bit by bit."""
    return np.ascontiguousarray(np.broadcast_to(data[..., :1], data.shape)).tobytes() == data.tobytes()


def native(data):
    """Return the same values in this machine's byte order."""
    return data if data.dtype.isnative else data.astype(data.dtype.newbyteorder("="))


# -- comparing ----------------------------------------------------------------------------------------------------------------


def numbers(x):
    """Return the elements of an array in a wider type that represents them: int64, uint64, longdouble or clongdouble."""
    x = native(np.asarray(x))
    node = NODES.get(x.dtype.name)
    kind = node.kind if node else x.dtype.kind
    wider = {"b": np.bool_, "i": np.int64, "u": np.uint64, "f": np.longdouble, "c": np.clongdouble}[kind]
    if node and kind == "c" and node.bits < 64:
        x = x.astype(np.complex64)
    if node and node.bits < 64 and kind in "fc":
        x = cast(x, np.complex128 if kind == "c" else np.float64)
    return cast(x, wider)


def wide(x):
    """Return an array in the wider type in which NumPy computes: float64 or longdouble, else int64 or uint64."""
    x = native(np.asarray(x))
    node = NODES[x.dtype.name]
    if node.kind in "fc" and node.bits <= 64 and x.dtype != np.float64:
        return cast(cast(x, np.complex64) if node.kind == "c" else x, np.complex128 if node.kind == "c" else np.float64)
    return numbers(x)


def same(x, y):
    """Whether two arrays are equal bit by bit; any NaN equals any other, because operations do not specify it."""
    return bits(x) == bits(y)


def bits(x):
    """Return the shape, the dtype and the bytes of the elements, with one pattern for every NaN."""
    data = native(np.array(x._data if isinstance(x, xp.Array) else x))
    node = NODES.get(data.dtype.name)
    if node is not None and node.kind in "fc":
        parts = np.ascontiguousarray(data).view(dtype_of(PARTS[node.name]) if node.kind == "c" else data.dtype)
        with np.errstate(all="ignore"):
            parts = np.where(np.isnan(cast(parts, np.float64)), np.zeros((), parts.dtype), parts), np.isnan(cast(parts, float))
        return data.shape, data.dtype.name, parts[0].tobytes(), parts[1].tobytes()
    return data.shape, data.dtype.name, data.tobytes()


def away(actual, expected, units, scale=0):
    """Return where an array differs from exact values by more than some units in the last place, or None.

    `scale` replaces the exact value in the size of the unit where it is greater: the size of the summands, for example.
    """
    actual, expected = native(np.asarray(actual)), np.asarray(expected)
    if actual.shape != expected.shape:
        return f"shape {actual.shape}, not {expected.shape}"
    node = NODES.get(actual.dtype.name)
    if node is None or node.kind in "biu":
        return _unequal(actual, expected)
    name = PARTS[node.name] if node.kind == "c" else node.name
    if (node.kind == "c") != (expected.dtype.kind == "c"):
        expected = expected.astype(np.clongdouble)
    got = numbers(actual)
    if node.kind == "c":
        scale = np.maximum(np.abs(scale), _finite(np.abs(expected)))
        parts = [(got.real, expected.real), (got.imag, expected.imag)]
    else:
        parts = [(got, expected)]
    wrong = np.zeros(actual.shape, bool)
    for g, e in parts:
        wrong |= _far(g, e.astype(np.longdouble), name, units, scale)
    return None if not wrong.any() else f"{got[wrong].ravel()[0]} is not {expected[wrong].ravel()[0]}"


def _finite(x):
    return np.where(np.isfinite(x), x, 0)


def _unequal(actual, expected):
    if expected.dtype.kind == "O":
        wrong = np.array([int(a) != int(e) for a, e in zip(numbers(actual).ravel(), expected.ravel(), strict=True)], bool)
        wrong = wrong.reshape(actual.shape)
    else:
        wrong = np.asarray(numbers(actual) != expected)
    return None if not wrong.any() else f"{numbers(actual)[wrong].ravel()[0]} is not {expected[wrong].ravel()[0]}"


def _far(got, expected, name, units, scale):
    info = xp.finfo(name)
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(_finite(scale)), np.abs(_finite(expected)))
        smallest = float(info.smallest_subnormal if info.smallest_subnormal is not None else info.smallest_normal)
        bound = units * (float(info.eps) * size + smallest)
        near = (got == expected) | (np.isnan(got) & np.isnan(expected)) | (np.abs(got - expected) <= bound)
        # Beyond the range of the dtype, the result is the greatest number, infinity or NaN.
        largest = float(info.max)
        beyond = (np.abs(expected) + bound >= largest) | np.isnan(expected)
        own = ~np.isfinite(got) | (np.abs(got) >= largest * (1 - 2 * float(info.eps)))
        ends = beyond & own & (np.isnan(got) | np.isnan(expected) | (np.signbit(got) == np.signbit(expected)))
        if name in WITH_INFINITY:
            ends &= ~np.isnan(expected) & ~np.isnan(got)
        if name in WITHOUT_NAN:
            ends |= np.isnan(expected)
        if name == "float8_e8m0fnu":  # the dtype has no zero and no sign
            ends |= np.isnan(got) & (expected <= 0) | (np.abs(expected) <= smallest)
    return ~(near | ends)


#: Dtypes without NaN.
WITHOUT_NAN = frozenset({"float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn"})
#: Dtypes with infinities and NaN, in which an overflow is an infinity.
WITH_INFINITY = frozenset({"float16", "bfloat16", "float32", "float64", "float8_e5m2", "float8_e4m3", "float8_e3m4"})
