"""Define the language of recorded calls, shared by ``record.py`` (which needs JAX) and ``replay.py`` (which does not).

A call is ``[target, args, kwargs]`` in JSON. Plain JSON encodes None, bool, int, float, str and list; any other value is a
dict:

=====================================  ==================================================================
``{"a": dtype, "v": flat, "s": shape}``  an array (without shape if that is ``[len(v)]``); ``"w": 1`` if weak
``{"w": kind, "v": ..., "s": ...}``      a weak array of kind int, float or complex, in the default width
``{"n": dtype, ...}``                    a NumPy array
``{"g": dtype, "v": [x]}``               a NumPy scalar
``{"d": name}``                          a NumPy dtype
``{"t": name}``                          an attribute of the namespace, such as the scalar type ``jnp.int8``
``{"p": name}``                          a Python type
``{"c": [re, im]}``                      a complex number
``{"u": [...]}``                         a tuple; a named tuple with ``"f": [names]``
``{"sl": [start, stop, step]}``          a slice
``{"e": 1}``                             Ellipsis
``{"m": {...}}``                         a dict
``{"y": text}``                          bytes, as Latin-1
``{"f": name}``                          a function: a target, or a name in FUNCTIONS
``{"call": [target, args, kwargs]}``     what a call returns
``{"k": [...], "s": shape}``             a random key, as the words of its data (in outcomes)
``{"o": class, "at": {...}}``            an object with the attributes that are compared (in outcomes)
``{"x": class, "y": own class, "m": message}``  an exception: its builtin base, its class, one line of its message
=====================================  ==================================================================

Elements of arrays are flat lists: integers, shortest decimals that round-trip, pairs for complex numbers.
"""

from __future__ import annotations

import builtins
import functools
import json
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Protocol

import ml_dtypes
import numpy as np

from conformance.jax.derivatives import KINDS, derivative
from conformance.jax.traced import traced

Json = Any

#: Attributes that describe the objects other than arrays that JAX returns.
OBJECTS = {
    "finfo": ("bits", "dtype", "eps", "epsneg", "max", "min", "tiny", "smallest_normal", "smallest_subnormal", "nmant", "nexp",
              "iexp", "precision", "resolution", "machep", "negep", "minexp", "maxexp"),
    "iinfo": ("bits", "dtype", "max", "min", "kind"),
}  # fmt: skip

#: Functions that are passed as arguments.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": lambda x, y: x + y,
    "double": lambda x: 2 * x,
    "negative": lambda x: -x,
    "square": lambda x: x * x,
    "sum": lambda x: x.sum(),
    "first_two": lambda x: x[:2],
    "outer": lambda x, y: x[:, None] * y[None, :],
    "index_sum": lambda i, j: i + j,
    "index_product": lambda i, j: 10 * i + j,
    "greater": lambda i, j: i > j,
    "tuple": lambda x: (x, -x),
    "mask_lower": lambda m, k: (m * 0 + 1) if k == 0 else m,
}


class Coded(dict[str, Json]):
    """A value that is already encoded; `encode` returns it unchanged."""


class Backend(Protocol):
    """Functions that make the values of a namespace; `record` and `replay` each implement them."""

    namespaces: Mapping[str, Any]

    @property
    def transformations(self) -> Any:
        """The module of `vjp`, `jvp` and `grad`."""

    def array(self, data: np.ndarray[Any, Any]) -> Any:
        """Make a strong array."""

    def weak(self, kind: str, data: np.ndarray[Any, Any]) -> Any:
        """Make a weak array in the default width of its kind."""


@functools.cache
@cache
def dtype_named(name: str) -> np.dtype[Any]:
    """Return the NumPy dtype of a name, including those of ml_dtypes."""
    scalar = getattr(ml_dtypes, name, None)
    return np.dtype(name if scalar is None else scalar)


# Encoding -------------------------------------------------------------------------------------------------------------------


def flat_values(data: np.ndarray[Any, Any]) -> list[Any]:
    """Return the elements of an array as JSON numbers."""
    kind = data.dtype.kind
    if data.dtype == np.bool_:
        return data.astype(np.uint8).ravel().tolist()
    if kind in "iu":
        return data.ravel().tolist()
    if kind == "c":
        parts = np.stack([data.real.ravel(), data.imag.ravel()], axis=-1).ravel()
        return flat_values(parts)
    if data.dtype.name == "float64":
        return data.ravel().tolist()
    if data.dtype.name == "float32":
        return [float(str(x)) for x in data.ravel()]
    if kind == "f" or ml_dtypes_kind(data.dtype) == "f":
        return [_short(x, data.dtype) for x in data.ravel()]
    if kind in "SU":
        return [str(x) for x in data.ravel()]
    return [int(x) for x in data.ravel()]


