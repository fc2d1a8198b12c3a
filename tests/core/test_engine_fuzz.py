"""Operators on random operands equal, bit for bit, NumPy's ufuncs on operands cast to the promoted dtype.

Operands have any of NumPy's dtypes or a narrow one, any shape that broadcasts, and layouts with separate code in the engines.
The sanitizers run this file too (`native/sanitize.py`).
"""

import operator

import numpy as np
import pytest
from engines import MODULES, engine_or_skip

import supremum as xp

SEEDS, CASES = range(20), 100
DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64",
          "complex128"]  # fmt: skip
#: Floats that are computed in float32 and rounded once.
NARROW = ["bfloat16", "float16", "float8_e4m3fn", "float8_e5m2"]
#: Operator → NumPy's ufunc, and the kinds of dtypes that it is tested with.
BINARY = {
    operator.add: (np.add, "biufc"),
    operator.sub: (np.subtract, "iufc"),
    operator.mul: (np.multiply, "biufc"),
    operator.truediv: (np.divide, "iufc"),
    operator.floordiv: (np.floor_divide, "iu"),
    operator.mod: (np.remainder, "iu"),
    operator.pow: (np.power, "u"),
    operator.and_: (np.bitwise_and, "biu"),
    operator.or_: (np.bitwise_or, "biu"),
    operator.xor: (np.bitwise_xor, "biu"),
    operator.lshift: (np.left_shift, "u"),
    operator.rshift: (np.right_shift, "u"),
    operator.lt: (np.less, "biuf"),
    operator.le: (np.less_equal, "biuf"),
    operator.gt: (np.greater, "biuf"),
    operator.ge: (np.greater_equal, "biuf"),
    operator.eq: (np.equal, "biufc"),
    operator.ne: (np.not_equal, "biufc"),
}
UNARY = {
    operator.neg: (np.negative, "iufc"),
    operator.pos: (np.positive, "iufc"),
    operator.abs: (np.absolute, "biufc"),
    operator.invert: (np.invert, "biu"),
}
COMPARISONS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)
IN_PLACE = {operator.add: operator.iadd, operator.sub: operator.isub, operator.mul: operator.imul, operator.or_: operator.ior,
            operator.rshift: operator.irshift}  # fmt: skip
SHAPES = [
    (),
    (0,),
    (1,),
    (4,),
    (7, 5),
    (0, 3),
    (2, 1, 3),
    (3, 4, 1),
    (600,),
    (33, 130),
    (5000,),
    (2, 1, 4100),
    (2, 3, 2, 1, 2),
]
LAYOUTS = {
    "contiguous": lambda a: a,
    "Fortran": lambda a: np.asfortranarray(a) if a.ndim else a,
    "strided": lambda a: np.repeat(a, 3, axis=-1)[..., ::3] if a.ndim else a,
    "reversed": lambda a: np.ascontiguousarray(a[::-1])[::-1] if a.ndim else a,
    "unaligned": lambda a: np.frombuffer(b"x" + a.tobytes(), np.uint8)[1:].view(a.dtype).reshape(a.shape),
    "swapped": lambda a: a.astype(a.dtype.newbyteorder()) if a.dtype.isbuiltin == 1 else a,
    "read-only": lambda a: np.broadcast_to(a, a.shape),
    "broadcast": lambda a: np.broadcast_to(a[:1], a.shape) if a.ndim and len(a) else a,
}
EDGES = [0.0, -0.0, 1.0, -1.5, float("inf"), -float("inf"), float("nan"), 3e38, 1e-42]


@pytest.fixture(scope="module", params=[*MODULES, "supremum"])
def array(request):
    """Return the function that makes an array of an ndarray: an engine's, or the package's."""
    if request.param == "supremum":
        return xp.asarray
    engine = engine_or_skip(request.param)
    return lambda a: engine.array(a.astype(a.dtype.newbyteorder("="), copy=not a.dtype.isnative))


def values(rng, dtype, shape):
    """Return random values: small integers, and floats with special values."""
    if dtype.kind in "biu":
        return np.asarray(rng.integers(-8 if dtype.kind == "i" else 0, 2 if dtype.kind == "b" else 8, shape)).astype(dtype)
    made = np.where(rng.random(shape) < 0.2, rng.choice(EDGES, shape), rng.normal(scale=10, size=shape))
    if dtype.kind == "c":
        made = rng.normal(size=shape) + 1j * rng.normal(size=shape)
    with np.errstate(all="ignore"):
        return np.asarray(made).astype(dtype)


def scalar(rng, kinds):
    """Return a Python scalar of a random kind of `kinds`."""
    integer = int(rng.integers(0, 8))
    made = {"b": bool(integer & 1), "i": integer, "u": integer, "f": float(rng.choice([0.5, -2.0, 3.25])), "c": 1 - 2j}
    return made[rng.choice(list(kinds))]


def choose(rng, sequence):
    return list(sequence)[rng.integers(len(sequence))]


def kind(dtype):
    return "f" if dtype.name in NARROW else dtype.kind


