"""What the engine asks of the package for subscripts, products of matrices, conversions and the like that are not plain."""

from __future__ import annotations

from typing import Any

from supremum import _names
from supremum._array.at import in_range
from supremum._core import engine
from supremum._core.array import Array, binary, store, to_array, wrap
from supremum._core.indexing import assign, native_key, select
from supremum._core.plans import BINARY
from supremum._core.settings import state
from supremum.promotion._nodes import KEY

__all__: list[str] = []


def _matmul(x: Any, y: Any, in_place: bool) -> Any:
    """Multiply matrices; NotImplemented if an operand is of another library."""
    first, second = (z if isinstance(z, Array) else to_array(z) for z in (x, y))
    if first is None or second is None:
        other = y if second is None else x
        if isinstance(other, bool | int | float | complex):
            raise ValueError(f"matmul: operands must have at least 1 dimension, got the Python scalar {other!r}")
        return NotImplemented
    result = _names.matmul(first, second)
    return store("matmul", x, result) if in_place else result


def _divmod(x: Any, y: Any) -> Any:
    quotient = binary(BINARY["floor_divide"], x, y)
    return quotient if quotient is NotImplemented else (quotient, binary(BINARY["remainder"], x, y))


def _getitem(x: Array, key: Any) -> Array:
    try:
        return wrap(select(x._data, key), x._node)
    except IndexError:
        if state().out_of_range == "raise":
            raise
    nearest, _ = in_range(native_key(key), x.shape, "indexing")
    return wrap(select(x._data, nearest), x._node)


def _setitem(x: Array, key: Any, value: Any) -> None:
    if not state().mutable:
        raise TypeError(
            "Array is immutable here (config.mutable is False); use x = x.at[index].set(value), which returns a new array"
        )
    assign(x, key, value)


def _delitem(_x: Array, _key: object) -> None:
    raise TypeError("Array.__delitem__: elements cannot be deleted; use x = delete(x, index), which returns a new array")


def _contains(x: Array, value: object) -> bool:
    if x.ndim != 1:
        raise ValueError(
            f"Array.__contains__: the array that is searched must be one-dimensional, got shape {x.shape}; use "
            "(x == value).any()"
        )
    found = binary(BINARY["equal"], x, value)
    return found is not NotImplemented and bool(found._data.any())


def _iterate(_x: Array) -> Any:
    raise TypeError("iter: iteration over a 0-d array")


def _to_bool(x: Array) -> bool:
    if x.size == 0:
        raise ValueError(
            "bool: The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty."
        )
    if x.size > 1:
        raise ValueError("bool: The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")
    if x._node is KEY:
        raise TypeError("bool: a key has no truth value; compare it with another one")
    return bool(x._data.item())


def _to_index(x: Array) -> int:
    if x.ndim or x._node.kind not in "iu":
        raise TypeError(
            f"index: Only integer scalar arrays can be converted to a scalar index; got shape {x.shape} and dtype {x.dtype}"
        )
    return int(x._data.item())


def _scalar(x: Array, target: str) -> Any:
    """Return the element of a 0-d array as a Python scalar, for ``int()``, ``float()`` and ``complex()``."""
    if x.ndim:
        raise TypeError(
            f"{target}: Only scalar arrays can be converted to Python scalars; {target}() got an array of shape {x.shape}"
        )
    value: Any = x._data.item()
    if target != "complex" and isinstance(value, complex):
        raise TypeError(f"{target}() cannot convert a complex array; take its real or imag part first")
    # ml_dtypes' scalars have no __complex__.
    return value if isinstance(value, bool | int | float | complex) else float(value)


engine.set_hooks(
    getitem=_getitem,
    setitem=_setitem,
    delitem=_delitem,
    matmul=_matmul,
    divmod=_divmod,
    contains=_contains,
    iterate=_iterate,
    to_bool=_to_bool,
    to_index=_to_index,
    to_int=lambda x: int(_scalar(x, "int")),
    to_float=lambda x: float(_scalar(x, "float")),
    to_complex=lambda x: complex(_scalar(x, "complex")),
)
