"""Tables of functions that move, choose, sort or find elements, whose results equal NumPy's bit for bit."""

import itertools

import arrays
import numpy as np
from arrays import cast, named
from subjects import ANY, REAL, Subject, arguments, joined, moved, normalize_axis, one

EVERY = named(ANY)


def normalize_axes(ndim=1, **more):
    """Make an array of `ndim` axes or more, and further arguments, by a maker below."""

    def make(d):
        x = d.array(EVERY, d.shape(ndim))
        return arguments(x, **{name: maker(d, x) for name, maker in more.items()})

    return make


def positional(ndim, *makers, empty=True):
    def make(d):
        x = d.array(EVERY, d.shape(ndim, empty))
        return arguments(x, *(maker(d, x) for maker in makers))

    return make


def axis(d, x):
    return d.axis(x)


def axis_or_none(d, x):
    return d.axis(x, none=True)


def permutation(d, x):
    return d.one(list(itertools.permutations(range(x.ndim))))


def same_size(d, x):
    """Return another shape with as many elements."""
    return d.one([(-1,), x.shape[::-1], (1, *x.shape), (x.size,)] if x.size else [x.shape[::-1], (1, *x.shape), (0, 5)])


def wider_shape(d, x):
    return d.one([x.shape, (2, *x.shape), (2, 1, *x.shape)] if x.ndim < 3 else [x.shape])


def several(ndim=1):
    """Make a list of arrays of one dtype and one shape."""

    def make(d):
        name, shape = d.one(EVERY), d.shape(ndim)
        return [d.array(name, shape) for _ in range(d.int(1, 3))]

    return lambda d: arguments(make(d))


def along(d):
    """Make arrays of one dtype and shape, and an axis to join them along."""
    name, shape = d.one(EVERY), d.shape(1)
    made = [d.array(name, shape) for _ in range(d.int(1, 3))]
    return arguments(made, axis=d.axis(made[0]))


def mixed(d):
    """Make arrays of several dtypes to join."""
    names = d.one([EVERY, named("iu"), named("f", 8)])
    shape = d.shape(1)
    made = [d.array(names, shape) for _ in range(2)]
    return arguments(made, axis=d.axis(made[0]))


def with_indices(d):
    x = d.array(EVERY, d.shape(1, empty=False))
    along_ = d.axis(x)
    at = d.array(("int32", "int64", "uint8"), d.one([(), (3,), (2, 2), (0,)]), ["moderate"])
    return arguments(x, at % min(x.shape[along_], 255), axis=along_)


def with_indices_along(d):
    x = d.array(EVERY, d.shape(1, empty=False))
    along_ = d.axis(x)
    shape = list(x.shape)
    shape[along_] = d.int(0, 3)
    return arguments(x, d.array(("int32", "int64"), tuple(shape), ["moderate"]) % x.shape[along_], along_)


def with_values_along(d):
    (x, at, along_), _ = with_indices_along(d)
    at = np.zeros_like(at)  # the order of writes to one position is unspecified
    shape = list(x.shape)
    shape[along_] = 1
    return arguments(x, at[tuple(slice(1) if i == along_ % x.ndim else slice(None) for i in range(x.ndim))],
                     d.array(x.dtype.name, tuple(shape)), along_, inplace=False)  # fmt: skip


def _put_along(_out, x, at, values, axis, **_kwargs):
    x = x.copy()
    if at.shape[axis]:
        np.put_along_axis(x, at.astype(np.int64), values, axis)
    return x


def with_mask(d):
    x = d.array(EVERY, d.shape(1))
    return arguments(d.array("bool", x.shape), x)


def choice_of_two(d):
    """Make the arguments of `where`: a condition and two arrays of one dtype."""
    x = d.array(EVERY)
    return arguments(d.array("bool", d.one([x.shape, (), x.shape[1:]])), x, d.array(x.dtype.name, d.one([x.shape, ()])))


def two_dtypes(d):
    names = d.one([named("iu"), named("f", 8), named("c")])
    x = d.array(names)
    return arguments(d.array("bool", x.shape), x, d.array(names, x.shape))


def compressed(d):
    x = d.array(EVERY, d.shape(1))
    along_ = d.axis(x)
    return arguments(d.array("bool", (x.shape[along_],)), x, axis=along_)


def deleted(d):
    x = d.array(EVERY, d.shape(1, empty=False))
    along_ = d.axis(x)
    return arguments(x, d.int(-x.shape[along_], x.shape[along_] - 1), axis=along_)


