"""Zarr arrays of the dtypes of ml_dtypes: call `register` once; this also covers cubed, which stores its data in Zarr.

The names and layouts are those of Zarr's extension registry: an element of less than eight bits occupies a byte.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from supremum._base.functions import without_float_warnings
from supremum.promotion._nodes import NODES

__all__ = ["register"]

#: Zarr's names of the dtypes: those of ml_dtypes, except for the complex ones.
_COMPLEX: Final = {"complex32": "complex_float16", "bcomplex32": "complex_bfloat16"}
_DTYPES: Final = {_COMPLEX.get(name, name): node.dtype for name, node in NODES.items() if node.dtype.isbuiltin != 1}
_NAMES: Final = {dtype: name for name, dtype in _DTYPES.items()}
#: The name of the byte order of native and of byte-swapped dtypes.
_ORDERS: Final[dict[bool, Any]] = {True: sys.byteorder, False: "big" if sys.byteorder == "little" else "little"}
_SPECIAL: Final[dict[Any, Any]] = {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}


def register() -> None:
    """Register bfloat16, float8 and the other dtypes of ml_dtypes for Zarr arrays of format 3.

    Notes
    -----
    Every process that reads or writes such arrays has to call it; with several processes, call it in a module that all of
    them import.
    """
    from zarr.dtype import data_type_registry

    data_type_registry.register("ml_dtypes", _data_type())


def __getattr__(name: str) -> Any:
    """Return the data type class, which pickles refer to by name."""
    if name == "NarrowDataType":
        return _data_type()
    raise AttributeError(f"module 'supremum.zarr' has no attribute {name!r}", name=name)


@cache
def _data_type() -> type[Any]:
    """Define the class that Zarr wraps the dtypes in; its bases are Zarr's, so Zarr must be installed."""
    from zarr.core.dtype.common import HasEndianness, HasItemSize
    from zarr.dtype import DataTypeValidationError, ZDType

    @dataclass(frozen=True, kw_only=True)
    class NarrowDataType(ZDType, HasEndianness, HasItemSize):  # type: ignore[misc]  # Zarr may not be installed
        """A dtype of ml_dtypes under Zarr's name."""

        name: str
        dtype_cls = np.dtype
        _zarr_v3_name = "ml_dtypes"

        @classmethod
        def from_native_dtype(cls, dtype: Any) -> Any:
            name = _NAMES.get(dtype.newbyteorder("=")) if isinstance(dtype, np.dtype) else None
            if name is None:
                raise DataTypeValidationError(f"{dtype} is not a dtype of ml_dtypes")
            return cls(name=name, endianness=_ORDERS[dtype.isnative])

        def to_native_dtype(self) -> Any:
            dtype = _DTYPES[self.name]
            return dtype if self.endianness == sys.byteorder else dtype.newbyteorder(self.endianness)

        @classmethod
        def _from_json_v2(cls, data: Any) -> Any:
            raise DataTypeValidationError(f"format 2 has no name for a dtype of ml_dtypes, got {data!r}")

        @classmethod
        def _from_json_v3(cls, data: Any) -> Any:
            if isinstance(data, str) and data in _DTYPES:
                return cls(name=data)
            raise DataTypeValidationError(f"{data!r} is not a dtype of ml_dtypes")

        def to_json(self, zarr_format: int) -> Any:
            if zarr_format == 3:
                return self.name
            raise ValueError(f"zarr: format {zarr_format} has no name for {self.name}; use zarr_format=3")

        @property
        def item_size(self) -> int:
            return _DTYPES[self.name].itemsize

        def _check_scalar(self, data: object) -> bool:
            return isinstance(data, bool | int | float | complex | np.generic)

        @without_float_warnings
        def cast_scalar(self, data: object) -> Any:
            return np.asarray(data).astype(_DTYPES[self.name])[()]

        def default_scalar(self) -> Any:
            return self.cast_scalar(0)

        def from_json_scalar(self, data: Any, *, zarr_format: int) -> Any:  # noqa: ARG002 - Zarr's signature
            return _scalar_of(data, _DTYPES[self.name])

        def to_json_scalar(self, data: object, *, zarr_format: int) -> Any:  # noqa: ARG002 - Zarr's signature
            return _json_of(self.cast_scalar(data))

    NarrowDataType.__qualname__ = "NarrowDataType"
    return NarrowDataType


@without_float_warnings
def _scalar_of(data: Any, dtype: np.dtype[Any]) -> Any:
    """Parse a fill value: a number, the name of one that JSON lacks, its bits in hexadecimal, or a pair of those."""
    if isinstance(data, list | tuple):
        return np.asarray(complex(*map(_number, data))).astype(dtype)[()]
    if isinstance(data, str) and data.startswith("0x"):
        return np.asarray(int(data, 16), f"u{dtype.itemsize}").view(dtype)[()]
    return np.asarray(_number(data)).astype(dtype)[()]


def _number(data: Any) -> float:
    return float(_SPECIAL.get(data, data))


@without_float_warnings
def _json_of(number: Any) -> Any:
    """Encode a fill value; a NaN with an unusual payload is encoded by its bits."""
    kind = NODES[number.dtype.name].kind
    if kind == "c":
        value = complex(number)
        return [_json_of(np.float64(part)) for part in (value.real, value.imag)]
    if kind != "f":
        return int(number)
    if np.isnan(number):
        bits = number.view(f"u{number.dtype.itemsize}")
        default = np.asarray(np.nan).astype(number.dtype).view(bits.dtype)
        return "NaN" if bits == default else hex(bits)
    return float(number) if np.isfinite(number) else "Infinity" if number > 0 else "-Infinity"
