"""Make bad arguments: objects that people pass by mistake, and the kind of object that the function expects.

Every value is new for each call, so that a call that changes it does not affect another one.
"""

import importlib.util
import itertools

import numpy as np

import supremum as xp


class DunderError(Exception):
    """The error of the methods of `Raising`; it must reach the caller unchanged."""


def _refuse(*_args, **_kwargs):
    raise DunderError


#: An object whose methods all raise.
Raising = type(
    "Raising",
    (),
    {
        f"__{name}__": _refuse
        for name in (
            "array",
            "array_ufunc",
            "array_function",
            "array_interface",
            "float",
            "int",
            "index",
            "complex",
            "bool",
            "len",
            "iter",
            "getitem",
            "add",
            "radd",
            "mul",
            "rmul",
            "sub",
            "eq",
            "lt",
            "gt",
            "le",
            "ge",
            "neg",
            "abs",
            "and",
            "or",
            "contains",
            "call",
            "round",
            "trunc",
            "dlpack",
            "dlpack_device",
        )
    }
    | {"__hash__": lambda self: 7, "__repr__": lambda self: "Raising()"},
)


class Lying:
    """A sequence that is shorter than its length, of objects that are not numbers."""

    def __len__(self):
        return 3

    def __getitem__(self, index):
        if index > 1:
            raise IndexError
        return "item"


class WrongArray:
    """An object whose ``__array__`` returns a list."""

    def __array__(self, dtype=None, copy=None):
        return [1, 2]


def cyclic():
    """Return a list that contains itself."""
    values = [1]
    values.append(values)
    return values


def deep():
    """Return a list nested a thousand levels deep."""
    value = 1
    for _ in range(1000):
        value = [value]
    return value


def _strided(dtype):
    return np.arange(12).astype(dtype).reshape(3, 4)[:, ::-2]


#: name → function that makes one
VALUES = {
    "None": lambda: None,
    "Ellipsis": lambda: ...,
    "word": lambda: "word",
    "empty string": lambda: "",
    "digit": lambda: "1",
    "bytes": lambda: b"\x00\xff",
    "surrogate": lambda: "\ud800",
    "object": object,
    "type": lambda: int,
    "str type": lambda: str,
    "function": lambda: len,
    "module": lambda: itertools,
    "slice": lambda: slice(None, None, 0),
    "dict": lambda: {"a": 1},
    "set": lambda: {1, 2},
    "range": lambda: range(3),
    "generator": lambda: (i for i in range(3)),
    "iterator": lambda: iter([1, 2, 3]),
    "cyclic list": cyclic,
    "deep list": deep,
    "ragged list": lambda: [[1, 2], [3]],
    "mixed list": lambda: [1, "a", None],
    "list": lambda: [1, 2, 3],
    "empty list": list,
    "empty tuple": tuple,
    "tuple": lambda: (1, 2),
    "negative tuple": lambda: (-1, -2),
    "repeated tuple": lambda: (0, 0),
    "float tuple": lambda: (1.5, 2.5),
    "huge tuple": lambda: (10**12, 10**12),
    "Raising": Raising,
    "Raising list": lambda: [Raising()],
    "Lying": Lying,
    "WrongArray": WrongArray,
    "true": lambda: True,
    "zero": lambda: 0,
    "minus one": lambda: -1,
    "seven": lambda: 7,
    "huge": lambda: 10**12,
    "2**63": lambda: 2**63,
    "-2**63": lambda: -(2**63),
    "2**64": lambda: 2**64,
    "10**400": lambda: 10**400,
    "half": lambda: 0.5,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "complex": lambda: 1 + 2j,
    "float dtype": lambda: "float32",
    "int dtype": lambda: np.dtype("int8"),
    "dtype object": lambda: np.dtype(object),
    "dtype datetime": lambda: "datetime64[s]",
    "dtype structured": lambda: [("a", "i4")],
    "object array": lambda: np.array([1, "a", None], object),
    "object array of ints": lambda: np.array([1, 2, 3], object),
    "str array": lambda: np.array(["a", "bc"]),
    "bytes array": lambda: np.array([b"a", b"bc"]),
    "datetime array": lambda: np.array(["2020-01-01"], "datetime64[D]"),
    "timedelta array": lambda: np.array([1, 2], "timedelta64[s]"),
    "void array": lambda: np.zeros(3, "V5"),
    "structured array": lambda: np.zeros(3, [("a", "i4"), ("b", "f8")]),
    "longdouble array": lambda: np.ones(3, np.longdouble),
    "masked array": lambda: np.ma.masked_array([1, 2, 3], [0, 1, 0]),
    "matrix": lambda: np.zeros((2, 2)).view(np.matrix),
    "datetime scalar": lambda: np.datetime64("2020-01-01"),
    "str scalar": lambda: np.str_("word"),
    "0-d": lambda: xp.asarray(3),
    "0-d float": lambda: xp.asarray(2.5),
    "empty": lambda: xp.zeros((0,)),
    "empty 2-d": lambda: xp.zeros((0, 3), dtype="int32"),
    "bool array": lambda: xp.asarray([True, False, True]),
    "int array": lambda: xp.asarray([3, -1, 2]),
    "indices out of bounds": lambda: xp.asarray([99, -99]),
    "uint8": lambda: xp.asarray([1, 2, 3], dtype="uint8"),
    "float": lambda: xp.asarray([1.5, -0.0, float("nan")]),
    "bfloat16": lambda: xp.asarray([1, 2, 3], dtype="bfloat16"),
    "float8": lambda: xp.asarray([[1, 2], [3, 4]], dtype="float8_e4m3fn"),
    "int4": lambda: xp.asarray([1, 2, 3], dtype="int4"),
    "complex array": lambda: xp.asarray([1 + 2j, 3]),
    "matrix 2x3": lambda: xp.reshape(xp.arange(6.0), (2, 3)),
    "singular": lambda: xp.zeros((3, 3)),
    "5-d": lambda: xp.zeros((1, 2, 1, 2, 1)),
    "strided ndarray": lambda: _strided("float32"),
    "big-endian ndarray": lambda: _strided(">i4"),
    "weak": lambda: xp.asarray(3) * 1,
}


