"""Record the results of live packages: the dtype of x + y, x * scalar, where, concat and result_type for every pair of dtypes.

``python -m conformance systems.record [numpy torch array_api_strict tensorflow ...]`` writes a file for each installed package
to ``data/``; tests/promotion/test_recorded_systems.py replays them against `supremum` without the packages. A cell is the name
of a dtype, ``-`` if the package refuses to promote, or ``?`` if it lacks the kernel, so that its promotion is unknown.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
SCALARS: dict[str, Any] = {"bool": True, "int": 2, "float": 2.5, "complex": 2.5j}
COMMON = [
    *("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
]


def cell(compute: Callable[[], Any], lacks: tuple[str, ...] = ()) -> str:
    """Return the name of the dtype of a call's result, ``-`` for a refusal, or ``?`` for a missing kernel."""
    try:
        dtype = compute()
    except Exception as error:  # noqa: BLE001 - packages raise different exceptions
        return "?" if any(words in str(error) for words in lacks) else "-"
    return str(getattr(dtype, "name", dtype)).removeprefix("torch.").removeprefix("array_api_strict.")


def table(
    rows: list[str], columns: Sequence[str], compute: Callable[[str, str], Any], lacks: tuple[str, ...] = ()
) -> dict[str, str]:
    """Return a line of cells for each row."""
    return {row: " ".join(cell(partial(compute, row, column), lacks) for column in columns) for row in rows}


def tables(
    names: list[str],
    make: Callable[[str, int], Any],
    functions: dict[str, Callable[..., Any]],
    lacks: tuple[str, ...] = (),
    numbers: Sequence[str] = tuple(SCALARS),
) -> dict[str, Any]:
    """Record the functions that every package has, on operands with dimensions."""

    def on_arrays(function: Callable[..., Any], a: str, b: str) -> Any:
        return function(make(a, 1), make(b, 1))

    def on_scalars(function: Callable[..., Any], a: str, b: str) -> Any:
        return function(make(a, 1), SCALARS[b])

    found: dict[str, Any] = {"dtypes": names, "scalars": list(numbers)}
    for name, function in functions.items():
        scalar = name.startswith("scalar_")
        compute = partial(on_scalars if scalar else on_arrays, function)
        found[name] = table(names, numbers if scalar else names, compute, lacks)
    return found


def record_numpy() -> dict[str, Any]:
    """Record NumPy with ml_dtypes' bfloat16."""
    import numpy as np

    def make(name: str, ndim: int) -> Any:
        return np.ones((2,) * ndim, name)

    mask: Any = np.array([True, False])
    functions = {
        "add": lambda a, b: (a + b).dtype,
        "where": lambda a, b: np.asarray(np.where(mask, a, b)).dtype,
        "concat": lambda a, b: np.concatenate([a, b]).dtype,
        "result_type": np.result_type,
        "scalar_add": lambda a, s: (a + s).dtype,
        "scalar_multiply": lambda a, s: (a * s).dtype,
        "scalar_rmultiply": lambda a, s: (s * a).dtype,
        "scalar_result_type": np.result_type,
    }
    return tables(COMMON, make, functions)


def record_array_api_strict() -> dict[str, Any]:
    """Record the standard's reference implementation, which has no float16."""
    import array_api_strict as xp

    xp.set_array_api_strict_flags(api_version="2025.12")
    names = [name for name in COMMON if hasattr(xp, name)]

    def make(name: str, ndim: int) -> Any:
        return xp.ones((2,) * ndim, dtype=getattr(xp, name))

    mask = xp.asarray([True, False])
    functions = {
        "add": lambda a, b: (a + b).dtype,
        "where": lambda a, b: xp.where(mask, a, b).dtype,
        "concat": lambda a, b: xp.concat([a, b]).dtype,
        "result_type": xp.result_type,
        "scalar_multiply": lambda a, s: (a * s).dtype,
        "scalar_result_type": xp.result_type,
    }
    # The standard's operators refuse some dtypes by their kind, which is not a matter of promotion.
    return tables(names, make, functions, lacks=("dtypes are allowed in",))


