"""Calls of every public function, and what comes of them on the engine of this process; `test_engines` compares the engines.

A call is made of its number and a seed alone, so that two processes make the same one. Run as a program it prints a line of
two hashes for each call: of the call as it was made, and of what came of it.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import faulthandler
import functools
import hashlib
import importlib
import inspect
import json
import operator
import pickle
import pkgutil
import random
import re
import sys
import warnings

import arrays
import bad_calls
import hostile
import numpy as np
from arrays import DTYPES, NODES
from subjects import tree
from test_functions import SUBJECTS

import supremum as xp
from supremum._core.array import wrap

#: Bytes that the calls of a process may allocate beyond what it has.
MEMORY = 3 << 30
#: Seconds that a call may take.
SECONDS = 8
SYSTEMS = sorted(xp.promotion.systems)


class Draw(arrays.Draw):
    """Draw numbers, shapes and arrays for a maker of arguments, by a generator of random numbers."""

    def __init__(self, rng):
        self.rng = rng
        self.classes = self.one([arrays.CLASSES, arrays.TAME])

    def one(self, options):
        return self.rng.choice(list(options))

    def int(self, low, high):
        return self.rng.randint(low, high)

    def flag(self):
        return self.rng.random() < 0.5

    def seed(self):
        return self.rng.randrange(1 << 32)

    def chance(self, probability):
        return self.rng.random() < probability

    def shape(self, ndim=0, empty=True, most=4):
        """Return a shape, sometimes of so many elements that loops run in blocks or without the lock."""
        if most >= 2 and ndim <= 2 and self.chance(0.04):
            return self.one([shape for shape in LARGE if len(shape) >= ndim])
        return super().shape(ndim, empty, most)


LARGE = [(700,), (4100,), (33, 130), (130, 33), (3, 5000)]


def settings(d):
    """Draw settings of the package."""
    promotion = "jax" if d.flag() else d.one(SYSTEMS)
    x64 = d.one(["explicit", "explicit", "on", "off"])
    return {
        "x64": x64,
        "promotion": promotion,
        "mutable": not d.chance(0.2),
        "out_of_range": "clip" if d.chance(0.2) else "raise",
        "jax_numpy_rank_promotion": d.one(["warn", "raise"]) if d.chance(0.04) else "allow",
    }


# -- arguments ----------------------------------------------------------------------------------------------------------------


def given(d, data, *, ours=False):
    """Return an array as it is passed: an Array of some layout, perhaps weak, or an ndarray unless it must be ours."""
    if d.chance(0.06):
        data = arrays.make(d.seed(), d.one(DTYPES), data.shape, d.one(d.classes))
    layouts = [d.one(arrays.LAYOUTS)] if d.chance(0.7) else [d.one(arrays.LAYOUTS), d.one(arrays.LAYOUTS)]
    dirty = d.chance(0.3)
    if dirty:
        data = arrays.laid_out(data, "dirty")
    for layout in layouts:
        data = arrays.laid_out(data, layout)
    if not ours and d.chance(0.12):
        return data
    x = xp.asarray(data)
    if d.chance(0.08) and x._node.kind in "ifc":
        x = wrap(x._data, x._node.weak_form)
    return x


#: Values of parameters that many functions have, among them wrong ones.
ODD = {
    "axis": [None, (), (0,), (0, 1), (-1,), 0, 1, -1, 2, 99, -99, True, 0.5, "0", (0, 0), [0], np.int64(0)],
    "axes": [None, (), (0,), (0, 1), (1, 0), 0, -1, (0, 0), 99],
    "keepdims": [True, False, 1, None],
    "dtype": [*DTYPES, None, int, float, bool, complex, "float", "no such", np.float16, xp.float32, "int", object],
    "copy": [True, False, None],
    "where": [True, False, None],
    "initial": [0, 1, 2.5, None],
    "mode": ["clip", "drop", "fill", "promise_in_bounds", "wrap", None, "no such"],
    "out": [None],
    "correction": [0, 1, 0.5],
    "ddof": [0, 1],
    "stable": [True, False],
    "descending": [True, False],
    "side": ["left", "right"],
    "size": [None, 0, 3],
    "fill_value": [None, 0, -1, 2.5],
    "n": [None, 0, 1, 3],
    "indexing": ["xy", "ij"],
    "equal_nan": [True, False],
}


@functools.cache
def parameters(function):
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def by_position(function, args, kwargs):
    """Return arguments of which as many as possible are given by position."""
    args, kwargs = list(args), dict(kwargs)
    for parameter in list(parameters(function).values())[len(args) :]:
        by_name = parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        if by_name or not kwargs or (parameter.name not in kwargs and parameter.default is parameter.empty):
            break
        args.append(kwargs.pop(parameter.name, parameter.default))
    return tuple(args), kwargs


def of_subject(d, subject):
    """Return a call of a function of the tables, with arguments of which some may be odd."""
    args, kwargs = subject.arguments(d)
    ours = subject.name.startswith("Array")  # whose methods are those of ndarrays too
    args, kwargs = tree(lambda x: given(d, x, ours=ours), (args, kwargs))
    function = subject.function or functools.reduce(getattr, subject.name.split()[0].split("."), xp)
    if d.chance(0.25):
        names = [name for name in parameters(function) if name in ODD]
        names += [name for name in kwargs if name in ODD]
        if names:
            name = d.one(names)
            kwargs[name] = d.one(ODD[name])
    if d.chance(0.3):
        args, kwargs = by_position(function, args, kwargs)
    if d.chance(0.03) and len(args) > ours:
        args = (*args[:-1], hostile.VALUES[d.one(list(hostile.VALUES))]())
    return function, args, kwargs


#: Classes, whose constructors only refuse; addresses; and functions that leave the process in another state.
UNCALLED = {
    "Array",
    "ndarray",
    "Array.unsafe_buffer_pointer",
    "frombuffer",
    "promotion.system.draw",
    "Array.delete",
    "Array.tofile",
    "supremum.jax.lax.rng_uniform",  # whose numbers differ from call to call
}
TARGETS = [target for target in bad_calls.targets() if target.label not in UNCALLED]


def of_target(d):
    """Return a call with hostile arguments."""
    while True:
        target = d.one(TARGETS)
        args, kwargs, _ = bad_calls.call_of(target, d.rng)
        # Bytes are joined with whatever has a buffer, which classes written in Python have from 3.12 on.
        if bad_calls.reaches(target, args) and not (sys.version_info < (3, 12) and any(type(x) is bytes for x in args)):
            return target.label, target.function, args, kwargs


IN_PLACE = [name for name in dir(operator) if name.startswith("i") and hasattr(xp.Array, f"__{name}__")]


def random_array(d, shape=None, *, ours=False):
    return given(d, d.array(DTYPES, shape), ours=ours)


def scalar(d):
    return d.one(
        [
            0,
            1,
            -1,
            2,
            7,
            300,
            -129,
            2**31,
            2**40,
            2**63,
            2**70,
            0.0,
            -0.0,
            0.5,
            1e-8,
            1e39,
            1e300,
            float("inf"),
            float("nan"),
            True,
            False,
            1j,
            2.5 - 1j,
            np.float32(1.5),
            np.int8(3),
            np.float64(0.1),
            np.True_,
        ]
    )


def of_operator(d):
    """Return a call of an operator, of two arrays or an array and a scalar, perhaps in place or on views that overlap."""
    x = d.array(DTYPES)
    if d.chance(0.25):
        y = scalar(d)
    else:
        y = d.partner(x, x.dtype.name if d.flag() else DTYPES)
        y = given(d, y) if isinstance(y, np.ndarray) else y
    first = given(d, x, ours=not isinstance(y, xp.Array))
    if d.chance(0.4):
        name = d.one(IN_PLACE)
        if d.chance(0.2) and first.ndim and len(first) > 1 and isinstance(first, xp.Array):
            return f"operator.{name} overlapping", lambda x: getattr(operator, name)(x[1:], x[:-1]), (first,), {}
    else:
        name = d.one([*bad_calls.OPERATORS])
        if d.flag():
            first, y = y, first
    return f"operator.{name}", divmod if name == "divmod" else getattr(operator, name), (first, y), {}


CONVERSIONS = {
    "bool": bool,
    "int": int,
    "float": float,
    "complex": complex,
    "index": operator.index,
    "len": len,
    "list": list,
    "repr": repr,
    "str": str,
    "hash": hash,
    "round": round,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "format": lambda x: f"{x:.3f}",
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "numpy": np.asarray,
    "dlpack": np.from_dlpack,
    "from_dlpack": xp.from_dlpack,
    "contains": lambda x: 1 in x,
    "iter": lambda x: [*x],
    "bytes": bytes,
    "ufunc of numpy": np.add.reduce,
    "numpy exp": np.exp,
    "numpy sum": np.sum,
    "numpy concat": lambda x: np.concatenate([x, x]),
    "neg": operator.neg,
    "pos": operator.pos,
    "abs": abs,
    "invert": operator.invert,
    "sizeof": lambda x: x.nbytes,
    "contains nan": lambda x: xp.nan in x,
    "reversed": lambda x: [*reversed(x)],
    "interface": lambda x: sorted(x.__array_interface__),
}
if sys.version_info >= (3, 12):  # classes written in Python have buffers from then on, which NumPy prefers
    CONVERSIONS["memoryview"] = lambda x: bytes(memoryview(x))
    CONVERSIONS["numpy float32"] = lambda x: np.asarray(x, dtype=np.float32)


def of_conversion(d):
    name = d.one(CONVERSIONS)
    return (
        f"conversion {name}",
        CONVERSIONS[name],
        (random_array(d, d.one([(), (), (1,), (3,), (0,), (1, 1), (2, 3)]), ours=True),),
        {},
    )


def index(d, length):
    """Return an index of an axis."""
    kind = d.int(0, 9)
    if kind < 3:
        return d.int(-length, max(length - 1, 0)) if d.chance(0.9) else d.int(-length - 1, length)
    if kind < 5:
        ends = [None, *range(-length - 1, length + 2)]
        return slice(d.one(ends), d.one(ends), d.one([None, None, 1, 2, -1, -2]))
    if kind < 7:
        numbers = np.array([d.int(-length - 1, length) for _ in range(d.int(0, 5))])
        numbers = numbers.reshape(d.one([(-1,), (1, -1)]) if numbers.size else (0,))
        return given(d, numbers.astype(d.one(["int32", "int64", "int8", "uint8", "uint32", "int16", "int4"])))
    if kind == 7:
        return given(d, np.array([d.flag() for _ in range(d.one([length, length, length + 1, 1]))], bool))
    return d.one([None, Ellipsis, True, False, np.int64(0), 1.5, [0, 0], [True, False], "a", xp.asarray(0), slice(None)])


def key(d, x):
    """Return a key of an array."""
    if d.chance(0.08):
        return given(d, arrays.make(d.seed(), "bool", x.shape, "small"))
    if not x.ndim:
        return d.one([(), Ellipsis, None, 0, True])
    parts = tuple(index(d, n) for n in x.shape[: d.int(1, x.ndim)])
    return parts[0] if len(parts) == 1 and d.flag() else parts


def of_indexing(d):
    """Return a call that reads or writes by a key, or an update by `.at`."""
    x = random_array(d, d.shape(d.int(0, 1)), ours=True)
    where = key(d, x)
    how = d.one(["get", "set", "at", "at", "at"])
    if how == "get":
        return "Array[]", operator.getitem, (x, where), {}
    if d.flag():
        value = scalar(d) if d.flag() else d.one([0, 1, 2.5])
    else:
        names = x.dtype.name if d.chance(0.7) and x.dtype.name in NODES else DTYPES
        value = given(d, d.array(names, d.one([(), (), (1,), (3,), x.shape[-1:], x.shape])))
    if how == "set":
        return "Array[]=", operator.setitem, (x, where, value), {}
    name = d.one(["get", "set", "add", "subtract", "multiply", "divide", "power", "min", "max", "apply"])
    options = {"mode": d.one(ODD["mode"])} if d.chance(0.3) else {}
    if name == "get":
        if d.chance(0.3):
            options["fill_value"] = scalar(d)
        return "at[].get", lambda x, k, **o: x.at[k].get(**o), (x, where), options
    if name == "apply":
        return "at[].apply", lambda x, k, **o: x.at[k].apply(xp.negative, **o), (x, where), options
    return f"at[].{name}", lambda x, k, v, **o: getattr(x.at[k], name)(v, **o), (x, where, value), options


UFUNCS = sorted(name for name in xp.__all__ if isinstance(getattr(xp, name), xp.ufunc))


def of_ufunc(d):
    """Return a call of a method of a ufunc."""
    function = getattr(xp, d.one(UFUNCS))
    how = d.one(["reduce", "accumulate", "outer", "reduceat", "at", "call"])
    x = random_array(d, d.shape(1))
    label = f"{function.__name__}.{how}"
    options = {"axis": d.one(ODD["axis"])} if d.flag() else {}
    if how in ("reduce", "accumulate", "reduceat") and d.chance(0.2):
        options["dtype"] = d.one(ODD["dtype"])
    if how == "call":
        return label, function, tuple(random_array(d, x.shape) for _ in range(function.nin)), {}
    if how == "outer":
        return label, function.outer, (x, random_array(d, d.shape(most=2))), {}
    if how == "reduceat":
        return label, function.reduceat, (x, [d.int(0, 3) for _ in range(d.int(1, 3))]), options
    if how == "at":
        where = given(d, np.array([d.int(-1, 2) for _ in range(d.int(1, 4))]))
        values = () if function.nin == 1 else (scalar(d) if d.flag() else random_array(d, d.one([(), where.shape])),)
        return label, function.at, (x, where, *values), {"inplace": False} if d.chance(0.8) else {}
    if how == "reduce" and d.chance(0.2):
        options |= {"where": given(d, arrays.make(d.seed(), "bool", x.shape, "small")), "initial": d.one([None, 0, 1, 5])}
    return label, getattr(function, how), (x,), options


#: Packages with further public functions, of which the tables have no rows.
PACKAGES = ("supremum.scipy", "supremum.jax.lax", "supremum.nn", "supremum.lib")


def modules(name):
    """Return the modules of a package that have public functions."""
    package = importlib.import_module(name)
    found = [info.name for info in pkgutil.walk_packages(package.__path__, f"{name}.")]
    public = [name, *(each for each in found if not any(part.startswith("_") for part in each.split(".")))]
    return [importlib.import_module(each) for each in public]


def functions():
    """Return the public functions of `PACKAGES` by label."""
    found = {
        f"{module.__name__}.{name}": getattr(module, name)
        for package in PACKAGES
        for module in modules(package)
        for name in getattr(module, "__all__", ())
    }
    return {
        label: f for label, f in sorted(found.items()) if label not in UNCALLED and callable(f) and not isinstance(f, type)
    }


FUNCTIONS = functions()


def of_any(d):
    """Return a call of any public function, with arguments that its parameters' names ask for, or arrays of one shape."""
    label = d.one(FUNCTIONS)
    function = FUNCTIONS[label]
    shape, names = d.one([(), (3,), (3, 3), (2, 3, 3)]), d.one([("float32",), ("float32", "float64"), DTYPES])
    args, kwargs = [], {}
    for parameter in parameters(function).values():
        required = parameter.default is parameter.empty
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) or (not required and d.chance(0.8)):
            continue
        if parameter.name in hostile.MEANT and d.chance(0.9):
            value = hostile.MEANT[parameter.name]()
        elif parameter.name in ODD and d.chance(0.9):
            value = d.one(ODD[parameter.name])
        else:
            value = scalar(d) if d.chance(0.15) else given(d, d.array(names, shape))
        if parameter.kind is parameter.KEYWORD_ONLY or kwargs or not required:
            kwargs[parameter.name] = value
        else:
            args.append(value)
    return label, function, tuple(args), kwargs