def inserted(d):
    x = d.array(EVERY, d.shape(1, empty=False))
    along_ = d.axis(x)
    return arguments(x, d.int(-x.shape[along_], x.shape[along_]), d.array(x.dtype.name, ()), axis=along_)


def appended(d):
    x = d.array(EVERY, d.shape(1))
    return arguments(x, d.array(x.dtype.name, x.shape), axis=d.axis(x, none=True))


def padded(d):
    x = d.array(EVERY, d.shape(1, empty=False, most=3))
    return arguments(x, d.one([1, (2, 0), 0]), mode=d.one(["edge", "wrap", "constant", "reflect", "symmetric", "empty"][:5]))


def _pad(_out, x, width, mode):
    # NumPy reflects a single element to itself, and pads with a constant zero, which some dtypes lack.
    return np.pad(x, width, mode=mode)


def rolled(d):
    x = d.array(EVERY)
    return arguments(x, d.int(-4, 4), axis=d.axis(x, none=True))


def rotated(d):
    x = d.array(EVERY, d.shape(2))
    return arguments(x, d.int(-3, 3), axes=d.one([(0, 1), (1, 0), (-1, 0)]))


def moved_axis(d):
    x = d.array(EVERY, d.shape(1))
    return arguments(x, d.axis(x), d.axis(x))


def expanded(d):
    x = d.array(EVERY, d.shape(0, most=3))
    return arguments(x, d.one([0, -1, *range(x.ndim + 1)]))


def squeezed(d):
    x = d.array(EVERY)
    ones = [i for i, n in enumerate(x.shape) if n == 1]
    return arguments(x, axis=d.one([None, *ones]))


def repeated(d):
    x = d.array(EVERY)
    along_ = d.axis(x, none=True)
    return arguments(x, d.int(0, 3), axis=along_)


def tiled(d):
    x = d.array(EVERY, d.shape(0, most=2))
    return arguments(x, d.one([0, 1, 2, (2, 1), (1, 2, 1)]))


def parts(ndim, along_=None):
    def make(d):
        x = d.array(EVERY, d.shape(ndim))
        by = d.one([1, [1], [0, 2], [2, 1]])
        return arguments(x, by) if along_ is not None else arguments(x, by, axis=d.axis(x))

    return make


def filled_diagonal(d):
    x = d.array(EVERY, d.one([(3, 3), (4, 3), (2, 4), (2, 2, 2)]))
    return arguments(x, d.array(x.dtype.name, ()), inplace=False)


def _fill_diagonal(_out, x, value, **_kwargs):
    x = x.copy()
    for i in range(min(x.shape)):
        x[(i,) * x.ndim] = value
    return x


def placed(d):
    x = d.array(EVERY, d.shape(1, empty=False))
    return arguments(x, d.array("bool", x.shape), d.array(x.dtype.name, (d.int(1, 4),)), inplace=False)


def _place(_out, x, mask, values, **_kwargs):
    x = x.copy()
    x[mask] = np.resize(values, int(mask.sum()))
    return x


def put(d):
    x = d.array(EVERY, d.shape(1, empty=False))
    return arguments(x, np.array([d.int(0, x.size - 1)]), d.array(x.dtype.name, (1,)), inplace=False)


def _put(_out, x, at, values, **_kwargs):
    x = x.copy()
    x.reshape(-1)[at] = values
    return x


def chosen(d):
    """Make the arguments of `choose`: indices of choices, and the choices."""
    name, shape = d.one(EVERY), d.shape(1)
    choices = [d.array(name, shape) for _ in range(3)]
    return arguments(d.array("int32", shape, ["moderate"]) % 3, choices)


def selected(d):
    name, shape = d.one(EVERY), d.shape(1)
    made = [d.array(name, shape) for _ in range(2)]
    return arguments([d.array("bool", shape) for _ in made], made, d.array(name, ()))


def _select(_out, conditions, choices, default):
    return np.where(conditions[0], choices[0], np.where(conditions[1], choices[1], default))


def _blocks(_out, blocks):
    return np.block(blocks)


def blocks(d):
    name = d.one(EVERY)
    return arguments([[d.array(name, (2, 2)), d.array(name, (2, 1))], [d.array(name, (1, 2)), d.array(name, (1, 1))]])


def trimmed(d):
    return arguments(d.array(EVERY, (d.int(0, 9),), ["small"]), d.one(["f", "b", "fb"]))


def _trim(_out, x, trim):
    there = np.flatnonzero(arrays.numbers(x) != 0)
    if not len(there):
        return x[:0]
    return x[there[0] if "f" in trim else 0 : there[-1] + 1 if "b" in trim else None]


