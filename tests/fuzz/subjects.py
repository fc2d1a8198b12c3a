"""Define the rows of the tables of fuzzed functions, and expected values that many rows share."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import arrays
import numpy as np
from arrays import NODES, cast, dtype_of

import supremum as xp

#: Short names of groups of dtypes: all kinds, numbers, ordered ones, integers, floats.
ANY, REAL = "biufc", "biuf"


@dataclass(frozen=True)
class Subject:
    """A public function, how its arguments are made, and what its results are compared with."""

    #: The name in the namespace, such as "linalg.det"; text after a blank distinguishes several rows of one function.
    name: str
    #: From an `arrays.Draw` to positional arguments and keywords; arrays are ndarrays, also in lists and tuples.
    arguments: Callable[[arrays.Draw], tuple[Any, ...]]
    #: From (dtypes of the results, *arguments) to exact results, or None if only the laws are checked.
    reference: Callable[..., Any] | None = None
    #: Units in the last place by which a result may differ from the exact one; None: equal bits.
    units: float | None = 4
    #: From (*arguments) to the magnitude that the units refer to, if it is not the result's own.
    scale: Callable[..., Any] | None = None
    #: How far results for two layouts may differ: NumPy's vector and scalar loops round differently.
    layout_units: float = 8
    #: Whether the dtype of the result depends on the dtypes of the arguments alone.
    of_dtypes: bool = True
    #: The function, if it is not in the namespace under the name.
    function: Callable[..., Any] | None = field(default=None, compare=False)

    def __call__(self, *args, **kwargs):
        function = self.function or functools.reduce(getattr, self.name.split()[0].split("."), xp)
        return function(*args, **kwargs)


def arguments(*args, **kwargs):
    return args, kwargs


def tree(function, value):
    """Apply a function to the ndarrays in lists, tuples and dicts."""
    if isinstance(value, np.ndarray):
        return function(value)
    if isinstance(value, (list, tuple)):
        made = [tree(function, each) for each in value]
        return made if isinstance(value, list) else type(value)(*made) if hasattr(value, "_fields") else tuple(made)
    if isinstance(value, dict):
        return {key: tree(function, each) for key, each in value.items()}
    return value


def leaves(value):
    """Return the elements of nested lists, tuples and dicts."""
    if isinstance(value, (list, tuple)):
        return [leaf for each in value for leaf in leaves(each)]
    if isinstance(value, dict):
        return [leaf for each in value.values() for leaf in leaves(each)]
    return [value]


# -- expected values ----------------------------------------------------------------------------------------------------------


def meeting(operands, out):
    """Return the dtype in which operands are computed: the promoted one, or the result's if integers become floats."""
    dtype = np.dtype(xp.result_type(*operands))
    kind, to = NODES[dtype.name].kind, NODES[out].kind
    if (kind in "biu" and to in "fc") or (kind == "b" and to in "iu"):
        return dtype_of(out)
    return dtype


def scaled(x, dtype):
    """Return an operand cast to a dtype and then to a wide one."""
    x = np.asarray(x)
    if NODES[dtype.name].kind != "c" and x.dtype.kind == "c":
        return arrays.wide(x)
    if NODES[dtype.name].kind in "iu" and x.dtype.kind in "iub":
        return arrays.wide(cast(x, dtype))
    return arrays.wide(cast(x, dtype))


def elementwise(function):
    """Compute with NumPy's function in a wider type, on operands in their promoted dtype."""

    def reference(out, *operands, **kwargs):
        dtype = meeting(operands, out[0])
        with np.errstate(all="ignore"):
            return function(*(scaled(x, dtype) for x in operands), **kwargs)

    return reference


def moved(function):
    """Compute with NumPy's function, which only moves elements."""

    def reference(_out, *args, **kwargs):
        return function(*args, **kwargs)

    return reference


def joined(function):
    """Compute with NumPy's function on arrays cast to the promoted dtype of all."""

    def reference(out, *args, **kwargs):
        return function(*tree(lambda x: cast(x, dtype_of(out[0])), args), **kwargs)

    return reference


def widened(function):
    """Compute with NumPy's function in a wider type, on arrays cast to the result's dtype first if that is wider."""

    def reference(out, *args, **kwargs):
        held = [x for x in leaves(args) if isinstance(x, np.ndarray)]
        dtype = meeting(held, out[0])
        with np.errstate(all="ignore"):
            return function(*tree(lambda x: scaled(x, dtype), args), **kwargs)

    return reference


def sizes(function):
    """Return the magnitude of the summands: NumPy's function of absolute values."""

    def scale(*args, **kwargs):
        with np.errstate(all="ignore"):
            return np.abs(function(*tree(lambda x: np.abs(arrays.wide(x)), args), **kwargs))

    return scale


# -- arguments that many functions take ---------------------------------------------------------------------------------------


def one(kinds=ANY, classes=None, ndim=0, empty=True, most=4, bits=0):
    """Make a single array."""
    names = arrays.named(kinds, bits)
    return lambda d: arguments(d.array(names, d.shape(ndim, empty, most), classes))


def two(kinds=ANY, classes=None):
    """Make two operands that broadcast, the second one sometimes a Python scalar."""
    names = arrays.named(kinds)

    def make(d):
        x = d.array(names, classes=classes)
        y = d.partner(x, names, classes)
        return arguments(x, y) if d.flag() else arguments(y, x)

    return make


def normalize_axis(kinds=ANY, classes=None, ndim=1, empty=True, none=True, keepdims=True, **more):
    """Make an array, with one axis of it or several, and `keepdims`."""
    names = arrays.named(kinds)

    def make(d):
        x = d.array(names, d.shape(ndim, empty), classes)
        kwargs = {"axis": d.axis(x, none=none)}
        if keepdims:
            kwargs["keepdims"] = d.flag()
        return arguments(x, **kwargs, **{name: d.one(options) for name, options in more.items()})

    return make