def _neighbours():
    """Return objects of other libraries, of those that are installed."""
    if importlib.util.find_spec("pandas"):
        import pandas as pd

        yield "pandas series", lambda: pd.Series([1.5, 2.5, None])
        yield "pandas series of ints", lambda: pd.Series([1, 2, 3])
        yield "pandas series of words", lambda: pd.Series(["a", "b", "c"])
        yield "pandas frame", lambda: pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
        yield "pandas index", lambda: pd.Index([1, 2, 3])
        yield "pandas nullable", lambda: pd.array([1, None, 3], dtype="Int64")
        yield "pandas categories", lambda: pd.Categorical(["a", "b", "a"])
        yield "pandas dates", lambda: pd.date_range("2020-01-01", periods=3)
        yield "pandas timestamp", lambda: pd.Timestamp("2020-01-01")
        yield "pandas NA", lambda: pd.NA
    if importlib.util.find_spec("torch"):
        import torch

        yield "torch tensor", lambda: torch.tensor([1.5, 2.5, 3.5])
        yield "torch matrix", lambda: torch.ones(3, 3, dtype=torch.bfloat16)
        yield "torch ints", lambda: torch.tensor([2, 0, 1])
        yield "torch scalar", lambda: torch.tensor(2)
        yield "torch with a gradient", lambda: torch.ones(3, requires_grad=True)
        yield "torch sparse", lambda: torch.eye(3).to_sparse()
        yield "torch on no device", lambda: torch.empty(3, device="meta")
        yield "torch dtype", lambda: torch.float32
        yield "torch device", lambda: torch.device("cpu")


VALUES |= dict(_neighbours())

#: Values that a parameter of this name expects, so that calls pass the first checks: name → function that makes one.
MEANT = {
    "shape": lambda: (2, 3),
    "newshape": lambda: (3, 2),
    "axis": lambda: 0,
    "axes": lambda: (1, 0),
    "axis1": lambda: 0,
    "axis2": lambda: 1,
    "source": lambda: 0,
    "destination": lambda: 1,
    "dtype": lambda: "float32",
    "n": lambda: 3,
    "N": lambda: 3,
    "M": lambda: 3,
    "k": lambda: 0,
    "deg": lambda: 1,
    "num": lambda: 4,
    "kth": lambda: 1,
    "q": lambda: 0.5,
    "shift": lambda: 1,
    "repeats": lambda: 2,
    "reps": lambda: 2,
    "indices_or_sections": lambda: 1,
    "pad_width": lambda: 1,
    "indices": lambda: xp.asarray([0, 1]),
    "index": lambda: 0,
    "arrays": lambda: [xp.ones((3, 3)), xp.ones((3, 3))],
    "tup": lambda: [xp.ones((3, 3)), xp.ones((3, 3))],
    "fun": lambda: abs,
    "func": lambda: abs,
    "func1d": lambda: abs,
    "pyfunc": lambda: abs,
    "function": lambda: abs,
    "subscripts": lambda: "ij,jk",
    "key": lambda: xp.random.key(0),
    "seed": lambda: 0,
    "device": lambda: "cpu",
    "order": lambda: None,
    "name": lambda: "jax",
    "file": lambda: "file.npy",
    "fname": lambda: "file.npy",
    "num_classes": lambda: 3,
    "kind": lambda: "real floating",
    "mode": lambda: None,
    "keepdims": lambda: False,
    "ord": lambda: None,
    "type": lambda: "float32",
    "from_": lambda: "int8",
    "to": lambda: "int16",
    "obj": lambda: 1,
    "kernel_size": lambda: 3,
}

#: Values for any other parameter.
ARRAYS = [
    lambda: xp.reshape(xp.arange(9.0), (3, 3)),
    lambda: xp.asarray([[2, 1, 0], [1, 3, 1], [0, 1, 4]]),
    lambda: xp.asarray([1.5, 2.5, 3.5]),
    lambda: xp.asarray([[1, 2, 3]] * 3, dtype="bfloat16"),
    lambda: xp.asarray([True, False, True]),
]
