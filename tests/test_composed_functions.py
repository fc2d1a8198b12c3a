"""Functions that are described as composed: guests who look through them see parts that make the result."""

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import explaining
from supremum._base.facts import facts_of
from supremum._core import engine
from supremum._core.array import Array
from supremum.promotion._nodes import NODES


def named(name):
    """Return a function by its name, or None if the name is no function's."""
    found = xp
    for part in name.split("."):
        found = getattr(found, part, None)
    return found if isinstance(found, engine.Function) else None


def described():
    """Return the names of composed functions."""
    return [name for name in explaining.known() if (function := named(name)) is not None and function.kind == "composed"]


COMPOSED = described()
DTYPES = ("float32", "float64", "int32", "bfloat16")


def arrays_in(values):
    for x in values:
        if isinstance(x, Array | Probe):
            yield x
        elif isinstance(x, tuple | list):
            yield from arrays_in(x)


class Flow:
    """A watcher that looks through a function, and keeps what its parts got and made."""

    def __init__(self, whole):
        self.whole = whole
        self.inputs, self.results, self.foreign = [], [], []

    def __call__(self, function, args, kwargs):
        if function is self.whole and not self.inputs:
            self.inputs = list(arrays_in((*args, *kwargs.values())))
            with xp.config.use(watcher=self):
                return function.definition(*args, **kwargs)
        known = {id(x) for x in (*self.inputs, *self.results)}
        # A Python scalar among the arguments may be an array without axes before it comes to a part.
        given = arrays_in((*args, *kwargs.values()))
        self.foreign += [(function.name, x) for x in given if id(x) not in known and (x.ndim or not x.weak_type)]
        if function.kind == "conversion":
            self.foreign.append((function.name, "a part of the way is Python's"))
        result = function(*args, **kwargs)
        self.results += arrays_in((result,))
        return result


def call_of(name):
    """Return a call of a function of matrices, and the function."""
    return explaining._call(name, (None,)), named(name)


def same(a, b):
    a, b = list(arrays_in((a,))), list(arrays_in((b,)))
    return len(a) == len(b) and all(
        x.dtype == y.dtype and np.array_equal(np.asarray(x), np.asarray(y), equal_nan=x.dtype.kind in "fc")
        for x, y in zip(a, b, strict=True)
    )


@for_each("dtype", DTYPES)
@for_each("name", COMPOSED)
def test_the_parts_that_a_watcher_sees_make_the_result(name, dtype):
    call, function = call_of(name)
    flow = Flow(function)

    def watched(*args, **kwargs):
        with xp.config.use(watcher=flow):
            return function(*args, **kwargs)

    errors, x = [], explaining._array(NODES[dtype])
    result = explaining._evaluated(call, watched, [x], errors)
    if errors:  # of the dtype, as without a watcher
        with pytest.raises(type(errors[0])):
            raise_all(call, function, x)
        return
    assert flow.foreign == []
    made, given = ({id(y) for y in arrays} for arrays in (flow.results, flow.inputs))
    returned = {id(y) for y in arrays_in((result,))}
    # An operand that is as it should be, such as one for `atleast_1d`, comes back without parts.
    assert returned <= made or (not made and returned <= given)
    assert same(result, explaining._evaluated(call, function, [x]))


def raise_all(call, function, x):
    errors = []
    explaining._evaluated(call, function, [x], errors)
    raise errors[0]


def _operator(name):
    def operator(self, *others):
        return getattr(xp, name)(self, *others)

    def reflected(self, other):
        return getattr(xp, name)(other, self)

    return operator, reflected


class Probe:
    """An operand that takes over what is opaque, and looks through what is composed."""

    __array_priority__ = 1000

    def __init__(self, array):
        self.array = array

    def __supremum_function__(self, function, args, kwargs):
        if function.kind == "composed":
            return NotImplemented
        result = function(*map(unwrapped, args), **{key: unwrapped(x) for key, x in kwargs.items()})
        return probed(result)

    dtype = property(lambda self: self.array.dtype)
    shape = property(lambda self: self.array.shape)
    ndim = property(lambda self: self.array.ndim)
    size = property(lambda self: self.array.size)
    T = property(lambda self: Probe(self.array.T))

    def __getitem__(self, key):
        return Probe(self.array[key])

    def reshape(self, *shape):
        return xp.reshape(self, shape[0] if len(shape) == 1 else shape)

    for _name, _row in {
        "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "pow": "pow", "floordiv": "floor_divide",
        "mod": "remainder",
    }.items():  # fmt: skip
        locals()[f"__{_name}__"], locals()[f"__r{_name}__"] = _operator(_row)
    for _name, _row in {
        "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "neg": "negative", "abs": "abs",
    }.items():  # fmt: skip
        locals()[f"__{_name}__"], _ = _operator(_row)


def unwrapped(x):
    if isinstance(x, Probe):
        return x.array
    if isinstance(x, tuple | list):
        return type(x)(*map(unwrapped, x)) if hasattr(x, "_fields") else type(x)(map(unwrapped, x))
    return x


def probed(x):
    if isinstance(x, Array):
        return Probe(x)
    if isinstance(x, tuple):
        return type(x)(*map(probed, x)) if hasattr(x, "_fields") else tuple(map(probed, x))
    return x


@for_each("name", COMPOSED)
def test_an_operand_that_takes_over_the_parts_has_the_result(name):
    call, function = call_of(name)

    def of_probes(*args, **kwargs):
        return unwrapped(function(*map(probed, args), **kwargs))

    errors, x = [], explaining._array(NODES["float32"])
    result = explaining._evaluated(call, of_probes, [x], errors)
    assert errors == []
    assert same(result, explaining._evaluated(call, function, [x]))


def test_there_are_composed_functions_of_many_kinds():
    assert {"nn.softmax", "nn.silu", "ptp", "unique_all", "linalg.outer", "fft.fftshift"} <= set(COMPOSED)
    assert named("sort").kind == "opaque"


EXACT = [name for name in explaining.known() if (function := named(name)) is not None and facts_of(function).exact]
#: Operands of functions of two or three, in place of one.
OPERANDS = {"polyval": ((5, 2), ()), "interp": ((40,), (7,), (7,))}


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_exact_parts_compute_the_same_bits(name, dtype):
    function, draw = named(name), np.random.default_rng(0).normal
    with xp.config.use(jax_enable_x64=dtype == "float64"):
        for shape in [(), (1,), (7,), (40,), (3, 5), (4, 3, 2)]:
            for special in (False, True):
                arrays = [(3 * draw(size=one)).astype(dtype) for one in OPERANDS.get(name, [shape])]
                if special and arrays[0].size > 3:
                    arrays[0].flat[:4] = np.nan, -np.inf, -0.0, 0.0
                given = [xp.asarray(np.sort(x) if name == "interp" else x) for x in arrays]
                options = {"clip": {"min": -1.0, "max": 2}}.get(name, {})
                out, parts = function(*given, **options), facts_of(function).parts(xp, *given, **options)
                assert (out._node, np.asarray(out).tobytes()) == (parts._node, np.asarray(parts).tobytes())
