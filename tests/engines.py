"""Set up the engines for tests: the native one and its specification in Python.

The engine that the package uses is tested as it is; the other one is configured by this module, with the package's plans.
"""

import contextlib
import functools
import importlib
import os

import numpy as np
import pytest
from generators import RNG
from rows import ROWS, RULES

import supremum as xp
from supremum._array import hooks
from supremum._base.python_operators import FUNCTIONS
from supremum._core import array, engine as seam, plans, reduction_rows as reductions, settings
from supremum.promotion._nodes import ARRAY_NODES, NODES

#: SUPREMUM_TEST_LOOPS=0 runs the tests as if NumPy's loops were unavailable.
LOOPS = os.environ.get("SUPREMUM_TEST_LOOPS", "1") != "0"
MODULES = {"native": "supremum._native", "reference": "supremum._core._reference"}


class Engine:
    """An engine with its own states and the package's operations."""

    def __init__(self, name):
        self.name = name
        self.module = importlib.import_module(MODULES[name])
        self.module.use_loops(LOOPS)
        self.makings = 0
        self.is_package = seam.engine_name == name
        if self.is_package:
            self.state = settings.state()
            self.operations = {name: row.engine for name, row in ROWS.items()}
            return
        self.module.register(ARRAY_NODES)
        names = [
            (key, node) for node in NODES.values() for key in (node.name, getattr(xp, node.name), node.dtype, node.dtype.type)
        ]
        self.module.register_dtypes([*names, *((python, python) for python in (bool, int, float, complex))])
        self.state = self.module.State()
        defaults = [NODES[name] for name in ("bool", "int32", "float32", "complex64")]
        self.state.set_defaults(defaults, [node.weak_form for node in defaults])
        self.module.use(self.state)
        self.operations = {name: self.operation(rule) for name, rule in RULES.items()}
        self.module.complete(**{slot: self.operations[name] for slot, name in FUNCTIONS.items()})
        self.module.complete(**{name[3:]: getattr(self, name) for name in dir(self) if name.startswith("on_")})

    def __getattr__(self, name):
        return getattr(self.module, name)

    @contextlib.contextmanager
    def immutable(self):
        if self.is_package:
            with xp.config.use(mutable=False):
                yield
            return
        self.state.mutable = False
        try:
            yield
        finally:
            self.state.mutable = True

    def hook(self, name):
        """Return the current value of a hook."""
        return hooks.HOOKS[name] if self.is_package else getattr(self, f"on_{name}")

    @contextlib.contextmanager
    def hooked(self, **replaced):
        """Replace hooks within a context."""
        self.module.complete(**replaced)
        try:
            yield
        finally:
            self.module.complete(**{name: self.hook(name) for name in replaced})

    def operation(self, rule):
        def one(_state, node, _shape):
            self.makings += 1
            return plans.plan_unary(rule, settings.process[0], node, self.module.Plan)[1]

        def two(_state, a, b, *_shapes):
            self.makings += 1
            nodes = tuple(plans.PYTHON_SCALARS[key] if isinstance(key, type) else key for key in (a, b))
            return plans.plan_binary(rule, settings.process[0], *nodes, self.module.Plan)[1]

        return self.module.Operation(rule.name, rule.nin, one if rule.nin == 1 else two)

    def fold(self, name, how="reduce"):
        rule = reductions.rule_of(getattr(xp, name))

        def make(_state, node, _shape):
            return reductions.plan_reduction(rule, settings.process[0], node, (), self.module.Plan)

        def definition(a, axis=None, keepdims=False):
            x = getattr(xp, name)(
                array.wrap(a._data, a._node), axis=axis, **({} if how == "accumulate" else {"keepdims": keepdims})
            )
            return self.module.wrap(x._data, x._node)

        return self.module.Function(definition, how, self.module.Operation(name, 1, make))

    def theirs(self, x):
        """Convert an engine's array, or a list of them, to the package's; return anything else unchanged."""
        if type(x) is self.module.Array:
            return array.wrap(x._data, x._node)
        return type(x)(map(self.theirs, x)) if type(x) in (list, tuple) else x

    def ours(self, x):
        """Convert the package's array, or a list of them, to an engine's; return anything else unchanged."""
        if type(x) is xp.Array:
            return self.module.wrap(x._data, x._node)
        return type(x)(map(self.ours, x)) if type(x) in (list, tuple) else x

    def asked(self, function, *args, **kwargs):
        """Return the result of a function of the package for arrays of an engine."""
        return self.ours(function(*map(self.theirs, args), **{key: self.theirs(value) for key, value in kwargs.items()}))

    def array(self, data, *, weak=False):
        data = np.asarray(data)
        node = NODES[data.dtype.name]
        return self.module.wrap(data, node.weak_form if weak else node)

    # -- hooks

    def on_getitem(self, x, key):
        data = x._data[tuple(self._key(part) for part in key) if isinstance(key, tuple) else self._key(key)]
        return self.module.wrap(np.asarray(data), x._node)

    def on_setitem(self, x, key, value):
        if not self.module.state().mutable:
            raise TypeError("Array is immutable")
        if isinstance(value, complex | float) and x._node.kind in "iub":
            raise TypeError("would lose its kind")
        x._data[self._key(key)] = self._key(value)

    def on_delitem(self, x, key):
        raise TypeError("cannot delete")

    def _key(self, part):
        return part._data if type(part) is self.module.Array else part

    def on_foreign(self, operation, x, y):
        x, y = (self.array(a) if isinstance(a, np.ndarray) else a for a in (x, y))
        if type(x) is type(y) is self.module.Array:
            return self.module.Function(lambda *_: None, "elementwise", operation)(x, y)
        return NotImplemented

    def on_mismatch(self, operation, *operands):
        shapes = " and ".join(str(x.shape) for x in operands)
        raise ValueError(f"{operation.name}: the shapes {shapes} cannot be broadcast together")

    def on_in_place(self, operation, x, y):
        result = self.module.Function(lambda *_: NotImplemented, "elementwise", operation)(x, y)
        if result is NotImplemented:
            return result
        if result.dtype != x.dtype:
            raise TypeError("in-place: the result's dtype is not the array's own")
        if result.shape != x.shape:
            raise ValueError("in-place: the result's shape is not the array's own")
        x._data[...] = result._data
        return x

    def on_matmul(self, x, y, in_place):
        return self.module.wrap(np.asarray(np.matmul(x._data, y._data)), x._node)

    def on_divmod(self, x, y):
        return x // y, x % y

    def on_contains(self, x, value):
        return bool((x == value)._data.any())

    def on_to_bool(self, x):
        if x.size != 1:
            raise ValueError("The truth value is ambiguous")
        return bool(x._data.item())

    def on_to_int(self, x):
        return int(self._item(x))

    def on_to_float(self, x):
        return float(self._item(x))

    def on_to_complex(self, x):
        return complex(self._item(x))

    def on_to_index(self, x):
        if x.ndim or x._node.kind not in "iu":
            raise TypeError("Only integer scalar arrays")
        return int(x._data.item())

    def _item(self, x):
        if x.ndim:
            raise TypeError("Only scalar arrays")
        return x._data.item()

    def on_iterate(self, x):
        raise TypeError("iteration over a 0-d array")


