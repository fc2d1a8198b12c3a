"""Compare the outcome of a call with the recorded one."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

from conformance.jax import calls
from conformance.jax.derivatives import KINDS

Json = Any

#: How many roundings of the dtype two values may differ by; more for algorithms that are implementation-defined (by target).
ROUNDINGS = 16.0
ROUNDINGS_NARROW = 2.0
DERIVATIVES_NARROW = 4.0
LOOSE: dict[str, float] = {
    "gradient *": 16.0,
    "tangent *": 16.0,
    "second *": 64.0,
    "operator.pow": 64.0,
    "jnp.pow*": 64.0,
    "jnp.float_power": 64.0,
    "jnp.fft.*": 4.0,
    "jnp.linalg.*": 64.0,
    "jnp.poly*": 64.0,
    "jnp.roots": 64.0,
    "jnp.cov": 4.0,
    "jnp.corrcoef": 4.0,
    "jnp.convolve": 4.0,
    "jnp.correlate": 4.0,
    "jnp.einsum": 4.0,
    "jnp.*dot": 4.0,
    "jnp.inner": 4.0,
    "jnp.matmul": 4.0,
    "operator.matmul": 4.0,
    "jnp.interp": 4.0,
    "jax.random.uniform": 0.0,  # bit for bit
    "jax.random.*": 4.0,
    "jax.nn.*": 4.0,
    "jax.scipy.special.*": 16.0,
    "jax.scipy.stats.*": 64.0,
    "jax.scipy.linalg.*": 64.0,
    "jax.scipy.signal.*": 16.0,
    "jax.scipy.fft.*": 16.0,
}
#: Targets whose matrices are unique up to the sign or phase of columns; magnitudes are compared.
UP_TO_SIGN = ("jnp.linalg.eigh", "jnp.linalg.eig", "jnp.linalg.svd", "jnp.linalg.qr")
#: Targets whose values have no order, nor have the vectors that belong to them: builds of LAPACK differ.
UNORDERED = ("jnp.linalg.eig", "jnp.linalg.eigvals", "jnp.roots")

#: Exceptions that Python users expect; if JAX raises another one, any of these or NotImplementedError is accepted.
SENSIBLE = (TypeError, ValueError, IndexError, OverflowError, ZeroDivisionError)


@dataclass
class Mismatch:
    """A call whose outcome differs from the recorded one.

    `found` is the set of differences: dtype, weak, shape, value, exception (one raises), class (of exceptions), type (of
    results).
    """

    call: list[Json]
    mode: str
    expected: dict[str, Json]
    actual: Any
    error: BaseException | None
    found: list[str]

    @property
    def target(self) -> str:
        """The target of the call."""
        return str(self.call[0])

    def lines(self) -> list[str]:
        """Return a description of three lines."""
        if self.error is not None:
            ours = f"{type(self.error).__name__}: {str(self.error)[:150]}"
        else:
            try:
                ours = calls.dumps(calls.encode_outcome(self.actual))
            except Exception:  # noqa: BLE001  # a report of a broken result must not break
                ours = repr(self.actual)
        return [
            f"x64={self.mode} {calls.dumps(self.call)[:400]}",
            f"  jax:  {calls.dumps(self.expected.get('r', self.expected))[:300]}",
            f"  ours: {ours[:300]}",
        ]


def mismatches(call: list[Json], expected: dict[str, Json], actual: Any, error: BaseException | None) -> list[str]:
    """Return the differences in order of severity, and nothing if the outcomes agree."""
    if "x" in expected:
        if error is None:
            return ["exception"]
        return [] if class_fits(expected["x"], error) else ["class"]
    if error is not None:
        return ["exception"]
    actual = in_order(expected["r"], actual) if call[0] in UNORDERED else actual
    found = set(_differences(expected["r"], actual, call[0]))
    return [kind for kind in ("type", "dtype", "weak", "shape", "value") if kind in found]


def class_fits(expected: str, error: BaseException) -> bool:
    """Whether an exception is of the recorded class."""
    wanted = next((c for c in SENSIBLE if c.__name__ == expected), None)
    return isinstance(error, (*SENSIBLE, NotImplementedError) if wanted is None else wanted)


def _differences(expected: Json, actual: Any, target: str) -> list[str]:
    if isinstance(expected, dict):
        for code, compare in _COMPARERS.items():
            if code in expected:
                return compare(expected, actual, target)
    if isinstance(expected, list):
        return _items(expected, actual, target) if isinstance(actual, list | tuple) else ["type"]
    if isinstance(expected, float) and isinstance(actual, float):
        return [] if close(np.float64(actual), np.float64(expected), 2e-6, 0.0).all() else ["value"]
    if type(expected) is not type(actual):
        return ["type"]
    return [] if expected == actual else ["value"]


def _items(expected: list[Json], actual: Any, target: str) -> list[str]:
    if len(expected) != len(actual):
        return ["shape"]
    return [kind for e, a in zip(expected, actual, strict=True) for kind in _differences(e, a, target)]


def _tuple(expected: dict[str, Json], actual: Any, target: str) -> list[str]:
    if not isinstance(actual, tuple | list):
        return ["type"]
    if "f" in expected and list(getattr(actual, "_fields", ())) != expected["f"]:
        return ["type"]
    return _items(expected["u"], actual, target)


def _array(expected: dict[str, Json], actual: Any, target: str) -> list[str]:
    if not (hasattr(actual, "dtype") and hasattr(actual, "weak_type")):
        return ["type"]
    found = []
    if str(actual.dtype) != expected["a"]:
        found.append("dtype")
    if bool(actual.weak_type) != bool(expected.get("w")):
        found.append("weak")
    return [*found, *_data(expected["a"], expected, actual, target)]


def _data(dtype: str, expected: dict[str, Json], actual: Any, target: str) -> list[str]:
    shape = calls.shape_of(expected)
    if list(actual.shape) != shape:
        return ["shape"]
    wanted = calls.array_data(dtype, expected["v"], shape)
    ours = np.asarray(actual)
    if ours.dtype == wanted.dtype and ours.tobytes() == wanted.tobytes():  # most results, in less time
        return []
    return [] if equal_elements(ours, wanted, target).all() else ["value"]


def _numpy(expected: dict[str, Json], actual: Any, target: str) -> list[str]:
    """Compare with a recorded NumPy array or scalar; an array of ours is accepted instead."""
    dtype = expected.get("n") or expected["g"]
    expected = expected if "n" in expected else expected | {"s": []}
    actual = actual if hasattr(actual, "shape") else np.asarray(actual)
    return _data(dtype, expected, actual, target)


def _complex(expected: dict[str, Json], actual: Any, _target: str) -> list[str]:
    return _differences_of_complex(complex(*expected["c"]), actual) if isinstance(actual, complex) else ["type"]


def _differences_of_complex(expected: complex, actual: complex) -> list[str]:
    return [] if close(np.complex128(actual), np.complex128(expected), 2e-6, 0.0).all() else ["value"]


def _dtype(expected: dict[str, Json], actual: Any, _target: str) -> list[str]:
    try:
        return [] if np.dtype(actual) == calls.dtype_named(expected["d"]) else ["dtype"]
    except TypeError:
        return ["type"]


def _object(expected: dict[str, Json], actual: Any, target: str) -> list[str]:
    found = []
    for attribute, value in expected["at"].items():
        ours = getattr(actual, attribute, None)
        if isinstance(value, dict) and "g" in value:
            wanted = float(calls.array_data(value["g"], value["v"], []))
            found += [] if ours is not None and float(ours) == wanted else ["value"]
        else:
            found += _differences(value, ours, target)
    return found


def _keys(expected: dict[str, Json], actual: Any, _target: str) -> list[str]:
    if not calls.is_key(actual):
        return ["type"]
    data = np.asarray(calls.key_data(actual))
    if list(data.shape) != expected["s"]:
        return ["shape"]
    return [] if data.ravel().tolist() == expected["k"] else ["value"]


def _mapping(expected: dict[str, Json], actual: Any, target: str) -> list[str]:
    if not isinstance(actual, dict) or set(actual) != set(expected["m"]):
        return ["type"]
    return [kind for key, e in expected["m"].items() for kind in _differences(e, actual[key], target)]


def _bytes(expected: dict[str, Json], actual: Any, _target: str) -> list[str]:
    return [] if actual == expected["y"].encode("latin-1") else ["value"]


_COMPARERS = {
    "a": _array,
    "u": _tuple,
    "n": _numpy,
    "g": _numpy,
    "c": _complex,
    "d": _dtype,
    "o": _object,
    "k": _keys,
    "m": _mapping,
    "y": _bytes,
}


@dataclass
class Ordered:
    """An array of ours with the elements of its last axis in another order."""

    array: Any
    data: np.ndarray[Any, Any]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.array, name)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.array(self.data, dtype, copy=copy)


def in_order(expected: Json, actual: Any) -> Any:
    """Return eigenvalues, or those and their vectors, in the order of the recorded ones; others as they are."""
    recorded, parts = (expected["u"], list(actual)) if "u" in expected else ([expected], [actual])
    if "a" not in recorded[0] or list(parts[0].shape) != calls.shape_of(recorded[0]) or not parts[0].shape:
        return actual
    wanted = calls.array_data(recorded[0]["a"], recorded[0]["v"], parts[0].shape)
    order = _nearest(np.asarray(parts[0]), wanted)
    for i, part in enumerate(parts):
        columns = order if part.ndim == order.ndim else order[..., None, :]
        parts[i] = Ordered(part, np.take_along_axis(np.asarray(part), columns, -1))
    return type(actual)(*parts) if "f" in expected else tuple(parts) if "u" in expected else parts[0]


def _nearest(values: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return, for each of the wanted numbers, the index of the nearest value that no other one has; NaN counts as infinite."""
    order = np.empty(wanted.shape, np.intp)
    for place in np.ndindex(wanted.shape[:-1]):
        with np.errstate(all="ignore"):
            distances = np.abs(wanted[place][:, None] - values[place][None, :])
        distances = np.where(np.isfinite(distances), distances, np.finfo(np.float64).max)
        for i in range(wanted.shape[-1]):
            order[place][i] = np.argmin(distances[i])
            distances[:, order[place][i]] = np.inf
    return order