def _index(d, x):
    """Make a key: integers, slices, an Ellipsis, None, a mask."""
    key = []
    for n in x.shape[: d.int(0, x.ndim)]:
        options = [slice(None), slice(1, None), slice(None, None, -1), slice(None, 2), slice(2, 0, -1), None]
        key.append(d.one([*options, *([0, -1, n - 1] if n else [])]))
    return d.one([(*key, ...), tuple(key), (..., None)])


def indexed(d):
    x = d.array(EVERY)
    return arguments(x, _index(d, x) if d.int(0, 3) else d.array("bool", x.shape))


def assigned(d):
    x = d.array(EVERY, d.shape(1))
    return arguments(x, _index(d, x), d.array(x.dtype.name, ()))


def _assign(_out, x, key, value):
    x = x.copy()
    x[key] = value
    return x


def _astype_out(_out, x, dtype):
    """Cast as NumPy does from a wide type, only values that do not overflow."""
    return arrays.wide(x)


def cast_to(d):
    """Make an array of small numbers, and a dtype of the same or a higher kind to cast it to."""
    kinds = d.one(["b", "u", "i", "f", "c"])
    x = d.array(named(kinds), classes=["small"])
    to = named({"b": "biufc", "u": "ufc", "i": "ifc", "f": "fc", "c": "c"}[kinds], 8)
    return arguments(x, d.one(to))


# -- order --------------------------------------------------------------------------------------------------------------------


def ordered(x):
    """Return numbers whose order is that of sorting: NaN last, complex numbers by their parts."""
    return arrays.numbers(x)


def _argsort(_out, x, axis=-1, descending=False, stable=True):
    keys = ordered(x)
    if axis is None:
        keys, axis = keys.reshape(-1), 0
    if descending:
        flipped = np.flip(np.argsort(np.flip(keys, axis), axis=axis, stable=True), axis)
        return keys.shape[axis] - 1 - flipped
    return np.argsort(keys, axis=axis, stable=True)


def _sort(out, x, axis=-1, descending=False, stable=True):
    at = _argsort(out, x, axis=axis, descending=descending)
    return x.reshape(-1)[at] if axis is None else np.take_along_axis(x, at, axis)


def sorted_(d):
    x = d.array(named(REAL), d.shape(1))
    x = np.where(
        np.isnan(arrays.cast(arrays.numbers(x), float)), np.ones((), x.dtype), x
    )  # with NaN, only the laws are checked
    return arguments(x, axis=d.axis(x), descending=d.flag())


def _found(function):
    """Find with NumPy's function among numbers in a type that represents all of them."""

    def reference(_out, *args, **kwargs):
        return function(*(arrays.numbers(x) if isinstance(x, np.ndarray) else x for x in args), **kwargs)

    return reference


def searched(d):
    name = d.one(named("iuf"))
    x = np.sort(arrays.numbers(d.array(name, (d.int(0, 9),), arrays.TAME)))
    return arguments(cast(x, arrays.dtype_of(name)), d.array(name, classes=arrays.TAME), side=d.one(["left", "right"]))


def digitized(d):
    name = d.one(named("iuf"))
    bins = np.sort(arrays.numbers(d.array(name, (d.int(1, 9),), arrays.TAME)))
    return arguments(d.array(name, classes=arrays.TAME), cast(bins, arrays.dtype_of(name)), right=d.flag())


def _digitize(x, bins, right):
    return np.searchsorted(bins, x, side="left" if right else "right")


def two_sets(kinds="biu"):
    def make(d):
        name = d.one(named(kinds))
        return arguments(d.array(name, (d.int(0, 9),), ["small"]), d.array(name, (d.int(0, 9),), ["small"]))

    return make


def keys(d):
    shape = (d.int(0, 9),)
    return arguments([d.array(named("biu"), shape, ["small"]) for _ in range(d.int(1, 3))])


def partitioned(d):
    x = d.array(named("biu"), d.shape(1, empty=False))
    along_ = d.axis(x)
    return arguments(x, d.int(0, x.shape[along_] - 1), axis=along_)


def _extreme(function):
    def reference(_out, x, axis=None, keepdims=False):
        return function(arrays.numbers(x), axis=axis, keepdims=keepdims)

    return reference


def counted(d):
    return arguments(d.array(("uint8", "int32", "int64", "uint4"), (d.int(0, 9),), ["small"]) % 5, length=d.int(1, 8))


def _bincount(_out, x, length):
    return np.bincount(arrays.numbers(x).astype(np.int64), minlength=length)[:length]