@functools.cache
def configured(name):
    """Return an engine by name; it is configured once per process."""
    return Engine(name)


def engine_or_skip(name):
    """Return an engine by name; skip the test if it was not compiled."""
    try:
        importlib.import_module(MODULES[name])
    except ImportError:
        pytest.skip("the native engine is not compiled")
    return configured(name)


# -- samples ------------------------------------------------------------------------------------------------------------------

#: Ways in which the elements of an array may lie in memory.
LAYOUTS = {
    "one": lambda a: a,
    "strided": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
    "reversed": lambda a: a[..., ::-1],
    "fortran": np.asfortranarray,
    "transposed": lambda a: np.ascontiguousarray(a.T).T,
    "unaligned": lambda a: np.frombuffer(b"x" + a.tobytes(), np.uint8)[1:].view(a.dtype).reshape(a.shape),
}


def same(ours, theirs):
    """Return whether an Array equals NumPy's result: dtype, shape and bits, any NaN equal to any other."""
    theirs = np.asarray(theirs)
    assert ours.dtype == theirs.dtype, (ours.dtype, theirs.dtype)
    assert ours.shape == theirs.shape, (ours.shape, theirs.shape)
    np.testing.assert_array_equal(ours._data, theirs)
    if theirs.dtype.kind == "f":
        assert (np.signbit(ours._data) == np.signbit(theirs))[~np.isnan(theirs)].all()


def samples(dtype, shape):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return RNG.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        return RNG.integers(-100 if dtype.kind == "i" else 1, 100, shape).astype(dtype)
    if dtype.kind == "f":
        return RNG.normal(size=shape).astype(dtype)
    return (RNG.normal(size=shape) + 1j * RNG.normal(size=shape)).astype(dtype)
