"""DLPack exchange of dtypes that NumPy does not support: bfloat16, the narrow floats and complex32.

A buffer of such a dtype is exported and imported as a buffer of unsigned integers of the same width, so that NumPy makes and
consumes the capsule, with its checks, flags and lifetimes. The two bytes that identify the type are overwritten.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.silence import call_user_code
from supremum.promotion._nodes import NODES, ROWS, Node

#: DLPack's type code and bits of each dtype, and the minor version of DLPack 1 that introduced them.
_CODES: Final = {
    name: (int(code), row.bits, int(minor)) for name, row in ROWS.items() if row.dlpack for code, minor in [row.dlpack.split()]
}
_NAMES: Final = {(code, bits): name for name, (code, bits, _) in _CODES.items()}
_UNSIGNED: Final = 1


class _Tensor(ctypes.Structure):
    """DLTensor of dlpack.h."""

    _fields_ = (
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64),
    )  # fmt: skip


class _Versioned(ctypes.Structure):
    """DLManagedTensorVersioned of dlpack.h."""

    _fields_ = (
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64), ("tensor", _Tensor),
    )  # fmt: skip


_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype = ctypes.c_void_p
_pointer.argtypes = (ctypes.py_object, ctypes.c_char_p)
_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.restype = ctypes.c_int
_is_valid.argtypes = (ctypes.py_object, ctypes.c_char_p)


def _opened(capsule: Any) -> tuple[_Tensor, _Versioned | None]:
    """Return the structures in a capsule that has not been consumed yet."""
    if _is_valid(capsule, b"dltensor_versioned"):
        managed = _Versioned.from_address(_pointer(capsule, b"dltensor_versioned") or 0)
        if managed.major != 1:
            raise BufferError(f"from_dlpack: the capsule has DLPack version {managed.major}.{managed.minor}, not 1")
        return managed.tensor, managed
    if _is_valid(capsule, b"dltensor"):
        return _Tensor.from_address(_pointer(capsule, b"dltensor") or 0), None
    raise BufferError("from_dlpack: __dlpack__ returned no unconsumed DLPack capsule")


def exported(data: Buffer, node: Node, **options: Any) -> Any:
    """Export a buffer as a capsule; `options` are those of ``__dlpack__``."""
    name = data.dtype.name
    plain = data.dtype.isbuiltin == 1
    if not plain and name not in _CODES:
        why = "DLPack packs sub-byte elements, and buffers of supremum do not" if node.bits < 8 else "DLPack has no such dtype"
        raise BufferError(f"__dlpack__: cannot export dtype {name}: {why}; cast it first, e.g. with .astype('int8')")
    try:
        capsule = (data if plain else data.view(f"u{data.dtype.itemsize}")).__dlpack__(**options)
    except RecursionError:
        raise
    except (BufferError, ValueError, TypeError, OverflowError, RuntimeError) as error:
        raise BufferError(f"__dlpack__: cannot export dtype {name} with shape {data.shape}: {error}") from None
    if not plain:
        code, bits, minor = _CODES[name]
        tensor, managed = _opened(capsule)
        tensor.code, tensor.bits = code, bits
        if managed is not None:
            managed.minor = max(managed.minor, minor)
    return capsule


class _Exporter:
    """An object with the DLPack protocol that returns a modified capsule to NumPy."""

    def __init__(self, capsule: Any, device: tuple[int, int]) -> None:
        self._capsule = capsule
        self._device = device

    def __dlpack__(self, **options: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device


def imported(x: Any, copy: bool | None) -> Buffer:
    """Import the buffer of another library's array; with ``copy=True`` it is always writable."""
    try:
        device = call_user_code(x.__dlpack_device__)
    except RecursionError:
        raise
    except (RuntimeError, TypeError, ValueError) as error:
        raise BufferError(f"from_dlpack: __dlpack_device__ of {type(x).__name__} failed: {error}") from None
    if device[0] != 1:
        raise BufferError(f"from_dlpack: the only device is 'cpu', got an array on device {tuple(device)}")
    tensor, _ = _opened(capsule := _capsule(x, copy))
    name = _NAMES.get((tensor.code, tensor.bits)) if tensor.lanes == 1 else None
    node = NODES.get(name or "")
    if node is not None:
        tensor.code = _UNSIGNED
    try:
        data = np.from_dlpack(_Exporter(capsule, device))
    except RecursionError:
        raise
    except (RuntimeError, BufferError, TypeError) as error:
        raise BufferError(
            f"from_dlpack: no dtype of supremum has type code {tensor.code}, {tensor.bits} bits and {tensor.lanes} lanes: "
            f"{error}"
        ) from None
    if copy and not data.flags.writeable:
        data = data.copy()
    return data if node is None else data.view(node.dtype)


def _capsule(x: Any, copy: bool | None) -> Any:
    """Request a capsule; libraries from before DLPack 1 accept neither a version nor `copy`."""
    try:
        return call_user_code(x.__dlpack__, max_version=(1, 1), **({} if copy is None else {"copy": copy}))
    except TypeError:
        if copy is not None:
            raise BufferError(f"from_dlpack: {type(x).__name__}.__dlpack__ does not support copy={copy}") from None
        return call_user_code(x.__dlpack__)
    except RecursionError:
        raise
    except (RuntimeError, ValueError) as error:
        raise BufferError(f"from_dlpack: {type(x).__name__} cannot be exported: {error}") from None
