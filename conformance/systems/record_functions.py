"""Record the dtypes that functions of live packages give: every call of calls.txt, for every dtype that the package has.

``python -m conformance systems.record_functions [numpy torch jax ...]`` writes a file for each system whose package is
installed here to ``functions/``; tests/promotion/test_recorded_functions.py replays them against `supremum` without the
packages. A cell is the name of a dtype, or several joined by commas if the call gives several arrays, or ``-`` where the
package has no such function, refuses the call or gives Python objects, of which nothing is
claimed. Of the values of results nothing is recorded.

Run TensorFlow's systems one by one: its modes cannot be left again.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
DATA = HERE / "functions"
COMMON = (
    *("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
    *("bfloat16", "float16", "float32", "float64", "complex64", "complex128"),
)
#: The elements of x, v and u, and of i: small, and positive definite as a matrix.
MATRIX, VECTOR, THREE, POSITIONS = [[2, 1], [1, 2]], [1, 2], [1, 2, 3], [1, 0]
BOOLS = {"x": [[1, 0], [0, 1]], "v": [0, 1], "u": [1, 0, 1]}


def calls() -> dict[str, list[str]]:
    """Return the calls by section."""
    found: dict[str, list[str]] = {}
    section: list[str] = []
    for line in (HERE / "calls.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            found[line.strip("[]")] = section = []
        elif line and not line.startswith("#"):
            section.append(line)
    return found


class Names(Mapping[str, Any]):
    """The names of a call: variables, and functions of a package under the names of the standard."""

    def __init__(self, functions: Callable[[str], Any], **variables: Any) -> None:
        self._functions = functions
        self._variables = {"inf": inf, **variables}

    def __getitem__(self, name: str) -> Any:
        if name in self._variables:
            return self._variables[name]
        try:
            return self._functions(name)
        except AttributeError:
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._variables)

    def __len__(self) -> int:
        return len(self._variables)


class Namespace:
    """Functions of several modules, found in the first that has them; some are called otherwise there."""

    def __init__(self, *modules: Any, **others: Any) -> None:
        self._modules, self._others = modules, others

    def __getattr__(self, name: str) -> Any:
        if name in self._others:
            return self._others[name]
        for module in self._modules:
            if hasattr(module, name):
                return getattr(module, name)
        raise AttributeError(name)


class Package(NamedTuple):
    """What the recording of a package needs."""

    functions: Any
    #: Makes an array of a dtype, by name, of a nested list.
    make: Callable[[Any, str], Any]
    dtypes: tuple[str, ...] = COMMON
    #: Other names of dtypes.
    names: Mapping[str, str] = {}
    #: Finds out the result of a call without computing it, if the package can; it may refuse.
    abstract: Callable[[Callable[[], Any]], Any] | None = None


def dtypes_of(result: Any, names: Mapping[str, str]) -> str:
    """Return the name of the dtype of a result, or those of several, joined by commas."""
    if isinstance(result, tuple | list) and not hasattr(result, "dtype"):
        return ",".join(dtypes_of(one, names) for one in result) or "-"
    dtype = getattr(result, "dtype", None)
    if dtype is None:
        return "-"
    text = str(getattr(dtype, "name", dtype)).rpartition(".")[2]
    return "-" if text == "object" else names.get(text, text)  # NumPy's Python objects, where a dtype has no loop


def cell(call: str, names: Mapping[str, Any], package: Package) -> str:
    """Return the dtypes of the result of a call."""

    def result() -> Any:
        return eval(call, {"__builtins__": {"__import__": __import__}}, names)  # noqa: S307 - a line of calls.txt

    if package.abstract is not None:
        with suppress(Exception):  # the shape of the result depends on values
            return dtypes_of(package.abstract(result), package.names)
    try:
        return dtypes_of(result(), package.names)
    except Exception:  # noqa: BLE001 - which exception a package raises is its own matter
        return "-"


def operands(package: Package, dtype: str) -> tuple[Any, Any, Any]:
    """Return a matrix, a vector and a vector of three of a dtype."""
    given = BOOLS if dtype == "bool" else {"x": MATRIX, "v": VECTOR, "u": THREE}
    x, v, u = (package.make(given[name], dtype) for name in "xvu")
    return x, v, u


def recorded(package: Package) -> dict[str, Any]:
    """Return every cell that says something."""

    def functions(name: str) -> Any:
        return getattr(package.functions, name)

    arrays = {}
    for name in package.dtypes:
        with suppress(Exception):  # the package lacks the dtype
            made = operands(package, name)
            if dtypes_of(made[0], package.names) == name:  # not where it has another one instead
                arrays[name] = made
    positions = package.make(POSITIONS, "int32" if "int32" in arrays else "int64")
    sections = calls()
    found: dict[str, Any] = {"dtypes": list(arrays), "functions": {}, "pairs": {}, "defaults": {}}
    for call in (*sections["one array"], *sections["a Python scalar"]):
        cells = [cell(call, Names(functions, x=x, v=v, u=u, i=positions), package) for x, v, u in arrays.values()]
        if set(cells) != {"-"}:
            found["functions"][call] = " ".join(cells)
    for call in sections["pairs"]:
        rows = {
            row: " ".join(cell(call, Names(functions, x=x, v=v, y=y, w=w), package) for y, w, _ in arrays.values())
            for row, (x, v, _) in arrays.items()
        }
        if any(set(line.split()) != {"-"} for line in rows.values()):
            found["pairs"][call] = rows
    for call in sections["defaults"]:
        answer = cell(call, Names(functions), package)
        if answer != "-":
            found["defaults"][call] = answer
    return found


# -- packages -----------------------------------------------------------------------------------------------------------------


def numpy() -> Package:
    """Return NumPy with ml_dtypes."""
    import ml_dtypes
    import numpy as np

    # What the standard puts into `linalg` and NumPy has elsewhere is found there.
    return Package(np, lambda values, dtype: np.array(values, getattr(ml_dtypes, dtype, dtype)))


def dask() -> Package:
    """Return Dask's arrays of NumPy's."""
    import dask.array as da
    import numpy as np

    return Package(
        da, lambda values, dtype: da.from_array(np.array(values, dtype)), tuple(name for name in COMMON if name != "bfloat16")
    )


def array_api() -> Package:
    """Return the standard's reference implementation."""
    import array_api_strict as xp

    xp.set_array_api_strict_flags(api_version="2025.12")
    return Package(xp, lambda values, dtype: xp.astype(xp.asarray(values), getattr(xp, dtype)))