def make(seed, number):
    """Return a call: the settings, a label, the function and its arguments."""
    d = Draw(random.Random(f"{seed}/{number}"))
    kind = d.rng.random()
    chosen = settings(d)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if kind < 0.5:
            subject = SUBJECTS[number % len(SUBJECTS)] if d.flag() else d.one(SUBJECTS)
            call = (subject.name, *of_subject(d, subject))
        else:
            makers = [of_operator, of_operator, of_indexing, of_indexing, of_ufunc, of_conversion, of_target, of_any]
            call = d.one(makers)(d)
    return chosen, *call


# -- what comes of a call -----------------------------------------------------------------------------------------------------


def described(value, depth=0):
    """Describe a value so that equal ones have equal descriptions in every process."""
    if isinstance(value, xp.Array):
        return ["Array", str(value.dtype), value.weak_type, *elements(value._data)]
    if isinstance(value, np.ndarray):
        return ["ndarray", value.dtype.str, *elements(value)]
    if isinstance(value, np.generic):
        return [type(value).__name__, *elements(np.asarray(value))]
    if isinstance(value, (list, tuple)) and depth < 5:
        return [type(value).__name__, len(value), *(described(each, depth + 1) for each in value[:MANY])]
    if isinstance(value, dict) and depth < 5:
        return ["dict", *([described(k, depth + 1), described(v, depth + 1)] for k, v in value.items())]
    if isinstance(value, float | complex):
        return [type(value).__name__, "nan" if value != value else repr(value)]
    if isinstance(value, str):
        return ["str", text(value)]
    if isinstance(value, bytes):
        return ["bytes", len(value), value[:MANY].hex()]
    if value is None or isinstance(value, bool | int | type | np.dtype):
        return [type(value).__name__, repr(value)]
    return [type(value).__name__]