@functools.cache
@cache
def ml_dtypes_kind(dtype: np.dtype[Any]) -> str:
    """Return f, i or u for a dtype of ml_dtypes, whose kind is V in NumPy, and NumPy's kind for others."""
    if dtype.kind != "V":
        return dtype.kind
    return {"f": "f", "b": "f", "i": "i", "u": "u"}.get(dtype.name[0], "V")


def _short(x: Any, dtype: np.dtype[Any]) -> float:
    value = float(x)
    if not math.isfinite(value):
        return value
    for digits in (3, 5):
        short = float(f"{value:.{digits}g}")
        if float(np.float64(short).astype(dtype)) == value:
            return short
    return value


def encode_data(code: str, name: str, data: np.ndarray[Any, Any]) -> dict[str, Json]:
    """Encode dtype, shape and elements."""
    coded: dict[str, Json] = {code: name, "v": flat_values(data)}
    if data.ndim != 1:
        coded["s"] = list(data.shape)
    return coded


def encode(value: Any) -> Json:
    """Encode an argument of a specification, which is a Python value."""
    if isinstance(value, Coded | str) or value is None or type(value) in (bool, int, float):
        return value
    coder = _ENCODERS.get(type(value))
    if coder is not None:
        return coder(value)
    if isinstance(value, np.ndarray):
        return encode_data("n", value.dtype.name, value)
    if isinstance(value, np.generic):
        return {"g": value.dtype.name, "v": flat_values(np.asarray(value))}
    if isinstance(value, np.dtype):
        return {"d": value.name if value.isnative and value.kind not in "SUOMm" else value.str}
    if isinstance(value, type):
        return {"f": f"np.{value.__name__}"} if value.__module__ == "numpy" else {"p": value.__name__}
    msg = f"the call language has no word for {value!r}"
    raise TypeError(msg)


_ENCODERS: dict[type, Callable[[Any], Json]] = {
    list: lambda v: [encode(x) for x in v],
    tuple: lambda v: {"u": [encode(x) for x in v]},
    dict: lambda v: {"m": {key: encode(x) for key, x in v.items()}},
    complex: lambda v: {"c": [v.real, v.imag]},
    slice: lambda v: {"sl": [encode(x) for x in (v.start, v.stop, v.step)]},
    type(Ellipsis): lambda _v: {"e": 1},
    bytes: lambda v: {"y": v.decode("latin-1")},
}


def arr(dtype: str, values: Any, shape: tuple[int, ...] | None = None) -> Coded:
    """Encode an array; out-of-range integers wrap."""
    data = np.asarray(values)
    if data.dtype.kind == "O":
        data = np.array([int(x) & (2**64 - 1) for x in data.ravel()], dtype=np.uint64).reshape(data.shape)
    with np.errstate(all="ignore"):
        data = data.astype(dtype_named(dtype))
    return Coded(encode_data("a", dtype, data if shape is None else data.reshape(shape)))


def weak(values: Any) -> Coded:
    """Encode a weak array in the default width."""
    data = np.asarray(values)
    kind = {"i": "int", "f": "float", "c": "complex"}[data.dtype.kind]
    return Coded(encode_data("w", kind, data))


def name(attribute: str) -> Coded:
    """Encode an attribute of the namespace, such as the scalar type ``int8``."""
    return Coded({"t": attribute})


def dt(dtype: str) -> Coded:
    """Encode a NumPy dtype."""
    return Coded({"d": dtype})


def function(path: str) -> Coded:
    """Encode a function."""
    return Coded({"f": path})


def nested(target: str, *args: Any, **kwargs: Any) -> Coded:
    """Encode the result of a call, as an argument of another call."""
    return Coded({"call": call(target, *args, **kwargs)})


def call(target: str, *args: Any, **kwargs: Any) -> list[Json]:
    """Encode a call."""
    return [target, [encode(a) for a in args], {key: encode(v) for key, v in kwargs.items()}]