def jax(x64: bool) -> Package:
    """Return JAX's NumPy."""
    import jax as package
    import jax.numpy as jnp

    package.config.update("jax_enable_x64", x64)
    narrow = tuple(name for name in COMMON if not name.endswith(("64", "128")) or name == "complex64")
    scipy = Namespace(jnp, logsumexp=package.scipy.special.logsumexp)
    return Package(scipy, jnp.array, COMMON if x64 else narrow, {}, package.eval_shape)


def torch() -> Package:
    """Return PyTorch, in which some functions have other names."""
    import torch as package

    linalg = Namespace(
        package.linalg,
        outer=package.outer,
        trace=package.trace,
        tensordot=lambda a, b, axes: package.tensordot(a, b, dims=axes),
    )
    functions = Namespace(
        package,
        linalg=linalg,
        asarray=package.tensor,
        bitwise_invert=package.bitwise_not,
        broadcast_arrays=package.broadcast_tensors,
        clip=package.clip,
        cumsum=lambda v: package.cumsum(v, 0),
        cumprod=lambda v: package.cumprod(v, 0),
        cumulative_sum=package.cumsum,
        cumulative_prod=package.cumprod,
        expand_dims=package.unsqueeze,
        flip=lambda x, axis: package.flip(x, (axis,)),
        linspace=package.linspace,
        logsumexp=lambda x: package.logsumexp(x, 0),
        max=package.max,
        nonzero=lambda x: package.nonzero(x, as_tuple=True),
        permute_dims=package.permute,
        repeat=package.repeat_interleave,
        roll=lambda x, shift, axis: package.roll(x, shift, dims=axis),
        sort=lambda v: package.sort(v)[0],
        tensordot=lambda a, b, axes: package.tensordot(a, b, dims=axes),
        take=lambda v, i, axis: package.index_select(v, axis, i),
        take_along_axis=lambda v, i, axis: package.take_along_dim(v, i.long(), axis),
        trapezoid=package.trapezoid,
        unique_values=package.unique,
        unstack=package.unbind,
        vecdot=package.linalg.vecdot,
        full=lambda n, value: package.full((n,), value),
        matrix_transpose=lambda x: x.mT,
        round=package.round,
    )
    return Package(functions, lambda values, dtype: package.tensor(values).to(getattr(package, dtype)))