#: How much of a long sequence, and of an array, is described.
MANY, LARGEST = 1000, 300_000


def text(value):
    return re.sub(r"0x[0-9a-f]{6,}", "0x", value[:10_000])


def elements(data):
    """Describe the shape and the bytes of the elements; one pattern stands for every NaN."""
    if data.dtype.kind in "SUO" or data.dtype == np.longdouble:  # whose elements have unused bytes
        return [data.shape, text(repr(data.tolist()))]
    if arrays.native(data).dtype.name in arrays.WITHOUT_NAN:  # which becomes a zero of its sign, and operations specify none
        data = np.where(data == 0, np.zeros((), data.dtype), data)
    if data.size > LARGEST:
        return [data.shape]
    if data.dtype.names or arrays.native(data).dtype.name not in NODES:
        return [data.shape, np.ascontiguousarray(data).tobytes().hex()]
    shape, _, *held = arrays.bits(data)
    return [shape, *(part.hex() for part in held)]


def arrays_in(value, depth=0):
    """Return the arrays in nested lists, tuples and dicts, of which some contain themselves."""
    if isinstance(value, xp.Array | np.ndarray):
        return [value]
    if isinstance(value, dict):
        value = [*value.values()]
    return [x for each in value for x in arrays_in(each, depth + 1)] if isinstance(value, list | tuple) and depth < 5 else []