def _bits_of(d):
    x = d.array(("uint8", "int8", "bool", "int32"), d.shape(1))
    return arguments(x, axis=d.axis(x, none=True), bitorder=d.one(["big", "little"]))


def _nonempty(kinds):
    names = named(kinds)

    def make(d):
        x = d.array(names, d.shape(1, empty=False))
        return arguments(x, axis=d.axis(x, none=True), keepdims=d.flag())

    return make


def bytes_(d):
    x = d.array("uint8", d.shape(1))
    return arguments(x, axis=d.axis(x, none=True), bitorder=d.one(["big", "little"]))


def raveled(d):
    return arguments(
        d.array(("int32", "int64"), d.one([(), (3,), (2, 2)]), ["moderate"]) % 12, d.one([(3, 4), (12,), (2, 3, 2)])
    )


def unraveled(d):
    shape = d.one([(3,), (2, 2)])
    return arguments(tuple(d.array("int32", shape, ["moderate"]) % n for n in (3, 4)), (3, 4))


def same_(name, make, function=None, **kwargs):
    """Return a row that is compared bit by bit with NumPy's function of the same name."""
    return Subject(name, make, moved(function or getattr(np, name.split()[0].removeprefix("linalg."))), None, **kwargs)


TABLE = [
    same_("reshape", positional(0, same_size)),
    same_("reshape F", lambda d: arguments(x := d.array(EVERY), same_size(d, x), order="F")),
    same_("ravel", normalize_axes(0, order=lambda d, _x: d.one(["C", "F"]))),
    same_("flip", normalize_axes(0, axis=axis_or_none)),
    same_("fliplr", one(ndim=2)),
    same_("flipud", one(ndim=1)),
    same_("roll", rolled),
    same_("rollaxis", positional(1, axis, axis)),
    same_("rot90", rotated),
    same_("moveaxis", moved_axis),
    same_("swapaxes", positional(1, axis, axis)),
    same_("transpose", positional(0, permutation)),
    same_("permute_dims", positional(0, permutation)),
    same_("matrix_transpose", one(ndim=2)),
    same_("linalg.matrix_transpose", one(ndim=2)),
    same_("squeeze", squeezed),
    same_("expand_dims", expanded),
    same_("broadcast_to", positional(0, wider_shape)),
    same_("broadcast_arrays", lambda d: arguments(x := d.array(EVERY), d.array(EVERY, d.one([x.shape, (), x.shape[1:]])))),
    same_("concat", along),
    same_("concatenate", along),
    same_("stack", along),
    Subject("concat mixed", mixed, joined(np.concat), None),
    Subject("stack mixed", mixed, joined(np.stack), None),
    *(same_(name, several()) for name in ("hstack", "vstack", "dstack", "column_stack")),
    same_("append", appended),
    same_("block", blocks),
    same_("tile", tiled),
    same_("repeat", repeated),
    same_("take", with_indices),
    same_("take_along_axis", with_indices_along),
    same_("compress", compressed),
    same_("extract", with_mask),
    same_("delete", deleted),
    same_("insert", inserted),
    same_("diag", lambda d: arguments(d.array(EVERY, d.one([(3,), (0,), (4, 3), (2, 2)])), d.int(-2, 2))),
    same_("diagflat", lambda d: arguments(d.array(EVERY, d.one([(3,), (2, 2)])), d.int(-2, 2))),
    same_("diagonal", lambda d: arguments(d.array(EVERY, d.shape(2)), d.int(-2, 2))),
    same_("linalg.diagonal", lambda d: arguments(d.array(EVERY, d.shape(2)), offset=d.int(-2, 2)), np.linalg.diagonal),
    same_("tril", lambda d: arguments(d.array(EVERY, d.shape(2)), d.int(-2, 2))),
    same_("triu", lambda d: arguments(d.array(EVERY, d.shape(2)), d.int(-2, 2))),
    Subject("pad", padded, _pad, None),
    same_("resize", lambda d: arguments(d.array(EVERY, d.shape(0, empty=False)), d.one([(2, 3), (0,), (7,), (1, 1, 4)]))),
    same_("split", lambda d: arguments(x := d.array(EVERY, d.shape(1)), d.one([1, [1], [0, 2]]), axis=d.axis(x))),
    same_("array_split", lambda d: arguments(x := d.array(EVERY, d.shape(1)), d.one([1, 2, 3, [1], [0, 2]]), axis=d.axis(x))),
    same_("hsplit", parts(1, 1)),
    same_("vsplit", parts(2, 0)),
    same_("dsplit", parts(3, 2)),
    same_("unstack", normalize_axes(1, axis=axis), np.unstack),
    *(same_(f"atleast_{n}d", one()) for n in (1, 2, 3)),
    same_("where", choice_of_two),
    Subject(
        "where mixed", two_dtypes, lambda out, c, x, y: np.where(c, *(cast(v, arrays.dtype_of(out[0])) for v in (x, y))), None
    ),
    Subject("select", selected, _select, None),
    same_("choose", chosen),
    same_("copy", one()),
    same_("array", one()),
    same_("asarray", one()),
    Subject("trim_zeros", trimmed, _trim, None),
    Subject("put", put, _put, None),
    Subject("place", placed, _place, None),
    Subject("fill_diagonal", filled_diagonal, _fill_diagonal, None),
    Subject("put_along_axis", with_values_along, _put_along, None),
    Subject("Array[]", indexed, moved(lambda x, key: x[key]), None, function=lambda x, key: x[key]),
    Subject("Array.at set", assigned, _assign, None, function=lambda x, key, value: x.at[key].set(value)),
    Subject("astype", cast_to, _astype_out, 1, of_dtypes=False),
    Subject("quantized", cast_to, _astype_out, 1, of_dtypes=False),
    # Order
    Subject("sort", sorted_, _sort, None),
    Subject("argsort", sorted_, _argsort, None),
    Subject("sort bits", normalize_axis(REAL, keepdims=False, none=False), None, None),
    Subject("argsort bits", normalize_axis(REAL, keepdims=False, none=False), None, None),
    Subject("sort_complex", one("iufc", ["small"], 1), lambda _out, x: np.sort_complex(arrays.numbers(x)), 1),
    Subject("partition", partitioned, None, None),
    Subject("argpartition", partitioned, None, None),
    Subject("lexsort", keys, lambda _out, ks: np.lexsort([arrays.numbers(k) for k in ks]), None),
    Subject("searchsorted", searched, _found(np.searchsorted), None),
    Subject("digitize", digitized, _found(_digitize), None),
    Subject("argmax", _nonempty(REAL), _extreme(np.argmax), None),
    Subject("argmin", _nonempty(REAL), _extreme(np.argmin), None),
    Subject("nanargmax", _nonempty("biu"), _extreme(np.argmax), None),
    Subject("nanargmin", _nonempty("biu"), _extreme(np.argmin), None),
    Subject("nonzero", one(ANY, ndim=1), _found(np.nonzero), None),
    Subject("flatnonzero", one(ANY, ndim=1), _found(np.flatnonzero), None),
    Subject("argwhere", one(ANY, ndim=1), _found(np.argwhere), None),
    Subject("count_nonzero", normalize_axis(ANY), _found(np.count_nonzero), None),
    # Sets
    Subject("unique", one("biu"), _found(np.unique), None),
    Subject("unique_values", one("biu"), _found(np.unique), None),
    Subject("unique_counts", one("biu"), _found(lambda x: tuple(np.unique_counts(x))), None),
    Subject("unique_inverse", one("biu"), _found(lambda x: tuple(np.unique_inverse(x))), None),
    Subject("unique_all", one("biu"), _found(lambda x: tuple(np.unique_all(x))), None),
    Subject("unique bits", one(ANY), None, None),
    *(
        Subject(name, two_sets(), _found(getattr(np, name)), None)
        for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d")
    ),
    Subject("isin", two_sets("biuf"), _found(np.isin), None),
    # Bits and positions
    Subject("bincount", counted, _bincount, None),
    Subject("packbits", _bits_of, moved(lambda x, **kw: np.packbits(x != 0, **kw)), None),
    Subject("unpackbits", bytes_, moved(np.unpackbits), None),
    Subject("unravel_index", raveled, moved(np.unravel_index), None, of_dtypes=False),
    Subject("ravel_multi_index", unraveled, moved(np.ravel_multi_index), None),
    Subject("ix_", lambda d: arguments(d.array(named("iuf"), (2,)), d.array("int32", (3,))), moved(np.ix_), None),
    same_(
        "meshgrid", lambda d: arguments(x := d.array(EVERY, (3,)), d.array(x.dtype.name, (2,)), indexing=d.one(["xy", "ij"]))
    ),
    Subject(
        "array_equal",
        lambda d: arguments(x := d.array(EVERY), d.array(EVERY, x.shape) if d.flag() else x.copy()),
        _found(np.array_equal),
        None,
    ),
    Subject(
        "array_equiv",
        lambda d: arguments(x := d.array(EVERY), x[..., :1].copy() if x.ndim else x),
        _found(np.array_equiv),
        None,
    ),
]