def tensorflow(mode: str | None) -> Package:
    """Return TensorFlow: its NumPy's API in a mode of promotion, or its own mathematics."""
    import tensorflow as tf
    import tensorflow.experimental.numpy as tnp

    def make(values: Any, dtype: str) -> Any:
        return tf.cast(tf.constant(values), getattr(tf, dtype))

    if mode is not None:
        tnp.experimental_enable_numpy_behavior(dtype_conversion_mode=mode)
        return Package(tnp, make)
    linalg = Namespace(
        tf.linalg, svd=None, eig=tf.linalg.eig, outer=lambda a, b: tf.tensordot(a, b, 0), vector_norm=tf.norm,
        matrix_norm=tf.norm, diagonal=tf.linalg.diag_part, matrix_transpose=tf.linalg.matrix_transpose, pinv=tf.linalg.pinv,
        tensordot=tf.tensordot, svdvals=lambda x: tf.linalg.svd(x, compute_uv=False), cross=tf.linalg.cross,
        norm=tf.norm,
    )  # fmt: skip
    fft = Namespace(tf.signal, fftn=None, ifftn=None, rfftn=None, irfftn=None)
    functions = Namespace(
        tf.math,
        tf,
        linalg=linalg,
        fft=fft,
        asarray=tf.constant,
        arange=tf.range,
        all=tf.reduce_all,
        any=tf.reduce_any,
        bitwise_and=tf.bitwise.bitwise_and,
        bitwise_or=tf.bitwise.bitwise_or,
        bitwise_xor=tf.bitwise.bitwise_xor,
        bitwise_invert=tf.bitwise.invert,
        bitwise_left_shift=tf.bitwise.left_shift,
        bitwise_right_shift=tf.bitwise.right_shift,
        clip=tf.clip_by_value,
        concat=lambda arrays: tf.concat(arrays, 0),
        stack=tf.stack,
        cumulative_sum=tf.cumsum,
        cumulative_prod=tf.math.cumprod,
        isfinite=tf.math.is_finite,
        isinf=tf.math.is_inf,
        isnan=tf.math.is_nan,
        logaddexp=None,
        logsumexp=tf.reduce_logsumexp,
        max=tf.reduce_max,
        min=tf.reduce_min,
        mean=tf.reduce_mean,
        sum=tf.reduce_sum,
        prod=tf.reduce_prod,
        std=tf.math.reduce_std,
        var=tf.math.reduce_variance,
        permute_dims=tf.transpose,
        remainder=tf.math.floormod,
        floor_divide=tf.math.floordiv,
        take=tf.gather,
        vecdot=None,
        full=lambda n, value: tf.fill([n], value),
        zeros=lambda n: tf.zeros([n]),
        ones=lambda n: tf.ones([n]),
        nonzero=None,
        argwhere=tf.where,
        linspace=lambda a, b, n: tf.linspace(float(a), float(b), n),
        unique_values=lambda v: tf.unique(v)[0],
        flip=lambda x, axis: tf.reverse(x, [axis]),
        conj=tf.math.conj,
        where=tf.where,
        round=tf.round,
        matrix_transpose=tf.linalg.matrix_transpose,
        histogram=None,
        bincount=tf.math.bincount,
        square=tf.math.square,
    )
    return Package(functions, make)


