"""Kernels for dtypes without fast and accurate arithmetic in NumPy: narrow floats and sub-byte integers.

Every function has one definition: the function's kernel on operands widened to float32 (complex64, int8), rounded once. A
function that is about the dtype's own elements, as `nextafter`, is what the dtype's loop in NumPy or ml_dtypes computes.

The extension module has loops with the same results (`native/loops/narrow_loops.c`). They are ufuncs, each of one function and
one dtype, which the engine finds in `ufunc`. Without it the definition computes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from supremum._base.buffers import Buffer, native
from supremum._kernels.casts import narrow, widen
from supremum._kernels.pointwise import always_false, floor_divide, is_below_zero, unchanged

if TYPE_CHECKING:
    from collections.abc import Callable

    from supremum.promotion._nodes import Node

_INT8: Final = np.dtype(np.int8)
_ONE: Final = np.float32(1)
#: Functions whose loops in NumPy treat signalling NaN differently from quiet ones, or not all elements alike.
_SENSITIVE: Final = frozenset({"float_power", "fmax", "fmin", "hypot", "pow"})

#: Functions that return a real operand unchanged.
_COPYING: Final = frozenset({"conj", "positive", "real"})
#: The ufuncs of kernels that replace some of their results; the loops do so too.
_REPAIRED: Final[dict[Any, np.ufunc]] = {floor_divide: np.floor_divide}


def wide_of(node: Node) -> np.dtype[Any]:
    """Return the native dtype that represents all numbers of a narrow node, and those next to the limits of an integer."""
    return _INT8 if node.kind in "iu" else node.wide.dtype


def kernel(
    name: str, function: Callable[..., Any], nin: int, compute: Node, result: Node, *, widens: bool = True, loose: bool = False
) -> Callable[..., Any]:
    """Return the kernel of a function of narrow operands.

    Parameters
    ----------
    name : str
        The name of the function in the table of rules.
    function : callable
        The kernel of the function for the kind of `compute`.
    nin : int
        The number of operands.
    compute, result : Node
        The narrow node of the operands, and the node of the result.
    widens : bool, optional
        Whether the function may be computed in float32; otherwise `function` supports narrow dtypes.
    loose : bool, optional
        Whether an operand may have another dtype, such as an out-of-range Python integer of a comparison.

    Returns
    -------
    callable
        The kernel, from buffers of `compute` to a buffer of `result`.
    """
    found, _ = _made(name, function, nin, compute, result, widens=widens)
    return _loose(found, function, compute) if loose and result.kind == "b" else found


def ufunc(
    name: str, function: Callable[..., Any], nin: int, compute: Node, result: Node, *, widens: bool = True
) -> np.ufunc | None:
    """Return the ufunc of the extension module that computes what the `kernel` of the same arguments does, if there is one."""
    return _made(name, function, nin, compute, result, widens=widens)[1]


#: What was made; weak nodes and all states share it.
_kernels: Final[dict[tuple[Any, ...], tuple[Callable[..., Any], np.ufunc | None]]] = {}


def _made(
    name: str, function: Callable[..., Any], nin: int, compute: Node, result: Node, *, widens: bool
) -> tuple[Callable[..., Any], np.ufunc | None]:
    """Return the kernel, and the ufunc of the extension module or None."""
    key = (name, function, compute.dtype, result.dtype)
    found = _kernels.get(key)
    if found is None:
        found = _kernels.setdefault(key, _make(name, function, nin, compute, result, widens=widens))
    return found


def clip(node: Node) -> np.ufunc | None:
    """Return the ufunc of the extension module for the minimum of the third operand and the maximum of the first two."""
    return None if native is None else native.narrow_ufunc("clip", node.dtype, 3, None, None)


def _make(
    name: str, function: Callable[..., Any], nin: int, compute: Node, result: Node, *, widens: bool
) -> tuple[Callable[..., Any], np.ufunc | None]:
    dtype = compute.dtype
    if function in (always_false, is_below_zero) or (compute.kind != "c" and name == "imag"):
        return function, None
    if compute.kind != "c" and (name in _COPYING or function is unchanged):
        defined: Callable[..., Any] = np.ndarray.copy
    else:
        defined = _widened(function, wide_of(compute), result.dtype, quiet=name in _SENSITIVE) if widens else function
    if native is None or compute.kind == "c":
        return defined, None
    table = defined(np.arange(256, dtype=np.uint8).view(dtype)) if nin == 1 and dtype.itemsize == 1 else None
    if table is not None and table.dtype not in (dtype, np.bool_):
        return defined, None
    wide = (function if isinstance(function, np.ufunc) else _REPAIRED.get(function)) if widens else None
    found: np.ufunc | None = native.narrow_ufunc(name, dtype, nin, wide, table)
    if found is None:
        return defined, None
    if nin == 1:
        return found, found
    # An operand of another dtype, an exponent that is an integer, is the definition's.
    return lambda a, b: (found if a.dtype == dtype and b.dtype == dtype else defined)(a, b), found


def _widened(
    function: Callable[..., Any], wide: np.dtype[Any], dtype: np.dtype[Any], *, quiet: bool = False
) -> Callable[..., Any]:
    """Wrap a kernel to compute narrow buffers in a wider dtype and round once; `quiet` makes signalling NaN quiet first."""
    floats = wide == np.float32

    def widened(*operands: Buffer) -> Any:
        given = [widen(x) if floats else x.astype(wide) for x in operands]
        result = function(*[x * _ONE for x in given] if floats and quiet else given)
        if result.dtype == dtype or result.dtype.kind in "bu":  # truth values; a number of bits, of integers
            return result
        return narrow(np.asarray(result), dtype) if floats else result.astype(dtype)

    return widened


def _loose(strict: Callable[..., Any], function: Callable[..., Any], compute: Node) -> Callable[..., Any]:
    """Wrap a predicate to accept an operand of another dtype."""
    dtype, wide = compute.dtype, wide_of(compute)

    def loose(a: Buffer, b: Buffer) -> Any:
        if a.dtype == dtype and b.dtype == dtype:
            return strict(a, b)
        return function(*[x.astype(wide) if x.dtype == dtype else _native(x) for x in (a, b)])

    return loose


def _native(x: Buffer) -> Buffer:
    """Convert a 0-d object array to float64 if that is exact, because loops over objects are slow."""
    value = x.item() if x.dtype == object else None
    return np.array(float(value)) if value is not None and abs(value) <= 1 << 53 else x