def cast(x, dtype):
    """Return an operand in the dtype of NumPy's computation, float32 for narrow floats."""
    with np.errstate(all="ignore"):
        x = np.asarray(x).astype(dtype)
        return x.astype(np.float32) if dtype.name in NARROW else x


def answer(function, operands, dtype):
    """Return NumPy's result for operands cast to a dtype."""
    ufunc, _ = (BINARY if len(operands) == 2 else UNARY)[function]
    kinds = {np.asarray(x).dtype.kind for x in operands}
    exact = function in COMPARISONS and kinds <= {"i", "u"}  # NumPy compares integers of different signedness exactly
    with np.errstate(all="ignore"):
        result = np.asarray(ufunc(*(np.asarray(x) if exact else cast(x, dtype) for x in operands)))
        return result.astype(dtype) if dtype.name in NARROW and result.dtype.kind == "f" else result


def same(got, wanted, case, *, exact):
    """Assert equal dtypes, shapes and bits, any NaN equal to any other; up to rounding if not exact."""
    data = got._data
    assert (data.dtype, data.shape) == (wanted.dtype, wanted.shape), case
    if exact:
        equal = data == wanted
        if kind(data.dtype) == "f":
            equal = equal & (np.signbit(data) == np.signbit(wanted)) | (data != data) & (wanted != wanted)
        assert np.all(equal), case
    else:
        np.testing.assert_allclose(data, wanted, rtol=8 * np.finfo(wanted.dtype).eps, err_msg=case)


class Case:
    """A random operator with random operands."""

    def __init__(self, rng):
        unary = rng.random() < 0.1
        self.function = choose(rng, UNARY if unary else BINARY)
        self.kinds = (UNARY if unary else BINARY)[self.function][1]
        possible = [name for name in DTYPES if np.dtype(name).kind in self.kinds]
        names = choose(rng, possible), choose(rng, possible)
        while self.function not in COMPARISONS and "uint64" in names and any(name.startswith("int") for name in names):
            names = choose(rng, possible), choose(rng, possible)  # except those whose promotion is a weak float
        if "f" in self.kinds and rng.random() < 0.3:
            names = (choose(rng, NARROW),) * 2
        shape = choose(rng, SHAPES)
        self.text = f"{self.function.__name__} of"
        self.operands = [self.operand(rng, names[0], shape)]
        self.dtype = xp.dtype(names[0])
        if not unary and rng.random() < 0.3:
            self.operands.append(scalar(rng, self.kinds.replace("c", "") if names[0] in NARROW else self.kinds))
            self.dtype = xp.result_type(names[0], self.operands[1])
            self.text += f" {self.operands[1]!r}"
        elif not unary:
            kept = shape[rng.integers(0, len(shape) + 1) :] if rng.random() < 0.3 else shape
            self.operands.append(self.operand(rng, names[1], tuple(1 if rng.random() < 0.2 else n for n in kept)))
            self.dtype = xp.promote_types(*names)
        if not unary and rng.random() < 0.5:
            self.operands.reverse()

    def operand(self, rng, name, shape):
        layout = choose(rng, LAYOUTS)
        self.text += f" {name}{list(shape)} {layout}"
        return LAYOUTS[layout](values(rng, xp.dtype(name), shape))

    def check(self, array):
        # NumPy's complex loops fuse operations on contiguous elements, which changes the rounding.
        self.exact = self.dtype.kind != "c" or self.function in COMPARISONS
        copies = [np.copy(x) for x in self.operands]
        operands = [array(x) if isinstance(x, np.ndarray) else x for x in self.operands]
        got = self.function(*operands)
        if self.function is operator.truediv and self.dtype.kind in "iu":
            self.dtype = got.dtype
            assert self.dtype.kind == "f"
        wanted = answer(self.function, self.operands, self.dtype)
        same(got, wanted, self.text, exact=self.exact)
        for x, copy in zip(self.operands, copies, strict=True):
            assert np.asarray(x).tobytes() == copy.tobytes(), f"{self.text} changed an operand"
        x = operands[0]
        if self.function in IN_PLACE and type(x) is type(got) and (x.dtype, x.shape) == (got.dtype, got.shape):
            self.check_in_place(array, operands[1], wanted)

    def check_in_place(self, array, other, wanted):
        """Apply the operator in place, to an array whose last axis runs backwards, and to views that overlap."""
        data = self.operands[0].astype(wanted.dtype)
        target = array(data[..., ::-1].copy()[..., ::-1] if data.ndim else data)
        same(IN_PLACE[self.function](target, other), wanted, f"{self.text}, in place", exact=self.exact)
        if data.ndim and len(data) > 1:
            whole = array(data.copy())
            wanted = answer(self.function, [data[1:], data[:-1]], data.dtype)
            same(
                IN_PLACE[self.function](whole[1:], whole[:-1]), wanted, f"{self.text}, on views that overlap", exact=self.exact
            )


@pytest.mark.combinations
@pytest.mark.parametrize("seed", SEEDS)
def test_operators(array, seed):
    rng = np.random.default_rng(seed)
    for _ in range(CASES):
        Case(rng).check(array)