# Values ---------------------------------------------------------------------------------------------------------------------


@cache
def _looseness(target: str) -> float | None:
    return next((factor for pattern, factor in LOOSE.items() if fnmatch.fnmatch(target, pattern)), None)


def tolerance(dtype: np.dtype[Any], target: str) -> float:
    """Return the relative difference up to which two values of a dtype count as equal for a target."""
    loose = _looseness(target) or 1.0
    roundings = ROUNDINGS if dtype.itemsize >= 4 else ROUNDINGS_NARROW
    if dtype.itemsize < 4 and target.partition(" ")[0] in KINDS:  # which round each operation
        loose = DERIVATIVES_NARROW
    return float(ml_dtypes.finfo(dtype).eps) * roundings * loose


def equal_elements(actual: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any], target: str) -> np.ndarray[Any, Any]:
    """Return elementwise whether two arrays of one shape agree: integers exactly, floats up to rounding."""
    sort = calls.ml_dtypes_kind(wanted.dtype)
    if sort not in "fc":
        exact = calls.ml_dtypes_kind(actual.dtype) not in "fc"
        return np.asarray(actual == wanted) if exact else close(actual, wanted, 0.0, 0.0)
    tight = tolerance(wanted.dtype, target)
    wide = np.complex128 if sort == "c" or actual.dtype.kind == "c" else np.float64
    actual, wanted = actual.astype(wide), wanted.astype(wide)
    if target in UP_TO_SIGN and wanted.ndim >= 2:
        actual, wanted = np.abs(actual), np.abs(wanted)
    finite = np.abs(wanted[np.isfinite(wanted)])
    loose = tight > 1e-3 or _looseness(target) is not None
    floor = float(finite.max(initial=0.0)) * tight if loose and finite.size else 0.0
    return close(actual, wanted, tight, max(floor, 1e-37))


def close(actual: Any, wanted: Any, relative: float, absolute: float) -> np.ndarray[Any, Any]:
    """Return whether values are close; NaN equals NaN, and parts of complex numbers are compared separately."""
    actual, wanted = np.asarray(actual), np.asarray(wanted)
    if wanted.dtype.kind == "c" or actual.dtype.kind == "c":
        bound = absolute + relative * np.abs(np.where(np.isfinite(wanted), wanted, 0))
        return _near(actual.real, wanted.real, bound) & _near(actual.imag, wanted.imag, bound)
    with np.errstate(all="ignore"):
        return _near(actual, wanted, absolute + relative * np.abs(np.where(np.isfinite(wanted), wanted, 0)))


def _near(actual: Any, wanted: Any, bound: Any) -> np.ndarray[Any, Any]:
    with np.errstate(all="ignore"):
        distance_fits = np.abs(actual - wanted) <= bound
    return np.asarray((actual == wanted) | (np.isnan(actual) & np.isnan(wanted)) | distance_fits)