def dumps(value: Json) -> str:
    """Return the canonical text of a value, which also identifies a call."""
    return json.dumps(value, separators=(",", ":"), sort_keys=True)


# Decoding and calling -------------------------------------------------------------------------------------------------------


def array_data(dtype: str, flat: list[Any], shape: tuple[int, ...] | list[int]) -> np.ndarray[Any, Any]:
    """Return the NumPy array of encoded elements."""
    target = dtype_named(dtype)
    if target.kind == "c":
        pairs = np.array(flat, dtype=np.float64).reshape(-1, 2)
        with np.errstate(all="ignore"):
            real = pairs.astype(np.float32 if target.itemsize == 8 else np.float64)
        return np.ascontiguousarray(real).view(target).reshape(shape)
    if ml_dtypes_kind(target) in "iu":
        return np.array(flat, dtype=np.int64 if target.name != "uint64" else np.uint64).astype(target).reshape(shape)
    if target.kind == "b":
        return np.array(flat, dtype=np.bool_).reshape(shape)
    if target.kind == "U":
        return np.array(flat).reshape(shape)
    with np.errstate(all="ignore"):
        return np.array(flat, dtype=np.float64).astype(target).reshape(shape)


def shape_of(coded: dict[str, Json]) -> list[int]:
    """Return the shape of encoded data."""
    shape: list[int] | None = coded.get("s")
    if shape is not None:
        return shape
    per_element = 2 if str(coded.get("a") or coded.get("n") or coded.get("w")).startswith("complex") else 1
    return [len(coded["v"]) // per_element]


_WEAK_DTYPE = {"int": "int64", "float": "float64", "complex": "complex128"}


def decode(value: Json, backend: Backend) -> Any:
    """Decode an argument."""
    if isinstance(value, list):
        return [decode(x, backend) for x in value]
    if not isinstance(value, dict):
        return value
    for code, decoder in _DECODERS:
        if code in value:
            return decoder(value, backend)
    msg = f"the call language has no word like {value!r}"
    raise ValueError(msg)


def _decode_slice(value: dict[str, Json], backend: Backend) -> slice:
    return slice(*(decode(x, backend) for x in value["sl"]))


_DECODERS: list[tuple[str, Callable[[dict[str, Json], Backend], Any]]] = [
    ("a", lambda v, b: b.array(array_data(v["a"], v["v"], shape_of(v)))),
    ("w", lambda v, b: b.weak(v["w"], array_data(_WEAK_DTYPE[v["w"]], v["v"], shape_of(v)))),
    ("n", lambda v, _b: array_data(v["n"], v["v"], shape_of(v))),
    ("g", lambda v, _b: array_data(v["g"], v["v"], [])[()]),
    ("d", lambda v, _b: dtype_named(v["d"])),
    ("t", lambda v, b: resolve("jnp." + v["t"], b)),
    ("p", lambda v, _b: getattr(builtins, v["p"])),
    ("c", lambda v, _b: complex(*v["c"])),
    ("u", lambda v, b: tuple(decode(x, b) for x in v["u"])),
    ("sl", _decode_slice),
    ("e", lambda _v, _b: Ellipsis),
    ("m", lambda v, b: {key: decode(x, b) for key, x in v["m"].items()}),
    ("f", lambda v, b: FUNCTIONS[v["f"]] if v["f"] in FUNCTIONS else resolve(v["f"], b)),
    ("call", lambda v, b: run(v["call"], b)),
    ("y", lambda v, _b: v["y"].encode("latin-1")),
]


def words(coded: Any) -> Iterator[dict[str, Any]]:
    """Yield every dict inside encoded arguments."""
    if isinstance(coded, dict):
        yield coded
    for value in coded.values() if isinstance(coded, dict) else coded if isinstance(coded, list) else ():
        yield from words(value)


class AbsentError(Exception):
    """The namespace lacks the name."""


_PLAIN: dict[str, Any] = {"operator": operator, "builtins": builtins, "np": np}


def resolve(path: str, backend: Backend) -> Any:
    """Return the object of a dotted path that begins with the name of a namespace."""
    first, *rest = path.split(".")
    found = _PLAIN[first] if first in _PLAIN else backend.namespaces[first]
    for word in rest:
        try:
            found = getattr(found, word)
        except AttributeError:
            raise AbsentError(path) from None
    return found


def run(coded: list[Json], backend: Backend) -> Any:
    """Execute a call.

    ``Array.sum`` is a method or a property of the first argument, ``at.set`` an update of the first argument at the second,
    ``index jnp.r_`` indexes an object of a namespace, ``gradient jnp.sin`` is a derivative (`derivatives`),
    ``traced jnp.eye`` has an operand of a program in place of a number (`traced`), and any other target is a path.
    """
    target, coded_args, coded_kwargs = coded
    args = [decode(x, backend) for x in coded_args]
    kwargs = {key: decode(x, backend) for key, x in coded_kwargs.items()}
    kind, _, rest = target.partition(" ")
    if kind in KINDS:
        return derivative(kind, backend.transformations, _function(rest, backend), args, kwargs)
    if kind == "traced":
        return traced(backend.transformations, _function(rest, backend), args[0], args[1:], kwargs)
    if target.startswith("Array."):
        return _use(args[0], target[6:], args[1:], kwargs)
    if target.startswith("at."):
        return _use(args[0].at[args[1]], target[3:], args[2:], kwargs)
    if target.startswith("index "):
        return resolve(target[6:], backend)[args[0]]
    found = resolve(target, backend)
    return found(*args, **kwargs) if callable(found) else found


def _function(target: str, backend: Backend) -> Callable[..., Any]:
    """Return a target as a function."""
    if target.startswith("at."):
        return lambda x, key, *rest, **words: _use(x.at[key], target[3:], list(rest), words)
    if target.startswith("Array."):
        return lambda x, *rest, **words: _use(x, target[6:], list(rest), words)
    found: Callable[..., Any] = resolve(target, backend)
    return found


def _use(owner: Any, word: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    if not (hasattr(type(owner), word) or hasattr(owner, word)):  # `mT` is there, but not of a vector
        raise AbsentError(word)
    found = getattr(owner, word)
    return found(*args, **kwargs) if callable(found) else found


# Outcomes -------------------------------------------------------------------------------------------------------------------


def builtin_class(error: BaseException) -> str:
    """Return the name of the first builtin class among the bases of an exception."""
    return next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins")


def encode_error(error: BaseException) -> dict[str, Json]:
    """Encode an exception, with one line of its message, without paths and addresses."""
    lines = str(error).strip().splitlines() or [""]
    message = re.sub(r" at 0x[0-9a-f]+|(?:/[\w.+-]+)+\.py:[\d:]* ?", "", lines[0])
    return {"x": builtin_class(error), "y": type(error).__name__, "m": message[:100]}


def encode_outcome(value: Any) -> Json:
    """Encode the result of a call."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {"u": [encode_outcome(x) for x in value], "f": list(value._fields)}
    if type(value) in (tuple, list, dict):
        return _encode_container(value)
    if type(value).__name__ in OBJECTS:
        return {"o": type(value).__name__, "at": _attributes(value)}
    if isinstance(value, np.ndarray | np.generic | np.dtype | bytes | complex):
        return encode(value)
    if is_key(value) or (hasattr(value, "dtype") and hasattr(value, "shape") and hasattr(value, "weak_type")):
        return encode_array(value)
    return {"o": "type" if isinstance(value, type) else type(value).__name__, "at": {}}


def _encode_container(value: Any) -> Json:
    if isinstance(value, dict):
        return {"m": {str(key): encode_outcome(x) for key, x in value.items()}}
    items = [encode_outcome(x) for x in value]
    return {"u": items} if isinstance(value, tuple) else items


def _attributes(value: Any) -> dict[str, Json]:
    wanted = OBJECTS[type(value).__name__]
    return {name: encode_outcome(getattr(value, name)) for name in wanted if hasattr(value, name)}


def is_key(value: Any) -> bool:
    """Whether a value is a typed random key."""
    return str(getattr(value, "dtype", "")).startswith("key<")


def encode_array(value: Any) -> dict[str, Json]:
    """Encode an array that a call returned."""
    if is_key(value):
        data = np.asarray(key_data(value))
        return {"k": data.ravel().tolist(), "s": list(data.shape)}
    data = np.asarray(value)
    coded = encode_data("a", str(value.dtype), data)
    if value.weak_type:
        coded["w"] = 1
    return coded


def key_data(key: Any) -> Any:
    """Return the words of a typed random key of any namespace."""
    if hasattr(key, "_base_array"):
        return key._base_array
    from supremum.random import key_data as words_of

    return words_of(key)