def record_torch() -> dict[str, Any]:
    """Record PyTorch, 0-d tensors included."""
    import torch

    names = [*COMMON, "bfloat16", "float8_e4m3fn", "float8_e5m2"]
    lacks = ("not implemented",)

    def make(name: str, ndim: int) -> Any:
        return torch.zeros((2,) * ndim).to(getattr(torch, name))

    mask = torch.tensor([True, False])
    functions = {
        "add": lambda a, b: (a + b).dtype,
        "where": lambda a, b: torch.where(mask, a, b).dtype,
        "concat": lambda a, b: torch.cat([a, b]).dtype,
        "result_type": torch.result_type,
        "scalar_add": lambda a, s: (a + s).dtype,
        "scalar_multiply": lambda a, s: (a * s).dtype,
        "scalar_rmultiply": lambda a, s: (s * a).dtype,
        "scalar_result_type": torch.result_type,
    }
    found = tables(names, make, functions, lacks)
    found["zero_dim_result_type"] = table(names, names, lambda a, b: torch.result_type(make(a, 1), make(b, 0)), lacks)
    found["zero_dim_add"] = table(names, names, lambda a, b: (make(a, 1) + make(b, 0)).dtype, lacks)
    found["zero_dim_where"] = table(names, names, lambda a, b: torch.where(mask, make(a, 1), make(b, 0)).dtype, lacks)
    return found


def _record_tensorflow(mode: str | None) -> dict[str, Any]:
    import tensorflow as tf

    if mode is not None:
        import tensorflow.experimental.numpy as tnp

        tnp.experimental_enable_numpy_behavior(dtype_conversion_mode=mode)
    names = [*COMMON, "bfloat16"]
    lacks = ("Could not find device", "not implemented", "not in the list of allowed values", "No OpKernel")
    scalars = [name for name in SCALARS if name != "bool"]  # the conversion of True to some dtypes succeeds or fails at random

    def make(name: str, ndim: int) -> Any:
        return tf.zeros((2,) * ndim, getattr(tf, name))

    mask = tf.constant([True, False])
    functions: dict[str, Callable[..., Any]] = {
        "add": lambda a, b: (a + b).dtype,
        "scalar_multiply": lambda a, s: (a * s).dtype,
        "scalar_add": lambda a, s: (a + s).dtype,
    }
    if mode is not None:
        import tensorflow.experimental.numpy as tnp

        functions["where"] = lambda a, b: tnp.where(mask, a, b).dtype
        functions["concat"] = lambda a, b: tnp.concatenate([a, b]).dtype
        functions["result_type"] = tnp.result_type
    else:
        functions["where"] = lambda a, b: tf.where(mask, a, b).dtype
        functions["concat"] = lambda a, b: tf.concat([a, b], 0).dtype
    found = tables(names, make, functions, lacks, scalars)
    for name in functions:
        if name.startswith("scalar_"):
            found[name].pop("bool")  # operators on bools are logical and compute no number
    return found


RECORDERS: dict[str, tuple[str, Callable[[], dict[str, Any]]]] = {
    "numpy": ("numpy", record_numpy),
    "array_api": ("array-api-strict", record_array_api_strict),
    "torch": ("torch", record_torch),
    "tensorflow": ("tensorflow", lambda: _record_tensorflow(None)),
    "tensorflow_legacy": ("tensorflow", lambda: _record_tensorflow("legacy")),
    "tensorflow_all": ("tensorflow", lambda: _record_tensorflow("all")),
    "tensorflow_safe": ("tensorflow", lambda: _record_tensorflow("safe")),
}


def main(argv: list[str]) -> int:
    """Record the chosen systems, or all; TensorFlow's modes need a process each, because they cannot be switched back."""
    warnings.simplefilter("ignore")
    DATA.mkdir(exist_ok=True)
    for system in argv or RECORDERS:
        package, recorder = RECORDERS[system]
        try:
            found = recorder()
            release = next(version(name) for name in (package, f"{package}-cpu") if _has(name))
        except ImportError:
            print(f"{system}: {package} is not installed, left as it is")
            continue
        lines = json.dumps({"system": system, "package": package, "version": release, **found}, indent=1)
        (DATA / f"{system}.json").write_text(lines + "\n", encoding="utf-8")
        print(f"{system}: recorded {package} {release}")
    return 0


def _has(package: str) -> bool:
    from importlib.metadata import PackageNotFoundError

    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True