def keras(backend: str) -> Package:
    """Return Keras' operations on a backend."""
    os.environ["KERAS_BACKEND"] = backend
    from keras import ops  # type: ignore[import-not-found,unused-ignore]  # installed where it is recorded

    linalg = Namespace(ops.linalg, vector_norm=ops.norm, matrix_norm=ops.norm, norm=ops.norm, outer=ops.outer,
                       matmul=ops.matmul, trace=ops.trace, tensordot=ops.tensordot, diagonal=ops.diagonal,
                       cross=ops.cross)  # fmt: skip
    functions = Namespace(
        ops,
        linalg=linalg,
        fft=Namespace(),
        asarray=ops.convert_to_tensor,
        acos=ops.arccos, acosh=ops.arccosh, asin=ops.arcsin, asinh=ops.arcsinh, atan=ops.arctan, atan2=ops.arctan2,
        atanh=ops.arctanh, concat=ops.concatenate, cumulative_sum=ops.cumsum, cumulative_prod=ops.cumprod,
        permute_dims=ops.transpose, pow=ops.power, remainder=ops.mod, full=lambda n, value: ops.full((n,), value),
        zeros=lambda n: ops.zeros((n,)), ones=lambda n: ops.ones((n,)),
    )  # fmt: skip
    names = tuple(name for name in COMMON if not name.startswith("complex"))
    abstract = None
    if backend == "jax":
        import jax as package

        abstract = package.eval_shape
    return Package(
        functions, lambda values, dtype: ops.cast(ops.convert_to_tensor(values), dtype), (*names, "complex64"), {}, abstract
    )


def mlx() -> Package:
    """Return MLX."""
    import mlx.core as mx  # type: ignore[import-not-found,unused-ignore]  # as above

    linalg = Namespace(mx.linalg, outer=mx.outer, trace=mx.trace, tensordot=mx.tensordot, diagonal=mx.diagonal,
                       matmul=mx.matmul, vector_norm=mx.linalg.norm, matrix_norm=mx.linalg.norm)  # fmt: skip
    functions = Namespace(
        mx,
        linalg=linalg,
        asarray=mx.array,
        acos=mx.arccos, acosh=mx.arccosh, asin=mx.arcsin, asinh=mx.arcsinh, atan=mx.arctan, atan2=mx.arctan2,
        atanh=mx.arctanh, concat=mx.concatenate, cumulative_sum=mx.cumsum, cumulative_prod=mx.cumprod,
        bitwise_left_shift=mx.left_shift, bitwise_right_shift=mx.right_shift, permute_dims=mx.transpose, pow=mx.power,
    )  # fmt: skip
    cpu: Any = mx.cpu
    mx.set_default_device(cpu)
    return Package(
        functions, lambda values, dtype: mx.array(values).astype(mx.bool_ if dtype == "bool" else getattr(mx, dtype))
    )