def outcome(chosen, function, args, kwargs):
    """Call the function under settings, and describe the result or the error, the warnings, and the arguments after it."""
    with xp.config.use(**chosen), warnings.catch_warnings(record=True) as caught, bad_calls.time_limit(SECONDS):
        warnings.simplefilter("always")
        try:
            result = function(*args, **kwargs)
            if inspect.isgenerator(result) or hasattr(result, "__next__"):
                result = [*result]
            came = ["result", described(result)]
        except bad_calls.HangError:
            came, result = ["hangs"], None
        except Exception as error:  # noqa: BLE001 - whatever one engine raises, the other must raise
            # Which array did not fit depends on how the engine computes.
            came = ["error", type(error).__name__, "" if isinstance(error, MemoryError) else text(str(error))]
            result = None
        said = [[each.category.__name__, text(str(each.message))] for each in caught]
    shared = [
        [np.may_share_memory(*map(buffer, (one, other))) for other in arrays_in((args, kwargs))] for one in arrays_in(result)
    ]
    return {"came": came, "warnings": said, "after": [described(x) for x in arrays_in((args, kwargs))], "shared": shared}


def buffer(x):
    return x._data if isinstance(x, xp.Array) else x


def call_and_outcome(seed, number):
    """Describe a call, and what comes of it."""
    chosen, label, function, args, kwargs = make(seed, number)
    try:
        call = [label, chosen, described(args), described(kwargs)]
    except Exception as error:  # noqa: BLE001 - hostile objects
        call = [label, chosen, str(error)]
    return call, outcome(chosen, function, args, kwargs)


def digest(value):
    return hashlib.blake2b(json.dumps(value, default=repr).encode(), digest_size=8).hexdigest()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", default="0")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--full", type=int, nargs="*", help="print these calls and what comes of them")
    options = parser.parse_args()
    faulthandler.enable()
    out = sys.stdout
    with bad_calls.memory_limit(MEMORY), contextlib.redirect_stdout(sys.stderr):
        if options.full is not None:
            for number in options.full:
                print(json.dumps([number, *call_and_outcome(options.seed, number)], default=repr), file=out, flush=True)
            return
        for number in range(options.first, options.first + options.count):
            print(number, end=" ", file=out, flush=True)
            call, came = call_and_outcome(options.seed, number)
            print(digest(call), digest(came), file=out)


if __name__ == "__main__":
    main()