def tinygrad() -> Package:
    """Return tinygrad, whose functions are methods."""
    from tinygrad import Tensor, dtypes  # type: ignore[import-not-found,unused-ignore]  # as above

    functions = Namespace(
        Tensor,
        linalg=Namespace(),
        fft=Namespace(),
        asarray=Tensor,
        add=Tensor.add, multiply=Tensor.mul, subtract=Tensor.sub, divide=Tensor.div, floor_divide=lambda x, y: x // y,
        remainder=Tensor.mod, negative=Tensor.neg, cumulative_sum=Tensor.cumsum, cumulative_prod=Tensor.cumprod,
        concat=lambda arrays: arrays[0].cat(*arrays[1:]), stack=lambda arrays: arrays[0].stack(*arrays[1:]),
        permute_dims=Tensor.permute, where=lambda c, x, y: c.where(x, y), bitwise_invert=Tensor.bitwise_not,
        full=lambda n, value: Tensor.full((n,), value), sort=lambda v: v.sort()[0], expand_dims=Tensor.unsqueeze,
        equal=Tensor.eq, not_equal=Tensor.ne, less=lambda x, y: x < y, greater=lambda x, y: x > y,
        less_equal=lambda x, y: x <= y, greater_equal=lambda x, y: x >= y, maximum=Tensor.maximum, minimum=Tensor.minimum,
        bitwise_and=Tensor.bitwise_and, bitwise_left_shift=Tensor.lshift, bitwise_right_shift=Tensor.rshift,
        zeros_like=Tensor.zeros_like, ones_like=Tensor.ones_like, full_like=Tensor.full_like,
        einsum=Tensor.einsum, nonzero=None, linspace=Tensor.linspace,
    )  # fmt: skip
    own = {"char": "int8", "short": "int16", "int": "int32", "long": "int64", "float": "float32", "half": "float16",
           "double": "float64", "uchar": "uint8", "ushort": "uint16", "uint": "uint32", "ulong": "uint64",
           "unsigned char": "uint8", "unsigned short": "uint16", "unsigned int": "uint32", "unsigned long": "uint64",
           "signed char": "int8", "__bf16": "bfloat16",
           # What has a weak dtype is stored in the default one.
           "weakint": "int32", "weakfloat": "float32"}  # fmt: skip
    names = tuple(name for name in COMMON if not name.startswith("complex"))
    return Package(functions, lambda values, dtype: Tensor(values, dtype=getattr(dtypes, dtype)), names, own)


def ndonnx() -> Package:
    """Return ndonnx, with arrays whose values are known."""
    import ndonnx as ndx  # type: ignore[import-not-found,unused-ignore]  # as above
    import numpy as np

    def make(values: Any, dtype: str) -> Any:
        return ndx.asarray(np.array(values, dtype))

    names = tuple(name for name in COMMON if name != "bfloat16" and not name.startswith("complex"))
    return Package(Namespace(ndx, linalg=Namespace(), fft=Namespace()), make, names)


RECORDERS: dict[str, tuple[str, Callable[[], Package]]] = {
    "numpy": ("numpy", numpy),
    "dask": ("dask", dask),
    "array_api": ("array-api-strict", array_api),
    "torch": ("torch", torch),
    "jax": ("jax", lambda: jax(False)),
    "jax_x64": ("jax", lambda: jax(True)),
    "tensorflow": ("tensorflow", lambda: tensorflow(None)),
    "tensorflow_legacy": ("tensorflow", lambda: tensorflow("legacy")),
    "tensorflow_all": ("tensorflow", lambda: tensorflow("all")),
    "tensorflow_safe": ("tensorflow", lambda: tensorflow("safe")),
    "keras": ("keras", lambda: keras("jax")),
    "keras_tf": ("keras", lambda: keras("tensorflow")),
    "mlx": ("mlx", mlx),
    "tinygrad": ("tinygrad", tinygrad),
    "ndonnx": ("ndonnx", ndonnx),
}


def main(argv: list[str]) -> int:
    """Record the chosen systems, or all."""
    warnings.simplefilter("ignore")
    DATA.mkdir(exist_ok=True)
    for system in argv or RECORDERS:
        name, recorder = RECORDERS[system]
        try:
            package = recorder()
        except ImportError:
            print(f"{system}: {name} is not installed, left as it is")
            continue
        release = next(filter(None, map(_version, (name, f"{name}-cpu"))))
        found = {"system": system, "package": name, "version": release, **recorded(package)}
        (DATA / f"{system}.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        print(f"{system}: recorded {name} {release}")
    return 0


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
